"""A contender at work: its ranks, commanded through one socket.

Ranks are processes in Python (`rank.py`), C (`peers/collective.c`) or Rust (`netfold
bench-worker`). One that is ready connects to a Unix socket, which reaches into network namespaces
and puts nothing on the network that is measured. Lines go over it, an answer to each command:

    rank                        controller
    hello RANK {...}                            once; the braces hold what the rank tells of itself,
    as JSON
                                check BYTES     all-reduce vectors whose sum is known, and compare
    ok
                                fill BYTES      have a vector of ones
    ok
                                run CALLS FILL  barrier; then time CALLS all-reduces in place, and
                                after each FILL of
    done SECONDS                                them have ones again, outside of the time
                                apart CALLS     CALLS times: vector of ones, barrier; then time an
                                    all-reduce in place
    times SECONDS ...
    failed WHY                                  in place of any of these answers
                                end             leave, and end; the socket's end means the same

Between commands a rank waits in a read, so that a contender takes no time from whose turn it is.
"""

from __future__ import annotations

import json
import math
import os
import signal
import socket
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import Any

from .launch import Launch, UnavailableError
from .plan import AUTO

JOIN_S = 120.0
"""Time within which all ranks must be ready."""

ROUND_S = 600.0
"""Time limit of an answer. A round in a rack that loses packets is slow, but it ends."""

LEAVE_S = 10.0
"""Time for processes to end by themselves, and once more after they are told to."""

POLL_S = 0.1

LARGEST_EXPONENTS = {"f32": 96, "bf16": 96, "f16": 15}
"""Largest sum of ones, as a power of 2, by element type: within its range, which for float16 ends
below 2^16.
"""


class TeamError(RuntimeError):
    """A contender that has failed; the message says which, and how."""


@dataclass(frozen=True)
class Round:
    """Cost of one round."""

    seconds: list[float]
    """The time of the slowest rank: for each call on average, or of every single one that is timed
    apart.
    """
    cpu_seconds: float
    """Processor time of a call, user and system, of all processes of the contender, the switch
    included.
    """
    switch_cpu_seconds: float
    """Part of it that is the switch's. It is 0 without a switch, and where the workers do its work.
    """
    machine_cpu_seconds: float
    """Time of a call in which the machine's processors were not idle, for any reason."""


