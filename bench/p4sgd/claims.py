"""Claims in the paper's text beside the measured values. Values are not read off its plots."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from . import figures
from .figures import Line
from .plan import (
    ACKED,
    ACKED_WHOLE,
    AMAZON,
    AVAZU_SPARSE,
    DATA_ACKED,
    DATA_MPI,
    RCV1,
    RCV1_SPARSE,
    SCALE_OUT_BATCH,
    SHADOW,
    WORKERS,
    DataSet,
    Way,
)
from .results import Curve, Results, Row

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Claim:
    """A statement in the paper."""

    what: str
    section: str
    paper: str
    ours: Callable[[Results], str]
    why: str
    """Reason for the difference or the agreement."""


def _by(samples: DataSet, batch: int, other: Way) -> Callable[[Results], str]:
    """Speedup over another way."""

    def ours(results: Results) -> str:
        pair = (results.row(samples.name, WORKERS, batch, way.name) for way in (ACKED, other))
        return _ratio(results, *pair)

    return ours


def _by_mpi(samples: DataSet, batch: int) -> Callable[[Results], str]:
    """Speedup over the peer, each in its faster way."""

    def ours(results: Results) -> str:
        of = (samples.name, WORKERS, batch)
        pair = (
            figures.faster_of(results, *of, ways)
            for ways in (figures.NETFOLD_WAYS, figures.MPI_WAYS)
        )
        return _ratio(results, *pair)

    return ours


def _ratio(results: Results, own: Row | None, other: Row | None) -> str:
    """Speedup with its spread."""
    found = results.faster(own, other)
    return (
        NOT_MEASURED if found is None else f"{found.median:.2f} [{found.p5:.2f}, {found.p95:.2f}]"
    )


def _last(lines: Callable[[Results], Iterable[Line]]) -> Callable[[Results], str]:
    """The last point of each line."""

    def ours(results: Results) -> str:
        ends = [(line.name, *line.points[-1]) for line in lines(results) if len(line.points) > 1]
        return (
            "; ".join(f"{name} {ratio.median:.2f} at {at}" for name, at, ratio in ends)
            or NOT_MEASURED
        )

    return ours


def _curves(results: Results, samples: DataSet) -> list[Curve]:
    return [curve for curve in results.curves if curve.samples == samples.name]


def _apart(samples: DataSet) -> Callable[[Results], str]:
    """The largest difference of any epoch's losses, relative."""

    def ours(results: Results) -> str:
        losses = np.array([curve.losses for curve in _curves(results, samples)])
        if not len(losses):
            return NOT_MEASURED
        apart = (losses.max(axis=0) / losses.min(axis=0) - 1).max()
        return f"{apart:.0e} of the loss at most, over {losses.shape[1]} epochs"

    return ours


def _sooner(samples: DataSet, others: tuple[Way, ...]) -> Callable[[Results], str]:
    """Speedup over the fastest of others to the end of all epochs, with netfold in its faster
    way, too.
    """

    def ours(results: Results) -> str:
        ends = {curve.way: curve.ends[-1] for curve in _curves(results, samples)}
        found = [ends[way.name] for way in others if way.name in ends]
        own = [ends[way.name] for way in figures.NETFOLD_WAYS if way.name in ends]
        return f"{min(found) / min(own):.2f}" if found and own else NOT_MEASURED

    return ours


def _joules(samples: DataSet) -> Callable[[Results], str]:
    """Joules to the end of all epochs, and those of the peer, each in its faster way."""

    def ours(results: Results) -> str:
        ends = {curve.way: curve.ends[-1] for curve in _curves(results, samples)}
        families = (figures.NETFOLD_WAYS, figures.MPI_WAYS)
        found = [[ends[way.name] for way in ways if way.name in ends] for ways in families]
        if not all(found):
            return NOT_MEASURED
        watts = WATTS_OF_A_CORE * min(results.machine["cores"], WORKERS)
        own, peer = (min(times) * watts for times in found)
        return f"{own:.2f} and {peer:.2f} J, {peer / own:.2f}"

    return ours


def _epochs(samples: DataSet, others: tuple[Way, ...]) -> Callable[[Results], str]:
    """An epoch by others' over one by netfold's, by number of workers."""

    def ours(results: Results) -> str:
        found = []
        for count in sorted({row.workers for row in results.rows if row.workers > 1}):
            of = (samples.name, count, SCALE_OUT_BATCH)
            peer = figures.faster_of(results, *of, others)
            ratio = results.faster(results.row(*of, ACKED.name), peer)
            if ratio is not None:
                found.append(f"{ratio.median:.2f} with {count}")
        return ", ".join(found) or NOT_MEASURED

    return ours


WATTS_OF_A_CORE = 496 / 8 / 12
"""Power of a core: table IV has 496 W for the processors of 8 machines with 12 cores each."""

CORES = "There are fewer cores than workers or engines: they take turns, and a fold waits for whoever is not running"

