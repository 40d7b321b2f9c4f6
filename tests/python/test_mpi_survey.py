"""The survey of MPI programs, on sources whose counts are known by hand."""

from __future__ import annotations

import json
import sqlite3

import pytest

pytest.importorskip("tree_sitter_fortran")

from netfold.mpi.chains import CHAINS, between
from netfold.mpi.signatures import COLLECTIVES, form
from netfold.mpi.survey import command, database, repository, source
from netfold.mpi.survey.questions import features
from netfold.mpi.trace import TraceError, read

WRAPPERS = """
#include <mpi.h>
#define SUM_ALL(in, out, n) MPI_Allreduce(in, out, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD)
#define my_Bcast MPI_Bcast
#define KEY MPI_INT
#ifdef SEQUENTIAL
int lib_Allgatherv(void *a, int n, MPI_Datatype t, void *b, int *c, int *d, MPI_Datatype u,
                   MPI_Comm comm) {
    return lib_Allgather(a, n, t, b, *c, u, comm);
}
#else
int lib_Allgatherv(void *a, int n, MPI_Datatype t, void *b, int *c, int *d, MPI_Datatype u,
                   MPI_Comm comm) {
    return (int)MPI_Allgatherv(a, (int)n, t, b, (int *)c, d, u, comm);
}
#endif
int lib_Allgather(void *a, int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm comm) {
    return (int)MPI_Allgather(a, (int)n, t, b, (int)m, u, comm);
}
/* Not a wrapper: the buffer is its own. */
double norm(double *x, int n) {
    double mine = dot(x, n), all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}
"""

PROGRAM = """
#include "wrappers.h"
static void first(void *in, void *out, int *n, MPI_Datatype *t) {}
void run(double *x, int *k, MPI_Comm given) {
    MPI_Comm row, all = MPI_COMM_WORLD;
    MPI_Op mine;
    MPI_Datatype column;
    MPI_Comm_split(given, 0, 0, &row);
    MPI_Op_create(first, 1, &mine);
    MPI_Type_vector(3, 1, 3, MPI_DOUBLE, &column);
    SUM_ALL(x, x + 1, 1);
    my_Bcast(k, 1, KEY, 0, row);
    lib_Allgatherv(k, 1, MPI_INT, k, k, k, MPI_INT, given);
    lib_Allgather(k, 1, column, k, 1, column, MPI_COMM_SELF);
    MPI_Allreduce(MPI_IN_PLACE, k, 1, MPI_INT, mine, all);
    MPI_Request request;
    MPI_Ibcast(k, 1, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Allreduce_init(x, k, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Neighbor_alltoall(x, 1, MPI_INT, k, 1, MPI_INT, row);
}
"""


@pytest.fixture
def surveyed(tmp_path):
    def survey(**files: str) -> sqlite3.Connection:
        folder = tmp_path / "program"
        folder.mkdir()
        for name, text in files.items():
            stem, _, suffix = name.rpartition("_")
            (folder / f"{stem}.{suffix}").write_text(text)
        found = database.create(None)
        database.add(found, repository.read(folder))
        return found

    return survey


def counts(found: sqlite3.Connection, column: str) -> dict[object, int]:
    return dict(found.execute(f"SELECT {column}, count(*) FROM uses GROUP BY 1").fetchall())


def test_wrappers_are_resolved(surveyed):
    found = surveyed(wrappers_h=WRAPPERS, program_c=PROGRAM)
    assert dict(found.execute("SELECT name, collective FROM wrappers")) == {
        "SUM_ALL": "MPI_Allreduce",
        "my_Bcast": "MPI_Bcast",
        "lib_Allgather": "MPI_Allgather",
        "lib_Allgatherv": "MPI_Allgatherv",
    }
    # By hand: eight calls of the program, and that of `norm`; none that wrappers make.
    assert counts(found, "name") == {
        "MPI_Allreduce": 3,
        "MPI_Bcast": 1,
        "MPI_Allgatherv": 1,
        "MPI_Allgather": 1,
        "MPI_Ibcast": 1,
        "MPI_Allreduce_init": 1,
        "MPI_Neighbor_alltoall": 1,
    }
    assert counts(found, "communicator") == {"world": 5, "made": 2, "parameter": 1, "self": 1}
    # The buffers of two of these; `KEY` is an int, and SUM_ALL's type stands in the macro.
    assert counts(found, "type") == {"f64": 2, "i32": 6, "derived": 1}
    assert counts(found, "operation") == {None: 5, "sum": 2, "user": 1, "max": 1}
    assert found.execute("SELECT function, commutes, name FROM user_operations").fetchall() == [
        ("first", "1", "mine")
    ]
    assert [count for _, count, _ in features(found)] == [1, 1, 1, 1, 1, 1, 1, 1, 0]


