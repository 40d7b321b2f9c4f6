// fpisa for bmv2 (v1model).
// FPISA: sums of 4 value(s) in FP32, 128 words.
// Rules: R-FPI in spec/numerics.md, R-PISA-30 to 34 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>

header ethernet_h {
    bit<48> dst;
    bit<48> src;
    bit<16> ether_type;
}

header fpisa_h {
    bit<8> op;
    bit<16> index;
}

header sum0_h {
    bit<32> value;
    bit<16> exponent;
    bit<32> mantissa;
    bit<8> flags;
}

header sum1_h {
    bit<32> value;
    bit<16> exponent;
    bit<32> mantissa;
    bit<8> flags;
}

header sum2_h {
    bit<32> value;
    bit<16> exponent;
    bit<32> mantissa;
    bit<8> flags;
}

header sum3_h {
    bit<32> value;
    bit<16> exponent;
    bit<32> mantissa;
    bit<8> flags;
}

struct headers_t {
    ethernet_h ethernet;
    fpisa_h fpisa;
    sum0_h sum0;
    sum1_h sum1;
    sum2_h sum2;
    sum3_h sum3;
}

struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused;
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
        transition parse_ethernet;
    }

    state parse_ethernet {
        packet.extract(hdr.ethernet);
        transition select(hdr.ethernet.ether_type) {
            0x88B6: parse_fpisa;
            default: refused;
        }
    }

    state parse_fpisa {
        packet.extract(hdr.fpisa);
        transition select(hdr.fpisa.index) {
            0 &&& 0xFF80: parse_sums;
            default: refused;
        }
    }

    state parse_sums {
        packet.extract(hdr.sum0);
        packet.extract(hdr.sum1);
        packet.extract(hdr.sum2);
        packet.extract(hdr.sum3);
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
    in bit<8> op,
    in bit<1> adds,
    in bit<16> incoming,
    in bit<16> index,
    inout bit<16> stored,
    inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent;

    // R-FPI-5 to 7: whose exponent the sum has.
    action exponents_begin() {
        @atomic {
            bit<16> word;
            reg_exponent.read(word, (bit<32>) index);
            bit<16> old_lo = word;
            bit<16> new_lo = incoming;
            reg_exponent.write((bit<32>) index, new_lo);
            stored = new_lo;
        }
    }
    action exponents_raise() {
        @atomic {
            bit<16> word;
            reg_exponent.read(word, (bit<32>) index);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - incoming) < 0;
            bit<16> new_lo = (first_holds) ? (incoming) : (old_lo);
            reg_exponent.write((bit<32>) index, new_lo);
            stored = old_lo;
        }
    }
    action exponents_read() {
        @atomic {
            bit<16> word;
            reg_exponent.read(word, (bit<32>) index);
            bit<16> old_lo = word;
            exponent = old_lo;
        }
    }
    table exponents {
        key = {
            op : ternary @name("op");
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
    in bit<8> op,
    in bit<1> adds,
    in bit<16> distance,
    in bit<32> shifted,
    in bit<16> index,
    in bit<16> stored_by,
    inout bit<32> mantissa) {
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa;

    // R-FPI-5 to 9: replace, or add.
    action add_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) index);
            bit<32> old_lo = word;
            bit<32> new_lo = shifted;
            reg_mantissa.write((bit<32>) index, new_lo);
        }
    }
    action add_read() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) index);
            bit<32> old_lo = word;
            mantissa = old_lo;
        }
    }
    action add_add() {
        @atomic {
            bit<32> word;
            reg_mantissa.read(word, (bit<32>) index);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) stored_by) + shifted;
            reg_mantissa.write((bit<32>) index, new_lo);
        }
    }
    table add {
        key = {
            op : ternary @name("op");
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
    in bit<8> op,
    in bit<4> added,
    in bit<32> shifted,
    in bit<8> flag,
    in bit<16> index,
    inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags;

    // R-FPI-4, R-FPI-9: flags stay.
    action flag_begin() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) index);
            bit<8> old_lo = word;
            bit<8> new_lo = flag;
            reg_flags.write((bit<32>) index, new_lo);
        }
    }
    action flag_note() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | flag;
            reg_flags.write((bit<32>) index, new_lo);
        }
    }
    action flag_overflow() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags.write((bit<32>) index, new_lo);
        }
    }
    action flag_read() {
        @atomic {
            bit<8> word;
            reg_flags.read(word, (bit<32>) index);
            bit<8> old_lo = word;
            flags = old_lo;
        }
    }
    table flag {
        key = {
            op : ternary @name("op");
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

    // Stage 0. The port of whoever asks.
    action ports_answer(bit<16> port) {
        standard_metadata.egress_spec = (bit<9>) port;
    }
    action ports_refuse() {
        mark_to_drop(standard_metadata);
    }
    table ports {
        key = {
            hdr.ethernet.src : exact @name("src");
        }
        actions = {
            ports_answer;
            ports_refuse;
        }
        const default_action = ports_refuse();
        size = 1024;
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
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata);
            return;
        }
        // Stage 0
        ports.apply();
        if (hdr.sum0.isValid()) {
            incoming0.apply(hdr.sum0.value, meta.incoming0);
            extract0.apply(hdr.sum0.value, meta.magnitude0, meta.adds0, meta.flag0);
        }
        // Stage 1
        sign0.apply(hdr.sum0.value, meta.magnitude0, meta.signed0);
        // Stage 0
        if (hdr.sum1.isValid()) {
            incoming1.apply(hdr.sum1.value, meta.incoming1);
            extract1.apply(hdr.sum1.value, meta.magnitude1, meta.adds1, meta.flag1);
        }
        // Stage 1
        sign1.apply(hdr.sum1.value, meta.magnitude1, meta.signed1);
        // Stage 0
        if (hdr.sum2.isValid()) {
            incoming2.apply(hdr.sum2.value, meta.incoming2);
            extract2.apply(hdr.sum2.value, meta.magnitude2, meta.adds2, meta.flag2);
        }
        // Stage 1
        sign2.apply(hdr.sum2.value, meta.magnitude2, meta.signed2);
        // Stage 0
        if (hdr.sum3.isValid()) {
            incoming3.apply(hdr.sum3.value, meta.incoming3);
            extract3.apply(hdr.sum3.value, meta.magnitude3, meta.adds3, meta.flag3);
        }
        // Stage 1
        sign3.apply(hdr.sum3.value, meta.magnitude3, meta.signed3);
        exponents0.apply(hdr.fpisa.op, meta.adds0, meta.incoming0, hdr.fpisa.index,
            meta.stored0, hdr.sum0.exponent);
        // Stage 2
        distance0.apply(meta.incoming0, meta.stored0, meta.distance0, meta.back0);
        // Stage 3
        align0.apply(meta.distance0, meta.signed0, meta.back0, meta.shifted0,
            meta.stored_by0);
        // Stage 4
        add0.apply(hdr.fpisa.op, meta.adds0, meta.distance0, meta.shifted0, hdr.fpisa.index,
            meta.stored_by0, hdr.sum0.mantissa);
        // Stage 5
        flag0.apply(hdr.fpisa.op, meta.added0, meta.shifted0, meta.flag0, hdr.fpisa.index,
            hdr.sum0.flags);
        // Stage 1
        exponents1.apply(hdr.fpisa.op, meta.adds1, meta.incoming1, hdr.fpisa.index,
            meta.stored1, hdr.sum1.exponent);
        // Stage 2
        distance1.apply(meta.incoming1, meta.stored1, meta.distance1, meta.back1);
        // Stage 3
        align1.apply(meta.distance1, meta.signed1, meta.back1, meta.shifted1,
            meta.stored_by1);
        // Stage 4
        add1.apply(hdr.fpisa.op, meta.adds1, meta.distance1, meta.shifted1, hdr.fpisa.index,
            meta.stored_by1, hdr.sum1.mantissa);
        // Stage 5
        flag1.apply(hdr.fpisa.op, meta.added1, meta.shifted1, meta.flag1, hdr.fpisa.index,
            hdr.sum1.flags);
        // Stage 1
        exponents2.apply(hdr.fpisa.op, meta.adds2, meta.incoming2, hdr.fpisa.index,
            meta.stored2, hdr.sum2.exponent);
        // Stage 2
        distance2.apply(meta.incoming2, meta.stored2, meta.distance2, meta.back2);
        // Stage 3
        align2.apply(meta.distance2, meta.signed2, meta.back2, meta.shifted2,
            meta.stored_by2);
        // Stage 4
        add2.apply(hdr.fpisa.op, meta.adds2, meta.distance2, meta.shifted2, hdr.fpisa.index,
            meta.stored_by2, hdr.sum2.mantissa);
        // Stage 5
        flag2.apply(hdr.fpisa.op, meta.added2, meta.shifted2, meta.flag2, hdr.fpisa.index,
            hdr.sum2.flags);
        // Stage 1
        exponents3.apply(hdr.fpisa.op, meta.adds3, meta.incoming3, hdr.fpisa.index,
            meta.stored3, hdr.sum3.exponent);
        // Stage 2
        distance3.apply(meta.incoming3, meta.stored3, meta.distance3, meta.back3);
        // Stage 3
        align3.apply(meta.distance3, meta.signed3, meta.back3, meta.shifted3,
            meta.stored_by3);
        // Stage 4
        add3.apply(hdr.fpisa.op, meta.adds3, meta.distance3, meta.shifted3, hdr.fpisa.index,
            meta.stored_by3, hdr.sum3.mantissa);
        // Stage 5
        flag3.apply(hdr.fpisa.op, meta.added3, meta.shifted3, meta.flag3, hdr.fpisa.index,
            hdr.sum3.flags);
    }
}

