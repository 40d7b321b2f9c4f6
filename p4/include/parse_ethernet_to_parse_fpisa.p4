state parse_ethernet {
    packet.extract(hdr.ethernet);
    transition select(hdr.ethernet.ether_type) { 0x88B6: parse_fpisa; default: REJECT; }
}
state parse_fpisa {
    packet.extract(hdr.fpisa);
    transition select(hdr.fpisa.index) { 0 &&& 0xFF80: parse_sums; default: REJECT; }
}
