"""Parsing of C, C++ and Fortran with tree-sitter."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache

import tree_sitter_c
import tree_sitter_cpp
import tree_sitter_fortran
from tree_sitter import Language, Node, Parser, Query, QueryCursor

from .source import Assignment, Call, Function, Macro, Source

SUFFIXES = {
    **dict.fromkeys(("c",), "C"),
    **dict.fromkeys(
        ("h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "cu", "tpp"), "C++"
    ),
    **dict.fromkeys(("f", "for", "ftn", "f77", "f90", "f95", "f03", "f08"), "Fortran"),
}
"""Languages by the end of a file's name in lower case. A header is read as C++, which most of C is,
too, unless all other sources of its repository are C.
"""

_FIXED = {"f", "for", "ftn", "f77"}

_C = """
(call_expression) @call
(function_definition) @function
(preproc_def) @macro
(preproc_function_def) @macro
(assignment_expression left: (_) @left right: (identifier) @right) @assignment
(init_declarator declarator: (_) @left value: (identifier) @right) @assignment
"""
_FORTRAN = """
(subroutine_call) @call
(subroutine) @function
(function) @function
(program) @function
(assignment_statement left: (identifier) @left right: (identifier) @right) @assignment
"""
_BLOCKS = {
    "compound_statement", "translation_unit", "case_statement", "subroutine", "function",
    "program", "if_statement", "else_clause", "elseif_clause", "do_loop", "do_loop_statement",
    "select_case_statement", "case_clause", "for_statement", "while_statement", "lambda_expression",
}  # fmt: skip
_SPACE = re.compile(r"\s+")


@cache
def _language(name: str) -> tuple[Parser, Query]:
    module = {"C": tree_sitter_c, "C++": tree_sitter_cpp, "Fortran": tree_sitter_fortran}[name]
    language = Language(module.language())
    return Parser(language), Query(language, _FORTRAN if name == "Fortran" else _C)


def parse(path: str, text: bytes, language: str) -> Source:
    """Parse a file. What the parser does not understand it passes over."""
    suffix = path.rsplit(".", 1)[-1]
    if language == "Fortran" and suffix.lower() in _FIXED:
        text = free_form(text)
    parser, query = _language(language)
    root = parser.parse(text).root_node
    source = Source(path, language, text.count(b"\n"), root.has_error)
    found = QueryCursor(query).captures(root)
    spans = sorted(
        ((node.start_byte, node.end_byte, node) for node in found.get("function", [])),
        key=lambda span: span[:2],
    )
    read = _Fortran() if language == "Fortran" else _C_like()
    source.functions = [read.function(node) for _, _, node in spans]
    source.macros = [_macro(node) for node in found.get("macro", [])]
    starts = [start for start, _, _ in spans]
    calls = sorted(found.get("call", []), key=lambda node: node.start_byte)
    for node in calls:
        name, arguments = read.call(node)
        if name:
            within = _innermost(starts, spans, node.start_byte)
            line = node.start_point.row + 1
            source.calls.append(Call(name, line, arguments, within, _block(node)))
    for node in found.get("assignment", []):
        left, right = read.assignment(node)
        if left and right:
            source.assignments.append(Assignment(left, right))
    return source


def tree(text: bytes, language: str) -> Node:
    """Return the root of a text's syntax tree."""
    return _language(language)[0].parse(text).root_node


def calls_of(body: str) -> list[tuple[str, tuple[str, ...]]]:
    """Return the calls in the body of a macro, each with its arguments."""
    parser, query = _language("C")
    root = parser.parse(f"void f(void) {{ {body}; }}".encode()).root_node
    nodes = QueryCursor(query).captures(root).get("call", [])
    return [_C_like().call(node) for node in sorted(nodes, key=lambda node: node.start_byte)]


def free_form(text: bytes) -> bytes:
    """Return Fortran of fixed form as free form, with the same lines."""
    lines = text.split(b"\n")
    statement = None
    for at, line in enumerate(lines):
        if line[:1] in (b"c", b"C", b"*", b"!", b"d", b"D"):
            lines[at] = b"!" + line[1:]
        elif line[:1] == b"#" or not line.strip():
            continue
        elif (
            line[:5].strip() == b"" and line[5:6] not in (b"", b" ", b"0") and b"\t" not in line[:6]
        ):
            if statement is not None:
                before, mark, comment = _without_comment(lines[statement])
                lines[statement] = (
                    before.rstrip() + b" &" + (b" " if mark else b"") + mark + comment
                )
            lines[at] = b"      " + line[6:]
            statement = at
        else:
            statement = at
    return b"\n".join(lines)


