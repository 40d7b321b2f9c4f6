"""Operations of users in Python, beside NumPy."""

from __future__ import annotations

import hashlib
import math
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import netfold
from children import forked
from netfold.operations.element import element_of

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

CLAIMS = {"associative": True, "commutative": True}


def integers(dtype: np.dtype, shape: tuple[int, ...], seed: int = 7) -> np.ndarray:
    bounds = np.iinfo(dtype)
    draw = np.random.default_rng(seed)
    return draw.integers(bounds.min, bounds.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("element", ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"])
def test_integers_wrap_as_in_numpy(element):
    @netfold.op(element=element, identity=0, **CLAIMS)
    def total(a, b):
        return a + b

    # More than a batch, and no whole number of vectors.
    left, right = integers(total.dtype, (2, 70_001))
    np.testing.assert_array_equal(total.fold(left, right), left + right)
    assert total.test() == []


@pytest.mark.parametrize("element", ["f32", "f64", "c64", "c128"])
def test_floats_have_the_bits_of_numpy(element):
    @netfold.op(element=element)
    def scaled(a, b):
        return a * b - b

    parts = np.random.default_rng(3).normal(size=(2, 5000, 2))
    left, right = parts.astype(np.float64).view(np.complex128)[..., 0]
    if element.startswith("f"):
        left, right = left.real, right.real
    left, right = left.astype(scaled.dtype), right.astype(scaled.dtype)
    if element.startswith("f"):
        np.testing.assert_array_equal(scaled.fold(left, right), left * right - right)
    else:
        # NumPy may multiply complex numbers with fewer roundings.
        real = left.real * right.real - left.imag * right.imag - right.real
        imaginary = left.real * right.imag + left.imag * right.real - right.imag
        result = scaled.fold(left, right)
        np.testing.assert_array_equal(result.real, real)
        np.testing.assert_array_equal(result.imag, imaginary)


def test_numpy_s_functions_of_numbers():
    @netfold.op(element=np.float32, **CLAIMS)
    def closest(a, b):
        return np.minimum(np.abs(a), np.abs(b))

    left, right = np.random.default_rng(5).normal(size=(2, 1000)).astype(np.float32)
    expected = np.minimum(np.abs(left), np.abs(right))
    np.testing.assert_array_equal(closest.fold(left, right), expected)
    assert closest.test() == []


def test_records_are_returned_by_name():
    identity = (-np.inf, 2**32 - 1)

    @netfold.op(element={"value": "f32", "index": "u32"}, identity=identity, **CLAIMS)
    def argmax(a, b):
        if b.value > a.value or (b.value == a.value and b.index < a.index):
            return b
        return a

    draw = np.random.default_rng(2)
    entries = np.zeros((4, 3000), argmax.dtype)
    entries["value"] = draw.integers(-3, 4, entries.shape)
    entries["index"] = draw.integers(0, 9, entries.shape)
    folded = entries[0]
    for operand in entries[1:]:
        folded = argmax.fold(folded, operand)
    # Of each position: sorted by the value downwards, then by the index.
    order = np.lexsort((entries["index"], -entries["value"]), axis=0)[0]
    np.testing.assert_array_equal(folded, entries[order, np.arange(3000)])
    assert argmax.test() == []
    assert argmax.declaration.identity == np.array(identity, argmax.dtype).tobytes()


def test_records_are_made_of_tuples():
    @netfold.op(element="i64,f64,u8", name="mean-and-more", commutative=True)
    def statistics(a, b):
        return a.f0 + b.f0, (a.f1 + b.f1) / 2, max(a.f2, b.f2)

    draw = np.random.default_rng(4)
    left, right = np.zeros((2, 999), statistics.dtype)
    for operand in (left, right):
        operand["f0"] = draw.integers(-(2**62), 2**62, 999)
        operand["f1"] = draw.normal(size=999)
        operand["f2"] = draw.integers(0, 256, 999)
    folded = statistics.fold(left, right)
    np.testing.assert_array_equal(folded["f0"], left["f0"] + right["f0"])
    np.testing.assert_array_equal(folded["f1"], (left["f1"] + right["f1"]) / 2)
    np.testing.assert_array_equal(folded["f2"], np.maximum(left["f2"], right["f2"]))
    assert statistics.name == "mean-and-more"


def test_records_are_changed_in_place():
    @netfold.op(element={"at": "i64x4"}, associative=True, identity=([1, 0, 0, 1],))
    def chain(a, b):
        for row in (0, 2):
            first, second = a.at[row], a.at[row + 1]
            a.at[row] = first * b.at[0] + second * b.at[2]
            a.at[row + 1] = first * b.at[1] + second * b.at[3]

    matrices = integers(np.dtype(np.int64), (3, 500, 4))
    operands = [matrices[at].reshape(500, 4).view(chain.dtype)[:, 0] for at in range(3)]
    folded = chain.fold(chain.fold(operands[0], operands[1]), operands[2])
    first, second, third = (matrices[at].reshape(500, 2, 2) for at in range(3))
    np.testing.assert_array_equal(folded["at"].reshape(500, 2, 2), first @ (second @ third))
    assert chain.test() == []


def test_a_codec_makes_what_travels():
    @netfold.op(
        element="f32",
        wire="i16",
        decode=lambda sent: np.float32(sent) / np.float32(16),
        encode=lambda number: np.int16(round(number * 16)),
    )
    def sixteenths(a, b):
        return a + b

    numbers = np.array([0, 1, -2.5, 0.06, 1000], np.float32)
    wire = sixteenths.encode(numbers)
    np.testing.assert_array_equal(wire, np.array([0, 16, -40, 1, 16000], np.int16))
    np.testing.assert_array_equal(sixteenths.decode(wire), wire.astype(np.float32) / 16)
    assert (sixteenths.declaration.wire, sixteenths.wire_dtype) == ("i16", np.int16)
    copy = pickle.loads(pickle.dumps(sixteenths))
    np.testing.assert_array_equal(copy.encode(numbers), wire)


def test_a_codec_changes_records_in_place():
    def shorten(sent, block):
        largest = np.float32(0)
        for number in block.numbers:
            largest = max(largest, abs(number))
        sent.largest = largest
        for at in range(4):
            sent.shares[at] = np.int8(round(block.numbers[at] / largest * 127))

    def lengthen(block, sent):
        for at in range(4):
            block.numbers[at] = sent.shares[at] * sent.largest / 127

    @netfold.op(
        element={"numbers": "f32x4"},
        wire={"largest": "f32", "shares": "i8x4"},
        decode=lengthen,
        encode=shorten,
    )
    def blocks(a, b):
        for at in range(4):
            a.numbers[at] += b.numbers[at]

    given = np.zeros(2, blocks.dtype)
    given["numbers"] = [[1, -2, 0.5, 0], [127, 1, 2, -3]]
    wire = blocks.encode(given)
    assert wire["largest"].tolist() == [2, 127]
    assert wire["shares"].tolist() == [[64, -127, 32, 0], [127, 1, 2, -3]]
    decoded = blocks.decode(wire)["numbers"]
    np.testing.assert_allclose(decoded, given["numbers"], atol=2 / 254)


def test_a_codec_of_messages_sees_arrays():
    def reverse(sent, numbers):
        for at in range(len(numbers)):
            sent[at] = numbers[len(numbers) - 1 - at]

    @netfold.op(element="i32", wire="i64", scope="message 8", decode=reverse, encode=reverse)
    def first(a, b):
        pass

    assert first.encode([1, 2, 3]).tolist() == [3, 2, 1]
    assert first.decode([1, 2, 3]).tolist() == [3, 2, 1]
    with pytest.raises(netfold.OperationError, match="at most 8 elements"):
        first.encode(np.zeros(9))


def test_a_codec_is_whole():
    with pytest.raises(netfold.OperationError, match="together"):
        netfold.op(element="i32", wire="i16")
    with pytest.raises(netfold.OperationError, match="together"):
        netfold.op(element="i32", encode=lambda number: number)


def test_messages_are_seen_as_a_whole():
    @netfold.op(element="u32", scope="message 64", **CLAIMS)
    def polynomials(left, right):
        for power in range(len(left) - 1, -1, -1):
            total = np.uint32(0)
            for lower in range(power + 1):
                total += left[lower] * right[power - lower]
            left[power] = total

    left, right = integers(np.dtype(np.uint32), (2, 64))
    product = np.convolve(left.astype(object), right.astype(object))[:64] % 2**32
    np.testing.assert_array_equal(polynomials.fold(left, right), product.astype(np.uint32))
    assert polynomials.test() == []
    assert polynomials.declaration.scope == "message 64"
    with pytest.raises(netfold.OperationError, match="at most 64 elements, not 65"):
        polynomials.fold(np.ones(65), np.ones(65))


def test_a_false_claim_is_found():
    @netfold.op(element="i32", commutative=True)
    def difference(a, b):
        return a - b

    (found,) = difference.test()
    assert found.claim == "commutative"
    assert "a b = " in found.operands
    assert difference.test(rounds=1, seed=2)[0].claim == "commutative"


def test_claims_reach_the_declaration():
    @netfold.op(
        element={"x": "f64", "y": "f64"}, associative=1e-9, ranges={"y": (-1.5, 2), 0: (0, 1e300)}
    )
    def some_Sum_(a, b):  # noqa: N802 - what becomes of a name
        return a.x + b.x, a.y + b.y

    declaration = some_Sum_.declaration
    assert declaration.name == "some-sum"
    assert declaration.element == "f64,f64"
    assert (declaration.associative, declaration.commutative) == (1e-9, False)
    assert declaration.ranges == ((0.0, 1e300), (-1.5, 2.0))
    assert declaration.identity is None


def test_a_file_is_the_same_operation(tmp_path):
    @netfold.op(element="i32", **CLAIMS)
    def largest(a, b):
        return max(a, b)

    path = tmp_path / "largest.wasm"
    largest.save(path)
    read = netfold.load_op(path)
    assert read == largest
    assert read.declaration == largest.declaration
    assert pickle.loads(pickle.dumps(largest)) == largest
    assert largest.hash == hashlib.sha256(path.read_bytes()).hexdigest()
    np.testing.assert_array_equal(read.fold([[1, -5]], [[0, 7]]), [[1, 7]])
    shown = subprocess.run(["netfold", "op", "show", path], capture_output=True, text=True)
    assert largest.hash in shown.stdout, shown.stderr


PROGRAM = """
import netfold
import numpy as np

# Loops that processors have vectors of different lengths for.
@netfold.op(element="u32", scope="message 64")
def fold(left, right):
    squares = np.uint32(0)
    for at in range(len(left)):
        squares += right[at] * right[at]
    for at in range(len(left)):
        left[at] = left[at] * squares + right[at]

@netfold.op(element="i16")
def total(a, b):
    return a + b

print(fold.hash, total.hash)
"""


def test_processors_and_processes_make_no_difference():
    """A job's workers may run on other processors, and must have the same module (R-OP-1)."""

    def hashes(**variables: str) -> str:
        command = [sys.executable, "-c", PROGRAM]
        environment = {**os.environ, **variables}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
        return ended.stdout

    generic = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    assert hashes(PYTHONHASHSEED="1") == hashes(PYTHONHASHSEED="2", **generic)


def test_an_exception_is_a_trap():
    @netfold.op(element="i32", ranges={0: (0, 100)})
    def picky(a, b):
        if b < 0:
            raise ValueError("negative")
        return a + b

    np.testing.assert_array_equal(picky.fold([1], [2]), [3])
    with pytest.raises(netfold.OperationError, match=r"picky: .*unreachable"):
        picky.fold([1, 1], [2, -2])
    np.testing.assert_array_equal(picky.fold([1], [2]), [3])


def makes_an_array(a, b):
    return np.zeros(4)[0] + a


def takes_text(a, b):
    return "a"


def has_no_such_field(a, b):
    return a.value


def calls_a_library(a, b):
    return math.sin(a) + math.atan2(a, b)


def takes_three(a, b, c):
    return a


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (makes_an_array, "needs NRT_.*: it makes arrays"),
        (takes_text, "an element is a number"),
        (has_no_such_field, "Unknown attribute 'value'"),
        (takes_three, "function takes 3 arguments"),
        (calls_a_library, "needs atan2, sin: these are functions of a library"),
    ],
)
def test_what_cannot_be_compiled_is_named(function, said):
    with pytest.raises(netfold.OperationError, match=said):
        netfold.op(element="f64")(function)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"element": "f16"}, "`f16` is no type"),
        ({"element": "i32,"}, "`` is no type"),
        ({"element": np.dtype("f4, f8")}, "make it with align=True"),
        ({"element": np.float16}, "no type of a field"),
        ({"element": "i32", "scope": "messages"}, "scope is `element`"),
        ({"element": "i32", "name": "Größe"}, "is no name"),
        ({"element": "i32", "identity": "one"}, "is no element i32"),
        ({"element": "i32", "ranges": {"x": (0, 1)}}, "'x' is no field"),
        ({"element": "i32", "associative": 2.0}, "associative is no, yes or"),
    ],
)
def test_what_cannot_be_declared_is_named(keys, said):
    def unchanged(a, b):
        return a

    with pytest.raises(netfold.OperationError, match=said):
        netfold.op(**keys)(unchanged)


