"""Translated programs beside the originals, both run by an MPI that is installed (R-TR-20)."""

from __future__ import annotations

import shutil

import pytest

pytest.importorskip("clang.cindex")

from netfold.mpi.translate import check, command, operation

PROGRAM = r"""
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

/* R-TR-12: an all-reduce of each kind, received into one variable. */
static double norms(const double *x, int n) {
    double largest = 0, sum = 0, got;
    for (int i = 0; i < n; i++) {
        sum += x[i] * x[i];
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    }
    MPI_Allreduce(&largest, &got, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    largest = got;
    MPI_Allreduce(&sum, &got, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return got + 1000 * largest;
}

/* R-TR-15 */
static int total(int mine, int *first, MPI_Comm comm) {
    int all, prefix;
    MPI_Scan(&mine, &prefix, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    *first = prefix - mine;
    if (rank == size - 1) all = prefix;
    MPI_Bcast(&all, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    return all;
}

/* R-TR-13 */
static void starts(int mine, int *first) {
    int i;
    MPI_Allgather(&mine, 1, MPI_INT, &first[1], 1, MPI_INT, MPI_COMM_WORLD);
    first[0] = 0;
    for (i = 1; i < size + 1; i++) first[i] += first[i - 1];
    first[0] = i;
}

/* R-TR-16 */
static int reduced(int mine) {
    int all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_MAX, 1, MPI_COMM_WORLD);
    MPI_Bcast(&all, 1, MPI_INT, 1, MPI_COMM_WORLD);
    return all;
}

/* R-TR-14 */
static void step(double *x) {
    MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < 3; i++) x[i] = sqrt(x[i]) * 0.5 - 1;
}

/* R-TR-17 */
static long sorted(void) {
    int sent[8], received[8], sent_at[8], received_at[8], rows[64], got[64];
    long sum = 0;
    for (int i = 0; i < 64; i++) { rows[i] = 100 * rank + i; got[i] = -1; }
    for (int i = 0; i < size; i++) { sent[i] = (rank + i) % 3; sent_at[i] = 5 * i; }
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    received_at[0] = 2;
    for (int i = 1; i < size; i++) received_at[i] = received_at[i - 1] + received[i - 1] + 1;
    MPI_Alltoallv(rows, sent, sent_at, MPI_INT, got, received, received_at, MPI_INT,
                  MPI_COMM_WORLD);
    for (int i = 0; i < 64; i++) sum = 31 * sum + got[i];
    return sum;
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double x[3] = {rank + 1, 2 * rank, 7};
    static char message[1 << 20]; /* too long to leave before the other rank asks for it */
    MPI_Request request;
    double norm;
    if (rank == 0) MPI_Isend(message, 1 << 20, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Recv(message, 1 << 20, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    norm = norms(x, 3);
    if (rank == 0) MPI_Wait(&request, MPI_STATUS_IGNORE);
    int at, first[9], all = total(rank + 3, &at, MPI_COMM_WORLD), most = reduced(10 * rank);
    starts(rank + 1, first);
    step(x);
    long sum = sorted();
    char line[200], lines[8][200];
    int end = sprintf(line, "%d: %g %d %d %d", rank, norm, all, at, most);
    end += sprintf(line + end, " %g %g %g %ld", x[0], x[1], x[2], sum);
    for (int i = 0; i <= size; i++) end += sprintf(line + end, " %d", first[i]);
    MPI_Gather(line, 200, MPI_CHAR, lines, 200, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) puts(lines[i]);
    MPI_Finalize();
    return 0;
}
"""

