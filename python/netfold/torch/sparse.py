"""All-reduces of sparse tensors, which are folded by key (R-STREAM-12): by the switch, or at the
workers where the job's arithmetic does not have the fold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from ..call import Call
from ..errors import UnsupportedError
from .staging import Loan
from .unequal import Steps, UnequalCall
from .worker_folds import CHUNK_BYTES, finished, wide
from .worker_folds import refusal as refusal_of_workers

_NARROW = torch.iinfo(torch.int32).max

_MASKED = 32
"""Most rows of the tensor, for each key of a rank, of which a mask finds the union of the keys: a
mask takes a byte and about a nanosecond for each row, sorting about 50 ns for each key.
"""


_OPERATIONS = dist.ReduceOp.SUM, dist.ReduceOp.AVG
"""Operations by which a row of zeros, in place of one that a rank does not have, changes nothing."""

_WITHOUT_SPARSE = torch.uint16, torch.uint32, torch.uint64
"""Types whose sparse tensors torch does not add."""


def refusal(tensor: Tensor, operation: Any) -> str:
    """Return the reason why such a tensor is not folded by key; an empty text if it is."""
    if tensor.layout != torch.sparse_coo:
        return f"a tensor of layout {tensor.layout}"
    if operation not in _OPERATIONS:
        return f"operation {operation.name.lower()} of sparse tensors"
    if tensor.dtype in _WITHOUT_SPARSE:
        return f"sparse tensors of {tensor.dtype}"
    return refusal_of_workers(operation, tensor.dtype)


def description(tensor: Tensor, operation: Any) -> str:
    """An all-reduce of a tensor that is not dense, as errors show it; the same at every rank."""
    layout = str(tensor.layout).removeprefix("torch.")
    element_type = str(tensor.dtype).removeprefix("torch.")
    shape = "x".join(str(length) for length in tensor.shape)
    is_hybrid = tensor.layout == torch.sparse_coo and tensor.dense_dim() > 0
    dimensions = f", {tensor.sparse_dim()} of its dimensions sparse" if is_hybrid else ""
    return f"all_reduce({operation.name.lower()}, {layout}, {element_type}, {shape}{dimensions})"


class SparseFold(UnequalCall):
    """An all-reduce of a sparse tensor.

    Args:
        tensor: the tensor, of layout COO; replaced by the sum.
        operation: what folds it.
        names: operation and element type by the native side's names; None if the switch does not
            fold so.
        timeout_s: seconds that the call may take.

    Raises:
        UnsupportedError: it is not folded by key.
    """

    def __init__(
        self,
        tensor: Tensor,
        operation: dist.ReduceOp.RedOpType,
        names: tuple[str, str] | None,
        timeout_s: float,
    ) -> None:
        if reason := refusal(tensor, operation):
            raise UnsupportedError(f"all_reduce: {reason}; the tensor must be dense for this call")
        super().__init__("all_reduce (sparse)", [tensor], timeout_s)
        self._operation, self._names = operation, names

    def carry_out(self, steps: Steps) -> None:
        """Fold by key."""
        (given,) = self.tensors
        tensor = given.detach().coalesce()
        own = _keys_of(tensor)
        keys = _gather_keys(steps, own)
        union = _union(torch.cat(keys), math.prod(tensor.shape[: tensor.sparse_dim()]))
        values = tensor.values().cpu().contiguous()
        rows = torch.zeros((union.numel(), *values.shape[1:]), dtype=values.dtype)
        if rows.numel() > 0 and self._names is not None:
            rows[torch.searchsorted(union, own)] = values
            loan = Loan([rows], read=True, written=True)
            pointers = loan.pointer, loan.pointer
            steps.run([Call("all_reduce", *self._names, 0, loan.elements, *pointers)], [loan])
        elif rows.numel() > 0:
            self._fold_rows(steps, keys, union, values, rows)
        positions = torch.unravel_index(union.long(), tensor.shape[: tensor.sparse_dim()])
        summed = torch.sparse_coo_tensor(
            torch.stack(positions), rows, tensor.shape, is_coalesced=True, check_invariants=False
        )
        given.copy_(summed.to(tensor.device))
        if tensor.is_cuda:
            torch.cuda.current_stream(tensor.device).synchronize()

    def _fold_rows(
        self, steps: Steps, keys: Sequence[Tensor], union: Tensor, values: Tensor, rows: Tensor
    ) -> None:
        """Fold the rows of all ranks here, in their order, for as many keys at a time as have a
        chunk's bytes.

        Args:
            steps: makes the calls.
            keys: those of each rank's rows.
            union: all keys, ascending.
            values: this rank's rows.
            rows: where the result goes, a row for each key of `union`.
        """
        row_bytes = values.itemsize * math.prod(values.shape[1:])
        at_once = max(CHUNK_BYTES // row_bytes, 1)
        dtype = wide(self._operation, values.dtype)
        for some, result in zip(
            torch.split(union, at_once), torch.split(rows, at_once), strict=True
        ):
            ends = [_place(each, some[0], some[-1]) for each in keys]
            counts = [end - start for start, end in ends]
            gathered = torch.empty((sum(counts), *values.shape[1:]), dtype=values.dtype)
            own = values.data_ptr() + row_bytes * ends[steps.rank][0]
            pointers = own, gathered.data_ptr()
            lengths = tuple(row_bytes * count for count in counts)
            steps.run([Call("all_gather", "copy", "u8", 0, 0, *pointers, lengths)], [])
            total = torch.zeros((len(some), *values.shape[1:]), dtype=dtype)
            parts = torch.split(gathered, counts)
            for each, (start, end), part in zip(keys, ends, parts, strict=True):
                total[torch.searchsorted(some, each[start:end])] += part.to(dtype)
            result.copy_(finished(total, self._operation, steps.size))


def _place(keys: Tensor, first: Tensor, last: Tensor) -> tuple[int, int]:
    """Return where the keys from `first` to `last` begin and end among ascending ones."""
    return int(torch.searchsorted(keys, first)), int(torch.searchsorted(keys, last, right=True))


def _gather_keys(steps: Steps, own: Tensor) -> tuple[Tensor, ...]:
    """The keys of each rank."""
    counts = steps.tell([own.numel()]).flatten()
    everyone = torch.empty(int(counts.sum()), dtype=own.dtype)
    target = Loan([everyone], read=False, written=True)
    source = Loan([own], read=True, written=False)
    lengths = tuple(own.itemsize * int(count) for count in counts)
    pointers = source.pointer, target.pointer
    if target.bytes > 0:
        steps.run([Call("all_gather", "copy", "u8", 0, 0, *pointers, lengths)], [source, target])
    return torch.split(everyone, counts.tolist())


def _keys_of(tensor: Tensor) -> Tensor:
    """The keys of a coalesced tensor's rows, ascending: their positions in its sparse dimensions, in
    row-major order. They have 32 bits if every key of such a tensor does.
    """
    shape = tensor.shape[: tensor.sparse_dim()]
    keys = torch.zeros(tensor.indices().shape[1], dtype=torch.int64)
    for length, positions in zip(shape, tensor.indices().cpu(), strict=True):
        keys = keys * length + positions
    return keys.to(torch.int32) if math.prod(shape) <= _NARROW else keys


def _union(keys: Tensor, rows: int) -> Tensor:
    """The different keys among `keys`, ascending, of a tensor with as many rows."""
    if rows > _MASKED * keys.numel():
        different: Tensor = torch.unique(keys)
        return different
    present = torch.zeros(rows, dtype=torch.bool)
    present[keys.long()] = True
    return present.nonzero().flatten().to(keys.dtype)


__all__ = ["SparseFold", "description", "refusal"]
