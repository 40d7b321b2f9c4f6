"""Folds at the workers: the switch gathers the bytes of all ranks, and each rank that gets a result
folds them itself, in the order of ranks.

These are folds that no switch of the job's arithmetic does (`calls.py`), such as sums of `f64` in
`block`, or bitwise operations. Every rank takes the same steps, so all have the same bits. A rank
receives n times the elements of an all-reduce, and holds a bounded part of them at a time. Of a
reduce only the root receives them, and of a reduce-scatter each rank its own part of everybody's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.distributed import ReduceOp

from ..call import Call
from ..errors import UnsupportedError
from .names import operation_of
from .staging import Loan
from .unequal import Steps, UnequalCall

CHUNK_BYTES = 1 << 20
"""Most bytes of one rank's elements that are gathered at a time."""

LONG_BYTES = 1 << 17
"""Most bytes of an all-reduce or reduce that workers fold if they might leave it to Gloo.

Gloo's ring takes 2(n - 1) steps of one latency L each, and moves 2(n - 1)/n of the B bytes; the
gather takes one step, and moves n B. So the ring is ahead from about B = 2 L times the links' rate
on, for n of 4 or more: 125 KB on links of 10 Gbit/s with steps of 50 µs.
"""

_BITWISE = ReduceOp.BAND, ReduceOp.BOR, ReduceOp.BXOR

_STEPS: dict[ReduceOp.RedOpType, Callable[..., Tensor]] = {
    ReduceOp.SUM: torch.add,
    ReduceOp.AVG: torch.add,
    ReduceOp.PREMUL_SUM: torch.add,
    ReduceOp.PRODUCT: torch.mul,
    ReduceOp.MIN: torch.minimum,
    ReduceOp.MAX: torch.maximum,
    ReduceOp.BAND: torch.bitwise_and,
    ReduceOp.BOR: torch.bitwise_or,
    ReduceOp.BXOR: torch.bitwise_xor,
}

_FLOATS = torch.float16, torch.bfloat16, torch.float32, torch.float64
_SIGNED = torch.int8, torch.int16, torch.int32, torch.int64
_UNSIGNED = torch.uint8, torch.uint16, torch.uint32, torch.uint64

_OF_GLOO = *_FLOATS, torch.int8, torch.uint8, torch.int32, torch.int64
"""Types that Gloo folds as it is done here; a sum of bools it does not."""


def refusal(operation: ReduceOp.RedOpType, dtype: torch.dtype) -> str:
    """Return the reason why workers do not fold so, either; an empty text if they do."""
    name, element_type = operation.name.lower(), str(dtype).removeprefix("torch.")
    if operation not in _STEPS or dtype not in (*_FLOATS, *_SIGNED, *_UNSIGNED, torch.bool):
        return f"neither the switch nor workers have the operation {name} of {element_type}"
    if operation in _BITWISE and dtype in _FLOATS:
        return f"{name} is an operation of integers and bool; the tensor is of {element_type}"
    if operation == ReduceOp.PREMUL_SUM and dtype not in _FLOATS:
        return f"{name} is an operation of floats; the tensor is of {element_type}"
    if operation == ReduceOp.AVG and dtype in (torch.bool, torch.uint64):
        return f"there is no average of {element_type}; use another operation or type"
    return ""


def wide(operation: ReduceOp.RedOpType, dtype: torch.dtype) -> torch.dtype:
    """Return the type in which elements are folded: floats of 16 bits are rounded once, and an
    average of short integers does not wrap.
    """
    if operation in (*_BITWISE, ReduceOp.MIN, ReduceOp.MAX) or dtype == torch.bool:
        return dtype
    if dtype.is_floating_point:
        return torch.float32 if dtype.itemsize == 2 else dtype
    return torch.int64


def finished(total: Tensor, operation: ReduceOp.RedOpType, size: int) -> Tensor:
    """Return the result of a fold of `size` ranks: of an average, the sum divided. A quotient of
    integers is rounded towards zero.
    """
    if operation != ReduceOp.AVG:
        return total
    return total.div(size, rounding_mode=None if total.is_floating_point() else "trunc")


def folded(rows: Tensor, operation: ReduceOp.RedOpType) -> Tensor:
    """Fold rows, one of each rank, in their order. The memory of the first may be used."""
    step, dtype = _STEPS[operation], wide(operation, rows.dtype)
    total = rows[0].to(dtype)
    for row in rows[1:]:
        step(total, row.to(dtype), out=total)
    return finished(total, operation, len(rows))


