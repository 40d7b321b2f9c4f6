// R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where
// two calls met.
action counts_skip() { }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_open = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (value == 0) { value = (int<16>) meta.others; }
        else { value = -1; }
    }
};
action counts_open() { meta.left = (bit<16>) alu_counts_open.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_join = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (!(value == 0) && !(value < 0)) { value = value - 1; }
    }
};
action counts_join() { meta.left = (bit<16>) alu_counts_join.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_clash = {
    void apply(inout int<16> value, out int<16> rv) {
        rv = value;
        if (!(value == 0)) { value = -1; }
    }
};
action counts_clash() { meta.left = (bit<16>) alu_counts_clash.execute(meta.copy); }
RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_peek = {
    void apply(inout int<16> value, out int<16> rv) { rv = value; }
};
action counts_peek() { meta.left = (bit<16>) alu_counts_peek.execute(meta.copy); }
