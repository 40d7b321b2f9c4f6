state consume_again {
    packet.extract(hdr.ethernet); packet.extract(hdr.ipv4); packet.extract(hdr.udp);
    packet.extract(hdr.netfold); meta.phase = 1; transition again_kind;
}
state harvest {
    packet.extract(hdr.ethernet); packet.extract(hdr.ipv4); packet.extract(hdr.udp);
    packet.extract(hdr.netfold); meta.phase = 2; transition accept;
}
