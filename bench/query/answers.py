"""Answers of FPISA's five queries through the switch, and those of the same engine without it:
`python -m bench.query.answers`.

Data are TPC-H of some scales with as many rows of `uservisits` for each, and tables of TPC-H and of
visits that some seeds have made hard: floats of every kind, NULL, groups with half of the rows.

| engine | ways | beside |
| --- | --- | --- |
| netfold | programs in the process, at a switch elsewhere; combined rows, each row | `--plain` |
| Spark | the jar, with the switch in the driver's process | Spark without the jar's rules |

An answer is *identical* if all cells are the same to the last bit, with the rows in any order. Of a
Top-N the rows that are equal to the last one in the order may be others, as in each engine by
itself. Sums of doubles of Spark depend on the order in which they are added: an answer of Spark is
*rounded* if its numbers differ by the rounding of such sums at most.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ..machine import describe
from ..services import netfold, started
from . import spark
from .__main__ import PLAIN, ROWS
from .course import names, path_of
from .datafusion import answer_of, query_program
from .engine import Answer, Engine

OFFERED = ["--set", "netfold.small=0"]
WAYS: Mapping[str, Sequence[str]] = {
    "in the process": [],
    "in the process, offered": OFFERED,
    "in the process, rows": [*OFFERED, *ROWS],
    "elsewhere, offered": ["--switch", "{switch}", *OFFERED],
    "elsewhere, rows": ["--switch", "{switch}", *OFFERED, *ROWS],
}
FILES = 4
"""Files of each table."""


@dataclass(frozen=True)
class Data:
    """Tables that are asked."""

    name: str
    scale: float
    rows: int
    seed: int | None = None
    """Seed of what makes them hard."""

    def make(self, folder: Path) -> None:
        """Write them."""
        hard = [] if self.seed is None else ["--hard", "--seed", str(self.seed)]
        for kind, size in (("tpch", f"--scale={self.scale}"), ("visits", f"--rows={self.rows}")):
            argv = [query_program(), "data", kind, size, f"--parts={FILES}", f"--out={folder}"]
            subprocess.run([*argv, *hard], check=True)


@dataclass
class Tally:
    """Count of the answers of one query over some data, by one engine in one way."""

    data: str
    engine: str
    way: str
    query: str
    answers: int = 0
    identical: int = 0
    rounded: int = 0
    different: int = 0
    offered: int = 0
    forwarded: int = 0

    @property
    def key(self) -> tuple[str, str, str, str]:
        """Conditions that tell it from others."""
        return self.data, self.engine, self.way, self.query

    def take(self, answer: Answer, right: Answer, tolerance: float | None) -> bool:
        """Compare an answer; the tolerance is that of Spark's sums. Returns whether it is right."""
        same = answer.answers(self.query, right, 0.0)
        near = tolerance is not None and answer.answers(self.query, right, tolerance)
        self.answers += 1
        self.identical += same
        self.rounded += near and not same
        self.different += not (same or near)
        self.offered += sum(exchange.offered for exchange in answer.exchanges)
        self.forwarded += sum(exchange.forwarded for exchange in answer.exchanges)
        return same or near


