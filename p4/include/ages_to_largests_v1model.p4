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
action ages_ask() {
    @atomic {
        bit<32> word; reg_last.read(word, (bit<32>) meta.word); bit<32> old_lo = word;
        bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        bool second_holds = (int<32>) (old_lo - meta.key_) == 0;
        meta.age = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
    }
}
table ages {
    key = { hdr.netfold.flags : ternary @name("flags"); }
    actions = { ages_contribute; ages_ask; @defaultonly NoAction; }
    const default_action = NoAction();
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
    key = { hdr.netfold.flags : ternary @name("flags"); }
    actions = { starts_contribute; starts_ask; @defaultonly NoAction; }
    const default_action = NoAction();
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
        bit<64> word; reg_first.read(word, (bit<32>) meta.copy); bit<32> old_lo = word[31:0];
        bit<32> old_hi = word[63:32]; bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
        meta.first_worker = old_hi;
    }
}
table starters {
    key = { hdr.netfold.flags : ternary @name("flags"); }
    actions = { starters_contribute; starters_ask; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 4 &&& 4 : starters_ask(); _ : starters_contribute(); }
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
}
// R-SLOT-2: whether these are the round's first lanes.
action fills_skip() { }
action fills_mark() {
    @atomic {
        bit<8> word; reg_filled.read(word, (bit<32>) meta.copy); bit<8> old_lo = word;
        bit<8> new_lo = 8w1; reg_filled.write((bit<32>) meta.copy, new_lo);
        meta.was_filled = old_lo;
    }
}
action fills_wipe() {
    @atomic {
        bit<8> word; reg_filled.read(word, (bit<32>) meta.copy); bit<8> old_lo = word;
        bit<8> new_lo = 8w0; reg_filled.write((bit<32>) meta.copy, new_lo);
        meta.was_filled = new_lo;
    }
}
action fills_peek() {
    @atomic {
        bit<8> word; reg_filled.read(word, (bit<32>) meta.copy); bit<8> old_lo = word;
        meta.was_filled = old_lo;
    }
}
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
}
// R-SLOT-5: the maximum, from the first contribution on.
action largests_skip() { }
action largests_begin() {
    @atomic {
        bit<16> word; reg_largest.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bit<16> new_lo = hdr.netfold.next_exponent;
        reg_largest.write((bit<32>) meta.copy, new_lo); meta.largest_exponent = new_lo;
    }
}
action largests_raise() {
    @atomic {
        bit<16> word; reg_largest.read(word, (bit<32>) meta.copy); bit<16> old_lo = word;
        bit<16> new_lo = (int<16>) old_lo > (int<16>) hdr.netfold.next_exponent ? old_lo :
            hdr.netfold.next_exponent;
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
}
