"""Rows of other types than float32, beside those of torch.nn with the same optimizer."""

from __future__ import annotations

import re

import pytest
import torch
from torch import Tensor, nn

import netfold
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag
from sparse_tables import DIM, ROWS, hot_set
from team import in_threads, values

RATE, STEPS = 0.5, 6

HALVES = [torch.float16, torch.bfloat16]


def drawn(step: int, dtype: torch.dtype, rank: int = 0, workers: int = 1) -> tuple[Tensor, Tensor]:
    """Keys of a worker's part of a step, (n,), and the gradient of their rows, (n, DIM): multiples
    of 1/4 that are at most 1.
    """
    random = torch.Generator().manual_seed(step)
    keys = torch.randperm(ROWS, generator=random)[:16] // 2
    gradient = (torch.randint(-4, 5, (16, DIM), generator=random) / 4).to(dtype)
    return keys[rank::workers], gradient[rank::workers]


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("workers", [1, 2])
def test_exact_steps_give_the_bits_of_torch(tables, dtype, workers):
    """R-SERVE-3: rows are multiples of 1/8 below 8, which both types have."""

    def work(rank: int) -> Tensor:
        module = HotColdEmbedding(
            ROWS,
            DIM,
            dtype=dtype,
            hot=hot_set(0, 1, 5),
            optimizer={"name": "sgd", "lr": RATE},
            consistency="sync",
            average=False,
            **tables.of(rank, workers),
        )
        module.load_state_dict({"weight": torch.zeros(ROWS, DIM, dtype=dtype)})
        for step in range(STEPS):
            keys, gradient = drawn(step, dtype, rank, workers)
            output = module(keys)
            assert output.dtype == dtype
            output.backward(gradient)
            module.step()
        state = module.state_dict()["weight"]
        module.close()
        return state

    single = nn.Embedding(ROWS, DIM, dtype=dtype)
    nn.init.zeros_(single.weight)
    optimizer = torch.optim.SGD(single.parameters(), lr=RATE)
    for step in range(STEPS):
        keys, gradient = drawn(step, dtype)
        optimizer.zero_grad()
        single(keys).backward(gradient)
        optimizer.step()
    for state in values(in_threads(workers, work)):
        assert state.dtype == dtype
        torch.testing.assert_close(state, single.weight.detach(), rtol=0, atol=0)
    assert single.weight.abs().max() > 1, "the test trains"


@pytest.mark.parametrize("dtype", HALVES)
def test_other_steps_are_within_the_bound(tables, dtype):
    """Torch rounds a row in each step, by at most the unit roundoff u of its size: half the distance
    of 1 to the next number. Here a row is rounded once, when it is read, and by less than u / 2^10
    in each step. So for rows of at most M they differ by (STEPS + 2) u M.
    """
    module = HotColdEmbeddingBag(
        ROWS,
        DIM,
        mode="sum",
        dtype=dtype,
        optimizer={"name": "sgd", "lr": RATE},
        consistency="sync",
        **tables.of(),
    )
    single = nn.EmbeddingBag(ROWS, DIM, mode="sum", dtype=dtype)
    module.load_state_dict(single.state_dict())
    optimizer = torch.optim.SGD(single.parameters(), lr=RATE)
    largest = float(single.weight.detach().abs().max())
    for step in range(STEPS):
        random = torch.Generator().manual_seed(step)
        # A key has one gradient, so none is added up.
        keys = torch.randperm(ROWS, generator=random)[:16, None]
        gradient = torch.randn(16, DIM, generator=random).to(dtype)
        optimizer.zero_grad()
        for embedding, ends in (single, optimizer.step), (module, module.step):
            embedding(keys).backward(gradient)
            ends()
        largest = max(largest, float(single.weight.detach().abs().max()))
    found = module.state_dict()["weight"].float()
    bound = (STEPS + 2) * torch.finfo(dtype).eps / 2 * largest
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, single.weight.detach().float(), rtol=0, atol=bound)
    module.close()


