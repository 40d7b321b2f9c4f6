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
            (1 &&& 0xFFFFFFFF, 24..0x7FFF) : normalise_left(23);
            (1 &&& 0xFFFFFFFF, 2..2) : normalise_left(1);
            (1 &&& 0xFFFFFFFF, 3..3) : normalise_left(2);
            (1 &&& 0xFFFFFFFF, 4..4) : normalise_left(3);
            (1 &&& 0xFFFFFFFF, 5..5) : normalise_left(4);
            (1 &&& 0xFFFFFFFF, 6..6) : normalise_left(5);
            (1 &&& 0xFFFFFFFF, 7..7) : normalise_left(6);
            (1 &&& 0xFFFFFFFF, 8..8) : normalise_left(7);
            (1 &&& 0xFFFFFFFF, 9..9) : normalise_left(8);
            (1 &&& 0xFFFFFFFF, 10..10) : normalise_left(9);
            (1 &&& 0xFFFFFFFF, 11..11) : normalise_left(10);
            (1 &&& 0xFFFFFFFF, 12..12) : normalise_left(11);
            (1 &&& 0xFFFFFFFF, 13..13) : normalise_left(12);
            (1 &&& 0xFFFFFFFF, 14..14) : normalise_left(13);
            (1 &&& 0xFFFFFFFF, 15..15) : normalise_left(14);
            (1 &&& 0xFFFFFFFF, 16..16) : normalise_left(15);
            (1 &&& 0xFFFFFFFF, 17..17) : normalise_left(16);
            (1 &&& 0xFFFFFFFF, 18..18) : normalise_left(17);
            (1 &&& 0xFFFFFFFF, 19..19) : normalise_left(18);
            (1 &&& 0xFFFFFFFF, 20..20) : normalise_left(19);
            (1 &&& 0xFFFFFFFF, 21..21) : normalise_left(20);
            (1 &&& 0xFFFFFFFF, 22..22) : normalise_left(21);
            (1 &&& 0xFFFFFFFF, 23..23) : normalise_left(22);
            (2 &&& 0xFFFFFFFE, 23..0x7FFF) : normalise_left(22);
            (2 &&& 0xFFFFFFFE, 2..2) : normalise_left(1);
            (2 &&& 0xFFFFFFFE, 3..3) : normalise_left(2);
            (2 &&& 0xFFFFFFFE, 4..4) : normalise_left(3);
            (2 &&& 0xFFFFFFFE, 5..5) : normalise_left(4);
            (2 &&& 0xFFFFFFFE, 6..6) : normalise_left(5);
            (2 &&& 0xFFFFFFFE, 7..7) : normalise_left(6);
            (2 &&& 0xFFFFFFFE, 8..8) : normalise_left(7);
            (2 &&& 0xFFFFFFFE, 9..9) : normalise_left(8);
            (2 &&& 0xFFFFFFFE, 10..10) : normalise_left(9);
            (2 &&& 0xFFFFFFFE, 11..11) : normalise_left(10);
            (2 &&& 0xFFFFFFFE, 12..12) : normalise_left(11);
            (2 &&& 0xFFFFFFFE, 13..13) : normalise_left(12);
            (2 &&& 0xFFFFFFFE, 14..14) : normalise_left(13);
            (2 &&& 0xFFFFFFFE, 15..15) : normalise_left(14);
            (2 &&& 0xFFFFFFFE, 16..16) : normalise_left(15);
            (2 &&& 0xFFFFFFFE, 17..17) : normalise_left(16);
            (2 &&& 0xFFFFFFFE, 18..18) : normalise_left(17);
            (2 &&& 0xFFFFFFFE, 19..19) : normalise_left(18);
            (2 &&& 0xFFFFFFFE, 20..20) : normalise_left(19);
            (2 &&& 0xFFFFFFFE, 21..21) : normalise_left(20);
            (2 &&& 0xFFFFFFFE, 22..22) : normalise_left(21);
            (4 &&& 0xFFFFFFFC, 22..0x7FFF) : normalise_left(21);
            (4 &&& 0xFFFFFFFC, 2..2) : normalise_left(1);
            (4 &&& 0xFFFFFFFC, 3..3) : normalise_left(2);
            (4 &&& 0xFFFFFFFC, 4..4) : normalise_left(3);
            (4 &&& 0xFFFFFFFC, 5..5) : normalise_left(4);
            (4 &&& 0xFFFFFFFC, 6..6) : normalise_left(5);
            (4 &&& 0xFFFFFFFC, 7..7) : normalise_left(6);
            (4 &&& 0xFFFFFFFC, 8..8) : normalise_left(7);
            (4 &&& 0xFFFFFFFC, 9..9) : normalise_left(8);
            (4 &&& 0xFFFFFFFC, 10..10) : normalise_left(9);
            (4 &&& 0xFFFFFFFC, 11..11) : normalise_left(10);
            (4 &&& 0xFFFFFFFC, 12..12) : normalise_left(11);
            (4 &&& 0xFFFFFFFC, 13..13) : normalise_left(12);
            (4 &&& 0xFFFFFFFC, 14..14) : normalise_left(13);
            (4 &&& 0xFFFFFFFC, 15..15) : normalise_left(14);
            (4 &&& 0xFFFFFFFC, 16..16) : normalise_left(15);
            (4 &&& 0xFFFFFFFC, 17..17) : normalise_left(16);
            (4 &&& 0xFFFFFFFC, 18..18) : normalise_left(17);
            (4 &&& 0xFFFFFFFC, 19..19) : normalise_left(18);
            (4 &&& 0xFFFFFFFC, 20..20) : normalise_left(19);
            (4 &&& 0xFFFFFFFC, 21..21) : normalise_left(20);
            (8 &&& 0xFFFFFFF8, 21..0x7FFF) : normalise_left(20);
            (8 &&& 0xFFFFFFF8, 2..2) : normalise_left(1);
            (8 &&& 0xFFFFFFF8, 3..3) : normalise_left(2);
            (8 &&& 0xFFFFFFF8, 4..4) : normalise_left(3);
            (8 &&& 0xFFFFFFF8, 5..5) : normalise_left(4);
            (8 &&& 0xFFFFFFF8, 6..6) : normalise_left(5);
            (8 &&& 0xFFFFFFF8, 7..7) : normalise_left(6);
            (8 &&& 0xFFFFFFF8, 8..8) : normalise_left(7);
            (8 &&& 0xFFFFFFF8, 9..9) : normalise_left(8);
            (8 &&& 0xFFFFFFF8, 10..10) : normalise_left(9);
            (8 &&& 0xFFFFFFF8, 11..11) : normalise_left(10);
            (8 &&& 0xFFFFFFF8, 12..12) : normalise_left(11);
            (8 &&& 0xFFFFFFF8, 13..13) : normalise_left(12);
            (8 &&& 0xFFFFFFF8, 14..14) : normalise_left(13);
            (8 &&& 0xFFFFFFF8, 15..15) : normalise_left(14);
            (8 &&& 0xFFFFFFF8, 16..16) : normalise_left(15);
            (8 &&& 0xFFFFFFF8, 17..17) : normalise_left(16);
            (8 &&& 0xFFFFFFF8, 18..18) : normalise_left(17);
            (8 &&& 0xFFFFFFF8, 19..19) : normalise_left(18);
            (8 &&& 0xFFFFFFF8, 20..20) : normalise_left(19);
            (16 &&& 0xFFFFFFF0, 20..0x7FFF) : normalise_left(19);
            (16 &&& 0xFFFFFFF0, 2..2) : normalise_left(1);
            (16 &&& 0xFFFFFFF0, 3..3) : normalise_left(2);
            (16 &&& 0xFFFFFFF0, 4..4) : normalise_left(3);
            (16 &&& 0xFFFFFFF0, 5..5) : normalise_left(4);
            (16 &&& 0xFFFFFFF0, 6..6) : normalise_left(5);
            (16 &&& 0xFFFFFFF0, 7..7) : normalise_left(6);
            (16 &&& 0xFFFFFFF0, 8..8) : normalise_left(7);
            (16 &&& 0xFFFFFFF0, 9..9) : normalise_left(8);
            (16 &&& 0xFFFFFFF0, 10..10) : normalise_left(9);
            (16 &&& 0xFFFFFFF0, 11..11) : normalise_left(10);
            (16 &&& 0xFFFFFFF0, 12..12) : normalise_left(11);
            (16 &&& 0xFFFFFFF0, 13..13) : normalise_left(12);
            (16 &&& 0xFFFFFFF0, 14..14) : normalise_left(13);
            (16 &&& 0xFFFFFFF0, 15..15) : normalise_left(14);
            (16 &&& 0xFFFFFFF0, 16..16) : normalise_left(15);
            (16 &&& 0xFFFFFFF0, 17..17) : normalise_left(16);
            (16 &&& 0xFFFFFFF0, 18..18) : normalise_left(17);
            (16 &&& 0xFFFFFFF0, 19..19) : normalise_left(18);
            (32 &&& 0xFFFFFFE0, 19..0x7FFF) : normalise_left(18);
            (32 &&& 0xFFFFFFE0, 2..2) : normalise_left(1);
            (32 &&& 0xFFFFFFE0, 3..3) : normalise_left(2);
            (32 &&& 0xFFFFFFE0, 4..4) : normalise_left(3);
            (32 &&& 0xFFFFFFE0, 5..5) : normalise_left(4);
            (32 &&& 0xFFFFFFE0, 6..6) : normalise_left(5);
            (32 &&& 0xFFFFFFE0, 7..7) : normalise_left(6);
            (32 &&& 0xFFFFFFE0, 8..8) : normalise_left(7);
            (32 &&& 0xFFFFFFE0, 9..9) : normalise_left(8);
            (32 &&& 0xFFFFFFE0, 10..10) : normalise_left(9);
            (32 &&& 0xFFFFFFE0, 11..11) : normalise_left(10);
            (32 &&& 0xFFFFFFE0, 12..12) : normalise_left(11);
            (32 &&& 0xFFFFFFE0, 13..13) : normalise_left(12);
            (32 &&& 0xFFFFFFE0, 14..14) : normalise_left(13);
            (32 &&& 0xFFFFFFE0, 15..15) : normalise_left(14);
            (32 &&& 0xFFFFFFE0, 16..16) : normalise_left(15);
            (32 &&& 0xFFFFFFE0, 17..17) : normalise_left(16);
            (32 &&& 0xFFFFFFE0, 18..18) : normalise_left(17);
            (64 &&& 0xFFFFFFC0, 18..0x7FFF) : normalise_left(17);
            (64 &&& 0xFFFFFFC0, 2..2) : normalise_left(1);
            (64 &&& 0xFFFFFFC0, 3..3) : normalise_left(2);
            (64 &&& 0xFFFFFFC0, 4..4) : normalise_left(3);
            (64 &&& 0xFFFFFFC0, 5..5) : normalise_left(4);
            (64 &&& 0xFFFFFFC0, 6..6) : normalise_left(5);
            (64 &&& 0xFFFFFFC0, 7..7) : normalise_left(6);
            (64 &&& 0xFFFFFFC0, 8..8) : normalise_left(7);
            (64 &&& 0xFFFFFFC0, 9..9) : normalise_left(8);
            (64 &&& 0xFFFFFFC0, 10..10) : normalise_left(9);
            (64 &&& 0xFFFFFFC0, 11..11) : normalise_left(10);
            (64 &&& 0xFFFFFFC0, 12..12) : normalise_left(11);
            (64 &&& 0xFFFFFFC0, 13..13) : normalise_left(12);
            (64 &&& 0xFFFFFFC0, 14..14) : normalise_left(13);
            (64 &&& 0xFFFFFFC0, 15..15) : normalise_left(14);
            (64 &&& 0xFFFFFFC0, 16..16) : normalise_left(15);
            (64 &&& 0xFFFFFFC0, 17..17) : normalise_left(16);
            (128 &&& 0xFFFFFF80, 17..0x7FFF) : normalise_left(16);
            (128 &&& 0xFFFFFF80, 2..2) : normalise_left(1);
            (128 &&& 0xFFFFFF80, 3..3) : normalise_left(2);
            (128 &&& 0xFFFFFF80, 4..4) : normalise_left(3);
            (128 &&& 0xFFFFFF80, 5..5) : normalise_left(4);
            (128 &&& 0xFFFFFF80, 6..6) : normalise_left(5);
            (128 &&& 0xFFFFFF80, 7..7) : normalise_left(6);
            (128 &&& 0xFFFFFF80, 8..8) : normalise_left(7);
            (128 &&& 0xFFFFFF80, 9..9) : normalise_left(8);
            (128 &&& 0xFFFFFF80, 10..10) : normalise_left(9);
            (128 &&& 0xFFFFFF80, 11..11) : normalise_left(10);
            (128 &&& 0xFFFFFF80, 12..12) : normalise_left(11);
            (128 &&& 0xFFFFFF80, 13..13) : normalise_left(12);
            (128 &&& 0xFFFFFF80, 14..14) : normalise_left(13);
            (128 &&& 0xFFFFFF80, 15..15) : normalise_left(14);
            (128 &&& 0xFFFFFF80, 16..16) : normalise_left(15);
            (256 &&& 0xFFFFFF00, 16..0x7FFF) : normalise_left(15);
            (256 &&& 0xFFFFFF00, 2..2) : normalise_left(1);
            (256 &&& 0xFFFFFF00, 3..3) : normalise_left(2);
            (256 &&& 0xFFFFFF00, 4..4) : normalise_left(3);
            (256 &&& 0xFFFFFF00, 5..5) : normalise_left(4);
            (256 &&& 0xFFFFFF00, 6..6) : normalise_left(5);
            (256 &&& 0xFFFFFF00, 7..7) : normalise_left(6);
            (256 &&& 0xFFFFFF00, 8..8) : normalise_left(7);
            (256 &&& 0xFFFFFF00, 9..9) : normalise_left(8);
            (256 &&& 0xFFFFFF00, 10..10) : normalise_left(9);
            (256 &&& 0xFFFFFF00, 11..11) : normalise_left(10);
            (256 &&& 0xFFFFFF00, 12..12) : normalise_left(11);
            (256 &&& 0xFFFFFF00, 13..13) : normalise_left(12);
            (256 &&& 0xFFFFFF00, 14..14) : normalise_left(13);
            (256 &&& 0xFFFFFF00, 15..15) : normalise_left(14);
            (512 &&& 0xFFFFFE00, 15..0x7FFF) : normalise_left(14);
            (512 &&& 0xFFFFFE00, 2..2) : normalise_left(1);
            (512 &&& 0xFFFFFE00, 3..3) : normalise_left(2);
            (512 &&& 0xFFFFFE00, 4..4) : normalise_left(3);
            (512 &&& 0xFFFFFE00, 5..5) : normalise_left(4);
            (512 &&& 0xFFFFFE00, 6..6) : normalise_left(5);
            (512 &&& 0xFFFFFE00, 7..7) : normalise_left(6);
            (512 &&& 0xFFFFFE00, 8..8) : normalise_left(7);
            (512 &&& 0xFFFFFE00, 9..9) : normalise_left(8);
            (512 &&& 0xFFFFFE00, 10..10) : normalise_left(9);
            (512 &&& 0xFFFFFE00, 11..11) : normalise_left(10);
            (512 &&& 0xFFFFFE00, 12..12) : normalise_left(11);
            (512 &&& 0xFFFFFE00, 13..13) : normalise_left(12);
            (512 &&& 0xFFFFFE00, 14..14) : normalise_left(13);
            (0x400 &&& 0xFFFFFC00, 14..0x7FFF) : normalise_left(13);
            (0x400 &&& 0xFFFFFC00, 2..2) : normalise_left(1);
            (0x400 &&& 0xFFFFFC00, 3..3) : normalise_left(2);
            (0x400 &&& 0xFFFFFC00, 4..4) : normalise_left(3);
            (0x400 &&& 0xFFFFFC00, 5..5) : normalise_left(4);
            (0x400 &&& 0xFFFFFC00, 6..6) : normalise_left(5);
            (0x400 &&& 0xFFFFFC00, 7..7) : normalise_left(6);
            (0x400 &&& 0xFFFFFC00, 8..8) : normalise_left(7);
            (0x400 &&& 0xFFFFFC00, 9..9) : normalise_left(8);
            (0x400 &&& 0xFFFFFC00, 10..10) : normalise_left(9);
            (0x400 &&& 0xFFFFFC00, 11..11) : normalise_left(10);
            (0x400 &&& 0xFFFFFC00, 12..12) : normalise_left(11);
            (0x400 &&& 0xFFFFFC00, 13..13) : normalise_left(12);
            (0x800 &&& 0xFFFFF800, 13..0x7FFF) : normalise_left(12);
            (0x800 &&& 0xFFFFF800, 2..2) : normalise_left(1);
            (0x800 &&& 0xFFFFF800, 3..3) : normalise_left(2);
            (0x800 &&& 0xFFFFF800, 4..4) : normalise_left(3);
            (0x800 &&& 0xFFFFF800, 5..5) : normalise_left(4);
            (0x800 &&& 0xFFFFF800, 6..6) : normalise_left(5);
            (0x800 &&& 0xFFFFF800, 7..7) : normalise_left(6);
            (0x800 &&& 0xFFFFF800, 8..8) : normalise_left(7);
            (0x800 &&& 0xFFFFF800, 9..9) : normalise_left(8);
            (0x800 &&& 0xFFFFF800, 10..10) : normalise_left(9);
            (0x800 &&& 0xFFFFF800, 11..11) : normalise_left(10);
            (0x800 &&& 0xFFFFF800, 12..12) : normalise_left(11);
            (0x1000 &&& 0xFFFFF000, 12..0x7FFF) : normalise_left(11);
            (0x1000 &&& 0xFFFFF000, 2..2) : normalise_left(1);
            (0x1000 &&& 0xFFFFF000, 3..3) : normalise_left(2);
            (0x1000 &&& 0xFFFFF000, 4..4) : normalise_left(3);
            (0x1000 &&& 0xFFFFF000, 5..5) : normalise_left(4);
            (0x1000 &&& 0xFFFFF000, 6..6) : normalise_left(5);
            (0x1000 &&& 0xFFFFF000, 7..7) : normalise_left(6);
            (0x1000 &&& 0xFFFFF000, 8..8) : normalise_left(7);
            (0x1000 &&& 0xFFFFF000, 9..9) : normalise_left(8);
            (0x1000 &&& 0xFFFFF000, 10..10) : normalise_left(9);
            (0x1000 &&& 0xFFFFF000, 11..11) : normalise_left(10);
            (0x2000 &&& 0xFFFFE000, 11..0x7FFF) : normalise_left(10);
            (0x2000 &&& 0xFFFFE000, 2..2) : normalise_left(1);
            (0x2000 &&& 0xFFFFE000, 3..3) : normalise_left(2);
            (0x2000 &&& 0xFFFFE000, 4..4) : normalise_left(3);
            (0x2000 &&& 0xFFFFE000, 5..5) : normalise_left(4);
            (0x2000 &&& 0xFFFFE000, 6..6) : normalise_left(5);
            (0x2000 &&& 0xFFFFE000, 7..7) : normalise_left(6);
            (0x2000 &&& 0xFFFFE000, 8..8) : normalise_left(7);
            (0x2000 &&& 0xFFFFE000, 9..9) : normalise_left(8);
            (0x2000 &&& 0xFFFFE000, 10..10) : normalise_left(9);
            (0x4000 &&& 0xFFFFC000, 10..0x7FFF) : normalise_left(9);
            (0x4000 &&& 0xFFFFC000, 2..2) : normalise_left(1);
            (0x4000 &&& 0xFFFFC000, 3..3) : normalise_left(2);
            (0x4000 &&& 0xFFFFC000, 4..4) : normalise_left(3);
            (0x4000 &&& 0xFFFFC000, 5..5) : normalise_left(4);
            (0x4000 &&& 0xFFFFC000, 6..6) : normalise_left(5);
            (0x4000 &&& 0xFFFFC000, 7..7) : normalise_left(6);
            (0x4000 &&& 0xFFFFC000, 8..8) : normalise_left(7);
            (0x4000 &&& 0xFFFFC000, 9..9) : normalise_left(8);
            (0x8000 &&& 0xFFFF8000, 9..0x7FFF) : normalise_left(8);
            (0x8000 &&& 0xFFFF8000, 2..2) : normalise_left(1);
            (0x8000 &&& 0xFFFF8000, 3..3) : normalise_left(2);
            (0x8000 &&& 0xFFFF8000, 4..4) : normalise_left(3);
            (0x8000 &&& 0xFFFF8000, 5..5) : normalise_left(4);
            (0x8000 &&& 0xFFFF8000, 6..6) : normalise_left(5);
            (0x8000 &&& 0xFFFF8000, 7..7) : normalise_left(6);
            (0x8000 &&& 0xFFFF8000, 8..8) : normalise_left(7);
            (0x10000 &&& 0xFFFF0000, 8..0x7FFF) : normalise_left(7);
            (0x10000 &&& 0xFFFF0000, 2..2) : normalise_left(1);
            (0x10000 &&& 0xFFFF0000, 3..3) : normalise_left(2);
            (0x10000 &&& 0xFFFF0000, 4..4) : normalise_left(3);
            (0x10000 &&& 0xFFFF0000, 5..5) : normalise_left(4);
            (0x10000 &&& 0xFFFF0000, 6..6) : normalise_left(5);
            (0x10000 &&& 0xFFFF0000, 7..7) : normalise_left(6);
            (0x20000 &&& 0xFFFE0000, 7..0x7FFF) : normalise_left(6);
            (0x20000 &&& 0xFFFE0000, 2..2) : normalise_left(1);
            (0x20000 &&& 0xFFFE0000, 3..3) : normalise_left(2);
            (0x20000 &&& 0xFFFE0000, 4..4) : normalise_left(3);
            (0x20000 &&& 0xFFFE0000, 5..5) : normalise_left(4);
            (0x20000 &&& 0xFFFE0000, 6..6) : normalise_left(5);
            (0x40000 &&& 0xFFFC0000, 6..0x7FFF) : normalise_left(5);
            (0x40000 &&& 0xFFFC0000, 2..2) : normalise_left(1);
            (0x40000 &&& 0xFFFC0000, 3..3) : normalise_left(2);
            (0x40000 &&& 0xFFFC0000, 4..4) : normalise_left(3);
            (0x40000 &&& 0xFFFC0000, 5..5) : normalise_left(4);
            (0x80000 &&& 0xFFF80000, 5..0x7FFF) : normalise_left(4);
            (0x80000 &&& 0xFFF80000, 2..2) : normalise_left(1);
            (0x80000 &&& 0xFFF80000, 3..3) : normalise_left(2);
            (0x80000 &&& 0xFFF80000, 4..4) : normalise_left(3);
            (0x100000 &&& 0xFFF00000, 4..0x7FFF) : normalise_left(3);
            (0x100000 &&& 0xFFF00000, 2..2) : normalise_left(1);
            (0x100000 &&& 0xFFF00000, 3..3) : normalise_left(2);
            (0x200000 &&& 0xFFE00000, 3..0x7FFF) : normalise_left(2);
            (0x200000 &&& 0xFFE00000, 2..2) : normalise_left(1);
            (0x400000 &&& 0xFFC00000, 2..0x7FFF) : normalise_left(1);
            (0x1000000 &&& 0xFF000000, 0..0xFFFF) : normalise_right(1);
            (0x2000000 &&& 0xFE000000, 0..0xFFFF) : normalise_right(2);
            (0x4000000 &&& 0xFC000000, 0..0xFFFF) : normalise_right(3);
            (0x8000000 &&& 0xF8000000, 0..0xFFFF) : normalise_right(4);
            (0x10000000 &&& 0xF0000000, 0..0xFFFF) : normalise_right(5);
            (0x20000000 &&& 0xE0000000, 0..0xFFFF) : normalise_right(6);
            (0x40000000 &&& 0xC0000000, 0..0xFFFF) : normalise_right(7);
            (0x80000000 &&& 0x80000000, 0..0xFFFF) : normalise_right(8);
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
            0 : before0_change(0); 1 : before0_change(0x6CA226EA); 2 : before0_change(0xD9444DD4);
            3 : before0_change(0xB5E66B3E); 4 : before0_change(0x69F99DE9);
            5 : before0_change(0x55BBB03); 6 : before0_change(0xB0BDD03D);
            7 : before0_change(0xDC1FF6D7); 8 : before0_change(0xD3F33BD2);
            9 : before0_change(0xBF511D38); 10 : before0_change(0xAB77606);
            11 : before0_change(0x661550EC); 12 : before0_change(0xBA0AA63B);
            13 : before0_change(0xD6A880D1); 14 : before0_change(0x634EEBEF);
            15 : before0_change(0xFECCD05); 16 : before0_change(0x7C9771E5);
            17 : before0_change(0x1035570F); 18 : before0_change(0xA5D33C31);
            19 : before0_change(0xC9711ADB); 20 : before0_change(0x156EEC0C);
            21 : before0_change(0x79CCCAE6); 22 : before0_change(0xCC2AA1D8);
            23 : before0_change(0xA0888732); 24 : before0_change(0xAF644A37);
            25 : before0_change(0xC3C66CDD); 26 : before0_change(0x762007E3);
            27 : before0_change(0x1A822109); 28 : before0_change(0xC69DD7DE);
            29 : before0_change(0xAA3FF134); 30 : before0_change(0x1FD99A0A);
            31 : before0_change(0x737BBCE0); 32 : before0_change(0xF92EE3CA);
            33 : before0_change(0x958CC520); 34 : before0_change(0x206AAE1E);
            35 : before0_change(0x4CC888F4); 36 : before0_change(0x90D77E23);
            37 : before0_change(0xFC7558C9); 38 : before0_change(0x499333F7);
            39 : before0_change(0x2531151D); 40 : before0_change(0x2ADDD818);
            41 : before0_change(0x467FFEF2); 42 : before0_change(0xF39995CC);
            43 : before0_change(0x9F3BB326); 44 : before0_change(0x432445F1);
            45 : before0_change(0x2F86631B); 46 : before0_change(0x9A600825);
            47 : before0_change(0xF6C22ECF); 48 : before0_change(0x85B9922F);
            49 : before0_change(0xE91BB4C5); 50 : before0_change(0x5CFDDFFB);
            51 : before0_change(0x305FF911); 52 : before0_change(0xEC400FC6);
            53 : before0_change(0x80E2292C); 54 : before0_change(0x35044212);
            55 : before0_change(0x59A664F8); 56 : before0_change(0x564AA9FD);
            57 : before0_change(0x3AE88F17); 58 : before0_change(0x8F0EE429);
            59 : before0_change(0xE3ACC2C3); 60 : before0_change(0x3FB33414);
            61 : before0_change(0x531112FE); 62 : before0_change(0xE6F779C0);
            63 : before0_change(0x8A555F2A); 64 : before0_change(0x292CC1D5);
            65 : before0_change(0x458EE73F); 66 : before0_change(0xF0688C01);
            67 : before0_change(0x9CCAAAEB); 68 : before0_change(0x40D55C3C);
            69 : before0_change(0x2C777AD6); 70 : before0_change(0x999111E8);
            71 : before0_change(0xF5333702); 72 : before0_change(0xFADFFA07);
            73 : before0_change(0x967DDCED); 74 : before0_change(0x239BB7D3);
            75 : before0_change(0x4F399139); 76 : before0_change(0x932667EE);
            77 : before0_change(0xFF844104); 78 : before0_change(0x4A622A3A);
            79 : before0_change(0x26C00CD0); 80 : before0_change(0x55BBB030);
            81 : before0_change(0x391996DA); 82 : before0_change(0x8CFFFDE4);
            83 : before0_change(0xE05DDB0E); 84 : before0_change(0x3C422DD9);
            85 : before0_change(0x50E00B33); 86 : before0_change(0xE506600D);
            87 : before0_change(0x89A446E7); 88 : before0_change(0x86488BE2);
            89 : before0_change(0xEAEAAD08); 90 : before0_change(0x5F0CC636);
            91 : before0_change(0x33AEE0DC); 92 : before0_change(0xEFB1160B);
            93 : before0_change(0x831330E1); 94 : before0_change(0x36F55BDF);
            95 : before0_change(0x5A577D35); 96 : before0_change(0xD002221F);
            97 : before0_change(0xBCA004F5); 98 : before0_change(0x9466FCB);
            99 : before0_change(0x65E44921); 100 : before0_change(0xB9FBBFF6);
            101 : before0_change(0xD559991C); 102 : before0_change(0x60BFF222);
            103 : before0_change(0xC1DD4C8); 104 : before0_change(0x3F119CD);
            105 : before0_change(0x6F533F27); 106 : before0_change(0xDAB55419);
            107 : before0_change(0xB61772F3); 108 : before0_change(0x6A088424);
            109 : before0_change(0x6AAA2CE); 110 : before0_change(0xB34CC9F0);
            111 : before0_change(0xDFEEEF1A); 112 : before0_change(0xAC9553FA);
            113 : before0_change(0xC0377510); 114 : before0_change(0x75D11E2E);
            115 : before0_change(0x197338C4); 116 : before0_change(0xC56CCE13);
            117 : before0_change(0xA9CEE8F9); 118 : before0_change(0x1C2883C7);
            119 : before0_change(0x708AA52D); 120 : before0_change(0x7F666828);
            121 : before0_change(0x13C44EC2); 122 : before0_change(0xA62225FC);
            123 : before0_change(0xCA800316); 124 : before0_change(0x169FF5C1);
            125 : before0_change(0x7A3DD32B); 126 : before0_change(0xCFDBB815);
            127 : before0_change(0xA3799EFF); 128 : before0_change(0x525983AA);
            129 : before0_change(0x3EFBA540); 130 : before0_change(0x8B1DCE7E);
            131 : before0_change(0xE7BFE894); 132 : before0_change(0x3BA01E43);
            133 : before0_change(0x570238A9); 134 : before0_change(0xE2E45397);
            135 : before0_change(0x8E46757D); 136 : before0_change(0x81AAB878);
            137 : before0_change(0xED089E92); 138 : before0_change(0x58EEF5AC);
            139 : before0_change(0x344CD346); 140 : before0_change(0xE8532591);
            141 : before0_change(0x84F1037B); 142 : before0_change(0x31176845);
            143 : before0_change(0x5DB54EAF); 144 : before0_change(0x2ECEF24F);
            145 : before0_change(0x426CD4A5); 146 : before0_change(0xF78ABF9B);
            147 : before0_change(0x9B289971); 148 : before0_change(0x47376FA6);
            149 : before0_change(0x2B95494C); 150 : before0_change(0x9E732272);
            151 : before0_change(0xF2D10498); 152 : before0_change(0xFD3DC99D);
            153 : before0_change(0x919FEF77); 154 : before0_change(0x24798449);
            155 : before0_change(0x48DBA2A3); 156 : before0_change(0x94C45474);
            157 : before0_change(0xF866729E); 158 : before0_change(0x4D8019A0);
            159 : before0_change(0x21223F4A); 160 : before0_change(0xAB776060);
            161 : before0_change(0xC7D5468A); 162 : before0_change(0x72332DB4);
            163 : before0_change(0x1E910B5E); 164 : before0_change(0xC28EFD89);
            165 : before0_change(0xAE2CDB63); 166 : before0_change(0x1BCAB05D);
            167 : before0_change(0x776896B7); 168 : before0_change(0x78845BB2);
            169 : before0_change(0x14267D58); 170 : before0_change(0xA1C01666);
            171 : before0_change(0xCD62308C); 172 : before0_change(0x117DC65B);
            173 : before0_change(0x7DDFE0B1); 174 : before0_change(0xC8398B8F);
            175 : before0_change(0xA49BAD65); 176 : before0_change(0xD7E01185);
            177 : before0_change(0xBB42376F); 178 : before0_change(0xEA45C51);
            179 : before0_change(0x62067ABB); 180 : before0_change(0xBE198C6C);
            181 : before0_change(0xD2BBAA86); 182 : before0_change(0x675DC1B8);
            183 : before0_change(0xBFFE752); 184 : before0_change(0x4132A57);
            185 : before0_change(0x68B10CBD); 186 : before0_change(0xDD576783);
            187 : before0_change(0xB1F54169); 188 : before0_change(0x6DEAB7BE);
            189 : before0_change(0x1489154); 190 : before0_change(0xB4AEFA6A);
            191 : before0_change(0xD80CDC80); 192 : before0_change(0x7B75427F);
            193 : before0_change(0x17D76495); 194 : before0_change(0xA2310FAB);
            195 : before0_change(0xCE932941); 196 : before0_change(0x128CDF96);
            197 : before0_change(0x7E2EF97C); 198 : before0_change(0xCBC89242);
            199 : before0_change(0xA76AB4A8); 200 : before0_change(0xA88679AD);
            201 : before0_change(0xC4245F47); 202 : before0_change(0x71C23479);
            203 : before0_change(0x1D601293); 204 : before0_change(0xC17FE444);
            205 : before0_change(0xADDDC2AE); 206 : before0_change(0x183BA990);
            207 : before0_change(0x74998F7A); 208 : before0_change(0x7E2339A);
            209 : before0_change(0x6B401570); 210 : before0_change(0xDEA67E4E);
            211 : before0_change(0xB20458A4); 212 : before0_change(0x6E1BAE73);
            213 : before0_change(0x2B98899); 214 : before0_change(0xB75FE3A7);
            215 : before0_change(0xDBFDC54D); 216 : before0_change(0xD4110848);
            217 : before0_change(0xB8B32EA2); 218 : before0_change(0xD55459C);
            219 : before0_change(0x61F76376); 220 : before0_change(0xBDE895A1);
            221 : before0_change(0xD14AB34B); 222 : before0_change(0x64ACD875);
            223 : before0_change(0x80EFE9F); 224 : before0_change(0x825BA1B5);
            225 : before0_change(0xEEF9875F); 226 : before0_change(0x5B1FEC61);
            227 : before0_change(0x37BDCA8B); 228 : before0_change(0xEBA23C5C);
            229 : before0_change(0x87001AB6); 230 : before0_change(0x32E67188);
            231 : before0_change(0x5E445762); 232 : before0_change(0x51A89A67);
            233 : before0_change(0x3D0ABC8D); 234 : before0_change(0x88ECD7B3);
            235 : before0_change(0xE44EF159); 236 : before0_change(0x3851078E);
            237 : before0_change(0x54F32164); 238 : before0_change(0xE1154A5A);
            239 : before0_change(0x8DB76CB0); 240 : before0_change(0xFECCD050);
            241 : before0_change(0x926EF6BA); 242 : before0_change(0x27889D84);
            243 : before0_change(0x4B2ABB6E); 244 : before0_change(0x97354DB9);
            245 : before0_change(0xFB976B53); 246 : before0_change(0x4E71006D);
            247 : before0_change(0x22D32687); 248 : before0_change(0x2D3FEB82);
            249 : before0_change(0x419DCD68); 250 : before0_change(0xF47BA656);
            251 : before0_change(0x98D980BC); 252 : before0_change(0x44C6766B);
            253 : before0_change(0x28645081); 254 : before0_change(0x9D823BBF);
            255 : before0_change(0xF1201D55);
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
            0 : before1_change(0); 1 : before1_change(0xA4B30754); 2 : before1_change(0x921708E9);
            3 : before1_change(0x36A40FBD); 4 : before1_change(0xFF5F1793);
            5 : before1_change(0x5BEC10C7); 6 : before1_change(0x6D481F7A);
            7 : before1_change(0xC9FB182E); 8 : before1_change(0x25CF2967);
            9 : before1_change(0x817C2E33); 10 : before1_change(0xB7D8218E);
            11 : before1_change(0x136B26DA); 12 : before1_change(0xDA903EF4);
            13 : before1_change(0x7E2339A0); 14 : before1_change(0x4887361D);
            15 : before1_change(0xEC343149); 16 : before1_change(0x4B9E52CE);
            17 : before1_change(0xEF2D559A); 18 : before1_change(0xD9895A27);
            19 : before1_change(0x7D3A5D73); 20 : before1_change(0xB4C1455D);
            21 : before1_change(0x10724209); 22 : before1_change(0x26D64DB4);
            23 : before1_change(0x82654AE0); 24 : before1_change(0x6E517BA9);
            25 : before1_change(0xCAE27CFD); 26 : before1_change(0xFC467340);
            27 : before1_change(0x58F57414); 28 : before1_change(0x910E6C3A);
            29 : before1_change(0x35BD6B6E); 30 : before1_change(0x31964D3);
            31 : before1_change(0xA7AA6387); 32 : before1_change(0x973CA59C);
            33 : before1_change(0x338FA2C8); 34 : before1_change(0x52BAD75);
            35 : before1_change(0xA198AA21); 36 : before1_change(0x6863B20F);
            37 : before1_change(0xCCD0B55B); 38 : before1_change(0xFA74BAE6);
            39 : before1_change(0x5EC7BDB2); 40 : before1_change(0xB2F38CFB);
            41 : before1_change(0x16408BAF); 42 : before1_change(0x20E48412);
            43 : before1_change(0x84578346); 44 : before1_change(0x4DAC9B68);
            45 : before1_change(0xE91F9C3C); 46 : before1_change(0xDFBB9381);
            47 : before1_change(0x7B0894D5); 48 : before1_change(0xDCA2F752);
            49 : before1_change(0x7811F006); 50 : before1_change(0x4EB5FFBB);
            51 : before1_change(0xEA06F8EF); 52 : before1_change(0x23FDE0C1);
            53 : before1_change(0x874EE795); 54 : before1_change(0xB1EAE828);
            55 : before1_change(0x1559EF7C); 56 : before1_change(0xF96DDE35);
            57 : before1_change(0x5DDED961); 58 : before1_change(0x6B7AD6DC);
            59 : before1_change(0xCFC9D188); 60 : before1_change(0x632C9A6);
            61 : before1_change(0xA281CEF2); 62 : before1_change(0x9425C14F);
            63 : before1_change(0x3096C61B); 64 : before1_change(0xF5084D79);
            65 : before1_change(0x51BB4A2D); 66 : before1_change(0x671F4590);
            67 : before1_change(0xC3AC42C4); 68 : before1_change(0xA575AEA);
            69 : before1_change(0xAEE45DBE); 70 : before1_change(0x98405203);
            71 : before1_change(0x3CF35557); 72 : before1_change(0xD0C7641E);
            73 : before1_change(0x7474634A); 74 : before1_change(0x42D06CF7);
            75 : before1_change(0xE6636BA3); 76 : before1_change(0x2F98738D);
            77 : before1_change(0x8B2B74D9); 78 : before1_change(0xBD8F7B64);
            79 : before1_change(0x193C7C30); 80 : before1_change(0xBE961FB7);
            81 : before1_change(0x1A2518E3); 82 : before1_change(0x2C81175E);
            83 : before1_change(0x8832100A); 84 : before1_change(0x41C90824);
            85 : before1_change(0xE57A0F70); 86 : before1_change(0xD3DE00CD);
            87 : before1_change(0x776D0799); 88 : before1_change(0x9B5936D0);
            89 : before1_change(0x3FEA3184); 90 : before1_change(0x94E3E39);
            91 : before1_change(0xADFD396D); 92 : before1_change(0x64062143);
            93 : before1_change(0xC0B52617); 94 : before1_change(0xF61129AA);
            95 : before1_change(0x52A22EFE); 96 : before1_change(0x6234E8E5);
            97 : before1_change(0xC687EFB1); 98 : before1_change(0xF023E00C);
            99 : before1_change(0x5490E758); 100 : before1_change(0x9D6BFF76);
            101 : before1_change(0x39D8F822); 102 : before1_change(0xF7CF79F);
            103 : before1_change(0xABCFF0CB); 104 : before1_change(0x47FBC182);
            105 : before1_change(0xE348C6D6); 106 : before1_change(0xD5ECC96B);
            107 : before1_change(0x715FCE3F); 108 : before1_change(0xB8A4D611);
            109 : before1_change(0x1C17D145); 110 : before1_change(0x2AB3DEF8);
            111 : before1_change(0x8E00D9AC); 112 : before1_change(0x29AABA2B);
            113 : before1_change(0x8D19BD7F); 114 : before1_change(0xBBBDB2C2);
            115 : before1_change(0x1F0EB596); 116 : before1_change(0xD6F5ADB8);
            117 : before1_change(0x7246AAEC); 118 : before1_change(0x44E2A551);
            119 : before1_change(0xE051A205); 120 : before1_change(0xC65934C);
            121 : before1_change(0xA8D69418); 122 : before1_change(0x9E729BA5);
            123 : before1_change(0x3AC19CF1); 124 : before1_change(0xF33A84DF);
            125 : before1_change(0x5789838B); 126 : before1_change(0x612D8C36);
            127 : before1_change(0xC59E8B62); 128 : before1_change(0x31619CB3);
            129 : before1_change(0x95D29BE7); 130 : before1_change(0xA376945A);
            131 : before1_change(0x7C5930E); 132 : before1_change(0xCE3E8B20);
            133 : before1_change(0x6A8D8C74); 134 : before1_change(0x5C2983C9);
            135 : before1_change(0xF89A849D); 136 : before1_change(0x14AEB5D4);
            137 : before1_change(0xB01DB280); 138 : before1_change(0x86B9BD3D);
            139 : before1_change(0x220ABA69); 140 : before1_change(0xEBF1A247);
            141 : before1_change(0x4F42A513); 142 : before1_change(0x79E6AAAE);
            143 : before1_change(0xDD55ADFA); 144 : before1_change(0x7AFFCE7D);
            145 : before1_change(0xDE4CC929); 146 : before1_change(0xE8E8C694);
            147 : before1_change(0x4C5BC1C0); 148 : before1_change(0x85A0D9EE);
            149 : before1_change(0x2113DEBA); 150 : before1_change(0x17B7D107);
            151 : before1_change(0xB304D653); 152 : before1_change(0x5F30E71A);
            153 : before1_change(0xFB83E04E); 154 : before1_change(0xCD27EFF3);
            155 : before1_change(0x6994E8A7); 156 : before1_change(0xA06FF089);
            157 : before1_change(0x4DCF7DD); 158 : before1_change(0x3278F860);
            159 : before1_change(0x96CBFF34); 160 : before1_change(0xA65D392F);
            161 : before1_change(0x2EE3E7B); 162 : before1_change(0x344A31C6);
            163 : before1_change(0x90F93692); 164 : before1_change(0x59022EBC);
            165 : before1_change(0xFDB129E8); 166 : before1_change(0xCB152655);
            167 : before1_change(0x6FA62101); 168 : before1_change(0x83921048);
            169 : before1_change(0x2721171C); 170 : before1_change(0x118518A1);
            171 : before1_change(0xB5361FF5); 172 : before1_change(0x7CCD07DB);
            173 : before1_change(0xD87E008F); 174 : before1_change(0xEEDA0F32);
            175 : before1_change(0x4A690866); 176 : before1_change(0xEDC36BE1);
            177 : before1_change(0x49706CB5); 178 : before1_change(0x7FD46308);
            179 : before1_change(0xDB67645C); 180 : before1_change(0x129C7C72);
            181 : before1_change(0xB62F7B26); 182 : before1_change(0x808B749B);
            183 : before1_change(0x243873CF); 184 : before1_change(0xC80C4286);
            185 : before1_change(0x6CBF45D2); 186 : before1_change(0x5A1B4A6F);
            187 : before1_change(0xFEA84D3B); 188 : before1_change(0x37535515);
            189 : before1_change(0x93E05241); 190 : before1_change(0xA5445DFC);
            191 : before1_change(0x1F75AA8); 192 : before1_change(0xC469D1CA);
            193 : before1_change(0x60DAD69E); 194 : before1_change(0x567ED923);
            195 : before1_change(0xF2CDDE77); 196 : before1_change(0x3B36C659);
            197 : before1_change(0x9F85C10D); 198 : before1_change(0xA921CEB0);
            199 : before1_change(0xD92C9E4); 200 : before1_change(0xE1A6F8AD);
            201 : before1_change(0x4515FFF9); 202 : before1_change(0x73B1F044);
            203 : before1_change(0xD702F710); 204 : before1_change(0x1EF9EF3E);
            205 : before1_change(0xBA4AE86A); 206 : before1_change(0x8CEEE7D7);
            207 : before1_change(0x285DE083); 208 : before1_change(0x8FF78304);
            209 : before1_change(0x2B448450); 210 : before1_change(0x1DE08BED);
            211 : before1_change(0xB9538CB9); 212 : before1_change(0x70A89497);
            213 : before1_change(0xD41B93C3); 214 : before1_change(0xE2BF9C7E);
            215 : before1_change(0x460C9B2A); 216 : before1_change(0xAA38AA63);
            217 : before1_change(0xE8BAD37); 218 : before1_change(0x382FA28A);
            219 : before1_change(0x9C9CA5DE); 220 : before1_change(0x5567BDF0);
            221 : before1_change(0xF1D4BAA4); 222 : before1_change(0xC770B519);
            223 : before1_change(0x63C3B24D); 224 : before1_change(0x53557456);
            225 : before1_change(0xF7E67302); 226 : before1_change(0xC1427CBF);
            227 : before1_change(0x65F17BEB); 228 : before1_change(0xAC0A63C5);
            229 : before1_change(0x8B96491); 230 : before1_change(0x3E1D6B2C);
            231 : before1_change(0x9AAE6C78); 232 : before1_change(0x769A5D31);
            233 : before1_change(0xD2295A65); 234 : before1_change(0xE48D55D8);
            235 : before1_change(0x403E528C); 236 : before1_change(0x89C54AA2);
            237 : before1_change(0x2D764DF6); 238 : before1_change(0x1BD2424B);
            239 : before1_change(0xBF61451F); 240 : before1_change(0x18CB2698);
            241 : before1_change(0xBC7821CC); 242 : before1_change(0x8ADC2E71);
            243 : before1_change(0x2E6F2925); 244 : before1_change(0xE794310B);
            245 : before1_change(0x4327365F); 246 : before1_change(0x758339E2);
            247 : before1_change(0xD1303EB6); 248 : before1_change(0x3D040FFF);
            249 : before1_change(0x99B708AB); 250 : before1_change(0xAF130716);
            251 : before1_change(0xBA00042); 252 : before1_change(0xC25B186C);
            253 : before1_change(0x66E81F38); 254 : before1_change(0x504C1085);
            255 : before1_change(0xF4FF17D1);
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
            0 : before2_change(0); 1 : before2_change(0x62C33966); 2 : before2_change(0xC58672CC);
            3 : before2_change(0xA7454BAA); 4 : before2_change(0x507DE3D9);
            5 : before2_change(0x32BEDABF); 6 : before2_change(0x95FB9115);
            7 : before2_change(0xF738A873); 8 : before2_change(0xA0FBC7B2);
            9 : before2_change(0xC238FED4); 10 : before2_change(0x657DB57E);
            11 : before2_change(0x7BE8C18); 12 : before2_change(0xF086246B);
            13 : before2_change(0x92451D0D); 14 : before2_change(0x350056A7);
            15 : before2_change(0x57C36FC1); 16 : before2_change(0x9A868925);
            17 : before2_change(0xF845B043); 18 : before2_change(0x5F00FBE9);
            19 : before2_change(0x3DC3C28F); 20 : before2_change(0xCAFB6AFC);
            21 : before2_change(0xA838539A); 22 : before2_change(0xF7D1830);
            23 : before2_change(0x6DBE2156); 24 : before2_change(0x3A7D4E97);
            25 : before2_change(0x58BE77F1); 26 : before2_change(0xFFFB3C5B);
            27 : before2_change(0x9D38053D); 28 : before2_change(0x6A00AD4E);
            29 : before2_change(0x8C39428); 30 : before2_change(0xAF86DF82);
            31 : before2_change(0xCD45E6E4); 32 : before2_change(0xEE7C140B);
            33 : before2_change(0x8CBF2D6D); 34 : before2_change(0x2BFA66C7);
            35 : before2_change(0x49395FA1); 36 : before2_change(0xBE01F7D2);
            37 : before2_change(0xDCC2CEB4); 38 : before2_change(0x7B87851E);
            39 : before2_change(0x1944BC78); 40 : before2_change(0x4E87D3B9);
            41 : before2_change(0x2C44EADF); 42 : before2_change(0x8B01A175);
            43 : before2_change(0xE9C29813); 44 : before2_change(0x1EFA3060);
            45 : before2_change(0x7C390906); 46 : before2_change(0xDB7C42AC);
            47 : before2_change(0xB9BF7BCA); 48 : before2_change(0x74FA9D2E);
            49 : before2_change(0x1639A448); 50 : before2_change(0xB17CEFE2);
            51 : before2_change(0xD3BFD684); 52 : before2_change(0x24877EF7);
            53 : before2_change(0x46444791); 54 : before2_change(0xE1010C3B);
            55 : before2_change(0x83C2355D); 56 : before2_change(0xD4015A9C);
            57 : before2_change(0xB6C263FA); 58 : before2_change(0x11872850);
            59 : before2_change(0x73441136); 60 : before2_change(0x847CB945);
            61 : before2_change(0xE6BF8023); 62 : before2_change(0x41FACB89);
            63 : before2_change(0x2339F2EF); 64 : before2_change(0x7892E57);
            65 : before2_change(0x654A1731); 66 : before2_change(0xC20F5C9B);
            67 : before2_change(0xA0CC65FD); 68 : before2_change(0x57F4CD8E);
            69 : before2_change(0x3537F4E8); 70 : before2_change(0x9272BF42);
            71 : before2_change(0xF0B18624); 72 : before2_change(0xA772E9E5);
            73 : before2_change(0xC5B1D083); 74 : before2_change(0x62F49B29);
            75 : before2_change(0x37A24F); 76 : before2_change(0xF70F0A3C);
            77 : before2_change(0x95CC335A); 78 : before2_change(0x328978F0);
            79 : before2_change(0x504A4196); 80 : before2_change(0x9D0FA772);
            81 : before2_change(0xFFCC9E14); 82 : before2_change(0x5889D5BE);
            83 : before2_change(0x3A4AECD8); 84 : before2_change(0xCD7244AB);
            85 : before2_change(0xAFB17DCD); 86 : before2_change(0x8F43667);
            87 : before2_change(0x6A370F01); 88 : before2_change(0x3DF460C0);
            89 : before2_change(0x5F3759A6); 90 : before2_change(0xF872120C);
            91 : before2_change(0x9AB12B6A); 92 : before2_change(0x6D898319);
            93 : before2_change(0xF4ABA7F); 94 : before2_change(0xA80FF1D5);
            95 : before2_change(0xCACCC8B3); 96 : before2_change(0xE9F53A5C);
            97 : before2_change(0x8B36033A); 98 : before2_change(0x2C734890);
            99 : before2_change(0x4EB071F6); 100 : before2_change(0xB988D985);
            101 : before2_change(0xDB4BE0E3); 102 : before2_change(0x7C0EAB49);
            103 : before2_change(0x1ECD922F); 104 : before2_change(0x490EFDEE);
            105 : before2_change(0x2BCDC488); 106 : before2_change(0x8C888F22);
            107 : before2_change(0xEE4BB644); 108 : before2_change(0x19731E37);
            109 : before2_change(0x7BB02751); 110 : before2_change(0xDCF56CFB);
            111 : before2_change(0xBE36559D); 112 : before2_change(0x7373B379);
            113 : before2_change(0x11B08A1F); 114 : before2_change(0xB6F5C1B5);
            115 : before2_change(0xD436F8D3); 116 : before2_change(0x230E50A0);
            117 : before2_change(0x41CD69C6); 118 : before2_change(0xE688226C);
            119 : before2_change(0x844B1B0A); 120 : before2_change(0xD38874CB);
            121 : before2_change(0xB14B4DAD); 122 : before2_change(0x160E0607);
            123 : before2_change(0x74CD3F61); 124 : before2_change(0x83F59712);
            125 : before2_change(0xE136AE74); 126 : before2_change(0x4673E5DE);
            127 : before2_change(0x24B0DCB8); 128 : before2_change(0xF125CAE);
            129 : before2_change(0x6DD165C8); 130 : before2_change(0xCA942E62);
            131 : before2_change(0xA8571704); 132 : before2_change(0x5F6FBF77);
            133 : before2_change(0x3DAC8611); 134 : before2_change(0x9AE9CDBB);
            135 : before2_change(0xF82AF4DD); 136 : before2_change(0xAFE99B1C);
            137 : before2_change(0xCD2AA27A); 138 : before2_change(0x6A6FE9D0);
            139 : before2_change(0x8ACD0B6); 140 : before2_change(0xFF9478C5);
            141 : before2_change(0x9D5741A3); 142 : before2_change(0x3A120A09);
            143 : before2_change(0x58D1336F); 144 : before2_change(0x9594D58B);
            145 : before2_change(0xF757ECED); 146 : before2_change(0x5012A747);
            147 : before2_change(0x32D19E21); 148 : before2_change(0xC5E93652);
            149 : before2_change(0xA72A0F34); 150 : before2_change(0x6F449E);
            151 : before2_change(0x62AC7DF8); 152 : before2_change(0x356F1239);
            153 : before2_change(0x57AC2B5F); 154 : before2_change(0xF0E960F5);
            155 : before2_change(0x922A5993); 156 : before2_change(0x6512F1E0);
            157 : before2_change(0x7D1C886); 158 : before2_change(0xA094832C);
            159 : before2_change(0xC257BA4A); 160 : before2_change(0xE16E48A5);
            161 : before2_change(0x83AD71C3); 162 : before2_change(0x24E83A69);
            163 : before2_change(0x462B030F); 164 : before2_change(0xB113AB7C);
            165 : before2_change(0xD3D0921A); 166 : before2_change(0x7495D9B0);
            167 : before2_change(0x1656E0D6); 168 : before2_change(0x41958F17);
            169 : before2_change(0x2356B671); 170 : before2_change(0x8413FDDB);
            171 : before2_change(0xE6D0C4BD); 172 : before2_change(0x11E86CCE);
            173 : before2_change(0x732B55A8); 174 : before2_change(0xD46E1E02);
            175 : before2_change(0xB6AD2764); 176 : before2_change(0x7BE8C180);
            177 : before2_change(0x192BF8E6); 178 : before2_change(0xBE6EB34C);
            179 : before2_change(0xDCAD8A2A); 180 : before2_change(0x2B952259);
            181 : before2_change(0x49561B3F); 182 : before2_change(0xEE135095);
            183 : before2_change(0x8CD069F3); 184 : before2_change(0xDB130632);
            185 : before2_change(0xB9D03F54); 186 : before2_change(0x1E9574FE);
            187 : before2_change(0x7C564D98); 188 : before2_change(0x8B6EE5EB);
            189 : before2_change(0xE9ADDC8D); 190 : before2_change(0x4EE89727);
            191 : before2_change(0x2C2BAE41); 192 : before2_change(0x89B72F9);
            193 : before2_change(0x6A584B9F); 194 : before2_change(0xCD1D0035);
            195 : before2_change(0xAFDE3953); 196 : before2_change(0x58E69120);
            197 : before2_change(0x3A25A846); 198 : before2_change(0x9D60E3EC);
            199 : before2_change(0xFFA3DA8A); 200 : before2_change(0xA860B54B);
            201 : before2_change(0xCAA38C2D); 202 : before2_change(0x6DE6C787);
            203 : before2_change(0xF25FEE1); 204 : before2_change(0xF81D5692);
            205 : before2_change(0x9ADE6FF4); 206 : before2_change(0x3D9B245E);
            207 : before2_change(0x5F581D38); 208 : before2_change(0x921DFBDC);
            209 : before2_change(0xF0DEC2BA); 210 : before2_change(0x579B8910);
            211 : before2_change(0x3558B076); 212 : before2_change(0xC2601805);
            213 : before2_change(0xA0A32163); 214 : before2_change(0x7E66AC9);
            215 : before2_change(0x652553AF); 216 : before2_change(0x32E63C6E);
            217 : before2_change(0x50250508); 218 : before2_change(0xF7604EA2);
            219 : before2_change(0x95A377C4); 220 : before2_change(0x629BDFB7);
            221 : before2_change(0x58E6D1); 222 : before2_change(0xA71DAD7B);
            223 : before2_change(0xC5DE941D); 224 : before2_change(0xE6E766F2);
            225 : before2_change(0x84245F94); 226 : before2_change(0x2361143E);
            227 : before2_change(0x41A22D58); 228 : before2_change(0xB69A852B);
            229 : before2_change(0xD459BC4D); 230 : before2_change(0x731CF7E7);
            231 : before2_change(0x11DFCE81); 232 : before2_change(0x461CA140);
            233 : before2_change(0x24DF9826); 234 : before2_change(0x839AD38C);
            235 : before2_change(0xE159EAEA); 236 : before2_change(0x16614299);
            237 : before2_change(0x74A27BFF); 238 : before2_change(0xD3E73055);
            239 : before2_change(0xB1240933); 240 : before2_change(0x7C61EFD7);
            241 : before2_change(0x1EA2D6B1); 242 : before2_change(0xB9E79D1B);
            243 : before2_change(0xDB24A47D); 244 : before2_change(0x2C1C0C0E);
            245 : before2_change(0x4EDF3568); 246 : before2_change(0xE99A7EC2);
            247 : before2_change(0x8B5947A4); 248 : before2_change(0xDC9A2865);
            249 : before2_change(0xBE591103); 250 : before2_change(0x191C5AA9);
            251 : before2_change(0x7BDF63CF); 252 : before2_change(0x8CE7CBBC);
            253 : before2_change(0xEE24F2DA); 254 : before2_change(0x4961B970);
            255 : before2_change(0x2BA28016);
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
            0 : before3_change(0); 1 : before3_change(0x1E24B95C); 2 : before3_change(0x3C4972B8);
            3 : before3_change(0x226DCBE4); 4 : before3_change(0x7892E570);
            5 : before3_change(0x66B65C2C); 6 : before3_change(0x44DB97C8);
            7 : before3_change(0x5AFF2E94); 8 : before3_change(0xF125CAE0);
            9 : before3_change(0xEF0173BC); 10 : before3_change(0xCD6CB858);
            11 : before3_change(0xD3480104); 12 : before3_change(0x89B72F90);
            13 : before3_change(0x979396CC); 14 : before3_change(0xB5FE5D28);
            15 : before3_change(0xABDAE474); 16 : before3_change(0x393A9381);
            17 : before3_change(0x271E2ADD); 18 : before3_change(0x573E139);
            19 : before3_change(0x1B575865); 20 : before3_change(0x41A876F1);
            21 : before3_change(0x5F8CCFAD); 22 : before3_change(0x7DE10449);
            23 : before3_change(0x63C5BD15); 24 : before3_change(0xC81F5961);
            25 : before3_change(0xD63BE03D); 26 : before3_change(0xF4562BD9);
            27 : before3_change(0xEA729285); 28 : before3_change(0xB08DBC11);
            29 : before3_change(0xAEA9054D); 30 : before3_change(0x8CC4CEA9);
            31 : before3_change(0x92E077F5); 32 : before3_change(0x72752702);
            33 : before3_change(0x6C519E5E); 34 : before3_change(0x4E3C55BA);
            35 : before3_change(0x5018ECE6); 36 : before3_change(0xAE7C272);
            37 : before3_change(0x14C37B2E); 38 : before3_change(0x36AEB0CA);
            39 : before3_change(0x288A0996); 40 : before3_change(0x8350EDE2);
            41 : before3_change(0x9D7454BE); 42 : before3_change(0xBF199F5A);
            43 : before3_change(0xA13D2606); 44 : before3_change(0xFBC20892);
            45 : before3_change(0xE5E6B1CE); 46 : before3_change(0xC78B7A2A);
            47 : before3_change(0xD9AFC376); 48 : before3_change(0x4B4FB483);
            49 : before3_change(0x556B0DDF); 50 : before3_change(0x7706C63B);
            51 : before3_change(0x69227F67); 52 : before3_change(0x33DD51F3);
            53 : before3_change(0x2DF9E8AF); 54 : before3_change(0xF94234B);
            55 : before3_change(0x11B09A17); 56 : before3_change(0xBA6A7E63);
            57 : before3_change(0xA44EC73F); 58 : before3_change(0x86230CDB);
            59 : before3_change(0x9807B587); 60 : before3_change(0xC2F89B13);
            61 : before3_change(0xDCDC224F); 62 : before3_change(0xFEB1E9AB);
            63 : before3_change(0xE09550F7); 64 : before3_change(0xE4EA4E04);
            65 : before3_change(0xFACEF758); 66 : before3_change(0xD8A33CBC);
            67 : before3_change(0xC68785E0); 68 : before3_change(0x9C78AB74);
            69 : before3_change(0x825C1228); 70 : before3_change(0xA031D9CC);
            71 : before3_change(0xBE156090); 72 : before3_change(0x15CF84E4);
            73 : before3_change(0xBEB3DB8); 74 : before3_change(0x2986F65C);
            75 : before3_change(0x37A24F00); 76 : before3_change(0x6D5D6194);
            77 : before3_change(0x7379D8C8); 78 : before3_change(0x5114132C);
            79 : before3_change(0x4F30AA70); 80 : before3_change(0xDDD0DD85);
            81 : before3_change(0xC3F464D9); 82 : before3_change(0xE199AF3D);
            83 : before3_change(0xFFBD1661); 84 : before3_change(0xA54238F5);
            85 : before3_change(0xBB6681A9); 86 : before3_change(0x990B4A4D);
            87 : before3_change(0x872FF311); 88 : before3_change(0x2CF51765);
            89 : before3_change(0x32D1AE39); 90 : before3_change(0x10BC65DD);
            91 : before3_change(0xE98DC81); 92 : before3_change(0x5467F215);
            93 : before3_change(0x4A434B49); 94 : before3_change(0x682E80AD);
            95 : before3_change(0x760A39F1); 96 : before3_change(0x969F6906);
            97 : before3_change(0x88BBD05A); 98 : before3_change(0xAAD61BBE);
            99 : before3_change(0xB4F2A2E2); 100 : before3_change(0xEE0D8C76);
            101 : before3_change(0xF029352A); 102 : before3_change(0xD244FECE);
            103 : before3_change(0xCC604792); 104 : before3_change(0x67BAA3E6);
            105 : before3_change(0x799E1ABA); 106 : before3_change(0x5BF3D15E);
            107 : before3_change(0x45D76802); 108 : before3_change(0x1F284696);
            109 : before3_change(0x10CFFCA); 110 : before3_change(0x2361342E);
            111 : before3_change(0x3D458D72); 112 : before3_change(0xAFA5FA87);
            113 : before3_change(0xB18143DB); 114 : before3_change(0x93EC883F);
            115 : before3_change(0x8DC83163); 116 : before3_change(0xD7371FF7);
            117 : before3_change(0xC913A6AB); 118 : before3_change(0xEB7E6D4F);
            119 : before3_change(0xF55AD413); 120 : before3_change(0x5E803067);
            121 : before3_change(0x40A4893B); 122 : before3_change(0x62C942DF);
            123 : before3_change(0x7CEDFB83); 124 : before3_change(0x2612D517);
            125 : before3_change(0x38366C4B); 126 : before3_change(0x1A5BA7AF);
            127 : before3_change(0x47F1EF3); 128 : before3_change(0x12A59A49);
            129 : before3_change(0xC812315); 130 : before3_change(0x2EECE8F1);
            131 : before3_change(0x30C851AD); 132 : before3_change(0x6A377F39);
            133 : before3_change(0x7413C665); 134 : before3_change(0x567E0D81);
            135 : before3_change(0x485AB4DD); 136 : before3_change(0xE38050A9);
            137 : before3_change(0xFDA4E9F5); 138 : before3_change(0xDFC92211);
            139 : before3_change(0xC1ED9B4D); 140 : before3_change(0x9B12B5D9);
            141 : before3_change(0x85360C85); 142 : before3_change(0xA75BC761);
            143 : before3_change(0xB97F7E3D); 144 : before3_change(0x2B9F09C8);
            145 : before3_change(0x35BBB094); 146 : before3_change(0x17D67B70);
            147 : before3_change(0x9F2C22C); 148 : before3_change(0x530DECB8);
            149 : before3_change(0x4D2955E4); 150 : before3_change(0x6F449E00);
            151 : before3_change(0x7160275C); 152 : before3_change(0xDABAC328);
            153 : before3_change(0xC49E7A74); 154 : before3_change(0xE6F3B190);
            155 : before3_change(0xF8D708CC); 156 : before3_change(0xA2282658);
            157 : before3_change(0xBC0C9F04); 158 : before3_change(0x9E6154E0);
            159 : before3_change(0x8045EDBC); 160 : before3_change(0x60D0BD4B);
            161 : before3_change(0x7EF40417); 162 : before3_change(0x5C99CFF3);
            163 : before3_change(0x42BD76AF); 164 : before3_change(0x1842583B);
            165 : before3_change(0x666E167); 166 : before3_change(0x240B2A83);
            167 : before3_change(0x3A2F93DF); 168 : before3_change(0x91F577AB);
            169 : before3_change(0x8FD1CEF7); 170 : before3_change(0xADBC0513);
            171 : before3_change(0xB398BC4F); 172 : before3_change(0xE96792DB);
            173 : before3_change(0xF7432B87); 174 : before3_change(0xD52EE063);
            175 : before3_change(0xCB0A593F); 176 : before3_change(0x59EA2ECA);
            177 : before3_change(0x47CE9796); 178 : before3_change(0x65A35C72);
            179 : before3_change(0x7B87E52E); 180 : before3_change(0x2178CBBA);
            181 : before3_change(0x3F5C72E6); 182 : before3_change(0x1D31B902);
            183 : before3_change(0x315005E); 184 : before3_change(0xA8CFE42A);
            185 : before3_change(0xB6EB5D76); 186 : before3_change(0x94869692);
            187 : before3_change(0x8AA22FCE); 188 : before3_change(0xD05D015A);
            189 : before3_change(0xCE79B806); 190 : before3_change(0xEC1473E2);
            191 : before3_change(0xF230CABE); 192 : before3_change(0xF64FD44D);
            193 : before3_change(0xE86B6D11); 194 : before3_change(0xCA06A6F5);
            195 : before3_change(0xD4221FA9); 196 : before3_change(0x8EDD313D);
            197 : before3_change(0x90F98861); 198 : before3_change(0xB2944385);
            199 : before3_change(0xACB0FAD9); 200 : before3_change(0x76A1EAD);
            201 : before3_change(0x194EA7F1); 202 : before3_change(0x3B236C15);
            203 : before3_change(0x2507D549); 204 : before3_change(0x7FF8FBDD);
            205 : before3_change(0x61DC4281); 206 : before3_change(0x43B18965);
            207 : before3_change(0x5D953039); 208 : before3_change(0xCF7547CC);
            209 : before3_change(0xD151FE90); 210 : before3_change(0xF33C3574);
            211 : before3_change(0xED188C28); 212 : before3_change(0xB7E7A2BC);
            213 : before3_change(0xA9C31BE0); 214 : before3_change(0x8BAED004);
            215 : before3_change(0x958A6958); 216 : before3_change(0x3E508D2C);
            217 : before3_change(0x20743470); 218 : before3_change(0x219FF94);
            219 : before3_change(0x1C3D46C8); 220 : before3_change(0x46C2685C);
            221 : before3_change(0x58E6D100); 222 : before3_change(0x7A8B1AE4);
            223 : before3_change(0x64AFA3B8); 224 : before3_change(0x843AF34F);
            225 : before3_change(0x9A1E4A13); 226 : before3_change(0xB87381F7);
            227 : before3_change(0xA65738AB); 228 : before3_change(0xFCA8163F);
            229 : before3_change(0xE28CAF63); 230 : before3_change(0xC0E16487);
            231 : before3_change(0xDEC5DDDB); 232 : before3_change(0x751F39AF);
            233 : before3_change(0x6B3B80F3); 234 : before3_change(0x49564B17);
            235 : before3_change(0x5772F24B); 236 : before3_change(0xD8DDCDF);
            237 : before3_change(0x13A96583); 238 : before3_change(0x31C4AE67);
            239 : before3_change(0x2FE0173B); 240 : before3_change(0xBD0060CE);
            241 : before3_change(0xA324D992); 242 : before3_change(0x81491276);
            243 : before3_change(0x9F6DAB2A); 244 : before3_change(0xC59285BE);
            245 : before3_change(0xDBB63CE2); 246 : before3_change(0xF9DBF706);
            247 : before3_change(0xE7FF4E5A); 248 : before3_change(0x4C25AA2E);
            249 : before3_change(0x52011372); 250 : before3_change(0x706CD896);
            251 : before3_change(0x6E4861CA); 252 : before3_change(0x34B74F5E);
            253 : before3_change(0x2A93F602); 254 : before3_change(0x8FE3DE6);
            255 : before3_change(0x16DA84BA);
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
            (38, 0) : choose0_choose(0xAD07, 0x7971); (38, 1) : choose0_choose(0x3807, 0x3EF9);
            (38, 2) : choose0_choose(0x5B03, 0x2429); (38, 3) : choose0_choose(0xCE03, 0x63A1);
            (38, 4) : choose0_choose(0x410E, 0xC3C1); (38, 5) : choose0_choose(0xD40E, 0x8449);
            (38, 6) : choose0_choose(0xB70A, 0x9E99); (38, 7) : choose0_choose(0x220A, 0xD911);
            (38, 8) : choose0_choose(0xA911, 0xDE58); (38, 9) : choose0_choose(0x3C11, 0x99D0);
            (38, 10) : choose0_choose(0x5F15, 0x8300); (38, 11) : choose0_choose(0xCA15, 0xC488);
            (38, 12) : choose0_choose(0x4518, 0x64E8); (38, 13) : choose0_choose(0xD018, 0x2360);
            (38, 14) : choose0_choose(0xB31C, 0x39B0); (38, 15) : choose0_choose(0x261C, 0x7E38);
            (38, 16) : choose0_choose(0xA52B, 0x3722); (38, 17) : choose0_choose(0x302B, 0x70AA);
            (38, 18) : choose0_choose(0x532F, 0x6A7A); (38, 19) : choose0_choose(0xC62F, 0x2DF2);
            (38, 20) : choose0_choose(0x4922, 0x8D92); (38, 21) : choose0_choose(0xDC22, 0xCA1A);
            (38, 22) : choose0_choose(0xBF26, 0xD0CA); (38, 23) : choose0_choose(0x2A26, 0x9742);
            (38, 24) : choose0_choose(0xA13D, 0x900B); (38, 25) : choose0_choose(0x343D, 0xD783);
            (38, 26) : choose0_choose(0x5739, 0xCD53); (38, 27) : choose0_choose(0xC239, 0x8ADB);
            (38, 28) : choose0_choose(0x4D34, 0x2ABB); (38, 29) : choose0_choose(0xD834, 0x6D33);
            (38, 30) : choose0_choose(0xBB30, 0x77E3); (38, 31) : choose0_choose(0x2E30, 0x306B);
            (38, 32) : choose0_choose(0xBD5F, 0xE5D7); (38, 33) : choose0_choose(0x285F, 0xA25F);
            (38, 34) : choose0_choose(0x4B5B, 0xB88F); (38, 35) : choose0_choose(0xDE5B, 0xFF07);
            (38, 36) : choose0_choose(0x5156, 0x5F67); (38, 37) : choose0_choose(0xC456, 0x18EF);
            (38, 38) : choose0_choose(0xA752, 575); (38, 39) : choose0_choose(0x3252, 0x45B7);
            (38, 40) : choose0_choose(0xB949, 0x42FE); (38, 41) : choose0_choose(0x2C49, 0x576);
            (38, 42) : choose0_choose(0x4F4D, 0x1FA6); (38, 43) : choose0_choose(0xDA4D, 0x582E);
            (38, 44) : choose0_choose(0x5540, 0xF84E); (38, 45) : choose0_choose(0xC040, 0xBFC6);
            (38, 46) : choose0_choose(0xA344, 0xA516); (38, 47) : choose0_choose(0x3644, 0xE29E);
            (38, 48) : choose0_choose(0xB573, 0xAB84); (38, 49) : choose0_choose(0x2073, 0xEC0C);
            (38, 50) : choose0_choose(0x4377, 0xF6DC); (38, 51) : choose0_choose(0xD677, 0xB154);
            (38, 52) : choose0_choose(0x597A, 0x1134); (38, 53) : choose0_choose(0xCC7A, 0x56BC);
            (38, 54) : choose0_choose(0xAF7E, 0x4C6C); (38, 55) : choose0_choose(0x3A7E, 0xBE4);
            (38, 56) : choose0_choose(0xB165, 0xCAD); (38, 57) : choose0_choose(0x2465, 0x4B25);
            (38, 58) : choose0_choose(0x4761, 0x51F5); (38, 59) : choose0_choose(0xD261, 0x167D);
            (38, 60) : choose0_choose(0x5D6C, 0xB61D); (38, 61) : choose0_choose(0xC86C, 0xF195);
            (38, 62) : choose0_choose(0xAB68, 0xEB45); (38, 63) : choose0_choose(0x3E68, 0xACCD);
            (38, 64) : choose0_choose(0x51B2, 0x9274); (38, 65) : choose0_choose(0xC4B2, 0xD5FC);
            (38, 66) : choose0_choose(0xA7B6, 0xCF2C); (38, 67) : choose0_choose(0x32B6, 0x88A4);
            (38, 68) : choose0_choose(0xBDBB, 0x28C4); (38, 69) : choose0_choose(0x28BB, 0x6F4C);
            (38, 70) : choose0_choose(0x4BBF, 0x759C); (38, 71) : choose0_choose(0xDEBF, 0x3214);
            (38, 72) : choose0_choose(0x55A4, 0x355D); (38, 73) : choose0_choose(0xC0A4, 0x72D5);
            (38, 74) : choose0_choose(0xA3A0, 0x6805); (38, 75) : choose0_choose(0x36A0, 0x2F8D);
            (38, 76) : choose0_choose(0xB9AD, 0x8FED); (38, 77) : choose0_choose(0x2CAD, 0xC865);
            (38, 78) : choose0_choose(0x4FA9, 0xD2B5); (38, 79) : choose0_choose(0xDAA9, 0x953D);
            (38, 80) : choose0_choose(0x599E, 0xDC27); (38, 81) : choose0_choose(0xCC9E, 0x9BAF);
            (38, 82) : choose0_choose(0xAF9A, 0x817F); (38, 83) : choose0_choose(0x3A9A, 0xC6F7);
            (38, 84) : choose0_choose(0xB597, 0x6697); (38, 85) : choose0_choose(0x2097, 0x211F);
            (38, 86) : choose0_choose(0x4393, 0x3BCF); (38, 87) : choose0_choose(0xD693, 0x7C47);
            (38, 88) : choose0_choose(0x5D88, 0x7B0E); (38, 89) : choose0_choose(0xC888, 0x3C86);
            (38, 90) : choose0_choose(0xAB8C, 0x2656); (38, 91) : choose0_choose(0x3E8C, 0x61DE);
            (38, 92) : choose0_choose(0xB181, 0xC1BE); (38, 93) : choose0_choose(0x2481, 0x8636);
            (38, 94) : choose0_choose(0x4785, 0x9CE6); (38, 95) : choose0_choose(0xD285, 0xDB6E);
            (38, 96) : choose0_choose(0x41EA, 0xED2); (38, 97) : choose0_choose(0xD4EA, 0x495A);
            (38, 98) : choose0_choose(0xB7EE, 0x538A); (38, 99) : choose0_choose(0x22EE, 0x1402);
            (38, 100) : choose0_choose(0xADE3, 0xB462); (38, 101) : choose0_choose(0x38E3, 0xF3EA);
            (38, 102) : choose0_choose(0x5BE7, 0xE93A); (38, 103) : choose0_choose(0xCEE7, 0xAEB2);
            (38, 104) : choose0_choose(0x45FC, 0xA9FB); (38, 105) : choose0_choose(0xD0FC, 0xEE73);
            (38, 106) : choose0_choose(0xB3F8, 0xF4A3); (38, 107) : choose0_choose(0x26F8, 0xB32B);
            (38, 108) : choose0_choose(0xA9F5, 0x134B); (38, 109) : choose0_choose(0x3CF5, 0x54C3);
            (38, 110) : choose0_choose(0x5FF1, 0x4E13); (38, 111) : choose0_choose(0xCAF1, 0x99B);
            (38, 112) : choose0_choose(0x49C6, 0x4081); (38, 113) : choose0_choose(0xDCC6, 0x709);
            (38, 114) : choose0_choose(0xBFC2, 0x1DD9); (38, 115) : choose0_choose(0x2AC2, 0x5A51);
            (38, 116) : choose0_choose(0xA5CF, 0xFA31); (38, 117) : choose0_choose(0x30CF, 0xBDB9);
            (38, 118) : choose0_choose(0x53CB, 0xA769); (38, 119) : choose0_choose(0xC6CB, 0xE0E1);
            (38, 120) : choose0_choose(0x4DD0, 0xE7A8); (38, 121) : choose0_choose(0xD8D0, 0xA020);
            (38, 122) : choose0_choose(0xBBD4, 0xBAF0); (38, 123) : choose0_choose(0x2ED4, 0xFD78);
            (38, 124) : choose0_choose(0xA1D9, 0x5D18); (38, 125) : choose0_choose(0x34D9, 0x1A90);
            (38, 126) : choose0_choose(0x57DD, 64); (38, 127) : choose0_choose(0xC2DD, 0x47C8);
            (38, 128) : choose0_choose(0x82D5, 0x3900); (38, 129) : choose0_choose(0x17D5, 0x7E88);
            (38, 130) : choose0_choose(0x74D1, 0x6458); (38, 131) : choose0_choose(0xE1D1, 0x23D0);
            (38, 132) : choose0_choose(0x6EDC, 0x83B0); (38, 133) : choose0_choose(0xFBDC, 0xC438);
            (38, 134) : choose0_choose(0x98D8, 0xDEE8); (38, 135) : choose0_choose(0xDD8, 0x9960);
            (38, 136) : choose0_choose(0x86C3, 0x9E29); (38, 137) : choose0_choose(0x13C3, 0xD9A1);
            (38, 138) : choose0_choose(0x70C7, 0xC371); (38, 139) : choose0_choose(0xE5C7, 0x84F9);
            (38, 140) : choose0_choose(0x6ACA, 0x2499); (38, 141) : choose0_choose(0xFFCA, 0x6311);
            (38, 142) : choose0_choose(0x9CCE, 0x79C1); (38, 143) : choose0_choose(0x9CE, 0x3E49);
            (38, 144) : choose0_choose(0x8AF9, 0x7753); (38, 145) : choose0_choose(0x1FF9, 0x30DB);
            (38, 146) : choose0_choose(0x7CFD, 0x2A0B); (38, 147) : choose0_choose(0xE9FD, 0x6D83);
            (38, 148) : choose0_choose(0x66F0, 0xCDE3); (38, 149) : choose0_choose(0xF3F0, 0x8A6B);
            (38, 150) : choose0_choose(0x90F4, 0x90BB); (38, 151) : choose0_choose(0x5F4, 0xD733);
            (38, 152) : choose0_choose(0x8EEF, 0xD07A); (38, 153) : choose0_choose(0x1BEF, 0x97F2);
            (38, 154) : choose0_choose(0x78EB, 0x8D22); (38, 155) : choose0_choose(0xEDEB, 0xCAAA);
            (38, 156) : choose0_choose(0x62E6, 0x6ACA); (38, 157) : choose0_choose(0xF7E6, 0x2D42);
            (38, 158) : choose0_choose(0x94E2, 0x3792); (38, 159) : choose0_choose(482, 0x701A);
            (38, 160) : choose0_choose(0x928D, 0xA5A6); (38, 161) : choose0_choose(0x78D, 0xE22E);
            (38, 162) : choose0_choose(0x6489, 0xF8FE); (38, 163) : choose0_choose(0xF189, 0xBF76);
            (38, 164) : choose0_choose(0x7E84, 0x1F16); (38, 165) : choose0_choose(0xEB84, 0x589E);
            (38, 166) : choose0_choose(0x8880, 0x424E); (38, 167) : choose0_choose(0x1D80, 0x5C6);
            (38, 168) : choose0_choose(0x969B, 655); (38, 169) : choose0_choose(923, 0x4507);
            (38, 170) : choose0_choose(0x609F, 0x5FD7); (38, 171) : choose0_choose(0xF59F, 0x185F);
            (38, 172) : choose0_choose(0x7A92, 0xB83F); (38, 173) : choose0_choose(0xEF92, 0xFFB7);
            (38, 174) : choose0_choose(0x8C96, 0xE567); (38, 175) : choose0_choose(0x1996, 0xA2EF);
            (38, 176) : choose0_choose(0x9AA1, 0xEBF5); (38, 177) : choose0_choose(0xFA1, 0xAC7D);
            (38, 178) : choose0_choose(0x6CA5, 0xB6AD); (38, 179) : choose0_choose(0xF9A5, 0xF125);
            (38, 180) : choose0_choose(0x76A8, 0x5145); (38, 181) : choose0_choose(0xE3A8, 0x16CD);
            (38, 182) : choose0_choose(0x80AC, 0xC1D); (38, 183) : choose0_choose(0x15AC, 0x4B95);
            (38, 184) : choose0_choose(0x9EB7, 0x4CDC); (38, 185) : choose0_choose(0xBB7, 0xB54);
            (38, 186) : choose0_choose(0x68B3, 0x1184); (38, 187) : choose0_choose(0xFDB3, 0x560C);
            (38, 188) : choose0_choose(0x72BE, 0xF66C); (38, 189) : choose0_choose(0xE7BE, 0xB1E4);
            (38, 190) : choose0_choose(0x84BA, 0xAB34); (38, 191) : choose0_choose(0x11BA, 0xECBC);
            (38, 192) : choose0_choose(0x7E60, 0xD205); (38, 193) : choose0_choose(0xEB60, 0x958D);
            (38, 194) : choose0_choose(0x8864, 0x8F5D); (38, 195) : choose0_choose(0x1D64, 0xC8D5);
            (38, 196) : choose0_choose(0x9269, 0x68B5); (38, 197) : choose0_choose(0x769, 0x2F3D);
            (38, 198) : choose0_choose(0x646D, 0x35ED); (38, 199) : choose0_choose(0xF16D, 0x7265);
            (38, 200) : choose0_choose(0x7A76, 0x752C); (38, 201) : choose0_choose(0xEF76, 0x32A4);
            (38, 202) : choose0_choose(0x8C72, 0x2874); (38, 203) : choose0_choose(0x1972, 0x6FFC);
            (38, 204) : choose0_choose(0x967F, 0xCF9C); (38, 205) : choose0_choose(895, 0x8814);
            (38, 206) : choose0_choose(0x607B, 0x92C4); (38, 207) : choose0_choose(0xF57B, 0xD54C);
            (38, 208) : choose0_choose(0x764C, 0x9C56); (38, 209) : choose0_choose(0xE34C, 0xDBDE);
            (38, 210) : choose0_choose(0x8048, 0xC10E); (38, 211) : choose0_choose(0x1548, 0x8686);
            (38, 212) : choose0_choose(0x9A45, 0x26E6); (38, 213) : choose0_choose(0xF45, 0x616E);
            (38, 214) : choose0_choose(0x6C41, 0x7BBE); (38, 215) : choose0_choose(0xF941, 0x3C36);
            (38, 216) : choose0_choose(0x725A, 0x3B7F); (38, 217) : choose0_choose(0xE75A, 0x7CF7);
            (38, 218) : choose0_choose(0x845E, 0x6627); (38, 219) : choose0_choose(0x115E, 0x21AF);
            (38, 220) : choose0_choose(0x9E53, 0x81CF); (38, 221) : choose0_choose(0xB53, 0xC647);
            (38, 222) : choose0_choose(0x6857, 0xDC97); (38, 223) : choose0_choose(0xFD57, 0x9B1F);
            (38, 224) : choose0_choose(0x6E38, 0x4EA3); (38, 225) : choose0_choose(0xFB38, 0x92B);
            (38, 226) : choose0_choose(0x983C, 0x13FB); (38, 227) : choose0_choose(0xD3C, 0x5473);
            (38, 228) : choose0_choose(0x8231, 0xF413); (38, 229) : choose0_choose(0x1731, 0xB39B);
            (38, 230) : choose0_choose(0x7435, 0xA94B); (38, 231) : choose0_choose(0xE135, 0xEEC3);
            (38, 232) : choose0_choose(0x6A2E, 0xE98A); (38, 233) : choose0_choose(0xFF2E, 0xAE02);
            (38, 234) : choose0_choose(0x9C2A, 0xB4D2); (38, 235) : choose0_choose(0x92A, 0xF35A);
            (38, 236) : choose0_choose(0x8627, 0x533A); (38, 237) : choose0_choose(0x1327, 0x14B2);
            (38, 238) : choose0_choose(0x7023, 0xE62); (38, 239) : choose0_choose(0xE523, 0x49EA);
            (38, 240) : choose0_choose(0x6614, 240); (38, 241) : choose0_choose(0xF314, 0x4778);
            (38, 242) : choose0_choose(0x9010, 0x5DA8); (38, 243) : choose0_choose(0x510, 0x1A20);
            (38, 244) : choose0_choose(0x8A1D, 0xBA40); (38, 245) : choose0_choose(0x1F1D, 0xFDC8);
            (38, 246) : choose0_choose(0x7C19, 0xE718); (38, 247) : choose0_choose(0xE919, 0xA090);
            (38, 248) : choose0_choose(0x6202, 0xA7D9); (38, 249) : choose0_choose(0xF702, 0xE051);
            (38, 250) : choose0_choose(0x9406, 0xFA81); (38, 251) : choose0_choose(262, 0xBD09);
            (38, 252) : choose0_choose(0x8E0B, 0x1D69); (38, 253) : choose0_choose(0x1B0B, 0x5AE1);
            (38, 254) : choose0_choose(0x780F, 0x4031); (38, 255) : choose0_choose(0xED0F, 0x7B9);
            (39, 0) : choose0_choose(0x94F0, 18); (39, 1) : choose0_choose(0x1FEA, 0x8202);
            (39, 2) : choose0_choose(0x82C5, 0x433); (39, 3) : choose0_choose(0x9DF, 0x8623);
            (39, 4) : choose0_choose(0xB89A, 0x850); (39, 5) : choose0_choose(0x3380, 0x8A40);
            (39, 6) : choose0_choose(0xAEAF, 0xC71); (39, 7) : choose0_choose(0x25B5, 0x8E61);
            (39, 8) : choose0_choose(0xCC24, 0x1096); (39, 9) : choose0_choose(0x473E, 0x9286);
            (39, 10) : choose0_choose(0xDA11, 0x14B7); (39, 11) : choose0_choose(0x510B, 0x96A7);
            (39, 12) : choose0_choose(0xE04E, 0x18D4); (39, 13) : choose0_choose(0x6B54, 0x9AC4);
            (39, 14) : choose0_choose(0xF67B, 0x1CF5); (39, 15) : choose0_choose(0x7D61, 0x9EE5);
            (39, 16) : choose0_choose(0x2FE4, 0x6528); (39, 17) : choose0_choose(0xA4FE, 0xE738);
            (39, 18) : choose0_choose(0x39D1, 0x6109); (39, 19) : choose0_choose(0xB2CB, 0xE319);
            (39, 20) : choose0_choose(910, 0x6D6A); (39, 21) : choose0_choose(0x8894, 0xEF7A);
            (39, 22) : choose0_choose(0x15BB, 0x694B); (39, 23) : choose0_choose(0x9EA1, 0xEB5B);
            (39, 24) : choose0_choose(0x7730, 0x75AC); (39, 25) : choose0_choose(0xFC2A, 0xF7BC);
            (39, 26) : choose0_choose(0x6105, 0x718D); (39, 27) : choose0_choose(0xEA1F, 0xF39D);
            (39, 28) : choose0_choose(0x5B5A, 0x7DEE); (39, 29) : choose0_choose(0xD040, 0xFFFE);
            (39, 30) : choose0_choose(0x4D6F, 0x79CF); (39, 31) : choose0_choose(0xC675, 0xFBDF);
            (39, 32) : choose0_choose(0xE2D9, 0xCA66); (39, 33) : choose0_choose(0x69C3, 0x4876);
            (39, 34) : choose0_choose(0xF4EC, 0xCE47); (39, 35) : choose0_choose(0x7FF6, 0x4C57);
            (39, 36) : choose0_choose(0xCEB3, 0xC224); (39, 37) : choose0_choose(0x45A9, 0x4034);
            (39, 38) : choose0_choose(0xD886, 0xC605); (39, 39) : choose0_choose(0x539C, 0x4415);
            (39, 40) : choose0_choose(0xBA0D, 0xDAE2); (39, 41) : choose0_choose(0x3117, 0x58F2);
            (39, 42) : choose0_choose(0xAC38, 0xDEC3); (39, 43) : choose0_choose(0x2722, 0x5CD3);
            (39, 44) : choose0_choose(0x9667, 0xD2A0); (39, 45) : choose0_choose(0x1D7D, 0x50B0);
            (39, 46) : choose0_choose(0x8052, 0xD681); (39, 47) : choose0_choose(0xB48, 0x5491);
            (39, 48) : choose0_choose(0x59CD, 0xAF5C); (39, 49) : choose0_choose(0xD2D7, 0x2D4C);
            (39, 50) : choose0_choose(0x4FF8, 0xAB7D); (39, 51) : choose0_choose(0xC4E2, 0x296D);
            (39, 52) : choose0_choose(0x75A7, 0xA71E); (39, 53) : choose0_choose(0xFEBD, 0x250E);
            (39, 54) : choose0_choose(0x6392, 0xA33F); (39, 55) : choose0_choose(0xE888, 0x212F);
            (39, 56) : choose0_choose(281, 0xBFD8); (39, 57) : choose0_choose(0x8A03, 0x3DC8);
            (39, 58) : choose0_choose(0x172C, 0xBBF9); (39, 59) : choose0_choose(0x9C36, 0x39E9);
            (39, 60) : choose0_choose(0x2D73, 0xB79A); (39, 61) : choose0_choose(0xA669, 0x358A);
            (39, 62) : choose0_choose(0x3B46, 0xB3BB); (39, 63) : choose0_choose(0xB05C, 0x31AB);
            (39, 64) : choose0_choose(0x78A2, 0x94FB); (39, 65) : choose0_choose(0xF3B8, 0x16EB);
            (39, 66) : choose0_choose(0x6E97, 0x90DA); (39, 67) : choose0_choose(0xE58D, 0x12CA);
            (39, 68) : choose0_choose(0x54C8, 0x9CB9); (39, 69) : choose0_choose(0xDFD2, 0x1EA9);
            (39, 70) : choose0_choose(0x42FD, 0x9898); (39, 71) : choose0_choose(0xC9E7, 0x1A88);
            (39, 72) : choose0_choose(0x2076, 0x847F); (39, 73) : choose0_choose(0xAB6C, 0x66F);
            (39, 74) : choose0_choose(0x3643, 0x805E); (39, 75) : choose0_choose(0xBD59, 590);
            (39, 76) : choose0_choose(0xC1C, 0x8C3D); (39, 77) : choose0_choose(0x8706, 0xE2D);
            (39, 78) : choose0_choose(0x1A29, 0x881C); (39, 79) : choose0_choose(0x9133, 0xA0C);
            (39, 80) : choose0_choose(0xC3B6, 0xF1C1); (39, 81) : choose0_choose(0x48AC, 0x73D1);
            (39, 82) : choose0_choose(0xD583, 0xF5E0); (39, 83) : choose0_choose(0x5E99, 0x77F0);
            (39, 84) : choose0_choose(0xEFDC, 0xF983); (39, 85) : choose0_choose(0x64C6, 0x7B93);
            (39, 86) : choose0_choose(0xF9E9, 0xFDA2); (39, 87) : choose0_choose(0x72F3, 0x7FB2);
            (39, 88) : choose0_choose(0x9B62, 0xE145); (39, 89) : choose0_choose(0x1078, 0x6355);
            (39, 90) : choose0_choose(0x8D57, 0xE564); (39, 91) : choose0_choose(0x64D, 0x6774);
            (39, 92) : choose0_choose(0xB708, 0xE907); (39, 93) : choose0_choose(0x3C12, 0x6B17);
            (39, 94) : choose0_choose(0xA13D, 0xED26); (39, 95) : choose0_choose(0x2A27, 0x6F36);
            (39, 96) : choose0_choose(0xE8B, 0x5E8F); (39, 97) : choose0_choose(0x8591, 0xDC9F);
            (39, 98) : choose0_choose(0x18BE, 0x5AAE); (39, 99) : choose0_choose(0x93A4, 0xD8BE);
            (39, 100) : choose0_choose(0x22E1, 0x56CD); (39, 101) : choose0_choose(0xA9FB, 0xD4DD);
            (39, 102) : choose0_choose(0x34D4, 0x52EC); (39, 103) : choose0_choose(0xBFCE, 0xD0FC);
            (39, 104) : choose0_choose(0x565F, 0x4E0B); (39, 105) : choose0_choose(0xDD45, 0xCC1B);
            (39, 106) : choose0_choose(0x406A, 0x4A2A); (39, 107) : choose0_choose(0xCB70, 0xC83A);
            (39, 108) : choose0_choose(0x7A35, 0x4649); (39, 109) : choose0_choose(0xF12F, 0xC459);
            (39, 110) : choose0_choose(0x6C00, 0x4268); (39, 111) : choose0_choose(0xE71A, 0xC078);
            (39, 112) : choose0_choose(0xB59F, 0x3BB5); (39, 113) : choose0_choose(0x3E85, 0xB9A5);
            (39, 114) : choose0_choose(0xA3AA, 0x3F94); (39, 115) : choose0_choose(0x28B0, 0xBD84);
            (39, 116) : choose0_choose(0x99F5, 0x33F7); (39, 117) : choose0_choose(0x12EF, 0xB1E7);
            (39, 118) : choose0_choose(0x8FC0, 0x37D6); (39, 119) : choose0_choose(0x4DA, 0xB5C6);
            (39, 120) : choose0_choose(0xED4B, 0x2B31); (39, 121) : choose0_choose(0x6651, 0xA921);
            (39, 122) : choose0_choose(0xFB7E, 0x2F10); (39, 123) : choose0_choose(0x7064, 0xAD00);
            (39, 124) : choose0_choose(0xC121, 0x2373); (39, 125) : choose0_choose(0x4A3B, 0xA163);
            (39, 126) : choose0_choose(0xD714, 0x2752); (39, 127) : choose0_choose(0x5C0E, 0xA542);
            (39, 128) : choose0_choose(0x9050, 0xFB89); (39, 129) : choose0_choose(0x1B4A, 0x7999);
            (39, 130) : choose0_choose(0x8665, 0xFFA8); (39, 131) : choose0_choose(0xD7F, 0x7DB8);
            (39, 132) : choose0_choose(0xBC3A, 0xF3CB); (39, 133) : choose0_choose(0x3720, 0x71DB);
            (39, 134) : choose0_choose(0xAA0F, 0xF7EA); (39, 135) : choose0_choose(0x2115, 0x75FA);
            (39, 136) : choose0_choose(0xC884, 0xEB0D); (39, 137) : choose0_choose(0x439E, 0x691D);
            (39, 138) : choose0_choose(0xDEB1, 0xEF2C); (39, 139) : choose0_choose(0x55AB, 0x6D3C);
            (39, 140) : choose0_choose(0xE4EE, 0xE34F); (39, 141) : choose0_choose(0x6FF4, 0x615F);
            (39, 142) : choose0_choose(0xF2DB, 0xE76E); (39, 143) : choose0_choose(0x79C1, 0x657E);
            (39, 144) : choose0_choose(0x2B44, 0x9EB3); (39, 145) : choose0_choose(0xA05E, 0x1CA3);
            (39, 146) : choose0_choose(0x3D71, 0x9A92); (39, 147) : choose0_choose(0xB66B, 0x1882);
            (39, 148) : choose0_choose(0x72E, 0x96F1); (39, 149) : choose0_choose(0x8C34, 0x14E1);
            (39, 150) : choose0_choose(0x111B, 0x92D0); (39, 151) : choose0_choose(0x9A01, 0x10C0);
            (39, 152) : choose0_choose(0x7390, 0x8E37); (39, 153) : choose0_choose(0xF88A, 0xC27);
            (39, 154) : choose0_choose(0x65A5, 0x8A16); (39, 155) : choose0_choose(0xEEBF, 0x806);
            (39, 156) : choose0_choose(0x5FFA, 0x8675); (39, 157) : choose0_choose(0xD4E0, 0x465);
            (39, 158) : choose0_choose(0x49CF, 0x8254); (39, 159) : choose0_choose(0xC2D5, 68);
            (39, 160) : choose0_choose(0xE679, 0x31FD); (39, 161) : choose0_choose(0x6D63, 0xB3ED);
            (39, 162) : choose0_choose(0xF04C, 0x35DC); (39, 163) : choose0_choose(0x7B56, 0xB7CC);
            (39, 164) : choose0_choose(0xCA13, 0x39BF); (39, 165) : choose0_choose(0x4109, 0xBBAF);
            (39, 166) : choose0_choose(0xDC26, 0x3D9E); (39, 167) : choose0_choose(0x573C, 0xBF8E);
            (39, 168) : choose0_choose(0xBEAD, 0x2179); (39, 169) : choose0_choose(0x35B7, 0xA369);
            (39, 170) : choose0_choose(0xA898, 0x2558); (39, 171) : choose0_choose(0x2382, 0xA748);
            (39, 172) : choose0_choose(0x92C7, 0x293B); (39, 173) : choose0_choose(0x19DD, 0xAB2B);
            (39, 174) : choose0_choose(0x84F2, 0x2D1A); (39, 175) : choose0_choose(0xFE8, 0xAF0A);
            (39, 176) : choose0_choose(0x5D6D, 0x54C7); (39, 177) : choose0_choose(0xD677, 0xD6D7);
            (39, 178) : choose0_choose(0x4B58, 0x50E6); (39, 179) : choose0_choose(0xC042, 0xD2F6);
            (39, 180) : choose0_choose(0x7107, 0x5C85); (39, 181) : choose0_choose(0xFA1D, 0xDE95);
            (39, 182) : choose0_choose(0x6732, 0x58A4); (39, 183) : choose0_choose(0xEC28, 0xDAB4);
            (39, 184) : choose0_choose(0x5B9, 0x4443); (39, 185) : choose0_choose(0x8EA3, 0xC653);
            (39, 186) : choose0_choose(0x138C, 0x4062); (39, 187) : choose0_choose(0x9896, 0xC272);
            (39, 188) : choose0_choose(0x29D3, 0x4C01); (39, 189) : choose0_choose(0xA2C9, 0xCE11);
            (39, 190) : choose0_choose(0x3FE6, 0x4820); (39, 191) : choose0_choose(0xB4FC, 0xCA30);
            (39, 192) : choose0_choose(0x7C02, 0x6F60); (39, 193) : choose0_choose(0xF718, 0xED70);
            (39, 194) : choose0_choose(0x6A37, 0x6B41); (39, 195) : choose0_choose(0xE12D, 0xE951);
            (39, 196) : choose0_choose(0x5068, 0x6722); (39, 197) : choose0_choose(0xDB72, 0xE532);
            (39, 198) : choose0_choose(0x465D, 0x6303); (39, 199) : choose0_choose(0xCD47, 0xE113);
            (39, 200) : choose0_choose(0x24D6, 0x7FE4); (39, 201) : choose0_choose(0xAFCC, 0xFDF4);
            (39, 202) : choose0_choose(0x32E3, 0x7BC5); (39, 203) : choose0_choose(0xB9F9, 0xF9D5);
            (39, 204) : choose0_choose(0x8BC, 0x77A6); (39, 205) : choose0_choose(0x83A6, 0xF5B6);
            (39, 206) : choose0_choose(0x1E89, 0x7387); (39, 207) : choose0_choose(0x9593, 0xF197);
            (39, 208) : choose0_choose(0xC716, 0xA5A); (39, 209) : choose0_choose(0x4C0C, 0x884A);
            (39, 210) : choose0_choose(0xD123, 0xE7B); (39, 211) : choose0_choose(0x5A39, 0x8C6B);
            (39, 212) : choose0_choose(0xEB7C, 536); (39, 213) : choose0_choose(0x6066, 0x8008);
            (39, 214) : choose0_choose(0xFD49, 0x639); (39, 215) : choose0_choose(0x7653, 0x8429);
            (39, 216) : choose0_choose(0x9FC2, 0x1ADE); (39, 217) : choose0_choose(0x14D8, 0x98CE);
            (39, 218) : choose0_choose(0x89F7, 0x1EFF); (39, 219) : choose0_choose(749, 0x9CEF);
            (39, 220) : choose0_choose(0xB3A8, 0x129C); (39, 221) : choose0_choose(0x38B2, 0x908C);
            (39, 222) : choose0_choose(0xA59D, 0x16BD); (39, 223) : choose0_choose(0x2E87, 0x94AD);
            (39, 224) : choose0_choose(0xA2B, 0xA514); (39, 225) : choose0_choose(0x8131, 0x2704);
            (39, 226) : choose0_choose(0x1C1E, 0xA135); (39, 227) : choose0_choose(0x9704, 0x2325);
            (39, 228) : choose0_choose(0x2641, 0xAD56); (39, 229) : choose0_choose(0xAD5B, 0x2F46);
            (39, 230) : choose0_choose(0x3074, 0xA977); (39, 231) : choose0_choose(0xBB6E, 0x2B67);
            (39, 232) : choose0_choose(0x52FF, 0xB590); (39, 233) : choose0_choose(0xD9E5, 0x3780);
            (39, 234) : choose0_choose(0x44CA, 0xB1B1); (39, 235) : choose0_choose(0xCFD0, 0x33A1);
            (39, 236) : choose0_choose(0x7E95, 0xBDD2); (39, 237) : choose0_choose(0xF58F, 0x3FC2);
            (39, 238) : choose0_choose(0x68A0, 0xB9F3); (39, 239) : choose0_choose(0xE3BA, 0x3BE3);
            (39, 240) : choose0_choose(0xB13F, 0xC02E); (39, 241) : choose0_choose(0x3A25, 0x423E);
            (39, 242) : choose0_choose(0xA70A, 0xC40F); (39, 243) : choose0_choose(0x2C10, 0x461F);
            (39, 244) : choose0_choose(0x9D55, 0xC86C); (39, 245) : choose0_choose(0x164F, 0x4A7C);
            (39, 246) : choose0_choose(0x8B60, 0xCC4D); (39, 247) : choose0_choose(122, 0x4E5D);
            (39, 248) : choose0_choose(0xE9EB, 0xD0AA); (39, 249) : choose0_choose(0x62F1, 0x52BA);
            (39, 250) : choose0_choose(0xFFDE, 0xD48B); (39, 251) : choose0_choose(0x74C4, 0x569B);
            (39, 252) : choose0_choose(0xC581, 0xD8E8); (39, 253) : choose0_choose(0x4E9B, 0x5AF8);
            (39, 254) : choose0_choose(0xD3B4, 0xDCC9); (39, 255) : choose0_choose(0x58AE, 0x5ED9);
            (41, 0) : choose0_choose(0x2D56, 0x95B5); (41, 1) : choose0_choose(0xCDE4, 0x81E9);
            (41, 2) : choose0_choose(0x3A8A, 0x2B77); (41, 3) : choose0_choose(0xDA38, 0x3F2B);
            (41, 4) : choose0_choose(0x852, 0xAC02); (41, 5) : choose0_choose(0xE8E0, 0xB85E);
            (41, 6) : choose0_choose(0x1F8E, 0x12C0); (41, 7) : choose0_choose(0xFF3C, 0x69C);
            (41, 8) : choose0_choose(0xBB5B, 0x3493); (41, 9) : choose0_choose(0x5BE9, 0x20CF);
            (41, 10) : choose0_choose(0xAC87, 0x8A51); (41, 11) : choose0_choose(0x4C35, 0x9E0D);
            (41, 12) : choose0_choose(0x9E5F, 0xD24); (41, 13) : choose0_choose(0x7EED, 0x1978);
            (41, 14) : choose0_choose(0x8983, 0xB3E6); (41, 15) : choose0_choose(0x6931, 0xA7BA);
            (41, 16) : choose0_choose(333, 0xD7F8); (41, 17) : choose0_choose(0xE1FF, 0xC3A4);
            (41, 18) : choose0_choose(0x1691, 0x693A); (41, 19) : choose0_choose(0xF623, 0x7D66);
            (41, 20) : choose0_choose(0x2449, 0xEE4F); (41, 21) : choose0_choose(0xC4FB, 0xFA13);
            (41, 22) : choose0_choose(0x3395, 0x508D); (41, 23) : choose0_choose(0xD327, 0x44D1);
            (41, 24) : choose0_choose(0x9740, 0x76DE); (41, 25) : choose0_choose(0x77F2, 0x6282);
            (41, 26) : choose0_choose(0x809C, 0xC81C); (41, 27) : choose0_choose(0x602E, 0xDC40);
            (41, 28) : choose0_choose(0xB244, 0x4F69); (41, 29) : choose0_choose(0x52F6, 0x5B35);
            (41, 30) : choose0_choose(0xA598, 0xF1AB); (41, 31) : choose0_choose(0x452A, 0xE5F7);
            (41, 32) : choose0_choose(0x7560, 0x112F); (41, 33) : choose0_choose(0x95D2, 0x573);
            (41, 34) : choose0_choose(0x62BC, 0xAFED); (41, 35) : choose0_choose(0x820E, 0xBBB1);
            (41, 36) : choose0_choose(0x5064, 0x2898); (41, 37) : choose0_choose(0xB0D6, 0x3CC4);
            (41, 38) : choose0_choose(0x47B8, 0x965A); (41, 39) : choose0_choose(0xA70A, 0x8206);
            (41, 40) : choose0_choose(0xE36D, 0xB009); (41, 41) : choose0_choose(991, 0xA455);
            (41, 42) : choose0_choose(0xF4B1, 0xECB); (41, 43) : choose0_choose(0x1403, 0x1A97);
            (41, 44) : choose0_choose(0xC669, 0x89BE); (41, 45) : choose0_choose(0x26DB, 0x9DE2);
            (41, 46) : choose0_choose(0xD1B5, 0x377C); (41, 47) : choose0_choose(0x3107, 0x2320);
            (41, 48) : choose0_choose(0x597B, 0x5362); (41, 49) : choose0_choose(0xB9C9, 0x473E);
            (41, 50) : choose0_choose(0x4EA7, 0xEDA0); (41, 51) : choose0_choose(0xAE15, 0xF9FC);
            (41, 52) : choose0_choose(0x7C7F, 0x6AD5); (41, 53) : choose0_choose(0x9CCD, 0x7E89);
            (41, 54) : choose0_choose(0x6BA3, 0xD417); (41, 55) : choose0_choose(0x8B11, 0xC04B);
            (41, 56) : choose0_choose(0xCF76, 0xF244); (41, 57) : choose0_choose(0x2FC4, 0xE618);
            (41, 58) : choose0_choose(0xD8AA, 0x4C86); (41, 59) : choose0_choose(0x3818, 0x58DA);
            (41, 60) : choose0_choose(0xEA72, 0xCBF3); (41, 61) : choose0_choose(0xAC0, 0xDFAF);
            (41, 62) : choose0_choose(0xFDAE, 0x7531); (41, 63) : choose0_choose(0x1D1C, 0x616D);
            (41, 64) : choose0_choose(0x413F, 0x4EC8); (41, 65) : choose0_choose(0xA18D, 0x5A94);
            (41, 66) : choose0_choose(0x56E3, 0xF00A); (41, 67) : choose0_choose(0xB651, 0xE456);
            (41, 68) : choose0_choose(0x643B, 0x777F); (41, 69) : choose0_choose(0x8489, 0x6323);
            (41, 70) : choose0_choose(0x73E7, 0xC9BD); (41, 71) : choose0_choose(0x9355, 0xDDE1);
            (41, 72) : choose0_choose(0xD732, 0xEFEE); (41, 73) : choose0_choose(0x3780, 0xFBB2);
            (41, 74) : choose0_choose(0xC0EE, 0x512C); (41, 75) : choose0_choose(0x205C, 0x4570);
            (41, 76) : choose0_choose(0xF236, 0xD659); (41, 77) : choose0_choose(0x1284, 0xC205);
            (41, 78) : choose0_choose(0xE5EA, 0x689B); (41, 79) : choose0_choose(0x558, 0x7CC7);
            (41, 80) : choose0_choose(0x6D24, 0xC85); (41, 81) : choose0_choose(0x8D96, 0x18D9);
            (41, 82) : choose0_choose(0x7AF8, 0xB247); (41, 83) : choose0_choose(0x9A4A, 0xA61B);
            (41, 84) : choose0_choose(0x4820, 0x3532); (41, 85) : choose0_choose(0xA892, 0x216E);
            (41, 86) : choose0_choose(0x5FFC, 0x8BF0); (41, 87) : choose0_choose(0xBF4E, 0x9FAC);
            (41, 88) : choose0_choose(0xFB29, 0xADA3); (41, 89) : choose0_choose(0x1B9B, 0xB9FF);
            (41, 90) : choose0_choose(0xECF5, 0x1361); (41, 91) : choose0_choose(0xC47, 0x73D);
            (41, 92) : choose0_choose(0xDE2D, 0x9414); (41, 93) : choose0_choose(0x3E9F, 0x8048);
            (41, 94) : choose0_choose(0xC9F1, 0x2AD6); (41, 95) : choose0_choose(0x2943, 0x3E8A);
            (41, 96) : choose0_choose(0x1909, 0xCA52); (41, 97) : choose0_choose(0xF9BB, 0xDE0E);
            (41, 98) : choose0_choose(0xED5, 0x7490); (41, 99) : choose0_choose(0xEE67, 0x60CC);
            (41, 100) : choose0_choose(0x3C0D, 0xF3E5); (41, 101) : choose0_choose(0xDCBF, 0xE7B9);
            (41, 102) : choose0_choose(0x2BD1, 0x4D27); (41, 103) : choose0_choose(0xCB63, 0x597B);
            (41, 104) : choose0_choose(0x8F04, 0x6B74); (41, 105) : choose0_choose(0x6FB6, 0x7F28);
            (41, 106) : choose0_choose(0x98D8, 0xD5B6); (41, 107) : choose0_choose(0x786A, 0xC1EA);
            (41, 108) : choose0_choose(0xAA00, 0x52C3); (41, 109) : choose0_choose(0x4AB2, 0x469F);
            (41, 110) : choose0_choose(0xBDDC, 0xEC01); (41, 111) : choose0_choose(0x5D6E, 0xF85D);
            (41, 112) : choose0_choose(0x3512, 0x881F); (41, 113) : choose0_choose(0xD5A0, 0x9C43);
            (41, 114) : choose0_choose(0x22CE, 0x36DD); (41, 115) : choose0_choose(0xC27C, 0x2281);
            (41, 116) : choose0_choose(0x1016, 0xB1A8); (41, 117) : choose0_choose(0xF0A4, 0xA5F4);
            (41, 118) : choose0_choose(0x7CA, 0xF6A); (41, 119) : choose0_choose(0xE778, 0x1B36);
            (41, 120) : choose0_choose(0xA31F, 0x2939); (41, 121) : choose0_choose(0x43AD, 0x3D65);
            (41, 122) : choose0_choose(0xB4C3, 0x97FB); (41, 123) : choose0_choose(0x5471, 0x83A7);
            (41, 124) : choose0_choose(0x861B, 0x108E); (41, 125) : choose0_choose(0x66A9, 0x4D2);
            (41, 126) : choose0_choose(0x91C7, 0xAE4C); (41, 127) : choose0_choose(0x7175, 0xBA10);
            (41, 128) : choose0_choose(0xF584, 0x234E); (41, 129) : choose0_choose(0x1536, 0x3712);
            (41, 130) : choose0_choose(0xE258, 0x9D8C); (41, 131) : choose0_choose(746, 0x89D0);
            (41, 132) : choose0_choose(0xD080, 0x1AF9); (41, 133) : choose0_choose(0x3032, 0xEA5);
            (41, 134) : choose0_choose(0xC75C, 0xA43B); (41, 135) : choose0_choose(0x27EE, 0xB067);
            (41, 136) : choose0_choose(0x6389, 0x8268); (41, 137) : choose0_choose(0x833B, 0x9634);
            (41, 138) : choose0_choose(0x7455, 0x3CAA); (41, 139) : choose0_choose(0x94E7, 0x28F6);
            (41, 140) : choose0_choose(0x468D, 0xBBDF); (41, 141) : choose0_choose(0xA63F, 0xAF83);
            (41, 142) : choose0_choose(0x5151, 0x51D); (41, 143) : choose0_choose(0xB1E3, 0x1141);
            (41, 144) : choose0_choose(0xD99F, 0x6103); (41, 145) : choose0_choose(0x392D, 0x755F);
            (41, 146) : choose0_choose(0xCE43, 0xDFC1); (41, 147) : choose0_choose(0x2EF1, 0xCB9D);
            (41, 148) : choose0_choose(0xFC9B, 0x58B4); (41, 149) : choose0_choose(0x1C29, 0x4CE8);
            (41, 150) : choose0_choose(0xEB47, 0xE676); (41, 151) : choose0_choose(0xBF5, 0xF22A);
            (41, 152) : choose0_choose(0x4F92, 0xC025); (41, 153) : choose0_choose(0xAF20, 0xD479);
            (41, 154) : choose0_choose(0x584E, 0x7EE7); (41, 155) : choose0_choose(0xB8FC, 0x6ABB);
            (41, 156) : choose0_choose(0x6A96, 0xF992); (41, 157) : choose0_choose(0x8A24, 0xEDCE);
            (41, 158) : choose0_choose(0x7D4A, 0x4750); (41, 159) : choose0_choose(0x9DF8, 0x530C);
            (41, 160) : choose0_choose(0xADB2, 0xA7D4); (41, 161) : choose0_choose(0x4D00, 0xB388);
            (41, 162) : choose0_choose(0xBA6E, 0x1916); (41, 163) : choose0_choose(0x5ADC, 0xD4A);
            (41, 164) : choose0_choose(0x88B6, 0x9E63); (41, 165) : choose0_choose(0x6804, 0x8A3F);
            (41, 166) : choose0_choose(0x9F6A, 0x20A1); (41, 167) : choose0_choose(0x7FD8, 0x34FD);
            (41, 168) : choose0_choose(0x3BBF, 0x6F2); (41, 169) : choose0_choose(0xDB0D, 0x12AE);
            (41, 170) : choose0_choose(0x2C63, 0xB830); (41, 171) : choose0_choose(0xCCD1, 0xAC6C);
            (41, 172) : choose0_choose(0x1EBB, 0x3F45); (41, 173) : choose0_choose(0xFE09, 0x2B19);
            (41, 174) : choose0_choose(0x967, 0x8187); (41, 175) : choose0_choose(0xE9D5, 0x95DB);
            (41, 176) : choose0_choose(0x81A9, 0xE599); (41, 177) : choose0_choose(0x611B, 0xF1C5);
            (41, 178) : choose0_choose(0x9675, 0x5B5B); (41, 179) : choose0_choose(0x76C7, 0x4F07);
            (41, 180) : choose0_choose(0xA4AD, 0xDC2E); (41, 181) : choose0_choose(0x441F, 0xC872);
            (41, 182) : choose0_choose(0xB371, 0x62EC); (41, 183) : choose0_choose(0x53C3, 0x76B0);
            (41, 184) : choose0_choose(0x17A4, 0x44BF); (41, 185) : choose0_choose(0xF716, 0x50E3);
            (41, 186) : choose0_choose(120, 0xFA7D); (41, 187) : choose0_choose(0xE0CA, 0xEE21);
            (41, 188) : choose0_choose(0x32A0, 0x7D08); (41, 189) : choose0_choose(0xD212, 0x6954);
            (41, 190) : choose0_choose(0x257C, 0xC3CA); (41, 191) : choose0_choose(0xC5CE, 0xD796);
            (41, 192) : choose0_choose(0x99ED, 0xF833); (41, 193) : choose0_choose(0x795F, 0xEC6F);
            (41, 194) : choose0_choose(0x8E31, 0x46F1); (41, 195) : choose0_choose(0x6E83, 0x52AD);
            (41, 196) : choose0_choose(0xBCE9, 0xC184); (41, 197) : choose0_choose(0x5C5B, 0xD5D8);
            (41, 198) : choose0_choose(0xAB35, 0x7F46); (41, 199) : choose0_choose(0x4B87, 0x6B1A);
            (41, 200) : choose0_choose(0xFE0, 0x5915); (41, 201) : choose0_choose(0xEF52, 0x4D49);
            (41, 202) : choose0_choose(0x183C, 0xE7D7); (41, 203) : choose0_choose(0xF88E, 0xF38B);
            (41, 204) : choose0_choose(0x2AE4, 0x60A2); (41, 205) : choose0_choose(0xCA56, 0x74FE);
            (41, 206) : choose0_choose(0x3D38, 0xDE60); (41, 207) : choose0_choose(0xDD8A, 0xCA3C);
            (41, 208) : choose0_choose(0xB5F6, 0xBA7E); (41, 209) : choose0_choose(0x5544, 0xAE22);
            (41, 210) : choose0_choose(0xA22A, 0x4BC); (41, 211) : choose0_choose(0x4298, 0x10E0);
            (41, 212) : choose0_choose(0x90F2, 0x83C9); (41, 213) : choose0_choose(0x7040, 0x9795);
            (41, 214) : choose0_choose(0x872E, 0x3D0B); (41, 215) : choose0_choose(0x679C, 0x2957);
            (41, 216) : choose0_choose(0x23FB, 0x1B58); (41, 217) : choose0_choose(0xC349, 0xF04);
            (41, 218) : choose0_choose(0x3427, 0xA59A); (41, 219) : choose0_choose(0xD495, 0xB1C6);
            (41, 220) : choose0_choose(0x6FF, 0x22EF); (41, 221) : choose0_choose(0xE64D, 0x36B3);
            (41, 222) : choose0_choose(0x1123, 0x9C2D); (41, 223) : choose0_choose(0xF191, 0x8871);
            (41, 224) : choose0_choose(0xC1DB, 0x7CA9); (41, 225) : choose0_choose(0x2169, 0x68F5);
            (41, 226) : choose0_choose(0xD607, 0xC26B); (41, 227) : choose0_choose(0x36B5, 0xD637);
            (41, 228) : choose0_choose(0xE4DF, 0x451E); (41, 229) : choose0_choose(0x46D, 0x5142);
            (41, 230) : choose0_choose(0xF303, 0xFBDC); (41, 231) : choose0_choose(0x13B1, 0xEF80);
            (41, 232) : choose0_choose(0x57D6, 0xDD8F); (41, 233) : choose0_choose(0xB764, 0xC9D3);
            (41, 234) : choose0_choose(0x400A, 0x634D); (41, 235) : choose0_choose(0xA0B8, 0x7711);
            (41, 236) : choose0_choose(0x72D2, 0xE438); (41, 237) : choose0_choose(0x9260, 0xF064);
            (41, 238) : choose0_choose(0x650E, 0x5AFA); (41, 239) : choose0_choose(0x85BC, 0x4EA6);
            (41, 240) : choose0_choose(0xEDC0, 0x3EE4); (41, 241) : choose0_choose(0xD72, 0x2AB8);
            (41, 242) : choose0_choose(0xFA1C, 0x8026); (41, 243) : choose0_choose(0x1AAE, 0x947A);
            (41, 244) : choose0_choose(0xC8C4, 0x753); (41, 245) : choose0_choose(0x2876, 0x130F);
            (41, 246) : choose0_choose(0xDF18, 0xB991); (41, 247) : choose0_choose(0x3FAA, 0xADCD);
            (41, 248) : choose0_choose(0x7BCD, 0x9FC2); (41, 249) : choose0_choose(0x9B7F, 0x8B9E);
            (41, 250) : choose0_choose(0x6C11, 0x2100); (41, 251) : choose0_choose(0x8CA3, 0x355C);
            (41, 252) : choose0_choose(0x5EC9, 0xA675); (41, 253) : choose0_choose(0xBE7B, 0xB229);
            (41, 254) : choose0_choose(0x4915, 0x18B7); (41, 255) : choose0_choose(0xA9A7, 0xCEB);
            (43, 0) : choose0_choose(0x1ED7, 0xE1B7); (43, 1) : choose0_choose(0x7CDF, 0x2DAC);
            (43, 2) : choose0_choose(0xDAC7, 0x7980); (43, 3) : choose0_choose(0xB8CF, 0xB59B);
            (43, 4) : choose0_choose(0x96F6, 0xD1D8); (43, 5) : choose0_choose(0xF4FE, 0x1DC3);
            (43, 6) : choose0_choose(0x52E6, 0x49EF); (43, 7) : choose0_choose(0x30EE, 0x85F4);
            (43, 8) : choose0_choose(0xE94, 0x8169); (43, 9) : choose0_choose(0x6C9C, 0x4D72);
            (43, 10) : choose0_choose(0xCA84, 0x195E); (43, 11) : choose0_choose(0xA88C, 0xD545);
            (43, 12) : choose0_choose(0x86B5, 0xB106); (43, 13) : choose0_choose(0xE4BD, 0x7D1D);
            (43, 14) : choose0_choose(0x42A5, 0x2931); (43, 15) : choose0_choose(0x20AD, 0xE52A);
            (43, 16) : choose0_choose(0xE254, 0xF243); (43, 17) : choose0_choose(0x805C, 0x3E58);
            (43, 18) : choose0_choose(0x2644, 0x6A74); (43, 19) : choose0_choose(0x444C, 0xA66F);
            (43, 20) : choose0_choose(0x6A75, 0xC22C); (43, 21) : choose0_choose(0x87D, 0xE37);
            (43, 22) : choose0_choose(0xAE65, 0x5A1B); (43, 23) : choose0_choose(0xCC6D, 0x9600);
            (43, 24) : choose0_choose(0xF217, 0x929D); (43, 25) : choose0_choose(0x901F, 0x5E86);
            (43, 26) : choose0_choose(0x3607, 0xAAA); (43, 27) : choose0_choose(0x540F, 0xC6B1);
            (43, 28) : choose0_choose(0x7A36, 0xA2F2); (43, 29) : choose0_choose(0x183E, 0x6EE9);
            (43, 30) : choose0_choose(0xBE26, 0x3AC5); (43, 31) : choose0_choose(0xDC2E, 0xF6DE);
            (43, 32) : choose0_choose(0xED6C, 0x826D); (43, 33) : choose0_choose(0x8F64, 0x4E76);
            (43, 34) : choose0_choose(0x297C, 0x1A5A); (43, 35) : choose0_choose(0x4B74, 0xD641);
            (43, 36) : choose0_choose(0x654D, 0xB202); (43, 37) : choose0_choose(0x745, 0x7E19);
            (43, 38) : choose0_choose(0xA15D, 0x2A35); (43, 39) : choose0_choose(0xC355, 0xE62E);
            (43, 40) : choose0_choose(0xFD2F, 0xE2B3); (43, 41) : choose0_choose(0x9F27, 0x2EA8);
            (43, 42) : choose0_choose(0x393F, 0x7A84); (43, 43) : choose0_choose(0x5B37, 0xB69F);
            (43, 44) : choose0_choose(0x750E, 0xD2DC); (43, 45) : choose0_choose(0x1706, 0x1EC7);
            (43, 46) : choose0_choose(0xB11E, 0x4AEB); (43, 47) : choose0_choose(0xD316, 0x86F0);
            (43, 48) : choose0_choose(0x11EF, 0x9199); (43, 49) : choose0_choose(0x73E7, 0x5D82);
            (43, 50) : choose0_choose(0xD5FF, 0x9AE); (43, 51) : choose0_choose(0xB7F7, 0xC5B5);
            (43, 52) : choose0_choose(0x99CE, 0xA1F6); (43, 53) : choose0_choose(0xFBC6, 0x6DED);
            (43, 54) : choose0_choose(0x5DDE, 0x39C1); (43, 55) : choose0_choose(0x3FD6, 0xF5DA);
            (43, 56) : choose0_choose(428, 0xF147); (43, 57) : choose0_choose(0x63A4, 0x3D5C);
            (43, 58) : choose0_choose(0xC5BC, 0x6970); (43, 59) : choose0_choose(0xA7B4, 0xA56B);
            (43, 60) : choose0_choose(0x898D, 0xC128); (43, 61) : choose0_choose(0xEB85, 0xD33);
            (43, 62) : choose0_choose(0x4D9D, 0x591F); (43, 63) : choose0_choose(0x2F95, 0x9504);
            (43, 64) : choose0_choose(0xF31C, 0x6231); (43, 65) : choose0_choose(0x9114, 0xAE2A);
            (43, 66) : choose0_choose(0x370C, 0xFA06); (43, 67) : choose0_choose(0x5504, 0x361D);
            (43, 68) : choose0_choose(0x7B3D, 0x525E); (43, 69) : choose0_choose(0x1935, 0x9E45);
            (43, 70) : choose0_choose(0xBF2D, 0xCA69); (43, 71) : choose0_choose(0xDD25, 0x672);
            (43, 72) : choose0_choose(0xE35F, 751); (43, 73) : choose0_choose(0x8157, 0xCEF4);
            (43, 74) : choose0_choose(0x274F, 0x9AD8); (43, 75) : choose0_choose(0x4547, 0x56C3);
            (43, 76) : choose0_choose(0x6B7E, 0x3280); (43, 77) : choose0_choose(0x976, 0xFE9B);
            (43, 78) : choose0_choose(0xAF6E, 0xAAB7); (43, 79) : choose0_choose(0xCD66, 0x66AC);
            (43, 80) : choose0_choose(0xF9F, 0x71C5); (43, 81) : choose0_choose(0x6D97, 0xBDDE);
            (43, 82) : choose0_choose(0xCB8F, 0xE9F2); (43, 83) : choose0_choose(0xA987, 0x25E9);
            (43, 84) : choose0_choose(0x87BE, 0x41AA); (43, 85) : choose0_choose(0xE5B6, 0x8DB1);
            (43, 86) : choose0_choose(0x43AE, 0xD99D); (43, 87) : choose0_choose(0x21A6, 0x1586);
            (43, 88) : choose0_choose(0x1FDC, 0x111B); (43, 89) : choose0_choose(0x7DD4, 0xDD00);
            (43, 90) : choose0_choose(0xDBCC, 0x892C); (43, 91) : choose0_choose(0xB9C4, 0x4537);
            (43, 92) : choose0_choose(0x97FD, 0x2174); (43, 93) : choose0_choose(0xF5F5, 0xED6F);
            (43, 94) : choose0_choose(0x53ED, 0xB943); (43, 95) : choose0_choose(0x31E5, 0x7558);
            (43, 96) : choose0_choose(167, 491); (43, 97) : choose0_choose(0x62AF, 0xCDF0);
            (43, 98) : choose0_choose(0xC4B7, 0x99DC); (43, 99) : choose0_choose(0xA6BF, 0x55C7);
            (43, 100) : choose0_choose(0x8886, 0x3184); (43, 101) : choose0_choose(0xEA8E, 0xFD9F);
            (43, 102) : choose0_choose(0x4C96, 0xA9B3); (43, 103) : choose0_choose(0x2E9E, 0x65A8);
            (43, 104) : choose0_choose(0x10E4, 0x6135); (43, 105) : choose0_choose(0x72EC, 0xAD2E);
            (43, 106) : choose0_choose(0xD4F4, 0xF902); (43, 107) : choose0_choose(0xB6FC, 0x3519);
            (43, 108) : choose0_choose(0x98C5, 0x515A); (43, 109) : choose0_choose(0xFACD, 0x9D41);
            (43, 110) : choose0_choose(0x5CD5, 0xC96D); (43, 111) : choose0_choose(0x3EDD, 0x576);
            (43, 112) : choose0_choose(0xFC24, 0x121F); (43, 113) : choose0_choose(0x9E2C, 0xDE04);
            (43, 114) : choose0_choose(0x3834, 0x8A28); (43, 115) : choose0_choose(0x5A3C, 0x4633);
            (43, 116) : choose0_choose(0x7405, 0x2270); (43, 117) : choose0_choose(0x160D, 0xEE6B);
            (43, 118) : choose0_choose(0xB015, 0xBA47); (43, 119) : choose0_choose(0xD21D, 0x765C);
            (43, 120) : choose0_choose(0xEC67, 0x72C1); (43, 121) : choose0_choose(0x8E6F, 0xBEDA);
            (43, 122) : choose0_choose(0x2877, 0xEAF6); (43, 123) : choose0_choose(0x4A7F, 0x26ED);
            (43, 124) : choose0_choose(0x6446, 0x42AE); (43, 125) : choose0_choose(0x64E, 0x8EB5);
            (43, 126) : choose0_choose(0xA056, 0xDA99); (43, 127) : choose0_choose(0xC25E, 0x1682);
            (43, 128) : choose0_choose(0xCFFC, 0xA288); (43, 129) : choose0_choose(0xADF4, 0x6E93);
            (43, 130) : choose0_choose(0xBEC, 0x3ABF); (43, 131) : choose0_choose(0x69E4, 0xF6A4);
            (43, 132) : choose0_choose(0x47DD, 0x92E7); (43, 133) : choose0_choose(0x25D5, 0x5EFC);
            (43, 134) : choose0_choose(0x83CD, 0xAD0); (43, 135) : choose0_choose(0xE1C5, 0xC6CB);
            (43, 136) : choose0_choose(0xDFBF, 0xC256); (43, 137) : choose0_choose(0xBDB7, 0xE4D);
            (43, 138) : choose0_choose(0x1BAF, 0x5A61); (43, 139) : choose0_choose(0x79A7, 0x967A);
            (43, 140) : choose0_choose(0x579E, 0xF239); (43, 141) : choose0_choose(0x3596, 0x3E22);
            (43, 142) : choose0_choose(0x938E, 0x6A0E); (43, 143) : choose0_choose(0xF186, 0xA615);
            (43, 144) : choose0_choose(0x337F, 0xB17C); (43, 145) : choose0_choose(0x5177, 0x7D67);
            (43, 146) : choose0_choose(0xF76F, 0x294B); (43, 147) : choose0_choose(0x9567, 0xE550);
            (43, 148) : choose0_choose(0xBB5E, 0x8113); (43, 149) : choose0_choose(0xD956, 0x4D08);
            (43, 150) : choose0_choose(0x7F4E, 0x1924); (43, 151) : choose0_choose(0x1D46, 0xD53F);
            (43, 152) : choose0_choose(0x233C, 0xD1A2); (43, 153) : choose0_choose(0x4134, 0x1DB9);
            (43, 154) : choose0_choose(0xE72C, 0x4995); (43, 155) : choose0_choose(0x8524, 0x858E);
            (43, 156) : choose0_choose(0xAB1D, 0xE1CD); (43, 157) : choose0_choose(0xC915, 0x2DD6);
            (43, 158) : choose0_choose(0x6F0D, 0x79FA); (43, 159) : choose0_choose(0xD05, 0xB5E1);
            (43, 160) : choose0_choose(0x3C47, 0xC152); (43, 161) : choose0_choose(0x5E4F, 0xD49);
            (43, 162) : choose0_choose(0xF857, 0x5965); (43, 163) : choose0_choose(0x9A5F, 0x957E);
            (43, 164) : choose0_choose(0xB466, 0xF13D); (43, 165) : choose0_choose(0xD66E, 0x3D26);
            (43, 166) : choose0_choose(0x7076, 0x690A); (43, 167) : choose0_choose(0x127E, 0xA511);
            (43, 168) : choose0_choose(0x2C04, 0xA18C); (43, 169) : choose0_choose(0x4E0C, 0x6D97);
            (43, 170) : choose0_choose(0xE814, 0x39BB); (43, 171) : choose0_choose(0x8A1C, 0xF5A0);
            (43, 172) : choose0_choose(0xA425, 0x91E3); (43, 173) : choose0_choose(0xC62D, 0x5DF8);
            (43, 174) : choose0_choose(0x6035, 0x9D4); (43, 175) : choose0_choose(573, 0xC5CF);
            (43, 176) : choose0_choose(0xC0C4, 0xD2A6); (43, 177) : choose0_choose(0xA2CC, 0x1EBD);
            (43, 178) : choose0_choose(0x4D4, 0x4A91); (43, 179) : choose0_choose(0x66DC, 0x868A);
            (43, 180) : choose0_choose(0x48E5, 0xE2C9); (43, 181) : choose0_choose(0x2AED, 0x2ED2);
            (43, 182) : choose0_choose(0x8CF5, 0x7AFE); (43, 183) : choose0_choose(0xEEFD, 0xB6E5);
            (43, 184) : choose0_choose(0xD087, 0xB278); (43, 185) : choose0_choose(0xB28F, 0x7E63);
            (43, 186) : choose0_choose(0x1497, 0x2A4F); (43, 187) : choose0_choose(0x769F, 0xE654);
            (43, 188) : choose0_choose(0x58A6, 0x8217); (43, 189) : choose0_choose(0x3AAE, 0x4E0C);
            (43, 190) : choose0_choose(0x9CB6, 0x1A20); (43, 191) : choose0_choose(0xFEBE, 0xD63B);
            (43, 192) : choose0_choose(0x2237, 0x210E); (43, 193) : choose0_choose(0x403F, 0xED15);
            (43, 194) : choose0_choose(0xE627, 0xB939); (43, 195) : choose0_choose(0x842F, 0x7522);
            (43, 196) : choose0_choose(0xAA16, 0x1161); (43, 197) : choose0_choose(0xC81E, 0xDD7A);
            (43, 198) : choose0_choose(0x6E06, 0x8956); (43, 199) : choose0_choose(0xC0E, 0x454D);
            (43, 200) : choose0_choose(0x3274, 0x41D0); (43, 201) : choose0_choose(0x507C, 0x8DCB);
            (43, 202) : choose0_choose(0xF664, 0xD9E7); (43, 203) : choose0_choose(0x946C, 0x15FC);
            (43, 204) : choose0_choose(0xBA55, 0x71BF); (43, 205) : choose0_choose(0xD85D, 0xBDA4);
            (43, 206) : choose0_choose(0x7E45, 0xE988); (43, 207) : choose0_choose(0x1C4D, 0x2593);
            (43, 208) : choose0_choose(0xDEB4, 0x32FA); (43, 209) : choose0_choose(0xBCBC, 0xFEE1);
            (43, 210) : choose0_choose(0x1AA4, 0xAACD); (43, 211) : choose0_choose(0x78AC, 0x66D6);
            (43, 212) : choose0_choose(0x5695, 661); (43, 213) : choose0_choose(0x349D, 0xCE8E);
            (43, 214) : choose0_choose(0x9285, 0x9AA2); (43, 215) : choose0_choose(0xF08D, 0x56B9);
            (43, 216) : choose0_choose(0xCEF7, 0x5224); (43, 217) : choose0_choose(0xACFF, 0x9E3F);
            (43, 218) : choose0_choose(0xAE7, 0xCA13); (43, 219) : choose0_choose(0x68EF, 0x608);
            (43, 220) : choose0_choose(0x46D6, 0x624B); (43, 221) : choose0_choose(0x24DE, 0xAE50);
            (43, 222) : choose0_choose(0x82C6, 0xFA7C); (43, 223) : choose0_choose(0xE0CE, 0x3667);
            (43, 224) : choose0_choose(0xD18C, 0x42D4); (43, 225) : choose0_choose(0xB384, 0x8ECF);
            (43, 226) : choose0_choose(0x159C, 0xDAE3); (43, 227) : choose0_choose(0x7794, 0x16F8);
            (43, 228) : choose0_choose(0x59AD, 0x72BB); (43, 229) : choose0_choose(0x3BA5, 0xBEA0);
            (43, 230) : choose0_choose(0x9DBD, 0xEA8C); (43, 231) : choose0_choose(0xFFB5, 0x2697);
            (43, 232) : choose0_choose(0xC1CF, 0x220A); (43, 233) : choose0_choose(0xA3C7, 0xEE11);
            (43, 234) : choose0_choose(0x5DF, 0xBA3D); (43, 235) : choose0_choose(0x67D7, 0x7626);
            (43, 236) : choose0_choose(0x49EE, 0x1265); (43, 237) : choose0_choose(0x2BE6, 0xDE7E);
            (43, 238) : choose0_choose(0x8DFE, 0x8A52); (43, 239) : choose0_choose(0xEFF6, 0x4649);
            (43, 240) : choose0_choose(0x2D0F, 0x5120); (43, 241) : choose0_choose(0x4F07, 0x9D3B);
            (43, 242) : choose0_choose(0xE91F, 0xC917); (43, 243) : choose0_choose(0x8B17, 0x50C);
            (43, 244) : choose0_choose(0xA52E, 0x614F); (43, 245) : choose0_choose(0xC726, 0xAD54);
            (43, 246) : choose0_choose(0x613E, 0xF978); (43, 247) : choose0_choose(822, 0x3563);
            (43, 248) : choose0_choose(0x3D4C, 0x31FE); (43, 249) : choose0_choose(0x5F44, 0xFDE5);
            (43, 250) : choose0_choose(0xF95C, 0xA9C9); (43, 251) : choose0_choose(0x9B54, 0x65D2);
            (43, 252) : choose0_choose(0xB56D, 401); (43, 253) : choose0_choose(0xD765, 0xCD8A);
            (43, 254) : choose0_choose(0x717D, 0x99A6); (43, 255) : choose0_choose(0x1375, 0x55BD);
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
            (38, 0) : choose1_choose(0, 0); (38, 1) : choose1_choose(0x891D, 0x1698);
            (38, 2) : choose1_choose(0xCE3E, 0xFF78); (38, 3) : choose1_choose(0x4723, 0xE9E0);
            (38, 4) : choose1_choose(0x9C7D, 0xFEF1); (38, 5) : choose1_choose(0x1560, 0xE869);
            (38, 6) : choose1_choose(0x5243, 393); (38, 7) : choose1_choose(0xDB5E, 0x1711);
            (38, 8) : choose1_choose(0xE4FE, 0x2FAB); (38, 9) : choose1_choose(0x6DE3, 0x3933);
            (38, 10) : choose1_choose(0x2AC0, 0xD0D3); (38, 11) : choose1_choose(0xA3DD, 0xC64B);
            (38, 12) : choose1_choose(0x7883, 0xD15A); (38, 13) : choose1_choose(0xF19E, 0xC7C2);
            (38, 14) : choose1_choose(0xB6BD, 0x2E22); (38, 15) : choose1_choose(0x3FA0, 0x38BA);
            (38, 16) : choose1_choose(0xC341, 0x1B64); (38, 17) : choose1_choose(0x4A5C, 0xDFC);
            (38, 18) : choose1_choose(0xD7F, 0xE41C); (38, 19) : choose1_choose(0x8462, 0xF284);
            (38, 20) : choose1_choose(0x5F3C, 0xE595); (38, 21) : choose1_choose(0xD621, 0xF30D);
            (38, 22) : choose1_choose(0x9102, 0x1AED); (38, 23) : choose1_choose(0x181F, 0xC75);
            (38, 24) : choose1_choose(0x27BF, 0x34CF); (38, 25) : choose1_choose(0xAEA2, 0x2257);
            (38, 26) : choose1_choose(0xE981, 0xCBB7); (38, 27) : choose1_choose(0x609C, 0xDD2F);
            (38, 28) : choose1_choose(0xBBC2, 0xCA3E); (38, 29) : choose1_choose(0x32DF, 0xDCA6);
            (38, 30) : choose1_choose(0x75FC, 0x3546); (38, 31) : choose1_choose(0xFCE1, 0x23DE);
            (38, 32) : choose1_choose(0x8683, 0x36C8); (38, 33) : choose1_choose(0xF9E, 0x2050);
            (38, 34) : choose1_choose(0x48BD, 0xC9B0); (38, 35) : choose1_choose(0xC1A0, 0xDF28);
            (38, 36) : choose1_choose(0x1AFE, 0xC839); (38, 37) : choose1_choose(0x93E3, 0xDEA1);
            (38, 38) : choose1_choose(0xD4C0, 0x3741); (38, 39) : choose1_choose(0x5DDD, 0x21D9);
            (38, 40) : choose1_choose(0x627D, 0x1963); (38, 41) : choose1_choose(0xEB60, 0xFFB);
            (38, 42) : choose1_choose(0xAC43, 0xE61B); (38, 43) : choose1_choose(0x255E, 0xF083);
            (38, 44) : choose1_choose(0xFE00, 0xE792); (38, 45) : choose1_choose(0x771D, 0xF10A);
            (38, 46) : choose1_choose(0x303E, 0x18EA); (38, 47) : choose1_choose(0xB923, 0xE72);
            (38, 48) : choose1_choose(0x45C2, 0x2DAC); (38, 49) : choose1_choose(0xCCDF, 0x3B34);
            (38, 50) : choose1_choose(0x8BFC, 0xD2D4); (38, 51) : choose1_choose(737, 0xC44C);
            (38, 52) : choose1_choose(0xD9BF, 0xD35D); (38, 53) : choose1_choose(0x50A2, 0xC5C5);
            (38, 54) : choose1_choose(0x1781, 0x2C25); (38, 55) : choose1_choose(0x9E9C, 0x3ABD);
            (38, 56) : choose1_choose(0xA13C, 519); (38, 57) : choose1_choose(0x2821, 0x149F);
            (38, 58) : choose1_choose(0x6F02, 0xFD7F); (38, 59) : choose1_choose(0xE61F, 0xEBE7);
            (38, 60) : choose1_choose(0x3D41, 0xFCF6); (38, 61) : choose1_choose(0xB45C, 0xEA6E);
            (38, 62) : choose1_choose(0xF37F, 910); (38, 63) : choose1_choose(0x7A62, 0x1516);
            (38, 64) : choose1_choose(0x7BB, 0x29A2); (38, 65) : choose1_choose(0x8EA6, 0x3F3A);
            (38, 66) : choose1_choose(0xC985, 0xD6DA); (38, 67) : choose1_choose(0x4098, 0xC042);
            (38, 68) : choose1_choose(0x9BC6, 0xD753); (38, 69) : choose1_choose(0x12DB, 0xC1CB);
            (38, 70) : choose1_choose(0x55F8, 0x282B); (38, 71) : choose1_choose(0xDCE5, 0x3EB3);
            (38, 72) : choose1_choose(0xE345, 0x609); (38, 73) : choose1_choose(0x6A58, 0x1091);
            (38, 74) : choose1_choose(0x2D7B, 0xF971); (38, 75) : choose1_choose(0xA466, 0xEFE9);
            (38, 76) : choose1_choose(0x7F38, 0xF8F8); (38, 77) : choose1_choose(0xF625, 0xEE60);
            (38, 78) : choose1_choose(0xB106, 0x780); (38, 79) : choose1_choose(0x381B, 0x1118);
            (38, 80) : choose1_choose(0xC4FA, 0x32C6); (38, 81) : choose1_choose(0x4DE7, 0x245E);
            (38, 82) : choose1_choose(0xAC4, 0xCDBE); (38, 83) : choose1_choose(0x83D9, 0xDB26);
            (38, 84) : choose1_choose(0x5887, 0xCC37); (38, 85) : choose1_choose(0xD19A, 0xDAAF);
            (38, 86) : choose1_choose(0x96B9, 0x334F); (38, 87) : choose1_choose(0x1FA4, 0x25D7);
            (38, 88) : choose1_choose(0x2004, 0x1D6D); (38, 89) : choose1_choose(0xA919, 0xBF5);
            (38, 90) : choose1_choose(0xEE3A, 0xE215); (38, 91) : choose1_choose(0x6727, 0xF48D);
            (38, 92) : choose1_choose(0xBC79, 0xE39C); (38, 93) : choose1_choose(0x3564, 0xF504);
            (38, 94) : choose1_choose(0x7247, 0x1CE4); (38, 95) : choose1_choose(0xFB5A, 0xA7C);
            (38, 96) : choose1_choose(0x8138, 0x1F6A); (38, 97) : choose1_choose(0x825, 0x9F2);
            (38, 98) : choose1_choose(0x4F06, 0xE012); (38, 99) : choose1_choose(0xC61B, 0xF68A);
            (38, 100) : choose1_choose(0x1D45, 0xE19B); (38, 101) : choose1_choose(0x9458, 0xF703);
            (38, 102) : choose1_choose(0xD37B, 0x1EE3); (38, 103) : choose1_choose(0x5A66, 0x87B);
            (38, 104) : choose1_choose(0x65C6, 0x30C1); (38, 105) : choose1_choose(0xECDB, 0x2659);
            (38, 106) : choose1_choose(0xABF8, 0xCFB9); (38, 107) : choose1_choose(0x22E5, 0xD921);
            (38, 108) : choose1_choose(0xF9BB, 0xCE30); (38, 109) : choose1_choose(0x70A6, 0xD8A8);
            (38, 110) : choose1_choose(0x3785, 0x3148); (38, 111) : choose1_choose(0xBE98, 0x27D0);
            (38, 112) : choose1_choose(0x4279, 0x40E); (38, 113) : choose1_choose(0xCB64, 0x1296);
            (38, 114) : choose1_choose(0x8C47, 0xFB76); (38, 115) : choose1_choose(0x55A, 0xEDEE);
            (38, 116) : choose1_choose(0xDE04, 0xFAFF); (38, 117) : choose1_choose(0x5719, 0xEC67);
            (38, 118) : choose1_choose(0x103A, 0x587); (38, 119) : choose1_choose(0x9927, 0x131F);
            (38, 120) : choose1_choose(0xA687, 0x2BA5); (38, 121) : choose1_choose(0x2F9A, 0x3D3D);
            (38, 122) : choose1_choose(0x68B9, 0xD4DD); (38, 123) : choose1_choose(0xE1A4, 0xC245);
            (38, 124) : choose1_choose(0x3AFA, 0xD554); (38, 125) : choose1_choose(0xB3E7, 0xC3CC);
            (38, 126) : choose1_choose(0xF4C4, 0x2A2C); (38, 127) : choose1_choose(0x7DD9, 0x3CB4);
            (38, 128) : choose1_choose(0x5CA, 0x1776); (38, 129) : choose1_choose(0x8CD7, 494);
            (38, 130) : choose1_choose(0xCBF4, 0xE80E); (38, 131) : choose1_choose(0x42E9, 0xFE96);
            (38, 132) : choose1_choose(0x99B7, 0xE987); (38, 133) : choose1_choose(0x10AA, 0xFF1F);
            (38, 134) : choose1_choose(0x5789, 0x16FF); (38, 135) : choose1_choose(0xDE94, 103);
            (38, 136) : choose1_choose(0xE134, 0x38DD); (38, 137) : choose1_choose(0x6829, 0x2E45);
            (38, 138) : choose1_choose(0x2F0A, 0xC7A5); (38, 139) : choose1_choose(0xA617, 0xD13D);
            (38, 140) : choose1_choose(0x7D49, 0xC62C); (38, 141) : choose1_choose(0xF454, 0xD0B4);
            (38, 142) : choose1_choose(0xB377, 0x3954); (38, 143) : choose1_choose(0x3A6A, 0x2FCC);
            (38, 144) : choose1_choose(0xC68B, 0xC12); (38, 145) : choose1_choose(0x4F96, 0x1A8A);
            (38, 146) : choose1_choose(0x8B5, 0xF36A); (38, 147) : choose1_choose(0x81A8, 0xE5F2);
            (38, 148) : choose1_choose(0x5AF6, 0xF2E3); (38, 149) : choose1_choose(0xD3EB, 0xE47B);
            (38, 150) : choose1_choose(0x94C8, 0xD9B); (38, 151) : choose1_choose(0x1DD5, 0x1B03);
            (38, 152) : choose1_choose(0x2275, 0x23B9); (38, 153) : choose1_choose(0xAB68, 0x3521);
            (38, 154) : choose1_choose(0xEC4B, 0xDCC1); (38, 155) : choose1_choose(0x6556, 0xCA59);
            (38, 156) : choose1_choose(0xBE08, 0xDD48); (38, 157) : choose1_choose(0x3715, 0xCBD0);
            (38, 158) : choose1_choose(0x7036, 0x2230); (38, 159) : choose1_choose(0xF92B, 0x34A8);
            (38, 160) : choose1_choose(0x8349, 0x21BE); (38, 161) : choose1_choose(0xA54, 0x3726);
            (38, 162) : choose1_choose(0x4D77, 0xDEC6); (38, 163) : choose1_choose(0xC46A, 0xC85E);
            (38, 164) : choose1_choose(0x1F34, 0xDF4F); (38, 165) : choose1_choose(0x9629, 0xC9D7);
            (38, 166) : choose1_choose(0xD10A, 0x2037); (38, 167) : choose1_choose(0x5817, 0x36AF);
            (38, 168) : choose1_choose(0x67B7, 0xE15); (38, 169) : choose1_choose(0xEEAA, 0x188D);
            (38, 170) : choose1_choose(0xA989, 0xF16D); (38, 171) : choose1_choose(0x2094, 0xE7F5);
            (38, 172) : choose1_choose(0xFBCA, 0xF0E4); (38, 173) : choose1_choose(0x72D7, 0xE67C);
            (38, 174) : choose1_choose(0x35F4, 0xF9C); (38, 175) : choose1_choose(0xBCE9, 0x1904);
            (38, 176) : choose1_choose(0x4008, 0x3ADA); (38, 177) : choose1_choose(0xC915, 0x2C42);
            (38, 178) : choose1_choose(0x8E36, 0xC5A2); (38, 179) : choose1_choose(0x72B, 0xD33A);
            (38, 180) : choose1_choose(0xDC75, 0xC42B); (38, 181) : choose1_choose(0x5568, 0xD2B3);
            (38, 182) : choose1_choose(0x124B, 0x3B53); (38, 183) : choose1_choose(0x9B56, 0x2DCB);
            (38, 184) : choose1_choose(0xA4F6, 0x1571); (38, 185) : choose1_choose(0x2DEB, 1001);
            (38, 186) : choose1_choose(0x6AC8, 0xEA09); (38, 187) : choose1_choose(0xE3D5, 0xFC91);
            (38, 188) : choose1_choose(0x388B, 0xEB80); (38, 189) : choose1_choose(0xB196, 0xFD18);
            (38, 190) : choose1_choose(0xF6B5, 0x14F8); (38, 191) : choose1_choose(0x7FA8, 608);
            (38, 192) : choose1_choose(625, 0x3ED4); (38, 193) : choose1_choose(0x8B6C, 0x284C);
            (38, 194) : choose1_choose(0xCC4F, 0xC1AC); (38, 195) : choose1_choose(0x4552, 0xD734);
            (38, 196) : choose1_choose(0x9E0C, 0xC025); (38, 197) : choose1_choose(0x1711, 0xD6BD);
            (38, 198) : choose1_choose(0x5032, 0x3F5D); (38, 199) : choose1_choose(0xD92F, 0x29C5);
            (38, 200) : choose1_choose(0xE68F, 0x117F); (38, 201) : choose1_choose(0x6F92, 0x7E7);
            (38, 202) : choose1_choose(0x28B1, 0xEE07); (38, 203) : choose1_choose(0xA1AC, 0xF89F);
            (38, 204) : choose1_choose(0x7AF2, 0xEF8E); (38, 205) : choose1_choose(0xF3EF, 0xF916);
            (38, 206) : choose1_choose(0xB4CC, 0x10F6); (38, 207) : choose1_choose(0x3DD1, 0x66E);
            (38, 208) : choose1_choose(0xC130, 0x25B0); (38, 209) : choose1_choose(0x482D, 0x3328);
            (38, 210) : choose1_choose(0xF0E, 0xDAC8); (38, 211) : choose1_choose(0x8613, 0xCC50);
            (38, 212) : choose1_choose(0x5D4D, 0xDB41); (38, 213) : choose1_choose(0xD450, 0xCDD9);
            (38, 214) : choose1_choose(0x9373, 0x2439); (38, 215) : choose1_choose(0x1A6E, 0x32A1);
            (38, 216) : choose1_choose(0x25CE, 0xA1B); (38, 217) : choose1_choose(0xACD3, 0x1C83);
            (38, 218) : choose1_choose(0xEBF0, 0xF563); (38, 219) : choose1_choose(0x62ED, 0xE3FB);
            (38, 220) : choose1_choose(0xB9B3, 0xF4EA); (38, 221) : choose1_choose(0x30AE, 0xE272);
            (38, 222) : choose1_choose(0x778D, 0xB92); (38, 223) : choose1_choose(0xFE90, 0x1D0A);
            (38, 224) : choose1_choose(0x84F2, 0x81C); (38, 225) : choose1_choose(0xDEF, 0x1E84);
            (38, 226) : choose1_choose(0x4ACC, 0xF764); (38, 227) : choose1_choose(0xC3D1, 0xE1FC);
            (38, 228) : choose1_choose(0x188F, 0xF6ED); (38, 229) : choose1_choose(0x9192, 0xE075);
            (38, 230) : choose1_choose(0xD6B1, 0x995); (38, 231) : choose1_choose(0x5FAC, 0x1F0D);
            (38, 232) : choose1_choose(0x600C, 0x27B7); (38, 233) : choose1_choose(0xE911, 0x312F);
            (38, 234) : choose1_choose(0xAE32, 0xD8CF); (38, 235) : choose1_choose(0x272F, 0xCE57);
            (38, 236) : choose1_choose(0xFC71, 0xD946); (38, 237) : choose1_choose(0x756C, 0xCFDE);
            (38, 238) : choose1_choose(0x324F, 0x263E); (38, 239) : choose1_choose(0xBB52, 0x30A6);
            (38, 240) : choose1_choose(0x47B3, 0x1378); (38, 241) : choose1_choose(0xCEAE, 0x5E0);
            (38, 242) : choose1_choose(0x898D, 0xEC00); (38, 243) : choose1_choose(144, 0xFA98);
            (38, 244) : choose1_choose(0xDBCE, 0xED89); (38, 245) : choose1_choose(0x52D3, 0xFB11);
            (38, 246) : choose1_choose(0x15F0, 0x12F1); (38, 247) : choose1_choose(0x9CED, 0x469);
            (38, 248) : choose1_choose(0xA34D, 0x3CD3); (38, 249) : choose1_choose(0x2A50, 0x2A4B);
            (38, 250) : choose1_choose(0x6D73, 0xC3AB); (38, 251) : choose1_choose(0xE46E, 0xD533);
            (38, 252) : choose1_choose(0x3F30, 0xC222); (38, 253) : choose1_choose(0xB62D, 0xD4BA);
            (38, 254) : choose1_choose(0xF10E, 0x3D5A); (38, 255) : choose1_choose(0x7813, 0x2BC2);
            (39, 0) : choose1_choose(0, 0); (39, 1) : choose1_choose(1020, 0xB305);
            (39, 2) : choose1_choose(0xD141, 0xF071); (39, 3) : choose1_choose(0xD2BD, 0x4374);
            (39, 4) : choose1_choose(0xA283, 0xE0E3); (39, 5) : choose1_choose(0xA17F, 0x53E6);
            (39, 6) : choose1_choose(0x73C2, 0x1092); (39, 7) : choose1_choose(0x703E, 0xA397);
            (39, 8) : choose1_choose(0x4FBB, 0x85F5); (39, 9) : choose1_choose(0x4C47, 0x36F0);
            (39, 10) : choose1_choose(0x9EFA, 0x7584); (39, 11) : choose1_choose(0x9D06, 0xC681);
            (39, 12) : choose1_choose(0xED38, 0x6516); (39, 13) : choose1_choose(0xEEC4, 0xD613);
            (39, 14) : choose1_choose(0x3C79, 0x9567); (39, 15) : choose1_choose(0x3F85, 0x2662);
            (39, 16) : choose1_choose(0x95CA, 0x4FD9); (39, 17) : choose1_choose(0x9636, 0xFCDC);
            (39, 18) : choose1_choose(0x448B, 0xBFA8); (39, 19) : choose1_choose(0x4777, 0xCAD);
            (39, 20) : choose1_choose(0x3749, 0xAF3A); (39, 21) : choose1_choose(0x34B5, 0x1C3F);
            (39, 22) : choose1_choose(0xE608, 0x5F4B); (39, 23) : choose1_choose(0xE5F4, 0xEC4E);
            (39, 24) : choose1_choose(0xDA71, 0xCA2C); (39, 25) : choose1_choose(0xD98D, 0x7929);
            (39, 26) : choose1_choose(0xB30, 0x3A5D); (39, 27) : choose1_choose(0x8CC, 0x8958);
            (39, 28) : choose1_choose(0x78F2, 0x2ACF); (39, 29) : choose1_choose(0x7B0E, 0x99CA);
            (39, 30) : choose1_choose(0xA9B3, 0xDABE); (39, 31) : choose1_choose(0xAA4F, 0x69BB);
            (39, 32) : choose1_choose(0x2129, 0xDB80); (39, 33) : choose1_choose(0x22D5, 0x6885);
            (39, 34) : choose1_choose(0xF068, 0x2BF1); (39, 35) : choose1_choose(0xF394, 0x98F4);
            (39, 36) : choose1_choose(0x83AA, 0x3B63); (39, 37) : choose1_choose(0x8056, 0x8866);
            (39, 38) : choose1_choose(0x52EB, 0xCB12); (39, 39) : choose1_choose(0x5117, 0x7817);
            (39, 40) : choose1_choose(0x6E92, 0x5E75); (39, 41) : choose1_choose(0x6D6E, 0xED70);
            (39, 42) : choose1_choose(0xBFD3, 0xAE04); (39, 43) : choose1_choose(0xBC2F, 0x1D01);
            (39, 44) : choose1_choose(0xCC11, 0xBE96); (39, 45) : choose1_choose(0xCFED, 0xD93);
            (39, 46) : choose1_choose(0x1D50, 0x4EE7); (39, 47) : choose1_choose(0x1EAC, 0xFDE2);
            (39, 48) : choose1_choose(0xB4E3, 0x9459); (39, 49) : choose1_choose(0xB71F, 0x275C);
            (39, 50) : choose1_choose(0x65A2, 0x6428); (39, 51) : choose1_choose(0x665E, 0xD72D);
            (39, 52) : choose1_choose(0x1660, 0x74BA); (39, 53) : choose1_choose(0x159C, 0xC7BF);
            (39, 54) : choose1_choose(0xC721, 0x84CB); (39, 55) : choose1_choose(0xC4DD, 0x37CE);
            (39, 56) : choose1_choose(0xFB58, 0x11AC); (39, 57) : choose1_choose(0xF8A4, 0xA2A9);
            (39, 58) : choose1_choose(0x2A19, 0xE1DD); (39, 59) : choose1_choose(0x29E5, 0x52D8);
            (39, 60) : choose1_choose(0x59DB, 0xF14F); (39, 61) : choose1_choose(0x5A27, 0x424A);
            (39, 62) : choose1_choose(0x889A, 318); (39, 63) : choose1_choose(0x8B66, 0xB23B);
            (39, 64) : choose1_choose(0x9E57, 0x6549); (39, 65) : choose1_choose(0x9DAB, 0xD64C);
            (39, 66) : choose1_choose(0x4F16, 0x9538); (39, 67) : choose1_choose(0x4CEA, 0x263D);
            (39, 68) : choose1_choose(0x3CD4, 0x85AA); (39, 69) : choose1_choose(0x3F28, 0x36AF);
            (39, 70) : choose1_choose(0xED95, 0x75DB); (39, 71) : choose1_choose(0xEE69, 0xC6DE);
            (39, 72) : choose1_choose(0xD1EC, 0xE0BC); (39, 73) : choose1_choose(0xD210, 0x53B9);
            (39, 74) : choose1_choose(173, 0x10CD); (39, 75) : choose1_choose(849, 0xA3C8);
            (39, 76) : choose1_choose(0x736F, 95); (39, 77) : choose1_choose(0x7093, 0xB35A);
            (39, 78) : choose1_choose(0xA22E, 0xF02E); (39, 79) : choose1_choose(0xA1D2, 0x432B);
            (39, 80) : choose1_choose(0xB9D, 0x2A90); (39, 81) : choose1_choose(0x861, 0x9995);
            (39, 82) : choose1_choose(0xDADC, 0xDAE1); (39, 83) : choose1_choose(0xD920, 0x69E4);
            (39, 84) : choose1_choose(0xA91E, 0xCA73); (39, 85) : choose1_choose(0xAAE2, 0x7976);
            (39, 86) : choose1_choose(0x785F, 0x3A02); (39, 87) : choose1_choose(0x7BA3, 0x8907);
            (39, 88) : choose1_choose(0x4426, 0xAF65); (39, 89) : choose1_choose(0x47DA, 0x1C60);
            (39, 90) : choose1_choose(0x9567, 0x5F14); (39, 91) : choose1_choose(0x969B, 0xEC11);
            (39, 92) : choose1_choose(0xE6A5, 0x4F86); (39, 93) : choose1_choose(0xE559, 0xFC83);
            (39, 94) : choose1_choose(0x37E4, 0xBFF7); (39, 95) : choose1_choose(0x3418, 0xCF2);
            (39, 96) : choose1_choose(0xBF7E, 0xBEC9); (39, 97) : choose1_choose(0xBC82, 0xDCC);
            (39, 98) : choose1_choose(0x6E3F, 0x4EB8); (39, 99) : choose1_choose(0x6DC3, 0xFDBD);
            (39, 100) : choose1_choose(0x1DFD, 0x5E2A); (39, 101) : choose1_choose(0x1E01, 0xED2F);
            (39, 102) : choose1_choose(0xCCBC, 0xAE5B); (39, 103) : choose1_choose(0xCF40, 0x1D5E);
            (39, 104) : choose1_choose(0xF0C5, 0x3B3C); (39, 105) : choose1_choose(0xF339, 0x8839);
            (39, 106) : choose1_choose(0x2184, 0xCB4D); (39, 107) : choose1_choose(0x2278, 0x7848);
            (39, 108) : choose1_choose(0x5246, 0xDBDF); (39, 109) : choose1_choose(0x51BA, 0x68DA);
            (39, 110) : choose1_choose(0x8307, 0x2BAE); (39, 111) : choose1_choose(0x80FB, 0x98AB);
            (39, 112) : choose1_choose(0x2AB4, 0xF110); (39, 113) : choose1_choose(0x2948, 0x4215);
            (39, 114) : choose1_choose(0xFBF5, 353); (39, 115) : choose1_choose(0xF809, 0xB264);
            (39, 116) : choose1_choose(0x8837, 0x11F3); (39, 117) : choose1_choose(0x8BCB, 0xA2F6);
            (39, 118) : choose1_choose(0x5976, 0xE182); (39, 119) : choose1_choose(0x5A8A, 0x5287);
            (39, 120) : choose1_choose(0x650F, 0x74E5); (39, 121) : choose1_choose(0x66F3, 0xC7E0);
            (39, 122) : choose1_choose(0xB44E, 0x8494); (39, 123) : choose1_choose(0xB7B2, 0x3791);
            (39, 124) : choose1_choose(0xC78C, 0x9406); (39, 125) : choose1_choose(0xC470, 0x2703);
            (39, 126) : choose1_choose(0x16CD, 0x6477); (39, 127) : choose1_choose(0x1531, 0xD772);
            (39, 128) : choose1_choose(0x3CAF, 0xCA92); (39, 129) : choose1_choose(0x3F53, 0x7997);
            (39, 130) : choose1_choose(0xEDEE, 0x3AE3); (39, 131) : choose1_choose(0xEE12, 0x89E6);
            (39, 132) : choose1_choose(0x9E2C, 0x2A71); (39, 133) : choose1_choose(0x9DD0, 0x9974);
            (39, 134) : choose1_choose(0x4F6D, 0xDA00); (39, 135) : choose1_choose(0x4C91, 0x6905);
            (39, 136) : choose1_choose(0x7314, 0x4F67); (39, 137) : choose1_choose(0x70E8, 0xFC62);
            (39, 138) : choose1_choose(0xA255, 0xBF16); (39, 139) : choose1_choose(0xA1A9, 0xC13);
            (39, 140) : choose1_choose(0xD197, 0xAF84); (39, 141) : choose1_choose(0xD26B, 0x1C81);
            (39, 142) : choose1_choose(214, 0x5FF5); (39, 143) : choose1_choose(810, 0xECF0);
            (39, 144) : choose1_choose(0xA965, 0x854B); (39, 145) : choose1_choose(0xAA99, 0x364E);
            (39, 146) : choose1_choose(0x7824, 0x753A); (39, 147) : choose1_choose(0x7BD8, 0xC63F);
            (39, 148) : choose1_choose(0xBE6, 0x65A8); (39, 149) : choose1_choose(0x81A, 0xD6AD);
            (39, 150) : choose1_choose(0xDAA7, 0x95D9); (39, 151) : choose1_choose(0xD95B, 0x26DC);
            (39, 152) : choose1_choose(0xE6DE, 190); (39, 153) : choose1_choose(0xE522, 0xB3BB);
            (39, 154) : choose1_choose(0x379F, 0xF0CF); (39, 155) : choose1_choose(0x3463, 0x43CA);
            (39, 156) : choose1_choose(0x445D, 0xE05D); (39, 157) : choose1_choose(0x47A1, 0x5358);
            (39, 158) : choose1_choose(0x951C, 0x102C); (39, 159) : choose1_choose(0x96E0, 0xA329);
            (39, 160) : choose1_choose(0x1D86, 0x1112); (39, 161) : choose1_choose(0x1E7A, 0xA217);
            (39, 162) : choose1_choose(0xCCC7, 0xE163); (39, 163) : choose1_choose(0xCF3B, 0x5266);
            (39, 164) : choose1_choose(0xBF05, 0xF1F1); (39, 165) : choose1_choose(0xBCF9, 0x42F4);
            (39, 166) : choose1_choose(0x6E44, 384); (39, 167) : choose1_choose(0x6DB8, 0xB285);
            (39, 168) : choose1_choose(0x523D, 0x94E7); (39, 169) : choose1_choose(0x51C1, 0x27E2);
            (39, 170) : choose1_choose(0x837C, 0x6496); (39, 171) : choose1_choose(0x8080, 0xD793);
            (39, 172) : choose1_choose(0xF0BE, 0x7404); (39, 173) : choose1_choose(0xF342, 0xC701);
            (39, 174) : choose1_choose(0x21FF, 0x8475); (39, 175) : choose1_choose(0x2203, 0x3770);
            (39, 176) : choose1_choose(0x884C, 0x5ECB); (39, 177) : choose1_choose(0x8BB0, 0xEDCE);
            (39, 178) : choose1_choose(0x590D, 0xAEBA); (39, 179) : choose1_choose(0x5AF1, 0x1DBF);
            (39, 180) : choose1_choose(0x2ACF, 0xBE28); (39, 181) : choose1_choose(0x2933, 0xD2D);
            (39, 182) : choose1_choose(0xFB8E, 0x4E59); (39, 183) : choose1_choose(0xF872, 0xFD5C);
            (39, 184) : choose1_choose(0xC7F7, 0xDB3E); (39, 185) : choose1_choose(0xC40B, 0x683B);
            (39, 186) : choose1_choose(0x16B6, 0x2B4F); (39, 187) : choose1_choose(0x154A, 0x984A);
            (39, 188) : choose1_choose(0x6574, 0x3BDD); (39, 189) : choose1_choose(0x6688, 0x88D8);
            (39, 190) : choose1_choose(0xB435, 0xCBAC); (39, 191) : choose1_choose(0xB7C9, 0x78A9);
            (39, 192) : choose1_choose(0xA2F8, 0xAFDB); (39, 193) : choose1_choose(0xA104, 0x1CDE);
            (39, 194) : choose1_choose(0x73B9, 0x5FAA); (39, 195) : choose1_choose(0x7045, 0xECAF);
            (39, 196) : choose1_choose(123, 0x4F38); (39, 197) : choose1_choose(903, 0xFC3D);
            (39, 198) : choose1_choose(0xD13A, 0xBF49); (39, 199) : choose1_choose(0xD2C6, 0xC4C);
            (39, 200) : choose1_choose(0xED43, 0x2A2E); (39, 201) : choose1_choose(0xEEBF, 0x992B);
            (39, 202) : choose1_choose(0x3C02, 0xDA5F); (39, 203) : choose1_choose(0x3FFE, 0x695A);
            (39, 204) : choose1_choose(0x4FC0, 0xCACD); (39, 205) : choose1_choose(0x4C3C, 0x79C8);
            (39, 206) : choose1_choose(0x9E81, 0x3ABC); (39, 207) : choose1_choose(0x9D7D, 0x89B9);
            (39, 208) : choose1_choose(0x3732, 0xE002); (39, 209) : choose1_choose(0x34CE, 0x5307);
            (39, 210) : choose1_choose(0xE673, 0x1073); (39, 211) : choose1_choose(0xE58F, 0xA376);
            (39, 212) : choose1_choose(0x95B1, 225); (39, 213) : choose1_choose(0x964D, 0xB3E4);
            (39, 214) : choose1_choose(0x44F0, 0xF090); (39, 215) : choose1_choose(0x470C, 0x4395);
            (39, 216) : choose1_choose(0x7889, 0x65F7); (39, 217) : choose1_choose(0x7B75, 0xD6F2);
            (39, 218) : choose1_choose(0xA9C8, 0x9586); (39, 219) : choose1_choose(0xAA34, 0x2683);
            (39, 220) : choose1_choose(0xDA0A, 0x8514); (39, 221) : choose1_choose(0xD9F6, 0x3611);
            (39, 222) : choose1_choose(0xB4B, 0x7565); (39, 223) : choose1_choose(0x8B7, 0xC660);
            (39, 224) : choose1_choose(0x83D1, 0x745B); (39, 225) : choose1_choose(0x802D, 0xC75E);
            (39, 226) : choose1_choose(0x5290, 0x842A); (39, 227) : choose1_choose(0x516C, 0x372F);
            (39, 228) : choose1_choose(0x2152, 0x94B8); (39, 229) : choose1_choose(0x22AE, 0x27BD);
            (39, 230) : choose1_choose(0xF013, 0x64C9); (39, 231) : choose1_choose(0xF3EF, 0xD7CC);
            (39, 232) : choose1_choose(0xCC6A, 0xF1AE); (39, 233) : choose1_choose(0xCF96, 0x42AB);
            (39, 234) : choose1_choose(0x1D2B, 479); (39, 235) : choose1_choose(0x1ED7, 0xB2DA);
            (39, 236) : choose1_choose(0x6EE9, 0x114D); (39, 237) : choose1_choose(0x6D15, 0xA248);
            (39, 238) : choose1_choose(0xBFA8, 0xE13C); (39, 239) : choose1_choose(0xBC54, 0x5239);
            (39, 240) : choose1_choose(0x161B, 0x3B82); (39, 241) : choose1_choose(0x15E7, 0x8887);
            (39, 242) : choose1_choose(0xC75A, 0xCBF3); (39, 243) : choose1_choose(0xC4A6, 0x78F6);
            (39, 244) : choose1_choose(0xB498, 0xDB61); (39, 245) : choose1_choose(0xB764, 0x6864);
            (39, 246) : choose1_choose(0x65D9, 0x2B10); (39, 247) : choose1_choose(0x6625, 0x9815);
            (39, 248) : choose1_choose(0x59A0, 0xBE77); (39, 249) : choose1_choose(0x5A5C, 0xD72);
            (39, 250) : choose1_choose(0x88E1, 0x4E06); (39, 251) : choose1_choose(0x8B1D, 0xFD03);
            (39, 252) : choose1_choose(0xFB23, 0x5E94); (39, 253) : choose1_choose(0xF8DF, 0xED91);
            (39, 254) : choose1_choose(0x2A62, 0xAEE5); (39, 255) : choose1_choose(0x299E, 0x1DE0);
            (41, 0) : choose1_choose(0, 0); (41, 1) : choose1_choose(0xBB19, 0x29C5);
            (41, 2) : choose1_choose(0xAA36, 0x81C2); (41, 3) : choose1_choose(0x112F, 0xA807);
            (41, 4) : choose1_choose(0x8868, 0xD1CD); (41, 5) : choose1_choose(0x3371, 0xF808);
            (41, 6) : choose1_choose(0x225E, 0x500F); (41, 7) : choose1_choose(0x9947, 0x79CA);
            (41, 8) : choose1_choose(0xCCD4, 0x71D3); (41, 9) : choose1_choose(0x77CD, 0x5816);
            (41, 10) : choose1_choose(0x66E2, 0xF011); (41, 11) : choose1_choose(0xDDFB, 0xD9D4);
            (41, 12) : choose1_choose(0x44BC, 0xA01E); (41, 13) : choose1_choose(0xFFA5, 0x89DB);
            (41, 14) : choose1_choose(0xEE8A, 0x21DC); (41, 15) : choose1_choose(0x5593, 0x819);
            (41, 16) : choose1_choose(0x9315, 0xA794); (41, 17) : choose1_choose(0x280C, 0x8E51);
            (41, 18) : choose1_choose(0x3923, 0x2656); (41, 19) : choose1_choose(0x823A, 0xF93);
            (41, 20) : choose1_choose(0x1B7D, 0x7659); (41, 21) : choose1_choose(0xA064, 0x5F9C);
            (41, 22) : choose1_choose(0xB14B, 0xF79B); (41, 23) : choose1_choose(0xA52, 0xDE5E);
            (41, 24) : choose1_choose(0x5FC1, 0xD647); (41, 25) : choose1_choose(0xE4D8, 0xFF82);
            (41, 26) : choose1_choose(0xF5F7, 0x5785); (41, 27) : choose1_choose(0x4EEE, 0x7E40);
            (41, 28) : choose1_choose(0xD7A9, 0x78A); (41, 29) : choose1_choose(0x6CB0, 0x2E4F);
            (41, 30) : choose1_choose(0x7D9F, 0x8648); (41, 31) : choose1_choose(0xC686, 0xAF8D);
            (41, 32) : choose1_choose(0xFA2E, 0x9D61); (41, 33) : choose1_choose(0x4137, 0xB4A4);
            (41, 34) : choose1_choose(0x5018, 0x1CA3); (41, 35) : choose1_choose(0xEB01, 0x3566);
            (41, 36) : choose1_choose(0x7246, 0x4CAC); (41, 37) : choose1_choose(0xC95F, 0x6569);
            (41, 38) : choose1_choose(0xD870, 0xCD6E); (41, 39) : choose1_choose(0x6369, 0xE4AB);
            (41, 40) : choose1_choose(0x36FA, 0xECB2); (41, 41) : choose1_choose(0x8DE3, 0xC577);
            (41, 42) : choose1_choose(0x9CCC, 0x6D70); (41, 43) : choose1_choose(0x27D5, 0x44B5);
            (41, 44) : choose1_choose(0xBE92, 0x3D7F); (41, 45) : choose1_choose(0x58B, 0x14BA);
            (41, 46) : choose1_choose(0x14A4, 0xBCBD); (41, 47) : choose1_choose(0xAFBD, 0x9578);
            (41, 48) : choose1_choose(0x693B, 0x3AF5); (41, 49) : choose1_choose(0xD222, 0x1330);
            (41, 50) : choose1_choose(0xC30D, 0xBB37); (41, 51) : choose1_choose(0x7814, 0x92F2);
            (41, 52) : choose1_choose(0xE153, 0xEB38); (41, 53) : choose1_choose(0x5A4A, 0xC2FD);
            (41, 54) : choose1_choose(0x4B65, 0x6AFA); (41, 55) : choose1_choose(0xF07C, 0x433F);
            (41, 56) : choose1_choose(0xA5EF, 0x4B26); (41, 57) : choose1_choose(0x1EF6, 0x62E3);
            (41, 58) : choose1_choose(0xFD9, 0xCAE4); (41, 59) : choose1_choose(0xB4C0, 0xE321);
            (41, 60) : choose1_choose(0x2D87, 0x9AEB); (41, 61) : choose1_choose(0x969E, 0xB32E);
            (41, 62) : choose1_choose(0x87B1, 0x1B29); (41, 63) : choose1_choose(0x3CA8, 0x32EC);
            (41, 64) : choose1_choose(0xF45D, 0x3AC3); (41, 65) : choose1_choose(0x4F44, 0x1306);
            (41, 66) : choose1_choose(0x5E6B, 0xBB01); (41, 67) : choose1_choose(0xE572, 0x92C4);
            (41, 68) : choose1_choose(0x7C35, 0xEB0E); (41, 69) : choose1_choose(0xC72C, 0xC2CB);
            (41, 70) : choose1_choose(0xD603, 0x6ACC); (41, 71) : choose1_choose(0x6D1A, 0x4309);
            (41, 72) : choose1_choose(0x3889, 0x4B10); (41, 73) : choose1_choose(0x8390, 0x62D5);
            (41, 74) : choose1_choose(0x92BF, 0xCAD2); (41, 75) : choose1_choose(0x29A6, 0xE317);
            (41, 76) : choose1_choose(0xB0E1, 0x9ADD); (41, 77) : choose1_choose(0xBF8, 0xB318);
            (41, 78) : choose1_choose(0x1AD7, 0x1B1F); (41, 79) : choose1_choose(0xA1CE, 0x32DA);
            (41, 80) : choose1_choose(0x6748, 0x9D57); (41, 81) : choose1_choose(0xDC51, 0xB492);
            (41, 82) : choose1_choose(0xCD7E, 0x1C95); (41, 83) : choose1_choose(0x7667, 0x3550);
            (41, 84) : choose1_choose(0xEF20, 0x4C9A); (41, 85) : choose1_choose(0x5439, 0x655F);
            (41, 86) : choose1_choose(0x4516, 0xCD58); (41, 87) : choose1_choose(0xFE0F, 0xE49D);
            (41, 88) : choose1_choose(0xAB9C, 0xEC84); (41, 89) : choose1_choose(0x1085, 0xC541);
            (41, 90) : choose1_choose(426, 0x6D46); (41, 91) : choose1_choose(0xBAB3, 0x4483);
            (41, 92) : choose1_choose(0x23F4, 0x3D49); (41, 93) : choose1_choose(0x98ED, 0x148C);
            (41, 94) : choose1_choose(0x89C2, 0xBC8B); (41, 95) : choose1_choose(0x32DB, 0x954E);
            (41, 96) : choose1_choose(0xE73, 0xA7A2); (41, 97) : choose1_choose(0xB56A, 0x8E67);
            (41, 98) : choose1_choose(0xA445, 0x2660); (41, 99) : choose1_choose(0x1F5C, 0xFA5);
            (41, 100) : choose1_choose(0x861B, 0x766F); (41, 101) : choose1_choose(0x3D02, 0x5FAA);
            (41, 102) : choose1_choose(0x2C2D, 0xF7AD); (41, 103) : choose1_choose(0x9734, 0xDE68);
            (41, 104) : choose1_choose(0xC2A7, 0xD671); (41, 105) : choose1_choose(0x79BE, 0xFFB4);
            (41, 106) : choose1_choose(0x6891, 0x57B3); (41, 107) : choose1_choose(0xD388, 0x7E76);
            (41, 108) : choose1_choose(0x4ACF, 0x7BC); (41, 109) : choose1_choose(0xF1D6, 0x2E79);
            (41, 110) : choose1_choose(0xE0F9, 0x867E); (41, 111) : choose1_choose(0x5BE0, 0xAFBB);
            (41, 112) : choose1_choose(0x9D66, 54); (41, 113) : choose1_choose(0x267F, 0x29F3);
            (41, 114) : choose1_choose(0x3750, 0x81F4); (41, 115) : choose1_choose(0x8C49, 0xA831);
            (41, 116) : choose1_choose(0x150E, 0xD1FB); (41, 117) : choose1_choose(0xAE17, 0xF83E);
            (41, 118) : choose1_choose(0xBF38, 0x5039); (41, 119) : choose1_choose(0x421, 0x79FC);
            (41, 120) : choose1_choose(0x51B2, 0x71E5); (41, 121) : choose1_choose(0xEAAB, 0x5820);
            (41, 122) : choose1_choose(0xFB84, 0xF027); (41, 123) : choose1_choose(0x409D, 0xD9E2);
            (41, 124) : choose1_choose(0xD9DA, 0xA028); (41, 125) : choose1_choose(0x62C3, 0x89ED);
            (41, 126) : choose1_choose(0x73EC, 0x21EA); (41, 127) : choose1_choose(0xC8F5, 0x82F);
            (41, 128) : choose1_choose(0x34BE, 0xA7CE); (41, 129) : choose1_choose(0x8FA7, 0x8E0B);
            (41, 130) : choose1_choose(0x9E88, 0x260C); (41, 131) : choose1_choose(0x2591, 0xFC9);
            (41, 132) : choose1_choose(0xBCD6, 0x7603); (41, 133) : choose1_choose(0x7CF, 0x5FC6);
            (41, 134) : choose1_choose(0x16E0, 0xF7C1); (41, 135) : choose1_choose(0xADF9, 0xDE04);
            (41, 136) : choose1_choose(0xF86A, 0xD61D); (41, 137) : choose1_choose(0x4373, 0xFFD8);
            (41, 138) : choose1_choose(0x525C, 0x57DF); (41, 139) : choose1_choose(0xE945, 0x7E1A);
            (41, 140) : choose1_choose(0x7002, 0x7D0); (41, 141) : choose1_choose(0xCB1B, 0x2E15);
            (41, 142) : choose1_choose(0xDA34, 0x8612); (41, 143) : choose1_choose(0x612D, 0xAFD7);
            (41, 144) : choose1_choose(0xA7AB, 90); (41, 145) : choose1_choose(0x1CB2, 0x299F);
            (41, 146) : choose1_choose(0xD9D, 0x8198); (41, 147) : choose1_choose(0xB684, 0xA85D);
            (41, 148) : choose1_choose(0x2FC3, 0xD197); (41, 149) : choose1_choose(0x94DA, 0xF852);
            (41, 150) : choose1_choose(0x85F5, 0x5055); (41, 151) : choose1_choose(0x3EEC, 0x7990);
            (41, 152) : choose1_choose(0x6B7F, 0x7189); (41, 153) : choose1_choose(0xD066, 0x584C);
            (41, 154) : choose1_choose(0xC149, 0xF04B); (41, 155) : choose1_choose(0x7A50, 0xD98E);
            (41, 156) : choose1_choose(0xE317, 0xA044); (41, 157) : choose1_choose(0x580E, 0x8981);
            (41, 158) : choose1_choose(0x4921, 0x2186); (41, 159) : choose1_choose(0xF238, 0x843);
            (41, 160) : choose1_choose(0xCE90, 0x3AAF); (41, 161) : choose1_choose(0x7589, 0x136A);
            (41, 162) : choose1_choose(0x64A6, 0xBB6D); (41, 163) : choose1_choose(0xDFBF, 0x92A8);
            (41, 164) : choose1_choose(0x46F8, 0xEB62); (41, 165) : choose1_choose(0xFDE1, 0xC2A7);
            (41, 166) : choose1_choose(0xECCE, 0x6AA0); (41, 167) : choose1_choose(0x57D7, 0x4365);
            (41, 168) : choose1_choose(580, 0x4B7C); (41, 169) : choose1_choose(0xB95D, 0x62B9);
            (41, 170) : choose1_choose(0xA872, 0xCABE); (41, 171) : choose1_choose(0x136B, 0xE37B);
            (41, 172) : choose1_choose(0x8A2C, 0x9AB1); (41, 173) : choose1_choose(0x3135, 0xB374);
            (41, 174) : choose1_choose(0x201A, 0x1B73); (41, 175) : choose1_choose(0x9B03, 0x32B6);
            (41, 176) : choose1_choose(0x5D85, 0x9D3B); (41, 177) : choose1_choose(0xE69C, 0xB4FE);
            (41, 178) : choose1_choose(0xF7B3, 0x1CF9); (41, 179) : choose1_choose(0x4CAA, 0x353C);
            (41, 180) : choose1_choose(0xD5ED, 0x4CF6); (41, 181) : choose1_choose(0x6EF4, 0x6533);
            (41, 182) : choose1_choose(0x7FDB, 0xCD34); (41, 183) : choose1_choose(0xC4C2, 0xE4F1);
            (41, 184) : choose1_choose(0x9151, 0xECE8); (41, 185) : choose1_choose(0x2A48, 0xC52D);
            (41, 186) : choose1_choose(0x3B67, 0x6D2A); (41, 187) : choose1_choose(0x807E, 0x44EF);
            (41, 188) : choose1_choose(0x1939, 0x3D25); (41, 189) : choose1_choose(0xA220, 0x14E0);
            (41, 190) : choose1_choose(0xB30F, 0xBCE7); (41, 191) : choose1_choose(0x816, 0x9522);
            (41, 192) : choose1_choose(0xC0E3, 0x9D0D); (41, 193) : choose1_choose(0x7BFA, 0xB4C8);
            (41, 194) : choose1_choose(0x6AD5, 0x1CCF); (41, 195) : choose1_choose(0xD1CC, 0x350A);
            (41, 196) : choose1_choose(0x488B, 0x4CC0); (41, 197) : choose1_choose(0xF392, 0x6505);
            (41, 198) : choose1_choose(0xE2BD, 0xCD02); (41, 199) : choose1_choose(0x59A4, 0xE4C7);
            (41, 200) : choose1_choose(0xC37, 0xECDE); (41, 201) : choose1_choose(0xB72E, 0xC51B);
            (41, 202) : choose1_choose(0xA601, 0x6D1C); (41, 203) : choose1_choose(0x1D18, 0x44D9);
            (41, 204) : choose1_choose(0x845F, 0x3D13); (41, 205) : choose1_choose(0x3F46, 0x14D6);
            (41, 206) : choose1_choose(0x2E69, 0xBCD1); (41, 207) : choose1_choose(0x9570, 0x9514);
            (41, 208) : choose1_choose(0x53F6, 0x3A99); (41, 209) : choose1_choose(0xE8EF, 0x135C);
            (41, 210) : choose1_choose(0xF9C0, 0xBB5B); (41, 211) : choose1_choose(0x42D9, 0x929E);
            (41, 212) : choose1_choose(0xDB9E, 0xEB54); (41, 213) : choose1_choose(0x6087, 0xC291);
            (41, 214) : choose1_choose(0x71A8, 0x6A96); (41, 215) : choose1_choose(0xCAB1, 0x4353);
            (41, 216) : choose1_choose(0x9F22, 0x4B4A); (41, 217) : choose1_choose(0x243B, 0x628F);
            (41, 218) : choose1_choose(0x3514, 0xCA88); (41, 219) : choose1_choose(0x8E0D, 0xE34D);
            (41, 220) : choose1_choose(0x174A, 0x9A87); (41, 221) : choose1_choose(0xAC53, 0xB342);
            (41, 222) : choose1_choose(0xBD7C, 0x1B45); (41, 223) : choose1_choose(0x665, 0x3280);
            (41, 224) : choose1_choose(0x3ACD, 108); (41, 225) : choose1_choose(0x81D4, 0x29A9);
            (41, 226) : choose1_choose(0x90FB, 0x81AE); (41, 227) : choose1_choose(0x2BE2, 0xA86B);
            (41, 228) : choose1_choose(0xB2A5, 0xD1A1); (41, 229) : choose1_choose(0x9BC, 0xF864);
            (41, 230) : choose1_choose(0x1893, 0x5063); (41, 231) : choose1_choose(0xA38A, 0x79A6);
            (41, 232) : choose1_choose(0xF619, 0x71BF); (41, 233) : choose1_choose(0x4D00, 0x587A);
            (41, 234) : choose1_choose(0x5C2F, 0xF07D); (41, 235) : choose1_choose(0xE736, 0xD9B8);
            (41, 236) : choose1_choose(0x7E71, 0xA072); (41, 237) : choose1_choose(0xC568, 0x89B7);
            (41, 238) : choose1_choose(0xD447, 0x21B0); (41, 239) : choose1_choose(0x6F5E, 0x875);
            (41, 240) : choose1_choose(0xA9D8, 0xA7F8); (41, 241) : choose1_choose(0x12C1, 0x8E3D);
            (41, 242) : choose1_choose(1006, 0x263A); (41, 243) : choose1_choose(0xB8F7, 0xFFF);
            (41, 244) : choose1_choose(0x21B0, 0x7635); (41, 245) : choose1_choose(0x9AA9, 0x5FF0);
            (41, 246) : choose1_choose(0x8B86, 0xF7F7); (41, 247) : choose1_choose(0x309F, 0xDE32);
            (41, 248) : choose1_choose(0x650C, 0xD62B); (41, 249) : choose1_choose(0xDE15, 0xFFEE);
            (41, 250) : choose1_choose(0xCF3A, 0x57E9); (41, 251) : choose1_choose(0x7423, 0x7E2C);
            (41, 252) : choose1_choose(0xED64, 0x7E6); (41, 253) : choose1_choose(0x567D, 0x2E23);
            (41, 254) : choose1_choose(0x4752, 0x8624); (41, 255) : choose1_choose(0xFC4B, 0xAFE1);
            (43, 0) : choose1_choose(0, 0); (43, 1) : choose1_choose(0xA257, 0x867E);
            (43, 2) : choose1_choose(0x44AF, 0xCFD); (43, 3) : choose1_choose(0xE6F8, 0x8A83);
            (43, 4) : choose1_choose(0x83E2, 0x5DC8); (43, 5) : choose1_choose(0x21B5, 0xDBB6);
            (43, 6) : choose1_choose(0xC74D, 0x5135); (43, 7) : choose1_choose(0x651A, 0xD74B);
            (43, 8) : choose1_choose(0xD79, 0xFFA2); (43, 9) : choose1_choose(0xAF2E, 0x79DC);
            (43, 10) : choose1_choose(0x49D6, 0xF35F); (43, 11) : choose1_choose(0xEB81, 0x7521);
            (43, 12) : choose1_choose(0x8E9B, 0xA26A); (43, 13) : choose1_choose(0x2CCC, 0x2414);
            (43, 14) : choose1_choose(0xCA34, 0xAE97); (43, 15) : choose1_choose(0x6863, 0x28E9);
            (43, 16) : choose1_choose(0xC6F7, 0x2D0D); (43, 17) : choose1_choose(0x64A0, 0xAB73);
            (43, 18) : choose1_choose(0x8258, 0x21F0); (43, 19) : choose1_choose(0x200F, 0xA78E);
            (43, 20) : choose1_choose(0x4515, 0x70C5); (43, 21) : choose1_choose(0xE742, 0xF6BB);
            (43, 22) : choose1_choose(442, 0x7C38); (43, 23) : choose1_choose(0xA3ED, 0xFA46);
            (43, 24) : choose1_choose(0xCB8E, 0xD2AF); (43, 25) : choose1_choose(0x69D9, 0x54D1);
            (43, 26) : choose1_choose(0x8F21, 0xDE52); (43, 27) : choose1_choose(0x2D76, 0x582C);
            (43, 28) : choose1_choose(0x486C, 0x8F67); (43, 29) : choose1_choose(0xEA3B, 0x919);
            (43, 30) : choose1_choose(0xCC3, 0x839A); (43, 31) : choose1_choose(0xAE94, 0x5E4);
            (43, 32) : choose1_choose(0x5B56, 0xCC60); (43, 33) : choose1_choose(0xF901, 0x4A1E);
            (43, 34) : choose1_choose(0x1FF9, 0xC09D); (43, 35) : choose1_choose(0xBDAE, 0x46E3);
            (43, 36) : choose1_choose(0xD8B4, 0x91A8); (43, 37) : choose1_choose(0x7AE3, 0x17D6);
            (43, 38) : choose1_choose(0x9C1B, 0x9D55); (43, 39) : choose1_choose(0x3E4C, 0x1B2B);
            (43, 40) : choose1_choose(0x562F, 0x33C2); (43, 41) : choose1_choose(0xF478, 0xB5BC);
            (43, 42) : choose1_choose(0x1280, 0x3F3F); (43, 43) : choose1_choose(0xB0D7, 0xB941);
            (43, 44) : choose1_choose(0xD5CD, 0x6E0A); (43, 45) : choose1_choose(0x779A, 0xE874);
            (43, 46) : choose1_choose(0x9162, 0x62F7); (43, 47) : choose1_choose(0x3335, 0xE489);
            (43, 48) : choose1_choose(0x9DA1, 0xE16D); (43, 49) : choose1_choose(0x3FF6, 0x6713);
            (43, 50) : choose1_choose(0xD90E, 0xED90); (43, 51) : choose1_choose(0x7B59, 0x6BEE);
            (43, 52) : choose1_choose(0x1E43, 0xBCA5); (43, 53) : choose1_choose(0xBC14, 0x3ADB);
            (43, 54) : choose1_choose(0x5AEC, 0xB058); (43, 55) : choose1_choose(0xF8BB, 0x3626);
            (43, 56) : choose1_choose(0x90D8, 0x1ECF); (43, 57) : choose1_choose(0x328F, 0x98B1);
            (43, 58) : choose1_choose(0xD477, 0x1232); (43, 59) : choose1_choose(0x7620, 0x944C);
            (43, 60) : choose1_choose(0x133A, 0x4307); (43, 61) : choose1_choose(0xB16D, 0xC579);
            (43, 62) : choose1_choose(0x5795, 0x4FFA); (43, 63) : choose1_choose(0xF5C2, 0xC984);
            (43, 64) : choose1_choose(0xB6AC, 0x98C1); (43, 65) : choose1_choose(0x14FB, 0x1EBF);
            (43, 66) : choose1_choose(0xF203, 0x943C); (43, 67) : choose1_choose(0x5054, 0x1242);
            (43, 68) : choose1_choose(0x354E, 0xC509); (43, 69) : choose1_choose(0x9719, 0x4377);
            (43, 70) : choose1_choose(0x71E1, 0xC9F4); (43, 71) : choose1_choose(0xD3B6, 0x4F8A);
            (43, 72) : choose1_choose(0xBBD5, 0x6763); (43, 73) : choose1_choose(0x1982, 0xE11D);
            (43, 74) : choose1_choose(0xFF7A, 0x6B9E); (43, 75) : choose1_choose(0x5D2D, 0xEDE0);
            (43, 76) : choose1_choose(0x3837, 0x3AAB); (43, 77) : choose1_choose(0x9A60, 0xBCD5);
            (43, 78) : choose1_choose(0x7C98, 0x3656); (43, 79) : choose1_choose(0xDECF, 0xB028);
            (43, 80) : choose1_choose(0x705B, 0xB5CC); (43, 81) : choose1_choose(0xD20C, 0x33B2);
            (43, 82) : choose1_choose(0x34F4, 0xB931); (43, 83) : choose1_choose(0x96A3, 0x3F4F);
            (43, 84) : choose1_choose(0xF3B9, 0xE804); (43, 85) : choose1_choose(0x51EE, 0x6E7A);
            (43, 86) : choose1_choose(0xB716, 0xE4F9); (43, 87) : choose1_choose(0x1541, 0x6287);
            (43, 88) : choose1_choose(0x7D22, 0x4A6E); (43, 89) : choose1_choose(0xDF75, 0xCC10);
            (43, 90) : choose1_choose(0x398D, 0x4693); (43, 91) : choose1_choose(0x9BDA, 0xC0ED);
            (43, 92) : choose1_choose(0xFEC0, 0x17A6); (43, 93) : choose1_choose(0x5C97, 0x91D8);
            (43, 94) : choose1_choose(0xBA6F, 0x1B5B); (43, 95) : choose1_choose(0x1838, 0x9D25);
            (43, 96) : choose1_choose(0xEDFA, 0x54A1); (43, 97) : choose1_choose(0x4FAD, 0xD2DF);
            (43, 98) : choose1_choose(0xA955, 0x585C); (43, 99) : choose1_choose(0xB02, 0xDE22);
            (43, 100) : choose1_choose(0x6E18, 0x969); (43, 101) : choose1_choose(0xCC4F, 0x8F17);
            (43, 102) : choose1_choose(0x2AB7, 0x594); (43, 103) : choose1_choose(0x88E0, 0x83EA);
            (43, 104) : choose1_choose(0xE083, 0xAB03); (43, 105) : choose1_choose(0x42D4, 0x2D7D);
            (43, 106) : choose1_choose(0xA42C, 0xA7FE); (43, 107) : choose1_choose(0x67B, 0x2180);
            (43, 108) : choose1_choose(0x6361, 0xF6CB); (43, 109) : choose1_choose(0xC136, 0x70B5);
            (43, 110) : choose1_choose(0x27CE, 0xFA36); (43, 111) : choose1_choose(0x8599, 0x7C48);
            (43, 112) : choose1_choose(0x2B0D, 0x79AC); (43, 113) : choose1_choose(0x895A, 0xFFD2);
            (43, 114) : choose1_choose(0x6FA2, 0x7551); (43, 115) : choose1_choose(0xCDF5, 0xF32F);
            (43, 116) : choose1_choose(0xA8EF, 0x2464); (43, 117) : choose1_choose(0xAB8, 0xA21A);
            (43, 118) : choose1_choose(0xEC40, 0x2899); (43, 119) : choose1_choose(0x4E17, 0xAEE7);
            (43, 120) : choose1_choose(0x2674, 0x860E); (43, 121) : choose1_choose(0x8423, 112);
            (43, 122) : choose1_choose(0x62DB, 0x8AF3); (43, 123) : choose1_choose(0xC08C, 0xC8D);
            (43, 124) : choose1_choose(0xA596, 0xDBC6); (43, 125) : choose1_choose(0x7C1, 0x5DB8);
            (43, 126) : choose1_choose(0xE139, 0xD73B); (43, 127) : choose1_choose(0x436E, 0x5145);
            (43, 128) : choose1_choose(0x67E5, 0x75B1); (43, 129) : choose1_choose(0xC5B2, 0xF3CF);
            (43, 130) : choose1_choose(0x234A, 0x794C); (43, 131) : choose1_choose(0x811D, 0xFF32);
            (43, 132) : choose1_choose(0xE407, 0x2879); (43, 133) : choose1_choose(0x4650, 0xAE07);
            (43, 134) : choose1_choose(0xA0A8, 0x2484); (43, 135) : choose1_choose(767, 0xA2FA);
            (43, 136) : choose1_choose(0x6A9C, 0x8A13); (43, 137) : choose1_choose(0xC8CB, 0xC6D);
            (43, 138) : choose1_choose(0x2E33, 0x86EE); (43, 139) : choose1_choose(0x8C64, 144);
            (43, 140) : choose1_choose(0xE97E, 0xD7DB); (43, 141) : choose1_choose(0x4B29, 0x51A5);
            (43, 142) : choose1_choose(0xADD1, 0xDB26); (43, 143) : choose1_choose(0xF86, 0x5D58);
            (43, 144) : choose1_choose(0xA112, 0x58BC); (43, 145) : choose1_choose(837, 0xDEC2);
            (43, 146) : choose1_choose(0xE5BD, 0x5441); (43, 147) : choose1_choose(0x47EA, 0xD23F);
            (43, 148) : choose1_choose(0x22F0, 0x574); (43, 149) : choose1_choose(0x80A7, 0x830A);
            (43, 150) : choose1_choose(0x665F, 0x989); (43, 151) : choose1_choose(0xC408, 0x8FF7);
            (43, 152) : choose1_choose(0xAC6B, 0xA71E); (43, 153) : choose1_choose(0xE3C, 0x2160);
            (43, 154) : choose1_choose(0xE8C4, 0xABE3); (43, 155) : choose1_choose(0x4A93, 0x2D9D);
            (43, 156) : choose1_choose(0x2F89, 0xFAD6); (43, 157) : choose1_choose(0x8DDE, 0x7CA8);
            (43, 158) : choose1_choose(0x6B26, 0xF62B); (43, 159) : choose1_choose(0xC971, 0x7055);
            (43, 160) : choose1_choose(0x3CB3, 0xB9D1); (43, 161) : choose1_choose(0x9EE4, 0x3FAF);
            (43, 162) : choose1_choose(0x781C, 0xB52C); (43, 163) : choose1_choose(0xDA4B, 0x3352);
            (43, 164) : choose1_choose(0xBF51, 0xE419); (43, 165) : choose1_choose(0x1D06, 0x6267);
            (43, 166) : choose1_choose(0xFBFE, 0xE8E4); (43, 167) : choose1_choose(0x59A9, 0x6E9A);
            (43, 168) : choose1_choose(0x31CA, 0x4673); (43, 169) : choose1_choose(0x939D, 0xC00D);
            (43, 170) : choose1_choose(0x7565, 0x4A8E); (43, 171) : choose1_choose(0xD732, 0xCCF0);
            (43, 172) : choose1_choose(0xB228, 0x1BBB); (43, 173) : choose1_choose(0x107F, 0x9DC5);
            (43, 174) : choose1_choose(0xF687, 0x1746); (43, 175) : choose1_choose(0x54D0, 0x9138);
            (43, 176) : choose1_choose(0xFA44, 0x94DC); (43, 177) : choose1_choose(0x5813, 0x12A2);
            (43, 178) : choose1_choose(0xBEEB, 0x9821); (43, 179) : choose1_choose(0x1CBC, 0x1E5F);
            (43, 180) : choose1_choose(0x79A6, 0xC914); (43, 181) : choose1_choose(0xDBF1, 0x4F6A);
            (43, 182) : choose1_choose(0x3D09, 0xC5E9); (43, 183) : choose1_choose(0x9F5E, 0x4397);
            (43, 184) : choose1_choose(0xF73D, 0x6B7E); (43, 185) : choose1_choose(0x556A, 0xED00);
            (43, 186) : choose1_choose(0xB392, 0x6783); (43, 187) : choose1_choose(0x11C5, 0xE1FD);
            (43, 188) : choose1_choose(0x74DF, 0x36B6); (43, 189) : choose1_choose(0xD688, 0xB0C8);
            (43, 190) : choose1_choose(0x3070, 0x3A4B); (43, 191) : choose1_choose(0x9227, 0xBC35);
            (43, 192) : choose1_choose(0xD149, 0xED70); (43, 193) : choose1_choose(0x731E, 0x6B0E);
            (43, 194) : choose1_choose(0x95E6, 0xE18D); (43, 195) : choose1_choose(0x37B1, 0x67F3);
            (43, 196) : choose1_choose(0x52AB, 0xB0B8); (43, 197) : choose1_choose(0xF0FC, 0x36C6);
            (43, 198) : choose1_choose(0x1604, 0xBC45); (43, 199) : choose1_choose(0xB453, 0x3A3B);
            (43, 200) : choose1_choose(0xDC30, 0x12D2); (43, 201) : choose1_choose(0x7E67, 0x94AC);
            (43, 202) : choose1_choose(0x989F, 0x1E2F); (43, 203) : choose1_choose(0x3AC8, 0x9851);
            (43, 204) : choose1_choose(0x5FD2, 0x4F1A); (43, 205) : choose1_choose(0xFD85, 0xC964);
            (43, 206) : choose1_choose(0x1B7D, 0x43E7); (43, 207) : choose1_choose(0xB92A, 0xC599);
            (43, 208) : choose1_choose(0x17BE, 0xC07D); (43, 209) : choose1_choose(0xB5E9, 0x4603);
            (43, 210) : choose1_choose(0x5311, 0xCC80); (43, 211) : choose1_choose(0xF146, 0x4AFE);
            (43, 212) : choose1_choose(0x945C, 0x9DB5); (43, 213) : choose1_choose(0x360B, 0x1BCB);
            (43, 214) : choose1_choose(0xD0F3, 0x9148); (43, 215) : choose1_choose(0x72A4, 0x1736);
            (43, 216) : choose1_choose(0x1AC7, 0x3FDF); (43, 217) : choose1_choose(0xB890, 0xB9A1);
            (43, 218) : choose1_choose(0x5E68, 0x3322); (43, 219) : choose1_choose(0xFC3F, 0xB55C);
            (43, 220) : choose1_choose(0x9925, 0x6217); (43, 221) : choose1_choose(0x3B72, 0xE469);
            (43, 222) : choose1_choose(0xDD8A, 0x6EEA); (43, 223) : choose1_choose(0x7FDD, 0xE894);
            (43, 224) : choose1_choose(0x8A1F, 0x2110); (43, 225) : choose1_choose(0x2848, 0xA76E);
            (43, 226) : choose1_choose(0xCEB0, 0x2DED); (43, 227) : choose1_choose(0x6CE7, 0xAB93);
            (43, 228) : choose1_choose(0x9FD, 0x7CD8); (43, 229) : choose1_choose(0xABAA, 0xFAA6);
            (43, 230) : choose1_choose(0x4D52, 0x7025); (43, 231) : choose1_choose(0xEF05, 0xF65B);
            (43, 232) : choose1_choose(0x8766, 0xDEB2); (43, 233) : choose1_choose(0x2531, 0x58CC);
            (43, 234) : choose1_choose(0xC3C9, 0xD24F); (43, 235) : choose1_choose(0x619E, 0x5431);
            (43, 236) : choose1_choose(0x484, 0x837A); (43, 237) : choose1_choose(0xA6D3, 0x504);
            (43, 238) : choose1_choose(0x402B, 0x8F87); (43, 239) : choose1_choose(0xE27C, 0x9F9);
            (43, 240) : choose1_choose(0x4CE8, 0xC1D); (43, 241) : choose1_choose(0xEEBF, 0x8A63);
            (43, 242) : choose1_choose(0x847, 224); (43, 243) : choose1_choose(0xAA10, 0x869E);
            (43, 244) : choose1_choose(0xCF0A, 0x51D5); (43, 245) : choose1_choose(0x6D5D, 0xD7AB);
            (43, 246) : choose1_choose(0x8BA5, 0x5D28); (43, 247) : choose1_choose(0x29F2, 0xDB56);
            (43, 248) : choose1_choose(0x4191, 0xF3BF); (43, 249) : choose1_choose(0xE3C6, 0x75C1);
            (43, 250) : choose1_choose(0x53E, 0xFF42); (43, 251) : choose1_choose(0xA769, 0x793C);
            (43, 252) : choose1_choose(0xC273, 0xAE77); (43, 253) : choose1_choose(0x6024, 0x2809);
            (43, 254) : choose1_choose(0x86DC, 0xA28A); (43, 255) : choose1_choose(0x248B, 0x24F4);
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
            (38, 0) : choose2_choose(0, 0); (38, 1) : choose2_choose(0xDD2D, 0xB896);
            (38, 2) : choose2_choose(0x665E, 0xA365); (38, 3) : choose2_choose(0xBB73, 0x1BF3);
            (38, 4) : choose2_choose(0xCCBC, 0x46CB); (38, 5) : choose2_choose(0x1191, 0xFE5D);
            (38, 6) : choose2_choose(0xAAE2, 0xE5AE); (38, 7) : choose2_choose(0x77CF, 0x5D38);
            (38, 8) : choose2_choose(0x93C5, 0xC9A4); (38, 9) : choose2_choose(0x4EE8, 0x7132);
            (38, 10) : choose2_choose(0xF59B, 0x6AC1); (38, 11) : choose2_choose(0x28B6, 0xD257);
            (38, 12) : choose2_choose(0x5F79, 0x8F6F); (38, 13) : choose2_choose(0x8254, 0x37F9);
            (38, 14) : choose2_choose(0x3927, 0x2C0A); (38, 15) : choose2_choose(0xE40A, 0x949C);
            (38, 16) : choose2_choose(0x2D37, 0xD77B); (38, 17) : choose2_choose(0xF01A, 0x6FED);
            (38, 18) : choose2_choose(0x4B69, 0x741E); (38, 19) : choose2_choose(0x9644, 0xCC88);
            (38, 20) : choose2_choose(0xE18B, 0x91B0); (38, 21) : choose2_choose(0x3CA6, 0x2926);
            (38, 22) : choose2_choose(0x87D5, 0x32D5); (38, 23) : choose2_choose(0x5AF8, 0x8A43);
            (38, 24) : choose2_choose(0xBEF2, 0x1EDF); (38, 25) : choose2_choose(0x63DF, 0xA649);
            (38, 26) : choose2_choose(0xD8AC, 0xBDBA); (38, 27) : choose2_choose(0x581, 0x52C);
            (38, 28) : choose2_choose(0x724E, 0x5814); (38, 29) : choose2_choose(0xAF63, 0xE082);
            (38, 30) : choose2_choose(0x1410, 0xFB71); (38, 31) : choose2_choose(0xC93D, 0x43E7);
            (38, 32) : choose2_choose(0x5A6E, 0xAEF7); (38, 33) : choose2_choose(0x8743, 0x1661);
            (38, 34) : choose2_choose(0x3C30, 0xD92); (38, 35) : choose2_choose(0xE11D, 0xB504);
            (38, 36) : choose2_choose(0x96D2, 0xE83C); (38, 37) : choose2_choose(0x4BFF, 0x50AA);
            (38, 38) : choose2_choose(0xF08C, 0x4B59); (38, 39) : choose2_choose(0x2DA1, 0xF3CF);
            (38, 40) : choose2_choose(0xC9AB, 0x6753); (38, 41) : choose2_choose(0x1486, 0xDFC5);
            (38, 42) : choose2_choose(0xAFF5, 0xC436); (38, 43) : choose2_choose(0x72D8, 0x7CA0);
            (38, 44) : choose2_choose(0x517, 0x2198); (38, 45) : choose2_choose(0xD83A, 0x990E);
            (38, 46) : choose2_choose(0x6349, 0x82FD); (38, 47) : choose2_choose(0xBE64, 0x3A6B);
            (38, 48) : choose2_choose(0x7759, 0x798C); (38, 49) : choose2_choose(0xAA74, 0xC11A);
            (38, 50) : choose2_choose(0x1107, 0xDAE9); (38, 51) : choose2_choose(0xCC2A, 0x627F);
            (38, 52) : choose2_choose(0xBBE5, 0x3F47); (38, 53) : choose2_choose(0x66C8, 0x87D1);
            (38, 54) : choose2_choose(0xDDBB, 0x9C22); (38, 55) : choose2_choose(150, 0x24B4);
            (38, 56) : choose2_choose(0xE49C, 0xB028); (38, 57) : choose2_choose(0x39B1, 0x8BE);
            (38, 58) : choose2_choose(0x82C2, 0x134D); (38, 59) : choose2_choose(0x5FEF, 0xABDB);
            (38, 60) : choose2_choose(0x2820, 0xF6E3); (38, 61) : choose2_choose(0xF50D, 0x4E75);
            (38, 62) : choose2_choose(0x4E7E, 0x5586); (38, 63) : choose2_choose(0x9353, 0xED10);
            (38, 64) : choose2_choose(0x68D9, 0x8FA7); (38, 65) : choose2_choose(0xB5F4, 0x3731);
            (38, 66) : choose2_choose(0xE87, 0x2CC2); (38, 67) : choose2_choose(0xD3AA, 0x9454);
            (38, 68) : choose2_choose(0xA465, 0xC96C); (38, 69) : choose2_choose(0x7948, 0x71FA);
            (38, 70) : choose2_choose(0xC23B, 0x6A09); (38, 71) : choose2_choose(0x1F16, 0xD29F);
            (38, 72) : choose2_choose(0xFB1C, 0x4603); (38, 73) : choose2_choose(0x2631, 0xFE95);
            (38, 74) : choose2_choose(0x9D42, 0xE566); (38, 75) : choose2_choose(0x406F, 0x5DF0);
            (38, 76) : choose2_choose(0x37A0, 200); (38, 77) : choose2_choose(0xEA8D, 0xB85E);
            (38, 78) : choose2_choose(0x51FE, 0xA3AD); (38, 79) : choose2_choose(0x8CD3, 0x1B3B);
            (38, 80) : choose2_choose(0x45EE, 0x58DC); (38, 81) : choose2_choose(0x98C3, 0xE04A);
            (38, 82) : choose2_choose(0x23B0, 0xFBB9); (38, 83) : choose2_choose(0xFE9D, 0x432F);
            (38, 84) : choose2_choose(0x8952, 0x1E17); (38, 85) : choose2_choose(0x547F, 0xA681);
            (38, 86) : choose2_choose(0xEF0C, 0xBD72); (38, 87) : choose2_choose(0x3221, 0x5E4);
            (38, 88) : choose2_choose(0xD62B, 0x9178); (38, 89) : choose2_choose(0xB06, 0x29EE);
            (38, 90) : choose2_choose(0xB075, 0x321D); (38, 91) : choose2_choose(0x6D58, 0x8A8B);
            (38, 92) : choose2_choose(0x1A97, 0xD7B3); (38, 93) : choose2_choose(0xC7BA, 0x6F25);
            (38, 94) : choose2_choose(0x7CC9, 0x74D6); (38, 95) : choose2_choose(0xA1E4, 0xCC40);
            (38, 96) : choose2_choose(0x32B7, 0x2150); (38, 97) : choose2_choose(0xEF9A, 0x99C6);
            (38, 98) : choose2_choose(0x54E9, 0x8235); (38, 99) : choose2_choose(0x89C4, 0x3AA3);
            (38, 100) : choose2_choose(0xFE0B, 0x679B); (38, 101) : choose2_choose(0x2326, 0xDF0D);
            (38, 102) : choose2_choose(0x9855, 0xC4FE); (38, 103) : choose2_choose(0x4578, 0x7C68);
            (38, 104) : choose2_choose(0xA172, 0xE8F4); (38, 105) : choose2_choose(0x7C5F, 0x5062);
            (38, 106) : choose2_choose(0xC72C, 0x4B91); (38, 107) : choose2_choose(0x1A01, 0xF307);
            (38, 108) : choose2_choose(0x6DCE, 0xAE3F); (38, 109) : choose2_choose(0xB0E3, 0x16A9);
            (38, 110) : choose2_choose(0xB90, 0xD5A); (38, 111) : choose2_choose(0xD6BD, 0xB5CC);
            (38, 112) : choose2_choose(0x1F80, 0xF62B); (38, 113) : choose2_choose(0xC2AD, 0x4EBD);
            (38, 114) : choose2_choose(0x79DE, 0x554E); (38, 115) : choose2_choose(0xA4F3, 0xEDD8);
            (38, 116) : choose2_choose(0xD33C, 0xB0E0); (38, 117) : choose2_choose(0xE11, 0x876);
            (38, 118) : choose2_choose(0xB562, 0x1385); (38, 119) : choose2_choose(0x684F, 0xAB13);
            (38, 120) : choose2_choose(0x8C45, 0x3F8F); (38, 121) : choose2_choose(0x5168, 0x8719);
            (38, 122) : choose2_choose(0xEA1B, 0x9CEA); (38, 123) : choose2_choose(0x3736, 0x247C);
            (38, 124) : choose2_choose(0x40F9, 0x7944); (38, 125) : choose2_choose(0x9DD4, 0xC1D2);
            (38, 126) : choose2_choose(0x26A7, 0xDA21); (38, 127) : choose2_choose(0xFB8A, 0x62B7);
            (38, 128) : choose2_choose(0xDB0E, 0x5B7D); (38, 129) : choose2_choose(0x623, 0xE3EB);
            (38, 130) : choose2_choose(0xBD50, 0xF818); (38, 131) : choose2_choose(0x607D, 0x408E);
            (38, 132) : choose2_choose(0x17B2, 0x1DB6); (38, 133) : choose2_choose(0xCA9F, 0xA520);
            (38, 134) : choose2_choose(0x71EC, 0xBED3); (38, 135) : choose2_choose(0xACC1, 0x645);
            (38, 136) : choose2_choose(0x48CB, 0x92D9); (38, 137) : choose2_choose(0x95E6, 0x2A4F);
            (38, 138) : choose2_choose(0x2E95, 0x31BC); (38, 139) : choose2_choose(0xF3B8, 0x892A);
            (38, 140) : choose2_choose(0x8477, 0xD412); (38, 141) : choose2_choose(0x595A, 0x6C84);
            (38, 142) : choose2_choose(0xE229, 0x7777); (38, 143) : choose2_choose(0x3F04, 0xCFE1);
            (38, 144) : choose2_choose(0xF639, 0x8C06); (38, 145) : choose2_choose(0x2B14, 0x3490);
            (38, 146) : choose2_choose(0x9067, 0x2F63); (38, 147) : choose2_choose(0x4D4A, 0x97F5);
            (38, 148) : choose2_choose(0x3A85, 0xCACD); (38, 149) : choose2_choose(0xE7A8, 0x725B);
            (38, 150) : choose2_choose(0x5CDB, 0x69A8); (38, 151) : choose2_choose(0x81F6, 0xD13E);
            (38, 152) : choose2_choose(0x65FC, 0x45A2); (38, 153) : choose2_choose(0xB8D1, 0xFD34);
            (38, 154) : choose2_choose(930, 0xE6C7); (38, 155) : choose2_choose(0xDE8F, 0x5E51);
            (38, 156) : choose2_choose(0xA940, 873); (38, 157) : choose2_choose(0x746D, 0xBBFF);
            (38, 158) : choose2_choose(0xCF1E, 0xA00C); (38, 159) : choose2_choose(0x1233, 0x189A);
            (38, 160) : choose2_choose(0x8160, 0xF58A); (38, 161) : choose2_choose(0x5C4D, 0x4D1C);
            (38, 162) : choose2_choose(0xE73E, 0x56EF); (38, 163) : choose2_choose(0x3A13, 0xEE79);
            (38, 164) : choose2_choose(0x4DDC, 0xB341); (38, 165) : choose2_choose(0x90F1, 0xBD7);
            (38, 166) : choose2_choose(0x2B82, 0x1024); (38, 167) : choose2_choose(0xF6AF, 0xA8B2);
            (38, 168) : choose2_choose(0x12A5, 0x3C2E); (38, 169) : choose2_choose(0xCF88, 0x84B8);
            (38, 170) : choose2_choose(0x74FB, 0x9F4B); (38, 171) : choose2_choose(0xA9D6, 0x27DD);
            (38, 172) : choose2_choose(0xDE19, 0x7AE5); (38, 173) : choose2_choose(820, 0xC273);
            (38, 174) : choose2_choose(0xB847, 0xD980); (38, 175) : choose2_choose(0x656A, 0x6116);
            (38, 176) : choose2_choose(0xAC57, 0x22F1); (38, 177) : choose2_choose(0x717A, 0x9A67);
            (38, 178) : choose2_choose(0xCA09, 0x8194); (38, 179) : choose2_choose(0x1724, 0x3902);
            (38, 180) : choose2_choose(0x60EB, 0x643A); (38, 181) : choose2_choose(0xBDC6, 0xDCAC);
            (38, 182) : choose2_choose(0x6B5, 0xC75F); (38, 183) : choose2_choose(0xDB98, 0x7FC9);
            (38, 184) : choose2_choose(0x3F92, 0xEB55); (38, 185) : choose2_choose(0xE2BF, 0x53C3);
            (38, 186) : choose2_choose(0x59CC, 0x4830); (38, 187) : choose2_choose(0x84E1, 0xF0A6);
            (38, 188) : choose2_choose(0xF32E, 0xAD9E); (38, 189) : choose2_choose(0x2E03, 0x1508);
            (38, 190) : choose2_choose(0x9570, 0xEFB); (38, 191) : choose2_choose(0x485D, 0xB66D);
            (38, 192) : choose2_choose(0xB3D7, 0xD4DA); (38, 193) : choose2_choose(0x6EFA, 0x6C4C);
            (38, 194) : choose2_choose(0xD589, 0x77BF); (38, 195) : choose2_choose(0x8A4, 0xCF29);
            (38, 196) : choose2_choose(0x7F6B, 0x9211); (38, 197) : choose2_choose(0xA246, 0x2A87);
            (38, 198) : choose2_choose(0x1935, 0x3174); (38, 199) : choose2_choose(0xC418, 0x89E2);
            (38, 200) : choose2_choose(0x2012, 0x1D7E); (38, 201) : choose2_choose(0xFD3F, 0xA5E8);
            (38, 202) : choose2_choose(0x464C, 0xBE1B); (38, 203) : choose2_choose(0x9B61, 0x68D);
            (38, 204) : choose2_choose(0xECAE, 0x5BB5); (38, 205) : choose2_choose(0x3183, 0xE323);
            (38, 206) : choose2_choose(0x8AF0, 0xF8D0); (38, 207) : choose2_choose(0x57DD, 0x4046);
            (38, 208) : choose2_choose(0x9EE0, 929); (38, 209) : choose2_choose(0x43CD, 0xBB37);
            (38, 210) : choose2_choose(0xF8BE, 0xA0C4); (38, 211) : choose2_choose(0x2593, 0x1852);
            (38, 212) : choose2_choose(0x525C, 0x456A); (38, 213) : choose2_choose(0x8F71, 0xFDFC);
            (38, 214) : choose2_choose(0x3402, 0xE60F); (38, 215) : choose2_choose(0xE92F, 0x5E99);
            (38, 216) : choose2_choose(0xD25, 0xCA05); (38, 217) : choose2_choose(0xD008, 0x7293);
            (38, 218) : choose2_choose(0x6B7B, 0x6960); (38, 219) : choose2_choose(0xB656, 0xD1F6);
            (38, 220) : choose2_choose(0xC199, 0x8CCE); (38, 221) : choose2_choose(0x1CB4, 0x3458);
            (38, 222) : choose2_choose(0xA7C7, 0x2FAB); (38, 223) : choose2_choose(0x7AEA, 0x973D);
            (38, 224) : choose2_choose(0xE9B9, 0x7A2D); (38, 225) : choose2_choose(0x3494, 0xC2BB);
            (38, 226) : choose2_choose(0x8FE7, 0xD948); (38, 227) : choose2_choose(0x52CA, 0x61DE);
            (38, 228) : choose2_choose(0x2505, 0x3CE6); (38, 229) : choose2_choose(0xF828, 0x8470);
            (38, 230) : choose2_choose(0x435B, 0x9F83); (38, 231) : choose2_choose(0x9E76, 0x2715);
            (38, 232) : choose2_choose(0x7A7C, 0xB389); (38, 233) : choose2_choose(0xA751, 0xB1F);
            (38, 234) : choose2_choose(0x1C22, 0x10EC); (38, 235) : choose2_choose(0xC10F, 0xA87A);
            (38, 236) : choose2_choose(0xB6C0, 0xF542); (38, 237) : choose2_choose(0x6BED, 0x4DD4);
            (38, 238) : choose2_choose(0xD09E, 0x5627); (38, 239) : choose2_choose(0xDB3, 0xEEB1);
            (38, 240) : choose2_choose(0xC48E, 0xAD56); (38, 241) : choose2_choose(0x19A3, 0x15C0);
            (38, 242) : choose2_choose(0xA2D0, 0xE33); (38, 243) : choose2_choose(0x7FFD, 0xB6A5);
            (38, 244) : choose2_choose(0x832, 0xEB9D); (38, 245) : choose2_choose(0xD51F, 0x530B);
            (38, 246) : choose2_choose(0x6E6C, 0x48F8); (38, 247) : choose2_choose(0xB341, 0xF06E);
            (38, 248) : choose2_choose(0x574B, 0x64F2); (38, 249) : choose2_choose(0x8A66, 0xDC64);
            (38, 250) : choose2_choose(0x3115, 0xC797); (38, 251) : choose2_choose(0xEC38, 0x7F01);
            (38, 252) : choose2_choose(0x9BF7, 0x2239); (38, 253) : choose2_choose(0x46DA, 0x9AAF);
            (38, 254) : choose2_choose(0xFDA9, 0x815C); (38, 255) : choose2_choose(0x2084, 0x39CA);
            (39, 0) : choose2_choose(0, 0); (39, 1) : choose2_choose(0x73E2, 0xD117);
            (39, 2) : choose2_choose(0x317D, 0x3455); (39, 3) : choose2_choose(0x429F, 0xE542);
            (39, 4) : choose2_choose(0x62FA, 0x68AA); (39, 5) : choose2_choose(0x1118, 0xB9BD);
            (39, 6) : choose2_choose(0x5387, 0x5CFF); (39, 7) : choose2_choose(0x2065, 0x8DE8);
            (39, 8) : choose2_choose(0xCF48, 0x9566); (39, 9) : choose2_choose(0xBCAA, 0x4471);
            (39, 10) : choose2_choose(0xFE35, 0xA133); (39, 11) : choose2_choose(0x8DD7, 0x7024);
            (39, 12) : choose2_choose(0xADB2, 0xFDCC); (39, 13) : choose2_choose(0xDE50, 0x2CDB);
            (39, 14) : choose2_choose(0x9CCF, 0xC999); (39, 15) : choose2_choose(0xEF2D, 0x188E);
            (39, 16) : choose2_choose(0x9E91, 0x2ACD); (39, 17) : choose2_choose(0xED73, 0xFBDA);
            (39, 18) : choose2_choose(0xAFEC, 0x1E98); (39, 19) : choose2_choose(0xDC0E, 0xCF8F);
            (39, 20) : choose2_choose(0xFC6B, 0x4267); (39, 21) : choose2_choose(0x8F89, 0x9370);
            (39, 22) : choose2_choose(0xCD16, 0x7632); (39, 23) : choose2_choose(0xBEF4, 0xA725);
            (39, 24) : choose2_choose(0x51D9, 0xBFAB); (39, 25) : choose2_choose(0x223B, 0x6EBC);
            (39, 26) : choose2_choose(0x60A4, 0x8BFE); (39, 27) : choose2_choose(0x1346, 0x5AE9);
            (39, 28) : choose2_choose(0x3323, 0xD701); (39, 29) : choose2_choose(0x40C1, 0x616);
            (39, 30) : choose2_choose(606, 0xE354); (39, 31) : choose2_choose(0x71BC, 0x3243);
            (39, 32) : choose2_choose(0x379F, 0x11A8); (39, 33) : choose2_choose(0x447D, 0xC0BF);
            (39, 34) : choose2_choose(0x6E2, 0x25FD); (39, 35) : choose2_choose(0x7500, 0xF4EA);
            (39, 36) : choose2_choose(0x5565, 0x7902); (39, 37) : choose2_choose(0x2687, 0xA815);
            (39, 38) : choose2_choose(0x6418, 0x4D57); (39, 39) : choose2_choose(0x17FA, 0x9C40);
            (39, 40) : choose2_choose(0xF8D7, 0x84CE); (39, 41) : choose2_choose(0x8B35, 0x55D9);
            (39, 42) : choose2_choose(0xC9AA, 0xB09B); (39, 43) : choose2_choose(0xBA48, 0x618C);
            (39, 44) : choose2_choose(0x9A2D, 0xEC64); (39, 45) : choose2_choose(0xE9CF, 0x3D73);
            (39, 46) : choose2_choose(0xAB50, 0xD831); (39, 47) : choose2_choose(0xD8B2, 0x926);
            (39, 48) : choose2_choose(0xA90E, 0x3B65); (39, 49) : choose2_choose(0xDAEC, 0xEA72);
            (39, 50) : choose2_choose(0x9873, 0xF30); (39, 51) : choose2_choose(0xEB91, 0xDE27);
            (39, 52) : choose2_choose(0xCBF4, 0x53CF); (39, 53) : choose2_choose(0xB816, 0x82D8);
            (39, 54) : choose2_choose(0xFA89, 0x679A); (39, 55) : choose2_choose(0x896B, 0xB68D);
            (39, 56) : choose2_choose(0x6646, 0xAE03); (39, 57) : choose2_choose(0x15A4, 0x7F14);
            (39, 58) : choose2_choose(0x573B, 0x9A56); (39, 59) : choose2_choose(0x24D9, 0x4B41);
            (39, 60) : choose2_choose(0x4BC, 0xC6A9); (39, 61) : choose2_choose(0x775E, 0x17BE);
            (39, 62) : choose2_choose(0x35C1, 0xF2FC); (39, 63) : choose2_choose(0x4623, 0x23EB);
            (39, 64) : choose2_choose(0x6582, 0x6762); (39, 65) : choose2_choose(0x1660, 0xB675);
            (39, 66) : choose2_choose(0x54FF, 0x5337); (39, 67) : choose2_choose(0x271D, 0x8220);
            (39, 68) : choose2_choose(0x778, 0xFC8); (39, 69) : choose2_choose(0x749A, 0xDEDF);
            (39, 70) : choose2_choose(0x3605, 0x3B9D); (39, 71) : choose2_choose(0x45E7, 0xEA8A);
            (39, 72) : choose2_choose(0xAACA, 0xF204); (39, 73) : choose2_choose(0xD928, 0x2313);
            (39, 74) : choose2_choose(0x9BB7, 0xC651); (39, 75) : choose2_choose(0xE855, 0x1746);
            (39, 76) : choose2_choose(0xC830, 0x9AAE); (39, 77) : choose2_choose(0xBBD2, 0x4BB9);
            (39, 78) : choose2_choose(0xF94D, 0xAEFB); (39, 79) : choose2_choose(0x8AAF, 0x7FEC);
            (39, 80) : choose2_choose(0xFB13, 0x4DAF); (39, 81) : choose2_choose(0x88F1, 0x9CB8);
            (39, 82) : choose2_choose(0xCA6E, 0x79FA); (39, 83) : choose2_choose(0xB98C, 0xA8ED);
            (39, 84) : choose2_choose(0x99E9, 0x2505); (39, 85) : choose2_choose(0xEA0B, 0xF412);
            (39, 86) : choose2_choose(0xA894, 0x1150); (39, 87) : choose2_choose(0xDB76, 0xC047);
            (39, 88) : choose2_choose(0x345B, 0xD8C9); (39, 89) : choose2_choose(0x47B9, 0x9DE);
            (39, 90) : choose2_choose(0x526, 0xEC9C); (39, 91) : choose2_choose(0x76C4, 0x3D8B);
            (39, 92) : choose2_choose(0x56A1, 0xB063); (39, 93) : choose2_choose(0x2543, 0x6174);
            (39, 94) : choose2_choose(0x67DC, 0x8436); (39, 95) : choose2_choose(0x143E, 0x5521);
            (39, 96) : choose2_choose(0x521D, 0x76CA); (39, 97) : choose2_choose(0x21FF, 0xA7DD);
            (39, 98) : choose2_choose(0x6360, 0x429F); (39, 99) : choose2_choose(0x1082, 0x9388);
            (39, 100) : choose2_choose(0x30E7, 0x1E60); (39, 101) : choose2_choose(0x4305, 0xCF77);
            (39, 102) : choose2_choose(410, 0x2A35); (39, 103) : choose2_choose(0x7278, 0xFB22);
            (39, 104) : choose2_choose(0x9D55, 0xE3AC); (39, 105) : choose2_choose(0xEEB7, 0x32BB);
            (39, 106) : choose2_choose(0xAC28, 0xD7F9); (39, 107) : choose2_choose(0xDFCA, 0x6EE);
            (39, 108) : choose2_choose(0xFFAF, 0x8B06); (39, 109) : choose2_choose(0x8C4D, 0x5A11);
            (39, 110) : choose2_choose(0xCED2, 0xBF53); (39, 111) : choose2_choose(0xBD30, 0x6E44);
            (39, 112) : choose2_choose(0xCC8C, 0x5C07); (39, 113) : choose2_choose(0xBF6E, 0x8D10);
            (39, 114) : choose2_choose(0xFDF1, 0x6852); (39, 115) : choose2_choose(0x8E13, 0xB945);
            (39, 116) : choose2_choose(0xAE76, 0x34AD); (39, 117) : choose2_choose(0xDD94, 0xE5BA);
            (39, 118) : choose2_choose(0x9F0B, 248); (39, 119) : choose2_choose(0xECE9, 0xD1EF);
            (39, 120) : choose2_choose(964, 0xC961); (39, 121) : choose2_choose(0x7026, 0x1876);
            (39, 122) : choose2_choose(0x32B9, 0xFD34); (39, 123) : choose2_choose(0x415B, 0x2C23);
            (39, 124) : choose2_choose(0x613E, 0xA1CB); (39, 125) : choose2_choose(0x12DC, 0x70DC);
            (39, 126) : choose2_choose(0x5043, 0x959E); (39, 127) : choose2_choose(0x23A1, 0x4489);
            (39, 128) : choose2_choose(0x1DBD, 0x58BE); (39, 129) : choose2_choose(0x6E5F, 0x89A9);
            (39, 130) : choose2_choose(0x2CC0, 0x6CEB); (39, 131) : choose2_choose(0x5F22, 0xBDFC);
            (39, 132) : choose2_choose(0x7F47, 0x3014); (39, 133) : choose2_choose(0xCA5, 0xE103);
            (39, 134) : choose2_choose(0x4E3A, 0x441); (39, 135) : choose2_choose(0x3DD8, 0xD556);
            (39, 136) : choose2_choose(0xD2F5, 0xCDD8); (39, 137) : choose2_choose(0xA117, 0x1CCF);
            (39, 138) : choose2_choose(0xE388, 0xF98D); (39, 139) : choose2_choose(0x906A, 0x289A);
            (39, 140) : choose2_choose(0xB00F, 0xA572); (39, 141) : choose2_choose(0xC3ED, 0x7465);
            (39, 142) : choose2_choose(0x8172, 0x9127); (39, 143) : choose2_choose(0xF290, 0x4030);
            (39, 144) : choose2_choose(0x832C, 0x7273); (39, 145) : choose2_choose(0xF0CE, 0xA364);
            (39, 146) : choose2_choose(0xB251, 0x4626); (39, 147) : choose2_choose(0xC1B3, 0x9731);
            (39, 148) : choose2_choose(0xE1D6, 0x1AD9); (39, 149) : choose2_choose(0x9234, 0xCBCE);
            (39, 150) : choose2_choose(0xD0AB, 0x2E8C); (39, 151) : choose2_choose(0xA349, 0xFF9B);
            (39, 152) : choose2_choose(0x4C64, 0xE715); (39, 153) : choose2_choose(0x3F86, 0x3602);
            (39, 154) : choose2_choose(0x7D19, 0xD340); (39, 155) : choose2_choose(0xEFB, 599);
            (39, 156) : choose2_choose(0x2E9E, 0x8FBF); (39, 157) : choose2_choose(0x5D7C, 0x5EA8);
            (39, 158) : choose2_choose(0x1FE3, 0xBBEA); (39, 159) : choose2_choose(0x6C01, 0x6AFD);
            (39, 160) : choose2_choose(0x2A22, 0x4916); (39, 161) : choose2_choose(0x59C0, 0x9801);
            (39, 162) : choose2_choose(0x1B5F, 0x7D43); (39, 163) : choose2_choose(0x68BD, 0xAC54);
            (39, 164) : choose2_choose(0x48D8, 0x21BC); (39, 165) : choose2_choose(0x3B3A, 0xF0AB);
            (39, 166) : choose2_choose(0x79A5, 0x15E9); (39, 167) : choose2_choose(0xA47, 0xC4FE);
            (39, 168) : choose2_choose(0xE56A, 0xDC70); (39, 169) : choose2_choose(0x9688, 0xD67);
            (39, 170) : choose2_choose(0xD417, 0xE825); (39, 171) : choose2_choose(0xA7F5, 0x3932);
            (39, 172) : choose2_choose(0x8790, 0xB4DA); (39, 173) : choose2_choose(0xF472, 0x65CD);
            (39, 174) : choose2_choose(0xB6ED, 0x808F); (39, 175) : choose2_choose(0xC50F, 0x5198);
            (39, 176) : choose2_choose(0xB4B3, 0x63DB); (39, 177) : choose2_choose(0xC751, 0xB2CC);
            (39, 178) : choose2_choose(0x85CE, 0x578E); (39, 179) : choose2_choose(0xF62C, 0x8699);
            (39, 180) : choose2_choose(0xD649, 0xB71); (39, 181) : choose2_choose(0xA5AB, 0xDA66);
            (39, 182) : choose2_choose(0xE734, 0x3F24); (39, 183) : choose2_choose(0x94D6, 0xEE33);
            (39, 184) : choose2_choose(0x7BFB, 0xF6BD); (39, 185) : choose2_choose(0x819, 0x27AA);
            (39, 186) : choose2_choose(0x4A86, 0xC2E8); (39, 187) : choose2_choose(0x3964, 0x13FF);
            (39, 188) : choose2_choose(0x1901, 0x9E17); (39, 189) : choose2_choose(0x6AE3, 0x4F00);
            (39, 190) : choose2_choose(0x287C, 0xAA42); (39, 191) : choose2_choose(0x5B9E, 0x7B55);
            (39, 192) : choose2_choose(0x783F, 0x3FDC); (39, 193) : choose2_choose(0xBDD, 0xEECB);
            (39, 194) : choose2_choose(0x4942, 0xB89); (39, 195) : choose2_choose(0x3AA0, 0xDA9E);
            (39, 196) : choose2_choose(0x1AC5, 0x5776); (39, 197) : choose2_choose(0x6927, 0x8661);
            (39, 198) : choose2_choose(0x2BB8, 0x6323); (39, 199) : choose2_choose(0x585A, 0xB234);
            (39, 200) : choose2_choose(0xB777, 0xAABA); (39, 201) : choose2_choose(0xC495, 0x7BAD);
            (39, 202) : choose2_choose(0x860A, 0x9EEF); (39, 203) : choose2_choose(0xF5E8, 0x4FF8);
            (39, 204) : choose2_choose(0xD58D, 0xC210); (39, 205) : choose2_choose(0xA66F, 0x1307);
            (39, 206) : choose2_choose(0xE4F0, 0xF645); (39, 207) : choose2_choose(0x9712, 0x2752);
            (39, 208) : choose2_choose(0xE6AE, 0x1511); (39, 209) : choose2_choose(0x954C, 0xC406);
            (39, 210) : choose2_choose(0xD7D3, 0x2144); (39, 211) : choose2_choose(0xA431, 0xF053);
            (39, 212) : choose2_choose(0x8454, 0x7DBB); (39, 213) : choose2_choose(0xF7B6, 0xACAC);
            (39, 214) : choose2_choose(0xB529, 0x49EE); (39, 215) : choose2_choose(0xC6CB, 0x98F9);
            (39, 216) : choose2_choose(0x29E6, 0x8077); (39, 217) : choose2_choose(0x5A04, 0x5160);
            (39, 218) : choose2_choose(0x189B, 0xB422); (39, 219) : choose2_choose(0x6B79, 0x6535);
            (39, 220) : choose2_choose(0x4B1C, 0xE8DD); (39, 221) : choose2_choose(0x38FE, 0x39CA);
            (39, 222) : choose2_choose(0x7A61, 0xDC88); (39, 223) : choose2_choose(0x983, 0xD9F);
            (39, 224) : choose2_choose(0x4FA0, 0x2E74); (39, 225) : choose2_choose(0x3C42, 0xFF63);
            (39, 226) : choose2_choose(0x7EDD, 0x1A21); (39, 227) : choose2_choose(0xD3F, 0xCB36);
            (39, 228) : choose2_choose(0x2D5A, 0x46DE); (39, 229) : choose2_choose(0x5EB8, 0x97C9);
            (39, 230) : choose2_choose(0x1C27, 0x728B); (39, 231) : choose2_choose(0x6FC5, 0xA39C);
            (39, 232) : choose2_choose(0x80E8, 0xBB12); (39, 233) : choose2_choose(0xF30A, 0x6A05);
            (39, 234) : choose2_choose(0xB195, 0x8F47); (39, 235) : choose2_choose(0xC277, 0x5E50);
            (39, 236) : choose2_choose(0xE212, 0xD3B8); (39, 237) : choose2_choose(0x91F0, 687);
            (39, 238) : choose2_choose(0xD36F, 0xE7ED); (39, 239) : choose2_choose(0xA08D, 0x36FA);
            (39, 240) : choose2_choose(0xD131, 0x4B9); (39, 241) : choose2_choose(0xA2D3, 0xD5AE);
            (39, 242) : choose2_choose(0xE04C, 0x30EC); (39, 243) : choose2_choose(0x93AE, 0xE1FB);
            (39, 244) : choose2_choose(0xB3CB, 0x6C13); (39, 245) : choose2_choose(0xC029, 0xBD04);
            (39, 246) : choose2_choose(0x82B6, 0x5846); (39, 247) : choose2_choose(0xF154, 0x8951);
            (39, 248) : choose2_choose(0x1E79, 0x91DF); (39, 249) : choose2_choose(0x6D9B, 0x40C8);
            (39, 250) : choose2_choose(0x2F04, 0xA58A); (39, 251) : choose2_choose(0x5CE6, 0x749D);
            (39, 252) : choose2_choose(0x7C83, 0xF975); (39, 253) : choose2_choose(0xF61, 0x2862);
            (39, 254) : choose2_choose(0x4DFE, 0xCD20); (39, 255) : choose2_choose(0x3E1C, 0x1C37);
            (41, 0) : choose2_choose(0, 0); (41, 1) : choose2_choose(0x63C0, 0xBAF);
            (41, 2) : choose2_choose(0xCD3C, 0x536C); (41, 3) : choose2_choose(0xAEFC, 0x58C3);
            (41, 4) : choose2_choose(0x9A79, 0xA6D8); (41, 5) : choose2_choose(0xF9B9, 0xAD77);
            (41, 6) : choose2_choose(0x5745, 0xF5B4); (41, 7) : choose2_choose(0x3485, 0xFE1B);
            (41, 8) : choose2_choose(0xE8F6, 0x9FF9); (41, 9) : choose2_choose(0x8B36, 0x9456);
            (41, 10) : choose2_choose(0x25CA, 0xCC95); (41, 11) : choose2_choose(0x460A, 0xC73A);
            (41, 12) : choose2_choose(0x728F, 0x3921); (41, 13) : choose2_choose(0x114F, 0x328E);
            (41, 14) : choose2_choose(0xBFB3, 0x6A4D); (41, 15) : choose2_choose(0xDC73, 0x61E2);
            (41, 16) : choose2_choose(0xDB51, 0x7BC1); (41, 17) : choose2_choose(0xB891, 0x706E);
            (41, 18) : choose2_choose(0x166D, 0x28AD); (41, 19) : choose2_choose(0x75AD, 0x2302);
            (41, 20) : choose2_choose(0x4128, 0xDD19); (41, 21) : choose2_choose(0x22E8, 0xD6B6);
            (41, 22) : choose2_choose(0x8C14, 0x8E75); (41, 23) : choose2_choose(0xEFD4, 0x85DA);
            (41, 24) : choose2_choose(0x33A7, 0xE438); (41, 25) : choose2_choose(0x5067, 0xEF97);
            (41, 26) : choose2_choose(0xFE9B, 0xB754); (41, 27) : choose2_choose(0x9D5B, 0xBCFB);
            (41, 28) : choose2_choose(0xA9DE, 0x42E0); (41, 29) : choose2_choose(0xCA1E, 0x494F);
            (41, 30) : choose2_choose(0x64E2, 0x118C); (41, 31) : choose2_choose(0x722, 0x1A23);
            (41, 32) : choose2_choose(0x6AA6, 0x25CA); (41, 33) : choose2_choose(0x966, 0x2E65);
            (41, 34) : choose2_choose(0xA79A, 0x76A6); (41, 35) : choose2_choose(0xC45A, 0x7D09);
            (41, 36) : choose2_choose(0xF0DF, 0x8312); (41, 37) : choose2_choose(0x931F, 0x88BD);
            (41, 38) : choose2_choose(0x3DE3, 0xD07E); (41, 39) : choose2_choose(0x5E23, 0xDBD1);
            (41, 40) : choose2_choose(0x8250, 0xBA33); (41, 41) : choose2_choose(0xE190, 0xB19C);
            (41, 42) : choose2_choose(0x4F6C, 0xE95F); (41, 43) : choose2_choose(0x2CAC, 0xE2F0);
            (41, 44) : choose2_choose(0x1829, 0x1CEB); (41, 45) : choose2_choose(0x7BE9, 0x1744);
            (41, 46) : choose2_choose(0xD515, 0x4F87); (41, 47) : choose2_choose(0xB6D5, 0x4428);
            (41, 48) : choose2_choose(0xB1F7, 0x5E0B); (41, 49) : choose2_choose(0xD237, 0x55A4);
            (41, 50) : choose2_choose(0x7CCB, 0xD67); (41, 51) : choose2_choose(0x1F0B, 0x6C8);
            (41, 52) : choose2_choose(0x2B8E, 0xF8D3); (41, 53) : choose2_choose(0x484E, 0xF37C);
            (41, 54) : choose2_choose(0xE6B2, 0xABBF); (41, 55) : choose2_choose(0x8572, 0xA010);
            (41, 56) : choose2_choose(0x5901, 0xC1F2); (41, 57) : choose2_choose(0x3AC1, 0xCA5D);
            (41, 58) : choose2_choose(0x943D, 0x929E); (41, 59) : choose2_choose(0xF7FD, 0x9931);
            (41, 60) : choose2_choose(0xC378, 0x672A); (41, 61) : choose2_choose(0xA0B8, 0x6C85);
            (41, 62) : choose2_choose(0xE44, 0x3446); (41, 63) : choose2_choose(0x6D84, 0x3FE9);
            (41, 64) : choose2_choose(0xDFF0, 0xFA6); (41, 65) : choose2_choose(0xBC30, 0x409);
            (41, 66) : choose2_choose(0x12CC, 0x5CCA); (41, 67) : choose2_choose(0x710C, 0x5765);
            (41, 68) : choose2_choose(0x4589, 0xA97E); (41, 69) : choose2_choose(0x2649, 0xA2D1);
            (41, 70) : choose2_choose(0x88B5, 0xFA12); (41, 71) : choose2_choose(0xEB75, 0xF1BD);
            (41, 72) : choose2_choose(0x3706, 0x905F); (41, 73) : choose2_choose(0x54C6, 0x9BF0);
            (41, 74) : choose2_choose(0xFA3A, 0xC333); (41, 75) : choose2_choose(0x99FA, 0xC89C);
            (41, 76) : choose2_choose(0xAD7F, 0x3687); (41, 77) : choose2_choose(0xCEBF, 0x3D28);
            (41, 78) : choose2_choose(0x6043, 0x65EB); (41, 79) : choose2_choose(899, 0x6E44);
            (41, 80) : choose2_choose(0x4A1, 0x7467); (41, 81) : choose2_choose(0x6761, 0x7FC8);
            (41, 82) : choose2_choose(0xC99D, 0x270B); (41, 83) : choose2_choose(0xAA5D, 0x2CA4);
            (41, 84) : choose2_choose(0x9ED8, 0xD2BF); (41, 85) : choose2_choose(0xFD18, 0xD910);
            (41, 86) : choose2_choose(0x53E4, 0x81D3); (41, 87) : choose2_choose(0x3024, 0x8A7C);
            (41, 88) : choose2_choose(0xEC57, 0xEB9E); (41, 89) : choose2_choose(0x8F97, 0xE031);
            (41, 90) : choose2_choose(0x216B, 0xB8F2); (41, 91) : choose2_choose(0x42AB, 0xB35D);
            (41, 92) : choose2_choose(0x762E, 0x4D46); (41, 93) : choose2_choose(0x15EE, 0x46E9);
            (41, 94) : choose2_choose(0xBB12, 0x1E2A); (41, 95) : choose2_choose(0xD8D2, 0x1585);
            (41, 96) : choose2_choose(0xB556, 0x2A6C); (41, 97) : choose2_choose(0xD696, 0x21C3);
            (41, 98) : choose2_choose(0x786A, 0x7900); (41, 99) : choose2_choose(0x1BAA, 0x72AF);
            (41, 100) : choose2_choose(0x2F2F, 0x8CB4); (41, 101) : choose2_choose(0x4CEF, 0x871B);
            (41, 102) : choose2_choose(0xE213, 0xDFD8); (41, 103) : choose2_choose(0x81D3, 0xD477);
            (41, 104) : choose2_choose(0x5DA0, 0xB595); (41, 105) : choose2_choose(0x3E60, 0xBE3A);
            (41, 106) : choose2_choose(0x909C, 0xE6F9); (41, 107) : choose2_choose(0xF35C, 0xED56);
            (41, 108) : choose2_choose(0xC7D9, 0x134D); (41, 109) : choose2_choose(0xA419, 0x18E2);
            (41, 110) : choose2_choose(0xAE5, 0x4021); (41, 111) : choose2_choose(0x6925, 0x4B8E);
            (41, 112) : choose2_choose(0x6E07, 0x51AD); (41, 113) : choose2_choose(0xDC7, 0x5A02);
            (41, 114) : choose2_choose(0xA33B, 705); (41, 115) : choose2_choose(0xC0FB, 0x96E);
            (41, 116) : choose2_choose(0xF47E, 0xF775); (41, 117) : choose2_choose(0x97BE, 0xFCDA);
            (41, 118) : choose2_choose(0x3942, 0xA419); (41, 119) : choose2_choose(0x5A82, 0xAFB6);
            (41, 120) : choose2_choose(0x86F1, 0xCE54); (41, 121) : choose2_choose(0xE531, 0xC5FB);
            (41, 122) : choose2_choose(0x4BCD, 0x9D38); (41, 123) : choose2_choose(0x280D, 0x9697);
            (41, 124) : choose2_choose(0x1C88, 0x688C); (41, 125) : choose2_choose(0x7F48, 0x6323);
            (41, 126) : choose2_choose(0xD1B4, 0x3BE0); (41, 127) : choose2_choose(0xB274, 0x304F);
            (41, 128) : choose2_choose(0xB55D, 0x5B7E); (41, 129) : choose2_choose(0xD69D, 0x50D1);
            (41, 130) : choose2_choose(0x7861, 0x812); (41, 131) : choose2_choose(0x1BA1, 957);
            (41, 132) : choose2_choose(0x2F24, 0xFDA6); (41, 133) : choose2_choose(0x4CE4, 0xF609);
            (41, 134) : choose2_choose(0xE218, 0xAECA); (41, 135) : choose2_choose(0x81D8, 0xA565);
            (41, 136) : choose2_choose(0x5DAB, 0xC487); (41, 137) : choose2_choose(0x3E6B, 0xCF28);
            (41, 138) : choose2_choose(0x9097, 0x97EB); (41, 139) : choose2_choose(0xF357, 0x9C44);
            (41, 140) : choose2_choose(0xC7D2, 0x625F); (41, 141) : choose2_choose(0xA412, 0x69F0);
            (41, 142) : choose2_choose(0xAEE, 0x3133); (41, 143) : choose2_choose(0x692E, 0x3A9C);
            (41, 144) : choose2_choose(0x6E0C, 0x20BF); (41, 145) : choose2_choose(0xDCC, 0x2B10);
            (41, 146) : choose2_choose(0xA330, 0x73D3); (41, 147) : choose2_choose(0xC0F0, 0x787C);
            (41, 148) : choose2_choose(0xF475, 0x8667); (41, 149) : choose2_choose(0x97B5, 0x8DC8);
            (41, 150) : choose2_choose(0x3949, 0xD50B); (41, 151) : choose2_choose(0x5A89, 0xDEA4);
            (41, 152) : choose2_choose(0x86FA, 0xBF46); (41, 153) : choose2_choose(0xE53A, 0xB4E9);
            (41, 154) : choose2_choose(0x4BC6, 0xEC2A); (41, 155) : choose2_choose(0x2806, 0xE785);
            (41, 156) : choose2_choose(0x1C83, 0x199E); (41, 157) : choose2_choose(0x7F43, 0x1231);
            (41, 158) : choose2_choose(0xD1BF, 0x4AF2); (41, 159) : choose2_choose(0xB27F, 0x415D);
            (41, 160) : choose2_choose(0xDFFB, 0x7EB4); (41, 161) : choose2_choose(0xBC3B, 0x751B);
            (41, 162) : choose2_choose(0x12C7, 0x2DD8); (41, 163) : choose2_choose(0x7107, 0x2677);
            (41, 164) : choose2_choose(0x4582, 0xD86C); (41, 165) : choose2_choose(0x2642, 0xD3C3);
            (41, 166) : choose2_choose(0x88BE, 0x8B00); (41, 167) : choose2_choose(0xEB7E, 0x80AF);
            (41, 168) : choose2_choose(0x370D, 0xE14D); (41, 169) : choose2_choose(0x54CD, 0xEAE2);
            (41, 170) : choose2_choose(0xFA31, 0xB221); (41, 171) : choose2_choose(0x99F1, 0xB98E);
            (41, 172) : choose2_choose(0xAD74, 0x4795); (41, 173) : choose2_choose(0xCEB4, 0x4C3A);
            (41, 174) : choose2_choose(0x6048, 0x14F9); (41, 175) : choose2_choose(904, 0x1F56);
            (41, 176) : choose2_choose(0x4AA, 0x575); (41, 177) : choose2_choose(0x676A, 0xEDA);
            (41, 178) : choose2_choose(0xC996, 0x5619); (41, 179) : choose2_choose(0xAA56, 0x5DB6);
            (41, 180) : choose2_choose(0x9ED3, 0xA3AD); (41, 181) : choose2_choose(0xFD13, 0xA802);
            (41, 182) : choose2_choose(0x53EF, 0xF0C1); (41, 183) : choose2_choose(0x302F, 0xFB6E);
            (41, 184) : choose2_choose(0xEC5C, 0x9A8C); (41, 185) : choose2_choose(0x8F9C, 0x9123);
            (41, 186) : choose2_choose(0x2160, 0xC9E0); (41, 187) : choose2_choose(0x42A0, 0xC24F);
            (41, 188) : choose2_choose(0x7625, 0x3C54); (41, 189) : choose2_choose(0x15E5, 0x37FB);
            (41, 190) : choose2_choose(0xBB19, 0x6F38); (41, 191) : choose2_choose(0xD8D9, 0x6497);
            (41, 192) : choose2_choose(0x6AAD, 0x54D8); (41, 193) : choose2_choose(0x96D, 0x5F77);
            (41, 194) : choose2_choose(0xA791, 0x7B4); (41, 195) : choose2_choose(0xC451, 0xC1B);
            (41, 196) : choose2_choose(0xF0D4, 0xF200); (41, 197) : choose2_choose(0x9314, 0xF9AF);
            (41, 198) : choose2_choose(0x3DE8, 0xA16C); (41, 199) : choose2_choose(0x5E28, 0xAAC3);
            (41, 200) : choose2_choose(0x825B, 0xCB21); (41, 201) : choose2_choose(0xE19B, 0xC08E);
            (41, 202) : choose2_choose(0x4F67, 0x984D); (41, 203) : choose2_choose(0x2CA7, 0x93E2);
            (41, 204) : choose2_choose(0x1822, 0x6DF9); (41, 205) : choose2_choose(0x7BE2, 0x6656);
            (41, 206) : choose2_choose(0xD51E, 0x3E95); (41, 207) : choose2_choose(0xB6DE, 0x353A);
            (41, 208) : choose2_choose(0xB1FC, 0x2F19); (41, 209) : choose2_choose(0xD23C, 0x24B6);
            (41, 210) : choose2_choose(0x7CC0, 0x7C75); (41, 211) : choose2_choose(0x1F00, 0x77DA);
            (41, 212) : choose2_choose(0x2B85, 0x89C1); (41, 213) : choose2_choose(0x4845, 0x826E);
            (41, 214) : choose2_choose(0xE6B9, 0xDAAD); (41, 215) : choose2_choose(0x8579, 0xD102);
            (41, 216) : choose2_choose(0x590A, 0xB0E0); (41, 217) : choose2_choose(0x3ACA, 0xBB4F);
            (41, 218) : choose2_choose(0x9436, 0xE38C); (41, 219) : choose2_choose(0xF7F6, 0xE823);
            (41, 220) : choose2_choose(0xC373, 0x1638); (41, 221) : choose2_choose(0xA0B3, 0x1D97);
            (41, 222) : choose2_choose(0xE4F, 0x4554); (41, 223) : choose2_choose(0x6D8F, 0x4EFB);
            (41, 224) : choose2_choose(11, 0x7112); (41, 225) : choose2_choose(0x63CB, 0x7ABD);
            (41, 226) : choose2_choose(0xCD37, 0x227E); (41, 227) : choose2_choose(0xAEF7, 0x29D1);
            (41, 228) : choose2_choose(0x9A72, 0xD7CA); (41, 229) : choose2_choose(0xF9B2, 0xDC65);
            (41, 230) : choose2_choose(0x574E, 0x84A6); (41, 231) : choose2_choose(0x348E, 0x8F09);
            (41, 232) : choose2_choose(0xE8FD, 0xEEEB); (41, 233) : choose2_choose(0x8B3D, 0xE544);
            (41, 234) : choose2_choose(0x25C1, 0xBD87); (41, 235) : choose2_choose(0x4601, 0xB628);
            (41, 236) : choose2_choose(0x7284, 0x4833); (41, 237) : choose2_choose(0x1144, 0x439C);
            (41, 238) : choose2_choose(0xBFB8, 0x1B5F); (41, 239) : choose2_choose(0xDC78, 0x10F0);
            (41, 240) : choose2_choose(0xDB5A, 0xAD3); (41, 241) : choose2_choose(0xB89A, 380);
            (41, 242) : choose2_choose(0x1666, 0x59BF); (41, 243) : choose2_choose(0x75A6, 0x5210);
            (41, 244) : choose2_choose(0x4123, 0xAC0B); (41, 245) : choose2_choose(0x22E3, 0xA7A4);
            (41, 246) : choose2_choose(0x8C1F, 0xFF67); (41, 247) : choose2_choose(0xEFDF, 0xF4C8);
            (41, 248) : choose2_choose(0x33AC, 0x952A); (41, 249) : choose2_choose(0x506C, 0x9E85);
            (41, 250) : choose2_choose(0xFE90, 0xC646); (41, 251) : choose2_choose(0x9D50, 0xCDE9);
            (41, 252) : choose2_choose(0xA9D5, 0x33F2); (41, 253) : choose2_choose(0xCA15, 0x385D);
            (41, 254) : choose2_choose(0x64E9, 0x609E); (41, 255) : choose2_choose(0x729, 0x6B31);
            (43, 0) : choose2_choose(0, 0); (43, 1) : choose2_choose(0xC576, 0xAF50);
            (43, 2) : choose2_choose(0x8AED, 0x5EA1); (43, 3) : choose2_choose(0x4F9B, 0xF1F1);
            (43, 4) : choose2_choose(0x1F67, 0xF970); (43, 5) : choose2_choose(0xDA11, 0x5620);
            (43, 6) : choose2_choose(0x958A, 0xA7D1); (43, 7) : choose2_choose(0x50FC, 0x881);
            (43, 8) : choose2_choose(0x3ECE, 0xF2E1); (43, 9) : choose2_choose(0xFBB8, 0x5DB1);
            (43, 10) : choose2_choose(0xB423, 0xAC40); (43, 11) : choose2_choose(0x7155, 784);
            (43, 12) : choose2_choose(0x21A9, 0xB91); (43, 13) : choose2_choose(0xE4DF, 0xA4C1);
            (43, 14) : choose2_choose(0xAB44, 0x5530); (43, 15) : choose2_choose(0x6E32, 0xFA60);
            (43, 16) : choose2_choose(0x7720, 0xA1F1); (43, 17) : choose2_choose(0xB256, 0xEA1);
            (43, 18) : choose2_choose(0xFDCD, 0xFF50); (43, 19) : choose2_choose(0x38BB, 0x5000);
            (43, 20) : choose2_choose(0x6847, 0x5881); (43, 21) : choose2_choose(0xAD31, 0xF7D1);
            (43, 22) : choose2_choose(0xE2AA, 0x620); (43, 23) : choose2_choose(0x27DC, 0xA970);
            (43, 24) : choose2_choose(0x49EE, 0x5310); (43, 25) : choose2_choose(0x8C98, 0xFC40);
            (43, 26) : choose2_choose(0xC303, 0xDB1); (43, 27) : choose2_choose(0x675, 0xA2E1);
            (43, 28) : choose2_choose(0x5689, 0xAA60); (43, 29) : choose2_choose(0x93FF, 0x530);
            (43, 30) : choose2_choose(0xDC64, 0xF4C1); (43, 31) : choose2_choose(0x1912, 0x5B91);
            (43, 32) : choose2_choose(0x3245, 0x91AB); (43, 33) : choose2_choose(0xF733, 0x3EFB);
            (43, 34) : choose2_choose(0xB8A8, 0xCF0A); (43, 35) : choose2_choose(0x7DDE, 0x605A);
            (43, 36) : choose2_choose(0x2D22, 0x68DB); (43, 37) : choose2_choose(0xE854, 0xC78B);
            (43, 38) : choose2_choose(0xA7CF, 0x367A); (43, 39) : choose2_choose(0x62B9, 0x992A);
            (43, 40) : choose2_choose(0xC8B, 0x634A); (43, 41) : choose2_choose(0xC9FD, 0xCC1A);
            (43, 42) : choose2_choose(0x8666, 0x3DEB); (43, 43) : choose2_choose(0x4310, 0x92BB);
            (43, 44) : choose2_choose(0x13EC, 0x9A3A); (43, 45) : choose2_choose(0xD69A, 0x356A);
            (43, 46) : choose2_choose(0x9901, 0xC49B); (43, 47) : choose2_choose(0x5C77, 0x6BCB);
            (43, 48) : choose2_choose(0x4565, 0x305A); (43, 49) : choose2_choose(0x8013, 0x9F0A);
            (43, 50) : choose2_choose(0xCF88, 0x6EFB); (43, 51) : choose2_choose(0xAFE, 0xC1AB);
            (43, 52) : choose2_choose(0x5A02, 0xC92A); (43, 53) : choose2_choose(0x9F74, 0x667A);
            (43, 54) : choose2_choose(0xD0EF, 0x978B); (43, 55) : choose2_choose(0x1599, 0x38DB);
            (43, 56) : choose2_choose(0x7BAB, 0xC2BB); (43, 57) : choose2_choose(0xBEDD, 0x6DEB);
            (43, 58) : choose2_choose(0xF146, 0x9C1A); (43, 59) : choose2_choose(0x3430, 0x334A);
            (43, 60) : choose2_choose(0x64CC, 0x3BCB); (43, 61) : choose2_choose(0xA1BA, 0x949B);
            (43, 62) : choose2_choose(0xEE21, 0x656A); (43, 63) : choose2_choose(0x2B57, 0xCA3A);
            (43, 64) : choose2_choose(0xB88F, 0xF11F); (43, 65) : choose2_choose(0x7DF9, 0x5E4F);
            (43, 66) : choose2_choose(0x3262, 0xAFBE); (43, 67) : choose2_choose(0xF714, 238);
            (43, 68) : choose2_choose(0xA7E8, 0x86F); (43, 69) : choose2_choose(0x629E, 0xA73F);
            (43, 70) : choose2_choose(0x2D05, 0x56CE); (43, 71) : choose2_choose(0xE873, 0xF99E);
            (43, 72) : choose2_choose(0x8641, 1022); (43, 73) : choose2_choose(0x4337, 0xACAE);
            (43, 74) : choose2_choose(0xCAC, 0x5D5F); (43, 75) : choose2_choose(0xC9DA, 0xF20F);
            (43, 76) : choose2_choose(0x9926, 0xFA8E); (43, 77) : choose2_choose(0x5C50, 0x55DE);
            (43, 78) : choose2_choose(0x13CB, 0xA42F); (43, 79) : choose2_choose(0xD6BD, 0xB7F);
            (43, 80) : choose2_choose(0xCFAF, 0x50EE); (43, 81) : choose2_choose(0xAD9, 0xFFBE);
            (43, 82) : choose2_choose(0x4542, 0xE4F); (43, 83) : choose2_choose(0x8034, 0xA11F);
            (43, 84) : choose2_choose(0xD0C8, 0xA99E); (43, 85) : choose2_choose(0x15BE, 0x6CE);
            (43, 86) : choose2_choose(0x5A25, 0xF73F); (43, 87) : choose2_choose(0x9F53, 0x586F);
            (43, 88) : choose2_choose(0xF161, 0xA20F); (43, 89) : choose2_choose(0x3417, 0xD5F);
            (43, 90) : choose2_choose(0x7B8C, 0xFCAE); (43, 91) : choose2_choose(0xBEFA, 0x53FE);
            (43, 92) : choose2_choose(0xEE06, 0x5B7F); (43, 93) : choose2_choose(0x2B70, 0xF42F);
            (43, 94) : choose2_choose(0x64EB, 0x5DE); (43, 95) : choose2_choose(0xA19D, 0xAA8E);
            (43, 96) : choose2_choose(0x8ACA, 0x60B4); (43, 97) : choose2_choose(0x4FBC, 0xCFE4);
            (43, 98) : choose2_choose(39, 0x3E15); (43, 99) : choose2_choose(0xC551, 0x9145);
            (43, 100) : choose2_choose(0x95AD, 0x99C4); (43, 101) : choose2_choose(0x50DB, 0x3694);
            (43, 102) : choose2_choose(0x1F40, 0xC765); (43, 103) : choose2_choose(0xDA36, 0x6835);
            (43, 104) : choose2_choose(0xB404, 0x9255); (43, 105) : choose2_choose(0x7172, 0x3D05);
            (43, 106) : choose2_choose(0x3EE9, 0xCCF4); (43, 107) : choose2_choose(0xFB9F, 0x63A4);
            (43, 108) : choose2_choose(0xAB63, 0x6B25); (43, 109) : choose2_choose(0x6E15, 0xC475);
            (43, 110) : choose2_choose(0x218E, 0x3584); (43, 111) : choose2_choose(0xE4F8, 0x9AD4);
            (43, 112) : choose2_choose(0xFDEA, 0xC145); (43, 113) : choose2_choose(0x389C, 0x6E15);
            (43, 114) : choose2_choose(0x7707, 0x9FE4); (43, 115) : choose2_choose(0xB271, 0x30B4);
            (43, 116) : choose2_choose(0xE28D, 0x3835); (43, 117) : choose2_choose(0x27FB, 0x9765);
            (43, 118) : choose2_choose(0x6860, 0x6694); (43, 119) : choose2_choose(0xAD16, 0xC9C4);
            (43, 120) : choose2_choose(0xC324, 0x33A4); (43, 121) : choose2_choose(0x652, 0x9CF4);
            (43, 122) : choose2_choose(0x49C9, 0x6D05); (43, 123) : choose2_choose(0x8CBF, 0xC255);
            (43, 124) : choose2_choose(0xDC43, 0xCAD4); (43, 125) : choose2_choose(0x1935, 0x6584);
            (43, 126) : choose2_choose(0x56AE, 0x9475); (43, 127) : choose2_choose(0x93D8, 0x3B25);
            (43, 128) : choose2_choose(0xA7A6, 0x7445); (43, 129) : choose2_choose(0x62D0, 0xDB15);
            (43, 130) : choose2_choose(0x2D4B, 0x2AE4); (43, 131) : choose2_choose(0xE83D, 0x85B4);
            (43, 132) : choose2_choose(0xB8C1, 0x8D35); (43, 133) : choose2_choose(0x7DB7, 0x2265);
            (43, 134) : choose2_choose(0x322C, 0xD394); (43, 135) : choose2_choose(0xF75A, 0x7CC4);
            (43, 136) : choose2_choose(0x9968, 0x86A4); (43, 137) : choose2_choose(0x5C1E, 0x29F4);
            (43, 138) : choose2_choose(0x1385, 0xD805); (43, 139) : choose2_choose(0xD6F3, 0x7755);
            (43, 140) : choose2_choose(0x860F, 0x7FD4); (43, 141) : choose2_choose(0x4379, 0xD084);
            (43, 142) : choose2_choose(0xCE2, 0x2175); (43, 143) : choose2_choose(0xC994, 0x8E25);
            (43, 144) : choose2_choose(0xD086, 0xD5B4); (43, 145) : choose2_choose(0x15F0, 0x7AE4);
            (43, 146) : choose2_choose(0x5A6B, 0x8B15); (43, 147) : choose2_choose(0x9F1D, 0x2445);
            (43, 148) : choose2_choose(0xCFE1, 0x2CC4); (43, 149) : choose2_choose(0xA97, 0x8394);
            (43, 150) : choose2_choose(0x450C, 0x7265); (43, 151) : choose2_choose(0x807A, 0xDD35);
            (43, 152) : choose2_choose(0xEE48, 0x2755); (43, 153) : choose2_choose(0x2B3E, 0x8805);
            (43, 154) : choose2_choose(0x64A5, 0x79F4); (43, 155) : choose2_choose(0xA1D3, 0xD6A4);
            (43, 156) : choose2_choose(0xF12F, 0xDE25); (43, 157) : choose2_choose(0x3459, 0x7175);
            (43, 158) : choose2_choose(0x7BC2, 0x8084); (43, 159) : choose2_choose(0xBEB4, 0x2FD4);
            (43, 160) : choose2_choose(0x95E3, 0xE5EE); (43, 161) : choose2_choose(0x5095, 0x4ABE);
            (43, 162) : choose2_choose(0x1F0E, 0xBB4F); (43, 163) : choose2_choose(0xDA78, 0x141F);
            (43, 164) : choose2_choose(0x8A84, 0x1C9E); (43, 165) : choose2_choose(0x4FF2, 0xB3CE);
            (43, 166) : choose2_choose(105, 0x423F); (43, 167) : choose2_choose(0xC51F, 0xED6F);
            (43, 168) : choose2_choose(0xAB2D, 0x170F); (43, 169) : choose2_choose(0x6E5B, 0xB85F);
            (43, 170) : choose2_choose(0x21C0, 0x49AE); (43, 171) : choose2_choose(0xE4B6, 0xE6FE);
            (43, 172) : choose2_choose(0xB44A, 0xEE7F); (43, 173) : choose2_choose(0x713C, 0x412F);
            (43, 174) : choose2_choose(0x3EA7, 0xB0DE); (43, 175) : choose2_choose(0xFBD1, 0x1F8E);
            (43, 176) : choose2_choose(0xE2C3, 0x441F); (43, 177) : choose2_choose(0x27B5, 0xEB4F);
            (43, 178) : choose2_choose(0x682E, 0x1ABE); (43, 179) : choose2_choose(0xAD58, 0xB5EE);
            (43, 180) : choose2_choose(0xFDA4, 0xBD6F); (43, 181) : choose2_choose(0x38D2, 0x123F);
            (43, 182) : choose2_choose(0x7749, 0xE3CE); (43, 183) : choose2_choose(0xB23F, 0x4C9E);
            (43, 184) : choose2_choose(0xDC0D, 0xB6FE); (43, 185) : choose2_choose(0x197B, 0x19AE);
            (43, 186) : choose2_choose(0x56E0, 0xE85F); (43, 187) : choose2_choose(0x9396, 0x470F);
            (43, 188) : choose2_choose(0xC36A, 0x4F8E); (43, 189) : choose2_choose(0x61C, 0xE0DE);
            (43, 190) : choose2_choose(0x4987, 0x112F); (43, 191) : choose2_choose(0x8CF1, 0xBE7F);
            (43, 192) : choose2_choose(0x1F29, 0x855A); (43, 193) : choose2_choose(0xDA5F, 0x2A0A);
            (43, 194) : choose2_choose(0x95C4, 0xDBFB); (43, 195) : choose2_choose(0x50B2, 0x74AB);
            (43, 196) : choose2_choose(78, 0x7C2A); (43, 197) : choose2_choose(0xC538, 0xD37A);
            (43, 198) : choose2_choose(0x8AA3, 0x228B); (43, 199) : choose2_choose(0x4FD5, 0x8DDB);
            (43, 200) : choose2_choose(0x21E7, 0x77BB); (43, 201) : choose2_choose(0xE491, 0xD8EB);
            (43, 202) : choose2_choose(0xAB0A, 0x291A); (43, 203) : choose2_choose(0x6E7C, 0x864A);
            (43, 204) : choose2_choose(0x3E80, 0x8ECB); (43, 205) : choose2_choose(0xFBF6, 0x219B);
            (43, 206) : choose2_choose(0xB46D, 0xD06A); (43, 207) : choose2_choose(0x711B, 0x7F3A);
            (43, 208) : choose2_choose(0x6809, 0x24AB); (43, 209) : choose2_choose(0xAD7F, 0x8BFB);
            (43, 210) : choose2_choose(0xE2E4, 0x7A0A); (43, 211) : choose2_choose(0x2792, 0xD55A);
            (43, 212) : choose2_choose(0x776E, 0xDDDB); (43, 213) : choose2_choose(0xB218, 0x728B);
            (43, 214) : choose2_choose(0xFD83, 0x837A); (43, 215) : choose2_choose(0x38F5, 0x2C2A);
            (43, 216) : choose2_choose(0x56C7, 0xD64A); (43, 217) : choose2_choose(0x93B1, 0x791A);
            (43, 218) : choose2_choose(0xDC2A, 0x88EB); (43, 219) : choose2_choose(0x195C, 0x27BB);
            (43, 220) : choose2_choose(0x49A0, 0x2F3A); (43, 221) : choose2_choose(0x8CD6, 0x806A);
            (43, 222) : choose2_choose(0xC34D, 0x719B); (43, 223) : choose2_choose(0x63B, 0xDECB);
            (43, 224) : choose2_choose(0x2D6C, 0x14F1); (43, 225) : choose2_choose(0xE81A, 0xBBA1);
            (43, 226) : choose2_choose(0xA781, 0x4A50); (43, 227) : choose2_choose(0x62F7, 0xE500);
            (43, 228) : choose2_choose(0x320B, 0xED81); (43, 229) : choose2_choose(0xF77D, 0x42D1);
            (43, 230) : choose2_choose(0xB8E6, 0xB320); (43, 231) : choose2_choose(0x7D90, 0x1C70);
            (43, 232) : choose2_choose(0x13A2, 0xE610); (43, 233) : choose2_choose(0xD6D4, 0x4940);
            (43, 234) : choose2_choose(0x994F, 0xB8B1); (43, 235) : choose2_choose(0x5C39, 0x17E1);
            (43, 236) : choose2_choose(0xCC5, 0x1F60); (43, 237) : choose2_choose(0xC9B3, 0xB030);
            (43, 238) : choose2_choose(0x8628, 0x41C1); (43, 239) : choose2_choose(0x435E, 0xEE91);
            (43, 240) : choose2_choose(0x5A4C, 0xB500); (43, 241) : choose2_choose(0x9F3A, 0x1A50);
            (43, 242) : choose2_choose(0xD0A1, 0xEBA1); (43, 243) : choose2_choose(0x15D7, 0x44F1);
            (43, 244) : choose2_choose(0x452B, 0x4C70); (43, 245) : choose2_choose(0x805D, 0xE320);
            (43, 246) : choose2_choose(0xCFC6, 0x12D1); (43, 247) : choose2_choose(0xAB0, 0xBD81);
            (43, 248) : choose2_choose(0x6482, 0x47E1); (43, 249) : choose2_choose(0xA1F4, 0xE8B1);
            (43, 250) : choose2_choose(0xEE6F, 0x1940); (43, 251) : choose2_choose(0x2B19, 0xB610);
            (43, 252) : choose2_choose(0x7BE5, 0xBE91); (43, 253) : choose2_choose(0xBE93, 0x11C1);
            (43, 254) : choose2_choose(0xF108, 0xE030); (43, 255) : choose2_choose(0x347E, 0x4F60);
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
            (38, 0) : choose3_choose(0, 0); (38, 1) : choose3_choose(0xB61D, 0xB6FA);
            (38, 2) : choose3_choose(0xB03E, 0xBFBD); (38, 3) : choose3_choose(0x623, 0x947);
            (38, 4) : choose3_choose(0xBC78, 0xAD33); (38, 5) : choose3_choose(0xA65, 0x1BC9);
            (38, 6) : choose3_choose(0xC46, 0x128E); (38, 7) : choose3_choose(0xBA5B, 0xA474);
            (38, 8) : choose3_choose(0x78F1, 0x5A67); (38, 9) : choose3_choose(0xCEEC, 0xEC9D);
            (38, 10) : choose3_choose(0xC8CF, 0xE5DA); (38, 11) : choose3_choose(0x7ED2, 0x5320);
            (38, 12) : choose3_choose(0xC489, 0xF754); (38, 13) : choose3_choose(0x7294, 0x41AE);
            (38, 14) : choose3_choose(0x74B7, 0x48E9); (38, 15) : choose3_choose(0xC2AA, 0xFE13);
            (38, 16) : choose3_choose(0x275B, 0x22B4); (38, 17) : choose3_choose(0x9146, 0x944E);
            (38, 18) : choose3_choose(0x9765, 0x9D09); (38, 19) : choose3_choose(0x2178, 0x2BF3);
            (38, 20) : choose3_choose(0x9B23, 0x8F87); (38, 21) : choose3_choose(0x2D3E, 0x397D);
            (38, 22) : choose3_choose(0x2B1D, 0x303A); (38, 23) : choose3_choose(0x9D00, 0x86C0);
            (38, 24) : choose3_choose(0x5FAA, 0x78D3); (38, 25) : choose3_choose(0xE9B7, 0xCE29);
            (38, 26) : choose3_choose(0xEF94, 0xC76E); (38, 27) : choose3_choose(0x5989, 0x7194);
            (38, 28) : choose3_choose(0xE3D2, 0xD5E0); (38, 29) : choose3_choose(0x55CF, 0x631A);
            (38, 30) : choose3_choose(0x53EC, 0x6A5D); (38, 31) : choose3_choose(0xE5F1, 0xDCA7);
            (38, 32) : choose3_choose(0x92B3, 0x9720); (38, 33) : choose3_choose(0x24AE, 0x21DA);
            (38, 34) : choose3_choose(0x228D, 0x289D); (38, 35) : choose3_choose(0x9490, 0x9E67);
            (38, 36) : choose3_choose(0x2ECB, 0x3A13); (38, 37) : choose3_choose(0x98D6, 0x8CE9);
            (38, 38) : choose3_choose(0x9EF5, 0x85AE); (38, 39) : choose3_choose(0x28E8, 0x3354);
            (38, 40) : choose3_choose(0xEA42, 0xCD47); (38, 41) : choose3_choose(0x5C5F, 0x7BBD);
            (38, 42) : choose3_choose(0x5A7C, 0x72FA); (38, 43) : choose3_choose(0xEC61, 0xC400);
            (38, 44) : choose3_choose(0x563A, 0x6074); (38, 45) : choose3_choose(0xE027, 0xD68E);
            (38, 46) : choose3_choose(0xE604, 0xDFC9); (38, 47) : choose3_choose(0x5019, 0x6933);
            (38, 48) : choose3_choose(0xB5E8, 0xB594); (38, 49) : choose3_choose(1013, 878);
            (38, 50) : choose3_choose(0x5D6, 0xA29); (38, 51) : choose3_choose(0xB3CB, 0xBCD3);
            (38, 52) : choose3_choose(0x990, 0x18A7); (38, 53) : choose3_choose(0xBF8D, 0xAE5D);
            (38, 54) : choose3_choose(0xB9AE, 0xA71A); (38, 55) : choose3_choose(0xFB3, 0x11E0);
            (38, 56) : choose3_choose(0xCD19, 0xEFF3); (38, 57) : choose3_choose(0x7B04, 0x5909);
            (38, 58) : choose3_choose(0x7D27, 0x504E); (38, 59) : choose3_choose(0xCB3A, 0xE6B4);
            (38, 60) : choose3_choose(0x7161, 0x42C0); (38, 61) : choose3_choose(0xC77C, 0xF43A);
            (38, 62) : choose3_choose(0xC15F, 0xFD7D); (38, 63) : choose3_choose(0x7742, 0x4B87);
            (38, 64) : choose3_choose(0xF3DE, 0xB83B); (38, 65) : choose3_choose(0x45C3, 0xEC1);
            (38, 66) : choose3_choose(0x43E0, 0x786); (38, 67) : choose3_choose(0xF5FD, 0xB17C);
            (38, 68) : choose3_choose(0x4FA6, 0x1508); (38, 69) : choose3_choose(0xF9BB, 0xA3F2);
            (38, 70) : choose3_choose(0xFF98, 0xAAB5); (38, 71) : choose3_choose(0x4985, 0x1C4F);
            (38, 72) : choose3_choose(0x8B2F, 0xE25C); (38, 73) : choose3_choose(0x3D32, 0x54A6);
            (38, 74) : choose3_choose(0x3B11, 0x5DE1); (38, 75) : choose3_choose(0x8D0C, 0xEB1B);
            (38, 76) : choose3_choose(0x3757, 0x4F6F); (38, 77) : choose3_choose(0x814A, 0xF995);
            (38, 78) : choose3_choose(0x8769, 0xF0D2); (38, 79) : choose3_choose(0x3174, 0x4628);
            (38, 80) : choose3_choose(0xD485, 0x9A8F); (38, 81) : choose3_choose(0x6298, 0x2C75);
            (38, 82) : choose3_choose(0x64BB, 0x2532); (38, 83) : choose3_choose(0xD2A6, 0x93C8);
            (38, 84) : choose3_choose(0x68FD, 0x37BC); (38, 85) : choose3_choose(0xDEE0, 0x8146);
            (38, 86) : choose3_choose(0xD8C3, 0x8801); (38, 87) : choose3_choose(0x6EDE, 0x3EFB);
            (38, 88) : choose3_choose(0xAC74, 0xC0E8); (38, 89) : choose3_choose(0x1A69, 0x7612);
            (38, 90) : choose3_choose(0x1C4A, 0x7F55); (38, 91) : choose3_choose(0xAA57, 0xC9AF);
            (38, 92) : choose3_choose(0x100C, 0x6DDB); (38, 93) : choose3_choose(0xA611, 0xDB21);
            (38, 94) : choose3_choose(0xA032, 0xD266); (38, 95) : choose3_choose(0x162F, 0x649C);
            (38, 96) : choose3_choose(0x616D, 0x2F1B); (38, 97) : choose3_choose(0xD770, 0x99E1);
            (38, 98) : choose3_choose(0xD153, 0x90A6); (38, 99) : choose3_choose(0x674E, 0x265C);
            (38, 100) : choose3_choose(0xDD15, 0x8228); (38, 101) : choose3_choose(0x6B08, 0x34D2);
            (38, 102) : choose3_choose(0x6D2B, 0x3D95); (38, 103) : choose3_choose(0xDB36, 0x8B6F);
            (38, 104) : choose3_choose(0x199C, 0x757C); (38, 105) : choose3_choose(0xAF81, 0xC386);
            (38, 106) : choose3_choose(0xA9A2, 0xCAC1); (38, 107) : choose3_choose(0x1FBF, 0x7C3B);
            (38, 108) : choose3_choose(0xA5E4, 0xD84F); (38, 109) : choose3_choose(0x13F9, 0x6EB5);
            (38, 110) : choose3_choose(0x15DA, 0x67F2); (38, 111) : choose3_choose(0xA3C7, 0xD108);
            (38, 112) : choose3_choose(0x4636, 0xDAF); (38, 113) : choose3_choose(0xF02B, 0xBB55);
            (38, 114) : choose3_choose(0xF608, 0xB212); (38, 115) : choose3_choose(0x4015, 0x4E8);
            (38, 116) : choose3_choose(0xFA4E, 0xA09C); (38, 117) : choose3_choose(0x4C53, 0x1666);
            (38, 118) : choose3_choose(0x4A70, 0x1F21); (38, 119) : choose3_choose(0xFC6D, 0xA9DB);
            (38, 120) : choose3_choose(0x3EC7, 0x57C8); (38, 121) : choose3_choose(0x88DA, 0xE132);
            (38, 122) : choose3_choose(0x8EF9, 0xE875); (38, 123) : choose3_choose(0x38E4, 0x5E8F);
            (38, 124) : choose3_choose(0x82BF, 0xFAFB); (38, 125) : choose3_choose(0x34A2, 0x4C01);
            (38, 126) : choose3_choose(0x3281, 0x4546); (38, 127) : choose3_choose(0x849C, 0xF3BC);
            (38, 128) : choose3_choose(0x3104, 0xE60D); (38, 129) : choose3_choose(0x8719, 0x50F7);
            (38, 130) : choose3_choose(0x813A, 0x59B0); (38, 131) : choose3_choose(0x3727, 0xEF4A);
            (38, 132) : choose3_choose(0x8D7C, 0x4B3E); (38, 133) : choose3_choose(0x3B61, 0xFDC4);
            (38, 134) : choose3_choose(0x3D42, 0xF483); (38, 135) : choose3_choose(0x8B5F, 0x4279);
            (38, 136) : choose3_choose(0x49F5, 0xBC6A); (38, 137) : choose3_choose(0xFFE8, 0xA90);
            (38, 138) : choose3_choose(0xF9CB, 983); (38, 139) : choose3_choose(0x4FD6, 0xB52D);
            (38, 140) : choose3_choose(0xF58D, 0x1159); (38, 141) : choose3_choose(0x4390, 0xA7A3);
            (38, 142) : choose3_choose(0x45B3, 0xAEE4); (38, 143) : choose3_choose(0xF3AE, 0x181E);
            (38, 144) : choose3_choose(0x165F, 0xC4B9); (38, 145) : choose3_choose(0xA042, 0x7243);
            (38, 146) : choose3_choose(0xA661, 0x7B04); (38, 147) : choose3_choose(0x107C, 0xCDFE);
            (38, 148) : choose3_choose(0xAA27, 0x698A); (38, 149) : choose3_choose(0x1C3A, 0xDF70);
            (38, 150) : choose3_choose(0x1A19, 0xD637); (38, 151) : choose3_choose(0xAC04, 0x60CD);
            (38, 152) : choose3_choose(0x6EAE, 0x9EDE); (38, 153) : choose3_choose(0xD8B3, 0x2824);
            (38, 154) : choose3_choose(0xDE90, 0x2163); (38, 155) : choose3_choose(0x688D, 0x9799);
            (38, 156) : choose3_choose(0xD2D6, 0x33ED); (38, 157) : choose3_choose(0x64CB, 0x8517);
            (38, 158) : choose3_choose(0x62E8, 0x8C50); (38, 159) : choose3_choose(0xD4F5, 0x3AAA);
            (38, 160) : choose3_choose(0xA3B7, 0x712D); (38, 161) : choose3_choose(0x15AA, 0xC7D7);
            (38, 162) : choose3_choose(0x1389, 0xCE90); (38, 163) : choose3_choose(0xA594, 0x786A);
            (38, 164) : choose3_choose(0x1FCF, 0xDC1E); (38, 165) : choose3_choose(0xA9D2, 0x6AE4);
            (38, 166) : choose3_choose(0xAFF1, 0x63A3); (38, 167) : choose3_choose(0x19EC, 0xD559);
            (38, 168) : choose3_choose(0xDB46, 0x2B4A); (38, 169) : choose3_choose(0x6D5B, 0x9DB0);
            (38, 170) : choose3_choose(0x6B78, 0x94F7); (38, 171) : choose3_choose(0xDD65, 0x220D);
            (38, 172) : choose3_choose(0x673E, 0x8679); (38, 173) : choose3_choose(0xD123, 0x3083);
            (38, 174) : choose3_choose(0xD700, 0x39C4); (38, 175) : choose3_choose(0x611D, 0x8F3E);
            (38, 176) : choose3_choose(0x84EC, 0x5399); (38, 177) : choose3_choose(0x32F1, 0xE563);
            (38, 178) : choose3_choose(0x34D2, 0xEC24); (38, 179) : choose3_choose(0x82CF, 0x5ADE);
            (38, 180) : choose3_choose(0x3894, 0xFEAA); (38, 181) : choose3_choose(0x8E89, 0x4850);
            (38, 182) : choose3_choose(0x88AA, 0x4117); (38, 183) : choose3_choose(0x3EB7, 0xF7ED);
            (38, 184) : choose3_choose(0xFC1D, 0x9FE); (38, 185) : choose3_choose(0x4A00, 0xBF04);
            (38, 186) : choose3_choose(0x4C23, 0xB643); (38, 187) : choose3_choose(0xFA3E, 185);
            (38, 188) : choose3_choose(0x4065, 0xA4CD); (38, 189) : choose3_choose(0xF678, 0x1237);
            (38, 190) : choose3_choose(0xF05B, 0x1B70); (38, 191) : choose3_choose(0x4646, 0xAD8A);
            (38, 192) : choose3_choose(0xC2DA, 0x5E36); (38, 193) : choose3_choose(0x74C7, 0xE8CC);
            (38, 194) : choose3_choose(0x72E4, 0xE18B); (38, 195) : choose3_choose(0xC4F9, 0x5771);
            (38, 196) : choose3_choose(0x7EA2, 0xF305); (38, 197) : choose3_choose(0xC8BF, 0x45FF);
            (38, 198) : choose3_choose(0xCE9C, 0x4CB8); (38, 199) : choose3_choose(0x7881, 0xFA42);
            (38, 200) : choose3_choose(0xBA2B, 0x451); (38, 201) : choose3_choose(0xC36, 0xB2AB);
            (38, 202) : choose3_choose(0xA15, 0xBBEC); (38, 203) : choose3_choose(0xBC08, 0xD16);
            (38, 204) : choose3_choose(0x653, 0xA962); (38, 205) : choose3_choose(0xB04E, 0x1F98);
            (38, 206) : choose3_choose(0xB66D, 0x16DF); (38, 207) : choose3_choose(112, 0xA025);
            (38, 208) : choose3_choose(0xE581, 0x7C82); (38, 209) : choose3_choose(0x539C, 0xCA78);
            (38, 210) : choose3_choose(0x55BF, 0xC33F); (38, 211) : choose3_choose(0xE3A2, 0x75C5);
            (38, 212) : choose3_choose(0x59F9, 0xD1B1); (38, 213) : choose3_choose(0xEFE4, 0x674B);
            (38, 214) : choose3_choose(0xE9C7, 0x6E0C); (38, 215) : choose3_choose(0x5FDA, 0xD8F6);
            (38, 216) : choose3_choose(0x9D70, 0x26E5); (38, 217) : choose3_choose(0x2B6D, 0x901F);
            (38, 218) : choose3_choose(0x2D4E, 0x9958); (38, 219) : choose3_choose(0x9B53, 0x2FA2);
            (38, 220) : choose3_choose(0x2108, 0x8BD6); (38, 221) : choose3_choose(0x9715, 0x3D2C);
            (38, 222) : choose3_choose(0x9136, 0x346B); (38, 223) : choose3_choose(0x272B, 0x8291);
            (38, 224) : choose3_choose(0x5069, 0xC916); (38, 225) : choose3_choose(0xE674, 0x7FEC);
            (38, 226) : choose3_choose(0xE057, 0x76AB); (38, 227) : choose3_choose(0x564A, 0xC051);
            (38, 228) : choose3_choose(0xEC11, 0x6425); (38, 229) : choose3_choose(0x5A0C, 0xD2DF);
            (38, 230) : choose3_choose(0x5C2F, 0xDB98); (38, 231) : choose3_choose(0xEA32, 0x6D62);
            (38, 232) : choose3_choose(0x2898, 0x9371); (38, 233) : choose3_choose(0x9E85, 0x258B);
            (38, 234) : choose3_choose(0x98A6, 0x2CCC); (38, 235) : choose3_choose(0x2EBB, 0x9A36);
            (38, 236) : choose3_choose(0x94E0, 0x3E42); (38, 237) : choose3_choose(0x22FD, 0x88B8);
            (38, 238) : choose3_choose(0x24DE, 0x81FF); (38, 239) : choose3_choose(0x92C3, 0x3705);
            (38, 240) : choose3_choose(0x7732, 0xEBA2); (38, 241) : choose3_choose(0xC12F, 0x5D58);
            (38, 242) : choose3_choose(0xC70C, 0x541F); (38, 243) : choose3_choose(0x7111, 0xE2E5);
            (38, 244) : choose3_choose(0xCB4A, 0x4691); (38, 245) : choose3_choose(0x7D57, 0xF06B);
            (38, 246) : choose3_choose(0x7B74, 0xF92C); (38, 247) : choose3_choose(0xCD69, 0x4FD6);
            (38, 248) : choose3_choose(0xFC3, 0xB1C5); (38, 249) : choose3_choose(0xB9DE, 0x73F);
            (38, 250) : choose3_choose(0xBFFD, 0xE78); (38, 251) : choose3_choose(0x9E0, 0xB882);
            (38, 252) : choose3_choose(0xB3BB, 0x1CF6); (38, 253) : choose3_choose(0x5A6, 0xAA0C);
            (38, 254) : choose3_choose(901, 0xA34B); (38, 255) : choose3_choose(0xB598, 0x15B1);
            (39, 0) : choose3_choose(0, 0); (39, 1) : choose3_choose(0x31C6, 0xF54E);
            (39, 2) : choose3_choose(0xB535, 0x7CE7); (39, 3) : choose3_choose(0x84F3, 0x89A9);
            (39, 4) : choose3_choose(0xB66E, 0x2B86); (39, 5) : choose3_choose(0x87A8, 0xDEC8);
            (39, 6) : choose3_choose(859, 0x5761); (39, 7) : choose3_choose(0x329D, 0xA22F);
            (39, 8) : choose3_choose(0xB0D8, 0x8544); (39, 9) : choose3_choose(0x811E, 0x700A);
            (39, 10) : choose3_choose(0x5ED, 0xF9A3); (39, 11) : choose3_choose(0x342B, 0xCED);
            (39, 12) : choose3_choose(0x6B6, 0xAEC2); (39, 13) : choose3_choose(0x3770, 0x5B8C);
            (39, 14) : choose3_choose(0xB383, 0xD225); (39, 15) : choose3_choose(0x8245, 0x276B);
            (39, 16) : choose3_choose(0xB708, 0x9CF3); (39, 17) : choose3_choose(0x86CE, 0x69BD);
            (39, 18) : choose3_choose(573, 0xE014); (39, 19) : choose3_choose(0x33FB, 0x155A);
            (39, 20) : choose3_choose(358, 0xB775); (39, 21) : choose3_choose(0x30A0, 0x423B);
            (39, 22) : choose3_choose(0xB453, 0xCB92); (39, 23) : choose3_choose(0x8595, 0x3EDC);
            (39, 24) : choose3_choose(0x7D0, 0x19B7); (39, 25) : choose3_choose(0x3616, 0xECF9);
            (39, 26) : choose3_choose(0xB2E5, 0x6550); (39, 27) : choose3_choose(0x8323, 0x901E);
            (39, 28) : choose3_choose(0xB1BE, 0x3231); (39, 29) : choose3_choose(0x8078, 0xC77F);
            (39, 30) : choose3_choose(0x48B, 0x4ED6); (39, 31) : choose3_choose(0x354D, 0xBB98);
            (39, 32) : choose3_choose(0xB214, 0xEBAF); (39, 33) : choose3_choose(0x83D2, 0x1EE1);
            (39, 34) : choose3_choose(0x721, 0x9748); (39, 35) : choose3_choose(0x36E7, 0x6206);
            (39, 36) : choose3_choose(0x47A, 0xC029); (39, 37) : choose3_choose(0x35BC, 0x3567);
            (39, 38) : choose3_choose(0xB14F, 0xBCCE); (39, 39) : choose3_choose(0x8089, 0x4980);
            (39, 40) : choose3_choose(716, 0x6EEB); (39, 41) : choose3_choose(0x330A, 0x9BA5);
            (39, 42) : choose3_choose(0xB7F9, 0x120C); (39, 43) : choose3_choose(0x863F, 0xE742);
            (39, 44) : choose3_choose(0xB4A2, 0x456D); (39, 45) : choose3_choose(0x8564, 0xB023);
            (39, 46) : choose3_choose(407, 0x398A); (39, 47) : choose3_choose(0x3051, 0xCCC4);
            (39, 48) : choose3_choose(0x51C, 0x775C); (39, 49) : choose3_choose(0x34DA, 0x8212);
            (39, 50) : choose3_choose(0xB029, 0xBBB); (39, 51) : choose3_choose(0x81EF, 0xFEF5);
            (39, 52) : choose3_choose(0xB372, 0x5CDA); (39, 53) : choose3_choose(0x82B4, 0xA994);
            (39, 54) : choose3_choose(0x647, 0x203D); (39, 55) : choose3_choose(0x3781, 0xD573);
            (39, 56) : choose3_choose(0xB5C4, 0xF218); (39, 57) : choose3_choose(0x8402, 0x756);
            (39, 58) : choose3_choose(241, 0x8EFF); (39, 59) : choose3_choose(0x3137, 0x7BB1);
            (39, 60) : choose3_choose(938, 0xD99E); (39, 61) : choose3_choose(0x326C, 0x2CD0);
            (39, 62) : choose3_choose(0xB69F, 0xA579); (39, 63) : choose3_choose(0x8759, 0x5037);
            (39, 64) : choose3_choose(0xB82C, 0x517); (39, 65) : choose3_choose(0x89EA, 0xF059);
            (39, 66) : choose3_choose(0xD19, 0x79F0); (39, 67) : choose3_choose(0x3CDF, 0x8CBE);
            (39, 68) : choose3_choose(0xE42, 0x2E91); (39, 69) : choose3_choose(0x3F84, 0xDBDF);
            (39, 70) : choose3_choose(0xBB77, 0x5276); (39, 71) : choose3_choose(0x8AB1, 0xA738);
            (39, 72) : choose3_choose(0x8F4, 0x8053); (39, 73) : choose3_choose(0x3932, 0x751D);
            (39, 74) : choose3_choose(0xBDC1, 0xFCB4); (39, 75) : choose3_choose(0x8C07, 0x9FA);
            (39, 76) : choose3_choose(0xBE9A, 0xABD5); (39, 77) : choose3_choose(0x8F5C, 0x5E9B);
            (39, 78) : choose3_choose(0xBAF, 0xD732); (39, 79) : choose3_choose(0x3A69, 0x227C);
            (39, 80) : choose3_choose(0xF24, 0x99E4); (39, 81) : choose3_choose(0x3EE2, 0x6CAA);
            (39, 82) : choose3_choose(0xBA11, 0xE503); (39, 83) : choose3_choose(0x8BD7, 0x104D);
            (39, 84) : choose3_choose(0xB94A, 0xB262); (39, 85) : choose3_choose(0x888C, 0x472C);
            (39, 86) : choose3_choose(0xC7F, 0xCE85); (39, 87) : choose3_choose(0x3DB9, 0x3BCB);
            (39, 88) : choose3_choose(0xBFFC, 0x1CA0); (39, 89) : choose3_choose(0x8E3A, 0xE9EE);
            (39, 90) : choose3_choose(0xAC9, 0x6047); (39, 91) : choose3_choose(0x3B0F, 0x9509);
            (39, 92) : choose3_choose(0x992, 0x3726); (39, 93) : choose3_choose(0x3854, 0xC268);
            (39, 94) : choose3_choose(0xBCA7, 0x4BC1); (39, 95) : choose3_choose(0x8D61, 0xBE8F);
            (39, 96) : choose3_choose(0xA38, 0xEEB8); (39, 97) : choose3_choose(0x3BFE, 0x1BF6);
            (39, 98) : choose3_choose(0xBF0D, 0x925F); (39, 99) : choose3_choose(0x8ECB, 0x6711);
            (39, 100) : choose3_choose(0xBC56, 0xC53E); (39, 101) : choose3_choose(0x8D90, 0x3070);
            (39, 102) : choose3_choose(0x963, 0xB9D9); (39, 103) : choose3_choose(0x38A5, 0x4C97);
            (39, 104) : choose3_choose(0xBAE0, 0x6BFC); (39, 105) : choose3_choose(0x8B26, 0x9EB2);
            (39, 106) : choose3_choose(0xFD5, 0x171B); (39, 107) : choose3_choose(0x3E13, 0xE255);
            (39, 108) : choose3_choose(0xC8E, 0x407A); (39, 109) : choose3_choose(0x3D48, 0xB534);
            (39, 110) : choose3_choose(0xB9BB, 0x3C9D); (39, 111) : choose3_choose(0x887D, 0xC9D3);
            (39, 112) : choose3_choose(0xBD30, 0x724B); (39, 113) : choose3_choose(0x8CF6, 0x8705);
            (39, 114) : choose3_choose(0x805, 0xEAC); (39, 115) : choose3_choose(0x39C3, 0xFBE2);
            (39, 116) : choose3_choose(0xB5E, 0x59CD); (39, 117) : choose3_choose(0x3A98, 0xAC83);
            (39, 118) : choose3_choose(0xBE6B, 0x252A); (39, 119) : choose3_choose(0x8FAD, 0xD064);
            (39, 120) : choose3_choose(0xDE8, 0xF70F); (39, 121) : choose3_choose(0x3C2E, 577);
            (39, 122) : choose3_choose(0xB8DD, 0x8BE8); (39, 123) : choose3_choose(0x891B, 0x7EA6);
            (39, 124) : choose3_choose(0xBB86, 0xDC89); (39, 125) : choose3_choose(0x8A40, 0x29C7);
            (39, 126) : choose3_choose(0xEB3, 0xA06E); (39, 127) : choose3_choose(0x3F75, 0x5520);
            (39, 128) : choose3_choose(0x7059, 0xA2E); (39, 129) : choose3_choose(0x419F, 0xFF60);
            (39, 130) : choose3_choose(0xC56C, 0x76C9); (39, 131) : choose3_choose(0xF4AA, 0x8387);
            (39, 132) : choose3_choose(0xC637, 0x21A8); (39, 133) : choose3_choose(0xF7F1, 0xD4E6);
            (39, 134) : choose3_choose(0x7302, 0x5D4F); (39, 135) : choose3_choose(0x42C4, 0xA801);
            (39, 136) : choose3_choose(0xC081, 0x8F6A); (39, 137) : choose3_choose(0xF147, 0x7A24);
            (39, 138) : choose3_choose(0x75B4, 0xF38D); (39, 139) : choose3_choose(0x4472, 0x6C3);
            (39, 140) : choose3_choose(0x76EF, 0xA4EC); (39, 141) : choose3_choose(0x4729, 0x51A2);
            (39, 142) : choose3_choose(0xC3DA, 0xD80B); (39, 143) : choose3_choose(0xF21C, 0x2D45);
            (39, 144) : choose3_choose(0xC751, 0x96DD); (39, 145) : choose3_choose(0xF697, 0x6393);
            (39, 146) : choose3_choose(0x7264, 0xEA3A); (39, 147) : choose3_choose(0x43A2, 0x1F74);
            (39, 148) : choose3_choose(0x713F, 0xBD5B); (39, 149) : choose3_choose(0x40F9, 0x4815);
            (39, 150) : choose3_choose(0xC40A, 0xC1BC); (39, 151) : choose3_choose(0xF5CC, 0x34F2);
            (39, 152) : choose3_choose(0x7789, 0x1399); (39, 153) : choose3_choose(0x464F, 0xE6D7);
            (39, 154) : choose3_choose(0xC2BC, 0x6F7E); (39, 155) : choose3_choose(0xF37A, 0x9A30);
            (39, 156) : choose3_choose(0xC1E7, 0x381F); (39, 157) : choose3_choose(0xF021, 0xCD51);
            (39, 158) : choose3_choose(0x74D2, 0x44F8); (39, 159) : choose3_choose(0x4514, 0xB1B6);
            (39, 160) : choose3_choose(0xC24D, 0xE181); (39, 161) : choose3_choose(0xF38B, 0x14CF);
            (39, 162) : choose3_choose(0x7778, 0x9D66); (39, 163) : choose3_choose(0x46BE, 0x6828);
            (39, 164) : choose3_choose(0x7423, 0xCA07); (39, 165) : choose3_choose(0x45E5, 0x3F49);
            (39, 166) : choose3_choose(0xC116, 0xB6E0); (39, 167) : choose3_choose(0xF0D0, 0x43AE);
            (39, 168) : choose3_choose(0x7295, 0x64C5); (39, 169) : choose3_choose(0x4353, 0x918B);
            (39, 170) : choose3_choose(0xC7A0, 0x1822); (39, 171) : choose3_choose(0xF666, 0xED6C);
            (39, 172) : choose3_choose(0xC4FB, 0x4F43); (39, 173) : choose3_choose(0xF53D, 0xBA0D);
            (39, 174) : choose3_choose(0x71CE, 0x33A4); (39, 175) : choose3_choose(0x4008, 0xC6EA);
            (39, 176) : choose3_choose(0x7545, 0x7D72); (39, 177) : choose3_choose(0x4483, 0x883C);
            (39, 178) : choose3_choose(0xC070, 405); (39, 179) : choose3_choose(0xF1B6, 0xF4DB);
            (39, 180) : choose3_choose(0xC32B, 0x56F4); (39, 181) : choose3_choose(0xF2ED, 0xA3BA);
            (39, 182) : choose3_choose(0x761E, 0x2A13); (39, 183) : choose3_choose(0x47D8, 0xDF5D);
            (39, 184) : choose3_choose(0xC59D, 0xF836); (39, 185) : choose3_choose(0xF45B, 0xD78);
            (39, 186) : choose3_choose(0x70A8, 0x84D1); (39, 187) : choose3_choose(0x416E, 0x719F);
            (39, 188) : choose3_choose(0x73F3, 0xD3B0); (39, 189) : choose3_choose(0x4235, 0x26FE);
            (39, 190) : choose3_choose(0xC6C6, 0xAF57); (39, 191) : choose3_choose(0xF700, 0x5A19);
            (39, 192) : choose3_choose(0xC875, 0xF39); (39, 193) : choose3_choose(0xF9B3, 0xFA77);
            (39, 194) : choose3_choose(0x7D40, 0x73DE); (39, 195) : choose3_choose(0x4C86, 0x8690);
            (39, 196) : choose3_choose(0x7E1B, 0x24BF); (39, 197) : choose3_choose(0x4FDD, 0xD1F1);
            (39, 198) : choose3_choose(0xCB2E, 0x5858); (39, 199) : choose3_choose(0xFAE8, 0xAD16);
            (39, 200) : choose3_choose(0x78AD, 0x8A7D); (39, 201) : choose3_choose(0x496B, 0x7F33);
            (39, 202) : choose3_choose(0xCD98, 0xF69A); (39, 203) : choose3_choose(0xFC5E, 980);
            (39, 204) : choose3_choose(0xCEC3, 0xA1FB); (39, 205) : choose3_choose(0xFF05, 0x54B5);
            (39, 206) : choose3_choose(0x7BF6, 0xDD1C); (39, 207) : choose3_choose(0x4A30, 0x2852);
            (39, 208) : choose3_choose(0x7F7D, 0x93CA); (39, 209) : choose3_choose(0x4EBB, 0x6684);
            (39, 210) : choose3_choose(0xCA48, 0xEF2D); (39, 211) : choose3_choose(0xFB8E, 0x1A63);
            (39, 212) : choose3_choose(0xC913, 0xB84C); (39, 213) : choose3_choose(0xF8D5, 0x4D02);
            (39, 214) : choose3_choose(0x7C26, 0xC4AB); (39, 215) : choose3_choose(0x4DE0, 0x31E5);
            (39, 216) : choose3_choose(0xCFA5, 0x168E); (39, 217) : choose3_choose(0xFE63, 0xE3C0);
            (39, 218) : choose3_choose(0x7A90, 0x6A69); (39, 219) : choose3_choose(0x4B56, 0x9F27);
            (39, 220) : choose3_choose(0x79CB, 0x3D08); (39, 221) : choose3_choose(0x480D, 0xC846);
            (39, 222) : choose3_choose(0xCCFE, 0x41EF); (39, 223) : choose3_choose(0xFD38, 0xB4A1);
            (39, 224) : choose3_choose(0x7A61, 0xE496); (39, 225) : choose3_choose(0x4BA7, 0x11D8);
            (39, 226) : choose3_choose(0xCF54, 0x9871); (39, 227) : choose3_choose(0xFE92, 0x6D3F);
            (39, 228) : choose3_choose(0xCC0F, 0xCF10); (39, 229) : choose3_choose(0xFDC9, 0x3A5E);
            (39, 230) : choose3_choose(0x793A, 0xB3F7); (39, 231) : choose3_choose(0x48FC, 0x46B9);
            (39, 232) : choose3_choose(0xCAB9, 0x61D2); (39, 233) : choose3_choose(0xFB7F, 0x949C);
            (39, 234) : choose3_choose(0x7F8C, 0x1D35); (39, 235) : choose3_choose(0x4E4A, 0xE87B);
            (39, 236) : choose3_choose(0x7CD7, 0x4A54); (39, 237) : choose3_choose(0x4D11, 0xBF1A);
            (39, 238) : choose3_choose(0xC9E2, 0x36B3); (39, 239) : choose3_choose(0xF824, 0xC3FD);
            (39, 240) : choose3_choose(0xCD69, 0x7865); (39, 241) : choose3_choose(0xFCAF, 0x8D2B);
            (39, 242) : choose3_choose(0x785C, 0x482); (39, 243) : choose3_choose(0x499A, 0xF1CC);
            (39, 244) : choose3_choose(0x7B07, 0x53E3); (39, 245) : choose3_choose(0x4AC1, 0xA6AD);
            (39, 246) : choose3_choose(0xCE32, 0x2F04); (39, 247) : choose3_choose(0xFFF4, 0xDA4A);
            (39, 248) : choose3_choose(0x7DB1, 0xFD21); (39, 249) : choose3_choose(0x4C77, 0x86F);
            (39, 250) : choose3_choose(0xC884, 0x81C6); (39, 251) : choose3_choose(0xF942, 0x7488);
            (39, 252) : choose3_choose(0xCBDF, 0xD6A7); (39, 253) : choose3_choose(0xFA19, 0x23E9);
            (39, 254) : choose3_choose(0x7EEA, 0xAA40); (39, 255) : choose3_choose(0x4F2C, 0x5F0E);
            (41, 0) : choose3_choose(0, 0); (41, 1) : choose3_choose(0x6ABB, 0xB6FC);
            (41, 2) : choose3_choose(0xDFCA, 0x29CB); (41, 3) : choose3_choose(0xB571, 0x9F37);
            (41, 4) : choose3_choose(0xB529, 0x17A4); (41, 5) : choose3_choose(0xDF92, 0xA158);
            (41, 6) : choose3_choose(0x6AE3, 0x3E6F); (41, 7) : choose3_choose(88, 0x8893);
            (41, 8) : choose3_choose(0xB656, 0xFD00); (41, 9) : choose3_choose(0xDCED, 0x4BFC);
            (41, 10) : choose3_choose(0x699C, 0xD4CB); (41, 11) : choose3_choose(807, 0x6237);
            (41, 12) : choose3_choose(895, 0xEAA4); (41, 13) : choose3_choose(0x69C4, 0x5C58);
            (41, 14) : choose3_choose(0xDCB5, 0xC36F); (41, 15) : choose3_choose(0xB60E, 0x7593);
            (41, 16) : choose3_choose(0x6CAD, 0xFA01); (41, 17) : choose3_choose(0x616, 0x4CFD);
            (41, 18) : choose3_choose(0xB367, 0xD3CA); (41, 19) : choose3_choose(0xD9DC, 0x6536);
            (41, 20) : choose3_choose(0xD984, 0xEDA5); (41, 21) : choose3_choose(0xB33F, 0x5B59);
            (41, 22) : choose3_choose(0x64E, 0xC46E); (41, 23) : choose3_choose(0x6CF5, 0x7292);
            (41, 24) : choose3_choose(0xDAFB, 0x701); (41, 25) : choose3_choose(0xB040, 0xB1FD);
            (41, 26) : choose3_choose(0x531, 0x2ECA); (41, 27) : choose3_choose(0x6F8A, 0x9836);
            (41, 28) : choose3_choose(0x6FD2, 0x10A5); (41, 29) : choose3_choose(0x569, 0xA659);
            (41, 30) : choose3_choose(0xB018, 0x396E); (41, 31) : choose3_choose(0xDAA3, 0x8F92);
            (41, 32) : choose3_choose(0xFE3, 0x6279); (41, 33) : choose3_choose(0x6558, 0xD485);
            (41, 34) : choose3_choose(0xD029, 0x4BB2); (41, 35) : choose3_choose(0xBA92, 0xFD4E);
            (41, 36) : choose3_choose(0xBACA, 0x75DD); (41, 37) : choose3_choose(0xD071, 0xC321);
            (41, 38) : choose3_choose(0x6500, 0x5C16); (41, 39) : choose3_choose(0xFBB, 0xEAEA);
            (41, 40) : choose3_choose(0xB9B5, 0x9F79); (41, 41) : choose3_choose(0xD30E, 0x2985);
            (41, 42) : choose3_choose(0x667F, 0xB6B2); (41, 43) : choose3_choose(0xCC4, 78);
            (41, 44) : choose3_choose(0xC9C, 0x88DD); (41, 45) : choose3_choose(0x6627, 0x3E21);
            (41, 46) : choose3_choose(0xD356, 0xA116); (41, 47) : choose3_choose(0xB9ED, 0x17EA);
            (41, 48) : choose3_choose(0x634E, 0x9878); (41, 49) : choose3_choose(0x9F5, 0x2E84);
            (41, 50) : choose3_choose(0xBC84, 0xB1B3); (41, 51) : choose3_choose(0xD63F, 0x74F);
            (41, 52) : choose3_choose(0xD667, 0x8FDC); (41, 53) : choose3_choose(0xBCDC, 0x3920);
            (41, 54) : choose3_choose(0x9AD, 0xA617); (41, 55) : choose3_choose(0x6316, 0x10EB);
            (41, 56) : choose3_choose(0xD518, 0x6578); (41, 57) : choose3_choose(0xBFA3, 0xD384);
            (41, 58) : choose3_choose(0xAD2, 0x4CB3); (41, 59) : choose3_choose(0x6069, 0xFA4F);
            (41, 60) : choose3_choose(0x6031, 0x72DC); (41, 61) : choose3_choose(0xA8A, 0xC420);
            (41, 62) : choose3_choose(0xBFFB, 0x5B17); (41, 63) : choose3_choose(0xD540, 0xEDEB);
            (41, 64) : choose3_choose(0xC97F, 0x5288); (41, 65) : choose3_choose(0xA3C4, 0xE474);
            (41, 66) : choose3_choose(0x16B5, 0x7B43); (41, 67) : choose3_choose(0x7C0E, 0xCDBF);
            (41, 68) : choose3_choose(0x7C56, 0x452C); (41, 69) : choose3_choose(0x16ED, 0xF3D0);
            (41, 70) : choose3_choose(0xA39C, 0x6CE7); (41, 71) : choose3_choose(0xC927, 0xDA1B);
            (41, 72) : choose3_choose(0x7F29, 0xAF88); (41, 73) : choose3_choose(0x1592, 0x1974);
            (41, 74) : choose3_choose(0xA0E3, 0x8643); (41, 75) : choose3_choose(0xCA58, 0x30BF);
            (41, 76) : choose3_choose(0xCA00, 0xB82C); (41, 77) : choose3_choose(0xA0BB, 0xED0);
            (41, 78) : choose3_choose(0x15CA, 0x91E7); (41, 79) : choose3_choose(0x7F71, 0x271B);
            (41, 80) : choose3_choose(0xA5D2, 0xA889); (41, 81) : choose3_choose(0xCF69, 0x1E75);
            (41, 82) : choose3_choose(0x7A18, 0x8142); (41, 83) : choose3_choose(0x10A3, 0x37BE);
            (41, 84) : choose3_choose(0x10FB, 0xBF2D); (41, 85) : choose3_choose(0x7A40, 0x9D1);
            (41, 86) : choose3_choose(0xCF31, 0x96E6); (41, 87) : choose3_choose(0xA58A, 0x201A);
            (41, 88) : choose3_choose(0x1384, 0x5589); (41, 89) : choose3_choose(0x793F, 0xE375);
            (41, 90) : choose3_choose(0xCC4E, 0x7C42); (41, 91) : choose3_choose(0xA6F5, 0xCABE);
            (41, 92) : choose3_choose(0xA6AD, 0x422D); (41, 93) : choose3_choose(0xCC16, 0xF4D1);
            (41, 94) : choose3_choose(0x7967, 0x6BE6); (41, 95) : choose3_choose(0x13DC, 0xDD1A);
            (41, 96) : choose3_choose(0xC69C, 0x30F1); (41, 97) : choose3_choose(0xAC27, 0x860D);
            (41, 98) : choose3_choose(0x1956, 0x193A); (41, 99) : choose3_choose(0x73ED, 0xAFC6);
            (41, 100) : choose3_choose(0x73B5, 0x2755); (41, 101) : choose3_choose(0x190E, 0x91A9);
            (41, 102) : choose3_choose(0xAC7F, 0xE9E); (41, 103) : choose3_choose(0xC6C4, 0xB862);
            (41, 104) : choose3_choose(0x70CA, 0xCDF1); (41, 105) : choose3_choose(0x1A71, 0x7B0D);
            (41, 106) : choose3_choose(0xAF00, 0xE43A); (41, 107) : choose3_choose(0xC5BB, 0x52C6);
            (41, 108) : choose3_choose(0xC5E3, 0xDA55); (41, 109) : choose3_choose(0xAF58, 0x6CA9);
            (41, 110) : choose3_choose(0x1A29, 0xF39E); (41, 111) : choose3_choose(0x7092, 0x4562);
            (41, 112) : choose3_choose(0xAA31, 0xCAF0); (41, 113) : choose3_choose(0xC08A, 0x7C0C);
            (41, 114) : choose3_choose(0x75FB, 0xE33B); (41, 115) : choose3_choose(0x1F40, 0x55C7);
            (41, 116) : choose3_choose(0x1F18, 0xDD54); (41, 117) : choose3_choose(0x75A3, 0x6BA8);
            (41, 118) : choose3_choose(0xC0D2, 0xF49F); (41, 119) : choose3_choose(0xAA69, 0x4263);
            (41, 120) : choose3_choose(0x1C67, 0x37F0); (41, 121) : choose3_choose(0x76DC, 0x810C);
            (41, 122) : choose3_choose(0xC3AD, 0x1E3B); (41, 123) : choose3_choose(0xA916, 0xA8C7);
            (41, 124) : choose3_choose(0xA94E, 0x2054); (41, 125) : choose3_choose(0xC3F5, 0x96A8);
            (41, 126) : choose3_choose(0x7684, 0x99F); (41, 127) : choose3_choose(0x1C3F, 0xBF63);
            (41, 128) : choose3_choose(0x4EFA, 0x7758); (41, 129) : choose3_choose(0x2441, 0xC1A4);
            (41, 130) : choose3_choose(0x9130, 0x5E93); (41, 131) : choose3_choose(0xFB8B, 0xE86F);
            (41, 132) : choose3_choose(0xFBD3, 0x60FC); (41, 133) : choose3_choose(0x9168, 0xD600);
            (41, 134) : choose3_choose(0x2419, 0x4937); (41, 135) : choose3_choose(0x4EA2, 0xFFCB);
            (41, 136) : choose3_choose(0xF8AC, 0x8A58); (41, 137) : choose3_choose(0x9217, 0x3CA4);
            (41, 138) : choose3_choose(0x2766, 0xA393); (41, 139) : choose3_choose(0x4DDD, 0x156F);
            (41, 140) : choose3_choose(0x4D85, 0x9DFC); (41, 141) : choose3_choose(0x273E, 0x2B00);
            (41, 142) : choose3_choose(0x924F, 0xB437); (41, 143) : choose3_choose(0xF8F4, 715);
            (41, 144) : choose3_choose(0x2257, 0x8D59); (41, 145) : choose3_choose(0x48EC, 0x3BA5);
            (41, 146) : choose3_choose(0xFD9D, 0xA492); (41, 147) : choose3_choose(0x9726, 0x126E);
            (41, 148) : choose3_choose(0x977E, 0x9AFD); (41, 149) : choose3_choose(0xFDC5, 0x2C01);
            (41, 150) : choose3_choose(0x48B4, 0xB336); (41, 151) : choose3_choose(0x220F, 0x5CA);
            (41, 152) : choose3_choose(0x9401, 0x7059); (41, 153) : choose3_choose(0xFEBA, 0xC6A5);
            (41, 154) : choose3_choose(0x4BCB, 0x5992); (41, 155) : choose3_choose(0x2170, 0xEF6E);
            (41, 156) : choose3_choose(0x2128, 0x67FD); (41, 157) : choose3_choose(0x4B93, 0xD101);
            (41, 158) : choose3_choose(0xFEE2, 0x4E36); (41, 159) : choose3_choose(0x9459, 0xF8CA);
            (41, 160) : choose3_choose(0x4119, 0x1521); (41, 161) : choose3_choose(0x2BA2, 0xA3DD);
            (41, 162) : choose3_choose(0x9ED3, 0x3CEA); (41, 163) : choose3_choose(0xF468, 0x8A16);
            (41, 164) : choose3_choose(0xF430, 645); (41, 165) : choose3_choose(0x9E8B, 0xB479);
            (41, 166) : choose3_choose(0x2BFA, 0x2B4E); (41, 167) : choose3_choose(0x4141, 0x9DB2);
            (41, 168) : choose3_choose(0xF74F, 0xE821); (41, 169) : choose3_choose(0x9DF4, 0x5EDD);
            (41, 170) : choose3_choose(0x2885, 0xC1EA); (41, 171) : choose3_choose(0x423E, 0x7716);
            (41, 172) : choose3_choose(0x4266, 0xFF85); (41, 173) : choose3_choose(0x28DD, 0x4979);
            (41, 174) : choose3_choose(0x9DAC, 0xD64E); (41, 175) : choose3_choose(0xF717, 0x60B2);
            (41, 176) : choose3_choose(0x2DB4, 0xEF20); (41, 177) : choose3_choose(0x470F, 0x59DC);
            (41, 178) : choose3_choose(0xF27E, 0xC6EB); (41, 179) : choose3_choose(0x98C5, 0x7017);
            (41, 180) : choose3_choose(0x989D, 0xF884); (41, 181) : choose3_choose(0xF226, 0x4E78);
            (41, 182) : choose3_choose(0x4757, 0xD14F); (41, 183) : choose3_choose(0x2DEC, 0x67B3);
            (41, 184) : choose3_choose(0x9BE2, 0x1220); (41, 185) : choose3_choose(0xF159, 0xA4DC);
            (41, 186) : choose3_choose(0x4428, 0x3BEB); (41, 187) : choose3_choose(0x2E93, 0x8D17);
            (41, 188) : choose3_choose(0x2ECB, 0x584); (41, 189) : choose3_choose(0x4470, 0xB378);
            (41, 190) : choose3_choose(0xF101, 0x2C4F); (41, 191) : choose3_choose(0x9BBA, 0x9AB3);
            (41, 192) : choose3_choose(0x8785, 0x25D0); (41, 193) : choose3_choose(0xED3E, 0x932C);
            (41, 194) : choose3_choose(0x584F, 0xC1B); (41, 195) : choose3_choose(0x32F4, 0xBAE7);
            (41, 196) : choose3_choose(0x32AC, 0x3274); (41, 197) : choose3_choose(0x5817, 0x8488);
            (41, 198) : choose3_choose(0xED66, 0x1BBF); (41, 199) : choose3_choose(0x87DD, 0xAD43);
            (41, 200) : choose3_choose(0x31D3, 0xD8D0); (41, 201) : choose3_choose(0x5B68, 0x6E2C);
            (41, 202) : choose3_choose(0xEE19, 0xF11B); (41, 203) : choose3_choose(0x84A2, 0x47E7);
            (41, 204) : choose3_choose(0x84FA, 0xCF74); (41, 205) : choose3_choose(0xEE41, 0x7988);
            (41, 206) : choose3_choose(0x5B30, 0xE6BF); (41, 207) : choose3_choose(0x318B, 0x5043);
            (41, 208) : choose3_choose(0xEB28, 0xDFD1); (41, 209) : choose3_choose(0x8193, 0x692D);
            (41, 210) : choose3_choose(0x34E2, 0xF61A); (41, 211) : choose3_choose(0x5E59, 0x40E6);
            (41, 212) : choose3_choose(0x5E01, 0xC875); (41, 213) : choose3_choose(0x34BA, 0x7E89);
            (41, 214) : choose3_choose(0x81CB, 0xE1BE); (41, 215) : choose3_choose(0xEB70, 0x5742);
            (41, 216) : choose3_choose(0x5D7E, 0x22D1); (41, 217) : choose3_choose(0x37C5, 0x942D);
            (41, 218) : choose3_choose(0x82B4, 0xB1A); (41, 219) : choose3_choose(0xE80F, 0xBDE6);
            (41, 220) : choose3_choose(0xE857, 0x3575); (41, 221) : choose3_choose(0x82EC, 0x8389);
            (41, 222) : choose3_choose(0x379D, 0x1CBE); (41, 223) : choose3_choose(0x5D26, 0xAA42);
            (41, 224) : choose3_choose(0x8866, 0x47A9); (41, 225) : choose3_choose(0xE2DD, 0xF155);
            (41, 226) : choose3_choose(0x57AC, 0x6E62); (41, 227) : choose3_choose(0x3D17, 0xD89E);
            (41, 228) : choose3_choose(0x3D4F, 0x500D); (41, 229) : choose3_choose(0x57F4, 0xE6F1);
            (41, 230) : choose3_choose(0xE285, 0x79C6); (41, 231) : choose3_choose(0x883E, 0xCF3A);
            (41, 232) : choose3_choose(0x3E30, 0xBAA9); (41, 233) : choose3_choose(0x548B, 0xC55);
            (41, 234) : choose3_choose(0xE1FA, 0x9362); (41, 235) : choose3_choose(0x8B41, 0x259E);
            (41, 236) : choose3_choose(0x8B19, 0xAD0D); (41, 237) : choose3_choose(0xE1A2, 0x1BF1);
            (41, 238) : choose3_choose(0x54D3, 0x84C6); (41, 239) : choose3_choose(0x3E68, 0x323A);
            (41, 240) : choose3_choose(0xE4CB, 0xBDA8); (41, 241) : choose3_choose(0x8E70, 0xB54);
            (41, 242) : choose3_choose(0x3B01, 0x9463); (41, 243) : choose3_choose(0x51BA, 0x229F);
            (41, 244) : choose3_choose(0x51E2, 0xAA0C); (41, 245) : choose3_choose(0x3B59, 0x1CF0);
            (41, 246) : choose3_choose(0x8E28, 0x83C7); (41, 247) : choose3_choose(0xE493, 0x353B);
            (41, 248) : choose3_choose(0x529D, 0x40A8); (41, 249) : choose3_choose(0x3826, 0xF654);
            (41, 250) : choose3_choose(0x8D57, 0x6963); (41, 251) : choose3_choose(0xE7EC, 0xDF9F);
            (41, 252) : choose3_choose(0xE7B4, 0x570C); (41, 253) : choose3_choose(0x8D0F, 0xE1F0);
            (41, 254) : choose3_choose(0x387E, 0x7EC7); (41, 255) : choose3_choose(0x52C5, 0xC83B);
            (43, 0) : choose3_choose(0, 0); (43, 1) : choose3_choose(0x99F4, 0x7EF0);
            (43, 2) : choose3_choose(0x3955, 0xB9D2); (43, 3) : choose3_choose(0xA0A1, 0xC722);
            (43, 4) : choose3_choose(0xAEAF, 0xA1ED); (43, 5) : choose3_choose(0x375B, 0xDF1D);
            (43, 6) : choose3_choose(0x97FA, 0x183F); (43, 7) : choose3_choose(0xE0E, 0x66CF);
            (43, 8) : choose3_choose(0x57E3, 0x7E9); (43, 9) : choose3_choose(0xCE17, 0x7919);
            (43, 10) : choose3_choose(0x6EB6, 0xBE3B); (43, 11) : choose3_choose(0xF742, 0xC0CB);
            (43, 12) : choose3_choose(0xF94C, 0xA604); (43, 13) : choose3_choose(0x60B8, 0xD8F4);
            (43, 14) : choose3_choose(0xC019, 0x1FD6); (43, 15) : choose3_choose(0x59ED, 0x6126);
            (43, 16) : choose3_choose(0xA57A, 0x4BE0); (43, 17) : choose3_choose(0x3C8E, 0x3510);
            (43, 18) : choose3_choose(0x9C2F, 0xF232); (43, 19) : choose3_choose(0x5DB, 0x8CC2);
            (43, 20) : choose3_choose(0xBD5, 0xEA0D); (43, 21) : choose3_choose(0x9221, 0x94FD);
            (43, 22) : choose3_choose(0x3280, 0x53DF); (43, 23) : choose3_choose(0xAB74, 0x2D2F);
            (43, 24) : choose3_choose(0xF299, 0x4C09); (43, 25) : choose3_choose(0x6B6D, 0x32F9);
            (43, 26) : choose3_choose(0xCBCC, 0xF5DB); (43, 27) : choose3_choose(0x5238, 0x8B2B);
            (43, 28) : choose3_choose(0x5C36, 0xEDE4); (43, 29) : choose3_choose(0xC5C2, 0x9314);
            (43, 30) : choose3_choose(0x6563, 0x5436); (43, 31) : choose3_choose(0xFC97, 0x2AC6);
            (43, 32) : choose3_choose(0x96F0, 0x4588); (43, 33) : choose3_choose(0xF04, 0x3B78);
            (43, 34) : choose3_choose(0xAFA5, 0xFC5A); (43, 35) : choose3_choose(0x3651, 0x82AA);
            (43, 36) : choose3_choose(0x385F, 0xE465); (43, 37) : choose3_choose(0xA1AB, 0x9A95);
            (43, 38) : choose3_choose(266, 0x5DB7); (43, 39) : choose3_choose(0x98FE, 0x2347);
            (43, 40) : choose3_choose(0xC113, 0x4261); (43, 41) : choose3_choose(0x58E7, 0x3C91);
            (43, 42) : choose3_choose(0xF846, 0xFBB3); (43, 43) : choose3_choose(0x61B2, 0x8543);
            (43, 44) : choose3_choose(0x6FBC, 0xE38C); (43, 45) : choose3_choose(0xF648, 0x9D7C);
            (43, 46) : choose3_choose(0x56E9, 0x5A5E); (43, 47) : choose3_choose(0xCF1D, 0x24AE);
            (43, 48) : choose3_choose(0x338A, 0xE68); (43, 49) : choose3_choose(0xAA7E, 0x7098);
            (43, 50) : choose3_choose(0xADF, 0xB7BA); (43, 51) : choose3_choose(0x932B, 0xC94A);
            (43, 52) : choose3_choose(0x9D25, 0xAF85); (43, 53) : choose3_choose(0x4D1, 0xD175);
            (43, 54) : choose3_choose(0xA470, 0x1657); (43, 55) : choose3_choose(0x3D84, 0x68A7);
            (43, 56) : choose3_choose(0x6469, 0x981); (43, 57) : choose3_choose(0xFD9D, 0x7771);
            (43, 58) : choose3_choose(0x5D3C, 0xB053); (43, 59) : choose3_choose(0xC4C8, 0xCEA3);
            (43, 60) : choose3_choose(0xCAC6, 0xA86C); (43, 61) : choose3_choose(0x5332, 0xD69C);
            (43, 62) : choose3_choose(0xF393, 0x11BE); (43, 63) : choose3_choose(0x6A67, 0x6F4E);
            (43, 64) : choose3_choose(0x275D, 0xCF22); (43, 65) : choose3_choose(0xBEA9, 0xB1D2);
            (43, 66) : choose3_choose(0x1E08, 0x76F0); (43, 67) : choose3_choose(0x87FC, 0x800);
            (43, 68) : choose3_choose(0x89F2, 0x6ECF); (43, 69) : choose3_choose(0x1006, 0x103F);
            (43, 70) : choose3_choose(0xB0A7, 0xD71D); (43, 71) : choose3_choose(0x2953, 0xA9ED);
            (43, 72) : choose3_choose(0x70BE, 0xC8CB); (43, 73) : choose3_choose(0xE94A, 0xB63B);
            (43, 74) : choose3_choose(0x49EB, 0x7119); (43, 75) : choose3_choose(0xD01F, 0xFE9);
            (43, 76) : choose3_choose(0xDE11, 0x6926); (43, 77) : choose3_choose(0x47E5, 0x17D6);
            (43, 78) : choose3_choose(0xE744, 0xD0F4); (43, 79) : choose3_choose(0x7EB0, 0xAE04);
            (43, 80) : choose3_choose(0x8227, 0x84C2); (43, 81) : choose3_choose(0x1BD3, 0xFA32);
            (43, 82) : choose3_choose(0xBB72, 0x3D10); (43, 83) : choose3_choose(0x2286, 0x43E0);
            (43, 84) : choose3_choose(0x2C88, 0x252F); (43, 85) : choose3_choose(0xB57C, 0x5BDF);
            (43, 86) : choose3_choose(0x15DD, 0x9CFD); (43, 87) : choose3_choose(0x8C29, 0xE20D);
            (43, 88) : choose3_choose(0xD5C4, 0x832B); (43, 89) : choose3_choose(0x4C30, 0xFDDB);
            (43, 90) : choose3_choose(0xEC91, 0x3AF9); (43, 91) : choose3_choose(0x7565, 0x4409);
            (43, 92) : choose3_choose(0x7B6B, 0x22C6); (43, 93) : choose3_choose(0xE29F, 0x5C36);
            (43, 94) : choose3_choose(0x423E, 0x9B14); (43, 95) : choose3_choose(0xDBCA, 0xE5E4);
            (43, 96) : choose3_choose(0xB1AD, 0x8AAA); (43, 97) : choose3_choose(0x2859, 0xF45A);
            (43, 98) : choose3_choose(0x88F8, 0x3378); (43, 99) : choose3_choose(0x110C, 0x4D88);
            (43, 100) : choose3_choose(0x1F02, 0x2B47); (43, 101) : choose3_choose(0x86F6, 0x55B7);
            (43, 102) : choose3_choose(0x2657, 0x9295); (43, 103) : choose3_choose(0xBFA3, 0xEC65);
            (43, 104) : choose3_choose(0xE64E, 0x8D43); (43, 105) : choose3_choose(0x7FBA, 0xF3B3);
            (43, 106) : choose3_choose(0xDF1B, 0x3491); (43, 107) : choose3_choose(0x46EF, 0x4A61);
            (43, 108) : choose3_choose(0x48E1, 0x2CAE); (43, 109) : choose3_choose(0xD115, 0x525E);
            (43, 110) : choose3_choose(0x71B4, 0x957C); (43, 111) : choose3_choose(0xE840, 0xEB8C);
            (43, 112) : choose3_choose(0x14D7, 0xC14A); (43, 113) : choose3_choose(0x8D23, 0xBFBA);
            (43, 114) : choose3_choose(0x2D82, 0x7898); (43, 115) : choose3_choose(0xB476, 0x668);
            (43, 116) : choose3_choose(0xBA78, 0x60A7); (43, 117) : choose3_choose(0x238C, 0x1E57);
            (43, 118) : choose3_choose(0x832D, 0xD975); (43, 119) : choose3_choose(0x1AD9, 0xA785);
            (43, 120) : choose3_choose(0x4334, 0xC6A3); (43, 121) : choose3_choose(0xDAC0, 0xB853);
            (43, 122) : choose3_choose(0x7A61, 0x7F71); (43, 123) : choose3_choose(0xE395, 385);
            (43, 124) : choose3_choose(0xED9B, 0x674E); (43, 125) : choose3_choose(0x746F, 0x19BE);
            (43, 126) : choose3_choose(0xD4CE, 0xDE9C); (43, 127) : choose3_choose(0x4D3A, 0xA06C);
            (43, 128) : choose3_choose(0x4EBA, 0x9E45); (43, 129) : choose3_choose(0xD74E, 0xE0B5);
            (43, 130) : choose3_choose(0x77EF, 0x2797); (43, 131) : choose3_choose(0xEE1B, 0x5967);
            (43, 132) : choose3_choose(0xE015, 0x3FA8); (43, 133) : choose3_choose(0x79E1, 0x4158);
            (43, 134) : choose3_choose(0xD940, 0x867A); (43, 135) : choose3_choose(0x40B4, 0xF88A);
            (43, 136) : choose3_choose(0x1959, 0x99AC); (43, 137) : choose3_choose(0x80AD, 0xE75C);
            (43, 138) : choose3_choose(0x200C, 0x207E); (43, 139) : choose3_choose(0xB9F8, 0x5E8E);
            (43, 140) : choose3_choose(0xB7F6, 0x3841); (43, 141) : choose3_choose(0x2E02, 0x46B1);
            (43, 142) : choose3_choose(0x8EA3, 0x8193); (43, 143) : choose3_choose(0x1757, 0xFF63);
            (43, 144) : choose3_choose(0xEBC0, 0xD5A5); (43, 145) : choose3_choose(0x7234, 0xAB55);
            (43, 146) : choose3_choose(0xD295, 0x6C77); (43, 147) : choose3_choose(0x4B61, 0x1287);
            (43, 148) : choose3_choose(0x456F, 0x7448); (43, 149) : choose3_choose(0xDC9B, 0xAB8);
            (43, 150) : choose3_choose(0x7C3A, 0xCD9A); (43, 151) : choose3_choose(0xE5CE, 0xB36A);
            (43, 152) : choose3_choose(0xBC23, 0xD24C); (43, 153) : choose3_choose(0x25D7, 0xACBC);
            (43, 154) : choose3_choose(0x8576, 0x6B9E); (43, 155) : choose3_choose(0x1C82, 0x156E);
            (43, 156) : choose3_choose(0x128C, 0x73A1); (43, 157) : choose3_choose(0x8B78, 0xD51);
            (43, 158) : choose3_choose(0x2BD9, 0xCA73); (43, 159) : choose3_choose(0xB22D, 0xB483);
            (43, 160) : choose3_choose(0xD84A, 0xDBCD); (43, 161) : choose3_choose(0x41BE, 0xA53D);
            (43, 162) : choose3_choose(0xE11F, 0x621F); (43, 163) : choose3_choose(0x78EB, 0x1CEF);
            (43, 164) : choose3_choose(0x76E5, 0x7A20); (43, 165) : choose3_choose(0xEF11, 0x4D0);
            (43, 166) : choose3_choose(0x4FB0, 0xC3F2); (43, 167) : choose3_choose(0xD644, 0xBD02);
            (43, 168) : choose3_choose(0x8FA9, 0xDC24); (43, 169) : choose3_choose(0x165D, 0xA2D4);
            (43, 170) : choose3_choose(0xB6FC, 0x65F6); (43, 171) : choose3_choose(0x2F08, 0x1B06);
            (43, 172) : choose3_choose(0x2106, 0x7DC9); (43, 173) : choose3_choose(0xB8F2, 825);
            (43, 174) : choose3_choose(0x1853, 0xC41B); (43, 175) : choose3_choose(0x81A7, 0xBAEB);
            (43, 176) : choose3_choose(0x7D30, 0x902D); (43, 177) : choose3_choose(0xE4C4, 0xEEDD);
            (43, 178) : choose3_choose(0x4465, 0x29FF); (43, 179) : choose3_choose(0xDD91, 0x570F);
            (43, 180) : choose3_choose(0xD39F, 0x31C0); (43, 181) : choose3_choose(0x4A6B, 0x4F30);
            (43, 182) : choose3_choose(0xEACA, 0x8812); (43, 183) : choose3_choose(0x733E, 0xF6E2);
            (43, 184) : choose3_choose(0x2AD3, 0x97C4); (43, 185) : choose3_choose(0xB327, 0xE934);
            (43, 186) : choose3_choose(0x1386, 0x2E16); (43, 187) : choose3_choose(0x8A72, 0x50E6);
            (43, 188) : choose3_choose(0x847C, 0x3629); (43, 189) : choose3_choose(0x1D88, 0x48D9);
            (43, 190) : choose3_choose(0xBD29, 0x8FFB); (43, 191) : choose3_choose(0x24DD, 0xF10B);
            (43, 192) : choose3_choose(0x69E7, 0x5167); (43, 193) : choose3_choose(0xF013, 0x2F97);
            (43, 194) : choose3_choose(0x50B2, 0xE8B5); (43, 195) : choose3_choose(0xC946, 0x9645);
            (43, 196) : choose3_choose(0xC748, 0xF08A); (43, 197) : choose3_choose(0x5EBC, 0x8E7A);
            (43, 198) : choose3_choose(0xFE1D, 0x4958); (43, 199) : choose3_choose(0x67E9, 0x37A8);
            (43, 200) : choose3_choose(0x3E04, 0x568E); (43, 201) : choose3_choose(0xA7F0, 0x287E);
            (43, 202) : choose3_choose(0x751, 0xEF5C); (43, 203) : choose3_choose(0x9EA5, 0x91AC);
            (43, 204) : choose3_choose(0x90AB, 0xF763); (43, 205) : choose3_choose(0x95F, 0x8993);
            (43, 206) : choose3_choose(0xA9FE, 0x4EB1); (43, 207) : choose3_choose(0x300A, 0x3041);
            (43, 208) : choose3_choose(0xCC9D, 0x1A87); (43, 209) : choose3_choose(0x5569, 0x6477);
            (43, 210) : choose3_choose(0xF5C8, 0xA355); (43, 211) : choose3_choose(0x6C3C, 0xDDA5);
            (43, 212) : choose3_choose(0x6232, 0xBB6A); (43, 213) : choose3_choose(0xFBC6, 0xC59A);
            (43, 214) : choose3_choose(0x5B67, 696); (43, 215) : choose3_choose(0xC293, 0x7C48);
            (43, 216) : choose3_choose(0x9B7E, 0x1D6E); (43, 217) : choose3_choose(650, 0x639E);
            (43, 218) : choose3_choose(0xA22B, 0xA4BC); (43, 219) : choose3_choose(0x3BDF, 0xDA4C);
            (43, 220) : choose3_choose(0x35D1, 0xBC83); (43, 221) : choose3_choose(0xAC25, 0xC273);
            (43, 222) : choose3_choose(0xC84, 0x551); (43, 223) : choose3_choose(0x9570, 0x7BA1);
            (43, 224) : choose3_choose(0xFF17, 0x14EF); (43, 225) : choose3_choose(0x66E3, 0x6A1F);
            (43, 226) : choose3_choose(0xC642, 0xAD3D); (43, 227) : choose3_choose(0x5FB6, 0xD3CD);
            (43, 228) : choose3_choose(0x51B8, 0xB502); (43, 229) : choose3_choose(0xC84C, 0xCBF2);
            (43, 230) : choose3_choose(0x68ED, 0xCD0); (43, 231) : choose3_choose(0xF119, 0x7220);
            (43, 232) : choose3_choose(0xA8F4, 0x1306); (43, 233) : choose3_choose(0x3100, 0x6DF6);
            (43, 234) : choose3_choose(0x91A1, 0xAAD4); (43, 235) : choose3_choose(0x855, 0xD424);
            (43, 236) : choose3_choose(0x65B, 0xB2EB); (43, 237) : choose3_choose(0x9FAF, 0xCC1B);
            (43, 238) : choose3_choose(0x3F0E, 0xB39); (43, 239) : choose3_choose(0xA6FA, 0x75C9);
            (43, 240) : choose3_choose(0x5A6D, 0x5F0F); (43, 241) : choose3_choose(0xC399, 0x21FF);
            (43, 242) : choose3_choose(0x6338, 0xE6DD); (43, 243) : choose3_choose(0xFACC, 0x982D);
            (43, 244) : choose3_choose(0xF4C2, 0xFEE2); (43, 245) : choose3_choose(0x6D36, 0x8012);
            (43, 246) : choose3_choose(0xCD97, 0x4730); (43, 247) : choose3_choose(0x5463, 0x39C0);
            (43, 248) : choose3_choose(0xD8E, 0x58E6); (43, 249) : choose3_choose(0x947A, 0x2616);
            (43, 250) : choose3_choose(0x34DB, 0xE134); (43, 251) : choose3_choose(0xAD2F, 0x9FC4);
            (43, 252) : choose3_choose(0xA321, 0xF90B); (43, 253) : choose3_choose(0x3AD5, 0x87FB);
            (43, 254) : choose3_choose(0x9A74, 0x40D9); (43, 255) : choose3_choose(896, 0x3E29);
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
