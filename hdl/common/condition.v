`include "stateful_ops.vh"

// One condition of a stateful ALU: the sign of word - operand + constant, modulo the width (R-HDL-7), or of word - operand alone (R-HDL-10).
module condition #(
    parameter WIDTH = 32,
    // 0: the constant is one of the operands. 1: it is added to the difference.
    parameter PLUS = 1
) (
    input  [1:0]       relation,
    input  [1:0]       operand_from,
    input  [WIDTH-1:0] x,
    input  [WIDTH-1:0] y,
    input  [WIDTH-1:0] plus,
    input  [WIDTH-1:0] stored,
    output             holds
);
    reg [WIDTH-1:0] operand;
    always @* begin
        case (operand_from)
            `FROM_X: operand = x;
            `FROM_Y: operand = y;
            `FROM_CONSTANT: operand = PLUS != 0 ? {WIDTH{1'bx}} : plus;
            default: operand = {WIDTH{1'b0}};
        endcase
    end

    wire [WIDTH-1:0] difference = PLUS != 0 ? stored - operand + plus : stored - operand;
    wire             behind = difference[WIDTH-1];
    wire             equal = ~|difference;

    assign holds = relation == `RELATION_BEHIND ? behind : relation == `RELATION_EQUAL ? equal : ~behind & ~equal;
endmodule
