/* Collectives that return requests, among requests of messages, completed in every way that MPI has
 * (R-MPI-13); with the word `persistent` those that are started again and again (R-MPI-14). Expected
 * values are folds in closed form over values that each rank derives from call, rank and place. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "persistent.h"

static uint64_t state;
static int world_rank, world_size, checks, persistent, most_times = 3;
/* Functions that look at several requests, and complete none, came with MPI 4.1. */
#define HAS_STATUS_OF_MANY (MPI_VERSION * 10 + MPI_SUBVERSION >= 41)
static int ways = HAS_STATUS_OF_MANY ? 12 : 9;

static uint64_t mix(uint64_t z) { /* splitmix64 */
  z += 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}
static int below(int n) {
  state += 0x9E3779B97F4A7C15ull;
  return (int)(mix(state) % (uint64_t)n);
}

static void fail(const char* what, int kind, int count) {
  fprintf(stderr, "rank %d: %s of kind %d with %d elements is wrong\n", world_rank, what, kind,
          count);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static int64_t value(uint64_t call, int rank, int place) {
  return (int64_t)(mix(call * 1000003u + (uint64_t)rank * 7919u + (uint64_t)place) >> 20);
}

enum {
  ALLREDUCE,
  REDUCE,
  BCAST,
  ALLGATHER,
  ALLGATHERV,
  GATHER,
  SCATTER,
  ALLTOALL,
  BLOCK,
  SCAN,
  EXSCAN,
  BARRIER,
  GAPPED,
  KINDS
};
static int kinds = KINDS, parts = 3;

typedef struct {
  int kind, count, root, rank, size, in_place;
  uint64_t call;
  int64_t *send, *got;
  int counts[16], places[16];
} Call;

#define MAKE(name, i_name, ...)                                       \
  (persistent ? PERSISTENT(name, __VA_ARGS__, MPI_INFO_NULL, request) \
              : MPI_##i_name(__VA_ARGS__, request))

/* Elements of 8 bytes in every second place. */
static MPI_Datatype gapped(void) {
  MPI_Datatype vector, type;
  MPI_Type_vector(1, 1, 1, MPI_INT64_T, &vector);
  MPI_Type_create_resized(vector, 0, 16, &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&vector);
  return type;
}

/* Writes the values of a call, which all ranks name alike. */
static void refill(Call* c, uint64_t call) {
  c->call = call;
  for (int i = 0; i <= 2 * c->count * c->size; i++) {
    c->send[i] = value(call, c->rank, i);
    c->got[i] = -1;
  }
  if (c->kind == ALLREDUCE && c->in_place)
    memcpy(c->got, c->send, sizeof(int64_t) * (size_t)c->count);
}

static void start(Call* c, MPI_Comm comm, MPI_Request* request) {
  static const int lengths[] = {0, 1, 2, 33, 1000, 20000};
  MPI_Comm_rank(comm, &c->rank);
  MPI_Comm_size(comm, &c->size);
  c->kind = below(kinds);
  c->count = lengths[below(6)];
  c->root = below(c->size);
  c->in_place = below(2);
  int n = c->count, all = 2 * n * c->size + 1;
  c->send = malloc(sizeof(int64_t) * (size_t)all);
  c->got = malloc(sizeof(int64_t) * (size_t)all);
  refill(c, mix(state) >> 8);
  MPI_Datatype t = MPI_INT64_T;
  void* from = c->in_place ? MPI_IN_PLACE : (void*)c->send;
  switch (c->kind) {
    case ALLREDUCE:
      MAKE(Allreduce, Iallreduce, from, c->got, n, t, MPI_SUM, comm);
      break;
    case REDUCE:
      MAKE(Reduce, Ireduce, c->send, c->got, n, t, MPI_MAX, c->root, comm);
      break;
    case BCAST:
      MAKE(Bcast, Ibcast, c->rank == c->root ? c->send : c->got, n, t, c->root, comm);
      break;
    case ALLGATHER:
      MAKE(Allgather, Iallgather, c->send, n, t, c->got, n, t, comm);
      break;
    case ALLGATHERV:
      for (int i = 0; i < c->size; i++) {
        c->counts[i] = n > i ? n - i : 0;
        c->places[i] = n * i;
      }
      MAKE(Allgatherv, Iallgatherv, c->send, c->counts[c->rank], t, c->got, c->counts, c->places, t, comm);
      break;
    case GATHER:
      MAKE(Gather, Igather, c->send, n, t, c->got, n, t, c->root, comm);
      break;
    case SCATTER:
      MAKE(Scatter, Iscatter, c->send, n, t, c->got, n, t, c->root, comm);
      break;
    case ALLTOALL:
      MAKE(Alltoall, Ialltoall, c->send, n, t, c->got, n, t, comm);
      break;
    case BLOCK:
      MAKE(Reduce_scatter_block, Ireduce_scatter_block, c->send, c->got, n, t, MPI_SUM, comm);
      break;
    case SCAN:
      MAKE(Scan, Iscan, c->send, c->got, n, t, MPI_SUM, comm);
      break;
    case EXSCAN:
      MAKE(Exscan, Iexscan, c->send, c->got, n, t, MPI_SUM, comm);
      break;
    case BARRIER:
      MAKE(Barrier, Ibarrier, comm);
      break;
    case GAPPED: {
      MPI_Datatype strange = gapped();
      MAKE(Allgather, Iallgather, c->send, n, t, c->got, n, strange, comm);
      MPI_Type_free(&strange);
      break;
    }
  }
}

static int64_t folded(const Call* c, int from, int to, int place, int largest) {
  int64_t all = value(c->call, from, place);
  for (int rank = from + 1; rank < to; rank++) {
    int64_t next = value(c->call, rank, place);
    all = largest ? (next > all ? next : all) : (int64_t)((uint64_t)all + (uint64_t)next);
  }
  return all;
}

/* What a place of the result has at the end; -1 where nothing is written. */
static int64_t expected(const Call* c, int at) {
  int n = c->count, part = n ? at / n : 0, place = n ? at % n : 0;
  int root = c->rank == c->root;
  switch (c->kind) {
    case ALLREDUCE:
      return at < n ? folded(c, 0, c->size, at, 0) : -1;
    case REDUCE:
      return root && at < n ? folded(c, 0, c->size, at, 1) : -1;
    case BCAST:
      return !root && at < n ? value(c->call, c->root, at) : -1;
    case ALLGATHER:
      return part < c->size ? value(c->call, part, place) : -1;
    case ALLGATHERV:
      return part < c->size && place < n - part ? value(c->call, part, place) : -1;
    case GATHER:
      return root && part < c->size ? value(c->call, part, place) : -1;
    case SCATTER:
      return at < n ? value(c->call, c->root, n * c->rank + at) : -1;
    case ALLTOALL:
      return part < c->size ? value(c->call, part, n * c->rank + place) : -1;
    case BLOCK:
      return at < n ? folded(c, 0, c->size, n * c->rank + at, 0) : -1;
    case SCAN:
      return at < n ? folded(c, 0, c->rank + 1, at, 0) : -1;
    case EXSCAN:
      return c->rank && at < n ? folded(c, 0, c->rank, at, 0) : -1;
    case GAPPED:
      if (at % 2) return -1;
      return at / 2 < n * c->size ? value(c->call, at / 2 / n, at / 2 % n) : -1;
  }
  return -1;
}

static void check(Call* c) {
  int all = 2 * c->count * c->size;
  for (int i = 0; c->count && c->kind != BARRIER && i < all; i++)
    if (c->got[i] != expected(c, i)) fail("a result", c->kind, c->count);
  checks++;
}

static void end(Call* c) {
  free(c->send);
  free(c->got);
}

/* A persistent request stays. */
static int is_complete(MPI_Request request) { return (request == MPI_REQUEST_NULL) != persistent; }

static void none_left(const MPI_Request* requests, int n) {
  for (int i = 0; i < n; i++)
    if (!is_complete(requests[i])) fail("a request that is complete", -1, i);
}

#if HAS_STATUS_OF_MANY
/* Returns whether to look again, which nobody does for ever. */
static int looks_again(int done, double since) {
  if (!done && MPI_Wtime() - since > 60) fail("a look at requests for a minute", -1, 0);
  return !done;
}

/* Looks at requests until they are complete, which none of these functions makes them. */
static void look(MPI_Request* requests, int n, int way) {
  int flag = 0, index, number, indices[64], left = n;
  double since = MPI_Wtime();
  if (way == 0) {
    while (looks_again(flag, since))
      MPI_Request_get_status_all(n, requests, &flag, MPI_STATUSES_IGNORE);
    MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
  }
  for (int i = 0; way == 1 && i < n; i++) {
    for (flag = 0; looks_again(flag, since);)
      MPI_Request_get_status_any(n, requests, &index, &flag, MPI_STATUS_IGNORE);
    if (index == MPI_UNDEFINED) fail("the index of a look", -1, index);
    MPI_Wait(&requests[index], MPI_STATUS_IGNORE);
  }
  while (way == 2 && looks_again(!left, since)) {
    MPI_Request_get_status_some(n, requests, &number, indices, MPI_STATUSES_IGNORE);
    if (number == MPI_UNDEFINED) fail("a look at some", -1, number);
    for (int i = 0; i < number; i++) MPI_Wait(&requests[indices[i]], MPI_STATUS_IGNORE);
    left -= number;
  }
}
#endif

static void complete(MPI_Request* requests, int n) {
  int flag = 0, index, number, indices[64], left = n;
  MPI_Status statuses[64];
  int way = below(ways);
#if HAS_STATUS_OF_MANY
  if (way >= 9) look(requests, n, way - 9);
#endif
  switch (way) {
    case 0:
      for (int i = n - 1; i >= 0; i--) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      break;
    case 1:
      MPI_Waitall(n, requests, statuses);
      break;
    case 2:
      while (!flag) MPI_Testall(n, requests, &flag, MPI_STATUSES_IGNORE);
      break;
    case 3:
      for (int i = 0; i < n; i++) {
        for (flag = 0; !flag;) MPI_Request_get_status(requests[i], &flag, MPI_STATUS_IGNORE);
        if (requests[i] == MPI_REQUEST_NULL) fail("a request that was looked at", -1, i);
        if (i % 2) MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
      }
      MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
      break;
    case 4:
      for (int i = 0; i < n; i++)
        for (flag = 0; !flag;) MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
      break;
    case 5:
      for (int i = 0; i < n; i++) {
        MPI_Waitany(n, requests, &index, &statuses[0]);
        if (index == MPI_UNDEFINED || !is_complete(requests[index]))
          fail("the index of a wait", -1, index);
      }
      MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
      if (index != MPI_UNDEFINED) fail("a wait for nothing", -1, index);
      break;
    case 6:
      while (left) {
        MPI_Waitsome(n, requests, &number, indices, statuses);
        if (number < 1) fail("a wait for some", -1, number);
        left -= number;
      }
      MPI_Waitsome(n, requests, &number, indices, MPI_STATUSES_IGNORE);
      if (number != MPI_UNDEFINED) fail("a wait for some of none", -1, number);
      break;
    case 7:
      while (left) {
        MPI_Testany(n, requests, &index, &flag, MPI_STATUS_IGNORE);
        left -= flag;
      }
      break;
    case 8:
      while (left) {
        MPI_Testsome(n, requests, &number, indices, MPI_STATUSES_IGNORE);
        left -= number;
      }
      break;
  }
  none_left(requests, n);
}

static void shuffle(MPI_Request* requests, int n) {
  for (int i = n - 1; i > 0; i--) {
    int j = below(i + 1);
    MPI_Request kept = requests[i];
    requests[i] = requests[j];
    requests[j] = kept;
  }
}

/* Starts calls several times, each time with other values, among persistent messages: each rank in
 * an order of its own (MPI 4.1, 7.13), and when one of their communicators has been freed. */
static void again(MPI_Comm twin) {
  Call calls[8];
  MPI_Request requests[16], shuffled[16];
  MPI_Comm brief;
  MPI_Comm_dup(MPI_COMM_WORLD, &brief);
  MPI_Comm comms[] = {MPI_COMM_WORLD, twin, brief};
  int n = 1 + below(6), total = n, sent, taken, times = 1 + below(most_times);
  int right = (world_rank + 1) % world_size, left = (world_rank + world_size - 1) % world_size;
  for (int i = 0; i < n; i++) start(&calls[i], comms[below(parts)], &requests[i]);
  MPI_Comm_free(&brief);
  MPI_Recv_init(&taken, 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[total++]);
  MPI_Send_init(&sent, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[total++]);
  uint64_t own = state + (uint64_t)world_rank * 77777u;
  for (int time = 0; time < times; time++) {
    for (int i = 0; time && i < n; i++) refill(&calls[i], mix(calls[i].call) >> 8);
    sent = 100 * world_rank + time;
    int one = below(2);
    uint64_t kept = state;
    state = own;
    memcpy(shuffled, requests, sizeof requests);
    shuffle(shuffled, total);
    for (int i = 0; one && i < total; i++) MPI_Start(&shuffled[i]);
    if (!one) MPI_Startall(total, shuffled);
    shuffle(shuffled, total);
    complete(shuffled, total);
    own = state;
    state = kept;
    if (taken != 100 * left + time) fail("a message", -1, taken);
    for (int i = 0; i < n; i++) check(&calls[i]);
  }
  for (int i = 0; i < total; i++) MPI_Request_free(&requests[i]);
  for (int i = 0; i < n; i++) end(&calls[i]);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
  int rounds = argc > 2 ? atoi(argv[2]) : 50;
  persistent = argc > 3;
  /* Those of MPICH 4.0 itself go wrong when they are started again, or tested, and those of Open MPI
   * 5.0 when the program has freed their type or their communicator. */
  if (persistent && !strcmp(argv[3], "persistent-of-host"))
    ways = 2, most_times = 1, kinds = GAPPED, parts = 2;
  MPI_Comm twin, brief;
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Barrier(twin);
  for (int round = 0; round < rounds; round++) {
    state = mix(seed * 1000 + (uint64_t)round);
    if (persistent) {
      again(twin);
      continue;
    }
    static Call calls[16];
    MPI_Request requests[64];
    int n = 1 + below(6), total = n;
    for (int i = 0; i < n; i++) start(&calls[i], below(2) ? twin : MPI_COMM_WORLD, &requests[i]);
    /* Messages to both sides, in the same array; a blocking call while all are under way. */
    static int sent, taken[2];
    int right = (world_rank + 1) % world_size, left = (world_rank + world_size - 1) % world_size;
    if (below(2)) {
      sent = world_rank;
      taken[0] = -1;
      MPI_Irecv(&taken[0], 1, MPI_INT, left, 3, MPI_COMM_WORLD, &requests[total++]);
      MPI_Isend(&sent, 1, MPI_INT, right, 3, MPI_COMM_WORLD, &requests[total++]);
    }
    int blocks = below(2), one = 1, sum = 0;
    if (blocks) {
      MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (sum != world_size) fail("a call among others", ALLREDUCE, 1);
    }
    /* Each rank completes them in a way of its own, and in an order of its own. */
    state += (uint64_t)world_rank * 77777u;
    shuffle(requests, total);
    complete(requests, total);
    if (total > n && taken[0] != left) fail("a message", -1, taken[0]);
    for (int i = 0; i < n; i++) check(&calls[i]), end(&calls[i]);
  }
  /* A communicator that is freed while calls are under way. */
  for (int round = 0; !persistent && round < 5; round++) {
    MPI_Comm_dup(twin, &brief);
    MPI_Barrier(brief);
    static Call last[2];
    MPI_Request requests[2];
    state = mix(seed + 5000 + (uint64_t)round);
    for (int i = 0; i < 2; i++) start(&last[i], brief, &requests[i]);
    MPI_Comm_free(&brief);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 2; i++) check(&last[i]), end(&last[i]);
  }
  MPI_Comm_free(&twin);
  MPI_Finalize();
  if (world_rank == 0)
    printf("%d checks of seed %llu\n%d ways\n", checks, (unsigned long long)seed, ways);
  return 0;
}
