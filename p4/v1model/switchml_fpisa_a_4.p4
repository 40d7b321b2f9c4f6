// switchml_fpisa_a for bmv2 (v1model).
// SwitchML with netfold's rounds: 4 lanes of FP32 by FPISA-A, 1 pipeline(s), 128 slots, 8 workers.
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
header found_h {
    bit<8> lanes; bit<16> exponent0; bit<8> flags0; bit<16> exponent1; bit<8> flags1;
    bit<16> exponent2; bit<8> flags2; bit<16> exponent3; bit<8> flags3;
}
header lane0_h { bit<32> value; }
header lane1_h { bit<32> value; }
header lane2_h { bit<32> value; }
header lane3_h { bit<32> value; }
// What the control plane is told.
struct report_t {
    bit<16> job; bit<32> epoch; bit<16> slot; bit<32> position; bit<32> sender;
    bit<32> first_worker; bit<16> lane;
}
#define REPORT(reason) digest<report_t>(reason, { hdr.netfold.job, hdr.netfold.epoch, \
    hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker, meta.lane })
struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; netfold_h netfold; found_h found;
    lane0_h lane0; lane1_h lane1; lane2_h lane2; lane3_h lane3;
}
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<2> order; bit<2> phase; bit<1> known_shape; bit<1> known_exponents;
    bit<1> known_seal; bit<1> known_job; bit<1> known_member; bit<1> known_delivery; bit<32> key_;
    bit<32> digest; bit<16> copy; bit<16> word; bit<16> others; bit<1> alone; bit<16> members_group;
    bit<16> relay_group; bit<16> member_port; bit<1> to_all; bit<16> foreign; bit<16> rest;
    bit<4> age; bit<4> round_is; bit<32> first_worker; bit<32> sender; bit<16> left;
    bit<8> was_filled; bit<16> largest_exponent; bit<8> sums_are; bit<1> overflowed0;
    bit<16> incoming0; bit<32> magnitude0; bit<32> signed0; bit<32> shifted0; bit<1> adds0;
    bit<8> flag0; bit<16> stored0; bit<16> distance0; bit<16> back0; bit<16> stored_by0;
    bit<32> limit0; bit<4> added0; bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0;
    bit<32> sign0; bit<1> overflowed1; bit<16> incoming1; bit<32> magnitude1; bit<32> signed1;
    bit<32> shifted1; bit<1> adds1; bit<8> flag1; bit<16> stored1; bit<16> distance1; bit<16> back1;
    bit<16> stored_by1; bit<32> limit1; bit<4> added1; bit<32> absolute1; bit<32> normal1;
    bit<16> normal_exponent1; bit<32> sign1; bit<1> overflowed2; bit<16> incoming2;
    bit<32> magnitude2; bit<32> signed2; bit<32> shifted2; bit<1> adds2; bit<8> flag2;
    bit<16> stored2; bit<16> distance2; bit<16> back2; bit<16> stored_by2; bit<32> limit2;
    bit<4> added2; bit<32> absolute2; bit<32> normal2; bit<16> normal_exponent2; bit<32> sign2;
    bit<1> overflowed3; bit<16> incoming3; bit<32> magnitude3; bit<32> signed3; bit<32> shifted3;
    bit<1> adds3; bit<8> flag3; bit<16> stored3; bit<16> distance3; bit<16> back3;
    bit<16> stored_by3; bit<32> limit3; bit<4> added3; bit<32> absolute3; bit<32> normal3;
    bit<16> normal_exponent3; bit<32> sign3; bit<16> lane; bit<16> lane_bytes; bit<16> elsewhere;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model.p4"
    #include "../include/parse_bridge.p4"
    #include "../include/parse_ethernet.p4"
    #include "../include/consume_again_to_harvest.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/again_kind_to_parse_netfold.p4"
    #include "../include/again_way_2.p4"
    #include "../include/first_kind.p4"
    state again_look_0 {
        transition select(hdr.bridge.rest) { 0: again_end; default: again_take_0; }
    }
    #include "../include/again_without_lanes_to_first_values.p4"
    state again_end { transition accept; }
    state again_take_0 { packet.extract(hdr.lane0); transition again_look_1; }
    #include "../include/first_way.p4"
    state again_look_1 {
        transition select(hdr.bridge.rest) { 1: again_end; default: again_take_1; }
    }
    state first_look_0 {
        transition select(hdr.netfold.elements) { 0: first_end; default: first_take_0; }
    }
    state first_without_lanes { transition accept; }
    state again_take_1 { packet.extract(hdr.lane1); transition again_look_2; }
    state first_end { transition accept; }
    #include "../include/first_take_0_to_first_look_2_v1model.p4"
    state again_take_3 { packet.extract(hdr.lane3); transition again_end; }
    state first_take_2 { packet.extract(hdr.lane2); transition first_look_3; }
    state first_look_3 {
        transition select(hdr.netfold.elements) { 3: first_end; default: first_take_3; }
    }
    state first_take_3 { packet.extract(hdr.lane3); transition first_end; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/incoming_unit_to_extract_unit_v1model.p4"
#include "../include/sign_unit.p4"
control exponents_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> incoming, in bit<16> copy,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> new_lo = incoming; reg_exponent.write((bit<32>) copy, new_lo); stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) copy);
            bool first_holds = (int<16>) (old_lo - incoming + 16w7) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) copy, new_lo); stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic { bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) copy); exponent = old_lo; }
    }
    #include "../include/exponents_table_v1model.p4"
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_limit_unit.p4"
control add_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> copy, in bit<32> limit, inout bit<32> lane, inout bit<4> added) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic { bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) copy, new_lo); }
    }
    action add_read() {
        @atomic { bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) copy); lane = old_lo; }
    }
    action add_add_up() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) copy);
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) > 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add_add_down() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) copy);
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) < 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    #include "../include/add_table_v1model.p4"
    apply { add.apply(); }
}
control flag_unit(in bit<8> sums_are, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> copy, inout bit<1> overflowed, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic { bit<8> new_lo = flag; reg_flags.write((bit<32>) copy, new_lo); }
    }
    action flag_note() {
        @atomic {
            bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) copy); bit<8> new_lo = old_lo | flag;
            reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) copy); bit<8> new_lo = old_lo | 8w8;
            reg_flags.write((bit<32>) copy, new_lo);
        }
        overflowed = 1w1;
    }
    action flag_read() {
        @atomic { bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) copy); flags = old_lo; }
    }
    #include "../include/flag_table_v1model.p4"
    apply { flag.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/reg_last_to_reg_count_v1model.p4"
    // Whether lanes have been written in this round.
    register<bit<8>, bit<32>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;
    #include "../include/shapes_3.p4"
    #include "../include/exponents_to_deliveries.p4"
    #include "../include/rounds_v1model.p4"
    #include "../include/digests_v1model.p4"
    // Lanes that are left for the pipelines to come.
    action first_rest_leave() { meta.rest = hdr.netfold.elements |-| 16w4; }
    // Lanes that are left for the pipelines to come.
    action again_rest_leave() { meta.rest = hdr.bridge.rest |-| 16w4; }
    #include "../include/forward.p4"
    #include "../include/ages_to_starters_v1model.p4"
    #include "../include/counts_actions_v1model.p4"
    #include "../include/counts_table.p4"
    #include "../include/fills_to_largests_v1model.p4"
    // R-PISA-36: how many sums egress puts together.
    action tell_none() { hdr.found.setValid(); hdr.found.lanes = 8w0; }
    action tell_some(bit<8> lanes) { hdr.found.setValid(); hdr.found.lanes = lanes; }
    table tell {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { tell_none; tell_some; }
        const default_action = tell_none(); ENTRIES(4)
        const entries = {
            (2, 0, 1..1) : tell_some(1); (2, 0, 2..2) : tell_some(2); (2, 0, 3..3) : tell_some(3);
            (2, 0, 4..0xFFFF) : tell_some(4);
        }
    }
    #include "../include/folds.p4"
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    incoming_unit() incoming1; extract_unit() extract1; sign_unit() sign1;
    incoming_unit() incoming2; extract_unit() extract2; sign_unit() sign2;
    incoming_unit() incoming3; extract_unit() extract3; sign_unit() sign3;
    #include "../include/show0.p4"
    #include "../include/show1_to_show3_v1model.p4"
    exponents_unit() exponents0; distance_unit() distance0; align_unit() align0;
    limit_unit() limit0; add_unit() add0; flag_unit() flag0; exponents_unit() exponents1;
    distance_unit() distance1; align_unit() align1; limit_unit() limit1; add_unit() add1;
    flag_unit() flag1; exponents_unit() exponents2; distance_unit() distance2; align_unit() align2;
    limit_unit() limit2; add_unit() add2; flag_unit() flag2; exponents_unit() exponents3;
    distance_unit() distance3; align_unit() align3; limit_unit() limit3; add_unit() add3;
    flag_unit() flag3;
    // R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the
    // control plane, or nowhere.
    action outcome_refuse() { INGRESS_DROP; }
    action outcome_mismatch() { INGRESS_DROP; REPORT(1); }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.bridge.setValid(); hdr.bridge.mode = 8w1; hdr.bridge.step = step;
        EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0; hdr.bridge.rest = meta.rest;
    }
    action outcome_recall() {
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w7;
        hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w2;
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0;
        hdr.netfold.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w2;
        hdr.bridge.step = step; EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w1;
    }
    action outcome_relay(bit<8> step) {
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
        hdr.bridge.mode = 8w5; hdr.bridge.step = step; hdr.bridge.single = 8w1;
        MULTICAST_GROUP = meta.relay_group;
    }
    action outcome_spread() {
        hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
        hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
    }
    action outcome_spread_empty() {
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w3;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
        hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
    }
    action outcome_reply() {
        hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
        EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_reply_empty() {
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.bridge.setValid(); hdr.netfold.flags = 8w3;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
        EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_harvest(bit<8> step, bit<16> port) {
        hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
        EGRESS_PORT = (bit<9>) port;
    }
    action outcome_spread_whole() {
        hdr.bridge.setValid(); hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
    }
    action outcome_reply_whole() {
        hdr.bridge.setValid(); hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
    }
    #include "../include/outcome_table_2.p4"
    // R-FPI-9: an overflow is reported, and no sum that has overflowed is sent.
    action overflows_overflow(bit<16> module) {
        meta.lane = meta.lane + module; INGRESS_DROP; REPORT(2);
    }
    action overflows_withhold() { INGRESS_DROP; }
    table overflows {
        key = {
            meta.sums_are : ternary; meta.overflowed0 : ternary; meta.overflowed1 : ternary;
            meta.overflowed2 : ternary; meta.overflowed3 : ternary; hdr.found.flags0 : ternary;
            hdr.found.flags1 : ternary; hdr.found.flags2 : ternary; hdr.found.flags3 : ternary;
        }
        actions = { overflows_overflow; overflows_withhold; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(8)
        const entries = {
            (2, 1, _, _, _, _, _, _, _) : overflows_overflow(0);
            (2, _, 1, _, _, _, _, _, _) : overflows_overflow(1);
            (2, _, _, 1, _, _, _, _, _) : overflows_overflow(2);
            (2, _, _, _, 1, _, _, _, _) : overflows_overflow(3);
            (3, _, _, _, _, 8 &&& 8, _, _, _) : overflows_withhold();
            (3, _, _, _, _, _, 8 &&& 8, _, _) : overflows_withhold();
            (3, _, _, _, _, _, _, 8 &&& 8, _) : overflows_withhold();
            (3, _, _, _, _, _, _, _, 8 &&& 8) : overflows_withhold();
        }
    }
    #define ADD(N) add##N.apply(meta.sums_are, meta.adds##N, meta.distance##N, meta.shifted##N, \
        meta.copy, meta.limit##N, hdr.lane##N.value, meta.added##N)
    #define ALIGN(N) align##N.apply(meta.distance##N, meta.signed##N, meta.shifted##N)
    #define DISTANCE(N) distance##N.apply(meta.incoming##N, meta.stored##N, meta.distance##N)
    #define EXPONENTS(N) exponents##N.apply(meta.sums_are, meta.adds##N, meta.incoming##N, \
        meta.copy, meta.stored##N, hdr.found.exponent##N)
    #define EXTRACT(N) extract##N.apply(hdr.lane##N.value, meta.magnitude##N, meta.adds##N, \
        meta.flag##N)
    #define FLAG(N) flag##N.apply(meta.sums_are, meta.added##N, meta.shifted##N, meta.flag##N, \
        meta.copy, meta.overflowed##N, hdr.found.flags##N)
    #define INCOMING(N) incoming##N.apply(hdr.lane##N.value, meta.incoming##N)
    #define LIMIT(N) limit##N.apply(meta.shifted##N, meta.limit##N)
    #define SIGN(N) sign##N.apply(hdr.lane##N.value, meta.magnitude##N, meta.signed##N)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage1.p4"
        #include "../include/stage2.p4"
        // Stage 3
        folds.apply();
        if (hdr.lane0.isValid()) { INCOMING(0); EXTRACT(0); }
        // Stage 4
        SIGN(0);
        // From stage 3 again
        if (hdr.lane1.isValid()) { INCOMING(1); EXTRACT(1); }
        SIGN(1);
        // From stage 3 again
        if (hdr.lane2.isValid()) { INCOMING(2); EXTRACT(2); }
        SIGN(2);
        // From stage 3 again
        if (hdr.lane3.isValid()) { INCOMING(3); EXTRACT(3); }
        SIGN(3);
        // Stage 5
        if (hdr.netfold.isValid()) { show0.apply(); show1.apply(); show2.apply(); show3.apply(); }
        // From stage 4 again
        EXPONENTS(0);
        DISTANCE(0);
        // Stage 6
        ALIGN(0);
        // Stage 7
        if (meta.sums_are == 8w2) { LIMIT(0); }
        // Stage 8
        ADD(0);
        // Stage 9
        FLAG(0);
        // From stage 4 again
        EXPONENTS(1);
        DISTANCE(1);
        ALIGN(1);
        if (meta.sums_are == 8w2) { LIMIT(1); }
        ADD(1);
        FLAG(1);
        // From stage 4 again
        EXPONENTS(2);
        DISTANCE(2);
        ALIGN(2);
        if (meta.sums_are == 8w2) { LIMIT(2); }
        ADD(2);
        FLAG(2);
        // From stage 4 again
        EXPONENTS(3);
        DISTANCE(3);
        ALIGN(3);
        if (meta.sums_are == 8w2) { LIMIT(3); }
        ADD(3);
        FLAG(3);
        if (hdr.netfold.isValid()) { outcome.apply(); }
        // Stage 11
        if (hdr.netfold.isValid()) { overflows.apply(); }
    }
}

#include "../include/magnitude_unit.p4"
#include "../include/normalise_unit.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/measure_to_copies.p4"
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    magnitude_unit() magnitude1; normalise_unit() normalise1; assemble_unit() assemble1;
    magnitude_unit() magnitude2; normalise_unit() normalise2; assemble_unit() assemble2;
    magnitude_unit() magnitude3; normalise_unit() normalise3; assemble_unit() assemble3;
    // R-PISA-36: what sums were put together from.
    action strip_found_strip() { hdr.found.setInvalid(); }
    #define ASSEMBLE(N) assemble##N.apply(hdr.found.flags##N, meta.normal_exponent##N, \
        meta.normal##N, meta.sign##N, hdr.lane##N.value)
    #define MAGNITUDE(N) magnitude##N.apply(hdr.lane##N.value, meta.absolute##N, meta.sign##N)
    #define NORMALISE(N) normalise##N.apply(meta.absolute##N, hdr.found.exponent##N, \
        meta.normal##N, meta.normal_exponent##N)
    apply {
        #include "../include/stage0_to_stage1_2.p4"
        // Stage 9
        if (hdr.lane0.isValid()) { MAGNITUDE(0); }
        // Stage 10
        if (hdr.lane0.isValid()) { NORMALISE(0); }
        // Stage 11
        if (hdr.lane0.isValid()) { ASSEMBLE(0); }
        // From stage 9 again
        if (hdr.lane1.isValid()) { MAGNITUDE(1); }
        if (hdr.lane1.isValid()) { NORMALISE(1); }
        if (hdr.lane1.isValid()) { ASSEMBLE(1); }
        // From stage 9 again
        if (hdr.lane2.isValid()) { MAGNITUDE(2); }
        if (hdr.lane2.isValid()) { NORMALISE(2); }
        if (hdr.lane2.isValid()) { ASSEMBLE(2); }
        // From stage 9 again
        if (hdr.lane3.isValid()) { MAGNITUDE(3); }
        if (hdr.lane3.isValid()) { NORMALISE(3); }
        if (hdr.lane3.isValid()) { ASSEMBLE(3); }
        if (hdr.found.isValid()) { strip_found_strip(); }
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_v1model.p4"
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.netfold); packet.emit(hdr.found);
        packet.emit(hdr.lane0); packet.emit(hdr.lane1); packet.emit(hdr.lane2);
        packet.emit(hdr.lane3);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
