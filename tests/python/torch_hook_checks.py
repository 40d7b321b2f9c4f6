"""Checks of the communication hooks, and of what goes on while calls are under way; see
`torch_world.py`.
"""

from __future__ import annotations

import sys
import threading
import time
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
import torch
import torch.distributed as dist
from torch.distributed.algorithms.ddp_comm_hooks import default_hooks

import netfold.torch
from netfold.torch import hooks
from netfold.torch.outstanding import Outstanding
from oracle import assert_fold, bound, exact
from torch_checks import arithmetic_of, arrays, to_numpy
from torch_world import TIMEOUT_S, Check

CHECKS: dict[str, Check] = {}
HOOKS = {"float32": hooks.all_reduce_hook, "bfloat16": hooks.bf16_hook, "float16": hooks.fp16_hook}


def check(function: Check) -> Check:
    """Register a check under its own name."""
    CHECKS[function.__name__] = function
    return function


class Given(torch.nn.Module):
    """A model whose gradient is its input, so that a check chooses the gradients of every rank."""

    def __init__(self, *shape: int, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(shape, dtype=dtype))

    def forward(self, gradient: torch.Tensor) -> torch.Tensor:
        return (self.weight * gradient).sum()


def ddp(model: torch.nn.Module, hook: Any, state: Any = None, **options: Any) -> torch.nn.Module:
    """The model under DDP with a hook."""
    model = torch.nn.parallel.DistributedDataParallel(model, **options)
    model.register_comm_hook(state, hook)
    return model


def averaged(hook: Any, gradient: torch.Tensor, **options: Any) -> torch.Tensor:
    """Return a hook's result for one gradient at each rank, in the second step. DDP arranges its
    buckets in the first.
    """
    model = ddp(Given(*gradient.shape, dtype=gradient.dtype), hook, **options)
    for _ in range(2):
        model.zero_grad()
        model(gradient).backward()
    return model.module.weight.grad


def carried(parts: list[np.ndarray], dtype: str) -> tuple[list[np.ndarray], str]:
    """Return the ranks' parts as they are sent, and the operation that then gives the average."""
    tensors = [torch.from_numpy(part) for part in parts]
    if dtype == "float16" and arithmetic_of(dtype, "sum") == "native":
        return [to_numpy((tensor / len(parts)).half()) for tensor in tensors], "sum"
    return [to_numpy(tensor.to(getattr(torch, dtype))) for tensor in tensors], "avg"


def assert_average(result: torch.Tensor, parts: list[np.ndarray], dtype: str) -> None:
    """Fail unless `result` is the average of the f32 parts, rounded as a hook of this type may."""
    assert result.dtype == torch.float32
    sent, operation = carried(parts, dtype)
    error = np.abs(result.numpy().astype(np.float64) - exact(sent, operation))
    limit = bound(sent, operation, arithmetic_of(dtype, operation))
    assert np.all(error <= limit), f"error {error.max()} exceeds {np.max(limit)}"


def assert_same_everywhere(tensor: torch.Tensor) -> None:
    """Fail unless every rank has the same bits."""
    copies = [torch.empty_like(tensor) for _ in range(dist.get_world_size())]
    dist.all_gather(copies, tensor)
    assert all(torch.equal(copy, tensor) for copy in copies)


def _averages(dtype: str, options: dict[str, Any]) -> Check:
    def run(rank: int, size: int) -> None:
        parts = arrays(f"hook {dtype}", size, (7, 911), "float32")
        result = averaged(HOOKS[dtype], torch.from_numpy(parts[rank]), **options)
        assert_average(result, parts, dtype)
        assert_same_everywhere(result)

    return run


for _dtype in HOOKS:
    CHECKS[f"average_{_dtype}"] = _averages(_dtype, {})
    CHECKS[f"average_{_dtype}_in_bucket_views"] = _averages(
        _dtype, {"gradient_as_bucket_view": True}
    )


@check
def parameters_of_16_bits_stay_so(rank: int, size: int) -> None:
    for dtype, hook in (
        ("float16", hooks.fp16_hook),
        ("float16", hooks.all_reduce_hook),
        ("bfloat16", hooks.bf16_hook),
    ):
        wide = [part.astype(np.float32) for part in arrays(f"narrow {dtype}", size, (3000,), dtype)]
        kind = getattr(torch, dtype)
        result = averaged(hook, torch.from_numpy(wide[rank]).to(kind))
        assert result.dtype == kind
        sent, operation = carried(wide, dtype)
        assert_fold(to_numpy(result), sent, operation, arithmetic_of(dtype, operation))


@check
def doubles_take_another_way(rank: int, size: int) -> None:
    parts = arrays("hook double", size, (100,), "float64")
    result = averaged(hooks.all_reduce_hook, torch.from_numpy(parts[rank]))
    assert_fold(result.numpy(), parts, "avg", arithmetic_of("float64", "avg"))


