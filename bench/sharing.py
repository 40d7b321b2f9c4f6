"""Shares of a link: netfold jobs and TCP flows on the same links of an emulated rack.

A job has a worker at each of two hosts, which reduce vectors one after the other, and keep both
directions of both links full; all jobs are at one switch. A TCP flow comes from a host of its own,
so that its first queue is one in the network, and goes to the second of the jobs' hosts. After some
seconds, in which all start and find their windows, it is counted what each has carried.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from . import machine
from .launch import ROOT, netfold_program
from .place import PlaceError, bare_environment
from .plan import Case, Sharing
from .rack import Host, Link, Rack, RackError
from .results import HEADER_BYTES
from .stats import spread

HOSTS = 2
VECTOR_BYTES = 4 << 20
PAYLOAD_BYTES = 1024
"""Payload of a job's packet on Ethernet."""

SEGMENT_BYTES, SEGMENT_HEADER_BYTES = 1448, 66
"""Payload of a TCP segment on Ethernet with timestamps, and its headers from the Ethernet header
on.
"""

TCP_PORT = 7000
CONGESTION_CONTROL = "cubic"
START_S = 20.0
"""Time within which processes must be ready."""

QUEUE_S = 0.05
"""Interval at which the queues are sampled."""


class SharingError(RuntimeError):
    """A job or a flow has ended before its time."""


@dataclass
class Carried:
    """Traffic of one job or flow over time: ascending times and bytes."""

    times: list[float] = field(default_factory=list)
    bytes_: list[float] = field(default_factory=list)

    def note(self, at: float, total: float) -> None:
        """Record the bytes that had been carried at a time."""
        self.times.append(at)
        self.bytes_.append(total)

    def rate(self, since: float, until: float) -> float:
        """Bytes in a second between two times; what is carried between two notes is carried evenly."""
        before, after = np.interp([since, until], self.times, self.bytes_)
        return float(after - before) / (until - since)


@dataclass(frozen=True)
class Round:
    """One measurement of a case."""

    shares: list[float]
    """Share of the link that each has, relative to its rate alone: the jobs, then the flows."""
    queues: list[int]
    """Samples of the bytes in the fuller of the two queues that all share."""

    def parts(self, case: Case) -> list[float]:
        """The shares by weight."""
        weights = [*case.weights, *[1] * case.flows]
        return [share / weight for share, weight in zip(self.shares, weights, strict=True)]

    def jain(self, case: Case) -> float:
        """Jain's index of the parts: 1 if they are equal."""
        parts = np.array(self.parts(case))
        return float(parts.sum() ** 2 / (len(parts) * (parts**2).sum()))


@dataclass(frozen=True)
class SharingResults:
    """Results of a plan."""

    plan: Sharing
    machine: dict[str, Any]
    rounds: list[list[Round]]
    """Rounds of each case."""

    def write(self, path: Path) -> None:
        """Write everything as JSON."""
        cases = [
            {
                "name": case.name,
                "marks": case.marks,
                "weights": list(case.weights),
                "flows": case.flows,
            }
            | {"shares": [row.shares for row in rounds], "jain": [row.jain(case) for row in rounds]}
            | {"queue_bytes": [_queue_figures(row.queues) for row in rounds]}
            for case, rounds in zip(self.plan.cases, self.rounds, strict=True)
        ]
        content = {
            "plan": self.plan.name,
            "title": self.plan.title,
            "rate": self.plan.rate,
            "mark_bytes": self.plan.mark_bytes,
            "seconds": self.plan.seconds,
            "machine": self.machine,
        }
        path.write_text(json.dumps(content | {"cases": cases}, indent=1) + "\n")


def measure(plan: Sharing) -> SharingResults:
    """Measure all cases.

    Raises:
        PlaceError: there can be no rack here.
    """
    rounds = [[_round(plan, case) for _ in range(plan.rounds)] for case in plan.cases]
    return SharingResults(plan, machine.describe(), rounds)


