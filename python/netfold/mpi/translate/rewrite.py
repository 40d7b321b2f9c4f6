"""The new text of a program: fused calls in place of collectives (R-TR-18, R-TR-19)."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from clang.cindex import Cursor

from .calls import Collective, Refused
from .found import Chain, Result
from .operation import Module, build, in_order
from .program import Program, path_of, span

HEADER = Path(__file__).resolve().parents[1] / "netfold_mpi.h"


@dataclass
class Written:
    """A source that is translated."""

    path: Path
    before: str
    after: str
    header_name: str
    header: str
    """The chains and operations that it includes."""

    def diff(self) -> str:
        """Return the change of the source as a unified diff."""
        lines = (self.before.splitlines(keepends=True), self.after.splitlines(keepends=True))
        return "".join(difflib.unified_diff(*lines, f"a/{self.path.name}", f"b/{self.path.name}"))


def with_operations(chain: Chain) -> list[Module]:
    """Put operations into the stages of a chain, and return them: that of a map, and for sums and
    products of floats those that fold in the order of ranks (R-TR-18).
    """
    if chain.operation is not None:
        module = Module(chain.operation)
        chain.stages = chain.stages.replace("NAME", module.name)
        return [module]
    modules: dict[str, Module] = {}
    for operation in ("sum", "product"):
        for kind in ("f32", "f64"):
            words = f"{operation} {kind}"
            if f" {words}" in chain.stages:
                module = modules.setdefault(words, in_order(operation, kind))
                chain.stages = chain.stages.replace(f" {words}", f" {module.name} {kind}")
    if len(modules) > 1:
        raise Refused(
            "R-TR-18",
            f"one chain folds floats by {' and '.join(modules)}; it brings one operation along",
        )
    return list(modules.values())


def rewrite(program: Program, chains: Sequence[Chain]) -> list[Written]:
    """Return the sources that change."""
    by_file: dict[Path, list[Chain]] = {}
    for chain in chains:
        by_file.setdefault(path_of(chain.at.statement), []).append(chain)
    return [_source(program, path, found) for path, found in by_file.items()]


def _source(program: Program, path: Path, chains: Sequence[Chain]) -> Written:
    text = program.texts[path]
    edits: list[tuple[int, int, str]] = []
    declared: list[str] = []
    modules: dict[str, str] = {}
    for number, chain in enumerate(chains, 1):
        name = f"netfold_{number}"
        brought = with_operations(chain)
        for module in brought:
            modules.setdefault(module.name, module.c(build(module)))
        made = f"netfold_chain_of({_quoted(chain.stages)})"
        if brought:
            made = f"netfold_chain_by({_quoted(chain.stages)}, {brought[0].identifier})"
        declared += [f"/* {chain.function}, line {chain.lines[0]}: {chain.kind} */"]
        declared += [f"static netfold_chain {name} = {made};"]
        edits += _edits(chain, name)
    header_name = f"{path.stem}_netfold.h"
    at = _behind_includes(text)
    edits.append((at, at, f'#include "{header_name}"\n'))
    after = text
    for start, end, new in sorted(edits, reverse=True):
        after = after[:start] + new.encode() + after[end:]
    guard = "/* Chains of " + path.name + ', by netfold translate. */\n#include "netfold_mpi.h"\n'
    header = "\n".join([guard, *modules.values(), *declared, ""])
    return Written(path, text.decode(), after.decode(), header_name, header)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _edits(chain: Chain, name: str) -> list[tuple[int, int, str]]:
    edits = []
    for one in chain.collectives:
        parts = _run(chain, name) if one is chain.at else []
        parts += [
            _take(name, at, result)
            for at, result in enumerate(chain.results)
            if result.waits and result.collective is one
        ]
        edits.append((*span(one.statement), _statement(one, parts, one is chain.at)))
    for statement in chain.left_out:
        edits.append((*span(statement), chain.instead.rstrip(";")))
    return edits


def _run(chain: Chain, name: str) -> list[str]:
    inputs = []
    for it in chain.inputs:
        count = it.count.replace("netfold_ranks", f"netfold_ranks_of({chain.communicator})")
        rows = f", {it.counts}, {it.displacements}" if it.counts != "0" else ""
        inputs.append(f"{{{it.buffer}, {count}{rows}}}")
    listed = ", ".join(inputs)
    run = f"netfold_chain_run(&{name}, {chain.communicator}, {len(inputs)}, (netfold_input[]){{{listed}}})"
    takes = [_take(name, at, result) for at, result in enumerate(chain.results) if not result.waits]
    return [run, *takes]


def _take(name: str, at: int, result: Result) -> str:
    if result.counts is not None:
        counts, places = result.counts
        return f"netfold_chain_take_rows(&{name}, {at}, {result.buffer}, {counts}, {places})"
    return f"netfold_chain_take(&{name}, {at}, {result.buffer})"


def _statement(one: Collective, parts: list[str], runs: bool) -> str:
    """Return the statement that takes the place of a collective."""
    parts = list(dict.fromkeys(parts))
    if not parts:
        parts = ["MPI_SUCCESS"] if one.result is not None else ["(void)0"]
    if one.result is not None:
        result = _text(one.result)
        parts = [
            f"{result} = {parts[0]}",
            *(f"if ({result} == 0) {result} = {part}" for part in parts[1:]),
        ]
    if len(parts) == 1 and not runs:
        return parts[0]
    return "{ /* netfold */\n        " + ";\n        ".join(parts) + ";\n    }"


def _text(cursor: Cursor) -> str:
    return str(cursor.spelling or next(iter(cursor.get_tokens())).spelling)


def _behind_includes(text: bytes) -> int:
    """Return where the line behind the last `#include` begins that no condition is around."""
    depth, at, found = 0, 0, 0
    for row in text.split(b"\n"):
        word = row.strip().replace(b"# ", b"#")
        depth += word.startswith(b"#if") - word.startswith(b"#endif")
        at += len(row) + 1
        if word.startswith(b"#include") and depth == 0:
            found = at
    return min(found, len(text))


def save(written: Sequence[Written], folder: Path) -> list[Path]:
    """Write the sources, their headers and `netfold_mpi.h` into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {HEADER.name: HEADER.read_text()}
    for source in written:
        files[source.path.name], files[source.header_name] = source.after, source.header
    for name, content in files.items():
        (folder / name).write_text(content)
    return [folder / name for name in files]
