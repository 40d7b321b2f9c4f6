"""Checks that every rank of a world runs; see `torch_world.py`.

The oracle is NumPy, on data that each rank makes for all ranks.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from datetime import timedelta

import numpy as np
import pytest
import torch
import torch.distributed as dist

import netfold
import netfold.torch
from netfold.config import Settings
from oracle import assert_fold, sample
from torch_world import Check, Lines

CHECKS: dict[str, Check] = {}
OPS = {
    "sum": dist.ReduceOp.SUM,
    "avg": dist.ReduceOp.AVG,
    "min": dist.ReduceOp.MIN,
    "max": dist.ReduceOp.MAX,
    "product": dist.ReduceOp.PRODUCT,
}
DTYPES = {
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "float64": torch.float64,
    "int32": torch.int32,
    "int64": torch.int64,
    "uint8": torch.uint8,
}


def check(function: Check) -> Check:
    """Register a check under its own name."""
    CHECKS[function.__name__] = function
    return function


def arrays(name: str, size: int, shape: tuple[int, ...], dtype: str) -> list[np.ndarray]:
    """The data of all ranks, the same at every rank."""
    import ml_dtypes

    kind = ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype
    return [sample(zlib.crc32(f"{name} {rank}".encode()), shape, kind) for rank in range(size)]


def to_torch(array: np.ndarray) -> torch.Tensor:
    """A tensor with the array's elements; bf16 has no NumPy route, so its bits are viewed."""
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.int16).copy()).view(torch.bfloat16)
    return torch.from_numpy(array.copy())


def to_numpy(tensor: torch.Tensor) -> np.ndarray:
    """The reverse of :func:`to_torch`."""
    import ml_dtypes

    tensor = tensor.detach().contiguous()
    return (
        tensor.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        if tensor.dtype == torch.bfloat16
        else tensor.numpy()
    )


def arithmetic_of(dtype: str, op: str) -> str:
    """Return the arithmetic of the fold. What block cannot fold the workers or Gloo fold, which
    add floats as `native` does. Products of floats are those of `native` wherever there are some.
    """
    job = Settings.from_environment().arithmetic
    return "native" if dtype == "float64" or op == "product" else job


def _folds(op: str, dtype: str) -> Check:
    def run(rank: int, size: int) -> None:
        parts = arrays(f"{op} {dtype}", size, (size, 7, 31), dtype)
        how = arithmetic_of(dtype, op)
        tensor = to_torch(parts[rank])
        dist.all_reduce(tensor, OPS[op])
        assert_fold(to_numpy(tensor), parts, op, how)
        everyone = [torch.empty_like(tensor) for _ in range(size)]
        dist.all_gather(everyone, tensor)
        assert all(to_numpy(other).tobytes() == to_numpy(tensor).tobytes() for other in everyone), (
            "the same bits everywhere"
        )

        for root in range(size):
            tensor = to_torch(parts[rank])
            dist.reduce(tensor, root, OPS[op])
            if rank == root:
                assert_fold(to_numpy(tensor), parts, op, how)

        output = torch.empty((7, 31), dtype=DTYPES[dtype])
        dist.reduce_scatter_tensor(output, to_torch(parts[rank]), OPS[op])
        assert_fold(to_numpy(output), [part[rank] for part in parts], op, how)
        dist.reduce_scatter(output.zero_(), list(to_torch(parts[rank])), OPS[op])
        assert_fold(to_numpy(output), [part[rank] for part in parts], op, how)

    return run


for _op in OPS:
    for _dtype in DTYPES:
        if not (_op == "avg" and not DTYPES[_dtype].is_floating_point):
            CHECKS[f"{_op}_{_dtype}"] = _folds(_op, _dtype)


@check
def reduce_leaves_the_others_alone(rank: int, size: int) -> None:
    tensor = torch.full((300,), float(rank))
    dist.reduce(tensor, 0)
    assert rank == 0 or torch.all(tensor == rank)


