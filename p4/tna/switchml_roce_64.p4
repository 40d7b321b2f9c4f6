// switchml_roce for Tofino (TNA).
// SwitchML over RoCE v2 UC: 64 lanes of 32 bits, 1 pipeline(s), 128 slots, 8 workers, messages of
// up to 16 packet(s).
// Rules: R-SLOT in spec/protocol.md, R-PISA-11 to 16 and 50 to 61 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#if __TARGET_TOFINO__ == 2
#include <t2na.p4>
#else
#include <tna.p4>
#endif
#include "../include/names_tna.p4"

header bridge_h {
    bit<8> mode; bit<8> step; bit<16> worker; bit<16> copy; bit<32> crc; bit<32> late;
}
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
#include "../include/ipv4_header_to_udp_header.p4"
#include "../include/bth_header_to_immediate_header.p4"
header front_h { bit<32> lane0; bit<32> lane1; bit<32> lane2; bit<32> lane3; }
#include "../include/rest_header_to_high_header.p4"
header icrc_h { bit<32> value; }
// What the control plane is told.
struct report_t {
    bit<24> dest_qp; bit<16> copy; bit<32> key_; bit<16> worker; bit<16> first_worker;
}
#define REPORT(reason) ig_dprsr_md.digest_type = 3w##reason
struct pair_t { bit<32> lo; bit<32> hi; }
struct signed_pair_t { int<32> lo; int<32> hi; }
struct headers_t {
    bridge_h bridge; ethernet_h ethernet; ipv4_h ipv4; udp_h udp; bth_h bth; reth_h reth;
    immediate_h immediate; front_h front; rest_h rest; high_h high; icrc_h icrc;
}
#include "../include/leaving_headers_t_to_leaving_metadata_t_tna_2.p4"

parser IngressParser(packet_in packet, out headers_t hdr, out metadata_t meta,
    out ingress_intrinsic_metadata_t ig_intr_md) {
    #include "../include/start_tna.p4"
    #include "../include/begin_tna.p4"
    state parse_bridge {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.mode) { 2: harvest; default: REJECT; }
    }
    #include "../include/parse_ethernet.p4"
    #include "../include/harvest.p4"
    #include "../include/parse_ipv4_to_other.p4"
    #include "../include/harvest_first_to_harvest_only.p4"
    #include "../include/parse_udp.p4"
    state gathered { transition accept; }
    state parse_bth { packet.extract(hdr.bth); transition first_opcode; }
    #include "../include/first_opcode.p4"
    #include "../include/first_first_to_first_only.p4"
    #include "../include/first_first_length_to_first_only_length.p4"
    state first_lanes {
        packet.extract(hdr.front); packet.extract(hdr.rest); packet.extract(hdr.high);
        transition first_end;
    }
    state first_end { packet.extract(hdr.icrc); transition accept; }
}

