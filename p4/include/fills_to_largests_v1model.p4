// R-SLOT-2: whether these are the round's first lanes.
action fills_skip() { }
action fills_mark() {
    @atomic {
        bit<8> old_lo; reg_filled.read(old_lo, (bit<32>) meta.copy); bit<8> new_lo = 8w1;
        reg_filled.write((bit<32>) meta.copy, new_lo); meta.was_filled = old_lo;
    }
}
action fills_wipe() {
    @atomic {
        bit<8> new_lo = 8w0; reg_filled.write((bit<32>) meta.copy, new_lo);
        meta.was_filled = new_lo;
    }
}
action fills_peek() {
    @atomic {
        bit<8> old_lo; reg_filled.read(old_lo, (bit<32>) meta.copy); meta.was_filled = old_lo;
    }
}
table fills {
    key = {
        meta.age : ternary; meta.round_is : ternary; hdr.netfold.flags : ternary;
        meta.order : ternary;
    }
    actions = { fills_skip; fills_mark; fills_wipe; fills_peek; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(9)
    const entries = {
        (1, _, _, _) : fills_skip(); (_, _, 4 &&& 4, _) : fills_peek();
        (4, _, _, _) : fills_peek(); (2, 2, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 2, _, _) : fills_wipe(); (2, 8, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 8, _, _) : fills_wipe(); (2, 4, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 4, _, _) : fills_peek();
    }
}
// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
action largests_begin() {
    @atomic {
        bit<16> new_lo = hdr.netfold.next_exponent;
        reg_largest.write((bit<32>) meta.copy, new_lo); meta.largest_exponent = new_lo;
    }
}
action largests_raise() {
    @atomic {
        bit<16> old_lo; reg_largest.read(old_lo, (bit<32>) meta.copy);
        bit<16> new_lo = (int<16>) old_lo > (int<16>) hdr.netfold.next_exponent ? old_lo :
            hdr.netfold.next_exponent;
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
    key = {
        meta.age : ternary; meta.round_is : ternary; hdr.netfold.flags : ternary;
        meta.order : ternary;
    }
    actions = {
        largests_skip; largests_begin; largests_raise; largests_peek; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(6)
    const entries = {
        (1, _, _, _) : largests_skip(); (_, _, 4 &&& 4, _) : largests_peek();
        (4, _, _, _) : largests_peek(); (2, 2, _, _) : largests_begin();
        (2, 8, _, _) : largests_begin(); (2, 4, _, _) : largests_raise();
    }
}
