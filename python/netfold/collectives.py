"""Collectives on NumPy arrays, each as one call of the native communicator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import numpy as np

from .arrays import Target, foldable, movable, operation, pointer
from .call import Call

if TYPE_CHECKING:
    from .messages import Ends
    from .operations import Operation
    from .operations.operation import Codec


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
        if (codec := self._codec(op, array)) is not None:
            wire = self.all_reduce(codec.encode(array), op, priority=priority)
            return codec.decode(wire, array.shape, array.dtype, out)
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
        if (codec := self._codec(op, array)) is not None:
            wire = self.reduce(codec.encode(array), root, op, priority=priority)
            return None if wire is None else codec.decode(wire, array.shape, array.dtype, out)
        source, fold, element_type, unit = self._foldable(array, op)
        call = Call("reduce", fold, element_type, root, unit * source.size)
        if self.rank != root:
            self._run(call._replace(input=pointer(source)), priority)
            return None
        return self._fill(call, source, Target(out, source.shape, source.dtype), priority)

    def broadcast(
        self,
        array: np.ndarray,
        root: int = 0,
        *,
        op: Operation | None = None,
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> np.ndarray:
        """Give every worker the bytes of `root`'s `array`.

        Elsewhere `array` states shape and dtype only; any dtype without objects will do. With an
        operation, whose elements `array` has then, the switch transforms them on their way to the
        others, by its map or its codec (R-OP-24).
        """
        self._check_root(root)
        if op is not None and (codec := self._codec(op, array)) is not None:
            sent = codec.encode(array) if self.rank == root else codec.room(array)
            wire = self.broadcast(sent, root, op=op, priority=priority)
            return codec.decode(wire, array.shape, array.dtype, out)
        source = movable(array)
        target = Target(out, source.shape, source.dtype)
        if self.rank == root:
            np.copyto(target.memory, source)
        memory = pointer(target.memory)
        fold = "copy" if op is None else self._number(op, source.dtype)
        self._run(Call("broadcast", fold, "u8", root, source.nbytes, memory, memory), priority)
        return target.result()

    def look_aside(
        self,
        requests: np.ndarray,
        op: Operation,
        *,
        out: np.ndarray | None = None,
    ) -> np.ndarray:
        """Ask an operation with state at the switch, and return its replies, as many as `requests`,
        which are elements of the operation (R-OP-32).

        All workers make the call with as many requests, each with its own. Those of one packet are
        answered in the order of ranks, and see what those before them have left. `out` may be
        `requests` itself.
        """
        source, fold, element_type, unit = self._foldable(requests, op)
        call = Call("look_aside", fold, element_type, 0, unit * source.size)
        return self._fill(call, source, Target(out, source.shape, source.dtype), None)

    def all_gather(
        self, array: np.ndarray, *, out: np.ndarray | None = None, priority: str | None = None
    ) -> np.ndarray:
        """Give every worker every worker's `array`: the result has the shape
        `(size, *array.shape)`.

        Any dtype without objects will do.
        """
        source = movable(array)
        call = Call("all_gather", "copy", "u8", 0, source.nbytes)
        target = Target(out, (self.size, *source.shape), source.dtype)
        return self._fill(call, source, target, priority)

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
        if (codec := self._codec(op, array)) is not None:
            self._rows(array, "reduce_scatter")
            wire = self.reduce_scatter(codec.encode(array, self.size), op, priority=priority)
            return codec.decode(wire, array.shape[1:], array.dtype, out)
        source, fold, element_type, unit = self._foldable(array, op)
        self._rows(source, "reduce_scatter")
        elements = unit * source.size // self.size
        call = Call("reduce_scatter", fold, element_type, 0, elements)
        return self._fill(call, source, Target(out, source.shape[1:], source.dtype), priority)

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
        call = Call("scan", fold, element_type, 0, unit * source.size)
        return self._fill(call, source, Target(out, source.shape, source.dtype), priority)

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
        if (codec := self._codec(op, array)) is not None:
            wire = self.exscan(codec.encode(array), op, priority=priority)
            return None if wire is None else codec.decode(wire, array.shape, array.dtype, out)
        source, fold, element_type, unit = self._foldable(array, op)
        call = Call("exscan", fold, element_type, 0, unit * source.size)
        if self.rank == 0:
            self._run(call._replace(input=pointer(source)), priority)
            return None
        return self._fill(call, source, Target(out, source.shape, source.dtype), priority)

    def _fill(
        self, call: Call, source: np.ndarray, target: Target, priority: str | None
    ) -> np.ndarray:
        """Make a call whose input is `source`, and return its result in `target`.

        A source that shares memory with the target is copied first, unless the call reads and
        writes each element at one place.
        """
        in_place = call.collective in {"reduce", "look_aside"}
        source = target.apart_from(source, in_place=in_place)
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

    @abstractmethod
    def _codec(
        self, op: str | Operation, array: np.ndarray, ends: Ends | None = None
    ) -> Codec | None:
        """Return what encodes the elements of `array` for a call by an operation, or for messages
        between these ends; None if they travel as they are.
        """

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
