// distinct for bmv2 (v1model).
// Different keys of a query, 128 x 2 cached.
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
    bit<4> hit1; bit<32> key_out1;
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
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Keys of a cell of each row (R-QRY-11); 0 where there is none.
    register<bit<32>, bit<32>>(128) reg_keys0;
    // Keys of a cell of each row (R-QRY-11); 0 where there is none.
    register<bit<32>, bit<32>>(128) reg_keys1;
    #include "../include/ports_v1model.p4"
    #include "../include/key0_v1model.p4"
    #include "../include/key1_v1model.p4"
    #include "../include/judge_actions_v1model_2.p4"
    table judge {
        key = {
            meta.again : ternary; hdr.row.key_ : ternary; meta.hit0 : ternary; meta.hit1 : ternary;
        }
        actions = { judge_forward; judge_give_back; judge_around; }
        const default_action = judge_forward(); ENTRIES(5)
        const entries = {
            (1, _, _, _) : judge_forward(); (_, 0, _, _) : judge_forward();
            (_, _, 2, _) : judge_give_back(); (_, _, _, 2) : judge_give_back();
            (_, _, _, _) : judge_around();
        }
    }
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
        key1.apply();
        // Stage 3
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
