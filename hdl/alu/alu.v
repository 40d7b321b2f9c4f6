// The default stateless ALU: what an action does to one field on a switch of today (R-HDL-2 to 4).
module alu #(
    parameter WIDTH = 32
) (
    input                  clk,
    input      [3:0]       op,
    input      [WIDTH-1:0] field_a,
    input      [WIDTH-1:0] field_b,
    input      [WIDTH-1:0] constant,
    input                  a_is_constant,
    input                  b_is_constant,
    output reg [WIDTH-1:0] result
);
    wire [WIDTH-1:0] a, b, next;

    operands #(.WIDTH(WIDTH)) choice (
        .field_a(field_a), .field_b(field_b), .constant(constant),
        .a_is_constant(a_is_constant), .b_is_constant(b_is_constant), .a(a), .b(b));
    stateless #(.WIDTH(WIDTH), .SHIFT_BY_FIELD(0)) core (
        .op(op), .a(a), .b(b), .distance(constant[$clog2(WIDTH)-1:0]), .result(next));

    always @(posedge clk) result <= next;
endmodule
