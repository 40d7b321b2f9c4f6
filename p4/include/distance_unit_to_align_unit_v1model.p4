control distance_unit(in bit<16> incoming, in bit<16> stored, inout bit<16> distance,
    inout bit<16> back) {
    // How far the two exponents are apart.
    action distance_subtract() { distance = incoming - stored; back = stored - incoming; }
    apply { distance_subtract(); }
}
control align_unit(in bit<16> distance, in bit<32> signed, in bit<16> back, inout bit<32> shifted,
    inout bit<16> stored_by) {
    // R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align_right() {
        shifted = (bit<32>) ((int<32>) signed >> (bit<8>) back); stored_by = 16w0;
    }
    action align_stay() { shifted = signed; stored_by = distance; }
    table align {
        key = { distance : range; }
        actions = { align_right; align_stay; }
        const default_action = align_stay(); ENTRIES(1)
        const entries = { 0x8000..0xFFFF : align_right(); }
    }
    apply { align.apply(); }
}
