// R-SLOT-2: the first lanes overwrite, later ones are added; a pass gives back one of the two.
action fold_skip() { }
action fold_set() {
    @atomic {
        bit<32> new_lo = lane; bit<32> new_hi = lane_2;
        reg_pair.write((bit<32>) copy, new_hi ++ new_lo); lane_2 = new_hi;
    }
}
action fold_add() {
    @atomic {
        bit<64> word; reg_pair.read(word, (bit<32>) copy); bit<32> old_lo = word[31:0];
        bit<32> old_hi = word[63:32]; bit<32> new_lo = old_lo + lane;
        bit<32> new_hi = old_hi + lane_2; reg_pair.write((bit<32>) copy, new_hi ++ new_lo);
        lane_2 = new_hi;
    }
}
action fold_read_low() {
    @atomic {
        bit<64> word; reg_pair.read(word, (bit<32>) copy); bit<32> old_lo = word[31:0];
        lane = old_lo;
    }
}
action fold_read_high() {
    @atomic {
        bit<64> word; reg_pair.read(word, (bit<32>) copy); bit<32> old_hi = word[63:32];
        lane_2 = old_hi;
    }
}
table fold {
    key = {
        phase : ternary; step : ternary; age : ternary; round_is : ternary; flags : ternary;
        order : ternary; was_filled : ternary; left : ternary;
    }
    actions = {
        fold_skip; fold_set; fold_add; fold_read_low; fold_read_high; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(9)
    const entries = {
        (0 &&& 2, _, 2, 2, 0 &&& 2, 2 &&& 2, _, _) : fold_set();
        (0 &&& 2, _, 2, 8, 0 &&& 2, 2 &&& 2, _, _) : fold_set();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, _, 0) : fold_skip();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 0, _) : fold_set();
        (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 1, _) : fold_add();
        (0 &&& 2, _, 2, 4, 0 &&& 4, _, 1, 1) : fold_read_high();
        (0 &&& 2, _, 4, _, 0 &&& 4, _, 1, 0) : fold_read_high();
        (2, 0 &&& 1, _, _, _, _, _, _) : fold_read_low();
        (2, 1 &&& 1, _, _, _, _, _, _) : fold_read_high();
    }
}
