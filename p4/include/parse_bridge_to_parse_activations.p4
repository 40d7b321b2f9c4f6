state parse_bridge {
    packet.extract(hdr.bridge); packet.extract(hdr.ethernet); packet.extract(hdr.p4sgd);
    meta.around_again = 1;
    transition select(hdr.bridge.clears) { 2: agg_side; 1: ack_side; default: neither_side; }
}
state parse_ethernet {
    packet.extract(hdr.ethernet);
    transition select(hdr.ethernet.ether_type) { 0x88B5: parse_p4sgd; default: REJECT; }
}
state agg_side { meta.side = 1; transition accept; }
state ack_side { meta.side = 2; transition accept; }
state neither_side { transition accept; }
state parse_p4sgd {
    packet.extract(hdr.p4sgd);
    transition select(hdr.p4sgd.seq) { 0 &&& 0xFF80: parse_activations; default: REJECT; }
}
state parse_activations {
    packet.extract(hdr.activations);
    transition select(hdr.p4sgd.is_agg) { 1: agg_side; 0: ack_side; default: REJECT; }
}
