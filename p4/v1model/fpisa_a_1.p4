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
#include "../include/incoming_unit_to_extract_unit_v1model.p4"
#include "../include/sign_unit.p4"
control exponents_unit(in bit<8> op, in bit<1> adds, in bit<16> incoming, in bit<16> index,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> new_lo = incoming; reg_exponent.write((bit<32>) index, new_lo); stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) index);
            bool first_holds = (int<16>) (old_lo - incoming + 16w7) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) index, new_lo); stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic { bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) index); exponent = old_lo; }
    }
    #include "../include/exponents_table.p4"
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_limit_unit.p4"
control add_unit(in bit<8> op, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> index, in bit<32> limit, inout bit<32> mantissa, inout bit<4> added) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic { bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) index, new_lo); }
    }
    action add_read() {
        @atomic { bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) index); mantissa = old_lo; }
    }
    action add_add_up() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) index);
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) > 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) index, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add_add_down() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) index);
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) < 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) index, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    #include "../include/add_table.p4"
    apply { add.apply(); }
}
control flag_unit(in bit<8> op, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> index, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags;
    #include "../include/flag_actions_v1model.p4"
    #include "../include/flag_table.p4"
    apply { flag.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/ports.p4"
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    exponents_unit() exponents0; distance_unit() distance0; align_unit() align0;
    limit_unit() limit0; add_unit() add0; flag_unit() flag0;
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage6.p4"
    }
}

#include "../include/magnitude_unit_2.p4"
#include "../include/normalise_unit.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    apply {
        #include "../include/stage6_to_stage8.p4"
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply { packet.emit(hdr.ethernet); packet.emit(hdr.fpisa); packet.emit(hdr.sum0); }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
