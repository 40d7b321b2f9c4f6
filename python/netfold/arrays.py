"""Arguments and results of calls as arrays of NumPy."""

from __future__ import annotations

import functools

import numpy as np

from ._native import address as pointer
from .errors import UnsupportedError

ELEMENT_TYPES = {
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",  # the dtype of the ml_dtypes package; NumPy itself has none
    "float64": "f64",
    "int32": "i32",
    "int64": "i64",
    "uint8": "u8",
}
"""NumPy dtype names that a switch can fold, and their names on the wire."""

OPERATIONS = ("sum", "avg", "min", "max", "product")
"""Values of `op`. The job's arithmetic determines which of them a dtype allows; the others are
refused by name.
"""


class Target:
    """Contiguous memory for a result, which is the caller's `out` when that is contiguous."""

    def __init__(self, out: np.ndarray | None, shape: tuple[int, ...], dtype: np.dtype) -> None:
        if out is not None and (out.shape != shape or out.dtype != dtype):
            raise ValueError(
                f"out must have shape {shape} and dtype {dtype}; it has shape {out.shape} and dtype {out.dtype}"
            )
        if out is not None and not out.flags.writeable:
            raise ValueError("out is read-only; pass an array that can be written, or omit out")
        self._out = out
        self.memory = out if out is not None and out.flags.c_contiguous else np.empty(shape, dtype)

    def apart_from(self, source: np.ndarray, *, in_place: bool = True) -> np.ndarray:
        """Return `source`, or a copy where folding into this memory would overwrite elements that
        have not been read yet.
        """
        if in_place and (source is self.memory or pointer(source) == pointer(self.memory)):
            return source
        return source.copy() if np.may_share_memory(source, self.memory) else source

    def result(self) -> np.ndarray:
        """The caller's array with the result in it."""
        if self._out is not None and self._out is not self.memory:
            np.copyto(self._out, self.memory)
            return self._out
        return self.memory


def operation(op: str) -> str:
    """Return `op` if it is the name of an operation."""
    if op not in OPERATIONS:
        raise ValueError(f"unknown operation {op!r}; choose one of {', '.join(OPERATIONS)}")
    return op


def movable(array: np.ndarray) -> np.ndarray:
    """Return `array` in C order and native byte order; errors say what is wrong with it."""
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"expected a numpy.ndarray, got {type(array).__name__}; wrap it in numpy.asarray"
        )
    if array.dtype.hasobject:
        raise UnsupportedError(
            f"dtype {array.dtype} holds Python objects, which have no meaning in another process; "
            "pass an array of numbers"
        )
    if not array.dtype.isnative:
        raise UnsupportedError(
            f"dtype {array.dtype.str} is not in this machine's byte order; "
            "convert it with array.astype(array.dtype.newbyteorder('='))"
        )
    return array if array.flags.c_contiguous else np.array(array, order="C")


def foldable(array: np.ndarray) -> tuple[np.ndarray, str]:
    """Return `array` as :func:`movable` does, and the name of its element type on the wire."""
    source = movable(array)
    element_type = _element_type(source.dtype)
    if element_type is None:
        raise UnsupportedError(
            f"a switch cannot fold dtype {source.dtype}; convert it to one of {', '.join(ELEMENT_TYPES)}"
        )
    return source, element_type


@functools.lru_cache(maxsize=64)
def _element_type(dtype: np.dtype) -> str | None:
    # NumPy puts the name of a dtype together anew each time.
    return ELEMENT_TYPES.get(dtype.name)


__all__ = ["ELEMENT_TYPES", "OPERATIONS", "Target", "foldable", "movable", "operation", "pointer"]
