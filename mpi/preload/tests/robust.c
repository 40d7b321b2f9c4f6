/* What a program may do around its collectives: threads, processes of its own, signals, strange
 * arguments, communicators by the hundred. Each part is named on the command line. */
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, size;

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static int64_t total(MPI_Comm comm, int64_t own) {
  int64_t all = -1;
  expect(MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, comm) == MPI_SUCCESS, "a sum fails");
  return all;
}

enum { THREADS = 3, CALLS = 100 };

typedef struct {
  MPI_Comm comm;
  int number;
} Place;

/* Calls of a thread on a communicator of its own, blocking and not (MPI_THREAD_MULTIPLE). */
static void* calls(void* of) {
  Place* place = of;
  for (int i = 0; i < CALLS; i++) {
    int64_t own = rank + i * place->number, all = -1;
    MPI_Request request;
    MPI_Iallreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, place->comm, &request);
    int64_t again = total(place->comm, own);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    int64_t expected = (int64_t)size * (size - 1) / 2 + (int64_t)size * i * place->number;
    expect(all == expected && again == expected, "a sum of a thread is wrong");
  }
  return NULL;
}

static void threads(void) {
  pthread_t running[THREADS];
  Place places[THREADS];
  for (int i = 0; i < THREADS; i++) {
    MPI_Comm_dup(MPI_COMM_WORLD, &places[i].comm);
    places[i].number = i + 1;
    MPI_Barrier(places[i].comm);
  }
  for (int i = 0; i < THREADS; i++) pthread_create(&running[i], NULL, calls, &places[i]);
  for (int i = 0; i < THREADS; i++) pthread_join(running[i], NULL);
  for (int i = 0; i < THREADS; i++) MPI_Comm_free(&places[i].comm);
}

/* A child that does nothing with MPI ends, and the parent goes on. */
static void forks(void) {
  total(MPI_COMM_WORLD, 1);
  for (int i = 0; i < 3; i++) {
    pid_t child = fork();
    if (child == 0) {
      char* words[] = {"true", NULL};
      if (i == 2) execvp(words[0], words);
      _exit(i);
    }
    int status = -1;
    waitpid(child, &status, 0);
    expect(i == 2 || (WIFEXITED(status) && WEXITSTATUS(status) == i), "a child ends otherwise");
    expect(total(MPI_COMM_WORLD, 1) == size, "the sum beside a child is wrong");
  }
}

static volatile sig_atomic_t signals;
static void count(int number) {
  (void)number;
  signals++;
}

/* A handler of the program's runs, and calls that it interrupts go on. */
static void interrupts(void) {
  struct sigaction action = {.sa_handler = count};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGALRM, &action, NULL);
  ualarm(300, 300);
  for (int i = 0; i < 2000; i++) {
    if (i % 100 == 0) raise(SIGINT);
    expect(total(MPI_COMM_WORLD, i) == (int64_t)size * i, "a sum beside signals is wrong");
  }
  ualarm(0, 0);
  expect(signals >= 20, "a signal was lost");
}

#ifdef OPEN_MPI /* Debian's MPICH checks no arguments */
/* What MPI refuses it refuses as ever, and the next call is right. */
static void refused(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int value = rank, all = 0, class;
  int codes[] = {
      MPI_Bcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD),
      MPI_Bcast(&value, 1, MPI_INT, -1, MPI_COMM_WORLD),
      MPI_Allreduce(&value, &all, -1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
      MPI_Reduce(&value, &all, 1, MPI_INT, MPI_SUM, size + 5, MPI_COMM_WORLD),
  };
  int classes[] = {MPI_ERR_ROOT, MPI_ERR_ROOT, MPI_ERR_COUNT, MPI_ERR_ROOT};
  for (int i = 0; i < 4; i++) {
    MPI_Error_class(codes[i], &class);
    expect(class == classes[i], "an argument that is wrong is not refused");
  }
  MPI_Request request = MPI_REQUEST_NULL;
  int code = MPI_Ibcast(&value, 1, MPI_INT, size, MPI_COMM_WORLD, &request);
  expect(code != MPI_SUCCESS, "a root that is not there is taken");
  expect(total(MPI_COMM_WORLD, 1) == size, "the sum behind errors is wrong");
}
#else
static void refused(void) {}
#endif

static void arguments(void) {
  int value = rank;
  refused();
  /* Nothing at all, with and without addresses. */
  expect(MPI_Allreduce(NULL, NULL, 0, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == 0, "no elements");
  expect(MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD) == 0, "no elements");
  expect(MPI_Alltoall(NULL, 0, MPI_INT, NULL, 0, MPI_INT, MPI_COMM_WORLD) == 0, "no elements");
  int zeros[64] = {0};
  expect(MPI_Allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, MPI_COMM_WORLD) == 0,
         "no elements");
  expect(MPI_Reduce_scatter(NULL, NULL, zeros, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == 0,
         "no elements");
  /* A type of no bytes, in any number. */
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  expect(MPI_Bcast(&value, 2147483647, nothing, 0, MPI_COMM_WORLD) == 0, "a type of no bytes");
  MPI_Type_free(&nothing);
  expect(total(MPI_COMM_WORLD, 2) == 2 * size, "the sum behind nothing is wrong");
}

