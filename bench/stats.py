"""Figures of samples: medians, percentiles, and ratios of samples that were taken in turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Spread:
    """A median, and the percentiles around it."""

    median: float
    p5: float
    """5th percentile."""
    p95: float
    """95th percentile."""


def spread(samples: Sequence[float] | npt.NDArray[np.float64]) -> Spread:
    """Median and percentiles of one or more samples, interpolated linearly."""
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