def test_what_is_missing_says_what_to_install(monkeypatch, tmp_path):
    def unchanged(a, b):
        return a

    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(netfold.OperationError, match="apt-get install lld"):
        netfold.op(element="i32")(unchanged)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'netfold\[ops\]'"):
        netfold.op(element="i32")(unchanged)


def test_modules_are_refused_by_name():
    with pytest.raises(netfold.OperationError, match="no WebAssembly module"):
        netfold.Operation(b"(module)")


def test_operands_that_do_not_fit_are_refused():
    @netfold.op(element="i32")
    def first(a, b):
        return a

    with pytest.raises(netfold.OperationError, match="same shape"):
        first.fold([1, 2], [1])


def test_elements_are_those_of_structs_in_c():
    fields = [("x", np.uint8), ("y", np.float64, (3,)), ("z", np.complex64)]
    dtype = np.dtype(fields, align=True)
    assert element_of(dtype).spelling == "u8,f64x3,c64"
    assert element_of({"x": "u8", "y": "f64x3", "z": "c64"}).dtype == dtype
    assert element_of("i8").dtype == np.int8


def test_a_fork_loads_and_folds():
    """The compiler's threads, if it had any, would not be there."""

    @netfold.op(element="i32")
    def difference(a, b):
        return a - b

    def body():
        again = netfold.Operation(difference.wasm)
        for operation in (difference, again):
            assert operation.fold([5], [3]).tolist() == [2]

    assert difference.fold([1], [2]).tolist() == [-1]
    assert forked(body) == 0
