// R-PISA-83: look, or move on.
action key1_look() {
    @atomic {
        bit<32> old_lo; reg_keys1.read(old_lo, (bit<32>) hdr.row.index);
        bool first_holds = (int<32>) (old_lo - hdr.row.key_) == 0;
        meta.hit1 = first_holds ? 4w2 : 4w1;
    }
}
action key1_move_on() {
    @atomic {
        bit<32> old_lo; reg_keys1.read(old_lo, (bit<32>) hdr.row.index);
        bit<32> new_lo = meta.key_out0; reg_keys1.write((bit<32>) hdr.row.index, new_lo);
        meta.key_out1 = old_lo;
    }
}
table key1 {
    key = { meta.again : exact; }
    actions = { key1_look; key1_move_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 0 : key1_look(); 1 : key1_move_on(); }
}
