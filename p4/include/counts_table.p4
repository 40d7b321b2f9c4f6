table counts {
    key = {
        meta.age : ternary; meta.round_is : ternary; hdr.netfold.flags : ternary;
        meta.order : ternary;
    }
    actions = {
        counts_skip; counts_open; counts_join; counts_clash; counts_peek; @defaultonly NoAction;
    }
    const default_action = NoAction(); ENTRIES(7)
    const entries = {
        (1, _, _, _) : counts_skip(); (_, _, 4 &&& 4, _) : counts_peek();
        (4, _, _, _) : counts_peek(); (2, 2, _, _) : counts_open();
        (2, 8, _, _) : counts_open(); (2, 4, _, _) : counts_join();
        (2, 1, _, _) : counts_clash();
    }
}
