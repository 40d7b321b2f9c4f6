"""Contenders take turns, and only those are timed whose losses agree."""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from scipy import sparse

from .. import machine
from ..rcv1 import documents
from .crew import Crew, CrewError
from .plan import WORKERS, Contender, DataSet, Effort, Stage, stages
from .results import Curve, Results, Row

SAME_LOSS = 1e-5
"""Largest relative difference allowed between losses: they are those of the same steps, to rounding
(R-GLM-15). Data-parallel workers add the losses of a mini-batch of up to 1,024 samples as float32,
each sum off by 2^-24 at most.
"""

Tell = Callable[[str, int, int], None]
"""Receiver of progress: the current measurement, the parts that are done, and their number."""


def measure(program: Path, effort: Effort, folder: Path, tell: Tell) -> Results:
    """Measure all stages; `folder` is for sockets and files.

    Raises:
        CrewError: workers fail, or come to different losses.
    """
    results = Results(machine.describe(), None)
    planned = stages(effort)
    for done, stage in enumerate(planned):
        if stage.samples.sparse:
            store(stage.samples, folder)
        turns = Turns(stage, effort)
        for part in range(effort.crews):
            tell(stage.samples.name, done * effort.crews + part, len(planned) * effort.crews)
            with started(program, stage, folder) as crews:
                results.mpi = crews[WORKERS].mpi
                turns.take(crews, part)
        turns.into(results)
    return results


@contextmanager
def started(program: Path, stage: Stage, folder: Path) -> Iterator[dict[int, Crew]]:
    """Workers with a stage's samples, by their number."""
    with tempfile.TemporaryDirectory(dir=folder) as own, ExitStack() as stack:
        crews = {}
        for workers in sorted({contender.workers for contender in stage.contenders}):
            crew = crews[workers] = Crew(program, workers, Path(own))
            stack.callback(crew.close)
            crew.hold(stage, folder)
        yield crews


class Turns:
    """Times of a stage's contenders for their epochs, as they take turns."""

    def __init__(self, stage: Stage, effort: Effort) -> None:
        self._stage, self._effort = stage, effort
        self._first: dict[Contender, list[dict[str, float]]] = {}
        self._seconds: defaultdict[Contender, list[list[float]]] = defaultdict(list)

    def take(self, crews: Mapping[int, Crew], part: int) -> None:
        """Measure with these workers, which are the crews of that number.

        Raises:
            CrewError: as in :func:`measure`.
        """
        stage, effort = self._stage, self._effort
        contenders = [
            each for each in stage.contenders if crews[each.workers].mpi or not each.way.mpi
        ]

        def fit(contender: Contender) -> list[dict[str, float]]:
            return crews[contender.workers].fit(stage, contender)

        # Not timed: caches and memory are warm afterwards.
        began = time.monotonic()
        first = {contender: fit(contender) for contender in contenders}
        rounds = min(
            max(int(effort.seconds / (time.monotonic() - began)), effort.fewest), effort.most
        )
        for batch in sorted({contender.batch for contender in contenders}):
            same = (
                (str(contender), [epoch["loss"] for epoch in epochs])
                for crew in (self._first, first)
                for contender, epochs in crew.items()
                if contender.batch == batch
            )
            check(same, f"{stage.samples.name}, mini-batches of {batch}")
        self._first = self._first or first
        for index in range(rounds):
            # Another one begins each round.
            turn = (part * rounds + index) * len(contenders) // (effort.crews * rounds)
            for contender in contenders[turn:] + contenders[:turn]:
                self._seconds[contender].append([epoch["seconds"] for epoch in fit(contender)])

    def into(self, results: Results) -> None:
        """Add what was found."""
        samples = self._stage.samples
        for contender, epochs in self._first.items():
            losses, seconds = [epoch["loss"] for epoch in epochs], self._seconds[contender]
            if self._stage.epochs > 1:
                results.curves.append(
                    Curve(samples.name, contender.batch, contender.way.name, losses, seconds)
                )
                continue
            row = Row(
                samples=samples.name,
                features=samples.features,
                rows=samples.rows,
                workers=contender.workers,
                engines=contender.engines,
                batch=contender.batch,
                way=contender.way.name,
                loss=losses[0],
                bytes=int(epochs[0]["bytes"]),
                seconds=[each[0] for each in seconds],
            )
            results.rows.append(row)


def check(losses: Iterable[tuple[str, list[float]]], what: str) -> None:
    """Check that all contenders have the same losses.

    Raises:
        CrewError: they have not.
    """
    (first, expected), *others = losses
    for name, found in others:
        if not np.allclose(found, expected, rtol=SAME_LOSS, atol=0):
            raise CrewError(
                f"{what}: {first} and {name} come to different losses: {expected} and {found}"
            )


def store(samples: DataSet, folder: Path) -> None:
    """Store documents where workers find them."""
    features, labels = documents(samples.rows, samples.features, words=samples.words)
    stem = folder / samples.stem
    sparse.save_npz(stem.with_suffix(".npz"), features, compressed=False)
    np.save(stem.with_suffix(".npy"), labels)
