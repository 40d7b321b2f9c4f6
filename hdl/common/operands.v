// The two operands of a stateless ALU: fields, or the instruction's constant in place of either (R-HDL-2).
module operands #(
    parameter WIDTH = 32
) (
    input  [WIDTH-1:0] field_a,
    input  [WIDTH-1:0] field_b,
    input  [WIDTH-1:0] constant,
    input              a_is_constant,
    input              b_is_constant,
    output [WIDTH-1:0] a,
    output [WIDTH-1:0] b
);
    assign a = a_is_constant ? constant : field_a;
    assign b = b_is_constant ? constant : field_b;
endmodule
