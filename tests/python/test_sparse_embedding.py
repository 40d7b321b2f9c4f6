"""Embeddings in tables beside those of torch.nn in a single process."""

from __future__ import annotations

import copy
import os
import pickle
import threading

import pytest
import torch
from torch import nn

import netfold
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag, Prefetching
from sparse_tables import DIM, ROWS, Batches, Tables, hot_set, quantised, trained
from team import in_threads, values

OPTIMIZERS = {
    "sgd": ({"name": "sgd", "lr": 0.25}, torch.optim.SGD, {"lr": 0.25}),
    "adagrad": (
        torch.optim.Adagrad([nn.Parameter(torch.ones(1))], lr=0.1),
        torch.optim.Adagrad,
        {"lr": 0.1},
    ),
    "adam": ({"name": "adam", "lr": 0.1}, torch.optim.SparseAdam, {"lr": 0.1}),
}


def close_to(found: torch.Tensor, expected: torch.Tensor, tables: Tables) -> None:
    torch.testing.assert_close(found, expected, rtol=0, atol=tables.tolerance)


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("mode", ["sum", "mean"])
def test_synchronous_steps_are_those_of_a_single_process(tables, mode, optimizer, workers):
    """R-SERVE-5"""
    named, kind, options = OPTIMIZERS[optimizer]
    batches = Batches()

    def work(rank: int) -> tuple[dict, dict]:
        module = HotColdEmbeddingBag(
            ROWS,
            DIM,
            mode=mode,
            hot=hot_set(0, 1, 2, 5),
            optimizer=named,
            consistency="sync",
            **tables.of(rank, workers),
        )
        before = module.state_dict()
        trained(module, batches, module.step, rank, workers)
        after = module.state_dict()
        module.close()
        return before, after

    # Adam of a table is that for sparse gradients. SGD applies the entries of one one by one, and
    # rounds each time.
    single = nn.EmbeddingBag(ROWS, DIM, mode=mode, sparse=optimizer != "sgd")
    states = values(in_threads(workers, work))
    single.load_state_dict(states[0][0])
    start = single.weight.detach().clone()
    alone = kind(single.parameters(), **options)
    trained(single, batches, lambda: (alone.step(), alone.zero_grad()))
    for _, after in states:
        close_to(after["weight"], single.weight.detach(), tables)
    moved = (single.weight.detach() - start).abs()
    assert moved.max() > 0.1, "the test trains"
    assert (moved.amax(1) == 0).any(), "and not every row"


@pytest.mark.parametrize("padding", [None, 3, -1])
def test_an_embedding_is_that_of_torch(tables, padding):
    """Shapes, padding, and the gradient of what comes after."""
    single = nn.Embedding(ROWS, DIM, padding_idx=padding)
    module = HotColdEmbedding(
        ROWS, DIM, padding, optimizer={"name": "sgd", "lr": 0.5}, consistency="sync", **tables.of()
    )
    module.load_state_dict(single.state_dict())
    alone = torch.optim.SGD(single.parameters(), lr=0.5)
    for shape in (7,), (3, 5), (2, 2, 3), ():
        keys = torch.randint(0, ROWS, shape, generator=torch.Generator().manual_seed(1))
        if len(shape) > 0:
            keys[..., 0] = (padding or 0) % ROWS
        for embedding, step in (single, alone.step), (module, module.step):
            found = embedding(keys.int() if len(shape) == 2 else keys)
            quantised(found.reshape(-1, DIM), torch.zeros(DIM)).backward()
            step()
        alone.zero_grad()
        close_to(module(keys), single(keys), tables)
    close_to(module.state_dict()["weight"], single.weight.detach(), tables)
    module.close()


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
@pytest.mark.parametrize("last", [False, True])
def test_bags_by_offsets_are_those_of_torch(tables, mode, last):
    single = nn.EmbeddingBag(ROWS, DIM, mode=mode, padding_idx=2, include_last_offset=last)
    module = HotColdEmbeddingBag(
        ROWS, DIM, mode=mode, padding_idx=2, include_last_offset=last, **tables.of()
    )
    module.load_state_dict(single.state_dict())
    keys = torch.tensor([4, 2, 2, 9, 4, 7, 7, 2])
    offsets = torch.tensor([0, 3, 3, 7] + ([8] if last else []), dtype=torch.int32)
    torch.testing.assert_close(module(keys, offsets), single(keys, offsets.long()), rtol=0, atol=0)
    nothing = torch.empty(0, dtype=torch.int64)
    empty = torch.zeros(3, dtype=torch.int64)
    torch.testing.assert_close(module(nothing, empty), single(nothing, empty), rtol=0, atol=0)
    module(nothing, empty).sum().backward() if mode != "max" else None
    module.close()


