/* Persistent collectives by the names that the MPI at hand has for them. In Open MPI 4 they are an
 * extension. */
#include <mpi.h>

#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION < 5
#include <mpi-ext.h>
#define PERSISTENT(name, ...) MPIX_##name##_init(__VA_ARGS__)
#else
#define PERSISTENT(name, ...) MPI_##name##_init(__VA_ARGS__)
#endif
