// A barrel shifter: left, right, or right with the sign (R-HDL-4).
//
// One ladder of multiplexers shifts to the right; a shift to the left goes through it in reverse order.
module shifter #(
    parameter WIDTH = 32
) (
    input      [WIDTH-1:0]         value,
    input      [$clog2(WIDTH)-1:0] distance,
    input                          left,
    // What moves in from the upper end: the sign, or 0. A shift to the left fills with 0.
    input                          fill,
    output reg [WIDTH-1:0]         shifted
);
    localparam RUNGS = $clog2(WIDTH);

    function [WIDTH-1:0] reversed(input [WIDTH-1:0] bits);
        integer i;
        for (i = 0; i < WIDTH; i = i + 1) reversed[i] = bits[WIDTH-1-i];
    endfunction

    integer rung;
    always @* begin
        shifted = left ? reversed(value) : value;
        for (rung = 0; rung < RUNGS; rung = rung + 1)
            if (distance[rung]) shifted = (shifted >> (1 << rung)) | ~({WIDTH{~fill}} | {WIDTH{1'b1}} >> (1 << rung));
        if (left) shifted = reversed(shifted);
    end
endmodule
