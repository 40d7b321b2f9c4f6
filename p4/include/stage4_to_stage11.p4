// Stage 4
FOLD(fold0, hdr.rest.lane0, hdr.high.lane4); FOLD(fold1, hdr.rest.lane1, hdr.high.lane5);
FOLD(fold2, hdr.rest.lane2, hdr.high.lane6); FOLD(fold3, hdr.rest.lane3, hdr.high.lane7);
// Stage 5
FOLD(fold4, hdr.rest.lane4, hdr.high.lane8); FOLD(fold5, hdr.rest.lane5, hdr.high.lane9);
FOLD(fold6, hdr.rest.lane6, hdr.high.lane10); FOLD(fold7, hdr.rest.lane7, hdr.high.lane11);
// Stage 6
FOLD(fold8, hdr.rest.lane8, hdr.high.lane12); FOLD(fold9, hdr.rest.lane9, hdr.high.lane13);
FOLD(fold10, hdr.rest.lane10, hdr.high.lane14);
FOLD(fold11, hdr.rest.lane11, hdr.high.lane15);
// Stage 7
FOLD(fold12, hdr.rest.lane12, hdr.high.lane16);
FOLD(fold13, hdr.rest.lane13, hdr.high.lane17);
FOLD(fold14, hdr.rest.lane14, hdr.high.lane18);
FOLD(fold15, hdr.rest.lane15, hdr.high.lane19);
// Stage 8
FOLD(fold16, hdr.rest.lane16, hdr.high.lane20);
FOLD(fold17, hdr.rest.lane17, hdr.high.lane21);
FOLD(fold18, hdr.rest.lane18, hdr.high.lane22);
FOLD(fold19, hdr.rest.lane19, hdr.high.lane23);
// Stage 9
FOLD(fold20, hdr.rest.lane20, hdr.high.lane24);
FOLD(fold21, hdr.rest.lane21, hdr.high.lane25);
FOLD(fold22, hdr.rest.lane22, hdr.high.lane26);
FOLD(fold23, hdr.rest.lane23, hdr.high.lane27);
// Stage 10
FOLD(fold24, hdr.rest.lane24, hdr.high.lane28);
FOLD(fold25, hdr.rest.lane25, hdr.high.lane29);
FOLD(fold26, hdr.rest.lane26, hdr.high.lane30);
FOLD(fold27, hdr.rest.lane27, hdr.high.lane31);
// Stage 11
FOLD(fold28, hdr.front.lane0, hdr.high.lane0);
FOLD(fold29, hdr.front.lane1, hdr.high.lane1);
FOLD(fold30, hdr.front.lane2, hdr.high.lane2);
FOLD(fold31, hdr.front.lane3, hdr.high.lane3);
// Stage 8
hash_early.apply();
// Stage 11
hash_late.apply();
// Stage 9
add_early.apply();
// Stage 11
if (meta.known_pair == 1w1) { outcome.apply(); }
