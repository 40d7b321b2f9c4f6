"""Chains of MPI programs of which a collective stands in a function that is called (R-TR-25)."""

from __future__ import annotations

import pytest

pytest.importorskip("clang.cindex")

from netfold.mpi.translate import find, program, rewrite
from netfold.mpi.translate.found import Chain, Refusal

HEAD = "#include <mpi.h>\n#include <stdio.h>\n"

FUNCTIONS = """
static double spent;
static double global_sum(double mine, MPI_Comm comm) {
    double all;
    spent -= MPI_Wtime();
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    spent += MPI_Wtime();
    return all;
}
static int global_max(const double *mine, double *most, int n, MPI_Comm comm) {
    int status;
    status = MPI_Allreduce(mine, most, n, MPI_DOUBLE, MPI_MAX, comm);
    return status != MPI_SUCCESS;
}
static double own;
static void sum_of_own(double *all) {
    MPI_Allreduce(&own, all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    *all *= spent;
}
static double sum_of_squares(const double *x, int n, MPI_Comm comm) {
    double s = 0, all;
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    MPI_Allreduce(&s, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}
static double next_sum(double mine, MPI_Comm comm) {
    double all;
    mine += 1;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all;
}
static double loud_sum(double mine, MPI_Comm comm) {
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    printf("%g", all);
    return all;
}
static double positive_sum(double mine, MPI_Comm comm) {
    double all = 0;
    if (mine < 0) return 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    return all + 1;
}
struct grid { MPI_Comm comm; };
static double grid_sum(struct grid *grid, double mine) {
    double all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, grid->comm);
    return all + 1;
}
static double twice(double mine, MPI_Comm comm) {
    double all, most;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Bcast(&all, 1, MPI_DOUBLE, 0, comm);
    most = global_sum(mine, comm);
    return all + most;
}
"""


@pytest.fixture
def said(tmp_path):
    """Findings of the translator in the body of a function that may call those above."""

    def look(text: str) -> list[Chain | Refusal]:
        path = tmp_path / "program.c"
        parameters = (
            "double a, double b, double *x, MPI_Comm comm, struct grid *one, struct grid *two"
        )
        path.write_text(f"{HEAD}{FUNCTIONS}\nvoid f({parameters}) {{\n{text}\n}}\n")
        found = find.find(program.load([path], []))
        return [it for it in found if it.function == "f"]

    return look


def found(answer: list[Chain | Refusal]) -> list[str]:
    return [it.stages for it in answer if isinstance(it, Chain)]


SUMS = "all_reduce sum f64; all_reduce sum f64"

