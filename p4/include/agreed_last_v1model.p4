// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_last_digest() {
    hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode,
        hdr.immediate.exponent }, 64w0x100000000);
}
table agreed_last {
    actions = { agreed_last_digest; }
    const default_action = agreed_last_digest(); size = 1;
}
