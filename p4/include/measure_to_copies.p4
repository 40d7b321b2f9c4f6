// Bytes of the lanes, and whether this copy is for the one worker that gets them.
action measure_measure() {
    meta.lane_bytes = hdr.netfold.elements << 2;
    meta.elsewhere = REPLICA ^ hdr.netfold.delivery;
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
// R-SLOT-3: lanes for those whom the result is for, a header alone for the others.
action copies_stay() { }
action copies_bare() { hdr.bridge.setInvalid(); }
action copies_gather() { hdr.bridge.mode = 8w2; hdr.netfold.worker = hdr.netfold.delivery; }
action copies_refuse() { EGRESS_DROP; }
action copies_leave_empty() {
    hdr.bridge.setInvalid(); hdr.udp.checksum = 16w0; hdr.ipv4.ttl = 8w64;
    hdr.udp.length = 16w48; hdr.ipv4.total_length = 16w68; hdr.netfold.flags = 8w3;
}
action copies_leave_short() {
    hdr.bridge.setInvalid(); hdr.udp.checksum = 16w0; hdr.ipv4.ttl = 8w64;
    hdr.udp.length = 16w48; hdr.ipv4.total_length = 16w68;
}
action copies_leave_owner() {
    hdr.bridge.setInvalid(); hdr.udp.checksum = 16w0; hdr.ipv4.ttl = 8w64;
    hdr.udp.length = 16w48; hdr.ipv4.total_length = 16w68;
    hdr.netfold.worker = hdr.netfold.delivery;
}
action copies_leave_whole() {
    hdr.bridge.setInvalid(); hdr.udp.checksum = 16w0; hdr.ipv4.ttl = 8w64;
    hdr.udp.length = meta.lane_bytes + 16w48; hdr.ipv4.total_length = meta.lane_bytes + 16w68;
}
table copies {
    key = {
        hdr.bridge.mode : ternary; REPLICA : ternary; hdr.netfold.worker : ternary;
        hdr.netfold.delivery : ternary; meta.elsewhere : ternary; hdr.netfold.flags : ternary;
    }
    actions = {
        copies_stay; copies_bare; copies_gather; copies_refuse; copies_leave_empty;
        copies_leave_short; copies_leave_owner; copies_leave_whole; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(10)
    const entries = {
        (1, _, _, _, _, _) : copies_stay(); (2, _, _, _, _, _) : copies_stay();
        (4, _, _, _, _, _) : copies_bare(); (5, 0xFFFF, _, _, _, _) : copies_gather();
        (5, _, _, _, 0, _) : copies_refuse(); (5, _, _, _, _, _) : copies_leave_empty();
        (3, _, 0xFFFF, 0xFFFF, _, 2 &&& 2) : copies_leave_short();
        (3, _, 0xFFFF, _, 0, 2 &&& 2) : copies_leave_owner();
        (3, _, _, _, _, 2 &&& 2) : copies_leave_short();
        (3, _, _, _, _, _) : copies_leave_whole();
    }
}
