// R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where
// two calls met.
action counts_skip() { }
action counts_open() {
    @atomic {
        bit<16> old_lo; reg_count.read(old_lo, (bit<32>) meta.copy);
        bool first_holds = (int<16>) (old_lo - 16w0) == 0;
        bit<16> new_lo = (first_holds) ? (meta.others) : ((!(first_holds)) ? (16w0xFFFF) :
            (old_lo));
        reg_count.write((bit<32>) meta.copy, new_lo); meta.left = old_lo;
    }
}
action counts_join() {
    @atomic {
        bit<16> old_lo; reg_count.read(old_lo, (bit<32>) meta.copy);
        bool first_holds = (int<16>) (old_lo - 16w0) == 0;
        bool second_holds = (int<16>) (old_lo - 16w0) < 0;
        bit<16> new_lo = (!(first_holds) && !(second_holds)) ? (old_lo - 16w1) : (old_lo);
        reg_count.write((bit<32>) meta.copy, new_lo); meta.left = old_lo;
    }
}
action counts_clash() {
    @atomic {
        bit<16> old_lo; reg_count.read(old_lo, (bit<32>) meta.copy);
        bool first_holds = (int<16>) (old_lo - 16w0) == 0;
        bit<16> new_lo = (!(first_holds)) ? (16w0xFFFF) : (old_lo);
        reg_count.write((bit<32>) meta.copy, new_lo); meta.left = old_lo;
    }
}
action counts_peek() {
    @atomic { bit<16> old_lo; reg_count.read(old_lo, (bit<32>) meta.copy); meta.left = old_lo; }
}
