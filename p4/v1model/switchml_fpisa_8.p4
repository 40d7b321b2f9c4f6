// switchml_fpisa for bmv2 (v1model).
// SwitchML with netfold's rounds: 8 lanes of FP32 by FPISA, 1 pipeline(s), 128 slots, 8 workers.
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
    bit<16> exponent4;
    bit<8> flags4;
    bit<16> exponent5;
    bit<8> flags5;
    bit<16> exponent6;
    bit<8> flags6;
    bit<16> exponent7;
    bit<8> flags7;
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

header lane4_h {
    bit<32> value;
}

header lane5_h {
    bit<32> value;
}

header lane6_h {
    bit<32> value;
}

header lane7_h {
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
    lane4_h lane4;
    lane5_h lane5;
    lane6_h lane6;
    lane7_h lane7;
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
    bit<16> incoming4;
    bit<32> magnitude4;
    bit<32> signed4;
    bit<32> shifted4;
    bit<1> adds4;
    bit<8> flag4;
    bit<16> stored4;
    bit<16> distance4;
    bit<16> back4;
    bit<16> stored_by4;
    bit<32> limit4;
    bit<4> added4;
    bit<32> absolute4;
    bit<32> normal4;
    bit<16> normal_exponent4;
    bit<32> sign4;
    bit<16> incoming5;
    bit<32> magnitude5;
    bit<32> signed5;
    bit<32> shifted5;
    bit<1> adds5;
    bit<8> flag5;
    bit<16> stored5;
    bit<16> distance5;
    bit<16> back5;
    bit<16> stored_by5;
    bit<32> limit5;
    bit<4> added5;
    bit<32> absolute5;
    bit<32> normal5;
    bit<16> normal_exponent5;
    bit<32> sign5;
    bit<16> incoming6;
    bit<32> magnitude6;
    bit<32> signed6;
    bit<32> shifted6;
    bit<1> adds6;
    bit<8> flag6;
    bit<16> stored6;
    bit<16> distance6;
    bit<16> back6;
    bit<16> stored_by6;
    bit<32> limit6;
    bit<4> added6;
    bit<32> absolute6;
    bit<32> normal6;
    bit<16> normal_exponent6;
    bit<32> sign6;
    bit<16> incoming7;
    bit<32> magnitude7;
    bit<32> signed7;
    bit<32> shifted7;
    bit<1> adds7;
    bit<8> flag7;
    bit<16> stored7;
    bit<16> distance7;
    bit<16> back7;
    bit<16> stored_by7;
    bit<32> limit7;
    bit<4> added7;
    bit<32> absolute7;
    bit<32> normal7;
    bit<16> normal_exponent7;
    bit<32> sign7;
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
        transition again_look_4;
    }

    state first_take_2 {
        packet.extract(hdr.lane2);
        transition first_look_3;
    }

    state again_look_4 {
        transition select(hdr.bridge.rest) {
            4: again_end;
            default: again_take_4;
        }
    }

    state first_look_3 {
        transition select(hdr.netfold.elements) {
            3: first_end;
            default: first_take_3;
        }
    }

    state again_take_4 {
        packet.extract(hdr.lane4);
        transition again_look_5;
    }

    state first_take_3 {
        packet.extract(hdr.lane3);
        transition first_look_4;
    }

    state again_look_5 {
        transition select(hdr.bridge.rest) {
            5: again_end;
            default: again_take_5;
        }
    }

    state first_look_4 {
        transition select(hdr.netfold.elements) {
            4: first_end;
            default: first_take_4;
        }
    }

    state again_take_5 {
        packet.extract(hdr.lane5);
        transition again_look_6;
    }

    state first_take_4 {
        packet.extract(hdr.lane4);
        transition first_look_5;
    }

    state again_look_6 {
        transition select(hdr.bridge.rest) {
            6: again_end;
            default: again_take_6;
        }
    }

    state first_look_5 {
        transition select(hdr.netfold.elements) {
            5: first_end;
            default: first_take_5;
        }
    }

    state again_take_6 {
        packet.extract(hdr.lane6);
        transition again_look_7;
    }

    state first_take_5 {
        packet.extract(hdr.lane5);
        transition first_look_6;
    }

    state again_look_7 {
        transition select(hdr.bridge.rest) {
            7: again_end;
            default: again_take_7;
        }
    }

    state first_look_6 {
        transition select(hdr.netfold.elements) {
            6: first_end;
            default: first_take_6;
        }
    }

    state again_take_7 {
        packet.extract(hdr.lane7);
        transition again_end;
    }

    state first_take_6 {
        packet.extract(hdr.lane6);
        transition first_look_7;
    }

    state first_look_7 {
        transition select(hdr.netfold.elements) {
            7: first_end;
            default: first_take_7;
        }
    }

    state first_take_7 {
        packet.extract(hdr.lane7);
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
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent0;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa0;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags0;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent1;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa1;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags1;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent2;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa2;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags2;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent3;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa3;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags3;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent4;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa4;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags4;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent5;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa5;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags5;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent6;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa6;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags6;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(256) reg_exponent7;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(256) reg_mantissa7;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(256) reg_flags7;

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
            (2 &&& 2, 1, 1, 0..8, 48) : shapes_pass();
            (0 &&& 2, 1, 1, 0..0, 48) : shapes_pass();
            (0 &&& 2, 1, 1, 1..1, 52) : shapes_pass();
            (0 &&& 2, 1, 1, 2..2, 56) : shapes_pass();
            (0 &&& 2, 1, 1, 3..3, 60) : shapes_pass();
            (0 &&& 2, 1, 1, 4..4, 64) : shapes_pass();
            (0 &&& 2, 1, 1, 5..5, 68) : shapes_pass();
            (0 &&& 2, 1, 1, 6..6, 72) : shapes_pass();
            (0 &&& 2, 1, 1, 7..7, 76) : shapes_pass();
            (0 &&& 2, 1, 1, 8..8, 80) : shapes_pass();
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
        meta.rest = hdr.netfold.elements |-| 16w8;
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
        meta.rest = hdr.bridge.rest |-| 16w8;
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
            (2, 0, 4..4) : tell_some(4);
            (2, 0, 5..5) : tell_some(5);
            (2, 0, 6..6) : tell_some(6);
            (2, 0, 7..7) : tell_some(7);
            (2, 0, 8..0xFFFF) : tell_some(8);
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

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming0_normal() {
        meta.incoming0 = 8w0 ++ hdr.lane0.value[30:23];
    }
    action incoming0_subnormal() {
        meta.incoming0 = 16w1;
    }
    action incoming0_nothing() {
        meta.incoming0 = 16w0xFF00;
    }
    table incoming0 {
        key = {
            hdr.lane0.value : ternary @name("value");
        }
        actions = {
            incoming0_normal;
            incoming0_subnormal;
            incoming0_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming0_nothing();
            0x7F800000 &&& 0x7F800000 : incoming0_nothing();
            0 &&& 0x7F800000 : incoming0_subnormal();
            _ : incoming0_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract0_normal() {
        meta.magnitude0 = 9w1 ++ hdr.lane0.value[22:0];
        meta.adds0 = 1w1;
    }
    action extract0_subnormal() {
        meta.magnitude0 = hdr.lane0.value & 32w0x7FFFFF;
        meta.adds0 = 1w1;
    }
    action extract0_nothing(bit<8> flag) {
        meta.magnitude0 = 32w0;
        meta.adds0 = 1w0;
        meta.flag0 = flag;
    }
    table extract0 {
        key = {
            hdr.lane0.value : ternary @name("value");
        }
        actions = {
            extract0_normal;
            extract0_subnormal;
            extract0_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract0_nothing(0);
            0x7F800000 : extract0_nothing(1);
            0xFF800000 : extract0_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract0_nothing(4);
            0 &&& 0x7F800000 : extract0_subnormal();
            _ : extract0_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign0_plus() {
        meta.signed0 = meta.magnitude0;
    }
    action sign0_minus() {
        meta.signed0 = 32w0 - meta.magnitude0;
    }
    table sign0 {
        key = {
            hdr.lane0.value : ternary @name("value");
        }
        actions = {
            sign0_plus;
            sign0_minus;
        }
        const default_action = sign0_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign0_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming1_normal() {
        meta.incoming1 = 8w0 ++ hdr.lane1.value[30:23];
    }
    action incoming1_subnormal() {
        meta.incoming1 = 16w1;
    }
    action incoming1_nothing() {
        meta.incoming1 = 16w0xFF00;
    }
    table incoming1 {
        key = {
            hdr.lane1.value : ternary @name("value");
        }
        actions = {
            incoming1_normal;
            incoming1_subnormal;
            incoming1_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming1_nothing();
            0x7F800000 &&& 0x7F800000 : incoming1_nothing();
            0 &&& 0x7F800000 : incoming1_subnormal();
            _ : incoming1_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract1_normal() {
        meta.magnitude1 = 9w1 ++ hdr.lane1.value[22:0];
        meta.adds1 = 1w1;
    }
    action extract1_subnormal() {
        meta.magnitude1 = hdr.lane1.value & 32w0x7FFFFF;
        meta.adds1 = 1w1;
    }
    action extract1_nothing(bit<8> flag) {
        meta.magnitude1 = 32w0;
        meta.adds1 = 1w0;
        meta.flag1 = flag;
    }
    table extract1 {
        key = {
            hdr.lane1.value : ternary @name("value");
        }
        actions = {
            extract1_normal;
            extract1_subnormal;
            extract1_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract1_nothing(0);
            0x7F800000 : extract1_nothing(1);
            0xFF800000 : extract1_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract1_nothing(4);
            0 &&& 0x7F800000 : extract1_subnormal();
            _ : extract1_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign1_plus() {
        meta.signed1 = meta.magnitude1;
    }
    action sign1_minus() {
        meta.signed1 = 32w0 - meta.magnitude1;
    }
    table sign1 {
        key = {
            hdr.lane1.value : ternary @name("value");
        }
        actions = {
            sign1_plus;
            sign1_minus;
        }
        const default_action = sign1_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign1_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming2_normal() {
        meta.incoming2 = 8w0 ++ hdr.lane2.value[30:23];
    }
    action incoming2_subnormal() {
        meta.incoming2 = 16w1;
    }
    action incoming2_nothing() {
        meta.incoming2 = 16w0xFF00;
    }
    table incoming2 {
        key = {
            hdr.lane2.value : ternary @name("value");
        }
        actions = {
            incoming2_normal;
            incoming2_subnormal;
            incoming2_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming2_nothing();
            0x7F800000 &&& 0x7F800000 : incoming2_nothing();
            0 &&& 0x7F800000 : incoming2_subnormal();
            _ : incoming2_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract2_normal() {
        meta.magnitude2 = 9w1 ++ hdr.lane2.value[22:0];
        meta.adds2 = 1w1;
    }
    action extract2_subnormal() {
        meta.magnitude2 = hdr.lane2.value & 32w0x7FFFFF;
        meta.adds2 = 1w1;
    }
    action extract2_nothing(bit<8> flag) {
        meta.magnitude2 = 32w0;
        meta.adds2 = 1w0;
        meta.flag2 = flag;
    }
    table extract2 {
        key = {
            hdr.lane2.value : ternary @name("value");
        }
        actions = {
            extract2_normal;
            extract2_subnormal;
            extract2_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract2_nothing(0);
            0x7F800000 : extract2_nothing(1);
            0xFF800000 : extract2_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract2_nothing(4);
            0 &&& 0x7F800000 : extract2_subnormal();
            _ : extract2_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign2_plus() {
        meta.signed2 = meta.magnitude2;
    }
    action sign2_minus() {
        meta.signed2 = 32w0 - meta.magnitude2;
    }
    table sign2 {
        key = {
            hdr.lane2.value : ternary @name("value");
        }
        actions = {
            sign2_plus;
            sign2_minus;
        }
        const default_action = sign2_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign2_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming3_normal() {
        meta.incoming3 = 8w0 ++ hdr.lane3.value[30:23];
    }
    action incoming3_subnormal() {
        meta.incoming3 = 16w1;
    }
    action incoming3_nothing() {
        meta.incoming3 = 16w0xFF00;
    }
    table incoming3 {
        key = {
            hdr.lane3.value : ternary @name("value");
        }
        actions = {
            incoming3_normal;
            incoming3_subnormal;
            incoming3_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming3_nothing();
            0x7F800000 &&& 0x7F800000 : incoming3_nothing();
            0 &&& 0x7F800000 : incoming3_subnormal();
            _ : incoming3_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract3_normal() {
        meta.magnitude3 = 9w1 ++ hdr.lane3.value[22:0];
        meta.adds3 = 1w1;
    }
    action extract3_subnormal() {
        meta.magnitude3 = hdr.lane3.value & 32w0x7FFFFF;
        meta.adds3 = 1w1;
    }
    action extract3_nothing(bit<8> flag) {
        meta.magnitude3 = 32w0;
        meta.adds3 = 1w0;
        meta.flag3 = flag;
    }
    table extract3 {
        key = {
            hdr.lane3.value : ternary @name("value");
        }
        actions = {
            extract3_normal;
            extract3_subnormal;
            extract3_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract3_nothing(0);
            0x7F800000 : extract3_nothing(1);
            0xFF800000 : extract3_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract3_nothing(4);
            0 &&& 0x7F800000 : extract3_subnormal();
            _ : extract3_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign3_plus() {
        meta.signed3 = meta.magnitude3;
    }
    action sign3_minus() {
        meta.signed3 = 32w0 - meta.magnitude3;
    }
    table sign3 {
        key = {
            hdr.lane3.value : ternary @name("value");
        }
        actions = {
            sign3_plus;
            sign3_minus;
        }
        const default_action = sign3_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign3_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming4_normal() {
        meta.incoming4 = 8w0 ++ hdr.lane4.value[30:23];
    }
    action incoming4_subnormal() {
        meta.incoming4 = 16w1;
    }
    action incoming4_nothing() {
        meta.incoming4 = 16w0xFF00;
    }
    table incoming4 {
        key = {
            hdr.lane4.value : ternary @name("value");
        }
        actions = {
            incoming4_normal;
            incoming4_subnormal;
            incoming4_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming4_nothing();
            0x7F800000 &&& 0x7F800000 : incoming4_nothing();
            0 &&& 0x7F800000 : incoming4_subnormal();
            _ : incoming4_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract4_normal() {
        meta.magnitude4 = 9w1 ++ hdr.lane4.value[22:0];
        meta.adds4 = 1w1;
    }
    action extract4_subnormal() {
        meta.magnitude4 = hdr.lane4.value & 32w0x7FFFFF;
        meta.adds4 = 1w1;
    }
    action extract4_nothing(bit<8> flag) {
        meta.magnitude4 = 32w0;
        meta.adds4 = 1w0;
        meta.flag4 = flag;
    }
    table extract4 {
        key = {
            hdr.lane4.value : ternary @name("value");
        }
        actions = {
            extract4_normal;
            extract4_subnormal;
            extract4_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract4_nothing(0);
            0x7F800000 : extract4_nothing(1);
            0xFF800000 : extract4_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract4_nothing(4);
            0 &&& 0x7F800000 : extract4_subnormal();
            _ : extract4_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign4_plus() {
        meta.signed4 = meta.magnitude4;
    }
    action sign4_minus() {
        meta.signed4 = 32w0 - meta.magnitude4;
    }
    table sign4 {
        key = {
            hdr.lane4.value : ternary @name("value");
        }
        actions = {
            sign4_plus;
            sign4_minus;
        }
        const default_action = sign4_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign4_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming5_normal() {
        meta.incoming5 = 8w0 ++ hdr.lane5.value[30:23];
    }
    action incoming5_subnormal() {
        meta.incoming5 = 16w1;
    }
    action incoming5_nothing() {
        meta.incoming5 = 16w0xFF00;
    }
    table incoming5 {
        key = {
            hdr.lane5.value : ternary @name("value");
        }
        actions = {
            incoming5_normal;
            incoming5_subnormal;
            incoming5_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming5_nothing();
            0x7F800000 &&& 0x7F800000 : incoming5_nothing();
            0 &&& 0x7F800000 : incoming5_subnormal();
            _ : incoming5_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract5_normal() {
        meta.magnitude5 = 9w1 ++ hdr.lane5.value[22:0];
        meta.adds5 = 1w1;
    }
    action extract5_subnormal() {
        meta.magnitude5 = hdr.lane5.value & 32w0x7FFFFF;
        meta.adds5 = 1w1;
    }
    action extract5_nothing(bit<8> flag) {
        meta.magnitude5 = 32w0;
        meta.adds5 = 1w0;
        meta.flag5 = flag;
    }
    table extract5 {
        key = {
            hdr.lane5.value : ternary @name("value");
        }
        actions = {
            extract5_normal;
            extract5_subnormal;
            extract5_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract5_nothing(0);
            0x7F800000 : extract5_nothing(1);
            0xFF800000 : extract5_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract5_nothing(4);
            0 &&& 0x7F800000 : extract5_subnormal();
            _ : extract5_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign5_plus() {
        meta.signed5 = meta.magnitude5;
    }
    action sign5_minus() {
        meta.signed5 = 32w0 - meta.magnitude5;
    }
    table sign5 {
        key = {
            hdr.lane5.value : ternary @name("value");
        }
        actions = {
            sign5_plus;
            sign5_minus;
        }
        const default_action = sign5_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign5_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming6_normal() {
        meta.incoming6 = 8w0 ++ hdr.lane6.value[30:23];
    }
    action incoming6_subnormal() {
        meta.incoming6 = 16w1;
    }
    action incoming6_nothing() {
        meta.incoming6 = 16w0xFF00;
    }
    table incoming6 {
        key = {
            hdr.lane6.value : ternary @name("value");
        }
        actions = {
            incoming6_normal;
            incoming6_subnormal;
            incoming6_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming6_nothing();
            0x7F800000 &&& 0x7F800000 : incoming6_nothing();
            0 &&& 0x7F800000 : incoming6_subnormal();
            _ : incoming6_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract6_normal() {
        meta.magnitude6 = 9w1 ++ hdr.lane6.value[22:0];
        meta.adds6 = 1w1;
    }
    action extract6_subnormal() {
        meta.magnitude6 = hdr.lane6.value & 32w0x7FFFFF;
        meta.adds6 = 1w1;
    }
    action extract6_nothing(bit<8> flag) {
        meta.magnitude6 = 32w0;
        meta.adds6 = 1w0;
        meta.flag6 = flag;
    }
    table extract6 {
        key = {
            hdr.lane6.value : ternary @name("value");
        }
        actions = {
            extract6_normal;
            extract6_subnormal;
            extract6_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract6_nothing(0);
            0x7F800000 : extract6_nothing(1);
            0xFF800000 : extract6_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract6_nothing(4);
            0 &&& 0x7F800000 : extract6_subnormal();
            _ : extract6_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign6_plus() {
        meta.signed6 = meta.magnitude6;
    }
    action sign6_minus() {
        meta.signed6 = 32w0 - meta.magnitude6;
    }
    table sign6 {
        key = {
            hdr.lane6.value : ternary @name("value");
        }
        actions = {
            sign6_plus;
            sign6_minus;
        }
        const default_action = sign6_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign6_minus();
        }
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming7_normal() {
        meta.incoming7 = 8w0 ++ hdr.lane7.value[30:23];
    }
    action incoming7_subnormal() {
        meta.incoming7 = 16w1;
    }
    action incoming7_nothing() {
        meta.incoming7 = 16w0xFF00;
    }
    table incoming7 {
        key = {
            hdr.lane7.value : ternary @name("value");
        }
        actions = {
            incoming7_normal;
            incoming7_subnormal;
            incoming7_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming7_nothing();
            0x7F800000 &&& 0x7F800000 : incoming7_nothing();
            0 &&& 0x7F800000 : incoming7_subnormal();
            _ : incoming7_normal();
        }
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract7_normal() {
        meta.magnitude7 = 9w1 ++ hdr.lane7.value[22:0];
        meta.adds7 = 1w1;
    }
    action extract7_subnormal() {
        meta.magnitude7 = hdr.lane7.value & 32w0x7FFFFF;
        meta.adds7 = 1w1;
    }
    action extract7_nothing(bit<8> flag) {
        meta.magnitude7 = 32w0;
        meta.adds7 = 1w0;
        meta.flag7 = flag;
    }
    table extract7 {
        key = {
            hdr.lane7.value : ternary @name("value");
        }
        actions = {
            extract7_normal;
            extract7_subnormal;
            extract7_nothing;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract7_nothing(0);
            0x7F800000 : extract7_nothing(1);
            0xFF800000 : extract7_nothing(2);
            0x7F800000 &&& 0x7F800000 : extract7_nothing(4);
            0 &&& 0x7F800000 : extract7_subnormal();
            _ : extract7_normal();
        }
    }

    // Stage 4. R-FPI-3: the sign goes into the mantissa.
    action sign7_plus() {
        meta.signed7 = meta.magnitude7;
    }
    action sign7_minus() {
        meta.signed7 = 32w0 - meta.magnitude7;
    }
    table sign7 {
        key = {
            hdr.lane7.value : ternary @name("value");
        }
        actions = {
            sign7_plus;
            sign7_minus;
        }
        const default_action = sign7_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : sign7_minus();
        }
    }

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

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show4_show() {
        hdr.lane4.setValid();
    }
    action show4_hide() {
        hdr.lane4.setInvalid();
    }
    table show4 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show4_show;
            show4_hide;
        }
        const default_action = show4_hide();
        const entries = {
            (2, 0, 5..0xFFFF) : show4_show();
        }
    }

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show5_show() {
        hdr.lane5.setValid();
    }
    action show5_hide() {
        hdr.lane5.setInvalid();
    }
    table show5 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show5_show;
            show5_hide;
        }
        const default_action = show5_hide();
        const entries = {
            (2, 0, 6..0xFFFF) : show5_show();
        }
    }

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show6_show() {
        hdr.lane6.setValid();
    }
    action show6_hide() {
        hdr.lane6.setInvalid();
    }
    table show6 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show6_show;
            show6_hide;
        }
        const default_action = show6_hide();
        const entries = {
            (2, 0, 7..0xFFFF) : show6_show();
        }
    }

    // Stage 5. Lanes that the packet has behind this pass (R-PISA-35).
    action show7_show() {
        hdr.lane7.setValid();
    }
    action show7_hide() {
        hdr.lane7.setInvalid();
    }
    table show7 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : range @name("elements");
        }
        actions = {
            show7_show;
            show7_hide;
        }
        const default_action = show7_hide();
        const entries = {
            (2, 0, 8..0xFFFF) : show7_show();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents0_begin() {
        @atomic {
            bit<16> word;
            reg_exponent0.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming0;
            reg_exponent0.write((bit<32>) meta.copy, new_lo);
            meta.stored0 = new_lo;
        }
    }
    action exponents0_raise() {
        @atomic {
            bit<16> word;
            reg_exponent0.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming0) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming0) : (old_lo);
            reg_exponent0.write((bit<32>) meta.copy, new_lo);
            meta.stored0 = old_lo;
        }
    }
    action exponents0_read() {
        @atomic {
            bit<16> word;
            reg_exponent0.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent0 = old_lo;
        }
    }
    table exponents0 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds0 : ternary @name("adds0");
        }
        actions = {
            exponents0_begin;
            exponents0_raise;
            exponents0_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents0_begin();
            (2, 1) : exponents0_raise();
            (3, _) : exponents0_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance0_subtract() {
        meta.distance0 = meta.incoming0 - meta.stored0;
        meta.back0 = meta.stored0 - meta.incoming0;
    }
    table distance0 {
        actions = {
            distance0_subtract;
        }
        const default_action = distance0_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align0_right() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> (bit<8>) meta.back0);
        meta.stored_by0 = 16w0;
    }
    action align0_stay() {
        meta.shifted0 = meta.signed0;
        meta.stored_by0 = meta.distance0;
    }
    table align0 {
        key = {
            meta.distance0 : range @name("distance0");
        }
        actions = {
            align0_right;
            align0_stay;
        }
        const default_action = align0_stay();
        const entries = {
            0x8000..0xFFFF : align0_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add0_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted0;
            reg_mantissa0.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add0_read() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane0.value = old_lo;
        }
    }
    action add0_add() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by0) + meta.shifted0;
            reg_mantissa0.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add0 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds0 : ternary @name("adds0");
            meta.distance0 : range @name("distance0");
            meta.shifted0 : ternary @name("shifted0");
        }
        actions = {
            add0_begin;
            add0_read;
            add0_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add0_begin();
            (3, _, 0..0xFFFF, _) : add0_read();
            (2, 1, 0..0xFFFF, _) : add0_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag0_begin() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag0;
            reg_flags0.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag0_note() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag0;
            reg_flags0.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag0_overflow() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags0.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag0_read() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags0 = old_lo;
        }
    }
    table flag0 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added0 : ternary @name("added0");
            meta.shifted0 : ternary @name("shifted0");
        }
        actions = {
            flag0_begin;
            flag0_note;
            flag0_overflow;
            flag0_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag0_begin();
            (2, _, _) : flag0_note();
            (3, _, _) : flag0_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents1_begin() {
        @atomic {
            bit<16> word;
            reg_exponent1.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming1;
            reg_exponent1.write((bit<32>) meta.copy, new_lo);
            meta.stored1 = new_lo;
        }
    }
    action exponents1_raise() {
        @atomic {
            bit<16> word;
            reg_exponent1.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming1) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming1) : (old_lo);
            reg_exponent1.write((bit<32>) meta.copy, new_lo);
            meta.stored1 = old_lo;
        }
    }
    action exponents1_read() {
        @atomic {
            bit<16> word;
            reg_exponent1.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent1 = old_lo;
        }
    }
    table exponents1 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds1 : ternary @name("adds1");
        }
        actions = {
            exponents1_begin;
            exponents1_raise;
            exponents1_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents1_begin();
            (2, 1) : exponents1_raise();
            (3, _) : exponents1_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance1_subtract() {
        meta.distance1 = meta.incoming1 - meta.stored1;
        meta.back1 = meta.stored1 - meta.incoming1;
    }
    table distance1 {
        actions = {
            distance1_subtract;
        }
        const default_action = distance1_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align1_right() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> (bit<8>) meta.back1);
        meta.stored_by1 = 16w0;
    }
    action align1_stay() {
        meta.shifted1 = meta.signed1;
        meta.stored_by1 = meta.distance1;
    }
    table align1 {
        key = {
            meta.distance1 : range @name("distance1");
        }
        actions = {
            align1_right;
            align1_stay;
        }
        const default_action = align1_stay();
        const entries = {
            0x8000..0xFFFF : align1_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add1_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted1;
            reg_mantissa1.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add1_read() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane1.value = old_lo;
        }
    }
    action add1_add() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by1) + meta.shifted1;
            reg_mantissa1.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add1 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds1 : ternary @name("adds1");
            meta.distance1 : range @name("distance1");
            meta.shifted1 : ternary @name("shifted1");
        }
        actions = {
            add1_begin;
            add1_read;
            add1_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add1_begin();
            (3, _, 0..0xFFFF, _) : add1_read();
            (2, 1, 0..0xFFFF, _) : add1_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag1_begin() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag1;
            reg_flags1.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag1_note() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag1;
            reg_flags1.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag1_overflow() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags1.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag1_read() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags1 = old_lo;
        }
    }
    table flag1 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added1 : ternary @name("added1");
            meta.shifted1 : ternary @name("shifted1");
        }
        actions = {
            flag1_begin;
            flag1_note;
            flag1_overflow;
            flag1_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag1_begin();
            (2, _, _) : flag1_note();
            (3, _, _) : flag1_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents2_begin() {
        @atomic {
            bit<16> word;
            reg_exponent2.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming2;
            reg_exponent2.write((bit<32>) meta.copy, new_lo);
            meta.stored2 = new_lo;
        }
    }
    action exponents2_raise() {
        @atomic {
            bit<16> word;
            reg_exponent2.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming2) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming2) : (old_lo);
            reg_exponent2.write((bit<32>) meta.copy, new_lo);
            meta.stored2 = old_lo;
        }
    }
    action exponents2_read() {
        @atomic {
            bit<16> word;
            reg_exponent2.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent2 = old_lo;
        }
    }
    table exponents2 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds2 : ternary @name("adds2");
        }
        actions = {
            exponents2_begin;
            exponents2_raise;
            exponents2_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents2_begin();
            (2, 1) : exponents2_raise();
            (3, _) : exponents2_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance2_subtract() {
        meta.distance2 = meta.incoming2 - meta.stored2;
        meta.back2 = meta.stored2 - meta.incoming2;
    }
    table distance2 {
        actions = {
            distance2_subtract;
        }
        const default_action = distance2_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align2_right() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> (bit<8>) meta.back2);
        meta.stored_by2 = 16w0;
    }
    action align2_stay() {
        meta.shifted2 = meta.signed2;
        meta.stored_by2 = meta.distance2;
    }
    table align2 {
        key = {
            meta.distance2 : range @name("distance2");
        }
        actions = {
            align2_right;
            align2_stay;
        }
        const default_action = align2_stay();
        const entries = {
            0x8000..0xFFFF : align2_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add2_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted2;
            reg_mantissa2.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add2_read() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane2.value = old_lo;
        }
    }
    action add2_add() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by2) + meta.shifted2;
            reg_mantissa2.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add2 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds2 : ternary @name("adds2");
            meta.distance2 : range @name("distance2");
            meta.shifted2 : ternary @name("shifted2");
        }
        actions = {
            add2_begin;
            add2_read;
            add2_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add2_begin();
            (3, _, 0..0xFFFF, _) : add2_read();
            (2, 1, 0..0xFFFF, _) : add2_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag2_begin() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag2;
            reg_flags2.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag2_note() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag2;
            reg_flags2.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag2_overflow() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags2.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag2_read() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags2 = old_lo;
        }
    }
    table flag2 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added2 : ternary @name("added2");
            meta.shifted2 : ternary @name("shifted2");
        }
        actions = {
            flag2_begin;
            flag2_note;
            flag2_overflow;
            flag2_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag2_begin();
            (2, _, _) : flag2_note();
            (3, _, _) : flag2_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents3_begin() {
        @atomic {
            bit<16> word;
            reg_exponent3.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming3;
            reg_exponent3.write((bit<32>) meta.copy, new_lo);
            meta.stored3 = new_lo;
        }
    }
    action exponents3_raise() {
        @atomic {
            bit<16> word;
            reg_exponent3.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming3) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming3) : (old_lo);
            reg_exponent3.write((bit<32>) meta.copy, new_lo);
            meta.stored3 = old_lo;
        }
    }
    action exponents3_read() {
        @atomic {
            bit<16> word;
            reg_exponent3.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent3 = old_lo;
        }
    }
    table exponents3 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds3 : ternary @name("adds3");
        }
        actions = {
            exponents3_begin;
            exponents3_raise;
            exponents3_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents3_begin();
            (2, 1) : exponents3_raise();
            (3, _) : exponents3_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance3_subtract() {
        meta.distance3 = meta.incoming3 - meta.stored3;
        meta.back3 = meta.stored3 - meta.incoming3;
    }
    table distance3 {
        actions = {
            distance3_subtract;
        }
        const default_action = distance3_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align3_right() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> (bit<8>) meta.back3);
        meta.stored_by3 = 16w0;
    }
    action align3_stay() {
        meta.shifted3 = meta.signed3;
        meta.stored_by3 = meta.distance3;
    }
    table align3 {
        key = {
            meta.distance3 : range @name("distance3");
        }
        actions = {
            align3_right;
            align3_stay;
        }
        const default_action = align3_stay();
        const entries = {
            0x8000..0xFFFF : align3_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add3_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted3;
            reg_mantissa3.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add3_read() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane3.value = old_lo;
        }
    }
    action add3_add() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by3) + meta.shifted3;
            reg_mantissa3.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add3 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds3 : ternary @name("adds3");
            meta.distance3 : range @name("distance3");
            meta.shifted3 : ternary @name("shifted3");
        }
        actions = {
            add3_begin;
            add3_read;
            add3_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add3_begin();
            (3, _, 0..0xFFFF, _) : add3_read();
            (2, 1, 0..0xFFFF, _) : add3_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag3_begin() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag3;
            reg_flags3.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag3_note() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag3;
            reg_flags3.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag3_overflow() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags3.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag3_read() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags3 = old_lo;
        }
    }
    table flag3 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added3 : ternary @name("added3");
            meta.shifted3 : ternary @name("shifted3");
        }
        actions = {
            flag3_begin;
            flag3_note;
            flag3_overflow;
            flag3_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag3_begin();
            (2, _, _) : flag3_note();
            (3, _, _) : flag3_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents4_begin() {
        @atomic {
            bit<16> word;
            reg_exponent4.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming4;
            reg_exponent4.write((bit<32>) meta.copy, new_lo);
            meta.stored4 = new_lo;
        }
    }
    action exponents4_raise() {
        @atomic {
            bit<16> word;
            reg_exponent4.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming4) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming4) : (old_lo);
            reg_exponent4.write((bit<32>) meta.copy, new_lo);
            meta.stored4 = old_lo;
        }
    }
    action exponents4_read() {
        @atomic {
            bit<16> word;
            reg_exponent4.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent4 = old_lo;
        }
    }
    table exponents4 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds4 : ternary @name("adds4");
        }
        actions = {
            exponents4_begin;
            exponents4_raise;
            exponents4_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents4_begin();
            (2, 1) : exponents4_raise();
            (3, _) : exponents4_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance4_subtract() {
        meta.distance4 = meta.incoming4 - meta.stored4;
        meta.back4 = meta.stored4 - meta.incoming4;
    }
    table distance4 {
        actions = {
            distance4_subtract;
        }
        const default_action = distance4_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align4_right() {
        meta.shifted4 = (bit<32>) ((int<32>) meta.signed4 >> (bit<8>) meta.back4);
        meta.stored_by4 = 16w0;
    }
    action align4_stay() {
        meta.shifted4 = meta.signed4;
        meta.stored_by4 = meta.distance4;
    }
    table align4 {
        key = {
            meta.distance4 : range @name("distance4");
        }
        actions = {
            align4_right;
            align4_stay;
        }
        const default_action = align4_stay();
        const entries = {
            0x8000..0xFFFF : align4_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add4_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa4.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted4;
            reg_mantissa4.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add4_read() {
        @atomic {
            bit<32> word;
            reg_mantissa4.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane4.value = old_lo;
        }
    }
    action add4_add() {
        @atomic {
            bit<32> word;
            reg_mantissa4.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by4) + meta.shifted4;
            reg_mantissa4.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add4 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds4 : ternary @name("adds4");
            meta.distance4 : range @name("distance4");
            meta.shifted4 : ternary @name("shifted4");
        }
        actions = {
            add4_begin;
            add4_read;
            add4_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add4_begin();
            (3, _, 0..0xFFFF, _) : add4_read();
            (2, 1, 0..0xFFFF, _) : add4_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag4_begin() {
        @atomic {
            bit<8> word;
            reg_flags4.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag4;
            reg_flags4.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag4_note() {
        @atomic {
            bit<8> word;
            reg_flags4.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag4;
            reg_flags4.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag4_overflow() {
        @atomic {
            bit<8> word;
            reg_flags4.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags4.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag4_read() {
        @atomic {
            bit<8> word;
            reg_flags4.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags4 = old_lo;
        }
    }
    table flag4 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added4 : ternary @name("added4");
            meta.shifted4 : ternary @name("shifted4");
        }
        actions = {
            flag4_begin;
            flag4_note;
            flag4_overflow;
            flag4_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag4_begin();
            (2, _, _) : flag4_note();
            (3, _, _) : flag4_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents5_begin() {
        @atomic {
            bit<16> word;
            reg_exponent5.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming5;
            reg_exponent5.write((bit<32>) meta.copy, new_lo);
            meta.stored5 = new_lo;
        }
    }
    action exponents5_raise() {
        @atomic {
            bit<16> word;
            reg_exponent5.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming5) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming5) : (old_lo);
            reg_exponent5.write((bit<32>) meta.copy, new_lo);
            meta.stored5 = old_lo;
        }
    }
    action exponents5_read() {
        @atomic {
            bit<16> word;
            reg_exponent5.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent5 = old_lo;
        }
    }
    table exponents5 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds5 : ternary @name("adds5");
        }
        actions = {
            exponents5_begin;
            exponents5_raise;
            exponents5_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents5_begin();
            (2, 1) : exponents5_raise();
            (3, _) : exponents5_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance5_subtract() {
        meta.distance5 = meta.incoming5 - meta.stored5;
        meta.back5 = meta.stored5 - meta.incoming5;
    }
    table distance5 {
        actions = {
            distance5_subtract;
        }
        const default_action = distance5_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align5_right() {
        meta.shifted5 = (bit<32>) ((int<32>) meta.signed5 >> (bit<8>) meta.back5);
        meta.stored_by5 = 16w0;
    }
    action align5_stay() {
        meta.shifted5 = meta.signed5;
        meta.stored_by5 = meta.distance5;
    }
    table align5 {
        key = {
            meta.distance5 : range @name("distance5");
        }
        actions = {
            align5_right;
            align5_stay;
        }
        const default_action = align5_stay();
        const entries = {
            0x8000..0xFFFF : align5_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add5_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa5.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted5;
            reg_mantissa5.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add5_read() {
        @atomic {
            bit<32> word;
            reg_mantissa5.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane5.value = old_lo;
        }
    }
    action add5_add() {
        @atomic {
            bit<32> word;
            reg_mantissa5.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by5) + meta.shifted5;
            reg_mantissa5.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add5 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds5 : ternary @name("adds5");
            meta.distance5 : range @name("distance5");
            meta.shifted5 : ternary @name("shifted5");
        }
        actions = {
            add5_begin;
            add5_read;
            add5_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add5_begin();
            (3, _, 0..0xFFFF, _) : add5_read();
            (2, 1, 0..0xFFFF, _) : add5_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag5_begin() {
        @atomic {
            bit<8> word;
            reg_flags5.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag5;
            reg_flags5.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag5_note() {
        @atomic {
            bit<8> word;
            reg_flags5.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag5;
            reg_flags5.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag5_overflow() {
        @atomic {
            bit<8> word;
            reg_flags5.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags5.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag5_read() {
        @atomic {
            bit<8> word;
            reg_flags5.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags5 = old_lo;
        }
    }
    table flag5 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added5 : ternary @name("added5");
            meta.shifted5 : ternary @name("shifted5");
        }
        actions = {
            flag5_begin;
            flag5_note;
            flag5_overflow;
            flag5_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag5_begin();
            (2, _, _) : flag5_note();
            (3, _, _) : flag5_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents6_begin() {
        @atomic {
            bit<16> word;
            reg_exponent6.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming6;
            reg_exponent6.write((bit<32>) meta.copy, new_lo);
            meta.stored6 = new_lo;
        }
    }
    action exponents6_raise() {
        @atomic {
            bit<16> word;
            reg_exponent6.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming6) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming6) : (old_lo);
            reg_exponent6.write((bit<32>) meta.copy, new_lo);
            meta.stored6 = old_lo;
        }
    }
    action exponents6_read() {
        @atomic {
            bit<16> word;
            reg_exponent6.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent6 = old_lo;
        }
    }
    table exponents6 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds6 : ternary @name("adds6");
        }
        actions = {
            exponents6_begin;
            exponents6_raise;
            exponents6_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents6_begin();
            (2, 1) : exponents6_raise();
            (3, _) : exponents6_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance6_subtract() {
        meta.distance6 = meta.incoming6 - meta.stored6;
        meta.back6 = meta.stored6 - meta.incoming6;
    }
    table distance6 {
        actions = {
            distance6_subtract;
        }
        const default_action = distance6_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align6_right() {
        meta.shifted6 = (bit<32>) ((int<32>) meta.signed6 >> (bit<8>) meta.back6);
        meta.stored_by6 = 16w0;
    }
    action align6_stay() {
        meta.shifted6 = meta.signed6;
        meta.stored_by6 = meta.distance6;
    }
    table align6 {
        key = {
            meta.distance6 : range @name("distance6");
        }
        actions = {
            align6_right;
            align6_stay;
        }
        const default_action = align6_stay();
        const entries = {
            0x8000..0xFFFF : align6_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add6_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa6.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted6;
            reg_mantissa6.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add6_read() {
        @atomic {
            bit<32> word;
            reg_mantissa6.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane6.value = old_lo;
        }
    }
    action add6_add() {
        @atomic {
            bit<32> word;
            reg_mantissa6.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by6) + meta.shifted6;
            reg_mantissa6.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add6 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds6 : ternary @name("adds6");
            meta.distance6 : range @name("distance6");
            meta.shifted6 : ternary @name("shifted6");
        }
        actions = {
            add6_begin;
            add6_read;
            add6_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add6_begin();
            (3, _, 0..0xFFFF, _) : add6_read();
            (2, 1, 0..0xFFFF, _) : add6_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag6_begin() {
        @atomic {
            bit<8> word;
            reg_flags6.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag6;
            reg_flags6.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag6_note() {
        @atomic {
            bit<8> word;
            reg_flags6.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag6;
            reg_flags6.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag6_overflow() {
        @atomic {
            bit<8> word;
            reg_flags6.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags6.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag6_read() {
        @atomic {
            bit<8> word;
            reg_flags6.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags6 = old_lo;
        }
    }
    table flag6 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added6 : ternary @name("added6");
            meta.shifted6 : ternary @name("shifted6");
        }
        actions = {
            flag6_begin;
            flag6_note;
            flag6_overflow;
            flag6_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag6_begin();
            (2, _, _) : flag6_note();
            (3, _, _) : flag6_read();
        }
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    action exponents7_begin() {
        @atomic {
            bit<16> word;
            reg_exponent7.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming7;
            reg_exponent7.write((bit<32>) meta.copy, new_lo);
            meta.stored7 = new_lo;
        }
    }
    action exponents7_raise() {
        @atomic {
            bit<16> word;
            reg_exponent7.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming7) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming7) : (old_lo);
            reg_exponent7.write((bit<32>) meta.copy, new_lo);
            meta.stored7 = old_lo;
        }
    }
    action exponents7_read() {
        @atomic {
            bit<16> word;
            reg_exponent7.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            hdr.found.exponent7 = old_lo;
        }
    }
    table exponents7 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds7 : ternary @name("adds7");
        }
        actions = {
            exponents7_begin;
            exponents7_raise;
            exponents7_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents7_begin();
            (2, 1) : exponents7_raise();
            (3, _) : exponents7_read();
        }
    }

    // Stage 5. How far the two exponents are apart.
    action distance7_subtract() {
        meta.distance7 = meta.incoming7 - meta.stored7;
        meta.back7 = meta.stored7 - meta.incoming7;
    }
    table distance7 {
        actions = {
            distance7_subtract;
        }
        const default_action = distance7_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align7_right() {
        meta.shifted7 = (bit<32>) ((int<32>) meta.signed7 >> (bit<8>) meta.back7);
        meta.stored_by7 = 16w0;
    }
    action align7_stay() {
        meta.shifted7 = meta.signed7;
        meta.stored_by7 = meta.distance7;
    }
    table align7 {
        key = {
            meta.distance7 : range @name("distance7");
        }
        actions = {
            align7_right;
            align7_stay;
        }
        const default_action = align7_stay();
        const entries = {
            0x8000..0xFFFF : align7_right();
        }
    }

    // Stage 7. R-FPI-5 to 9: replace, or add.
    action add7_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa7.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted7;
            reg_mantissa7.write((bit<32>) meta.copy, new_lo);
        }
    }
    action add7_read() {
        @atomic {
            bit<32> word;
            reg_mantissa7.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            hdr.lane7.value = old_lo;
        }
    }
    action add7_add() {
        @atomic {
            bit<32> word;
            reg_mantissa7.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by7) + meta.shifted7;
            reg_mantissa7.write((bit<32>) meta.copy, new_lo);
        }
    }
    table add7 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.adds7 : ternary @name("adds7");
            meta.distance7 : range @name("distance7");
            meta.shifted7 : ternary @name("shifted7");
        }
        actions = {
            add7_begin;
            add7_read;
            add7_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add7_begin();
            (3, _, 0..0xFFFF, _) : add7_read();
            (2, 1, 0..0xFFFF, _) : add7_add();
        }
    }

    // Stage 8. R-FPI-4, R-FPI-9: flags stay.
    action flag7_begin() {
        @atomic {
            bit<8> word;
            reg_flags7.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag7;
            reg_flags7.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag7_note() {
        @atomic {
            bit<8> word;
            reg_flags7.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag7;
            reg_flags7.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag7_overflow() {
        @atomic {
            bit<8> word;
            reg_flags7.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags7.write((bit<32>) meta.copy, new_lo);
        }
    }
    action flag7_read() {
        @atomic {
            bit<8> word;
            reg_flags7.read(word, (bit<32>) meta.copy);
            bit<8> old_lo = word;
            hdr.found.flags7 = old_lo;
        }
    }
    table flag7 {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.added7 : ternary @name("added7");
            meta.shifted7 : ternary @name("shifted7");
        }
        actions = {
            flag7_begin;
            flag7_note;
            flag7_overflow;
            flag7_read;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag7_begin();
            (2, _, _) : flag7_note();
            (3, _, _) : flag7_read();
        }
    }

    // Stage 8. R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the control plane, or nowhere.
    action outcome_refuse() {
        mark_to_drop(standard_metadata);
    }
    action outcome_mismatch() {
        mark_to_drop(standard_metadata);
        digest<report_t>(1, { hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker });
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
        hdr.lane4.setInvalid();
        hdr.lane5.setInvalid();
        hdr.lane6.setInvalid();
        hdr.lane7.setInvalid();
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
        hdr.lane4.setInvalid();
        hdr.lane5.setInvalid();
        hdr.lane6.setInvalid();
        hdr.lane7.setInvalid();
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
        hdr.lane4.setInvalid();
        hdr.lane5.setInvalid();
        hdr.lane6.setInvalid();
        hdr.lane7.setInvalid();
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
        hdr.lane4.setInvalid();
        hdr.lane5.setInvalid();
        hdr.lane6.setInvalid();
        hdr.lane7.setInvalid();
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
            incoming0.apply();
            extract0.apply();
        }
        // Stage 4
        sign0.apply();
        // Stage 3
        if (hdr.lane1.isValid()) {
            incoming1.apply();
            extract1.apply();
        }
        // Stage 4
        sign1.apply();
        // Stage 3
        if (hdr.lane2.isValid()) {
            incoming2.apply();
            extract2.apply();
        }
        // Stage 4
        sign2.apply();
        // Stage 3
        if (hdr.lane3.isValid()) {
            incoming3.apply();
            extract3.apply();
        }
        // Stage 4
        sign3.apply();
        // Stage 3
        if (hdr.lane4.isValid()) {
            incoming4.apply();
            extract4.apply();
        }
        // Stage 4
        sign4.apply();
        // Stage 3
        if (hdr.lane5.isValid()) {
            incoming5.apply();
            extract5.apply();
        }
        // Stage 4
        sign5.apply();
        // Stage 3
        if (hdr.lane6.isValid()) {
            incoming6.apply();
            extract6.apply();
        }
        // Stage 4
        sign6.apply();
        // Stage 3
        if (hdr.lane7.isValid()) {
            incoming7.apply();
            extract7.apply();
        }
        // Stage 4
        sign7.apply();
        // Stage 5
        if (hdr.netfold.isValid()) {
            show0.apply();
            show1.apply();
            show2.apply();
            show3.apply();
            show4.apply();
            show5.apply();
            show6.apply();
            show7.apply();
        }
        // Stage 4
        exponents0.apply();
        // Stage 5
        distance0.apply();
        // Stage 6
        align0.apply();
        // Stage 7
        add0.apply();
        // Stage 8
        flag0.apply();
        // Stage 4
        exponents1.apply();
        // Stage 5
        distance1.apply();
        // Stage 6
        align1.apply();
        // Stage 7
        add1.apply();
        // Stage 8
        flag1.apply();
        // Stage 4
        exponents2.apply();
        // Stage 5
        distance2.apply();
        // Stage 6
        align2.apply();
        // Stage 7
        add2.apply();
        // Stage 8
        flag2.apply();
        // Stage 4
        exponents3.apply();
        // Stage 5
        distance3.apply();
        // Stage 6
        align3.apply();
        // Stage 7
        add3.apply();
        // Stage 8
        flag3.apply();
        // Stage 4
        exponents4.apply();
        // Stage 5
        distance4.apply();
        // Stage 6
        align4.apply();
        // Stage 7
        add4.apply();
        // Stage 8
        flag4.apply();
        // Stage 4
        exponents5.apply();
        // Stage 5
        distance5.apply();
        // Stage 6
        align5.apply();
        // Stage 7
        add5.apply();
        // Stage 8
        flag5.apply();
        // Stage 4
        exponents6.apply();
        // Stage 5
        distance6.apply();
        // Stage 6
        align6.apply();
        // Stage 7
        add6.apply();
        // Stage 8
        flag6.apply();
        // Stage 4
        exponents7.apply();
        // Stage 5
        distance7.apply();
        // Stage 6
        align7.apply();
        // Stage 7
        add7.apply();
        // Stage 8
        flag7.apply();
        if (hdr.netfold.isValid()) {
            outcome.apply();
        }
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

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude0_plus() {
        meta.absolute0 = hdr.lane0.value;
    }
    action magnitude0_minus() {
        meta.absolute0 = 32w0 - hdr.lane0.value;
        meta.sign0 = 32w0x80000000;
    }
    table magnitude0 {
        key = {
            hdr.lane0.value : ternary @name("value");
        }
        actions = {
            magnitude0_plus;
            magnitude0_minus;
        }
        const default_action = magnitude0_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude0_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise0_left(bit<8> by) {
        meta.normal0 = meta.absolute0 << by;
        meta.normal_exponent0 = hdr.found.exponent0 - (bit<16>) by;
    }
    action normalise0_right(bit<8> by) {
        meta.normal0 = meta.absolute0 >> by;
        meta.normal_exponent0 = hdr.found.exponent0 + (bit<16>) by;
    }
    action normalise0_stay() {
        meta.normal0 = meta.absolute0;
        meta.normal_exponent0 = hdr.found.exponent0;
    }
    table normalise0 {
        key = {
            meta.absolute0 : ternary @name("absolute0");
            hdr.found.exponent0 : range @name("exponent0");
        }
        actions = {
            normalise0_left;
            normalise0_right;
            normalise0_stay;
        }
        const default_action = normalise0_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise0_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise0_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise0_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise0_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise0_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise0_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise0_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise0_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise0_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise0_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise0_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise0_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise0_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise0_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise0_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise0_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise0_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise0_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise0_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise0_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise0_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise0_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise0_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise0_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise0_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise0_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise0_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise0_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise0_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise0_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise0_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise0_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise0_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise0_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise0_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise0_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise0_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise0_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise0_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise0_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise0_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise0_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise0_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise0_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise0_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise0_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise0_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise0_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise0_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise0_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise0_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise0_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise0_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise0_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise0_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise0_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise0_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise0_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise0_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise0_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise0_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise0_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise0_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise0_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise0_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise0_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise0_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise0_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise0_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise0_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise0_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise0_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise0_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise0_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise0_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise0_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise0_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise0_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise0_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise0_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise0_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise0_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise0_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise0_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise0_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise0_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise0_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise0_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise0_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise0_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise0_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise0_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise0_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise0_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise0_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise0_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise0_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise0_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise0_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise0_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise0_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise0_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise0_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise0_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise0_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise0_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise0_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise0_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise0_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise0_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise0_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise0_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise0_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise0_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise0_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise0_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise0_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise0_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise0_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise0_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise0_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise0_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise0_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise0_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise0_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise0_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise0_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise0_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise0_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise0_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise0_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise0_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise0_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise0_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise0_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise0_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise0_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise0_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise0_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise0_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise0_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise0_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise0_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise0_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise0_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise0_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise0_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise0_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise0_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise0_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise0_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise0_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise0_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise0_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise0_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise0_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise0_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise0_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise0_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise0_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise0_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise0_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise0_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise0_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise0_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise0_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise0_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise0_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise0_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise0_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise0_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise0_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise0_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise0_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise0_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise0_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise0_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise0_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise0_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise0_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise0_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise0_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise0_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise0_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise0_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise0_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise0_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise0_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise0_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise0_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise0_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise0_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise0_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise0_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise0_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise0_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise0_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise0_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise0_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise0_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise0_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise0_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise0_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise0_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise0_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise0_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise0_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise0_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise0_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise0_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise0_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise0_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise0_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise0_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise0_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise0_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise0_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise0_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise0_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise0_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise0_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise0_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise0_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise0_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise0_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise0_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise0_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise0_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise0_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise0_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise0_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise0_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise0_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise0_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise0_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise0_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise0_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise0_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise0_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise0_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise0_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise0_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise0_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise0_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise0_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise0_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise0_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise0_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise0_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise0_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise0_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise0_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise0_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise0_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise0_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise0_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise0_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise0_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise0_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise0_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise0_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise0_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise0_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise0_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise0_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise0_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise0_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise0_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise0_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise0_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise0_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise0_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise0_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise0_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise0_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise0_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise0_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise0_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise0_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise0_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise0_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise0_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise0_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise0_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble0_nan() {
        hdr.lane0.value = 32w0x7FC00000;
    }
    action assemble0_positive_infinity() {
        hdr.lane0.value = 32w0x7F800000;
    }
    action assemble0_negative_infinity() {
        hdr.lane0.value = 32w0xFF800000;
    }
    action assemble0_infinite() {
        hdr.lane0.value = meta.sign0 | 32w0x7F800000;
    }
    action assemble0_normal() {
        hdr.lane0.value = meta.sign0[31:31] ++ meta.normal_exponent0[7:0] ++ meta.normal0[22:0];
    }
    action assemble0_subnormal() {
        hdr.lane0.value = meta.sign0 | meta.normal0;
    }
    table assemble0 {
        key = {
            hdr.found.flags0 : ternary @name("flags0");
            meta.normal_exponent0 : range @name("normal_exponent0");
            meta.normal0 : ternary @name("normal0");
        }
        actions = {
            assemble0_nan;
            assemble0_positive_infinity;
            assemble0_negative_infinity;
            assemble0_infinite;
            assemble0_normal;
            assemble0_subnormal;
        }
        const default_action = assemble0_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble0_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble0_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble0_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble0_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble0_nan();
            (_, 0..0xFFFF, 0) : assemble0_subnormal();
            (_, 255..0x7FFF, _) : assemble0_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble0_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude1_plus() {
        meta.absolute1 = hdr.lane1.value;
    }
    action magnitude1_minus() {
        meta.absolute1 = 32w0 - hdr.lane1.value;
        meta.sign1 = 32w0x80000000;
    }
    table magnitude1 {
        key = {
            hdr.lane1.value : ternary @name("value");
        }
        actions = {
            magnitude1_plus;
            magnitude1_minus;
        }
        const default_action = magnitude1_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude1_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise1_left(bit<8> by) {
        meta.normal1 = meta.absolute1 << by;
        meta.normal_exponent1 = hdr.found.exponent1 - (bit<16>) by;
    }
    action normalise1_right(bit<8> by) {
        meta.normal1 = meta.absolute1 >> by;
        meta.normal_exponent1 = hdr.found.exponent1 + (bit<16>) by;
    }
    action normalise1_stay() {
        meta.normal1 = meta.absolute1;
        meta.normal_exponent1 = hdr.found.exponent1;
    }
    table normalise1 {
        key = {
            meta.absolute1 : ternary @name("absolute1");
            hdr.found.exponent1 : range @name("exponent1");
        }
        actions = {
            normalise1_left;
            normalise1_right;
            normalise1_stay;
        }
        const default_action = normalise1_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise1_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise1_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise1_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise1_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise1_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise1_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise1_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise1_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise1_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise1_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise1_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise1_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise1_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise1_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise1_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise1_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise1_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise1_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise1_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise1_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise1_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise1_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise1_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise1_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise1_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise1_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise1_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise1_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise1_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise1_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise1_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise1_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise1_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise1_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise1_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise1_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise1_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise1_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise1_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise1_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise1_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise1_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise1_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise1_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise1_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise1_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise1_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise1_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise1_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise1_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise1_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise1_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise1_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise1_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise1_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise1_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise1_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise1_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise1_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise1_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise1_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise1_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise1_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise1_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise1_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise1_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise1_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise1_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise1_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise1_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise1_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise1_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise1_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise1_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise1_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise1_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise1_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise1_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise1_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise1_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise1_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise1_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise1_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise1_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise1_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise1_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise1_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise1_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise1_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise1_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise1_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise1_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise1_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise1_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise1_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise1_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise1_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise1_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise1_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise1_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise1_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise1_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise1_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise1_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise1_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise1_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise1_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise1_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise1_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise1_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise1_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise1_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise1_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise1_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise1_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise1_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise1_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise1_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise1_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise1_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise1_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise1_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise1_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise1_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise1_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise1_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise1_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise1_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise1_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise1_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise1_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise1_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise1_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise1_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise1_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise1_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise1_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise1_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise1_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise1_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise1_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise1_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise1_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise1_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise1_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise1_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise1_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise1_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise1_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise1_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise1_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise1_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise1_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise1_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise1_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise1_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise1_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise1_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise1_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise1_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise1_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise1_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise1_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise1_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise1_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise1_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise1_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise1_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise1_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise1_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise1_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise1_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise1_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise1_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise1_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise1_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise1_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise1_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise1_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise1_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise1_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise1_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise1_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise1_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise1_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise1_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise1_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise1_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise1_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise1_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise1_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise1_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise1_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise1_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise1_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise1_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise1_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise1_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise1_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise1_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise1_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise1_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise1_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise1_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise1_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise1_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise1_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise1_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise1_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise1_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise1_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise1_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise1_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise1_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise1_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise1_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise1_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise1_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise1_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise1_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise1_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise1_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise1_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise1_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise1_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise1_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise1_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise1_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise1_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise1_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise1_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise1_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise1_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise1_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise1_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise1_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise1_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise1_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise1_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise1_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise1_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise1_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise1_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise1_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise1_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise1_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise1_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise1_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise1_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise1_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise1_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise1_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise1_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise1_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise1_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise1_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise1_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise1_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise1_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise1_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise1_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise1_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise1_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise1_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise1_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise1_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise1_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise1_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise1_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise1_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise1_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise1_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise1_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise1_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise1_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise1_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise1_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise1_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise1_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise1_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise1_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise1_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise1_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise1_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble1_nan() {
        hdr.lane1.value = 32w0x7FC00000;
    }
    action assemble1_positive_infinity() {
        hdr.lane1.value = 32w0x7F800000;
    }
    action assemble1_negative_infinity() {
        hdr.lane1.value = 32w0xFF800000;
    }
    action assemble1_infinite() {
        hdr.lane1.value = meta.sign1 | 32w0x7F800000;
    }
    action assemble1_normal() {
        hdr.lane1.value = meta.sign1[31:31] ++ meta.normal_exponent1[7:0] ++ meta.normal1[22:0];
    }
    action assemble1_subnormal() {
        hdr.lane1.value = meta.sign1 | meta.normal1;
    }
    table assemble1 {
        key = {
            hdr.found.flags1 : ternary @name("flags1");
            meta.normal_exponent1 : range @name("normal_exponent1");
            meta.normal1 : ternary @name("normal1");
        }
        actions = {
            assemble1_nan;
            assemble1_positive_infinity;
            assemble1_negative_infinity;
            assemble1_infinite;
            assemble1_normal;
            assemble1_subnormal;
        }
        const default_action = assemble1_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble1_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble1_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble1_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble1_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble1_nan();
            (_, 0..0xFFFF, 0) : assemble1_subnormal();
            (_, 255..0x7FFF, _) : assemble1_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble1_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude2_plus() {
        meta.absolute2 = hdr.lane2.value;
    }
    action magnitude2_minus() {
        meta.absolute2 = 32w0 - hdr.lane2.value;
        meta.sign2 = 32w0x80000000;
    }
    table magnitude2 {
        key = {
            hdr.lane2.value : ternary @name("value");
        }
        actions = {
            magnitude2_plus;
            magnitude2_minus;
        }
        const default_action = magnitude2_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude2_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise2_left(bit<8> by) {
        meta.normal2 = meta.absolute2 << by;
        meta.normal_exponent2 = hdr.found.exponent2 - (bit<16>) by;
    }
    action normalise2_right(bit<8> by) {
        meta.normal2 = meta.absolute2 >> by;
        meta.normal_exponent2 = hdr.found.exponent2 + (bit<16>) by;
    }
    action normalise2_stay() {
        meta.normal2 = meta.absolute2;
        meta.normal_exponent2 = hdr.found.exponent2;
    }
    table normalise2 {
        key = {
            meta.absolute2 : ternary @name("absolute2");
            hdr.found.exponent2 : range @name("exponent2");
        }
        actions = {
            normalise2_left;
            normalise2_right;
            normalise2_stay;
        }
        const default_action = normalise2_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise2_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise2_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise2_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise2_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise2_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise2_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise2_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise2_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise2_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise2_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise2_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise2_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise2_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise2_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise2_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise2_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise2_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise2_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise2_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise2_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise2_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise2_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise2_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise2_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise2_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise2_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise2_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise2_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise2_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise2_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise2_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise2_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise2_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise2_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise2_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise2_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise2_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise2_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise2_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise2_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise2_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise2_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise2_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise2_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise2_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise2_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise2_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise2_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise2_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise2_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise2_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise2_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise2_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise2_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise2_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise2_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise2_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise2_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise2_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise2_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise2_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise2_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise2_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise2_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise2_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise2_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise2_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise2_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise2_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise2_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise2_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise2_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise2_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise2_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise2_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise2_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise2_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise2_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise2_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise2_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise2_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise2_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise2_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise2_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise2_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise2_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise2_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise2_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise2_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise2_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise2_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise2_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise2_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise2_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise2_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise2_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise2_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise2_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise2_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise2_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise2_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise2_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise2_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise2_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise2_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise2_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise2_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise2_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise2_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise2_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise2_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise2_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise2_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise2_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise2_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise2_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise2_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise2_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise2_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise2_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise2_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise2_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise2_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise2_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise2_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise2_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise2_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise2_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise2_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise2_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise2_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise2_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise2_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise2_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise2_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise2_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise2_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise2_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise2_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise2_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise2_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise2_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise2_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise2_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise2_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise2_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise2_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise2_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise2_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise2_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise2_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise2_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise2_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise2_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise2_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise2_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise2_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise2_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise2_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise2_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise2_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise2_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise2_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise2_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise2_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise2_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise2_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise2_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise2_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise2_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise2_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise2_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise2_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise2_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise2_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise2_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise2_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise2_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise2_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise2_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise2_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise2_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise2_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise2_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise2_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise2_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise2_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise2_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise2_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise2_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise2_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise2_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise2_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise2_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise2_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise2_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise2_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise2_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise2_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise2_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise2_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise2_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise2_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise2_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise2_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise2_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise2_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise2_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise2_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise2_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise2_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise2_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise2_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise2_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise2_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise2_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise2_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise2_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise2_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise2_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise2_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise2_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise2_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise2_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise2_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise2_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise2_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise2_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise2_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise2_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise2_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise2_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise2_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise2_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise2_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise2_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise2_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise2_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise2_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise2_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise2_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise2_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise2_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise2_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise2_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise2_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise2_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise2_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise2_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise2_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise2_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise2_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise2_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise2_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise2_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise2_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise2_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise2_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise2_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise2_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise2_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise2_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise2_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise2_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise2_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise2_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise2_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise2_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise2_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise2_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise2_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise2_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise2_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise2_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise2_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise2_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise2_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise2_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise2_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise2_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise2_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise2_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise2_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise2_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble2_nan() {
        hdr.lane2.value = 32w0x7FC00000;
    }
    action assemble2_positive_infinity() {
        hdr.lane2.value = 32w0x7F800000;
    }
    action assemble2_negative_infinity() {
        hdr.lane2.value = 32w0xFF800000;
    }
    action assemble2_infinite() {
        hdr.lane2.value = meta.sign2 | 32w0x7F800000;
    }
    action assemble2_normal() {
        hdr.lane2.value = meta.sign2[31:31] ++ meta.normal_exponent2[7:0] ++ meta.normal2[22:0];
    }
    action assemble2_subnormal() {
        hdr.lane2.value = meta.sign2 | meta.normal2;
    }
    table assemble2 {
        key = {
            hdr.found.flags2 : ternary @name("flags2");
            meta.normal_exponent2 : range @name("normal_exponent2");
            meta.normal2 : ternary @name("normal2");
        }
        actions = {
            assemble2_nan;
            assemble2_positive_infinity;
            assemble2_negative_infinity;
            assemble2_infinite;
            assemble2_normal;
            assemble2_subnormal;
        }
        const default_action = assemble2_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble2_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble2_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble2_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble2_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble2_nan();
            (_, 0..0xFFFF, 0) : assemble2_subnormal();
            (_, 255..0x7FFF, _) : assemble2_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble2_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude3_plus() {
        meta.absolute3 = hdr.lane3.value;
    }
    action magnitude3_minus() {
        meta.absolute3 = 32w0 - hdr.lane3.value;
        meta.sign3 = 32w0x80000000;
    }
    table magnitude3 {
        key = {
            hdr.lane3.value : ternary @name("value");
        }
        actions = {
            magnitude3_plus;
            magnitude3_minus;
        }
        const default_action = magnitude3_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude3_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise3_left(bit<8> by) {
        meta.normal3 = meta.absolute3 << by;
        meta.normal_exponent3 = hdr.found.exponent3 - (bit<16>) by;
    }
    action normalise3_right(bit<8> by) {
        meta.normal3 = meta.absolute3 >> by;
        meta.normal_exponent3 = hdr.found.exponent3 + (bit<16>) by;
    }
    action normalise3_stay() {
        meta.normal3 = meta.absolute3;
        meta.normal_exponent3 = hdr.found.exponent3;
    }
    table normalise3 {
        key = {
            meta.absolute3 : ternary @name("absolute3");
            hdr.found.exponent3 : range @name("exponent3");
        }
        actions = {
            normalise3_left;
            normalise3_right;
            normalise3_stay;
        }
        const default_action = normalise3_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise3_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise3_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise3_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise3_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise3_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise3_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise3_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise3_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise3_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise3_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise3_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise3_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise3_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise3_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise3_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise3_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise3_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise3_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise3_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise3_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise3_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise3_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise3_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise3_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise3_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise3_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise3_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise3_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise3_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise3_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise3_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise3_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise3_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise3_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise3_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise3_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise3_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise3_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise3_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise3_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise3_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise3_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise3_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise3_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise3_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise3_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise3_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise3_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise3_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise3_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise3_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise3_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise3_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise3_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise3_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise3_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise3_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise3_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise3_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise3_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise3_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise3_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise3_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise3_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise3_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise3_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise3_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise3_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise3_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise3_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise3_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise3_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise3_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise3_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise3_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise3_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise3_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise3_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise3_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise3_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise3_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise3_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise3_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise3_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise3_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise3_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise3_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise3_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise3_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise3_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise3_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise3_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise3_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise3_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise3_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise3_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise3_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise3_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise3_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise3_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise3_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise3_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise3_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise3_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise3_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise3_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise3_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise3_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise3_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise3_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise3_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise3_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise3_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise3_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise3_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise3_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise3_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise3_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise3_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise3_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise3_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise3_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise3_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise3_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise3_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise3_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise3_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise3_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise3_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise3_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise3_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise3_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise3_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise3_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise3_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise3_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise3_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise3_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise3_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise3_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise3_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise3_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise3_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise3_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise3_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise3_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise3_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise3_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise3_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise3_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise3_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise3_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise3_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise3_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise3_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise3_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise3_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise3_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise3_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise3_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise3_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise3_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise3_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise3_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise3_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise3_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise3_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise3_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise3_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise3_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise3_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise3_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise3_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise3_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise3_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise3_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise3_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise3_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise3_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise3_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise3_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise3_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise3_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise3_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise3_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise3_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise3_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise3_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise3_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise3_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise3_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise3_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise3_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise3_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise3_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise3_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise3_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise3_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise3_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise3_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise3_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise3_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise3_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise3_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise3_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise3_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise3_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise3_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise3_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise3_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise3_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise3_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise3_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise3_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise3_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise3_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise3_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise3_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise3_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise3_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise3_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise3_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise3_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise3_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise3_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise3_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise3_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise3_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise3_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise3_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise3_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise3_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise3_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise3_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise3_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise3_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise3_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise3_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise3_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise3_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise3_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise3_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise3_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise3_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise3_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise3_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise3_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise3_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise3_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise3_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise3_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise3_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise3_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise3_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise3_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise3_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise3_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise3_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise3_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise3_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise3_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise3_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise3_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise3_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise3_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise3_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise3_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise3_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise3_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise3_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise3_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise3_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise3_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise3_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise3_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise3_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise3_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise3_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise3_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise3_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise3_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise3_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise3_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise3_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble3_nan() {
        hdr.lane3.value = 32w0x7FC00000;
    }
    action assemble3_positive_infinity() {
        hdr.lane3.value = 32w0x7F800000;
    }
    action assemble3_negative_infinity() {
        hdr.lane3.value = 32w0xFF800000;
    }
    action assemble3_infinite() {
        hdr.lane3.value = meta.sign3 | 32w0x7F800000;
    }
    action assemble3_normal() {
        hdr.lane3.value = meta.sign3[31:31] ++ meta.normal_exponent3[7:0] ++ meta.normal3[22:0];
    }
    action assemble3_subnormal() {
        hdr.lane3.value = meta.sign3 | meta.normal3;
    }
    table assemble3 {
        key = {
            hdr.found.flags3 : ternary @name("flags3");
            meta.normal_exponent3 : range @name("normal_exponent3");
            meta.normal3 : ternary @name("normal3");
        }
        actions = {
            assemble3_nan;
            assemble3_positive_infinity;
            assemble3_negative_infinity;
            assemble3_infinite;
            assemble3_normal;
            assemble3_subnormal;
        }
        const default_action = assemble3_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble3_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble3_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble3_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble3_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble3_nan();
            (_, 0..0xFFFF, 0) : assemble3_subnormal();
            (_, 255..0x7FFF, _) : assemble3_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble3_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude4_plus() {
        meta.absolute4 = hdr.lane4.value;
    }
    action magnitude4_minus() {
        meta.absolute4 = 32w0 - hdr.lane4.value;
        meta.sign4 = 32w0x80000000;
    }
    table magnitude4 {
        key = {
            hdr.lane4.value : ternary @name("value");
        }
        actions = {
            magnitude4_plus;
            magnitude4_minus;
        }
        const default_action = magnitude4_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude4_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise4_left(bit<8> by) {
        meta.normal4 = meta.absolute4 << by;
        meta.normal_exponent4 = hdr.found.exponent4 - (bit<16>) by;
    }
    action normalise4_right(bit<8> by) {
        meta.normal4 = meta.absolute4 >> by;
        meta.normal_exponent4 = hdr.found.exponent4 + (bit<16>) by;
    }
    action normalise4_stay() {
        meta.normal4 = meta.absolute4;
        meta.normal_exponent4 = hdr.found.exponent4;
    }
    table normalise4 {
        key = {
            meta.absolute4 : ternary @name("absolute4");
            hdr.found.exponent4 : range @name("exponent4");
        }
        actions = {
            normalise4_left;
            normalise4_right;
            normalise4_stay;
        }
        const default_action = normalise4_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise4_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise4_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise4_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise4_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise4_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise4_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise4_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise4_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise4_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise4_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise4_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise4_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise4_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise4_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise4_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise4_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise4_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise4_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise4_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise4_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise4_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise4_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise4_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise4_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise4_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise4_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise4_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise4_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise4_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise4_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise4_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise4_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise4_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise4_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise4_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise4_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise4_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise4_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise4_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise4_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise4_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise4_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise4_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise4_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise4_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise4_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise4_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise4_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise4_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise4_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise4_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise4_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise4_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise4_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise4_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise4_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise4_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise4_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise4_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise4_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise4_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise4_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise4_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise4_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise4_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise4_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise4_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise4_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise4_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise4_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise4_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise4_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise4_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise4_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise4_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise4_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise4_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise4_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise4_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise4_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise4_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise4_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise4_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise4_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise4_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise4_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise4_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise4_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise4_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise4_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise4_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise4_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise4_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise4_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise4_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise4_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise4_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise4_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise4_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise4_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise4_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise4_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise4_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise4_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise4_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise4_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise4_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise4_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise4_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise4_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise4_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise4_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise4_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise4_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise4_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise4_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise4_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise4_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise4_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise4_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise4_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise4_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise4_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise4_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise4_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise4_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise4_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise4_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise4_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise4_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise4_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise4_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise4_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise4_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise4_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise4_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise4_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise4_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise4_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise4_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise4_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise4_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise4_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise4_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise4_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise4_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise4_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise4_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise4_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise4_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise4_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise4_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise4_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise4_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise4_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise4_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise4_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise4_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise4_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise4_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise4_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise4_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise4_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise4_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise4_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise4_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise4_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise4_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise4_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise4_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise4_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise4_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise4_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise4_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise4_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise4_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise4_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise4_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise4_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise4_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise4_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise4_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise4_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise4_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise4_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise4_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise4_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise4_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise4_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise4_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise4_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise4_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise4_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise4_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise4_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise4_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise4_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise4_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise4_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise4_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise4_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise4_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise4_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise4_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise4_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise4_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise4_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise4_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise4_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise4_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise4_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise4_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise4_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise4_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise4_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise4_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise4_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise4_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise4_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise4_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise4_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise4_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise4_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise4_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise4_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise4_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise4_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise4_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise4_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise4_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise4_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise4_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise4_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise4_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise4_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise4_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise4_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise4_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise4_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise4_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise4_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise4_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise4_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise4_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise4_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise4_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise4_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise4_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise4_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise4_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise4_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise4_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise4_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise4_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise4_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise4_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise4_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise4_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise4_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise4_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise4_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise4_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise4_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise4_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise4_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise4_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise4_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise4_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise4_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise4_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise4_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise4_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise4_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise4_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise4_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise4_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise4_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise4_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise4_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise4_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise4_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise4_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise4_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise4_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble4_nan() {
        hdr.lane4.value = 32w0x7FC00000;
    }
    action assemble4_positive_infinity() {
        hdr.lane4.value = 32w0x7F800000;
    }
    action assemble4_negative_infinity() {
        hdr.lane4.value = 32w0xFF800000;
    }
    action assemble4_infinite() {
        hdr.lane4.value = meta.sign4 | 32w0x7F800000;
    }
    action assemble4_normal() {
        hdr.lane4.value = meta.sign4[31:31] ++ meta.normal_exponent4[7:0] ++ meta.normal4[22:0];
    }
    action assemble4_subnormal() {
        hdr.lane4.value = meta.sign4 | meta.normal4;
    }
    table assemble4 {
        key = {
            hdr.found.flags4 : ternary @name("flags4");
            meta.normal_exponent4 : range @name("normal_exponent4");
            meta.normal4 : ternary @name("normal4");
        }
        actions = {
            assemble4_nan;
            assemble4_positive_infinity;
            assemble4_negative_infinity;
            assemble4_infinite;
            assemble4_normal;
            assemble4_subnormal;
        }
        const default_action = assemble4_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble4_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble4_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble4_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble4_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble4_nan();
            (_, 0..0xFFFF, 0) : assemble4_subnormal();
            (_, 255..0x7FFF, _) : assemble4_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble4_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude5_plus() {
        meta.absolute5 = hdr.lane5.value;
    }
    action magnitude5_minus() {
        meta.absolute5 = 32w0 - hdr.lane5.value;
        meta.sign5 = 32w0x80000000;
    }
    table magnitude5 {
        key = {
            hdr.lane5.value : ternary @name("value");
        }
        actions = {
            magnitude5_plus;
            magnitude5_minus;
        }
        const default_action = magnitude5_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude5_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise5_left(bit<8> by) {
        meta.normal5 = meta.absolute5 << by;
        meta.normal_exponent5 = hdr.found.exponent5 - (bit<16>) by;
    }
    action normalise5_right(bit<8> by) {
        meta.normal5 = meta.absolute5 >> by;
        meta.normal_exponent5 = hdr.found.exponent5 + (bit<16>) by;
    }
    action normalise5_stay() {
        meta.normal5 = meta.absolute5;
        meta.normal_exponent5 = hdr.found.exponent5;
    }
    table normalise5 {
        key = {
            meta.absolute5 : ternary @name("absolute5");
            hdr.found.exponent5 : range @name("exponent5");
        }
        actions = {
            normalise5_left;
            normalise5_right;
            normalise5_stay;
        }
        const default_action = normalise5_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise5_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise5_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise5_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise5_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise5_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise5_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise5_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise5_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise5_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise5_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise5_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise5_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise5_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise5_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise5_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise5_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise5_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise5_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise5_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise5_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise5_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise5_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise5_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise5_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise5_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise5_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise5_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise5_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise5_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise5_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise5_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise5_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise5_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise5_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise5_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise5_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise5_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise5_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise5_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise5_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise5_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise5_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise5_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise5_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise5_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise5_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise5_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise5_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise5_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise5_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise5_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise5_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise5_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise5_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise5_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise5_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise5_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise5_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise5_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise5_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise5_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise5_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise5_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise5_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise5_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise5_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise5_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise5_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise5_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise5_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise5_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise5_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise5_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise5_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise5_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise5_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise5_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise5_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise5_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise5_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise5_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise5_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise5_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise5_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise5_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise5_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise5_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise5_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise5_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise5_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise5_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise5_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise5_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise5_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise5_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise5_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise5_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise5_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise5_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise5_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise5_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise5_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise5_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise5_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise5_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise5_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise5_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise5_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise5_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise5_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise5_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise5_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise5_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise5_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise5_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise5_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise5_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise5_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise5_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise5_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise5_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise5_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise5_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise5_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise5_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise5_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise5_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise5_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise5_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise5_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise5_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise5_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise5_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise5_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise5_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise5_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise5_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise5_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise5_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise5_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise5_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise5_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise5_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise5_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise5_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise5_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise5_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise5_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise5_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise5_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise5_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise5_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise5_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise5_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise5_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise5_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise5_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise5_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise5_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise5_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise5_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise5_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise5_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise5_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise5_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise5_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise5_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise5_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise5_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise5_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise5_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise5_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise5_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise5_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise5_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise5_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise5_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise5_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise5_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise5_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise5_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise5_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise5_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise5_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise5_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise5_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise5_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise5_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise5_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise5_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise5_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise5_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise5_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise5_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise5_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise5_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise5_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise5_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise5_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise5_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise5_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise5_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise5_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise5_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise5_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise5_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise5_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise5_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise5_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise5_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise5_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise5_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise5_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise5_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise5_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise5_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise5_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise5_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise5_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise5_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise5_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise5_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise5_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise5_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise5_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise5_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise5_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise5_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise5_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise5_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise5_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise5_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise5_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise5_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise5_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise5_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise5_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise5_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise5_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise5_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise5_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise5_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise5_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise5_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise5_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise5_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise5_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise5_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise5_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise5_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise5_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise5_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise5_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise5_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise5_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise5_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise5_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise5_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise5_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise5_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise5_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise5_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise5_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise5_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise5_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise5_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise5_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise5_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise5_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise5_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise5_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise5_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise5_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise5_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise5_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise5_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise5_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise5_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise5_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise5_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise5_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise5_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise5_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise5_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble5_nan() {
        hdr.lane5.value = 32w0x7FC00000;
    }
    action assemble5_positive_infinity() {
        hdr.lane5.value = 32w0x7F800000;
    }
    action assemble5_negative_infinity() {
        hdr.lane5.value = 32w0xFF800000;
    }
    action assemble5_infinite() {
        hdr.lane5.value = meta.sign5 | 32w0x7F800000;
    }
    action assemble5_normal() {
        hdr.lane5.value = meta.sign5[31:31] ++ meta.normal_exponent5[7:0] ++ meta.normal5[22:0];
    }
    action assemble5_subnormal() {
        hdr.lane5.value = meta.sign5 | meta.normal5;
    }
    table assemble5 {
        key = {
            hdr.found.flags5 : ternary @name("flags5");
            meta.normal_exponent5 : range @name("normal_exponent5");
            meta.normal5 : ternary @name("normal5");
        }
        actions = {
            assemble5_nan;
            assemble5_positive_infinity;
            assemble5_negative_infinity;
            assemble5_infinite;
            assemble5_normal;
            assemble5_subnormal;
        }
        const default_action = assemble5_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble5_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble5_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble5_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble5_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble5_nan();
            (_, 0..0xFFFF, 0) : assemble5_subnormal();
            (_, 255..0x7FFF, _) : assemble5_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble5_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude6_plus() {
        meta.absolute6 = hdr.lane6.value;
    }
    action magnitude6_minus() {
        meta.absolute6 = 32w0 - hdr.lane6.value;
        meta.sign6 = 32w0x80000000;
    }
    table magnitude6 {
        key = {
            hdr.lane6.value : ternary @name("value");
        }
        actions = {
            magnitude6_plus;
            magnitude6_minus;
        }
        const default_action = magnitude6_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude6_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise6_left(bit<8> by) {
        meta.normal6 = meta.absolute6 << by;
        meta.normal_exponent6 = hdr.found.exponent6 - (bit<16>) by;
    }
    action normalise6_right(bit<8> by) {
        meta.normal6 = meta.absolute6 >> by;
        meta.normal_exponent6 = hdr.found.exponent6 + (bit<16>) by;
    }
    action normalise6_stay() {
        meta.normal6 = meta.absolute6;
        meta.normal_exponent6 = hdr.found.exponent6;
    }
    table normalise6 {
        key = {
            meta.absolute6 : ternary @name("absolute6");
            hdr.found.exponent6 : range @name("exponent6");
        }
        actions = {
            normalise6_left;
            normalise6_right;
            normalise6_stay;
        }
        const default_action = normalise6_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise6_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise6_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise6_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise6_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise6_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise6_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise6_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise6_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise6_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise6_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise6_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise6_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise6_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise6_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise6_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise6_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise6_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise6_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise6_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise6_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise6_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise6_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise6_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise6_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise6_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise6_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise6_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise6_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise6_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise6_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise6_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise6_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise6_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise6_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise6_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise6_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise6_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise6_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise6_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise6_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise6_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise6_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise6_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise6_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise6_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise6_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise6_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise6_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise6_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise6_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise6_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise6_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise6_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise6_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise6_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise6_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise6_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise6_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise6_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise6_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise6_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise6_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise6_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise6_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise6_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise6_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise6_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise6_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise6_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise6_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise6_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise6_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise6_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise6_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise6_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise6_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise6_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise6_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise6_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise6_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise6_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise6_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise6_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise6_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise6_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise6_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise6_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise6_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise6_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise6_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise6_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise6_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise6_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise6_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise6_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise6_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise6_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise6_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise6_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise6_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise6_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise6_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise6_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise6_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise6_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise6_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise6_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise6_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise6_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise6_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise6_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise6_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise6_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise6_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise6_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise6_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise6_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise6_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise6_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise6_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise6_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise6_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise6_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise6_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise6_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise6_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise6_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise6_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise6_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise6_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise6_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise6_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise6_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise6_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise6_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise6_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise6_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise6_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise6_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise6_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise6_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise6_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise6_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise6_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise6_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise6_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise6_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise6_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise6_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise6_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise6_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise6_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise6_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise6_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise6_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise6_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise6_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise6_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise6_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise6_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise6_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise6_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise6_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise6_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise6_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise6_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise6_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise6_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise6_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise6_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise6_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise6_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise6_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise6_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise6_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise6_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise6_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise6_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise6_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise6_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise6_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise6_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise6_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise6_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise6_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise6_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise6_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise6_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise6_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise6_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise6_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise6_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise6_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise6_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise6_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise6_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise6_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise6_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise6_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise6_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise6_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise6_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise6_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise6_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise6_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise6_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise6_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise6_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise6_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise6_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise6_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise6_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise6_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise6_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise6_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise6_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise6_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise6_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise6_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise6_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise6_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise6_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise6_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise6_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise6_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise6_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise6_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise6_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise6_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise6_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise6_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise6_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise6_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise6_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise6_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise6_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise6_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise6_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise6_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise6_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise6_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise6_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise6_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise6_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise6_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise6_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise6_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise6_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise6_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise6_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise6_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise6_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise6_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise6_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise6_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise6_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise6_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise6_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise6_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise6_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise6_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise6_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise6_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise6_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise6_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise6_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise6_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise6_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise6_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise6_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise6_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise6_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise6_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise6_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise6_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise6_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise6_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise6_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise6_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise6_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise6_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise6_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise6_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise6_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble6_nan() {
        hdr.lane6.value = 32w0x7FC00000;
    }
    action assemble6_positive_infinity() {
        hdr.lane6.value = 32w0x7F800000;
    }
    action assemble6_negative_infinity() {
        hdr.lane6.value = 32w0xFF800000;
    }
    action assemble6_infinite() {
        hdr.lane6.value = meta.sign6 | 32w0x7F800000;
    }
    action assemble6_normal() {
        hdr.lane6.value = meta.sign6[31:31] ++ meta.normal_exponent6[7:0] ++ meta.normal6[22:0];
    }
    action assemble6_subnormal() {
        hdr.lane6.value = meta.sign6 | meta.normal6;
    }
    table assemble6 {
        key = {
            hdr.found.flags6 : ternary @name("flags6");
            meta.normal_exponent6 : range @name("normal_exponent6");
            meta.normal6 : ternary @name("normal6");
        }
        actions = {
            assemble6_nan;
            assemble6_positive_infinity;
            assemble6_negative_infinity;
            assemble6_infinite;
            assemble6_normal;
            assemble6_subnormal;
        }
        const default_action = assemble6_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble6_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble6_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble6_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble6_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble6_nan();
            (_, 0..0xFFFF, 0) : assemble6_subnormal();
            (_, 255..0x7FFF, _) : assemble6_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble6_normal();
        }
    }

    // Stage 8. R-FPI-10: sign and magnitude.
    action magnitude7_plus() {
        meta.absolute7 = hdr.lane7.value;
    }
    action magnitude7_minus() {
        meta.absolute7 = 32w0 - hdr.lane7.value;
        meta.sign7 = 32w0x80000000;
    }
    table magnitude7 {
        key = {
            hdr.lane7.value : ternary @name("value");
        }
        actions = {
            magnitude7_plus;
            magnitude7_minus;
        }
        const default_action = magnitude7_plus();
        const entries = {
            0x80000000 &&& 0x80000000 : magnitude7_minus();
        }
    }

    // Stage 9. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise7_left(bit<8> by) {
        meta.normal7 = meta.absolute7 << by;
        meta.normal_exponent7 = hdr.found.exponent7 - (bit<16>) by;
    }
    action normalise7_right(bit<8> by) {
        meta.normal7 = meta.absolute7 >> by;
        meta.normal_exponent7 = hdr.found.exponent7 + (bit<16>) by;
    }
    action normalise7_stay() {
        meta.normal7 = meta.absolute7;
        meta.normal_exponent7 = hdr.found.exponent7;
    }
    table normalise7 {
        key = {
            meta.absolute7 : ternary @name("absolute7");
            hdr.found.exponent7 : range @name("exponent7");
        }
        actions = {
            normalise7_left;
            normalise7_right;
            normalise7_stay;
        }
        const default_action = normalise7_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise7_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise7_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise7_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise7_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise7_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise7_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise7_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise7_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise7_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise7_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise7_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise7_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise7_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise7_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise7_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise7_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise7_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise7_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise7_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise7_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise7_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise7_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise7_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise7_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise7_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise7_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise7_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise7_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise7_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise7_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise7_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise7_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise7_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise7_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise7_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise7_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise7_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise7_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise7_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise7_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise7_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise7_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise7_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise7_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise7_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise7_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise7_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise7_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise7_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise7_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise7_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise7_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise7_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise7_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise7_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise7_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise7_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise7_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise7_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise7_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise7_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise7_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise7_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise7_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise7_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise7_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise7_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise7_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise7_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise7_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise7_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise7_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise7_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise7_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise7_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise7_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise7_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise7_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise7_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise7_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise7_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise7_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise7_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise7_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise7_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise7_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise7_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise7_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise7_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise7_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise7_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise7_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise7_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise7_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise7_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise7_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise7_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise7_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise7_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise7_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise7_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise7_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise7_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise7_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise7_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise7_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise7_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise7_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise7_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise7_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise7_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise7_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise7_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise7_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise7_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise7_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise7_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise7_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise7_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise7_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise7_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise7_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise7_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise7_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise7_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise7_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise7_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise7_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise7_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise7_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise7_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise7_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise7_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise7_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise7_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise7_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise7_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise7_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise7_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise7_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise7_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise7_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise7_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise7_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise7_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise7_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise7_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise7_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise7_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise7_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise7_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise7_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise7_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise7_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise7_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise7_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise7_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise7_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise7_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise7_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise7_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise7_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise7_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise7_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise7_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise7_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise7_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise7_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise7_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise7_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise7_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise7_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise7_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise7_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise7_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise7_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise7_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise7_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise7_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise7_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise7_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise7_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise7_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise7_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise7_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise7_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise7_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise7_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise7_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise7_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise7_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise7_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise7_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise7_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise7_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise7_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise7_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise7_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise7_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise7_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise7_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise7_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise7_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise7_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise7_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise7_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise7_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise7_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise7_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise7_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise7_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise7_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise7_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise7_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise7_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise7_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise7_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise7_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise7_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise7_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise7_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise7_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise7_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise7_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise7_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise7_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise7_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise7_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise7_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise7_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise7_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise7_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise7_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise7_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise7_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise7_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise7_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise7_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise7_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise7_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise7_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise7_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise7_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise7_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise7_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise7_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise7_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise7_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise7_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise7_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise7_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise7_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise7_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise7_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise7_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise7_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise7_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise7_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise7_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise7_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise7_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise7_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise7_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise7_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise7_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise7_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise7_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise7_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise7_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise7_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise7_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise7_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise7_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise7_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise7_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise7_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise7_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise7_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise7_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise7_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise7_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise7_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise7_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise7_right(8);
        }
    }

    // Stage 10. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble7_nan() {
        hdr.lane7.value = 32w0x7FC00000;
    }
    action assemble7_positive_infinity() {
        hdr.lane7.value = 32w0x7F800000;
    }
    action assemble7_negative_infinity() {
        hdr.lane7.value = 32w0xFF800000;
    }
    action assemble7_infinite() {
        hdr.lane7.value = meta.sign7 | 32w0x7F800000;
    }
    action assemble7_normal() {
        hdr.lane7.value = meta.sign7[31:31] ++ meta.normal_exponent7[7:0] ++ meta.normal7[22:0];
    }
    action assemble7_subnormal() {
        hdr.lane7.value = meta.sign7 | meta.normal7;
    }
    table assemble7 {
        key = {
            hdr.found.flags7 : ternary @name("flags7");
            meta.normal_exponent7 : range @name("normal_exponent7");
            meta.normal7 : ternary @name("normal7");
        }
        actions = {
            assemble7_nan;
            assemble7_positive_infinity;
            assemble7_negative_infinity;
            assemble7_infinite;
            assemble7_normal;
            assemble7_subnormal;
        }
        const default_action = assemble7_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble7_nan();
            (3 &&& 3, 0..0xFFFF, _) : assemble7_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble7_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble7_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble7_nan();
            (_, 0..0xFFFF, 0) : assemble7_subnormal();
            (_, 255..0x7FFF, _) : assemble7_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble7_normal();
        }
    }

    // Stage 10. R-PISA-36: what sums were put together from.
    action strip_strip() {
        hdr.found.setInvalid();
    }
    table strip {
        actions = {
            strip_strip;
        }
        const default_action = strip_strip();
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
        // Stage 8
        if (hdr.lane0.isValid()) {
            magnitude0.apply();
        }
        // Stage 9
        if (hdr.lane0.isValid()) {
            normalise0.apply();
        }
        // Stage 10
        if (hdr.lane0.isValid()) {
            assemble0.apply();
        }
        // Stage 8
        if (hdr.lane1.isValid()) {
            magnitude1.apply();
        }
        // Stage 9
        if (hdr.lane1.isValid()) {
            normalise1.apply();
        }
        // Stage 10
        if (hdr.lane1.isValid()) {
            assemble1.apply();
        }
        // Stage 8
        if (hdr.lane2.isValid()) {
            magnitude2.apply();
        }
        // Stage 9
        if (hdr.lane2.isValid()) {
            normalise2.apply();
        }
        // Stage 10
        if (hdr.lane2.isValid()) {
            assemble2.apply();
        }
        // Stage 8
        if (hdr.lane3.isValid()) {
            magnitude3.apply();
        }
        // Stage 9
        if (hdr.lane3.isValid()) {
            normalise3.apply();
        }
        // Stage 10
        if (hdr.lane3.isValid()) {
            assemble3.apply();
        }
        // Stage 8
        if (hdr.lane4.isValid()) {
            magnitude4.apply();
        }
        // Stage 9
        if (hdr.lane4.isValid()) {
            normalise4.apply();
        }
        // Stage 10
        if (hdr.lane4.isValid()) {
            assemble4.apply();
        }
        // Stage 8
        if (hdr.lane5.isValid()) {
            magnitude5.apply();
        }
        // Stage 9
        if (hdr.lane5.isValid()) {
            normalise5.apply();
        }
        // Stage 10
        if (hdr.lane5.isValid()) {
            assemble5.apply();
        }
        // Stage 8
        if (hdr.lane6.isValid()) {
            magnitude6.apply();
        }
        // Stage 9
        if (hdr.lane6.isValid()) {
            normalise6.apply();
        }
        // Stage 10
        if (hdr.lane6.isValid()) {
            assemble6.apply();
        }
        // Stage 8
        if (hdr.lane7.isValid()) {
            magnitude7.apply();
        }
        // Stage 9
        if (hdr.lane7.isValid()) {
            normalise7.apply();
        }
        // Stage 10
        if (hdr.lane7.isValid()) {
            assemble7.apply();
        }
        if (hdr.found.isValid()) {
            strip.apply();
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
        packet.emit(hdr.lane4);
        packet.emit(hdr.lane5);
        packet.emit(hdr.lane6);
        packet.emit(hdr.lane7);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(), SwitchComputeChecksum(), SwitchDeparser()) main;