@check
def bytes_move_whatever_their_type(rank: int, size: int) -> None:
    for dtype in [*DTYPES.values(), torch.bool, torch.int8, torch.int16, torch.complex64]:

        def of(who: int, dtype: torch.dtype = dtype) -> torch.Tensor:
            return (torch.arange(123) * (who + 3) % 5).to(dtype)

        for root in range(size):
            tensor = of(rank)
            dist.broadcast(tensor, root)
            assert torch.equal(tensor, of(root))
        outputs = [torch.zeros_like(of(0)) for _ in range(size)]
        dist.all_gather(outputs, of(rank))
        assert all(torch.equal(output, of(who)) for who, output in enumerate(outputs))
        flat = torch.zeros(size * 123, dtype=dtype)
        dist.all_gather_into_tensor(flat, of(rank))
        assert torch.equal(flat, torch.cat([of(who) for who in range(size)]))


@check
def parts_may_differ_in_size(rank: int, size: int) -> None:
    outputs = [torch.zeros(who + 1, 3) for who in range(size)]
    dist.all_gather(outputs, torch.full((rank + 1, 3), float(rank)))
    assert all(torch.all(output == who) for who, output in enumerate(outputs))
    output = torch.zeros(rank + 1)
    dist.reduce_scatter(output, [torch.full((who + 1,), float(who)) for who in range(size)])
    torch.testing.assert_close(output, torch.full((rank + 1,), float(rank * size)))


@check
def gathers_and_scatters_in_place(rank: int, size: int) -> None:
    whole = torch.zeros(size, 50)
    whole[rank] = rank + 1
    dist.all_gather_into_tensor(whole, whole[rank])
    assert torch.equal(whole, torch.arange(1.0, size + 1)[:, None].expand(size, 50))
    dist.reduce_scatter_tensor(whole[rank], whole.clone())
    torch.testing.assert_close(whole[rank], torch.full((50,), float(size * (rank + 1))))
    dist.reduce_scatter_tensor(whole[0], torch.ones(size, 50))
    torch.testing.assert_close(whole[0], torch.full((50,), float(size)))


@check
def strided_tensors(rank: int, size: int) -> None:
    parts = arrays("strided", size, (8, 9, 10), "float32")
    for view in (lambda t: t.permute(2, 0, 1), lambda t: t[::2, 1:, ::3], lambda t: t[:, 0]):
        base = to_torch(parts[rank])
        untouched = base.clone()
        dist.all_reduce(view(base))
        assert_fold(
            to_numpy(view(base)),
            [to_numpy(view(to_torch(part))) for part in parts],
            "sum",
            arithmetic_of("float32", "sum"),
        )
        view(untouched).copy_(view(base))
        assert torch.equal(base, untouched), "elements outside the view stay as they are"
        base = to_torch(parts[rank])
        dist.broadcast(view(base), size - 1)
        assert torch.equal(view(base), view(to_torch(parts[size - 1])))
        # At the workers.
        base = to_torch(parts[rank]).double()
        dist.all_reduce(view(base), dist.ReduceOp.MAX)
        expected = np.max([part.astype(np.float64) for part in parts], axis=0)
        np.testing.assert_array_equal(
            to_numpy(view(base)), to_numpy(view(torch.from_numpy(expected)))
        )


@check
def scalars_and_empty_tensors(rank: int, size: int) -> None:
    scalar = torch.tensor(rank + 1.0)
    dist.all_reduce(scalar)
    torch.testing.assert_close(scalar, torch.tensor(size * (size + 1) / 2))
    empty = torch.empty(0, 3)
    dist.all_reduce(empty)
    dist.broadcast(empty, 0)
    gathered = torch.empty(0)
    dist.all_gather_into_tensor(gathered, torch.empty(0))
    dist.reduce_scatter_tensor(torch.empty(0), torch.empty(0))


@check
def tensors_that_require_gradients(rank: int, size: int) -> None:
    leaf = torch.ones(10, requires_grad=True)
    dist.all_reduce(leaf.detach())
    with torch.no_grad():
        dist.broadcast(leaf, 0)
    assert torch.all(leaf == size)


