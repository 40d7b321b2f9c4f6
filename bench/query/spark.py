"""Spark between hosts of a rack: its own master, workers with an executor each, and a driver at the
master (Spark's standalone mode).
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..rack import Rack
from .engine import Answer, Exchange

JAR = Path("target/spark/netfold-spark.jar")
PORT = 7077
START_S = 60.0
"""Longest wait for a process of Spark to be ready."""


def missing() -> str | None:
    """Return the reason for which Spark cannot take part; None if it can."""
    if importlib.util.find_spec("pyspark") is None or not JAR.exists():
        return f"{JAR} or pyspark is missing; `make spark` builds and installs them"
    return None


class Spark:
    """A cluster for all queries; the same session has netfold turned on and off.

    Args:
        rack: the rack; its last host is the master.
        places: folder of each worker. Tasks read all of them, as if each host had every file.
        switch: `HOST:PORT` of netfold's switch.
        memory_mib: memory of each executor.
        folder: for logs and what executors keep.
    """

    def __init__(
        self, rack: Rack, places: Sequence[Path], switch: str, memory_mib: int, folder: Path
    ) -> None:
        import pyspark

        self._rack, self._folder, master = rack, folder, len(places)
        self._home = Path(pyspark.__file__).parent
        cluster = f"spark://{rack.address(master)}:{PORT}"
        deploy = "org.apache.spark.deploy"
        address = ["--host", rack.address(master), "--port", str(PORT)]
        self._start(master, f"{deploy}.master.Master", address, "New state: ALIVE")
        for worker in range(master):
            sizes = ["--cores", "1", "--memory", f"{memory_mib}m", "--host", rack.address(worker)]
            place = ["--work-dir", str(folder / f"executor{worker}"), "--webui-port", "0"]
            arguments = [*sizes, *place, cluster]
            self._start(worker, f"{deploy}.worker.Worker", arguments, "registered with master")
        self._log = (folder / "driver.log").open("w+")
        settings = {
            "cluster": cluster,
            "jar": str(JAR.absolute()),
            "switch": switch,
            "memory_mib": memory_mib,
            "executors": master,
            "tables": _tables(places),
        }
        argv = [sys.executable, "-m", "bench.query.spark_driver", json.dumps(settings)]
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": self._log,
        }
        self._driver = rack.popen(master, argv, env=self._environment(master), text=True, **pipes)
        self._hear()

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once; the option is whether netfold is on: `true` or `false`."""
        assert self._driver.stdin is not None
        request = {"query": query.read_text(), "enabled": options[0]}
        print(json.dumps(request), file=self._driver.stdin, flush=True)
        told = self._hear()
        exchanges = [Exchange(**exchange) for exchange in told["exchanges"]]
        return Answer(told["seconds"], exchanges, told["cells"])

    def _hear(self) -> dict[str, Any]:
        assert self._driver.stdout is not None
        line = self._driver.stdout.readline()
        if not line:
            self._log.seek(0)
            sys.exit(f"bench.query: the driver of Spark has ended: {self._log.read()[-2000:]}")
        told: dict[str, Any] = json.loads(line)
        return told

    def _environment(self, host: int) -> Mapping[str, str]:
        return os.environ | {
            "SPARK_HOME": str(self._home),
            "SPARK_LOCAL_IP": self._rack.address(host),
            "SPARK_SCALA_VERSION": "2.13",
        }

    def _start(self, host: int, name: str, arguments: list[str], ready: str) -> None:
        path = self._folder / f"{name.rpartition('.')[2]}{host}.log"
        argv = [str(self._home / "bin" / "spark-class"), name, *arguments]
        with path.open("w") as log:
            process = self._rack.popen(
                host, argv, env=self._environment(host), stdout=log, stderr=subprocess.STDOUT
            )
        end = time.monotonic() + START_S
        while ready not in path.read_text():
            if process.poll() is not None or time.monotonic() > end:
                sys.exit(f"bench.query: {name} is not ready: {path.read_text()[-2000:]}")
            time.sleep(0.1)


def _tables(places: Sequence[Path]) -> dict[str, list[str]]:
    names = sorted(table.name for table in places[0].iterdir())
    return {Path(name).stem: [str(place / name) for place in places] for name in names}
