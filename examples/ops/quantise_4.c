/* Sums of floats that travel as 4 bits, 32 of them with one scale: about a sixth of the bytes. Each
 * time that a block is encoded, a number changes by at most 1/14 of the largest magnitude in its
 * block: half a step of scale = largest / 7. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name quantise-4")
OP_DECLARE("element f32x32")
OP_DECLARE("wire f32,u8x16")
OP_DECLARE("associative within 1e-6")
OP_DECLARE("commutative yes")

#define BLOCK 32

struct block {
    float value[BLOCK];
};

/* Two numbers in a byte, the first in its low half, 8 more than they are. */
struct sent {
    float scale;
    unsigned char pair[BLOCK / 2];
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
        for (int k = 0; k < BLOCK / 2; k++) {
            int pair = wire[i].pair[k];
            elements[i].value[2 * k] = wire[i].scale * ((pair & 15) - 8);
            elements[i].value[2 * k + 1] = wire[i].scale * ((pair >> 4) - 8);
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
        float scale = largest / 7;
        float per_step = scale < 0x1p-120f ? 0 : 1 / scale;
        wire[i].scale = scale;
        for (int k = 0; k < BLOCK / 2; k++) {
            int low = (int)__builtin_rintf(elements[i].value[2 * k] * per_step) + 8;
            int high = (int)__builtin_rintf(elements[i].value[2 * k + 1] * per_step) + 8;
            wire[i].pair[k] = (unsigned char)(low | high << 4);
        }
    }
}
