"""Checks of staging on a machine with a GPU; all ranks share the first one. See `torch_checks.py`."""

from __future__ import annotations

import torch
import torch.distributed as dist

from torch_world import Check


def _all_reduce(rank: int, size: int) -> None:
    tensor = torch.full((10_000,), rank + 1.0, device="cuda")
    tensor.mul_(2)  # still running on the stream when the call is made
    dist.all_reduce(tensor)
    assert torch.all(tensor == size * (size + 1))
    strided = torch.full((40, 50), rank + 1.0, device="cuda").t()
    dist.all_reduce(strided)
    assert torch.all(strided == size * (size + 1) / 2)


def _moves(rank: int, size: int) -> None:
    tensor = torch.full((1000,), rank, device="cuda", dtype=torch.int16)
    dist.broadcast(tensor, size - 1)
    assert torch.all(tensor == size - 1)
    gathered = torch.empty(size * 3, device="cuda")
    dist.all_gather_into_tensor(gathered, torch.full((3,), float(rank), device="cuda"))
    assert torch.equal(gathered, torch.arange(float(size), device="cuda").repeat_interleave(3))
    output = torch.empty(5, device="cuda")
    dist.reduce_scatter_tensor(output, torch.ones(5 * size, device="cuda"))
    assert torch.all(output == size)


def _futures(rank: int, size: int) -> None:
    tensor = torch.ones(100_000, device="cuda")
    future = dist.all_reduce(tensor, async_op=True).get_future()
    assert torch.all(future.then(lambda done: done.value()[0] + 1).wait() == size + 1)


def _training(rank: int, size: int) -> None:
    torch.manual_seed(3)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(100, 10).cuda())
    model(torch.full((4, 100), rank + 1.0, device="cuda")).sum().backward()
    expected = torch.full((10, 100), 4 * (size + 1) / 2)
    torch.testing.assert_close(model.module.weight.grad.cpu(), expected)


CHECKS: dict[str, Check] = {
    "all_reduce": _all_reduce,
    "moves": _moves,
    "futures": _futures,
    "training": _training,
}
