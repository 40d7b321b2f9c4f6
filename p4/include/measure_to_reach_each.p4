// Bytes of the lanes, and whether this copy is for the one worker that gets them.
action measure_measure() {
    meta.lane_bytes = hdr.netfold.elements << 2;
    meta.elsewhere = REPLICA ^ hdr.netfold.delivery;
}
table measure {
    actions = { measure_measure; }
    const default_action = measure_measure(); size = 1;
}
// R-SLOT-4: the worker that has asked.
action reach_one_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip,
    bit<16> dst_port, bit<16> src_port) {
    hdr.ethernet.dst = dst_mac; hdr.ethernet.src = src_mac; hdr.ipv4.dst = dst_ip;
    hdr.ipv4.src = src_ip; hdr.udp.dst_port = dst_port; hdr.udp.src_port = src_port;
}
table reach_one {
    key = { hdr.netfold.job : exact @name("job"); hdr.netfold.worker : exact @name("worker"); }
    actions = { reach_one_reach; @defaultonly NoAction; }
    const default_action = NoAction(); size = 2048;
}
// R-SLOT-3: each worker of the job.
action reach_each_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip,
    bit<16> dst_port, bit<16> src_port) {
    hdr.ethernet.dst = dst_mac; hdr.ethernet.src = src_mac; hdr.ipv4.dst = dst_ip;
    hdr.ipv4.src = src_ip; hdr.udp.dst_port = dst_port; hdr.udp.src_port = src_port;
}
table reach_each {
    key = { hdr.netfold.job : exact @name("job"); REPLICA : exact @name("replica"); }
    actions = { reach_each_reach; @defaultonly NoAction; }
    const default_action = NoAction(); size = 2048;
}