def test_weights_of_samples_have_gradients(tables):
    single = nn.EmbeddingBag(ROWS, DIM, mode="sum")
    module = HotColdEmbeddingBag(ROWS, DIM, mode="sum", consistency="sync", **tables.of())
    module.load_state_dict(single.state_dict())
    keys = torch.tensor([[4, 2, 2], [9, 4, 7]])
    alone = torch.optim.SGD(single.parameters(), lr=1e-3)
    found = []
    for embedding in single, module:
        factors = torch.tensor([[0.5, 1, 2], [4, 0.25, 1]], requires_grad=True)
        quantised(embedding(keys, per_sample_weights=factors), torch.zeros(DIM)).backward()
        found.append(factors.grad)
    alone.step()
    module.step()
    torch.testing.assert_close(found[1], found[0], rtol=0, atol=0)
    close_to(module.state_dict()["weight"], single.weight.detach(), tables)
    module.close()


@pytest.mark.parametrize("staleness", [None, 2])
def test_asynchronous_training_converges(tables, staleness):
    """R-SERVE-4: rows come to what the samples ask for, whoever pushes first."""
    workers, targets = 3, torch.linspace(-1, 1, ROWS * DIM).reshape(ROWS, DIM)

    def work(rank: int) -> float:
        module = HotColdEmbedding(
            ROWS,
            DIM,
            hot=hot_set(0, 1, 2, 3),
            optimizer={"name": "sgd", "lr": 1 / 6},
            staleness=staleness,
            average=False,
            **tables.of(rank, workers),
        )
        random = torch.Generator().manual_seed(rank)
        for _ in range(60):
            keys = torch.randperm(ROWS, generator=random)[:32]
            (0.5 * (module(keys) - targets[keys]) ** 2).sum().backward()
            module.step()
            if staleness is None:
                # Sums of hot rows may be as old as the table allows, which is many rounds here.
                module.flush()
        module.flush()
        pushed.wait()
        found = module(torch.arange(ROWS)).detach()
        module.close()
        return float((found - targets).abs().max())

    pushed = threading.Barrier(workers)
    # A push takes a sixth of a row's distance. At most nine overlap, those of three steps of each
    # worker, and overshoot by half of it: each round at least halves what is left in the end, and a
    # row has some 40 rounds of each worker.
    assert max(values(in_threads(workers, work))) < 1e-3


def test_evaluation_pushes_nothing(double):
    module = HotColdEmbeddingBag(ROWS, DIM, **double.of())
    keys = torch.tensor([[1, 2]])
    assert module(keys).requires_grad
    assert not module.eval()(keys).requires_grad
    module.train()
    with torch.no_grad():
        assert not module(keys).requires_grad
    assert [entry[0] for entry in double.cluster.tables[double.name].log] == ["pull"] * 3
    assert list(module.parameters()) == []
    assert list(module.buffers()) == []


def test_a_gradient_is_pushed_while_the_backward_pass_goes_on(double):
    """The rows of a later layer are on their way before an earlier layer has its gradient."""
    log = []
    early = nn.Parameter(torch.ones(DIM))
    early.register_post_accumulate_grad_hook(lambda _: log.append("early"))
    late = HotColdEmbedding(ROWS, DIM, **double.of())
    entries = double.cluster.tables[double.name].log
    scaled = early * 2
    late_rows = late(torch.tensor([3]))
    scaled.register_hook(lambda _: log.append(entries[-1][0]))
    (scaled * late_rows).sum().backward()
    assert log == ["push", "early"]
    assert entries[-1] == ("push", 0, [3])


