// Stage 4
FOLD(0, hdr.rest.lane0, hdr.high.lane4); FOLD(1, hdr.rest.lane1, hdr.high.lane5);
FOLD(2, hdr.rest.lane2, hdr.high.lane6); FOLD(3, hdr.rest.lane3, hdr.high.lane7);
// Stage 5
FOLD(4, hdr.rest.lane4, hdr.high.lane8); FOLD(5, hdr.rest.lane5, hdr.high.lane9);
FOLD(6, hdr.rest.lane6, hdr.high.lane10); FOLD(7, hdr.rest.lane7, hdr.high.lane11);
// Stage 6
FOLD(8, hdr.rest.lane8, hdr.high.lane12); FOLD(9, hdr.rest.lane9, hdr.high.lane13);
FOLD(10, hdr.rest.lane10, hdr.high.lane14); FOLD(11, hdr.rest.lane11, hdr.high.lane15);
// Stage 7
FOLD(12, hdr.rest.lane12, hdr.high.lane16); FOLD(13, hdr.rest.lane13, hdr.high.lane17);
FOLD(14, hdr.rest.lane14, hdr.high.lane18); FOLD(15, hdr.rest.lane15, hdr.high.lane19);
// Stage 8
FOLD(16, hdr.rest.lane16, hdr.high.lane20); FOLD(17, hdr.rest.lane17, hdr.high.lane21);
FOLD(18, hdr.rest.lane18, hdr.high.lane22); FOLD(19, hdr.rest.lane19, hdr.high.lane23);
// Stage 9
FOLD(20, hdr.rest.lane20, hdr.high.lane24); FOLD(21, hdr.rest.lane21, hdr.high.lane25);
FOLD(22, hdr.rest.lane22, hdr.high.lane26); FOLD(23, hdr.rest.lane23, hdr.high.lane27);
// Stage 10
FOLD(24, hdr.rest.lane24, hdr.high.lane28); FOLD(25, hdr.rest.lane25, hdr.high.lane29);
FOLD(26, hdr.rest.lane26, hdr.high.lane30); FOLD(27, hdr.rest.lane27, hdr.high.lane31);
// Stage 11
FOLD(28, hdr.front.lane0, hdr.high.lane0); FOLD(29, hdr.front.lane1, hdr.high.lane1);
FOLD(30, hdr.front.lane2, hdr.high.lane2); FOLD(31, hdr.front.lane3, hdr.high.lane3);
// From stage 8 again
hash_early_hash();
hash_late_hash();
// From stage 9 again
add_early_add();
if (meta.known_pair == 1w1) { outcome.apply(); }
