// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold15_add() {
    @atomic {
        bit<32> old_lo; reg_sum15.read(old_lo, (bit<32>) meta.at3);
        bit<32> new_lo = old_lo + meta.value3; reg_sum15.write((bit<32>) meta.at3, new_lo);
    }
}
action fold15_read() {
    hdr.found_rank15.setValid(); hdr.found_row15.setValid();
    @atomic {
        bit<32> old_lo; reg_sum15.read(old_lo, (bit<32>) meta.at3);
        hdr.found_row15.value = old_lo;
    }
    hdr.found_rank15.high = 16w0; hdr.found_rank15.low = 5w0 ++ meta.at3 ++ 4w15;
    hdr.bridge.found_odd = hdr.bridge.found_odd | 8w128;
}
