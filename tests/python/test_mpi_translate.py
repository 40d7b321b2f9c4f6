"""The search for chains in MPI programs: what is found, and what is refused for which reason."""

from __future__ import annotations

import pytest

pytest.importorskip("clang.cindex")

from netfold.mpi.translate import find, program
from netfold.mpi.translate.check import compare
from netfold.mpi.translate.found import Chain, Refusal

HEAD = """
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
"""


@pytest.fixture
def said(tmp_path):
    """Findings of the translator in the body of a function, or in whole functions."""

    def look(text: str, parameters: str | None = "double *x, double *y, int n, MPI_Comm comm"):
        path = tmp_path / "program.c"
        body = text if parameters is None else f"void f({parameters}) {{\n{text}\n}}\n"
        path.write_text(HEAD + body)
        return find.find(program.load([path], []))

    return look


def found(said: list[Chain | Refusal]) -> list[tuple[str, str]]:
    return [(it.kind, it.stages) for it in said if isinstance(it, Chain)]


def refused(said: list[Chain | Refusal]) -> list[tuple[str, str]]:
    return [(it.rule, it.why) for it in said if isinstance(it, Refusal)]


# ---- what must be found

SORT = """
int size;
int *keys, *sorted;
static int sizes[8], totals[8];
int *sent, *received, *sent_at, *received_at;
void make(void) {
    keys = (int *)malloc(100 * sizeof(int));
    sorted = (int *)malloc(300 * sizeof(int));
    sent = (int *)malloc(size * sizeof(int));
    received = (int *)malloc(size * sizeof(int));
    sent_at = (int *)malloc(size * sizeof(int));
    received_at = (int *)malloc(size * sizeof(int));
}
void rank_keys(void) {
    int i, j;
    MPI_Allreduce(sizes, totals, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (i = 0, j = 0; i < 8; i++) {
        if (totals[i] > 10) { sent[j] = sizes[i]; j++; }
    }
    MPI_Alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, MPI_COMM_WORLD);
    received_at[0] = 0;
    for (i = 1; i < size; i++) received_at[i] = received_at[i - 1] + received[i - 1];
    MPI_Alltoallv(keys, sent, sent_at, MPI_INT, sorted, received, received_at, MPI_INT,
                  MPI_COMM_WORLD);
}
"""


def test_integer_sort(said):
    """NPB IS: all-reduce, loop, all-to-all, prefix, all-to-allv. The switch cannot carry out the
    loop, which reads sizes of this rank alone; the rest is one exchange (R-TR-17).
    """
    answer = said(SORT, None)
    assert found(answer) == [("exchange of counts and rows", "all_to_all_v i32")]
    assert refused(answer) == [
        (
            "R-TR-12",
            "`sent`, which MPI_Alltoall of line 25 needs, is computed between, "
            "maybe from `totals`, which MPI_Allreduce gives",
        )
    ]


def test_all_gather_and_local_prefix(said):
    """AMG (R-TR-13), through wrappers in functions and with the place of the first rank at 1."""
    text = """
    int lib_Allgather(void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm c) {
        return (int)MPI_Allgather(a, (int)n, t, b, (int)m, u, c);
    }
    int lib_size(MPI_Comm comm, int *size) {
        int own, status;
        status = MPI_Comm_size(comm, &own);
        *size = own;
        return status;
    }
    int *starts(int mine, MPI_Comm comm) {
        int i, ranks;
        lib_size(comm, &ranks);
        int *first = calloc(ranks + 1, sizeof(int));
        lib_Allgather(&mine, 1, MPI_INT, &first[1], 1, MPI_INT, comm);
        for (i = 2; i < ranks + 1; i++)
            first[i] += first[i - 1];
        return first;
    }
    """
    answer = said(text, None)
    assert found(answer) == [
        ("all-gather and local prefix", "all_gather i32, scan sum i32, all_gather")
    ]
    assert answer[0].instead == "i = ranks + 1;"


def test_scan_and_broadcast(said):
    """AMG (R-TR-15): the last rank copies its prefix, and broadcasts the copy."""
    text = """
    int rank, size, total, starts[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Scan(&n, starts + 1, 1, MPI_INT, MPI_SUM, comm);
    starts[0] = starts[1] - n;
    if (rank == size - 1) { total = starts[1]; }
    MPI_Bcast(&total, 1, MPI_INT, size - 1, comm);
    x[0] = total;
    """
    assert found(said(text)) == [("scan and broadcast", "scan+ sum i32, broadcast")]


