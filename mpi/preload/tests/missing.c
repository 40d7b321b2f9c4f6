/* Functions that not every MPI has, found by name: those with counts of type MPI_Count in all their
 * forms, and those that look at several requests. Arrays that MPI does not read are none. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

static int rank, size;
static int64_t* const nowhere = (int64_t*)16;

static void expect(int holds, const char* what) {
  if (holds) return;
  fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

static void* named(const char* name) {
  void* found = dlsym(RTLD_DEFAULT, name);
  expect(found != NULL, name);
  return found;
}

static void done(int code, MPI_Request* request, const char* what) {
  expect(code == MPI_SUCCESS, what);
  expect(MPI_Wait(request, MPI_STATUS_IGNORE) == MPI_SUCCESS, what);
}

#define FUNCTION(name, ...) int (*name)(__VA_ARGS__) = (int (*)(__VA_ARGS__))named("MPI_" #name)
#define VECTOR const void*, int64_t, MPI_Datatype
#define VECTORS const void*, const int64_t*, const int64_t*, MPI_Datatype
#define INTO void*, int64_t, MPI_Datatype
#define INTO_PARTS void*, const int64_t*, const int64_t*, MPI_Datatype
#define END MPI_Comm, MPI_Request*

/* Part r of a worker's vector has r + 1 numbers. */
static int64_t lengths[MOST], places[MOST], all;

static int number(int of, int64_t at) { return 1000 * of + (int)at; }

static void parts(void) {
  FUNCTION(Iallgatherv_c, VECTOR, INTO_PARTS, END);
  FUNCTION(Igatherv_c, VECTOR, INTO_PARTS, int, END);
  FUNCTION(Iscatterv_c, VECTORS, INTO, int, END);
  FUNCTION(Gatherv_c, VECTOR, INTO_PARTS, int, MPI_Comm);
  FUNCTION(Scatterv_c, VECTORS, INTO, int, MPI_Comm);
  int own[MOST], got[MOST * MOST], root = size - 1, is_root = rank == root;
  MPI_Comm world = MPI_COMM_WORLD;
  MPI_Request request;
  for (int form = 0; form < 5; form++) {
    int64_t *read = is_root ? lengths : nowhere, *from = is_root ? places : nowhere;
    for (int at = 0; at <= rank; at++) own[at] = number(rank, at);
    for (int at = 0; at < MOST * MOST; at++) got[at] = -1;
    int whole[MOST * MOST];
    for (int of = 0; of < size; of++)
      for (int at = 0; at <= of; at++) whole[places[of] + at] = number(of, at);
    if (form == 0)
      done(Iallgatherv_c(own, rank + 1, MPI_INT, got, lengths, places, MPI_INT, world, &request),
           &request, "Iallgatherv_c");
    if (form == 1)
      done(Igatherv_c(own, rank + 1, MPI_INT, got, read, from, MPI_INT, root, world, &request),
           &request, "Igatherv_c");
    if (form == 2)
      expect(Gatherv_c(own, rank + 1, MPI_INT, got, read, from, MPI_INT, root, world) == 0,
             "Gatherv_c");
    if (form == 3)
      done(Iscatterv_c(whole, read, from, MPI_INT, got, rank + 1, MPI_INT, root, world, &request),
           &request, "Iscatterv_c");
    if (form == 4)
      expect(Scatterv_c(whole, read, from, MPI_INT, got, rank + 1, MPI_INT, root, world) == 0,
             "Scatterv_c");
    if (form < 3)
      for (int at = 0; at < all; at++)
        expect(got[at] == (form == 0 || is_root ? whole[at] : -1), "a gathered number");
    else
      for (int at = 0; at <= rank; at++) expect(got[at] == own[at], "a scattered number");
  }
}