@check
def special_values(rank: int, size: int) -> None:
    inf, nan = float("inf"), float("nan")
    mine = torch.tensor(
        [
            inf if rank == 0 else 1.0,
            nan if rank == size - 1 else 1.0,
            inf if rank == 0 else -inf,
            1.0,
        ]
    )
    dist.all_reduce(mine)
    assert torch.isposinf(mine[0])
    assert torch.all(torch.isnan(mine[1:3]))
    torch.testing.assert_close(mine[3], torch.tensor(float(size)))


@check
def many_calls_at_once(rank: int, size: int) -> None:
    tensors = [torch.full((100 * index + 1,), float(index + rank)) for index in range(30)]
    works = [dist.all_reduce(tensor, async_op=True) for tensor in tensors]
    for index in reversed(range(30)):
        assert works[index].wait()
        assert works[index].wait(), "waiting twice is fine"
        expected = torch.full((100 * index + 1,), float(size * index + sum(range(size))))
        torch.testing.assert_close(tensors[index], expected)


def _order_of_completion(calls: list[Callable[[], dist.Work]]) -> list[int]:
    """Make all calls at once, and note in which order they are complete."""
    order: list[int] = []
    works = [call() for call in calls]
    noted = [
        work.get_future().then(lambda done, index=index: order.append(index))
        for index, work in enumerate(works)
    ]
    for note in noted:
        note.wait()
    return order


@check
def small_calls_overtake_large_ones(rank: int, size: int) -> None:
    large, small = torch.ones(1 << 24), torch.full((500,), float(rank))

    def call_of(tensor: torch.Tensor, name: str | None) -> Callable[[], dist.Work]:
        def call() -> dist.Work:
            with netfold.torch.priority(name):
                return dist.all_reduce(tensor, async_op=True)

        return call

    assert _order_of_completion([call_of(large, None), call_of(small, None)]) == [1, 0]
    torch.testing.assert_close(small, torch.full((500,), sum(range(size)) * 1.0))
    # A middling call, which by its length would wait.
    middling = torch.ones(50_000)
    assert _order_of_completion([call_of(large, "bulk"), call_of(middling, "urgent")]) == [1, 0]
    assert torch.all(large == size**2)
    assert torch.all(middling == size)


@check
def a_priority_is_that_of_its_thread_and_block(rank: int, size: int) -> None:
    import threading

    from netfold._native import chosen_priority

    seen: list[str | None] = []
    with netfold.torch.priority("urgent"):
        thread = threading.Thread(target=lambda: seen.append(chosen_priority()))
        thread.start()
        thread.join()
        with netfold.torch.priority("bulk"):
            dist.barrier()
            tensor = torch.ones(3)
            dist.all_reduce(tensor)
            assert torch.all(tensor == size)
            seen.append(chosen_priority())
        seen.append(chosen_priority())
    with pytest.raises(ValueError, match="unknown priority 'soon'"), netfold.torch.priority("soon"):
        pass
    assert [*seen, chosen_priority()] == [None, "bulk", "urgent", None]


@check
def futures(rank: int, size: int) -> None:
    tensor = torch.full((1000,), rank + 1.0)
    work = dist.all_reduce(tensor, async_op=True)
    total = size * (size + 1) / 2
    doubled = work.get_future().then(lambda future: future.value()[0] * 2)
    torch.testing.assert_close(doubled.wait(), torch.full((1000,), 2 * total))
    assert work.get_future().done()
    work.wait()
    torch.testing.assert_close(work.get_future().value()[0], torch.full((1000,), total))
    joint = dist.group.WORLD.allreduce_coalesced([torch.ones(3), torch.ones(4, dtype=torch.int32)])
    one, other = joint.get_future().wait()
    assert torch.all(one == size)
    assert torch.all(other == size)


@check
def a_call_from_a_callback(rank: int, size: int) -> None:
    second = torch.ones(10)
    future = (
        dist.all_reduce(torch.ones(10), async_op=True)
        .get_future()
        .then(lambda _: dist.all_reduce(second))
    )
    future.wait()
    assert torch.all(second == size)


