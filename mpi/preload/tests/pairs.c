/* MPI_MINLOC and MPI_MAXLOC of every predefined type of pairs, in every collective that folds, with
 * many equal values and zeros of both signs, beside the program's own MPI by its profiling names.
 * (R-MPI-17) */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
/* Short vectors alone, and no parts: calls of all types are taken. */
static int only_short;
static int rank, size, checks;

static uint64_t draw(void) { /* splitmix64 */
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static int below(int n) { return (int)(draw() % (uint64_t)n); }

typedef enum { SHORT, INT, LONG, FLOAT, DOUBLE } Number;
typedef struct {
  MPI_Datatype type;
  const char* name;
  Number value, index;
  int at, extent; /* where the index is, and the next pair */
} Pair;

static double get(const char* at, Number of) {
  short s;
  int i;
  long l;
  float f;
  double d;
  switch (of) {
    case SHORT:
      memcpy(&s, at, sizeof s);
      return s;
    case INT:
      memcpy(&i, at, sizeof i);
      return i;
    case LONG:
      memcpy(&l, at, sizeof l);
      return (double)l;
    case FLOAT:
      memcpy(&f, at, sizeof f);
      return f;
    default:
      memcpy(&d, at, sizeof d);
      return d;
  }
}

static void put(char* at, Number of, double v) {
  short s = (short)v;
  int i = (int)v;
  long l = (long)v * 4294967296l + (long)v; /* both halves count */
  float f = (float)v;
  memcpy(at, of == SHORT ? (void*)&s : of == INT ? (void*)&i : of == LONG ? (void*)&l
             : of == FLOAT ? (void*)&f : (void*)&v,
         of == SHORT ? 2 : of == INT || of == FLOAT ? 4 : 8);
}

static void one(const Pair* pair, MPI_Op op, const char* op_name) {
  int what = below(only_short ? 4 : 6), in_place = below(2), root = below(size);
  int count = only_short || below(3) ? below(9) : 2000;
  /* MPICH 4 takes the mark of MPI_IN_PLACE for a buffer in some reductions to another root. */
  if (what == 1 && in_place) root = 0;
  int counts[64], all = 0;
  for (int i = 0; i < size; i++) {
    /* MPICH 4 copies parts that overlap if they are in place and differ. */
    counts[i] = what == 5 && !in_place ? below(count + 1) : count;
    all += counts[i];
  }
  if (what < 4) all = count;
  size_t bytes = (size_t)all * pair->extent;
  char *send = calloc(bytes + 1, 1), *got = calloc(bytes + 1, 1), *want = calloc(bytes + 1, 1);
  uint64_t kept = state;
  state ^= (uint64_t)(rank + 1) << 32;
  for (int i = 0; i < all; i++) {
    double v = below(5) - 2;
    if (!below(3)) v = -v; /* the negative zero, too */
    put(send + (size_t)i * pair->extent, pair->value, v);
    put(send + (size_t)i * pair->extent + pair->at, pair->index, below(7) - 3);
  }
  state = kept;
  int alone = in_place && (what != 1 || rank == root), own = all;
  if (what == 1 && rank != root) own = 0;
  if (what == 3 && rank == 0) own = 0;
  if (what > 3) own = counts[rank];
  for (int who = 0; who < 2; who++) {
    char* to = who ? want : got;
    if (alone) memcpy(to, send, bytes);
    void* from = alone ? MPI_IN_PLACE : (void*)send;
#define CALL(f, ...) (who ? PMPI_##f(__VA_ARGS__) : MPI_##f(__VA_ARGS__))
    switch (what) {
      case 0:
        CALL(Allreduce, from, to, count, pair->type, op, MPI_COMM_WORLD);
        break;
      case 1:
        CALL(Reduce, from, to, count, pair->type, op, root, MPI_COMM_WORLD);
        break;
      case 2:
        CALL(Scan, from, to, count, pair->type, op, MPI_COMM_WORLD);
        break;
      case 3:
        CALL(Exscan, from, to, count, pair->type, op, MPI_COMM_WORLD);
        break;
      case 4:
        CALL(Reduce_scatter_block, from, to, count, pair->type, op, MPI_COMM_WORLD);
        break;
      case 5:
        CALL(Reduce_scatter, from, to, counts, pair->type, op, MPI_COMM_WORLD);
        break;
    }
  }
  for (int i = 0; i < own; i++) {
    size_t at = (size_t)i * pair->extent;
    /* Zeros of both signs are equal; which of them a host gives depends on its order. */
    if (get(got + at, pair->value) == get(want + at, pair->value) &&
        get(got + at + pair->at, pair->index) == get(want + at + pair->at, pair->index))
      continue;
    fprintf(stderr, "rank %d: call %d of %s by %s differs at %d of %d: %g at %g, not %g at %g\n",
            rank, what, pair->name, op_name, i, own, get(got + at, pair->value),
            get(got + at + pair->at, pair->index), get(want + at, pair->value),
            get(want + at + pair->at, pair->index));
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  checks++;
  free(send);
  free(got);
  free(want);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  state = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  const Pair pairs[] = {
      {MPI_FLOAT_INT, "float and int", FLOAT, INT, 4, 8},
      {MPI_DOUBLE_INT, "double and int", DOUBLE, INT, 8, 16},
      {MPI_LONG_INT, "long and int", LONG, INT, 8, 16},
      {MPI_2INT, "two int", INT, INT, 4, 8},
      {MPI_SHORT_INT, "short and int", SHORT, INT, 4, 8},
      {MPI_2REAL, "two real", FLOAT, FLOAT, 4, 8},
      {MPI_2DOUBLE_PRECISION, "two double precision", DOUBLE, DOUBLE, 8, 16},
      {MPI_2INTEGER, "two integer", INT, INT, 4, 8},
  };
  int rounds = argc > 2 ? atoi(argv[2]) : 20;
  only_short = argc > 3;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < 8; i++) {
      one(&pairs[i], MPI_MINLOC, "minloc");
      one(&pairs[i], MPI_MAXLOC, "maxloc");
    }
  MPI_Finalize();
  if (rank == 0) printf("%d checks of seed %s\n", checks, argc > 1 ? argv[1] : "1");
  return 0;
}
