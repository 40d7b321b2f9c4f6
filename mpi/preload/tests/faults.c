/* Programs that go wrong: what becomes of them is decided by their own MPI (R-MPI-10). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "persistent.h"

static void least(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    if (((int*)in)[i] < ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

static int reduce(MPI_Op op, int persistent) {
  int value = 1, sum = 0;
  if (persistent) {
    MPI_Request request;
    PERSISTENT(Allreduce, &value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    int code = MPI_Start(&request), later = MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return code == MPI_SUCCESS ? later : code;
  }
  return MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
}

/* Makes collectives until one fails, as a rank or the switch ends in the middle of them. */
static void until_failure(int rank, int killed, int returned) {
  static double values[1 << 16], most[1 << 16];
  int value = 1, sum, size, code = MPI_SUCCESS;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (returned) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int i = 0; code == MPI_SUCCESS; i++) {
    code = MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (code == MPI_SUCCESS)
      code = MPI_Allreduce(values, most, 1 << 16, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && i == 10) printf("under way\n"), fflush(stdout);
    if (rank == killed && i == 30) raise(SIGKILL);
  }
  int class, mine = 1, other, last = size - 1;
  MPI_Error_class(code, &class);
  /* To where the reason was written, so that it comes behind that. */
  fprintf(stderr, "rank %d goes on after class %d\n", rank, class == MPI_ERR_OTHER);
  /* The first that ends takes the others along: the outer ones wait for each other. */
  MPI_Sendrecv(&mine, 1, MPI_INT, last - rank, 0, &other, 1, MPI_INT, last - rank, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  _exit(3);
}

int main(int argc, char** argv) {
  int rank, value = 1, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* how = argc > 1 ? argv[1] : "";
  int later = !strcmp(how, "returned-later"), returned = later || !strcmp(how, "returned");
  if (returned || !strcmp(how, "mismatch")) {
    if (returned) MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = reduce(rank == 0 ? MPI_SUM : MPI_MAX, later);
    char text[MPI_MAX_ERROR_STRING];
    int length, class;
    MPI_Error_class(code, &class);
    MPI_Error_string(code, text, &length);
    printf("rank %d goes on after class %d\n", rank, class == MPI_ERR_OTHER);
    fflush(stdout);
    /* A rank that ends takes the others along: none does before all have told. */
    int mine = 1, other;
    MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  if (!strncmp(how, "killed", 6) || !strncmp(how, "lost", 4))
    until_failure(rank, argc > 2 ? atoi(argv[2]) : -1, !!strstr(how, "-returned"));
  if (!strcmp(how, "user")) { /* operations of the program stay with its MPI */
    MPI_Op op;
    MPI_Op_create(least, 1, &op);
    for (int i = 0; i < 3; i++) MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    printf("rank %d: %d\n", rank, sum);
  }
  MPI_Finalize();
  return 0;
}
