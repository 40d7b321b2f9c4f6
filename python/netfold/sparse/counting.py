"""Counts of the updates of each key by a sample of the training data (R-HOT-1, R-HOT-2)."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from ..errors import ConfigurationError

Keys = Callable[[Any], Any]
"""Function that takes a batch and returns its keys: an array or tensor of integers, or several."""


@dataclass(frozen=True, slots=True, eq=False)
class UpdateCounts:
    """Numbers of updates of each key, from the most often updated to the least (R-HOT-5).

    Attributes:
        keys: the different keys, shape (n,), int64.
        counts: updates of each, shape (n,), int64, descending; equal ones in the order of keys.
    """

    keys: np.ndarray
    counts: np.ndarray

    @classmethod
    def of(cls, keys: Any, counts: Any) -> UpdateCounts:
        """Rank keys by their counts.

        Args:
            keys: different keys, shape (n,), integers.
            counts: updates of each, shape (n,), whole numbers from 0.

        Raises:
            ConfigurationError: shapes or types are others, a key comes twice, or a count is
                negative.
        """
        key_array, count_array = np.asarray(keys), np.asarray(counts)
        for name, array in ("keys", key_array), ("counts", count_array):
            if array.ndim != 1 or (array.size > 0 and array.dtype.kind not in "iu"):
                raise ConfigurationError(
                    f"{name} must be whole numbers of one dimension; they have shape "
                    f"{array.shape} and type {array.dtype}"
                )
        if key_array.shape != count_array.shape:
            raise ConfigurationError(
                f"each key has one count; there are {key_array.size} keys and {count_array.size} counts"
            )
        if np.unique(key_array).size != key_array.size:
            raise ConfigurationError("keys must differ; add up the counts of a key that repeats")
        if count_array.size > 0 and count_array.min() < 0:
            raise ConfigurationError(f"counts start at 0; got {count_array.min()}")
        order = np.lexsort((key_array, -count_array.astype(np.int64)))
        return cls(key_array[order].astype(np.int64), count_array[order].astype(np.int64))

    @property
    def total(self) -> int:
        """Number of updates of all keys."""
        return int(self.counts.sum())

    def coverage(self, k: int) -> float:
        """Share of all updates that the first `k` keys have, from 0 to 1: T_k / T_n of principle 1."""
        return float(self.counts[:k].sum()) / self.total if self.total else 0.0

    def trade_off(self, step: int = 1000, gain: float = 0.01) -> int:
        """Return the number of keys from which `step` more would cover less than `gain` of all
        updates (R-HOT-4; Libra, section 5.3, figure 14).

        Raises:
            ConfigurationError: `step` is not positive, or `gain` is not between 0 and 1.
        """
        if step < 1 or not 0 < gain < 1:
            raise ConfigurationError(
                f"a step is at least 1, and a gain between 0 and 1; got {step} and {gain}"
            )
        covered = np.add.reduceat(self.counts, np.arange(0, self.counts.size, step))
        enough = covered < gain * self.total
        steps = int(np.argmax(enough)) if enough.any() else covered.size
        return min(steps * step, self.keys.size)


def count_updates(
    loader: Iterable[Any], *, fraction: float = 0.08, keys: Keys | None = None, seed: int = 0
) -> UpdateCounts:
    """Count the updates of each key by a sample of the batches of `loader`.

    A batch updates each of its keys once, however often the key is in it (R-HOT-1): a worker adds
    up the gradients of a key before it pushes them. A sample of 8 % finds over 90 % of the hot keys
    (Libra, sections 3.3 and 5.3).

    Args:
        loader: the batches. Of a PyTorch `DataLoader` over a dataset with an order, only the sample
            is loaded; other iterables are read whole, and a part of their batches is counted.
        fraction: size of the sample, above 0 and at most 1; of a loader that is not empty, at least
            one batch is taken.
        keys: takes a batch and returns its keys. Without it a batch is an array or tensor of
            integers, or a sequence or mapping in which all such are keys.
        seed: draws the sample.

    Raises:
        ConfigurationError: the fraction is outside of its range, a batch has no keys, or keys are
            not integers.
    """
    if not 0 < fraction <= 1:
        raise ConfigurationError(f"fraction is above 0 and at most 1; got {fraction}")
    random = np.random.default_rng(seed)
    found: dict[int, int] = {}
    for batch in _sample(loader, fraction, random):
        for key in np.unique(_keys_of(batch, keys)).tolist():
            found[key] = found.get(key, 0) + 1
    return UpdateCounts.of(
        np.fromiter(found.keys(), np.int64, len(found)),
        np.fromiter(found.values(), np.int64, len(found)),
    )


def _sample(loader: Iterable[Any], fraction: float, random: np.random.Generator) -> Iterator[Any]:
    part = _part_of(loader, fraction, random)
    if part is not None:
        yield from part
        return
    taken = False
    batches = iter(loader)
    for first in islice(batches, 1):
        # One batch at least: the first one, should no other be drawn.
        for batch in batches:
            if random.random() < fraction:
                taken = True
                yield batch
        if not taken or random.random() < fraction:
            yield first


def _part_of(
    loader: Iterable[Any], fraction: float, random: np.random.Generator
) -> Iterable[Any] | None:
    """A loader of a part of another's samples; None if that would load all of them, too."""
    torch = sys.modules.get("torch")
    if torch is None or not isinstance(loader, torch.utils.data.DataLoader):
        return None
    if isinstance(loader.dataset, torch.utils.data.IterableDataset) or not loader.batch_size:
        return None
    samples = len(loader.dataset)
    size = min(samples, max(loader.batch_size, math.ceil(fraction * samples)))
    drawn = np.sort(random.choice(samples, size, replace=False)).tolist()
    part: Iterable[Any] = torch.utils.data.DataLoader(
        torch.utils.data.Subset(loader.dataset, drawn),
        batch_size=loader.batch_size,
        shuffle=True,
        generator=torch.Generator().manual_seed(int(random.integers(1 << 31))),
        num_workers=loader.num_workers,
        collate_fn=loader.collate_fn,
    )
    return part


def _keys_of(batch: Any, keys: Keys | None) -> np.ndarray:
    """All keys of a batch, shape (n,)."""
    arrays = [array.reshape(-1) for array in _arrays(batch if keys is None else keys(batch))]
    if keys is None:
        arrays = [array for array in arrays if array.dtype.kind in "iu"]
        if not arrays:
            raise ConfigurationError(
                f"a batch of type {type(batch).__name__} has no array of integers; "
                "pass `keys`, a function that takes a batch and returns its keys"
            )
    for array in arrays:
        if array.size > 0 and array.dtype.kind not in "iu":
            raise ConfigurationError(f"keys are integers; got {array.dtype}")
    return np.concatenate(arrays).astype(np.int64) if arrays else np.empty(0, np.int64)


def _arrays(value: Any) -> Iterator[np.ndarray]:
    """The arrays in a value, in whatever sequences and mappings they are."""
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _arrays(item)
    elif isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        if all(isinstance(item, (int, np.integer)) for item in value):
            yield np.asarray(value, np.int64)
            return
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, np.ndarray):
        yield value
    elif hasattr(value, "numpy"):
        yield value.detach().cpu().numpy()


__all__ = ["UpdateCounts", "count_updates"]
