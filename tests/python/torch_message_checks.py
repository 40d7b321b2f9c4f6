"""Checks of messages between two ranks (R-STREAM-15); importing this module adds them to those of
`torch_checks.py`. None of them needs Gloo.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
import torch
import torch.distributed as dist

import netfold
from netfold.torch import backend_of
from netfold.torch.messages import EAGER_BYTES
from torch_checks import CHECKS, check

__all__ = ["CHECKS"]


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
def messages_of_two_ranks(rank: int, size: int) -> None:
    """The others take no part, and strides are kept."""
    if rank == 0:
        dist.send(torch.full((3, 3), 7.0).t(), 1)
    elif rank == 1:
        memory = torch.zeros(3, 6)
        dist.recv(memory[:, ::2], 0)
        assert torch.all(memory[:, ::2] == 7)
        assert torch.all(memory[:, 1::2] == 0)


@check
def short_messages_are_sent_before_they_are_taken(rank: int, size: int) -> None:
    """As through TCP: both send first. The memory is free again at once."""
    other = rank ^ 1
    if other >= size:
        return
    for length in (0, 1, EAGER_BYTES // 4):
        sent = torch.full((length,), float(rank))
        dist.send(sent, other)
        sent.fill_(-1)
        received = torch.zeros(length)
        assert dist.recv(received, other) == other
        assert torch.all(received == other)


@check
def tags_have_orders_of_their_own(rank: int, size: int) -> None:
    def message(source: int, tag: int, number: int) -> torch.Tensor:
        return torch.full((50_000 * number + 1,), 100 * source + 10 * tag + number)

    if rank == 0:
        works = [dist.isend(message(0, tag, at), 1, tag=tag) for at in range(3) for tag in (0, 5)]
        for work in works:
            work.wait()
    elif rank == 1:
        for tag in (5, 0):
            for number in range(3):
                wanted = message(0, tag, number)
                received = torch.zeros_like(wanted)
                dist.recv(received, 0, tag=tag)
                assert torch.equal(received, wanted)


@check
def receives_from_anyone_and_from_one(rank: int, size: int) -> None:
    """Ranks that a receive from anyone has looked at, and not taken a message of, lose none."""

    def mine() -> torch.Tensor:
        return torch.full((2,), float(rank))

    last = size - 1
    if rank == 0:
        received = torch.zeros(2)
        work = dist.irecv(received)
        work.wait()
        assert (work._source_rank(), int(received[0])) == (1, 1)
        dist.barrier()
        for source in range(2, size):
            assert dist.recv(received, source) == source
            assert torch.all(received == source)
        dist.barrier()
        assert dist.recv(received) == last
        assert torch.all(received == last)
        return
    if rank == 1:
        dist.send(mine(), 0)
    dist.barrier()
    if rank > 1:
        dist.send(mine(), 0)
    dist.barrier()
    if rank == last:
        dist.send(mine(), 0)


@check
def a_negative_tag_is_refused(rank: int, size: int) -> None:
    """Such tags are netfold's own."""
    tensor = torch.zeros(1)
    backend = backend_of()
    calls = [
        lambda: backend.send([tensor], (rank + 1) % size, -1),
        lambda: backend.recv([tensor], (rank + 1) % size, -1),
        lambda: backend.recv_anysource([tensor], -1),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="a tag is a number from 0; got -1"):
            call()


@check
def a_message_of_another_length_is_told_to_both(rank: int, size: int) -> None:
    """The group goes on."""
    group = dist.new_group(timeout=timedelta(seconds=60))
    if rank < 2:
        exchange = dist.send if rank == 0 else dist.recv
        tensor = torch.zeros(100_000 if rank == 0 else 7)
        with pytest.raises(netfold.MismatchError, match=r"message\(400000 bytes\)"):
            exchange(tensor, 1 - rank, group)
    total = torch.ones(1)
    dist.all_reduce(total, group=group)
    assert total.item() == size
    dist.destroy_process_group(group)


@check
def a_message_that_nobody_sends(rank: int, size: int) -> None:
    group = dist.new_group(timeout=timedelta(seconds=1))
    if rank == 0:
        with pytest.raises(netfold.CallTimeoutError, match="message"):
            dist.recv(torch.zeros(7), 1, group)
        with pytest.raises(netfold.CallTimeoutError, match="no rank has sent"):
            dist.recv(torch.zeros(7), None, group, 3)
        # One that was given up takes no message, and says so.
        given_up = dist.irecv(torch.zeros(7), None, group, 3)
        with pytest.raises(netfold.CallTimeoutError, match="no rank has sent"):
            given_up.wait()
        assert given_up.get_future().done()
        backend_of(group).set_timeout(timedelta(seconds=60))
        received = torch.zeros(7)
        dist.barrier()
        assert dist.recv(received, None, group, 3) == 1
        assert torch.all(received == 1)
    else:
        dist.barrier()
        if rank == 1:
            dist.send(torch.ones(7), 0, group, 3)
    dist.barrier()


@check
def a_monitored_barrier(rank: int, size: int) -> None:
    dist.monitored_barrier(timeout=timedelta(seconds=60))
    dist.monitored_barrier(timeout=timedelta(seconds=60), wait_all_ranks=True)
    last = dist.new_group()
    if rank == 0:
        with pytest.raises(RuntimeError, match="Rank 1 failed to pass monitoredBarrier"):
            dist.monitored_barrier(last, timeout=timedelta(milliseconds=100))
    dist.barrier()


@check
def a_monitored_barrier_names_all_that_do_not_come(rank: int, size: int) -> None:
    group = dist.new_group()
    others = "Rank 1" if size == 2 else f"Ranks {', '.join(map(str, range(1, size)))}"
    if rank == 0:
        with pytest.raises(RuntimeError, match=f"{others} failed to pass monitoredBarrier"):
            dist.monitored_barrier(group, timedelta(milliseconds=100), wait_all_ranks=True)
    dist.barrier()


@check
def the_thread_of_a_failed_group_ends(rank: int, size: int) -> None:
    """A closed communicator makes it wait no more: it would go around without a pause."""
    group = dist.new_group()
    tensor = torch.ones(2 if rank == 0 else 1)
    with pytest.raises(netfold.MismatchError):
        dist.all_reduce(tensor, group=group)
    thread = backend_of(group)._outstanding._thread
    thread.join(30)
    assert not thread.is_alive()
    dist.barrier()
