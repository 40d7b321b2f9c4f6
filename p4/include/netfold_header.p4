header netfold_h {
    bit<8> version; bit<8> kind; bit<8> flags; bit<8> pool; bit<16> job; bit<16> worker;
    bit<32> epoch; bit<32> position; bit<16> slot; bit<16> elements; bit<8> element_type;
    bit<8> operation; bit<16> exponent; bit<16> next_exponent; bit<16> delivery; bit<32> call;
    bit<64> integrity;
}
