"""Pairs of a trace that the analysis of the sources has not seen."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

pytest.importorskip("clang.cindex")

from netfold.mpi.trace import read
from netfold.mpi.translate import find, missed, program

SOURCE = """\
#include <mpi.h>
void one(double *x, double *y) {
    MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
void two(double *x, double *y) {
    MPI_Allreduce(x, y, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
}
"""


def line(rank: int, n: int, site: str | None, call: str = "MPI_Allreduce") -> str:
    of_all = {"comm": "world", "size": 2, "count": 1, "bytes": 8, "received": 8, "type": "f64"}
    rest = {"op": "sum", "root": None, "start": 1000 * n, "end": 1000 * n + 400, "path": "host"}
    return json.dumps({"rank": rank, "n": n, "call": call, **of_all, **rest, "site": site})


def test_pairs_of_two_functions_are_told(tmp_path):
    """The sites lead to lines by the debugger's information of the program (R-MTR-4)."""
    if not (shutil.which("cc") and shutil.which("nm") and shutil.which("addr2line")):
        pytest.skip("there is no cc, nm or addr2line")
    source, compiled = tmp_path / "program.c", tmp_path / "program.so"
    source.write_text(SOURCE)
    stub = tmp_path / "stub"
    parsed = program.load([source], [])
    stub.mkdir()
    (stub / "mpi.h").write_text(
        "extern int MPI_DOUBLE, MPI_SUM, MPI_MAX, MPI_COMM_WORLD; int MPI_Allreduce();"
    )
    flags = ["-g", "-O0", "-shared", "-fPIC", f"-I{stub}", "-o", str(compiled), str(source)]
    subprocess.run(["cc", *flags], check=True)
    table = subprocess.run(["nm", str(compiled)], capture_output=True, text=True, check=True)
    at = {
        row.split()[-1]: int(row.split()[0], 16)
        for row in table.stdout.splitlines()
        if " T " in row
    }
    # Any address of the function but its first is behind an instruction of it.
    sites = [f"{compiled}+{hex(at[name] + 1)}" for name in ("one", "two")]
    trace = tmp_path / "trace"
    lines = [line(rank, n, sites[n % 2]) for rank in range(2) for n in range(4)]
    lines.append(line(0, 4, None, "MPI_Barrier"))
    trace.write_text("".join(f"{row}\n" for row in lines))
    found = missed.missed(parsed, read([trace]), find.find(parsed))
    told = {(pair.where, pair.count, pair.microseconds, pair.why) for pair in found}
    first, second = f"{source}:2", f"{source}:5"
    why = "the two calls are in two functions, or two rounds of a loop"
    assert told == {
        (f"{first} and {second}", 2, 0.6, why),
        (f"{second} and {first}", 1, 0.6, why),
    }


def test_without_sites_the_number_is_told(tmp_path):
    source, trace = tmp_path / "program.c", tmp_path / "trace"
    source.write_text(SOURCE)
    trace.write_text(f"{line(0, 0, None)}\n{line(0, 1, None)}\n")
    parsed = program.load([source], [])
    [pair] = missed.missed(parsed, read([trace]), find.find(parsed))
    assert (pair.where, pair.count) == ("somewhere", 1)
    assert pair.why == "build the program with -g to learn where"
