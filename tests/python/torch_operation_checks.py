"""Checks of calls by operations of users on torch tensors; see `test_torch_operations.py`."""

from __future__ import annotations

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
        nt.operations([lines, tripled])


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
        groups_bring_them_along,
        what_is_wrong_is_refused,
    )
}
