/* Every collective that netfold takes, with random values, types, operations, lengths, roots, in
 * place and not, on the world and on parts of it, beside an oracle: the program's own MPI by its
 * profiling names where elements are moved, and a fold in the order of ranks, bit by bit. (R-MPI-3,
 * R-MPI-6, R-MPI-7, R-MPI-9) */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static int world_rank, world_size, checks;
/* All bits of folds of floats, to be the same in another run (R-MPI-6). */
static uint64_t digest;
/* Only sums and products of floats fold, and only on the world. */
static int only_floats;

static uint64_t draw(void) { /* splitmix64 */
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static int below(int n) { return (int)(draw() % (uint64_t)n); }

static void fail(const char* what, const char* type, const char* op, int count) {
  fprintf(stderr, "rank %d: %s of %d %s by %s differs\n", world_rank, what, count, type, op);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

typedef struct {
  MPI_Datatype type;
  const char* name;
  int bytes;
  int kind;
} Type;
enum { SIGNED, UNSIGNED, FLOAT32, FLOAT64, COMPLEX64, TRUTH };
static Type types[20];
static int type_count;
static void add(MPI_Datatype type, const char* name, int bytes, int kind) {
  types[type_count++] = (Type){type, name, bytes, kind};
}
static MPI_Op ops[10];
static const char* op_names[] = {"sum", "product", "min", "max",     "and",
                                 "or",  "xor",     "bit and", "bit or", "bit xor"};

static int has(int kind, int op) {
  if (only_floats && op > 1) return 0;
  if (kind == TRUTH) return op >= 4 && op < 7;
  if (kind == COMPLEX64) return op == 0;
  return kind == SIGNED || kind == UNSIGNED || op < 4;
}

/* Each rank's values are its own, drawn from a seed that no other rank has. */
static void fill(void* buffer, const Type* type, int count, uint64_t seed) {
  uint64_t kept = state;
  state = seed;
  unsigned char* bytes = buffer;
  for (int i = 0; i < count; i++) {
    void* at = bytes + (size_t)i * type->bytes;
    if (type->kind == FLOAT32) {
      float v = (float)((int64_t)draw() >> 20) / 1e9f;
      memcpy(at, &v, 4);
    } else if (type->kind == FLOAT64) {
      double v = (double)((int64_t)draw() >> 9) / 1e13;
      memcpy(at, &v, 8);
    } else if (type->kind == COMPLEX64)
      for (int k = 0; k < 2; k++) {
        double v = (double)((int64_t)draw() >> 9) / 1e13;
        memcpy((char*)at + 8 * k, &v, 8);
      }
    else if (type->kind == TRUTH) {
      *(unsigned char*)at = (unsigned char)(draw() & 1);
    } else {
      uint64_t v = draw();
      /* Open MPI's sums of short integers saturate where they overflow. */
      if (type->bytes < 4) v = (v & 15) - (type->kind == SIGNED ? 8 : 0);
      if (!below(4)) v = 0;
      memcpy(at, &v, type->bytes);
    }
  }
  state = kept;
}

static void fold_integers(void* into, const void* operand, const Type* type, int count, int op) {
  for (int i = 0; i < count; i++) {
    unsigned char* at = (unsigned char*)into + (size_t)i * type->bytes;
    const unsigned char* by = (const unsigned char*)operand + (size_t)i * type->bytes;
    uint64_t a = 0, b = 0, c;
    memcpy(&a, at, type->bytes);
    memcpy(&b, by, type->bytes);
    int unused = 64 - 8 * type->bytes;
    int64_t sa = (int64_t)(a << unused) >> unused, sb = (int64_t)(b << unused) >> unused;
    int less = type->kind == SIGNED ? sb < sa : b < a;
    switch (op) {
      case 0:
        c = a + b;
        break;
      case 1:
        c = a * b;
        break;
      case 2:
        c = less ? b : a;
        break;
      case 3:
        c = less ? a : b;
        break;
      case 4:
        c = a && b;
        break;
      case 5:
        c = a || b;
        break;
      case 6:
        c = !a != !b;
        break;
      case 7:
        c = a & b;
        break;
      case 8:
        c = a | b;
        break;
      default:
        c = a ^ b;
    }
    memcpy(at, &c, type->bytes);
  }
}

static void fold_floats(void* into, const void* operand, const Type* type, int count, int op) {
  int n = type->kind == COMPLEX64 ? 2 * count : count;
  for (int i = 0; i < n; i++) {
    if (type->kind == FLOAT32) {
      float a = ((float*)into)[i], b = ((const float*)operand)[i];
      ((float*)into)[i] = op == 0   ? a + b
                          : op == 1 ? a * b
                          : op == 2 ? (b < a ? b : a)
                                    : (b > a ? b : a);
    } else {
      double a = ((double*)into)[i], b = ((const double*)operand)[i];
      ((double*)into)[i] = op == 0   ? a + b
                           : op == 1 ? a * b
                           : op == 2 ? (b < a ? b : a)
                                     : (b > a ? b : a);
    }
  }
}

static uint64_t seed_of(uint64_t call, int rank) {
  return call * 1000003u + (uint64_t)rank * 7919u;
}

static int is_float(const Type* type) {
  return type->kind == FLOAT32 || type->kind == FLOAT64 || type->kind == COMPLEX64;
}

static void fold(void* into, const void* operand, const Type* type, int count, int op) {
  if (is_float(type))
    fold_floats(into, operand, type, count, op);
  else
    fold_integers(into, operand, type, count, op);
}

/* Checks `got` against the fold of the operands of ranks 0 to `to` - 1, elements `first` on. */
static void check(const void* got, const Type* type, int all, int first, int count, int op,
                  uint64_t call, int to, const char* what) {
  size_t bytes = (size_t)all * type->bytes;
  char *sum = malloc(bytes + 1), *next = malloc(bytes + 1);
  for (int rank = 0; rank < to; rank++) {
    fill(next, type, all, seed_of(call, rank));
    if (rank == 0)
      memcpy(sum, next, bytes);
    else
      fold(sum, next, type, all, op);
  }
  size_t offset = (size_t)first * type->bytes, length = (size_t)count * type->bytes;
  for (size_t i = 0; is_float(type) && i < length; i++)
    digest = (digest ^ ((const unsigned char*)got)[i]) * 0x100000001B3ull;
  if (memcmp(sum + offset, got, length)) {
    if (!is_float(type)) fail(what, type->name, op_names[op], count);
    /* What the host folds in an order of its own is near: each step is off by at most half a unit
     * in the last place of what it gives, which the sum of all magnitudes bounds. */
    int n = type->kind == COMPLEX64 ? 2 * count : count;
    double* sizes = calloc((size_t)n, sizeof(double));
    for (int rank = 0; rank < to; rank++) {
      fill(next, type, all, seed_of(call, rank));
      for (int i = 0; i < n; i++) {
        double v =
            type->kind == FLOAT32 ? ((float*)(next + offset))[i] : ((double*)(next + offset))[i];
        sizes[i] += v < 0 ? -v : v;
      }
    }
    for (int i = 0; i < n; i++) {
      double a, b;
      if (type->kind == FLOAT32) {
        a = ((float*)(sum + offset))[i];
        b = ((const float*)got)[i];
      } else {
        a = ((double*)(sum + offset))[i];
        b = ((const double*)got)[i];
      }
      double unit = (type->kind == FLOAT32 ? 6e-8 : 1.2e-16) * to;
      double size = op == 1 ? (a < 0 ? -a : a) : sizes[i], off = a > b ? a - b : b - a;
      if (!(off <= unit * size)) fail(what, type->name, op_names[op], count);
    }
    free(sizes);
  }
  free(sum);
  free(next);
}

static void folds(MPI_Comm comm, uint64_t call) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const Type* type = &types[below(type_count)];
  int op = below(10);
  while (!has(type->kind, op)) op = below(10);
  int lengths[] = {0, 1, 2, 5, 31, 256, 1000, 9001, 40000};
  int count = lengths[below(9)], in_place = below(2), what = below(6), root = below(size);
  /* MPICH 4 takes the mark of MPI_IN_PLACE for a buffer in some reductions to another root. */
  if (what == 1 && in_place) root = 0;
  int counts[64], all = 0, before = 0;
  for (int i = 0; i < size; i++) {
    /* MPICH 4 copies parts that overlap if they are in place and differ. */
    counts[i] = what == 5 && !in_place ? below(count + 1) : count;
    if (i < rank) before += counts[i];
    all += counts[i];
  }
  if (what < 4) all = count;
  size_t bytes = (size_t)all * type->bytes;
  char *send = malloc(bytes + 16), *got = malloc(bytes + 16);
  fill(send, type, all, seed_of(call, rank));
  memset(got, 0xA5, bytes + 16);
  int alone = in_place && (what != 1 || rank == root);
  if (alone) memcpy(got, send, bytes);
  void* from = alone ? MPI_IN_PLACE : send;
  const char* names[] = {"allreduce",     "reduce", "scan", "exscan", "reduce_scatter_block",
                         "reduce_scatter"};
  int own = all, first = 0, to = size;
  switch (what) {
    case 0:
      MPI_Allreduce(from, got, count, type->type, ops[op], comm);
      break;
    case 1:
      MPI_Reduce(from, got, count, type->type, ops[op], root, comm);
      if (rank != root) own = 0;
      break;
    case 2:
      MPI_Scan(from, got, count, type->type, ops[op], comm);
      to = rank + 1;
      break;
    case 3:
      MPI_Exscan(from, got, count, type->type, ops[op], comm);
      to = rank;
      if (!rank) own = 0;
      break;
    case 4:
      MPI_Reduce_scatter_block(from, got, count, type->type, ops[op], comm);
      own = count;
      first = rank * count;
      break;
    case 5:
      MPI_Reduce_scatter(from, got, counts, type->type, ops[op], comm);
      own = counts[rank];
      first = before;
      break;
  }
  size_t length = (size_t)own * type->bytes;
  if (own) check(got, type, all, first, own, op, call, to, names[what]);
  for (size_t i = length; !alone && i < bytes + 16; i++)
    if ((unsigned char)got[i] != 0xA5)
      fail("memory behind the result", type->name, names[what], count);
  checks++;
  free(send);
  free(got);
}

/* A type of three integers with a gap, whose signature is that of three integers. */
static MPI_Datatype gapped;

static void moves(MPI_Comm comm, uint64_t call) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  int lengths[] = {0, 1, 3, 7, 64, 500, 5000};
  int count = lengths[below(7)], what = below(8), in_place = below(2), root = below(size);
  int strange = below(4) == 0, unequal = what == 2 || what == 4 || what == 6 || what == 7;
  MPI_Datatype type = strange ? gapped : MPI_INT;
  int each = strange ? 4 : 1; /* integers from one element to the next */
  static int pair[64][64], sums[64], places_in[64], places_out[64], given[64], taken[64];
  for (int i = 0; i < size; i++)
    for (int j = 0; j < size; j++) pair[i][j] = unequal ? below(count + 1) : count;
  int in = 0, out = 0;
  for (int i = 0; i < size; i++) {
    sums[i] = what == 7 ? 0 : pair[0][i];
    given[i] = what == 7 ? pair[rank][i] : sums[i];
    taken[i] = what == 7 ? pair[i][rank] : sums[i];
    if (what == 7 && in_place) given[i] = taken[i] = pair[i < rank ? i : rank][i < rank ? rank : i];
    places_in[i] = in + below(3);
    places_out[i] = out + below(3);
    in = places_in[i] + given[i];
    out = places_out[i] + taken[i];
  }
  size_t all = (size_t)((in > out ? in : out) + count * size + 8) * each;
  int *send = malloc(all * sizeof(int)), *got = malloc(all * sizeof(int)),
      *want = malloc(all * sizeof(int));
  uint64_t kept = state;
  state = seed_of(call, rank);
  for (size_t i = 0; i < all; i++) send[i] = (int)draw();
  for (size_t i = 0; i < all; i++) got[i] = want[i] = (int)draw();
  state = kept;
  const char* names[] = {"bcast",   "allgather", "allgatherv", "gather",
                         "gatherv", "scatter",   "scatterv",   "alltoall"};
  const char* name = names[what];
  if (what == 7 && !unequal) name = "alltoallv";
  for (int who = 0; who < 2; who++) {
    int* to = who ? want : got;
#define CALL(f, ...) (who ? PMPI_##f(__VA_ARGS__) : MPI_##f(__VA_ARGS__))
    void* own = in_place ? MPI_IN_PLACE : (void*)send;
    void* mine = in_place && rank == root ? MPI_IN_PLACE : (void*)send;
    switch (what) {
      case 0:
        CALL(Bcast, to, count, type, root, comm);
        break;
      case 1:
        CALL(Allgather, own, count, type, to, count, type, comm);
        break;
      case 2:
        CALL(Allgatherv, own, sums[rank], type, to, sums, places_out, type, comm);
        break;
      case 3:
        CALL(Gather, mine, count, type, to, count, type, root, comm);
        break;
      case 4:
        CALL(Gatherv, mine, sums[rank], type, to, sums, places_out, type, root, comm);
        break;
      case 5:
        CALL(Scatter, send, count, type, in_place && rank == root ? MPI_IN_PLACE : (void*)to, count,
             type, root, comm);
        break;
      case 6:
        CALL(Scatterv, send, sums, places_in, type,
             in_place && rank == root ? MPI_IN_PLACE : (void*)to, sums[rank], type, root, comm);
        break;
      case 7:
        if (below(2)) {
          CALL(Alltoallv, own, given, places_in, type, to, taken, places_out, type, comm);
          if (!who) state = kept;
        } else {
          name = "alltoall";
          CALL(Alltoall, own, count, type, to, count, type, comm);
          if (!who) state = kept;
        }
        break;
    }
  }
  if (memcmp(got, want, all * sizeof(int)))
    fail(name, strange ? "gapped" : "int", in_place ? "in place" : "copy", count);
  checks++;
  free(send);
  free(got);
  free(want);
}

