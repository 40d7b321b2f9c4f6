"""The survey's report: Markdown that reads as text, and plots."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from .questions import QUESTIONS, Question, Row, ask, features, totals

LIMITS = """\
Sources are parsed and not preprocessed: all branches of an `#if` count, a macro is followed only if
its body is a collective's name or call, and a name has a meaning only if the repository gives it
one. So there are calls whose type, operation or communicator cannot be told. Pairs "that might be
fused" are judged by the names of their buffers; `netfold translate` proves it, or says why not."""


def write(database: sqlite3.Connection, folder: Path) -> None:
    """Write `report.md` and a plot for each question into a folder."""
    plots = {}
    for question in QUESTIONS:
        rows = ask(database, question)
        if rows:
            plots[question.key] = f"{question.key}.svg"
            _plot(question, rows, folder / plots[question.key])
    (folder / "report.md").write_text(text(database, plots), encoding="utf-8")


def text(database: sqlite3.Connection, plots: dict[str, str] | None = None) -> str:
    """Return the report as Markdown; with the plots that are named, by keys of questions."""
    counts = totals(database)
    parts = [
        "# Collectives of MPI in {repositories} repositories\n\n"
        "{programs} of them call collectives, at {calls} places. There are {files} files of C, C++ "
        "and Fortran. {parsed} of them name MPI or a wrapper: {lines} lines, in {with_errors} files "
        "with something that the parser does not know. {left_out} files were left out, and "
        "{wrappers} wrappers found.".format(**counts),
        LIMITS,
        "## Programs with a feature\n\n"
        + table(("feature", "programs", "share"), features(database)),
    ]
    for question in QUESTIONS:
        rows = ask(database, question)
        if rows:
            part = f"## {question.title}\n\n{table(question.columns, rows)}"
            if plots and question.key in plots:
                part += f"\n\n![{question.title}]({plots[question.key]})"
            parts.append(part)
    return "\n\n".join(parts) + "\n"


def table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    """Return a table of Markdown whose columns are aligned: those of numbers at the right."""
    cells = [
        list(columns),
        *([("" if cell is None else str(cell)) for cell in row] for row in rows),
    ]
    widths = [max(len(line[at]) for line in cells) for at in range(len(columns))]
    right = [
        all(line[at][:1].isdigit() for line in cells[1:] if line[at]) for at in range(len(columns))
    ]
    lines = [
        "| "
        + " | ".join(_aligned(cell, widths[at], right[at]) for at, cell in enumerate(line))
        + " |"
        for line in cells
    ]
    rule = "| " + " | ".join(
        "-" * (width - 1) + (":" if right[at] else "-") for at, width in enumerate(widths)
    )
    return "\n".join([lines[0], rule + " |", *lines[1:]])


def _aligned(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)


def _plot(question: Question, rows: Sequence[Row], path: Path) -> None:
    from matplotlib.figure import Figure

    from ...lab import svg

    shown = list(reversed(rows[:20]))
    figure = Figure(figsize=(7, 0.6 + 0.28 * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    axes.barh(
        [str(row[0]) for row in shown], [float(str(row[1])) for row in shown], color="#4878a8"
    )
    axes.set_xlabel(question.columns[1])
    axes.set_title(question.title)
    svg.write(figure, path)
