// p4sgd for bmv2 (v1model).
// P4SGD's acknowledged protocol: 8 value(s), 128 slots, 8 workers.
// Rules: R-PISA-20 to 22 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> clears; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header p4sgd_h { bit<8> is_agg; bit<8> acked; bit<16> seq; bit<32> bm; }
header activations_h {
    bit<32> value0; bit<32> value1; bit<32> value2; bit<32> value3; bit<32> value4; bit<32> value5;
    bit<32> value6; bit<32> value7;
}
struct headers_t { bridge_h bridge; ethernet_h ethernet; p4sgd_h p4sgd; activations_h activations; }
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<1> around_again; bit<2> side; bit<32> before; bit<32> seen; bit<2> reached;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model.p4"
    #include "../include/parse_bridge_to_parse_activations.p4"
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control aggregate_unit(in bit<1> around_again, in bit<32> seen, inout bit<32> lane,
    in bit<16> seq) {
    // The sum so far.
    register<bit<32>, bit<32>>(128) reg_agg;
    // Algorithm 2, lines 6, 13 and 24.
    action aggregate_add() {
        @atomic {
            bit<32> old_lo; reg_agg.read(old_lo, (bit<32>) seq); bit<32> new_lo = old_lo + lane;
            reg_agg.write((bit<32>) seq, new_lo); lane = new_lo;
        }
    }
    action aggregate_read() {
        @atomic { bit<32> old_lo; reg_agg.read(old_lo, (bit<32>) seq); lane = old_lo; }
    }
    action aggregate_clear() {
        @atomic { bit<32> new_lo = 32w0; reg_agg.write((bit<32>) seq, new_lo); }
    }
    #include "../include/aggregate_table.p4"
    apply { aggregate.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Workers whose packet has come.
    register<bit<32>, bit<32>>(128) reg_agg_bm;
    // Workers whose packet has come.
    register<bit<32>, bit<32>>(128) reg_ack_bm;
    // How many have come.
    register<bit<32>, bit<32>>(128) reg_agg_count;
    // How many have come.
    register<bit<32>, bit<32>>(128) reg_ack_count;
    // Algorithm 2, lines 3, 5, 9, 18, 20 and 23.
    action agg_bitmap_mark() {
        @atomic {
            bit<32> old_lo; reg_agg_bm.read(old_lo, (bit<32>) hdr.p4sgd.seq);
            bit<32> new_lo = old_lo | hdr.p4sgd.bm;
            reg_agg_bm.write((bit<32>) hdr.p4sgd.seq, new_lo); meta.before = old_lo;
        }
    }
    action agg_bitmap_clear() {
        @atomic { bit<32> new_lo = 32w0; reg_agg_bm.write((bit<32>) hdr.p4sgd.seq, new_lo); }
    }
    table agg_bitmap {
        key = { meta.around_again : ternary; meta.seen : ternary; }
        actions = { agg_bitmap_mark; agg_bitmap_clear; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { (0, _) : agg_bitmap_mark(); (1, _) : agg_bitmap_clear(); }
    }
    // Algorithm 2, lines 3, 5, 9, 18, 20 and 23.
    action ack_bitmap_mark() {
        @atomic {
            bit<32> old_lo; reg_ack_bm.read(old_lo, (bit<32>) hdr.p4sgd.seq);
            bit<32> new_lo = old_lo | hdr.p4sgd.bm;
            reg_ack_bm.write((bit<32>) hdr.p4sgd.seq, new_lo); meta.before = old_lo;
        }
    }
    action ack_bitmap_clear() {
        @atomic { bit<32> new_lo = 32w0; reg_ack_bm.write((bit<32>) hdr.p4sgd.seq, new_lo); }
    }
    #include "../include/ack_bitmap_table_to_own_bit.p4"
    // Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.
    action agg_counter_count() {
        @atomic {
            bit<32> old_lo; reg_agg_count.read(old_lo, (bit<32>) hdr.p4sgd.seq);
            bool first_holds = (int<32>) (old_lo - 32w7) == 0; bit<32> new_lo = old_lo + 32w1;
            reg_agg_count.write((bit<32>) hdr.p4sgd.seq, new_lo);
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action agg_counter_look() {
        @atomic {
            bit<32> old_lo; reg_agg_count.read(old_lo, (bit<32>) hdr.p4sgd.seq);
            bool first_holds = (int<32>) (old_lo - 32w8) == 0;
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action agg_counter_clear() {
        @atomic { bit<32> new_lo = 32w0; reg_agg_count.write((bit<32>) hdr.p4sgd.seq, new_lo); }
    }
    #include "../include/agg_counter_table.p4"
    // Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.
    action ack_counter_count() {
        @atomic {
            bit<32> old_lo; reg_ack_count.read(old_lo, (bit<32>) hdr.p4sgd.seq);
            bool first_holds = (int<32>) (old_lo - 32w7) == 0; bit<32> new_lo = old_lo + 32w1;
            reg_ack_count.write((bit<32>) hdr.p4sgd.seq, new_lo);
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action ack_counter_look() {
        @atomic {
            bit<32> old_lo; reg_ack_count.read(old_lo, (bit<32>) hdr.p4sgd.seq);
            bool first_holds = (int<32>) (old_lo - 32w8) == 0;
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action ack_counter_clear() {
        @atomic { bit<32> new_lo = 32w0; reg_ack_count.write((bit<32>) hdr.p4sgd.seq, new_lo); }
    }
    #include "../include/ack_counter_table_to_apply_aggregate_unit.p4"
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage4.p4"
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    apply {
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.p4sgd);
        packet.emit(hdr.activations);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
