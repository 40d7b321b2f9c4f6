// R-PISA-54, R-SLOT-7: what the packets of a round agree on.
action agreed_middle_digest() { meta.digest = (bit<32>) hdr.bth.dest_qp; }
table agreed_middle {
    actions = { agreed_middle_digest; }
    const default_action = agreed_middle_digest(); size = 1;
}
