"""Calls that wait for their group's job, on a communicator that is written by hand."""

from __future__ import annotations

import threading

import pytest

from netfold.errors import CallTimeoutError, JoinError, NetfoldError
from netfold.torch.joining import LateCommunicator

WAIT_LIMIT_S = 20.0


class Native:
    """Takes what its calls are made with, refuses the call "bad", and ends the others as soon as
    they are asked for.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, bool]] = []
        self.told: list[int] = []
        self.closed = False

    def submit(self, call: str, *, waits: bool, priority: str | None) -> int:
        """Number the call."""
        if call == "bad":
            raise ValueError(call)
        self.calls.append((call, waits))
        self.told.append(len(self.calls) - 1)
        return len(self.calls) - 1

    def wait(self, ticket: int, timeout: float | None) -> None:
        """Every call is done."""
        assert 0 <= ticket < len(self.calls)

    def next_completion(self, timeout: float) -> tuple[int, None] | None:
        """The calls in their order."""
        return (self.told.pop(0), None) if self.told else None

    def close(self) -> None:
        """Nothing comes after it."""
        self.closed = True


class Joining:
    """A late communicator whose join lasts until it is released, or given up."""

    def __init__(self) -> None:
        self.native, self.released = Native(), threading.Event()
        self.error: NetfoldError | None = None
        self.lost: NetfoldError | None = None
        self.joined: list[list[tuple[str, bool]]] = []
        """The calls that had been made each time that a communicator was handed out."""
        self.late = LateCommunicator(
            self.join,
            lambda: self.lost,
            lambda native: self.joined.append(list(native.calls)),
            "test",
        )

    def join(self, given_up):
        """Wait as the native code does."""
        while not self.released.wait(0.01):
            if given_up():
                raise JoinError("interrupted")
        if self.error is not None:
            raise self.error
        return self.native

    def submit(self, call: str, *, waits: bool = False) -> int:
        """Begin a call."""
        return self.late.submit(call, waits=waits, priority=None)


def test_calls_keep_their_order_and_their_tickets():
    joining = Joining()
    tickets = [joining.submit(call, waits=True) for call in ("a", "bad", "b")]
    joining.late.watch(tickets[2])
    assert joining.late.next_completion(0.0) is None
    with pytest.raises(CallTimeoutError, match="not every rank has made a call"):
        joining.late.wait(tickets[0], 0.01)
    joining.released.set()
    joining.late.wait(tickets[0], WAIT_LIMIT_S)
    later = joining.submit("c")
    assert joining.joined == [[("a", True), ("b", False)]]
    assert joining.native.calls == [("a", True), ("b", False), ("c", False)]
    with pytest.raises(ValueError, match="bad"):
        joining.late.wait(tickets[1], WAIT_LIMIT_S)
    (refused, error), *done = [joining.late.next_completion(WAIT_LIMIT_S) for _ in range(4)]
    assert refused == tickets[1]
    assert isinstance(error, ValueError)
    assert done == [(tickets[0], None), (tickets[2], None), (later, None)]


def test_a_job_that_cannot_be_joined_is_an_error_of_every_call():
    joining = Joining()
    joining.error = JoinError("refused")
    ticket = joining.submit("a")
    joining.released.set()
    with pytest.raises(JoinError, match="refused"):
        joining.late.wait(ticket, WAIT_LIMIT_S)
    assert joining.late.next_completion(WAIT_LIMIT_S) == (ticket, joining.error)
    with pytest.raises(JoinError, match="refused"):
        joining.submit("b")


def test_the_loss_of_a_rank_ends_the_wait_for_it():
    joining = Joining()
    ticket = joining.submit("a")
    joining.lost = NetfoldError("rank 1 is lost")
    with pytest.raises(NetfoldError, match="rank 1 is lost"):
        joining.late.wait(ticket, WAIT_LIMIT_S)


def test_closing_gives_the_join_up():
    joining = Joining()
    ticket = joining.submit("a")
    joining.late.close()
    with pytest.raises(NetfoldError, match="destroyed"):
        joining.late.wait(ticket, WAIT_LIMIT_S)
    assert joining.native.calls == []


def test_without_calls_nothing_is_joined():
    joining = Joining()
    assert not any(joining.late.stats().values())
    joining.late.close()
    assert not joining.native.closed
