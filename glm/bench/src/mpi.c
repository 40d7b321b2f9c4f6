// Functions that src/mpi.rs calls: MPI's handles are macros, which only C can name. MPI's own handling of errors stays as it is: a failure ends all ranks.

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

// Those under way, each in its slot.
static MPI_Request *requests;

static MPI_Datatype type_of(int is_float)
{
    return is_float ? MPI_FLOAT : MPI_INT32_T;
}

// There may be as many under way as there are slots.
void sgd_mpi_start(int slots, int *rank, int *size)
{
    int provided;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
    requests = calloc(slots, sizeof *requests);
    if (!requests)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    MPI_Comm_rank(MPI_COMM_WORLD, rank);
    MPI_Comm_size(MPI_COMM_WORLD, size);
}

// Name and version of the library, in `text` of MPI_MAX_LIBRARY_VERSION_STRING bytes at most.
void sgd_mpi_version(char *text, int bytes)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    version[strcspn(version, ",\n")] = '\0';
    strncpy(text, version, bytes - 1);
    text[bytes - 1] = '\0';
}

void sgd_mpi_begin(const void *partial, void *full, int lanes, int is_float, int slot)
{
    MPI_Iallreduce(partial, full, lanes, type_of(is_float), MPI_SUM, MPI_COMM_WORLD, &requests[slot]);
}

void sgd_mpi_end(int slot)
{
    MPI_Wait(&requests[slot], MPI_STATUS_IGNORE);
}

void sgd_mpi_allreduce(const void *partial, void *full, int lanes, int is_float)
{
    MPI_Allreduce(partial, full, lanes, type_of(is_float), MPI_SUM, MPI_COMM_WORLD);
}

void sgd_mpi_stop(void)
{
    free(requests);
    MPI_Finalize();
}
