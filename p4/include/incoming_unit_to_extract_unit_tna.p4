control incoming_unit(in bit<32> lane, inout bit<16> incoming) {
    Hash<bit<16>>(HashAlgorithm_t.IDENTITY) hash_incoming_normal_incoming;
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming_normal() { incoming = hash_incoming_normal_incoming.get({ 8w0, lane[30:23] }); }
    action incoming_subnormal() { incoming = 16w1; }
    action incoming_nothing() { incoming = 16w0xFF00; }
    table incoming {
        key = { lane : ternary; }
        actions = { incoming_normal; incoming_subnormal; incoming_nothing; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(4)
        const entries = {
            0 &&& 0x7FFFFFFF : incoming_nothing(); 0x7F800000 &&& 0x7F800000 : incoming_nothing();
            0 &&& 0x7F800000 : incoming_subnormal(); _ : incoming_normal();
        }
    }
    apply { incoming.apply(); }
}
control extract_unit(in bit<32> lane, inout bit<32> magnitude, inout bit<1> adds,
    inout bit<8> flag_2) {
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_extract_normal_magnitude;
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract_normal() {
        magnitude = hash_extract_normal_magnitude.get({ 9w1, lane[22:0] }); adds = 1w1;
    }
    action extract_subnormal() { magnitude = lane & 32w0x7FFFFF; adds = 1w1; }
    action extract_nothing(bit<8> flag) { magnitude = 32w0; adds = 1w0; flag_2 = flag; }
    table extract {
        key = { lane : ternary; }
        actions = { extract_normal; extract_subnormal; extract_nothing; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(6)
        const entries = {
            0 &&& 0x7FFFFFFF : extract_nothing(0); 0x7F800000 : extract_nothing(1);
            0xFF800000 : extract_nothing(2); 0x7F800000 &&& 0x7F800000 : extract_nothing(4);
            0 &&& 0x7F800000 : extract_subnormal(); _ : extract_normal();
        }
    }
    apply { extract.apply(); }
}
