// R-PISA-59: lanes that were hashed before the last ones.
action add_early_add() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
table add_early {
    actions = { add_early_add; }
    const default_action = add_early_add(); size = 1;
}
// R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the
// control plane, or nowhere.
action outcome_refuse() { INGRESS_DROP; }
action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
action outcome_onward(bit<8> step, bit<16> port) {
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.mode = 8w1;
    hdr.front.setInvalid(); hdr.rest.setInvalid(); hdr.high.setInvalid();
}
action outcome_gather(bit<8> step, bit<16> port) {
    hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
    hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
    hdr.high.setInvalid(); hdr.bridge.worker = 16w0xFFFF;
}
action outcome_gather_one(bit<8> step, bit<16> port) {
    hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
    hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
    hdr.high.setInvalid(); hdr.bridge.worker = meta.worker;
}
action outcome_spread_empty() {
    hdr.bridge.mode = 8w6; hdr.immediate.exponent = meta.key_[31:16];
    hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
    hdr.bridge.crc = 32w0xFFFFFFFF; hdr.bridge.worker = 16w0xFFFF;
    MULTICAST_GROUP = meta.members_group;
}
action outcome_reply_empty() {
    hdr.bridge.mode = 8w6; hdr.immediate.exponent = meta.key_[31:16];
    hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
    hdr.bridge.crc = 32w0xFFFFFFFF; hdr.bridge.worker = meta.worker;
    EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_harvest(bit<8> step, bit<16> port) {
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.mode = 8w2;
}
action outcome_spread_whole() { hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group; }
action outcome_reply_whole() { hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port; }
