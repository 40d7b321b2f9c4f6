// Stage 3
if (meta.owner0 == 8w1) { FOLD(0, meta.loaded0, meta.value0, meta.at0); }
if (meta.owner1 == 8w2) { FOLD(1, meta.loaded1, meta.value1, meta.at1); }
if (meta.owner2 == 8w3) { LOAD(2, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w4) { LOAD(3, meta.at3, meta.loaded3); }
if (meta.what != 3w0) { take4.apply(); take5.apply(); }
// Stage 4
if (meta.owner0 == 8w1) { show0.apply(); }
if (meta.owner1 == 8w2) { show1.apply(); }
if (meta.owner2 == 8w3) { FOLD(2, meta.loaded2, meta.value2, meta.at2); }
if (meta.owner3 == 8w4) { FOLD(3, meta.loaded3, meta.value3, meta.at3); }
if (meta.owner4 == 8w5) { LOAD(4, meta.at4, meta.loaded4); }
if (meta.owner5 == 8w6) { LOAD(5, meta.at5, meta.loaded5); }
if (meta.what != 3w0) { take6.apply(); take7.apply(); }
// Stage 5
if (meta.owner2 == 8w3) { show2.apply(); }
if (meta.owner3 == 8w4) { show3.apply(); }
if (meta.owner4 == 8w5) { FOLD(4, meta.loaded4, meta.value4, meta.at4); }
if (meta.owner5 == 8w6) { FOLD(5, meta.loaded5, meta.value5, meta.at5); }
if (meta.owner0 == 8w7) { LOAD(6, meta.at0, meta.loaded0); }
if (meta.owner1 == 8w8) { LOAD(7, meta.at1, meta.loaded1); }
if (meta.what != 3w0) { take8.apply(); take9.apply(); }
// Stage 6
if (meta.owner4 == 8w5) { show4.apply(); }
if (meta.owner5 == 8w6) { show5.apply(); }
if (meta.owner0 == 8w7) { FOLD(6, meta.loaded0, meta.value0, meta.at0); }
if (meta.owner1 == 8w8) { FOLD(7, meta.loaded1, meta.value1, meta.at1); }
if (meta.owner2 == 8w9) { LOAD(8, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w10) { LOAD(9, meta.at3, meta.loaded3); }
if (meta.what != 3w0) { take10.apply(); take11.apply(); }
// Stage 7
if (meta.owner0 == 8w7) { show6.apply(); }
if (meta.owner1 == 8w8) { show7.apply(); }
if (meta.owner2 == 8w9) { FOLD(8, meta.loaded2, meta.value2, meta.at2); }
if (meta.owner3 == 8w10) { FOLD(9, meta.loaded3, meta.value3, meta.at3); }
if (meta.owner4 == 8w11) { LOAD(10, meta.at4, meta.loaded4); }
if (meta.owner5 == 8w12) { LOAD(11, meta.at5, meta.loaded5); }
if (meta.what != 3w0) { take12.apply(); take13.apply(); }
// Stage 8
if (meta.owner2 == 8w9) { show8.apply(); }
if (meta.owner3 == 8w10) { show9.apply(); }
if (meta.owner4 == 8w11) { FOLD(10, meta.loaded4, meta.value4, meta.at4); }
if (meta.owner5 == 8w12) { FOLD(11, meta.loaded5, meta.value5, meta.at5); }
if (meta.owner0 == 8w13) { LOAD(12, meta.at0, meta.loaded0); }
if (meta.owner1 == 8w14) { LOAD(13, meta.at1, meta.loaded1); }
if (meta.what != 3w0) { take14.apply(); take15.apply(); }
// Stage 9
if (meta.owner4 == 8w11) { show10.apply(); }
if (meta.owner5 == 8w12) { show11.apply(); }
if (meta.owner0 == 8w13) { FOLD(12, meta.loaded0, meta.value0, meta.at0); }
if (meta.owner1 == 8w14) { FOLD(13, meta.loaded1, meta.value1, meta.at1); }
if (meta.owner2 == 8w15) { LOAD(14, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w16) { LOAD(15, meta.at3, meta.loaded3); }
// Stage 10
if (meta.owner0 == 8w13) { show12.apply(); }
if (meta.owner1 == 8w14) { show13.apply(); }
if (meta.owner2 == 8w15) { FOLD(14, meta.loaded2, meta.value2, meta.at2); }
if (meta.owner3 == 8w16) { FOLD(15, meta.loaded3, meta.value3, meta.at3); }
// Stage 11
if (meta.owner2 == 8w15) { show14.apply(); }
if (meta.owner3 == 8w16) { show15.apply(); }
// From stage 9 again
if (meta.what != 3w0) { rest_rest(); }
if (meta.what != 3w0) { outcome.apply(); }
if (meta.what != 3w0 && hdr.bridge.mode == 8w3) { turn_turn(); }
