// switchml for Tofino (TNA).
// SwitchML with netfold's rounds: 64 lanes of 32 bits, 1 pipeline(s), 128 slots, 8 workers.
// Rules: R-PKT and R-SLOT in spec/protocol.md, R-PISA in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#else
#include <tna.p4>
#endif

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

header lanes_32_h {
    bit<32> lane0;
    bit<32> lane1;
    bit<32> lane2;
    bit<32> lane3;
    bit<32> lane4;
    bit<32> lane5;
    bit<32> lane6;
    bit<32> lane7;
    bit<32> lane8;
    bit<32> lane9;
    bit<32> lane10;
    bit<32> lane11;
    bit<32> lane12;
    bit<32> lane13;
    bit<32> lane14;
    bit<32> lane15;
    bit<32> lane16;
    bit<32> lane17;
    bit<32> lane18;
    bit<32> lane19;
    bit<32> lane20;
    bit<32> lane21;
    bit<32> lane22;
    bit<32> lane23;
    bit<32> lane24;
    bit<32> lane25;
    bit<32> lane26;
    bit<32> lane27;
    bit<32> lane28;
    bit<32> lane29;
    bit<32> lane30;
    bit<32> lane31;
}

header lanes_16_h {
    bit<32> lane0;
    bit<32> lane1;
    bit<32> lane2;
    bit<32> lane3;
    bit<32> lane4;
    bit<32> lane5;
    bit<32> lane6;
    bit<32> lane7;
    bit<32> lane8;
    bit<32> lane9;
    bit<32> lane10;
    bit<32> lane11;
    bit<32> lane12;
    bit<32> lane13;
    bit<32> lane14;
    bit<32> lane15;
}

header lanes_8_h {
    bit<32> lane0;
    bit<32> lane1;
    bit<32> lane2;
    bit<32> lane3;
    bit<32> lane4;
    bit<32> lane5;
    bit<32> lane6;
    bit<32> lane7;
}

header lanes_4_h {
    bit<32> lane0;
    bit<32> lane1;
    bit<32> lane2;
    bit<32> lane3;
}

header lanes_2_h {
    bit<32> lane0;
    bit<32> lane1;
}

header lanes_1_h {
    bit<32> lane0;
}

