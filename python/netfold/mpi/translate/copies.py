"""Following a value from the result of a scan to what is broadcast (R-TR-15)."""

from __future__ import annotations

from clang.cindex import Cursor, CursorKind

from .effects import of
from .objects import Object, Scope, may_alias
from .program import BINARY, children, operator, strip
from .ranks import RANK, SIZES, Integers, Linear, number


class Copies:
    """Places that have, at the last rank, what a scan has given it."""

    def __init__(self, scope: Scope, integers: Integers, result: Cursor, is_one: bool) -> None:
        self.scope, self.integers = scope, integers
        self._is_one = is_one
        self._places = {self._place(result)}

    def has(self, buffer: Cursor) -> bool:
        """Return whether what a collective sends from a buffer is the scan's result."""
        return self._place(buffer) in self._places

    def follow(self, first: Cursor, second: Cursor) -> None:
        """Take in the statements of a block from behind one to before another."""
        block = next(node for node in _blocks(self.scope.function.body) if first in children(node))
        statements = children(block)
        for statement in statements[statements.index(first) + 1 : statements.index(second)]:
            self._statement(statement)

    def _statement(self, node: Cursor) -> None:
        if node.kind == CursorKind.COMPOUND_STMT:
            for inner in children(node):
                self._statement(inner)
            return
        if (
            node.kind == CursorKind.IF_STMT
            and self._is_last(children(node)[0])
            and len(children(node)) == 2
        ):
            self._statement(children(node)[1])
            return
        if self._is_one and node.kind in BINARY and operator(node) == "=":
            left, right = children(node)
            taken = self._value(right) in self._places
            self._forget(node)
            if taken:
                self._places.add(self._value(left))
            return
        self._forget(node)

    def _forget(self, node: Cursor) -> None:
        """Forget the places that a statement may write to."""
        writes = of(self.scope, [node]).writes
        kept: set[tuple[str, frozenset[Object]]] = set()
        for text, objects in self._places:
            if not any(may_alias(one, other) for one in objects for other in writes):
                kept.add((text, objects))
            elif node.kind in BINARY and operator(node) == "=":
                # Another element of the same array, by another constant.
                target = self._value(children(node)[0])
                if target[1] == objects and _element(target[0], text):
                    kept.add((text, objects))
        self._places = kept

    def _is_last(self, condition: Cursor) -> bool:
        node = strip(condition)
        if node.kind not in BINARY or operator(node) != "==":
            return False
        left, right = (self.integers.linear(side) for side in children(node))
        if left is None or right is None:
            return False
        rank = Linear(((RANK, 1),), 0)
        last = SIZES.plus(number(1), -1)
        return (left, right) in ((rank, last), (last, rank)) or (
            left.plus(right, -1) in (rank.plus(last, -1), last.plus(rank, -1))
        )

    def _place(self, pointer: Cursor) -> tuple[str, frozenset[Object]]:
        """Return the place that a pointer points to."""
        node = strip(pointer)
        if operator(node) == "&x":
            return self._value(children(node)[0])
        index = "0"
        if node.kind in BINARY and operator(node) == "+":
            node, more = children(node)
            index = "".join(self.scope.program.text(strip(more)).split())
        text = "".join(self.scope.program.text(strip(node)).split())
        return f"{text}[{index}]", frozenset(self.scope.pointees(node))

    def _value(self, expression: Cursor) -> tuple[str, frozenset[Object]]:
        """Return the place that an expression reads."""
        node = strip(expression)
        text = "".join(self.scope.program.text(node).split())
        if operator(node) == "*x":
            text = "".join(self.scope.program.text(strip(children(node)[0])).split()) + "[0]"
        if (
            node.kind
            in (
                CursorKind.DECL_REF_EXPR,
                CursorKind.ARRAY_SUBSCRIPT_EXPR,
                CursorKind.MEMBER_REF_EXPR,
            )
            or operator(node) == "*x"
        ):
            return text, frozenset(self.scope.lvalue(node))
        return "", frozenset()


def _element(one: str, other: str) -> bool:
    """Return whether two places are elements of an array by two different constants."""
    indexes = [text[text.find("[") + 1 : -1] for text in (one, other) if text.endswith("]")]
    same_array = one.split("[")[0] == other.split("[")[0]
    return (
        same_array
        and len(indexes) == 2
        and all(it.isdigit() for it in indexes)
        and indexes[0] != indexes[1]
    )


def _blocks(body: Cursor) -> list[Cursor]:
    found = [body] if body.kind == CursorKind.COMPOUND_STMT else []
    for child in children(body):
        found += _blocks(child)
    return found
