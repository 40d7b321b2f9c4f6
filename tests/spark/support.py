"""Hard data, answers with netfold and without, and what a plan has done."""

import datetime
import decimal
import math
import os
import random
import struct
import subprocess
import sys
import time

SCHEMA = """id long, k int, big long, s string, text string, f float, d double,
    m decimal(12, 2), wide decimal(30, 4), day date, at timestamp, yes boolean"""

# A query of each program, over tables with many files.
PROGRAMS = [
    "select id, d from t order by d desc, id limit 20",
    "select distinct k, day from t",
    "select k, day, max(big) from t group by k, day",
    "select t.id, u.id from t join u on t.big = u.big and t.day = u.day",
    "select k, day, sum(id), avg(m) from t group by k, day",
]

HARD = [math.nan, 0.0, -0.0, math.inf, -math.inf, 1.5, -1.5, 5e-324]


def rows(seed, count):
    """Rows of few groups, with NULL, NaN, zeros of both signs, infinities and ties."""
    draw = random.Random(seed)

    def some(value):
        return None if draw.random() < 0.05 else value

    def double():
        if draw.random() < 0.3:
            return draw.choice(HARD)
        return (
            struct.unpack("<d", draw.randbytes(8))[0] if draw.random() < 0.3 else draw.gauss(0, 9)
        )

    def single():
        value = double()
        return value if value != value or abs(value) < 1e38 else 3.25

    def one(number):
        return (
            number,
            some(draw.randrange(20)),
            some(draw.choice([-(2**63), 2**63 - 1, 0, draw.randrange(-50, 50)])),
            some("".join(draw.choices("ab\0é", k=draw.randrange(10)))),
            some(draw.choice(["a user agent", "a user agent of another kind", ""])),
            some(single()),
            some(double()),
            some(decimal.Decimal(draw.randrange(-(10**5), 10**5)).scaleb(-2)),
            some(decimal.Decimal(draw.randrange(-(10**29), 10**29)).scaleb(-4)),
            some(datetime.date(2020, 1, 1) + datetime.timedelta(draw.randrange(99))),
            some(datetime.datetime(2020, 1, 1) + datetime.timedelta(0, draw.randrange(99))),
            some(draw.random() < 0.5),
        )

    return [one(number) for number in range(count)]


def table(spark, name, seed, count, partitions):
    """Make a table of hard rows; some partitions are empty."""
    frame = spark.createDataFrame(spark.sparkContext.parallelize(rows(seed, count), 4), SCHEMA)
    frame = frame.repartition(partitions, frame.id % 7).persist()
    # Spark knows how large it is once it is there.
    frame.count()
    frame.createOrReplaceTempView(name)
    return frame


def collected(spark, query, enabled):
    """The rows of an answer as text, in order, and the query's frame."""
    spark.conf.set("spark.netfold.enabled", str(enabled).lower())
    frame = spark.sql(query)
    return [repr(tuple(row)) for row in frame.collect()], frame


def exchanges(frame):
    """Name, rows offered and rows forwarded of each exchange through the switch, once it is run."""
    found = []

    def look(node):
        name = node.getClass().getSimpleName()
        if name == "AdaptiveSparkPlanExec":
            look(node.executedPlan())
            return
        if name.endswith("QueryStageExec"):
            look(node.plan())
            return
        if name == "InMemoryTableScanExec":
            look(node.relation().cachedPlan())
            return
        if name == "SwitchExchangeExec":
            metrics = node.metrics()
            counts = [metrics.apply(key).value() for key in ("offered", "forwarded")]
            found.append((node.simpleString(100), *counts))
        children = node.children()
        for at in range(children.size()):
            look(children.apply(at))

    look(frame._jdf.queryExecution().executedPlan())
    return found


def stored(spark, folder):
    """Make the tables t and u of hard rows in files, each of which is a partition."""
    for name, seed, count, files in (("t", 3, 2000, 10), ("u", 4, 300, 2)):
        data = spark.createDataFrame(rows(seed, count), SCHEMA)
        data.repartition(files).write.parquet(str(folder / name))
        spark.read.parquet(str(folder / name)).createOrReplaceTempView(name)
    spark.conf.set("spark.sql.files.openCostInBytes", str(128 << 20))


def wait_for_tasks(session, count, asked):
    """Wait until so many tasks of the stages that run have ended, or the query has."""
    status = session.sparkContext.statusTracker()
    while not asked.done():
        stages = [status.getStageInfo(stage) for stage in status.getActiveStageIds()]
        if sum(stage.numCompletedTasks for stage in stages if stage is not None) >= count:
            return
        time.sleep(0.005)


OTHERS = """
import sessions
spark = sessions.start("local[2]", **{settings})
spark.range(0, 1000, 1, 4).createOrReplaceTempView("t")
print(spark.sql("select distinct id % 5 from t").count())
print(spark.sql("select sum(id) from t").collect())
print(spark.sql("select sum(id) from t").collect())
sessions.stop(spark)
"""


def run(**settings):
    """Run queries in a session of its own; returns what it writes, and its log."""
    program = OTHERS.replace("{settings}", repr(settings))
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": os.path.dirname(__file__)},
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    return done.stdout, done.stderr
