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

from ..arrays import pointer
from ..call import Call
from ..errors import UnsupportedError
from ..operations import Operation
from ..operations.operation import Codec
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
    return _in_place("all_reduce", tensor, op, group, async_op)


def reduce(
    tensor: Tensor,
    dst: int,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Replace the tensor of `dst`, a rank of the world, by the fold of all."""
    fold, root = _Fold(op, group, tensor), _rank_in(group, dst)
    at_root = fold.backend.rank() == root
    loan = fold.loan(tensor, read=True, written=at_root)
    return fold.made("reduce", root, loan.bytes, loan, loan if at_root else None, async_op, tensor)


def broadcast(
    tensor: Tensor,
    src: int,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Give every rank the tensor of `src`, a rank of the world, as the operation's map or codec has
    transformed it at the switch (R-OP-24). That of `src` stays as it is.
    """
    fold, root = _Fold(op, group, tensor), _rank_in(group, src)
    sends = fold.backend.rank() == root
    loan = fold.loan(tensor, read=sends, written=not sends)
    return fold.made("broadcast", root, loan.bytes, loan, loan, async_op, tensor)


def look_aside(
    tensor: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Replace every rank's tensor of requests by the replies of an operation with state (R-OP-32)."""
    return _in_place("look_aside", tensor, op, group, async_op)


def reduce_scatter(
    output: Tensor,
    input: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None = None,
    async_op: bool = False,
) -> dist._Work | None:
    """Fold `input`, which is as long as the outputs of all ranks; rank r gets its r-th part."""
    fold = _Fold(op, group, output, input)
    _check_length(input, output, fold.backend.size())
    target = fold.loan(output, read=False, written=True)
    source = fold.loan(input, read=True, written=False, apart_from=target)
    return fold.made("reduce_scatter", 0, target.bytes, source, target, async_op, output)


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
    fold = _Fold(op, group, output, input)
    _check_length(input, output, 1)
    gets = collective == "scan" or fold.backend.rank() > 0
    target = fold.loan(output, read=False, written=gets)
    source = fold.loan(input, read=True, written=False, apart_from=target)
    return fold.made(
        collective, 0, source.bytes, source, target if gets else None, async_op, output
    )


def _in_place(
    collective: str,
    tensor: Tensor,
    op: Operation,
    group: dist.ProcessGroup | None,
    async_op: bool,
) -> dist._Work | None:
    fold = _Fold(op, group, tensor)
    loan = fold.loan(tensor, read=True, written=True)
    return fold.made(collective, 0, loan.bytes, loan, loan, async_op, tensor)


def _rank_in(group: dist.ProcessGroup | None, rank: int) -> int:
    return rank if group is None else dist.get_group_rank(group, rank)


class _Fold:
    """The common part of calls by an operation: the group's backend for its tensors, and their
    memory.
    """

    def __init__(
        self, op: Operation, group: dist.ProcessGroup | None, tensor: Tensor, *others: Tensor
    ) -> None:
        from . import backend_of

        if not isinstance(op, Operation):
            raise TypeError(f"op is a netfold.Operation; got {op!r}")
        self.backend = cast("Calls", backend_of(group, tensor.device.type))
        if op not in self.backend.operations:
            raise ValueError(
                f"the group does not have the operation {op.name!r}; name it with netfold.torch.operations([...]) "
                "before the group is made"
            )
        encodes = False
        for each in (tensor, *others):
            if each.dtype != torch.uint8:
                dtype = _numpy_type(each.dtype)
                encodes = op.encodes(np.empty(0, dtype))
                if not encodes:
                    op.check(dtype)
            if each.device != tensor.device:
                raise ValueError(
                    f"tensors are on one device; these are on {tensor.device} and {each.device}"
                )
        self._codec = self.backend.codecs[op] if encodes else None
        self._name = f"#{self.backend.operations.index(op)}"

    def loan(
        self, tensor: Tensor, *, read: bool, written: bool, apart_from: Loan | None = None
    ) -> Loan:
        """Memory that stands for a tensor: for its wire elements, if it has such."""
        if self._codec is None:
            return Loan([tensor], read=read, written=written, apart_from=apart_from)
        return _Encoded(tensor, self._codec, read=read, written=written)

    def made(  # noqa: PLR0913 - a call's parts
        self,
        collective: str,
        root: int,
        bytes_: int,
        source: Loan,
        target: Loan | None,
        async_op: bool,
        result: Tensor,
    ) -> dist._Work | None:
        """Make a call, and wait for it unless its caller does."""
        output = 0 if target is None else target.pointer
        call = Call(collective, self._name, "u8", root, bytes_, source.pointer, output)
        loans = [source] if target is None or target is source else [source, target]
        work = self.backend._submit(call, loans, _Options(async_op), [result])
        if async_op:
            return work
        if work is not None:
            work.wait()
        return None


class _Encoded(Loan):
    """Wire elements that stand for a tensor's elements (R-OP-30)."""

    def __init__(self, tensor: Tensor, codec: Codec, *, read: bool, written: bool) -> None:
        super().__init__([tensor], read=read, written=written)
        self._codec = codec
        numbers = self.vector.numpy()
        self._wire = codec.encode(numbers) if read else codec.room(numbers)
        self.pointer = pointer(self._wire)

    @property
    def bytes(self) -> int:
        return self._wire.nbytes

    def finish(self) -> None:
        if self._written:
            numbers = self.vector.numpy()
            self._codec.decode(self._wire, numbers.shape, numbers.dtype, numbers)
        super().finish()


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


__all__ = [
    "all_reduce",
    "broadcast",
    "chosen_operations",
    "exscan",
    "look_aside",
    "operations",
    "reduce",
    "reduce_scatter",
    "scan",
]
