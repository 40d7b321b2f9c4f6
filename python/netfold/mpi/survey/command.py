"""The command line of the survey: `netfold survey DIR ...`."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from pathlib import Path

from ..trace import TraceError
from ..trace import read as read_trace
from . import database, report, repository


def main(arguments: list[str] | None = None) -> int:
    """Survey sources and print the report. Returns the exit status, 2 if something is wrong with
    what was given.
    """
    options = _parser().parse_args(arguments)
    missing = [path for path in options.folders if not path.is_dir()]
    if missing:
        return _refuse(f"{missing[0]} is not a folder; name folders that have sources in them")
    if options.out is not None:
        options.out.mkdir(parents=True, exist_ok=True)
    found = database.create(options.out / "survey.sqlite" if options.out is not None else None)
    for folder in options.folders:
        database.add(found, repository.read(folder))
    try:
        if options.trace:
            database.add_trace(found, read_trace(options.trace))
        if options.query:
            asked = found.execute(options.query)
            columns = [column[0] for column in asked.description or ()]
            sys.stdout.write(report.table(columns, asked.fetchall()) + "\n")
            return 0
    except (TraceError, OSError, sqlite3.Error) as error:
        return _refuse(str(error))
    if options.out is not None:
        report.write(found, options.out)
    sys.stdout.write(report.text(found))
    return 0


def _refuse(message: str) -> int:
    sys.stderr.write(f"netfold survey: {message}\n")
    return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="netfold survey",
        description="Count what MPI programs call: collectives, types, operations, communicators, "
        "and pairs that might be fused.",
    )
    parser.add_argument(
        "folders",
        nargs="+",
        type=Path,
        metavar="DIR",
        help="a program's sources; each folder is one",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="write survey.sqlite, report.md and plots there"
    )
    parser.add_argument(
        "--trace", type=Path, nargs="+", default=[], metavar="FILE",
        help="files of a trace of one run (spec/mpi-trace.md): counts what was called, too",
    )  # fmt: skip
    parser.add_argument(
        "--query", metavar="SQL", help="print the rows of this query of the database instead"
    )
    return parser
