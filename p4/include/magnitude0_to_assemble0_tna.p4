// R-FPI-10: sign and magnitude.
action magnitude0_plus() { meta.absolute0 = hdr.lane0.value; }
action magnitude0_minus() {
    meta.absolute0 = 32w0 - hdr.lane0.value; meta.sign0 = 32w0x80000000;
}
table magnitude0 {
    key = { hdr.lane0.value : ternary @name("value"); }
    actions = { magnitude0_plus; magnitude0_minus; }
    const default_action = magnitude0_plus();
    const entries = { 0x80000000 &&& 0x80000000 : magnitude0_minus(); }
    size = 1;
}
// R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
action normalise0_left1() {
    meta.normal0 = meta.absolute0 << 1; meta.normal_exponent0 = hdr.found.exponent0 - 16w1;
}
action normalise0_left2() {
    meta.normal0 = meta.absolute0 << 2; meta.normal_exponent0 = hdr.found.exponent0 - 16w2;
}
action normalise0_left3() {
    meta.normal0 = meta.absolute0 << 3; meta.normal_exponent0 = hdr.found.exponent0 - 16w3;
}
action normalise0_left4() {
    meta.normal0 = meta.absolute0 << 4; meta.normal_exponent0 = hdr.found.exponent0 - 16w4;
}
action normalise0_left5() {
    meta.normal0 = meta.absolute0 << 5; meta.normal_exponent0 = hdr.found.exponent0 - 16w5;
}
action normalise0_left6() {
    meta.normal0 = meta.absolute0 << 6; meta.normal_exponent0 = hdr.found.exponent0 - 16w6;
}
action normalise0_left7() {
    meta.normal0 = meta.absolute0 << 7; meta.normal_exponent0 = hdr.found.exponent0 - 16w7;
}
action normalise0_left8() {
    meta.normal0 = meta.absolute0 << 8; meta.normal_exponent0 = hdr.found.exponent0 - 16w8;
}
action normalise0_left9() {
    meta.normal0 = meta.absolute0 << 9; meta.normal_exponent0 = hdr.found.exponent0 - 16w9;
}
action normalise0_left10() {
    meta.normal0 = meta.absolute0 << 10; meta.normal_exponent0 = hdr.found.exponent0 - 16w10;
}
action normalise0_left11() {
    meta.normal0 = meta.absolute0 << 11; meta.normal_exponent0 = hdr.found.exponent0 - 16w11;
}
action normalise0_left12() {
    meta.normal0 = meta.absolute0 << 12; meta.normal_exponent0 = hdr.found.exponent0 - 16w12;
}
action normalise0_left13() {
    meta.normal0 = meta.absolute0 << 13; meta.normal_exponent0 = hdr.found.exponent0 - 16w13;
}
action normalise0_left14() {
    meta.normal0 = meta.absolute0 << 14; meta.normal_exponent0 = hdr.found.exponent0 - 16w14;
}
action normalise0_left15() {
    meta.normal0 = meta.absolute0 << 15; meta.normal_exponent0 = hdr.found.exponent0 - 16w15;
}
action normalise0_left16() {
    meta.normal0 = meta.absolute0 << 16; meta.normal_exponent0 = hdr.found.exponent0 - 16w16;
}
action normalise0_left17() {
    meta.normal0 = meta.absolute0 << 17; meta.normal_exponent0 = hdr.found.exponent0 - 16w17;
}
action normalise0_left18() {
    meta.normal0 = meta.absolute0 << 18; meta.normal_exponent0 = hdr.found.exponent0 - 16w18;
}
action normalise0_left19() {
    meta.normal0 = meta.absolute0 << 19; meta.normal_exponent0 = hdr.found.exponent0 - 16w19;
}
action normalise0_left20() {
    meta.normal0 = meta.absolute0 << 20; meta.normal_exponent0 = hdr.found.exponent0 - 16w20;
}
action normalise0_left21() {
    meta.normal0 = meta.absolute0 << 21; meta.normal_exponent0 = hdr.found.exponent0 - 16w21;
}
action normalise0_left22() {
    meta.normal0 = meta.absolute0 << 22; meta.normal_exponent0 = hdr.found.exponent0 - 16w22;
}
action normalise0_left23() {
    meta.normal0 = meta.absolute0 << 23; meta.normal_exponent0 = hdr.found.exponent0 - 16w23;
}
action normalise0_right1() {
    meta.normal0 = meta.absolute0 >> 1; meta.normal_exponent0 = hdr.found.exponent0 + 16w1;
}
action normalise0_right2() {
    meta.normal0 = meta.absolute0 >> 2; meta.normal_exponent0 = hdr.found.exponent0 + 16w2;
}
action normalise0_right3() {
    meta.normal0 = meta.absolute0 >> 3; meta.normal_exponent0 = hdr.found.exponent0 + 16w3;
}
action normalise0_right4() {
    meta.normal0 = meta.absolute0 >> 4; meta.normal_exponent0 = hdr.found.exponent0 + 16w4;
}
action normalise0_right5() {
    meta.normal0 = meta.absolute0 >> 5; meta.normal_exponent0 = hdr.found.exponent0 + 16w5;
}
action normalise0_right6() {
    meta.normal0 = meta.absolute0 >> 6; meta.normal_exponent0 = hdr.found.exponent0 + 16w6;
}
action normalise0_right7() {
    meta.normal0 = meta.absolute0 >> 7; meta.normal_exponent0 = hdr.found.exponent0 + 16w7;
}
action normalise0_right8() {
    meta.normal0 = meta.absolute0 >> 8; meta.normal_exponent0 = hdr.found.exponent0 + 16w8;
}
action normalise0_stay() {
    meta.normal0 = meta.absolute0; meta.normal_exponent0 = hdr.found.exponent0;
}
table normalise0 {
    key = {
        meta.absolute0 : ternary @name("absolute0");
        hdr.found.exponent0 : range @name("exponent0");
    }
    actions = {
        normalise0_left1; normalise0_left2; normalise0_left3; normalise0_left4;
        normalise0_left5; normalise0_left6; normalise0_left7; normalise0_left8;
        normalise0_left9; normalise0_left10; normalise0_left11; normalise0_left12;
        normalise0_left13; normalise0_left14; normalise0_left15; normalise0_left16;
        normalise0_left17; normalise0_left18; normalise0_left19; normalise0_left20;
        normalise0_left21; normalise0_left22; normalise0_left23; normalise0_right1;
        normalise0_right2; normalise0_right3; normalise0_right4; normalise0_right5;
        normalise0_right6; normalise0_right7; normalise0_right8; normalise0_stay;
    }
    const default_action = normalise0_stay();
    const entries = {
        #include "../lists/normalise0.entries"
    }
    size = 284;
}
// R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
action assemble0_nan() { hdr.lane0.value = 32w0x7FC00000; }
action assemble0_positive_infinity() { hdr.lane0.value = 32w0x7F800000; }
action assemble0_negative_infinity() { hdr.lane0.value = 32w0xFF800000; }
action assemble0_infinite() { hdr.lane0.value = meta.sign0 | 32w0x7F800000; }
action assemble0_normal() {
    hdr.lane0.value = hash_assemble0_normal_value.get({ meta.sign0[31:31],
        meta.normal_exponent0[7:0], meta.normal0[22:0] });
}
action assemble0_subnormal() { hdr.lane0.value = meta.sign0 | meta.normal0; }
table assemble0 {
    key = {
        hdr.found.flags0 : ternary @name("flags0");
        meta.normal_exponent0 : range @name("normal_exponent0");
        meta.normal0 : ternary @name("normal0");
    }
    actions = {
        assemble0_nan; assemble0_positive_infinity; assemble0_negative_infinity;
        assemble0_infinite; assemble0_normal; assemble0_subnormal;
    }
    const default_action = assemble0_subnormal();
    const entries = {
        (4 &&& 4, 0..0xFFFF, _) : assemble0_nan(); (3 &&& 3, 0..0xFFFF, _) : assemble0_nan();
        (1 &&& 1, 0..0xFFFF, _) : assemble0_positive_infinity();
        (2 &&& 2, 0..0xFFFF, _) : assemble0_negative_infinity();
        (8 &&& 8, 0..0xFFFF, _) : assemble0_nan(); (_, 0..0xFFFF, 0) : assemble0_subnormal();
        (_, 255..0x7FFF, _) : assemble0_infinite();
        (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble0_normal();
    }
    size = 8;
}