def show(results: SharingResults, console: Console) -> None:
    """Print a table."""
    plan = results.plan
    console.print(Text(plan.title, style="bold"))
    console.print(Text(machine.summary(results.machine)))
    console.print(
        Text(
            f"links of {plan.rate}, marks above {plan.mark_bytes} B, {plan.rounds} x {plan.seconds:g} s"
        )
    )
    table = Table()
    for name in ("case", "marks"):
        table.add_column(name)
    for name in (
        "jobs by weight",
        "TCP flows",
        "together",
        "Jain",
        "queue, median B",
        "queue, 95 % B",
    ):
        table.add_column(name, justify="right")
    for case, rounds in zip(plan.cases, results.rounds, strict=True):
        shares = [
            spread(column).median for column in zip(*[row.shares for row in rounds], strict=True)
        ]
        jobs = [
            f"{weight}: {share:.2f}" for weight, share in zip(case.weights, shares, strict=False)
        ]
        flows = [f"{share:.2f}" for share in shares[len(case.weights) :]]
        jain = spread([row.jain(case) for row in rounds]).median
        queues = np.array([_queue_figures(row.queues) for row in rounds])
        together = spread([sum(row.shares) for row in rounds]).median
        middle, high = np.median(queues, axis=0)
        figures = [f"{together:.2f}", f"{jain:.3f}", f"{middle:,.0f}", f"{high:,.0f}"]
        table.add_row(
            case.name,
            "yes" if case.marks else "no",
            ", ".join(jobs),
            ", ".join(flows) or "-",
            *figures,
        )
    console.print(table)
    console.print(
        Text(
            f"Shares of what a link can carry of each alone, headers counted; medians. TCP is {CONGESTION_CONTROL}, "
            "each from a host of its own to one of the jobs'. Jain: index of fairness of the shares by weight. Queue: "
            "in front of the links that all share."
        )
    )


def _queue_figures(queues: Sequence[int]) -> tuple[float, float]:
    """Median, and 95th percentile."""
    figures = spread(queues)
    return figures.median, figures.p95


def _round(plan: Sharing, case: Case) -> Round:
    mark_bytes = plan.mark_bytes if case.marks else None
    try:
        with (
            Rack(HOSTS + case.flows, Link(plan.rate, mark_bytes=mark_bytes)) as rack,
            ExitStack() as stack,
        ):
            folder = Path(
                stack.enter_context(tempfile.TemporaryDirectory(prefix="netfold-sharing-"))
            )
            crew = _Crew(rack, folder)
            carried = [
                *crew.jobs(case.weights),
                *[crew.flow(number) for number in range(case.flows)],
            ]
            stack.enter_context(crew.working())
            time.sleep(plan.settle_s)
            since, queues = time.monotonic(), []
            while (until := time.monotonic()) < since + plan.seconds:
                # Contributions go up from host 0, results and segments down to host 1.
                queues.append(max(rack.queued(0)[0], rack.queued(1)[1]))
                time.sleep(QUEUE_S)
            crew.check()
            limits = [rack.goodput_limit(PAYLOAD_BYTES, HEADER_BYTES)] * len(case.weights)
            limits += [rack.goodput_limit(SEGMENT_BYTES, SEGMENT_HEADER_BYTES)] * case.flows
            rates = [one.rate(since, until) for one in carried]
    except RackError as error:
        raise PlaceError(str(error)) from error
    return Round([rate / limit for rate, limit in zip(rates, limits, strict=True)], queues)


