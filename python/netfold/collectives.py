"""Collectives on NumPy arrays, each as one call of the native communicator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Target, foldable, movable, operation, pointer
from .call import Call

if TYPE_CHECKING:
    from .operations import Operation


class Collectives(ABC):
    """Collectives of a worker of a job; see :class:`~netfold.Communicator`."""

    @property
    @abstractmethod
    def rank(self) -> int:
        """This worker's number, from 0."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Number of workers of the job."""

    def all_reduce(
        self,
        array: np.ndarray,
        op: str | Operation = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Fold `array` over all workers, element by element; every worker gets the same bits.

        Args:
            array: any shape, the same on every worker.
            op: one of `sum`, `avg`, `min`, `max`, `product`, or an operation that all workers have
                brought along (`operations` of :func:`connect`), whose elements `array` holds.
            out: where the result goes, of the shape and dtype of `array`; may be `array` itself.
                None makes a new array.
            priority: see :class:`Communicator`.

        Raises:
            UnsupportedError: the arithmetic cannot fold this dtype with this operation.
        """
        source, fold, element_type, unit = self._foldable(array, op)
        target = Target(out, source.shape, source.dtype)
        source = target.apart_from(source)
        pointers = pointer(source), pointer(target.memory)
        self._run(
            Call("all_reduce", fold, element_type, 0, unit * source.size, *pointers), priority
        )
        return target.result()

    def reduce(
        self,
        array: np.ndarray,
        root: int = 0,
        op: str | Operation = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray | None:
        """Fold `array` over all workers; only `root` gets the result (its shape is that of
        `array`), the others get None.

        `out` is used at `root` only; see :meth:`all_reduce`.
        """
        self._check_root(root)
        source, fold, element_type, unit = self._foldable(array, op)
        call = Call("reduce", fold, element_type, root, unit * source.size)
        if self.rank != root:
            self._run(call._replace(input=pointer(source)), priority)
            return None
        target = Target(out, source.shape, source.dtype)
        source = target.apart_from(source)
        call = call._replace(input=pointer(source), output=pointer(target.memory))
        self._run(call, priority)
        return target.result()

    def broadcast(
        self,
        array: np.ndarray,
        root: int = 0,
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Give every worker the bytes of `root`'s `array`.

        Elsewhere `array` states shape and dtype only; any dtype without objects will do.
        """
        self._check_root(root)
        source = movable(array)
        target = Target(out, source.shape, source.dtype)
        if self.rank == root:
            np.copyto(target.memory, source)
        memory = pointer(target.memory)
        self._run(Call("broadcast", "copy", "u8", root, source.nbytes, memory, memory), priority)
        return target.result()

    def all_gather(
        self, array: np.ndarray, *, out: np.ndarray | None = None, priority: str | None = None
    ) -> np.ndarray:
        """Give every worker every worker's `array`: the result has the shape
        `(size, *array.shape)`.

        Any dtype without objects will do.
        """
        source = movable(array)
        target = Target(out, (self.size, *source.shape), source.dtype)
        source = target.apart_from(source, in_place=False)
        pointers = pointer(source), pointer(target.memory)
        self._run(Call("all_gather", "copy", "u8", 0, source.nbytes, *pointers), priority)
        return target.result()

    def reduce_scatter(
        self,
        array: np.ndarray,
        op: str | Operation = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Fold `array`, of shape `(size, ...)`, over all workers; worker r gets row r of the
        result, of shape `array.shape[1:]`.
        """
        source, fold, element_type, unit = self._foldable(array, op)
        self._rows(source, "reduce_scatter")
        target = Target(out, source.shape[1:], source.dtype)
        source = target.apart_from(source, in_place=False)
        elements = unit * source.size // self.size
        pointers = pointer(source), pointer(target.memory)
        self._run(Call("reduce_scatter", fold, element_type, 0, elements, *pointers), priority)
        return target.result()

    def barrier(self, *, priority: str | None = None) -> None:
        """Return when every worker has called it."""
        self._run(Call("barrier", "copy", "u8", 0, 0), priority)

    def scan(
        self,
        array: np.ndarray,
        op: str | Operation = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Fold `array` over the workers of ranks 0 to this one's, element by element (MPI_Scan).

        `op` is one of `sum`, `min`, `max`, `product`; see :meth:`all_reduce`.
        """
        source, fold, element_type, unit = self._foldable(array, op)
        target = Target(out, source.shape, source.dtype)
        source = target.apart_from(source, in_place=False)
        call = Call("scan", fold, element_type, 0, unit * source.size)
        self._run(call._replace(input=pointer(source), output=pointer(target.memory)), priority)
        return target.result()

    def exscan(
        self,
        array: np.ndarray,
        op: str | Operation = "sum",
        *,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray | None:
        """Fold `array` over the workers of lower ranks than this one's (MPI_Exscan); rank 0, below
        which there is no other, gets None.

        See :meth:`scan`.
        """
        source, fold, element_type, unit = self._foldable(array, op)
        call = Call("exscan", fold, element_type, 0, unit * source.size, pointer(source))
        if self.rank == 0:
            self._run(call, priority)
            return None
        target = Target(out, source.shape, source.dtype)
        source = target.apart_from(source, in_place=False)
        self._run(call._replace(input=pointer(source), output=pointer(target.memory)), priority)
        return target.result()

    def _foldable(self, array: np.ndarray, op: str | Operation) -> tuple[np.ndarray, str, str, int]:
        """Return `array` as :func:`movable` does, the names of the fold and of the element type, and
        the length of an item: 1, or its bytes for an operation of a user (R-OP-24).
        """
        if isinstance(op, str):
            source, element_type = foldable(array)
            return source, operation(op), element_type, 1
        source = movable(array)
        return source, self._number(op, source.dtype), "u8", source.itemsize

    @abstractmethod
    def _number(self, op: Operation, dtype: np.dtype) -> str:
        """Return the name that the job has for an operation of a user, which takes this dtype."""

    def _rows(self, array: np.ndarray, call: str) -> np.ndarray:
        """Return `array` if it has a row for each worker."""
        if array.ndim == 0 or array.shape[0] != self.size:
            raise ValueError(
                f"{call} needs an array with one row per worker ({self.size}) on its first axis; "
                f"got shape {array.shape}"
            )
        return array

    def _check_root(self, root: int) -> None:
        if not 0 <= root < self.size:
            raise ValueError(f"root must be a rank from 0 to {self.size - 1}; got {root}")

    @abstractmethod
    def _run(self, call: Call, priority: str | None) -> None:
        """Make a call. The caller keeps its memory."""


__all__ = ["Collectives"]
