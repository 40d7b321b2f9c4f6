"""Running one function as several workers, in threads or in processes, with a limit on the time it
may take.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

import netfold

LIMIT_S = 60.0

IMPORTED = ["numpy", "pytest", "torch.distributed", "netfold.torch"]
"""Modules that a process of a team has from its start. To import them takes seconds."""


@dataclass
class Outcome:
    """Outcome of one worker: a value, or an error."""

    value: Any = None
    error: str | None = None
    """Name of the exception's class."""
    message: str = ""
    trace: str = ""
    seconds: float = 0.0
    """Time from the start of the team to its end."""
    exit_code: int | None = None
    notes: list[Any] = field(default_factory=list)


def in_threads(size: int, work: Callable[[int], Any], limit_s: float = LIMIT_S) -> list[Outcome]:
    """Run `work(rank)` for each rank in a thread of its own.

    The native side works without the GIL, so the ranks do not hold each other up.
    """
    outcomes = [Outcome() for _ in range(size)]
    start = time.monotonic()

    def run(rank: int) -> None:
        try:
            outcomes[rank].value = work(rank)
        except Exception as error:
            outcomes[rank].error, outcomes[rank].message = type(error).__name__, str(error)
            outcomes[rank].trace = traceback.format_exc()
        outcomes[rank].seconds = time.monotonic() - start

    threads = [threading.Thread(target=run, args=(rank,), daemon=True) for rank in range(size)]
    for thread in threads:
        thread.start()
    for rank, thread in enumerate(threads):
        thread.join(max(start + limit_s - time.monotonic(), 0.0))
        assert not thread.is_alive(), (
            f"rank {rank} has not ended after {limit_s} s; the others: {outcomes}"
        )
    return outcomes


def values(outcomes: Sequence[Outcome]) -> list[Any]:
    """The values of a team in which nobody failed."""
    for rank, outcome in enumerate(outcomes):
        assert outcome.error is None, f"rank {rank}: {outcome.trace}"
    return [outcome.value for outcome in outcomes]


def ranks_in(message: str) -> set[str]:
    """The numbers that follow the words worker or rank in a message."""
    return set(re.findall(r"\b(?:worker|rank) (\d+)", message))


