`include "stateless_ops.vh"

// The default stateless ALU with a hard FP32 adder beside it (R-HDL-11).
module alu_fpu #(
    // Cycles from operands to result, of every instruction: 1, or 4 with registers between the adder's steps.
    parameter STAGES = 1
) (
    input             clk,
    input      [3:0]  op,
    input      [31:0] field_a,
    input      [31:0] field_b,
    input      [31:0] constant,
    input             a_is_constant,
    input             b_is_constant,
    output reg [31:0] result
);
    localparam CUTS = STAGES > 1;

    wire [31:0] a, b, integers, floats;
    operands #(.WIDTH(32)) choice (
        .field_a(field_a), .field_b(field_b), .constant(constant),
        .a_is_constant(a_is_constant), .b_is_constant(b_is_constant), .a(a), .b(b));
    stateless #(.WIDTH(32), .SHIFT_BY_FIELD(0)) core (
        .op(op), .a(a), .b(b), .distance(constant[4:0]), .result(integers));
    fp32_add #(.CUTS(CUTS)) adder (.clk(clk), .a(a), .b(b), .sum(floats));

    // What is not a float waits for as long as the adder takes.
    wire [32:0] first = {op == `STATELESS_FLOAT_ADD, integers};
    wire [32:0] second, third, last;
    cut #(.WIDTH(33), .REGISTER(CUTS)) wait_1 (.clk(clk), .before(first), .behind(second));
    cut #(.WIDTH(33), .REGISTER(CUTS)) wait_2 (.clk(clk), .before(second), .behind(third));
    cut #(.WIDTH(33), .REGISTER(CUTS)) wait_3 (.clk(clk), .before(third), .behind(last));

    always @(posedge clk) result <= last[32] ? floats : last[31:0];
endmodule
