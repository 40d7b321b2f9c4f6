"""The calls of a group that have not ended, and the thread that finishes those on which nobody
waits.

Futures are finished by one thread per group, which blocks in `next_completion`. A synchronous call,
whose caller waits next, wakes no thread, and has no work of its own until it has ended.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from ..errors import CallTimeoutError, NetfoldError
from .work import NetfoldWork, Submission

if TYPE_CHECKING:
    from .._native import Communicator, DirectCalls
    from .joining import LateCommunicator
    from .staging import Loan

POLL_S = 0.25
"""Interval at which the thread looks for calls that have timed out, in seconds."""


class Outstanding:
    """The calls of one group that have not ended, and the thread that finishes them.

    Args:
        native: the group's communicator.
        direct: the calls that reach it without Python.
        name: name of the group's thread.
    """

    def __init__(
        self, native: Communicator | LateCommunicator, direct: DirectCalls, name: str
    ) -> None:
        self.native = native
        self._direct = direct
        self._lock = threading.Lock()
        self._works: dict[int, NetfoldWork] = {}
        self._failure: NetfoldError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._run, name=f"netfold-{name}", daemon=True)
        self._thread.start()

    def add(self, submission: Submission, *, waits: bool) -> NetfoldWork:
        """Submit a call and keep track of it. `waits` is that of the native `submit`.

        Raises:
            UnsupportedError: the job's arithmetic cannot do it; nothing was submitted.
            NetfoldError: the group has failed or was destroyed.
        """
        # Under the lock, so that a completion never arrives before its call is known.
        with self._lock:
            try:
                ticket = self._submit(submission, waits)
                return self._track(ticket, NetfoldWork(self, ticket, submission, watched=not waits))
            except KeyboardInterrupt:
                self._abandon(submission)
                raise

    def run(self, submission: Submission) -> None:
        """Make a call and wait until its result is in place.

        Raises:
            UnsupportedError: the job's arithmetic cannot do it; nothing was submitted.
            CallTimeoutError: the time is over, and the group has failed with it.
            NetfoldError: the group has failed or was destroyed, or whatever made the call fail.
            KeyboardInterrupt: Ctrl-C was pressed. The call goes on.
        """
        begun: list[int | None] = []
        self._direct.enter()
        try:
            self.go_on(begun, submission)
        finally:
            self._direct.leave()

    def go_on(
        self,
        begun: list[int | None],
        submission: Submission,
        interrupt: BaseException | None = None,
    ) -> None:
        """Wait until the result of a call is in place; see :meth:`run`.

        Args:
            begun: what the native `attempt` has left, or will leave: it is made here if the list is
                empty. Empty when this raises if the call, and its memory, are known here.
            submission: the call.
            interrupt: exception by which the caller's wait was interrupted before this began.
        """
        try:
            if self._failure is not None and not begun:
                raise self._failure
            if interrupt is not None:
                raise interrupt
            if not begun:
                self.native.attempt(begun, *submission.call, priority=submission.priority)
            if begun[0] is not None:
                self.wait(begun[0], submission.timeout_s)
        except (NetfoldError, ValueError) as error:
            # A call that cannot be is refused before it has begun.
            if not begun or not isinstance(error, NetfoldError):
                raise
            first = self.remember(error)
            if isinstance(error, CallTimeoutError):
                # The native side has left the job and names the rank that it waited for.
                self.fail(error)
            raise first from None
        except BaseException:
            with self._lock:
                if not begun:
                    self._abandon(submission)
                    raise
                ticket = begun[0]
                if ticket is not None:
                    work = NetfoldWork(self, ticket, submission, watched=False)
                    self._track(ticket, work)
                begun.clear()
            if ticket is not None:
                work.interrupt()
            else:
                # The call is done.
                _finish(submission.loans)
            raise
        finally:
            if begun and begun[0] is not None:
                self.native.forget(begun[0])
        _finish(submission.loans)

    def wait(self, ticket: int, timeout_s: float) -> None:
        """Block until a call has ended; raises its error. A call interrupted here goes on."""
        self.native.wait(ticket, timeout_s)

    def _submit(self, submission: Submission, waits: bool) -> int:
        if self._failure is not None:
            raise self._failure
        return self.native.submit(*submission.call, waits=waits, priority=submission.priority)

    def _abandon(self, submission: Submission) -> None:
        """End the group: a call may have begun, and its memory may be freed as soon as the caller's
        frame is gone.
        """
        error = NetfoldError(
            f"{submission} was interrupted before it had begun; make the group anew"
        )
        self._take_no_more(error)
        self.native.close()

    def _track(self, ticket: int, work: NetfoldWork) -> NetfoldWork:
        self._works[ticket] = work
        return work

    def drop(self, ticket: int) -> None:
        """Forget a call that has ended and been waited for."""
        with self._lock:
            self._works.pop(ticket, None)

    @property
    def failure(self) -> NetfoldError | None:
        """Error for which the group takes no more calls; None while it takes them."""
        return self._failure

    def remember(self, error: NetfoldError) -> NetfoldError:
        """Give every later call the first error that has ended one; returns it."""
        with self._lock:
            if self._failure is None:
                self._take_no_more(error)
            return self._failure or error

    def _take_no_more(self, error: NetfoldError) -> None:
        """Give `error` to every later call."""
        self._direct.refuse()
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
        """Give `error` to every call from now on, in a fork of this process, which has no thread
        but the caller's.
        """
        self._lock = threading.Lock()
        self._take_no_more(error)

    def is_own_thread(self) -> bool:
        """True in the thread that finishes futures: a callback runs."""
        return threading.current_thread() is self._thread

    def drain(self, limit_s: float) -> bool:
        """Wait at most `limit_s` seconds until every call has ended, and return whether all have,
        without an error.

        What the program has stopped waiting for is not waited for here.
        """
        deadline = time.monotonic() + limit_s
        if not self._direct.wait_until_idle(limit_s):
            return False
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
                if self._failure is not None and not self._works:
                    # No call comes any more, and a closed communicator makes nobody wait.
                    return
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


def _finish(loans: Sequence[Loan]) -> None:
    """Bring the result of a call to where its caller expects it."""
    for loan in loans:
        loan.finish()
