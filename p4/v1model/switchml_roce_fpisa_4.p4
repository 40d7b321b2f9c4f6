// switchml_roce_fpisa for bmv2 (v1model).
// SwitchML over RoCE v2 UC: 4 lanes of FP32 by FPISA, 1 pipeline(s), 128 slots, 8 workers, messages of up to 1 packet(s).
// Rules: R-SLOT in spec/protocol.md, R-PISA-11 to 16 and 50 to 61 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>

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

header front_h {
    bit<32> lane0;
    bit<32> lane1;
    bit<32> lane2;
    bit<32> lane3;
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

struct headers_t {
    bridge_h bridge;
    ethernet_h ethernet;
    ipv4_h ipv4;
    udp_h udp;
    bth_h bth;
    reth_h reth;
    immediate_h immediate;
    found_h found;
    front_h front;
    icrc_h icrc;
}

struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused;
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
    bit<8> byte0;
    bit<8> byte1;
    bit<8> byte2;
    bit<8> byte3;
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
            default: refused;
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

    state parse_udp {
        packet.extract(hdr.udp);
        transition select(hdr.udp.dst_port) {
            0x12B7: parse_bth;
            default: other;
        }
    }

    state gathered {
        transition select(hdr.bridge.step) {
            0: gathered_lanes;
            default: gathered_end;
        }
    }

    state parse_bth {
        packet.extract(hdr.bth);
        transition first_opcode;
    }

    state gathered_lanes {
        packet.extract(hdr.front);
        transition accept;
    }

    state gathered_end {
        transition accept;
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
            56: first_lanes;
            default: other;
        }
    }

    state first_middle_length {
        transition select(hdr.udp.length) {
            40: first_lanes;
            default: other;
        }
    }

    state first_last_length {
        transition select(hdr.udp.length) {
            44: first_lanes;
            default: other;
        }
    }

    state first_only_length {
        transition select(hdr.udp.length) {
            60: first_lanes;
            44: first_end;
            default: other;
        }
    }

    state first_lanes {
        packet.extract(hdr.front);
        transition first_end;
    }

    state first_end {
        packet.extract(hdr.icrc);
        transition accept;
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
    in bit<32> lane,
    inout bit<16> incoming) {
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming_normal() {
        incoming = 8w0 ++ lane[30:23];
    }
    action incoming_subnormal() {
        incoming = 16w1;
    }
    action incoming_nothing() {
        incoming = 16w0xFF00;
    }
    table incoming {
        key = {
            lane : ternary @name("lane");
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
    in bit<32> lane,
    inout bit<32> magnitude,
    inout bit<1> adds,
    inout bit<8> flag_2) {
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract_normal() {
        magnitude = 9w1 ++ lane[22:0];
        adds = 1w1;
    }
    action extract_subnormal() {
        magnitude = lane & 32w0x7FFFFF;
        adds = 1w1;
    }
    action extract_nothing(bit<8> flag) {
        magnitude = 32w0;
        adds = 1w0;
        flag_2 = flag;
    }
    table extract {
        key = {
            lane : ternary @name("lane");
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
    in bit<32> lane,
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
            lane : ternary @name("lane");
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
            bool first_holds = (int<16>) (old_lo - incoming) < 0;
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
    inout bit<16> distance,
    inout bit<16> back) {
    // How far the two exponents are apart.
    action distance_subtract() {
        distance = incoming - stored;
        back = stored - incoming;
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
    in bit<16> back,
    inout bit<32> shifted,
    inout bit<16> stored_by) {
    // R-FPI-6 to 8: the operand moves under the sum's exponent.
    action align_right() {
        shifted = (bit<32>) ((int<32>) signed >> (bit<8>) back);
        stored_by = 16w0;
    }
    action align_stay() {
        shifted = signed;
        stored_by = distance;
    }
    table align {
        key = {
            distance : range @name("distance");
        }
        actions = {
            align_right;
            align_stay;
        }
        const default_action = align_stay();
        const entries = {
            0x8000..0xFFFF : align_right();
        }
    }

    apply {
        align.apply();
    }
}

control add_unit(
    in bit<8> sums_are,
    in bit<1> adds,
    in bit<16> distance,
    in bit<32> shifted,
    in bit<16> copy,
    in bit<16> stored_by,
    inout bit<32> lane) {
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
            lane = old_lo;
        }
    }
    action add_add() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) copy);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) stored_by) + shifted;
            reg_mantissa.write((bit<32>) copy, new_lo);
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
            add_add;
            @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add_begin();
            (3, _, 0..0xFFFF, _) : add_read();
            (2, 1, 0..0xFFFF, _) : add_add();
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
            (2, _, _) : flag_note();
            (3, _, _) : flag_read();
        }
    }

    apply {
        flag.apply();
    }
}

