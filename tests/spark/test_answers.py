"""Answers are those of Spark alone, on hard data, with adaptive execution and without it."""

import os
import time

import pytest
import support

# Queries whose answer Spark defines, without the order of equal rows. `x + 0.0` makes zeros of
# both signs one: which of them is the largest, Spark leaves to the order of rows.
QUERIES = [
    "select * from t order by d desc, id limit 7",
    "select * from t order by d, id limit 7",
    "select id, f from t order by f desc nulls first, id limit 10",
    "select id, big from t order by big asc nulls last, id limit 10",
    "select id, s from t order by s desc, id limit 9",
    "select id, m, wide from t order by wide desc, m, id limit 300",
    "select id, day, at from t order by day, at desc, id limit 11",
    "select id from t order by k * 2 - id desc, id limit 4",
    "select id from t where k > 100 order by d limit 4",
    "select id from t order by d desc, id limit 5 offset 3",
    "select distinct k from t",
    "select distinct big from t",
    "select distinct k, day, yes from t",
    "select distinct s from t",
    "select distinct text, k from t",
    "select distinct d from t",
    "select distinct big, k, day from t",
    "select k, count(distinct day) from t group by k",
    "select k, max(big) from t group by k",
    "select k, min(big) from t group by k",
    "select k, day, max(d) + 0.0 from t group by k, day",
    "select s, min(d) + 0.0 from t group by s",
    "select k, max(f) + 0.0 from t group by k having max(f) > 0",
    "select k, max(s) from t group by k",
    "select k, min(wide) from t group by k",
    "select yes, max(m) from t group by yes",
    "select max(d) + 0.0 from t",
    "select min(at) from t where k = 3",
    "select max(big) from t where k > 100",
    "select t.id, u.id from t join u on t.k = u.big",
    "select t.id, u.id from t left join u on t.big = u.big and t.k < u.k",
    "select t.id, u.id from t right join u on t.s = u.s and t.day = u.day",
    "select t.id, u.id from t full join u on t.big = u.big and t.day = u.day",
    "select id from t where exists (select 1 from u where u.d = t.d)",
    "select id from t where not exists (select 1 from u where u.d = t.d)",
    "select id from t left semi join u on t.day = u.day and t.k <=> u.k",
    "select a.id, b.id from t a join t b on a.s = b.s and a.id < b.id",
    "select k, max(id) from (select distinct k, id from t) group by k order by 2 desc limit 3",
    "select id from t where id < (select max(t.id) from u join t on t.big = u.big)",
    "select k, sum(m), avg(k), max(id) from t group by k",
    "select k, sum(id), count(*), avg(id), count(big) from t group by k",
    "select k, day, sum(m), avg(m), count(m) from t group by k, day",
    "select k, sum(wide), avg(wide) from t group by k",
    # Sums of floats that are exact in any order.
    "select k, sum(id / 8D), avg(id * 0.25D), sum(cast(id as float)) from t group by k",
    "select k, try_sum(id), sum(k) from t group by k having count(*) > 5",
    "select s, sum(id) from t group by s",
    "select text, k, count(*) from t group by text, k",
    "select big, count(*), sum(m) from t group by big",
    "select d, count(*) from t group by d",
    "select f, count(id) from t group by f",
    "select day, yes, k, count(*) from t group by day, yes, k",
    "select m, at, sum(id) from t group by m, at",
    "select -k, cast(k as smallint), cast(k as tinyint), sum(id) from t group by all",
    "select k, sum(id) as s from t group by k order by s desc, k limit 3",
    "select k, sum(distinct m), count(distinct day) from t group by k",
    "select k, sum(id), count(*) from t where k > 100 group by k",
]


def seeds():
    """The seeds NETFOLD_SEEDS (`FIRST..END`); all but the first are a part of the long form."""
    first, end = map(int, os.environ.get("NETFOLD_SEEDS", "1..3").split(".."))
    more = [pytest.param(seed, marks=pytest.mark.long) for seed in range(first + 1, end)]
    return [first, *more]


@pytest.fixture(scope="module", params=seeds())
def tables(request, spark):
    support.table(spark, "t", request.param, 700, 9)
    support.table(spark, "u", request.param + 1000, 90, 5)


@pytest.mark.parametrize("query", QUERIES)
def test_an_answer_is_that_of_spark(planned, tables, query):
    plain, _ = support.collected(planned, query, enabled=False)
    ours, frame = support.collected(planned, query, enabled=True)
    if "order by" in query:
        assert ours == plain
    assert sorted(ours) == sorted(plain)
    # Once more: what the switch knows by now is of rows that were read.
    assert sorted(repr(tuple(row)) for row in frame.collect()) == sorted(plain)


def test_files_are_as_good_as_tables(planned, tables, tmp_path):
    for kind in ("parquet", "json"):
        path = str(tmp_path / kind)
        planned.table("t").write.format(kind).save(path)
        planned.read.format(kind).load(path).createOrReplaceTempView("files")
        query = "select id, m from files order by m desc, id limit 5"
        plain, _ = support.collected(planned, query, enabled=False)
        ours, frame = support.collected(planned, query, enabled=True)
        assert ours == plain
        assert support.exchanges(frame)


def test_the_switch_drops_rows(planned, tables):
    """Each program drops some of what it is offered: partitions have the same groups and values."""
    for query in (
        "select id, d from t where d > -5 order by d desc, id limit 20",
        "select distinct k from t",
        "select k, max(id) from t group by k",
        "select max(id) from t",
        "select k, sum(id), avg(m) from t group by k",
    ):
        _, frame = support.collected(planned, query, enabled=True)
        [(name, offered, forwarded)] = support.exchanges(frame)
        assert 0 < forwarded < offered, name


