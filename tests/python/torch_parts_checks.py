"""Checks of collectives in which ranks give and get parts of their own (R-STREAM-13, R-STREAM-14);
importing this module adds them to those of `torch_checks.py`. None of them needs Gloo.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
import torch
import torch.distributed as dist

from netfold.torch import backend_of
from torch_checks import CHECKS, check

__all__ = ["CHECKS"]

DTYPES = [torch.float32, torch.bfloat16, torch.bool, torch.complex64, torch.int8]


def part(source: int, target: int, shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    """The tensor of one rank for another."""
    random = torch.Generator().manual_seed(1000 * source + target)
    return torch.randint(0, 2 if dtype == torch.bool else 100, shape, generator=random).to(dtype)


def strided(tensor: torch.Tensor) -> torch.Tensor:
    """The same elements with gaps between them."""
    return torch.stack([tensor, tensor], -1)[..., 0]


@check
def parts_of_one_size(rank: int, size: int) -> None:
    for dtype in DTYPES:
        for shape in [(), (0,), (3, 5), (20_011,)]:
            for root in range(size):
                wanted = [part(source, root, shape, dtype) for source in range(size)]
                outputs = [strided(torch.zeros(shape, dtype=dtype)) for _ in wanted]
                mine = strided(wanted[rank])
                dist.gather(mine, outputs if rank == root else None, root)
                assert rank != root or all(map(torch.equal, outputs, wanted))
                inputs = [strided(part(root, target, shape, dtype)) for target in range(size)]
                output = strided(torch.zeros(shape, dtype=dtype))
                dist.scatter(output, inputs if rank == root else None, root)
                assert torch.equal(output, part(root, rank, shape, dtype))
            inputs = [part(rank, target, shape, dtype) for target in range(size)]
            outputs = [torch.zeros(shape, dtype=dtype) for _ in inputs]
            wanted = [part(source, rank, shape, dtype) for source in range(size)]
            dist.all_to_all(outputs, inputs)
            assert all(map(torch.equal, outputs, wanted))
            everything = torch.zeros((size, *shape), dtype=dtype)
            dist.all_to_all_single(everything, torch.stack(inputs))
            assert torch.equal(everything, torch.stack(wanted))


@check
def parts_of_many_sizes(rank: int, size: int) -> None:
    def rows(source: int, target: int) -> int:
        return 0 if source == target == 1 else 300 * source + 17 * target

    inputs = [part(rank, other, (rows(rank, other), 3), torch.float32) for other in range(size)]
    wanted = [part(other, rank, (rows(other, rank), 3), torch.float32) for other in range(size)]
    for asynchronous in (False, True):
        outputs = [torch.zeros_like(tensor) for tensor in wanted]
        work = dist.all_to_all(outputs, inputs, async_op=asynchronous)
        if work is not None:
            assert work.wait()
            assert work.is_completed()
            assert work.get_future().wait() is not None
        assert all(map(torch.equal, outputs, wanted))
        output = torch.zeros_like(torch.cat(wanted))
        splits = [len(tensor) for tensor in wanted], [len(tensor) for tensor in inputs]
        work = dist.all_to_all_single(output, torch.cat(inputs), *splits, async_op=asynchronous)
        if work is not None:
            work.wait()
        assert torch.equal(output, torch.cat(wanted))


@check
def unequal_calls_take_their_turn(rank: int, size: int) -> None:
    """Calls after one whose lengths are still told do not wait for it, and each has its result."""
    works, exchanged, sums = [], [], []
    for step in range(10):
        inputs = [torch.full((step + rank + 1,), float(rank)) for _ in range(size)]
        exchanged.append([torch.zeros(step + other + 1) for other in range(size)])
        works.append(dist.all_to_all(exchanged[-1], inputs, async_op=True))
        sums.append(torch.full((1000,), float(step)))
        works.append(dist.all_reduce(sums[-1], async_op=True))
    for work in reversed(works):
        work.wait()
    for step, (outputs, total) in enumerate(zip(exchanged, sums, strict=True)):
        assert all(torch.all(output == other) for other, output in enumerate(outputs))
        assert torch.all(total == step * size)


@check
def splits_that_do_not_go_together(rank: int, size: int) -> None:
    """Every rank is told, and the group goes on. Gloo does not compare them."""
    if backend_of()._exchanges_elsewhere():
        return
    takes = [1] * size
    if rank == size - 1:
        takes[0] = 4
    with pytest.raises(
        ValueError, match=f"rank 0 sends 4 bytes to rank {size - 1}, which takes 16"
    ):
        dist.all_to_all_single(
            torch.zeros(sum(takes)), torch.zeros(size), takes, [1] * size, async_op=False
        )
    total = torch.ones(1)
    dist.all_reduce(total)
    assert total.item() == size


@check
def parts_that_cannot_be(rank: int, size: int) -> None:
    """Mistakes of one rank's caller are told before anything is sent."""
    with pytest.raises(ValueError, match="as many elements for each"):
        dist.all_to_all_single(torch.zeros(size + 1), torch.zeros(size + 1))
    with pytest.raises((ValueError, RuntimeError), match="split"):
        dist.all_to_all_single(torch.zeros(size), torch.zeros(size), [1] * size, [2] * size)
    parts = [torch.zeros(2 if other == rank else 3) for other in range(size)]
    with pytest.raises(ValueError, match="one size"):
        dist.gather(torch.zeros(2), parts, rank)
    dist.barrier()


@check
def objects_go_through_the_switch(rank: int, size: int) -> None:
    objects = [None] * size if rank == 0 else None
    dist.gather_object({"rank": rank}, objects, 0)
    assert rank != 0 or objects == [{"rank": other} for other in range(size)]
    mine = [None]
    dist.scatter_object_list(mine, [f"for {other}" for other in range(size)], 0)
    assert mine == [f"for {rank}"]
    work = dist.gather(
        torch.ones(3), [torch.zeros(3)] * size if rank == 0 else None, 0, async_op=True
    )
    assert work.wait(timedelta(seconds=30))
