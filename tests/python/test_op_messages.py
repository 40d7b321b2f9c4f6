"""Messages that an operation transforms in the switch, from one worker to another (R-OP-24)."""

from __future__ import annotations

import numpy as np
import pytest

import netfold
from team import communicators, values

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

pytestmark = pytest.mark.loss

TRANSPORTS = pytest.mark.parametrize("transport", ["udp", "shm"])


@pytest.fixture(scope="module")
def scaled():
    """Halves of what is sent."""
    return netfold.op(element="f32", name="scaled", map=lambda number: number * np.float32(0.5))(
        np.add
    )


@pytest.fixture(scope="module")
def sixteenths():
    """Numbers that travel as integers of 16 bits; it traps when it encodes a NaN."""

    def encode(number):
        if number != number:
            raise ValueError
        return np.int16(round(number * 16))

    return netfold.op(
        element="f32",
        name="sixteenths",
        wire="i16",
        decode=lambda sent: np.float32(sent) / np.float32(16),
        encode=encode,
    )(np.add)


@pytest.fixture(scope="module")
def differences():
    """Whole numbers that travel as what they differ by from the one before, in all messages of one
    channel: place 0 has the last number that was encoded, place 1 the last one that was decoded.
    """

    def encode(number, last):
        difference = number - last[0]
        last[0] = number
        return difference

    def decode(sent, last):
        last[1] += sent
        return last[1]

    return netfold.op(
        element="i64",
        name="differences",
        wire="i64",
        state=(np.int64, 2),
        encode=encode,
        decode=decode,
    )(np.add)


def through(switch, operations, work, size=3, **settings):
    """Return the results of `work(communicator)` at the workers of a job with the operations."""
    return values(communicators(switch, size, work, operations=operations, **settings))


@TRANSPORTS
@pytest.mark.parametrize("length", [0, 1, 300, 40_001])
def test_messages_are_mapped_on_their_way(switch, scaled, transport, length):
    draw = np.random.default_rng(5)
    sent = draw.normal(size=(3, 2, length)).astype(np.float32)

    def work(comm):
        mine, after, before = sent[comm.rank], (comm.rank + 1) % 3, (comm.rank + 2) % 3
        out = np.empty_like(mine)
        assert comm.sendrecv(mine, after, before, op=scaled, out=out) is out
        plain = comm.sendrecv(mine, after, before)
        if comm.rank == 0:
            comm.send(mine, 2, 8, op=scaled)
        last = comm.recv(mine, 0, 8, op=scaled) if comm.rank == 2 else None
        return out, plain, last

    for rank, (out, plain, last) in enumerate(through(switch, [scaled], work, transport=transport)):
        np.testing.assert_array_equal(out, sent[rank - 1] * np.float32(0.5))
        np.testing.assert_array_equal(plain, sent[rank - 1])
        assert (last is None) == (rank != 2)
        if last is not None:
            np.testing.assert_array_equal(last, sent[0] * np.float32(0.5))


@TRANSPORTS
def test_messages_travel_as_another_type(switch, sixteenths, transport):
    sent = np.random.default_rng(6).normal(size=(700, 30)).astype(np.float32)

    def work(comm):
        if comm.rank == 0:
            comm.send(sent, 1, op=sixteenths)
            comm.send(sixteenths.encode(sent), 1, op=sixteenths)
            comm.send(sent, 1, op=sixteenths)
            return None
        # What states shape and dtype is not encoded.
        stated = np.full_like(sent, np.nan)
        out = np.empty_like(sent)
        assert comm.recv(stated, 0, op=sixteenths, out=out) is out
        received = comm.recv(stated, 0, op=sixteenths)
        return out, received, comm.recv(np.empty((700, 30), np.int16), 0, op=sixteenths)

    there_and_back = np.rint(sent * 16) / np.float32(16)
    _, (decoded, received, wire) = through(switch, [sixteenths], work, 2, transport=transport)
    np.testing.assert_array_equal(decoded, there_and_back)
    np.testing.assert_array_equal(received, there_and_back)
    np.testing.assert_array_equal(wire, (there_and_back * 16).astype(np.int16))


