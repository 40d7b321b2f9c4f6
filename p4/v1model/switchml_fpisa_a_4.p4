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
            bool first_holds = (int<16>) (old_lo - meta.incoming0 + 16w7) < 0;
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
    }
    table distance0 {
        actions = {
            distance0_subtract;
        }
        const default_action = distance0_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align0_right1() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 1);
    }
    action align0_right2() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 2);
    }
    action align0_right3() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 3);
    }
    action align0_right4() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 4);
    }
    action align0_right5() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 5);
    }
    action align0_right6() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 6);
    }
    action align0_right7() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 7);
    }
    action align0_right8() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 8);
    }
    action align0_right9() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 9);
    }
    action align0_right10() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 10);
    }
    action align0_right11() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 11);
    }
    action align0_right12() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 12);
    }
    action align0_right13() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 13);
    }
    action align0_right14() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 14);
    }
    action align0_right15() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 15);
    }
    action align0_right16() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 16);
    }
    action align0_right17() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 17);
    }
    action align0_right18() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 18);
    }
    action align0_right19() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 19);
    }
    action align0_right20() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 20);
    }
    action align0_right21() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 21);
    }
    action align0_right22() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 22);
    }
    action align0_right23() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 23);
    }
    action align0_right24() {
        meta.shifted0 = (bit<32>) ((int<32>) meta.signed0 >> 24);
    }
    action align0_left1() {
        meta.shifted0 = meta.signed0 << 1;
    }
    action align0_left2() {
        meta.shifted0 = meta.signed0 << 2;
    }
    action align0_left3() {
        meta.shifted0 = meta.signed0 << 3;
    }
    action align0_left4() {
        meta.shifted0 = meta.signed0 << 4;
    }
    action align0_left5() {
        meta.shifted0 = meta.signed0 << 5;
    }
    action align0_left6() {
        meta.shifted0 = meta.signed0 << 6;
    }
    action align0_left7() {
        meta.shifted0 = meta.signed0 << 7;
    }
    action align0_stay() {
        meta.shifted0 = meta.signed0;
    }
    table align0 {
        key = {
            meta.distance0 : range @name("distance0");
        }
        actions = {
            align0_right1;
            align0_right2;
            align0_right3;
            align0_right4;
            align0_right5;
            align0_right6;
            align0_right7;
            align0_right8;
            align0_right9;
            align0_right10;
            align0_right11;
            align0_right12;
            align0_right13;
            align0_right14;
            align0_right15;
            align0_right16;
            align0_right17;
            align0_right18;
            align0_right19;
            align0_right20;
            align0_right21;
            align0_right22;
            align0_right23;
            align0_right24;
            align0_left1;
            align0_left2;
            align0_left3;
            align0_left4;
            align0_left5;
            align0_left6;
            align0_left7;
            align0_stay;
        }
        const default_action = align0_stay();
        const entries = {
            0xFFFF..0xFFFF : align0_right1();
            0xFFFE..0xFFFE : align0_right2();
            0xFFFD..0xFFFD : align0_right3();
            0xFFFC..0xFFFC : align0_right4();
            0xFFFB..0xFFFB : align0_right5();
            0xFFFA..0xFFFA : align0_right6();
            0xFFF9..0xFFF9 : align0_right7();
            0xFFF8..0xFFF8 : align0_right8();
            0xFFF7..0xFFF7 : align0_right9();
            0xFFF6..0xFFF6 : align0_right10();
            0xFFF5..0xFFF5 : align0_right11();
            0xFFF4..0xFFF4 : align0_right12();
            0xFFF3..0xFFF3 : align0_right13();
            0xFFF2..0xFFF2 : align0_right14();
            0xFFF1..0xFFF1 : align0_right15();
            0xFFF0..0xFFF0 : align0_right16();
            0xFFEF..0xFFEF : align0_right17();
            0xFFEE..0xFFEE : align0_right18();
            0xFFED..0xFFED : align0_right19();
            0xFFEC..0xFFEC : align0_right20();
            0xFFEB..0xFFEB : align0_right21();
            0xFFEA..0xFFEA : align0_right22();
            0xFFE9..0xFFE9 : align0_right23();
            0x8000..0xFFE8 : align0_right24();
            1..1 : align0_left1();
            2..2 : align0_left2();
            3..3 : align0_left3();
            4..4 : align0_left4();
            5..5 : align0_left5();
            6..6 : align0_left6();
            7..7 : align0_left7();
        }
    }

    // Stage 7. R-FPI-9: beyond this the sum does not fit.
    action limit0_of_largest() {
        meta.limit0 = 32w0x7FFFFFFF - meta.shifted0;
    }
    action limit0_of_smallest() {
        meta.limit0 = 32w0x80000000 - meta.shifted0;
    }
    table limit0 {
        key = {
            meta.shifted0 : ternary @name("shifted0");
        }
        actions = {
            limit0_of_largest;
            limit0_of_smallest;
        }
        const default_action = limit0_of_largest();
        const entries = {
            0x80000000 &&& 0x80000000 : limit0_of_smallest();
        }
    }

    // Stage 8. R-FPI-5 to 9: replace, or add.
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
    action add0_add_up() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit0) > 0;
            bit<32> new_lo = old_lo + meta.shifted0;
            reg_mantissa0.write((bit<32>) meta.copy, new_lo);
            meta.added0 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add0_add_down() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit0) < 0;
            bit<32> new_lo = old_lo + meta.shifted0;
            reg_mantissa0.write((bit<32>) meta.copy, new_lo);
            meta.added0 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
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
            add0_add_up;
            add0_add_down;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add0_begin();
            (3, _, 0..0xFFFF, _) : add0_read();
            (2, 1, 8..0x7FFF, _) : add0_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add0_add_down();
            (2, 1, 0..0xFFFF, _) : add0_add_up();
        }
    }

    // Stage 9. R-FPI-4, R-FPI-9: flags stay.
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
        meta.overflowed0 = 1w1;
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
            (2, 4, 0 &&& 0x80000000) : flag0_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag0_overflow();
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
            bool first_holds = (int<16>) (old_lo - meta.incoming1 + 16w7) < 0;
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
    }
    table distance1 {
        actions = {
            distance1_subtract;
        }
        const default_action = distance1_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align1_right1() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 1);
    }
    action align1_right2() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 2);
    }
    action align1_right3() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 3);
    }
    action align1_right4() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 4);
    }
    action align1_right5() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 5);
    }
    action align1_right6() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 6);
    }
    action align1_right7() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 7);
    }
    action align1_right8() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 8);
    }
    action align1_right9() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 9);
    }
    action align1_right10() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 10);
    }
    action align1_right11() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 11);
    }
    action align1_right12() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 12);
    }
    action align1_right13() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 13);
    }
    action align1_right14() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 14);
    }
    action align1_right15() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 15);
    }
    action align1_right16() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 16);
    }
    action align1_right17() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 17);
    }
    action align1_right18() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 18);
    }
    action align1_right19() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 19);
    }
    action align1_right20() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 20);
    }
    action align1_right21() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 21);
    }
    action align1_right22() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 22);
    }
    action align1_right23() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 23);
    }
    action align1_right24() {
        meta.shifted1 = (bit<32>) ((int<32>) meta.signed1 >> 24);
    }
    action align1_left1() {
        meta.shifted1 = meta.signed1 << 1;
    }
    action align1_left2() {
        meta.shifted1 = meta.signed1 << 2;
    }
    action align1_left3() {
        meta.shifted1 = meta.signed1 << 3;
    }
    action align1_left4() {
        meta.shifted1 = meta.signed1 << 4;
    }
    action align1_left5() {
        meta.shifted1 = meta.signed1 << 5;
    }
    action align1_left6() {
        meta.shifted1 = meta.signed1 << 6;
    }
    action align1_left7() {
        meta.shifted1 = meta.signed1 << 7;
    }
    action align1_stay() {
        meta.shifted1 = meta.signed1;
    }
    table align1 {
        key = {
            meta.distance1 : range @name("distance1");
        }
        actions = {
            align1_right1;
            align1_right2;
            align1_right3;
            align1_right4;
            align1_right5;
            align1_right6;
            align1_right7;
            align1_right8;
            align1_right9;
            align1_right10;
            align1_right11;
            align1_right12;
            align1_right13;
            align1_right14;
            align1_right15;
            align1_right16;
            align1_right17;
            align1_right18;
            align1_right19;
            align1_right20;
            align1_right21;
            align1_right22;
            align1_right23;
            align1_right24;
            align1_left1;
            align1_left2;
            align1_left3;
            align1_left4;
            align1_left5;
            align1_left6;
            align1_left7;
            align1_stay;
        }
        const default_action = align1_stay();
        const entries = {
            0xFFFF..0xFFFF : align1_right1();
            0xFFFE..0xFFFE : align1_right2();
            0xFFFD..0xFFFD : align1_right3();
            0xFFFC..0xFFFC : align1_right4();
            0xFFFB..0xFFFB : align1_right5();
            0xFFFA..0xFFFA : align1_right6();
            0xFFF9..0xFFF9 : align1_right7();
            0xFFF8..0xFFF8 : align1_right8();
            0xFFF7..0xFFF7 : align1_right9();
            0xFFF6..0xFFF6 : align1_right10();
            0xFFF5..0xFFF5 : align1_right11();
            0xFFF4..0xFFF4 : align1_right12();
            0xFFF3..0xFFF3 : align1_right13();
            0xFFF2..0xFFF2 : align1_right14();
            0xFFF1..0xFFF1 : align1_right15();
            0xFFF0..0xFFF0 : align1_right16();
            0xFFEF..0xFFEF : align1_right17();
            0xFFEE..0xFFEE : align1_right18();
            0xFFED..0xFFED : align1_right19();
            0xFFEC..0xFFEC : align1_right20();
            0xFFEB..0xFFEB : align1_right21();
            0xFFEA..0xFFEA : align1_right22();
            0xFFE9..0xFFE9 : align1_right23();
            0x8000..0xFFE8 : align1_right24();
            1..1 : align1_left1();
            2..2 : align1_left2();
            3..3 : align1_left3();
            4..4 : align1_left4();
            5..5 : align1_left5();
            6..6 : align1_left6();
            7..7 : align1_left7();
        }
    }

    // Stage 7. R-FPI-9: beyond this the sum does not fit.
    action limit1_of_largest() {
        meta.limit1 = 32w0x7FFFFFFF - meta.shifted1;
    }
    action limit1_of_smallest() {
        meta.limit1 = 32w0x80000000 - meta.shifted1;
    }
    table limit1 {
        key = {
            meta.shifted1 : ternary @name("shifted1");
        }
        actions = {
            limit1_of_largest;
            limit1_of_smallest;
        }
        const default_action = limit1_of_largest();
        const entries = {
            0x80000000 &&& 0x80000000 : limit1_of_smallest();
        }
    }

    // Stage 8. R-FPI-5 to 9: replace, or add.
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
    action add1_add_up() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit1) > 0;
            bit<32> new_lo = old_lo + meta.shifted1;
            reg_mantissa1.write((bit<32>) meta.copy, new_lo);
            meta.added1 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add1_add_down() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit1) < 0;
            bit<32> new_lo = old_lo + meta.shifted1;
            reg_mantissa1.write((bit<32>) meta.copy, new_lo);
            meta.added1 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
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
            add1_add_up;
            add1_add_down;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add1_begin();
            (3, _, 0..0xFFFF, _) : add1_read();
            (2, 1, 8..0x7FFF, _) : add1_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add1_add_down();
            (2, 1, 0..0xFFFF, _) : add1_add_up();
        }
    }

    // Stage 9. R-FPI-4, R-FPI-9: flags stay.
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
        meta.overflowed1 = 1w1;
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
            (2, 4, 0 &&& 0x80000000) : flag1_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag1_overflow();
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
            bool first_holds = (int<16>) (old_lo - meta.incoming2 + 16w7) < 0;
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
    }
    table distance2 {
        actions = {
            distance2_subtract;
        }
        const default_action = distance2_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align2_right1() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 1);
    }
    action align2_right2() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 2);
    }
    action align2_right3() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 3);
    }
    action align2_right4() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 4);
    }
    action align2_right5() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 5);
    }
    action align2_right6() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 6);
    }
    action align2_right7() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 7);
    }
    action align2_right8() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 8);
    }
    action align2_right9() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 9);
    }
    action align2_right10() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 10);
    }
    action align2_right11() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 11);
    }
    action align2_right12() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 12);
    }
    action align2_right13() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 13);
    }
    action align2_right14() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 14);
    }
    action align2_right15() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 15);
    }
    action align2_right16() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 16);
    }
    action align2_right17() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 17);
    }
    action align2_right18() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 18);
    }
    action align2_right19() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 19);
    }
    action align2_right20() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 20);
    }
    action align2_right21() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 21);
    }
    action align2_right22() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 22);
    }
    action align2_right23() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 23);
    }
    action align2_right24() {
        meta.shifted2 = (bit<32>) ((int<32>) meta.signed2 >> 24);
    }
    action align2_left1() {
        meta.shifted2 = meta.signed2 << 1;
    }
    action align2_left2() {
        meta.shifted2 = meta.signed2 << 2;
    }
    action align2_left3() {
        meta.shifted2 = meta.signed2 << 3;
    }
    action align2_left4() {
        meta.shifted2 = meta.signed2 << 4;
    }
    action align2_left5() {
        meta.shifted2 = meta.signed2 << 5;
    }
    action align2_left6() {
        meta.shifted2 = meta.signed2 << 6;
    }
    action align2_left7() {
        meta.shifted2 = meta.signed2 << 7;
    }
    action align2_stay() {
        meta.shifted2 = meta.signed2;
    }
    table align2 {
        key = {
            meta.distance2 : range @name("distance2");
        }
        actions = {
            align2_right1;
            align2_right2;
            align2_right3;
            align2_right4;
            align2_right5;
            align2_right6;
            align2_right7;
            align2_right8;
            align2_right9;
            align2_right10;
            align2_right11;
            align2_right12;
            align2_right13;
            align2_right14;
            align2_right15;
            align2_right16;
            align2_right17;
            align2_right18;
            align2_right19;
            align2_right20;
            align2_right21;
            align2_right22;
            align2_right23;
            align2_right24;
            align2_left1;
            align2_left2;
            align2_left3;
            align2_left4;
            align2_left5;
            align2_left6;
            align2_left7;
            align2_stay;
        }
        const default_action = align2_stay();
        const entries = {
            0xFFFF..0xFFFF : align2_right1();
            0xFFFE..0xFFFE : align2_right2();
            0xFFFD..0xFFFD : align2_right3();
            0xFFFC..0xFFFC : align2_right4();
            0xFFFB..0xFFFB : align2_right5();
            0xFFFA..0xFFFA : align2_right6();
            0xFFF9..0xFFF9 : align2_right7();
            0xFFF8..0xFFF8 : align2_right8();
            0xFFF7..0xFFF7 : align2_right9();
            0xFFF6..0xFFF6 : align2_right10();
            0xFFF5..0xFFF5 : align2_right11();
            0xFFF4..0xFFF4 : align2_right12();
            0xFFF3..0xFFF3 : align2_right13();
            0xFFF2..0xFFF2 : align2_right14();
            0xFFF1..0xFFF1 : align2_right15();
            0xFFF0..0xFFF0 : align2_right16();
            0xFFEF..0xFFEF : align2_right17();
            0xFFEE..0xFFEE : align2_right18();
            0xFFED..0xFFED : align2_right19();
            0xFFEC..0xFFEC : align2_right20();
            0xFFEB..0xFFEB : align2_right21();
            0xFFEA..0xFFEA : align2_right22();
            0xFFE9..0xFFE9 : align2_right23();
            0x8000..0xFFE8 : align2_right24();
            1..1 : align2_left1();
            2..2 : align2_left2();
            3..3 : align2_left3();
            4..4 : align2_left4();
            5..5 : align2_left5();
            6..6 : align2_left6();
            7..7 : align2_left7();
        }
    }

    // Stage 7. R-FPI-9: beyond this the sum does not fit.
    action limit2_of_largest() {
        meta.limit2 = 32w0x7FFFFFFF - meta.shifted2;
    }
    action limit2_of_smallest() {
        meta.limit2 = 32w0x80000000 - meta.shifted2;
    }
    table limit2 {
        key = {
            meta.shifted2 : ternary @name("shifted2");
        }
        actions = {
            limit2_of_largest;
            limit2_of_smallest;
        }
        const default_action = limit2_of_largest();
        const entries = {
            0x80000000 &&& 0x80000000 : limit2_of_smallest();
        }
    }

    // Stage 8. R-FPI-5 to 9: replace, or add.
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
    action add2_add_up() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit2) > 0;
            bit<32> new_lo = old_lo + meta.shifted2;
            reg_mantissa2.write((bit<32>) meta.copy, new_lo);
            meta.added2 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add2_add_down() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit2) < 0;
            bit<32> new_lo = old_lo + meta.shifted2;
            reg_mantissa2.write((bit<32>) meta.copy, new_lo);
            meta.added2 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
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
            add2_add_up;
            add2_add_down;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add2_begin();
            (3, _, 0..0xFFFF, _) : add2_read();
            (2, 1, 8..0x7FFF, _) : add2_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add2_add_down();
            (2, 1, 0..0xFFFF, _) : add2_add_up();
        }
    }

    // Stage 9. R-FPI-4, R-FPI-9: flags stay.
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
        meta.overflowed2 = 1w1;
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
            (2, 4, 0 &&& 0x80000000) : flag2_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag2_overflow();
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
            bool first_holds = (int<16>) (old_lo - meta.incoming3 + 16w7) < 0;
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
    }
    table distance3 {
        actions = {
            distance3_subtract;
        }
        const default_action = distance3_subtract();
        size = 1;
    }

    // Stage 6. R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align3_right1() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 1);
    }
    action align3_right2() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 2);
    }
    action align3_right3() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 3);
    }
    action align3_right4() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 4);
    }
    action align3_right5() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 5);
    }
    action align3_right6() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 6);
    }
    action align3_right7() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 7);
    }
    action align3_right8() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 8);
    }
    action align3_right9() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 9);
    }
    action align3_right10() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 10);
    }
    action align3_right11() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 11);
    }
    action align3_right12() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 12);
    }
    action align3_right13() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 13);
    }
    action align3_right14() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 14);
    }
    action align3_right15() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 15);
    }
    action align3_right16() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 16);
    }
    action align3_right17() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 17);
    }
    action align3_right18() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 18);
    }
    action align3_right19() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 19);
    }
    action align3_right20() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 20);
    }
    action align3_right21() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 21);
    }
    action align3_right22() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 22);
    }
    action align3_right23() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 23);
    }
    action align3_right24() {
        meta.shifted3 = (bit<32>) ((int<32>) meta.signed3 >> 24);
    }
    action align3_left1() {
        meta.shifted3 = meta.signed3 << 1;
    }
    action align3_left2() {
        meta.shifted3 = meta.signed3 << 2;
    }
    action align3_left3() {
        meta.shifted3 = meta.signed3 << 3;
    }
    action align3_left4() {
        meta.shifted3 = meta.signed3 << 4;
    }
    action align3_left5() {
        meta.shifted3 = meta.signed3 << 5;
    }
    action align3_left6() {
        meta.shifted3 = meta.signed3 << 6;
    }
    action align3_left7() {
        meta.shifted3 = meta.signed3 << 7;
    }
    action align3_stay() {
        meta.shifted3 = meta.signed3;
    }
    table align3 {
        key = {
            meta.distance3 : range @name("distance3");
        }
        actions = {
            align3_right1;
            align3_right2;
            align3_right3;
            align3_right4;
            align3_right5;
            align3_right6;
            align3_right7;
            align3_right8;
            align3_right9;
            align3_right10;
            align3_right11;
            align3_right12;
            align3_right13;
            align3_right14;
            align3_right15;
            align3_right16;
            align3_right17;
            align3_right18;
            align3_right19;
            align3_right20;
            align3_right21;
            align3_right22;
            align3_right23;
            align3_right24;
            align3_left1;
            align3_left2;
            align3_left3;
            align3_left4;
            align3_left5;
            align3_left6;
            align3_left7;
            align3_stay;
        }
        const default_action = align3_stay();
        const entries = {
            0xFFFF..0xFFFF : align3_right1();
            0xFFFE..0xFFFE : align3_right2();
            0xFFFD..0xFFFD : align3_right3();
            0xFFFC..0xFFFC : align3_right4();
            0xFFFB..0xFFFB : align3_right5();
            0xFFFA..0xFFFA : align3_right6();
            0xFFF9..0xFFF9 : align3_right7();
            0xFFF8..0xFFF8 : align3_right8();
            0xFFF7..0xFFF7 : align3_right9();
            0xFFF6..0xFFF6 : align3_right10();
            0xFFF5..0xFFF5 : align3_right11();
            0xFFF4..0xFFF4 : align3_right12();
            0xFFF3..0xFFF3 : align3_right13();
            0xFFF2..0xFFF2 : align3_right14();
            0xFFF1..0xFFF1 : align3_right15();
            0xFFF0..0xFFF0 : align3_right16();
            0xFFEF..0xFFEF : align3_right17();
            0xFFEE..0xFFEE : align3_right18();
            0xFFED..0xFFED : align3_right19();
            0xFFEC..0xFFEC : align3_right20();
            0xFFEB..0xFFEB : align3_right21();
            0xFFEA..0xFFEA : align3_right22();
            0xFFE9..0xFFE9 : align3_right23();
            0x8000..0xFFE8 : align3_right24();
            1..1 : align3_left1();
            2..2 : align3_left2();
            3..3 : align3_left3();
            4..4 : align3_left4();
            5..5 : align3_left5();
            6..6 : align3_left6();
            7..7 : align3_left7();
        }
    }

    // Stage 7. R-FPI-9: beyond this the sum does not fit.
    action limit3_of_largest() {
        meta.limit3 = 32w0x7FFFFFFF - meta.shifted3;
    }
    action limit3_of_smallest() {
        meta.limit3 = 32w0x80000000 - meta.shifted3;
    }
    table limit3 {
        key = {
            meta.shifted3 : ternary @name("shifted3");
        }
        actions = {
            limit3_of_largest;
            limit3_of_smallest;
        }
        const default_action = limit3_of_largest();
        const entries = {
            0x80000000 &&& 0x80000000 : limit3_of_smallest();
        }
    }

    // Stage 8. R-FPI-5 to 9: replace, or add.
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
    action add3_add_up() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit3) > 0;
            bit<32> new_lo = old_lo + meta.shifted3;
            reg_mantissa3.write((bit<32>) meta.copy, new_lo);
            meta.added3 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
        }
    }
    action add3_add_down() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word;
            bool first_holds = (int<32>) (old_lo - 32w0) < 0;
            bool second_holds = (int<32>) (old_lo - meta.limit3) < 0;
            bit<32> new_lo = old_lo + meta.shifted3;
            reg_mantissa3.write((bit<32>) meta.copy, new_lo);
            meta.added3 = second_holds ? (first_holds ? 4w8 : 4w4) : (first_holds ? 4w2 : 4w1);
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
            add3_add_up;
            add3_add_down;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add3_begin();
            (3, _, 0..0xFFFF, _) : add3_read();
            (2, 1, 8..0x7FFF, _) : add3_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add3_add_down();
            (2, 1, 0..0xFFFF, _) : add3_add_up();
        }
    }

    // Stage 9. R-FPI-4, R-FPI-9: flags stay.
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
        meta.overflowed3 = 1w1;
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
            (2, 4, 0 &&& 0x80000000) : flag3_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag3_overflow();
            (2, _, _) : flag3_note();
            (3, _, _) : flag3_read();
        }
    }

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
        // Stage 5
        if (hdr.netfold.isValid()) {
            show0.apply();
            show1.apply();
            show2.apply();
            show3.apply();
        }
        // Stage 4
        exponents0.apply();
        // Stage 5
        distance0.apply();
        // Stage 6
        align0.apply();
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit0.apply();
        }
        // Stage 8
        add0.apply();
        // Stage 9
        flag0.apply();
        // Stage 4
        exponents1.apply();
        // Stage 5
        distance1.apply();
        // Stage 6
        align1.apply();
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit1.apply();
        }
        // Stage 8
        add1.apply();
        // Stage 9
        flag1.apply();
        // Stage 4
        exponents2.apply();
        // Stage 5
        distance2.apply();
        // Stage 6
        align2.apply();
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit2.apply();
        }
        // Stage 8
        add2.apply();
        // Stage 9
        flag2.apply();
        // Stage 4
        exponents3.apply();
        // Stage 5
        distance3.apply();
        // Stage 6
        align3.apply();
        // Stage 7
        if (meta.sums_are == 8w2) {
            limit3.apply();
        }
        // Stage 8
        add3.apply();
        // Stage 9
        flag3.apply();
        if (hdr.netfold.isValid()) {
            outcome.apply();
        }
        // Stage 11
        if (hdr.netfold.isValid()) {
            overflows.apply();
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

    // Stage 9. R-FPI-10: sign and magnitude.
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

    // Stage 10. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise0_left1() {
        meta.normal0 = meta.absolute0 << 1;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w1;
    }
    action normalise0_left2() {
        meta.normal0 = meta.absolute0 << 2;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w2;
    }
    action normalise0_left3() {
        meta.normal0 = meta.absolute0 << 3;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w3;
    }
    action normalise0_left4() {
        meta.normal0 = meta.absolute0 << 4;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w4;
    }
    action normalise0_left5() {
        meta.normal0 = meta.absolute0 << 5;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w5;
    }
    action normalise0_left6() {
        meta.normal0 = meta.absolute0 << 6;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w6;
    }
    action normalise0_left7() {
        meta.normal0 = meta.absolute0 << 7;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w7;
    }
    action normalise0_left8() {
        meta.normal0 = meta.absolute0 << 8;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w8;
    }
    action normalise0_left9() {
        meta.normal0 = meta.absolute0 << 9;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w9;
    }
    action normalise0_left10() {
        meta.normal0 = meta.absolute0 << 10;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w10;
    }
    action normalise0_left11() {
        meta.normal0 = meta.absolute0 << 11;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w11;
    }
    action normalise0_left12() {
        meta.normal0 = meta.absolute0 << 12;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w12;
    }
    action normalise0_left13() {
        meta.normal0 = meta.absolute0 << 13;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w13;
    }
    action normalise0_left14() {
        meta.normal0 = meta.absolute0 << 14;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w14;
    }
    action normalise0_left15() {
        meta.normal0 = meta.absolute0 << 15;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w15;
    }
    action normalise0_left16() {
        meta.normal0 = meta.absolute0 << 16;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w16;
    }
    action normalise0_left17() {
        meta.normal0 = meta.absolute0 << 17;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w17;
    }
    action normalise0_left18() {
        meta.normal0 = meta.absolute0 << 18;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w18;
    }
    action normalise0_left19() {
        meta.normal0 = meta.absolute0 << 19;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w19;
    }
    action normalise0_left20() {
        meta.normal0 = meta.absolute0 << 20;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w20;
    }
    action normalise0_left21() {
        meta.normal0 = meta.absolute0 << 21;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w21;
    }
    action normalise0_left22() {
        meta.normal0 = meta.absolute0 << 22;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w22;
    }
    action normalise0_left23() {
        meta.normal0 = meta.absolute0 << 23;
        meta.normal_exponent0 = hdr.found.exponent0 - 16w23;
    }
    action normalise0_right1() {
        meta.normal0 = meta.absolute0 >> 1;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w1;
    }
    action normalise0_right2() {
        meta.normal0 = meta.absolute0 >> 2;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w2;
    }
    action normalise0_right3() {
        meta.normal0 = meta.absolute0 >> 3;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w3;
    }
    action normalise0_right4() {
        meta.normal0 = meta.absolute0 >> 4;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w4;
    }
    action normalise0_right5() {
        meta.normal0 = meta.absolute0 >> 5;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w5;
    }
    action normalise0_right6() {
        meta.normal0 = meta.absolute0 >> 6;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w6;
    }
    action normalise0_right7() {
        meta.normal0 = meta.absolute0 >> 7;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w7;
    }
    action normalise0_right8() {
        meta.normal0 = meta.absolute0 >> 8;
        meta.normal_exponent0 = hdr.found.exponent0 + 16w8;
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
            normalise0_left1;
            normalise0_left2;
            normalise0_left3;
            normalise0_left4;
            normalise0_left5;
            normalise0_left6;
            normalise0_left7;
            normalise0_left8;
            normalise0_left9;
            normalise0_left10;
            normalise0_left11;
            normalise0_left12;
            normalise0_left13;
            normalise0_left14;
            normalise0_left15;
            normalise0_left16;
            normalise0_left17;
            normalise0_left18;
            normalise0_left19;
            normalise0_left20;
            normalise0_left21;
            normalise0_left22;
            normalise0_left23;
            normalise0_right1;
            normalise0_right2;
            normalise0_right3;
            normalise0_right4;
            normalise0_right5;
            normalise0_right6;
            normalise0_right7;
            normalise0_right8;
            normalise0_stay;
        }
        const default_action = normalise0_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise0_left23();
            (1 &&& 0xFFFFFFFF, 2..2) : normalise0_left1();
            (1 &&& 0xFFFFFFFF, 3..3) : normalise0_left2();
            (1 &&& 0xFFFFFFFF, 4..4) : normalise0_left3();
            (1 &&& 0xFFFFFFFF, 5..5) : normalise0_left4();
            (1 &&& 0xFFFFFFFF, 6..6) : normalise0_left5();
            (1 &&& 0xFFFFFFFF, 7..7) : normalise0_left6();
            (1 &&& 0xFFFFFFFF, 8..8) : normalise0_left7();
            (1 &&& 0xFFFFFFFF, 9..9) : normalise0_left8();
            (1 &&& 0xFFFFFFFF, 10..10) : normalise0_left9();
            (1 &&& 0xFFFFFFFF, 11..11) : normalise0_left10();
            (1 &&& 0xFFFFFFFF, 12..12) : normalise0_left11();
            (1 &&& 0xFFFFFFFF, 13..13) : normalise0_left12();
            (1 &&& 0xFFFFFFFF, 14..14) : normalise0_left13();
            (1 &&& 0xFFFFFFFF, 15..15) : normalise0_left14();
            (1 &&& 0xFFFFFFFF, 16..16) : normalise0_left15();
            (1 &&& 0xFFFFFFFF, 17..17) : normalise0_left16();
            (1 &&& 0xFFFFFFFF, 18..18) : normalise0_left17();
            (1 &&& 0xFFFFFFFF, 19..19) : normalise0_left18();
            (1 &&& 0xFFFFFFFF, 20..20) : normalise0_left19();
            (1 &&& 0xFFFFFFFF, 21..21) : normalise0_left20();
            (1 &&& 0xFFFFFFFF, 22..22) : normalise0_left21();
            (1 &&& 0xFFFFFFFF, 23..23) : normalise0_left22();
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise0_left22();
            (2 &&& 0xFFFFFFFE, 2..2) : normalise0_left1();
            (2 &&& 0xFFFFFFFE, 3..3) : normalise0_left2();
            (2 &&& 0xFFFFFFFE, 4..4) : normalise0_left3();
            (2 &&& 0xFFFFFFFE, 5..5) : normalise0_left4();
            (2 &&& 0xFFFFFFFE, 6..6) : normalise0_left5();
            (2 &&& 0xFFFFFFFE, 7..7) : normalise0_left6();
            (2 &&& 0xFFFFFFFE, 8..8) : normalise0_left7();
            (2 &&& 0xFFFFFFFE, 9..9) : normalise0_left8();
            (2 &&& 0xFFFFFFFE, 10..10) : normalise0_left9();
            (2 &&& 0xFFFFFFFE, 11..11) : normalise0_left10();
            (2 &&& 0xFFFFFFFE, 12..12) : normalise0_left11();
            (2 &&& 0xFFFFFFFE, 13..13) : normalise0_left12();
            (2 &&& 0xFFFFFFFE, 14..14) : normalise0_left13();
            (2 &&& 0xFFFFFFFE, 15..15) : normalise0_left14();
            (2 &&& 0xFFFFFFFE, 16..16) : normalise0_left15();
            (2 &&& 0xFFFFFFFE, 17..17) : normalise0_left16();
            (2 &&& 0xFFFFFFFE, 18..18) : normalise0_left17();
            (2 &&& 0xFFFFFFFE, 19..19) : normalise0_left18();
            (2 &&& 0xFFFFFFFE, 20..20) : normalise0_left19();
            (2 &&& 0xFFFFFFFE, 21..21) : normalise0_left20();
            (2 &&& 0xFFFFFFFE, 22..22) : normalise0_left21();
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise0_left21();
            (4 &&& 0xFFFFFFFC, 2..2) : normalise0_left1();
            (4 &&& 0xFFFFFFFC, 3..3) : normalise0_left2();
            (4 &&& 0xFFFFFFFC, 4..4) : normalise0_left3();
            (4 &&& 0xFFFFFFFC, 5..5) : normalise0_left4();
            (4 &&& 0xFFFFFFFC, 6..6) : normalise0_left5();
            (4 &&& 0xFFFFFFFC, 7..7) : normalise0_left6();
            (4 &&& 0xFFFFFFFC, 8..8) : normalise0_left7();
            (4 &&& 0xFFFFFFFC, 9..9) : normalise0_left8();
            (4 &&& 0xFFFFFFFC, 10..10) : normalise0_left9();
            (4 &&& 0xFFFFFFFC, 11..11) : normalise0_left10();
            (4 &&& 0xFFFFFFFC, 12..12) : normalise0_left11();
            (4 &&& 0xFFFFFFFC, 13..13) : normalise0_left12();
            (4 &&& 0xFFFFFFFC, 14..14) : normalise0_left13();
            (4 &&& 0xFFFFFFFC, 15..15) : normalise0_left14();
            (4 &&& 0xFFFFFFFC, 16..16) : normalise0_left15();
            (4 &&& 0xFFFFFFFC, 17..17) : normalise0_left16();
            (4 &&& 0xFFFFFFFC, 18..18) : normalise0_left17();
            (4 &&& 0xFFFFFFFC, 19..19) : normalise0_left18();
            (4 &&& 0xFFFFFFFC, 20..20) : normalise0_left19();
            (4 &&& 0xFFFFFFFC, 21..21) : normalise0_left20();
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise0_left20();
            (8 &&& 0xFFFFFFF8, 2..2) : normalise0_left1();
            (8 &&& 0xFFFFFFF8, 3..3) : normalise0_left2();
            (8 &&& 0xFFFFFFF8, 4..4) : normalise0_left3();
            (8 &&& 0xFFFFFFF8, 5..5) : normalise0_left4();
            (8 &&& 0xFFFFFFF8, 6..6) : normalise0_left5();
            (8 &&& 0xFFFFFFF8, 7..7) : normalise0_left6();
            (8 &&& 0xFFFFFFF8, 8..8) : normalise0_left7();
            (8 &&& 0xFFFFFFF8, 9..9) : normalise0_left8();
            (8 &&& 0xFFFFFFF8, 10..10) : normalise0_left9();
            (8 &&& 0xFFFFFFF8, 11..11) : normalise0_left10();
            (8 &&& 0xFFFFFFF8, 12..12) : normalise0_left11();
            (8 &&& 0xFFFFFFF8, 13..13) : normalise0_left12();
            (8 &&& 0xFFFFFFF8, 14..14) : normalise0_left13();
            (8 &&& 0xFFFFFFF8, 15..15) : normalise0_left14();
            (8 &&& 0xFFFFFFF8, 16..16) : normalise0_left15();
            (8 &&& 0xFFFFFFF8, 17..17) : normalise0_left16();
            (8 &&& 0xFFFFFFF8, 18..18) : normalise0_left17();
            (8 &&& 0xFFFFFFF8, 19..19) : normalise0_left18();
            (8 &&& 0xFFFFFFF8, 20..20) : normalise0_left19();
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise0_left19();
            (16 &&& 0xFFFFFFF0, 2..2) : normalise0_left1();
            (16 &&& 0xFFFFFFF0, 3..3) : normalise0_left2();
            (16 &&& 0xFFFFFFF0, 4..4) : normalise0_left3();
            (16 &&& 0xFFFFFFF0, 5..5) : normalise0_left4();
            (16 &&& 0xFFFFFFF0, 6..6) : normalise0_left5();
            (16 &&& 0xFFFFFFF0, 7..7) : normalise0_left6();
            (16 &&& 0xFFFFFFF0, 8..8) : normalise0_left7();
            (16 &&& 0xFFFFFFF0, 9..9) : normalise0_left8();
            (16 &&& 0xFFFFFFF0, 10..10) : normalise0_left9();
            (16 &&& 0xFFFFFFF0, 11..11) : normalise0_left10();
            (16 &&& 0xFFFFFFF0, 12..12) : normalise0_left11();
            (16 &&& 0xFFFFFFF0, 13..13) : normalise0_left12();
            (16 &&& 0xFFFFFFF0, 14..14) : normalise0_left13();
            (16 &&& 0xFFFFFFF0, 15..15) : normalise0_left14();
            (16 &&& 0xFFFFFFF0, 16..16) : normalise0_left15();
            (16 &&& 0xFFFFFFF0, 17..17) : normalise0_left16();
            (16 &&& 0xFFFFFFF0, 18..18) : normalise0_left17();
            (16 &&& 0xFFFFFFF0, 19..19) : normalise0_left18();
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise0_left18();
            (32 &&& 0xFFFFFFE0, 2..2) : normalise0_left1();
            (32 &&& 0xFFFFFFE0, 3..3) : normalise0_left2();
            (32 &&& 0xFFFFFFE0, 4..4) : normalise0_left3();
            (32 &&& 0xFFFFFFE0, 5..5) : normalise0_left4();
            (32 &&& 0xFFFFFFE0, 6..6) : normalise0_left5();
            (32 &&& 0xFFFFFFE0, 7..7) : normalise0_left6();
            (32 &&& 0xFFFFFFE0, 8..8) : normalise0_left7();
            (32 &&& 0xFFFFFFE0, 9..9) : normalise0_left8();
            (32 &&& 0xFFFFFFE0, 10..10) : normalise0_left9();
            (32 &&& 0xFFFFFFE0, 11..11) : normalise0_left10();
            (32 &&& 0xFFFFFFE0, 12..12) : normalise0_left11();
            (32 &&& 0xFFFFFFE0, 13..13) : normalise0_left12();
            (32 &&& 0xFFFFFFE0, 14..14) : normalise0_left13();
            (32 &&& 0xFFFFFFE0, 15..15) : normalise0_left14();
            (32 &&& 0xFFFFFFE0, 16..16) : normalise0_left15();
            (32 &&& 0xFFFFFFE0, 17..17) : normalise0_left16();
            (32 &&& 0xFFFFFFE0, 18..18) : normalise0_left17();
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise0_left17();
            (64 &&& 0xFFFFFFC0, 2..2) : normalise0_left1();
            (64 &&& 0xFFFFFFC0, 3..3) : normalise0_left2();
            (64 &&& 0xFFFFFFC0, 4..4) : normalise0_left3();
            (64 &&& 0xFFFFFFC0, 5..5) : normalise0_left4();
            (64 &&& 0xFFFFFFC0, 6..6) : normalise0_left5();
            (64 &&& 0xFFFFFFC0, 7..7) : normalise0_left6();
            (64 &&& 0xFFFFFFC0, 8..8) : normalise0_left7();
            (64 &&& 0xFFFFFFC0, 9..9) : normalise0_left8();
            (64 &&& 0xFFFFFFC0, 10..10) : normalise0_left9();
            (64 &&& 0xFFFFFFC0, 11..11) : normalise0_left10();
            (64 &&& 0xFFFFFFC0, 12..12) : normalise0_left11();
            (64 &&& 0xFFFFFFC0, 13..13) : normalise0_left12();
            (64 &&& 0xFFFFFFC0, 14..14) : normalise0_left13();
            (64 &&& 0xFFFFFFC0, 15..15) : normalise0_left14();
            (64 &&& 0xFFFFFFC0, 16..16) : normalise0_left15();
            (64 &&& 0xFFFFFFC0, 17..17) : normalise0_left16();
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise0_left16();
            (128 &&& 0xFFFFFF80, 2..2) : normalise0_left1();
            (128 &&& 0xFFFFFF80, 3..3) : normalise0_left2();
            (128 &&& 0xFFFFFF80, 4..4) : normalise0_left3();
            (128 &&& 0xFFFFFF80, 5..5) : normalise0_left4();
            (128 &&& 0xFFFFFF80, 6..6) : normalise0_left5();
            (128 &&& 0xFFFFFF80, 7..7) : normalise0_left6();
            (128 &&& 0xFFFFFF80, 8..8) : normalise0_left7();
            (128 &&& 0xFFFFFF80, 9..9) : normalise0_left8();
            (128 &&& 0xFFFFFF80, 10..10) : normalise0_left9();
            (128 &&& 0xFFFFFF80, 11..11) : normalise0_left10();
            (128 &&& 0xFFFFFF80, 12..12) : normalise0_left11();
            (128 &&& 0xFFFFFF80, 13..13) : normalise0_left12();
            (128 &&& 0xFFFFFF80, 14..14) : normalise0_left13();
            (128 &&& 0xFFFFFF80, 15..15) : normalise0_left14();
            (128 &&& 0xFFFFFF80, 16..16) : normalise0_left15();
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise0_left15();
            (256 &&& 0xFFFFFF00, 2..2) : normalise0_left1();
            (256 &&& 0xFFFFFF00, 3..3) : normalise0_left2();
            (256 &&& 0xFFFFFF00, 4..4) : normalise0_left3();
            (256 &&& 0xFFFFFF00, 5..5) : normalise0_left4();
            (256 &&& 0xFFFFFF00, 6..6) : normalise0_left5();
            (256 &&& 0xFFFFFF00, 7..7) : normalise0_left6();
            (256 &&& 0xFFFFFF00, 8..8) : normalise0_left7();
            (256 &&& 0xFFFFFF00, 9..9) : normalise0_left8();
            (256 &&& 0xFFFFFF00, 10..10) : normalise0_left9();
            (256 &&& 0xFFFFFF00, 11..11) : normalise0_left10();
            (256 &&& 0xFFFFFF00, 12..12) : normalise0_left11();
            (256 &&& 0xFFFFFF00, 13..13) : normalise0_left12();
            (256 &&& 0xFFFFFF00, 14..14) : normalise0_left13();
            (256 &&& 0xFFFFFF00, 15..15) : normalise0_left14();
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise0_left14();
            (512 &&& 0xFFFFFE00, 2..2) : normalise0_left1();
            (512 &&& 0xFFFFFE00, 3..3) : normalise0_left2();
            (512 &&& 0xFFFFFE00, 4..4) : normalise0_left3();
            (512 &&& 0xFFFFFE00, 5..5) : normalise0_left4();
            (512 &&& 0xFFFFFE00, 6..6) : normalise0_left5();
            (512 &&& 0xFFFFFE00, 7..7) : normalise0_left6();
            (512 &&& 0xFFFFFE00, 8..8) : normalise0_left7();
            (512 &&& 0xFFFFFE00, 9..9) : normalise0_left8();
            (512 &&& 0xFFFFFE00, 10..10) : normalise0_left9();
            (512 &&& 0xFFFFFE00, 11..11) : normalise0_left10();
            (512 &&& 0xFFFFFE00, 12..12) : normalise0_left11();
            (512 &&& 0xFFFFFE00, 13..13) : normalise0_left12();
            (512 &&& 0xFFFFFE00, 14..14) : normalise0_left13();
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise0_left13();
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise0_left1();
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise0_left2();
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise0_left3();
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise0_left4();
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise0_left5();
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise0_left6();
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise0_left7();
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise0_left8();
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise0_left9();
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise0_left10();
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise0_left11();
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise0_left12();
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise0_left12();
            (0x800 &&& 0xFFFFF800, 2..2) : normalise0_left1();
            (0x800 &&& 0xFFFFF800, 3..3) : normalise0_left2();
            (0x800 &&& 0xFFFFF800, 4..4) : normalise0_left3();
            (0x800 &&& 0xFFFFF800, 5..5) : normalise0_left4();
            (0x800 &&& 0xFFFFF800, 6..6) : normalise0_left5();
            (0x800 &&& 0xFFFFF800, 7..7) : normalise0_left6();
            (0x800 &&& 0xFFFFF800, 8..8) : normalise0_left7();
            (0x800 &&& 0xFFFFF800, 9..9) : normalise0_left8();
            (0x800 &&& 0xFFFFF800, 10..10) : normalise0_left9();
            (0x800 &&& 0xFFFFF800, 11..11) : normalise0_left10();
            (0x800 &&& 0xFFFFF800, 12..12) : normalise0_left11();
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise0_left11();
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise0_left1();
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise0_left2();
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise0_left3();
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise0_left4();
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise0_left5();
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise0_left6();
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise0_left7();
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise0_left8();
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise0_left9();
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise0_left10();
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise0_left10();
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise0_left1();
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise0_left2();
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise0_left3();
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise0_left4();
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise0_left5();
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise0_left6();
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise0_left7();
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise0_left8();
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise0_left9();
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise0_left9();
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise0_left1();
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise0_left2();
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise0_left3();
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise0_left4();
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise0_left5();
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise0_left6();
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise0_left7();
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise0_left8();
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise0_left8();
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise0_left1();
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise0_left2();
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise0_left3();
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise0_left4();
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise0_left5();
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise0_left6();
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise0_left7();
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise0_left7();
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise0_left1();
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise0_left2();
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise0_left3();
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise0_left4();
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise0_left5();
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise0_left6();
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise0_left6();
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise0_left1();
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise0_left2();
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise0_left3();
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise0_left4();
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise0_left5();
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise0_left5();
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise0_left1();
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise0_left2();
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise0_left3();
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise0_left4();
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise0_left4();
            (0x80000 &&& 0xFFF80000, 2..2) : normalise0_left1();
            (0x80000 &&& 0xFFF80000, 3..3) : normalise0_left2();
            (0x80000 &&& 0xFFF80000, 4..4) : normalise0_left3();
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise0_left3();
            (0x100000 &&& 0xFFF00000, 2..2) : normalise0_left1();
            (0x100000 &&& 0xFFF00000, 3..3) : normalise0_left2();
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise0_left2();
            (0x200000 &&& 0xFFE00000, 2..2) : normalise0_left1();
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise0_left1();
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise0_right1();
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise0_right2();
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise0_right3();
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise0_right4();
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise0_right5();
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise0_right6();
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise0_right7();
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise0_right8();
        }
    }

    // Stage 11. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
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

    // Stage 9. R-FPI-10: sign and magnitude.
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

    // Stage 10. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise1_left1() {
        meta.normal1 = meta.absolute1 << 1;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w1;
    }
    action normalise1_left2() {
        meta.normal1 = meta.absolute1 << 2;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w2;
    }
    action normalise1_left3() {
        meta.normal1 = meta.absolute1 << 3;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w3;
    }
    action normalise1_left4() {
        meta.normal1 = meta.absolute1 << 4;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w4;
    }
    action normalise1_left5() {
        meta.normal1 = meta.absolute1 << 5;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w5;
    }
    action normalise1_left6() {
        meta.normal1 = meta.absolute1 << 6;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w6;
    }
    action normalise1_left7() {
        meta.normal1 = meta.absolute1 << 7;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w7;
    }
    action normalise1_left8() {
        meta.normal1 = meta.absolute1 << 8;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w8;
    }
    action normalise1_left9() {
        meta.normal1 = meta.absolute1 << 9;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w9;
    }
    action normalise1_left10() {
        meta.normal1 = meta.absolute1 << 10;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w10;
    }
    action normalise1_left11() {
        meta.normal1 = meta.absolute1 << 11;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w11;
    }
    action normalise1_left12() {
        meta.normal1 = meta.absolute1 << 12;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w12;
    }
    action normalise1_left13() {
        meta.normal1 = meta.absolute1 << 13;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w13;
    }
    action normalise1_left14() {
        meta.normal1 = meta.absolute1 << 14;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w14;
    }
    action normalise1_left15() {
        meta.normal1 = meta.absolute1 << 15;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w15;
    }
    action normalise1_left16() {
        meta.normal1 = meta.absolute1 << 16;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w16;
    }
    action normalise1_left17() {
        meta.normal1 = meta.absolute1 << 17;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w17;
    }
    action normalise1_left18() {
        meta.normal1 = meta.absolute1 << 18;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w18;
    }
    action normalise1_left19() {
        meta.normal1 = meta.absolute1 << 19;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w19;
    }
    action normalise1_left20() {
        meta.normal1 = meta.absolute1 << 20;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w20;
    }
    action normalise1_left21() {
        meta.normal1 = meta.absolute1 << 21;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w21;
    }
    action normalise1_left22() {
        meta.normal1 = meta.absolute1 << 22;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w22;
    }
    action normalise1_left23() {
        meta.normal1 = meta.absolute1 << 23;
        meta.normal_exponent1 = hdr.found.exponent1 - 16w23;
    }
    action normalise1_right1() {
        meta.normal1 = meta.absolute1 >> 1;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w1;
    }
    action normalise1_right2() {
        meta.normal1 = meta.absolute1 >> 2;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w2;
    }
    action normalise1_right3() {
        meta.normal1 = meta.absolute1 >> 3;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w3;
    }
    action normalise1_right4() {
        meta.normal1 = meta.absolute1 >> 4;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w4;
    }
    action normalise1_right5() {
        meta.normal1 = meta.absolute1 >> 5;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w5;
    }
    action normalise1_right6() {
        meta.normal1 = meta.absolute1 >> 6;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w6;
    }
    action normalise1_right7() {
        meta.normal1 = meta.absolute1 >> 7;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w7;
    }
    action normalise1_right8() {
        meta.normal1 = meta.absolute1 >> 8;
        meta.normal_exponent1 = hdr.found.exponent1 + 16w8;
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
            normalise1_left1;
            normalise1_left2;
            normalise1_left3;
            normalise1_left4;
            normalise1_left5;
            normalise1_left6;
            normalise1_left7;
            normalise1_left8;
            normalise1_left9;
            normalise1_left10;
            normalise1_left11;
            normalise1_left12;
            normalise1_left13;
            normalise1_left14;
            normalise1_left15;
            normalise1_left16;
            normalise1_left17;
            normalise1_left18;
            normalise1_left19;
            normalise1_left20;
            normalise1_left21;
            normalise1_left22;
            normalise1_left23;
            normalise1_right1;
            normalise1_right2;
            normalise1_right3;
            normalise1_right4;
            normalise1_right5;
            normalise1_right6;
            normalise1_right7;
            normalise1_right8;
            normalise1_stay;
        }
        const default_action = normalise1_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise1_left23();
            (1 &&& 0xFFFFFFFF, 2..2) : normalise1_left1();
            (1 &&& 0xFFFFFFFF, 3..3) : normalise1_left2();
            (1 &&& 0xFFFFFFFF, 4..4) : normalise1_left3();
            (1 &&& 0xFFFFFFFF, 5..5) : normalise1_left4();
            (1 &&& 0xFFFFFFFF, 6..6) : normalise1_left5();
            (1 &&& 0xFFFFFFFF, 7..7) : normalise1_left6();
            (1 &&& 0xFFFFFFFF, 8..8) : normalise1_left7();
            (1 &&& 0xFFFFFFFF, 9..9) : normalise1_left8();
            (1 &&& 0xFFFFFFFF, 10..10) : normalise1_left9();
            (1 &&& 0xFFFFFFFF, 11..11) : normalise1_left10();
            (1 &&& 0xFFFFFFFF, 12..12) : normalise1_left11();
            (1 &&& 0xFFFFFFFF, 13..13) : normalise1_left12();
            (1 &&& 0xFFFFFFFF, 14..14) : normalise1_left13();
            (1 &&& 0xFFFFFFFF, 15..15) : normalise1_left14();
            (1 &&& 0xFFFFFFFF, 16..16) : normalise1_left15();
            (1 &&& 0xFFFFFFFF, 17..17) : normalise1_left16();
            (1 &&& 0xFFFFFFFF, 18..18) : normalise1_left17();
            (1 &&& 0xFFFFFFFF, 19..19) : normalise1_left18();
            (1 &&& 0xFFFFFFFF, 20..20) : normalise1_left19();
            (1 &&& 0xFFFFFFFF, 21..21) : normalise1_left20();
            (1 &&& 0xFFFFFFFF, 22..22) : normalise1_left21();
            (1 &&& 0xFFFFFFFF, 23..23) : normalise1_left22();
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise1_left22();
            (2 &&& 0xFFFFFFFE, 2..2) : normalise1_left1();
            (2 &&& 0xFFFFFFFE, 3..3) : normalise1_left2();
            (2 &&& 0xFFFFFFFE, 4..4) : normalise1_left3();
            (2 &&& 0xFFFFFFFE, 5..5) : normalise1_left4();
            (2 &&& 0xFFFFFFFE, 6..6) : normalise1_left5();
            (2 &&& 0xFFFFFFFE, 7..7) : normalise1_left6();
            (2 &&& 0xFFFFFFFE, 8..8) : normalise1_left7();
            (2 &&& 0xFFFFFFFE, 9..9) : normalise1_left8();
            (2 &&& 0xFFFFFFFE, 10..10) : normalise1_left9();
            (2 &&& 0xFFFFFFFE, 11..11) : normalise1_left10();
            (2 &&& 0xFFFFFFFE, 12..12) : normalise1_left11();
            (2 &&& 0xFFFFFFFE, 13..13) : normalise1_left12();
            (2 &&& 0xFFFFFFFE, 14..14) : normalise1_left13();
            (2 &&& 0xFFFFFFFE, 15..15) : normalise1_left14();
            (2 &&& 0xFFFFFFFE, 16..16) : normalise1_left15();
            (2 &&& 0xFFFFFFFE, 17..17) : normalise1_left16();
            (2 &&& 0xFFFFFFFE, 18..18) : normalise1_left17();
            (2 &&& 0xFFFFFFFE, 19..19) : normalise1_left18();
            (2 &&& 0xFFFFFFFE, 20..20) : normalise1_left19();
            (2 &&& 0xFFFFFFFE, 21..21) : normalise1_left20();
            (2 &&& 0xFFFFFFFE, 22..22) : normalise1_left21();
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise1_left21();
            (4 &&& 0xFFFFFFFC, 2..2) : normalise1_left1();
            (4 &&& 0xFFFFFFFC, 3..3) : normalise1_left2();
            (4 &&& 0xFFFFFFFC, 4..4) : normalise1_left3();
            (4 &&& 0xFFFFFFFC, 5..5) : normalise1_left4();
            (4 &&& 0xFFFFFFFC, 6..6) : normalise1_left5();
            (4 &&& 0xFFFFFFFC, 7..7) : normalise1_left6();
            (4 &&& 0xFFFFFFFC, 8..8) : normalise1_left7();
            (4 &&& 0xFFFFFFFC, 9..9) : normalise1_left8();
            (4 &&& 0xFFFFFFFC, 10..10) : normalise1_left9();
            (4 &&& 0xFFFFFFFC, 11..11) : normalise1_left10();
            (4 &&& 0xFFFFFFFC, 12..12) : normalise1_left11();
            (4 &&& 0xFFFFFFFC, 13..13) : normalise1_left12();
            (4 &&& 0xFFFFFFFC, 14..14) : normalise1_left13();
            (4 &&& 0xFFFFFFFC, 15..15) : normalise1_left14();
            (4 &&& 0xFFFFFFFC, 16..16) : normalise1_left15();
            (4 &&& 0xFFFFFFFC, 17..17) : normalise1_left16();
            (4 &&& 0xFFFFFFFC, 18..18) : normalise1_left17();
            (4 &&& 0xFFFFFFFC, 19..19) : normalise1_left18();
            (4 &&& 0xFFFFFFFC, 20..20) : normalise1_left19();
            (4 &&& 0xFFFFFFFC, 21..21) : normalise1_left20();
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise1_left20();
            (8 &&& 0xFFFFFFF8, 2..2) : normalise1_left1();
            (8 &&& 0xFFFFFFF8, 3..3) : normalise1_left2();
            (8 &&& 0xFFFFFFF8, 4..4) : normalise1_left3();
            (8 &&& 0xFFFFFFF8, 5..5) : normalise1_left4();
            (8 &&& 0xFFFFFFF8, 6..6) : normalise1_left5();
            (8 &&& 0xFFFFFFF8, 7..7) : normalise1_left6();
            (8 &&& 0xFFFFFFF8, 8..8) : normalise1_left7();
            (8 &&& 0xFFFFFFF8, 9..9) : normalise1_left8();
            (8 &&& 0xFFFFFFF8, 10..10) : normalise1_left9();
            (8 &&& 0xFFFFFFF8, 11..11) : normalise1_left10();
            (8 &&& 0xFFFFFFF8, 12..12) : normalise1_left11();
            (8 &&& 0xFFFFFFF8, 13..13) : normalise1_left12();
            (8 &&& 0xFFFFFFF8, 14..14) : normalise1_left13();
            (8 &&& 0xFFFFFFF8, 15..15) : normalise1_left14();
            (8 &&& 0xFFFFFFF8, 16..16) : normalise1_left15();
            (8 &&& 0xFFFFFFF8, 17..17) : normalise1_left16();
            (8 &&& 0xFFFFFFF8, 18..18) : normalise1_left17();
            (8 &&& 0xFFFFFFF8, 19..19) : normalise1_left18();
            (8 &&& 0xFFFFFFF8, 20..20) : normalise1_left19();
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise1_left19();
            (16 &&& 0xFFFFFFF0, 2..2) : normalise1_left1();
            (16 &&& 0xFFFFFFF0, 3..3) : normalise1_left2();
            (16 &&& 0xFFFFFFF0, 4..4) : normalise1_left3();
            (16 &&& 0xFFFFFFF0, 5..5) : normalise1_left4();
            (16 &&& 0xFFFFFFF0, 6..6) : normalise1_left5();
            (16 &&& 0xFFFFFFF0, 7..7) : normalise1_left6();
            (16 &&& 0xFFFFFFF0, 8..8) : normalise1_left7();
            (16 &&& 0xFFFFFFF0, 9..9) : normalise1_left8();
            (16 &&& 0xFFFFFFF0, 10..10) : normalise1_left9();
            (16 &&& 0xFFFFFFF0, 11..11) : normalise1_left10();
            (16 &&& 0xFFFFFFF0, 12..12) : normalise1_left11();
            (16 &&& 0xFFFFFFF0, 13..13) : normalise1_left12();
            (16 &&& 0xFFFFFFF0, 14..14) : normalise1_left13();
            (16 &&& 0xFFFFFFF0, 15..15) : normalise1_left14();
            (16 &&& 0xFFFFFFF0, 16..16) : normalise1_left15();
            (16 &&& 0xFFFFFFF0, 17..17) : normalise1_left16();
            (16 &&& 0xFFFFFFF0, 18..18) : normalise1_left17();
            (16 &&& 0xFFFFFFF0, 19..19) : normalise1_left18();
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise1_left18();
            (32 &&& 0xFFFFFFE0, 2..2) : normalise1_left1();
            (32 &&& 0xFFFFFFE0, 3..3) : normalise1_left2();
            (32 &&& 0xFFFFFFE0, 4..4) : normalise1_left3();
            (32 &&& 0xFFFFFFE0, 5..5) : normalise1_left4();
            (32 &&& 0xFFFFFFE0, 6..6) : normalise1_left5();
            (32 &&& 0xFFFFFFE0, 7..7) : normalise1_left6();
            (32 &&& 0xFFFFFFE0, 8..8) : normalise1_left7();
            (32 &&& 0xFFFFFFE0, 9..9) : normalise1_left8();
            (32 &&& 0xFFFFFFE0, 10..10) : normalise1_left9();
            (32 &&& 0xFFFFFFE0, 11..11) : normalise1_left10();
            (32 &&& 0xFFFFFFE0, 12..12) : normalise1_left11();
            (32 &&& 0xFFFFFFE0, 13..13) : normalise1_left12();
            (32 &&& 0xFFFFFFE0, 14..14) : normalise1_left13();
            (32 &&& 0xFFFFFFE0, 15..15) : normalise1_left14();
            (32 &&& 0xFFFFFFE0, 16..16) : normalise1_left15();
            (32 &&& 0xFFFFFFE0, 17..17) : normalise1_left16();
            (32 &&& 0xFFFFFFE0, 18..18) : normalise1_left17();
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise1_left17();
            (64 &&& 0xFFFFFFC0, 2..2) : normalise1_left1();
            (64 &&& 0xFFFFFFC0, 3..3) : normalise1_left2();
            (64 &&& 0xFFFFFFC0, 4..4) : normalise1_left3();
            (64 &&& 0xFFFFFFC0, 5..5) : normalise1_left4();
            (64 &&& 0xFFFFFFC0, 6..6) : normalise1_left5();
            (64 &&& 0xFFFFFFC0, 7..7) : normalise1_left6();
            (64 &&& 0xFFFFFFC0, 8..8) : normalise1_left7();
            (64 &&& 0xFFFFFFC0, 9..9) : normalise1_left8();
            (64 &&& 0xFFFFFFC0, 10..10) : normalise1_left9();
            (64 &&& 0xFFFFFFC0, 11..11) : normalise1_left10();
            (64 &&& 0xFFFFFFC0, 12..12) : normalise1_left11();
            (64 &&& 0xFFFFFFC0, 13..13) : normalise1_left12();
            (64 &&& 0xFFFFFFC0, 14..14) : normalise1_left13();
            (64 &&& 0xFFFFFFC0, 15..15) : normalise1_left14();
            (64 &&& 0xFFFFFFC0, 16..16) : normalise1_left15();
            (64 &&& 0xFFFFFFC0, 17..17) : normalise1_left16();
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise1_left16();
            (128 &&& 0xFFFFFF80, 2..2) : normalise1_left1();
            (128 &&& 0xFFFFFF80, 3..3) : normalise1_left2();
            (128 &&& 0xFFFFFF80, 4..4) : normalise1_left3();
            (128 &&& 0xFFFFFF80, 5..5) : normalise1_left4();
            (128 &&& 0xFFFFFF80, 6..6) : normalise1_left5();
            (128 &&& 0xFFFFFF80, 7..7) : normalise1_left6();
            (128 &&& 0xFFFFFF80, 8..8) : normalise1_left7();
            (128 &&& 0xFFFFFF80, 9..9) : normalise1_left8();
            (128 &&& 0xFFFFFF80, 10..10) : normalise1_left9();
            (128 &&& 0xFFFFFF80, 11..11) : normalise1_left10();
            (128 &&& 0xFFFFFF80, 12..12) : normalise1_left11();
            (128 &&& 0xFFFFFF80, 13..13) : normalise1_left12();
            (128 &&& 0xFFFFFF80, 14..14) : normalise1_left13();
            (128 &&& 0xFFFFFF80, 15..15) : normalise1_left14();
            (128 &&& 0xFFFFFF80, 16..16) : normalise1_left15();
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise1_left15();
            (256 &&& 0xFFFFFF00, 2..2) : normalise1_left1();
            (256 &&& 0xFFFFFF00, 3..3) : normalise1_left2();
            (256 &&& 0xFFFFFF00, 4..4) : normalise1_left3();
            (256 &&& 0xFFFFFF00, 5..5) : normalise1_left4();
            (256 &&& 0xFFFFFF00, 6..6) : normalise1_left5();
            (256 &&& 0xFFFFFF00, 7..7) : normalise1_left6();
            (256 &&& 0xFFFFFF00, 8..8) : normalise1_left7();
            (256 &&& 0xFFFFFF00, 9..9) : normalise1_left8();
            (256 &&& 0xFFFFFF00, 10..10) : normalise1_left9();
            (256 &&& 0xFFFFFF00, 11..11) : normalise1_left10();
            (256 &&& 0xFFFFFF00, 12..12) : normalise1_left11();
            (256 &&& 0xFFFFFF00, 13..13) : normalise1_left12();
            (256 &&& 0xFFFFFF00, 14..14) : normalise1_left13();
            (256 &&& 0xFFFFFF00, 15..15) : normalise1_left14();
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise1_left14();
            (512 &&& 0xFFFFFE00, 2..2) : normalise1_left1();
            (512 &&& 0xFFFFFE00, 3..3) : normalise1_left2();
            (512 &&& 0xFFFFFE00, 4..4) : normalise1_left3();
            (512 &&& 0xFFFFFE00, 5..5) : normalise1_left4();
            (512 &&& 0xFFFFFE00, 6..6) : normalise1_left5();
            (512 &&& 0xFFFFFE00, 7..7) : normalise1_left6();
            (512 &&& 0xFFFFFE00, 8..8) : normalise1_left7();
            (512 &&& 0xFFFFFE00, 9..9) : normalise1_left8();
            (512 &&& 0xFFFFFE00, 10..10) : normalise1_left9();
            (512 &&& 0xFFFFFE00, 11..11) : normalise1_left10();
            (512 &&& 0xFFFFFE00, 12..12) : normalise1_left11();
            (512 &&& 0xFFFFFE00, 13..13) : normalise1_left12();
            (512 &&& 0xFFFFFE00, 14..14) : normalise1_left13();
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise1_left13();
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise1_left1();
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise1_left2();
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise1_left3();
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise1_left4();
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise1_left5();
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise1_left6();
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise1_left7();
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise1_left8();
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise1_left9();
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise1_left10();
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise1_left11();
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise1_left12();
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise1_left12();
            (0x800 &&& 0xFFFFF800, 2..2) : normalise1_left1();
            (0x800 &&& 0xFFFFF800, 3..3) : normalise1_left2();
            (0x800 &&& 0xFFFFF800, 4..4) : normalise1_left3();
            (0x800 &&& 0xFFFFF800, 5..5) : normalise1_left4();
            (0x800 &&& 0xFFFFF800, 6..6) : normalise1_left5();
            (0x800 &&& 0xFFFFF800, 7..7) : normalise1_left6();
            (0x800 &&& 0xFFFFF800, 8..8) : normalise1_left7();
            (0x800 &&& 0xFFFFF800, 9..9) : normalise1_left8();
            (0x800 &&& 0xFFFFF800, 10..10) : normalise1_left9();
            (0x800 &&& 0xFFFFF800, 11..11) : normalise1_left10();
            (0x800 &&& 0xFFFFF800, 12..12) : normalise1_left11();
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise1_left11();
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise1_left1();
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise1_left2();
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise1_left3();
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise1_left4();
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise1_left5();
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise1_left6();
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise1_left7();
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise1_left8();
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise1_left9();
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise1_left10();
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise1_left10();
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise1_left1();
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise1_left2();
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise1_left3();
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise1_left4();
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise1_left5();
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise1_left6();
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise1_left7();
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise1_left8();
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise1_left9();
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise1_left9();
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise1_left1();
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise1_left2();
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise1_left3();
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise1_left4();
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise1_left5();
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise1_left6();
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise1_left7();
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise1_left8();
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise1_left8();
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise1_left1();
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise1_left2();
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise1_left3();
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise1_left4();
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise1_left5();
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise1_left6();
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise1_left7();
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise1_left7();
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise1_left1();
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise1_left2();
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise1_left3();
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise1_left4();
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise1_left5();
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise1_left6();
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise1_left6();
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise1_left1();
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise1_left2();
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise1_left3();
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise1_left4();
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise1_left5();
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise1_left5();
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise1_left1();
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise1_left2();
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise1_left3();
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise1_left4();
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise1_left4();
            (0x80000 &&& 0xFFF80000, 2..2) : normalise1_left1();
            (0x80000 &&& 0xFFF80000, 3..3) : normalise1_left2();
            (0x80000 &&& 0xFFF80000, 4..4) : normalise1_left3();
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise1_left3();
            (0x100000 &&& 0xFFF00000, 2..2) : normalise1_left1();
            (0x100000 &&& 0xFFF00000, 3..3) : normalise1_left2();
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise1_left2();
            (0x200000 &&& 0xFFE00000, 2..2) : normalise1_left1();
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise1_left1();
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise1_right1();
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise1_right2();
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise1_right3();
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise1_right4();
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise1_right5();
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise1_right6();
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise1_right7();
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise1_right8();
        }
    }

    // Stage 11. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
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

    // Stage 9. R-FPI-10: sign and magnitude.
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

    // Stage 10. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise2_left1() {
        meta.normal2 = meta.absolute2 << 1;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w1;
    }
    action normalise2_left2() {
        meta.normal2 = meta.absolute2 << 2;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w2;
    }
    action normalise2_left3() {
        meta.normal2 = meta.absolute2 << 3;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w3;
    }
    action normalise2_left4() {
        meta.normal2 = meta.absolute2 << 4;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w4;
    }
    action normalise2_left5() {
        meta.normal2 = meta.absolute2 << 5;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w5;
    }
    action normalise2_left6() {
        meta.normal2 = meta.absolute2 << 6;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w6;
    }
    action normalise2_left7() {
        meta.normal2 = meta.absolute2 << 7;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w7;
    }
    action normalise2_left8() {
        meta.normal2 = meta.absolute2 << 8;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w8;
    }
    action normalise2_left9() {
        meta.normal2 = meta.absolute2 << 9;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w9;
    }
    action normalise2_left10() {
        meta.normal2 = meta.absolute2 << 10;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w10;
    }
    action normalise2_left11() {
        meta.normal2 = meta.absolute2 << 11;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w11;
    }
    action normalise2_left12() {
        meta.normal2 = meta.absolute2 << 12;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w12;
    }
    action normalise2_left13() {
        meta.normal2 = meta.absolute2 << 13;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w13;
    }
    action normalise2_left14() {
        meta.normal2 = meta.absolute2 << 14;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w14;
    }
    action normalise2_left15() {
        meta.normal2 = meta.absolute2 << 15;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w15;
    }
    action normalise2_left16() {
        meta.normal2 = meta.absolute2 << 16;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w16;
    }
    action normalise2_left17() {
        meta.normal2 = meta.absolute2 << 17;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w17;
    }
    action normalise2_left18() {
        meta.normal2 = meta.absolute2 << 18;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w18;
    }
    action normalise2_left19() {
        meta.normal2 = meta.absolute2 << 19;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w19;
    }
    action normalise2_left20() {
        meta.normal2 = meta.absolute2 << 20;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w20;
    }
    action normalise2_left21() {
        meta.normal2 = meta.absolute2 << 21;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w21;
    }
    action normalise2_left22() {
        meta.normal2 = meta.absolute2 << 22;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w22;
    }
    action normalise2_left23() {
        meta.normal2 = meta.absolute2 << 23;
        meta.normal_exponent2 = hdr.found.exponent2 - 16w23;
    }
    action normalise2_right1() {
        meta.normal2 = meta.absolute2 >> 1;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w1;
    }
    action normalise2_right2() {
        meta.normal2 = meta.absolute2 >> 2;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w2;
    }
    action normalise2_right3() {
        meta.normal2 = meta.absolute2 >> 3;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w3;
    }
    action normalise2_right4() {
        meta.normal2 = meta.absolute2 >> 4;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w4;
    }
    action normalise2_right5() {
        meta.normal2 = meta.absolute2 >> 5;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w5;
    }
    action normalise2_right6() {
        meta.normal2 = meta.absolute2 >> 6;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w6;
    }
    action normalise2_right7() {
        meta.normal2 = meta.absolute2 >> 7;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w7;
    }
    action normalise2_right8() {
        meta.normal2 = meta.absolute2 >> 8;
        meta.normal_exponent2 = hdr.found.exponent2 + 16w8;
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
            normalise2_left1;
            normalise2_left2;
            normalise2_left3;
            normalise2_left4;
            normalise2_left5;
            normalise2_left6;
            normalise2_left7;
            normalise2_left8;
            normalise2_left9;
            normalise2_left10;
            normalise2_left11;
            normalise2_left12;
            normalise2_left13;
            normalise2_left14;
            normalise2_left15;
            normalise2_left16;
            normalise2_left17;
            normalise2_left18;
            normalise2_left19;
            normalise2_left20;
            normalise2_left21;
            normalise2_left22;
            normalise2_left23;
            normalise2_right1;
            normalise2_right2;
            normalise2_right3;
            normalise2_right4;
            normalise2_right5;
            normalise2_right6;
            normalise2_right7;
            normalise2_right8;
            normalise2_stay;
        }
        const default_action = normalise2_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise2_left23();
            (1 &&& 0xFFFFFFFF, 2..2) : normalise2_left1();
            (1 &&& 0xFFFFFFFF, 3..3) : normalise2_left2();
            (1 &&& 0xFFFFFFFF, 4..4) : normalise2_left3();
            (1 &&& 0xFFFFFFFF, 5..5) : normalise2_left4();
            (1 &&& 0xFFFFFFFF, 6..6) : normalise2_left5();
            (1 &&& 0xFFFFFFFF, 7..7) : normalise2_left6();
            (1 &&& 0xFFFFFFFF, 8..8) : normalise2_left7();
            (1 &&& 0xFFFFFFFF, 9..9) : normalise2_left8();
            (1 &&& 0xFFFFFFFF, 10..10) : normalise2_left9();
            (1 &&& 0xFFFFFFFF, 11..11) : normalise2_left10();
            (1 &&& 0xFFFFFFFF, 12..12) : normalise2_left11();
            (1 &&& 0xFFFFFFFF, 13..13) : normalise2_left12();
            (1 &&& 0xFFFFFFFF, 14..14) : normalise2_left13();
            (1 &&& 0xFFFFFFFF, 15..15) : normalise2_left14();
            (1 &&& 0xFFFFFFFF, 16..16) : normalise2_left15();
            (1 &&& 0xFFFFFFFF, 17..17) : normalise2_left16();
            (1 &&& 0xFFFFFFFF, 18..18) : normalise2_left17();
            (1 &&& 0xFFFFFFFF, 19..19) : normalise2_left18();
            (1 &&& 0xFFFFFFFF, 20..20) : normalise2_left19();
            (1 &&& 0xFFFFFFFF, 21..21) : normalise2_left20();
            (1 &&& 0xFFFFFFFF, 22..22) : normalise2_left21();
            (1 &&& 0xFFFFFFFF, 23..23) : normalise2_left22();
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise2_left22();
            (2 &&& 0xFFFFFFFE, 2..2) : normalise2_left1();
            (2 &&& 0xFFFFFFFE, 3..3) : normalise2_left2();
            (2 &&& 0xFFFFFFFE, 4..4) : normalise2_left3();
            (2 &&& 0xFFFFFFFE, 5..5) : normalise2_left4();
            (2 &&& 0xFFFFFFFE, 6..6) : normalise2_left5();
            (2 &&& 0xFFFFFFFE, 7..7) : normalise2_left6();
            (2 &&& 0xFFFFFFFE, 8..8) : normalise2_left7();
            (2 &&& 0xFFFFFFFE, 9..9) : normalise2_left8();
            (2 &&& 0xFFFFFFFE, 10..10) : normalise2_left9();
            (2 &&& 0xFFFFFFFE, 11..11) : normalise2_left10();
            (2 &&& 0xFFFFFFFE, 12..12) : normalise2_left11();
            (2 &&& 0xFFFFFFFE, 13..13) : normalise2_left12();
            (2 &&& 0xFFFFFFFE, 14..14) : normalise2_left13();
            (2 &&& 0xFFFFFFFE, 15..15) : normalise2_left14();
            (2 &&& 0xFFFFFFFE, 16..16) : normalise2_left15();
            (2 &&& 0xFFFFFFFE, 17..17) : normalise2_left16();
            (2 &&& 0xFFFFFFFE, 18..18) : normalise2_left17();
            (2 &&& 0xFFFFFFFE, 19..19) : normalise2_left18();
            (2 &&& 0xFFFFFFFE, 20..20) : normalise2_left19();
            (2 &&& 0xFFFFFFFE, 21..21) : normalise2_left20();
            (2 &&& 0xFFFFFFFE, 22..22) : normalise2_left21();
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise2_left21();
            (4 &&& 0xFFFFFFFC, 2..2) : normalise2_left1();
            (4 &&& 0xFFFFFFFC, 3..3) : normalise2_left2();
            (4 &&& 0xFFFFFFFC, 4..4) : normalise2_left3();
            (4 &&& 0xFFFFFFFC, 5..5) : normalise2_left4();
            (4 &&& 0xFFFFFFFC, 6..6) : normalise2_left5();
            (4 &&& 0xFFFFFFFC, 7..7) : normalise2_left6();
            (4 &&& 0xFFFFFFFC, 8..8) : normalise2_left7();
            (4 &&& 0xFFFFFFFC, 9..9) : normalise2_left8();
            (4 &&& 0xFFFFFFFC, 10..10) : normalise2_left9();
            (4 &&& 0xFFFFFFFC, 11..11) : normalise2_left10();
            (4 &&& 0xFFFFFFFC, 12..12) : normalise2_left11();
            (4 &&& 0xFFFFFFFC, 13..13) : normalise2_left12();
            (4 &&& 0xFFFFFFFC, 14..14) : normalise2_left13();
            (4 &&& 0xFFFFFFFC, 15..15) : normalise2_left14();
            (4 &&& 0xFFFFFFFC, 16..16) : normalise2_left15();
            (4 &&& 0xFFFFFFFC, 17..17) : normalise2_left16();
            (4 &&& 0xFFFFFFFC, 18..18) : normalise2_left17();
            (4 &&& 0xFFFFFFFC, 19..19) : normalise2_left18();
            (4 &&& 0xFFFFFFFC, 20..20) : normalise2_left19();
            (4 &&& 0xFFFFFFFC, 21..21) : normalise2_left20();
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise2_left20();
            (8 &&& 0xFFFFFFF8, 2..2) : normalise2_left1();
            (8 &&& 0xFFFFFFF8, 3..3) : normalise2_left2();
            (8 &&& 0xFFFFFFF8, 4..4) : normalise2_left3();
            (8 &&& 0xFFFFFFF8, 5..5) : normalise2_left4();
            (8 &&& 0xFFFFFFF8, 6..6) : normalise2_left5();
            (8 &&& 0xFFFFFFF8, 7..7) : normalise2_left6();
            (8 &&& 0xFFFFFFF8, 8..8) : normalise2_left7();
            (8 &&& 0xFFFFFFF8, 9..9) : normalise2_left8();
            (8 &&& 0xFFFFFFF8, 10..10) : normalise2_left9();
            (8 &&& 0xFFFFFFF8, 11..11) : normalise2_left10();
            (8 &&& 0xFFFFFFF8, 12..12) : normalise2_left11();
            (8 &&& 0xFFFFFFF8, 13..13) : normalise2_left12();
            (8 &&& 0xFFFFFFF8, 14..14) : normalise2_left13();
            (8 &&& 0xFFFFFFF8, 15..15) : normalise2_left14();
            (8 &&& 0xFFFFFFF8, 16..16) : normalise2_left15();
            (8 &&& 0xFFFFFFF8, 17..17) : normalise2_left16();
            (8 &&& 0xFFFFFFF8, 18..18) : normalise2_left17();
            (8 &&& 0xFFFFFFF8, 19..19) : normalise2_left18();
            (8 &&& 0xFFFFFFF8, 20..20) : normalise2_left19();
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise2_left19();
            (16 &&& 0xFFFFFFF0, 2..2) : normalise2_left1();
            (16 &&& 0xFFFFFFF0, 3..3) : normalise2_left2();
            (16 &&& 0xFFFFFFF0, 4..4) : normalise2_left3();
            (16 &&& 0xFFFFFFF0, 5..5) : normalise2_left4();
            (16 &&& 0xFFFFFFF0, 6..6) : normalise2_left5();
            (16 &&& 0xFFFFFFF0, 7..7) : normalise2_left6();
            (16 &&& 0xFFFFFFF0, 8..8) : normalise2_left7();
            (16 &&& 0xFFFFFFF0, 9..9) : normalise2_left8();
            (16 &&& 0xFFFFFFF0, 10..10) : normalise2_left9();
            (16 &&& 0xFFFFFFF0, 11..11) : normalise2_left10();
            (16 &&& 0xFFFFFFF0, 12..12) : normalise2_left11();
            (16 &&& 0xFFFFFFF0, 13..13) : normalise2_left12();
            (16 &&& 0xFFFFFFF0, 14..14) : normalise2_left13();
            (16 &&& 0xFFFFFFF0, 15..15) : normalise2_left14();
            (16 &&& 0xFFFFFFF0, 16..16) : normalise2_left15();
            (16 &&& 0xFFFFFFF0, 17..17) : normalise2_left16();
            (16 &&& 0xFFFFFFF0, 18..18) : normalise2_left17();
            (16 &&& 0xFFFFFFF0, 19..19) : normalise2_left18();
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise2_left18();
            (32 &&& 0xFFFFFFE0, 2..2) : normalise2_left1();
            (32 &&& 0xFFFFFFE0, 3..3) : normalise2_left2();
            (32 &&& 0xFFFFFFE0, 4..4) : normalise2_left3();
            (32 &&& 0xFFFFFFE0, 5..5) : normalise2_left4();
            (32 &&& 0xFFFFFFE0, 6..6) : normalise2_left5();
            (32 &&& 0xFFFFFFE0, 7..7) : normalise2_left6();
            (32 &&& 0xFFFFFFE0, 8..8) : normalise2_left7();
            (32 &&& 0xFFFFFFE0, 9..9) : normalise2_left8();
            (32 &&& 0xFFFFFFE0, 10..10) : normalise2_left9();
            (32 &&& 0xFFFFFFE0, 11..11) : normalise2_left10();
            (32 &&& 0xFFFFFFE0, 12..12) : normalise2_left11();
            (32 &&& 0xFFFFFFE0, 13..13) : normalise2_left12();
            (32 &&& 0xFFFFFFE0, 14..14) : normalise2_left13();
            (32 &&& 0xFFFFFFE0, 15..15) : normalise2_left14();
            (32 &&& 0xFFFFFFE0, 16..16) : normalise2_left15();
            (32 &&& 0xFFFFFFE0, 17..17) : normalise2_left16();
            (32 &&& 0xFFFFFFE0, 18..18) : normalise2_left17();
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise2_left17();
            (64 &&& 0xFFFFFFC0, 2..2) : normalise2_left1();
            (64 &&& 0xFFFFFFC0, 3..3) : normalise2_left2();
            (64 &&& 0xFFFFFFC0, 4..4) : normalise2_left3();
            (64 &&& 0xFFFFFFC0, 5..5) : normalise2_left4();
            (64 &&& 0xFFFFFFC0, 6..6) : normalise2_left5();
            (64 &&& 0xFFFFFFC0, 7..7) : normalise2_left6();
            (64 &&& 0xFFFFFFC0, 8..8) : normalise2_left7();
            (64 &&& 0xFFFFFFC0, 9..9) : normalise2_left8();
            (64 &&& 0xFFFFFFC0, 10..10) : normalise2_left9();
            (64 &&& 0xFFFFFFC0, 11..11) : normalise2_left10();
            (64 &&& 0xFFFFFFC0, 12..12) : normalise2_left11();
            (64 &&& 0xFFFFFFC0, 13..13) : normalise2_left12();
            (64 &&& 0xFFFFFFC0, 14..14) : normalise2_left13();
            (64 &&& 0xFFFFFFC0, 15..15) : normalise2_left14();
            (64 &&& 0xFFFFFFC0, 16..16) : normalise2_left15();
            (64 &&& 0xFFFFFFC0, 17..17) : normalise2_left16();
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise2_left16();
            (128 &&& 0xFFFFFF80, 2..2) : normalise2_left1();
            (128 &&& 0xFFFFFF80, 3..3) : normalise2_left2();
            (128 &&& 0xFFFFFF80, 4..4) : normalise2_left3();
            (128 &&& 0xFFFFFF80, 5..5) : normalise2_left4();
            (128 &&& 0xFFFFFF80, 6..6) : normalise2_left5();
            (128 &&& 0xFFFFFF80, 7..7) : normalise2_left6();
            (128 &&& 0xFFFFFF80, 8..8) : normalise2_left7();
            (128 &&& 0xFFFFFF80, 9..9) : normalise2_left8();
            (128 &&& 0xFFFFFF80, 10..10) : normalise2_left9();
            (128 &&& 0xFFFFFF80, 11..11) : normalise2_left10();
            (128 &&& 0xFFFFFF80, 12..12) : normalise2_left11();
            (128 &&& 0xFFFFFF80, 13..13) : normalise2_left12();
            (128 &&& 0xFFFFFF80, 14..14) : normalise2_left13();
            (128 &&& 0xFFFFFF80, 15..15) : normalise2_left14();
            (128 &&& 0xFFFFFF80, 16..16) : normalise2_left15();
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise2_left15();
            (256 &&& 0xFFFFFF00, 2..2) : normalise2_left1();
            (256 &&& 0xFFFFFF00, 3..3) : normalise2_left2();
            (256 &&& 0xFFFFFF00, 4..4) : normalise2_left3();
            (256 &&& 0xFFFFFF00, 5..5) : normalise2_left4();
            (256 &&& 0xFFFFFF00, 6..6) : normalise2_left5();
            (256 &&& 0xFFFFFF00, 7..7) : normalise2_left6();
            (256 &&& 0xFFFFFF00, 8..8) : normalise2_left7();
            (256 &&& 0xFFFFFF00, 9..9) : normalise2_left8();
            (256 &&& 0xFFFFFF00, 10..10) : normalise2_left9();
            (256 &&& 0xFFFFFF00, 11..11) : normalise2_left10();
            (256 &&& 0xFFFFFF00, 12..12) : normalise2_left11();
            (256 &&& 0xFFFFFF00, 13..13) : normalise2_left12();
            (256 &&& 0xFFFFFF00, 14..14) : normalise2_left13();
            (256 &&& 0xFFFFFF00, 15..15) : normalise2_left14();
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise2_left14();
            (512 &&& 0xFFFFFE00, 2..2) : normalise2_left1();
            (512 &&& 0xFFFFFE00, 3..3) : normalise2_left2();
            (512 &&& 0xFFFFFE00, 4..4) : normalise2_left3();
            (512 &&& 0xFFFFFE00, 5..5) : normalise2_left4();
            (512 &&& 0xFFFFFE00, 6..6) : normalise2_left5();
            (512 &&& 0xFFFFFE00, 7..7) : normalise2_left6();
            (512 &&& 0xFFFFFE00, 8..8) : normalise2_left7();
            (512 &&& 0xFFFFFE00, 9..9) : normalise2_left8();
            (512 &&& 0xFFFFFE00, 10..10) : normalise2_left9();
            (512 &&& 0xFFFFFE00, 11..11) : normalise2_left10();
            (512 &&& 0xFFFFFE00, 12..12) : normalise2_left11();
            (512 &&& 0xFFFFFE00, 13..13) : normalise2_left12();
            (512 &&& 0xFFFFFE00, 14..14) : normalise2_left13();
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise2_left13();
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise2_left1();
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise2_left2();
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise2_left3();
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise2_left4();
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise2_left5();
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise2_left6();
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise2_left7();
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise2_left8();
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise2_left9();
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise2_left10();
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise2_left11();
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise2_left12();
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise2_left12();
            (0x800 &&& 0xFFFFF800, 2..2) : normalise2_left1();
            (0x800 &&& 0xFFFFF800, 3..3) : normalise2_left2();
            (0x800 &&& 0xFFFFF800, 4..4) : normalise2_left3();
            (0x800 &&& 0xFFFFF800, 5..5) : normalise2_left4();
            (0x800 &&& 0xFFFFF800, 6..6) : normalise2_left5();
            (0x800 &&& 0xFFFFF800, 7..7) : normalise2_left6();
            (0x800 &&& 0xFFFFF800, 8..8) : normalise2_left7();
            (0x800 &&& 0xFFFFF800, 9..9) : normalise2_left8();
            (0x800 &&& 0xFFFFF800, 10..10) : normalise2_left9();
            (0x800 &&& 0xFFFFF800, 11..11) : normalise2_left10();
            (0x800 &&& 0xFFFFF800, 12..12) : normalise2_left11();
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise2_left11();
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise2_left1();
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise2_left2();
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise2_left3();
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise2_left4();
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise2_left5();
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise2_left6();
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise2_left7();
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise2_left8();
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise2_left9();
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise2_left10();
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise2_left10();
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise2_left1();
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise2_left2();
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise2_left3();
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise2_left4();
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise2_left5();
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise2_left6();
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise2_left7();
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise2_left8();
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise2_left9();
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise2_left9();
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise2_left1();
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise2_left2();
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise2_left3();
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise2_left4();
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise2_left5();
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise2_left6();
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise2_left7();
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise2_left8();
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise2_left8();
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise2_left1();
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise2_left2();
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise2_left3();
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise2_left4();
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise2_left5();
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise2_left6();
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise2_left7();
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise2_left7();
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise2_left1();
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise2_left2();
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise2_left3();
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise2_left4();
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise2_left5();
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise2_left6();
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise2_left6();
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise2_left1();
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise2_left2();
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise2_left3();
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise2_left4();
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise2_left5();
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise2_left5();
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise2_left1();
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise2_left2();
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise2_left3();
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise2_left4();
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise2_left4();
            (0x80000 &&& 0xFFF80000, 2..2) : normalise2_left1();
            (0x80000 &&& 0xFFF80000, 3..3) : normalise2_left2();
            (0x80000 &&& 0xFFF80000, 4..4) : normalise2_left3();
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise2_left3();
            (0x100000 &&& 0xFFF00000, 2..2) : normalise2_left1();
            (0x100000 &&& 0xFFF00000, 3..3) : normalise2_left2();
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise2_left2();
            (0x200000 &&& 0xFFE00000, 2..2) : normalise2_left1();
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise2_left1();
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise2_right1();
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise2_right2();
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise2_right3();
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise2_right4();
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise2_right5();
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise2_right6();
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise2_right7();
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise2_right8();
        }
    }

    // Stage 11. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
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

    // Stage 9. R-FPI-10: sign and magnitude.
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

    // Stage 10. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise3_left1() {
        meta.normal3 = meta.absolute3 << 1;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w1;
    }
    action normalise3_left2() {
        meta.normal3 = meta.absolute3 << 2;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w2;
    }
    action normalise3_left3() {
        meta.normal3 = meta.absolute3 << 3;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w3;
    }
    action normalise3_left4() {
        meta.normal3 = meta.absolute3 << 4;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w4;
    }
    action normalise3_left5() {
        meta.normal3 = meta.absolute3 << 5;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w5;
    }
    action normalise3_left6() {
        meta.normal3 = meta.absolute3 << 6;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w6;
    }
    action normalise3_left7() {
        meta.normal3 = meta.absolute3 << 7;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w7;
    }
    action normalise3_left8() {
        meta.normal3 = meta.absolute3 << 8;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w8;
    }
    action normalise3_left9() {
        meta.normal3 = meta.absolute3 << 9;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w9;
    }
    action normalise3_left10() {
        meta.normal3 = meta.absolute3 << 10;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w10;
    }
    action normalise3_left11() {
        meta.normal3 = meta.absolute3 << 11;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w11;
    }
    action normalise3_left12() {
        meta.normal3 = meta.absolute3 << 12;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w12;
    }
    action normalise3_left13() {
        meta.normal3 = meta.absolute3 << 13;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w13;
    }
    action normalise3_left14() {
        meta.normal3 = meta.absolute3 << 14;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w14;
    }
    action normalise3_left15() {
        meta.normal3 = meta.absolute3 << 15;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w15;
    }
    action normalise3_left16() {
        meta.normal3 = meta.absolute3 << 16;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w16;
    }
    action normalise3_left17() {
        meta.normal3 = meta.absolute3 << 17;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w17;
    }
    action normalise3_left18() {
        meta.normal3 = meta.absolute3 << 18;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w18;
    }
    action normalise3_left19() {
        meta.normal3 = meta.absolute3 << 19;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w19;
    }
    action normalise3_left20() {
        meta.normal3 = meta.absolute3 << 20;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w20;
    }
    action normalise3_left21() {
        meta.normal3 = meta.absolute3 << 21;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w21;
    }
    action normalise3_left22() {
        meta.normal3 = meta.absolute3 << 22;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w22;
    }
    action normalise3_left23() {
        meta.normal3 = meta.absolute3 << 23;
        meta.normal_exponent3 = hdr.found.exponent3 - 16w23;
    }
    action normalise3_right1() {
        meta.normal3 = meta.absolute3 >> 1;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w1;
    }
    action normalise3_right2() {
        meta.normal3 = meta.absolute3 >> 2;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w2;
    }
    action normalise3_right3() {
        meta.normal3 = meta.absolute3 >> 3;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w3;
    }
    action normalise3_right4() {
        meta.normal3 = meta.absolute3 >> 4;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w4;
    }
    action normalise3_right5() {
        meta.normal3 = meta.absolute3 >> 5;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w5;
    }
    action normalise3_right6() {
        meta.normal3 = meta.absolute3 >> 6;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w6;
    }
    action normalise3_right7() {
        meta.normal3 = meta.absolute3 >> 7;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w7;
    }
    action normalise3_right8() {
        meta.normal3 = meta.absolute3 >> 8;
        meta.normal_exponent3 = hdr.found.exponent3 + 16w8;
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
            normalise3_left1;
            normalise3_left2;
            normalise3_left3;
            normalise3_left4;
            normalise3_left5;
            normalise3_left6;
            normalise3_left7;
            normalise3_left8;
            normalise3_left9;
            normalise3_left10;
            normalise3_left11;
            normalise3_left12;
            normalise3_left13;
            normalise3_left14;
            normalise3_left15;
            normalise3_left16;
            normalise3_left17;
            normalise3_left18;
            normalise3_left19;
            normalise3_left20;
            normalise3_left21;
            normalise3_left22;
            normalise3_left23;
            normalise3_right1;
            normalise3_right2;
            normalise3_right3;
            normalise3_right4;
            normalise3_right5;
            normalise3_right6;
            normalise3_right7;
            normalise3_right8;
            normalise3_stay;
        }
        const default_action = normalise3_stay();
        const entries = {
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise3_left23();
            (1 &&& 0xFFFFFFFF, 2..2) : normalise3_left1();
            (1 &&& 0xFFFFFFFF, 3..3) : normalise3_left2();
            (1 &&& 0xFFFFFFFF, 4..4) : normalise3_left3();
            (1 &&& 0xFFFFFFFF, 5..5) : normalise3_left4();
            (1 &&& 0xFFFFFFFF, 6..6) : normalise3_left5();
            (1 &&& 0xFFFFFFFF, 7..7) : normalise3_left6();
            (1 &&& 0xFFFFFFFF, 8..8) : normalise3_left7();
            (1 &&& 0xFFFFFFFF, 9..9) : normalise3_left8();
            (1 &&& 0xFFFFFFFF, 10..10) : normalise3_left9();
            (1 &&& 0xFFFFFFFF, 11..11) : normalise3_left10();
            (1 &&& 0xFFFFFFFF, 12..12) : normalise3_left11();
            (1 &&& 0xFFFFFFFF, 13..13) : normalise3_left12();
            (1 &&& 0xFFFFFFFF, 14..14) : normalise3_left13();
            (1 &&& 0xFFFFFFFF, 15..15) : normalise3_left14();
            (1 &&& 0xFFFFFFFF, 16..16) : normalise3_left15();
            (1 &&& 0xFFFFFFFF, 17..17) : normalise3_left16();
            (1 &&& 0xFFFFFFFF, 18..18) : normalise3_left17();
            (1 &&& 0xFFFFFFFF, 19..19) : normalise3_left18();
            (1 &&& 0xFFFFFFFF, 20..20) : normalise3_left19();
            (1 &&& 0xFFFFFFFF, 21..21) : normalise3_left20();
            (1 &&& 0xFFFFFFFF, 22..22) : normalise3_left21();
            (1 &&& 0xFFFFFFFF, 23..23) : normalise3_left22();
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise3_left22();
            (2 &&& 0xFFFFFFFE, 2..2) : normalise3_left1();
            (2 &&& 0xFFFFFFFE, 3..3) : normalise3_left2();
            (2 &&& 0xFFFFFFFE, 4..4) : normalise3_left3();
            (2 &&& 0xFFFFFFFE, 5..5) : normalise3_left4();
            (2 &&& 0xFFFFFFFE, 6..6) : normalise3_left5();
            (2 &&& 0xFFFFFFFE, 7..7) : normalise3_left6();
            (2 &&& 0xFFFFFFFE, 8..8) : normalise3_left7();
            (2 &&& 0xFFFFFFFE, 9..9) : normalise3_left8();
            (2 &&& 0xFFFFFFFE, 10..10) : normalise3_left9();
            (2 &&& 0xFFFFFFFE, 11..11) : normalise3_left10();
            (2 &&& 0xFFFFFFFE, 12..12) : normalise3_left11();
            (2 &&& 0xFFFFFFFE, 13..13) : normalise3_left12();
            (2 &&& 0xFFFFFFFE, 14..14) : normalise3_left13();
            (2 &&& 0xFFFFFFFE, 15..15) : normalise3_left14();
            (2 &&& 0xFFFFFFFE, 16..16) : normalise3_left15();
            (2 &&& 0xFFFFFFFE, 17..17) : normalise3_left16();
            (2 &&& 0xFFFFFFFE, 18..18) : normalise3_left17();
            (2 &&& 0xFFFFFFFE, 19..19) : normalise3_left18();
            (2 &&& 0xFFFFFFFE, 20..20) : normalise3_left19();
            (2 &&& 0xFFFFFFFE, 21..21) : normalise3_left20();
            (2 &&& 0xFFFFFFFE, 22..22) : normalise3_left21();
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise3_left21();
            (4 &&& 0xFFFFFFFC, 2..2) : normalise3_left1();
            (4 &&& 0xFFFFFFFC, 3..3) : normalise3_left2();
            (4 &&& 0xFFFFFFFC, 4..4) : normalise3_left3();
            (4 &&& 0xFFFFFFFC, 5..5) : normalise3_left4();
            (4 &&& 0xFFFFFFFC, 6..6) : normalise3_left5();
            (4 &&& 0xFFFFFFFC, 7..7) : normalise3_left6();
            (4 &&& 0xFFFFFFFC, 8..8) : normalise3_left7();
            (4 &&& 0xFFFFFFFC, 9..9) : normalise3_left8();
            (4 &&& 0xFFFFFFFC, 10..10) : normalise3_left9();
            (4 &&& 0xFFFFFFFC, 11..11) : normalise3_left10();
            (4 &&& 0xFFFFFFFC, 12..12) : normalise3_left11();
            (4 &&& 0xFFFFFFFC, 13..13) : normalise3_left12();
            (4 &&& 0xFFFFFFFC, 14..14) : normalise3_left13();
            (4 &&& 0xFFFFFFFC, 15..15) : normalise3_left14();
            (4 &&& 0xFFFFFFFC, 16..16) : normalise3_left15();
            (4 &&& 0xFFFFFFFC, 17..17) : normalise3_left16();
            (4 &&& 0xFFFFFFFC, 18..18) : normalise3_left17();
            (4 &&& 0xFFFFFFFC, 19..19) : normalise3_left18();
            (4 &&& 0xFFFFFFFC, 20..20) : normalise3_left19();
            (4 &&& 0xFFFFFFFC, 21..21) : normalise3_left20();
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise3_left20();
            (8 &&& 0xFFFFFFF8, 2..2) : normalise3_left1();
            (8 &&& 0xFFFFFFF8, 3..3) : normalise3_left2();
            (8 &&& 0xFFFFFFF8, 4..4) : normalise3_left3();
            (8 &&& 0xFFFFFFF8, 5..5) : normalise3_left4();
            (8 &&& 0xFFFFFFF8, 6..6) : normalise3_left5();
            (8 &&& 0xFFFFFFF8, 7..7) : normalise3_left6();
            (8 &&& 0xFFFFFFF8, 8..8) : normalise3_left7();
            (8 &&& 0xFFFFFFF8, 9..9) : normalise3_left8();
            (8 &&& 0xFFFFFFF8, 10..10) : normalise3_left9();
            (8 &&& 0xFFFFFFF8, 11..11) : normalise3_left10();
            (8 &&& 0xFFFFFFF8, 12..12) : normalise3_left11();
            (8 &&& 0xFFFFFFF8, 13..13) : normalise3_left12();
            (8 &&& 0xFFFFFFF8, 14..14) : normalise3_left13();
            (8 &&& 0xFFFFFFF8, 15..15) : normalise3_left14();
            (8 &&& 0xFFFFFFF8, 16..16) : normalise3_left15();
            (8 &&& 0xFFFFFFF8, 17..17) : normalise3_left16();
            (8 &&& 0xFFFFFFF8, 18..18) : normalise3_left17();
            (8 &&& 0xFFFFFFF8, 19..19) : normalise3_left18();
            (8 &&& 0xFFFFFFF8, 20..20) : normalise3_left19();
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise3_left19();
            (16 &&& 0xFFFFFFF0, 2..2) : normalise3_left1();
            (16 &&& 0xFFFFFFF0, 3..3) : normalise3_left2();
            (16 &&& 0xFFFFFFF0, 4..4) : normalise3_left3();
            (16 &&& 0xFFFFFFF0, 5..5) : normalise3_left4();
            (16 &&& 0xFFFFFFF0, 6..6) : normalise3_left5();
            (16 &&& 0xFFFFFFF0, 7..7) : normalise3_left6();
            (16 &&& 0xFFFFFFF0, 8..8) : normalise3_left7();
            (16 &&& 0xFFFFFFF0, 9..9) : normalise3_left8();
            (16 &&& 0xFFFFFFF0, 10..10) : normalise3_left9();
            (16 &&& 0xFFFFFFF0, 11..11) : normalise3_left10();
            (16 &&& 0xFFFFFFF0, 12..12) : normalise3_left11();
            (16 &&& 0xFFFFFFF0, 13..13) : normalise3_left12();
            (16 &&& 0xFFFFFFF0, 14..14) : normalise3_left13();
            (16 &&& 0xFFFFFFF0, 15..15) : normalise3_left14();
            (16 &&& 0xFFFFFFF0, 16..16) : normalise3_left15();
            (16 &&& 0xFFFFFFF0, 17..17) : normalise3_left16();
            (16 &&& 0xFFFFFFF0, 18..18) : normalise3_left17();
            (16 &&& 0xFFFFFFF0, 19..19) : normalise3_left18();
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise3_left18();
            (32 &&& 0xFFFFFFE0, 2..2) : normalise3_left1();
            (32 &&& 0xFFFFFFE0, 3..3) : normalise3_left2();
            (32 &&& 0xFFFFFFE0, 4..4) : normalise3_left3();
            (32 &&& 0xFFFFFFE0, 5..5) : normalise3_left4();
            (32 &&& 0xFFFFFFE0, 6..6) : normalise3_left5();
            (32 &&& 0xFFFFFFE0, 7..7) : normalise3_left6();
            (32 &&& 0xFFFFFFE0, 8..8) : normalise3_left7();
            (32 &&& 0xFFFFFFE0, 9..9) : normalise3_left8();
            (32 &&& 0xFFFFFFE0, 10..10) : normalise3_left9();
            (32 &&& 0xFFFFFFE0, 11..11) : normalise3_left10();
            (32 &&& 0xFFFFFFE0, 12..12) : normalise3_left11();
            (32 &&& 0xFFFFFFE0, 13..13) : normalise3_left12();
            (32 &&& 0xFFFFFFE0, 14..14) : normalise3_left13();
            (32 &&& 0xFFFFFFE0, 15..15) : normalise3_left14();
            (32 &&& 0xFFFFFFE0, 16..16) : normalise3_left15();
            (32 &&& 0xFFFFFFE0, 17..17) : normalise3_left16();
            (32 &&& 0xFFFFFFE0, 18..18) : normalise3_left17();
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise3_left17();
            (64 &&& 0xFFFFFFC0, 2..2) : normalise3_left1();
            (64 &&& 0xFFFFFFC0, 3..3) : normalise3_left2();
            (64 &&& 0xFFFFFFC0, 4..4) : normalise3_left3();
            (64 &&& 0xFFFFFFC0, 5..5) : normalise3_left4();
            (64 &&& 0xFFFFFFC0, 6..6) : normalise3_left5();
            (64 &&& 0xFFFFFFC0, 7..7) : normalise3_left6();
            (64 &&& 0xFFFFFFC0, 8..8) : normalise3_left7();
            (64 &&& 0xFFFFFFC0, 9..9) : normalise3_left8();
            (64 &&& 0xFFFFFFC0, 10..10) : normalise3_left9();
            (64 &&& 0xFFFFFFC0, 11..11) : normalise3_left10();
            (64 &&& 0xFFFFFFC0, 12..12) : normalise3_left11();
            (64 &&& 0xFFFFFFC0, 13..13) : normalise3_left12();
            (64 &&& 0xFFFFFFC0, 14..14) : normalise3_left13();
            (64 &&& 0xFFFFFFC0, 15..15) : normalise3_left14();
            (64 &&& 0xFFFFFFC0, 16..16) : normalise3_left15();
            (64 &&& 0xFFFFFFC0, 17..17) : normalise3_left16();
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise3_left16();
            (128 &&& 0xFFFFFF80, 2..2) : normalise3_left1();
            (128 &&& 0xFFFFFF80, 3..3) : normalise3_left2();
            (128 &&& 0xFFFFFF80, 4..4) : normalise3_left3();
            (128 &&& 0xFFFFFF80, 5..5) : normalise3_left4();
            (128 &&& 0xFFFFFF80, 6..6) : normalise3_left5();
            (128 &&& 0xFFFFFF80, 7..7) : normalise3_left6();
            (128 &&& 0xFFFFFF80, 8..8) : normalise3_left7();
            (128 &&& 0xFFFFFF80, 9..9) : normalise3_left8();
            (128 &&& 0xFFFFFF80, 10..10) : normalise3_left9();
            (128 &&& 0xFFFFFF80, 11..11) : normalise3_left10();
            (128 &&& 0xFFFFFF80, 12..12) : normalise3_left11();
            (128 &&& 0xFFFFFF80, 13..13) : normalise3_left12();
            (128 &&& 0xFFFFFF80, 14..14) : normalise3_left13();
            (128 &&& 0xFFFFFF80, 15..15) : normalise3_left14();
            (128 &&& 0xFFFFFF80, 16..16) : normalise3_left15();
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise3_left15();
            (256 &&& 0xFFFFFF00, 2..2) : normalise3_left1();
            (256 &&& 0xFFFFFF00, 3..3) : normalise3_left2();
            (256 &&& 0xFFFFFF00, 4..4) : normalise3_left3();
            (256 &&& 0xFFFFFF00, 5..5) : normalise3_left4();
            (256 &&& 0xFFFFFF00, 6..6) : normalise3_left5();
            (256 &&& 0xFFFFFF00, 7..7) : normalise3_left6();
            (256 &&& 0xFFFFFF00, 8..8) : normalise3_left7();
            (256 &&& 0xFFFFFF00, 9..9) : normalise3_left8();
            (256 &&& 0xFFFFFF00, 10..10) : normalise3_left9();
            (256 &&& 0xFFFFFF00, 11..11) : normalise3_left10();
            (256 &&& 0xFFFFFF00, 12..12) : normalise3_left11();
            (256 &&& 0xFFFFFF00, 13..13) : normalise3_left12();
            (256 &&& 0xFFFFFF00, 14..14) : normalise3_left13();
            (256 &&& 0xFFFFFF00, 15..15) : normalise3_left14();
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise3_left14();
            (512 &&& 0xFFFFFE00, 2..2) : normalise3_left1();
            (512 &&& 0xFFFFFE00, 3..3) : normalise3_left2();
            (512 &&& 0xFFFFFE00, 4..4) : normalise3_left3();
            (512 &&& 0xFFFFFE00, 5..5) : normalise3_left4();
            (512 &&& 0xFFFFFE00, 6..6) : normalise3_left5();
            (512 &&& 0xFFFFFE00, 7..7) : normalise3_left6();
            (512 &&& 0xFFFFFE00, 8..8) : normalise3_left7();
            (512 &&& 0xFFFFFE00, 9..9) : normalise3_left8();
            (512 &&& 0xFFFFFE00, 10..10) : normalise3_left9();
            (512 &&& 0xFFFFFE00, 11..11) : normalise3_left10();
            (512 &&& 0xFFFFFE00, 12..12) : normalise3_left11();
            (512 &&& 0xFFFFFE00, 13..13) : normalise3_left12();
            (512 &&& 0xFFFFFE00, 14..14) : normalise3_left13();
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise3_left13();
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise3_left1();
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise3_left2();
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise3_left3();
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise3_left4();
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise3_left5();
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise3_left6();
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise3_left7();
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise3_left8();
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise3_left9();
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise3_left10();
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise3_left11();
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise3_left12();
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise3_left12();
            (0x800 &&& 0xFFFFF800, 2..2) : normalise3_left1();
            (0x800 &&& 0xFFFFF800, 3..3) : normalise3_left2();
            (0x800 &&& 0xFFFFF800, 4..4) : normalise3_left3();
            (0x800 &&& 0xFFFFF800, 5..5) : normalise3_left4();
            (0x800 &&& 0xFFFFF800, 6..6) : normalise3_left5();
            (0x800 &&& 0xFFFFF800, 7..7) : normalise3_left6();
            (0x800 &&& 0xFFFFF800, 8..8) : normalise3_left7();
            (0x800 &&& 0xFFFFF800, 9..9) : normalise3_left8();
            (0x800 &&& 0xFFFFF800, 10..10) : normalise3_left9();
            (0x800 &&& 0xFFFFF800, 11..11) : normalise3_left10();
            (0x800 &&& 0xFFFFF800, 12..12) : normalise3_left11();
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise3_left11();
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise3_left1();
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise3_left2();
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise3_left3();
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise3_left4();
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise3_left5();
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise3_left6();
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise3_left7();
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise3_left8();
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise3_left9();
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise3_left10();
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise3_left10();
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise3_left1();
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise3_left2();
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise3_left3();
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise3_left4();
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise3_left5();
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise3_left6();
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise3_left7();
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise3_left8();
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise3_left9();
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise3_left9();
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise3_left1();
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise3_left2();
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise3_left3();
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise3_left4();
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise3_left5();
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise3_left6();
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise3_left7();
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise3_left8();
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise3_left8();
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise3_left1();
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise3_left2();
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise3_left3();
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise3_left4();
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise3_left5();
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise3_left6();
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise3_left7();
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise3_left7();
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise3_left1();
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise3_left2();
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise3_left3();
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise3_left4();
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise3_left5();
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise3_left6();
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise3_left6();
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise3_left1();
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise3_left2();
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise3_left3();
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise3_left4();
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise3_left5();
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise3_left5();
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise3_left1();
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise3_left2();
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise3_left3();
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise3_left4();
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise3_left4();
            (0x80000 &&& 0xFFF80000, 2..2) : normalise3_left1();
            (0x80000 &&& 0xFFF80000, 3..3) : normalise3_left2();
            (0x80000 &&& 0xFFF80000, 4..4) : normalise3_left3();
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise3_left3();
            (0x100000 &&& 0xFFF00000, 2..2) : normalise3_left1();
            (0x100000 &&& 0xFFF00000, 3..3) : normalise3_left2();
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise3_left2();
            (0x200000 &&& 0xFFE00000, 2..2) : normalise3_left1();
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise3_left1();
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise3_right1();
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise3_right2();
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise3_right3();
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise3_right4();
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise3_right5();
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise3_right6();
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise3_right7();
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise3_right8();
        }
    }

    // Stage 11. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
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

    // Stage 11. R-PISA-36: what sums were put together from.
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
        // Stage 9
        if (hdr.lane0.isValid()) {
            magnitude0.apply();
        }
        // Stage 10
        if (hdr.lane0.isValid()) {
            normalise0.apply();
        }
        // Stage 11
        if (hdr.lane0.isValid()) {
            assemble0.apply();
        }
        // Stage 9
        if (hdr.lane1.isValid()) {
            magnitude1.apply();
        }
        // Stage 10
        if (hdr.lane1.isValid()) {
            normalise1.apply();
        }
        // Stage 11
        if (hdr.lane1.isValid()) {
            assemble1.apply();
        }
        // Stage 9
        if (hdr.lane2.isValid()) {
            magnitude2.apply();
        }
        // Stage 10
        if (hdr.lane2.isValid()) {
            normalise2.apply();
        }
        // Stage 11
        if (hdr.lane2.isValid()) {
            assemble2.apply();
        }
        // Stage 9
        if (hdr.lane3.isValid()) {
            magnitude3.apply();
        }
        // Stage 10
        if (hdr.lane3.isValid()) {
            normalise3.apply();
        }
        // Stage 11
        if (hdr.lane3.isValid()) {
            assemble3.apply();
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
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(), SwitchComputeChecksum(), SwitchDeparser()) main;
