header lanes_32_h {
    bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; bit<32> lane4; bit<32> lane5;
    bit<32> lane6; bit<32> lane7; bit<32> lane8; bit<32> lane9; bit<32> lane10; bit<32> lane11;
    bit<32> lane12; bit<32> lane13; bit<32> lane14; bit<32> lane15; bit<32> lane16; bit<32> lane17;
    bit<32> lane18; bit<32> lane19; bit<32> lane20; bit<32> lane21; bit<32> lane22; bit<32> lane23;
    bit<32> lane24; bit<32> lane25; bit<32> lane26; bit<32> lane27; bit<32> lane28; bit<32> lane29;
    bit<32> lane30; bit<32> lane31;
}
header lanes_16_h {
    bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; bit<32> lane4; bit<32> lane5;
    bit<32> lane6; bit<32> lane7; bit<32> lane8; bit<32> lane9; bit<32> lane10; bit<32> lane11;
    bit<32> lane12; bit<32> lane13; bit<32> lane14; bit<32> lane15;
}
header lanes_8_h {
    bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; bit<32> lane4; bit<32> lane5;
    bit<32> lane6; bit<32> lane7;
}
header lanes_4_h { bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; }
header lanes_2_h { bit<32> lane0; bit<32> lane1; }
header lanes_1_h { bit<32> lane0; }
header lanes_last_h { bit<32> lane0; }
