"""Programs of the ranks of the test of forks: rank 0 has children, and both go on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch.utils.data import DataLoader, Dataset

import netfold
from children import ended, forked
from torch_world import init_group


class Numbers(Dataset[int]):
    """A data set whose samples are made in workers."""

    def __len__(self) -> int:
        return 64

    def __getitem__(self, index: int) -> int:
        return index


class Folded(Numbers):
    """A data set that would fold in a worker."""

    def __getitem__(self, index: int) -> int:
        dist.all_reduce(torch.ones(1))
        return index


def _load() -> None:
    loader = DataLoader(Numbers(), batch_size=8, num_workers=2, multiprocessing_context="fork")
    assert torch.cat(list(loader)).tolist() == list(range(64))


def _load_and_fold() -> None:
    loader = DataLoader(Folded(), batch_size=8, num_workers=1, multiprocessing_context="fork")
    with pytest.raises(netfold.NetfoldError, match="is a fork"):
        list(loader)


def _end_in_order() -> None:
    child = os.fork()
    if child == 0:
        # Through the interpreter's end, with its handlers and destructors.
        sys.exit(7)
    assert ended(child) == 7


def _call_everything(anew: str) -> None:
    from netfold.torch import backend_of

    def body() -> None:
        parent = os.getppid()
        ones = torch.ones(2)
        calls: list[Callable[[], Any]] = [
            lambda: dist.all_reduce(ones),
            lambda: dist.all_reduce(ones, async_op=True),
            lambda: dist.all_reduce(torch.eye(2).to_sparse()),
            lambda: dist.barrier(),
            lambda: dist.broadcast(ones, 0),
            lambda: dist.gather(ones, [torch.ones(2), torch.ones(2)]),
            backend.stats,
        ]
        for call in calls:
            refused = f"process {parent}, of which process {os.getpid()} is a fork"
            with pytest.raises(netfold.ForkedError, match=refused):
                call()
        dist.destroy_process_group()
        init_group(0, 1, anew)
        dist.all_reduce(ones)
        assert ones.tolist() == [1.0, 1.0]
        dist.destroy_process_group()

    backend = backend_of()
    assert forked(body) == 0


_BODIES: dict[str, Callable[[str], None]] = {
    "sys.exit": lambda anew: _end_in_order(),
    "calls": _call_everything,
    "data": lambda anew: _load(),
    # Last: its workers may be there a while longer, and a fork at its end ends those.
    "folding data": lambda anew: _load_and_fold(),
}
CHILDREN = list(_BODIES)


def has_children(rank: int, note: Callable[[Any], None], rendezvous: str, anew: str) -> None:
    """A rank of two, of which one has children."""
    init_group(rank, 2, rendezvous)
    for number, (what, have) in enumerate(_BODIES.items()):
        if rank == 0:
            have(anew)
        for size in (8, 100_000):
            tensor = torch.full((size,), float((rank + 1) * number))
            dist.all_reduce(tensor)
            assert torch.equal(tensor, torch.full((size,), 3.0 * number)), what
        note(what)
    dist.destroy_process_group()
