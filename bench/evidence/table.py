"""The papers' tables and figures, as the files of this folder have them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..launch import ROOT
from ..p4sgd.claims import CLAIMS
from ..p4sgd.results import Results
from . import pointers

FOLDER = Path(__file__).parent
PAPERS = ("switchml", "fpisa", "p4sgd", "libra", "acis", "beyond")
KINDS = ("measured", "simulated", "computed", "modelled")
"""Sources of a figure. Each has tables of its own: a time of this machine, of a simulated network, a
number that no clock has a part in, and a measured time beside an assumption.
"""

VARIED = "What was chosen, varied"
"""Beginning of the titles of a plan's companions."""


@dataclass(frozen=True)
class Claim:
    """A claim of a paper beside what is recorded."""

    kind: str
    what: str
    section: str
    paper: str
    ours: str
    why: str
    chosen: str
    """Choice by which the paper's number comes out; empty if the claim is a test."""


@dataclass(frozen=True)
class Companion:
    """A sheet of a plan in which a choice is varied."""

    title: str
    header: list[str]
    rows: list[list[Any]]


@dataclass(frozen=True)
class Figure:
    """A table or a figure."""

    name: str
    shows: str
    command: str
    design: str
    """The place where it is built or described; it has no numbers."""
    also: str
    missing: str
    """The part that has no result yet, and the reason."""
    claims: list[Claim]
    companions: list[Companion] = field(default_factory=list)

    @property
    def kinds(self) -> list[str]:
        """Kinds of its claims."""
        found = {claim.kind for claim in self.claims}
        return [kind for kind in KINDS if kind in found]


@dataclass(frozen=True)
class Paper:
    """A paper, and its tables and figures in order."""

    id: str
    title: str
    figures: list[Figure]


def papers(root: Path = ROOT) -> list[Paper]:
    """Read all papers, with the results that are recorded under `root`.

    Raises:
        PointerError: a pointer leads nowhere.
    """
    return [_paper(name, root) for name in PAPERS]


def plans() -> set[str]:
    """Names of the plans that rows show."""
    found = set()
    for name in PAPERS:
        content = tomllib.loads((FOLDER / f"{name}.toml").read_text())
        found |= {row["plan"]["name"] for row in content["figures"] if "plan" in row}
    return found


def _paper(name: str, root: Path) -> Paper:
    content = tomllib.loads((FOLDER / f"{name}.toml").read_text())
    return Paper(name, content["title"], [_figure(row, root) for row in content["figures"]])


def _figure(row: dict[str, Any], root: Path) -> Figure:
    known = {
        "name",
        "shows",
        "command",
        "design",
        "also",
        "missing",
        "claims",
        "plan",
        "p4sgd",
        "p4sgd_kind",
        "pipeline",
    }
    if unknown := set(row) - known:
        raise ValueError(f"{row['name']} has unknown keys: {', '.join(sorted(unknown))}")
    claims = [_claim(claim, root) for claim in row.get("claims", [])]
    claims += _measured(row, root)
    claims += _reported(row, root)
    companions: list[Companion] = []
    if plan := row.get("plan"):
        record = json.loads(_record(plan["name"], root).read_text())
        claims += _simulated(record, plan.get("sections"))
        companions = [
            Companion(sheet["title"], sheet["header"], sheet["rows"])
            for sheet in record["sheets"]
            if sheet["title"].startswith(VARIED)
        ]
    texts = {key: row.get(key, "") for key in ("command", "design", "also", "missing")}
    return Figure(row["name"], row["shows"], **texts, claims=claims, companions=companions)


def _record(plan: str, root: Path) -> Path:
    return root / "crates" / "sim" / "results" / f"{plan}.json"


def _claim(row: dict[str, Any], root: Path) -> Claim:
    numbers = [pointers.value(pointer, root) for pointer in row["values"]]
    return Claim(
        row["kind"],
        row["what"],
        row["section"],
        row["paper"],
        row["ours"].format(*numbers),
        row["why"],
        row.get("chosen", ""),
    )


def _simulated(record: dict[str, Any], sections: list[str] | None) -> Iterator[Claim]:
    """Claims of a plan's record, of some sections of the paper or all."""
    for claim in record["claims"]:
        if sections is None or claim["section"] in sections:
            stated = claim["says"] or (
                "not stated" if claim["paper"] is None else f"{claim['paper']:g}"
            )
            yield Claim(
                "simulated",
                claim["what"],
                claim["section"],
                stated,
                significant(claim["ours"]),
                claim["reason"].rstrip("."),
                claim.get("chosen") or "",
            )


def _measured(row: dict[str, Any], root: Path) -> Iterator[Claim]:
    """Claims of `bench.p4sgd`."""
    if section := row.get("p4sgd"):
        results = Results.read(root / "bench" / "results" / "p4sgd" / "results.json")
        kind = row.get("p4sgd_kind", "measured")
        for claim in CLAIMS[section]:
            ours = claim.ours(results)
            yield Claim(kind, claim.what, claim.section, claim.paper, ours, claim.why, "")


def _reported(row: dict[str, Any], root: Path) -> Iterator[Claim]:
    """Resources of a program in a pipeline, as `netfold p4 report --json` has them beside the
    paper's, of one of its tables.
    """
    if pipeline := row.get("pipeline"):
        record = root / "bench" / "results" / "p4" / f"{pipeline['program']}.json"
        for line in json.loads(record.read_text())["beside"]:
            place = f" ({pipeline['table']})"
            if place in line["published"]:
                paper = line["published"].replace(place, "")
                why = line["why"] or "None"
                yield Claim(
                    "computed", line["what"], pipeline["table"], paper, line["here"], why, ""
                )


def significant(number: float) -> str:
    """A number with three digits."""
    text = f"{number:.3g}"
    return f"{number:.0f}" if "e+" in text and abs(number) < 1e9 else text
