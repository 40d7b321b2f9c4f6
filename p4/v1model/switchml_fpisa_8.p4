// switchml_fpisa for bmv2 (v1model).
// SwitchML with netfold's rounds: 8 lanes of FP32 by FPISA, 1 pipeline(s), 128 slots, 8 workers.
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
    bit<16> exponent2; bit<8> flags2; bit<16> exponent3; bit<8> flags3; bit<16> exponent4;
    bit<8> flags4; bit<16> exponent5; bit<8> flags5; bit<16> exponent6; bit<8> flags6;
    bit<16> exponent7; bit<8> flags7;
}
header lane0_h { bit<32> value; }
header lane1_h { bit<32> value; }
header lane2_h { bit<32> value; }
header lane3_h { bit<32> value; }
header lane4_h { bit<32> value; }
header lane5_h { bit<32> value; }
header lane6_h { bit<32> value; }
header lane7_h { bit<32> value; }
#include "../include/report_v1model.p4"
struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; netfold_h netfold; found_h found;
    lane0_h lane0; lane1_h lane1; lane2_h lane2; lane3_h lane3; lane4_h lane4; lane5_h lane5;
    lane6_h lane6; lane7_h lane7;
}
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<2> order; bit<2> phase; bit<1> known_shape; bit<1> known_exponents;
    bit<1> known_seal; bit<1> known_job; bit<1> known_member; bit<1> known_delivery; bit<32> key_;
    bit<32> digest; bit<16> copy; bit<16> word; bit<16> others; bit<1> alone; bit<16> members_group;
    bit<16> relay_group; bit<16> member_port; bit<1> to_all; bit<16> foreign; bit<16> rest;
    bit<4> age; bit<4> round_is; bit<32> first_worker; bit<32> sender; bit<16> left;
    bit<8> was_filled; bit<16> largest_exponent; bit<8> sums_are; bit<16> incoming0;
    bit<32> magnitude0; bit<32> signed0; bit<32> shifted0; bit<1> adds0; bit<8> flag0;
    bit<16> stored0; bit<16> distance0; bit<16> back0; bit<16> stored_by0; bit<32> limit0;
    bit<4> added0; bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0; bit<32> sign0;
    bit<16> incoming1; bit<32> magnitude1; bit<32> signed1; bit<32> shifted1; bit<1> adds1;
    bit<8> flag1; bit<16> stored1; bit<16> distance1; bit<16> back1; bit<16> stored_by1;
    bit<32> limit1; bit<4> added1; bit<32> absolute1; bit<32> normal1; bit<16> normal_exponent1;
    bit<32> sign1; bit<16> incoming2; bit<32> magnitude2; bit<32> signed2; bit<32> shifted2;
    bit<1> adds2; bit<8> flag2; bit<16> stored2; bit<16> distance2; bit<16> back2;
    bit<16> stored_by2; bit<32> limit2; bit<4> added2; bit<32> absolute2; bit<32> normal2;
    bit<16> normal_exponent2; bit<32> sign2; bit<16> incoming3; bit<32> magnitude3; bit<32> signed3;
    bit<32> shifted3; bit<1> adds3; bit<8> flag3; bit<16> stored3; bit<16> distance3; bit<16> back3;
    bit<16> stored_by3; bit<32> limit3; bit<4> added3; bit<32> absolute3; bit<32> normal3;
    bit<16> normal_exponent3; bit<32> sign3; bit<16> incoming4; bit<32> magnitude4; bit<32> signed4;
    bit<32> shifted4; bit<1> adds4; bit<8> flag4; bit<16> stored4; bit<16> distance4; bit<16> back4;
    bit<16> stored_by4; bit<32> limit4; bit<4> added4; bit<32> absolute4; bit<32> normal4;
    bit<16> normal_exponent4; bit<32> sign4; bit<16> incoming5; bit<32> magnitude5; bit<32> signed5;
    bit<32> shifted5; bit<1> adds5; bit<8> flag5; bit<16> stored5; bit<16> distance5; bit<16> back5;
    bit<16> stored_by5; bit<32> limit5; bit<4> added5; bit<32> absolute5; bit<32> normal5;
    bit<16> normal_exponent5; bit<32> sign5; bit<16> incoming6; bit<32> magnitude6; bit<32> signed6;
    bit<32> shifted6; bit<1> adds6; bit<8> flag6; bit<16> stored6; bit<16> distance6; bit<16> back6;
    bit<16> stored_by6; bit<32> limit6; bit<4> added6; bit<32> absolute6; bit<32> normal6;
    bit<16> normal_exponent6; bit<32> sign6; bit<16> incoming7; bit<32> magnitude7; bit<32> signed7;
    bit<32> shifted7; bit<1> adds7; bit<8> flag7; bit<16> stored7; bit<16> distance7; bit<16> back7;
    bit<16> stored_by7; bit<32> limit7; bit<4> added7; bit<32> absolute7; bit<32> normal7;
    bit<16> normal_exponent7; bit<32> sign7; bit<16> lane_bytes; bit<16> elsewhere;
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
    state again_take_3 { packet.extract(hdr.lane3); transition again_look_4; }
    state first_take_2 { packet.extract(hdr.lane2); transition first_look_3; }
    state again_look_4 {
        transition select(hdr.bridge.rest) { 4: again_end; default: again_take_4; }
    }
    state first_look_3 {
        transition select(hdr.netfold.elements) { 3: first_end; default: first_take_3; }
    }
    state again_take_4 { packet.extract(hdr.lane4); transition again_look_5; }
    state first_take_3 { packet.extract(hdr.lane3); transition first_look_4; }
    state again_look_5 {
        transition select(hdr.bridge.rest) { 5: again_end; default: again_take_5; }
    }
    state first_look_4 {
        transition select(hdr.netfold.elements) { 4: first_end; default: first_take_4; }
    }
    state again_take_5 { packet.extract(hdr.lane5); transition again_look_6; }
    state first_take_4 { packet.extract(hdr.lane4); transition first_look_5; }
    state again_look_6 {
        transition select(hdr.bridge.rest) { 6: again_end; default: again_take_6; }
    }
    state first_look_5 {
        transition select(hdr.netfold.elements) { 5: first_end; default: first_take_5; }
    }
    state again_take_6 { packet.extract(hdr.lane6); transition again_look_7; }
    state first_take_5 { packet.extract(hdr.lane5); transition first_look_6; }
    state again_look_7 {
        transition select(hdr.bridge.rest) { 7: again_end; default: again_take_7; }
    }
    state first_look_6 {
        transition select(hdr.netfold.elements) { 6: first_end; default: first_take_6; }
    }
    state again_take_7 { packet.extract(hdr.lane7); transition again_end; }
    state first_take_6 { packet.extract(hdr.lane6); transition first_look_7; }
    state first_look_7 {
        transition select(hdr.netfold.elements) { 7: first_end; default: first_take_7; }
    }
    state first_take_7 { packet.extract(hdr.lane7); transition first_end; }
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
    #include "../include/reg_last_to_reg_count_v1model.p4"
    // Whether lanes have been written in this round.
    register<bit<8>, bit<32>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;
    // R-PKT-1, R-PKT-2: lanes of the one type, that are summed, and a length that fits; or none.
    action shapes_pass() { meta.known_shape = 1w1; }
    table shapes {
        key = {
            hdr.netfold.flags : ternary; hdr.netfold.element_type : ternary;
            hdr.netfold.operation : ternary; hdr.netfold.elements : range; hdr.udp.length : ternary;
        }
        actions = { shapes_pass; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(10)
        const entries = {
            (2 &&& 2, 1, 1, 0..8, 48) : shapes_pass(); (0 &&& 2, 1, 1, 0..0, 48) : shapes_pass();
            (0 &&& 2, 1, 1, 1..1, 52) : shapes_pass(); (0 &&& 2, 1, 1, 2..2, 56) : shapes_pass();
            (0 &&& 2, 1, 1, 3..3, 60) : shapes_pass(); (0 &&& 2, 1, 1, 4..4, 64) : shapes_pass();
            (0 &&& 2, 1, 1, 5..5, 68) : shapes_pass(); (0 &&& 2, 1, 1, 6..6, 72) : shapes_pass();
            (0 &&& 2, 1, 1, 7..7, 76) : shapes_pass(); (0 &&& 2, 1, 1, 8..8, 80) : shapes_pass();
        }
    }
    #include "../include/exponents_to_deliveries.p4"
    #include "../include/rounds_v1model.p4"
    #include "../include/digests_v1model.p4"
    // Lanes that are left for the pipelines to come.
    action first_rest_leave() { meta.rest = hdr.netfold.elements |-| 16w8; }
    // Lanes that are left for the pipelines to come.
    action again_rest_leave() { meta.rest = hdr.bridge.rest |-| 16w8; }
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
        const default_action = tell_none(); ENTRIES(8)
        const entries = {
            (2, 0, 1..1) : tell_some(1); (2, 0, 2..2) : tell_some(2); (2, 0, 3..3) : tell_some(3);
            (2, 0, 4..4) : tell_some(4); (2, 0, 5..5) : tell_some(5); (2, 0, 6..6) : tell_some(6);
            (2, 0, 7..7) : tell_some(7); (2, 0, 8..0xFFFF) : tell_some(8);
        }
    }
    #include "../include/folds.p4"
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    incoming_unit() incoming1; extract_unit() extract1; sign_unit() sign1;
    incoming_unit() incoming2; extract_unit() extract2; sign_unit() sign2;
    incoming_unit() incoming3; extract_unit() extract3; sign_unit() sign3;
    incoming_unit() incoming4; extract_unit() extract4; sign_unit() sign4;
    incoming_unit() incoming5; extract_unit() extract5; sign_unit() sign5;
    incoming_unit() incoming6; extract_unit() extract6; sign_unit() sign6;
    incoming_unit() incoming7; extract_unit() extract7; sign_unit() sign7;
    #include "../include/show0.p4"
    #include "../include/show1_to_show3_v1model.p4"
    // Lanes that the packet has behind this pass (R-PISA-35).
    action show4_show() { hdr.lane4.setValid(); }
    action show4_hide() { hdr.lane4.setInvalid(); }
    table show4 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { show4_show; show4_hide; }
        const default_action = show4_hide(); ENTRIES(1)
        const entries = { (2, 0, 5..0xFFFF) : show4_show(); }
    }
    // Lanes that the packet has behind this pass (R-PISA-35).
    action show5_show() { hdr.lane5.setValid(); }
    action show5_hide() { hdr.lane5.setInvalid(); }
    table show5 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { show5_show; show5_hide; }
        const default_action = show5_hide(); ENTRIES(1)
        const entries = { (2, 0, 6..0xFFFF) : show5_show(); }
    }
    // Lanes that the packet has behind this pass (R-PISA-35).
    action show6_show() { hdr.lane6.setValid(); }
    action show6_hide() { hdr.lane6.setInvalid(); }
    table show6 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { show6_show; show6_hide; }
        const default_action = show6_hide(); ENTRIES(1)
        const entries = { (2, 0, 7..0xFFFF) : show6_show(); }
    }
    // Lanes that the packet has behind this pass (R-PISA-35).
    action show7_show() { hdr.lane7.setValid(); }
    action show7_hide() { hdr.lane7.setInvalid(); }
    table show7 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { show7_show; show7_hide; }
        const default_action = show7_hide(); ENTRIES(1)
        const entries = { (2, 0, 8..0xFFFF) : show7_show(); }
    }
    exponents_unit() exponents0; distance_unit() distance0; align_unit() align0; add_unit() add0;
    flag_unit() flag0; exponents_unit() exponents1; distance_unit() distance1; align_unit() align1;
    add_unit() add1; flag_unit() flag1; exponents_unit() exponents2; distance_unit() distance2;
    align_unit() align2; add_unit() add2; flag_unit() flag2; exponents_unit() exponents3;
    distance_unit() distance3; align_unit() align3; add_unit() add3; flag_unit() flag3;
    exponents_unit() exponents4; distance_unit() distance4; align_unit() align4; add_unit() add4;
    flag_unit() flag4; exponents_unit() exponents5; distance_unit() distance5; align_unit() align5;
    add_unit() add5; flag_unit() flag5; exponents_unit() exponents6; distance_unit() distance6;
    align_unit() align6; add_unit() add6; flag_unit() flag6; exponents_unit() exponents7;
    distance_unit() distance7; align_unit() align7; add_unit() add7; flag_unit() flag7;
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
        hdr.lane3.setInvalid(); hdr.lane4.setInvalid(); hdr.lane5.setInvalid();
        hdr.lane6.setInvalid(); hdr.lane7.setInvalid(); hdr.bridge.setValid();
        hdr.netfold.flags = 8w7; hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
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
        hdr.lane3.setInvalid(); hdr.lane4.setInvalid(); hdr.lane5.setInvalid();
        hdr.lane6.setInvalid(); hdr.lane7.setInvalid(); hdr.bridge.setValid();
        hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF; hdr.bridge.mode = 8w5; hdr.bridge.step = step;
        hdr.bridge.single = 8w1; MULTICAST_GROUP = meta.relay_group;
    }
    action outcome_spread() {
        hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.netfold.worker = 16w0xFFFF;
        hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
    }
    action outcome_spread_empty() {
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.lane4.setInvalid(); hdr.lane5.setInvalid();
        hdr.lane6.setInvalid(); hdr.lane7.setInvalid(); hdr.bridge.setValid();
        hdr.netfold.flags = 8w3; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF; hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
    }
    action outcome_reply() {
        hdr.bridge.setValid(); hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent; hdr.bridge.mode = 8w3;
        EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_reply_empty() {
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.lane4.setInvalid(); hdr.lane5.setInvalid();
        hdr.lane6.setInvalid(); hdr.lane7.setInvalid(); hdr.bridge.setValid();
        hdr.netfold.flags = 8w3; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
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
    #define ADD(N) add##N.apply(meta.sums_are, meta.adds##N, meta.distance##N, meta.shifted##N, \
        meta.copy, meta.stored_by##N, hdr.lane##N.value)
    #define ALIGN(N) align##N.apply(meta.distance##N, meta.signed##N, meta.back##N, \
        meta.shifted##N, meta.stored_by##N)
    #define DISTANCE(N) distance##N.apply(meta.incoming##N, meta.stored##N, meta.distance##N, \
        meta.back##N)
    #define EXPONENTS(N) exponents##N.apply(meta.sums_are, meta.adds##N, meta.incoming##N, \
        meta.copy, meta.stored##N, hdr.found.exponent##N)
    #define EXTRACT(N) extract##N.apply(hdr.lane##N.value, meta.magnitude##N, meta.adds##N, \
        meta.flag##N)
    #define FLAG(N) flag##N.apply(meta.sums_are, meta.added##N, meta.shifted##N, meta.flag##N, \
        meta.copy, hdr.found.flags##N)
    #define INCOMING(N) incoming##N.apply(hdr.lane##N.value, meta.incoming##N)
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
        // From stage 3 again
        if (hdr.lane4.isValid()) { INCOMING(4); EXTRACT(4); }
        SIGN(4);
        // From stage 3 again
        if (hdr.lane5.isValid()) { INCOMING(5); EXTRACT(5); }
        SIGN(5);
        // From stage 3 again
        if (hdr.lane6.isValid()) { INCOMING(6); EXTRACT(6); }
        SIGN(6);
        // From stage 3 again
        if (hdr.lane7.isValid()) { INCOMING(7); EXTRACT(7); }
        SIGN(7);
        // Stage 5
        if (hdr.netfold.isValid()) {
            show0.apply(); show1.apply(); show2.apply(); show3.apply(); show4.apply();
            show5.apply(); show6.apply(); show7.apply();
        }
        // From stage 4 again
        EXPONENTS(0);
        DISTANCE(0);
        // Stage 6
        ALIGN(0);
        // Stage 7
        ADD(0);
        // Stage 8
        FLAG(0);
        // From stage 4 again
        EXPONENTS(1);
        DISTANCE(1);
        ALIGN(1);
        ADD(1);
        FLAG(1);
        // From stage 4 again
        EXPONENTS(2);
        DISTANCE(2);
        ALIGN(2);
        ADD(2);
        FLAG(2);
        // From stage 4 again
        EXPONENTS(3);
        DISTANCE(3);
        ALIGN(3);
        ADD(3);
        FLAG(3);
        // From stage 4 again
        EXPONENTS(4);
        DISTANCE(4);
        ALIGN(4);
        ADD(4);
        FLAG(4);
        // From stage 4 again
        EXPONENTS(5);
        DISTANCE(5);
        ALIGN(5);
        ADD(5);
        FLAG(5);
        // From stage 4 again
        EXPONENTS(6);
        DISTANCE(6);
        ALIGN(6);
        ADD(6);
        FLAG(6);
        // From stage 4 again
        EXPONENTS(7);
        DISTANCE(7);
        ALIGN(7);
        ADD(7);
        FLAG(7);
        if (hdr.netfold.isValid()) { outcome.apply(); }
    }
}

