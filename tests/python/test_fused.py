"""Chains of collectives in one pass, against the same calls one after the other."""

from __future__ import annotations

import doctest
import re
import time
from pathlib import Path

import numpy as np
import pytest

import netfold
from netfold import stage
from oracle import sample
from team import communicators, values

pytestmark = pytest.mark.loss


def same(got: np.ndarray, wanted: np.ndarray) -> bool:
    """True if two arrays have the same shape, type and bytes."""
    return (got.shape, got.dtype, got.tobytes()) == (wanted.shape, wanted.dtype, wanted.tobytes())


def integers(rank: int, shape: tuple[int, ...]) -> np.ndarray:
    """Any numbers whose sums fit."""
    return np.random.default_rng(rank).integers(-(2**40), 2**40, shape)


@pytest.mark.parametrize("transport", ["udp", "shm"])
@pytest.mark.parametrize(("size", "shape"), [(1, (3,)), (2, ()), (3, (0, 4)), (4, (7, 3001))])
def test_chains_give_what_their_calls_give(switch, transport, size, shape):
    inputs = [integers(rank, shape) for rank in range(size)]
    wide = [integers(10 + rank, (size, *shape)) for rank in range(size)]
    root = size // 2

    def work(comm):
        mine, rows = inputs[comm.rank], wide[comm.rank]
        scan = comm.scan(mine)
        total = comm.broadcast(scan, size - 1)
        reduced = comm.reduce(mine, root)
        unfused = [
            (comm.all_gather(mine), scan, comm.all_gather(scan)),
            (scan, total),
            (reduced, comm.broadcast(mine if reduced is None else reduced, root)),
            comm.broadcast(np.stack(inputs), root),
            (comm.all_reduce(mine), comm.all_to_all(rows), comm.all_reduce(mine, "max")),
        ]
        chains = [
            [stage.all_gather(keep=True), stage.scan(keep=True), "all_gather"],
            [stage.scan("sum", keep=True), stage.broadcast()],
            [stage.reduce("sum", root, keep=True), stage.broadcast(root)],
            [stage.gather(root), stage.broadcast()],
            [stage.all_reduce(), stage.all_to_all(), stage.all_reduce("max")],
        ]
        given = [(mine,), (mine,), (mine,), (mine,), (mine, rows, mine)]
        plans = [comm.fused(chain) for chain in chains]
        fused = [plan(*arrays) for plan, arrays in zip(plans, given, strict=True)]
        again = [plan(*arrays) for plan, arrays in zip(plans, given, strict=True)]
        return unfused, fused, again

    for unfused, *runs in values(communicators(switch, size, work, transport=transport)):
        for fused in runs:
            for wanted, got in zip(unfused, fused, strict=True):
                wanted, got = (
                    each if isinstance(each, tuple) else (each,) for each in (wanted, got)
                )
                for one, other in zip(wanted, got, strict=True):
                    assert (one is None and other is None) or same(other, one)


@pytest.mark.parametrize("arithmetic", ["block", "native"])
@pytest.mark.parametrize("length", [5, 20_011])
def test_floats_have_the_bits_of_the_calls(switch, arithmetic, length):
    """Sums round, and so the order in which ranks are folded shows in the bits."""
    size = 3
    inputs = [sample(rank, (length,), np.float32) for rank in range(size)]

    def work(comm):
        mine = inputs[comm.rank]
        prefix = comm.scan(mine)
        unfused = comm.all_gather(prefix), prefix, comm.broadcast(prefix, size - 1)
        chain = comm.fused([stage.all_gather(), stage.scan(), stage.all_gather()])
        out = np.empty((size, length), np.float32)
        assert chain(mine, out=out) is out
        total = comm.fused([stage.scan(keep=True), stage.broadcast()])
        return unfused, (out, *total(mine))

    settings = {"transport": "udp", "arithmetic": arithmetic}
    for unfused, fused in values(communicators(switch, size, work, **settings)):
        assert all(same(got, wanted) for got, wanted in zip(fused, unfused, strict=True))


