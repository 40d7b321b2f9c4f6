control add_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> copy, in bit<16> stored_by, inout bit<32> lane) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic { bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) copy, new_lo); }
    }
    action add_read() {
        @atomic { bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) copy); lane = old_lo; }
    }
    action add_add() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) copy);
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) stored_by) + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
        }
    }
    table add {
        key = { sums_are : ternary; adds : ternary; distance : range; shifted : ternary; }
        actions = { add_begin; add_read; add_add; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 0..0xFFFF, _) : add_add();
        }
    }
    apply { add.apply(); }
}
control flag_unit(in bit<8> sums_are, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> copy, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic { bit<8> new_lo = flag; reg_flags.write((bit<32>) copy, new_lo); }
    }
    action flag_note() {
        @atomic {
            bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) copy); bit<8> new_lo = old_lo | flag;
            reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) copy); bit<8> new_lo = old_lo | 8w8;
            reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_read() {
        @atomic { bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) copy); flags = old_lo; }
    }
    table flag {
        key = { sums_are : ternary; added : ternary; shifted : ternary; }
        actions = { flag_begin; flag_note; flag_overflow; flag_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _, _) : flag_begin(); (2, _, _) : flag_note(); (3, _, _) : flag_read();
        }
    }
    apply { flag.apply(); }
}
