"""Sessions that ask at once, and queries that are cancelled."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import support
from py4j.protocol import Py4JJavaError

# Longer than a busy machine takes for a query here, and less than a join waits for its filter.
SOON_S = 30
LATE_S = 120

JOIN = "select few.id from few join many on few.id = many.id * 7"


def views(session):
    def late(number):
        """Keep the first row for longer than any test waits."""
        if number == 0:
            time.sleep(LATE_S)
        return number

    session.range(0, 100, 1, 4).createOrReplaceTempView("few")
    session.range(0, 100_000, 1, 40).createOrReplaceTempView("many")
    session.udf.register("late", late, "long")
    session.sql("select late(id) as id from few").createOrReplaceTempView("slow")
    session.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")


def test_sessions_ask_at_once(spark):
    groups = {key: [number for number in range(100_000) if number % 7 == key] for key in range(7)}
    expected = {
        "select distinct id % 7 from many": {(key,) for key in groups},
        "select id % 7, sum(id), count(*) from many group by 1": {
            (key, sum(numbers), len(numbers)) for key, numbers in groups.items()
        },
        "select id % 7, max(id) from many group by 1": {
            (key, max(numbers)) for key, numbers in groups.items()
        },
        JOIN: {(number,) for number in range(0, 100, 7)},
    }

    def ask(number):
        session = spark.newSession()
        views(session)
        session.conf.set("spark.sql.adaptive.enabled", str(number % 2 == 0).lower())
        # Each session begins with another query.
        queries = list(expected)
        for query in queries[number:] + queries[:number]:
            rows = session.sql(query).collect()
            assert len(rows) == len(expected[query]), query
            assert {tuple(row) for row in rows} == expected[query], query

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(ask, range(4)))


@pytest.mark.parametrize(
    "query",
    [
        # The tasks of the side that fills the filter run when it is cancelled,
        "select slow.id from slow join many on slow.id = many.id * 7",
        # or have not begun.
        "select /*+ broadcast(slow) */ few.id from few join slow on few.id = slow.id"
        " join many on few.id = many.id * 7",
    ],
    ids=["filling", "waiting"],
)
def test_a_join_that_is_cancelled_ends(planned, query):
    views(planned)
    context = planned.sparkContext
    status = context.statusTracker()

    def ask():
        context.setJobGroup("cancelled", query, interruptOnCancel=True)
        return support.collected(planned, query, enabled=True)

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        until = time.monotonic() + SOON_S
        while not status.getActiveStageIds():
            assert time.monotonic() < until
            assert not asked.done()
            time.sleep(0.01)
        began = time.monotonic()
        context.cancelJobGroup("cancelled")
        with pytest.raises(Py4JJavaError, match=r"(?i)cancel"):
            asked.result(LATE_S)
        assert time.monotonic() - began < SOON_S, "it waits for a filter that does not come"
    # The next one is pruned as ever.
    ours, frame = support.collected(planned, JOIN, enabled=True)
    assert sorted(ours) == sorted(f"({number},)" for number in range(0, 100, 7))
    [(_, offered, forwarded)] = [one for one in support.exchanges(frame) if "pruned" in one[0]]
    assert forwarded < 0.8 * offered
