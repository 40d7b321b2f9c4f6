"""Collectives in which workers give and get parts of their own, of one length or of many
(R-STREAM-13).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Target, movable, pointer
from .call import Call
from .collectives import Collectives

if TYPE_CHECKING:
    from .operations import Operation


class PartCollectives(Collectives):
    """Collectives of parts; see :class:`~netfold.Communicator`."""

    def gather(
        self,
        array: np.ndarray,
        root: int = 0,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray | None:
        """Give `root` every worker's `array`: its result has the shape `(size, *array.shape)`, the
        others get None.

        Any dtype without objects will do. `out` is used at `root` only; see :meth:`all_reduce`.
        """
        self._check_root(root)
        source = movable(array)
        shape = (self.size, *source.shape)
        call = Call("gather", "copy", "u8", root, source.nbytes)
        if self.rank != root:
            self._run(call._replace(input=pointer(source)), priority)
            return None
        return self._fill(call, source, Target(out, shape, source.dtype), priority)

    def scatter(
        self,
        array: np.ndarray,
        root: int = 0,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Give worker r row r of `root`'s `array`, of shape `(size, ...)`.

        Elsewhere `array` states shape and dtype only, as in :meth:`broadcast`.
        """
        self._check_root(root)
        source = self._rows(movable(array), "scatter")
        call = Call("scatter", "copy", "u8", root, source.nbytes // self.size)
        return self._fill(call, source, Target(out, source.shape[1:], source.dtype), priority)

    def all_to_all(
        self, array: np.ndarray, *, out: np.ndarray | None = None, priority: str | None = None
    ) -> np.ndarray:
        """Give worker r row r of every worker's `array`, of shape `(size, ...)`. Row s of the
        result, which has the same shape, comes from worker s.

        Any dtype without objects will do.
        """
        source = self._rows(movable(array), "all_to_all")
        call = Call("all_to_all", "copy", "u8", 0, source.nbytes // self.size)
        return self._fill(call, source, Target(out, source.shape, source.dtype), priority)

    def all_gather_v(
        self,
        array: np.ndarray,
        lengths: Sequence[int] | None = None,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Give every worker the rows of every worker's `array`, one worker's after the other's, as
        many as each has (MPI_Allgatherv).

        Args:
            array: of one dimension or more; the workers' may differ in length on the first axis.
            lengths: rows of each worker, the same at every worker. None has the workers tell each
                other first, which takes one more short call.
            out: where the result goes; see :meth:`all_reduce`.
            priority: see :class:`~netfold.Communicator`.
        """
        source = movable(array)
        rows = self._lengths_of(source, lengths, priority)
        call = Call("all_gather", "copy", "u8", 0, 0, lengths=_bytes_of(rows, source))
        target = Target(out, (sum(rows), *source.shape[1:]), source.dtype)
        return self._fill(call, source, target, priority)

    def gather_v(
        self,
        array: np.ndarray,
        root: int = 0,
        lengths: Sequence[int] | None = None,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray | None:
        """Give `root` the rows of every worker's `array` (MPI_Gatherv), and the others None; see
        :meth:`all_gather_v`.
        """
        self._check_root(root)
        source = movable(array)
        rows = self._lengths_of(source, lengths, priority)
        call = Call("gather", "copy", "u8", root, 0, lengths=_bytes_of(rows, source))
        if self.rank != root:
            self._run(call._replace(input=pointer(source)), priority)
            return None
        target = Target(out, (sum(rows), *source.shape[1:]), source.dtype)
        return self._fill(call, source, target, priority)

    def scatter_v(
        self,
        array: np.ndarray,
        lengths: Sequence[int],
        root: int = 0,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Give worker r `lengths[r]` rows of `root`'s `array`, one worker's after the other's
        (MPI_Scatterv). All workers give the same `lengths`.

        Elsewhere `array` states dtype and shape but for the first axis.
        """
        self._check_root(root)
        source = movable(array)
        self._check_lengths(lengths, source, sum(lengths) if self.rank == root else None)
        call = Call("scatter", "copy", "u8", root, 0, lengths=_bytes_of(lengths, source))
        target = Target(out, (lengths[self.rank], *source.shape[1:]), source.dtype)
        return self._fill(call, source, target, priority)

    def reduce_scatter_v(
        self,
        array: np.ndarray,
        lengths: Sequence[int],
        op: str | Operation = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Fold `array`, of `sum(lengths)` rows, over all workers; worker r gets `lengths[r]` rows of
        the result, one worker's after the other's (MPI_Reduce_scatter). All workers give the same
        `lengths`.
        """
        if (codec := self._codec(op, array)) is not None:
            self._check_lengths(lengths, array, sum(lengths))
            rows = codec.encode(array, sum(lengths) or None)
            wire = self.reduce_scatter_v(rows, lengths, op, priority=priority)
            shape = (lengths[self.rank], *array.shape[1:])
            return codec.decode(wire, shape, array.dtype, out)
        source, fold, element_type, unit = self._foldable(array, op)
        self._check_lengths(lengths, source, sum(lengths))
        row = unit * math.prod(source.shape[1:])
        of_parts = tuple(row * length for length in lengths)
        call = Call("reduce_scatter", fold, element_type, 0, 0, lengths=of_parts)
        target = Target(out, (lengths[self.rank], *source.shape[1:]), source.dtype)
        return self._fill(call, source, target, priority)

    def all_to_all_v(
        self,
        array: np.ndarray,
        lengths: Sequence[int],
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> tuple[np.ndarray, list[int]]:
        """Give worker r `lengths[r]` rows of this worker's `array` (MPI_Alltoallv). Return the rows
        that come from all workers, in the order of their ranks, and how many come from each.

        The workers tell each other first how many rows they send, which takes one more short call.

        Args:
            array: `sum(lengths)` rows, those for one worker after those for the other.
            lengths: rows for each worker; these are this worker's own.
            out: where the rows go; see :meth:`all_reduce`.
            priority: see :class:`~netfold.Communicator`.
        """
        source = movable(array)
        self._check_lengths(lengths, source, sum(lengths))
        pairs = self.all_gather(np.array(lengths, np.int64), priority=priority)
        received = [int(length) for length in pairs[:, self.rank]]
        of_pairs = _bytes_of([int(length) for length in pairs.flat], source)
        call = Call("all_to_all", "copy", "u8", 0, 0, lengths=of_pairs)
        target = Target(out, (sum(received), *source.shape[1:]), source.dtype)
        return self._fill(call, source, target, priority), received

    def _lengths_of(
        self, array: np.ndarray, lengths: Sequence[int] | None, priority: str | None
    ) -> Sequence[int]:
        """Return the rows of each worker: those given, or as the workers tell."""
        if lengths is None:
            self._check_axis(array)
            told = self.all_gather(np.array(array.shape[0], np.int64), priority=priority)
            return [int(length) for length in told]
        self._check_lengths(lengths, array, None)
        if (own := lengths[self.rank]) != array.shape[0]:
            raise ValueError(
                f"lengths says that rank {self.rank}, this one, has {own} rows; its array has {array.shape[0]}"
            )
        return lengths

    def _check_lengths(self, lengths: Sequence[int], array: np.ndarray, rows: int | None) -> None:
        """Refuse lengths that are not one for each worker, and an array of other rows than `rows`."""
        self._check_axis(array)
        if len(lengths) != self.size or any(length < 0 for length in lengths):
            raise ValueError(
                f"lengths must have a number of rows for each of the {self.size} workers; got {list(lengths)}"
            )
        if rows is not None and rows != array.shape[0]:
            raise ValueError(f"lengths add up to {rows} rows; the array has {array.shape[0]}")

    @staticmethod
    def _check_axis(array: np.ndarray) -> None:
        if array.ndim == 0:
            raise ValueError("an array without an axis has no rows; use array.reshape(1)")


def _bytes_of(rows: Sequence[int], array: np.ndarray) -> tuple[int, ...]:
    """Return the bytes of numbers of rows of an array."""
    row = math.prod(array.shape[1:]) * array.itemsize
    return tuple(row * number for number in rows)


__all__ = ["PartCollectives"]
