/* Times of collectives by the program's own MPI (PMPI_...) and by netfold (MPI_..., which the library
 * in front of it takes), in turns. Rank 0 prints a line for each that the library has taken: name,
 * bytes, and the times of a call in seconds, the host's and netfold's by turns. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 15, MOST_CALLS = 200 };
static const double ROUND_SECONDS = 2e-3;
/* Most bytes of all parts together. */
static const size_t MOST_BYTES = 16 << 20;

static int rank, size, *counts, *places;
static char *send, *got;

#define BOTH(name, ...) \
  do {                  \
    if (by_netfold)     \
      MPI_##name;       \
    else                \
      PMPI_##name;      \
  } while (0)
#define ENDED(name)                           \
  do {                                        \
    MPI_Request request;                      \
    BOTH(name);                               \
    if (by_netfold)                           \
      MPI_Wait(&request, MPI_STATUS_IGNORE);  \
    else                                      \
      PMPI_Wait(&request, MPI_STATUS_IGNORE); \
  } while (0)

#define W MPI_COMM_WORLD
#define B MPI_BYTE
#define I MPI_INT
static void call(int which, int n, int by_netfold) {
  int e = n / 4;
  switch (which) {
    case 0: BOTH(Allreduce(send, got, e, I, MPI_SUM, W)); break;
    case 1: BOTH(Reduce(send, got, e, I, MPI_SUM, 0, W)); break;
    case 2: BOTH(Bcast(send, n, B, 0, W)); break;
    case 3: BOTH(Scan(send, got, e, I, MPI_SUM, W)); break;
    case 4: BOTH(Exscan(send, got, e, I, MPI_SUM, W)); break;
    case 5: BOTH(Barrier(W)); break;
    case 6: BOTH(Allgather(send, n, B, got, n, B, W)); break;
    case 7: BOTH(Allgatherv(send, n, B, got, counts, places, B, W)); break;
    case 8: BOTH(Gather(send, n, B, got, n, B, 0, W)); break;
    case 9: BOTH(Scatter(send, n, B, got, n, B, 0, W)); break;
    case 10: BOTH(Reduce_scatter_block(send, got, e, I, MPI_SUM, W)); break;
    case 11: BOTH(Reduce_scatter(send, got, places + size, I, MPI_SUM, W)); break;
    case 12: BOTH(Alltoall(send, n, B, got, n, B, W)); break;
    case 13: BOTH(Gatherv(send, n, B, got, counts, places, B, 0, W)); break;
    case 14: BOTH(Scatterv(send, counts, places, B, got, n, B, 0, W)); break;
    case 15: BOTH(Alltoallv(send, counts, places, B, got, counts, places, B, W)); break;
    case 16: ENDED(Iallreduce(send, got, e, I, MPI_SUM, W, &request)); break;
    case 17: ENDED(Ireduce(send, got, e, I, MPI_SUM, 0, W, &request)); break;
    case 18: ENDED(Ibcast(send, n, B, 0, W, &request)); break;
    case 19: ENDED(Iscan(send, got, e, I, MPI_SUM, W, &request)); break;
    case 20: ENDED(Iexscan(send, got, e, I, MPI_SUM, W, &request)); break;
    case 21: ENDED(Ibarrier(W, &request)); break;
    case 22: ENDED(Iallgather(send, n, B, got, n, B, W, &request)); break;
    case 23: ENDED(Iallgatherv(send, n, B, got, counts, places, B, W, &request)); break;
    case 24: ENDED(Igather(send, n, B, got, n, B, 0, W, &request)); break;
    case 25: ENDED(Iscatter(send, n, B, got, n, B, 0, W, &request)); break;
    case 26: ENDED(Ireduce_scatter_block(send, got, e, I, MPI_SUM, W, &request)); break;
    case 27: ENDED(Ireduce_scatter(send, got, places + size, I, MPI_SUM, W, &request)); break;
    case 28: ENDED(Ialltoall(send, n, B, got, n, B, W, &request)); break;
  }
}

/* By number: names, and whether the length is that of a part. */
static const struct {
  const char* name;
  int parts;
} CALLS[] = {
    {"allreduce", 0},     {"reduce", 0},          {"bcast", 0},
    {"scan", 0},          {"exscan", 0},          {"barrier", 0},
    {"allgather", 1},     {"allgatherv", 1},      {"gather", 1},
    {"scatter", 1},       {"reduce_scatter_block", 1}, {"reduce_scatter", 1},
    {"alltoall", 1},      {"gatherv", 1},         {"scatterv", 1},
    {"alltoallv", 1},     {"iallreduce", 0},      {"ireduce", 0},
    {"ibcast", 0},        {"iscan", 0},           {"iexscan", 0},
    {"ibarrier", 0},      {"iallgather", 1},      {"iallgatherv", 1},
    {"igather", 1},       {"iscatter", 1},        {"ireduce_scatter_block", 1},
    {"ireduce_scatter", 1}, {"ialltoall", 1},
};

/* Seconds of a call, of the rank that takes longest. */
static double timed(int which, int n, int by_netfold, int calls) {
  double took, longest;
  PMPI_Barrier(W);
  double start = MPI_Wtime();
  for (int i = 0; i < calls; i++) call(which, n, by_netfold);
  took = (MPI_Wtime() - start) / calls;
  PMPI_Allreduce(&took, &longest, 1, MPI_DOUBLE, MPI_MAX, W);
  return longest;
}

/* Calls of this rank that netfold has carried out. */
static unsigned long long taken(void) {
  unsigned long long (*function)(void) =
      (unsigned long long (*)(void))dlsym(RTLD_DEFAULT, "netfold_mpi_calls");
  return function ? function() : 0;
}

static void measure(const char* name, int which, int n) {
  for (int i = 0; i < size; i++) {
    counts[i] = n;
    places[i] = n * i;
    places[size + i] = n / 4;
  }
  double once = timed(which, n, 0, 3), other = timed(which, n, 1, 3);
  double longer = once > other ? once : other;
  int calls = longer > 0 ? (int)(ROUND_SECONDS / longer) : MOST_CALLS;
  calls = calls < 1 ? 1 : calls > MOST_CALLS ? MOST_CALLS : calls;
  double times[2 * ROUNDS];
  unsigned long long before = taken();
  for (int i = 0; i < 2 * ROUNDS; i++) times[i] = timed(which, n, i % 2, calls);
  if (rank || taken() - before != (unsigned long long)ROUNDS * (unsigned)calls) return;
  printf("%s %d", name, n);
  for (int i = 0; i < 2 * ROUNDS; i++) printf(" %.9f", times[i]);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(W, &rank);
  MPI_Comm_size(W, &size);
  int most = argc > 1 ? atoi(argv[1]) : 4 << 20;
  counts = malloc(sizeof(int) * (size_t)size);
  places = malloc(sizeof(int) * 2 * (size_t)size);
  size_t room = (size_t)most > MOST_BYTES ? (size_t)most : MOST_BYTES;
  send = calloc(room, 1);
  got = calloc(room, 1);
  if (!counts || !places || !send || !got) MPI_Abort(W, 1);
  for (size_t i = 0; i < sizeof CALLS / sizeof *CALLS; i++)
    for (int n = 4; n <= most; n *= 4) {
      if (CALLS[i].parts && (size_t)n * (size_t)size > MOST_BYTES) break;
      measure(CALLS[i].name, (int)i, strstr(CALLS[i].name, "barrier") ? 0 : n);
      if (strstr(CALLS[i].name, "barrier")) break;
    }
  MPI_Finalize();
  return 0;
}
