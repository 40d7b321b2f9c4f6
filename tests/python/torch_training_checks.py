"""Checks of training over the backend; importing this module adds them to those of
`torch_checks.py`.
"""

from __future__ import annotations

import numpy as np
import torch
import torch.distributed as dist

from oracle import bound, exact
from torch_checks import CHECKS, arithmetic_of, check

__all__ = ["CHECKS"]


def _network() -> torch.nn.Module:
    torch.manual_seed(7)
    return torch.nn.Sequential(
        torch.nn.Conv2d(1, 4, 3),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(4 * 36, 64),
        torch.nn.ReLU(),
        torch.nn.Linear(64, 10),
    )


def _batch(rank: int, step: int) -> tuple[torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(1000 * step + rank)
    return torch.randn(8, 1, 8, 8, generator=generator), torch.randint(
        0, 10, (8,), generator=generator
    )


def _train(rank: int, model: torch.nn.Module, steps: int = 4) -> None:
    optimiser = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for step in range(steps):
        optimiser.zero_grad()
        _backward(rank, model, step)
        optimiser.step()


def _backward(rank: int, model: torch.nn.Module, step: int) -> None:
    images, labels = _batch(rank, step)
    torch.nn.functional.cross_entropy(model(images), labels).backward()


def _gradient(model: torch.nn.Module) -> torch.Tensor:
    return torch.cat([parameter.grad.flatten() for parameter in model.parameters()])


@check
def data_parallel_gradients_are_within_the_bound(rank: int, size: int) -> None:
    gloo = dist.new_group(backend="gloo")
    model = torch.nn.parallel.DistributedDataParallel(_network(), bucket_cap_mb=0.01)
    for step in range(3):
        model.zero_grad()
        with model.no_sync():
            _backward(rank, model, step)
        local = _gradient(model)
        gathered = [torch.empty_like(local) for _ in range(size)]
        dist.all_gather(gathered, local, group=gloo)
        model.zero_grad()
        _backward(rank, model, step)
        # DDP divides before it adds: one rounding of each part, and one of the reciprocal that it
        # multiplies with.
        parts = [part.numpy() / np.float32(size) for part in gathered]
        division = 2 * 2.0**-24 * np.abs(parts).sum(axis=0)
        error = np.abs(_gradient(model).numpy().astype(np.float64) - exact(parts, "sum"))
        assert np.all(error <= bound(parts, "sum", arithmetic_of("float32", "sum")) + division), (
            f"step {step}: {error.max()}"
        )


@check
def data_parallel_training_follows_gloo(rank: int, size: int) -> None:
    gloo = dist.new_group(backend="gloo")
    ours = torch.nn.parallel.DistributedDataParallel(_network(), bucket_cap_mb=0.01)
    theirs = torch.nn.parallel.DistributedDataParallel(
        _network(), process_group=gloo, bucket_cap_mb=0.01
    )
    _train(rank, ours)
    _train(rank, theirs)
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-6)
    flat = torch.cat([parameter.detach().flatten() for parameter in ours.parameters()])
    copies = [torch.empty_like(flat) for _ in range(size)]
    dist.all_gather(copies, flat, group=gloo)
    assert all(torch.equal(copy, flat) for copy in copies), (
        "every worker has the same weights, bit by bit"
    )


@check
def fully_sharded_training_follows_gloo(rank: int, size: int) -> None:
    from torch.distributed.device_mesh import DeviceMesh
    from torch.distributed.fsdp import fully_shard

    gloo = dist.new_group(backend="gloo")
    ours = _network()
    for layer in (ours[3], ours):
        fully_shard(layer, mesh=DeviceMesh.from_group(dist.group.WORLD, "cpu"))
    theirs = torch.nn.parallel.DistributedDataParallel(_network(), process_group=gloo)
    _train(rank, ours)
    _train(rank, theirs)
    for mine, other in zip(ours.parameters(), theirs.module.parameters(), strict=True):
        torch.testing.assert_close(mine.full_tensor(), other, rtol=1e-4, atol=1e-6)
