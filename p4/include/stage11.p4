// Stage 11
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
    choose3.apply();
}
if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2) { strip_bare(); }