control SwitchIngress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    // The PSN of the packet before, times 256, and the packets that are left of its message, negative (R-PISA-53).
    register<bit<64>, bit<32>>(1024) reg_expected;
    // The copy that the latest packet belongs to.
    register<bit<16>, bit<32>>(1024) reg_message_copy;
    // The word of `last` that belongs to it.
    register<bit<16>, bit<32>>(1024) reg_message_word;
    // The round of the message.
    register<bit<32>, bit<32>>(1024) reg_message_round;
    // The latest round of each worker in each slot (R-PISA-11).
    register<bit<32>, bit<32>>(1024) reg_last;
    // The round that each copy holds, and what it agrees on (R-SLOT-7).
    register<bit<64>, bit<32>>(256) reg_round;
    // The same round, and the worker that started it.
    register<bit<64>, bit<32>>(256) reg_first;
    // Workers that a round waits for; 0xFFFF where two calls have met (R-SLOT-1, R-SLOT-7).
    register<bit<16>, bit<32>>(256) reg_count;
    // The largest `next_exponent` of the round (R-SLOT-5).
    register<bit<16>, bit<32>>(256) reg_largest;

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
            (38, 0 &&& 63, 56, _) : shapes_pass();
            (39, 0 &&& 63, 40, _) : shapes_pass();
            (41, 0 &&& 63, 44, _) : shapes_pass();
            (43, 0 &&& 63, 60, 16) : shapes_pass();
            (43, 0 &&& 63, 44, 0) : shapes_pass();
        }
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
        size = 1024;
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
        meta.key_ = hdr.reth.round ++ 16w0;
        meta.number = hdr.bth.psn ++ 8w0;
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
        hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode, hdr.reth.offset, hdr.reth.length }, 64w0x100000000);
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
        hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode, hdr.reth.offset, hdr.reth.length, hdr.immediate.exponent }, 64w0x100000000);
    }
    table agreed_only {
        actions = {
            agreed_only_digest;
        }
        const default_action = agreed_only_digest();
        size = 1;
    }

    // Stage 1. R-PISA-53: UC takes a packet that begins a message, and one that goes on with it.
    action sequence_begin() {
        @atomic {
            bit<64> word;
            reg_expected.read(word, (bit<32>) meta.message);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bit<32> new_lo = meta.number;
            bit<32> new_hi = meta.place;
            reg_expected.write((bit<32>) meta.message, new_hi ++ new_lo);
            meta.place = new_hi;
        }
    }
    action sequence_middle() {
        @atomic {
            bit<64> word;
            reg_expected.read(word, (bit<32>) meta.message);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.number + 32w256) == 0;
            bool second_holds = (int<32>) (old_hi - 32w0xFFFFFFFE) < 0;
            bit<32> new_lo = ((first_holds) && (second_holds)) ? (meta.number) : (old_lo);
            bit<32> new_hi = ((first_holds) && (second_holds)) ? (old_hi + 32w1) : ((!((first_holds) && (second_holds))) ? (32w0) : (old_hi));
            reg_expected.write((bit<32>) meta.message, new_hi ++ new_lo);
            meta.place = new_hi;
        }
    }
    action sequence_last() {
        @atomic {
            bit<64> word;
            reg_expected.read(word, (bit<32>) meta.message);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.number + 32w256) == 0;
            bool second_holds = (int<32>) (old_hi - 32w0xFFFFFFFE) == 0;
            bit<32> new_lo = ((first_holds) && (second_holds)) ? (meta.number) : (old_lo);
            bit<32> new_hi = ((first_holds) && (second_holds)) ? (old_hi + 32w1) : ((!((first_holds) && (second_holds))) ? (32w0) : (old_hi));
            reg_expected.write((bit<32>) meta.message, new_hi ++ new_lo);
            meta.place = new_hi;
        }
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
    }

    // Stage 1. R-PISA-51: a message's packets belong to slots one after the other, and to one round.
    action copies_begin() {
        @atomic {
            bit<16> word;
            reg_message_copy.read(word, (bit<32>) meta.message);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.copy;
            reg_message_copy.write((bit<32>) meta.message, new_lo);
            meta.copy = new_lo;
        }
    }
    action copies_go_on() {
        @atomic {
            bit<16> word;
            reg_message_copy.read(word, (bit<32>) meta.message);
            bit<16> old_lo = word;
            bit<16> new_lo = old_lo + 16w1;
            reg_message_copy.write((bit<32>) meta.message, new_lo);
            meta.copy = new_lo;
        }
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
    }

    // Stage 1. R-PISA-51: a message's packets belong to slots one after the other, and to one round.
    action words_begin() {
        @atomic {
            bit<16> word;
            reg_message_word.read(word, (bit<32>) meta.message);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.word;
            reg_message_word.write((bit<32>) meta.message, new_lo);
            meta.word = new_lo;
        }
    }
    action words_go_on() {
        @atomic {
            bit<16> word;
            reg_message_word.read(word, (bit<32>) meta.message);
            bit<16> old_lo = word;
            bit<16> new_lo = old_lo + 16w1;
            reg_message_word.write((bit<32>) meta.message, new_lo);
            meta.word = new_lo;
        }
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
    }

    // Stage 1. R-PISA-51: a message's packets belong to slots one after the other, and to one round.
    action message_rounds_begin() {
        @atomic {
            bit<32> word;
            reg_message_round.read(word, (bit<32>) meta.message);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.key_;
            reg_message_round.write((bit<32>) meta.message, new_lo);
            meta.key_ = new_lo;
        }
    }
    action message_rounds_go_on() {
        @atomic {
            bit<32> word;
            reg_message_round.read(word, (bit<32>) meta.message);
            bit<32> old_lo = word;
            meta.key_ = old_lo;
        }
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
        hash(meta.digest, HashAlgorithm.crc32, 32w0, { hdr.bth.dest_qp, hdr.bth.opcode, hdr.immediate.exponent }, 64w0x100000000);
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

    // Stage 3. R-PISA-55: the PSN of a result.
    action number_result_number() {
        hdr.bth.psn = meta.key_[31:16] ++ meta.place[7:0];
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
            (0, _) : number_result_number();
        }
    }

    // Stage 2. R-PISA-11: new, repeated, or older than what the worker has sent for the slot.
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
    table ages {
        actions = {
            ages_contribute;
        }
        const default_action = ages_contribute();
        size = 1;
    }

    // Stage 2. R-SLOT-2, R-SLOT-7: it starts a round, agrees with the one that is there, or does not.
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
    table starts {
        actions = {
            starts_contribute;
        }
        const default_action = starts_contribute();
        size = 1;
    }

    // Stage 2. R-SLOT-7: the worker that a mismatch is reported with.
    action starters_contribute() {
        @atomic {
            bit<64> word;
            reg_first.read(word, (bit<32>) meta.copy);
            bit<32> old_lo = word[31:0];
            bit<32> old_hi = word[63:32];
            bool first_holds = (int<32>) (old_lo - meta.key_) < 0;
            bit<32> new_lo = (first_holds) ? (meta.key_) : (old_lo);
            bit<32> new_hi = (first_holds) ? ((bit<32>) meta.worker) : (old_hi);
            reg_first.write((bit<32>) meta.copy, new_hi ++ new_lo);
            meta.first_worker = (bit<16>) old_hi;
        }
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
    }

    // Stage 3. R-SLOT-5: the maximum, from the first contribution on.
    action largests_skip() {
    }
    action largests_begin() {
        @atomic {
            bit<16> word;
            reg_largest.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = hdr.immediate.next_exponent;
            reg_largest.write((bit<32>) meta.copy, new_lo);
            meta.largest_exponent = new_lo;
        }
    }
    action largests_raise() {
        @atomic {
            bit<16> word;
            reg_largest.read(word, (bit<32>) meta.copy);
            bit<16> old_lo = word;
            bit<16> new_lo = (int<16>) old_lo > (int<16>) hdr.immediate.next_exponent ? old_lo : hdr.immediate.next_exponent;
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
    }

    // Stage 0. R-PISA-36: egress puts together what this pass reads.
    action tell_tell() {
        hdr.found.setValid();
    }
    table tell {
        actions = {
            tell_tell;
        }
        const default_action = tell_tell();
        size = 1;
    }

    // Stage 4. R-SLOT-2: the first lanes begin sums, later ones are added. R-PISA-35: a pass adds or reads.
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
            meta.left : ternary @name("left");
            hdr.udp.length : ternary @name("length");
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
            (0 &&& 2, _, _, _, _, 44) : folds_skip();
            (0 &&& 2, _, 2, 2, _, _) : folds_set();
            (0 &&& 2, _, 2, 8, _, _) : folds_set();
            (0 &&& 2, _, 2, 4, 0, _) : folds_skip();
            (0 &&& 2, _, 2, 4, _, _) : folds_add();
            (2, 1, _, _, _, _) : folds_read();
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
    exponents_unit() exponents0;
    distance_unit() distance0;
    align_unit() align0;
    add_unit() add0;
    flag_unit() flag0;
    exponents_unit() exponents1;
    distance_unit() distance1;
    align_unit() align1;
    add_unit() add1;
    flag_unit() flag1;
    exponents_unit() exponents2;
    distance_unit() distance2;
    align_unit() align2;
    add_unit() add2;
    flag_unit() flag2;
    exponents_unit() exponents3;
    distance_unit() distance3;
    align_unit() align3;
    add_unit() add3;
    flag_unit() flag3;
    // Stage 9. R-PISA-55, R-SLOT-3, R-SLOT-4, R-SLOT-7: to everyone, to one, to the next pipeline, to the control plane, or nowhere.
    action outcome_refuse() {
        mark_to_drop(standard_metadata);
    }
    action outcome_mismatch() {
        mark_to_drop(standard_metadata);
        digest<report_t>(1, { hdr.bth.dest_qp, meta.copy, meta.key_, meta.worker, meta.first_worker });
    }
    action outcome_onward(bit<8> step, bit<16> port) {
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.mode = 8w1;
        hdr.front.setInvalid();
    }
    action outcome_gather(bit<8> step, bit<16> port) {
        hdr.bridge.mode = 8w2;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.copy = meta.copy;
        hdr.front.setInvalid();
        hdr.bridge.worker = 16w0xFFFF;
    }
    action outcome_gather_one(bit<8> step, bit<16> port) {
        hdr.bridge.mode = 8w2;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.copy = meta.copy;
        hdr.front.setInvalid();
        hdr.bridge.worker = meta.worker;
    }
    action outcome_spread_empty() {
        hdr.bridge.mode = 8w6;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.crc = 32w0xFFFFFFFF;
        hdr.bridge.worker = 16w0xFFFF;
        standard_metadata.mcast_grp = meta.members_group;
    }
    action outcome_reply_empty() {
        hdr.bridge.mode = 8w6;
        hdr.immediate.exponent = meta.key_[31:16];
        hdr.immediate.next_exponent = meta.largest_exponent;
        hdr.icrc.value = 32w0;
        hdr.bridge.crc = 32w0xFFFFFFFF;
        hdr.bridge.worker = meta.worker;
        standard_metadata.egress_spec = (bit<9>) meta.member_port;
    }
    action outcome_harvest(bit<8> step, bit<16> port) {
        hdr.bridge.step = step;
        standard_metadata.egress_spec = (bit<9>) port;
        hdr.bridge.mode = 8w2;
    }
    action outcome_spread_whole() {
        hdr.bridge.mode = 8w3;
        standard_metadata.mcast_grp = meta.members_group;
    }
    action outcome_reply_whole() {
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
            (0, _, 1, _, _, _, _, _) : outcome_refuse();
            (0, _, 2, 2, 0, 1, 44, _) : outcome_spread_empty();
            (0, _, 2, 2, 0, 1, _, _) : outcome_gather(1, 68);
            (0, _, 2, 2, 0, 0, _, _) : outcome_refuse();
            (0, _, 2, 2, _, _, _, _) : outcome_mismatch();
            (0, _, 2, 8, 0, 1, 44, _) : outcome_spread_empty();
            (0, _, 2, 8, 0, 1, _, _) : outcome_gather(1, 68);
            (0, _, 2, 8, 0, 0, _, _) : outcome_refuse();
            (0, _, 2, 8, _, _, _, _) : outcome_mismatch();
            (0, _, 2, 4, 1, _, 44, _) : outcome_spread_empty();
            (0, _, 2, 4, 1, _, _, _) : outcome_gather(1, 68);
            (0, _, 2, 4, 0, _, _, _) : outcome_refuse();
            (0, _, 2, 4, 0x8000 &&& 0x8000, _, _, _) : outcome_refuse();
            (0, _, 2, 4, _, _, _, _) : outcome_refuse();
            (0, _, 2, 1, 0, _, _, _) : outcome_refuse();
            (0, _, 2, 1, _, _, _, _) : outcome_mismatch();
            (0, _, 4, _, 0, _, 44, _) : outcome_reply_empty();
            (0, _, 4, _, 0, _, _, _) : outcome_gather_one(1, 68);
            (0, _, 4, _, _, _, _, _) : outcome_refuse();
            (2, 1, _, _, _, _, _, _) : outcome_harvest(0, 68);
            (2, 0, _, _, _, _, _, 0 &&& 0x8000) : outcome_reply_whole();
            (2, 0, _, _, _, _, _, _) : outcome_spread_whole();
        }
    }

    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata);
            return;
        }
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
        // Stage 0
        if (meta.phase == 2w2 && hdr.bridge.step == 8w1) {
            tell.apply();
        }
        // Stage 4
        folds.apply();
        if (hdr.front.isValid()) {
            incoming0.apply(hdr.front.lane0, meta.incoming0);
            extract0.apply(hdr.front.lane0, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 5
        sign0.apply(hdr.front.lane0, meta.magnitude0, meta.signed0);
        // Stage 4
        if (hdr.front.isValid()) {
            incoming1.apply(hdr.front.lane1, meta.incoming1);
            extract1.apply(hdr.front.lane1, meta.magnitude1, meta.adds1, meta.flag1);
        }
        // Stage 5
        sign1.apply(hdr.front.lane1, meta.magnitude1, meta.signed1);
        // Stage 4
        if (hdr.front.isValid()) {
            incoming2.apply(hdr.front.lane2, meta.incoming2);
            extract2.apply(hdr.front.lane2, meta.magnitude2, meta.adds2, meta.flag2);
        }
        // Stage 5
        sign2.apply(hdr.front.lane2, meta.magnitude2, meta.signed2);
        // Stage 4
        if (hdr.front.isValid()) {
            incoming3.apply(hdr.front.lane3, meta.incoming3);
            extract3.apply(hdr.front.lane3, meta.magnitude3, meta.adds3, meta.flag3);
        }
        // Stage 5
        sign3.apply(hdr.front.lane3, meta.magnitude3, meta.signed3);
        exponents0.apply(meta.sums_are, meta.adds0, meta.incoming0, meta.copy, meta.stored0,
            hdr.found.exponent0);
        // Stage 6
        distance0.apply(meta.incoming0, meta.stored0, meta.distance0, meta.back0);
        // Stage 7
        align0.apply(meta.distance0, meta.signed0, meta.back0, meta.shifted0,
            meta.stored_by0);
        // Stage 8
        add0.apply(meta.sums_are, meta.adds0, meta.distance0, meta.shifted0, meta.copy,
            meta.stored_by0, hdr.front.lane0);
        // Stage 9
        flag0.apply(meta.sums_are, meta.added0, meta.shifted0, meta.flag0, meta.copy,
            hdr.found.flags0);
        // Stage 5
        exponents1.apply(meta.sums_are, meta.adds1, meta.incoming1, meta.copy, meta.stored1,
            hdr.found.exponent1);
        // Stage 6
        distance1.apply(meta.incoming1, meta.stored1, meta.distance1, meta.back1);
        // Stage 7
        align1.apply(meta.distance1, meta.signed1, meta.back1, meta.shifted1,
            meta.stored_by1);
        // Stage 8
        add1.apply(meta.sums_are, meta.adds1, meta.distance1, meta.shifted1, meta.copy,
            meta.stored_by1, hdr.front.lane1);
        // Stage 9
        flag1.apply(meta.sums_are, meta.added1, meta.shifted1, meta.flag1, meta.copy,
            hdr.found.flags1);
        // Stage 5
        exponents2.apply(meta.sums_are, meta.adds2, meta.incoming2, meta.copy, meta.stored2,
            hdr.found.exponent2);
        // Stage 6
        distance2.apply(meta.incoming2, meta.stored2, meta.distance2, meta.back2);
        // Stage 7
        align2.apply(meta.distance2, meta.signed2, meta.back2, meta.shifted2,
            meta.stored_by2);
        // Stage 8
        add2.apply(meta.sums_are, meta.adds2, meta.distance2, meta.shifted2, meta.copy,
            meta.stored_by2, hdr.front.lane2);
        // Stage 9
        flag2.apply(meta.sums_are, meta.added2, meta.shifted2, meta.flag2, meta.copy,
            hdr.found.flags2);
        // Stage 5
        exponents3.apply(meta.sums_are, meta.adds3, meta.incoming3, meta.copy, meta.stored3,
            hdr.found.exponent3);
        // Stage 6
        distance3.apply(meta.incoming3, meta.stored3, meta.distance3, meta.back3);
        // Stage 7
        align3.apply(meta.distance3, meta.signed3, meta.back3, meta.shifted3,
            meta.stored_by3);
        // Stage 8
        add3.apply(meta.sums_are, meta.adds3, meta.distance3, meta.shifted3, meta.copy,
            meta.stored_by3, hdr.front.lane3);
        // Stage 9
        flag3.apply(meta.sums_are, meta.added3, meta.shifted3, meta.flag3, meta.copy,
            hdr.found.flags3);
        if (meta.known_pair == 1w1) {
            outcome.apply();
        }
    }
}

