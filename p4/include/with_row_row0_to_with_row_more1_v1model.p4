state with_row_row0 {
    packet.extract(hdr.row0);
    transition select(hdr.request.pairs) { 1: with_row_done; default: with_row_row1; }
}
state with_row_rank1 {
    packet.extract(hdr.rank1);
    transition select(hdr.rank1.beyond) { 0: with_row_more1; default: REJECT; }
}
state parse_kind {
    transition select(hdr.request.kind, hdr.request.flags) {
        (16, 0 &&& 253): push; (20, 0 &&& 253): load; (19, 0 &&& 253): pull; default: REJECT;
    }
}
state with_row_done { transition accept; }
state with_row_row1 {
    packet.extract(hdr.row1);
    transition select(hdr.request.pairs) { 2: with_row_done; default: with_row_row2; }
}
state with_row_more1 {
    transition select(hdr.request.pairs) { 2: with_row_row0; default: with_row_rank2; }
}
