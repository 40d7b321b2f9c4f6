table add {
    key = { sums_are : ternary; adds : ternary; distance : range; shifted : ternary; }
    actions = { add_begin; add_read; add_add_up; add_add_down; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(5)
    const entries = {
        (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
        (2, 1, 8..0x7FFF, _) : add_begin();
        (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add_add_down();
        (2, 1, 0..0xFFFF, _) : add_add_up();
    }
}
