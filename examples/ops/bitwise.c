/* Three bitwise operations at once, on masks of 64 bits: the bits that all workers have set, those
 * that any has, and those that an odd number has. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name bitwise")
OP_DECLARE("element u64,u64,u64")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
OP_DECLARE("identity ffffffffffffffff" "0000000000000000" "0000000000000000")

struct masks {
    unsigned long long all, any, odd;
};

OP_FOLD(struct masks, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i].all &= right[i].all;
        left[i].any |= right[i].any;
        left[i].odd ^= right[i].odd;
    }
}
