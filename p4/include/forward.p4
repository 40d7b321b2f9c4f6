// Other traffic goes where it is addressed.
action forward_send(bit<16> port) {
    hdr.bridge.setValid(); EGRESS_PORT = (bit<9>) port; hdr.bridge.mode = 8w4;
}
action forward_flood(bit<16> group) {
    hdr.bridge.setValid(); MULTICAST_GROUP = group; hdr.bridge.mode = 8w4;
}
action forward_refuse() { INGRESS_DROP; }
table forward {
    key = { hdr.ethernet.dst : exact @name("dst"); }
    actions = { forward_send; forward_flood; forward_refuse; }
    const default_action = forward_refuse(); size = 1024;
}