class Team:
    """The ranks of one contender. :meth:`close` it at the end."""

    def __init__(self, launch: Launch) -> None:
        self._launch = launch
        self._listener = socket.socket(socket.AF_UNIX)
        self._ranks: dict[int, TextIOWrapper] = {}
        self._pids: set[int] = set()
        self._busy_cpu = 0.0
        self._busy_s = 0.0
        self._since: tuple[float, float] = (0.0, 0.0)
        self.hello: dict[str, Any] = {}
        """Facts that rank 0 has reported about itself."""

    @property
    def name(self) -> str:
        """Name of the contender."""
        return self._launch.contender.name

    def start(self) -> None:
        """Start its processes; they become ready while others are started.

        Raises:
            UnavailableError: it cannot take part here.
        """
        self._listener.bind(str(self._launch.socket))
        self._listener.listen(self._launch.size)
        self._listener.settimeout(POLL_S)
        self._launch.start()

    def join(self) -> None:
        """Wait until all ranks are ready.

        Raises:
            UnavailableError: they cannot be.
        """
        deadline = time.monotonic() + JOIN_S
        while len(self._ranks) < self._launch.size:
            try:
                connection, _ = self._listener.accept()
            except TimeoutError:
                # All processes but a launcher stay until they are told to end.
                if any(process.poll() is not None for process in self._launch.processes):
                    raise UnavailableError(
                        f"it did not start: {self._launch.last_words()}"
                    ) from None
                if time.monotonic() > deadline:
                    raise UnavailableError(
                        f"only {len(self._ranks)} of {self._launch.size} ranks were ready after {JOIN_S:.0f} s: "
                        f"{self._launch.last_words()}"
                    ) from None
                continue
            self._greet(connection)
        self._pids |= {process.pid for process in self._launch.processes}
        wanted, used = self._launch.contender.transport, self.hello.get("transport", "udp")
        if wanted not in (AUTO, used):
            raise UnavailableError(f"it was told to use {wanted}, and this netfold uses {used}")
        self._since = (time.monotonic(), self._cpu())

    def check(self, size: int) -> None:
        """Check that a vector of so many bytes is reduced correctly.

        Raises:
            TeamError: it is not, or something fails.
        """
        with self._turn():
            self._command(f"check {size}", "ok")

    def round(self, size: int, calls: int) -> Round:
        """Make so many calls in a row on a vector of so many bytes.

        Raises:
            TeamError: something fails.
        """
        largest = LARGEST_EXPONENTS[self._launch.contender.element_type]
        refill = max(1, int(largest / math.log2(self._launch.size)))
        return self._round(
            size,
            calls,
            lambda: [max(map(float, self._command(f"run {calls} {refill}", "done"))) / calls],
        )

    def round_apart(self, size: int, calls: int) -> Round:
        """Make so many calls on a vector of so many bytes, each behind a barrier.

        Raises:
            TeamError: something fails.
        """

        def run() -> list[float]:
            ranks = [
                [float(time) for time in answer.split()]
                for answer in self._command(f"apart {calls}", "times")
            ]
            return [max(times) for times in zip(*ranks, strict=True)]

        return self._round(size, calls, run)

    def _round(self, size: int, calls: int, run: Callable[[], list[float]]) -> Round:
        with self._turn():
            self._command(f"fill {size}", "ok")
            before = (self._cpu(), self._switch_cpu(), machine_cpu_s())
            seconds = run()
            after = (self._cpu(), self._switch_cpu(), machine_cpu_s())
            return Round(
                seconds,
                *((late - early) / calls for early, late in zip(before, after, strict=True)),
            )

    def idle_cores(self) -> float:
        """Return the cores that it has kept busy, on average, while others had their turn."""
        began, cpu = self._since
        others_s = time.monotonic() - began - self._busy_s
        return max(0.0, self._cpu() - cpu - self._busy_cpu) / others_s if others_s > 0 else 0.0

    def close(self) -> None:
        """End its processes. Closing twice is fine."""
        for stream in self._ranks.values():
            try:
                print("end", file=stream, flush=True)
            except OSError:
                continue  # it has ended already
        launch = self._launch
        workers = [process for process in launch.processes if process is not launch.switch]
        _end(workers, LEAVE_S if self._ranks else 0.0)
        for stream in self._ranks.values():
            try:
                stream.close()
            except OSError:
                continue  # what was still to be written has nobody to read it
        self._ranks.clear()
        if launch.switch is not None:
            _end([launch.switch], 0.0)
            if launch.switch.stdout is not None:
                launch.switch.stdout.close()
        self._listener.close()

    def _greet(self, connection: socket.socket) -> None:
        connection.settimeout(ROUND_S)
        stream = connection.makefile("rw")
        word, rank, hello = [*stream.readline().split(" ", 2), "", ""][:3]
        credentials = connection.getsockopt(
            socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i")
        )
        # The stream keeps the connection open.
        connection.close()
        if word != "hello":
            raise UnavailableError(f"a rank ended before it was ready: {self._launch.last_words()}")
        self._pids.add(struct.unpack("3i", credentials)[0])
        self._ranks[int(rank)] = stream
        if int(rank) == 0:
            self.hello = json.loads(hello)

    def _command(self, command: str, expected: str) -> list[str]:
        """Send a command; return the text that the ranks add to the expected answer."""
        try:
            for stream in self._ranks.values():
                print(command, file=stream, flush=True)
            answers = {rank: stream.readline().strip() for rank, stream in self._ranks.items()}
        except OSError as error:
            raise TeamError(
                f"{self.name}: {command}: {error}; {self._launch.last_words()}"
            ) from error
        for rank, answer in answers.items():
            if answer.partition(" ")[0] != expected:
                why = (
                    answer.removeprefix("failed ")
                    or f"its process has ended: {self._launch.last_words()}"
                )
                raise TeamError(f"{self.name}: rank {rank}: {why}")
        return [answer.partition(" ")[2] for answer in answers.values()]

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Count what is done in it as this contender's, not as what it does while others have their
        turn.
        """
        began, cpu = time.monotonic(), self._cpu()
        yield
        self._busy_s += time.monotonic() - began
        self._busy_cpu += self._cpu() - cpu

    def _cpu(self) -> float:
        return sum(process_cpu_s(pid) for pid in self._pids)

    def _switch_cpu(self) -> float:
        switch = self._launch.switch
        return 0.0 if switch is None else process_cpu_s(switch.pid)


def process_cpu_s(pid: int) -> float:
    """Processor time that all threads of a process have taken since it began, also those that have
    ended; 0 if there is no such process.
    """
    # The identifier of a process's clock is made so by the kernel's interface (CPUCLOCK_SCHED in
    # posix-timers.h, and clock_getcpuclockid of the C library). /proc has the same time, in ticks
    # of 10 ms.
    try:
        return time.clock_gettime((~pid << 3) | 2)
    except OSError:
        return 0.0


def machine_cpu_s() -> float:
    """Time since boot in which the machine's processors were not idle: in processes, and in
    interrupts in nobody's name, which is where a network does much of its work. Counted in ticks.
    """
    user, nice, system, _idle, _iowait, irq, softirq, *_ = map(
        int, Path("/proc/stat").read_text().split()[1:9]
    )
    return (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")


def _end(processes: list[subprocess.Popen[Any]], patience_s: float) -> None:
    """Wait for processes to end; then ask them to, and then end them, with the processes in their
    sessions.
    """
    if _all_ended(processes, patience_s):
        return
    for process in processes:
        if process.poll() is None:
            process.terminate()
    if _all_ended(processes, LEAVE_S):
        return
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _all_ended(processes: list[subprocess.Popen[Any]], patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    for process in processes:
        try:
            process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            return False
    return True
