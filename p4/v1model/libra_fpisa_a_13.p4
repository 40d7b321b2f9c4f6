// libra_fpisa_a for bmv2 (v1model).
// Tables of floats: 128 words, 13 pairs, 8 workers.
// Record of pushes: a window for each worker.
// Rules: R-PISA-70 to 79 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h {
    bit<8> mode; bit<16> even; bit<16> odd; bit<8> found_even; bit<8> found_odd; bit<16> exponent;
    bit<8> flags;
}
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/request_header_v1model.p4"
header rank0_h { bit<25> beyond; bit<7> index; }
header rank1_h { bit<25> beyond; bit<7> index; }
header rank2_h { bit<25> beyond; bit<7> index; }
header rank3_h { bit<25> beyond; bit<7> index; }
header rank4_h { bit<25> beyond; bit<7> index; }
header rank5_h { bit<25> beyond; bit<7> index; }
header rank6_h { bit<25> beyond; bit<7> index; }
header rank7_h { bit<25> beyond; bit<7> index; }
header rank8_h { bit<25> beyond; bit<7> index; }
header rank9_h { bit<25> beyond; bit<7> index; }
header rank10_h { bit<25> beyond; bit<7> index; }
header rank11_h { bit<25> beyond; bit<7> index; }
header rank12_h { bit<25> beyond; bit<7> index; }
header found_rank0_h { bit<16> high; bit<16> low; }
#include "../include/row0_header_to_found_row0_header_v1model.p4"
struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; request_h request; rank0_h rank0;
    rank1_h rank1; rank2_h rank2; rank3_h rank3; rank4_h rank4; rank5_h rank5; rank6_h rank6;
    rank7_h rank7; rank8_h rank8; rank9_h rank9; rank10_h rank10; rank11_h rank11; rank12_h rank12;
    found_rank0_h found_rank0; row0_h row0; row1_h row1; row2_h row2; row3_h row3; row4_h row4;
    row5_h row5; row6_h row6; row7_h row7; row8_h row8; row9_h row9; row10_h row10; row11_h row11;
    row12_h row12; found_row0_h found_row0;
}
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<3> what; bit<1> first; bit<8> loads; bit<16> port; bit<8> member;
    bit<1> known; bit<1> placed; bit<32> number; bit<16> place; bit<4> fresh; bit<8> owner0;
    bit<7> at0; bit<32> value0; bit<8> loaded0; bit<8> owner1; bit<7> at1; bit<32> value1;
    bit<8> loaded1; bit<8> owner2; bit<7> at2; bit<32> value2; bit<8> loaded2; bit<8> owner3;
    bit<7> at3; bit<32> value3; bit<8> loaded3; bit<8> sums_are; bit<16> incoming0;
    bit<32> magnitude0; bit<32> signed0; bit<32> shifted0; bit<1> adds0; bit<8> flag0;
    bit<16> stored0; bit<16> distance0; bit<16> back0; bit<16> stored_by0; bit<32> limit0;
    bit<4> added0; bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0; bit<32> sign0;
    bit<16> left; bit<48> own_mac; bit<32> own_ip; bit<16> own_port; bit<16> found_even_count;
    bit<16> found_odd_count; bit<16> found_pairs; bit<16> body;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model_2.p4"
    #include "../include/parse_again_v1model.p4"
    #include "../include/parse_ethernet.p4"
    state fold_on {
        meta.what = 2; meta.loads = 2;
        transition select(hdr.request.pairs) { 0: fold_on_of_nothing; default: with_row_rank0; }
    }
    state load_on {
        meta.what = 4; meta.loads = 3;
        transition select(hdr.request.pairs) { 0: load_on_of_nothing; default: with_row_rank0; }
    }
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/fold_on_of_nothing_to_with_row_more0_v1model.p4"
    state parse_request {
        packet.extract(hdr.request);
        transition select(hdr.request.version, hdr.request.element_type, hdr.request.width) {
            (1, 1, 1): parse_kind; default: REJECT;
        }
    }
    #include "../include/with_row_row0_to_with_row_more1_v1model.p4"
    state push {
        meta.what = 1; meta.first = 1; meta.loads = 2;
        transition select(hdr.request.pairs) { 0: push_of_nothing; default: with_row_rank0; }
    }
    state load {
        meta.what = 3; meta.first = 1; meta.loads = 3;
        transition select(hdr.request.pairs) { 0: load_of_nothing; default: with_row_rank0; }
    }
    #include "../include/pull_to_alone_more12_v1model.p4"
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control take_unit(inout bit<16> even, in bit<7> index, in bit<32> lane, in bit<7> index_2,
    in bit<32> lane_2, in bit<7> index_3, in bit<32> lane_3, in bit<7> index_4, in bit<32> lane_4,
    in bit<7> index_5, in bit<32> lane_5, in bit<7> index_6, in bit<32> lane_6, in bit<7> index_7,
    in bit<32> lane_7, in bit<7> index_8, in bit<32> lane_8, in bit<7> index_9, in bit<32> lane_9,
    in bit<7> index_10, in bit<32> lane_10, in bit<7> index_11, in bit<32> lane_11,
    in bit<7> index_12, in bit<32> lane_12, in bit<7> index_13, in bit<32> lane_13,
    inout bit<8> owner, inout bit<7> at, inout bit<32> lane_14) {
    // R-HOT-6, R-PISA-72: the first pair that is left of this register.
    action take_take_pair0() { owner = 8w1; at = index; lane_14 = lane; even = even & 16w0xFFFE; }
    action take_take_pair1() {
        owner = 8w1; at = index_2; lane_14 = lane_2; even = even & 16w0xFFFD;
    }
    action take_take_pair2() {
        owner = 8w1; at = index_3; lane_14 = lane_3; even = even & 16w0xFFFB;
    }
    action take_take_pair3() {
        owner = 8w1; at = index_4; lane_14 = lane_4; even = even & 16w0xFFF7;
    }
    action take_take_pair4() {
        owner = 8w1; at = index_5; lane_14 = lane_5; even = even & 16w0xFFEF;
    }
    action take_take_pair5() {
        owner = 8w1; at = index_6; lane_14 = lane_6; even = even & 16w0xFFDF;
    }
    action take_take_pair6() {
        owner = 8w1; at = index_7; lane_14 = lane_7; even = even & 16w0xFFBF;
    }
    action take_take_pair7() {
        owner = 8w1; at = index_8; lane_14 = lane_8; even = even & 16w0xFF7F;
    }
    action take_take_pair8() {
        owner = 8w1; at = index_9; lane_14 = lane_9; even = even & 16w0xFEFF;
    }
    action take_take_pair9() {
        owner = 8w1; at = index_10; lane_14 = lane_10; even = even & 16w0xFDFF;
    }
    action take_take_pair10() {
        owner = 8w1; at = index_11; lane_14 = lane_11; even = even & 16w0xFBFF;
    }
    action take_take_pair11() {
        owner = 8w1; at = index_12; lane_14 = lane_12; even = even & 16w0xF7FF;
    }
    action take_take_pair12() {
        owner = 8w1; at = index_13; lane_14 = lane_13; even = even & 16w0xEFFF;
    }
    table take {
        key = { even : ternary; }
        actions = {
            take_take_pair0; take_take_pair1; take_take_pair2; take_take_pair3; take_take_pair4;
            take_take_pair5; take_take_pair6; take_take_pair7; take_take_pair8; take_take_pair9;
            take_take_pair10; take_take_pair11; take_take_pair12; @defaultonly NoAction;
        }
        const default_action = NoAction(); ENTRIES(13)
        const entries = {
            1 &&& 1 : take_take_pair0(); 2 &&& 2 : take_take_pair1(); 4 &&& 4 : take_take_pair2();
            8 &&& 8 : take_take_pair3(); 16 &&& 16 : take_take_pair4();
            32 &&& 32 : take_take_pair5(); 64 &&& 64 : take_take_pair6();
            128 &&& 128 : take_take_pair7(); 256 &&& 256 : take_take_pair8();
            512 &&& 512 : take_take_pair9(); 0x400 &&& 0x400 : take_take_pair10();
            0x800 &&& 0x800 : take_take_pair11(); 0x1000 &&& 0x1000 : take_take_pair12();
        }
    }
    apply { take.apply(); }
}
control load_unit(in bit<3> what, in bit<8> loads, in bit<7> at, inout bit<8> loaded) {
    // R-KEY-12: 1 if it is loaded.
    register<bit<8>, bit<32>>(128) reg_is_loaded;
    // R-KEY-12: whether the row has been loaded.
    action load_touch() {
        @atomic {
            bit<8> old_lo; reg_is_loaded.read(old_lo, (bit<32>) at); bit<8> new_lo = old_lo | loads;
            reg_is_loaded.write((bit<32>) at, new_lo); loaded = old_lo;
        }
    }
    table load {
        key = { what : exact; }
        actions = { load_touch; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(5)
        const entries = {
            3 : load_touch(); 4 : load_touch(); 5 : load_touch(); 1 : load_touch();
            2 : load_touch();
        }
    }
    apply { load.apply(); }
}
#include "../include/incoming_unit_to_extract_unit_v1model.p4"
#include "../include/sign_unit.p4"
control exponents_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> incoming, in bit<7> at,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> new_lo = incoming; reg_exponent.write((bit<32>) at, new_lo); stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) at);
            bool first_holds = (int<16>) (old_lo - incoming + 16w7) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) at, new_lo); stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic { bit<16> old_lo; reg_exponent.read(old_lo, (bit<32>) at); exponent = old_lo; }
    }
    #include "../include/exponents_table_v1model.p4"
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_limit_unit.p4"
control add_unit(in bit<8> sums_are, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<7> at, in bit<32> limit, inout bit<32> lane, inout bit<4> added) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic { bit<32> new_lo = shifted; reg_mantissa.write((bit<32>) at, new_lo); }
    }
    action add_read() {
        @atomic { bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) at); lane = old_lo; }
    }
    action add_add_up() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) at);
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) > 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) at, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add_add_down() {
        @atomic {
            bit<32> old_lo; reg_mantissa.read(old_lo, (bit<32>) at);
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) < 0; bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) at, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    #include "../include/add_table_v1model.p4"
    apply { add.apply(); }
}
control flag_unit(in bit<8> sums_are, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<7> at, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() { @atomic { bit<8> new_lo = flag; reg_flags.write((bit<32>) at, new_lo); } }
    action flag_note() {
        @atomic {
            bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) at); bit<8> new_lo = old_lo | flag;
            reg_flags.write((bit<32>) at, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) at); bit<8> new_lo = old_lo | 8w8;
            reg_flags.write((bit<32>) at, new_lo);
        }
    }
    action flag_read() {
        @atomic { bit<8> old_lo; reg_flags.read(old_lo, (bit<32>) at); flags = old_lo; }
    }
    #include "../include/flag_table_v1model.p4"
    apply { flag.apply(); }
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
    take_unit() take0;
    #include "../include/strangers_v1model.p4"
    // R-KEY-3: the register of the window.
    action place_place() {
        meta.place = meta.member ++ hdr.request.sequence[7:0];
        meta.number = meta.number & 32w0xFFFFFF00;
    }
    #include "../include/place_table_v1model.p4"
    load_unit() load0;
    #include "../include/window_v1model.p4"
    // R-KEY-3, R-KEY-12: a push that is new and a first load add, a pull reads.
    action fold0_begin() { meta.sums_are = 8w1; }
    action fold0_add() { meta.sums_are = 8w2; }
    action fold0_read() {
        hdr.found_rank0.setValid(); hdr.found_row0.setValid(); meta.sums_are = 8w3;
        hdr.found_rank0.high = 16w0; hdr.found_rank0.low = 9w0 ++ meta.at0;
        hdr.bridge.found_even = hdr.bridge.found_even | 8w1;
    }
    table fold0 {
        key = { meta.what : ternary; meta.loaded0 : ternary; meta.fresh : ternary; }
        actions = { fold0_begin; fold0_add; fold0_read; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(9)
        const entries = {
            (1, 0 &&& 2, 2) : fold0_begin(); (1, _, 2) : fold0_add();
            (2, 0 &&& 2, _) : fold0_begin(); (2, _, _) : fold0_add(); (3, 0, _) : fold0_begin();
            (3, 2, _) : fold0_add(); (4, 0, _) : fold0_begin(); (4, 2, _) : fold0_add();
            (5, 1 &&& 1, _) : fold0_read();
        }
    }
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    exponents_unit() exponents0; distance_unit() distance0; align_unit() align0;
    limit_unit() limit0; add_unit() add0; flag_unit() flag0;
    #include "../include/rest_v1model.p4"
    #include "../include/outcome_actions_v1model.p4"
    #include "../include/outcome_table_v1model.p4"
    #include "../include/turn_v1model.p4"
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
        if (meta.what != 3w0) {
            take0.apply(hdr.bridge.even, hdr.rank0.index, hdr.row0.value, hdr.rank1.index,
                hdr.row1.value, hdr.rank2.index, hdr.row2.value, hdr.rank3.index, hdr.row3.value,
                hdr.rank4.index, hdr.row4.value, hdr.rank5.index, hdr.row5.value, hdr.rank6.index,
                hdr.row6.value, hdr.rank7.index, hdr.row7.value, hdr.rank8.index, hdr.row8.value,
                hdr.rank9.index, hdr.row9.value, hdr.rank10.index, hdr.row10.value,
                hdr.rank11.index, hdr.row11.value, hdr.rank12.index, hdr.row12.value, meta.owner0,
                meta.at0, meta.value0);
            strangers.apply();
        }
        place.apply();
        // Stage 2
        if (meta.owner0 == 8w1) { load0.apply(meta.what, meta.loads, meta.at0, meta.loaded0); }
        if (meta.what == 3w1) { window.apply(); }
        // Stage 3
        if (meta.owner0 == 8w1) {
            fold0.apply(); incoming0.apply(meta.value0, meta.incoming0);
            extract0.apply(meta.value0, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 4
        sign0.apply(meta.value0, meta.magnitude0, meta.signed0);
        exponents0.apply(meta.sums_are, meta.adds0, meta.incoming0, meta.at0, meta.stored0,
            hdr.bridge.exponent);
        // Stage 5
        distance0.apply(meta.incoming0, meta.stored0, meta.distance0);
        // Stage 6
        align0.apply(meta.distance0, meta.signed0, meta.shifted0);
        // Stage 7
        if (meta.sums_are == 8w2) { limit0.apply(meta.shifted0, meta.limit0); }
        // Stage 8
        add0.apply(meta.sums_are, meta.adds0, meta.distance0, meta.shifted0, meta.at0, meta.limit0,
            hdr.found_row0.value, meta.added0);
        // Stage 9
        flag0.apply(meta.sums_are, meta.added0, meta.shifted0, meta.flag0, meta.at0,
            hdr.bridge.flags);
        // From stage 3 again
        if (meta.what != 3w0) { rest_rest(); }
        if (meta.what != 3w0) { outcome.apply(); }
        if (meta.what != 3w0 && hdr.bridge.mode == 8w3) { turn_turn(); }
    }
}

#include "../include/magnitude_unit.p4"
#include "../include/normalise_unit.p4"
#include "../include/assemble_unit_v1model.p4"
control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    // R-PISA-73: the number of bits that are set.
    action count_even_is(bit<16> pairs) { meta.found_even_count = pairs; }
    table count_even {
        key = { hdr.bridge.found_even : exact; }
        actions = { count_even_is; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { 0 : count_even_is(0); 1 : count_even_is(1); }
    }
    // R-PISA-73: the number of bits that are set.
    action count_odd_is(bit<16> pairs) { meta.found_odd_count = pairs; }
    table count_odd {
        key = { hdr.bridge.found_odd : exact; }
        actions = { count_odd_is; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(1)
        const entries = { 0 : count_odd_is(0); }
    }
    #include "../include/count_to_leave_v1model.p4"
    apply {
        // Stage 9
        if (hdr.found_row0.isValid()) {
            magnitude0.apply(hdr.found_row0.value, meta.absolute0, meta.sign0);
        }
        // Stage 10
        if (hdr.found_row0.isValid()) {
            normalise0.apply(meta.absolute0, hdr.bridge.exponent, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 11
        if (hdr.found_row0.isValid()) {
            assemble0.apply(hdr.bridge.flags, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.found_row0.value);
        }
        // From stage 0 again
        if (hdr.bridge.mode == 8w3) { count_even.apply(); count_odd.apply(); }
        if (hdr.bridge.mode == 8w3) { count_count(); }
        if (hdr.bridge.mode == 8w3) { measure_measure(); }
        leave.apply();
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

#include "../include/checksum_v1model_3.p4"
control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.ipv4);
        packet.emit(hdr.udp); packet.emit(hdr.request); packet.emit(hdr.rank0);
        packet.emit(hdr.rank1); packet.emit(hdr.rank2); packet.emit(hdr.rank3);
        packet.emit(hdr.rank4); packet.emit(hdr.rank5); packet.emit(hdr.rank6);
        packet.emit(hdr.rank7); packet.emit(hdr.rank8); packet.emit(hdr.rank9);
        packet.emit(hdr.rank10); packet.emit(hdr.rank11); packet.emit(hdr.rank12);
        packet.emit(hdr.found_rank0); packet.emit(hdr.row0); packet.emit(hdr.row1);
        packet.emit(hdr.row2); packet.emit(hdr.row3); packet.emit(hdr.row4); packet.emit(hdr.row5);
        packet.emit(hdr.row6); packet.emit(hdr.row7); packet.emit(hdr.row8); packet.emit(hdr.row9);
        packet.emit(hdr.row10); packet.emit(hdr.row11); packet.emit(hdr.row12);
        packet.emit(hdr.found_row0);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
