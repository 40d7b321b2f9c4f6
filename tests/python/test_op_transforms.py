"""Operations with codecs and with state, from NumPy to the switch and back (R-OP-30 to 34): the
examples, beside NumPy, PyTorch and Python's integers.
"""

from __future__ import annotations

import functools
import threading
import time

import numpy as np
import pytest
import torch

import netfold
from team import Outcome, communicators, ctrl_c_in, in_threads, ranks_in, values

pytestmark = pytest.mark.loss

SIZE = 3
TRANSPORTS = pytest.mark.parametrize("transport", ["udp", "shm"])


def through(switch, operation, work, size=SIZE, **settings):
    """Return the results of `work(communicator)` at the workers of a job with the operation."""
    settings = {"arithmetic": "native", "operations": [operation], **settings}
    return values(communicators(switch, size, work, **settings))


def steps(numbers: np.ndarray, block: int, largest: int) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of each block as multiples of its scale, and the scales, as the text of the
    quantising examples has them.
    """
    blocks = numbers.reshape(-1, block)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / np.float32(largest)
    tiny = scale < np.float32(2.0**-120)
    per_step = np.where(tiny, np.float32(0), np.float32(1) / np.where(tiny, 1, scale))
    return np.rint(blocks * per_step), scale


@TRANSPORTS
@pytest.mark.parametrize(
    ("name", "block", "largest"), [("quantise_8", 64, 127), ("quantise_4", 32, 7)]
)
def test_sums_of_quantised_blocks(switch, example, transport, name, block, largest):
    draw = np.random.default_rng(5)
    blocks = 777
    parts = draw.normal(size=(SIZE, blocks, block)).astype(np.float32)
    parts *= np.float32(10.0) ** draw.integers(-30, 30, (SIZE, blocks, 1))
    parts[:, 5] = 0
    parts[:, 6] = np.float32(1e-44)

    def there_and_back(numbers):
        quantised, scale = steps(numbers, block, largest)
        return (quantised * scale).reshape(numbers.shape)

    sums = functools.reduce(np.add, [there_and_back(part) for part in parts])
    expected = there_and_back(sums)
    operation = example(name)

    def work(comm):
        mine = parts[comm.rank].reshape(-1)
        out = np.empty_like(mine)
        assert comm.all_reduce(mine, operation, out=out) is out
        return out, comm.reduce(mine, 1, operation), comm.reduce_scatter(parts[:, :SIZE], operation)

    bound = sum(np.abs(part).max(axis=1) for part in [*parts, sums]) / (2 * largest)
    exact = parts.astype(np.float64).sum(axis=0)
    # Roundings of 24 bits come on top: of a quotient, a product, and the sums.
    slack = 2.0**-20 * np.abs(parts).max(axis=(0, 2)) + 2.0**-140
    for rank, (result, reduced, _) in enumerate(
        through(switch, operation, work, transport=transport)
    ):
        np.testing.assert_array_equal(result, expected.reshape(-1))
        assert (reduced is None) if rank != 1 else np.array_equal(reduced, result)
        error = np.abs(result.reshape(blocks, block) - exact).max(axis=1)
        assert (error <= bound + slack).all()


@TRANSPORTS
def test_reduce_scatter_and_broadcast_of_quantised_blocks(switch, example, transport):
    draw = np.random.default_rng(6)
    operation = example("quantise_8")
    parts = draw.normal(size=(SIZE, SIZE, 640)).astype(np.float32)

    def there_and_back(numbers):
        quantised, scale = steps(numbers, 64, 127)
        return (quantised * scale).reshape(numbers.shape)

    sums = functools.reduce(np.add, [there_and_back(part) for part in parts])

    def work(comm):
        mine = parts[comm.rank]
        with pytest.raises(ValueError, match="transforms results"):
            comm.scan(operation.encode(mine.reshape(-1).view(operation.dtype)), operation)
        return (
            comm.reduce_scatter(mine, operation),
            comm.exscan(mine, operation),
            comm.broadcast(mine, 2, op=operation),
        )

    for rank, (own, before, copied) in enumerate(
        through(switch, operation, work, transport=transport)
    ):
        np.testing.assert_array_equal(own, there_and_back(sums)[rank])
        prefix = [there_and_back(part) for part in parts[:rank]]
        expected = there_and_back(functools.reduce(np.add, prefix)) if prefix else None
        assert (before is None) if rank == 0 else np.array_equal(before, expected)
        # It is decoded and encoded once more on its way.
        twice = there_and_back(there_and_back(parts[2]))
        np.testing.assert_array_equal(copied, there_and_back(parts[2]) if rank == 2 else twice)


@TRANSPORTS
def test_sums_that_travel_as_bfloat16(switch, example, transport):
    draw = np.random.default_rng(7)
    parts = (draw.normal(size=(SIZE, 5001)) * 10.0 ** draw.integers(-20, 20, 5001)).astype(
        np.float32
    )
    parts[0, :3] = [np.inf, np.nan, -np.inf]

    def rounded(numbers):
        return torch.from_numpy(numbers).bfloat16().float().numpy()

    sums = functools.reduce(np.add, [rounded(part) for part in parts])
    operation = example("bfloat_16")
    results = through(
        switch,
        operation,
        lambda comm: comm.all_reduce(parts[comm.rank], operation),
        transport=transport,
    )
    for result in results:
        np.testing.assert_array_equal(result, rounded(sums))


def crc32c(message: bytes) -> int:
    """The remainder of a division of polynomials over two elements, in whole integers (RFC 9260)."""
    reflected = [int(f"{byte:08b}"[::-1], 2) for byte in message]
    dividend = int.from_bytes(bytes(reflected), "big") << 32
    dividend ^= 0xFFFFFFFF << (8 * len(message))
    divisor = 0x11EDC6F41
    for shift in range(dividend.bit_length() - 33, -1, -1):
        if dividend >> (shift + 32) & 1:
            dividend ^= divisor << shift
    return int(f"{dividend ^ 0xFFFFFFFF:032b}"[::-1], 2)


@TRANSPORTS
def test_blocks_with_a_checksum(switch, example, transport):
    # An example of RFC 3720, appendix B.4: 32 bytes of zeros.
    assert crc32c(bytes(32)) == 0x8A9136AA
    operation = example("checksum")
    draw = np.random.default_rng(8)
    parts = draw.integers(-(2**31), 2**31, (SIZE, 63 * 50)).astype(np.int32)
    wire = operation.encode(parts[0].view(operation.dtype))
    for block in range(0, 50, 7):
        numbers = parts[0, 63 * block : 63 * (block + 1)]
        assert wire["f1"][block] == crc32c(numbers.tobytes())
    sums = parts.sum(axis=0, dtype=np.int64).astype(np.int32)

    def work(comm):
        return comm.all_reduce(parts[comm.rank], operation)

    for result in through(switch, operation, work, transport=transport):
        np.testing.assert_array_equal(result, sums)

    def broken(comm):
        sent = operation.encode(parts[comm.rank].view(operation.dtype))
        if comm.rank == 1:
            sent["f0"][3, 5] ^= 1
        with pytest.raises(netfold.NetfoldError, match=r"checksum.*unreachable"):
            comm.all_reduce(sent, operation)

    through(switch, operation, broken, transport=transport)


class OneBit:
    """1-bit SGD in NumPy: each chunk's signs, and the mean of its magnitudes."""

    def __init__(self, chunks):
        self.left_out = np.zeros((chunks, 256), np.float32)

    def sent(self, numbers):
        self.left_out += numbers
        # In the order of places, as the example adds.
        scale = np.add.accumulate(np.abs(self.left_out), axis=1)[:, -1:] / np.float32(256)
        decoded = np.where(self.left_out < 0, -scale, scale)
        self.left_out -= decoded
        return decoded


