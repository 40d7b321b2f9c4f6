"""Time to an accuracy, on one core: netfold's linear models beside scikit-learn, liblinear, Vowpal
Wabbit and snapml.

`python -m bench.glm` from the root of the checkout; vowpalwabbit and snapml take part where they
are installed. Each family may choose: its loss, its strength of the penalty, and how many passes it
takes. The target is the best test accuracy that any peer reaches with any choice, less 0.3 points.
Each family then takes the quickest of its choices that reach it, and these take turns, on one core
and with one thread.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import json
import os
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import LinearSVC
from threadpoolctl import threadpool_limits

from netfold.glm import GLMClassifier

from . import machine, spam
from .rcv1 import documents
from .stats import speedup, spread

POINTS = 0.3
"""Distance of the target below the best peer's accuracy, in percentage points. It is also the
largest distance allowed with 4 bits, by loss.
"""
LOSSES = ("log_loss", "hinge")
"""Losses that netfold, SGDClassifier and liblinear have in common."""
ALPHAS = (1e-4, 1e-5, 1e-6)
"""Strengths of the penalty: L2, alpha / 2 by the squared weights, beside the mean loss."""
PASSES = (1, 2, 3, 4, 6, 8, 12, 20)
SEEDS = tuple(range(8))
"""Seeds of the order of samples; an accuracy is the mean over them. After one pass over the mails,
orders differ by 0.25 points (standard deviation), so a mean over two says little about families
near the target.
"""
NEAR = 1.3
"""Factor on the quickest time up to which a choice is still tried against the quickest."""
TRIALS = 8
"""Number of trials of each."""
RCV1 = (20_242, 47_236)
RCV1_TESTS = 20_000
RECORDED = Path(__file__).parent / "results" / "glm"

Fit = Callable[[int], Any]
"""Trains, with a seed, and returns what :attr:`Choice.score` takes."""


@dataclass
class Problem:
    """Samples to train and to be tested on: CSR of float32, and labels 0 and 1."""

    name: str
    train: Any
    train_labels: np.ndarray
    test: Any
    test_labels: np.ndarray


@dataclass
class Choice:
    """A way for a family to train."""

    family: str
    what: str
    fit: Fit
    score: Callable[[Any], float]
    loss: str = ""
    """Loss that it minimises, if other families can minimise the same: `log_loss` or `hinge`."""
    accuracy: float = 0.0
    """Percentage of the test samples that are classified correctly, mean over the seeds."""
    quickest: float = float("inf")
    """Shortest training time over the seeds, in seconds."""


@dataclass
class Contender:
    """The choice of a family, and its rounds."""

    family: str
    what: str
    accuracy: float
    seconds: list[float] = field(default_factory=list)


def sklearn_choices(problem: Problem) -> Iterator[Choice]:
    """Choices of the estimators with scikit-learn's interface."""
    single, labels = problem.train, problem.train_labels
    # liblinear computes in f64, and would convert each time.
    double = single.astype(np.float64)
    rows = single.shape[0]

    def choice(
        family: str, what: str, features: Any, make: Callable[..., Any], loss: str = ""
    ) -> Choice:
        return Choice(
            family,
            what,
            lambda seed: make(random_state=seed).fit(features, labels),
            lambda model: 100 * float(np.mean(model.predict(problem.test) == problem.test_labels)),
            loss,
        )

    for alpha, passes in itertools.product(ALPHAS, PASSES):
        strength = {"C": 1 / (alpha * rows), "max_iter": passes, "tol": 1e-12}
        for loss in ("log_loss", "hinge"):
            what = f"{loss}, alpha {alpha:g}, {passes} passes"
            for bits in (32, 4):
                yield choice(
                    f"netfold, {bits} bits",
                    what,
                    single,
                    functools.partial(
                        GLMClassifier, loss, bits=bits, alpha=alpha, max_iter=passes, tol=None
                    ),
                    loss,
                )
            yield choice(
                "SGDClassifier",
                what,
                single,
                functools.partial(SGDClassifier, loss, alpha=alpha, max_iter=passes, tol=None),
                loss,
            )
        for dual in (False, True):
            yield choice(
                "liblinear",
                f"logistic, {'dual' if dual else 'primal'}, alpha {alpha:g}, {passes} iterations",
                double,
                functools.partial(LogisticRegression, solver="liblinear", dual=dual, **strength),
                "log_loss",
            )
        for loss in ("hinge", "squared_hinge"):
            yield choice(
                "liblinear",
                f"SVM, {loss}, dual, alpha {alpha:g}, {passes} iterations",
                double,
                functools.partial(LinearSVC, loss=loss, dual=True, **strength),
                "hinge" if loss == "hinge" else "",
            )


