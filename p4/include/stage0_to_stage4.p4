// Stage 0
if (meta.side == 2w1) { agg_bitmap.apply(); }
else if (meta.side == 2w2) { ack_bitmap.apply(); }
// Stage 1
own_bit.apply();
// Stage 2
if (meta.side == 2w1) { agg_counter.apply(); }
else if (meta.side == 2w2) { ack_counter.apply(); }
if (meta.side == 2w1) {
    AGGREGATE(aggregate0, hdr.activations.value0);
    AGGREGATE(aggregate1, hdr.activations.value1);
}
// Stage 3
if (meta.side == 2w1) {
    AGGREGATE(aggregate2, hdr.activations.value2);
    AGGREGATE(aggregate3, hdr.activations.value3);
    AGGREGATE(aggregate4, hdr.activations.value4);
    AGGREGATE(aggregate5, hdr.activations.value5);
}
// Stage 4
if (meta.side == 2w1) {
    AGGREGATE(aggregate6, hdr.activations.value6);
    AGGREGATE(aggregate7, hdr.activations.value7);
}
outcome.apply();
