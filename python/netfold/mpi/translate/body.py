"""The body of an operation: a function of MPI_Op_create, written anew for one element (R-TR-23)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from ..signatures import TYPES
from .calls import Refused
from .effects import ENDS, PRINTS
from .elements import RULE, Types, element
from .expressions import Writer
from .program import (
    Function,
    Program,
    arguments,
    called,
    children,
    is_pointer,
    line,
    operator,
    strip,
    walk,
)
from .ranks import Linear
from .vectors import STEPS, ZERO, Counted, Places, Vector, counted, written

_DEPTH = 4


@dataclass(frozen=True)
class Written:
    """A function for one element."""

    source: str
    """C: types, functions that are called, and `netfold_one(in, inout)`."""
    unit: str
    """The type that `in` points to, in C."""
    stride: int
    """Values of that type in an element."""
    element: str
    """The element (R-OP-2)."""


def write(program: Program, function: Function) -> Written:
    """Return a function as C that folds one element.

    Raises:
        Refused: it does something else than fold elements one by one.
    """
    if len(function.parameters) != 4:
        raise Refused(RULE, f"{function.name} does not have the four parameters of an operation")
    roles = dict(zip((it.get_usr() for it in function.parameters), _ROLES, strict=True))
    return _Body(program, function, roles, _DEPTH).write()


_ROLES = ("in", "inout", "length", "type")


class _Body:
    def __init__(
        self, program: Program, function: Function, roles: dict[str, str], depth: int
    ) -> None:
        self.program, self.function, self.depth = program, function, depth
        self.lengths = {usr for usr, role in roles.items() if role == "length"}
        self.counts = {usr for usr, role in roles.items() if role == "count"}
        self.types = {usr for usr, role in roles.items() if role == "type"}
        pointers = {usr: Vector(it, ZERO) for usr, it in roles.items() if it in ("in", "inout")}
        self.places = Places(program, function, pointers)
        self.writes = Counter(written(function.body))
        self.types_given: set[str] = set()
        """Variables that have the type."""
        self.guards: list[tuple[Cursor, str]] = []
        """Statements that end the program where the type is not this one."""
        self.before: list[Cursor] = []
        """Declarations of variables for all elements."""
        self.values: dict[str, Cursor] = {}
        """Values of those that are written once, before the loop."""

    def write(self) -> Written:
        loop: Counted | None = None
        for statement in children(self.function.body):
            if loop is not None:
                if statement.kind == CursorKind.RETURN_STMT and not children(statement):
                    continue
                raise self._refused(statement, "something stands behind the loop over the elements")
            loop = self._over_all(statement)
            if loop is None:
                handed = self._handed_on(statement)
                if handed is not None:
                    return handed
                self._first(statement)
        if loop is None:
            raise Refused(RULE, f"{self.function.name} has no loop over all elements")
        return self._one(loop)

    # ---- before the loop

    def _first(self, node: Cursor) -> None:
        if node.kind == CursorKind.DECL_STMT:
            for declared in children(node):
                if declared.kind == CursorKind.VAR_DECL:
                    self._declared(declared)
        elif operator(node) == "=" and strip(children(node)[0]).kind == CursorKind.DECL_REF_EXPR:
            left, right = children(node)
            self._given(strip(left).referenced, right, 1)
        elif not self._is_idle(node) and not self._is_guard(node):
            raise self._refused(node, "something else than variables stands before the loop")

    def _declared(self, declared: Cursor) -> None:
        if declared.storage_class == StorageClass.EXTERN:
            return
        if declared.storage_class == StorageClass.STATIC:
            raise self._refused(declared, f"`{declared.spelling}` is static, and keeps its value")
        values = [it for it in children(declared) if it.kind.is_expression()]
        is_array = declared.type.get_canonical().kind == TypeKind.CONSTANTARRAY
        if values and is_array:
            if not self.writes[declared.get_usr()]:
                self.values[declared.get_usr()] = values[-1]
        elif values:
            self._given(declared, values[-1], 0)
        if not is_pointer(declared) and declared.get_usr() not in self.counts:
            self.before.append(declared)

    def _given(self, declared: Cursor, value: Cursor, writes: int) -> None:
        """Take in the first value of a variable, which so many writes of all are."""
        usr = declared.get_usr()
        steps = self.writes[usr] - writes
        if self._is_type(value) and not steps:
            self.types_given.add(usr)
        elif is_pointer(declared):
            vector = self.places.pointer(value)
            if vector is None:
                raise self._refused(value, f"`{declared.spelling}` points to something else")
            if steps > 1 or usr in self.places.pointers:
                raise self._refused(value, f"`{declared.spelling}` is written to more than once")
            self.places.pointers[usr] = vector
        elif self._is_count(value) and not steps:
            self.counts.add(usr)
            self.before = [it for it in self.before if it.get_usr() != usr]
        elif not steps:
            self.values[usr] = value
        elif writes:
            raise self._refused(value, f"`{declared.spelling}` is written to more than once")

    def _is_idle(self, node: Cursor) -> bool:
        """Return whether a statement is `(void)type;` or nothing."""
        if node.kind == CursorKind.NULL_STMT:
            return True
        is_void = node.type.get_canonical().kind == TypeKind.VOID
        return node.kind == CursorKind.CSTYLE_CAST_EXPR and is_void and not list(_calls(node))

    def _is_type(self, expression: Cursor) -> bool:
        """Return whether an expression is the type that the elements have for MPI."""
        node, names = strip(expression), self.types_given
        if operator(node) == "*x":
            node, names = strip(children(node)[0]), self.types
        is_name = node.kind == CursorKind.DECL_REF_EXPR and node.referenced is not None
        return is_name and node.referenced.get_usr() in names

    def _is_guard(self, node: Cursor) -> bool:
        """Return whether a statement ends the program if the elements have another type than one,
        and note that type.
        """
        if node.kind != CursorKind.IF_STMT or len(children(node)) != 2:
            return False
        condition, done = children(node)
        if operator(strip(condition)) != "!=":
            return False
        sides = children(strip(condition))
        expected = [TYPES.get(strip(it).spelling) for it in sides if not self._is_type(it)]
        statements = children(done) if done.kind == CursorKind.COMPOUND_STMT else [done]
        calls = [called(strip(it)) for it in statements]
        ends = bool(calls) and calls[-1] in ENDS and set(calls) <= ENDS | PRINTS
        if len(expected) != 1 or expected[0] is None or not ends:
            return False
        self.guards.append((node, expected[0]))
        return True

    def _is_count(self, expression: Cursor) -> bool:
        node = strip(expression)
        names = self.counts
        if operator(node) == "*x":
            node, names = strip(children(node)[0]), self.lengths
        is_name = node.kind == CursorKind.DECL_REF_EXPR
        return is_name and node.referenced.get_usr() in names

    def _handed_on(self, node: Cursor) -> Written | None:
        """Return the body of a function that gets both vectors and their length."""
        call = strip(node)
        if call.kind != CursorKind.CALL_EXPR or self.depth == 0:
            return None
        function = self.program.function(call)
        given = arguments(call)
        if function is None or len(given) != len(function.parameters):
            return None
        roles: dict[str, str] = {}
        for parameter, value in zip(function.parameters, given, strict=True):
            roles[parameter.get_usr()] = self._role(value)
        if {"in", "inout"} - set(roles.values()) or not {"length", "count"} & set(roles.values()):
            return None
        last = children(self.function.body)[-1]
        if node != last or "" in roles.values():
            raise self._refused(node, f"{function.name} gets the vectors, and something else")
        return _Body(self.program, function, roles, self.depth - 1).write()

    def _role(self, value: Cursor) -> str:
        if self._is_count(value):
            return "count"
        node = strip(value)
        usr = node.referenced.get_usr() if node.kind == CursorKind.DECL_REF_EXPR else ""
        if usr in self.lengths or usr in self.types:
            return "length" if usr in self.lengths else "type"
        vector = self.places.pointer(value)
        return vector.side if vector is not None and vector.at == ZERO else ""

    # ---- the loop

    def _over_all(self, statement: Cursor) -> Counted | None:
        loop = counted(statement)
        if loop is None or loop.first != 0 or loop.more or not self._is_count(loop.less_than):
            return None
        changed = {*self.lengths, *self.counts} & {*self.writes}
        if changed or self._writes_length(loop.body):
            raise self._refused(statement, "the number of elements changes")
        return loop

    def _writes_length(self, body: Cursor) -> bool:
        return any(
            operator(node) in STEPS and self._is_count(children(node)[0]) for node in walk(body)
        )

    def _one(self, loop: Counted) -> Written:
        self.places.index = loop.index.get_usr()
        inside = loop.body
        statements = children(inside) if inside.kind == CursorKind.COMPOUND_STMT else [inside]
        behind = [*loop.steps]
        while statements and self._walks(statements[-1]) is not None:
            behind.append(statements.pop())
        for step in behind:
            usr = self._walks(step)
            if usr is None or self.writes[usr] - (usr in self._assigned()) != 1:
                raise self._refused(step, "it is no step of a pointer to the next element")
            self.places.pointers[usr] = Vector(
                self.places.pointers[usr].side,
                self.places.pointers[usr].at.plus(Linear(((loop.index.get_usr(), 1),), 0)),
            )
        walked = {self._walks(step) for step in behind}
        for usr in self.places.pointers:
            if usr not in walked and usr in written(inside):
                raise self._refused(loop.body, "a pointer into a vector is written to")
        types = Types()
        kept = {it.get_usr() for it in self.before} - {*self.values}
        writer = Writer(self.program, self.places, types, kept)
        text = writer.function_body(self.before, self.values, statements)
        if self.places.unit is None or self.places.stride == 0:
            raise Refused(RULE, f"{self.function.name} uses no element")
        unit = self.places.unit.get_canonical()
        if unit.kind == TypeKind.CONSTANTARRAY:
            raise Refused(RULE, f"its elements are arrays, `{unit.spelling}`")
        fields = element(unit, self.places.stride)
        for guard, kind in self.guards:
            if kind != fields:
                raise self._refused(guard, f"its elements are {fields}, and {kind} is asked for")
        name = types.declare(unit, "")
        one = f"static inline void netfold_one(const {name} *in, {name} *inout) {{\n{text}}}\n"
        return Written(
            "\n".join([*types.definitions, *writer.functions.values(), one]),
            name, self.places.stride, fields,
        )  # fmt: skip

    def _assigned(self) -> set[str]:
        """Return pointers that get their value by an assignment."""
        return {
            strip(children(node)[0]).referenced.get_usr()
            for node in children(self.function.body)
            if operator(node) == "=" and strip(children(node)[0]).kind == CursorKind.DECL_REF_EXPR
        }

    def _walks(self, statement: Cursor) -> str | None:
        """Return the pointer into a vector that a statement moves to the next value."""
        node = strip(statement)
        if operator(node) not in ("x++", "++x"):
            return None
        place = strip(children(node)[0])
        usr = place.referenced.get_usr() if place.kind == CursorKind.DECL_REF_EXPR else ""
        return usr if usr in self.places.pointers else None

    def _refused(self, node: Cursor, why: str) -> Refused:
        return Refused(RULE, f"line {line(node)}: {why}")


def _calls(node: Cursor) -> list[Cursor]:
    return [it for it in walk(node) if it.kind == CursorKind.CALL_EXPR]
