"""Calls whose lengths the ranks tell each other first (R-STREAM-12, R-STREAM-14).

Until the lengths are known, such a call could take no place in the streams of the group's job
without holding up the calls behind it. So a group has another job for unequal calls, and a thread
that carries out one after the other, in the order in which they were announced.
"""

from __future__ import annotations

import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from .._native import chosen_priority
from ..call import Call
from ..errors import CallTimeoutError, NetfoldError
from .announcement import AnnouncedWork, Turns
from .staging import Loan
from .work import OwnWork

if TYPE_CHECKING:
    from .joining import LateCommunicator
    from .work import NetfoldWork


class DifferentLengthsError(ValueError):
    """An error about the lengths that the ranks have told, which every rank raises."""


class UnequalCall(ABC):
    """A call whose lengths the ranks tell each other first.

    Args:
        name: the call as errors show it.
        tensors: the result: tensors on one device.
        timeout_s: seconds that the call may take.
    """

    def __init__(self, name: str, tensors: list[Tensor], timeout_s: float) -> None:
        self.name = name
        self.tensors = tensors
        self.timeout_s = timeout_s
        self.priority = chosen_priority()
        """That of the thread that makes the call."""

    @property
    def devices(self) -> list[torch.device]:
        """Devices of the tensors, main memory apart."""
        return list({tensor.device for tensor in self.tensors if tensor.is_cuda})

    @abstractmethod
    def carry_out(self, steps: Steps) -> None:
        """Make the call in `steps`, and put the result in place.

        Raises:
            DifferentLengthsError: the lengths do not go together. The group goes on.
        """


class Steps:
    """The calls of which an unequal call is made, in a job of their own.

    Args:
        native: communicator of the job.
        rank: this worker's rank in the group.
        size: number of ranks in the group.
        deadline: end of the call's time, by the monotonic clock.
        priority: the call's.
    """

    def __init__(
        self,
        native: LateCommunicator,
        rank: int,
        size: int,
        deadline: float,
        priority: str | None,
    ) -> None:
        self._native = native
        self.rank = rank
        self.size = size
        self._deadline = deadline
        self._priority = priority

    def tell(self, numbers: list[int]) -> Tensor:
        """Tell all ranks some numbers, as many as they tell; row r of the result has those of rank
        r.
        """
        told = torch.empty((self.size, len(numbers)), dtype=torch.int64)
        target = Loan([told], read=False, written=True)
        source = Loan([torch.tensor(numbers)], read=True, written=False)
        pointers = source.pointer, target.pointer
        self.run([Call("all_gather", "copy", "u8", 0, source.bytes, *pointers)], [source, target])
        return told

    def run(self, calls: list[Call], loans: list[Loan]) -> None:
        """Make calls at once, and wait until all are done."""
        options = {"waits": True, "priority": self._priority}
        tickets = [self._native.submit(*call, **options) for call in calls]
        for ticket in tickets:
            self._native.wait(ticket, max(self._deadline - time.monotonic(), 0.0))
            self._native.forget(ticket)
        for loan in loans:
            loan.finish()


class UnequalCalls:
    """The unequal calls of one group.

    Args:
        native: communicator of the group's job for unequal calls, which the first of them joins.
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
        self._begun: queue.SimpleQueue[UnequalWork | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._changed = threading.Condition()
        self._unfinished = 0
        """Calls that have been announced here and have not ended."""
        self._closed = False
        self._refusal: NetfoldError | None = None

    def add(
        self, call: UnequalCall, announce: Callable[[], NetfoldWork], watched: bool
    ) -> AnnouncedWork:
        """Announce a call, and carry it out when every rank has announced it.

        Args:
            call: the call.
            announce: makes the announcement.
            watched: the call begins although nobody may wait for it.

        Raises:
            NetfoldError: the group has failed, was destroyed, or belongs to another process.
        """
        if self._refusal is not None:
            raise self._refusal
        devices = call.devices
        for device in devices:
            # The tensors are read on another thread's stream.
            torch.cuda.current_stream(device).synchronize()
        work = UnequalWork(self, call)
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

    def _begin(self, work: UnequalWork) -> UnequalWork:
        with self._changed:
            if self._closed:
                raise NetfoldError("the process group was destroyed before this call was complete")
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, name="netfold-unequal", daemon=True
                )
                self._thread.start()
        self._begun.put(work)
        return work

    def _run(self) -> None:
        while (work := self._begun.get()) is not None:
            work.settle(self._outcome(work))
            self._count(-1)
            # Do not keep the tensors of the last call alive while waiting for the next.
            del work

    def _outcome(self, work: UnequalWork) -> Exception | None:
        """Carry out a call; the error that has ended it."""
        call = work.call
        deadline = time.monotonic() + call.timeout_s
        steps = Steps(self._native, self._rank, self._size, deadline, call.priority)
        with torch.inference_mode(work.inference), torch.no_grad():
            try:
                call.carry_out(steps)
            except NetfoldError as error:
                self.fail(error)
                return error
            except DifferentLengthsError as error:
                return error
            except Exception as error:
                # The other ranks are in the middle of the call.
                self.fail(NetfoldError(f"{call.name} ended with {error!r}"))
                return error
        return None


class UnequalWork(OwnWork):
    """An unequal call that every rank has announced.

    Args:
        calls: the group's unequal calls.
        call: the call.
    """

    def __init__(self, calls: UnequalCalls, call: UnequalCall) -> None:
        super().__init__()
        self.call = call
        self.inference = torch.is_inference_mode_enabled()
        self._result: list[Tensor] = call.tensors
        self._calls = calls
        self._ended = threading.Event()
        self._error: Exception | None = None
        self._trigger: torch.futures.Future[None] = torch.futures.Future(devices=[*call.devices])
        # C++ sees an error that is raised in a callback, not one that Python sets.
        self._future: torch.futures.Future[list[Tensor]] = self._trigger.then(self._outcome)

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
            error = CallTimeoutError(f"{self.call.name} was not done within {limit_s:g} s")
            self._calls.fail(error)
            raise error
        self._await_future()
        if self._error is not None:
            raise self._error
        return True

    def is_completed(self) -> bool:
        """True when the call is done, with its result in place or an error."""
        if ended := self._ended.is_set():
            self._await_future()
        return ended

    def get_future(self) -> torch.futures.Future[list[Tensor]]:
        """A future that holds the tensors, or raises the call's error."""
        return self._future

    def _outcome(self, _trigger: torch.futures.Future[None]) -> list[Tensor]:
        if self._error is not None:
            raise self._error
        return self._result


__all__ = ["DifferentLengthsError", "Steps", "UnequalCall", "UnequalCalls", "UnequalWork"]
