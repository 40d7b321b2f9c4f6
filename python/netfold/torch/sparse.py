"""All-reduces of sparse tensors, which the switch folds by key (R-STREAM-12).

The length of the fold follows from the keys of all ranks. Until they are known, a sparse call could
take no place in the streams of the group's job without holding up the calls behind it. So a group
has another job for sparse calls, and a thread that carries out one after the other, in the order in
which they were announced.
"""

from __future__ import annotations

import math
import queue
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
import torch.distributed as dist
from torch import Tensor

from ..call import Call
from ..errors import CallTimeoutError, NetfoldError
from .announcement import AnnouncedWork, Turns
from .staging import Loan
from .work import OwnWork

if TYPE_CHECKING:
    from .joining import LateCommunicator
    from .work import NetfoldWork

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


class Fold(NamedTuple):
    """An all-reduce of a sparse tensor, as its caller has made it."""

    tensor: Tensor
    """The tensor, of layout COO; replaced by the sum."""
    names: tuple[str, str]
    """Operation and element type by the native side's names."""
    timeout_s: float
    """Seconds that the call may take."""


class SparseFolds:
    """The all-reduces of sparse tensors of one group.

    Args:
        native: communicator of the group's job for sparse calls, which the first of them joins.
        rank: this worker's rank in the group.
        size: number of ranks in the group.
        fail: ends the group with an error.
    """

    def __init__(
        self,
        native: LateCommunicator,
        rank: int,
        size: int,
        fail: Callable[[NetfoldError], None],
    ) -> None:
        self._native = native
        self._rank = rank
        self._size = size
        self._fail = fail
        self._turns = Turns()
        self._begun: queue.SimpleQueue[SparseWork | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._unfinished = 0
        """Calls that have been announced here and have not ended."""
        self._closed = False
        self._refusal: NetfoldError | None = None

    def add(self, fold: Fold, announce: Callable[[], NetfoldWork], watched: bool) -> AnnouncedWork:
        """Announce a call, and carry it out when every rank has announced it.

        Args:
            fold: the call.
            announce: makes the announcement.
            watched: the call begins although nobody may wait for it.

        Raises:
            NetfoldError: the group has failed, was destroyed, or belongs to another process.
        """
        if self._refusal is not None:
            raise self._refusal
        devices = [fold.tensor.device] if fold.tensor.is_cuda else []
        for device in devices:
            # The tensor is read on another thread's stream.
            torch.cuda.current_stream(device).synchronize()
        work = SparseWork(self, fold)
        self._count(1)
        try:
            return self._turns.add(announce, lambda: self._begin(work), devices, watched)
        except BaseException:
            self._count(-1)
            raise

    def drain(self, limit_s: float) -> bool:
        """Wait at most `limit_s` seconds until every call has ended; return whether all have."""
        with self._changed:
            return self._changed.wait_for(lambda: self._unfinished == 0, limit_s)

    def refuse(self, error: NetfoldError) -> None:
        """Give `error` to every call from now on, in a fork of this process: another thread of the
        parent may have held the lock.
        """
        self._refusal = error

    def fail(self, error: NetfoldError) -> None:
        """End the group, and this job with it. Native code no longer uses memory of calls when this
        returns.
        """
        self._fail(error)
        self._native.close()

    def close(self) -> None:
        """Leave the job, and end the thread; calls that are under way fail."""
        self._native.close()
        with self._changed:
            self._closed = True
        self._begun.put(None)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _count(self, more: int) -> None:
        with self._changed:
            self._unfinished += more
            self._changed.notify_all()

    def _begin(self, work: SparseWork) -> SparseWork:
        with self._changed:
            if self._closed:
                raise NetfoldError("the process group was destroyed before this call was complete")
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="netfold-sparse", daemon=True
                )
                self._thread.start()
        self._begun.put(work)
        return work

    def _run(self) -> None:
        while (work := self._begun.get()) is not None:
            work.settle(self._outcome(work))
            self._count(-1)
            # Do not keep the tensor of the last call alive while waiting for the next.
            del work

    def _outcome(self, work: SparseWork) -> Exception | None:
        """Carry out a call; the error that has ended it."""
        with torch.inference_mode(work.inference), torch.no_grad():
            try:
                self._carry_out(work.fold)
            except NetfoldError as error:
                self.fail(error)
                return error
            except Exception as error:
                # The other ranks are in the middle of the call.
                self.fail(NetfoldError(f"an all-reduce of a sparse tensor ended with {error!r}"))
                return error
        return None

    def _carry_out(self, fold: Fold) -> None:
        deadline = time.monotonic() + fold.timeout_s
        tensor = fold.tensor.detach().coalesce()
        own = _keys_of(tensor)
        counts = self._gather_counts(own.numel(), deadline)
        everyone = self._gather_keys(own, counts, deadline)
        union = _union(everyone, math.prod(tensor.shape[: tensor.sparse_dim()]))
        values = tensor.values()
        rows = torch.zeros((union.numel(), *values.shape[1:]), dtype=values.dtype)
        rows[torch.searchsorted(union, own)] = values.cpu()
        if rows.numel() > 0:
            loan = Loan([rows], read=True, written=True)
            pointers = loan.pointer, loan.pointer
            self._call(
                [Call("all_reduce", *fold.names, 0, loan.elements, *pointers)], [loan], deadline
            )
        positions = torch.unravel_index(union.long(), tensor.shape[: tensor.sparse_dim()])
        summed = torch.sparse_coo_tensor(
            torch.stack(positions), rows, tensor.shape, is_coalesced=True, check_invariants=False
        )
        fold.tensor.copy_(summed.to(tensor.device))
        if tensor.is_cuda:
            torch.cuda.current_stream(tensor.device).synchronize()

    def _gather_counts(self, count: int, deadline: float) -> list[int]:
        """The number of keys of each rank."""
        counts = torch.empty(self._size, dtype=torch.int64)
        target = Loan([counts], read=False, written=True)
        source = Loan([torch.tensor([count])], read=True, written=False)
        pointers = source.pointer, target.pointer
        call = Call("all_gather", "copy", "u8", 0, source.bytes, *pointers)
        self._call([call], [source, target], deadline)
        return [int(count) for count in counts]

    def _gather_keys(self, own: Tensor, counts: list[int], deadline: float) -> Tensor:
        """The keys of all ranks, those of one after those of the other."""
        everyone = torch.empty(sum(counts), dtype=own.dtype)
        parts = list(torch.split(everyone, counts))
        parts[self._rank].copy_(own)
        loans = [Loan([part], read=True, written=True) for part in parts]
        calls = [
            Call("broadcast", "copy", "u8", root, loan.bytes, loan.pointer, loan.pointer)
            for root, loan in enumerate(loans)
            if loan.bytes > 0
        ]
        self._call(calls, loans, deadline)
        return everyone

    def _call(self, calls: list[Call], loans: list[Loan], deadline: float) -> None:
        """Make calls at once, and wait until all are done."""
        tickets = [self._native.submit(*call, waits=True, priority=None) for call in calls]
        for ticket in tickets:
            self._native.wait(ticket, max(deadline - time.monotonic(), 0.0))
            self._native.forget(ticket)
        for loan in loans:
            loan.finish()


