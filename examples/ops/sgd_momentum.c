/* SGD with momentum in the switch: weights and momenta are kept there. Workers send gradients in
 * chunks, and get the new weights of each: they need no memory for momenta. Before the first step
 * every chunk's weights are written by a look-aside call. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name sgd-momentum")
OP_DECLARE("element u32,f32x256")
OP_DECLARE("associative within 1e-6")
OP_DECLARE("commutative yes")
OP_DECLARE("range 0 0 8191")
OP_DECLARE("state 16777216")

#define CHUNKS 8192
#define NUMBERS 256

/* The number of a chunk, or SETTINGS for the learning rate, the momentum and the number of workers,
 * which are the first values then. */
struct chunk {
    unsigned number;
    float value[NUMBERS];
};

#define SETTINGS 0xffffffff

static float weight[CHUNKS][NUMBERS];
static float momentum[CHUNKS][NUMBERS];
static float learning_rate, decay, workers;

OP_FOLD(struct chunk, left, right, count) {
    for (int i = 0; i < count; i++) {
        /* The same chunk's: this makes the claims true of others, too. */
        unsigned number = right[i].number;
        left[i].number = left[i].number > number ? left[i].number : number;
        for (int k = 0; k < NUMBERS; k++) {
            left[i].value[k] += right[i].value[k];
        }
    }
}

OP_ANSWER(struct chunk, chunks, count, rank) {
    (void)rank;
    for (int i = 0; i < count; i++) {
        if (chunks[i].number == SETTINGS) {
            learning_rate = chunks[i].value[0];
            decay = chunks[i].value[1];
            workers = chunks[i].value[2];
        } else {
            float *weights = weight[chunks[i].number % CHUNKS];
            __builtin_memcpy(weights, chunks[i].value, sizeof weight[0]);
        }
    }
}

OP_MAP(struct chunk, chunks, count) {
    for (int i = 0; i < count; i++) {
        float *weights = weight[chunks[i].number % CHUNKS];
        float *momenta = momentum[chunks[i].number % CHUNKS];
        for (int k = 0; k < NUMBERS; k++) {
            momenta[k] = decay * momenta[k] + chunks[i].value[k] / workers;
            weights[k] -= learning_rate * momenta[k];
            chunks[i].value[k] = weights[k];
        }
    }
}
