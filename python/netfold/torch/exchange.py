"""All-to-alls whose parts differ in length, of which each rank knows its own (R-STREAM-14)."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor

from ..call import Call
from .staging import Loan
from .unequal import DifferentLengthsError, Steps, UnequalCall


class AllToAll(UnequalCall):
    """An all-to-all of tensors, one for each rank and one of each.

    Args:
        outputs: tensor r takes what rank r sends.
        inputs: tensor r goes to rank r.
        timeout_s: seconds that the call may take.
    """

    def __init__(self, outputs: list[Tensor], inputs: Sequence[Tensor], timeout_s: float) -> None:
        super().__init__("all_to_all", outputs, timeout_s)
        self._inputs = inputs

    def carry_out(self, steps: Steps) -> None:
        """Tell the lengths, and exchange the tensors."""
        sent = [tensor.nbytes for tensor in self._inputs]
        taken = [tensor.nbytes for tensor in self.tensors]
        told = steps.tell([*sent, *taken])
        lengths, wanted = told[:, : steps.size], told[:, steps.size :]
        for source, target in (lengths != wanted.T).nonzero().tolist():
            raise DifferentLengthsError(
                f"rank {source} sends {lengths[source, target]} bytes to rank {target}, which takes "
                f"{wanted[target, source]} from it; the splits of the two ranks must go together"
            )
        if lengths.any():
            target_memory = Loan(self.tensors, read=False, written=True)
            source_memory = Loan(self._inputs, read=True, written=False, apart_from=target_memory)
            pointers = source_memory.pointer, target_memory.pointer
            parts = tuple(int(length) for length in lengths.flatten())
            call = Call("all_to_all", "copy", "u8", 0, 0, *pointers, parts)
            steps.run([call], [source_memory, target_memory])


__all__ = ["AllToAll"]
