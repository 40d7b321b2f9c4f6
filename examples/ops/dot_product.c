/* The dot product of two vectors whose parts are spread over workers. An operand is a sum so far,
 * and eight pairs that still have to be multiplied: a worker sends (0, x, y), and gets the sum. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name dot-product")
OP_DECLARE("element f64,f32x8,f32x8")
/* Both groupings add the same three numbers, with two roundings of 2^-53 each of a sum that the
 * claim compares with: 4 * 2^-53. Products of two f32 are exact. */
OP_DECLARE("associative within 1e-15")
OP_DECLARE("commutative yes")
/* No identity: of (0, 0, 0) and an operand the products come out multiplied. */

struct part {
    double sum;
    float x[8], y[8];
};

static double total(const struct part *part) {
    double sum = part->sum;
    for (int i = 0; i < 8; i++) {
        sum += (double)part->x[i] * part->y[i];
    }
    return sum;
}

OP_FOLD(struct part, left, right, count) {
    for (int i = 0; i < count; i++) {
        left[i] = (struct part){.sum = total(&left[i]) + total(&right[i])};
    }
}
