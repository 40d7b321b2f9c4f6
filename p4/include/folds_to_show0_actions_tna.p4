// R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.
action folds_skip() { }
action folds_set() { meta.sums_are = 8w1; }
action folds_add() { meta.sums_are = 8w2; }
action folds_read() { meta.sums_are = 8w3; }
table folds {
    key = {
        meta.phase : ternary @name("phase"); hdr.bridge.step : ternary @name("step");
        meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
        hdr.netfold.flags : ternary @name("flags"); meta.order : ternary @name("order");
        meta.was_filled : ternary @name("was_filled"); meta.left : ternary @name("left");
    }
    actions = { folds_skip; folds_set; folds_add; folds_read; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        (0 &&& 2, _, 2, 2, 0 &&& 2, 2 &&& 2, _, _) : folds_set();
        (0 &&& 2, _, 2, 8, 0 &&& 2, 2 &&& 2, _, _) : folds_set();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, _, 0) : folds_skip();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 0, _) : folds_set();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 1, _) : folds_add();
        (2, _, _, _, _, _, _, _) : folds_read();
    }
    size = 6;
}
// R-FPI-3, R-FPI-5: the exponent.
action incoming0_normal() {
    meta.incoming0 = hash_incoming0_normal_incoming0.get({ 8w0, hdr.lane0.value[30:23] });
}
action incoming0_subnormal() { meta.incoming0 = 16w1; }
action incoming0_nothing() { meta.incoming0 = 16w0xFF00; }
table incoming0 {
    key = { hdr.lane0.value : ternary @name("value"); }
    actions = {
        incoming0_normal; incoming0_subnormal; incoming0_nothing; @defaultonly NoAction;
    }
    const default_action = NoAction();
    const entries = {
        0 &&& 0x7FFFFFFF : incoming0_nothing(); 0x7F800000 &&& 0x7F800000 : incoming0_nothing();
        0 &&& 0x7F800000 : incoming0_subnormal(); _ : incoming0_normal();
    }
    size = 4;
}
// R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
action extract0_normal() {
    meta.magnitude0 = hash_extract0_normal_magnitude0.get({ 9w1, hdr.lane0.value[22:0] });
    meta.adds0 = 1w1;
}
action extract0_subnormal() {
    meta.magnitude0 = hdr.lane0.value & 32w0x7FFFFF; meta.adds0 = 1w1;
}
action extract0_nothing(bit<8> flag) {
    meta.magnitude0 = 32w0; meta.adds0 = 1w0; meta.flag0 = flag;
}
table extract0 {
    key = { hdr.lane0.value : ternary @name("value"); }
    actions = { extract0_normal; extract0_subnormal; extract0_nothing; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        0 &&& 0x7FFFFFFF : extract0_nothing(0); 0x7F800000 : extract0_nothing(1);
        0xFF800000 : extract0_nothing(2); 0x7F800000 &&& 0x7F800000 : extract0_nothing(4);
        0 &&& 0x7F800000 : extract0_subnormal(); _ : extract0_normal();
    }
    size = 6;
}
// R-FPI-3: the sign goes into the mantissa.
action sign0_plus() { meta.signed0 = meta.magnitude0; }
action sign0_minus() { meta.signed0 = 32w0 - meta.magnitude0; }
table sign0 {
    key = { hdr.lane0.value : ternary @name("value"); }
    actions = { sign0_plus; sign0_minus; }
    const default_action = sign0_plus();
    const entries = { 0x80000000 &&& 0x80000000 : sign0_minus(); }
    size = 1;
}
// Lanes that the packet has behind this pass (R-PISA-35).
action show0_show() { hdr.lane0.setValid(); }
action show0_hide() { hdr.lane0.setInvalid(); }
