`include "stateful_ops.vh"

// A stateful ALU with its word: read, decide, write and give back, one access in each cycle (R-HDL-6 to 9).
module stateful #(
    parameter WIDTH = 32,
    // 2, 2 and 1 are R-PISA-3; 1, 1 and 0 Banzai's predicated read-add-write (R-HDL-10).
    parameter CONDITIONS = 2,
    parameter UPDATES = 2,
    parameter LOGIC = 1,
    // Whether the word can be shifted before it is added to (R-HDL-9).
    parameter SHIFT = 0
) (
    input                         clk,
    input                         enable,
    // The two fields.
    input      [WIDTH-1:0]        x,
    input      [WIDTH-1:0]        y,
    // The instruction: for each condition and each write its part, the first in the lowest bits.
    input      [2*CONDITIONS-1:0] relation,
    input      [2*CONDITIONS-1:0] compare_from,
    input      [WIDTH*CONDITIONS-1:0] plus,
    input      [4*UPDATES-1:0]    when,
    input      [4*UPDATES-1:0]    op,
    input      [2*UPDATES-1:0]    operand_from,
    input      [WIDTH*UPDATES-1:0] constant,
    input      [1:0]              output_select,
    output reg [WIDTH-1:0]        stored,
    output reg [WIDTH-1:0]        given
);
    localparam DISTANCE = $clog2(WIDTH);

    wire [1:0] outcome;
    genvar i;
    generate
        for (i = 0; i < CONDITIONS; i = i + 1) begin : conditions
            condition #(.WIDTH(WIDTH), .PLUS(LOGIC)) part (
                .relation(relation[2*i+:2]), .operand_from(compare_from[2*i+:2]), .x(x), .y(y),
                .plus(plus[WIDTH*i+:WIDTH]), .stored(stored), .holds(outcome[i]));
        end
        if (CONDITIONS < 2) begin : no_second
            assign outcome[1] = 1'b0;
        end
    endgenerate

    // R-HDL-9: the word, shifted right with its sign by y, and by no more than leaves the sign.
    wire [WIDTH-1:0] shifted;
    generate
        if (SHIFT != 0) begin : moves
            wire [WIDTH-1:0] moved;
            shifter #(.WIDTH(WIDTH)) shifts (
                .value(stored), .distance(y[DISTANCE-1:0]), .left(1'b0), .fill(stored[WIDTH-1]), .shifted(moved));
            assign shifted = |y[WIDTH-1:DISTANCE] ? {WIDTH{stored[WIDTH-1]}} : moved;
        end else begin : stays
            assign shifted = stored;
        end
    endgenerate

    wire [WIDTH*UPDATES-1:0] written;
    wire [UPDATES-1:0]       chosen;
    generate
        for (i = 0; i < UPDATES; i = i + 1) begin : updates
            update #(.WIDTH(WIDTH), .LOGIC(LOGIC), .SHIFT(SHIFT)) part (
                .op(op[4*i+:4]), .operand_from(operand_from[2*i+:2]), .x(x), .y(y), .constant(constant[WIDTH*i+:WIDTH]),
                .stored(stored), .shifted(shifted), .written(written[WIDTH*i+:WIDTH]));
            wire [3:0] cases = when[4*i+:4];
            assign chosen[i] = cases[outcome];
        end
    endgenerate

    // The first write whose case it is.
    wire [WIDTH-1:0] next;
    generate
        if (UPDATES == 1) begin : one
            assign next = chosen[0] ? written : stored;
        end else begin : two
            assign next = chosen[0] ? written[WIDTH-1:0] : chosen[1] ? written[WIDTH+:WIDTH] : stored;
        end
    endgenerate

    always @(posedge clk) begin
        if (enable) begin
            stored <= next;
            case (output_select)
                `OUTPUT_OLD: given <= stored;
                `OUTPUT_NEW: given <= next;
                `OUTPUT_OUTCOME: given <= {{(WIDTH-4){1'b0}}, 4'b0001 << outcome};
                default: given <= {WIDTH{1'b0}};
            endcase
        end
    end
endmodule
