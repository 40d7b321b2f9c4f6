control magnitude_unit(in bit<32> lane, inout bit<32> absolute, inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() { absolute = lane; }
    action magnitude_minus() { absolute = 32w0 - lane; sign = 32w0x80000000; }
    table magnitude {
        key = { lane : ternary; }
        actions = { magnitude_plus; magnitude_minus; }
        const default_action = magnitude_plus(); ENTRIES(1)
        const entries = { 0x80000000 &&& 0x80000000 : magnitude_minus(); }
    }
    apply { magnitude.apply(); }
}
