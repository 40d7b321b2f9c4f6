state again_kind {
    transition select(hdr.netfold.kind) {
        2: again_exponents; 3: again_classes; 1: again_values; default: REJECT;
    }
}
state parse_udp {
    packet.extract(hdr.udp);
    transition select(hdr.udp.dst_port) { 0x15B3: parse_netfold; default: other; }
}
state again_exponents { meta.order = 1; transition again_way; }
state again_classes { meta.order = 2; transition again_way; }
state again_values { meta.order = 3; transition again_way; }
state parse_netfold {
    packet.extract(hdr.netfold);
    transition select(hdr.netfold.version) { 1: first_kind; default: REJECT; }
}
