"""Common parts of tests of embeddings in tables: places of tables, and a loss whose gradients are
exact.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from netfold.sparse import HotSet
from sparse_double import Cluster

ROWS, DIM = 48, 4

_numbers = itertools.count()


@dataclass
class Tables:
    """Tables for the workers of one test.

    `tolerance` is how far a row may be from that of a single process: the double's optimizers are
    those of torch, on the same gradients, so they give the same bits.
    """

    options: dict[str, Any]
    tolerance: float
    cluster: Cluster | None = None
    name: str = field(default_factory=lambda: f"test-{os.getpid()}-{next(_numbers)}")
    store: dist.Store = field(default_factory=dist.HashStore)

    def of(self, rank: int = 0, workers: int = 1, **options: Any) -> dict[str, Any]:
        """Options of a worker."""
        own = {"rank": rank, "workers": workers, "store": self.store, "name": self.name}
        return {**self.options, **own, **options}


def doubles() -> Tables:
    """Tables of the double."""
    cluster = Cluster()
    options = {"table_class": cluster.table, "servers": ["here"], "switch": "x:1"}
    return Tables(options, 0.0, cluster)


def hot_set(*keys: int) -> HotSet:
    return HotSet(torch.tensor(keys).numpy(), 0.5)


def quantised(output: Tensor, target: Tensor) -> Tensor:
    """A loss whose gradients are multiples of 1/16 and at most 2 for each number, divided by the
    number of samples. That is a power of two, so sums and means of gradients are exact in any
    order, and the same bits come out however a batch is split. They depend on the rows.
    """
    slope = (output.detach() * 16).round().clamp(-16, 16) / 16 - target
    return (slope * output).sum(1).mean()


@dataclass(frozen=True)
class Batches:
    """Batches of bags of keys with their targets, the same for any number of workers."""

    steps: int = 5
    samples: int = 16
    bag: int = 4
    seed: int = 3

    def of(self, step: int, rank: int = 0, workers: int = 1) -> tuple[Tensor, Tensor]:
        """A worker's part of a step's batch: keys (n, bag), targets (n, DIM)."""
        random = torch.Generator().manual_seed(self.seed + step)
        # Some keys are in most batches, of every worker, and often in one bag; the last in none.
        drawn = torch.rand(self.samples, self.bag, generator=random) ** 3
        keys = (drawn * (ROWS - 1)).long()
        targets = torch.randint(-2, 3, (self.samples, DIM), generator=random) / 2
        part = slice(rank * self.samples // workers, (rank + 1) * self.samples // workers)
        return keys[part], targets[part]


def trained(
    module: torch.nn.Module,
    batches: Batches,
    step: Callable[[], object],
    rank: int = 0,
    workers: int = 1,
) -> None:
    """Train a module on a worker's part of each batch; `step` is called after each."""
    for number in range(batches.steps):
        keys, targets = batches.of(number, rank, workers)
        quantised(module(keys), targets).backward()
        step()
