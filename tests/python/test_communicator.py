"""The NumPy communicator against an independent oracle: every collective, type and operation, and
every shape of argument.
"""

from __future__ import annotations

import re
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import netfold
from netfold import _native
from oracle import assert_fold, sample
from team import communicators, values

pytestmark = pytest.mark.loss

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16]
INTEGERS = [np.int32, np.int64, np.uint8]


def foldable(arithmetic: str, dtype: type, op: str) -> bool:
    """Return whether the arithmetic can fold this (R-NUM-2), stated once more by hand."""
    if np.dtype(dtype).kind in "iu":
        return op != "avg"
    if np.dtype(dtype).itemsize == 8:
        return arithmetic == "native"
    return op != "product" or arithmetic in ("native", "fpisa", "fpisa-a")


CASES = [
    (arithmetic, dtype, op)
    for arithmetic in ("block", "native")
    for dtype in [*FLOATS, np.float64, *INTEGERS]
    for op in ("sum", "avg", "min", "max", "product")
] + [(arithmetic, dtype, "product") for arithmetic in ("fpisa", "fpisa-a") for dtype in FLOATS]


@pytest.mark.parametrize(
    ("arithmetic", "dtype", "op"), CASES, ids=lambda value: getattr(value, "__name__", value)
)
def test_every_type_and_operation(switch, arithmetic, dtype, op):
    size, shape = 3, (5, 211)
    parts = [sample(rank, (size, *shape), dtype) for rank in range(size)]

    def work(comm):
        mine = parts[comm.rank]
        if not foldable(arithmetic, dtype, op):
            with pytest.raises(netfold.UnsupportedError) as refusal:
                comm.all_reduce(mine, op)
            return str(refusal.value)
        return comm.all_reduce(mine, op), comm.reduce(mine, 1, op), comm.reduce_scatter(mine, op)

    results = values(communicators(switch, size, work, arithmetic=arithmetic))
    if not foldable(arithmetic, dtype, op):
        name = (
            "bf16"
            if dtype is ml_dtypes.bfloat16
            else f"{np.dtype(dtype).kind}{8 * np.dtype(dtype).itemsize}"
        )
        assert all(name in message for message in results), results
        # The torch backend asks beforehand, so that a mistake in a call is never taken for this.
        assert set(results) == {_native.refusal(arithmetic, op, name)}
        return
    for rank, (everywhere, at_root, row) in enumerate(results):
        assert_fold(everywhere, parts, op, arithmetic)
        assert everywhere.tobytes() == results[0][0].tobytes(), "every worker gets the same bits"
        assert_fold(row, [part[rank] for part in parts], op, arithmetic)
        assert (at_root is None) == (rank != 1)
    assert_fold(results[1][1], parts, op, arithmetic)


@pytest.mark.parametrize("size", [1, 2, 5, 8])
def test_any_number_of_workers(switch, size):
    parts = [sample(rank, (size, 700), np.float32) for rank in range(size)]

    def work(comm):
        assert (comm.rank, comm.size) == (comm.rank, size)
        comm.barrier()
        return comm.all_reduce(parts[comm.rank]), comm.all_gather(parts[comm.rank])

    for folded, gathered in values(communicators(switch, size, work)):
        assert_fold(folded, parts, "sum", "block")
        np.testing.assert_array_equal(gathered, np.stack(parts))


@pytest.mark.parametrize("elements", [1, 63, 64, 65, 255, 257, 4096, 100_003])
def test_lengths_around_the_size_of_a_packet(switch, elements):
    parts = [sample(rank, (elements,), np.float32) for rank in range(2)]
    for folded in values(
        communicators(switch, 2, lambda comm: comm.all_reduce(parts[comm.rank]), packet_elements=64)
    ):
        assert_fold(folded, parts, "sum", "block")


def test_calls_follow_each_other_in_one_stream(switch):
    """R-STREAM-1: calls of any kind and length, one after the other, do not disturb each other."""
    lengths = [1, 1000, 3, 0, 70_000, 64]
    parts = [
        [sample(97 * rank + length, (length,), np.float32) for length in lengths]
        for rank in range(3)
    ]

    def work(comm):
        folded = []
        for mine in parts[comm.rank]:
            folded.append(comm.all_reduce(mine))
            comm.barrier()
            np.testing.assert_array_equal(comm.broadcast(mine, 2), parts[2][len(folded) - 1])
        return folded

    for folded in values(communicators(switch, 3, work)):
        for index, result in enumerate(folded):
            assert_fold(result, [parts[rank][index] for rank in range(3)], "sum", "block")


MOVED = [
    np.float32,
    np.bool_,
    np.int8,
    np.uint16,
    np.complex64,
    "datetime64[s]",
    np.dtype([("a", "i4"), ("b", "f8")]),
]


