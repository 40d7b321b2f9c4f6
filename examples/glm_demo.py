"""Spam by linear models: 1, 2 and 4 workers, features of 32, 8, 4 and 2 bits, beside scikit-learn
and liblinear.

Run it from the root of the checkout (`make glm-demo`). Every contender trains on the same mails,
one round after the other, and is tested on the same others. Exit status 1 when a run of netfold is
more than half a point less accurate than the best peer, or different numbers of workers come to
accuracies that are as far apart.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from itertools import accumulate
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from bench import spam
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from netfold.glm import Epoch, GLMClassifier
from netfold.lab import svg

ALPHA = 1e-5
"""Strength of the penalty, the same for all: liblinear's C is 1 / (alpha * mails)."""
BATCH = 16
"""Mails of a step, for netfold; scikit-learn takes one."""
WORKERS = (1, 2, 4)
BITS = (32, 8, 4, 2)
POINTS = 0.5
"""Largest allowed distance of netfold behind the best peer, in percentage points. It also limits
the differences between netfold's numbers of workers.
"""


@dataclass
class Result:
    """Result of a contender over all rounds. The model is the same in each."""

    name: str
    accuracy: float = 0.0
    seconds: list[float] = field(default_factory=list)
    data_bytes: int = 0
    """Bytes of the features' values."""
    exchanged_bytes: int = 0
    """Bytes that all workers together have exchanged."""
    epochs: list[list[Epoch]] = field(default_factory=list)
    """Epochs of each round; empty for peers, which do not report them."""

    def median_round(self) -> list[Epoch]:
        """Epochs of the round with the median time."""
        return self.epochs[int(np.argsort(self.seconds)[len(self.seconds) // 2])]


def contenders(mails: int, seed: int) -> dict[str, Callable[[], Any]]:
    """Functions that make the estimators, by name."""

    def ours(workers: int, bits: int) -> Callable[[], GLMClassifier]:
        return lambda: GLMClassifier(
            "log_loss", alpha=ALPHA, batch_size=BATCH, workers=workers, bits=bits, random_state=seed
        )

    c = 1 / (ALPHA * mails)
    return {
        **{
            f"netfold, {workers} x, {bits} bits": ours(workers, bits)
            for bits in BITS
            for workers in WORKERS
        },
        "SGDClassifier": lambda: SGDClassifier("log_loss", alpha=ALPHA, random_state=seed),
        "liblinear, logistic": lambda: LogisticRegression(
            solver="liblinear", C=c, random_state=seed
        ),
        "liblinear, SVM": lambda: LinearSVC(C=c, random_state=seed),
    }


def measure(corpus: spam.Corpus, rounds: int, seed: int, progress: Progress) -> list[Result]:
    """Train every contender once in each round."""
    makers = contenders(corpus.train.shape[0], seed)
    results = {name: Result(name) for name in makers}
    task = progress.add_task("training", total=rounds * len(makers))
    for _ in range(rounds):
        for name, make in makers.items():
            progress.update(task, description=f"{name:22}")
            model, result = make(), results[name]
            start = time.perf_counter()
            model.fit(corpus.train, corpus.train_labels)
            result.seconds.append(time.perf_counter() - start)
            result.accuracy = 100 * model.score(corpus.test, corpus.test_labels)
            result.data_bytes = corpus.train.data.nbytes
            if isinstance(model, GLMClassifier):
                result.epochs.append(model.epochs_)
                result.data_bytes = model.data_bytes_["values"]
                result.exchanged_bytes = model.workers * sum(epoch.bytes for epoch in model.epochs_)
            progress.advance(task)
    return list(results.values())


def table(results: list[Result]) -> Table:
    """Table with a line for each contender."""
    table = Table()
    for heading in ("", "accuracy", "epochs", "time (5 to 95 %)", "values", "exchanged"):
        table.add_column(heading, justify="left" if not heading else "right")
    for result in results:
        low, middle, high = 1000 * np.percentile(result.seconds, [5, 50, 95])
        table.add_row(
            result.name,
            f"{result.accuracy:.2f} %",
            str(len(result.epochs[0])) if result.epochs else "",
            f"{middle:.1f} ms ({low:.1f} to {high:.1f})",
            f"{result.data_bytes / 1e3:,.0f} kB",
            f"{result.exchanged_bytes / 1e3:,.0f} kB" if result.exchanged_bytes else "",
            end_section=result.name.startswith(f"netfold, {WORKERS[-1]} "),
        )
    return table


def plot(results: list[Result], out: Path) -> Path:
    """Plot the loss against epochs and against time; returns the file."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, (by_epoch, by_time) = plt.subplots(
        1, 2, figsize=(11, 4.2), sharey=True, layout="constrained"
    )
    lines = dict(zip(WORKERS, ("-", "--", ":"), strict=True))
    colours = dict(zip(BITS, ("C0", "C1", "C2", "C3"), strict=True))
    ours = [result for result in results if result.epochs]
    pairs = [(workers, bits) for bits in BITS for workers in WORKERS]
    for result, (workers, bits) in zip(ours, pairs, strict=True):
        epochs = result.median_round()
        losses = [epoch.loss for epoch in epochs]
        times = [1000 * seconds for seconds in accumulate(epoch.seconds for epoch in epochs)]
        style = {
            "color": colours[bits],
            "linestyle": lines[workers],
            "marker": ".",
            "linewidth": 1.2,
        }
        by_epoch.plot([epoch.number for epoch in epochs], losses, label=result.name, **style)
        by_time.plot(times, losses, **style)
    by_epoch.set(
        xlabel="epoch", ylabel="training loss (log loss)", yscale="log", title="Loss against epochs"
    )
    by_time.set(xlabel="time in ms", title="Loss against time")
    figure.legend(loc="outside right center", fontsize="small")
    path = out / "loss.svg"
    svg.write(figure, path)
    return path


def verdicts(results: list[Result]) -> list[str]:
    """Return the faults of the results; empty if there are no faults."""
    best = max(result.accuracy for result in results if not result.epochs)
    behind = [result for result in results if result.epochs and result.accuracy < best - POINTS]
    wrong = [
        f"{result.name}: {best - result.accuracy:.2f} points behind the best peer"
        for result in behind
    ]
    for bits in BITS:
        found = {
            round(result.accuracy, 6) for result in results if result.name.endswith(f" {bits} bits")
        }
        if max(found) - min(found) > POINTS:
            wrong.append(f"{bits} bits: the workers' models differ: {sorted(found)} %")
    return wrong


def main() -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each contender trains")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the split and of the order of mails"
    )
    parser.add_argument(
        "--cache", type=Path, default=spam.DEFAULT_CACHE, help="folder for the corpus"
    )
    parser.add_argument(
        "--out", type=Path, default=Path("out/glm"), help="folder for plots and results"
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
    with (
        Progress(*columns, console=console) as progress,
        threadpool_limits(1),
        warnings.catch_warnings(),
    ):
        # scikit-learn announces that its liblinear is to be called otherwise.
        warnings.simplefilter("ignore", FutureWarning)
        reading = progress.add_task("reading the corpus", total=None)
        try:
            corpus = spam.load(arguments.cache, arguments.seed)
        except spam.CorpusError as error:
            progress.stop()
            console.print(f"[bold red]glm-demo:[/] {error}")
            return 1
        progress.update(reading, total=1, completed=1)
        results = measure(corpus, arguments.rounds, arguments.seed, progress)

    mails, words = corpus.train.shape
    console.print(
        f"{mails:,} mails to train on and {corpus.test.shape[0]:,} to test, {words:,} words, "
        f"{corpus.train.nnz / mails:.0f} of them in a mail"
    )
    console.print(table(results))
    plotted = plot(results, arguments.out)
    wrong = verdicts(results)
    report = {
        "wrong": wrong,
        "shape": [mails, words],
        "results": [asdict(result) for result in results],
    }
    (arguments.out / "result.json").write_text(json.dumps(report, indent=2))
    console.print(f"Loss: {plotted}; everything: {arguments.out / 'result.json'}")
    for line in wrong:
        console.print(f"[bold red]wrong:[/] {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
