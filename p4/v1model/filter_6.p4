// filter for bmv2 (v1model).
// A filter of a query, by 6 comparisons.
// Rules: R-QRY in spec/query.md, R-PISA-80 to 87 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<8> again; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header row_h {
    bit<8> op; bit<8> verdict; bit<16> index; bit<32> key_; bit<32> code; bit<32> column0;
    bit<32> column1; bit<32> column2; bit<32> column3; bit<32> column4; bit<32> column5;
}
struct headers_t { bridge_h bridge; ethernet_h ethernet; row_h row; }
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<1> again; bit<16> worker; bit<16> master; bit<32> unsigned0;
    bit<32> constant0; bit<32> under0; bit<32> over0; bit<2> relation0; bit<32> unsigned1;
    bit<32> constant1; bit<32> under1; bit<32> over1; bit<2> relation1; bit<32> unsigned2;
    bit<32> constant2; bit<32> under2; bit<32> over2; bit<2> relation2; bit<32> unsigned3;
    bit<32> constant3; bit<32> under3; bit<32> over3; bit<2> relation3; bit<32> unsigned4;
    bit<32> constant4; bit<32> under4; bit<32> over4; bit<2> relation4; bit<32> unsigned5;
    bit<32> constant5; bit<32> under5; bit<32> over5; bit<2> relation5; bit<1> kept;
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
control relation_unit(in bit<32> under, in bit<32> over, inout bit<2> relation) {
    // The relation of a column to its constant.
    action relation_equal() { relation = 2w0; }
    action relation_less() { relation = 2w1; }
    action relation_greater() { relation = 2w2; }
    table relation {
        key = { under : ternary; over : ternary; }
        actions = { relation_equal; relation_less; relation_greater; }
        const default_action = relation_greater(); ENTRIES(2)
        const entries = { (0, 0) : relation_equal(); (_, 0) : relation_less(); }
    }
    apply { relation.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/ports_v1model.p4"
    // Columns as unsigned numbers.
    action bias_bias() {
        meta.unsigned0 = hdr.row.column0 ^ 32w0x80000000;
        meta.unsigned1 = hdr.row.column1 ^ 32w0x80000000;
        meta.unsigned2 = hdr.row.column2 ^ 32w0x80000000;
        meta.unsigned3 = hdr.row.column3 ^ 32w0x80000000;
        meta.unsigned4 = hdr.row.column4 ^ 32w0x80000000;
        meta.unsigned5 = hdr.row.column5 ^ 32w0x80000000;
    }
    // R-QRY-6: the constants, as unsigned numbers.
    action constants_load(bit<32> constant0, bit<32> constant1, bit<32> constant2,
        bit<32> constant3, bit<32> constant4, bit<32> constant5) {
        meta.constant0 = constant0; meta.constant1 = constant1; meta.constant2 = constant2;
        meta.constant3 = constant3; meta.constant4 = constant4; meta.constant5 = constant5;
    }
    table constants {
        key = { hdr.row.op : exact @name("op"); }
        actions = { constants_load; @defaultonly NoAction; }
        const default_action = NoAction(); size = 1;
    }
    // 0 if a column is not below, or not above.
    action compare_compare() {
        meta.under0 = meta.constant0 |-| meta.unsigned0;
        meta.over0 = meta.unsigned0 |-| meta.constant0;
        meta.under1 = meta.constant1 |-| meta.unsigned1;
        meta.over1 = meta.unsigned1 |-| meta.constant1;
        meta.under2 = meta.constant2 |-| meta.unsigned2;
        meta.over2 = meta.unsigned2 |-| meta.constant2;
        meta.under3 = meta.constant3 |-| meta.unsigned3;
        meta.over3 = meta.unsigned3 |-| meta.constant3;
        meta.under4 = meta.constant4 |-| meta.unsigned4;
        meta.over4 = meta.unsigned4 |-| meta.constant4;
        meta.under5 = meta.constant5 |-| meta.unsigned5;
        meta.over5 = meta.unsigned5 |-| meta.constant5;
    }
    relation_unit() relation0; relation_unit() relation1; relation_unit() relation2;
    relation_unit() relation3; relation_unit() relation4; relation_unit() relation5;
    // R-QRY-6: what the truth table forwards.
    action truth_keep() { meta.kept = 1w1; }
    table truth {
        key = {
            meta.relation0 : exact @name("relation0"); meta.relation1 : exact @name("relation1");
            meta.relation2 : exact @name("relation2"); meta.relation3 : exact @name("relation3");
            meta.relation4 : exact @name("relation4"); meta.relation5 : exact @name("relation5");
        }
        actions = { truth_keep; @defaultonly NoAction; }
        const default_action = NoAction(); size = 729;
    }
    #include "../include/judge_actions_v1model.p4"
    table judge {
        key = { meta.kept : ternary; }
        actions = { judge_forward; judge_give_back; }
        const default_action = judge_forward(); ENTRIES(1)
        const entries = { 0 : judge_give_back(); }
    }
    #define RELATION(N) relation##N.apply(meta.under##N, meta.over##N, meta.relation##N)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply(); bias_bias(); constants.apply();
        // Stage 1
        compare_compare();
        // Stage 2
        RELATION(0); RELATION(1); RELATION(2); RELATION(3); RELATION(4); RELATION(5);
        // Stage 3
        truth.apply();
        // Stage 4
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
