"""Hard data, answers with netfold and without, and what a plan has done."""

import datetime
import decimal
import math
import random
import struct

SCHEMA = """id long, k int, big long, s string, text string, f float, d double,
    m decimal(12, 2), wide decimal(30, 4), day date, at timestamp, yes boolean"""

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
        if name in ("ShuffleQueryStageExec", "BroadcastQueryStageExec", "ResultQueryStageExec"):
            look(node.plan())
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
