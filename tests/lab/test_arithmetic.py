"""The laboratory's sums, exact sums and bounds, against rational numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from netfold.lab import bounds, errors, precision, ratios
from netfold.lab.arithmetic import FOR_TYPE, exact, register_value, total
from netfold.num import Movement, fold

SEED = 11


def wide(workers: int, elements: int) -> np.ndarray:
    """FP32 of either sign, between 2^-60 and 2^60 within an element; a tenth are zero."""
    generator = np.random.default_rng(SEED)
    shape = (workers, elements)
    values = np.ldexp(generator.uniform(-1, 1, shape), generator.integers(-60, 61, shape))
    return np.where(generator.random(shape) < 0.1, 0, values).astype(np.float32)


def gradients(workers: int, elements: int) -> np.ndarray:
    """FP32 with the spread that gradients have: most of an element's within 2^7, some far off."""
    generator = np.random.default_rng(SEED)
    shape = (workers, elements)
    return np.ldexp(generator.normal(size=shape), generator.geometric(0.3, shape) * -2 - 8).astype(
        np.float32
    )


def rational_sums(operands: np.ndarray) -> list[Fraction]:
    return [
        sum(map(Fraction, column), Fraction(0)) for column in operands.astype(np.float64).T.tolist()
    ]


@pytest.mark.parametrize("workers", [2, 8, 64])
def test_the_exact_sum_is_exact(workers):
    operands = wide(workers, 200)
    found = exact(operands)
    for column, high, low, truth in zip(
        operands.T, found.high, found.low, rational_sums(operands), strict=True
    ):
        largest = Fraction(float(np.abs(column).max()))
        assert abs(Fraction(high) + Fraction(low) - truth) <= largest * Fraction(1, 2**88)


def test_the_error_of_a_value_is_its_distance_from_the_exact_sum():
    operands = gradients(8, 200)
    values = operands.sum(0)
    found = exact(operands).error_of(values)
    for error, value, truth in zip(found, values, rational_sums(operands), strict=True):
        # A double rounds the difference itself once, and its two parts once.
        assert float(error) == pytest.approx(
            float(Fraction(float(value)) - truth), rel=1e-15, abs=1e-30
        )


@pytest.mark.parametrize("arithmetic", bounds.ARITHMETICS)
@pytest.mark.parametrize("make", [wide, gradients])
@pytest.mark.parametrize("workers", [2, 8, 64])
def test_no_sum_is_beyond_its_bound(arithmetic, make, workers):
    operands = make(workers, 200)
    summed = total(operands, arithmetic)
    allowed = bounds.bound(operands, arithmetic)
    checked = 0
    for value, overflow, within, truth in zip(
        summed.values, summed.overflow, allowed, rational_sums(operands), strict=True
    ):
        if overflow:
            assert math.isnan(value)  # R-FPI-10
            continue
        checked += 1
        assert abs(Fraction(float(value)) - truth) <= Fraction(within)
    # Only fpisa-a overflows with up to 128 operands (R-FPI-16).
    assert checked == 200 or arithmetic == "fpisa-a"


def test_a_bound_that_is_too_tight_is_seen():
    # native rounds two operands once: half a unit in the last place is reached, so half of that is
    # not enough.
    operands = np.float32([[1.0], [2.0**-24]])
    found = bounds.compare(operands, "native")
    assert found["largest_of_bound"] == 1.0
    assert found["beyond_bound"] == 0
    assert found["largest_relative"] == pytest.approx(2.0**-24 / (1 + 2.0**-24), rel=1e-12)


def test_sums_of_fp16_are_those_of_the_type():
    operands = gradients(8, 300).astype(np.float16)
    truths = rational_sums(operands)
    for arithmetic in FOR_TYPE["fp16"]:
        values = total(operands, arithmetic).values
        assert values.dtype == np.float16
        for column, value, truth in zip(operands.T, values, truths, strict=True):
            # Seven additions and a read lose at most a unit in the last place each, of the largest
            # partial sum at most.
            largest = np.float16(np.abs(column.astype(np.float64)).sum())
            assert abs(Fraction(float(value)) - truth) <= 8 * Fraction(float(np.spacing(largest)))


def test_parts_of_an_error_are_what_the_causes_lose():
    # 1 + 3 * 2^-24 loses its last bit by a right shift, 256 overwrites 1, and 2 moves left and
    # loses nothing.
    operands = np.float32([[1, 1, 1], [3 * 2.0**-24, 256, 2]])
    found = errors.parts(operands)
    assert [errors.CAUSES[cause] for cause in found.cause] == [
        "rounding",
        "overwrite",
        "left shift",
    ]
    assert found.rounding.tolist() == [-(2.0**-24), 0, 0]
    assert found.overwritten.tolist() == [0, -1, 0]
    assert found.error.tolist() == [-(2.0**-24), -1, 0]


@pytest.mark.parametrize("make", [wide, gradients])
def test_parts_add_up_and_rounding_stays_within_its_bound(make):
    operands = make(8, 400)
    found = errors.parts(operands)
    folded = fold(operands.view(np.uint32), "fpisa-a")
    held = register_value(folded)
    for element, truth in enumerate(rational_sums(operands)):
        if found.overflow[element]:
            continue
        # The values that were dropped, followed through the fold by their movements alone.
        dropped, kept = Fraction(0), Fraction(0)
        for value, movement in zip(operands[:, element], found.movement[:, element], strict=True):
            if movement == Movement.OVERWRITTEN:
                dropped, kept = dropped + kept, Fraction(0)
            kept += Fraction(float(value))
        ulp = Fraction(float(np.spacing(np.abs(operands[:, element]).max())))
        # R-FPI-15: right shifts lose less than (n - 1) u(X), of what is dropped, too.
        assert abs(Fraction(float(found.overwritten[element])) + dropped) <= 7 * ulp
        assert (
            0
            <= truth - Fraction(float(held[element])) - Fraction(-float(found.overwritten[element]))
            <= 7 * ulp
        )
        together = found.overwritten[element] + found.rounding[element]
        assert together == pytest.approx(found.error[element], rel=1e-12)


def test_ratios_count_elements_that_are_zero_nowhere():
    operands = np.float32([[1, -1, 0, 0], [-127, 128, 0, 1]])
    found = ratios.distribution(operands)
    assert found["counted"] == 2
    assert found["share_below_headroom"] == 0.5
    assert found["zero_everywhere"] == found["zero_somewhere"] == 0.25
    assert found["share_by_power"][6] == found["share_by_power"][7] == 0.5


def test_precision_is_one_minus_the_relative_error():
    # Powers of two add exactly in a block of their own exponent, but for the factor's rounding to
    # 31 bits: 2^-30 of 1.
    pairs = np.float32([[0.5, 0.25], [0.5, 0.5]])
    assert precision.precision(pairs, "block")["mean"] >= 1 - 2.0**-28
    # 1 - 2^-24 and -1 cancel to -2^-24; tables lose that (R-LOG-6), so the precision is 0.
    assert precision.precision(np.float32([[1 - 2.0**-24], [-1]]), "logtable")["median"] == 0.0
