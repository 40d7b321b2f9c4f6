"""Programs of the ranks of `test_failover.py`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import torch
import torch.distributed as dist
from torch import nn

from torch_world import init_group

STEPS = 30


def train(rank: int, note: Callable[[Any], None], rendezvous: str) -> str:
    """Trains a small model on data of this rank's own; gives a digest of its parameters."""
    init_group(rank, 2, rendezvous)
    torch.manual_seed(1)
    model = nn.parallel.DistributedDataParallel(
        nn.Sequential(nn.Linear(64, 512), nn.ReLU(), nn.Linear(512, 10))
    )
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    torch.manual_seed(100 + rank)
    for step in range(STEPS):
        inputs, labels = torch.randn(32, 64), torch.randint(0, 10, (32,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(inputs), labels).backward()
        optimizer.step()
        note(step)
    parameters = b"".join(parameter.detach().numpy().tobytes() for parameter in model.parameters())
    dist.destroy_process_group()
    return hashlib.sha256(parameters).hexdigest()
