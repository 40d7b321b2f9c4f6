"""Chains of two collectives of which one, or each, is made by a function that is called (R-TR-25)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from clang.cindex import Cursor, CursorKind

from .calls import Collective, Refused, all_in, check_communicator, check_form, collective
from .effects import Effects, of, outside, to_the_end
from .found import Chain, Input, Result
from .objects import Object, Scope, meet
from .pairs import Group, text
from .program import (
    Function,
    Program,
    arguments,
    children,
    constant,
    is_pointer,
    operator,
    path_of,
    strip,
    walk,
)

RULE = "R-TR-25"
AT_ONCE = ("Allreduce", "Alltoall")
_PLAIN = (CursorKind.CALL_EXPR, CursorKind.DECL_STMT, CursorKind.RETURN_STMT)
_MAYBE = (CursorKind.CONDITIONAL_OPERATOR, CursorKind.StmtExpr)


@dataclass(frozen=True)
class Called:
    """A statement that calls a function which makes one collective, and that one."""

    statement: Cursor
    call: Cursor
    function: Function
    collective: Collective
    """As the function makes it."""
    before: tuple[Cursor, ...]
    """Statements of the function up to the collective."""
    after: tuple[Cursor, ...]

    def argument(self, name: Cursor) -> Cursor | None:
        """Return what the call gives for a parameter of the function."""
        node = strip(name)
        if node.kind == CursorKind.DECL_REF_EXPR:
            usr, given = node.referenced.get_usr(), arguments(self.call)
            for parameter, value in zip(self.function.parameters, given, strict=False):
                if parameter.get_usr() == usr:
                    return value
        return None


def called(program: Program, statement: Cursor) -> Called | None:
    """Return the only collective of the functions that a statement calls. The function makes it
    once, whatever its values are. Return None where that does not hold.
    """
    plain = strip(statement)
    if plain.kind not in _PLAIN and not operator(plain).endswith("="):
        return None
    calls = [node for node in walk(plain) if node.kind == CursorKind.CALL_EXPR]
    found = [it for it in (_made(program, statement, call) for call in calls) if it is not None]
    if len(found) != 1 or list(all_in(program, statement)):
        return None
    maybe = [it for it in walk(plain) if it.kind in _MAYBE or operator(it) in ("&&", "||")]
    return None if maybe else found[0]


@dataclass(frozen=True)
class _Inside:
    """The only collective of a function, among the statements of its body."""

    at: int
    collective: Collective
    statements: tuple[Cursor, ...]


def _made(program: Program, statement: Cursor, call: Cursor) -> Called | None:
    function = program.function(call)
    if function is None or path_of(function.body) not in program.texts:
        return None
    made = _inside(program, function)
    # If not, a macro has written the call.
    if made is None or not program.text(call).startswith(function.name):
        return None
    before, after = made.statements[: made.at], made.statements[made.at + 1 :]
    # Two calls are two members of a pair, also of one function.
    return Called(statement, call, function, replace(made.collective), before, after)


def _inside(program: Program, function: Function) -> _Inside | None:
    key = f"inside {function.cursor.get_usr()}"
    if key not in program.known:
        program.known[key] = None
        if _number(program, function) == 1:
            inside = tuple(children(function.body))
            sites = [(at, it) for at, one in enumerate(inside) if (it := collective(program, one))]
            if len(sites) == 1 and sites[0][1].form.base in AT_ONCE:
                program.known[key] = _Inside(*sites[0], inside)
    found = program.known[key]
    assert found is None or isinstance(found, _Inside)
    return found


def _number(program: Program, function: Function) -> int:
    """Return how many collectives are in a function, and in those that it calls."""
    key = f"number {function.cursor.get_usr()}"
    found = program.known.get(key)
    if found is None:
        program.known[key] = 0  # for those that call themselves
        own = list(all_in(program, function.body))
        inner = {
            it.cursor.get_usr(): it
            for node in walk(function.body)
            if node.kind == CursorKind.CALL_EXPR
            and node not in own
            and (it := program.function(node)) is not None
        }
        found = len(own) + sum(_number(program, it) for it in inner.values())
        program.known[key] = found
    assert isinstance(found, int)
    return found


@dataclass(frozen=True)
class Side:
    """A collective of a pair: in the function itself, or in one that it calls."""

    own: Collective
    """As it is made."""
    called: Called | None

    @property
    def statement(self) -> Cursor:
        """The statement of the function itself."""
        return self.own.statement if self.called is None else self.called.statement

    @property
    def line(self) -> int:
        """The line of that statement."""
        return int(self.statement.extent.start.line)


class Pair:
    """Two collectives, and what lies between them."""

    def __init__(self, scope: Scope, first: Side, second: Side, between: list[Cursor]) -> None:
        self.scope, self.first, self.second, self.between = scope, first, second, between
        self.program = scope.program

    def chain(self) -> Chain:
        """Return the chain of the pair, or refuse it."""
        for side in (self.first, self.second):
            check_form(side.own)
        mapped = [self._mapped(side) for side in (self.first, self.second)]
        ahead, effects = self._ahead(), self._effects()
        check_communicator(self.program, self.scope, mapped[0], mapped[1], effects)
        for doing in (ahead, effects):
            if doing.problems:
                problem = doing.problems[0]
                raise Refused(problem.rule, f"line {problem.line}: {problem.why}")
        given, needs = self._input(self.second)
        ranks = f"netfold_ranks_of({text(self.program, mapped[1].arguments['comm'])})"
        given = replace(given, count=given.count.replace("netfold_ranks", ranks))
        self._check(needs, ahead, effects)
        group = Group(self.scope, mapped[0])
        group.add_elsewhere(mapped[1])
        kind = "at once, in two functions"
        first, second = self.first, self.second
        inputs = [self._own(first), given]
        results = [
            Result(first.own, text(self.program, first.own.target())),
            Result(second.own, text(self.program, second.own.target()), waits=True),
        ]
        function = self.scope.function
        expected = first.statement if first.called is not None else None
        guarded = [it.own for it in (first, second) if it.called is not None]
        return Chain(
            function.path, function.name, kind, group.stages,
            text(self.program, first.own.arguments["comm"]), [first.own, second.own], inputs,
            results, first.own, expected=expected, guarded=guarded,
            between_lines=(first.line, int(second.statement.extent.end.line)),
        )  # fmt: skip

    def _mapped(self, side: Side) -> Collective:
        """Return a collective with the caller's arguments in place of parameters."""
        if side.called is None:
            return side.own
        mapped = {name: side.called.argument(it) or it for name, it in side.own.arguments.items()}
        communicator = strip(mapped["comm"])
        is_name = communicator.kind == CursorKind.DECL_REF_EXPR
        if not is_name or (
            mapped["comm"] == side.own.arguments["comm"] and _is_local(communicator)
        ):
            written = self.program.text(communicator)
            raise Refused(
                "R-TR-2", f"`{written}` of {side.called.function.name} may be any communicator"
            )
        return replace(side.own, arguments=mapped)

    def _part(self, side: Side, parts: str) -> Effects:
        """Return what a called function does before or after its collective."""
        made = side.called
        if made is None:
            return Effects()
        inner = Scope(self.program, made.function)
        if parts == "after":
            return outside(
                self.scope, to_the_end(inner, made.after), made.function, arguments(made.call)
            )
        found = of(inner, made.before)
        parameters = {it.get_usr(): it.spelling for it in made.function.parameters}
        for it in found.writes:
            if it.kind == "local" and it.key in parameters:
                raise Refused(RULE, f"{made.function.name} writes to its parameter `{it.name}`")
        return outside(self.scope, found, made.function, arguments(made.call))

    def _ahead(self) -> Effects:
        """Return what the first function does before its collective."""
        return self._part(self.first, "before")

    def _effects(self) -> Effects:
        """Return what lies between the collectives."""
        found = Effects()
        for side, parts in ((self.first, "after"), (self.second, "before")):
            if side.called is not None:
                known = (side.called.call, self._part(side, parts))
                found.add(of(self.scope, [_plain(side.statement)], known))
        found.add(of(self.scope, self.between))
        return found

    def _gives(self) -> set[Object]:
        made = self.first.called
        if made is None:
            return self.first.own.gives(self.scope)
        inner = Effects(writes=self.first.own.gives(Scope(self.program, made.function)))
        return outside(self.scope, inner, made.function, arguments(made.call)).writes

    def _check(self, needs: set[Object], ahead: Effects, effects: Effects) -> None:
        one, two = self.first, self.second
        shared = meet(needs, self._gives())
        if shared is not None:
            raise Refused(
                "R-TR-12",
                f"{two.own.name} of line {two.line} needs `{shared.name}`, which may be what "
                f"{one.own.name} of line {one.line} gives",
            )
        written = meet(needs, effects.writes | ahead.writes)
        if written is not None:
            raise Refused(
                RULE,
                f"`{written.name}`, which {two.own.name} of line {two.line} needs, is computed "
                "between",
            )

    def _own(self, side: Side) -> Input:
        """Return what the first sends, as it is written where it is made."""
        one = side.own
        count = text(self.program, one.arguments.get("count") or one.arguments["sendcount"])
        return Input(text(self.program, one.source()), _times(one, count))

    def _input(self, side: Side) -> tuple[Input, set[Object]]:
        """Return what the second sends, as C of the function that calls, and what that needs."""
        made, one = side.called, side.own
        if made is None:
            return self._own(side), one.needs(self.scope)
        buffer, needs = self._buffer(made, one.source())
        counted = one.arguments.get("count") or one.arguments["sendcount"]
        passed = made.argument(counted)
        if constant(counted) is not None:
            count = text(self.program, counted)
        elif passed is not None:
            count = text(self.program, passed)
            needs = needs | self._evaluated(passed)
        else:
            raise self._computed(made, counted)
        communicator = made.argument(one.arguments["comm"])
        if communicator is not None:
            needs = needs | self._evaluated(communicator)
        return Input(buffer, _times(one, count)), needs

    def _buffer(self, made: Called, sent: Cursor) -> tuple[str, set[Object]]:
        passed = made.argument(sent)
        if passed is not None and is_pointer(passed):
            return text(self.program, passed), self._evaluated(passed) | self.scope.pointees(passed)
        node = strip(sent)
        if operator(node) == "&x":
            passed = made.argument(children(node)[0])
            if passed is not None:
                kind = strip(children(node)[0]).type.get_canonical().spelling
                value = f"&({kind}){{{text(self.program, passed)}}}"
                return value, self._evaluated(passed)
            node = strip(children(node)[0])
        is_seen = path_of(made.function.body) == path_of(self.scope.function.body)
        if node.kind == CursorKind.DECL_REF_EXPR and not _is_local(node) and is_seen:
            inner = Scope(self.program, made.function)
            return text(self.program, sent), inner.pointees(sent) | of(inner, [sent]).reads
        raise self._computed(made, sent)

    def _evaluated(self, value: Cursor) -> set[Object]:
        """Return what a value is computed from, which is evaluated once more."""
        found = of(self.scope, [value])
        if found.writes or found.problems:
            raise Refused(
                "R-TR-5",
                f"`{self.program.text(value)}` of line {self.second.line} does more than compute",
            )
        return found.reads

    def _computed(self, made: Called, what: Cursor) -> Refused:
        written = self.program.text(what)
        return Refused(
            RULE, f"`{written}`, which {made.function.name} sends, is not a parameter of it"
        )


def _is_local(name: Cursor) -> bool:
    parent = name.referenced.semantic_parent
    return parent is not None and parent.kind == CursorKind.FUNCTION_DECL


def _plain(statement: Cursor) -> Cursor:
    """Return a statement; of a `return` the value."""
    parts = children(statement)
    return parts[0] if statement.kind == CursorKind.RETURN_STMT and parts else statement


def _times(one: Collective, count: str) -> str:
    return f"({count}) * netfold_ranks" if one.form.base == "Alltoall" else count
