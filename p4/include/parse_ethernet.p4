state parse_ethernet {
    packet.extract(hdr.ethernet);
    transition select(hdr.ethernet.ether_type) { 0x800: parse_ipv4; default: other; }
}
