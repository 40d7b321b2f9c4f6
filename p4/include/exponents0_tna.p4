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
    key = { meta.sums_are : ternary @name("sums_are"); meta.adds0 : ternary @name("adds0"); }
    actions = { exponents0_begin; exponents0_raise; exponents0_read; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        (1, _) : exponents0_begin(); (2, 1) : exponents0_raise(); (3, _) : exponents0_read();
    }
    size = 3;
}