@pytest.mark.parametrize("dtype", MOVED, ids=str)
def test_what_only_moves_may_have_any_type(switch, dtype):
    parts = [
        np.frombuffer(
            np.random.default_rng(rank).bytes(41 * np.dtype(dtype).itemsize), np.dtype(dtype)
        )
        for rank in range(3)
    ]
    if dtype is np.bool_:
        parts = [part.view(np.uint8) % 2 == 0 for part in parts]

    def work(comm):
        roots = [comm.broadcast(parts[comm.rank], root) for root in range(3)]
        return roots, comm.all_gather(parts[comm.rank])

    for roots, gathered in values(communicators(switch, 3, work)):
        assert [root.tobytes() for root in roots] == [part.tobytes() for part in parts]
        assert gathered.shape == (3, 41)
        assert gathered.tobytes() == b"".join(part.tobytes() for part in parts)


def test_scalars_empty_arrays_and_strides(switch):
    base = [sample(rank, (6, 8, 10), np.float32) for rank in range(2)]
    views = {
        "scalar": lambda a: a[0, 0, :1].reshape(()),
        "empty": lambda a: a[:0],
        "transposed": lambda a: a.T,
        "every second": lambda a: a[::2, :, 1::3],
        "backwards": lambda a: a[::-1],
        "fortran": np.asfortranarray,
    }

    def work(comm):
        before = base[comm.rank].copy()
        results = {name: comm.all_reduce(view(base[comm.rank])) for name, view in views.items()}
        np.testing.assert_array_equal(base[comm.rank], before)
        return results

    for results in values(communicators(switch, 2, work)):
        for name, view in views.items():
            assert_fold(results[name], [view(part) for part in base], "sum", "block")


def test_out_receives_the_result(switch):
    parts = [sample(rank, (2, 33), np.float32) for rank in range(2)]

    def work(comm):
        mine = parts[comm.rank]
        out = np.full_like(mine, np.nan)
        assert comm.all_reduce(mine, out=out) is out
        inplace = mine.copy()
        assert comm.all_reduce(inplace, out=inplace) is inplace
        strided = np.full((2, 66), np.nan, np.float32)[:, ::2]
        assert comm.all_reduce(mine, out=strided) is strided
        wide = np.zeros((2, 2, 33), np.float32)
        assert comm.all_gather(mine, out=wide) is wide
        # The input is a part of the output, as in an in-place all-gather.
        wide_in_place = np.zeros((2, 2, 33), np.float32)
        wide_in_place[comm.rank] = mine
        comm.all_gather(wide_in_place[comm.rank], out=wide_in_place)
        row = mine.copy()
        comm.reduce_scatter(row, out=row[comm.rank])
        received = np.empty_like(mine)
        assert comm.broadcast(mine, 1, out=received) is received
        return (
            out,
            inplace,
            np.ascontiguousarray(strided),
            wide,
            wide_in_place,
            row[comm.rank],
            received,
        )

    for rank, (out, inplace, strided, wide, wide_in_place, row, received) in enumerate(
        values(communicators(switch, 2, work))
    ):
        for result in (out, inplace, strided):
            assert_fold(result, parts, "sum", "block")
        np.testing.assert_array_equal(wide, np.stack(parts))
        np.testing.assert_array_equal(wide_in_place, np.stack(parts))
        assert_fold(row, [part[rank] for part in parts], "sum", "block")
        np.testing.assert_array_equal(received, parts[1])


@pytest.mark.parametrize("arithmetic", ["block", "native", "fpisa", "fpisa-a"])
def test_results_do_not_depend_on_the_byte_order(switch, arithmetic):
    """R-NUM-19. Operands of one exponent have the same sum in any order of arrival, in every
    arithmetic.
    """
    numbers = np.random.default_rng(7)
    parts = [numbers.uniform(1, 2, 5001).astype(np.float32) for _ in range(2)]
    integers = [numbers.integers(-1000, 1000, 5001) for _ in range(2)]

    def work(comm):
        return (
            comm.all_reduce(parts[comm.rank]),
            comm.all_reduce(integers[comm.rank]),
            comm.all_gather(parts[comm.rank]),
        )

    results = {
        order: values(communicators(switch, 2, work, arithmetic=arithmetic, byte_order=order))
        for order in ("little", "network")
    }
    for little, network in zip(*results.values(), strict=True):
        for one, other in zip(little, network, strict=True):
            np.testing.assert_array_equal(one, other)
    for sums, of_integers, gathered in results["network"]:
        if arithmetic in ("block", "native"):
            assert_fold(sums, parts, "sum", arithmetic)
        np.testing.assert_array_equal(of_integers, integers[0] + integers[1])
        np.testing.assert_array_equal(gathered, parts)


