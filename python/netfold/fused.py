"""Chains of collectives in one pass over the network (ACiS's type 4)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .arrays import Target, movable, pointer
from .call import Call
from .errors import UnsupportedError
from .stage import Stage

if TYPE_CHECKING:
    from .communicator import Communicator
    from .operations import Operation
    from .operations.operation import Codec

VECTORS = "all_to_all_v"
"""The name of the one stage whose call needs another one before it, of lengths."""


class PlannedCall(NamedTuple):
    """A call of a chain, as the native planner gives it."""

    collective: str
    fold: int | None
    """The number of the stage whose operation it folds by."""
    input: int


class PlannedResult(NamedTuple):
    """A result of a chain, as the native planner gives it."""

    stage: int
    call: int
    part: str
    """`whole`, `own`, `total`, `prefix` or `root`."""
    root: int


class _Encoded(NamedTuple):
    """The elements of a call before they were encoded; its result is of their type."""

    codec: Codec
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    out: np.ndarray | None

    def decode(self, wire: np.ndarray) -> np.ndarray:
        """Return the elements of a result, whose last axis has the wire elements of an array."""
        shape = (*wire.shape[:-1], *self.shape)
        return self.codec.decode(wire, shape, self.dtype, self.out)


@dataclass
class _Begun:
    """A call with its memory."""

    call: Call
    source: np.ndarray
    target: Target
    lengths: tuple[np.ndarray, np.ndarray] | None = None
    """Of rows: this worker's, and room for those of all pairs."""
    received: list[int] | None = None
    encoded: _Encoded | None = None
    decoded: np.ndarray | None = None

    def result(self) -> np.ndarray:
        """Return the result of the call, decoded once if it travels encoded."""
        if self.encoded is None:
            return self.target.result()
        if self.decoded is None:
            self.decoded = self.encoded.decode(self.target.result())
        return self.decoded