#include "../include/magnitude_unit.p4"
#include "../include/normalise_unit_v1model.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/measure_to_copies.p4"
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    magnitude_unit() magnitude1; normalise_unit() normalise1; assemble_unit() assemble1;
    magnitude_unit() magnitude2; normalise_unit() normalise2; assemble_unit() assemble2;
    magnitude_unit() magnitude3; normalise_unit() normalise3; assemble_unit() assemble3;
    magnitude_unit() magnitude4; normalise_unit() normalise4; assemble_unit() assemble4;
    magnitude_unit() magnitude5; normalise_unit() normalise5; assemble_unit() assemble5;
    magnitude_unit() magnitude6; normalise_unit() normalise6; assemble_unit() assemble6;
    magnitude_unit() magnitude7; normalise_unit() normalise7; assemble_unit() assemble7;
    // R-PISA-36: what sums were put together from.
    action strip_found_strip() { hdr.found.setInvalid(); }
    #define ASSEMBLE(N) assemble##N.apply(hdr.found.flags##N, meta.normal_exponent##N, \
        meta.normal##N, meta.sign##N, hdr.lane##N.value)
    #define MAGNITUDE(N) magnitude##N.apply(hdr.lane##N.value, meta.absolute##N, meta.sign##N)
    #define NORMALISE(N) normalise##N.apply(meta.absolute##N, hdr.found.exponent##N, \
        meta.normal##N, meta.normal_exponent##N)
    apply {
        #include "../include/stage0_to_stage1_2.p4"
        // Stage 8
        if (hdr.lane0.isValid()) { MAGNITUDE(0); }
        // Stage 9
        if (hdr.lane0.isValid()) { NORMALISE(0); }
        // Stage 10
        if (hdr.lane0.isValid()) { ASSEMBLE(0); }
        // From stage 8 again
        if (hdr.lane1.isValid()) { MAGNITUDE(1); }
        if (hdr.lane1.isValid()) { NORMALISE(1); }
        if (hdr.lane1.isValid()) { ASSEMBLE(1); }
        // From stage 8 again
        if (hdr.lane2.isValid()) { MAGNITUDE(2); }
        if (hdr.lane2.isValid()) { NORMALISE(2); }
        if (hdr.lane2.isValid()) { ASSEMBLE(2); }
        // From stage 8 again
        if (hdr.lane3.isValid()) { MAGNITUDE(3); }
        if (hdr.lane3.isValid()) { NORMALISE(3); }
        if (hdr.lane3.isValid()) { ASSEMBLE(3); }
        // From stage 8 again
        if (hdr.lane4.isValid()) { MAGNITUDE(4); }
        if (hdr.lane4.isValid()) { NORMALISE(4); }
        if (hdr.lane4.isValid()) { ASSEMBLE(4); }
        // From stage 8 again
        if (hdr.lane5.isValid()) { MAGNITUDE(5); }
        if (hdr.lane5.isValid()) { NORMALISE(5); }
        if (hdr.lane5.isValid()) { ASSEMBLE(5); }
        // From stage 8 again
        if (hdr.lane6.isValid()) { MAGNITUDE(6); }
        if (hdr.lane6.isValid()) { NORMALISE(6); }
        if (hdr.lane6.isValid()) { ASSEMBLE(6); }
        // From stage 8 again
        if (hdr.lane7.isValid()) { MAGNITUDE(7); }
        if (hdr.lane7.isValid()) { NORMALISE(7); }
        if (hdr.lane7.isValid()) { ASSEMBLE(7); }
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
        packet.emit(hdr.lane3); packet.emit(hdr.lane4); packet.emit(hdr.lane5);
        packet.emit(hdr.lane6); packet.emit(hdr.lane7);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
