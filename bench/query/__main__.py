"""Command line of the queries: `python -m bench.query`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from .. import query as about
from ..launch import UnavailableError
from ..machine import describe
from ..rack import Link, Rack, RackError
from ..services import switch_of
from ..stats import speedup, spread
from . import spark
from .datafusion import DataFusion, query_program
from .engine import Answer, Engine

QUERIES = Path(__file__).parents[2] / "query" / "queries"
PLAIN, ROWS = ["--plain"], ["--set", "netfold.combine=false"]
OWN_ENGINE = {
    "rows": [*PLAIN, *ROWS],
    "DataFusion": PLAIN,
    "netfold, rows": ROWS,
    "netfold": [],
    "netfold, switch": ["--switch", "{switch}"],
}
SPARK = {"Spark": ["false"], "Spark, netfold": ["true"]}
BASELINES = ("DataFusion", "Spark")


def make_data(folder: Path, workers: int, scale: float, rows: int) -> list[Path]:
    """Write the tables, and give each worker its files; returns a folder for each."""
    whole = folder / "whole"
    for kind, size in (("tpch", ["--scale", str(scale)]), ("visits", ["--rows", str(rows)])):
        parts = ["--parts", str(workers), "--out", str(whole)]
        subprocess.run([query_program(), "data", kind, *size, *parts], check=True)
    own = [folder / f"worker{number}" for number in range(workers)]
    for table in sorted(whole.iterdir()):
        for place in own:
            (place / table.name).mkdir(parents=True)
        for number, file in enumerate(sorted(table.iterdir())):
            file.rename(own[number % workers] / table.name / file.name)
    return own


Contenders = dict[str, tuple[Engine, Sequence[str]]]


@contextmanager
def contenders(
    names: set[str], rack: Rack, places: list[Path], memory_mib: int
) -> Iterator[Contenders]:
    """Start netfold's switch and the engines; give each contender's engine and its options."""
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile("w+") as log,
        switch_of(rack, log) as switch,
    ):
        datafusion: Engine = DataFusion(rack, places)
        chosen: Contenders = {
            name: (datafusion, [option.format(switch=switch) for option in options])
            for name, options in OWN_ENGINE.items()
        }
        if names & set(SPARK):
            further = {"spark.netfold.switch": switch}
            engine: Engine = spark.Spark(rack, places, memory_mib, Path(folder), further)
            chosen |= {name: (engine, options) for name, options in SPARK.items()}
        yield {name: one for name, one in chosen.items() if name in names}


def ask(
    rack: Rack, query: Path, engine: Engine, options: Sequence[str]
) -> tuple[Answer, dict[str, int]]:
    """Run a query once; returns its answer, and the bytes that crossed links."""
    before = rack.links()
    answer = engine.ask(query, options)
    after = rack.links()

    def crossed(*links: str) -> int:
        return sum(after[link].bytes - before[link].bytes for link in links)

    master = rack.hosts - 1
    return answer, {
        "workers_sent_bytes": crossed(*(f"up{worker}" for worker in range(master))),
        "master_received_bytes": crossed(f"down{master}"),
    }


def race(
    query: Path, rack: Rack, among: Contenders, rounds: Iterable[int]
) -> Iterator[dict[str, Any]]:
    """Run a query by all contenders, in turns; gives a row for each of them."""
    seconds: dict[str, list[float]] = {name: [] for name in among}
    last: dict[str, tuple[Answer, dict[str, int]]] = {}
    first: Answer | None = None
    for number in rounds:
        for name, (engine, options) in among.items():
            last[name] = ask(rack, query, engine, options)
            answer = last[name][0]
            first = first or answer
            if not answer.answers(query.stem, first):
                sys.exit(f"bench.query: {query.stem}: {name} has another answer")
            # The first run reads the files (FPISA, section 6.2, leaves it out, too).
            if number:
                seconds[name].append(answer.seconds)
    baselines = [name for name in BASELINES if name in among]
    for name in among:
        answer, crossed = last[name]
        yield {
            "workers": rack.hosts - 1,
            "query": query.stem,
            "contender": name,
            "seconds": asdict(spread(seconds[name])),
            "speedup": {one: asdict(speedup(seconds[name], seconds[one])) for one in baselines},
            **crossed,
            "exchanges": [asdict(exchange) for exchange in answer.exchanges],
        }


def measure(settings: dict[str, Any], workers: int, progress: Progress) -> Iterator[dict[str, Any]]:
    """Run all queries between so many workers and a master; gives a row for each contender."""
    with tempfile.TemporaryDirectory(dir=settings["folder"]) as folder:
        places = make_data(Path(folder), workers, settings["scale"], settings["rows"])
        with (
            Rack(workers + 1, Link(rate=settings["rate"])) as rack,
            contenders(set(settings["contenders"]), rack, places, settings["memory"]) as among,
        ):
            for query in sorted(QUERIES.glob("*.sql")):
                rounds = range(settings["rounds"] + 1)
                told = f"{workers} workers, {query.stem}"
                yield from race(query, rack, among, progress.track(rounds, description=told))


def table(rows: list[dict[str, Any]]) -> Table:
    """The results as a table."""
    shown = Table("workers", "query", "contender", title="FPISA's queries")
    baselines = list(rows[0]["speedup"])
    for column in ("median s", *(f"times {name}" for name in baselines), "sent MB", "received MB"):
        shown.add_column(column, justify="right")
    for row in rows:
        speedups = [row["speedup"][name] for name in baselines]
        shown.add_row(
            str(row["workers"]),
            row["query"],
            row["contender"],
            f"{row['seconds']['median']:.3f}",
            *(f"{one['median']:.2f} [{one['p5']:.2f}, {one['p95']:.2f}]" for one in speedups),
            f"{row['workers_sent_bytes'] / 1e6:.2f}",
            f"{row['master_received_bytes'] / 1e6:.2f}",
        )
    return shown


def main() -> None:
    """Measure, print a table, and save the results."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.query",
        description=about.__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 8])
    parser.add_argument(
        "--contenders", nargs="+", choices=[*OWN_ENGINE, *SPARK], default=[*OWN_ENGINE, *SPARK]
    )
    parser.add_argument("--rounds", type=int, default=10, help="timed runs of each query")
    parser.add_argument("--scale", type=float, default=1.0, help="the scale factor of TPC-H")
    parser.add_argument("--rows", type=int, default=3_000_000, help="rows of uservisits")
    parser.add_argument("--rate", default="200mbit", help="the rate of each link")
    parser.add_argument("--memory", type=int, default=1024, help="MiB of each executor of Spark")
    parser.add_argument("--folder", default="/dev/shm", help="the place of the tables; a RAM disk")
    parser.add_argument("--out", type=Path, default=Path("out/bench/query"))
    settings = vars(parser.parse_args())
    out, counts = settings.pop("out"), settings.pop("workers")
    console = Console(width=None if sys.stdout.isatty() else 160)
    if set(settings["contenders"]) & set(SPARK) and (reason := spark.missing()) is not None:
        console.print(f"without Spark: {reason}")
        settings["contenders"] = [name for name in settings["contenders"] if name not in SPARK]
    began = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    rows: list[dict[str, Any]] = []
    try:
        with Progress(console=console) as progress:
            for workers in counts:
                rows += measure(settings, workers, progress)
                # What is measured is kept if a later number of workers fails.
                recorded = {"machine": describe(), "settings": settings, "rows": rows}
                (out / "results.json").write_text(json.dumps(recorded, indent=2) + "\n")
    except (RackError, UnavailableError, ValueError) as error:
        sys.exit(f"bench.query: {error}")
    console.print(table(rows))
    console.print(f"{time.monotonic() - began:.0f} s; written to {out}")


if __name__ == "__main__":
    main()
