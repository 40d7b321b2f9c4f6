"""NumPy's functions of numbers as functions of an operation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numba
import numpy as np

from ..errors import OperationError

_Make = Callable[[np.dtype[Any]], Callable[..., Any]]

_UNLIKE_NUMPY: dict[Any, str] = {
    np.reciprocal: "iuc",
    np.sign: "c",
    np.sqrt: "c",
}
"""Functions of which numba has other results than NumPy, by the kinds of numbers."""


def of_ufunc(
    ufunc: np.ufunc,
    dtypes: Sequence[np.dtype[Any]],
    result: np.dtype[Any],
    given: Sequence[str],
    whole_message: bool,
) -> Callable[..., Any]:
    """Write the function that calls a ufunc of the operands `given`, of these types. Of whole
    messages it writes results of type `result` into `left`.
    """
    name = ufunc.__name__
    if (ufunc.nin, ufunc.nout) != (len(given), 1):
        raise OperationError(
            f"numpy.{name} has {ufunc.nin} operands and {ufunc.nout} results; "
            f"here it would need {len(given)}, and one result"
        )
    if ufunc.signature is not None:
        raise OperationError(
            f"numpy.{name} makes sums over arrays, and an operation is of single numbers: write a "
            "loop over the elements of a message"
        )
    called = ufunc if result.names else _of_numbers(ufunc, dtypes, result)
    arguments = [f"{one}[at]" if whole_message else one for one in given]
    call = f"ufunc({', '.join(arguments)})"
    lines = [f"return {call}"]
    parameters = list(given)
    if whole_message:
        parameters = ["left"] if given == ["left"] else ["left", "right"]
        lines = ["for at in range(len(left)):", f"    left[at] = {call}"]
    text = f"def function({', '.join(parameters)}):\n" + "\n".join(f"    {one}" for one in lines)
    scope: dict[str, Any] = {"ufunc": called}
    exec(text, scope)
    function: Callable[..., Any] = scope["function"]
    function.__name__ = name
    return function


def _of_numbers(ufunc: np.ufunc, dtypes: Sequence[np.dtype[Any]], result: np.dtype[Any]) -> Any:
    """Return what computes a ufunc of single numbers as NumPy does."""
    name, dtype = ufunc.__name__, dtypes[0]
    try:
        with np.errstate(all="ignore"):
            made = np.asarray(ufunc(*(np.ones(1, one) for one in dtypes))).dtype
    except TypeError as error:
        raise OperationError(f"numpy.{name} takes no {dtype}: {error}") from error
    if not np.can_cast(made, result, "same_kind"):
        raise OperationError(
            f"numpy.{name} makes {made} of {dtype}, which is no {result}: write a function that "
            f"converts it, such as `lambda a: np.{result}(np.rint(a))`"
        )
    if dtype.kind in _UNLIKE_NUMPY.get(ufunc, ""):
        raise OperationError(
            f"numba has other results than numpy.{name} of {dtype}: write it out as a function of "
            "its operands"
        )
    kinds, make = _WRITTEN.get(ufunc, ("", None))
    if make is None or dtype.kind not in kinds:
        return ufunc
    return numba.njit(error_model="numpy", boundscheck=False)(make(dtype))


def _fmod(_: np.dtype[Any]) -> Callable[..., Any]:
    def fmod(a: Any, b: Any) -> Any:
        rest = a * 0
        if b != 0 and b + 1 != 0:
            rest = a % b
            if rest != 0 and (a < 0) != (b < 0):
                rest -= b
        return rest

    return fmod


def _left_shift(dtype: np.dtype[Any]) -> Callable[..., Any]:
    zero, bits = dtype.type(0), dtype.type(8 * dtype.itemsize)

    def left_shift(a: Any, b: Any) -> Any:
        return a << b if zero <= b < bits else zero

    return left_shift


def _right_shift(dtype: np.dtype[Any]) -> Callable[..., Any]:
    zero, bits = dtype.type(0), dtype.type(8 * dtype.itemsize)

    def right_shift(a: Any, b: Any) -> Any:
        if zero <= b < bits:
            return a >> b
        return ~zero if a < zero else zero

    return right_shift


def _sign(dtype: np.dtype[Any]) -> Callable[..., Any]:
    zero, one = dtype.type(0), dtype.type(1)

    def sign(a: Any) -> Any:
        if a > zero:
            return one
        if a < zero:
            return zero - one
        return zero if a == zero else a

    return sign


def _floor_divide(dtype: np.dtype[Any]) -> Callable[..., Any]:
    half, one = dtype.type(0.5), dtype.type(1)

    def floor_divide(a: Any, b: Any) -> Any:
        if b == 0:
            return a / b
        rest = np.fmod(a, b)
        quotient = (a - rest) / b
        if rest != 0 and (b < 0) != (rest < 0):
            quotient -= one
        if quotient == 0:
            return np.copysign(quotient, a / b)
        whole = np.floor(quotient)
        return whole + one if quotient - whole > half else whole

    return floor_divide


def _remainder(_: np.dtype[Any]) -> Callable[..., Any]:
    def remainder(a: Any, b: Any) -> Any:
        rest = np.fmod(a, b)
        if rest == 0:
            return np.copysign(rest, b)
        return rest + b if (b < 0) != (rest < 0) and b == b and b != 0 else rest

    return remainder


def _heaviside(dtype: np.dtype[Any]) -> Callable[..., Any]:
    zero, one = dtype.type(0), dtype.type(1)

    def heaviside(a: Any, at_zero: Any) -> Any:
        if a > zero:
            return one
        if a < zero:
            return zero
        return at_zero if a == zero else a

    return heaviside


def _bitwise_count(dtype: np.dtype[Any]) -> Callable[..., Any]:
    zero, one, is_signed = np.uint64(0), np.uint64(1), dtype.kind == "i"

    def bitwise_count(a: Any) -> Any:
        rest, count = np.uint64(abs(np.int64(a)) if is_signed else a), 0
        while rest != zero:
            rest &= rest - one
            count += 1
        return count

    return bitwise_count


def _spacing(dtype: np.dtype[Any]) -> Callable[..., Any]:
    least = np.finfo(dtype).smallest_subnormal

    def spacing(a: Any) -> Any:
        return least if a == 0 else np.spacing(a)

    return spacing


_WRITTEN: dict[np.ufunc, tuple[str, _Make]] = {
    np.fmod: ("i", _fmod),
    np.left_shift: ("iu", _left_shift),
    np.right_shift: ("iu", _right_shift),
    np.sign: ("iuf", _sign),
    np.floor_divide: ("f", _floor_divide),
    np.remainder: ("f", _remainder),
    np.heaviside: ("f", _heaviside),
    np.spacing: ("f", _spacing),
}
"""Functions that numba lacks or has otherwise than NumPy, written out, for kinds of numbers."""
if hasattr(np, "bitwise_count"):
    _WRITTEN[np.bitwise_count] = ("iu", _bitwise_count)
