// switchml_roce_fpisa for bmv2 (v1model).
// SwitchML over RoCE v2 UC: 4 lanes of FP32 by FPISA, 1 pipeline(s), 128 slots, 8 workers, messages
// of up to 1 packet(s).
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
header found_h {
    bit<8> lanes; bit<16> exponent0; bit<8> flags0; bit<16> exponent1; bit<8> flags1;
    bit<16> exponent2; bit<8> flags2; bit<16> exponent3; bit<8> flags3;
}
header front_h { bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; }
header icrc_h { bit<32> value; }
// What the control plane is told.
struct report_t {
    bit<24> dest_qp; bit<16> copy; bit<32> key_; bit<16> worker; bit<16> first_worker;
}
#define REPORT(reason) digest<report_t>(reason, { hdr.bth.dest_qp, meta.copy, meta.key_, \
    meta.worker, meta.first_worker })
struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; bth_h bth; reth_h reth;
    immediate_h immediate; found_h found; front_h front; icrc_h icrc;
}
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<32> key_; bit<32> digest; bit<16> copy; bit<16> word; bit<16> worker;
    bit<16> others; bit<4> age; bit<4> round_is; bit<16> first_worker; bit<16> left;
    bit<16> largest_exponent; bit<2> phase; bit<1> known_pair; bit<1> known_shape;
    bit<1> known_exponents; bit<32> place; bit<32> number; bit<16> message; bit<1> alone;
    bit<16> members_group; bit<16> member_port; bit<32> term; bit<8> byte0; bit<8> byte1;
    bit<8> byte2; bit<8> byte3; bit<8> sums_are; bit<16> incoming0; bit<32> magnitude0;
    bit<32> signed0; bit<32> shifted0; bit<1> adds0; bit<8> flag0; bit<16> stored0;
    bit<16> distance0; bit<16> back0; bit<16> stored_by0; bit<32> limit0; bit<4> added0;
    bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0; bit<32> sign0; bit<16> incoming1;
    bit<32> magnitude1; bit<32> signed1; bit<32> shifted1; bit<1> adds1; bit<8> flag1;
    bit<16> stored1; bit<16> distance1; bit<16> back1; bit<16> stored_by1; bit<32> limit1;
    bit<4> added1; bit<32> absolute1; bit<32> normal1; bit<16> normal_exponent1; bit<32> sign1;
    bit<16> incoming2; bit<32> magnitude2; bit<32> signed2; bit<32> shifted2; bit<1> adds2;
    bit<8> flag2; bit<16> stored2; bit<16> distance2; bit<16> back2; bit<16> stored_by2;
    bit<32> limit2; bit<4> added2; bit<32> absolute2; bit<32> normal2; bit<16> normal_exponent2;
    bit<32> sign2; bit<16> incoming3; bit<32> magnitude3; bit<32> signed3; bit<32> shifted3;
    bit<1> adds3; bit<8> flag3; bit<16> stored3; bit<16> distance3; bit<16> back3;
    bit<16> stored_by3; bit<32> limit3; bit<4> added3; bit<32> absolute3; bit<32> normal3;
    bit<16> normal_exponent3; bit<32> sign3;
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
    state gathered {
        transition select(hdr.bridge.step) { 0: gathered_lanes; default: gathered_end; }
    }
    state parse_bth { packet.extract(hdr.bth); transition first_opcode; }
    state gathered_lanes { packet.extract(hdr.front); transition accept; }
    state gathered_end { transition accept; }
    #include "../include/first_opcode.p4"
    #include "../include/first_first_to_first_only.p4"
    state first_first_length {
        transition select(hdr.udp.length) { 56: first_lanes; default: other; }
    }
    state first_middle_length {
        transition select(hdr.udp.length) { 40: first_lanes; default: other; }
    }
    state first_last_length {
        transition select(hdr.udp.length) { 44: first_lanes; default: other; }
    }
    state first_only_length {
        transition select(hdr.udp.length) { 60: first_lanes; 44: first_end; default: other; }
    }
    state first_lanes { packet.extract(hdr.front); transition first_end; }
    state first_end { packet.extract(hdr.icrc); transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/incoming_unit_to_extract_unit_v1model.p4"
#include "../include/sign_unit.p4"
#include "../include/exponents_unit_v1model.p4"
#include "../include/distance_unit_to_align_unit_v1model.p4"
#include "../include/add_unit_to_flag_unit_v1model.p4"
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // The PSN of the packet before, times 256, and the packets that are left of its message,
    // negative (R-PISA-53).
    register<bit<64>, bit<32>>(1024) reg_expected;
    // The copy that the latest packet belongs to.
    register<bit<16>, bit<32>>(1024) reg_message_copy;
    // The word of `last` that belongs to it.
    register<bit<16>, bit<32>>(1024) reg_message_word;
    // The round of the message.
    register<bit<32>, bit<32>>(1024) reg_message_round;
    #include "../include/reg_last_to_reg_count_v1model.p4"
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;
    #include "../include/carry_to_begin.p4"
    // R-PISA-50: a whole payload, or none; no padding.
    action shapes_pass() { meta.known_shape = 1w1; }
    table shapes {
        key = {
            hdr.bth.opcode : ternary; hdr.bth.flags : ternary; hdr.udp.length : ternary;
            hdr.reth.length : ternary;
        }
        actions = { shapes_pass; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(5)
        const entries = {
            (38, 0 &&& 63, 56, _) : shapes_pass(); (39, 0 &&& 63, 40, _) : shapes_pass();
            (41, 0 &&& 63, 44, _) : shapes_pass(); (43, 0 &&& 63, 60, 16) : shapes_pass();
            (43, 0 &&& 63, 44, 0) : shapes_pass();
        }
    }
    #include "../include/exponents_to_no_exponents.p4"
    // R-PISA-52: the worker, its message, and where it is answered.
    action queue_pairs_know(bit<16> first, bit<16> message, bit<16> worker, bit<16> port,
        bit<16> others, bit<1> alone, bit<16> group) {
        meta.word = first + hdr.reth.slot; meta.message = message; meta.worker = worker;
        meta.member_port = port; meta.others = others; meta.alone = alone;
        meta.members_group = group; meta.known_pair = 1w1;
    }
    table queue_pairs {
        key = {
            hdr.ipv4.dst : exact @name("dst"); hdr.bth.dest_qp : exact @name("dest_qp");
            hdr.ipv4.src : exact @name("src");
        }
        actions = { queue_pairs_know; @defaultonly NoAction; }
        const default_action = NoAction(); size = 1024;
    }
    #include "../include/jobs.p4"
    // A result that gathers its lanes: R-PISA-59.
    action resume_resume() { hdr.front.setValid(); meta.copy = hdr.bridge.copy; }
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
    // R-PISA-36: egress puts together what this pass reads.
    action tell_tell() { hdr.found.setValid(); }
    // R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.
    action folds_skip() { }
    action folds_set() { meta.sums_are = 8w1; }
    action folds_add() { meta.sums_are = 8w2; }
    action folds_read() { meta.sums_are = 8w3; }
    table folds {
        key = {
            meta.phase : ternary; hdr.bridge.step : ternary; meta.age : ternary;
            meta.round_is : ternary; meta.left : ternary; hdr.udp.length : ternary;
        }
        actions = { folds_skip; folds_set; folds_add; folds_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(6)
        const entries = {
            (0 &&& 2, _, _, _, _, 44) : folds_skip(); (0 &&& 2, _, 2, 2, _, _) : folds_set();
            (0 &&& 2, _, 2, 8, _, _) : folds_set(); (0 &&& 2, _, 2, 4, 0, _) : folds_skip();
            (0 &&& 2, _, 2, 4, _, _) : folds_add(); (2, 1, _, _, _, _) : folds_read();
        }
    }
    #include "../include/incoming0_v1model.p4"
    // R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the
    // control plane, or nowhere.
    action outcome_refuse() { INGRESS_DROP; }
    action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.front.setInvalid(); hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port;
        hdr.bridge.mode = 8w1;
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.front.setInvalid(); hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
        hdr.bridge.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.front.setInvalid(); hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
        hdr.bridge.worker = meta.worker;
    }
    action outcome_spread_empty() {
        hdr.bridge.mode = 8w6; hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
        hdr.bridge.crc = 32w0xFFFFFFFF; hdr.bridge.worker = 16w0xFFFF;
        MULTICAST_GROUP = meta.members_group;
    }
    action outcome_reply_empty() {
        hdr.bridge.mode = 8w6; hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
        hdr.bridge.crc = 32w0xFFFFFFFF; hdr.bridge.worker = meta.worker;
        EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_harvest(bit<8> step, bit<16> port) {
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.mode = 8w2;
    }
    action outcome_spread_whole() { hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group; }
    action outcome_reply_whole() { hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port; }
    table outcome {
        key = {
            meta.phase : ternary; hdr.bridge.step : ternary; meta.age : ternary;
            meta.round_is : ternary; meta.left : ternary; meta.alone : ternary;
            hdr.udp.length : ternary; hdr.bridge.worker : ternary;
        }
        actions = {
            outcome_refuse; outcome_mismatch; outcome_onward; outcome_gather; outcome_gather_one;
            outcome_spread_empty; outcome_reply_empty; outcome_harvest; outcome_spread_whole;
            outcome_reply_whole;
        }
        const default_action = outcome_refuse(); ENTRIES(22)
        const entries = {
            (0, _, 1, _, _, _, _, _) : outcome_refuse();
            (0, _, 2, 2, 0, 1, 44, _) : outcome_spread_empty();
            (0, _, 2, 2, 0, 1, _, _) : outcome_gather(1, 68);
            (0, _, 2, 2, 0, 0, _, _) : outcome_refuse();
            (0, _, 2, 2, _, _, _, _) : outcome_mismatch();
            (0, _, 2, 8, 0, 1, 44, _) : outcome_spread_empty();
            (0, _, 2, 8, 0, 1, _, _) : outcome_gather(1, 68);
            (0, _, 2, 8, 0, 0, _, _) : outcome_refuse();
            (0, _, 2, 8, _, _, _, _) : outcome_mismatch();
            (0, _, 2, 4, 1, _, 44, _) : outcome_spread_empty();
            (0, _, 2, 4, 1, _, _, _) : outcome_gather(1, 68);
            (0, _, 2, 4, 0, _, _, _) : outcome_refuse();
            (0, _, 2, 4, 0x8000 &&& 0x8000, _, _, _) : outcome_refuse();
            (0, _, 2, 4, _, _, _, _) : outcome_refuse();
            (0, _, 2, 1, 0, _, _, _) : outcome_refuse();
            (0, _, 2, 1, _, _, _, _) : outcome_mismatch();
            (0, _, 4, _, 0, _, 44, _) : outcome_reply_empty();
            (0, _, 4, _, 0, _, _, _) : outcome_gather_one(1, 68);
            (0, _, 4, _, _, _, _, _) : outcome_refuse();
            (2, 1, _, _, _, _, _, _) : outcome_harvest(0, 68);
            (2, 0, _, _, _, _, _, 0 &&& 0x8000) : outcome_reply_whole();
            (2, 0, _, _, _, _, _, _) : outcome_spread_whole();
        }
    }
    #define ADD(N) add##N.apply(meta.sums_are, meta.adds##N, meta.distance##N, meta.shifted##N, \
        meta.copy, meta.stored_by##N, hdr.front.lane##N)
    #define ALIGN(N) align##N.apply(meta.distance##N, meta.signed##N, meta.back##N, \
        meta.shifted##N, meta.stored_by##N)
    #define DISTANCE(N) distance##N.apply(meta.incoming##N, meta.stored##N, meta.distance##N, \
        meta.back##N)
    #define EXPONENTS(N) exponents##N.apply(meta.sums_are, meta.adds##N, meta.incoming##N, \
        meta.copy, meta.stored##N, hdr.found.exponent##N)
    #define EXTRACT(N) extract##N.apply(hdr.front.lane##N, meta.magnitude##N, meta.adds##N, \
        meta.flag##N)
    #define FLAG(N) flag##N.apply(meta.sums_are, meta.added##N, meta.shifted##N, meta.flag##N, \
        meta.copy, hdr.found.flags##N)
    #define INCOMING(N) incoming##N.apply(hdr.front.lane##N, meta.incoming##N)
    #define SIGN(N) sign##N.apply(hdr.front.lane##N, meta.magnitude##N, meta.signed##N)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage3.p4"
        // From stage 0 again
        if (meta.phase == 2w2 && hdr.bridge.step == 8w1) { tell_tell(); }
        // Stage 4
        folds.apply();
        if (hdr.front.isValid()) { INCOMING(0); EXTRACT(0); }
        // Stage 5
        SIGN(0);
        // From stage 4 again
        if (hdr.front.isValid()) { INCOMING(1); EXTRACT(1); }
        SIGN(1);
        // From stage 4 again
        if (hdr.front.isValid()) { INCOMING(2); EXTRACT(2); }
        SIGN(2);
        // From stage 4 again
        if (hdr.front.isValid()) { INCOMING(3); EXTRACT(3); }
        SIGN(3); EXPONENTS(0);
        // Stage 6
        DISTANCE(0);
        // Stage 7
        ALIGN(0);
        // Stage 8
        ADD(0);
        // Stage 9
        FLAG(0);
        // From stage 5 again
        EXPONENTS(1);
        DISTANCE(1);
        ALIGN(1);
        ADD(1);
        FLAG(1);
        // From stage 5 again
        EXPONENTS(2);
        DISTANCE(2);
        ALIGN(2);
        ADD(2);
        FLAG(2);
        // From stage 5 again
        EXPONENTS(3);
        DISTANCE(3);
        ALIGN(3);
        ADD(3);
        FLAG(3);
        if (meta.known_pair == 1w1) { outcome.apply(); }
    }
}

#include "../include/magnitude_unit.p4"
#include "../include/normalise_unit_v1model.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // R-SLOT-3: each worker of the job.
    action each_one() { hdr.bridge.worker = REPLICA; }
    // R-PISA-52, R-PISA-55: the worker's queue pair, key, memory and addresses.
    action reach_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip,
        bit<24> dest_qp, bit<16> rkey_high, bit<16> rkey_low, bit<32> base, bit<32> first) {
        hdr.ethernet.dst = dst_mac; hdr.ethernet.src = src_mac; hdr.ipv4.dst = dst_ip;
        hdr.ipv4.src = src_ip; hdr.bth.dest_qp = dest_qp; hdr.reth.round = rkey_high;
        hdr.reth.slot = rkey_low; hdr.reth.base = base; hdr.reth.offset = hdr.reth.offset + first;
        hdr.ipv4.fragment = 16w0x4000; hdr.ipv4.ttl = 8w64; hdr.udp.checksum = 16w0;
        hdr.bth.reserved = 8w0; hdr.bth.acknowledge = 8w0;
    }
    table reach {
        key = {
            hdr.bth.dest_qp : exact @name("dest_qp"); hdr.bridge.worker : exact @name("worker");
        }
        actions = { reach_reach; @defaultonly NoAction; }
        const default_action = NoAction(); size = 1024;
    }
    // R-PISA-59: the lanes that ingress had last.
    action lead_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { hdr.front.lane0, hdr.front.lane1,
            hdr.front.lane2, hdr.front.lane3 },
            64w0x100000000); meta.term = meta.term ^ 32w0xecbb4b55;
        hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late;
    }
    table lead {
        key = { hdr.bridge.mode : exact; }
        actions = { lead_hash; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 3 : lead_hash(); }
    }
    // The state behind these lanes, with what they are to it.
    action sum_sum() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
    table sum {
        key = { hdr.bridge.mode : exact; }
        actions = { sum_sum; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 3 : sum_sum(); }
    }
    // The tables take a byte each.
    action split_sum_split() {
        meta.byte0 = hdr.bridge.crc[7:0]; meta.byte1 = hdr.bridge.crc[15:8];
        meta.byte2 = hdr.bridge.crc[23:16]; meta.byte3 = hdr.bridge.crc[31:24];
    }
    table split_sum {
        key = { hdr.bridge.mode : exact; }
        actions = { split_sum_split; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 3 : split_sum_split(); }
    }
    #include "../include/head_first_to_head_only_v1model.p4"
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before0_change(bit<32> bits) { hdr.bridge.crc = bits; }
    table before0 {
        key = { meta.byte0 : exact; }
        actions = { before0_change; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(256)
        #define E(k0, v0) k0 : before0_change(v0);
        const entries = {
            #include "../lists/before0_2.entries"
        }
        #undef E
    }
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before1_change(bit<32> bits) { hdr.bridge.late = bits; }
    table before1 {
        key = { meta.byte1 : exact; }
        actions = { before1_change; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(256)
        #define E(k0, v0) k0 : before1_change(v0);
        const entries = {
            #include "../lists/before1_2.entries"
        }
        #undef E
    }
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before2_change(bit<32> bits) { hdr.bridge.crc = hdr.bridge.crc ^ bits; }
    table before2 {
        key = { meta.byte2 : exact; }
        actions = { before2_change; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(256)
        #define E(k0, v0) k0 : before2_change(v0);
        const entries = {
            #include "../lists/before2_2.entries"
        }
        #undef E
    }
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before3_change(bit<32> bits) { hdr.bridge.late = hdr.bridge.late ^ bits; }
    table before3 {
        key = { meta.byte3 : exact; }
        actions = { before3_change; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(256)
        #define E(k0, v0) k0 : before3_change(v0);
        const entries = {
            #include "../lists/before3_2.entries"
        }
        #undef E
    }
    // The state before these lanes.
    action join_join() { hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late; }
    table join {
        key = { hdr.bridge.mode : exact; }
        actions = { join_join; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 3 : join_join(); }
    }
    #include "../include/lack_to_choose3.p4"
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    magnitude_unit() magnitude1; normalise_unit() normalise1; assemble_unit() assemble1;
    magnitude_unit() magnitude2; normalise_unit() normalise2; assemble_unit() assemble2;
    magnitude_unit() magnitude3; normalise_unit() normalise3; assemble_unit() assemble3;
    // R-PISA-36: what sums were put together from.
    action strip_found_strip() { hdr.found.setInvalid(); }
    // What leaves the switch carries no bridge.
    action strip_bare() { hdr.bridge.setInvalid(); }
    #define ASSEMBLE(N) assemble##N.apply(hdr.found.flags##N, meta.normal_exponent##N, \
        meta.normal##N, meta.sign##N, hdr.front.lane##N)
    #define MAGNITUDE(N) magnitude##N.apply(hdr.front.lane##N, meta.absolute##N, meta.sign##N)
    #define NORMALISE(N) normalise##N.apply(meta.absolute##N, hdr.found.exponent##N, \
        meta.normal##N, meta.normal_exponent##N)
    apply {
        #include "../include/stage0_to_stage3_2.p4"
        // Stage 5
        if (hdr.bth.opcode == 8w41) { head_last.apply(); }
        else if (hdr.bth.opcode == 8w43) { head_only.apply(); }
        // From stage 3 again
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6 &&
            hdr.bridge.mode != 8w2) {
            before0.apply(); before1.apply();
        }
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6 &&
            hdr.bridge.mode != 8w2) {
            before2.apply(); before3.apply();
        }
        #include "../include/stage5_to_stage10.p4"
        // Stage 11
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            choose3.apply();
        }
        // From stage 9 again
        if (hdr.found.isValid()) { MAGNITUDE(0); }
        if (hdr.found.isValid()) { NORMALISE(0); }
        if (hdr.found.isValid()) { ASSEMBLE(0); }
        // From stage 9 again
        if (hdr.found.isValid()) { MAGNITUDE(1); }
        if (hdr.found.isValid()) { NORMALISE(1); }
        if (hdr.found.isValid()) { ASSEMBLE(1); }
        // From stage 9 again
        if (hdr.found.isValid()) { MAGNITUDE(2); }
        if (hdr.found.isValid()) { NORMALISE(2); }
        if (hdr.found.isValid()) { ASSEMBLE(2); }
        // From stage 9 again
        if (hdr.found.isValid()) { MAGNITUDE(3); }
        if (hdr.found.isValid()) { NORMALISE(3); }
        if (hdr.found.isValid()) { ASSEMBLE(3); strip_found_strip(); }
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2) { strip_bare(); }
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_v1model_2.p4"
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.bth); packet.emit(hdr.reth);
        packet.emit(hdr.immediate); packet.emit(hdr.found); packet.emit(hdr.front);
        packet.emit(hdr.icrc);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