class SparseWork(OwnWork):
    """An all-reduce of a sparse tensor that every rank has announced.

    Args:
        folds: the group's sparse calls.
        fold: the call.
    """

    def __init__(self, folds: SparseFolds, fold: Fold) -> None:
        super().__init__()
        self.fold = fold
        self.inference = torch.is_inference_mode_enabled()
        self._result: list[Tensor] = [fold.tensor]
        self._folds = folds
        self._ended = threading.Event()
        self._error: Exception | None = None
        devices = [fold.tensor.device] if fold.tensor.is_cuda else []
        self._trigger: torch.futures.Future[None] = torch.futures.Future(devices=[*devices])
        # C++ sees an error that is raised in a callback, not one that Python sets.
        self._future = self._trigger.then(self._outcome)

    def settle(self, error: Exception | None) -> None:
        """End the call, with an error or with its result in place."""
        self._error = error
        self._ended.set()
        self._trigger.set_result(None)

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until the result is in place; True, or the call's error. See
        :meth:`NetfoldWork.wait`.
        """
        limit_s = timeout.total_seconds()
        if not self._ended.wait(limit_s if limit_s > 0 else None):
            error = CallTimeoutError(f"all_reduce (sparse) was not done within {limit_s:g} s")
            self._folds.fail(error)
            raise error
        if self._error is not None:
            raise self._error
        return True

    def is_completed(self) -> bool:
        """True when the call is done, with its result in place or an error."""
        return self._ended.is_set()

    def get_future(self) -> torch.futures.Future[list[Tensor]]:
        """A future that holds the tensor, or raises the call's error."""
        return self._future

    def _outcome(self, _trigger: torch.futures.Future[None]) -> list[Tensor]:
        if self._error is not None:
            raise self._error
        return self._result


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


__all__ = ["Fold", "SparseFolds", "SparseWork", "description", "refusal"]
