"""Rules for the parameters that the native module does not check itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

import numpy as np

from ..errors import ConfigurationError

FULL_BITS = 32
"""Features that are not quantised."""
MOST = (1 << 63) - 1
"""Largest count: the native module counts with 64 bits."""
MOST_THREADS = 256
MOST_FRACTION_BITS = 30

PENALTIES = ("l2", "l1", "elasticnet", None)
SCALINGS = ("auto", "unit", "symmetric")

Rule = tuple[Callable[[Any], bool], str]
"""Test of a value, and a description of the values that pass it."""


def check(estimator: Any) -> None:
    """Refuse parameters that are out of their range."""
    for name, (can_be, needed) in RULES.items():
        value = getattr(estimator, name)
        if not can_be(value):
            raise ConfigurationError(f"{name}={value!r} is not allowed; give {needed}")
    share = estimator.validation_fraction
    if estimator.early_stopping and not 0 < share < 1:
        raise ConfigurationError(
            f"validation_fraction={share!r} is out of range; give a share above 0 and below 1"
        )


def _is_whole(value: Any, least: int, most: int) -> bool:
    return (
        isinstance(value, Integral) and not isinstance(value, bool) and least <= int(value) <= most
    )


def _is_number(value: Any) -> bool:
    """Return whether it is infinite or a number that a float can approximate."""
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return not math.isnan(value)
    except OverflowError:
        return False


def _is_finite(value: Any) -> bool:
    return _is_number(value) and math.isfinite(value)


def _count(most: int) -> Rule:
    return lambda value: _is_whole(value, 1, most), f"a whole number from 1 to {most}"


RULES: dict[str, Rule] = {
    "max_iter": _count(MOST),
    "n_iter_no_change": _count(MOST),
    "batch_size": _count(MOST),
    "micro_batch": _count(MOST),
    "workers": _count(MOST_THREADS),
    "engines": _count(MOST_THREADS),
    "bits": _count(FULL_BITS),
    "fraction_bits": _count(MOST_FRACTION_BITS),
    "alpha": (lambda value: _is_finite(value) and value >= 0, "a number that is 0 or more"),
    "l1_ratio": (lambda value: _is_finite(value) and 0 <= value <= 1, "a share from 0 to 1"),
    "eta0": (_is_finite, "a number"),
    "power_t": (_is_finite, "a number"),
    "validation_fraction": (_is_finite, "a number"),
    "tol": (lambda value: value is None or _is_number(value), "a number, or None"),
    "average": (
        lambda value: isinstance(value, bool | np.bool_) or _is_whole(value, 0, MOST),
        f"True or False, or the step to begin with, from 1 to {MOST}",
    ),
    "penalty": (lambda value: value in PENALTIES, f"one of {PENALTIES}"),
    "scaling": (lambda value: value in SCALINGS, f"one of {SCALINGS}"),
    "callback": (lambda value: value is None or callable(value), "a function of an Epoch, or None"),
}
