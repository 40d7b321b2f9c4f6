"""Workers of one host that fold there first (R-CTRL-11): one is killed at any instant, and nobody
else hangs.
"""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import netfold
from netfold import _native
from team import Outcome, Processes, ranks_in

SIZE = 4
TIMEOUT_S = 3.0


@pytest.fixture(scope="module")
def remote() -> Iterator[str]:
    """Address of a switch that shares no memory, as one on another host."""
    server = _native.Switch(transport="udp")
    yield server.address
    server.close()


def _connect(rank: int, switch: str, job: str, alone: bool) -> netfold.Communicator:
    """All workers share this host, or the last one is as if it were elsewhere, so that a stream
    leaves the host.
    """
    transport = "udp" if not alone and rank == SIZE - 1 else None
    return netfold.connect(
        switch=switch, job=job, rank=rank, size=SIZE, timeout=TIMEOUT_S, transport=transport
    )


def _fold_until_it_fails(
    rank: int,
    note: Callable[[object], None],
    switch: str,
    job: str,
    alone: bool,
    lengths: list[int],
) -> None:
    note("starts")
    with _connect(rank, switch, job, alone) as comm:
        assert comm.stats()["host_workers"] == (
            SIZE if alone else 1 if rank == SIZE - 1 else SIZE - 1
        )
        note("joined")
        while True:
            for length in lengths:
                total = comm.all_reduce(np.full(length, rank + 1, np.float32))
                # No survivor has got a wrong sum before.
                assert (total == SIZE * (SIZE + 1) / 2).all()


def _check_survivors(outcomes: list[Outcome], victim: int, killed: float) -> None:
    for rank in set(range(SIZE)) - {victim}:
        outcome = outcomes[rank]
        assert outcome.error == "WorkerLostError", outcome.trace
        assert ranks_in(outcome.message) == {str(victim)}, outcome.message
        # The switch sees at once that a connection is closed; the rest is for a busy machine.
        assert outcome.seconds - killed < TIMEOUT_S, outcome.seconds - killed
        # The process has ended by itself, with all its threads.
        assert outcome.exit_code == 0
    assert outcomes[victim].exit_code == -signal.SIGKILL


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "leaf"])
@pytest.mark.parametrize("victim", [0, 2], ids=["leader", "follower"])
@pytest.mark.parametrize("seed", range(3))
def test_a_worker_that_is_killed_takes_nobody_along(remote, victim, seed, alone):
    """R-CTRL-4, at an instant drawn from a seed after all have joined, in short calls, long ones,
    or between.
    """
    rng = random.Random(seed)
    lengths = [rng.choice([1, 1000, 300_000]) for _ in range(5)]
    team = Processes(
        SIZE, _fold_until_it_fails, remote, f"killed-{victim}-{seed}-{alone}", alone, lengths
    )
    for rank in range(SIZE):
        team.until_noted(rank, 2)
    # What is tested is an instant, not a condition.
    time.sleep(rng.uniform(0, 0.1))
    team.kill(victim)
    killed = team.elapsed()
    _check_survivors(team.join(), victim, killed)


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "leaf"])
@pytest.mark.parametrize("victim", [0, 2], ids=["leader", "follower"])
def test_a_worker_that_is_killed_as_soon_as_the_job_runs(remote, victim, alone):
    """Between its welcome and the first call: others may be fetching the memory, or handing it out."""
    team = Processes(
        SIZE, _fold_until_it_fails, remote, f"killed-early-{victim}-{alone}", alone, [1000]
    )
    team.until_noted(victim, 2)
    team.kill(victim)
    killed = team.elapsed()
    _check_survivors(team.join(), victim, killed)


def _come_and_go(
    rank: int, note: Callable[[object], None], switch: str, job: str, alone: bool
) -> None:
    for number in range(20):
        with _connect(rank, switch, f"{job}-{number}", alone):
            note("joined")


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "leaf"])
def test_a_job_without_calls_ends_well(remote, alone):
    """The leader is done before the others have its memory, and waits until they have."""
    outcomes = Processes(SIZE, _come_and_go, remote, f"idle-{alone}", alone).join()
    assert [outcome.error for outcome in outcomes] == [None] * SIZE, [
        outcome.trace for outcome in outcomes
    ]
