"""The backend itself: torch's collectives, each as calls of the native communicator.

Everything here runs on the caller's thread. `outstanding.py` does the waiting, before the call
returns if its caller would wait next. A call is one of four kinds: a fold by the switch, bytes
that the switch copies, a fold at the workers of bytes that it gathers (`worker_folds.py`), or one
that Gloo does faster (`fallback.py`).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor
from torch._C._distributed_c10d import AllgatherOptions, Backend

from ..call import Call
from ..errors import UnsupportedError
from .calls import Calls, Kind, check_type
from .exchange import AllToAll
from .group import NetfoldGroup, is_alone
from .names import operation_of
from .place import Place
from .staging import Loan
from .surface import hands_over
from .worker_folds import Operands, Part

_GROUPS = timedelta(milliseconds=-1)
"""torch's way to say: the group's own time-out."""


@hands_over
class NetfoldBackend(Calls):
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
            operands = Operands(tensors, tensor, [Part(None, tensor.numel())])
            return self._fold_at_workers(kind.refusal, text, operands, opts)
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
            operands = Operands(tensors, tensor, [Part(opts.rootRank, tensor.numel())])
            return self._fold_at_workers(kind.refusal, text, operands, opts)
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
            to_each = [Part(rank, part.numel()) for rank, part in enumerate(parts)]
            return self._fold_at_workers(kind.refusal, text, Operands(parts, output, to_each), opts)
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
        check_type(input, output)
        kind = self._kind(output, opts.reduceOp)
        if kind.refusal:
            text = _fold("reduce_scatter_single", opts, input)
            to_each = [Part(rank, output.numel()) for rank in range(self.size())]
            return self._fold_at_workers(
                kind.refusal, text, Operands([input], output, to_each), opts
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

    # Collectives in which ranks give and get parts of their own

    def gather(
        self, outputs: list[list[Tensor]], inputs: list[Tensor], opts: dist.GatherOptions
    ) -> dist._Work | None:
        """Put rank r's input into `outputs[0][r]` at the root. All have one size."""
        (input,), root = inputs, opts.rootRank
        self._check_peer("root", root)
        call = Call("gather", "copy", "u8", root, input.nbytes)
        if self.rank() != root:
            source = Loan([input], read=True, written=False)
            return self._submit(call._replace(input=source.pointer), [source], opts, [])
        (parts,) = outputs
        self._check_equal_parts(parts, input)
        target = Loan(parts, read=False, written=True)
        source = Loan([input], read=True, written=False, apart_from=target)
        call = call._replace(input=source.pointer, output=target.pointer)
        return self._submit(call, [source, target], opts, list(parts))

    def scatter(
        self, outputs: list[Tensor], inputs: list[list[Tensor]], opts: dist.ScatterOptions
    ) -> dist._Work | None:
        """Put `inputs[0][r]` of the root into rank r's output. All have one size."""
        (output,), root = outputs, opts.rootRank
        self._check_peer("root", root)
        target = Loan([output], read=False, written=True)
        call = Call("scatter", "copy", "u8", root, target.bytes, 0, target.pointer)
        if self.rank() != root:
            return self._submit(call, [target], opts, [output])
        (parts,) = inputs
        self._check_equal_parts(parts, output)
        source = Loan(parts, read=True, written=False, apart_from=target)
        return self._submit(call._replace(input=source.pointer), [source, target], opts, [output])

    def alltoall(
        self, outputs: list[Tensor], inputs: list[Tensor], opts: dist.AllToAllOptions
    ) -> dist._Work | None:
        """Send `inputs[r]` to rank r, and take what it sends into `outputs[r]`, whatever the
        sizes.
        """
        for tensors in (outputs, inputs):
            if len(tensors) != self.size():
                raise ValueError(
                    f"the list must have one tensor for each of the {self.size()} ranks; it has {len(tensors)}"
                )
            for tensor in tensors:
                check_type(tensor, outputs[0])
        if reason := self._exchanges_elsewhere():
            return self._fallback.exchange(reason, outputs, inputs, opts)
        exchange = AllToAll(outputs, inputs, self._seconds(opts.timeout))
        return self._add_unequal(exchange, "all_to_all()", opts)

    def all_to_all_single(
        self,
        output: Tensor,
        input: Tensor,
        output_splits: list[int],
        input_splits: list[int],
        opts: dist.AllToAllOptions,
    ) -> dist._Work | None:
        """Send part r of the input to rank r, and put what comes from rank r into part r of the
        output. Parts are splits along the first dimension, or of one size.
        """
        check_type(input, output)
        parts = None
        if output_splits or input_splits:
            parts = self._split(output, output_splits), self._split(input, input_splits)
        if parts is None and (input.nbytes != output.nbytes or input.numel() % self.size() != 0):
            raise ValueError(
                f"without splits, input and output must have as many elements for each of the {self.size()} "
                f"ranks; they have {input.numel()} and {output.numel()}"
            )
        if reason := self._exchanges_elsewhere():
            name, arguments = "all_to_all_single", (output, input, output_splits, input_splits)
            return self._fallback.run(name, reason, f"{name}()", *arguments, opts=opts)
        if parts is not None:
            exchange = AllToAll(*parts, self._seconds(opts.timeout))
            return self._add_unequal(exchange, "all_to_all_single(with splits)", opts)
        target = Loan([output], read=False, written=True)
        source = Loan([input], read=True, written=False, apart_from=target)
        pointers = source.pointer, target.pointer
        call = Call("all_to_all", "copy", "u8", 0, source.bytes // self.size(), *pointers)
        return self._submit(call, [source, target], opts, [output])

    alltoall_base = all_to_all_single

    # Messages between two ranks

    def send(self, tensors: list[Tensor], rank: int, tag: int) -> dist._Work | None:
        """Send a tensor to another rank."""
        (tensor,) = tensors
        self._check_tag(tag)
        return self._messages.send(tensor, rank, tag, self._timeout.total_seconds())

    def recv(self, tensors: list[Tensor], rank: int, tag: int) -> dist._Work | None:
        """Take the next message with this tag from another rank."""
        (tensor,) = tensors
        self._check_tag(tag)
        return self._messages.receive(tensor, rank, tag, self._timeout.total_seconds())

    def recv_anysource(self, tensors: list[Tensor], tag: int) -> dist._Work | None:
        """Take the next message with this tag from any other rank."""
        (tensor,) = tensors
        self._check_tag(tag)
        return self._messages.receive_any(tensor, tag, self._timeout.total_seconds())

    def monitored_barrier(
        self, opts: dist.BarrierOptions | timedelta = _GROUPS, wait_all_ranks: bool = False
    ) -> None:
        """Return when every rank has come; rank 0 names those that do not. Takes a time-out, or
        options with one.
        """
        timeout = opts if isinstance(opts, timedelta) else opts.timeout
        self._monitored.run(self._timeout if timeout < timedelta(0) else timeout, wait_all_ranks)

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


def _all_reduce(kind: Kind, tensor: Tensor) -> tuple[Call, Loan]:
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
