"""Memory that the native side may use: contiguous, in main memory, and alive until a call is
complete.

A contiguous CPU tensor is lent as it is. Anything else is copied into such memory before the call
and out of it afterwards: strided tensors (c10d does not check strides) and CUDA tensors, which go
through pinned memory.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor


class Loan:
    """Host memory that stands for one tensor, or for several one after the other, during a call.

    Args:
        tensors: tensors of one dtype and device, in the order in which their elements lie in the
            memory.
        read: the call reads the tensors; a copy starts with their elements.
        written: the call writes the tensors; :meth:`finish` copies back what is not theirs already.
        apart_from: memory that the call uses in the other direction; if it overlaps, this loan is a
            copy.
    """

    def __init__(
        self,
        tensors: Sequence[Tensor],
        *,
        read: bool,
        written: bool,
        apart_from: Loan | None = None,
    ) -> None:
        first = tensors[0]
        self.dtype = first.dtype
        self._written = written
        if (
            len(tensors) == 1
            and _is_plain(first)
            and not (apart_from and apart_from._overlaps(first))
        ):
            self._tensors = tensors
            self.elements = first.numel()
            self._host = first
            self.pointer = first.data_ptr()
            return
        self._tensors = [tensor.detach() for tensor in tensors]
        self.elements = sum(tensor.numel() for tensor in tensors)
        cuda = first.is_cuda
        self._host = torch.empty(self.elements, dtype=first.dtype, pin_memory=cuda)
        self.pointer = self._host.data_ptr()
        """Address of the first element."""
        if read:
            for part, tensor in zip(self._parts(), self._tensors, strict=True):
                part.copy_(tensor, non_blocking=cuda)
        if cuda:
            # The native side reads the memory at once, and writes come back on another stream: all
            # earlier work must be done.
            torch.cuda.current_stream(first.device).synchronize()

    @property
    def bytes(self) -> int:
        """Length of the memory in bytes."""
        return self.elements * self.dtype.itemsize

    @property
    def vector(self) -> Tensor:
        """The memory as a tensor of one dimension."""
        return self._host.detach().view(-1)

    @property
    def device(self) -> torch.device:
        """Device of the tensors."""
        return self._tensors[0].device

    def finish(self) -> None:
        """Bring the result to where the caller expects it; returns when it is there."""
        if not self._written or self._host is self._tensors[0]:
            return
        if self.device.type != "cuda":
            self._copy_back(non_blocking=False)
            return
        stream = torch.cuda.Stream(self.device)  # type: ignore[no-untyped-call] # untyped in torch
        with torch.cuda.stream(stream):
            self._copy_back(non_blocking=True)
        stream.synchronize()

    def _copy_back(self, non_blocking: bool) -> None:
        with torch.no_grad():
            for part, tensor in zip(self._parts(), self._tensors, strict=True):
                tensor.copy_(part, non_blocking=non_blocking)

    def _parts(self) -> list[Tensor]:
        flat = torch.split(self._host.view(-1), [tensor.numel() for tensor in self._tensors])
        return [part.view(tensor.shape) for part, tensor in zip(flat, self._tensors, strict=True)]

    def _overlaps(self, tensor: Tensor) -> bool:
        start, end = tensor.data_ptr(), tensor.data_ptr() + tensor.numel() * tensor.element_size()
        return start < self.pointer + self.bytes and self.pointer < end


def _is_plain(tensor: Tensor) -> bool:
    return tensor.is_cpu and tensor.is_contiguous()
