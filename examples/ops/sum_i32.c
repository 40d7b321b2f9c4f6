/* The sum of 32-bit integers, modulo 2^32: what netfold has built in, as users write it. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name sum-i32")
OP_DECLARE("element i32")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
OP_DECLARE("identity 00000000")

OP_FOLD(unsigned, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i] += right[i];
    }
}
