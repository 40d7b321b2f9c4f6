state begin {
    packet.extract(hdr.bridge);
    transition select(hdr.bridge.mode) { 4: leaving_other; default: leaving_netfold; }
}
