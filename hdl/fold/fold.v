`include "stateless_ops.vh"
`include "stateful_ops.vh"

// FPISA's addition from these units, stage by stage as `crates/pisa` has it on `fpisa-ext` (R-HDL-12, R-PISA-33): one value in each cycle, one sum.
//
// Units stand for the actions; what tables match is the logic between them.
module fold (
    input             clk,
    input             begins,
    input      [31:0] value,
    // The sum five cycles later.
    output reg [15:0] exponent,
    output     [31:0] mantissa,
    output     [7:0]  flags
);
    localparam [15:0] NO_EXPONENT = 16'hFF00;

    // ---- Stage 0: exponent and magnitude, and what is no number (R-FPI-3, R-FPI-4).

    wire        zero = ~|value[30:0];
    wire        special = &value[30:23];
    wire        subnormal = ~|value[30:23];
    wire        nan = special & |value[22:0];
    reg         begins_0, adds_0, minus_0;
    reg  [15:0] incoming_0;
    reg  [31:0] magnitude_0;
    reg  [7:0]  flag_0;
    always @(posedge clk) begin
        begins_0 <= begins;
        adds_0 <= ~zero & ~special;
        minus_0 <= value[31];
        incoming_0 <= zero | special ? NO_EXPONENT : subnormal ? 16'd1 : {8'd0, value[30:23]};
        magnitude_0 <= zero | special ? 32'd0 : {8'd0, ~subnormal, value[22:0]};
        flag_0 <= {5'd0, nan, special & ~nan & value[31], special & ~nan & ~value[31]};
    end

    // ---- Stage 1: the sign, and the larger exponent. `before` is the sum's exponent as it was, or the new one where a sum begins.

    wire [31:0] signed_1;
    alu #(.WIDTH(32)) sign (
        .clk(clk), .op(minus_0 ? `STATELESS_SUB : `STATELESS_SET), .field_a(magnitude_0), .field_b(magnitude_0), .constant(32'd0),
        .a_is_constant(minus_0), .b_is_constant(1'b0), .result(signed_1));

    wire [15:0] exponent_1, before_1;
    raw #(.WIDTH(16)) exponents (
        .clk(clk), .enable(begins_0 | adds_0), .x(incoming_0), .y(16'd0),
        .relation({`RELATION_EQUAL, `RELATION_BEHIND}), .compare_from({`FROM_NONE, `FROM_X}), .plus(32'd0),
        // In any case, or only where the stored one is behind.
        .when({4'b0000, begins_0 ? 4'b1111 : 4'b1010}), .op({`STATEFUL_SET, `STATEFUL_SET}),
        .operand_from({`FROM_NONE, `FROM_X}), .constant(32'd0),
        .output_select(begins_0 ? `OUTPUT_NEW : `OUTPUT_OLD), .stored(exponent_1), .given(before_1));

    reg         begins_1, adds_1;
    reg  [15:0] incoming_1;
    reg  [7:0]  flag_1;
    always @(posedge clk) {begins_1, adds_1, incoming_1, flag_1} <= {begins_0, adds_0, incoming_0, flag_0};

    // ---- Stage 2: the distance, both ways.

    wire [15:0] distance_2, back_2;
    alu #(.WIDTH(16)) distance (
        .clk(clk), .op(`STATELESS_SUB), .field_a(incoming_1), .field_b(before_1), .constant(16'd0),
        .a_is_constant(1'b0), .b_is_constant(1'b0), .result(distance_2));
    alu #(.WIDTH(16)) back (
        .clk(clk), .op(`STATELESS_SUB), .field_a(before_1), .field_b(incoming_1), .constant(16'd0),
        .a_is_constant(1'b0), .b_is_constant(1'b0), .result(back_2));

    reg         begins_2, adds_2;
    reg  [31:0] signed_2;
    reg  [7:0]  flag_2;
    reg  [15:0] exponent_2;
    always @(posedge clk) {begins_2, adds_2, signed_2, flag_2, exponent_2} <= {begins_1, adds_1, signed_1, flag_1, exponent_1};

    // ---- Stage 3: the operand moves, or is what the sum moves for (R-FPI-6).

    wire        behind = distance_2[15];
    wire [31:0] shifted_3;
    alu_fpisa #(.WIDTH(32)) align (
        .clk(clk), .op(behind ? `STATELESS_SHIFT_SIGNED : `STATELESS_SET), .field_a(signed_2), .field_b({16'd0, back_2}),
        .constant(32'd0), .a_is_constant(1'b0), .b_is_constant(1'b0), .result(shifted_3));
    wire [15:0] stored_by_3;
    alu #(.WIDTH(16)) stored_by (
        .clk(clk), .op(`STATELESS_SET), .field_a(distance_2), .field_b(16'd0), .constant(16'd0),
        .a_is_constant(behind), .b_is_constant(1'b0), .result(stored_by_3));

    reg         begins_3, adds_3;
    reg  [7:0]  flag_3;
    reg  [15:0] exponent_3;
    always @(posedge clk) {begins_3, adds_3, flag_3, exponent_3} <= {begins_2, adds_2, flag_2, exponent_2};

    // ---- Stage 4: the sum moves and takes the operand in, in one access (R-FPI-6, R-FPI-8), and flags stay (R-FPI-4).

    // verilator lint_off PINCONNECTEMPTY
    rsaw #(.WIDTH(32)) mantissas (
        .clk(clk), .enable(begins_3 | adds_3), .x(shifted_3), .y({16'd0, stored_by_3}),
        .relation({`RELATION_EQUAL, `RELATION_EQUAL}), .compare_from({`FROM_NONE, `FROM_NONE}), .plus(64'd0),
        .when({4'b0000, 4'b1111}), .op({`STATEFUL_SET, begins_3 ? `STATEFUL_SET : `STATEFUL_SHIFT_ADD}),
        .operand_from({`FROM_NONE, `FROM_X}), .constant(64'd0), .output_select(`OUTPUT_NONE), .stored(mantissa), .given());
    raw #(.WIDTH(8)) all_flags (
        .clk(clk), .enable(1'b1), .x(flag_3), .y(8'd0),
        .relation({`RELATION_EQUAL, `RELATION_EQUAL}), .compare_from({`FROM_NONE, `FROM_NONE}), .plus(16'd0),
        .when({4'b0000, 4'b1111}), .op({`STATEFUL_SET, begins_3 ? `STATEFUL_SET : `STATEFUL_OR}),
        .operand_from({`FROM_NONE, `FROM_X}), .constant(16'd0), .output_select(`OUTPUT_NONE), .stored(flags), .given());
    // verilator lint_on PINCONNECTEMPTY
    always @(posedge clk) exponent <= exponent_3;
endmodule
