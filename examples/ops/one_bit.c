/* Sums of gradients that travel as one bit for each number, and a scale for 256 of them (1-bit SGD:
 * Seide, Fu, Droppo, Li and Yu, Interspeech 2014). What a bit does not say is kept, and added the
 * next time that the same chunk is sent: at each worker for what goes up, at the switch for the sum
 * that comes down. A chunk's number is in the element, and has a place in the memory. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name one-bit")
OP_DECLARE("element u32,f32x256")
OP_DECLARE("wire u32,f32,u8x32")
OP_DECLARE("range 0 0 4095")
OP_DECLARE("state 4194304")

#define CHUNKS 4096
#define NUMBERS 256

struct chunk {
    unsigned number;
    float value[NUMBERS];
};

struct sent {
    unsigned number;
    float scale;
    unsigned char negative[NUMBERS / 8];
};

/* What was left out of each chunk so far. */
static float left_out[CHUNKS][NUMBERS];

OP_FOLD(struct chunk, left, right, count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < NUMBERS; k++) {
            left[i].value[k] += right[i].value[k];
        }
    }
}

OP_DECODE(struct chunk, chunks, struct sent, wire, count) {
    for (int i = 0; i < count; i++) {
        chunks[i].number = wire[i].number;
        for (int k = 0; k < NUMBERS; k++) {
            int negative = wire[i].negative[k / 8] >> k % 8 & 1;
            chunks[i].value[k] = negative ? -wire[i].scale : wire[i].scale;
        }
    }
}

OP_ENCODE(struct sent, wire, struct chunk, chunks, count) {
    for (int i = 0; i < count; i++) {
        if (chunks[i].number >= CHUNKS) {
            __builtin_trap();
        }
        float *kept = left_out[chunks[i].number];
        float sum = 0;
        for (int k = 0; k < NUMBERS; k++) {
            kept[k] += chunks[i].value[k];
            sum += __builtin_fabsf(kept[k]);
        }
        float scale = sum / NUMBERS;
        wire[i].number = chunks[i].number;
        wire[i].scale = scale;
        for (int k = 0; k < NUMBERS; k += 8) {
            unsigned negative = 0;
            for (int bit = 0; bit < 8; bit++) {
                int is_negative = kept[k + bit] < 0;
                kept[k + bit] -= is_negative ? -scale : scale;
                negative |= (unsigned)is_negative << bit;
            }
            wire[i].negative[k / 8] = (unsigned char)negative;
        }
    }
}
