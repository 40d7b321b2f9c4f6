"""Outstanding calls: the objects that callers wait on, and the thread that finishes those on which nobody waits.

`Work.wait` blocks in native code without the GIL, and drives the call itself if nobody else does. Futures are finished
by one thread per group, which blocks in `next_completion`; so a caller that waits never depends on when Python
schedules that thread. A synchronous call, whose caller waits next, wakes no thread at all unless its future is asked
for.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist

from ..errors import CallTimeoutError, NetfoldError

if TYPE_CHECKING:
    from .._native import Communicator
    from .joining import LateCommunicator
    from .staging import Loan

POLL_S = 0.25
"""How often the thread looks for calls whose time is over, in seconds."""


Arguments = tuple[str, str, str, int, int, int, int]
"""Collective, operation, element type, root, elements, and the addresses of input and output."""


def _words(arguments: Arguments, loans: Sequence[Loan]) -> str:
    """A call in words, for messages."""
    collective, operation, *_ = arguments
    call = collective if operation == "copy" else f"{collective} ({operation})"
    of = [f" of {loan.elements} elements of {str(loan.dtype).removeprefix('torch.')}" for loan in loans[:1]]
    return "".join([call, *of])


class OwnWork(dist._Work):
    """What torch may ask a work, answered by `is_completed` and `wait` of its class."""

    _result: list[Any]

    def is_success(self) -> bool:
        """True when the call is done without an error."""
        return self.is_completed() and self.exception() is None

    def exception(self) -> Exception | None:
        """The error of a call that is done; None if it has none, or is not done."""
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


class NetfoldWork(OwnWork):
    """One call. It keeps the memory alive until the call is complete.

    Args:
        outstanding: the group's calls, to which this one has been added.
        ticket: the call's ticket at the native side.
        loans: memory in use; finished in order when the call has succeeded.
        result: what the future holds.
        timeout_s: how long the call may take from now on.
        arguments: those of the native `submit`, for messages.
        watched: whether the group's thread hears of the call's end.
    """

    def __init__(
        self,
        outstanding: Outstanding,
        ticket: int,
        loans: Sequence[Loan],
        result: list[Any],
        timeout_s: float,
        arguments: Arguments,
        watched: bool,
    ) -> None:
        super().__init__()
        self._watched = watched
        self._outstanding = outstanding
        self._ticket = ticket
        self._loans = loans
        self._result = result
        self._deadline = time.monotonic() + timeout_s
        self._timeout_s = timeout_s
        self._arguments = arguments
        self._lock = threading.Lock()
        self._settled = False
        self._interrupted = False
        self._error: BaseException | None = None
        self._future: torch.futures.Future | None = None
        self._trigger: torch.futures.Future | None = None

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until the result is in place; True, or the call's error.

        Args:
            timeout: how long to wait; zero or less means until the group's time-out.

        Raises:
            CallTimeoutError: the time is over. The group has failed with it: ranks that differ in what has happened
                cannot go on together.
            NetfoldError: whatever made the call fail.
            KeyboardInterrupt: Ctrl-C was pressed. The call goes on, and can be waited for again.
        """
        if not self._settled:
            asked = timeout.total_seconds()
            try:
                self._outstanding.native.wait(self._ticket, asked if asked > 0 else self._remaining_s())
                self.settle(None)
            except CallTimeoutError as error:
                # The native side has left the job and names the rank that it waited for.
                self.settle(error)
                self._outstanding.fail(error)
            except NetfoldError as error:
                self.settle(error)
            except BaseException:
                self._interrupted = True
                self._finish_alone()
                raise
            self._outstanding.drop(self._ticket)
        if self._error is not None:
            raise self._error
        return True

    def is_completed(self) -> bool:
        """True when the call is done, with its result in place or an error."""
        if not self._settled and self._outstanding.native.test(self._ticket):
            with contextlib.suppress(NetfoldError, RuntimeError):
                self.wait()
        return self._settled

    def get_future(self) -> torch.futures.Future:
        """A future that holds the output tensors, or raises the call's error."""
        with self._lock:
            if self._future is None:
                devices = {loan.device for loan in self._loans if loan.device.type == "cuda"}
                self._trigger = torch.futures.Future(devices=sorted(devices, key=str))
                # An exception set on a future from Python is invisible to C++; one raised inside `then` is not.
                self._future = self._trigger.then(self._outcome)
            future = self._future
        self._finish_alone()
        return future

    @property
    def is_awaited(self) -> bool:
        """Whether the program wants to see the call's end: it is in progress, and no wait for it was interrupted."""
        return not self._settled and not self._interrupted

    def settle(self, error: BaseException | None) -> None:
        """The call has ended: put the result in place, once, and finish the future."""
        with self._lock:
            if not self._settled:
                if error is None:
                    try:
                        for loan in self._loans:
                            loan.finish()
                    except RuntimeError as failure:
                        error = failure
                self._error = error
                self._settled = True
        if isinstance(error, NetfoldError):
            self._outstanding.remember(error)
        self._fire()

    def expire_if_overdue(self) -> bool:
        """Fail the group if its time-out is over for this call, on which nobody may be waiting; whether it was."""
        if self._settled or self._remaining_s() > 0:
            return False
        error = CallTimeoutError(
            f"{_words(self._arguments, self._loans)} was not done within {self._timeout_s:g} s, the group's timeout. "
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

    def _outcome(self, trigger: torch.futures.Future) -> list[Any]:
        if self._error is not None:
            raise self._error
        return trigger.value()

    def __del__(self) -> None:
        self._outstanding.native.forget(self._ticket)


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

    def get_future(self) -> torch.futures.Future:
        """A future that holds the output tensors, or raises the first error."""
        futures = torch.futures.collect_all([work.get_future() for work in self._works])

        def outcome(all_done: torch.futures.Future) -> list[Any]:
            for future in all_done.value():
                future.wait()
            return self._result

        return futures.then(outcome)


class Outstanding:
    """The calls of one group that have not ended, and the thread that finishes them."""

    def __init__(self, native: Communicator | LateCommunicator, name: str) -> None:
        self.native = native
        self._lock = threading.Lock()
        self._works: dict[int, NetfoldWork] = {}
        self._failure: NetfoldError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"netfold-{name}", daemon=True)
        self._thread.start()

    def add(
        self,
        arguments: Arguments,
        loans: Sequence[Loan],
        result: list[Any],
        timeout_s: float,
        waits: bool,
        priority: str | None,
    ) -> NetfoldWork:
        """Submit a call and keep track of it. `arguments`, `waits` and `priority` are those of the native `submit`.

        Raises:
            UnsupportedError: the job's arithmetic cannot do it; nothing was submitted.
            NetfoldError: the group has failed or was destroyed.
        """
        # Under the lock, so that a completion never arrives before its call is known.
        with self._lock:
            if self._failure is not None:
                raise self._failure
            try:
                ticket = self.native.submit(*arguments, waits=waits, priority=priority)
                work = self._works[ticket] = NetfoldWork(
                    self, ticket, loans, result, timeout_s, arguments, watched=not waits
                )
            except KeyboardInterrupt:
                # The call may have begun, and its memory may be freed as soon as this frame is gone.
                self._failure = NetfoldError(
                    f"{_words(arguments, loans)} was interrupted before it had begun; make the group anew"
                )
                self.native.close()
                raise
        return work

    def drop(self, ticket: int) -> None:
        """Forget a call that has ended and been waited for."""
        with self._lock:
            self._works.pop(ticket, None)

    @property
    def failure(self) -> NetfoldError | None:
        """Why the group takes no more calls, if it does not."""
        return self._failure

    def remember(self, error: NetfoldError) -> None:
        """Give every later call this error, the first that ended one."""
        with self._lock:
            if self._failure is None:
                self._failure = error

    def fail(self, error: NetfoldError) -> None:
        """Leave the job and give `error` to every outstanding and every later call."""
        self.remember(error)
        self.native.close()
        # The native side has let go of the memory, so the works may be dropped.
        with self._lock:
            works = list(self._works.values())
            self._works.clear()
        for work in works:
            work.settle(error)

    def refuse(self, error: NetfoldError) -> None:
        """Give `error` to every call from now on, in a fork of this process, which has no thread but the caller's."""
        self._lock = threading.Lock()
        self._failure = error

    def drain(self, limit_s: float) -> bool:
        """Wait at most `limit_s` seconds until every call has ended, and return whether all have, without an error.

        What the program has stopped waiting for is not waited for here.
        """
        deadline = time.monotonic() + limit_s
        while (work := self._oldest()) is not None:
            left_s = deadline - time.monotonic()
            if left_s <= 0 or not work.is_awaited:
                return False
            try:
                work.wait(timedelta(seconds=left_s))
            except NetfoldError:
                return False
        return self._failure is None

    def close(self, reason: str) -> None:
        """End the thread and the membership; calls that are still outstanding fail with `reason`."""
        self._closed = True
        self.fail(NetfoldError(reason))
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def _oldest(self) -> NetfoldWork | None:
        with self._lock:
            return next((work for work in self._works.values() if not work._settled), None)

    def _run(self) -> None:
        while not self._closed:
            completion = self.native.next_completion(POLL_S)
            if completion is None:
                self._expire_overdue()
                continue
            ticket, error = completion
            with self._lock:
                work = self._works.pop(ticket, None)
            if work is not None:
                work.settle(error)
            # Do not keep the memory of the last call alive while waiting for the next.
            del work, completion, error

    def _expire_overdue(self) -> None:
        with self._lock:
            works = list(self._works.values())
        any(work.expire_if_overdue() for work in works)


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

    def get_future(self) -> torch.futures.Future:
        def outcome(inner: torch.futures.Future) -> list[Any]:
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


__all__ = ["JointWork", "NetfoldWork", "Outstanding", "after"]
