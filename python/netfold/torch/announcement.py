"""Calls of Gloo in their places among the group's own (R-STREAM-11).

A call that the switch does not do is announced first, as a call without lanes. Gloo begins when
every rank has announced the same, so a rank that calls anything else at that place is found as for
any two calls, and Gloo never waits for it.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist
from torch import Tensor

from .work import OwnWork

if TYPE_CHECKING:
    from .work import NetfoldWork

Begin = Callable[[], dist._Work]
"""Has Gloo begin a call."""


class Turns:
    """The announced calls of a group that Gloo has not begun. It takes them in their order, the
    same at every rank.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[AnnouncedWork] = deque()

    def add(
        self,
        announce: Callable[[], NetfoldWork],
        begin: Begin,
        devices: Sequence[torch.device],
        watched: bool,
    ) -> AnnouncedWork:
        """Announce a call, and have Gloo begin it in its turn.

        Args:
            announce: makes the announcement.
            begin: has Gloo begin the call.
            devices: those of the call's tensors, main memory apart.
            watched: the call begins although nobody may wait for it.
        """
        with self._lock:
            work = AnnouncedWork(self, announce(), begin, devices)
            self._waiting.append(work)
        if watched:
            work.go_on_alone()
        return work

    def advance(self) -> None:
        """Begin the calls at the front that every rank has announced, and give those that have
        failed their error.
        """
        # To ask may run callbacks, which advance, too.
        while (work := self._first()) is not None and work.announced.is_completed():
            with self._lock:
                if self._waiting and self._waiting[0] is work:
                    self._waiting.popleft().begin()
            work.follow()

    def wait(self, timeout: timedelta) -> None:
        """Block until the call that is next is announced, and begin it.

        Raises:
            NetfoldError: as :meth:`NetfoldWork.wait`, with the same `timeout`.
        """
        if (first := self._first()) is not None:
            first.announced.wait(timeout)
            self.advance()

    def is_over(self) -> bool:
        """True when Gloo has begun all calls."""
        return not self._waiting

    def _first(self) -> AnnouncedWork | None:
        with self._lock:
            return self._waiting[0] if self._waiting else None


class AnnouncedWork(OwnWork):
    """A call that Gloo carries out when it has been announced by all ranks.

    Args:
        turns: the group's announced calls.
        announced: the announcement.
        begin: has Gloo begin the call.
        devices: those of the call's tensors, main memory apart.
    """

    def __init__(
        self, turns: Turns, announced: NetfoldWork, begin: Begin, devices: Sequence[torch.device]
    ) -> None:
        super().__init__()
        self.announced = announced
        self._turns = turns
        self._begin: Begin | None = begin
        self._devices = devices
        self._inner: dist._Work | None = None
        self._error: Exception | None = None
        self._begun = False
        self._lock = threading.Lock()
        self._trigger: torch.futures.Future[None] | None = None
        self._done: torch.futures.Future[list[Any]] | None = None

    def begin(self) -> None:
        """Have Gloo begin, unless the announcement has failed. :meth:`Turns.advance` calls it,
        once.
        """
        begin, self._begin = self._begin, None
        assert begin is not None
        try:
            self.announced.wait()
            self._inner = begin()
        except Exception as error:
            self._error = error
        self._begun = True

    def follow(self) -> None:
        """Finish the future, if there is one, with the call that has begun."""
        with self._lock:
            trigger = self._trigger if self._begun else None
            if trigger is not None:
                self._trigger = None
        if trigger is None:
            return
        if self._inner is None:
            trigger.set_result(None)
            return

        def done(inner: torch.futures.Future[list[Any]]) -> None:
            self._done = inner
            trigger.set_result(None)

        self._inner.get_future().add_done_callback(done)

    def go_on_alone(self) -> None:
        """Have the call begin in its turn, whether or not anybody waits for it."""
        self.announced.get_future().add_done_callback(lambda _: self._turns.advance())

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until the result is in place; True, or the call's error. See
        :meth:`NetfoldWork.wait`.
        """
        try:
            while not self._begun:
                # Gloo does not begin a call before those that were made before it.
                self._turns.wait(timeout)
        except KeyboardInterrupt:
            self.go_on_alone()
            raise
        if self._error is not None:
            raise self._error
        assert self._inner is not None
        done = self._inner.wait(timeout) if timeout > timedelta(0) else self._inner.wait()
        self._await_future()
        return done

    def is_completed(self) -> bool:
        """True when the call is done, with its result in place or an error."""
        self._turns.advance()
        # Gloo ends the future of a call before the call.
        ended = self._begun and (
            self._inner is None or self._done is not None or self._inner.is_completed()
        )
        if ended:
            self._await_future()
        return ended

    def get_future(self) -> torch.futures.Future[list[Any]]:
        """A future that holds the output tensors, or raises the call's error."""
        with self._lock:
            if self._future is None:
                self._trigger = torch.futures.Future(devices=[*self._devices])
                self._future = self._trigger.then(self._outcome)
            future = self._future
        self.follow()
        if not self._begun:
            self.go_on_alone()
        # A call that has ended has its future done.
        self.is_completed()
        return future

    def result(self) -> list[Any]:
        """The output tensors of a call that is done, or its error."""
        if not self.is_completed():
            raise RuntimeError("the call is not done, and has no result yet; wait for it first")
        self.wait()
        assert self._inner is not None
        return self._inner.result()

    def _outcome(self, _trigger: torch.futures.Future[None]) -> list[Any]:
        if self._error is not None:
            raise self._error
        assert self._done is not None
        return self._done.value()


def tensors_in(arguments: Any) -> Iterator[Tensor]:
    """The tensors of a call's arguments, in whatever lists they are."""
    if isinstance(arguments, Tensor):
        yield arguments
    elif isinstance(arguments, (list, tuple)):
        for argument in arguments:
            yield from tensors_in(argument)
