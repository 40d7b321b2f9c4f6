"""Collectives of a repository: calls by name, through wrappers, and what their arguments mean."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..signatures import IN_PLACE, OPERATIONS, SELF, TYPES, WORLD, Form, form
from .parser import calls_of
from .source import Call, Source, base, names

DEPTH = 8
"""Wrappers of wrappers are followed so far."""

_MAKES_COMMUNICATOR = re.compile(
    r"^mpi_(comm_(split|dup|create|idup|join|accept|connect)|cart_|graph_|dist_graph|intercomm)",
    re.IGNORECASE,
)
_MAKES_TYPE = re.compile(
    r"^mpi_type_(contiguous|vector|hvector|create_|indexed|hindexed|struct|dup)", re.IGNORECASE
)
_ERRORS = ("ierr", "ierror", "ier", "mpierr", "info")
_BESIDE = ("Comm_", "Abort", "Barrier", "Wtime", "Type_size", "Op_free")
"""Parts of names of calls that a wrapper may make beside its collective."""


@dataclass(frozen=True)
class Wrapper:
    """A function or macro that makes one collective with arguments of its own."""

    name: str
    form: Form
    arguments: tuple[str | int, ...]
    """For each parameter of the collective the number of the wrapper's, or an expression."""


@dataclass(frozen=True)
class Collective:
    """A call of a collective in a source."""

    path: str
    line: int
    function: str | None
    form: Form
    written: str
    """The name in the source: that of the collective, or of a wrapper."""
    inside: bool
    """It is the call that a wrapper makes, which others call."""
    values: dict[str, str]
    """Arguments by the collective's own names of its parameters."""
    communicator: str
    """`world`, `self`, `made`, `parameter` or `variable`."""
    type: str | None
    """A name of R-MTR-4, `derived`, or None if a parser cannot tell."""
    operation: str | None
    """The same; `user` for a user's. None if nothing is folded, or a parser cannot tell."""
    in_place: bool
    block: int
    place: int | None
    """The number of its function in the file."""

    @property
    def sends(self) -> str:
        """Name of the buffer that it sends from."""
        sent = self.values.get("sendbuf") or self.values.get("buffer") or ""
        return self.receives if sent.upper() == IN_PLACE else base(sent)

    @property
    def receives(self) -> str:
        """Name of the buffer that it receives into."""
        return base(self.values.get("recvbuf") or self.values.get("buffer") or "")


@dataclass(frozen=True)
class UserOperation:
    """A call of `MPI_Op_create`."""

    path: str
    line: int
    function: str
    """The function that combines."""
    commutes: str
    name: str


@dataclass(frozen=True)
class DerivedType:
    """A call that makes a type."""

    path: str
    line: int
    constructor: str
    name: str


class Names:
    """Meanings of the names of a repository."""

    def __init__(self, sources: Iterable[Source]) -> None:
        self._values: dict[str, set[str]] = defaultdict(set)
        self.communicators: set[str] = set()
        self.types: set[str] = set()
        self.operations: set[str] = set()
        for source in sources:
            for assignment in source.assignments:
                self._values[assignment.left].add(assignment.right)
            for macro in source.macros:
                if macro.parameters is None and macro.body:
                    self._values[macro.name].add(macro.body)
            for call in source.calls:
                made = _made(call)
                if _MAKES_COMMUNICATOR.match(call.name) and made:
                    self.communicators.add(made)
                elif _MAKES_TYPE.match(call.name) and made:
                    self.types.add(made)
                elif call.name.lower() == "mpi_op_create" and len(call.arguments) > 2:
                    self.operations.add(base(call.arguments[2]))

    def value(self, text: str, known: Iterable[str]) -> str:
        """Return one of `known` that an expression stands for by macros and assignments, in upper
        case; otherwise the expression.
        """
        known = set(known)
        name, seen = text, set[str]()
        while name.upper() not in known and name not in seen:
            seen.add(name)
            values = {base(value) for value in self._values.get(base(name), ())}
            if len(values) != 1:
                return text
            name = values.pop()
        return name.upper() if name.upper() in known else text


