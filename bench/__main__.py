"""`python -m bench`: runs plans, shows tables, and saves results and plots."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from . import conversion, kernels, plot, report, sharing
from .launch import ROOT
from .measure import measure
from .place import PlaceError
from .plan import FOLDER, Comparison, Plan, PlanError, Sharing, load

RECORD = Path(__file__).with_name("results")
OUT = ROOT / "out" / "bench"
WIDTH = 180
"""Columns of a table where no terminal gives its width."""


def main() -> int:
    """Command line; returns the exit status: 0, 1 after a failure, 2 for a bad plan."""
    parser = argparse.ArgumentParser(
        prog="python -m bench", description="netfold and its peers side by side"
    )
    known = ", ".join(sorted(path.stem for path in FOLDER.glob("*.toml")))
    parser.add_argument(
        "plans", nargs="*", default=["quick"], metavar="PLAN", help=f"a file, or one of {known}"
    )
    parser.add_argument(
        "--workers",
        type=int,
        nargs="+",
        metavar="N",
        help="in place of the plan's numbers of workers",
    )
    parser.add_argument(
        "--out", type=Path, default=OUT, metavar="FOLDER", help="where results go [%(default)s]"
    )
    parser.add_argument("--record", action="store_true", help="save to bench/results, for a commit")
    arguments = parser.parse_args()
    try:
        plans = [_with_workers(load(name), arguments.workers) for name in arguments.plans]
    except PlanError as error:
        print(f"bench: {error}", file=sys.stderr)
        return 2
    # As an interrupt does: what was started is ended.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    good = True
    for plan in plans:
        folder = (RECORD if arguments.record else arguments.out) / plan.name
        try:
            good = _run(plan, folder) and good
        except (PlaceError, kernels.KernelsError, sharing.SharingError) as error:
            print(f"bench: {plan.name}: {error}", file=sys.stderr)
            good = False
    return 0 if good else 1


def _with_workers(plan: Plan, workers: list[int] | None) -> Plan:
    if workers is None or not isinstance(plan, Comparison):
        return plan
    if min(workers) < 2:
        raise PlanError("--workers: a comparison needs at least 2 workers")
    return replace(plan, workers=tuple(workers))


def _run(plan: Plan, folder: Path) -> bool:
    """Measure, show and save; returns True if nothing has failed."""
    console = _console(sys.stdout)
    if isinstance(plan, Sharing):
        shared = sharing.measure(plan)
        _save(folder, lambda copy: sharing.show(shared, copy), console)
        shared.write(folder / "results.json")
        return True
    if not isinstance(plan, Comparison):
        kernel_results = kernels.measure(plan)
        _save(folder, lambda copy: kernels.show(kernel_results, copy), console)
        kernel_results.write(folder / "results.json")
        return True
    # First, as it fails at once where it cannot be done.
    conversions = [] if plan.cores is None else conversion.measure(plan.cores)
    with _progress(console) as tell:
        results = measure(plan, OUT / "peers", tell)
    results.conversions += conversions
    _save(folder, lambda copy: report.show(results, copy), console)
    results.write(folder / "results.json")
    plot.draw(results, folder)
    console.print(f"Saved in {folder}", soft_wrap=True)
    return bool(results.rows) and not any(absence.failed for absence in results.absences)


def _console(file: TextIO) -> Console:
    return Console(file=file, width=None if file.isatty() else WIDTH, highlight=False)


def _save(folder: Path, show: Callable[[Console], None], console: Console) -> None:
    """Show on the console, and in a text file."""
    show(console)
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "table.txt").open("w") as file:
        show(_console(file))


@contextmanager
def _progress(console: Console) -> Iterator[Callable[[str, int, int], None]]:
    """Progress on a terminal; elsewhere a line whenever something else is measured."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as progress:
        task = progress.add_task("")
        last = ""

        def tell(doing: str, done: int, total: int) -> None:
            nonlocal last
            progress.update(task, description=doing, completed=done, total=total)
            if doing != last and not console.is_terminal:
                console.print(f"{100 * done // total:3} % {doing}")
            last = doing

        yield tell


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)
