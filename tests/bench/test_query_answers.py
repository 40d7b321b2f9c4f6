"""Comparison of answers: to the last bit, or within the rounding of sums."""

from bench.query.answers import Compared, Comparison, Data, Tally, every, table
from bench.query.course import names
from bench.query.engine import Answer, Exchange

KEY = ("TPC-H 1", "Spark", "jar", "group-sum")


def answer(number):
    return Answer(0, [Exchange("sum", 10, 2)], [["a", number, "b", number]])


def test_answers_are_identical_rounded_or_different():
    right = answer("1.5")
    for number, tolerance, counts in (
        ("1.5", None, (1, 0, 0)),
        ("1.5000000000000002", None, (0, 0, 1)),
        ("1.5000000000000002", 2**-50, (0, 1, 0)),
        ("1.5001", 2**-50, (0, 0, 1)),
        ("NaN", 2**-50, (0, 0, 1)),
    ):
        tally = Tally(*KEY)
        assert tally.take(answer(number), right, tolerance) == (counts[2] == 0)
        assert (tally.identical, tally.rounded, tally.different) == counts
        assert (tally.answers, tally.offered, tally.forwarded) == (1, 10, 2)


class Scripted:
    """An engine whose answer depends on its options."""

    def ask(self, query, options):
        del query
        return answer(options[0])


def test_each_way_is_compared_with_the_engine_by_itself(capsys):
    comparison = Comparison(None, None)
    ways = {"good": ["1.5"], "bad": ["2.5"]}
    data = Data("hard", 0.01, 100, seed=7)
    comparison._engine(data, Compared("netfold", Scripted(), ["1.5"], ways), None)
    tallies = list(comparison.tallies.values())
    assert {(one.way, one.query) for one in tallies} == {
        (way, query) for way in ways for query in names()
    }
    assert all(one.identical == (one.way == "good") for one in tallies)
    told = capsys.readouterr().err
    assert "seed=7" in told
    assert "2.5" in told
    shown = table(tallies)
    assert list(shown.columns[2].cells) == ["good", "bad"]
    assert list(shown.columns[4].cells) == [str(len(names())), "0"]


def test_data_are_of_scales_and_seeds():
    class Settings:
        scales, rows, seeds, hard_scale, hard_rows = [0.1, 1.0], 1000, 2, 0.01, 50

    assert [(one.name, one.rows, one.seed) for one in every(Settings)] == [
        ("TPC-H 0.1", 100, None),
        ("TPC-H 1", 1000, None),
        ("hard", 50, 0),
        ("hard", 50, 1),
    ]
