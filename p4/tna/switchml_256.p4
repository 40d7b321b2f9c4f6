// switchml for Tofino (TNA).
// SwitchML with netfold's rounds: 256 lanes of 32 bits, 4 pipeline(s), 128 slots, 8 workers.
// Rules: R-PKT and R-SLOT in spec/protocol.md, R-PISA in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#else
#include <tna.p4>
#endif
#include "../include/names_tna.p4"

header bridge_h { bit<8> mode; bit<8> step; bit<16> rest; bit<8> single; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/netfold_header.p4"
#include "../include/lanes_32_header_to_lanes_last_header.p4"
#include "../include/report_tna.p4"
struct pair_t { bit<32> lo; bit<32> hi; }
struct signed_pair_t { int<32> lo; int<32> hi; }
#include "../include/headers_t.p4"
#include "../include/leaving_headers_t_to_leaving_metadata_t_tna.p4"

parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta,
    out ingress_intrinsic_metadata_t ig_intr_md) {
    #include "../include/start_tna.p4"
    #include "../include/begin_tna.p4"
    #include "../include/parse_bridge.p4"
    #include "../include/parse_ethernet.p4"
    #include "../include/consume_again_to_harvest.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/again_kind_to_parse_netfold.p4"
    #include "../include/again_way.p4"
    #include "../include/first_kind.p4"
    #include "../include/again_lanes.p4"
    #include "../include/again_without_lanes_to_first_values.p4"
    #include "../include/again_all_lanes_to_first_lanes.p4"
    state first_without_lanes { transition accept; }
    #include "../include/again_take_16_to_again_take_1.p4"
    state again_end { transition accept; }
    #include "../include/first_take_4_to_first_take_1.p4"
    state first_end { transition accept; }
}

