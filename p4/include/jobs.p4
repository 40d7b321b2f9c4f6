// R-PISA-51, R-PISA-53: the copy of a message's first slot, and its packets.
action jobs_find(bit<16> first, bit<32> place) {
    meta.copy = first + hdr.reth.slot; meta.place = place;
}
table jobs {
    key = {
        hdr.bth.dest_qp : ternary @name("dest_qp"); hdr.bth.opcode : ternary @name("opcode");
        hdr.reth.round : ternary @name("round"); hdr.reth.slot : range @name("slot");
        hdr.reth.length : ternary @name("length");
    }
    actions = { jobs_find; @defaultonly NoAction; }
    const default_action = NoAction(); size = 512;
}
