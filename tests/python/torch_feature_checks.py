"""Features of torch that are built on process groups, here on netfold's; see `torch_world.py`. The
oracles compute without groups.
"""

from __future__ import annotations

import copy
import tempfile
import time

import torch
import torch.distributed as dist
from torch import nn

from netfold.torch.worker_folds import LONG_BYTES
from torch_world import Check

CHECKS: dict[str, Check] = {}


def check(function: Check) -> Check:
    """Register a check under its own name."""
    CHECKS[function.__name__] = function
    return function


def _layer() -> nn.Linear:
    torch.manual_seed(7)
    return nn.Linear(6, 3)


@check
def zero_redundancy_optimizer(rank: int, size: int) -> None:
    from torch.distributed.optim import ZeroRedundancyOptimizer

    model = nn.Sequential(_layer(), nn.Linear(3, 2))
    plain = copy.deepcopy(model)
    sharded = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.1)
    whole = torch.optim.Adam(plain.parameters(), lr=0.1)
    for step in range(3):
        for module, optimizer in ((model, sharded), (plain, whole)):
            optimizer.zero_grad()
            module(torch.full((4, 6), 1.0 + step)).sum().backward()
            optimizer.step()
    for ours, theirs in zip(model.parameters(), plain.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs)


@check
def join_of_uneven_inputs(rank: int, size: int) -> None:
    model = nn.parallel.DistributedDataParallel(_layer())
    steps = 0
    with model.join(divide_by_initial_world_size=False):
        for _ in range(rank + 1):
            model.zero_grad()
            model(torch.full((2, 6), float(rank + 1))).sum().backward()
            steps += 1
    assert steps == rank + 1
    # The last step is the last rank's alone, two rows of it.
    if rank == size - 1:
        torch.testing.assert_close(model.module.weight.grad, torch.full((3, 6), 2.0 * size))


@check
def join_with_a_default_device(rank: int, size: int) -> None:
    """A function mode of torch, which stands between `Join` and the group."""
    with torch.device("cpu"):
        join_of_uneven_inputs(rank, size)


@check
def distributed_tensors(rank: int, size: int) -> None:
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

    mesh = init_device_mesh("cpu", (size,))
    whole = torch.arange(4.0 * size * size).view(2 * size, 2 * size)
    rows = distribute_tensor(whole, mesh, [Shard(0)])
    assert torch.equal(rows.to_local(), whole[2 * rank : 2 * rank + 2])
    assert torch.equal(
        rows.redistribute(placements=[Shard(1)]).to_local(), whole[:, 2 * rank : 2 * rank + 2]
    )
    assert torch.equal(rows.full_tensor(), whole)
    parts = DTensor.from_local(torch.full((2 * size, 3), float(rank)), mesh, [Partial()])
    total = size * (size - 1) / 2
    assert torch.all(parts.redistribute(placements=[Replicate()]).to_local() == total)
    assert torch.all(parts.redistribute(placements=[Shard(0)]).to_local() == total)
    torch.testing.assert_close(
        (rows @ distribute_tensor(whole, mesh, [Replicate()])).full_tensor(), whole @ whole
    )


@check
def functional_collectives(rank: int, size: int) -> None:
    from torch.distributed import _functional_collectives as functional

    mine, everyone = torch.full((2 * size,), float(rank)), list(range(size))
    assert torch.all(functional.all_reduce(mine, "sum", everyone) == size * (size - 1) / 2)
    gathered = functional.all_gather_tensor(mine, 0, everyone)
    assert torch.equal(gathered, torch.arange(float(size)).repeat_interleave(2 * size))
    assert torch.all(
        functional.reduce_scatter_tensor(mine, "sum", 0, everyone) == size * (size - 1) / 2
    )
    swapped = functional.all_to_all_single(mine, None, None, everyone)
    assert torch.equal(
        functional.wait_tensor(swapped), torch.arange(float(size)).repeat_interleave(2)
    )


@check
def a_callback_may_wait_for_another_call(rank: int, size: int) -> None:
    """A callback waits as in DDP's hooks for PowerSGD; the thread that runs callbacks would finish
    the other call, too.
    """

    def called(_: object) -> torch.Tensor:
        return dist.all_reduce(torch.ones(3), async_op=True).get_future().wait()[0]

    first = torch.ones(200_000)
    assert torch.all(dist.all_reduce(first, async_op=True).get_future().then(called).wait() == size)


