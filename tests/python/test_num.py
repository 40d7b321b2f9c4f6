"""The arithmetics on arrays, against exact sums, and what is refused."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import netfold
from netfold.num import (
    Movement,
    fold,
    fold_by_tables,
    log2,
    multiply,
    square_root,
    sum_blocks,
    sum_native,
)


def _bits(values, dtype=np.float32, unsigned=np.uint32):
    return np.array(values, dtype).view(unsigned)


def test_registers_keep_exponent_and_mantissa_apart():
    folded = fold(_bits([[1.0, 3.0, -2.0], [1.0, 0.5, 2.0]]))
    assert folded.bits.view(np.float32).tolist() == [2.0, 3.5, 0.0]
    # 1 + 1 stays under the exponent of 1, with a mantissa of twice the leading one.
    assert folded.exponent.tolist() == [127, 128, 128]
    assert folded.mantissa.tolist() == [1 << 24, 7 << 21, 0]
    assert not folded.overflow.any()


def test_the_variants_differ_where_a_larger_operand_comes():
    # 2^-20 is overwritten by 1, which is more than 2^7 larger (section 4.3); fpisa keeps what the
    # register can hold.
    operands = _bits([[2.0**-20], [1.0]])
    assert fold(operands, "fpisa-a").bits.view(np.float32)[0] == 1.0
    assert fold(operands, "fpisa").bits.view(np.float32)[0] == 1.0 + 2.0**-20


def test_other_formats_and_widths():
    halves = _bits([[1.5, 2.0], [0.25, 2.0]], np.float16, np.uint16)
    assert fold(halves, format="fp16").bits.astype(np.uint16).view(np.float16).tolist() == [
        1.75,
        4.0,
    ]
    # Eight bits of register hold the sign, E4M3's four bits of mantissa and three of headroom: the
    # 16th largest value overflows.
    largest = np.full((16, 1), 0x7E, np.uint8)
    assert not fold(largest[:8], "fpisa", "e4m3", 8).overflow[0]
    assert fold(largest, "fpisa", "e4m3", 8).overflow[0]


def test_shapes_are_kept():
    assert fold(np.zeros((3, 2, 5), np.uint32)).bits.shape == (2, 5)
    assert fold(np.zeros((3,), np.uint32)).bits.shape == ()
    assert fold(np.zeros((0, 4), np.uint32)).bits.tolist() == [0] * 4
    assert fold(np.zeros((4, 0), np.uint32)).mantissa.shape == (0,)


def test_a_trace_says_what_each_step_moved():
    # R-FPI-13: one element for each movement, named by its last step; 2^7 is the headroom of fp32
    # in 32 bits.
    elements = {
        Movement.ZERO: (1.0, 0.0),
        Movement.SPECIAL: (1.0, math.inf),
        Movement.FIRST: (0.0, 1.0),
        Movement.INCOMING_RIGHT: (2.0, -1.0),
        Movement.INCOMING_LEFT: (1.0, 128.0),
        Movement.OVERWRITTEN: (1.0, 256.0),
    }
    operands = _bits(list(zip(*elements.values(), strict=True)))
    assert fold(operands, "fpisa-a", trace=True).movement[1].tolist() == list(elements)
    assert fold(_bits([[1.0], [256.0]]), "fpisa", trace=True).movement.tolist() == [
        [Movement.FIRST],
        [Movement.STORED_RIGHT],
    ]
    assert fold(operands).movement is None


def _shared(blocks, guard_bits, bits=32):
    """Block floating point of FP32 in integers, by R-FPI-6, 8 and 19 alone: exponent and mantissas
    of blocks that are added in order; finite, without overflow.
    """

    def block(values):
        parts = [math.frexp(float(value)) for value in values]
        # An exponent field of at least 1: the value is an integer times 2^(field - 150).
        fields = [max(e + 126, 1) for m, e in parts if m]
        field = max(fields, default=0)
        unit = Fraction(2) ** (field - 150 - guard_bits)
        return field, [math.floor(Fraction(float(value)) / unit) for value in values]

    field, sums = 0, [0] * len(blocks[0])
    for incoming, mantissas in map(block, blocks):
        if not any(mantissas):
            continue
        if not any(sums):
            field = incoming
        larger = max(field, incoming)
        sums = [
            (a >> (larger - field)) + (b >> (larger - incoming))
            for a, b in zip(sums, mantissas, strict=True)
        ]
        field = larger
        assert all(abs(total) < 2 ** (bits - 1) for total in sums)
    return field, sums


@pytest.mark.parametrize("guard_bits", [0, 2])
def test_elements_of_a_block_share_an_exponent(guard_bits):
    # R-FPI-19, against integers of any length.
    random = np.random.default_rng(3)
    operands = (random.normal(size=(9, 2, 7)) * 2.0 ** random.integers(-20, 20, (9, 2, 7))).astype(
        np.float32
    )
    operands[random.random(operands.shape) < 0.1] = 0
    operands[4] = 0
    folded = fold(operands.view(np.uint32), guard_bits=guard_bits, block_elements=5)
    assert folded.bits.shape == folded.exponent.shape == (2, 7)
    flat, exponent, mantissa, read = (
        operands.reshape(9, 14),
        folded.exponent.ravel(),
        folded.mantissa.ravel(),
        folded.bits.view(np.float32).ravel(),
    )
    for start in (0, 5, 10):
        lanes = slice(start, min(start + 5, 14))
        field, sums = _shared(flat[:, lanes], guard_bits)
        assert exponent[lanes].tolist() == [field] * len(sums)
        assert mantissa[lanes].tolist() == sums
        unit = Fraction(2) ** (field - 150 - guard_bits)
        largest = max(math.frexp(float(value))[1] + 126 for value in flat[:, lanes].ravel())
        for index, total in enumerate(sums):
            exact = sum(Fraction(float(value)) for value in flat[:, start + index])
            # 2n - 1 shifts to the largest exponent, each of which floors.
            most = (2 * 9 - 1) * Fraction(2) ** (largest - 150 - guard_bits)
            assert 0 <= exact - total * unit < most
            # Truncation (R-FPI-11): the result is within the value, less than a last place away.
            result = Fraction(float(read[start + index]))
            assert abs(result) <= abs(total * unit)
            assert abs(total * unit - result) < max(abs(result), Fraction(2) ** -126) * 2**-23


def test_a_block_of_one_element_is_a_register_of_its_own():
    random = np.random.default_rng(4)
    bits = random.integers(0, 2**16, (20, 50), np.uint16)
    alone = fold(bits, "fpisa-a", "bf16", trace=True)
    # Blocks of two, of which one is zero: its mantissa moves nothing.
    pairs = np.stack([bits, np.zeros_like(bits)], axis=2)
    shared = fold(pairs, "fpisa-a", "bf16", trace=True, block_elements=2)
    for name in ("bits", "mantissa", "overflow"):
        assert (getattr(shared, name)[:, 0] == getattr(alone, name)).all(), name
    assert not shared.mantissa[:, 1].any()
    assert (shared.movement == alone.movement[:, :, None]).all()


def test_specials_and_overflows_of_a_block_stay_with_their_element():
    operands = _bits([[1.0, math.inf, 3.0], [1.0, 1.0, math.nan], [1.0, 1.0, 1.0]])
    read = fold(operands, block_elements=3).bits.view(np.float32)
    assert read[:2].tolist() == [3.0, math.inf]
    assert math.isnan(read[2])
    # 129 times the largest mantissa does not fit 32 bits (R-FPI-16), the other element's does.
    largest = np.tile(np.array([[0x3FFFFFFF, 0x3F800000]], np.uint32), (129, 1))
    assert fold(largest, block_elements=2).overflow.tolist() == [True, False]
    assert fold(largest[:128], block_elements=2).overflow.tolist() == [False, False]


def _numbers(values, format):
    """The numbers of an array, patterns of bf16 included, as fractions."""
    wide = (values.astype(np.uint32) << 16).view(np.float32) if format else values
    return [Fraction(float(value)) for value in wide.ravel()]


def _cancelling(random, n, elements, exponents):
    """Values of all magnitudes, half of them with an opposite among the others, in any order."""
    values = random.normal(size=(n, elements)) * 2.0 ** random.integers(*exponents, (n, elements))
    values[n // 2 : 2 * (n // 2)] = -values[: n // 2] * (1 + random.choice([0, 2.0**-9]))
    return random.permuted(values, axis=0)


@pytest.mark.parametrize(
    ("dtype", "format", "u", "exponents"),
    [
        (np.float64, None, Fraction(1, 2**53), (-60, 60)),
        (np.float32, None, Fraction(1, 2**24), (-30, 30)),
        (np.float16, None, Fraction(1, 2**11), (-10, 4)),
        (np.uint16, "bf16", Fraction(1, 2**8), (-20, 20)),
    ],
)
def test_native_sums_are_within_the_bound_that_is_stated(dtype, format, u, exponents):
    # R-NUM-4 in exact fractions, of which the bound is the value rounded up.
    random = np.random.default_rng(5)
    for n in (1, 2, 3, 17, 100):
        values = _cancelling(random, n, 20, exponents)
        # All but the first are lost one by one: the bound but for its second order.
        values[:, 0] = float(u)
        values[0, 0] = 1
        if format:
            values = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        else:
            values = values.astype(dtype)
        summed = sum_native(values, format)
        assert summed.values.shape == summed.bound.shape == (20,)
        assert summed.values.dtype == values.dtype
        if not format:
            # NumPy rounds each step to nearest, too.
            assert (summed.values == np.add.accumulate(values, axis=0, dtype=dtype)[-1]).all()
        g = (n - 1) * u / (1 - (n - 1) * u)
        for element, (result, bound) in enumerate(
            zip(_numbers(summed.values, format), summed.bound, strict=True)
        ):
            operands = _numbers(values[:, element], format)
            stated = g * sum(abs(value) for value in operands)
            assert stated <= Fraction(float(bound)) <= stated * (1 + Fraction(n, 2**50))
            error = abs(result - sum(operands))
            assert error <= stated
            if element == 0:
                assert error == (n - 1) * u


def test_native_sums_say_where_they_have_no_bound():
    summed = sum_native(np.float16([[60000, 1, np.nan, 0], [60000, 1, 1, 0]]))
    assert summed.values[:2].tolist() == [np.inf, 2.0]
    assert np.isinf(summed.bound).tolist() == [True, False, True, False]
    assert summed.bound[3] == 0
    # 256 steps of 2^-8 are as much as everything.
    assert np.isinf(sum_native(np.zeros((257, 1), np.uint16), "bf16").bound).all()
    assert not sum_native(np.zeros((256, 1), np.uint16), "bf16").bound.any()
    # bf16: 1 + 2^-8 is a tie, and goes to the even one.
    assert sum_native(np.uint16([[0x3F80], [0x3B80]]), "bf16").values.tolist() == [0x3F80]
    # The order of the bytes is the array's own business.
    assert sum_native(np.array([[1.5], [2]], ">f4")).values.tolist() == [3.5]
    assert sum_native(np.zeros((3, 0, 2), np.float32)).bound.shape == (0, 2)


@pytest.mark.parametrize(
    ("values", "format"),
    [
        (np.zeros((2, 2), np.int32), None),
        (np.zeros((2, 2), np.uint16), None),
        (np.zeros((2, 2), np.float32), "bf16"),
        (np.zeros((2, 2), np.uint16), "fp16"),
        (np.zeros((2, 2), np.float32), "float32"),
        (np.zeros((0, 2), np.float32), None),
        (np.float32(1), None),
    ],
)
def test_native_refuses_other_types_and_no_operands(values, format):
    with pytest.raises(netfold.ConfigurationError, match="give"):
        sum_native(values, format)


def test_tables_stay_within_their_bound():
    # R-LOG-6: 7e-5 of the exact sum for equal signs, 1.2e-4 of the larger operand for opposite
    # ones.
    pairs = np.random.default_rng(7).uniform(-1, 1, (2, 3000)).astype(np.float32)
    for a, b, total in zip(*pairs, fold_by_tables(pairs), strict=True):
        exact = Fraction(float(a)) + Fraction(float(b))
        allowed = 7e-5 * abs(exact) if (a < 0) == (b < 0) else 1.2e-4 * max(abs(a), abs(b))
        assert abs(Fraction(float(total)) - exact) <= allowed, (a, b)


def test_blocks_stay_within_their_bound_and_have_factors_of_their_own():
    workers = np.random.default_rng(7).normal(size=(5, 2, 6)).astype(np.float32)
    workers[:, 1] *= 2.0**-40
    summed = sum_blocks(workers, 6)
    assert summed.values.shape == summed.unit.shape == (2, 6)
    for index in np.ndindex(2, 6):
        # R-NUM-6 and R-NUM-8: 1/f is n 2^m / (2^31 - 1); 2^m is the power of two at or above the
        # block's largest.
        largest = np.abs(workers[:, index[0]]).max()
        power = 2.0 ** math.ceil(math.log2(float(largest)))
        assert summed.unit[index] == pytest.approx(5 * power / (2**31 - 1), rel=1e-15)
        exact = sum(Fraction(float(value)) for value in workers[(slice(None), *index)])
        rounding = float(np.spacing(np.abs(summed.values[index]))) / 2
        assert (
            abs(Fraction(float(summed.values[index])) - exact) <= 5 * summed.unit[index] + rounding
        )  # R-NUM-12
    # The last block may be shorter; a block of zeros has no unit.
    assert sum_blocks(np.float32([[1, 2, 0], [1, 2, 0]]), 2).unit.tolist() == [
        4 / (2**31 - 1),
        4 / (2**31 - 1),
        0,
    ]


def test_blocks_of_float16_travel_in_16_bits():
    workers = np.random.default_rng(8).normal(size=(5, 2, 6)).astype(np.float16)
    workers[:, 1] *= np.float16(2.0**-20)
    summed = sum_blocks(workers, 6)
    assert summed.values.dtype == np.float16
    for block in range(2):
        # R-NUM-20: 1/f is 2^(c + m - 30), with c = 3 for five workers.
        power = 2.0 ** math.ceil(math.log2(float(np.abs(workers[:, block]).max())))
        unit = power * 2.0**-27
        assert summed.unit[block].tolist() == [unit] * 6
        # NumPy rounds to the nearest, ties to even, as R-NUM-20 and R-NUM-21 do.
        integers = np.rint(workers[:, block].astype(np.float64) / unit).sum(0)
        lanes = (integers * 2.0**-15).astype(np.float32).astype(np.float16)
        expected = lanes.astype(np.float64) * 2.0**15 * unit
        np.testing.assert_array_equal(
            summed.values[block], expected.astype(np.float32).astype(np.float16)
        )
    # The integers are exact here, and the sum is beyond float16.
    assert sum_blocks(np.float16([[60000], [60000]])).values.tolist() == [np.inf]


@pytest.mark.parametrize("values", [[[np.inf], [1.0]], [[np.nan], [1.0]]])
def test_blocks_refuse_what_is_not_finite(values):
    with pytest.raises(netfold.ConfigurationError, match="Classes round"):
        sum_blocks(np.float32(values))


def test_tables_and_blocks_refuse_other_types():
    for function in (fold_by_tables, sum_blocks):
        with pytest.raises(netfold.ConfigurationError, match="float32"):
            function(np.zeros((2, 2)))
    with pytest.raises(netfold.ConfigurationError, match="at least 1"):
        sum_blocks(np.zeros((2, 2), np.float32), 0)
    # A block longer than the vector is the vector.
    assert sum_blocks(np.ones((2, 2), np.float32), 2**32 - 1).unit.shape == (2,)
    with pytest.raises(netfold.ConfigurationError, match="1 to 32767"):
        sum_blocks(np.zeros((0, 2), np.float32))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"bits": np.zeros((2, 2), np.float32)}, "uint32"),
        ({"bits": np.uint32(0)}, "no axis"),
        ({"arithmetic": "block"}, "fpisa-a"),
        ({"format": "fp64"}, "e4m3"),
        ({"register_bits": 20}, "too narrow"),
        ({"register_bits": 65}, "too wide"),
        ({"register_bits": -1}, "register_bits is -1"),
        ({"guard_bits": 2**40}, "guard_bits is"),
        ({"block_elements": 0}, "at least 1"),
        ({"block_elements": 2**64}, "block_elements is"),
    ],
)
def test_what_cannot_be_is_refused(arguments, message):
    with pytest.raises(netfold.ConfigurationError, match=message):
        fold(**({"bits": np.zeros((2, 2), np.uint32)} | arguments))


def test_guard_bits_and_rounding_change_how_a_sum_reads():
    # R-FPI-11: 1 + 2^-24 lies in the middle of two values, 1 + 3 * 2^-25 beyond it. Without guard
    # bits the operand is lost.
    step = 2.0**-23
    for operand, rounding, wanted in [
        (2.0**-24, "toward-zero", 0),
        (2.0**-24, "nearest-even", 0),
        (2.0**-24, "nearest-away", 1),
        (2.0**-24, "toward-positive", 1),
        (3 * 2.0**-25, "nearest-even", 1),
        (3 * 2.0**-25, "toward-negative", 0),
    ]:
        operands = _bits([[1.0], [operand]])
        read = fold(operands, guard_bits=4, rounding=rounding).bits.view(np.float32)[0]
        assert read == 1 + wanted * step, (operand, rounding)
        assert fold(operands).bits.view(np.float32)[0] == 1


def test_products_are_those_of_ieee():
    generator = np.random.default_rng(1)
    for dtype, unsigned, format in [
        (np.float32, np.uint32, "fp32"),
        (np.float16, np.uint16, "fp16"),
    ]:
        left, right = (generator.normal(size=1000).astype(dtype) * dtype(2.0**8) for _ in range(2))
        with np.errstate(over="ignore"):
            wanted = (left * right).view(unsigned)
        assert (multiply(left.view(unsigned), right.view(unsigned), format) == wanted).all()
    assert multiply(_bits([[3.0]]), _bits([[0.1]]), rounding="toward-zero").view(np.float32)[
        0, 0
    ] <= 3 * Fraction(float(np.float32(0.1)))


def test_logarithms_and_square_roots_are_within_their_bounds():
    # R-FPI-22, R-FPI-23
    values = np.exp2(np.random.default_rng(2).uniform(-100, 100, 2000)).astype(np.float32)
    exact = values.astype(np.float64)
    assert np.abs(log2(values.view(np.uint32)) - np.log2(exact)).max() <= 7.13e-4
    roots = square_root(values.view(np.uint32)).view(np.float32)
    assert (np.abs(roots / np.sqrt(exact) - 1) <= 2.0**-12 + 2.0**-22 + 2.0**-24).all()
    halves = np.arange(0x0001, 0x7C00, dtype=np.uint16)
    nearest = np.sqrt(halves.view(np.float16).astype(np.float64)).astype(np.float16).view(np.uint16)
    assert (square_root(halves, "fp16") == nearest).all()
    special = _bits([0.0, -1.0, math.inf, math.nan])
    assert np.isnan(log2(special)).all()
    assert np.isnan(square_root(special).view(np.float32)).tolist() == [False, True, False, True]
    assert log2(np.zeros((0, 3), np.uint32)).shape == (0, 3)


def test_unknown_names_and_shapes_are_refused():
    one = _bits([[1.0]])
    with pytest.raises(netfold.ConfigurationError, match="nearest-even"):
        fold(one, rounding="up")
    with pytest.raises(netfold.ConfigurationError, match="fp32"):
        log2(one, "fp8")
    with pytest.raises(netfold.ConfigurationError, match="differ"):
        multiply(one, _bits([1.0]))
