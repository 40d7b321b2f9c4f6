// fpisa_a for Tofino (TNA).
// FPISA-A: sums of 1 value(s) in FP32, 128 words.
// Rules: R-FPI in spec/numerics.md, R-PISA-30 to 34 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#else
#include <tna.p4>
#endif
#include "../include/names_tna.p4"

header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header fpisa_h { bit<8> op; bit<16> index; }
header sum0_h { bit<32> value; bit<16> exponent; bit<32> mantissa; bit<8> flags; }
struct headers_t { ethernet_h ethernet; fpisa_h fpisa; sum0_h sum0; }
struct leaving_headers_t { ethernet_h ethernet; fpisa_h fpisa; sum0_h sum0; }
struct metadata_t {
    bit<16> incoming0; bit<32> magnitude0; bit<32> signed0; bit<32> shifted0; bit<1> adds0;
    bit<8> flag0; bit<16> stored0; bit<16> distance0; bit<32> limit0; bit<4> added0;
}
struct leaving_metadata_t {
    bit<32> absolute0; bit<32> normal0; bit<16> normal_exponent0; bit<32> sign0;
}

parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta,
    out ingress_intrinsic_metadata_t ig_intr_md) {
    #include "../include/start_tna.p4"
    state begin { transition parse_ethernet; }
    #include "../include/parse_ethernet_to_parse_fpisa.p4"
    state parse_sums { packet.extract(hdr.sum0); transition accept; }
}

