// Lanes that have been taken in (R-PISA-15).
action hide0_hide() { hdr.lanes_32.setInvalid(); }
// Lanes that have been taken in (R-PISA-15).
action hide1_hide() { hdr.lanes_16.setInvalid(); }
// Lanes that have been taken in (R-PISA-15).
action hide2_hide() { hdr.lanes_8.setInvalid(); }
// Lanes that have been taken in (R-PISA-15).
action hide3_hide() { hdr.lanes_4.setInvalid(); }
// Lanes that have been taken in (R-PISA-15).
action hide4_hide() { hdr.lanes_2.setInvalid(); }
// Lanes that have been taken in (R-PISA-15).
action hide5_hide() { hdr.lanes_1.setInvalid(); }
// Lanes that have been taken in (R-PISA-15).
action hide6_hide() { hdr.lanes_last.setInvalid(); }
// R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the
// control plane, or nowhere.
action outcome_refuse() { INGRESS_DROP; }
action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
action outcome_onward(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w1; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0; hdr.bridge.rest = meta.rest;
}
action outcome_recall() {
    hdr.lanes_32.setInvalid(); hdr.lanes_16.setInvalid(); hdr.lanes_8.setInvalid();
    hdr.lanes_4.setInvalid(); hdr.lanes_2.setInvalid(); hdr.lanes_1.setInvalid();
    hdr.lanes_last.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w7;
    hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_gather(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w2;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0;
    hdr.netfold.worker = 16w0xFFFF;
}
action outcome_gather_one(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w2;
    hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w1;
}
action outcome_relay(bit<8> step) {
    hdr.lanes_32.setInvalid(); hdr.lanes_16.setInvalid(); hdr.lanes_8.setInvalid();
    hdr.lanes_4.setInvalid(); hdr.lanes_2.setInvalid(); hdr.lanes_1.setInvalid();
    hdr.lanes_last.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
    hdr.bridge.mode = 8w5; hdr.bridge.step = step; hdr.bridge.single = 8w1;
    MULTICAST_GROUP = meta.relay_group;
}
action outcome_spread() {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
    hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_spread_empty() {
    hdr.lanes_32.setInvalid(); hdr.lanes_16.setInvalid(); hdr.lanes_8.setInvalid();
    hdr.lanes_4.setInvalid(); hdr.lanes_2.setInvalid(); hdr.lanes_1.setInvalid();
    hdr.lanes_last.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w3;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
    hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_reply() {
    hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
    EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_reply_empty() {
    hdr.lanes_32.setInvalid(); hdr.lanes_16.setInvalid(); hdr.lanes_8.setInvalid();
    hdr.lanes_4.setInvalid(); hdr.lanes_2.setInvalid(); hdr.lanes_1.setInvalid();
    hdr.lanes_last.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w3;
    hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
    EGRESS_PORT = (bit<9>) meta.member_port;
}
action outcome_harvest(bit<8> step, bit<16> port) {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
    EGRESS_PORT = (bit<9>) port;
}
action outcome_spread_whole() {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
}
action outcome_reply_whole() {
    hdr.bridge.setValid(); hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
}
