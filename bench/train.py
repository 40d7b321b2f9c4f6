"""Training over netfold and over Gloo in an emulated rack: `python -m bench.train` compares samples
per second.

The dense model is a multi-layer perceptron of about 100 MB, whose step on links of 200 Mbit/s takes
seconds to exchange and tenths of a second to compute; the sparse one looks its keys up in a table
of that size, and exchanges the gradients of those (`models.py`). Each worker trains two copies of
it with DistributedDataParallel, one over each backend, from the same seed on the same batches. The
sparse model is trained in two more ways: its table at as many servers as workers, with hot rows
resident in the switch (`tables`) or without (`servers`). All ways take turns in blocks of steps, so
whatever else the machine does meets all; a block's time is that of its slowest worker. The losses
of both backends are compared step by step, the ways of the sparse model by the area under the curve
of a test.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, NoReturn

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from .rack import Link, Rack, RackError
from .services import netfold, started, switch_of

BACKENDS = ("gloo", "netfold")
"""Ways of every model: exchanges of gradients over these."""
WAYS = {"dense": BACKENDS, "sparse": (*BACKENDS, "tables", "servers")}
"""Ways of each model."""
SERVER_PORT = 5566
STORE_PORT = 29500

WARM_UP_STEPS = 2
"""Steps before the first block: DistributedDataParallel arranges its buckets anew after the first.
"""

TIMEOUT_S = 120
"""Time-out of an exchange, the start of the slowest worker included."""

LOSS_TOLERANCE = 1e-3
"""Greatest difference between the two losses of one step, relative to the first loss. Both backends
round each gradient to about 1e-7 of its largest neighbours, which the few steps here amplify by far
less than 1e4.
"""


@dataclass(frozen=True)
class Task:
    """Training of one worker."""

    rank: int
    size: int
    store: str
    servers: list[str]
    model: str
    megabytes: float
    batch: int
    steps: int
    blocks: int
    seed: int


@dataclass
class Outcome:
    """Measurements of a number of workers."""

    parameters: int
    seconds: dict[str, list[float]] = field(default_factory=dict)
    """Time of each block, by way."""
    areas: dict[str, list[float]] = field(default_factory=dict)
    """Area under the curve after each block, by way, of the sparse model."""
    losses: dict[str, list[float]] = field(default_factory=dict)
    """Loss of each step, by way: the mean over all workers, warm-up included."""
    wire_bytes: dict[str, int] = field(default_factory=dict)
    """Bytes that the links of host 0 have carried over the whole run, by direction."""

    def samples_per_s(self, backend: str, samples: int) -> list[float]:
        """Samples in a second, for each block of so many samples."""
        return [samples / seconds for seconds in self.seconds[backend]]

    def loss_difference(self) -> float:
        """The greatest difference between the losses of one step, relative to the first loss."""
        theirs, ours = (np.array(self.losses[backend]) for backend in BACKENDS)
        return float(np.max(np.abs(ours - theirs)) / theirs[0])

    def seconds_to_area(self) -> tuple[float, dict[str, float]]:
        """The largest area under the curve that all ways have reached after some block, and the
        seconds of training that each has taken to be there.
        """
        area = min(max(areas) for areas in self.areas.values())
        taken = {}
        for way, areas in self.areas.items():
            blocks = next(count for count, reached in enumerate(areas, 1) if reached >= area)
            taken[way] = sum(self.seconds[way][:blocks])
        return area, taken


def work(task: Task) -> None:
    """Run one worker. Rank 0 writes a line of JSON for each block, and at the end the losses."""
    import datetime

    import torch
    import torch.distributed as dist
    from torch.nn.parallel import DistributedDataParallel

    import netfold.torch  # noqa: F401 - registers the backend
    from netfold.sparse import HotColdEmbeddingBag

    from .models import MODELS

    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo",
        init_method=f"tcp://{task.store}",
        rank=task.rank,
        world_size=task.size,
        timeout=datetime.timedelta(seconds=TIMEOUT_S),
    )
    model, ways = MODELS[task.model](task.megabytes, task.seed), WAYS[task.model]

    def ready(way: str) -> tuple[DistributedDataParallel, torch.optim.Optimizer]:
        group = dist.group.WORLD if way == "gloo" else dist.new_group(backend="netfold")
        if way in BACKENDS:
            made = model.make()
        else:
            assert model.make_table is not None
            made = model.make_table(way == "tables", task.servers)
        # The seed has given all ranks the same weights, so nothing has to be sent to make them
        # equal.
        ddp = DistributedDataParallel(
            made,
            process_group=group,
            init_sync=False,
            gradient_as_bucket_view=not model.sparse,
        )
        return ddp, torch.optim.SGD(ddp.parameters(), lr=model.learning_rate)

    @functools.lru_cache(maxsize=4)
    def batch(index: int) -> tuple[torch.Tensor, torch.Tensor]:
        seed = (task.seed * 100_003 + index) * task.size + task.rank
        return model.draw(task.batch, torch.Generator().manual_seed(seed))

    def step(way: str, index: int) -> torch.Tensor:
        ddp, optimiser = trained[way]
        loss = model.loss(ddp, batch(index))
        for module in ddp.modules():
            # Rows of the next batch come while this one's gradients go.
            if isinstance(module, HotColdEmbeddingBag):
                module.prefetch(batch(index + 1)[0])
        optimiser.zero_grad()
        torch.autograd.backward(loss)
        optimiser.step()
        return loss.detach()

    def area(way: str) -> float | None:
        module: torch.nn.Module = trained[way][0].module
        if model.area is None or task.rank > 0:
            return None
        module.eval()
        found = model.area(module)
        module.train()
        return found

    trained = {way: ready(way) for way in ways}
    losses: dict[str, list[torch.Tensor]] = {way: [] for way in ways}
    for block in range(-1, task.blocks):
        # Each way is first equally often.
        for way in ways if block % 2 else ways[::-1]:
            dist.barrier()
            start = time.perf_counter()
            for _ in range(task.steps if block >= 0 else WARM_UP_STEPS):
                losses[way].append(step(way, len(losses[way])))
            for module in trained[way][0].modules():
                if isinstance(module, HotColdEmbeddingBag):
                    module.flush()
            seconds = torch.tensor([time.perf_counter() - start], dtype=torch.float64)
            dist.all_reduce(seconds, dist.ReduceOp.MAX)
            report = {"way": way, "block": block, "seconds": seconds.item(), "area": area(way)}
            if task.rank == 0:
                print(json.dumps(report), flush=True)
    means = torch.stack([torch.stack(losses[way]) for way in ways])
    dist.all_reduce(means)
    if task.rank == 0:
        parameters = sum(parameter.numel() for parameter in trained["gloo"][0].parameters())
        rows = dict(zip(ways, (means / task.size).tolist(), strict=True))
        print(json.dumps({"parameters": parameters, "losses": rows}), flush=True)
    dist.barrier()
    for module in [part for ddp, _ in trained.values() for part in ddp.modules()]:
        if isinstance(module, HotColdEmbeddingBag):
            module.close()
    dist.destroy_process_group()


def measure(size: int, arguments: argparse.Namespace, progress: Progress) -> Outcome:
    """Train with so many workers, each at a host of its own."""
    ways = WAYS[arguments.model]
    bar = progress.add_task(f"{size} workers", total=len(ways) * (arguments.blocks + 1))
    outcome = Outcome(parameters=0, seconds={way: [] for way in ways})
    module = [sys.executable, "-m", "bench.train", "--task"]
    root = Path(__file__).resolve().parent.parent
    with contextlib.ExitStack() as stack:
        # Servers have hosts of their own, after those of the workers.
        hosts = range(size, 2 * size) if "servers" in ways else range(0)
        link = Link(arguments.rate, arguments.loss, arguments.seed)
        rack = stack.enter_context(Rack(size + len(hosts), link))
        log = stack.enter_context(tempfile.TemporaryFile("w+"))
        switch = stack.enter_context(switch_of(rack, log))
        servers = [f"{rack.address(host)}:{SERVER_PORT}" for host in hosts]
        for host, server in zip(hosts, servers, strict=True):
            start = functools.partial(rack.popen, host)
            stack.enter_context(started(netfold("server", "--listen", server), start, log))
        environment = {**os.environ, "NETFOLD_SWITCH": switch, "OMP_NUM_THREADS": "1"}
        processes = []
        for rank in range(size):
            store = f"{rack.address(0)}:{STORE_PORT}"
            shape = (
                arguments.model,
                arguments.megabytes,
                arguments.batch,
                arguments.steps,
                arguments.blocks,
                arguments.seed,
            )
            task = json.dumps(asdict(Task(rank, size, store, servers, *shape)))
            output = subprocess.PIPE if rank == 0 else subprocess.DEVNULL
            streams = {"stdout": output, "stderr": log}
            process = rack.popen(
                rank, [*module, task], env=environment, text=True, cwd=root, **streams
            )
            processes.append(process)
        assert processes[0].stdout is not None
        # A rank that fails closes its connections, which ends rank 0, and with it this loop.
        for line in processes[0].stdout:
            message = json.loads(line)
            if "losses" in message:
                outcome.parameters, outcome.losses = message["parameters"], message["losses"]
                continue
            progress.advance(bar)
            if message["block"] >= 0:
                outcome.seconds[message["way"]].append(message["seconds"])
                if message["area"] is not None:
                    outcome.areas.setdefault(message["way"], []).append(message["area"])
        failed = [rank for rank, process in enumerate(processes) if process.wait() != 0]
        if failed:
            fail(f"workers {failed} of {size} failed", log)
        links = rack.links()
        outcome.wire_bytes = {
            direction: links[f"{direction}0"].bytes for direction in ("up", "down")
        }
    return outcome


def fail(message: str, log: IO[str]) -> NoReturn:
    """End with a message and the last lines of the processes' log."""
    log.seek(0)
    sys.exit(
        "".join(log.readlines()[-20:]) + f"bench.train: {message}; the end of their output is above"
    )


