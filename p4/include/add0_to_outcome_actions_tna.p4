// R-FPI-5 to 9: replace, or add.
RegisterAction<int<32>, bit<16>, bit<32>>(reg_mantissa0) alu_add0_begin = {
    void apply(inout int<32> value) { value = (int<32>) meta.shifted0; }
};
action add0_begin() { alu_add0_begin.execute(meta.copy); }
RegisterAction<int<32>, bit<16>, int<32>>(reg_mantissa0) alu_add0_read = {
    void apply(inout int<32> value, out int<32> rv) { rv = value; }
};
action add0_read() { hdr.lane0.value = (bit<32>) alu_add0_read.execute(meta.copy); }
RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa0) alu_add0_add_up = {
    void apply(inout int<32> value, out bit<4> rv) {
        rv = this.predicate(value < 0, value - (int<32>) meta.limit0 > 0);
        value = value + (int<32>) meta.shifted0;
    }
};
action add0_add_up() { meta.added0 = alu_add0_add_up.execute(meta.copy); }
RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa0) alu_add0_add_down = {
    void apply(inout int<32> value, out bit<4> rv) {
        rv = this.predicate(value < 0, value - (int<32>) meta.limit0 < 0);
        value = value + (int<32>) meta.shifted0;
    }
};
action add0_add_down() { meta.added0 = alu_add0_add_down.execute(meta.copy); }
table add0 {
    key = {
        meta.sums_are : ternary @name("sums_are"); meta.adds0 : ternary @name("adds0");
        meta.distance0 : range @name("distance0"); meta.shifted0 : ternary @name("shifted0");
    }
    actions = { add0_begin; add0_read; add0_add_up; add0_add_down; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        (1, _, 0..0xFFFF, _) : add0_begin(); (3, _, 0..0xFFFF, _) : add0_read();
        (2, 1, 8..0x7FFF, _) : add0_begin();
        (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add0_add_down();
        (2, 1, 0..0xFFFF, _) : add0_add_up();
    }
    size = 5;
}
// R-FPI-4, R-FPI-9: flags stay.
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_begin = {
    void apply(inout bit<8> value) { value = meta.flag0; }
};
action flag0_begin() { alu_flag0_begin.execute(meta.copy); }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_note = {
    void apply(inout bit<8> value) { value = value | meta.flag0; }
};
action flag0_note() { alu_flag0_note.execute(meta.copy); }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_overflow = {
    void apply(inout bit<8> value) { value = value | 8; }
};
action flag0_overflow() { alu_flag0_overflow.execute(meta.copy); meta.overflowed0 = 1w1; }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_read = {
    void apply(inout bit<8> value, out bit<8> rv) { rv = value; }
};
action flag0_read() { hdr.found.flags0 = alu_flag0_read.execute(meta.copy); }
table flag0 {
    key = {
        meta.sums_are : ternary @name("sums_are"); meta.added0 : ternary @name("added0");
        meta.shifted0 : ternary @name("shifted0");
    }
    actions = { flag0_begin; flag0_note; flag0_overflow; flag0_read; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        (1, _, _) : flag0_begin(); (2, 4, 0 &&& 0x80000000) : flag0_overflow();
        (2, 8, 0x80000000 &&& 0x80000000) : flag0_overflow(); (2, _, _) : flag0_note();
        (3, _, _) : flag0_read();
    }
    size = 5;
}
// R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the
// control plane, or nowhere.
action outcome_refuse() { INGRESS_DROP; }
action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
action outcome_onward(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w1; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0; hdr.bridge.rest = meta.rest;
}
action outcome_recall() {
    hdr.netfold.flags = 8w7; hdr.lane0.setInvalid(); hdr.bridge.setValid();
    hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_gather(bit<8> step, bit<16> port) {
    hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0; hdr.netfold.worker = 16w0xFFFF;
}
action outcome_gather_one(bit<8> step, bit<16> port) {
    hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w1;
}
action outcome_relay(bit<8> step) {
    hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.netfold.worker = 16w0xFFFF; hdr.lane0.setInvalid(); hdr.bridge.setValid();
    hdr.bridge.mode = 8w5; hdr.bridge.step = step; hdr.bridge.single = 8w1;
    MULTICAST_GROUP = meta.relay_group;
}
action outcome_spread() {
    hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.netfold.worker = 16w0xFFFF; hdr.bridge.setValid(); hdr.bridge.mode = 8w3;
    MULTICAST_GROUP = meta.members_group;
}
action outcome_spread_empty() {
    hdr.netfold.flags = 8w3; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.netfold.worker = 16w0xFFFF; hdr.lane0.setInvalid(); hdr.bridge.setValid();
    hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_reply() {
    hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.bridge.setValid(); hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_reply_empty() {
    hdr.netfold.flags = 8w3; hdr.netfold.next_exponent = meta.largest_exponent;
    hdr.lane0.setInvalid(); hdr.bridge.setValid(); hdr.bridge.mode = 8w3;
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
