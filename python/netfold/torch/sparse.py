"""All-reduces of sparse tensors, which the switch folds by key (R-STREAM-12)."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from ..call import Call
from .staging import Loan
from .unequal import Steps, UnequalCall

_NARROW = torch.iinfo(torch.int32).max

_MASKED = 32
"""Most rows of the tensor, for each key of a rank, of which a mask finds the union of the keys: a
mask takes a byte and about a nanosecond for each row, sorting about 50 ns for each key.
"""


_OPERATIONS = dist.ReduceOp.SUM, dist.ReduceOp.AVG
"""Operations by which a row of zeros, in place of one that a rank does not have, changes nothing."""


def refusal(tensor: Tensor, operation: Any) -> str:
    """Return the reason why the switch does not fold such a tensor by key; an empty text if it
    does.
    """
    if tensor.layout != torch.sparse_coo:
        return f"a tensor of layout {tensor.layout}"
    if operation not in _OPERATIONS:
        return f"operation {operation.name.lower()} of sparse tensors"
    return ""


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
        names: operation and element type by the native side's names.
        timeout_s: seconds that the call may take.
    """

    def __init__(self, tensor: Tensor, names: tuple[str, str], timeout_s: float) -> None:
        super().__init__("all_reduce (sparse)", [tensor], timeout_s)
        self._names = names

    def carry_out(self, steps: Steps) -> None:
        """Fold by key."""
        (given,) = self.tensors
        tensor = given.detach().coalesce()
        own = _keys_of(tensor)
        everyone = _gather_keys(steps, own)
        union = _union(everyone, math.prod(tensor.shape[: tensor.sparse_dim()]))
        values = tensor.values()
        rows = torch.zeros((union.numel(), *values.shape[1:]), dtype=values.dtype)
        rows[torch.searchsorted(union, own)] = values.cpu()
        if rows.numel() > 0:
            loan = Loan([rows], read=True, written=True)
            pointers = loan.pointer, loan.pointer
            steps.run([Call("all_reduce", *self._names, 0, loan.elements, *pointers)], [loan])
        positions = torch.unravel_index(union.long(), tensor.shape[: tensor.sparse_dim()])
        summed = torch.sparse_coo_tensor(
            torch.stack(positions), rows, tensor.shape, is_coalesced=True, check_invariants=False
        )
        given.copy_(summed.to(tensor.device))
        if tensor.is_cuda:
            torch.cuda.current_stream(tensor.device).synchronize()


def _gather_keys(steps: Steps, own: Tensor) -> Tensor:
    """The keys of all ranks, those of one after those of the other."""
    counts = steps.tell([own.numel()]).flatten()
    everyone = torch.empty(int(counts.sum()), dtype=own.dtype)
    target = Loan([everyone], read=False, written=True)
    source = Loan([own], read=True, written=False)
    lengths = tuple(own.itemsize * int(count) for count in counts)
    pointers = source.pointer, target.pointer
    if target.bytes > 0:
        steps.run([Call("all_gather", "copy", "u8", 0, 0, *pointers, lengths)], [source, target])
    return everyone


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
