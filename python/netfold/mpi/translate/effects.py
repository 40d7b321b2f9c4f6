"""Effects of statements: reads, writes, and reasons for not being pure (R-TR-5 to R-TR-7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from clang.cindex import Cursor, CursorKind

from ..signatures import form
from .objects import ANYTHING, Object, Scope
from .program import (
    BINARY,
    LOOPS,
    Function,
    arguments,
    called,
    children,
    is_array,
    is_pointer,
    line,
    operator,
    strip,
)

_COMPUTE = {
    name + suffix
    for name in (
        "sqrt", "fabs", "floor", "ceil", "trunc", "round", "exp", "exp2", "log", "log2", "log10",
        "pow", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "fmin",
        "fmax", "fmod", "cbrt", "hypot", "fma", "copysign", "lround", "ldexp",
    )
    for suffix in ("", "f", "l")
} | {"abs", "labs", "llabs", "isnan", "isinf", "isfinite", "strlen", "strcmp", "memcmp", "tolower"}  # fmt: skip
_ALLOCATE = {"malloc", "calloc", "aligned_alloc", "alloca"}
_CLOCKS = {"MPI_Wtime", "clock", "time", "gettimeofday", "clock_gettime", "omp_get_wtime"}
ENDS = {"exit", "abort", "_exit", "quick_exit", "MPI_Abort", "__assert_fail", "longjmp"}
PRINTS = {
    "printf", "fprintf", "puts", "putchar", "fputs", "fputc", "putc", "fflush", "fwrite", "vprintf",
    "vfprintf", "perror", "write", "fread", "fscanf", "scanf", "fgets", "getchar", "fopen", "fclose",
    "read", "open", "close", "getc", "fgetc", "remove", "rename",
}  # fmt: skip
_ASSEMBLER = {"ASM_STMT", "GCC_ASM_STMT", "MS_ASM_STMT"}


@dataclass(frozen=True)
class Problem:
    """The reason why a statement is not pure."""

    rule: str
    line: int
    why: str


@dataclass
class Effects:
    """The effects of statements."""

    reads: set[Object] = field(default_factory=set)
    writes: set[Object] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    clocks: bool = False

    def add(self, other: Effects) -> None:
        """Add what others do."""
        self.reads |= other.reads
        self.writes |= other.writes
        self.problems += other.problems
        self.clocks |= other.clocks


def of(
    scope: Scope, statements: Iterable[Cursor], known: tuple[Cursor, Effects] | None = None
) -> Effects:
    """Return what statements of a function do; of one call in them that is known."""
    reader = _Reader(scope, frozenset(), known)
    for statement in statements:
        reader.visit(statement, loop=False)
    return reader.found


def to_the_end(scope: Scope, statements: Iterable[Cursor]) -> Effects:
    """Return what the last statements of a function do, whose end is its own."""
    reader = _Reader(scope, frozenset())
    reader.body(statements)
    return reader.found


def outside(scope: Scope, inner: Effects, function: Function, given: list[Cursor]) -> Effects:
    """Return what a part of a called function does, with the caller's names of objects."""
    reader = _Reader(scope, frozenset())
    reader.take(inner, function, given)
    return Effects(reader.found.reads, reader.found.writes, inner.problems, inner.clocks)