def test_two_all_reduces(said):
    """MG (R-TR-12): both are received into one variable, one after the other (R-TR-11)."""
    text = """
    double largest = 0, sum = 0, got;
    for (int i = 0; i < n; i++) { sum += x[i] * x[i]; largest = fmax(largest, fabs(x[i])); }
    MPI_Allreduce(&largest, &got, 1, MPI_DOUBLE, MPI_MAX, comm);
    largest = got;
    MPI_Allreduce(&sum, &got, 1, MPI_DOUBLE, MPI_SUM, comm);
    y[0] = sqrt(got) + largest;
    """
    answer = said(text)
    assert found(answer) == [("at once", "all_reduce max f64; all_reduce sum f64")]
    assert [result.waits for result in answer[0].results] == [False, True]


def test_the_call_moves_to_the_last_place(said):
    """R-TR-12: what lies between needs nothing of the first, and the second needs it."""
    text = """
    double a = x[0], b, all_a, all_b;
    MPI_Allreduce(&a, &all_a, 1, MPI_DOUBLE, MPI_SUM, comm);
    b = x[1] * x[1];
    MPI_Allreduce(&b, &all_b, 1, MPI_DOUBLE, MPI_SUM, comm);
    y[0] = all_a + all_b;
    """
    answer = said(text)
    assert found(answer) == [("at once", "all_reduce sum f64; all_reduce sum f64")]
    assert answer[0].at is answer[0].collectives[1]


def test_reduce_and_broadcast(said):
    """R-TR-16."""
    text = """
    double part = x[0], whole;
    MPI_Reduce(&part, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Bcast(&whole, 1, MPI_DOUBLE, 0, comm);
    y[0] = whole;
    """
    assert found(said(text)) == [("reduce and broadcast", "reduce sum f64, broadcast")]
    gather = """
    int size;
    MPI_Comm_size(comm, &size);
    MPI_Gather(&n, 1, MPI_INT, x, 1, MPI_INT, 0, comm);
    MPI_Bcast(x, size, MPI_INT, 0, comm);
    """
    assert found(said(gather)) == [("gather and broadcast", "gather i32, broadcast")]


def test_all_reduce_and_map(said):
    """R-TR-14, of an array in place, and of one number."""
    loop = """
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < n; i++) x[i] = sqrt(x[i]) * 0.5 + (int)x[i];
    """
    answer = said(loop)
    assert found(answer) == [("all-reduce and map", "all_reduce NAME f64, map")]
    assert "result[i] = ((__builtin_sqrt(x) * 0.5) + ((int)x));" in answer[0].operation
    one = "double s = x[0];\nMPI_Allreduce(&s, y, 1, MPI_DOUBLE, MPI_SUM, comm);\ny[0] = 1;"
    assert found(said(one)) == []


# ---- what must be refused, each for its reason

TWO = """
    double a = x[0], b = x[1], all_a, all_b;
    MPI_Allreduce(&a, &all_a, 1, MPI_DOUBLE, MPI_SUM, comm);
    {between}
    MPI_Allreduce(&{second}, &all_b, 1, MPI_DOUBLE, MPI_SUM, {comm});
    y[0] = all_a + all_b;
"""


def two(between: str = ";", second: str = "b", comm: str = "comm") -> str:
    text = TWO.replace("{between}", between).replace("{second}", second)
    return text.replace("{comm}", comm)


