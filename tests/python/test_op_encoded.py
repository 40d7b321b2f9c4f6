"""Arrays that are encoded before they travel (R-OP-30), in the calls that put them into parts or
chains; `test_op_transforms.py` has the other calls.
"""

from __future__ import annotations

import functools

import numpy as np
import pytest

import netfold
from netfold import stage
from team import communicators, values

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

pytestmark = pytest.mark.loss

SIZE = 3
ENDS = [0, 4, 4, 9]
"""Bounds of the rows of each worker; the second has no rows."""


@pytest.fixture(scope="module")
def sixteenths():
    """Sums of numbers that travel as integers of 16 bits."""

    @netfold.op(
        element="f32",
        wire="i16",
        decode=lambda sent: np.float32(sent) / np.float32(16),
        encode=lambda number: np.int16(round(number * 16)),
    )
    def sixteenths(a, b):
        return a + b

    return sixteenths


@pytest.fixture(scope="module")
def parts():
    """The arrays of all workers, which no integer sixteenths are."""
    draw = np.random.default_rng(3)
    return draw.normal(size=(SIZE, ENDS[-1], 50)).astype(np.float32)


def there_and_back(numbers):
    """Return what remains of numbers that have travelled."""
    return np.rint(numbers * 16) / np.float32(16)


def folded(parts):
    """Return the result of a fold: exact, as sums of sixteenths are."""
    return functools.reduce(np.add, [there_and_back(part) for part in parts])


def through(switch, operation, transport, work):
    """Return the results of `work(communicator)` at the workers of a job with the operation."""
    settings = {"transport": transport, "operations": [operation]}
    return values(communicators(switch, SIZE, work, **settings))


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_parts_of_many_lengths_are_encoded(switch, sixteenths, parts, transport):
    lengths = np.diff(ENDS).tolist()

    def work(comm):
        mine = parts[comm.rank]
        out = np.empty((lengths[comm.rank], 50), np.float32)
        assert comm.reduce_scatter_v(mine, lengths, sixteenths, out=out) is out
        wire = comm.reduce_scatter_v(sixteenths.encode(mine), lengths, sixteenths)
        none = comm.reduce_scatter_v(mine[:0], [0] * SIZE, sixteenths)
        with pytest.raises(ValueError, match="add up to 8 rows"):
            comm.reduce_scatter_v(mine, [4, 4, 0], sixteenths)
        with pytest.raises(netfold.UnsupportedError, match="folds elements of dtype float32"):
            comm.reduce_scatter_v(mine.astype(np.float64), lengths, sixteenths)
        return out, wire, none

    for rank, (own, wire, none) in enumerate(through(switch, sixteenths, transport, work)):
        expected = folded(parts)[ENDS[rank] : ENDS[rank + 1]]
        np.testing.assert_array_equal(own, expected)
        np.testing.assert_array_equal(wire, (expected * 16).astype(np.int16))
        assert (none.shape, none.dtype) == ((0, 50), np.float32)


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_chains_encode_what_they_fold(switch, sixteenths, parts, transport):
    def work(comm):
        mine = parts[comm.rank]
        reduced = comm.reduce(mine, 1, sixteenths)
        unfused = reduced, comm.broadcast(mine if reduced is None else reduced, 1)
        chain = comm.fused([stage.reduce(sixteenths, 1, keep=True), stage.broadcast()])
        both = comm.fused([stage.all_reduce(sixteenths), stage.all_reduce("max")])
        all_have = comm.fused([stage.reduce(sixteenths, 1), stage.broadcast()])
        out = np.empty_like(mine)
        assert all_have(mine, out=out) is out
        wire = all_have(sixteenths.encode(mine))
        with pytest.raises(netfold.UnsupportedError, match="folds elements of dtype float32"):
            chain(mine.astype(np.float64))
        # Only results of rounds are transformed (R-OP-30); a scan's result is made by the workers.
        for stages in ([stage.all_gather(), stage.scan(sixteenths), stage.all_gather()],):
            with pytest.raises(ValueError, match="transforms results"):
                comm.fused(stages)(mine)
        return unfused, chain(mine), both(mine, mine), out, wire

    total = folded(parts)
    for rank, results in enumerate(through(switch, sixteenths, transport, work)):
        unfused, fused, (summed, largest), out, wire = results
        for got, wanted in zip(fused, unfused, strict=True):
            assert (got is None) == (wanted is None)
            if wanted is not None:
                assert got.dtype == np.float32
                np.testing.assert_array_equal(got, wanted)
        assert (fused[0] is None) == (rank != 1)
        np.testing.assert_array_equal(fused[1], total)
        np.testing.assert_array_equal(summed, total)
        np.testing.assert_array_equal(largest, parts.max(axis=0))
        np.testing.assert_array_equal(out, total)
        np.testing.assert_array_equal(wire, (total * 16).astype(np.int16))
