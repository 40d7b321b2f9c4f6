"""The search for chains in a program, block by block."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind

from ..chains import between as chain_of
from . import across, pairs, single
from .calls import (
    Collective,
    Refused,
    all_in,
    check_communicator,
    check_form,
    collective,
)
from .effects import Effects, of
from .found import Chain, Refusal
from .objects import Scope
from .program import Function, Program, children, line, path_of, span, walk

Said = Chain | Refusal


@dataclass(frozen=True)
class Site:
    """A collective and its place in a block."""

    block: int
    at: int
    collective: Collective
    called: across.Called | None = None
    """The call that it is made by, if it is made by a function that is called."""

    @property
    def statement(self) -> Cursor:
        """The statement of the block."""
        return self.collective.statement if self.called is None else self.called.statement

    @property
    def side(self) -> across.Side:
        """The collective as one of a pair."""
        return across.Side(self.collective, self.called)


def find(program: Program) -> list[Said]:
    """Return the chains of a program, and what it refuses, in the order of files and lines."""
    said: list[Said] = []
    for function in program.functions.values():
        if path_of(function.body) in program.texts:
            said += _in_function(program, function)
    return sorted(said, key=lambda it: (str(it.path), it.lines))


def _in_function(program: Program, function: Function) -> list[Said]:
    scope = Scope(program, function)
    blocks = [node for node in walk(function.body) if node.kind == CursorKind.COMPOUND_STMT]
    statements = [children(block) for block in blocks]
    sites: list[Site] = []
    for block, inside in enumerate(statements):
        for at, statement in enumerate(inside):
            made = collective(program, statement)
            by = across.called(program, statement) if made is None else None
            if made is not None and made.form.base != "Barrier":
                sites.append(Site(block, at, made))
            elif by is not None and _is_free(program, by):
                sites.append(Site(block, at, by.collective, by))
    sites.sort(key=lambda site: span(site.statement)[0])
    said: list[Said] = []
    at = 0
    while at < len(sites):
        found, more = _from(_Search(scope, statements, sites), at)
        said += found
        at += more
    return said


def _is_free(program: Program, by: across.Called) -> bool:
    """Return whether the function that makes a collective has no chain of its own with it."""
    try:
        return single.chain(Scope(program, by.function), by.collective, by.after) is None
    except Refused:
        return True


@dataclass(frozen=True)
class _Search:
    scope: Scope
    statements: list[list[Cursor]]
    sites: list[Site]

    def between(self, first: Site, second: Site) -> list[Cursor]:
        return self.statements[first.block][first.at + 1 : second.at]

    def behind(self, site: Site) -> list[Cursor]:
        return self.statements[site.block][site.at + 1 :]


def _from(search: _Search, at: int) -> tuple[list[Said], int]:
    """Return what is said about the collectives from one on, and how many these are."""
    first = search.sites[at]
    said: list[Said] = []
    group: pairs.Group | None = None
    taken = 1
    while at + taken < len(search.sites):
        second = search.sites[at + taken]
        before = search.sites[at + taken - 1]
        if first.called is not None or second.called is not None:
            if group is not None or not {it.collective.form.base for it in (first, second)} <= set(
                across.AT_ONCE
            ):
                break
            try:
                return [_across(search, first, second)], 2
            except Refused as refused:
                said.append(_refusal(search, first.side, second.side, refused))
                break
        chain = [
            chain_of(before.collective.form.base, second.collective.form.base, it)
            for it in (True, False)
        ]
        if chain == [None, None]:
            break
        try:
            effects = _may_stand(search, before, second)
            if chain[1] is None:
                whole = pairs.dependent(search.scope, before.collective, second.collective, effects)
                return [*said, whole], taken + 1
            if group is None:
                group = pairs.Group(search.scope, first.collective)
            group.add(second.collective, effects)
        except Refused as refused:
            said.append(_refusal(search, before.side, second.side, refused))
            break
        taken += 1
    if group is not None and len(group.collectives) > 1:
        return [group.chain(), *said], taken
    alone = _alone(search, first) if first.called is None else None
    if alone is None or (said and isinstance(alone, Refusal)):
        return said, 1
    return [alone, *said], 1


def _alone(search: _Search, site: Site) -> Said | None:
    """Return what is said about a collective and the loop behind it."""
    try:
        return single.chain(search.scope, site.collective, search.behind(site))
    except Refused as refused:
        name = "the loop behind it" if site.collective.form.base == "Allgather" else "what follows"
        lines = (site.collective.line, site.collective.line)
        function = search.scope.function
        names = (site.collective.name, name)
        return Refusal(function.path, function.name, names, lines, refused.rule, refused.why)


def _across(search: _Search, first: Site, second: Site) -> Chain:
    """Return the chain of two collectives in two functions, or refuse them."""
    program = search.scope.program
    _check_place(search, first, second)
    for site in (first, second):
        _check_text(program, site.collective)
    return across.Pair(search.scope, first.side, second.side, search.between(first, second)).chain()


def _check_place(search: _Search, first: Site, second: Site) -> None:
    """Refuse two that do not stand in one block, or whose text is not always there (R-TR-1)."""
    if first.block != second.block:
        raise Refused("R-TR-1", _apart(search, first, second))
    start, end = span(first.statement)[0], span(second.statement)[1]
    text = search.scope.program.texts[path_of(first.statement)]
    if _conditions(text[:start]) != _conditions(text[:end]):
        raise Refused("R-TR-1", "a condition of the preprocessor begins or ends between them")


def _may_stand(search: _Search, first: Site, second: Site) -> Effects:
    """Return what lies between two collectives, or refuse them by R-TR-1, R-TR-2 and R-TR-5."""
    one, two = first.collective, second.collective
    for it in (one, two):
        check_form(it)
    _check_place(search, first, second)
    program = search.scope.program
    for it in (one, two):
        _check_text(program, it)
    between = search.between(first, second)
    inner = next((call for statement in between for call in all_in(program, statement)), None)
    if inner is not None:
        raise Refused(
            "R-TR-1",
            f"the collective of line {line(inner)} lies between them, in a block of its own",
        )
    effects = of(search.scope, between)
    check_communicator(program, search.scope, one, two, effects)
    for it in (one, two):
        evaluated = it.evaluates(search.scope)
        if evaluated.writes or evaluated.problems:
            raise Refused(
                "R-TR-5", f"the arguments of {it.name} of line {it.line} do more than compute"
            )
    if effects.problems:
        problem = effects.problems[0]
        raise Refused(problem.rule, f"line {problem.line}: {problem.why}")
    return effects


def _apart(search: _Search, first: Site, second: Site) -> str:
    """Return why two collectives of different blocks may not both be made."""
    function = search.scope.function
    deeper = second if second.block > first.block else first
    target = span(deeper.statement)
    around = [
        node
        for node in walk(function.body)
        if node.kind
        in (
            CursorKind.IF_STMT,
            CursorKind.FOR_STMT,
            CursorKind.WHILE_STMT,
            CursorKind.DO_STMT,
            CursorKind.SWITCH_STMT,
        )
        and span(node)[0] <= target[0]
        and target[1] <= span(node)[1]
    ]
    if not around:
        return "they stand in different blocks"
    word = {"IF_STMT": "if", "SWITCH_STMT": "switch"}.get(around[-1].kind.name, "loop")
    return f"the one of line {deeper.side.line} stands in the `{word}` of line {line(around[-1])}, the other outside"


def _conditions(text: bytes) -> tuple[tuple[int, int], ...]:
    """Return the conditions of the preprocessor that are open at the end of a text: the number of
    each, and that of its branch.
    """
    opened: list[tuple[int, int]] = []
    count = 0
    for row in text.split(b"\n"):
        word = row.strip().replace(b"# ", b"#")
        if word.startswith(b"#if"):
            count += 1
            opened.append((count, 0))
        elif word.startswith((b"#else", b"#elif")) and opened:
            opened[-1] = (opened[-1][0], opened[-1][1] + 1)
        elif word.startswith(b"#endif") and opened:
            opened.pop()
    return tuple(opened)


def _check_text(program: Program, one: Collective) -> None:
    """Refuse a call whose text is not its own (R-TR-19)."""
    text = program.text(one.statement)
    start = span(one.statement)[0]
    before = program.texts[path_of(one.statement)][:start].rstrip().split(b"\n")[-1].strip()
    if text.count("(") != text.count(")") or not text.endswith(")") or "(" not in text:
        raise Refused("R-TR-19", f"{one.name} of line {one.line} is written by a macro")
    if before.startswith(b"#pragma"):
        raise Refused(
            "R-TR-1", f"`{before.decode()}` decides who makes the call of line {one.line}"
        )


def _refusal(search: _Search, one: across.Side, two: across.Side, refused: Refused) -> Refusal:
    function = search.scope.function
    return Refusal(
        function.path,
        function.name,
        (one.own.name, two.own.name),
        (one.line, two.line),
        refused.rule,
        refused.why,
    )


def chains(said: list[Said]) -> Iterator[Chain]:
    """Yield those that are found."""
    for it in said:
        if isinstance(it, Chain):
            yield it
