// R-PISA-55: the PSN of a result.
action number_result_number() { hdr.bth.psn = meta.key_[31:16] ++ meta.place[7:0]; }
table number_result {
    key = { meta.phase : ternary @name("phase"); hdr.bridge.step : ternary @name("step"); }
    actions = { number_result_number; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { (0, _) : number_result_number(); }
}
// R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
action ages_contribute() {
    @atomic {
        bit<32> word; reg_last.read(word, (bit<32>) meta.word); bit<32> old_lo = word;
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
// R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where
// two calls met.
action counts_skip() { }
action counts_open() {
    @atomic {
        bit<16> word; reg_count.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bool first_holds = (int<16>) (old_lo - 16w0) == 0;
        bit<16> new_lo = (first_holds) ? (meta.others) : ((!(first_holds)) ? (16w0xFFFF) :
            (old_lo));
        reg_count.write((bit<32>) meta.copy, new_lo); meta.left = old_lo;
    }
}
action counts_join() {
    @atomic {
        bit<16> word; reg_count.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bool first_holds = (int<16>) (old_lo - 16w0) == 0;
        bool second_holds = (int<16>) (old_lo - 16w0) < 0;
        bit<16> new_lo = (!(first_holds) && !(second_holds)) ? (old_lo - 16w1) : (old_lo);
        reg_count.write((bit<32>) meta.copy, new_lo); meta.left = old_lo;
    }
}
action counts_clash() {
    @atomic {
        bit<16> word; reg_count.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bool first_holds = (int<16>) (old_lo - 16w0) == 0;
        bit<16> new_lo = (!(first_holds)) ? (16w0xFFFF) : (old_lo);
        reg_count.write((bit<32>) meta.copy, new_lo); meta.left = old_lo;
    }
}
action counts_peek() {
    @atomic {
        bit<16> word; reg_count.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        meta.left = old_lo;
    }
}
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
}
// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
action largests_begin() {
    @atomic {
        bit<16> word; reg_largest.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bit<16> new_lo = hdr.immediate.next_exponent;
        reg_largest.write((bit<32>) meta.copy, new_lo); meta.largest_exponent = new_lo;
    }
}
action largests_raise() {
    @atomic {
        bit<16> word; reg_largest.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bit<16> new_lo = (int<16>) old_lo > (int<16>) hdr.immediate.next_exponent ? old_lo :
            hdr.immediate.next_exponent;
        reg_largest.write((bit<32>) meta.copy, new_lo); meta.largest_exponent = new_lo;
    }
}
action largests_peek() {
    @atomic {
        bit<16> word; reg_largest.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        meta.largest_exponent = old_lo;
    }
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
}
