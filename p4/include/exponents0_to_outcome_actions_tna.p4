// R-FPI-5 to 7: whose exponent the sum has.
RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_begin = {
    void apply(inout int<16> value, out int<16> rv) {
        value = (int<16>) meta.incoming0; rv = value;
    }
};
action exponents0_begin() { meta.stored0 = (bit<16>) alu_exponents0_begin.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_raise = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (value - (int<16>) meta.incoming0 < -7) { value = (int<16>) meta.incoming0; }
    }
};
action exponents0_raise() { meta.stored0 = (bit<16>) alu_exponents0_raise.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_read = {
    void apply(inout int<16> value, out int<16> rv) { rv = value; }
};
action exponents0_read() {
    hdr.found.exponent0 = (bit<16>) alu_exponents0_read.execute(meta.copy);
}
table exponents0 {
    key = { meta.sums_are : ternary; meta.adds0 : ternary; }
    actions = { exponents0_begin; exponents0_raise; exponents0_read; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(3)
    const entries = {
        (1, _) : exponents0_begin(); (2, 1) : exponents0_raise(); (3, _) : exponents0_read();
    }
}
distance_unit() distance0; align_unit() align0; limit_unit() limit0; add_unit() add0;
flag_unit() flag0;
// R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the
// control plane, or nowhere.
action outcome_refuse() { INGRESS_DROP; }
action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
action outcome_onward(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w1; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0; hdr.bridge.rest = meta.rest;
}
action outcome_recall() {
    hdr.lane0.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w7;
    hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_gather(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w2;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0;
    hdr.netfold.worker = 16w0xFFFF;
}
action outcome_gather_one(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w2;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w1;
}
action outcome_relay(bit<8> step) {
    hdr.lane0.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
    hdr.bridge.mode = 8w5; hdr.bridge.step = step; hdr.bridge.single = 8w1;
    MULTICAST_GROUP = meta.relay_group;
}
action outcome_spread() {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
    hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_spread_empty() {
    hdr.lane0.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w3;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
    hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_reply() {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
    EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_reply_empty() {
    hdr.lane0.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w3;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
    EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_harvest(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port;
}
action outcome_spread_whole() {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_reply_whole() {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
}