def summary(size: int, outcome: Outcome, arguments: argparse.Namespace) -> dict[str, Any]:
    """Figures of one number of workers, for the table and the file."""
    result: dict[str, Any] = {}
    for backend in WAYS[arguments.model]:
        speeds = outcome.samples_per_s(backend, size * arguments.batch * arguments.steps)
        low, middle, high = np.percentile(speeds, [5, 50, 95])
        result[backend] = {
            "p5": low,
            "median": middle,
            "p95": high,
            "block_seconds": outcome.seconds[backend],
        }
    return result | {
        "ratio": result["netfold"]["median"] / result["gloo"]["median"],
        "parameters": outcome.parameters,
        "loss_difference": outcome.loss_difference(),
        "losses": outcome.losses,
        "host0_wire_bytes": outcome.wire_bytes,
        **areas(outcome),
    }


def areas(outcome: Outcome) -> dict[str, Any]:
    """Figures of the sparse model's test."""
    if not outcome.areas:
        return {}
    area, seconds = outcome.seconds_to_area()
    return {"areas": outcome.areas, "area": area, "seconds_to_area": seconds}


def table(results: dict[int, dict[str, Any]], arguments: argparse.Namespace) -> Table:
    """Medians and spreads over the blocks."""
    title = f"training, {arguments.model}, {arguments.megabytes:g} MB, links of {arguments.rate}, loss {arguments.loss:g}"
    shown = Table(title=f"{title}: samples/s, median (5 to 95 %)")
    ways = WAYS[arguments.model]
    for heading in ("workers", *ways, "netfold / gloo", "loss, first to last", "difference"):
        shown.add_column(heading, justify="right")
    for size, row in results.items():
        cells = [
            f"{row[name]['median']:.3g} ({row[name]['p5']:.3g} to {row[name]['p95']:.3g})"
            for name in ways
        ]
        shown.add_row(
            str(size),
            *cells,
            f"{row['ratio']:.2f}",
            f"{row['losses']['netfold'][0]:.3f} to {row['losses']['netfold'][-1]:.3f}",
            f"{row['loss_difference']:.1e}",
        )
    return shown


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.train", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 4, 8])
    parser.add_argument("--rate", default="200mbit", help="rate of each link, as tc writes it")
    parser.add_argument(
        "--loss", type=float, default=0.0, help="probability that a link loses a packet"
    )
    parser.add_argument("--model", choices=("dense", "sparse"), default="dense")
    parser.add_argument(
        "--megabytes", type=float, default=100, help="size of the model, in 10^6 bytes"
    )
    parser.add_argument(
        "--batch", type=int, help="samples of each worker in a step [8, sparse 512]"
    )
    parser.add_argument("--steps", type=int, default=2, help="steps of a block")
    parser.add_argument("--blocks", type=int, default=4, help="blocks of each backend")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/bench/train.json"))
    parser.add_argument("--task", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.task is not None:
        work(Task(**json.loads(arguments.task)))
        return

    if arguments.batch is None:
        arguments.batch = 8 if arguments.model == "dense" else 512

    # A log file has no width of its own.
    console = Console(width=None if sys.stdout.isatty() else 120)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
    )
    try:
        with Progress(*columns, console=console) as progress:
            results = {
                size: summary(size, measure(size, arguments, progress), arguments)
                for size in arguments.workers
            }
    except (RackError, ValueError) as error:
        sys.exit(f"bench.train: {error}")
    console.print(table(results, arguments))
    for size, row in results.items():
        if "area" in row:
            times = ", ".join(
                f"{way} {seconds:.3g} s" for way, seconds in row["seconds_to_area"].items()
            )
            console.print(
                f"{size} workers, time to an area under the curve of {row['area']:.4f}: {times}"
            )
    from importlib.metadata import version

    machine = {
        "cores": os.cpu_count(),
        "processor": platform.machine(),
        "kernel": platform.release(),
    }
    versions = {name: version(name) for name in ("netfold", "torch")} | {
        "python": platform.python_version()
    }
    settings = {
        name: getattr(arguments, name)
        for name in ("model", "rate", "loss", "megabytes", "batch", "steps", "seed")
    }
    document = {"machine": machine, "versions": versions, "settings": settings, "results": results}
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=2))
    console.print(f"Written to {arguments.out}")
    apart = [size for size, row in results.items() if not row["loss_difference"] <= LOSS_TOLERANCE]
    if apart:
        sys.exit(f"bench.train: with {apart} workers the two backends do not train the same model")


if __name__ == "__main__":
    main()
