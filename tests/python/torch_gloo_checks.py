"""Checks of calls that Gloo carries out; importing this module adds them to those of
`torch_checks.py`.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
import torch
import torch.distributed as dist

from torch_checks import CHECKS, check
from torch_world import Lines

__all__ = ["CHECKS"]


@check
def what_gloo_does(rank: int, size: int) -> None:
    if rank == 0:
        # Only two ranks take part in a send: Gloo must be there already.
        dist.send(torch.full((3, 3), 7.0).t(), 1)
    elif rank == 1:
        received = torch.zeros(3, 6)[:, ::2]
        dist.recv(received, 0)
        assert torch.all(received == 7)
    bits = torch.tensor([1 << rank])
    dist.all_reduce(bits, dist.ReduceOp.BOR)
    assert bits.item() == (1 << size) - 1
    small = torch.tensor([1], dtype=torch.int8)
    dist.all_reduce(small)
    assert small.item() == size
    sparse = torch.sparse_coo_tensor(
        [[rank]], torch.ones(1, dtype=torch.int8), (size,), check_invariants=True
    )
    dist.all_reduce(sparse)
    assert sparse.to_dense().tolist() == [1] * size


@check
def objects(rank: int, size: int) -> None:
    everyone = [None] * size
    dist.all_gather_object(everyone, {"rank": rank})
    assert everyone == [{"rank": who} for who in range(size)]
    message = [f"from {rank}"]
    dist.broadcast_object_list(message, size - 1)
    assert message == [f"from {size - 1}"]


@check
def a_fallback_is_named_once(rank: int, size: int) -> None:
    lines = Lines()
    for _ in range(3):
        dist.all_reduce(torch.ones(3, dtype=torch.int16).to(torch.int8), dist.ReduceOp.BAND)
    about = [line for line in lines.lines if "band" in line]
    assert about == (
        [
            "allreduce: operation band is not one that a switch folds; it runs through Gloo, not through the switch"
        ]
        if rank == 0
        else []
    )


@check
def a_receive_from_anyone_tells_the_sender(rank: int, size: int) -> None:
    if rank == 0:
        tensors = [torch.zeros(3, 2).t() for _ in range(1, size)]
        senders = [dist.recv(tensor) for tensor in tensors]
        assert sorted(senders) == list(range(1, size))
        assert all(
            torch.all(tensor == sender) for tensor, sender in zip(tensors, senders, strict=True)
        )
    else:
        work = dist.isend(torch.full((2, 3), float(rank)), 0)
        work.wait()
        assert work.is_completed()
    # The next message for rank 0 is another check's.
    dist.barrier()


@check
def messages_in_a_batch(rank: int, size: int) -> None:
    received = torch.zeros(5)
    works = dist.batch_isend_irecv(
        [
            dist.P2POp(dist.irecv, received, (rank - 1) % size),
            dist.P2POp(dist.isend, torch.full((5,), float(rank)), (rank + 1) % size),
        ]
    )
    for work in works:
        work.wait()
    assert torch.all(received == (rank - 1) % size)


@check
def a_monitored_barrier(rank: int, size: int) -> None:
    dist.monitored_barrier(timeout=timedelta(seconds=60))
    dist.monitored_barrier(timeout=timedelta(seconds=60), wait_all_ranks=True)
    last = dist.new_group()
    if rank == 0:
        with pytest.raises(RuntimeError, match="Rank 1 failed to pass monitoredBarrier"):
            dist.monitored_barrier(last, timeout=timedelta(milliseconds=100))
    dist.barrier()