def test_a_prefetch_is_one_pull_for_its_batch(tables):
    """The numbers are the same, with and without; no row is pulled twice."""
    batches = Batches(steps=6)
    parts = [batches.of(step) for step in range(batches.steps)]

    def run(prefetches: bool) -> torch.Tensor:
        own = Tables(tables.options, 0, tables.cluster)
        module = HotColdEmbeddingBag(ROWS, DIM, mode="sum", consistency="sync", **own.of())
        loader = (
            Prefetching(parts, lambda batch: module.prefetch(batch[0])) if prefetches else parts
        )
        for keys, targets in loader:
            quantised(module(keys), targets).backward()
            module.step()
        if tables.cluster is not None:
            pulls = [entry for entry in tables.cluster.tables[own.name].log if entry[0] == "pull"]
            assert sorted(step for *_, step in pulls) == list(range(batches.steps))
        weight = module.state_dict()["weight"]
        module.close()
        return weight

    close_to(run(True), run(False), tables)


def test_sums_may_be_left_undivided(double):
    def work(rank: int) -> torch.Tensor:
        module = HotColdEmbedding(
            ROWS,
            DIM,
            optimizer={"name": "sgd", "lr": 1.0},
            consistency="sync",
            average=False,
            **double.of(rank, 2),
        )
        before = module.read_rows(0, 1)
        module(torch.tensor([0])).sum().backward()
        module.step()
        return before - module.read_rows(0, 1)

    for moved in values(in_threads(2, work)):
        torch.testing.assert_close(moved, torch.full((1, DIM), 2.0))


def test_a_gradient_that_is_not_finite_is_refused(double):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    rows = module(torch.tensor([4, 7]))
    with pytest.raises(netfold.NetfoldError, match=r"row 7 .* not finite"):
        (rows * torch.tensor([[1.0], [float("inf")]])).sum().backward()
    assert [entry[0] for entry in double.cluster.tables[double.name].log] == ["pull"]


def test_a_copy_is_refused(double):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    model = nn.Sequential(module, nn.Linear(DIM, 1))
    for copied in (copy.deepcopy, copy.copy, pickle.dumps):
        with pytest.raises(netfold.UnsupportedError, match="state_dict"):
            copied(module)
    with pytest.raises(netfold.UnsupportedError):
        copy.deepcopy(model)
    assert "hot_rows=0" in repr(module)


def test_a_fork_is_refused_and_ends_nothing(double):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            module(torch.tensor([1]))
            said = "nothing"
        except netfold.ForkedError as error:
            said = str(error)
        module.close()
        os.write(write, f"{double.cluster.made[0].closed} {said}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    assert said.startswith("0 the table")
    assert "is a fork" in said
    module(torch.tensor([1]))


def test_closing_ends_the_open_step_once(double):
    module = HotColdEmbedding(ROWS, DIM, consistency="sync", **double.of())
    module(torch.tensor([1])).sum().backward()
    module.close()
    module.close()
    log = double.cluster.tables[double.name].log
    assert [entry[0] for entry in log] == ["pull", "push", "end"]
    assert double.cluster.made[0].closed == 1
    for call in (lambda: module(torch.tensor([1])), module.step, module.flush, module.stats):
        with pytest.raises(netfold.NetfoldError, match="closed"):
            call()


def test_counters(double):
    module = HotColdEmbedding(ROWS, DIM, hot=hot_set(1, 2), **double.of())
    assert module.stats()["hot_share"] == 0.0
    module(torch.tensor([1, 1, 2, 5, 6])).sum().backward()
    module.step()
    found = module.stats()
    assert found["hot_share"] == 0.5
    assert found["steps"] == 1
    assert found["pulled_bytes"] == 4 * 4 * DIM, "four keys, each once"
