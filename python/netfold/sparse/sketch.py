"""Heat of keys in bounded memory: a summary of Misra and Gries, which can be merged.

After P. K. Agarwal, G. Cormode, Z. Huang, J. M. Phillips, Z. Wei and K. Yi, "Mergeable Summaries",
PODS 2012, section 2.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ..errors import ConfigurationError

BYTES_OF_A_KEY = 16
"""A key and its count."""

Keys = npt.NDArray[np.int64]
Counts = npt.NDArray[np.float64]


class UpdateSketch:
    """Counts of the keys that are updated most often (R-HOT-10).

    The count of a key is at most the number of its updates, and less by at most `error`, which is
    at most `total / (capacity + 1)`: keys without a count have at most so many. This holds after
    merging, too, and :meth:`decay` multiplies all of it.

    Attributes:
        capacity: most keys that have a count.
        keys: the keys that have one, ascending.
        counts: of each.
        total: updates that were counted.
        error: largest difference between a key's updates and its count.
    """

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ConfigurationError(f"a sketch has at least one key; got {capacity}")
        self.capacity = capacity
        self.keys: Keys = np.empty(0, np.int64)
        self.counts: Counts = np.empty(0, np.float64)
        self.total = 0.0
        self.error = 0.0

    def add(self, keys: Keys) -> None:
        """Count an update of each of these keys, which are different."""
        self._add(keys, np.ones(len(keys)))
        self.total += len(keys)

    def merge(self, other: UpdateSketch) -> None:
        """Count all that another sketch has counted."""
        self._add(other.keys, other.counts)
        self.total += other.total
        self.error += other.error

    def decay(self, factor: float) -> None:
        """Multiply all counts, so that later updates weigh more."""
        self.counts *= factor
        self.total *= factor
        self.error *= factor

    def counts_of(self, keys: Keys) -> Counts:
        """The count of each key, 0 if it has none."""
        if len(self.keys) == 0:
            return np.zeros(len(keys))
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where(self.keys[places] == keys, self.counts[places], 0.0)

    def encoded(self) -> bytes:
        """The sketch as bytes."""
        head = np.array([self.total, self.error])
        return head.tobytes() + self.keys.tobytes() + self.counts.tobytes()

    @classmethod
    def decoded(cls, capacity: int, encoded: bytes) -> UpdateSketch:
        """Return the sketch that :meth:`encoded` has encoded."""
        sketch = cls(capacity)
        count = (len(encoded) - 16) // BYTES_OF_A_KEY
        sketch.total, sketch.error = (float(number) for number in np.frombuffer(encoded, count=2))
        sketch.keys = np.frombuffer(encoded, np.int64, count, 16).copy()
        sketch.counts = np.frombuffer(encoded, np.float64, count, 16 + 8 * count).copy()
        return sketch

    def _add(self, keys: Keys, counts: Counts) -> None:
        both = np.concatenate([self.keys, keys])
        self.keys, places = np.unique(both, return_inverse=True)
        weights = np.concatenate([self.counts, counts])
        self.counts = np.bincount(places, weights, len(self.keys)).astype(np.float64)
        if len(self.keys) <= self.capacity:
            return
        # The largest count that is not among the first takes as much from each that is larger.
        place = len(self.counts) - self.capacity - 1
        least = float(np.partition(self.counts, place)[place])
        kept = self.counts > least
        self.keys, self.counts = self.keys[kept], self.counts[kept] - least
        self.error += least


__all__ = ["BYTES_OF_A_KEY", "UpdateSketch"]
