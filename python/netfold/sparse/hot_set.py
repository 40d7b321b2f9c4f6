"""The keys that the switch folds (R-HOT-3 to R-HOT-6)."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..errors import ConfigurationError
from .counting import UpdateCounts

_VERSION = 1


@dataclass(frozen=True, slots=True, eq=False)
class HotSet:
    """The hot keys of a table, in the order of their ranks.

    Attributes:
        keys: the keys, shape (k,), int64; the place of a key is its rank.
        coverage: share of the counted updates that these keys have, from 0 to 1.
    """

    keys: np.ndarray
    coverage: float
    _order: np.ndarray = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        keys = np.array(self.keys, dtype=np.int64).reshape(-1)
        if np.unique(keys).size != keys.size:
            raise ConfigurationError("the keys of a hot set must differ")
        if not 0 <= self.coverage <= 1:
            raise ConfigurationError(f"coverage is from 0 to 1; got {self.coverage}")
        keys.flags.writeable = False
        object.__setattr__(self, "keys", keys)
        object.__setattr__(self, "_order", np.argsort(keys))

    @classmethod
    def choose(
        cls,
        counts: UpdateCounts,
        *,
        share: float = 0.5,
        memory_bytes: int = 20 << 20,
        memory_share: float = 0.05,
        dim: int = 1,
    ) -> HotSet:
        """Choose the fewest keys that have `share` of all updates and fit the switch's memory
        (R-HOT-3; Libra, principle 1).

        Args:
            counts: the keys by their updates.
            share: p, the share of updates that the switch is to fold, between 0 and 1.
            memory_bytes: memory of the switch; the paper's has 20 MiB.
            memory_share: c, the part of it for hot keys, between 0 and 1.
            dim: numbers of 4 bytes in a row.

        Raises:
            ConfigurationError: a value is outside of its range, or no set meets both conditions;
                the message says what would.
        """
        for name, value in ("share", share), ("memory_share", memory_share):
            if not 0 < value < 1:
                raise ConfigurationError(f"{name} is between 0 and 1; got {value}")
        if dim < 1 or memory_bytes < 1:
            raise ConfigurationError(
                f"a row has at least 1 number, and a memory 1 byte; got {dim} and {memory_bytes}"
            )
        if counts.total == 0:
            raise ConfigurationError("no update was counted, so no key is hot")
        most = int(memory_share * memory_bytes) // (4 * dim)
        covered = np.cumsum(counts.counts)
        k = int(np.searchsorted(covered, share * counts.total)) + 1
        if k > most:
            raise ConfigurationError(
                f"{share:g} of the updates take {k} keys, and {memory_share:g} of {memory_bytes} bytes holds {most} "
                f"rows of {dim}, with {counts.coverage(most):.3f} of the updates: lower share, or raise "
                f"memory_share to at least {4 * dim * k / memory_bytes:.3f}"
            )
        return cls.first(counts, k)

    @classmethod
    def first(cls, counts: UpdateCounts, k: int) -> HotSet:
        """The `k` keys with the most updates, or all keys if there are fewer.

        Raises:
            ConfigurationError: `k` is negative.
        """
        if k < 0:
            raise ConfigurationError(f"a hot set has at least 0 keys; got {k}")
        return cls(counts.keys[:k], counts.coverage(k))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, HotSet)
            and np.array_equal(self.keys, other.keys)
            and self.coverage == other.coverage
        )

    __hash__ = None  # type: ignore[assignment] # as that of an array

    def __len__(self) -> int:
        """Number of hot keys."""
        return int(self.keys.size)

    def ranks_of(self, keys: Any) -> np.ndarray:
        """Return the rank of each key, and -1 for cold ones.

        Args:
            keys: integers of any shape.

        Returns:
            Ranks, of the same shape, int64.
        """
        asked = np.asarray(keys, dtype=np.int64)
        if len(self) == 0:
            return np.full(asked.shape, -1, np.int64)
        places = np.searchsorted(self.keys, asked, sorter=self._order)
        ranks = self._order[np.minimum(places, len(self) - 1)]
        return np.where(self.keys[ranks] == asked, ranks, -1)

    def precision(self, of_all: HotSet) -> float:
        """Share of another set's keys that are in this one: the precision of a sample beside all
        data (Libra, section 5.3).
        """
        found = np.isin(of_all.keys, self.keys, assume_unique=True)
        return float(found.mean()) if len(of_all) else 1.0

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the set to a file, as NumPy's `.npz`."""
        with open(path, "wb") as file:
            np.savez(file, version=_VERSION, keys=self.keys, coverage=self.coverage)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> HotSet:
        """Read a set that :meth:`save` has written.

        Raises:
            ConfigurationError: the file is something else.
            OSError: it cannot be read.
        """
        try:
            with np.load(path, allow_pickle=False) as file:
                if int(file["version"]) != _VERSION:
                    raise ConfigurationError(
                        f"{os.fspath(path)} has version {int(file['version'])} of hot sets; this netfold reads {_VERSION}"
                    )
                return cls(file["keys"], float(file["coverage"]))
        except (KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
            if isinstance(error, ConfigurationError):
                raise
            raise ConfigurationError(f"{os.fspath(path)} is not a hot set: {error}") from error


__all__ = ["HotSet"]
