// R-FPI-5 to 7: whose exponent the sum has.
action exponents_begin() {
    @atomic {
        bit<16> new_lo = incoming; reg_exponent.write((bit<32>) index, new_lo); stored = new_lo;
    }
}
action exponents_raise() {
    @atomic {
        bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) index);
        bool first_holds = (int<16>) (old_lo - incoming) < 0;
        bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
        reg_exponent.write((bit<32>) index, new_lo); stored = old_lo;
    }
}
action exponents_read() {
    @atomic { bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) index); exponent = old_lo; }
}
