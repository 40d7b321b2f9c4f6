"""Learning rates of tables that change within a run, beside those of torch (R-SERVE-16)."""

from __future__ import annotations

import warnings

import pytest
import torch
from torch import nn

import netfold
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag
from sparse_tables import DIM, ROWS, Batches, Tables, hot_set, quantised, trained
from team import in_threads, values

STEP = torch.optim.lr_scheduler.StepLR

OPTIMIZERS = {
    "sgd": ({"name": "sgd", "lr": 0.5}, torch.optim.SGD, 0.5),
    "adam": ("adam", torch.optim.SparseAdam, 0.001),
    "instance": (
        lambda: torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=0.5),
        torch.optim.SGD,
        0.5,
    ),
}


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_scheduler_of_torch_changes_the_rate_as_in_torch(tables, optimizer, workers):
    """StepLR, two steps with each rate, in synchronous steps beside a single process."""
    named, kind, rate = OPTIMIZERS[optimizer]
    batches = Batches(steps=6)

    def work(rank: int) -> tuple[dict, dict]:
        module = HotColdEmbeddingBag(
            ROWS,
            DIM,
            mode="sum",
            hot=hot_set(0, 1, 2, 5),
            optimizer=named() if callable(named) else named,
            consistency="sync",
            **tables.of(rank, workers),
        )
        assert module.lr == rate
        before = module.state_dict()
        scheduler = STEP(module.optimizer, step_size=2, gamma=0.25)

        def step() -> None:
            module.step()
            scheduler.step()

        trained(module, batches, step, rank, workers)
        after = module.state_dict()
        assert module.lr == rate / 64
        module.close()
        return before, after

    # SGD applies the entries of a sparse gradient one by one, and rounds each time.
    single = nn.EmbeddingBag(ROWS, DIM, mode="sum", sparse=kind is torch.optim.SparseAdam)
    states = values(in_threads(workers, work))
    single.load_state_dict(states[0][0])
    constant = nn.EmbeddingBag.from_pretrained(
        single.weight.detach().clone(), freeze=False, mode="sum", sparse=single.sparse
    )
    for module, scheduled in [(single, True), (constant, False)]:
        alone = kind(module.parameters(), lr=rate)
        scheduler = STEP(alone, step_size=2, gamma=0.25)

        def step(alone=alone, scheduler=scheduler, scheduled=scheduled) -> None:
            alone.step()
            alone.zero_grad()
            if scheduled:
                scheduler.step()

        trained(module, batches, step)
    for _, after in states:
        torch.testing.assert_close(
            after["weight"], single.weight.detach(), rtol=0, atol=tables.tolerance
        )
    difference = (single.weight - constant.weight).abs().max()
    assert difference > 10 * tables.tolerance, "the schedule matters"


def test_the_rate_of_resident_rows_is_the_workers(switch):
    """R-KEY-12: a worker multiplies what it adds at the switch."""
    module = HotColdEmbedding(
        ROWS,
        DIM,
        hot=hot_set(0, 1),
        optimizer={"name": "sgd", "lr": 1.0},
        resident=True,
        initialiser="constant",
        **Tables({"switch": switch}, 0.0).of(),
    )
    keys = torch.tensor([0, 7])
    for rate in (1.0, 0.25):
        module.lr = rate
        module(keys).sum().backward()
        module.step()
        module.flush()
    expected = torch.full((2, DIM), -1.25)
    torch.testing.assert_close(module(keys).detach(), expected, rtol=0, atol=0)
    module.close()


def test_a_step_without_an_optimizer_of_its_own_may_be_the_tables(double):
    """`module.optimizer.step()` ends the step; torch's schedulers have nothing to warn of."""
    module = HotColdEmbedding(ROWS, DIM, optimizer="sgd", **double.of())
    scheduler = STEP(module.optimizer, step_size=1, gamma=0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(2):
            quantised(module(torch.tensor([1])), torch.zeros(1, DIM)).backward()
            module.optimizer.step()
            scheduler.step()
    log = [entry for entry in double.cluster.tables[double.name].log if entry[0] != "pull"]
    pushes = ("push", 0, [1])
    assert log == [pushes, ("end", 0, 0), ("lr", 0, 0.0005), pushes, ("end", 0, 1)]
    module.close()


def test_a_rate_is_told_once_and_before_what_it_is_for(double):
    module = HotColdEmbedding(ROWS, DIM, optimizer={"name": "sgd", "lr": 0.5}, **double.of())
    module.lr = 0.5
    for rate in (0.5, 0.25, 0.25):
        module.lr = rate
        quantised(module(torch.tensor([1])), torch.zeros(1, DIM)).backward()
        module.step()
    log = [entry for entry in double.cluster.tables[double.name].log if entry[0] == "lr"]
    assert log == [("lr", 0, 0.25)]
    module.close()


def test_what_cannot_be_scheduled_is_refused_by_name(double):
    module = HotColdEmbedding(
        ROWS, DIM, optimizer={"name": "sgd", "lr": 0.5, "momentum": 0.5}, **double.of()
    )
    for wrong in (-1.0, float("nan"), float("inf"), "fast", None):
        with pytest.raises(netfold.ConfigurationError, match="lr of sgd is a number from 0"):
            module.lr = wrong
    module.optimizer.param_groups[0]["momentum"] = 0.75
    with pytest.raises(netfold.ConfigurationError, match="momentum of the table's optimizer"):
        module.step()
    module.optimizer.param_groups[0]["momentum"] = 0.5
    module.close()
