// bloom_join for bmv2 (v1model).
// A Bloom filter of 128 words.
// Rules: R-QRY in spec/query.md, R-PISA-80 to 87 in spec/pisa.md.
// Written by `netfold p4 emit`; do not edit.

#include <core.p4>
#define V1MODEL_VERSION 20200408
#include <v1model.p4>
#include "../include/names_v1model.p4"

header bridge_h { bit<8> mode; bit<8> again; }
header ethernet_h { bit<48> dst; bit<48> src; bit<16> ether_type; }
header row_h {
    bit<8> op; bit<8> verdict; bit<16> index; bit<32> key_; bit<32> code; bit<32> mask_high;
    bit<32> mask_low;
}
struct headers_t { bridge_h bridge; ethernet_h ethernet; row_h row; }
struct metadata_t {
    // The parser takes the packet for none that the program knows.
    bit<1> refused; bit<1> again; bit<16> worker; bit<16> master; bit<1> sealed; bit<32> word_high;
    bit<32> both_high; bit<32> missing_high; bit<32> word_low; bit<32> both_low;
    bit<32> missing_low;
}

parser SwitchParser(packet_in packet, out headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/start_v1model_2.p4"
    #include "../include/parse_again_to_parse_ethernet_v1model.p4"
    state parse_row {
        packet.extract(hdr.row);
        transition select(hdr.row.op, hdr.row.index) {
            (2, 0 &&& 0xFF80): known; (4, 0 &&& 0xFF80): known; default: REJECT;
        }
    }
    state known { transition accept; }
    state refused { meta.refused = 1; transition accept; }
}

control SwitchVerifyChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
control SwitchIngress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    // Half of the words of the filter (R-QRY-13).
    register<bit<32>, bit<32>>(128) reg_bloom_high;
    // Half of the words of the filter (R-QRY-13).
    register<bit<32>, bit<32>>(128) reg_bloom_low;
    #include "../include/ports_v1model.p4"
    // R-QRY-13: set, or look.
    action filter_high_build() {
        @atomic {
            bit<32> old_lo; reg_bloom_high.read(old_lo, (bit<32>) hdr.row.index);
            bit<32> new_lo = old_lo | hdr.row.mask_high;
            reg_bloom_high.write((bit<32>) hdr.row.index, new_lo);
        }
    }
    action filter_high_probe() {
        @atomic {
            bit<32> old_lo; reg_bloom_high.read(old_lo, (bit<32>) hdr.row.index);
            meta.word_high = old_lo;
        }
    }
    table filter_high {
        key = { hdr.row.op : exact; }
        actions = { filter_high_build; filter_high_probe; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { 4 : filter_high_build(); 2 : filter_high_probe(); }
    }
    // The key's bits that are set.
    action both_high_both() { meta.both_high = meta.word_high & hdr.row.mask_high; }
    // Those that are not.
    action missing_high_missing() { meta.missing_high = meta.both_high ^ hdr.row.mask_high; }
    // R-QRY-13: set, or look.
    action filter_low_build() {
        @atomic {
            bit<32> old_lo; reg_bloom_low.read(old_lo, (bit<32>) hdr.row.index);
            bit<32> new_lo = old_lo | hdr.row.mask_low;
            reg_bloom_low.write((bit<32>) hdr.row.index, new_lo);
        }
    }
    action filter_low_probe() {
        @atomic {
            bit<32> old_lo; reg_bloom_low.read(old_lo, (bit<32>) hdr.row.index);
            meta.word_low = old_lo;
        }
    }
    table filter_low {
        key = { hdr.row.op : exact; }
        actions = { filter_low_build; filter_low_probe; @defaultonly NoAction; }
        const default_action = NoAction(); ENTRIES(2)
        const entries = { 4 : filter_low_build(); 2 : filter_low_probe(); }
    }
    // The key's bits that are set.
    action both_low_both() { meta.both_low = meta.word_low & hdr.row.mask_low; }
    // Those that are not.
    action missing_low_missing() { meta.missing_low = meta.both_low ^ hdr.row.mask_low; }
    // R-QRY-13: the control plane seals the filter.
    action seal_sealed() { meta.sealed = 1w1; }
    table seal {
        key = { hdr.row.op : exact @name("op"); }
        actions = { seal_sealed; @defaultonly NoAction; }
        const default_action = NoAction(); size = 1;
    }
    #include "../include/judge_actions_v1model.p4"
    table judge {
        key = {
            hdr.row.op : ternary; meta.sealed : ternary; meta.missing_high : ternary;
            meta.missing_low : ternary;
        }
        actions = { judge_forward; judge_give_back; }
        const default_action = judge_forward(); ENTRIES(4)
        const entries = {
            (4, _, _, _) : judge_give_back(); (_, 0, _, _) : judge_forward();
            (_, _, 0, 0) : judge_forward(); (_, _, _, _) : judge_give_back();
        }
    }
    apply {
        // R-PISA-1: what the parser rejects, or finds too short, is dropped.
        if (meta.refused == 1w1 || standard_metadata.parser_error != error.NoError) {
            mark_to_drop(standard_metadata); return;
        }
        // Stage 0
        ports.apply();
        // Stage 1
        filter_high.apply();
        // Stage 2
        both_high_both();
        // Stage 3
        missing_high_missing();
        // From stage 1 again
        filter_low.apply();
        both_low_both();
        missing_low_missing();
        // From stage 0 again
        seal.apply();
        // Stage 4
        judge.apply();
    }
}

control SwitchEgress(inout headers_t hdr, inout metadata_t meta,
    inout standard_metadata_t standard_metadata) {
    #include "../include/strip_v1model.p4"
    apply {
        // Stage 0
        strip.apply();
        // What leaves by a port that is looped back comes in again.
        if (standard_metadata.egress_port == 9w68) { recirculate_preserving_field_list(0); }
    }
}

control SwitchComputeChecksum(inout headers_t hdr, inout metadata_t meta) { apply { } }
#include "../include/deparser_v1model_3.p4"

V1Switch(SwitchParser(), SwitchVerifyChecksum(), SwitchIngress(), SwitchEgress(),
    SwitchComputeChecksum(), SwitchDeparser()) main;
