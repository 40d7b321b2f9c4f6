// switchml_fpisa_a for bmv2 (v1model).
// SwitchML with netfold's rounds: 4 lanes of FP32 by FPISA-A, 1 pipeline(s), 128 slots, 8 workers.
// Rules: R-PKT and R-SLOT in spec/protocol.md, R-PISA in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>

header bridge_h {
    bit<8> mode;
    bit<8> step;
    bit<16> rest;
    bit<8> single;
}

header ethernet_h {
    bit<48> dst;
    bit<48> src;
    bit<16> ether_type;
}

header ipv4_h {
    bit<8> version_ihl;
    bit<8> tos;
    bit<16> total_length;
    bit<16> identification;
    bit<16> fragment;
    bit<8> ttl;
    bit<8> protocol;
    bit<16> checksum;
    bit<32> src;
    bit<32> dst;
}

header udp_h {
    bit<16> src_port;
    bit<16> dst_port;
    bit<16> length;
    bit<16> checksum;
}

header netfold_h {
    bit<8> version;
    bit<8> kind;
    bit<8> flags;
    bit<8> pool;
    bit<16> job;
    bit<16> worker;
    bit<32> epoch;
    bit<32> position;
    bit<16> slot;
    bit<16> elements;
    bit<8> element_type;
    bit<8> operation;
    bit<16> exponent;
    bit<16> next_exponent;
    bit<16> delivery;
    bit<32> call;
    bit<64> integrity;
}

header found_h {
    bit<8> lanes;
    bit<16> exponent0;
    bit<8> flags0;
    bit<16> exponent1;
    bit<8> flags1;
    bit<16> exponent2;
    bit<8> flags2;
    bit<16> exponent3;
    bit<8> flags3;
}

header lane0_h {
    bit<32> value;
}

header lane1_h {
    bit<32> value;
}

header lane2_h {
    bit<32> value;
}

header lane3_h {
    bit<32> value;
}

// What the control plane is told.
struct report_t {
    bit<16> job;
    bit<32> epoch;
    bit<16> slot;
    bit<32> position;
    bit<32> sender;
    bit<32> first_worker;
    bit<16> lane;
}

struct headers_t {
    bridge_h bridge;
    ethernet_h ethernet;
    ipv4_h ipv4;
    udp_h udp;
    netfold_h netfold;
    found_h found;
    lane0_h lane0;
    lane1_h lane1;
    lane2_h lane2;
    lane3_h lane3;
}

struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused;
    bit<2> order;
    bit<2> phase;
    bit<1> known_shape;
    bit<1> known_exponents;
    bit<1> known_seal;
    bit<1> known_job;
    bit<1> known_member;
    bit<1> known_delivery;
    bit<32> key_;
    bit<32> digest;
    bit<16> copy;
    bit<16> word;
    bit<16> others;
    bit<1> alone;
    bit<16> members_group;
    bit<16> relay_group;
    bit<16> member_port;
    bit<1> to_all;
    bit<16> foreign;
    bit<16> rest;
    bit<4> age;
    bit<4> round_is;
    bit<32> first_worker;
    bit<32> sender;
    bit<16> left;
    bit<8> was_filled;
    bit<16> largest_exponent;
    bit<8> sums_are;
    bit<1> overflowed0;
    bit<16> incoming0;
    bit<32> magnitude0;
    bit<32> signed0;
    bit<32> shifted0;
    bit<1> adds0;
    bit<8> flag0;
    bit<16> stored0;
    bit<16> distance0;
    bit<16> back0;
    bit<16> stored_by0;
    bit<32> limit0;
    bit<4> added0;
    bit<32> absolute0;
    bit<32> normal0;
    bit<16> normal_exponent0;
    bit<32> sign0;
    bit<1> overflowed1;
    bit<16> incoming1;
    bit<32> magnitude1;
    bit<32> signed1;
    bit<32> shifted1;
    bit<1> adds1;
    bit<8> flag1;
    bit<16> stored1;
    bit<16> distance1;
    bit<16> back1;
    bit<16> stored_by1;
    bit<32> limit1;
    bit<4> added1;
    bit<32> absolute1;
    bit<32> normal1;
    bit<16> normal_exponent1;
    bit<32> sign1;
    bit<1> overflowed2;
    bit<16> incoming2;
    bit<32> magnitude2;
    bit<32> signed2;
    bit<32> shifted2;
    bit<1> adds2;
    bit<8> flag2;
    bit<16> stored2;
    bit<16> distance2;
    bit<16> back2;
    bit<16> stored_by2;
    bit<32> limit2;
    bit<4> added2;
    bit<32> absolute2;
    bit<32> normal2;
    bit<16> normal_exponent2;
    bit<32> sign2;
    bit<1> overflowed3;
    bit<16> incoming3;
    bit<32> magnitude3;
    bit<32> signed3;
    bit<32> shifted3;
    bit<1> adds3;
    bit<8> flag3;
    bit<16> stored3;
    bit<16> distance3;
    bit<16> back3;
    bit<16> stored_by3;
    bit<32> limit3;
    bit<4> added3;
    bit<32> absolute3;
    bit<32> normal3;
    bit<16> normal_exponent3;
    bit<32> sign3;
    bit<16> lane;
    bit<16> lane_bytes;
    bit<16> elsewhere;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    state start {
        transition select(standard_metadata.instance_type) {
            4: parse_bridge;
            default: parse_ethernet;
        }
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.mode) {
            1: consume_again;
            2: harvest;
            default: refused;
        }
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            0x800: parse_ipv4;
            default: other;
        }
    }

    state consume_again {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv4);
        packet.extract(hdr.udp);
        packet.extract(hdr.netfold);
        meta.phase = 1;
        transition again_kind;
    }

    state harvest {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv4);
        packet.extract(hdr.udp);
        packet.extract(hdr.netfold);
        meta.phase = 2;
        transition accept;
    }

    state parse_ipv4 {
        packet.extract(hdr.ipv4);
        transition select(hdr.ipv4.version_ihl, hdr.ipv4.fragment, hdr.ipv4.protocol) {
            (69, 0 &&& 0x3FFF, 17): parse_udp;
            default: other;
        }
    }

    state other {
        transition accept;
    }

    state again_kind {
        transition select(hdr.netfold.kind) {
            2: again_exponents;
            3: again_classes;
            1: again_values;
            default: refused;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dst_port) {
            0x15B3: parse_netfold;
            default: other;
        }
    }

    state again_exponents {
        meta.order = 1;
        transition again_way;
    }

    state again_classes {
        meta.order = 2;
        transition again_way;
    }

    state again_values {
        meta.order = 3;
        transition again_way;
    }

    state parse_netfold {
        packet.extract(hdr.netfold);
        transition select(hdr.netfold.version) {
            1: first_kind;
            default: refused;
        }
    }

    state again_way {
        transition select(hdr.netfold.flags) {
            0: again_look_0;
            2: again_without_lanes;
            6: again_without_lanes;
            default: refused;
        }
    }

    state first_kind {
        transition select(hdr.netfold.kind) {
            2: first_exponents;
            3: first_classes;
            1: first_values;
            default: refused;
        }
    }

    state again_look_0 {
        transition select(hdr.bridge.rest) {
            0: again_end;
            default: again_take_0;
        }
    }

    state again_without_lanes {
        transition accept;
    }

    state first_exponents {
        meta.order = 1;
        transition first_way;
    }

    state first_classes {
        meta.order = 2;
        transition first_way;
    }

    state first_values {
        meta.order = 3;
        transition first_way;
    }

    state again_end {
        transition accept;
    }

    state again_take_0 {
        packet.extract(hdr.lane0);
        transition again_look_1;
    }

    state first_way {
        transition select(hdr.netfold.flags) {
            0: first_look_0;
            2: first_without_lanes;
            6: first_without_lanes;
            default: refused;
        }
    }

    state again_look_1 {
        transition select(hdr.bridge.rest) {
            1: again_end;
            default: again_take_1;
        }
    }

    state first_look_0 {
        transition select(hdr.netfold.elements) {
            0: first_end;
            default: first_take_0;
        }
    }

    state first_without_lanes {
        transition accept;
    }

    state again_take_1 {
        packet.extract(hdr.lane1);
        transition again_look_2;
    }

    state first_end {
        transition accept;
    }

    state first_take_0 {
        packet.extract(hdr.lane0);
        transition first_look_1;
    }

    state again_look_2 {
        transition select(hdr.bridge.rest) {
            2: again_end;
            default: again_take_2;
        }
    }

    state first_look_1 {
        transition select(hdr.netfold.elements) {
            1: first_end;
            default: first_take_1;
        }
    }

    state again_take_2 {
        packet.extract(hdr.lane2);
        transition again_look_3;
    }

    state first_take_1 {
        packet.extract(hdr.lane1);
        transition first_look_2;
    }

    state again_look_3 {
        transition select(hdr.bridge.rest) {
            3: again_end;
            default: again_take_3;
        }
    }

    state first_look_2 {
        transition select(hdr.netfold.elements) {
            2: first_end;
            default: first_take_2;
        }
    }

    state again_take_3 {
        packet.extract(hdr.lane3);
        transition again_end;
    }

    state first_take_2 {
        packet.extract(hdr.lane2);
        transition first_look_3;
    }

    state first_look_3 {
        transition select(hdr.netfold.elements) {
            3: first_end;
            default: first_take_3;
        }
    }

    state first_take_3 {
        packet.extract(hdr.lane3);
        transition first_end;
    }

    state refused {
        meta.refused = 1;
        transition accept;
    }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply { }
}