header lanes_last_h {
    bit<32> lane0;
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

struct pair_t {
    bit<32> lo;
    bit<32> hi;
}

struct signed_pair_t {
    int<32> lo;
    int<32> hi;
}

struct headers_t {
    bridge_h bridge;
    ethernet_h ethernet;
    ipv4_h ipv4;
    udp_h udp;
    netfold_h netfold;
    lanes_32_h lanes_32;
    lanes_16_h lanes_16;
    lanes_8_h lanes_8;
    lanes_4_h lanes_4;
    lanes_2_h lanes_2;
    lanes_1_h lanes_1;
    lanes_last_h lanes_last;
}

struct leaving_headers_t {
    bridge_h bridge;
    ethernet_h ethernet;
    ipv4_h ipv4;
    udp_h udp;
    netfold_h netfold;
}

struct metadata_t {
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
    bit<1> shown0;
    bit<1> shown1;
    bit<1> shown2;
    bit<1> shown3;
    bit<1> shown4;
    bit<1> shown5;
    bit<1> shown6;
}

struct leaving_metadata_t {
    bit<16> lane_bytes;
    bit<16> elsewhere;
}

parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta, out ingress_intrinsic_metadata_t ig_intr_md) {
    state start {
        packet.extract(ig_intr_md);
        packet.advance(PORT_METADATA_SIZE);
        transition begin;
    }

    state begin {
        transition select(ig_intr_md.ingress_port) {
            68 &&& 127: parse_bridge;
            default: parse_ethernet;
        }
    }

    state parse_bridge {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.mode) {
            1: consume_again;
            2: harvest;
            default: reject;
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
            default: reject;
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
            default: reject;
        }
    }

    state again_way {
        transition select(hdr.netfold.flags) {
            0: again_lanes;
            2: again_without_lanes;
            6: again_without_lanes;
            default: reject;
        }
    }

    state first_kind {
        transition select(hdr.netfold.kind) {
            2: first_exponents;
            3: first_classes;
            1: first_values;
            default: reject;
        }
    }

    state again_lanes {
        transition select(hdr.bridge.rest) {
            64 &&& 64: again_all_lanes;
            128 &&& 128: again_all_lanes;
            256 &&& 256: again_all_lanes;
            512 &&& 512: again_all_lanes;
            0x400 &&& 0x400: again_all_lanes;
            0x800 &&& 0x800: again_all_lanes;
            0x1000 &&& 0x1000: again_all_lanes;
            0x2000 &&& 0x2000: again_all_lanes;
            0x4000 &&& 0x4000: again_all_lanes;
            0x8000 &&& 0x8000: again_all_lanes;
            default: again_look_32;
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

    state again_all_lanes {
        packet.extract(hdr.lanes_32);
        packet.extract(hdr.lanes_16);
        packet.extract(hdr.lanes_8);
        packet.extract(hdr.lanes_4);
        packet.extract(hdr.lanes_2);
        packet.extract(hdr.lanes_1);
        packet.extract(hdr.lanes_last);
        transition accept;
    }

    state again_look_32 {
        transition select(hdr.bridge.rest) {
            32 &&& 32: again_take_32;
            default: again_look_16;
        }
    }

    state first_way {
        transition select(hdr.netfold.flags) {
            0: first_lanes;
            2: first_without_lanes;
            6: first_without_lanes;
            default: reject;
        }
    }

    state again_take_32 {
        packet.extract(hdr.lanes_32);
        transition again_look_16;
    }

    state again_look_16 {
        transition select(hdr.bridge.rest) {
            16 &&& 16: again_take_16;
            default: again_look_8;
        }
    }

    state first_lanes {
        transition select(hdr.netfold.elements) {
            64 &&& 64: first_all_lanes;
            128 &&& 128: first_all_lanes;
            256 &&& 256: first_all_lanes;
            512 &&& 512: first_all_lanes;
            0x400 &&& 0x400: first_all_lanes;
            0x800 &&& 0x800: first_all_lanes;
            0x1000 &&& 0x1000: first_all_lanes;
            0x2000 &&& 0x2000: first_all_lanes;
            0x4000 &&& 0x4000: first_all_lanes;
            0x8000 &&& 0x8000: first_all_lanes;
            default: first_look_32;
        }
    }

    state first_without_lanes {
        transition accept;
    }

    state again_take_16 {
        packet.extract(hdr.lanes_16);
        transition again_look_8;
    }

    state again_look_8 {
        transition select(hdr.bridge.rest) {
            8 &&& 8: again_take_8;
            default: again_look_4;
        }
    }

    state first_all_lanes {
        packet.extract(hdr.lanes_32);
        packet.extract(hdr.lanes_16);
        packet.extract(hdr.lanes_8);
        packet.extract(hdr.lanes_4);
        packet.extract(hdr.lanes_2);
        packet.extract(hdr.lanes_1);
        packet.extract(hdr.lanes_last);
        transition accept;
    }

    state first_look_32 {
        transition select(hdr.netfold.elements) {
            32 &&& 32: first_take_32;
            default: first_look_16;
        }
    }

    state again_take_8 {
        packet.extract(hdr.lanes_8);
        transition again_look_4;
    }

    state again_look_4 {
        transition select(hdr.bridge.rest) {
            4 &&& 4: again_take_4;
            default: again_look_2;
        }
    }

    state first_take_32 {
        packet.extract(hdr.lanes_32);
        transition first_look_16;
    }

    state first_look_16 {
        transition select(hdr.netfold.elements) {
            16 &&& 16: first_take_16;
            default: first_look_8;
        }
    }

    state again_take_4 {
        packet.extract(hdr.lanes_4);
        transition again_look_2;
    }

    state again_look_2 {
        transition select(hdr.bridge.rest) {
            2 &&& 2: again_take_2;
            default: again_look_1;
        }
    }

    state first_take_16 {
        packet.extract(hdr.lanes_16);
        transition first_look_8;
    }

    state first_look_8 {
        transition select(hdr.netfold.elements) {
            8 &&& 8: first_take_8;
            default: first_look_4;
        }
    }

    state again_take_2 {
        packet.extract(hdr.lanes_2);
        transition again_look_1;
    }

    state again_look_1 {
        transition select(hdr.bridge.rest) {
            1 &&& 1: again_take_1;
            default: again_end;
        }
    }

    state first_take_8 {
        packet.extract(hdr.lanes_8);
        transition first_look_4;
    }

    state first_look_4 {
        transition select(hdr.netfold.elements) {
            4 &&& 4: first_take_4;
            default: first_look_2;
        }
    }

    state again_take_1 {
        packet.extract(hdr.lanes_1);
        transition again_end;
    }

    state again_end {
        transition accept;
    }

    state first_take_4 {
        packet.extract(hdr.lanes_4);
        transition first_look_2;
    }

    state first_look_2 {
        transition select(hdr.netfold.elements) {
            2 &&& 2: first_take_2;
            default: first_look_1;
        }
    }

    state first_take_2 {
        packet.extract(hdr.lanes_2);
        transition first_look_1;
    }

    state first_look_1 {
        transition select(hdr.netfold.elements) {
            1 &&& 1: first_take_1;
            default: first_end;
        }
    }

    state first_take_1 {
        packet.extract(hdr.lanes_1);
        transition first_end;
    }

    state first_end {
        transition accept;
    }

}

control fold_unit(
    in bit<2> phase,
    in bit<8> step,
    in bit<4> age,
    in bit<4> round_is,
    in bit<8> flags,
    in bit<2> order,
    in bit<8> was_filled,
    in bit<16> left,
    inout bit<32> lane,
    inout bit<32> lane_2,
    in bit<16> copy) {
    // Two lanes of each copy of a slot (R-SLOT-2).
    Register<pair_t, bit<16>>(256) reg_pair;

    // R-SLOT-2: the first lanes overwrite, later ones are added; a pass gives back one of the two.
    action fold_skip() {
    }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_set = {
        void apply(inout pair_t value, out bit<32> rv) {
            value.lo = lane;
            value.hi = lane_2;
            rv = value.hi;
        }
    };
    action fold_set() {
        lane_2 = alu_fold_set.execute(copy);
    }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_add = {
        void apply(inout pair_t value, out bit<32> rv) {
            value.lo = value.lo + lane;
            value.hi = value.hi + lane_2;
            rv = value.hi;
        }
    };
    action fold_add() {
        lane_2 = alu_fold_add.execute(copy);
    }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_read_low = {
        void apply(inout pair_t value, out bit<32> rv) {
            rv = value.lo;
        }
    };
    action fold_read_low() {
        lane = alu_fold_read_low.execute(copy);
    }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_read_high = {
        void apply(inout pair_t value, out bit<32> rv) {
            rv = value.hi;
        }
    };
    action fold_read_high() {
        lane_2 = alu_fold_read_high.execute(copy);
    }
    table fold {
        key = {
            phase : ternary @name("phase");
            step : ternary @name("step");
            age : ternary @name("age");
            round_is : ternary @name("round_is");
            flags : ternary @name("flags");
            order : ternary @name("order");
            was_filled : ternary @name("was_filled");
            left : ternary @name("left");
        }
        actions = {
            fold_skip;
            fold_set;
            fold_add;
            fold_read_low;
            fold_read_high;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (0 &&& 2, _, 2, 2, 0 &&& 2, 2 &&& 2, _, _) : fold_set();
            (0 &&& 2, _, 2, 8, 0 &&& 2, 2 &&& 2, _, _) : fold_set();
            (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, _, 0) : fold_skip();
            (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 0, _) : fold_set();
            (0 &&& 2, _, 2, 4, 0 &&& 2, 2 &&& 2, 1, _) : fold_add();
            (0 &&& 2, _, 2, 4, 0 &&& 4, _, 1, 1) : fold_read_high();
            (0 &&& 2, _, 4, _, 0 &&& 4, _, 1, 0) : fold_read_high();
            (2, 0 &&& 1, _, _, _, _, _, _) : fold_read_low();
            (2, 1 &&& 1, _, _, _, _, _, _) : fold_read_high();
        }
        size = 9;
    }

    apply {
        fold.apply();
    }
}

control SwitchIngress(inout headers_t hdr, inout metadata_t meta, in ingress_intrinsic_metadata_t ig_intr_md, in ingress_intrinsic_metadata_from_parser_t ig_prsr_md, inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md, inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    // The latest round of each worker in each slot (R-PISA-11).
    Register<int<32>, bit<16>>(1024) reg_last;
    // The round that each copy holds, and what it agrees on (R-SLOT-7).
    Register<signed_pair_t, bit<16>>(256) reg_round;
    // The same round, and the worker that started it.
    Register<signed_pair_t, bit<16>>(256) reg_first;
    // Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).
    Register<int<16>, bit<16>>(256) reg_count;
    // Whether lanes have been written in this round.
    Register<bit<8>, bit<16>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    Register<int<16>, bit<16>>(256) reg_largest;

    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_rounds_number_key;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_digests_digest_digest;
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
            #include "../lists/shapes.entries"
        }
        size = 66;
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
        size = 16;
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
        size = 1;
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
        meta.key_ = hash_rounds_number_key.get({ hdr.netfold.position[29:0], meta.order });
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
        meta.digest = hash_digests_digest_digest.get({ hdr.netfold.position, hdr.netfold.kind, hdr.netfold.call, hdr.netfold.element_type, hdr.netfold.operation, hdr.netfold.elements, hdr.netfold.exponent, hdr.netfold.delivery });
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
        meta.rest = hdr.netfold.elements |-| 16w64;
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
        meta.rest = hdr.bridge.rest |-| 16w64;
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
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w4;
    }
    action forward_flood(bit<16> group) {
        ig_tm_md.mcast_grp_a = group;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w4;
    }
    action forward_refuse() {
        ig_dprsr_md.drop_ctl = 3w1;
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
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_last) alu_ages_contribute = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value - (int<32>) meta.key_ < 0, value == (int<32>) meta.key_);
            if (value - (int<32>) meta.key_ < 0) {
                value = (int<32>) meta.key_;
            }
        }
    };
    action ages_contribute() {
        meta.age = alu_ages_contribute.execute(meta.word);
    }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_last) alu_ages_ask = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value - (int<32>) meta.key_ < 0, value == (int<32>) meta.key_);
        }
    };
    action ages_ask() {
        meta.age = alu_ages_ask.execute(meta.word);
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
        size = 2;
    }

    // Stage 1. R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.
    RegisterAction<signed_pair_t, bit<16>, bit<4>>(reg_round) alu_starts_contribute = {
        void apply(inout signed_pair_t value, out bit<4> rv) {
            rv = this.predicate(value.lo - (int<32>) meta.key_ < 0, value.hi == (int<32>) meta.digest);
            if (value.lo - (int<32>) meta.key_ < 0) {
                value.lo = (int<32>) meta.key_;
                value.hi = (int<32>) meta.digest;
            }
        }
    };
    action starts_contribute() {
        meta.round_is = alu_starts_contribute.execute(meta.copy);
    }
    RegisterAction<signed_pair_t, bit<16>, bit<4>>(reg_round) alu_starts_ask = {
        void apply(inout signed_pair_t value, out bit<4> rv) {
            rv = this.predicate(value.lo - (int<32>) meta.key_ < 0, value.hi == (int<32>) meta.digest);
        }
    };
    action starts_ask() {
        meta.round_is = alu_starts_ask.execute(meta.copy);
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
        size = 2;
    }

    // Stage 1. R-SLOT-7: the worker that a mismatch is reported with.
    RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_first) alu_starters_contribute = {
        void apply(inout signed_pair_t value, out int<32> rv) {
            rv = value.hi;
            if (value.lo - (int<32>) meta.key_ < 0) {
                value.lo = (int<32>) meta.key_;
                value.hi = (int<32>) meta.sender;
            }
        }
    };
    action starters_contribute() {
        meta.first_worker = (bit<32>) alu_starters_contribute.execute(meta.copy);
    }
    RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_first) alu_starters_ask = {
        void apply(inout signed_pair_t value, out int<32> rv) {
            rv = value.hi;
        }
    };
    action starters_ask() {
        meta.first_worker = (bit<32>) alu_starters_ask.execute(meta.copy);
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
        size = 2;
    }

    // Stage 2. R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where two calls met.
    action counts_skip() {
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_open = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
            if (value == 0) {
                value = (int<16>) meta.others;
            } else {
                value = -1;
            }
        }
    };
    action counts_open() {
        meta.left = (bit<16>) alu_counts_open.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_join = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
            if (!(value == 0) && !(value < 0)) {
                value = value - 1;
            }
        }
    };
    action counts_join() {
        meta.left = (bit<16>) alu_counts_join.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_clash = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
            if (!(value == 0)) {
                value = -1;
            }
        }
    };
    action counts_clash() {
        meta.left = (bit<16>) alu_counts_clash.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_count) alu_counts_peek = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
        }
    };
    action counts_peek() {
        meta.left = (bit<16>) alu_counts_peek.execute(meta.copy);
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
        size = 7;
    }

    // Stage 2. R-SLOT-2: whether these are the round's first lanes.
    action fills_skip() {
    }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_mark = {
        void apply(inout bit<8> value, out bit<8> rv) {
            rv = value;
            value = 1;
        }
    };
    action fills_mark() {
        meta.was_filled = alu_fills_mark.execute(meta.copy);
    }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_wipe = {
        void apply(inout bit<8> value, out bit<8> rv) {
            value = 0;
            rv = value;
        }
    };
    action fills_wipe() {
        meta.was_filled = alu_fills_wipe.execute(meta.copy);
    }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_filled) alu_fills_peek = {
        void apply(inout bit<8> value, out bit<8> rv) {
            rv = value;
        }
    };
    action fills_peek() {
        meta.was_filled = alu_fills_peek.execute(meta.copy);
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
        size = 9;
    }

    // Stage 2. R-SLOT-5: the maximum, from the first contribution on.
    action largests_skip() {
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_begin = {
        void apply(inout int<16> value, out int<16> rv) {
            value = (int<16>) hdr.netfold.next_exponent;
            rv = value;
        }
    };
    action largests_begin() {
        meta.largest_exponent = (bit<16>) alu_largests_begin.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_raise = {
        void apply(inout int<16> value, out int<16> rv) {
            value = max(value, (int<16>) hdr.netfold.next_exponent);
            rv = value;
        }
    };
    action largests_raise() {
        meta.largest_exponent = (bit<16>) alu_largests_raise.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_peek = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
        }
    };
    action largests_peek() {
        meta.largest_exponent = (bit<16>) alu_largests_peek.execute(meta.copy);
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
        size = 6;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show0_show() {
        hdr.lanes_32.setValid();
        meta.shown0 = 1w1;
    }
    table show0 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show0_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 0, 64 &&& 0xFFC0) : show0_show();
            (2, 0, 32 &&& 0xFFE0) : show0_show();
        }
        size = 2;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show1_show() {
        hdr.lanes_16.setValid();
        meta.shown1 = 1w1;
    }
    table show1 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show1_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show1_show();
            (2, 1, 16 &&& 0xFFD0) : show1_show();
            (0, _, 64 &&& 0xFFC0) : show1_show();
            (0, _, 16 &&& 0xFFD0) : show1_show();
        }
        size = 4;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show2_show() {
        hdr.lanes_8.setValid();
        meta.shown2 = 1w1;
    }
    table show2 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show2_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show2_show();
            (2, 1, 8 &&& 0xFFC8) : show2_show();
            (0, _, 64 &&& 0xFFC0) : show2_show();
            (0, _, 8 &&& 0xFFC8) : show2_show();
        }
        size = 4;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show3_show() {
        hdr.lanes_4.setValid();
        meta.shown3 = 1w1;
    }
    table show3 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show3_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show3_show();
            (2, 1, 4 &&& 0xFFC4) : show3_show();
            (0, _, 64 &&& 0xFFC0) : show3_show();
            (0, _, 4 &&& 0xFFC4) : show3_show();
        }
        size = 4;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show4_show() {
        hdr.lanes_2.setValid();
        meta.shown4 = 1w1;
    }
    table show4 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show4_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show4_show();
            (2, 1, 2 &&& 0xFFC2) : show4_show();
            (0, _, 64 &&& 0xFFC0) : show4_show();
            (0, _, 2 &&& 0xFFC2) : show4_show();
        }
        size = 4;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show5_show() {
        hdr.lanes_1.setValid();
        meta.shown5 = 1w1;
    }
    table show5 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show5_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show5_show();
            (2, 1, 1 &&& 0xFFC1) : show5_show();
            (0, _, 64 &&& 0xFFC0) : show5_show();
            (0, _, 1 &&& 0xFFC1) : show5_show();
        }
        size = 4;
    }

    // Stage 2. Lanes that the packet has behind this pass (R-PISA-14).
    action show6_show() {
        hdr.lanes_last.setValid();
        meta.shown6 = 1w1;
    }
    table show6 {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
            hdr.netfold.elements : ternary @name("elements");
        }
        actions = {
            show6_show;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show6_show();
            (0, _, 64 &&& 0xFFC0) : show6_show();
        }
        size = 2;
    }

    fold_unit() fold0;
    fold_unit() fold1;
    fold_unit() fold2;
    fold_unit() fold3;
    fold_unit() fold4;
    fold_unit() fold5;
    fold_unit() fold6;
    fold_unit() fold7;
    fold_unit() fold8;
    fold_unit() fold9;
    fold_unit() fold10;
    fold_unit() fold11;
    fold_unit() fold12;
    fold_unit() fold13;
    fold_unit() fold14;
    fold_unit() fold15;
    fold_unit() fold16;
    fold_unit() fold17;
    fold_unit() fold18;
    fold_unit() fold19;
    fold_unit() fold20;
    fold_unit() fold21;
    fold_unit() fold22;
    fold_unit() fold23;
    fold_unit() fold24;
    fold_unit() fold25;
    fold_unit() fold26;
    fold_unit() fold27;
    fold_unit() fold28;
    fold_unit() fold29;
    fold_unit() fold30;
    fold_unit() fold31;
    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide0_hide() {
        hdr.lanes_32.setInvalid();
    }
    table hide0 {
        actions = {
            hide0_hide;
        }
        const default_action = hide0_hide();
        size = 1;
    }

    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide1_hide() {
        hdr.lanes_16.setInvalid();
    }
    table hide1 {
        actions = {
            hide1_hide;
        }
        const default_action = hide1_hide();
        size = 1;
    }

    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide2_hide() {
        hdr.lanes_8.setInvalid();
    }
    table hide2 {
        actions = {
            hide2_hide;
        }
        const default_action = hide2_hide();
        size = 1;
    }

    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide3_hide() {
        hdr.lanes_4.setInvalid();
    }
    table hide3 {
        actions = {
            hide3_hide;
        }
        const default_action = hide3_hide();
        size = 1;
    }

    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide4_hide() {
        hdr.lanes_2.setInvalid();
    }
    table hide4 {
        actions = {
            hide4_hide;
        }
        const default_action = hide4_hide();
        size = 1;
    }

    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide5_hide() {
        hdr.lanes_1.setInvalid();
    }
    table hide5 {
        actions = {
            hide5_hide;
        }
        const default_action = hide5_hide();
        size = 1;
    }

    // Stage 10. Lanes that have been taken in (R-PISA-15).
    action hide6_hide() {
        hdr.lanes_last.setInvalid();
    }
    table hide6 {
        actions = {
            hide6_hide;
        }
        const default_action = hide6_hide();
        size = 1;
    }

    // Stage 11. R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the control plane, or nowhere.
    action outcome_refuse() {
        ig_dprsr_md.drop_ctl = 3w1;
    }
    action outcome_mismatch() {
        ig_dprsr_md.drop_ctl = 3w1;
        ig_dprsr_md.digest_type = 3w1;
    }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w1;
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.single = 8w0;
        hdr.bridge.rest = meta.rest;
    }
    action outcome_recall() {
        hdr.netfold.flags = 8w7;
        hdr.lanes_32.setInvalid();
        hdr.lanes_16.setInvalid();
        hdr.lanes_8.setInvalid();
        hdr.lanes_4.setInvalid();
        hdr.lanes_2.setInvalid();
        hdr.lanes_1.setInvalid();
        hdr.lanes_last.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.ucast_egress_port = (bit<9>) meta.member_port;
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w2;
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.single = 8w0;
        hdr.netfold.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w2;
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.single = 8w1;
    }
    action outcome_relay(bit<8> step) {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF;
        hdr.lanes_32.setInvalid();
        hdr.lanes_16.setInvalid();
        hdr.lanes_8.setInvalid();
        hdr.lanes_4.setInvalid();
        hdr.lanes_2.setInvalid();
        hdr.lanes_1.setInvalid();
        hdr.lanes_last.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w5;
        hdr.bridge.step = step;
        hdr.bridge.single = 8w1;
        ig_tm_md.mcast_grp_a = meta.relay_group;
    }
    action outcome_spread() {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.mcast_grp_a = meta.members_group;
    }
    action outcome_spread_empty() {
        hdr.netfold.flags = 8w3;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.netfold.worker = 16w0xFFFF;
        hdr.lanes_32.setInvalid();
        hdr.lanes_16.setInvalid();
        hdr.lanes_8.setInvalid();
        hdr.lanes_4.setInvalid();
        hdr.lanes_2.setInvalid();
        hdr.lanes_1.setInvalid();
        hdr.lanes_last.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.mcast_grp_a = meta.members_group;
    }
    action outcome_reply() {
        hdr.netfold.flags = 8w1;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.ucast_egress_port = (bit<9>) meta.member_port;
    }
    action outcome_reply_empty() {
        hdr.netfold.flags = 8w3;
        hdr.netfold.next_exponent = meta.largest_exponent;
        hdr.lanes_32.setInvalid();
        hdr.lanes_16.setInvalid();
        hdr.lanes_8.setInvalid();
        hdr.lanes_4.setInvalid();
        hdr.lanes_2.setInvalid();
        hdr.lanes_1.setInvalid();
        hdr.lanes_last.setInvalid();
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.ucast_egress_port = (bit<9>) meta.member_port;
    }
    action outcome_harvest(bit<8> step, bit<16> port) {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w2;
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
    }
    action outcome_spread_whole() {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.mcast_grp_a = meta.members_group;
    }
    action outcome_reply_whole() {
        hdr.bridge.setValid();
        hdr.bridge.mode = 8w3;
        ig_tm_md.ucast_egress_port = (bit<9>) meta.member_port;
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
            (0, _, 2, 2, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 32..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 2, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 2, 0, 1, 0 &&& 2, 2 &&& 2, _, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(1);
            (0, _, 2, 2, 0, 1, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread_empty();
            (0, _, 2, 2, 0, 0, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 2, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_mismatch();
            (0, _, 2, 8, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 32..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 8, 0, 1, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 8, 0, 1, 0 &&& 2, 2 &&& 2, _, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(1);
            (0, _, 2, 8, 0, 1, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread_empty();
            (0, _, 2, 8, 0, 0, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 8, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_mismatch();
            (0, _, 2, 4, 1, _, 0 &&& 2, 2 &&& 2, _, 1, _, 32..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 4, 1, _, 0 &&& 2, 2 &&& 2, _, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 4, 1, _, 0 &&& 2, 2 &&& 2, _, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(1);
            (0, _, 2, 4, 1, _, _, _, 1, 1, _, 32..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather(0, 68);
            (0, _, 2, 4, 1, _, _, _, 1, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread();
            (0, _, 2, 4, 1, _, _, _, 1, 0, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_relay(1);
            (0, _, 2, 4, 1, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_spread_empty();
            (0, _, 2, 4, 0, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 4, 0x8000 &&& 0x8000, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 4, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 1, 0, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (0, _, 2, 1, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_mismatch();
            (0, _, 4, _, 0, _, _, _, 1, 1, _, 32..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather_one(0, 68);
            (0, _, 4, _, 0, _, _, _, 1, 1, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_reply();
            (0, _, 4, _, 0, _, _, _, 1, _, 0, 32..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_gather_one(0, 68);
            (0, _, 4, _, 0, _, _, _, 1, _, 0, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_reply();
            (0, _, 4, _, 0, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_reply_empty();
            (0, _, 4, _, _, _, _, _, _, _, _, 0..0xFFFF, _, 1, 1, 1, 1, 1, 1) : outcome_refuse();
            (2, 1, _, _, _, _, _, _, _, _, _, 0..0xFFFF, _, _, _, _, _, _, _) : outcome_harvest(0, 68);
            (2, 0, _, _, _, _, _, _, _, _, _, 0..0xFFFF, 1, _, _, _, _, _, _) : outcome_reply_whole();
            (2, 0, _, _, _, _, _, _, _, _, _, 0..0xFFFF, _, _, _, _, _, _, _) : outcome_spread_whole();
        }
        size = 37;
    }

    apply {
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
            show0.apply();
            show1.apply();
            show2.apply();
            show3.apply();
            show4.apply();
            show5.apply();
            show6.apply();
        }
        // Stage 3
        fold0.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane0, hdr.lanes_16.lane0,
            meta.copy);
        fold1.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane1, hdr.lanes_16.lane1,
            meta.copy);
        fold2.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane2, hdr.lanes_16.lane2,
            meta.copy);
        fold3.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane3, hdr.lanes_16.lane3,
            meta.copy);
        // Stage 4
        fold4.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane4, hdr.lanes_16.lane4,
            meta.copy);
        fold5.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane5, hdr.lanes_16.lane5,
            meta.copy);
        fold6.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane6, hdr.lanes_16.lane6,
            meta.copy);
        fold7.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane7, hdr.lanes_16.lane7,
            meta.copy);
        // Stage 5
        fold8.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane8, hdr.lanes_16.lane8,
            meta.copy);
        fold9.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane9, hdr.lanes_16.lane9,
            meta.copy);
        fold10.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane10, hdr.lanes_16.lane10,
            meta.copy);
        fold11.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane11, hdr.lanes_16.lane11,
            meta.copy);
        // Stage 6
        fold12.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane12, hdr.lanes_16.lane12,
            meta.copy);
        fold13.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane13, hdr.lanes_16.lane13,
            meta.copy);
        fold14.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane14, hdr.lanes_16.lane14,
            meta.copy);
        fold15.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane15, hdr.lanes_16.lane15,
            meta.copy);
        // Stage 7
        fold16.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane16, hdr.lanes_8.lane0,
            meta.copy);
        fold17.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane17, hdr.lanes_8.lane1,
            meta.copy);
        fold18.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane18, hdr.lanes_8.lane2,
            meta.copy);
        fold19.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane19, hdr.lanes_8.lane3,
            meta.copy);
        // Stage 8
        fold20.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane20, hdr.lanes_8.lane4,
            meta.copy);
        fold21.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane21, hdr.lanes_8.lane5,
            meta.copy);
        fold22.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane22, hdr.lanes_8.lane6,
            meta.copy);
        fold23.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane23, hdr.lanes_8.lane7,
            meta.copy);
        // Stage 9
        fold24.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane24, hdr.lanes_4.lane0,
            meta.copy);
        fold25.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane25, hdr.lanes_4.lane1,
            meta.copy);
        fold26.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane26, hdr.lanes_4.lane2,
            meta.copy);
        fold27.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane27, hdr.lanes_4.lane3,
            meta.copy);
        // Stage 10
        fold28.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane28, hdr.lanes_2.lane0,
            meta.copy);
        fold29.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane29, hdr.lanes_2.lane1,
            meta.copy);
        fold30.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane30, hdr.lanes_1.lane0,
            meta.copy);
        fold31.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, hdr.netfold.flags,
            meta.order, meta.was_filled, meta.left, hdr.lanes_32.lane31,
            hdr.lanes_last.lane0, meta.copy);
        if (hdr.netfold.isValid() && meta.shown0 == 1w0) {
            hide0.apply();
        }
        if (hdr.netfold.isValid() && meta.shown1 == 1w0) {
            hide1.apply();
        }
        if (hdr.netfold.isValid() && meta.shown2 == 1w0) {
            hide2.apply();
        }
        if (hdr.netfold.isValid() && meta.shown3 == 1w0) {
            hide3.apply();
        }
        if (hdr.netfold.isValid() && meta.shown4 == 1w0) {
            hide4.apply();
        }
        if (hdr.netfold.isValid() && meta.shown5 == 1w0) {
            hide5.apply();
        }
        if (hdr.netfold.isValid() && meta.shown6 == 1w0) {
            hide6.apply();
        }
        // Stage 11
        if (hdr.netfold.isValid()) {
            outcome.apply();
        }
    }
}

