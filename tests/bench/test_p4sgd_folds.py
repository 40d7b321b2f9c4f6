"""Shares of the folds' time from the traces of workers (P4SGD, figure 2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from bench.p4sgd import folds
from bench.p4sgd.folds import Folds, Hiding
from bench.p4sgd.plan import ACKED, NETFOLD, NETFOLD_WHOLE, Contender, DataSet, Stage

SAMPLES = DataSet("some", 100, 64)


class Played:
    """Simulated workers, of which each has folds under way for longer than the one before it."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.traced: list[Contender] = []

    def trace(self, stage: Stage, contender: Contender) -> list[dict[str, float]]:
        self.traced.append(contender)
        turn = len(self.traced)
        return [
            {"seconds": 10.0 + worker, "folds": 2.0 + 2 * worker, "hidden": 0.01 * turn}
            for worker in range(self.workers)
        ]


def test_contenders_take_turns_and_the_first_round_is_not_counted() -> None:
    crew = Played(2)
    contenders = tuple(Contender(way, 16, 2) for way in (NETFOLD, ACKED))
    crews: Any = {2: crew}
    found = list(folds.traced(Stage(SAMPLES, contenders), crews))
    assert crew.traced == list(contenders) * (1 + folds.ROUNDS)
    assert [contender for contender, _ in found] == list(contenders) * folds.ROUNDS
    # The third of all is the first that counts.
    assert found[0][1][0]["hidden"] == pytest.approx(0.03)


def test_shares_are_those_of_all_workers_together() -> None:
    one = [
        {"seconds": 10.0, "folds": 1.0, "hidden": 1.0},
        {"seconds": 30.0, "folds": 7.0, "hidden": 1.0},
    ]
    other = [{"seconds": 10.0, "folds": 4.0, "hidden": 3.0}] * 2
    row = folds._hiding(SAMPLES, Contender(ACKED, 16, 2), [one, other])
    # 2 of 8 in 40, and 6 of 8 in 20.
    assert row.hidden == [0.25, 0.75]
    assert row.under_way == [0.2, 0.4]
    assert row.seconds == [30.0, 10.0]
    assert row.medians == {"hidden_share": 0.5, "under_way_share": pytest.approx(0.3)}
    # 5 and 95 % lie a twentieth of the way between the two.
    assert str(row) == "50 % [28, 72] of 30 %"


def row(workers: int, way: str, hidden: float) -> Hiding:
    """A row of one round."""
    return Hiding("some", 100, 64, workers, 16, way, [hidden], [0.5], [1.0])


def test_a_line_has_the_ways_in_their_columns() -> None:
    found = Folds({}, [row(2, ACKED.name, 0.25), row(4, NETFOLD.name, 0.5)])
    assert list(found.cells()) == [
        ["some", "16", "2", "", "25 % [25, 25] of 50 %", ""],
        ["some", "16", "4", "50 % [50, 50] of 50 %", "", ""],
    ]
    assert folds.COLUMNS[3:] == (NETFOLD.name, ACKED.name, NETFOLD_WHOLE.name)


def test_folds_are_read_as_they_were_written(tmp_path: Path) -> None:
    found = Folds({"cores": 2}, [row(2, ACKED.name, 0.25)])
    found.write(tmp_path / "folds.json")
    assert Folds.read(tmp_path / "folds.json") == found
