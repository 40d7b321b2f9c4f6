"""Tests of an MPI with netfold in front of it: `python -m bench.mpi_suite --programs DIR` runs the
built programs of MPICH's test/mpi/coll, by the list beside them (`testlist`), and tells which pass
with netfold's library and which without (R-MPI).

The programs are built elsewhere, for the MPI that `--mpirun` belongs to. Each test is run by its
MPI alone, with the library's own table, and with the one that takes all calls. A test passes if it
says `No Errors`, and nothing else, and ends with 0, as in MPICH's runtests.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from .launch import ROOT
from .machine import describe, summary
from .mpi import Launcher, options, require
from .services import ended

RECORDED = ROOT / "bench/results/mpi_suite"

SIDES: dict[str, str | None] = {"host": None, "netfold": "", "all calls": "all"}
"""Ways to run a test, and the library's table in each: none without it, `""` for its own."""

SETTINGS = ("mpirun", "mpirun_arguments", "sides", "timeout", "passes")

PASSED = "passed"

PASSES = "no errors"
"""The output of a test that passes, as a regular expression."""


@dataclass(frozen=True)
class Case:
    """A line of a list."""

    program: str
    ranks: int
    arguments: tuple[str, ...] = ()
    environment: tuple[tuple[str, str], ...] = ()
    limit_s: float | None = None

    @property
    def name(self) -> str:
        """The program, with what it is given."""
        variables = [f"{name}={value}" for name, value in self.environment]
        return " ".join([*variables, self.program, *self.arguments])


def halves(text: str) -> tuple[str, str]:
    """A name and its value."""
    name, _, value = text.partition("=")
    return name, value


def listed(text: str) -> list[Case]:
    """The tests of a list: a program, its ranks, and what else is said of it, on a line each."""
    tests = []
    for line in text.splitlines():
        if not (words := line.partition("#")[0].split()):
            continue
        program, ranks, *rest = words
        of: dict[str, list[str]] = {}
        for name, value in map(halves, rest):
            of.setdefault(name, []).append(value)
        tests.append(
            Case(
                program,
                int(ranks),
                tuple(of.get("arg", [])),
                tuple(map(halves, of.get("env", []))),
                max(map(float, of["timeLimit"])) if "timeLimit" in of else None,
            )
        )
    return list(dict.fromkeys(tests))


@dataclass
class Result:
    """A test, and how it has ended by each side."""

    test: Case
    ways: dict[str, str] = field(default_factory=dict)
    calls: dict[str, int] = field(default_factory=dict)
    """Collectives that netfold has carried out, at all ranks."""

    def differs(self, of_host: bool) -> bool:
        """True if it passes (`of_host`) or fails by its MPI alone, and not so by another side."""
        by_host = self.ways["host"] == PASSED
        return by_host == of_host and any((way == PASSED) != by_host for way in self.ways.values())

    @property
    def name(self) -> str:
        """Its name in a list of results."""
        return f"{self.test.name}, {self.test.ranks}"


def taken(text: str) -> int:
    """The calls that netfold carried out, by its report."""
    return sum(int(calls) for calls in re.findall(r"^ .*\s+netfold\s+(\d+)\s", text, re.MULTILINE))


def judged(done: subprocess.CompletedProcess[str], passes: str = PASSES) -> str:
    """`PASSED`, or what has failed."""
    said = done.stdout.strip()
    if done.returncode == 0 and re.fullmatch(passes, said, re.IGNORECASE):
        return PASSED
    # What stands before it names the host; the report and the launcher's epilogue tell nothing.
    told = re.search(r"(netfold: rank|fatal|error|signal: |exit string: ).*", done.stderr, re.I)
    lines = [*said.splitlines()[:1], *([told[0].strip()] if told else [])]
    return f"exit status {done.returncode}: {' | '.join(lines)[:300]}"


