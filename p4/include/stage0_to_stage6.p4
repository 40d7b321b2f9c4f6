// Stage 0
ports.apply();
if (hdr.sum0.isValid()) { incoming0.apply(); extract0.apply(); }
// Stage 1
sign0.apply(); exponents0.apply();
// Stage 2
distance0.apply();
// Stage 3
align0.apply();
// Stage 4
if (hdr.fpisa.op == 8w2) { limit0.apply(); }
// Stage 5
add0.apply();
// Stage 6
flag0.apply();
