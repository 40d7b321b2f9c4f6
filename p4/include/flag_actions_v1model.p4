// R-FPI-4, R-FPI-9: flags stay.
action flag_begin() {
    @atomic { bit<8> new_lo = flag; reg_flags.write((bit<32>) index, new_lo); }
}
action flag_note() {
    @atomic {
        bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) index); bit<8> new_lo = old_lo | flag;
        reg_flags.write((bit<32>) index, new_lo);
    }
}
action flag_overflow() {
    @atomic {
        bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) index); bit<8> new_lo = old_lo | 8w8;
        reg_flags.write((bit<32>) index, new_lo);
    }
}
action flag_read() {
    @atomic { bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) index); flags = old_lo; }
}
