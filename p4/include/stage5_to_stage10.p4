join.apply();
// Stage 6
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    lack_lack();
}
// Stage 7
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    split_lack_split();
}
// Stage 8
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    choose0.apply();
}
// Stage 9
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    choose1.apply();
}
// Stage 10
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    choose2.apply();
}
