header bth_h {
    bit<8> opcode; bit<8> flags; bit<16> partition; bit<8> reserved; bit<24> dest_qp;
    bit<8> acknowledge; bit<24> psn;
}
header reth_h { bit<32> base; bit<32> offset; bit<16> round; bit<16> slot; bit<32> length; }
header immediate_h { bit<16> exponent; bit<16> next_exponent; }
