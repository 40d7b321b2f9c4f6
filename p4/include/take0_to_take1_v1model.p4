// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take0_take_pair0() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank0.index; meta.value0 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take0_take_pair1() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank1.index; meta.value0 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take0_take_pair2() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank2.index; meta.value0 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take0_take_pair3() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank3.index; meta.value0 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take0_take_pair4() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank4.index; meta.value0 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take0_take_pair5() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank5.index; meta.value0 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take0_take_pair6() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank6.index; meta.value0 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take0_take_pair7() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank7.index; meta.value0 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take0_take_pair8() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank8.index; meta.value0 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take0_take_pair9() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank9.index; meta.value0 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take0_take_pair10() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank10.index; meta.value0 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take0_take_pair11() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank11.index; meta.value0 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take0_take_pair12() {
    meta.owner0 = 8w1; meta.at0 = hdr.rank12.index; meta.value0 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take0 {
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
        take0_take_pair0; take0_take_pair1; take0_take_pair2; take0_take_pair3;
        take0_take_pair4; take0_take_pair5; take0_take_pair6; take0_take_pair7;
        take0_take_pair8; take0_take_pair9; take0_take_pair10; take0_take_pair11;
        take0_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 0, _, _, _, _, _, _, _, _, _, _, _, _) : take0_take_pair0();
        (2 &&& 2, _, 0, _, _, _, _, _, _, _, _, _, _, _) : take0_take_pair1();
        (4 &&& 4, _, _, 0, _, _, _, _, _, _, _, _, _, _) : take0_take_pair2();
        (8 &&& 8, _, _, _, 0, _, _, _, _, _, _, _, _, _) : take0_take_pair3();
        (16 &&& 16, _, _, _, _, 0, _, _, _, _, _, _, _, _) : take0_take_pair4();
        (32 &&& 32, _, _, _, _, _, 0, _, _, _, _, _, _, _) : take0_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 0, _, _, _, _, _, _) : take0_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 0, _, _, _, _, _) : take0_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 0, _, _, _, _) : take0_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 0, _, _, _) : take0_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 0, _, _) : take0_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 0, _) : take0_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 0) : take0_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take1_take_pair0() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank0.index; meta.value1 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take1_take_pair1() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank1.index; meta.value1 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take1_take_pair2() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank2.index; meta.value1 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take1_take_pair3() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank3.index; meta.value1 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take1_take_pair4() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank4.index; meta.value1 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take1_take_pair5() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank5.index; meta.value1 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take1_take_pair6() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank6.index; meta.value1 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take1_take_pair7() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank7.index; meta.value1 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take1_take_pair8() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank8.index; meta.value1 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take1_take_pair9() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank9.index; meta.value1 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take1_take_pair10() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank10.index; meta.value1 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take1_take_pair11() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank11.index; meta.value1 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take1_take_pair12() {
    meta.owner1 = 8w2; meta.at1 = hdr.rank12.index; meta.value1 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take1 {
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
        take1_take_pair0; take1_take_pair1; take1_take_pair2; take1_take_pair3;
        take1_take_pair4; take1_take_pair5; take1_take_pair6; take1_take_pair7;
        take1_take_pair8; take1_take_pair9; take1_take_pair10; take1_take_pair11;
        take1_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 1, _, _, _, _, _, _, _, _, _, _, _, _) : take1_take_pair0();
        (2 &&& 2, _, 1, _, _, _, _, _, _, _, _, _, _, _) : take1_take_pair1();
        (4 &&& 4, _, _, 1, _, _, _, _, _, _, _, _, _, _) : take1_take_pair2();
        (8 &&& 8, _, _, _, 1, _, _, _, _, _, _, _, _, _) : take1_take_pair3();
        (16 &&& 16, _, _, _, _, 1, _, _, _, _, _, _, _, _) : take1_take_pair4();
        (32 &&& 32, _, _, _, _, _, 1, _, _, _, _, _, _, _) : take1_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 1, _, _, _, _, _, _) : take1_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 1, _, _, _, _, _) : take1_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 1, _, _, _, _) : take1_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 1, _, _, _) : take1_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 1, _, _) : take1_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 1, _) : take1_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 1) : take1_take_pair12();
    }
}