@check
def works_that_nobody_waits_for(rank: int, size: int) -> None:
    """The memory must live until the call is complete, also when the caller has dropped everything."""
    for _ in range(20):
        dist.all_reduce(torch.ones(50_000), async_op=True)
    tensor = torch.ones(10)
    dist.all_reduce(tensor)
    assert torch.all(tensor == size)


@check
def barriers(rank: int, size: int) -> None:
    for _ in range(5):
        dist.barrier()


@check
def coalesced(rank: int, size: int) -> None:
    tensors = [torch.full((n,), 1.0) for n in (1, 64, 1000)]
    with dist._coalescing_manager():
        for tensor in tensors:
            dist.all_reduce(tensor)
    assert all(torch.all(tensor == size) for tensor in tensors)
    gathered = [torch.zeros(size * n) for n in (2, 30)]
    with dist._coalescing_manager():
        for tensor, n in zip(gathered, (2, 30), strict=True):
            dist.all_gather_into_tensor(tensor, torch.full((n,), float(rank)))
    for tensor, n in zip(gathered, (2, 30), strict=True):
        assert torch.equal(tensor, torch.arange(float(size)).repeat_interleave(n))
    scattered = [torch.zeros(n) for n in (2, 30)]
    with dist._coalescing_manager():
        for tensor, n in zip(scattered, (2, 30), strict=True):
            dist.reduce_scatter_tensor(tensor, torch.ones(size * n))
    assert all(torch.all(tensor == size) for tensor in scattered)


@check
def functional_collectives(rank: int, size: int) -> None:
    import torch.distributed._functional_collectives as functional

    group = dist.group.WORLD
    assert torch.all(functional.all_reduce(torch.ones(5), "sum", group) + 0 == size)
    gathered = functional.all_gather_single(torch.full((2,), float(rank)), 0, group) + 0
    assert torch.equal(gathered, torch.arange(float(size)).repeat_interleave(2))
    assert torch.all(
        functional.reduce_scatter_single(torch.ones(3 * size), "sum", 0, group) + 0 == size
    )
    (both,) = functional.all_reduce_coalesced([torch.ones(5)], "sum", group)
    assert torch.all(both + 0 == size)


@check
def subgroups(rank: int, size: int) -> None:
    members = [0, size - 1]
    pair = dist.new_group(members)
    alone = dist.new_group([size - 1])
    if rank in members:
        tensor = torch.full((100,), rank + 1.0)
        dist.all_reduce(tensor, group=pair)
        assert torch.all(tensor == sum({member + 1 for member in members}))
    if rank == size - 1:
        tensor = torch.full((100,), 3.0)
        dist.all_reduce(tensor, group=alone)
        assert torch.all(tensor == 3)
        dist.destroy_process_group(alone)
    tensor = torch.ones(10)
    dist.all_reduce(tensor)
    assert torch.all(tensor == size)


@check
def a_synchronous_call_has_a_future_all_the_same(rank: int, size: int) -> None:
    backend = netfold.torch.backend_of()
    options = dist.AllreduceOptions()
    options.asyncOp = False
    for asks_before_waiting in (True, False):
        tensor = torch.full((1000,), float(rank))
        work = backend.allreduce([tensor], options)
        if not asks_before_waiting:
            work.wait()
        # Nobody waits for the call itself, and the future is finished.
        torch.testing.assert_close(
            work.get_future().wait()[0], torch.full((1000,), size * (size - 1) / 2)
        )