control magnitude_unit(
    in bit<32> lane,
    inout bit<32> absolute,
    inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() {
        absolute = lane;
    }
    action magnitude_minus() {
        absolute = 32w0 - lane;
        sign = 32w0x80000000;
    }
    table magnitude {
        key = {
            lane : ternary @name("lane");
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
    action normalise_left(bit<8> by) {
        normal = absolute << by;
        normal_exponent = exponent - (bit<16>) by;
    }
    action normalise_right(bit<8> by) {
        normal = absolute >> by;
        normal_exponent = exponent + (bit<16>) by;
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
            normalise_left;
            normalise_right;
            normalise_stay;
        }
        const default_action = normalise_stay();
        const entries = {
            #include "../lists/normalise_2.entries"
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
    inout bit<32> lane) {
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble_nan() {
        lane = 32w0x7FC00000;
    }
    action assemble_positive_infinity() {
        lane = 32w0x7F800000;
    }
    action assemble_negative_infinity() {
        lane = 32w0xFF800000;
    }
    action assemble_infinite() {
        lane = sign | 32w0x7F800000;
    }
    action assemble_normal() {
        lane = sign[31:31] ++ normal_exponent[7:0] ++ normal[22:0];
    }
    action assemble_subnormal() {
        lane = sign | normal;
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

    // Stage 0. R-SLOT-3: each worker of the job.
    action each_one() {
        hdr.bridge.worker = standard_metadata.egress_rid;
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
        size = 1024;
    }

    // Stage 0. R-PISA-59: the lanes that ingress had last.
    action lead_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { hdr.front.lane0, hdr.front.lane1, hdr.front.lane2, hdr.front.lane3 }, 64w0x100000000); meta.term = meta.term ^ 32w0xecbb4b55;
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
        }
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
        }
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
        }
    }

    // Stage 2. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_first_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn, hdr.reth.base, hdr.reth.offset, hdr.reth.round, hdr.reth.slot, hdr.reth.length }, 64w0x100000000);
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
    }

    // Stage 3. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_middle_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn }, 64w0x100000000);
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
    }

    // Stage 5. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_last_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn, hdr.immediate.exponent, hdr.immediate.next_exponent }, 64w0x100000000);
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
    }

    // Stage 5. R-PISA-57: the CRC of the header, with 0 for identification and source port.
    action head_only_hash() {
        hash(meta.term, HashAlgorithm.crc32, 32w0, { 64w0xFFFFFFFFFFFFFFFF, hdr.ipv4.version_ihl, 8w255, hdr.ipv4.total_length, 16w0, hdr.ipv4.fragment, 8w255, hdr.ipv4.protocol, 16w0xFFFF, hdr.ipv4.src, hdr.ipv4.dst, 16w0, hdr.udp.dst_port, hdr.udp.length, 16w0xFFFF, hdr.bth.opcode, hdr.bth.flags, hdr.bth.partition, 8w255, hdr.bth.dest_qp, hdr.bth.acknowledge, hdr.bth.psn, hdr.reth.base, hdr.reth.offset, hdr.reth.round, hdr.reth.slot, hdr.reth.length, hdr.immediate.exponent, hdr.immediate.next_exponent }, 64w0x100000000);
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
            #include "../lists/before0_2.entries"
        }
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
            #include "../lists/before1_2.entries"
        }
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
            #include "../lists/before2_2.entries"
        }
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
            #include "../lists/before3_2.entries"
        }
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
        }
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
        // Stage 5
        if (hdr.bth.opcode == 8w41) {
            head_last.apply();
        } else if (hdr.bth.opcode == 8w43) {
            head_only.apply();
        }
        // Stage 3
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6 && hdr.bridge.mode != 8w2) {
            before0.apply();
            before1.apply();
        }
        // Stage 4
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w4 && hdr.bridge.mode != 8w6 && hdr.bridge.mode != 8w2) {
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
        // Stage 9
        if (hdr.found.isValid()) {
            magnitude0.apply(hdr.front.lane0, meta.absolute0, meta.sign0);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            normalise0.apply(meta.absolute0, hdr.found.exponent0, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            assemble0.apply(hdr.found.flags0, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.front.lane0);
        }
        // Stage 9
        if (hdr.found.isValid()) {
            magnitude1.apply(hdr.front.lane1, meta.absolute1, meta.sign1);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            normalise1.apply(meta.absolute1, hdr.found.exponent1, meta.normal1,
                meta.normal_exponent1);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            assemble1.apply(hdr.found.flags1, meta.normal_exponent1, meta.normal1, meta.sign1,
                hdr.front.lane1);
        }
        // Stage 9
        if (hdr.found.isValid()) {
            magnitude2.apply(hdr.front.lane2, meta.absolute2, meta.sign2);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            normalise2.apply(meta.absolute2, hdr.found.exponent2, meta.normal2,
                meta.normal_exponent2);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            assemble2.apply(hdr.found.flags2, meta.normal_exponent2, meta.normal2, meta.sign2,
                hdr.front.lane2);
        }
        // Stage 9
        if (hdr.found.isValid()) {
            magnitude3.apply(hdr.front.lane3, meta.absolute3, meta.sign3);
        }
        // Stage 10
        if (hdr.found.isValid()) {
            normalise3.apply(meta.absolute3, hdr.found.exponent3, meta.normal3,
                meta.normal_exponent3);
        }
        // Stage 11
        if (hdr.found.isValid()) {
            assemble3.apply(hdr.found.flags3, meta.normal_exponent3, meta.normal3, meta.sign3,
                hdr.front.lane3);
            strip_found.apply();
        }
        if (hdr.bridge.mode != 8w1 && hdr.bridge.mode != 8w2) {
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
        update_checksum(hdr.ipv4.isValid() && hdr.bth.isValid(), { hdr.ipv4.version_ihl, hdr.ipv4.tos, hdr.ipv4.total_length, hdr.ipv4.identification, hdr.ipv4.fragment, hdr.ipv4.ttl, hdr.ipv4.protocol, hdr.ipv4.src, hdr.ipv4.dst }, hdr.ipv4.checksum, HashAlgorithm.csum16);
    }
}

control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.bridge);
        packet.emit(hdr.ethernet);
        packet.emit(hdr.ipv4);
        packet.emit(hdr.udp);
        packet.emit(hdr.bth);
        packet.emit(hdr.reth);
        packet.emit(hdr.immediate);
        packet.emit(hdr.found);
        packet.emit(hdr.front);
        packet.emit(hdr.icrc);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(), SwitchComputeChecksum(), SwitchDeparser()) main;
