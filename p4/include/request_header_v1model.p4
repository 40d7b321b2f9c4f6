header request_h {
    bit<8> version; bit<8> kind; bit<8> flags; bit<8> element_type; bit<16> job; bit<16> worker;
    bit<32> epoch; bit<32> sequence; bit<32> generation; bit<16> pairs; bit<16> width;
    bit<32> place; bit<32> stored; bit<64> integrity;
}
