"""The decorator that makes operations of functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import OperationError
from .compiler import Part, compiled, library_function, part
from .element import Element, ElementLike, element_of
from .linker import linked, with_declaration
from .operation import Operation


def op(  # noqa: PLR0913 - the keys of a declaration
    *,
    element: ElementLike,
    name: str | None = None,
    scope: str = "element",
    associative: bool | float = False,
    commutative: bool = False,
    identity: npt.ArrayLike | None = None,
    ranges: Mapping[int | str, tuple[float, float]] | None = None,
    map: Callable[..., Any] | None = None,
    wire: ElementLike | None = None,
    decode: Callable[..., Any] | None = None,
    encode: Callable[..., Any] | None = None,
    lossless: bool = False,
    state: npt.DTypeLike | None = None,
    answer: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any] | None], Operation]:
    """Make an operation of a function, by numba and LLVM.

    A function of single elements gets two, and returns their fold: numbers, or records with fields
    (`a.f0`, or by the names that `element` gives them). Of records it returns one, a tuple of the
    fields, or nothing if it changes the left one. With `scope="message N"` it gets two arrays of at
    most N elements each, and changes the left one. An exception is a trap (R-OP-19). One of NumPy's
    functions of numbers, such as `np.maximum`, will do. An array may be assigned to as a whole:
    `left[:] = left + right`.

    `map` is a function of one element, or of one array, by which a switch replaces the result of a
    round before it sends it (R-OP-28). It returns what the function of two returns.

    `wire` is the type in which elements travel, if it is another one; `decode` and `encode` are
    functions from wire elements to elements and back (R-OP-30). Each takes one and returns the
    other, as the function of two does; or it takes the one that it makes and the one that it has,
    and changes the first. With `scope="message N"` these are arrays. `lossless` claims that an
    element is the same after both, so that switches below each other may fold it (R-OP-44).

    `state` is the type of data that the operation keeps from one call to the next, such as
    `(np.float32, (1000, 256))` for an array of that shape (R-OP-31). It is all zeros when the job
    begins. `map`, `decode`, `encode` and `answer` get the array behind their other arguments, and
    may read and write it; the function itself does not. Indices into it are not checked.

    `answer` is a function of a request and the rank of its worker, which it replaces by the reply,
    as `map` does with a result (R-OP-32). An operation that only answers is made of None in place
    of a function.

    `associative` is true for the same bits, or a tolerance (R-OP-4). `ranges` are the claimed
    ranges of fields, by their number or name (R-OP-6). None of the claims is checked here:
    :meth:`Operation.test` looks for operands that disprove them.

    Needs numba (`pip install 'netfold[ops]'`) and LLVM's linker `wasm-ld`. Raises
    :class:`netfold.OperationError` for what cannot be compiled.
    """
    kind = element_of(element)
    travelling = None if wire is None else element_of(wire)
    if [travelling is None] * 2 != [decode is None, encode is None]:
        raise OperationError("a codec is `wire`, `decode` and `encode` together")
    kept = None if state is None else np.dtype(state)
    if kept is None and answer is not None:
        raise OperationError("what answers requests has `state` (R-OP-32)")

    def make(function: Callable[..., Any] | None) -> Operation:
        named = answer if function is None else function
        if named is None:
            raise OperationError("an operation folds or answers: give a function, or `answer`")
        called = name or named.__name__.strip("_").replace("_", "-").lower()
        lines = ["abi 1", f"name {called}", f"element {kind.spelling}", f"scope {scope}"]
        if isinstance(associative, bool):
            lines.append(f"associative {'yes' if associative else 'no'}")
        else:
            lines.append(f"associative within {associative!r}")
        lines.append(f"commutative {'yes' if commutative else 'no'}")
        if identity is not None:
            lines.append(f"identity {_bytes(identity, kind).hex()}")
        lines += [_range(field, *bounds, kind) for field, bounds in (ranges or {}).items()]
        if travelling is not None:
            lines.append(f"wire {travelling.spelling}")
        if lossless:
            lines.append("lossless yes")
        if kept is not None:
            lines.append(f"state {kept.itemsize}")
        declaration = "".join(f"{line}\n" for line in lines)
        own = kind.dtype
        sent = own if travelling is None else travelling.dtype
        parts: list[Part] = [
            part(export, one, dtypes, scope != "element", None if export == "fold" else kept)
            for export, one, dtypes in (
                ("fold", function, [own, own]),
                ("map", map, [own]),
                ("decode", decode, [own, sent]),
                ("encode", encode, [sent, own]),
                ("answer", answer, [own]),
            )
            if one is not None
        ]
        module = linked({one.export: compiled(one) for one in parts}, library_function)
        return Operation(with_declaration(module, declaration), kind, travelling)

    return make


def _bytes(identity: npt.ArrayLike, kind: Element) -> bytes:
    """Return the bytes of one element; those between fields are 0."""
    value = np.zeros((), kind.dtype)
    try:
        value[()] = identity
    except (TypeError, ValueError, OverflowError) as error:
        raise OperationError(f"{identity!r} is no element {kind.spelling}: {error}") from error
    return value.tobytes()


def _range(field: int | str, low: float, high: float, kind: Element) -> str:
    names = kind.dtype.names or ()
    if isinstance(field, str):
        if field not in names:
            raise OperationError(f"{field!r} is no field; there are {', '.join(names) or 'none'}")
        field = names.index(field)
    return f"range {field} {low!r} {high!r}"
