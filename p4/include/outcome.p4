// R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the
// control plane, or nowhere.
action outcome_refuse() { INGRESS_DROP; }
action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
action outcome_onward(bit<8> step, bit<16> port) {
    hdr.front.setInvalid(); hdr.rest.setInvalid(); hdr.high.setInvalid();
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.mode = 8w1;
}
action outcome_gather(bit<8> step, bit<16> port) {
    hdr.high.setInvalid(); hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
    hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
    hdr.bridge.worker = 16w0xFFFF;
}
action outcome_gather_one(bit<8> step, bit<16> port) {
    hdr.high.setInvalid(); hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
    hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
    hdr.bridge.worker = meta.worker;
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
table outcome {
    key = {
        meta.phase : ternary; hdr.bridge.step : ternary; meta.age : ternary;
        meta.round_is : ternary; meta.left : ternary; meta.alone : ternary;
        hdr.udp.length : ternary; hdr.bridge.worker : ternary;
    }
    actions = {
        outcome_refuse; outcome_mismatch; outcome_onward; outcome_gather; outcome_gather_one;
        outcome_spread_empty; outcome_reply_empty; outcome_harvest; outcome_spread_whole;
        outcome_reply_whole;
    }
    const default_action = outcome_refuse(); ENTRIES(22)
    const entries = {
        (0, _, 1, _, _, _, _, _) : outcome_refuse();
        (0, _, 2, 2, 0, 1, 44, _) : outcome_spread_empty();
        (0, _, 2, 2, 0, 1, _, _) : outcome_gather(0, 68);
        (0, _, 2, 2, 0, 0, _, _) : outcome_refuse();
        (0, _, 2, 2, _, _, _, _) : outcome_mismatch();
        (0, _, 2, 8, 0, 1, 44, _) : outcome_spread_empty();
        (0, _, 2, 8, 0, 1, _, _) : outcome_gather(0, 68);
        (0, _, 2, 8, 0, 0, _, _) : outcome_refuse();
        (0, _, 2, 8, _, _, _, _) : outcome_mismatch();
        (0, _, 2, 4, 1, _, 44, _) : outcome_spread_empty();
        (0, _, 2, 4, 1, _, _, _) : outcome_gather(0, 68);
        (0, _, 2, 4, 0, _, _, _) : outcome_refuse();
        (0, _, 2, 4, 0x8000 &&& 0x8000, _, _, _) : outcome_refuse();
        (0, _, 2, 4, _, _, _, _) : outcome_refuse();
        (0, _, 2, 1, 0, _, _, _) : outcome_refuse();
        (0, _, 2, 1, _, _, _, _) : outcome_mismatch();
        (0, _, 4, _, 0, _, 44, _) : outcome_reply_empty();
        (0, _, 4, _, 0, _, _, _) : outcome_gather_one(0, 68);
        (0, _, 4, _, _, _, _, _) : outcome_refuse();
        (2, 1, _, _, _, _, _, _) : outcome_harvest(0, 68);
        (2, 0, _, _, _, _, _, 0 &&& 0x8000) : outcome_reply_whole();
        (2, 0, _, _, _, _, _, _) : outcome_spread_whole();
    }
}
