"""Selection of a family's choice."""

from __future__ import annotations

import pytest
from bench import glm
from bench.glm import NEAR, TRIALS, Choice, quickest


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that have passed; nothing takes time but what adds to them."""
    passed = [0.0]
    monkeypatch.setattr(glm.time, "perf_counter", lambda: passed[0])
    return passed


def choice(clock: list[float], what: str, once: float, seconds: list[float]) -> Choice:
    """One that was tried before in `once`, and that takes these seconds in turn from then on."""

    def fit(_seed: int) -> None:
        clock[0] += seconds.pop(0)

    return Choice("family", what, fit, lambda _: 0.0, quickest=once)


def test_one_that_was_lucky_once_is_not_taken(clock: list[float]) -> None:
    lucky = choice(clock, "lucky", 1.0, [2.0] * TRIALS)
    steady = choice(clock, "steady", 1.1, [9.0] + [1.1] * (TRIALS - 1))
    # Too far behind to be tried: it would fail if it were.
    far = choice(clock, "far", 1.01 * NEAR, [])
    assert quickest([far, lucky, steady]) is steady


def test_one_without_others_near_is_taken_without_a_trial(clock: list[float]) -> None:
    assert (
        quickest([choice(clock, "far", 2.0, []), choice(clock, "alone", 1.0, [])]).what == "alone"
    )
