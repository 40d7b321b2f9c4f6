// libra for bmv2 (v1model).
// Tables: 16 registers of 128 words, 13 pairs, 8 workers.
// Record of pushes: a Bloom filter of two arrays of 65536 words.
// Rules: R-PISA-70 to 79 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<16> even; bit<16> odd; bit<8> found_even; bit<8> found_odd; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/request_header_v1model.p4"
#include "../include/rank0_header_to_rank12_header_v1model.p4"
header found_rank0_h { bit<16> high; bit<16> low; }
#include "../include/found_rank1_header_to_found_rank15_header_v1model.p4"
#include "../include/row0_header_to_found_row0_header_v1model.p4"
#include "../include/found_row1_header_to_found_row15_header_v1model.p4"
#include "../include/headers_v1model.p4"
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<3> what; bit<1> first; bit<8> loads; bit<16> port; bit<8> member;
    bit<1> known; bit<1> placed; bit<16> place0; bit<16> place1; bit<32> hashed; bit<8> was0;
    bit<8> was1; bit<8> owner0; bit<7> at0; bit<32> value0; bit<8> loaded0; bit<8> owner1;
    bit<7> at1; bit<32> value1; bit<8> loaded1; bit<8> owner2; bit<7> at2; bit<32> value2;
    bit<8> loaded2; bit<8> owner3; bit<7> at3; bit<32> value3; bit<8> loaded3; bit<16> left;
    bit<48> own_mac; bit<32> own_ip; bit<16> own_port; bit<16> found_even_count;
    bit<16> found_odd_count; bit<16> found_pairs; bit<16> body;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model_2.p4"
    #include "../include/parse_again_v1model.p4"
    #include "../include/parse_ethernet.p4"
    #include "../include/fold_on_to_load_on_v1model.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/fold_on_of_nothing_to_with_row_more0_v1model.p4"
    #include "../include/parse_request_v1model.p4"
    #include "../include/with_row_row0_to_with_row_more1_v1model.p4"
    #include "../include/push_to_load_v1model.p4"
    #include "../include/pull_to_alone_more12_v1model.p4"
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/load_unit_v1model.p4"
control filter_unit(in bit<16> place, inout bit<8> was) {
    // Set for each push that was taken (R-PISA-76).
    register<bit<8>, bit<32>>(65536) reg_bloom;
    // R-PISA-76: whether it was set before.
    action filter_touch() {
        @atomic {
            bit<8> old_lo; reg_bloom.read(old_lo, (bit<32>) place); bit<8> new_lo = 8w1;
            reg_bloom.write((bit<32>) place, new_lo); was = old_lo;
        }
    }
    table filter { actions = { filter_touch; } const default_action = filter_touch(); size = 1; }
    apply { filter.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/reg_sum0_to_reg_sum15_v1model.p4"
    #include "../include/members_to_senders_v1model.p4"
    // R-PISA-72: the pairs that are left, a bit for each.
    action begin_begin(bit<16> pairs) {
        hdr.bridge.setValid(); hdr.bridge.even = pairs; hdr.bridge.odd = pairs;
    }
    #include "../include/begin_table_v1model.p4"
    #include "../include/forward.p4"
    // R-PISA-76: which words of the filter a push has.
    action hash_hash() {
        hash(meta.hashed, HashAlgorithm.crc32, 32w0, { hdr.request.job, hdr.request.worker,
            hdr.request.sequence }, 64w0x100000000);
    }
    table hash {
        key = { meta.first : exact; }
        actions = { hash_hash; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 1 : hash_hash(); }
    }
    #include "../include/take0_to_take1_v1model.p4"
    #include "../include/strangers_v1model.p4"
    // R-PISA-76: a word of each.
    action place_place() { meta.place0 = meta.hashed[15:0]; meta.place1 = meta.hashed[31:16]; }
    #include "../include/place_table_v1model.p4"
    #include "../include/load0_to_take3_v1model.p4"
    filter_unit() filter0; filter_unit() filter1;
    #include "../include/fold0_actions_v1model.p4"
    table fold0 {
        key = {
            meta.what : ternary; meta.loaded0 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold0_add; fold0_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold0_add(); (1, _, _, 0, _) : fold0_add();
            (1, _, _, _, 0) : fold0_add(); (2, _, _, _, _) : fold0_add();
            (3, 0, _, _, _) : fold0_add(); (4, 0, _, _, _) : fold0_add();
            (5, 1, _, _, _) : fold0_read();
        }
    }
    #include "../include/fold1_actions_v1model.p4"
    table fold1 {
        key = {
            meta.what : ternary; meta.loaded1 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold1_add; fold1_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold1_add(); (1, _, _, 0, _) : fold1_add();
            (1, _, _, _, 0) : fold1_add(); (2, _, _, _, _) : fold1_add();
            (3, 0, _, _, _) : fold1_add(); (4, 0, _, _, _) : fold1_add();
            (5, 1, _, _, _) : fold1_read();
        }
    }
    #include "../include/load2_to_fold2_actions_v1model.p4"
    table fold2 {
        key = {
            meta.what : ternary; meta.loaded2 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold2_add; fold2_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold2_add(); (1, _, _, 0, _) : fold2_add();
            (1, _, _, _, 0) : fold2_add(); (2, _, _, _, _) : fold2_add();
            (3, 0, _, _, _) : fold2_add(); (4, 0, _, _, _) : fold2_add();
            (5, 1, _, _, _) : fold2_read();
        }
    }
    #include "../include/fold3_actions_v1model.p4"
    table fold3 {
        key = {
            meta.what : ternary; meta.loaded3 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold3_add; fold3_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold3_add(); (1, _, _, 0, _) : fold3_add();
            (1, _, _, _, 0) : fold3_add(); (2, _, _, _, _) : fold3_add();
            (3, 0, _, _, _) : fold3_add(); (4, 0, _, _, _) : fold3_add();
            (5, 1, _, _, _) : fold3_read();
        }
    }
    #include "../include/load4_to_fold4_actions_v1model.p4"
    table fold4 {
        key = {
            meta.what : ternary; meta.loaded0 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold4_add; fold4_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold4_add(); (1, _, _, 0, _) : fold4_add();
            (1, _, _, _, 0) : fold4_add(); (2, _, _, _, _) : fold4_add();
            (3, 0, _, _, _) : fold4_add(); (4, 0, _, _, _) : fold4_add();
            (5, 1, _, _, _) : fold4_read();
        }
    }
    #include "../include/fold5_actions_v1model.p4"
    table fold5 {
        key = {
            meta.what : ternary; meta.loaded1 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold5_add; fold5_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold5_add(); (1, _, _, 0, _) : fold5_add();
            (1, _, _, _, 0) : fold5_add(); (2, _, _, _, _) : fold5_add();
            (3, 0, _, _, _) : fold5_add(); (4, 0, _, _, _) : fold5_add();
            (5, 1, _, _, _) : fold5_read();
        }
    }
    #include "../include/load6_to_fold6_actions_v1model.p4"
    table fold6 {
        key = {
            meta.what : ternary; meta.loaded2 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold6_add; fold6_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold6_add(); (1, _, _, 0, _) : fold6_add();
            (1, _, _, _, 0) : fold6_add(); (2, _, _, _, _) : fold6_add();
            (3, 0, _, _, _) : fold6_add(); (4, 0, _, _, _) : fold6_add();
            (5, 1, _, _, _) : fold6_read();
        }
    }
    #include "../include/fold7_actions_v1model.p4"
    table fold7 {
        key = {
            meta.what : ternary; meta.loaded3 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold7_add; fold7_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold7_add(); (1, _, _, 0, _) : fold7_add();
            (1, _, _, _, 0) : fold7_add(); (2, _, _, _, _) : fold7_add();
            (3, 0, _, _, _) : fold7_add(); (4, 0, _, _, _) : fold7_add();
            (5, 1, _, _, _) : fold7_read();
        }
    }
    #include "../include/load8_to_fold8_actions_v1model.p4"
    table fold8 {
        key = {
            meta.what : ternary; meta.loaded0 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold8_add; fold8_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold8_add(); (1, _, _, 0, _) : fold8_add();
            (1, _, _, _, 0) : fold8_add(); (2, _, _, _, _) : fold8_add();
            (3, 0, _, _, _) : fold8_add(); (4, 0, _, _, _) : fold8_add();
            (5, 1, _, _, _) : fold8_read();
        }
    }
    #include "../include/fold9_actions_v1model.p4"
    table fold9 {
        key = {
            meta.what : ternary; meta.loaded1 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold9_add; fold9_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold9_add(); (1, _, _, 0, _) : fold9_add();
            (1, _, _, _, 0) : fold9_add(); (2, _, _, _, _) : fold9_add();
            (3, 0, _, _, _) : fold9_add(); (4, 0, _, _, _) : fold9_add();
            (5, 1, _, _, _) : fold9_read();
        }
    }
    #include "../include/load10_to_fold10_actions_v1model.p4"
    table fold10 {
        key = {
            meta.what : ternary; meta.loaded2 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold10_add; fold10_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold10_add(); (1, _, _, 0, _) : fold10_add();
            (1, _, _, _, 0) : fold10_add(); (2, _, _, _, _) : fold10_add();
            (3, 0, _, _, _) : fold10_add(); (4, 0, _, _, _) : fold10_add();
            (5, 1, _, _, _) : fold10_read();
        }
    }
    #include "../include/fold11_actions_v1model.p4"
    table fold11 {
        key = {
            meta.what : ternary; meta.loaded3 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold11_add; fold11_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold11_add(); (1, _, _, 0, _) : fold11_add();
            (1, _, _, _, 0) : fold11_add(); (2, _, _, _, _) : fold11_add();
            (3, 0, _, _, _) : fold11_add(); (4, 0, _, _, _) : fold11_add();
            (5, 1, _, _, _) : fold11_read();
        }
    }
    #include "../include/load12_to_fold12_actions_v1model.p4"
    table fold12 {
        key = {
            meta.what : ternary; meta.loaded0 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold12_add; fold12_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold12_add(); (1, _, _, 0, _) : fold12_add();
            (1, _, _, _, 0) : fold12_add(); (2, _, _, _, _) : fold12_add();
            (3, 0, _, _, _) : fold12_add(); (4, 0, _, _, _) : fold12_add();
            (5, 1, _, _, _) : fold12_read();
        }
    }
    #include "../include/fold13_actions_v1model.p4"
    table fold13 {
        key = {
            meta.what : ternary; meta.loaded1 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold13_add; fold13_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold13_add(); (1, _, _, 0, _) : fold13_add();
            (1, _, _, _, 0) : fold13_add(); (2, _, _, _, _) : fold13_add();
            (3, 0, _, _, _) : fold13_add(); (4, 0, _, _, _) : fold13_add();
            (5, 1, _, _, _) : fold13_read();
        }
    }
    #include "../include/load14_to_fold14_actions_v1model.p4"
    table fold14 {
        key = {
            meta.what : ternary; meta.loaded2 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold14_add; fold14_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold14_add(); (1, _, _, 0, _) : fold14_add();
            (1, _, _, _, 0) : fold14_add(); (2, _, _, _, _) : fold14_add();
            (3, 0, _, _, _) : fold14_add(); (4, 0, _, _, _) : fold14_add();
            (5, 1, _, _, _) : fold14_read();
        }
    }
    #include "../include/fold15_actions_v1model.p4"
    table fold15 {
        key = {
            meta.what : ternary; meta.loaded3 : ternary; hdr.request.flags : ternary;
            meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { fold15_add; fold15_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(7)
        const entries = {
            (1, _, 0, _, _) : fold15_add(); (1, _, _, 0, _) : fold15_add();
            (1, _, _, _, 0) : fold15_add(); (2, _, _, _, _) : fold15_add();
            (3, 0, _, _, _) : fold15_add(); (4, 0, _, _, _) : fold15_add();
            (5, 1, _, _, _) : fold15_read();
        }
    }
    #include "../include/rest_v1model.p4"
    #include "../include/outcome_actions_v1model.p4"
    table outcome {
        key = {
            meta.what : ternary; meta.left : ternary; hdr.ipv4.tos : ternary;
            hdr.request.flags : ternary; meta.was0 : ternary; meta.was1 : ternary;
        }
        actions = { outcome_answer; outcome_again; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(18)
        const entries = {
            (1, 0, 3 &&& 3, _, _, _) : outcome_answer(17); (1, 0, _, _, _, _) : outcome_answer(1);
            (1, _, _, 0, _, _) : outcome_again(1); (1, _, _, _, 0, _) : outcome_again(1);
            (1, _, _, _, _, 0) : outcome_again(1); (1, _, 3 &&& 3, _, _, _) : outcome_answer(17);
            (1, _, _, _, _, _) : outcome_answer(1); (2, 0, 3 &&& 3, _, _, _) : outcome_answer(17);
            (2, 0, _, _, _, _) : outcome_answer(1); (2, _, _, _, _, _) : outcome_again(1);
            (3, 0, 3 &&& 3, _, _, _) : outcome_answer(17); (3, 0, _, _, _, _) : outcome_answer(1);
            (3, _, _, _, _, _) : outcome_again(2); (4, 0, 3 &&& 3, _, _, _) : outcome_answer(17);
            (4, 0, _, _, _, _) : outcome_answer(1); (4, _, _, _, _, _) : outcome_again(2);
            (5, _, 3 &&& 3, _, _, _) : outcome_answer(17); (5, _, _, _, _, _) : outcome_answer(1);
        }
    }
    #include "../include/turn_v1model.p4"
    #define FILTER(N) filter##N.apply(meta.place##N, meta.was##N)
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
        hash.apply();
        // Stage 1
        if (meta.what != 3w0) { take0.apply(); take1.apply(); strangers.apply(); }
        place.apply();
        // Stage 2
        if (meta.owner0 == 8w1) { LOAD(0, meta.at0, meta.loaded0); }
        if (meta.owner1 == 8w2) { LOAD(1, meta.at1, meta.loaded1); }
        if (meta.what != 3w0) { take2.apply(); take3.apply(); }
        if (meta.what == 3w1) { FILTER(0); FILTER(1); }
        #include "../include/stage3_to_stage9_v1model.p4"
        if (meta.what != 3w0) { outcome.apply(); }
        // Stage 11
        if (meta.what != 3w0 && hdr.bridge.mode == 8w3) { turn_turn(); }
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/count_even_to_count_odd_v1model.p4"
    #include "../include/count_to_leave_v1model.p4"
    apply {
        #include "../include/stage0_to_stage10_v1model.p4"
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_v1model_3.p4"
#include "../include/deparser_v1model_2.p4"

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