CLAIMS: dict[str, tuple[Claim, ...]] = {
    "figure-9": (
        Claim(
            "model by data parallel, amazon_fashion, mini-batch 16",
            "V.C",
            "4.8",
            _by(AMAZON, 16, DATA_ACKED),
            "Another balance: a gradient goes through memory here and over 100 Gbit/s there, and computation is slower",
        ),
        Claim("the same, rcv1", "V.C", "2", _by(RCV1, 16, DATA_ACKED), "As above"),
        Claim(
            "the same, amazon_fashion, mini-batch 1,024",
            "V.C",
            "roughly 1",
            _by(AMAZON, 1024, DATA_ACKED),
            "One gradient in an epoch, beside 128 micro-batches",
        ),
        Claim(
            "the same, rcv1, sparse, mini-batch 16",
            "-",
            "not stated",
            _by(RCV1_SPARSE, 16, DATA_ACKED),
            "74 words are computed, and 47,236 gradients exchanged: what is sparse gains more",
        ),
        Claim(
            "model parallel by Open MPI's data parallel, rcv1, mini-batch 16",
            "V.A",
            "obviously faster",
            _by(RCV1, 16, DATA_MPI),
            "The same engine, and `MPI_Allreduce` of the gradient",
        ),
        Claim(
            "model parallel by the same over Open MPI, each in its faster way, rcv1, mini-batch 16",
            "V.D.2",
            "significantly faster",
            _by_mpi(RCV1, 16),
            "There CPUSync has slower computation, too; here the exchange alone differs",
        ),
        Claim(
            "the same, amazon_fashion",
            "V.D.2",
            "significantly faster",
            _by_mpi(AMAZON, 16),
            "As above",
        ),
        Claim(
            "the same, rcv1, sparse",
            "V.D.2",
            "significantly faster",
            _by_mpi(RCV1_SPARSE, 16),
            "As above",
        ),
        Claim(
            "by `shadow` in place of `acked`, rcv1, sparse, mini-batch 16",
            "V.D.2",
            "significantly faster",
            _by(RCV1_SPARSE, 16, SHADOW),
            "In memory a slot's second round is work of the same cores. What SwitchML loses in the paper are late "
            "acknowledgements and packets of 256 bytes (V.B), and there are none of either here",
        ),
    ),
    "figure-10": (
        Claim(
            "throughput of the largest mini-batch by that of 16",
            "V.D.1",
            "a larger mini-batch is faster, the less so the more features",
            _last(lambda results: figures.mini_batches(results, ACKED)),
            "A fold for each micro-batch whatever the mini-batch, and each is work of the worker's core: what a larger "
            "one saves is the last wait of a mini-batch. No ratio below 1 is outside the spread of single rounds",
        ),
        Claim(
            "the same, with all of a mini-batch in one fold",
            "V.D.1",
            "the same",
            _last(lambda results: figures.mini_batches(results, ACKED_WHOLE)),
            "A fold for a mini-batch, so that fewer of them are paid for; wide samples leave the cache between the "
            "forward and the backward pass",
        ),
    ),
    "figure-11": (
        Claim(
            "throughput of the most engines by that of one",
            "V.D.1",
            "more engines are faster, the more so the more features",
            _last(figures.engines),
            CORES,
        ),
    ),
    "figure-12": (
        Claim(
            "throughput of the most workers by that of one",
            "V.D.1",
            "more workers are faster, the more so the more features; close to linear from a million on",
            _last(lambda results: figures.workers(results, ACKED)),
            CORES,
        ),
    ),
    "figure-13": (
        Claim(
            "epoch by SwitchML's protocol over one by P4SGD's, amazon_fashion, mini-batch 16, by workers",
            "V.D.2",
            "P4SGD is significantly faster",
            _epochs(AMAZON, (SHADOW,)),
            "In slots of memory a second round is work of the same cores; late acknowledgements and packets of 256 "
            "bytes do not arise",
        ),
        Claim(
            "the same, rcv1",
            "V.D.2",
            "P4SGD is significantly faster",
            _epochs(RCV1, (SHADOW,)),
            "As above",
        ),
        Claim(
            "epoch over Open MPI by one by P4SGD's protocol, amazon_fashion, by workers",
            "V.D.2",
            "P4SGD is significantly faster",
            _epochs(AMAZON, figures.MPI_WAYS),
            "The computation is the same here, and the exchange is memory in both",
        ),
        Claim(
            "the same, rcv1",
            "V.D.2",
            "P4SGD is significantly faster",
            _epochs(RCV1, figures.MPI_WAYS),
            "As above",
        ),
    ),
    "table-iv": (
        Claim(
            "energy to the end, netfold's and Open MPI's, and the ratio, rcv1",
            "V.G",
            "143 and 7142 J, 50",
            _joules(RCV1_SPARSE),
            "By a model: this machine has no counters, so a core is taken to need 5.2 W, a twelfth of a machine of "
            "the paper's CPUSync. Both engines are the same here, so energy is in proportion to time",
        ),
        Claim(
            "the same, avazu (a thousandth of its samples)",
            "V.G",
            "2175 and 63612 J, 29",
            _joules(AVAZU_SPARSE),
            "As above",
        ),
    ),
    "figures-14-15": (
        Claim(
            "losses of all ways, rcv1",
            "V.E",
            "the same number of epochs to roughly the same loss",
            _apart(RCV1_SPARSE),
            "All are synchronous",
        ),
        Claim("the same, avazu", "V.E", "the same", _apart(AVAZU_SPARSE), "As above"),
        Claim(
            "time to the end, Open MPI's by netfold's, each in its faster way, rcv1",
            "V.F, table IV",
            "14.4 s / 0.27 s = 53",
            _sooner(RCV1_SPARSE, figures.MPI_WAYS),
            "There CPUSync has slower computation and another network, too; here the exchange alone differs",
        ),
        Claim(
            "the same, avazu",
            "V.F, table IV",
            "128 s / 4.12 s = 31",
            _sooner(AVAZU_SPARSE, figures.MPI_WAYS),
            "As above",
        ),
    ),
}
"""Claims by the section of the page that shows them."""
