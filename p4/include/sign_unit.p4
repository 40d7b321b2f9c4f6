control sign_unit(in bit<32> lane, in bit<32> magnitude, inout bit<32> signed) {
    // R-FPI-3: the sign goes into the mantissa.
    action sign_plus() { signed = magnitude; }
    action sign_minus() { signed = 32w0 - magnitude; }
    table sign {
        key = { lane : ternary; }
        actions = { sign_plus; sign_minus; }
        const default_action = sign_plus(); ENTRIES(1)
        const entries = { 0x80000000 &&& 0x80000000 : sign_minus(); }
    }
    apply { sign.apply(); }
}
