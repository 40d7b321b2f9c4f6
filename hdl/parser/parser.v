// The parser of payloads: it takes the header of a message off, and finds four fields in it, wherever an MPI library has them (R-CGRA-26; ACiS, figure 1).
module parser (
    input             clk,
    input             aresetn,
    // The format: words of a header, and of each field its word, its lowest bit and its width less 1, the first field lowest.
    input      [3:0]  header_words,
    input      [51:0] fields,
    input             s_tvalid,
    output            s_tready,
    input      [31:0] s_tdata,
    input             s_tlast,
    output reg        m_tvalid,
    input             m_tready,
    output reg [31:0] m_tdata,
    output reg        m_tlast,
    // The message is a header alone, and this beat has no data.
    output reg        m_empty,
    // The fields, with every beat.
    output reg [63:0] m_tuser
);
    reg  [3:0]  place;
    reg  [63:0] found;
    wire        in_header = place != header_words;
    wire        ends_header = place + 4'd1 == header_words;

    assign s_tready = ~m_tvalid | m_tready;
    wire takes = s_tvalid & s_tready;

    reg  [63:0] next;
    reg  [3:0]  width;
    // verilator lint_off UNUSED
    reg  [31:0] moved;
    // verilator lint_on UNUSED
    integer     f;
    always @* begin
        next = found;
        for (f = 0; f < 4; f = f + 1) begin
            width = fields[13*f+9+:4];
            moved = s_tdata >> fields[13*f+4+:5];
            if (fields[13*f+:4] == place) next[16*f+:16] = moved[15:0] & ~(16'hFFFE << width);
        end
    end

    always @(posedge clk) begin
        if (m_tready) m_tvalid <= 1'b0;
        if (~aresetn) begin
            m_tvalid <= 1'b0;
            place <= 4'd0;
            found <= 64'd0;
        end else if (takes) begin
            place <= s_tlast ? 4'd0 : in_header ? place + 4'd1 : place;
            if (in_header) found <= next;
            // A message that ends within its header is dropped.
            m_tvalid <= ~in_header | ends_header & s_tlast;
            m_tdata <= in_header ? 32'd0 : s_tdata;
            m_tlast <= s_tlast;
            m_empty <= in_header;
            m_tuser <= in_header ? next : found;
        end
    end
endmodule
