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
control incoming_unit(in bit<32> lane, inout bit<16> incoming) {
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming_normal() { incoming = 8w0 ++ lane[30:23]; }
    action incoming_subnormal() { incoming = 16w1; }
    action incoming_nothing() { incoming = 16w0xFF00; }
    table incoming {
        key = { lane : ternary @name("lane"); }
        actions = { incoming_normal; incoming_subnormal; incoming_nothing; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming_nothing(); 0x7F800000 &&& 0x7F800000 : incoming_nothing();
            0 &&& 0x7F800000 : incoming_subnormal(); _ : incoming_normal();
        }
    }
    apply { incoming.apply(); }
}
control extract_unit(in bit<32> lane, inout bit<32> magnitude, inout bit<1> adds,
    inout bit<8> flag_2) {
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract_normal() { magnitude = 9w1 ++ lane[22:0]; adds = 1w1; }
    action extract_subnormal() { magnitude = lane & 32w0x7FFFFF; adds = 1w1; }
    action extract_nothing(bit<8> flag) { magnitude = 32w0; adds = 1w0; flag_2 = flag; }
    table extract {
        key = { lane : ternary @name("lane"); }
        actions = { extract_normal; extract_subnormal; extract_nothing; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract_nothing(0); 0x7F800000 : extract_nothing(1);
            0xFF800000 : extract_nothing(2); 0x7F800000 &&& 0x7F800000 : extract_nothing(4);
            0 &&& 0x7F800000 : extract_subnormal(); _ : extract_normal();
        }
    }
    apply { extract.apply(); }
}
control sign_unit(in bit<32> lane, in bit<32> magnitude, inout bit<32> signed) {
    // R-FPI-3: the sign goes into the mantissa.
    action sign_plus() { signed = magnitude; }
    action sign_minus() { signed = 32w0 - magnitude; }
    table sign {
        key = { lane : ternary @name("lane"); }
        actions = { sign_plus; sign_minus; }
        const default_action = sign_plus();
        const entries = { 0x80000000 &&& 0x80000000 : sign_minus(); }
    }
    apply { sign.apply(); }
}
#include "../include/exponents_unit_v1model.p4"
#include "../include/distance_unit_to_align_unit_v1model.p4"
control add_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> copy, in bit<16> stored_by, inout bit<32> lane) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) copy); bit<32> old_lo = word;
            bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) copy, new_lo);
        }
    }
    action add_read() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) copy); bit<32> old_lo = word;
            lane = old_lo;
        }
    }
    action add_add() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) copy); bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) stored_by) + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
        }
    }
    #include "../include/add_table_v1model.p4"
    apply { add.apply(); }
}
#include "../include/flag_unit_v1model.p4"
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
    #include "../include/carry_to_shapes_actions.p4"
    table shapes {
        key = {
            hdr.bth.opcode : ternary @name("opcode"); hdr.bth.flags : ternary @name("flags");
            hdr.udp.length : ternary @name("udp_length");
            hdr.reth.length : ternary @name("reth_length");
        }
        actions = { shapes_pass; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (38, 0 &&& 63, 56, _) : shapes_pass(); (39, 0 &&& 63, 40, _) : shapes_pass();
            (41, 0 &&& 63, 44, _) : shapes_pass(); (43, 0 &&& 63, 60, 16) : shapes_pass();
            (43, 0 &&& 63, 44, 0) : shapes_pass();
        }
    }
    #include "../include/exponents_v1model.p4"
    #include "../include/no_exponents.p4"
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
    action resume_resume() { meta.copy = hdr.bridge.copy; hdr.front.setValid(); }
    table resume { actions = { resume_resume; } const default_action = resume_resume(); size = 1; }
    #include "../include/numbers_to_message_rounds_v1model.p4"
    #include "../include/agreed_middle.p4"
    #include "../include/agreed_last_v1model.p4"
    #include "../include/forward.p4"
    #include "../include/number_result_to_largests_v1model.p4"
    // R-PISA-36: egress puts together what this pass reads.
    action tell_tell() { hdr.found.setValid(); }
    table tell { actions = { tell_tell; } const default_action = tell_tell(); size = 1; }
    // R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.
    action folds_skip() { }
    action folds_set() { meta.sums_are = 8w1; }
    action folds_add() { meta.sums_are = 8w2; }
    action folds_read() { meta.sums_are = 8w3; }
    table folds {
        key = {
            meta.phase : ternary @name("phase"); hdr.bridge.step : ternary @name("step");
            meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
            meta.left : ternary @name("left"); hdr.udp.length : ternary @name("length");
        }
        actions = { folds_skip; folds_set; folds_add; folds_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (0 &&& 2, _, _, _, _, 44) : folds_skip(); (0 &&& 2, _, 2, 2, _, _) : folds_set();
            (0 &&& 2, _, 2, 8, _, _) : folds_set(); (0 &&& 2, _, 2, 4, 0, _) : folds_skip();
            (0 &&& 2, _, 2, 4, _, _) : folds_add(); (2, 1, _, _, _, _) : folds_read();
        }
    }
    #include "../include/incoming0_to_sign3_v1model.p4"
    exponents_unit() exponents0;
    distance_unit() distance0;
    align_unit() align0;
    #include "../include/add0_to_align1_v1model.p4"
    #include "../include/add1_to_align2_v1model.p4"
    #include "../include/add2_to_align3_v1model.p4"
    add_unit() add3;
    flag_unit() flag3;
    // R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the
    // control plane, or nowhere.
    action outcome_refuse() { INGRESS_DROP; }
    action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.mode = 8w1;
        hdr.front.setInvalid();
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
        hdr.front.setInvalid(); hdr.bridge.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.bridge.mode = 8w2; hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent; hdr.icrc.value = 32w0;
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.copy = meta.copy;
        hdr.front.setInvalid(); hdr.bridge.worker = meta.worker;
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
            meta.phase : ternary @name("phase"); hdr.bridge.step : ternary @name("step");
            meta.age : ternary @name("age"); meta.round_is : ternary @name("round_is");
            meta.left : ternary @name("left"); meta.alone : ternary @name("alone");
            hdr.udp.length : ternary @name("length"); hdr.bridge.worker : ternary @name("worker");
        }
        actions = {
            outcome_refuse; outcome_mismatch; outcome_onward; outcome_gather; outcome_gather_one;
            outcome_spread_empty; outcome_reply_empty; outcome_harvest; outcome_spread_whole;
            outcome_reply_whole;
        }
        const default_action = outcome_refuse();
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
    #define ADD(UNIT, F1, F2, F3, F5, F6) UNIT.apply(meta.sums_are, F1, F2, F3, meta.copy, F5, F6)
    #define ALIGN(UNIT, F0, F1, F2, F3, F4) UNIT.apply(F0, F1, F2, F3, F4)
    #define DISTANCE(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    #define EXPONENTS(UNIT, F1, F2, F4, F5) UNIT.apply(meta.sums_are, F1, F2, meta.copy, F4, F5)
    #define EXTRACT(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    #define FLAG(UNIT, F1, F2, F3, F5) UNIT.apply(meta.sums_are, F1, F2, F3, meta.copy, F5)
    #define INCOMING(UNIT, F0, F1) UNIT.apply(F0, F1)
    #define SIGN(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage3.p4"
        // Stage 0
        if (meta.phase == 2w2 && hdr.bridge.step == 8w1) { tell.apply(); }
        // Stage 4
        folds.apply();
        if (hdr.front.isValid()) {
            INCOMING(incoming0, hdr.front.lane0, meta.incoming0);
            EXTRACT(extract0, hdr.front.lane0, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 5
        SIGN(sign0, hdr.front.lane0, meta.magnitude0, meta.signed0);
        // Stage 4
        if (hdr.front.isValid()) {
            INCOMING(incoming1, hdr.front.lane1, meta.incoming1);
            EXTRACT(extract1, hdr.front.lane1, meta.magnitude1, meta.adds1, meta.flag1);
        }
        // Stage 5
        SIGN(sign1, hdr.front.lane1, meta.magnitude1, meta.signed1);
        // Stage 4
        if (hdr.front.isValid()) {
            INCOMING(incoming2, hdr.front.lane2, meta.incoming2);
            EXTRACT(extract2, hdr.front.lane2, meta.magnitude2, meta.adds2, meta.flag2);
        }
        // Stage 5
        SIGN(sign2, hdr.front.lane2, meta.magnitude2, meta.signed2);
        // Stage 4
        if (hdr.front.isValid()) {
            INCOMING(incoming3, hdr.front.lane3, meta.incoming3);
            EXTRACT(extract3, hdr.front.lane3, meta.magnitude3, meta.adds3, meta.flag3);
        }
        // Stage 5
        SIGN(sign3, hdr.front.lane3, meta.magnitude3, meta.signed3);
        EXPONENTS(exponents0, meta.adds0, meta.incoming0, meta.stored0, hdr.found.exponent0);
        // Stage 6
        DISTANCE(distance0, meta.incoming0, meta.stored0, meta.distance0, meta.back0);
        // Stage 7
        ALIGN(align0, meta.distance0, meta.signed0, meta.back0, meta.shifted0, meta.stored_by0);
        // Stage 8
        ADD(add0, meta.adds0, meta.distance0, meta.shifted0, meta.stored_by0, hdr.front.lane0);
        // Stage 9
        FLAG(flag0, meta.added0, meta.shifted0, meta.flag0, hdr.found.flags0);
        // Stage 5
        EXPONENTS(exponents1, meta.adds1, meta.incoming1, meta.stored1, hdr.found.exponent1);
        // Stage 6
        DISTANCE(distance1, meta.incoming1, meta.stored1, meta.distance1, meta.back1);
        // Stage 7
        ALIGN(align1, meta.distance1, meta.signed1, meta.back1, meta.shifted1, meta.stored_by1);
        // Stage 8
        ADD(add1, meta.adds1, meta.distance1, meta.shifted1, meta.stored_by1, hdr.front.lane1);
        // Stage 9
        FLAG(flag1, meta.added1, meta.shifted1, meta.flag1, hdr.found.flags1);
        // Stage 5
        EXPONENTS(exponents2, meta.adds2, meta.incoming2, meta.stored2, hdr.found.exponent2);
        // Stage 6
        DISTANCE(distance2, meta.incoming2, meta.stored2, meta.distance2, meta.back2);
        // Stage 7
        ALIGN(align2, meta.distance2, meta.signed2, meta.back2, meta.shifted2, meta.stored_by2);
        // Stage 8
        ADD(add2, meta.adds2, meta.distance2, meta.shifted2, meta.stored_by2, hdr.front.lane2);
        // Stage 9
        FLAG(flag2, meta.added2, meta.shifted2, meta.flag2, hdr.found.flags2);
        // Stage 5
        EXPONENTS(exponents3, meta.adds3, meta.incoming3, meta.stored3, hdr.found.exponent3);
        // Stage 6
        DISTANCE(distance3, meta.incoming3, meta.stored3, meta.distance3, meta.back3);
        // Stage 7
        ALIGN(align3, meta.distance3, meta.signed3, meta.back3, meta.shifted3, meta.stored_by3);
        // Stage 8
        ADD(add3, meta.adds3, meta.distance3, meta.shifted3, meta.stored_by3, hdr.front.lane3);
        // Stage 9
        FLAG(flag3, meta.added3, meta.shifted3, meta.flag3, hdr.found.flags3);
        if (meta.known_pair == 1w1) { outcome.apply(); }
    }
}