/* Of rank f's numbers, t + 1 go to rank t, in an array with gaps. */
static void exchange(void) {
  FUNCTION(Ialltoallv_c, VECTORS, INTO_PARTS, END);
  int given[MOST * MOST], got[MOST * MOST];
  int64_t equal[MOST], rows[MOST];
  for (int to = 0; to < size; to++) {
    equal[to] = rank + 1;
    rows[to] = (int64_t)to * MOST;
    for (int at = 0; at <= to; at++) given[rows[to] + at] = number(rank, to * MOST + at);
  }
  MPI_Request request;
  done(Ialltoallv_c(given, lengths, rows, MPI_INT, got, equal, rows, MPI_INT, MPI_COMM_WORLD,
                    &request), &request, "Ialltoallv_c");
  for (int from = 0; from < size; from++)
    for (int at = 0; at <= rank; at++)
      expect(got[rows[from] + at] == number(from, rank * MOST + at), "an exchanged number");
  FUNCTION(Alltoallv_c, VECTORS, INTO_PARTS, MPI_Comm);
  int64_t one[MOST];
  for (int to = 0; to < size; to++) {
    one[to] = 1;
    given[to] = number(rank, to);
    rows[to] = to;
  }
  expect(Alltoallv_c(MPI_IN_PLACE, nowhere, nowhere, MPI_DATATYPE_NULL, given, one, rows, MPI_INT,
                     MPI_COMM_WORLD) == 0, "Alltoallv_c in place");
  for (int from = 0; from < size; from++)
    expect(given[from] == number(from, rank), "a number that is exchanged in place");
}

static void most(void* in, void* inout, MPI_Count* count, MPI_Datatype* type) {
  (void)type;
  for (MPI_Count at = 0; at < *count; at++)
    if (((int*)in)[at] > ((int*)inout)[at]) ((int*)inout)[at] = ((int*)in)[at];
}

/* Persistent sums in parts, of which rank r has r + 1 numbers. Open MPI 4 has them by other names. */
static void persistent(const int* own, int* sums, int64_t total) {
  FUNCTION(Reduce_scatter_init, const void*, void*, const int*, MPI_Datatype, MPI_Op, MPI_Comm,
           MPI_Info, MPI_Request*);
  FUNCTION(Reduce_scatter_init_c, const void*, void*, const int64_t*, MPI_Datatype, MPI_Op,
           MPI_Comm, MPI_Info, MPI_Request*);
  MPI_Request requests[2];
  int64_t given[MOST];
  int given_int[MOST];
  for (int of = 0; of < size; of++) given[of] = given_int[of] = (int)lengths[of];
  expect(Reduce_scatter_init_c(own, sums, given, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &requests[0]) == 0, "Reduce_scatter_init_c");
  expect(Reduce_scatter_init(own, sums, given_int, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                             &requests[1]) == 0, "Reduce_scatter_init");
  /* MPI does not allow it, but every MPI bears it, and mpi4py frees the array. */
  for (int of = 0; of < size; of++) given[of] = 1ll << 40, given_int[of] = 1 << 30;
  for (int round = 0; round < 6; round++) {
    for (int at = 0; at <= rank; at++) sums[at] = -1;
    expect(MPI_Start(&requests[round % 2]) == 0, "it starts");
    expect(MPI_Wait(&requests[round % 2], MPI_STATUS_IGNORE) == 0, "it ends");
    for (int at = 0; at <= rank; at++)
      expect(sums[at] == total + size * (places[rank] + at), "a part of a persistent sum");
  }
  for (int of = 0; of < 2; of++) MPI_Request_free(&requests[of]);
}

