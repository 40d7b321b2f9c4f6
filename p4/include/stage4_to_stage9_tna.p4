// Stage 4
exponents0.apply();
// Stage 5
distance0.apply();
// Stage 6
align0.apply();
// Stage 7
if (meta.sums_are == 8w2) { limit0.apply(); }
// Stage 8
add0.apply();
// Stage 9
flag0.apply();
if (hdr.netfold.isValid()) { outcome.apply(); }