@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.int64])
def test_integers_are_looked_up(tables, dtype):
    module = HotColdEmbedding(ROWS, DIM, dtype=dtype, **tables.of())
    assert module.read_rows(0, 2).tolist() == [[0] * DIM] * 2
    most = torch.iinfo(dtype).max
    weight = torch.arange(ROWS * DIM).reshape(ROWS, DIM).to(dtype)
    weight[3] = torch.tensor([most, -most, 0, 1])
    module.load_state_dict({"weight": weight})
    keys = torch.tensor([[3, 0], [ROWS - 1, 3]])
    single = nn.Embedding.from_pretrained(weight)
    torch.testing.assert_close(module(keys), single(keys), rtol=0, atol=0)
    torch.testing.assert_close(module.state_dict()["weight"], weight, rtol=0, atol=0)
    beyond = torch.tensor([[2.0**63 if dtype == torch.int64 else most + 1] * DIM])
    for refused in beyond, torch.tensor([[0.5] * DIM]):
        for write in (
            lambda rows: module.write_rows(4, rows),
            lambda rows: module.load_state_dict({"weight": rows.expand(ROWS, DIM)}),
        ):
            with pytest.raises(
                netfold.ConfigurationError, match=f"got {re.escape(str(refused[0, 0].item()))}$"
            ):
                write(refused)
    torch.testing.assert_close(module.state_dict()["weight"], weight, rtol=0, atol=0)
    module.close()


@pytest.mark.parametrize("dtype", HALVES)
def test_small_gradients_are_not_lost(tables, dtype):
    """Of 1, 128 steps of 2^-13 make a number of either type, and one of them makes none."""
    module = HotColdEmbedding(
        ROWS,
        DIM,
        dtype=dtype,
        optimizer={"name": "sgd", "lr": 2.0**-13},
        initialiser={"name": "constant", "value": 1.0},
        **tables.of(),
    )
    for _ in range(128):
        module(torch.tensor([7])).sum().backward()
        module.step()
    module.flush()
    found = module.read_rows(7, 8)
    assert found.dtype == dtype
    assert found.tolist() == [[1 - 2.0**-6] * DIM]
    module.close()


def added(dtype: torch.dtype, rank: int, step: int) -> tuple[Tensor, Tensor]:
    """Keys, of which some are equal, and what a worker adds to their rows."""
    random = torch.Generator().manual_seed(31 * step + rank)
    keys = torch.randint(0, ROWS, (6, 5), generator=random)
    if dtype.is_floating_point:
        return keys, torch.rand(6, 5, DIM, generator=random, dtype=dtype)
    limits = torch.iinfo(dtype)
    return keys, torch.randint(
        limits.min, limits.max, (6, 5, DIM), generator=random, dtype=torch.int64
    ).to(dtype)


@pytest.mark.parametrize("resident", [False, True])
@pytest.mark.parametrize("dtype", [torch.int8, torch.int32, torch.int64])
def test_workers_add_to_rows_of_integers(tables, dtype, resident):
    """R-SERVE-24: sums of equal keys, of workers and of steps, which wrap around."""
    expected = torch.zeros(ROWS, DIM, dtype=dtype)

    def work(rank: int) -> Tensor:
        hot = hot_set(*range(0, ROWS, 3))
        options = tables.of(rank, 2, dtype=dtype, hot=hot, resident=resident, padding_idx=5)
        module = HotColdEmbedding(ROWS, DIM, **options)
        for step in range(STEPS):
            module.add_rows(*added(dtype, rank, step))
        module.flush()
        module._opened.workers.meet("all have added", 60.0)
        found = module(torch.arange(ROWS))
        assert not found.requires_grad
        with pytest.raises(netfold.ConfigurationError, match="no learning rate"):
            module.lr = 0.5
        module.close()
        return found

    for rank in range(2):
        for step in range(STEPS):
            keys, rows = added(dtype, rank, step)
            expected.index_add_(0, keys.reshape(-1), rows.reshape(-1, DIM))
    expected[5] = 0
    for found in values(in_threads(2, work)):
        torch.testing.assert_close(found, expected, rtol=0, atol=0)


