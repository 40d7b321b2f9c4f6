/* log(exp(a) + exp(b)), as max(a, b) + log1p(exp(-|a - b|)): sums of probabilities that are kept as
 * logarithms. Without a library: exp and log1p are series, to about 1e-16. */
#include <netfold_op.h>

OP_DECLARE("abi 1")
OP_DECLARE("name log-sum-exp")
OP_DECLARE("element f64")
OP_DECLARE("associative within 1e-13")
OP_DECLARE("commutative yes")
/* -infinity: the logarithm of 0 */
OP_DECLARE("identity 000000000000f0ff")
OP_DECLARE("range 0 -700 700")

static const double LN2 = 0.69314718055994530942;

/* exp(x) of -745 < x <= 0: 2^n exp(r) with |r| <= ln 2 / 2, by 14 terms of Taylor's series. */
static double exponential(double x) {
    int n = (int)(x / LN2 - 0.5);
    double r = x - n * LN2;
    double sum = 1.0;
    for (int k = 14; k >= 1; k--) {
        sum = 1.0 + sum * r / k;
    }
    /* Two factors, as 2^n may be below the least normal number. */
    union {
        unsigned long long bits;
        double value;
    } half = {(unsigned long long)(1023 + n / 2) << 52}, rest = {(unsigned long long)(1023 + n - n / 2) << 52};
    return sum * half.value * rest.value;
}

/* log(1 + x) of 0 <= x <= 1: twice the series of artanh(s), s = x / (2 + x) <= 1 / 3. */
static double log_of_one_and(double x) {
    double s = x / (2.0 + x), square = s * s, sum = 0.0;
    for (int k = 35; k >= 1; k -= 2) {
        sum = sum * square + 1.0 / k;
    }
    return 2.0 * s * sum;
}

OP_FOLD(double, left, right, count) {
    for (int i = 0; i < count; i++) {
        double a = left[i], b = right[i];
        double largest = a > b ? a : b, difference = a > b ? b - a : a - b;
        /* Also false for two infinities: their difference is a NaN. */
        if (difference > -745.0) {
            largest += log_of_one_and(exponential(difference));
        }
        left[i] = largest;
    }
}
