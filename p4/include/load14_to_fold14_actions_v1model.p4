load_unit() load14; load_unit() load15;
// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold14_add() {
    @atomic {
        bit<32> old_lo; reg_sum14.read(old_lo, (bit<32>) meta.at2);
        bit<32> new_lo = old_lo + meta.value2; reg_sum14.write((bit<32>) meta.at2, new_lo);
    }
}
action fold14_read() {
    hdr.found_rank14.setValid(); hdr.found_row14.setValid();
    @atomic {
        bit<32> old_lo; reg_sum14.read(old_lo, (bit<32>) meta.at2);
        hdr.found_row14.value = old_lo;
    }
    hdr.found_rank14.high = 16w0; hdr.found_rank14.low = 5w0 ++ meta.at2 ++ 4w14;
    hdr.bridge.found_even = hdr.bridge.found_even | 8w128;
}
