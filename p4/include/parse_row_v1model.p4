state parse_row {
    packet.extract(hdr.row);
    transition select(hdr.row.op, hdr.row.index) { (2, 0 &&& 0xFF80): known; default: REJECT; }
}
