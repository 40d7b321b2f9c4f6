"""The paper's figures from the measurements: the rows of each, and what is compared."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..stats import Spread
from .equations import (
    ALONE,
    DATA_PARALLEL,
    DATA_PARALLEL_CORE,
    MICRO_BATCHES,
    MICRO_BATCHES_CORE,
    MODEL_PARALLEL,
    Equation,
    Fit,
    fit,
)
from .plan import (
    ACKED,
    ACKED_WHOLE,
    DATA_ACKED,
    DATA_MPI,
    DATA_SHADOW,
    MPI,
    MPI_WHOLE,
    NETFOLD,
    NETFOLD_WHOLE,
    SCALE_OUT_BATCH,
    SCALE_UP_BATCH,
    SHADOW,
    SHADOW_WHOLE,
    WORKERS,
    Way,
)
from .results import Results, Row

NETFOLD_WAYS = (NETFOLD, NETFOLD_WHOLE)
ACKED_WAYS = (ACKED, ACKED_WHOLE)
MPI_WAYS = (MPI, MPI_WHOLE)

EQUATIONS: tuple[tuple[Equation, tuple[Way, ...]], ...] = (
    (DATA_PARALLEL, (DATA_ACKED, DATA_SHADOW, DATA_MPI)),
    (DATA_PARALLEL_CORE, (DATA_ACKED, DATA_SHADOW, DATA_MPI)),
    (MODEL_PARALLEL, (NETFOLD_WHOLE, ACKED_WHOLE, SHADOW_WHOLE, MPI_WHOLE)),
    (MICRO_BATCHES, (NETFOLD, ACKED, SHADOW, MPI)),
    (MICRO_BATCHES_CORE, (NETFOLD, ACKED, SHADOW, MPI)),
    (ALONE, (ACKED,)),
)


@dataclass(frozen=True)
class Line:
    """Throughput over something, relative to that of the first."""

    name: str
    points: list[tuple[int, Spread]]


def samples_of(results: Results, workers: int) -> list[str]:
    """Data sets that so many workers have trained on, in order."""
    return list(dict.fromkeys(row.samples for row in results.rows if row.workers == workers))


def batches_of(results: Results, samples: str) -> list[int]:
    """Mini-batches with which all workers of figure 9 have trained."""
    return sorted(
        {row.batch for row in results.rows if (row.samples, row.workers) == (samples, WORKERS)}
    )


def compared(results: Results) -> list[str]:
    """Data sets of figure 9: those that were split by samples, too."""
    return [name for name in samples_of(results, WORKERS) if _has(results, name, DATA_ACKED)]


def faster_of(
    results: Results, samples: str, workers: int, batch: int, ways: tuple[Way, ...]
) -> Row | None:
    """The one of these that is faster, by the medians: in micro-batches, or with whole
    mini-batches.
    """
    found = [results.row(samples, workers, batch, way.name) for way in ways]
    return min(
        (row for row in found if row is not None),
        key=lambda row: row.iteration_us.median,
        default=None,
    )


def mini_batches(results: Results, way: Way) -> Iterator[Line]:
    """Figure 10: throughput over the mini-batch, by data set."""
    for name in samples_of(results, WORKERS):
        rows = [results.row(name, WORKERS, batch, way.name) for batch in batches_of(results, name)]
        if any(rows):
            yield _relative(results, name, [(row.batch, row) for row in rows if row is not None])


def engines(results: Results) -> Iterator[Line]:
    """Figure 11: throughput of one worker over its engines, by data set."""
    for name in samples_of(results, 1):
        rows = [
            row
            for row in results.rows
            if (row.samples, row.workers, row.batch) == (name, 1, SCALE_UP_BATCH)
        ]
        if rows:
            yield _relative(results, name, [(row.engines, row) for row in rows])


def workers(results: Results, way: Way) -> Iterator[Line]:
    """Figure 12: throughput over the workers, by data set. One worker exchanges nothing."""
    counts = sorted({row.workers for row in results.rows})
    for name in samples_of(results, 1):
        named = {count: way.name if count > 1 else ACKED.name for count in counts}
        rows = [
            (count, results.row(name, count, SCALE_OUT_BATCH, named[count])) for count in counts
        ]
        yield _relative(results, name, [(count, row) for count, row in rows if row is not None])


def fits(results: Results) -> Iterator[tuple[Way, Fit]]:
    """Each equation for each exchange, over the dense data sets and all mini-batches with one
    engine.
    """
    dense = [row for row in results.rows if not row.samples.endswith("sparse") and row.engines == 1]
    for equation, ways in EQUATIONS:
        workers = 1 if equation is ALONE else WORKERS
        for way in ways:
            rows = [row for row in dense if (row.workers, row.way) == (workers, way.name)]
            if rows:
                yield way, fit(equation, rows)


def _relative(results: Results, name: str, rows: list[tuple[int, Row]]) -> Line:
    """Throughput of samples, relative to the first row."""
    first = rows[0][1]
    points = [(at, results.faster(row, first)) for at, row in rows]
    return Line(name, [(at, ratio) for at, ratio in points if ratio is not None])


def _has(results: Results, samples: str, way: Way) -> bool:
    return any((row.samples, row.way) == (samples, way.name) for row in results.rows)
