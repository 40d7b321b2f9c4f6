control add_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> copy, in bit<32> limit, inout bit<32> lane, inout bit<4> added) {
    // Mantissas of the sums (R-FPI-2).
    Register<int<32>, bit<16>>(256) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    RegisterAction<int<32>, bit<16>, bit<32>>(reg_mantissa) alu_add_begin = {
        void apply(inout int<32> value) { value = (int<32>) shifted; }
    };
    action add_begin() { alu_add_begin.execute(copy); }
    RegisterAction<int<32>, bit<16>, int<32>>(reg_mantissa) alu_add_read = {
        void apply(inout int<32> value, out int<32> rv) { rv = value; }
    };
    action add_read() { lane = (bit<32>) alu_add_read.execute(copy); }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa) alu_add_add_up = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) limit > 0);
            value = value + (int<32>) shifted;
        }
    };
    action add_add_up() { added = alu_add_add_up.execute(copy); }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa) alu_add_add_down = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) limit < 0);
            value = value + (int<32>) shifted;
        }
    };
    action add_add_down() { added = alu_add_add_down.execute(copy); }
    table add {
        key = { sums_are : ternary; adds : ternary; distance : range; shifted : ternary; }
        actions = { add_begin; add_read; add_add_up; add_add_down; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(5)
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 8..0x7FFF, _) : add_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add_add_down();
            (2, 1, 0..0xFFFF, _) : add_add_up();
        }
    }
    apply { add.apply(); }
}
control flag_unit(in bit<8> sums_are, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> copy, inout bit<1> overflowed, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    Register<bit<8>, bit<16>>(256) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_begin = {
        void apply(inout bit<8> value) { value = flag; }
    };
    action flag_begin() { alu_flag_begin.execute(copy); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_note = {
        void apply(inout bit<8> value) { value = value | flag; }
    };
    action flag_note() { alu_flag_note.execute(copy); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_overflow = {
        void apply(inout bit<8> value) { value = value | 8; }
    };
    action flag_overflow() { alu_flag_overflow.execute(copy); overflowed = 1w1; }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_read = {
        void apply(inout bit<8> value, out bit<8> rv) { rv = value; }
    };
    action flag_read() { flags = alu_flag_read.execute(copy); }
    table flag {
        key = { sums_are : ternary; added : ternary; shifted : ternary; }
        actions = { flag_begin; flag_note; flag_overflow; flag_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(5)
        const entries = {
            (1, _, _) : flag_begin(); (2, 4, 0 &&& 0x80000000) : flag_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag_overflow(); (2, _, _) : flag_note();
            (3, _, _) : flag_read();
        }
    }
    apply { flag.apply(); }
}
