// Stage 2
if (meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.known_seal == 1w1 &&
    meta.known_job == 1w1 && meta.known_member == 1w1 && meta.known_delivery == 1w1 &&
    meta.phase != 2w2) {
    counts.apply(); fills.apply(); largests.apply();
}
if (hdr.netfold.isValid()) {
    show0.apply(); show1.apply(); show2.apply(); show3.apply(); show4.apply();
    show5.apply(); show6.apply();
}
// Stage 3
FOLD(fold0, hdr.lanes_32.lane0, hdr.lanes_16.lane0);
FOLD(fold1, hdr.lanes_32.lane1, hdr.lanes_16.lane1);
FOLD(fold2, hdr.lanes_32.lane2, hdr.lanes_16.lane2);
FOLD(fold3, hdr.lanes_32.lane3, hdr.lanes_16.lane3);
// Stage 4
FOLD(fold4, hdr.lanes_32.lane4, hdr.lanes_16.lane4);
FOLD(fold5, hdr.lanes_32.lane5, hdr.lanes_16.lane5);
FOLD(fold6, hdr.lanes_32.lane6, hdr.lanes_16.lane6);
FOLD(fold7, hdr.lanes_32.lane7, hdr.lanes_16.lane7);
// Stage 5
FOLD(fold8, hdr.lanes_32.lane8, hdr.lanes_16.lane8);
FOLD(fold9, hdr.lanes_32.lane9, hdr.lanes_16.lane9);
FOLD(fold10, hdr.lanes_32.lane10, hdr.lanes_16.lane10);
FOLD(fold11, hdr.lanes_32.lane11, hdr.lanes_16.lane11);
// Stage 6
FOLD(fold12, hdr.lanes_32.lane12, hdr.lanes_16.lane12);
FOLD(fold13, hdr.lanes_32.lane13, hdr.lanes_16.lane13);
FOLD(fold14, hdr.lanes_32.lane14, hdr.lanes_16.lane14);
FOLD(fold15, hdr.lanes_32.lane15, hdr.lanes_16.lane15);
// Stage 7
FOLD(fold16, hdr.lanes_32.lane16, hdr.lanes_8.lane0);
FOLD(fold17, hdr.lanes_32.lane17, hdr.lanes_8.lane1);
FOLD(fold18, hdr.lanes_32.lane18, hdr.lanes_8.lane2);
FOLD(fold19, hdr.lanes_32.lane19, hdr.lanes_8.lane3);
// Stage 8
FOLD(fold20, hdr.lanes_32.lane20, hdr.lanes_8.lane4);
FOLD(fold21, hdr.lanes_32.lane21, hdr.lanes_8.lane5);
FOLD(fold22, hdr.lanes_32.lane22, hdr.lanes_8.lane6);
FOLD(fold23, hdr.lanes_32.lane23, hdr.lanes_8.lane7);
// Stage 9
FOLD(fold24, hdr.lanes_32.lane24, hdr.lanes_4.lane0);
FOLD(fold25, hdr.lanes_32.lane25, hdr.lanes_4.lane1);
FOLD(fold26, hdr.lanes_32.lane26, hdr.lanes_4.lane2);
FOLD(fold27, hdr.lanes_32.lane27, hdr.lanes_4.lane3);
// Stage 10
FOLD(fold28, hdr.lanes_32.lane28, hdr.lanes_2.lane0);
FOLD(fold29, hdr.lanes_32.lane29, hdr.lanes_2.lane1);
FOLD(fold30, hdr.lanes_32.lane30, hdr.lanes_1.lane0);
FOLD(fold31, hdr.lanes_32.lane31, hdr.lanes_last.lane0);
if (hdr.netfold.isValid() && meta.shown0 == 1w0) { hide0.apply(); }
if (hdr.netfold.isValid() && meta.shown1 == 1w0) { hide1.apply(); }
if (hdr.netfold.isValid() && meta.shown2 == 1w0) { hide2.apply(); }
if (hdr.netfold.isValid() && meta.shown3 == 1w0) { hide3.apply(); }
if (hdr.netfold.isValid() && meta.shown4 == 1w0) { hide4.apply(); }
if (hdr.netfold.isValid() && meta.shown5 == 1w0) { hide5.apply(); }
if (hdr.netfold.isValid() && meta.shown6 == 1w0) { hide6.apply(); }
// Stage 11
if (hdr.netfold.isValid()) { outcome.apply(); }
