"""The backend itself: torch's collectives, each as calls of the native communicator.

Everything here runs on the caller's thread. `outstanding.py` does the waiting, before the call
returns if its caller would wait next. A call is one of three kinds: a fold by the switch, bytes
that the switch copies, or Gloo's (see `fallback.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor
from torch._C._distributed_c10d import AllgatherOptions, Backend

from .. import _native
from ..call import Call
from ..errors import UnsupportedError
from . import sparse
from .group import NetfoldGroup, is_alone
from .membership import Membership
from .names import ELEMENT_TYPES, OPERATIONS, operation_of
from .place import Place
from .profiling import Event
from .staging import Loan
from .surface import hands_over
from .work import DoneWork, JointWork, Submission

_GROUPS = timedelta(milliseconds=-1)
"""torch's way to say: the group's own time-out."""


@hands_over
class NetfoldBackend(Membership):
    """One process group: torch's collectives on top of :class:`~.membership.Membership`, which says
    what it takes.
    """

    # Collectives that fold

    def allreduce(self, tensors: list[Tensor], opts: dist.AllreduceOptions) -> dist._Work | None:
        """Fold one tensor of any shape in place."""
        (tensor,) = tensors
        if tensor.layout != torch.strided:
            return self._all_reduce_sparse(tensor, opts)
        kind = self._kind(tensor, opts.reduceOp)
        if kind.refusal:
            text = _fold("all_reduce", opts, tensor)
            return self._fallback.run("allreduce", kind.refusal, text, tensors, opts=opts)
        call, loan = _all_reduce(kind, tensor)
        return self._submit(call, [loan], opts, tensors)

    def go_on(
        self,
        begun: list[int | None],
        tensor: Tensor,
        opts: dist.AllreduceOptions,
        interrupt: BaseException | None,
    ) -> None:
        """Wait for a synchronous all-reduce that the native side has begun; see
        :meth:`Outstanding.go_on`.
        """
        call, loan = _all_reduce(self._kind(tensor, opts.reduceOp), tensor)
        submission = self._submission(call, [loan], opts, [tensor])
        self._outstanding.go_on(begun, submission, interrupt)

    def allreduce_coalesced(
        self, tensors: list[Tensor], opts: dist.AllreduceCoalescedOptions
    ) -> dist._Work | None:
        """Fold several tensors in place; they share packets' stream, so nothing is gained by
        flattening them first.
        """
        each = dist.AllreduceOptions()
        each.reduceOp, each.timeout, each.asyncOp = opts.reduceOp, opts.timeout, opts.asyncOp
        return self._together((self.allreduce([tensor], each) for tensor in tensors), tensors)

    allreduce_sparse = allreduce

    def reduce(self, tensors: list[Tensor], opts: dist.ReduceOptions) -> dist._Work | None:
        """Fold one tensor; the root's is replaced by the result, the others' stay as they are."""
        (tensor,) = tensors
        self._check_peer("root", opts.rootRank)
        kind = self._kind(tensor, opts.reduceOp)
        if kind.refusal:
            text = _fold("reduce", opts, tensor, root=opts.rootRank)
            return self._fallback.run("reduce", kind.refusal, text, tensors, opts=opts)
        at_root = self.rank() == opts.rootRank
        loan = Loan([tensor], read=True, written=at_root)
        pointers = loan.pointer, loan.pointer if at_root else 0
        call = Call("reduce", *kind.names, opts.rootRank, loan.elements, *pointers)
        return self._submit(call, [loan], opts, tensors)

    def reduce_scatter(
        self, outputs: list[Tensor], inputs: list[list[Tensor]], opts: dist.ReduceScatterOptions
    ) -> dist._Work | None:
        """Fold `inputs[0][r]` into rank r's output. The parts may differ in size from rank to rank."""
        (output,), (parts,) = outputs, inputs
        self._check_parts(parts, output)
        kind = self._kind(output, opts.reduceOp)
        if kind.refusal:
            text = _fold("reduce_scatter", opts, *parts)
            return self._fallback.run(
                "reduce_scatter", kind.refusal, text, outputs, inputs, opts=opts
            )
        if len({part.numel() for part in parts}) > 1:
            return self._reduce_each(kind, output, parts, opts)
        return self._reduce_scatter(kind, output, parts, opts)

    def reduce_scatter_single(
        self, output: Tensor, input: Tensor, opts: dist.ReduceScatterOptions
    ) -> dist._Work | None:
        """Fold `input`, which is `size` times as long as `output`; rank r gets its r-th part."""
        if input.numel() != output.numel() * self.size():
            raise ValueError(
                f"the input must have {self.size()} times the output's {output.numel()} elements; "
                f"it has {input.numel()}"
            )
        _check_type(input, output)
        kind = self._kind(output, opts.reduceOp)
        if kind.refusal:
            name = "reduce_scatter_single"
            return self._fallback.run(
                name, kind.refusal, _fold(name, opts, input), output, input, opts=opts, flat=True
            )
        return self._reduce_scatter(kind, output, [input], opts)

    _reduce_scatter_base = reduce_scatter_single

    def reduce_scatter_single_coalesced(
        self, outputs: list[Tensor], inputs: list[Tensor], opts: dist.ReduceScatterOptions
    ) -> dist._Work | None:
        """Several :meth:`reduce_scatter_single` as one."""
        pairs = zip(outputs, inputs, strict=True)
        return self._together(
            (self.reduce_scatter_single(output, input, opts) for output, input in pairs), outputs
        )

    # Collectives that copy bytes, whatever the element type

    def broadcast(self, tensors: list[Tensor], opts: dist.BroadcastOptions) -> dist._Work | None:
        """Replace every rank's tensor by the root's."""
        (tensor,) = tensors
        self._check_peer("root", opts.rootRank)
        if tensor.layout != torch.strided:
            reason, text = (
                f"a tensor of layout {tensor.layout}",
                f"broadcast(sparse, root {opts.rootRank})",
            )
            return self._fallback.run("broadcast", reason, text, tensors, opts=opts)
        at_root = self.rank() == opts.rootRank
        return self._broadcast(
            tensor, opts.rootRank, opts, Loan([tensor], read=at_root, written=not at_root)
        )

    def allgather(
        self, outputs: list[list[Tensor]], inputs: list[Tensor], opts: AllgatherOptions
    ) -> dist._Work | None:
        """Put rank r's input into `outputs[0][r]`. The inputs may differ in size from rank to rank."""
        (parts,), (input,) = outputs, inputs
        self._check_parts(parts, input)
        if len({part.numel() for part in parts}) > 1:
            return self._broadcast_each(parts, input, opts)
        return self._all_gather(parts, input, opts)

    def allgather_coalesced(
        self, outputs: list[list[Tensor]], inputs: list[Tensor], opts: AllgatherOptions
    ) -> dist._Work | None:
        """Several :meth:`allgather` as one: rank r's i-th input comes into `outputs[r][i]`."""
        pairs = zip(zip(*outputs, strict=True), inputs, strict=True)
        return self._together(
            (self.allgather([list(parts)], [input], opts) for parts, input in pairs), outputs
        )

    def all_gather_single(
        self, output: Tensor, input: Tensor, opts: AllgatherOptions
    ) -> dist._Work | None:
        """Put all inputs one after the other into `output`, which is `size` times as long."""
        return self._all_gather([output], input, opts)

    _allgather_base = all_gather_single

    def all_gather_single_coalesced(
        self, outputs: list[Tensor], inputs: list[Tensor], opts: AllgatherOptions
    ) -> dist._Work | None:
        """Several :meth:`all_gather_single` as one."""
        pairs = zip(outputs, inputs, strict=True)
        return self._together(
            (self.all_gather_single(output, input, opts) for output, input in pairs), outputs
        )

    def barrier(self, opts: dist.BarrierOptions) -> dist._Work | None:
        """Complete when every rank has called it."""
        return self._submit(Call("barrier", "copy", "u8", 0, 0), [], opts, [])

    # Collectives that a switch cannot fold: each rank gets other data from each other rank

    def gather(
        self, outputs: list[list[Tensor]], inputs: list[Tensor], opts: dist.GatherOptions
    ) -> dist._Work | None:
        """Gloo's gather."""
        self._check_peer("root", opts.rootRank)
        text = f"gather({inputs[0].nbytes} bytes, root {opts.rootRank})"
        return self._fallback.run("gather", _NOT_FOLDED, text, outputs, inputs, opts=opts)

    def scatter(
        self, outputs: list[Tensor], inputs: list[list[Tensor]], opts: dist.ScatterOptions
    ) -> dist._Work | None:
        """Gloo's scatter."""
        self._check_peer("root", opts.rootRank)
        text = f"scatter({outputs[0].nbytes} bytes, root {opts.rootRank})"
        return self._fallback.run("scatter", _NOT_FOLDED, text, outputs, inputs, opts=opts)

    def alltoall(
        self, outputs: list[Tensor], inputs: list[Tensor], opts: dist.AllToAllOptions
    ) -> dist._Work | None:
        """Gloo's all-to-all on lists of tensors."""
        return self._fallback.run(
            "alltoall", _NOT_FOLDED, "all_to_all()", outputs, inputs, opts=opts
        )

    def all_to_all_single(
        self,
        output: Tensor,
        input: Tensor,
        output_splits: list[int],
        input_splits: list[int],
        opts: dist.AllToAllOptions,
    ) -> dist._Work | None:
        """Gloo's all-to-all."""
        splits = output_splits, input_splits
        name = "all_to_all_single"
        return self._fallback.run(name, _NOT_FOLDED, f"{name}()", output, input, *splits, opts=opts)

    def send(self, tensors: list[Tensor], rank: int, tag: int) -> dist._Work | None:
        """Gloo's send."""
        self._check_peer("destination", rank)
        return self._fallback.message("send", tensors, rank, tag)

    def recv(self, tensors: list[Tensor], rank: int, tag: int) -> dist._Work | None:
        """Gloo's receive."""
        self._check_peer("source", rank)
        return self._fallback.message("recv", tensors, rank, tag)

    def recv_anysource(self, tensors: list[Tensor], tag: int) -> dist._Work | None:
        """Gloo's receive from any rank."""
        return self._fallback.message("recv_anysource", tensors, tag)

    def monitored_barrier(
        self, opts: dist.BarrierOptions | timedelta = _GROUPS, wait_all_ranks: bool = False
    ) -> None:
        """Gloo's barrier that names the ranks that do not come. Takes a time-out, or options with
        one.
        """
        timeout = opts if isinstance(opts, timedelta) else opts.timeout
        self._fallback.monitored_barrier(
            self._timeout if timeout < timedelta(0) else timeout, wait_all_ranks
        )

    # Groups of some of the ranks

    def split(self, store: dist.Store, ranks: list[int], opts: Backend.Options) -> NetfoldBackend:
        """The backend of a group of `ranks` of this one, in that order, each of which calls this."""
        if self.rank() not in ranks:
            raise UnsupportedError(
                f"rank {self.rank()} is not among the ranks {ranks}, and a group of several backends is split by its "
                "members only; use torch.distributed.new_group"
            )
        among_all = [self.ranks[rank] for rank in ranks]
        rank = ranks.index(self.rank())
        return NetfoldBackend(Place(store, opts.group_name, rank, among_all, opts._timeout))

    # How calls are made

    def _kind(self, tensor: Tensor, reduce_op: Any) -> _Kind:
        """The kind of fold that a call of this job asks for; the same on every rank."""
        return _kind_of(self._arithmetic, operation_of(reduce_op), tensor.dtype)

    def _check_peer(self, role: str, rank: int) -> None:
        """Refuse a rank that the group does not have, before anything is submitted."""
        if not 0 <= rank < self.size():
            raise ValueError(
                f"the {role} must be a rank of the group, from 0 to {self.size() - 1}; got {rank}"
            )

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
            _check_type(part, mine)

    def _all_reduce_sparse(self, tensor: Tensor, opts: dist.AllreduceOptions) -> dist._Work:
        """A fold by key."""
        operation, kind = operation_of(opts.reduceOp), self._kind(tensor, opts.reduceOp)
        text = sparse.description(tensor, operation)
        if refusal := sparse.refusal(tensor, operation) or kind.refusal:
            return self._fallback.run("allreduce", refusal, text, [tensor], opts=opts)
        waits = not getattr(opts, "asyncOp", True)
        fold = sparse.Fold(tensor, kind.names, self._seconds(opts.timeout))
        return self._sparse.add(fold, lambda: self._announce(text, opts.timeout, waits), not waits)

    def _reduce_scatter(
        self, kind: _Kind, output: Tensor, parts: Sequence[Tensor], opts: dist.ReduceScatterOptions
    ) -> dist._Work | None:
        target = Loan([output], read=False, written=True)
        source = Loan(parts, read=True, written=False, apart_from=target)
        pointers = source.pointer, target.pointer
        call = Call("reduce_scatter", *kind.names, 0, target.elements, *pointers)
        return self._submit(call, [source, target], opts, [output])

    def _reduce_each(
        self, kind: _Kind, output: Tensor, parts: Sequence[Tensor], opts: dist.ReduceScatterOptions
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


_NOT_FOLDED = "nothing is folded in it"


class _Kind(NamedTuple):
    """A kind of fold, as far as operation and element type make it."""

    refusal: str | None
    """The reason why the switch cannot do it."""
    names: tuple[str, str]
    """Operation and element type by the native side's names, if the switch can."""


@functools.cache
def _kind_of(arithmetic: str, operation: Any, dtype: torch.dtype) -> _Kind:
    if operation not in OPERATIONS:
        return _Kind(f"operation {operation.name.lower()} is not one that a switch folds", ("", ""))
    if dtype not in ELEMENT_TYPES:
        return _Kind(f"element type {dtype} is not one that a switch folds", ("", ""))
    names = (OPERATIONS[operation], ELEMENT_TYPES[dtype])
    return _Kind(_native.refusal(arithmetic, *names), names)


def _all_reduce(kind: _Kind, tensor: Tensor) -> tuple[Call, Loan]:
    """An all-reduce in place, and the memory that it needs."""
    loan = Loan([tensor], read=True, written=True)
    pointers = loan.pointer, loan.pointer
    return Call("all_reduce", *kind.names, 0, loan.elements, *pointers), loan


def _fold(collective: str, opts: Any, *vectors: Tensor, root: int | None = None) -> str:
    """A call that folds, as errors show it."""
    element_type, elements = (
        str(vectors[0].dtype).removeprefix("torch."),
        sum(vector.numel() for vector in vectors),
    )
    at = "" if root is None else f", root {root}"
    return f"{collective}({operation_of(opts.reduceOp).name.lower()}, {element_type}, {elements} elements{at})"


def _check_type(tensor: Tensor, other: Tensor) -> None:
    if tensor.dtype != other.dtype:
        raise ValueError(
            f"input and output must have one element type; they have {tensor.dtype} and {other.dtype}"
        )


def create(options: Any, backend_options: object | None) -> NetfoldBackend | NetfoldGroup:
    """Make the backend of a new process group; called by torch with its
    `_DistributedBackendOptions`.
    """
    if backend_options is not None:
        raise UnsupportedError(
            "the backend netfold takes no pg_options; its settings are NETFOLD_* environment variables"
        )
    alone = is_alone()
    ranks = options.global_ranks_in_group or range(options.group_size)
    backend = NetfoldBackend(
        Place(options.store, options.group_id, options.group_rank, ranks, options.timeout)
    )
    return NetfoldGroup(options.process_group.get_group_store(), backend) if alone else backend
