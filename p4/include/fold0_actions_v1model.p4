// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold0_add() {
    @atomic {
        bit<32> old_lo; reg_sum0.read(old_lo, (bit<32>) meta.at0);
        bit<32> new_lo = old_lo + meta.value0; reg_sum0.write((bit<32>) meta.at0, new_lo);
    }
}
action fold0_read() {
    hdr.found_rank0.setValid(); hdr.found_row0.setValid();
    @atomic {
        bit<32> old_lo; reg_sum0.read(old_lo, (bit<32>) meta.at0);
        hdr.found_row0.value = old_lo;
    }
    hdr.found_rank0.high = 16w0; hdr.found_rank0.low = 5w0 ++ meta.at0 ++ 4w0;
    hdr.bridge.found_even = hdr.bridge.found_even | 8w1;
}
