"""NumPy's functions of numbers as operations, beside NumPy: random bits, and the ends of types."""

from __future__ import annotations

import numpy as np
import pytest

import netfold

pytest.importorskip("numba", reason="operations in Python are compiled by numba")

INTEGERS = ["i8", "u8", "i32", "i64", "u64"]
FLOATS = ["f32", "f64"]

BINARY = [
    *((ufunc, one) for ufunc in (np.fmod, np.floor_divide, np.remainder) for one in FLOATS),
    *((ufunc, one) for ufunc in (np.fmod, np.remainder, np.floor_divide) for one in INTEGERS),
    *((ufunc, one) for ufunc in (np.left_shift, np.right_shift) for one in INTEGERS),
    *((ufunc, "f64") for ufunc in (np.add, np.subtract, np.multiply, np.divide, np.copysign)),
    *((ufunc, one) for ufunc in (np.maximum, np.minimum, np.fmax, np.fmin) for one in FLOATS),
    *((ufunc, one) for ufunc in (np.heaviside, np.nextafter) for one in FLOATS),
    *((ufunc, "u64") for ufunc in (np.bitwise_and, np.bitwise_or, np.bitwise_xor)),
    *((ufunc, "i32") for ufunc in (np.gcd, np.lcm, np.logical_and, np.logical_or, np.logical_xor)),
    *((ufunc, "f32") for ufunc in (np.greater, np.less_equal, np.equal, np.not_equal)),
]
UNARY = [
    *((np.sign, one) for one in (*FLOATS, *INTEGERS)),
    *((ufunc, one) for ufunc in (np.absolute, np.negative, np.square) for one in ("f64", "i32")),
    *((ufunc, one) for ufunc in (np.sqrt, np.reciprocal, np.spacing) for one in FLOATS),
    *((ufunc, "f32") for ufunc in (np.floor, np.ceil, np.trunc, np.rint, np.fabs, np.isnan)),
    *((ufunc, one) for ufunc in (np.invert, np.logical_not) for one in ("u8", "i64")),
]
if hasattr(np, "bitwise_count"):
    UNARY += [(np.bitwise_count, one) for one in INTEGERS]