OPERATIONS = r"""
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

typedef struct { double real, imag; } Complex;

/* The example of the standard (MPI 4.1, 6.9.5). */
static void product(Complex *in, Complex *inout, int *len, MPI_Datatype *type) {
    int i;
    Complex c;
    (void)type;
    for (i = 0; i < *len; ++i) {
        c.real = inout->real * in->real - inout->imag * in->imag;
        c.imag = inout->real * in->imag + inout->imag * in->real;
        *inout = c;
        in++; inout++;
    }
}

/* A product of matrices of 2 by 2, which does not commute. */
void compose(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; i++) {
        uint32_t *a = (uint32_t *)in + 4 * i, *b = (uint32_t *)inout + 4 * i;
        uint32_t c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                         a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        for (int k = 0; k < 4; k++) b[k] = c[k];
    }
}

/* Counts how often it is called: the host's own. */
static int calls;
static void counts(void *in, void *inout, int *count, MPI_Datatype *type) {
    (void)type;
    for (int i = 0; i < *count; i++) { ((int *)inout)[i] += ((int *)in)[i]; calls++; }
}

int main(int argc, char **argv) {
    int rank, size, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Op by_product, by_compose, by_counts;
    MPI_Op_create((MPI_User_function *)product, 1, &by_product);
    MPI_Op_create(compose, 0, &by_compose);
    MPI_Op_create(counts, 1, &by_counts);
    MPI_Datatype complex, matrix;
    MPI_Type_contiguous(2, MPI_DOUBLE, &complex);
    MPI_Type_commit(&complex);
    MPI_Type_contiguous(4, MPI_UINT32_T, &matrix);
    MPI_Type_commit(&matrix);
    /* Whole numbers, whose products are exact in any order. */
    Complex mine[3] = {{rank + 1, -rank}, {2, rank}, {rank - 1, 1}}, all[3];
    uint32_t turn[2][4] = {{1, rank, 0, 1}, {rank + 2, 1, 3, 7}}, turned[2][4];
    MPI_Allreduce(mine, all, 3, complex, by_product, MPI_COMM_WORLD);
    MPI_Scan(turn, turned, 2, matrix, by_compose, MPI_COMM_WORLD);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, by_counts, MPI_COMM_WORLD);
    char line[200], lines[8][200];
    int end = sprintf(line, "%d: %d", rank, sum);
    for (int i = 0; i < 3; i++) end += sprintf(line + end, " %g %g", all[i].real, all[i].imag);
    for (int i = 0; i < 8; i++) end += sprintf(line + end, " %u", turned[i / 4][i % 4]);
    MPI_Gather(line, 200, MPI_CHAR, lines, 200, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; rank == 0 && i < size; i++) puts(lines[i]);
    MPI_Op_free(&by_product);
    MPI_Op_free(&by_compose);
    MPI_Finalize();
    return 0;
}
"""

SUMS = r"""
#include <mpi.h>

static double spent;
double spent_in_all(void) { return spent; }

double global_sum(double mine, MPI_Comm comm) {
    double all;
    spent -= MPI_Wtime();
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    spent += MPI_Wtime();
    return all;
}
"""

ACROSS = r"""
#include <math.h>
#include <mpi.h>
#include <stdio.h>

double global_sum(double mine, MPI_Comm comm);
double spent_in_all(void);

static void global_max(const double *mine, double *most, int n) {
    int status;
    status = MPI_Allreduce(mine, most, n, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    if (status != MPI_SUCCESS) most[0] = -1;
}

/* R-TR-25: two callees, a callee twice, a callee beside the caller's own. */
static double norm(const double *x, int n, double *most) {
    double s = 0, largest = 0;
    for (int i = 0; i < n; i++) {
        s += x[i] * x[i];
        if (fabs(x[i]) > largest) largest = fabs(x[i]);
    }
    global_max(&largest, most, 1);
    double all = global_sum(s, MPI_COMM_WORLD);
    return all;
}
static double both(double a, double b) {
    double x = global_sum(a, MPI_COMM_WORLD), y;
    y = global_sum(b + 1, MPI_COMM_WORLD);
    return x * y;
}
static double own_first(double a, double b) {
    double all, y;
    MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    y = global_sum(b, MPI_COMM_WORLD);
    return all - y;
}
static double own_last(double a, double b) {
    double all, y;
    y = 2 * global_sum(b, MPI_COMM_WORLD);
    MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all - y;
}

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double x[3] = {rank, 2 - rank, 3}, most;
    for (int k = 0; k < 3; k++) {
        double n = norm(x, 3, &most), b = both(rank, 2 * rank + k);
        double first = own_first(rank, k), last = own_last(rank, k);
        /* By itself, and once more in a pair. */
        double alone = global_sum(rank, MPI_COMM_WORLD);
        double again = both(1, k);
        if (rank == 0) printf("%g %g %g %g %g %g %g\n", n, most, b, first, last, alone, again);
        x[k] += k;
    }
    if (spent_in_all() < 0) puts("less than no time");
    MPI_Finalize();
    return 0;
}
"""

