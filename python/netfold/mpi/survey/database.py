"""The survey's database, in SQLite: one row for each thing that was found."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..chains import between
from ..trace import Trace
from .repository import Repository
from .resolve import Collective, collectives, derived_types, user_operations
from .source import base

SCHEMA = """
CREATE TABLE repositories (
    id INTEGER PRIMARY KEY, name TEXT, path TEXT, files INTEGER, left_out INTEGER);
CREATE TABLE files (
    id INTEGER PRIMARY KEY, repository INTEGER REFERENCES repositories, path TEXT, language TEXT,
    lines INTEGER, has_error INTEGER);
CREATE TABLE functions (
    id INTEGER PRIMARY KEY, file INTEGER REFERENCES files, name TEXT, line INTEGER,
    end_line INTEGER);
CREATE TABLE wrappers (
    repository INTEGER REFERENCES repositories, name TEXT, collective TEXT);
CREATE TABLE calls (
    id INTEGER PRIMARY KEY, file INTEGER REFERENCES files, function TEXT, line INTEGER,
    collective TEXT, name TEXT, written TEXT, nonblocking INTEGER, persistent INTEGER,
    neighbor INTEGER, inside_wrapper INTEGER, in_place INTEGER, communicator TEXT,
    communicator_text TEXT, type TEXT, type_text TEXT, operation TEXT, operation_text TEXT);
CREATE TABLE pairs (
    first INTEGER REFERENCES calls, second INTEGER REFERENCES calls, lines INTEGER,
    same_block INTEGER, depends INTEGER, stages TEXT);
CREATE TABLE user_operations (
    file INTEGER REFERENCES files, line INTEGER, function TEXT, commutes TEXT, name TEXT);
CREATE TABLE derived_types (
    file INTEGER REFERENCES files, line INTEGER, constructor TEXT, name TEXT);
CREATE TABLE dynamic_calls (
    program TEXT, collective TEXT, communicator TEXT, type TEXT, operation TEXT, bytes INTEGER,
    path TEXT, calls INTEGER, nanoseconds INTEGER);
CREATE TABLE dynamic_pairs (
    program TEXT, first TEXT, second TEXT, pairs INTEGER, nanoseconds INTEGER);
CREATE VIEW uses AS
    SELECT calls.*, files.path, files.language, repositories.id AS repository,
           repositories.name AS program
    FROM calls JOIN files ON calls.file = files.id
    JOIN repositories ON files.repository = repositories.id
    WHERE NOT inside_wrapper;
"""
"""`uses` has the calls that a program makes, without those that its wrappers make for it."""


def create(path: Path | None) -> sqlite3.Connection:
    """Make an empty database in this file, in place of one that is there; in memory for None."""
    if path is not None:
        path.unlink(missing_ok=True)
    database = sqlite3.connect(path or ":memory:")
    database.executescript(SCHEMA)
    return database


def add(database: sqlite3.Connection, repository: Repository) -> None:
    """Add what a repository has."""
    row = (repository.name, str(repository.path), repository.files, repository.left_out)
    number = _insert(database, "repositories(name, path, files, left_out)", row)
    files: dict[str, int] = {}
    for source in repository.sources:
        of_file = (number, source.path, source.language, source.lines, source.has_error)
        file = _insert(database, "files(repository, path, language, lines, has_error)", of_file)
        files[source.path] = file
        for function in source.functions:
            of_function = (file, function.name, function.line, function.end)
            _insert(database, "functions(file, name, line, end_line)", of_function)
    for wrapper in repository.resolver.wrappers.values():
        _insert(database, "wrappers", (number, wrapper.name, wrapper.form.name))
    found = list(collectives(repository.sources, repository.resolver))
    numbers = [_insert_call(database, files[call.path], call) for call in found]
    for first, second in _neighbors(found):
        pair = _pair(found[first], found[second])
        _insert(database, "pairs", (numbers[first], numbers[second], *pair))
    for operation in user_operations(repository.sources):
        operation_row = (operation.line, operation.function, operation.commutes, operation.name)
        _insert(database, "user_operations", (files[operation.path], *operation_row))
    for derived in derived_types(repository.sources):
        derived_row = (files[derived.path], derived.line, derived.constructor, derived.name)
        _insert(database, "derived_types", derived_row)
    database.commit()


def add_trace(database: sqlite3.Connection, trace: Trace) -> None:
    """Add what a program has called as it ran."""
    calls, time = Counter[tuple[object, ...]](), Counter[tuple[object, ...]]()
    key: tuple[object, ...]
    for call in trace.calls:
        key = (call.call, call.comm, call.type, call.op, call.bytes, call.path)
        calls[key] += 1
        time[key] += call.nanoseconds
    for key, count in calls.items():
        _insert(database, "dynamic_calls", (trace.program, *key, count, time[key]))
    pairs, gaps = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for first, second in trace.pairs():
        pairs[first.call, second.call] += 1
        gaps[first.call, second.call] += second.start - first.end
    for names, count in pairs.items():
        _insert(database, "dynamic_pairs", (trace.program, *names, count, gaps[names]))
    database.commit()


def _insert(database: sqlite3.Connection, into: str, row: Sequence[object]) -> int:
    marks = ", ".join("?" * len(row))
    done = database.execute(f"INSERT INTO {into} VALUES ({marks})", row)
    assert done.lastrowid is not None
    return done.lastrowid


def _insert_call(database: sqlite3.Connection, file: int, call: Collective) -> int:
    text = call.values
    kind = text.get("datatype") or text.get("sendtype") or text.get("recvtype")
    columns = (
        "calls(file, function, line, collective, name, written, nonblocking, persistent, neighbor,"
        " inside_wrapper, in_place, communicator, communicator_text, type, type_text, operation,"
        " operation_text)"
    )
    form = call.form
    row = (
        file, call.function, call.line, form.base, form.name, call.written, form.nonblocking,
        form.persistent, form.neighbor, call.inside, call.in_place, call.communicator,
        text.get("comm"), call.type, kind, call.operation, text.get("op"),
    )  # fmt: skip
    return _insert(database, columns, row)


def _neighbors(found: list[Collective]) -> Iterator[tuple[int, int]]:
    """Yield pairs of calls on one communicator that follow each other in a function."""
    last: dict[tuple[str, int | None, str], int] = {}
    for number, call in enumerate(found):
        if call.inside:
            continue
        key = (call.path, call.place, call.values.get("comm", ""))
        if key in last:
            yield last[key], number
        last[key] = number


def _pair(first: Collective, second: Collective) -> tuple[int, bool, bool, str | None]:
    depends = bool(first.receives) and (
        first.receives == second.sends
        or (second.form.base == "Alltoallv" and first.receives in map(base, second.values.values()))
    )
    plain = not any(
        (it.form.nonblocking or it.form.persistent or it.form.neighbor) for it in (first, second)
    )
    same = first.block == second.block
    chain = between(first.form.base, second.form.base, depends) if plain else None
    if chain is not None and chain.depends is False and not same:
        chain = None
    return second.line - first.line, same, depends, chain.stages if chain else None
