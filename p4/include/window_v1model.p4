// R-KEY-3, R-KEY-4: new if its number is newer, in one touch.
action window_touch() {
    @atomic {
        bit<32> old_lo; reg_windows.read(old_lo, (bit<32>) meta.place);
        bool first_holds = (int<32>) (old_lo - meta.number) < 0;
        bit<32> new_lo = (first_holds) ? (meta.number) : (old_lo);
        reg_windows.write((bit<32>) meta.place, new_lo); meta.fresh = first_holds ? 4w2 : 4w1;
    }
}
table window { actions = { window_touch; } const default_action = window_touch(); size = 1; }
