"""Random programs whose functions call functions that make collectives (R-TR-25), beside their
translations, both run by an MPI that is installed.
"""

from __future__ import annotations

import random
import re
import shutil

import pytest

pytest.importorskip("clang.cindex")

from netfold.mpi.translate import check, command, operation
from test_mpi_check import COMPILERS, missing

FUNCTIONS = 60
NAMES = ("a", "b", "c", "own", "m[0]", "m[1]", "p[0]", "p[1]")
"""Places of a function: variables, a global one, and elements by an array and by a pointer to it."""

HEAD = """
#include <mpi.h>
#include <stdio.h>
static int own, calls;
static int sum_of(int mine) {
    int all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all % 1000;
}
static int counted_sum(int mine, MPI_Comm comm) {
    int all, status;
    calls += 1;
    status = MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, comm);
    calls += 2;
    return all % 1000 + calls + status;
}
static void largest(const int *mine, int *most) {
    MPI_Allreduce(mine, most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    calls += 1;
}
static void sum_of_own(int *all) {
    MPI_Allreduce(&own, all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    *all = *all % 1000;
}
static int sum_in_place(int *both) {
    int before = *both;
    MPI_Allreduce(MPI_IN_PLACE, both, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    *both = *both % 1000;
    return before;
}
static int noting_sum(int mine) {
    int all;
    own = (own + 5) % 100;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all % 1000;
}
static int changed_sum(int mine) {
    int all;
    mine += own;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    own = 1;
    return all % 1000;
}
"""

MAIN = """
int main(int argc, char **argv) {
    int rank, size, got[9][FUNCTIONS], mine[FUNCTIONS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int at = 0; at < FUNCTIONS; at++) {
        own = 3 * rank + at % 5;
        mine[at] = functions[at](rank + at % 7, MPI_COMM_WORLD);
    }
    MPI_Gather(mine, FUNCTIONS, MPI_INT, got, FUNCTIONS, MPI_INT, 0, MPI_COMM_WORLD);
    for (int at = 0; rank == 0 && at < size * FUNCTIONS; at++)
        printf("%d%c", got[at / FUNCTIONS][at % FUNCTIONS], at % FUNCTIONS == FUNCTIONS - 1 ? 10 : 32);
    MPI_Finalize();
    return 0;
}
"""


def statement(draw: random.Random) -> str:
    """Return a statement; most make a collective."""
    one, two, three = (draw.choice(NAMES) for _ in range(3))
    value = draw.choice([two, f"{two} + 1", f"{two} - {three}"])
    overlap = {two, three} <= {"m[0]", "m[1]", "p[0]", "p[1]"} or two == three
    return draw.choice([
        f"{one} = {value};",
        f"{one} = {value};",
        f"{one} = sum_of({value});",
        f"{one} += 2 * sum_of({value});",
        f"{one} = counted_sum({value}, comm) - {three};",
        f"{one} = sum_of({value});" if overlap else f"largest(&{two}, &{three});",
        f"sum_of_own(&{one});" if one != "own" else f"own = {value};",
        f"{one} = sum_in_place(&{two});",
        f"{one} = changed_sum({value});",
        f"{one} = noting_sum({value});",
        f"{one} = sum_of({value});" if overlap else
        f"MPI_Allreduce(&{two}, &{three}, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);",
    ])  # fmt: skip


def program(seed: int) -> str:
    """Return a program of so many random functions, each with a few statements."""
    draw = random.Random(seed)
    functions = ""
    for at in range(FUNCTIONS):
        body = "".join(f"    {statement(draw)}\n" for _ in range(draw.randint(2, 6)))
        functions += (
            f"static int f{at}(int n, MPI_Comm comm) {{\n"
            "    int a = n, b = 2 * n + 1, c = 3, m[2] = {n * n, 7 - n}, *p = m;\n"
            f"{body}    return a + 3 * b + 5 * c + 7 * m[0] + 11 * m[1] + 13 * own;\n}}\n"
        )
    names = ", ".join(f"f{at}" for at in range(FUNCTIONS))
    table = f"static int (*const functions[FUNCTIONS])(int, MPI_Comm) = {{{names}}};\n"
    return f"#define FUNCTIONS {FUNCTIONS}{HEAD}{functions}{table}{MAIN}"


@pytest.mark.parametrize("seed", [2, 3, 4])
def test_random_programs_agree(tmp_path, monkeypatch, capsys, seed):
    monkeypatch.setattr(operation, "command", lambda: shutil.which("netfold") or "netfold")
    monkeypatch.setattr(check, "command", operation.command)
    compiler = next((it for it in COMPILERS if not missing(it)), None)
    if compiler is None:
        pytest.skip(f"there is no {missing(next(iter(COMPILERS)))}")
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"):
        monkeypatch.setenv(name, "1")
    source = tmp_path / "program.c"
    source.write_text(program(seed))
    status = command.main(
        [
            str(source), "--out", str(tmp_path / "new"), "--check", "--seconds", "60",
            "--build", f"{compiler} -O1 -w {{sources}} -o {{program}}",
            "--run", f"{COMPILERS[compiler]} -n 3 {{program}}",
        ]
    )  # fmt: skip
    printed = capsys.readouterr()
    assert status == 0, printed.err + printed.out[-4000:]
    assert f"check: {3 * FUNCTIONS} words of output are the same" in printed.out
    # Enough of them are pairs, and enough are not, for this to mean something.
    pairs = len(re.findall("^found .*in two functions", printed.out, re.MULTILINE))
    refused = len(re.findall(r"^refused ", printed.out, re.MULTILINE))
    assert pairs > FUNCTIONS / 6
    assert refused > FUNCTIONS / 6
