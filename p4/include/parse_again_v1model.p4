state parse_again {
    packet.extract(hdr.bridge); packet.extract(hdr.ethernet); packet.extract(hdr.ipv4);
    packet.extract(hdr.udp); packet.extract(hdr.request);
    transition select(hdr.bridge.mode) { 1: fold_on; 2: load_on; default: REJECT; }
}
