state harvest {
    packet.extract(hdr.ethernet); packet.extract(hdr.ipv4); packet.extract(hdr.udp);
    packet.extract(hdr.bth); meta.phase = 2;
    transition select(hdr.bth.opcode) {
        38: harvest_first; 39: harvest_middle; 41: harvest_last; 43: harvest_only;
        default: REJECT;
    }
}
