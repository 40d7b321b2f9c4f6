// Stage 0
shapes.apply(); exponents.apply(); sealed.apply(); jobs.apply(); members.apply();
deliveries.apply(); rounds_number(); digests_digest();
if (meta.phase == 2w0) { first_rest_leave(); }
else if (meta.phase == 2w1) { again_rest_leave(); }
if (!hdr.netfold.isValid()) { forward.apply(); }
// Stage 1
if (meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.known_seal == 1w1 &&
    meta.known_job == 1w1 && meta.known_member == 1w1 && meta.known_delivery == 1w1 &&
    meta.phase != 2w2) {
    ages.apply(); starts.apply(); starters.apply();
}
