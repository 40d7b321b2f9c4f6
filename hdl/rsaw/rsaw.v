// The read-shift-add-write unit: the default one, but that the word can be shifted before it is added to (R-HDL-9; FPISA, section 4.2).
module rsaw #(
    parameter WIDTH = 32,
    // 2, 2 and 1 are R-PISA-3; 1, 1 and 0 Banzai's predicated read-add-write (R-HDL-10).
    parameter CONDITIONS = 2,
    parameter UPDATES = 2,
    parameter LOGIC = 1
) (
    input                              clk,
    input                              enable,
    input      [WIDTH-1:0]             x,
    input      [WIDTH-1:0]             y,
    input      [2*CONDITIONS-1:0]      relation,
    input      [2*CONDITIONS-1:0]      compare_from,
    input      [WIDTH*CONDITIONS-1:0]  plus,
    input      [4*UPDATES-1:0]         when,
    input      [4*UPDATES-1:0]         op,
    input      [2*UPDATES-1:0]         operand_from,
    input      [WIDTH*UPDATES-1:0]     constant,
    input      [1:0]                   output_select,
    output     [WIDTH-1:0]             stored,
    output     [WIDTH-1:0]             given
);
    stateful #(.WIDTH(WIDTH), .CONDITIONS(CONDITIONS), .UPDATES(UPDATES), .LOGIC(LOGIC), .SHIFT(1)) core (
        .clk(clk), .enable(enable), .x(x), .y(y), .relation(relation), .compare_from(compare_from), .plus(plus),
        .when(when), .op(op), .operand_from(operand_from), .constant(constant), .output_select(output_select), .stored(stored), .given(given));
endmodule