class TopK:
    """The 16 largest numbers of each chunk, in NumPy."""

    def __init__(self, chunks):
        self.left_out = np.zeros((chunks, 256), np.float32)

    def sent(self, numbers):
        self.left_out += numbers
        order = np.argsort(-np.abs(self.left_out), axis=1, kind="stable")[:, :16]
        decoded = np.zeros_like(self.left_out)
        np.put_along_axis(decoded, order, np.take_along_axis(self.left_out, order, 1), 1)
        np.put_along_axis(self.left_out, order, 0, 1)
        return decoded


@pytest.mark.parametrize(("name", "oracle"), [("one_bit", OneBit), ("top_k_feedback", TopK)])
def test_what_is_left_out_is_sent_later(switch, example, name, oracle):
    """Worker and switch keep what they leave out, chunk by chunk, also when calls have other
    chunks.
    """
    chunks, rounds = 40, 12
    draw = np.random.default_rng(9)
    gradients = draw.normal(size=(rounds, SIZE, chunks, 256)).astype(np.float32)
    some = [draw.permutation(chunks)[: chunks - step] for step in range(rounds)]
    operation = example(name)

    def work(comm):
        results = []
        for step in range(rounds):
            sent = np.zeros(len(some[step]), operation.dtype)
            sent["f0"] = some[step]
            sent["f1"] = gradients[step, comm.rank, some[step]]
            results.append(comm.all_reduce(sent, operation))
        return results

    workers = [oracle(chunks) for _ in range(SIZE)]
    switch_has = oracle(chunks)

    def step_of(one, chosen, numbers):
        every = np.zeros((chunks, 256), np.float32)
        kept = one.left_out.copy()
        every[chosen] = numbers
        decoded = one.sent(every)
        others = np.setdiff1d(np.arange(chunks), chosen)
        one.left_out[others] = kept[others]
        return decoded[chosen]

    all_results = through(switch, operation, work)
    for step in range(rounds):
        chosen = some[step]
        sent = [
            step_of(one, chosen, gradients[step, rank, chosen]) for rank, one in enumerate(workers)
        ]
        expected = step_of(switch_has, chosen, functools.reduce(np.add, sent))
        for results in all_results:
            np.testing.assert_array_equal(results[step]["f0"], chosen)
            np.testing.assert_array_equal(results[step]["f1"], expected)


