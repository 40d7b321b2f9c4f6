// A bench for the multicast engine: a beat, its ports, and the ports that can take one; then those that are offered one, and which.
#include "bench.h"

int main() {
    return run<6, 4>(
        1,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.aresetn = in[0];
            unit.s_tvalid = in[1];
            unit.s_tdata = in[2];
            unit.s_tlast = in[3];
            unit.s_tuser = in[4];
            unit.m_tready = in[5];
        },
        [](Vunit& unit, std::uint32_t* out) {
            // Without a beat the stream's other signals do not matter.
            out[0] = unit.s_tready;
            out[1] = unit.m_tvalid;
            out[2] = unit.m_tvalid ? unit.m_tdata : 0;
            out[3] = unit.m_tvalid ? unit.m_tlast : 0;
        });
}
