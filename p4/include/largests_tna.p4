// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_begin = {
    void apply(inout int<16> value, out int<16> rv) {
        value = (int<16>) hdr.immediate.next_exponent; rv = value;
    }
};
action largests_begin() {
    meta.largest_exponent = (bit<16>) alu_largests_begin.execute(meta.copy);
}
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_raise = {
    void apply(inout int<16> value, out int<16> rv) {
        value = max(value, (int<16>) hdr.immediate.next_exponent); rv = value;
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
    key = { meta.age : ternary; meta.round_is : ternary; }
    actions = {
        largests_skip; largests_begin; largests_raise; largests_peek; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(5)
    const entries = {
        (1, _) : largests_skip(); (4, _) : largests_peek(); (2, 2) : largests_begin();
        (2, 8) : largests_begin(); (2, 4) : largests_raise();
    }
}
