// The common part of the benches: operations come in with the answers that they must have, and the unit is held to them (R-HDL-13).
//
// Nothing here computes an answer. A record is the unit's inputs and then its outputs, each as 32 bits, the least significant byte first.
#pragma once

#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <deque>

#include "Vunit.h"
#include "verilated.h"

// Required by Verilator's library, which asks for the time.
double sc_time_stamp() { return 0; }

// Exit statuses: `hdl/src/simulate.rs` tells them apart.
enum Verdict { AGREES = 0, DIFFERS = 1, CANNOT = 2 };

// Runs the unit on all records of the standard input. Results are due `latency` cycles behind their operation, which come one in each cycle.
template <std::size_t Inputs, std::size_t Outputs, typename Apply, typename Observe>
int run(std::size_t latency, Apply apply, Observe observe) {
    struct Record {
        std::uint32_t inputs[Inputs];
        std::uint32_t outputs[Outputs];
    };
    VerilatedContext context;
    // Registers begin with random bits, from a seed of its own.
    context.randReset(2);
    context.randSeed(1);
    Vunit unit{&context};
    std::deque<Record> due;
    std::uint64_t compared = 0;

    auto cycle = [&](const Record& record) {
        apply(unit, record.inputs);
        unit.clk = 0;
        unit.eval();
        unit.clk = 1;
        unit.eval();
    };
    auto agrees = [&]() {
        const Record expected = due.front();
        due.pop_front();
        std::uint32_t found[Outputs];
        observe(unit, found);
        bool same = true;
        for (std::size_t i = 0; i < Outputs; i++) same = same && found[i] == expected.outputs[i];
        if (!same) {
            std::fprintf(stderr, "operation %" PRIu64 " differs\n  inputs  ", compared);
            for (std::uint32_t word : expected.inputs) std::fprintf(stderr, " %08" PRIx32, word);
            std::fprintf(stderr, "\n  expected");
            for (std::uint32_t word : expected.outputs) std::fprintf(stderr, " %08" PRIx32, word);
            std::fprintf(stderr, "\n  found   ");
            for (std::uint32_t word : found) std::fprintf(stderr, " %08" PRIx32, word);
            std::fprintf(stderr, "\n");
        }
        compared++;
        return same;
    };

    Record record = {};
    std::size_t bytes;
    while ((bytes = std::fread(&record, 1, sizeof record, stdin)) == sizeof record) {
        due.push_back(record);
        cycle(record);
        if (due.size() == latency && !agrees()) return DIFFERS;
    }
    if (bytes != 0) {
        std::fprintf(stderr, "the last record is not whole: %zu of %zu bytes\n", bytes, sizeof record);
        return CANNOT;
    }
    // The last record's inputs stay while what is under way comes out; the unit's word may move on, but not what is still due.
    while (!due.empty()) {
        cycle(record);
        if (!agrees()) return DIFFERS;
    }
    std::printf("%" PRIu64 "\n", compared);
    return AGREES;
}
