"""Messages between two ranks, in a job of the two (R-STREAM-15).

Each message is announced by a barrier of the two, which costs one short call more. So a receive
from any rank knows from which one there is a message.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import torch
from torch import Tensor

from .. import _native
from ..call import Call
from ..errors import CallTimeoutError, NetfoldError
from .joining import LateCommunicator
from .outstanding import Outstanding
from .staging import Loan
from .work import DoneWork, NetfoldWork, OwnWork, Submission

EAGER_BYTES = 16 * 1024
"""Longest message that its sender may forget at once: it is copied, and goes out when its receiver
takes it (the eager protocol of MPI libraries).
"""

Join = Callable[[Callable[[], bool], list[int], str], _native.Communicator]
"""Joins a subgroup of the group's job: when to give up, its ranks, and its label."""


class Channel:
    """The messages with one tag from one rank to another.

    Args:
        native: communicator of the job of the two.
        name: the channel's name, for messages and the thread.
    """

    def __init__(self, native: LateCommunicator, name: str) -> None:
        self.outstanding = Outstanding(native, _native.DirectCalls(), name)
        self.lock = threading.Lock()
        self._announced: NetfoldWork | None = None

    def announcement(self) -> NetfoldWork:
        """The announcement of the next message, which is begun if it was not. It may stay for as
        long as there is no message.
        """
        if self._announced is None:
            call = Call("barrier", "copy", "u8", 0, 0)
            self._announced = self._add(Submission(call, [], [], math.inf))
        return self._announced

    def message(
        self, loan: Loan, result: list[Tensor], timeout_s: float, *, sent: bool
    ) -> NetfoldWork:
        """Announce and send the next message, or take it."""
        self.announcement()
        self._announced = None
        input_, output = (loan.pointer, 0) if sent else (0, loan.pointer)
        call = Call("message", "copy", "u8", 0, loan.bytes, input_, output)
        return self._add(Submission(call, [loan], result, timeout_s))

    def _add(self, submission: Submission) -> NetfoldWork:
        return self.outstanding.add(submission, waits=False)


class Messages:
    """The messages of one group.

    Args:
        join: joins a job of the group.
        lost: returns the error of a rank that will not join any more, or None.
        rank: this worker's rank in the group.
        size: number of ranks in the group.
        name: the group's name.
    """

    def __init__(
        self,
        join: Join,
        lost: Callable[[], NetfoldError | None],
        rank: int,
        size: int,
        name: str,
    ) -> None:
        self._join = join
        self._lost = lost
        self._rank = rank
        self._size = size
        self._name = name
        self._lock = threading.Lock()
        self._channels: dict[tuple[int, int, int], Channel] = {}
        self._refusal: NetfoldError | None = None

    def send(self, tensor: Tensor, target: int, tag: int, timeout_s: float) -> OwnWork:
        """Send a tensor to another rank."""
        channel = self._channel(self._rank, target, tag)
        eager = tensor.nbytes <= EAGER_BYTES
        # The copy of an eager message is contiguous, so that the loan makes no second one.
        memory = torch.contiguous_format
        source = tensor.detach().clone(memory_format=memory) if eager else tensor
        loan = Loan([source], read=True, written=False)
        with channel.lock:
            work = channel.message(loan, [tensor], timeout_s, sent=True)
        return DoneWork([tensor], [loan]) if eager else work

    def receive(self, tensor: Tensor, source: int, tag: int, timeout_s: float) -> OwnWork:
        """Take the next message of another rank into a tensor."""
        channel = self._channel(source, self._rank, tag)
        loan = Loan([tensor], read=False, written=True)
        with channel.lock:
            return channel.message(loan, [tensor], timeout_s, sent=False)

    def receive_any(self, tensor: Tensor, tag: int, timeout_s: float) -> OwnWork:
        """Take the next message of any other rank into a tensor."""
        sources = [rank for rank in range(self._size) if rank != self._rank]
        channels = {rank: self._channel(rank, self._rank, tag) for rank in sources}
        return AnyWork(channels, tensor, timeout_s)

    def drain(self, limit_s: float) -> bool:
        """Wait at most `limit_s` seconds until every message has gone; return whether all have."""
        deadline = time.monotonic() + limit_s
        return all(
            channel.outstanding.drain(max(deadline - time.monotonic(), 0.0))
            for (source, _, _), channel in self._all()
            # What nobody has sent is not waited for.
            if source == self._rank
        )

    def refuse(self, error: NetfoldError) -> None:
        """Give `error` to every call from now on, in a fork of this process."""
        self._lock = threading.Lock()
        self._refusal = error
        for _, channel in self._all():
            channel.lock = threading.Lock()
            channel.outstanding.refuse(error)

    def close(self, reason: str) -> None:
        """Leave all jobs; messages that are under way fail with `reason`."""
        self._refusal = NetfoldError(reason)
        for _, channel in self._all():
            channel.outstanding.close(reason)

    def _all(self) -> list[tuple[tuple[int, int, int], Channel]]:
        with self._lock:
            return list(self._channels.items())

    def _channel(self, source: int, target: int, tag: int) -> Channel:
        other = target if source == self._rank else source
        if not 0 <= other < self._size or other == self._rank:
            raise ValueError(
                f"a message goes to or comes from another rank of the group, from 0 to {self._size - 1}; got {other}"
            )
        with self._lock:
            if self._refusal is not None:
                raise self._refusal
            key = source, target, tag
            if key not in self._channels:
                name = f"{self._name} (messages from {source} to {target}, tag {tag})"
                native = LateCommunicator(
                    lambda given_up: self._join(given_up, [source, target], f" tag {tag}"),
                    self._lost,
                    lambda _: None,
                    name,
                )
                self._channels[key] = Channel(native, f"messages-{source}-{target}")
            return self._channels[key]


