state parse_ipv4 {
    packet.extract(hdr.ipv4);
    transition select(hdr.ipv4.version_ihl, hdr.ipv4.fragment, hdr.ipv4.protocol) {
        (69, 0 &&& 0x3FFF, 17): parse_udp; default: other;
    }
}
state other { transition accept; }
