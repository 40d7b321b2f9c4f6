// Stage 0
if (hdr.bridge.mode == 8w3) { count_even.apply(); count_odd.apply(); }
// Stage 1
if (hdr.bridge.mode == 8w3) { count_count(); }
// Stage 9
if (hdr.bridge.mode == 8w3) { measure_measure(); }
// Stage 10
leave.apply();