def _without_comment(line: bytes) -> tuple[bytes, bytes, bytes]:
    quote = b""
    for at in range(len(line)):
        character = line[at : at + 1]
        if quote:
            quote = b"" if character == quote else quote
        elif character in (b"'", b'"'):
            quote = character
        elif character == b"!":
            return line[:at], b"!", line[at + 1 :]
    return line, b"", b""


def _innermost(starts: list[int], spans: list[tuple[int, int, Node]], at: int) -> int | None:
    for number in range(bisect_right(starts, at) - 1, -1, -1):
        if spans[number][1] > at:
            return number
    return None


def _block(node: Node) -> int:
    parent = node.parent
    while parent is not None and parent.type not in _BLOCKS:
        parent = parent.parent
    return parent.id if parent is not None else 0


def _text(node: Node | None) -> str:
    if node is None or node.text is None:
        return ""
    return _SPACE.sub(" ", node.text.decode("utf-8", "replace").replace("\\\n", " ")).strip()


def _macro(node: Node) -> Macro:
    parameters = node.child_by_field_name("parameters")
    named = None
    if parameters is not None:
        named = tuple(_text(child) for child in parameters.named_children)
    value = _text(node.child_by_field_name("value"))
    return Macro(_text(node.child_by_field_name("name")), named, value, node.start_point.row + 1)


class _C_like:  # noqa: N801
    """Names of things in the grammars of C and C++."""

    def function(self, node: Node) -> Function:
        declarator = node.child_by_field_name("declarator")
        while declarator is not None and declarator.type != "function_declarator":
            declarator = declarator.child_by_field_name("declarator") or (
                declarator.named_children[0] if declarator.named_children else None
            )
        parameters: tuple[str, ...] = ()
        name = ""
        if declarator is not None:
            name = _text(declarator.child_by_field_name("declarator")).split("::")[-1]
            listed = declarator.child_by_field_name("parameters")
            if listed is not None:
                parameters = tuple(self._names(listed))
        return Function(name, node.start_point.row + 1, node.end_point.row + 1, parameters)

    def _names(self, listed: Node) -> Iterator[str]:
        for child in listed.named_children:
            declarator: Node | None = child.child_by_field_name("declarator")
            if child.type == "comment" or (declarator is None and _text(child) == "void"):
                continue
            while declarator is not None and declarator.type != "identifier":
                inner = declarator.child_by_field_name("declarator")
                declarator = inner or next(iter(declarator.named_children), None)
            yield _text(declarator)

    def call(self, node: Node) -> tuple[str, tuple[str, ...]]:
        function = node.child_by_field_name("function")
        listed = node.child_by_field_name("arguments")
        if function is None or listed is None:
            return "", ()
        arguments = tuple(
            _text(child) for child in listed.named_children if child.type != "comment"
        )
        name = _text(function)
        if function.type == "field_expression":
            # A method of MPI's own C++ bindings, which MPI 3 dropped: its object is the last
            # argument in C.
            owner = _text(function.child_by_field_name("argument"))
            field = _text(function.child_by_field_name("field"))
            if owner.startswith("MPI::"):
                return "MPI_" + field, (*arguments, owner.replace("MPI::", "MPI_"))
            return field.split("<")[0], arguments
        return name.split("<")[0].split("::")[-1], arguments

    def assignment(self, node: Node) -> tuple[str, str]:
        left = node.child_by_field_name("left") or node.child_by_field_name("declarator")
        right = node.child_by_field_name("right") or node.child_by_field_name("value")
        if right is None or right.type != "identifier":
            return "", ""
        return _text(left).lstrip("*").split(".")[-1].split("->")[-1], _text(right)


class _Fortran:
    """Names of things in the grammar of Fortran, in lower case."""

    def function(self, node: Node) -> Function:
        head = node.named_children[0] if node.named_children else node
        name = head.child_by_field_name("name") or next(
            (child for child in head.named_children if child.type == "name"), None
        )
        listed = head.child_by_field_name("parameters")
        parameters: tuple[str, ...] = ()
        if listed is not None:
            parameters = tuple(_text(child).lower() for child in listed.named_children)
        start, end = node.start_point.row + 1, node.end_point.row + 1
        return Function(_text(name).lower(), start, end, parameters)

    def call(self, node: Node) -> tuple[str, tuple[str, ...]]:
        name = node.child_by_field_name("subroutine")
        listed = next(
            (child for child in node.named_children if child.type == "argument_list"), None
        )
        arguments: tuple[str, ...] = ()
        if listed is not None:
            arguments = tuple(
                _text(child).replace("&", "").strip()
                for child in listed.named_children
                if child.type not in ("comment", "&")
            )
        return _text(name).lower(), arguments

    def assignment(self, node: Node) -> tuple[str, str]:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        return _text(left).lower(), _text(right)
