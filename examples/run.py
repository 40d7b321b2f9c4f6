"""The whole way at once: four workers that train over netfold, the same training over Gloo, and a
comparison. Nobody names a switch, so the first worker runs one in its process.

Exit status 1 when the two accuracies differ by more than a point, when an all-reduced gradient is
further from the exact sum than its arithmetic allows, or when the workers do not end with the same
weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from processes import run_workers, show
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from netfold.lab import svg

HERE = Path(__file__).resolve().parent
ACCURACY_POINTS = 1.0
"""Largest difference allowed between the two accuracies, in percentage points."""


@dataclass(frozen=True, slots=True)
class Training:
    """A training run, whatever its backend."""

    workers: int
    epochs: int
    out: Path
    """Folder for results and logs."""


def train(backend: str, training: Training, progress: Progress) -> dict[str, Any]:
    """Run `train.py` under torchrun and return its results."""
    result = training.out / f"{backend}.json"
    program = [
        str(HERE / "train.py"),
        "--backend",
        backend,
        "--epochs",
        str(training.epochs),
        "--out",
        str(result),
    ]
    task = progress.add_task(f"{training.workers} workers over {backend}", total=None)
    log = training.out / f"{backend}.log"
    show(run_workers(training.workers, program, log), progress, task)
    figures: dict[str, Any] = json.loads(result.read_text())
    return figures


def table(netfold: dict[str, Any], gloo: dict[str, Any]) -> Table:
    """Table of the results of both training runs, side by side."""
    n, steps = netfold["workers"], netfold["steps"]
    vector = 4 * netfold["parameters"]
    ring = 2 * (n - 1) / n * vector

    def most(name: str) -> float:
        return float(max(worker[name] for worker in netfold["traffic"]) / steps)

    def milliseconds(result: dict[str, Any]) -> str:
        low, middle, high = result["step_ms"]
        return f"{middle:.1f} ({low:.1f} to {high:.1f})"

    def kib(count: float) -> str:
        return f"{count / 1024:.1f} KiB ({count / vector:.3f} vectors)"

    shown = Table(
        title=f"{n} workers, {steps} steps, {netfold['parameters']:,} parameters ({vector / 1024:.1f} KiB of gradients)"
    )
    shown.add_column("")
    shown.add_column("netfold", justify="right")
    shown.add_column("Gloo", justify="right")
    shown.add_row("test accuracy", f"{netfold['accuracy']:.2%}", f"{gloo['accuracy']:.2%}")
    shown.add_row("last training loss", f"{netfold['losses'][-1]:.5f}", f"{gloo['losses'][-1]:.5f}")
    shown.add_row("test loss", f"{netfold['test_loss']:.5f}", f"{gloo['test_loss']:.5f}")
    shown.add_row("ms per step, median (5 to 95 %)", milliseconds(netfold), milliseconds(gloo))
    shown.add_row("sent by a worker per step", kib(most("bytes_sent")), f"{kib(ring)}*")
    shown.add_row("received by a worker per step", kib(most("bytes_received")), f"{kib(ring)}*")
    shown.add_row(
        "retransmissions, all workers",
        str(sum(worker["retransmissions"] for worker in netfold["traffic"])),
        "-",
    )
    shown.add_row("slots used", str(netfold["slots"]), "-")
    for label, key in (
        ("largest relative gradient error", "largest_relative_error"),
        ("  its bound", "bound_of_largest"),
    ):
        shown.add_row(label, f"{netfold['gradients'][key]:.2e}", f"{gloo['gradients'][key]:.2e}")
    shown.add_row(
        "same weights on every worker",
        *("yes" if result["same_weights"] else "NO" for result in (netfold, gloo)),
    )
    shown.caption = f"* not measured: a ring all-reduce sends and receives 2(n-1)/n = {2 * (n - 1) / n:g} vectors"
    return shown


def plot(netfold: dict[str, Any], gloo: dict[str, Any], path: Path) -> None:
    """Plot both loss curves over steps."""
    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4), layout="constrained")
    axes.semilogy(gloo["losses"], label="Gloo", linewidth=3, alpha=0.4)
    axes.semilogy(netfold["losses"], label="netfold", linewidth=1)
    axes.set(
        xlabel="step", ylabel="training loss", title=f"{netfold['workers']} workers, the same seed"
    )
    axes.legend()
    svg.write(figure, path)


def verdicts(netfold: dict[str, Any], gloo: dict[str, Any]) -> list[str]:
    """Return the faults of the results; empty if there are no faults."""
    wrong = []
    apart = 100 * abs(netfold["accuracy"] - gloo["accuracy"])
    if apart > ACCURACY_POINTS:
        wrong.append(
            f"the accuracies differ by {apart:.2f} points; at most {ACCURACY_POINTS:g} is allowed"
        )
    for result in (netfold, gloo):
        share = result["gradients"]["largest_share_of_bound"]
        if not share <= 1:
            wrong.append(
                f"a gradient over {result['backend']} is {share:.3g} times as far from the exact sum as allowed"
            )
        if not result["same_weights"]:
            wrong.append(f"the workers over {result['backend']} ended with different weights")
    return wrong


def main() -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument(
        "--out", type=Path, default=Path("out/run"), help="folder for plot, results and logs"
    )
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)

    # A log file has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    training = Training(arguments.workers, arguments.epochs, arguments.out)
    with Progress(*columns, console=console) as progress:
        netfold, gloo = (train(backend, training, progress) for backend in ("netfold", "gloo"))
    plot(netfold, gloo, arguments.out / "loss.svg")
    wrong = verdicts(netfold, gloo)
    (arguments.out / "result.json").write_text(
        json.dumps({"wrong": wrong, "netfold": netfold, "gloo": gloo}, indent=2)
    )
    console.print(table(netfold, gloo))
    console.print(
        f"Loss curves: {arguments.out / 'loss.svg'}; everything else: {arguments.out / 'result.json'}"
    )
    for line in wrong:
        console.print(f"[bold red]wrong:[/] {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
