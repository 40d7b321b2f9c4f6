// Stage 9
if (hdr.lane0.isValid()) { magnitude0.apply(hdr.lane0.value, meta.absolute0, meta.sign0); }
// Stage 10
if (hdr.lane0.isValid()) {
    normalise0.apply(meta.absolute0, hdr.found.exponent0, meta.normal0,
        meta.normal_exponent0);
}
// Stage 11
if (hdr.lane0.isValid()) {
    assemble0.apply(hdr.found.flags0, meta.normal_exponent0, meta.normal0, meta.sign0,
        hdr.lane0.value);
}
if (hdr.found.isValid()) { strip_found_strip(); }
