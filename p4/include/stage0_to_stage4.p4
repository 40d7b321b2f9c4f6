// Stage 0
if (meta.side == 2w1) { agg_bitmap.apply(); }
else if (meta.side == 2w2) { ack_bitmap.apply(); }
// Stage 1
own_bit_test();
// Stage 2
if (meta.side == 2w1) { agg_counter.apply(); }
else if (meta.side == 2w2) { ack_counter.apply(); }
if (meta.side == 2w1) { AGGREGATE(0); AGGREGATE(1); }
// Stage 3
if (meta.side == 2w1) { AGGREGATE(2); AGGREGATE(3); AGGREGATE(4); AGGREGATE(5); }
// Stage 4
if (meta.side == 2w1) { AGGREGATE(6); AGGREGATE(7); }
outcome.apply();
