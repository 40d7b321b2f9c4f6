/* Features of a graph's vertices, kept in the switch (ACiS's look-aside memory). A worker writes
 * rows, and later asks for the sum of some: what a graph convolution needs of the neighbours of a
 * vertex comes as one row instead of one for each of them. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name features")
OP_DECLARE("element u32,u32,u32x62")

#define WIDTH 62

/* For a larger table, define both and include this file. */
#ifndef ROWS
#define ROWS 65536
#define STATE "16777216"
#endif

OP_DECLARE("state " STATE)

enum { WRITE = 1, SUM = 2 };

/* To write a row: WRITE, its number, and its numbers. To ask for a sum: SUM, how many rows, and
 * which. The reply to the latter has the sum where the numbers of the rows were. */
struct request {
    unsigned what;
    unsigned number;
    union {
        float value[WIDTH];
        unsigned row[WIDTH];
    };
};

static float table[ROWS][WIDTH];

static void sum_rows(struct request *request) {
    float sum[WIDTH] = {0};
    unsigned rows = request->number < WIDTH ? request->number : WIDTH;
    for (unsigned at = 0; at < rows; at++) {
        const float *row = table[request->row[at] % ROWS];
        for (int k = 0; k < WIDTH; k++) {
            sum[k] += row[k];
        }
    }
    __builtin_memcpy(request->value, sum, sizeof sum);
}

OP_ANSWER(struct request, requests, count, rank) {
    (void)rank;
    for (int i = 0; i < count; i++) {
        if (requests[i].what == WRITE) {
            __builtin_memcpy(table[requests[i].number % ROWS], requests[i].value, sizeof table[0]);
        } else if (requests[i].what == SUM) {
            sum_rows(&requests[i]);
        }
    }
}
