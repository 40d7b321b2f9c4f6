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
#include "../include/incoming_unit_to_sign_unit_v1model.p4"
control exponents_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> incoming, in bit<16> copy,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> word; reg_exponent.read(word, (bit<32>) copy); bit<16> old_lo = word;
            bit<16> new_lo = incoming; reg_exponent.write((bit<32>) copy, new_lo); stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> word; reg_exponent.read(word, (bit<32>) copy); bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - incoming + 16w7) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) copy, new_lo); stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic {
            bit<16> word; reg_exponent.read(word, (bit<32>) copy); bit<16> old_lo = word;
            exponent = old_lo;
        }
    }
    table exponents {
        key = { sums_are : ternary @name("sums_are"); adds : ternary @name("adds"); }
        actions = { exponents_begin; exponents_raise; exponents_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents_begin(); (2, 1) : exponents_raise(); (3, _) : exponents_read();
        }
    }
    apply { exponents.apply(); }
}
control distance_unit(in bit<16> incoming, in bit<16> stored, inout bit<16> distance) {
    // How far the two exponents are apart.
    action distance_subtract() { distance = incoming - stored; }
    table distance {
        actions = { distance_subtract; }
        const default_action = distance_subtract(); size = 1;
    }
    apply { distance.apply(); }
}
control align_unit(in bit<16> distance, in bit<32> signed, inout bit<32> shifted) {
    // R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align_right1() { shifted = (bit<32>) ((int<32>) signed >> 1); }
    action align_right2() { shifted = (bit<32>) ((int<32>) signed >> 2); }
    action align_right3() { shifted = (bit<32>) ((int<32>) signed >> 3); }
    action align_right4() { shifted = (bit<32>) ((int<32>) signed >> 4); }
    action align_right5() { shifted = (bit<32>) ((int<32>) signed >> 5); }
    action align_right6() { shifted = (bit<32>) ((int<32>) signed >> 6); }
    action align_right7() { shifted = (bit<32>) ((int<32>) signed >> 7); }
    action align_right8() { shifted = (bit<32>) ((int<32>) signed >> 8); }
    action align_right9() { shifted = (bit<32>) ((int<32>) signed >> 9); }
    action align_right10() { shifted = (bit<32>) ((int<32>) signed >> 10); }
    action align_right11() { shifted = (bit<32>) ((int<32>) signed >> 11); }
    action align_right12() { shifted = (bit<32>) ((int<32>) signed >> 12); }
    action align_right13() { shifted = (bit<32>) ((int<32>) signed >> 13); }
    action align_right14() { shifted = (bit<32>) ((int<32>) signed >> 14); }
    action align_right15() { shifted = (bit<32>) ((int<32>) signed >> 15); }
    action align_right16() { shifted = (bit<32>) ((int<32>) signed >> 16); }
    action align_right17() { shifted = (bit<32>) ((int<32>) signed >> 17); }
    action align_right18() { shifted = (bit<32>) ((int<32>) signed >> 18); }
    action align_right19() { shifted = (bit<32>) ((int<32>) signed >> 19); }
    action align_right20() { shifted = (bit<32>) ((int<32>) signed >> 20); }
    action align_right21() { shifted = (bit<32>) ((int<32>) signed >> 21); }
    action align_right22() { shifted = (bit<32>) ((int<32>) signed >> 22); }
    action align_right23() { shifted = (bit<32>) ((int<32>) signed >> 23); }
    action align_right24() { shifted = (bit<32>) ((int<32>) signed >> 24); }
    action align_left1() { shifted = signed << 1; }
    action align_left2() { shifted = signed << 2; }
    action align_left3() { shifted = signed << 3; }
    action align_left4() { shifted = signed << 4; }
    action align_left5() { shifted = signed << 5; }
    action align_left6() { shifted = signed << 6; }
    action align_left7() { shifted = signed << 7; }
    action align_stay() { shifted = signed; }
    table align {
        key = { distance : range @name("distance"); }
        actions = {
            align_right1; align_right2; align_right3; align_right4; align_right5; align_right6;
            align_right7; align_right8; align_right9; align_right10; align_right11; align_right12;
            align_right13; align_right14; align_right15; align_right16; align_right17;
            align_right18; align_right19; align_right20; align_right21; align_right22;
            align_right23; align_right24; align_left1; align_left2; align_left3; align_left4;
            align_left5; align_left6; align_left7; align_stay;
        }
        const default_action = align_stay();
        const entries = {
            0xFFFF..0xFFFF : align_right1(); 0xFFFE..0xFFFE : align_right2();
            0xFFFD..0xFFFD : align_right3(); 0xFFFC..0xFFFC : align_right4();
            0xFFFB..0xFFFB : align_right5(); 0xFFFA..0xFFFA : align_right6();
            0xFFF9..0xFFF9 : align_right7(); 0xFFF8..0xFFF8 : align_right8();
            0xFFF7..0xFFF7 : align_right9(); 0xFFF6..0xFFF6 : align_right10();
            0xFFF5..0xFFF5 : align_right11(); 0xFFF4..0xFFF4 : align_right12();
            0xFFF3..0xFFF3 : align_right13(); 0xFFF2..0xFFF2 : align_right14();
            0xFFF1..0xFFF1 : align_right15(); 0xFFF0..0xFFF0 : align_right16();
            0xFFEF..0xFFEF : align_right17(); 0xFFEE..0xFFEE : align_right18();
            0xFFED..0xFFED : align_right19(); 0xFFEC..0xFFEC : align_right20();
            0xFFEB..0xFFEB : align_right21(); 0xFFEA..0xFFEA : align_right22();
            0xFFE9..0xFFE9 : align_right23(); 0x8000..0xFFE8 : align_right24();
            1..1 : align_left1(); 2..2 : align_left2(); 3..3 : align_left3(); 4..4 : align_left4();
            5..5 : align_left5(); 6..6 : align_left6(); 7..7 : align_left7();
        }
    }
    apply { align.apply(); }
}
control limit_unit(in bit<32> shifted, inout bit<32> limit) {
    // R-FPI-9: beyond this the sum does not fit.
    action limit_of_largest() { limit = 32w0x7FFFFFFF - shifted; }
    action limit_of_smallest() { limit = 32w0x80000000 - shifted; }
    table limit {
        key = { shifted : ternary @name("shifted"); }
        actions = { limit_of_largest; limit_of_smallest; }
        const default_action = limit_of_largest();
        const entries = { 0x80000000 &&& 0x80000000 : limit_of_smallest(); }
    }
    apply { limit.apply(); }
}
control add_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> copy, in bit<32> limit, inout bit<32> value_2, inout bit<4> added) {
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
            value_2 = old_lo;
        }
    }
    action add_add_up() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) copy); bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) > 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add_add_down() {
        @atomic {
            bit<32> word; reg_mantissa.read(word, (bit<32>) copy); bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) < 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    table add {
        key = {
            sums_are : ternary @name("sums_are"); adds : ternary @name("adds");
            distance : range @name("distance"); shifted : ternary @name("shifted");
        }
        actions = { add_begin; add_read; add_add_up; add_add_down; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin(); (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 8..0x7FFF, _) : add_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add_add_down();
            (2, 1, 0..0xFFFF, _) : add_add_up();
        }
    }
    apply { add.apply(); }
}
control flag_unit(in bit<8> sums_are, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> copy, inout bit<1> overflowed, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word;
            bit<8> new_lo = flag; reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_note() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | flag; reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8; reg_flags.write((bit<32>) copy, new_lo);
        }
        overflowed = 1w1;
    }
    action flag_read() {
        @atomic {
            bit<8> word; reg_flags.read(word, (bit<32>) copy); bit<8> old_lo = word; flags = old_lo;
        }
    }
    table flag {
        key = {
            sums_are : ternary @name("sums_are"); added : ternary @name("added");
            shifted : ternary @name("shifted");
        }
        actions = { flag_begin; flag_note; flag_overflow; flag_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag_begin(); (2, 4, 0 &&& 0x80000000) : flag_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag_overflow(); (2, _, _) : flag_note();
            (3, _, _) : flag_read();
        }
    }
    apply { flag.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/reg_last_to_reg_count_v1model.p4"
    // Whether lanes have been written in this round.
    register<bit<8>, bit<32>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;
    #include "../include/shapes_actions.p4"
    table shapes {
        key = {
            hdr.netfold.flags : ternary @name("flags");
            hdr.netfold.element_type : ternary @name("element_type");
            hdr.netfold.operation : ternary @name("operation");
            hdr.netfold.elements : range @name("elements");
            hdr.udp.length : ternary @name("length");
        }
        actions = { shapes_pass; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (2 &&& 2, 1, 1, 0..4, 48) : shapes_pass(); (0 &&& 2, 1, 1, 0..0, 48) : shapes_pass();
            (0 &&& 2, 1, 1, 1..1, 52) : shapes_pass(); (0 &&& 2, 1, 1, 2..2, 56) : shapes_pass();
            (0 &&& 2, 1, 1, 3..3, 60) : shapes_pass(); (0 &&& 2, 1, 1, 4..4, 64) : shapes_pass();
        }
    }
    #include "../include/exponents_to_sealed_v1model.p4"
    #include "../include/jobs_to_deliveries.p4"
    #include "../include/rounds_v1model.p4"
    #include "../include/digests_v1model.p4"
    // Lanes that are left for the pipelines to come.
    action first_rest_leave() { meta.rest = hdr.netfold.elements |-| 16w4; }
    #include "../include/first_rest_table.p4"
    // Lanes that are left for the pipelines to come.
    action again_rest_leave() { meta.rest = hdr.bridge.rest |-| 16w4; }
    #include "../include/again_rest_table.p4"
    #include "../include/forward.p4"
    #include "../include/ages_to_largests_v1model.p4"
    // R-PISA-36: how many sums egress puts together.
    action tell_none() { hdr.found.setValid(); hdr.found.lanes = 8w0; }
    action tell_some(bit<8> lanes) { hdr.found.setValid(); hdr.found.lanes = lanes; }
    table tell {
        key = {
            meta.phase : ternary @name("phase"); hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = { tell_none; tell_some; }
        const default_action = tell_none();
        const entries = {
            (2, 0, 1..1) : tell_some(1); (2, 0, 2..2) : tell_some(2); (2, 0, 3..3) : tell_some(3);
            (2, 0, 4..0xFFFF) : tell_some(4);
        }
    }
    #include "../include/folds_v1model.p4"
    #include "../include/incoming0_to_sign3_v1model.p4"
    #include "../include/show0_to_show3_v1model.p4"
    exponents_unit() exponents0;
    distance_unit() distance0;
    align_unit() align0;
    limit_unit() limit0;
    #include "../include/add0_to_align1_v1model.p4"
    limit_unit() limit1;
    #include "../include/add1_to_align2_v1model.p4"
    limit_unit() limit2;
    #include "../include/add2_to_align3_v1model.p4"
    limit_unit() limit3;
    add_unit() add3;
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
        hdr.netfold.flags = 8w7; hdr.lane0.setInvalid(); hdr.lane1.setInvalid();
        hdr.lane2.setInvalid(); hdr.lane3.setInvalid(); hdr.bridge.setValid();
        hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
        EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w0; hdr.netfold.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid(); hdr.bridge.mode = 8w2; hdr.bridge.step = step;
        EGRESS_PORT = (bit<9>) port; hdr.bridge.single = 8w1;
    }
    action outcome_relay(bit<8> step) {
        hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF; hdr.lane0.setInvalid(); hdr.lane1.setInvalid();
        hdr.lane2.setInvalid(); hdr.lane3.setInvalid(); hdr.bridge.setValid();
        hdr.bridge.mode = 8w5; hdr.bridge.step = step; hdr.bridge.single = 8w1;
        MULTICAST_GROUP = meta.relay_group;
    }
    action outcome_spread() {
        hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF; hdr.bridge.setValid(); hdr.bridge.mode = 8w3;
        MULTICAST_GROUP = meta.members_group;
    }
    action outcome_spread_empty() {
        hdr.netfold.flags = 8w3; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF; hdr.lane0.setInvalid(); hdr.lane1.setInvalid();
        hdr.lane2.setInvalid(); hdr.lane3.setInvalid(); hdr.bridge.setValid();
        hdr.bridge.mode = 8w3; MULTICAST_GROUP = meta.members_group;
    }
    action outcome_reply() {
        hdr.netfold.flags = 8w1; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid(); hdr.bridge.mode = 8w3; EGRESS_PORT = (bit<9>) meta.member_port;
    }
    action outcome_reply_empty() {
        hdr.netfold.flags = 8w3; hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.lane0.setInvalid(); hdr.lane1.setInvalid(); hdr.lane2.setInvalid();
        hdr.lane3.setInvalid(); hdr.bridge.setValid(); hdr.bridge.mode = 8w3;
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
    #include "../include/outcome_table_v1model_2.p4"
    // R-FPI-9: an overflow is reported, and no sum that has overflowed is sent.
    action overflows_overflow(bit<16> module) {
        meta.lane = meta.lane + module; INGRESS_DROP; REPORT(2);
    }
    action overflows_withhold() { INGRESS_DROP; }
    table overflows {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.overflowed0 : ternary @name("overflowed0");
            meta.overflowed1 : ternary @name("overflowed1");
            meta.overflowed2 : ternary @name("overflowed2");
            meta.overflowed3 : ternary @name("overflowed3");
            hdr.found.flags0 : ternary @name("flags0"); hdr.found.flags1 : ternary @name("flags1");
            hdr.found.flags2 : ternary @name("flags2"); hdr.found.flags3 : ternary @name("flags3");
        }
        actions = { overflows_overflow; overflows_withhold; @defaultonly NoAction; }
        const default_action = NoAction();
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
    #define ADD(UNIT, F1, F2, F3, F5, F6, F7) UNIT.apply(meta.sums_are, F1, F2, F3, meta.copy, F5, \
        F6, F7)
    #define ALIGN(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    #define DISTANCE(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    #define EXPONENTS(UNIT, F1, F2, F4, F5) UNIT.apply(meta.sums_are, F1, F2, meta.copy, F4, F5)
    #define EXTRACT(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    #define FLAG(UNIT, F1, F2, F3, F5, F6) UNIT.apply(meta.sums_are, F1, F2, F3, meta.copy, F5, \
        F6)
    #define INCOMING(UNIT, F0, F1) UNIT.apply(F0, F1)
    #define LIMIT(UNIT, F0, F1) UNIT.apply(F0, F1)
    #define SIGN(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        #include "../include/stage0_to_stage1.p4"
        #include "../include/stage2.p4"
        #include "../include/stage3_to_stage4_v1model.p4"
        // Stage 5
        if (hdr.netfold.isValid()) { show0.apply(); show1.apply(); show2.apply(); show3.apply(); }
        // Stage 4
        EXPONENTS(exponents0, meta.adds0, meta.incoming0, meta.stored0, hdr.found.exponent0);
        // Stage 5
        DISTANCE(distance0, meta.incoming0, meta.stored0, meta.distance0);
        // Stage 6
        ALIGN(align0, meta.distance0, meta.signed0, meta.shifted0);
        // Stage 7
        if (meta.sums_are == 8w2) { LIMIT(limit0, meta.shifted0, meta.limit0); }
        // Stage 8
        ADD(add0, meta.adds0, meta.distance0, meta.shifted0, meta.limit0, hdr.lane0.value,
            meta.added0);
        // Stage 9
        FLAG(flag0, meta.added0, meta.shifted0, meta.flag0, meta.overflowed0, hdr.found.flags0);
        // Stage 4
        EXPONENTS(exponents1, meta.adds1, meta.incoming1, meta.stored1, hdr.found.exponent1);
        // Stage 5
        DISTANCE(distance1, meta.incoming1, meta.stored1, meta.distance1);
        // Stage 6
        ALIGN(align1, meta.distance1, meta.signed1, meta.shifted1);
        // Stage 7
        if (meta.sums_are == 8w2) { LIMIT(limit1, meta.shifted1, meta.limit1); }
        // Stage 8
        ADD(add1, meta.adds1, meta.distance1, meta.shifted1, meta.limit1, hdr.lane1.value,
            meta.added1);
        // Stage 9
        FLAG(flag1, meta.added1, meta.shifted1, meta.flag1, meta.overflowed1, hdr.found.flags1);
        // Stage 4
        EXPONENTS(exponents2, meta.adds2, meta.incoming2, meta.stored2, hdr.found.exponent2);
        // Stage 5
        DISTANCE(distance2, meta.incoming2, meta.stored2, meta.distance2);
        // Stage 6
        ALIGN(align2, meta.distance2, meta.signed2, meta.shifted2);
        // Stage 7
        if (meta.sums_are == 8w2) { LIMIT(limit2, meta.shifted2, meta.limit2); }
        // Stage 8
        ADD(add2, meta.adds2, meta.distance2, meta.shifted2, meta.limit2, hdr.lane2.value,
            meta.added2);
        // Stage 9
        FLAG(flag2, meta.added2, meta.shifted2, meta.flag2, meta.overflowed2, hdr.found.flags2);
        // Stage 4
        EXPONENTS(exponents3, meta.adds3, meta.incoming3, meta.stored3, hdr.found.exponent3);
        // Stage 5
        DISTANCE(distance3, meta.incoming3, meta.stored3, meta.distance3);
        // Stage 6
        ALIGN(align3, meta.distance3, meta.signed3, meta.shifted3);
        // Stage 7
        if (meta.sums_are == 8w2) { LIMIT(limit3, meta.shifted3, meta.limit3); }
        // Stage 8
        ADD(add3, meta.adds3, meta.distance3, meta.shifted3, meta.limit3, hdr.lane3.value,
            meta.added3);
        // Stage 9
        FLAG(flag3, meta.added3, meta.shifted3, meta.flag3, meta.overflowed3, hdr.found.flags3);
        if (hdr.netfold.isValid()) { outcome.apply(); }
        // Stage 11
        if (hdr.netfold.isValid()) { overflows.apply(); }
    }
}