class Local:
    """`netfold query` over the tables of a folder.

    Args:
        folder: the tables.
        switch: `HOST:PORT` of a switch elsewhere.
    """

    def __init__(self, folder: Path, switch: str) -> None:
        self._folder, self._switch, self._program = folder, switch, query_program()

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once."""
        argv = [self._program, str(query), "--data", str(self._folder), "--format=csv", "--stats"]
        further = [option.format(switch=self._switch) for option in options]
        done = subprocess.run([*argv, *further], capture_output=True, text=True, check=False)
        return answer_of(query, done.returncode, done.stdout, done.stderr)


@contextmanager
def local_spark(memory_mib: int) -> Iterator[spark.Driver]:
    """Spark in one process, which takes tables."""
    described = {
        "cluster": "local[2]",
        "jar": str(spark.JAR.absolute()),
        "memory_mib": memory_mib,
        "executors": 1,
        "tables": {},
        "settings": {
            "spark.driver.memory": f"{memory_mib}m",
            "spark.sql.shuffle.partitions": "4",
            # Small tables are shuffled, too.
            "spark.sql.autoBroadcastJoinThreshold": "-1",
        },
    }
    with tempfile.TemporaryDirectory() as logs:
        start = partial(subprocess.Popen, env=spark.environment("127.0.0.1"))
        driver = spark.Driver(start, described, Path(logs) / "driver.log")
        try:
            yield driver
        finally:
            driver.close()


@contextmanager
def switch_elsewhere() -> Iterator[str]:
    """A switch on this machine: its address."""
    with tempfile.TemporaryFile("w+") as log:
        argv = netfold("switch", "--listen", "127.0.0.1:0")
        with started(argv, subprocess.Popen, log) as line:
            yield line.partition("NETFOLD_SWITCH=")[2].strip()


def every(settings: Any) -> Iterator[Data]:
    """All data."""
    for scale in settings.scales:
        yield Data(f"TPC-H {scale:g}", scale, round(settings.rows * scale))
    for seed in range(settings.seeds):
        yield Data("hard", settings.hard_scale, settings.hard_rows, seed)


@dataclass(frozen=True)
class Compared:
    """Engine, its options without the switch, and those of its ways through it."""

    name: str
    engine: Engine
    plain: Sequence[str]
    ways: Mapping[str, Sequence[str]]


class Comparison:
    """Answers of all queries over one data set after the other.

    Args:
        switch: `HOST:PORT` of a switch elsewhere, if `netfold query` takes part.
        driver: Spark, if it takes part.
    """

    def __init__(self, switch: str | None, driver: spark.Driver | None) -> None:
        self._switch, self._driver = switch, driver
        self.tallies: dict[tuple[str, str, str, str], Tally] = {}

    def run(self, data: Data, folder: Path) -> None:
        """Compare all answers over a data set."""
        if self._switch is not None:
            local = Local(folder, self._switch)
            self._engine(data, Compared("netfold", local, PLAIN, WAYS), None)
        if self._driver is not None:
            self._driver.take([folder])
            # Each of n additions rounds by 2^-53, in both answers.
            tolerance = 2 * 2**-53 * max(data.rows, 6_100_000 * data.scale)
            one = Compared("Spark", self._driver, ["false"], {"jar": ["true"]})
            self._engine(data, one, tolerance)

    def _engine(self, data: Data, one: Compared, tolerance: float | None) -> None:
        for query in names():
            right = one.engine.ask(path_of(query), one.plain)
            for way, options in one.ways.items():
                key = (data.name, one.name, way, query)
                tally = self.tallies.setdefault(key, Tally(*key))
                answer = one.engine.ask(path_of(query), options)
                if not tally.take(answer, right, tolerance):
                    where = f"{data}: {one.name}, {way}, {query}"
                    print(f"{where}: {difference(answer, right)}", file=sys.stderr)


def difference(one: Answer, other: Answer) -> str:
    """Rows that two answers do not share."""
    rows = [set(map(tuple, answer.cells)) for answer in (one, other)]
    return f"only {sorted(rows[0] - rows[1])[:3]}, and not {sorted(rows[1] - rows[0])[:3]}"


def table(tallies: Sequence[Tally]) -> Table:
    """The counts, summed over queries."""
    shown = Table("data", "engine", "way", title="FPISA's queries through the switch")
    for column in ("answers", "identical", "rounded", "different", "offered", "forwarded"):
        shown.add_column(column, justify="right")
    groups: dict[tuple[str, str, str], list[Tally]] = {}
    for one in tallies:
        groups.setdefault((one.data, one.engine, one.way), []).append(one)
    for name, same in groups.items():
        counts = [
            sum(getattr(one, str(column.header)) for one in same) for column in shown.columns[3:]
        ]
        shown.add_row(*name, *map(str, counts))
    return shown


def main() -> None:
    """Compare, print a table, and save the counts."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.query.answers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    engines = ["netfold", "Spark"]
    parser.add_argument("--engines", nargs="+", choices=engines, default=engines)
    parser.add_argument("--scales", type=float, nargs="*", default=[0.1, 1.0], help="of TPC-H")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of uservisits, at scale 1")
    parser.add_argument("--seeds", type=int, default=20, help="hard data of so many seeds")
    parser.add_argument("--hard-scale", type=float, default=0.01, help="of hard TPC-H")
    parser.add_argument("--hard-rows", type=int, default=10_000, help="of hard uservisits")
    parser.add_argument("--memory", type=int, default=4096, help="MiB of Spark")
    parser.add_argument("--folder", default="/dev/shm", help="the place of the tables; a RAM disk")
    parser.add_argument("--add", action="store_true", help="to the record that is there")
    parser.add_argument("--out", type=Path, default=Path("out/bench/query"))
    settings = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120)
    if "Spark" in settings.engines and (reason := spark.missing()) is not None:
        console.print(f"without Spark: {reason}")
        settings.engines.remove("Spark")
    began = time.monotonic()
    settings.out.mkdir(parents=True, exist_ok=True)
    told = {name: value for name, value in vars(settings).items() if name not in ("out", "add")}
    record, runs = settings.out / "answers.json", [{"machine": describe(), "settings": told}]
    tallies, before = list[Tally](), list[Tally]()
    if settings.add and record.exists():
        document = json.loads(record.read_text())
        runs = [*document["runs"], *runs]
        before = [Tally(**row) for row in document["rows"]]
    with ExitStack() as stack:
        engines = settings.engines
        switch = stack.enter_context(switch_elsewhere()) if "netfold" in engines else None
        driver = stack.enter_context(local_spark(settings.memory)) if "Spark" in engines else None
        comparison = Comparison(switch, driver)
        progress = stack.enter_context(Progress(console=console))
        for data in progress.track(list(every(settings)), description="data"):
            with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
                data.make(Path(folder))
                comparison.run(data, Path(folder))
            added = comparison.tallies
            tallies = [one for one in before if one.key not in added] + list(added.values())
            document = {"runs": runs, "rows": [asdict(one) for one in tallies]}
            # What is compared is kept if later data fail.
            record.write_text(json.dumps(document, indent=2) + "\n")
    console.print(table(tallies))
    console.print(f"{time.monotonic() - began:.0f} s; written to {settings.out}")
    if any(one.different for one in tallies):
        sys.exit("bench.query.answers: answers differ")


if __name__ == "__main__":
    main()