class Fused:
    """A chain of collectives that :meth:`Communicator.fused` has planned.

    It is called with one array for each group of stages, any number of times, by all workers at the
    same place among their calls. It returns the results of the stages that are kept and of the last
    stage of each group, in the order of stages: as a tuple, or by itself if there is one. That of a
    `reduce` or a `gather` is None at workers other than its root.
    """

    def __init__(self, comm: Communicator, stages: Sequence[Stage | str]) -> None:
        self._comm = comm
        self.stages = tuple(_checked(stage, comm.size) for stage in stages)
        named = [
            (stage.name.removesuffix("_v"), comm._fold(stage.op), stage.root, stage.keep)
            for stage in self.stages
        ]
        calls, results, self._inputs = comm._native.fused(named)
        self._calls = [PlannedCall(*call) for call in calls]
        self._results = [PlannedResult(*result) for result in results]
        # The operation of all prefixes, where they are all that the chain gives.
        self._prefixes: str | Operation | None = None
        alone = [call.collective for call in self._calls] == ["prefixes"]
        if alone and [result.part for result in self._results] == ["whole"]:
            op = self.stages[self._stage_of(self._calls[0])].op
            has_codec = not isinstance(op, str) and op.declaration.wire is not None
            self._prefixes = None if has_codec else op

    def __repr__(self) -> str:
        """Show the stages, and the calls that take their place."""
        chain = ", ".join(stage.name for stage in self.stages)
        return f"<Fused {chain}: {' and '.join(call.collective for call in self._calls)}>"

    def __call__(
        self,
        *arrays: np.ndarray | tuple[np.ndarray, Sequence[int]],
        out: np.ndarray | None = None,
        priority: str | None = None,
    ) -> Any:
        """Carry the chain out.

        Args:
            arrays: one for each group of stages, of the same shape and dtype at every worker; for
                `all_to_all_v` a pair of rows, and their number for each worker.
            out: where the result goes, of its shape and dtype; only of a chain with one result.
            priority: see :class:`~netfold.Communicator`.

        Raises:
            UnsupportedError: the arithmetic cannot fold a dtype with an operation.
        """
        if self._prefixes is not None and len(arrays) == 1:
            return self._run_prefixes(arrays[0], self._prefixes, out, priority)
        if len(arrays) != self._inputs:
            raise ValueError(
                f"the chain takes {self._inputs} arrays, one for each group of stages; got {len(arrays)}"
            )
        whole = [result.part == "whole" for result in self._results]
        if out is not None and (whole != [True] or self._has_vectors()):
            raise ValueError(
                "out is for a chain with one result; this one has others: leave it out"
            )
        begun = [self._prepare(call, arrays[call.input], out) for call in self._calls]
        self._run(begun, priority)
        results = tuple(self._part(result, begun[result.call]) for result in self._results)
        return results[0] if len(results) == 1 else results

    def _run_prefixes(
        self,
        given: object,
        op: str | Operation,
        out: np.ndarray | None,
        priority: str | None,
    ) -> np.ndarray:
        """Make the one call of the chain: what the general way does, in half the time."""
        comm = self._comm
        source, fold, element_type, unit = comm._foldable(given, op)  # type: ignore[arg-type]
        target = Target(out, (comm.size, *source.shape), source.dtype)
        source = target.apart_from(source, in_place=False)
        pointers = pointer(source), pointer(target.memory)
        comm._run(Call("prefixes", fold, element_type, 0, unit * source.size, *pointers), priority)
        return target.result()

    def _has_vectors(self) -> bool:
        return any(stage.name == VECTORS for stage in self.stages)

    def _prepare(
        self,
        planned: PlannedCall,
        given: np.ndarray | tuple[np.ndarray, Sequence[int]],
        out: np.ndarray | None,
    ) -> _Begun:
        """Return a call with its memory."""
        comm, name = self._comm, planned.collective
        stage = self.stages[self._stage_of(planned)]
        if stage.name == VECTORS:
            return self._prepare_vectors(given)
        if isinstance(given, tuple):
            raise TypeError(f"the input of {stage.name} is an array, not a pair")
        encoded = None
        if (
            planned.fold is not None
            and (codec := comm._codec(stage.op, movable(given))) is not None
        ):
            encoded = _Encoded(codec, given.shape, given.dtype, out)
            given, out = codec.encode(given), None
        if planned.fold is None:
            source, fold, element_type, unit = movable(given), "copy", "u8", given.itemsize
        else:
            source, fold, element_type, unit = comm._foldable(given, stage.op)
        elements = unit * source.size
        shape = source.shape
        if name in ("prefixes", "all_gather"):
            shape = (comm.size, *shape)
        elif name == "scan_total":
            # The last rank's prefix is the total.
            shape = (1 if comm.rank == comm.size - 1 else 2, *shape)
        elif name == "all_to_all":
            elements //= len(comm._rows(source, name))
        target = Target(out, shape, source.dtype)
        source = target.apart_from(source, in_place=name == "all_reduce")
        pointers = pointer(source), pointer(target.memory)
        call = Call(name, fold, element_type, 0, elements, *pointers)
        return _Begun(call, source, target, encoded=encoded)

    def _prepare_vectors(self, given: object) -> _Begun:
        comm = self._comm
        if not isinstance(given, tuple):
            raise TypeError(
                "the input of all_to_all_v is a pair: an array, and rows for each worker"
            )
        source, lengths = movable(given[0]), given[1]
        comm._check_lengths(lengths, source, sum(lengths))
        own = np.array(lengths, np.int64)
        pairs = np.empty((comm.size, comm.size), np.int64)
        call = Call("all_gather", "copy", "u8", 0, own.nbytes, pointer(own), pointer(pairs))
        empty = Target(None, (0, *source.shape[1:]), source.dtype)
        return _Begun(call, source, empty, (own, pairs))

    def _stage_of(self, planned: PlannedCall) -> int:
        """The stage that says how the call's elements combine, or that has its result."""
        if planned.fold is not None:
            return planned.fold
        number = self._calls.index(planned)
        return next(result.stage for result in self._results if result.call == number)

    def _run(self, begun: list[_Begun], priority: str | None) -> None:
        """Make all calls at once, and then those whose lengths the workers have told each other."""
        if len(begun) == 1 and begun[0].lengths is None:
            self._comm._run(begun[0].call, priority)
            return
        self._comm._run_all([each.call for each in begun], priority)
        vectors = [each for each in begun if each.lengths is not None]
        for each in vectors:
            assert each.lengths is not None
            pairs = each.lengths[1]
            each.received = [int(length) for length in pairs[:, self._comm.rank]]
            shape = (sum(each.received), *each.source.shape[1:])
            each.target = Target(None, shape, each.source.dtype)
            row = math.prod(shape[1:]) * each.source.itemsize
            each.call = Call(
                *("all_to_all", "copy", "u8", 0, 0),
                *(pointer(each.source), pointer(each.target.memory)),
                lengths=tuple(int(length) * row for length in pairs.flat),
            )
        if vectors:
            self._comm._run_all([each.call for each in vectors], priority)

    def _part(self, result: PlannedResult, begun: _Begun) -> Any:
        """The part of a call's output that is a result."""
        rank = self._comm.rank
        if begun.received is not None:
            return begun.target.result(), begun.received
        if result.part == "root" and rank != result.root:
            return None
        whole = begun.result()
        if result.part == "own":
            return whole[rank].copy()
        if result.part in ("total", "prefix"):
            return whole[0 if result.part == "total" else -1]
        return whole


def _checked(stage: Stage | str, size: int) -> Stage:
    if isinstance(stage, str):
        stage = Stage(stage)
    if not isinstance(stage, Stage):
        raise TypeError(
            f"a stage is one of netfold.stage, or the name of a collective; got {stage!r}"
        )
    if stage.name == "map" and callable(stage.op) and not hasattr(stage.op, "native"):
        raise UnsupportedError(
            f"stage map({getattr(stage.op, '__name__', stage.op)}) of the chain cannot be fused: a function of Python "
            "runs at the workers; call it with the result, or bring along an operation that maps in the switch "
            "(netfold.op(map=...))"
        )
    if stage.root is not None and not 0 <= stage.root < size:
        raise ValueError(
            f"the root of {stage.name} must be a rank from 0 to {size - 1}; got {stage.root}"
        )
    return stage


__all__ = ["Fused"]
