"""The count of callers by which a group's end waits for calls in progress."""

from __future__ import annotations

import threading

import pytest

from netfold import _native


def test_a_wait_for_the_callers_ends_with_the_last_of_them():
    calls = _native.DirectCalls()
    assert calls.wait_until_idle(0.0)
    calls.enter()
    calls.enter()
    assert not calls.wait_until_idle(0.0)
    idle: list[bool] = []
    waiting = threading.Thread(target=lambda: idle.append(calls.wait_until_idle(60.0)))
    waiting.start()
    calls.leave()
    assert not calls.wait_until_idle(0.01)
    assert waiting.is_alive()
    calls.leave()
    waiting.join(30)
    assert idle == [True]


def test_a_limit_that_is_no_time_is_refused():
    with pytest.raises(ValueError, match="not a time in seconds"):
        _native.DirectCalls().wait_until_idle(-1.0)
