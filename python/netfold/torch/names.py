"""torch's element types and operations, and their names on the wire."""

from __future__ import annotations

import torch
from torch.distributed import ReduceOp

ELEMENT_TYPES: dict[torch.dtype, str] = {
    torch.float32: "f32",
    torch.float16: "f16",
    torch.bfloat16: "bf16",
    torch.float64: "f64",
    torch.int32: "i32",
    torch.int64: "i64",
    torch.uint8: "u8",
}
"""Element types that a switch can fold. Any other travels as bytes, where nothing is folded."""

OPERATIONS: dict[ReduceOp.RedOpType, str] = {
    ReduceOp.SUM: "sum",
    ReduceOp.AVG: "avg",
    ReduceOp.MIN: "min",
    ReduceOp.MAX: "max",
    ReduceOp.PRODUCT: "product",
}


def operation_of(reduce_op: ReduceOp | ReduceOp.RedOpType) -> ReduceOp.RedOpType:
    """The plain operation inside what torch passes, which may be an object around it."""
    return reduce_op if isinstance(reduce_op, ReduceOp.RedOpType) else reduce_op.op
