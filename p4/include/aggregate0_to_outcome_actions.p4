aggregate_unit() aggregate0;
aggregate_unit() aggregate1;
aggregate_unit() aggregate2;
aggregate_unit() aggregate3;
aggregate_unit() aggregate4;
aggregate_unit() aggregate5;
aggregate_unit() aggregate6;
aggregate_unit() aggregate7;
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
