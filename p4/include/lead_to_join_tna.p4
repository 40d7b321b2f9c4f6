// R-PISA-59: the lanes that ingress had last.
action lead_hash() {
    meta.term = hash_lead_hash_term.get({ hdr.front.lane0, hdr.front.lane1, hdr.front.lane2,
        hdr.front.lane3, 896w0 });
    hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late;
}
table lead {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { lead_hash; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : lead_hash(); 2 : lead_hash(); }
    size = 2;
}
// The state behind these lanes, with what they are to it.
action sum_sum() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
table sum {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { sum_sum; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : sum_sum(); 2 : sum_sum(); }
    size = 2;
}
// The tables take a byte each.
action split_sum_split() {
    meta.byte0 = hdr.bridge.crc[7:0]; meta.byte1 = hdr.bridge.crc[15:8];
    meta.byte2 = hdr.bridge.crc[23:16]; meta.byte3 = hdr.bridge.crc[31:24];
}
table split_sum {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { split_sum_split; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : split_sum_split(); 2 : split_sum_split(); }
    size = 2;
}
// R-PISA-57: the CRC of the header, with 0 for identification and source port.
action head_first_hash() {
    meta.term = hash_head_first_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl,
        8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol,
        16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length,
        16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp,
        hdr.bth.acknowledge, hdr.bth.psn, hdr.reth.base, hdr.reth.offset, hdr.reth.round,
        hdr.reth.slot, hdr.reth.length });
}
table head_first {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { head_first_hash; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : head_first_hash(); 6 : head_first_hash(); }
    size = 2;
}
// R-PISA-57: the CRC of the header, with 0 for identification and source port.
action head_middle_hash() {
    meta.term = hash_head_middle_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl,
        8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol,
        16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length,
        16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp,
        hdr.bth.acknowledge, hdr.bth.psn });
}
table head_middle {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { head_middle_hash; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : head_middle_hash(); 6 : head_middle_hash(); }
    size = 2;
}
// R-PISA-57: the CRC of the header, with 0 for identification and source port.
action head_last_hash() {
    meta.term = hash_head_last_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl,
        8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol,
        16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length,
        16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp,
        hdr.bth.acknowledge, hdr.bth.psn, hdr.immediate.exponent,
        hdr.immediate.next_exponent });
}
table head_last {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { head_last_hash; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : head_last_hash(); 6 : head_last_hash(); }
    size = 2;
}
// R-PISA-57: the CRC of the header, with 0 for identification and source port.
action head_only_hash() {
    meta.term = hash_head_only_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl,
        8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol,
        16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length,
        16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp,
        hdr.bth.acknowledge, hdr.bth.psn, hdr.reth.base, hdr.reth.offset, hdr.reth.round,
        hdr.reth.slot, hdr.reth.length, hdr.immediate.exponent, hdr.immediate.next_exponent });
}
table head_only {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { head_only_hash; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : head_only_hash(); 6 : head_only_hash(); }
    size = 2;
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before0_change(bit<32> bits) { hdr.bridge.crc = bits; }
table before0 {
    key = { meta.byte0 : exact @name("byte0"); }
    actions = { before0_change; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/before0.entries"
    }
    size = 256;
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before1_change(bit<32> bits) { hdr.bridge.late = bits; }
table before1 {
    key = { meta.byte1 : exact @name("byte1"); }
    actions = { before1_change; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/before1.entries"
    }
    size = 256;
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before2_change(bit<32> bits) { hdr.bridge.crc = hdr.bridge.crc ^ bits; }
table before2 {
    key = { meta.byte2 : exact @name("byte2"); }
    actions = { before2_change; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/before2.entries"
    }
    size = 256;
}
// R-PISA-59: the state before these lanes, by a byte of the one behind them.
action before3_change(bit<32> bits) { hdr.bridge.late = hdr.bridge.late ^ bits; }
table before3 {
    key = { meta.byte3 : exact @name("byte3"); }
    actions = { before3_change; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        #include "../lists/before3.entries"
    }
    size = 256;
}
// The state before these lanes.
action join_join() { hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late; }
table join {
    key = { hdr.bridge.mode : exact @name("mode"); }
    actions = { join_join; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = { 3 : join_join(); 2 : join_join(); }
    size = 2;
}
