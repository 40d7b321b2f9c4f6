// libra for bmv2 (v1model).
// Tables: 16 registers of 128 words, 13 pairs, 8 workers.
// Record of pushes: a window for each worker.
// Rules: R-PISA-70 to 77 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<16> even; bit<16> odd; bit<8> found_even; bit<8> found_odd; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/request_header_to_found_row15_header_v1model.p4"
#include "../include/headers_v1model.p4"
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<3> what; bit<1> first; bit<8> loads; bit<16> port; bit<8> member;
    bit<1> known; bit<1> placed; bit<32> number; bit<16> place; bit<4> fresh; bit<8> owner0;
    bit<7> at0; bit<32> value0; bit<8> loaded0; bit<8> owner1; bit<7> at1; bit<32> value1;
    bit<8> loaded1; bit<8> owner2; bit<7> at2; bit<32> value2; bit<8> loaded2; bit<8> owner3;
    bit<7> at3; bit<32> value3; bit<8> loaded3; bit<8> owner4; bit<7> at4; bit<32> value4;
    bit<8> loaded4; bit<8> owner5; bit<7> at5; bit<32> value5; bit<8> loaded5; bit<16> left;
    bit<48> own_mac; bit<32> own_ip; bit<16> own_port; bit<16> found_even_count;
    bit<16> found_odd_count; bit<16> found_pairs; bit<16> body;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_to_parse_again_v1model.p4"
    #include "../include/parse_ethernet.p4"
    #include "../include/fold_on_to_load_on_v1model.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/fold_on_of_nothing_to_alone_more12_v1model.p4"
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/load_unit_v1model.p4"
control fold_unit(in bit<3> what, in bit<8> loaded, in bit<4> fresh, inout bit<32> lane,
    in bit<7> at) {
    #include "../include/reg_sum_to_fold_actions_v1model.p4"
    table fold {
        key = { what : ternary; loaded : ternary; fresh : ternary; }
        actions = { fold_add; fold_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(5)
        const entries = {
            (1, _, 2) : fold_add(); (2, _, _) : fold_add(); (3, 0, _) : fold_add();
            (4, 0, _) : fold_add(); (5, 1, _) : fold_read();
        }
    }
    apply { fold.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // The last number that was taken, of each register of a window (R-KEY-3).
    register<bit<32>, bit<32>>(2048) reg_windows;
    #include "../include/members_to_senders_v1model.p4"
    // R-PISA-72: the pairs that are left, a bit for each.
    action begin_begin(bit<16> pairs) {
        hdr.bridge.setValid(); hdr.bridge.even = pairs; hdr.bridge.odd = pairs;
        meta.number = hdr.request.sequence + 32w256;
    }
    #include "../include/begin_table_v1model.p4"
    #include "../include/forward.p4"
    #include "../include/take0_to_strangers_v1model.p4"
    // R-KEY-3: the register of the window.
    action place_place() {
        meta.place = meta.member ++ hdr.request.sequence[7:0];
        meta.number = meta.number & 32w0xFFFFFF00;
    }
    #include "../include/load0_to_take3_v1model.p4"
    // R-KEY-3, R-KEY-4: new if its number is newer, in one touch.
    action window_touch() {
        @atomic {
            bit<32> old_lo; reg_windows.read(old_lo, (bit<32>) meta.place);
            bool first_holds = (int<32>) (old_lo - meta.number) < 0;
            bit<32> new_lo = (first_holds) ? (meta.number) : (old_lo);
            reg_windows.write((bit<32>) meta.place, new_lo); meta.fresh = first_holds ? 4w2 : 4w1;
        }
    }
    table window { actions = { window_touch; } const default_action = window_touch(); size = 1; }
    fold_unit() fold0; fold_unit() fold1; load_unit() load2; load_unit() load3;
    #include "../include/take4_to_rest_v1model.p4"
    #include "../include/outcome_actions_v1model.p4"
    table outcome {
        key = {
            meta.what : ternary; meta.left : ternary; hdr.ipv4.tos : ternary; meta.fresh : ternary;
        }
        actions = { outcome_answer; outcome_again; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(16)
        const entries = {
            (1, 0, 3 &&& 3, _) : outcome_answer(17); (1, 0, _, _) : outcome_answer(1);
            (1, _, _, 2) : outcome_again(1); (1, _, 3 &&& 3, _) : outcome_answer(17);
            (1, _, _, _) : outcome_answer(1); (2, 0, 3 &&& 3, _) : outcome_answer(17);
            (2, 0, _, _) : outcome_answer(1); (2, _, _, _) : outcome_again(1);
            (3, 0, 3 &&& 3, _) : outcome_answer(17); (3, 0, _, _) : outcome_answer(1);
            (3, _, _, _) : outcome_again(2); (4, 0, 3 &&& 3, _) : outcome_answer(17);
            (4, 0, _, _) : outcome_answer(1); (4, _, _, _) : outcome_again(2);
            (5, _, 3 &&& 3, _) : outcome_answer(17); (5, _, _, _) : outcome_answer(1);
        }
    }
    #include "../include/turn_v1model.p4"
    #define FOLD(N, F1, F3, F4) fold##N.apply(meta.what, F1, meta.fresh, F3, F4)
    #define LOAD(N, F2, F3) load##N.apply(meta.what, meta.loads, F2, F3)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        if (meta.what != 3w0) { members.apply(); senders.apply(); }
        if (meta.what != 3w0 && meta.first == 1w1) { begin.apply(); }
        else if (meta.what == 3w0) { forward.apply(); }
        // Stage 1
        if (meta.what != 3w0) { take0.apply(); take1.apply(); strangers.apply(); }
        if (meta.first == 1w1) { place_place(); }
        // Stage 2
        if (meta.owner0 == 8w1) { LOAD(0, meta.at0, meta.loaded0); }
        if (meta.owner1 == 8w2) { LOAD(1, meta.at1, meta.loaded1); }
        if (meta.what != 3w0) { take2.apply(); take3.apply(); }
        if (meta.what == 3w1) { window.apply(); }
        #include "../include/stage3_to_stage11_v1model.p4"
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/count_even_to_leave_v1model.p4"
    apply {
        #include "../include/stage0_to_stage10_v1model.p4"
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_to_deparser_v1model.p4"

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
