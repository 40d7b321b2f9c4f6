"""MPI programs as they are: `python -m bench.mpi --programs DIR` runs those of a folder by their own
MPI and with netfold's library in front of it, in turns (R-MPI). It takes OSU's micro-benchmarks,
the NAS parallel benchmarks, miniFE, HPCCG and AMG, which tell whether their results are right, and
tells of each how many times as fast it is.

The programs are built elsewhere, for the MPI that `--mpirun` belongs to; a program of another name
is passed over.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import matplotlib
from rich.console import Console
from rich.progress import track
from rich.table import Table

from netfold.lab import svg

from . import openmpi
from .launch import ROOT
from .machine import describe, summary
from .place import Loopback, Place
from .rack import Link, Rack, RackError
from .services import ended, netfold, switch_of
from .stats import Spread, speedup, spread

matplotlib.use("Agg")  # files only: no display is needed
import matplotlib.pyplot as plt

Times = dict[str, float]
"""Seconds by what took them: the size of a message, or the whole run."""

WHOLE = "run"

RECORDED = ROOT / "bench/results"


def osu(text: str) -> Times:
    """Latencies by size, unless a validation has failed."""
    if re.search(r"\bfail", text, re.IGNORECASE):
        raise ValueError("the validation has failed")
    sized = re.findall(r"^(\d+)\s+([\d.]+)", text, re.MULTILINE)
    alone = re.findall(r"^\s+([\d.]+)\s*$", text, re.MULTILINE)
    latencies = sized or [("0", time) for time in alone[:1]]
    return {size: 1e-6 * float(time) for size, time in latencies}


def told(seconds: str, verified: str) -> Callable[[str], Times]:
    """Return what reads a time out of a text that tells that the results are right.

    Args:
        seconds: regular expression whose groups are the parts of the time.
        verified: regular expression of what tells that the results are right.
    """

    def read(text: str) -> Times:
        if not re.search(verified, text):
            raise ValueError("the program does not say that its results are right")
        time = re.search(seconds, text)
        return {} if time is None else {WHOLE: sum(map(float, time.groups()))}

    return read


def grid(ranks: int) -> tuple[int, int, int]:
    """Return the grid of so many ranks whose sides differ least, the longest one first."""
    sides = range(1, ranks + 1)
    grids = [(x, y, z) for x in sides for y in sides[:x] for z in sides[:y] if x * y * z == ranks]
    return min(grids, key=lambda sides: sides[0] - sides[2])


@dataclass(frozen=True)
class Kind:
    """Programs that are run and read alike."""

    name: str
    pattern: str
    """Names of their files; a group `ranks` is the only number of ranks that one is built for."""
    arguments: tuple[str, ...]
    read: Callable[[str], Times]
    grid_option: str | None = None
    """The option after which the grid of the ranks stands, if the program asks for that."""

    def words(self, ranks: int) -> list[str]:
        """Return the arguments for so many ranks."""
        if self.grid_option is None:
            return [*self.arguments]
        return [*self.arguments, self.grid_option, *map(str, grid(ranks))]


KINDS = (
    Kind("OSU", r"osu_i?(all|bcast|barrier|gather|reduce|scatter|scan|exscan)\w*", (), osu),
    Kind(
        "NPB",
        r"(is|ft|mg|cg|lu|ep|sp|bt)\.[A-FSW]\.(x|(?P<ranks>\d+))",
        (),
        told(r"Time in seconds\s*=\s*([\d.]+)", r"Verification\s*=\s*SUCCESSFUL"),
    ),
    Kind(
        "miniFE",
        r"mini[Ff][Ee](\.x)?",
        ("nx=64", "ny=64", "nz=64", "verify_solution=1"),
        told(r"Total Program Time:\s*([\d.]+)", r"solution matches analytic solution"),
    ),
    Kind(
        "HPCCG",
        r"(test_)?(HPCCG|hpccg)",
        ("64", "64", "64"),
        told(
            r"Total\s*:\s*([\d.]+)",
            r"Final residual:\s*[\d.]+e-(0[89]|[1-9]\d)",
        ),
    ),
    Kind(
        "AMG",
        r"(amg|AMG)",
        ("-problem", "1", "-n", "32", "32", "32"),
        told(
            r"(?s)AMG Setup Time:.*?wall clock time = ([\d.]+).*?"
            r"AMG-PCG Solve Time:.*?wall clock time = ([\d.]+)",
            # It has converged if the norm is below 1e-8. Otherwise it ends in the same way.
            r"Final Relative Residual Norm = (\d\.\d+e-(09|[1-9]\d+)|1\.0+e-08)\s",
        ),
        grid_option="-P",
    ),
)


@dataclass
class Program:
    """A program with one number of ranks, and its times by both."""

    path: Path
    kind: Kind
    ranks: int
    times: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    """Seconds by what took them and by side, by round."""
    failure: str | None = None


SIDES = ("host", "netfold")


@dataclass(frozen=True)
class Launcher:
    """An `mpirun`, with the library or without: on this machine, or on the hosts of a rack."""

    mpirun: str
    library: Path
    words: tuple[str, ...] = ()
    """Further arguments of `mpirun`."""
    place: Place = field(default_factory=Loopback)
    agent: Path = Path()
    """Script that starts what runs on other hosts."""
    switch: str = ""
    """Address of a switch. If it is empty, `netfold mpirun` starts a switch."""

    def command(self, words: list[str], ranks: int, table: str | None) -> list[str]:
        """Return the command line that runs a program.

        Args:
            words: the program and its arguments.
            ranks: their number.
            table: the library's; empty for its own, and `None` if the library is left out.
        """
        where = []
        if not isinstance(self.place, Loopback):
            where = [*openmpi.tcp(self.place), *openmpi.on_hosts(self.place, ranks, self.agent)]
        words = [*self.words, *where, "-n", str(ranks), *words]
        launched = [self.mpirun, *words]
        if table is not None:
            options = ["--library", str(self.library), "--mpirun", self.mpirun]
            options += ["--mpi-table", table] if table else []
            options += ["--switch", self.switch] if self.switch else []
            launched = [*netfold("mpirun", *options), *words]
        return self.place.command("switch", launched)


@contextmanager
def launcher(arguments: argparse.Namespace, ranks: int) -> Iterator[Launcher]:
    """The start of programs of up to so many ranks; a rack and its switch are there meanwhile."""
    words = tuple(shlex.split(arguments.mpirun_arguments))
    plain = Launcher(arguments.mpirun, arguments.library, words)
    if arguments.rack is None:
        yield plain
        return
    os.environ.update(openmpi.AS_ROOT)
    with (
        Rack(ranks, Link(arguments.rack, 0.0)) as rack,
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile("w+") as log,
        switch_of(rack, log) as switch,
    ):
        yield replace(plain, place=rack, agent=Path(folder) / "agent", switch=switch)


def found(folder: Path, ranks: list[int]) -> list[Program]:
    """The programs of a folder, each with the numbers of ranks that it can have."""
    programs = []
    for path in sorted(folder.iterdir()):
        for kind in KINDS:
            if match := re.fullmatch(kind.pattern, path.name):
                only = match.groupdict().get("ranks")
                fitting = [n for n in ranks if only is None or int(only) == n]
                programs += [Program(path, kind, n) for n in fitting]
                break
    return programs


def run(program: Program, side: str, arguments: argparse.Namespace, launcher: Launcher) -> None:
    """Run a program once; what goes wrong is noted, and the program is passed over from then on."""
    extra = arguments.osu if program.kind.name == "OSU" else ""
    words = [str(program.path.resolve()), *program.kind.words(program.ranks), *shlex.split(extra)]
    try:
        table = None if side == "host" else arguments.table
        done = ended(launcher.command(words, program.ranks, table), arguments.timeout)
        if done.returncode != 0:
            raise ValueError(f"exit status {done.returncode}: {done.stderr[-500:].strip()}")
        times = program.kind.read(done.stdout)
        if not times:
            raise ValueError("no time was found in its output")
    except (ValueError, subprocess.TimeoutExpired) as error:
        program.failure = f"{side}: {error}"
        return
    for what, seconds in times.items():
        program.times.setdefault(what, {one: [] for one in SIDES})[side].append(seconds)


def rows(programs: list[Program]) -> list[dict[str, Any]]:
    """The measured times, with their ratio in each round."""
    all_rows = []
    for program in programs:
        for what, sides in program.times.items():
            if program.failure is None:
                ratio = speedup(sides["netfold"], sides["host"])
                all_rows.append(
                    {
                        "kind": program.kind.name,
                        "program": program.path.name,
                        "ranks": program.ranks,
                        "what": what,
                        "host_s": asdict(spread(sides["host"])),
                        "netfold_s": asdict(spread(sides["netfold"])),
                        "times_as_fast": asdict(ratio),
                        "seconds": sides,
                    }
                )
    return all_rows


def show(all_rows: list[dict[str, Any]], programs: list[Program], console: Console) -> None:
    """Print the table, and the programs that are not in it."""
    table = Table(title="MPI programs with netfold, by their own MPI without")
    for name in ("program", "ranks", "bytes", "host", "netfold", "times as fast"):
        table.add_column(name, justify="left" if name == "program" else "right")
    for row in all_rows:
        ratio = Spread(**row["times_as_fast"])
        unit, scale = ("s", 1.0) if row["what"] == WHOLE else ("us", 1e6)
        table.add_row(
            row["program"],
            str(row["ranks"]),
            "" if row["what"] == WHOLE else row["what"],
            f"{scale * row['host_s']['median']:.4g} {unit}",
            f"{scale * row['netfold_s']['median']:.4g} {unit}",
            f"{ratio.median:.2f} ({ratio.p5:.2f} to {ratio.p95:.2f})",
        )
    console.print(table)
    for program in programs:
        if program.failure is not None:
            console.print(f"{program.path.name}, {program.ranks} ranks: {program.failure}")


def draw(all_rows: list[dict[str, Any]], path: Path) -> None:
    """Plot how many times as fast each program is: lines over sizes, and points for whole runs."""
    figure, (over_sizes, runs) = plt.subplots(1, 2, figsize=(14, 6), layout="constrained")
    lines: dict[str, list[tuple[int, float]]] = {}
    for row in all_rows:
        name, median = f"{row['program']}, {row['ranks']}", row["times_as_fast"]["median"]
        if row["what"] == WHOLE:
            runs.plot([median], [name], "o", color="C0")
        else:
            lines.setdefault(name, []).append((max(1, int(row["what"])), median))
    for number, (name, points) in enumerate(lines.items()):
        over_sizes.plot(*zip(*sorted(points), strict=True), label=name, color=f"C{number % 10}")
    over_sizes.set(xscale="log", yscale="log", xlabel="bytes", ylabel="times as fast as the host")
    runs.set(xlabel="times as fast as the host")
    for axes, line in ((over_sizes, over_sizes.axhline), (runs, runs.axvline)):
        line(1, color="black", linewidth=0.5)
        axes.grid(alpha=0.3)
    if lines:
        over_sizes.legend(fontsize=6, ncols=2, frameon=False)
    svg.write(figure, path)
    plt.close(figure)


def options(description: str, module: str) -> argparse.ArgumentParser:
    """Options of a measurement of programs with the library and without."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=description.partition("\n\n")[0]
    )
    parser.add_argument("--programs", type=Path, required=True, help="folder of the programs")
    parser.add_argument("--only", default="", help="regular expression of names of programs")
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--mpirun-arguments", default="", help="such as --oversubscribe")
    parser.add_argument("--timeout", type=float, default=600.0)
    parser.add_argument("--library", type=Path, default=ROOT / "target/release/libnetfold_mpi.so")
    return parser


