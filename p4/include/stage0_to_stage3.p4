// Stage 0
carry_carry();
if (meta.phase != 2w2) { begin_begin(); }
shapes.apply();
if (hdr.immediate.isValid()) { exponents.apply(); }
else if (!hdr.immediate.isValid()) { no_exponents_pass(); }
queue_pairs.apply();
if (hdr.reth.isValid() && meta.phase != 2w2) { jobs.apply(); }
else if (meta.phase == 2w2) { resume_resume(); }
numbers_number();
if (hdr.bth.opcode == 8w38) { agreed_first_digest(); }
else if (hdr.bth.opcode == 8w43) { agreed_only_digest(); }
// Stage 1
if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 &&
    meta.phase != 2w2) {
    sequence.apply(); copies.apply(); words.apply(); message_rounds.apply();
}
if (hdr.bth.opcode == 8w39) { agreed_middle_digest(); }
else if (hdr.bth.opcode == 8w41) { agreed_last_digest(); }
if (meta.known_pair == 1w0) { forward.apply(); }
// Stage 3
if (meta.known_pair == 1w1) { number_result.apply(); }
// From stage 2 again
if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 &&
    meta.phase != 2w2 && meta.place != 32w0) {
    ages.apply(); starts.apply(); starters.apply();
}
if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 &&
    meta.phase != 2w2 && meta.place != 32w0) {
    counts.apply();
}
if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 &&
    meta.phase != 2w2 && meta.place != 32w0 && hdr.immediate.isValid()) {
    largests.apply();
}
