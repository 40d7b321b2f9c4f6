"""The tables of docs/p4sgd.md: claims beside measurements, and the equations' residuals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from .. import machine
from ..launch import ROOT
from . import figures
from .claims import CLAIMS
from .equations import time_text
from .results import Results

PAGE = ROOT / "docs" / "p4sgd.md"


def tables(results: Results) -> dict[str, str]:
    """Markdown tables by section."""
    load = results.machine.get("load", [])
    measured = machine.summary(results.machine) + (
        f", load average {max(load):.1f}" if load else ""
    )
    found = {"machine": f"{measured}; {results.mpi or 'without Open MPI'}."}
    for name, claims in CLAIMS.items():
        rows = [
            (f"{claim.what} ({claim.section})", claim.paper, claim.ours(results), claim.why)
            for claim in claims
        ]
        found[name] = markdown(("claim (section)", "paper", "ours", "why"), rows)
    residuals = [
        (
            f"{fit.equation.name} {fit.equation.what}",
            way.name,
            ", ".join(f"{name} {time_text(value)}" for name, value in fit.parameters.items()),
            str(fit.rows),
            f"{100 * fit.residual:.0f} %",
            f"{100 * fit.worst:.0f} %",
        )
        for way, fit in figures.fits(results)
    ]
    found["equations"] = markdown(
        ("equation", "way", "parameters", "points", "residual", "worst"), residuals
    )
    return found


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def filled(text: str, tables: dict[str, str]) -> str:
    """The page with these tables between their marks, `<!-- NAME -->` and `<!-- end -->`.

    Raises:
        ValueError: marks are missing, or there is one of something else.
    """
    marks = re.findall(r"<!-- (?!end )(\S+) -->", text)
    if sorted(marks) != sorted(tables):
        raise ValueError(
            f"the page has marks for {', '.join(marks)}, but there are tables for {', '.join(tables)}; "
            "change the marks or the claims"
        )

    def fill(mark: re.Match[str]) -> str:
        return f"<!-- {mark[1]} -->\n\n{tables[mark[1]]}\n\n<!-- end -->"

    return re.sub(r"<!-- (?!end )(\S+) -->.*?<!-- end -->", fill, text, flags=re.S)


def write(results: Results, page: Path = PAGE) -> None:
    """Put the tables into the page."""
    page.write_text(filled(page.read_text(), tables(results)))
