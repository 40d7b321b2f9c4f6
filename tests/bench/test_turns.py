"""Contenders take turns, and one that fails leaves the others undisturbed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from bench.launch import Launch
from bench.measure import WARM_ROUNDS, _Condition, _Progress
from bench.place import Loopback
from bench.plan import Comparison, Contender, Network
from bench.rank import core_of
from bench.results import Results
from bench.team import Round, Team, TeamError

ROUNDS = 6
ROUND_S = 0.01


class Played(Team):
    """A contender without processes, whose calls take a known time."""

    def __init__(
        self, name: str, log: list[str], seconds: float = 0.001, fails_at: int | None = None
    ) -> None:
        self._name = name
        self._log = log
        self._seconds = seconds
        self._fails_at = fails_at
        self.calls: list[int] = []
        self.closed = False

    @property
    def name(self) -> str:
        return self._name

    def check(self, size: int) -> None:
        if self._fails_at == 0:
            raise TeamError("the result is wrong")

    def round(self, size: int, calls: int) -> Round:
        assert not self.closed
        self.calls.append(calls)
        self._log.append(self._name)
        if len(self.calls) == self._fails_at:
            raise TeamError("its process has ended")
        return Round([self._seconds], 2 * self._seconds, self._seconds, 3 * self._seconds)

    def round_apart(self, size: int, calls: int) -> Round:
        return Round(
            calls * self.round(size, calls).seconds,
            2 * self._seconds,
            self._seconds,
            3 * self._seconds,
        )

    def close(self) -> None:
        self.closed = True


def measured(teams: list[Played], apart: int = 0) -> Results:
    plan = Comparison(
        name="played",
        title="played",
        workers=(2,),
        sizes=((8, ROUNDS),),
        round_s=ROUND_S,
        apart=apart,
        network=Network(),
        baselines=(),
        contenders=tuple(Contender(team.name, "gloo") for team in teams),
    )
    results = Results(plan, {})
    condition = _Condition(results, Path(), _Progress(lambda *_: None, 0, 1), 2, 0.0)
    condition._teams = list(teams)
    condition._measure(8, ROUNDS)
    return results


class Asked(Team):
    """A contender that notes what its ranks are told."""

    commands: list[str]

    def _command(self, command: str, expected: str) -> list[str]:
        self.commands.append(command)
        return ["1.0"]


class Timed(Team):
    """A contender of two ranks, each with the times of three calls."""

    def _command(self, command: str, expected: str) -> list[str]:
        return {"fill 8": ["", ""], "apart 3": ["4.0 2.0 1.0", "3.0 1.0 9.0"]}[command]


@pytest.mark.parametrize(
    ("element_type", "largest"), [("f32", 2.0**127), ("bf16", 2.0**127), ("f16", 65504.0)]
)
@pytest.mark.parametrize("workers", [2, 3, 4, 64])
def test_sums_of_sums_stay_in_the_range_of_the_element_type(
    element_type: str, largest: float, workers: int
) -> None:
    contender = Contender("asked", "netfold", "native", element_type=element_type)
    team = Asked(Launch(contender, workers, Loopback(), Path(), Path()))
    team.commands = []
    team.round(8, 1000)
    team.close()
    fill, run = team.commands
    assert fill == "fill 8"
    _, calls, refill = run.split()
    assert calls == "1000"
    # Vectors of ones are multiplied by the number of workers in each call until they are filled
    # again.
    assert 1 < workers ** int(refill) <= largest


def test_each_contender_has_each_place_in_a_round_equally_often() -> None:
    log: list[str] = []
    results = measured([Played(name, log) for name in "abc"])
    turns = log[3 * WARM_ROUNDS :]
    rounds = [turns[start : start + 3] for start in range(0, len(turns), 3)]
    assert len(rounds) == ROUNDS
    for place in range(3):
        assert Counter(order[place] for order in rounds) == dict.fromkeys("abc", ROUNDS // 3)
    assert [
        (
            row.contender,
            *map(
                len, (row.seconds, row.cpu_seconds, row.switch_cpu_seconds, row.machine_cpu_seconds)
            ),
        )
        for row in results.rows
    ] == [(name, *[ROUNDS] * 4) for name in "abc"]


def test_a_round_makes_as_many_calls_as_fit() -> None:
    quick, slow = Played("quick", [], 0.001), Played("slow", [], 1.0)
    measured([quick, slow])
    assert quick.calls[0] == 1
    assert quick.calls[WARM_ROUNDS:] == [10] * ROUNDS
    assert slow.calls[WARM_ROUNDS:] == [1] * ROUNDS


def test_calls_that_are_timed_apart_are_as_many_as_the_plan_says() -> None:
    quick = Played("quick", [], 1e-6)
    [row] = measured([quick], apart=7).rows
    assert quick.calls == [7] * (WARM_ROUNDS + ROUNDS)
    assert (row.calls, len(row.seconds), len(row.cpu_seconds)) == (7, 7 * ROUNDS, ROUNDS)


def test_the_time_of_a_call_that_is_timed_apart_is_that_of_its_slowest_rank() -> None:
    team = Timed(Launch(Contender("timed", "gloo"), 2, Loopback(), Path(), Path()))
    assert team.round_apart(8, 3).seconds == [4.0, 2.0, 9.0]
    team.close()


@pytest.mark.parametrize("fails_at", [0, 1, WARM_ROUNDS, WARM_ROUNDS + 1, WARM_ROUNDS + ROUNDS])
def test_a_contender_that_fails_is_left_out_and_the_others_go_on(fails_at: int) -> None:
    log: list[str] = []
    teams = [Played("a", log), Played("b", log, fails_at=fails_at), Played("c", log)]
    results = measured(teams)
    assert [(row.contender, len(row.seconds)) for row in results.rows] == [
        ("a", ROUNDS),
        ("c", ROUNDS),
    ]
    [absence] = results.absences
    assert (absence.contender, absence.failed) == ("b", True)
    assert [team.closed for team in teams] == [False, True, False]


def test_ranks_take_turns_with_the_cores_that_they_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: {7, 2, 5})
    assert [core_of(rank) for rank in range(4)] == [2, 5, 7, 2]


@pytest.mark.parametrize(("transport", "bound"), [("shm", ["--bound"]), ("udp", []), ("auto", [])])
def test_ranks_of_python_are_bound_as_those_of_mpi_in_shared_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, transport: str, bound: list[str]
) -> None:
    contender = Contender("ours", "netfold", front="torch", transport=transport)
    launch = Launch(contender, 2, Loopback(), tmp_path, tmp_path)
    started: list[list[str]] = []
    monkeypatch.setattr(launch, "_popen", lambda host, argv, settings: started.append(argv))
    launch._start_python("netfold", {})
    assert [[word for word in argv if word == "--bound"] for argv in started] == [bound]
