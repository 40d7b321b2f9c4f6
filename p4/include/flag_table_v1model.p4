table flag {
    key = { sums_are : ternary; added : ternary; shifted : ternary; }
    actions = { flag_begin; flag_note; flag_overflow; flag_read; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(5)
    const entries = {
        (1, _, _) : flag_begin(); (2, 4, 0 &&& 0x80000000) : flag_overflow();
        (2, 8, 0x80000000 &&& 0x80000000) : flag_overflow(); (2, _, _) : flag_note();
        (3, _, _) : flag_read();
    }
}
