"""Checks of calls by operations of users on torch tensors; see `test_torch_operations.py`."""

from __future__ import annotations

import os

import numpy as np
import pytest
import torch
import torch.distributed as dist

import netfold
import netfold.torch as nt


@netfold.op(element={"a": "i64", "b": "i64"}, associative=True)
def lines(left, right):
    """Compositions of lines x -> a x + b, the left one's first."""
    return (left.a * right.a, right.a * left.b + right.b)


@netfold.op(element="i64", associative=True, commutative=True, map=lambda one: 3 * one + 1)
def tripled(left, right):
    """Sums of which 3 s + 1 is sent."""
    return left + right


@netfold.op(
    element="f32",
    wire="i16",
    decode=lambda sent: np.float32(sent) / np.float32(16),
    encode=lambda number: np.int16(round(number * 16)),
)
def sixteenths(left, right):
    """Sums of numbers that travel as integers of 16 bits."""
    return left + right


def counted(word, rank, counts):
    """The number of times that a word has been asked for."""
    counts[word % 100] += 1
    return counts[word % 100]


counter = netfold.op(element="i32", state=(np.int32, 100), answer=counted)(None)


def given(rank: int, rows: int) -> torch.Tensor:
    """The lines of a rank."""
    generator = torch.Generator().manual_seed(rank)
    return torch.randint(-4, 5, (rows, 2), generator=generator)


def composed(ranks: int, rows: int) -> torch.Tensor:
    """The lines of the first ranks, composed: where they take 0 and 1."""
    at = [torch.zeros(rows, dtype=torch.int64), torch.ones(rows, dtype=torch.int64)]
    for rank in range(ranks):
        a, b = given(rank, rows).unbind(1)
        at = [a * x + b for x in at]
    return torch.stack([at[1] - at[0], at[0]], 1)


def every_collective(rank: int, size: int) -> None:
    """Folds of elements of two numbers, in rank order."""
    for rows in (1, 3000):
        tensor = given(rank, rows)
        assert nt.all_reduce(tensor, lines) is None
        assert torch.equal(tensor, composed(size, rows))
        tensor = given(rank, rows)
        nt.reduce(tensor, size - 1, lines)
        assert torch.equal(tensor, composed(size, rows) if rank == size - 1 else given(rank, rows))
        part = torch.empty(rows, 2, dtype=torch.int64)
        nt.reduce_scatter(part, given(rank, rows * size), lines)
        assert torch.equal(part, composed(size, rows * size)[rank * rows : (rank + 1) * rows])
        prefix = torch.empty(rows, 2, dtype=torch.int64)
        nt.scan(prefix, given(rank, rows), lines)
        assert torch.equal(prefix, composed(rank + 1, rows))
        prefix.zero_()
        nt.exscan(prefix, given(rank, rows), lines)
        assert torch.equal(prefix, composed(rank, rows) if rank else torch.zeros_like(prefix))


def works_are_waited_for(rank: int, size: int) -> None:
    """Several calls under way, beside those of `torch.distributed`."""
    tensors = [torch.arange(1000) + rank + at for at in range(5)]
    sums = [tensor.clone() for tensor in tensors]
    works = [nt.all_reduce(tensor, tripled, async_op=True) for tensor in tensors]
    works += [dist.all_reduce(tensor, async_op=True) for tensor in sums]
    for work in works:
        work.wait()
        assert work.is_completed()
    for tensor, total in zip(tensors, sums, strict=True):
        assert torch.equal(tensor, 3 * total + 1)


