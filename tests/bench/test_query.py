"""Harness of FPISA's queries: turns, checked answers, and the bytes of links."""

from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest
from bench.query.__main__ import race
from bench.query.engine import Answer, Exchange
from bench.query.spark_driver import text

QUERY = Path("group-sum.sql")
CELLS = [["a", "1.5"], ["b", ""]]


class Scripted:
    """An engine with prepared times and one answer, which keeps who was asked."""

    def __init__(self, name, asked, seconds, cells=CELLS):
        self.name, self.asked, self.seconds, self.cells = name, asked, deque(seconds), cells

    def ask(self, query, options):
        self.asked.append((self.name, query, *options))
        return Answer(self.seconds.popleft(), [Exchange("sum", 10, 2)], self.cells)


class Links:
    """A rack of two workers and a master whose counters grow by known steps."""

    hosts = 3

    def __init__(self):
        self.reads = 0

    def links(self):
        self.reads += 1
        steps = {"up0": 10, "up1": 100, "up2": 7, "down0": 9, "down1": 11, "down2": 1000}
        return {name: SimpleNamespace(bytes=self.reads * step) for name, step in steps.items()}


def test_contenders_take_turns_and_the_first_round_does_not_count():
    asked = []
    among = {
        "DataFusion": (Scripted("DataFusion", asked, [50.0, 2.0, 4.0]), ["--plain"]),
        "netfold": (Scripted("netfold", asked, [9.0, 1.0, 1.0]), []),
    }
    rows = list(race(QUERY, Links(), among, range(3)))
    assert asked == [("DataFusion", QUERY, "--plain"), ("netfold", QUERY)] * 3
    assert [row["contender"] for row in rows] == ["DataFusion", "netfold"]
    netfold = rows[1]
    assert netfold["seconds"]["median"] == 1.0
    assert netfold["speedup"]["DataFusion"]["median"] == 3.0
    assert list(netfold["speedup"]) == ["DataFusion"]
    assert (netfold["workers_sent_bytes"], netfold["master_received_bytes"]) == (110, 1000)
    assert netfold["exchanges"] == [{"program": "sum", "offered": 10, "forwarded": 2}]


@pytest.mark.parametrize(
    "cells",
    [[["a", "1.5"]], [["a", "1.5"], ["b", "0"]], [["a", "1.5001"], ["b", ""]]],
    ids=["a row is missing", "zero for NULL", "another sum"],
)
def test_another_answer_ends_the_measurement(cells):
    among = {
        "DataFusion": (Scripted("DataFusion", [], [1.0]), []),
        "netfold": (Scripted("netfold", [], [1.0], cells), []),
    }
    with pytest.raises(SystemExit, match="group-sum: netfold has another answer"):
        list(race(QUERY, Links(), among, range(1)))


def test_answers_agree_whatever_the_order_of_rows_and_the_rounding_of_fp32():
    one = Answer(0, [], [["b", "7", "1000.0"], ["a", "7", ""]])
    close = [["a", "7", ""], ["b", "7", "1000.0001"]]
    assert one.agrees(Answer(0, [], close))
    for cells in (
        [["a", "7", ""], ["b", "7", "1000.001"]],
        [["a", "7", ""], ["b", "8", "1000.0"]],
        [["a", "7", ""], ["c", "7", "1000.0"]],
        [["a", "7", ""], ["b", "7", ""]],
        [*close, close[0]],
    ):
        assert not one.agrees(Answer(0, [], cells))


def test_rows_of_a_top_n_may_differ_where_its_last_one_has_equals():
    one = Answer(0, [], [["a", "x", "y", "3.0"], ["b", "x", "y", "2.0"], ["c", "x", "y", "1.0"]])
    tied = [["a", "x", "y", "3.0"], ["b", "x", "y", "2.0"], ["d", "x", "y", "1.0"]]
    assert one.answers("top-n", Answer(0, [], tied))
    assert not one.answers("group-sum", Answer(0, [], tied))
    for cells in (
        [["a", "x", "y", "3.0"], ["d", "x", "y", "2.0"], ["c", "x", "y", "1.0"]],
        [["a", "x", "y", "3.0"], ["b", "x", "y", "2.0"], ["c", "x", "y", "1.5"]],
        [["a", "x", "y", "3.0"], ["b", "x", "y", "1.0"], ["c", "x", "y", "1.0"]],
        tied[:2],
        [*tied, tied[2]],
        [],
    ):
        assert not one.answers("top-n", Answer(0, [], cells))


def test_cells_of_spark_are_those_of_datafusion():
    """FP32 comes from Spark as the double next to it."""
    assert text(999.9989013671875, short=True) == "999.9989"
    assert text(999.9989013671875, short=False) == "999.9989013671875"
    assert (text(None, short=True), text("x", short=False)) == ("", "x")
