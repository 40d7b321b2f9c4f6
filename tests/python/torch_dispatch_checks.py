"""Calls past torch's dispatcher, and those that something in torch has to see; see
`torch_world.py`.
"""

from __future__ import annotations

import contextlib
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

import netfold
from netfold.call import Call
from netfold.torch import backend_of
from netfold.torch.backend import NetfoldBackend
from netfold.torch.outstanding import Outstanding
from team import ctrl_c_in
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
    _end_after_the_call_of_another_thread(rank, size, dist.new_group(), "by Python")


@check
def a_group_ends_after_the_call_that_python_has_not_made(rank: int, size: int) -> None:
    group = dist.new_group()
    dist.all_reduce(torch.ones(5), group=group)
    with _ByPython() as python:
        _end_after_the_call_of_another_thread(rank, size, group, "by native code")
    assert python.shapes == []


def _end_after_the_call_of_another_thread(
    rank: int, size: int, group: dist.ProcessGroup, title: str
) -> None:
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
            store.set(f"the group ends {title}", "")

        threading.Thread(target=tell).start()
        dist.destroy_process_group(group)
        caller.join()
    else:
        store.wait([f"the group ends {title}"], timedelta(seconds=30))
        call()
        dist.destroy_process_group(group)
    assert errors == []
    assert torch.all(tensor == size)


class _ByPython:
    """The all-reduces for which the backend's Python is called, from `with` to its end."""

    def __init__(self) -> None:
        self.shapes: list[tuple[int, ...]] = []
        self._calls = NetfoldBackend.calls
        self._before = self._calls["allreduce"]

    def __enter__(self) -> _ByPython:
        def called(backend: Any, tensors: list[torch.Tensor], opts: Any) -> Any:
            self.shapes.append(tuple(tensors[0].shape))
            return self._before(backend, tensors, opts)

        self._calls["allreduce"] = called
        return self

    def __exit__(self, *error: object) -> None:
        self._calls["allreduce"] = self._before


@check
def synchronous_all_reduces_need_no_python(rank: int, size: int) -> None:
    """Of each case: the tensor, and whether its elements lie one after the other."""
    base = torch.ones(4, 6)
    cases = {
        "a matrix": (base, True),
        "no dimension": (torch.ones(()), True),
        "no elements": (torch.ones(0, 3), True),
        "rows": (base[1:3], True),
        "one column of one row, with the strides of its matrix": (base[:1, :1], True),
        "columns": (torch.ones(4, 6)[:, :5], False),
        "transposed": (torch.ones(4, 6).t(), False),
        "every other": (torch.ones(8)[::2], False),
    }
    for name, (tensor, in_order) in cases.items():
        total = torch.full_like(tensor, size) * tensor
        with _ByPython() as python:
            dist.all_reduce(tensor)
        assert torch.equal(tensor, total), name
        assert python.shapes == ([] if in_order else [tuple(tensor.shape)]), name


@check
def each_type_and_operation_is_its_own(rank: int, size: int) -> None:
    """The memory of one kind of fold is not taken for that of another."""
    for _ in range(2):
        for dtype in (torch.float32, torch.float64, torch.int32, torch.int64, torch.uint8):
            for operation, expected in {
                dist.ReduceOp.SUM: size * (size + 1) // 2,
                dist.ReduceOp.MAX: size,
                dist.ReduceOp.MIN: 1,
            }.items():
                tensor = torch.full((5,), rank + 1, dtype=dtype)
                dist.all_reduce(tensor, operation)
                assert tensor.tolist() == [expected] * 5, (dtype, operation)
    with _ByPython() as python:
        # The workers do it, each time.
        for _ in range(2):
            tensor = torch.full((5,), rank, dtype=torch.int32)
            dist.all_reduce(tensor, dist.ReduceOp.BOR)
            assert tensor.tolist() == [(1 << (size - 1).bit_length()) - 1] * 5
    assert python.shapes == [(5,)] * 2


