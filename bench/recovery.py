"""Kills of switches, servers and workers under a table of rows: `python -m bench.recovery` counts
what is lost, and measures how long the others pause (Libra, section 3.6).

Each run has a switch, servers that store their rows in folders, and workers that push ones to rows,
pull rows, and now and then wait until all that they pushed is stored. At a random moment one
process is killed (SIGKILL). A server is started again at its address, with its folder. In the end
each row is the number of pushes to it, or a gradient was lost or doubled. What a killed worker had
pushed and not seen stored may be in or not.

The pause of a run is the longest time between two steps of a worker that lives, from the kill on,
less the median time of a step.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track
from rich.table import Table

from .machine import describe
from .services import netfold
from .stats import spread

KINDS = ("switch", "server", "worker")
MODES = ("resident", "drained")
ROWS = 20_000
HOT_ROWS = 500
STEP_KEYS = 400
"""Keys of a step, half of them hot."""
STORED_STEPS = 5
"""Steps after which a worker waits until they are stored."""
STEPS = 120
TIMEOUT_S = 30
TAKES_S = 20
"""Time-out of the tables: a server that is away for longer is lost."""

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """The work of one worker."""

    rank: int
    size: int
    servers: list[str]
    switch: str
    mode: str
    seed: int


@dataclass
class Run:
    """The time after a kill."""

    kind: str
    mode: str
    pause_s: float
    step_s: float
    lost: int
    """Pushes to rows that are missing."""
    doubled: int
    """Pushes to rows that are there too often."""


@dataclass
class Log:
    """When a worker had done its steps, and the last of those that were stored."""

    done: list[float] = field(default_factory=list)
    stored: int = 0


def keys_of(seed: int, rank: int, step: int) -> Keys:
    """The rows that a worker pushes to in a step."""
    drawn = np.random.default_rng((seed, rank, step))
    hot = drawn.choice(HOT_ROWS, STEP_KEYS // 2, replace=False)
    cold = HOT_ROWS + drawn.choice(ROWS - HOT_ROWS, STEP_KEYS // 2, replace=False)
    return np.sort(np.concatenate([hot, cold])).astype(np.int64)


def table(name: str, task: Task, *, hot: bool = True) -> Any:
    """A worker's client of the table of a run. Its rows are numbers of pushes."""
    from netfold.sparse.table import native_table

    return native_table()(
        name,
        ROWS,
        1,
        task.rank,
        task.size,
        switch=task.switch if hot else None,
        servers=task.servers,
        hot_keys=np.arange(HOT_ROWS, dtype=np.uint32),
        optimizer={"name": "sgd", "lr": 1.0},
        initialiser={"name": "constant", "value": 0.0},
        seed=1,
        mode=task.mode,  # type: ignore[arg-type]
        staleness=None,
        max_age_ms=20,
        timeout=TAKES_S,
        token=None,
    )


def work(task: Task) -> None:
    """Run one worker: it writes each step that is done, or stored."""
    rows = table(f"kills {task.seed}", task)
    # With SGD and a learning rate of 1 a row becomes the number of its pushes.
    ones = np.full((STEP_KEYS, 1), -1.0, dtype=np.float32)
    out = np.empty_like(ones)
    for step in range(STEPS):
        keys = keys_of(task.seed, task.rank, step)
        rows.push(keys, ones)
        rows.pull(keys, out)
        print(f"done {step}", flush=True)
        if step % STORED_STEPS == STORED_STEPS - 1:
            rows.flush()
            print(f"stored {step}", flush=True)
    rows.flush()
    print(f"stored {STEPS - 1}", flush=True)
    # The table is read before it is closed.
    sys.stdin.readline()
    if task.rank == int(os.environ["READER"]):
        everything = np.empty((ROWS, 1), dtype=np.float32)
        rows.pull(np.arange(ROWS, dtype=np.int64), everything)
        np.save(os.environ["FOUND"], everything[:, 0])
    print("read", flush=True)
    sys.stdin.readline()


