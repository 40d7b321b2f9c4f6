// A bench for the processing element: an instruction, the round, and what neighbours and the port send; then its links and its result, behind the edge.
#include "bench.h"

int main() {
    return run<17, 5>(
        1,
        [](Vunit& unit, const std::uint32_t* in) {
            for (int i = 0; i < 10; i++) unit.word[i] = in[i];
            unit.number = in[10];
            unit.rounds = in[11];
            unit.north = in[12];
            unit.east = in[13];
            unit.south = in[14];
            unit.west = in[15];
            unit.loaded = in[16];
        },
        [](Vunit& unit, std::uint32_t* out) {
            out[0] = unit.to_north;
            out[1] = unit.to_east;
            out[2] = unit.to_south;
            out[3] = unit.to_west;
            out[4] = unit.result;
        });
}
