"""Questions that the survey answers, each a query of the database."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """A table of the report."""

    key: str
    """Name of its plot's file."""
    title: str
    columns: tuple[str, ...]
    query: str
    """Its first column is what is counted, its second the count."""


FEATURES = {
    "any collective": "SELECT DISTINCT repository FROM uses",
    "a wrapper of a collective": (
        "SELECT DISTINCT repository FROM uses WHERE lower(written) <> lower(name)"
        " AND written NOT LIKE '%\\_c' ESCAPE '\\'"
    ),
    "collectives that do not block": "SELECT DISTINCT repository FROM uses WHERE nonblocking",
    "persistent collectives": "SELECT DISTINCT repository FROM uses WHERE persistent",
    "collectives of neighbours": "SELECT DISTINCT repository FROM uses WHERE neighbor",
    "a communicator other than the world": (
        "SELECT DISTINCT repository FROM uses WHERE communicator IN ('made', 'self')"
    ),
    "a derived type in a collective": "SELECT DISTINCT repository FROM uses WHERE type = 'derived'",
    "an operation of the user's": (
        "SELECT repository FROM user_operations JOIN files ON file = files.id"
        " UNION SELECT repository FROM uses WHERE operation = 'user'"
    ),
    "buffers in place": "SELECT DISTINCT repository FROM uses WHERE in_place",
    "a pair that might be fused": (
        "SELECT DISTINCT repository FROM pairs JOIN uses ON first = uses.id WHERE stages IS NOT NULL"
    ),
}
"""Features of programs, each with a query of the repositories that have it."""

QUESTIONS = (
    Question(
        "collectives",
        "Collectives by use",
        ("collective", "calls", "programs"),
        "SELECT name, count(*), count(DISTINCT repository) FROM uses GROUP BY name ORDER BY 2 DESC, 1",
    ),
    Question(
        "operations",
        "Operations of folds",
        ("operation", "calls", "programs"),
        "SELECT coalesce(operation, 'cannot be told'), count(*), count(DISTINCT repository) FROM uses"
        " WHERE operation_text IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1",
    ),
    Question(
        "types",
        "Types of elements",
        ("type", "calls", "programs"),
        "SELECT coalesce(type, 'cannot be told'), count(*), count(DISTINCT repository) FROM uses"
        " WHERE type_text IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1",
    ),
    Question(
        "communicators",
        "Communicators",
        ("communicator", "calls", "programs"),
        "SELECT communicator, count(*), count(DISTINCT repository) FROM uses GROUP BY 1 ORDER BY 2 DESC, 1",
    ),
    Question(
        "pairs",
        "Pairs on one communicator, in one function",
        ("pair", "count", "programs", "the second sends what the first gives"),
        "SELECT one.name || ', ' || two.name, count(*), count(DISTINCT one.repository), sum(depends)"
        " FROM pairs JOIN uses AS one ON first = one.id JOIN uses AS two ON second = two.id"
        " GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
    ),
    Question(
        "fusable",
        "Pairs that might be fused",
        ("chain", "count", "programs"),
        "SELECT stages, count(*), count(DISTINCT repository) FROM pairs JOIN uses ON first = uses.id"
        " WHERE stages IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1",
    ),
    Question(
        "dynamic",
        "Calls in traces",
        ("collective", "calls", "of at most 40 bytes", "seconds"),
        "SELECT collective, sum(calls), sum(CASE WHEN bytes <= 40 THEN calls ELSE 0 END),"
        " round(sum(nanoseconds) / 1e9, 3) FROM dynamic_calls GROUP BY 1 ORDER BY 2 DESC, 1",
    ),
    Question(
        "dynamic_pairs",
        "Pairs in traces",
        ("pair", "count", "microseconds between, mean"),
        "SELECT first || ', ' || second, sum(pairs), round(sum(nanoseconds) / 1e3 / sum(pairs), 1)"
        " FROM dynamic_pairs GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 20",
    ),
)

Row = tuple[object, ...]


def ask(database: sqlite3.Connection, question: Question) -> list[Row]:
    """Return the rows of a question's table."""
    return database.execute(question.query).fetchall()


def features(database: sqlite3.Connection) -> list[Row]:
    """Return each feature with the number and the share of programs that have it. Programs are
    repositories that call collectives.
    """
    having = {name: len(database.execute(query).fetchall()) for name, query in FEATURES.items()}
    programs = having["any collective"]
    share: list[Row] = [
        (name, count, f"{100 * count / programs:.0f} %" if programs else "")
        for name, count in having.items()
    ]
    return share[1:]


def totals(database: sqlite3.Connection) -> dict[str, int]:
    """Return what the survey has read."""
    one = {
        "repositories": "SELECT count(*) FROM repositories",
        "programs": "SELECT count(DISTINCT repository) FROM uses",
        "files": "SELECT coalesce(sum(files), 0) FROM repositories",
        "left_out": "SELECT coalesce(sum(left_out), 0) FROM repositories",
        "parsed": "SELECT count(*) FROM files",
        "lines": "SELECT coalesce(sum(lines), 0) FROM files",
        "with_errors": "SELECT coalesce(sum(has_error), 0) FROM files",
        "calls": "SELECT count(*) FROM uses",
        "wrappers": "SELECT count(*) FROM wrappers",
    }
    return {name: int(database.execute(query).fetchone()[0]) for name, query in one.items()}
