// The state behind these lanes, with what they are to it.
action sum_sum() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
table sum {
    key = { hdr.bridge.mode : exact; }
    actions = { sum_sum; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : sum_sum(); 2 : sum_sum(); }
}
// The tables take a byte each.
action split_sum_split() {
    meta.byte0 = hdr.bridge.crc[7:0]; meta.byte1 = hdr.bridge.crc[15:8];
    meta.byte2 = hdr.bridge.crc[23:16]; meta.byte3 = hdr.bridge.crc[31:24];
}
table split_sum {
    key = { hdr.bridge.mode : exact; }
    actions = { split_sum_split; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : split_sum_split(); 2 : split_sum_split(); }
}
