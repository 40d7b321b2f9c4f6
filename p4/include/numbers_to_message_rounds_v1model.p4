// R-PISA-51: the round. R-PISA-53: the PSN. Both in upper bits, so that they wrap as registers
// do.
action numbers_number() {
    meta.key_ = hdr.reth.round ++ 16w0; meta.number = hdr.bth.psn ++ 8w0;
}
// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_first_digest() {
    hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode,
        hdr.reth.offset, hdr.reth.length }, 64w0x100000000);
}
// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_only_digest() {
    hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode,
        hdr.reth.offset, hdr.reth.length, hdr.immediate.exponent }, 64w0x100000000);
}
// R-PISA-53: UC takes a packet that begins a message, and one that goes on with it.
action sequence_begin() {
    @atomic {
        bit<32> new_lo = meta.number; bit<32> new_hi = meta.place;
        reg_expected.write((bit<32>) meta.message, new_hi ++ new_lo); meta.place = new_hi;
    }
}
action sequence_middle() {
    @atomic {
        bit<64> word; reg_expected.read(word, (bit<32>) meta.message);
        bit<32> old_lo = word[31:0]; bit<32> old_hi = word[63:32];
        bool first_holds = (int<32>) (old_lo - meta.number + 32w256) == 0;
        bool second_holds = (int<32>) (old_hi - 32w0xFFFFFFFE) < 0;
        bit<32> new_lo = ((first_holds) && (second_holds)) ? (meta.number) : (old_lo);
        bit<32> new_hi = ((first_holds) && (second_holds)) ? (old_hi + 32w1) :
            ((!((first_holds) && (second_holds))) ? (32w0) : (old_hi));
        reg_expected.write((bit<32>) meta.message, new_hi ++ new_lo); meta.place = new_hi;
    }
}
action sequence_last() {
    @atomic {
        bit<64> word; reg_expected.read(word, (bit<32>) meta.message);
        bit<32> old_lo = word[31:0]; bit<32> old_hi = word[63:32];
        bool first_holds = (int<32>) (old_lo - meta.number + 32w256) == 0;
        bool second_holds = (int<32>) (old_hi - 32w0xFFFFFFFE) == 0;
        bit<32> new_lo = ((first_holds) && (second_holds)) ? (meta.number) : (old_lo);
        bit<32> new_hi = ((first_holds) && (second_holds)) ? (old_hi + 32w1) :
            ((!((first_holds) && (second_holds))) ? (32w0) : (old_hi));
        reg_expected.write((bit<32>) meta.message, new_hi ++ new_lo); meta.place = new_hi;
    }
}
table sequence {
    key = { hdr.bth.opcode : exact; }
    actions = { sequence_begin; sequence_middle; sequence_last; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : sequence_middle(); 41 : sequence_last(); 38 : sequence_begin();
        43 : sequence_begin();
    }
}
// R-PISA-51: a message's packets belong to slots one after the other, and to one round.
action copies_begin() {
    @atomic {
        bit<16> new_lo = meta.copy; reg_message_copy.write((bit<32>) meta.message, new_lo);
        meta.copy = new_lo;
    }
}
action copies_go_on() {
    @atomic {
        bit<16> old_lo; reg_message_copy.read(old_lo, (bit<32>) meta.message);
        bit<16> new_lo = old_lo + 16w1; reg_message_copy.write((bit<32>) meta.message, new_lo);
        meta.copy = new_lo;
    }
}
table copies {
    key = { hdr.bth.opcode : exact; }
    actions = { copies_begin; copies_go_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : copies_go_on(); 41 : copies_go_on(); 38 : copies_begin(); 43 : copies_begin();
    }
}
// R-PISA-51: a message's packets belong to slots one after the other, and to one round.
action words_begin() {
    @atomic {
        bit<16> new_lo = meta.word; reg_message_word.write((bit<32>) meta.message, new_lo);
        meta.word = new_lo;
    }
}
action words_go_on() {
    @atomic {
        bit<16> old_lo; reg_message_word.read(old_lo, (bit<32>) meta.message);
        bit<16> new_lo = old_lo + 16w1; reg_message_word.write((bit<32>) meta.message, new_lo);
        meta.word = new_lo;
    }
}
table words {
    key = { hdr.bth.opcode : exact; }
    actions = { words_begin; words_go_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : words_go_on(); 41 : words_go_on(); 38 : words_begin(); 43 : words_begin();
    }
}
// R-PISA-51: a message's packets belong to slots one after the other, and to one round.
action message_rounds_begin() {
    @atomic {
        bit<32> new_lo = meta.key_; reg_message_round.write((bit<32>) meta.message, new_lo);
        meta.key_ = new_lo;
    }
}
action message_rounds_go_on() {
    @atomic {
        bit<32> old_lo; reg_message_round.read(old_lo, (bit<32>) meta.message);
        meta.key_ = old_lo;
    }
}
table message_rounds {
    key = { hdr.bth.opcode : exact; }
    actions = { message_rounds_begin; message_rounds_go_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : message_rounds_go_on(); 41 : message_rounds_go_on(); 38 : message_rounds_begin();
        43 : message_rounds_begin();
    }
}
