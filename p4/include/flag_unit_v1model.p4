control flag_unit(in bit<8> sums_are, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> copy, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word;
            bit<8> new_lo = flag; reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_note() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | flag; reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8; reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_read() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word; flags = old_lo;
        }
    }
    table flag {
        key = {
            sums_are : ternary @name("sums_are"); added : ternary @name("added");
            shifted : ternary @name("shifted");
        }
        actions = { flag_begin; flag_note; flag_overflow; flag_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag_begin(); (2, _, _) : flag_note(); (3, _, _) : flag_read();
        }
    }
    apply { flag.apply(); }
}
