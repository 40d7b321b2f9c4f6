/* The merge of histograms: the least and the largest value, and the number of values in each of 32
 * bins, which are the same at all workers. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name histogram")
OP_DECLARE("element i64,i64,u64x32")
OP_DECLARE("associative yes")
OP_DECLARE("commutative yes")
#define ZEROS "0000000000000000" "0000000000000000" "0000000000000000" "0000000000000000"
/* Of no values: the largest i64, the least i64, and 32 empty bins. */
OP_DECLARE("identity ffffffffffffff7f" "0000000000000080"
           ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS ZEROS)

struct histogram {
    long long least, most;
    unsigned long long counts[32];
};

OP_FOLD(struct histogram, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i].least = left[i].least < right[i].least ? left[i].least : right[i].least;
        left[i].most = left[i].most > right[i].most ? left[i].most : right[i].most;
        for (int bin = 0; bin < 32; bin++) {
            left[i].counts[bin] += right[i].counts[bin];
        }
    }
}
