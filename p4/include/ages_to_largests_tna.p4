// R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
RegisterAction<int<32>, bit<16>, bit<4>>(reg_last) alu_ages_contribute = {
    void apply(inout int<32> value, out bit<4> rv) {
        rv = this.predicate(value - (int<32>) meta.key_ < 0, value == (int<32>) meta.key_);
        if (value - (int<32>) meta.key_ < 0) { value = (int<32>) meta.key_; }
    }
};
action ages_contribute() { meta.age = alu_ages_contribute.execute(meta.word); }
RegisterAction<int<32>, bit<16>, bit<4>>(reg_last) alu_ages_ask = {
    void apply(inout int<32> value, out bit<4> rv) {
        rv = this.predicate(value - (int<32>) meta.key_ < 0, value == (int<32>) meta.key_);
    }
};
action ages_ask() { meta.age = alu_ages_ask.execute(meta.word); }
table ages {
    key = { hdr.netfold.flags : ternary @name("flags"); }
    actions = { ages_contribute; ages_ask; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 4 &&& 4 : ages_ask(); _ : ages_contribute(); }
    size = 2;
}
// R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.
RegisterAction<signed_pair_t, bit<16>, bit<4>>(reg_round) alu_starts_contribute = {
    void apply(inout signed_pair_t value, out bit<4> rv) {
        rv = this.predicate(value.lo - (int<32>) meta.key_ < 0,
            value.hi == (int<32>) meta.digest);
        if (value.lo - (int<32>) meta.key_ < 0) {
            value.lo = (int<32>) meta.key_; value.hi = (int<32>) meta.digest;
        }
    }
};
action starts_contribute() { meta.round_is = alu_starts_contribute.execute(meta.copy); }
RegisterAction<signed_pair_t, bit<16>, bit<4>>(reg_round) alu_starts_ask = {
    void apply(inout signed_pair_t value, out bit<4> rv) {
        rv = this.predicate(value.lo - (int<32>) meta.key_ < 0,
            value.hi == (int<32>) meta.digest);
    }
};
action starts_ask() { meta.round_is = alu_starts_ask.execute(meta.copy); }
table starts {
    key = { hdr.netfold.flags : ternary @name("flags"); }
    actions = { starts_contribute; starts_ask; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 4 &&& 4 : starts_ask(); _ : starts_contribute(); }
    size = 2;
}
// R-SLOT-7: the worker that a mismatch is reported with.
RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_first) alu_starters_contribute = {
    void apply(inout signed_pair_t value, out int<32> rv) {
        rv = value.hi;
        if (value.lo - (int<32>) meta.key_ < 0) {
            value.lo = (int<32>) meta.key_; value.hi = (int<32>) meta.sender;
        }
    }
};
action starters_contribute() {
    meta.first_worker = (bit<32>) alu_starters_contribute.execute(meta.copy);
}
RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_first) alu_starters_ask = {
    void apply(inout signed_pair_t value, out int<32> rv) { rv = value.hi; }
};
action starters_ask() { meta.first_worker = (bit<32>) alu_starters_ask.execute(meta.copy); }
table starters {
    key = { hdr.netfold.flags : ternary @name("flags"); }
    actions = { starters_contribute; starters_ask; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 4 &&& 4 : starters_ask(); _ : starters_contribute(); }
    size = 2;
}
// R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where
// two calls met.
action counts_skip() { }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_open = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (value == 0) { value = (int<16>) meta.others; }
        else { value = -1; }
    }
};
action counts_open() { meta.left = (bit<16>) alu_counts_open.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_join = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (!(value == 0) && !(value < 0)) { value = value - 1; }
    }
};
action counts_join() { meta.left = (bit<16>) alu_counts_join.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_clash = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (!(value == 0)) { value = -1; }
    }
};
action counts_clash() { meta.left = (bit<16>) alu_counts_clash.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_peek = {
    void apply(inout int<16> value, out int<16> rv) { rv = value; }
};
action counts_peek() { meta.left = (bit<16>) alu_counts_peek.execute(meta.copy); }
table counts {
    key = {
        meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
        hdr.netfold.flags : ternary @name("flags"); meta.order : ternary @name("order");
    }
    actions = {
        counts_skip; counts_open; counts_join; counts_clash; counts_peek; @defaultonly NoAction;
    }
    const default_action = NoAction();
    const entries = {
        (1, _, _, _) : counts_skip(); (_, _, 4 &&& 4, _) : counts_peek();
        (4, _, _, _) : counts_peek(); (2, 2, _, _) : counts_open();
        (2, 8, _, _) : counts_open(); (2, 4, _, _) : counts_join();
        (2, 1, _, _) : counts_clash();
    }
    size = 7;
}
// R-SLOT-2: whether these are the round's first lanes.
action fills_skip() { }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_mark = {
    void apply(inout bit<8> value, out bit<8> rv) { rv = value; value = 1; }
};
action fills_mark() { meta.was_filled = alu_fills_mark.execute(meta.copy); }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_wipe = {
    void apply(inout bit<8> value, out bit<8> rv) { value = 0; rv = value; }
};
action fills_wipe() { meta.was_filled = alu_fills_wipe.execute(meta.copy); }
RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_peek = {
    void apply(inout bit<8> value, out bit<8> rv) { rv = value; }
};
action fills_peek() { meta.was_filled = alu_fills_peek.execute(meta.copy); }
table fills {
    key = {
        meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
        hdr.netfold.flags : ternary @name("flags"); meta.order : ternary @name("order");
    }
    actions = { fills_skip; fills_mark; fills_wipe; fills_peek; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        (1, _, _, _) : fills_skip(); (_, _, 4 &&& 4, _) : fills_peek();
        (4, _, _, _) : fills_peek(); (2, 2, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 2, _, _) : fills_wipe(); (2, 8, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 8, _, _) : fills_wipe(); (2, 4, 0 &&& 2, 2 &&& 2) : fills_mark();
        (2, 4, _, _) : fills_peek();
    }
    size = 9;
}
// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_begin = {
    void apply(inout int<16> value, out int<16> rv) {
        value = (int<16>) hdr.netfold.next_exponent; rv = value;
    }
};
action largests_begin() {
    meta.largest_exponent = (bit<16>) alu_largests_begin.execute(meta.copy);
}
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_raise = {
    void apply(inout int<16> value, out int<16> rv) {
        value = max(value, (int<16>) hdr.netfold.next_exponent); rv = value;
    }
};
action largests_raise() {
    meta.largest_exponent = (bit<16>) alu_largests_raise.execute(meta.copy);
}
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_peek = {
    void apply(inout int<16> value, out int<16> rv) { rv = value; }
};
action largests_peek() {
    meta.largest_exponent = (bit<16>) alu_largests_peek.execute(meta.copy);
}
table largests {
    key = {
        meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
        hdr.netfold.flags : ternary @name("flags"); meta.order : ternary @name("order");
    }
    actions = {
        largests_skip; largests_begin; largests_raise; largests_peek; @defaultonly NoAction;
    }
    const default_action = NoAction();
    const entries = {
        (1, _, _, _) : largests_skip(); (_, _, 4 &&& 4, _) : largests_peek();
        (4, _, _, _) : largests_peek(); (2, 2, _, _) : largests_begin();
        (2, 8, _, _) : largests_begin(); (2, 4, _, _) : largests_raise();
    }
    size = 6;
}
