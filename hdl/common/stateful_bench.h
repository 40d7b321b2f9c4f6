// A bench for the stateful ALUs: whether there is an access, two fields, and the instruction; then the word and what is given back.
#pragma once

#include "bench.h"

// Width of the word.
#ifndef WIDTH
#define WIDTH 32
#endif

inline int run_stateful() {
    auto both = [](std::uint32_t first, std::uint32_t second) { return std::uint64_t{second} << WIDTH | first; };
    return run<13, 2>(
        1,
        [both](Vunit& unit, const std::uint32_t* in) {
            unit.enable = in[0];
            unit.x = in[1];
            unit.y = in[2];
            unit.relation = in[3];
            unit.compare_from = in[4];
            unit.plus = both(in[5], in[6]);
            unit.when = in[7];
            unit.op = in[8];
            unit.operand_from = in[9];
            unit.constant = both(in[10], in[11]);
            unit.output_select = in[12];
        },
        [](Vunit& unit, std::uint32_t* out) {
            out[0] = unit.stored;
            out[1] = unit.given;
        });
}
