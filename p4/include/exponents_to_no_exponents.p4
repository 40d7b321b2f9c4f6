// R-PKT-1, R-NUM-7: exponents that there are.
action exponents_pass() { meta.known_exponents = 1w1; }
table exponents {
    key = { hdr.immediate.exponent : range; hdr.immediate.next_exponent : range; }
    actions = { exponents_pass; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(16)
    const entries = {
        (0xFF6B..0xFFFF, 0xFF6B..0xFFFF) : exponents_pass();
        (0xFF6B..0xFFFF, 0..128) : exponents_pass();
        (0xFF6B..0xFFFF, 0x7FFE..0x7FFF) : exponents_pass();
        (0xFF6B..0xFFFF, 0x8000..0x8000) : exponents_pass();
        (0..128, 0xFF6B..0xFFFF) : exponents_pass(); (0..128, 0..128) : exponents_pass();
        (0..128, 0x7FFE..0x7FFF) : exponents_pass();
        (0..128, 0x8000..0x8000) : exponents_pass();
        (0x7FFE..0x7FFF, 0xFF6B..0xFFFF) : exponents_pass();
        (0x7FFE..0x7FFF, 0..128) : exponents_pass();
        (0x7FFE..0x7FFF, 0x7FFE..0x7FFF) : exponents_pass();
        (0x7FFE..0x7FFF, 0x8000..0x8000) : exponents_pass();
        (0x8000..0x8000, 0xFF6B..0xFFFF) : exponents_pass();
        (0x8000..0x8000, 0..128) : exponents_pass();
        (0x8000..0x8000, 0x7FFE..0x7FFF) : exponents_pass();
        (0x8000..0x8000, 0x8000..0x8000) : exponents_pass();
    }
}
// Only the last packet of a message has some.
action no_exponents_pass() { meta.known_exponents = 1w1; }