control magnitude_unit(
    in bit<32> mantissa,
    inout bit<32> absolute,
    inout bit<32> sign) {
    // R-FPI-10: sign and magnitude.
    action magnitude_plus() {
        absolute = mantissa;
    }
    action magnitude_minus() {
        absolute = 32w0 - mantissa;
        sign = 32w0x80000000;
    }
    table magnitude {
        key = {
            mantissa : ternary @name("mantissa");
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
    apply {
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude0.apply(hdr.sum0.mantissa, meta.absolute0, meta.sign0);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise0.apply(meta.absolute0, hdr.sum0.exponent, meta.normal0,
                meta.normal_exponent0);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble0.apply(hdr.sum0.flags, meta.normal_exponent0, meta.normal0, meta.sign0,
                hdr.sum0.value);
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude1.apply(hdr.sum1.mantissa, meta.absolute1, meta.sign1);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise1.apply(meta.absolute1, hdr.sum1.exponent, meta.normal1,
                meta.normal_exponent1);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble1.apply(hdr.sum1.flags, meta.normal_exponent1, meta.normal1, meta.sign1,
                hdr.sum1.value);
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude2.apply(hdr.sum2.mantissa, meta.absolute2, meta.sign2);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise2.apply(meta.absolute2, hdr.sum2.exponent, meta.normal2,
                meta.normal_exponent2);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble2.apply(hdr.sum2.flags, meta.normal_exponent2, meta.normal2, meta.sign2,
                hdr.sum2.value);
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude3.apply(hdr.sum3.mantissa, meta.absolute3, meta.sign3);
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise3.apply(meta.absolute3, hdr.sum3.exponent, meta.normal3,
                meta.normal_exponent3);
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble3.apply(hdr.sum3.flags, meta.normal_exponent3, meta.normal3, meta.sign3,
                hdr.sum3.value);
        }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {
    }
}

control SwitchDeparser(packet_out packet, in headers_t hdr) {
    apply {
        packet.emit(hdr.ethernet);
        packet.emit(hdr.fpisa);
        packet.emit(hdr.sum0);
        packet.emit(hdr.sum1);
        packet.emit(hdr.sum2);
        packet.emit(hdr.sum3);
    }
}

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(), SwitchComputeChecksum(), SwitchDeparser()) main;
