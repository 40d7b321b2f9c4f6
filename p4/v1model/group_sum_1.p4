// group_sum for bmv2 (v1model).
// Sums of FP32 by key, 128 slots, FPISA.
// Rules: R-QRY in spec/query.md, R-PISA-80 to 87 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<8> again; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header row_h {
    bit<8> op; bit<8> verdict; bit<16> index; bit<32> key_; bit<32> code; bit<16> exponent;
    bit<32> mantissa; bit<8> flags;
}
struct headers_t { bridge_h bridge; ethernet_h ethernet; row_h row; }
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<1> again; bit<16> worker; bit<16> master; bit<4> slot; bit<8> sum;
    bit<16> incoming0; bit<32> magnitude0; bit<32> signed0; bit<32> shifted0; bit<1> adds0;
    bit<8> flag0; bit<16> stored0; bit<16> distance0; bit<16> back0; bit<16> stored_by0;
    bit<32> limit0; bit<4> added0; bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0;
    bit<32> sign0;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model_2.p4"
    #include "../include/parse_again_to_parse_ethernet_v1model.p4"
    state parse_row {
        packet.extract(hdr.row);
        transition select(hdr.row.op, hdr.row.index) {
            (2, 0 &&& 0xFF80): known; (3, 0 &&& 0xFF80): known; default: REJECT;
        }
    }
    state known { transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control incoming_unit(in bit<32> code, inout bit<16> incoming) {
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming_normal() { incoming = 8w0 ++ code[30:23]; }
    action incoming_subnormal() { incoming = 16w1; }
    action incoming_nothing() { incoming = 16w0xFF00; }
    table incoming {
        key = { code : ternary; }
        actions = { incoming_normal; incoming_subnormal; incoming_nothing; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(4)
        const entries = {
            0 &&& 0x7FFFFFFF : incoming_nothing(); 0x7F800000 &&& 0x7F800000 : incoming_nothing();
            0 &&& 0x7F800000 : incoming_subnormal(); _ : incoming_normal();
        }
    }
    apply { incoming.apply(); }
}
control extract_unit(in bit<32> code, inout bit<32> magnitude, inout bit<1> adds,
    inout bit<8> flag_2) {
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract_normal() { magnitude = 9w1 ++ code[22:0]; adds = 1w1; }
    action extract_subnormal() { magnitude = code & 32w0x7FFFFF; adds = 1w1; }
    action extract_nothing(bit<8> flag) { magnitude = 32w0; adds = 1w0; flag_2 = flag; }
    table extract {
        key = { code : ternary; }
        actions = { extract_normal; extract_subnormal; extract_nothing; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(6)
        const entries = {
            0 &&& 0x7FFFFFFF : extract_nothing(0); 0x7F800000 : extract_nothing(1);
            0xFF800000 : extract_nothing(2); 0x7F800000 &&& 0x7F800000 : extract_nothing(4);
            0 &&& 0x7F800000 : extract_subnormal(); _ : extract_normal();
        }
    }
    apply { extract.apply(); }
}
control sign_unit(in bit<32> code, in bit<32> magnitude, inout bit<32> signed) {
    // R-FPI-3: the sign goes into the mantissa.
    action sign_plus() { signed = magnitude; }
    action sign_minus() { signed = 32w0 - magnitude; }
    table sign {
        key = { code : ternary; }
        actions = { sign_plus; sign_minus; }
        const default_action = sign_plus(); ENTRIES(1)
        const entries = { 0x80000000 &&& 0x80000000 : sign_minus(); }
    }
    apply { sign.apply(); }
}
control exponents_unit(in bit<8> sum, in bit<1> adds, in bit<16> incoming, in bit<16> index,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent;
    #include "../include/exponents_actions_v1model.p4"
    table exponents {
        key = { sum : ternary; adds : ternary; }
        actions = { exponents_begin; exponents_raise; exponents_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _) : exponents_begin(); (2, 1) : exponents_raise(); (3, _) : exponents_read();
        }
    }
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_align_unit_v1model.p4"
control add_unit(in bit<8> sum, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> index, in bit<16> stored_by, inout bit<32> mantissa) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa;
    #include "../include/add_actions_v1model.p4"
    table add {
        key = { sum : ternary; adds : ternary; distance : range; shifted : ternary; }
        actions = { add_begin; add_read; add_add; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 0..0xFFFF, _) : add_add();
        }
    }
    apply { add.apply(); }
}
control flag_unit(in bit<8> sum, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> index, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags;
    #include "../include/flag_actions_v1model.p4"
    table flag {
        key = { sum : ternary; added : ternary; shifted : ternary; }
        actions = { flag_begin; flag_note; flag_overflow; flag_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _, _) : flag_begin(); (2, _, _) : flag_note(); (3, _, _) : flag_read();
        }
    }
    apply { flag.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Keys of the slots (R-QRY-18); 0 where one is free.
    register<bit<32>, bit<32>>(128) reg_keys;
    #include "../include/ports_v1model.p4"
    // R-QRY-18: the slot of the row's key.
    action take_take() {
        @atomic {
            bit<32> old_lo; reg_keys.read(old_lo, (bit<32>) hdr.row.index);
            bool first_holds = (int<32>) (old_lo - hdr.row.key_) == 0;
            bool second_holds = (int<32>) (old_lo - 32w0) == 0;
            bit<32> new_lo = (!(first_holds) && (second_holds)) ? (hdr.row.key_) : (old_lo);
            reg_keys.write((bit<32>) hdr.row.index, new_lo);
            meta.slot = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    table take {
        key = { hdr.row.op : exact; }
        actions = { take_take; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 2 : take_take(); }
    }
    // R-QRY-18: the row begins a sum, or is added to one.
    action begin_is(bit<8> sum) { meta.sum = sum; }
    table begin {
        key = { hdr.row.op : ternary; meta.slot : ternary; }
        actions = { begin_is; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = { (3, _) : begin_is(3); (_, 2) : begin_is(2); (_, 4) : begin_is(1); }
    }
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    exponents_unit() exponents0; distance_unit() distance0; align_unit() align0; add_unit() add0;
    flag_unit() flag0;
    #include "../include/judge_actions_v1model.p4"
    table judge {
        key = { hdr.row.op : ternary; meta.slot : ternary; }
        actions = { judge_forward; judge_give_back; }
        const default_action = judge_forward(); ENTRIES(2)
        const entries = { (2, 1) : judge_forward(); (_, _) : judge_give_back(); }
    }
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply(); take.apply();
        // Stage 1
        begin.apply();
        // Stage 2
        if (hdr.row.isValid()) {
            incoming0.apply(hdr.row.code, meta.incoming0);
            extract0.apply(hdr.row.code, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 3
        sign0.apply(hdr.row.code, meta.magnitude0, meta.signed0);
        exponents0.apply(meta.sum, meta.adds0, meta.incoming0, hdr.row.index, meta.stored0,
            hdr.row.exponent);
        // Stage 4
        distance0.apply(meta.incoming0, meta.stored0, meta.distance0, meta.back0);
        // Stage 5
        align0.apply(meta.distance0, meta.signed0, meta.back0, meta.shifted0, meta.stored_by0);
        // Stage 6
        add0.apply(meta.sum, meta.adds0, meta.distance0, meta.shifted0, hdr.row.index,
            meta.stored_by0, hdr.row.mantissa);
        // Stage 7
        flag0.apply(meta.sum, meta.added0, meta.shifted0, meta.flag0, hdr.row.index, hdr.row.flags);
        // From stage 2 again
        judge.apply();
    }
}

#include "../include/magnitude_unit_2.p4"
#include "../include/normalise_unit_v1model.p4"
control assemble_unit(in bit<8> flags, in bit<16> normal_exponent, in bit<32> normal,
    in bit<32> sign, inout bit<32> code) {
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble_nan() { code = 32w0x7FC00000; }
    action assemble_positive_infinity() { code = 32w0x7F800000; }
    action assemble_negative_infinity() { code = 32w0xFF800000; }
    action assemble_infinite() { code = sign | 32w0x7F800000; }
    action assemble_normal() { code = sign[31:31] ++ normal_exponent[7:0] ++ normal[22:0]; }
    action assemble_subnormal() { code = sign | normal; }
    table assemble {
        key = { flags : ternary; normal_exponent : range; normal : ternary; }
        actions = {
            assemble_nan; assemble_positive_infinity; assemble_negative_infinity; assemble_infinite;
            assemble_normal; assemble_subnormal;
        }
        const default_action = assemble_subnormal(); ENTRIES(8)
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble_nan(); (3 &&& 3, 0..0xFFFF, _) : assemble_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble_nan(); (_, 0..0xFFFF, 0) : assemble_subnormal();
            (_, 255..0x7FFF, _) : assemble_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble_normal();
        }
    }
    apply { assemble.apply(); }
}
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    #include "../include/strip_v1model.p4"
    apply {
        // Stage 7
        if (hdr.row.op == 8w3) { magnitude0.apply(hdr.row.mantissa, meta.absolute0, meta.sign0); }
        // Stage 8
        if (hdr.row.op == 8w3) {
            normalise0.apply(meta.absolute0, hdr.row.exponent, meta.normal0, meta.normal_exponent0);
        }
        // Stage 9
        if (hdr.row.op == 8w3) {
            assemble0.apply(hdr.row.flags, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.row.code);
        }
        // From stage 0 again
        strip.apply();
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/deparser_v1model_3.p4"

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
