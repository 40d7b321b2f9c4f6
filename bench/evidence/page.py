"""`docs/evidence.md`: tables between marks, made from the papers' rows."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..launch import ROOT
from ..p4sgd.page import filled, markdown
from .table import KINDS, Companion, Figure, Paper, papers, significant

PAGE = ROOT / "docs" / "evidence.md"

TITLES = {
    "measured": "Measured, on one machine of two cores",
    "simulated": "Simulated, in virtual time",
    "computed": "Computed: no clock has a part in it",
    "modelled": "Modelled: a measured time beside an assumption",
}


def tables(all_papers: list[Paper]) -> dict[str, str]:
    """Markdown by section."""
    return {paper.id: "\n\n".join(_paper(paper)) for paper in all_papers} | {
        "open": _open(all_papers)
    }


def written(page: Path = PAGE, root: Path = ROOT) -> str:
    """Return the page as the recorded results under `root` make it."""
    return filled(page.read_text(), tables(papers(root)))


def _paper(paper: Paper) -> Iterable[str]:
    header = ("", "shows", "here", "command")
    yield markdown(header, [_index(figure) for figure in paper.figures])
    for kind in KINDS:
        rows = [
            (
                figure.name,
                f"{claim.what} ({claim.section})" if claim.section != "-" else claim.what,
                claim.paper,
                claim.ours,
                f"**yes**: {claim.chosen}" if claim.chosen else "",
                claim.why,
            )
            for figure in paper.figures
            for claim in figure.claims
            if claim.kind == kind
        ]
        if rows:
            yield f"### {TITLES[kind]}"
            yield markdown(
                ("", "claim (section)", "paper", "ours", "circular", "why they differ"), rows
            )
    companions = [(figure, each) for figure in paper.figures for each in figure.companions]
    # Two rows of one plan have the same companions.
    shown = {each.title: (figure, each) for figure, each in reversed(companions)}
    if shown:
        yield "### Companions: what was chosen, varied (simulated)"
        for figure, companion in reversed(shown.values()):
            yield f"{figure.name}: {_short(companion)}"
            yield _companion(companion)


def _index(figure: Figure) -> tuple[str, str, str, str]:
    here = ", ".join(figure.kinds)
    parts = [here, figure.also, figure.design]
    if figure.missing:
        parts.append(f"**not yet**: {figure.missing}")
    command = "; ".join(f"`{part.strip()}`" for part in figure.command.split(";") if part.strip())
    return figure.name, figure.shows, "; ".join(part for part in parts if part), command


def _short(companion: Companion) -> str:
    return companion.title.partition(": ")[2]


def _companion(companion: Companion) -> str:
    rows = [
        [cell if isinstance(cell, str) else significant(cell) for cell in row]
        for row in companion.rows
    ]
    return markdown([f"`{name}`" if "." in name else name for name in companion.header], rows)


def _open(all_papers: list[Paper]) -> str:
    rows = [
        (paper.title, figure.name, figure.missing)
        for paper in all_papers
        for figure in paper.figures
        if figure.missing
    ]
    return markdown(("paper", "", "missing"), rows)
