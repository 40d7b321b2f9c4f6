// top_matrix for bmv2 (v1model).
// Top rows of a query, by a matrix of 128 x 12.
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
    bit<1> refused; bit<1> again; bit<16> worker; bit<16> master; bit<32> carried; bit<8> displaced;
    bit<32> old0; bit<32> new0; bit<32> differs0; bit<32> old1; bit<32> new1; bit<32> differs1;
    bit<32> old2; bit<32> new2; bit<32> differs2; bit<32> old3; bit<32> new3; bit<32> differs3;
    bit<32> old4; bit<32> new4; bit<32> differs4; bit<32> old5; bit<32> new5; bit<32> differs5;
    bit<32> old6; bit<32> new6; bit<32> differs6; bit<32> old7; bit<32> new7; bit<32> differs7;
    bit<32> old8; bit<32> new8; bit<32> differs8; bit<32> old9; bit<32> new9; bit<32> differs9;
    bit<32> old10; bit<32> new10; bit<32> differs10; bit<32> old11; bit<32> new11;
    bit<32> differs11;
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
control cell_old_unit(in bit<32> carried, in bit<16> index, inout bit<32> old) {
    // A cell of each row: its largest codes (R-QRY-8).
    register<bit<32>, bit<32>>(128) reg_cell_old;
    // R-QRY-8: the larger one stays.
    action cell_old_exchange() {
        @atomic {
            bit<32> old_lo; reg_cell_old.read(old_lo, (bit<32>) index);
            bit<32> new_lo = (int<32>) old_lo > (int<32>) carried ? old_lo : carried;
            reg_cell_old.write((bit<32>) index, new_lo); old = old_lo;
        }
    }
    table cell_old {
        actions = { cell_old_exchange; }
        const default_action = cell_old_exchange(); size = 1;
    }
    apply { cell_old.apply(); }
}
control cell_new_unit(in bit<32> carried, in bit<16> index, inout bit<32> new) {
    // A cell of each row: its largest codes (R-QRY-8).
    register<bit<32>, bit<32>>(128) reg_cell_new;
    // R-QRY-8: the larger one stays.
    action cell_new_exchange() {
        @atomic {
            bit<32> old_lo; reg_cell_new.read(old_lo, (bit<32>) index);
            bit<32> new_lo = (int<32>) old_lo > (int<32>) carried ? old_lo : carried;
            reg_cell_new.write((bit<32>) index, new_lo); new = new_lo;
        }
    }
    table cell_new {
        actions = { cell_new_exchange; }
        const default_action = cell_new_exchange(); size = 1;
    }
    apply { cell_new.apply(); }
}
control differ_unit(in bit<32> new, in bit<32> carried, inout bit<32> differs) {
    // 0 if the code has taken the cell's place.
    action differ_differ() { differs = new ^ carried; }
    apply { differ_differ(); }
}
control go_on_unit(in bit<32> differs, in bit<32> old, inout bit<32> carried,
    inout bit<8> displaced) {
    // R-QRY-8: what was there goes on.
    action go_on_go_on() { carried = old; displaced = 8w1; }
    table go_on {
        key = { differs : ternary; }
        actions = { go_on_go_on; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 0 : go_on_go_on(); }
    }
    apply { go_on.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/ports_v1model.p4"
    // R-QRY-8: the code goes from cell to cell.
    action carry_carry() { meta.carried = hdr.row.code; }
    cell_old_unit() cell_old0; cell_new_unit() cell_new0; differ_unit() differ0;
    go_on_unit() go_on0; cell_old_unit() cell_old1; cell_new_unit() cell_new1;
    differ_unit() differ1; go_on_unit() go_on1; cell_old_unit() cell_old2;
    cell_new_unit() cell_new2; differ_unit() differ2; go_on_unit() go_on2;
    cell_old_unit() cell_old3; cell_new_unit() cell_new3; differ_unit() differ3;
    go_on_unit() go_on3; cell_old_unit() cell_old4; cell_new_unit() cell_new4;
    differ_unit() differ4; go_on_unit() go_on4; cell_old_unit() cell_old5;
    cell_new_unit() cell_new5; differ_unit() differ5; go_on_unit() go_on5;
    cell_old_unit() cell_old6; cell_new_unit() cell_new6; differ_unit() differ6;
    go_on_unit() go_on6; cell_old_unit() cell_old7; cell_new_unit() cell_new7;
    differ_unit() differ7; go_on_unit() go_on7; cell_old_unit() cell_old8;
    cell_new_unit() cell_new8; differ_unit() differ8; go_on_unit() go_on8;
    cell_old_unit() cell_old9; cell_new_unit() cell_new9; differ_unit() differ9;
    go_on_unit() go_on9; cell_old_unit() cell_old10; cell_new_unit() cell_new10;
    differ_unit() differ10; go_on_unit() go_on10; cell_old_unit() cell_old11;
    cell_new_unit() cell_new11; differ_unit() differ11; go_on_unit() go_on11;
    #include "../include/judge_actions_v1model.p4"
    table judge {
        key = { meta.displaced : ternary; }
        actions = { judge_forward; judge_give_back; }
        const default_action = judge_forward(); ENTRIES(2)
        const entries = { 1 : judge_forward(); _ : judge_give_back(); }
    }
    #define CELL_NEW(N) cell_new##N.apply(meta.carried, hdr.row.index, meta.new##N)
    #define CELL_OLD(N) cell_old##N.apply(meta.carried, hdr.row.index, meta.old##N)
    #define DIFFER(N) differ##N.apply(meta.new##N, meta.carried, meta.differs##N)
    #define GO_ON(N) go_on##N.apply(meta.differs##N, meta.old##N, meta.carried, meta.displaced)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply(); carry_carry();
        // Stage 1
        CELL_OLD(0); CELL_NEW(0);
        // Stage 2
        DIFFER(0);
        // Stage 3
        GO_ON(0);
        // Stage 4
        CELL_OLD(1); CELL_NEW(1);
        // Stage 5
        DIFFER(1);
        // Stage 6
        GO_ON(1);
        // Stage 7
        CELL_OLD(2); CELL_NEW(2);
        // Stage 8
        DIFFER(2);
        // Stage 9
        GO_ON(2);
        // Stage 10
        CELL_OLD(3); CELL_NEW(3);
        // Stage 11
        DIFFER(3);
        // Stage 12
        GO_ON(3);
        // Stage 13
        CELL_OLD(4); CELL_NEW(4);
        // Stage 14
        DIFFER(4);
        // Stage 15
        GO_ON(4);
        // Stage 16
        CELL_OLD(5); CELL_NEW(5);
        // Stage 17
        DIFFER(5);
        // Stage 18
        GO_ON(5);
        // Stage 19
        CELL_OLD(6); CELL_NEW(6);
        // Stage 20
        DIFFER(6);
        // Stage 21
        GO_ON(6);
        // Stage 22
        CELL_OLD(7); CELL_NEW(7);
        // Stage 23
        DIFFER(7);
        // Stage 24
        GO_ON(7);
        // Stage 25
        CELL_OLD(8); CELL_NEW(8);
        // Stage 26
        DIFFER(8);
        // Stage 27
        GO_ON(8);
        // Stage 28
        CELL_OLD(9); CELL_NEW(9);
        // Stage 29
        DIFFER(9);
        // Stage 30
        GO_ON(9);
        // Stage 31
        CELL_OLD(10); CELL_NEW(10);
        // Stage 32
        DIFFER(10);
        // Stage 33
        GO_ON(10);
        // Stage 34
        CELL_OLD(11); CELL_NEW(11);
        // Stage 35
        DIFFER(11);
        // Stage 36
        GO_ON(11);
        // Stage 37
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
