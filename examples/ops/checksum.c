/* Sums of integers with a checksum behind every 63 of them, from the memory of the one program to
 * that of the other: CRC-32C (RFC 9260, appendix A). A block whose checksum is wrong traps where it
 * is decoded, at the switch or at a worker. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name checksum")
OP_DECLARE("element i32x63")
OP_DECLARE("wire i32x63,u32")
OP_DECLARE("lossless yes")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")

#define BLOCK 63

struct block {
    int value[BLOCK];
};

struct sent {
    int value[BLOCK];
    unsigned checksum;
};

static unsigned crc32c(const int *value) {
    unsigned crc = ~0u;
    for (int k = 0; k < BLOCK; k++) {
        crc ^= (unsigned)value[k];
        for (int bit = 0; bit < 32; bit++) {
            crc = crc >> 1 ^ (0x82f63b78u & -(crc & 1));
        }
    }
    return ~crc;
}

OP_FOLD(struct block, left, right, count) {
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < BLOCK; k++) {
            left[i].value[k] = (int)((unsigned)left[i].value[k] + (unsigned)right[i].value[k]);
        }
    }
}

OP_DECODE(struct block, elements, struct sent, wire, count) {
    for (int i = 0; i < count; i++) {
        if (crc32c(wire[i].value) != wire[i].checksum) {
            __builtin_trap();
        }
        __builtin_memcpy(&elements[i], &wire[i], sizeof elements[i]);
    }
}

OP_ENCODE(struct sent, wire, struct block, elements, count) {
    for (int i = 0; i < count; i++) {
        __builtin_memcpy(&wire[i], &elements[i], sizeof elements[i]);
        wire[i].checksum = crc32c(elements[i].value);
    }
}
