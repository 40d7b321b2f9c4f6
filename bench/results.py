"""Results of a plan, and their form as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .conversion import Conversion
from .plan import ELEMENT_BYTES, TAILS, Comparison, Contender
from .rack import bits_per_second
from .stats import Spread, speedup, spread

HEADER_BYTES = 14 + 20 + 8 + 40
"""Header bytes of each packet of netfold, as a link counts them: Ethernet, IPv4, UDP, and netfold's
own (`spec/wire.toml`).
"""


@dataclass(frozen=True)
class Row:
    """One contender with one size of vector, one number of workers, and one loss."""

    workers: int
    loss: float
    size: int
    """Bytes of a vector."""
    contender: str
    calls: int
    """Calls in each round."""
    seconds: list[float]
    """Time of a call, by round, or by call where these are timed apart."""
    cpu_seconds: list[float]
    """Processor time of a call over all processes of the contender, by round."""
    switch_cpu_seconds: list[float]
    """Part of it that the switch's process has taken, by round."""
    machine_cpu_seconds: list[float]
    """Time of a call in which the machine's processors were not idle, by round."""

    @property
    def time(self) -> Spread:
        """Time of a call, in seconds."""
        return spread(self.seconds)

    def tails(self, percentiles: tuple[float, float]) -> tuple[float, float]:
        """Percentiles of the time of a call over the rounds, in seconds."""
        low, high = np.percentile(self.seconds, percentiles)
        return float(low), float(high)

    @property
    def gb_per_s(self) -> float:
        """Bytes of the vector over the median time, in 10^9 a second: the rate at which each worker
        gets results.
        """
        return self.size / self.time.median / 1e9

    def of_link(self, rate_bps: int) -> float:
        """Return the share of a link's rate that the bytes of the vector take, without headers."""
        return 8 * self.size / self.time.median / rate_bps

    @property
    def cpu_s_per_gb(self) -> float:
        """Median of processor time for 10^9 bytes of vector, in seconds."""
        return spread(self.cpu_seconds).median / self.size * 1e9

    @property
    def worker_cpu_s_per_gb(self) -> float:
        """Median of processor time of one worker, the mean of all, for 10^9 bytes of its vector, in seconds."""
        pairs = zip(self.cpu_seconds, self.switch_cpu_seconds, strict=True)
        return (
            spread([all_ - switch for all_, switch in pairs]).median
            / self.workers
            / self.size
            * 1e9
        )

    @property
    def switch_cpu_s_per_gb(self) -> float:
        """Median of the switch's processor time for 10^9 bytes of vector, in seconds."""
        return spread(self.switch_cpu_seconds).median / self.size * 1e9

    @property
    def machine_cpu_s_per_gb(self) -> float:
        """Median of the time in which processors were not idle, for 10^9 bytes of vector, in seconds."""
        return spread(self.machine_cpu_seconds).median / self.size * 1e9

    def cores(self, rate_bps: int) -> float:
        """Cores that one worker keeps busy when so many bits of its vector are reduced in a second."""
        return self.worker_cpu_s_per_gb * rate_bps / 8e9


@dataclass(frozen=True)
class Absence:
    """A contender that has not been measured everywhere."""

    workers: int
    loss: float
    contender: str
    reason: str
    failed: bool
    """True if it was there and then failed; False if it could not take part."""


