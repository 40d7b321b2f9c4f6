"""Operations in Python that keep state, answer requests, or are NumPy's own functions."""

from __future__ import annotations

import numpy as np
import pytest

import netfold
from team import communicators, values

pytest.importorskip("numba", reason="operations in Python are compiled by numba")


def through(switch, operation, work, size=2):
    """Return the results of `work(communicator)` at the workers of a job with the operation."""
    settings = {"arithmetic": "native", "operations": [operation]}
    return values(communicators(switch, size, work, **settings))


def added(request, rank, table):
    for column in range(4):
        table[request.row, column] += request.numbers[column] * (rank + 1)
        request.numbers[column] = table[request.row, column]


def test_requests_are_answered_from_what_is_kept(switch):
    """R-OP-31, R-OP-32: rows are added to in the order of ranks; each worker gets what was there."""
    element = {"row": "u32", "numbers": "f32x4"}
    operation = netfold.op(
        element=element, state=(np.float32, (100, 4)), answer=added, ranges={"row": (0, 99)}
    )(None)
    assert (operation.name, operation.declaration.state) == ("added", 1600)
    draw = np.random.default_rng(1)
    rows = draw.integers(0, 100, (2, 300))
    numbers = draw.integers(-100, 100, (2, 300, 4)).astype(np.float32)

    def work(comm):
        made = np.zeros(300, operation.dtype)
        made["row"], made["numbers"] = rows[comm.rank], numbers[comm.rank]
        # One block each: the order of blocks is not told.
        return np.concatenate([comm.look_aside(made[at : at + 1], operation) for at in range(300)])

    replies = through(switch, operation, work)
    table = np.zeros((100, 4), np.float32)
    for at in range(300):
        for rank in range(2):
            row = rows[rank, at]
            table[row] += numbers[rank, at] * np.float32(rank + 1)
            np.testing.assert_array_equal(replies[rank]["numbers"][at], table[row])
            assert replies[rank]["row"][at] == row


def test_a_map_keeps_weights_and_momenta(switch):
    """The case study of `sgd_momentum.c`, in Python."""
    chunks, steps, rate, decay = 20, 5, np.float32(0.05), np.float32(0.9)
    tables = np.dtype([("weights", "f4", (chunks, 16)), ("momenta", "f4", (chunks, 16))])

    def stepped(chunk, kept):
        number = chunk.number % chunks
        for at in range(16):
            momentum = decay * kept[0].momenta[number, at] + chunk.value[at]
            kept[0].momenta[number, at] = momentum
            kept[0].weights[number, at] -= rate * momentum
            chunk.value[at] = kept[0].weights[number, at]

    @netfold.op(element={"number": "u32", "value": "f32x16"}, state=tables, map=stepped)
    def gradients(a, b):
        for at in range(16):
            a.value[at] += b.value[at]

    draw = np.random.default_rng(2)
    sent = draw.normal(size=(steps, 2, chunks, 16)).astype(np.float32)

    def work(comm):
        made = np.zeros(chunks, gradients.dtype)
        results = []
        for step in range(steps):
            made["number"], made["value"] = np.arange(chunks), sent[step, comm.rank]
            results.append(comm.all_reduce(made, gradients)["value"])
        return results

    results = through(switch, gradients, work)
    weights, momenta = np.zeros((2, chunks, 16), np.float32)
    for step in range(steps):
        momenta = decay * momenta + (sent[step, 0] + sent[step, 1])
        weights = weights - rate * momenta
        for of_worker in results:
            np.testing.assert_array_equal(of_worker[step], weights)


def test_a_codec_keeps_what_it_leaves_out():
    def encode(number, left_out):
        total = number + left_out[0]
        sent = np.rint(total)
        left_out[0] = total - sent
        return np.int8(sent)

    @netfold.op(
        element="f32",
        wire="i8",
        state=np.float32,
        decode=lambda sent, left_out: np.float32(sent),
        encode=encode,
    )
    def rounded(a, b):
        return a + b

    left_out, sent = np.float32(0), []
    for _ in range(50):
        total = np.float32(0.3) + left_out
        sent.append(np.rint(total))
        left_out = total - sent[-1]
    np.testing.assert_array_equal(rounded.encode(np.full(50, 0.3)), sent)
    np.testing.assert_array_equal(rounded.decode([3, -4]), [3, -4])


