"""An operation: its module, what it declares, and folds of it on this machine."""

from __future__ import annotations

import copy
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .. import _native
from ..arrays import Target
from ..errors import OperationError, UnsupportedError
from .element import Element, element_of


@dataclass(frozen=True)
class Declaration:
    """The declaration of an operation (R-OP-11). Claims are tested by :meth:`Operation.test`."""

    name: str
    """Name, for people; not unique."""
    element: str
    """Element type: `f32,u32`."""
    scope: str
    """`element`, or `message N` for messages of at most N elements."""
    associative: bool | float
    """Claim of associativity: none, the same bits, or a tolerance (R-OP-4)."""
    commutative: bool
    """Claim of commutativity."""
    identity: bytes | None
    """Bytes of the identity element."""
    ranges: tuple[tuple[float, float] | None, ...]
    """Claimed range of each field (R-OP-6)."""
    wire: str | None
    """Type in which elements travel, if that is another one (R-OP-30)."""
    lossless: bool
    """Claim that elements are the same after they have travelled (R-OP-44)."""
    state: int | None
    """Bytes of the data that it keeps from one call to the next, if it keeps any (R-OP-31)."""


@dataclass(frozen=True)
class Counterexample:
    """Operands that disprove a claim."""

    claim: str
    """The claim: `commutative`."""
    operands: str
    """The operands, as small as could be found, and what the operation makes of them."""

    def __str__(self) -> str:
        return f"a claim is false: {self.claim}\n{self.operands}"


