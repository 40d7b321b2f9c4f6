"""Hot sets that follow a load whose heat moves (R-HOT-10, R-HOT-11)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..errors import ConfigurationError, SwitchLostError
from .sketch import BYTES_OF_A_KEY, Keys, UpdateSketch

logger = logging.getLogger("netfold")

Exchange = Callable[[bytes], list[bytes]]
"""Gives what every worker has handed over, by rank, at every worker."""
SetHot = Callable[[Keys], None]
"""Puts another hot set in place, by rank; all workers call it with the same one."""


@dataclass(frozen=True)
class FollowDrift:
    """Settings by which a hot set follows its load.

    Attributes:
        every: steps between two looks at the heat. At each the workers wait for each other.
        memory: bytes of a worker's counts. Twice the hot keys at 16 bytes each are the least.
        margin: by what share a key must be hotter than one that it takes the place of.
        decay: what counts are multiplied by after each look, so that the past fades.
    """

    every: int = 1000
    memory: int = 4 << 20
    margin: float = 0.25
    decay: float = 0.5

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ConfigurationError(f"every is a number of steps from 1; got {self.every}")
        if not self.margin >= 0:
            raise ConfigurationError(f"margin is a share from 0; got {self.margin}")
        if not 0 <= self.decay < 1:
            raise ConfigurationError(f"decay is from 0 and below 1; got {self.decay}")

    def capacity(self, hot: int) -> int:
        """The keys that a worker counts, for so many hot keys.

        Raises:
            ConfigurationError: they are fewer than twice the hot keys.
        """
        capacity = self.memory // BYTES_OF_A_KEY
        if capacity < 2 * hot:
            raise ConfigurationError(
                f"{hot} hot keys are followed with at least {2 * hot * BYTES_OF_A_KEY} bytes; "
                f"got memory={self.memory}"
            )
        return capacity


class Drift:
    """A worker's part in following the heat of a table.

    Attributes:
        hot: the hot keys, by rank.
    """

    def __init__(
        self, how: FollowDrift, hot: Keys, table: str, exchange: Exchange, set_hot: SetHot
    ) -> None:
        self.hot = hot
        self._table = table
        self._follows = True
        self._how = how
        self._capacity = how.capacity(len(hot))
        self._sketch = UpdateSketch(self._capacity)
        self._exchange = exchange
        self._set_hot = set_hot

    def updated(self, keys: Keys) -> None:
        """Count the keys of a push."""
        self._sketch.add(keys)

    def stepped(self, steps: int) -> None:
        """Look at the heat if it is time, after so many steps.

        Raises:
            WorkerLostError: a worker is lost; the message names its rank.
        """
        if steps % self._how.every != 0 or not self._follows:
            return
        try:
            given = self._exchange(self._sketch.encoded())
        except SwitchLostError as error:
            # Of all workers, and their servers go on alone (R-KEY-14).
            self._follows = False
            logger.warning(
                "the hot set of the table %r follows its load no more: %s", self._table, error
            )
            return
        merged = UpdateSketch(self._capacity)
        for encoded in given:
            merged.merge(UpdateSketch.decoded(self._capacity, encoded))
        self._sketch.decay(self._how.decay)
        hot = ranked(self.hot, merged, self._how.margin)
        if hot is not None:
            self._set_hot(hot)
            self.hot = hot


def ranked(hot: Keys, heat: UpdateSketch, margin: float) -> Keys | None:
    """As many hot keys as before, ranked by heat (R-HOT-5); None if the same keys are hot.

    The hottest key that is not hot takes the place of the coldest that is, if it is hotter by the
    margin; then the next of each, until one is not.
    """
    outside = ~np.isin(heat.keys, hot)
    candidates, theirs = heat.keys[outside], heat.counts[outside]
    ours = heat.counts_of(hot)
    coldest = np.lexsort((-hot, ours))
    hottest = np.lexsort((candidates, -theirs))
    pairs = min(len(coldest), len(hottest))
    better = theirs[hottest[:pairs]] > (1 + margin) * ours[coldest[:pairs]]
    # The hottest only cool down from here, and the coldest only warm up.
    changed = int(better.sum())
    if changed == 0:
        return None
    chosen = np.concatenate([hot[coldest[changed:]], candidates[hottest[:changed]]])
    return chosen[np.lexsort((chosen, -heat.counts_of(chosen)))]


__all__ = ["Drift", "FollowDrift", "ranked"]
