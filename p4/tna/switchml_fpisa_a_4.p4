// switchml_fpisa_a for Tofino (TNA).
// SwitchML with netfold's rounds: 4 lanes of FP32 by FPISA-A, 4 pipeline(s), 128 slots, 8 workers.
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

header found_h {
    bit<8> lanes;
    bit<16> exponent0;
    bit<8> flags0;
}

header lane0_h {
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
    found_h found;
    lane0_h lane0;
}

struct leaving_headers_t {
    bridge_h bridge;
    ethernet_h ethernet;
    ipv4_h ipv4;
    udp_h udp;
    netfold_h netfold;
    found_h found;
    lane0_h lane0;
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
    bit<32> limit0;
    bit<4> added0;
    bit<16> lane;
}

struct leaving_metadata_t {
    bit<32> absolute0;
    bit<32> normal0;
    bit<16> normal_exponent0;
    bit<32> sign0;
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
            0: again_look_0;
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
        transition again_end;
    }

    state first_way {
        transition select(hdr.netfold.flags) {
            0: first_look_0;
            2: first_without_lanes;
            6: first_without_lanes;
            default: reject;
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

    state first_end {
        transition accept;
    }

    state first_take_0 {
        packet.extract(hdr.lane0);
        transition first_end;
    }

}

@pa_container_size("ingress", "hdr.found.exponent0", 16)
@pa_container_size("ingress", "hdr.found.flags0", 8)
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
    // Exponents of the sums (R-FPI-2).
    Register<int<16>, bit<16>>(256) reg_exponent0;
    // Mantissas of the sums (R-FPI-2).
    Register<int<32>, bit<16>>(256) reg_mantissa0;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    Register<bit<8>, bit<16>>(256) reg_flags0;

    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_rounds_number_key;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_digests_digest_digest;
    Hash<bit<16>>(HashAlgorithm_t.IDENTITY) hash_incoming0_normal_incoming0;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_extract0_normal_magnitude0;
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
        size = 6;
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
        meta.rest = hdr.netfold.elements |-| 16w1;
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
        meta.rest = hdr.bridge.rest |-| 16w1;
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
            (2, 0, 1..0xFFFF) : tell_some(1);
            (2, 1, 2..0xFFFF) : tell_some(1);
            (2, 2, 3..0xFFFF) : tell_some(1);
            (2, 3, 4..0xFFFF) : tell_some(1);
        }
        size = 4;
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
        size = 6;
    }

    // Stage 3. R-FPI-3, R-FPI-5: the exponent.
    action incoming0_normal() {
        meta.incoming0 = hash_incoming0_normal_incoming0.get({ 8w0, hdr.lane0.value[30:23] });
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
        size = 4;
    }

    // Stage 3. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract0_normal() {
        meta.magnitude0 = hash_extract0_normal_magnitude0.get({ 9w1, hdr.lane0.value[22:0] });
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
        size = 6;
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
        size = 1;
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
            (2, 1, 2..0xFFFF) : show0_show();
            (2, 2, 3..0xFFFF) : show0_show();
            (2, 3, 4..0xFFFF) : show0_show();
        }
        size = 4;
    }

    // Stage 5. The number of a pipeline's first lane, as long as the packet's step says which pipeline it is.
    action first_lane_count(bit<16> lanes) {
        meta.lane = lanes;
    }
    table first_lane {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
        }
        actions = {
            first_lane_count;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (0, _) : first_lane_count(0);
            (1, 1) : first_lane_count(1);
            (1, 2) : first_lane_count(2);
            (1, 3) : first_lane_count(3);
        }
        size = 4;
    }

    // Stage 4. R-FPI-5 to 7: whose exponent the sum has.
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_begin = {
        void apply(inout int<16> value, out int<16> rv) {
            value = (int<16>) meta.incoming0;
            rv = value;
        }
    };
    action exponents0_begin() {
        meta.stored0 = (bit<16>) alu_exponents0_begin.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_raise = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
            if (value - (int<16>) meta.incoming0 < -7) {
                value = (int<16>) meta.incoming0;
            }
        }
    };
    action exponents0_raise() {
        meta.stored0 = (bit<16>) alu_exponents0_raise.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_read = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
        }
    };
    action exponents0_read() {
        hdr.found.exponent0 = (bit<16>) alu_exponents0_read.execute(meta.copy);
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
        size = 3;
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
            0xFFFF..0xFFFF : align0_right1(); 0xFFFE..0xFFFE : align0_right2();
            0xFFFD..0xFFFD : align0_right3(); 0xFFFC..0xFFFC : align0_right4();
            0xFFFB..0xFFFB : align0_right5(); 0xFFFA..0xFFFA : align0_right6();
            0xFFF9..0xFFF9 : align0_right7(); 0xFFF8..0xFFF8 : align0_right8();
            0xFFF7..0xFFF7 : align0_right9(); 0xFFF6..0xFFF6 : align0_right10();
            0xFFF5..0xFFF5 : align0_right11(); 0xFFF4..0xFFF4 : align0_right12();
            0xFFF3..0xFFF3 : align0_right13(); 0xFFF2..0xFFF2 : align0_right14();
            0xFFF1..0xFFF1 : align0_right15(); 0xFFF0..0xFFF0 : align0_right16();
            0xFFEF..0xFFEF : align0_right17(); 0xFFEE..0xFFEE : align0_right18();
            0xFFED..0xFFED : align0_right19(); 0xFFEC..0xFFEC : align0_right20();
            0xFFEB..0xFFEB : align0_right21(); 0xFFEA..0xFFEA : align0_right22();
            0xFFE9..0xFFE9 : align0_right23(); 0x8000..0xFFE8 : align0_right24();
            1..1 : align0_left1(); 2..2 : align0_left2(); 3..3 : align0_left3();
            4..4 : align0_left4(); 5..5 : align0_left5(); 6..6 : align0_left6();
            7..7 : align0_left7();
        }
        size = 31;
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
        size = 1;
    }

    // Stage 8. R-FPI-5 to 9: replace, or add.
    RegisterAction<int<32>, bit<16>, bit<32>>(reg_mantissa0) alu_add0_begin = {
        void apply(inout int<32> value) {
            value = (int<32>) meta.shifted0;
        }
    };
    action add0_begin() {
        alu_add0_begin.execute(meta.copy);
    }
    RegisterAction<int<32>, bit<16>, int<32>>(reg_mantissa0) alu_add0_read = {
        void apply(inout int<32> value, out int<32> rv) {
            rv = value;
        }
    };
    action add0_read() {
        hdr.lane0.value = (bit<32>) alu_add0_read.execute(meta.copy);
    }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa0) alu_add0_add_up = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) meta.limit0 > 0);
            value = value + (int<32>) meta.shifted0;
        }
    };
    action add0_add_up() {
        meta.added0 = alu_add0_add_up.execute(meta.copy);
    }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa0) alu_add0_add_down = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) meta.limit0 < 0);
            value = value + (int<32>) meta.shifted0;
        }
    };
    action add0_add_down() {
        meta.added0 = alu_add0_add_down.execute(meta.copy);
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
        size = 5;
    }

    // Stage 9. R-FPI-4, R-FPI-9: flags stay.
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_begin = {
        void apply(inout bit<8> value) {
            value = meta.flag0;
        }
    };
    action flag0_begin() {
        alu_flag0_begin.execute(meta.copy);
    }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_note = {
        void apply(inout bit<8> value) {
            value = value | meta.flag0;
        }
    };
    action flag0_note() {
        alu_flag0_note.execute(meta.copy);
    }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_overflow = {
        void apply(inout bit<8> value) {
            value = value | 8;
        }
    };
    action flag0_overflow() {
        alu_flag0_overflow.execute(meta.copy);
        meta.overflowed0 = 1w1;
    }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_read = {
        void apply(inout bit<8> value, out bit<8> rv) {
            rv = value;
        }
    };
    action flag0_read() {
        hdr.found.flags0 = alu_flag0_read.execute(meta.copy);
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
        size = 5;
    }

    // Stage 9. R-SLOT-3, R-SLOT-4, R-SLOT-7, R-SLOT-10: to everyone, to one, to the next pipeline, to the control plane, or nowhere.
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
        hdr.lane0.setInvalid();
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
        hdr.lane0.setInvalid();
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
        hdr.lane0.setInvalid();
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
        hdr.lane0.setInvalid();
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
            #include "../lists/outcome_2.entries"
        }
        size = 90;
    }

    // Stage 11. R-FPI-9: an overflow is reported, and no sum that has overflowed is sent.
    action overflows_overflow(bit<16> module) {
        meta.lane = meta.lane + module;
        ig_dprsr_md.drop_ctl = 3w1;
        ig_dprsr_md.digest_type = 3w2;
    }
    action overflows_withhold() {
        ig_dprsr_md.drop_ctl = 3w1;
    }
    table overflows {
        key = {
            meta.sums_are : ternary @name("sums_are");
            meta.overflowed0 : ternary @name("overflowed0");
            hdr.found.flags0 : ternary @name("flags0");
        }
        actions = {
            overflows_overflow;
            overflows_withhold;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (2, 1, _) : overflows_overflow(0);
            (3, _, 8 &&& 8) : overflows_withhold();
        }
        size = 2;
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
        // Stage 5
        if (hdr.netfold.isValid()) {
            show0.apply();
        }
        first_lane.apply();
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
        if (hdr.netfold.isValid()) {
            outcome.apply();
        }
        // Stage 11
        if (hdr.netfold.isValid()) {
            overflows.apply();
        }
    }
}

