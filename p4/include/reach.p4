// R-PISA-52, R-PISA-55: the worker's queue pair, key, memory and addresses.
action reach_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip,
    bit<24> dest_qp, bit<16> rkey_high, bit<16> rkey_low, bit<32> base, bit<32> first) {
    hdr.ethernet.dst = dst_mac; hdr.ethernet.src = src_mac; hdr.ipv4.dst = dst_ip;
    hdr.ipv4.src = src_ip; hdr.bth.dest_qp = dest_qp; hdr.reth.round = rkey_high;
    hdr.reth.slot = rkey_low; hdr.reth.base = base; hdr.reth.offset = hdr.reth.offset + first;
    hdr.ipv4.fragment = 16w0x4000; hdr.ipv4.ttl = 8w64; hdr.udp.checksum = 16w0;
    hdr.bth.reserved = 8w0; hdr.bth.acknowledge = 8w0;
}
table reach {
    key = {
        hdr.bth.dest_qp : exact @name("dest_qp"); hdr.bridge.worker : exact @name("worker");
    }
    actions = { reach_reach; @defaultonly NoAction; }
    const default_action = NoAction(); size = 64;
}
