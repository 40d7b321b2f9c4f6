"""A job beside hostile modules: `python -m bench.hostile` measures what is left of its speed while a
client keeps joining with operations that are refused, or have to be stopped.

Workers are processes on this machine that all-reduce over UDP. Each kind of modules has phases of
harm between quiet ones, so that both meet the same disturbances; each phase of harm is compared
with the mean of the quiet ones before and after it. The client, which would be another machine's,
has the lowest priority here.
"""

from __future__ import annotations

import argparse
import bisect
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from rich.console import Console

from .machine import describe
from .services import netfold, started
from .stats import spread

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

KINDS = (
    *("work", "functions", "table", "start", "compile", "time", "fill", "recursion", "memory"),
    *("bounds", "trap", "near"),
)
"""Kinds of modules, as `crates/netfold/examples/hostile/modules.rs` makes them."""


def work(rank: int, settings: dict[str, Any], control: Connection) -> None:
    """Run one worker until told to stop; sends the times at which its calls have ended."""
    import netfold as nf

    ended: list[float] = []
    with nf.connect(
        job="measured",
        rank=rank,
        size=settings["workers"],
        switch=settings["switch"],
        transport="udp",
    ) as comm:
        vector = np.arange(settings["bytes"] // 4, dtype=np.int32) + rank
        wanted = sum(np.arange(vector.size, dtype=np.int32) + other for other in range(comm.size))
        out = np.empty_like(vector)
        goes_on = np.ones(1, np.int32)
        control.send("ready")
        while goes_on[0] == 1:
            comm.all_reduce(vector, out=out)
            ended.append(time.monotonic())
            if len(ended) % 100 == 0:
                if not np.array_equal(out, wanted):
                    sys.exit("bench.hostile: a wrong sum")
                # Everyone stops after the same call.
                goes_on = comm.all_reduce(np.array([not control.poll()], np.int32), "min")
    control.send(ended)


class Client:
    """The client that means harm."""

    def __init__(self, program: str, switch: str) -> None:
        """Start it, quiet."""
        self._process = subprocess.Popen(
            [program, switch],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.nice(19),
        )
        self._input: IO[str] = self._process.stdin  # type: ignore[assignment]
        self._output: IO[str] = self._process.stdout  # type: ignore[assignment]

    def tell(self, command: str) -> list[int]:
        """Give it a command; returns how often it has joined, was refused, and was told of a trap
        since the last.
        """
        self._input.write(command + "\n")
        self._input.flush()
        return [int(count) for count in self._output.readline().split()]

    def end(self) -> None:
        """End it."""
        self._process.kill()
        self._process.wait()


def measure(settings: dict[str, Any], kinds: list[str]) -> dict[str, Any]:
    """Run the workers, and the client in turns."""
    context = multiprocessing.get_context("spawn")
    pipes = [context.Pipe() for _ in range(settings["workers"])]
    team = [
        context.Process(target=work, args=(rank, settings, pipe[1]))
        for rank, pipe in enumerate(pipes)
    ]
    for process in team:
        process.start()
    for receiver, sender in pipes:
        sender.close()
        receiver.recv()
    client = Client(settings["client"], settings["switch"])
    phases: list[tuple[str, float, float]] = []
    outcomes = {kind: [0, 0, 0] for kind in kinds}
    try:
        for _ in range(settings["rounds"]):
            for kind in kinds:
                for command in ("quiet", kind):
                    # What it was about to do when it was told is not another phase's.
                    before = client.tell(command)
                    if command == "quiet" and phases:
                        last = outcomes[phases[-1][0]]
                        outcomes[phases[-1][0]] = [a + b for a, b in zip(last, before, strict=True)]
                    began = time.monotonic()
                    time.sleep(settings["seconds"])
                    phases.append((command, began, time.monotonic()))
        client.tell("quiet")
        began = time.monotonic()
        time.sleep(settings["seconds"])
        phases.append(("quiet", began, time.monotonic()))
        for receiver, _ in pipes:
            receiver.send("stop")
        ended, *_ = [receiver.recv() for receiver, _ in pipes]
    finally:
        client.end()
        for process in team:
            process.join()
    rates = [
        (bisect.bisect(ended, until) - bisect.bisect(ended, since)) / (until - since)
        for _, since, until in phases
    ]
    results = {}
    for kind in kinds:
        at = [index for index, phase in enumerate(phases) if phase[0] == kind]
        quiet = [(rates[index - 1] + rates[index + 1]) / 2 for index in at]
        results[kind] = {
            "quiet_calls_per_s": asdict(spread(quiet)),
            "calls_per_s": asdict(spread([rates[index] for index in at])),
            "share": asdict(
                spread([rates[index] / own for index, own in zip(at, quiet, strict=True)])
            ),
            "modules_joined": outcomes[kind][0],
            "modules_refused": outcomes[kind][1],
            "modules_trapped": outcomes[kind][2],
        }
    return results


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.hostile", description=__doc__.partition("\n\n")[0]
    )
    parser.add_argument(
        "--client",
        default="target/release/examples/hostile",
        help="the client: cargo build --release --package netfold --example hostile",
    )
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--bytes", type=int, default=1 << 20)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5, help="of each phase")
    parser.add_argument("--kind", choices=KINDS, action="append", help="of modules; all by default")
    parser.add_argument("--out", type=Path, default=Path("out/bench/hostile.json"))
    arguments = parser.parse_args()
    kinds = arguments.kind or list(KINDS)
    names = ("client", "workers", "bytes", "rounds", "seconds")
    settings = {name: getattr(arguments, name) for name in names}
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        log = stack.enter_context((folder / "switch.log").open("w+"))
        words = netfold("switch", "--listen", "127.0.0.1:0")
        line = stack.enter_context(started(words, subprocess.Popen, log))
        address = next(word for word in line.split() if word.startswith("127.0.0.1:"))
        results = measure(settings | {"switch": address.rstrip(":")}, kinds)
    document = {
        "machine": describe(),
        "settings": {name: settings[name] for name in names if name != "client"},
        "results": results,
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(json.dumps(document, indent=2) + "\n")
    Console().print_json(data=results)


if __name__ == "__main__":
    main()
