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
FOLD(0, hdr.lanes_16.lane0); FOLD(1, hdr.lanes_16.lane1); FOLD(2, hdr.lanes_16.lane2);
FOLD(3, hdr.lanes_16.lane3);
// Stage 4
FOLD(4, hdr.lanes_16.lane4); FOLD(5, hdr.lanes_16.lane5); FOLD(6, hdr.lanes_16.lane6);
FOLD(7, hdr.lanes_16.lane7);
// Stage 5
FOLD(8, hdr.lanes_16.lane8); FOLD(9, hdr.lanes_16.lane9); FOLD(10, hdr.lanes_16.lane10);
FOLD(11, hdr.lanes_16.lane11);
// Stage 6
FOLD(12, hdr.lanes_16.lane12); FOLD(13, hdr.lanes_16.lane13); FOLD(14, hdr.lanes_16.lane14);
FOLD(15, hdr.lanes_16.lane15);
// Stage 7
FOLD(16, hdr.lanes_8.lane0); FOLD(17, hdr.lanes_8.lane1); FOLD(18, hdr.lanes_8.lane2);
FOLD(19, hdr.lanes_8.lane3);
// Stage 8
FOLD(20, hdr.lanes_8.lane4); FOLD(21, hdr.lanes_8.lane5); FOLD(22, hdr.lanes_8.lane6);
FOLD(23, hdr.lanes_8.lane7);
// Stage 9
FOLD(24, hdr.lanes_4.lane0); FOLD(25, hdr.lanes_4.lane1); FOLD(26, hdr.lanes_4.lane2);
FOLD(27, hdr.lanes_4.lane3);
// Stage 10
FOLD(28, hdr.lanes_2.lane0); FOLD(29, hdr.lanes_2.lane1); FOLD(30, hdr.lanes_1.lane0);
FOLD(31, hdr.lanes_last.lane0);
if (hdr.netfold.isValid() && meta.shown0 == 1w0) { hide0_hide(); }
if (hdr.netfold.isValid() && meta.shown1 == 1w0) { hide1_hide(); }
if (hdr.netfold.isValid() && meta.shown2 == 1w0) { hide2_hide(); }
if (hdr.netfold.isValid() && meta.shown3 == 1w0) { hide3_hide(); }
if (hdr.netfold.isValid() && meta.shown4 == 1w0) { hide4_hide(); }
if (hdr.netfold.isValid() && meta.shown5 == 1w0) { hide5_hide(); }
if (hdr.netfold.isValid() && meta.shown6 == 1w0) { hide6_hide(); }
// Stage 11
if (hdr.netfold.isValid()) { outcome.apply(); }