control magnitude_unit(in bit<32> lane, inout bit<32> absolute, inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() { absolute = lane; }
    action magnitude_minus() { absolute = 32w0 - lane; sign = 32w0x80000000; }
    table magnitude {
        key = { lane : ternary @name("lane"); }
        actions = { magnitude_plus; magnitude_minus; }
        const default_action = magnitude_plus();
        const entries = { 0x80000000 &&& 0x80000000 : magnitude_minus(); }
    }
    apply { magnitude.apply(); }
}
#include "../include/normalise_unit_v1model.p4"
control assemble_unit(in bit<8> flags, in bit<16> normal_exponent, in bit<32> normal,
    in bit<32> sign, inout bit<32> lane) {
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble_nan() { lane = 32w0x7FC00000; }
    action assemble_positive_infinity() { lane = 32w0x7F800000; }
    action assemble_negative_infinity() { lane = 32w0xFF800000; }
    action assemble_infinite() { lane = sign | 32w0x7F800000; }
    action assemble_normal() { lane = sign[31:31] ++ normal_exponent[7:0] ++ normal[22:0]; }
    action assemble_subnormal() { lane = sign | normal; }
    table assemble {
        key = {
            flags : ternary @name("flags"); normal_exponent : range @name("normal_exponent");
            normal : ternary @name("normal");
        }
        actions = {
            assemble_nan; assemble_positive_infinity; assemble_negative_infinity; assemble_infinite;
            assemble_normal; assemble_subnormal;
        }
        const default_action = assemble_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble_nan(); (3 &&& 3, 0..0xFFFF, _) : assemble_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble_nan(); (_, 0..0xFFFF, 0) : assemble_subnormal();
            (_, 255..0x7FFF, _) : assemble_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble_normal();
        }
    }
    apply { assemble.apply(); }
}
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // R-SLOT-3: each worker of the job.
    action each_one() { hdr.bridge.worker = REPLICA; }
    table each { actions = { each_one; } const default_action = each_one(); size = 1; }
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
        key = { hdr.bridge.mode : exact @name("mode"); }
        actions = { lead_hash; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = { 3 : lead_hash(); }
    }
    // The state behind these lanes, with what they are to it.
    action sum_sum() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
    table sum {
        key = { hdr.bridge.mode : exact @name("mode"); }
        actions = { sum_sum; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = { 3 : sum_sum(); }
    }
    // The tables take a byte each.
    action split_sum_split() {
        meta.byte0 = hdr.bridge.crc[7:0]; meta.byte1 = hdr.bridge.crc[15:8];
        meta.byte2 = hdr.bridge.crc[23:16]; meta.byte3 = hdr.bridge.crc[31:24];
    }
    table split_sum {
        key = { hdr.bridge.mode : exact @name("mode"); }
        actions = { split_sum_split; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = { 3 : split_sum_split(); }
    }
    #include "../include/head_first_to_before0_actions_v1model.p4"
    table before0 {
        key = { meta.byte0 : exact @name("byte0"); }
        actions = { before0_change; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before0_2.entries"
        }
    }
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before1_change(bit<32> bits) { hdr.bridge.late = bits; }
    table before1 {
        key = { meta.byte1 : exact @name("byte1"); }
        actions = { before1_change; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before1_2.entries"
        }
    }
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before2_change(bit<32> bits) { hdr.bridge.crc = hdr.bridge.crc ^ bits; }
    table before2 {
        key = { meta.byte2 : exact @name("byte2"); }
        actions = { before2_change; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before2_2.entries"
        }
    }
    // R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before3_change(bit<32> bits) { hdr.bridge.late = hdr.bridge.late ^ bits; }
    table before3 {
        key = { meta.byte3 : exact @name("byte3"); }
        actions = { before3_change; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before3_2.entries"
        }
    }
    // The state before these lanes.
    action join_join() { hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late; }
    table join {
        key = { hdr.bridge.mode : exact @name("mode"); }
        actions = { join_join; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = { 3 : join_join(); }
    }
    #include "../include/lack_to_split_lack.p4"
    #include "../include/choose0_to_choose3_v1model.p4"
    #include "../include/magnitude0_to_assemble3_v1model.p4"
    #include "../include/strip_found.p4"
    // What leaves the switch carries no bridge.
    action strip_bare() { hdr.bridge.setInvalid(); }
    table strip { actions = { strip_bare; } const default_action = strip_bare(); size = 1; }
    #define ASSEMBLE(UNIT, F0, F1, F2, F3, F4) UNIT.apply(F0, F1, F2, F3, F4)
    #define MAGNITUDE(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    #define NORMALISE(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    apply {
        #include "../include/stage0_to_stage3_2.p4"
        // Stage 5
        if (hdr.bth.opcode == 8w41) { head_last.apply(); }
        else if (hdr.bth.opcode == 8w43) { head_only.apply(); }
        // Stage 3
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6 &&
            hdr.bridge.mode != 8w2) {
            before0.apply(); before1.apply();
        }
        // Stage 4
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6 &&
            hdr.bridge.mode != 8w2) {
            before2.apply(); before3.apply();
        }
        #include "../include/stage5_to_stage10.p4"
        // Stage 11
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            choose3.apply();
        }
        // Stage 9
        if (hdr.found.isValid()) {
            MAGNITUDE(magnitude0, hdr.front.lane0, meta.absolute0, meta.sign0);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            NORMALISE(normalise0, meta.absolute0, hdr.found.exponent0, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            ASSEMBLE(assemble0, hdr.found.flags0, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.front.lane0);
        }
        // Stage 9
        if (hdr.found.isValid()) {
            MAGNITUDE(magnitude1, hdr.front.lane1, meta.absolute1, meta.sign1);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            NORMALISE(normalise1, meta.absolute1, hdr.found.exponent1, meta.normal1,
                meta.normal_exponent1);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            ASSEMBLE(assemble1, hdr.found.flags1, meta.normal_exponent1, meta.normal1, meta.sign1,
                hdr.front.lane1);
        }
        // Stage 9
        if (hdr.found.isValid()) {
            MAGNITUDE(magnitude2, hdr.front.lane2, meta.absolute2, meta.sign2);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            NORMALISE(normalise2, meta.absolute2, hdr.found.exponent2, meta.normal2,
                meta.normal_exponent2);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            ASSEMBLE(assemble2, hdr.found.flags2, meta.normal_exponent2, meta.normal2, meta.sign2,
                hdr.front.lane2);
        }
        // Stage 9
        if (hdr.found.isValid()) {
            MAGNITUDE(magnitude3, hdr.front.lane3, meta.absolute3, meta.sign3);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            NORMALISE(normalise3, meta.absolute3, hdr.found.exponent3, meta.normal3,
                meta.normal_exponent3);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            ASSEMBLE(assemble3, hdr.found.flags3, meta.normal_exponent3, meta.normal3, meta.sign3,
                hdr.front.lane3);
            strip_found.apply();
        }
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2) { strip.apply(); }
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
