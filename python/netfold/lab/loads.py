"""Loads of sparse models: how often each parameter is updated, after Zipf's law."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Ranks = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Load:
    """A model whose parameters are updated after a power law of their ranks.

    The law is the continuous one, so that ranks are drawn by inversion: that of rank r, from 0, has
    the weight that x^-s has between r + 1 and r + 2.
    """

    title: str
    parameters: int
    exponent: float
    """s of the law; not 1."""

    def share(self, ranks: npt.NDArray[np.integer]) -> npt.NDArray[np.float64]:
        """Share of all updates that the parameters below these ranks have."""
        power = 1.0 - self.exponent
        whole = (self.parameters + 1.0) ** power - 1.0
        found: npt.NDArray[np.float64] = ((ranks + 1.0) ** power - 1.0) / whole
        return found

    def draw(self, size: int, random: np.random.Generator) -> Ranks:
        """Ranks of the parameters that as many updates are for."""
        return self.ranks_of(random.random(size))

    def ranks_of(self, shares: npt.NDArray[np.float64]) -> Ranks:
        """Ranks up to which the parameters have these shares of all updates, from 0 to 1: the
        inverse of :meth:`share`. Uniform shares give ranks after the law.
        """
        power = 1.0 - self.exponent
        whole = (self.parameters + 1.0) ** power - 1.0
        places = (1.0 + shares * whole) ** (1.0 / power)
        ranks: Ranks = np.clip(places, 1.0, self.parameters).astype(np.int64) - 1
        return ranks

    def expected(self, ranks: int, updates: int) -> npt.NDArray[np.float64]:
        """Mean numbers of updates, of so many in all, that the first parameters have."""
        return updates * np.diff(self.share(np.arange(ranks + 1)))

    def counts(self, ranks: int, updates: int, random: np.random.Generator) -> Ranks:
        """Numbers of updates that the first parameters have, drawn independently."""
        return random.poisson(self.expected(ranks, updates)).astype(np.int64)


OA = Load("OA: on-line advertising", 150_000_000, 0.975)
SE = Load("SE: search engine", 9_000_000, 1.024)
"""Libra's industrial models. Its section 3.1 has their sizes, and that 30,000 parameters have over
half of the updates of the first and about 70 % of the second, from which the exponents follow.
"""
