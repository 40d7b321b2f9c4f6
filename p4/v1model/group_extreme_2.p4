// group_extreme for bmv2 (v1model).
// Largest codes by key, 128 x 2 cached.
// Rules: R-QRY in spec/query.md, R-PISA-80 to 87 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<8> again; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header row_h { bit<8> op; bit<8> verdict; bit<16> index; bit<32> key_; bit<32> code; }
struct headers_t { bridge_h bridge; ethernet_h ethernet; row_h row; }
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<1> again; bit<16> worker; bit<16> master; bit<4> hit0; bit<32> key_out0;
    bit<32> largest0; bit<32> behind0; bit<32> code_out0; bit<4> hit1; bit<32> key_out1;
    bit<32> largest1; bit<32> behind1; bit<32> code_out1;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model_2.p4"
    #include "../include/parse_again_to_parse_ethernet_v1model.p4"
    #include "../include/parse_row_v1model.p4"
    state known { transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control behind_unit(in bit<32> largest, in bit<32> code, inout bit<32> behind) {
    // R-PISA-84: 0 if the code is the largest now.
    action behind_differ() { behind = largest ^ code; }
    apply { behind_differ(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Keys of a cell of each row (R-QRY-11); 0 where there is none.
    register<bit<32>, bit<32>>(128) reg_keys0;
    // Largest codes of a cell's keys (R-QRY-12).
    register<bit<32>, bit<32>>(128) reg_codes0;
    // Keys of a cell of each row (R-QRY-11); 0 where there is none.
    register<bit<32>, bit<32>>(128) reg_keys1;
    // Largest codes of a cell's keys (R-QRY-12).
    register<bit<32>, bit<32>>(128) reg_codes1;
    #include "../include/ports_v1model.p4"
    #include "../include/key0_v1model.p4"
    // R-PISA-84: the larger code stays, or codes move on.
    action code0_compare() {
        @atomic {
            bit<32> old_lo; reg_codes0.read(old_lo, (bit<32>) hdr.row.index);
            bit<32> new_lo = (int<32>) old_lo > (int<32>) hdr.row.code ? old_lo : hdr.row.code;
            reg_codes0.write((bit<32>) hdr.row.index, new_lo); meta.largest0 = new_lo;
        }
    }
    action code0_move_on() {
        @atomic {
            bit<32> old_lo; reg_codes0.read(old_lo, (bit<32>) hdr.row.index);
            bit<32> new_lo = hdr.row.code; reg_codes0.write((bit<32>) hdr.row.index, new_lo);
            meta.code_out0 = old_lo;
        }
    }
    table code0 {
        key = { meta.again : ternary; meta.hit0 : ternary; }
        actions = { code0_compare; code0_move_on; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { (1, _) : code0_move_on(); (0, 2) : code0_compare(); }
    }
    behind_unit() behind0;
    #include "../include/key1_v1model.p4"
    // R-PISA-84: the larger code stays, or codes move on.
    action code1_compare() {
        @atomic {
            bit<32> old_lo; reg_codes1.read(old_lo, (bit<32>) hdr.row.index);
            bit<32> new_lo = (int<32>) old_lo > (int<32>) hdr.row.code ? old_lo : hdr.row.code;
            reg_codes1.write((bit<32>) hdr.row.index, new_lo); meta.largest1 = new_lo;
        }
    }
    action code1_move_on() {
        @atomic {
            bit<32> old_lo; reg_codes1.read(old_lo, (bit<32>) hdr.row.index);
            bit<32> new_lo = meta.code_out0; reg_codes1.write((bit<32>) hdr.row.index, new_lo);
            meta.code_out1 = old_lo;
        }
    }
    table code1 {
        key = { meta.again : ternary; meta.hit1 : ternary; }
        actions = { code1_compare; code1_move_on; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { (1, _) : code1_move_on(); (0, 2) : code1_compare(); }
    }
    behind_unit() behind1;
    #include "../include/judge_actions_v1model_2.p4"
    table judge {
        key = {
            meta.again : ternary; hdr.row.key_ : ternary; meta.hit0 : ternary; meta.hit1 : ternary;
            meta.behind0 : ternary; meta.behind1 : ternary;
        }
        actions = { judge_forward; judge_give_back; judge_around; }
        const default_action = judge_forward(); ENTRIES(7)
        const entries = {
            (1, _, _, _, _, _) : judge_forward(); (_, 0, _, _, _, _) : judge_forward();
            (_, _, 2, _, 0, _) : judge_forward(); (_, _, 2, _, _, _) : judge_give_back();
            (_, _, _, 2, _, 0) : judge_forward(); (_, _, _, 2, _, _) : judge_give_back();
            (_, _, _, _, _, _) : judge_around();
        }
    }
    #define BEHIND(N) behind##N.apply(meta.largest##N, hdr.row.code, meta.behind##N)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply();
        // Stage 1
        key0.apply();
        // Stage 2
        code0.apply();
        // Stage 3
        BEHIND(0);
        // From stage 2 again
        key1.apply();
        code1.apply();
        // Stage 4
        BEHIND(1);
        // Stage 5
        judge.apply();
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/strip_v1model.p4"
    apply {
        // Stage 0
        strip.apply();
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/deparser_v1model_3.p4"

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
