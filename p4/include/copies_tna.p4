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
        hdr.bridge.mode : ternary @name("mode"); REPLICA : ternary @name("replica");
        hdr.netfold.worker : ternary @name("worker");
        hdr.netfold.delivery : ternary @name("delivery");
        meta.elsewhere : ternary @name("elsewhere"); hdr.netfold.flags : ternary @name("flags");
    }
    actions = {
        copies_stay; copies_bare; copies_gather; copies_refuse; copies_leave_empty;
        copies_leave_short; copies_leave_owner; copies_leave_whole; @defaultonly NoAction;
    }
    const default_action = NoAction();
    const entries = {
        (1, _, _, _, _, _) : copies_stay(); (2, _, _, _, _, _) : copies_stay();
        (4, _, _, _, _, _) : copies_bare(); (5, 0xFFFF, _, _, _, _) : copies_gather();
        (5, _, _, _, 0, _) : copies_refuse(); (5, _, _, _, _, _) : copies_leave_empty();
        (3, _, 0xFFFF, 0xFFFF, _, 2 &&& 2) : copies_leave_short();
        (3, _, 0xFFFF, _, 0, 2 &&& 2) : copies_leave_owner();
        (3, _, _, _, _, 2 &&& 2) : copies_leave_short();
        (3, _, _, _, _, _) : copies_leave_whole();
    }
    size = 10;
}
