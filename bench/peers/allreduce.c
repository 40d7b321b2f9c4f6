// One rank of an MPI contender, commanded by bench/team.py over a Unix socket; that file describes the lines.
//
// Between its rounds a rank blocks in read(): an MPI call that waits would spin, and take its core from the contender whose turn it is.
// Usage: mpirun -n N allreduce SOCKET

#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// Longest line of the controller, with room to spare.
#define LINE_BYTES 256

// The pattern's period: prime, so that a block in a wrong place does not look right.
#define PERIOD 7

static FILE *controller_in, *controller_out;
static float *tensor;
static size_t elements;

static void answer(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void answer(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(controller_out, format, arguments);
    va_end(arguments);
    fputc('\n', controller_out);
    fflush(controller_out);
}

static void give_up(const char *what)
{
    fprintf(stderr, "allreduce: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

static void connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path)
        give_up("the path of the controller's socket is too long");
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0)
        give_up("the controller does not answer at its socket");
    controller_in = fdopen(descriptor, "r");
    controller_out = fdopen(dup(descriptor), "w");
    if (!controller_in || !controller_out)
        give_up("out of file descriptors");
}

static void say_hello(int rank)
{
    char version[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(version, &length);
    // The first part of it names the library and its version; what follows is how it was built.
    version[strcspn(version, ",\n")] = '\0';
    for (char *c = version; *c; c++)
        if (*c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = ' ';
    answer("hello %d {\"version\": \"%s\"}", rank, version);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static void resize(size_t bytes)
{
    if (elements == bytes / sizeof *tensor && tensor)
        return;
    free(tensor);
    elements = bytes / sizeof *tensor;
    tensor = malloc(bytes);
    if (!tensor)
        give_up("out of memory");
}

static void fill(void)
{
    for (size_t i = 0; i < elements; i++)
        tensor[i] = 1;
}

static void all_reduce(void)
{
    MPI_Allreduce(MPI_IN_PLACE, tensor, (int)elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
}

// Rank r contributes (r + 1) (1 + i mod PERIOD): every sum is a small integer, exact in float whatever the order.
static void check(int rank, int size)
{
    for (size_t i = 0; i < elements; i++)
        tensor[i] = (float)(rank + 1) * (float)(1 + i % PERIOD);
    all_reduce();
    for (size_t i = 0; i < elements; i++) {
        float exact = (float)(size * (size + 1) / 2) * (float)(1 + i % PERIOD);
        if (tensor[i] != exact) {
            answer("failed the result is wrong: element %zu is %g, the exact sum is %g", i, tensor[i], exact);
            return;
        }
    }
    answer("ok");
}

static void run(long calls, long refill)
{
    double seconds = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    while (calls > 0) {
        long burst = calls < refill ? calls : refill;
        double start = now();
        for (long i = 0; i < burst; i++)
            all_reduce();
        seconds += now() - start;
        calls -= burst;
        if (calls > 0)
            fill();
    }
    answer("done %.9f", seconds);
}

static void run_apart(long calls)
{
    double *seconds = calloc(calls, sizeof *seconds);
    if (!seconds)
        give_up("out of memory");
    for (long i = 0; i < calls; i++) {
        fill();
        MPI_Barrier(MPI_COMM_WORLD);
        double start = now();
        all_reduce();
        seconds[i] = now() - start;
    }
    fputs("times", controller_out);
    for (long i = 0; i < calls; i++)
        fprintf(controller_out, " %.9f", seconds[i]);
    answer("%s", "");
    free(seconds);
}

int main(int argc, char **argv)
{
    int rank, size;
    char line[LINE_BYTES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 2)
        give_up("usage: mpirun -n N allreduce SOCKET");
    connect_to(argv[1]);
    say_hello(rank);
    while (fgets(line, sizeof line, controller_in)) {
        size_t bytes;
        long calls, refill;
        if (sscanf(line, "check %zu", &bytes) == 1) {
            resize(bytes);
            check(rank, size);
        } else if (sscanf(line, "fill %zu", &bytes) == 1) {
            resize(bytes);
            fill();
            answer("ok");
        } else if (sscanf(line, "run %ld %ld", &calls, &refill) == 2 && refill > 0) {
            run(calls, refill);
        } else if (sscanf(line, "apart %ld", &calls) == 1 && calls > 0) {
            run_apart(calls);
        } else if (strcmp(line, "end\n") == 0) {
            break;
        } else {
            answer("failed unknown command");
        }
    }
    free(tensor);
    MPI_Finalize();
    return 0;
}
