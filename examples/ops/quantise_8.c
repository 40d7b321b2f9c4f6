/* Sums of floats that travel as 8 bits, 64 of them with one scale: about a quarter of the bytes, up
 * and down. The switch decodes what workers send, adds floats in the order of ranks, and encodes
 * the sum. Each time that a block is encoded, a number changes by at most 1/254 of the largest
 * magnitude in its block: half a step of scale = largest / 127. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name quantise-8")
OP_DECLARE("element f32x64")
OP_DECLARE("wire f32,i8x64")
OP_DECLARE("associative within 1e-6")
OP_DECLARE("commutative yes")

#define BLOCK 64

struct block {
    float value[BLOCK];
};

struct sent {
    float scale;
    signed char value[BLOCK];
};

OP_FOLD(struct block, left, right, count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < BLOCK; k++) {
            left[i].value[k] += right[i].value[k];
        }
    }
}

OP_DECODE(struct block, elements, struct sent, wire, count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < BLOCK; k++) {
            elements[i].value[k] = wire[i].scale * wire[i].value[k];
        }
    }
}

OP_ENCODE(struct sent, wire, struct block, elements, count) {
    for (int i = 0; i < count; i++) {
        float largest = 0;
        for (int k = 0; k < BLOCK; k++) {
            float magnitude = __builtin_fabsf(elements[i].value[k]);
            largest = magnitude > largest ? magnitude : largest;
        }
        float scale = largest / 127;
        /* The smallest numbers have no reciprocal: a block of them is sent as zeros. */
        float per_step = scale < 0x1p-120f ? 0 : 1 / scale;
        wire[i].scale = scale;
        for (int k = 0; k < BLOCK; k++) {
            wire[i].value[k] = (signed char)__builtin_rintf(elements[i].value[k] * per_step);
        }
    }
}
