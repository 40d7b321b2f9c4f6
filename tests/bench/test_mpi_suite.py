"""Tests of an MPI, with the library and without: a launcher and programs of a few lines stand for
them here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from bench import mpi, mpi_suite
from bench.mpi_suite import PASSED, SIDES, Case, judged, listed, taken
from bench.place import Host
from bench.services import ended

LAUNCHER = """#!/bin/sh
# mpirun -n RANKS PROGRAM ARGUMENT ...
export RANKS=$2
shift 2
exec "$@"
"""

NETFOLD = """#!/bin/sh
# netfold mpirun --library FILE --mpirun MPIRUN [--mpi-table TABLE] -n RANKS PROGRAM ARGUMENT ...
mpirun=$5
shift 5
if [ "$1" = --mpi-table ]; then
    export TABLE=$2
    shift 2
fi
echo "  allreduce                      8-15  netfold          12        3.0        7.0" >&2
export WITH_LIBRARY=1
exec "$mpirun" "$@"
"""

PROGRAMS = {
    "good": "echo ' No Errors'",
    "wrong": "echo ' Found 2 errors'",
    "ended": "echo ' No Errors'; exit 3",
    "talks": "echo 'what else'; echo ' No Errors'",
    "host_only": '[ -z "$WITH_LIBRARY" ] && echo " No Errors"',
    "table_only": '[ "$TABLE" = all ] && echo " No Errors"',
    "asked": '[ "$RANKS $* $VARIABLE" = "3 -a=1 -b on" ] && echo " No Errors"',
    "late": "exec sleep 100",
}

LIST = """
# a comment
good 2
wrong 2
ended 2
talks 2
host_only 4
table_only 4
asked 3 arg=-a=1 arg=-b env=VARIABLE=on
late 2 timeLimit=1
missing 2
good 2
"""


def test_lists_are_those_of_mpich() -> None:
    assert listed(LIST) == [
        Case("good", 2),
        Case("wrong", 2),
        Case("ended", 2),
        Case("talks", 2),
        Case("host_only", 4),
        Case("table_only", 4),
        Case("asked", 3, ("-a=1", "-b"), (("VARIABLE", "on"),)),
        Case("late", 2, limit_s=1.0),
        Case("missing", 2),
    ]


def test_calls_of_the_host_are_not_counted() -> None:
    report = """\
netfold: collectives of 4 ranks, counted at each of them
  collective                     bytes  by             calls    mean us    host us  reason
  allreduce                      32-63  netfold          12        2.0        7.0
  allreduce                      32-63  host              4        7.0          -  timed here
  ibcast                             0  netfold           3        1.0          -
