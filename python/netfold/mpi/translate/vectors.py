"""The two vectors of a function of MPI_Op_create, and which element of them an expression is
(R-TR-23).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from clang.cindex import Cursor, CursorKind, Type, TypeKind

from .calls import Refused
from .elements import RULE
from .objects import Scope
from .program import (
    BINARY,
    Function,
    Program,
    begun,
    children,
    constant,
    is_pointer,
    line,
    operator,
    strip,
    walk,
)
from .ranks import Integers, Linear, number

_INT_BYTES = 4
STEPS = ("x++", "++x", "x--", "--x")


@dataclass(frozen=True)
class Vector:
    """A pointer into one of the vectors: `in` or `inout`, and how far from its beginning."""

    side: str
    at: Linear


class Places:
    """The places of the vectors in a function.

    Attributes:
        index: The variable that counts elements, by its USR; empty outside the loop over them.
        ranges: The least and the largest value of variables of loops inside.
    """

    def __init__(self, program: Program, function: Function, pointers: dict[str, Vector]) -> None:
        self.program, self.pointers = program, dict(pointers)
        self.index = ""
        self.ranges: dict[str, tuple[int, int]] = {}
        self.unit: Type | None = None
        self.stride = 0
        self._integers = Integers(Scope(program, function), function.cursor)

    def linear(self, expression: Cursor) -> Linear | None:
        """Return an expression as a sum of names; None for others, and where a cast cuts it off."""
        if any(
            it.kind == CursorKind.CSTYLE_CAST_EXPR and it.type.get_size() < _INT_BYTES
            for it in walk(expression)
        ):
            return None
        return self._integers.linear(expression)

    def pointer(self, expression: Cursor) -> Vector | None:
        """Return where a pointer points to in a vector; None if it does not."""
        node = strip(expression)
        if node.kind == CursorKind.DECL_REF_EXPR:
            return self.pointers.get(node.referenced.get_usr())
        if node.kind in BINARY and operator(node) == "+":
            base, more = children(node)
            return self._moved(base, more)
        if operator(node) == "&x":
            inner = strip(children(node)[0])
            if inner.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
                return self._moved(*children(inner))
            if operator(inner) == "*x":
                return self.pointer(children(inner)[0])
        return None

    def _moved(self, base: Cursor, more: Cursor) -> Vector | None:
        found = self.pointer(base)
        if found is None:
            return None
        self._takes(base.type, base)
        distance = self.linear(more)
        if distance is None:
            raise self._elsewhere(more)
        return replace(found, at=found.at.plus(distance))

    def access(self, node: Cursor) -> tuple[Vector, Cursor] | None:
        """Return the value of a vector that an expression is, with the pointer to it; None for
        other expressions. Of `p->x` it is `*p`.
        """
        if node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
            base, more = children(node)
            found = self._moved(base, more)
        elif operator(node) == "*x" or (
            node.kind == CursorKind.MEMBER_REF_EXPR and is_pointer(children(node)[0])
        ):
            base = children(node)[0]
            found = self.pointer(base)
        else:
            return None
        if found is None:
            return None
        self._takes(base.type, base)
        return found, base

    def inside(self, found: Vector, node: Cursor) -> Linear:
        """Return the place in its own element, or refuse what is in another one."""
        rest = dict(found.at.terms)
        stride = rest.pop(self.index, 0) if self.index else 0
        inner = Linear(tuple(sorted(rest.items())), found.at.constant)
        low = high = inner.constant
        for name, times in inner.terms:
            if name not in self.ranges:
                raise self._elsewhere(node)
            ends = [times * end for end in self.ranges[name]]
            low, high = low + min(ends), high + max(ends)
        if stride < 1 or low < 0 or high >= stride or self.stride not in (0, stride):
            raise self._elsewhere(node)
        self.stride = stride
        return inner

    def _elsewhere(self, node: Cursor) -> Refused:
        text = self.program.text(node)
        return Refused(
            RULE, f"line {line(node)}: `{text}` is not known to be at the element's place"
        )

    def _takes(self, pointer: Type, node: Cursor) -> None:
        """Note the type of the vectors' values, or refuse a second one."""
        plain = pointer.get_canonical()
        unit = plain.get_pointee() if plain.kind == TypeKind.POINTER else plain.element_type
        self.unit = self.unit or unit
        if _bare(self.unit) != _bare(unit):
            both = f"`{_bare(self.unit)}` and `{_bare(unit)}`"
            raise Refused(RULE, f"line {line(node)}: it takes its elements for {both}")

    def text(self, inner: Linear, names: dict[str, str]) -> str:
        """Return a place in an element as C."""
        parts = [f"{times} * {names[name]}" for name, times in inner.terms]
        return " + ".join([*parts, str(inner.constant)])


def _bare(kind: Type) -> str:
    return str(kind.get_canonical().spelling).replace("const ", "")


def writes(node: Cursor) -> Iterator[Cursor]:
    """Yield the places that a statement writes to, as they are written."""
    for part in walk(node):
        sign = operator(part)
        if (
            sign in STEPS
            or (part.kind in BINARY and sign.endswith("=") and sign not in ("==", "!=", "<=", ">="))
            or sign == "&x"
        ):
            yield strip(children(part)[0])


def written(node: Cursor) -> list[str]:
    """Return the variables that a statement writes to or takes the address of, by USR, each as often
    as it does so.
    """
    found = []
    for place in writes(node):
        while place.kind in (CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR) and (
            not is_pointer(children(place)[0])
        ):
            place = strip(children(place)[0])
        if place.kind == CursorKind.DECL_REF_EXPR and place.referenced is not None:
            found.append(place.referenced.get_usr())
    return found


@dataclass(frozen=True)
class Counted:
    """`for (i = 0; i < n; i++) ...`."""

    index: Cursor
    """The variable's declaration."""
    first: int
    less_than: Cursor
    more: int
    """One if the condition is `<=`."""
    steps: list[Cursor]
    """Steps of pointers between rounds, beside that of the counter."""
    body: Cursor


def counted(statement: Cursor) -> Counted | None:
    """Return a loop that counts up by ones from a constant; None for others."""
    if statement.kind != CursorKind.FOR_STMT or len(children(statement)) != 4:
        return None
    begin, condition, step, body = children(statement)
    index, value = begun(begin)
    first = constant(value) if value is not None else None
    if index is None or first is None or operator(condition) not in ("<", "<=", "!="):
        return None
    steps = _commas(step)
    own = [it for it in steps if operator(it) in ("x++", "++x") and _is(children(it)[0], index)]
    counter, bound = children(condition)
    if len(own) != 1 or not _is(counter, index) or index.get_usr() in written(body):
        return None
    others = [it for it in steps if it not in own]
    return Counted(index, first, bound, int(operator(condition) == "<="), others, body)


def _commas(step: Cursor) -> list[Cursor]:
    node = strip(step)
    if operator(node) == ",":
        return [it for side in children(node) for it in _commas(side)]
    return [node]


def _is(expression: Cursor, declaration: Cursor) -> bool:
    node = strip(expression)
    return node.kind == CursorKind.DECL_REF_EXPR and bool(
        node.referenced.get_usr() == declaration.get_usr()
    )


ZERO = number(0)
