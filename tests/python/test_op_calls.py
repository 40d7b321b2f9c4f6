"""Calls by operations of users, from NumPy to the switch and back, beside NumPy itself."""

from __future__ import annotations

import functools
import subprocess

import numpy as np
import pytest

import netfold
from netfold import _native
from team import communicators, values

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

pytestmark = pytest.mark.loss

SIZE = 3


@pytest.fixture(scope="module")
def argmax() -> netfold.Operation:
    @netfold.op(element={"value": "f32", "index": "u32"}, associative=True, commutative=True)
    def argmax(a, b):
        if b.value > a.value or (b.value == a.value and b.index < a.index):
            return b
        return a

    return argmax


@pytest.fixture(scope="module")
def subtraction() -> netfold.Operation:
    @netfold.op(element="f64")
    def subtraction(a, b):
        return a - b

    return subtraction


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_an_operation_folds_in_every_collective(switch, argmax, subtraction, transport):
    """A subtraction gives the same bits as NumPy's in rank order, and no others."""
    draw = np.random.default_rng(11)
    parts = draw.normal(size=(SIZE, SIZE, 2000))
    pairs = np.zeros((SIZE, 777), argmax.dtype)
    pairs["value"] = draw.integers(-5, 5, (SIZE, 777))
    pairs["index"] = draw.integers(0, 2**32, (SIZE, 777))

    def work(comm):
        mine = parts[comm.rank]
        return (
            comm.all_reduce(mine, subtraction),
            comm.reduce(mine, 2, subtraction),
            comm.reduce_scatter(mine, subtraction),
            comm.reduce_scatter_v(mine.reshape(-1), [10, 0, 5990], subtraction),
            comm.scan(mine, subtraction),
            comm.exscan(mine, subtraction),
            comm.all_reduce(pairs[comm.rank], argmax),
            comm.all_reduce(np.zeros(0), subtraction),
            comm.all_reduce(mine, "sum"),
        )

    def folded(count):
        return functools.reduce(np.subtract, parts[:count]) if count else None

    operations = [argmax, subtraction]
    settings = {"transport": transport, "arithmetic": "native", "operations": operations}
    whole = folded(SIZE)
    order = np.lexsort((pairs["index"], -pairs["value"]), axis=0)[0]
    best = pairs[order, np.arange(777)]
    for rank, results in enumerate(values(communicators(switch, SIZE, work, **settings))):
        np.testing.assert_array_equal(results[0], whole)
        assert (results[1] is None) if rank != 2 else np.array_equal(results[1], whole)
        np.testing.assert_array_equal(results[2], whole[rank])
        ends = [0, 10, 10, 6000]
        np.testing.assert_array_equal(results[3], whole.reshape(-1)[ends[rank] : ends[rank + 1]])
        np.testing.assert_array_equal(results[4], folded(rank + 1))
        assert (results[5] is None) if rank == 0 else np.array_equal(results[5], folded(rank))
        np.testing.assert_array_equal(results[6], best)
        assert results[7].shape == (0,)


def test_other_operations_and_other_elements_are_refused(switch, argmax, subtraction):
    def work(comm):
        with pytest.raises(ValueError, match=r"connect\(operations"):
            comm.all_reduce(np.zeros(3), subtraction)
        with pytest.raises(netfold.UnsupportedError, match="takes elements of dtype"):
            comm.all_reduce(np.zeros(4), argmax)
        with pytest.raises(TypeError, match=r"netfold\.Operation"):
            comm.all_reduce(np.zeros(4), 7)
        with comm.with_operations([subtraction]) as other:
            return other.all_reduce(np.full(5, comm.rank + 1.0), subtraction)

    settings = {"operations": [argmax]}
    for result in values(communicators(switch, 2, work, **settings)):
        np.testing.assert_array_equal(result, np.full(5, -1.0))


def test_fields_of_one_type_may_be_an_array_of_it(switch):
    @netfold.op(element="f32,f32")
    def last(a, b):
        return b

    def work(comm):
        with pytest.raises(ValueError, match="no whole number"):
            comm.all_reduce(np.zeros(3, np.float32), last)
        return comm.all_reduce(np.arange(4, dtype=np.float32) + comm.rank, last)

    for result in values(communicators(switch, 2, work, operations=[last])):
        np.testing.assert_array_equal(result, np.arange(4) + 1)


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_a_map_replaces_the_result(switch, transport):
    """A step of SGD in the switch has the bits of the same step in NumPy."""

    @netfold.op(
        element={"gradient": "f32", "weight": "f32"},
        map=lambda one: (one.gradient, one.weight - np.float32(0.5) * one.gradient),
    )
    def step(a, b):
        return (a.gradient + b.gradient, a.weight)

    draw = np.random.default_rng(2)
    pairs = np.zeros((SIZE, 3000), step.dtype)
    pairs["gradient"] = draw.normal(size=(SIZE, 3000))
    pairs["weight"] = draw.normal(size=3000)

    def work(comm):
        with pytest.raises(ValueError, match="transforms results"):
            comm.scan(pairs[comm.rank], step)
        return comm.all_reduce(pairs[comm.rank], step), comm.reduce(pairs[comm.rank], 1, step)

    gradient = functools.reduce(np.add, pairs["gradient"])
    weight = pairs["weight"][0] - np.float32(0.5) * gradient
    settings = {"operations": [step], "transport": transport}
    for rank, (whole, own) in enumerate(values(communicators(switch, SIZE, work, **settings))):
        np.testing.assert_array_equal(whole["gradient"], gradient)
        np.testing.assert_array_equal(whole["weight"], weight)
        assert (own is None) if rank != 1 else np.array_equal(own, whole)


QUOTIENT = """
#include <netfold_op.h>
OP_DECLARE("abi 1")
OP_DECLARE("name quotient")
OP_DECLARE("element i32")
OP_DECLARE("range 0 1 100")
OP_FOLD(int, left, right, count) {
    for (int i = 0; i < count; i++) left[i] /= right[i];
}
"""


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_a_trap_fails_the_job_with_its_name(switch, tmp_path, transport):
    source = tmp_path / "quotient.c"
    source.write_text(QUOTIENT)
    subprocess.run(["netfold", "op", "build", source], check=True, capture_output=True)
    quotient = netfold.load_op(source.with_suffix(".wasm"))

    def work(comm):
        with pytest.raises(netfold.OperationError, match=r'"quotient".*arithmetic') as error:
            comm.all_reduce(np.full(100, 1 - comm.rank, np.int32), quotient)
        return str(error.value)

    settings = {"operations": [quotient], "transport": transport}
    for text in values(communicators(switch, 2, work, **settings)):
        assert "all_reduce(quotient, 400 bytes)" in text


def test_a_switch_takes_what_its_policy_says(argmax):
    def work(comm):
        return comm.all_reduce(np.ones(1, argmax.dtype), comm._operations[0])

    none = _native.Switch(ops="none")
    (outcome,) = communicators(none.address, 1, work, operations=[argmax])
    assert outcome.error == "JoinError"
    assert "--ops any" in outcome.message
    none.close()
    key = "0123456789abcdef"
    signed = _native.Switch(ops="signed", ops_key=key)
    (outcome,) = communicators(signed.address, 1, work, operations=[argmax])
    assert outcome.error == "JoinError"
    assert "signature" in outcome.message
    (result,) = values(communicators(signed.address, 1, work, operations=[argmax.signed(key)]))
    assert result == np.ones(1, argmax.dtype)
    signed.close()
