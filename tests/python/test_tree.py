"""Switches below each other, each a process: workers of several racks are one job (R-CTRL-14 to
19).
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

import netfold
from netfold import _native
from team import in_threads, running, values

ELEMENTS = 20_000


@contextmanager
def tree() -> Iterator[list[tuple[subprocess.Popen[str], str]]]:
    """A root, two switches below it, and one below the second."""
    with (
        running() as root,
        running("--parent", root[1]) as first,
        running("--cores", "2", NETFOLD_PARENT=root[1]) as second,
        running("--parent", second[1]) as third,
    ):
        yield [root, first, second, third]


def join(switch: str, rank: int, size: int, **settings: object) -> netfold.Communicator:
    return netfold.connect(switch=switch, job="tree", rank=rank, size=size, **settings)


@pytest.mark.parametrize("arithmetic", ["block", "native", "fpisa"])
def test_racks_fold_together(arithmetic: str) -> None:
    """Every worker has the same bits, and integers are exact."""
    homes = [1, 1, 2, 3, 0, 3]
    rng = np.random.default_rng(7)
    rows = rng.integers(-100, 100, (len(homes), ELEMENTS), dtype=np.int32)
    noise = rng.standard_normal((len(homes), ELEMENTS), dtype=np.float32)
    with tree() as switches:

        def work(rank: int) -> list[np.ndarray]:
            with join(switches[homes[rank]][1], rank, len(homes), arithmetic=arithmetic) as comm:
                folded = comm.all_reduce(rows[rank])
                copied = comm.broadcast(noise[rank], 3)
                floats = comm.all_reduce(noise[rank])
                comm.barrier()
                return [folded, copied, floats]

        results = values(in_threads(len(homes), work))
        for folded, copied, floats in results:
            np.testing.assert_array_equal(folded, rows.sum(axis=0))
            np.testing.assert_array_equal(copied, noise[3])
            assert floats.tobytes() == results[0][2].tobytes()
            # Far above what any of these arithmetics is off by, and far below one worker's share.
            np.testing.assert_allclose(floats, noise.sum(axis=0, dtype=np.float64), atol=1e-3)


@pytest.mark.parametrize("victim", [0, 1])
def test_a_switch_that_is_killed_is_named(victim: int) -> None:
    """The workers below it lose it; the others hear of whom it took along, or that their parent is
    gone (R-CTRL-18).
    """
    with tree() as switches:
        homes = [1, 2, 3]

        def work(rank: int) -> None:
            with join(switches[homes[rank]][1], rank, len(homes), timeout=5.0) as comm:
                comm.all_reduce(np.ones(10, np.float32))
                if rank == 2:
                    switches[victim][0].send_signal(signal.SIGKILL)
                while True:
                    comm.all_reduce(np.ones(10, np.float32))

        outcomes = in_threads(len(homes), work)
        address = switches[victim][1]
        errors = (
            ["SwitchLostError"] * 3
            if victim == 0
            else ["SwitchLostError", "WorkerLostError", "WorkerLostError"]
        )
        assert [outcome.error for outcome in outcomes] == errors, [
            outcome.trace for outcome in outcomes
        ]
        assert all(address in outcome.message for outcome in outcomes), [
            outcome.message for outcome in outcomes
        ]
        assert all(outcome.seconds < 10 for outcome in outcomes)


def test_a_switch_in_this_process_can_have_a_parent() -> None:
    root = _native.Switch()
    racks = [_native.Switch(parent=root.address) for _ in range(2)]

    def work(rank: int) -> float:
        with join(racks[rank].address, rank, 2) as comm:
            return float(comm.all_reduce(np.full(4, rank + 1, np.float32))[0])

    assert values(in_threads(2, work)) == [3.0, 3.0]
    for switch in [*racks, root]:
        switch.close()
