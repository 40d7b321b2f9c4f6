// A bench for the chain of three units: configuration, the loop's numbers, and both streams; then what the streams say behind the edge.
#include "bench.h"

int main() {
    return run<22, 5>(
        1,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.load = in[0];
            unit.load_element = in[1];
            unit.load_slot = in[2];
            for (int i = 0; i < 10; i++) unit.load_word[i] = in[3 + i];
            unit.interval = in[13];
            unit.rounds = in[14];
            unit.instances = in[15];
            unit.cycles = in[16];
            unit.first_words = in[17];
            unit.s_tvalid = in[18];
            unit.s_tdata = in[19];
            unit.s_tlast = in[20];
            unit.m_tready = in[21];
        },
        [](Vunit& unit, std::uint32_t* out) {
            out[0] = unit.s_tready;
            out[1] = unit.m_tvalid;
            out[2] = unit.m_tdata;
            out[3] = unit.m_tlast;
            out[4] = unit.m_tuser;
        });
}
