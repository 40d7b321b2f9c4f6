"""Sparse models over netfold: hot rows in the switch and cold ones at a server, the server alone,
and dense all-reduces of whole tables.

Run it after `make build` (`make sparse-demo`). It starts a switch, a server and four workers for
each way, and trains a recommender on MovieLens-100K and click models on two generated logs of
Criteo's shape. MovieLens is fetched by pip, inside the package recbole; without a network the
generated logs remain. Exit status 1 when a way ends more than two points behind dense all-reduces.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import matplotlib as mpl
from processes import run_workers, serving, show
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from sparse_data import EXPONENTS, DataError, wheel
from sparse_train import DATA, DIM, WAYS, Plan, Task

from netfold.lab import svg
from netfold.sparse import HotSet, count_updates

HERE = Path(__file__).resolve().parent
POINTS = 2.0
"""Largest allowed distance of a way behind dense all-reduces, in percentage points. A run of few
epochs differs by about one from another with other seeds, since asynchronous steps are in no order.
"""
SHARE = 0.5
"""Share of the updates that hot rows are to have."""
SAMPLE = 0.08
"""Share of the batches of an epoch that are counted (Libra, section 3.3)."""
MEMORY_BYTES = 64 << 20
"""Memory of the switch, as `netfold switch` has it by default."""
TITLES = {
    "movies": "MovieLens-100K, hit ratio at 10",
    "clicks-oa": f"clicks, Zipf {EXPONENTS['clicks-oa']}, AUC",
    "clicks-se": f"clicks, Zipf {EXPONENTS['clicks-se']}, AUC",
}
NAMES = {"hot": "hot rows in the switch", "servers": "server alone", "dense": "dense all-reduces"}


@dataclass(frozen=True)
class Demo:
    """The settings of a run.

    Attributes:
        workers: number of workers.
        samples: samples of a worker in a step.
        steps: steps of an epoch of a generated log.
        epochs: epochs of each training.
        out: folder for plot, results and logs.
        cache: folder for MovieLens.
    """

    workers: int
    samples: int
    steps: int
    epochs: int
    out: Path
    cache: Path

    def plan(self, data: str, way: str) -> Plan:
        """The training of a model in one way; its server is named when it runs."""
        hot = self.out / data
        return Plan(data, way, self.samples, self.steps, self.epochs, (), hot, self.cache)


def choose_hot(demo: Demo, data: str) -> dict[str, HotSet]:
    """Count the updates of a sample, and write the hot set of each table."""
    plan = demo.plan(data, "hot")
    plan.hot.mkdir(parents=True, exist_ok=True)
    task, found = Task.of(plan), {}
    for name in task.rows():

        def batches(name: str = name) -> Iterator[Any]:
            for keys, _ in task.batches(0, 0, demo.workers):
                yield task.keys_of(name, keys)

        counts = count_updates(batches(), fraction=SAMPLE)
        found[name] = HotSet.choose(counts, share=SHARE, memory_bytes=MEMORY_BYTES, dim=DIM)
        found[name].save(plan.hot / f"{name}.hot")
    return found


def run(demo: Demo, data: str, way: str, progress: Progress) -> dict[str, Any]:
    """Train one model in one way, with a switch and a server of its own."""
    plan, name = demo.plan(data, way), f"{data}-{way}"
    result = demo.out / f"{name}.json"
    program = [str(HERE / "sparse_train.py"), "--data", data, "--way", way, "--out", str(result)]
    for option, value in (
        ("samples", demo.samples),
        ("steps", demo.steps),
        ("epochs", demo.epochs),
        ("hot", plan.hot),
        ("cache", demo.cache),
    ):
        program += [f"--{option}", str(value)]
    task = progress.add_task(f"{data}, {NAMES[way]}", total=None)
    log = demo.out / f"{name}.log"
    with serving("switch", demo.out) as switch:
        environment = {"NETFOLD_SWITCH": switch}
        if way == "dense":
            show(run_workers(demo.workers, program, log, environment), progress, task)
        else:
            with serving("server", demo.out) as server:
                program += ["--server", server]
                show(run_workers(demo.workers, program, log, environment), progress, task)
    figures: dict[str, Any] = json.loads(result.read_text())
    return figures


def moved(result: dict[str, Any]) -> float:
    """Bytes that all workers together have sent and received, of tables and of dense calls. Of what
    servers send, only the rows are counted.
    """
    parts = (*result["tables"].items(), *result["dense"].items())
    return float(sum(count for name, count in parts if "bytes" in name))


def hot_share(result: dict[str, Any]) -> float | None:
    """Share of the updates that went to hot rows; None without tables."""
    counted = result["tables"]
    return counted["hot_updates"] / counted["updates"] if counted["updates"] else None


def table(results: list[dict[str, Any]]) -> Table:
    """Table with a line for each training."""
    shown = Table()
    for heading in ("", "", "score", "time", "samples/s", "hot updates", "MB of all workers"):
        shown.add_column(heading, justify="right" if heading else "left")
    for result in results:
        seconds, score = result["points"][-1]
        share = hot_share(result)
        shown.add_row(
            TITLES[result["data"]],
            NAMES[result["way"]],
            f"{score:.3f}",
            f"{seconds:.1f} s",
            f"{result['samples'] / seconds:,.0f}",
            "" if share is None else f"{share:.1%}",
            f"{moved(result) / 1e6:,.0f}",
            end_section=result["way"] == WAYS[-1],
        )
    return shown


def plot(results: list[dict[str, Any]], path: Path) -> None:
    """Plot scores against time, with a panel for each data set."""
    mpl.use("Agg")
    from matplotlib import pyplot

    data = [name for name in DATA if any(result["data"] == name for result in results)]
    figure, panels = pyplot.subplots(
        1, len(data), figsize=(4.5 * len(data), 3.8), layout="constrained", squeeze=False
    )
    for axes, name in zip(panels[0], data, strict=True):
        for result in results:
            if result["data"] == name:
                times, scores = zip(*result["points"], strict=True)
                style = f"C{WAYS.index(result['way'])}o-"
                axes.plot(times, scores, style, label=NAMES[result["way"]], markersize=4)
        axes.set(xlabel="seconds of training", title=TITLES[name])
        axes.grid(alpha=0.3)
    panels[0][0].legend()
    svg.write(figure, path)
    pyplot.close(figure)


def verdicts(results: list[dict[str, Any]]) -> list[str]:
    """Return the faults of the results; empty if there are no faults."""
    dense = {
        result["data"]: result["points"][-1][1] for result in results if result["way"] == "dense"
    }
    wrong = []
    for result in results:
        score, aim = result["points"][-1][1], dense.get(result["data"])
        if aim is not None and score < aim - POINTS / 100:
            wrong.append(
                f"{TITLES[result['data']]}: {NAMES[result['way']]} comes to {score:.3f}, dense all-reduces to {aim:.3f}"
            )
    return wrong


def available(demo: Demo, asked: list[str], console: Console) -> list[str]:
    """The data sets that can be had; says which cannot."""
    if "movies" not in asked:
        return asked
    try:
        wheel(demo.cache)
    except DataError as error:
        console.print(f"[bold yellow]sparse-demo:[/] {error}")
        console.print("The generated logs remain.")
        return [name for name in asked if name != "movies"]
    return asked


def main() -> int:
    """Command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--samples", type=int, default=256, help="of a worker in a step")
    parser.add_argument("--steps", type=int, default=150, help="of an epoch of a generated log")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--data", choices=DATA, nargs="*", default=list(DATA))
    parser.add_argument("--ways", choices=WAYS, nargs="*", default=list(WAYS))
    parser.add_argument("--cache", type=Path, default=Path("out/cache"))
    parser.add_argument(
        "--out", type=Path, default=Path("out/sparse"), help="folder for plot, results and logs"
    )
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    # The workers' folder is this one, and this program's modules are beside it.
    os.environ["PYTHONPATH"] = os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")])
    demo = Demo(given.workers, given.samples, given.steps, given.epochs, given.out, given.cache)

    # A log file has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else 140)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    results = []
    data = available(demo, given.data, console)
    with Progress(*columns, console=console) as progress:
        for name in data:
            sets = choose_hot(demo, name)
            sizes = ", ".join(f"{len(hot)} of {title}" for title, hot in sets.items())
            progress.console.print(f"{name}: hot keys: {sizes}")
            results += [run(demo, name, way, progress) for way in given.ways]
    if not results:
        return 1
    plot(results, demo.out / "scores.svg")
    wrong = verdicts(results)
    whole = {"wrong": wrong, "results": results}
    (demo.out / "result.json").write_text(json.dumps(whole, indent=2))
    console.print(table(results))
    console.print(f"Scores: {demo.out / 'scores.svg'}; everything: {demo.out / 'result.json'}")
    for line in wrong:
        console.print(f"[bold red]wrong:[/] {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
