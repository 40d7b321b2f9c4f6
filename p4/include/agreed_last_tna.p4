// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_last_digest() {
    meta.digest = hash_agreed_last_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode,
        hdr.immediate.exponent });
}
table agreed_last {
    actions = { agreed_last_digest; }
    const default_action = agreed_last_digest(); size = 1;
}
