"""Chains in sources of Fortran, which are found and not rewritten (R-TR-21)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tree_sitter import Node

from ..chains import between as chain_of
from ..signatures import Form, form
from ..survey.parser import free_form, tree
from .calls import Refused
from .found import Refusal

SUFFIXES = {".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08"}

_FIXED = {".f", ".for", ".f77"}
_BLOCKS = {"subroutine", "function", "program", "if_statement", "else_clause", "do_loop"}
_INTRINSIC = {"sqrt", "abs", "max", "min", "mod", "dble", "real", "int", "exp", "log", "nint"}
_TREE = {"assignment_statement", "if_statement", "else_clause", "elseif_clause", "do_loop"}
_SILENT = {"comment", "end_if_statement", "end_do_loop_statement", "do_statement"}


@dataclass(frozen=True)
class Pair:
    """A chain that is found, and stays as it is."""

    path: Path
    function: str
    names: tuple[str, str]
    lines: tuple[int, int]
    stages: str


@dataclass
class _Effects:
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Call:
    node: Node
    form: Form
    name: str
    values: dict[str, str]

    @property
    def line(self) -> int:
        return int(self.node.start_point.row) + 1

    def needs(self) -> set[str]:
        given = [self.values[it] for it in ("sendbuf", "count", "datatype", "op", "comm")]
        return {name for text in given for name in _names(text)}

    def gives(self) -> set[str]:
        return {_base(self.values["recvbuf"]), self.values.get("ierror", "")}


def find(path: Path) -> list[Pair | Refusal]:
    """Return the pairs of all-reduces in a source that follow each other, each found or refused."""
    text = path.read_bytes()
    if path.suffix.lower() in _FIXED:
        text = free_form(text)
    said: list[Pair | Refusal] = []
    for unit in _all(tree(text, "Fortran"), {"subroutine", "function", "program"}):
        arrays, associated = _declared(unit)
        for block in _all(unit, _BLOCKS):
            said += _in_block(path, _name(unit), block, (arrays, associated))
    return sorted(set(said), key=lambda it: it.lines)


def _in_block(
    path: Path, unit: str, block: Node, declared: tuple[set[str], bool]
) -> Iterator[Pair | Refusal]:
    arrays, associated = declared
    first: _Call | None = None
    statements: list[Node] = []
    for node in block.named_children:
        second = _call(node)
        if second is None:
            statements.append(node)
            continue
        if first is not None and chain_of(first.form.base, second.form.base, False) is not None:
            names, lines = (first.name, second.name), (first.line, second.line)
            try:
                if associated:
                    raise Refused("R-TR-21", "an EQUIVALENCE gives one place several names")
                _check(first, second, _between(statements, arrays))
                yield Pair(path, unit, names, lines, "all_reduce, all_reduce")
            except Refused as refused:
                yield Refusal(path, unit, names, lines, refused.rule, refused.why)
        first = second if second.form.base == "Allreduce" else None
        statements = []


def _check(first: _Call, second: _Call, between: _Effects) -> None:
    for one in (first, second):
        if len(one.values) < len(one.form.parameters):
            raise Refused(
                "R-TR-1", f"the arguments of {one.name} of line {one.line} are not all there"
            )
    for name in ("comm", "datatype"):
        texts = (first.values[name], second.values[name])
        if texts[0] != texts[1]:
            raise Refused("R-TR-2", f"they have `{texts[0]}` and `{texts[1]}`")
    for written, where in (
        (first.gives(), f"{first.name} gives"),
        (between.writes, "is computed between"),
    ):
        shared = second.needs() & written
        if shared:
            what = f"`{min(shared)}`, which {second.name} of line {second.line} needs"
            raise Refused(
                "R-TR-12", f"{what}, is what {where}" if "gives" in where else f"{what}, {where}"
            )


def _between(statements: list[Node], arrays: set[str]) -> _Effects:
    effects = _Effects()
    for node in statements:
        _take(node, arrays, effects)
    return effects


def _take(node: Node, arrays: set[str], effects: _Effects) -> None:
    line = node.start_point.row + 1
    if node.type == "assignment_statement":
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        effects.writes.add(_base(_text(left)))
        for called in _all(right, {"call_expression"}) if right is not None else ():
            name = _base(_text(called))
            if name not in arrays | _INTRINSIC:
                raise Refused("R-TR-6", f"line {line}: {name} may be a function")
    elif node.type in _TREE:
        for child in node.named_children:
            _take(child, arrays, effects)
    elif node.type == "subroutine_call":
        raise Refused(
            "R-TR-6", f"line {line}: {_text(node.child_by_field_name('subroutine'))} is called"
        )
    elif node.type in _SILENT or node.type.endswith("expression"):
        return
    else:
        raise Refused("R-TR-5", f"line {line}: `{_text(node)[:40]}` is no assignment")


def _call(node: Node) -> _Call | None:
    if node.type != "subroutine_call":
        return None
    subroutine = node.child_by_field_name("subroutine")
    name = _text(subroutine)
    made = form(name)
    if made is None:
        return None
    listed = next((it for it in node.named_children if it.type == "argument_list"), None)
    texts = [_text(it) for it in listed.named_children] if listed is not None else []
    texts = [text for text in texts if text and text != "&"]
    return _Call(node, made, name, dict(zip((*made.parameters, "ierror"), texts, strict=False)))


def _declared(unit: Node) -> tuple[set[str], bool]:
    """Return the arrays of a unit, and whether it names one place in several ways."""
    arrays = {_base(_text(node)) for node in _all(unit, {"sized_declarator"})}
    # The grammar takes an EQUIVALENCE for a call.
    named = (_text(node) for node in _all(unit, {"equivalence_statement", "call_expression"}))
    return arrays, any(text.split("(")[0].strip() == "equivalence" for text in named)


def _name(unit: Node) -> str:
    head = unit.named_children[0]
    name = head.child_by_field_name("name") or next(
        (it for it in head.named_children if it.type == "name"), None
    )
    return _text(name)


def _all(node: Node, kinds: set[str]) -> Iterator[Node]:
    if node.type in kinds:
        yield node
    for child in node.named_children:
        yield from _all(child, kinds)


def _text(node: Node | None) -> str:
    if node is None or node.text is None:
        return ""
    return " ".join(node.text.decode("utf-8", "replace").replace("&", " ").split()).lower()


def _base(text: str) -> str:
    return text.split("(")[0].split("%")[0].strip()


def _names(text: str) -> set[str]:
    words = "".join(it if it.isalnum() or it == "_" else " " for it in text).split()
    return {word for word in words if not word[0].isdigit()}
