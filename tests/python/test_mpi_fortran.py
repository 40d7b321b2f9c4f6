"""Pairs of all-reduces in Fortran, found or refused (R-TR-21)."""

from __future__ import annotations

import pytest

pytest.importorskip("tree_sitter_fortran")
pytest.importorskip("clang.cindex")

from netfold.mpi.translate import command, fortran

NORM = """\
      subroutine norm(s, rnmu, comm)
      double precision s, rnmu, ss, work(3)
      call mpi_allreduce(rnmu, ss, 1, dp_type,
     >     mpi_max, comm, ierr)
{between}
      call mpi_allreduce({second}, ss, 1, dp_type,
     >     mpi_sum, {comm}, ierr)
      s = ss
      end
"""


def look(tmp_path, between="      rnmu = ss", second="s", comm="comm"):
    path = tmp_path / "norm.f"
    path.write_text(
        NORM.replace("{between}", between).replace("{second}", second).replace("{comm}", comm)
    )
    return fortran.find(path)


def test_the_pair_of_mg_is_found(tmp_path, capsys):
    """MG: two all-reduces, received into one variable one after the other."""
    [pair] = look(tmp_path)
    assert isinstance(pair, fortran.Pair)
    assert (pair.function, pair.lines) == ("norm", (3, 6))
    assert command.main([str(tmp_path / "norm.f")]) == 0
    assert capsys.readouterr().out.endswith(
        "norm.f:3-6 norm: mpi_allreduce, mpi_allreduce: at once [all_reduce, all_reduce]; "
        "Fortran is not rewritten\n"
    )
    between = "      if (ss .gt. 1.d0) then\n        work(1) = sqrt(ss)\n      endif"
    assert isinstance(look(tmp_path, between)[0], fortran.Pair)


@pytest.mark.parametrize(
    ("given", "rule", "why"),
    [
        (
            {"second": "ss"},
            "R-TR-12",
            "`ss`, which mpi_allreduce of line 6 needs, is what mpi_allreduce gives",
        ),
        (
            {"between": "      s = s + ss"},
            "R-TR-12",
            "`s`, which mpi_allreduce of line 6 needs, is computed between",
        ),
        ({"comm": "other"}, "R-TR-2", "they have `comm` and `other`"),
        ({"between": "      call timer(1)"}, "R-TR-6", "line 5: timer is called"),
        ({"between": "      rnmu = g(ss)"}, "R-TR-6", "line 5: g may be a function"),
        ({"between": "      return"}, "R-TR-5", "line 5: `return` is no assignment"),
        (
            {"between": "      equivalence (s, ss)"},
            "R-TR-21",
            "an EQUIVALENCE gives one place several names",
        ),
    ],
)
def test_refused(tmp_path, given, rule, why):
    [refusal] = look(tmp_path, **given)
    assert (refusal.rule, refusal.why) == (rule, why)
