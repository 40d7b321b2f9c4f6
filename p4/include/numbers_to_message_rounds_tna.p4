// R-PISA-51: the round. R-PISA-53: the PSN. Both in upper bits, so that they wrap as registers
// do.
action numbers_number() {
    meta.key_[31:16] = hdr.reth.round; meta.key_[15:0] = 0;
    meta.number[31:8] = hdr.bth.psn; meta.number[7:0] = 0;
}
// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_first_digest() {
    meta.digest = hash_agreed_first_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode,
        hdr.reth.offset, hdr.reth.length });
}
// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_only_digest() {
    meta.digest = hash_agreed_only_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode,
        hdr.reth.offset, hdr.reth.length, hdr.immediate.exponent });
}
// R-PISA-53: UC takes a packet that begins a message, and one that goes on with it.
RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_expected) alu_sequence_begin = {
    void apply(inout signed_pair_t value, out int<32> rv) {
        value.lo = (int<32>) meta.number; value.hi = (int<32>) meta.place; rv = value.hi;
    }
};
action sequence_begin() { meta.place = (bit<32>) alu_sequence_begin.execute(meta.message); }
RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_expected) alu_sequence_middle = {
    void apply(inout signed_pair_t value, out int<32> rv) {
        if ((value.lo - (int<32>) meta.number == -256) && (value.hi - -2 < 0)) {
            value.lo = (int<32>) meta.number; value.hi = value.hi + 1;
        }
        else { value.hi = 0; }
        rv = value.hi;
    }
};
action sequence_middle() { meta.place = (bit<32>) alu_sequence_middle.execute(meta.message); }
RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_expected) alu_sequence_last = {
    void apply(inout signed_pair_t value, out int<32> rv) {
        if ((value.lo - (int<32>) meta.number == -256) && (value.hi == -2)) {
            value.lo = (int<32>) meta.number; value.hi = value.hi + 1;
        }
        else { value.hi = 0; }
        rv = value.hi;
    }
};
action sequence_last() { meta.place = (bit<32>) alu_sequence_last.execute(meta.message); }
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
RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_copy) alu_copies_begin = {
    void apply(inout bit<16> value, out bit<16> rv) { value = meta.copy; rv = value; }
};
action copies_begin() { meta.copy = alu_copies_begin.execute(meta.message); }
RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_copy) alu_copies_go_on = {
    void apply(inout bit<16> value, out bit<16> rv) { value = value + 1; rv = value; }
};
action copies_go_on() { meta.copy = alu_copies_go_on.execute(meta.message); }
table copies {
    key = { hdr.bth.opcode : exact; }
    actions = { copies_begin; copies_go_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : copies_go_on(); 41 : copies_go_on(); 38 : copies_begin(); 43 : copies_begin();
    }
}
// R-PISA-51: a message's packets belong to slots one after the other, and to one round.
RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_word) alu_words_begin = {
    void apply(inout bit<16> value, out bit<16> rv) { value = meta.word; rv = value; }
};
action words_begin() { meta.word = alu_words_begin.execute(meta.message); }
RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_word) alu_words_go_on = {
    void apply(inout bit<16> value, out bit<16> rv) { value = value + 1; rv = value; }
};
action words_go_on() { meta.word = alu_words_go_on.execute(meta.message); }
table words {
    key = { hdr.bth.opcode : exact; }
    actions = { words_begin; words_go_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : words_go_on(); 41 : words_go_on(); 38 : words_begin(); 43 : words_begin();
    }
}
// R-PISA-51: a message's packets belong to slots one after the other, and to one round.
RegisterAction<bit<32>, bit<16>, bit<32>>(reg_message_round) alu_message_rounds_begin = {
    void apply(inout bit<32> value, out bit<32> rv) { value = meta.key_; rv = value; }
};
action message_rounds_begin() { meta.key_ = alu_message_rounds_begin.execute(meta.message); }
RegisterAction<bit<32>, bit<16>, bit<32>>(reg_message_round) alu_message_rounds_go_on = {
    void apply(inout bit<32> value, out bit<32> rv) { rv = value; }
};
action message_rounds_go_on() { meta.key_ = alu_message_rounds_go_on.execute(meta.message); }
table message_rounds {
    key = { hdr.bth.opcode : exact; }
    actions = { message_rounds_begin; message_rounds_go_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(4)
    const entries = {
        39 : message_rounds_go_on(); 41 : message_rounds_go_on(); 38 : message_rounds_begin();
        43 : message_rounds_begin();
    }
}