/* Calls of unlike kinds that both sides of a program may have under way. */
static void progress(void) {
  /* R-MPI-8: rank 0 sends what needs both sides, and goes on to a collective; the last rank takes
   * it before it does. */
  int n = 1 << 20, last = world_size - 1, sum = 0, one = 1;
  char* big = calloc((size_t)n, 1);
  MPI_Request request = MPI_REQUEST_NULL;
  if (world_rank == 0) MPI_Isend(big, n, MPI_CHAR, last, 5, MPI_COMM_WORLD, &request);
  if (world_rank == last) MPI_Recv(big, n, MPI_CHAR, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (sum != world_size) fail("allreduce behind a message", "int", "sum", 1);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  free(big);
  checks++;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int rounds = argc > 2 ? atoi(argv[2]) : 200;
  only_floats = argc > 3;
  MPI_Op all[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_LAND,
                  MPI_LOR, MPI_LXOR,  MPI_BAND, MPI_BOR, MPI_BXOR};
  memcpy(ops, all, sizeof all);
  if (!only_floats) {
    add(MPI_INT, "int", 4, SIGNED);
    add(MPI_UNSIGNED, "unsigned", 4, UNSIGNED);
    add(MPI_LONG, "long", 8, SIGNED);
    add(MPI_UNSIGNED_LONG, "unsigned long", 8, UNSIGNED);
    add(MPI_LONG_LONG, "long long", 8, SIGNED);
    add(MPI_SIGNED_CHAR, "signed char", 1, SIGNED);
    add(MPI_UNSIGNED_CHAR, "unsigned char", 1, UNSIGNED);
    add(MPI_SHORT, "short", 2, SIGNED);
    add(MPI_UINT16_T, "uint16_t", 2, UNSIGNED);
    add(MPI_INT32_T, "int32_t", 4, SIGNED);
    add(MPI_UINT64_T, "uint64_t", 8, UNSIGNED);
  }
  add(MPI_FLOAT, "float", 4, FLOAT32);
  add(MPI_DOUBLE, "double", 8, FLOAT64);
  add(MPI_C_DOUBLE_COMPLEX, "double complex", 16, COMPLEX64);
  if (!only_floats) add(MPI_C_BOOL, "bool", 1, TRUTH);
  MPI_Datatype inner;
  MPI_Type_vector(2, 1, 2, MPI_INT, &inner);
  MPI_Type_create_resized(inner, 0, 4 * sizeof(int), &gapped);
  MPI_Type_commit(&gapped);
  MPI_Type_free(&inner);
  /* All ranks draw alike, and fill their memory by seeds of their own. */
  state = seed;
  MPI_Comm half, reversed, twin;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &half);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &reversed);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_WORLD, half, reversed, twin, MPI_COMM_SELF};
  for (int round = 0; round < rounds; round++) {
    MPI_Comm comm = only_floats ? MPI_COMM_WORLD : comms[below(6)];
    uint64_t call = draw() | 1;
    if (below(20) == 0) MPI_Barrier(comm);
    if (below(40) == 0) progress();
    uint64_t kept = state;
    if (below(2))
      folds(comm, call);
    else
      moves(comm, call);
    /* The draws of a part of the world may differ from those of others. */
    state = kept ^ 0x5DEECE66Dull;
    draw();
  }
  MPI_Comm_free(&half);
  /* The handle may come again, for other ranks. */
  MPI_Comm third;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank / 2, -world_rank, &third);
  for (int i = 0; i < 5; i++) {
    state = seed + 77 + i;
    folds(third, seed + i);
  }
  MPI_Comm_free(&third);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&twin);
  MPI_Type_free(&gapped);
  MPI_Finalize();
  if (only_floats) printf("digest of %d: %016llx\n", world_rank, (unsigned long long)digest);
  if (world_rank == 0) printf("%d checks of seed %llu\n", checks, (unsigned long long)seed);
  return 0;
}
