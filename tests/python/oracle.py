"""Expected results of folds, computed without netfold: exact sums in `float64` and the error that
each arithmetic may add.

`u` is the unit roundoff of a type, 2^-p for p significant bits. `tiny` is half of its smallest
subnormal.
"""

from __future__ import annotations

import math

import numpy as np

ROUNDING = {
    "float64": (2.0**-53, 2.0**-1075),
    "float32": (2.0**-24, 2.0**-150),
    "float16": (2.0**-11, 2.0**-25),
    "bfloat16": (2.0**-8, 2.0**-134),
}


def exact(parts: list[np.ndarray], op: str) -> np.ndarray:
    """The fold of all workers' arrays, one per worker, in `float64` (floats) or modulo the type's
    width (integers).
    """
    stack = np.stack(parts)
    if stack.dtype.kind in "iu":
        ufunc = {"sum": np.add, "min": np.minimum, "max": np.maximum, "product": np.multiply}[op]
        return ufunc.reduce(stack, axis=0, dtype=stack.dtype)
    wide = stack.astype(np.float64)
    if op == "avg":
        return wide.sum(axis=0) / len(parts)
    return {"sum": np.sum, "min": np.min, "max": np.max, "product": np.prod}[op](wide, axis=0)


def bound(parts: list[np.ndarray], op: str, arithmetic: str) -> np.ndarray | float:
    """The largest error that the fold may have, element by element.

    block: the workers' roundings add up to at most n/f (SwitchML, appendix E), f = (2^31 - 1)/(n
    2^m). Here 2^m covers the whole array, which is at least what covers the element's block. The
    result is rounded to f32 and, for shorter types, once more. Those travel as f16 (R-NUM-23): f is
    2^(30 - m) over the power of two at or above n, the roundings add up to n/(2f), and the switch
    rounds the sum.

    native: n - 1 additions (or multiplications) and a division, each with a relative error of u of
    a magnitude that is at most the sum of magnitudes (or the product); (1 + u)^n - 1 bounds them
    together.
    """
    name = parts[0].dtype.name
    if name not in ROUNDING or op in ("min", "max"):
        return 0.0
    n = len(parts)
    u, tiny = ROUNDING[name]
    wide = np.stack(parts).astype(np.float64)
    divisor = n if op == "avg" else 1
    if op == "product":
        # What a subnormal product loses is multiplied by the factors that are still to come.
        later = np.prod(np.maximum(np.abs(wide), 1.0), axis=0)
        return (
            np.abs(np.prod(wide, axis=0)) * math.expm1(n * math.log1p(u))
            + n * tiny * later * (1 + u) ** n
        )
    if arithmetic == "native":
        return np.abs(wide).sum(axis=0) / divisor * math.expm1((n + 1) * math.log1p(u)) + n * tiny
    largest = np.abs(wide).max(initial=0.0)
    power = 0.0 if largest == 0 else 2.0 ** math.ceil(math.log2(largest))
    magnitude = np.abs(wide.sum(axis=0)) / divisor
    if name == "float32":
        quantisation = n * n * power / (2**31 - 1) / divisor
    else:
        integers = n * 2.0 ** math.ceil(math.log2(n)) * power / 2**31 / divisor
        quantisation = integers + (2.0**-11 + 2.0**-23) * (magnitude + integers)
    magnitude += quantisation
    u32, tiny32 = ROUNDING["float32"]
    return quantisation + magnitude * ((1 + u32) * (1 + u) - 1) + tiny + tiny32


def assert_fold(result: np.ndarray, parts: list[np.ndarray], op: str, arithmetic: str) -> None:
    """Fail unless `result` is the fold of `parts` within the arithmetic's bound."""
    expected = exact(parts, op)
    assert result.dtype == parts[0].dtype
    assert result.shape == expected.shape
    if result.dtype.kind in "iu":
        np.testing.assert_array_equal(result, expected)
        return
    error = np.abs(result.astype(np.float64) - expected)
    limit = bound(parts, op, arithmetic)
    assert np.all(error <= limit), (
        f"error {error.max()} exceeds {np.max(limit)} ({op}, {result.dtype}, {arithmetic})"
    )


def sample(seed: int, shape: tuple[int, ...], dtype: np.dtype | type) -> np.ndarray:
    """Values of one worker.

    Integers use their whole range, so that sums wrap; floats span six decades and stay finite under
    all folds.
    """
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return random.integers(info.min, info.max, shape, dtype, endpoint=True)
    values = random.choice([-1.0, 1.0], shape) * 10.0 ** random.uniform(
        -3 if dtype.itemsize == 2 else -5, 1, shape
    )
    return np.asarray(values).astype(dtype)
