table add {
    key = {
        sums_are : ternary @name("sums_are"); adds : ternary @name("adds");
        distance : range @name("distance"); shifted : ternary @name("shifted");
    }
    actions = { add_begin; add_read; add_add; @defaultonly NoAction; }
    const default_action = NoAction();
    const entries = {
        (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
        (2, 1, 0..0xFFFF, _) : add_add();
    }
}
