"""`make evidence`: the recorded results once more, as far as this machine makes them.

Steps run one after the other. Those that have run are remembered with the commit, so a run that was
interrupted goes on. At the end the figures that differ stand beside their records, in a table of
its own for each kind.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from ..launch import ROOT
from .table import KINDS, Claim, Paper, papers

MINUTES = 120.0
OUT = ROOT / "out" / "evidence"
STEPS = Path(__file__).with_name("steps.toml")
RECORDS = ("bench/results", "lab/results", "crates/sim/results", "hdl/README.md")
"""Places that rows point into."""


@dataclass(frozen=True)
class Step:
    """A command whose results are recorded."""

    name: str
    kind: str
    minutes: float
    """Estimate, on two cores."""
    command: str = ""
    needs: tuple[str, ...] = ()
    output: str = ""
    """Path of the record that its standard output is, if it is one."""
    copies: dict[str, str] = field(default_factory=dict)
    """Files to copy, by where the command writes them, and the path of the record."""

    def shell(self, out: Path) -> str:
        """Return its command; that of a plan follows from its name."""
        command = self.command or (
            f"netfold sim plan crates/sim/plans/{self.name}.toml --out {{out}}/crates/sim/results"
        )
        return command.replace("{out}", str(out))

    def lacks(self) -> str:
        """Return what this machine lacks of its needs; empty if nothing."""
        absent = [need for need in self.needs if not _has(need)]
        return f"needs {', '.join(absent)}" if absent else ""


def steps() -> tuple[list[Step], list[tuple[str, str]]]:
    """Return all steps, and the names of what is always left out, with the reasons."""
    content = tomllib.loads(STEPS.read_text())
    found = [Step(**{**step, "needs": tuple(step.get("needs", ()))}) for step in content["steps"]]
    return found, [(each["name"], each["reason"]) for each in content["left_out"]]


def chosen(
    all_steps: Iterable[Step], minutes: float, only: str | None
) -> tuple[list[Step], list[tuple[str, str]]]:
    """Return the steps that fit into so many minutes by their estimates and have what they need, and
    the others with the reasons.
    """
    taken: list[Step] = []
    left: list[tuple[str, str]] = []
    for step in all_steps:
        total = sum(each.minutes for each in taken) + step.minutes
        if only is not None and only not in step.name:
            left.append((step.name, f"its name does not contain {only!r}"))
        elif lack := step.lacks():
            left.append((step.name, lack))
        elif total > minutes:
            left.append((step.name, f"would make it {total:.0f} minutes of {minutes:.0f}"))
        else:
            taken.append(step)
    return taken, left


def main(minutes: float, *, again: bool, only: str | None) -> int:
    """Run all steps that fit, and show what they found; returns the exit status."""
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    everything, always_left = steps()
    taken, left = chosen(everything, minutes, only)
    prepare(OUT)
    done = {} if again else _done()
    failed = _run(taken, done, console)
    left += always_left
    _show(papers(), papers(OUT), set(done), console)
    for name, reason in left:
        console.print(f"left out: {name}: {reason}", soft_wrap=True)
    for name in failed:
        console.print(f"FAILED: {name}; its output is in {_log(name)}", soft_wrap=True)
    return 1 if failed else 0


def prepare(out: Path) -> None:
    """Bring the records there, where nothing newer is: what is not run stands as it is recorded."""
    for name in RECORDS:
        source = ROOT / name
        for file in [source] if source.is_file() else sorted(source.rglob("*.json")):
            target = out / file.relative_to(ROOT)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


def _run(taken: list[Step], done: dict[str, str], console: Console) -> list[str]:
    failed = []
    commit = _commit()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
    )
    total = sum(step.minutes for step in taken)
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)
        for step in taken:
            if done.get(step.name) == commit:
                progress.advance(task, step.minutes)
                continue
            progress.update(task, description=step.name)
            if not console.is_terminal:
                console.print(f"{step.name}: about {step.minutes:g} minutes")
            began = time.monotonic()
            if _ran(step):
                done[step.name] = commit
                (OUT / "done.json").write_text(json.dumps(done, indent=1) + "\n")
            else:
                done.pop(step.name, None)
                failed.append(step.name)
            progress.advance(task, step.minutes)
            if not console.is_terminal:
                console.print(f"  {(time.monotonic() - began) / 60:.1f} minutes")
    return failed


def _ran(step: Step) -> bool:
    log = _log(step.name)
    log.parent.mkdir(parents=True, exist_ok=True)
    words = shlex.split(step.shell(OUT))
    if words[0] == "python":
        words[0] = sys.executable
    written = OUT / step.output if step.output else log
    with log.open("w") as errors, written.open("w" if step.output else "a") as output:
        try:
            code = subprocess.run(words, cwd=ROOT, stdout=output, stderr=errors).returncode
        except OSError as error:
            errors.write(f"{error}\n")
            return False
    if code != 0:
        return False
    for source, record in step.copies.items():
        target = OUT / record
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / source.replace("{out}", str(OUT)), target)
    return True


def _log(name: str) -> Path:
    return OUT / "logs" / f"{name.replace(' ', '-').replace(',', '')}.txt"


def _done() -> dict[str, str]:
    """Names of the steps that have run, with the commit."""
    path = OUT / "done.json"
    return dict(json.loads(path.read_text())) if path.exists() else {}


def _commit() -> str:
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.strip()


def _has(need: str) -> bool:
    return os.geteuid() == 0 if need == "root" else shutil.which(need) is not None


def differences(recorded: list[Paper], found: list[Paper]) -> list[tuple[str, str, Claim, Claim]]:
    """Return the paper, the figure and both claims wherever a run has found something else."""
    return [
        (paper.title, figure.name, claim, other)
        for paper, now in zip(recorded, found, strict=True)
        for figure, anew in zip(paper.figures, now.figures, strict=True)
        for claim, other in zip(figure.claims, anew.claims, strict=True)
        if claim.ours != other.ours
    ]


def _show(recorded: list[Paper], found: list[Paper], ran: set[str], console: Console) -> None:
    differ = differences(recorded, found)
    console.print(
        f"\n{len(ran)} steps have run; {len(differ)} figures are not those of the records"
    )
    for kind in KINDS:
        rows = [row for row in differ if row[2].kind == kind]
        if rows:
            table = Table(
                "paper", "", "claim", "recorded", "this run", title=f"{kind}: what differs"
            )
            for title, name, claim, other in rows:
                table.add_row(title, name, claim.what, claim.ours, other.ours)
            console.print(table)
