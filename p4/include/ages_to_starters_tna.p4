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
    key = { hdr.netfold.flags : ternary; }
    actions = { ages_contribute; ages_ask; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 4 &&& 4 : ages_ask(); _ : ages_contribute(); }
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
    key = { hdr.netfold.flags : ternary; }
    actions = { starts_contribute; starts_ask; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 4 &&& 4 : starts_ask(); _ : starts_contribute(); }
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
    key = { hdr.netfold.flags : ternary; }
    actions = { starters_contribute; starters_ask; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 4 &&& 4 : starters_ask(); _ : starters_contribute(); }
}