@check
def groups_that_join_late_need_no_python_either(rank: int, size: int) -> None:
    group = dist.new_group()
    for joined in (False, True):
        tensor = torch.ones(5)
        with _ByPython() as python:
            dist.all_reduce(tensor, group=group)
        assert tensor.tolist() == [size] * 5
        assert python.shapes == ([] if joined else [(5,)])
    dist.destroy_process_group(group)


@check
def priorities_hold_for_calls_without_python(rank: int, size: int) -> None:
    """A priority that only one rank chooses is a mismatch."""
    group = dist.new_group()
    dist.all_reduce(torch.ones(5), group=group)
    mine = netfold.torch.priority("bulk" if rank == 0 else "urgent")
    with _ByPython() as python, mine, pytest.raises(netfold.MismatchError, match="bulk"):
        dist.all_reduce(torch.ones(5), group=group)
    assert python.shapes == []
    # The first error ends every later call.
    with pytest.raises(netfold.MismatchError, match="bulk"):
        dist.all_reduce(torch.ones(5), group=group)
    dist.destroy_process_group(group)


@check
def an_interrupted_call_without_python_goes_on(rank: int, size: int) -> None:
    """Ctrl-C while nobody but the native side knows the call."""
    store = dist.distributed_c10d._get_default_store()
    tensor = torch.ones(5)
    if rank == 0:
        backend = backend_of()
        known = mock.patch.object(backend, "go_on", wraps=backend.go_on)
        with known as go_on, ctrl_c_in("wait"), pytest.raises(KeyboardInterrupt):
            dist.all_reduce(tensor)
        (begun, *_, interrupt), _ = go_on.call_args
        assert begun == []
        assert interrupt is None
        store.set("interrupted", "")
    else:
        store.wait(["interrupted"], timedelta(seconds=30))
        dist.all_reduce(tensor)
    dist.barrier()
    assert torch.all(tensor == size)


@check
def an_interrupt_before_python_knows_the_call(rank: int, size: int) -> None:
    store = dist.distributed_c10d._get_default_store()
    tensor = torch.ones(5)
    if rank == 0:
        backend = backend_of()
        made = c10d.AllreduceOptions()
        begun: list[int | None] = []
        address = tensor.data_ptr()
        call = Call("all_reduce", "sum", "f32", 0, 5, address, address)
        backend._native.attempt(begun, *call)
        assert begun != [None]
        with pytest.raises(KeyboardInterrupt):
            backend.go_on(begun, tensor, made, KeyboardInterrupt())
        assert begun == []
        store.set("interrupted too", "")
    else:
        store.wait(["interrupted too"], timedelta(seconds=30))
        dist.all_reduce(tensor)
    dist.barrier()
    assert torch.all(tensor == size)


@check
def a_call_that_python_does_not_take_over_ends_the_group(rank: int, size: int) -> None:
    """Its memory may be freed as soon as its caller is gone."""
    group = dist.new_group()
    store = dist.distributed_c10d._get_default_store()
    dist.all_reduce(torch.ones(5), group=group)
    if rank == 0:
        failing = mock.Mock(side_effect=MemoryError("no frame"))
        with mock.patch.object(NetfoldBackend, "go_on", failing), pytest.raises(MemoryError):
            dist.all_reduce(torch.ones(5), group=group)
        store.set("not taken over", "")
    else:
        store.wait(["not taken over"], timedelta(seconds=30))
    if rank > 0:
        # The others may finish what rank 0 had begun.
        with contextlib.suppress(netfold.NetfoldError):
            dist.all_reduce(torch.ones(5), group=group)
    with pytest.raises(netfold.NetfoldError):
        dist.all_reduce(torch.ones(5), group=group)
    dist.destroy_process_group(group)


@check
def a_failed_group_gives_its_first_error(rank: int, size: int) -> None:
    group = dist.new_group()
    dist.all_reduce(torch.ones(5), group=group)
    backend_of(group)._outstanding.remember(netfold.NetfoldError("what went wrong first"))
    with pytest.raises(netfold.NetfoldError, match="what went wrong first"):
        dist.all_reduce(torch.ones(5), group=group)
    dist.destroy_process_group(group)
