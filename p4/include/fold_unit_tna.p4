control fold_unit(in bit<2> phase, in bit<8> step, in bit<4> age, in bit<4> round_is,
    in bit<16> left, in bit<16> length, inout bit<32> lane, in bit<32> lane_2, in bit<16> copy) {
    // Two lanes of each copy of a slot (R-SLOT-2).
    Register<pair_t, bit<16>>(256) reg_pair;
    // R-SLOT-2: the first lanes overwrite, later ones are added; a pass gives back one of the two.
    action fold_skip() { }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_set = {
        void apply(inout pair_t value, out bit<32> rv) {
            value.lo = lane; value.hi = lane_2; rv = value.hi;
        }
    };
    action fold_set() { lane = alu_fold_set.execute(copy); }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_add = {
        void apply(inout pair_t value, out bit<32> rv) {
            value.lo = value.lo + lane; value.hi = value.hi + lane_2; rv = value.hi;
        }
    };
    action fold_add() { lane = alu_fold_add.execute(copy); }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_read_low = {
        void apply(inout pair_t value, out bit<32> rv) { rv = value.lo; }
    };
    action fold_read_low() { lane = alu_fold_read_low.execute(copy); }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_read_high = {
        void apply(inout pair_t value, out bit<32> rv) { rv = value.hi; }
    };
    action fold_read_high() { lane = alu_fold_read_high.execute(copy); }
    table fold {
        key = {
            phase : ternary; step : ternary; age : ternary; round_is : ternary; left : ternary;
            length : ternary;
        }
        actions = {
            fold_skip; fold_set; fold_add; fold_read_low; fold_read_high; @defaultonly NoAction;
        }
        const default_action = NoAction(); ENTRIES(8)
        const entries = {
            (0 &&& 2, _, _, _, _, 44) : fold_skip(); (0 &&& 2, _, 2, 2, _, _) : fold_set();
            (0 &&& 2, _, 2, 8, _, _) : fold_set(); (0 &&& 2, _, 2, 4, 0, _) : fold_skip();
            (0 &&& 2, _, 2, 4, _, _) : fold_add(); (0 &&& 2, _, 4, _, 0, _) : fold_read_high();
            (2, 0 &&& 1, _, _, _, _) : fold_read_low(); (2, 1 &&& 1, _, _, _, _) : fold_read_high();
        }
    }
    apply { fold.apply(); }
}
