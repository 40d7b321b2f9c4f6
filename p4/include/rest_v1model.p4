// R-HOT-8: the pairs that no register has taken; and the switch's own addresses.
action rest_rest() {
    meta.left = hdr.bridge.even & hdr.bridge.odd; meta.own_mac = hdr.ethernet.dst;
    meta.own_ip = hdr.ipv4.dst; meta.own_port = hdr.udp.dst_port;
}
