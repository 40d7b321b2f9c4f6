/* Sums of gradients of which the 16 largest numbers of each 256 travel, with their places (deep
 * gradient compression: Lin, Han, Mao, Wang and Dally, ICLR 2018). The others are kept, and added
 * the next time that the same chunk is sent: at each worker for what goes up, at the switch for the
 * sum that comes down. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name top-k-feedback")
OP_DECLARE("element u32,f32x256")
OP_DECLARE("wire u32,u8x16,f32x16")
OP_DECLARE("range 0 0 4095")
OP_DECLARE("state 4194304")

#define CHUNKS 4096
#define NUMBERS 256
#define SENT 16

struct chunk {
    unsigned number;
    float value[NUMBERS];
};

struct sent {
    unsigned number;
    unsigned char place[SENT];
    float value[SENT];
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
            chunks[i].value[k] = 0;
        }
        for (int k = 0; k < SENT; k++) {
            chunks[i].value[wire[i].place[k]] += wire[i].value[k];
        }
    }
}

/* Finds the places of the largest numbers, in descending order. Of numbers of the same magnitude
 * the first one goes. */
static void find_largest(const float *numbers, unsigned char *place) {
    float magnitude[SENT + 1];
    for (int k = 0; k <= SENT; k++) {
        magnitude[k] = -1;
    }
    for (int at = 0; at < NUMBERS; at++) {
        float found = __builtin_fabsf(numbers[at]);
        int k = SENT;
        for (; k > 0 && found > magnitude[k - 1]; k--) {
            magnitude[k] = magnitude[k - 1];
            if (k < SENT) {
                place[k] = place[k - 1];
            }
        }
        if (k < SENT) {
            magnitude[k] = found;
            place[k] = (unsigned char)at;
        }
    }
}

OP_ENCODE(struct sent, wire, struct chunk, chunks, count) {
    for (int i = 0; i < count; i++) {
        if (chunks[i].number >= CHUNKS) {
            __builtin_trap();
        }
        float *kept = left_out[chunks[i].number];
        for (int k = 0; k < NUMBERS; k++) {
            kept[k] += chunks[i].value[k];
        }
        wire[i].number = chunks[i].number;
        find_largest(kept, wire[i].place);
        for (int k = 0; k < SENT; k++) {
            wire[i].value[k] = kept[wire[i].place[k]];
            kept[wire[i].place[k]] = 0;
        }
    }
}
