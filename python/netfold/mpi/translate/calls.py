"""Collectives as statements of a program, also those that wrappers make (R-TR-1 to R-TR-4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind

from ..signatures import IN_PLACE, OPERATIONS, TYPES, WORLD, Form, form
from .effects import Effects, of
from .objects import Object, Scope
from .program import Function, Program, arguments, called, children, line, operator, strip, walk

FOLDED = {"i32", "i64", "u8", "f32", "f64"}
"""Types whose elements netfold folds (R-TR-4)."""
OPERATORS = {"sum": "sum", "min": "min", "max": "max", "prod": "product"}
"""Operations of MPI that netfold has, and their names there."""
BYTES = {"8": 1, "16": 2, "32": 4, "64": 8, "128": 16}


class Refused(Exception):  # noqa: N818
    """A rule that does not hold."""

    def __init__(self, rule: str, why: str) -> None:
        super().__init__(why)
        self.rule, self.why = rule, why


@dataclass(frozen=True)
class Collective:
    """A statement that calls a collective."""

    form: Form
    statement: Cursor
    call: Cursor
    result: Cursor | None
    """The variable that the status is assigned to."""
    arguments: dict[str, Cursor]
    wrapper: str | None

    @property
    def line(self) -> int:
        """The line of the statement."""
        return line(self.statement)

    @property
    def name(self) -> str:
        """The name in the program."""
        return self.wrapper or self.form.name

    def type(self, which: str = "datatype") -> str | None:
        """Return the name of an element type by R-MTR-4; None for what is no type of MPI's."""
        return TYPES.get(_name(self.arguments[which]))

    def operation(self) -> str | None:
        """Return the name of the operation by R-MTR-4."""
        return OPERATIONS.get(_name(self.arguments["op"]))

    def in_place(self) -> bool:
        """Return whether it sends what is in the buffer that it receives into."""
        return "sendbuf" in self.arguments and _name(self.arguments["sendbuf"]) == IN_PLACE

    def source(self) -> Cursor:
        """Return the buffer that it sends from."""
        if self.in_place() or "sendbuf" not in self.arguments:
            return self.target()
        return self.arguments["sendbuf"]

    def target(self) -> Cursor:
        """Return the buffer that it receives into."""
        return self.arguments.get("recvbuf") or self.arguments["buffer"]

    def needs(self, scope: Scope) -> set[Object]:
        """Return what it reads: what it sends, and what its arguments are computed from."""
        found = scope.pointees(self.source()) if self.form.base != "Barrier" else set()
        for name in ("sendcounts", "sdispls", "recvcounts", "rdispls", "displs"):
            if name in self.arguments:
                found = found | scope.pointees(self.arguments[name])
        return found | self.evaluates(scope).reads

    def evaluates(self, scope: Scope) -> Effects:
        """Return what evaluating its arguments does."""
        return of(scope, self.arguments.values())

    def gives(self, scope: Scope) -> set[Object]:
        """Return what it writes."""
        found = scope.pointees(self.target()) if self.form.base != "Barrier" else set()
        return found | (scope.lvalue(self.result) if self.result is not None else set())


def _name(expression: Cursor) -> str:
    node = strip(expression)
    return str(node.spelling) if node.kind == CursorKind.DECL_REF_EXPR else ""


def collective(program: Program, statement: Cursor) -> Collective | None:
    """Return the collective that a statement calls; None if it calls none, or several."""
    node, result = statement, None
    if operator(node) == "=":
        left, right = children(node)
        if strip(left).kind != CursorKind.DECL_REF_EXPR:
            return None
        node, result = right, left
    call = strip(node)
    if call.kind != CursorKind.CALL_EXPR:
        return None
    found = _resolved(program, call, 8)
    if found is None:
        return None
    made, given, wrapper = found
    return Collective(made, statement, call, result, given, wrapper)