class Operation:
    """An operation, admitted under the limits that a switch has by default (R-OP-15).

    Two of the same module are equal. `wasm` and `hash` are what a switch goes by.
    """

    wasm: bytes
    """The module."""
    declaration: Declaration
    """Its declaration."""
    dtype: np.dtype[Any]
    """Type of the elements, for NumPy. Fields without names of their own are `f0`, `f1`, .."""
    wire_dtype: np.dtype[Any]
    """Type in which they travel: the same, unless the operation has a codec (R-OP-30)."""

    def __init__(
        self, wasm: bytes, element: Element | None = None, wire: Element | None = None
    ) -> None:
        """Admit a module.

        Raises :class:`netfold.OperationError`, which says why, if it is refused (R-OP-16).
        """
        if not hasattr(_native, "Operation"):
            raise UnsupportedError(
                "this build of netfold has no operations of users; build it with the feature `ops`"
            )
        self._native = _native.Operation(wasm)
        self.wasm = wasm
        self._element = element or element_of(self._native.element)
        self._wire = wire or element_of(self._native.wire or self._native.element)
        self.dtype = self._element.dtype
        self.wire_dtype = self.dtype if self._native.wire is None else self._wire.dtype
        message, tolerance = self._native.message_elements, self._native.associative
        self.declaration = Declaration(
            name=self._native.name,
            element=self._native.element,
            scope="element" if message is None else f"message {message}",
            associative=tolerance or tolerance is not None,
            commutative=self._native.commutative,
            identity=self._native.identity,
            ranges=tuple(self._native.ranges),
            wire=self._native.wire,
            lossless=self._native.lossless,
            state=self._native.state,
        )

    @property
    def name(self) -> str:
        """Its name, which need not be unique."""
        return self.declaration.name

    @property
    def hash(self) -> str:
        """Its identity: SHA-256 of the module's bytes, in hexadecimal (R-OP-1)."""
        return self._native.hash

    @property
    def native(self) -> _native.Operation:
        """The operation as the native module has it."""
        return self._native

    def signed(self, key: str) -> Operation:
        """Return the operation with a signature, for switches that ask for one (R-OP-22)."""
        signed = copy.copy(self)
        signed._native = self._native.signed(key)
        return signed

    def check(self, dtype: np.dtype[Any]) -> None:
        """Refuse arrays that hold other elements than those that travel: arrays of another dtype,
        unless all fields of the element have it.
        """
        if not _holds(dtype, self.wire_dtype):
            raise UnsupportedError(
                f"the operation {self.name!r} takes elements of dtype {self.wire_dtype}, and the array has {dtype}"
            )

    def encodes(self, array: np.ndarray) -> bool:
        """Return whether elements of an array are encoded before they travel. An array whose dtype
        is that of elements and of wire elements holds elements; any other dtype is an error.
        """
        if self._native.wire is None or array.dtype == self.wire_dtype != self.dtype:
            return False
        if not _holds(array.dtype, self.dtype):
            raise UnsupportedError(
                f"the operation {self.name!r} folds elements of dtype {self.dtype}, and the array has {array.dtype}"
            )
        return True

    def test(self, rounds: int = 1000, seed: int = 1) -> list[Counterexample]:
        """Draw operands, and return one counterexample for each claim that they disprove.

        An empty list proves nothing; more rounds and other seeds draw other operands.
        """
        return [Counterexample(*found) for found in self._native.test(rounds, seed)]

    def fold(self, left: npt.ArrayLike, right: npt.ArrayLike) -> npt.NDArray[Any]:
        """Fold two arrays of elements on this machine, as a switch does.

        `left` is the left operand. Messages longer than the declared number are refused.
        """
        operands = [np.ascontiguousarray(operand, self.dtype) for operand in (left, right)]
        if operands[0].shape != operands[1].shape:
            shapes = f"{operands[0].shape} and {operands[1].shape}"
            raise OperationError(f"operands have the same shape, and these have {shapes}")
        result = self._native.fold(operands[0].tobytes(), operands[1].tobytes())
        return np.frombuffer(bytearray(result), self.dtype).reshape(operands[0].shape)

    def encode(self, elements: npt.ArrayLike) -> npt.NDArray[Any]:
        """Encode elements on this machine, as a worker does: the result has as many wire elements
        (R-OP-30).
        """
        given = np.ascontiguousarray(elements, self.dtype)
        encoded = self._native.encode(given.tobytes())
        return np.frombuffer(bytearray(encoded), self.wire_dtype).reshape(given.shape)

    def decode(self, wire: npt.ArrayLike) -> npt.NDArray[Any]:
        """Decode wire elements on this machine; see :meth:`encode`."""
        given = np.ascontiguousarray(wire, self.wire_dtype)
        decoded = self._native.decode(given.tobytes())
        return np.frombuffer(bytearray(decoded), self.dtype).reshape(given.shape)

    def answer(self, requests: npt.ArrayLike, rank: int = 0) -> npt.NDArray[Any]:
        """Answer requests on this machine, as a switch does for the worker `rank` (R-OP-32). What
        earlier ones have left in the memory of this object is there.
        """
        given = np.ascontiguousarray(requests, self.dtype)
        replies = self._native.answer(given.tobytes(), rank)
        return np.frombuffer(bytearray(replies), self.dtype).reshape(given.shape)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the module to a file, which :func:`load_op` and `netfold op` read."""
        Path(path).write_bytes(self.wasm)

    def __repr__(self) -> str:
        return f"Operation({self.name}, {self.declaration.element}, {self.hash[:12]})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Operation) and self.wasm == other.wasm

    def __hash__(self) -> int:
        return hash(self.wasm)

    def __reduce__(self) -> tuple[Any, ...]:
        return Operation, (self.wasm, self._element, self._wire)


class Codec:
    """An encoder and decoder of arrays of elements (R-OP-30). Of an operation with
    state it has a memory of its own (R-OP-31).
    """

    def __init__(self, operation: Operation) -> None:
        has_state = operation.declaration.state is not None
        self._native = operation.native.fresh() if has_state else operation.native
        self._element_bytes = operation.dtype.itemsize
        self._wire_dtype = operation.wire_dtype

    def encode(self, array: np.ndarray, rows: int | None = None) -> np.ndarray:
        """Return the wire elements of an array, in so many rows if it has such."""
        wire = self._native.encode(np.ascontiguousarray(array).tobytes())
        encoded = np.frombuffer(bytearray(wire), self._wire_dtype)
        return encoded if rows is None else encoded.reshape(rows, -1)

    def room(self, array: np.ndarray) -> np.ndarray:
        """Return room for the wire elements of an array of this shape and dtype."""
        count, rest = divmod(array.nbytes, self._element_bytes)
        if rest:
            raise OperationError(
                f"{array.nbytes} bytes are no whole elements of {self._element_bytes} bytes"
            )
        return np.empty(count, self._wire_dtype)

    def decode(
        self, wire: np.ndarray, shape: tuple[int, ...], dtype: np.dtype, out: np.ndarray | None
    ) -> np.ndarray:
        """Return the elements of wire elements as an array, in `out` if that is given."""
        target = Target(out, shape, dtype)
        decoded = self._native.decode(wire.tobytes())
        np.copyto(target.memory, np.frombuffer(decoded, dtype).reshape(shape))
        return target.result()


def _holds(dtype: np.dtype[Any], element: np.dtype[Any]) -> bool:
    """Return whether arrays of a dtype can hold elements: they have that type, or all fields do."""
    return dtype == element or all(scalar == dtype for scalar in _scalars(element))


def _scalars(dtype: np.dtype[Any]) -> list[np.dtype[Any]]:
    """Return the types of the scalars in an element."""
    if dtype.names is None:
        return [dtype.base]
    return [scalar for name in dtype.names for scalar in _scalars(dtype[name])]


def load_op(path: str | os.PathLike[str]) -> Operation:
    """Read an operation from a file, whatever language it was written in."""
    return Operation(Path(path).read_bytes())
