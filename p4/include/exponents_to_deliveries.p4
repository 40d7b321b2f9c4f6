// R-PKT-1, R-NUM-7: exponents that there are.
action exponents_pass() { meta.known_exponents = 1w1; }
table exponents {
    key = { hdr.netfold.exponent : range; hdr.netfold.next_exponent : range; }
    actions = { exponents_pass; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(16)
    const entries = {
        (0xFF6B..0xFFFF, 0xFF6B..0xFFFF) : exponents_pass();
        (0xFF6B..0xFFFF, 0..128) : exponents_pass();
        (0xFF6B..0xFFFF, 0x7FFE..0x7FFF) : exponents_pass();
        (0xFF6B..0xFFFF, 0x8000..0x8000) : exponents_pass();
        (0..128, 0xFF6B..0xFFFF) : exponents_pass(); (0..128, 0..128) : exponents_pass();
        (0..128, 0x7FFE..0x7FFF) : exponents_pass();
        (0..128, 0x8000..0x8000) : exponents_pass();
        (0x7FFE..0x7FFF, 0xFF6B..0xFFFF) : exponents_pass();
        (0x7FFE..0x7FFF, 0..128) : exponents_pass();
        (0x7FFE..0x7FFF, 0x7FFE..0x7FFF) : exponents_pass();
        (0x7FFE..0x7FFF, 0x8000..0x8000) : exponents_pass();
        (0x8000..0x8000, 0xFF6B..0xFFFF) : exponents_pass();
        (0x8000..0x8000, 0..128) : exponents_pass();
        (0x8000..0x8000, 0x7FFE..0x7FFF) : exponents_pass();
        (0x8000..0x8000, 0x8000..0x8000) : exponents_pass();
    }
}
// R-PKT-3: `transport`; a pipeline computes no digest of lanes.
action sealed_pass() { meta.known_seal = 1w1; }
table sealed {
    key = { hdr.netfold.integrity : exact; }
    actions = { sealed_pass; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { 0 : sealed_pass(); }
}
// R-PKT-4, R-SLOT-9: the words of the slot's copy, for a job and a slot that there are.
action jobs_find(bit<16> first, bit<16> others, bit<1> alone, bit<16> group, bit<16> relay) {
    meta.copy = first + hdr.netfold.slot; meta.others = others; meta.alone = alone;
    meta.members_group = group; meta.relay_group = relay; meta.known_job = 1w1;
}
table jobs {
    key = {
        hdr.netfold.job : ternary @name("job"); hdr.netfold.epoch : ternary @name("epoch");
        hdr.netfold.pool : ternary @name("pool"); hdr.netfold.slot : range @name("slot");
    }
    actions = { jobs_find; @defaultonly NoAction; }
    const default_action = NoAction(); size = 128;
}
// R-SLOT-9: the worker's word for the slot, and the port that leads to it.
action members_know(bit<16> first, bit<16> port) {
    meta.word = first + hdr.netfold.slot; meta.member_port = port; meta.known_member = 1w1;
}
table members {
    key = { hdr.netfold.job : exact @name("job"); hdr.netfold.worker : exact @name("worker"); }
    actions = { members_know; @defaultonly NoAction; }
    const default_action = NoAction(); size = 2048;
}
// R-SLOT-9: the result is for everyone, or for a worker that there is.
action deliveries_everyone() { meta.known_delivery = 1w1; meta.to_all = 1w1; }
action deliveries_one() { meta.known_delivery = 1w1; }
table deliveries {
    key = {
        hdr.netfold.job : exact @name("job"); hdr.netfold.delivery : exact @name("delivery");
    }
    actions = { deliveries_everyone; deliveries_one; @defaultonly NoAction; }
    const default_action = NoAction(); size = 2048;
}
