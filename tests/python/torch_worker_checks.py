"""Checks of folds at the workers, which no switch does. None of them needs Gloo.

The oracle is NumPy, which folds the arrays of all ranks in their order: every rank must have its
bits.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

import numpy as np
import pytest
import torch
import torch.distributed as dist

import netfold
from netfold.config import Settings
from netfold.torch import backend_of, sparse, worker_folds
from netfold.torch.unequal import Steps
from oracle import sample
from torch_world import Check, Lines

CHECKS: dict[str, Check] = {}

R = dist.ReduceOp
BITWISE = {R.BAND: np.bitwise_and, R.BOR: np.bitwise_or, R.BXOR: np.bitwise_xor}
OTHERS = {R.SUM: np.add, R.PRODUCT: np.multiply, R.MIN: np.minimum, R.MAX: np.maximum}
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]

Part = Callable[[int], np.ndarray]
"""The array of a rank."""


def check(function: Check) -> Check:
    """Register a check under its own name."""
    CHECKS[function.__name__] = function
    return function


def _in_order(ufunc: np.ufunc, part: Part, size: int) -> np.ndarray:
    """The fold of all ranks' arrays, one after the other, in their own type."""
    return functools.reduce(ufunc, [part(rank) for rank in range(size)])


def _tensor(array: np.ndarray) -> torch.Tensor:
    return torch.from_numpy(array.copy())


def _every_form(rank: int, size: int, op: object, part: Part, expected: np.ndarray) -> None:
    """Make each call that folds. Arrays have a row for each rank."""
    wanted = _tensor(expected)
    tensor = _tensor(part(rank))
    dist.all_reduce(tensor, op)
    assert torch.equal(tensor, wanted)
    wide = torch.stack([_tensor(part(rank)), _tensor(part(rank))], -1)
    untouched = wide[..., 1].clone()
    dist.all_reduce(wide[..., 0], op)
    assert torch.equal(wide[..., 0], wanted)
    assert torch.equal(wide[..., 1], untouched), "elements between the strides stay as they are"
    for root in range(size):
        tensor = _tensor(part(rank))
        dist.reduce(tensor, root, op)
        assert torch.equal(tensor, wanted if rank == root else _tensor(part(rank)))
    output, rows = torch.zeros_like(wanted[0]), _tensor(part(rank))
    dist.reduce_scatter_tensor(output, rows, op)
    assert torch.equal(output, wanted[rank])
    assert torch.equal(rows, _tensor(part(rank))), "the input stays as it is"
    dist.reduce_scatter_tensor(rows[rank], rows, op)
    assert torch.equal(rows[rank], wanted[rank]), "the output may lie in the input"
    dist.reduce_scatter(output.zero_(), list(_tensor(part(rank))), op)
    assert torch.equal(output, wanted[rank])


def _shaped(name: str, size: int) -> Part:
    def part(rank: int) -> np.ndarray:
        seed = INTEGERS.index(name) if name in INTEGERS else 99
        return sample(100 * seed + rank, (size, 3, 5), name)

    return part


@check
def integers_at_the_workers(rank: int, size: int) -> None:
    """All operations of all types; what the switch has is in there, too."""
    for name in INTEGERS:
        part = _shaped(name, size)
        for op, ufunc in (BITWISE | OTHERS).items():
            expected = _in_order(ufunc, part, size)
            if name == "int16" or (name, op) == ("uint64", R.MIN):
                _every_form(rank, size, op, part, expected)
            tensor = _tensor(part(rank))
            dist.all_reduce(tensor, op)
            assert torch.equal(tensor, _tensor(expected)), (name, op)


@check
def bools_at_the_workers(rank: int, size: int) -> None:
    """Sums and maxima are `or`, products and minima `and`."""

    def part(rank: int) -> np.ndarray:
        return np.random.default_rng(rank).random((size, 7)) < 0.6

    either, both = np.logical_or, np.logical_and
    ufuncs = {R.SUM: either, R.MAX: either, R.PRODUCT: both, R.MIN: both} | BITWISE
    for op, ufunc in ufuncs.items():
        _every_form(rank, size, op, part, _in_order(ufunc, part, size))


