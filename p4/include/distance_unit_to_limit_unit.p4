control distance_unit(in bit<16> incoming, in bit<16> stored, inout bit<16> distance) {
    // How far the two exponents are apart.
    action distance_subtract() { distance = incoming - stored; }
    apply { distance_subtract(); }
}
control align_unit(in bit<16> distance, in bit<32> signed, inout bit<32> shifted) {
    // R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align_right1() { shifted = (bit<32>) ((int<32>) signed >> 1); }
    action align_right2() { shifted = (bit<32>) ((int<32>) signed >> 2); }
    action align_right3() { shifted = (bit<32>) ((int<32>) signed >> 3); }
    action align_right4() { shifted = (bit<32>) ((int<32>) signed >> 4); }
    action align_right5() { shifted = (bit<32>) ((int<32>) signed >> 5); }
    action align_right6() { shifted = (bit<32>) ((int<32>) signed >> 6); }
    action align_right7() { shifted = (bit<32>) ((int<32>) signed >> 7); }
    action align_right8() { shifted = (bit<32>) ((int<32>) signed >> 8); }
    action align_right9() { shifted = (bit<32>) ((int<32>) signed >> 9); }
    action align_right10() { shifted = (bit<32>) ((int<32>) signed >> 10); }
    action align_right11() { shifted = (bit<32>) ((int<32>) signed >> 11); }
    action align_right12() { shifted = (bit<32>) ((int<32>) signed >> 12); }
    action align_right13() { shifted = (bit<32>) ((int<32>) signed >> 13); }
    action align_right14() { shifted = (bit<32>) ((int<32>) signed >> 14); }
    action align_right15() { shifted = (bit<32>) ((int<32>) signed >> 15); }
    action align_right16() { shifted = (bit<32>) ((int<32>) signed >> 16); }
    action align_right17() { shifted = (bit<32>) ((int<32>) signed >> 17); }
    action align_right18() { shifted = (bit<32>) ((int<32>) signed >> 18); }
    action align_right19() { shifted = (bit<32>) ((int<32>) signed >> 19); }
    action align_right20() { shifted = (bit<32>) ((int<32>) signed >> 20); }
    action align_right21() { shifted = (bit<32>) ((int<32>) signed >> 21); }
    action align_right22() { shifted = (bit<32>) ((int<32>) signed >> 22); }
    action align_right23() { shifted = (bit<32>) ((int<32>) signed >> 23); }
    action align_right24() { shifted = (bit<32>) ((int<32>) signed >> 24); }
    action align_left1() { shifted = signed << 1; }
    action align_left2() { shifted = signed << 2; }
    action align_left3() { shifted = signed << 3; }
    action align_left4() { shifted = signed << 4; }
    action align_left5() { shifted = signed << 5; }
    action align_left6() { shifted = signed << 6; }
    action align_left7() { shifted = signed << 7; }
    action align_stay() { shifted = signed; }
    table align {
        key = { distance : range; }
        actions = {
            align_right1; align_right2; align_right3; align_right4; align_right5; align_right6;
            align_right7; align_right8; align_right9; align_right10; align_right11; align_right12;
            align_right13; align_right14; align_right15; align_right16; align_right17;
            align_right18; align_right19; align_right20; align_right21; align_right22;
            align_right23; align_right24; align_left1; align_left2; align_left3; align_left4;
            align_left5; align_left6; align_left7; align_stay;
        }
        const default_action = align_stay(); ENTRIES(31)
        const entries = {
            0xFFFF..0xFFFF : align_right1(); 0xFFFE..0xFFFE : align_right2();
            0xFFFD..0xFFFD : align_right3(); 0xFFFC..0xFFFC : align_right4();
            0xFFFB..0xFFFB : align_right5(); 0xFFFA..0xFFFA : align_right6();
            0xFFF9..0xFFF9 : align_right7(); 0xFFF8..0xFFF8 : align_right8();
            0xFFF7..0xFFF7 : align_right9(); 0xFFF6..0xFFF6 : align_right10();
            0xFFF5..0xFFF5 : align_right11(); 0xFFF4..0xFFF4 : align_right12();
            0xFFF3..0xFFF3 : align_right13(); 0xFFF2..0xFFF2 : align_right14();
            0xFFF1..0xFFF1 : align_right15(); 0xFFF0..0xFFF0 : align_right16();
            0xFFEF..0xFFEF : align_right17(); 0xFFEE..0xFFEE : align_right18();
            0xFFED..0xFFED : align_right19(); 0xFFEC..0xFFEC : align_right20();
            0xFFEB..0xFFEB : align_right21(); 0xFFEA..0xFFEA : align_right22();
            0xFFE9..0xFFE9 : align_right23(); 0x8000..0xFFE8 : align_right24();
            1..1 : align_left1(); 2..2 : align_left2(); 3..3 : align_left3(); 4..4 : align_left4();
            5..5 : align_left5(); 6..6 : align_left6(); 7..7 : align_left7();
        }
    }
    apply { align.apply(); }
}
control limit_unit(in bit<32> shifted, inout bit<32> limit) {
    // R-FPI-9: beyond this the sum does not fit.
    action limit_of_largest() { limit = 32w0x7FFFFFFF - shifted; }
    action limit_of_smallest() { limit = 32w0x80000000 - shifted; }
    table limit {
        key = { shifted : ternary; }
        actions = { limit_of_largest; limit_of_smallest; }
        const default_action = limit_of_largest(); ENTRIES(1)
        const entries = { 0x80000000 &&& 0x80000000 : limit_of_smallest(); }
    }
    apply { limit.apply(); }
}
