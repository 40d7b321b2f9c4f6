/* Types of Fortran that are longer than netfold has them (R-MPI-2). As a library, this says so in
 * front of the host; as a program, it adds integers of Fortran and of C. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

#ifdef AS_LIBRARY
int PMPI_Type_size(MPI_Datatype type, int* size) {
  if (type == MPI_INTEGER || type == MPI_REAL || type == MPI_LOGICAL) {
    *size = 8;
    return MPI_SUCCESS;
  }
  int (*next)(MPI_Datatype, int*) = dlsym(RTLD_NEXT, "PMPI_Type_size");
  return next(type, size);
}

#else
int main(int argc, char** argv) {
  int rank, one = 1, sums[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&one, &sums[0], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(&one, &sums[1], 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  if (rank == 0) printf("sums: %d %d\n", sums[0], sums[1]);
  return 0;
}
#endif