@check
def averages_of_integers(rank: int, size: int) -> None:
    """They are rounded towards zero, and the sum of short ones does not wrap."""
    for name in INTEGERS[:3] + INTEGERS[4:7]:
        part = _shaped(name, size)
        total = np.sum([part(rank).astype(np.int64) for rank in range(size)], axis=0)
        # A quotient of magnitudes, as NumPy's own rounds down.
        expected = np.sign(total) * (np.abs(total) // size)
        _every_form(rank, size, R.AVG, part, expected.astype(name))
    large = torch.full((3,), 2**62 // size, dtype=torch.int64)
    dist.all_reduce(large, R.AVG)
    assert large.tolist() == [2**62 // size] * 3


@check
def floats_at_the_workers(rank: int, size: int) -> None:
    """In the order of ranks; the job's arithmetic does not have these folds."""
    folds = [("float64", R.SUM), ("float64", R.AVG), ("float64", R.MIN), ("float64", R.PRODUCT)]
    folds += [("float32", R.PRODUCT)]
    for name, op in folds:
        part = _shaped(name, size)
        expected = _in_order(OTHERS.get(op, np.add), part, size)
        if op == R.AVG:
            expected /= size
        _every_form(rank, size, op, part, expected.astype(name))


@check
def floats_of_16_bits_are_rounded_once(rank: int, size: int) -> None:
    """The job's arithmetic has tables of f32 alone."""
    assert Settings.from_environment().arithmetic == "logtable"
    for op in (R.SUM, R.AVG, R.PRODUCT):
        half, single = _shaped("float16", size), _shaped("float32", size)
        expected = _in_order(
            OTHERS.get(op, np.add), lambda rank, of=half: of(rank).astype(np.float32), size
        )
        if op == R.AVG:
            expected /= np.float32(size)
        _every_form(rank, size, op, half, expected.astype(np.float16))
        shorts = [_tensor(single(other)).bfloat16() for other in range(size)]
        wide = np.add if op == R.AVG else OTHERS[op]
        exact = functools.reduce(wide, [short.float().numpy() for short in shorts])
        total = torch.from_numpy(exact / np.float32(size) if op == R.AVG else exact)
        dist.all_reduce(shorts[rank], op)
        assert torch.equal(shorts[rank], total.bfloat16())


@check
def premultiplied_sums(rank: int, size: int) -> None:
    """Each rank has a factor of its own: a number, or a tensor of one."""
    for name in ("float64", "float32"):
        part = _shaped(name, size)
        scaled = [part(other) * np.dtype(name).type(other + 0.25) for other in range(size)]
        expected = _in_order(np.add, scaled.__getitem__, size)
        for factor in (rank + 0.25, torch.tensor([rank + 0.25])):
            op = dist._make_nccl_premul_sum(factor)
            _every_form(rank, size, op, part, expected)


@check
def parts_of_many_sizes_at_the_workers(rank: int, size: int) -> None:
    """A reduce-scatter to parts of which one has no element."""
    lengths = [3 * other % 7 for other in range(size)]

    def part(rank: int) -> np.ndarray:
        return sample(rank, (sum(lengths),), "float64")

    expected = torch.split(_tensor(_in_order(np.maximum, part, size)), lengths)[rank]
    for op, dtype in ((R.MAX, torch.float64), (R.BOR, torch.int16)):
        ones = torch.full((sum(lengths),), 1 << rank)
        mine = _tensor(part(rank)) if dtype.is_floating_point else ones
        output = torch.zeros(lengths[rank], dtype=dtype)
        work = dist.reduce_scatter(
            output, list(torch.split(mine.to(dtype), lengths)), op, async_op=True
        )
        assert work.get_future().wait()[0] is output
        if dtype.is_floating_point:
            assert torch.equal(output, expected)
        else:
            assert output.tolist() == [(1 << size) - 1] * lengths[rank]


@check
def no_elements_at_the_workers(rank: int, size: int) -> None:
    empty = torch.empty(0, 3, dtype=torch.int16)
    dist.all_reduce(empty)
    dist.reduce(empty, size - 1)
    dist.reduce_scatter_tensor(torch.empty(0, dtype=torch.float64), empty.double())
    dist.reduce_scatter(empty, [empty] * size)
    total = torch.ones(2, dtype=torch.int16)
    dist.all_reduce(total)
    assert total.tolist() == [size] * 2


@contextmanager
def _pieces_of(limit: int) -> Iterator[list[int]]:
    """Have pieces be of at most so many bytes; gives the bytes that each gather takes of a rank."""
    gathered: list[int] = []
    run = Steps.run

    def noted(steps: Steps, calls: list, loans: list) -> None:
        lengths = [call.lengths[steps.rank] if call.lengths else call.elements for call in calls]
        gathered.append(sum(lengths))
        run(steps, calls, loans)

    with (
        mock.patch.object(worker_folds, "CHUNK_BYTES", limit),
        mock.patch.object(sparse, "CHUNK_BYTES", limit),
        mock.patch.object(Steps, "run", noted),
    ):
        yield gathered


@check
def memory_is_bounded(rank: int, size: int) -> None:
    """Elements are gathered a piece at a time, and each piece comes to its place."""

    def part(rank: int) -> np.ndarray:
        return sample(rank, (size, 37), "float64")

    with _pieces_of(80) as gathered:
        expected = _in_order(np.bitwise_xor, lambda rank: part(rank).view(np.int64), size)
        _every_form(rank, size, R.BXOR, lambda rank: part(rank).view(np.int64), expected)
    assert max(gathered) == 80
    assert sum(gathered) == (5 + size) * 8 * 37 * size


@check
def long_calls_go_through_the_switch_where_they_must(rank: int, size: int) -> None:
    """Gloo, if there, gets the long ones that it does faster, and no other."""
    has_gloo = not Settings.from_environment().strict
    elements, group = worker_folds.LONG_BYTES // 8, dist.new_group()

    def of(count: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
        return torch.full((count,), 1 << rank, dtype=dtype)

    def lines_of(call: Callable[[], None]) -> list[str]:
        lines = Lines()
        call()
        return [line for line in lines.lines if "runs through Gloo" in line]

    for count in (elements, elements + 1):
        bits, reduced, scattered = of(count), of(count), of(count)
        calls = [
            lambda bits=bits: dist.all_reduce(bits, R.BOR, group=group),
            lambda reduced=reduced: dist.reduce(reduced, 0, R.BOR, group=group),
        ]
        goes = has_gloo and count > elements and rank == 0
        assert [len(lines_of(call)) for call in calls] == [goes, goes]
        whole = scattered.repeat(size)
        assert not lines_of(
            lambda output=scattered, whole=whole: dist.reduce_scatter_tensor(
                output, whole, R.BOR, group=group
            )
        )
        results = [bits, scattered, reduced] if rank == 0 else [bits, scattered]
        assert all(torch.all(result == (1 << size) - 1) for result in results)
    # Gloo has no such types.
    short = of(8 * elements, torch.int16)
    assert not lines_of(lambda: dist.all_reduce(short, group=group))
    assert torch.all(short == (1 << size) - 1)
    yes = torch.full((9 * elements,), rank == 0)
    assert not lines_of(lambda: dist.all_reduce(yes, group=group))
    assert torch.all(yes)
    even = of(2 * elements)
    assert not lines_of(lambda: dist.all_reduce(even, R.AVG, group=group))
    assert torch.all(even == ((1 << size) - 1) // size)


@check
def works_of_folds_at_the_workers(rank: int, size: int) -> None:
    """They are carried out in their order, beside the group's other calls."""
    works, bits, copies = [], [], []
    for step in range(10):
        bits.append(torch.full((step + 1,), (1 << rank) * (step + 1), dtype=torch.int16))
        works.append(dist.all_reduce(bits[-1], R.BOR, async_op=True))
        copies.append(torch.full((1000,), float(step if rank == 0 else -1)))
        works.append(dist.broadcast(copies[-1], 0, async_op=True))
    nobodys = torch.full((3,), 1 << rank, dtype=torch.int16)
    dist.all_reduce(nobodys, R.BXOR, async_op=True)
    for work in reversed(works[2:]):
        assert work.wait()
    assert works[0].get_future().wait()[0] is bits[0]
    assert works[1].get_future().then(lambda done: done.value()[0] + 1).wait()[0] == 1
    assert all(work.is_completed() and work.is_success() for work in works)
    for step in range(10):
        wanted = functools.reduce(int.__or__, [(1 << other) * (step + 1) for other in range(size)])
        assert torch.all(bits[step] == wanted)
        assert torch.all(copies[step] == step)
    dist.all_reduce(torch.ones(1, dtype=torch.int16))
    assert nobodys.tolist() == [(1 << size) - 1] * 3, "a call ends after those before it"
    group = dist.group.WORLD
    halves, shorts = torch.ones(3, dtype=torch.int16), torch.ones(2, 2, dtype=torch.int8)
    group.allreduce_coalesced([halves, shorts]).wait()
    assert torch.all(halves == size)
    assert torch.all(shorts == size)
    many = [torch.ones(size * n, dtype=torch.int16) for n in (2, 30)]
    outputs = [torch.zeros(n, dtype=torch.int16) for n in (2, 30)]
    group.reduce_scatter_tensor_coalesced(outputs, many).wait()
    assert all(torch.all(output == size) for output in outputs)


@check
def folds_at_the_workers_leave_the_mode_alone(rank: int, size: int) -> None:
    with torch.inference_mode():
        there = torch.ones(2, 3, dtype=torch.int16)
        dist.all_reduce(there.t())
        assert torch.all(there == size)
    dist.all_reduce(there)
    assert torch.all(there == size * size)
    leaf = torch.ones(4, dtype=torch.float64, requires_grad=True)
    with torch.no_grad():
        dist.all_reduce(leaf)
    assert leaf.requires_grad
    assert leaf.is_leaf
    assert leaf.tolist() == [size] * 4


@check
def a_fold_that_there_is_not_is_its_callers_error(rank: int, size: int) -> None:
    """Nothing has been sent, and the group goes on."""
    floats, truths = torch.ones(3, dtype=torch.float64), torch.ones(3, dtype=torch.bool)
    scaled = dist._make_nccl_premul_sum(2.0)
    numbers, parts = truths.to(torch.int16), [truths] * size
    sparse_minima = torch.eye(2, dtype=torch.int32).to_sparse()
    wrong: list[tuple[str, Callable[[], object]]] = [
        ("bor is an operation of integers", lambda: dist.all_reduce(floats, R.BOR)),
        ("no average of bool", lambda: dist.reduce(truths, 0, R.AVG)),
        ("no average of bool", lambda: dist.reduce_scatter(truths, parts, R.AVG)),
        ("no average of uint64", lambda: dist.all_reduce(truths.to(torch.uint64), R.AVG)),
        ("premul_sum is an operation of floats", lambda: dist.all_reduce(numbers, scaled)),
        ("float8_e5m2", lambda: dist.all_reduce(floats.to(torch.float8_e5m2))),
        ("operation min of sparse", lambda: dist.all_reduce(sparse_minima, R.MIN)),
    ]
    for said, call in wrong:
        with pytest.raises(netfold.UnsupportedError, match=said):
            call()
    dist.all_reduce(numbers, async_op=True).wait()
    assert numbers.tolist() == [size] * 3


@check
def ranks_of_two_priorities_at_the_workers(rank: int, size: int) -> None:
    """A priority that only one rank chooses is a mismatch, which all ranks are told."""
    group = dist.new_group()
    mine = netfold.torch.priority("bulk" if rank == 0 else "urgent")
    with mine, pytest.raises(netfold.NetfoldError, match="bulk"):
        dist.all_reduce(torch.ones(5, dtype=torch.int16), group=group)
    with pytest.raises(netfold.NetfoldError):
        dist.all_reduce(torch.ones(5), group=group)


@check
def sparse_folds_at_the_workers(rank: int, size: int) -> None:
    """By key, in the order of ranks, a piece at a time; some ranks have no key of a piece."""
    for name in ("float64", "int8", "int16", "bool"):
        for op in (R.SUM,) if name == "bool" else (R.SUM, R.AVG):
            with _pieces_of(96) as gathered:
                _sparse_fold(rank, size, name, op)
            if name == "float64" and Settings.from_environment().arithmetic == "native":
                continue
            # A row has six elements, and is gathered whole.
            at_once = max(96 // (6 * np.dtype(name).itemsize), 1)
            assert max(gathered[2:]) <= at_once * 6 * np.dtype(name).itemsize
            assert len(gathered) > 3


def _sparse_fold(rank: int, size: int, name: str, op: object) -> None:
    dense = []
    for other in range(size):
        random = np.random.default_rng(other)
        array = np.zeros((60, 6), name)
        keys = random.permutation(60)[: 20 * ((other + 1) % 4)]
        values = sample(other, (len(keys), 6), "int8" if name == "bool" else name)
        array[keys] = values.astype(name)
        dense.append(array)
    wide = np.int64 if name.startswith("int") else name
    expected = functools.reduce(np.add, [array.astype(wide) for array in dense])
    if op == R.AVG:
        whole = np.sign(expected) * (np.abs(expected) // size)
        expected = whole if name.startswith("int") else expected / size
    tensor = _tensor(dense[rank]).to_sparse(1)
    dist.all_reduce(tensor, op)
    assert torch.equal(tensor.to_dense(), _tensor(expected.astype(name)))


@check
def strict_groups_have_no_gloo(rank: int, size: int) -> None:
    assert not backend_of()._fallback.is_there
