/* The product of matrices of 4 by 4, row by row, in the order of ranks: w0 w1 w2 .. It is
 * associative and does not commute. */
#include <netfold_op.h>

#define ZERO "0000000000000000"
#define ONE "000000000000f03f"

OP_DECLARE("abi 1")
OP_DECLARE("name matrix-chain")
OP_DECLARE("element f64x16")
/* A product of entries up to 1 is at most 4, and off by at most 4 * 2^-53 * 4; a second one
 * multiplies this by 4, and adds 4 * 2^-53 * 16. Both groupings: 256 * 2^-53 < 3e-14. */
OP_DECLARE("range 0 -1 1")
OP_DECLARE("associative within 3e-14")
OP_DECLARE("commutative no")
OP_DECLARE("identity "
           ONE ZERO ZERO ZERO
           ZERO ONE ZERO ZERO
           ZERO ZERO ONE ZERO
           ZERO ZERO ZERO ONE)

struct matrix {
    double at[4][4];
};

OP_FOLD(struct matrix, left, right, count) {
    for (int i = 0; i < count; i++) {
        struct matrix product;
        for (int row = 0; row < 4; row++) {
            for (int column = 0; column < 4; column++) {
                double sum = 0.0;
                for (int k = 0; k < 4; k++) {
                    sum += left[i].at[row][k] * right[i].at[k][column];
                }
                product.at[row][column] = sum;
            }
        }
        left[i] = product;
    }
}
