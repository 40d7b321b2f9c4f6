"""Operations of users beside those that netfold has built in: `python -m bench.operations` measures
all-reduces end to end, by the built-in sum of i32 and by a user's, and the fold of a packet alone.

Workers are processes on this machine. Each round makes one call of either kind, one after the
other, so that both meet the same disturbances; every result is checked.

The fold alone is that of the example `users_sum` of `crates/ops`, which times the built-in kernel
and a module in turn. Each round runs it once for each way to write a sum.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from .launch import ROOT
from .machine import describe
from .services import netfold, started
from .stats import speedup, spread

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    import netfold as nf

SOURCE = ROOT / "examples/ops/sum_i32.c"

EXAMPLE = (
    "cargo",
    "run",
    "--quiet",
    "--release",
    "--package",
    "netfold-ops",
    "--example",
    "users_sum",
)

TIMES = re.compile(
    r"^256 i32: built-in (?P<built_in>[\d.]+) ns .*; fold (?P<single>[\d.]+) ns .*"
    r"; of 7 operands, each (?P<batched>[\d.]+) ns",
    re.MULTILINE,
)
"""Nanoseconds of folds, as the example prints them."""

SIZES = (1 << 10, 1 << 16, 1 << 20)
"""Bytes of a vector."""

WARM_UP = 20
"""Rounds that are not measured."""


def work(rank: int, settings: dict[str, Any], results: Connection) -> None:
    """Run one worker; sends the seconds of the calls of each kind, for each size."""
    import netfold as nf

    operation = nf.load_op(settings["module"])
    seconds: dict[int, dict[str, list[float]]] = {}
    with nf.connect(
        job="operations",
        rank=rank,
        size=settings["workers"],
        switch=settings["switch"],
        transport=settings["transport"],
        operations=[operation],
    ) as comm:
        for size in SIZES:
            vector = np.arange(size // 4, dtype=np.int32) + rank
            wanted = sum(np.arange(size // 4, dtype=np.int32) + other for other in range(comm.size))
            out = np.empty_like(vector)
            times: dict[str, list[float]] = {"built-in": [], "user": []}
            for at in range(WARM_UP + settings["rounds"]):
                for name, op in (("built-in", "sum"), ("user", operation)):
                    comm.barrier()
                    began = time.perf_counter()
                    comm.all_reduce(vector, op, out=out)
                    took = time.perf_counter() - began
                    if not np.array_equal(out, wanted):
                        sys.exit(f"bench.operations: a wrong sum of {size} bytes by {name}")
                    if at >= WARM_UP:
                        times[name].append(took)
            seconds[size] = times
    results.send(seconds)


def measure(settings: dict[str, Any]) -> list[dict[int, dict[str, list[float]]]]:
    """Run all workers; gives what each has measured."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe(duplex=False) for _ in range(settings["workers"])]
    team = [
        context.Process(target=work, args=(rank, settings, pipe[1]))
        for rank, pipe in enumerate(pipes)
    ]
    for process in team:
        process.start()
    # A worker that has ended without a result closes its end.
    for _, sender in pipes:
        sender.close()
    try:
        return [receiver.recv() for receiver, _ in pipes]
    except EOFError:
        sys.exit("bench.operations: a worker has failed; its output is above")
    finally:
        for process in team:
            process.join()


def fold_once(module: Path | None) -> dict[str, float]:
    """Nanoseconds to fold 256 i32: by the built-in kernel, and by a module, of an operand alone and
    of one of seven. Without a module, it is the example's own.
    """
    argv = [*EXAMPLE, *([str(module)] if module else [])]
    ended = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    found = TIMES.search(ended.stdout)
    if found is None:
        sys.exit(f"bench.operations: these times were not expected:\n{ended.stdout}")
    return {name: float(time) for name, time in found.groupdict().items()}


def fold_packets(modules: dict[str, Path | None], rounds: int) -> list[dict[str, Any]]:
    """Measure the fold of a packet by each module, in turn."""
    times: dict[str, list[dict[str, float]]] = {name: [] for name in modules}
    for _ in range(rounds):
        for name, module in modules.items():
            times[name].append(fold_once(module))
    return [fold_figures(name, taken) for name, taken in times.items()]


def fold_figures(name: str, taken: list[dict[str, float]]) -> dict[str, Any]:
    """Figures of a module's rounds."""
    of = {kind: [one[kind] for one in taken] for kind in ("built_in", "single", "batched")}
    return {
        "sum": name,
        **{f"{kind}_ns": asdict(spread(samples)) for kind, samples in of.items()},
        "single_by_built_in": asdict(speedup(of["built_in"], of["single"])),
        "batched_by_built_in": asdict(speedup(of["built_in"], of["batched"])),
    }


def in_python() -> nf.Operation:
    """A sum as a user writes it in Python."""
    import netfold as nf

    @nf.op(element="i32", associative=True, commutative=True, identity=0)
    def sum_i32(a: Any, b: Any) -> Any:
        return a + b

    return sum_i32


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.operations", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--fold-rounds", type=int, default=20, help="0: no folds alone")
    parser.add_argument("--transport", choices=["udp", "shm"], default="udp")
    parser.add_argument("--out", type=Path, default=Path("out/bench/operations.json"))
    arguments = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        module = folder / "sum.wasm"
        build = netfold("op", "build", str(SOURCE), "--out", str(module))
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        log = stack.enter_context((folder / "switch.log").open("w+"))
        words = netfold("switch", "--listen", "127.0.0.1:0")
        line = stack.enter_context(started(words, subprocess.Popen, log))
        settings = {
            "workers": arguments.workers,
            "rounds": arguments.rounds,
            "transport": arguments.transport,
            "switch": next(word for word in line.split() if word.startswith("127.0.0.1:")).rstrip(
                ":"
            ),
            "module": str(module),
        }
        outcomes = measure(settings)
        python = folder / "python.wasm"
        in_python().save(python)
        modules = {"WebAssembly": None, "C": module, "Python": python}
        folds = fold_packets(modules, arguments.fold_rounds) if arguments.fold_rounds else []
    results = []
    for size in SIZES:
        # The last worker ends a call.
        kinds = {
            kind: [max(one) for one in zip(*(own[size][kind] for own in outcomes), strict=True)]
            for kind in ("built-in", "user")
        }
        slowdown = speedup(kinds["built-in"], kinds["user"])
        results.append(
            {
                "bytes": size,
                "built_in_us": asdict(spread([1e6 * took for took in kinds["built-in"]])),
                "user_us": asdict(spread([1e6 * took for took in kinds["user"]])),
                "user_by_built_in": asdict(slowdown),
            }
        )
    document = {
        "machine": describe(),
        "settings": {
            name: getattr(arguments, name)
            for name in ("workers", "rounds", "transport", "fold_rounds")
        },
        "results": results,
        "folds": folds,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=2) + "\n")
    Console().print_json(data={"results": results, "folds": folds})


if __name__ == "__main__":
    main()
