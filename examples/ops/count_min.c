/* The merge of count-min sketches (Cormode and Muthukrishnan, 2005): the sum of each counter. A
 * counter that is full stays so: it may count too much, and never too little. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name count-min-merge")
OP_DECLARE("element u32")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
OP_DECLARE("identity 00000000")

OP_FOLD(unsigned, left, right, count) {
    for (int i = 0; i < count; i++) {
        unsigned sum = left[i] + right[i];
        left[i] = sum < right[i] ? 0xffffffff : sum;
    }
}
