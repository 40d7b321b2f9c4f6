state leaving_netfold {
    packet.extract(hdr.ethernet); packet.extract(hdr.ipv4); packet.extract(hdr.udp);
    packet.extract(hdr.netfold); transition leaving_found;
}
state leaving_found { packet.extract(hdr.found); transition leaving_look_0; }
state leaving_look_0 {
    transition select(hdr.found.lanes) { 0: leaving_end; default: leaving_take_0; }
}