def run(result: Result, side: str, arguments: argparse.Namespace, launcher: Launcher) -> None:
    """Run a test by one side."""
    test = result.test
    environment = {**dict(test.environment), "NETFOLD_MPI_REPORT": "1"}
    words = [str((arguments.programs / test.program).resolve()), *test.arguments]
    try:
        done = ended(
            launcher.command(words, test.ranks, SIDES[side]),
            test.limit_s or arguments.timeout,
            environment,
        )
    except subprocess.TimeoutExpired as late:
        result.ways[side] = f"has not ended after {late.timeout:g} s"
        return
    result.ways[side] = judged(done, arguments.passes)
    if SIDES[side] is not None:
        result.calls[side] = taken(done.stderr)


def counts(results: list[Result], sides: list[str]) -> dict[str, dict[str, int]]:
    """Numbers of tests that pass, and of netfold's calls, by side."""
    passed = Counter(side for one in results for side, way in one.ways.items() if way == PASSED)
    calls: Counter[str] = Counter()
    for one in results:
        calls.update(one.calls)
    return {
        side: {"passed": passed[side], "of": len(results), "calls_of_netfold": calls[side]}
        for side in sides
    }


def show(document: dict[str, Any], console: Console) -> None:
    """Print the table: numbers of tests, then those that do not pass everywhere."""
    console.print(summary(document["machine"]))
    table = Table(title=f"tests of {document['settings']['mpirun']}")
    for name in ("by", "passed", "of", "collectives carried out by netfold, at all ranks"):
        table.add_column(name, justify="left" if name == "by" else "right")
    for side, count in document["counts"].items():
        table.add_row(side, *map(str, count.values()))
    console.print(table)
    for row in document["rows"]:
        for side, way in row["ways"].items():
            if way != PASSED:
                console.print(f"{row['name']}, {side}: {way}", markup=False)
    if document["not_built"]:
        console.print(f"not built: {', '.join(document['not_built'])}")
    for what, key in (("fail", "fail_with_netfold"), ("pass", "pass_with_netfold")):
        names = "; ".join(document[key]) or "none"
        console.print(f"tests that {what} only with netfold: {names}", markup=False)


def main() -> None:
    """Command line."""
    parser = options(__doc__, "bench.mpi_suite")
    parser.add_argument("--list", type=Path, help="of the tests [testlist, beside the programs]")
    parser.add_argument(
        "--passes", default=PASSES, help="regular expression of what a test says that passes"
    )
    parser.add_argument("--record", metavar="NAME", help="save under bench/results/mpi_suite/NAME")
    with_library = [side for side in SIDES if side != "host"]
    parser.add_argument("--ways", nargs="+", choices=with_library, default=with_library)
    parser.set_defaults(timeout=180.0)
    arguments = parser.parse_args()
    arguments.sides = ["host", *arguments.ways]
    require(arguments.library)
    path = arguments.list or arguments.programs / "testlist"
    if not path.is_file():
        sys.exit(f"bench.mpi_suite: {path} is missing; name the list of the tests with --list")
    tests = [test for test in listed(path.read_text()) if re.search(arguments.only, test.program)]
    built = {test: os.access(arguments.programs / test.program, os.X_OK) for test in tests}
    results = [Result(test) for test in tests if built[test]]
    if not results:
        sys.exit(f"bench.mpi_suite: {arguments.programs} has none of the programs of {path}")
    launcher = Launcher(
        arguments.mpirun, arguments.library, tuple(shlex.split(arguments.mpirun_arguments))
    )
    for result in track(results, "tests", console=Console(stderr=True)):
        for side in arguments.sides:
            run(result, side, arguments, launcher)
    document = {
        "machine": describe(),
        "settings": {name: getattr(arguments, name) for name in SETTINGS},
        "counts": counts(results, arguments.sides),
        "fail_with_netfold": [one.name for one in results if one.differs(of_host=True)],
        "pass_with_netfold": [one.name for one in results if one.differs(of_host=False)],
        "not_built": sorted({test.program for test in tests if not built[test]}),
        "rows": [{"name": one.name, "ways": one.ways, "calls": one.calls} for one in results],
    }
    folder = RECORDED / arguments.record if arguments.record else Path("out/bench/mpi_suite")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    with (folder / "table.txt").open("w") as file:
        for console in (Console(), Console(file=file, width=140)):
            show(document, console)
    sys.exit(1 if document["fail_with_netfold"] else 0)


if __name__ == "__main__":
    main()
