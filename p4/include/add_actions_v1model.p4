// R-FPI-5 to 9: replace, or add.
action add_begin() {
    @atomic { bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) index, new_lo); }
}
action add_read() {
    @atomic { bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) index); mantissa = old_lo; }
}
action add_add() {
    @atomic {
        bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) index);
        bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) stored_by) + shifted;
        reg_mantissa.write((bit<32>) index, new_lo);
    }
}
