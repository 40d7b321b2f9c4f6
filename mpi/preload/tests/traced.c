/* Calls whose lines in a trace are known (R-MTR). With an argument each rank is killed at the end. */
#include <mpi.h>
#include <signal.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size;
  double send[16] = {0}, got[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Allreduce(send, got, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Bcast(got, 5, MPI_INT, 1, MPI_COMM_WORLD);
  MPI_Gather(rank == 2 ? MPI_IN_PLACE : (void*)send, 2, MPI_FLOAT, got, 2, MPI_FLOAT, 2,
             MPI_COMM_WORLD);
  int given[16], places[16];
  for (int i = 0; i < size; i++) {
    given[i] = 1;
    places[i] = i;
  }
  MPI_Alltoallv(send, given, places, MPI_SHORT, got, given, places, MPI_SHORT, MPI_COMM_WORLD);
  /* Two communicators at once, and one that comes after them. */
  MPI_Comm part, twin;
  MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
  MPI_Barrier(part);
  MPI_Comm_free(&part);
  MPI_Comm_dup(MPI_COMM_WORLD, &twin);
  MPI_Allreduce(MPI_IN_PLACE, got, 1, MPI_LONG, MPI_BOR, twin);
  MPI_Request request;
  MPI_Iallreduce(send, got, 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Allreduce(send, got, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_SELF);
  if (argc > 1) {
    PMPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
  }
  MPI_Comm_free(&twin);
  MPI_Finalize();
  return 0;
}
