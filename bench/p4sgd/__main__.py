"""`python -m bench.p4sgd`: measures, shows tables, and saves results and plots."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

from rich.console import Console

from . import folds, page, plots, report
from .crew import CrewError, build
from .measure import measure
from .plan import QUICK, WHOLE
from .results import Results

RECORDED = Path(__file__).parent.parent / "results" / "p4sgd"
OUT = Path("out/bench/p4sgd")
EPOCHS, FOLDS = "results.json", "folds.json"
WIDTH = 200
"""Columns of a table where no terminal gives its width."""

Found = TypeVar("Found", Results, folds.Folds)


def main() -> int:
    """Command line; returns the exit status."""
    description = (
        "P4SGD's figures 2 and 9 to 15, and its equations: about nine minutes, and 7 GB of memory"
    )
    parser = argparse.ArgumentParser(prog="python -m bench.p4sgd", description=description)
    parser.add_argument(
        "--quick", action="store_true", help="fewer rounds, mini-batches and epochs"
    )
    parser.add_argument(
        "--record",
        action="store_true",
        help="save to bench/results and docs/p4sgd.md, for a commit",
    )
    parser.add_argument(
        "--only", choices=("epochs", "traces"), help="measure not both, but epochs or figure 2"
    )
    parser.add_argument(
        "--again",
        type=Path,
        metavar="FILE",
        help="show and plot these results, and measure nothing",
    )
    arguments = parser.parse_args()
    # As an interrupt does: what was started is ended.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    console = Console(width=None if sys.stdout.isatty() else WIDTH, highlight=False)
    folder = RECORDED if arguments.record else OUT
    folder.mkdir(parents=True, exist_ok=True)
    effort = QUICK if arguments.quick else WHOLE
    try:
        if arguments.again:
            _save(Results.read(arguments.again), folder, console)
        elif arguments.only != "traces":
            _save(_measured(partial(measure, effort=effort), console), folder, console)
        if not arguments.again and arguments.only != "epochs":
            found = _measured(partial(folds.measure, crews=effort.crews), console)
            found.write(folder / FOLDS)
            folds.show(found, console)
    except CrewError as error:
        print(f"bench.p4sgd: {error}", file=sys.stderr)
        return 1
    if arguments.record:
        page.write(Results.read(RECORDED / EPOCHS), folds.Folds.read(RECORDED / FOLDS))
    console.print(f"Saved in {folder}")
    return 0


def _save(results: Results, folder: Path, console: Console) -> None:
    results.write(folder / EPOCHS)
    plots.draw(results, folder)
    with (folder / "table.txt").open("w") as file:
        for target in (console, Console(file=file, width=WIDTH)):
            report.show(results, target)


def _measured(measure: Callable[..., Found], console: Console) -> Found:
    console.print("building the worker")
    program = build()
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, console.status("") as status:

        def tell(what: str, done: int, total: int) -> None:
            line = f"{100 * done // total:3} % {what}"
            status.update(line)
            if not console.is_terminal:
                console.print(line)

        results = measure(program, folder=Path(folder), tell=tell)
    results.machine["load"] = [load, os.getloadavg()[0]]
    return results


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
