table counts {
    key = { meta.age : ternary; meta.round_is : ternary; }
    actions = {
        counts_skip; counts_open; counts_join; counts_clash; counts_peek; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(6)
    const entries = {
        (1, _) : counts_skip(); (4, _) : counts_peek(); (2, 2) : counts_open();
        (2, 8) : counts_open(); (2, 4) : counts_join(); (2, 1) : counts_clash();
    }
}
