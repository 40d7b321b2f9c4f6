// Stage 0
if (hdr.bridge.worker == 16w0xFFFF && hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 &&
    hdr.bridge.mode != 8w4) {
    each_one();
}
// Stage 1
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    reach.apply();
}
// From stage 0 again
lead.apply();
sum.apply();
// Stage 2
split_sum.apply();
if (hdr.bth.opcode == 8w38) { head_first.apply(); }
// Stage 3
if (hdr.bth.opcode == 8w39) { head_middle.apply(); }
