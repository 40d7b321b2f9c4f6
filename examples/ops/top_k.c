/* The k largest by magnitude, of two messages of k values with their indices: gradients of which
 * each worker sends its own k largest. An index that both have stays there twice. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name top-k-merge")
OP_DECLARE("element f32,u32")
OP_DECLARE("scope message 1024")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
/* No identity: the result is in order, and an operand need not be. */

struct entry {
    unsigned value; /* bits of the f32: the sign, then what magnitudes are ordered by */
    unsigned index;
};

/* Orders by magnitude, then by the smaller index, then negative ones first. Entries of the same rank
 * have the same bits: neither the order of operands nor their grouping is seen in the result. */
static unsigned long long rank(struct entry entry) {
    unsigned long long magnitude = entry.value & 0x7fffffff, before = ~entry.index;
    return magnitude << 33 | before << 1 | entry.value >> 31;
}

/* Moves an entry down a heap, which has the one of the smallest rank at its top. */
static void sift(struct entry *heap, int at, int count) {
    struct entry moved = heap[at];
    for (int child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && rank(heap[child + 1]) < rank(heap[child]);
        if (rank(moved) < rank(heap[child])) {
            break;
        }
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

OP_FOLD(struct entry, left, right, count) {
    for (int i = count / 2 - 1; i >= 0; i--) {
        sift(left, i, count);
    }
    for (int i = 0; i < count; i++) {
        if (rank(right[i]) > rank(left[0])) {
            left[0] = right[i];
            sift(left, 0, count);
        }
    }
    /* The smallest goes to the end, again and again: what remains is in descending order. */
    for (int end = count - 1; end > 0; end--) {
        struct entry smallest = left[0];
        left[0] = left[end];
        left[end] = smallest;
        sift(left, 0, end);
    }
}
