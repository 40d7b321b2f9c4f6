"""Keys and rows that workers push and pull in a second: `python -m bench.pairs`.

On this machine, each worker pushes and pulls all of its keys at one server over loopback, as does
the benchmark program of another parameter server, whose path is in PS_LITE_BENCHMARK
(`test_kv_app_benchmark` of ps-lite, built by its own rules): both take turns, with as many workers,
one server and numbers of 32 bits.

With `--rack`, each worker and each server has a host of its own, with a link of that rate. There
each worker pushes and pulls mini-batches of a sparse model's keys (Libra, figure 12): with hot rows
in the switch, `resident` or `drained`, and at the `servers` alone. The ways take turns.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.table import Table

from netfold.lab.loads import OA, SE, Load

from .machine import describe
from .machine import summary as machine_in_words
from .rack import Link, Rack, RackError
from .services import netfold, started, switch_of
from .stats import speedup, spread

PEER_VARIABLE = "PS_LITE_BENCHMARK"
PEER_PAIRS = 10_000_000
"""Pairs of each worker in the peer's program."""
PEER_PORT = 8000
"""Port of the peer's scheduler, as its scripts have it."""
SERVER_PORT = 5566
TIMEOUT_S = 120
LEARNING_RATE = 1e-3
CALL_PAIRS = 1 << 18
"""Pairs of one call, of a worker that pushes all that it has."""

LOADS: dict[str, tuple[Load, int, int]] = {
    "oa": (OA, 30_000, 1_000),
    "se": (SE, 30_000, 1_000),
}
"""Each model's keys, hot keys and keys of a mini-batch, as in the simulation of the figure. Of the
paper's other three models no law of the keys is published."""

PARTS = ("push", "pull", "both")
"""Parts of a round over loopback."""

Keys = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Task:
    """The work of one worker."""

    rank: int
    size: int
    servers: list[str]
    switch: str | None
    load: str | None
    """A sparse model, or all keys in turn."""
    ways: list[str]
    rows: int
    pairs: int
    """Pairs of each worker in a round."""


