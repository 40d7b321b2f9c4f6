// R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
action ages_contribute() {
    @atomic {
        bit<32> old_lo; reg_last.read(old_lo, (bit<32>) meta.word);
        bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bool second_holds = (int<32>) (old_lo - meta.key_) == 0;
        bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
        reg_last.write((bit<32>) meta.word, new_lo);
        meta.age = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
    }
}
action ages_ask() {
    @atomic {
        bit<32> old_lo; reg_last.read(old_lo, (bit<32>) meta.word);
        bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bool second_holds = (int<32>) (old_lo - meta.key_) == 0;
        meta.age = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
    }
}
table ages {
    key = { hdr.netfold.flags : ternary; }
    actions = { ages_contribute; ages_ask; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 4 &&& 4 : ages_ask(); _ : ages_contribute(); }
}
// R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.
action starts_contribute() {
    @atomic {
        bit<64> word; reg_round.read(word, (bit<32>) meta.copy); bit<32> old_lo = word[31:0];
        bit<32> old_hi = word[63:32]; bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bool second_holds = (int<32>) (old_hi - meta.digest) == 0;
        bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
        bit<32> new_hi = (first_holds) ? (meta.digest) : (old_hi);
        reg_round.write((bit<32>) meta.copy, new_hi ++ new_lo);
        meta.round_is = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
    }
}
action starts_ask() {
    @atomic {
        bit<64> word; reg_round.read(word, (bit<32>) meta.copy); bit<32> old_lo = word[31:0];
        bit<32> old_hi = word[63:32]; bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bool second_holds = (int<32>) (old_hi - meta.digest) == 0;
        meta.round_is = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
    }
}
table starts {
    key = { hdr.netfold.flags : ternary; }
    actions = { starts_contribute; starts_ask; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 4 &&& 4 : starts_ask(); _ : starts_contribute(); }
}
// R-SLOT-7: the worker that a mismatch is reported with.
action starters_contribute() {
    @atomic {
        bit<64> word; reg_first.read(word, (bit<32>) meta.copy); bit<32> old_lo = word[31:0];
        bit<32> old_hi = word[63:32]; bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
        bit<32> new_hi = (first_holds) ? (meta.sender) : (old_hi);
        reg_first.write((bit<32>) meta.copy, new_hi ++ new_lo); meta.first_worker = old_hi;
    }
}
action starters_ask() {
    @atomic {
        bit<64> word; reg_first.read(word, (bit<32>) meta.copy); bit<32> old_hi = word[63:32];
        meta.first_worker = old_hi;
    }
}
table starters {
    key = { hdr.netfold.flags : ternary; }
    actions = { starters_contribute; starters_ask; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 4 &&& 4 : starters_ask(); _ : starters_contribute(); }
}
