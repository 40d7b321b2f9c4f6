"""Objects that expressions name, and which of them may be the same memory (R-TR-8, R-TR-9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from .program import (
    BINARY,
    Function,
    Program,
    arguments,
    called,
    children,
    is_array,
    is_pointer,
    operator,
    strip,
    walk,
)

ALLOCATE = {"malloc", "calloc", "realloc", "aligned_alloc", "alloca", "strdup"}


@dataclass(frozen=True)
class Object:
    """Memory that a program can name."""

    kind: str
    """`local`, `global`, `heap`, or `pointee`: what a pointer from elsewhere points to."""
    key: str
    """Tells it apart from others."""
    name: str = field(compare=False)
    type: str = field(compare=False)
    """The type of its scalars; empty if it can be any."""
    private: bool = field(default=False, compare=False)
    """No pointer from elsewhere points to it: a local or static variable whose address stays, or
    memory that the function has allocated and told nobody.
    """
    restrict: bool = field(default=False, compare=False)


ANYTHING = Object("pointee", "", "memory that cannot be told", "")


def may_alias(one: Object, other: Object) -> bool:
    """Return whether two objects may be the same memory."""
    if one == other:
        return True
    outside = [it for it in (one, other) if it.kind == "pointee"]
    if not outside or any(it.private for it in (one, other)):
        return False
    if len(outside) == 2 and one.restrict and other.restrict:
        return False
    return not one.type or not other.type or one.type == other.type


def meet(ones: Iterable[Object], others: Iterable[Object]) -> Object | None:
    """Return an object of the first that may be one of the others; None if there is none."""
    others = list(others)
    for one in ones:
        if any(may_alias(one, other) for other in others):
            return one
    return None


def scalar(cursor_type: object) -> str:
    """Return the name of the type of scalars in a type; empty for what may alias anything."""
    kind = cursor_type.get_canonical()  # type: ignore[attr-defined]
    while kind.kind in (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.VARIABLEARRAY):
        kind = kind.element_type.get_canonical()
    if kind.kind == TypeKind.POINTER:
        return "pointer"
    name = str(kind.spelling).replace("const ", "").replace("volatile ", "").strip()
    if kind.kind in (TypeKind.RECORD, TypeKind.VOID, TypeKind.INVALID) or "char" in name:
        return ""
    return name.replace("unsigned ", "")


class Scope:
    """The objects of a function."""

    def __init__(self, program: Program, function: Function) -> None:
        self.program, self.function = program, function

    @cached_property
    def _assigned(self) -> dict[str, list[Cursor]]:
        """Assignments of the function to each variable that is a pointer."""
        found: dict[str, list[Cursor]] = {}
        for node in walk(self.function.body):
            if node.kind == CursorKind.VAR_DECL and is_pointer(node):
                values = [part for part in children(node) if part.kind.is_expression()]
                found.setdefault(node.get_usr(), []).extend(values[-1:])
            elif node.kind in BINARY and operator(node) == "=":
                left, right = children(node)
                target = strip(left)
                if target.kind == CursorKind.DECL_REF_EXPR and is_pointer(target):
                    found.setdefault(target.referenced.get_usr(), []).append(right)
        return found

    @cached_property
    def _leaked(self) -> set[str]:
        """Variables of the function whose addresses it puts somewhere, or hands to functions that
        might; and pointers whose values it does that with.
        """
        leaked: set[str] = set()
        for node in walk(self.function.body):
            if node.kind == CursorKind.CALL_EXPR and not called(node).startswith("MPI_"):
                if called(node) in ("free", "memcpy", "memset", "memmove", "printf", "fprintf"):
                    continue
                for given in arguments(node):
                    if self.program.function(node) is None or _takes_address(given):
                        leaked |= _addressed(given)
            elif node.kind in BINARY and operator(node) == "=":
                left, right = children(node)
                if not _is_local(strip(left)):
                    leaked |= _addressed(right)
            elif node.kind == CursorKind.RETURN_STMT:
                for value in children(node):
                    leaked |= _addressed(value)
        return leaked

    @cached_property
    def _addressed(self) -> set[str]:
        """Variables whose address is taken by `&` but for a call of MPI."""
        found: set[str] = set()
        for node in walk(self.function.body):
            if node.kind == CursorKind.CALL_EXPR and called(node).startswith("MPI_"):
                continue
            if operator(node) == "&x":
                found |= _addressed(node)
        return found

    def variable(self, declaration: Cursor) -> Object:
        """Return the object that a variable is."""
        usr, name = declaration.get_usr(), declaration.spelling
        kind = scalar(declaration.type)
        parent = declaration.semantic_parent
        if parent is not None and parent.kind == CursorKind.FUNCTION_DECL:
            if declaration.storage_class != StorageClass.STATIC:
                return Object("local", usr, name, kind, private=usr not in self._leaked)
            return Object("global", usr, name, kind, private=usr not in self._leaked)
        private = declaration.storage_class == StorageClass.STATIC and not self._escapes(
            declaration
        )
        return Object("global", usr, name, kind, private=private)

    def _escapes(self, declaration: Cursor) -> bool:
        """Return whether the address of a static variable of the file is taken anywhere."""
        usr = declaration.get_usr()
        return any(
            usr in _addressed(node) | {it for given in _given(node) for it in _addressed(given)}
            for function in self.program.functions.values()
            for node in walk(function.body)
            if operator(node) == "&x" or node.kind == CursorKind.CALL_EXPR
        )

    def lvalue(self, expression: Cursor) -> set[Object]:
        """Return the objects that an expression may be a place in."""
        node = strip(expression)
        if node.kind == CursorKind.DECL_REF_EXPR:
            if node.referenced.kind in (CursorKind.VAR_DECL, CursorKind.PARM_DECL):
                return {self.variable(node.referenced)}
            return set()
        if node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR:
            base = children(node)[0]
            return self.pointees(base)
        if operator(node) == "*x":
            return self.pointees(children(node)[0])
        if node.kind == CursorKind.MEMBER_REF_EXPR:
            owner = children(node)
            if not owner:
                return {ANYTHING}
            return self.pointees(owner[0]) if is_pointer(owner[0]) else self.lvalue(owner[0])
        if node.kind == CursorKind.STRING_LITERAL:
            return set()
        return {ANYTHING}

    def pointees(self, expression: Cursor, seen: frozenset[str] = frozenset()) -> set[Object]:
        """Return the objects that a pointer may point into."""
        node = strip(expression)
        if node.kind == CursorKind.DECL_REF_EXPR:
            return self._points_to(node.referenced, seen)
        sign = operator(node)
        if sign == "&x":
            return self.lvalue(children(node)[0])
        if node.kind in BINARY and sign in ("+", "-", "+=", "-="):
            sides = [side for side in children(node) if is_pointer(side) or is_array(strip(side))]
            return self._union(sides, seen)
        if sign in ("=", ","):
            return self.pointees(children(node)[1], seen)
        if sign in ("x++", "x--", "++x", "--x"):
            return self.pointees(children(node)[0], seen)
        if node.kind == CursorKind.CONDITIONAL_OPERATOR:
            return self._union(children(node)[1:], seen)
        if node.kind == CursorKind.CALL_EXPR:
            return self._returned(node)
        if is_array(node):
            return self.lvalue(node)
        if node.kind in (CursorKind.INTEGER_LITERAL, CursorKind.STRING_LITERAL):
            return set()
        if (
            node.kind in (CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR)
            or sign == "*x"
        ):
            key = "".join(self.program.text(node).split())
            usrs = [
                part.referenced.get_usr()
                for part in walk(node)
                if part.kind == CursorKind.DECL_REF_EXPR
            ]
            return {Object("pointee", f"{key} {usrs}", f"*{key}", self._pointed(node))}
        return {ANYTHING}

    def _union(self, expressions: list[Cursor], seen: frozenset[str]) -> set[Object]:
        return {it for expression in expressions for it in self.pointees(expression, seen)}

    def _pointed(self, node: Cursor) -> str:
        return scalar(node.type.get_canonical().get_pointee())

    def _points_to(self, declaration: Cursor, seen: frozenset[str]) -> set[Object]:
        usr = declaration.get_usr()
        if is_array(declaration) and declaration.kind != CursorKind.PARM_DECL:
            return {self.variable(declaration)}
        if usr in seen:
            return set()
        found: set[Object] = set()
        parent = declaration.semantic_parent
        inside = parent is not None and parent.kind == CursorKind.FUNCTION_DECL
        if not inside:
            allocated = _globals(self.program).allocated(self.program, usr)
            if allocated:
                return allocated
        if declaration.kind == CursorKind.PARM_DECL or not inside or usr in self._addressed:
            restrict = (
                "restrict" in declaration.type.spelling and declaration.kind == CursorKind.PARM_DECL
            )
            pointed = self._pointed(declaration)
            found.add(Object("pointee", usr, f"*{declaration.spelling}", pointed, False, restrict))
        for value in self._assigned.get(usr, []):
            for it in self.pointees(value, seen | {usr}):
                if it.kind == "heap" and usr in self._leaked:
                    it = Object(it.kind, it.key, it.name, it.type)
                found.add(it)
        return found

    def _returned(self, call: Cursor) -> set[Object]:
        if is_fresh(self.program, call):
            return {_allocation(call, called(call), private=True)}
        return {ANYTHING}


def is_fresh(program: Program, expression: Cursor) -> bool:
    """Return whether an expression is memory that a call has just allocated."""
    node = strip(expression)
    return node.kind == CursorKind.CALL_EXPR and (
        called(node) in ALLOCATE or _returns_fresh(program, program.function(node))
    )


def _allocation(call: Cursor, name: str, private: bool) -> Object:
    place = call.extent.start
    key = f"{place.file}:{place.offset}"
    return Object("heap", key, f"memory of {name} in line {place.line}", "", private)


class _Globals:
    """Uses of global pointers by a whole program."""

    def __init__(self, program: Program) -> None:
        self.assigned: dict[str, list[Cursor]] = {}
        self.copied: set[str] = set()
        self.addressed: set[str] = set()
        for function in program.functions.values():
            for node in walk(function.body):
                self._take(node)

    def _take(self, node: Cursor) -> None:
        if node.kind in BINARY and operator(node) == "=":
            left, right = children(node)
            target = strip(left)
            if target.kind == CursorKind.DECL_REF_EXPR and target.referenced is not None:
                self.assigned.setdefault(target.referenced.get_usr(), []).append(right)
            self.copied |= _addressed(right)
        elif node.kind == CursorKind.CALL_EXPR:
            if called(node) not in ("free", "memcpy", "memmove", "memset"):
                for given in _given(node):
                    self.copied |= _addressed(given)
        elif node.kind in (CursorKind.VAR_DECL, CursorKind.RETURN_STMT):
            for value in children(node):
                self.copied |= _addressed(value)
        elif operator(node) == "&x":
            self.addressed |= _addressed(node)

    def allocated(self, program: Program, usr: str) -> set[Object]:
        """Return what a global pointer points to if that is only memory that was allocated for it;
        nothing if it may be something else.
        """
        values = [strip(it) for it in self.assigned.get(usr, [])]
        values = [it for it in values if it.kind != CursorKind.INTEGER_LITERAL]
        if usr in self.addressed or not all(is_fresh(program, it) for it in values):
            return set()
        name = usr.rsplit("@", 1)[-1]
        objects = {_allocation(it, called(it), usr not in self.copied) for it in values}
        return {Object(it.kind, it.key, name, it.type, it.private) for it in objects}


def _globals(program: Program) -> _Globals:
    if program.memory is None:
        program.memory = _Globals(program)
    assert isinstance(program.memory, _Globals)
    return program.memory


def _returns_fresh(program: Program, function: Function | None, depth: int = 4) -> bool:
    """Return whether all that a function returns is memory that it has allocated."""
    if function is None or depth == 0:
        return False
    scope = Scope(program, function)
    values = [
        strip(value)
        for node in walk(function.body)
        if node.kind == CursorKind.RETURN_STMT
        for value in children(node)
    ]
    checked: list[Cursor] = []
    for value in values:
        if value.kind == CursorKind.DECL_REF_EXPR and value.referenced.get_usr() in scope._assigned:
            checked += [strip(it) for it in scope._assigned[value.referenced.get_usr()]]
        else:
            checked.append(value)
    checked = [it for it in checked if it.kind != CursorKind.INTEGER_LITERAL]
    return bool(checked) and all(
        it.kind == CursorKind.CALL_EXPR
        and (called(it) in ALLOCATE or _returns_fresh(program, program.function(it), depth - 1))
        for it in checked
    )


def _given(node: Cursor) -> list[Cursor]:
    is_other = node.kind == CursorKind.CALL_EXPR and not called(node).startswith("MPI_")
    return arguments(node) if is_other else []


def _takes_address(expression: Cursor) -> bool:
    return operator(strip(expression)) == "&x"


def _is_local(target: Cursor) -> bool:
    if target.kind != CursorKind.DECL_REF_EXPR:
        return False
    parent = target.referenced.semantic_parent
    return parent is not None and parent.kind == CursorKind.FUNCTION_DECL


def _addressed(expression: Cursor) -> set[str]:
    """Return variables whose address, or whose value if it is one, an expression gives."""
    node = strip(expression)
    if operator(node) == "&x":
        inner = strip(children(node)[0])
        while inner.kind in (CursorKind.ARRAY_SUBSCRIPT_EXPR, CursorKind.MEMBER_REF_EXPR):
            parts = children(inner)
            if not parts:
                return set()
            inner = strip(parts[0])
        return {inner.referenced.get_usr()} if inner.kind == CursorKind.DECL_REF_EXPR else set()
    if node.kind == CursorKind.DECL_REF_EXPR and (is_array(node) or is_pointer(node)):
        return {node.referenced.get_usr()}
    if node.kind in BINARY and is_pointer(node):
        return {it for side in children(node) for it in _addressed(side)}
    return set()