def test_an_optimizer_in_the_switch_takes_the_steps_of_one_at_a_worker(switch, example):
    """The gradients of two workers go up; the weights after each step come down."""
    operation, chunks, steps = example("sgd_momentum"), 30, 5
    draw = np.random.default_rng(12)
    weights = draw.normal(size=(chunks, 256)).astype(np.float32)
    gradients = draw.normal(size=(steps, 2, chunks, 256)).astype(np.float32)
    rate, decay = np.float32(0.05), np.float32(0.9)
    number = draw.permutation(8192)[:chunks]

    def elements(values):
        made = np.zeros(len(values), operation.dtype)
        made["f0"], made["f1"] = number, values
        return made

    def work(comm):
        settings = np.zeros(1, operation.dtype)
        settings["f0"], settings["f1"][0, :3] = 0xFFFFFFFF, (rate, decay, 2)
        comm.look_aside(settings, operation)
        comm.look_aside(elements(weights), operation)
        return [
            comm.all_reduce(elements(gradients[step, comm.rank]), operation)["f1"]
            for step in range(steps)
        ]

    results = through(switch, operation, work, size=2)
    momenta, expected = np.zeros_like(weights), weights.copy()
    for step in range(steps):
        momenta = decay * momenta + (gradients[step, 0] + gradients[step, 1]) / np.float32(2)
        expected = expected - rate * momenta
        for of_worker in results:
            np.testing.assert_array_equal(of_worker[step], expected)


def requests(operation, what, numbers, rows):
    """Requests to `features`: to write rows, or to sum some."""
    made = np.zeros(len(rows), operation.dtype)
    made["f0"] = what
    made["f1"] = numbers
    made["f2"] = rows
    return made


WRITE, SUM = 1, 2


