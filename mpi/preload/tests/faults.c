/* Programs that go wrong: what becomes of them is decided by their own MPI (R-MPI-10). */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static void least(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; i++)
    if (((int*)in)[i] < ((int*)inout)[i]) ((int*)inout)[i] = ((int*)in)[i];
}

static int reduce(MPI_Op op, int persistent) {
  int value = 1, sum = 0, code = MPI_SUCCESS;
#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
  if (persistent) {
    MPI_Request request;
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    code = MPI_Start(&request);
    int later = MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return code == MPI_SUCCESS ? later : code;
  }
#else
  if (persistent) printf("passed over: persistent calls, which this MPI lacks\n");
#endif
  (void)persistent, (void)code;
  return MPI_Allreduce(&value, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
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
  if (!strcmp(how, "killed")) {
    if (rank == 1) raise(SIGKILL);
    MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("not reached\n");
  }
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
