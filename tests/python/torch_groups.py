"""Bodies of the ranks of `test_torch_groups.py`, each a process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist

from netfold.torch import backend_of
from torch_faults import Note, fails
from torch_world import init_group

MADE, USED = 100, 60


def jobs_running() -> int:
    """Return the number of jobs that the switch runs."""
    command = [sys.executable, "-m", "netfold", "ctl", "stats", "--json"]
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=60).stdout)[
        "jobs_running"
    ]


def many(rank: int, note: Note, rendezvous: str) -> Any:
    """Groups of which some are used."""
    init_group(rank, 2, rendezvous)
    groups = [dist.new_group([0, 1]) for _ in range(MADE)]
    assert not any(backend_of(groups[0]).stats().values())
    before = jobs_running()
    dist.barrier()
    for number, group in enumerate(groups[:USED]):
        tensor = torch.full((5000,), float(number + rank))
        dist.all_reduce(tensor, group=group)
        assert torch.all(tensor == 2 * number + 1), number
    assert backend_of(groups[0]).stats()["rounds"] > 0
    after = jobs_running()
    dist.barrier()
    dist.destroy_process_group()
    return before, after


def in_a_cycle(rank: int, note: Note, rendezvous: str) -> Any:
    """Each rank begins with another group, and waits when all have begun."""
    init_group(rank, 3, rendezvous)
    pairs = [dist.new_group([first, (first + 1) % 3]) for first in range(3)]
    # Rank r is in the pairs r, with which it begins, and r - 1.
    own = [rank, (rank - 1) % 3]
    sums = {pair: torch.full((100,), 10.0**rank) for pair in own}
    copies = {pair: torch.full((7,), float(rank)) for pair in own}
    # More calls than one of a group wait for its join.
    works = [dist.all_reduce(sums[pair], group=pairs[pair], async_op=True) for pair in own]
    works += [dist.broadcast(copies[pair], pair, group=pairs[pair], async_op=True) for pair in own]
    works[0].get_future().wait()
    for work in works:
        work.wait()
    for pair in own:
        assert torch.all(sums[pair] == 10.0**pair + 10.0 ** ((pair + 1) % 3)), pair
        assert torch.all(copies[pair] == pair), pair
    dist.destroy_process_group()
    return "done"


def without_a_switch(rank: int, note: Note, rendezvous: str, nowhere: str) -> Any:
    """A group whose switch is not there, beside the default group, whose switch is."""
    init_group(rank, 2, rendezvous)
    os.environ["NETFOLD_SWITCH"] = nowhere
    group = dist.new_group([0, 1])
    work = dist.all_reduce(torch.ones(10), group=group, async_op=True)
    errors = [fails(work.wait), fails(lambda: dist.all_reduce(torch.ones(10), group=group))]
    errors.append(fails(lambda: dist.barrier(group)))
    tensor = torch.ones(10)
    dist.all_reduce(tensor)
    assert torch.all(tensor == 2)
    dist.destroy_process_group()
    return errors


def after_a_loss(rank: int, note: Note, rendezvous: str) -> Any:
    """Rank 2 dies before the first call of groups with and without it."""
    init_group(rank, 3, rendezvous)
    everyone, others = dist.new_group([0, 1, 2]), dist.new_group([0, 1])
    # Gloo's part of a group connects as it is made: nobody may die before all have it.
    dist.barrier()
    if rank == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    lost = fails(lambda: dist.all_reduce(torch.ones(10), group=everyone))
    tensor = torch.ones(10)
    dist.all_reduce(tensor, group=others)
    assert torch.all(tensor == 2)
    dist.destroy_process_group()
    return lost


def alone(rank: int, note: Note, rendezvous: str) -> Any:
    """Rank 1 makes no call on the group of which rank 0 makes two."""
    init_group(rank, 2, rendezvous)
    group = dist.new_group([0, 1], timeout=timedelta(seconds=2))
    errors, seconds = [], 0.0
    if rank == 0:
        work = dist.all_reduce(torch.ones(10), group=group, async_op=True)
        # Nobody waits for the first: its future must fail all the same.
        errors = [
            fails(work.get_future().wait),
            fails(lambda: dist.all_reduce(torch.ones(10), group=group)),
        ]
    dist.barrier()
    start = time.monotonic()
    dist.destroy_process_group()
    seconds = time.monotonic() - start
    return errors, seconds