"""
    assert taken(report) == 15
    assert taken("") == 0


def test_what_failed_is_told() -> None:
    done = subprocess.CompletedProcess([], 1, "", "x\nnetfold: rank 1: a rank is lost\ny")
    assert judged(done) == "exit status 1: netfold: rank 1: a rank is lost"
    crash = "[host:1] *** Process received signal ***\n[host:1] Signal: Segmentation fault (11)\n"
    done = subprocess.CompletedProcess([], 139, " Found 2 errors\n", crash)
    assert judged(done) == "exit status 139: Found 2 errors | Signal: Segmentation fault (11)"


@pytest.mark.parametrize(("last", "is_right"), [("Pass", True), ("Fail", False), ("", True)])
def test_other_programs_pass_by_what_they_say(last: str, is_right: bool) -> None:
    table = f"# Size  Latency(us)  Validation\n4        0.61              Pass\n8   0.62   {last}\n"
    done = subprocess.CompletedProcess([], 0, table, "")
    assert (judged(done, r"(?s)(?!.*fail).*\d\s*(pass)?") == PASSED) == is_right
    assert judged(done) == "exit status 0: # Size  Latency(us)  Validation"


def test_late_programs_are_ended_with_what_they_have_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bench.services.ORDERLY_S", 0.1)
    # The child has the pipe, and goes on when its parent is killed.
    words = ["sh", "-c", "sleep 100 & trap '' TERM; wait"]
    before = time.monotonic()
    with pytest.raises(subprocess.TimeoutExpired):
        ended(words, 1.0)
    assert time.monotonic() - before < 50


def test_a_report_that_is_written_to_a_file_counts() -> None:
    says = "solution matches analytic solution to within 0.06 or better."
    writes = "echo 'Total Program Time: 3.25' > miniFE.64x64x64.P2.yaml"
    done = ended(["sh", "-c", f"echo '{says}'; {writes}"], 20.0)
    kind = next(kind for kind in mpi.KINDS if kind.name == "miniFE")
    assert kind.read(done.stdout) == {mpi.WHOLE: 3.25}
    with pytest.raises(ValueError, match="does not say"):
        kind.read(ended(["sh", "-c", writes], 20.0).stdout)


class Hosts:
    """A place whose commands say where they would run."""

    interface = "eth7"
    switch_address = "10.0.0.254"

    def address(self, host: int) -> str:
        return f"10.0.0.{host + 1}"

    def command(self, host: Host, argv: Sequence[str]) -> list[str]:
        return ["echo", f"at {host}:", *argv]

    def popen(self, *_: object, **__: object) -> subprocess.Popen[str]:
        raise AssertionError("nothing is started here")


def test_ranks_in_a_rack_have_hosts_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mpi, "netfold", lambda *words: ["netfold", *words])
    agent = tmp_path / "agent"
    launcher = mpi.Launcher(
        "mpirun", Path("library.so"), ("--tag",), Hosts(), agent, "10.0.0.254:5555"
    )
    host = launcher.command(["program", "-c"], 3, None)
    assert host[:4] == ["echo", "at switch:", "mpirun", "--tag"]
    assert host[-4:] == ["-n", "3", "program", "-c"]
    assert host[host.index("--host") + 1] == "10.0.0.1,10.0.0.2,10.0.0.3"
    assert host[host.index("btl_tcp_if_include") + 1] == "eth7"
    by_netfold = launcher.command(["program", "-c"], 3, "all")
    options = "--library library.so --mpirun mpirun --mpi-table all --switch 10.0.0.254:5555"
    assert by_netfold == ["echo", "at switch:", "netfold", "mpirun", *options.split(), *host[3:]]
    assert "--mpi-table" not in launcher.command(["program"], 3, "")
    # Open MPI calls it in place of ssh.
    environment = {**os.environ, "TMPDIR": str(tmp_path / "run")}
    started = subprocess.run(
        [agent, "10.0.0.2", "daemon", "--of", "two words"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert started.stdout == "at 1: sh -c daemon --of two words\n"
    assert (tmp_path / "run" / "10.0.0.2").is_dir(), "temporary files of its own"
    refused = subprocess.run([agent, "10.0.0.9", "daemon"], capture_output=True, text=True)
    assert refused.returncode == 1
    assert "no such host: 10.0.0.9" in refused.stderr


def test_each_way_of_a_test_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, text in {"mpirun": LAUNCHER, "netfold": NETFOLD}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, text in PROGRAMS.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    (programs / "testlist").write_text(LIST)
    (tmp_path / "library.so").touch()
    monkeypatch.setattr(mpi, "netfold", lambda *words: [str(tmp_path / "netfold"), *words])
    monkeypatch.setattr(mpi_suite, "RECORDED", tmp_path / "record")
    words = {
        "--programs": programs,
        "--mpirun": tmp_path / "mpirun",
        "--library": tmp_path / "library.so",
        "--record": "of_test",
    }
    given = [str(word) for pair in words.items() for word in pair]
    monkeypatch.setattr(sys, "argv", ["bench.mpi_suite", *given])
    with pytest.raises(SystemExit) as end:
        mpi_suite.main()
    assert end.value.code == 1  # a test fails with the library
    document = json.loads((tmp_path / "record/of_test/results.json").read_text())
    passes = {
        row["name"]: "".join("-+"[row["ways"][side] == PASSED] for side in SIDES)
        for row in document["rows"]
    }
    assert passes == {
        "good, 2": "+++",
        "wrong, 2": "---",
        "ended, 2": "---",
        "talks, 2": "---",
        "host_only, 4": "+--",
        "table_only, 4": "--+",
        "VARIABLE=on asked -a=1 -b, 3": "+++",
        "late, 2": "---",
    }
    assert document["fail_with_netfold"] == ["host_only, 4"]
    assert document["pass_with_netfold"] == ["table_only, 4"]
    assert document["not_built"] == ["missing"]
    assert {side: count["passed"] for side, count in document["counts"].items()} == {
        "host": 3,
        "netfold": 2,
        "all calls": 3,
    }
    # Nothing is read of a test that was ended.
    assert [count["calls_of_netfold"] for count in document["counts"].values()] == [0, 84, 84]
    assert "host_only, 4" in (tmp_path / "record/of_test/table.txt").read_text()
