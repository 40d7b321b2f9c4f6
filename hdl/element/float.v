`include "element_ops.vh"

// The unit for FP32 of a processing element, without quotients and square roots (R-CGRA-22).
module float (
    input             clk,
    input      [6:0]  op,
    input      [31:0] a,
    input      [31:0] b,
    // Result for the fourth edge that follows its operands.
    output     [31:0] made
);
    wire [31:0] sum, product;
    fp32_add #(.CUTS(1)) adder (.clk(clk), .a(a), .b({b[31] ^ (op == `ELEMENT_FSUB), b[30:0]}), .sum(sum));
    fp32_mul multiplier (.clk(clk), .a(a), .b(b), .product(product));

    // ---- Comparisons. Both zeros are equal; a NaN equals nothing, and is below nothing.

    wire nan_a = &a[30:23] & |a[22:0];
    wire nan_b = &b[30:23] & |b[22:0];
    wire nan = nan_a | nan_b;
    wire zeros = ~|{a[30:0], b[30:0]};
    wire equal = ~nan & (a == b | zeros);
    wire below = ~nan & ~equal & (a[31] ^ b[31] ? a[31] : a[30:0] < b[30:0] ^ a[31]);

    // ---- Numbers of 32 bits, from a float by truncation, which saturates, and to a float.

    wire [7:0]  exponent = a[30:23];
    wire [31:0] truncated = exponent < 8'd127 ? 32'd0 : {1'b1, a[22:0], 8'd0} >> (8'd158 - exponent);
    wire        beyond_s = exponent >= 8'd158;
    wire        beyond_u = exponent >= 8'd159;

    wire        minus = op == `ELEMENT_OFS32 & a[31];
    wire [31:0] magnitude = minus ? -a : a;
    function [4:0] zeros_above(input [31:0] bits);
        integer i;
        begin
            zeros_above = 5'd31;
            for (i = 0; i < 32; i = i + 1) if (bits[i]) zeros_above = 5'd31 - i[4:0];
        end
    endfunction
    wire [4:0]  leading = zeros_above(magnitude);
    wire [30:0] normal = magnitude[30:0] << leading;
    wire        up = normal[7] & (normal[8] | |normal[6:0]);
    wire [30:0] rounded = {8'd158 - {3'd0, leading}, normal[30:8]} + {30'd0, up};
    wire [31:0] converted = |magnitude ? {minus, rounded} : 32'd0;

    // ---- Whole numbers: `parts` are the bits below the point, of the lowest 23, and `unit_place` is the last place that stays.

    wire        has_point = exponent < 8'd150;
    wire        is_part = exponent < 8'd127;
    wire [22:0] parts = ~(23'h7FFFFF << (8'd150 - exponent));
    wire [23:0] unit_place = {1'b0, parts} + 24'd1;
    wire [22:0] below_point = a[22:0] & parts;
    wire [22:0] half = parts ^ parts >> 1;
    wire        even = exponent == 8'd127 ? 1'b0 : ~|(a[22:0] & unit_place[22:0]);
    wire        nearest_up = is_part ? exponent == 8'd126 & |a[22:0]
                                     : |(below_point & half) & (|(below_point & ~half) | ~even);
    wire        inexact = is_part ? |a[30:0] : |below_point;
    wire        away = op == `ELEMENT_FCEIL ? inexact & ~a[31]
                     : op == `ELEMENT_FFLOOR ? inexact & a[31]
                     : op == `ELEMENT_FNEAREST & nearest_up;
    wire [30:0] whole_part = is_part ? (away ? 31'h3F800000 : 31'd0)
                                     : {a[30:23], a[22:0] & ~parts} + (away ? {7'd0, unit_place} : 31'd0);
    wire [31:0] whole = nan_a ? 32'h7FC00000 : has_point ? {a[31], whole_part} : a;

    // ---- What is neither a sum nor a product waits for as long as these take.

    reg [31:0] other;
    always @* begin
        case (op)
            `ELEMENT_FMIN: other = nan ? 32'h7FC00000 : equal ? a | b : below ? a : b;
            `ELEMENT_FMAX: other = nan ? 32'h7FC00000 : equal ? a & b : below ? b : a;
            `ELEMENT_FEQ: other = {31'd0, equal};
            `ELEMENT_FNE: other = {31'd0, ~equal};
            `ELEMENT_FLT: other = {31'd0, below};
            `ELEMENT_FLE: other = {31'd0, below | equal};
            `ELEMENT_TOS32: other = nan_a ? 32'd0 : beyond_s ? {a[31], {31{~a[31]}}} : a[31] ? -truncated : truncated;
            `ELEMENT_TOU32: other = nan_a | a[31] ? 32'd0 : beyond_u ? 32'hFFFF_FFFF : truncated;
            `ELEMENT_OFS32, `ELEMENT_OFU32: other = converted;
            default: other = whole;
        endcase
    end

    wire [33:0] first = {op == `ELEMENT_FMUL, op == `ELEMENT_FADD | op == `ELEMENT_FSUB, other};
    wire [33:0] second, third, last;
    cut #(.WIDTH(34), .REGISTER(1)) wait_1 (.clk(clk), .before(first), .behind(second));
    cut #(.WIDTH(34), .REGISTER(1)) wait_2 (.clk(clk), .before(second), .behind(third));
    cut #(.WIDTH(34), .REGISTER(1)) wait_3 (.clk(clk), .before(third), .behind(last));
    assign made = last[33] ? product : last[32] ? sum : last[31:0];
endmodule
