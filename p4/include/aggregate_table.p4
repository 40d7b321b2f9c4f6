table aggregate {
    key = { around_again : ternary; seen : ternary; }
    actions = { aggregate_add; aggregate_read; aggregate_clear; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(3)
    const entries = {
        (0, 0) : aggregate_add(); (0, _) : aggregate_read(); (1, _) : aggregate_clear();
    }
}