@check
def coalesced_calls(rank: int, size: int) -> None:
    tensors = [torch.full((3,), float(rank + 1)), torch.full((2, 2), 2.0 * (rank + 1))]
    dist.all_reduce_coalesced(tensors, dist.ReduceOp.PRODUCT)
    product = float(np.prod(np.arange(1.0, size + 1)))
    assert torch.all(tensors[0] == product)
    assert torch.all(tensors[1] == product * 2**size)
    lists = [[torch.zeros(3), torch.zeros(2, 2, dtype=torch.complex64)] for _ in range(size)]
    dist.all_gather_coalesced(
        lists, [torch.full((3,), float(rank)), torch.full((2, 2), complex(rank, -rank))]
    )
    for who, (real, compound) in enumerate(lists):
        assert torch.all(real == who)
        assert torch.all(compound == complex(who, -who))
    whole, part = torch.zeros(2 * size), torch.zeros(2)
    with dist._coalescing_manager(async_ops=True) as manager:
        dist.all_gather_into_tensor(whole, torch.full((2,), float(rank)))
        dist.all_gather_into_tensor(whole.clone(), torch.full((2,), float(rank)))
    manager.wait()
    assert torch.equal(whole, torch.arange(float(size)).repeat_interleave(2))
    with dist._coalescing_manager():
        dist.reduce_scatter_tensor(part, whole)
    assert torch.all(part == rank * size)


@check
def groups_that_are_split_off(rank: int, size: int) -> None:
    alone = dist.split_group(split_ranks=[[size - 1]])
    assert (alone is dist.GroupMember.NON_GROUP_MEMBER) == (rank != size - 1)
    turned = dist.split_group(
        split_ranks=[list(reversed(range(size)))], timeout=timedelta(seconds=60)
    )
    assert dist.get_rank(turned) == size - 1 - rank
    assert dist.get_backend(turned) == "netfold"
    tensor = torch.full((4,), float(rank))
    dist.broadcast(tensor, group=turned, group_src=0)
    assert torch.all(tensor == size - 1)
    again = dist.split_group(turned, split_ranks=[[0, 1], [2]] if size == 3 else [[0, 1]])
    assert dist.get_world_size(again) == (2 if rank >= size - 2 else 1)
    dist.destroy_process_group(turned)


@check
def lengths_that_do_not_fit_are_refused(rank: int, size: int) -> None:
    def refused(call: Callable[[], object]) -> None:
        with pytest.raises(ValueError, match="must have"):
            call()

    refused(lambda: dist.all_gather_into_tensor(torch.zeros(size * 3 + 1), torch.zeros(3)))
    refused(lambda: dist.reduce_scatter_tensor(torch.zeros(3), torch.zeros(size * 3 + 1)))


@check
def a_wrong_call_changes_no_other(rank: int, size: int) -> None:
    lines = Lines()
    backend = netfold.torch.backend_of()
    tensor = torch.ones(1000)
    calls = backend._get_sequence_number_for_group()
    wrong: list[Callable[[], object]] = [
        lambda: dist.reduce(tensor, size + 5),
        lambda: dist.broadcast(tensor, size + 5),
        lambda: dist.gather(tensor, None, size + 5),
        lambda: dist.scatter(tensor, None, size + 5),
        lambda: dist.send(tensor, size + 5),
        lambda: dist.recv(tensor, size + 5),
        lambda: dist.all_gather([tensor] * (size + 1), tensor),
        lambda: dist.all_gather([torch.ones(999)] * size, tensor),
        lambda: dist.reduce_scatter(tensor, [tensor] * (size + 1)),
        lambda: dist.reduce_scatter(torch.ones(1001), [tensor] * size),
        lambda: dist.reduce_scatter_tensor(
            torch.ones(1000, dtype=torch.int32), torch.ones(1000 * size)
        ),
    ]
    # At one rank alone: nothing of them may reach the others.
    for call in wrong if rank == size - 1 else []:
        with pytest.raises(ValueError, match=r"rank|elements|one tensor|element type"):
            call()
    assert backend._get_sequence_number_for_group() == calls
    dist.all_reduce(tensor)
    dist.reduce(tensor, 0)
    assert backend._get_sequence_number_for_group() == calls + 2
    assert torch.all(tensor == (size * size if rank == 0 else size))
    assert lines.lines == []


@check
def counters(rank: int, size: int) -> None:
    backend = netfold.torch.backend_of()
    before = backend.stats()
    dist.all_reduce(torch.ones(100_000))
    after = backend.stats()
    assert after["bytes_sent"] - before["bytes_sent"] >= 400_000
    assert after["workers"] == size
    assert backend.get_error() == torch._C._distributed_c10d.ErrorType.SUCCESS
