"""Integers of a program: which are the rank or the size of a communicator, and sums of them."""

from __future__ import annotations

from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind

from .objects import Scope
from .program import (
    BINARY,
    Function,
    Program,
    arguments,
    called,
    children,
    constant,
    operator,
    strip,
    walk,
)

SIZE, RANK = "MPI_Comm_size", "MPI_Comm_rank"


@dataclass(frozen=True)
class Linear:
    """A sum of names with factors, and a constant."""

    terms: tuple[tuple[str, int], ...]
    """By name: a variable's, or :data:`SIZE` or :data:`RANK` of the communicator in question."""
    constant: int

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """Return the sum with another one times a factor."""
        found = dict(self.terms)
        for name, times in other.terms:
            found[name] = found.get(name, 0) + factor * times
        kept = tuple(sorted((name, times) for name, times in found.items() if times))
        return Linear(kept, self.constant + factor * other.constant)

    def times(self, factor: int) -> Linear:
        """Return it so many times."""
        return Linear((), 0).plus(self, factor)


def number(value: int) -> Linear:
    """Return a constant."""
    return Linear((), value)


SIZES = Linear(((SIZE, 1),), 0)
"""The size of the communicator."""


class Integers:
    """Integers of a function, beside the communicator that a chain is on."""

    def __init__(self, scope: Scope, communicator: Cursor) -> None:
        self.scope, self.program = scope, scope.program
        self._communicator = "".join(self.program.text(strip(communicator)).split())
        self._known: dict[str, str] = {}

    def linear(self, expression: Cursor) -> Linear | None:
        """Return an expression as a linear sum; None if it is not linear."""
        node = strip(expression)
        value = constant(node)
        if value is not None:
            return number(value)
        if node.kind == CursorKind.DECL_REF_EXPR:
            return Linear(((self.meaning(node.referenced), 1),), 0)
        if node.kind in BINARY and operator(node) in ("+", "-", "*"):
            left, right = (self.linear(side) for side in children(node))
            if left is None or right is None:
                return None
            if operator(node) == "*":
                if left.terms and right.terms:
                    return None
                return left.times(right.constant) if left.terms else right.times(left.constant)
            return left.plus(right, 1 if operator(node) == "+" else -1)
        return None

    def meaning(self, declaration: Cursor) -> str:
        """Return :data:`SIZE` or :data:`RANK` if that is all that a variable ever is, by its only
        assignment; otherwise the variable's own name.
        """
        usr = declaration.get_usr()
        if usr not in self._known:
            self._known[usr] = self._asked(declaration) or usr
        return self._known[usr]

    def _asked(self, declaration: Cursor) -> str | None:
        usr = declaration.get_usr()
        parent = declaration.semantic_parent
        is_local = parent is not None and parent.kind == CursorKind.FUNCTION_DECL
        if declaration.kind == CursorKind.PARM_DECL:
            return None
        looked_in = [self.scope.function] if is_local else list(self.program.functions.values())
        answers: set[str] = set()
        for function in looked_in:
            for node in walk(function.body):
                answers |= self._answers(node, usr, function)
        return answers.pop() if len(answers) == 1 and answers <= {SIZE, RANK} else None

    def _answers(self, node: Cursor, usr: str, function: Function) -> set[str]:
        """Return what a node makes of a variable: an answer of MPI, or something else."""
        if node.kind == CursorKind.CALL_EXPR:
            asked = question(self.program, node)
            given = arguments(node)
            if asked and len(given) == 2 and _address_of(given[1]) == usr:
                text = "".join(self.program.text(strip(given[0])).split())
                same = text == self._communicator and (
                    function.name == self.scope.function.name or text == "MPI_COMM_WORLD"
                )
                return {asked if same else "another"}
            return {"another"} if any(_address_of(it) == usr for it in given) else set()
        sign = operator(node)
        if node.kind == CursorKind.VAR_DECL and node.get_usr() == usr:
            initial = [it for it in children(node) if it.kind.is_expression()]
            return {"another"} if initial and constant(initial[0]) is None else set()
        writes = sign in ("x++", "x--", "++x", "--x") or (
            node.kind in BINARY and sign.endswith("=") and sign not in ("==", "!=", "<=", ">=")
        )
        if writes:
            place = strip(children(node)[0])
            if place.kind == CursorKind.DECL_REF_EXPR and place.referenced.get_usr() == usr:
                return {"another"}
        return set()


def question(program: Program, call: Cursor, depth: int = 4) -> str | None:
    """Return :data:`SIZE` or :data:`RANK` if that is what a call asks for, also by a wrapper."""
    name = called(call)
    if name in (SIZE, RANK):
        return name
    function = program.function(call) if depth else None
    if function is None or len(function.parameters) != 2:
        return None
    communicator, answer = (it.get_usr() for it in function.parameters)
    nodes = list(walk(function.body))
    asked = [it for it in nodes if it.kind == CursorKind.CALL_EXPR]
    if len(asked) != 1 or not _names(arguments(asked[0])[0], communicator):
        return None
    inner = question(program, asked[0], depth - 1)
    target = arguments(asked[0])[1]
    if inner is None or _names(target, answer):
        return inner
    # The answer comes by a variable of another type.
    written = [
        it for it in nodes if operator(it) == "=" and operator(strip(children(it)[0])) == "*x"
    ]
    if len(written) != 1:
        return None
    place, value = (strip(it) for it in children(written[0]))
    by_way = strip(value)
    is_name = by_way.kind == CursorKind.DECL_REF_EXPR
    same = is_name and by_way.referenced.get_usr() == _address_of(target)
    return inner if same and _names(children(place)[0], answer) else None


def _names(expression: Cursor, usr: str) -> bool:
    node = strip(expression)
    return node.kind == CursorKind.DECL_REF_EXPR and bool(node.referenced.get_usr() == usr)


def _address_of(expression: Cursor) -> str | None:
    node = strip(expression)
    if operator(node) == "&x":
        inner = strip(children(node)[0])
        if inner.kind == CursorKind.DECL_REF_EXPR:
            return str(inner.referenced.get_usr())
    return None
