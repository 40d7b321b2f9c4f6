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

control SwitchIngress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent0;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa0;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags0;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent1;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa1;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags1;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent2;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa2;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags2;
    // Exponents of the sums (R-FPI-2).
    register<bit<16>, bit<32>>(128) reg_exponent3;
    // Mantissas of the sums (R-FPI-2).
    register<bit<32>, bit<32>>(128) reg_mantissa3;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    register<bit<8>, bit<32>>(128) reg_flags3;

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

    // Stage 0. R-FPI-3, R-FPI-5: the exponent.
    action incoming0_normal() {
        meta.incoming0 = 8w0 ++ hdr.sum0.value[30:23];
    }
    action incoming0_subnormal() {
        meta.incoming0 = 16w1;
    }
    action incoming0_nothing() {
        meta.incoming0 = 16w0xFF00;
    }
    table incoming0 {
        key = {
            hdr.sum0.value : ternary @name("value");
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

    // Stage 0. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract0_normal() {
        meta.magnitude0 = 9w1 ++ hdr.sum0.value[22:0];
        meta.adds0 = 1w1;
    }
    action extract0_subnormal() {
        meta.magnitude0 = hdr.sum0.value & 32w0x7FFFFF;
        meta.adds0 = 1w1;
    }
    action extract0_nothing(bit<8> flag) {
        meta.magnitude0 = 32w0;
        meta.adds0 = 1w0;
        meta.flag0 = flag;
    }
    table extract0 {
        key = {
            hdr.sum0.value : ternary @name("value");
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

    // Stage 1. R-FPI-3: the sign goes into the mantissa.
    action sign0_plus() {
        meta.signed0 = meta.magnitude0;
    }
    action sign0_minus() {
        meta.signed0 = 32w0 - meta.magnitude0;
    }
    table sign0 {
        key = {
            hdr.sum0.value : ternary @name("value");
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

    // Stage 0. R-FPI-3, R-FPI-5: the exponent.
    action incoming1_normal() {
        meta.incoming1 = 8w0 ++ hdr.sum1.value[30:23];
    }
    action incoming1_subnormal() {
        meta.incoming1 = 16w1;
    }
    action incoming1_nothing() {
        meta.incoming1 = 16w0xFF00;
    }
    table incoming1 {
        key = {
            hdr.sum1.value : ternary @name("value");
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

    // Stage 0. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract1_normal() {
        meta.magnitude1 = 9w1 ++ hdr.sum1.value[22:0];
        meta.adds1 = 1w1;
    }
    action extract1_subnormal() {
        meta.magnitude1 = hdr.sum1.value & 32w0x7FFFFF;
        meta.adds1 = 1w1;
    }
    action extract1_nothing(bit<8> flag) {
        meta.magnitude1 = 32w0;
        meta.adds1 = 1w0;
        meta.flag1 = flag;
    }
    table extract1 {
        key = {
            hdr.sum1.value : ternary @name("value");
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

    // Stage 1. R-FPI-3: the sign goes into the mantissa.
    action sign1_plus() {
        meta.signed1 = meta.magnitude1;
    }
    action sign1_minus() {
        meta.signed1 = 32w0 - meta.magnitude1;
    }
    table sign1 {
        key = {
            hdr.sum1.value : ternary @name("value");
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

    // Stage 0. R-FPI-3, R-FPI-5: the exponent.
    action incoming2_normal() {
        meta.incoming2 = 8w0 ++ hdr.sum2.value[30:23];
    }
    action incoming2_subnormal() {
        meta.incoming2 = 16w1;
    }
    action incoming2_nothing() {
        meta.incoming2 = 16w0xFF00;
    }
    table incoming2 {
        key = {
            hdr.sum2.value : ternary @name("value");
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

    // Stage 0. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract2_normal() {
        meta.magnitude2 = 9w1 ++ hdr.sum2.value[22:0];
        meta.adds2 = 1w1;
    }
    action extract2_subnormal() {
        meta.magnitude2 = hdr.sum2.value & 32w0x7FFFFF;
        meta.adds2 = 1w1;
    }
    action extract2_nothing(bit<8> flag) {
        meta.magnitude2 = 32w0;
        meta.adds2 = 1w0;
        meta.flag2 = flag;
    }
    table extract2 {
        key = {
            hdr.sum2.value : ternary @name("value");
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

    // Stage 1. R-FPI-3: the sign goes into the mantissa.
    action sign2_plus() {
        meta.signed2 = meta.magnitude2;
    }
    action sign2_minus() {
        meta.signed2 = 32w0 - meta.magnitude2;
    }
    table sign2 {
        key = {
            hdr.sum2.value : ternary @name("value");
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

    // Stage 0. R-FPI-3, R-FPI-5: the exponent.
    action incoming3_normal() {
        meta.incoming3 = 8w0 ++ hdr.sum3.value[30:23];
    }
    action incoming3_subnormal() {
        meta.incoming3 = 16w1;
    }
    action incoming3_nothing() {
        meta.incoming3 = 16w0xFF00;
    }
    table incoming3 {
        key = {
            hdr.sum3.value : ternary @name("value");
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

    // Stage 0. R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract3_normal() {
        meta.magnitude3 = 9w1 ++ hdr.sum3.value[22:0];
        meta.adds3 = 1w1;
    }
    action extract3_subnormal() {
        meta.magnitude3 = hdr.sum3.value & 32w0x7FFFFF;
        meta.adds3 = 1w1;
    }
    action extract3_nothing(bit<8> flag) {
        meta.magnitude3 = 32w0;
        meta.adds3 = 1w0;
        meta.flag3 = flag;
    }
    table extract3 {
        key = {
            hdr.sum3.value : ternary @name("value");
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

    // Stage 1. R-FPI-3: the sign goes into the mantissa.
    action sign3_plus() {
        meta.signed3 = meta.magnitude3;
    }
    action sign3_minus() {
        meta.signed3 = 32w0 - meta.magnitude3;
    }
    table sign3 {
        key = {
            hdr.sum3.value : ternary @name("value");
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

    // Stage 1. R-FPI-5 to 7: whose exponent the sum has.
    action exponents0_begin() {
        @atomic {
            bit<16> word;
            reg_exponent0.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming0;
            reg_exponent0.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored0 = new_lo;
        }
    }
    action exponents0_raise() {
        @atomic {
            bit<16> word;
            reg_exponent0.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming0) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming0) : (old_lo);
            reg_exponent0.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored0 = old_lo;
        }
    }
    action exponents0_read() {
        @atomic {
            bit<16> word;
            reg_exponent0.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            hdr.sum0.exponent = old_lo;
        }
    }
    table exponents0 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 2. How far the two exponents are apart.
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

    // Stage 3. R-FPI-6 to 8: the operand moves under the sum's exponent.
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

    // Stage 4. R-FPI-5 to 9: replace, or add.
    action add0_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted0;
            reg_mantissa0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action add0_read() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            hdr.sum0.mantissa = old_lo;
        }
    }
    action add0_add() {
        @atomic {
            bit<32> word;
            reg_mantissa0.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by0) + meta.shifted0;
            reg_mantissa0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    table add0 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 5. R-FPI-4, R-FPI-9: flags stay.
    action flag0_begin() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag0;
            reg_flags0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag0_note() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag0;
            reg_flags0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag0_overflow() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags0.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag0_read() {
        @atomic {
            bit<8> word;
            reg_flags0.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            hdr.sum0.flags = old_lo;
        }
    }
    table flag0 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 1. R-FPI-5 to 7: whose exponent the sum has.
    action exponents1_begin() {
        @atomic {
            bit<16> word;
            reg_exponent1.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming1;
            reg_exponent1.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored1 = new_lo;
        }
    }
    action exponents1_raise() {
        @atomic {
            bit<16> word;
            reg_exponent1.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming1) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming1) : (old_lo);
            reg_exponent1.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored1 = old_lo;
        }
    }
    action exponents1_read() {
        @atomic {
            bit<16> word;
            reg_exponent1.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            hdr.sum1.exponent = old_lo;
        }
    }
    table exponents1 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 2. How far the two exponents are apart.
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

    // Stage 3. R-FPI-6 to 8: the operand moves under the sum's exponent.
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

    // Stage 4. R-FPI-5 to 9: replace, or add.
    action add1_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted1;
            reg_mantissa1.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action add1_read() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            hdr.sum1.mantissa = old_lo;
        }
    }
    action add1_add() {
        @atomic {
            bit<32> word;
            reg_mantissa1.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by1) + meta.shifted1;
            reg_mantissa1.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    table add1 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 5. R-FPI-4, R-FPI-9: flags stay.
    action flag1_begin() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag1;
            reg_flags1.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag1_note() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag1;
            reg_flags1.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag1_overflow() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags1.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag1_read() {
        @atomic {
            bit<8> word;
            reg_flags1.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            hdr.sum1.flags = old_lo;
        }
    }
    table flag1 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 1. R-FPI-5 to 7: whose exponent the sum has.
    action exponents2_begin() {
        @atomic {
            bit<16> word;
            reg_exponent2.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming2;
            reg_exponent2.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored2 = new_lo;
        }
    }
    action exponents2_raise() {
        @atomic {
            bit<16> word;
            reg_exponent2.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming2) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming2) : (old_lo);
            reg_exponent2.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored2 = old_lo;
        }
    }
    action exponents2_read() {
        @atomic {
            bit<16> word;
            reg_exponent2.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            hdr.sum2.exponent = old_lo;
        }
    }
    table exponents2 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 2. How far the two exponents are apart.
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

    // Stage 3. R-FPI-6 to 8: the operand moves under the sum's exponent.
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

    // Stage 4. R-FPI-5 to 9: replace, or add.
    action add2_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted2;
            reg_mantissa2.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action add2_read() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            hdr.sum2.mantissa = old_lo;
        }
    }
    action add2_add() {
        @atomic {
            bit<32> word;
            reg_mantissa2.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by2) + meta.shifted2;
            reg_mantissa2.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    table add2 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 5. R-FPI-4, R-FPI-9: flags stay.
    action flag2_begin() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag2;
            reg_flags2.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag2_note() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag2;
            reg_flags2.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag2_overflow() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags2.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag2_read() {
        @atomic {
            bit<8> word;
            reg_flags2.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            hdr.sum2.flags = old_lo;
        }
    }
    table flag2 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 1. R-FPI-5 to 7: whose exponent the sum has.
    action exponents3_begin() {
        @atomic {
            bit<16> word;
            reg_exponent3.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bit<16> new_lo = meta.incoming3;
            reg_exponent3.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored3 = new_lo;
        }
    }
    action exponents3_raise() {
        @atomic {
            bit<16> word;
            reg_exponent3.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            bool first_holds = (int<16>) (old_lo - meta.incoming3) < 0;
            bit<16> new_lo = (first_holds) ? (meta.incoming3) : (old_lo);
            reg_exponent3.write((bit<32>) hdr.fpisa.index, new_lo);
            meta.stored3 = old_lo;
        }
    }
    action exponents3_read() {
        @atomic {
            bit<16> word;
            reg_exponent3.read(word, (bit<32>) hdr.fpisa.index);
            bit<16> old_lo = word;
            hdr.sum3.exponent = old_lo;
        }
    }
    table exponents3 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 2. How far the two exponents are apart.
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

    // Stage 3. R-FPI-6 to 8: the operand moves under the sum's exponent.
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

    // Stage 4. R-FPI-5 to 9: replace, or add.
    action add3_begin() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = meta.shifted3;
            reg_mantissa3.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action add3_read() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            hdr.sum3.mantissa = old_lo;
        }
    }
    action add3_add() {
        @atomic {
            bit<32> word;
            reg_mantissa3.read(word, (bit<32>) hdr.fpisa.index);
            bit<32> old_lo = word;
            bit<32> new_lo = (bit<32>) ((int<32>) old_lo >> (bit<8>) meta.stored_by3) + meta.shifted3;
            reg_mantissa3.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    table add3 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    // Stage 5. R-FPI-4, R-FPI-9: flags stay.
    action flag3_begin() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = meta.flag3;
            reg_flags3.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag3_note() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | meta.flag3;
            reg_flags3.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag3_overflow() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            bit<8> new_lo = old_lo | 8w8;
            reg_flags3.write((bit<32>) hdr.fpisa.index, new_lo);
        }
    }
    action flag3_read() {
        @atomic {
            bit<8> word;
            reg_flags3.read(word, (bit<32>) hdr.fpisa.index);
            bit<8> old_lo = word;
            hdr.sum3.flags = old_lo;
        }
    }
    table flag3 {
        key = {
            hdr.fpisa.op : ternary @name("op");
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

    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata);
            return;
        }
        // Stage 0
        ports.apply();
        if (hdr.sum0.isValid()) {
            incoming0.apply();
            extract0.apply();
        }
        // Stage 1
        sign0.apply();
        // Stage 0
        if (hdr.sum1.isValid()) {
            incoming1.apply();
            extract1.apply();
        }
        // Stage 1
        sign1.apply();
        // Stage 0
        if (hdr.sum2.isValid()) {
            incoming2.apply();
            extract2.apply();
        }
        // Stage 1
        sign2.apply();
        // Stage 0
        if (hdr.sum3.isValid()) {
            incoming3.apply();
            extract3.apply();
        }
        // Stage 1
        sign3.apply();
        exponents0.apply();
        // Stage 2
        distance0.apply();
        // Stage 3
        align0.apply();
        // Stage 4
        add0.apply();
        // Stage 5
        flag0.apply();
        // Stage 1
        exponents1.apply();
        // Stage 2
        distance1.apply();
        // Stage 3
        align1.apply();
        // Stage 4
        add1.apply();
        // Stage 5
        flag1.apply();
        // Stage 1
        exponents2.apply();
        // Stage 2
        distance2.apply();
        // Stage 3
        align2.apply();
        // Stage 4
        add2.apply();
        // Stage 5
        flag2.apply();
        // Stage 1
        exponents3.apply();
        // Stage 2
        distance3.apply();
        // Stage 3
        align3.apply();
        // Stage 4
        add3.apply();
        // Stage 5
        flag3.apply();
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard_metadata) {

    // Stage 5. R-FPI-10: sign and magnitude.
    action magnitude0_plus() {
        meta.absolute0 = hdr.sum0.mantissa;
    }
    action magnitude0_minus() {
        meta.absolute0 = 32w0 - hdr.sum0.mantissa;
        meta.sign0 = 32w0x80000000;
    }
    table magnitude0 {
        key = {
            hdr.sum0.mantissa : ternary @name("mantissa");
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

    // Stage 6. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise0_left(bit<8> by) {
        meta.normal0 = meta.absolute0 << by;
        meta.normal_exponent0 = hdr.sum0.exponent - (bit<16>) by;
    }
    action normalise0_right(bit<8> by) {
        meta.normal0 = meta.absolute0 >> by;
        meta.normal_exponent0 = hdr.sum0.exponent + (bit<16>) by;
    }
    action normalise0_stay() {
        meta.normal0 = meta.absolute0;
        meta.normal_exponent0 = hdr.sum0.exponent;
    }
    table normalise0 {
        key = {
            meta.absolute0 : ternary @name("absolute0");
            hdr.sum0.exponent : range @name("exponent");
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

    // Stage 7. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble0_nan() {
        hdr.sum0.value = 32w0x7FC00000;
    }
    action assemble0_positive_infinity() {
        hdr.sum0.value = 32w0x7F800000;
    }
    action assemble0_negative_infinity() {
        hdr.sum0.value = 32w0xFF800000;
    }
    action assemble0_infinite() {
        hdr.sum0.value = meta.sign0 | 32w0x7F800000;
    }
    action assemble0_normal() {
        hdr.sum0.value = meta.sign0[31:31] ++ meta.normal_exponent0[7:0] ++ meta.normal0[22:0];
    }
    action assemble0_subnormal() {
        hdr.sum0.value = meta.sign0 | meta.normal0;
    }
    table assemble0 {
        key = {
            hdr.sum0.flags : ternary @name("flags");
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

    // Stage 5. R-FPI-10: sign and magnitude.
    action magnitude1_plus() {
        meta.absolute1 = hdr.sum1.mantissa;
    }
    action magnitude1_minus() {
        meta.absolute1 = 32w0 - hdr.sum1.mantissa;
        meta.sign1 = 32w0x80000000;
    }
    table magnitude1 {
        key = {
            hdr.sum1.mantissa : ternary @name("mantissa");
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

    // Stage 6. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise1_left(bit<8> by) {
        meta.normal1 = meta.absolute1 << by;
        meta.normal_exponent1 = hdr.sum1.exponent - (bit<16>) by;
    }
    action normalise1_right(bit<8> by) {
        meta.normal1 = meta.absolute1 >> by;
        meta.normal_exponent1 = hdr.sum1.exponent + (bit<16>) by;
    }
    action normalise1_stay() {
        meta.normal1 = meta.absolute1;
        meta.normal_exponent1 = hdr.sum1.exponent;
    }
    table normalise1 {
        key = {
            meta.absolute1 : ternary @name("absolute1");
            hdr.sum1.exponent : range @name("exponent");
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

    // Stage 7. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble1_nan() {
        hdr.sum1.value = 32w0x7FC00000;
    }
    action assemble1_positive_infinity() {
        hdr.sum1.value = 32w0x7F800000;
    }
    action assemble1_negative_infinity() {
        hdr.sum1.value = 32w0xFF800000;
    }
    action assemble1_infinite() {
        hdr.sum1.value = meta.sign1 | 32w0x7F800000;
    }
    action assemble1_normal() {
        hdr.sum1.value = meta.sign1[31:31] ++ meta.normal_exponent1[7:0] ++ meta.normal1[22:0];
    }
    action assemble1_subnormal() {
        hdr.sum1.value = meta.sign1 | meta.normal1;
    }
    table assemble1 {
        key = {
            hdr.sum1.flags : ternary @name("flags");
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

    // Stage 5. R-FPI-10: sign and magnitude.
    action magnitude2_plus() {
        meta.absolute2 = hdr.sum2.mantissa;
    }
    action magnitude2_minus() {
        meta.absolute2 = 32w0 - hdr.sum2.mantissa;
        meta.sign2 = 32w0x80000000;
    }
    table magnitude2 {
        key = {
            hdr.sum2.mantissa : ternary @name("mantissa");
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

    // Stage 6. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise2_left(bit<8> by) {
        meta.normal2 = meta.absolute2 << by;
        meta.normal_exponent2 = hdr.sum2.exponent - (bit<16>) by;
    }
    action normalise2_right(bit<8> by) {
        meta.normal2 = meta.absolute2 >> by;
        meta.normal_exponent2 = hdr.sum2.exponent + (bit<16>) by;
    }
    action normalise2_stay() {
        meta.normal2 = meta.absolute2;
        meta.normal_exponent2 = hdr.sum2.exponent;
    }
    table normalise2 {
        key = {
            meta.absolute2 : ternary @name("absolute2");
            hdr.sum2.exponent : range @name("exponent");
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

    // Stage 7. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble2_nan() {
        hdr.sum2.value = 32w0x7FC00000;
    }
    action assemble2_positive_infinity() {
        hdr.sum2.value = 32w0x7F800000;
    }
    action assemble2_negative_infinity() {
        hdr.sum2.value = 32w0xFF800000;
    }
    action assemble2_infinite() {
        hdr.sum2.value = meta.sign2 | 32w0x7F800000;
    }
    action assemble2_normal() {
        hdr.sum2.value = meta.sign2[31:31] ++ meta.normal_exponent2[7:0] ++ meta.normal2[22:0];
    }
    action assemble2_subnormal() {
        hdr.sum2.value = meta.sign2 | meta.normal2;
    }
    table assemble2 {
        key = {
            hdr.sum2.flags : ternary @name("flags");
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

    // Stage 5. R-FPI-10: sign and magnitude.
    action magnitude3_plus() {
        meta.absolute3 = hdr.sum3.mantissa;
    }
    action magnitude3_minus() {
        meta.absolute3 = 32w0 - hdr.sum3.mantissa;
        meta.sign3 = 32w0x80000000;
    }
    table magnitude3 {
        key = {
            hdr.sum3.mantissa : ternary @name("mantissa");
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

    // Stage 6. R-FPI-10, figure 5: the leading one, and its way to its place. R-FPI-12: gradual underflow.
    action normalise3_left(bit<8> by) {
        meta.normal3 = meta.absolute3 << by;
        meta.normal_exponent3 = hdr.sum3.exponent - (bit<16>) by;
    }
    action normalise3_right(bit<8> by) {
        meta.normal3 = meta.absolute3 >> by;
        meta.normal_exponent3 = hdr.sum3.exponent + (bit<16>) by;
    }
    action normalise3_stay() {
        meta.normal3 = meta.absolute3;
        meta.normal_exponent3 = hdr.sum3.exponent;
    }
    table normalise3 {
        key = {
            meta.absolute3 : ternary @name("absolute3");
            hdr.sum3.exponent : range @name("exponent");
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

    // Stage 7. R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble3_nan() {
        hdr.sum3.value = 32w0x7FC00000;
    }
    action assemble3_positive_infinity() {
        hdr.sum3.value = 32w0x7F800000;
    }
    action assemble3_negative_infinity() {
        hdr.sum3.value = 32w0xFF800000;
    }
    action assemble3_infinite() {
        hdr.sum3.value = meta.sign3 | 32w0x7F800000;
    }
    action assemble3_normal() {
        hdr.sum3.value = meta.sign3[31:31] ++ meta.normal_exponent3[7:0] ++ meta.normal3[22:0];
    }
    action assemble3_subnormal() {
        hdr.sum3.value = meta.sign3 | meta.normal3;
    }
    table assemble3 {
        key = {
            hdr.sum3.flags : ternary @name("flags");
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

    apply {
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude0.apply();
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise0.apply();
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble0.apply();
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude1.apply();
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise1.apply();
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble1.apply();
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude2.apply();
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise2.apply();
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble2.apply();
        }
        // Stage 5
        if (hdr.fpisa.op == 8w3) {
            magnitude3.apply();
        }
        // Stage 6
        if (hdr.fpisa.op == 8w3) {
            normalise3.apply();
        }
        // Stage 7
        if (hdr.fpisa.op == 8w3) {
            assemble3.apply();
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