class _Crew:
    """The processes of a round, and threads that follow what they carry."""

    def __init__(self, rack: Rack, folder: Path) -> None:
        self._rack = rack
        self._folder = folder
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = []
        self._ended = threading.Event()
        self._failure = ""

    def jobs(self, weights: Sequence[int]) -> list[Carried]:
        """Jobs with these weights, all at one switch."""
        if not weights:
            return []
        listen = f"{self._rack.switch_address}:0"
        switch = self._popen(
            "switch", [netfold_program(), "switch", "--listen", listen], stdout=subprocess.PIPE
        )
        assert switch.stdout is not None
        address = next(
            (line.partition("=")[2] for line in switch.stdout if "NETFOLD_SWITCH=" in line), ""
        )
        if not address:
            raise SharingError(f"the switch has not started: {self._words()}")
        return [self._job(number, weight, address.strip()) for number, weight in enumerate(weights)]

    def flow(self, number: int) -> Carried:
        """A TCP flow to host 1."""
        target = [self._rack.address(1), str(TCP_PORT + number)]
        module = [sys.executable, "-m", "bench.traffic"]
        receiver = self._popen(1, [*module, "receive", *target], stdout=subprocess.PIPE)
        self._popen(HOSTS + number, [*module, "send", *target, CONGESTION_CONTROL])
        carried = Carried()

        def follow() -> None:
            assert receiver.stdout is not None
            for line in receiver.stdout:
                at, total = line.split()
                carried.note(float(at), float(total))
            self._failed("a receiver of TCP has ended")

        self._threads.append(threading.Thread(target=follow, daemon=True))
        return carried

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let all processes work inside the `with` block; at its end none does."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._ended.set()
            for connection in self._sockets:
                connection.close()
            self._rack.close()
            for thread in self._threads:
                thread.join(START_S)

    def check(self) -> None:
        """Check that all processes have worked until now.

        Raises:
            SharingError: somebody has not.
        """
        if self._failure:
            raise SharingError(f"{self._failure}: {self._words()}")

    def _job(self, number: int, weight: int, switch: str) -> Carried:
        path = self._folder / f"job{number}"
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(str(path))
        listener.listen(HOSTS)
        listener.settimeout(START_S)
        self._sockets.append(listener)
        orders = {
            "switch": switch,
            "job": f"job {number}",
            "workers": HOSTS,
            "weight": weight,
            "arithmetic": "block",
        }
        orders |= {
            "byte_order": "little",
            "protocol": "shadow",
            "element_type": "f32",
            "sizes": [],
            "iterations": 0,
            "controller": str(path),
        }
        for rank in range(HOSTS):
            worker = self._popen(rank, [netfold_program(), "bench-worker"], stdin=subprocess.PIPE)
            assert worker.stdin is not None
            with worker.stdin as stdin:
                print(json.dumps(orders | {"rank": rank}), file=stdin)
        try:
            connections = [listener.accept()[0] for _ in range(HOSTS)]
        except TimeoutError:
            raise SharingError(f"a worker has not started: {self._words()}") from None
        self._sockets += connections
        files = [connection.makefile("rw") for connection in connections]
        for file in files:
            file.readline()
        carried = Carried()

        def command(text: str) -> bool:
            for file in files:
                print(text, file=file, flush=True)
            return all(file.readline().startswith(("ok", "done")) for file in files)

        def work() -> None:
            try:
                good = command(f"fill {VECTOR_BYTES}")
                total = 0
                carried.note(time.monotonic(), total)
                while good and not self._ended.is_set():
                    good = command("run 1 1")
                    total += VECTOR_BYTES
                    carried.note(time.monotonic(), total)
            except (OSError, ValueError):
                good = False
            if not good:
                self._failed(f"job {number} has failed")

        self._threads.append(threading.Thread(target=work, daemon=True))
        return carried

    def _failed(self, what: str) -> None:
        if not self._ended.is_set():
            self._failure = what

    def _popen(self, host: Host, argv: Sequence[str], **options: Any) -> subprocess.Popen[str]:
        environment = bare_environment() | {"PYTHONPATH": str(ROOT)}
        with (self._folder / "log").open("a") as log:
            streams = {"stdin": subprocess.DEVNULL, "stdout": log, "stderr": log}
            return self._rack.popen(
                host, argv, env=environment, cwd=ROOT, text=True, **(streams | options)
            )

    def _words(self) -> str:
        lines = (self._folder / "log").read_text(errors="replace").splitlines()
        return "; ".join(line.strip() for line in lines[-3:]) or "nothing was said"
