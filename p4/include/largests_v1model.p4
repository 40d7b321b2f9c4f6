// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
action largests_begin() {
    @atomic {
        bit<16> new_lo = hdr.immediate.next_exponent;
        reg_largest.write((bit<32>) meta.copy, new_lo); meta.largest_exponent = new_lo;
    }
}
action largests_raise() {
    @atomic {
        bit<16> old_lo; reg_largest.read(old_lo, (bit<32>) meta.copy);
        bit<16> new_lo = (int<16>) old_lo > (int<16>) hdr.immediate.next_exponent ? old_lo :
            hdr.immediate.next_exponent;
        reg_largest.write((bit<32>) meta.copy, new_lo); meta.largest_exponent = new_lo;
    }
}
action largests_peek() {
    @atomic {
        bit<16> old_lo; reg_largest.read(old_lo, (bit<32>) meta.copy);
        meta.largest_exponent = old_lo;
    }
}
table largests {
    key = { meta.age : ternary; meta.round_is : ternary; }
    actions = {
        largests_skip; largests_begin; largests_raise; largests_peek; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(5)
    const entries = {
        (1, _) : largests_skip(); (4, _) : largests_peek(); (2, 2) : largests_begin();
        (2, 8) : largests_begin(); (2, 4) : largests_raise();
    }
}