COMPILERS = {
    # Over TCP a long message leaves only if its sender calls MPI again.
    "mpicc.openmpi": "mpirun.openmpi --oversubscribe --mca btl tcp,self --mca pml ob1",
    "mpicc.mpich": "mpirun.mpich",
}


def missing(compiler: str) -> str:
    """Return what is not there that the check needs; empty if all is."""
    for name in (compiler, "clang", "netfold"):
        if shutil.which(name) is None:
            return name
    # The linker that Rust brings along will do (docs/operations.md).
    if not any(map(shutil.which, ("wasm-ld", "rustc"))):
        return "wasm-ld"
    for library in ("libnetfold_fused.so", "libnetfold_mpi.so"):
        try:
            command._library(None, library)
        except check.CheckError:
            return library
    return ""


@pytest.fixture(params=COMPILERS)
def checked(tmp_path, monkeypatch, capsys, request):
    """Check the translation of a program, and return what the command prints."""
    compiler = request.param
    monkeypatch.setattr(operation, "command", lambda: shutil.which("netfold") or "netfold")
    monkeypatch.setattr(check, "command", operation.command)
    if absent := missing(compiler):
        pytest.skip(f"there is no {absent}")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")

    def run(*texts: str) -> str:
        sources = [tmp_path / f"program{at or ''}.c" for at in range(len(texts))]
        for source, text in zip(sources, texts, strict=True):
            source.write_text(text)
        status = command.main(
            [
                *map(str, sources), "--out", str(tmp_path / "new"), "--check", "--seconds", "60",
                "--build", f"{compiler} -O1 {{sources}} -lm -o {{program}}",
                "--run", f"{COMPILERS[compiler]} -n 4 {{program}}",
            ]
        )  # fmt: skip
        printed = capsys.readouterr()
        assert status == 0, printed.err + printed.out
        return printed.out

    return run


def test_operations_of_the_program_are_taken(checked):
    """R-TR-22 and R-MPI-18: two all-reduces and a scan of four ranks, of which the library carries
    out those whose operations have bodies.
    """
    printed = checked(OPERATIONS)
    told = [line.split(": ", 1)[1] for line in printed.splitlines() if line[:5] == "found"]
    assert told == [
        "the operation of line 45: a body [f64x2; commutative]",
        "the operation of line 46: a body [u32x4; associative]",
    ]
    assert "it uses `calls`, which the switch does not have (R-TR-23)" in printed
    assert "check: 64 words of output are the same in both programs; 0 that vary" in printed
    # A gather of lines is one more.
    assert "check: the preloaded library carried out 12 collectives" in printed


def test_collectives_of_functions_that_are_called_are_paired(checked):
    """R-TR-25, with a function in another source."""
    printed = checked(ACROSS, SUMS)
    kinds = [line.split(": ", 2)[2] for line in printed.splitlines() if line[:5] == "found"]
    assert [kind.split(" [")[0] for kind in kinds] == ["at once, in two functions"] * 4
    assert "check: 21 words of output are the same in both programs; 0 that vary" in printed


def test_translated_and_original_print_the_same(checked):
    printed = checked(PROGRAM)
    kinds = [line.split(": ", 2)[2] for line in printed.splitlines() if line[:5] == "found"]
    assert [kind.split(" [")[0] for kind in kinds] == [
        "at once",
        "scan and broadcast",
        "all-gather and local prefix",
        "reduce and broadcast",
        "all-reduce and map",
        "exchange of counts and rows",
    ]
    # Four lines of nine words, and five numbers of `first`.
    assert "check: 56 words of output are the same in both programs; 0 that vary" in printed
