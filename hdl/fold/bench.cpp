// A bench for the sum: whether it begins, and a value; then exponent, mantissa and flags five cycles later.
#include "bench.h"

int main() {
    return run<2, 3>(
        5,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.begins = in[0];
            unit.value = in[1];
        },
        [](Vunit& unit, std::uint32_t* out) {
            out[0] = unit.exponent;
            out[1] = unit.mantissa;
            out[2] = unit.flags;
        });
}