@pa_container_size("ingress", "hdr.sum0.exponent", 16)
@pa_container_size("ingress", "hdr.sum0.flags", 8)
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    in ingress_intrinsic_metadata_t ig_intr_md,
    in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
    inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
    inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    // Exponents of the sums (R-FPI-2).
    Register<int<16>, bit<16>>(128) reg_exponent0;
    // Mantissas of the sums (R-FPI-2).
    Register<int<32>, bit<16>>(128) reg_mantissa0;
    // Flags of each sum (R-FPI-4, R-FPI-9).
    Register<bit<8>, bit<16>>(128) reg_flags0;
    Hash<bit<16>>(HashAlgorithm_t.IDENTITY) hash_incoming0_normal_incoming0;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_extract0_normal_magnitude0;
    #include "../include/ports.p4"
    // R-FPI-3, R-FPI-5: the exponent.
    action incoming0_normal() {
        meta.incoming0 = hash_incoming0_normal_incoming0.get({ 8w0, hdr.sum0.value[30:23] });
    }
    action incoming0_subnormal() { meta.incoming0 = 16w1; }
    action incoming0_nothing() { meta.incoming0 = 16w0xFF00; }
    table incoming0 {
        key = { hdr.sum0.value : ternary @name("value"); }
        actions = {
            incoming0_normal; incoming0_subnormal; incoming0_nothing; @defaultonly NoAction;
        }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : incoming0_nothing(); 0x7F800000 &&& 0x7F800000 : incoming0_nothing();
            0 &&& 0x7F800000 : incoming0_subnormal(); _ : incoming0_normal();
        }
        size = 4;
    }
    // R-FPI-3: the mantissa. R-FPI-4: infinities and NaN set a flag.
    action extract0_normal() {
        meta.magnitude0 = hash_extract0_normal_magnitude0.get({ 9w1, hdr.sum0.value[22:0] });
        meta.adds0 = 1w1;
    }
    action extract0_subnormal() {
        meta.magnitude0 = hdr.sum0.value & 32w0x7FFFFF; meta.adds0 = 1w1;
    }
    action extract0_nothing(bit<8> flag) {
        meta.magnitude0 = 32w0; meta.adds0 = 1w0; meta.flag0 = flag;
    }
    table extract0 {
        key = { hdr.sum0.value : ternary @name("value"); }
        actions = { extract0_normal; extract0_subnormal; extract0_nothing; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            0 &&& 0x7FFFFFFF : extract0_nothing(0); 0x7F800000 : extract0_nothing(1);
            0xFF800000 : extract0_nothing(2); 0x7F800000 &&& 0x7F800000 : extract0_nothing(4);
            0 &&& 0x7F800000 : extract0_subnormal(); _ : extract0_normal();
        }
        size = 6;
    }
    // R-FPI-3: the sign goes into the mantissa.
    action sign0_plus() { meta.signed0 = meta.magnitude0; }
    action sign0_minus() { meta.signed0 = 32w0 - meta.magnitude0; }
    table sign0 {
        key = { hdr.sum0.value : ternary @name("value"); }
        actions = { sign0_plus; sign0_minus; }
        const default_action = sign0_plus();
        const entries = { 0x80000000 &&& 0x80000000 : sign0_minus(); }
        size = 1;
    }
    // R-FPI-5 to 7: whose exponent the sum has.
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_begin = {
        void apply(inout int<16> value, out int<16> rv) {
            value = (int<16>) meta.incoming0; rv = value;
        }
    };
    action exponents0_begin() {
        meta.stored0 = (bit<16>) alu_exponents0_begin.execute(hdr.fpisa.index);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_raise = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
            if (value - (int<16>) meta.incoming0 < -7) { value = (int<16>) meta.incoming0; }
        }
    };
    action exponents0_raise() {
        meta.stored0 = (bit<16>) alu_exponents0_raise.execute(hdr.fpisa.index);
    }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent0) alu_exponents0_read = {
        void apply(inout int<16> value, out int<16> rv) { rv = value; }
    };
    action exponents0_read() {
        hdr.sum0.exponent = (bit<16>) alu_exponents0_read.execute(hdr.fpisa.index);
    }
    table exponents0 {
        key = { hdr.fpisa.op : ternary @name("op"); meta.adds0 : ternary @name("adds0"); }
        actions = { exponents0_begin; exponents0_raise; exponents0_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _) : exponents0_begin(); (2, 1) : exponents0_raise(); (3, _) : exponents0_read();
        }
        size = 3;
    }
    #include "../include/distance0.p4"
    #include "../include/align0_to_limit0_tna.p4"
    // R-FPI-5 to 9: replace, or add.
    RegisterAction<int<32>, bit<16>, bit<32>>(reg_mantissa0) alu_add0_begin = {
        void apply(inout int<32> value) { value = (int<32>) meta.shifted0; }
    };
    action add0_begin() { alu_add0_begin.execute(hdr.fpisa.index); }
    RegisterAction<int<32>, bit<16>, int<32>>(reg_mantissa0) alu_add0_read = {
        void apply(inout int<32> value, out int<32> rv) { rv = value; }
    };
    action add0_read() { hdr.sum0.mantissa = (bit<32>) alu_add0_read.execute(hdr.fpisa.index); }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa0) alu_add0_add_up = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) meta.limit0 > 0);
            value = value + (int<32>) meta.shifted0;
        }
    };
    action add0_add_up() { meta.added0 = alu_add0_add_up.execute(hdr.fpisa.index); }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa0) alu_add0_add_down = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) meta.limit0 < 0);
            value = value + (int<32>) meta.shifted0;
        }
    };
    action add0_add_down() { meta.added0 = alu_add0_add_down.execute(hdr.fpisa.index); }
    table add0 {
        key = {
            hdr.fpisa.op : ternary @name("op"); meta.adds0 : ternary @name("adds0");
            meta.distance0 : range @name("distance0"); meta.shifted0 : ternary @name("shifted0");
        }
        actions = { add0_begin; add0_read; add0_add_up; add0_add_down; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, 0..0xFFFF, _) : add0_begin(); (3, _, 0..0xFFFF, _) : add0_read();
            (2, 1, 8..0x7FFF, _) : add0_begin();
            (2, 1, 0..0xFFFF, 0x80000000 &&& 0x80000000) : add0_add_down();
            (2, 1, 0..0xFFFF, _) : add0_add_up();
        }
        size = 5;
    }
    // R-FPI-4, R-FPI-9: flags stay.
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_begin = {
        void apply(inout bit<8> value) { value = meta.flag0; }
    };
    action flag0_begin() { alu_flag0_begin.execute(hdr.fpisa.index); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_note = {
        void apply(inout bit<8> value) { value = value | meta.flag0; }
    };
    action flag0_note() { alu_flag0_note.execute(hdr.fpisa.index); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_overflow = {
        void apply(inout bit<8> value) { value = value | 8; }
    };
    action flag0_overflow() { alu_flag0_overflow.execute(hdr.fpisa.index); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags0) alu_flag0_read = {
        void apply(inout bit<8> value, out bit<8> rv) { rv = value; }
    };
    action flag0_read() { hdr.sum0.flags = alu_flag0_read.execute(hdr.fpisa.index); }
    table flag0 {
        key = {
            hdr.fpisa.op : ternary @name("op"); meta.added0 : ternary @name("added0");
            meta.shifted0 : ternary @name("shifted0");
        }
        actions = { flag0_begin; flag0_note; flag0_overflow; flag0_read; @defaultonly NoAction; }
        const default_action = NoAction();
        const entries = {
            (1, _, _) : flag0_begin(); (2, 4, 0 &&& 0x80000000) : flag0_overflow();
            (2, 8, 0x80000000 &&& 0x80000000) : flag0_overflow(); (2, _, _) : flag0_note();
            (3, _, _) : flag0_read();
        }
        size = 5;
    }
    apply {
        #include "../include/stage0_to_stage6.p4"
    }
}

control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta,
    in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    apply { packet.emit(hdr.ethernet); packet.emit(hdr.fpisa); packet.emit(hdr.sum0); }
}

parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta,
    out egress_intrinsic_metadata_t eg_intr_md) {
    state start { packet.extract(eg_intr_md); transition begin; }
    state begin { transition leaving_sums; }
    state leaving_sums {
        packet.extract(hdr.ethernet); packet.extract(hdr.fpisa); packet.extract(hdr.sum0);
        transition accept;
    }
}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta,
    in egress_intrinsic_metadata_t eg_intr_md,
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_assemble0_normal_value;
    // R-FPI-10: sign and magnitude.
    action magnitude0_plus() { meta.absolute0 = hdr.sum0.mantissa; }
    action magnitude0_minus() {
        meta.absolute0 = 32w0 - hdr.sum0.mantissa; meta.sign0 = 32w0x80000000;
    }
    table magnitude0 {
        key = { hdr.sum0.mantissa : ternary @name("mantissa"); }
        actions = { magnitude0_plus; magnitude0_minus; }
        const default_action = magnitude0_plus();
        const entries = { 0x80000000 &&& 0x80000000 : magnitude0_minus(); }
        size = 1;
    }
    #include "../include/normalise0_actions.p4"
    table normalise0 {
        key = {
            meta.absolute0 : ternary @name("absolute0");
            hdr.sum0.exponent : range @name("exponent");
        }
        actions = {
            normalise0_left1; normalise0_left2; normalise0_left3; normalise0_left4;
            normalise0_left5; normalise0_left6; normalise0_left7; normalise0_left8;
            normalise0_left9; normalise0_left10; normalise0_left11; normalise0_left12;
            normalise0_left13; normalise0_left14; normalise0_left15; normalise0_left16;
            normalise0_left17; normalise0_left18; normalise0_left19; normalise0_left20;
            normalise0_left21; normalise0_left22; normalise0_left23; normalise0_right1;
            normalise0_right2; normalise0_right3; normalise0_right4; normalise0_right5;
            normalise0_right6; normalise0_right7; normalise0_right8; normalise0_stay;
        }
        const default_action = normalise0_stay();
        const entries = {
            #include "../lists/normalise0.entries"
        }
        size = 284;
    }
    // R-FPI-10, R-FPI-12: flags first, then infinite, normal, subnormal.
    action assemble0_nan() { hdr.sum0.value = 32w0x7FC00000; }
    action assemble0_positive_infinity() { hdr.sum0.value = 32w0x7F800000; }
    action assemble0_negative_infinity() { hdr.sum0.value = 32w0xFF800000; }
    action assemble0_infinite() { hdr.sum0.value = meta.sign0 | 32w0x7F800000; }
    action assemble0_normal() {
        hdr.sum0.value = hash_assemble0_normal_value.get({ meta.sign0[31:31],
            meta.normal_exponent0[7:0], meta.normal0[22:0] });
    }
    action assemble0_subnormal() { hdr.sum0.value = meta.sign0 | meta.normal0; }
    table assemble0 {
        key = {
            hdr.sum0.flags : ternary @name("flags");
            meta.normal_exponent0 : range @name("normal_exponent0");
            meta.normal0 : ternary @name("normal0");
        }
        actions = {
            assemble0_nan; assemble0_positive_infinity; assemble0_negative_infinity;
            assemble0_infinite; assemble0_normal; assemble0_subnormal;
        }
        const default_action = assemble0_subnormal();
        const entries = {
            (4 &&& 4, 0..0xFFFF, _) : assemble0_nan(); (3 &&& 3, 0..0xFFFF, _) : assemble0_nan();
            (1 &&& 1, 0..0xFFFF, _) : assemble0_positive_infinity();
            (2 &&& 2, 0..0xFFFF, _) : assemble0_negative_infinity();
            (8 &&& 8, 0..0xFFFF, _) : assemble0_nan(); (_, 0..0xFFFF, 0) : assemble0_subnormal();
            (_, 255..0x7FFF, _) : assemble0_infinite();
            (_, 0..0xFFFF, 0x800000 &&& 0x800000) : assemble0_normal();
        }
        size = 8;
    }
    apply {
        // Stage 6
        if (hdr.fpisa.op == 8w3) { magnitude0.apply(); }
        // Stage 7
        if (hdr.fpisa.op == 8w3) { normalise0.apply(); }
        // Stage 8
        if (hdr.fpisa.op == 8w3) { assemble0.apply(); }
    }
}

control EgressDeparser(packet_out packet, inout leaving_headers_t hdr, in leaving_metadata_t meta,
    in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    apply { packet.emit(hdr.ethernet); packet.emit(hdr.fpisa); packet.emit(hdr.sum0); }
}

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(),
    EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