def _made(call: Call) -> str:
    """Return the name of what a constructor makes: its last argument but Fortran's `ierror`."""
    arguments = [argument for argument in call.arguments if base(argument).lower() not in _ERRORS]
    return base(arguments[-1]) if arguments else ""


class Resolver:
    """Wrappers of a repository, found in its sources."""

    def __init__(self) -> None:
        self.wrappers: dict[str, Wrapper] = {}

    def called(self, sources: Iterable[Source]) -> set[str]:
        """Return the names of the wrappers that are called."""
        return {call.name for source in sources for call in source.calls} & set(self.wrappers)

    def learn(self, sources: Sequence[Source]) -> set[str]:
        """Find wrappers. Returns the names of those that were not known before."""
        before = set(self.wrappers)
        for _ in range(DEPTH):
            known = dict(self.wrappers)
            for source in sources:
                self._functions(source)
                self._macros(source)
            if self.wrappers == known:
                break
        return set(self.wrappers) - before

    def find(self, call: Call) -> tuple[Form, dict[str, str]] | None:
        """Return the collective that a call makes, and its arguments by name."""
        return self._resolve(call.name, call.arguments)

    def _resolve(self, name: str, arguments: tuple[str, ...]) -> tuple[Form, dict[str, str]] | None:
        wrapper = self.wrappers.get(name)
        if wrapper is not None:
            given = [
                argument if isinstance(argument, str) else _at(arguments, argument)
                for argument in wrapper.arguments
            ]
            return wrapper.form, dict(zip(wrapper.form.parameters, given, strict=False))
        found = form(name)
        if found is None:
            return None
        values = dict(zip(found.parameters, arguments, strict=False))
        for argument in arguments:  # Fortran's by keyword
            keyword, equals, value = argument.partition("=")
            if equals and keyword.strip().lower() in found.parameters and value[:1] != "=":
                values[keyword.strip().lower()] = value.strip()
        return found, values

    def _functions(self, source: Source) -> None:
        inside: dict[int, list[Call]] = defaultdict(list)
        for call in source.calls:
            if call.function is not None:
                inside[call.function].append(call)
        for number, calls in inside.items():
            function = source.functions[number]
            self._consider(
                function.name, function.parameters, [(c.name, c.arguments) for c in calls]
            )

    def _macros(self, source: Source) -> None:
        for macro in source.macros:
            if macro.parameters is None:
                target = macro.body if re.fullmatch(r"\w+", macro.body) else ""
                found = self.wrappers.get(target) or form(target)
                if isinstance(found, Form):
                    found = Wrapper(macro.name, found, tuple(range(len(found.parameters))))
                if found is not None:
                    self._add(Wrapper(macro.name, found.form, found.arguments))
            elif "(" in macro.body:
                self._consider(macro.name, macro.parameters, calls_of(macro.body))

    def _consider(
        self, name: str, parameters: tuple[str, ...], calls: list[tuple[str, tuple[str, ...]]]
    ) -> None:
        """Take a function for a wrapper if it makes one collective, whose buffer is a parameter,
        and either is named after it or makes no other call.
        """
        found = [
            (self._resolve(called, arguments), called)
            for called, arguments in calls
            if called != name
        ]
        collectives = [it for it, _ in found if it is not None]
        others = [
            called for it, called in found
            if it is None and not any(part.lower() in called.lower() for part in _BESIDE)
        ]  # fmt: skip
        if not name or not collectives or form(name) is not None:
            return
        named = [it for it in collectives if it[0].base.lower() in name.lower()]
        if not named and (others or len(collectives) > 1):
            return
        made, values = max(named or collectives, key=lambda it: len(it[0].base))
        mapped = tuple(_parameter(values.get(key, ""), parameters) for key in made.parameters)
        by_name = dict(zip(made.parameters, mapped, strict=True))
        buffer = by_name.get("sendbuf", by_name.get("buffer", by_name.get("comm")))
        if isinstance(buffer, int):
            self._add(Wrapper(name, made, mapped))

    def _add(self, wrapper: Wrapper) -> None:
        if form(wrapper.name) is not None:
            return
        before = self.wrappers.get(wrapper.name)
        # A name may be defined for several configurations: the collective that it is named after.
        if before is None or _named_after(wrapper) > _named_after(before):
            self.wrappers[wrapper.name] = wrapper


