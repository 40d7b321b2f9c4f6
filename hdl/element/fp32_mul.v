// The product of two FP32 values, IEEE 754: nearest, ties to even, with subnormals, the canonical NaN (R-CGRA-22).
//
// Four steps with registers between them, as many as `fp32_add` has: multiply; count the zeros; normalise; round and assemble.
module fp32_mul (
    input         clk,
    input  [31:0] a,
    input  [31:0] b,
    output [31:0] product
);
    // ---- Multiply. A subnormal has the exponent 1 and no leading one.

    wire        normal_a = |a[30:23];
    wire        normal_b = |b[30:23];
    wire [8:0]  exponents = {1'b0, a[30:24], a[23] | ~normal_a} + {1'b0, b[30:24], b[23] | ~normal_b};
    wire [47:0] exact = {24'd0, normal_a, a[22:0]} * {24'd0, normal_b, b[22:0]};
    wire        infinite = &a[30:23] | &b[30:23];
    wire        nan = &a[30:23] & |a[22:0] | &b[30:23] & |b[22:0] | infinite & (~|a[30:0] | ~|b[30:0]);

    wire        sign_1, nan_1, infinite_1;
    wire [8:0]  exponents_1;
    wire [47:0] exact_1;
    cut #(.WIDTH(60), .REGISTER(1)) cut_1 (
        .clk(clk),
        .before({a[31] ^ b[31], nan, infinite, exponents, exact}),
        .behind({sign_1, nan_1, infinite_1, exponents_1, exact_1}));

    // ---- Count the zeros above the leading one. With the leading one in bit 47 the field is the exponents' sum less 126, and
    // less what the product moves to the left; it moves by no more than leaves the field 1, or to the right.

    function [5:0] zeros_above(input [47:0] bits);
        integer i;
        begin
            zeros_above = 6'd48;
            for (i = 0; i < 48; i = i + 1) if (bits[i]) zeros_above = 6'd47 - i[5:0];
        end
    endfunction

    wire [5:0]  zeros = zeros_above(exact_1);
    wire        is_small = exponents_1 < 9'd127;
    wire [8:0]  room = exponents_1 - 9'd127;
    wire [8:0]  lack = 9'd127 - exponents_1;
    wire [5:0]  left = room < {3'd0, zeros} ? room[5:0] : zeros;
    // From 48 on nothing but the sticky bit is left.
    wire [5:0]  by = ~is_small ? left : lack > 9'd48 ? 6'd48 : lack[5:0];
    wire [8:0]  field = exponents_1 - 9'd126 - {3'd0, left};

    wire        sign_2, nan_2, infinite_2, is_small_2;
    wire [5:0]  by_2;
    wire [8:0]  field_2;
    wire [47:0] exact_2;
    cut #(.WIDTH(67), .REGISTER(1)) cut_2 (
        .clk(clk),
        .before({sign_1, nan_1, infinite_1, is_small, by, field, exact_1}),
        .behind({sign_2, nan_2, infinite_2, is_small_2, by_2, field_2, exact_2}));

    // ---- Normalise: 24 bits of significand, one below them, and one that says whether anything is below this.

    wire [95:0] low = {exact_2, 48'd0} >> by_2;
    wire [95:0] moved = is_small_2 ? low : {exact_2 << by_2, 48'd0};
    wire [25:0] normal = {moved[95:71], |moved[70:0]};

    wire        sign_3, nan_3, infinite_3;
    wire [8:0]  field_3;
    wire [24:0] normal_3;
    cut #(.WIDTH(37), .REGISTER(1)) cut_3 (
        .clk(clk),
        .before({sign_2, nan_2, infinite_2, normal[25] ? field_2 : 9'd0, normal[24:0]}),
        .behind({sign_3, nan_3, infinite_3, field_3, normal_3}));

    // ---- Round and assemble. A carry out of the significand goes into the exponent, also from the largest subnormal.

    wire        up = normal_3[1] & (normal_3[2] | normal_3[0]);
    wire [31:0] rounded = {field_3, normal_3[24:2]} + {31'd0, up};
    wire        beyond = rounded[31:23] >= 9'd255;

    assign product = nan_3 ? 32'h7FC00000 : infinite_3 | beyond ? {sign_3, 31'h7F800000} : {sign_3, rounded[30:0]};
endmodule
