// fpisa_a for bmv2 (v1model).
// FPISA-A: sums of 1 value(s) in FP32, 128 words.
// Rules: R-FPI in spec/numerics.md, R-PISA-30 to 34 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header fpisa_h { bit<8> op; bit<16> index; }
header sum0_h { bit<32> value; bit<16> exponent; bit<32> mantissa; bit<8> flags; }
struct headers_t { ethernet_h ethernet; fpisa_h fpisa; sum0_h sum0; }
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<16> incoming0; bit<32> magnitude0; bit<32> signed0; bit<32> shifted0;
    bit<1> adds0; bit<8> flag0; bit<16> stored0; bit<16> distance0; bit<16> back0;
    bit<16> stored_by0; bit<32> limit0; bit<4> added0; bit<32> absolute0; bit<32> normal0;
    bit<16> normal_exponent0; bit<32> sign0;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    state start { transition parse_ethernet; }
    #include "../include/parse_ethernet_to_parse_fpisa.p4"
    state parse_sums { packet.extract(hdr.sum0); transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent0;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa0;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags0;
    #include "../include/ports.p4"
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming0_normal() { meta.incoming0 = 8w0 ++ hdr.sum0.value[30:23]; }
    action incoming0_subnormal() { meta.incoming0 = 16w1; }
    action incoming0_nothing() { meta.incoming0 = 16w0xFF00; }
    table incoming0 {
        key = { hdr.sum0.value : ternary @name("value"); }
        actions = {
            incoming0_normal; incoming0_subnormal; incoming0_nothing; @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming0_nothing(); 0x7F800000 &&& 0x7F800000 : incoming0_nothing();
            0 &&& 0x7F800000 : incoming0_subnormal(); _ : incoming0_normal();
        }
    }
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract0_normal() { meta.magnitude0 = 9w1 ++ hdr.sum0.value[22:0]; meta.adds0 = 1w1; }
    action extract0_subnormal() {
        meta.magnitude0 = hdr.sum0.value & 32w0x7FFFFF; meta.adds0 = 1w1;
    }
    action extract0_nothing(bit<8> flag) {
        meta.magnitude0 = 32w0; meta.adds0 = 1w0; meta.flag0 = flag;
    }
    table extract0 {
        key = { hdr.sum0.value : ternary @name("value"); }
        actions = { extract0_normal; extract0_subnormal; extract0_nothing; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract0_nothing(0); 0x7F800000 : extract0_nothing(1);
            0xFF800000 : extract0_nothing(2); 0x7F800000 &&& 0x7F800000 : extract0_nothing(4);
            0 &&& 0x7F800000 : extract0_subnormal(); _ : extract0_normal();
        }
    }
    // R-FPI-3: the sign goes into the mantissa.
    action sign0_plus() { meta.signed0 = meta.magnitude0; }
    action sign0_minus() { meta.signed0 = 32w0 - meta.magnitude0; }
    table sign0 {
        key = { hdr.sum0.value : ternary @name("value"); }
        actions = { sign0_plus; sign0_minus; }
        const default_action = sign0_plus();
        const entries = { 0x80000000 &&& 0x80000000 : sign0_minus(); }
    }
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents0_begin() {
        @atomic {
            bit<16> word; reg_exponent0.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word; bit<16> new_lo = meta.incoming0;
            reg_exponent0.write((bit<32>) hdr.fpisa.index, new_lo); meta.stored0 = new_lo;
        }
    }
    action exponents0_raise() {
        @atomic {
            bit<16> word; reg_exponent0.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming0 + 16w7) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming0) : (old_lo);
            reg_exponent0.write((bit<32>) hdr.fpisa.index, new_lo); meta.stored0 = old_lo;
        }
    }
    action exponents0_read() {
        @atomic {
            bit<16> word; reg_exponent0.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word; hdr.sum0.exponent = old_lo;
        }
    }
    table exponents0 {
        key = { hdr.fpisa.op : ternary @name("op"); meta.adds0 : ternary @name("adds0"); }
        actions = { exponents0_begin; exponents0_raise; exponents0_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents0_begin(); (2, 1) : exponents0_raise(); (3, _) : exponents0_read();
        }
    }
    #include "../include/distance0.p4"
    // R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align0_right1() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 1); }
    action align0_right2() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 2); }
    action align0_right3() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 3); }
    action align0_right4() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 4); }
    action align0_right5() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 5); }
    action align0_right6() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 6); }
    action align0_right7() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 7); }
    action align0_right8() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 8); }
    action align0_right9() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 9); }
    action align0_right10() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 10); }
    action align0_right11() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 11); }
    action align0_right12() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 12); }
    action align0_right13() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 13); }
    action align0_right14() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 14); }
    action align0_right15() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 15); }
    action align0_right16() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 16); }
    action align0_right17() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 17); }
    action align0_right18() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 18); }
    action align0_right19() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 19); }
    action align0_right20() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 20); }
    action align0_right21() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 21); }
    action align0_right22() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 22); }
    action align0_right23() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 23); }
    action align0_right24() { meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 24); }
    action align0_left1() { meta.shifted0 = meta.signed0 << 1; }
    action align0_left2() { meta.shifted0 = meta.signed0 << 2; }
    action align0_left3() { meta.shifted0 = meta.signed0 << 3; }
    action align0_left4() { meta.shifted0 = meta.signed0 << 4; }
    action align0_left5() { meta.shifted0 = meta.signed0 << 5; }
    action align0_left6() { meta.shifted0 = meta.signed0 << 6; }
    action align0_left7() { meta.shifted0 = meta.signed0 << 7; }
    action align0_stay() { meta.shifted0 = meta.signed0; }
    table align0 {
        key = { meta.distance0 : range @name("distance0"); }
        actions = {
            align0_right1; align0_right2; align0_right3; align0_right4; align0_right5;
            align0_right6; align0_right7; align0_right8; align0_right9; align0_right10;
            align0_right11; align0_right12; align0_right13; align0_right14; align0_right15;
            align0_right16; align0_right17; align0_right18; align0_right19; align0_right20;
            align0_right21; align0_right22; align0_right23; align0_right24; align0_left1;
            align0_left2; align0_left3; align0_left4; align0_left5; align0_left6; align0_left7;
            align0_stay;
        }
        const default_action = align0_stay();
        const entries = {
            0xFFFF..0xFFFF : align0_right1(); 0xFFFE..0xFFFE : align0_right2();
            0xFFFD..0xFFFD : align0_right3(); 0xFFFC..0xFFFC : align0_right4();
            0xFFFB..0xFFFB : align0_right5(); 0xFFFA..0xFFFA : align0_right6();
            0xFFF9..0xFFF9 : align0_right7(); 0xFFF8..0xFFF8 : align0_right8();
            0xFFF7..0xFFF7 : align0_right9(); 0xFFF6..0xFFF6 : align0_right10();
            0xFFF5..0xFFF5 : align0_right11(); 0xFFF4..0xFFF4 : align0_right12();
            0xFFF3..0xFFF3 : align0_right13(); 0xFFF2..0xFFF2 : align0_right14();
            0xFFF1..0xFFF1 : align0_right15(); 0xFFF0..0xFFF0 : align0_right16();
            0xFFEF..0xFFEF : align0_right17(); 0xFFEE..0xFFEE : align0_right18();
            0xFFED..0xFFED : align0_right19(); 0xFFEC..0xFFEC : align0_right20();
            0xFFEB..0xFFEB : align0_right21(); 0xFFEA..0xFFEA : align0_right22();
            0xFFE9..0xFFE9 : align0_right23(); 0x8000..0xFFE8 : align0_right24();
            1..1 : align0_left1(); 2..2 : align0_left2(); 3..3 : align0_left3();
            4..4 : align0_left4(); 5..5 : align0_left5(); 6..6 : align0_left6();
            7..7 : align0_left7();
        }
    }
    // R-FPI-9: beyond this the sum does not fit.
    action limit0_of_largest() { meta.limit0 = 32w0x7FFFFFFF - meta.shifted0; }
    action limit0_of_smallest() { meta.limit0 = 32w0x80000000 - meta.shifted0; }
    table limit0 {
        key = { meta.shifted0 : ternary @name("shifted0"); }
        actions = { limit0_of_largest; limit0_of_smallest; }
        const default_action = limit0_of_largest();
        const entries = { 0x80000000 &&& 0x80000000 : limit0_of_smallest(); }
    }
    // R-FPI-5 to 9: replace, or add.
    action add0_begin() {
        @atomic {
            bit<32> word; reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word; bit<32> new_lo = meta.shifted0;
            reg_mantissa0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action add0_read() {
        @atomic {
            bit<32> word; reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word; hdr.sum0.mantissa = old_lo;
        }
    }
    action add0_add_up() {
        @atomic {
            bit<32> word; reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word; bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit0) > 0;
            bit<32> new_lo = old_lo + meta.shifted0;
            reg_mantissa0.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.added0 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add0_add_down() {
        @atomic {
            bit<32> word; reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word; bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit0) < 0;
            bit<32> new_lo = old_lo + meta.shifted0;
            reg_mantissa0.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.added0 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    table add0 {
        key = {
            hdr.fpisa.op : ternary @name("op"); meta.adds0 : ternary @name("adds0");
            meta.distance0 : range @name("distance0"); meta.shifted0 : ternary @name("shifted0");
        }
        actions = { add0_begin; add0_read; add0_add_up; add0_add_down; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add0_begin(); (3, _, 0..0xFFFF, _) : add0_read();
            (2, 1, 8..0x7FFF, _) : add0_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add0_add_down();
            (2, 1, 0..0xFFFF, _) : add0_add_up();
        }
    }
    // R-FPI-4, R-FPI-9: flags stay.
    action flag0_begin() {
        @atomic {
            bit<8> word; reg_flags0.read(word, (bit<32>) hdr.fpisa.index); bit<8> old_lo = word;
            bit<8> new_lo = meta.flag0; reg_flags0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag0_note() {
        @atomic {
            bit<8> word; reg_flags0.read(word, (bit<32>) hdr.fpisa.index); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag0;
            reg_flags0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag0_overflow() {
        @atomic {
            bit<8> word; reg_flags0.read(word, (bit<32>) hdr.fpisa.index); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8; reg_flags0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag0_read() {
        @atomic {
            bit<8> word; reg_flags0.read(word, (bit<32>) hdr.fpisa.index); bit<8> old_lo = word;
            hdr.sum0.flags = old_lo;
        }
    }
    table flag0 {
        key = {
            hdr.fpisa.op : ternary @name("op"); meta.added0 : ternary @name("added0");
            meta.shifted0 : ternary @name("shifted0");
        }
        actions = { flag0_begin; flag0_note; flag0_overflow; flag0_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag0_begin(); (2, 4, 0 &&& 0x80000000) : flag0_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag0_overflow(); (2, _, _) : flag0_note();
            (3, _, _) : flag0_read();
        }
    }
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage6.p4"
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // R-FPI-10: sign and magnitude.
    action magnitude0_plus() { meta.absolute0 = hdr.sum0.mantissa; }
    action magnitude0_minus() {
        meta.absolute0 = 32w0 - hdr.sum0.mantissa; meta.sign0 = 32w0x80000000;
    }
    table magnitude0 {
        key = { hdr.sum0.mantissa : ternary @name("mantissa"); }
        actions = { magnitude0_plus; magnitude0_minus; }
        const default_action = magnitude0_plus();
        const entries = { 0x80000000 &&& 0x80000000 : magnitude0_minus(); }
    }
    #include "../include/normalise0_actions.p4"
    table normalise0 {
        key = {
            meta.absolute0 : ternary @name("absolute0");
            hdr.sum0.exponent : range @name("exponent");
        }
        actions = {
            normalise0_left1; normalise0_left2; normalise0_left3; normalise0_left4;
            normalise0_left5; normalise0_left6; normalise0_left7; normalise0_left8;
            normalise0_left9; normalise0_left10; normalise0_left11; normalise0_left12;
            normalise0_left13; normalise0_left14; normalise0_left15; normalise0_left16;
            normalise0_left17; normalise0_left18; normalise0_left19; normalise0_left20;
            normalise0_left21; normalise0_left22; normalise0_left23; normalise0_right1;
            normalise0_right2; normalise0_right3; normalise0_right4; normalise0_right5;
            normalise0_right6; normalise0_right7; normalise0_right8; normalise0_stay;
        }
        const default_action = normalise0_stay();
        const entries = {
            #include "../lists/normalise0.entries"
        }
    }
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble0_nan() { hdr.sum0.value = 32w0x7FC00000; }
    action assemble0_positive_infinity() { hdr.sum0.value = 32w0x7F800000; }
    action assemble0_negative_infinity() { hdr.sum0.value = 32w0xFF800000; }
    action assemble0_infinite() { hdr.sum0.value = meta.sign0 | 32w0x7F800000; }
    action assemble0_normal() {
        hdr.sum0.value = meta.sign0[31:31] ++ meta.normal_exponent0[7:0] ++ meta.normal0[22:0];
    }
    action assemble0_subnormal() { hdr.sum0.value = meta.sign0 | meta.normal0; }
    table assemble0 {
        key = {
            hdr.sum0.flags : ternary @name("flags");
            meta.normal_exponent0 : range @name("normal_exponent0");
            meta.normal0 : ternary @name("normal0");
        }
        actions = {
            assemble0_nan; assemble0_positive_infinity; assemble0_negative_infinity;
            assemble0_infinite; assemble0_normal; assemble0_subnormal;
        }
        const default_action = assemble0_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble0_nan(); (3 &&& 3, 0..0xFFFF, _) : assemble0_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble0_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble0_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble0_nan(); (_, 0..0xFFFF, 0) : assemble0_subnormal();
            (_, 255..0x7FFF, _) : assemble0_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble0_normal();
        }
    }
    apply {
        // Stage 6
        if (hdr.fpisa.op == 8w3) { magnitude0.apply(); }
        // Stage 7
        if (hdr.fpisa.op == 8w3) { normalise0.apply(); }
        // Stage 8
        if (hdr.fpisa.op == 8w3) { assemble0.apply(); }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr.ethernet); packet.emit(hdr.fpisa); packet.emit(hdr.sum0); }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