@contextlib.contextmanager
def running(
    *flags: str, listen: str = "127.0.0.1:0", **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A switch in a process of its own, and its address."""
    command = [sys.executable, "-m", "netfold", "switch", "--listen", listen, *flags]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=os.environ | environment
    ) as process:
        try:
            for line in process.stdout:
                _, told, address = line.partition("NETFOLD_SWITCH=")
                if told:
                    yield process, address.strip()
                    break
            else:
                raise AssertionError("the switch has ended")
        finally:
            process.kill()


def kept_address() -> str:
    """An address on the loopback interface that the system gives to nobody who asks for any: it can
    be had again.
    """
    with open("/proc/sys/net/ipv4/ip_local_port_range") as file:
        first = int(file.read().split()[0])
    for port in random.sample(range(10_000, first), 100):
        with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return f"127.0.0.1:{port}"
    raise AssertionError("none of a hundred ports is free")


def free_address() -> str:
    """An address on the loopback interface at which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return f"127.0.0.1:{probe.getsockname()[1]}"


@contextlib.contextmanager
def ctrl_c_in(function: str) -> Iterator[list[float]]:
    """Press Ctrl-C once for the main thread when `function` is the innermost function of Python
    that it is in.

    Gives a list in which the time of it (`time.monotonic`) is then.
    """
    pressed: list[float] = []
    begun = threading.Event()
    main = threading.main_thread().ident

    def press() -> None:
        begun.wait()
        while sys._current_frames()[main].f_code.co_name != function:
            time.sleep(0.01)  # frames cannot be waited for
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    threading.Thread(target=press, daemon=True).start()
    begun.set()
    try:
        yield pressed
    finally:
        signal.signal(signal.SIGINT, before)


_jobs = iter(range(10**9))


def communicators(
    switch: str, size: int, work: Callable[[netfold.Communicator], Any], **settings: Any
) -> list[Outcome]:
    """Run `work(communicator)` for each rank of a new job, in threads.

    No work begins before each rank has its communicator: a job that failed earlier would have
    :func:`netfold.connect` raise the failure.
    """
    job = f"test-{os.getpid()}-{next(_jobs)}"
    all_connected = threading.Barrier(size)

    def member(rank: int) -> Any:
        try:
            communicator = netfold.connect(switch=switch, job=job, rank=rank, size=size, **settings)
        except netfold.NetfoldError:
            all_connected.abort()
            raise
        with communicator:
            all_connected.wait(LIMIT_S)
            return work(communicator)

    return in_threads(size, member)


def gates(*steps: int) -> dict[int, Any]:
    """After each of these steps workers wait until the test opens its gate, so that what it does
    then happens under training.
    """
    context = multiprocessing.get_context("forkserver")
    return {step: context.Event() for step in steps}


class Processes:
    """A team of processes, each of which runs `target(rank, note, *arguments)`; `note(value)` sends
    something to the test meanwhile. Only with `parents` may they have children through
    multiprocessing.

    Each is a fork of a server without threads that has imported `IMPORTED`.
    """

    def __init__(
        self,
        size: int,
        target: Callable[..., Any],
        *arguments: Any,
        environment: dict[str, str] | None = None,
        parents: bool = False,
    ) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(IMPORTED)
        self.outcomes = [Outcome() for _ in range(size)]
        self._start = time.monotonic()
        self._pipes: dict[Connection, int] = {}
        self._processes = []
        for rank in range(size):
            ours, theirs = context.Pipe(duplex=False)
            process = context.Process(
                target=_member,
                args=(theirs, target, rank, arguments, environment or {}),
                daemon=not parents,
            )
            process.start()
            theirs.close()
            self._processes.append(process)
            self._pipes[ours] = rank

    def until_noted(self, rank: int, count: int = 1, limit_s: float = LIMIT_S) -> None:
        """Wait until this rank has sent `count` notes."""
        deadline = time.monotonic() + limit_s
        while len(self.outcomes[rank].notes) < count:
            assert self.outcomes[rank].error is None, self.outcomes[rank].trace
            assert time.monotonic() < deadline, f"rank {rank} sent {self.outcomes[rank].notes} only"
            assert rank in self._pipes.values(), (
                f"rank {rank} ended after {self.outcomes[rank].notes}"
            )
            self._receive(deadline)

    def until(self, met: Callable[[], bool], limit_s: float = LIMIT_S) -> None:
        """Wait until the notes are such that `met()`, or all ranks have ended, or the time is over."""
        deadline = time.monotonic() + limit_s
        while not met() and self._pipes and time.monotonic() < deadline:
            self._receive(deadline)

    def kill(self, rank: int) -> None:
        """End this rank's process as a crash would."""
        self._processes[rank].kill()

    def stop(self, rank: int) -> None:
        """Freeze this rank's process: its connections stay open and nothing comes from them."""
        os.kill(self._processes[rank].pid, signal.SIGSTOP)

    def go_on(self, rank: int) -> None:
        """Continue a process that was frozen."""
        os.kill(self._processes[rank].pid, signal.SIGCONT)

    def until_ended(self, rank: int, limit_s: float = LIMIT_S) -> None:
        """Wait until this rank has ended."""
        deadline = time.monotonic() + limit_s
        while rank in self._pipes.values():
            assert time.monotonic() < deadline, f"rank {rank} has not ended after {limit_s} s"
            self._receive(deadline)

    def elapsed(self) -> float:
        """Seconds since the team started."""
        return time.monotonic() - self._start

    def join(self, limit_s: float = LIMIT_S) -> list[Outcome]:
        """Wait for all; what has not ended after `limit_s` is killed and fails the test."""
        deadline = time.monotonic() + limit_s
        while self._pipes and time.monotonic() < deadline:
            self._receive(deadline)
        late = []
        for rank, process in enumerate(self._processes):
            process.join(max(deadline - time.monotonic(), 0.0))
            if process.is_alive():
                late.append(rank)
                process.kill()
                process.join()
            self.outcomes[rank].exit_code = process.exitcode
        assert not late, f"ranks {late} have not ended after {limit_s} s; outcomes: {self.outcomes}"
        return self.outcomes

    def _receive(self, deadline: float) -> None:
        for pipe in wait(list(self._pipes), timeout=max(deadline - time.monotonic(), 0.0)):
            assert isinstance(pipe, Connection)
            rank = self._pipes[pipe]
            try:
                kind, payload = pipe.recv()
            except EOFError:
                del self._pipes[pipe]
                continue
            if kind == "note":
                self.outcomes[rank].notes.append(payload)
            else:
                payload.notes = self.outcomes[rank].notes
                payload.seconds = self.elapsed()
                self.outcomes[rank] = payload


def _member(
    pipe: Connection,
    target: Callable[..., Any],
    rank: int,
    arguments: Sequence[Any],
    environment: dict[str, str],
) -> None:
    os.environ.update(environment)
    outcome = Outcome()
    try:
        outcome.value = target(rank, lambda value: pipe.send(("note", value)), *arguments)
    except Exception as error:
        outcome.error, outcome.message, outcome.trace = (
            type(error).__name__,
            str(error),
            traceback.format_exc(),
        )
    pipe.send(("outcome", outcome))