def snapml_choices(problem: Problem) -> Iterator[Choice]:
    """Choices of snapml, whose regularizer is alpha times the number of samples."""
    import snapml

    labels = problem.train_labels.astype(np.float32)

    def score(model: Any) -> float:
        return 100 * float(np.mean(model.predict(problem.test) == problem.test_labels))

    kinds = {"logistic": snapml.LogisticRegression, "SVM": snapml.SupportVectorMachine}
    for (name, kind), alpha, passes in itertools.product(kinds.items(), ALPHAS, PASSES):

        def fit(seed: int, kind: Any = kind, alpha: float = alpha, passes: int = passes) -> Any:
            model = kind(
                max_iter=passes,
                regularizer=alpha * problem.train.shape[0],
                fit_intercept=True,
                tol=1e-12,
                n_jobs=1,
                random_state=seed,
            )
            return model.fit(problem.train, labels)

        yield Choice("snapml", f"{name}, alpha {alpha:g}, {passes} iterations", fit, score)


def vw_choices(problem: Problem, folder: Path) -> Iterator[Choice]:
    """Choices of Vowpal Wabbit. It reads its own binary cache, so that no text is parsed while the
    clock runs.

    It has no order but that of the cache; its passes are over all samples.
    """
    from vowpalwabbit import Workspace

    text, tests, cache = folder / "train.vw", folder / "test.vw", folder / "train.cache"
    _write_vw(text, problem.train, problem.train_labels)
    _write_vw(tests, problem.test, problem.test_labels)
    size = max(18, int(np.ceil(np.log2(problem.train.shape[1]))) + 1)
    common = f"--quiet --holdout_off -b {size}"
    Workspace(f"{common} --loss_function logistic -d {text} --cache_file {cache} -k").finish()
    for loss, l2, passes in itertools.product(("logistic", "hinge"), (0.0, 1e-8, 1e-6), PASSES):
        model = folder / "model"

        def fit(
            _seed: int, loss: str = loss, l2: float = l2, passes: int = passes, model: Path = model
        ) -> Path:
            options = f"--loss_function {loss} --l2 {l2:g} --passes {passes} --cache_file {cache} -f {model}"
            Workspace(f"{common} {options} -d {text}").finish()
            return model

        def score(model: Path) -> float:
            said = folder / "said"
            Workspace(f"--quiet -t -i {model} -d {tests} -p {said}").finish()
            return 100 * float(np.mean((np.loadtxt(said) > 0) == problem.test_labels))

        yield Choice("Vowpal Wabbit", f"{loss}, l2 {l2:g}, {passes} passes", fit, score)


def _write_vw(path: Path, features: Any, labels: np.ndarray) -> None:
    with path.open("w") as file:
        for row, label in enumerate(labels):
            entries = slice(features.indptr[row], features.indptr[row + 1])
            words = zip(features.indices[entries], features.data[entries], strict=True)
            file.write(
                f"{2 * label - 1} | {' '.join(f'{index}:{value:.7g}' for index, value in words)}\n"
            )