def test_messages_are_answered_as_arrays():
    def appended(requests, rank, log):
        for at in range(len(requests)):
            log[0] += 1
            log[log[0]] = requests[at]
            requests[at] = log[1 : log[0] + 1].sum() + rank

    log = netfold.op(element="i64", scope="message 50", state=(np.int64, 200), answer=appended)(
        None
    )
    draw = np.random.default_rng(3)
    first, second = draw.integers(-1000, 1000, (2, 40))
    np.testing.assert_array_equal(log.answer(first, 5), np.cumsum(first) + 5)
    np.testing.assert_array_equal(log.answer(second), np.cumsum(second) + first.sum())


def test_state_and_answers_belong_together():
    def reply(request, rank):
        return request

    with pytest.raises(netfold.OperationError, match="what answers requests has `state`"):
        netfold.op(element="i32", answer=reply)
    with pytest.raises(netfold.OperationError, match="an operation folds or answers"):
        netfold.op(element="i32", state=np.int32)(None)
    with pytest.raises(netfold.OperationError, match="reply"):
        netfold.op(element="i32", state=np.int32, answer=reply)(None)


UFUNCS = [
    ("i32", np.add),
    ("u8", np.subtract),
    ("i64", np.multiply),
    ("c64", np.add),
    ("f32", np.maximum),
    ("f64", np.minimum),
    ("f32", np.fmax),
    ("u64", np.bitwise_and),
    ("u16", np.bitwise_or),
    ("i8", np.bitwise_xor),
]


@pytest.mark.parametrize("scope", ["element", "message 1000"])
@pytest.mark.parametrize(("element", "ufunc"), UFUNCS)
def test_functions_of_numpy_are_operations(element, ufunc, scope):
    operation = netfold.op(element=element, scope=scope)(ufunc)
    assert operation.name == ufunc.__name__.replace("_", "-")
    draw = np.random.default_rng(4)
    left, right = draw.integers(0, 256, (2, 1000 * operation.dtype.itemsize), np.uint8).view(
        operation.dtype
    )
    if operation.dtype.kind in "fc":
        left, right = draw.normal(size=(2, 1000)).astype(operation.dtype)
        left[:3] = [np.nan, np.inf, -0.0]
    np.testing.assert_array_equal(operation.fold(left, right), ufunc(left, right))


def test_functions_of_numpy_are_maps(switch):
    operation = netfold.op(element="f32", map=np.negative)(np.add)
    results = through(
        switch, operation, lambda comm: comm.all_reduce(np.full(9, 1.5, np.float32), operation)
    )
    np.testing.assert_array_equal(results, np.full((2, 9), -3.0))


def test_one_worker_sends_to_another_through_a_scale(switch):
    """ACiS's type 0 between two workers of a job of three, both ways."""
    scaled = netfold.op(element="f32", map=lambda number: number * np.float32(0.5))(np.add)
    numbers = np.random.default_rng(6).normal(size=(3, 5000)).astype(np.float32)

    def work(comm):
        if comm.rank == 1:
            return None
        with comm.subgroup([2, 0]) as pair:
            return [pair.broadcast(numbers[comm.rank], root, op=scaled) for root in (0, 1)]

    zero, _, two = through(switch, scaled, work, size=3)
    np.testing.assert_array_equal(zero[0], numbers[2] * np.float32(0.5))
    np.testing.assert_array_equal(two[1], numbers[0] * np.float32(0.5))
    # The worker that sends keeps what it has.
    np.testing.assert_array_equal([zero[1], two[0]], numbers[[0, 2]])


def test_arrays_are_written_in_place():
    @netfold.op(element="i32", scope="message 100")
    def total(left, right):
        np.add(left, right, left)
        left[:1] = 7

    left, right = np.random.default_rng(5).integers(-(2**31), 2**31, (2, 90), np.int32)
    expected = left + right
    expected[0] = 7
    np.testing.assert_array_equal(total.fold(left, right), expected)

    def makes_an_array(left, right):
        left[:] = left[::-1]

    with pytest.raises(netfold.OperationError, match=r"np\.add\(left, right, left\)"):
        netfold.op(element="i32", scope="message 100")(makes_an_array)


@pytest.mark.parametrize(
    ("element", "ufunc", "said"),
    [
        ("f64", np.arctan2, "functions of a library"),
        ("f64", np.negative, "numpy.negative has 1 operands"),
        ("f64", np.modf, "and 2 results"),
        ("f32,f32", np.add, "numba cannot compile add"),
        (np.bool_, np.logical_or, r"use u8, and `array.view\(np.uint8\)`"),
    ],
)
def test_functions_that_cannot_be_operations_say_what_can(element, ufunc, said):
    with pytest.raises(netfold.OperationError, match=said):
        netfold.op(element=element)(ufunc)
