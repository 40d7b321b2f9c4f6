/* The larger of two values, with its index; of equal values, the one with the smaller index. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name argmax")
OP_DECLARE("element f32,u32")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
/* -infinity, at the last index */
OP_DECLARE("identity 000080ffffffffff")

struct entry {
    float value;
    unsigned index;
};

OP_FOLD(struct entry, left, right, count) {
    for (int i = 0; i < count; i++) {
        struct entry a = left[i], b = right[i];
        /* A NaN is never larger, and stays where it is on the left. */
        if (b.value > a.value || (b.value == a.value && b.index < a.index)) {
            left[i] = b;
        }
    }
}