def test_what_states_shape_and_dtype_of_a_broadcast_is_not_encoded(switch, sixteenths):
    sent = np.arange(50, dtype=np.float32)

    def work(comm):
        array = sent if comm.rank == 1 else np.full_like(sent, np.nan)
        return comm.broadcast(array, 1, op=sixteenths)

    for result in through(switch, [sixteenths], work):
        np.testing.assert_array_equal(result, sent)


def test_messages_are_quantised_in_blocks_with_a_scale(switch, example):
    """8 bits for each of 64 numbers: at most half a step from the largest, at the worker and at the
    switch.
    """
    operation = example("quantise_8")
    sent = np.random.default_rng(7).normal(size=(100, 64)).astype(np.float32)

    def work(comm):
        if comm.rank == 0:
            return comm.send(sent, 1, op=operation)
        return comm.recv(sent, 0, op=operation)

    _, received = through(switch, [operation], work, 2)
    largest = np.abs(sent).max(axis=1, keepdims=True)
    assert not np.array_equal(received, sent)
    # Twice half a step of a 127th, and the roundings of 24 bits of quotients and products.
    assert (np.abs(received - sent) <= largest * (1 / 127 + 2.0**-20)).all()


def test_the_switch_finds_a_message_with_a_wrong_checksum(switch, example):
    operation = example("checksum")
    numbers = np.arange(63 * 40, dtype=np.int32)

    def work(comm):
        if comm.rank == 0:
            comm.send(numbers, 1, op=operation)
            wire = operation.encode(numbers.view(operation.dtype))
            wire["f0"][17, 30] ^= 1 << 20
            call = comm.send
        else:
            np.testing.assert_array_equal(comm.recv(numbers, 0, op=operation), numbers)
            wire = np.zeros(40, operation.wire_dtype)
            call = comm.recv
        with pytest.raises(netfold.NetfoldError, match=r"checksum.*unreachable"):
            call(wire, 1 - comm.rank, op=operation)
        return comm.all_reduce(numbers, operation)

    for result in through(switch, [operation], work, 2):
        np.testing.assert_array_equal(result, 2 * numbers)


def test_each_channel_has_state_of_its_own(switch, differences):
    sent = np.random.default_rng(8).integers(-1000, 1000, (6, 40))

    def work(comm):
        if comm.rank == 0:
            for at, message in enumerate(sent):
                comm.send(message, 1 + at % 2, op=differences)
            return None
        own = sent[comm.rank - 1 :: 2]
        return np.array_equal([comm.recv(message, 0, op=differences) for message in own], own)

    assert through(switch, [differences], work) == [None, True, True]


def test_both_workers_name_the_operation(switch, scaled, sixteenths):
    array = np.zeros(4, np.float32)
    plain, halves, short = (
        "message(16 bytes)",
        "message(scaled, 16 bytes)",
        "message(sixteenths, 8 bytes)",
    )
    pairs = [
        (scaled, None, {halves, plain}),
        (None, scaled, {halves, plain}),
        (sixteenths, scaled, {short, halves}),
    ]

    def work(comm):
        for tag, (*named, both) in enumerate(pairs):
            call, op = (comm.send, comm.recv)[comm.rank], named[comm.rank]
            with pytest.raises(netfold.MismatchError) as told:
                call(array, 1 - comm.rank, tag, op=op)
            assert all(call in str(told.value) for call in both), told.value
        return comm.all_reduce(np.ones(1, np.float32), scaled)[0]

    assert through(switch, [scaled, sixteenths], work, 2) == [1, 1]


def test_operations_that_do_not_fit_a_message_are_refused(switch, scaled, differences):
    def work(comm):
        other = 1 - comm.rank
        for op, array, error, said in [
            (differences, np.zeros(1, np.int64), ValueError, "does not have the operation"),
            ("sum", np.zeros(1, np.float32), TypeError, "'sum' transforms nothing"),
            (scaled, np.zeros(1), netfold.UnsupportedError, "takes elements of dtype float32"),
            (scaled, [1.0], TypeError, "wrap it in numpy.asarray"),
        ]:
            for call in (
                lambda op, array: comm.send(array, other, op=op),
                lambda op, array: comm.recv(array, other, op=op),
                lambda op, array: comm.sendrecv(array, other, other, op=op),
            ):
                with pytest.raises(error, match=said):
                    call(op, array)
        return True

    assert all(through(switch, [scaled], work, 2))
