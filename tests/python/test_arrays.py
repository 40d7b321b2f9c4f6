"""Arrays as the native module takes them."""

from __future__ import annotations

import numpy as np
import pytest

from netfold.arrays import pointer


def read_only() -> np.ndarray:
    array = np.ones(4)
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(0),
        np.zeros((0, 3)),
        np.array(3.0),
        read_only(),
        np.zeros(6)[2:],
        np.zeros(2, np.float16),
        np.zeros(2, np.longdouble),
        np.array(["2020-01-01"], "M8[D]"),
        np.array([1], "m8[s]"),
        np.zeros(2, [("a", "i4"), ("b", "f8")]),
        np.zeros(2, "U5"),
        np.zeros(2, "V3"),
    ],
    ids=lambda array: f"{array.dtype}-{array.shape}",
)
def test_addresses_are_those_of_numpy(array: np.ndarray) -> None:
    """Also of types that have no format in the buffer protocol."""
    assert pointer(array) == array.ctypes.data


def test_what_is_not_contiguous_has_no_address() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        pointer(np.zeros(6)[::2])


def test_what_has_no_memory_has_no_address() -> None:
    with pytest.raises(TypeError):
        pointer([1.0, 2.0])  # type: ignore[arg-type]
