"""Statements and expressions of an operation, written anew as C for WebAssembly (R-TR-23)."""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor, CursorKind, StorageClass, TypeKind

from .calls import Refused
from .elements import RULE, Types
from .program import (
    BINARY,
    Function,
    Program,
    arguments,
    called,
    children,
    constant,
    is_array,
    is_pointer,
    line,
    number_of,
    operator,
    strip,
    uncovered,
    walk,
)
from .vectors import STEPS, Places, counted

_OPERATORS = {
    "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||", "&", "|", "^", "<<", ">>",
}  # fmt: skip
_ASSIGN = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
_FUNCTIONS = {
    name + suffix
    for name in ("sqrt", "fabs", "floor", "ceil", "trunc", "copysign")
    for suffix in ("", "f")
} | {"abs", "labs", "llabs"}
_LITERALS = (
    CursorKind.INTEGER_LITERAL, CursorKind.FLOATING_LITERAL, CursorKind.CHARACTER_LITERAL,
    CursorKind.CXX_UNARY_EXPR,
)  # fmt: skip
_WAYS_OUT = {CursorKind.BREAK_STMT: "break", CursorKind.CONTINUE_STMT: "continue"}


class Writer:
    """Writer of a function, and of those that it calls.

    Attributes:
        functions: Those that are called, in C, by their USRs.
    """

    def __init__(self, program: Program, places: Places, types: Types, kept: set[str]) -> None:
        self.program, self.places, self.types = program, places, types
        self.functions: dict[str, str] = {}
        self._kept = kept
        """Variables that live longer than one element."""
        self._given: set[str] = set()
        """Those of them, and their members, that have a value of this element."""
        self._names: dict[str, str] = {}
        self._active: tuple[str, ...] = ()

    def function_body(
        self, before: Sequence[Cursor], values: dict[str, Cursor], statements: Sequence[Cursor]
    ) -> str:
        """Return what is done with one element: variables, and the statements of the loop."""
        rows = [self._variable(it, values.get(it.get_usr()), 1) for it in before]
        rows += [self._statement(it, 1, loop=False) for it in statements]
        return "".join(rows)

    # ---- statements

    def _statement(self, node: Cursor, depth: int, loop: bool) -> str:
        indent, kind, parts = "    " * depth, node.kind, children(node)
        if kind == CursorKind.COMPOUND_STMT:
            inner = "".join(self._statement(it, depth + 1, loop) for it in parts)
            return f"{indent}{{\n{inner}{indent}}}\n"
        if kind == CursorKind.DECL_STMT:
            return "".join(self._declaration(it, depth) for it in parts)
        if kind == CursorKind.IF_STMT:
            return self._if(parts, depth, loop)
        if kind == CursorKind.FOR_STMT:
            return self._for(node, depth)
        if kind in (CursorKind.WHILE_STMT, CursorKind.DO_STMT):
            return self._while(node, depth)
        if kind in _WAYS_OUT and loop:
            return f"{indent}{_WAYS_OUT[kind]};\n"
        if kind == CursorKind.RETURN_STMT and self._active:
            return f"{indent}return {self.c(parts[0])};\n" if parts else f"{indent}return;\n"
        if kind == CursorKind.NULL_STMT:
            return f"{indent};\n"
        if kind in _WAYS_OUT or kind == CursorKind.RETURN_STMT:
            word = _WAYS_OUT.get(kind, "return")
            raise self._refused(node, f"`{word}` leaves elements out")
        if kind.is_statement():
            raise self._refused(node, "it is a statement that no body of an operation has")
        return f"{indent}{self._done(node)};\n"

    def _declaration(self, declared: Cursor, depth: int) -> str:
        kept = declared.storage_class in (StorageClass.STATIC, StorageClass.EXTERN)
        if declared.kind != CursorKind.VAR_DECL or kept:
            raise self._refused(declared, f"`{declared.spelling}` is no plain variable")
        values = [it for it in children(declared) if it.kind.is_expression()]
        if is_pointer(declared):
            vector = self.places.pointer(values[-1]) if values else None
            if vector is None:
                raise self._refused(declared, f"`{declared.spelling}` points to something else")
            self.places.pointers[declared.get_usr()] = vector
            return ""
        has_value = bool(values) and (
            not is_array(declared) or values[-1].kind == CursorKind.INIT_LIST_EXPR
        )
        return self._variable(declared, values[-1] if has_value else None, depth)

    def _variable(self, declared: Cursor, value: Cursor | None, depth: int) -> str:
        name = self._names[declared.get_usr()] = f"v_{declared.spelling}"
        given = f" = {self._initial(value)}" if value is not None else ""
        return f"{'    ' * depth}{self.types.declare(declared.type, name)}{given};\n"

    def _initial(self, value: Cursor) -> str:
        if value.kind != CursorKind.INIT_LIST_EXPR:
            return self.c(value)
        if not all(it.kind.is_expression() for it in children(value)):
            raise self._refused(value, "members are named where it is given its first values")
        return f"{{{', '.join(self._initial(it) for it in children(value)) or '0'}}}"

    def _if(self, parts: list[Cursor], depth: int, loop: bool) -> str:
        indent = "    " * depth
        text = f"{indent}if ({self.c(parts[0])}) {{\n"
        before = set(self._given)
        text += self._statement(parts[1], depth + 1, loop)
        then, self._given = self._given, set(before)
        if len(parts) > 2:
            text += f"{indent}}} else {{\n{self._statement(parts[2], depth + 1, loop)}"
        self._given &= then
        return f"{text}{indent}}}\n"

    def _for(self, node: Cursor, depth: int) -> str:
        parts = children(node)
        if len(parts) != 4:
            raise self._refused(node, "a loop has no beginning, condition or step")
        begin, condition, step, body = parts
        indent = "    " * depth
        first = self._statement(begin, depth + 1, loop=False)
        loop = counted(node)
        end = constant(loop.less_than) if loop is not None else None
        before = set(self._given)
        if loop is not None and end is not None and operator(condition) != "!=":
            last = end - 1 + loop.more
            self.places.ranges[loop.index.get_usr()] = (loop.first, max(loop.first, last))
        text = f"for (; {self.c(condition)}; {self._commas(step)}) {{\n"
        text += self._statement(body, depth + 2, loop=True)
        if loop is not None:
            self.places.ranges.pop(loop.index.get_usr(), None)
        self._given = before
        return f"{indent}{{\n{first}{indent}    {text}{indent}    }}\n{indent}}}\n"

    def _while(self, node: Cursor, depth: int) -> str:
        parts, indent = children(node), "    " * depth
        is_do = node.kind == CursorKind.DO_STMT
        body, condition = parts if is_do else reversed(parts)
        before = set(self._given)
        asked = "" if is_do else self.c(condition)
        inner = self._statement(body, depth + 1, loop=True)
        self._given = before
        if is_do:
            return f"{indent}do {{\n{inner}{indent}}} while ({self.c(condition)});\n"
        return f"{indent}while ({asked}) {{\n{inner}{indent}}}\n"

    def _commas(self, node: Cursor) -> str:
        if operator(strip(node)) == ",":
            return ", ".join(self._commas(it) for it in children(strip(node)))
        return self._done(node)

    def _done(self, node: Cursor) -> str:
        """Return an expression that stands by itself."""
        plain, sign = strip(node), operator(strip(node))
        if plain.kind in BINARY and sign in _ASSIGN:
            left, right = children(plain)
            value = self.c(right)
            return f"{self._target(left, sign != '=')} {sign} {value}"
        if sign in STEPS:
            target = self._target(children(plain)[0], reads=True)
            return sign.replace("x", target)
        if sign == ",":
            return ", ".join(self._done(it) for it in children(plain))
        if plain.kind == CursorKind.CALL_EXPR:
            return self._call(plain)
        if plain.type.get_canonical().kind == TypeKind.VOID or not list(_writes(plain)):
            return f"(void)({self.c(plain)})"
        raise self._refused(node, "it is nothing that the body of an operation has")

    def _target(self, place: Cursor, reads: bool) -> str:
        node = strip(place)
        if reads:
            self.c(node)
        root, members = node, ""
        while root.kind in (CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR):
            if self.places.access(root) is not None or is_pointer(strip(children(root)[0])):
                break
            members = f".{root.spelling}{members}" if root.spelling else ""
            root = strip(children(root)[0])
        if root.kind == CursorKind.DECL_REF_EXPR:
            usr = root.referenced.get_usr()
            if usr not in self._names:
                raise self._refused(node, f"it writes to `{root.spelling}`")
            text = self._place(node)
            if root is node or root.type.get_canonical().kind == TypeKind.RECORD:
                self._given.add(usr + members)
            return text
        access = self.places.access(root)
        if access is not None and access[0].side == "in":
            raise self._refused(node, "it writes to the vector that it only has to read")
        return self._place(node)

    # ---- expressions

    def c(self, expression: Cursor) -> str:
        """Return the value of an expression as C."""
        node = uncovered(expression)
        if node.kind == CursorKind.CSTYLE_CAST_EXPR:
            inner = [it for it in children(node) if it.kind.is_expression()][-1]
            if is_pointer(node):
                return self._pointer(node)
            return f"(({self.types.declare(node.type, '')}){self.c(inner)})"
        if node.kind in _LITERALS or _is_constant(node):
            return self._literal(node)
        if is_pointer(node) and node.kind != CursorKind.CALL_EXPR:
            return self._pointer(node)
        sign = operator(node)
        if sign in _ASSIGN or sign in STEPS or sign == ",":
            raise self._refused(node, "a value is assigned inside of an expression")
        if sign == "*x" or node.kind in (
            CursorKind.DECL_REF_EXPR,
            CursorKind.ARRAY_SUBSCRIPT_EXPR,
            CursorKind.MEMBER_REF_EXPR,
        ):
            self._check_given(node)
            return self._place(node)
        parts = children(node)
        if node.kind in BINARY and sign in _OPERATORS:
            return f"({self.c(parts[0])} {sign} {self.c(parts[1])})"
        if sign in ("-", "+", "!", "~"):
            return f"({sign}{self.c(parts[0])})"
        if node.kind == CursorKind.CONDITIONAL_OPERATOR:
            return "({} ? {} : {})".format(*(self.c(part) for part in parts))
        if node.kind == CursorKind.CALL_EXPR:
            return self._call(node)
        raise self._refused(
            node, f"`{self.program.text(node)}` is nothing that the body of an operation has"
        )

    def _literal(self, node: Cursor) -> str:
        value = number_of(node)
        if value is None:
            raise self._refused(node, f"`{self.program.text(node)}` is no number")
        if isinstance(value, float):
            text = value.hex()
        else:
            text = f"{value}LL" if value >= -(2**63) + 1 else "(-9223372036854775807LL - 1)"
        return f"(({self.types.declare(node.type, '')}){text})"

    def _place(self, node: Cursor) -> str:
        """Return a place that has a value, as C."""
        node = strip(node)
        access = self.places.access(node)
        if access is not None:
            vector, _ = access
            inner = self.places.inside(vector, node)
            place = f"{vector.side}[{self.places.text(inner, self._names)}]"
            is_member = node.kind == CursorKind.MEMBER_REF_EXPR
            return f"{place}.{node.spelling}" if is_member else place
        parts = children(node)
        if node.kind == CursorKind.DECL_REF_EXPR:
            return self._name(node)
        if operator(node) == "*x":
            return f"(*{self._pointer(parts[0])})"
        if node.kind == CursorKind.MEMBER_REF_EXPR and parts:
            if is_pointer(parts[0]):
                return f"{self._pointer(parts[0])}->{node.spelling}"
            return f"{self._place(parts[0])}.{node.spelling}"
        if node.kind == CursorKind.ARRAY_SUBSCRIPT_EXPR and is_array(strip(parts[0])):
            return f"{self._place(parts[0])}[{self.c(parts[1])}]"
        raise self._refused(node, f"`{self.program.text(node)}` is not known to be the element's")

    def _pointer(self, node: Cursor) -> str:
        """Return a pointer that a function gets."""
        plain = strip(node)
        vector = self.places.pointer(plain)
        if vector is not None:
            inner = self.places.inside(vector, plain)
            return f"(&{vector.side}[{self.places.text(inner, self._names)}])"
        if operator(plain) == "&x":
            inner_place = children(plain)[0]
            self._check_given(strip(inner_place))
            return f"(&{self._place(inner_place)})"
        if plain.kind == CursorKind.DECL_REF_EXPR and is_pointer(plain):
            return self._name(plain)
        raise self._refused(node, f"`{self.program.text(node)}` is not known to be the element's")

    def _name(self, node: Cursor) -> str:
        declared = node.referenced
        usr, name = declared.get_usr(), node.spelling
        if usr == self.places.index and usr:
            raise self._refused(node, f"`{name}`, the number of the element, is used as a value")
        if usr in self._names:
            return self._names[usr]
        is_fixed = declared.kind == CursorKind.VAR_DECL and declared.type.is_const_qualified()
        values = [it for it in children(declared) if it.kind.is_expression()]
        if is_fixed and values and number_of(values[-1]) is not None:
            value = self._literal(values[-1])
            return f"(({self.types.declare(declared.type, '')}){value})"
        raise self._refused(node, f"it uses `{name}`, which the switch does not have")

    def _check_given(self, node: Cursor) -> None:
        """Refuse a value that comes from another element."""
        members, root = "", strip(node)
        while root.kind in (CursorKind.MEMBER_REF_EXPR, CursorKind.ARRAY_SUBSCRIPT_EXPR):
            if is_pointer(strip(children(root)[0])) or not children(root):
                return
            members = f".{root.spelling}{members}" if root.spelling else ""
            root = strip(children(root)[0])
        if root.kind != CursorKind.DECL_REF_EXPR or root.referenced.get_usr() not in self._kept:
            return
        usr = root.referenced.get_usr()
        levels = members.split(".")
        known = {usr + ".".join(levels[:at]) for at in range(1, len(levels) + 1)}
        if known & self._given or (not members and self._has_all(root, usr)):
            return
        raise self._refused(node, f"`{root.spelling}` may have a value of the element before")

    def _has_all(self, root: Cursor, usr: str) -> bool:
        kind = root.type.get_canonical()
        fields = list(kind.get_fields()) if kind.kind == TypeKind.RECORD else []
        return bool(fields) and all(f"{usr}.{it.spelling}" in self._given for it in fields)

    # ---- functions

    def _call(self, node: Cursor) -> str:
        name, given = called(node), arguments(node)
        if name in _FUNCTIONS and self.program.function(node) is None:
            return f"__builtin_{name}({', '.join(self.c(it) for it in given)})".replace(
                "_labs", "_llabs"
            )
        function = self.program.function(node)
        if function is None:
            what = f"{name} is called" if name else "a function is called by a pointer"
            raise self._refused(node, f"{what}, whose body is not among the sources")
        if function.cursor.get_usr() in self._active:
            raise self._refused(node, f"{name} calls itself")
        passed = [self._pointer(it) if is_pointer(it) else self.c(it) for it in given]
        self._define(function)
        return f"f_{name}({', '.join(passed)})"

    def _define(self, function: Function) -> None:
        usr = function.cursor.get_usr()
        if usr in self.functions:
            return
        inner = Writer(self.program, Places(self.program, function, {}), self.types, set())
        inner.functions, inner._active = self.functions, (*self._active, usr)
        for it in function.parameters:
            inner._names[it.get_usr()] = f"v_{it.spelling}"
        listed = [self.types.declare(it.type, f"v_{it.spelling}") for it in function.parameters]
        body = inner._statement(function.body, 0, loop=False)
        result = self.types.declare(function.cursor.result_type, f"f_{function.name}")
        self.functions[usr] = f"static {result}({', '.join(listed) or 'void'})\n{body}"

    def _refused(self, node: Cursor, why: str) -> Refused:
        return Refused(RULE, f"line {line(node)}: {why}")


def _is_constant(node: Cursor) -> bool:
    if node.kind != CursorKind.DECL_REF_EXPR or node.referenced is None:
        return False
    return bool(node.referenced.kind == CursorKind.ENUM_CONSTANT_DECL)


def _writes(node: Cursor) -> list[Cursor]:
    return [it for it in walk(node) if operator(it) in _ASSIGN or operator(it) in STEPS]
