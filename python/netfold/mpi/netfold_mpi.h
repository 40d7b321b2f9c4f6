/* Fused collectives of MPI programs over netfold: what `netfold translate` writes calls of. A
 * program that includes this is linked with libnetfold_fused, and finds its switch by the setting
 * `switch`. It is for any MPI: all that is asked of MPI is asked here.
 *
 *     static netfold_chain both = netfold_chain_of("all_reduce max f64; all_reduce sum f64");
 *
 *     netfold_chain_run(&both, comm, 2, (netfold_input[]){{&largest, 1}, {&part, 1}});
 *     netfold_chain_take(&both, 0, &largest);
 *     netfold_chain_take(&both, 1, &sum);
 *
 * All ranks of a communicator run the same chains in the same order. A chain is run by one thread
 * at a time. Errors go to the communicator's error handler, with a line on stderr. */
#pragma once

#include <mpi.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a chain takes: elements, or rows by counts and displacements for each rank. */
typedef struct {
    const void *buffer;
    size_t count;
    const int *counts, *displacements;
} netfold_input;

/* An operation, as WebAssembly. */
typedef struct {
    const unsigned char *bytes;
    size_t length;
} netfold_module;

typedef void (*netfold_progress_function)(void *);
int64_t netfold_fused_join(const char *, const char *, int, int, const netfold_module *, size_t,
                           netfold_progress_function, void *);
int netfold_fused_run(int64_t, const char *, const netfold_input *, size_t,
                      netfold_progress_function, void *);
int netfold_fused_take(int64_t, const char *, size_t, void *);
int netfold_fused_take_rows(int64_t, const char *, size_t, void *, const int *, const int *);
const char *netfold_fused_error(void);
void netfold_fused_leave(int64_t);
void netfold_fused_leave_all(void);

#ifdef __cplusplus
}
#endif

/* A chain at one place of a program. */
typedef struct {
    const char *chain;
    netfold_module module; /* its operation, if it brings one along */
    int64_t job;
    int64_t place; /* number of the communicator that the job is for */
    MPI_Comm comm;
    int step; /* of a pair in two functions: 1 before its first collective, 2 before its second */
    netfold_input expected; /* what the second sends */
} netfold_chain;

#define netfold_chain_of(chain) {chain, {0, 0}, 0, 0, MPI_COMM_NULL, 0, {0, 0, 0, 0}}
#define netfold_chain_by(chain, module) \
    {chain, {module, sizeof(module)}, 0, 0, MPI_COMM_NULL, 0, {0, 0, 0, 0}}

/* What a communicator remembers: its number in this process, and its job. */
typedef struct {
    int64_t number, job;
} netfold_place;

static int netfold_keyval = MPI_KEYVAL_INVALID;
static int netfold_at_end = MPI_KEYVAL_INVALID;

static int netfold_forget(MPI_Comm comm, int keyval, void *place, void *extra) {
    (void)comm, (void)keyval, (void)extra;
    netfold_fused_leave(((netfold_place *)place)->job);
    free(place);
    return MPI_SUCCESS;
}

/* MPI_Finalize frees the attributes of MPI_COMM_SELF before anything else. */
static int netfold_finish(MPI_Comm comm, int keyval, void *nothing, void *extra) {
    (void)comm, (void)keyval, (void)nothing, (void)extra;
    netfold_fused_leave_all();
    return MPI_SUCCESS;
}

static inline int netfold_failed(MPI_Comm comm, const char *what) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    fprintf(stderr, "netfold: rank %d: %s\n", rank, what);
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return MPI_ERR_OTHER;
}

/* What MPI has under way goes on only in calls of MPI, and another rank may wait for it. */
static void netfold_progress(void *comm) {
    int found;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, *(MPI_Comm *)comm, &found, MPI_STATUS_IGNORE);
}

