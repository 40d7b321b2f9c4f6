/* The sum of complex numbers. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name complex-sum")
OP_DECLARE("element c64")
/* Two additions, each of which rounds by 2^-24 of a partial sum of up to three magnitudes. */
OP_DECLARE("associative within 1e-6")
OP_DECLARE("commutative yes")
/* -0, since 0 + -0 would be 0 */
OP_DECLARE("identity 0000008000000080")

struct complex {
    float re, im;
};

OP_FOLD(struct complex, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i].re += right[i].re;
        left[i].im += right[i].im;
    }
}
