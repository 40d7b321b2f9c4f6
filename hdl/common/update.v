`include "stateful_ops.vh"

// One way to write the word of a stateful ALU (R-HDL-8, R-HDL-9).
module update #(
    parameter WIDTH = 32,
    // 0: set and add. 1: all of R-PISA-3.
    parameter LOGIC = 1,
    // Whether there is a word that has been shifted, to add to.
    parameter SHIFT = 0
) (
    input      [3:0]       op,
    input      [1:0]       operand_from,
    input      [WIDTH-1:0] x,
    input      [WIDTH-1:0] y,
    input      [WIDTH-1:0] constant,
    input      [WIDTH-1:0] stored,
    input      [WIDTH-1:0] shifted,
    output reg [WIDTH-1:0] written
);
    reg [WIDTH-1:0] operand;
    always @* begin
        case (operand_from)
            `FROM_X: operand = x;
            `FROM_Y: operand = y;
            `FROM_CONSTANT: operand = constant;
            default: operand = {WIDTH{1'b0}};
        endcase
    end

    wire             shifts = SHIFT != 0 && op == `STATEFUL_SHIFT_ADD;
    wire [WIDTH-1:0] left = shifts ? shifted : stored;
    generate
        if (LOGIC != 0) begin : all
            wire             subtract = op != `STATEFUL_ADD && !shifts;
            wire [WIDTH-1:0] sum = left + (subtract ? ~operand : operand) + {{(WIDTH-1){1'b0}}, subtract};
            // Signed order: the sign of the difference, unless the two have different ones.
            wire             below = stored[WIDTH-1] == operand[WIDTH-1] ? sum[WIDTH-1] : stored[WIDTH-1];
            always @* begin
                case (op)
                    `STATEFUL_SET: written = operand;
                    `STATEFUL_ADD, `STATEFUL_SUB: written = sum;
                    `STATEFUL_SHIFT_ADD: written = SHIFT != 0 ? sum : {WIDTH{1'bx}};
                    `STATEFUL_OR: written = stored | operand;
                    `STATEFUL_AND: written = stored & operand;
                    `STATEFUL_AND_NOT: written = stored & ~operand;
                    `STATEFUL_MIN: written = below ? stored : operand;
                    `STATEFUL_MAX: written = below ? operand : stored;
                    // No program has another code (R-HDL-8).
                    default: written = {WIDTH{1'bx}};
                endcase
            end
        end else begin : set_and_add
            always @* begin
                case (op)
                    `STATEFUL_SET: written = operand;
                    `STATEFUL_ADD: written = left + operand;
                    `STATEFUL_SHIFT_ADD: written = SHIFT != 0 ? left + operand : {WIDTH{1'bx}};
                    default: written = {WIDTH{1'bx}};
                endcase
            end
        end
    endgenerate
endmodule
