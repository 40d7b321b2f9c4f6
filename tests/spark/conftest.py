"""A session for each file of tests; without Java or pyspark, nothing is tested."""

import shutil

import pytest

if shutil.which("java") is None:
    pytest.skip("Spark needs Java 17 or later", allow_module_level=True)
pytest.importorskip("pyspark", reason="pip install -r requirements-spark.txt")

from sessions import start, stop


@pytest.fixture(scope="module")
def spark():
    session = start("local[2]")
    yield session
    stop(session)


@pytest.fixture(params=["adaptive", "static"])
def planned(request, spark):
    """The session with adaptive execution and without it."""
    spark.conf.set("spark.sql.adaptive.enabled", str(request.param == "adaptive").lower())
    # Joins are to shuffle.
    spark.conf.set("spark.sql.autoBroadcastJoinThreshold", "-1")
    yield spark
    spark.conf.unset("spark.sql.adaptive.enabled")
    spark.conf.set("spark.netfold.enabled", "true")