control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta, in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Digest<report_t>() report_1;
    apply {
        if (ig_dprsr_md.digest_type == 1) {
            report_1.pack({ hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker });
        }
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.netfold);
        packet.emit(hdr.lanes_32);
        packet.emit(hdr.lanes_16);
        packet.emit(hdr.lanes_8);
        packet.emit(hdr.lanes_4);
        packet.emit(hdr.lanes_2);
        packet.emit(hdr.lanes_1);
        packet.emit(hdr.lanes_last);
    }
}

parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta, out egress_intrinsic_metadata_t eg_intr_md) {
    state start {
        packet.extract(eg_intr_md);
        transition begin;
    }

    state begin {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.mode) {
            4: leaving_other;
            default: leaving_netfold;
        }
    }

    state leaving_other {
        transition accept;
    }

    state leaving_netfold {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv4);
        packet.extract(hdr.udp);
        packet.extract(hdr.netfold);
        transition accept;
    }

}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md, in egress_intrinsic_metadata_from_parser_t eg_prsr_md, inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md, inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {

    // Stage 0. Bytes of the lanes, and whether this copy is for the one worker that gets them.
    action measure_measure() {
        meta.lane_bytes = hdr.netfold.elements << 2;
        meta.elsewhere = eg_intr_md.egress_rid ^ hdr.netfold.delivery;
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
            eg_intr_md.egress_rid : exact @name("replica");
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
        eg_dprsr_md.drop_ctl = 3w1;
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
            eg_intr_md.egress_rid : ternary @name("replica");
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
        size = 10;
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
    }
}

control EgressDeparser(packet_out packet, inout leaving_headers_t hdr, in leaving_metadata_t meta, in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    Checksum() internet;
    apply {
        if (hdr.ipv4.isValid() && hdr.netfold.isValid()) {
            hdr.ipv4.checksum = internet.update({ hdr.ipv4.version_ihl, hdr.ipv4.tos, hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.fragment, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst });
        }
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.netfold);
    }
}

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(), EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