def strides_and_bytes(rank: int, size: int) -> None:
    """A tensor that is not contiguous, and the bytes of elements."""
    wide = torch.zeros(100, 3, dtype=torch.int64)
    wide[:, 1] = torch.arange(100) + rank
    nt.all_reduce(wide[:, 1], tripled)
    expected = 3 * (size * torch.arange(100) + size * (size - 1) // 2) + 1
    assert torch.equal(wide[:, 1], expected)
    assert not wide[:, ::2].any()
    numbers = torch.arange(100) + rank
    nt.all_reduce(numbers.view(torch.uint8), tripled)
    assert torch.equal(numbers, expected)


def elements_are_encoded(rank: int, size: int) -> None:
    """Tensors of elements travel as wire elements, plain or with strides, and so do those."""
    generator = torch.Generator().manual_seed(3)
    parts = torch.randn(size, size, 900, generator=generator)
    sums = torch.stack([torch.round(part * 16) / 16 for part in parts]).sum(0)
    tensor = parts[rank].clone()
    assert nt.all_reduce(tensor, sixteenths) is None
    assert torch.equal(tensor, sums)
    wide = torch.zeros(size, 900, 2)
    wide[..., 1] = parts[rank]
    works = [nt.all_reduce(wide[..., 1], sixteenths, async_op=True)]
    part, prefix = torch.empty(900), torch.zeros(size, 900)
    works.append(nt.reduce_scatter(part, parts[rank], sixteenths, async_op=True))
    works.append(nt.exscan(prefix, parts[rank], sixteenths, async_op=True))
    reduced = parts[rank].clone()
    works.append(nt.reduce(reduced, size - 1, sixteenths, async_op=True))
    for work in works:
        work.wait()
    assert torch.equal(wide[..., 1], sums)
    assert not wide[..., 0].any()
    assert torch.equal(part, sums[rank])
    before = (torch.round(parts[:rank] * 16) / 16).sum(0)
    assert torch.equal(prefix, before)
    assert torch.equal(reduced, sums if rank == size - 1 else parts[rank])
    wire = torch.round(parts[rank] * 16).short()
    nt.all_reduce(wire, sixteenths)
    assert torch.equal(wire, (sums * 16).short())
    with pytest.raises(netfold.UnsupportedError, match="folds elements of dtype float32"):
        nt.all_reduce(torch.ones(3, dtype=torch.float64), sixteenths)


def broadcasts_are_transformed(rank: int, size: int) -> None:
    """By a map and by a codec; the tensor of the rank that sends stays."""
    sent = torch.arange(3000)
    tensor = sent.clone() if rank == size - 1 else torch.full_like(sent, -1)
    nt.broadcast(tensor, size - 1, tripled)
    assert torch.equal(tensor, sent if rank == size - 1 else 3 * sent + 1)
    numbers = torch.randn(500, generator=torch.Generator().manual_seed(4))
    # What is overwritten is not encoded.
    tensor = numbers.clone() if rank == 0 else torch.full_like(numbers, 1e30)
    work = nt.broadcast(tensor, 0, sixteenths, async_op=True)
    work.wait()
    assert torch.equal(tensor, numbers if rank == 0 else torch.round(numbers * 16) / 16)


def requests_are_answered(rank: int, size: int) -> None:
    """A table at the switch counts what all ranks ask for, in the order of ranks."""
    if os.environ["NETFOLD_TRANSPORT"] == "shm":
        # Such jobs fold at the switch (R-OP-34).
        return
    nt.operations([counter])
    try:
        group = dist.new_group(list(range(size)))
        for call in range(3):
            asked = torch.arange(20, dtype=torch.int32)
            assert nt.look_aside(asked, counter, group=group) is None
            assert asked.tolist() == [call * size + rank + 1] * 20
        with pytest.raises(ValueError, match="look_aside"):
            nt.all_reduce(torch.ones(3, dtype=torch.int32), counter, group=group)
    finally:
        nt.operations([lines, tripled, sixteenths])


def groups_bring_them_along(rank: int, size: int) -> None:
    """A group that is made later has the operations that were named for it."""
    nt.operations([tripled])
    try:
        group = dist.new_group(list(range(size)))
        assert nt.backend_of(group).operations == (tripled,)
        tensor = torch.full((10,), rank)
        nt.all_reduce(tensor, tripled, group=group)
        assert torch.equal(tensor, torch.full((10,), 3 * size * (size - 1) // 2 + 1))
        with pytest.raises(ValueError, match="does not have the operation 'lines'"):
            nt.all_reduce(given(rank, 3), lines, group=group)
    finally:
        nt.operations([lines, tripled, sixteenths])


def what_is_wrong_is_refused(rank: int, size: int) -> None:
    """Before anything is sent: the group goes on."""
    with pytest.raises(netfold.UnsupportedError, match="takes elements of dtype"):
        nt.all_reduce(torch.ones(4), lines)
    with pytest.raises(netfold.UnsupportedError, match="bfloat16"):
        nt.all_reduce(torch.ones(4, dtype=torch.bfloat16), lines)
    with pytest.raises(ValueError, match="no whole number"):
        nt.all_reduce(torch.ones(3, dtype=torch.int64), lines)
    with pytest.raises(ValueError, match="transforms results"):
        nt.scan(torch.empty(3, dtype=torch.int64), torch.ones(3, dtype=torch.int64), tripled)
    with pytest.raises(ValueError, match="times the output"):
        nt.reduce_scatter(
            torch.empty(3, dtype=torch.int64), torch.ones(4, dtype=torch.int64), lines
        )
    with pytest.raises(TypeError, match=r"netfold\.Operation"):
        nt.all_reduce(torch.ones(3), "sum")
    tensor = torch.ones(1, dtype=torch.int64)
    nt.all_reduce(tensor, tripled)
    assert tensor == 3 * size + 1


CHECKS = {
    check.__name__: check
    for check in (
        every_collective,
        works_are_waited_for,
        strides_and_bytes,
        elements_are_encoded,
        broadcasts_are_transformed,
        requests_are_answered,
        groups_bring_them_along,
        what_is_wrong_is_refused,
    )
}
