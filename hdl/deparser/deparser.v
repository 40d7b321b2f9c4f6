// The deparser: it puts a header in front of a payload, with four fields where an MPI library has them (R-CGRA-27; ACiS, figure 1).
module deparser (
    input             clk,
    input             aresetn,
    // The format, as the parser has it.
    input      [3:0]  header_words,
    input      [51:0] fields,
    // The header's other bits, word by word.
    input             put,
    input      [2:0]  put_place,
    input      [31:0] put_word,
    // A payload, with its fields; or one beat without data, for a message that is a header alone.
    input             s_tvalid,
    output            s_tready,
    input      [31:0] s_tdata,
    input             s_tlast,
    input             s_empty,
    input      [63:0] s_tuser,
    output reg        m_tvalid,
    input             m_tready,
    output reg [31:0] m_tdata,
    output reg        m_tlast
);
    reg  [31:0] header [0:7];
    reg  [3:0]  place;
    wire        in_header = place != header_words;
    wire        ends = s_empty & place + 4'd1 == header_words;
    wire        free = ~m_tvalid | m_tready;

    // A beat stays until the header is in front of it.
    assign s_tready = free & (~in_header | ends);

    reg  [31:0] word, field, width;
    integer     f;
    always @* begin
        word = header[place[2:0]];
        for (f = 0; f < 4; f = f + 1) begin
            width = ~(32'hFFFF_FFFE << fields[13*f+9+:4]) << fields[13*f+4+:5];
            field = {16'd0, s_tuser[16*f+:16]} << fields[13*f+4+:5];
            if (fields[13*f+:4] == place) word = word & ~width | field & width;
        end
    end

    always @(posedge clk) begin
        if (put) header[put_place] <= put_word;
        if (m_tready) m_tvalid <= 1'b0;
        if (~aresetn) begin
            m_tvalid <= 1'b0;
            place <= 4'd0;
        end else if (s_tvalid & free) begin
            m_tvalid <= 1'b1;
            m_tdata <= in_header ? word : s_tdata;
            m_tlast <= in_header ? ends : s_tlast;
            if (in_header) place <= ends ? 4'd0 : place + 4'd1;
            else if (s_tlast) place <= 4'd0;
        end
    end
endmodule
