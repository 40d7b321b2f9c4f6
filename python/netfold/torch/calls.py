"""Calls as the collectives of a backend make them: what they check, lend and submit."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor
from torch._C._distributed_c10d import AllgatherOptions

from .. import _native
from ..call import Call
from . import sparse
from .membership import Membership
from .names import ELEMENT_TYPES, OPERATIONS, operation_of
from .profiling import Event
from .staging import Loan
from .unequal import UnequalCall
from .work import DoneWork, JointWork, Submission
from .worker_folds import Operands, WorkerFold


class Kind(NamedTuple):
    """A kind of fold, as far as operation and element type make it."""

    refusal: str | None
    """The reason why the switch cannot do it."""
    names: tuple[str, str]
    """Operation and element type by the native side's names, if the switch can."""


@functools.cache
def kind_of(arithmetic: str, operation: Any, dtype: torch.dtype) -> Kind:
    """Return the kind of fold of an operation and an element type in jobs of an arithmetic."""
    if operation not in OPERATIONS:
        return Kind(f"operation {operation.name.lower()} is not one that a switch folds", ("", ""))
    if dtype not in ELEMENT_TYPES:
        return Kind(f"element type {dtype} is not one that a switch folds", ("", ""))
    names = (OPERATIONS[operation], ELEMENT_TYPES[dtype])
    return Kind(_native.refusal(arithmetic, *names), names)