/* The same by the name that Fortran's compilers have for Open MPI 4's extension. */
static void in_fortran(void) {
  void (*make)(const void*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
               MPI_Fint*);
  make = (void (*)(const void*, void*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*, MPI_Fint*,
                   MPI_Fint*, MPI_Fint*))named("mpix_allreduce_init_");
  int own = rank, most = -1;
  MPI_Fint count = 1, type = MPI_Type_c2f(MPI_INT), op = MPI_Op_c2f(MPI_MAX), error = -1, made;
  MPI_Fint world = MPI_Comm_c2f(MPI_COMM_WORLD), info = MPI_Info_c2f(MPI_INFO_NULL);
  make(&own, &most, &count, &type, &op, &world, &info, &made, &error);
  expect(error == MPI_SUCCESS, "mpix_allreduce_init_");
  MPI_Request request = MPI_Request_f2c(made);
  expect(MPI_Start(&request) == 0 && MPI_Wait(&request, MPI_STATUS_IGNORE) == 0, "a start");
  expect(most == size - 1, "a persistent maximum");
  MPI_Request_free(&request);
}

static void folds(void) {
  FUNCTION(Iallreduce_c, const void*, void*, int64_t, MPI_Datatype, MPI_Op, END);
  FUNCTION(Ireduce_scatter_c, const void*, void*, const int64_t*, MPI_Datatype, MPI_Op, END);
  FUNCTION(Op_create_c, void (*)(void*, void*, MPI_Count*, MPI_Datatype*), int, MPI_Op*);
  MPI_Request request;
  int own[MOST * MOST], sums[MOST * MOST];
  for (int at = 0; at < all; at++) own[at] = rank + at;
  int64_t total = (int64_t)size * (size - 1) / 2;
  done(Iallreduce_c(own, sums, all, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), &request, "sums");
  for (int at = 0; at < all; at++) expect(sums[at] == total + (int64_t)size * at, "a sum");
  done(Ireduce_scatter_c(own, sums, lengths, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), &request,
       "Ireduce_scatter_c");
  for (int at = 0; at <= rank; at++)
    expect(sums[at] == total + size * (places[rank] + at), "a part of a sum");
  MPI_Op op;
  expect(Op_create_c(most, 1, &op) == 0, "Op_create_c");
  done(Iallreduce_c(own, sums, all, MPI_INT, op, MPI_COMM_WORLD, &request), &request, "maxima");
  MPI_Op_free(&op);
  for (int at = 0; at < all; at++) expect(sums[at] == size - 1 + at, "a maximum");
  persistent(own, sums, total);
}

/* Arrays have a number for each rank of the other group, of another size. */
static void between(void) {
  FUNCTION(Iallgatherv_c, VECTOR, INTO_PARTS, END);
  FUNCTION(Gatherv_c, VECTOR, INTO_PARTS, int, MPI_Comm);
  MPI_Comm half, both;
  int side = rank > 0, others = side ? 1 : size - 1, own = number(rank, 7), got[MOST];
  MPI_Comm_split(MPI_COMM_WORLD, side, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : 1, 3, &both);
  int64_t one[MOST], rows[MOST];
  for (int of = 0; of < others; of++) one[of] = 1, rows[of] = of;
  MPI_Request request;
  done(Iallgatherv_c(&own, 1, MPI_INT, got, one, rows, MPI_INT, both, &request), &request,
       "Iallgatherv_c between");
  for (int of = 0; of < others; of++)
    expect(got[of] == number(side ? 0 : of + 1, 7), "a number of the other group");
  int root = side ? 0 : MPI_ROOT;
  int64_t *read = side ? nowhere : one, *from = side ? nowhere : rows;
  expect(Gatherv_c(&own, 1, MPI_INT, got, read, from, MPI_INT, root, both) == 0,
         "Gatherv_c between");
  MPI_Comm_free(&both);
  MPI_Comm_free(&half);
}

