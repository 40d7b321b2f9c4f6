"""Runs a plan: all contenders of one number of workers live at once, and take turns."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from . import machine
from .launch import Launch, UnavailableError
from .place import Place, place
from .plan import Comparison, size_text
from .results import Absence, Results, Row
from .team import Round, Team, TeamError

MAX_CALLS = 5000
"""Largest number of calls in a round, however short they are."""

WARM_ROUNDS = 2
"""Rounds of a contender that are not counted: from the last of them, and from the check before
them, follows how many calls a round makes.
"""

Tell = Callable[[str, int, int], None]
"""Receiver of progress: the current measurement, the rounds that are done, and their number."""


def measure(plan: Comparison, build: Path, tell: Tell) -> Results:
    """Run a plan. `build` is the folder of compiled programs.

    A contender that cannot take part, or that fails, is left out from there on, with its reason in
    the results.

    Raises:
        PlaceError: the plan's network cannot be made on this machine.
    """
    results = Results(plan, machine.describe())
    per_place = len(plan.contenders) * sum(rounds for _, rounds in plan.sizes)
    total = per_place * len(plan.workers) * len(plan.network.losses)
    done = 0
    for workers in plan.workers:
        for loss in plan.network.losses:
            tell(_condition(workers, loss) + ": starting", done, total)
            with ExitStack() as stack:
                here = stack.enter_context(place(plan.network, workers, loss))
                condition = _Condition(results, build, _Progress(tell, done, total), workers, loss)
                condition.run(here, stack)
            done += per_place
    return results


def _condition(workers: int, loss: float) -> str:
    return f"{workers} workers" + (f", {100 * loss:g} % lost" if loss else "")


@dataclass(frozen=True, slots=True)
class _Progress:
    """Progress of a condition in that of the whole plan, counted in rounds of one contender."""

    tell: Tell
    before: int
    """Rounds of the conditions before."""
    total: int
    """Rounds of the plan."""


class _Condition:
    """Measurement with one number of workers and one loss."""

    def __init__(
        self, results: Results, build: Path, progress: _Progress, workers: int, loss: float
    ) -> None:
        self._results = results
        self._build = build
        self._progress = progress
        self._workers = workers
        self._loss = loss
        self._done = 0
        self._teams: list[Team] = []

    def run(self, here: Place, stack: ExitStack) -> None:
        """Measure all sizes at this place; the stack ends the contenders."""
        self._start(here, stack)
        plan = self._results.plan
        for size, rounds in plan.sizes:
            self._measure(size, rounds)
            self._done += rounds * len(plan.contenders)
        for team in self._teams:
            busy = self._results.idle_cores
            busy[team.name] = max(busy.get(team.name, 0.0), team.idle_cores())

    def _start(self, here: Place, stack: ExitStack) -> None:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="netfold-bench-")))
        started = []
        for number, contender in enumerate(self._results.plan.contenders):
            own = folder / str(number)
            own.mkdir()
            team = Team(Launch(contender, self._workers, here, own, self._build))
            stack.callback(team.close)
            try:
                team.start()
                started.append(team)
            except UnavailableError as error:
                self._leave_out(team, error, failed=False)
        for team in started:
            try:
                team.join()
                self._teams.append(team)
                self._results.hellos.setdefault(team.name, team.hello)
            except UnavailableError as error:
                self._leave_out(team, error, failed=False)

    def _leave_out(self, team: Team, error: Exception, *, failed: bool) -> None:
        self._results.absences.append(
            Absence(self._workers, self._loss, team.name, str(error), failed)
        )
        team.close()
        if team in self._teams:
            self._teams.remove(team)

    def _measure(self, size: int, rounds: int) -> None:
        rows = {
            team.name: row
            for team in list(self._teams)
            if (row := self._warm(team, size)) is not None
        }
        width = len(self._results.plan.contenders)
        for index in range(rounds):
            doing = f"{_condition(self._workers, self._loss)}, {size_text(size)}"
            done = self._progress.before + self._done + index * width
            self._progress.tell(doing, done, self._progress.total)
            # Each contender is first, second and last equally often.
            turn = index % max(1, len(self._teams))
            for team in self._teams[turn:] + self._teams[:turn]:
                row = rows[team.name]
                try:
                    sample = self._round(team, size, row.calls)
                except TeamError as error:
                    # Ratios need the rounds of both sides: what it has measured of this size does
                    # not count.
                    del rows[team.name]
                    self._leave_out(team, error, failed=True)
                    continue
                row.seconds.extend(sample.seconds)
                row.cpu_seconds.append(sample.cpu_seconds)
                row.switch_cpu_seconds.append(sample.switch_cpu_seconds)
                row.machine_cpu_seconds.append(sample.machine_cpu_seconds)
        self._results.rows += rows.values()

    def _round(self, team: Team, size: int, calls: int) -> Round:
        return (
            team.round_apart(size, calls) if self._results.plan.apart else team.round(size, calls)
        )

    def _warm(self, team: Team, size: int) -> Row | None:
        """Check a contender with this size, and find the calls of a round."""
        plan = self._results.plan
        calls = plan.apart or 1
        try:
            team.check(size)
            for _ in range(WARM_ROUNDS):
                sample = self._round(team, size, calls)
                if not plan.apart:
                    calls = max(1, min(MAX_CALLS, round(plan.round_s / sample.seconds[0])))
        except TeamError as error:
            self._leave_out(team, error, failed=True)
            return None
        return Row(self._workers, self._loss, size, team.name, calls, [], [], [], [])
