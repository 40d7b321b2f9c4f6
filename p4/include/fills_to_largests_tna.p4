// R-SLOT-2: whether these are the round's first lanes.
action fills_skip() { }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_mark = {
    void apply(inout bit<8> value, out bit<8> rv) { rv = value; value = 1; }
};
action fills_mark() { meta.was_filled = alu_fills_mark.execute(meta.copy); }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_wipe = {
    void apply(inout bit<8> value, out bit<8> rv) { value = 0; rv = value; }
};
action fills_wipe() { meta.was_filled = alu_fills_wipe.execute(meta.copy); }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_peek = {
    void apply(inout bit<8> value, out bit<8> rv) { rv = value; }
};
action fills_peek() { meta.was_filled = alu_fills_peek.execute(meta.copy); }
table fills {
    key = {
        meta.age : ternary; meta.round_is : ternary; hdr.netfold.flags : ternary;
        meta.order : ternary;
    }
    actions = { fills_skip; fills_mark; fills_wipe; fills_peek; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(9)
    const entries = {
        (1, _, _, _) : fills_skip(); (_, _, 4 &&& 4, _) : fills_peek();
        (4, _, _, _) : fills_peek(); (2, 2, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 2, _, _) : fills_wipe(); (2, 8, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 8, _, _) : fills_wipe(); (2, 4, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 4, _, _) : fills_peek();
    }
}
// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_begin = {
    void apply(inout int<16> value, out int<16> rv) {
        value = (int<16>) hdr.netfold.next_exponent; rv = value;
    }
};
action largests_begin() {
    meta.largest_exponent = (bit<16>) alu_largests_begin.execute(meta.copy);
}
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_raise = {
    void apply(inout int<16> value, out int<16> rv) {
        value = max(value, (int<16>) hdr.netfold.next_exponent); rv = value;
    }
};
action largests_raise() {
    meta.largest_exponent = (bit<16>) alu_largests_raise.execute(meta.copy);
}
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_peek = {
    void apply(inout int<16> value, out int<16> rv) { rv = value; }
};
action largests_peek() {
    meta.largest_exponent = (bit<16>) alu_largests_peek.execute(meta.copy);
}
table largests {
    key = {
        meta.age : ternary; meta.round_is : ternary; hdr.netfold.flags : ternary;
        meta.order : ternary;
    }
    actions = {
        largests_skip; largests_begin; largests_raise; largests_peek; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(6)
    const entries = {
        (1, _, _, _) : largests_skip(); (_, _, 4 &&& 4, _) : largests_peek();
        (4, _, _, _) : largests_peek(); (2, 2, _, _) : largests_begin();
        (2, 8, _, _) : largests_begin(); (2, 4, _, _) : largests_raise();
    }
}
