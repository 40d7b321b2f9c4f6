"""Collectives in which workers give and get parts of their own, and prefixes, against NumPy."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import netfold
from oracle import assert_fold, sample
from team import communicators, values

pytestmark = pytest.mark.loss

MOVED = [
    np.uint8,
    np.float32,
    np.complex128,
    ml_dtypes.bfloat16,
    np.dtype("S7"),
    np.dtype("M8[us]"),
]


def moved(rank: int, shape: tuple[int, ...], dtype: np.dtype | type) -> np.ndarray:
    """Any bytes, as an array of any type."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=int)) * dtype.itemsize
    return np.frombuffer(np.random.default_rng(rank).bytes(size), dtype).reshape(shape)


def same(got: np.ndarray, wanted: np.ndarray) -> bool:
    """True if two arrays have the same shape, type and bytes."""
    return (got.shape, got.dtype, got.tobytes()) == (wanted.shape, wanted.dtype, wanted.tobytes())


@pytest.mark.parametrize("dtype", MOVED, ids=str)
@pytest.mark.parametrize(("size", "row"), [(1, (3,)), (2, (40_001,)), (3, ()), (5, (7, 11))])
def test_each_worker_gets_its_parts(switch, size, row, dtype):
    inputs = [moved(rank, (size, *row), dtype) for rank in range(size)]
    root = size // 2

    def work(comm):
        mine = inputs[comm.rank]
        stated = mine if comm.rank == root else np.empty_like(mine)
        return comm.gather(mine[0, ...], root), comm.scatter(stated, root), comm.all_to_all(mine)

    for rank, (gathered, scattered, exchanged) in enumerate(
        values(communicators(switch, size, work))
    ):
        if rank == root:
            assert same(gathered, np.stack([part[0] for part in inputs]))
        else:
            assert gathered is None
        assert same(scattered, inputs[root][rank])
        assert same(exchanged, np.stack([part[rank] for part in inputs]))


@pytest.mark.parametrize("arithmetic", ["block", "native", "fpisa", "logtable"])
@pytest.mark.parametrize("dtype", [np.float32, np.int64], ids=lambda dtype: dtype.__name__)
def test_prefixes_are_the_folds_of_the_first_ranks(switch, arithmetic, dtype):
    size, shape = 4, (3, 401)
    parts = [sample(rank, shape, dtype) for rank in range(size)]
    zero = np.zeros(shape, dtype)

    def work(comm):
        mine = parts[comm.rank]
        return [(comm.scan(mine, op), comm.exscan(mine, op)) for op in ("sum", "max")]

    for rank, results in enumerate(
        values(communicators(switch, size, work, arithmetic=arithmetic))
    ):
        for op, (scan, exscan) in zip(("sum", "max"), results, strict=True):
            for result, last in ((scan, rank + 1), (exscan, rank)):
                if last == 0:
                    assert result is None
                elif arithmetic in ("fpisa", "logtable") and op == "sum" and dtype is np.float32:
                    # Their bounds are in the vectors' tests; here they are as far off as a sum of
                    # all is at most: 1.2e-4 of all magnitudes for each addition (R-LOG-6).
                    exact = np.sum([part.astype(np.float64) for part in parts[:last]], axis=0)
                    limit = 1.2e-4 * size * np.sum(np.abs(parts), axis=0)
                    assert np.all(np.abs(result - exact) <= limit)
                else:
                    # Those that contribute nothing count for the scale of a block all the same.
                    others = [zero] * (size - last) if op == "sum" else []
                    assert_fold(result, parts[:last] + others, op, arithmetic)
    scans = [results[0][0] for results in values(communicators(switch, size, work))]
    assert scans[0].tobytes() == parts[0].tobytes(), "the first rank's own vector"


def test_a_scan_of_the_last_rank_has_the_bits_of_a_reduce(switch):
    size = 3
    parts = [sample(rank, (1001,), np.float32) for rank in range(size)]

    def work(comm):
        return comm.scan(parts[comm.rank]), comm.reduce(parts[comm.rank], size - 1)

    results = values(communicators(switch, size, work, arithmetic="block"))
    assert results[-1][0].tobytes() == results[-1][1].tobytes()


