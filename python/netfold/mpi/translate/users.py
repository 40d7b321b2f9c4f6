"""Operations that a program makes of its functions, and the bodies that a switch runs in their
place (R-TR-22 to R-TR-24).
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from clang.cindex import Cursor, CursorKind

from . import body, operation
from .calls import Refused
from .found import Body, Refusal
from .operation import Module, build
from .program import Function, Program, arguments, called, constant, line, strip, walk

LIST = "operations"
"""The list of bodies that the library reads (R-MPI-18)."""

_CREATE = {"MPI_Op_create", "MPI_Op_create_c", "PMPI_Op_create"}
_DEPTH = 4


@dataclass(frozen=True)
class Made:
    """An operation that the program makes."""

    path: Path
    call: Cursor
    function: Cursor
    """The argument that names the function."""
    commutes: Cursor


def find(program: Program) -> list[Body | Refusal]:
    """Return the bodies of a program's operations, and what it refuses."""
    said: list[Body | Refusal] = []
    bodies: dict[str, Body] = {}
    for made in sorted(_made(program), key=lambda it: (str(it.path), line(it.call))):
        try:
            found = _body(program, made)
            before = bodies.setdefault(found.function, found)
            if before.commutes != found.commutes:
                raise Refused("R-TR-22", f"line {before.made} says that it commutes, or not")
            if before is found:
                said.append(found)
        except Refused as refused:
            name = program.text(strip(made.function)).lstrip("&")
            at = (line(made.call), line(made.call))
            names = (called(made.call), "its function")
            said.append(Refusal(made.path, name, names, at, refused.rule, refused.why))
    wrong = {it.function for it in said if isinstance(it, Refusal)}
    return [it for it in said if isinstance(it, Refusal) or it.function not in wrong]


def _made(program: Program) -> Iterator[Made]:
    """Yield the operations that the program makes, also by wrappers of `MPI_Op_create`."""
    for function in program.functions.values():
        for call in _calls(function):
            if called(call) in _CREATE and len(arguments(call)) == 3:
                yield from _resolved(program, function, (call, *arguments(call)[:2]), _DEPTH)


def _resolved(
    program: Program, within: Function, given: tuple[Cursor, Cursor, Cursor], depth: int
) -> Iterator[Made]:
    call, function, commutes = given
    parameters = [it.get_usr() for it in within.parameters]
    at = [
        parameters.index(usr) if (usr := _named(it)) in parameters else None
        for it in (function, commutes)
    ]
    if at[0] is None or depth == 0:
        yield Made(within.path, call, function, commutes)
        return
    for caller in program.functions.values():
        for outer in _calls(caller):
            if called(outer) == within.name and program.function(outer) == within:
                passed = arguments(outer)
                second = passed[at[1]] if at[1] is not None else commutes
                yield from _resolved(program, caller, (outer, passed[at[0]], second), depth - 1)


def _calls(function: Function) -> Iterator[Cursor]:
    return (node for node in walk(function.body) if node.kind == CursorKind.CALL_EXPR)


def _named(expression: Cursor) -> str:
    node = strip(expression)
    is_name = node.kind == CursorKind.DECL_REF_EXPR and node.referenced is not None
    return str(node.referenced.get_usr()) if is_name else ""


def _body(program: Program, made: Made) -> Body:
    """Return the body of an operation, compiled."""
    node = strip(made.function)
    if node.kind != CursorKind.DECL_REF_EXPR:
        node = next((it for it in walk(node) if it.kind == CursorKind.DECL_REF_EXPR), node)
    named = node.referenced if node.kind == CursorKind.DECL_REF_EXPR else None
    if named is None or named.kind != CursorKind.FUNCTION_DECL:
        raise Refused("R-TR-22", "which function it is, is not known before the program runs")
    commutes = constant(made.commutes)
    if commutes is None:
        text = program.text(made.commutes)
        raise Refused("R-TR-22", f"whether it commutes, `{text}`, is no constant")
    function = next((it for it in program.functions.values() if it.cursor == named), None)
    function = function or program.functions.get(named.spelling)
    if function is None:
        raise Refused("R-TR-22", "its body is not among the sources")
    defined = {
        str(cursor.extent.start.file)
        for unit in program.units
        for cursor in unit.cursor.get_children()
        if cursor.kind == CursorKind.FUNCTION_DECL
        and cursor.is_definition()
        and cursor.spelling == function.name
    }
    if len(defined) > 1:
        raise Refused("R-TR-22", "the program has two functions of this name")
    written = body.write(program, function)
    return _claimed(made, function, written, bool(commutes))


def _claimed(made: Made, function: Function, written: body.Written, commutes: bool) -> Body:
    """Return the body with its claims (R-TR-24): what the program says, as far as that holds to the
    bit.
    """
    exact = not any(kind in written.element for kind in ("f32", "f64"))
    notes: list[str] = []
    module = _module(written, exact, commutes)
    false = _false_claims(build(module)) if exact else []
    if false:
        exact = False
        module = _module(written, exact, commutes)
        notes.append(f"folded in the order of ranks: {' '.join(false)}")
    said = ["associative"] * exact + ["commutative"] * commutes
    ends = (line(function.cursor), int(function.cursor.extent.end.line))
    return Body(
        function.path, function.name, ends, line(made.call), commutes, written.element,
        ", ".join(said) or "in the order of ranks", module.source.replace("NAME", module.name),
        build(module), notes,
    )  # fmt: skip


def _module(written: body.Written, associative: bool, commutative: bool) -> Module:
    unit, count = written.unit, written.stride
    lines = ["abi 1", "name NAME", f"element {written.element}"]
    lines += ["associative yes"] * associative + ["commutative yes"] * commutative
    declared = "\n".join(f'OP_DECLARE("{it}")' for it in lines)
    each = f"for (int k = 0; k < {count}; k++)"
    return Module(
        f"#include <netfold_op.h>\n\n{declared}\n\n{written.source}\n"
        f"OP_FOLD({unit}, left, right, count) {{\n"
        f"    for (int i = 0; i < count; i++) {{\n"
        f"        {unit} in[{count}], inout[{count}];\n"
        f"        {each} {{\n"
        f"            in[k] = left[{count} * i + k];\n"
        f"            inout[k] = right[{count} * i + k];\n        }}\n"
        f"        netfold_one(in, inout);\n"
        f"        {each} left[{count} * i + k] = inout[k];\n    }}\n}}\n"
    )


def _false_claims(module: bytes) -> list[str]:
    """Return the claims of an operation of integers that random operands disprove."""
    with tempfile.TemporaryDirectory(prefix="netfold-translate-") as folder:
        path = Path(folder, "operation.wasm")
        path.write_bytes(module)
        done = subprocess.run(
            [operation.command(), "op", "test", str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
    marks = [it.partition("a claim is false:")[2] for it in done.stdout.splitlines()]
    found = [f"it is not {it.strip()} to the bit" for it in marks if it]
    return found or (["its claims cannot be tested"] if done.returncode else [])


def save(bodies: Sequence[Body], folder: Path) -> list[Path]:
    """Write the bodies and their list into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = ["# function in the program, and its body"]
    paths = [folder / LIST]
    for it in bodies:
        name = f"{it.function}_netfold"
        (folder / f"{name}.c").write_text(it.source)
        (folder / f"{name}.wasm").write_bytes(it.module)
        rows.append(f"{it.function} {name}.wasm")
        paths += [folder / f"{name}.c", folder / f"{name}.wasm"]
    paths[0].write_text("\n".join([*rows, ""]))
    return paths
