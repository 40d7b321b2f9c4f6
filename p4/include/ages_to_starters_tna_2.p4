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
