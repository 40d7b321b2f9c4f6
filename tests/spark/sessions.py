"""Sessions of Spark as a user makes them: the jar, and the name of the extensions."""

import os
from pathlib import Path

from pyspark import SparkContext
from pyspark.sql import SparkSession

JAR = os.environ.get("NETFOLD_SPARK_JAR", "target/spark/netfold-spark.jar")


# Queries of a second do not earn what the optimizing compiler takes.
QUICK = "-XX:TieredStopAtLevel=1"


def start(master, **settings):
    """Start a session in a Java machine of its own."""
    assert Path(JAR).exists(), f"{JAR} is missing; build it: make spark"
    submit = ["--jars", JAR, "--conf", "spark.sql.extensions=netfold.SparkExtensions"]
    submit += ["--driver-java-options", QUICK]
    os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join([*submit, "pyspark-shell"])
    os.environ.setdefault("SPARK_SCALA_VERSION", "2.13")
    builder = SparkSession.builder.master(master).appName("netfold")
    defaults = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.executor.extraJavaOptions": QUICK,
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.session.timeZone": "UTC",
        "spark.netfold.batch": "64",
    }
    for key, value in {**defaults, **settings}.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def stop(session):
    """End the session and its Java machine, so that the next one reads other settings."""
    session.stop()
    gateway = SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait(30)
    SparkContext._gateway = SparkContext._jvm = None
