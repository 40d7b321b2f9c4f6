"""`make evidence`: the recorded results once more, as far as this machine makes them.

Steps that have run are remembered with the commit, so a run that was interrupted goes on. At the
end the figures that differ stand beside their records, in a table of its own for each kind.
"""

from __future__ import annotations

import json
import os
import select
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


def chosen(all_steps: Iterable[Step], only: str | None) -> tuple[list[Step], list[tuple[str, str]]]:
    """Return the steps that this machine can run, and the others with the reasons."""
    taken: list[Step] = []
    left: list[tuple[str, str]] = []
    for step in all_steps:
        if only is not None and only not in step.name:
            left.append((step.name, f"its name does not contain {only!r}"))
        elif lack := step.lacks():
            left.append((step.name, lack))
        else:
            taken.append(step)
    return taken, left


def main(minutes: float, *, again: bool, only: str | None) -> int:
    """Run all steps that fit, and show what they found; returns the exit status."""
    console = Console(width=None if sys.stdout.isatty() else 180, highlight=False)
    everything, always_left = steps()
    taken, left = chosen(everything, only)
    prepare(OUT)
    run = Run(minutes, {} if again else _done(), console)
    run.all(taken)
    left += [*run.left, *always_left]
    _show(papers(), papers(OUT), set(run.done), console)
    for name, reason in left:
        console.print(f"left out: {name}: {reason}", soft_wrap=True)
    for name in run.failed:
        console.print(f"FAILED: {name}; its output is in {_log(name)}", soft_wrap=True)
    return 1 if run.failed else 0


def prepare(out: Path) -> None:
    """Bring the records there, where nothing newer is: what is not run stands as it is recorded."""
    for name in RECORDS:
        source = ROOT / name
        for file in [source] if source.is_file() else sorted(source.rglob("*.json")):
            target = out / file.relative_to(ROOT)
            if not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file, target)


class Run:
    """Steps that run for so many minutes at most, by the clock and their estimates.

    What is computed needs one core, so that as many of these steps run at a time as there are
    cores. A simulation has them all, and what is measured has the machine.
    """

    def __init__(self, minutes: float, done: dict[str, str], console: Console) -> None:
        self.minutes = minutes
        self.done = done
        self.console = console
        self.commit = _commit()
        self.began = time.monotonic()
        self.cores = os.cpu_count() or 1
        self.running: dict[int, tuple[Step, subprocess.Popen[bytes], float]] = {}
        """Step, process and begin, by a descriptor that is ready when the process has ended."""
        self.failed: list[str] = []
        self.left: list[tuple[str, str]] = []

    def all(self, steps: list[Step]) -> None:
        """Run them, but those that have run at this commit."""
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:3.0f} %"),
            TimeElapsedColumn(),
        )
        waiting = [step for step in steps if self.done.get(step.name) != self.commit]
        live = self.console.is_terminal
        with Progress(*columns, console=self.console, disable=not live) as progress:
            task = progress.add_task("")
            ended = 0.0
            try:
                while waiting or self.running:
                    while waiting and self._may_begin(waiting[0]):
                        self._begin(waiting.pop(0))
                    now = [step for step, _, _ in self.running.values()]
                    progress.update(
                        task,
                        description=", ".join(step.name for step in now),
                        completed=ended,
                        total=ended + sum(step.minutes for step in now + waiting),
                    )
                    if self.running:
                        ended += self._await().minutes
            finally:
                for descriptor, (_, process, _) in self.running.items():
                    process.terminate()
                    process.wait()
                    os.close(descriptor)

    def _may_begin(self, step: Step) -> bool:
        beside = [other.kind for other, _, _ in self.running.values()]
        alone = step.kind != "computed" or any(kind != "computed" for kind in beside)
        return len(beside) < (1 if alone else self.cores)

    def _begin(self, step: Step) -> None:
        """Begin it, or leave it out if it would end too late."""
        end = (time.monotonic() - self.began) / 60 + step.minutes
        if end > self.minutes:
            self.left.append((step.name, f"would end after {end:.0f} minutes of {self.minutes:g}"))
            return
        if not self.console.is_terminal:
            self.console.print(f"{step.name}: about {step.minutes:g} minutes")
        log = _log(step.name)
        log.parent.mkdir(parents=True, exist_ok=True)
        words = shlex.split(step.shell(OUT))
        if words[0] == "python":
            words[0] = sys.executable
        written = OUT / step.output if step.output else log
        with log.open("w") as errors, written.open("w" if step.output else "a") as output:
            try:
                process = subprocess.Popen(words, cwd=ROOT, stdout=output, stderr=errors)
            except OSError as error:
                errors.write(f"{error}\n")
                self._ended(step, ran=False)
                return
        self.running[os.pidfd_open(process.pid)] = (step, process, time.monotonic())

    def _await(self) -> Step:
        """Wait until a step has ended, and return it."""
        descriptor = select.select(list(self.running), [], [])[0][0]
        step, process, began = self.running.pop(descriptor)
        os.close(descriptor)
        ran = process.wait() == 0
        if ran:
            for source, record in step.copies.items():
                target = OUT / record
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / source.replace("{out}", str(OUT)), target)
        self._ended(step, ran=ran)
        if not self.console.is_terminal:
            self.console.print(f"  {step.name}: {(time.monotonic() - began) / 60:.1f} minutes")
        return step

    def _ended(self, step: Step, *, ran: bool) -> None:
        if ran:
            self.done[step.name] = self.commit
            (OUT / "done.json").write_text(json.dumps(self.done, indent=1) + "\n")
        else:
            self.done.pop(step.name, None)
            self.failed.append(step.name)


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
