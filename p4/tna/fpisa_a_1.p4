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

#include "../include/incoming_unit_to_extract_unit_tna.p4"
#include "../include/sign_unit.p4"
control exponents_unit(in bit<8> op, in bit<1> adds, in bit<16> incoming, in bit<16> index,
    inout bit<16> stored, inout bit<16> exponent) {
    // Exponents of the sums (R-FPI-2).
    Register<int<16>, bit<16>>(128) reg_exponent;
    // R-FPI-5 to 7: whose exponent the sum has.
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent) alu_exponents_begin = {
        void apply(inout int<16> value, out int<16> rv) { value = (int<16>) incoming; rv = value; }
    };
    action exponents_begin() { stored = (bit<16>) alu_exponents_begin.execute(index); }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent) alu_exponents_raise = {
        void apply(inout int<16> value, out int<16> rv) {
            rv = value;
            if (value - (int<16>) incoming < -7) { value = (int<16>) incoming; }
        }
    };
    action exponents_raise() { stored = (bit<16>) alu_exponents_raise.execute(index); }
    RegisterAction<int<16>, bit<16>, int<16>>(reg_exponent) alu_exponents_read = {
        void apply(inout int<16> value, out int<16> rv) { rv = value; }
    };
    action exponents_read() { exponent = (bit<16>) alu_exponents_read.execute(index); }
    #include "../include/exponents_table.p4"
    apply { exponents.apply(); }
}
#include "../include/distance_unit_to_limit_unit.p4"
control add_unit(in bit<8> op, in bit<1> adds, in bit<16> distance, in bit<32> shifted,
    in bit<16> index, in bit<32> limit, inout bit<32> mantissa, inout bit<4> added) {
    // Mantissas of the sums (R-FPI-2).
    Register<int<32>, bit<16>>(128) reg_mantissa;
    // R-FPI-5 to 9: replace, or add.
    RegisterAction<int<32>, bit<16>, bit<32>>(reg_mantissa) alu_add_begin = {
        void apply(inout int<32> value) { value = (int<32>) shifted; }
    };
    action add_begin() { alu_add_begin.execute(index); }
    RegisterAction<int<32>, bit<16>, int<32>>(reg_mantissa) alu_add_read = {
        void apply(inout int<32> value, out int<32> rv) { rv = value; }
    };
    action add_read() { mantissa = (bit<32>) alu_add_read.execute(index); }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa) alu_add_add_up = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) limit > 0);
            value = value + (int<32>) shifted;
        }
    };
    action add_add_up() { added = alu_add_add_up.execute(index); }
    RegisterAction<int<32>, bit<16>, bit<4>>(reg_mantissa) alu_add_add_down = {
        void apply(inout int<32> value, out bit<4> rv) {
            rv = this.predicate(value < 0, value - (int<32>) limit < 0);
            value = value + (int<32>) shifted;
        }
    };
    action add_add_down() { added = alu_add_add_down.execute(index); }
    #include "../include/add_table.p4"
    apply { add.apply(); }
}
control flag_unit(in bit<8> op, in bit<4> added, in bit<32> shifted, in bit<8> flag,
    in bit<16> index, inout bit<8> flags) {
    // Flags of each sum (R-FPI-4, R-FPI-9).
    Register<bit<8>, bit<16>>(128) reg_flags;
    // R-FPI-4, R-FPI-9: flags stay.
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_begin = {
        void apply(inout bit<8> value) { value = flag; }
    };
    action flag_begin() { alu_flag_begin.execute(index); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_note = {
        void apply(inout bit<8> value) { value = value | flag; }
    };
    action flag_note() { alu_flag_note.execute(index); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_overflow = {
        void apply(inout bit<8> value) { value = value | 8; }
    };
    action flag_overflow() { alu_flag_overflow.execute(index); }
    RegisterAction<bit<8>, bit<16>, bit<8>>(reg_flags) alu_flag_read = {
        void apply(inout bit<8> value, out bit<8> rv) { rv = value; }
    };
    action flag_read() { flags = alu_flag_read.execute(index); }
    #include "../include/flag_table.p4"
    apply { flag.apply(); }
}
@pa_container_size("ingress", "hdr.sum0.exponent", 16)
@pa_container_size("ingress", "hdr.sum0.flags", 8)
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    in ingress_intrinsic_metadata_t ig_intr_md,
    in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
    inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
    inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    #include "../include/ports.p4"
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    exponents_unit() exponents0; distance_unit() distance0; align_unit() align0;
    limit_unit() limit0; add_unit() add0; flag_unit() flag0;
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

#include "../include/magnitude_unit_2.p4"
#include "../include/normalise_unit.p4"
#include "../include/assemble_unit_tna.p4"
control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta,
    in egress_intrinsic_metadata_t eg_intr_md,
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    apply {
        #include "../include/stage6_to_stage8.p4"
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
