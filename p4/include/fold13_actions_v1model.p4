// R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
action fold13_add() {
    @atomic {
        bit<32> old_lo; reg_sum13.read(old_lo, (bit<32>) meta.at1);
        bit<32> new_lo = old_lo + meta.value1; reg_sum13.write((bit<32>) meta.at1, new_lo);
    }
}
action fold13_read() {
    hdr.found_rank13.setValid(); hdr.found_row13.setValid();
    @atomic {
        bit<32> old_lo; reg_sum13.read(old_lo, (bit<32>) meta.at1);
        hdr.found_row13.value = old_lo;
    }
    hdr.found_rank13.high = 16w0; hdr.found_rank13.low = 5w0 ++ meta.at1 ++ 4w13;
    hdr.bridge.found_odd = hdr.bridge.found_odd | 8w64;
}
