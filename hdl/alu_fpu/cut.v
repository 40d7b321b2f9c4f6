// A place where a pipeline may be cut: a register, or a wire.
module cut #(
    parameter WIDTH = 1,
    parameter REGISTER = 0
) (
    input              clk,
    input  [WIDTH-1:0] before,
    output [WIDTH-1:0] behind
);
    generate
        if (REGISTER != 0) begin : register
            reg [WIDTH-1:0] kept;
            always @(posedge clk) kept <= before;
            assign behind = kept;
        end else begin : wires
            assign behind = before;
            // verilator lint_off UNUSEDSIGNAL
            wire unused = clk;
            // verilator lint_on UNUSEDSIGNAL
        end
    endgenerate
endmodule
