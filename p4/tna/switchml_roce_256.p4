// switchml_roce for Tofino (TNA).
// SwitchML over RoCE v2 UC: 256 lanes of 32 bits, 4 pipeline(s), 128 slots, 8 workers, messages of up to 16 packet(s).
// Rules: R-SLOT in spec/protocol.md, R-PISA-11 to 16 and 50 to 61 in spec/pisa.md.
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
    bit<16> worker;
    bit<16> copy;
    bit<32> crc;
    bit<32> late;
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

header bth_h {
    bit<8> opcode;
    bit<8> flags;
    bit<16> partition;
    bit<8> reserved;
    bit<24> dest_qp;
    bit<8> acknowledge;
    bit<24> psn;
}

header reth_h {
    bit<32> base;
    bit<32> offset;
    bit<16> round;
    bit<16> slot;
    bit<32> length;
}

header immediate_h {
    bit<16> exponent;
    bit<16> next_exponent;
}

header front_h {
    bit<32> lane0;
    bit<32> lane1;
    bit<32> lane2;
    bit<32> lane3;
}

header rest_h {
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
}

header high_h {
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

header icrc_h {
    bit<32> value;
}

// What the control plane is told.
struct report_t {
    bit<24> dest_qp;
    bit<16> copy;
    bit<32> key_;
    bit<16> worker;
    bit<16> first_worker;
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
    bth_h bth;
    reth_h reth;
    immediate_h immediate;
    front_h front;
    rest_h rest;
    high_h high;
    icrc_h icrc;
}

struct leaving_headers_t {
    bridge_h bridge;
    ethernet_h ethernet;
    ipv4_h ipv4;
    udp_h udp;
    bth_h bth;
    reth_h reth;
    immediate_h immediate;
    front_h front;
}

struct metadata_t {
    bit<32> key_;
    bit<32> digest;
    bit<16> copy;
    bit<16> word;
    bit<16> worker;
    bit<16> others;
    bit<4> age;
    bit<4> round_is;
    bit<16> first_worker;
    bit<16> left;
    bit<16> largest_exponent;
    bit<2> phase;
    bit<1> known_pair;
    bit<1> known_shape;
    bit<1> known_exponents;
    bit<32> place;
    bit<32> number;
    bit<16> message;
    bit<1> alone;
    bit<16> members_group;
    bit<16> member_port;
    bit<32> term;
}

struct leaving_metadata_t {
    bit<32> term;
    bit<8> byte0;
    bit<8> byte1;
    bit<8> byte2;
    bit<8> byte3;
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
            2: harvest;
            1: consume_again;
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

    state harvest {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv4);
        packet.extract(hdr.udp);
        packet.extract(hdr.bth);
        meta.phase = 2;
        transition select(hdr.bth.opcode) {
            38: harvest_first;
            39: harvest_middle;
            41: harvest_last;
            43: harvest_only;
            default: reject;
        }
    }

    state consume_again {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv4);
        packet.extract(hdr.udp);
        packet.extract(hdr.bth);
        meta.phase = 1;
        transition select(hdr.bridge.step) {
            3: end_opcode;
            default: again_opcode;
        }
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

    state harvest_first {
        packet.extract(hdr.reth);
        transition gathered;
    }

    state harvest_middle {
        transition gathered;
    }

    state harvest_last {
        packet.extract(hdr.immediate);
        transition gathered;
    }

    state harvest_only {
        packet.extract(hdr.reth);
        packet.extract(hdr.immediate);
        transition gathered;
    }

    state end_opcode {
        transition select(hdr.bth.opcode) {
            38: end_first;
            39: end_middle;
            41: end_last;
            43: end_only;
            default: reject;
        }
    }

    state again_opcode {
        transition select(hdr.bth.opcode) {
            38: again_first;
            39: again_middle;
            41: again_last;
            43: again_only;
            default: reject;
        }
    }

    state parse_udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dst_port) {
            0x12B7: parse_bth;
            default: other;
        }
    }

    state gathered {
        transition accept;
    }

    state end_first {
        packet.extract(hdr.reth);
        transition end_first_length;
    }

    state end_middle {
        transition end_middle_length;
    }

    state end_last {
        packet.extract(hdr.immediate);
        transition end_last_length;
    }

    state end_only {
        packet.extract(hdr.reth);
        packet.extract(hdr.immediate);
        transition end_only_length;
    }

    state again_first {
        packet.extract(hdr.reth);
        transition again_first_length;
    }

    state again_middle {
        transition again_middle_length;
    }

    state again_last {
        packet.extract(hdr.immediate);
        transition again_last_length;
    }

    state again_only {
        packet.extract(hdr.reth);
        packet.extract(hdr.immediate);
        transition again_only_length;
    }

    state parse_bth {
        packet.extract(hdr.bth);
        transition first_opcode;
    }

    state end_first_length {
        transition select(hdr.udp.length) {
            0x428: end_lanes;
            default: reject;
        }
    }

    state end_middle_length {
        transition select(hdr.udp.length) {
            0x418: end_lanes;
            default: reject;
        }
    }

    state end_last_length {
        transition select(hdr.udp.length) {
            0x41C: end_lanes;
            default: reject;
        }
    }

    state end_only_length {
        transition select(hdr.udp.length) {
            0x42C: end_lanes;
            44: end_end;
            default: reject;
        }
    }

    state again_first_length {
        transition select(hdr.udp.length) {
            0x428: again_lanes;
            default: reject;
        }
    }

    state again_middle_length {
        transition select(hdr.udp.length) {
            0x418: again_lanes;
            default: reject;
        }
    }

    state again_last_length {
        transition select(hdr.udp.length) {
            0x41C: again_lanes;
            default: reject;
        }
    }

    state again_only_length {
        transition select(hdr.udp.length) {
            0x42C: again_lanes;
            44: again_end;
            default: reject;
        }
    }

    state first_opcode {
        transition select(hdr.bth.opcode) {
            38: first_first;
            39: first_middle;
            41: first_last;
            43: first_only;
            default: other;
        }
    }

    state end_lanes {
        packet.extract(hdr.front);
        packet.extract(hdr.rest);
        packet.extract(hdr.high);
        transition end_end;
    }

    state end_end {
        packet.extract(hdr.icrc);
        transition accept;
    }

    state again_lanes {
        packet.extract(hdr.front);
        packet.extract(hdr.rest);
        packet.extract(hdr.high);
        transition again_end;
    }

    state again_end {
        transition accept;
    }

    state first_first {
        packet.extract(hdr.reth);
        transition first_first_length;
    }

    state first_middle {
        transition first_middle_length;
    }

    state first_last {
        packet.extract(hdr.immediate);
        transition first_last_length;
    }

    state first_only {
        packet.extract(hdr.reth);
        packet.extract(hdr.immediate);
        transition first_only_length;
    }

    state first_first_length {
        transition select(hdr.udp.length) {
            0x428: first_lanes;
            default: other;
        }
    }

    state first_middle_length {
        transition select(hdr.udp.length) {
            0x418: first_lanes;
            default: other;
        }
    }

    state first_last_length {
        transition select(hdr.udp.length) {
            0x41C: first_lanes;
            default: other;
        }
    }

    state first_only_length {
        transition select(hdr.udp.length) {
            0x42C: first_lanes;
            44: first_end;
            default: other;
        }
    }

    state first_lanes {
        packet.extract(hdr.front);
        packet.extract(hdr.rest);
        packet.extract(hdr.high);
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
    in bit<16> left,
    in bit<16> length,
    inout bit<32> lane,
    in bit<32> lane_2,
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
        lane = alu_fold_set.execute(copy);
    }
    RegisterAction<pair_t, bit<16>, bit<32>>(reg_pair) alu_fold_add = {
        void apply(inout pair_t value, out bit<32> rv) {
            value.lo = value.lo + lane;
            value.hi = value.hi + lane_2;
            rv = value.hi;
        }
    };
    action fold_add() {
        lane = alu_fold_add.execute(copy);
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
        lane = alu_fold_read_high.execute(copy);
    }
    table fold {
        key = {
            phase : ternary @name("phase");
            step : ternary @name("step");
            age : ternary @name("age");
            round_is : ternary @name("round_is");
            left : ternary @name("left");
            length : ternary @name("length");
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
            (0 &&& 2, _, _, _, _, 44) : fold_skip();
            (0 &&& 2, _, 2, 2, _, _) : fold_set();
            (0 &&& 2, _, 2, 8, _, _) : fold_set();
            (0 &&& 2, _, 2, 4, 0, _) : fold_skip();
            (0 &&& 2, _, 2, 4, _, _) : fold_add();
            (0 &&& 2, _, 4, _, 0, _) : fold_read_high();
            (2, 0 &&& 1, _, _, _, _) : fold_read_low();
            (2, 1 &&& 1, _, _, _, _) : fold_read_high();
        }
        size = 8;
    }

    apply {
        fold.apply();
    }
}

