"""Whole models of several processes: their dense layers under DistributedDataParallel, their
embeddings in tables, beside a single process with all batches together.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist
from torch import nn

from netfold import _native
from netfold.sparse import HotColdEmbeddingBag
from sparse_tables import DIM, ROWS, Batches, hot_set, quantised
from team import Processes, values
from torch_world import init_group, rendezvous_file

RATE, STEPS = 0.25, 4


def model(table: nn.Module) -> nn.Sequential:
    torch.manual_seed(5)
    return nn.Sequential(table, nn.Linear(DIM, DIM))


def copied(module: nn.Module) -> dict[str, np.ndarray]:
    """A state as arrays, which go to another process whole."""
    return {key: value.numpy().copy() for key, value in module.state_dict().items()}


def train(module: nn.Module, dense: list[nn.Parameter], rank: int, workers: int) -> None:
    optimizer = torch.optim.SGD(dense, lr=RATE)
    batches = Batches(steps=STEPS)
    for step in range(STEPS):
        keys, targets = batches.of(step, rank, workers)
        optimizer.zero_grad()
        quantised(module(keys), targets).backward()
        optimizer.step()


def member(rank: int, note: Any, size: int, rendezvous: str, switch: str, kind: str) -> dict:
    init_group(rank, size, rendezvous)
    if kind == "tables":
        table: nn.Module = HotColdEmbeddingBag(
            ROWS,
            DIM,
            mode="sum",
            hot=hot_set(0, 1, 2),
            optimizer={"name": "sgd", "lr": RATE},
            initialiser="uniform",
            consistency="sync",
            switch=switch,
        )
    else:
        torch.manual_seed(9)
        table = nn.EmbeddingBag(ROWS, DIM, mode="sum")
    whole = model(table)
    before = copied(whole)
    dist.barrier()
    train(nn.parallel.DistributedDataParallel(whole), list(whole.parameters()), rank, size)
    after = copied(whole)
    dist.barrier()
    if kind == "tables":
        table.close()
    dist.destroy_process_group()
    return {"before": before, "after": after}


@pytest.mark.parametrize("kind", ["dense", "tables"])
def test_a_model_of_two_processes_is_that_of_one(switch, kind):
    """R-SERVE-5. With dense embeddings the test shows that its single process is the right one."""
    if kind == "tables" and not hasattr(_native, "SparseTable"):
        pytest.skip("this build has no native tables")
    environment = {"NETFOLD_SWITCH": switch}
    team = Processes(2, member, 2, rendezvous_file(), switch, kind, environment=environment)
    states = values(team.join())
    single = model(nn.EmbeddingBag(ROWS, DIM, mode="sum"))
    before = {key: torch.from_numpy(value) for key, value in states[0]["before"].items()}
    single.load_state_dict(before)
    train(single, list(single.parameters()), 0, 1)
    for state in states:
        for key, expected in single.state_dict().items():
            # In each step a number is rounded in a few operations, and a sum of the switch's by
            # 2^-30 of the largest (R-NUM-10); numbers are below 8, and no slope is at the edge of
            # a sixteenth, where the next rounding would show.
            found = torch.from_numpy(state["after"][key])
            torch.testing.assert_close(found, expected, rtol=0, atol=STEPS * 2.0**-18)
