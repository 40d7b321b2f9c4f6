state parse_udp {
    packet.extract(hdr.udp);
    transition select(hdr.udp.dst_port) { 0x12B7: parse_bth; default: other; }
}