control SwitchIngress(inout headers_t hdr, inout metadata_t meta, in ingress_intrinsic_metadata_t ig_intr_md, in ingress_intrinsic_metadata_from_parser_t ig_prsr_md, inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md, inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    // The PSN of the packet before, times 256, and the packets that are left of its message, negative (R-PISA-53).
    Register<signed_pair_t, bit<16>>(64) reg_expected;
    // The copy that the latest packet belongs to.
    Register<bit<16>, bit<16>>(64) reg_message_copy;
    // The word of `last` that belongs to it.
    Register<bit<16>, bit<16>>(64) reg_message_word;
    // The round of the message.
    Register<bit<32>, bit<16>>(64) reg_message_round;
    // The latest round of each worker in each slot (R-PISA-11).
    Register<int<32>, bit<16>>(1024) reg_last;
    // The round that each copy holds, and what it agrees on (R-SLOT-7).
    Register<signed_pair_t, bit<16>>(256) reg_round;
    // The same round, and the worker that started it.
    Register<signed_pair_t, bit<16>>(256) reg_first;
    // Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).
    Register<int<16>, bit<16>>(256) reg_count;
    // The largest `next_exponent` of the round (R-SLOT-5).
    Register<int<16>, bit<16>>(256) reg_largest;

    // From 0, and not inverted: a linear map.
    CRCPolynomial<bit<32>>(32w0x04C11DB7, true, false, false, 32w0, 32w0) linear;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_agreed_first_digest_digest;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_agreed_only_digest_digest;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_agreed_last_digest_digest;
    Hash<bit<24>>(HashAlgorithm_t.IDENTITY) hash_number_result_number_psn;
    Hash<bit<32>>(HashAlgorithm_t.CUSTOM, linear) hash_hash_early_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CUSTOM, linear) hash_hash_late_hash_late;
    // Stage 0. What is carried from pass to pass.
    action carry_carry() {
        hdr.bridge.setValid();
    }
    table carry {
        actions = {
            carry_carry;
        }
        const default_action = carry_carry();
        size = 1;
    }

    // Stage 0. R-PISA-59: an ICRC of 0 behind the last lanes.
    action begin_begin() {
        hdr.bridge.crc = 32w0xFFFFFFFF;
    }
    table begin {
        actions = {
            begin_begin;
        }
        const default_action = begin_begin();
        size = 1;
    }

    // Stage 0. R-PISA-50: a whole payload, or none; no padding.
    action shapes_pass() {
        meta.known_shape = 1w1;
    }
    table shapes {
        key = {
            hdr.bth.opcode : ternary @name("opcode");
            hdr.bth.flags : ternary @name("flags");
            hdr.udp.length : ternary @name("udp_length");
            hdr.reth.length : ternary @name("reth_length");
        }
        actions = {
            shapes_pass;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (38, 0 &&& 63, 0x428, _) : shapes_pass();
            (39, 0 &&& 63, 0x418, _) : shapes_pass();
            (41, 0 &&& 63, 0x41C, _) : shapes_pass();
            (43, 0 &&& 63, 0x42C, 0x400) : shapes_pass();
            (43, 0 &&& 63, 44, 0) : shapes_pass();
        }
        size = 5;
    }

    // Stage 0. R-PKT-1, R-NUM-7: exponents that there are.
    action exponents_pass() {
        meta.known_exponents = 1w1;
    }
    table exponents {
        key = {
            hdr.immediate.exponent : range @name("exponent");
            hdr.immediate.next_exponent : range @name("next_exponent");
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

    // Stage 0. Only the last packet of a message has some.
    action no_exponents_pass() {
        meta.known_exponents = 1w1;
    }
    table no_exponents {
        actions = {
            no_exponents_pass;
        }
        const default_action = no_exponents_pass();
        size = 1;
    }

    // Stage 0. R-PISA-52: the worker, its message, and where it is answered.
    action queue_pairs_know(bit<16> first, bit<16> message, bit<16> worker, bit<16> port, bit<16> others, bit<1> alone, bit<16> group) {
        meta.word = first + hdr.reth.slot;
        meta.message = message;
        meta.worker = worker;
        meta.member_port = port;
        meta.others = others;
        meta.alone = alone;
        meta.members_group = group;
        meta.known_pair = 1w1;
    }
    table queue_pairs {
        key = {
            hdr.ipv4.dst : exact @name("dst");
            hdr.bth.dest_qp : exact @name("dest_qp");
            hdr.ipv4.src : exact @name("src");
        }
        actions = {
            queue_pairs_know;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 64;
    }

    // Stage 0. R-PISA-51, R-PISA-53: the copy of a message's first slot, and its packets.
    action jobs_find(bit<16> first, bit<32> place) {
        meta.copy = first + hdr.reth.slot;
        meta.place = place;
    }
    table jobs {
        key = {
            hdr.bth.dest_qp : ternary @name("dest_qp");
            hdr.bth.opcode : ternary @name("opcode");
            hdr.reth.round : ternary @name("round");
            hdr.reth.slot : range @name("slot");
            hdr.reth.length : ternary @name("length");
        }
        actions = {
            jobs_find;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 512;
    }

    // Stage 0. A result that gathers its lanes: R-PISA-59.
    action resume_resume() {
        meta.copy = hdr.bridge.copy;
        hdr.front.setValid();
        hdr.rest.setValid();
    }
    table resume {
        actions = {
            resume_resume;
        }
        const default_action = resume_resume();
        size = 1;
    }

    // Stage 0. R-PISA-51: the round. R-PISA-53: the PSN. Both in upper bits, so that they wrap as registers do.
    action numbers_number() {
        meta.key_[31:16] = hdr.reth.round; meta.key_[15:0] = 0;
        meta.number[31:8] = hdr.bth.psn; meta.number[7:0] = 0;
    }
    table numbers {
        actions = {
            numbers_number;
        }
        const default_action = numbers_number();
        size = 1;
    }

    // Stage 0. R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_first_digest() {
        meta.digest = hash_agreed_first_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode, hdr.reth.offset, hdr.reth.length });
    }
    table agreed_first {
        actions = {
            agreed_first_digest;
        }
        const default_action = agreed_first_digest();
        size = 1;
    }

    // Stage 0. R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_only_digest() {
        meta.digest = hash_agreed_only_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode, hdr.reth.offset, hdr.reth.length, hdr.immediate.exponent });
    }
    table agreed_only {
        actions = {
            agreed_only_digest;
        }
        const default_action = agreed_only_digest();
        size = 1;
    }

    // Stage 1. R-PISA-53: UC takes a packet that begins a message, and one that goes on with it.
    RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_expected) alu_sequence_begin = {
        void apply(inout signed_pair_t value, out int<32> rv) {
            value.lo = (int<32>) meta.number;
            value.hi = (int<32>) meta.place;
            rv = value.hi;
        }
    };
    action sequence_begin() {
        meta.place = (bit<32>) alu_sequence_begin.execute(meta.message);
    }
    RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_expected) alu_sequence_middle = {
        void apply(inout signed_pair_t value, out int<32> rv) {
            if ((value.lo - (int<32>) meta.number == -256) && (value.hi - -2 < 0)) {
                value.lo = (int<32>) meta.number;
                value.hi = value.hi + 1;
            } else {
                value.hi = 0;
            }
            rv = value.hi;
        }
    };
    action sequence_middle() {
        meta.place = (bit<32>) alu_sequence_middle.execute(meta.message);
    }
    RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_expected) alu_sequence_last = {
        void apply(inout signed_pair_t value, out int<32> rv) {
            if ((value.lo - (int<32>) meta.number == -256) && (value.hi == -2)) {
                value.lo = (int<32>) meta.number;
                value.hi = value.hi + 1;
            } else {
                value.hi = 0;
            }
            rv = value.hi;
        }
    };
    action sequence_last() {
        meta.place = (bit<32>) alu_sequence_last.execute(meta.message);
    }
    table sequence {
        key = {
            hdr.bth.opcode : exact @name("opcode");
        }
        actions = {
            sequence_begin;
            sequence_middle;
            sequence_last;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            39 : sequence_middle();
            41 : sequence_last();
            38 : sequence_begin();
            43 : sequence_begin();
        }
        size = 4;
    }

    // Stage 1. R-PISA-51: a message's packets belong to slots one after the other, and to one round.
    RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_copy) alu_copies_begin = {
        void apply(inout bit<16> value, out bit<16> rv) {
            value = meta.copy;
            rv = value;
        }
    };
    action copies_begin() {
        meta.copy = alu_copies_begin.execute(meta.message);
    }
    RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_copy) alu_copies_go_on = {
        void apply(inout bit<16> value, out bit<16> rv) {
            value = value + 1;
            rv = value;
        }
    };
    action copies_go_on() {
        meta.copy = alu_copies_go_on.execute(meta.message);
    }
    table copies {
        key = {
            hdr.bth.opcode : exact @name("opcode");
        }
        actions = {
            copies_begin;
            copies_go_on;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            39 : copies_go_on();
            41 : copies_go_on();
            38 : copies_begin();
            43 : copies_begin();
        }
        size = 4;
    }

    // Stage 1. R-PISA-51: a message's packets belong to slots one after the other, and to one round.
    RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_word) alu_words_begin = {
        void apply(inout bit<16> value, out bit<16> rv) {
            value = meta.word;
            rv = value;
        }
    };
    action words_begin() {
        meta.word = alu_words_begin.execute(meta.message);
    }
    RegisterAction<bit<16>, bit<16>, bit<16>>(reg_message_word) alu_words_go_on = {
        void apply(inout bit<16> value, out bit<16> rv) {
            value = value + 1;
            rv = value;
        }
    };
    action words_go_on() {
        meta.word = alu_words_go_on.execute(meta.message);
    }
    table words {
        key = {
            hdr.bth.opcode : exact @name("opcode");
        }
        actions = {
            words_begin;
            words_go_on;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            39 : words_go_on();
            41 : words_go_on();
            38 : words_begin();
            43 : words_begin();
        }
        size = 4;
    }

    // Stage 1. R-PISA-51: a message's packets belong to slots one after the other, and to one round.
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_message_round) alu_message_rounds_begin = {
        void apply(inout bit<32> value, out bit<32> rv) {
            value = meta.key_;
            rv = value;
        }
    };
    action message_rounds_begin() {
        meta.key_ = alu_message_rounds_begin.execute(meta.message);
    }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_message_round) alu_message_rounds_go_on = {
        void apply(inout bit<32> value, out bit<32> rv) {
            rv = value;
        }
    };
    action message_rounds_go_on() {
        meta.key_ = alu_message_rounds_go_on.execute(meta.message);
    }
    table message_rounds {
        key = {
            hdr.bth.opcode : exact @name("opcode");
        }
        actions = {
            message_rounds_begin;
            message_rounds_go_on;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            39 : message_rounds_go_on();
            41 : message_rounds_go_on();
            38 : message_rounds_begin();
            43 : message_rounds_begin();
        }
        size = 4;
    }

    // Stage 1. R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_middle_digest() {
        meta.digest = (bit<32>) hdr.bth.dest_qp;
    }
    table agreed_middle {
        actions = {
            agreed_middle_digest;
        }
        const default_action = agreed_middle_digest();
        size = 1;
    }

    // Stage 1. R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_last_digest() {
        meta.digest = hash_agreed_last_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode, hdr.immediate.exponent });
    }
    table agreed_last {
        actions = {
            agreed_last_digest;
        }
        const default_action = agreed_last_digest();
        size = 1;
    }

    // Stage 1. Other traffic goes where it is addressed.
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

    // Stage 3. R-PISA-55: the PSN of a result.
    action number_result_number() {
        hdr.bth.psn = hash_number_result_number_psn.get({ meta.key_[31:16], meta.place[7:0] });
    }
    table number_result {
        key = {
            meta.phase : ternary @name("phase");
            hdr.bridge.step : ternary @name("step");
        }
        actions = {
            number_result_number;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, 3) : number_result_number();
        }
        size = 1;
    }

    // Stage 2. R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
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
    table ages {
        actions = {
            ages_contribute;
        }
        const default_action = ages_contribute();
        size = 1;
    }

    // Stage 2. R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.
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
    table starts {
        actions = {
            starts_contribute;
        }
        const default_action = starts_contribute();
        size = 1;
    }

    // Stage 2. R-SLOT-7: the worker that a mismatch is reported with.
    RegisterAction<signed_pair_t, bit<16>, int<32>>(reg_first) alu_starters_contribute = {
        void apply(inout signed_pair_t value, out int<32> rv) {
            rv = value.hi;
            if (value.lo - (int<32>) meta.key_ < 0) {
                value.lo = (int<32>) meta.key_;
                value.hi = (int<32>) (bit<32>) meta.worker;
            }
        }
    };
    action starters_contribute() {
        meta.first_worker = (bit<16>) (bit<32>) alu_starters_contribute.execute(meta.copy);
    }
    table starters {
        actions = {
            starters_contribute;
        }
        const default_action = starters_contribute();
        size = 1;
    }

    // Stage 3. R-SLOT-1, R-SLOT-3: the round is complete when nobody is left. R-SLOT-7: it never is where two calls met.
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
            (1, _) : counts_skip();
            (4, _) : counts_peek();
            (2, 2) : counts_open();
            (2, 8) : counts_open();
            (2, 4) : counts_join();
            (2, 1) : counts_clash();
        }
        size = 6;
    }

    // Stage 3. R-SLOT-5: the maximum, from the first contribution on.
    action largests_skip() {
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_begin = {
        void apply(inout int<16> value, out int<16> rv) {
            value = (int<16>) hdr.immediate.next_exponent;
            rv = value;
        }
    };
    action largests_begin() {
        meta.largest_exponent = (bit<16>) alu_largests_begin.execute(meta.copy);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_largest) alu_largests_raise = {
        void apply(inout int<16> value, out int<16> rv) {
            value = max(value, (int<16>) hdr.immediate.next_exponent);
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
            (1, _) : largests_skip();
            (4, _) : largests_peek();
            (2, 2) : largests_begin();
            (2, 8) : largests_begin();
            (2, 4) : largests_raise();
        }
        size = 5;
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
    // Stage 8. R-PISA-59: what these lanes are to the ICRC.
    action hash_early_hash() {
        meta.term = hash_hash_early_hash_term.get({ hdr.rest.lane0, hdr.rest.lane1, hdr.rest.lane2, hdr.rest.lane3, hdr.rest.lane4, hdr.rest.lane5, hdr.rest.lane6, hdr.rest.lane7, hdr.rest.lane8, hdr.rest.lane9, hdr.rest.lane10, hdr.rest.lane11, hdr.rest.lane12, hdr.rest.lane13, hdr.rest.lane14, hdr.rest.lane15, 384w0 });
    }
    table hash_early {
        actions = {
            hash_early_hash;
        }
        const default_action = hash_early_hash();
        size = 1;
    }

    // Stage 11. R-PISA-59: what these lanes are to the ICRC.
    action hash_late_hash() {
        hdr.bridge.late = hash_hash_late_hash_late.get({ hdr.rest.lane16, hdr.rest.lane17, hdr.rest.lane18, hdr.rest.lane19, hdr.rest.lane20, hdr.rest.lane21, hdr.rest.lane22, hdr.rest.lane23, hdr.rest.lane24, hdr.rest.lane25, hdr.rest.lane26, hdr.rest.lane27 });
    }
    table hash_late {
        actions = {
            hash_late_hash;
        }
        const default_action = hash_late_hash();
        size = 1;
    }

    // Stage 9. R-PISA-59: lanes that were hashed before the last ones.
    action add_early_add() {
        hdr.bridge.crc = hdr.bridge.crc ^ meta.term;
    }
    table add_early {
        actions = {
            add_early_add;
        }
        const default_action = add_early_add();
        size = 1;
    }

    // Stage 11. R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the control plane, or nowhere.
    action outcome_refuse() {
        ig_dprsr_md.drop_ctl = 3w1;
    }
    action outcome_mismatch() {
        ig_dprsr_md.drop_ctl = 3w1;
        ig_dprsr_md.digest_type = 3w1;
    }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.mode = 8w1;
        hdr.front.setInvalid();
        hdr.rest.setInvalid();
        hdr.high.setInvalid();
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.bridge.mode = 8w2;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.copy = meta.copy;
        hdr.high.setInvalid();
        hdr.bridge.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.bridge.mode = 8w2;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.copy = meta.copy;
        hdr.high.setInvalid();
        hdr.bridge.worker = meta.worker;
    }
    action outcome_spread_empty() {
        hdr.bridge.mode = 8w6;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.crc = 32w0xFFFFFFFF;
        hdr.bridge.worker = 16w0xFFFF;
        ig_tm_md.mcast_grp_a = meta.members_group;
    }
    action outcome_reply_empty() {
        hdr.bridge.mode = 8w6;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.crc = 32w0xFFFFFFFF;
        hdr.bridge.worker = meta.worker;
        ig_tm_md.ucast_egress_port = (bit<9>) meta.member_port;
    }
    action outcome_harvest(bit<8> step, bit<16> port) {
        hdr.bridge.step = step;
        ig_tm_md.ucast_egress_port = (bit<9>) port;
        hdr.bridge.mode = 8w2;
    }
    action outcome_spread_whole() {
        hdr.bridge.mode = 8w3;
        ig_tm_md.mcast_grp_a = meta.members_group;
    }
    action outcome_reply_whole() {
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
            hdr.udp.length : ternary @name("length");
            hdr.bridge.worker : ternary @name("worker");
        }
        actions = {
            outcome_refuse;
            outcome_mismatch;
            outcome_onward;
            outcome_gather;
            outcome_gather_one;
            outcome_spread_empty;
            outcome_reply_empty;
            outcome_harvest;
            outcome_spread_whole;
            outcome_reply_whole;
        }
        const default_action = outcome_refuse();
        const entries = {
            #include "../lists/outcome_3.entries"
        }
        size = 73;
    }

    apply {
        // Stage 0
        carry.apply();
        if (meta.phase != 2w2) {
            begin.apply();
        }
        shapes.apply();
        if (hdr.immediate.isValid()) {
            exponents.apply();
        } else if (!hdr.immediate.isValid()) {
            no_exponents.apply();
        }
        queue_pairs.apply();
        if (hdr.reth.isValid() && meta.phase != 2w2) {
            jobs.apply();
        } else if (meta.phase == 2w2) {
            resume.apply();
        }
        numbers.apply();
        if (hdr.bth.opcode == 8w38) {
            agreed_first.apply();
        } else if (hdr.bth.opcode == 8w43) {
            agreed_only.apply();
        }
        // Stage 1
        if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.phase != 2w2) {
            sequence.apply();
            copies.apply();
            words.apply();
            message_rounds.apply();
        }
        if (hdr.bth.opcode == 8w39) {
            agreed_middle.apply();
        } else if (hdr.bth.opcode == 8w41) {
            agreed_last.apply();
        }
        if (meta.known_pair == 1w0) {
            forward.apply();
        }
        // Stage 3
        if (meta.known_pair == 1w1) {
            number_result.apply();
        }
        // Stage 2
        if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.phase != 2w2 && meta.place != 32w0) {
            ages.apply();
            starts.apply();
            starters.apply();
        }
        // Stage 3
        if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.phase != 2w2 && meta.place != 32w0) {
            counts.apply();
        }
        if (meta.known_pair == 1w1 && meta.known_shape == 1w1 && meta.known_exponents == 1w1 && meta.phase != 2w2 && meta.place != 32w0 && hdr.immediate.isValid()) {
            largests.apply();
        }
        // Stage 4
        fold0.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane0, hdr.high.lane4, meta.copy);
        fold1.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane1, hdr.high.lane5, meta.copy);
        fold2.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane2, hdr.high.lane6, meta.copy);
        fold3.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane3, hdr.high.lane7, meta.copy);
        // Stage 5
        fold4.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane4, hdr.high.lane8, meta.copy);
        fold5.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane5, hdr.high.lane9, meta.copy);
        fold6.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane6, hdr.high.lane10, meta.copy);
        fold7.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane7, hdr.high.lane11, meta.copy);
        // Stage 6
        fold8.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane8, hdr.high.lane12, meta.copy);
        fold9.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane9, hdr.high.lane13, meta.copy);
        fold10.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane10, hdr.high.lane14, meta.copy);
        fold11.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane11, hdr.high.lane15, meta.copy);
        // Stage 7
        fold12.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane12, hdr.high.lane16, meta.copy);
        fold13.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane13, hdr.high.lane17, meta.copy);
        fold14.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane14, hdr.high.lane18, meta.copy);
        fold15.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane15, hdr.high.lane19, meta.copy);
        // Stage 8
        fold16.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane16, hdr.high.lane20, meta.copy);
        fold17.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane17, hdr.high.lane21, meta.copy);
        fold18.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane18, hdr.high.lane22, meta.copy);
        fold19.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane19, hdr.high.lane23, meta.copy);
        // Stage 9
        fold20.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane20, hdr.high.lane24, meta.copy);
        fold21.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane21, hdr.high.lane25, meta.copy);
        fold22.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane22, hdr.high.lane26, meta.copy);
        fold23.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane23, hdr.high.lane27, meta.copy);
        // Stage 10
        fold24.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane24, hdr.high.lane28, meta.copy);
        fold25.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane25, hdr.high.lane29, meta.copy);
        fold26.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane26, hdr.high.lane30, meta.copy);
        fold27.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.rest.lane27, hdr.high.lane31, meta.copy);
        // Stage 11
        fold28.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.front.lane0, hdr.high.lane0, meta.copy);
        fold29.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.front.lane1, hdr.high.lane1, meta.copy);
        fold30.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.front.lane2, hdr.high.lane2, meta.copy);
        fold31.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, meta.left,
            hdr.udp.length, hdr.front.lane3, hdr.high.lane3, meta.copy);
        // Stage 8
        hash_early.apply();
        // Stage 11
        hash_late.apply();
        // Stage 9
        add_early.apply();
        // Stage 11
        if (meta.known_pair == 1w1) {
            outcome.apply();
        }
    }
}

