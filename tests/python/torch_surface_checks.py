"""Every method and property of `torch.distributed`'s `Backend`, called on netfold's; see
`torch_world.py`.

What is in none of the tables is a new torch's: it is to be looked at, and entered.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import torch
import torch.distributed as dist
from torch._C._distributed_c10d import Backend, ErrorType, ReconfigureOptions

from netfold.torch import NetfoldBackend, backend_of
from netfold.torch.worker_folds import LONG_BYTES
from team import free_address
from torch_training_checks import CHECKS as TRAINING
from torch_world import Check

CHECKS: dict[str, Check] = {}

PROPERTIES: dict[str, Any] = {
    "_supports_time_estimate": False,
    "bound_device_id": None,
    "supports_abort_hooks": False,
    "supports_coalescing": False,
    "supports_completion_hooks": False,
    "supports_reconfigure": False,
    "supports_shrinking": False,
    "supports_splitting": True,
    "supports_window": False,
}

ANSWERS: dict[str, tuple[tuple[Any, ...], Any]] = {
    "_add_ephemeral_timeout": ((timedelta(seconds=1),), None),
    "_get_backend_name": ((), "netfold"),
    "_set_sequence_number_for_group": ((), None),
    "eager_connect_single_device": ((torch.device("cpu", 0),), None),
    "get_error": ((), ErrorType.SUCCESS),
    "monitored_barrier": ((), None),
    "name": ((), "netfold"),
    "set_timeout": ((timedelta(seconds=30),), None),
    "setUsePgForSymmMemRendezvous": ((False,), None),
    "supports_tensor_alloc": ((torch.device("cpu", 0),), False),
}

REFUSED: dict[str, tuple[Any, ...]] = {
    "_enable_collectives_timing": (),
    "_end_coalescing": (),
    "_end_time_estimate": (),
    "_register_on_completion_hook": (lambda info: None,),
    "_start_coalescing": (),
    "_start_time_estimate": (),
    "_wait_for_pending_works": (),
    "gather_into_tensor": (torch.zeros(4), torch.zeros(2)),
    "gather_single": (torch.zeros(4), torch.zeros(2)),
    "get_reconfigure_handle": (),
    "memory_stats": (),
    "merge": (dist.HashStore(), Backend.Options("netfold"), 0, 1),
    "new_window": (),
    "reconfigure": (ReconfigureOptions(),),
    "register_abort_hook": (0, lambda: None),
    "resume": (),
    "shrink": ([0],),
    "suspend": (),
    "unregister_abort_hook": (0,),
}
"""Refused by torch, whose message has the backend's name and the method's."""


def collectives(rank: int, size: int) -> dict[str, tuple[tuple[Any, ...], Tensors, float]]:
    """Arguments of each collective, the tensors that it fills, and what is in them then. Each rank
    contributes ones.
    """
    ones, summed, together, rooted = (torch.ones(2) for _ in range(4))
    many, out, all_out = torch.ones(2 * size), torch.zeros(2), torch.zeros(2 * size)
    parts, new_parts = [torch.ones(2) for _ in range(size)], [torch.zeros(2) for _ in range(size)]
    sparse = torch.eye(2).to_sparse()
    return {
        "_allgather_base": ((all_out, ones), [all_out], 1),
        "_reduce_scatter_base": ((out, many), [out], size),
        "all_gather_single": ((all_out, ones), [all_out], 1),
        "all_gather_single_coalesced": (([all_out], [ones]), [all_out], 1),
        "all_to_all_single": ((all_out, many, [], []), [all_out], 1),
        "allgather": (([new_parts], [ones]), new_parts, 1),
        "allgather_coalesced": (([[part] for part in new_parts], [ones]), new_parts, 1),
        "allreduce": (([summed],), [summed], size),
        "allreduce_coalesced": (([together],), [together], size),
        "allreduce_sparse": (([sparse],), [sparse], size),
        "alltoall": ((new_parts, parts), new_parts, 1),
        "alltoall_base": ((all_out, many, [], []), [all_out], 1),
        "barrier": ((), [], 0),
        "broadcast": (([ones],), [ones], 1),
        "gather": (([new_parts] if rank == 0 else [], [ones]), new_parts if rank == 0 else [], 1),
        "reduce": (([rooted],), [rooted], size if rank == 0 else 1),
        "reduce_scatter": (([out], [parts]), [out], size),
        "reduce_scatter_single": ((out, many), [out], size),
        "reduce_scatter_single_coalesced": (([out], [many]), [out], size),
        "scatter": (([out], [parts] if rank == 0 else []), [out], 1),
    }


Tensors = list[torch.Tensor]

ELSEWHERE = {
    "_set_group_uid",
    "send",
    "recv",
    "recv_anysource",
    "split",
    "shutdown",
    "abort",
    "options",
    "rank",
    "size",
}
"""Called by other checks of this file or of `torch_checks.py`; `abort` and `shutdown` end a group.
"""

UNREACHABLE = {
    "Options",
    "_get_sequence_number_for_group",
    "_pybind11_conduit_v1_",
    "allocate_tensor",
    "mem_allocator",
}
"""A class, what `counters` looks at, and memory of a device that only its own backends have."""


def check(function: Check) -> Check:
    """Register a check under its own name."""
    CHECKS[function.__name__] = function
    return function


@check
def every_attribute_is_looked_at(rank: int, size: int) -> None:
    tables: list[set[str]] = [
        set(PROPERTIES),
        set(ANSWERS),
        set(REFUSED),
        set(collectives(rank, size)),
        ELSEWHERE,
    ]
    known = set().union(*tables, UNREACHABLE)
    there = {name for name in dir(Backend) if not name.startswith("__")}
    assert (there - known, known - there) == (set(), set())


@check
def properties_and_answers(rank: int, size: int) -> None:
    backend = backend_of()
    assert {name: getattr(backend, name) for name in PROPERTIES} == PROPERTIES
    answers = {name: getattr(backend, name)(*arguments) for name, (arguments, _) in ANSWERS.items()}
    assert answers == {name: answer for name, (_, answer) in ANSWERS.items()}
    assert (backend.options.backend, backend.options._timeout) == ("netfold", timedelta(seconds=30))
    backend._set_group_uid(dist.group.WORLD.group_name)
    assert (backend.rank(), backend.size()) == (rank, size)


@check
def refusals_name_backend_and_method(rank: int, size: int) -> None:
    for name, arguments in REFUSED.items():
        with pytest.raises(RuntimeError, match="netfold") as refusal:
            getattr(backend_of(), name)(*arguments)
        assert not isinstance(refusal.value, RecursionError)
    # As torch asks for what it may do without.
    with pytest.raises(NotImplementedError, match="time estimator"), dist._time_estimator():
        pytest.fail("there is an estimator")


@check
def collectives_by_their_methods(rank: int, size: int) -> None:
    for name, (arguments, filled, expected) in collectives(rank, size).items():
        # Through torch's own class, as C++ calls it, too: its defaults are the options.
        getattr(Backend, name)(backend_of(), *arguments).wait()
        for tensor in filled:
            wanted = (
                expected * torch.eye(2) if tensor.is_sparse else torch.full_like(tensor, expected)
            )
            assert torch.equal(tensor.to_dense(), wanted), name


def works(
    group: dist.ProcessGroup, rank: int
) -> dict[str, tuple[Callable[[], dist._Work], Tensors, float]]:
    """Calls that rank 0 of two cannot end alone, the tensors that each fills at rank 0, and what is
    in them then.
    """
    me, root = rank == 0, dist.get_global_rank(group, 1)
    tensors = {
        name: torch.ones(2)
        for name in ("sum", "workers", "reduced", "copied", "scattered", "part", "coalesced")
    }
    tensors["workers"] = tensors["workers"].double()
    tensors["gloo"] = torch.ones(LONG_BYTES, dtype=torch.float64)
    strided, together = torch.ones(2, 2).t()[:, :1], [torch.ones(2), torch.ones(3)]
    ones, many, out = (
        torch.ones(2),
        torch.ones(4),
        {name: torch.zeros(4) for name in ("all", "exchanged", "coalesced")},
    )
    lists = {name: [torch.zeros(2), torch.zeros(2)] for name in ("all", "exchanged", "gathered")}
    uneven, mine = [torch.zeros(2), torch.zeros(3)], torch.ones(2 + rank)
    options: dict[str, Any] = {"group": group, "async_op": True}
    to_0, from_1 = dist.get_global_rank(group, 0), [torch.ones(2), torch.ones(2)]
    t = tensors
    return {
        "all_reduce": (lambda: dist.all_reduce(t["sum"], **options), [t["sum"]], 2),
        "all_reduce at the workers": (
            lambda: dist.all_reduce(t["workers"], **options),
            [t["workers"]],
            2,
        ),
        "all_reduce through Gloo": (lambda: dist.all_reduce(t["gloo"], **options), [t["gloo"]], 2),
        "all_reduce_coalesced": (lambda: group.allreduce_coalesced(together), together, 2),
        "all_gather_coalesced": (
            lambda: group.allgather_into_tensor_coalesced([out["coalesced"]], [ones]),
            [out["coalesced"]],
            1,
        ),
        "reduce_scatter_coalesced": (
            lambda: group.reduce_scatter_tensor_coalesced([t["coalesced"]], [many]),
            [t["coalesced"]],
            2,
        ),
        "reduce": (lambda: dist.reduce(t["reduced"], to_0, **options), [t["reduced"]], 2),
        "broadcast": (lambda: dist.broadcast(t["copied"], root, **options), [t["copied"]], 1),
        "all_gather": (lambda: dist.all_gather(lists["all"], ones, **options), lists["all"], 1),
        "all_gather, uneven": (lambda: dist.all_gather(uneven, mine, **options), uneven, 1),
        "all_gather_single": (
            lambda: dist.all_gather_into_tensor(out["all"], ones, **options),
            [out["all"]],
            1,
        ),
        "reduce_scatter": (
            lambda: dist.reduce_scatter(t["part"], from_1, **options),
            [t["part"]],
            2,
        ),
        "reduce_scatter_single": (
            lambda: dist.reduce_scatter_tensor(ones, many, **options),
            [ones],
            2,
        ),
        "barrier": (lambda: dist.barrier(**options), [], 0),
        "all_to_all": (
            lambda: dist.all_to_all(lists["exchanged"], from_1, **options),
            lists["exchanged"],
            1,
        ),
        "all_to_all_single": (
            lambda: dist.all_to_all_single(out["exchanged"], many, **options),
            [out["exchanged"]],
            1,
        ),
        "gather": (
            lambda: dist.gather(t["sum"], lists["gathered"] if me else None, to_0, **options),
            lists["gathered"],
            2,
        ),
        "scatter": (
            lambda: dist.scatter(t["scattered"], None if me else from_1, root, **options),
            [t["scattered"]],
            1,
        ),
        "scatter, strided": (
            lambda: dist.scatter(strided, None if me else [torch.ones(2, 1)] * 2, root, **options),
            [strided],
            1,
        ),
    }


@check
def works_answer_for_themselves(rank: int, size: int) -> None:
    store = dist.distributed_c10d._get_default_store()
    for kind, group in {
        "all": dist.group.WORLD,
        "new": dist.new_group(),
        "split": dist.split_group(None, [[0, 1]]),
    }.items():
        for name, (call, filled, expected) in works(group, rank).items():
            key = f"{kind} {name}"
            if rank == 1:
                store.wait([key])
            work = call()
            if rank == 0:
                assert not work.is_completed(), key
                assert work.exception() is None, key
                with pytest.raises(RuntimeError):
                    work.result()
                store.set(key, "")
            deadline = time.monotonic() + 20
            while not work.is_completed():
                assert time.monotonic() < deadline, f"{key} does not end"
            for tensor in filled if rank == 0 else []:
                assert torch.equal(tensor, torch.full_like(tensor, expected)), key
            assert work.is_success(), key
            assert work.exception() is None, key
            work.synchronize()
            assert work.wait(timedelta(seconds=1)), key
            if rank == 0:
                assert work.get_future().done(), key
                assert {tensor.data_ptr() for tensor in flat(work.result())} == {
                    part.data_ptr() for part in filled
                }


def flat(result: Any) -> Tensors:
    """The tensors of a result, which may be in lists of lists."""
    return (
        [result]
        if isinstance(result, torch.Tensor)
        else [tensor for part in result for tensor in flat(part)]
    )


@check
def groups_end_in_both_ways(rank: int, size: int) -> None:
    for end in (dist.distributed_c10d._abort_process_group, dist.destroy_process_group):
        group = dist.new_group()
        tensor = torch.ones(3)
        dist.all_reduce(tensor, group=group)
        assert torch.all(tensor == size)
        backend = backend_of(group)
        dist.barrier()
        end(group)
        assert backend not in NetfoldBackend.alive()


@check
def the_default_group_is_made_again_and_again(rank: int, size: int) -> None:
    addresses = [free_address()]
    dist.broadcast_object_list(addresses)
    host, port = addresses[0].split(":")
    # Under one store, where what earlier groups wrote is still there, and without a moment at which
    # all are out.
    store = dist.TCPStore(host, int(port), size, is_master=rank == 0)
    for end in (
        dist.destroy_process_group,
        dist.distributed_c10d._abort_process_group,
        dist.destroy_process_group,
    ):
        end()
        dist.init_process_group(
            "netfold", store=store, rank=rank, world_size=size, timeout=timedelta(seconds=60)
        )
        tensor = torch.ones(3)
        dist.all_reduce(tensor)
        assert torch.all(tensor == size)
        gathered = [torch.zeros(3) for _ in range(size)] if rank == 0 else None
        dist.gather(tensor, gathered)
        dist.barrier()


CHECKS["sum_float32"] = TRAINING["sum_float32"]
