"""Chains of one collective and the loop behind it: the rules R-TR-13 and R-TR-14."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind

from .calls import FOLDED, Collective, Refused, check_fold, check_form, check_moved
from .effects import of
from .found import Chain, Input, Result
from .objects import Scope, meet
from .operation import source
from .pairs import buffer, text
from .program import (
    BINARY,
    begun,
    children,
    constant,
    is_pointer,
    line,
    operator,
    same,
    strip,
    uncovered,
)
from .program import called as called_name
from .ranks import SIZES, Integers, Linear, number

_CASTS = {"int", "unsigned int", "long long", "float", "double"}
"""Types that are as large in WebAssembly as on Linux with 64 bits."""
_FUNCTIONS = {"sqrt", "fabs", "floor", "ceil", "trunc"}


@dataclass(frozen=True)
class Loop:
    """`for (i = from; i < to; i++) ...`, of integers."""

    statement: Cursor
    index: str
    """The variable, by its USR."""
    name: str
    is_own: bool
    """The loop declares it."""
    first: Linear
    end: Linear
    """One more than the last."""
    end_text: str
    body: Cursor


def chain(scope: Scope, one: Collective, behind: Sequence[Cursor]) -> Chain | None:
    """Return the chain of a collective and the statements behind it; None if it looks like none.

    Raises:
        Refused: it looks like one, and a rule does not hold.
    """
    if one.form.base == "Allgather":
        return _prefix(scope, one, behind)
    if one.form.base == "Allreduce":
        return _map(scope, one, behind)
    return None


def _begin(scope: Scope, one: Collective, kind: str, stages: str) -> Chain:
    communicator = text(scope.program, one.arguments["comm"])
    path, name = scope.function.path, scope.function.name
    return Chain(path, name, kind, stages, communicator, [one], [], [], one)


# ---- R-TR-13


def _prefix(scope: Scope, one: Collective, behind: Sequence[Cursor]) -> Chain | None:
    integers = Integers(scope, one.arguments["comm"])
    base, offset = _position(integers, one.target())
    zero = False
    for statement in list(behind)[:4]:
        loop = loop_of(integers, statement)
        added = _adds_the_one_before(integers, loop) if loop is not None else None
        if added is not None and base is not None and _same_array(scope, added[0], base):
            assert loop is not None
            return _prefixes(scope, one, (loop, added[1]), (offset, zero))
        done = of(scope, [statement])
        if _zeroes_before(integers, statement, base, offset):
            zero = True
        elif done.problems or meet(done.writes | done.reads, one.gives(scope)):
            return None
    return None


def _prefixes(
    scope: Scope,
    one: Collective,
    loop_and_shift: tuple[Loop, Linear],
    offset_and_zero: tuple[Linear, bool],
) -> Chain:
    (loop, shift), (offset, zero) = loop_and_shift, offset_and_zero
    check_form(one)
    kind = check_moved(one)
    integers = Integers(scope, one.arguments["comm"])
    counts = [integers.linear(one.arguments[it]) for it in ("sendcount", "recvcount")]
    if counts != [number(1), number(1)] or one.in_place():
        raise Refused(
            "R-TR-13", f"{one.name} of line {one.line} gathers more than one element from each"
        )
    if kind not in FOLDED:
        raise Refused(
            "R-TR-13", f"{one.name} of line {one.line} gathers {kind}, which netfold does not fold"
        )
    first, end = loop.first.plus(shift), loop.end.plus(shift)
    starts = {offset.plus(number(1)): True, offset: zero}
    if not starts.get(first, False) or end != offset.plus(SIZES):
        raise Refused(
            "R-TR-13",
            f"the loop of line {line(loop.statement)} does not run from the second rank's element to the last one's",
        )
    made = _begin(
        scope, one, "all-gather and local prefix", f"all_gather {kind}, scan sum {kind}, all_gather"
    )
    made.inputs.append(Input(buffer(scope, one), "1"))
    made.results.append(Result(one, text(scope.program, one.target())))
    made.left_out = [loop.statement]
    made.instead = ";" if loop.is_own else f"{loop.name} = {loop.end_text};"
    return made


def _position(integers: Integers, target: Cursor) -> tuple[Cursor | None, Linear]:
    """Return the array that a pointer points into, and where."""
    node = strip(target)
    if operator(node) == "&x":
        inner = strip(children(node)[0])
        if inner.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
            array, index = children(inner)
            at = integers.linear(index)
            return (strip(array), at) if at is not None else (None, number(0))
        return None, number(0)
    if node.kind in BINARY and operator(node) == "+" and is_pointer(node):
        array, index = children(node)
        at = integers.linear(index)
        return (strip(array), at) if at is not None else (None, number(0))
    return node, number(0)


def _same_array(scope: Scope, one: Cursor, other: Cursor) -> bool:
    return same(scope.program, one, other)


def _element(integers: Integers, expression: Cursor) -> tuple[Cursor, Linear] | None:
    node = strip(expression)
    if node.kind != CursorKind.ARRAY_SUBSCRIPT_EXPR:
        return None
    array, index = children(node)
    at = integers.linear(index)
    return (strip(array), at) if at is not None else None


def _adds_the_one_before(integers: Integers, loop: Loop) -> tuple[Cursor, Linear] | None:
    """Return the array to whose elements a loop adds the ones before, and the index of the element
    less the loop's variable; None if it does something else.
    """
    body = _only(loop.body)
    if body is None or body.kind not in BINARY:
        return None
    left, right = children(body)
    target = _element(integers, left)
    if target is None:
        return None
    if operator(body) == "+=":
        added = _element(integers, right)
    elif operator(body) == "=" and operator(strip(right)) == "+":
        sides = [_element(integers, side) for side in children(strip(right))]
        others = [it for it in sides if it is not None and it[1] != target[1]]
        added = others[0] if len(others) == 1 and None not in sides else None
    else:
        return None
    shift = target[1].plus(Linear(((loop.index, 1),), 0), -1)
    if added is None or shift.terms or not same(integers.program, target[0], added[0]):
        return None
    return (target[0], shift) if added[1] == target[1].plus(number(1), -1) else None


def _zeroes_before(
    integers: Integers, statement: Cursor, base: Cursor | None, offset: Linear
) -> bool:
    """Return whether a statement sets the element before the first rank's to zero."""
    if statement.kind not in BINARY or operator(statement) != "=" or base is None:
        return False
    left, right = children(statement)
    target = _element(integers, left)
    return (
        target is not None
        and constant(strip(right)) == 0
        and same(integers.program, target[0], base)
        and target[1] == offset.plus(number(1), -1)
    )


