table ack_counter {
    key = { meta.around_again : ternary; meta.seen : ternary; }
    actions = { ack_counter_count; ack_counter_look; ack_counter_clear; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(3)
    const entries = {
        (0, 0) : ack_counter_count(); (0, _) : ack_counter_look(); (1, _) : ack_counter_clear();
    }
}
aggregate_unit() aggregate0; aggregate_unit() aggregate1; aggregate_unit() aggregate2;
aggregate_unit() aggregate3; aggregate_unit() aggregate4; aggregate_unit() aggregate5;
aggregate_unit() aggregate6; aggregate_unit() aggregate7;
// R-PISA-21: all have come, now or before; around once, and then to all workers.
action outcome_refuse() { INGRESS_DROP; }
action outcome_aggregated() {
    hdr.bridge.setValid(); hdr.bridge.clears = 8w1; EGRESS_PORT = 9w68;
}
action outcome_acknowledged() {
    hdr.bridge.setValid(); hdr.bridge.clears = 8w2; EGRESS_PORT = 9w68; hdr.p4sgd.acked = 8w1;
}
action outcome_aggregated_before() {
    hdr.bridge.setValid(); hdr.bridge.clears = 8w0; EGRESS_PORT = 9w68;
}
action outcome_acknowledged_before() {
    hdr.bridge.setValid(); hdr.bridge.clears = 8w0; EGRESS_PORT = 9w68; hdr.p4sgd.acked = 8w1;
}
action outcome_spread() { hdr.bridge.setInvalid(); MULTICAST_GROUP = 16w1; }
table outcome {
    key = {
        meta.around_again : ternary; meta.side : ternary; meta.seen : ternary;
        meta.reached : ternary;
    }
    actions = {
        outcome_refuse; outcome_aggregated; outcome_acknowledged; outcome_aggregated_before;
        outcome_acknowledged_before; outcome_spread;
    }
    const default_action = outcome_refuse(); ENTRIES(5)
    const entries = {
        (1, _, _, _) : outcome_spread(); (0, 1, 0, 2) : outcome_aggregated();
        (0, 2, 0, 2) : outcome_acknowledged(); (0, 1, _, 2) : outcome_aggregated_before();
        (0, 2, _, 2) : outcome_acknowledged_before();
    }
}
#define AGGREGATE(N) aggregate##N.apply(meta.around_again, meta.seen, \
    hdr.activations.value##N, hdr.p4sgd.seq)