def test_integers_are_sorted_by_buckets(switch):
    """The kernel of NAS's integer sort: counts of buckets, and the keys to those who sort them."""
    size, most = 4, 1 << 16
    drawn = [np.random.default_rng(rank).integers(0, most, 5_000 + rank) for rank in range(size)]

    def work(comm):
        chain = comm.fused([stage.all_reduce("sum"), stage.all_to_all_v()])
        keys = np.sort(drawn[comm.rank])
        counts = np.bincount(keys * size // most, minlength=size)
        totals, (mine, received) = chain(counts, (keys, counts.tolist()))
        assert sum(received) == totals[comm.rank] == len(mine)
        return np.sort(mine)

    results = values(communicators(switch, size, work))
    np.testing.assert_array_equal(np.concatenate(results), np.sort(np.concatenate(drawn)))


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_an_operation_maps_in_the_switch(switch, transport):
    pytest.importorskip("numba", reason="operations in Python are compiled by numba")

    def halved(total):
        return total / 2

    @netfold.op(element="f64", associative=True, commutative=True, map=halved)
    def mean(a, b):
        return a + b

    @netfold.op(element="f64")
    def subtraction(a, b):
        return a - b

    size = 2
    parts = np.random.default_rng(3).integers(-99, 99, (size, 1_500)).astype(np.float64)

    def work(comm):
        mine = parts[comm.rank]
        step = comm.fused([stage.all_reduce(mean), stage.map(mean), stage.broadcast()])
        prefixes = comm.fused([stage.scan(subtraction), stage.all_gather()])
        with pytest.raises(netfold.UnsupportedError, match=r"stage 2 .*map.*has no map"):
            comm.fused([stage.all_reduce(subtraction), stage.map(subtraction)])
        with pytest.raises(netfold.UnsupportedError, match=r"halved.*workers"):
            comm.fused([stage.all_reduce(), stage.map(halved)])
        return step(mine), prefixes(mine)

    settings = {"transport": transport, "operations": [mean, subtraction]}
    for mapped, prefixes in values(communicators(switch, size, work, **settings)):
        np.testing.assert_array_equal(mapped, parts.sum(axis=0) / 2)
        np.testing.assert_array_equal(prefixes, [parts[0], parts[0] - parts[1]])


def test_what_cannot_be_fused_is_refused_by_name(switch):
    def work(comm):
        refused = [
            (["all_reduce"], "two stages"),
            (["exscan", "all_gather"], "stage 1 .*exscan.*call exscan"),
            (["all_gather", "all_gather"], "stage 1 .*all_gather.*otherwise call all_gather"),
            ([stage.all_reduce(), stage.broadcast()], "stage 2 .*broadcast.*leave it out"),
            ([stage.scan(), stage.broadcast(0)], "last rank, 1, not of rank 0"),
            (["merge", "all_gather"], "no collective .merge."),
        ]
        for stages, message in refused:
            with pytest.raises(netfold.UnsupportedError, match=message):
                comm.fused(stages)
        with pytest.raises(ValueError, match=r"root of reduce.*0 to 1.*got 2"):
            comm.fused([stage.reduce(root=2), stage.broadcast()])
        with pytest.raises(ValueError, match="unknown operation"):
            comm.fused([stage.scan("xor"), stage.all_gather()])
        with pytest.raises(TypeError, match="a stage is one of"):
            comm.fused([comm, "all_gather"])
        chain = comm.fused(["all_reduce", "all_to_all"])
        assert repr(chain) == "<Fused all_reduce, all_to_all: all_reduce and all_to_all>"
        with pytest.raises(ValueError, match=r"takes 2 arrays.*got 1"):
            chain(np.ones(2))
        with pytest.raises(ValueError, match="one row per worker"):
            chain(np.ones(2), np.ones(3))
        with pytest.raises(ValueError, match="one result"):
            chain(np.ones(2), np.ones(2), out=np.ones(2))
        with pytest.raises(netfold.UnsupportedError, match="uint16"):
            chain(np.ones(2, np.uint16), np.ones(2))
        # The first call was begun before the second was refused, and is made.
        averages = comm.fused([stage.all_reduce(), stage.all_reduce("avg")])
        with pytest.raises(netfold.UnsupportedError, match="average of i64"):
            averages(np.ones(2, np.int64), np.ones(2, np.int64))
        with pytest.raises(ValueError, match="out must have shape"):
            comm.fused(["scan", "all_gather"])(np.ones(2), out=np.ones(2))
        return chain(np.ones(2), np.arange(2) + 10 * comm.rank)

    results = values(communicators(switch, 2, work, arithmetic="native"))
    for rank, (total, parts) in enumerate(results):
        np.testing.assert_array_equal(total, [2, 2])
        np.testing.assert_array_equal(parts, [rank, rank + 10])


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_chains_that_differ_are_reported_with_both_ranks(switch, transport):
    others = [stage.scan("max"), stage.all_gather()], ["all_reduce", "all_to_all"]

    def work(other):
        def run(comm):
            own = [stage.scan(), stage.all_gather()] if comm.rank == 0 else other
            chain = comm.fused(own)
            arrays = [np.ones(2, np.int32)] * (1 if comm.rank == 0 else chain._inputs)
            start = time.monotonic()
            with pytest.raises(netfold.MismatchError, match="prefixes") as raised:
                chain(*arrays)
            assert all(f"rank {rank}" in str(raised.value) for rank in range(2))
            assert time.monotonic() - start < 5

        return run

    for other in others:
        values(communicators(switch, 2, work(other), transport=transport))


def test_the_page_shows_what_happens(switch):
    page = (Path(__file__).parents[2] / "docs/fused.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    names = {"switch": switch, "netfold": netfold, "np": np}
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), names, "fused", None, None)
    ended = doctest.DocTestRunner().run(examples)
    assert ended.failed == 0
    assert ended.attempted == page.count(">>> ") > 0