control incoming_unit(
    in bit<32> value_2,
    inout bit<16> incoming) {
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming_normal() {
        incoming = 8w0 ++ value_2[30:23];
    }
    action incoming_subnormal() {
        incoming = 16w1;
    }
    action incoming_nothing() {
        incoming = 16w0xFF00;
    }
    table incoming {
        key = {
            value_2 : ternary @name("value_2");
        }
        actions = {
            incoming_normal;
            incoming_subnormal;
            incoming_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming_nothing();
            0x7F800000 &&& 0x7F800000 : incoming_nothing();
            0 &&& 0x7F800000 : incoming_subnormal();
            _ : incoming_normal();
        }
    }

    apply {
        incoming.apply();
    }
}

control extract_unit(
    in bit<32> value_2,
    inout bit<32> magnitude,
    inout bit<1> adds,
    inout bit<8> flag_2) {
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract_normal() {
        magnitude = 9w1 ++ value_2[22:0];
        adds = 1w1;
    }
    action extract_subnormal() {
        magnitude = value_2 & 32w0x7FFFFF;
        adds = 1w1;
    }
    action extract_nothing(bit<8> flag) {
        magnitude = 32w0;
        adds = 1w0;
        flag_2 = flag;
    }
    table extract {
        key = {
            value_2 : ternary @name("value_2");
        }
        actions = {
            extract_normal;
            extract_subnormal;
            extract_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract_nothing(0);
            0x7F800000 : extract_nothing(1);
            0xFF800000 : extract_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract_nothing(4);
            0 &&& 0x7F800000 : extract_subnormal();
            _ : extract_normal();
        }
    }

    apply {
        extract.apply();
    }
}

control sign_unit(
    in bit<32> value_2,
    in bit<32> magnitude,
    inout bit<32> signed) {
    // R-FPI-3: the sign goes into the mantissa.
    action sign_plus() {
        signed = magnitude;
    }
    action sign_minus() {
        signed = 32w0 - magnitude;
    }
    table sign {
        key = {
            value_2 : ternary @name("value_2");
        }
        actions = {
            sign_plus;
            sign_minus;
        }
        const default_action = sign_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign_minus();
        }
    }

    apply {
        sign.apply();
    }
}

control exponents_unit(
    in bit<8> sums_are,
    in bit<1> adds,
    in bit<16> incoming,
    in bit<16> copy,
    inout bit<16> stored,
    inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent;

    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> word;
            reg_exponent.read(word, (bit<32>) copy);
            bit<16> old_lo = word;
            bit<16> new_lo = incoming;
            reg_exponent.write((bit<32>) copy, new_lo);
            stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> word;
            reg_exponent.read(word, (bit<32>) copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - incoming + 16w7) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) copy, new_lo);
            stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic {
            bit<16> word;
            reg_exponent.read(word, (bit<32>) copy);
            bit<16> old_lo = word;
            exponent = old_lo;
        }
    }
    table exponents {
        key = {
            sums_are : ternary @name("sums_are");
            adds : ternary @name("adds");
        }
        actions = {
            exponents_begin;
            exponents_raise;
            exponents_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents_begin();
            (2, 1) : exponents_raise();
            (3, _) : exponents_read();
        }
    }

    apply {
        exponents.apply();
    }
}

control distance_unit(
    in bit<16> incoming,
    in bit<16> stored,
    inout bit<16> distance) {
    // How far the two exponents are apart.
    action distance_subtract() {
        distance = incoming - stored;
    }
    table distance {
        actions = {
            distance_subtract;
        }
        const default_action = distance_subtract();
        size = 1;
    }

    apply {
        distance.apply();
    }
}

control align_unit(
    in bit<16> distance,
    in bit<32> signed,
    inout bit<32> shifted) {
    // R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align_right1() {
        shifted = (bit<32>) ((int<32>) signed >> 1);
    }
    action align_right2() {
        shifted = (bit<32>) ((int<32>) signed >> 2);
    }
    action align_right3() {
        shifted = (bit<32>) ((int<32>) signed >> 3);
    }
    action align_right4() {
        shifted = (bit<32>) ((int<32>) signed >> 4);
    }
    action align_right5() {
        shifted = (bit<32>) ((int<32>) signed >> 5);
    }
    action align_right6() {
        shifted = (bit<32>) ((int<32>) signed >> 6);
    }
    action align_right7() {
        shifted = (bit<32>) ((int<32>) signed >> 7);
    }
    action align_right8() {
        shifted = (bit<32>) ((int<32>) signed >> 8);
    }
    action align_right9() {
        shifted = (bit<32>) ((int<32>) signed >> 9);
    }
    action align_right10() {
        shifted = (bit<32>) ((int<32>) signed >> 10);
    }
    action align_right11() {
        shifted = (bit<32>) ((int<32>) signed >> 11);
    }
    action align_right12() {
        shifted = (bit<32>) ((int<32>) signed >> 12);
    }
    action align_right13() {
        shifted = (bit<32>) ((int<32>) signed >> 13);
    }
    action align_right14() {
        shifted = (bit<32>) ((int<32>) signed >> 14);
    }
    action align_right15() {
        shifted = (bit<32>) ((int<32>) signed >> 15);
    }
    action align_right16() {
        shifted = (bit<32>) ((int<32>) signed >> 16);
    }
    action align_right17() {
        shifted = (bit<32>) ((int<32>) signed >> 17);
    }
    action align_right18() {
        shifted = (bit<32>) ((int<32>) signed >> 18);
    }
    action align_right19() {
        shifted = (bit<32>) ((int<32>) signed >> 19);
    }
    action align_right20() {
        shifted = (bit<32>) ((int<32>) signed >> 20);
    }
    action align_right21() {
        shifted = (bit<32>) ((int<32>) signed >> 21);
    }
    action align_right22() {
        shifted = (bit<32>) ((int<32>) signed >> 22);
    }
    action align_right23() {
        shifted = (bit<32>) ((int<32>) signed >> 23);
    }
    action align_right24() {
        shifted = (bit<32>) ((int<32>) signed >> 24);
    }
    action align_left1() {
        shifted = signed << 1;
    }
    action align_left2() {
        shifted = signed << 2;
    }
    action align_left3() {
        shifted = signed << 3;
    }
    action align_left4() {
        shifted = signed << 4;
    }
    action align_left5() {
        shifted = signed << 5;
    }
    action align_left6() {
        shifted = signed << 6;
    }
    action align_left7() {
        shifted = signed << 7;
    }
    action align_stay() {
        shifted = signed;
    }
    table align {
        key = {
            distance : range @name("distance");
        }
        actions = {
            align_right1;
            align_right2;
            align_right3;
            align_right4;
            align_right5;
            align_right6;
            align_right7;
            align_right8;
            align_right9;
            align_right10;
            align_right11;
            align_right12;
            align_right13;
            align_right14;
            align_right15;
            align_right16;
            align_right17;
            align_right18;
            align_right19;
            align_right20;
            align_right21;
            align_right22;
            align_right23;
            align_right24;
            align_left1;
            align_left2;
            align_left3;
            align_left4;
            align_left5;
            align_left6;
            align_left7;
            align_stay;
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

    apply {
        align.apply();
    }
}

control limit_unit(
    in bit<32> shifted,
    inout bit<32> limit) {
    // R-FPI-9: beyond this the sum does not fit.
    action limit_of_largest() {
        limit = 32w0x7FFFFFFF - shifted;
    }
    action limit_of_smallest() {
        limit = 32w0x80000000 - shifted;
    }
    table limit {
        key = {
            shifted : ternary @name("shifted");
        }
        actions = {
            limit_of_largest;
            limit_of_smallest;
        }
        const default_action = limit_of_largest();
        const entries = {
            0x80000000 &&& 0x80000000 : limit_of_smallest();
        }
    }

    apply {
        limit.apply();
    }
}

control add_unit(
    in bit<8> sums_are,
    in bit<1> adds,
    in bit<16> distance,
    in bit<32> shifted,
    in bit<16> copy,
    in bit<32> limit,
    inout bit<32> value_2,
    inout bit<4> added) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa;

    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) copy);
            bit<32> old_lo = word;
            bit<32> new_lo = shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
        }
    }
    action add_read() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) copy);
            bit<32> old_lo = word;
            value_2 = old_lo;
        }
    }
    action add_add_up() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) > 0;
            bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add_add_down() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - limit) < 0;
            bit<32> new_lo = old_lo + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
            added = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    table add {
        key = {
            sums_are : ternary @name("sums_are");
            adds : ternary @name("adds");
            distance : range @name("distance");
            shifted : ternary @name("shifted");
        }
        actions = {
            add_begin;
            add_read;
            add_add_up;
            add_add_down;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin();
            (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 8..0x7FFF, _) : add_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add_add_down();
            (2, 1, 0..0xFFFF, _) : add_add_up();
        }
    }

    apply {
        add.apply();
    }
}