def mini_batches(task: Task) -> list[Keys]:
    """The keys of a worker's round, by calls. Within a call they differ and ascend, as those of a
    mini-batch do that an embedding has looked through, and those of the peer's program.
    """
    random = np.random.default_rng(task.rank)
    if task.load is None:
        # Each key once, those of a call from all over the table.
        keys = random.permutation(task.rows)[: task.pairs].astype(np.int64)
        return [np.sort(keys[at : at + CALL_PAIRS]) for at in range(0, keys.size, CALL_PAIRS)]
    load, _, size = LOADS[task.load]
    batches = []
    for _ in range(max(1, task.pairs // size)):
        found = np.empty(0, dtype=np.int64)
        while found.size < size:
            # Ranks are the keys: the most frequent is the first.
            drawn = load.draw(size, random).astype(np.int64) % task.rows
            found = np.unique(np.concatenate([found, drawn]))
        batches.append(np.sort(random.permutation(found)[:size]))
    return batches


def work(task: Task) -> None:
    """Run one worker: a line `WAY PART` on standard input starts a round, a line of JSON ends it."""
    from netfold.sparse.table import native_table

    batches = mini_batches(task)
    longest = max(batch.size for batch in batches)
    gradients = np.full((longest, 1), 0.5, dtype=np.float32)
    out = np.empty((longest, 1), dtype=np.float32)
    tables = {}
    for way in task.ways:
        hot = None
        if way in ("resident", "drained"):
            assert task.load is not None
            hot = np.arange(LOADS[task.load][1], dtype=np.uint32)
        tables[way] = native_table()(
            f"pairs {task.load} {way}",
            task.rows,
            1,
            task.rank,
            task.size,
            switch=task.switch if hot is not None else None,
            servers=task.servers,
            hot_keys=hot,
            optimizer={"name": "sgd", "lr": LEARNING_RATE},
            initialiser={"name": "constant", "value": 0.0},
            seed=1,
            mode="resident" if way == "resident" else "drained",
            staleness=None,
            max_age_ms=20,
            timeout=TIMEOUT_S,
            token=None,
        )
    print(json.dumps({}), flush=True)
    for line in sys.stdin:
        way, part = line.split()
        if way == "end":
            break
        table = tables[way]
        start = time.perf_counter()
        for keys in batches:
            pull = table.pull_async(keys) if part != "push" else None
            if part != "pull":
                table.push(keys, gradients[: keys.size])
            if pull is not None:
                pull.wait(out[: keys.size])
        table.flush()
        seconds = time.perf_counter() - start
        print(json.dumps({"seconds": seconds, **table.stats()}), flush=True)
    for table in tables.values():
        table.close()


class Team:
    """Workers, which do rounds together."""

    def __init__(self, processes: list[subprocess.Popen[str]], log: IO[str]) -> None:
        self.processes, self.log = processes, log
        self.answers()

    def round(self, way: str, part: str) -> tuple[float, list[dict[str, Any]]]:
        """Seconds of the slowest worker, and the counters of all."""
        self.tell(f"{way} {part}\n")
        answers = self.answers()
        return max(answer["seconds"] for answer in answers), answers

    def end(self) -> None:
        """End the workers, in good order."""
        self.tell("end end\n")
        for process in self.processes:
            if process.wait(TIMEOUT_S) != 0:
                self.fail()

    def tell(self, line: str) -> None:
        """Write a line to each worker."""
        for process in self.processes:
            assert process.stdin is not None
            process.stdin.write(line)
            process.stdin.flush()

    def answers(self) -> list[dict[str, Any]]:
        """Read a line of each worker."""
        found = []
        for process in self.processes:
            assert process.stdout is not None
            line = process.stdout.readline()
            if not line:
                self.fail()
            found.append(json.loads(line))
        return found

    def fail(self) -> None:
        """End with what the processes have said last."""
        self.log.seek(0)
        sys.exit(f"{self.log.read()[-2000:]}\nbench.pairs: a worker failed; its output is above")


def team(tasks: list[Task], start: Callable[..., Any], log: IO[str]) -> Team:
    """Start the workers; returns when they have opened their tables."""
    root = Path(__file__).resolve().parent.parent
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    processes = []
    for task in tasks:
        argv = [sys.executable, "-m", "bench.pairs", "--task", json.dumps(asdict(task))]
        processes.append(
            start(
                task.rank,
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=root,
                env=environment,
            )
        )
    return Team(processes, log)


def on_this_machine(size: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Pairs a second and worker over loopback, beside the peer's program."""
    seconds: dict[str, list[float]] = {part: [] for part in PARTS}
    theirs: dict[str, list[float]] = {"push": [], "pull": []}
    peer = os.environ.get(PEER_VARIABLE)

    def local(_: int, argv: list[str], **options: Any) -> subprocess.Popen[str]:
        return subprocess.Popen(argv, **options)

    with (
        tempfile.TemporaryFile("w+") as log,
        started(
            netfold("server", "--listen", "127.0.0.1:0"),
            lambda argv, **options: local(0, argv, **options),
            log,
        ) as said,
    ):
        found = re.search(r" at (\S+:\d+):", said)
        assert found is not None, said
        pairs = arguments.pairs
        tasks = [
            Task(rank, size, [found[1]], None, None, ["servers"], PEER_PAIRS, pairs)
            for rank in range(size)
        ]
        workers = team(tasks, local, log)
        for round in range(-1, arguments.rounds):
            # A round beforehand makes the rows.
            if peer is not None and round >= 0:
                for part, taken in peer_round(peer, size, log).items():
                    theirs[part].append(taken)
            for part in PARTS:
                taken = workers.round("servers", part)[0]
                if round >= 0:
                    seconds[part].append(taken)
        workers.end()
    rates = {part: asdict(spread(pairs / np.array(seconds[part]))) for part in PARTS}
    result: dict[str, Any] = {"netfold": rates, "seconds": seconds}
    if peer is not None:
        result["peer"] = {
            part: asdict(spread(PEER_PAIRS / np.array(theirs[part]))) for part in theirs
        }
        result["peer_seconds"] = theirs
        result["ratio"] = {
            part: asdict(
                speedup(
                    [taken / pairs for taken in seconds[part]],
                    [taken / PEER_PAIRS for taken in theirs[part]],
                )
            )
            for part in theirs
        }
    return result


def peer_round(program: str, size: int, log: IO[str]) -> dict[str, float]:
    """Seconds of the slowest worker of the peer's program, for a push and a pull."""
    environment = {
        **os.environ,
        "DMLC_NUM_SERVER": "1",
        "DMLC_NUM_WORKER": str(size),
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(PEER_PORT),
        # Its scripts leave the interface to the program, which takes the first.
        "DMLC_INTERFACE": "lo",
        "DMLC_NODE_HOST": "127.0.0.1",
    }
    with tempfile.TemporaryFile("w+") as said:
        processes = [
            subprocess.Popen(
                [program], env={**environment, "DMLC_ROLE": role}, stdout=said, stderr=said
            )
            for role in ("scheduler", "server", *["worker"] * size)
        ]
        try:
            codes = [process.wait(TIMEOUT_S) for process in processes]
        finally:
            for process in processes:
                process.kill()
        said.seek(0)
        text = said.read()
    found = {}
    for part in ("push", "pull"):
        times = re.findall(rf"{part.capitalize()} average time cost: ([\d.e+]+)ms", text)
        if any(codes) or len(times) != size:
            log.write(text)
            sys.exit(f"{text[-2000:]}\nbench.pairs: {program} failed; its output is above")
        found[part] = max(float(time) for time in times) / 1e3
    return found


def in_the_rack(size: int, arguments: argparse.Namespace) -> dict[str, Any]:
    """Pairs a second of all workers together, with hot rows in the switch and without."""
    ways = ["servers", *arguments.modes]
    results = {}
    with (
        Rack(size + arguments.servers, Link(arguments.rack, arguments.loss, 1)) as rack,
        tempfile.TemporaryFile("w+") as log,
        contextlib.ExitStack() as stack,
    ):
        switch = stack.enter_context(switch_of(rack, log))
        servers = []
        for host in range(size, size + arguments.servers):
            servers.append(f"{rack.address(host)}:{SERVER_PORT}")
            start = _at(rack, host)
            stack.enter_context(started(netfold("server", "--listen", servers[-1]), start, log))
        for name in arguments.loads:
            load, hot, keys = LOADS[name]
            rows = min(load.parameters, arguments.most_rows)
            tasks = [
                Task(rank, size, servers, switch, name, ways, rows, arguments.pairs)
                for rank in range(size)
            ]
            workers = team(tasks, rack.popen, log)
            seconds: dict[str, list[float]] = {way: [] for way in ways}
            counters: dict[str, Any] = {}
            for round in range(-1, arguments.rounds):
                for way in ways if round % 2 else ways[::-1]:
                    taken, answers = workers.round(way, "both")
                    counters[way] = answers[0]
                    if round >= 0:
                        seconds[way].append(taken)
            workers.end()
            pairs = max(1, arguments.pairs // keys) * keys * size
            results[name] = {
                "hot_keys": hot,
                "mini_batch": keys,
                "rows": rows,
                "hot_share": counters[ways[-1]]["hot_updates"] / counters[ways[-1]]["updates"],
                "seconds": seconds,
                "pairs_per_s": {
                    way: asdict(spread(pairs / np.array(seconds[way]))) for way in ways
                },
                "gain": {way: asdict(speedup(seconds[way], seconds["servers"])) for way in ways},
            }
    return results


def _at(rack: Rack, host: int) -> Callable[..., Any]:
    return lambda argv, **options: rack.popen(host, argv, **options)


def show_local(results: dict[int, Any], console: Console) -> None:
    """Millions of pairs a second and worker."""
    shown = Table(title="pairs a second and worker, in millions: median (5 to 95 %)")
    for heading in ("workers", "part", "netfold", "peer", "netfold / peer"):
        shown.add_column(heading, justify="right")
    for size, result in results.items():
        for part in PARTS:
            cells = [_cell(result["netfold"][part], 1e6)]
            for column, unit in (("peer", 1e6), ("ratio", 1.0)):
                found = result.get(column, {}).get(part)
                cells.append("" if found is None else _cell(found, unit))
            shown.add_row(str(size), part, *cells)
    console.print(shown)


def show_rack(results: dict[int, Any], console: Console) -> None:
    """Millions of pairs a second of all workers, and gains over the servers alone."""
    shown = Table(title="pairs a second, in millions, and gain over servers alone")
    for heading in ("workers", "model", "hot share", "way", "pairs/s", "gain"):
        shown.add_column(heading, justify="right")
    for size, result in results.items():
        for name, row in result.items():
            for way, rate in row["pairs_per_s"].items():
                share = "" if way == "servers" else f"{row['hot_share']:.2f}"
                gain = "" if way == "servers" else _cell(row["gain"][way], 1.0)
                shown.add_row(str(size), name, share, way, _cell(rate, 1e6), gain)
    console.print(shown)


def _cell(found: dict[str, float], unit: float) -> str:
    median, low, high = (found[name] / unit for name in ("median", "p5", "p95"))
    return f"{median:.3g} ({low:.3g} to {high:.3g})"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.pairs", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("--workers", type=int, nargs="+", help="[1 2 4; in a rack 8]")
    parser.add_argument("--rack", metavar="RATE", help="rate of each link, as tc writes it")
    parser.add_argument("--servers", type=int, default=1, help="servers in the rack")
    parser.add_argument(
        "--loss", type=float, default=0.0, help="probability that a link of the rack loses a packet"
    )
    parser.add_argument("--loads", nargs="+", choices=LOADS, default=[*LOADS])
    parser.add_argument(
        "--modes", nargs="+", choices=("resident", "drained"), default=["resident", "drained"]
    )
    parser.add_argument(
        "--pairs", type=int, help="pairs of a worker in a round [10,000,000; in a rack 200,000]"
    )
    parser.add_argument(
        "--most-rows",
        type=int,
        default=32_000_000,
        help="rows of a table in the rack at most; larger models fold their rare keys onto these",
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path, default=Path("out/bench/pairs.json"))
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task is not None:
        work(Task(**json.loads(arguments.task)))
        return
    arguments.workers = arguments.workers or ([1, 2, 4] if arguments.rack is None else [8])
    arguments.pairs = arguments.pairs or (PEER_PAIRS if arguments.rack is None else 200_000)
    # A log file has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else 120)
    measure, show = (
        (on_this_machine, show_local) if arguments.rack is None else (in_the_rack, show_rack)
    )
    try:
        results = {size: measure(size, arguments) for size in arguments.workers}
    except RackError as error:
        sys.exit(f"bench.pairs: {error}")
    show(results, console)
    machine = describe()
    console.print(machine_in_words(machine))
    settings = {
        name: value for name, value in vars(arguments).items() if name not in ("out", "task")
    }
    document = {"machine": machine, "settings": settings, "results": results}
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=2) + "\n")
    console.print(f"Written to {arguments.out}")


if __name__ == "__main__":
    main()