class Calls(Membership):
    """A membership that makes calls."""

    def _kind(self, tensor: Tensor, reduce_op: Any) -> Kind:
        """The kind of fold that a call of this job asks for; the same on every rank."""
        return kind_of(self._arithmetic, operation_of(reduce_op), tensor.dtype)

    def _check_peer(self, role: str, rank: int) -> None:
        """Refuse a rank that the group does not have, before anything is submitted."""
        if not 0 <= rank < self.size():
            raise ValueError(
                f"the {role} must be a rank of the group, from 0 to {self.size() - 1}; got {rank}"
            )

    @staticmethod
    def _check_tag(tag: int) -> None:
        """Refuse the tags that are not a program's."""
        if tag < 0:
            raise ValueError(f"a tag is a number from 0; got {tag}")

    def _check_parts(self, parts: Sequence[Tensor], mine: Tensor) -> None:
        """Refuse lists that do not have one tensor for each rank, this rank's as long as `mine`."""
        if len(parts) != self.size():
            raise ValueError(
                f"the list must have one tensor for each of the {self.size()} ranks; it has {len(parts)}"
            )
        if (length := parts[self.rank()].numel()) != mine.numel():
            raise ValueError(
                f"the list's tensor for rank {self.rank()}, this one, has {length} elements; "
                f"the tensor that goes with it has {mine.numel()}"
            )
        for part in parts:
            check_type(part, mine)

    def _check_equal_parts(self, parts: Sequence[Tensor], mine: Tensor) -> None:
        """Refuse lists that do not have one tensor for each rank, each as long as `mine`."""
        self._check_parts(parts, mine)
        sizes = [part.numel() for part in parts]
        if len({*sizes}) > 1:
            raise ValueError(f"the list's tensors must have one size; they have {sizes} elements")

    def _split(self, tensor: Tensor, splits: list[int]) -> list[Tensor]:
        """The parts of a tensor for each rank, along its first dimension."""
        rows = tensor.shape[0] if tensor.dim() > 0 else 0
        if not splits and rows % self.size() == 0:
            splits = [rows // self.size()] * self.size()
        if len(splits) != self.size() or sum(splits) != rows or min(splits) < 0:
            raise ValueError(
                f"the splits must be a number of rows for each of the {self.size()} ranks, {rows} together; "
                f"they are {splits}"
            )
        return list(torch.split(tensor, splits))

    def _add_unequal(self, call: UnequalCall, text: str, opts: Any) -> dist._Work:
        """Announce a call whose lengths the ranks tell each other first."""
        profiled = torch.autograd._profiler_enabled()
        event = Event(text.partition("(")[0]) if profiled else None
        waits = not profiled and not getattr(opts, "asyncOp", True)
        announce = functools.partial(self._announce, text, opts.timeout, waits)
        work = self._unequal.add(call, announce, not waits)
        if event is None:
            return work
        begun_by_callback = self._outstanding.is_own_thread()
        return event.until(work, call.tensors, begun_by_callback=begun_by_callback)

    def _all_reduce_sparse(self, tensor: Tensor, opts: dist.AllreduceOptions) -> dist._Work:
        """A fold by key."""
        operation, kind = operation_of(opts.reduceOp), self._kind(tensor, opts.reduceOp)
        names = None if kind.refusal else kind.names
        fold = sparse.SparseFold(tensor, operation, names, self._seconds(opts.timeout))
        return self._add_unequal(fold, sparse.description(tensor, operation), opts)

    def _fold_at_workers(self, reason: str, text: str, operands: Operands, opts: Any) -> dist._Work:
        """A fold that the switch does not do: by the workers, or by Gloo if that is faster.

        Args:
            reason: says why the switch does not do it.
            text: the call as errors show it.
            operands: what this rank gives and gets.
            opts: the call's options.
        """
        name, timeout_s = text.partition("(")[0], self._seconds(opts.timeout)
        fold = WorkerFold(name, opts.reduceOp, operands, timeout_s)
        gloos = {"all_reduce": "allreduce", "reduce": "reduce"}.get(name)
        if gloos is not None and self._fallback.is_there and fold.is_faster_in_gloo:
            return self._fallback.run(gloos, reason, text, [operands.output], opts=opts)
        return self._add_unequal(fold, text, opts)

    def _reduce_scatter(
        self, kind: Kind, output: Tensor, parts: Sequence[Tensor], opts: dist.ReduceScatterOptions
    ) -> dist._Work | None:
        target = Loan([output], read=False, written=True)
        source = Loan(parts, read=True, written=False, apart_from=target)
        pointers = source.pointer, target.pointer
        call = Call("reduce_scatter", *kind.names, 0, target.elements, *pointers)
        return self._submit(call, [source, target], opts, [output])

    def _reduce_each(
        self, kind: Kind, output: Tensor, parts: Sequence[Tensor], opts: dist.ReduceScatterOptions
    ) -> dist._Work | None:
        """A reduce-scatter of parts that differ in size, as one reduce for each rank."""
        target = Loan([output], read=False, written=True)

        def reduce_to(root: int, part: Tensor) -> dist._Work | None:
            source = Loan([part], read=True, written=False, apart_from=target)
            loans = [source, target] if root == self.rank() else [source]
            pointers = source.pointer, target.pointer if root == self.rank() else 0
            call = Call("reduce", *kind.names, root, source.elements, *pointers)
            return self._submit(call, loans, opts, [output])

        return self._together((reduce_to(root, part) for root, part in enumerate(parts)), [output])

    def _all_gather(
        self, parts: Sequence[Tensor], input: Tensor, opts: AllgatherOptions
    ) -> dist._Work | None:
        target = Loan(parts, read=False, written=True)
        source = Loan([input], read=True, written=False, apart_from=target)
        if target.bytes != source.bytes * self.size():
            raise ValueError(
                f"the output must have {self.size()} times the input's {source.bytes} bytes; it has {target.bytes}"
            )
        pointers = source.pointer, target.pointer
        call = Call("all_gather", "copy", "u8", 0, source.bytes, *pointers)
        return self._submit(call, [source, target], opts, list(parts))

    def _broadcast(self, tensor: Tensor, root: int, opts: Any, loan: Loan) -> dist._Work | None:
        call = Call("broadcast", "copy", "u8", root, loan.bytes, loan.pointer, loan.pointer)
        return self._submit(call, [loan], opts, [tensor])

    def _broadcast_each(
        self, parts: Sequence[Tensor], input: Tensor, opts: AllgatherOptions
    ) -> dist._Work | None:
        """An all-gather of inputs that differ in size, as one broadcast from each rank."""
        parts[self.rank()].copy_(input.view_as(parts[self.rank()]))

        def broadcast_from(root: int, part: Tensor) -> dist._Work | None:
            at_root = root == self.rank()
            return self._broadcast(
                part, root, opts, Loan([part], read=at_root, written=not at_root)
            )

        return self._together(
            (broadcast_from(root, part) for root, part in enumerate(parts)), list(parts)
        )

    def _submit(
        self, call: Call, loans: Sequence[Loan], opts: Any, result: list[Any]
    ) -> dist._Work | None:
        """Make a call. Return its work, or None if it is done and its caller has no use for a work."""
        submission = self._submission(call, loans, opts, result)
        self.direct.sequence += 1
        if torch.autograd._profiler_enabled():
            event = Event(call.collective)
            work = self._outstanding.add(submission, waits=False)
            return event.until(work, result, begun_by_callback=self._outstanding.is_own_thread())
        waits = not getattr(opts, "asyncOp", True)
        if waits and not self.handover.together:
            self._outstanding.run(submission)
            return None if self.handover.discards else DoneWork(result, loans)
        return self._outstanding.add(submission, waits=waits)

    def _submission(
        self, call: Call, loans: Sequence[Loan], opts: Any, result: list[Any]
    ) -> Submission:
        timeout_s = self._seconds(opts.timeout)
        return Submission(call, loans, result, timeout_s, _native.chosen_priority())

    def _together(self, calls: Iterable[dist._Work | None], result: list[Any]) -> JointWork:
        """One work for several calls. All are begun before one is waited for; `calls` makes each
        when asked for it.
        """
        self.handover.together = True
        try:
            return JointWork([work for work in calls if work is not None], result)
        finally:
            self.handover.together = False


def check_type(tensor: Tensor, other: Tensor) -> None:
    """Refuse tensors of two element types."""
    if tensor.dtype != other.dtype:
        raise ValueError(
            f"input and output must have one element type; they have {tensor.dtype} and {other.dtype}"
        )


__all__ = ["Calls", "Kind", "check_type", "kind_of"]
