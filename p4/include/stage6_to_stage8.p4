// Stage 6
if (hdr.fpisa.op == 8w3) {
    magnitude0.apply(hdr.sum0.mantissa, meta.absolute0, meta.sign0);
}
// Stage 7
if (hdr.fpisa.op == 8w3) {
    normalise0.apply(meta.absolute0, hdr.sum0.exponent, meta.normal0,
        meta.normal_exponent0);
}
// Stage 8
if (hdr.fpisa.op == 8w3) {
    assemble0.apply(hdr.sum0.flags, meta.normal_exponent0, meta.normal0, meta.sign0,
        hdr.sum0.value);
}
