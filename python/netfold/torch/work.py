"""The objects that callers wait on, each for one call or for several.

`Work.wait` blocks in native code without the GIL, and drives the call itself if nobody else does. A
caller that waits never depends on when Python schedules the group's thread (`outstanding.py`).
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
import torch.distributed as dist

from ..call import Call
from ..errors import CallTimeoutError, NetfoldError
from .untraced import untraced

if TYPE_CHECKING:
    from .outstanding import Outstanding
    from .staging import Loan


class Submission(NamedTuple):
    """A call to submit, with what it needs until it is done."""

    call: Call
    loans: Sequence[Loan]
    """Memory in use; finished in order when the call has succeeded."""
    result: list[Any]
    """Value of the future."""
    timeout_s: float
    """Seconds that the call may take."""
    priority: str | None = None
    """`urgent`, `bulk`, or None for the one that the call's length gives it."""

    def __str__(self) -> str:
        """The call in words, for messages."""
        collective, operation = self.call.collective, self.call.operation
        if collective == "elsewhere":
            return operation
        name = collective if operation == "copy" else f"{collective} ({operation})"
        of = [
            f" of {loan.elements} elements of {str(loan.dtype).removeprefix('torch.')}"
            for loan in self.loans[:1]
        ]
        return "".join([name, *of])


def _future(loans: Sequence[Loan]) -> torch.futures.Future[list[Any]]:
    """A future that may hold the tensors that were lent."""
    devices = {loan.device for loan in loans if loan.device.type == "cuda"}
    return torch.futures.Future(devices=sorted(devices, key=str))


class OwnWork(dist._Work):
    """Queries that torch makes of a work, answered by `is_completed` and `wait` of its class.

    A caller that has seen the end of a call finds its future done, as with Gloo.
    """

    _result: list[Any]
    _future: torch.futures.Future[Any] | None = None

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in ("wait", "get_future", "is_completed", "result"):
            if name in vars(cls):
                untraced(vars(cls)[name])

    def is_success(self) -> bool:
        """True when the call is done without an error."""
        return self.is_completed() and self.exception() is None

    def exception(self) -> Exception | None:
        """The error of a call that is done; None if it has succeeded or is not done."""
        if self.is_completed():
            try:
                self.wait()
            except Exception as error:
                return error
        return None

    def result(self) -> list[Any]:
        """The output tensors of a call that is done, or its error."""
        if not self.is_completed():
            raise RuntimeError("the call is not done, and has no result yet; wait for it first")
        self.wait()
        return self._result

    def synchronize(self) -> None:
        """Block until the result is in place."""
        self.wait()

    def _await_future(self) -> None:
        """Block until the future of a call that has ended is done: another thread may have ended
        the call, and be about to finish the future.
        """
        if (future := self._future) is not None and not future.done():
            with contextlib.suppress(Exception):
                future.wait()