@pytest.mark.parametrize("transport", ["udp", "shm"])
@pytest.mark.parametrize("slots", [1, 64])
def test_results_do_not_depend_on_the_protocol(switch, transport, slots):
    """R-ACK-3. In shared memory and over UDP, with a slot that all blocks wait for, and with more
    than there are.
    """
    parts = [
        np.random.default_rng(rank).normal(size=20_001).astype(np.float32) for rank in range(3)
    ]

    def work(comm):
        return [
            comm.all_reduce(parts[comm.rank]),
            comm.all_reduce(parts[comm.rank][:8]),
            comm.broadcast(parts[comm.rank], 1),
        ]

    def results(protocol):
        terms = {"transport": transport, "slots": slots, "packet_elements": 2048}
        return values(communicators(switch, 3, work, protocol=protocol, **terms))

    for shadow, acked in zip(results("shadow"), results("acked"), strict=True):
        for one, other in zip(shadow, acked, strict=True):
            np.testing.assert_array_equal(one, other)
        assert_fold(acked[0], parts, "sum", "block")


def test_an_unknown_byte_order_is_refused_by_name(switch):
    with pytest.raises(netfold.ConfigurationError, match="little, network"):
        netfold.connect(switch=switch, job="big", rank=0, size=1, byte_order="big")


@pytest.mark.parametrize("arithmetic", ["block", "native"])
def test_special_values_mean_what_ieee_says(switch, arithmetic):
    """NaN and infinity are what an IEEE sum gives, also in an arithmetic of integers; their
    neighbours are unharmed.
    """
    inf, nan = np.inf, np.nan
    columns = [
        (inf, 1, inf),
        (-inf, 1, -inf),
        (inf, -inf, nan),
        (nan, 1, nan),
        (nan, inf, nan),
        (1.5, 2.25, 3.75),
        (0.0, -0.0, 0.0),
    ]
    parts = [np.array([column[rank] for column in columns], np.float32) for rank in range(2)]
    expected = np.array([column[2] for column in columns], np.float32)
    for result in values(
        communicators(
            switch, 2, lambda comm: comm.all_reduce(parts[comm.rank]), arithmetic=arithmetic
        )
    ):
        special = ~np.isfinite(expected)
        np.testing.assert_array_equal(result[special], expected[special])
        finite = [part[~special] for part in parts]
        assert_fold(result[~special], finite, "sum", arithmetic)


@pytest.mark.parametrize("arithmetic", ["block", "native"])
def test_sums_beyond_the_largest_float_are_infinite(switch, arithmetic):
    largest = np.full(100, np.finfo(np.float32).max, np.float32)
    for result in values(
        communicators(switch, 2, lambda comm: comm.all_reduce(largest), arithmetic=arithmetic)
    ):
        assert np.all(np.isposinf(result))


def test_bad_arguments_are_refused_before_anything_is_sent(switch):
    array = np.ones(4, np.float32)

    def work(comm):
        wrong = [
            (
                lambda: comm.all_reduce(array, "xor"),
                ValueError,
                "unknown operation 'xor'; choose one of sum",
            ),
            (lambda: comm.all_reduce([1.0]), TypeError, "numpy.asarray"),
            (lambda: comm.all_reduce(array.astype(">f4")), netfold.UnsupportedError, "byte order"),
            (
                lambda: comm.all_reduce(array.astype(np.complex64)),
                netfold.UnsupportedError,
                "complex64",
            ),
            (lambda: comm.broadcast(np.array([{}])), netfold.UnsupportedError, "Python objects"),
            (
                lambda: comm.reduce(array, root=1),
                ValueError,
                "root must be a rank from 0 to 0; got 1",
            ),
            (lambda: comm.broadcast(array, root=-1), ValueError, "got -1"),
            (
                lambda: comm.reduce_scatter(np.ones((2, 4), np.float32)),
                ValueError,
                "one row per worker",
            ),
            (
                lambda: comm.all_reduce(array, out=np.ones(5, np.float32)),
                ValueError,
                "out must have shape",
            ),
            (lambda: comm.all_reduce(array, out=np.ones(4)), ValueError, "dtype float32"),
            (
                lambda: comm.all_reduce(array, out=np.broadcast_to(array, 4)),
                ValueError,
                "read-only",
            ),
        ]
        for call, kind, message in wrong:
            with pytest.raises(kind, match=message):
                call()
        return comm.all_reduce(array)

    (result,) = values(communicators(switch, 1, work))
    np.testing.assert_array_equal(result, array)


