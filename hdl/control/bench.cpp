// A bench for the control unit: an entry of its tables, and a packet; then what is done with it.
#include "bench.h"

int main() {
    return run<10, 4>(
        1,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.set_size = in[0];
            unit.set_port = in[1];
            unit.set_communicator = in[2];
            unit.set_rank = in[3];
            unit.set_value = in[4];
            unit.valid = in[5];
            unit.communicator = in[6];
            unit.collective = in[7];
            unit.rank = in[8];
            unit.root = in[9];
        },
        [](Vunit& unit, std::uint32_t* out) {
            out[0] = unit.accepted;
            out[1] = unit.begins;
            out[2] = unit.completes;
            out[3] = unit.ports;
        });
}
