// Other traffic goes where it is addressed.
action forward_send(bit<16> port) {
    EGRESS_PORT = (bit<9>) port; hdr.bridge.setValid(); hdr.bridge.mode = 8w4;
}
action forward_flood(bit<16> group) {
    MULTICAST_GROUP = group; hdr.bridge.setValid(); hdr.bridge.mode = 8w4;
}
action forward_refuse() { INGRESS_DROP; }
table forward {
    key = { hdr.ethernet.dst : exact @name("dst"); }
    actions = { forward_send; forward_flood; forward_refuse; }
    const default_action = forward_refuse(); size = 1024;
}
