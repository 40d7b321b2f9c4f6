/* Sums of floats that travel as bfloat16, rounded to the nearest, ties to even: a change of type in
 * front of the fold and behind it. The switch adds in 32 bits and rounds once, where sums of
 * bfloat16 would round each addition. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name bfloat-16")
OP_DECLARE("element f32")
OP_DECLARE("wire u16")
OP_DECLARE("associative within 1e-6")
OP_DECLARE("commutative yes")
OP_DECLARE("identity 00000000")

OP_FOLD(float, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i] += right[i];
    }
}

OP_DECODE(unsigned, elements, unsigned short, wire, count) {
    for (int i = 0; i < count; i++) {
        elements[i] = (unsigned)wire[i] << 16;
    }
}

OP_ENCODE(unsigned short, wire, unsigned, elements, count) {
    for (int i = 0; i < count; i++) {
        unsigned bits = elements[i];
        unsigned rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
        /* A NaN stays one, which its upper half alone need not be. */
        int is_nan = (bits & 0x7fffffff) > 0x7f800000;
        wire[i] = (unsigned short)(is_nan ? bits >> 16 | 0x40 : rounded);
    }
}
