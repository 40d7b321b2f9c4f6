control magnitude_unit(in bit<32> value_2, inout bit<32> absolute, inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() { absolute = value_2; }
    action magnitude_minus() { absolute = 32w0 - value_2; sign = 32w0x80000000; }
    table magnitude {
        key = { value_2 : ternary @name("value_2"); }
        actions = { magnitude_plus; magnitude_minus; }
        const default_action = magnitude_plus();
        const entries = { 0x80000000 &&& 0x80000000 : magnitude_minus(); }
    }
    apply { magnitude.apply(); }
}