class Cluster:
    """The processes of a run."""

    def __init__(self, seed: int, mode: str, folder: Path, arguments: argparse.Namespace) -> None:
        self.seed, self.mode, self.folder = seed, mode, folder
        self.log: IO[str] = (folder / "log").open("w+")
        self.processes: dict[str, subprocess.Popen[str]] = {}
        self.addresses: dict[str, str] = {}
        self.start("switch", "127.0.0.1:0")
        for index in range(arguments.servers):
            self.start(f"server{index}", "127.0.0.1:0")
        servers = [self.addresses[f"server{index}"] for index in range(arguments.servers)]
        # A worker that lives reads the rows in the end.
        self.found = folder / "found.npy"
        self.logs = [Log() for _ in range(arguments.workers)]
        self.threads = []
        for rank in range(arguments.workers):
            task = Task(rank, arguments.workers, servers, self.addresses["switch"], mode, seed)
            reader = 0 if arguments.workers == 1 else 1
            process = subprocess.Popen(
                [sys.executable, "-m", "bench.recovery", "--task", json.dumps(asdict(task))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                text=True,
                cwd=Path(__file__).resolve().parent.parent,
                env={
                    **os.environ,
                    "OMP_NUM_THREADS": "1",
                    "READER": str(reader),
                    "FOUND": str(self.found),
                },
            )
            self.processes[f"worker{rank}"] = process
            thread = threading.Thread(target=self.follow, args=(rank, process))
            thread.start()
            self.threads.append(thread)

    def start(self, name: str, listen: str) -> None:
        """Start a switch or a server, and wait until it listens."""
        words = ["switch", "--listen", listen]
        if name != "switch":
            words = ["server", "--listen", listen, "--data", str(self.folder / name)]
        process = subprocess.Popen(
            netfold(*words), stdout=subprocess.PIPE, stderr=self.log, text=True
        )
        assert process.stdout is not None
        text = ""
        while (found := re.search(r"(127\.0\.0\.1:\d+)", text)) is None:
            line = process.stdout.readline()
            if not line:
                self.fail(f"the {name} has not started")
            text += line
        self.processes[name], self.addresses[name] = process, found[1]

    def follow(self, rank: int, process: subprocess.Popen[str]) -> None:
        """Take note of a worker's steps."""
        assert process.stdout is not None
        for line in process.stdout:
            word, _, step = line.partition(" ")
            if word == "done":
                self.logs[rank].done.append(time.monotonic())
            elif word == "stored":
                self.logs[rank].stored = int(step) + 1

    def wait(self, condition: Any, what: str) -> None:
        """Wait until a condition holds."""
        limit = time.monotonic() + TIMEOUT_S + TAKES_S
        while not condition():
            if time.monotonic() > limit:
                self.fail(f"seed {self.seed}: {what}")
            time.sleep(0.002)

    def kill(self, name: str) -> float:
        """Kill a process. Returns when."""
        process = self.processes[name]
        now = time.monotonic()
        process.kill()
        process.wait()
        if name.startswith("server"):
            self.start(name, self.addresses[name])
        return now

    def end(self, living: list[int]) -> npt.NDArray[np.float32]:
        """The rows, once all that live are done."""
        for rank in living:
            self.wait(lambda rank=rank: self.logs[rank].stored == STEPS, f"worker {rank} hangs")
        for rank in living:
            process = self.processes[f"worker{rank}"]
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        self.wait(self.found.exists, "the rows cannot be read")
        for rank in living:
            process = self.processes[f"worker{rank}"]
            assert process.stdin is not None
            process.stdin.close()
        for rank in living:
            self.processes[f"worker{rank}"].wait(TIMEOUT_S)
        rows: npt.NDArray[np.float32] = np.load(self.found)
        return rows

    def close(self) -> None:
        """End what still runs."""
        for process in self.processes.values():
            process.kill()
            process.wait()
        for thread in self.threads:
            thread.join()
        self.log.close()

    def fail(self, why: str) -> None:
        """End with what the processes have said last."""
        self.log.seek(0)
        text = self.log.read()[-3000:]
        self.close()
        sys.exit(f"{text}\nbench.recovery: {why}; the end of their output is above")


def run(kind: str, mode: str, seed: int, arguments: argparse.Namespace) -> Run:
    """One kill."""
    dice = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(seed, mode, Path(folder), arguments)
        try:
            # At any moment of the run's first two thirds.
            victim = kind
            if kind == "server":
                victim = f"server{dice.randrange(arguments.servers)}"
            elif kind == "worker":
                victim = "worker0"
            after = dice.randrange(5, STEPS * 2 // 3)
            cluster.wait(lambda: len(cluster.logs[0].done) >= after, "no steps are done")
            time.sleep(dice.random() * 0.01)
            killed = cluster.kill(victim)
            living = [r for r in range(arguments.workers) if f"worker{r}" != victim]
            rows = cluster.end(living)
            least, most = expected(cluster, living, seed)
            steps = [np.array(cluster.logs[rank].done) for rank in living]
            gaps = [np.diff(done)[done[1:] > killed] for done in steps]
            step_s = float(np.median(np.concatenate([np.diff(done) for done in steps])))
            pause = max(float(gap.max()) for gap in gaps if gap.size) - step_s
            return Run(
                kind,
                mode,
                pause,
                step_s,
                int(np.maximum(least - rows, 0).sum()),
                int(np.maximum(rows - most, 0).sum()),
            )
        finally:
            cluster.close()


def expected(
    cluster: Cluster, living: list[int], seed: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """The least and the greatest numbers of pushes that the rows may have."""
    least, most = np.zeros(ROWS), np.zeros(ROWS)
    for rank, log in enumerate(cluster.logs):
        stored = STEPS if rank in living else log.stored
        # It may have pushed one step more than it has said.
        pushed = STEPS if rank in living else min(STEPS, len(log.done) + 1)
        for step in range(pushed):
            keys = keys_of(seed, rank, step)
            most[keys] += 1
            if step < stored:
                least[keys] += 1
    return least, most


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.recovery", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--servers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/bench/recovery.json"))
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task is not None:
        work(Task(**json.loads(arguments.task)))
        return
    console = Console(width=None if sys.stdout.isatty() else 120)
    runs = []
    for index in track(range(arguments.kills), "kills", console=console):
        kind, mode = KINDS[index % 3], MODES[index // 3 % 2]
        runs.append(run(kind, mode, arguments.seed * 1_000_000 + index, arguments))
    shown = Table(title=f"{arguments.kills} kills")
    for heading in ("killed", "runs", "lost", "doubled", "pause, ms: median", "worst", "step, ms"):
        shown.add_column(heading, justify="right")
    results = {}
    for kind in KINDS:
        own = [run for run in runs if run.kind == kind]
        if not own:
            continue
        pauses = [1e3 * run.pause_s for run in own]
        results[kind] = {
            "runs": len(own),
            "lost": sum(run.lost for run in own),
            "doubled": sum(run.doubled for run in own),
            "pause_ms": {**asdict(spread(pauses)), "worst": max(pauses)},
            "step_ms": asdict(spread([1e3 * run.step_s for run in own])),
        }
        row = results[kind]
        shown.add_row(
            kind,
            str(len(own)),
            str(row["lost"]),
            str(row["doubled"]),
            f"{np.median(pauses):.1f}",
            f"{max(pauses):.1f}",
            f"{1e3 * np.median([run.step_s for run in own]):.1f}",
        )
    console.print(shown)
    settings = {name: getattr(arguments, name) for name in ("kills", "workers", "servers", "seed")}
    document = {
        "machine": describe(),
        "settings": settings,
        "results": results,
        "runs": [asdict(run) for run in runs],
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=2) + "\n")
    console.print(f"Written to {arguments.out}")
    if any(run.lost or run.doubled for run in runs):
        sys.exit("bench.recovery: gradients were lost, or counted twice")


if __name__ == "__main__":
    main()
