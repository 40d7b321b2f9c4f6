state parse_again {
    packet.extract(hdr.bridge); packet.extract(hdr.ethernet); packet.extract(hdr.row);
    meta.again = 1; transition accept;
}
state parse_ethernet {
    packet.extract(hdr.ethernet);
    transition select(hdr.ethernet.ether_type) { 0x88B6: parse_row; default: REJECT; }
}