def drawn(dtype: np.dtype, seed: int, count: int = 4000) -> np.ndarray:
    """Random bits, and among them many small numbers and ends of the type's range."""
    draw = np.random.default_rng(seed)
    numbers = draw.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)
    if dtype.kind == "f":
        ends = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1, -1, np.finfo(dtype).smallest_subnormal]
        numbers[::2] = 10 * draw.normal(size=count // 2)
    else:
        ends = [0, 1, np.iinfo(dtype).max, np.iinfo(dtype).min]
        numbers[::2] = draw.integers(0, 70, count // 2)
    numbers[1::3] = draw.choice(np.array(ends, dtype), len(numbers[1::3]))
    return numbers


def assert_same(got: np.ndarray, expected: np.ndarray) -> None:
    """The same numbers, zeros of the same sign, and NaNs at the same places."""
    expected = expected.astype(got.dtype)
    np.testing.assert_array_equal(got, expected)
    numbers = expected == expected
    np.testing.assert_array_equal(
        np.signbit(got[numbers]) if got.dtype.kind == "f" else 0,
        np.signbit(expected[numbers]) if got.dtype.kind == "f" else 0,
    )


def applied(ufunc, element, numbers, scope="element"):
    """Return the numbers that a codec makes which encodes by a function of one operand."""
    encoding = netfold.op(
        element=element,
        wire=element,
        scope=scope,
        encode=ufunc,
        decode=np.positive if scope != "element" else lambda one: one,
    )
    return encoding(np.add if element != "u8" else np.bitwise_or).encode(numbers)


@pytest.mark.parametrize(("ufunc", "element"), BINARY)
def test_functions_of_two_operands(ufunc, element):
    operation = netfold.op(element=element)(ufunc)
    left, right = drawn(operation.dtype, 1), drawn(operation.dtype, 2)
    if ufunc is np.lcm:
        # Others do not fit.
        left, right = left % 40000, right % 40000
    with np.errstate(all="ignore"):
        expected = ufunc(left, right)
    assert_same(operation.fold(left, right), expected)


@pytest.mark.parametrize(("ufunc", "element"), UNARY)
def test_functions_of_one_operand(ufunc, element):
    numbers = drawn(netfold.op(element=element)(np.add).dtype, 3)
    with np.errstate(all="ignore"):
        expected = ufunc(numbers)
    assert_same(applied(ufunc, element, numbers), expected)


@pytest.mark.parametrize("ufunc", [np.sign, np.spacing])
def test_functions_of_whole_messages(ufunc):
    numbers = drawn(np.dtype(np.float64), 4)[:900]
    with np.errstate(all="ignore"):
        expected = ufunc(numbers)
    assert_same(applied(ufunc, "f64", numbers, "message 900"), expected)


BOUNDS = {np.exp: 2, np.exp2: 2, np.log: 2, np.log1p: 3, np.log2: 4, np.log10: 4, np.expm1: 8}
"""Largest errors in units of the last place, as `library.py` derives them."""

wide = pytest.mark.skipif(
    np.finfo(np.longdouble).nmant < 63, reason="the oracle needs more bits than float64 has"
)


def in_places(got: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """The error in units of the last place; what is not finite is compared as it is."""
    with np.errstate(all="ignore"):
        rounded = exact.astype(got.dtype)
    finite = np.isfinite(rounded) & np.isfinite(got)
    np.testing.assert_array_equal(got[~finite], rounded[~finite])
    return np.abs(got[finite] - exact[finite]) / np.spacing(np.abs(rounded[finite]))


@wide
@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("ufunc", BOUNDS)
def test_functions_of_a_library_are_close(ufunc, element):
    dtype = np.dtype(np.float32 if element == "f32" else np.float64)
    draw = np.random.default_rng(5)
    with np.errstate(invalid="ignore"):
        ends = drawn(dtype, 5).astype(np.float64)
    numbers = np.concatenate(
        [
            ends,
            1 + draw.normal(size=2000) * 10.0 ** draw.uniform(-16, 0, 2000),
            draw.normal(size=2000) * 10.0 ** draw.uniform(-16, 3, 2000),
        ]
    ).astype(dtype)
    with np.errstate(all="ignore"):
        exact = ufunc(numbers.astype(np.longdouble))
    # Of float32 the result of float64 is rounded: half a place, and next to nothing.
    bound = BOUNDS[ufunc] if element == "f64" else 0.51
    assert in_places(applied(ufunc, element, numbers), exact).max() <= bound


@wide
@pytest.mark.parametrize("element", FLOATS)
def test_hypotenuses_are_close(element):
    operation = netfold.op(element=element)(np.hypot)
    left, right = drawn(operation.dtype, 6), drawn(operation.dtype, 7)
    with np.errstate(all="ignore"):
        exact = np.hypot(left.astype(np.longdouble), right.astype(np.longdouble))
    bound = 2 if element == "f64" else 0.51
    assert in_places(operation.fold(left, right), exact).max() <= bound


@wide
@pytest.mark.parametrize("element", FLOATS)
@pytest.mark.parametrize("ufunc", [np.logaddexp, np.logaddexp2])
def test_sums_of_logarithms(ufunc, element):
    """max(a, b) + log(1 + base^-|a - b|), of which the second is at most log 2: it may be wrong by
    the 2 and 3 places of exp and log1p, by 1 for the difference, and for base 2 by 2 for the
    factor; the sum is rounded once. A place is one of 1, the larger operand or the result,
    whichever is largest.
    """
    operation = netfold.op(element=element, associative=1e-6)(ufunc)
    left, right = drawn(operation.dtype, 8), drawn(operation.dtype, 9)
    with np.errstate(all="ignore"):
        exact = ufunc(left.astype(np.longdouble), right.astype(np.longdouble))
        expected = ufunc(left, right)
    got = operation.fold(left, right)
    finite = np.isfinite(expected)
    np.testing.assert_array_equal(got[~finite], expected[~finite])
    larger = np.abs(np.maximum(left, right)[finite])
    place = np.spacing(np.maximum(1, np.maximum(np.abs(expected[finite]), larger)))
    assert (np.abs(got[finite] - exact[finite]) <= 9 * place).all()


@pytest.mark.parametrize(
    ("element", "ufunc", "said"),
    [
        ("f64", np.arctan2, "needs atan2: these are functions of a library, of which .* has exp"),
        ("f64", np.power, "needs pow"),
        ("i32", np.divide, "makes float64 of int32, which is no int32: write a function"),
        ("i32", np.logaddexp, "makes float64 of int32"),
        ("f64", np.matmul, "sums over arrays.* write a loop"),
        ("c64", np.arctan2, "numpy.arctan2 takes no complex64"),
        ("f64", np.divmod, "and 2 results"),
    ],
)
def test_functions_that_cannot_be_operations_say_what_can(element, ufunc, said):
    with pytest.raises(netfold.OperationError, match=said):
        netfold.op(element=element)(ufunc)


@pytest.mark.parametrize(
    ("element", "ufunc", "said"),
    [
        ("f32", np.sin, "needs sinf"),
        ("i32", np.exp, "makes float64 of int32"),
        ("i32", np.reciprocal, "numba has other results than numpy.reciprocal of int32"),
        ("f32", np.add, "has 2 operands and 1 results; here it would need 1"),
    ],
)
def test_functions_that_cannot_be_maps_say_what_can(element, ufunc, said):
    with pytest.raises(netfold.OperationError, match=said):
        netfold.op(element=element, map=ufunc)(np.add)


FACTOR = np.float32(0.25)


def combined(left, right):
    left[:] = (left - right) * FACTOR + np.logaddexp(left, right)


def in_place(left, right):
    left[:] += -right
    left[:] = right[:] / left


def compared(left, right):
    for _ in range(2):
        if len(left) > 3:
            left[:] = np.float32((left > right) | (right == right[:])) - left % right


def averaged(left, right):
    """Sums wrap before they are halved, as NumPy's do."""
    left[:] = (left + right) // 2


@pytest.mark.parametrize("function", [combined, in_place, compared])
def test_all_of_an_operand_is_assigned(function):
    operation = netfold.op(element="f32", scope="message 900")(function)
    draw = np.random.default_rng(10)
    left, right = draw.normal(size=(2, 900)).astype(np.float32)
    left[:6] = [np.nan, np.inf, -np.inf, 0, -0.0, 1]
    right[:6] = [1, np.inf, 3, -0.0, 5, np.nan]
    expected = left.copy()
    with np.errstate(all="ignore"):
        function(expected, right)
    # NumPy's logaddexp and netfold's may each be wrong by four places of 1, or of the result.
    exact = function is not combined
    np.testing.assert_allclose(
        operation.fold(left, right),
        expected,
        rtol=0 if exact else 4 * 2.0**-23,
        atol=0 if exact else 8 * 2.0**-23,
    )


def test_an_assignment_has_the_types_of_arrays():
    operation = netfold.op(element="i32", scope="message 900")(averaged)
    left, right = drawn(np.dtype(np.int32), 11)[:900], drawn(np.dtype(np.int32), 12)[:900]
    expected = left.copy()
    averaged(expected, right)
    np.testing.assert_array_equal(operation.fold(left, right), expected)


def test_assignments_reach_what_a_function_closes_over():
    factors = np.float64(3), np.hypot
    scale, lengths = factors

    def scaled(left, right):
        left[:] = lengths(left, right) * scale

    operation = netfold.op(element="f64", scope="message 10")(scaled)
    assert operation.fold([3, 5], [4, 12]).tolist() == [15, 39]


def test_maps_and_codecs_are_assigned_to():
    def doubled(left):
        left[:] = left * 2

    def encode(wire, numbers):
        wire[:] = np.int16(numbers * 16)

    def decode(numbers, wire):
        numbers[:] = wire / np.float32(16)

    operation = netfold.op(
        element="f32", scope="message 10", wire="i16", map=doubled, encode=encode, decode=decode
    )(np.add)
    assert operation.encode([1.5, -2]).tolist() == [24, -32]
    assert operation.decode(np.array([24, -32], np.int16)).tolist() == [1.5, -2]


def test_what_needs_more_than_one_place_is_refused():
    def by_the_first(left, right):
        left[:] = left / left[0]

    def by_the_sum(left, right):
        left[:] = right * np.sum(left)

    def backwards(left, right):
        left[:] = right[::-1] + left

    for function in (by_the_first, by_the_sum, backwards):
        with pytest.raises(netfold.OperationError, match=r"np\.add\(left, right, left\)"):
            netfold.op(element="f64", scope="message 10")(function)
