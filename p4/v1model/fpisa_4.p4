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
#include "../include/incoming_unit_to_sign_unit_v1model.p4"
control exponents_unit(in bit<8> op, in bit<1> adds, in bit<16> incoming, in bit<16> index,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> word; reg_exponent.read(word, (bit<32>) index); bit<16> old_lo = word;
            bit<16> new_lo = incoming; reg_exponent.write((bit<32>) index, new_lo); stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> word; reg_exponent.read(word, (bit<32>) index); bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - incoming) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) index, new_lo); stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic {
            bit<16> word; reg_exponent.read(word, (bit<32>) index); bit<16> old_lo = word;
            exponent = old_lo;
        }
    }
    table exponents {
        key = { op : ternary @name("op"); adds : ternary @name("adds"); }
        actions = { exponents_begin; exponents_raise; exponents_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents_begin(); (2, 1) : exponents_raise(); (3, _) : exponents_read();
        }
    }
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_align_unit_v1model.p4"
control add_unit(in bit<8> op, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> index, in bit<16> stored_by, inout bit<32> mantissa) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) index); bit<32> old_lo = word;
            bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) index, new_lo);
        }
    }
    action add_read() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) index); bit<32> old_lo = word;
            mantissa = old_lo;
        }
    }
    action add_add() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) index); bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) stored_by) + shifted;
            reg_mantissa.write((bit<32>) index, new_lo);
        }
    }
    table add {
        key = {
            op : ternary @name("op"); adds : ternary @name("adds");
            distance : range @name("distance"); shifted : ternary @name("shifted");
        }
        actions = { add_begin; add_read; add_add; @defaultonly NoAction; }
        const default_action = NoAction();
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
    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) index); bit<8> old_lo = word;
            bit<8> new_lo = flag; reg_flags.write((bit<32>) index, new_lo);
        }
    }
    action flag_note() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) index); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | flag; reg_flags.write((bit<32>) index, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) index); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8; reg_flags.write((bit<32>) index, new_lo);
        }
    }
    action flag_read() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) index); bit<8> old_lo = word;
            flags = old_lo;
        }
    }
    table flag {
        key = {
            op : ternary @name("op"); added : ternary @name("added");
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
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/ports.p4"
    #include "../include/incoming0_to_sign3_v1model.p4"
    exponents_unit() exponents0;
    distance_unit() distance0;
    align_unit() align0;
    #include "../include/add0_to_align1_v1model.p4"
    #include "../include/add1_to_align2_v1model.p4"
    #include "../include/add2_to_align3_v1model.p4"
    add_unit() add3;
    flag_unit() flag3;
    #define ADD(UNIT, F1, F2, F3, F5, F6) UNIT.apply(hdr.fpisa.op, F1, F2, F3, hdr.fpisa.index, \
        F5, F6)
    #define ALIGN(UNIT, F0, F1, F2, F3, F4) UNIT.apply(F0, F1, F2, F3, F4)
    #define DISTANCE(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    #define EXPONENTS(UNIT, F1, F2, F4, F5) UNIT.apply(hdr.fpisa.op, F1, F2, hdr.fpisa.index, F4, \
        F5)
    #define EXTRACT(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    #define FLAG(UNIT, F1, F2, F3, F5) UNIT.apply(hdr.fpisa.op, F1, F2, F3, hdr.fpisa.index, F5)
    #define INCOMING(UNIT, F0, F1) UNIT.apply(F0, F1)
    #define SIGN(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply();
        if (hdr.sum0.isValid()) {
            INCOMING(incoming0, hdr.sum0.value, meta.incoming0);
            EXTRACT(extract0, hdr.sum0.value, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 1
        SIGN(sign0, hdr.sum0.value, meta.magnitude0, meta.signed0);
        // Stage 0
        if (hdr.sum1.isValid()) {
            INCOMING(incoming1, hdr.sum1.value, meta.incoming1);
            EXTRACT(extract1, hdr.sum1.value, meta.magnitude1, meta.adds1, meta.flag1);
        }
        // Stage 1
        SIGN(sign1, hdr.sum1.value, meta.magnitude1, meta.signed1);
        // Stage 0
        if (hdr.sum2.isValid()) {
            INCOMING(incoming2, hdr.sum2.value, meta.incoming2);
            EXTRACT(extract2, hdr.sum2.value, meta.magnitude2, meta.adds2, meta.flag2);
        }
        // Stage 1
        SIGN(sign2, hdr.sum2.value, meta.magnitude2, meta.signed2);
        // Stage 0
        if (hdr.sum3.isValid()) {
            INCOMING(incoming3, hdr.sum3.value, meta.incoming3);
            EXTRACT(extract3, hdr.sum3.value, meta.magnitude3, meta.adds3, meta.flag3);
        }
        // Stage 1
        SIGN(sign3, hdr.sum3.value, meta.magnitude3, meta.signed3);
        EXPONENTS(exponents0, meta.adds0, meta.incoming0, meta.stored0, hdr.sum0.exponent);
        // Stage 2
        DISTANCE(distance0, meta.incoming0, meta.stored0, meta.distance0, meta.back0);
        // Stage 3
        ALIGN(align0, meta.distance0, meta.signed0, meta.back0, meta.shifted0, meta.stored_by0);
        // Stage 4
        ADD(add0, meta.adds0, meta.distance0, meta.shifted0, meta.stored_by0, hdr.sum0.mantissa);
        // Stage 5
        FLAG(flag0, meta.added0, meta.shifted0, meta.flag0, hdr.sum0.flags);
        // Stage 1
        EXPONENTS(exponents1, meta.adds1, meta.incoming1, meta.stored1, hdr.sum1.exponent);
        // Stage 2
        DISTANCE(distance1, meta.incoming1, meta.stored1, meta.distance1, meta.back1);
        // Stage 3
        ALIGN(align1, meta.distance1, meta.signed1, meta.back1, meta.shifted1, meta.stored_by1);
        // Stage 4
        ADD(add1, meta.adds1, meta.distance1, meta.shifted1, meta.stored_by1, hdr.sum1.mantissa);
        // Stage 5
        FLAG(flag1, meta.added1, meta.shifted1, meta.flag1, hdr.sum1.flags);
        // Stage 1
        EXPONENTS(exponents2, meta.adds2, meta.incoming2, meta.stored2, hdr.sum2.exponent);
        // Stage 2
        DISTANCE(distance2, meta.incoming2, meta.stored2, meta.distance2, meta.back2);
        // Stage 3
        ALIGN(align2, meta.distance2, meta.signed2, meta.back2, meta.shifted2, meta.stored_by2);
        // Stage 4
        ADD(add2, meta.adds2, meta.distance2, meta.shifted2, meta.stored_by2, hdr.sum2.mantissa);
        // Stage 5
        FLAG(flag2, meta.added2, meta.shifted2, meta.flag2, hdr.sum2.flags);
        // Stage 1
        EXPONENTS(exponents3, meta.adds3, meta.incoming3, meta.stored3, hdr.sum3.exponent);
        // Stage 2
        DISTANCE(distance3, meta.incoming3, meta.stored3, meta.distance3, meta.back3);
        // Stage 3
        ALIGN(align3, meta.distance3, meta.signed3, meta.back3, meta.shifted3, meta.stored_by3);
        // Stage 4
        ADD(add3, meta.adds3, meta.distance3, meta.shifted3, meta.stored_by3, hdr.sum3.mantissa);
        // Stage 5
        FLAG(flag3, meta.added3, meta.shifted3, meta.flag3, hdr.sum3.flags);
    }
}

