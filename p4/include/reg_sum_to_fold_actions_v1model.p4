// R-HOT-6: the value of each row.
register<bit<32>, bit<32>>(128) reg_sum;
// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold_add() {
    @atomic {
        bit<32> old_lo; reg_sum.read(old_lo, (bit<32>) at); bit<32> new_lo = old_lo + lane;
        reg_sum.write((bit<32>) at, new_lo);
    }
}
action fold_read() {
    @atomic { bit<32> old_lo; reg_sum.read(old_lo, (bit<32>) at); lane = old_lo; }
}
