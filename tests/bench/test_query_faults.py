"""Harness of queries under faults: answers are compared, and kills count that hit a query."""

from concurrent.futures import Future
from contextlib import nullcontext
from types import SimpleNamespace

import pytest
from bench.query.course import Course, Killer, Party, Switches, Tally, names
from bench.query.engine import Answer, Exchange
from bench.query.faults import of_switch, table

RIGHT = Answer(0, [], [["a", "1.5", "c", "1.5"]])
ROWS = 10


def answer(cells=RIGHT.cells, without=0):
    return Answer(0.0, [Exchange("sum", ROWS, 2)], cells, repeated=3, without=without)


class Victim:
    """A process that can be killed."""

    def kill(self):
        """Nothing ends."""

    def wait(self):
        return -9


class Scripted:
    """An engine with one answer, which counts how often it is asked."""

    def __init__(self, cells=RIGHT.cells):
        self.cells, self.asked = cells, 0

    def ask(self, query, options):
        del query, options
        self.asked += 1
        return answer(self.cells)


class Links:
    """A rack whose links lose seven packets between two looks."""

    link = SimpleNamespace(loss=0.001)

    def __init__(self):
        self.looks = 0

    def dropped(self):
        self.looks += 1
        return 7 * self.looks


class Silent:
    """Progress that shows nothing."""

    def add_task(self, told, total):
        del told, total
        return 0

    def advance(self, task, steps):
        del task, steps

    def track(self, rounds, description):
        del description
        return rounds


def course(tallies, right=RIGHT):
    right = dict.fromkeys(names(), right)
    return Course(Links(), {"netfold": right, "Spark": right}, 2.0**-20, Silent(), tallies.append)


def test_losses_are_counted_and_answers_compared_to_the_last_bit():
    tallies = []
    course(tallies).losses(Party("netfold", Scripted(), []), 3)
    assert [tally.query for tally in tallies] == names()
    first = tallies[0]
    assert (first.answers, first.wrong, first.killed, first.without) == (3, 0, 0, 0)
    assert (first.lost_packets, first.repeated_packets) == (7, 9)
    assert (first.offered, first.forwarded) == (3 * ROWS, 6)
    near = [["a", "1.5000000000000002", "c", "1.5000000000000002"]]
    for name, wrong in (("netfold", 2), ("Spark, netfold", 0)):
        tallies.clear()
        course(tallies).losses(Party(name, Scripted(cells=near), []), 2)
        assert {tally.wrong for tally in tallies} == {wrong}
    assert tallies[0].repeated_packets is None


class Running(Future):
    """A query that runs until its answer is awaited."""

    def result(self, timeout=None):
        if not self.done():
            self.set_result(answer())
        return super().result(timeout)


@pytest.mark.parametrize("outlives", [True, False])
def test_a_kill_counts_if_the_query_outlives_it(monkeypatch, outlives):
    query = Running()
    pool = SimpleNamespace(submit=lambda *asked: query)
    monkeypatch.setattr("bench.query.course.ThreadPoolExecutor", lambda _: nullcontext(pool))

    def kill():
        if not outlives:
            query.set_result(answer())
        return True

    answered, hit = Party("netfold", Scripted(), []).ask(None, kill, 0.0)
    assert answered.cells == RIGHT.cells
    assert hit == outlives


def test_a_kill_that_comes_late_does_not_count():
    """The query has ended: nothing is killed."""
    party = Party("netfold", Scripted(), [])
    answered, hit = party.ask(None, lambda: pytest.fail("there is no query"), 60.0)
    assert answered.cells == RIGHT.cells
    assert not hit


def test_kills_that_do_not_hit_end_the_count():
    killer = Killer("executor", 5, lambda _: False, lambda _: None)
    with pytest.raises(SystemExit, match="0 of 1 kills have hit"):
        course([]).kills(Party("netfold", Scripted(), []), killer)


def test_the_standby_has_the_query_after_a_kill():
    started = []

    def start(port):
        started.append(port)
        return Victim()

    pair = Switches(start, "host")
    first, second = Switches.PORTS
    assert pair.addresses == f"host:{first},host:{second}"
    engine = Scripted()
    party = Party("netfold", engine, [])
    killer = of_switch(course([]), party, pair, 1)
    tally = Tally("switch", 0.001, "netfold", names()[0])
    killer.mend(tally)
    assert (engine.asked, tally.at_standby) == (0, 0), "nothing was killed"
    assert killer.kill(None)
    assert not pair.is_whole
    killer.mend(tally)
    assert (engine.asked, tally.at_standby) == (1, 1)
    assert started == [first, second, first]
    killer.kill(None)
    engine.ask = lambda query, options: answer(without=1)
    killer.mend(tally)
    assert (tally.answers, tally.without, tally.at_standby) == (2, 1, 1)


def test_the_table_sums_over_queries():
    tallies = []
    course(tallies).losses(Party("Spark, netfold", Scripted(), []), 2)
    shown = table(tallies)
    assert [list(column.cells) for column in shown.columns[:4]] == [
        ["loss"],
        ["0.1%"],
        ["Spark, netfold"],
        ["10"],
    ]
