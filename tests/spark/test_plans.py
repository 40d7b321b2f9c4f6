"""EXPLAIN, the key that turns it off, and what Spark does as before."""

import pytest
import support


@pytest.fixture(scope="module", autouse=True)
def tables(spark):
    support.table(spark, "t", 5, 300, 6)
    support.table(spark, "u", 6, 50, 3)


def explained(spark, query):
    return spark.sql(f"explain {query}").collect()[0][0]


@pytest.mark.parametrize(
    ("query", "program"),
    [
        ("select id from t order by d desc limit 3", "top-n, n=3, by=[d"),
        ("select distinct k from t", "distinct, keys=[k"),
        ("select k, max(d) from t group by k", "group-max, keys=[k"),
        ("select min(d) from t", "group-min, keys=[]"),
        ("select t.id from t join u on t.k = u.k", "pruned by bloom"),
        ("select k, sum(m), avg(d) from t group by k", "group-sum, keys=[k"),
    ],
)
def test_explain_names_the_exchange(planned, query, program):
    plan = explained(planned, query)
    assert "SwitchExchange" in plan, plan
    assert program in plan, plan
    planned.conf.set("spark.netfold.enabled", "false")
    assert "SwitchExchange" not in explained(planned, query)


@pytest.mark.parametrize(
    "query",
    [
        "select k, sum(big), max(big) from t group by k",
        f"select k, {', '.join(f'sum(d + {more})' for more in range(8))} from t group by k",
        "select wide, sum(id) from t group by wide",
        "select distinct wide from t",
        "select distinct array(k) from t",
        "select id from t order by array(k) limit 3",
        "select distinct floor(rand() * 9) from t",
        "select distinct k from (select k from t limit 100)",
        "select id from t order by id",
        "select t.id, u.id from t full join u on t.k = u.k",
        "select distinct s collate UTF8_LCASE from t",
    ],
)
def test_the_rest_is_done_as_before(planned, query):
    assert "SwitchExchange" not in explained(planned, query)


def test_a_self_join_is_read_once(planned):
    plan = explained(planned, "select a.id, b.id from t a join t b on a.k = b.k")
    assert "bloom" not in plan


@pytest.mark.long
def test_a_reason_is_told_once():
    out, told = support.run()
    assert out.startswith("5\n")
    assert told.count("is done by Spark alone: without groups a task has one row") == 1


@pytest.mark.long
def test_a_switch_that_cannot_start_is_told_and_done_without():
    out, told = support.run(**{"spark.netfold.port": "1000000"})
    assert out.startswith("5\n")
    assert told.count("SwitchExchange distinct") == 1


@pytest.mark.long
def test_a_setting_that_makes_no_sense_is_named():
    out, told = support.run(**{"spark.netfold.rows": "3"})
    assert out.startswith("5\n")
    assert "spark.netfold.rows" in told
    assert "It must be a power of two, 2 or more." in told


@pytest.mark.long
def test_a_session_that_is_off_starts_no_switch():
    out, told = support.run(**{"spark.netfold.enabled": "false"})
    assert out.startswith("5\n")
    assert "netfold" not in told
