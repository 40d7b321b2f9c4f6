"""Calls past torch's dispatcher, and those that something in torch has to see; see
`torch_world.py`.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
import torch
import torch.distributed as dist
from torch._C import _distributed_c10d as c10d
from torch.fx.experimental.proxy_tensor import make_fx
from torch.utils._python_dispatch import TorchDispatchMode

from netfold.torch.outstanding import Outstanding
from torch_world import Check

CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Register a check under its own name."""
    CHECKS[function.__name__] = function
    return function


def _options(options: Any, asynchronous: bool) -> Any:
    options.asyncOp = asynchronous
    return options


class _Seen(TorchDispatchMode):
    """The names of the operators that the dispatcher sees."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        self.names.append(str(func))
        return func(*args, **(kwargs or {}))


@check
def synchronous_calls_are_done_when_they_return(rank: int, size: int) -> None:
    group = dist.group.WORLD
    folded, copied, part = torch.ones(3), torch.full((2,), float(rank)), torch.zeros(1)
    parts, whole = [torch.zeros(2) for _ in range(size)], torch.zeros(2 * size)
    calls: dict[str, Callable[[], Any]] = {
        "allreduce": lambda: group.allreduce([folded], _options(c10d.AllreduceOptions(), False)),
        "allgather": lambda: group.allgather(
            [parts], [copied], _options(c10d.AllgatherOptions(), False)
        ),
        "gathered": lambda: group._allgather_base(
            whole, copied, _options(c10d.AllgatherOptions(), False)
        ),
        "scattered": lambda: group._reduce_scatter_base(
            part, torch.ones(size), _options(c10d.ReduceScatterOptions(), False)
        ),
        "barrier": lambda: group.barrier(opts=_options(c10d.BarrierOptions(), False)),
        "broadcast": lambda: group.broadcast([copied], _options(c10d.BroadcastOptions(), False)),
    }
    assert {name: call() for name, call in calls.items()} == dict.fromkeys(calls)
    assert torch.all(folded == size)
    assert [part.tolist() for part in parts] == [[float(other)] * 2 for other in range(size)]
    assert whole.tolist() == [float(other) for other in range(size) for _ in range(2)]
    assert part.item() == size
    assert torch.all(copied == 0)


@check
def what_watches_sees_synchronous_calls(rank: int, size: int) -> None:
    def call(tensor: torch.Tensor) -> Any:
        return dist.group.WORLD.allreduce([tensor], _options(c10d.AllreduceOptions(), False))

    with _Seen() as seen:
        dist.all_reduce(torch.ones(2))
    assert "c10d.allreduce_.default" in seen.names
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        dist.all_reduce(torch.ones(2))
    assert "c10d::allreduce_" in {event.key for event in profiler.key_averages()}
    leaf = torch.ones(2, requires_grad=True)
    work = call(leaf)
    assert work.is_completed()
    assert work.result()[0].data_ptr() == leaf.data_ptr()
    assert leaf.tolist() == [size, size]
    with torch.inference_mode():
        assert call(torch.ones(2)) is None
    # A call is not left out of a trace, which takes no groups.
    with pytest.raises(RuntimeError, match="Tried to trace"):
        torch.jit.trace(
            lambda tensor: (call(tensor), tensor + 1)[1], torch.ones(2), check_trace=False
        )


@check
def graphs_and_transforms_see_calls(rank: int, size: int) -> None:
    """torch treats calls as those of its own backends. Each case fails without one of the
    dispatcher's conditions.
    """

    def called(tensor: torch.Tensor) -> torch.Tensor:
        dist.all_reduce(tensor)
        return tensor + 1

    graph = make_fx(called)(torch.ones(2)).graph
    assert "c10d.allreduce_.default" in [str(node.target) for node in graph.nodes]
    with pytest.raises(RuntimeError, match="Batching rule not implemented for c10d::allreduce_"):
        torch.func.vmap(called)(torch.ones(3, 2))
    assert torch.func.grad(lambda tensor: called(tensor).sum())(torch.ones(2)).tolist() == [1, 1]
    assert torch.func.functionalize(called)(torch.ones(2)).tolist() == [size + 1] * 2
    before = c10d._get_work_registry_size()
    c10d._set_allow_inflight_collective_as_graph_input(True)
    try:
        tensor = torch.ones(2)
        dist.all_reduce(tensor, async_op=True)
        assert c10d._get_work_registry_size() == before + 1
        torch.ops._c10d_functional.wait_tensor(tensor)
        assert c10d._get_work_registry_size() == before
    finally:
        c10d._set_allow_inflight_collective_as_graph_input(False)
    assert torch.all(tensor == size)


@check
def calls_of_one_are_all_begun_first(rank: int, size: int) -> None:
    tensors = [torch.ones(2), torch.ones(3)]
    with mock.patch.object(Outstanding, "run", side_effect=AssertionError("a call was waited for")):
        work = dist.group.WORLD.allreduce_coalesced(
            tensors, _options(c10d.AllreduceCoalescedOptions(), False)
        )
    work.wait()
    assert all(torch.all(tensor == size) for tensor in tensors)


@check
def a_group_ends_after_the_call_of_another_thread(rank: int, size: int) -> None:
    group = dist.new_group()
    store = dist.distributed_c10d._get_default_store()
    tensor = torch.ones(5)
    errors: list[Exception] = []

    def call() -> None:
        try:
            dist.all_reduce(tensor, group=group)
        except Exception as error:
            errors.append(error)

    def is_in(thread: int | None, function: Any) -> bool:
        frame = sys._current_frames().get(thread)
        while frame is not None and frame.f_code is not function.__code__:
            frame = frame.f_back
        return frame is not None

    def until(thread: int | None, function: Any) -> None:
        while not is_in(thread, function):
            time.sleep(0)  # frames cannot be waited for

    if rank == 0:
        caller = threading.Thread(target=call)
        caller.start()
        until(caller.ident, Outstanding.wait)
        main = threading.get_ident()

        def tell() -> None:
            until(main, Outstanding.drain)
            store.set("the group ends", "")

        threading.Thread(target=tell).start()
        dist.destroy_process_group(group)
        caller.join()
    else:
        store.wait(["the group ends"], timedelta(seconds=30))
        call()
        dist.destroy_process_group(group)
    assert errors == []
    assert torch.all(tensor == size)
