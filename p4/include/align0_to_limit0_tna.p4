// R-FPI-6 to 8: the operand moves under the sum's exponent.
action align0_right1() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 1); }
action align0_right2() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 2); }
action align0_right3() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 3); }
action align0_right4() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 4); }
action align0_right5() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 5); }
action align0_right6() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 6); }
action align0_right7() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 7); }
action align0_right8() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 8); }
action align0_right9() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 9); }
action align0_right10() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 10); }
action align0_right11() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 11); }
action align0_right12() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 12); }
action align0_right13() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 13); }
action align0_right14() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 14); }
action align0_right15() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 15); }
action align0_right16() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 16); }
action align0_right17() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 17); }
action align0_right18() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 18); }
action align0_right19() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 19); }
action align0_right20() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 20); }
action align0_right21() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 21); }
action align0_right22() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 22); }
action align0_right23() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 23); }
action align0_right24() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 24); }
action align0_left1() { meta.shifted0 = meta.signed0 << 1; }
action align0_left2() { meta.shifted0 = meta.signed0 << 2; }
action align0_left3() { meta.shifted0 = meta.signed0 << 3; }
action align0_left4() { meta.shifted0 = meta.signed0 << 4; }
action align0_left5() { meta.shifted0 = meta.signed0 << 5; }
action align0_left6() { meta.shifted0 = meta.signed0 << 6; }
action align0_left7() { meta.shifted0 = meta.signed0 << 7; }
action align0_stay() { meta.shifted0 = meta.signed0; }
table align0 {
    key = { meta.distance0 : range @name("distance0"); }
    actions = {
        align0_right1; align0_right2; align0_right3; align0_right4; align0_right5;
        align0_right6; align0_right7; align0_right8; align0_right9; align0_right10;
        align0_right11; align0_right12; align0_right13; align0_right14; align0_right15;
        align0_right16; align0_right17; align0_right18; align0_right19; align0_right20;
        align0_right21; align0_right22; align0_right23; align0_right24; align0_left1;
        align0_left2; align0_left3; align0_left4; align0_left5; align0_left6; align0_left7;
        align0_stay;
    }
    const default_action = align0_stay();
    const entries = {
        0xFFFF..0xFFFF : align0_right1(); 0xFFFE..0xFFFE : align0_right2();
        0xFFFD..0xFFFD : align0_right3(); 0xFFFC..0xFFFC : align0_right4();
        0xFFFB..0xFFFB : align0_right5(); 0xFFFA..0xFFFA : align0_right6();
        0xFFF9..0xFFF9 : align0_right7(); 0xFFF8..0xFFF8 : align0_right8();
        0xFFF7..0xFFF7 : align0_right9(); 0xFFF6..0xFFF6 : align0_right10();
        0xFFF5..0xFFF5 : align0_right11(); 0xFFF4..0xFFF4 : align0_right12();
        0xFFF3..0xFFF3 : align0_right13(); 0xFFF2..0xFFF2 : align0_right14();
        0xFFF1..0xFFF1 : align0_right15(); 0xFFF0..0xFFF0 : align0_right16();
        0xFFEF..0xFFEF : align0_right17(); 0xFFEE..0xFFEE : align0_right18();
        0xFFED..0xFFED : align0_right19(); 0xFFEC..0xFFEC : align0_right20();
        0xFFEB..0xFFEB : align0_right21(); 0xFFEA..0xFFEA : align0_right22();
        0xFFE9..0xFFE9 : align0_right23(); 0x8000..0xFFE8 : align0_right24();
        1..1 : align0_left1(); 2..2 : align0_left2(); 3..3 : align0_left3();
        4..4 : align0_left4(); 5..5 : align0_left5(); 6..6 : align0_left6();
        7..7 : align0_left7();
    }
    size = 31;
}
// R-FPI-9: beyond this the sum does not fit.
action limit0_of_largest() { meta.limit0 = 32w0x7FFFFFFF - meta.shifted0; }
action limit0_of_smallest() { meta.limit0 = 32w0x80000000 - meta.shifted0; }
table limit0 {
    key = { meta.shifted0 : ternary @name("shifted0"); }
    actions = { limit0_of_largest; limit0_of_smallest; }
    const default_action = limit0_of_largest();
    const entries = { 0x80000000 &&& 0x80000000 : limit0_of_smallest(); }
    size = 1;
}