#include "../include/magnitude_unit_v1model.p4"
control normalise_unit(in bit<32> absolute, in bit<16> exponent, inout bit<32> normal,
    inout bit<16> normal_exponent) {
    // R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise_left1() { normal = absolute << 1; normal_exponent = exponent - 16w1; }
    action normalise_left2() { normal = absolute << 2; normal_exponent = exponent - 16w2; }
    action normalise_left3() { normal = absolute << 3; normal_exponent = exponent - 16w3; }
    action normalise_left4() { normal = absolute << 4; normal_exponent = exponent - 16w4; }
    action normalise_left5() { normal = absolute << 5; normal_exponent = exponent - 16w5; }
    action normalise_left6() { normal = absolute << 6; normal_exponent = exponent - 16w6; }
    action normalise_left7() { normal = absolute << 7; normal_exponent = exponent - 16w7; }
    action normalise_left8() { normal = absolute << 8; normal_exponent = exponent - 16w8; }
    action normalise_left9() { normal = absolute << 9; normal_exponent = exponent - 16w9; }
    action normalise_left10() { normal = absolute << 10; normal_exponent = exponent - 16w10; }
    action normalise_left11() { normal = absolute << 11; normal_exponent = exponent - 16w11; }
    action normalise_left12() { normal = absolute << 12; normal_exponent = exponent - 16w12; }
    action normalise_left13() { normal = absolute << 13; normal_exponent = exponent - 16w13; }
    action normalise_left14() { normal = absolute << 14; normal_exponent = exponent - 16w14; }
    action normalise_left15() { normal = absolute << 15; normal_exponent = exponent - 16w15; }
    action normalise_left16() { normal = absolute << 16; normal_exponent = exponent - 16w16; }
    action normalise_left17() { normal = absolute << 17; normal_exponent = exponent - 16w17; }
    action normalise_left18() { normal = absolute << 18; normal_exponent = exponent - 16w18; }
    action normalise_left19() { normal = absolute << 19; normal_exponent = exponent - 16w19; }
    action normalise_left20() { normal = absolute << 20; normal_exponent = exponent - 16w20; }
    action normalise_left21() { normal = absolute << 21; normal_exponent = exponent - 16w21; }
    action normalise_left22() { normal = absolute << 22; normal_exponent = exponent - 16w22; }
    action normalise_left23() { normal = absolute << 23; normal_exponent = exponent - 16w23; }
    action normalise_right1() { normal = absolute >> 1; normal_exponent = exponent + 16w1; }
    action normalise_right2() { normal = absolute >> 2; normal_exponent = exponent + 16w2; }
    action normalise_right3() { normal = absolute >> 3; normal_exponent = exponent + 16w3; }
    action normalise_right4() { normal = absolute >> 4; normal_exponent = exponent + 16w4; }
    action normalise_right5() { normal = absolute >> 5; normal_exponent = exponent + 16w5; }
    action normalise_right6() { normal = absolute >> 6; normal_exponent = exponent + 16w6; }
    action normalise_right7() { normal = absolute >> 7; normal_exponent = exponent + 16w7; }
    action normalise_right8() { normal = absolute >> 8; normal_exponent = exponent + 16w8; }
    action normalise_stay() { normal = absolute; normal_exponent = exponent; }
    table normalise {
        key = { absolute : ternary @name("absolute"); exponent : range @name("exponent"); }
        actions = {
            normalise_left1; normalise_left2; normalise_left3; normalise_left4; normalise_left5;
            normalise_left6; normalise_left7; normalise_left8; normalise_left9; normalise_left10;
            normalise_left11; normalise_left12; normalise_left13; normalise_left14;
            normalise_left15; normalise_left16; normalise_left17; normalise_left18;
            normalise_left19; normalise_left20; normalise_left21; normalise_left22;
            normalise_left23; normalise_right1; normalise_right2; normalise_right3;
            normalise_right4; normalise_right5; normalise_right6; normalise_right7;
            normalise_right8; normalise_stay;
        }
        const default_action = normalise_stay();
        const entries = {
            #include "../lists/normalise.entries"
        }
    }
    apply { normalise.apply(); }
}
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/measure_to_reach_each.p4"
    #include "../include/copies_v1model.p4"
    #include "../include/magnitude0_to_assemble3_v1model.p4"
    #include "../include/strip_found.p4"
    #define ASSEMBLE(UNIT, F0, F1, F2, F3, F4) UNIT.apply(F0, F1, F2, F3, F4)
    #define MAGNITUDE(UNIT, F0, F1, F2) UNIT.apply(F0, F1, F2)
    #define NORMALISE(UNIT, F0, F1, F2, F3) UNIT.apply(F0, F1, F2, F3)
    apply {
        #include "../include/stage0_to_stage1_2.p4"
        // Stage 9
        if (hdr.lane0.isValid()) {
            MAGNITUDE(magnitude0, hdr.lane0.value, meta.absolute0, meta.sign0);
        }
        // Stage 10
        if (hdr.lane0.isValid()) {
            NORMALISE(normalise0, meta.absolute0, hdr.found.exponent0, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 11
        if (hdr.lane0.isValid()) {
            ASSEMBLE(assemble0, hdr.found.flags0, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.lane0.value);
        }
        // Stage 9
        if (hdr.lane1.isValid()) {
            MAGNITUDE(magnitude1, hdr.lane1.value, meta.absolute1, meta.sign1);
        }
        // Stage 10
        if (hdr.lane1.isValid()) {
            NORMALISE(normalise1, meta.absolute1, hdr.found.exponent1, meta.normal1,
                meta.normal_exponent1);
        }
        // Stage 11
        if (hdr.lane1.isValid()) {
            ASSEMBLE(assemble1, hdr.found.flags1, meta.normal_exponent1, meta.normal1, meta.sign1,
                hdr.lane1.value);
        }
        // Stage 9
        if (hdr.lane2.isValid()) {
            MAGNITUDE(magnitude2, hdr.lane2.value, meta.absolute2, meta.sign2);
        }
        // Stage 10
        if (hdr.lane2.isValid()) {
            NORMALISE(normalise2, meta.absolute2, hdr.found.exponent2, meta.normal2,
                meta.normal_exponent2);
        }
        // Stage 11
        if (hdr.lane2.isValid()) {
            ASSEMBLE(assemble2, hdr.found.flags2, meta.normal_exponent2, meta.normal2, meta.sign2,
                hdr.lane2.value);
        }
        // Stage 9
        if (hdr.lane3.isValid()) {
            MAGNITUDE(magnitude3, hdr.lane3.value, meta.absolute3, meta.sign3);
        }
        // Stage 10
        if (hdr.lane3.isValid()) {
            NORMALISE(normalise3, meta.absolute3, hdr.found.exponent3, meta.normal3,
                meta.normal_exponent3);
        }
        // Stage 11
        if (hdr.lane3.isValid()) {
            ASSEMBLE(assemble3, hdr.found.flags3, meta.normal_exponent3, meta.normal3, meta.sign3,
                hdr.lane3.value);
        }
        if (hdr.found.isValid()) { strip_found.apply(); }
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
