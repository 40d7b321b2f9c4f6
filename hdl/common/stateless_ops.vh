// Codes of what a stateless ALU computes (R-HDL-3); `hdl/src/vectors/stateless.rs` has the same.
`define STATELESS_SET            4'd0
`define STATELESS_ADD            4'd1
`define STATELESS_SUB            4'd2
`define STATELESS_SATURATING_SUB 4'd3
`define STATELESS_AND            4'd4
`define STATELESS_OR             4'd5
`define STATELESS_XOR            4'd6
`define STATELESS_SHIFT_LEFT     4'd8
`define STATELESS_SHIFT_RIGHT    4'd9
`define STATELESS_SHIFT_SIGNED   4'd10
`define STATELESS_FLOAT_ADD      4'd12