class Part(NamedTuple):
    """A part of the elements that every rank gives: one rank gets it folded, or all do."""

    root: int | None
    """The rank that gets it; None if all do."""
    elements: int


class Operands(NamedTuple):
    """A rank's part in a fold: the tensors that it gives, and those that it gets."""

    sources: Sequence[Tensor]
    """Tensors of one type, contiguous or not, whose elements it gives one after the other."""
    output: Tensor
    """Its results; of an all-reduce or reduce the only source."""
    parts: Sequence[Part]
    """The parts of what it gives, at most one for each rank that gets any."""


class _Piece(NamedTuple):
    root: int | None
    start: int
    """Its place among the elements that a rank gives."""
    elements: int
    place: int
    """Its place in the part, and so in the output of a rank that gets it."""

    def is_for(self, rank: int) -> bool:
        """Return whether a rank gets it."""
        return self.root is None or self.root == rank


class WorkerFold(UnequalCall):
    """An all-reduce, reduce or reduce-scatter that the workers fold.

    Args:
        name: the collective.
        reduce_op: the operation.
        operands: what this rank gives and gets.
        timeout_s: seconds that the call may take.

    Raises:
        UnsupportedError: torch has no such fold, or none is defined.
    """

    def __init__(self, name: str, reduce_op: Any, operands: Operands, timeout_s: float) -> None:
        self._operation = operation_of(reduce_op)
        if reason := refusal(self._operation, operands.output.dtype):
            raise UnsupportedError(f"{name}: {reason}")
        super().__init__(name, [operands.output], timeout_s)
        self._operands = operands
        # Each rank has a factor of its own.
        is_scaled = self._operation == ReduceOp.PREMUL_SUM
        self._factor = float(reduce_op.__getstate__()[1]) if is_scaled else None

    @property
    def is_faster_in_gloo(self) -> bool:
        """True for an all-reduce or reduce that Gloo does, and that is long; the same at every
        rank.
        """
        (_, output, parts), operation = self._operands, self._operation
        if output.dtype not in _OF_GLOO or operation == ReduceOp.PREMUL_SUM:
            return False
        if operation == ReduceOp.AVG and not output.dtype.is_floating_point:
            return False
        return parts[0].elements * output.itemsize > LONG_BYTES

    def carry_out(self, steps: Steps) -> None:
        """Gather and fold the elements piece by piece."""
        sources, output, parts = self._operands
        is_in_place = sources[0] is output
        gets = any(part.root in (None, steps.rank) for part in parts)
        # Tensors that were made in this mode may be written in no other.
        with torch.inference_mode():
            target = Loan([output], read=is_in_place, written=gets)
            source = target
            if not is_in_place:
                source = Loan(sources, read=True, written=False, apart_from=target)
            given, taken = source.vector, target.vector
            if self._factor is not None:
                given = given * self._factor
            for pieces in _batches(parts, CHUNK_BYTES // output.itemsize):
                for piece, rows in _gathered(steps, given, pieces):
                    end = piece.place + piece.elements
                    taken[piece.place : end].copy_(folded(rows, self._operation))
            target.finish()


def _gathered(
    steps: Steps, given: Tensor, pieces: Sequence[_Piece]
) -> Iterator[tuple[_Piece, Tensor]]:
    """Gather pieces of what all ranks give; those that this rank gets, a row for each rank."""
    calls: list[Call] = []
    taken: list[tuple[_Piece, Tensor]] = []
    for piece in pieces:
        collective = "all_gather" if piece.root is None else "gather"
        start = given.data_ptr() + piece.start * given.itemsize
        rows = torch.empty(0, dtype=given.dtype)
        if piece.is_for(steps.rank):
            rows = torch.empty((steps.size, piece.elements), dtype=given.dtype)
            taken.append((piece, rows))
        length = piece.elements * given.itemsize
        pointers = start, rows.data_ptr()
        calls.append(Call(collective, "copy", "u8", piece.root or 0, length, *pointers))
    steps.run(calls, [])
    return iter(taken)


def _batches(parts: Sequence[Part], most: int) -> Iterator[list[_Piece]]:
    """The pieces of parts, together at most so many elements at a time."""
    batch: list[_Piece] = []
    room, start = most, 0
    for part in parts:
        place = 0
        while place < part.elements:
            elements = min(part.elements - place, room)
            batch.append(_Piece(part.root, start + place, elements, place))
            place, room = place + elements, room - elements
            if room == 0:
                yield batch
                batch, room = [], most
        start += part.elements
    if batch:
        yield batch


__all__ = ["CHUNK_BYTES", "Operands", "Part", "WorkerFold", "finished", "folded", "refusal", "wide"]
