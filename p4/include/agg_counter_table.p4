table agg_counter {
    key = { meta.around_again : ternary; meta.seen : ternary; }
    actions = { agg_counter_count; agg_counter_look; agg_counter_clear; @defaultonly NoAction; }
    const default_action = NoAction(); ENTRIES(3)
    const entries = {
        (0, 0) : agg_counter_count(); (0, _) : agg_counter_look(); (1, _) : agg_counter_clear();
    }
}
