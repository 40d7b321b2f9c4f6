"""The driver of `Spark`: `python -m bench.query.spark_driver SETTINGS` answers each line of
standard input, a query or other tables, by a line of standard output. An empty request is answered
when all executors are there.
"""

from __future__ import annotations

import json
import os
import sys
import time
from typing import Any

import numpy as np

START_S = 60.0
"""Longest wait for an executor that is started again."""


def session(settings: dict[str, Any]) -> Any:
    """Start a session with the jar and the first tables."""
    submit = ["--jars", settings["jar"], "--conf", "spark.sql.extensions=netfold.SparkExtensions"]
    os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join([*submit, "pyspark-shell"])
    from pyspark.sql import SparkSession

    builder = (
        SparkSession.builder.master(settings["cluster"])
        .appName("bench.query")
        .config("spark.cores.max", settings["executors"])
        .config("spark.executor.memory", f"{settings['memory_mib']}m")
        .config("spark.scheduler.minRegisteredResourcesRatio", "1.0")
        .config("spark.scheduler.maxRegisteredResourcesWaitingTime", "60s")
        .config("spark.driver.host", os.environ["SPARK_LOCAL_IP"])
        .config("spark.ui.enabled", "false")
    )
    for key, value in settings["settings"].items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    name_tables(spark, settings["tables"])
    return spark


def name_tables(spark: Any, tables: dict[str, list[str]]) -> None:
    """Give names to the tables in folders."""
    for name, folders in tables.items():
        spark.read.parquet(*folders).createOrReplaceTempView(name)


def exchanges(plan: Any) -> list[dict[str, Any]]:
    """Return the rows offered and forwarded by each exchange of an executed plan."""
    found = []
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        name = node.getClass().getSimpleName()
        if name == "AdaptiveSparkPlanExec":
            waiting.append(node.executedPlan())
        elif name.endswith("QueryStageExec"):
            waiting.append(node.plan())
        else:
            if name == "SwitchExchangeExec":
                counts = {
                    key: node.metrics().apply(key).value() for key in ("offered", "forwarded")
                }
                program = node.simpleString(100).removeprefix("SwitchExchange ")
                found.append({"program": program, **counts})
            children = node.children()
            waiting += [children.apply(at) for at in range(children.size())]
    return found


def wait_for_executors(spark: Any, count: int) -> None:
    """Wait until so many executors are there: those that were killed are started again."""
    context = spark.sparkContext._jsc.sc()
    end = time.monotonic() + START_S
    # The driver counts, too.
    while context.getExecutorMemoryStatus().size() <= count and time.monotonic() < end:
        time.sleep(0.02)


def ask(spark: Any, query: str, enabled: str) -> dict[str, Any]:
    """Run a query once; returns its time, its exchanges and the answer."""
    spark.conf.set("spark.netfold.enabled", enabled)
    frame = spark.sql(query)
    began = time.monotonic()
    rows = frame.collect()
    seconds = time.monotonic() - began
    short = [field.dataType.typeName() == "float" for field in frame.schema.fields]
    return {
        "seconds": seconds,
        "exchanges": exchanges(frame._jdf.queryExecution().executedPlan()),
        "cells": [[text(*cell) for cell in zip(row, short, strict=True)] for row in rows],
    }


def text(cell: object, short: bool) -> str:
    """A cell as text; NULL is empty, and FP32 has the digits that tell it from others."""
    if cell is None:
        return ""
    return str(np.float32(cell)) if short and isinstance(cell, float) else str(cell)


def main() -> None:
    """Answer until standard input ends."""
    settings = json.loads(sys.argv[1])
    spark = session(settings)
    print("{}", flush=True)
    for line in sys.stdin:
        request, told = json.loads(line), dict[str, Any]()
        if "query" in request:
            told = ask(spark, **request)
        elif "tables" in request:
            name_tables(spark, request["tables"])
        else:
            wait_for_executors(spark, settings["executors"])
        print(json.dumps(told), flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
