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
#include "../include/names_tna.p4"

header bridge_h { bit<8> mode; bit<8> step; bit<16> rest; bit<8> single; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/netfold_header.p4"
header found_h { bit<8> lanes; bit<16> exponent0; bit<8> flags0; }
header lane0_h { bit<32> value; }
// What the control plane is told.
struct report_t {
    bit<16> job; bit<32> epoch; bit<16> slot; bit<32> position; bit<32> sender;
    bit<32> first_worker; bit<16> lane;
}
#define REPORT(reason) ig_dprsr_md.digest_type = 3w##reason
struct signed_pair_t { int<32> lo; int<32> hi; }
#include "../include/headers_t_to_leaving_metadata_t_tna.p4"

parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta,
    out ingress_intrinsic_metadata_t ig_intr_md) {
    #include "../include/start_tna.p4"
    #include "../include/begin_tna.p4"
    #include "../include/parse_bridge.p4"
    #include "../include/parse_ethernet.p4"
    #include "../include/consume_again_to_harvest.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/again_kind_to_parse_netfold.p4"
    #include "../include/again_way_2.p4"
    #include "../include/first_kind.p4"
    state again_look_0 {
        transition select(hdr.bridge.rest) { 0: again_end; default: again_take_0; }
    }
    #include "../include/again_without_lanes_to_first_values.p4"
    state again_end { transition accept; }
    state again_take_0 { packet.extract(hdr.lane0); transition again_end; }
    #include "../include/first_way.p4"
    state first_look_0 {
        transition select(hdr.netfold.elements) { 0: first_end; default: first_take_0; }
    }
    state first_without_lanes { transition accept; }
    state first_end { transition accept; }
    state first_take_0 { packet.extract(hdr.lane0); transition first_end; }
}

#include "../include/incoming_unit_to_extract_unit_tna.p4"
#include "../include/sign_unit.p4"
#include "../include/distance_unit_to_limit_unit.p4"
#include "../include/add_unit_to_flag_unit_tna.p4"
@pa_container_size("ingress", "hdr.found.exponent0", 16)
@pa_container_size("ingress", "hdr.found.flags0", 8)
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
    // Exponents of the sums (R-FPI-2).
    Register<int<16>, bit<16>>(256) reg_exponent0;
    Hash<bit<32>>(HashAlgorithm_t.IDENTITY) hash_rounds_number_key;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_digests_digest_digest;
    #include "../include/shapes_3.p4"
    #include "../include/exponents_to_deliveries.p4"
    #include "../include/rounds_tna.p4"
    #include "../include/digests_tna.p4"
    // Lanes that are left for the pipelines to come.
    action first_rest_leave() { meta.rest = hdr.netfold.elements |-| 16w1; }
    // Lanes that are left for the pipelines to come.
    action again_rest_leave() { meta.rest = hdr.bridge.rest |-| 16w1; }
    #include "../include/forward.p4"
    #include "../include/ages_to_starters_tna.p4"
    #include "../include/counts_actions_tna.p4"
    #include "../include/counts_table.p4"
    #include "../include/fills_to_largests_tna.p4"
    // R-PISA-36: how many sums egress puts together.
    action tell_none() { hdr.found.setValid(); hdr.found.lanes = 8w0; }
    action tell_some(bit<8> lanes) { hdr.found.setValid(); hdr.found.lanes = lanes; }
    table tell {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { tell_none; tell_some; }
        const default_action = tell_none(); ENTRIES(4)
        const entries = {
            (2, 0, 1..0xFFFF) : tell_some(1); (2, 1, 2..0xFFFF) : tell_some(1);
            (2, 2, 3..0xFFFF) : tell_some(1); (2, 3, 4..0xFFFF) : tell_some(1);
        }
    }
    #include "../include/folds.p4"
    incoming_unit() incoming0; extract_unit() extract0; sign_unit() sign0;
    // Lanes that the packet has behind this pass (R-PISA-35).
    action show0_show() { hdr.lane0.setValid(); }
    action show0_hide() { hdr.lane0.setInvalid(); }
    table show0 {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; hdr.netfold.elements : range; }
        actions = { show0_show; show0_hide; }
        const default_action = show0_hide(); ENTRIES(4)
        const entries = {
            (2, 0, 1..0xFFFF) : show0_show(); (2, 1, 2..0xFFFF) : show0_show();
            (2, 2, 3..0xFFFF) : show0_show(); (2, 3, 4..0xFFFF) : show0_show();
        }
    }
    // The number of a pipeline's first lane, as long as the packet's step says which pipeline it
    // is.
    action first_lane_count(bit<16> lanes) { meta.lane = lanes; }
    table first_lane {
        key = { meta.phase : ternary; hdr.bridge.step : ternary; }
        actions = { first_lane_count; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(4)
        const entries = {
            (0, _) : first_lane_count(0); (1, 1) : first_lane_count(1);
            (1, 2) : first_lane_count(2); (1, 3) : first_lane_count(3);
        }
    }
    #include "../include/exponents0_to_outcome_actions_tna.p4"
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
        const default_action = outcome_refuse(); ENTRIES(90)
        const entries = {
            #include "../lists/outcome_4.entries"
        }
    }
    #include "../include/overflows_tna.p4"
    apply {
        #include "../include/stage0_to_stage1.p4"
        #include "../include/stage2.p4"
        #include "../include/stage3_to_stage4_tna.p4"
        // Stage 5
        if (hdr.netfold.isValid()) { show0.apply(); }
        first_lane.apply();
        // From stage 4 again
        exponents0.apply();
        distance0.apply(meta.incoming0, meta.stored0, meta.distance0);
        // Stage 6
        align0.apply(meta.distance0, meta.signed0, meta.shifted0);
        // Stage 7
        if (meta.sums_are == 8w2) { limit0.apply(meta.shifted0, meta.limit0); }
        // Stage 8
        add0.apply(meta.sums_are, meta.adds0, meta.distance0, meta.shifted0, meta.copy, meta.limit0,
            hdr.lane0.value, meta.added0);
        // Stage 9
        flag0.apply(meta.sums_are, meta.added0, meta.shifted0, meta.flag0, meta.copy,
            meta.overflowed0, hdr.found.flags0);
        if (hdr.netfold.isValid()) { outcome.apply(); }
        // Stage 11
        if (hdr.netfold.isValid()) { overflows.apply(); }
    }
}

#include "../include/ingress_deparser_tna_2.p4"

parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta,
    out egress_intrinsic_metadata_t eg_intr_md) {
    state start { packet.extract(eg_intr_md); transition begin; }
    #include "../include/begin_tna_2.p4"
    state leaving_other { transition accept; }
    #include "../include/leaving_netfold_to_leaving_look_0_tna.p4"
    state leaving_end { transition accept; }
    state leaving_take_0 { packet.extract(hdr.lane0); transition leaving_end; }
}

#include "../include/magnitude_unit.p4"
#include "../include/normalise_unit.p4"
#include "../include/assemble_unit_tna.p4"
control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta,
    in egress_intrinsic_metadata_t eg_intr_md,
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    #include "../include/measure_to_copies.p4"
    magnitude_unit() magnitude0; normalise_unit() normalise0; assemble_unit() assemble0;
    // R-PISA-36: what sums were put together from.
    action strip_found_strip() { hdr.found.setInvalid(); }
    apply {
        #include "../include/stage0_to_stage1_2.p4"
        #include "../include/stage9_to_stage11_tna.p4"
    }
}

#include "../include/egress_deparser_tna_2.p4"

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(),
    EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
