// Stage 0
if (hdr.bridge.mode != 8w4) { measure_measure(); }
// Stage 1
if (hdr.netfold.worker != 16w0xFFFF && hdr.bridge.mode != 8w4) { reach_one.apply(); }
else if (hdr.netfold.worker == 16w0xFFFF && hdr.bridge.mode != 8w4) { reach_each.apply(); }
copies.apply();
