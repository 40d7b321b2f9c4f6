load_unit() load6; load_unit() load7;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take8_take_pair0() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank0.index; meta.value0 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take8_take_pair1() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank1.index; meta.value0 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take8_take_pair2() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank2.index; meta.value0 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take8_take_pair3() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank3.index; meta.value0 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take8_take_pair4() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank4.index; meta.value0 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take8_take_pair5() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank5.index; meta.value0 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take8_take_pair6() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank6.index; meta.value0 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take8_take_pair7() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank7.index; meta.value0 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take8_take_pair8() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank8.index; meta.value0 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take8_take_pair9() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank9.index; meta.value0 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take8_take_pair10() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank10.index; meta.value0 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take8_take_pair11() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank11.index; meta.value0 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take8_take_pair12() {
    meta.owner0 = 8w9; meta.at0 = hdr.rank12.index; meta.value0 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take8 {
    key = {
        hdr.bridge.even : ternary; hdr.rank0.register : ternary; hdr.rank1.register : ternary;
        hdr.rank2.register : ternary; hdr.rank3.register : ternary;
        hdr.rank4.register : ternary; hdr.rank5.register : ternary;
        hdr.rank6.register : ternary; hdr.rank7.register : ternary;
        hdr.rank8.register : ternary; hdr.rank9.register : ternary;
        hdr.rank10.register : ternary; hdr.rank11.register : ternary;
        hdr.rank12.register : ternary;
    }
    actions = {
        take8_take_pair0; take8_take_pair1; take8_take_pair2; take8_take_pair3;
        take8_take_pair4; take8_take_pair5; take8_take_pair6; take8_take_pair7;
        take8_take_pair8; take8_take_pair9; take8_take_pair10; take8_take_pair11;
        take8_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 8, _, _, _, _, _, _, _, _, _, _, _, _) : take8_take_pair0();
        (2 &&& 2, _, 8, _, _, _, _, _, _, _, _, _, _, _) : take8_take_pair1();
        (4 &&& 4, _, _, 8, _, _, _, _, _, _, _, _, _, _) : take8_take_pair2();
        (8 &&& 8, _, _, _, 8, _, _, _, _, _, _, _, _, _) : take8_take_pair3();
        (16 &&& 16, _, _, _, _, 8, _, _, _, _, _, _, _, _) : take8_take_pair4();
        (32 &&& 32, _, _, _, _, _, 8, _, _, _, _, _, _, _) : take8_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 8, _, _, _, _, _, _) : take8_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 8, _, _, _, _, _) : take8_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 8, _, _, _, _) : take8_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 8, _, _, _) : take8_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 8, _, _) : take8_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 8, _) : take8_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 8) : take8_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take9_take_pair0() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank0.index; meta.value1 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take9_take_pair1() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank1.index; meta.value1 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take9_take_pair2() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank2.index; meta.value1 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take9_take_pair3() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank3.index; meta.value1 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take9_take_pair4() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank4.index; meta.value1 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take9_take_pair5() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank5.index; meta.value1 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take9_take_pair6() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank6.index; meta.value1 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take9_take_pair7() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank7.index; meta.value1 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take9_take_pair8() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank8.index; meta.value1 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take9_take_pair9() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank9.index; meta.value1 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take9_take_pair10() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank10.index; meta.value1 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take9_take_pair11() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank11.index; meta.value1 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take9_take_pair12() {
    meta.owner1 = 8w10; meta.at1 = hdr.rank12.index; meta.value1 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take9 {
    key = {
        hdr.bridge.odd : ternary; hdr.rank0.register : ternary; hdr.rank1.register : ternary;
        hdr.rank2.register : ternary; hdr.rank3.register : ternary;
        hdr.rank4.register : ternary; hdr.rank5.register : ternary;
        hdr.rank6.register : ternary; hdr.rank7.register : ternary;
        hdr.rank8.register : ternary; hdr.rank9.register : ternary;
        hdr.rank10.register : ternary; hdr.rank11.register : ternary;
        hdr.rank12.register : ternary;
    }
    actions = {
        take9_take_pair0; take9_take_pair1; take9_take_pair2; take9_take_pair3;
        take9_take_pair4; take9_take_pair5; take9_take_pair6; take9_take_pair7;
        take9_take_pair8; take9_take_pair9; take9_take_pair10; take9_take_pair11;
        take9_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 9, _, _, _, _, _, _, _, _, _, _, _, _) : take9_take_pair0();
        (2 &&& 2, _, 9, _, _, _, _, _, _, _, _, _, _, _) : take9_take_pair1();
        (4 &&& 4, _, _, 9, _, _, _, _, _, _, _, _, _, _) : take9_take_pair2();
        (8 &&& 8, _, _, _, 9, _, _, _, _, _, _, _, _, _) : take9_take_pair3();
        (16 &&& 16, _, _, _, _, 9, _, _, _, _, _, _, _, _) : take9_take_pair4();
        (32 &&& 32, _, _, _, _, _, 9, _, _, _, _, _, _, _) : take9_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 9, _, _, _, _, _, _) : take9_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 9, _, _, _, _, _) : take9_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 9, _, _, _, _) : take9_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 9, _, _, _) : take9_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 9, _, _) : take9_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 9, _) : take9_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 9) : take9_take_pair12();
    }
}
// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold6_add() {
    @atomic {
        bit<32> old_lo; reg_sum6.read(old_lo, (bit<32>) meta.at2);
        bit<32> new_lo = old_lo + meta.value2; reg_sum6.write((bit<32>) meta.at2, new_lo);
    }
}
action fold6_read() {
    hdr.found_rank6.setValid(); hdr.found_row6.setValid();
    @atomic {
        bit<32> old_lo; reg_sum6.read(old_lo, (bit<32>) meta.at2);
        hdr.found_row6.value = old_lo;
    }
    hdr.found_rank6.high = 16w0; hdr.found_rank6.low = 5w0 ++ meta.at2 ++ 4w6;
    hdr.bridge.found_even = hdr.bridge.found_even | 8w8;
}