control flag_unit(
    in bit<8> sums_are,
    in bit<4> added,
    in bit<32> shifted,
    in bit<8> flag,
    in bit<16> copy,
    inout bit<1> overflowed,
    inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags;

    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) copy);
            bit<8> old_lo = word;
            bit<8> new_lo = flag;
            reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_note() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | flag;
            reg_flags.write((bit<32>) copy, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags.write((bit<32>) copy, new_lo);
        }
        overflowed = 1w1;
    }
    action flag_read() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) copy);
            bit<8> old_lo = word;
            flags = old_lo;
        }
    }
    table flag {
        key = {
            sums_are : ternary @name("sums_are");
            added : ternary @name("added");
            shifted : ternary @name("shifted");
        }
        actions = {
            flag_begin;
            flag_note;
            flag_overflow;
            flag_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag_begin();
            (2, 4, 0 &&& 0x80000000) : flag_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag_overflow();
            (2, _, _) : flag_note();
            (3, _, _) : flag_read();
        }
    }

    apply {
        flag.apply();
    }
}

control SwitchIngress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    // The latest round of each worker in each slot (R-PISA-11).
    register<bit<32>, bit<32>>(1024) reg_last;
    // The round that each copy holds, and what it agrees on (R-SLOT-7).
    register<bit<64>, bit<32>>(256) reg_round;
    // The same round, and the worker that started it.
    register<bit<64>, bit<32>>(256) reg_first;
    // Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).
    register<bit<16>, bit<32>>(256) reg_count;
    // Whether lanes have been written in this round.
    register<bit<8>, bit<32>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;

    // Stage 0. R-PKT-1, R-PKT-2: lanes of the one type, that are summed, and a length that fits; or none.
    action shapes_pass() {
        meta.known_shape = 1w1;
    }
    table shapes {
        key = {
            hdr.netfold.flags : ternary @name("flags");
            hdr.netfold.element_type : ternary @name("element_type");
            hdr.netfold.operation : ternary @name("operation");
            hdr.netfold.elements : range @name("elements");
            hdr.udp.length : ternary @name("length");
        }
        actions = {
            shapes_pass;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2 &&& 2, 1, 1, 0..4, 48) : shapes_pass();
            (0 &&& 2, 1, 1, 0..0, 48) : shapes_pass();
            (0 &&& 2, 1, 1, 1..1, 52) : shapes_pass();
            (0 &&& 2, 1, 1, 2..2, 56) : shapes_pass();
            (0 &&& 2, 1, 1, 3..3, 60) : shapes_pass();
            (0 &&& 2, 1, 1, 4..4, 64) : shapes_pass();
        }
    }

    // Stage 0. R-PKT-1, R-NUM-7: exponents that there are.
    action exponents_pass() {
        meta.known_exponents = 1w1;
    }
    table exponents {
        key = {
            hdr.netfold.exponent : range @name("exponent");
            hdr.netfold.next_exponent : range @name("next_exponent");
        }
        actions = {
            exponents_pass;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (0xFF6B..0xFFFF, 0xFF6B..0xFFFF) : exponents_pass();
            (0xFF6B..0xFFFF, 0..128) : exponents_pass();
            (0xFF6B..0xFFFF, 0x7FFE..0x7FFF) : exponents_pass();
            (0xFF6B..0xFFFF, 0x8000..0x8000) : exponents_pass();
            (0..128, 0xFF6B..0xFFFF) : exponents_pass();
            (0..128, 0..128) : exponents_pass();
            (0..128, 0x7FFE..0x7FFF) : exponents_pass();
            (0..128, 0x8000..0x8000) : exponents_pass();
            (0x7FFE..0x7FFF, 0xFF6B..0xFFFF) : exponents_pass();
            (0x7FFE..0x7FFF, 0..128) : exponents_pass();
            (0x7FFE..0x7FFF, 0x7FFE..0x7FFF) : exponents_pass();
            (0x7FFE..0x7FFF, 0x8000..0x8000) : exponents_pass();
            (0x8000..0x8000, 0xFF6B..0xFFFF) : exponents_pass();
            (0x8000..0x8000, 0..128) : exponents_pass();
            (0x8000..0x8000, 0x7FFE..0x7FFF) : exponents_pass();
            (0x8000..0x8000, 0x8000..0x8000) : exponents_pass();
        }
    }

    // Stage 0. R-PKT-3: `transport`; a pipeline computes no digest of lanes.
    action sealed_pass() {
        meta.known_seal = 1w1;
    }
    table sealed {
        key = {
            hdr.netfold.integrity : exact @name("integrity");
        }
        actions = {
            sealed_pass;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 : sealed_pass();
        }
    }

    // Stage 0. R-PKT-4, R-SLOT-9: the words of the slot's copy, for a job and a slot that there are.
    action jobs_find(bit<16> first, bit<16> others, bit<1> alone, bit<16> group, bit<16> relay) {
        meta.copy = first + hdr.netfold.slot;
        meta.others = others;
        meta.alone = alone;
        meta.members_group = group;
        meta.relay_group = relay;
        meta.known_job = 1w1;
    }
    table jobs {
        key = {
            hdr.netfold.job : ternary @name("job");
            hdr.netfold.epoch : ternary @name("epoch");
            hdr.netfold.pool : ternary @name("pool");
            hdr.netfold.slot : range @name("slot");
        }
        actions = {
            jobs_find;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 128;
    }

    // Stage 0. R-SLOT-9: the worker's word for the slot, and the port that leads to it.
    action members_know(bit<16> first, bit<16> port) {
        meta.word = first + hdr.netfold.slot;
        meta.member_port = port;
        meta.known_member = 1w1;
    }
    table members {
        key = {
            hdr.netfold.job : exact @name("job");
            hdr.netfold.worker : exact @name("worker");
        }
        actions = {
            members_know;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 2048;
    }

    // Stage 0. R-SLOT-9: the result is for everyone, or for a worker that there is.
    action deliveries_everyone() {
        meta.known_delivery = 1w1;
        meta.to_all = 1w1;
    }
    action deliveries_one() {
        meta.known_delivery = 1w1;
    }
    table deliveries {
        key = {
            hdr.netfold.job : exact @name("job");
            hdr.netfold.delivery : exact @name("delivery");
        }
        actions = {
            deliveries_everyone;
            deliveries_one;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 2048;
    }

    // Stage 0. R-SLOT-8, R-PISA-11: rounds as serial numbers.
    action rounds_number() {
        meta.key_ = hdr.netfold.position[29:0] ++ meta.order;
        meta.foreign = hdr.netfold.worker ^ hdr.netfold.delivery;
        meta.sender = (bit<32>) hdr.netfold.worker;
    }
    table rounds {
        actions = {
            rounds_number;
        }
        const default_action = rounds_number();
        size = 1;
    }

    // Stage 0. R-SLOT-7, R-PISA-12: what contributions agree on.
    action digests_digest() {
        hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.netfold.position, hdr.netfold.kind, hdr.netfold.call, hdr.netfold.element_type, hdr.netfold.operation, hdr.netfold.elements, hdr.netfold.exponent, hdr.netfold.delivery }, 64w0x100000000);
    }
    table digests {
        actions = {
            digests_digest;
        }
        const default_action = digests_digest();
        size = 1;
    }

    // Stage 0. Lanes that are left for the pipelines to come.
    action first_rest_leave() {
        meta.rest = hdr.netfold.elements |-| 16w4;
    }
    table first_rest {
        actions = {
            first_rest_leave;
        }
        const default_action = first_rest_leave();
        size = 1;
    }

    // Stage 0. Lanes that are left for the pipelines to come.
    action again_rest_leave() {
        meta.rest = hdr.bridge.rest |-| 16w4;
    }
    table again_rest {
        actions = {
            again_rest_leave;
        }
        const default_action = again_rest_leave();
        size = 1;
    }

    // Stage 0. Other traffic goes where it is addressed.
    action forward_send(bit<16> port) {
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w4;
    }
    action forward_flood(bit<16> group) {
        standard_metadata.mcast_grp = group;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w4;
    }
    action forward_refuse() {
        mark_to_drop(standard_metadata);
    }
    table forward {
        key = {
            hdr.ethernet.dst : exact @name("dst");
        }
        actions = {
            forward_send;
            forward_flood;
            forward_refuse;
        }
        const default_action = forward_refuse();
        size = 1024;
    }

    // Stage 1. R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
    action ages_contribute() {
        @atomic {
            bit<32> word;
            reg_last.read(word, (bit<32>) meta.word);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            bool second_holds = (int<32>) (old_lo - meta.key_) == 0;
            bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
            reg_last.write((bit<32>) meta.word, new_lo);
            meta.age = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action ages_ask() {
        @atomic {
            bit<32> word;
            reg_last.read(word, (bit<32>) meta.word);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            bool second_holds = (int<32>) (old_lo - meta.key_) == 0;
            meta.age = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    table ages {
        key = {
            hdr.netfold.flags : ternary @name("flags");
        }
        actions = {
            ages_contribute;
            ages_ask;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            4 &&& 4 : ages_ask();
            _ : ages_contribute();
        }
    }

    // Stage 1. R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.
    action starts_contribute() {
        @atomic {
            bit<64> word;
            reg_round.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            bool second_holds = (int<32>) (old_hi - meta.digest) == 0;
            bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
            bit<32> new_hi = (first_holds) ? (meta.digest) : (old_hi);
            reg_round.write((bit<32>) meta.copy, new_hi ++ new_lo);
            meta.round_is = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action starts_ask() {
        @atomic {
            bit<64> word;
            reg_round.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            bool second_holds = (int<32>) (old_hi - meta.digest) == 0;
            meta.round_is = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    table starts {
        key = {
            hdr.netfold.flags : ternary @name("flags");
        }
        actions = {
            starts_contribute;
            starts_ask;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            4 &&& 4 : starts_ask();
            _ : starts_contribute();
        }
    }

    // Stage 1. R-SLOT-7: the worker that a mismatch is reported with.
    action starters_contribute() {
        @atomic {
            bit<64> word;
            reg_first.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
            bit<32> new_hi = (first_holds) ? (meta.sender) : (old_hi);
            reg_first.write((bit<32>) meta.copy, new_hi ++ new_lo);
            meta.first_worker = old_hi;
        }
    }
    action starters_ask() {
        @atomic {
            bit<64> word;
            reg_first.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            meta.first_worker = old_hi;
        }
    }
    table starters {
        key = {
            hdr.netfold.flags : ternary @name("flags");
        }
        actions = {
            starters_contribute;
            starters_ask;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            4 &&& 4 : starters_ask();
            _ : starters_contribute();
        }
    }

    // Stage 2. R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where two calls met.
    action counts_skip() {
    }
    action counts_open() {
        @atomic {
            bit<16> word;
            reg_count.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - 16w0) == 0;
            bit<16> new_lo = (first_holds) ? (meta.others) : ((!(first_holds)) ? (16w0xFFFF) : (old_lo));
            reg_count.write((bit<32>) meta.copy, new_lo);
            meta.left = old_lo;
        }
    }
    action counts_join() {
        @atomic {
            bit<16> word;
            reg_count.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - 16w0) == 0;
            bool second_holds = (int<16>) (old_lo - 16w0) < 0;
            bit<16> new_lo = (!(first_holds) && !(second_holds)) ? (old_lo - 16w1) : (old_lo);
            reg_count.write((bit<32>) meta.copy, new_lo);
            meta.left = old_lo;
        }
    }
    action counts_clash() {
        @atomic {
            bit<16> word;
            reg_count.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - 16w0) == 0;
            bit<16> new_lo = (!(first_holds)) ? (16w0xFFFF) : (old_lo);
            reg_count.write((bit<32>) meta.copy, new_lo);
            meta.left = old_lo;
        }
    }
    action counts_peek() {
        @atomic {
            bit<16> word;
            reg_count.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            meta.left = old_lo;
        }
    }
    table counts {
        key = {
            meta.age : ternary @name("age");
            meta.round_is : ternary @name("round_is");
            hdr.netfold.flags : ternary @name("flags");
            meta.order : ternary @name("order");
        }
        actions = {
            counts_skip;
            counts_open;
            counts_join;
            counts_clash;
            counts_peek;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _, _) : counts_skip();
            (_, _, 4 &&& 4, _) : counts_peek();
            (4, _, _, _) : counts_peek();
            (2, 2, _, _) : counts_open();
            (2, 8, _, _) : counts_open();
            (2, 4, _, _) : counts_join();
            (2, 1, _, _) : counts_clash();
        }
    }

    // Stage 2. R-SLOT-2: whether these are the round's first lanes.
    action fills_skip() {
    }
    action fills_mark() {
        @atomic {
            bit<8> word;
            reg_filled.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = 8w1;
            reg_filled.write((bit<32>) meta.copy, new_lo);
            meta.was_filled = old_lo;
        }
    }
    action fills_wipe() {
        @atomic {
            bit<8> word;
            reg_filled.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = 8w0;
            reg_filled.write((bit<32>) meta.copy, new_lo);
            meta.was_filled = new_lo;
        }
    }
    action fills_peek() {
        @atomic {
            bit<8> word;
            reg_filled.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            meta.was_filled = old_lo;
        }
    }
    table fills {
        key = {
            meta.age : ternary @name("age");
            meta.round_is : ternary @name("round_is");
            hdr.netfold.flags : ternary @name("flags");
            meta.order : ternary @name("order");
        }
        actions = {
            fills_skip;
            fills_mark;
            fills_wipe;
            fills_peek;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _, _) : fills_skip();
            (_, _, 4 &&& 4, _) : fills_peek();
            (4, _, _, _) : fills_peek();
            (2, 2, 0 &&& 2, 2 &&& 2) : fills_mark();
            (2, 2, _, _) : fills_wipe();
            (2, 8, 0 &&& 2, 2 &&& 2) : fills_mark();
            (2, 8, _, _) : fills_wipe();
            (2, 4, 0 &&& 2, 2 &&& 2) : fills_mark();
            (2, 4, _, _) : fills_peek();
        }
    }

    // Stage 2. R-SLOT-5: the maximum, from the first contribution on.
    action largests_skip() {
    }
    action largests_begin() {
        @atomic {
            bit<16> word;
            reg_largest.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = hdr.netfold.next_exponent;
            reg_largest.write((bit<32>) meta.copy, new_lo);
            meta.largest_exponent = new_lo;
        }
    }
    action largests_raise() {
        @atomic {
            bit<16> word;
            reg_largest.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = (int<16>) old_lo > (int<16>) hdr.netfold.next_exponent ? old_lo : hdr.netfold.next_exponent;
            reg_largest.write((bit<32>) meta.copy, new_lo);
            meta.largest_exponent = new_lo;
        }
    }
    action largests_peek() {
        @atomic {
            bit<16> word;
            reg_largest.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            meta.largest_exponent = old_lo;
        }
    }
    table largests {
        key = {
            meta.age : ternary @name("age");
            meta.round_is : ternary @name("round_is");
            hdr.netfold.flags : ternary @name("flags");
            meta.order : ternary @name("order");
        }
        actions = {
            largests_skip;
            largests_begin;
            largests_raise;
            largests_peek;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _, _) : largests_skip();
            (_, _, 4 &&& 4, _) : largests_peek();
            (4, _, _, _) : largests_peek();
            (2, 2, _, _) : largests_begin();
            (2, 8, _, _) : largests_begin();
            (2, 4, _, _) : largests_raise();
        }
    }

    // Stage 2. R-PISA-36: how many sums egress puts together.
    action tell_none() {
        hdr.found.setValid();
        hdr.found.lanes = 8w0;
    }
    action tell_some(bit<8> lanes) {
        hdr.found.setValid();
        hdr.found.lanes = lanes;
    }
    table tell {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            tell_none;
            tell_some;
        }
        const default_action = tell_none();
        const entries = {
            (2, 0, 1..1) : tell_some(1);
            (2, 0, 2..2) : tell_some(2);
            (2, 0, 3..3) : tell_some(3);
            (2, 0, 4..0xFFFF) : tell_some(4);
        }
    }

    // Stage 3. R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.
    action folds_skip() {
    }
    action folds_set() {
        meta.sums_are = 8w1;
    }
    action folds_add() {
        meta.sums_are = 8w2;
    }
    action folds_read() {
        meta.sums_are = 8w3;
    }
    table folds {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            meta.age : ternary @name("age");
            meta.round_is : ternary @name("round_is");
            hdr.netfold.flags : ternary @name("flags");
            meta.order : ternary @name("order");
            meta.was_filled : ternary @name("was_filled");
            meta.left : ternary @name("left");
        }
        actions = {
            folds_skip;
            folds_set;
            folds_add;
            folds_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (0 &&& 2, _, 2, 2, 0 &&& 2, 2 &&& 2, _, _) : folds_set();
            (0 &&& 2, _, 2, 8, 0 &&& 2, 2 &&& 2, _, _) : folds_set();
            (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, _, 0) : folds_skip();
            (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 0, _) : folds_set();
            (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 1, _) : folds_add();
            (2, _, _, _, _, _, _, _) : folds_read();
        }
    }

    incoming_unit() incoming0;
    extract_unit() extract0;
    sign_unit() sign0;
    incoming_unit() incoming1;
    extract_unit() extract1;
    sign_unit() sign1;
    incoming_unit() incoming2;
    extract_unit() extract2;
    sign_unit() sign2;
    incoming_unit() incoming3;
    extract_unit() extract3;
    sign_unit() sign3;
    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show0_show() {
        hdr.lane0.setValid();
    }
    action show0_hide() {
        hdr.lane0.setInvalid();
    }
    table show0 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show0_show;
            show0_hide;
        }
        const default_action = show0_hide();
        const entries = {
            (2, 0, 1..0xFFFF) : show0_show();
        }
    }

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show1_show() {
        hdr.lane1.setValid();
    }
    action show1_hide() {
        hdr.lane1.setInvalid();
    }
    table show1 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show1_show;
            show1_hide;
        }
        const default_action = show1_hide();
        const entries = {
            (2, 0, 2..0xFFFF) : show1_show();
        }
    }

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show2_show() {
        hdr.lane2.setValid();
    }
    action show2_hide() {
        hdr.lane2.setInvalid();
    }
    table show2 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show2_show;
            show2_hide;
        }
        const default_action = show2_hide();
        const entries = {
            (2, 0, 3..0xFFFF) : show2_show();
        }
    }

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show3_show() {
        hdr.lane3.setValid();
    }
    action show3_hide() {
        hdr.lane3.setInvalid();
    }
    table show3 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show3_show;
            show3_hide;
        }
        const default_action = show3_hide();
        const entries = {
            (2, 0, 4..0xFFFF) : show3_show();
        }
    }

    exponents_unit() exponents0;
    distance_unit() distance0;
    align_unit() align0;
    limit_unit() limit0;
    add_unit() add0;
    flag_unit() flag0;
    exponents_unit() exponents1;
    distance_unit() distance1;
    align_unit() align1;
    limit_unit() limit1;
    add_unit() add1;
    flag_unit() flag1;
    exponents_unit() exponents2;
    distance_unit() distance2;
    align_unit() align2;
    limit_unit() limit2;
    add_unit() add2;
    flag_unit() flag2;
    exponents_unit() exponents3;
    distance_unit() distance3;
    align_unit() align3;
    limit_unit() limit3;
    add_unit() add3;
    flag_unit() flag3;
    // Stage 9. R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the control plane, or nowhere.
    action outcome_refuse() {
        mark_to_drop(standard_metadata);
    }
    action outcome_mismatch() {
        mark_to_drop(standard_metadata);
        digest<report_t>(1, { hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker, meta.lane });
    }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w1;
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.single = 8w0;
        hdr.bridge.rest = meta.rest;
    }
    action outcome_recall() {
        hdr.netfold.flags = 8w7;
        hdr.lane0.setInvalid();
        hdr.lane1.setInvalid();
        hdr.lane2.setInvalid();
        hdr.lane3.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.egress_spec = (bit<9>) meta.member_port;
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w2;
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.single = 8w0;
        hdr.netfold.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w2;
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.single = 8w1;
    }
    action outcome_relay(bit<8> step) {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF;
        hdr.lane0.setInvalid();
        hdr.lane1.setInvalid();
        hdr.lane2.setInvalid();
        hdr.lane3.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w5;
        hdr.bridge.step = step;
        hdr.bridge.single = 8w1;
        standard_metadata.mcast_grp = meta.relay_group;
    }
    action outcome_spread() {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.mcast_grp = meta.members_group;
    }
    action outcome_spread_empty() {
        hdr.netfold.flags = 8w3;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF;
        hdr.lane0.setInvalid();
        hdr.lane1.setInvalid();
        hdr.lane2.setInvalid();
        hdr.lane3.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.mcast_grp = meta.members_group;
    }
    action outcome_reply() {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.egress_spec = (bit<9>) meta.member_port;
    }
    action outcome_reply_empty() {
        hdr.netfold.flags = 8w3;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.lane0.setInvalid();
        hdr.lane1.setInvalid();
        hdr.lane2.setInvalid();
        hdr.lane3.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.egress_spec = (bit<9>) meta.member_port;
    }
    action outcome_harvest(bit<8> step, bit<16> port) {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w2;
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
    }
    action outcome_spread_whole() {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.mcast_grp = meta.members_group;
    }
    action outcome_reply_whole() {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        standard_metadata.egress_spec = (bit<9>) meta.member_port;
    }
    table outcome {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            meta.age : ternary @name("age");
            meta.round_is : ternary @name("round_is");
            meta.left : ternary @name("left");
            meta.alone : ternary @name("alone");
            hdr.netfold.flags : ternary @name("flags");
            meta.order : ternary @name("order");
            meta.was_filled : ternary @name("was_filled");
            meta.to_all : ternary @name("to_all");
            meta.foreign : ternary @name("foreign");
            hdr.netfold.elements : range @name("elements");
            hdr.bridge.single : ternary @name("single");
            meta.known_shape : ternary @name("known_shape");
            meta.known_exponents : ternary @name("known_exponents");
            meta.known_seal : ternary @name("known_seal");
            meta.known_job : ternary @name("known_job");
            meta.known_member : ternary @name("known_member");
            meta.known_delivery : ternary @name("known_delivery");
        }
        actions = {
            outcome_refuse;
            outcome_mismatch;
            outcome_onward;
            outcome_recall;
            outcome_gather;
            outcome_gather_one;
            outcome_relay;
            outcome_spread;
            outcome_spread_empty;
            outcome_reply;
            outcome_reply_empty;
            outcome_harvest;
            outcome_spread_whole;
            outcome_reply_whole;
        }
        const default_action = outcome_refuse();
        const entries = {
            (0, _, 1, _, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, _, _, _, 4 &&& 4, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_recall();
            (0, _, 4, _, 0, _, 4 &&& 4, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_recall();
            (0, _, 4, _, _, _, 4 &&& 4, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 2, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 2, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 2, 0, 1, 0 &&& 2, 2 &&& 2, _, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(0);
            (0, _, 2, 2, 0, 1, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread_empty();
            (0, _, 2, 2, 0, 0, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 2, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_mismatch();
            (0, _, 2, 8, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 8, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 8, 0, 1, 0 &&& 2, 2 &&& 2, _, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(0);
            (0, _, 2, 8, 0, 1, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread_empty();
            (0, _, 2, 8, 0, 0, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 8, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_mismatch();
            (0, _, 2, 4, 1, _, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 4, 1, _, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 4, 1, _, 0 &&& 2, 2 &&& 2, _, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(0);
            (0, _, 2, 4, 1, _, _, _, 1, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 4, 1, _, _, _, 1, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 4, 1, _, _, _, 1, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(0);
            (0, _, 2, 4, 1, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread_empty();
            (0, _, 2, 4, 0, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 4, 0x8000 &&& 0x8000, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 4, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 1, 0, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 1, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_mismatch();
            (0, _, 4, _, 0, _, _, _, 1, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather_one(0, 68);
            (0, _, 4, _, 0, _, _, _, 1, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_reply();
            (0, _, 4, _, 0, _, _, _, 1, _, 0, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather_one(0, 68);
            (0, _, 4, _, 0, _, _, _, 1, _, 0, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_reply();
            (0, _, 4, _, 0, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_reply_empty();
            (0, _, 4, _, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (2, 0, _, _, _, _, _, _, _, _, _, 0..0xFFFF, 1, _, _, _, _, _, _) : outcome_reply_whole();
            (2, 0, _, _, _, _, _, _, _, _, _, 0..0xFFFF, _, _, _, _, _, _, _) : outcome_spread_whole();
        }
    }

    // Stage 11. R-FPI-9: an overflow is reported, and no sum that has overflowed is sent.
    action overflows_overflow(bit<16> module) {
        meta.lane = meta.lane + module;
        mark_to_drop(standard_metadata);
        digest<report_t>(2, { hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker, meta.lane });
    }
    action overflows_withhold() {
        mark_to_drop(standard_metadata);
    }
    table overflows {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.overflowed0 : ternary @name("overflowed0");
            meta.overflowed1 : ternary @name("overflowed1");
            meta.overflowed2 : ternary @name("overflowed2");
            meta.overflowed3 : ternary @name("overflowed3");
            hdr.found.flags0 : ternary @name("flags0");
            hdr.found.flags1 : ternary @name("flags1");
            hdr.found.flags2 : ternary @name("flags2");
            hdr.found.flags3 : ternary @name("flags3");
        }
        actions = {
            overflows_overflow;
            overflows_withhold;
            @defaultonly NoAction;
        }
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

    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata);
            return;
        }
        // Stage 0
        shapes.apply();
        exponents.apply();
        sealed.apply();
        jobs.apply();
        members.apply();
        deliveries.apply();
        rounds.apply();
        digests.apply();
        if (meta.phase == 2w0) {
            first_rest.apply();
        } else if (meta.phase == 2w1) {
            again_rest.apply();
        }
        if (!hdr.netfold.isValid()) {
            forward.apply();
        }
        // Stage 1
        if (meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.known_seal == 1w1 && meta.known_job == 1w1 && meta.known_member == 1w1 && meta.known_delivery == 1w1 && meta.phase != 2w2) {
            ages.apply();
            starts.apply();
            starters.apply();
        }
        // Stage 2
        if (meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.known_seal == 1w1 && meta.known_job == 1w1 && meta.known_member == 1w1 && meta.known_delivery == 1w1 && meta.phase != 2w2) {
            counts.apply();
            fills.apply();
            largests.apply();
        }
        if (hdr.netfold.isValid()) {
            tell.apply();
        }
        // Stage 3
        folds.apply();
        if (hdr.lane0.isValid()) {
            incoming0.apply(hdr.lane0.value, meta.incoming0);
            extract0.apply(hdr.lane0.value, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 4
        sign0.apply(hdr.lane0.value, meta.magnitude0, meta.signed0);
        // Stage 3
        if (hdr.lane1.isValid()) {
            incoming1.apply(hdr.lane1.value, meta.incoming1);
            extract1.apply(hdr.lane1.value, meta.magnitude1, meta.adds1, meta.flag1);
        }
        // Stage 4
        sign1.apply(hdr.lane1.value, meta.magnitude1, meta.signed1);
        // Stage 3
        if (hdr.lane2.isValid()) {
            incoming2.apply(hdr.lane2.value, meta.incoming2);
            extract2.apply(hdr.lane2.value, meta.magnitude2, meta.adds2, meta.flag2);
        }
        // Stage 4
        sign2.apply(hdr.lane2.value, meta.magnitude2, meta.signed2);
        // Stage 3
        if (hdr.lane3.isValid()) {
            incoming3.apply(hdr.lane3.value, meta.incoming3);
            extract3.apply(hdr.lane3.value, meta.magnitude3, meta.adds3, meta.flag3);
        }
        // Stage 4
        sign3.apply(hdr.lane3.value, meta.magnitude3, meta.signed3);
        // Stage 5
        if (hdr.netfold.isValid()) {
            show0.apply();
            show1.apply();
            show2.apply();
            show3.apply();
        }
        // Stage 4
        exponents0.apply(meta.sums_are, meta.adds0, meta.incoming0, meta.copy, meta.stored0,
            hdr.found.exponent0);
        // Stage 5
        distance0.apply(meta.incoming0, meta.stored0, meta.distance0);
        // Stage 6
        align0.apply(meta.distance0, meta.signed0, meta.shifted0);
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit0.apply(meta.shifted0, meta.limit0);
        }
        // Stage 8
        add0.apply(meta.sums_are, meta.adds0, meta.distance0, meta.shifted0, meta.copy,
            meta.limit0, hdr.lane0.value, meta.added0);
        // Stage 9
        flag0.apply(meta.sums_are, meta.added0, meta.shifted0, meta.flag0, meta.copy,
            meta.overflowed0, hdr.found.flags0);
        // Stage 4
        exponents1.apply(meta.sums_are, meta.adds1, meta.incoming1, meta.copy, meta.stored1,
            hdr.found.exponent1);
        // Stage 5
        distance1.apply(meta.incoming1, meta.stored1, meta.distance1);
        // Stage 6
        align1.apply(meta.distance1, meta.signed1, meta.shifted1);
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit1.apply(meta.shifted1, meta.limit1);
        }
        // Stage 8
        add1.apply(meta.sums_are, meta.adds1, meta.distance1, meta.shifted1, meta.copy,
            meta.limit1, hdr.lane1.value, meta.added1);
        // Stage 9
        flag1.apply(meta.sums_are, meta.added1, meta.shifted1, meta.flag1, meta.copy,
            meta.overflowed1, hdr.found.flags1);
        // Stage 4
        exponents2.apply(meta.sums_are, meta.adds2, meta.incoming2, meta.copy, meta.stored2,
            hdr.found.exponent2);
        // Stage 5
        distance2.apply(meta.incoming2, meta.stored2, meta.distance2);
        // Stage 6
        align2.apply(meta.distance2, meta.signed2, meta.shifted2);
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit2.apply(meta.shifted2, meta.limit2);
        }
        // Stage 8
        add2.apply(meta.sums_are, meta.adds2, meta.distance2, meta.shifted2, meta.copy,
            meta.limit2, hdr.lane2.value, meta.added2);
        // Stage 9
        flag2.apply(meta.sums_are, meta.added2, meta.shifted2, meta.flag2, meta.copy,
            meta.overflowed2, hdr.found.flags2);
        // Stage 4
        exponents3.apply(meta.sums_are, meta.adds3, meta.incoming3, meta.copy, meta.stored3,
            hdr.found.exponent3);
        // Stage 5
        distance3.apply(meta.incoming3, meta.stored3, meta.distance3);
        // Stage 6
        align3.apply(meta.distance3, meta.signed3, meta.shifted3);
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit3.apply(meta.shifted3, meta.limit3);
        }
        // Stage 8
        add3.apply(meta.sums_are, meta.adds3, meta.distance3, meta.shifted3, meta.copy,
            meta.limit3, hdr.lane3.value, meta.added3);
        // Stage 9
        flag3.apply(meta.sums_are, meta.added3, meta.shifted3, meta.flag3, meta.copy,
            meta.overflowed3, hdr.found.flags3);
        if (hdr.netfold.isValid()) {
            outcome.apply();
        }
        // Stage 11
        if (hdr.netfold.isValid()) {
            overflows.apply();
        }
    }
}

control magnitude_unit(
    in bit<32> value_2,
    inout bit<32> absolute,
    inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() {
        absolute = value_2;
    }
    action magnitude_minus() {
        absolute = 32w0 - value_2;
        sign = 32w0x80000000;
    }
    table magnitude {
        key = {
            value_2 : ternary @name("value_2");
        }
        actions = {
            magnitude_plus;
            magnitude_minus;
        }
        const default_action = magnitude_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude_minus();
        }
    }

    apply {
        magnitude.apply();
    }
}

control normalise_unit(
    in bit<32> absolute,
    in bit<16> exponent,
    inout bit<32> normal,
    inout bit<16> normal_exponent) {
    // R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise_left1() {
        normal = absolute << 1;
        normal_exponent = exponent - 16w1;
    }
    action normalise_left2() {
        normal = absolute << 2;
        normal_exponent = exponent - 16w2;
    }
    action normalise_left3() {
        normal = absolute << 3;
        normal_exponent = exponent - 16w3;
    }
    action normalise_left4() {
        normal = absolute << 4;
        normal_exponent = exponent - 16w4;
    }
    action normalise_left5() {
        normal = absolute << 5;
        normal_exponent = exponent - 16w5;
    }
    action normalise_left6() {
        normal = absolute << 6;
        normal_exponent = exponent - 16w6;
    }
    action normalise_left7() {
        normal = absolute << 7;
        normal_exponent = exponent - 16w7;
    }
    action normalise_left8() {
        normal = absolute << 8;
        normal_exponent = exponent - 16w8;
    }
    action normalise_left9() {
        normal = absolute << 9;
        normal_exponent = exponent - 16w9;
    }
    action normalise_left10() {
        normal = absolute << 10;
        normal_exponent = exponent - 16w10;
    }
    action normalise_left11() {
        normal = absolute << 11;
        normal_exponent = exponent - 16w11;
    }
    action normalise_left12() {
        normal = absolute << 12;
        normal_exponent = exponent - 16w12;
    }
    action normalise_left13() {
        normal = absolute << 13;
        normal_exponent = exponent - 16w13;
    }
    action normalise_left14() {
        normal = absolute << 14;
        normal_exponent = exponent - 16w14;
    }
    action normalise_left15() {
        normal = absolute << 15;
        normal_exponent = exponent - 16w15;
    }
    action normalise_left16() {
        normal = absolute << 16;
        normal_exponent = exponent - 16w16;
    }
    action normalise_left17() {
        normal = absolute << 17;
        normal_exponent = exponent - 16w17;
    }
    action normalise_left18() {
        normal = absolute << 18;
        normal_exponent = exponent - 16w18;
    }
    action normalise_left19() {
        normal = absolute << 19;
        normal_exponent = exponent - 16w19;
    }
    action normalise_left20() {
        normal = absolute << 20;
        normal_exponent = exponent - 16w20;
    }
    action normalise_left21() {
        normal = absolute << 21;
        normal_exponent = exponent - 16w21;
    }
    action normalise_left22() {
        normal = absolute << 22;
        normal_exponent = exponent - 16w22;
    }
    action normalise_left23() {
        normal = absolute << 23;
        normal_exponent = exponent - 16w23;
    }
    action normalise_right1() {
        normal = absolute >> 1;
        normal_exponent = exponent + 16w1;
    }
    action normalise_right2() {
        normal = absolute >> 2;
        normal_exponent = exponent + 16w2;
    }
    action normalise_right3() {
        normal = absolute >> 3;
        normal_exponent = exponent + 16w3;
    }
    action normalise_right4() {
        normal = absolute >> 4;
        normal_exponent = exponent + 16w4;
    }
    action normalise_right5() {
        normal = absolute >> 5;
        normal_exponent = exponent + 16w5;
    }
    action normalise_right6() {
        normal = absolute >> 6;
        normal_exponent = exponent + 16w6;
    }
    action normalise_right7() {
        normal = absolute >> 7;
        normal_exponent = exponent + 16w7;
    }
    action normalise_right8() {
        normal = absolute >> 8;
        normal_exponent = exponent + 16w8;
    }
    action normalise_stay() {
        normal = absolute;
        normal_exponent = exponent;
    }
    table normalise {
        key = {
            absolute : ternary @name("absolute");
            exponent : range @name("exponent");
        }
        actions = {
            normalise_left1;
            normalise_left2;
            normalise_left3;
            normalise_left4;
            normalise_left5;
            normalise_left6;
            normalise_left7;
            normalise_left8;
            normalise_left9;
            normalise_left10;
            normalise_left11;
            normalise_left12;
            normalise_left13;
            normalise_left14;
            normalise_left15;
            normalise_left16;
            normalise_left17;
            normalise_left18;
            normalise_left19;
            normalise_left20;
            normalise_left21;
            normalise_left22;
            normalise_left23;
            normalise_right1;
            normalise_right2;
            normalise_right3;
            normalise_right4;
            normalise_right5;
            normalise_right6;
            normalise_right7;
            normalise_right8;
            normalise_stay;
        }
        const default_action = normalise_stay();
        const entries = {
            #include "../lists/normalise.entries"
        }
    }

    apply {
        normalise.apply();
    }
}

control assemble_unit(
    in bit<8> flags,
    in bit<16> normal_exponent,
    in bit<32> normal,
    in bit<32> sign,
    inout bit<32> value_2) {
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble_nan() {
        value_2 = 32w0x7FC00000;
    }
    action assemble_positive_infinity() {
        value_2 = 32w0x7F800000;
    }
    action assemble_negative_infinity() {
        value_2 = 32w0xFF800000;
    }
    action assemble_infinite() {
        value_2 = sign | 32w0x7F800000;
    }
    action assemble_normal() {
        value_2 = sign[31:31] ++ normal_exponent[7:0] ++ normal[22:0];
    }
    action assemble_subnormal() {
        value_2 = sign | normal;
    }
    table assemble {
        key = {
            flags : ternary @name("flags");
            normal_exponent : range @name("normal_exponent");
            normal : ternary @name("normal");
        }
        actions = {
            assemble_nan;
            assemble_positive_infinity;
            assemble_negative_infinity;
            assemble_infinite;
            assemble_normal;
            assemble_subnormal;
        }
        const default_action = assemble_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble_nan();
            (_, 0..0xFFFF, 0) : assemble_subnormal();
            (_, 255..0x7FFF, _) : assemble_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble_normal();
        }
    }

    apply {
        assemble.apply();
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {

    // Stage 0. Bytes of the lanes, and whether this copy is for the one worker that gets them.
    action measure_measure() {
        meta.lane_bytes = hdr.netfold.elements << 2;
        meta.elsewhere = standard_metadata.egress_rid ^ hdr.netfold.delivery;
    }
    table measure {
        actions = {
            measure_measure;
        }
        const default_action = measure_measure();
        size = 1;
    }

    // Stage 1. R-SLOT-4: the worker that has asked.
    action reach_one_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip, bit<16> dst_port, bit<16> src_port) {
        hdr.ethernet.dst = dst_mac;
        hdr.ethernet.src = src_mac;
        hdr.ipv4.dst = dst_ip;
        hdr.ipv4.src = src_ip;
        hdr.udp.dst_port = dst_port;
        hdr.udp.src_port = src_port;
    }
    table reach_one {
        key = {
            hdr.netfold.job : exact @name("job");
            hdr.netfold.worker : exact @name("worker");
        }
        actions = {
            reach_one_reach;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 2048;
    }

    // Stage 1. R-SLOT-3: each worker of the job.
    action reach_each_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip, bit<16> dst_port, bit<16> src_port) {
        hdr.ethernet.dst = dst_mac;
        hdr.ethernet.src = src_mac;
        hdr.ipv4.dst = dst_ip;
        hdr.ipv4.src = src_ip;
        hdr.udp.dst_port = dst_port;
        hdr.udp.src_port = src_port;
    }
    table reach_each {
        key = {
            hdr.netfold.job : exact @name("job");
            standard_metadata.egress_rid : exact @name("replica");
        }
        actions = {
            reach_each_reach;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 2048;
    }

    // Stage 1. R-SLOT-3: lanes for those whom the result is for, a header alone for the others.
    action copies_stay() {
    }
    action copies_bare() {
        hdr.bridge.setInvalid();
    }
    action copies_gather() {
        hdr.bridge.mode = 8w2;
        hdr.netfold.worker = hdr.netfold.delivery;
    }
    action copies_refuse() {
        mark_to_drop(standard_metadata);
    }
    action copies_leave_empty() {
        hdr.bridge.setInvalid();
        hdr.udp.checksum = 16w0;
        hdr.ipv4.ttl = 8w64;
        hdr.udp.length = 16w48;
        hdr.ipv4.total_length = 16w68;
        hdr.netfold.flags = 8w3;
    }
    action copies_leave_short() {
        hdr.bridge.setInvalid();
        hdr.udp.checksum = 16w0;
        hdr.ipv4.ttl = 8w64;
        hdr.udp.length = 16w48;
        hdr.ipv4.total_length = 16w68;
    }
    action copies_leave_owner() {
        hdr.bridge.setInvalid();
        hdr.udp.checksum = 16w0;
        hdr.ipv4.ttl = 8w64;
        hdr.udp.length = 16w48;
        hdr.ipv4.total_length = 16w68;
        hdr.netfold.worker = hdr.netfold.delivery;
    }
    action copies_leave_whole() {
        hdr.bridge.setInvalid();
        hdr.udp.checksum = 16w0;
        hdr.ipv4.ttl = 8w64;
        hdr.udp.length = meta.lane_bytes + 16w48;
        hdr.ipv4.total_length = meta.lane_bytes + 16w68;
    }
    table copies {
        key = {
            hdr.bridge.mode : ternary @name("mode");
            standard_metadata.egress_rid : ternary @name("replica");
            hdr.netfold.worker : ternary @name("worker");
            hdr.netfold.delivery : ternary @name("delivery");
            meta.elsewhere : ternary @name("elsewhere");
            hdr.netfold.flags : ternary @name("flags");
        }
        actions = {
            copies_stay;
            copies_bare;
            copies_gather;
            copies_refuse;
            copies_leave_empty;
            copies_leave_short;
            copies_leave_owner;
            copies_leave_whole;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _, _, _, _) : copies_stay();
            (2, _, _, _, _, _) : copies_stay();
            (4, _, _, _, _, _) : copies_bare();
            (5, 0xFFFF, _, _, _, _) : copies_gather();
            (5, _, _, _, 0, _) : copies_refuse();
            (5, _, _, _, _, _) : copies_leave_empty();
            (3, _, 0xFFFF, 0xFFFF, _, 2 &&& 2) : copies_leave_short();
            (3, _, 0xFFFF, _, 0, 2 &&& 2) : copies_leave_owner();
            (3, _, _, _, _, 2 &&& 2) : copies_leave_short();
            (3, _, _, _, _, _) : copies_leave_whole();
        }
    }

    magnitude_unit() magnitude0;
    normalise_unit() normalise0;
    assemble_unit() assemble0;
    magnitude_unit() magnitude1;
    normalise_unit() normalise1;
    assemble_unit() assemble1;
    magnitude_unit() magnitude2;
    normalise_unit() normalise2;
    assemble_unit() assemble2;
    magnitude_unit() magnitude3;
    normalise_unit() normalise3;
    assemble_unit() assemble3;
    // Stage 11. R-PISA-36: what sums were put together from.
    action strip_found_strip() {
        hdr.found.setInvalid();
    }
    table strip_found {
        actions = {
            strip_found_strip;
        }
        const default_action = strip_found_strip();
        size = 1;
    }

    apply {
        // Stage 0
        if (hdr.bridge.mode != 8w4) {
            measure.apply();
        }
        // Stage 1
        if (hdr.netfold.worker != 16w0xFFFF && hdr.bridge.mode != 8w4) {
            reach_one.apply();
        } else if (hdr.netfold.worker == 16w0xFFFF && hdr.bridge.mode != 8w4) {
            reach_each.apply();
        }
        copies.apply();
        // Stage 9
        if (hdr.lane0.isValid()) {
            magnitude0.apply(hdr.lane0.value, meta.absolute0, meta.sign0);
        }
        // Stage 10
        if (hdr.lane0.isValid()) {
            normalise0.apply(meta.absolute0, hdr.found.exponent0, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 11
        if (hdr.lane0.isValid()) {
            assemble0.apply(hdr.found.flags0, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.lane0.value);
        }
        // Stage 9
        if (hdr.lane1.isValid()) {
            magnitude1.apply(hdr.lane1.value, meta.absolute1, meta.sign1);
        }
        // Stage 10
        if (hdr.lane1.isValid()) {
            normalise1.apply(meta.absolute1, hdr.found.exponent1, meta.normal1,
                meta.normal_exponent1);
        }
        // Stage 11
        if (hdr.lane1.isValid()) {
            assemble1.apply(hdr.found.flags1, meta.normal_exponent1, meta.normal1, meta.sign1,
                hdr.lane1.value);
        }
        // Stage 9
        if (hdr.lane2.isValid()) {
            magnitude2.apply(hdr.lane2.value, meta.absolute2, meta.sign2);
        }
        // Stage 10
        if (hdr.lane2.isValid()) {
            normalise2.apply(meta.absolute2, hdr.found.exponent2, meta.normal2,
                meta.normal_exponent2);
        }
        // Stage 11
        if (hdr.lane2.isValid()) {
            assemble2.apply(hdr.found.flags2, meta.normal_exponent2, meta.normal2, meta.sign2,
                hdr.lane2.value);
        }
        // Stage 9
        if (hdr.lane3.isValid()) {
            magnitude3.apply(hdr.lane3.value, meta.absolute3, meta.sign3);
        }
        // Stage 10
        if (hdr.lane3.isValid()) {
            normalise3.apply(meta.absolute3, hdr.found.exponent3, meta.normal3,
                meta.normal_exponent3);
        }
        // Stage 11
        if (hdr.lane3.isValid()) {
            assemble3.apply(hdr.found.flags3, meta.normal_exponent3, meta.normal3, meta.sign3,
                hdr.lane3.value);
        }
        if (hdr.found.isValid()) {
            strip_found.apply();
        }
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) {
            recirculate_preserving_field_list(0);
        }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
        update_checksum(hdr.ipv4.isValid() && hdr.netfold.isValid(), { hdr.ipv4.version_ihl, hdr.ipv4.tos, hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.fragment, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst }, hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.netfold);
        packet.emit(hdr.found);
        packet.emit(hdr.lane0);
        packet.emit(hdr.lane1);
        packet.emit(hdr.lane2);
        packet.emit(hdr.lane3);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(), SwitchComputeChecksum(), SwitchDeparser()) main;
