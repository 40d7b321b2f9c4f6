// fpisa for bmv2 (v1model).
// FPISA: sums of 4 value(s) in FP32, 128 words.
// Rules: R-FPI in spec/numerics.md, R-PISA-30 to 34 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header fpisa_h { bit<8> op; bit<16> index; }
header sum0_h { bit<32> value; bit<16> exponent; bit<32> mantissa; bit<8> flags; }
header sum1_h { bit<32> value; bit<16> exponent; bit<32> mantissa; bit<8> flags; }
header sum2_h { bit<32> value; bit<16> exponent; bit<32> mantissa; bit<8> flags; }
header sum3_h { bit<32> value; bit<16> exponent; bit<32> mantissa; bit<8> flags; }
struct headers_t {
    ethernet_h ethernet; fpisa_h fpisa; sum0_h sum0; sum1_h sum1; sum2_h sum2; sum3_h sum3;
}
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<16> incoming0; bit<32> magnitude0; bit<32> signed0; bit<32> shifted0;
    bit<1> adds0; bit<8> flag0; bit<16> stored0; bit<16> distance0; bit<16> back0;
    bit<16> stored_by0; bit<32> limit0; bit<4> added0; bit<32> absolute0; bit<32> normal0;
    bit<16> normal_exponent0; bit<32> sign0; bit<16> incoming1; bit<32> magnitude1; bit<32> signed1;
    bit<32> shifted1; bit<1> adds1; bit<8> flag1; bit<16> stored1; bit<16> distance1; bit<16> back1;
    bit<16> stored_by1; bit<32> limit1; bit<4> added1; bit<32> absolute1; bit<32> normal1;
    bit<16> normal_exponent1; bit<32> sign1; bit<16> incoming2; bit<32> magnitude2; bit<32> signed2;
    bit<32> shifted2; bit<1> adds2; bit<8> flag2; bit<16> stored2; bit<16> distance2; bit<16> back2;
    bit<16> stored_by2; bit<32> limit2; bit<4> added2; bit<32> absolute2; bit<32> normal2;
    bit<16> normal_exponent2; bit<32> sign2; bit<16> incoming3; bit<32> magnitude3; bit<32> signed3;
    bit<32> shifted3; bit<1> adds3; bit<8> flag3; bit<16> stored3; bit<16> distance3; bit<16> back3;
    bit<16> stored_by3; bit<32> limit3; bit<4> added3; bit<32> absolute3; bit<32> normal3;
    bit<16> normal_exponent3; bit<32> sign3;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    state start { transition parse_ethernet; }
    #include "../include/parse_ethernet_to_parse_fpisa.p4"
    state parse_sums {
        packet.extract(hdr.sum0); packet.extract(hdr.sum1); packet.extract(hdr.sum2);
        packet.extract(hdr.sum3); transition accept;
    }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/incoming_unit_to_extract_unit_v1model.p4"
