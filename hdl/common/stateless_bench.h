// A bench for the stateless ALUs: code, two fields, a constant, and for which operands it stands; then the result.
#pragma once

#include "bench.h"

// Cycles from operands to result.
#ifndef LATENCY
#define LATENCY 1
#endif

inline int run_stateless() {
    return run<6, 1>(
        LATENCY,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.op = in[0];
            unit.field_a = in[1];
            unit.field_b = in[2];
            unit.constant = in[3];
            unit.a_is_constant = in[4];
            unit.b_is_constant = in[5];
        },
        [](Vunit& unit, std::uint32_t* out) { out[0] = unit.result; });
}
