"""Course of queries that meet faults, and what is counted of it."""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Protocol

from rich.progress import Progress

from ..rack import Rack
from ..services import SWITCH_PORT, netfold
from .__main__ import QUERIES
from .engine import Answer, Engine

ENGINE = ("netfold", "netfold, rows")
"""Contenders whose answers are the same to the last bit."""
TRIES = 10
"""Most queries for each kill that is to be."""


@dataclass
class Tally:
    """Count of what one query has met, by one engine and one fault."""

    fault: str
    loss: float
    """Probability with which a packet is lost on each link."""
    contender: str
    query: str
    answers: int = 0
    wrong: int = 0
    killed: int = 0
    """Kills while the query ran."""
    without: int = 0
    """Answers that told that the query went on without the switch; Spark does not tell."""
    at_standby: int = 0
    """Answers of queries that the standby had from the beginning."""
    lost_packets: int = 0
    """Packets that links have lost, of all protocols."""
    repeated_packets: int | None = None
    """Packets of rows that workers have sent again; Spark does not tell."""
    offered: int = 0
    forwarded: int = 0

    @property
    def key(self) -> tuple[str, float, str, str]:
        """Conditions that tell it from others."""
        return self.fault, self.loss, self.contender, self.query

    def take(self, answer: Answer, right: bool) -> None:
        """Count an answer."""
        self.answers += 1
        self.wrong += not right
        self.without += answer.without > 0
        self.offered += sum(exchange.offered for exchange in answer.exchanges)
        self.forwarded += sum(exchange.forwarded for exchange in answer.exchanges)
        if self.contender in ENGINE:
            self.repeated_packets = (self.repeated_packets or 0) + answer.repeated


class Process(Protocol):
    """A process that can be killed."""

    def kill(self) -> None:
        """Kill it."""

    def wait(self) -> int:
        """Wait for its end."""


class Switches:
    """The rack's switch and its standby, at two ports.

    Args:
        start: starts a switch at a port; returns when it listens.
        host: the switches' address.
    """

    PORTS = (SWITCH_PORT, SWITCH_PORT + 1)

    def __init__(self, start: Callable[[int], Process], host: str) -> None:
        self._start = start
        self._processes = {port: start(port) for port in self.PORTS}
        self.addresses = ",".join(f"{host}:{port}" for port in self.PORTS)

    @property
    def is_whole(self) -> bool:
        """True if both are there."""
        return len(self._processes) == len(self.PORTS)

    def kill(self) -> bool:
        """Kill the first, which has the queries."""
        process = self._processes.pop(self.PORTS[0])
        process.kill()
        process.wait()
        return True

    def revive(self) -> None:
        """Start the first again if it was killed."""
        for port in self.PORTS:
            if port not in self._processes:
                self._processes[port] = self._start(port)


@contextmanager
def switches(rack: Rack) -> Iterator[Switches]:
    """The switches of a rack."""
    with tempfile.TemporaryFile("w+") as log:

        def start(port: int) -> subprocess.Popen[str]:
            argv = netfold("switch", "--listen", f"{rack.switch_address}:{port}")
            process = rack.popen("switch", argv, stdout=subprocess.PIPE, stderr=log, text=True)
            assert process.stdout is not None
            if not process.stdout.readline():
                log.seek(0)
                sys.exit(f"{log.read()[-2000:]}\nbench.query.faults: a switch has not started")
            return process

        yield Switches(start, rack.switch_address)


@dataclass(frozen=True)
class Party:
    """Contender, and the options with which its engine is asked."""

    name: str
    engine: Engine
    options: Sequence[str]

    def ask(
        self, query: Path, kill: Callable[[], bool] | None = None, after_s: float = 0.0
    ) -> tuple[Answer, bool]:
        """Ask, and kill after a while if there is no answer by then. Returns whether that hit the
        query: it had not ended when the victim was dead.
        """
        with ThreadPoolExecutor(1) as pool:
            asked = pool.submit(self.engine.ask, query, self.options)
            hit = False
            if kill is not None and not wait([asked], timeout=after_s).done:
                hit = kill() and not asked.done()
            return asked.result(), hit


@dataclass(frozen=True)
class Killer:
    """Kills: of what, how often, and what follows each."""

    fault: str
    count: int
    kill: Callable[[random.Random], bool]
    """Kill one; false if none is there."""
    mend: Callable[[Tally], None]
    """Have the next query find all that it needs."""


@dataclass
class Course:
    """Queries of one rack, their right answers, and what they have met."""

    rack: Rack
    right: dict[str, dict[str, Answer]]
    """Answers without the switch, by engine and query."""
    tolerance: float
    """Largest relative difference of Spark's sums."""
    progress: Progress
    keep: Callable[[Tally], None]
    """Keep a tally that is complete."""
    usual_s: dict[tuple[str, str], float] = field(default_factory=dict)
    """Times of queries that meet no kill, by contender and query."""

    def answer(
        self,
        tally: Tally,
        party: Party,
        kill: Callable[[], bool] | None = None,
        after: float = 0.0,
    ) -> bool:
        """Ask once, kill after a part of the query's usual time, and compare. Returns whether the
        kill has hit the query.
        """
        query, key = path_of(tally.query), (party.name, tally.query)
        began = time.monotonic()
        answer, hit = party.ask(query, kill, after * self.usual_s.get(key, 0.0))
        if not hit:
            self.usual_s[key] = time.monotonic() - began
        own = party.name in ENGINE
        right = self.right["netfold" if own else "Spark"][tally.query]
        tally.take(answer, answer.answers(tally.query, right, 0.0 if own else self.tolerance))
        tally.killed += hit
        return hit

    @contextmanager
    def tally(self, fault: str, party: Party, query: str) -> Iterator[Tally]:
        """Count what a query meets, and the packets that links lose meanwhile."""
        tally = Tally(fault, self.rack.link.loss, party.name, query)
        before = self.rack.dropped()
        yield tally
        tally.lost_packets = self.rack.dropped() - before
        self.keep(tally)

    def losses(self, party: Party, rounds: int) -> None:
        """Ask each query so often."""
        for query in names():
            with self.tally("loss", party, query) as tally:
                told = f"loss {self.rack.link.loss:.1%}, {party.name}, {query}"
                for _ in self.progress.track(range(rounds), description=told):
                    self.answer(tally, party)

    def kills(self, party: Party, killer: Killer) -> None:
        """Kill so often, during each query as often as during the others."""
        for number, query in enumerate(names()):
            share = (killer.count + number) // len(names())
            dice = random.Random(f"{killer.fault}, {party.name}, {query}")
            kill = partial(killer.kill, dice)
            task = self.progress.add_task(f"{killer.fault}, {party.name}, {query}", total=share)
            with self.tally(killer.fault, party, query) as tally:
                self.answer(tally, party)
                for _ in range(TRIES * share):
                    if tally.killed == share:
                        break
                    hit = self.answer(tally, party, kill, dice.uniform(0.05, 0.95))
                    self.progress.advance(task, hit)
                    killer.mend(tally)
            if tally.killed < share:
                sys.exit(f"bench.query.faults: {tally.killed} of {share} kills have hit {query}")


def path_of(query: str) -> Path:
    """The file of a query."""
    return QUERIES / f"{query}.sql"


def names() -> list[str]:
    """The names of the queries."""
    return sorted(query.stem for query in QUERIES.glob("*.sql"))