control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta, in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Digest<report_t>() report_1;
    Digest<report_t>() report_2;
    apply {
        if (ig_dprsr_md.digest_type == 1) {
            report_1.pack({ hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker, meta.lane });
        }
        if (ig_dprsr_md.digest_type == 2) {
            report_2.pack({ hdr.netfold.job, hdr.netfold.epoch, hdr.netfold.slot, hdr.netfold.position, meta.sender, meta.first_worker, meta.lane });
        }
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.netfold);
        packet.emit(hdr.found);
        packet.emit(hdr.lane0);
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
        transition leaving_found;
    }

    state leaving_found {
        packet.extract(hdr.found);
        transition leaving_look_0;
    }

    state leaving_look_0 {
        transition select(hdr.found.lanes) {
            0: leaving_end;
            default: leaving_take_0;
        }
    }

    state leaving_end {
        transition accept;
    }

    state leaving_take_0 {
        packet.extract(hdr.lane0);
        transition leaving_end;
    }

}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md, in egress_intrinsic_metadata_from_parser_t eg_prsr_md, inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md, inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {

    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_assemble0_normal_value;
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
        size = 1;
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
            #include "../lists/normalise0.entries"
        }
        size = 284;
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
        hdr.lane0.value = hash_assemble0_normal_value.get({ meta.sign0[31:31], meta.normal_exponent0[7:0], meta.normal0[22:0] });
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
        size = 8;
    }

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
        if (hdr.found.isValid()) {
            strip_found.apply();
        }
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
        packet.emit(hdr.found);
        packet.emit(hdr.lane0);
    }
}

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(), EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
