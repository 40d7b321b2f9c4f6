`include "element_ops.vh"

// A processing element of an array, one lane of it: it carries out the configuration words of the mapper (R-CGRA-22).
module element #(
    // Not 0 if it has the unit for floats.
    parameter FLOATS = 0
) (
    input              clk,
    // The instruction of this cycle, as R-CGRA-16 packs it, the first field lowest.
    // verilator lint_off UNUSED
    input      [307:0] word,
    // verilator lint_on UNUSED
    // The sequencer's round, and the number of rounds; 0 while nothing runs.
    input      [15:0]  number,
    input      [15:0]  rounds,
    // Values that neighbours send, and the one that the port has loaded.
    input      [31:0]  north,
    input      [31:0]  east,
    input      [31:0]  south,
    input      [31:0]  west,
    input      [31:0]  loaded,
    output reg [31:0]  to_north,
    output reg [31:0]  to_east,
    output reg [31:0]  to_south,
    output reg [31:0]  to_west,
    output reg [31:0]  result,
    // For the port: the operands; set if the operation is carried out, and if its round is the first.
    output     [31:0]  a,
    output     [31:0]  b,
    output     [31:0]  c,
    output             valid,
    output             first
);
    // Simulators compile its code once, and not for each element of a chain.
    // verilator no_inline_module
    wire [6:0]  op = word[6:0];
    wire [2:0]  ty = word[9:7];
    wire [2:0]  carried = word[27:25];
    wire [15:0] stage = {6'd0, word[37:28]};
    wire [31:0] immediate = word[69:38];
    wire [31:0] initial_value = word[133:102];

    // Outside of the rounds that there are an operation is not carried out (R-CGRA-17).
    wire [15:0] round = number - stage;
    assign valid = number >= stage & round < rounds;
    assign first = round == 16'd0;

    // Three operands, four links and four registers, each with a multiplexer before it.
    reg  [127:0] registers;
    wire [351:0] taken;
    wire [54:0]  codes = {word[307:268], word[24:10]};
    genvar taker;
    generate
        for (taker = 0; taker < 11; taker = taker + 1) begin : take
            source of (
                .code(codes[5*taker+4:5*taker]), .immediate(immediate), .result(result),
                .neighbours({west, south, east, north}), .registers(registers),
                .value(taken[32*taker+31:32*taker]));
        end
    endgenerate
    assign a = carried[0] & first ? initial_value : taken[31:0];
    assign b = carried[1] & first ? initial_value : taken[63:32];
    assign c = carried[2] & first ? initial_value : taken[95:64];

    wire [31:0] made, mask;
    element_alu unit (.op(op), .ty(ty), .a(a), .b(b), .c(c), .made(made), .mask(mask));

    // A product or a load takes two cycles, a float four; no mapping has another result come out in the same cycle.
    wire        multiplies = valid & op == `ELEMENT_MUL;
    wire        loads = valid & op == `ELEMENT_LOAD;
    wire        makes = valid & op != 7'd0 & op <= `ELEMENT_FCOPYSIGN & op != `ELEMENT_MUL;
    reg  [31:0] product;
    reg         product_comes, load_comes;
    // Set if a float is out with the next edge.
    wire        float_comes;
    wire [31:0] float_made;
    generate
        if (FLOATS != 0) begin : floats
            reg  [2:0] under_way;
            always @(posedge clk) under_way <= {under_way[1:0], valid & op >= `ELEMENT_FADD & op <= `ELEMENT_OFU32};
            assign float_comes = under_way[2];
            float unit (.clk(clk), .op(op), .a(a), .b(b), .made(float_made));
        end else begin : integers
            assign float_comes = 1'b0;
            assign float_made = 32'd0;
        end
    endgenerate

    always @(posedge clk) begin
        {to_west, to_south, to_east, to_north} <= taken[223:96];
        registers <= taken[351:224];
        product <= a * b & mask;
        product_comes <= multiplies;
        load_comes <= loads;
        if (makes) result <= made;
        else if (product_comes) result <= product;
        else if (load_comes) result <= loaded;
        else if (float_comes) result <= float_made;
    end
endmodule
