"""The end of a call as two threads see it: the future is done when one has seen the end."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from netfold.call import Call
from netfold.torch.announcement import Turns
from netfold.torch.messages import AnyWork
from netfold.torch.unequal import UnequalWork
from netfold.torch.work import DoneWork, NetfoldWork, Submission


class Outstanding:
    """The calls of a group, as far as a work that has ended needs them."""

    def __init__(self) -> None:
        self.native = SimpleNamespace(watch=ignore, forget=ignore, test=lambda _: False)

    wait = drop = remember = lambda *_: None

    def is_own_thread(self) -> bool:
        return False


def ignore(*_: Any) -> None:
    """Do nothing."""


class HeldTrigger:
    """A trigger that a thread is about to set, until the test lets it."""

    def __init__(self, trigger: torch.futures.Future) -> None:
        self._trigger = trigger
        self.reached = threading.Event()
        self.let_go = threading.Event()

    def set_result(self, value: Any) -> None:
        self.reached.set()
        assert self.let_go.wait(20)
        self._trigger.set_result(value)


def of_the_switch() -> tuple[Any, Any]:
    submission = Submission(Call("all_reduce", "sum", "f32", 0, 0), [], [], 20.0)
    work = NetfoldWork(Outstanding(), 1, submission, watched=True)
    return work, lambda: work.settle(None)


def of_different_lengths() -> tuple[Any, Any]:
    call = SimpleNamespace(tensors=[], devices=[], name="all_gather")
    work = UnequalWork(None, call)
    return work, lambda: work.settle(None)


def of_gloo() -> tuple[Any, Any]:
    turns = Turns()
    announcement, end = of_the_switch()
    work = turns.add(lambda: announcement, lambda: DoneWork([], []), [], watched=False)

    def settle() -> None:
        end()
        turns.advance()

    return work, settle


def from_any_rank() -> tuple[Any, Any]:
    announcement, announced = of_the_switch()
    message, received = of_the_switch()
    channel = SimpleNamespace(
        lock=threading.Lock(),
        announcement=lambda: announcement,
        message=lambda *_, **__: message,
    )
    work = AnyWork({1: channel}, torch.zeros(1), 20.0)

    def settle() -> None:
        announced()
        received()

    return work, settle


@pytest.mark.parametrize("sees", ["is_completed", "wait"])
@pytest.mark.parametrize(
    "make", [of_the_switch, of_different_lengths, of_gloo, from_any_rank], ids=lambda f: f.__name__
)
def test_the_future_is_done_when_the_end_is_seen(make, sees):
    work, settle = make()
    early = work.get_future()
    work._trigger = held = HeldTrigger(work._trigger)
    ends = threading.Thread(target=settle)
    ends.start()
    assert held.reached.wait(20)
    seen: list[bool] = []

    def look() -> None:
        while not getattr(work, sees)():
            pass
        seen.append(early.done() and work.get_future().done())

    looks = threading.Thread(target=look)
    looks.start()
    # A work that does not wait for its future has shown its end by then.
    looks.join(0.3)
    held.let_go.set()
    looks.join(20)
    ends.join(20)
    assert seen == [True]


def test_an_error_of_gloo_is_the_calls_alone():
    def refuse() -> Any:
        raise RuntimeError("Invalid scalar type")

    turns = Turns()
    (one, end_one), (other, end_other) = of_the_switch(), of_the_switch()
    failing = turns.add(lambda: one, refuse, [], watched=False)
    future = failing.get_future()
    going_on = turns.add(lambda: other, lambda: DoneWork([], []), [], watched=False)
    end_one()
    end_other()
    for ended in (failing.wait, future.wait):
        with pytest.raises(RuntimeError, match="Invalid scalar type"):
            ended()
    assert isinstance(failing.exception(), RuntimeError)
    assert going_on.wait()


def test_a_future_that_is_made_after_the_end_is_done():
    work, settle = of_the_switch()
    settle()
    assert work.get_future().done()