@check
def strided_parameters_are_averaged_in_place(rank: int, size: int) -> None:
    parts = arrays("channels last", size, (4, 3, 5, 5), "float32")
    model = Given(4, 3, 5, 5).to(memory_format=torch.channels_last)
    assert not model.weight.is_contiguous()
    model = ddp(model, hooks.all_reduce_hook, gradient_as_bucket_view=True)
    model(torch.from_numpy(parts[rank])).backward()
    assert_average(model.module.weight.grad.contiguous(), parts, "float32")


@check
def sparse_gradients_go_through_a_hook(rank: int, size: int) -> None:
    model = ddp(torch.nn.Embedding(10, 2, sparse=True), hooks.bf16_hook)
    model(torch.tensor([rank, 9])).sum().backward()
    expected = torch.zeros(10, 2)
    expected[:size] = 1 / size
    expected[9] = 1
    # Quotients and their sum in bfloat16: size additions and one division.
    torch.testing.assert_close(
        model.module.weight.grad.to_dense(), expected, rtol=(size + 1) * 2.0**-8, atol=0
    )


class Branches(torch.nn.Module):
    """Each rank uses its own parameter, and nobody uses the last."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.branches = torch.nn.ModuleList([Given(50) for _ in range(size + 1)])

    def forward(self, gradient: torch.Tensor) -> torch.Tensor:
        return self.branches[dist.get_rank()](gradient)


@check
def unused_parameters_count_as_zero(rank: int, size: int) -> None:
    parts = arrays("branches", size, (50,), "float32")
    model = ddp(Branches(size), hooks.bf16_hook, find_unused_parameters=True, bucket_cap_mb=0.0001)
    for _ in range(2):
        model.zero_grad()
        model(torch.from_numpy(parts[rank])).backward()
    for branch, part in zip(model.module.branches, parts, strict=False):
        assert_average(branch.weight.grad, [part] + [np.zeros_like(part)] * (size - 1), "bfloat16")
    assert model.module.branches[size].weight.grad is None


@check
def no_sync_adds_up_before_the_hook(rank: int, size: int) -> None:
    # Multiples of 1/64 below 8: each of the sums is exact, so the average has the one error of the
    # hook.
    parts = [np.round(part * 32) / 64 for part in arrays("accumulated", size, (600,), "float32")]
    model = ddp(Given(600), hooks.all_reduce_hook)
    with model.no_sync():
        model(torch.from_numpy(parts[rank])).backward()
    assert np.array_equal(model.module.weight.grad.numpy(), parts[rank]), (
        "nothing has been exchanged"
    )
    model(torch.from_numpy(parts[rank])).backward()
    assert_average(model.module.weight.grad, [2 * part for part in parts], "float32")


@check
def half_precision_sums_do_not_overflow(rank: int, size: int) -> None:
    # The sum is above 65504, the largest f16; the average is not.
    parts = [np.full(100, 40000 + 32 * each, np.float32) for each in range(size)]
    assert_average(averaged(hooks.fp16_hook, torch.from_numpy(parts[rank])), parts, "float16")


@check
def what_half_precision_cannot_hold_is_infinite(rank: int, size: int) -> None:
    gradient = torch.ones(100)
    gradient[7] = 1e5
    result = averaged(hooks.fp16_hook, gradient)
    assert torch.isinf(result[7])
    assert torch.isfinite(result).sum() == 99
    # In bfloat16 it fits: one rounding when it leaves, and one for each of the additions and the
    # division.
    torch.testing.assert_close(
        averaged(hooks.bf16_hook, gradient), gradient, rtol=(size + 1) * 2.0**-8, atol=0
    )


@check
def nan_stays_nan(rank: int, size: int) -> None:
    for hook in HOOKS.values():
        gradient = torch.ones(100)
        gradient[5] = torch.nan if rank == 0 else 1.0
        result = averaged(hook, gradient)
        assert torch.isnan(result).nonzero().tolist() == [[5]]


@check
def lanes_of_16_bits_halve_the_bytes(rank: int, size: int) -> None:
    gradient = torch.ones(1 << 18)

    def sent(hook: Any) -> int:
        model = ddp(Given(1 << 18), hook)
        backend = netfold.torch.backend_of()
        model(gradient).backward()

        def once() -> int:
            # On a busy machine much may be overdue, and is sent twice.
            stats = backend.stats()
            return stats["bytes_sent"] - stats["bytes_resent"]

        before = once()
        model(gradient).backward()
        return once() - before

    full = sent(hooks.all_reduce_hook)
    assert full > gradient.numel() * 4
    for hook in (hooks.bf16_hook, hooks.fp16_hook, default_hooks.fp16_compress_hook):
        # A tenth for headers, and for rounds that agree on exponents.
        share = sent(hook) / full
        assert abs(share - 0.5) < 0.1, f"{share} of the bytes in f32"


@check
def a_group_of_its_own_carries_the_gradients(rank: int, size: int) -> None:
    gloo, ours = dist.new_group(backend="gloo"), dist.new_group(backend="netfold")
    parts = arrays("own group", size, (1000,), "float32")
    before = netfold.torch.backend_of(ours).stats()["bytes_sent"]
    result = averaged(
        HOOKS["float32"], torch.from_numpy(parts[rank]), state=ours, process_group=gloo
    )
    assert_average(result, parts, "float32")
    assert netfold.torch.backend_of(ours).stats()["bytes_sent"] - before > 2 * 4000, (
        "two steps of 1000 elements"
    )
    with pytest.raises(ValueError, match="does not use the backend netfold"):
        averaged(HOOKS["float32"], torch.from_numpy(parts[rank]), state=gloo, process_group=gloo)


@check
def buckets_travel_while_backward_goes_on(rank: int, size: int) -> None:
    """The first bucket cannot end before rank 0 is in the first layer, and rank 0 stays there until
    it has ended.

    A hook that waits for its bucket would never let rank 0 come to the first layer. Buckets that
    are sent or finished only after back-propagation would never let it leave.
    """
    store = dist.distributed_c10d._get_default_store()
    arrived = "rank 0 is in the first layer"
    buckets: list[torch.futures.Future] = []
    armed = threading.Event()

    def hook(state, bucket):
        if armed.is_set() and rank == 1 and not buckets:
            store.wait([arrived], timedelta(seconds=TIMEOUT_S))
        buckets.append(hooks.bf16_hook(state, bucket))
        return buckets[-1]

    def in_first_layer(_: torch.Tensor) -> None:
        if armed.is_set() and rank == 0:
            assert len(buckets) == 2, (
                f"{len(buckets)} buckets, not one for each of the layers behind"
            )
            assert not buckets[0].done()
            store.set(arrived, "")
            buckets[0].wait()

    layers = torch.nn.Sequential(*(torch.nn.Linear(64, 64, bias=False) for _ in range(3)))

    def watch(_module: Any, _inputs: Any, output: torch.Tensor) -> None:
        output.register_hook(in_first_layer)

    layers[0].register_forward_hook(watch)
    # Each layer fills a bucket: 64 times 64 elements of 4 bytes.
    model = ddp(layers, hook, bucket_cap_mb=64 * 64 * 4 / 2**20)
    # In the first step DDP has one bucket, and learns the order in which gradients come.
    model(torch.ones(1, 64)).sum().backward()
    buckets.clear()
    armed.set()
    model(torch.ones(1, 64)).sum().backward()
    assert len(buckets) == 3


@check
def a_wait_does_not_hold_the_interpreter(rank: int, size: int) -> None:
    """Rank 1 begins its call only when a second thread of rank 0 has run while the first was
    waiting.
    """
    store = dist.distributed_c10d._get_default_store()
    tensor = torch.ones(10)
    if rank == 1:
        store.wait(["python runs"], timedelta(seconds=TIMEOUT_S))
    work = dist.all_reduce(tensor, async_op=True)
    waiter = threading.get_ident()

    def run() -> None:
        while sys._current_frames()[waiter].f_code is not Outstanding.wait.__code__:
            time.sleep(0)
        # Each of these lets go of the interpreter: the waiter gets on until it blocks, with the
        # interpreter or without.
        for _ in range(1000):
            time.sleep(0)
        store.set("python runs", "")

    other = threading.Thread(target=run, daemon=True)
    if rank == 0:
        other.start()
    work.wait()
    if rank == 0:
        other.join()
    assert torch.all(tensor == size)


def _network() -> torch.nn.Module:
    torch.manual_seed(11)
    layers = (
        torch.nn.Conv2d(1, 4, 3),
        torch.nn.ReLU(),
        torch.nn.Flatten(),
        torch.nn.Linear(4 * 36, 10),
    )
    return torch.nn.Sequential(*layers).to(memory_format=torch.channels_last)


@check
def training_follows_gloo(rank: int, size: int) -> None:
    gloo = dist.new_group(backend="gloo")
    ours = ddp(_network(), hooks.all_reduce_hook, bucket_cap_mb=0.001, gradient_as_bucket_view=True)
    theirs = torch.nn.parallel.DistributedDataParallel(_network(), process_group=gloo)
    generator = torch.Generator().manual_seed(rank)
    batches = [
        (torch.randn(8, 1, 8, 8, generator=generator), torch.randint(0, 10, (8,))) for _ in range(4)
    ]
    for model in (ours, theirs):
        optimiser = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for images, labels in batches:
            optimiser.zero_grad()
            torch.nn.functional.cross_entropy(model(images), labels).backward()
            optimiser.step()
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-4, atol=1e-6)
        assert_same_everywhere(mine.detach().contiguous())
