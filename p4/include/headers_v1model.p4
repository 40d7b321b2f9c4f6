struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; request_h request; rank0_h rank0;
    rank1_h rank1; rank2_h rank2; rank3_h rank3; rank4_h rank4; rank5_h rank5; rank6_h rank6;
    rank7_h rank7; rank8_h rank8; rank9_h rank9; rank10_h rank10; rank11_h rank11; rank12_h rank12;
    found_rank0_h found_rank0; found_rank1_h found_rank1; found_rank2_h found_rank2;
    found_rank3_h found_rank3; found_rank4_h found_rank4; found_rank5_h found_rank5;
    found_rank6_h found_rank6; found_rank7_h found_rank7; found_rank8_h found_rank8;
    found_rank9_h found_rank9; found_rank10_h found_rank10; found_rank11_h found_rank11;
    found_rank12_h found_rank12; found_rank13_h found_rank13; found_rank14_h found_rank14;
    found_rank15_h found_rank15; row0_h row0; row1_h row1; row2_h row2; row3_h row3; row4_h row4;
    row5_h row5; row6_h row6; row7_h row7; row8_h row8; row9_h row9; row10_h row10; row11_h row11;
    row12_h row12; found_row0_h found_row0; found_row1_h found_row1; found_row2_h found_row2;
    found_row3_h found_row3; found_row4_h found_row4; found_row5_h found_row5;
    found_row6_h found_row6; found_row7_h found_row7; found_row8_h found_row8;
    found_row9_h found_row9; found_row10_h found_row10; found_row11_h found_row11;
    found_row12_h found_row12; found_row13_h found_row13; found_row14_h found_row14;
    found_row15_h found_row15;
}
