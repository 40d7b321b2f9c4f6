load_unit() load8; load_unit() load9;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take10_take_pair0() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank0.index; meta.value2 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take10_take_pair1() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank1.index; meta.value2 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take10_take_pair2() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank2.index; meta.value2 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take10_take_pair3() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank3.index; meta.value2 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take10_take_pair4() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank4.index; meta.value2 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take10_take_pair5() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank5.index; meta.value2 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take10_take_pair6() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank6.index; meta.value2 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take10_take_pair7() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank7.index; meta.value2 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take10_take_pair8() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank8.index; meta.value2 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take10_take_pair9() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank9.index; meta.value2 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take10_take_pair10() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank10.index; meta.value2 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take10_take_pair11() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank11.index; meta.value2 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take10_take_pair12() {
    meta.owner2 = 8w11; meta.at2 = hdr.rank12.index; meta.value2 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take10 {
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
        take10_take_pair0; take10_take_pair1; take10_take_pair2; take10_take_pair3;
        take10_take_pair4; take10_take_pair5; take10_take_pair6; take10_take_pair7;
        take10_take_pair8; take10_take_pair9; take10_take_pair10; take10_take_pair11;
        take10_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 10, _, _, _, _, _, _, _, _, _, _, _, _) : take10_take_pair0();
        (2 &&& 2, _, 10, _, _, _, _, _, _, _, _, _, _, _) : take10_take_pair1();
        (4 &&& 4, _, _, 10, _, _, _, _, _, _, _, _, _, _) : take10_take_pair2();
        (8 &&& 8, _, _, _, 10, _, _, _, _, _, _, _, _, _) : take10_take_pair3();
        (16 &&& 16, _, _, _, _, 10, _, _, _, _, _, _, _, _) : take10_take_pair4();
        (32 &&& 32, _, _, _, _, _, 10, _, _, _, _, _, _, _) : take10_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 10, _, _, _, _, _, _) : take10_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 10, _, _, _, _, _) : take10_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 10, _, _, _, _) : take10_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 10, _, _, _) : take10_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 10, _, _) : take10_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 10, _) : take10_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 10) : take10_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take11_take_pair0() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank0.index; meta.value3 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take11_take_pair1() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank1.index; meta.value3 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take11_take_pair2() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank2.index; meta.value3 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take11_take_pair3() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank3.index; meta.value3 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take11_take_pair4() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank4.index; meta.value3 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take11_take_pair5() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank5.index; meta.value3 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take11_take_pair6() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank6.index; meta.value3 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take11_take_pair7() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank7.index; meta.value3 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take11_take_pair8() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank8.index; meta.value3 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take11_take_pair9() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank9.index; meta.value3 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take11_take_pair10() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank10.index; meta.value3 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take11_take_pair11() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank11.index; meta.value3 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take11_take_pair12() {
    meta.owner3 = 8w12; meta.at3 = hdr.rank12.index; meta.value3 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take11 {
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
        take11_take_pair0; take11_take_pair1; take11_take_pair2; take11_take_pair3;
        take11_take_pair4; take11_take_pair5; take11_take_pair6; take11_take_pair7;
        take11_take_pair8; take11_take_pair9; take11_take_pair10; take11_take_pair11;
        take11_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 11, _, _, _, _, _, _, _, _, _, _, _, _) : take11_take_pair0();
        (2 &&& 2, _, 11, _, _, _, _, _, _, _, _, _, _, _) : take11_take_pair1();
        (4 &&& 4, _, _, 11, _, _, _, _, _, _, _, _, _, _) : take11_take_pair2();
        (8 &&& 8, _, _, _, 11, _, _, _, _, _, _, _, _, _) : take11_take_pair3();
        (16 &&& 16, _, _, _, _, 11, _, _, _, _, _, _, _, _) : take11_take_pair4();
        (32 &&& 32, _, _, _, _, _, 11, _, _, _, _, _, _, _) : take11_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 11, _, _, _, _, _, _) : take11_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 11, _, _, _, _, _) : take11_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 11, _, _, _, _) : take11_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 11, _, _, _) : take11_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 11, _, _) : take11_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 11, _) : take11_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 11) : take11_take_pair12();
    }
}
// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold8_add() {
    @atomic {
        bit<32> old_lo; reg_sum8.read(old_lo, (bit<32>) meta.at0);
        bit<32> new_lo = old_lo + meta.value0; reg_sum8.write((bit<32>) meta.at0, new_lo);
    }
}
action fold8_read() {
    hdr.found_rank8.setValid(); hdr.found_row8.setValid();
    @atomic {
        bit<32> old_lo; reg_sum8.read(old_lo, (bit<32>) meta.at0);
        hdr.found_row8.value = old_lo;
    }
    hdr.found_rank8.high = 16w0; hdr.found_rank8.low = 5w0 ++ meta.at0 ++ 4w8;
    hdr.bridge.found_even = hdr.bridge.found_even | 8w16;
}
