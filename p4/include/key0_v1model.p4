// R-PISA-83: look, or move on.
action key0_look() {
    @atomic {
        bit<32> old_lo; reg_keys0.read(old_lo, (bit<32>) hdr.row.index);
        bool first_holds = (int<32>) (old_lo - hdr.row.key_) == 0;
        meta.hit0 = first_holds ? 4w2 : 4w1;
    }
}
action key0_move_on() {
    @atomic {
        bit<32> old_lo; reg_keys0.read(old_lo, (bit<32>) hdr.row.index);
        bit<32> new_lo = hdr.row.key_; reg_keys0.write((bit<32>) hdr.row.index, new_lo);
        meta.key_out0 = old_lo;
    }
}
table key0 {
    key = { meta.again : exact; }
    actions = { key0_look; key0_move_on; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(2)
    const entries = { 0 : key0_look(); 1 : key0_move_on(); }
}
