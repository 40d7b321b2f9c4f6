// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose0_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = identification; hdr.udp.src_port = src_port;
}
table choose0 {
    key = { hdr.bth.opcode : exact @name("opcode"); meta.byte0 : exact @name("byte0"); }
    actions = { choose0_choose; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/choose0.entries"
    }
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose1_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
    hdr.udp.src_port = hdr.udp.src_port ^ src_port;
}
table choose1 {
    key = { hdr.bth.opcode : exact @name("opcode"); meta.byte1 : exact @name("byte1"); }
    actions = { choose1_choose; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/choose1.entries"
    }
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose2_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
    hdr.udp.src_port = hdr.udp.src_port ^ src_port;
}
table choose2 {
    key = { hdr.bth.opcode : exact @name("opcode"); meta.byte2 : exact @name("byte2"); }
    actions = { choose2_choose; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/choose2.entries"
    }
}
// R-PISA-58: the bits of identification and source port that make the ICRC 0.
action choose3_choose(bit<16> identification, bit<16> src_port) {
    hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
    hdr.udp.src_port = hdr.udp.src_port ^ src_port;
}
table choose3 {
    key = { hdr.bth.opcode : exact @name("opcode"); meta.byte3 : exact @name("byte3"); }
    actions = { choose3_choose; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/choose3.entries"
    }
}
