// R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
RegisterAction<int<32>, bit<16>, bit<4>>(reg_last) alu_ages_contribute = {
    void apply(inout int<32> value, out bit<4> rv) {
        rv = this.predicate(value - (int<32>) meta.key_ < 0, value == (int<32>) meta.key_);
        if (value - (int<32>) meta.key_ < 0) { value = (int<32>) meta.key_; }
    }
};
action ages_contribute() { meta.age = alu_ages_contribute.execute(meta.word); }
table ages {
    actions = { ages_contribute; }
    const default_action = ages_contribute(); size = 1;
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
table starts {
    actions = { starts_contribute; }
    const default_action = starts_contribute(); size = 1;
}
// R-SLOT-7: the worker that a mismatch is reported with.
RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_first) alu_starters_contribute = {
    void apply(inout signed_pair_t value, out int<32> rv) {
        rv = value.hi;
        if (value.lo - (int<32>) meta.key_ < 0) {
            value.lo = (int<32>) meta.key_; value.hi = (int<32>) (bit<32>) meta.worker;
        }
    }
};
action starters_contribute() {
    meta.first_worker = (bit<16>) (bit<32>) alu_starters_contribute.execute(meta.copy);
}
table starters {
    actions = { starters_contribute; }
    const default_action = starters_contribute(); size = 1;
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
    key = { meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is"); }
    actions = {
        counts_skip; counts_open; counts_join; counts_clash; counts_peek; @defaultonly NoAction;
    }
    const default_action = NoAction();
    const entries = {
        (1, _) : counts_skip(); (4, _) : counts_peek(); (2, 2) : counts_open();
        (2, 8) : counts_open(); (2, 4) : counts_join(); (2, 1) : counts_clash();
    }
    size = 6;
}
// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_begin = {
    void apply(inout int<16> value, out int<16> rv) {
        value = (int<16>) hdr.immediate.next_exponent; rv = value;
    }
};
action largests_begin() {
    meta.largest_exponent = (bit<16>) alu_largests_begin.execute(meta.copy);
}
RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_raise = {
    void apply(inout int<16> value, out int<16> rv) {
        value = max(value, (int<16>) hdr.immediate.next_exponent); rv = value;
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
    key = { meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is"); }
    actions = {
        largests_skip; largests_begin; largests_raise; largests_peek; @defaultonly NoAction;
    }
    const default_action = NoAction();
    const entries = {
        (1, _) : largests_skip(); (4, _) : largests_peek(); (2, 2) : largests_begin();
        (2, 8) : largests_begin(); (2, 4) : largests_raise();
    }
    size = 5;
}
