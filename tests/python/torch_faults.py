"""Programs of the ranks of `test_torch_faults.py`; each function is the body of one process."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import torch
import torch.distributed as dist

import netfold
from netfold.torch import sparse
from team import ctrl_c_in
from torch_world import Lines, init_group

Note = Callable[[Any], None]


def fails(call: Callable[[], Any]) -> tuple[str, str, float]:
    """The class and message of what `call` raises, and how many seconds it took."""
    start = time.monotonic()
    try:
        call()
    except Exception as error:
        return type(error).__name__, str(error), time.monotonic() - start
    raise AssertionError("the call must fail")


def late_rank(rank: int, note: Note, rendezvous: str) -> Any:
    """Rank 1 does not make the calls of rank 0, until rank 0 has seen its time-out."""
    init_group(rank, 2, rendezvous, timeout_s=2)
    store = dist.distributed_c10d._get_default_store()
    if rank == 1:
        store.wait(["seen"], timedelta(seconds=60))
        return None
    works = [dist.all_reduce(torch.ones(10), async_op=True) for _ in range(2)]
    # Nobody waits for these works: their futures must fail all the same.
    futures = [fails(lambda work=work: work.get_future().wait()) for work in works]
    waited = fails(works[0].wait)
    later = fails(lambda: dist.all_reduce(torch.ones(3)))
    store.set("seen", "")
    assert all(work.is_completed() and not work.is_success() for work in works)
    assert {type(work.exception()) for work in works} == {netfold.CallTimeoutError}
    return futures, waited, later


def impatient_rank(rank: int, note: Note, rendezvous: str) -> Any:
    """Rank 0 gives a single wait less time than the group has."""
    init_group(rank, 2, rendezvous)
    store = dist.distributed_c10d._get_default_store()
    if rank == 1:
        store.wait(["seen"], timedelta(seconds=60))
        return None
    impatient = fails(
        lambda: dist.all_reduce(torch.ones(10), async_op=True).wait(timedelta(seconds=0.2))
    )
    store.set("seen", "")
    return impatient


def different_sizes(rank: int, note: Note, rendezvous: str) -> Any:
    """Rank 1 reduces another number of elements."""
    init_group(rank, 3, rendezvous)
    return fails(lambda: dist.all_reduce(torch.ones(100 + (rank == 1))))


def empty_at_one_rank(rank: int, note: Note, rendezvous: str) -> Any:
    """Rank 1 has no elements, in each collective in a group of its own; then both have none."""
    init_group(rank, 2, rendezvous)
    calls: dict[str, Callable[[int, Any], Any]] = {
        "all_reduce": lambda n, group: dist.all_reduce(torch.ones(n), group=group),
        "reduce": lambda n, group: dist.reduce(torch.ones(n), 0, group=group),
        "broadcast": lambda n, group: dist.broadcast(torch.ones(n), 0, group=group),
        "all_gather": lambda n, group: dist.all_gather_into_tensor(
            torch.ones(2 * n), torch.ones(n), group=group
        ),
        "reduce_scatter": lambda n, group: dist.reduce_scatter_tensor(
            torch.ones(n), torch.ones(2 * n), group=group
        ),
    }
    outcomes = {}
    for name, call in calls.items():
        group = dist.new_group()
        call(0, group)
        outcomes[name] = fails(lambda call=call, group=group: call(0 if rank == 1 else 5, group))
    return outcomes


def _calls_elsewhere(rank: int, group: dist.ProcessGroup) -> dict[str, Callable[[], Any]]:
    """Calls of which most are announced first, by their descriptions; each gives a work, or None
    when it is done.
    """
    options: dict[str, Any] = {"group": group, "async_op": True}
    pair = [torch.ones(2), torch.ones(2)]

    def gather(root: int, elements: int = 2) -> Any:
        outputs = [torch.ones(elements) for _ in range(2)] if rank == root else None
        return dist.gather(torch.ones(elements), outputs, root, **options)

    def summed(elements: int, dtype: torch.dtype, op: Any = dist.ReduceOp.SUM) -> Any:
        return dist.all_reduce(torch.ones(elements, dtype=dtype), op, **options)

    return {
        "gather(8 bytes, root 0)": lambda: gather(0),
        "gather(8 bytes, root 1)": lambda: gather(1),
        "gather(12 bytes, root 0)": lambda: gather(0, 3),
        "scatter(8 bytes, root 0)": lambda: dist.scatter(
            torch.ones(2), pair if rank == 0 else None, 0, **options
        ),
        "all_to_all()": lambda: dist.all_to_all([torch.ones(2), torch.ones(2)], pair, **options),
        "all_to_all(4 bytes)": lambda: dist.all_to_all_single(
            torch.ones(2), torch.ones(2), **options
        ),
        "all_reduce(sum, int8, 4 elements)": lambda: summed(4, torch.int8),
        "all_reduce(sum, int8, 5 elements)": lambda: summed(5, torch.int8),
        "all_reduce(band, int32, 4 elements)": lambda: summed(4, torch.int32, dist.ReduceOp.BAND),
        "all_reduce(bor, int32, 4 elements)": lambda: summed(4, torch.int32, dist.ReduceOp.BOR),
        "all_reduce(sum, float64, 100000 elements) over Gloo": (
            lambda: summed(100_000, torch.float64)
        ),
        "all_reduce(sum, i32, 4 elements)": lambda: summed(4, torch.int32),
        "all_reduce(sum, f32, 100000 elements)": lambda: summed(100_000, torch.float32),
        "all_reduce(sum, sparse_coo, float32, 4x2)": lambda: dist.all_reduce(
            torch.ones(4, 2).to_sparse(), **options
        ),
        "all_reduce(sum, sparse_coo, float32, 4x2, 1 of its dimensions sparse)": (
            lambda: dist.all_reduce(torch.ones(4, 2).to_sparse(1), **options)
        ),
        "all_reduce(sum, f32, 8 elements)": lambda: summed(8, torch.float32),
        "broadcast(8 bytes, root 0)": lambda: dist.broadcast(torch.ones(2), 0, **options),
        "barrier()": lambda: dist.barrier(**options),
        "monitored_barrier()": lambda: dist.monitored_barrier(group),
    }


PAIRS_ELSEWHERE = [
    ("gather(8 bytes, root 0)", "gather(8 bytes, root 1)"),
    ("gather(8 bytes, root 0)", "gather(12 bytes, root 0)"),
    ("gather(8 bytes, root 0)", "scatter(8 bytes, root 0)"),
    ("gather(8 bytes, root 0)", "broadcast(8 bytes, root 0)"),
    ("scatter(8 bytes, root 0)", "all_reduce(sum, f32, 100000 elements)"),
    ("all_to_all()", "all_to_all(4 bytes)"),
    ("all_to_all()", "barrier()"),
    ("all_reduce(sum, int8, 4 elements)", "all_reduce(sum, int8, 5 elements)"),
    ("all_reduce(bor, int32, 4 elements)", "all_reduce(band, int32, 4 elements)"),
    ("all_reduce(bor, int32, 4 elements)", "gather(8 bytes, root 0)"),
    ("all_reduce(sum, float64, 100000 elements) over Gloo", "barrier()"),
    ("all_reduce(sum, i32, 4 elements)", "all_reduce(band, int32, 4 elements)"),
    ("all_reduce(sum, sparse_coo, float32, 4x2)", "all_reduce(sum, f32, 8 elements)"),
    (
        "all_reduce(sum, sparse_coo, float32, 4x2)",
        "all_reduce(sum, sparse_coo, float32, 4x2, 1 of its dimensions sparse)",
    ),
    ("monitored_barrier()", "barrier()"),
    ("monitored_barrier()", "gather(8 bytes, root 0)"),
]
"""Calls of rank 0 and of rank 1."""


def other_calls_elsewhere(rank: int, note: Note, rendezvous: str) -> Any:
    """The ranks make different calls, most of which are announced first, each pair in a group of
    its own.

    Gives what each call raised, and how many seconds the end of the groups took.
    """
    init_group(rank, 2, rendezvous, timeout_s=60)
    groups = [dist.new_group() for _ in PAIRS_ELSEWHERE]
    outcomes: dict[int, tuple[str, str, float]] = {}

    def make(number: int) -> None:
        def call() -> None:
            work = _calls_elsewhere(rank, groups[number])[PAIRS_ELSEWHERE[number][rank]]()
            if work is not None:
                # By the future or by the wait.
                work.get_future().wait() if number % 2 else work.wait()

        outcomes[number] = fails(call)

    threads = [threading.Thread(target=make, args=(number,)) for number in range(len(groups))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    start = time.monotonic()
    dist.destroy_process_group()
    return outcomes, time.monotonic() - start


def train_for_ever(rank: int, note: Note, rendezvous: str) -> Any:
    """Data-parallel training that ends when a rank is lost."""
    init_group(rank, 2, rendezvous)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(1000, 1000))

    def train() -> None:
        while True:
            model(torch.ones(2, 1000)).sum().backward()
            note("step")

    return fails(train)


def lost_within_a_sparse_sum(rank: int, note: Note, rendezvous: str, end: str) -> Any:
    """Rank 1 announces a sparse sum, and then dies, stays away, or breaks down."""
    init_group(rank, 3, rendezvous, timeout_s=2)
    store = dist.distributed_c10d._get_default_store()

    def stay_away(*_: Any) -> Any:
        if end == "dies":
            os._exit(1)
        if end == "breaks down":
            raise ZeroDivisionError("no keys today")
        store.wait(["seen"], timedelta(seconds=60))
        raise ZeroDivisionError("too late")

    first = torch.eye(3).to_sparse()
    dist.all_reduce(first)
    if rank == 1:
        sparse._gather_keys = stay_away
    raised = fails(lambda: dist.all_reduce(torch.eye(3).to_sparse()))
    later = fails(lambda: dist.all_reduce(torch.ones(3)))
    if rank == 0:
        store.set("seen", "")
    start = time.monotonic()
    dist.destroy_process_group()
    return raised, later, time.monotonic() - start


def interrupted(rank: int, note: Note, rendezvous: str, who: list[int], asynchronous: bool) -> Any:
    """The ranks of `who` are interrupted in a call for which rank 2 does not come; then each
    destroys the group.

    Gives what the call raised, and how many seconds the destruction took.
    """
    init_group(rank, 3, rendezvous)
    store = dist.distributed_c10d._get_default_store()

    def wait_for(what: str, ranks: list[int]) -> None:
        store.wait([f"{what}-{other}" for other in ranks], timedelta(seconds=60))

    def call() -> None:
        work = dist.all_reduce(torch.ones(1000), async_op=asynchronous)
        if asynchronous:
            work.wait()

    if rank in who:
        with ctrl_c_in("wait"), contextlib.suppress(KeyboardInterrupt):
            call()
            raise AssertionError("rank 2 has not come")
        ended = "KeyboardInterrupt", ""
        store.set(f"interrupted-{rank}", "")
        wait_for("interrupted", who)
    else:
        if rank == 2:
            wait_for("over", [0, 1])
        ended = fails(call)[:2]
    start = time.monotonic()
    dist.destroy_process_group()
    seconds = time.monotonic() - start
    store.set(f"over-{rank}", "")
    return *ended, seconds


def interrupted_and_on(
    rank: int, note: Note, rendezvous: str, asynchronous: bool, dtype: str
) -> None:
    """Rank 0 is interrupted in a call to which rank 1 comes later, and goes on. Sums of some types
    are the workers', or Gloo's if they are long; those of the layout COO are folded by key.
    """
    init_group(rank, 2, rendezvous)
    store = dist.distributed_c10d._get_default_store()
    layout, _, dtype = dtype.rpartition(" ")
    tensor = torch.ones(200_000 if layout == "long" else 1000, dtype=getattr(torch, dtype))
    tensor = tensor.to_sparse() if layout == "sparse" else tensor
    if rank == 0:
        work = dist.all_reduce(tensor, async_op=True) if asynchronous else None
        with pytest.raises(KeyboardInterrupt), ctrl_c_in("wait"):
            work.wait() if work else dist.all_reduce(tensor)
        store.set("interrupted", "")
        if work:
            work.wait()
            assert torch.all(tensor.to_dense() == 2)
    else:
        store.wait(["interrupted"], timedelta(seconds=60))
        dist.all_reduce(tensor)
    other = torch.ones(10)
    dist.all_reduce(other)
    # A call ends after those before it; what nobody has waited for is in place a moment later.
    dist.destroy_process_group()
    assert torch.all(tensor.to_dense() == 2)
    assert torch.all(other == 2)


def uneven_parts(rank: int, note: Note, rendezvous: str) -> Any:
    """The ranks differ in what they give to whom in a reduce-scatter that workers fold."""
    init_group(rank, 2, rendezvous)
    lengths = (2, 3) if rank == 0 else (3, 2)
    parts = [torch.ones(length, dtype=torch.int16) for length in lengths]
    raised = fails(lambda: dist.reduce_scatter(torch.ones_like(parts[rank]), parts))
    return raised, fails(lambda: dist.all_reduce(torch.ones(3)))


def strict(rank: int, note: Note, rendezvous: str) -> Any:
    """Calls that the switch does not fold, under NETFOLD_STRICT=1, and the results."""
    init_group(rank, 2, rendezvous)
    calls = [
        (torch.full((2,), 1 << rank, dtype=torch.int32), dist.ReduceOp.BOR),
        (torch.full((300_000,), rank + 0.25, dtype=torch.float64), dist.ReduceOp.SUM),
        (torch.full((2,), rank + 2, dtype=torch.int16), dist.ReduceOp.PRODUCT),
    ]
    for tensor, op in calls:
        dist.all_reduce(tensor, op)
    refused = fails(lambda: dist.all_reduce(torch.ones(2), dist.ReduceOp.BOR))
    tensor = torch.ones(2)
    dist.all_reduce(tensor)
    assert torch.all(tensor == 2)
    return [set(tensor.tolist()) for tensor, _ in calls], refused


def embedded(rank: int, note: Note, rendezvous: str) -> Any:
    """No switch is given, there are sub-groups, and nobody destroys a group: the interpreter's exit
    does.
    """
    lines = Lines()
    init_group(rank, 3, rendezvous)
    group = dist.new_group([1, 2])
    tensor = torch.ones(1000)
    dist.all_reduce(tensor)
    if rank > 0:
        dist.all_reduce(tensor, group=group)
    dist.broadcast(tensor, 1)
    return float(tensor[0]), lines.lines


def again(rank: int, note: Note, rendezvous: str) -> Any:
    """Groups that are made, destroyed and made again in one process, with an embedded switch each
    time.
    """
    for number in range(3):
        init_group(rank, 2, f"{rendezvous}-{number}")
        tensor = torch.ones(100)
        dist.all_reduce(tensor)
        assert torch.all(tensor == 2)
        dist.destroy_process_group()
        assert not netfold.torch.NetfoldBackend.alive()
    return "done"


def no_switch(rank: int, note: Note, rendezvous: str) -> Any:
    """NETFOLD_SWITCH names an address at which nothing listens."""
    return fails(lambda: init_group(rank, 2, rendezvous))