def test_parts_may_differ_in_length(switch):
    lengths, row = [3, 0, 5_000, 1], (2, 3)
    size = len(lengths)
    pairs = np.random.default_rng(5).integers(0, 700, (size, size))
    pairs[1] = 0
    mine = [moved(rank, (lengths[rank], *row), np.float32) for rank in range(size)]
    wide = [sample(rank, (sum(lengths), *row), np.int32) for rank in range(size)]
    sent = [moved(10 + rank, (pairs[rank].sum(), *row), np.float32) for rank in range(size)]

    def work(comm):
        rank = comm.rank
        return (
            comm.all_gather_v(mine[rank], lengths),
            comm.all_gather_v(mine[rank]),
            comm.gather_v(mine[rank], 2, lengths),
            comm.gather_v(mine[rank], 2),
            comm.scatter_v(wide[rank], lengths, 3),
            comm.reduce_scatter_v(wide[rank], lengths, "sum"),
            comm.all_to_all_v(sent[rank], list(pairs[rank])),
        )

    starts = np.cumsum([0, *lengths])
    for rank, got in enumerate(values(communicators(switch, size, work))):
        own = slice(starts[rank], starts[rank + 1])
        assert all(same(result, np.concatenate(mine)) for result in got[:2])
        for result in got[2:4]:
            assert result is None if rank != 2 else same(result, np.concatenate(mine))
        assert same(got[4], wide[3][own])
        assert_fold(got[5], [array[own] for array in wide], "sum", "block")
        rows, received = got[6]
        ends = [np.cumsum([0, *pairs[other]]) for other in range(size)]
        parts = [sent[of][ends[of][rank] : ends[of][rank + 1]] for of in range(size)]
        assert same(rows, np.concatenate(parts))
        assert received == [int(number) for number in pairs[:, rank]]


def test_out_receives_the_parts(switch):
    size = 2

    def work(comm):
        mine = np.arange(4, dtype=np.float32).reshape(size, 2) + 10 * comm.rank
        exchanged, scanned = np.empty((size, 2, 2), np.float32)[:, :, 0], mine.copy()
        assert comm.all_to_all(mine, out=exchanged) is exchanged
        # The input is the output: elements are still to be sent when results come.
        assert comm.scan(scanned, out=scanned) is scanned
        with pytest.raises(ValueError, match="out must have shape"):
            comm.gather(mine, comm.rank, out=np.empty(3, np.float32))
        return exchanged.tolist(), scanned.tolist()

    first, second = values(communicators(switch, size, work))
    assert first == ([[0, 1], [10, 11]], [[0, 1], [2, 3]])
    assert second == ([[2, 3], [12, 13]], [[10, 12], [14, 16]])


def test_what_cannot_be_is_refused_and_the_job_goes_on(switch):
    def work(comm):
        refusals = [
            (lambda: comm.scatter(np.zeros((3, 2))), "one row per worker"),
            (lambda: comm.all_to_all(np.array(1.0)), "one row per worker"),
            (lambda: comm.gather(np.zeros(2), 2), "root must be a rank"),
            (lambda: comm.all_gather_v(np.zeros(2), [2]), "each of the 2 workers"),
            (lambda: comm.all_gather_v(np.zeros(2), [3, 3]), "this one, has 3 rows"),
            (lambda: comm.all_gather_v(np.zeros(()), [1, 1]), "has no rows"),
            (lambda: comm.scatter_v(np.zeros(2), [2, -1], comm.rank), "each of the 2 workers"),
            (lambda: comm.reduce_scatter_v(np.zeros(2), [2, 1]), "add up to 3 rows"),
            (lambda: comm.all_to_all_v(np.zeros(2), [2, 1]), "add up to 3 rows"),
        ]
        for call, told in refusals:
            with pytest.raises(ValueError, match=told):
                call()
        for call in (comm.scan, comm.exscan):
            with pytest.raises(ValueError, match="has no average"):
                call(np.zeros(2, np.float32), "avg")
            with pytest.raises(netfold.UnsupportedError, match="complex128"):
                call(np.zeros(2, np.complex128))
        with pytest.raises(netfold.UnsupportedError, match="Python objects"):
            comm.gather(np.array([None]))
        return comm.all_reduce(np.ones(1, np.float32))[0]

    assert values(communicators(switch, 2, work)) == [2, 2]


@pytest.mark.parametrize("other", [3, 0], ids=["other length", "no rows"])
def test_lengths_that_differ_between_workers_are_told_to_all(switch, other):
    """R-STREAM-6: the lengths are in the digest."""

    def work(comm):
        lengths = [2, 2, 2] if comm.rank != 1 else [2, 2, other]
        with pytest.raises(netfold.MismatchError) as told:
            comm.all_gather_v(np.zeros(2, np.float32), lengths)
        return str(told.value)

    for message in values(communicators(switch, 3, work)):
        assert "all_gather" in message
        assert "rank 1" in message
