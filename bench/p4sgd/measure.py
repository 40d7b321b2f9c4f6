"""Contenders take turns, and nobody is timed whose losses are others than those of the rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from scipy import sparse

from .. import machine
from ..rcv1 import documents
from .crew import Crew, CrewError
from .plan import SCALE_OUT, WORKERS, Contender, DataSet, Effort, Stage, stages
from .results import Curve, Results, Row

SAME_LOSS = 1e-5
"""How far, relatively, losses may lie apart: they are those of the same steps, to rounding (R-GLM-15). Data-parallel
workers add the losses of a mini-batch of up to 1,024 samples as float32, each sum off by 2^-24 at most.
"""

Tell = Callable[[str, int, int], None]
"""Told what is measured, and how many of how many stages are done."""


def measure(program: Path, effort: Effort, folder: Path, tell: Tell) -> Results:
    """Do all stages; `folder` is for sockets and files.

    Raises:
        CrewError: workers fail, or come to different losses.
    """
    results = Results(machine.describe(), None)
    with ExitStack() as stack:
        crews = {}
        for workers in SCALE_OUT:
            crews[workers] = Crew(program, workers, folder)
            stack.callback(crews[workers].close)
        results.mpi = crews[WORKERS].mpi
        planned = stages(effort)
        for done, stage in enumerate(planned):
            tell(stage.samples.name, done, len(planned))
            if stage.samples.sparse:
                _write(stage.samples, folder)
            for workers in sorted({contender.workers for contender in stage.contenders}):
                crews[workers].hold(stage, folder)
            take_turns(crews, stage, effort, results)
    return results


def take_turns(crews: Mapping[int, Crew], stage: Stage, effort: Effort, results: Results) -> None:
    """Add what a stage's contenders need for their epochs.

    Raises:
        CrewError: as in :func:`measure`.
    """
    contenders = [each for each in stage.contenders if results.mpi or not each.way.mpi]

    def fit(contender: Contender) -> list[dict[str, float]]:
        return crews[contender.workers].fit(stage, contender)

    # Not timed: caches and memory are warm afterwards.
    began = time.monotonic()
    first = {contender: fit(contender) for contender in contenders}
    rounds = min(max(int(effort.seconds / (time.monotonic() - began)), effort.fewest), effort.most)
    losses = {contender: [epoch["loss"] for epoch in first[contender]] for contender in contenders}
    for batch in sorted({contender.batch for contender in contenders}):
        same = ((str(contender), losses[contender]) for contender in contenders if contender.batch == batch)
        check(same, f"{stage.samples.name}, mini-batches of {batch}")
    seconds: dict[Contender, list[list[float]]] = {contender: [] for contender in contenders}
    for index in range(rounds):
        # Another one begins each round.
        turn = index * len(contenders) // rounds
        for contender in contenders[turn:] + contenders[:turn]:
            seconds[contender].append([epoch["seconds"] for epoch in fit(contender)])
    for contender in contenders:
        if stage.epochs > 1:
            found = Curve(
                stage.samples.name, contender.batch, contender.way.name, losses[contender], seconds[contender]
            )
            results.curves.append(found)
            continue
        row = Row(
            samples=stage.samples.name,
            features=stage.samples.features,
            rows=stage.samples.rows,
            workers=contender.workers,
            engines=contender.engines,
            batch=contender.batch,
            way=contender.way.name,
            loss=losses[contender][0],
            bytes=int(first[contender][0]["bytes"]),
            seconds=[epochs[0] for epochs in seconds[contender]],
        )
        results.rows.append(row)


def check(losses: Iterable[tuple[str, list[float]]], what: str) -> None:
    """See that all have the same losses.

    Raises:
        CrewError: they have not.
    """
    (first, expected), *others = losses
    for name, found in others:
        if not np.allclose(found, expected, rtol=SAME_LOSS, atol=0):
            raise CrewError(f"{what}: {first} and {name} come to different losses: {expected} and {found}")


def _write(samples: DataSet, folder: Path) -> None:
    """Store documents where workers find them."""
    features, labels = documents(samples.rows, samples.features, words=samples.words)
    stem = folder / samples.stem
    sparse.save_npz(stem.with_suffix(".npz"), features, compressed=False)
    np.save(stem.with_suffix(".npy"), labels)