control magnitude_unit(in bit<32> mantissa, inout bit<32> absolute, inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() { absolute = mantissa; }
    action magnitude_minus() { absolute = 32w0 - mantissa; sign = 32w0x80000000; }
    table magnitude {
        key = { mantissa : ternary @name("mantissa"); }
        actions = { magnitude_plus; magnitude_minus; }
        const default_action = magnitude_plus();
        const entries = { 0x80000000 &&& 0x80000000 : magnitude_minus(); }
    }
    apply { magnitude.apply(); }
}
#include "../include/normalise_unit_v1model.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/magnitude0_to_assemble3_v1model.p4"
    #define ASSEMBLE(UNIT, F0, F1, F2, F3, F4) UNIT.apply(F0, F1, F2, F3, F4)
    #define MAGNITUDE(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    #define NORMALISE(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    apply {
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            MAGNITUDE(magnitude0, hdr.sum0.mantissa, meta.absolute0, meta.sign0);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            NORMALISE(normalise0, meta.absolute0, hdr.sum0.exponent, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            ASSEMBLE(assemble0, hdr.sum0.flags, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.sum0.value);
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            MAGNITUDE(magnitude1, hdr.sum1.mantissa, meta.absolute1, meta.sign1);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            NORMALISE(normalise1, meta.absolute1, hdr.sum1.exponent, meta.normal1,
                meta.normal_exponent1);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            ASSEMBLE(assemble1, hdr.sum1.flags, meta.normal_exponent1, meta.normal1, meta.sign1,
                hdr.sum1.value);
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            MAGNITUDE(magnitude2, hdr.sum2.mantissa, meta.absolute2, meta.sign2);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            NORMALISE(normalise2, meta.absolute2, hdr.sum2.exponent, meta.normal2,
                meta.normal_exponent2);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            ASSEMBLE(assemble2, hdr.sum2.flags, meta.normal_exponent2, meta.normal2, meta.sign2,
                hdr.sum2.value);
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            MAGNITUDE(magnitude3, hdr.sum3.mantissa, meta.absolute3, meta.sign3);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            NORMALISE(normalise3, meta.absolute3, hdr.sum3.exponent, meta.normal3,
                meta.normal_exponent3);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            ASSEMBLE(assemble3, hdr.sum3.flags, meta.normal_exponent3, meta.normal3, meta.sign3,
                hdr.sum3.value);
        }
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
