"""Calls by operations of users where something goes wrong: interrupts, other threads, wrong roots,
switches that are lost, and values and lengths at their limits.
"""

from __future__ import annotations

import functools
import threading

import numpy as np
import pytest

import netfold
from team import (
    Outcome,
    communicators,
    ctrl_c_in,
    in_threads,
    kept_address,
    ranks_in,
    running,
    values,
)

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

pytestmark = pytest.mark.loss

SIZE = 3


@pytest.fixture(scope="module")
def lines() -> netfold.Operation:
    """Compositions of lines x -> a x + b, the left one's first, whose map swaps the numbers."""

    @netfold.op(element={"a": "i64", "b": "i64"}, associative=True)
    def lines(left, right):
        return (left.a * right.a, right.a * left.b + right.b)

    return lines


@pytest.fixture(scope="module")
def tripled() -> netfold.Operation:
    """Sums of which 3 s + 1 is sent: applied twice, the map gives another number."""

    @netfold.op(
        element="i64", associative=True, commutative=True, map=lambda one: 3 * one + np.int64(1)
    )
    def tripled(left, right):
        return left + right

    return tripled


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_ctrl_c_ends_a_call_that_waits(switch, lines, transport):
    """A contribution of rank 0 before it was interrupted may complete one call, not two."""
    vector = np.zeros(5000, lines.dtype)
    vector["a"] = 1
    job = {
        "switch": switch,
        "job": f"interrupted operation {transport}",
        "size": 2,
        "transport": transport,
        "operations": [lines],
    }
    gone = threading.Event()
    others: list[Outcome] = []

    def other(rank):
        with netfold.connect(rank=1, **job) as comm:
            assert gone.wait(20)
            for _ in range(2):
                np.testing.assert_array_equal(comm.all_reduce(vector, lines), vector)

    thread = threading.Thread(target=lambda: others.extend(in_threads(1, other)))
    thread.start()
    with (
        pytest.raises(KeyboardInterrupt),
        netfold.connect(rank=0, **job) as comm,
        ctrl_c_in("_run"),
    ):
        comm.all_reduce(vector, lines)
    gone.set()
    thread.join()
    assert others[0].error == "WorkerLostError", others
    assert ranks_in(others[0].message) == {"0"}


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_threads_call_by_operations_at_once(switch, lines, tripled, transport):
    """Each worker's two threads call in two jobs of the same workers at the same time."""
    draw = np.random.default_rng(8)
    numbers = draw.integers(-5, 6, (SIZE, 200, 2), dtype=np.int64)
    pairs = np.zeros((SIZE, 200), lines.dtype)
    pairs["a"], pairs["b"] = numbers[..., 0], numbers[..., 1]

    def work(comm):
        with comm.with_operations([tripled]) as other:
            sums = []

            def call():
                sums.extend(
                    other.all_reduce(pairs["b"][comm.rank] + at, tripled) for at in range(50)
                )

            thread = threading.Thread(target=call)
            thread.start()
            whole = [comm.all_reduce(pairs[comm.rank], lines) for _ in range(50)]
            thread.join()
        return whole, sums

    composed = functools.reduce(
        lambda left, right: (left[0] * right[0], right[0] * left[1] + right[1]),
        [(pairs["a"][rank], pairs["b"][rank]) for rank in range(SIZE)],
    )
    settings = {"operations": [lines], "transport": transport}
    for whole, sums in values(communicators(switch, SIZE, work, **settings)):
        for result in whole:
            np.testing.assert_array_equal(result["a"], composed[0])
            np.testing.assert_array_equal(result["b"], composed[1])
        for at, result in enumerate(sums):
            np.testing.assert_array_equal(result, 3 * (pairs["b"].sum(axis=0) + SIZE * at) + 1)


def test_a_wrong_root_is_refused_and_the_job_goes_on(switch, tripled):
    def work(comm):
        for root in (SIZE, -1, 70_000):
            with pytest.raises((ValueError, OverflowError)):
                comm.reduce(np.ones(3, np.int64), root, tripled)
        return comm.reduce(np.full(3, comm.rank), 2, tripled)

    results = values(communicators(switch, SIZE, work, operations=[tripled]))
    assert results[:2] == [None, None]
    np.testing.assert_array_equal(results[2], np.full(3, 3 * 3 + 1))


