"""Calls by operations of users: folds of tensors that `torch.distributed` has no name for.

A group brings along the operations that :func:`operations` has named before it was made. All ranks
name the same in the same order. The switch folds them, as it folds the sums of
`torch.distributed`.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np
import torch
import torch.distributed as dist

from ..call import Call
from ..errors import UnsupportedError
from ..operations import Operation
from .staging import Loan

if TYPE_CHECKING:
    from torch import Tensor

    from .calls import Calls

_chosen: tuple[Operation, ...] = ()


def operations(chosen: Sequence[Operation]) -> None:
    """Name the operations that groups made from now on may fold by (:func:`netfold.op`).

    Every rank names the same before `init_process_group` or `new_group`.
    """
    global _chosen
    for operation in chosen:
        if not isinstance(operation, Operation):
            raise TypeError(f"operations are netfold.Operation, and this is {operation!r}")
    _chosen = tuple(chosen)


def chosen_operations() -> tuple[Operation, ...]:
    """Return the operations that a group that is made now brings along."""
    return _chosen


def all_reduce(
    tensor: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Replace every rank's tensor by the fold of all, as `torch.distributed.all_reduce` does."""
    backend, kind = _checked(op, group, tensor)
    loan = Loan([tensor], read=True, written=True)
    call = Call("all_reduce", *kind, 0, loan.bytes, loan.pointer, loan.pointer)
    return _made(backend, call, [loan], async_op, tensor)


def reduce(
    tensor: Tensor,
    dst: int,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Replace the tensor of `dst`, a rank of the world, by the fold of all."""
    backend, kind = _checked(op, group, tensor)
    root = dst if group is None else dist.get_group_rank(group, dst)
    at_root = backend.rank() == root
    loan = Loan([tensor], read=True, written=at_root)
    pointers = loan.pointer, loan.pointer if at_root else 0
    return _made(
        backend, Call("reduce", *kind, root, loan.bytes, *pointers), [loan], async_op, tensor
    )


def reduce_scatter(
    output: Tensor,
    input: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Fold `input`, which is as long as the outputs of all ranks; rank r gets its r-th part."""
    backend, kind = _checked(op, group, output, input)
    _check_length(input, output, backend.size())
    target = Loan([output], read=False, written=True)
    source = Loan([input], read=True, written=False, apart_from=target)
    pointers = source.pointer, target.pointer
    call = Call("reduce_scatter", *kind, 0, target.bytes, *pointers)
    return _made(backend, call, [source, target], async_op, output)


def scan(
    output: Tensor,
    input: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Put the fold of the inputs of ranks 0 to r into rank r's output."""
    return _prefix("scan", (output, input), op, group, async_op)


def exscan(
    output: Tensor,
    input: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Put the fold of the inputs of ranks 0 to r - 1 into rank r's output; rank 0's stays."""
    return _prefix("exscan", (output, input), op, group, async_op)


class _Options(NamedTuple):
    """Options of a call, by torch's names."""

    asyncOp: bool  # noqa: N815 - torch's name
    timeout: timedelta = timedelta(milliseconds=-1)
    """The group's own."""


def _prefix(
    collective: str,
    tensors: tuple[Tensor, Tensor],
    op: Operation,
    group: dist.ProcessGroup | None,
    async_op: bool,
) -> dist._Work | None:
    output, input = tensors
    backend, kind = _checked(op, group, output, input)
    _check_length(input, output, 1)
    gets = collective == "scan" or backend.rank() > 0
    target = Loan([output], read=False, written=gets)
    source = Loan([input], read=True, written=False, apart_from=target)
    pointers = source.pointer, target.pointer if gets else 0
    call = Call(collective, *kind, 0, source.bytes, *pointers)
    return _made(backend, call, [source, target], async_op, output)


def _checked(
    op: Operation, group: dist.ProcessGroup | None, tensor: Tensor, *others: Tensor
) -> tuple[Calls, tuple[str, str]]:
    """The group's backend for a tensor, and the native names of the fold and of its elements."""
    from . import backend_of

    if not isinstance(op, Operation):
        raise TypeError(f"op is a netfold.Operation; got {op!r}")
    backend = cast("Calls", backend_of(group, tensor.device.type))
    if op not in backend.operations:
        raise ValueError(
            f"the group does not have the operation {op.name!r}; name it with netfold.torch.operations([...]) "
            "before the group is made"
        )
    for each in (tensor, *others):
        if each.dtype != torch.uint8:
            op.check(_numpy_type(each.dtype))
        if each.device != tensor.device:
            raise ValueError(
                f"tensors are on one device; these are on {tensor.device} and {each.device}"
            )
    return backend, (f"#{backend.operations.index(op)}", "u8")


def _numpy_type(dtype: torch.dtype) -> np.dtype:
    try:
        return torch.empty(0, dtype=dtype).numpy().dtype
    except TypeError as error:
        raise UnsupportedError(
            f"NumPy has no {dtype}; pass the bytes of the elements, as a tensor of torch.uint8"
        ) from error


def _check_length(input: Tensor, output: Tensor, times: int) -> None:
    if input.numel() != times * output.numel() or input.dtype != output.dtype:
        raise ValueError(
            f"the input has {times} times the output's {output.numel()} elements of {output.dtype}; "
            f"it has {input.numel()} of {input.dtype}"
        )


def _made(
    backend: Calls, call: Call, loans: list[Loan], async_op: bool, result: Tensor
) -> dist._Work | None:
    work = backend._submit(call, loans, _Options(async_op), [result])
    if async_op:
        return work
    if work is not None:
        work.wait()
    return None


__all__ = [
    "all_reduce",
    "chosen_operations",
    "exscan",
    "operations",
    "reduce",
    "reduce_scatter",
    "scan",
]
