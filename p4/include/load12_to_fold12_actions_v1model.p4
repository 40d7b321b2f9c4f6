load_unit() load12; load_unit() load13;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take14_take_pair0() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank0.index; meta.value2 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take14_take_pair1() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank1.index; meta.value2 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take14_take_pair2() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank2.index; meta.value2 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take14_take_pair3() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank3.index; meta.value2 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take14_take_pair4() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank4.index; meta.value2 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take14_take_pair5() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank5.index; meta.value2 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take14_take_pair6() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank6.index; meta.value2 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take14_take_pair7() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank7.index; meta.value2 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take14_take_pair8() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank8.index; meta.value2 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take14_take_pair9() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank9.index; meta.value2 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take14_take_pair10() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank10.index; meta.value2 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take14_take_pair11() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank11.index; meta.value2 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take14_take_pair12() {
    meta.owner2 = 8w15; meta.at2 = hdr.rank12.index; meta.value2 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take14 {
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
        take14_take_pair0; take14_take_pair1; take14_take_pair2; take14_take_pair3;
        take14_take_pair4; take14_take_pair5; take14_take_pair6; take14_take_pair7;
        take14_take_pair8; take14_take_pair9; take14_take_pair10; take14_take_pair11;
        take14_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 14, _, _, _, _, _, _, _, _, _, _, _, _) : take14_take_pair0();
        (2 &&& 2, _, 14, _, _, _, _, _, _, _, _, _, _, _) : take14_take_pair1();
        (4 &&& 4, _, _, 14, _, _, _, _, _, _, _, _, _, _) : take14_take_pair2();
        (8 &&& 8, _, _, _, 14, _, _, _, _, _, _, _, _, _) : take14_take_pair3();
        (16 &&& 16, _, _, _, _, 14, _, _, _, _, _, _, _, _) : take14_take_pair4();
        (32 &&& 32, _, _, _, _, _, 14, _, _, _, _, _, _, _) : take14_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 14, _, _, _, _, _, _) : take14_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 14, _, _, _, _, _) : take14_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 14, _, _, _, _) : take14_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 14, _, _, _) : take14_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 14, _, _) : take14_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 14, _) : take14_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 14) : take14_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take15_take_pair0() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank0.index; meta.value3 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take15_take_pair1() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank1.index; meta.value3 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take15_take_pair2() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank2.index; meta.value3 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take15_take_pair3() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank3.index; meta.value3 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take15_take_pair4() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank4.index; meta.value3 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take15_take_pair5() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank5.index; meta.value3 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take15_take_pair6() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank6.index; meta.value3 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take15_take_pair7() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank7.index; meta.value3 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take15_take_pair8() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank8.index; meta.value3 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take15_take_pair9() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank9.index; meta.value3 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take15_take_pair10() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank10.index; meta.value3 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take15_take_pair11() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank11.index; meta.value3 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take15_take_pair12() {
    meta.owner3 = 8w16; meta.at3 = hdr.rank12.index; meta.value3 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take15 {
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
        take15_take_pair0; take15_take_pair1; take15_take_pair2; take15_take_pair3;
        take15_take_pair4; take15_take_pair5; take15_take_pair6; take15_take_pair7;
        take15_take_pair8; take15_take_pair9; take15_take_pair10; take15_take_pair11;
        take15_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 15, _, _, _, _, _, _, _, _, _, _, _, _) : take15_take_pair0();
        (2 &&& 2, _, 15, _, _, _, _, _, _, _, _, _, _, _) : take15_take_pair1();
        (4 &&& 4, _, _, 15, _, _, _, _, _, _, _, _, _, _) : take15_take_pair2();
        (8 &&& 8, _, _, _, 15, _, _, _, _, _, _, _, _, _) : take15_take_pair3();
        (16 &&& 16, _, _, _, _, 15, _, _, _, _, _, _, _, _) : take15_take_pair4();
        (32 &&& 32, _, _, _, _, _, 15, _, _, _, _, _, _, _) : take15_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 15, _, _, _, _, _, _) : take15_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 15, _, _, _, _, _) : take15_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 15, _, _, _, _) : take15_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 15, _, _, _) : take15_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 15, _, _) : take15_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 15, _) : take15_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 15) : take15_take_pair12();
    }
}
// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold12_add() {
    @atomic {
        bit<32> old_lo; reg_sum12.read(old_lo, (bit<32>) meta.at0);
        bit<32> new_lo = old_lo + meta.value0; reg_sum12.write((bit<32>) meta.at0, new_lo);
    }
}
action fold12_read() {
    hdr.found_rank12.setValid(); hdr.found_row12.setValid();
    @atomic {
        bit<32> old_lo; reg_sum12.read(old_lo, (bit<32>) meta.at0);
        hdr.found_row12.value = old_lo;
    }
    hdr.found_rank12.high = 16w0; hdr.found_rank12.low = 5w0 ++ meta.at0 ++ 4w12;
    hdr.bridge.found_even = hdr.bridge.found_even | 8w64;
}
