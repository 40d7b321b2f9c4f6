table exponents {
    key = { sums_are : ternary; adds : ternary; }
    actions = { exponents_begin; exponents_raise; exponents_read; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(3)
    const entries = {
        (1, _) : exponents_begin(); (2, 1) : exponents_raise(); (3, _) : exponents_read();
    }
}