FIXED = """\
c     call mpi_barrier(world, ierr)
      subroutine norms(s, t, comm)
      double precision s, t, ss
      call mpi_allreduce(s, ss, 1,
     >     mpi_double_precision, mpi_max, comm, ierr)
      s = ss
      call MPI_ALLREDUCE(t, ss, 1, ! not a continuation
     & MPI_DOUBLE_PRECISION,
     & MPI_SUM, comm, ierr)
      end
"""
FREE = """\
subroutine totals(x, n)
  use mpi_f08
  integer :: n, kind
  kind = MPI_REAL8
  if (n > 0) then
    call MPI_Reduce(x, y, n, kind, op=MPI_SUM, root=0, comm=MPI_COMM_WORLD)
  end if
  call MPI_Bcast(y, n, &
    kind, 0, MPI_COMM_WORLD)
end subroutine
"""


def test_fortran_of_both_forms(surveyed):
    found = surveyed(norms_f=FIXED, totals_f90=FREE)
    rows = found.execute(
        "SELECT name, line, function, type, operation, communicator FROM uses ORDER BY path, line"
    )
    assert rows.fetchall() == [
        ("MPI_Allreduce", 4, "norms", "f64", "max", "parameter"),
        ("MPI_Allreduce", 7, "norms", "f64", "sum", "parameter"),
        ("MPI_Reduce", 6, "totals", "f64", "sum", "world"),
        ("MPI_Bcast", 8, "totals", "f64", None, "world"),
    ]
    pairs = found.execute("SELECT stages, lines, same_block, depends FROM pairs ORDER BY 1")
    assert pairs.fetchall() == [
        ("all_reduce, all_reduce", 3, 1, 0),
        ("reduce, broadcast", 2, 0, 1),
    ]


PAIRS = """
void pairs(int *a, int *b, int *c, MPI_Comm one, MPI_Comm two) {
    MPI_Allreduce(a, b, 1, MPI_INT, MPI_SUM, one);
    MPI_Allreduce(b, c, 1, MPI_INT, MPI_SUM, one);   /* needs the one before */
    MPI_Alltoall(a, 1, MPI_INT, b, 1, MPI_INT, one); /* does not */
    MPI_Alltoallv(a, c, c, MPI_INT, c, b, c, MPI_INT, one);
    MPI_Scan(a, b, 1, MPI_INT, MPI_SUM, two);
    MPI_Bcast(&b[0], 1, MPI_INT, 3, two);
    MPI_Barrier(two);
    MPI_Barrier(two);
}
void other(int *b, MPI_Comm two) { MPI_Bcast(b, 1, MPI_INT, 0, two); }
"""


def test_pairs_are_those_of_a_communicator_and_a_function(surveyed):
    found = surveyed(pairs_c=PAIRS)
    rows = found.execute(
        "SELECT one.collective, two.collective, depends, stages FROM pairs"
        " JOIN uses AS one ON first = one.id JOIN uses AS two ON second = two.id ORDER BY one.id"
    )
    assert rows.fetchall() == [
        ("Allreduce", "Allreduce", 1, None),
        ("Allreduce", "Alltoall", 0, "all_reduce, all_to_all"),
        ("Alltoall", "Alltoallv", 1, "all_to_all_v"),
        ("Scan", "Bcast", 1, "scan, broadcast"),
        ("Bcast", "Barrier", 0, None),
        ("Barrier", "Barrier", 0, None),
    ]


def test_cpp_of_old_bindings_and_templates(surveyed):
    found = surveyed(
        old_cpp="void f(int *x) { MPI::COMM_WORLD.Bcast(x, 1, MPI::INT, 0); }",
        new_hpp="template <class T> void g(T *x) {"
        " MPI_Allreduce(MPI_IN_PLACE, x, 1, kind<T>(), MPI_SUM, MPI_COMM_WORLD); }",
    )
    rows = found.execute("SELECT name, type, communicator FROM uses ORDER BY 1")
    assert rows.fetchall() == [("MPI_Allreduce", None, "world"), ("MPI_Bcast", "i32", "world")]


