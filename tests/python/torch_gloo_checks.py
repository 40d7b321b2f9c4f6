"""Checks of calls that Gloo carries out; importing this module adds them to those of
`torch_checks.py`.
"""

from __future__ import annotations

import torch
import torch.distributed as dist

from netfold.torch import backend_of
from netfold.torch.worker_folds import LONG_BYTES
from torch_checks import CHECKS, check
from torch_world import Lines

__all__ = ["CHECKS"]


@check
def what_gloo_does(rank: int, size: int) -> None:
    """Folds that the switch does not do, of more elements than go to the workers."""
    bits = torch.full((LONG_BYTES,), 1 << rank)
    dist.all_reduce(bits, dist.ReduceOp.BOR)
    assert torch.all(bits == (1 << size) - 1)
    small = torch.ones(LONG_BYTES + 1, dtype=torch.int8)
    dist.all_reduce(small)
    assert torch.all(small == size)
    average = torch.full((LONG_BYTES,), float(rank), dtype=torch.float64)
    dist.reduce(average, 0, dist.ReduceOp.AVG)
    assert rank != 0 or torch.all(average == sum(range(size)) / size)
    # Gloo does not look at strides by itself.
    wide = torch.full((2, LONG_BYTES), 1 << rank).t()
    dist.all_reduce(wide[:, 0], dist.ReduceOp.BOR)
    assert torch.all(wide[:, 0] == (1 << size) - 1)
    assert torch.all(wide[:, 1] == 1 << rank)


@check
def an_all_to_all_without_exchange_slots_goes_to_gloo(rank: int, size: int) -> None:
    """Of more than two ranks, in any group, which says so once; where they share memory, or the
    switch keeps their parts apart, it does not.
    """
    group = dist.new_group()
    lines = Lines()
    for _ in range(2):
        output = torch.zeros(size)
        dist.all_to_all_single(output, torch.full((size,), float(rank)), group=group)
        assert output.tolist() == list(range(size))
    stats = backend_of().stats()
    # R-CTRL-23: at least four, of a power of two that is at most a share of those for bulk, most of
    # which may be lent (R-CTRL-25).
    slots = max(stats["slots"], stats["long_slots"])
    assert stats["exchange_slots"] == (
        0
        if stats["transport"] == "shm" or slots < 4 * size
        else 1 << (slots // size).bit_length() - 1
    )
    goes = size > 2 and stats["transport"] == "udp" and stats["exchange_slots"] == 0
    told = [line for line in lines.lines if "exchange parts faster without a switch" in line]
    assert len(told) == (1 if goes and rank == 0 else 0)


@check
def objects(rank: int, size: int) -> None:
    everyone = [None] * size
    dist.all_gather_object(everyone, {"rank": rank})
    assert everyone == [{"rank": who} for who in range(size)]
    message = [f"from {rank}"]
    dist.broadcast_object_list(message, size - 1)
    assert message == [f"from {size - 1}"]


@check
def a_fallback_is_named_once(rank: int, size: int) -> None:
    lines = Lines()
    for _ in range(3):
        dist.all_reduce(torch.ones(LONG_BYTES + 1, dtype=torch.int8), dist.ReduceOp.BAND)
    about = [line for line in lines.lines if "band" in line]
    assert about == (
        [
            "allreduce: operation band is not one that a switch folds; it runs through Gloo, not through the switch"
        ]
        if rank == 0
        else []
    )
