load_unit() load10; load_unit() load11;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take12_take_pair0() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank0.index; meta.value0 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take12_take_pair1() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank1.index; meta.value0 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take12_take_pair2() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank2.index; meta.value0 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take12_take_pair3() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank3.index; meta.value0 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take12_take_pair4() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank4.index; meta.value0 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take12_take_pair5() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank5.index; meta.value0 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take12_take_pair6() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank6.index; meta.value0 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take12_take_pair7() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank7.index; meta.value0 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take12_take_pair8() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank8.index; meta.value0 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take12_take_pair9() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank9.index; meta.value0 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take12_take_pair10() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank10.index; meta.value0 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take12_take_pair11() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank11.index; meta.value0 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take12_take_pair12() {
    meta.owner0 = 8w13; meta.at0 = hdr.rank12.index; meta.value0 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take12 {
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
        take12_take_pair0; take12_take_pair1; take12_take_pair2; take12_take_pair3;
        take12_take_pair4; take12_take_pair5; take12_take_pair6; take12_take_pair7;
        take12_take_pair8; take12_take_pair9; take12_take_pair10; take12_take_pair11;
        take12_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 12, _, _, _, _, _, _, _, _, _, _, _, _) : take12_take_pair0();
        (2 &&& 2, _, 12, _, _, _, _, _, _, _, _, _, _, _) : take12_take_pair1();
        (4 &&& 4, _, _, 12, _, _, _, _, _, _, _, _, _, _) : take12_take_pair2();
        (8 &&& 8, _, _, _, 12, _, _, _, _, _, _, _, _, _) : take12_take_pair3();
        (16 &&& 16, _, _, _, _, 12, _, _, _, _, _, _, _, _) : take12_take_pair4();
        (32 &&& 32, _, _, _, _, _, 12, _, _, _, _, _, _, _) : take12_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 12, _, _, _, _, _, _) : take12_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 12, _, _, _, _, _) : take12_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 12, _, _, _, _) : take12_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 12, _, _, _) : take12_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 12, _, _) : take12_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 12, _) : take12_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 12) : take12_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take13_take_pair0() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank0.index; meta.value1 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take13_take_pair1() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank1.index; meta.value1 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take13_take_pair2() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank2.index; meta.value1 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take13_take_pair3() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank3.index; meta.value1 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take13_take_pair4() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank4.index; meta.value1 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take13_take_pair5() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank5.index; meta.value1 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take13_take_pair6() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank6.index; meta.value1 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take13_take_pair7() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank7.index; meta.value1 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take13_take_pair8() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank8.index; meta.value1 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take13_take_pair9() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank9.index; meta.value1 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take13_take_pair10() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank10.index; meta.value1 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take13_take_pair11() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank11.index; meta.value1 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take13_take_pair12() {
    meta.owner1 = 8w14; meta.at1 = hdr.rank12.index; meta.value1 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take13 {
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
        take13_take_pair0; take13_take_pair1; take13_take_pair2; take13_take_pair3;
        take13_take_pair4; take13_take_pair5; take13_take_pair6; take13_take_pair7;
        take13_take_pair8; take13_take_pair9; take13_take_pair10; take13_take_pair11;
        take13_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 13, _, _, _, _, _, _, _, _, _, _, _, _) : take13_take_pair0();
        (2 &&& 2, _, 13, _, _, _, _, _, _, _, _, _, _, _) : take13_take_pair1();
        (4 &&& 4, _, _, 13, _, _, _, _, _, _, _, _, _, _) : take13_take_pair2();
        (8 &&& 8, _, _, _, 13, _, _, _, _, _, _, _, _, _) : take13_take_pair3();
        (16 &&& 16, _, _, _, _, 13, _, _, _, _, _, _, _, _) : take13_take_pair4();
        (32 &&& 32, _, _, _, _, _, 13, _, _, _, _, _, _, _) : take13_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 13, _, _, _, _, _, _) : take13_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 13, _, _, _, _, _) : take13_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 13, _, _, _, _) : take13_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 13, _, _, _) : take13_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 13, _, _) : take13_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 13, _) : take13_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 13) : take13_take_pair12();
    }
}
// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold10_add() {
    @atomic {
        bit<32> old_lo; reg_sum10.read(old_lo, (bit<32>) meta.at2);
        bit<32> new_lo = old_lo + meta.value2; reg_sum10.write((bit<32>) meta.at2, new_lo);
    }
}
action fold10_read() {
    hdr.found_rank10.setValid(); hdr.found_row10.setValid();
    @atomic {
        bit<32> old_lo; reg_sum10.read(old_lo, (bit<32>) meta.at2);
        hdr.found_row10.value = old_lo;
    }
    hdr.found_rank10.high = 16w0; hdr.found_rank10.low = 5w0 ++ meta.at2 ++ 4w10;
    hdr.bridge.found_even = hdr.bridge.found_even | 8w32;
}