@dataclass
class Results:
    """Results of a plan."""

    plan: Comparison
    machine: dict[str, Any]
    rows: list[Row] = field(default_factory=list)
    absences: list[Absence] = field(default_factory=list)
    hellos: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Facts that each contender has reported about itself."""
    idle_cores: dict[str, float] = field(default_factory=dict)
    """Cores that each contender has kept busy while others had their turn: the largest over all
    numbers of workers.
    """
    conversions: list[Conversion] = field(default_factory=list)
    """Cost of conversion alone, where the plan asks for it."""

    def row(self, workers: int, loss: float, size: int, contender: str) -> Row | None:
        """The row of this measurement, if there is one."""
        for row in self.rows:
            if (row.workers, row.loss, row.size, row.contender) == (workers, loss, size, contender):
                return row
        return None

    def speedup(self, row: Row, baseline: str) -> Spread | None:
        """Return the speedup over a baseline under the same conditions, if that was measured."""
        other = self.row(row.workers, row.loss, row.size, baseline)
        return None if other is None else speedup(row.seconds, other.seconds)

    def inflation(self, row: Row) -> float | None:
        """Return the ratio of its median time to that without loss, if that was measured."""
        without = self.row(row.workers, 0.0, row.size, row.contender)
        return None if without is None else row.time.median / without.time.median

    def of_limit(self, row: Row) -> float | None:
        """Return the share that it takes of the capacity of links of this rate for the contender's
        packets, headers counted. None where the links have no given rate, the contender does not
        report its packets, or a link does not carry the whole vector.
        """
        payload: int | None = self.hellos.get(row.contender, {}).get("payload_bytes")
        if (
            self.plan.network.rate is None
            or payload is None
            or self.plan.collective != "all_reduce"
        ):
            return None
        contender = next(each for each in self.plan.contenders if each.name == row.contender)
        if contender.arithmetic == "block" and ELEMENT_BYTES[contender.element_type] == 2:
            # As many lanes as of 4 bytes (R-NUM-21).
            payload //= 2
        return (
            row.of_link(bits_per_second(self.plan.network.rate))
            * (payload + HEADER_BYTES)
            / payload
        )

    def _tails(self, row: Row) -> list[tuple[float, float]]:
        tails = self.plan.tails
        return [] if tails == TAILS else list(zip(tails, row.tails(tails), strict=True))

    def write(self, path: Path) -> None:
        """Write everything as JSON; rows have their figures besides the times of all rounds."""
        plan = self.plan
        content = {
            "plan": plan.name,
            "title": plan.title,
            "network": {
                "kind": plan.network.kind,
                "rate": plan.network.rate,
                "workers_per_host": plan.network.workers_per_host,
            },
            "machine": self.machine,
            "contenders": [self._contender(contender) for contender in plan.contenders],
            "absences": [asdict(absence) for absence in self.absences],
            "cores": None
            if plan.cores is None
            else {"rate": plan.cores.rate, "published": dict(plan.cores.published)},
            "conversions": [asdict(conversion) for conversion in self.conversions],
            "rows": [self._row(row) for row in self.rows],
        }
        path.write_text(json.dumps(content, indent=1) + "\n")

    def _contender(self, contender: Contender) -> dict[str, Any]:
        settings = asdict(contender) | {"environment": dict(contender.environment)}
        if contender.peer != "netfold":
            for key in ("front", "arithmetic", "transport", "protocol", "element_type"):
                del settings[key]
        idle = self.idle_cores.get(contender.name)
        return settings | {"told": self.hellos.get(contender.name), "idle_cores": _short(idle)}

    def _row(self, row: Row) -> dict[str, Any]:
        rate, cores = self.plan.network.rate, self.plan.cores
        ratios = {
            name: ratio
            for name in self.plan.baselines
            if (ratio := self.speedup(row, name)) is not None
        }
        return {
            "workers": row.workers,
            "loss": row.loss,
            "bytes": row.size,
            "contender": row.contender,
            "calls_per_round": row.calls,
            "median_s": _short(row.time.median),
            "p5_s": _short(row.time.p5),
            "p95_s": _short(row.time.p95),
            "tails": {f"p{tail:g}_s": _short(value) for tail, value in self._tails(row)},
            "gb_per_s": _short(row.gb_per_s),
            "cpu_s_per_gb": _short(row.cpu_s_per_gb),
            "worker_cpu_s_per_gb": _short(row.worker_cpu_s_per_gb),
            "switch_cpu_s_per_gb": _short(row.switch_cpu_s_per_gb),
            "machine_cpu_s_per_gb": _short(row.machine_cpu_s_per_gb),
            "worker_cores": None
            if cores is None
            else _short(row.cores(bits_per_second(cores.rate))),
            "of_link": None if rate is None else _short(row.of_link(bits_per_second(rate))),
            "of_limit": _short(self.of_limit(row)),
            "times_without_loss": _short(self.inflation(row)),
            "times_as_fast_as": {
                name: {
                    "ratio": _short(ratio.median),
                    "p5": _short(ratio.p5),
                    "p95": _short(ratio.p95),
                }
                for name, ratio in ratios.items()
            },
            # On one line each, so that a file of results can be read.
            "seconds": " ".join(f"{value:.4g}" for value in row.seconds),
            "cpu_seconds": " ".join(f"{value:.4g}" for value in row.cpu_seconds),
            "switch_cpu_seconds": " ".join(f"{value:.4g}" for value in row.switch_cpu_seconds),
            "machine_cpu_seconds": " ".join(f"{value:.4g}" for value in row.machine_cpu_seconds),
        }


def _short(value: float | None) -> float | None:
    """The number with its significant digits."""
    return None if value is None else float(f"{value:.5g}")
