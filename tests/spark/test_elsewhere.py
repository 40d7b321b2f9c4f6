"""Queries at a switch that runs already (R-QRY-39): executors in processes of their own, and the
switch in another one, which is killed while queries run."""

import itertools
import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sessions
import support

import team

TOKEN = "of the switch"

# Kills of the switch, each after a number of tasks that the seed draws.
SEED = 11
KILLS = 6


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory):
    """A session, the address of its switch, at which nobody listens yet, and Spark's answers."""
    address = team.kept_address()
    spark = sessions.start(
        "local-cluster[2,1,1024]",
        **{
            "spark.sql.autoBroadcastJoinThreshold": "-1",
            "spark.netfold.switch": address,
            "spark.netfold.token": TOKEN,
            "spark.netfold.timeout": "1s",
        },
    )
    support.stored(spark, tmp_path_factory.mktemp("tables"))
    plain = {one: support.collected(spark, one, enabled=False)[0] for one in support.PROGRAMS}
    yield spark, address, plain
    sessions.stop(spark)


def same(spark, query, plain):
    """The exchanges of a query, once its answer is seen to be that of Spark."""
    answer, frame = support.collected(spark, query, enabled=True)
    assert sorted(answer) == sorted(plain[query]), query
    return support.exchanges(frame)


def offered_at(address):
    """The programs of the queries that a switch has, and the rows that they were offered."""
    command = [sys.executable, "-m", "netfold", "ctl", "stats", "--json", "--switch", address]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    queries = json.loads(told.stdout)["queries"]
    return {one["program"]: one["counters"]["offered"] for one in queries}


@pytest.mark.long
def test_a_switch_elsewhere_prunes_and_adds(elsewhere):
    spark, address, plain = elsewhere
    with team.running(listen=address, NETFOLD_TOKEN=TOKEN):
        for query in support.PROGRAMS:
            found = same(spark, query, plain)
            assert sum(one[2] for one in found) < sum(one[1] for one in found), found
        offered = offered_at(address)
        # Those of sums end with their queries.
        assert set(offered) == {"top-matrix", "distinct", "group-extreme", "bloom-join"}
        assert all(offered.values()), offered


@pytest.mark.long
def test_a_switch_that_dies_is_done_without(elsewhere):
    """Each query asks for a place anew: it goes through the switch that is there, if one is."""
    spark, address, plain = elsewhere
    draw, killed = random.Random(SEED), 0
    with ThreadPoolExecutor(1) as pool:
        for query in itertools.islice(itertools.cycle(support.PROGRAMS), 4 * KILLS):
            with team.running(listen=address, NETFOLD_TOKEN=TOKEN) as (switch, _):
                asked = pool.submit(same, spark, query, plain)
                support.wait_for_tasks(spark, draw.randrange(8), asked)
                killed += not asked.done()
                switch.kill()
                switch.wait()
                assert asked.result(timeout=100), query
            if killed == KILLS:
                break
    assert killed == KILLS, f"seed {SEED}"
    for query in support.PROGRAMS:
        assert same(spark, query, plain), query


@pytest.mark.long
def test_a_refusal_is_told_once():
    """The reason is the switch's: a token that it does not have, and memory that is short."""
    with team.running("--memory", "100KiB", NETFOLD_TOKEN=TOKEN) as (_, address):
        settings = {"spark.netfold.switch": address, "spark.netfold.token": TOKEN + "?"}
        out, told = support.run(**settings)
        assert out.startswith("5\n")
        assert told.count("SwitchExchange distinct") == 1
        assert "token" in told.partition("SwitchExchange distinct")[2].splitlines()[0]
        out, told = support.run(**settings | {"spark.netfold.token": TOKEN})
        assert out.startswith("5\n")
        assert told.count("SwitchExchange distinct") == 1
        assert "bytes of switch memory" in told
    out, told = support.run(**{"spark.netfold.switch": "nowhere"})
    assert out.startswith("5\n")
    assert "It must be HOST:PORT." in told