control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta, in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    Digest<report_t>() report_1;
    apply {
        if (ig_dprsr_md.digest_type == 1) {
            report_1.pack({ hdr.bth.dest_qp, meta.copy, meta.key_, meta.worker, meta.first_worker });
        }
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.bth);
        packet.emit(hdr.reth);
        packet.emit(hdr.immediate);
        packet.emit(hdr.front);
        packet.emit(hdr.rest);
        packet.emit(hdr.high);
        packet.emit(hdr.icrc);
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
            default: leaving_roce;
        }
    }

    state leaving_other {
        transition accept;
    }

    state leaving_roce {
        packet.extract(hdr.ethernet);
        packet.extract(hdr.ipv4);
        packet.extract(hdr.udp);
        packet.extract(hdr.bth);
        transition select(hdr.bth.opcode) {
            38: leaving_first;
            39: leaving_middle;
            41: leaving_last;
            43: leaving_only;
            default: reject;
        }
    }

    state leaving_first {
        packet.extract(hdr.reth);
        transition leaving_way;
    }

    state leaving_middle {
        transition leaving_way;
    }

    state leaving_last {
        packet.extract(hdr.immediate);
        transition leaving_way;
    }

    state leaving_only {
        packet.extract(hdr.reth);
        packet.extract(hdr.immediate);
        transition leaving_way;
    }

    state leaving_way {
        transition select(hdr.bridge.mode) {
            2: leaving_front;
            3: leaving_front;
            default: leaving_end;
        }
    }

    state leaving_front {
        packet.extract(hdr.front);
        transition accept;
    }

    state leaving_end {
        transition accept;
    }

}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta, in egress_intrinsic_metadata_t eg_intr_md, in egress_intrinsic_metadata_from_parser_t eg_prsr_md, inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md, inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {

    // From 0, and not inverted: a linear map.
    CRCPolynomial<bit<32>>(32w0x04C11DB7, true, false, false, 32w0, 32w0) linear;
    Hash<bit<32>>(HashAlgorithm_t.CUSTOM, linear) hash_lead_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_first_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_middle_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_last_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_only_hash_term;
    // Stage 0. R-SLOT-3: each worker of the job.
    action each_one() {
        hdr.bridge.worker = eg_intr_md.egress_rid;
    }
    table each {
        actions = {
            each_one;
        }
        const default_action = each_one();
        size = 1;
    }

    // Stage 1. R-PISA-52, R-PISA-55: the worker's queue pair, key, memory and addresses.
    action reach_reach(bit<48> dst_mac, bit<48> src_mac, bit<32> dst_ip, bit<32> src_ip, bit<24> dest_qp, bit<16> rkey_high, bit<16> rkey_low, bit<32> base, bit<32> first) {
        hdr.ethernet.dst = dst_mac;
        hdr.ethernet.src = src_mac;
        hdr.ipv4.dst = dst_ip;
        hdr.ipv4.src = src_ip;
        hdr.bth.dest_qp = dest_qp;
        hdr.reth.round = rkey_high;
        hdr.reth.slot = rkey_low;
        hdr.reth.base = base;
        hdr.reth.offset = hdr.reth.offset + first;
        hdr.ipv4.fragment = 16w0x4000;
        hdr.ipv4.ttl = 8w64;
        hdr.udp.checksum = 16w0;
        hdr.bth.reserved = 8w0;
        hdr.bth.acknowledge = 8w0;
    }
    table reach {
        key = {
            hdr.bth.dest_qp : exact @name("dest_qp");
            hdr.bridge.worker : exact @name("worker");
        }
        actions = {
            reach_reach;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        size = 64;
    }

    // Stage 0. R-PISA-59: the lanes that ingress had last.
    action lead_hash() {
        meta.term = hash_lead_hash_term.get({ hdr.front.lane0, hdr.front.lane1, hdr.front.lane2, hdr.front.lane3, 896w0 });
        hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late;
    }
    table lead {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            lead_hash;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : lead_hash();
            2 : lead_hash();
        }
        size = 2;
    }

    // Stage 1. The state behind these lanes, with what they are to it.
    action sum_sum() {
        hdr.bridge.crc = hdr.bridge.crc ^ meta.term;
    }
    table sum {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            sum_sum;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : sum_sum();
            2 : sum_sum();
        }
        size = 2;
    }

    // Stage 2. The tables take a byte each.
    action split_sum_split() {
        meta.byte0 = hdr.bridge.crc[7:0];
        meta.byte1 = hdr.bridge.crc[15:8];
        meta.byte2 = hdr.bridge.crc[23:16];
        meta.byte3 = hdr.bridge.crc[31:24];
    }
    table split_sum {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            split_sum_split;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : split_sum_split();
            2 : split_sum_split();
        }
        size = 2;
    }

    // Stage 2. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_first_hash() {
        meta.term = hash_head_first_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn, hdr.reth.base, hdr.reth.offset, hdr.reth.round, hdr.reth.slot, hdr.reth.length });
    }
    table head_first {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            head_first_hash;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : head_first_hash();
            6 : head_first_hash();
        }
        size = 2;
    }

    // Stage 3. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_middle_hash() {
        meta.term = hash_head_middle_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn });
    }
    table head_middle {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            head_middle_hash;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : head_middle_hash();
            6 : head_middle_hash();
        }
        size = 2;
    }

    // Stage 4. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_last_hash() {
        meta.term = hash_head_last_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn, hdr.immediate.exponent, hdr.immediate.next_exponent });
    }
    table head_last {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            head_last_hash;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : head_last_hash();
            6 : head_last_hash();
        }
        size = 2;
    }

    // Stage 5. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_only_hash() {
        meta.term = hash_head_only_hash_term.get({ 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn, hdr.reth.base, hdr.reth.offset, hdr.reth.round, hdr.reth.slot, hdr.reth.length, hdr.immediate.exponent, hdr.immediate.next_exponent });
    }
    table head_only {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            head_only_hash;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : head_only_hash();
            6 : head_only_hash();
        }
        size = 2;
    }

    // Stage 3. R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before0_change(bit<32> bits) {
        hdr.bridge.crc = bits;
    }
    table before0 {
        key = {
            meta.byte0 : exact @name("byte0");
        }
        actions = {
            before0_change;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before0.entries"
        }
        size = 256;
    }

    // Stage 3. R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before1_change(bit<32> bits) {
        hdr.bridge.late = bits;
    }
    table before1 {
        key = {
            meta.byte1 : exact @name("byte1");
        }
        actions = {
            before1_change;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before1.entries"
        }
        size = 256;
    }

    // Stage 4. R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before2_change(bit<32> bits) {
        hdr.bridge.crc = hdr.bridge.crc ^ bits;
    }
    table before2 {
        key = {
            meta.byte2 : exact @name("byte2");
        }
        actions = {
            before2_change;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before2.entries"
        }
        size = 256;
    }

    // Stage 4. R-PISA-59: the state before these lanes, by a byte of the one behind them.
    action before3_change(bit<32> bits) {
        hdr.bridge.late = hdr.bridge.late ^ bits;
    }
    table before3 {
        key = {
            meta.byte3 : exact @name("byte3");
        }
        actions = {
            before3_change;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/before3.entries"
        }
        size = 256;
    }

    // Stage 5. The state before these lanes.
    action join_join() {
        hdr.bridge.crc = hdr.bridge.crc ^ hdr.bridge.late;
    }
    table join {
        key = {
            hdr.bridge.mode : exact @name("mode");
        }
        actions = {
            join_join;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            3 : join_join();
            2 : join_join();
        }
        size = 2;
    }

    // Stage 6. What the free bits have to bring about.
    action lack_lack() {
        hdr.bridge.crc = hdr.bridge.crc ^ meta.term;
    }
    table lack {
        actions = {
            lack_lack;
        }
        const default_action = lack_lack();
        size = 1;
    }

    // Stage 7. The tables take a byte each.
    action split_lack_split() {
        meta.byte0 = hdr.bridge.crc[7:0];
        meta.byte1 = hdr.bridge.crc[15:8];
        meta.byte2 = hdr.bridge.crc[23:16];
        meta.byte3 = hdr.bridge.crc[31:24];
    }
    table split_lack {
        actions = {
            split_lack_split;
        }
        const default_action = split_lack_split();
        size = 1;
    }

    // Stage 8. R-PISA-58: the bits of identification and source port that make the ICRC 0.
    action choose0_choose(bit<16> identification, bit<16> src_port) {
        hdr.ipv4.identification = identification;
        hdr.udp.src_port = src_port;
    }
    table choose0 {
        key = {
            hdr.bth.opcode : exact @name("opcode");
            meta.byte0 : exact @name("byte0");
        }
        actions = {
            choose0_choose;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/choose0.entries"
        }
        size = 1024;
    }

    // Stage 9. R-PISA-58: the bits of identification and source port that make the ICRC 0.
    action choose1_choose(bit<16> identification, bit<16> src_port) {
        hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
        hdr.udp.src_port = hdr.udp.src_port ^ src_port;
    }
    table choose1 {
        key = {
            hdr.bth.opcode : exact @name("opcode");
            meta.byte1 : exact @name("byte1");
        }
        actions = {
            choose1_choose;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/choose1.entries"
        }
        size = 1024;
    }

    // Stage 10. R-PISA-58: the bits of identification and source port that make the ICRC 0.
    action choose2_choose(bit<16> identification, bit<16> src_port) {
        hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
        hdr.udp.src_port = hdr.udp.src_port ^ src_port;
    }
    table choose2 {
        key = {
            hdr.bth.opcode : exact @name("opcode");
            meta.byte2 : exact @name("byte2");
        }
        actions = {
            choose2_choose;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/choose2.entries"
        }
        size = 1024;
    }

    // Stage 11. R-PISA-58: the bits of identification and source port that make the ICRC 0.
    action choose3_choose(bit<16> identification, bit<16> src_port) {
        hdr.ipv4.identification = hdr.ipv4.identification ^ identification;
        hdr.udp.src_port = hdr.udp.src_port ^ src_port;
    }
    table choose3 {
        key = {
            hdr.bth.opcode : exact @name("opcode");
            meta.byte3 : exact @name("byte3");
        }
        actions = {
            choose3_choose;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            #include "../lists/choose3.entries"
        }
        size = 1024;
    }

    // Stage 11. What leaves the switch carries no bridge.
    action strip_bare() {
        hdr.bridge.setInvalid();
    }
    table strip {
        actions = {
            strip_bare;
        }
        const default_action = strip_bare();
        size = 1;
    }

    apply {
        // Stage 0
        if (hdr.bridge.worker == 16w0xFFFF && hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            each.apply();
        }
        // Stage 1
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            reach.apply();
        }
        // Stage 0
        lead.apply();
        // Stage 1
        sum.apply();
        // Stage 2
        split_sum.apply();
        if (hdr.bth.opcode == 8w38) {
            head_first.apply();
        }
        // Stage 3
        if (hdr.bth.opcode == 8w39) {
            head_middle.apply();
        }
        // Stage 4
        if (hdr.bth.opcode == 8w41) {
            head_last.apply();
        }
        // Stage 5
        if (hdr.bth.opcode == 8w43) {
            head_only.apply();
        }
        // Stage 3
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6) {
            before0.apply();
            before1.apply();
        }
        // Stage 4
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6) {
            before2.apply();
            before3.apply();
        }
        // Stage 5
        join.apply();
        // Stage 6
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            lack.apply();
        }
        // Stage 7
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            split_lack.apply();
        }
        // Stage 8
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            choose0.apply();
        }
        // Stage 9
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            choose1.apply();
        }
        // Stage 10
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            choose2.apply();
        }
        // Stage 11
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2 && hdr.bridge.mode != 8w4) {
            choose3.apply();
        }
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2) {
            strip.apply();
        }
    }
}

control EgressDeparser(packet_out packet, inout leaving_headers_t hdr, in leaving_metadata_t meta, in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    Checksum() internet;
    apply {
        if (hdr.ipv4.isValid() && hdr.bth.isValid()) {
            hdr.ipv4.checksum = internet.update({ hdr.ipv4.version_ihl, hdr.ipv4.tos, hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.fragment, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst });
        }
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.bth);
        packet.emit(hdr.reth);
        packet.emit(hdr.immediate);
        packet.emit(hdr.front);
    }
}

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(), EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