control fold_unit(in bit<2> phase, in bit<8> step, in bit<4> age, in bit<4> round_is,
    in bit<8> flags, in bit<2> order, in bit<8> was_filled, in bit<16> left, inout bit<32> lane,
    inout bit<32> lane_2, in bit<16> copy) {
    // Two lanes of each copy of a slot (R-SLOT-2).
    Register<pair_t, bit<16>>(256) reg_pair;
    #include "../include/fold_tna.p4"
    apply { fold.apply(); }
}
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    in ingress_intrinsic_metadata_t ig_intr_md,
    in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
    inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
    inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    #include "../include/reg_last_to_reg_count_tna.p4"
    // Whether lanes have been written in this round.
    Register<bit<8>, bit<16>>(256) reg_filled;
    // The largest `next_exponent` of the round (R-SLOT-5).
    Register<int<16>, bit<16>>(256) reg_largest;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_rounds_number_key;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_digests_digest_digest;
    // R-PKT-1, R-PKT-2: lanes of the one type, that are summed, and a length that fits; or none.
    action shapes_pass() { meta.known_shape = 1w1; }
    table shapes {
        key = {
            hdr.netfold.flags : ternary; hdr.netfold.element_type : ternary;
            hdr.netfold.operation : ternary; hdr.netfold.elements : range; hdr.udp.length : ternary;
        }
        actions = { shapes_pass; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(258)
        #define E(k0, k1, k2, k3, k4) (k0, k1, k2, k3, k4) : shapes_pass();
        const entries = {
            #include "../lists/shapes.entries"
        }
        #undef E
    }
    #include "../include/exponents_to_deliveries.p4"
    #include "../include/rounds_tna.p4"
    #include "../include/digests_tna.p4"
    #include "../include/first_rest_to_again_rest.p4"
    #include "../include/forward.p4"
    #include "../include/ages_to_starters_tna.p4"
    #include "../include/counts_actions_tna.p4"
    #include "../include/counts_table.p4"
    #include "../include/fills_to_largests_tna.p4"
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show0_show() { hdr.lanes_32.setValid(); meta.shown0 = 1w1; }
    table show0 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show0_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(14)
        const entries = {
            (2, 0, 64 &&& 0xFFC0) : show0_show(); (2, 0, 128 &&& 0xFFC0) : show0_show();
            (2, 0, 192 &&& 0xFFC0) : show0_show(); (2, 0, 256 &&& 0xFFC0) : show0_show();
            (2, 0, 32 &&& 0xFFE0) : show0_show(); (2, 2, 128 &&& 0xFFC0) : show0_show();
            (2, 2, 192 &&& 0xFFC0) : show0_show(); (2, 2, 256 &&& 0xFFC0) : show0_show();
            (2, 2, 96 &&& 0xFFE0) : show0_show(); (2, 4, 192 &&& 0xFFC0) : show0_show();
            (2, 4, 256 &&& 0xFFC0) : show0_show(); (2, 4, 160 &&& 0xFFE0) : show0_show();
            (2, 6, 256 &&& 0xFFC0) : show0_show(); (2, 6, 224 &&& 0xFFE0) : show0_show();
        }
    }
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show1_show() { hdr.lanes_16.setValid(); meta.shown1 = 1w1; }
    table show1 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show1_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(16)
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show1_show(); (2, 1, 128 &&& 0xFFC0) : show1_show();
            (2, 1, 192 &&& 0xFFC0) : show1_show(); (2, 1, 256 &&& 0xFFC0) : show1_show();
            (2, 1, 16 &&& 0xFFD0) : show1_show(); (2, 3, 128 &&& 0xFFC0) : show1_show();
            (2, 3, 192 &&& 0xFFC0) : show1_show(); (2, 3, 256 &&& 0xFFC0) : show1_show();
            (2, 3, 80 &&& 0xFFD0) : show1_show(); (2, 5, 192 &&& 0xFFC0) : show1_show();
            (2, 5, 256 &&& 0xFFC0) : show1_show(); (2, 5, 144 &&& 0xFFD0) : show1_show();
            (2, 7, 256 &&& 0xFFC0) : show1_show(); (2, 7, 208 &&& 0xFFD0) : show1_show();
            (1, 3, 256 &&& 0xFFC0) : show1_show(); (1, 3, 208 &&& 0xFFD0) : show1_show();
        }
    }
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show2_show() { hdr.lanes_8.setValid(); meta.shown2 = 1w1; }
    table show2 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show2_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(16)
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show2_show(); (2, 1, 128 &&& 0xFFC0) : show2_show();
            (2, 1, 192 &&& 0xFFC0) : show2_show(); (2, 1, 256 &&& 0xFFC0) : show2_show();
            (2, 1, 8 &&& 0xFFC8) : show2_show(); (2, 3, 128 &&& 0xFFC0) : show2_show();
            (2, 3, 192 &&& 0xFFC0) : show2_show(); (2, 3, 256 &&& 0xFFC0) : show2_show();
            (2, 3, 72 &&& 0xFFC8) : show2_show(); (2, 5, 192 &&& 0xFFC0) : show2_show();
            (2, 5, 256 &&& 0xFFC0) : show2_show(); (2, 5, 136 &&& 0xFFC8) : show2_show();
            (2, 7, 256 &&& 0xFFC0) : show2_show(); (2, 7, 200 &&& 0xFFC8) : show2_show();
            (1, 3, 256 &&& 0xFFC0) : show2_show(); (1, 3, 200 &&& 0xFFC8) : show2_show();
        }
    }
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show3_show() { hdr.lanes_4.setValid(); meta.shown3 = 1w1; }
    table show3 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show3_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(16)
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show3_show(); (2, 1, 128 &&& 0xFFC0) : show3_show();
            (2, 1, 192 &&& 0xFFC0) : show3_show(); (2, 1, 256 &&& 0xFFC0) : show3_show();
            (2, 1, 4 &&& 0xFFC4) : show3_show(); (2, 3, 128 &&& 0xFFC0) : show3_show();
            (2, 3, 192 &&& 0xFFC0) : show3_show(); (2, 3, 256 &&& 0xFFC0) : show3_show();
            (2, 3, 68 &&& 0xFFC4) : show3_show(); (2, 5, 192 &&& 0xFFC0) : show3_show();
            (2, 5, 256 &&& 0xFFC0) : show3_show(); (2, 5, 132 &&& 0xFFC4) : show3_show();
            (2, 7, 256 &&& 0xFFC0) : show3_show(); (2, 7, 196 &&& 0xFFC4) : show3_show();
            (1, 3, 256 &&& 0xFFC0) : show3_show(); (1, 3, 196 &&& 0xFFC4) : show3_show();
        }
    }
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show4_show() { hdr.lanes_2.setValid(); meta.shown4 = 1w1; }
    table show4 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show4_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(16)
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show4_show(); (2, 1, 128 &&& 0xFFC0) : show4_show();
            (2, 1, 192 &&& 0xFFC0) : show4_show(); (2, 1, 256 &&& 0xFFC0) : show4_show();
            (2, 1, 2 &&& 0xFFC2) : show4_show(); (2, 3, 128 &&& 0xFFC0) : show4_show();
            (2, 3, 192 &&& 0xFFC0) : show4_show(); (2, 3, 256 &&& 0xFFC0) : show4_show();
            (2, 3, 66 &&& 0xFFC2) : show4_show(); (2, 5, 192 &&& 0xFFC0) : show4_show();
            (2, 5, 256 &&& 0xFFC0) : show4_show(); (2, 5, 130 &&& 0xFFC2) : show4_show();
            (2, 7, 256 &&& 0xFFC0) : show4_show(); (2, 7, 194 &&& 0xFFC2) : show4_show();
            (1, 3, 256 &&& 0xFFC0) : show4_show(); (1, 3, 194 &&& 0xFFC2) : show4_show();
        }
    }
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show5_show() { hdr.lanes_1.setValid(); meta.shown5 = 1w1; }
    table show5 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show5_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(16)
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show5_show(); (2, 1, 128 &&& 0xFFC0) : show5_show();
            (2, 1, 192 &&& 0xFFC0) : show5_show(); (2, 1, 256 &&& 0xFFC0) : show5_show();
            (2, 1, 1 &&& 0xFFC1) : show5_show(); (2, 3, 128 &&& 0xFFC0) : show5_show();
            (2, 3, 192 &&& 0xFFC0) : show5_show(); (2, 3, 256 &&& 0xFFC0) : show5_show();
            (2, 3, 65 &&& 0xFFC1) : show5_show(); (2, 5, 192 &&& 0xFFC0) : show5_show();
            (2, 5, 256 &&& 0xFFC0) : show5_show(); (2, 5, 129 &&& 0xFFC1) : show5_show();
            (2, 7, 256 &&& 0xFFC0) : show5_show(); (2, 7, 193 &&& 0xFFC1) : show5_show();
            (1, 3, 256 &&& 0xFFC0) : show5_show(); (1, 3, 193 &&& 0xFFC1) : show5_show();
        }
    }
    // Lanes that the packet has behind this pass (R-PISA-14).
    action show6_show() { hdr.lanes_last.setValid(); meta.shown6 = 1w1; }
    table show6 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : ternary; }
        actions = { show6_show; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(11)
        const entries = {
            (2, 1, 64 &&& 0xFFC0) : show6_show(); (2, 1, 128 &&& 0xFFC0) : show6_show();
            (2, 1, 192 &&& 0xFFC0) : show6_show(); (2, 1, 256 &&& 0xFFC0) : show6_show();
            (2, 3, 128 &&& 0xFFC0) : show6_show(); (2, 3, 192 &&& 0xFFC0) : show6_show();
            (2, 3, 256 &&& 0xFFC0) : show6_show(); (2, 5, 192 &&& 0xFFC0) : show6_show();
            (2, 5, 256 &&& 0xFFC0) : show6_show(); (2, 7, 256 &&& 0xFFC0) : show6_show();
            (1, 3, 256 &&& 0xFFC0) : show6_show();
        }
    }
    #include "../include/fold0.p4"
    #include "../include/hide0_to_outcome_actions.p4"
    table outcome {
        key = {
            meta.phase : ternary; hdr.bridge.step : ternary; meta.age : ternary;
            meta.round_is : ternary; meta.left : ternary; meta.alone : ternary;
            hdr.netfold.flags : ternary; meta.order : ternary; meta.was_filled : ternary;
            meta.to_all : ternary; meta.foreign : ternary; hdr.netfold.elements : range;
            hdr.bridge.single : ternary; meta.known_shape : ternary; meta.known_exponents : ternary;
            meta.known_seal : ternary; meta.known_job : ternary; meta.known_member : ternary;
            meta.known_delivery : ternary;
        }
        actions = {
            outcome_refuse; outcome_mismatch; outcome_onward; outcome_recall; outcome_gather;
            outcome_gather_one; outcome_relay; outcome_spread; outcome_spread_empty; outcome_reply;
            outcome_reply_empty; outcome_harvest; outcome_spread_whole; outcome_reply_whole;
        }
        const default_action = outcome_refuse(); ENTRIES(94)
        const entries = {
            #include "../lists/outcome_2.entries"
        }
    }
    #include "../include/apply_fold_unit.p4"
    apply {
        #include "../include/stage0_to_stage1.p4"
        #include "../include/stage2_to_stage11.p4"
    }
}

#include "../include/ingress_deparser_tna.p4"

parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta,
    out egress_intrinsic_metadata_t eg_intr_md) {
    state start { packet.extract(eg_intr_md); transition begin; }
    #include "../include/begin_tna_2.p4"
    state leaving_other { transition accept; }
    state leaving_netfold {
        packet.extract(hdr.ethernet); packet.extract(hdr.ipv4); packet.extract(hdr.udp);
        packet.extract(hdr.netfold); transition accept;
    }
}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta,
    in egress_intrinsic_metadata_t eg_intr_md,
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    #include "../include/measure_to_copies.p4"
    apply {
        #include "../include/stage0_to_stage1_2.p4"
    }
}

#include "../include/egress_deparser_tna.p4"

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(),
    EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