def require(library: Path) -> None:
    """End the measurement if the library is not there."""
    if not library.is_file():
        sys.exit(f"bench: {library} is missing; cargo build --release -p netfold-mpi-preload")


def main() -> None:
    """Command line."""
    parser = options(__doc__, "bench.mpi")
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--osu",
        default="-c",
        help="arguments of OSU's programs: -c validates, in versions that can",
    )
    parser.add_argument("--table", default="", help="of the library; by default its own")
    parser.add_argument(
        "--rack",
        metavar="RATE",
        help="run each rank on a host of its own in an emulated rack, such as 200mbit; needs root",
    )
    parser.add_argument(
        "--record", nargs="?", const="mpi", metavar="NAME", help="save under bench/results/NAME"
    )
    arguments = parser.parse_args()
    require(arguments.library)
    programs = [
        program
        for program in found(arguments.programs, arguments.ranks)
        if re.search(arguments.only, program.path.name)
    ]
    if not programs:
        sys.exit(f"bench.mpi: {arguments.programs} has none of the programs that are known here")
    try:
        with launcher(arguments, max(arguments.ranks)) as by:
            for _ in track(range(arguments.rounds), "rounds", console=Console(stderr=True)):
                for program in programs:
                    for side in SIDES:
                        if program.failure is None:
                            run(program, side, arguments, by)
    except RackError as error:
        sys.exit(f"bench.mpi: {error}")
    all_rows = rows(programs)
    machine = describe()
    folder = RECORDED / arguments.record if arguments.record else Path("out/bench/mpi")
    folder.mkdir(parents=True, exist_ok=True)
    names = ("ranks", "rounds", "mpirun", "mpirun_arguments", "osu", "table", "rack")
    document = {
        "machine": machine,
        "settings": {name: getattr(arguments, name) for name in names},
        "rows": all_rows,
        "failures": {
            f"{one.path.name}, {one.ranks}": one.failure for one in programs if one.failure
        },
    }
    (folder / "results.json").write_text(json.dumps(document, indent=1) + "\n")
    with (folder / "table.txt").open("w") as file:
        for console in (Console(), Console(file=file, width=140)):
            console.print(summary(machine))
            show(all_rows, programs, console)
    draw(all_rows, folder / "ratios.svg")
    sys.exit(1 if any(program.failure for program in programs) else 0)


if __name__ == "__main__":
    main()