def _only(body: Cursor) -> Cursor | None:
    while body.kind == CursorKind.COMPOUND_STMT:
        inner = children(body)
        if len(inner) != 1:
            return None
        body = inner[0]
    return body


def loop_of(integers: Integers, statement: Cursor) -> Loop | None:
    """Return a loop that counts up by ones; None for other statements."""
    if statement.kind != CursorKind.FOR_STMT or len(children(statement)) != 4:
        return None
    begin, condition, step, body = children(statement)
    variable, value = begun(begin)
    if variable is None or value is None or operator(condition) not in ("<", "<="):
        return None
    if operator(step) not in ("x++", "++x"):
        return None
    counted, bound = children(condition)
    names = [strip(it) for it in (counted, children(step)[0])]
    usr = variable.get_usr()
    if any(it.kind != CursorKind.DECL_REF_EXPR or it.referenced.get_usr() != usr for it in names):
        return None
    first, end = integers.linear(value), integers.linear(bound)
    if first is None or end is None:
        return None
    more = 1 if operator(condition) == "<=" else 0
    end_text = text(integers.program, bound) + (" + 1" if more else "")
    own = begin.kind == CursorKind.DECL_STMT
    return Loop(
        statement, usr, variable.spelling, own, first, end.plus(number(more)), end_text, body
    )


# ---- R-TR-14


