state leaving_roce {
    packet.extract(hdr.ethernet); packet.extract(hdr.ipv4); packet.extract(hdr.udp);
    packet.extract(hdr.bth);
    transition select(hdr.bth.opcode) {
        38: leaving_first; 39: leaving_middle; 41: leaving_last; 43: leaving_only;
        default: REJECT;
    }
}
state leaving_first { packet.extract(hdr.reth); transition leaving_way; }
state leaving_middle { transition leaving_way; }
state leaving_last { packet.extract(hdr.immediate); transition leaving_way; }
state leaving_only {
    packet.extract(hdr.reth); packet.extract(hdr.immediate); transition leaving_way;
}
state leaving_way {
    transition select(hdr.bridge.mode) {
        2: leaving_front; 3: leaving_front; default: leaving_end;
    }
}
state leaving_front { packet.extract(hdr.front); transition accept; }