/* Joins a job for the ranks of a communicator, which agree on a name. -1 with a message. */
static inline int64_t netfold_join(MPI_Comm comm, const netfold_module *modules, size_t number) {
    char name[128] = {0};
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    if (rank == 0) {
        static unsigned count;
        struct timespec now;
        char host[64] = {0};
        clock_gettime(CLOCK_REALTIME, &now);
        gethostname(host, sizeof host - 1);
        snprintf(name, sizeof name, "mpi-%s-%ld-%lx%lx-%u", host, (long)getpid(),
                 (unsigned long)now.tv_sec, (unsigned long)now.tv_nsec, count++);
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, comm);
    return netfold_fused_join(NULL, name, rank, size, modules, number, netfold_progress, &comm);
}

static inline netfold_place *netfold_place_of(MPI_Comm comm) {
    static int64_t places;
    netfold_place *place = NULL;
    int found = 0;
    if (netfold_keyval == MPI_KEYVAL_INVALID) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, netfold_forget, &netfold_keyval, NULL);
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, netfold_finish, &netfold_at_end, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, netfold_at_end, NULL);
    }
    MPI_Comm_get_attr(comm, netfold_keyval, &place, &found);
    if (!found) {
        place = (netfold_place *)calloc(1, sizeof *place);
        place->number = ++places;
        MPI_Comm_set_attr(comm, netfold_keyval, place);
    }
    return place;
}

/* The number of ranks. */
static inline size_t netfold_ranks_of(MPI_Comm comm) {
    int size;
    MPI_Comm_size(comm, &size);
    return (size_t)size;
}

/* Runs a chain, and keeps its results. */
static inline int netfold_chain_run(netfold_chain *fused, MPI_Comm comm, size_t number,
                                    const netfold_input *inputs) {
    netfold_place *place = netfold_place_of(comm);
    if (fused->place != place->number) {
        int64_t *job = &place->job, own = 0;
        if (fused->module.bytes) job = &own; /* a job has the operations that it was joined with */
        if (*job == 0) *job = netfold_join(comm, &fused->module, fused->module.bytes ? 1 : 0);
        if (*job < 0) {
            *job = 0;
            return netfold_failed(comm, netfold_fused_error());
        }
        if (fused->module.bytes && fused->job) netfold_fused_leave(fused->job);
        fused->job = *job;
        fused->place = place->number;
    }
    fused->comm = comm;
    if (netfold_fused_run(fused->job, fused->chain, inputs, number, netfold_progress, &comm))
        return netfold_failed(comm, netfold_fused_error());
    return MPI_SUCCESS;
}

/* Begins a pair whose first collective stands in a function that is called next. */
static inline void netfold_chain_expect(netfold_chain *fused, netfold_input second) {
    fused->expected = second;
    fused->step = 1;
}

/* Whether a function is called as a part of a pair; elsewhere it makes its collective itself. */
static inline int netfold_chain_is_at(const netfold_chain *fused, int step) {
    return fused->step == step;
}

/* Runs a pair at its first collective. */
static inline int netfold_chain_run_pair(netfold_chain *fused, MPI_Comm comm, size_t number,
                                         const netfold_input *inputs) {
    fused->step = 2;
    return netfold_chain_run(fused, comm, number, inputs);
}

/* Ends a pair at its second collective. */
static inline int netfold_chain_end(netfold_chain *fused) {
    fused->step = 0;
    return MPI_SUCCESS;
}

/* Writes a result of the last run; nothing where this rank gets none. */
static inline int netfold_chain_take(netfold_chain *fused, size_t result, void *to) {
    if (netfold_fused_take(fused->job, fused->chain, result, to))
        return netfold_failed(fused->comm, netfold_fused_error());
    return MPI_SUCCESS;
}

/* Writes the rows that were received, those of each rank where its displacement says. */
static inline int netfold_chain_take_rows(netfold_chain *fused, size_t result, void *to,
                                          const int *counts, const int *displacements) {
    if (netfold_fused_take_rows(fused->job, fused->chain, result, to, counts, displacements))
        return netfold_failed(fused->comm, netfold_fused_error());
    return MPI_SUCCESS;
}
