// switchml_acked for Tofino (TNA).
// P4SGD's protocol with netfold's rounds: 64 lanes of 32 bits, 1 pipeline(s), 128 slots, 8 workers.
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
    Register<pair_t, bit<16>>(128) reg_pair;
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
    #include "../include/shapes_2.p4"
    #include "../include/exponents_to_deliveries.p4"
    // R-SLOT-8, R-PISA-11: rounds as serial numbers.
    action rounds_number() {
        meta.key_ = hash_rounds_number_key.get({ hdr.netfold.position[28:0], meta.order,
            hdr.netfold.pool[0:0] });
        meta.foreign = hdr.netfold.worker ^ hdr.netfold.delivery;
        meta.sender = (bit<32>) hdr.netfold.worker;
    }
    #include "../include/digests_tna.p4"
    #include "../include/first_rest_to_again_rest.p4"
    #include "../include/forward.p4"
    #include "../include/ages_to_starters_tna.p4"
    #include "../include/counts_actions_tna.p4"
    #include "../include/counts_table.p4"
    #include "../include/fills_to_largests_tna.p4"
    #include "../include/show0_to_show6.p4"
    #include "../include/fold0.p4"
    #include "../include/hide0_to_outcome_actions.p4"
    #include "../include/outcome_table.p4"
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