def choices(problem: Problem, folder: Path, console: Console) -> list[Choice]:
    """Choices of all families that are installed; the others are named on the console."""
    found = list(sklearn_choices(problem))
    optional: dict[str, Callable[[], Iterator[Choice]]] = {
        "snapml": lambda: snapml_choices(problem),
        "Vowpal Wabbit": lambda: vw_choices(problem, folder),
    }
    for name, make in optional.items():
        try:
            found += make()
        except ImportError as error:
            console.print(
                f"{name} is left out: {error}; `pip install -r requirements-bench.txt` installs it"
            )
    return found


def explore(found: list[Choice], progress: Progress, name: str) -> None:
    """Try every choice with every seed."""
    task = progress.add_task(f"{name}: trying", total=len(found))
    for choice in found:
        accuracies = []
        for seed in SEEDS:
            start = time.perf_counter()
            model = choice.fit(seed)
            choice.quickest = min(choice.quickest, time.perf_counter() - start)
            accuracies.append(choice.score(model))
        choice.accuracy = float(np.mean(accuracies))
        progress.advance(task)


def quickest(choices: list[Choice]) -> Choice:
    """The choice that is quickest in a trial of those near the quickest: one short time may be
    chance.
    """
    least = min(choice.quickest for choice in choices)
    near = [choice for choice in choices if choice.quickest <= NEAR * least]
    if len(near) == 1:
        return near[0]
    seconds: list[list[float]] = [[] for _ in near]
    for index in range(TRIALS):
        for choice, own in zip(near, seconds, strict=True):
            start = time.perf_counter()
            choice.fit(SEEDS[index % len(SEEDS)])
            own.append(time.perf_counter() - start)
    return min(zip(near, seconds, strict=True), key=lambda pair: np.median(pair[1]))[0]


def race(
    problem: Problem, rounds: int, folder: Path, progress: Progress, console: Console
) -> dict[str, Any]:
    """Find the best choice of each family, and measure the families in turns."""
    found = choices(problem, folder, console)
    explore(found, progress, problem.name)
    best = max(
        (choice for choice in found if not choice.family.startswith("netfold")),
        key=lambda one: one.accuracy,
    )
    target = best.accuracy - POINTS
    families = list(dict.fromkeys(choice.family for choice in found))
    chosen, beaten = {}, {}
    for family in families:
        own = [choice for choice in found if choice.family == family]
        enough = [choice for choice in own if choice.accuracy >= target]
        if enough:
            chosen[family] = quickest(enough)
        else:
            beaten[family] = max(choice.accuracy for choice in own)
    contenders = {
        family: Contender(family, choice.what, choice.accuracy) for family, choice in chosen.items()
    }
    task = progress.add_task(f"{problem.name}: racing", total=rounds)
    for index in range(rounds):
        # Another one begins each round.
        first = index % len(families)
        for family in families[first:] + families[:first]:
            if family in chosen:
                start = time.perf_counter()
                chosen[family].fit(SEEDS[index % len(SEEDS)])
                contenders[family].seconds.append(time.perf_counter() - start)
        progress.advance(task)
    by_loss = {
        loss: {family: max(one.accuracy for one in own) for family, own in by_family(found, loss)}
        for loss in LOSSES
    }
    four = GLMClassifier(bits=4, max_iter=1, tol=None).fit(problem.train, problem.train_labels)
    return {
        "name": problem.name,
        "shape": list(problem.train.shape),
        "nonzeros": int(problem.train.nnz),
        "tests": int(problem.test.shape[0]),
        "best_peer": f"{best.family}, {best.what}",
        "best_accuracy": best.accuracy,
        "target": target,
        "contenders": [asdict(contender) for contender in contenders.values()],
        "not_reached": beaten,
        "by_loss": by_loss,
        "value_bytes": {"32": int(problem.train.data.nbytes), "4": four.data_bytes_["values"]},
    }


def by_family(found: list[Choice], loss: str) -> Iterator[tuple[str, list[Choice]]]:
    """The choices of this loss, by family, without the families that have none."""
    own = [choice for choice in found if choice.loss == loss]
    for family in dict.fromkeys(choice.family for choice in own):
        yield family, [choice for choice in own if choice.family == family]


