"""Figures of samples: medians, percentiles, and ratios of samples that were taken in turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Spread:
    """A median with its surroundings."""

    median: float
    p5: float
    """One sample in twenty is below it."""
    p95: float
    """One sample in twenty is above it."""


def spread(samples: Sequence[float]) -> Spread:
    """Of one or more samples; percentiles lie in proportion between two samples."""
    low, middle, high = np.percentile(np.asarray(samples, dtype=float), [5, 50, 95])
    return Spread(float(middle), float(low), float(high))


def speedup(samples: Sequence[float], baseline: Sequence[float]) -> Spread:
    """Return the speedup over the baseline. Both are given in seconds. Sample i of both is from
    the same round.

    The middle is the ratio of the medians. The percentiles are those of the ratios of single
    rounds, in which both met the same noise.
    """
    if len(samples) != len(baseline):
        raise ValueError(
            f"rounds of both sides belong together; there are {len(samples)} and {len(baseline)}"
        )
    rounds = spread(np.asarray(baseline, dtype=float) / np.asarray(samples, dtype=float))
    return Spread(float(np.median(baseline) / np.median(samples)), rounds.p5, rounds.p95)
