"""Types of rows: as modules give them, and as servers keep them (R-SERVE-24)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True)
class Kept:
    """A type in which servers keep rows.

    Attributes:
        name: of the native client.
        torch: as a type of torch.
        numpy: as a type of NumPy.
    """

    name: str
    torch: torch.dtype
    numpy: type[np.generic]


_F32 = Kept("f32", torch.float32, np.float32)
_F64 = Kept("f64", torch.float64, np.float64)
_I32 = Kept("i32", torch.int32, np.int32)
_I64 = Kept("i64", torch.int64, np.int64)

KEPT = {
    torch.float32: _F32,
    torch.float16: _F32,
    torch.bfloat16: _F32,
    torch.float64: _F64,
    torch.int8: _I32,
    torch.uint8: _I32,
    torch.int16: _I32,
    torch.int32: _I32,
    torch.int64: _I64,
}
"""The types that rows may have, and those in which servers keep them."""


__all__ = ["KEPT", "Kept"]