@pytest.mark.parametrize("transport", ["udp", None])
def test_a_map_is_carried_out_once_whatever_becomes_of_the_switch(tripled, lines, transport):
    """The switch is killed between calls and in the midst of them; rounds that some workers had
    done are replayed at the next one.
    """
    calls, gone, there = 60, threading.Event(), threading.Barrier(SIZE)
    with running(listen=kept_address()) as (first, at_first), running() as (_, at_second):

        def work(rank):
            with netfold.connect(
                switch=f"{at_first}, {at_second}",
                job="mapped",
                rank=rank,
                size=SIZE,
                transport=transport,
                timeout=5,
                operations=[tripled, lines],
            ) as comm:
                for at in range(calls):
                    if at == calls // 2:
                        # The others are in the midst of it.
                        there.wait(30)
                        if rank == 0:
                            killer = threading.Timer(0.002, lambda: (first.kill(), gone.set()))
                            killer.start()
                    vector = np.arange(40_000) + at + rank
                    wanted = 3 * (SIZE * (np.arange(40_000) + at) + SIZE * (SIZE - 1) // 2) + 1
                    np.testing.assert_array_equal(comm.all_reduce(vector, tripled), wanted)
                    pairs = np.zeros(5000, lines.dtype)
                    pairs["a"], pairs["b"] = 2, rank
                    whole = comm.all_reduce(pairs, lines)
                    # 2 (2 (2 x + 0) + 1) + 2
                    assert (whole["a"] == 8).all()
                    assert (whole["b"] == 4).all()
                assert gone.wait(30)

        values(in_threads(SIZE, work))


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_values_and_lengths_at_their_limits(switch, tripled, transport):
    """Integers wrap, floats are what IEEE makes of them, and 16 MiB go through."""

    @netfold.op(element="f64", associative=True)
    def quotient(left, right):
        return left / right

    ends = np.array([np.iinfo(np.int64).min, np.iinfo(np.int64).max, -1, 0])
    specials = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 5e-324, 1.7e308])

    def work(comm):
        wrapped = comm.all_reduce(ends, tripled)
        quotients = comm.all_reduce(specials, quotient)
        nothing = comm.all_reduce(np.zeros(0, np.int64), tripled)
        long = comm.all_reduce(np.full(1 << 21, comm.rank), tripled)
        return wrapped, quotients, nothing, long

    settings = {"operations": [tripled, quotient], "transport": transport}
    with np.errstate(all="ignore"):
        quotients = specials / specials
        wrapped = 3 * (ends + ends) + 1
    for result in values(communicators(switch, 2, work, **settings)):
        np.testing.assert_array_equal(result[0], wrapped)
        np.testing.assert_array_equal(result[1], quotients)
        assert result[2].shape == (0,)
        np.testing.assert_array_equal(result[3], np.full(1 << 21, 3 * 1 + 1))


def test_messages_that_are_too_long_are_refused(switch):
    @netfold.op(element="i64", scope="message 4", associative=True, commutative=True)
    def largest(left, right):
        for at in range(len(left)):
            left[at] = max(left[at], right[at])

    @netfold.op(element="i64", scope="message 8192", associative=True, commutative=True)
    def long(left, right):
        for at in range(len(left)):
            left[at] = max(left[at], right[at])

    def work(comm):
        with pytest.raises(ValueError, match="4"):
            comm.all_reduce(np.zeros(5, np.int64), largest)
        with pytest.raises(ValueError, match="packet"):
            comm.all_reduce(np.zeros(8192, np.int64), long)
        return comm.all_reduce(np.arange(4) * (1 - 2 * comm.rank), largest)

    settings = {"operations": [largest, long], "transport": "udp"}
    for result in values(communicators(switch, 2, work, **settings)):
        np.testing.assert_array_equal(result, np.arange(4))