class AnyWork(OwnWork):
    """A receive from any rank: the first one that has announced a message.

    Args:
        channels: those of the other ranks, by rank.
        tensor: where the message goes.
        timeout_s: seconds that the call may take.
    """

    def __init__(self, channels: dict[int, Channel], tensor: Tensor, timeout_s: float) -> None:
        super().__init__()
        self._result: list[Any] = [tensor]
        self._loan = Loan([tensor], read=False, written=True)
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._chosen = threading.Event()
        self._source: int | None = None
        self._inner: NetfoldWork | None = None
        self._error: Exception | None = None
        devices = [tensor.device] if tensor.is_cuda else []
        self._trigger: torch.futures.Future[None] = torch.futures.Future(devices=[*devices])
        self._future: torch.futures.Future[list[Any]] = self._trigger.then(
            lambda _: self._outcome()
        )
        for source, channel in channels.items():
            self._watch(source, channel)

    def _watch(self, source: int, channel: Channel) -> None:
        """Look for a message of a rank, and take it unless there is one of another."""
        with channel.lock:
            announced = channel.announcement()
        announced.get_future().add_done_callback(lambda _: self._take(source, channel, announced))

    def _take(self, source: int, channel: Channel, announced: NetfoldWork) -> None:
        with self._lock:
            if self._chosen.is_set():
                return
            error = announced.exception()
            with channel.lock:
                is_there = error is None and channel.announcement() is announced
                if is_there:
                    self._source = source
                    self._inner = channel.message(
                        self._loan, self._result, self._timeout_s, sent=False
                    )
            if is_there or error is not None:
                self._error = error
                self._chosen.set()
        if self._inner is not None:
            self._inner.get_future().add_done_callback(lambda _: self._trigger.set_result(None))
        elif error is not None:
            self._trigger.set_result(None)
        else:
            # Another receive has taken it.
            self._watch(source, channel)

    def wait(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until the message is in place; True, or the call's error."""
        asked = timeout.total_seconds()
        limit_s = asked if asked > 0 else self._timeout_s
        if not self._chosen.wait(limit_s):
            self._give_up(
                CallTimeoutError(
                    f"no rank has sent a message within {limit_s:g} s; see whether one does, or raise the timeout"
                )
            )
        done = self._received(timeout)
        self._await_future()
        return done

    def _give_up(self, error: CallTimeoutError) -> None:
        """Leave the next message to another receive, unless there is one now."""
        with self._lock:
            if self._chosen.is_set():
                return
            self._error = error
            self._chosen.set()
        self._trigger.set_result(None)

    def is_completed(self) -> bool:
        """True when the message is in place, or has failed."""
        if not self._chosen.is_set():
            return False
        ended = self._inner is None or self._inner.is_completed()
        if ended:
            self._await_future()
        return ended

    def get_future(self) -> torch.futures.Future[list[Any]]:
        """A future that holds the tensor, or raises the call's error."""
        return self._future

    def _source_rank(self) -> int:
        if self._source is None:
            raise RuntimeError("no message has come yet; wait for it first")
        return self._source

    def _received(self, timeout: timedelta = timedelta(0)) -> bool:
        """Block until the message that was chosen is in place."""
        if self._error is not None:
            raise self._error
        assert self._inner is not None
        return self._inner.wait(timeout)

    def _outcome(self) -> list[Any]:
        self._received()
        return self._result


__all__ = ["Messages"]
