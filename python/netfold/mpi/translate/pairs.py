"""Chains of two collectives and more: the rules R-TR-12 and R-TR-15 to R-TR-17."""

from __future__ import annotations

from clang.cindex import Cursor

from .calls import Collective, Refused, check_fold, check_moved
from .copies import Copies
from .effects import Effects
from .found import Chain, Input, Result
from .objects import Object, Scope, meet
from .program import Program, same
from .ranks import SIZES, Integers, number


def text(program: Program, expression: Cursor) -> str:
    """Return an expression as it is written, ready to stand in a list."""
    written = " ".join(program.text(expression).split())
    return f"({written})" if "," in written and not written.endswith(")") else written


def buffer(scope: Scope, one: Collective) -> str:
    """Return the buffer that a collective sends from, as C."""
    return text(scope.program, one.source())


class Group:
    """Collectives that are under way at once (R-TR-12)."""

    def __init__(self, scope: Scope, first: Collective) -> None:
        self.scope, self.collectives = scope, [first]
        self._at = first
        self._stages = [self._stage(first)]

    def add(self, one: Collective, between: Effects) -> None:
        """Add the next one, or refuse it."""
        stage = self._stage(one)
        if stage.split()[-1] != self._stages[0].split()[-1]:
            raise Refused("R-TR-12", "their elements are of two types")
        needs = one.needs(self.scope)
        for other in self.collectives:
            shared = meet(needs, other.gives(self.scope))
            if shared is not None:
                raise Refused(
                    "R-TR-12",
                    f"{one.name} of line {one.line} needs `{shared.name}`, which may be what "
                    f"{other.name} of line {other.line} gives",
                )
        written = meet(needs, between.writes)
        if written is not None:
            self._at_the_last(one, between, written)
        elif self._at is not self.collectives[0]:
            raise Refused(
                "R-TR-12",
                f"two collectives stand at the second's place, line {self._at.line}, already",
            )
        self.collectives.append(one)
        self._stages.append(stage)

    def add_elsewhere(self, one: Collective) -> None:
        """Add one of another function, of which all else is known."""
        stage = self._stage(one)
        if stage.split()[-1] != self._stages[0].split()[-1]:
            raise Refused("R-TR-12", "their elements are of two types")
        self._stages.append(stage)

    @property
    def stages(self) -> str:
        """The stages, as `netfold_mpi.h` takes them."""
        return "; ".join(self._stages)

    def _at_the_last(self, one: Collective, between: Effects, written: Object) -> None:
        """Put the call in the place of the second, if what lies between may come first."""
        first = self.collectives[0]
        where = f"`{written.name}`, which {one.name} of line {one.line} needs, is computed between"
        if len(self.collectives) > 1:
            raise Refused("R-TR-12", where)
        gives, needs = first.gives(self.scope), first.needs(self.scope)
        used = meet(gives, between.reads)
        if used is not None:
            raise Refused("R-TR-12", f"{where}, maybe from `{used.name}`, which {first.name} gives")
        changed = meet(gives | needs, between.writes)
        if changed is not None:
            raise Refused(
                "R-TR-12", f"{where}, and so is `{changed.name}`, which {first.name} uses"
            )
        self._at = one

    def _stage(self, one: Collective) -> str:
        if one.form.base == "Allreduce":
            kind, operation = check_fold(one)
            return f"all_reduce {operation} {kind}"
        if one.in_place():
            raise Refused("R-TR-4", f"{one.name} of line {one.line} exchanges in place")
        return f"all_to_all {check_moved(one)}"

    def chain(self) -> Chain:
        """Return the chain."""
        program, scope = self.scope.program, self.scope
        inputs, results = [], []
        for one in self.collectives:
            count = text(program, one.arguments.get("count") or one.arguments["sendcount"])
            if one.form.base == "Alltoall":
                count = f"({count}) * netfold_ranks"
            inputs.append(Input(buffer(scope, one), count))
            waits = self._at is self.collectives[0] and one is not self._at
            results.append(Result(one, text(program, one.target()), waits))
        return Chain(
            scope.function.path, scope.function.name, "at once", self.stages,
            text(program, self._at.arguments["comm"]), self.collectives, inputs, results, self._at,
        )  # fmt: skip


def dependent(scope: Scope, first: Collective, second: Collective, between: Effects) -> Chain:
    """Return the chain of two collectives of which the second sends what the first gives, or
    refuse it.
    """
    kinds = {
        ("Scan", "Bcast"): _scan_broadcast,
        ("Reduce", "Bcast"): _to_all,
        ("Gather", "Bcast"): _to_all,
        ("Alltoall", "Alltoallv"): _rows,
    }
    kind = kinds.get((first.form.base, second.form.base))
    if kind is None:
        raise Refused("R-TR-12", f"no chain has {first.name} and {second.name} in this form")
    return kind(scope, first, second, between)


def _begin(scope: Scope, kind: str, stages: str, both: tuple[Collective, Collective]) -> Chain:
    communicator = text(scope.program, both[0].arguments["comm"])
    path, name = scope.function.path, scope.function.name
    return Chain(path, name, kind, stages, communicator, list(both), [], [], both[0])


