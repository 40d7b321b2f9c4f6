// R-KEY-2: an answer comes from the switch.
action turn_turn() {
    hdr.ethernet.src = meta.own_mac; hdr.ipv4.src = meta.own_ip;
    hdr.udp.src_port = meta.own_port;
}
