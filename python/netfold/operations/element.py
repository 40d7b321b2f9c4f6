"""Element types: as declarations spell them, and as NumPy has them (R-OP-2)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import OperationError

ElementLike: TypeAlias = str | Mapping[str, str] | npt.DTypeLike
"""An element type as users write it: `"f32,u32"`, `{"value": "f32", "index": "u32"}`, or a type of
NumPy's such as `np.float32`. Texts are never NumPy's: `i8` has 8 bits.
"""

_TYPES = {
    "i8": "<i1",
    "u8": "<u1",
    "i16": "<i2",
    "u16": "<u2",
    "i32": "<i4",
    "u32": "<u4",
    "i64": "<i8",
    "u64": "<u8",
    "f32": "<f4",
    "f64": "<f8",
    "c64": "<c8",
    "c128": "<c16",
}
_SPELLINGS = {np.dtype(name): spelling for spelling, name in _TYPES.items()}


@dataclass(frozen=True)
class Element:
    """An element type."""

    spelling: str
    """As a declaration has it: `f32,u32`."""
    dtype: np.dtype[Any]
    """As NumPy has it. Elements of one scalar are that scalar, others are structures."""


def element_of(given: ElementLike) -> Element:
    """Return the element type that is meant."""
    if isinstance(given, str):
        return _of_fields({f"f{index}": text for index, text in enumerate(given.split(","))})
    if isinstance(given, Mapping):
        return _of_fields({str(name): str(text) for name, text in given.items()})
    try:
        dtype = np.dtype(given)
    except TypeError as error:
        raise OperationError(f"{given!r} is no element type: {error}") from error
    return Element(_spelling(dtype), dtype)


def _of_fields(fields: dict[str, str]) -> Element:
    parts = {name: _field(text) for name, text in fields.items()}
    spelling = ",".join(fields.values())
    if len(parts) == 1:
        ((scalar, shape),) = parts.values()
        if shape is None:
            return Element(spelling, scalar)
    described = [
        (name, scalar) if shape is None else (name, scalar, shape)
        for name, (scalar, shape) in parts.items()
    ]
    try:
        dtype = np.dtype(described, align=True)
    except (TypeError, ValueError) as error:
        raise OperationError(f"{fields!r} is no element type: {error}") from error
    return Element(spelling, dtype)


def _field(text: str) -> tuple[np.dtype[Any], tuple[int] | None]:
    matched = re.fullmatch(r"([a-z]+\d+)(?:x(\d+))?", text)
    if matched is None or matched[1] not in _TYPES:
        raise OperationError(f"`{text}` is no type; use i8 to u64, f32, f64, c64 or c128")
    scalar = np.dtype(_TYPES[matched[1]])
    return scalar, None if matched[2] is None else (int(matched[2]),)


def _spelling(dtype: np.dtype[Any]) -> str:
    """Spell a NumPy type, which must lie in memory as a struct in C does."""
    if dtype.names is None:
        return _field_spelling(dtype)
    fields = {name: dtype[name] for name in dtype.names}
    aligned = np.dtype(list(fields.items()), align=True)
    if dtype.itemsize != aligned.itemsize or dtype.fields != aligned.fields:
        raise OperationError(
            f"{dtype} does not lie in memory as a struct in C; make it with align=True"
        )
    return ",".join(_field_spelling(field) for field in fields.values())


def _field_spelling(dtype: np.dtype[Any]) -> str:
    if dtype.base == np.bool_:
        raise OperationError("bool is no type of a field; use u8, and `array.view(np.uint8)`")
    spelling = _SPELLINGS.get(dtype.base)
    if spelling is None or len(dtype.shape) > 1:
        raise OperationError(f"{dtype} is no type of a field; use i8 to u64, f32, f64, c64 or c128")
    return spelling + "".join(f"x{count}" for count in dtype.shape)
