// The port of whoever asks.
action ports_answer(bit<16> port) { EGRESS_PORT = (bit<9>) port; }
action ports_refuse() { INGRESS_DROP; }
table ports {
    key = { hdr.ethernet.src : exact @name("src"); }
    actions = { ports_answer; ports_refuse; }
    const default_action = ports_refuse(); size = 1024;
}