#include "../include/fold_unit_tna.p4"
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    in ingress_intrinsic_metadata_t ig_intr_md,
    in ingress_intrinsic_metadata_from_parser_t ig_prsr_md,
    inout ingress_intrinsic_metadata_for_deparser_t ig_dprsr_md,
    inout ingress_intrinsic_metadata_for_tm_t ig_tm_md) {
    #include "../include/reg_expected_to_reg_message_round_tna.p4"
    #include "../include/reg_last_to_reg_count_tna.p4"
    // The largest `next_exponent` of the round (R-SLOT-5).
    Register<int<16>, bit<16>>(256) reg_largest;
    // From 0, and not inverted: a linear map.
    CRCPolynomial<bit<32>>(32w0x04C11DB7, true, false, false, 32w0, 32w0) linear;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_agreed_first_digest_digest;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_agreed_only_digest_digest;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_agreed_last_digest_digest;
    Hash<bit<24>>(HashAlgorithm_t.IDENTITY) hash_number_result_number_psn;
    Hash<bit<32>>(HashAlgorithm_t.CUSTOM, linear) hash_hash_early_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CUSTOM, linear) hash_hash_late_hash_late;
    #include "../include/carry_to_begin.p4"
    #include "../include/shapes_4.p4"
    #include "../include/exponents_to_no_exponents.p4"
    #include "../include/queue_pairs.p4"
    #include "../include/jobs.p4"
    // A result that gathers its lanes: R-PISA-59.
    action resume_resume() {
        hdr.front.setValid(); hdr.rest.setValid(); meta.copy = hdr.bridge.copy;
    }
    #include "../include/numbers_to_message_rounds_tna.p4"
    // R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_middle_digest() { meta.digest = (bit<32>) hdr.bth.dest_qp; }
    // R-PISA-54, R-SLOT-7: what the packets of a round agree on.
    action agreed_last_digest() {
        meta.digest = hash_agreed_last_digest_digest.get({ hdr.bth.dest_qp, hdr.bth.opcode,
            hdr.immediate.exponent });
    }
    #include "../include/forward.p4"
    // R-PISA-55: the PSN of a result.
    action number_result_number() {
        hdr.bth.psn = hash_number_result_number_psn.get({ meta.key_[31:16], meta.place[7:0] });
    }
    #include "../include/number_result_table.p4"
    #include "../include/ages_to_starters_tna_2.p4"
    #include "../include/counts_actions_tna.p4"
    #include "../include/counts_table_2.p4"
    #include "../include/largests_tna.p4"
    #include "../include/fold0.p4"
    #include "../include/hash_early_to_hash_late_tna.p4"
    // R-PISA-59: lanes that were hashed before the last ones.
    action add_early_add() { hdr.bridge.crc = hdr.bridge.crc ^ meta.term; }
    #include "../include/outcome.p4"
    #define FOLD(N, F6, F7) fold##N.apply(meta.phase, hdr.bridge.step, meta.age, meta.round_is, \
        meta.left, hdr.udp.length, F6, F7, meta.copy)
    apply {
        #include "../include/stage0_to_stage3.p4"
        #include "../include/stage4_to_stage11.p4"
    }
}

#include "../include/ingress_deparser_tna_3.p4"

parser EgressParser(packet_in packet, out leaving_headers_t hdr, out leaving_metadata_t meta,
    out egress_intrinsic_metadata_t eg_intr_md) {
    state start { packet.extract(eg_intr_md); transition begin; }
    state begin {
        packet.extract(hdr.bridge);
        transition select(hdr.bridge.mode) { 4: leaving_other; default: leaving_roce; }
    }
    state leaving_other { transition accept; }
    #include "../include/leaving_roce_to_leaving_front_tna.p4"
    state leaving_end { transition accept; }
}

control SwitchEgress(inout leaving_headers_t hdr, inout leaving_metadata_t meta,
    in egress_intrinsic_metadata_t eg_intr_md,
    in egress_intrinsic_metadata_from_parser_t eg_prsr_md,
    inout egress_intrinsic_metadata_for_deparser_t eg_dprsr_md,
    inout egress_intrinsic_metadata_for_output_port_t eg_oport_md) {
    // From 0, and not inverted: a linear map.
    CRCPolynomial<bit<32>>(32w0x04C11DB7, true, false, false, 32w0, 32w0) linear;
    Hash<bit<32>>(HashAlgorithm_t.CUSTOM, linear) hash_lead_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_first_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_middle_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_last_hash_term;
    Hash<bit<32>>(HashAlgorithm_t.CRC32) hash_head_only_hash_term;
    // R-SLOT-3: each worker of the job.
    action each_one() { hdr.bridge.worker = REPLICA; }
    #include "../include/reach.p4"
    #include "../include/lead_tna.p4"
    #include "../include/sum_to_split_sum.p4"
    #include "../include/head_first_to_head_only_tna.p4"
    #include "../include/before0_to_join.p4"
    #include "../include/lack_to_choose3.p4"
    // What leaves the switch carries no bridge.
    action strip_bare() { hdr.bridge.setInvalid(); }
    apply {
        #include "../include/stage0_to_stage3_2.p4"
        #include "../include/stage4_to_stage4.p4"
        #include "../include/stage5_to_stage10.p4"
        #include "../include/stage11.p4"
    }
}

#include "../include/egress_deparser_tna_3.p4"

Pipeline(IngressParser(), SwitchIngress(), IngressDeparser(), EgressParser(), SwitchEgress(),
    EgressDeparser()) pipe;

// Fields that no stage has written are 0, as in the description that this comes from.
@pa_auto_init_metadata
Switch(pipe) main;
