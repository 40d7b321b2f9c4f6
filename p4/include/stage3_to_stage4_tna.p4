// Stage 3
folds.apply();
if (hdr.lane0.isValid()) {
    incoming0.apply(hdr.lane0.value, meta.incoming0);
    extract0.apply(hdr.lane0.value, meta.magnitude0, meta.adds0, meta.flag0);
}
// Stage 4
sign0.apply(hdr.lane0.value, meta.magnitude0, meta.signed0);
