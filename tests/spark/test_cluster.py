"""Executors in processes of their own, which are killed while queries run."""

import itertools
import os
import random
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest
import sessions
import support
from pyspark import SparkContext

KILLS = int(os.environ.get("NETFOLD_SPARK_KILLS", "4"))


@pytest.fixture(scope="module")
def cluster():
    session = sessions.start(
        "local-cluster[2,1,1024]",
        **{
            "spark.sql.autoBroadcastJoinThreshold": "-1",
            # Executors are killed more often than Spark thinks is healthy.
            "spark.task.maxFailures": "100",
            "spark.stage.maxConsecutiveAttempts": "100",
            "spark.deploy.maxExecutorRetries": "-1",
            "spark.speculation": "true",
            "spark.speculation.interval": "50ms",
            "spark.speculation.quantile": "0.5",
            "spark.speculation.multiplier": "1.1",
            "spark.netfold.timeout": "2s",
        },
    )
    yield session
    sessions.stop(session)


@pytest.fixture(scope="module")
def tables(cluster, tmp_path_factory):
    """Tables in files: what executors hold of them is lost with these."""
    support.stored(cluster, tmp_path_factory.mktemp("tables"))
    return cluster


def executors():
    """Processes of the executors: children of the Java machine of the driver."""
    driver = SparkContext._gateway.proc.pid
    listing = subprocess.run(["ps", "-wweo", "pid,ppid,args"], capture_output=True, text=True)
    lines = [line.split(None, 2) for line in listing.stdout.splitlines()[1:]]
    return [
        int(pid)
        for pid, parent, args in lines
        if int(parent) == driver and "CoarseGrainedExecutorBackend" in args
    ]


@pytest.mark.long
def test_answers_of_a_cluster(tables):
    for adaptive in ("true", "false"):
        tables.conf.set("spark.sql.adaptive.enabled", adaptive)
        for query in support.PROGRAMS:
            plain, _ = support.collected(tables, query, enabled=False)
            ours, frame = support.collected(tables, query, enabled=True)
            assert sorted(ours) == sorted(plain)
            found = support.exchanges(frame)
            assert sum(one[1] for one in found) > 0, found


@pytest.mark.long
@pytest.mark.parametrize("adaptive", ["true", "false"])
def test_executors_are_killed(tables, adaptive):
    """Kill one after a number of tasks that a seed draws: in scans, before the shuffle is read,
    while it is."""
    tables.conf.set("spark.sql.adaptive.enabled", adaptive)
    draw = random.Random(7)
    plain = {
        query: support.collected(tables, query, enabled=False)[0] for query in support.PROGRAMS
    }
    killed = 0
    with ThreadPoolExecutor(1) as pool:
        for query in itertools.islice(itertools.cycle(support.PROGRAMS), 4 * KILLS):
            asked = pool.submit(support.collected, tables, query, enabled=True)
            support.wait_for_tasks(tables, draw.randrange(12), asked)
            victims = executors()
            if victims and not asked.done():
                os.kill(draw.choice(victims), signal.SIGKILL)
                killed += 1
            answer, frame = asked.result(timeout=200)
            assert sorted(answer) == sorted(plain[query]), query
            assert support.exchanges(frame), query
            if killed == KILLS:
                return
    raise AssertionError(f"{killed} executors were killed, and {KILLS} were to be")