FOUND = {
    "the caller's, then the callee's": (
        """
    double all;
    MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    x[0] = all + global_sum(b, comm);
    """,
        "all_reduce max f64; all_reduce sum f64",
        "{&(double){b}, 1}",
    ),
    "the callee's, then the caller's": (
        """
    double all;
    a = global_sum(a, comm);
    MPI_Allreduce(&b, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
    """,
        SUMS,
        "netfold_chain_expect(&netfold_1, (netfold_input){&b, 1});",
    ),
    "one callee twice": (
        "double s = global_sum(a, comm), t;\n t = 2 * global_sum(b + 1, comm) - s;",
        SUMS,
        "netfold_chain_expect(&netfold_1, (netfold_input){&(double){b + 1}, 1});",
    ),
    "pointers": (
        "double mine[2] = {a, b}, most[2], s;\n s = global_sum(a, comm);\n"
        "global_max(mine, most, 2, comm);\n x[0] = s;",
        "all_reduce sum f64; all_reduce max f64",
        "netfold_chain_expect(&netfold_1, (netfold_input){mine, 2});",
    ),
    "a global variable is sent": (
        "double s = global_sum(a, MPI_COMM_WORLD), all;\n sum_of_own(&all);\n x[0] = s + all;",
        SUMS,
        "netfold_chain_expect(&netfold_1, (netfold_input){&own, 1});",
    ),
    "the first computes what it sends": (
        "double s = sum_of_squares(x, 3, comm);\n return (void)global_sum(b, comm);",
        SUMS,
        "netfold_chain_expect(&netfold_1, (netfold_input){&(double){b}, 1});",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_found(said, tmp_path, name):
    text, stages, expected = FOUND[name]
    assert found(said(text)) == [stages]
    parsed = program.load([tmp_path / "program.c"], [])
    [written] = rewrite.rewrite(parsed, list(find.chains(find.find(parsed)))[-1:])
    assert expected in written.after
    # One place is the first collective's, and one the second's.
    assert written.after.count("netfold_chain_take(&netfold_1, 0, ") == 1
    assert written.after.count("netfold_chain_take(&netfold_1, 1, ") == 1


REFUSED = {
    "the second needs the first": (
        "a = global_sum(a, comm);\n b = global_sum(a, comm);",
        "R-TR-25",
        "`a`, which MPI_Allreduce of line 62 needs, is computed between",
    ),
    "the second needs what the caller's gives": (
        "double all;\n MPI_Allreduce(&a, &all, 1, MPI_DOUBLE, MPI_SUM, comm);\n"
        "b = global_sum(all, comm);",
        "R-TR-12",
        "MPI_Allreduce of line 63 needs `all`, which may be what MPI_Allreduce of line 62 gives",
    ),
    "it is computed between": (
        "double s = global_sum(a, comm);\n b = 2 * b;\n s += global_sum(b, comm);",
        "R-TR-25",
        "`b`, which MPI_Allreduce of line 63 needs, is computed between",
    ),
    "the callee computes it": (
        "double s = global_sum(a, comm);\n s += sum_of_squares(x, 3, comm);",
        "R-TR-25",
        "`&s`, which sum_of_squares sends, is not a parameter of it",
    ),
    "the callee changes its parameter": (
        "double s = global_sum(a, comm);\n s += next_sum(b, comm);",
        "R-TR-25",
        "next_sum writes to its parameter `mine`",
    ),
    "the callee prints between": (
        "double s = loud_sum(a, comm);\n s += global_sum(b, comm);",
        "R-TR-5",
        "line 37: printf has an effect outside the program's memory",
    ),
    "the callee may leave before": (
        "double s = positive_sum(a, comm);\n s += global_sum(b, comm);",
        "R-TR-5",
        "line 42: `return` leaves the function",
    ),
    "two communicators": (
        "double s = global_sum(a, comm);\n s += global_sum(b, MPI_COMM_WORLD);",
        "R-TR-2",
        "they are on two communicators, `comm` and `MPI_COMM_WORLD`",
    ),
    "a communicator of each call": (
        "double s = grid_sum(one, a);\n s += grid_sum(two, b);",
        "R-TR-2",
        "`grid->comm` of grid_sum may be any communicator",
    ),
    "an argument does more than compute": (
        "double s = global_sum(a, comm);\n s += global_sum(*x++, comm);",
        "R-TR-5",
        "`*x++` of line 62 does more than compute",
    ),
    "communication between": (
        "double s = global_sum(a, comm);\n MPI_Barrier(comm);\n s += global_sum(b, comm);",
        "R-TR-5",
        "line 62: MPI_Barrier is another collective",
    ),
    "one under a condition": (
        "double s = global_sum(a, comm);\n if (a > 0) {\n s += global_sum(b, comm);\n }",
        "R-TR-1",
        "the one of line 63 stands in the `if` of line 62, the other outside",
    ),
    "two types": (
        "int n = 3, m;\n a = global_sum(a, comm);\n"
        "MPI_Allreduce(&n, &m, 1, MPI_INT, MPI_SUM, comm);",
        "R-TR-12",
        "their elements are of two types",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(said, name):
    text, rule, why = REFUSED[name]
    answer = said(text)
    assert found(answer) == []
    assert [(it.rule, it.why) for it in answer if isinstance(it, Refusal)] == [(rule, why)]


MAYBE = (
    "double s = a > 0 ? global_sum(a, comm) : 0;\n s += global_sum(b, comm);",
    "double s = twice(a, comm);\n s += global_sum(b, comm);",
    "double s = global_sum(a, comm) + global_sum(b, comm);\n s += global_sum(b, comm);",
)


@pytest.mark.parametrize("text", MAYBE)
def test_nothing_is_said_of_what_makes_none_or_several(said, text):
    """A statement that may make no collective, or makes two, is no member of a pair."""
    assert said(text) == []