def test_features_are_summed_where_they_are_kept(switch, example):
    operation = example("features")
    vertices, most = 3000, 30
    draw = np.random.default_rng(10)
    # Sums of small integers are exact in any order.
    features = draw.integers(-100, 100, (vertices, 62)).astype(np.float32)
    neighbours = [draw.integers(0, vertices, draw.integers(0, most)) for _ in range(500)]

    def work(comm):
        own = np.arange(comm.rank, vertices, SIZE)
        comm.look_aside(requests(operation, WRITE, own, features[own].view(np.uint32)), operation)
        # Every worker asks for others' rows, so all have been written.
        comm.barrier()
        mine = neighbours[comm.rank * 100 : comm.rank * 100 + 300]
        rows = np.zeros((len(mine), 62), np.uint32)
        for row, some in zip(rows, mine, strict=True):
            row[: len(some)] = some
        asked = requests(operation, SUM, [len(some) for some in mine], rows)
        before = asked.copy()
        replies = comm.look_aside(asked, operation)
        np.testing.assert_array_equal(asked, before)
        assert comm.look_aside(asked, operation, out=asked) is asked
        np.testing.assert_array_equal(asked, replies)
        with pytest.raises(ValueError, match="look_aside"):
            comm.all_reduce(before, operation)
        return replies["f2"].view(np.float32)

    for rank, sums in enumerate(through(switch, operation, work)):
        mine = neighbours[rank * 100 : rank * 100 + 300]
        expected = [features[some].sum(axis=0) for some in mine]
        np.testing.assert_array_equal(sums, expected)

    # Another job has a table of its own.
    def look(comm):
        return comm.look_aside(requests(operation, SUM, [1], [[5] * 62]), operation)["f2"]

    (empty,) = through(switch, operation, look, size=1)
    np.testing.assert_array_equal(empty, np.zeros((1, 62)))


def test_a_log_is_appended_to_and_read(switch, example):
    """`log.c`: places are in the order of ranks, every worker reads what all have appended, and
    nothing is appended to a log that is full.
    """
    operation, append, read, count, none = example("log"), 1, 2, 3, 0xFFFFFFFF
    draw = np.random.default_rng(14)
    entries = draw.integers(0, 2**32, (SIZE, 25, 30), np.uint32)
    entries[:, :, 0] %= 3

    def ask(comm, what, places=0, words=0):
        made = np.zeros(25, operation.dtype)
        made["f0"], made["f1"], made["f2"] = what, places, words
        return comm.look_aside(made, operation)

    def work(comm):
        # A packet's requests are answered at once, worker by worker.
        places = ask(comm, append, words=entries[comm.rank])["f1"]
        there = ask(comm, read, places=np.arange(25) + 60)
        kinds = ask(comm, count, words=np.arange(25)[:, None] % 4)["f1"]
        filled = [ask(comm, append)["f1"] for _ in range(4096 // (25 * SIZE) + 1)]
        assert (filled[-1] == none).all()
        last = ask(comm, read, places=np.arange(25) + 4095)["f1"]
        return places, there, kinds, last

    appended = entries.reshape(-1, 30)
    of_kind = [np.sum(appended[:, 0] == kind) for kind in range(4)]
    for rank, (places, there, kinds, last) in enumerate(through(switch, operation, work)):
        np.testing.assert_array_equal(places, np.arange(25) + 25 * rank)
        np.testing.assert_array_equal(there["f2"][:15], appended[60:])
        assert there["f1"].tolist() == [*range(60, 75), *[none] * 10]
        np.testing.assert_array_equal(kinds, np.tile(of_kind, 7)[:25])
        assert last.tolist() == [4095] + [none] * 24


def test_requests_to_what_answers_none_are_refused(switch, example):
    operation = example("quantise_8")

    def work(comm):
        for call in (
            lambda: comm.look_aside(np.zeros(2, operation.wire_dtype), operation),
            lambda: comm.look_aside(np.zeros(2, np.float32), "sum"),
        ):
            with pytest.raises(ValueError, match=r"answers no requests|brought along"):
                call()
        with pytest.raises(netfold.OperationError, match="no whole elements of 256 bytes"):
            comm.all_reduce(np.zeros(65, np.float32), operation)
        with pytest.raises(netfold.UnsupportedError, match="folds elements of dtype"):
            comm.all_reduce(np.zeros(64), operation)
        return comm.all_reduce(np.full(64, 127.0, np.float32), operation)

    for result in through(switch, operation, work):
        np.testing.assert_array_equal(result, np.full(64, 3 * 127.0))


def test_a_job_with_state_does_not_go_on_elsewhere(switch, example):
    operation = example("one_bit")
    for settings, reason in [
        ({"elastic": True}, "keep state at the switch"),
        ({"transport": "shm"}, "must be udp"),
    ]:
        with pytest.raises(netfold.NetfoldError, match=reason):
            netfold.connect(
                switch=switch, job="state", rank=0, size=1, operations=[operation], **settings
            )


def sums_of(operation, count):
    """Requests for sums of no rows."""
    return requests(operation, SUM, 0, np.zeros((count, 62), np.uint32))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((0, "look_aside"), (9, "look_aside")),
        ((9, "look_aside"), (5000, "look_aside")),
        ((9, "look_aside"), (9, "all_reduce")),
        ((0, "look_aside"), (9, "all_reduce")),
    ],
)
def test_other_calls_beside_look_aside_are_told_to_both(switch, example, first, second):
    operation = example("features")

    def work(comm):
        length, collective = (first, second)[comm.rank]
        start = time.monotonic()
        calls = {
            "look_aside": lambda: comm.look_aside(sums_of(operation, length), operation),
            "all_reduce": lambda: comm.all_reduce(np.ones(length)),
        }
        with pytest.raises(netfold.MismatchError) as told:
            calls[collective]()
        assert time.monotonic() - start < 5
        return str(told.value)

    for message in through(switch, operation, work, size=2):
        assert ranks_in(message) == {"0", "1"}, message
        assert "look_aside(features" in message, message


