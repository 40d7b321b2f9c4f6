"""Steps of tables, which end with those of optimizers, and pulls ahead of batches."""

from __future__ import annotations

import pytest
import torch
from torch import nn

import netfold
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag, Prefetching
from sparse_tables import DIM, ROWS, doubles
from team import in_threads, values


@pytest.fixture
def double():
    return doubles()


def test_a_prefetch_for_another_step_is_not_used_in_synchronous_steps(double):
    module = HotColdEmbeddingBag(ROWS, DIM, consistency="sync", **double.of())
    keys = torch.tensor([[1, 2]])
    module.prefetch(keys, ahead=0)
    module.step()
    module(keys)
    log = double.cluster.tables[double.name].log
    assert [entry[-1] for entry in log if entry[0] == "pull"] == [0, 1]
    module.prefetch(keys.clone(), ahead=0)  # another tensor, the same keys
    module(keys)
    changed = keys.clone()
    module.prefetch(changed, ahead=0)
    changed += 1
    module(changed)
    assert [entry[2] for entry in log[-2:] if entry[0] == "pull"] == [[1, 2], [2, 3]]
    assert len([entry for entry in log if entry[0] == "pull"]) == 5
    with pytest.raises(netfold.ConfigurationError, match="-1"):
        module.prefetch(keys, ahead=-1)


def test_a_loader_is_one_batch_ahead():
    seen = []
    ahead = Prefetching([1, 2, 3], lambda batch: seen.append(f"pull {batch}"))
    for batch in ahead:
        seen.append(batch)
    assert seen == ["pull 2", 1, "pull 3", 2, 3]
    assert len(ahead) == 3
    assert list(Prefetching([], seen.append)) == []


def test_a_step_ends_with_that_of_an_optimizer(double):
    module = HotColdEmbedding(ROWS, DIM, consistency="sync", **double.of())
    dense = nn.Linear(DIM, 1)
    other = torch.optim.SGD(nn.Linear(1, 1).parameters())
    optimizer = torch.optim.Adam(dense.parameters())
    log = double.cluster.tables[double.name].log
    other.step()
    assert log == [], "no forward pass, so no step"
    for step in range(2):
        for _ in range(2):  # gradients of two batches
            dense(module(torch.tensor([step]))).sum().backward()
        optimizer.step()
        other.step()
    assert [entry[0] for entry in log] == ["pull", "push", "pull", "push", "end"] * 2
    assert [entry[-1] for entry in log if entry[0] == "end"] == [0, 1]
    module.eval()
    module(torch.tensor([1]))
    optimizer.step()
    assert log[-1][0] == "pull"


def test_a_step_may_end_by_hand_alone(double):
    module = HotColdEmbedding(
        ROWS, DIM, consistency="sync", step_with_optimizers=False, **double.of()
    )
    module(torch.tensor([1])).sum().backward()
    torch.optim.SGD([nn.Parameter(torch.ones(1))]).step()
    log = double.cluster.tables[double.name].log
    assert [entry[0] for entry in log] == ["pull", "push"]
    module.step()
    assert log[-1] == ("end", 0, 0)


def test_an_optimizer_of_another_thread_ends_no_step(double):
    """Another worker's, where workers are threads; or that of another model."""
    module = HotColdEmbedding(ROWS, DIM, consistency="sync", **double.of())
    module(torch.tensor([1])).sum().backward()
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))])
    values(in_threads(1, lambda _: optimizer.step()))
    log = double.cluster.tables[double.name].log
    assert log[-1][0] == "push"
    optimizer.step()
    assert log[-1] == ("end", 0, 0)


def test_a_backward_pass_that_is_repeated_pushes_its_gradient_again(double):
    module = HotColdEmbedding(ROWS, DIM, optimizer={"name": "sgd", "lr": 1.0}, **double.of())
    before = module.read_rows(1, 2)
    loss = module(torch.tensor([1])).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    torch.testing.assert_close(before - module.read_rows(1, 2), torch.full((1, DIM), 2.0))


def test_an_optimizer_within_the_backward_pass_ends_the_step_after_it(double):
    module = HotColdEmbedding(ROWS, DIM, consistency="sync", **double.of())
    dense = nn.Linear(DIM, 1)
    optimizer = torch.optim.SGD(dense.parameters(), lr=0.1)
    dense.bias.register_post_accumulate_grad_hook(lambda _: optimizer.step())
    log = double.cluster.tables[double.name].log
    for _ in range(2):
        dense(module(torch.tensor([1]))).sum().backward()
    assert [entry[0] for entry in log] == ["pull", "push", "end"] * 2
