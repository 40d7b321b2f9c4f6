// Codes of the stateful ALUs (R-HDL-7 to 9); `hdl/src/vectors/stateful.rs` has the same.

// How the word relates to what it is compared with.
`define RELATION_BEHIND 2'd0
`define RELATION_EQUAL  2'd1
`define RELATION_AHEAD  2'd2

// Which operand: none, which is 0, one of the two fields, or the instruction's constant.
`define FROM_NONE     2'd0
`define FROM_X        2'd1
`define FROM_Y        2'd2
`define FROM_CONSTANT 2'd3

// What is written.
`define STATEFUL_SET       4'd0
`define STATEFUL_ADD       4'd1
`define STATEFUL_SUB       4'd2
`define STATEFUL_OR        4'd3
`define STATEFUL_AND       4'd4
`define STATEFUL_AND_NOT   4'd5
`define STATEFUL_MIN       4'd6
`define STATEFUL_MAX       4'd7
`define STATEFUL_SHIFT_ADD 4'd8

// What is given back.
`define OUTPUT_NONE    2'd0
`define OUTPUT_OLD     2'd1
`define OUTPUT_NEW     2'd2
`define OUTPUT_OUTCOME 2'd3
