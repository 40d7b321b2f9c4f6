/* A step of SGD in the switch: an all-reduce, a map and a broadcast in one pass. Every worker sends
 * its gradient and the weight, and gets the sum of the gradients and the new weight. Nothing is
 * claimed, so gradients are added in the order of ranks: the same bits in every run. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name sgd-step")
OP_DECLARE("element f32x2")

#define LEARNING_RATE 0.125f

struct parameter {
    float gradient;
    float weight;
};

OP_FOLD(struct parameter, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i].gradient += right[i].gradient;
    }
}

OP_MAP(struct parameter, result, count) {
    for (int i = 0; i < count; i++) {
        result[i].weight -= LEARNING_RATE * result[i].gradient;
    }
}
