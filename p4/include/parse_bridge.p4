state parse_bridge {
    packet.extract(hdr.bridge);
    transition select(hdr.bridge.mode) { 1: consume_again; 2: harvest; default: REJECT; }
}