#include "../include/sign_unit.p4"
control exponents_unit(in bit<8> op, in bit<1> adds, in bit<16> incoming, in bit<16> index,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent;
    #include "../include/exponents_actions_v1model.p4"
    #include "../include/exponents_table.p4"
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_align_unit_v1model.p4"
control add_unit(in bit<8> op, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> index, in bit<16> stored_by, inout bit<32> mantissa) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa;
    #include "../include/add_actions_v1model.p4"
    table add {
        key = { op : ternary; adds : ternary; distance : range; shifted : ternary; }
        actions = { add_begin; add_read; add_add; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 0..0xFFFF, _) : add_add();
        }
    }
    apply { add.apply(); }
}
control flag_unit(in bit<8> op, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> index, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags;
    #include "../include/flag_actions_v1model.p4"
    table flag {
        key = { op : ternary; added : ternary; shifted : ternary; }
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
    #include "../include/ports.p4"
    #include "../include/incoming0_v1model.p4"
    #define ADD(N) add##N.apply(hdr.fpisa.op, meta.adds##N, meta.distance##N, meta.shifted##N, \
        hdr.fpisa.index, meta.stored_by##N, hdr.sum##N.mantissa)
    #define ALIGN(N) align##N.apply(meta.distance##N, meta.signed##N, meta.back##N, \
        meta.shifted##N, meta.stored_by##N)
    #define DISTANCE(N) distance##N.apply(meta.incoming##N, meta.stored##N, meta.distance##N, \
        meta.back##N)
    #define EXPONENTS(N) exponents##N.apply(hdr.fpisa.op, meta.adds##N, meta.incoming##N, \
        hdr.fpisa.index, meta.stored##N, hdr.sum##N.exponent)
    #define EXTRACT(N) extract##N.apply(hdr.sum##N.value, meta.magnitude##N, meta.adds##N, \
        meta.flag##N)
    #define FLAG(N) flag##N.apply(hdr.fpisa.op, meta.added##N, meta.shifted##N, meta.flag##N, \
        hdr.fpisa.index, hdr.sum##N.flags)
    #define INCOMING(N) incoming##N.apply(hdr.sum##N.value, meta.incoming##N)
    #define SIGN(N) sign##N.apply(hdr.sum##N.value, meta.magnitude##N, meta.signed##N)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply();
        if (hdr.sum0.isValid()) { INCOMING(0); EXTRACT(0); }
        // Stage 1
        SIGN(0);
        // From stage 0 again
        if (hdr.sum1.isValid()) { INCOMING(1); EXTRACT(1); }
        SIGN(1);
        // From stage 0 again
        if (hdr.sum2.isValid()) { INCOMING(2); EXTRACT(2); }
        SIGN(2);
        // From stage 0 again
        if (hdr.sum3.isValid()) { INCOMING(3); EXTRACT(3); }
        SIGN(3); EXPONENTS(0);
        // Stage 2
        DISTANCE(0);
        // Stage 3
        ALIGN(0);
        // Stage 4
        ADD(0);
        // Stage 5
        FLAG(0);
        // From stage 1 again
        EXPONENTS(1);
        DISTANCE(1);
        ALIGN(1);
        ADD(1);
        FLAG(1);
        // From stage 1 again
        EXPONENTS(2);
        DISTANCE(2);
        ALIGN(2);
        ADD(2);
        FLAG(2);
        // From stage 1 again
        EXPONENTS(3);
        DISTANCE(3);
        ALIGN(3);
        ADD(3);
        FLAG(3);
    }
}

#include "../include/magnitude_unit_2.p4"
#include "../include/normalise_unit_v1model.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    magnitude_unit() magnitude1; normalise_unit() normalise1; assemble_unit() assemble1;
    magnitude_unit() magnitude2; normalise_unit() normalise2; assemble_unit() assemble2;
    magnitude_unit() magnitude3; normalise_unit() normalise3; assemble_unit() assemble3;
    #define ASSEMBLE(N) assemble##N.apply(hdr.sum##N.flags, meta.normal_exponent##N, \
        meta.normal##N, meta.sign##N, hdr.sum##N.value)
    #define MAGNITUDE(N) magnitude##N.apply(hdr.sum##N.mantissa, meta.absolute##N, meta.sign##N)
    #define NORMALISE(N) normalise##N.apply(meta.absolute##N, hdr.sum##N.exponent, meta.normal##N, \
        meta.normal_exponent##N)
    apply {
        // Stage 5
        if (hdr.fpisa.op == 8w3) { MAGNITUDE(0); }
        // Stage 6
        if (hdr.fpisa.op == 8w3) { NORMALISE(0); }
        // Stage 7
        if (hdr.fpisa.op == 8w3) { ASSEMBLE(0); }
        // From stage 5 again
        if (hdr.fpisa.op == 8w3) { MAGNITUDE(1); }
        if (hdr.fpisa.op == 8w3) { NORMALISE(1); }
        if (hdr.fpisa.op == 8w3) { ASSEMBLE(1); }
        // From stage 5 again
        if (hdr.fpisa.op == 8w3) { MAGNITUDE(2); }
        if (hdr.fpisa.op == 8w3) { NORMALISE(2); }
        if (hdr.fpisa.op == 8w3) { ASSEMBLE(2); }
        // From stage 5 again
        if (hdr.fpisa.op == 8w3) { MAGNITUDE(3); }
        if (hdr.fpisa.op == 8w3) { NORMALISE(3); }
        if (hdr.fpisa.op == 8w3) { ASSEMBLE(3); }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet); packet.emit(hdr.fpisa); packet.emit(hdr.sum0);
        packet.emit(hdr.sum1); packet.emit(hdr.sum2); packet.emit(hdr.sum3);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
