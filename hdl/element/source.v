// The source of an operand, a link or a register, by its code in a configuration word (R-CGRA-16).
module source (
    input      [4:0]   code,
    input      [31:0]  immediate,
    input      [31:0]  result,
    // North, east, south and west, the first one lowest.
    input      [127:0] neighbours,
    input      [127:0] registers,
    output reg [31:0]  value
);
    always @* begin
        case (code)
            5'd1: value = 32'd1;
            5'd2: value = immediate;
            5'd3: value = result;
            5'd4: value = neighbours[31:0];
            5'd5: value = neighbours[63:32];
            5'd6: value = neighbours[95:64];
            5'd7: value = neighbours[127:96];
            5'd8: value = registers[31:0];
            5'd9: value = registers[63:32];
            5'd10: value = registers[95:64];
            5'd11: value = registers[127:96];
            default: value = 32'd0;
        endcase
    end
endmodule
