"""A C program as libclang sees it: its functions, and helpers for cursors."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from clang.cindex import (
    Cursor,
    CursorKind,
    Diagnostic,
    Index,
    TranslationUnit,
    TranslationUnitLoadError,
    TypeKind,
    conf,
)

from . import header

WRAPPED = (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR, CursorKind.CSTYLE_CAST_EXPR)
BINARY = (CursorKind.BINARY_OPERATOR, CursorKind.COMPOUND_ASSIGNMENT_OPERATOR)
LOOPS = (CursorKind.FOR_STMT, CursorKind.WHILE_STMT, CursorKind.DO_STMT)


class ProgramError(ValueError):
    """Sources that cannot be parsed."""


@dataclass(frozen=True)
class Function:
    """A function with a body."""

    name: str
    cursor: Cursor
    body: Cursor
    parameters: tuple[Cursor, ...]
    path: Path


@dataclass
class Program:
    """The sources that were given, and the functions that they define."""

    units: list[TranslationUnit] = field(default_factory=list)
    paths: list[Path] = field(default_factory=list)
    functions: dict[str, Function] = field(default_factory=dict)
    """By name; of two static functions of one name the first."""
    texts: dict[Path, bytes] = field(default_factory=dict)
    """Those of the sources."""
    headers: dict[Path, bytes] = field(default_factory=dict)
    """Those of headers, as far as they were asked for."""
    memory: object = None
    """Objects that its global pointers point to, once they are known."""
    folder: tempfile.TemporaryDirectory[str] | None = None
    known: dict[str, object] = field(default_factory=dict)
    """Answers about functions that were asked for, by question and USR."""
    _by_usr: dict[str, Function] = field(default_factory=dict)

    def function(self, call: Cursor) -> Function | None:
        """Return the function that a call names, if it has a body here."""
        called = call.referenced
        if called is None or called.kind != CursorKind.FUNCTION_DECL:
            return None
        own = called.get_definition()
        if len(self._by_usr) != len(self.functions):
            self._by_usr = {it.cursor.get_usr(): it for it in self.functions.values()}
        found = self._by_usr.get(own.get_usr()) if own is not None else None
        return found or self.functions.get(called.spelling)

    def text(self, cursor: Cursor) -> str:
        """Return the text of a cursor in its file."""
        start, end = span(cursor)
        path = path_of(cursor)
        if path not in self.texts and path not in self.headers:
            self.headers[path] = path.read_bytes()
        text = self.texts[path] if path in self.texts else self.headers[path]
        return text[start:end].decode("utf-8", "replace")


def load(paths: Sequence[Path], flags: Sequence[str]) -> Program:
    """Parse sources, with the flags that they are compiled with.

    Raises:
        ProgramError: a file that cannot be parsed, with the compiler's message.
    """
    program = Program(folder=tempfile.TemporaryDirectory(prefix="netfold-translate-"))
    assert program.folder is not None
    (Path(program.folder.name) / "mpi.h").write_text(header.text())
    given = [
        "-x", "c", f"-I{program.folder.name}", *flags, "-Wno-implicit-function-declaration",
        "-ferror-limit=0", *_own_headers(),
    ]  # fmt: skip
    for path in paths:
        try:
            unit = Index.create().parse(
                str(path), given, options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
            )
        except TranslationUnitLoadError as error:
            raise ProgramError(f"{path} cannot be read; is it a C source?") from error
        wrong = [it for it in unit.diagnostics if it.severity >= Diagnostic.Error]
        if wrong:
            where = wrong[0].location
            raise ProgramError(
                f"{where.file}:{where.line}: {wrong[0].spelling}; "
                "give the flags that it is compiled with, behind `--`: -I, -D"
            )
        program.units.append(unit)
        program.paths.append(path)
        program.texts[path.resolve()] = path.read_bytes()
        for function in _functions(unit, path):
            program.functions.setdefault(function.name, function)
    return program


def _functions(unit: TranslationUnit, path: Path) -> Iterator[Function]:
    for cursor in unit.cursor.get_children():
        if cursor.kind == CursorKind.FUNCTION_DECL and cursor.is_definition():
            body = list(cursor.get_children())[-1]
            if body.kind == CursorKind.COMPOUND_STMT:
                yield Function(cursor.spelling, cursor, body, tuple(cursor.get_arguments()), path)


@cache
def _own_headers() -> tuple[str, ...]:
    """Return the flag for headers of the compiler itself, such as `stddef.h`, which libclang's
    package does not bring along.
    """
    for compiler, question in (
        ("clang", ["-print-resource-dir"]),
        ("gcc", ["-print-file-name=include"]),
        ("cc", ["-print-file-name=include"]),
    ):
        program = shutil.which(compiler)
        if program is None:
            continue
        found = Path(subprocess.check_output([program, *question], text=True).strip())
        folder = found / "include" if compiler == "clang" else found
        if (folder / "stddef.h").exists():
            return ("-isystem", str(folder))
    return ()


# ---- cursors


def children(cursor: Cursor) -> list[Cursor]:
    """Return the parts of a cursor."""
    return list(cursor.get_children())


def span(cursor: Cursor) -> tuple[int, int]:
    """Return where a cursor begins and ends in its file, in bytes."""
    return cursor.extent.start.offset, cursor.extent.end.offset


def line(cursor: Cursor) -> int:
    """Return the line of a cursor."""
    return int(cursor.extent.start.line)


def path_of(cursor: Cursor) -> Path:
    """Return the file of a cursor."""
    return Path(cursor.extent.start.file.name).resolve()


def strip(cursor: Cursor, wrapped: Container[CursorKind] = WRAPPED) -> Cursor:
    """Return an expression without parentheses and casts, or what else wraps it."""
    while cursor.kind in wrapped:
        parts = [part for part in children(cursor) if part.kind.is_expression()]
        if len(parts) != 1:
            return cursor
        cursor = parts[0]
    return cursor


def uncovered(expression: Cursor) -> Cursor:
    """Return an expression without parentheses and the conversions that nobody has written."""
    return strip(expression, (CursorKind.UNEXPOSED_EXPR, CursorKind.PAREN_EXPR))


def begun(begin: Cursor) -> tuple[Cursor | None, Cursor | None]:
    """Return the variable to which the first part of a loop gives a value, and that value."""
    if operator(begin) == "=":
        left, value = children(begin)
        return strip(left).referenced, value
    if begin.kind == CursorKind.DECL_STMT and len(children(begin)) == 1:
        variable = children(begin)[0]
        return variable, next((it for it in children(variable) if it.kind.is_expression()), None)
    return None, None


def walk(cursor: Cursor) -> Iterator[Cursor]:
    """Yield a cursor and all below it."""
    yield cursor
    for child in cursor.get_children():
        yield from walk(child)


_BINARY = (
    "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=",
    "&", "^", "|", "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=",
    ",",
)  # fmt: skip
_UNARY = ("", "x++", "x--", "++x", "--x", "&x", "*x", "+", "-", "~", "!", "real", "imag", "ext")


@cache
def _library() -> ctypes.CDLL:
    library = conf.lib
    for name in ("clang_getCursorBinaryOperatorKind", "clang_getCursorUnaryOperatorKind"):
        function = getattr(library, name)
        function.argtypes, function.restype = [Cursor], ctypes.c_int
    library.clang_Cursor_Evaluate.argtypes = [Cursor]
    library.clang_Cursor_Evaluate.restype = ctypes.c_void_p
    for name, kind in (
        ("getKind", ctypes.c_int),
        ("getAsLongLong", ctypes.c_longlong),
        ("getAsDouble", ctypes.c_double),
    ):
        function = getattr(library, f"clang_EvalResult_{name}")
        function.argtypes, function.restype = [ctypes.c_void_p], kind
    library.clang_EvalResult_dispose.argtypes = [ctypes.c_void_p]
    return library  # type: ignore[no-any-return]


def operator(cursor: Cursor) -> str:
    """Return the operator of an expression as C writes it, a unary one with its operand: `&x`."""
    if cursor.kind in BINARY:
        return _BINARY[_library().clang_getCursorBinaryOperatorKind(cursor)]
    if cursor.kind == CursorKind.UNARY_OPERATOR:
        return _UNARY[_library().clang_getCursorUnaryOperatorKind(cursor)]
    return ""


def constant(cursor: Cursor) -> int | None:
    """Return the value of an expression of integers that is constant."""
    if any(
        part.kind == CursorKind.DECL_REF_EXPR and not _is_constant(part) for part in walk(cursor)
    ):
        return None
    result = _library().clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        is_integer = _library().clang_EvalResult_getKind(result) == 1
        return int(_library().clang_EvalResult_getAsLongLong(result)) if is_integer else None
    finally:
        _library().clang_EvalResult_dispose(result)


def number_of(cursor: Cursor) -> int | float | None:
    """Return the value of an expression that is a number and names no variable."""
    value = constant(cursor)
    if value is not None or any(
        part.kind == CursorKind.DECL_REF_EXPR and not _is_constant(part) for part in walk(cursor)
    ):
        return value
    result = _library().clang_Cursor_Evaluate(cursor)
    if not result:
        return None
    try:
        is_float = _library().clang_EvalResult_getKind(result) == 2
        return float(_library().clang_EvalResult_getAsDouble(result)) if is_float else None
    finally:
        _library().clang_EvalResult_dispose(result)


def _is_constant(name: Cursor) -> bool:
    declared = name.referenced
    return declared is not None and bool(declared.kind == CursorKind.ENUM_CONSTANT_DECL)


def is_array(cursor: Cursor) -> bool:
    """Return whether an expression is an array, or a type a type of arrays."""
    return cursor.type.get_canonical().kind in (
        TypeKind.CONSTANTARRAY,
        TypeKind.INCOMPLETEARRAY,
        TypeKind.VARIABLEARRAY,
    )


def is_pointer(cursor: Cursor) -> bool:
    """Return whether an expression is a pointer."""
    return bool(cursor.type.get_canonical().kind == TypeKind.POINTER)


def called(cursor: Cursor) -> str:
    """Return the name of the function that a call calls; empty if it is called by a pointer."""
    if cursor.referenced is not None and cursor.referenced.kind == CursorKind.FUNCTION_DECL:
        return str(cursor.referenced.spelling)
    return ""


def arguments(cursor: Cursor) -> list[Cursor]:
    """Return the arguments of a call."""
    return list(cursor.get_arguments())


def same(program: Program, one: Cursor, other: Cursor) -> bool:
    """Return whether two expressions are one: the same text of the same names."""
    names = [
        [part.referenced.get_usr() for part in walk(it) if part.kind == CursorKind.DECL_REF_EXPR]
        for it in (one, other)
    ]
    texts = ["".join(program.text(strip(it)).split()) for it in (one, other)]
    return names[0] == names[1] and texts[0] == texts[1]