/* Looks at several requests, of MPI and of netfold. */
static void looks(void) {
  FUNCTION(Request_get_status_any, int, MPI_Request*, int*, int*, MPI_Status*);
  FUNCTION(Request_get_status_all, int, MPI_Request*, int*, MPI_Status*);
  FUNCTION(Request_get_status_some, int, MPI_Request*, int*, int*, MPI_Status*);
  int own = rank, sum = -1, got[2], index = 9, flag = 9, indices[4];
  MPI_Request requests[4] = {MPI_REQUEST_NULL};
  MPI_Status statuses[4];
  int from = (rank + size - 1) % size, to = (rank + 1) % size;
  for (int at = 0; at < 2; at++)
    MPI_Irecv(&got[at], 1, MPI_INT, from, 5 + at, MPI_COMM_WORLD, &requests[1 + at]);
  MPI_Barrier(MPI_COMM_WORLD);
  expect(Request_get_status_any(3, requests, &index, &flag, statuses) == 0 && !flag, "any, none");
  expect(Request_get_status_all(3, requests, &flag, statuses) == 0 && !flag, "all, none");
  expect(Request_get_status_some(3, requests, &index, indices, statuses) == 0 && index == 0,
         "some, none");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&own, 1, MPI_INT, to, 6, MPI_COMM_WORLD);
  for (flag = 0; !flag;)
    expect(Request_get_status_any(3, requests, &index, &flag, statuses) == 0, "any");
  expect(index == 2 && statuses[0].MPI_TAG == 6 && statuses[0].MPI_SOURCE == from, "which one");
  expect(Request_get_status_all(3, requests, &flag, MPI_STATUSES_IGNORE) == 0 && !flag, "not all");
  expect(Request_get_status_some(3, requests, &index, indices, statuses) == 0, "some");
  expect(index == 1 && indices[0] == 2 && statuses[0].MPI_TAG == 6, "which of some");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&own, 1, MPI_INT, to, 5, MPI_COMM_WORLD);
  MPI_Iallreduce(&own, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &requests[3]);
  for (flag = 0; !flag;)
    expect(Request_get_status_all(4, requests, &flag, statuses) == 0, "all");
  expect(statuses[1].MPI_TAG == 5 && statuses[2].MPI_TAG == 6, "the status of each");
  expect(Request_get_status_some(4, requests, &index, indices, MPI_STATUSES_IGNORE) == 0, "some");
  expect(index == 3 && indices[0] == 1 && indices[1] == 2 && indices[2] == 3, "all of some");
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
  expect(got[0] == from && got[1] == from && sum == size * (size - 1) / 2, "what came");
  statuses[0].MPI_ERROR = MPI_ERR_OTHER;
  expect(Request_get_status_any(4, requests, &index, &flag, statuses) == 0, "any of nulls");
  expect(flag && index == MPI_UNDEFINED && statuses[0].MPI_TAG == MPI_ANY_TAG, "none of nulls");
  expect(statuses[0].MPI_ERROR == MPI_SUCCESS, "the error of an empty status");
  expect(Request_get_status_some(4, requests, &index, indices, statuses) == 0, "some of nulls");
  expect(index == MPI_UNDEFINED, "none of some nulls");
  expect(Request_get_status_all(0, requests, &flag, statuses) == 0 && flag, "all of none");
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int of = 0; of < size; of++) {
    lengths[of] = of + 1;
    places[of] = all;
    all += of + 1;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  /* Twice, as the same arrays come again. */
  for (int round = 0; round < 2; round++) {
    parts();
    exchange();
    folds();
    between();
    looks();
    /* A program in C has none of the host's functions for Fortran. */
    if (argc > 1 && !strcmp(argv[1], "all") && dlsym(RTLD_DEFAULT, "PMPIX_Allreduce_init"))
      in_fortran();
  }
  if (argc > 1 && !strcmp(argv[1], "none") && !dlsym(RTLD_DEFAULT, "PMPI_Iallreduce_c")) {
    FUNCTION(Iallreduce_c, const void*, void*, int64_t, MPI_Datatype, MPI_Op, END);
    MPI_Request request;
    int code = Iallreduce_c(nowhere, nowhere, 1ll << 31, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                            &request), class = 0;
    MPI_Error_class(code, &class);
    expect(class == MPI_ERR_OTHER, "a count that the host cannot have is refused");
  }
  MPI_Finalize();
  if (rank == 0) printf("missing went well\n");
  return 0;
}
