// R-PISA-59: what these lanes are to the ICRC.
action hash_early_hash() {
    meta.term = hash_hash_early_hash_term.get({ hdr.rest.lane0, hdr.rest.lane1, hdr.rest.lane2,
        hdr.rest.lane3, hdr.rest.lane4, hdr.rest.lane5, hdr.rest.lane6, hdr.rest.lane7,
        hdr.rest.lane8, hdr.rest.lane9, hdr.rest.lane10, hdr.rest.lane11, hdr.rest.lane12,
        hdr.rest.lane13, hdr.rest.lane14, hdr.rest.lane15, 384w0 });
}
// R-PISA-59: what these lanes are to the ICRC.
action hash_late_hash() {
    hdr.bridge.late = hash_hash_late_hash_late.get({ hdr.rest.lane16, hdr.rest.lane17,
        hdr.rest.lane18, hdr.rest.lane19, hdr.rest.lane20, hdr.rest.lane21, hdr.rest.lane22,
        hdr.rest.lane23, hdr.rest.lane24, hdr.rest.lane25, hdr.rest.lane26, hdr.rest.lane27 });
}
