"""FPISA's five queries over netfold and over DataFusion alone, in an emulated rack:
`python -m bench.query`.

Workers are processes on hosts of the rack, each with a part of the tables; the master is another
host. What workers do before they send, and the programs of the switch, are told apart:

| contender | workers send | on the way |
| --- | --- | --- |
| rows | each row that a filter leaves, the columns that the query reads | nothing |
| DataFusion | what its partial stages leave: first rows, partial aggregates | nothing |
| netfold, rows | as `rows` | programs prune and add |
| netfold | as DataFusion | programs prune and add |

All have the same engine, so its share cancels out. A peer is added to `CONTENDERS`.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .machine import describe
from .rack import Link, Rack
from .stats import speedup, spread

QUERIES = Path(__file__).parents[1] / "query" / "queries"
PORT = 5577
CONTENDERS = {
    "rows": ["--plain", "--set", "netfold.combine=false"],
    "DataFusion": ["--plain"],
    "netfold, rows": ["--set", "netfold.combine=false"],
    "netfold": [],
}
BASELINE = "DataFusion"
DIGITS = 4
"""Digits of a float that answers are compared with: the sums of all contenders are exact, so this
is about text alone.
"""


def query_program() -> str:
    """Return the path of the command; exit with a message if it is not found."""
    program = shutil.which("netfold-query")
    if program is None:
        sys.exit("bench.query: netfold-query is not on the path; build it: make query")
    return program


def make_data(program: str, folder: Path, workers: int, scale: float, rows: int) -> list[Path]:
    """Write the tables, and give each worker its files; returns a folder for each."""
    whole = folder / "whole"
    for kind, size in (("tpch", ["--scale", str(scale)]), ("visits", ["--rows", str(rows)])):
        parts = ["--parts", str(workers), "--out", str(whole)]
        subprocess.run([program, "data", kind, *size, *parts], check=True)
    own = [folder / f"worker{number}" for number in range(workers)]
    for table in sorted(whole.iterdir()):
        for place in own:
            (place / table.name).mkdir(parents=True)
        for number, file in enumerate(sorted(table.iterdir())):
            file.rename(own[number % workers] / table.name / file.name)
    return own


def _rows(answer: str) -> list[tuple[str, ...]]:
    """The rows of an answer without their order."""

    def text(cell: str) -> str:
        try:
            return f"{float(cell):.{DIGITS}g}"
        except ValueError:
            return cell

    return sorted(tuple(text(cell) for cell in row) for row in csv.reader(io.StringIO(answer)))


def ask(program: str, rack: Rack, workers: int, query: Path, options: list[str]) -> dict[str, Any]:
    """Run a query once at the master; returns its time, the bytes of links, and the answer."""
    addresses = ",".join(f"{rack.address(worker)}:{PORT}" for worker in range(workers))
    argv = [program, str(query), "--connect", addresses, "--format", "csv", "--stats", *options]
    before = rack.links()
    process = rack.popen(workers, argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    answer, told = process.communicate()
    if process.returncode != 0:
        sys.exit(f"bench.query: {query.stem}: {told}")
    after = rack.links()
    sent = sum(after[f"up{w}"].bytes - before[f"up{w}"].bytes for w in range(workers))
    taken = after[f"down{workers}"].bytes - before[f"down{workers}"].bytes
    programs = re.findall(r"(.+): (\d+) rows offered, (\d+) forwarded", told)
    return {
        "seconds": float(told.split()[-2]),
        "workers_sent_bytes": sent,
        "master_received_bytes": taken,
        "exchanges": [
            {"program": name, "offered": int(offered), "forwarded": int(forwarded)}
            for name, offered, forwarded in programs
        ],
        "answer": _rows(answer),
    }


def measure(settings: dict[str, Any], workers: int) -> list[dict[str, Any]]:
    """Run all queries by all contenders, in turns."""
    program = query_program()
    results = []
    with tempfile.TemporaryDirectory(dir=settings["folder"]) as name:
        places = make_data(program, Path(name), workers, settings["scale"], settings["rows"])
        with Rack(workers + 1, Link(rate=settings["rate"])) as rack:
            for worker, place in enumerate(places):
                listen = f"{rack.address(worker)}:{PORT}"
                argv = [program, "worker", "--listen", listen, "--data", str(place)]
                process = rack.popen(worker, argv, stderr=subprocess.PIPE, text=True)
                assert process.stderr is not None
                if "listening" not in process.stderr.readline():
                    sys.exit("bench.query: a worker does not listen")
            for query in sorted(QUERIES.glob("*.sql")):
                runs: dict[str, list[dict[str, Any]]] = {name: [] for name in CONTENDERS}
                for round_number in range(settings["rounds"] + 1):
                    for contender, options in CONTENDERS.items():
                        run = ask(program, rack, workers, query, options)
                        answers = [other[-1]["answer"] for other in runs.values() if other]
                        # Which of equal rows come last in a Top-N is not defined.
                        if answers and len(answers[0]) != len(run["answer"]):
                            sys.exit(f"bench.query: {query.stem}: {contender} has another answer")
                        if query.stem != "top-n" and answers and answers[0] != run["answer"]:
                            sys.exit(f"bench.query: {query.stem}: {contender} has another answer")
                        # The first run reads the files (FPISA, section 6.2, leaves it out, too).
                        runs[contender] += [run] if round_number or not runs[contender] else []
                results += [_result(query.stem, workers, name, runs) for name in CONTENDERS]
    return results


def _result(
    query: str, workers: int, contender: str, runs: dict[str, list[dict[str, Any]]]
) -> dict[str, Any]:
    own = [run["seconds"] for run in runs[contender][1:]]
    baseline = [run["seconds"] for run in runs[BASELINE][1:]]
    last = {key: value for key, value in runs[contender][-1].items() if key != "answer"}
    return {
        **last,
        "query": query,
        "workers": workers,
        "contender": contender,
        "seconds": asdict(spread(own)),
        "speedup": asdict(speedup(own, baseline)),
    }


def show(results: list[dict[str, Any]], console: Console) -> None:
    """Print the results as a table."""
    table = Table("workers", "query", "contender")
    for column in ("median s", f"times {BASELINE}", "p5", "p95", "sent MB", "received MB"):
        table.add_column(column, justify="right")
    for one in results:
        times = one["speedup"]
        table.add_row(
            str(one["workers"]),
            one["query"],
            one["contender"],
            f"{one['seconds']['median']:.3f}",
            f"{times['median']:.2f}",
            f"{times['p5']:.2f}",
            f"{times['p95']:.2f}",
            f"{one['workers_sent_bytes'] / 1e6:.2f}",
            f"{one['master_received_bytes'] / 1e6:.2f}",
        )
    console.print(table)


def main() -> None:
    """Measure, print a table, and save the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.query", description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 8])
    parser.add_argument("--rounds", type=int, default=10, help="timed runs of each query")
    parser.add_argument("--scale", type=float, default=1.0, help="the scale factor of TPC-H")
    parser.add_argument("--rows", type=int, default=3_000_000, help="rows of uservisits")
    parser.add_argument("--rate", default="200mbit", help="the rate of each link")
    parser.add_argument("--folder", default="/dev/shm", help="the place of the tables; a RAM disk")
    parser.add_argument("--out", type=Path, default=Path("out/query"))
    settings = vars(parser.parse_args())
    out, counts = settings.pop("out"), settings.pop("workers")
    began = time.monotonic()
    results = [result for workers in counts for result in measure(settings, workers)]
    console = Console(width=140)
    show(results, console)
    out.mkdir(parents=True, exist_ok=True)
    recorded = {"machine": describe(), "settings": settings, "results": results}
    (out / "results.json").write_text(json.dumps(recorded, indent=2) + "\n")
    with (out / "table.txt").open("w") as file:
        show(results, Console(file=file, width=140))
    console.print(f"{time.monotonic() - began:.0f} s; written to {out}")


if __name__ == "__main__":
    main()
