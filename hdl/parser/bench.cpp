// A bench for the parser: the format, a beat of a message, and whether the next unit can take one; then payload and fields.
#include "bench.h"

int main() {
    return run<8, 7>(
        1,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.aresetn = in[0];
            unit.header_words = in[1];
            unit.fields = std::uint64_t{in[3]} << 32 | in[2];
            unit.s_tvalid = in[4];
            unit.s_tdata = in[5];
            unit.s_tlast = in[6];
            unit.m_tready = in[7];
        },
        [](Vunit& unit, std::uint32_t* out) {
            // Without a beat the stream's other signals do not matter.
            bool valid = unit.m_tvalid;
            out[0] = unit.s_tready;
            out[1] = valid;
            out[2] = valid ? unit.m_tdata : 0;
            out[3] = valid ? unit.m_tlast : 0;
            out[4] = valid ? unit.m_empty : 0;
            out[5] = valid ? static_cast<std::uint32_t>(unit.m_tuser) : 0;
            out[6] = valid ? static_cast<std::uint32_t>(unit.m_tuser >> 32) : 0;
        });
}