class NetfoldWork(OwnWork):
    """One call. It keeps the memory alive until the call is complete.

    Args:
        outstanding: the group's calls, to which this one has been added.
        ticket: the call's ticket at the native side.
        submission: the call. Its time-out begins now.
        watched: whether the group's thread hears of the call's end.
    """

    def __init__(
        self, outstanding: Outstanding, ticket: int, submission: Submission, *, watched: bool
    ) -> None:
        super().__init__()
        self._watched = watched
        self._outstanding = outstanding
        self._ticket = ticket
        self._submission = submission
        self._result = submission.result
        self._deadline = time.monotonic() + submission.timeout_s
        self._lock = threading.Lock()
        self._settled = False
        self._interrupted = False
        self._error: BaseException | None = None
        self._trigger: torch.futures.Future[list[Any]] | None = None

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until the result is in place; True, or the call's error.

        Args:
            timeout: how long to wait; zero or less means until the group's time-out.

        Raises:
            CallTimeoutError: the time is over. The group has failed with it: ranks that differ in
                what has happened cannot go on together.
            NetfoldError: whatever made the call fail.
            KeyboardInterrupt: Ctrl-C was pressed. The call goes on, and can be waited for again.
        """
        if not self._settled:
            asked = timeout.total_seconds()
            try:
                self._outstanding.wait(self._ticket, asked if asked > 0 else self._remaining_s())
                self.settle(None)
            except CallTimeoutError as error:
                # The native side has left the job and names the rank that it waited for.
                self.settle(error)
                self._outstanding.fail(error)
            except NetfoldError as error:
                self.settle(error)
            except BaseException:
                self.interrupt()
                raise
            self._outstanding.drop(self._ticket)
        self._await_future()
        if self._error is not None:
            raise self._error
        return True

    def is_completed(self) -> bool:
        """True when the call is done, with its result in place or an error."""
        if not self._settled and self._outstanding.native.test(self._ticket):
            with contextlib.suppress(NetfoldError, RuntimeError):
                self.wait()
        if self._settled:
            self._await_future()
        return self._settled

    def get_future(self) -> torch.futures.Future[list[Any]]:
        """A future that holds the output tensors, or raises the call's error."""
        with self._lock:
            if self._future is None:
                self._trigger = _future(self._submission.loans)
                # An exception set on a future from Python is invisible to C++; one raised inside
                # `then` is not.
                self._future = self._trigger.then(self._outcome)
            future = self._future
        if self._outstanding.is_own_thread():
            # Nobody else would finish the future, for which a callback of another may wait.
            with contextlib.suppress(NetfoldError, RuntimeError):
                self.wait()
        self._finish_alone()
        if self._settled:
            self._await_future()
        return future

    @property
    def is_awaited(self) -> bool:
        """True if the program wants to see the call's end: it is in progress, and no wait for it
        was interrupted.
        """
        return not self._settled and not self._interrupted

    def interrupt(self) -> None:
        """Have the call go on without its caller, whose wait was interrupted."""
        self._interrupted = True
        self._finish_alone()

    def settle(self, error: BaseException | None) -> None:
        """Record the end of the call: put the result in place, once, and finish the future."""
        with self._lock:
            if not self._settled:
                if error is None:
                    try:
                        for loan in self._submission.loans:
                            loan.finish()
                    except RuntimeError as failure:
                        error = failure
                self._error = error
                self._settled = True
        if isinstance(error, NetfoldError):
            self._outstanding.remember(error)
        self._fire()

    def expire_if_overdue(self) -> bool:
        """Fail the group if the call's time-out is over, even if nobody waits for it; returns True
        if it was.
        """
        if self._settled or self._remaining_s() > 0:
            return False
        error = CallTimeoutError(
            f"{self._submission} was not done within {self._submission.timeout_s:g} s, the group's timeout. "
            "See whether every rank makes this call, or raise the timeout of init_process_group"
        )
        self.settle(error)
        self._outstanding.fail(error)
        return True

    def _remaining_s(self) -> float:
        return max(self._deadline - time.monotonic(), 0.0)

    def _finish_alone(self) -> None:
        """Have the group's thread finish the call, or finish the future now if the call has ended."""
        with self._lock:
            settled = self._settled
            unwatched, self._watched = not self._watched, True
        if settled:
            self._fire()
        elif unwatched:
            self._outstanding.native.watch(self._ticket)

    def _fire(self) -> None:
        """Finish the future once; its callbacks run here, outside the lock."""
        with self._lock:
            trigger, self._trigger = self._trigger, None
        if trigger is not None:
            trigger.set_result(self._result)

    def _outcome(self, trigger: torch.futures.Future[list[Any]]) -> list[Any]:
        if self._error is not None:
            raise self._error
        return trigger.value()

    def __del__(self) -> None:
        self._outstanding.native.forget(self._ticket)


class DoneWork(OwnWork):
    """A call that has ended well before its caller got the work."""

    def __init__(self, result: list[Any], loans: Sequence[Loan]) -> None:
        super().__init__()
        self._result = result
        self._loans = loans

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Return True at once."""
        del timeout
        return True

    def is_completed(self) -> bool:
        """Return True."""
        return True

    def get_future(self) -> torch.futures.Future[list[Any]]:
        """A future that holds the output tensors."""
        future = _future(self._loans)
        future.set_result(self._result)
        return future


class JointWork(OwnWork):
    """Several calls that the caller sees as one."""

    def __init__(self, works: Sequence[dist._Work], result: list[Any]) -> None:
        super().__init__()
        self._works = works
        self._result = result

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until all calls are complete; see :meth:`NetfoldWork.wait`."""
        for work in self._works:
            work.wait(timeout)
        return True

    def is_completed(self) -> bool:
        """True when all calls are done."""
        return all(work.is_completed() for work in self._works)

    def get_future(self) -> torch.futures.Future[list[Any]]:
        """A future that holds the output tensors, or raises the first error."""
        futures = torch.futures.collect_all([work.get_future() for work in self._works])

        def outcome(all_done: torch.futures.Future[list[torch.futures.Future[Any]]]) -> list[Any]:
            for future in all_done.value():
                future.wait()
            return self._result

        return futures.then(outcome)


def after(work: dist._Work, finish: Callable[[], None], result: list[Any]) -> dist._Work:
    """A work that runs `finish` once when `work` has succeeded, before anybody sees its end."""
    return _FinishedWork(work, finish, result)


class _FinishedWork(OwnWork):
    def __init__(self, inner: dist._Work, finish: Callable[[], None], result: list[Any]) -> None:
        super().__init__()
        self._inner = inner
        self._finish: Callable[[], None] | None = finish
        self._result = result
        self._lock = threading.Lock()

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        done = self._inner.wait(timeout) if timeout.total_seconds() > 0 else self._inner.wait()
        self._finish_once()
        return done

    def get_future(self) -> torch.futures.Future[list[Any]]:
        def outcome(inner: torch.futures.Future[Any]) -> list[Any]:
            inner.value()
            self._finish_once()
            return self._result

        return self._inner.get_future().then(outcome)

    def is_completed(self) -> bool:
        """True when the call is done; its result is in place then."""
        if not self._inner.is_completed():
            return False
        self._finish_once()
        return True

    def _source_rank(self) -> int:
        return self._inner._source_rank()

    def _finish_once(self) -> None:
        with self._lock:
            finish, self._finish = self._finish, None
            if finish is not None:
                finish()


__all__ = ["DoneWork", "JointWork", "NetfoldWork", "OwnWork", "Submission", "after"]
