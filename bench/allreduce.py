"""All-reduce of float32 over netfold and over Gloo, side by side on the loopback interface.

All contenders live in the same processes, and their rounds alternate, so that whatever else the machine does meets all
of them. A round's time is that of its slowest worker. The table and the JSON file give medians with 5th and 95th
percentiles.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import tempfile
import time
from dataclasses import dataclass
from multiprocessing.queues import Queue
from pathlib import Path
from queue import Empty
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

import netfold
from netfold import _native

CONTENDERS = ("gloo", "netfold block", "netfold native")
SILENCE_LIMIT_S = 120.0
"""A worker from which nothing is heard for this long has failed."""


@dataclass(frozen=True)
class Size:
    """A vector to reduce, and how often."""

    name: str
    bytes: int
    rounds: int
    calls: int
    """Calls in a row per round, so that a round is long against the barrier before it."""


SIZES = (Size("1 KiB", 1 << 10, 60, 20), Size("1 MiB", 1 << 20, 40, 4), Size("25 MiB", 25 << 20, 15, 1))


def worker(rank: int, size: int, switch: str, store: str, rounds: float, progress: Queue[Any]) -> None:
    """One of the workers; rank 0 puts the results of all into the queue."""
    os.environ["NETFOLD_SWITCH"] = switch
    import torch
    import torch.distributed as dist

    import netfold.torch  # noqa: F401 - registers the backend

    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{store}", rank=rank, world_size=size)
    groups = {"gloo": dist.group.WORLD}
    for arithmetic in ("block", "native"):
        os.environ["NETFOLD_ARITHMETIC"] = arithmetic
        groups[f"netfold {arithmetic}"] = dist.new_group(backend="netfold")

    for length in SIZES:
        tensor = torch.ones(length.bytes // 4)
        for group in groups.values():
            tensor.fill_(1)
            dist.all_reduce(tensor, group=group)
            torch.testing.assert_close(tensor, torch.full_like(tensor, float(size)))
        count = max(3, round(length.rounds * rounds))
        seconds: dict[str, list[float]] = {name: [] for name in CONTENDERS}
        for index in range(-2, count):
            for turn in range(len(CONTENDERS)):
                # Each contender is first, second and last equally often.
                name = CONTENDERS[(index + turn) % len(CONTENDERS)]
                tensor.fill_(1)
                dist.barrier()
                start = time.perf_counter()
                for _ in range(length.calls):
                    dist.all_reduce(tensor, group=groups[name])
                elapsed = (time.perf_counter() - start) / length.calls
                if index >= 0:  # the rounds before warm up
                    seconds[name].append(elapsed)
            if rank == 0:
                progress.put(("round", length.name, index + 3, count + 2))
        for name in CONTENDERS:
            slowest = torch.tensor(seconds[name], dtype=torch.float64)
            dist.all_reduce(slowest, dist.ReduceOp.MAX)
            if rank == 0:
                progress.put(("result", length.name, name, slowest.tolist()))
    dist.destroy_process_group()


def measure(size: int, rounds: float, progress: Progress) -> dict[str, dict[str, list[float]]]:
    """The seconds of every round, by size of vector and contender."""
    context = multiprocessing.get_context("spawn")
    queue: Queue[Any] = context.Queue()
    server = _native.Switch()
    results: dict[str, dict[str, list[float]]] = {length.name: {} for length in SIZES}
    tasks = {length.name: progress.add_task(f"{size} workers, {length.name}", total=None) for length in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        arguments = (size, server.address, str(Path(folder) / "store"), rounds, queue)
        workers = [context.Process(target=worker, args=(rank, *arguments), daemon=True) for rank in range(size)]
        for process in workers:
            process.start()
        heard = time.monotonic()
        while any(len(contenders) < len(CONTENDERS) for contenders in results.values()):
            try:
                kind, length, *payload = queue.get(timeout=1)
            except Empty:
                failed = [rank for rank, process in enumerate(workers) if process.exitcode not in (None, 0)]
                if failed or time.monotonic() - heard > SILENCE_LIMIT_S:
                    sys.exit(f"allreduce.py: workers {failed or 'all'} failed; their messages stand above")
                continue
            heard = time.monotonic()
            if kind == "round":
                progress.update(tasks[length], completed=payload[0], total=payload[1])
            else:
                results[length][payload[0]] = payload[1]
        for process in workers:
            process.join(30)
    server.close()
    return results


def summaries(contenders: dict[str, list[float]]) -> dict[str, dict[str, float]]:
    """Median and 5th and 95th percentile of each contender, in milliseconds."""
    result = {}
    for name, seconds in contenders.items():
        low, middle, high = np.percentile(np.array(seconds) * 1e3, [5, 50, 95])
        result[name] = {"p5_ms": low, "median_ms": middle, "p95_ms": high, "rounds": len(seconds)}
    return result


def table(results: dict[int, dict[str, dict[str, dict[str, float]]]]) -> Table:
    """Medians and spreads; the factor says how much faster than Gloo."""
    shown = Table(title="all-reduce of float32 on loopback: ms, median (5 to 95 %)")
    shown.add_column("workers", justify="right")
    shown.add_column("vector", justify="right")
    for name in CONTENDERS:
        shown.add_column(name, justify="right")
    for size, lengths in results.items():
        for length, contenders in lengths.items():
            cells = []
            for name in CONTENDERS:
                row = contenders[name]
                cell = f"{row['median_ms']:.3g} ({row['p5_ms']:.3g} to {row['p95_ms']:.3g})"
                factor = contenders["gloo"]["median_ms"] / row["median_ms"]
                cells.append(cell if name == "gloo" else f"{cell}  x{factor:.2f}")
            shown.add_row(str(size), length, *cells)
        shown.add_section()
    return shown


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--rounds", type=float, default=1.0, help="factor on the number of rounds")
    parser.add_argument("--out", type=Path, default=Path("out/bench/allreduce.json"))
    arguments = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")

    # A log file has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console) as progress:
        seconds = {size: measure(size, arguments.rounds, progress) for size in arguments.workers}
    results = {
        size: {length: summaries(times) for length, times in lengths.items()} for size, lengths in seconds.items()
    }
    console.print(table(results))
    from importlib.metadata import version

    machine = {"cores": os.cpu_count(), "processor": platform.machine(), "kernel": platform.release()}
    versions = {"netfold": netfold.__version__, "torch": version("torch"), "python": platform.python_version()}
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps({"machine": machine, "versions": versions, "results": results}, indent=2))
    console.print(f"Written to {arguments.out}")


if __name__ == "__main__":
    main()
