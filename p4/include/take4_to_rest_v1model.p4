// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take4_take_pair0() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank0.index; meta.value4 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take4_take_pair1() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank1.index; meta.value4 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take4_take_pair2() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank2.index; meta.value4 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take4_take_pair3() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank3.index; meta.value4 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take4_take_pair4() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank4.index; meta.value4 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take4_take_pair5() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank5.index; meta.value4 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take4_take_pair6() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank6.index; meta.value4 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take4_take_pair7() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank7.index; meta.value4 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take4_take_pair8() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank8.index; meta.value4 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take4_take_pair9() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank9.index; meta.value4 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take4_take_pair10() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank10.index; meta.value4 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take4_take_pair11() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank11.index; meta.value4 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take4_take_pair12() {
    meta.owner4 = 8w5; meta.at4 = hdr.rank12.index; meta.value4 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take4 {
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
        take4_take_pair0; take4_take_pair1; take4_take_pair2; take4_take_pair3;
        take4_take_pair4; take4_take_pair5; take4_take_pair6; take4_take_pair7;
        take4_take_pair8; take4_take_pair9; take4_take_pair10; take4_take_pair11;
        take4_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 4, _, _, _, _, _, _, _, _, _, _, _, _) : take4_take_pair0();
        (2 &&& 2, _, 4, _, _, _, _, _, _, _, _, _, _, _) : take4_take_pair1();
        (4 &&& 4, _, _, 4, _, _, _, _, _, _, _, _, _, _) : take4_take_pair2();
        (8 &&& 8, _, _, _, 4, _, _, _, _, _, _, _, _, _) : take4_take_pair3();
        (16 &&& 16, _, _, _, _, 4, _, _, _, _, _, _, _, _) : take4_take_pair4();
        (32 &&& 32, _, _, _, _, _, 4, _, _, _, _, _, _, _) : take4_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 4, _, _, _, _, _, _) : take4_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 4, _, _, _, _, _) : take4_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 4, _, _, _, _) : take4_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 4, _, _, _) : take4_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 4, _, _) : take4_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 4, _) : take4_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 4) : take4_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take5_take_pair0() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank0.index; meta.value5 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take5_take_pair1() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank1.index; meta.value5 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take5_take_pair2() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank2.index; meta.value5 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take5_take_pair3() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank3.index; meta.value5 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take5_take_pair4() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank4.index; meta.value5 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take5_take_pair5() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank5.index; meta.value5 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take5_take_pair6() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank6.index; meta.value5 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take5_take_pair7() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank7.index; meta.value5 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take5_take_pair8() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank8.index; meta.value5 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take5_take_pair9() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank9.index; meta.value5 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take5_take_pair10() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank10.index; meta.value5 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take5_take_pair11() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank11.index; meta.value5 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take5_take_pair12() {
    meta.owner5 = 8w6; meta.at5 = hdr.rank12.index; meta.value5 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take5 {
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
        take5_take_pair0; take5_take_pair1; take5_take_pair2; take5_take_pair3;
        take5_take_pair4; take5_take_pair5; take5_take_pair6; take5_take_pair7;
        take5_take_pair8; take5_take_pair9; take5_take_pair10; take5_take_pair11;
        take5_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 5, _, _, _, _, _, _, _, _, _, _, _, _) : take5_take_pair0();
        (2 &&& 2, _, 5, _, _, _, _, _, _, _, _, _, _, _) : take5_take_pair1();
        (4 &&& 4, _, _, 5, _, _, _, _, _, _, _, _, _, _) : take5_take_pair2();
        (8 &&& 8, _, _, _, 5, _, _, _, _, _, _, _, _, _) : take5_take_pair3();
        (16 &&& 16, _, _, _, _, 5, _, _, _, _, _, _, _, _) : take5_take_pair4();
        (32 &&& 32, _, _, _, _, _, 5, _, _, _, _, _, _, _) : take5_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 5, _, _, _, _, _, _) : take5_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 5, _, _, _, _, _) : take5_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 5, _, _, _, _) : take5_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 5, _, _, _) : take5_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 5, _, _) : take5_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 5, _) : take5_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 5) : take5_take_pair12();
    }
}
// R-KEY-12: a row that is loaded is in the answer.
action show0_show() {
    hdr.found_rank0.setValid(); hdr.found_row0.setValid(); hdr.found_rank0.beyond = 21w0;
    hdr.found_rank0.index = meta.at0; hdr.found_rank0.register = 4w0;
    hdr.found_row0.value = meta.value0; hdr.bridge.found_even = hdr.bridge.found_even | 8w1;
}
table show0 {
    key = { meta.what : exact; meta.loaded0 : exact; }
    actions = { show0_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show0_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show1_show() {
    hdr.found_rank1.setValid(); hdr.found_row1.setValid(); hdr.found_rank1.beyond = 21w0;
    hdr.found_rank1.index = meta.at1; hdr.found_rank1.register = 4w1;
    hdr.found_row1.value = meta.value1; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w1;
}
table show1 {
    key = { meta.what : exact; meta.loaded1 : exact; }
    actions = { show1_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show1_show(); }
}
fold_unit() fold2; fold_unit() fold3; load_unit() load4; load_unit() load5;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take6_take_pair0() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank0.index; meta.value0 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take6_take_pair1() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank1.index; meta.value0 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take6_take_pair2() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank2.index; meta.value0 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take6_take_pair3() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank3.index; meta.value0 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take6_take_pair4() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank4.index; meta.value0 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take6_take_pair5() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank5.index; meta.value0 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take6_take_pair6() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank6.index; meta.value0 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take6_take_pair7() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank7.index; meta.value0 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take6_take_pair8() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank8.index; meta.value0 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take6_take_pair9() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank9.index; meta.value0 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take6_take_pair10() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank10.index; meta.value0 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take6_take_pair11() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank11.index; meta.value0 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take6_take_pair12() {
    meta.owner0 = 8w7; meta.at0 = hdr.rank12.index; meta.value0 = hdr.row12.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xEFFF;
}
table take6 {
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
        take6_take_pair0; take6_take_pair1; take6_take_pair2; take6_take_pair3;
        take6_take_pair4; take6_take_pair5; take6_take_pair6; take6_take_pair7;
        take6_take_pair8; take6_take_pair9; take6_take_pair10; take6_take_pair11;
        take6_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 6, _, _, _, _, _, _, _, _, _, _, _, _) : take6_take_pair0();
        (2 &&& 2, _, 6, _, _, _, _, _, _, _, _, _, _, _) : take6_take_pair1();
        (4 &&& 4, _, _, 6, _, _, _, _, _, _, _, _, _, _) : take6_take_pair2();
        (8 &&& 8, _, _, _, 6, _, _, _, _, _, _, _, _, _) : take6_take_pair3();
        (16 &&& 16, _, _, _, _, 6, _, _, _, _, _, _, _, _) : take6_take_pair4();
        (32 &&& 32, _, _, _, _, _, 6, _, _, _, _, _, _, _) : take6_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 6, _, _, _, _, _, _) : take6_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 6, _, _, _, _, _) : take6_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 6, _, _, _, _) : take6_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 6, _, _, _) : take6_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 6, _, _) : take6_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 6, _) : take6_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 6) : take6_take_pair12();
    }
}
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take7_take_pair0() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank0.index; meta.value1 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take7_take_pair1() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank1.index; meta.value1 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take7_take_pair2() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank2.index; meta.value1 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take7_take_pair3() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank3.index; meta.value1 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take7_take_pair4() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank4.index; meta.value1 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take7_take_pair5() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank5.index; meta.value1 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take7_take_pair6() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank6.index; meta.value1 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take7_take_pair7() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank7.index; meta.value1 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take7_take_pair8() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank8.index; meta.value1 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take7_take_pair9() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank9.index; meta.value1 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take7_take_pair10() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank10.index; meta.value1 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take7_take_pair11() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank11.index; meta.value1 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take7_take_pair12() {
    meta.owner1 = 8w8; meta.at1 = hdr.rank12.index; meta.value1 = hdr.row12.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xEFFF;
}
table take7 {
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
        take7_take_pair0; take7_take_pair1; take7_take_pair2; take7_take_pair3;
        take7_take_pair4; take7_take_pair5; take7_take_pair6; take7_take_pair7;
        take7_take_pair8; take7_take_pair9; take7_take_pair10; take7_take_pair11;
        take7_take_pair12; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(13)
    const entries = {
        (1 &&& 1, 7, _, _, _, _, _, _, _, _, _, _, _, _) : take7_take_pair0();
        (2 &&& 2, _, 7, _, _, _, _, _, _, _, _, _, _, _) : take7_take_pair1();
        (4 &&& 4, _, _, 7, _, _, _, _, _, _, _, _, _, _) : take7_take_pair2();
        (8 &&& 8, _, _, _, 7, _, _, _, _, _, _, _, _, _) : take7_take_pair3();
        (16 &&& 16, _, _, _, _, 7, _, _, _, _, _, _, _, _) : take7_take_pair4();
        (32 &&& 32, _, _, _, _, _, 7, _, _, _, _, _, _, _) : take7_take_pair5();
        (64 &&& 64, _, _, _, _, _, _, 7, _, _, _, _, _, _) : take7_take_pair6();
        (128 &&& 128, _, _, _, _, _, _, _, 7, _, _, _, _, _) : take7_take_pair7();
        (256 &&& 256, _, _, _, _, _, _, _, _, 7, _, _, _, _) : take7_take_pair8();
        (512 &&& 512, _, _, _, _, _, _, _, _, _, 7, _, _, _) : take7_take_pair9();
        (0x400 &&& 0x400, _, _, _, _, _, _, _, _, _, _, 7, _, _) : take7_take_pair10();
        (0x800 &&& 0x800, _, _, _, _, _, _, _, _, _, _, _, 7, _) : take7_take_pair11();
        (0x1000 &&& 0x1000, _, _, _, _, _, _, _, _, _, _, _, _, 7) : take7_take_pair12();
    }
}
// R-KEY-12: a row that is loaded is in the answer.
action show2_show() {
    hdr.found_rank2.setValid(); hdr.found_row2.setValid(); hdr.found_rank2.beyond = 21w0;
    hdr.found_rank2.index = meta.at2; hdr.found_rank2.register = 4w2;
    hdr.found_row2.value = meta.value2; hdr.bridge.found_even = hdr.bridge.found_even | 8w2;
}
table show2 {
    key = { meta.what : exact; meta.loaded2 : exact; }
    actions = { show2_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show2_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show3_show() {
    hdr.found_rank3.setValid(); hdr.found_row3.setValid(); hdr.found_rank3.beyond = 21w0;
    hdr.found_rank3.index = meta.at3; hdr.found_rank3.register = 4w3;
    hdr.found_row3.value = meta.value3; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w2;
}
table show3 {
    key = { meta.what : exact; meta.loaded3 : exact; }
    actions = { show3_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show3_show(); }
}
fold_unit() fold4; fold_unit() fold5; load_unit() load6; load_unit() load7;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take8_take_pair0() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank0.index; meta.value2 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take8_take_pair1() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank1.index; meta.value2 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take8_take_pair2() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank2.index; meta.value2 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take8_take_pair3() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank3.index; meta.value2 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take8_take_pair4() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank4.index; meta.value2 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take8_take_pair5() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank5.index; meta.value2 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take8_take_pair6() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank6.index; meta.value2 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take8_take_pair7() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank7.index; meta.value2 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take8_take_pair8() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank8.index; meta.value2 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take8_take_pair9() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank9.index; meta.value2 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take8_take_pair10() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank10.index; meta.value2 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take8_take_pair11() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank11.index; meta.value2 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take8_take_pair12() {
    meta.owner2 = 8w9; meta.at2 = hdr.rank12.index; meta.value2 = hdr.row12.value;
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
    meta.owner3 = 8w10; meta.at3 = hdr.rank0.index; meta.value3 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take9_take_pair1() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank1.index; meta.value3 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take9_take_pair2() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank2.index; meta.value3 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take9_take_pair3() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank3.index; meta.value3 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take9_take_pair4() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank4.index; meta.value3 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take9_take_pair5() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank5.index; meta.value3 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take9_take_pair6() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank6.index; meta.value3 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take9_take_pair7() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank7.index; meta.value3 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take9_take_pair8() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank8.index; meta.value3 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take9_take_pair9() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank9.index; meta.value3 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take9_take_pair10() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank10.index; meta.value3 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take9_take_pair11() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank11.index; meta.value3 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take9_take_pair12() {
    meta.owner3 = 8w10; meta.at3 = hdr.rank12.index; meta.value3 = hdr.row12.value;
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
// R-KEY-12: a row that is loaded is in the answer.
action show4_show() {
    hdr.found_rank4.setValid(); hdr.found_row4.setValid(); hdr.found_rank4.beyond = 21w0;
    hdr.found_rank4.index = meta.at4; hdr.found_rank4.register = 4w4;
    hdr.found_row4.value = meta.value4; hdr.bridge.found_even = hdr.bridge.found_even | 8w4;
}
table show4 {
    key = { meta.what : exact; meta.loaded4 : exact; }
    actions = { show4_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show4_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show5_show() {
    hdr.found_rank5.setValid(); hdr.found_row5.setValid(); hdr.found_rank5.beyond = 21w0;
    hdr.found_rank5.index = meta.at5; hdr.found_rank5.register = 4w5;
    hdr.found_row5.value = meta.value5; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w4;
}
table show5 {
    key = { meta.what : exact; meta.loaded5 : exact; }
    actions = { show5_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show5_show(); }
}
fold_unit() fold6; fold_unit() fold7; load_unit() load8; load_unit() load9;
// R-HOT-6, R-PISA-72: the first pair that is left of this register.
action take10_take_pair0() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank0.index; meta.value4 = hdr.row0.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFE;
}
action take10_take_pair1() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank1.index; meta.value4 = hdr.row1.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFD;
}
action take10_take_pair2() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank2.index; meta.value4 = hdr.row2.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFFB;
}
action take10_take_pair3() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank3.index; meta.value4 = hdr.row3.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFF7;
}
action take10_take_pair4() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank4.index; meta.value4 = hdr.row4.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFEF;
}
action take10_take_pair5() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank5.index; meta.value4 = hdr.row5.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFDF;
}
action take10_take_pair6() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank6.index; meta.value4 = hdr.row6.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFFBF;
}
action take10_take_pair7() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank7.index; meta.value4 = hdr.row7.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFF7F;
}
action take10_take_pair8() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank8.index; meta.value4 = hdr.row8.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFEFF;
}
action take10_take_pair9() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank9.index; meta.value4 = hdr.row9.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFDFF;
}
action take10_take_pair10() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank10.index; meta.value4 = hdr.row10.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xFBFF;
}
action take10_take_pair11() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank11.index; meta.value4 = hdr.row11.value;
    hdr.bridge.even = hdr.bridge.even & 16w0xF7FF;
}
action take10_take_pair12() {
    meta.owner4 = 8w11; meta.at4 = hdr.rank12.index; meta.value4 = hdr.row12.value;
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
    meta.owner5 = 8w12; meta.at5 = hdr.rank0.index; meta.value5 = hdr.row0.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFE;
}
action take11_take_pair1() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank1.index; meta.value5 = hdr.row1.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFD;
}
action take11_take_pair2() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank2.index; meta.value5 = hdr.row2.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFFB;
}
action take11_take_pair3() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank3.index; meta.value5 = hdr.row3.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFF7;
}
action take11_take_pair4() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank4.index; meta.value5 = hdr.row4.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFEF;
}
action take11_take_pair5() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank5.index; meta.value5 = hdr.row5.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFDF;
}
action take11_take_pair6() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank6.index; meta.value5 = hdr.row6.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFFBF;
}
action take11_take_pair7() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank7.index; meta.value5 = hdr.row7.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFF7F;
}
action take11_take_pair8() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank8.index; meta.value5 = hdr.row8.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFEFF;
}
action take11_take_pair9() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank9.index; meta.value5 = hdr.row9.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFDFF;
}
action take11_take_pair10() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank10.index; meta.value5 = hdr.row10.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xFBFF;
}
action take11_take_pair11() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank11.index; meta.value5 = hdr.row11.value;
    hdr.bridge.odd = hdr.bridge.odd & 16w0xF7FF;
}
action take11_take_pair12() {
    meta.owner5 = 8w12; meta.at5 = hdr.rank12.index; meta.value5 = hdr.row12.value;
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
// R-KEY-12: a row that is loaded is in the answer.
action show6_show() {
    hdr.found_rank6.setValid(); hdr.found_row6.setValid(); hdr.found_rank6.beyond = 21w0;
    hdr.found_rank6.index = meta.at0; hdr.found_rank6.register = 4w6;
    hdr.found_row6.value = meta.value0; hdr.bridge.found_even = hdr.bridge.found_even | 8w8;
}
table show6 {
    key = { meta.what : exact; meta.loaded0 : exact; }
    actions = { show6_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show6_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show7_show() {
    hdr.found_rank7.setValid(); hdr.found_row7.setValid(); hdr.found_rank7.beyond = 21w0;
    hdr.found_rank7.index = meta.at1; hdr.found_rank7.register = 4w7;
    hdr.found_row7.value = meta.value1; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w8;
}
table show7 {
    key = { meta.what : exact; meta.loaded1 : exact; }
    actions = { show7_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show7_show(); }
}
fold_unit() fold8; fold_unit() fold9; load_unit() load10; load_unit() load11;
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
// R-KEY-12: a row that is loaded is in the answer.
action show8_show() {
    hdr.found_rank8.setValid(); hdr.found_row8.setValid(); hdr.found_rank8.beyond = 21w0;
    hdr.found_rank8.index = meta.at2; hdr.found_rank8.register = 4w8;
    hdr.found_row8.value = meta.value2; hdr.bridge.found_even = hdr.bridge.found_even | 8w16;
}
table show8 {
    key = { meta.what : exact; meta.loaded2 : exact; }
    actions = { show8_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show8_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show9_show() {
    hdr.found_rank9.setValid(); hdr.found_row9.setValid(); hdr.found_rank9.beyond = 21w0;
    hdr.found_rank9.index = meta.at3; hdr.found_rank9.register = 4w9;
    hdr.found_row9.value = meta.value3; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w16;
}
table show9 {
    key = { meta.what : exact; meta.loaded3 : exact; }
    actions = { show9_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show9_show(); }
}
fold_unit() fold10; fold_unit() fold11; load_unit() load12; load_unit() load13;
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
// R-KEY-12: a row that is loaded is in the answer.
action show10_show() {
    hdr.found_rank10.setValid(); hdr.found_row10.setValid(); hdr.found_rank10.beyond = 21w0;
    hdr.found_rank10.index = meta.at4; hdr.found_rank10.register = 4w10;
    hdr.found_row10.value = meta.value4; hdr.bridge.found_even = hdr.bridge.found_even | 8w32;
}
table show10 {
    key = { meta.what : exact; meta.loaded4 : exact; }
    actions = { show10_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show10_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show11_show() {
    hdr.found_rank11.setValid(); hdr.found_row11.setValid(); hdr.found_rank11.beyond = 21w0;
    hdr.found_rank11.index = meta.at5; hdr.found_rank11.register = 4w11;
    hdr.found_row11.value = meta.value5; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w32;
}
table show11 {
    key = { meta.what : exact; meta.loaded5 : exact; }
    actions = { show11_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show11_show(); }
}
fold_unit() fold12; fold_unit() fold13; load_unit() load14; load_unit() load15;
// R-KEY-12: a row that is loaded is in the answer.
action show12_show() {
    hdr.found_rank12.setValid(); hdr.found_row12.setValid(); hdr.found_rank12.beyond = 21w0;
    hdr.found_rank12.index = meta.at0; hdr.found_rank12.register = 4w12;
    hdr.found_row12.value = meta.value0; hdr.bridge.found_even = hdr.bridge.found_even | 8w64;
}
table show12 {
    key = { meta.what : exact; meta.loaded0 : exact; }
    actions = { show12_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show12_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show13_show() {
    hdr.found_rank13.setValid(); hdr.found_row13.setValid(); hdr.found_rank13.beyond = 21w0;
    hdr.found_rank13.index = meta.at1; hdr.found_rank13.register = 4w13;
    hdr.found_row13.value = meta.value1; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w64;
}
table show13 {
    key = { meta.what : exact; meta.loaded1 : exact; }
    actions = { show13_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show13_show(); }
}
fold_unit() fold14; fold_unit() fold15;
// R-KEY-12: a row that is loaded is in the answer.
action show14_show() {
    hdr.found_rank14.setValid(); hdr.found_row14.setValid(); hdr.found_rank14.beyond = 21w0;
    hdr.found_rank14.index = meta.at2; hdr.found_rank14.register = 4w14;
    hdr.found_row14.value = meta.value2; hdr.bridge.found_even = hdr.bridge.found_even | 8w128;
}
table show14 {
    key = { meta.what : exact; meta.loaded2 : exact; }
    actions = { show14_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show14_show(); }
}
// R-KEY-12: a row that is loaded is in the answer.
action show15_show() {
    hdr.found_rank15.setValid(); hdr.found_row15.setValid(); hdr.found_rank15.beyond = 21w0;
    hdr.found_rank15.index = meta.at3; hdr.found_rank15.register = 4w15;
    hdr.found_row15.value = meta.value3; hdr.bridge.found_odd = hdr.bridge.found_odd | 8w128;
}
table show15 {
    key = { meta.what : exact; meta.loaded3 : exact; }
    actions = { show15_show; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1)
    const entries = { (5, 1) : show15_show(); }
}
// R-HOT-8: the pairs that no register has taken; and the switch's own addresses.
action rest_rest() {
    meta.left = hdr.bridge.even & hdr.bridge.odd; meta.own_mac = hdr.ethernet.dst;
    meta.own_ip = hdr.ipv4.dst; meta.own_port = hdr.udp.dst_port;
}
