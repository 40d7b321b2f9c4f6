// The sum of two FP32 values, IEEE 754: nearest, ties to even, with subnormals, the canonical NaN (R-HDL-11, R-NUM-1).
//
// Four steps, between which the pipeline can be cut: compare and swap; align and add; normalise; round and assemble.
module fp32_add #(
    // Whether registers stand between the steps.
    parameter CUTS = 0
) (
    input         clk,
    input  [31:0] a,
    input  [31:0] b,
    output [31:0] sum
);
    // ---- Compare and swap: `greater` has the larger magnitude, so the difference of the significands is never negative.

    wire        swap = b[30:0] > a[30:0];
    wire [31:0] greater = swap ? b : a;
    wire [30:0] lesser = swap ? a[30:0] : b[30:0];
    wire        subtract = a[31] ^ b[31];

    // A subnormal has the exponent 1 and no leading one.
    wire [7:0]  exponent = greater[30:23] | {7'd0, ~|greater[30:23]};
    wire [7:0]  distance = exponent - (lesser[30:23] | {7'd0, ~|lesser[30:23]});
    wire [23:0] greater_part = {|greater[30:23], greater[22:0]};
    wire [23:0] lesser_part = {|lesser[30:23], lesser[22:0]};

    // What is infinite or NaN has been settled here. Two zeros keep a sign that they share; what cancels is +0.
    wire nan = (&greater[30:23] & |greater[22:0]) | (&lesser[30:23] & |lesser[22:0]) | (&greater[30:23] & &lesser[30:23] & subtract);
    wire infinite = &greater[30:23];
    wire sign = greater[31];

    wire        sign_1, subtract_1, nan_1, infinite_1;
    wire [7:0]  exponent_1, distance_1;
    wire [23:0] greater_1, lesser_1;
    cut #(.WIDTH(68), .REGISTER(CUTS)) cut_1 (
        .clk(clk),
        .before({sign, subtract, nan, infinite, exponent, distance, greater_part, lesser_part}),
        .behind({sign_1, subtract_1, nan_1, infinite_1, exponent_1, distance_1, greater_1, lesser_1}));

    // ---- Align and add: two bits below the last place, and one that says whether anything is below these.

    wire [25:0] aligned;
    wire [25:0] lost_mask = distance_1[7:5] != 3'd0 ? {26{1'b1}} : ~({26{1'b1}} << distance_1[4:0]);
    assign aligned = distance_1[7:5] != 3'd0 ? 26'd0 : {lesser_1, 2'b00} >> distance_1[4:0];
    wire        sticky = |({lesser_1, 2'b00} & lost_mask);
    wire [26:0] addend = {aligned, sticky};
    // A carry, 24 bits of significand, and three below it.
    wire [27:0] total = {1'b0, greater_1, 3'b000} + ({28{subtract_1}} ^ {1'b0, addend}) + {27'd0, subtract_1};

    wire        sign_2, nan_2, infinite_2;
    wire [7:0]  exponent_2;
    wire [27:0] total_2;
    cut #(.WIDTH(39), .REGISTER(CUTS)) cut_2 (
        .clk(clk),
        .before({sign_1 & (|total | ~subtract_1), nan_1, infinite_1, exponent_1, total}),
        .behind({sign_2, nan_2, infinite_2, exponent_2, total_2}));

    // ---- Normalise: right by one after a carry, or left until the leading one is in its place, but not below the exponent 1.

    function [4:0] zeros_above(input [26:0] bits);
        integer i;
        begin
            zeros_above = 5'd27;
            for (i = 0; i < 27; i = i + 1) if (bits[i]) zeros_above = 5'd26 - i[4:0];
        end
    endfunction

    wire        carry = total_2[27];
    wire [4:0]  zeros = zeros_above(total_2[26:0]);
    wire [7:0]  room = exponent_2 - 8'd1;
    wire        short_of_room = {3'd0, zeros} > room;
    wire [4:0]  by = short_of_room ? room[4:0] : zeros;
    wire [26:0] normal = carry ? {total_2[27:2], total_2[1] | total_2[0]} : total_2[26:0] << by;
    // The exponent field is that of the leading one's place; 0 where it has not been reached.
    wire [8:0]  field = carry ? {1'b0, exponent_2} + 9'd1 : normal[26] ? {1'b0, exponent_2 - {3'd0, by}} : 9'd0;

    wire        sign_3, nan_3, infinite_3;
    wire [8:0]  field_3;
    wire [25:0] normal_3;
    cut #(.WIDTH(38), .REGISTER(CUTS)) cut_3 (
        .clk(clk),
        .before({sign_2, nan_2, infinite_2, field, normal[25:0]}),
        .behind({sign_3, nan_3, infinite_3, field_3, normal_3}));

    // ---- Round and assemble. A carry out of the significand goes into the exponent, also from the largest subnormal.

    wire        up = normal_3[2] & (normal_3[3] | normal_3[1] | normal_3[0]);
    wire [31:0] rounded = {field_3, normal_3[25:3]} + {31'd0, up};
    wire        beyond = rounded[31:23] >= 9'd255;

    assign sum = nan_3 ? 32'h7FC00000 : infinite_3 | beyond ? {sign_3, 31'h7F800000} : {sign_3, rounded[30:0]};
endmodule
