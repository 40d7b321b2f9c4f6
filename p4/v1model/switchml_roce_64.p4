// switchml_roce for bmv2 (v1model).
// SwitchML over RoCE v2 UC: 64 lanes of 32 bits, 1 pipeline(s), 128 slots, 8 workers, messages of
// up to 16 packet(s).
// Rules: R-SLOT in spec/protocol.md, R-PISA-11 to 16 and 50 to 61 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h {
    bit<8> mode; bit<8> step; bit<16> worker; bit<16> copy; bit<32> crc; bit<32> late;
}
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/bth_header_to_immediate_header.p4"
header front_h { bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; }
#include "../include/rest_header_to_high_header.p4"
header icrc_h { bit<32> value; }
// What the control plane is told.
struct report_t {
    bit<24> dest_qp; bit<16> copy; bit<32> key_; bit<16> worker; bit<16> first_worker;
}
#define REPORT(reason) digest<report_t>(reason, { hdr.bth.dest_qp, meta.copy, meta.key_, \
    meta.worker, meta.first_worker })
struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; bth_h bth; reth_h reth;
    immediate_h immediate; front_h front; rest_h rest; high_h high; icrc_h icrc;
}
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<32> key_; bit<32> digest; bit<16> copy; bit<16> word; bit<16> worker;
    bit<16> others; bit<4> age; bit<4> round_is; bit<16> first_worker; bit<16> left;
    bit<16> largest_exponent; bit<2> phase; bit<1> known_pair; bit<1> known_shape;
    bit<1> known_exponents; bit<32> place; bit<32> number; bit<16> message; bit<1> alone;
    bit<16> members_group; bit<16> member_port; bit<32> term; bit<8> byte0; bit<8> byte1;
    bit<8> byte2; bit<8> byte3;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model.p4"
    state parse_bridge {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.mode) { 2: harvest; default: REJECT; }
    }
    #include "../include/parse_ethernet.p4"
    #include "../include/harvest.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/harvest_first_to_harvest_only.p4"
    #include "../include/parse_udp.p4"
    state gathered { transition accept; }
    state parse_bth { packet.extract(hdr.bth); transition first_opcode; }
    #include "../include/first_opcode.p4"
    #include "../include/first_first_to_first_only.p4"
    #include "../include/first_first_length_to_first_only_length.p4"
    state first_lanes {
        packet.extract(hdr.front); packet.extract(hdr.rest); packet.extract(hdr.high);
        transition first_end;
    }
    state first_end { packet.extract(hdr.icrc); transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control fold_unit(in bit<2> phase, in bit<8> step, in bit<4> age, in bit<4> round_is,
    in bit<16> left, in bit<16> length, inout bit<32> lane, in bit<32> lane_2, in bit<16> copy) {
    // Two lanes of each copy of a slot (R-SLOT-2).
    register<bit<64>, bit<32>>(256) reg_pair;
    // R-SLOT-2: the first lanes overwrite, later ones are added; a pass gives back one of the two.
    action fold_skip() { }
    action fold_set() {
        @atomic {
            bit<32> new_lo = lane; bit<32> new_hi = lane_2;
            reg_pair.write((bit<32>) copy, new_hi ++ new_lo); lane = new_hi;
        }
    }
    action fold_add() {
        @atomic {
            bit<64> word; reg_pair.read(word, (bit<32>) copy); bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32]; bit<32> new_lo = old_lo + lane;
            bit<32> new_hi = old_hi + lane_2; reg_pair.write((bit<32>) copy, new_hi ++ new_lo);
            lane = new_hi;
        }
    }
    action fold_read_low() {
        @atomic {
            bit<64> word; reg_pair.read(word, (bit<32>) copy); bit<32> old_lo = word[31:0];
            lane = old_lo;
        }
    }
    action fold_read_high() {
        @atomic {
            bit<64> word; reg_pair.read(word, (bit<32>) copy); bit<32> old_hi = word[63:32];
            lane = old_hi;
        }
    }
    table fold {
        key = {
            phase : ternary; step : ternary; age : ternary; round_is : ternary; left : ternary;
            length : ternary;
        }
        actions = {
            fold_skip; fold_set; fold_add; fold_read_low; fold_read_high; @defaultonly NoAction;
        }
        const default_action = NoAction(); ENTRIES(8)
        const entries = {
            (0 &&& 2, _, _, _, _, 44) : fold_skip(); (0 &&& 2, _, 2, 2, _, _) : fold_set();
            (0 &&& 2, _, 2, 8, _, _) : fold_set(); (0 &&& 2, _, 2, 4, 0, _) : fold_skip();
            (0 &&& 2, _, 2, 4, _, _) : fold_add(); (0 &&& 2, _, 4, _, 0, _) : fold_read_high();
            (2, 0 &&& 1, _, _, _, _) : fold_read_low(); (2, 1 &&& 1, _, _, _, _) : fold_read_high();
        }
    }
    apply { fold.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // The PSN of the packet before, times 256, and the packets that are left of its message,
    // negative (R-PISA-53).
    register<bit<64>, bit<32>>(64) reg_expected;
    // The copy that the latest packet belongs to.
    register<bit<16>, bit<32>>(64) reg_message_copy;
    // The word of `last` that belongs to it.
    register<bit<16>, bit<32>>(64) reg_message_word;
    // The round of the message.
    register<bit<32>, bit<32>>(64) reg_message_round;
    #include "../include/reg_last_to_reg_count_v1model.p4"
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;
    #include "../include/carry_to_begin.p4"
    #include "../include/shapes_4.p4"
    #include "../include/exponents_to_no_exponents.p4"
    #include "../include/queue_pairs.p4"
    #include "../include/jobs.p4"
    // A result that gathers its lanes: R-PISA-59.
    action resume_resume() {
        hdr.front.setValid(); hdr.rest.setValid(); meta.copy = hdr.bridge.copy;
    }
    #include "../include/numbers_to_message_rounds_v1model.p4"
    // R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_middle_digest() { meta.digest = (bit<32>) hdr.bth.dest_qp; }
    // R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_last_digest() {
        hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode,
            hdr.immediate.exponent }, 64w0x100000000);
    }
    #include "../include/forward.p4"
    // R-PISA-55: the PSN of a result.
    action number_result_number() { hdr.bth.psn = meta.key_[31:16] ++ meta.place[7:0]; }
    #include "../include/number_result_table.p4"
    #include "../include/ages_to_starters_v1model_2.p4"
    #include "../include/counts_actions_v1model.p4"
    #include "../include/counts_table_2.p4"
    #include "../include/largests_v1model.p4"
    #include "../include/fold0.p4"
    // R-PISA-59: what these lanes are to the ICRC.
    action hash_early_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { hdr.rest.lane0, hdr.rest.lane1, hdr.rest.lane2,
            hdr.rest.lane3, hdr.rest.lane4, hdr.rest.lane5, hdr.rest.lane6, hdr.rest.lane7,
            hdr.rest.lane8, hdr.rest.lane9, hdr.rest.lane10, hdr.rest.lane11, hdr.rest.lane12,
            hdr.rest.lane13, hdr.rest.lane14, hdr.rest.lane15, 384w0 },
            64w0x100000000); meta.term = meta.term ^ 32w0x1bbeadbd;
    }
    // R-PISA-59: what these lanes are to the ICRC.
    action hash_late_hash() {
        hash(hdr.bridge.late, HashAlgorithm.crc32, 32w0, { hdr.rest.lane16, hdr.rest.lane17,
            hdr.rest.lane18, hdr.rest.lane19, hdr.rest.lane20, hdr.rest.lane21, hdr.rest.lane22,
            hdr.rest.lane23, hdr.rest.lane24, hdr.rest.lane25, hdr.rest.lane26, hdr.rest.lane27 },
            64w0x100000000); hdr.bridge.late = hdr.bridge.late ^ 32w0xf288b395;
    }
    // R-PISA-59: lanes that were hashed before the last ones.
    action add_early_add() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
    #include "../include/outcome.p4"
    #define FOLD(N, F6, F7) fold##N.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, \
        meta.left, hdr.udp.length, F6, F7, meta.copy)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage3.p4"
        #include "../include/stage4_to_stage11.p4"
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // R-SLOT-3: each worker of the job.
    action each_one() { hdr.bridge.worker = REPLICA; }
    #include "../include/reach.p4"
    // R-PISA-59: the lanes that ingress had last.
    action lead_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { hdr.front.lane0, hdr.front.lane1,
            hdr.front.lane2, hdr.front.lane3, 896w0 },
            64w0x100000000); meta.term = meta.term ^ 32w0xc2a8fa9d;
        hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late;
    }
    table lead {
        key = { hdr.bridge.mode : exact; }
        actions = { lead_hash; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { 3 : lead_hash(); 2 : lead_hash(); }
    }
    #include "../include/sum_to_split_sum.p4"
    #include "../include/head_first_to_head_only_v1model.p4"
    #include "../include/before0_to_join.p4"
    #include "../include/lack_to_choose3.p4"
    // What leaves the switch carries no bridge.
    action strip_bare() { hdr.bridge.setInvalid(); }
    apply {
        #include "../include/stage0_to_stage3_2.p4"
        #include "../include/stage4_to_stage4.p4"
        #include "../include/stage5_to_stage10.p4"
        #include "../include/stage11.p4"
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_v1model_2.p4"
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.bth); packet.emit(hdr.reth);
        packet.emit(hdr.immediate); packet.emit(hdr.front); packet.emit(hdr.rest);
        packet.emit(hdr.high); packet.emit(hdr.icrc);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
