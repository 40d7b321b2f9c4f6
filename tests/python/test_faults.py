"""Faults as workers see them: a named error on every worker, within a bounded time. It says which
worker and what happened.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

import netfold
from netfold import _native
from team import (
    Outcome,
    Processes,
    communicators,
    ctrl_c_in,
    free_address,
    in_threads,
    ranks_in,
    values,
)

ONES = np.ones(1000, np.float32)
MANY = np.ones(5000, np.float32)

MISMATCHES = {
    "sizes": (lambda c: c.all_reduce(ONES), lambda c: c.all_reduce(ONES[:999]), "1000", "999"),
    "types": (
        lambda c: c.all_reduce(ONES),
        lambda c: c.all_reduce(ONES.astype(np.int32)),
        "f32",
        "i32",
    ),
    "operations": (
        lambda c: c.all_reduce(ONES, "sum"),
        lambda c: c.all_reduce(ONES, "max"),
        "sum",
        "max",
    ),
    "roots": (lambda c: c.broadcast(ONES, 0), lambda c: c.broadcast(ONES, 1), "root 0", "root 1"),
    "priorities": (
        lambda c: c.all_reduce(ONES),
        lambda c: c.all_reduce(ONES, priority="bulk"),
        "called all_reduce(sum, f32, 1000",
        "called bulk all_reduce(sum, f32, 1000",
    ),
    # The length decides about the priority.
    "sizes of either priority": (
        lambda c: c.all_reduce(ONES),
        lambda c: c.all_reduce(MANY),
        "1000",
        "5000",
    ),
    "order": (
        lambda c: (c.all_reduce(ONES), c.all_gather(ONES)),
        lambda c: (c.all_gather(ONES), c.all_reduce(ONES)),
        "all_reduce",
        "all_gather",
    ),
}


@pytest.mark.parametrize("what", MISMATCHES)
def test_different_calls_are_reported_to_every_worker(switch, what):
    """R-CTRL-6: the error names both ranks and both values, on every worker, within 5 seconds."""
    usual, other, usual_value, other_value = MISMATCHES[what]

    def work(comm):
        comm.all_reduce(ONES)
        return (other if comm.rank == 1 else usual)(comm)

    for outcome in communicators(switch, 3, work):
        assert outcome.error == "MismatchError", outcome.trace or outcome.value
        assert usual_value in outcome.message
        assert other_value in outcome.message
        assert "1" in ranks_in(outcome.message), outcome.message
        assert len(ranks_in(outcome.message)) >= 2, outcome.message
        assert outcome.seconds < 5


def _fold_for_ever(
    rank: int,
    note: Callable[[object], None],
    switch: str,
    size: int,
    timeout: float,
    transport: str | None = None,
) -> None:
    big = np.ones(4_000_000, np.float32)
    job = {"switch": switch, "job": f"for-ever-{transport}", "size": size}
    with netfold.connect(rank=rank, timeout=timeout, transport=transport, **job) as comm:
        while True:
            comm.all_reduce(big, out=big)
            big.fill(1)
            note("folded")


def test_a_killed_worker_is_named_to_the_others(switch):
    """R-CTRL-4, in the middle of an all-reduce."""
    team = Processes(3, _fold_for_ever, switch, 3, 10.0)
    for rank in range(3):
        team.until_noted(rank, 2)
    team.kill(1)
    killed = team.elapsed()
    outcomes = team.join()
    for rank in (0, 2):
        assert outcomes[rank].error == "WorkerLostError", outcomes[rank].trace
        assert ranks_in(outcomes[rank].message) == {"1"}, outcomes[rank].message
        assert outcomes[rank].seconds - killed < 10
    assert outcomes[1].exit_code == -signal.SIGKILL


@pytest.mark.parametrize("transport", ["udp", None])
def test_a_silent_worker_is_named_to_the_others_and_to_itself(switch, transport):
    """A worker that still has its connection but does nothing, as one behind a dead link; then it
    goes on.
    """
    timeout = 2.0
    team = Processes(2, _fold_for_ever, switch, 2, timeout, transport)
    for rank in range(2):
        team.until_noted(rank, 2)
    team.stop(1)
    stopped = team.elapsed()
    team.until_ended(0, limit_s=30)
    team.go_on(1)
    outcome, expelled = team.join()
    for told in (outcome, expelled):
        assert told.error == "WorkerLostError", told.trace
        assert ranks_in(told.message) == {"1"}, told.message
        assert "nothing was heard from it" in told.message, told.message
    assert "expelled this worker" in expelled.message, expelled.message
    # The switch looks for silence at intervals: allow it twice the time-out.
    assert outcome.seconds - stopped < 2 * timeout + 1


def _serve(rank: int, note: Callable[[object], None], listen: str) -> None:
    server = _native.Switch(listen=listen)
    note(server.address)
    threading.Event().wait()


def test_a_switch_that_dies_and_comes_back():
    """R-CTRL-7: outstanding calls fail with the switch's address; afterwards the same job can be
    made anew at the same address.
    """
    address = free_address()
    servers = [Processes(1, _serve, address)]
    servers[0].until_noted(0)

    def fold(rank: int, forever: bool) -> None:
        with netfold.connect(switch=address, job="survivor", rank=rank, size=2) as comm:
            while True:
                comm.all_reduce(ONES)
                running[rank].set()
                if not forever:
                    return

    running = [threading.Event(), threading.Event()]

    def stop() -> None:
        assert all(event.wait(20) for event in running)
        servers[0].kill(0)

    killer = threading.Thread(target=stop)
    killer.start()
    for outcome in in_threads(2, lambda rank: fold(rank, True)):
        assert outcome.error == "SwitchLostError", outcome.trace
        assert address in outcome.message
    killer.join()
    servers[0].join()
    servers.append(Processes(1, _serve, address))
    servers[1].until_noted(0)
    values(in_threads(2, lambda rank: fold(rank, False)))
    servers[1].kill(0)
    servers[1].join()


def test_a_switch_that_is_not_there():
    address = free_address()
    with pytest.raises(netfold.JoinError, match=address):
        netfold.connect(switch=address, job="nobody", rank=0, size=2)


DO_NOT_FIT = {
    "taken rank": ({"rank": 0}, ["0"]),
    "size": ({"size": 3}, ["2", "3"]),
    "arithmetic": ({"arithmetic": "native"}, ["block", "native"]),
    "byte order": ({"byte_order": "network"}, ["little", "network"]),
    "protocol": ({"protocol": "acked"}, ["shadow", "acked"]),
    "weight": ({"weight": 5}, ["1", "5"]),
    "weight too great": ({"weight": 101}, ["101", "100"]),
    "rank beyond the size": ({"rank": 2}, ["2"]),
}
"""Settings of a second worker that does not fit the job, and texts in the refusal."""


def test_workers_that_do_not_fit_the_job_are_refused(switch):
    """R-CTRL-1, R-CTRL-3; the job itself goes on."""
    job = {"switch": switch, "job": "contested", "size": 2}
    first_is_in = threading.Event()

    def first() -> None:
        native = _native.Communicator(rank=0, on_waiting=lambda *_: first_is_in.set(), **job)
        with netfold.Communicator(native) as comm:
            comm.all_reduce(ONES)

    def second() -> None:
        # The first says after some seconds that it waits: they are spent once, for all refusals.
        assert first_is_in.wait(20)
        for title, (settings, in_message) in DO_NOT_FIT.items():
            with pytest.raises(netfold.JoinError) as refusal:
                netfold.connect(**{"rank": 1, **job, **settings})
            for text in in_message:
                assert text in str(refusal.value), title
        with netfold.connect(rank=1, **job) as comm:
            comm.all_reduce(ONES)

    values(in_threads(2, lambda rank: (first, second)[rank]()))


def test_a_switch_with_a_token_serves_those_who_know_it():
    """R-CTRL-8."""
    server = _native.Switch(token="secret")
    for token in (None, "guessed"):
        with pytest.raises(netfold.JoinError, match="token"):
            netfold.connect(switch=server.address, job="guarded", rank=0, size=1, token=token)
    with netfold.connect(
        switch=server.address, job="guarded", rank=0, size=1, token="secret", integrity="token"
    ) as comm:
        np.testing.assert_allclose(comm.all_reduce(ONES), 1)
    server.close()


def test_a_call_that_a_worker_who_left_did_not_make(switch):
    """R-CTRL-5: calls that it made complete; the next one fails and names it."""

    def work(comm):
        result = comm.all_reduce(ONES)
        if comm.rank == 0:
            return result
        return comm.all_reduce(ONES)

    left, stayed = communicators(switch, 2, work)
    np.testing.assert_allclose(values([left])[0], 2)
    assert stayed.error == "PeerLeftError", stayed.trace
    assert ranks_in(stayed.message) == {"0"}, stayed.message


def test_a_call_takes_no_longer_than_allowed(switch):
    late = threading.Event()

    def work(comm):
        if comm.rank == 1:
            assert late.wait(20)
            return
        start = time.monotonic()
        try:
            comm.all_reduce(ONES)
        finally:
            late.set()
            assert 0.5 <= time.monotonic() - start < 5

    waited, _ = communicators(switch, 2, work, call_timeout=0.5)
    assert waited.error == "CallTimeoutError", waited.trace


@pytest.mark.parametrize("transport", ["udp", "shm"])
@pytest.mark.parametrize("array", [ONES[:2], ONES, np.ones(1_000_000, np.float32)], ids=len)
def test_ctrl_c_ends_a_call_that_waits_and_the_job(switch, transport, array):
    job = {
        "switch": switch,
        "job": f"interrupted {transport} {len(array)}",
        "size": 2,
        "transport": transport,
    }
    gone = threading.Event()
    others: list[Outcome] = []

    def other(rank: int) -> None:
        with netfold.connect(rank=1, **job) as comm:
            assert gone.wait(20)
            # What rank 0 contributed before it was interrupted may complete one call, not two.
            for _ in range(2):
                np.testing.assert_array_equal(comm.all_reduce(array), 2 * array)

    thread = threading.Thread(target=lambda: others.extend(in_threads(1, other)))
    thread.start()
    with (
        pytest.raises(KeyboardInterrupt),
        netfold.connect(rank=0, **job) as comm,
        ctrl_c_in("_run") as pressed,
    ):
        comm.all_reduce(array)
    assert time.monotonic() - pressed[0] < 0.5
    gone.set()
    thread.join()
    assert others[0].error == "WorkerLostError", others
    assert ranks_in(others[0].message) == {"0"}


def test_a_job_that_has_failed_can_be_made_anew(switch):
    """R-CTRL-3: the same name is a new epoch."""

    def epoch(rank: int) -> object:
        with netfold.connect(switch=switch, job="reborn", rank=rank, size=2) as comm:
            return comm.all_reduce(ONES[: 100 + rank * mismatch])

    mismatch = 1
    assert {outcome.error for outcome in in_threads(2, epoch)} == {"MismatchError"}
    mismatch = 0
    for result in values(in_threads(2, epoch)):
        np.testing.assert_allclose(result, 2)
