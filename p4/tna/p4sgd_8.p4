// p4sgd for Tofino (TNA).
// P4SGD's acknowledged protocol: 8 value(s), 128 slots, 8 workers.
// Rules: R-PISA-20 to 22 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#else
#include <tna.p4>
#endif
#include "../include/names_tna.p4"

header bridge_h { bit<8> clears; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header p4sgd_h { bit<8> is_agg; bit<8> acked; bit<16> seq; bit<32> bm; }
header activations_h {
    bit<32> value0; bit<32> value1; bit<32> value2; bit<32> value3; bit<32> value4; bit<32> value5;
    bit<32> value6; bit<32> value7;
}
struct headers_t { bridge_h bridge; ethernet_h ethernet; p4sgd_h p4sgd; activations_h activations; }
struct leaving_headers_t { }
struct metadata_t {
    bit<1> around_again; bit<2> side; bit<32> before; bit<32> seen; bit<2> reached;
}
struct leaving_metadata_t { }

parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta,
    out ingress_intrinsic_metadata_t ig_intr_md) {
    #include "../include/start_tna.p4"
    #include "../include/begin_tna.p4"
    #include "../include/parse_bridge_to_parse_activations.p4"
}

control aggregate_unit(in bit<1> around_again, in bit<32> seen, inout bit<32> lane,
    in bit<16> seq) {
    // The sum so far.
    Register<bit<32>, bit<16>>(128) reg_agg;
    // Algorithm 2, lines 6, 13 and 24.
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_agg) alu_aggregate_add = {
        void apply(inout bit<32> value, out bit<32> rv) { value = value + lane; rv = value; }
    };
    action aggregate_add() { lane = alu_aggregate_add.execute(seq); }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_agg) alu_aggregate_read = {
        void apply(inout bit<32> value, out bit<32> rv) { rv = value; }
    };
    action aggregate_read() { lane = alu_aggregate_read.execute(seq); }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_agg) alu_aggregate_clear = {
        void apply(inout bit<32> value) { value = 0; }
    };
    action aggregate_clear() { alu_aggregate_clear.execute(seq); }
    #include "../include/aggregate_table.p4"
    apply { aggregate.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    in ingress_intrinsic_metadata_t ig_intr_md,
    in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
    inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
    inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    // Workers whose packet has come.
    Register<bit<32>, bit<16>>(128) reg_agg_bm;
    // Workers whose packet has come.
    Register<bit<32>, bit<16>>(128) reg_ack_bm;
    // How many have come.
    Register<bit<32>, bit<16>>(128) reg_agg_count;
    // How many have come.
    Register<bit<32>, bit<16>>(128) reg_ack_count;
    // Algorithm 2, lines 3, 5, 9, 18, 20 and 23.
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_agg_bm) alu_agg_bitmap_mark = {
        void apply(inout bit<32> value, out bit<32> rv) {
            rv = value; value = value | hdr.p4sgd.bm;
        }
    };
    action agg_bitmap_mark() { meta.before = alu_agg_bitmap_mark.execute(hdr.p4sgd.seq); }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_agg_bm) alu_agg_bitmap_clear = {
        void apply(inout bit<32> value) { value = 0; }
    };
    action agg_bitmap_clear() { alu_agg_bitmap_clear.execute(hdr.p4sgd.seq); }
    table agg_bitmap {
        key = { meta.around_again : ternary; meta.seen : ternary; }
        actions = { agg_bitmap_mark; agg_bitmap_clear; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { (0, _) : agg_bitmap_mark(); (1, _) : agg_bitmap_clear(); }
    }
    // Algorithm 2, lines 3, 5, 9, 18, 20 and 23.
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_ack_bm) alu_ack_bitmap_mark = {
        void apply(inout bit<32> value, out bit<32> rv) {
            rv = value; value = value | hdr.p4sgd.bm;
        }
    };
    action ack_bitmap_mark() { meta.before = alu_ack_bitmap_mark.execute(hdr.p4sgd.seq); }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_ack_bm) alu_ack_bitmap_clear = {
        void apply(inout bit<32> value) { value = 0; }
    };
    action ack_bitmap_clear() { alu_ack_bitmap_clear.execute(hdr.p4sgd.seq); }
    #include "../include/ack_bitmap_table_to_own_bit.p4"
    // Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.
    RegisterAction<bit<32>, bit<16>, bit<2>>(reg_agg_count) alu_agg_counter_count = {
        void apply(inout bit<32> value, out bit<2> rv) {
            rv = this.predicate(value == 7); value = value + 1;
        }
    };
    action agg_counter_count() { meta.reached = alu_agg_counter_count.execute(hdr.p4sgd.seq); }
    RegisterAction<bit<32>, bit<16>, bit<2>>(reg_agg_count) alu_agg_counter_look = {
        void apply(inout bit<32> value, out bit<2> rv) { rv = this.predicate(value == 8); }
    };
    action agg_counter_look() { meta.reached = alu_agg_counter_look.execute(hdr.p4sgd.seq); }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_agg_count) alu_agg_counter_clear = {
        void apply(inout bit<32> value) { value = 0; }
    };
    action agg_counter_clear() { alu_agg_counter_clear.execute(hdr.p4sgd.seq); }
    #include "../include/agg_counter_table.p4"
    // Algorithm 2, lines 4, 7, 8, 12, 19, 21, 22 and 27.
    RegisterAction<bit<32>, bit<16>, bit<2>>(reg_ack_count) alu_ack_counter_count = {
        void apply(inout bit<32> value, out bit<2> rv) {
            rv = this.predicate(value == 7); value = value + 1;
        }
    };
    action ack_counter_count() { meta.reached = alu_ack_counter_count.execute(hdr.p4sgd.seq); }
    RegisterAction<bit<32>, bit<16>, bit<2>>(reg_ack_count) alu_ack_counter_look = {
        void apply(inout bit<32> value, out bit<2> rv) { rv = this.predicate(value == 8); }
    };
    action ack_counter_look() { meta.reached = alu_ack_counter_look.execute(hdr.p4sgd.seq); }
    RegisterAction<bit<32>, bit<16>, bit<32>>(reg_ack_count) alu_ack_counter_clear = {
        void apply(inout bit<32> value) { value = 0; }
    };
    action ack_counter_clear() { alu_ack_counter_clear.execute(hdr.p4sgd.seq); }
    #include "../include/ack_counter_table_to_apply_aggregate_unit.p4"
    apply {
        #include "../include/stage0_to_stage4.p4"
    }
}

control IngressDeparser(packet_out packet, inout headers_t hdr, in metadata_t meta,
    in ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md) {
    apply {
        packet.emit(hdr.bridge); packet.emit(hdr.ethernet); packet.emit(hdr.p4sgd);
        packet.emit(hdr.activations);
    }
}

parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta,
    out egress_intrinsic_metadata_t eg_intr_md) {
    state start { packet.extract(eg_intr_md); transition begin; }
    state begin { transition accept; }
}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta,
    in egress_intrinsic_metadata_t eg_intr_md,
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    apply { }
}

control EgressDeparser(packet_out packet, inout leaving_headers_t hdr, in leaving_metadata_t meta,
    in egress_intrinsic_metadata_for_deparser_t eg_dprsr_md) {
    apply { }
}

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(),
    EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
