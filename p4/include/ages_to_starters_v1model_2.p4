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
table ages {
    actions = { ages_contribute; }
    const default_action = ages_contribute(); size = 1;
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
table starts {
    actions = { starts_contribute; }
    const default_action = starts_contribute(); size = 1;
}
// R-SLOT-7: the worker that a mismatch is reported with.
action starters_contribute() {
    @atomic {
        bit<64> word; reg_first.read(word, (bit<32>) meta.copy); bit<32> old_lo = word[31:0];
        bit<32> old_hi = word[63:32]; bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
        bit<32> new_hi = (first_holds) ? ((bit<32>) meta.worker) : (old_hi);
        reg_first.write((bit<32>) meta.copy, new_hi ++ new_lo);
        meta.first_worker = (bit<16>) old_hi;
    }
}
table starters {
    actions = { starters_contribute; }
    const default_action = starters_contribute(); size = 1;
}
