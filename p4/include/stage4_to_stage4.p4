// Stage 4
if (hdr.bth.opcode == 8w41) { head_last.apply(); }
// Stage 5
if (hdr.bth.opcode == 8w43) { head_only.apply(); }
// From stage 3 again
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6) {
    before0.apply(); before1.apply();
}
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6) {
    before2.apply(); before3.apply();
}
