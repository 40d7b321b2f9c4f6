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
    key = { hdr.bridge.mode : exact; }
    actions = { head_first_hash; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : head_first_hash(); 6 : head_first_hash(); }
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
    key = { hdr.bridge.mode : exact; }
    actions = { head_middle_hash; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : head_middle_hash(); 6 : head_middle_hash(); }
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
    key = { hdr.bridge.mode : exact; }
    actions = { head_last_hash; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : head_last_hash(); 6 : head_last_hash(); }
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
    key = { hdr.bridge.mode : exact; }
    actions = { head_only_hash; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 3 : head_only_hash(); 6 : head_only_hash(); }
}
