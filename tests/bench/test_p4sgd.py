"""bench/p4sgd: what is measured, how contenders take turns, and equations beside times that were
made from them.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.p4sgd import figures
from bench.p4sgd.claims import CLAIMS, NOT_MEASURED
from bench.p4sgd.crew import CrewError
from bench.p4sgd.equations import (
    ALONE,
    DATA_PARALLEL,
    DATA_PARALLEL_CORE,
    MICRO_BATCHES,
    MICRO_BATCHES_CORE,
    MODEL_PARALLEL,
    Equation,
    fit,
)
from bench.p4sgd.folds import Folds
from bench.p4sgd.measure import Turns, check
from bench.p4sgd.page import PAGE, filled, tables
from bench.p4sgd.plan import (
    ACKED,
    BATCHES,
    DATA,
    DATA_ACKED,
    DATA_MPI,
    ENGINES,
    MODEL,
    MPI,
    MPI_WHOLE,
    QUICK,
    SCALE_OUT,
    SCALE_OUT_BATCH,
    SCALE_UP_BATCH,
    SHADOW,
    WHOLE,
    WORKERS,
    Contender,
    DataSet,
    Effort,
    Stage,
    Way,
    stages,
)
from bench.p4sgd.results import Curve, Results, Row

SAMPLES = DataSet("some", 100, 64)
MACHINE = {
    "processor": "some",
    "cores": 2,
    "memory_gib": 1,
    "system": "an OS",
    "date": "a day",
    "commit": "none",
}
BRIEF = Effort((16,), epochs=2, crews=2, seconds=0, fewest=3, most=3)


def row(seconds: list[float], **others: Any) -> Row:
    """A row of four workers, unless told otherwise."""
    values = {
        "samples": "some",
        "features": 1000,
        "rows": 64,
        "workers": WORKERS,
        "engines": 1,
        "batch": 16,
    }
    return Row(
        **(values | {"way": ACKED.name, "loss": 0.5, "bytes": 1, "seconds": seconds} | others)
    )


class Played:
    """Simulated workers. Their epochs take a second more each time."""

    def __init__(self, mpi: str | None, losses: dict[Way, float] | None = None) -> None:
        self.mpi = mpi
        self.losses = losses or {}
        self.fits: list[Contender] = []

    def fit(self, stage: Stage, contender: Contender) -> list[dict[str, float]]:
        self.fits.append(contender)
        epoch = {
            "loss": self.losses.get(contender.way, 0.5),
            "seconds": 1.0 * len(self.fits),
            "bytes": 4,
        }
        return [epoch] * stage.epochs


def played(crew: Played, *ways: Way, epochs: int = 1) -> Results:
    """Return the results of such workers as each crew of a stage."""
    results = Results({}, crew.mpi)
    crews: Any = dict.fromkeys(SCALE_OUT, crew)
    turns = Turns(Stage(SAMPLES, tuple(Contender(way, 16) for way in ways), epochs), BRIEF)
    for part in range(BRIEF.crews):
        turns.take(crews, part)
    turns.into(results)
    return results


@pytest.mark.parametrize("effort", [WHOLE, QUICK])
def test_the_plan_has_all_figures(effort: Effort) -> None:
    for stage in stages(effort):
        assert len(set(stage.contenders)) == len(stage.contenders)
        for contender in stage.contenders:
            # Both ways of splitting samples have the same mini-batches.
            assert stage.samples.rows % contender.batch == 0
            assert stage.samples.rows % contender.workers == 0
            assert contender.engines in stage.engines(contender.workers)
            assert stage.by_rows(contender.workers) or contender.way.spread == "model"
    measured = {
        stage.samples.name: stage.contenders for stage in stages(effort) if stage.epochs == 1
    }
    for name in ("gisette", "real_sim", "rcv1", "amazon_fashion", "avazu"):
        out = {
            each.workers
            for each in measured[name]
            if each.batch == SCALE_OUT_BATCH and each.way == ACKED
        }
        assert out == set(SCALE_OUT)
    for name in ("gisette", "real_sim", "rcv1"):
        up = [
            each.engines
            for each in measured[name]
            if (each.workers, each.batch) == (1, SCALE_UP_BATCH)
        ]
        assert up == list(ENGINES)


def test_the_whole_plan_has_the_papers_mini_batches_for_both_splits() -> None:
    measured = {
        stage.samples.name: stage.contenders for stage in stages(WHOLE) if stage.epochs == 1
    }
    for name in ("rcv1", "amazon_fashion", "rcv1, sparse"):
        found = {(each.batch, each.way) for each in measured[name] if each.workers == WORKERS}
        assert found == set(product(BATCHES, MODEL + DATA))


def test_contenders_take_turns_and_begin_by_turns() -> None:
    crew = Played("some MPI")
    results = played(crew, ACKED, SHADOW, MPI)
    rounds = [
        [each.way for each in crew.fits[start : start + 3]] for start in range(0, len(crew.fits), 3)
    ]
    # Of each of two crews one that is not counted, and three that are.
    assert len(rounds) == 8
    assert all(set(each) == {ACKED, SHADOW, MPI} for each in rounds)
    assert Counter(each[0] for index, each in enumerate(rounds) if index % 4) == {
        ACKED: 2,
        SHADOW: 2,
        MPI: 2,
    }
    assert [len(row.seconds) for row in results.rows] == [6, 6, 6]
    counted = [*range(4, 13), *range(16, 25)]
    assert sorted(second for row in results.rows for second in row.seconds) == counted


def test_without_mpi_its_ways_are_left_out() -> None:
    crew = Played(None)
    played(crew, ACKED, MPI, MPI_WHOLE, DATA_MPI)
    assert {each.way for each in crew.fits} == {ACKED}


def test_epochs_become_a_curve() -> None:
    results = played(Played("some MPI"), ACKED, epochs=2)
    (curve,) = results.curves
    assert results.rows == []
    assert curve.losses == [0.5, 0.5]
    assert np.shape(curve.seconds) == (6, 2)


def test_who_comes_to_another_loss_is_not_timed() -> None:
    crew = Played("some MPI", {MPI: 0.501})
    with pytest.raises(
        CrewError,
        match="some, mini-batches of 16: model, acked, 4 x 1 and model, Open MPI, 4 x 1 come to",
    ):
        played(crew, ACKED, SHADOW, MPI)
    assert len(crew.fits) == 3


def test_crews_come_to_the_same_losses() -> None:
    turns = Turns(Stage(SAMPLES, (Contender(ACKED, 16),)), BRIEF)
    crews: list[Any] = [{WORKERS: Played(None, {ACKED: loss})} for loss in (0.5, 0.501)]
    turns.take(crews[0], 0)
    with pytest.raises(CrewError, match="come to different losses"):
        turns.take(crews[1], 1)


def test_losses_are_the_same_to_rounding() -> None:
    check([("a", [0.5, 0.25]), ("b", [0.5, 0.25 * (1 + 1e-7)])], "rounding")
    with pytest.raises(CrewError):
        check([("a", [0.5, 0.25]), ("b", [0.5, float("nan")])], "no number")


TRUE = {"f": 3e-5, "b": 5e-5, "1 / BW": 2e-3, "T_l": 7.0, "T_c": 11.0, "T_s": 13.0, "T_0": 17.0}
TRUE |= {"f + b": TRUE["f"] + TRUE["b"], "b + 1 / BW": TRUE["b"] + TRUE["1 / BW"]}
"""Parameters in microseconds."""

BY_HAND: dict[Equation, Any] = {
    DATA_PARALLEL: lambda d, m, b: 3e-5 * b / m * d + 5e-5 * d + 2e-3 * d + 7,
    DATA_PARALLEL_CORE: lambda d, m, b: 8e-5 * b / m * d + 2e-3 * d + 7,
    MODEL_PARALLEL: lambda d, m, b: 8e-5 * b * d / m + 2e-3 * b + 7,
    MICRO_BATCHES: lambda d, m, b: 3e-5 * 8 * d / m + 5e-5 * b * d / m + 11,
    MICRO_BATCHES_CORE: lambda d, m, b: 8e-5 * b * d / m + 13 * b / 8 + 11,
    ALONE: lambda d, _, b: 8e-5 * b * d + 17,
}


def made(equation: Equation, noise: float, seed: int) -> list[Row]:
    """Rows that an equation is true of, but for noise of so much."""
    draw = random.Random(seed)
    rows = []
    for features in (5_000, 50_000, 500_000):
        for batch in BATCHES:
            microseconds = BY_HAND[equation](features, WORKERS, batch) * (
                1 + draw.uniform(-noise, noise)
            )
            rows.append(
                row(
                    [microseconds / 1e6 * (1024 // batch)],
                    features=features,
                    batch=batch,
                    rows=1024,
                )
            )
    return rows


@pytest.mark.parametrize("equation", BY_HAND, ids=lambda equation: equation.name)
def test_what_an_equation_is_true_of_gives_its_parameters_back(equation: Equation) -> None:
    found = fit(equation, made(equation, 0, 1))
    assert found.residual < 1e-9
    for name, value in found.parameters.items():
        assert value == pytest.approx(TRUE[name], rel=1e-6), name


@pytest.mark.parametrize("equation", BY_HAND, ids=lambda equation: equation.name)
@pytest.mark.parametrize("seed", range(5))
def test_a_residual_is_no_larger_than_the_noise(equation: Equation, seed: int) -> None:
    found = fit(equation, made(equation, 0.1, seed))
    # The true parameters miss by 10 % at most, and those that were found by no more on the whole.
    assert 0 < found.residual <= 0.1 / (1 - 0.1)
    assert found.residual <= found.worst
    assert all(value >= 0 for value in found.parameters.values())


def test_throughput_is_relative_to_the_first() -> None:
    rows = [
        row([4.0, 8.0, 4.0], batch=16),
        row([2.0, 2.0, 2.0], batch=32),
        row([9.0] * 3, batch=16, way=SHADOW.name),
    ]
    (line,) = figures.mini_batches(Results({}, None, rows), ACKED)
    assert [at for at, _ in line.points] == [16, 32]
    assert [ratio.median for _, ratio in line.points] == [1.0, 2.0]
    # By rounds 2, 4 and 2 times as fast.
    assert line.points[1][1].p95 == pytest.approx(3.8)


def test_one_worker_exchanges_nothing_and_is_what_every_way_is_set_against() -> None:
    rows = [row([8.0], workers=1), row([4.0], workers=2, way=MPI.name), row([2.0], way=MPI.name)]
    (line,) = figures.workers(Results({}, None, rows), MPI)
    assert [(at, ratio.median) for at, ratio in line.points] == [(1, 1.0), (2, 2.0), (4, 4.0)]


def test_each_side_has_its_faster_way() -> None:
    results = Results({}, None, [row([5.0], way=MPI.name), row([3.0], way=MPI_WHOLE.name)])
    assert figures.faster_of(results, "some", WORKERS, 16, figures.MPI_WAYS) == results.rows[1]
    assert figures.faster_of(results, "some", WORKERS, 32, figures.MPI_WAYS) is None


def test_an_iteration_is_an_epoch_by_its_mini_batches() -> None:
    assert row([2.0], rows=100, batch=16).iteration_us.median == pytest.approx(2e6 / 7)


def test_epochs_end_after_those_before_them() -> None:
    curve = Curve("some", 64, ACKED.name, [0.5, 0.4], [[1.0, 2.0], [3.0, 4.0], [2.0, 9.0]])
    assert curve.ends == [2.0, 6.0]


def test_a_page_has_its_tables_between_marks() -> None:
    page = "Before.\n\n<!-- a -->\nold\n<!-- end -->\n\nBetween.\n\n<!-- b --><!-- end -->\nAfter."
    once = filled(page, {"a": "| 1 |", "b": "| 2 |"})
    assert once == (
        "Before.\n\n<!-- a -->\n\n| 1 |\n\n<!-- end -->\n\nBetween.\n\n<!-- b -->\n\n| 2 |\n\n<!-- end -->\nAfter."
    )
    assert filled(once, {"a": "| 1 |", "b": "| 2 |"}) == once
    with pytest.raises(ValueError, match="marks for a, b, but there are tables for a"):
        filled(page, {"a": "| 1 |"})


def test_the_page_has_marks_for_what_is_measured() -> None:
    results = Results(MACHINE, None)
    found = tables(results, Folds(MACHINE))
    assert filled(PAGE.read_text(), found)
    # Nothing was measured, and nothing is claimed to have been.
    assert found["figure-9"].count(NOT_MEASURED) == len(CLAIMS["figure-9"])


def test_claims_are_about_what_was_measured() -> None:
    rows = [
        row([2.0], samples="amazon_fashion"),
        row([8.0], samples="amazon_fashion", way=DATA_ACKED.name),
    ]
    found = tables(Results(MACHINE, None, rows), Folds(MACHINE))
    assert (
        "| model by data parallel, amazon_fashion, mini-batch 16 (V.C) | 4.8 | 4.00 [4.00, 4.00] |"
        in found["figure-9"]
    )


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    results = Results(
        {"cores": 2}, "some MPI", [row([1.0, 2.0])], [Curve("some", 64, "way", [0.5], [[1.0]])]
    )
    results.write(tmp_path / "results.json")
    assert Results.read(tmp_path / "results.json") == results
