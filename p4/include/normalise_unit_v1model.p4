control normalise_unit(in bit<32> absolute, in bit<16> exponent, inout bit<32> normal,
    inout bit<16> normal_exponent) {
    // R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise_left(bit<8> by) {
        normal = absolute << by; normal_exponent = exponent - (bit<16>) by;
    }
    action normalise_right(bit<8> by) {
        normal = absolute >> by; normal_exponent = exponent + (bit<16>) by;
    }
    action normalise_stay() { normal = absolute; normal_exponent = exponent; }
    table normalise {
        key = { absolute : ternary; exponent : range; }
        actions = { normalise_left; normalise_right; normalise_stay; }
        const default_action = normalise_stay(); ENTRIES(284)
        #define E(k0, k1, action, v0) (k0, k1) : normalise_##action(v0);
        const entries = {
            #include "../lists/normalise_2.entries"
        }
        #undef E
    }
    apply { normalise.apply(); }
}
