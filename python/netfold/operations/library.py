"""Functions of C's library that compiled code may need, written for numba: an operation has no
library (R-OP-9). Nothing imports this but what has found numba.

A function of float64 says how far it may be from the exact result, in units of the result's last
place (ulp), by the roundings of its steps. Series go on until what is left out is below 2^-57 of
the sum. Zeros, infinities and NaNs are those of C's standard (annex F). The functions of float32
(`expf`) round what those of float64 give.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

_LN2 = float.fromhex("0x1.62e42fefa39efp-1")
_LN2_HIGH = float.fromhex("0x1.62e42feep-1")
"""The first 32 bits of ln 2: products with integers of 21 bits are exact."""
_LN2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
"""The rest of ln 2."""
_LOG2_E = 1 / _LN2
_LOG10_E = float.fromhex("0x1.bcb7b1526e50ep-2")
_LOG10_2 = float.fromhex("0x1.34413509f79ffp-2")
_SQRT_2 = float.fromhex("0x1.6a09e667f3bcdp+0")

_MANTISSA = (1 << 52) - 1
"""Bits of a float64 below its exponent."""
_BIAS = 1023
"""Exponent bits of a float64 between 1 and 2."""

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _jit(function: _Function) -> _Function:
    jitted: Any = numba.njit(error_model="numpy", boundscheck=False)(function)
    compiled: _Function = jitted
    return compiled


@_jit
def _bits(x: Any) -> Any:
    return np.float64(x).view(np.int64)


@_jit
def _of_bits(bits: int) -> Any:
    return np.int64(bits).view(np.float64)


@_jit
def _normal(x: Any) -> tuple[float, int]:
    """Return y and n with |x| = y 2^n, y from 1 to below 2; x is neither 0, infinite nor NaN."""
    n = 0
    x = abs(x)
    if x < 2.0**-1022:
        x *= 2.0**60
        n = -60
    bits = _bits(x)
    return _of_bits((bits & _MANTISSA) | (_BIAS << 52)), n + (bits >> 52) - _BIAS


@_jit
def ldexp(x: Any, n: Any) -> Any:
    """x 2^n, rounded once."""
    if x == 0.0 or not np.isfinite(x):
        return x
    y, own = _normal(x)
    exponent: Any = max(min(own + np.int64(n), 1024), -1100)
    # The last product alone rounds: to a subnormal number, 0 or infinity.
    shift = 0
    if exponent > 1000:
        shift = 100
    elif exponent < -1000:
        shift = -200
    scaled = y * _of_bits((exponent - shift + _BIAS) << 52) * _of_bits((shift + _BIAS) << 52)
    return np.copysign(scaled, x)


@_jit
def _exp_of_small(r: float) -> Any:
    """exp(r) of |r| <= ln(2) / 2, to 1.2 ulp: half from the last sum, the rest from r's own rounding
    and from the products, which are below a quarter of the sum.
    """
    tail = 0.0
    for k in range(14, 1, -1):
        tail = (tail * r + 1.0) / k
    return 1.0 + (r + r * r * tail)


@_jit
def exp(x: Any) -> Any:
    """Within 2 ulp."""
    if x != x:
        return x
    if x > 710.0:
        return np.inf
    if x < -750.0:
        return 0.0
    n = np.rint(x * _LOG2_E)
    r = (x - n * _LN2_HIGH) - n * _LN2_LOW
    return ldexp(_exp_of_small(r), np.int64(n))


@_jit
def exp2(x: Any) -> Any:
    """Within 2 ulp."""
    if x != x:
        return x
    if x > 1024.0:
        return np.inf
    if x < -1080.0:
        return 0.0
    n = np.rint(x)
    return ldexp(_exp_of_small((x - n) * _LN2), np.int64(n))


@_jit
def _log_near_1(f: float) -> Any:
    """log(1 + f) of f from sqrt(1/2) - 1 to sqrt(2) - 1, within 1 ulp: f is exact, and what is taken
    from it is below a quarter of it.
    """
    s = f / (2.0 + f)
    square = s * s
    tail = 0.0
    for k in range(23, 1, -2):
        tail = (tail + 2.0 / k) * square
    half = 0.5 * f * f
    return f - (half - s * (half + tail))


@_jit
def _apart(x: Any) -> tuple[float, float]:
    """Return n and f with x = 2^n (1 + f), 1 + f from sqrt(1/2) to sqrt(2); x is positive."""
    y, n = _normal(x)
    if y > _SQRT_2:
        y *= 0.5
        n += 1
    return float(n), y - 1.0


@_jit
def _log_at_ends(x: Any) -> Any:
    """Return any logarithm of what is not positive and finite."""
    if x == 0.0:
        return -np.inf
    return x if x > 0.0 or x != x else np.nan


@_jit
def log(x: Any) -> Any:
    """Within 2 ulp."""
    if not 0.0 < x < np.inf:
        return _log_at_ends(x)
    n, f = _apart(x)
    return n * _LN2_HIGH + (_log_near_1(f) + n * _LN2_LOW)


@_jit
def log2(x: Any) -> Any:
    """Within 4 ulp; exact of powers of 2."""
    if not 0.0 < x < np.inf:
        return _log_at_ends(x)
    n, f = _apart(x)
    return n + _log_near_1(f) * _LOG2_E


@_jit
def log10(x: Any) -> Any:
    """Within 4 ulp."""
    if not 0.0 < x < np.inf:
        return _log_at_ends(x)
    n, f = _apart(x)
    return n * _LOG10_2 + _log_near_1(f) * _LOG10_E


@_jit
def log1p(x: Any) -> Any:
    """Within 3 ulp: what 1 + x lacks of its exact sum is added as it is."""
    if not -1.0 < x < np.inf:
        return _log_at_ends(1.0 + x)
    if abs(x) < 2.0**-54:
        return x
    u = 1.0 + x
    lost = 1.0 - (u - x) if x > 1.0 else x - (u - 1.0)
    return log(u) + lost / u


@_jit
def expm1(x: Any) -> Any:
    """Within 8 ulp (Kahan): the errors of u - 1 and of log(u) are those of one u."""
    if abs(x) > 1.0:
        return exp(x) - 1.0
    u = exp(x)
    if u == 1.0 or x != x:
        return x
    return (u - 1.0) * x / log(u)


@_jit
def hypot(x: Any, y: Any) -> Any:
    """Within 2 ulp."""
    x, y = abs(x), abs(y)
    if x == np.inf or y == np.inf:
        return np.inf
    if x != x or y != y:
        return np.nan
    scale = 1.0
    if max(x, y) > 2.0**500:
        scale = 2.0**600
    elif max(x, y) < 2.0**-400:
        scale = 2.0**-600
    x, y = x / scale, y / scale
    return np.sqrt(x * x + y * y) * scale


@_jit
def fmod(x: Any, y: Any) -> Any:
    """Exact: ten bits of the quotient in each step."""
    if x != x or y != y or y == 0.0 or abs(x) == np.inf:
        return np.nan
    if x == 0.0 or abs(x) < abs(y):
        return x
    (left, n), (right, least) = _normal(x), _normal(y)
    rest, divisor = np.int64(left * 2.0**52), np.int64(right * 2.0**52)
    rest %= divisor
    n -= least
    while n > 0 and rest != 0:
        step = min(n, 10)
        rest = (rest << step) % divisor
        n -= step
    return np.copysign(ldexp(float(rest), least - 52), x)


@_jit
def nextafter(x: Any, y: Any) -> Any:
    """Exact."""
    if x != x or y != y:
        return np.nan
    if x == y:
        return y
    if x == 0.0:
        return np.copysign(2.0**-1074, y)
    return _of_bits(_bits(x) + (1 if (y > x) == (x > 0.0) else -1))


@_jit
def nextafterf(x: Any, y: Any) -> Any:
    """Exact, of float32."""
    if x != x or y != y:
        return np.nan
    if x == y:
        return y
    if x == 0.0:
        return np.copysign(2.0**-149, y)
    step = np.int32(1 if (y > x) == (x > 0.0) else -1)
    return np.int32(np.float32(x).view(np.int32) + step).view(np.float32)


def _rounded(function: Callable[..., Any], parameters: str) -> Callable[..., Any]:
    """Return the function of float32 of one of float64."""
    if parameters == "d":
        return _jit(lambda x: np.float32(function(np.float64(x))))
    if parameters == "di":
        return _jit(lambda x, n: np.float32(function(np.float64(x), n)))
    return _jit(lambda x, y: np.float32(function(np.float64(x), np.float64(y))))


FUNCTIONS: dict[str, tuple[str, Callable[..., Any]]] = {"numba_nextafterf": ("fff", nextafterf)}
"""Functions by their names in objects, and the types of result and parameters: `d` float64, `f`
float32, `i` int32.
"""
for _parameters, _names, _one in (
    ("d", ["exp"], exp),
    ("d", ["exp2"], exp2),
    ("d", ["expm1"], expm1),
    ("d", ["log"], log),
    ("d", ["log1p"], log1p),
    ("d", ["log2"], log2),
    ("d", ["log10"], log10),
    ("dd", ["fmod"], fmod),
    ("dd", ["hypot"], hypot),
    ("dd", ["numba_nextafter"], nextafter),
    ("di", ["ldexp", "numba_ldexp"], ldexp),
):
    for _name in _names:
        FUNCTIONS[_name] = (f"d{_parameters}", _one)
        _narrow = f"d{_parameters}".replace("d", "f")
        FUNCTIONS.setdefault(f"{_name}f", (_narrow, _rounded(_one, _parameters)))
