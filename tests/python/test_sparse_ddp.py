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
from sparse_servers import ServerProcess
from sparse_tables import DIM, ROWS, Batches, hot_set, quantised
from team import LIMIT_S, Processes, gates, ranks_in, values
from torch_world import init_group, rendezvous_file

RATE, STEPS = 0.25, 4

TOLERANCE = STEPS * 2.0**-18
"""In each step a number is rounded in a few operations, and a sum of the switch's by 2^-30 of the
largest (R-NUM-10); numbers are below 8, and no slope is at the edge of a sixteenth, where the next
rounding would show.
"""

native = pytest.mark.skipif(
    not hasattr(_native, "SparseTable"), reason="this build has no native tables"
)


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
            found = torch.from_numpy(state["after"][key])
            torch.testing.assert_close(found, expected, rtol=0, atol=TOLERANCE)


class Recommender(nn.Module):
    """Two embeddings, of different widths, and a dense layer."""

    def __init__(self, users: nn.Module, items: nn.Module) -> None:
        super().__init__()
        self.users, self.items = users, items
        torch.manual_seed(5)
        self.dense = nn.Linear(DIM + 2, DIM)

    def forward(self, keys: torch.Tensor) -> torch.Tensor:
        # The gradients of the items are exact, for an optimizer that divides by their size.
        return self.dense(self.users(keys)) + self.items(ROWS - 1 - keys)


def in_tables(server: str, switch: str) -> Recommender:
    """One whose embeddings are in tables with an optimizer each, of two workers."""
    shared = {
        "mode": "sum",
        "initialiser": "uniform",
        "consistency": "sync",
        "switch": switch,
        "servers": [server],
        "timeout": 3.0,
    }
    users = HotColdEmbeddingBag(
        ROWS,
        DIM + 2,
        hot=hot_set(0, 1, 2),
        optimizer={"name": "sgd", "lr": RATE},
        name="users",
        **shared,
    )
    items = HotColdEmbeddingBag(
        ROWS,
        DIM,
        hot=hot_set(*range(ROWS - 5, ROWS)),
        optimizer={"name": "adagrad", "lr": RATE},
        name="items",
        **shared,
    )
    return Recommender(users, items)


def recommends(
    rank: int,
    note: Any,
    size: int,
    rendezvous: str,
    server: str,
    switch: str,
    stops: dict[int, dict[int, Any]],
    steps: int,
) -> dict[str, dict[str, np.ndarray]]:
    """A worker that trains. It stops after the steps that its `stops` have, until the gate opens."""
    init_group(rank, size, rendezvous)
    whole = in_tables(server, switch)
    before = copied(whole)
    note(before)
    dist.barrier()
    trained = nn.parallel.DistributedDataParallel(whole)
    optimizer = torch.optim.SGD(whole.parameters(), lr=RATE)
    batches = Batches(steps=STEPS)
    for step in range(steps):
        keys, targets = batches.of(step, rank, size)
        optimizer.zero_grad()
        quantised(trained(keys), targets).backward()
        optimizer.step()
        gate = stops.get(rank, {}).get(step + 1)
        if gate is not None:
            # The servers know of the step's end before anybody learns that it is over.
            for table in (whole.users, whole.items):
                table.flush()
            note(step + 1)
            assert gate.wait(LIMIT_S)
    after = copied(whole)
    dist.barrier()
    shares = [table.stats()["hot_share"] for table in (whole.users, whole.items)]
    assert steps == 0 or all(0 < share < 1 for share in shares), shares
    for table in (whole.users, whole.items):
        table.close()
    dist.destroy_process_group()
    return {"before": before, "after": after}


def of_one_process(before: dict[str, np.ndarray], steps: int) -> dict[str, torch.Tensor]:
    """The state of a single process after so many steps with all workers' batches."""
    bags = [nn.EmbeddingBag(ROWS, width, mode="sum") for width in (DIM + 2, DIM)]
    single = Recommender(*bags)
    single.load_state_dict({key: torch.from_numpy(value) for key, value in before.items()})
    plain = [*single.users.parameters(), *single.dense.parameters()]
    optimizers = [
        torch.optim.SGD(plain, lr=RATE),
        torch.optim.Adagrad(single.items.parameters(), lr=RATE),
    ]
    batches = Batches(steps=STEPS)
    for step in range(steps):
        keys, targets = batches.of(step)
        quantised(single(keys), targets).backward()
        for optimizer in optimizers:
            optimizer.step()
            optimizer.zero_grad()
    return single.state_dict()


def same(found: dict[str, np.ndarray], expected: dict[str, torch.Tensor]) -> None:
    assert list(found) == list(expected)
    for key, value in expected.items():
        torch.testing.assert_close(torch.from_numpy(found[key]), value, rtol=0, atol=TOLERANCE)


@native
def test_two_tables_beside_ddp_are_those_of_one_process(switch):
    """R-SERVE-5: each has a width, hot keys and an optimizer of its own."""
    environment = {"NETFOLD_SWITCH": switch}
    with ServerProcess() as server:
        given = (2, rendezvous_file(), server.address, switch, {}, STEPS)
        states = values(Processes(2, recommends, *given, environment=environment).join())
    expected = of_one_process(states[0]["before"], STEPS)
    for state in states:
        same(state["after"], expected)
        moved = [
            np.abs(value - state["before"][key]).max() for key, value in state["after"].items()
        ]
        assert min(moved) > 100 * TOLERANCE, "the test trains all of it"


@native
def test_a_worker_that_is_killed_beside_two_tables_is_named_and_loses_no_step(switch):
    """R-SERVE-5: the servers have the steps that both had ended, whole, and nothing of another."""
    environment = {"NETFOLD_SWITCH": switch}
    ended = 2
    with ServerProcess() as server:
        # A gate of each: opening one waits for all that wait there, and would for the one killed.
        stops = [gates(ended), gates(ended)]
        given = (server.address, switch)
        team = Processes(
            2,
            recommends,
            *(2, rendezvous_file(), *given, dict(enumerate(stops)), STEPS),
            environment=environment,
        )
        for rank in range(2):
            team.until_noted(rank, 2)
        team.kill(1)
        stops[0][ended].set()
        outcome = team.join()[0]
        # DDP hands it on with the name in the message.
        assert "WorkerLostError" in outcome.message, outcome.trace
        assert ranks_in(outcome.message) == {"1"}, outcome.message
        # The next run finds its tables by their names.
        again = Processes(
            2, recommends, 2, rendezvous_file(), *given, {}, 0, environment=environment
        )
        states = values(again.join())
    expected = of_one_process(outcome.notes[0], ended)
    for state in states:
        kept = {key: value for key, value in state["before"].items() if "dense" not in key}
        same(kept, {key: expected[key] for key in kept})
