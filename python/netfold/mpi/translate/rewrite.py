"""The new text of a program: fused calls in place of collectives (R-TR-18, R-TR-19)."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
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


@dataclass
class _File:
    """The changes of a source."""

    edits: list[tuple[int, int, str]] = field(default_factory=list)
    guarded: dict[tuple[int, int], list[tuple[str, str]]] = field(default_factory=dict)
    """Of a collective in a function that is called: the chains that it is part of, each as a
    condition and a statement.
    """
    declared: list[str] = field(default_factory=list)
    modules: dict[str, str] = field(default_factory=dict)


def rewrite(program: Program, chains: Sequence[Chain]) -> list[Written]:
    """Return the sources that change."""
    files: dict[Path, _File] = {}
    numbers: Counter[Path] = Counter()
    for chain in chains:
        path = path_of(chain.expected or chain.at.statement)
        numbers[path] += 1
        elsewhere = [it for it in chain.collectives if path_of(it.statement) != path]
        name = f"netfold_{numbers[path]}"
        if elsewhere:
            name = f"netfold_{path.stem.replace('-', '_')}_{numbers[path]}"
        _declare(files.setdefault(path, _File()), chain, name, is_shared=bool(elsewhere))
        for other in {path_of(it.statement) for it in elsewhere}:
            declaration = f"extern netfold_chain {name};"
            files.setdefault(other, _File()).declared.append(declaration)
        for one in chain.collectives:
            _replace(files[path_of(one.statement)], chain, one, name)
        if chain.expected is not None:
            start, _ = span(chain.expected)
            expects = f"netfold_chain_expect(&{name}, (netfold_input){_input(chain, 1)});\n    "
            files[path].edits.append((start, start, expects))
        for statement in chain.left_out:
            files[path].edits.append((*span(statement), chain.instead.rstrip(";")))
    return [_source(program, path, changes) for path, changes in files.items()]


def _declare(changes: _File, chain: Chain, name: str, is_shared: bool) -> None:
    """Declare a chain in the header of a source."""
    brought = with_operations(chain)
    for module in brought:
        changes.modules.setdefault(module.name, module.c(build(module)))
    made = f"netfold_chain_of({_quoted(chain.stages)})"
    if brought:
        made = f"netfold_chain_by({_quoted(chain.stages)}, {brought[0].identifier})"
    changes.declared += [f"/* {chain.function}, line {chain.lines[0]}: {chain.kind} */"]
    changes.declared += [f"{'' if is_shared else 'static '}netfold_chain {name} = {made};"]


def _replace(changes: _File, chain: Chain, one: Collective, name: str) -> None:
    """Replace a collective by its part of a chain."""
    parts = _run(chain, name) if one is chain.at else []
    parts += [
        _take(name, at, result)
        for at, result in enumerate(chain.results)
        if result.waits and result.collective is one
    ]
    is_pair = bool(chain.guarded)
    if is_pair:
        parts = [parts[0].replace("netfold_chain_run(", "netfold_chain_run_pair("), *parts[1:]]
    if one not in chain.guarded:
        changes.edits.append((*span(one.statement), _statement(one, parts, one is chain.at)))
        return
    step = 1 if one is chain.at else 2
    if step == 2:
        parts.insert(0, f"netfold_chain_end(&{name})")
    changes.guarded.setdefault(span(one.statement), []).append(
        (f"netfold_chain_is_at(&{name}, {step})", _statement(one, parts, runs=True))
    )


def _source(program: Program, path: Path, changes: _File) -> Written:
    text = program.texts[path]
    edits = [*changes.edits]
    for (start, end), ways in changes.guarded.items():
        chosen = " else ".join(f"if ({condition}) {done}" for condition, done in ways)
        edits.append((start, end, f"{chosen} else {text[start:end].decode()}"))
    header_name = f"{path.stem}_netfold.h"
    at = _behind_includes(text)
    edits.append((at, at, f'#include "{header_name}"\n'))
    after = text
    for start, end, new in sorted(edits, reverse=True):
        after = after[:start] + new.encode() + after[end:]
    guard = "/* Chains of " + path.name + ', by netfold translate. */\n#include "netfold_mpi.h"\n'
    header = "\n".join([guard, *changes.modules.values(), *changes.declared, ""])
    return Written(path, text.decode(), after.decode(), header_name, header)


def _quoted(text: str) -> str:
    return f'"{text}"'


def _input(chain: Chain, at: int) -> str:
    it = chain.inputs[at]
    count = it.count.replace("netfold_ranks", f"netfold_ranks_of({chain.communicator})")
    rows = f", {it.counts}, {it.displacements}" if it.counts != "0" else ""
    return f"{{{it.buffer}, {count}{rows}}}"


def _run(chain: Chain, name: str) -> list[str]:
    inputs = [_input(chain, at) for at in range(len(chain.inputs))]
    if chain.expected is not None:
        inputs[1] = f"{name}.expected"
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
