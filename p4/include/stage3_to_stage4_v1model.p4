// Stage 3
folds.apply();
if (hdr.lane0.isValid()) {
    INCOMING(incoming0, hdr.lane0.value, meta.incoming0);
    EXTRACT(extract0, hdr.lane0.value, meta.magnitude0, meta.adds0, meta.flag0);
}
// Stage 4
SIGN(sign0, hdr.lane0.value, meta.magnitude0, meta.signed0);
// Stage 3
if (hdr.lane1.isValid()) {
    INCOMING(incoming1, hdr.lane1.value, meta.incoming1);
    EXTRACT(extract1, hdr.lane1.value, meta.magnitude1, meta.adds1, meta.flag1);
}
// Stage 4
SIGN(sign1, hdr.lane1.value, meta.magnitude1, meta.signed1);
// Stage 3
if (hdr.lane2.isValid()) {
    INCOMING(incoming2, hdr.lane2.value, meta.incoming2);
    EXTRACT(extract2, hdr.lane2.value, meta.magnitude2, meta.adds2, meta.flag2);
}
// Stage 4
SIGN(sign2, hdr.lane2.value, meta.magnitude2, meta.signed2);
// Stage 3
if (hdr.lane3.isValid()) {
    INCOMING(incoming3, hdr.lane3.value, meta.incoming3);
    EXTRACT(extract3, hdr.lane3.value, meta.magnitude3, meta.adds3, meta.flag3);
}
// Stage 4
SIGN(sign3, hdr.lane3.value, meta.magnitude3, meta.signed3);
