"""Subgroups of a job, and messages between two of its workers."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import netfold
from team import communicators, in_threads, values

pytestmark = pytest.mark.loss


def test_subgroups_have_ranks_and_calls_of_their_own(switch):
    """R-CTRL-22"""

    def work(comm):
        rows = comm.subgroup([rank for rank in range(6) if rank // 3 == comm.rank // 3])
        columns = comm.subgroup([comm.rank % 3 + 3, comm.rank % 3])
        with rows, columns:
            mine = np.full(1000, comm.rank, np.float32)
            total = columns.all_reduce(rows.all_reduce(mine))
            again = comm.subgroup([0, 1]) if comm.rank < 2 else None
            if again is not None:
                assert again.all_gather(np.array(comm.rank)).tolist() == [0, 1]
            return (rows.rank, rows.size), (columns.rank, columns.size), set(total.tolist())

    for rank, got in enumerate(values(communicators(switch, 6, work))):
        assert got == ((rank % 3, 3), (1 - rank // 3, 2), {15.0})


def test_a_hundred_subgroups_are_made_and_left(switch):
    def work(comm):
        for number in range(100):
            with comm.subgroup([1, 0]) as group:
                assert group.all_reduce(np.array([number])).tolist() == [2 * number]
        return True

    assert all(values(communicators(switch, 2, work)))


def test_messages(switch):
    """R-STREAM-15"""
    dtypes = [np.float64, np.dtype("S5"), np.complex64, np.bool_]

    def message(source: int, number: int) -> np.ndarray:
        random = np.random.default_rng(100 * source + number)
        shape = [(3,), (0, 4), (500, 401), ()][number]
        return random.integers(0, 2, shape).astype(dtypes[number])

    def work(comm):
        if comm.rank == 2:
            # In any order of senders and tags; with one tag, in the order of sending.
            got = [
                (source, number, comm.recv(message(source, number), source, tag))
                for tag in (9, 0)
                for source in (1, 0)
                for number in ((2, 3) if tag else (0, 1))
            ]
            assert all(np.array_equal(array, message(at, number)) for at, number, array in got)
            return len(got)
        sender = threading.Thread(
            target=lambda: [comm.send(message(comm.rank, number), 2, 9) for number in (2, 3)]
        )
        sender.start()
        for number in (0, 1):
            comm.send(message(comm.rank, number), 2)
        sender.join()
        return None

    assert values(communicators(switch, 3, work)) == [None, None, 8]


@pytest.mark.parametrize("size", [2, 5])
def test_arrays_go_around_in_a_ring(switch, size):
    def work(comm):
        array = np.full((100, 100), comm.rank)
        seen = []
        for _ in range(size):
            array = comm.sendrecv(array, (comm.rank + 1) % size, (comm.rank - 1) % size)
            seen.append(int(array[0, 0]))
        return seen

    for rank, seen in enumerate(values(communicators(switch, size, work))):
        assert seen == [(rank - step) % size for step in range(1, size + 1)]


def test_messages_that_cannot_be_are_told(switch):
    def work(comm):
        other = 1 - comm.rank
        for call in (
            lambda: comm.send(np.zeros(1), comm.rank),
            lambda: comm.recv(np.zeros(1), 2),
            lambda: comm.sendrecv(np.zeros(1), other, -1),
            lambda: comm.send(np.zeros(1), other, -1),
            lambda: comm.subgroup([other]),
            lambda: comm.subgroup([comm.rank, other, comm.rank]),
        ):
            with pytest.raises(ValueError, match=r"rank|tag"):
                call()
        both = r"(?=.*message\(8 bytes\)).*message\(16 bytes\)"
        with pytest.raises(netfold.MismatchError, match=both):
            comm.send(np.zeros(1), 1) if comm.rank == 0 else comm.recv(np.zeros(2), 0)
        return comm.all_reduce(np.ones(1, np.float32))[0]

    assert values(communicators(switch, 2, work)) == [2, 2]


def test_a_message_that_nobody_takes_is_given_up(switch):
    given_up = threading.Event()

    def work(comm):
        if comm.rank == 0:
            comm.send(np.zeros(3), 1)
            with pytest.raises(netfold.CallTimeoutError, match=r"message\(24 bytes\).*rank 1"):
                comm.send(np.zeros(3), 1)
            given_up.set()
        else:
            comm.recv(np.zeros(3), 0)
            assert given_up.wait(30)
        return comm.all_reduce(np.ones(1, np.float32))[0]

    assert values(communicators(switch, 2, work, call_timeout=1.0)) == [2, 2]


def test_a_wait_for_others_ends_with_the_time_of_a_call(switch):
    """R-CTRL-22: rank 1 makes another call; joining is not compared with it."""
    waits = [
        lambda comm: comm.subgroup([0, 1]),
        lambda comm: comm.send(np.zeros(3), 1),
        lambda comm: comm.recv(np.zeros(3), 1),
    ]

    def member(rank: int) -> list[int]:
        limit = None if rank else 0.3
        with netfold.connect(
            switch=switch, job="in-time", rank=rank, size=2, call_timeout=limit
        ) as comm:
            for wait in waits if rank == 0 else []:
                with pytest.raises(netfold.CallTimeoutError, match=r"missing: \[1\]"):
                    wait(comm)
            return comm.all_reduce(np.ones(3, np.int32)).tolist()

    assert values(in_threads(2, member)) == [[2, 2, 2]] * 2


def test_nobody_waits_for_a_worker_that_has_left(switch):
    """R-CTRL-22"""

    def work(comm):
        if comm.rank == 0:
            with pytest.raises(netfold.PeerLeftError, match="rank 1 has left"):
                comm.recv(np.zeros(3), 1)
        return True

    assert all(values(communicators(switch, 2, work)))
