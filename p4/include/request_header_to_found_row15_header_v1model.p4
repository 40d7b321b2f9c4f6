header request_h {
    bit<8> version; bit<8> kind; bit<8> flags; bit<8> element_type; bit<16> job; bit<16> worker;
    bit<32> epoch; bit<32> sequence; bit<32> generation; bit<16> pairs; bit<16> width;
    bit<32> place; bit<32> stored; bit<64> integrity;
}
header rank0_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank1_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank2_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank3_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank4_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank5_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank6_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank7_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank8_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank9_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank10_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank11_h { bit<21> beyond; bit<7> index; bit<4> register; }
header rank12_h { bit<21> beyond; bit<7> index; bit<4> register; }
header found_rank0_h { bit<16> high; bit<16> low; }
header found_rank1_h { bit<16> high; bit<16> low; }
header found_rank2_h { bit<16> high; bit<16> low; }
header found_rank3_h { bit<16> high; bit<16> low; }
header found_rank4_h { bit<16> high; bit<16> low; }
header found_rank5_h { bit<16> high; bit<16> low; }
header found_rank6_h { bit<16> high; bit<16> low; }
header found_rank7_h { bit<16> high; bit<16> low; }
header found_rank8_h { bit<16> high; bit<16> low; }
header found_rank9_h { bit<16> high; bit<16> low; }
header found_rank10_h { bit<16> high; bit<16> low; }
header found_rank11_h { bit<16> high; bit<16> low; }
header found_rank12_h { bit<16> high; bit<16> low; }
header found_rank13_h { bit<16> high; bit<16> low; }
header found_rank14_h { bit<16> high; bit<16> low; }
header found_rank15_h { bit<16> high; bit<16> low; }
header row0_h { bit<32> value; }
header row1_h { bit<32> value; }
header row2_h { bit<32> value; }
header row3_h { bit<32> value; }
header row4_h { bit<32> value; }
header row5_h { bit<32> value; }
header row6_h { bit<32> value; }
header row7_h { bit<32> value; }
header row8_h { bit<32> value; }
header row9_h { bit<32> value; }
header row10_h { bit<32> value; }
header row11_h { bit<32> value; }
header row12_h { bit<32> value; }
header found_row0_h { bit<32> value; }
header found_row1_h { bit<32> value; }
header found_row2_h { bit<32> value; }
header found_row3_h { bit<32> value; }
header found_row4_h { bit<32> value; }
header found_row5_h { bit<32> value; }
header found_row6_h { bit<32> value; }
header found_row7_h { bit<32> value; }
header found_row8_h { bit<32> value; }
header found_row9_h { bit<32> value; }
header found_row10_h { bit<32> value; }
header found_row11_h { bit<32> value; }
header found_row12_h { bit<32> value; }
header found_row13_h { bit<32> value; }
header found_row14_h { bit<32> value; }
header found_row15_h { bit<32> value; }
