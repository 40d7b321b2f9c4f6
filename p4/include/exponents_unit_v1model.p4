control exponents_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> incoming, in bit<16> copy,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> new_lo = incoming; reg_exponent.write((bit<32>) copy, new_lo); stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) copy);
            bool first_holds = (int<16>) (old_lo - incoming) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) copy, new_lo); stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic { bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) copy); exponent = old_lo; }
    }
    table exponents {
        key = { sums_are : ternary; adds : ternary; }
        actions = { exponents_begin; exponents_raise; exponents_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _) : exponents_begin(); (2, 1) : exponents_raise(); (3, _) : exponents_read();
        }
    }
    apply { exponents.apply(); }
}
