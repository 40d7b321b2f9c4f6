// A bench for the deparser: the format, a word of the header, a beat with its fields, and whether a port can take one; then the message.
#include "bench.h"

int main() {
    return run<14, 4>(
        1,
        [](Vunit& unit, const std::uint32_t* in) {
            unit.aresetn = in[0];
            unit.header_words = in[1];
            unit.fields = std::uint64_t{in[3]} << 32 | in[2];
            unit.put = in[4];
            unit.put_place = in[5];
            unit.put_word = in[6];
            unit.s_tvalid = in[7];
            unit.s_tdata = in[8];
            unit.s_tlast = in[9];
            unit.s_empty = in[10];
            unit.s_tuser = std::uint64_t{in[12]} << 32 | in[11];
            unit.m_tready = in[13];
        },
        [](Vunit& unit, std::uint32_t* out) {
            // Without a beat the stream's other signals do not matter.
            out[0] = unit.s_tready;
            out[1] = unit.m_tvalid;
            out[2] = unit.m_tvalid ? unit.m_tdata : 0;
            out[3] = unit.m_tvalid ? unit.m_tlast : 0;
        });
}
