/* Operations of a program, in every collective that folds, beside its own MPI by its profiling
 * names. (R-MPI-18) */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state;
static int rank, size, checks;

static uint64_t draw(void) { /* splitmix64 */
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static int below(int n) { return (int)(draw() % (uint64_t)n); }

/* Of no name outside this file. */
static void least(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    if (((int*)in)[i] < ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

/* The product of matrices of 2 by 2 modulo 2^32: from the left to the right. */
static void product(void* in, void* inout, MPI_Count count) {
  for (MPI_Count i = 0; i < count; i++) {
    uint32_t *a = (uint32_t*)in + 4 * i, *b = (uint32_t*)inout + 4 * i;
    uint32_t c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                     a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
    memcpy(b, c, sizeof c);
  }
}
void compose(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  product(in, inout, *count);
}
/* For MPI_Op_create_c, which MPI has from its version 4 on. */
void compose_large(void* in, void* inout, MPI_Count* count, MPI_Datatype* type) {
  (void)type;
  product(in, inout, *count);
}

struct entry {
  double value;
  int32_t index; /* with a gap behind it */
};

void first_largest(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  struct entry *a = in, *b = inout;
  for (int i = 0; i < *count; i++) {
    int before = a[i].value == b[i].value && a[i].index < b[i].index;
    if (a[i].value > b[i].value || before) b[i] = a[i];
  }
}

/* In no list. */
void unknown(void* in, void* inout, int* count, MPI_Datatype* type) {
  least(in, inout, count, type);
}

static void one(MPI_Op op, MPI_Datatype type, int bytes, int kind) {
  int what = below(6), in_place = below(2), count = below(3) ? below(9) : 700;
  int counts[64], all = 0, root = in_place ? 0 : below(size);
  for (int i = 0; i < size; i++) {
    /* MPICH 4 copies parts that overlap if they are in place and differ. */
    counts[i] = what == 5 && !in_place ? below(count + 1) : count;
    all += counts[i];
  }
  if (what < 4) all = count;
  size_t length = (size_t)all * bytes;
  char *send = calloc(length + 1, 1), *got = calloc(length + 1, 1), *want = calloc(length + 1, 1);
  uint64_t kept = state;
  state ^= (uint64_t)(rank + 1) << 32;
  for (int i = 0; i < all; i++) {
    struct entry entry;
    memset(&entry, 0, sizeof entry);
    entry.value = below(3);
    entry.index = below(9) - 4;
    uint32_t numbers[4] = {(uint32_t)draw(), (uint32_t)draw(), (uint32_t)draw(), (uint32_t)draw()};
    memcpy(send + (size_t)i * bytes, kind ? (void*)&entry : (void*)numbers, (size_t)bytes);
  }
  state = kept;
  int alone = in_place && (what != 1 || rank == root), own = all;
  if ((what == 1 && rank != root) || (what == 3 && rank == 0)) own = 0;
  if (what > 3) own = counts[rank];
  for (int who = 0; who < 2; who++) {
    char* to = who ? want : got;
    if (alone) memcpy(to, send, length);
    void* from = alone ? MPI_IN_PLACE : (void*)send;
#define CALL(f, ...) (who ? PMPI_##f(__VA_ARGS__) : MPI_##f(__VA_ARGS__))
    switch (what) {
      case 0:
        CALL(Allreduce, from, to, count, type, op, MPI_COMM_WORLD);
        break;
      case 1:
        CALL(Reduce, from, to, count, type, op, root, MPI_COMM_WORLD);
        break;
      case 2:
        CALL(Scan, from, to, count, type, op, MPI_COMM_WORLD);
        break;
      case 3:
        CALL(Exscan, from, to, count, type, op, MPI_COMM_WORLD);
        break;
      case 4:
        CALL(Reduce_scatter_block, from, to, count, type, op, MPI_COMM_WORLD);
        break;
      case 5:
        CALL(Reduce_scatter, from, to, counts, type, op, MPI_COMM_WORLD);
        break;
    }
  }
  for (int i = 0; i < own; i++) {
    char *a = got + (size_t)i * bytes, *b = want + (size_t)i * bytes;
    /* What is in the gap means nothing. */
    if (memcmp(a, b, kind ? 12 : (size_t)bytes)) {
      fprintf(stderr, "rank %d: call %d of %d elements of %d bytes differs\n", rank, what, count,
              bytes);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
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
  int rounds = argc > 2 ? atoi(argv[2]) : 20;
  const char* how = argc > 3 ? argv[3] : "";
  MPI_Datatype matrix, bare, entry;
  MPI_Type_contiguous(4, MPI_UINT32_T, &matrix);
  MPI_Type_commit(&matrix);
  int lengths[] = {1, 1};
  MPI_Aint places[] = {0, 8};
  MPI_Datatype types[] = {MPI_DOUBLE, MPI_INT32_T};
  MPI_Type_create_struct(2, lengths, places, types, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct entry), &entry);
  MPI_Type_commit(&entry);
  /* Handles of operations that are freed come again, for other functions. */
  for (int round = 0; round < rounds; round++) {
    MPI_Op op;
    MPI_Op_create(!strcmp(how, "unknown") ? unknown : least, strcmp(how, "ordered") != 0, &op);
    one(op, !strcmp(how, "unsigned") ? MPI_UNSIGNED : MPI_INT, 4, 0);
    MPI_Op_free(&op);
    if (*how) continue;
#if MPI_VERSION >= 4
    if (round % 2) MPI_Op_create_c(compose_large, 0, &op);
    else
#endif
      MPI_Op_create(compose, 0, &op);
    one(op, matrix, 16, 0);
    MPI_Op_free(&op);
    MPI_Op_create(first_largest, 1, &op);
    one(op, entry, sizeof(struct entry), 1);
    one(op, MPI_DOUBLE_INT, sizeof(struct entry), 1);
    MPI_Op_free(&op);
  }
  MPI_Type_free(&matrix);
  MPI_Type_free(&bare);
  MPI_Type_free(&entry);
  MPI_Finalize();
  if (rank == 0) printf("%d checks of seed %s\n", checks, argc > 1 ? argv[1] : "1");
  return 0;
}
