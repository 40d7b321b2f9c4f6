control normalise_unit(in bit<32> absolute, in bit<16> exponent, inout bit<32> normal,
    inout bit<16> normal_exponent) {
    // R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise_left1() { normal = absolute << 1; normal_exponent = exponent - 16w1; }
    action normalise_left2() { normal = absolute << 2; normal_exponent = exponent - 16w2; }
    action normalise_left3() { normal = absolute << 3; normal_exponent = exponent - 16w3; }
    action normalise_left4() { normal = absolute << 4; normal_exponent = exponent - 16w4; }
    action normalise_left5() { normal = absolute << 5; normal_exponent = exponent - 16w5; }
    action normalise_left6() { normal = absolute << 6; normal_exponent = exponent - 16w6; }
    action normalise_left7() { normal = absolute << 7; normal_exponent = exponent - 16w7; }
    action normalise_left8() { normal = absolute << 8; normal_exponent = exponent - 16w8; }
    action normalise_left9() { normal = absolute << 9; normal_exponent = exponent - 16w9; }
    action normalise_left10() { normal = absolute << 10; normal_exponent = exponent - 16w10; }
    action normalise_left11() { normal = absolute << 11; normal_exponent = exponent - 16w11; }
    action normalise_left12() { normal = absolute << 12; normal_exponent = exponent - 16w12; }
    action normalise_left13() { normal = absolute << 13; normal_exponent = exponent - 16w13; }
    action normalise_left14() { normal = absolute << 14; normal_exponent = exponent - 16w14; }
    action normalise_left15() { normal = absolute << 15; normal_exponent = exponent - 16w15; }
    action normalise_left16() { normal = absolute << 16; normal_exponent = exponent - 16w16; }
    action normalise_left17() { normal = absolute << 17; normal_exponent = exponent - 16w17; }
    action normalise_left18() { normal = absolute << 18; normal_exponent = exponent - 16w18; }
    action normalise_left19() { normal = absolute << 19; normal_exponent = exponent - 16w19; }
    action normalise_left20() { normal = absolute << 20; normal_exponent = exponent - 16w20; }
    action normalise_left21() { normal = absolute << 21; normal_exponent = exponent - 16w21; }
    action normalise_left22() { normal = absolute << 22; normal_exponent = exponent - 16w22; }
    action normalise_left23() { normal = absolute << 23; normal_exponent = exponent - 16w23; }
    action normalise_right1() { normal = absolute >> 1; normal_exponent = exponent + 16w1; }
    action normalise_right2() { normal = absolute >> 2; normal_exponent = exponent + 16w2; }
    action normalise_right3() { normal = absolute >> 3; normal_exponent = exponent + 16w3; }
    action normalise_right4() { normal = absolute >> 4; normal_exponent = exponent + 16w4; }
    action normalise_right5() { normal = absolute >> 5; normal_exponent = exponent + 16w5; }
    action normalise_right6() { normal = absolute >> 6; normal_exponent = exponent + 16w6; }
    action normalise_right7() { normal = absolute >> 7; normal_exponent = exponent + 16w7; }
    action normalise_right8() { normal = absolute >> 8; normal_exponent = exponent + 16w8; }
    action normalise_stay() { normal = absolute; normal_exponent = exponent; }
    table normalise {
        key = { absolute : ternary; exponent : range; }
        actions = {
            normalise_left1; normalise_left2; normalise_left3; normalise_left4; normalise_left5;
            normalise_left6; normalise_left7; normalise_left8; normalise_left9; normalise_left10;
            normalise_left11; normalise_left12; normalise_left13; normalise_left14;
            normalise_left15; normalise_left16; normalise_left17; normalise_left18;
            normalise_left19; normalise_left20; normalise_left21; normalise_left22;
            normalise_left23; normalise_right1; normalise_right2; normalise_right3;
            normalise_right4; normalise_right5; normalise_right6; normalise_right7;
            normalise_right8; normalise_stay;
        }
        const default_action = normalise_stay(); ENTRIES(284)
        #define E(k0, k1, action) (k0, k1) : normalise_##action();
        const entries = {
            #include "../lists/normalise.entries"
        }
        #undef E
    }
    apply { normalise.apply(); }
}
