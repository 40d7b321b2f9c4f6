// Stage 3
if (meta.owner0 == 8w1) { fold0.apply(); }
if (meta.owner1 == 8w2) { fold1.apply(); }
if (meta.owner2 == 8w3) { LOAD(2, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w4) { LOAD(3, meta.at3, meta.loaded3); }
if (meta.what != 3w0) { take4.apply(); take5.apply(); }
// Stage 4
if (meta.owner2 == 8w3) { fold2.apply(); }
if (meta.owner3 == 8w4) { fold3.apply(); }
if (meta.owner0 == 8w5) { LOAD(4, meta.at0, meta.loaded0); }
if (meta.owner1 == 8w6) { LOAD(5, meta.at1, meta.loaded1); }
if (meta.what != 3w0) { take6.apply(); take7.apply(); }
// Stage 5
if (meta.owner0 == 8w5) { fold4.apply(); }
if (meta.owner1 == 8w6) { fold5.apply(); }
if (meta.owner2 == 8w7) { LOAD(6, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w8) { LOAD(7, meta.at3, meta.loaded3); }
if (meta.what != 3w0) { take8.apply(); take9.apply(); }
// Stage 6
if (meta.owner2 == 8w7) { fold6.apply(); }
if (meta.owner3 == 8w8) { fold7.apply(); }
if (meta.owner0 == 8w9) { LOAD(8, meta.at0, meta.loaded0); }
if (meta.owner1 == 8w10) { LOAD(9, meta.at1, meta.loaded1); }
if (meta.what != 3w0) { take10.apply(); take11.apply(); }
// Stage 7
if (meta.owner0 == 8w9) { fold8.apply(); }
if (meta.owner1 == 8w10) { fold9.apply(); }
if (meta.owner2 == 8w11) { LOAD(10, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w12) { LOAD(11, meta.at3, meta.loaded3); }
if (meta.what != 3w0) { take12.apply(); take13.apply(); }
// Stage 8
if (meta.owner2 == 8w11) { fold10.apply(); }
if (meta.owner3 == 8w12) { fold11.apply(); }
if (meta.owner0 == 8w13) { LOAD(12, meta.at0, meta.loaded0); }
if (meta.owner1 == 8w14) { LOAD(13, meta.at1, meta.loaded1); }
if (meta.what != 3w0) { take14.apply(); take15.apply(); }
// Stage 9
if (meta.owner0 == 8w13) { fold12.apply(); }
if (meta.owner1 == 8w14) { fold13.apply(); }
if (meta.owner2 == 8w15) { LOAD(14, meta.at2, meta.loaded2); }
if (meta.owner3 == 8w16) { LOAD(15, meta.at3, meta.loaded3); }
// Stage 10
if (meta.owner2 == 8w15) { fold14.apply(); }
if (meta.owner3 == 8w16) { fold15.apply(); }
// From stage 9 again
if (meta.what != 3w0) { rest_rest(); }