def test_rows_that_are_not_added_are_named(double):
    module = HotColdEmbedding(ROWS, DIM, dtype=torch.int64, **double.of())
    keys, rows = torch.tensor([1, 2]), torch.ones(2, DIM, dtype=torch.int64)
    for wrong, hint in (rows[:1], r"shape \(2, 4\)"), (rows.float(), "torch.float32"):
        with pytest.raises(netfold.ConfigurationError, match=hint):
            module.add_rows(keys, wrong)
    with pytest.raises(netfold.KeyRangeError, match=f"key {ROWS}"):
        module.add_rows(torch.tensor([1, ROWS]), rows)
    module.add_rows(torch.empty(0, dtype=torch.int64), rows[:0])
    assert double.cluster.made[0].counters["updates"] == 0
    trained = HotColdEmbedding(ROWS, DIM, **double.of(name="trained"))
    with pytest.raises(netfold.ConfigurationError, match=r'optimizer="sum"; .* sgd'):
        trained.add_rows(keys, rows.float())
    with pytest.raises(netfold.ConfigurationError, match=r"adam applies gradients.*int64"):
        HotColdEmbedding(ROWS, DIM, dtype=torch.int64, optimizer="adam", **double.of())
    module.close()
    trained.close()


@pytest.mark.parametrize("optimizer", ["sgd", "adagrad", "adam"])
def test_doubles_are_trained_as_in_torch(tables, optimizer):
    """To rounding of 64 bits: a float of 32 on the way would be off by 2^29 times as much."""
    options = {"name": optimizer, "lr": 0.1}
    module = HotColdEmbedding(
        ROWS,
        DIM,
        dtype=torch.float64,
        consistency="sync",
        hot=hot_set(*range(0, ROWS, 3)),
        optimizer=options,
        **tables.of(),
    )
    module.load_state_dict(
        {"weight": torch.linspace(-1, 1, ROWS * DIM).double().reshape(ROWS, DIM)}
    )
    single = nn.Embedding(ROWS, DIM, sparse=True, dtype=torch.float64)
    single.load_state_dict(module.state_dict())
    makers = {
        "sgd": torch.optim.SGD,
        "adagrad": torch.optim.Adagrad,
        "adam": torch.optim.SparseAdam,
    }
    stepping = makers[optimizer](single.parameters(), lr=0.1)
    random = torch.Generator().manual_seed(7)
    for _ in range(STEPS):
        keys = torch.randint(0, ROWS, (16,), generator=random)
        slope = torch.randn(16, DIM, generator=random, dtype=torch.float64)
        output = module(keys)
        assert output.dtype == torch.float64
        (output * slope).sum().backward()
        module.step()
        stepping.zero_grad()
        (single(keys) * slope).sum().backward()
        stepping.step()
    module.flush()
    found = module.state_dict()["weight"]
    assert found.dtype == torch.float64
    # A few roundings of numbers below 4 a step, and as many of torch.
    bound = STEPS * 16 * 4 * torch.finfo(torch.float64).eps
    torch.testing.assert_close(found, single.weight.detach(), rtol=0, atol=bound)
    module.close()


def test_types_that_rows_cannot_have_are_named(double):
    for dtype in torch.bool, torch.complex64:
        with pytest.raises(netfold.ConfigurationError, match=f"one of the types .*{dtype}"):
            HotColdEmbedding(ROWS, DIM, dtype=dtype, **double.of())
    with pytest.raises(netfold.ConfigurationError, match=r"bags are of floats"):
        HotColdEmbeddingBag(ROWS, DIM, dtype=torch.int32, **double.of())
    assert double.cluster.made == []
