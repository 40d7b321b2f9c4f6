state fold_on_of_nothing { transition accept; }
state with_row_rank0 {
    packet.extract(hdr.rank0);
    transition select(hdr.rank0.beyond) { 0: with_row_more0; default: REJECT; }
}
state load_on_of_nothing { transition accept; }
state parse_udp {
    packet.extract(hdr.udp);
    transition select(hdr.udp.dst_port) { 0x15B3: parse_request; default: other; }
}
state with_row_more0 {
    transition select(hdr.request.pairs) { 1: with_row_row0; default: with_row_rank1; }
}
