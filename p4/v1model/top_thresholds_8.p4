// top_thresholds for bmv2 (v1model).
// Top 250 of a query, by 8 thresholds.
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
    bit<1> refused; bit<1> again; bit<16> worker; bit<16> master; bit<16> none; bit<32> seen;
    bit<32> smallest; bit<32> lowest; bit<32> unsigned; bit<32> under; bit<32> threshold1;
    bit<32> under1; bit<32> counter1; bit<32> threshold2; bit<32> under2; bit<32> counter2;
    bit<32> threshold3; bit<32> under3; bit<32> counter3; bit<32> threshold4; bit<32> under4;
    bit<32> counter4; bit<32> threshold5; bit<32> under5; bit<32> counter5; bit<32> threshold6;
    bit<32> under6; bit<32> counter6; bit<32> threshold7; bit<32> under7; bit<32> counter7;
    bit<32> threshold8; bit<32> under8; bit<32> counter8;
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
control under_unit(in bit<32> threshold, in bit<32> unsigned, inout bit<32> under) {
    // 0 if the code is at least the threshold.
    action under_compare() { under = threshold |-| unsigned; }
    apply { under_compare(); }
}
control above_unit(in bit<32> under, in bit<16> none, inout bit<32> counter) {
    // Rows of at least the threshold, up to N.
    register<bit<32>, bit<32>>(1) reg_above;
    // R-QRY-7: count, or read.
    action above_add() {
        @atomic {
            bit<32> old_lo; reg_above.read(old_lo, (bit<32>) none);
            bool first_holds = (int<32>) (old_lo - 32w250) < 0;
            bit<32> new_lo = (first_holds) ? (old_lo + 32w1) : (old_lo);
            reg_above.write((bit<32>) none, new_lo);
        }
    }
    action above_read() {
        @atomic { bit<32> old_lo; reg_above.read(old_lo, (bit<32>) none); counter = old_lo; }
    }
    table above {
        key = { under : ternary; }
        actions = { above_add; above_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { 0 : above_add(); _ : above_read(); }
    }
    apply { above.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Rows that came, up to N.
    register<bit<32>, bit<32>>(1) reg_rows;
    // The smallest code of the first N rows: t_0.
    register<bit<32>, bit<32>>(1) reg_smallest;
    #include "../include/ports_v1model.p4"
    // R-QRY-7: the first N rows.
    action count_count() {
        @atomic {
            bit<32> old_lo; reg_rows.read(old_lo, (bit<32>) meta.none);
            bool first_holds = (int<32>) (old_lo - 32w250) < 0;
            bit<32> new_lo = (first_holds) ? (old_lo + 32w1) : (old_lo);
            reg_rows.write((bit<32>) meta.none, new_lo); meta.seen = old_lo;
        }
        meta.unsigned = hdr.row.code ^ 32w0x80000000;
    }
    table count { actions = { count_count; } const default_action = count_count(); size = 1; }
    // R-QRY-7: t_0.
    action lower_read() {
        @atomic {
            bit<32> old_lo; reg_smallest.read(old_lo, (bit<32>) meta.none); meta.smallest = old_lo;
        }
    }
    action lower_begin() {
        @atomic { bit<32> new_lo = hdr.row.code; reg_smallest.write((bit<32>) meta.none, new_lo); }
    }
    action lower_lower() {
        @atomic {
            bit<32> old_lo; reg_smallest.read(old_lo, (bit<32>) meta.none);
            bit<32> new_lo = (int<32>) old_lo < (int<32>) hdr.row.code ? old_lo : hdr.row.code;
            reg_smallest.write((bit<32>) meta.none, new_lo);
        }
    }
    table lower {
        key = { meta.seen : ternary; }
        actions = { lower_read; lower_begin; lower_lower; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(3)
        const entries = { 250 : lower_read(); 0 : lower_begin(); _ : lower_lower(); }
    }
    // t_0 as an unsigned number.
    action lowest_lowest() { meta.lowest = meta.smallest ^ 32w0x80000000; }
    // 0 if the code is at least t_0.
    action under_compare() { meta.under = meta.lowest |-| meta.unsigned; }
    // R-QRY-7: a doubling step above the one before.
    action threshold1_add() { meta.threshold1 = meta.lowest + 32w0x800000; }
    under_unit() under1; above_unit() above1;
    // R-QRY-7: a doubling step above the one before.
    action threshold2_add() { meta.threshold2 = meta.lowest + 32w0x1000000; }
    under_unit() under2; above_unit() above2;
    // R-QRY-7: a doubling step above the one before.
    action threshold3_add() { meta.threshold3 = meta.lowest + 32w0x1800000; }
    under_unit() under3; above_unit() above3;
    // R-QRY-7: a doubling step above the one before.
    action threshold4_add() { meta.threshold4 = meta.lowest + 32w0x2000000; }
    under_unit() under4; above_unit() above4;
    // R-QRY-7: a doubling step above the one before.
    action threshold5_add() { meta.threshold5 = meta.lowest + 32w0x2800000; }
    under_unit() under5; above_unit() above5;
    // R-QRY-7: a doubling step above the one before.
    action threshold6_add() { meta.threshold6 = meta.lowest + 32w0x3000000; }
    under_unit() under6; above_unit() above6;
    // R-QRY-7: a doubling step above the one before.
    action threshold7_add() { meta.threshold7 = meta.lowest + 32w0x3800000; }
    under_unit() under7; above_unit() above7;
    // R-QRY-7: a doubling step above the one before.
    action threshold8_add() { meta.threshold8 = meta.lowest + 32w0x4000000; }
    under_unit() under8; above_unit() above8;
    #include "../include/judge_actions_v1model.p4"
    table judge {
        key = {
            meta.seen : ternary; meta.under : ternary; meta.counter1 : ternary;
            meta.counter2 : ternary; meta.counter3 : ternary; meta.counter4 : ternary;
            meta.counter5 : ternary; meta.counter6 : ternary; meta.counter7 : ternary;
            meta.counter8 : ternary;
        }
        actions = { judge_forward; judge_give_back; }
        const default_action = judge_forward(); ENTRIES(10)
        const entries = {
            (250, _, 250, _, _, _, _, _, _, _) : judge_give_back();
            (250, _, _, 250, _, _, _, _, _, _) : judge_give_back();
            (250, _, _, _, 250, _, _, _, _, _) : judge_give_back();
            (250, _, _, _, _, 250, _, _, _, _) : judge_give_back();
            (250, _, _, _, _, _, 250, _, _, _) : judge_give_back();
            (250, _, _, _, _, _, _, 250, _, _) : judge_give_back();
            (250, _, _, _, _, _, _, _, 250, _) : judge_give_back();
            (250, _, _, _, _, _, _, _, _, 250) : judge_give_back();
            (250, 0, _, _, _, _, _, _, _, _) : judge_forward();
            (250, _, _, _, _, _, _, _, _, _) : judge_give_back();
        }
    }
    #define ABOVE(N) above##N.apply(meta.under##N, meta.none, meta.counter##N)
    #define UNDER(N) under##N.apply(meta.threshold##N, meta.unsigned, meta.under##N)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply();
        // Stage 1
        count.apply();
        // Stage 2
        lower.apply();
        // Stage 3
        lowest_lowest();
        // Stage 4
        under_compare(); threshold1_add();
        // Stage 5
        UNDER(1);
        // Stage 6
        if (meta.seen == 32w250) { ABOVE(1); }
        // From stage 4 again
        threshold2_add();
        UNDER(2);
        if (meta.seen == 32w250) { ABOVE(2); }
        // From stage 4 again
        threshold3_add();
        UNDER(3);
        if (meta.seen == 32w250) { ABOVE(3); }
        // From stage 4 again
        threshold4_add();
        UNDER(4);
        if (meta.seen == 32w250) { ABOVE(4); }
        // From stage 4 again
        threshold5_add();
        UNDER(5);
        // Stage 7
        if (meta.seen == 32w250) { ABOVE(5); }
        // From stage 4 again
        threshold6_add();
        UNDER(6);
        if (meta.seen == 32w250) { ABOVE(6); }
        // From stage 4 again
        threshold7_add();
        UNDER(7);
        if (meta.seen == 32w250) { ABOVE(7); }
        // From stage 4 again
        threshold8_add();
        UNDER(8);
        if (meta.seen == 32w250) { ABOVE(8); }
        // Stage 8
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
