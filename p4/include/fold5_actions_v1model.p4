// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold5_add() {
    @atomic {
        bit<32> old_lo; reg_sum5.read(old_lo, (bit<32>) meta.at1);
        bit<32> new_lo = old_lo + meta.value1; reg_sum5.write((bit<32>) meta.at1, new_lo);
    }
}
action fold5_read() {
    hdr.found_rank5.setValid(); hdr.found_row5.setValid();
    @atomic {
        bit<32> old_lo; reg_sum5.read(old_lo, (bit<32>) meta.at1);
        hdr.found_row5.value = old_lo;
    }
    hdr.found_rank5.high = 16w0; hdr.found_rank5.low = 5w0 ++ meta.at1 ++ 4w5;
    hdr.bridge.found_odd = hdr.bridge.found_odd | 8w4;
}
