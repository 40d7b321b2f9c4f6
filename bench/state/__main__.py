"""Operations with state in an emulated rack, beside what is done without them:
`python -m bench.state train` and `python -m bench.state gcn`; and training by arithmetic:
`python -m bench.state arithmetic`.

Each worker is a process at a host of its own. Ways take turns in rounds, so whatever else the
machine does meets all; a round's time is that of its slowest worker.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .. import machine
from ..rack import Link, Rack, RackError
from ..services import netfold, switch_of
from ..stats import speedup, spread
from . import arithmetic, gcn, train
from .worker import Task

KINDS = {"train": train, "gcn": gcn, "arithmetic": arithmetic}
EXAMPLES = Path(__file__).parents[2] / "examples/ops"
STORE_PORT = 29500


def measure(size: int, arguments: argparse.Namespace, modules: Path) -> list[dict[str, Any]]:
    """Run so many workers; returns the reports of rank 0."""
    with contextlib.ExitStack() as stack:
        rack = stack.enter_context(Rack(size, Link(arguments.rate, 0.0)))
        log = stack.enter_context(tempfile.TemporaryFile("w+"))
        switch = stack.enter_context(switch_of(rack, log, "--memory", str(1 << 30)))
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        processes = []
        for rank in range(size):
            store = f"{rack.address(0)}:{STORE_PORT}"
            task = Task(
                rank,
                size,
                switch,
                store,
                str(modules),
                arguments.rounds,
                arguments.size,
                arguments.cases,
            )
            line = json.dumps(asdict(task))
            output = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
            processes.append(
                rack.popen(
                    rank,
                    [sys.executable, "-m", "bench.state", arguments.kind, "--task", line],
                    env=environment,
                    text=True,
                    cwd=Path(__file__).parents[2],
                    stdout=output,
                    stderr=log,
                )
            )
        assert processes[0].stdout is not None
        # A rank that fails closes its connections, which ends rank 0, and with it this loop.
        reports = [json.loads(line) for line in processes[0].stdout]
        failed = [rank for rank, process in enumerate(processes) if process.wait() != 0]
        if failed:
            log.seek(0)
            sys.exit(f"{log.read()[-3000:]}\nbench.state: workers {failed} of {size} failed")
        return reports


def rows(size: int, reports: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row for each case and way, with the speedup over the first way of the case."""
    made = []
    for report in reports:
        baseline = next(iter(report["seconds"].values()))
        for way, seconds in report["seconds"].items():
            made.append(
                {
                    "workers": size,
                    "case": report["case"],
                    "way": way,
                    "seconds": asdict(spread(seconds)),
                    "speedup": asdict(speedup(seconds, baseline)),
                    "samples": seconds,
                    **{name: values[way] for name, values in report["figures"].items()},
                }
            )
    return made


def shown(title: str, all_rows: list[dict[str, Any]]) -> Table:
    """Medians, with the 5th and 95th percentile."""
    table = Table(title=f"{title}: median (5 to 95 %)")
    extra = [name for name in all_rows[0] if name not in _ROW]
    for heading in ("workers", "case", "way", "seconds", "speedup", *extra):
        table.add_column(heading, justify="right")
    for row in all_rows:
        cells = [
            f"{value['median']:.3f} ({value['p5']:.3f} to {value['p95']:.3f})"
            for value in (row["seconds"], row["speedup"])
        ]
        table.add_row(
            str(row["workers"]),
            row["case"],
            row["way"],
            *cells,
            *[str(row[name]) for name in extra],
        )
    return table


_ROW = {"workers", "case", "way", "seconds", "speedup", "samples"}


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.state", description=(__doc__ or "").partition("\n\n")[0]
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--rate", default="200mbit", help="rate of each link, as tc writes it")
    parser.add_argument("--rounds", type=int, default=8, help="rounds of each way")
    parser.add_argument("--size", type=float, default=1.0, help="share of the full size")
    parser.add_argument(
        "--cases",
        nargs="+",
        default=[],
        choices=gcn.DATA_SETS,
        help="data sets of gcn; all if none",
    )
    parser.add_argument("--out", type=Path, help="folder of the results")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    kind = KINDS[arguments.kind]
    if arguments.task is not None:
        kind.work(Task(**json.loads(arguments.task)))
        return
    console = Console(width=None if sys.stdout.isatty() else 160)
    out = arguments.out or Path("out/bench/state") / arguments.kind
    all_rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, defined in kind.OPERATIONS.items():
            module, source = (Path(folder) / f"{name}.{suffix}" for suffix in ("wasm", "c"))
            example = EXAMPLES / f"{name}.c"
            source.write_text(f'{defined}\n#include "{example}"\n')
            command = netfold("op", "build", str(source), "--out", str(module))
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        try:
            for size in arguments.workers:
                console.print(f"{size} workers ..")
                all_rows += rows(size, measure(size, arguments, Path(folder)))
        except (RackError, ValueError) as error:
            sys.exit(f"bench.state: {error}")
    title = (kind.__doc__ or "").partition("\n\n")[0].rstrip(".")
    console.print(shown(title, all_rows))
    out.mkdir(parents=True, exist_ok=True)
    settings = {name: getattr(arguments, name) for name in ("rate", "rounds", "size", "cases")}
    content = {
        "title": title,
        "machine": machine.describe(),
        "settings": settings,
        "rows": all_rows,
    }
    (out / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    console.print(f"Written to {out}")


if __name__ == "__main__":
    main()