REFUSED = {
    "the second needs the first": (
        two(second="all_a"),
        "R-TR-12",
        "MPI_Allreduce of line 11 needs `all_a`, which may be what MPI_Allreduce of line 9 gives",
    ),
    "the second needs it by the computation between": (
        two("b = all_a * 2;"),
        "R-TR-12",
        "`b`, which MPI_Allreduce of line 11 needs, is computed between, maybe from `all_a`, which "
        "MPI_Allreduce gives",
    ),
    "two communicators": (
        two(comm="MPI_COMM_WORLD"),
        "R-TR-2",
        "they are on two communicators, `comm` and `MPI_COMM_WORLD`",
    ),
    "the communicator changes": (
        two("MPI_Comm *c = &comm; *c = MPI_COMM_SELF;"),
        "R-TR-2",
        "the communicator `comm` is assigned to between them",
    ),
    "output": (
        two('printf("%g\\n", all_a);'),
        "R-TR-5",
        "line 10: printf has an effect outside the program's memory",
    ),
    "communication": (
        two("MPI_Send(x, 1, MPI_DOUBLE, 0, 0, comm);"),
        "R-TR-5",
        "line 10: MPI_Send communicates",
    ),
    "a way out": (
        two("if (all_a > 1) return;"),
        "R-TR-5",
        "line 10: `return` leaves the function",
    ),
    "the end of the program": (
        two("if (all_a > 1) exit(1);"),
        "R-TR-5",
        "line 10: exit ends the program",
    ),
    "a volatile object": (
        two("volatile int *flag = (int *)y; *flag = 1;"),
        "R-TR-5",
        "line 10: `*flag` is volatile",
    ),
    "an unknown function": (
        "extern double other(double);" + two("all_a = other(all_a);"),
        "R-TR-6",
        "line 10: other is called, whose body is not among the sources",
    ),
    "a function by a pointer": (
        "double (*g)(double) = sqrt;" + two("all_a = g(all_a);"),
        "R-TR-6",
        "line 10: a function is called by a pointer",
    ),
    "aliases": (
        """
    MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(x + 1, y + 1, 1, MPI_DOUBLE, MPI_SUM, comm);
    """,
        "R-TR-12",
        "MPI_Allreduce of line 9 needs `*x`, which may be what MPI_Allreduce of line 8 gives",
    ),
    "one under a condition": (
        """
    double a = x[0], b = x[1], all;
    MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    if (a > 0) {
        MPI_Allreduce(&b, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    }
    """,
        "R-TR-1",
        "the one of line 11 stands in the `if` of line 10, the other outside",
    ),
    "a condition of the preprocessor": (
        """
    double a = x[0], b = x[1], all;
#ifndef ONCE
    MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
#endif
    MPI_Allreduce(&b, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    """,
        "R-TR-1",
        "a condition of the preprocessor begins or ends between them",
    ),
    "a type that netfold does not fold": (
        """
    MPI_Allreduce(&n, x, 1, MPI_UNSIGNED, MPI_SUM, comm);
    MPI_Allreduce(&n, y, 1, MPI_UNSIGNED, MPI_MAX, comm);
    """,
        "R-TR-4",
        "MPI_Allreduce of line 8 folds u32, which netfold does not",
    ),
    "an operation that netfold does not have": (
        """
    MPI_Allreduce(&n, x, 1, MPI_INT, MPI_BOR, comm);
    MPI_Allreduce(&n, y, 1, MPI_INT, MPI_MAX, comm);
    """,
        "R-TR-4",
        "MPI_Allreduce of line 8 folds by bor, which netfold does not",
    ),
    "a root that is not the last rank": (
        """
    int total;
    MPI_Scan(&n, &total, 1, MPI_INT, MPI_SUM, comm);
    MPI_Bcast(&total, 1, MPI_INT, 0, comm);
    """,
        "R-TR-15",
        "the root `0` of line 10 is not known to be the last rank",
    ),
    "another value than the prefix": (
        """
    int size, prefix, total = 0;
    MPI_Comm_size(comm, &size);
    MPI_Scan(&n, &prefix, 1, MPI_INT, MPI_SUM, comm);
    total = prefix;
    prefix = 0;
    total++;
    MPI_Bcast(&total, 1, MPI_INT, size - 1, comm);
    """,
        "R-TR-15",
        "`&total` of line 14 is not known to be the last rank's result of the scan",
    ),
    "two roots": (
        """
    double whole;
    MPI_Reduce(x, &whole, 1, MPI_DOUBLE, MPI_SUM, 0, comm);
    MPI_Bcast(&whole, 1, MPI_DOUBLE, n, comm);
    """,
        "R-TR-16",
        "their roots `0` and `n` may be two ranks",
    ),
    "the map needs what the switch does not have": (
        """
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < n; i++) x[i] = x[i] / y[0];
    """,
        "R-TR-14",
        "`y[0]` of line 9 is neither the element nor a constant, and the switch does not have it",
    ),
    "a type that is another one at the switch": (
        """
    MPI_Allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < n; i++) x[i] = (long)x[i] / 2;
    """,
        "R-TR-14",
        "`(long)x[i]` of line 9 is nothing that the map of an operation has",
    ),
    "a loop that is not over all ranks": (
        """
    int size, all[64];
    MPI_Comm_size(comm, &size);
    MPI_Allgather(&n, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 1; i < size - 1; i++) all[i] += all[i - 1];
    """,
        "R-TR-13",
        "the loop of line 11 does not run from the second rank's element to the last one's",
    ),
    "collectives that do not block": (
        """
    MPI_Request r;
    MPI_Iallreduce(&n, x, 1, MPI_INT, MPI_SUM, comm, &r);
    MPI_Allreduce(&n, y, 1, MPI_INT, MPI_MAX, comm);
    """,
        "R-TR-2",
        "MPI_Iallreduce of line 9 is not a plain blocking collective",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(said, name):
    text, rule, why = REFUSED[name]
    answer = said(text)
    assert found(answer) == []
    assert refused(answer) == [(rule, why)]


def test_wrappers_may_check_and_no_more(said):
    """R-TR-3: assertions that are switched off are pure; what counts calls is not."""
    text = """
    static int calls;
    int lib_Scan(void *a, void *b, int n, MPI_Datatype t, MPI_Op op, MPI_Comm c) {
        do { if (0) { (void)(n >= 0); } } while (0);
        return MPI_Scan(a, b, n, t, op, c);
    }
    void f(int n, MPI_Comm comm) {
        int rank, size, total, prefix;
        MPI_Comm_rank(comm, &rank);
        MPI_Comm_size(comm, &size);
        lib_Scan(&n, &prefix, 1, MPI_INT, MPI_SUM, comm);
        if (rank == size - 1) total = prefix;
        MPI_Bcast(&total, 1, MPI_INT, size - 1, comm);
    }
    """
    assert len(found(said(text, None))) == 1
    assert said(text.replace("do {", "calls++; do {"), None) == []


def test_functions_are_looked_into(said):
    """R-TR-6 and R-TR-7: one that only computes is pure, one that reads a clock, too."""
    text = """
    static double spent[8];
    static double now(void) { return MPI_Wtime(); }
    void stop(int at) { spent[at] += now(); }
    double twice(const double *x, int n) {
        double s = 0; for (int i = 0; i < n; i++) s += x[i];
        return 2 * s;
    }
    int endless(int n) { return n ? endless(n - 1) : 0; }
    """
    of = "void f(double *x, double *y, int n, MPI_Comm comm) {" + two("{between}") + "}"
    pure = of.replace("{between}", "stop(1); all_a = twice(&all_a, 1);")
    assert len(found(said(text + pure, None))) == 1
    again = of.replace("{between}", "endless(n);")
    assert refused(said(text + again, None))[0][1].endswith("endless calls itself (line 14)")


def test_restrict_and_types_part_pointers(said):
    """R-TR-9."""
    text = """
    MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_MAX, comm);
    """
    plain = "double *x, double *y, MPI_Comm comm"
    assert len(refused(said(text, plain))) == 1
    assert len(found(said(text, plain.replace("*", "*restrict ")))) == 1
    # An int is no double, but a character may be anything.
    others = text.replace("MPI_Allreduce(x", "MPI_Allreduce(k").replace("MPI_DOUBLE", "MPI_INT", 0)
    assert len(found(said(others, "int *k, double *y, MPI_Comm comm"))) == 1
    assert len(refused(said(others, "char *k, double *y, MPI_Comm comm"))) == 1


def test_runs_are_compared_word_by_word():
    """R-TR-20: words that vary in the original are left out."""
    originals = ["sum 10 time 1.5", "sum 10 time 1.7"]
    assert compare(originals, "sum 10 time 9").are_equal
    told = compare(originals, "sum 11 time 9")
    assert (told.words, told.varying, told.different) == (3, 1, ("10 -> 11",))
    assert not compare(["a b", "a b"], "a").are_equal
