// From stage 4 again
exponents0.apply();
distance0.apply(meta.incoming0, meta.stored0, meta.distance0);
// Stage 6
align0.apply(meta.distance0, meta.signed0, meta.shifted0);
// Stage 7
if (meta.sums_are == 8w2) { limit0.apply(meta.shifted0, meta.limit0); }
// Stage 8
add0.apply(meta.sums_are, meta.adds0, meta.distance0, meta.shifted0, meta.copy, meta.limit0,
    hdr.lane0.value, meta.added0);
// Stage 9
flag0.apply(meta.sums_are, meta.added0, meta.shifted0, meta.flag0, meta.copy,
    meta.overflowed0, hdr.found.flags0);
if (hdr.netfold.isValid()) { outcome.apply(); }
