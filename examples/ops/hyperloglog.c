/* The merge of HyperLogLog sketches (Flajolet and others, AofA 2007): of each register the larger
 * value. It is the sketch of the union of what the workers have seen. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name hyperloglog-merge")
OP_DECLARE("element u8")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
OP_DECLARE("identity 00")

OP_FOLD(unsigned char, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i] = left[i] > right[i] ? left[i] : right[i];
    }
}
