"""Types of C in the body of an operation: as elements of netfold (R-OP-2), and written anew for
WebAssembly.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from clang.cindex import Type, TypeKind

from .calls import Refused

RULE = "R-TR-23"

_SCALARS = {
    TypeKind.CHAR_S: ("i8", 1, "char"), TypeKind.SCHAR: ("i8", 1, "signed char"),
    TypeKind.UCHAR: ("u8", 1, "unsigned char"), TypeKind.SHORT: ("i16", 2, "short"),
    TypeKind.USHORT: ("u16", 2, "unsigned short"), TypeKind.INT: ("i32", 4, "int"),
    TypeKind.UINT: ("u32", 4, "unsigned int"), TypeKind.LONG: ("i64", 8, "long long"),
    TypeKind.ULONG: ("u64", 8, "unsigned long long"), TypeKind.LONGLONG: ("i64", 8, "long long"),
    TypeKind.ULONGLONG: ("u64", 8, "unsigned long long"), TypeKind.FLOAT: ("f32", 4, "float"),
    TypeKind.DOUBLE: ("f64", 8, "double"),
}  # fmt: skip
"""Scalars of Linux with 64 bits: name, size, and the type of WebAssembly that is as large."""

FIELDS_MOST = 16
BYTES_MOST = 4096


@dataclass
class Types:
    """Types that a body uses."""

    definitions: list[str] = field(default_factory=list)
    """Those of structures, in C."""
    _names: dict[str, str] = field(default_factory=dict)

    def declare(self, kind: Type, name: str) -> str:
        """Return the declaration of a name, in C."""
        if kind.is_volatile_qualified():
            raise Refused(RULE, f"`{name.removeprefix('v_')}` is volatile")
        plain = kind.get_canonical()
        if plain.kind in _SCALARS:
            return f"{_SCALARS[plain.kind][2]} {name}".rstrip()
        if plain.kind == TypeKind.BOOL:
            return f"_Bool {name}".rstrip()
        if plain.kind == TypeKind.ENUM:
            return self.declare(plain.get_declaration().enum_type, name)
        if plain.kind == TypeKind.VOID:
            return f"void {name}".rstrip()
        if plain.kind == TypeKind.CONSTANTARRAY:
            return self.declare(plain.element_type, f"{name}[{plain.element_count}]")
        if plain.kind == TypeKind.POINTER:
            return self.declare(plain.get_pointee(), f"*{name}")
        if plain.kind == TypeKind.RECORD:
            return f"struct {self._record(plain)} {name}".rstrip()
        raise Refused(RULE, f"it has values of type `{kind.spelling}`")

    def _record(self, kind: Type) -> str:
        declared = kind.get_declaration()
        key = declared.get_usr()
        if key not in self._names:
            parts = list(kind.get_fields())
            if declared.kind.name != "STRUCT_DECL" or any(it.is_bitfield() for it in parts):
                raise Refused(RULE, f"`{kind.spelling}` is no structure of plain members")
            members = " ".join(f"{self.declare(it.type, it.spelling)};" for it in parts)
            self._names[key] = f"s_{len(self._names)}"
            self.definitions.append(f"struct {self._names[key]} {{ {members} }};")
        return self._names[key]


def element(kind: Type, count: int) -> str:
    """Return so many values of a type as the fields of an element.

    Raises:
        Refused: the type has other numbers, or they lie elsewhere than those of an element.
    """
    if kind.kind == TypeKind.VOID:
        raise Refused(RULE, "its elements have no type")
    scalars = [it for at in range(count) for it in _flat(kind, at * kind.get_size())]
    fields: list[list[int | str]] = []
    end, largest = 0, 1
    for name, size, at in scalars:
        largest = max(largest, size)
        end = -(-end // size) * size
        if end != at:
            raise Refused(RULE, f"the members of `{kind.spelling}` do not lie one behind the other")
        end += size
        if fields and fields[-1][0] == name and int(fields[-1][1]) < 256:
            fields[-1][1] = int(fields[-1][1]) + 1
        else:
            fields.append([name, 1])
    if -(-end // largest) * largest != count * kind.get_size():
        raise Refused(RULE, f"the members of `{kind.spelling}` do not lie one behind the other")
    if len(fields) > FIELDS_MOST or end > BYTES_MOST:
        raise Refused(RULE, f"an element has more than {FIELDS_MOST} fields or {BYTES_MOST} bytes")
    return ",".join(str(name) + (f"x{times}" if times != 1 else "") for name, times in fields)


def _flat(kind: Type, at: int) -> list[tuple[str, int, int]]:
    """Return the scalars of a type: name, size, and place in bytes."""
    plain = kind.get_canonical()
    if plain.kind in _SCALARS:
        name, size, _ = _SCALARS[plain.kind]
        return [(name, size, at)]
    if plain.kind == TypeKind.ENUM:
        return _flat(plain.get_declaration().enum_type, at)
    if plain.kind == TypeKind.CONSTANTARRAY:
        size = plain.element_type.get_size()
        return [
            it
            for number in range(min(plain.element_count, BYTES_MOST + 1))
            for it in _flat(plain.element_type, at + number * size)
        ]
    if plain.kind == TypeKind.RECORD and plain.get_declaration().kind.name == "STRUCT_DECL":
        return [
            it
            for part in plain.get_fields()
            for it in _flat(part.type, at + part.get_field_offsetof() // 8)
        ]
    raise Refused(RULE, f"its elements have values of type `{kind.spelling}`")
