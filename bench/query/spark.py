"""Spark: a driver in a process of its own. Between hosts of a rack it has its own master and workers
with an executor each (Spark's standalone mode).
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
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


class Driver:
    """The driver's process, which has a session for all queries.

    Args:
        start: starts a process, as `subprocess.Popen` does.
        settings: what `spark_driver` is told.
        log: the file of its log.
    """

    def __init__(
        self, start: Callable[..., subprocess.Popen[Any]], settings: Mapping[str, Any], log: Path
    ) -> None:
        self._log = log.open("w+")
        argv = [sys.executable, "-m", "bench.query.spark_driver", json.dumps(settings)]
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self._driver = start(argv, stderr=self._log, text=True, **pipes)
        self._hear()

    def ask(self, query: Path, options: Sequence[str]) -> Answer:
        """Run a query once; the option is whether netfold is on: `true` or `false`."""
        told = self._tell({"query": query.read_text(), "enabled": options[0]})
        exchanges = [Exchange(**exchange) for exchange in told["exchanges"]]
        return Answer(told["seconds"], exchanges, told["cells"])

    def take(self, places: Sequence[Path]) -> None:
        """Take other tables, in folders of the same names."""
        self._tell({"tables": tables(places)})

    def _tell(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._driver.stdin is not None
        print(json.dumps(request), file=self._driver.stdin, flush=True)
        return self._hear()

    def _hear(self) -> dict[str, Any]:
        assert self._driver.stdout is not None
        line = self._driver.stdout.readline()
        if not line:
            self._log.seek(0)
            sys.exit(f"bench.query: the driver of Spark has ended: {self._log.read()[-2000:]}")
        told: dict[str, Any] = json.loads(line)
        return told

    def close(self) -> None:
        """End the driver, and wait for it."""
        assert self._driver.stdin is not None
        self._driver.stdin.close()
        self._driver.wait()


def environment(address: str) -> Mapping[str, str]:
    """The environment of Spark's processes at an address."""
    import pyspark

    return os.environ | {
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_LOCAL_IP": address,
        "SPARK_SCALA_VERSION": "2.13",
        # Executors may be killed more often than Spark takes for healthy.
        "SPARK_DAEMON_JAVA_OPTS": "-Dspark.deploy.maxExecutorRetries=-1",
    }


class Spark(Driver):
    """A cluster for all queries; the same session has netfold turned on and off.

    Args:
        rack: the rack; its last host is the master.
        places: folder of each worker. Tasks read all of them, as if each host had every file.
        memory_mib: memory of each executor.
        folder: for logs and what executors keep.
        settings: settings of Spark, the switch among them.
    """

    def __init__(
        self,
        rack: Rack,
        places: Sequence[Path],
        memory_mib: int,
        folder: Path,
        settings: Mapping[str, str],
    ) -> None:
        import pyspark

        self._rack, self._folder, master = rack, folder, len(places)
        self._home = Path(pyspark.__file__).parent
        cluster = f"spark://{rack.address(master)}:{PORT}"
        deploy = "org.apache.spark.deploy"
        address = ["--host", rack.address(master), "--port", str(PORT)]
        self._start(master, f"{deploy}.master.Master", address, "New state: ALIVE")
        self._workers: list[subprocess.Popen[Any]] = []
        for worker in range(master):
            sizes = ["--cores", "1", "--memory", f"{memory_mib}m", "--host", rack.address(worker)]
            place = ["--work-dir", str(folder / f"executor{worker}"), "--webui-port", "0"]
            arguments = [*sizes, *place, cluster]
            started = self._start(
                worker, f"{deploy}.worker.Worker", arguments, "registered with master"
            )
            self._workers.append(started)
        described = {
            "cluster": cluster,
            "jar": str(JAR.absolute()),
            "memory_mib": memory_mib,
            "executors": master,
            "tables": tables(places),
            "settings": dict(settings),
        }
        at = partial(rack.popen, master, env=environment(rack.address(master)))
        super().__init__(at, described, folder / "driver.log")

    def settle(self) -> None:
        """Wait until all executors are there: Spark starts those that are killed again."""
        end = time.monotonic() + START_S
        while len(self.executors()) < len(self._workers):
            if time.monotonic() > end:
                sys.exit("bench.query: an executor of Spark does not start again")
            time.sleep(0.05)
        self._tell({})

    def executors(self) -> list[int]:
        """Return the processes of the executors, which are children of the workers."""
        parents = ",".join(str(worker.pid) for worker in self._workers)
        argv = ["ps", "-wwo", "pid=,args=", "--ppid", parents]
        listed = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
        lines = [line.split(None, 1) for line in listed.splitlines()]
        return [int(pid) for pid, args in lines if "CoarseGrainedExecutorBackend" in args]

    def _start(
        self, host: int, name: str, arguments: list[str], ready: str
    ) -> subprocess.Popen[Any]:
        path = self._folder / f"{name.rpartition('.')[2]}{host}.log"
        argv = [str(self._home / "bin" / "spark-class"), name, *arguments]
        with path.open("w") as log:
            process = self._rack.popen(
                host,
                argv,
                env=environment(self._rack.address(host)),
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        end = time.monotonic() + START_S
        while ready not in path.read_text():
            if process.poll() is not None or time.monotonic() > end:
                sys.exit(f"bench.query: {name} is not ready: {path.read_text()[-2000:]}")
            time.sleep(0.1)
        return process


def tables(places: Sequence[Path]) -> dict[str, list[str]]:
    """The folders of each table, by its name."""
    names = sorted(table.name for table in places[0].iterdir())
    return {Path(name).stem: [str(place / name) for place in places] for name in names}
