control assemble_unit(in bit<8> flags, in bit<16> normal_exponent, in bit<32> normal,
    in bit<32> sign, inout bit<32> lane) {
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_assemble_normal_lane;
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble_nan() { lane = 32w0x7FC00000; }
    action assemble_positive_infinity() { lane = 32w0x7F800000; }
    action assemble_negative_infinity() { lane = 32w0xFF800000; }
    action assemble_infinite() { lane = sign | 32w0x7F800000; }
    action assemble_normal() {
        lane = hash_assemble_normal_lane.get({ sign[31:31], normal_exponent[7:0], normal[22:0] });
    }
    action assemble_subnormal() { lane = sign | normal; }
    table assemble {
        key = { flags : ternary; normal_exponent : range; normal : ternary; }
        actions = {
            assemble_nan; assemble_positive_infinity; assemble_negative_infinity; assemble_infinite;
            assemble_normal; assemble_subnormal;
        }
        const default_action = assemble_subnormal(); ENTRIES(8)
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble_nan(); (3 &&& 3, 0..0xFFFF, _) : assemble_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble_nan(); (_, 0..0xFFFF, 0) : assemble_subnormal();
            (_, 255..0x7FFF, _) : assemble_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble_normal();
        }
    }
    apply { assemble.apply(); }
}
