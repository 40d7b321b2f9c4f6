// R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
action normalise0_left1() {
    meta.normal0 = meta.absolute0 << 1; meta.normal_exponent0 = hdr.sum0.exponent - 16w1;
}
action normalise0_left2() {
    meta.normal0 = meta.absolute0 << 2; meta.normal_exponent0 = hdr.sum0.exponent - 16w2;
}
action normalise0_left3() {
    meta.normal0 = meta.absolute0 << 3; meta.normal_exponent0 = hdr.sum0.exponent - 16w3;
}
action normalise0_left4() {
    meta.normal0 = meta.absolute0 << 4; meta.normal_exponent0 = hdr.sum0.exponent - 16w4;
}
action normalise0_left5() {
    meta.normal0 = meta.absolute0 << 5; meta.normal_exponent0 = hdr.sum0.exponent - 16w5;
}
action normalise0_left6() {
    meta.normal0 = meta.absolute0 << 6; meta.normal_exponent0 = hdr.sum0.exponent - 16w6;
}
action normalise0_left7() {
    meta.normal0 = meta.absolute0 << 7; meta.normal_exponent0 = hdr.sum0.exponent - 16w7;
}
action normalise0_left8() {
    meta.normal0 = meta.absolute0 << 8; meta.normal_exponent0 = hdr.sum0.exponent - 16w8;
}
action normalise0_left9() {
    meta.normal0 = meta.absolute0 << 9; meta.normal_exponent0 = hdr.sum0.exponent - 16w9;
}
action normalise0_left10() {
    meta.normal0 = meta.absolute0 << 10; meta.normal_exponent0 = hdr.sum0.exponent - 16w10;
}
action normalise0_left11() {
    meta.normal0 = meta.absolute0 << 11; meta.normal_exponent0 = hdr.sum0.exponent - 16w11;
}
action normalise0_left12() {
    meta.normal0 = meta.absolute0 << 12; meta.normal_exponent0 = hdr.sum0.exponent - 16w12;
}
action normalise0_left13() {
    meta.normal0 = meta.absolute0 << 13; meta.normal_exponent0 = hdr.sum0.exponent - 16w13;
}
action normalise0_left14() {
    meta.normal0 = meta.absolute0 << 14; meta.normal_exponent0 = hdr.sum0.exponent - 16w14;
}
action normalise0_left15() {
    meta.normal0 = meta.absolute0 << 15; meta.normal_exponent0 = hdr.sum0.exponent - 16w15;
}
action normalise0_left16() {
    meta.normal0 = meta.absolute0 << 16; meta.normal_exponent0 = hdr.sum0.exponent - 16w16;
}
action normalise0_left17() {
    meta.normal0 = meta.absolute0 << 17; meta.normal_exponent0 = hdr.sum0.exponent - 16w17;
}
action normalise0_left18() {
    meta.normal0 = meta.absolute0 << 18; meta.normal_exponent0 = hdr.sum0.exponent - 16w18;
}
action normalise0_left19() {
    meta.normal0 = meta.absolute0 << 19; meta.normal_exponent0 = hdr.sum0.exponent - 16w19;
}
action normalise0_left20() {
    meta.normal0 = meta.absolute0 << 20; meta.normal_exponent0 = hdr.sum0.exponent - 16w20;
}
action normalise0_left21() {
    meta.normal0 = meta.absolute0 << 21; meta.normal_exponent0 = hdr.sum0.exponent - 16w21;
}
action normalise0_left22() {
    meta.normal0 = meta.absolute0 << 22; meta.normal_exponent0 = hdr.sum0.exponent - 16w22;
}
action normalise0_left23() {
    meta.normal0 = meta.absolute0 << 23; meta.normal_exponent0 = hdr.sum0.exponent - 16w23;
}
action normalise0_right1() {
    meta.normal0 = meta.absolute0 >> 1; meta.normal_exponent0 = hdr.sum0.exponent + 16w1;
}
action normalise0_right2() {
    meta.normal0 = meta.absolute0 >> 2; meta.normal_exponent0 = hdr.sum0.exponent + 16w2;
}
action normalise0_right3() {
    meta.normal0 = meta.absolute0 >> 3; meta.normal_exponent0 = hdr.sum0.exponent + 16w3;
}
action normalise0_right4() {
    meta.normal0 = meta.absolute0 >> 4; meta.normal_exponent0 = hdr.sum0.exponent + 16w4;
}
action normalise0_right5() {
    meta.normal0 = meta.absolute0 >> 5; meta.normal_exponent0 = hdr.sum0.exponent + 16w5;
}
action normalise0_right6() {
    meta.normal0 = meta.absolute0 >> 6; meta.normal_exponent0 = hdr.sum0.exponent + 16w6;
}
action normalise0_right7() {
    meta.normal0 = meta.absolute0 >> 7; meta.normal_exponent0 = hdr.sum0.exponent + 16w7;
}
action normalise0_right8() {
    meta.normal0 = meta.absolute0 >> 8; meta.normal_exponent0 = hdr.sum0.exponent + 16w8;
}
action normalise0_stay() {
    meta.normal0 = meta.absolute0; meta.normal_exponent0 = hdr.sum0.exponent;
}