def _named_after(wrapper: Wrapper) -> int:
    base = wrapper.form.base
    return len(base) if base.lower() in wrapper.name.lower() else 0


def _at(arguments: tuple[str, ...], number: int) -> str:
    return arguments[number] if number < len(arguments) else ""


def _parameter(text: str, parameters: tuple[str, ...]) -> str | int:
    used = {name for name in names(text) if name in parameters}
    return parameters.index(used.pop()) if len(used) == 1 else text


def collectives(sources: Sequence[Source], resolver: Resolver) -> Iterator[Collective]:
    """Yield the calls of collectives in these sources, in the order of files and lines."""
    meanings, called = Names(sources), resolver.called(sources)
    for source in sources:
        for call in source.calls:
            found = resolver.find(call)
            if found is not None:
                yield _collective(source, call, found, meanings, called)


def _collective(
    source: Source,
    call: Call,
    found: tuple[Form, dict[str, str]],
    meanings: Names,
    wrappers: set[str],
) -> Collective:
    made, values = found
    function = source.functions[call.function] if call.function is not None else None
    parameters = function.parameters if function is not None else ()
    return Collective(
        path=source.path,
        line=call.line,
        function=function.name if function is not None else None,
        form=made,
        written=call.name,
        inside=function is not None and function.name in wrappers,
        values=values,
        communicator=_communicator(values.get("comm", ""), meanings, parameters),
        type=_type(values, meanings),
        operation=_operation(values.get("op"), meanings),
        in_place=any(value.upper() == IN_PLACE for value in values.values()),
        block=call.block,
        place=call.function,
    )


def _communicator(text: str, meanings: Names, parameters: tuple[str, ...]) -> str:
    value = meanings.value(text, (WORLD, SELF))
    if value in (WORLD, SELF):
        return "world" if value == WORLD else "self"
    name = base(text)
    if meanings.communicators & {name, *names(text)[-1:]}:
        return "made"
    return "parameter" if name in parameters else "variable"


def _type(values: dict[str, str], meanings: Names) -> str | None:
    for parameter in ("datatype", "sendtype", "recvtype"):
        text = values.get(parameter)
        if not text:
            continue
        value = meanings.value(text.replace("MPI::", "MPI_"), TYPES)
        if value in TYPES:
            return TYPES[value]
        if any(name in meanings.types for name in names(text)):
            return "derived"
    return None


def _operation(text: str | None, meanings: Names) -> str | None:
    if text is None:
        return None
    value = meanings.value(text.replace("MPI::", "MPI_"), OPERATIONS)
    if value in OPERATIONS:
        return OPERATIONS[value]
    return "user" if any(name in meanings.operations for name in names(text)) else None


def user_operations(sources: Iterable[Source]) -> Iterator[UserOperation]:
    """Yield the operations that these sources make."""
    for source in sources:
        for call in source.calls:
            if call.name.lower() == "mpi_op_create" and len(call.arguments) > 2:
                function, commutes, name = call.arguments[:3]
                yield UserOperation(source.path, call.line, base(function), commutes, base(name))


def derived_types(sources: Iterable[Source]) -> Iterator[DerivedType]:
    """Yield the types that these sources make."""
    for source in sources:
        for call in source.calls:
            if _MAKES_TYPE.match(call.name):
                yield DerivedType(source.path, call.line, call.name, _made(call))
