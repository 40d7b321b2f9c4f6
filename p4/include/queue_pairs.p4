// R-PISA-52: the worker, its message, and where it is answered.
action queue_pairs_know(bit<16> first, bit<16> message, bit<16> worker, bit<16> port,
    bit<16> others, bit<1> alone, bit<16> group) {
    meta.word = first + hdr.reth.slot; meta.message = message; meta.worker = worker;
    meta.member_port = port; meta.others = others; meta.alone = alone;
    meta.members_group = group; meta.known_pair = 1w1;
}
table queue_pairs {
    key = {
        hdr.ipv4.dst : exact @name("dst"); hdr.bth.dest_qp : exact @name("dest_qp");
        hdr.ipv4.src : exact @name("src");
    }
    actions = { queue_pairs_know; @defaultonly NoAction; }
    const default_action = NoAction(); size = 64;
}