def _resolved(
    program: Program, call: Cursor, depth: int
) -> tuple[Form, dict[str, Cursor], str | None] | None:
    name, given = called(call), arguments(call)
    made = form(name)
    if made is not None:
        if len(given) != len(made.parameters):
            return None
        return made, dict(zip(made.parameters, given, strict=True)), None
    function = program.function(call) if depth else None
    inner = _last_call(function) if function is not None else None
    if function is None or inner is None:
        return None
    found = _resolved(program, inner, depth - 1)
    if found is None or not _only_checks(program, function):
        return None
    parameters = {it.get_usr(): at for at, it in enumerate(function.parameters)}
    mapped: dict[str, Cursor] = {}
    for key, value in found[1].items():
        bare = strip(value)
        is_name = bare.kind == CursorKind.DECL_REF_EXPR
        at = parameters.get(bare.referenced.get_usr()) if is_name else None
        if at is not None and at < len(given):
            mapped[key] = given[at]
        elif any(
            it.referenced.get_usr() in parameters
            for it in walk(bare)
            if it.kind == CursorKind.DECL_REF_EXPR
        ):
            return None
        else:
            mapped[key] = value
    return found[0], mapped, name


def _last_call(function: Function) -> Cursor | None:
    """Return the call that a function's body ends with."""
    statements = children(function.body)
    if not statements:
        return None
    last = statements[-1]
    if last.kind == CursorKind.RETURN_STMT and children(last):
        last = children(last)[0]
    node = strip(last)
    return node if node.kind == CursorKind.CALL_EXPR else None


def _only_checks(program: Program, function: Function) -> bool:
    """Return whether what stands before the end of a function's body only checks parameters."""
    key = f"checks {function.cursor.get_usr()}"
    if key not in program.known:
        checks = of(Scope(program, function), children(function.body)[:-1])
        program.known[key] = not (checks.writes or checks.problems)
    return bool(program.known[key])


def check_form(one: Collective) -> None:
    """Refuse collectives of other forms (R-TR-2)."""
    if one.form.nonblocking or one.form.persistent or one.form.neighbor:
        raise Refused("R-TR-2", f"{one.name} of line {one.line} is not a plain blocking collective")


def check_fold(one: Collective) -> tuple[str, str]:
    """Return element type and operation of a fold as netfold names them (R-TR-4)."""
    kind, operation = one.type(), one.operation()
    if kind is None:
        raise Refused("R-TR-4", f"{one.name} of line {one.line} folds elements of a derived type")
    if kind not in FOLDED:
        raise Refused(
            "R-TR-4", f"{one.name} of line {one.line} folds {kind}, which netfold does not"
        )
    if operation is None:
        raise Refused(
            "R-TR-4", f"{one.name} of line {one.line} folds by an operation of the program's own"
        )
    if operation not in OPERATORS:
        raise Refused(
            "R-TR-4", f"{one.name} of line {one.line} folds by {operation}, which netfold does not"
        )
    return kind, OPERATORS[operation]


def check_moved(one: Collective) -> str:
    """Return the element type of a collective that moves elements (R-TR-4)."""
    sent = "sendtype" if "sendtype" in one.arguments and not one.in_place() else "recvtype"
    kinds = {one.type(sent if "recvtype" in one.arguments else "datatype")}
    if "recvtype" in one.arguments:
        kinds.add(one.type("recvtype"))
    kind = kinds.pop()
    if kinds or kind is None or "," in kind or kind == "bytes":
        raise Refused(
            "R-TR-4",
            f"{one.name} of line {one.line} moves elements of a type that is not MPI's own, or of two",
        )
    return kind


def check_communicator(
    program: Program, scope: Scope, one: Collective, other: Collective, between: Effects
) -> None:
    """Refuse collectives on two communicators (R-TR-2)."""
    comms = [strip(it.arguments["comm"]) for it in (one, other)]
    texts = [program.text(it) for it in comms]
    if any(it.kind not in (CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR) for it in comms):
        raise Refused("R-TR-2", f"the communicator `{texts[0]}` is not a variable")
    names = [it.referenced.get_usr() for it in comms]
    if names[0] != names[1] or texts[0] != texts[1]:
        raise Refused("R-TR-2", f"they are on two communicators, `{texts[0]}` and `{texts[1]}`")
    if texts[0] != WORLD and scope.lvalue(comms[0]) & between.writes:
        raise Refused("R-TR-2", f"the communicator `{texts[0]}` is assigned to between them")


def all_in(program: Program, statement: Cursor) -> Iterator[Cursor]:
    """Yield the calls of collectives anywhere in a statement."""
    for node in walk(statement):
        if node.kind == CursorKind.CALL_EXPR and _resolved(program, node, 8) is not None:
            yield node