def test_a_second_thread_does_not_use_state_in_use(switch, example):
    operation = example("features")
    refused = threading.Event()

    def work(comm):
        if comm.rank == 1:
            assert refused.wait(20)
            comm.look_aside(sums_of(operation, 1), operation)
            return
        first = threading.Thread(target=lambda: comm.look_aside(sums_of(operation, 1), operation))
        first.start()
        try:
            # Until the first call is under way this one may be the first.
            while not comm.stats()["packets_sent"]:
                assert first.is_alive()
            with pytest.raises(ValueError, match="wait for it first"):
                comm.look_aside(sums_of(operation, 1), operation)
        finally:
            refused.set()
            first.join()

    through(switch, operation, work, size=2)


def test_ctrl_c_ends_a_request_that_waits(switch, example):
    operation = example("features")
    job = {"switch": switch, "job": "interrupted request", "size": 2, "operations": [operation]}
    others: list[Outcome] = []

    def other(rank):
        with netfold.connect(rank=1, **job) as comm:
            assert gone.wait(20)
            for _ in range(2):
                comm.look_aside(sums_of(operation, 3), operation)

    gone = threading.Event()
    thread = threading.Thread(target=lambda: others.extend(in_threads(1, other)))
    thread.start()
    with (
        pytest.raises(KeyboardInterrupt),
        netfold.connect(rank=0, **job) as comm,
        ctrl_c_in("_run"),
    ):
        comm.look_aside(sums_of(operation, 3), operation)
    gone.set()
    thread.join()
    assert others[0].error == "WorkerLostError", others
    assert ranks_in(others[0].message) == {"0"}


def test_wrong_roots_and_long_requests(switch, example):
    rounded, features = example("bfloat_16"), example("features")

    def work(comm):
        for root in (-1, 2, 1 << 40):
            with pytest.raises(ValueError, match="root must be a rank from 0 to 1"):
                comm.broadcast(np.ones(3, np.float32), root, op=rounded)
        replies = comm.look_aside(sums_of(features, 60_000), features)
        return replies["f2"].any()

    settings = {"arithmetic": "native", "operations": [rounded, features]}
    assert values(communicators(switch, 2, work, **settings)) == [False, False]
