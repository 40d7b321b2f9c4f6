// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold1_add() {
    @atomic {
        bit<32> old_lo; reg_sum1.read(old_lo, (bit<32>) meta.at1);
        bit<32> new_lo = old_lo + meta.value1; reg_sum1.write((bit<32>) meta.at1, new_lo);
    }
}
action fold1_read() {
    hdr.found_rank1.setValid(); hdr.found_row1.setValid();
    @atomic {
        bit<32> old_lo; reg_sum1.read(old_lo, (bit<32>) meta.at1);
        hdr.found_row1.value = old_lo;
    }
    hdr.found_rank1.high = 16w0; hdr.found_rank1.low = 5w0 ++ meta.at1 ++ 4w1;
    hdr.bridge.found_odd = hdr.bridge.found_odd | 8w1;
}
