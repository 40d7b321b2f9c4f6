// switchml for bmv2 (v1model).
// SwitchML with netfold's rounds: 64 lanes of 32 bits, 1 pipeline(s), 128 slots, 8 workers.
// Rules: R-PKT and R-SLOT in spec/protocol.md, R-PISA in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<8> step; bit<16> rest; bit<8> single; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/netfold_header.p4"
#include "../include/lanes_32_header_to_lanes_last_header.p4"
#include "../include/report_v1model.p4"
#include "../include/headers.p4"
#include "../include/metadata_v1model.p4"

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model.p4"
    #include "../include/parse_bridge.p4"
    #include "../include/parse_ethernet.p4"
    #include "../include/consume_again_to_harvest.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/again_kind_to_parse_netfold.p4"
    #include "../include/again_way.p4"
    #include "../include/first_kind.p4"
    #include "../include/again_lanes.p4"
    #include "../include/again_without_lanes_to_first_values.p4"
    #include "../include/again_all_lanes_to_first_lanes.p4"
    state first_without_lanes { transition accept; }
    #include "../include/again_take_16_to_again_take_1.p4"
    state again_end { transition accept; }
    #include "../include/first_take_4_to_first_take_1.p4"
    state first_end { transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control fold_unit(in bit<2> phase, in bit<8> step, in bit<4> age, in bit<4> round_is,
    in bit<8> flags, in bit<2> order, in bit<8> was_filled, in bit<16> left, inout bit<32> lane,
    inout bit<32> lane_2, in bit<16> copy) {
    // Two lanes of each copy of a slot (R-SLOT-2).
    register<bit<64>, bit<32>>(256) reg_pair;
    #include "../include/fold_v1model.p4"
    apply { fold.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/reg_last_to_reg_count_v1model.p4"
    // Whether lanes have been written in this round.
    register<bit<8>, bit<32>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;
    #include "../include/shapes.p4"
    #include "../include/exponents_to_deliveries.p4"
    #include "../include/rounds_v1model.p4"
    #include "../include/digests_v1model.p4"
    #include "../include/first_rest_to_again_rest.p4"
    #include "../include/forward.p4"
    #include "../include/ages_to_starters_v1model.p4"
    #include "../include/counts_actions_v1model.p4"
    #include "../include/counts_table.p4"
    #include "../include/fills_to_largests_v1model.p4"
    #include "../include/show0_to_show6.p4"
    #include "../include/fold0.p4"
    #include "../include/hide0_to_outcome_actions.p4"
    #include "../include/outcome_table.p4"
    #include "../include/apply_fold_unit.p4"
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage1.p4"
        #include "../include/stage2_to_stage11.p4"
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/measure_to_copies.p4"
    apply {
        #include "../include/stage0_to_stage1_2.p4"
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_v1model.p4"
#include "../include/deparser_v1model.p4"

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
