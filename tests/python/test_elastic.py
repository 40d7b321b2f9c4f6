"""Elastic jobs: workers are killed, and the others go on without them (R-RES-8, R-RES-9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import netfold
from team import Processes, values

CALLS = 20
"""Calls of those who are left at the end."""

LEFT = 0b1100
"""Sum of the workers that are left at the end."""


def train(
    rank: int, note: Callable[[Any], None], switch: str, job: str, size: int, transport: str | None
) -> Any:
    """Makes calls, over again where others were lost; gives the workers of each sum, and what this
    worker was told.
    """
    comm = netfold.connect(
        switch=switch,
        job=job,
        rank=rank,
        size=size,
        elastic=True,
        timeout=3,
        call_timeout=30,
        transport=transport,
    )
    done: list[int] = []
    told: list[str] = []
    left = list(range(size))

    def heed(error: netfold.RegroupedError) -> None:
        told.append(str(error))
        # Several calls that were in progress tell of the same loss.
        if error.size < len(left):
            left[:] = [worker for place, worker in enumerate(left) if place not in error.lost]
        assert (len(left), left[error.rank]) == (error.size, rank)

    def call(array: np.ndarray) -> np.ndarray | None:
        try:
            return comm.all_reduce(array)
        except netfold.RegroupedError as error:
            heed(error)
            return None

    while done.count(LEFT) < CALLS:
        # Bit r of a worker that began as rank r, so that a sum tells who was there.
        folded = call(np.full(10_000, 1 << rank, np.int32))
        if folded is not None:
            assert (folded == folded[0]).all()
            done.append(int(folded[0]))
            note(done[-1])
            continue
        agreed = None
        while agreed is None:
            try:
                agreed = int(comm.all_reduce(np.array([len(done)], np.int64), "min")[0])
            except netfold.RegroupedError as error:
                heed(error)
        del done[agreed:]
    result = done, told, left, comm.rank, comm.size
    comm.close()
    return result


@pytest.mark.parametrize("transport", ["udp", None])
def test_workers_that_are_killed_are_gone_and_the_others_go_on(
    switch: str, transport: str | None
) -> None:
    team = Processes(4, train, switch, f"elastic-{transport}", 4, transport)
    team.until_noted(0, 10)
    team.kill(1)
    team.until(lambda: 0b1101 in team.outcomes[0].notes)
    team.kill(0)
    team.until_ended(2)
    outcomes = [team.join()[rank] for rank in (2, 3)]
    results = values(outcomes)
    histories = [history for history, *_ in results]
    assert histories[0] == histories[1], "all who are left have folded with the same"
    assert sorted(set(histories[0]), reverse=True) == [0b1111, 0b1101, LEFT]
    assert histories[0] == sorted(histories[0], reverse=True)
    for place, (_, told, left, rank, size) in enumerate(results):
        assert (left, rank, size) == ([2, 3], place, 2)
        assert any("rank 1 was lost" in message for message in told)
        assert any("the job goes on with 2 workers" in message for message in told)
