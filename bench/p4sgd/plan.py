"""Plan of the measurement: data sets, ways to train, and their combinations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

MICRO_BATCH = 8
"""Samples of a micro-batch, as in the paper (section IV.A)."""
BITS = 4
"""Bits of a feature, as in the paper (section V.A)."""
WORKERS = 4
"""Workers of figures 9, 10, 14 and 15. The paper has 8 in figure 10."""
BATCHES = (16, 32, 64, 128, 256, 512, 1024)
ENGINES = (1, 2, 4, 8)
SCALE_OUT = (1, 2, 4)
SCALE_UP_BATCH = 64
"""Samples of a mini-batch in figure 11, and in 14 and 15."""
SCALE_OUT_BATCH = 16
"""Samples of a mini-batch in figure 12."""


@dataclass(frozen=True)
class DataSet:
    """Samples with the shape of one of table II's, or of a part of it."""

    name: str
    features: int
    rows: int
    sparse: bool = False
    """Words of documents as CSR, and not a value for every feature, which is how the paper's
    accelerators read them.
    """
    words: float = 0.0
    """Words of a document, where samples are sparse."""
    eta: float = 0.0
    """The step of figures 14 and 15."""

    @property
    def stem(self) -> str:
        """The data set's name as a file name."""
        return self.name.replace(", ", "-")

    @property
    def step(self) -> float:
        """A step with which an epoch does not diverge."""
        # A dense sample's squared length is about D / 5.
        return self.eta or 1 / self.features


@dataclass(frozen=True)
class Way:
    """A way to train: the split, the exchange, and the part of a mini-batch exchanged at once."""

    name: str
    spread: str
    """`model` or `data`."""
    through: str
    """`netfold` (as it does of itself: short sums by the eager path), `acked` or `shadow` (through
    slots), `mpi_beside` (`MPI_Iallreduce`) or `mpi_waited` (`MPI_Allreduce`).
    """
    whole: bool = False
    """True if a mini-batch's activations are exchanged at once, and not those of a micro-batch."""

    @property
    def mpi(self) -> bool:
        """True if it needs MPI."""
        return self.through.startswith("mpi")


@dataclass(frozen=True)
class Contender:
    """A way to train with a number of workers."""

    way: Way
    batch: int
    workers: int = WORKERS
    engines: int = 1
    """Engines of each worker."""

    def __str__(self) -> str:
        return f"{self.way.name}, {self.workers} x {self.engines}"

    @property
    def micro_batch(self) -> int:
        """Samples whose activations are exchanged together."""
        return self.batch if self.way.whole else min(self.batch, MICRO_BATCH)


NETFOLD = Way("model, netfold", "model", "netfold")
ACKED = Way("model, acked", "model", "acked")
SHADOW = Way("model, shadow", "model", "shadow")
MPI = Way("model, Open MPI", "model", "mpi_beside")
NETFOLD_WHOLE = Way("model, netfold, whole", "model", "netfold", whole=True)
ACKED_WHOLE = Way("model, acked, whole", "model", "acked", whole=True)
SHADOW_WHOLE = Way("model, shadow, whole", "model", "shadow", whole=True)
MPI_WHOLE = Way("model, Open MPI, whole", "model", "mpi_waited", whole=True)
DATA_ACKED = Way("data, acked", "data", "acked")
DATA_SHADOW = Way("data, shadow", "data", "shadow")
DATA_MPI = Way("data, Open MPI", "data", "mpi_waited")

MODEL = (NETFOLD, ACKED, SHADOW, MPI, NETFOLD_WHOLE, ACKED_WHOLE, SHADOW_WHOLE, MPI_WHOLE)
DATA = (DATA_ACKED, DATA_SHADOW, DATA_MPI)

GISETTE = DataSet("gisette", 5_000, 4_096)
REAL_SIM = DataSet("real_sim", 20_958, 2_048)
RCV1 = DataSet("rcv1", 47_236, 1_024)
AMAZON = DataSet("amazon_fashion", 332_710, 1_024)
AVAZU = DataSet("avazu", 1_000_000, 256)
RCV1_SPARSE = DataSet("rcv1, sparse", 47_236, 20_480, sparse=True, words=74, eta=4.0)
AVAZU_SPARSE = DataSet("avazu, sparse", 1_000_000, 40_960, sparse=True, words=15, eta=4.0)
"""A thousandth of its rows. All have a whole number of the largest mini-batches, so that both ways
of splitting them have the same mini-batches.
"""


@dataclass(frozen=True)
class Stage:
    """Contenders that take turns with the same samples: a fit of each in every round."""

    samples: DataSet
    contenders: tuple[Contender, ...]
    epochs: int = 1

    def engines(self, workers: int) -> list[int]:
        """Numbers of engines over which the samples of a worker are split, each in turn."""
        return sorted({each.engines for each in self.contenders if each.workers == workers})

    def by_rows(self, workers: int) -> bool:
        """Return whether so many workers hold samples by rows, too."""
        return any(each.way.spread == "data" for each in self.contenders if each.workers == workers)


@dataclass(frozen=True)
class Effort:
    """Extent of the measurement."""

    batches: tuple[int, ...]
    epochs: int
    """Epochs of figures 14 and 15."""
    crews: int
    """Number of times that the workers of a stage are started. The place of its memory makes a
    process faster or slower, by as much as 1.6 times and for as long as it lives.
    """
    seconds: float
    """Approximate time of a crew's rounds."""
    fewest: int
    """Rounds of a crew, however long they take."""
    most: int


WHOLE = Effort(BATCHES, epochs=12, crews=5, seconds=6, fewest=2, most=5)
QUICK = Effort((16, 256), epochs=3, crews=1, seconds=2, fewest=2, most=5)


def stages(effort: Effort) -> list[Stage]:
    """All stages of the measurement."""
    dense = [
        Stage(samples, tuple(_contenders(samples, effort)))
        for samples in (GISETTE, REAL_SIM, RCV1, AMAZON, AVAZU)
    ]
    wide = (NETFOLD, ACKED, SHADOW, MPI, NETFOLD_WHOLE, ACKED_WHOLE, MPI_WHOLE)
    return [
        *dense,
        Stage(RCV1_SPARSE, tuple(_batches(MODEL + DATA, RCV1_SPARSE, effort))),
        _curves(RCV1_SPARSE, (*wide, DATA_ACKED, DATA_MPI), effort),
        # A gradient of a million floats for 64 samples of 15 words: data parallel would take
        # minutes.
        _curves(AVAZU_SPARSE, wide, effort),
    ]


def _contenders(samples: DataSet, effort: Effort) -> Iterator[Contender]:
    yield from _batches(MODEL + DATA if samples in (RCV1, AMAZON) else MODEL, samples, effort)
    for workers in SCALE_OUT:
        if workers != WORKERS:
            ways = MODEL if workers > 1 else (ACKED,)
            yield from (Contender(way, SCALE_OUT_BATCH, workers) for way in ways)
    if samples in (GISETTE, REAL_SIM, RCV1):
        yield from (Contender(ACKED, SCALE_UP_BATCH, 1, engines) for engines in ENGINES)


def _batches(ways: tuple[Way, ...], samples: DataSet, effort: Effort) -> Iterator[Contender]:
    return (
        Contender(way, batch) for batch in effort.batches if batch <= samples.rows for way in ways
    )


def _curves(samples: DataSet, ways: tuple[Way, ...], effort: Effort) -> Stage:
    return Stage(samples, tuple(Contender(way, SCALE_UP_BATCH) for way in ways), effort.epochs)
