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
control aggregate_unit(in bit<1> around_again, in bit<32> seen, inout bit<32> value_2,
    in bit<16> seq) {
    // The sum so far.
    register<bit<32>, bit<32>>(128) reg_agg;
    // Algorithm 2, lines 6, 13 and 24.
    action aggregate_add() {
        @atomic {
            bit<32> word; reg_agg.read(word, (bit<32>) seq); bit<32> old_lo = word;
            bit<32> new_lo = old_lo + value_2; reg_agg.write((bit<32>) seq, new_lo);
            value_2 = new_lo;
        }
    }
    action aggregate_read() {
        @atomic {
            bit<32> word; reg_agg.read(word, (bit<32>) seq); bit<32> old_lo = word;
            value_2 = old_lo;
        }
    }
    action aggregate_clear() {
        @atomic {
            bit<32> word; reg_agg.read(word, (bit<32>) seq); bit<32> old_lo = word;
            bit<32> new_lo = 32w0; reg_agg.write((bit<32>) seq, new_lo);
        }
    }
    table aggregate {
        key = { around_again : ternary @name("around_again"); seen : ternary @name("seen"); }
        actions = { aggregate_add; aggregate_read; aggregate_clear; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (0, 0) : aggregate_add(); (0, _) : aggregate_read(); (1, _) : aggregate_clear();
        }
    }
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
            bit<32> word; reg_agg_bm.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bit<32> new_lo = old_lo | hdr.p4sgd.bm;
            reg_agg_bm.write((bit<32>) hdr.p4sgd.seq, new_lo); meta.before = old_lo;
        }
    }
    action agg_bitmap_clear() {
        @atomic {
            bit<32> word; reg_agg_bm.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bit<32> new_lo = 32w0; reg_agg_bm.write((bit<32>) hdr.p4sgd.seq, new_lo);
        }
    }
    table agg_bitmap {
        key = {
            meta.around_again : ternary @name("around_again"); meta.seen : ternary @name("seen");
        }
        actions = { agg_bitmap_mark; agg_bitmap_clear; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = { (0, _) : agg_bitmap_mark(); (1, _) : agg_bitmap_clear(); }
    }
    // Algorithm 2, lines 3, 5, 9, 18, 20 and 23.
    action ack_bitmap_mark() {
        @atomic {
            bit<32> word; reg_ack_bm.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bit<32> new_lo = old_lo | hdr.p4sgd.bm;
            reg_ack_bm.write((bit<32>) hdr.p4sgd.seq, new_lo); meta.before = old_lo;
        }
    }
    action ack_bitmap_clear() {
        @atomic {
            bit<32> word; reg_ack_bm.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bit<32> new_lo = 32w0; reg_ack_bm.write((bit<32>) hdr.p4sgd.seq, new_lo);
        }
    }
    table ack_bitmap {
        key = {
            meta.around_again : ternary @name("around_again"); meta.seen : ternary @name("seen");
        }
        actions = { ack_bitmap_mark; ack_bitmap_clear; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = { (0, _) : ack_bitmap_mark(); (1, _) : ack_bitmap_clear(); }
    }
    // Whether this worker's packet has come before.
    action own_bit_test() { meta.seen = meta.before & hdr.p4sgd.bm; }
    table own_bit { actions = { own_bit_test; } const default_action = own_bit_test(); size = 1; }
    // Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.
    action agg_counter_count() {
        @atomic {
            bit<32> word; reg_agg_count.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w7) == 0; bit<32> new_lo = old_lo + 32w1;
            reg_agg_count.write((bit<32>) hdr.p4sgd.seq, new_lo);
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action agg_counter_look() {
        @atomic {
            bit<32> word; reg_agg_count.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w8) == 0;
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action agg_counter_clear() {
        @atomic {
            bit<32> word; reg_agg_count.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bit<32> new_lo = 32w0; reg_agg_count.write((bit<32>) hdr.p4sgd.seq, new_lo);
        }
    }
    table agg_counter {
        key = {
            meta.around_again : ternary @name("around_again"); meta.seen : ternary @name("seen");
        }
        actions = { agg_counter_count; agg_counter_look; agg_counter_clear; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (0, 0) : agg_counter_count(); (0, _) : agg_counter_look(); (1, _) : agg_counter_clear();
        }
    }
    // Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.
    action ack_counter_count() {
        @atomic {
            bit<32> word; reg_ack_count.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w7) == 0; bit<32> new_lo = old_lo + 32w1;
            reg_ack_count.write((bit<32>) hdr.p4sgd.seq, new_lo);
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action ack_counter_look() {
        @atomic {
            bit<32> word; reg_ack_count.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w8) == 0;
            meta.reached = first_holds ? 2w2 : 2w1;
        }
    }
    action ack_counter_clear() {
        @atomic {
            bit<32> word; reg_ack_count.read(word, (bit<32>) hdr.p4sgd.seq); bit<32> old_lo = word;
            bit<32> new_lo = 32w0; reg_ack_count.write((bit<32>) hdr.p4sgd.seq, new_lo);
        }
    }
    table ack_counter {
        key = {
            meta.around_again : ternary @name("around_again"); meta.seen : ternary @name("seen");
        }
        actions = { ack_counter_count; ack_counter_look; ack_counter_clear; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (0, 0) : ack_counter_count(); (0, _) : ack_counter_look(); (1, _) : ack_counter_clear();
        }
    }
    #include "../include/aggregate0_to_outcome_actions.p4"
    table outcome {
        key = {
            meta.around_again : ternary @name("around_again"); meta.side : ternary @name("side");
            meta.seen : ternary @name("seen"); meta.reached : ternary @name("reached");
        }
        actions = {
            outcome_refuse; outcome_aggregated; outcome_acknowledged; outcome_aggregated_before;
            outcome_acknowledged_before; outcome_spread;
        }
        const default_action = outcome_refuse();
        const entries = {
            (1, _, _, _) : outcome_spread(); (0, 1, 0, 2) : outcome_aggregated();
            (0, 2, 0, 2) : outcome_acknowledged(); (0, 1, _, 2) : outcome_aggregated_before();
            (0, 2, _, 2) : outcome_acknowledged_before();
        }
    }
    #define AGGREGATE(UNIT, F2) UNIT.apply(meta.around_again, meta.seen, F2, hdr.p4sgd.seq)
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