def _map(scope: Scope, one: Collective, behind: Sequence[Cursor]) -> Chain | None:
    if not behind:
        return None
    integers = Integers(scope, one.arguments["comm"])
    count = integers.linear(one.arguments["count"])
    statement, loop = behind[0], loop_of(integers, behind[0])
    body = _only(loop.body) if loop is not None else statement
    if body is None or body.kind not in BINARY or not operator(body).endswith("=") or count is None:
        return None
    if operator(body) in ("==", "!=", "<=", ">="):
        return None
    left, right = children(body)
    base, offset = _position(integers, one.target())
    element = _element(integers, left)
    if loop is not None:
        if element is None or base is None or not same(scope.program, element[0], base):
            return None
        if (
            element[1] != Linear(((loop.index, 1),), 0).plus(offset)
            or loop.first != number(0)
            or loop.end != count
        ):
            raise Refused(
                "R-TR-14",
                f"the loop of line {line(loop.statement)} does not go over all {scope.program.text(one.arguments['count'])} elements of the result, one by one",
            )
    else:
        target = strip(one.target())
        scalar = strip(children(target)[0]) if operator(target) == "&x" else None
        if scalar is None or not same(scope.program, scalar, left) or count != number(1):
            return None
    check_form(one)
    kind, operation = check_fold(one)
    function = _Function(scope, left, kind)
    value = function.c(right)
    if not function.uses and operator(body) == "=":
        return None
    sign = operator(body)[:-1]
    made = _begin(scope, one, "all-reduce and map", f"all_reduce NAME {kind}, map")
    made.operation = source(kind, operation, f"x {sign} ({value})" if sign else value)
    made.inputs.append(Input(buffer(scope, one), text(scope.program, one.arguments["count"])))
    made.results.append(Result(one, text(scope.program, one.target())))
    made.left_out = [statement]
    if loop is not None and not loop.is_own:
        made.instead = f"{loop.name} = {loop.end_text};"
    return made


class _Function:
    """The function of a map, as C of an operation."""

    def __init__(self, scope: Scope, element: Cursor, kind: str) -> None:
        self.scope, self.element, self.kind = scope, element, kind
        self.uses = False

    def c(self, expression: Cursor) -> str:
        """Return an expression as C in which `x` is the element."""
        node, program = uncovered(expression), self.scope.program
        if node.kind == CursorKind.CSTYLE_CAST_EXPR and node.type.spelling in _CASTS:
            return f"(({node.type.spelling}){self.c(children(node)[-1])})"
        if (
            node.kind
            in (
                CursorKind.DECL_REF_EXPR,
                CursorKind.ARRAY_SUBSCRIPT_EXPR,
                CursorKind.MEMBER_REF_EXPR,
            )
            or operator(node) == "*x"
        ):
            if same(program, node, self.element):
                self.uses = True
                return "x"
            value = constant(node)
            if value is not None:
                return f"({value})"
            raise Refused(
                "R-TR-14",
                f"`{program.text(node)}` of line {line(node)} is neither the element nor a constant, and the switch does not have it",
            )
        if node.kind in (CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL):
            tokens = [token.spelling for token in node.get_tokens()]
            return tokens[0] if tokens else program.text(node)
        parts = children(node)
        if node.kind in BINARY and operator(node) in (
            "+",
            "-",
            "*",
            "/",
            "%",
            "<",
            ">",
            "<=",
            ">=",
            "==",
            "!=",
            "&&",
            "||",
            "&",
            "|",
            "^",
            "<<",
            ">>",
        ):
            return f"({self.c(parts[0])} {operator(node)} {self.c(parts[1])})"
        if operator(node) in ("-", "+", "!", "~"):
            return f"({operator(node)}{self.c(parts[0])})"
        if node.kind == CursorKind.CONDITIONAL_OPERATOR:
            return "({} ? {} : {})".format(*(self.c(part) for part in parts))
        if node.kind == CursorKind.CALL_EXPR and called_name(node) in _FUNCTIONS:
            return f"__builtin_{called_name(node)}({self.c(next(iter(node.get_arguments())))})"
        what = called_name(node) if node.kind == CursorKind.CALL_EXPR else program.text(node)
        raise Refused(
            "R-TR-14", f"`{what}` of line {line(node)} is nothing that the map of an operation has"
        )
