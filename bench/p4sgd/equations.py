"""Equations 1 to 3 of the paper, fitted to what was measured.

D are the model's features, M the workers, B the samples of a mini-batch, MB those of a micro-batch.
A worker takes f for a feature of a sample forward, and b backward; BW are the elements that are
aggregated in a second, T_l is the latency of an aggregation. With T_f and T_b written out, the time
of a mini-batch is

* data parallel (1):               f (B / M) D + b D + D / BW + T_l
* model parallel (2):              (f + b) B D / M + B / BW + T_l
* the same in micro-batches (3):   f MB D / M + b B D / M + T_c

T_c stands for MB / BW + T_l, which are one number as long as MB does not vary; b and 1 / BW of (1)
are known as a sum only, as both stand beside D. The equations are those of a pipeline with hardware
for each direction: in (1) backward propagation goes on beside forward propagation but for one
sample's, and in (3) all forward propagation but a micro-batch's goes on beside backward
propagation. A core does one thing at a time, and hands each micro-batch to the exchange itself. For
it

* data parallel (1'):              (f + b) (B / M) D + D / BW + T_l
* the same in micro-batches (3'):  (f + b) B D / M + (B / MB) T_s + T_c

where T_s is what a micro-batch's fold takes of a worker's time. One worker exchanges nothing:

* alone:                           (f + b) B D + T_0

with T_0 for what a mini-batch takes whatever its samples. From this comes what computation costs in
the simulation of more workers than there are cores (crates/sim/plans/p4sgd-figure-12.toml).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import nnls

from .plan import MICRO_BATCH
from .results import Row

Terms = dict[str, float]
"""Factor of each parameter."""


@dataclass(frozen=True)
class Equation:
    """A sum of terms, each a parameter that is not negative times a number that is known."""

    name: str
    what: str
    terms: Callable[[Row], Terms]


def _data_parallel(row: Row) -> Terms:
    forward = row.batch / row.workers * row.features
    return {"f": forward, "b + 1 / BW": row.features, "T_l": 1}


def _model_parallel(row: Row) -> Terms:
    return {"f + b": row.batch * row.features / row.workers, "1 / BW": row.batch, "T_l": 1}


def _micro_batches(row: Row) -> Terms:
    own = row.features / row.workers
    return {"f": min(MICRO_BATCH, row.batch) * own, "b": row.batch * own, "T_c": 1}


def _data_parallel_core(row: Row) -> Terms:
    return {"f + b": row.batch / row.workers * row.features, "1 / BW": row.features, "T_l": 1}


def _micro_batches_core(row: Row) -> Terms:
    folds = -(-row.batch // MICRO_BATCH)
    return {"f + b": row.batch * row.features / row.workers, "T_s": folds, "T_c": 1}


def _alone(row: Row) -> Terms:
    return {"f + b": row.batch * row.features, "T_0": 1}


ALONE = Equation("-", "alone", _alone)
DATA_PARALLEL = Equation("(1)", "data parallel", _data_parallel)
MODEL_PARALLEL = Equation("(2)", "model parallel", _model_parallel)
MICRO_BATCHES = Equation("(3)", "model parallel, micro-batches", _micro_batches)
DATA_PARALLEL_CORE = Equation("(1')", "data parallel, a core", _data_parallel_core)
MICRO_BATCHES_CORE = Equation("(3')", "model parallel, micro-batches, a core", _micro_batches_core)


@dataclass(frozen=True)
class Fit:
    """The parameters of an equation that fit some rows, and the residuals."""

    equation: Equation
    parameters: dict[str, float]
    """Time in microseconds for a feature, an element, or a mini-batch."""
    residual: float
    """Root of the mean squared deviation of the equation from the measurement, relative to the
    measurement.
    """
    worst: float
    """The largest of these deviations, either way."""
    rows: int


def fit(equation: Equation, rows: Sequence[Row]) -> Fit:
    """The parameters with the smallest residual: least squares of relative deviations from the
    median times, none of them negative.
    """
    names = list(equation.terms(rows[0]))
    times = np.array([row.iteration_us.median for row in rows])
    terms = (
        np.array([[equation.terms(row)[name] for name in names] for row in rows]) / times[:, None]
    )
    # Of about the same size, so that the solver's tolerance suits all of them.
    scale = np.linalg.norm(terms, axis=0)
    solved, _ = nnls(terms / scale, np.ones(len(rows)))
    parameters = solved / scale
    deviations = terms @ parameters - 1
    return Fit(
        equation,
        {name: float(value) for name, value in zip(names, parameters, strict=True)},
        float(np.sqrt(np.mean(deviations**2))),
        float(np.abs(deviations).max()),
        len(rows),
    )


def time_text(microseconds: float) -> str:
    """A time as text, in the unit that suits it."""
    if microseconds == 0:
        return "0"
    if microseconds < 1e-3:
        return f"{1e6 * microseconds:.3g} ps"
    return f"{1e3 * microseconds:.3g} ns" if microseconds < 1 else f"{microseconds:.3g} µs"