class _Reader:
    def __init__(
        self,
        scope: Scope,
        active: frozenset[str],
        known: tuple[Cursor, Effects] | None = None,
    ) -> None:
        self.scope, self.active, self.found, self.known = scope, active, Effects(), known

    def _problem(self, rule: str, node: Cursor, why: str) -> None:
        self.found.problems.append(Problem(rule, line(node), why))

    def visit(self, node: Cursor, loop: bool) -> None:
        """Take in a statement or an expression that is evaluated; `loop` if a loop is around it
        that is part of what is looked at.
        """
        kind = node.kind
        sign = operator(node)
        if kind in BINARY and (sign.endswith("=") and sign not in ("==", "!=", "<=", ">=")):
            self._assignment(node, sign, loop)
        elif sign in ("x++", "x--", "++x", "--x"):
            place = children(node)[0]
            self._access(place, write=True, read=True)
            self._inside(place, loop)
        elif sign == "&x":
            self._inside(children(node)[0], loop)
        elif kind == CursorKind.CALL_EXPR:
            self._call(node, loop)
        elif (
            kind
            in (
                CursorKind.DECL_REF_EXPR,
                CursorKind.ARRAY_SUBSCRIPT_EXPR,
                CursorKind.MEMBER_REF_EXPR,
            )
            or sign == "*x"
        ):
            self._access(node, read=not is_array(node))
            self._inside(node, loop)
        elif kind == CursorKind.VAR_DECL:
            values = [part for part in children(node) if part.kind.is_expression()]
            if (values and not is_array(node)) or values:
                self.found.writes.add(self.scope.variable(node))
            for value in values:
                self.visit(value, loop)
        elif kind == CursorKind.CXX_UNARY_EXPR:  # sizeof
            pass
        else:
            self._statement(node, loop)

    def _statement(self, node: Cursor, loop: bool) -> None:
        kind = node.kind
        if kind == CursorKind.RETURN_STMT:
            self._problem("R-TR-5", node, "`return` leaves the function")
        elif kind in (CursorKind.GOTO_STMT, CursorKind.INDIRECT_GOTO_STMT):
            self._problem("R-TR-5", node, "`goto` may leave it")
        elif kind == CursorKind.LABEL_STMT:
            self._problem("R-TR-5", node, "a label lets others jump into it")
        elif kind in (CursorKind.BREAK_STMT, CursorKind.CONTINUE_STMT) and not loop:
            word = "break" if kind == CursorKind.BREAK_STMT else "continue"
            self._problem("R-TR-5", node, f"`{word}` leaves it for the loop around it")
        elif kind.name in _ASSEMBLER:
            self._problem("R-TR-5", node, "assembler may do anything")
        inner = loop or kind in (*LOOPS, CursorKind.SWITCH_STMT)
        for child in children(node):
            self.visit(child, inner)

    def _assignment(self, node: Cursor, sign: str, loop: bool) -> None:
        left, right = children(node)
        self._access(left, write=True, read=sign != "=")
        self._inside(left, loop)
        self.visit(right, loop)

    def _access(self, place: Cursor, write: bool = False, read: bool = False) -> None:
        objects = self.scope.lvalue(place)
        if read:
            self.found.reads |= objects
        if write:
            self.found.writes |= objects
        if place.type.get_canonical().is_volatile_qualified():
            self._problem("R-TR-5", place, f"`{self.scope.program.text(place)}` is volatile")

    def _inside(self, place: Cursor, loop: bool) -> None:
        """Take in what is evaluated to find a place, and not the place."""
        node = strip(place)
        if node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
            base, index = children(node)
            if is_pointer(strip(base)):
                self.visit(base, loop)
            else:
                self._inside(base, loop)
            self.visit(index, loop)
        elif operator(node) == "*x":
            self.visit(children(node)[0], loop)
        elif node.kind == CursorKind.MEMBER_REF_EXPR:
            for owner in children(node):
                if is_pointer(owner):
                    self.visit(owner, loop)
                else:
                    self._inside(owner, loop)
        elif node.kind != CursorKind.DECL_REF_EXPR:
            self.visit(node, loop)

    def _call(self, node: Cursor, loop: bool) -> None:
        name, given = called(node), arguments(node)
        for argument in given:
            self.visit(argument, loop)
        if self.known is not None and node == self.known[0]:
            self.found.add(self.known[1])
        elif not name:
            self._problem("R-TR-6", node, "a function is called by a pointer")
        elif name in ENDS:
            self._problem("R-TR-5", node, f"{name} ends the program")
        elif name in PRINTS:
            self._problem("R-TR-5", node, f"{name} has an effect outside the program's memory")
        elif form(name) is not None:
            self._problem("R-TR-5", node, f"{name} is another collective")
        elif name in _CLOCKS:
            self.found.clocks = True
            self._written(given, range(len(given)))
        elif name in ("MPI_Comm_rank", "MPI_Comm_size"):
            self._written(given, (1,))
        elif name.startswith("MPI_"):
            self._problem("R-TR-5", node, f"{name} communicates")
        elif name in _COMPUTE or name in _ALLOCATE:
            for argument in given:
                if is_pointer(argument):
                    self.found.reads |= self.scope.pointees(argument)
        elif name in ("memcpy", "memmove", "memset", "free", "__builtin___memcpy_chk"):
            self._written(given, (0,))
            if name.startswith("mem") and len(given) > 1 and is_pointer(given[1]):
                self.found.reads |= self.scope.pointees(given[1])
        else:
            self._function(node, name, given)

    def _written(self, given: list[Cursor], which: Iterable[int]) -> None:
        for at in which:
            if at < len(given) and is_pointer(given[at]):
                self.found.writes |= self.scope.pointees(given[at])

    def _function(self, node: Cursor, name: str, given: list[Cursor]) -> None:
        function = self.scope.program.function(node)
        if function is None:
            self._problem("R-TR-6", node, f"{name} is called, whose body is not among the sources")
        elif name in self.active:
            self._problem("R-TR-6", node, f"{name} calls itself")
        else:
            inner = _summary(self.scope, function, self.active | {name})
            for problem in inner.problems:
                why = f"{name} is called, and there {problem.why} (line {problem.line})"
                self._problem(problem.rule, node, why)
            self.take(inner, function, given)

    def take(self, inner: Effects, function: Function, given: list[Cursor]) -> None:
        """Take in what a called function does to objects that the caller has."""
        self.found.clocks |= inner.clocks
        self.found.reads |= self._outside(inner.reads, function, given)
        self.found.writes |= self._outside(inner.writes, function, given)

    def body(self, statements: Iterable[Cursor]) -> None:
        """Take in statements to the end of their function."""
        for statement in statements:
            if statement.kind == CursorKind.RETURN_STMT:
                for value in children(statement):
                    self.visit(value, loop=False)
            else:
                self.visit(statement, loop=False)
        # Inside a function it is its own end that it returns to.
        returns = "`return` leaves the function"
        self.found.problems = [it for it in self.found.problems if it.why != returns]

    def _outside(
        self, objects: set[Object], function: Function, given: list[Cursor]
    ) -> set[Object]:
        """Return the caller's names of objects that a function uses."""
        found: set[Object] = set()
        parameters = {it.get_usr(): at for at, it in enumerate(function.parameters)}
        for it in objects:
            if it.kind == "global":
                found.add(it)
            elif it.kind == "pointee" and it.key in parameters:
                at = parameters[it.key]
                found |= self.scope.pointees(given[at]) if at < len(given) else {ANYTHING}
            elif it.kind == "pointee":
                # The pointer was read from memory; what that was is a matter of the callee.
                found.add(Object("pointee", f"{function.name} {it.key}", it.name, it.type))
        return found


def _summary(scope: Scope, function: Function, active: frozenset[str]) -> Effects:
    reader = _Reader(Scope(scope.program, function), active)
    reader.body(children(function.body))
    return reader.found
