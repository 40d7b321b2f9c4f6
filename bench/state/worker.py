"""A worker of `bench.state`: its task, and the turns of its ways."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist

import netfold

TIMEOUT_S = 600
"""Time-out of an exchange, the start of the slowest worker included."""


@dataclass(frozen=True)
class Task:
    """The task of one worker."""

    rank: int
    size: int
    switch: str
    store: str
    modules: str
    """Folder of the operations' modules."""
    rounds: int
    share: float
    """Share of the full size."""
    cases: list[str]
    """Names of the data sets to run; an empty list stands for all."""

    def begin(self) -> None:
        """Form the group of all workers, over Gloo."""
        torch.set_num_threads(1)
        dist.init_process_group(
            "gloo",
            init_method=f"tcp://{self.store}",
            rank=self.rank,
            world_size=self.size,
            timeout=datetime.timedelta(seconds=TIMEOUT_S),
        )

    def group(self, **settings: str) -> dist.ProcessGroup:
        """A group of all workers over netfold, with these settings."""
        import os

        import netfold.torch  # noqa: F401 - registers the backend

        settings["switch"] = self.switch
        variables = {f"NETFOLD_{name.upper()}": value for name, value in settings.items()}
        os.environ.update(variables)
        group = dist.new_group(backend="netfold")
        assert isinstance(group, dist.ProcessGroup)
        # Whoever joins late would find the settings of the next one.
        dist.barrier(group)
        for name in variables:
            del os.environ[name]
        return group

    def join(self, name: str) -> tuple[netfold.Communicator, netfold.Operation]:
        """Join a job that has an operation."""
        operation = netfold.load_op(Path(self.modules) / f"{name}.wasm")
        comm = netfold.connect(
            switch=self.switch, job=name, rank=self.rank, size=self.size, operations=[operation]
        )
        return comm, operation


def in_turns(
    task: Task,
    case: str,
    ways: dict[str, Callable[[], Any]],
    figures: Callable[[], dict[str, dict[str, Any]]] = dict,
) -> None:
    """Run each way once to warm up, and then in rounds; each is first equally often. Rank 0 writes
    a line of JSON with the seconds of the slowest worker, and with `figures` of each way.
    """
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    for round_ in range(-1, task.rounds):
        for way in ways if round_ % 2 else reversed(ways):
            dist.barrier()
            start = time.perf_counter()
            ways[way]()
            slowest = torch.tensor([time.perf_counter() - start], dtype=torch.float64)
            dist.all_reduce(slowest, dist.ReduceOp.MAX)
            if round_ >= 0:
                seconds[way].append(slowest.item())
    report = {"case": case, "seconds": seconds, "figures": figures()}
    if task.rank == 0:
        print(json.dumps(report), flush=True)
