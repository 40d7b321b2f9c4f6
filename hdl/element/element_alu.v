`include "element_ops.vh"

// Sums, logic, shifts, comparisons and choices of a processing element, on the low 8, 16 or 32 bits of its words (R-CGRA-22).
module element_alu (
    input      [6:0]  op,
    input      [2:0]  ty,
    input      [31:0] a,
    input      [31:0] b,
    input      [31:0] c,
    output     [31:0] made,
    // The bits that a number of the type has.
    output     [31:0] mask
);
    wire is_byte = ty == 3'd0;
    wire is_half = ty == 3'd1;
    assign mask = is_byte ? 32'h0000_00FF : is_half ? 32'h0000_FFFF : 32'hFFFF_FFFF;

    wire [5:0]  bits = is_byte ? 6'd8 : is_half ? 6'd16 : 6'd32;
    wire [31:0] u = a & mask;
    wire [31:0] v = b & mask;
    wire [31:0] x = is_byte ? {{24{a[7]}}, a[7:0]} : is_half ? {{16{a[15]}}, a[15:0]} : a;
    wire [31:0] y = is_byte ? {{24{b[7]}}, b[7:0]} : is_half ? {{16{b[15]}}, b[15:0]} : b;
    wire [4:0]  distance = is_byte ? {2'b00, b[2:0]} : is_half ? {1'b0, b[3:0]} : b[4:0];
    wire [5:0]  rest = bits - {1'b0, distance};

    wire equal = u == v;
    wire less_s = $signed(x) < $signed(y);
    wire less_u = u < v;

    // A number is as wide as its type: its leading zeros begin there, and its trailing zeros end there.
    reg  [5:0] leading, trailing, ones;
    integer    at;
    always @* begin
        leading = bits;
        trailing = bits;
        ones = 6'd0;
        for (at = 0; at < 32; at = at + 1) begin
            if (u[at]) leading = bits - 6'd1 - at[5:0];
            if (u[31-at]) trailing = 6'd31 - at[5:0];
            ones = ones + {5'd0, u[at]};
        end
    end

    reg [31:0] raw;
    always @* begin
        case (op)
            `ELEMENT_PASS, `ELEMENT_WRAP, `ELEMENT_EXTEND32: raw = a;
            `ELEMENT_ADD: raw = a + b;
            `ELEMENT_SUB: raw = a - b;
            `ELEMENT_AND: raw = a & b;
            `ELEMENT_OR: raw = a | b;
            `ELEMENT_XOR: raw = a ^ b;
            `ELEMENT_SHL: raw = u << distance;
            `ELEMENT_SHR_S: raw = $signed(x) >>> distance;
            `ELEMENT_SHR_U: raw = u >> distance;
            `ELEMENT_ROTL: raw = u << distance | u >> rest;
            `ELEMENT_CLZ: raw = {26'd0, leading};
            `ELEMENT_CTZ: raw = {26'd0, trailing};
            `ELEMENT_POPCNT: raw = {26'd0, ones};
            `ELEMENT_EQ: raw = {31'd0, equal};
            `ELEMENT_NE: raw = {31'd0, ~equal};
            `ELEMENT_LT_S: raw = {31'd0, less_s};
            `ELEMENT_LT_U: raw = {31'd0, less_u};
            `ELEMENT_LE_S: raw = {31'd0, less_s | equal};
            `ELEMENT_LE_U: raw = {31'd0, less_u | equal};
            `ELEMENT_MIN_S: raw = less_s ? x : y;
            `ELEMENT_MIN_U: raw = less_u ? u : v;
            `ELEMENT_MAX_S: raw = less_s ? y : x;
            `ELEMENT_MAX_U: raw = less_u ? v : u;
            `ELEMENT_SELECT: raw = |c ? a : b;
            `ELEMENT_EXTEND8: raw = {{24{a[7]}}, a[7:0]};
            `ELEMENT_EXTEND16: raw = {{16{a[15]}}, a[15:0]};
            `ELEMENT_FABS: raw = {1'b0, a[30:0]};
            `ELEMENT_FNEG: raw = {~a[31], a[30:0]};
            `ELEMENT_FCOPYSIGN: raw = {b[31], a[30:0]};
            default: raw = 32'd0;
        endcase
    end
    assign made = raw & mask;
endmodule
