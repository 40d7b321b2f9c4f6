"""Programs with the library and without: what they are given, and what is read of their output."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from bench import mpi

AMG = """\
Running with these driver parameters:
  solver ID    = 1

  Laplacian_27pt:
    (Nx, Ny, Nz) = (64, 64, 32)
    (Px, Py, Pz) = (2, 2, 1)

=============================================
Generate Matrix:
=============================================
Spatial Operator:
  wall clock time = 40.000000 seconds
  wall MFLOPS     = 0.000000
  cpu clock time  = 80.000000 seconds
  cpu MFLOPS      = 0.000000

  RHS vector has unit components
  Initial guess is 0
=============================================
IJ Vector Setup:
=============================================
RHS and Initial Guess:
  wall clock time = 20.000000 seconds
  wall MFLOPS     = 0.000000
  cpu clock time  = 10.000000 seconds
  cpu MFLOPS      = 0.000000

=============================================
Problem 1: AMG Setup Time:
=============================================
PCG Setup:
  wall clock time = 0.250000 seconds
  wall MFLOPS     = 0.000000
  cpu clock time  = 5.000000 seconds
  cpu MFLOPS      = 0.000000


FOM_Setup: nnz_AP / Setup Phase Time: 5.552436e+07

=============================================
Problem 1: AMG-PCG Solve Time:
=============================================
PCG Solve:
  wall clock time = 1.500000 seconds
  wall MFLOPS     = 0.000000
  cpu clock time  = 3.000000 seconds
  cpu MFLOPS      = 0.000000


Iterations = 20
Final Relative Residual Norm = 7.979902e-09


FOM_Solve: nnz_AP * Iterations / Solve Phase Time: 2.176471e+08



Figure of Merit (FOM_1): 1.632353e+08

"""
"""Output of AMG's driver as its documentation prints it, with other numbers."""

NORM = "7.979902e-09"


def amg() -> mpi.Kind:
    """The kind of AMG."""
    return next(kind for kind in mpi.KINDS if kind.name == "AMG")


def test_amg_takes_the_time_of_setup_and_solution() -> None:
    assert amg().read(AMG) == {mpi.WHOLE: 0.25 + 1.5}


@pytest.mark.parametrize("norm", ["9.999999e-09", "1.000000e-08", "3.2e-10", "1.7e-123"])
def test_amg_has_converged_below_its_tolerance(norm: str) -> None:
    assert amg().read(AMG.replace(NORM, norm)) == {mpi.WHOLE: 1.75}


@pytest.mark.parametrize(
    "norm", ["1.000001e-08", "7.979902e-08", "7.979902e-01", "1.0e+09", "-nan", "inf", ""]
)
def test_amg_without_convergence_has_failed(norm: str) -> None:
    with pytest.raises(ValueError, match="does not say"):
        amg().read(AMG.replace(NORM, norm))


def test_amg_that_has_ended_early_has_no_time() -> None:
    ended = AMG.replace("AMG-PCG Solve Time", "AMG-GMRES Solve Time")
    assert amg().read(ended) == {}


@pytest.mark.parametrize(
    ("ranks", "sides"),
    [
        (1, (1, 1, 1)),
        (2, (2, 1, 1)),
        (4, (2, 2, 1)),
        (6, (3, 2, 1)),
        (7, (7, 1, 1)),
        (8, (2, 2, 2)),
        (16, (4, 2, 2)),
    ],
)
def test_ranks_are_in_a_grid(ranks: int, sides: tuple[int, int, int]) -> None:
    assert mpi.grid(ranks) == sides


MPIRUN = """#!/bin/sh
# mpirun -n RANKS PROGRAM ARGUMENT ...
echo "$*" >> "$(dirname "$0")/log"
case "$3" in
*/amg) cat "$(dirname "$0")/amg.$2" ;;
*) echo " Verification    =               SUCCESSFUL"; echo " Time in seconds =   0.50" ;;
esac
"""

NETFOLD = """#!/bin/sh
# netfold mpirun --library FILE --mpirun MPIRUN -n RANKS PROGRAM ARGUMENT ...
shift 5
exec "$(dirname "$0")/mpirun" "$@"
"""


def test_programs_have_the_ranks_that_they_can_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("amg", "cg.A.4", "cg.A.8", "cg.A.16", "other"):
        (programs / name).touch()
    for name, text in {"mpirun": MPIRUN, "netfold": NETFOLD}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / "amg.4").write_text(AMG)
    (tmp_path / "amg.8").write_text(AMG.replace(NORM, "2.5e-03"))
    (tmp_path / "library.so").touch()
    monkeypatch.setattr(mpi, "netfold", lambda *words: [str(tmp_path / "netfold"), *words])
    monkeypatch.setattr(mpi, "RECORDED", tmp_path / "record")
    words = {
        "--programs": programs,
        "--mpirun": tmp_path / "mpirun",
        "--library": tmp_path / "library.so",
        "--rounds": 1,
        "--record": "of_test",
    }
    given = [str(word) for pair in words.items() for word in pair]
    monkeypatch.setattr(sys, "argv", ["bench.mpi", *given, "--ranks", "4", "8"])
    with pytest.raises(SystemExit) as end:
        mpi.main()
    assert end.value.code == 1, "AMG has not converged with eight ranks"
    calls = (tmp_path / "log").read_text().splitlines()
    solved = "-problem 1 -n 32 32 32 -P"
    assert calls == [
        f"-n 4 {programs}/amg {solved} 2 2 1",
        f"-n 4 {programs}/amg {solved} 2 2 1",
        f"-n 8 {programs}/amg {solved} 2 2 2",
        f"-n 4 {programs}/cg.A.4",
        f"-n 4 {programs}/cg.A.4",
        f"-n 8 {programs}/cg.A.8",
        f"-n 8 {programs}/cg.A.8",
    ]
    document = json.loads((tmp_path / "record/of_test/results.json").read_text())
    times = {(row["program"], row["ranks"]): row["seconds"] for row in document["rows"]}
    assert times == {
        ("amg", 4): {"host": [1.75], "netfold": [1.75]},
        ("cg.A.4", 4): {"host": [0.5], "netfold": [0.5]},
        ("cg.A.8", 8): {"host": [0.5], "netfold": [0.5]},
    }
    assert list(document["failures"]) == ["amg, 8"]
    assert "does not say" in document["failures"]["amg, 8"]
