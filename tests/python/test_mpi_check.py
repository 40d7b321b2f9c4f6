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

COMPILERS = {
    # Over TCP a long message leaves only if its sender calls MPI again.
    "mpicc.openmpi": "mpirun.openmpi --oversubscribe --mca btl tcp,self --mca pml ob1",
    "mpicc.mpich": "mpirun.mpich",
}


def missing(compiler: str) -> str:
    """Return what is not there that the check needs; empty if all is."""
    for name in (compiler, "clang", "wasm-ld", "netfold"):
        if shutil.which(name) is None:
            return name
    try:
        command._library(None)
    except check.CheckError:
        return "libnetfold_fused.so"
    return ""


@pytest.mark.parametrize("compiler", COMPILERS)
def test_translated_and_original_print_the_same(tmp_path, monkeypatch, capsys, compiler):
    monkeypatch.setattr(operation, "command", lambda: shutil.which("netfold") or "netfold")
    monkeypatch.setattr(check, "command", operation.command)
    if absent := missing(compiler):
        pytest.skip(f"there is no {absent}")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    source = tmp_path / "program.c"
    source.write_text(PROGRAM)
    status = command.main(
        [
            str(source), "--out", str(tmp_path / "new"), "--check", "--seconds", "60",
            "--build", f"{compiler} -O1 {{sources}} -lm -o {{program}}",
            "--run", f"{COMPILERS[compiler]} -n 4 {{program}}",
        ]
    )  # fmt: skip
    printed = capsys.readouterr()
    assert status == 0, printed.err + printed.out
    kinds = [line.split(": ", 2)[2] for line in printed.out.splitlines() if line[:5] == "found"]
    assert [kind.split(" [")[0] for kind in kinds] == [
        "at once",
        "scan and broadcast",
        "all-gather and local prefix",
        "reduce and broadcast",
        "all-reduce and map",
        "exchange of counts and rows",
    ]
    # Four lines of nine words, and five numbers of `first`.
    assert "check: 56 words of output are the same in both programs; 0 that vary" in printed.out
