// Stage 2
if (meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.known_seal == 1w1 &&
    meta.known_job == 1w1 && meta.known_member == 1w1 && meta.known_delivery == 1w1 &&
    meta.phase != 2w2) {
    counts.apply(); fills.apply(); largests.apply();
}
if (hdr.netfold.isValid()) { tell.apply(); }
