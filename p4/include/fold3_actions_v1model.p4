// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold3_add() {
    @atomic {
        bit<32> old_lo; reg_sum3.read(old_lo, (bit<32>) meta.at3);
        bit<32> new_lo = old_lo + meta.value3; reg_sum3.write((bit<32>) meta.at3, new_lo);
    }
}
action fold3_read() {
    hdr.found_rank3.setValid(); hdr.found_row3.setValid();
    @atomic {
        bit<32> old_lo; reg_sum3.read(old_lo, (bit<32>) meta.at3);
        hdr.found_row3.value = old_lo;
    }
    hdr.found_rank3.high = 16w0; hdr.found_rank3.low = 5w0 ++ meta.at3 ++ 4w3;
    hdr.bridge.found_odd = hdr.bridge.found_odd | 8w2;
}