/* Communicators that come and go, by the hundred, and some that are never freed. */
static void communicators(void) {
  for (int i = 0; i < 150; i++) {
    MPI_Comm comm;
    if (i % 3 == 0)
      MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else
      MPI_Comm_split(MPI_COMM_WORLD, i % 2 ? 0 : rank % 2, -rank, &comm);
    int own;
    MPI_Comm_size(comm, &own);
    expect(total(comm, 3) == 3 * own, "a sum of a part is wrong");
    if (i % 50) MPI_Comm_free(&comm);
  }
  expect(total(MPI_COMM_WORLD, 3) == 3 * size, "the sum behind others is wrong");
}

/* Calls of two groups on what is between them: each gets what the other one has. */
static void inter(void) {
  MPI_Comm half, between;
  int side = rank == 0 ? 0 : 1, others = side ? 1 : size - 1, sum = 0, told = rank == 0 ? 77 : 0;
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : 1, 5, &between);
  int own = side ? 10 : 1, all[64] = {0};
  for (int i = 0; i < 3; i++) {
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, between);
    expect(sum == (side ? 1 : 10 * (size - 1)), "a sum of the other group is wrong");
    MPI_Bcast(&told, 1, MPI_INT, side ? 0 : MPI_ROOT, between);
    expect(told == 77, "the other group's root is not heard");
    MPI_Allgather(&own, 1, MPI_INT, all, 1, MPI_INT, between);
    for (int of = 0; of < others; of++) expect(all[of] == (side ? 1 : 10), "a part is wrong");
    MPI_Request request;
    MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_MAX, between, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(sum == (side ? 1 : 10), "a maximum of the other group is wrong");
    MPI_Barrier(between);
  }
  expect(total(MPI_COMM_WORLD, 2) == 2 * size, "the sum between is wrong");
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

typedef int (*Large)(const void*, void*, int64_t, MPI_Datatype, MPI_Op, MPI_Comm);
typedef int (*LargeBcast)(void*, int64_t, MPI_Datatype, int, MPI_Comm);

/* Counts of type MPI_Count: what memory cannot hold is refused by name, not cut off. */
static void counts(void* (*named)(const char*)) {
  Large allreduce = (Large)named("MPI_Allreduce_c");
  LargeBcast bcast = (LargeBcast)named("MPI_Bcast_c");
  expect(allreduce && bcast, "functions with large counts are missing");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int64_t own = rank, all = -1;
  expect(allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD) == 0, "one element");
  expect(all == (int64_t)size * (size - 1) / 2, "a sum by a large count is wrong");
  /* 2^31 + 6 bytes, and one behind them that stays. */
  int64_t n = (1ll << 31) + 6;
  char* bytes = malloc((size_t)n + 1);
  if (!bytes) return;
  memset(bytes, rank == 0 ? 7 : 1, (size_t)n);
  bytes[n] = 42;
  expect(bcast(bytes, n, MPI_CHAR, 0, MPI_COMM_WORLD) == 0, "more than 2^31 bytes");
  for (int64_t at = 0; at < n; at += 4093) expect(bytes[at] == 7, "a byte is wrong");
  expect(bytes[n - 1] == 7 && bytes[n] == 42, "the end is wrong");
  free(bytes);
  expect(total(MPI_COMM_WORLD, 1) == size, "the sum behind them is wrong");
}

#include <dlfcn.h>
static void* named(const char* name) { return dlsym(RTLD_DEFAULT, name); }

int main(int argc, char** argv) {
  const char* part = argc > 1 ? argv[1] : "";
  int given;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(part, "threads") && given == MPI_THREAD_MULTIPLE) threads();
  if (!strcmp(part, "forks")) forks();
  if (!strcmp(part, "interrupts")) interrupts();
  if (!strcmp(part, "arguments")) arguments();
  if (!strcmp(part, "communicators")) communicators();
  if (!strcmp(part, "inter")) inter();
  if (!strcmp(part, "counts")) counts(named);
  if (!strcmp(part, "waits")) { /* until SIGINT ends it, by the system's own action */
    total(MPI_COMM_WORLD, 1);
    if (rank == 0) {
      printf("waiting\n");
      fflush(stdout);
    }
    for (;;) total(MPI_COMM_WORLD, 1);
  }
  MPI_Finalize();
  if (rank == 0) printf("%s went well\n", part);
  return 0;
}
