"""Checks of all-reduces of sparse tensors (R-STREAM-12); importing this module adds them to those
of `torch_checks.py`.

The oracle is NumPy on dense arrays, which each rank makes for all ranks.
"""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import torch
import torch.distributed as dist

from oracle import assert_fold, sample
from torch_checks import CHECKS, OPS, arithmetic_of, check, to_numpy, to_torch
from torch_world import Check, Lines

__all__ = ["CHECKS"]

SHAPES = [((40,), 1), ((5000, 3), 1), ((3, 7, 2, 5), 2), ((6, 4), 2), ((9, 0), 1)]
"""Shapes of tensors, and how many of their dimensions are sparse."""


def part(seed: int, shape: tuple[int, ...], sparse: int, dtype: str) -> tuple[np.ndarray, ...]:
    """Keys of one rank, in any order, and their rows. Every fourth rank has no key."""
    random = np.random.default_rng(seed)
    rows = int(np.prod(shape[:sparse]))
    keys = random.permutation(rows)[: 0 if seed % 4 == 3 else random.integers(1, rows + 1)]
    return np.stack(np.unravel_index(keys, shape[:sparse])), sample(
        seed, (len(keys), *shape[sparse:]), dtype
    )


def to_dense(keys: np.ndarray, rows: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """A dense array with the rows at their keys, and zeros elsewhere."""
    dense = np.zeros(shape, rows.dtype)
    dense[tuple(keys)] = rows
    return dense


def to_sparse(keys: np.ndarray, rows: np.ndarray, shape: tuple[int, ...]) -> torch.Tensor:
    """A tensor that has not been coalesced."""
    return torch.sparse_coo_tensor(
        torch.from_numpy(keys), to_torch(rows), shape, check_invariants=True
    )


def _folds(op: str, dtype: str) -> Check:
    def run(rank: int, size: int) -> None:
        for seed, (shape, sparse) in enumerate(SHAPES):
            parts = [part(16 * seed + other, shape, sparse, dtype) for other in range(size)]
            tensor = to_sparse(*parts[rank], shape)
            dist.all_reduce(tensor, OPS[op])
            assert tensor.is_coalesced()
            assert tensor.sparse_dim() == sparse
            everyone = {tuple(key) for keys, _ in parts for key in keys.T}
            assert [tuple(key) for key in tensor.indices().T.tolist()] == sorted(everyone)
            arrays = [to_dense(*each, shape) for each in parts]
            result = to_dense(tensor.indices().numpy(), to_numpy(tensor.values()), shape)
            assert_fold(result, arrays, op, arithmetic_of(dtype, op))

    return run


for _op, _dtypes in {
    "sum": ("float32", "float16", "bfloat16", "float64", "int32", "int64", "uint8"),
    "avg": ("float32", "bfloat16", "float64"),
}.items():
    for _dtype in _dtypes:
        CHECKS[f"sparse_{_op}_{_dtype}"] = _folds(_op, _dtype)


@check
def sparse_sums_go_through_the_switch(rank: int, size: int) -> None:
    lines = Lines()
    dist.all_reduce(torch.eye(3).to_sparse())
    assert lines.lines == []


@check
def keys_that_repeat_are_added(rank: int, size: int) -> None:
    tensor = torch.sparse_coo_tensor([[4, 1, 4]], [1.0, 2.0, 3.0], (6,), check_invariants=True)
    dist.all_reduce(tensor)
    assert tensor.to_dense().tolist() == [0, 2 * size, 0, 0, 4 * size, 0]


@check
def keys_may_have_64_bits(rank: int, size: int) -> None:
    side = 1 << 30
    keys = torch.tensor([[0, side - 1, rank], [0, side - 1, side - 1]])
    tensor = torch.sparse_coo_tensor(keys, torch.ones(3), (side, side), check_invariants=True)
    dist.all_reduce(tensor)
    expected = {(0, 0): size, (side - 1, side - 1): size}
    expected |= {(other, side - 1): 1 for other in range(size)}
    summed = dict(
        zip(map(tuple, tensor.indices().T.tolist()), tensor.values().tolist(), strict=True)
    )
    assert summed == expected


@check
def no_rank_may_have_a_key(rank: int, size: int) -> None:
    tensor = torch.sparse_coo_tensor(size=(10, 2))
    dist.all_reduce(tensor)
    assert tensor._nnz() == 0
    # The calls after it still meet.
    alone = torch.sparse_coo_tensor([[7]] if rank == 0 else [[]], [1.0] * (rank == 0), (10,))
    dist.all_reduce(alone)
    assert alone.to_dense().tolist() == [0] * 7 + [1, 0, 0]


@check
def sparse_sums_take_their_turn(rank: int, size: int) -> None:
    """Sparse and dense calls of two groups at once, begun in another order at each rank."""
    groups = [dist.new_group() for _ in range(2)]
    works = []
    for step in range(5):
        for number in (0, 1) if (rank + step) % 2 else (1, 0):
            count = 1000 * (step + 1)
            keys = torch.arange(rank, count, rank + 1)[None]
            tensor = torch.sparse_coo_tensor(keys, torch.ones(keys.numel()), (count,))
            dense = torch.full((count,), float(step))
            for each in (tensor, dense):
                work = dist.all_reduce(each, group=groups[number], async_op=True)
                works.append((work, each, step))
    for number, (work, tensor, step) in enumerate(works):
        if number % 2:
            assert work.get_future().wait()[0] is tensor
        assert work.wait(timedelta(seconds=20))
        assert work.is_completed()
        assert work.is_success()
        assert work.result()[0] is tensor
        expected = torch.full((1000 * (step + 1),), float(step * size))
        if tensor.is_sparse:
            positions = torch.arange(len(expected))
            expected = sum(
                ((positions >= other) & ((positions - other) % (other + 1) == 0)).float()
                for other in range(size)
            )
        assert torch.equal(tensor.to_dense(), expected)


@check
def a_sparse_sum_leaves_the_mode_alone(rank: int, size: int) -> None:
    with torch.inference_mode():
        made_there = torch.eye(2).to_sparse()
        dist.all_reduce(made_there)
        assert torch.equal(made_there.to_dense(), size * torch.eye(2))
    leaf = torch.eye(2).to_sparse().requires_grad_()
    with torch.no_grad():
        dist.all_reduce(leaf)
    assert leaf.requires_grad
    assert torch.equal(leaf.detach().to_dense(), size * torch.eye(2))


@check
def embeddings_train_as_in_one_process(rank: int, size: int) -> None:
    """DDP on an embedding with sparse gradients; the loss is the mean over all samples."""
    torch.manual_seed(11)
    table = torch.nn.Embedding(200, 8, sparse=True)
    alone = torch.nn.Embedding.from_pretrained(table.weight.clone(), freeze=False, sparse=True)
    model = torch.nn.parallel.DistributedDataParallel(table)
    optimisers = [torch.optim.SGD(each.parameters(), lr=0.1) for each in (model, alone)]
    generator = torch.Generator().manual_seed(5)
    for _ in range(4):
        keys = torch.randint(0, 200, (size, 32), generator=generator)
        goals = torch.randn(size, 32, 8, generator=generator)
        for optimiser, run, mine, goal in zip(
            optimisers, (model, alone), (keys[rank], keys), (goals[rank], goals), strict=True
        ):
            optimiser.zero_grad()
            (run(mine) - goal).square().mean().backward()
            optimiser.step()
    # Weights below 4 have places of 2^-22, and each of four steps may round to the next one.
    # Gradients are below 1/16: their errors, and the fold's, are less than a hundredth of that.
    torch.testing.assert_close(model.module.weight, alone.weight, rtol=0, atol=1e-6)
