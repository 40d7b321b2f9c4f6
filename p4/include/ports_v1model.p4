// The ports of a row's worker and of the master.
action ports_route(bit<16> worker, bit<16> master) {
    hdr.bridge.setValid(); meta.worker = worker; meta.master = master;
}
action ports_refuse() { INGRESS_DROP; }
table ports {
    key = { hdr.ethernet.src : exact @name("src"); }
    actions = { ports_route; ports_refuse; }
    const default_action = ports_refuse(); size = 1024;
}
