`include "stateless_ops.vh"

// What the stateless ALUs have in common: from operands to a result, without a register (R-HDL-3 to 5).
module stateless #(
    parameter WIDTH = 32,
    // 0: a shift goes as far as the instruction says. 1: as far as the second operand says (R-HDL-5).
    parameter SHIFT_BY_FIELD = 0
) (
    input      [3:0]               op,
    input      [WIDTH-1:0]         a,
    input      [WIDTH-1:0]         b,
    // The instruction's distance, which only the default ALU looks at.
    input      [$clog2(WIDTH)-1:0] distance,
    output reg [WIDTH-1:0]         result
);
    localparam DISTANCE = $clog2(WIDTH);

    // One adder: a difference is a + ~b + 1, and its carry says that b is not above a.
    wire             subtract = op != `STATELESS_ADD;
    wire [WIDTH-1:0] sum;
    wire             carry;
    assign {carry, sum} = {1'b0, a} + {1'b0, subtract ? ~b : b} + {{WIDTH{1'b0}}, subtract};

    wire             fill = op == `STATELESS_SHIFT_SIGNED && a[WIDTH-1];
    wire [WIDTH-1:0] moved;
    shifter #(.WIDTH(WIDTH)) moves (
        .value(a), .distance(SHIFT_BY_FIELD != 0 ? b[DISTANCE-1:0] : distance),
        .left(op == `STATELESS_SHIFT_LEFT), .fill(fill), .shifted(moved));
    // R-HDL-5: as many bits as there are, or more, leave the filling.
    wire             beyond = SHIFT_BY_FIELD != 0 && |b[WIDTH-1:DISTANCE];

    always @* begin
        case (op)
            `STATELESS_SET: result = a;
            `STATELESS_ADD, `STATELESS_SUB: result = sum;
            `STATELESS_SATURATING_SUB: result = carry ? sum : {WIDTH{1'b0}};
            `STATELESS_AND: result = a & b;
            `STATELESS_OR: result = a | b;
            `STATELESS_XOR: result = a ^ b;
            `STATELESS_SHIFT_LEFT, `STATELESS_SHIFT_RIGHT, `STATELESS_SHIFT_SIGNED:
                result = beyond ? {WIDTH{fill}} : moved;
            // No program has another code (R-HDL-3).
            default: result = {WIDTH{1'bx}};
        endcase
    end
endmodule
