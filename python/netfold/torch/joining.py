"""A job that a group joins at its first call, and the calls that wait for that.

A group that is never used takes nothing of the switch. The first call of a group begins to join, on
a thread of the group's own: each rank's caller goes on at once, so that ranks may begin with their
groups in any order, as long as they wait for no call before the others have made it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._native import NO_STATS
from ..errors import CallTimeoutError, NetfoldError

if TYPE_CHECKING:
    from .._native import Communicator


class LateCommunicator:
    """A communicator that joins its job by itself, at its first call; the part of one that torch's
    backend uses.

    A call that is made before the job is joined has a negative ticket, and goes to the job's
    communicator in its order.

    Args:
        join: joins the job; gives up, with an error, when what it is given says so.
        lost: returns the error of a rank that will not join any more, or None.
        joined: takes the communicator when the job is joined and the calls that have waited are
            made.
        name: the group's name, for messages and the thread.
    """

    def __init__(
        self,
        join: Callable[[Callable[[], bool]], Communicator],
        lost: Callable[[], NetfoldError | None],
        joined: Callable[[Communicator], None],
        name: str,
    ) -> None:
        self._join = join
        self._lost = lost
        self._joined = joined
        self._name = name
        self._changed = threading.Condition()
        self._native: Communicator | None = None
        self._failure: Exception | None = None
        self._closed = False
        self._thread: threading.Thread | None = None
        self._waiting: list[tuple[int, tuple[Any, ...], dict[str, Any]]] = []
        """Calls that were made before the join: their tickets and arguments."""
        self._tickets: dict[int, int] = {}
        """Tickets of the native communicator, by the tickets of calls that were made before the
        join.
        """
        self._own: dict[int, int] = {}
        """The inverse of `_tickets`, for calls whose completion has not been reported yet."""
        self._refused: dict[int, Exception] = {}
        """Errors of the calls that the native communicator has refused, by ticket."""
        self._ended: list[tuple[int, Exception | None]] = []
        """Calls that have ended without the native communicator, and have not been reported."""

    def submit(self, *arguments: Any, **options: Any) -> int:
        """Begin a call; the first one also begins to join. See the native `submit`.

        Raises:
            NetfoldError: the job could not be joined, or the group was destroyed.
        """
        if self._native is None:
            with self._changed:
                if self._failure is not None:
                    raise self._failure
                if self._native is None:
                    return self._keep(arguments, options)
        return self._native.submit(*arguments, **options)

    def attempt(self, begun: list[int | None], *arguments: Any, priority: str | None) -> None:
        """Begin a call, and complete it if that takes only a moment; see the native `attempt`."""
        if self._native is None:
            begun.append(self.submit(*arguments, waits=True, priority=priority))
        else:
            self._native.attempt(begun, *arguments, priority=priority)

    def wait(self, ticket: int, timeout: float | None = None) -> None:
        """Wait until a call is done; see the native `wait`.

        Raises:
            CallTimeoutError: it was not done in time, or the other ranks had not joined.
            NetfoldError: the call's error, or that of the join.
        """
        start = time.monotonic()
        if ticket < 0:
            with self._changed:
                known = self._changed.wait_for(lambda: self._native or self._failure, timeout)
                if (error := self._refused.get(ticket, self._failure)) is not None:
                    raise error
                if not known:
                    raise CallTimeoutError(
                        f"the first call of group {self._name} was not done within {timeout:g} s: not every rank has "
                        "made a call on this group. See whether every rank does, or raise the timeout of the group"
                    )
        assert self._native is not None
        left = None if timeout is None else max(timeout - (time.monotonic() - start), 0.0)
        self._native.wait(self._number(ticket), left)

    def watch(self, ticket: int) -> None:
        """Have `next_completion` report a call."""
        with self._changed:
            for waiting, _, options in self._waiting:
                if waiting == ticket:
                    options["waits"] = False
                    return
        if self._native is not None and (number := self._number(ticket)) >= 0:
            self._native.watch(number)

    def test(self, ticket: int) -> bool:
        """Return whether a call is done."""
        if ticket in self._refused or self._failure is not None:
            return True
        return self._native is not None and self._native.test(self._number(ticket))

    def next_completion(self, timeout: float) -> tuple[int, BaseException | None] | None:
        """The next call that is done, and its error; None after `timeout` seconds."""
        with self._changed:
            if self._native is None:
                self._changed.wait_for(
                    lambda: self._ended or self._native is not None or self._closed, timeout
                )
            if self._ended:
                return self._ended.pop(0)
        if self._native is None:
            return None
        completion = self._native.next_completion(timeout)
        if completion is None:
            return None
        ticket, error = completion
        return self._own.pop(ticket, ticket), error

    def forget(self, ticket: int) -> None:
        """Forget a ticket that nobody will ask for again."""
        if self._native is not None and (number := self._number(ticket)) >= 0:
            self._native.forget(number)
        self._tickets.pop(ticket, None)
        self._refused.pop(ticket, None)

    def stats(self) -> dict[str, Any]:
        """Counters since the join; before it all are zero, and there is no transport."""
        return NO_STATS | {"transport": None} if self._native is None else self._native.stats()

    def close(self) -> None:
        """Leave the job, or give up to join it."""
        with self._changed:
            self._closed = True
            self._fail(NetfoldError(f"the group {self._name} was destroyed"))
            native = self._native
        if native is not None:
            native.close()
        elif self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _number(self, ticket: int) -> int:
        """The communicator's ticket of a call; a negative one if it has none."""
        return self._tickets.get(ticket, ticket)

    def _keep(self, arguments: tuple[Any, ...], options: dict[str, Any]) -> int:
        ticket = -1 - len(self._waiting)
        self._waiting.append((ticket, arguments, options))
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name=f"netfold-join-{self._name}", daemon=True
            )
            self._thread.start()
        return ticket

    def _run(self) -> None:
        try:
            native = self._join(lambda: self._closed or self._lost() is not None)
        except Exception as error:
            with self._changed:
                self._fail(self._lost() or error)
            return
        with self._changed:
            if not self._closed:
                self._begin(native)
        if self._closed:
            native.close()

    def _begin(self, native: Communicator) -> None:
        """Make the calls that have waited, before any other is made."""
        for ticket, arguments, options in self._waiting:
            try:
                number = native.submit(*arguments, **options)
            except Exception as error:
                self._refused[ticket] = error
                self._ended.append((ticket, error))
                continue
            self._tickets[ticket] = number
            self._own[number] = ticket
        self._waiting.clear()
        self._native = native
        self._joined(native)
        self._changed.notify_all()

    def _fail(self, error: Exception) -> None:
        """Give an error to the calls that wait, and to every later one."""
        if self._native is None and self._failure is None:
            self._failure = error
            self._ended += [(ticket, error) for ticket, _, _ in self._waiting]
            self._waiting.clear()
            self._changed.notify_all()
