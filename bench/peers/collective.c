// One rank of an MPI contender, commanded by bench/team.py over a Unix socket; that file describes the lines.
//
// Between its rounds a rank blocks in read(): an MPI call that waits would spin, and take its core from the contender whose turn it is.
// Usage: mpirun -n N collective SOCKET COLLECTIVE

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

// The rank that gathers or scatters.
#define ROOT 0

// A collective's vectors, of a whole vector that is reduced, scanned, gathered, scattered, or sent to all ranks in parts.
struct collective {
    const char *name;
    // True if the input is the whole vector, not only this rank's part; and the same of the output.
    int whole_input, whole_output;
    // True if the whole vector is the root's alone.
    int rooted;
};

static const struct collective collectives[] = {
    {"all_reduce", 1, 1, 0}, {"all_gather", 0, 1, 0}, {"gather", 0, 1, 1}, {"scatter", 1, 0, 1}, {"all_to_all", 1, 1, 0},
    {"scan", 1, 1, 0}, {"prefixes", 1, 1, 0},
};
enum { ALL_REDUCE, ALL_GATHER, GATHER, SCATTER, ALL_TO_ALL, SCAN, PREFIXES, COLLECTIVES };

static FILE *controller_in, *controller_out;
static int collective, rank, ranks;
static float *input, *output;
// Between the two all-gathers of `prefixes`: everyone's vectors, and the sum of those up to this rank's.
static float *gathered, *prefix;
// Elements of the whole vector, of one part, and of this rank's input and output.
static size_t elements, part, inputs, outputs;

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
    fprintf(stderr, "collective: %s\n", what);
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

static void say_hello(void)
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

static size_t length(int whole)
{
    if (!whole)
        return part;
    return collectives[collective].rooted && rank != ROOT ? 0 : elements;
}

static void resize(size_t bytes)
{
    if (elements == bytes / sizeof *input && input)
        return;
    if (input != output)
        free(input);
    free(output);
    free(gathered);
    free(prefix);
    part = bytes / sizeof *input / ranks;
    int folds = collective == ALL_REDUCE || collective == SCAN || collective == PREFIXES;
    elements = folds ? bytes / sizeof *input : part * ranks;
    inputs = length(collectives[collective].whole_input);
    outputs = length(collectives[collective].whole_output);
    if (collective == PREFIXES)
        outputs *= ranks;
    gathered = collective == PREFIXES ? malloc((outputs + 1) * sizeof *gathered) : NULL;
    prefix = collective == PREFIXES ? malloc((inputs + 1) * sizeof *prefix) : NULL;
    output = malloc((outputs + 1) * sizeof *output);
    // An all-reduce is in place.
    input = collective == ALL_REDUCE ? output : malloc((inputs + 1) * sizeof *input);
    if (!input || !output || (collective == PREFIXES && (!gathered || !prefix)))
        give_up("out of memory");
}

static void fill(void)
{
    for (size_t i = 0; i < inputs; i++)
        input[i] = 1;
}

static void prefixes(void)
{
    MPI_Allgather(input, (int)elements, MPI_FLOAT, gathered, (int)elements, MPI_FLOAT, MPI_COMM_WORLD);
    memcpy(prefix, gathered, elements * sizeof *prefix);
    for (int of = 1; of <= rank; of++)
        for (size_t i = 0; i < elements; i++)
            prefix[i] += gathered[of * elements + i];
    MPI_Allgather(prefix, (int)elements, MPI_FLOAT, output, (int)elements, MPI_FLOAT, MPI_COMM_WORLD);
}

static void call(void)
{
    switch (collective) {
    case ALL_REDUCE:
        MPI_Allreduce(MPI_IN_PLACE, output, (int)elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        break;
    case ALL_GATHER:
        MPI_Allgather(input, (int)part, MPI_FLOAT, output, (int)part, MPI_FLOAT, MPI_COMM_WORLD);
        break;
    case GATHER:
        MPI_Gather(input, (int)part, MPI_FLOAT, output, (int)part, MPI_FLOAT, ROOT, MPI_COMM_WORLD);
        break;
    case SCATTER:
        MPI_Scatter(input, (int)part, MPI_FLOAT, output, (int)part, MPI_FLOAT, ROOT, MPI_COMM_WORLD);
        break;
    case ALL_TO_ALL:
        MPI_Alltoall(input, (int)part, MPI_FLOAT, output, (int)part, MPI_FLOAT, MPI_COMM_WORLD);
        break;
    case SCAN:
        MPI_Scan(input, output, (int)elements, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
        break;
    case PREFIXES:
        prefixes();
        break;
    }
}

// Element i of the whole vector that a rank gives.
static float given(int of, size_t i)
{
    return (float)(of + 1) * (float)(1 + i % PERIOD);
}

// Element i of this rank's output. Every sum is a small integer, exact in float whatever the order.
static float wanted(size_t i)
{
    switch (collective) {
    case ALL_REDUCE:
        return (float)(ranks * (ranks + 1) / 2) * (float)(1 + i % PERIOD);
    case SCAN:
        return (float)((rank + 1) * (rank + 2) / 2) * (float)(1 + i % PERIOD);
    case PREFIXES: {
        int of = (int)(i / elements);
        return (float)((of + 1) * (of + 2) / 2) * (float)(1 + i % elements % PERIOD);
    }
    case SCATTER:
        return given(ROOT, rank * part + i);
    case ALL_TO_ALL:
        return given((int)(i / part), rank * part + i % part);
    default:
        return given((int)(i / part), i);
    }
}

static void check(void)
{
    size_t first = collectives[collective].whole_input ? 0 : rank * part;
    for (size_t i = 0; i < inputs; i++)
        input[i] = given(rank, first + i);
    call();
    for (size_t i = 0; i < outputs; i++) {
        if (output[i] != wanted(i)) {
            answer("failed the result is wrong: element %zu is %g, not %g", i, output[i], wanted(i));
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
            call();
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
        call();
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
    char line[LINE_BYTES];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (collective = 0; argc == 3 && collective < COLLECTIVES; collective++)
        if (strcmp(argv[2], collectives[collective].name) == 0)
            break;
    if (argc != 3 || collective == COLLECTIVES)
        give_up("usage: mpirun -n N collective SOCKET COLLECTIVE");
    connect_to(argv[1]);
    say_hello();
    while (fgets(line, sizeof line, controller_in)) {
        size_t bytes;
        long calls, refill;
        if (sscanf(line, "check %zu", &bytes) == 1) {
            resize(bytes);
            check();
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
    if (input != output)
        free(input);
    free(output);
    MPI_Finalize();
    return 0;
}
