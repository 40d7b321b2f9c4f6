control load_unit(in bit<3> what, in bit<8> loads, in bit<7> at, inout bit<8> loaded) {
    // R-KEY-12: 1 if it is loaded.
    register<bit<8>, bit<32>>(128) reg_is_loaded;
    // R-KEY-12: whether the row has been loaded.
    action load_touch() {
        @atomic {
            bit<8> old_lo; reg_is_loaded.read(old_lo, (bit<32>) at); bit<8> new_lo = old_lo | loads;
            reg_is_loaded.write((bit<32>) at, new_lo); loaded = old_lo;
        }
    }
    table load {
        key = { what : exact; }
        actions = { load_touch; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = { 3 : load_touch(); 4 : load_touch(); 5 : load_touch(); }
    }
    apply { load.apply(); }
}
