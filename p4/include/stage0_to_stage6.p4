// Stage 0
ports.apply();
if (hdr.sum0.isValid()) {
    incoming0.apply(hdr.sum0.value, meta.incoming0);
    extract0.apply(hdr.sum0.value, meta.magnitude0, meta.adds0, meta.flag0);
}
// Stage 1
sign0.apply(hdr.sum0.value, meta.magnitude0, meta.signed0);
exponents0.apply(hdr.fpisa.op, meta.adds0, meta.incoming0, hdr.fpisa.index, meta.stored0,
    hdr.sum0.exponent);
// Stage 2
distance0.apply(meta.incoming0, meta.stored0, meta.distance0);
// Stage 3
align0.apply(meta.distance0, meta.signed0, meta.shifted0);
// Stage 4
if (hdr.fpisa.op == 8w2) { limit0.apply(meta.shifted0, meta.limit0); }
// Stage 5
add0.apply(hdr.fpisa.op, meta.adds0, meta.distance0, meta.shifted0, hdr.fpisa.index,
    meta.limit0, hdr.sum0.mantissa, meta.added0);
// Stage 6
flag0.apply(hdr.fpisa.op, meta.added0, meta.shifted0, meta.flag0, hdr.fpisa.index,
    hdr.sum0.flags);