def _scan_broadcast(scope: Scope, first: Collective, second: Collective, _: Effects) -> Chain:
    """R-TR-15."""
    program = scope.program
    kind, operation = check_fold(first)
    integers = Integers(scope, first.arguments["comm"])
    root = integers.linear(second.arguments["root"])
    if root != SIZES.plus(number(1), -1):
        written = program.text(second.arguments["root"])
        raise Refused(
            "R-TR-15",
            f"the root `{written}` of line {second.line} is not known to be the last rank",
        )
    counts = [integers.linear(it.arguments["count"]) for it in (first, second)]
    if counts[0] is None or counts[0] != counts[1] or second.type() != first.type():
        raise Refused("R-TR-15", "they have other counts or types")
    copies = Copies(scope, integers, first.target(), counts[0] == number(1))
    copies.follow(first.statement, second.statement)
    if not copies.has(second.target()):
        sent = program.text(second.target())
        raise Refused(
            "R-TR-15",
            f"`{sent}` of line {second.line} is not known to be the last rank's result of the scan",
        )
    chain = _begin(
        scope, "scan and broadcast", f"scan+ {operation} {kind}, broadcast", (first, second)
    )
    chain.inputs.append(Input(buffer(scope, first), text(program, first.arguments["count"])))
    chain.results = [
        Result(first, text(program, first.target())),
        Result(second, text(program, second.target()), waits=True),
    ]
    return chain


def _to_all(scope: Scope, first: Collective, second: Collective, between: Effects) -> Chain:
    """R-TR-16."""
    program = scope.program
    integers = Integers(scope, first.arguments["comm"])
    roots = [it.arguments["root"] for it in (first, second)]
    values = [integers.linear(it) for it in roots]
    if not (same(program, *roots) or (values[0] is not None and values[0] == values[1])):
        raise Refused(
            "R-TR-16",
            f"their roots `{program.text(roots[0])}` and `{program.text(roots[1])}` may be two ranks",
        )
    if first.in_place() or not same(program, first.target(), second.target()):
        raise Refused(
            "R-TR-16", f"`{program.text(second.target())}` is not all of what {first.name} gives"
        )
    is_reduce = first.form.base == "Reduce"
    stage = " ".join(reversed(check_fold(first))) if is_reduce else check_moved(first)
    count = integers.linear(first.arguments["count" if is_reduce else "recvcount"])
    if count is not None and not is_reduce:
        ones = count.constant if not count.terms else None
        count = SIZES.times(ones) if ones is not None else None
    kinds = {
        it.type("datatype" if "datatype" in it.arguments else "recvtype") for it in (first, second)
    }
    if count is None or count != integers.linear(second.arguments["count"]) or len(kinds) > 1:
        raise Refused(
            "R-TR-16",
            f"`{program.text(second.arguments['count'])}` elements are not all that {first.name} gives",
        )
    touched = meet(first.gives(scope) | second.evaluates(scope).reads, between.writes) or meet(
        first.gives(scope), between.reads
    )
    if touched is not None:
        raise Refused("R-TR-16", f"`{touched.name}` is used between them")
    name = "reduce" if is_reduce else "gather"
    root = text(program, roots[0])
    chain = _begin(scope, f"{name} and broadcast", f"{name} {stage}, broadcast", (first, second))
    chain.notes.append(f"root `{root}`: every rank gets the result at once")
    sent = "count" if is_reduce else "sendcount"
    chain.inputs.append(Input(buffer(scope, first), text(program, first.arguments[sent])))
    chain.results = [Result(second, text(program, first.target()))]
    return chain


def _rows(scope: Scope, first: Collective, second: Collective, between: Effects) -> Chain:
    """R-TR-17."""
    program = scope.program
    integers = Integers(scope, first.arguments["comm"])
    ones = [integers.linear(first.arguments[it]) for it in ("sendcount", "recvcount")]
    if (
        first.in_place()
        or second.in_place()
        or ones != [number(1), number(1)]
        or check_moved(first) != "i32"
    ):
        raise Refused(
            "R-TR-17", f"{first.name} of line {first.line} does not exchange one int for each rank"
        )
    for mine, counts in (("sendbuf", "sendcounts"), ("recvbuf", "recvcounts")):
        if not same(program, first.arguments[mine], second.arguments[counts]):
            raise Refused(
                "R-TR-17",
                f"the counts `{program.text(second.arguments[counts])}` of line {second.line} are "
                f"not `{program.text(first.arguments[mine])}`, which {first.name} exchanges",
            )
    kind = check_moved(second)
    given = scope.pointees(first.target())
    sends = {
        it
        for name in ("sendbuf", "sendcounts", "sdispls")
        for it in scope.pointees(second.arguments[name])
    }
    clash = meet(sends, given) or meet(sends | given, between.writes)
    if clash is not None:
        raise Refused("R-TR-17", f"`{clash.name}` may change between them")
    chain = _begin(scope, "exchange of counts and rows", f"all_to_all_v {kind}", (first, second))
    names = ("sendbuf", "sendcounts", "sdispls", "recvbuf", "recvcounts", "rdispls")
    sent, counts, displacements, target, received, places = (
        text(program, second.arguments[name]) for name in names
    )
    chain.inputs.append(Input(sent, "0", counts, displacements))
    chain.results = [
        Result(first, text(program, first.target())),
        Result(second, target, waits=True, counts=(received, places)),
    ]
    return chain
