// What the free bits have to bring about.
action lack_lack() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
// The tables take a byte each.
action split_lack_split() {
    meta.byte0 = hdr.bridge.crc[7:0]; meta.byte1 = hdr.bridge.crc[15:8];
    meta.byte2 = hdr.bridge.crc[23:16]; meta.byte3 = hdr.bridge.crc[31:24];
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose0_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = identification; hdr.udp.src_port = src_port;
}
table choose0 {
    key = { hdr.bth.opcode : exact; meta.byte0 : exact; }
    actions = { choose0_choose; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1024)
    #define E(k0, k1, v0, v1) (k0, k1) : choose0_choose(v0, v1);
    const entries = {
        #include "../lists/choose0.entries"
    }
    #undef E
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose1_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
    hdr.udp.src_port = hdr.udp.src_port ^ src_port;
}
table choose1 {
    key = { hdr.bth.opcode : exact; meta.byte1 : exact; }
    actions = { choose1_choose; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1024)
    #define E(k0, k1, v0, v1) (k0, k1) : choose1_choose(v0, v1);
    const entries = {
        #include "../lists/choose1.entries"
    }
    #undef E
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose2_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
    hdr.udp.src_port = hdr.udp.src_port ^ src_port;
}
table choose2 {
    key = { hdr.bth.opcode : exact; meta.byte2 : exact; }
    actions = { choose2_choose; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1024)
    #define E(k0, k1, v0, v1) (k0, k1) : choose2_choose(v0, v1);
    const entries = {
        #include "../lists/choose2.entries"
    }
    #undef E
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose3_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
    hdr.udp.src_port = hdr.udp.src_port ^ src_port;
}
table choose3 {
    key = { hdr.bth.opcode : exact; meta.byte3 : exact; }
    actions = { choose3_choose; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(1024)
    #define E(k0, k1, v0, v1) (k0, k1) : choose3_choose(v0, v1);
    const entries = {
        #include "../lists/choose3.entries"
    }
    #undef E
}