@pytest.mark.parametrize("priority", ["urgent", "bulk"])
def test_any_call_may_have_either_priority(switch, priority):
    """R-STREAM-9. That it takes effect is tested where calls proceed at once."""
    parts = [sample(rank, (2, 9_000), np.float32) for rank in range(2)]

    def work(comm):
        mine = parts[comm.rank]
        comm.barrier(priority=priority)
        with pytest.raises(ValueError, match="unknown priority 'soon'; choose one of urgent, bulk"):
            comm.all_reduce(mine, priority="soon")
        return (
            comm.all_reduce(mine, priority=priority),
            comm.reduce(mine, 1, priority=priority),
            comm.broadcast(mine, 1, priority=priority),
            comm.all_gather(mine, priority=priority),
            comm.reduce_scatter(mine, priority=priority),
        )

    for rank, (folded, at_root, sent, gathered, row) in enumerate(
        values(communicators(switch, 2, work))
    ):
        assert_fold(folded, parts, "sum", "block")
        assert (at_root is None) == (rank != 1)
        np.testing.assert_array_equal(sent, parts[1])
        np.testing.assert_array_equal(gathered, np.stack(parts))
        assert_fold(row, [part[rank] for part in parts], "sum", "block")


def test_stats_count_what_was_sent(switch):
    array = sample(0, (50_000,), np.float32)

    def work(comm):
        before = comm.stats()["bytes_sent"]
        comm.all_reduce(array)
        return comm.stats()["bytes_sent"] - before, comm.stats()

    for sent, stats in values(communicators(switch, 2, work)):
        # One vector up, plus headers (40 bytes each, for 256 lanes or more) and what had to be
        # repeated.
        assert sent >= array.nbytes
        assert (
            sent - stats["retransmissions"] * (40 + 4 * stats["packet_elements"])
            <= array.nbytes * (1 + 40 / 256) + 64 * 1024
        )
        assert stats["workers"] == 2
        slots = max(stats["slots"], stats["long_slots"])
        assert 0 < stats["window"] <= slots * stats["flows"]
        assert stats["fast_retransmissions"] <= stats["retransmissions"] + stats["queries"]


def test_stats_tell_of_all_that_a_worker_counts(switch):
    """The names come from the source, not from the table that the extension goes through."""
    source = (Path(__file__).parents[2] / "crates/worker/src/counters.rs").read_text()
    counted = set(re.findall(r"^ *(\w+),$", source, re.MULTILINE))
    assert {"packets_sent", "acknowledgements", "replayed", "dropped"} <= counted
    assert counted <= _native.NO_STATS.keys()

    def work(comm):
        comm.all_reduce(sample(comm.rank, (1000,), np.float32))
        return comm.stats()

    for stats in values(communicators(switch, 2, work, protocol="acked")):
        assert counted <= stats.keys()
        assert stats["acknowledgements"] > 0


def test_a_closed_communicator_refuses_calls(switch):
    comm = netfold.connect(switch=switch, job="closed", rank=0, size=1)
    comm.close()
    comm.close()
    with pytest.raises(netfold.NetfoldError):
        comm.all_reduce(np.ones(4, np.float32))


def test_a_call_that_its_caller_waits_for_is_reported_to_nobody_else(switch):
    native = _native.Communicator(switch=switch, job="waits", rank=0, size=1)
    barrier = ("barrier", "copy", "u8", 0, 0, 0, 0)
    native.wait(native.submit(*barrier, waits=True))
    assert native.next_completion(0.0) is None
    watched = native.submit(*barrier, waits=True)
    native.watch(watched)
    assert native.next_completion(20.0) == (watched, None)
    native.close()


def test_a_mistake_in_a_call_is_not_taken_for_what_the_arithmetic_lacks(switch):
    def work(comm):
        array = np.ones(4, np.float32)
        with pytest.raises(ValueError, match="root 2 is not a rank of this job") as error:
            comm._native.submit("reduce", "sum", "f32", 2, 4, array.ctypes.data, array.ctypes.data)
        assert not isinstance(error.value, netfold.UnsupportedError)
        return comm.all_reduce(array)[0]

    assert values(communicators(switch, 2, work)) == [2, 2]


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_blocks_that_overflow_are_folded_again_if_the_job_wants_it(switch, transport):
    # Of two such operands the second overflows the register of the first if it is the larger one
    # (R-FPI-16). Whoever comes first, one element does; a sum of two floats is the same in either
    # order.
    small, large = np.float32(2 - 2.0**-23), np.float32(256 - 2.0**-16)
    parts = [np.array([small, large, 1], np.float32), np.array([large, small, 1], np.float32)]

    def work(comm):
        before = comm.stats()["blocks_refolded"]
        return comm.all_reduce(parts[comm.rank]), comm.stats()["blocks_refolded"] - before

    settings = {"arithmetic": "fpisa-a", "transport": transport}
    for result, refolded in values(communicators(switch, 2, work, overflow="native", **settings)):
        assert result.tolist() == (parts[0] + parts[1]).tolist()
        assert refolded == 1
    failed = communicators(switch, 2, work, **settings)
    assert {outcome.error for outcome in failed} == {"RegisterOverflowError"}
