// What the free bits have to bring about.
action lack_lack() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
table lack { actions = { lack_lack; } const default_action = lack_lack(); size = 1; }
// The tables take a byte each.
action split_lack_split() {
    meta.byte0 = hdr.bridge.crc[7:0]; meta.byte1 = hdr.bridge.crc[15:8];
    meta.byte2 = hdr.bridge.crc[23:16]; meta.byte3 = hdr.bridge.crc[31:24];
}
table split_lack {
    actions = { split_lack_split; }
    const default_action = split_lack_split(); size = 1;
}