@pytest.mark.parametrize("ansi", ["true", "false"])
def test_a_sum_overflows_as_one_of_spark(planned, ansi):
    """Partial sums fit 64 bits, and their total does not."""
    planned.range(0, 8, 1, 4).createOrReplaceTempView("large")
    query = "select id % 2, sum(9223372036854775000 div 2 - id), count(*) from large group by 1"
    planned.conf.set("spark.sql.ansi.enabled", ansi)
    try:
        for enabled in (False, True):
            if ansi == "true":
                with pytest.raises(Exception, match="ARITHMETIC_OVERFLOW"):
                    support.collected(planned, query, enabled)
                continue
            answer, frame = support.collected(planned, query, enabled)
            assert sorted(answer) == [
                f"({odd}, {(4 * (9223372036854775000 // 2) - total + 2**63) % 2**64 - 2**63}, 4)"
                for odd, total in ((0, 12), (1, 16))
            ]
            assert len(support.exchanges(frame)) == enabled
    finally:
        planned.conf.unset("spark.sql.ansi.enabled")


def test_a_sum_without_the_switch_is_that_of_spark(planned, tables):
    """The switch has no room for it, or not the time."""
    query = "select k, sum(id), count(*) from t group by k"
    plain, _ = support.collected(planned, query, enabled=False)
    planned.conf.set("spark.netfold.timeout", "1ms")
    try:
        ours, _ = support.collected(planned, query, enabled=True)
    finally:
        planned.conf.unset("spark.netfold.timeout")
    assert sorted(ours) == sorted(plain)


def test_a_sum_of_wide_keys_is_done_by_spark(planned):
    """Rows that go past the switch do not all come to the driver."""
    planned.range(0, 40_000, 1, 2).createOrReplaceTempView("wide")
    query = "select repeat(cast(id as string), 120), sum(id) from wide group by 1"
    plain, _ = support.collected(planned, query, enabled=False)
    ours, frame = support.collected(planned, query, enabled=True)
    assert sorted(ours) == sorted(plain)
    [(_, offered, forwarded)] = support.exchanges(frame)
    assert (offered, forwarded) == (0, 0)


def dropped(frame):
    """Rows that joins have offered, and those that went on."""
    pruned = [one for one in support.exchanges(frame) if "pruned" in one[0]]
    return sum(one[1] for one in pruned), sum(one[2] for one in pruned)


@pytest.fixture
def few_and_many(planned):
    planned.range(0, 100, 1, 4).createOrReplaceTempView("few")
    planned.range(0, 100_000, 1, 40).createOrReplaceTempView("many")
    return planned


def test_a_join_drops_rows_that_have_no_match(few_and_many):
    """The side that fills the filter is read first, one task after the other."""
    query = "select few.id from few join many on few.id = many.id * 7"
    plain, _ = support.collected(few_and_many, query, enabled=False)
    ours, frame = support.collected(few_and_many, query, enabled=True)
    assert sorted(ours) == sorted(plain)
    offered, forwarded = dropped(frame)
    assert forwarded < 0.8 * offered


def test_a_join_waits_for_what_comes_before_its_filter(few_and_many):
    """The side that fills the filter begins after a broadcast, which takes a while."""

    def late(number):
        if number == 0:
            time.sleep(3)
        return number

    few_and_many.udf.register("late", late, "long")
    few_and_many.sql("select late(id) as id from few").createOrReplaceTempView("slow")
    query = (
        "select /*+ broadcast(slow) */ few.id from few join slow on few.id = slow.id"
        " join many on few.id = many.id * 7"
    )
    ours, frame = support.collected(few_and_many, query, enabled=True)
    assert sorted(ours) == sorted(f"({number},)" for number in range(0, 100, 7))
    offered, forwarded = dropped(frame)
    assert forwarded < 0.8 * offered


def test_a_join_fills_the_filter_of_the_next(few_and_many):
    """Spark takes a join to be as large as the product of its sides: larger than `many`."""
    few_and_many.range(0, 5_000, 1, 4).createOrReplaceTempView("some")
    query = (
        "select few.id from few join some on few.id = some.id join many on few.id + 7 = many.id * 7"
    )
    plain, _ = support.collected(few_and_many, query, enabled=False)
    ours, frame = support.collected(few_and_many, query, enabled=True)
    assert sorted(ours) == sorted(plain)
    forwarded = [
        forwarded
        for name, offered, forwarded in support.exchanges(frame)
        if "pruned" in name and offered == 100_000
    ]
    assert len(forwarded) == 1
    assert forwarded[0] < 0.8 * 100_000


def test_a_join_of_a_cached_frame_is_pruned(few_and_many):
    """The plan of a cached frame stands beside the one that is executed."""
    query = "select few.id from few join many on few.id = many.id * 7"
    plain, _ = support.collected(few_and_many, query, enabled=False)
    few_and_many.conf.set("spark.netfold.enabled", "true")
    frame = few_and_many.sql(query).persist()
    try:
        began = time.monotonic()
        assert sorted(repr(tuple(row)) for row in frame.collect()) == sorted(plain)
        assert time.monotonic() - began < 30, "it waits until the setting's time is over"
        offered, forwarded = dropped(frame)
        assert forwarded < 0.8 * offered
    finally:
        frame.unpersist()


def test_a_join_that_is_read_as_an_rdd_waits_for_nothing(few_and_many):
    few_and_many.conf.set("spark.netfold.enabled", "true")
    query = "select few.id from few join many on few.id = many.id * 7"
    began = time.monotonic()
    assert few_and_many.sql(query).rdd.count() == 15
    assert time.monotonic() - began < 30, "it waits until the setting's time is over"