def within(result: dict[str, Any]) -> bool:
    """Return whether netfold with 4 bits is within POINTS of the best peer, by each loss."""
    return all(
        best["netfold, 4 bits"] >= max(best["SGDClassifier"], best["liblinear"]) - POINTS
        for best in result["by_loss"].values()
    )


def show(result: dict[str, Any], console: Console) -> None:
    """Print a problem's table."""
    rows, features = result["shape"]
    console.print(
        f"\n{result['name']}: {rows:,} x {features:,}, {result['nonzeros'] / rows:.0f} non-zeros a row; best peer "
        f"{result['best_accuracy']:.2f} % ({result['best_peer']}), target {result['target']:.2f} %"
    )
    table = Table("", "accuracy", "median", "5 to 95 %", "time / SGDClassifier", "choice")
    baseline = next(
        (one["seconds"] for one in result["contenders"] if one["family"] == "SGDClassifier"), None
    )
    for one in result["contenders"]:
        time_ms = spread([1000 * seconds for seconds in one["seconds"]])
        ratio = ""
        if baseline is not None:
            # How many times as long: speedup's ratio with the sides changed.
            times = speedup(baseline, one["seconds"])
            ratio = f"{times.median:.2f} ({times.p5:.2f} to {times.p95:.2f})"
        table.add_row(
            one["family"],
            f"{one['accuracy']:.2f} %",
            f"{time_ms.median:.1f} ms",
            f"{time_ms.p5:.1f} to {time_ms.p95:.1f}",
            ratio,
            one["what"],
        )
    for family, accuracy in result["not_reached"].items():
        table.add_row(family, f"{accuracy:.2f} %", "not reached", "", "", "its best")
    console.print(table)
    for loss, best in result["by_loss"].items():
        each = ", ".join(f"{family} {accuracy:.2f} %" for family, accuracy in best.items())
        console.print(f"best with {loss}: {each}")
    full, four = result["value_bytes"]["32"], result["value_bytes"]["4"]
    console.print(f"values: {full:,} bytes in 32 bits, {four:,} in 4: 1/{full / four:.2f}")


def problems(cache: Path) -> Iterator[Problem]:
    """The synthetic rcv1, and the corpus of mail."""
    features, labels = documents(RCV1[0] + RCV1_TESTS, RCV1[1])
    cut = RCV1[0]
    yield Problem("synthetic rcv1", features[:cut], labels[:cut], features[cut:], labels[cut:])
    mails = spam.load(cache)
    yield Problem("SpamAssassin", mails.train, mails.train_labels, mails.test, mails.test_labels)


def main() -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--cache", type=Path, default=spam.DEFAULT_CACHE, help="folder for the corpus of mail"
    )
    parser.add_argument(
        "--record", action="store_true", help="save under bench/results, for a commit"
    )
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    out = RECORDED if arguments.record else Path("out/bench/glm")
    out.mkdir(parents=True, exist_ok=True)
    described = machine.describe()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    # A log file has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else 140)
    results = []
    with (
        warnings.catch_warnings(),
        threadpool_limits(1),
        Progress(*columns, console=console) as progress,
    ):
        # That they have not converged is what passes are for.
        warnings.simplefilter("ignore")
        for problem in problems(arguments.cache):
            with TemporaryDirectory() as folder:
                results.append(race(problem, arguments.rounds, Path(folder), progress, console))
    content = {
        "title": "Time to an accuracy, on one core",
        "machine": described,
        "problems": results,
    }
    (out / "results.json").write_text(json.dumps(content, indent=1) + "\n")
    with (out / "table.txt").open("w") as file:
        for target in (console, Console(file=file, width=140)):
            target.print(machine.summary(described))
            for result in results:
                show(result, target)
    console.print(f"Written to {out}")
    return 0 if all(within(result) for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