def call(rank: int, n: int, name: str, start: int, **more: object) -> dict[str, object]:
    of_all = {"comm": "world", "size": 2, "count": 1, "bytes": 8, "received": 8, "type": "f64"}
    rest = {"op": "sum", "root": None, "start": start, "end": start + 10, "path": "switch"}
    return {"rank": rank, "n": n, "call": name, **of_all, **rest, "site": None, **more}


def trace_of(path, *lines: dict[str, object]):
    head = {"trace": 1, "rank": 0, "size": 2, "program": "a.out", "mpi": "x", "host": "h"}
    path.write_text("".join(json.dumps(line) + "\n" for line in (head, *lines)))
    return path


def test_traces_are_counted(tmp_path):
    """R-MTR-2 and R-MTR-7: lines of ranks are mixed; a pair is of one rank and communicator."""
    path = trace_of(
        tmp_path / "trace",
        call(1, 0, "MPI_Allreduce", 5),
        call(0, 1, "MPI_Bcast", 30, comm="1", bytes=400),
        call(0, 0, "MPI_Allreduce", 0),
        call(0, 2, "MPI_Scan", 50),
    )
    found = database.create(None)
    database.add_trace(found, read([path]))
    assert found.execute("SELECT * FROM dynamic_pairs").fetchall() == [
        ("a.out", "MPI_Allreduce", "MPI_Scan", 1, 40)
    ]
    rows = found.execute(
        "SELECT collective, bytes, calls, nanoseconds FROM dynamic_calls ORDER BY 1"
    )
    assert rows.fetchall() == [
        ("MPI_Allreduce", 8, 2, 20),
        ("MPI_Bcast", 400, 1, 10),
        ("MPI_Scan", 8, 1, 10),
    ]


def test_a_trace_ends_where_its_rank_was_killed(tmp_path):
    """R-MTR-1."""
    path = trace_of(tmp_path / "trace", call(0, 0, "MPI_Scan", 0))
    path.write_text(path.read_text() + '{"rank":0,"n":1,"ca')
    assert len(read([path]).calls) == 1
    path.write_text(path.read_text() + "\n")
    with pytest.raises(TraceError, match=r"trace, line 3: not a line of a trace"):
        read([path])
    path.write_text('{"trace":2}\n')
    with pytest.raises(TraceError, match="version 2; this netfold reads version 1"):
        read([path])


def test_the_command_writes_a_report(tmp_path, capsys):
    folder = tmp_path / "program"
    folder.mkdir()
    (folder / "pairs.c").write_text(PAIRS)
    out = tmp_path / "out"
    assert command.main([str(folder), "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "| MPI_Bcast     |     2 |        1 |" in printed
    assert sorted(path.name for path in out.iterdir()) == [
        "collectives.svg",
        "communicators.svg",
        "fusable.svg",
        "operations.svg",
        "pairs.svg",
        "report.md",
        "survey.sqlite",
        "types.svg",
    ]
    assert command.main([str(folder), "--query", "SELECT count(*) AS calls FROM uses"]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "|     9 |"
    assert command.main([str(folder), "--query", "SELECT absent"]) == 2
    assert "no such column: absent" in capsys.readouterr().err
    assert command.main([str(tmp_path / "none")]) == 2
    assert "is not a folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("MPI_Iallreduce", "MPI_Iallreduce"),
        ("mpi_ibcast", "MPI_Ibcast"),
        ("PMPI_Bcast", "MPI_Bcast"),
        ("MPI_Alltoallw_c", "MPI_Alltoallw"),
        ("MPI_Ineighbor_alltoallv", "MPI_Ineighbor_alltoallv"),
        ("MPI_Neighbor_allgather_init", "MPI_Neighbor_allgather_init"),
        ("MPI_Initialized", None),
        ("MPI_Neighbor_bcast", None),
        ("MPI_Init", None),
        ("MPI_Scatterer", None),
    ],
)
def test_names_of_collectives(name, expected):
    found = form(name)
    assert (found.name if found else None) == expected


def test_casts_are_taken_off():
    assert source.base("(void *)&x[1]") == "x"
    assert source.base("(const double*) (y)") == "y"
    assert source.base("static_cast<void*>(z)") == "static_cast"
    assert source.bare("(a) + (b)") == "(a) + (b)"


def test_chains_are_of_collectives():
    for chain in CHAINS:
        assert {chain.first, chain.second} <= set(COLLECTIVES)
        assert between(chain.first, chain.second, chain.depends) is chain
    assert between("Allreduce", "Allreduce", True) is None
