`include "element_ops.vh"

// The port of a memory unit: it counts addresses of elements and instances, for each slot of the interval (R-CGRA-3, R-CGRA-23).
module port (
    input         clk,
    // The instruction's operation and access, and the operands that it has found.
    input  [6:0]  op,
    input  [31:0] offset,
    input  [31:0] outer,
    input  [31:0] inner,
    input  [31:0] a,
    input  [31:0] b,
    input  [31:0] c,
    input         valid,
    input         first,
    input  [5:0]  slot,
    input  [15:0] instances,
    output [31:0] address,
    output        writes,
    output        traps
);
    wire loads = valid & op == `ELEMENT_LOAD;
    wire stores = valid & op == `ELEMENT_STORE;
    // The element's first address, and that of the instance, and the instance's number.
    reg  [31:0] base  [0:63];
    reg  [31:0] at    [0:63];
    reg  [15:0] count [0:63];
    wire [31:0] base_now = first ? offset : base[slot];
    wire [31:0] at_now = first ? offset : at[slot];
    wire [15:0] next = (first ? 16'd0 : count[slot]) + 16'd1;
    wire        last = next == instances;
    wire [31:0] base_next = last ? base_now + outer : base_now;

    assign address = at_now + (loads ? a : b);
    assign writes = stores & |c;
    assign traps = valid & op == `ELEMENT_TRAP & |a;

    always @(posedge clk) begin
        if (loads | stores) begin
            base[slot] <= base_next;
            at[slot] <= last ? base_next : at_now + inner;
            count[slot] <= last ? 16'd0 : next;
        end
    end
endmodule