@check
def calls_of_all_kinds_keep_their_order(rank: int, size: int) -> None:
    """R-STREAM-11, on a group that joins its job by them."""
    group = dist.new_group()
    gathered = [[torch.zeros(3) for _ in range(size)] for _ in range(10)]
    # Every other one is long enough for Gloo; the rest are the workers'.
    sums = [
        torch.full((LONG_BYTES * (number % 2) + 4,), number + rank, dtype=torch.int8)
        for number in range(10)
    ]
    works = []
    for number in range(10):
        mine = torch.full((3,), 10.0 * number + rank)
        outputs = gathered[number] if rank == 0 else None
        works.append(dist.gather(mine, outputs, group=group, async_op=True))
        works.append(dist.all_reduce(sums[number], group=group, async_op=True))
    # A group of one's own is not held up by them.
    dist.all_reduce(torch.ones(2))
    for work in reversed(works[10:]):
        work.wait()
    for work in works[:10]:
        assert len(work.get_future().wait()) == (
            size if rank == 0 and work in works[::2] else work in works[1::2]
        )
    assert all(work.is_completed() and work.is_success() for work in works)
    for number in range(10):
        assert torch.all(sums[number] == size * number + size * (size - 1) // 2)
        if rank == 0:
            assert [part.tolist() for part in gathered[number]] == [
                [10.0 * number + r] * 3 for r in range(size)
            ]


@check
def calls_of_gloo_have_their_callers_mode(rank: int, size: int) -> None:
    with torch.inference_mode():
        total = torch.ones(2, LONG_BYTES, dtype=torch.int8).t()
        work = dist.all_reduce(total, async_op=True)
        while not work.is_completed():
            time.sleep(0.001)
        assert torch.all(total == size)
        assert work.result()[0] is not None


@check
def checkpoints(rank: int, size: int) -> None:
    import torch.distributed.checkpoint as checkpoint

    folders = [tempfile.mkdtemp(prefix="netfold-test-") if rank == 0 else ""]
    dist.broadcast_object_list(folders)
    saved = {"model": _layer().state_dict(), "step": 5}
    checkpoint.save(saved, checkpoint_id=folders[0])
    loaded = {"model": nn.Linear(6, 3).state_dict(), "step": 0}
    checkpoint.load(loaded, checkpoint_id=folders[0])
    assert loaded["step"] == 5
    for name, tensor in saved["model"].items():
        assert torch.equal(loaded["model"][name], tensor)


@check
def pipelines(rank: int, size: int) -> None:
    from torch.distributed.pipelining import PipelineStage, ScheduleGPipe

    layers = []
    for stage in range(size):
        torch.manual_seed(stage)
        layers.append(nn.Linear(4, 4))
    batch = torch.linspace(-1, 1, 32).view(8, 4)
    expected = nn.Sequential(*copy.deepcopy(layers))(batch)
    stage = PipelineStage(layers[rank], rank, size, torch.device("cpu"))
    schedule = ScheduleGPipe(stage, n_microbatches=4)
    output = schedule.step(batch) if rank == 0 else schedule.step()
    if rank == size - 1:
        torch.testing.assert_close(output, expected)


@check
def profilers(rank: int, size: int) -> None:
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profiler:
        dist.all_reduce(torch.ones(8))
        (sent,) = dist.batch_isend_irecv([dist.P2POp(dist.isend, torch.ones(1), (rank + 1) % size)])
        dist.recv(torch.zeros(1), (rank - 1) % size)
        sent.wait()
        reduced = dist.reduce(torch.ones(8), dst=0, async_op=True)
        dist.barrier()
        reduced.wait()
        dist.all_reduce(torch.ones(8, dtype=torch.int16))
    switches = [event for event in profiler.events() if event.name.startswith("netfold:")]
    # The last is folded at the workers.
    calls = ["all_reduce", "reduce", "barrier", "all_reduce"]
    assert [event.name for event in switches] == [f"netfold:{call}" for call in calls]
    assert all(event.is_async for event in switches)
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
        a_callback_may_wait_for_another_call(rank, size)
    names = {event.key for event in profiler.key_averages()}
    assert {"c10d::allreduce_", "c10d::send", "c10d::recv_"} <= names
