// The multicast engine: a stream goes to all ports of a set, each of which takes it when it can (R-CGRA-25; ACiS, figure 1).
module multicast #(
    parameter PORTS = 8
) (
    input                  clk,
    input                  aresetn,
    input                  s_tvalid,
    output                 s_tready,
    input      [31:0]      s_tdata,
    input                  s_tlast,
    // The ports of a packet, with its first beat.
    input      [PORTS-1:0] s_tuser,
    output     [PORTS-1:0] m_tvalid,
    input      [PORTS-1:0] m_tready,
    output reg [31:0]      m_tdata,
    output reg             m_tlast
);
    // Ports that have not taken the beat, and those of the packet, of which there is more.
    reg  [PORTS-1:0] left, ports;
    reg              within;
    wire [PORTS-1:0] receivers = within ? ports : s_tuser;

    assign m_tvalid = left;
    assign s_tready = ~|(left & ~m_tready);

    always @(posedge clk) begin
        left <= left & ~m_tready;
        if (~aresetn) begin
            left <= {PORTS{1'b0}};
            within <= 1'b0;
        end else if (s_tvalid & s_tready) begin
            left <= receivers;
            ports <= receivers;
            within <= ~s_tlast;
            m_tdata <= s_tdata;
            m_tlast <= s_tlast;
        end
    end
endmodule
