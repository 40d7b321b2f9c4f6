"""FPISA's five queries over Spark alone and over Spark with netfold, in turns:
`python -m bench.spark`.

Executors are processes of one machine (Spark's local-cluster mode), with a switch in the driver's
process. Both contenders are the same session; a key turns netfold on and off. What is told beside
the time are the bytes that tasks write for shuffles, and the rows that they offer.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from .machine import describe
from .query import QUERIES, query_program
from .stats import speedup, spread

JAR = Path("target/spark/netfold-spark.jar")
CONTENDERS = {"Spark": "false", "Spark, netfold": "true"}
BASELINE = "Spark"
DIGITS = 9
"""Digits that answers are compared with: Spark's sums of floats depend on the order of rows."""


def session(settings: dict[str, Any]) -> Any:
    """Start Spark with the jar."""
    if not JAR.exists():
        sys.exit(f"bench.spark: {JAR} is missing; build it: make spark")
    submit = ["--jars", str(JAR), "--conf", "spark.sql.extensions=netfold.SparkExtensions"]
    os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join([*submit, "pyspark-shell"])
    os.environ.setdefault("SPARK_SCALA_VERSION", "2.13")
    from pyspark.sql import SparkSession

    workers, memory = settings["workers"], settings["memory"]
    return (
        SparkSession.builder.master(f"local-cluster[{workers},1,{memory}]")
        .appName("bench.spark")
        .config("spark.executor.memory", f"{memory}m")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.adaptive.enabled", str(settings["adaptive"]).lower())
        .getOrCreate()
    )


def make_tables(spark: Any, folder: Path, settings: dict[str, Any]) -> None:
    """Write the tables with netfold's generators, and name them."""
    for kind, size in (
        ("tpch", ["--scale", str(settings["scale"])]),
        ("visits", ["--rows", str(settings["rows"])]),
    ):
        parts = ["--parts", str(4 * settings["workers"]), "--out", str(folder)]
        subprocess.run([query_program(), "data", kind, *size, *parts], check=True)
    for table in sorted(folder.iterdir()):
        spark.read.parquet(str(table)).createOrReplaceTempView(table.stem)


def _counts(plan: Any) -> dict[str, int]:
    """Bytes written for shuffles, rows offered and rows forwarded, of an executed plan."""
    counts = {"shuffle_bytes": 0, "offered": 0, "forwarded": 0}
    keys = {
        "ShuffleExchangeExec": {"shuffleBytesWritten": "shuffle_bytes"},
        "SwitchExchangeExec": {"offered": "offered", "forwarded": "forwarded"},
    }
    waiting = [plan]
    while waiting:
        node = waiting.pop()
        name = node.getClass().getSimpleName()
        if name == "AdaptiveSparkPlanExec":
            waiting.append(node.executedPlan())
        elif name.endswith("QueryStageExec"):
            waiting.append(node.plan())
        else:
            for metric, key in keys.get(name, {}).items():
                counts[key] += node.metrics().apply(metric).value()
            children = node.children()
            waiting += [children.apply(at) for at in range(children.size())]
    return counts


def ask(spark: Any, query: str, enabled: str) -> dict[str, Any]:
    """Run a query once; returns its time, its counts, and the answer without its order."""
    spark.conf.set("spark.netfold.enabled", enabled)
    frame = spark.sql(query)
    began = time.monotonic()
    rows = frame.collect()
    seconds = time.monotonic() - began

    def text(cell: object) -> str:
        return f"{cell:.{DIGITS}g}" if isinstance(cell, float) else str(cell)

    answer = sorted(tuple(text(cell) for cell in row) for row in rows)
    counts = _counts(frame._jdf.queryExecution().executedPlan())
    return {"seconds": seconds, **counts, "answer": answer}


def measure(settings: dict[str, Any]) -> list[dict[str, Any]]:
    """Run all queries by both contenders, in turns."""
    results = []
    with tempfile.TemporaryDirectory(dir=settings["folder"]) as name:
        spark = session(settings)
        make_tables(spark, Path(name), settings)
        for query in sorted(QUERIES.glob("*.sql")):
            runs: dict[str, list[dict[str, Any]]] = {name: [] for name in CONTENDERS}
            for _ in range(settings["rounds"] + 1):
                for contender, enabled in CONTENDERS.items():
                    runs[contender].append(ask(spark, query.read_text(), enabled))
                plain, ours = (of[-1]["answer"] for of in runs.values())
                # Which of equal rows come last in a Top-N is not defined.
                if len(plain) != len(ours) or (query.stem != "top-n" and plain != ours):
                    sys.exit(f"bench.spark: {query.stem}: the answers differ")
            # The first run compiles, and reads the files.
            baseline = [run["seconds"] for run in runs[BASELINE][1:]]
            for contender, of in runs.items():
                own = [run["seconds"] for run in of[1:]]
                last = {key: value for key, value in of[-1].items() if key != "answer"}
                results.append(
                    {
                        **last,
                        "query": query.stem,
                        "contender": contender,
                        "seconds": asdict(spread(own)),
                        "speedup": asdict(speedup(own, baseline)),
                    }
                )
        spark.stop()
    return results


def show(results: list[dict[str, Any]], console: Console) -> None:
    """Print the results as a table."""
    table = Table("query", "contender")
    for column in (
        "median s",
        f"times {BASELINE}",
        "p5",
        "p95",
        "shuffled MB",
        "offered",
        "forwarded",
    ):
        table.add_column(column, justify="right")
    for one in results:
        times = one["speedup"]
        table.add_row(
            one["query"],
            one["contender"],
            f"{one['seconds']['median']:.3f}",
            f"{times['median']:.2f}",
            f"{times['p5']:.2f}",
            f"{times['p95']:.2f}",
            f"{one['shuffle_bytes'] / 1e6:.2f}",
            str(one["offered"]),
            str(one["forwarded"]),
        )
    console.print(table)


def main() -> None:
    """Measure, print a table, and save the results."""
    parser = argparse.ArgumentParser(prog="python -m bench.spark", description=__doc__)
    parser.add_argument("--workers", type=int, default=2, help="executors, a core each")
    parser.add_argument("--memory", type=int, default=2048, help="MiB of each executor")
    parser.add_argument("--rounds", type=int, default=10, help="timed runs of each query")
    parser.add_argument("--scale", type=float, default=1.0, help="the scale factor of TPC-H")
    parser.add_argument("--rows", type=int, default=3_000_000, help="rows of uservisits")
    parser.add_argument("--adaptive", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--folder", default="/dev/shm", help="the place of the tables; a RAM disk")
    parser.add_argument("--out", type=Path, default=Path("out/spark"))
    settings = vars(parser.parse_args())
    out = settings.pop("out")
    results = measure(settings)
    console = Console(width=140)
    show(results, console)
    out.mkdir(parents=True, exist_ok=True)
    recorded = {"machine": describe(), "settings": settings, "results": results}
    (out / "results.json").write_text(json.dumps(recorded, indent=2) + "\n")
    console.print(f"written to {out}")


if __name__ == "__main__":
    main()
