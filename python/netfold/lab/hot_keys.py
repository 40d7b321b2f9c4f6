"""Hot keys: coverage, precision of a sample, and recirculations (Libra, figures 5, 15 and 16)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from rich.table import Table

from .. import _native
from ..sparse import HotSet, UpdateCounts
from .laboratory import Laboratory
from .loads import OA, SE, Load, Ranks
from .report import Figures

PANELS = 3
"""Number of the plot's panels; None for one for each model."""

LOADS = (OA, SE)
NUMBERS = (1_000, 5_000, 10_000, 30_000, 60_000, 100_000)
"""Numbers of hot keys (figures 5 and 14)."""
RATES = (0.01, 0.02, 0.04, 0.08, 0.16)
"""Sizes of samples (figure 15)."""
COUNTED = 200_000
"""First ranks whose updates are counted; later ones are no candidates."""
STEP, GAIN = 1000, 0.01
"""Of the trade-off point (section 5.3)."""
HOT = 30_000
"""Hot keys of both loads (section 5.2)."""
PACKET = (192 - 40) // 8
"""Keys with a number of 4 bytes each in a packet of 192 bytes behind its header (section 3.4)."""
BATCH = 25_600
"""Updates of a worker's mini-batch, of which those of hot keys go to the switch."""
REGISTERS = (16, 32, 64)
WAYS = ("ranks, algorithm 1", "ranks, in order", "at random, in order")


def run(lab: Laboratory) -> Figures:
    """All three, for each load."""
    random = np.random.default_rng(lab.seed)
    updates = 1_000 * lab.extent.pairs
    batches = max(2, lab.extent.pairs // 5_000)
    bar = lab.progress.add_task("hot keys", total=len(LOADS))
    result = {}
    for load in LOADS:
        result[load.title] = {
            "coverage": {number: float(load.share(np.array(number))) for number in NUMBERS},
            "trade_off": len(hot(load.expected(COUNTED, updates).astype(np.int64), updates)),
            "updates": updates,
            "precision": {rate: precision(load, updates, rate, random) for rate in RATES},
            "batch_updates": BATCH,
            "recirculations": {
                registers: recirculations(load, registers, batches, random)
                for registers in REGISTERS
            },
        }
        lab.progress.advance(bar)
    return result


def precision(load: Load, updates: int, rate: float, random: np.random.Generator) -> float:
    """Precision of a sample of a training run of so many updates (R-HOT-9)."""
    everything = load.counts(COUNTED, updates, random)
    sample = random.binomial(everything, rate)
    return hot(sample, rate * updates).precision(hot(everything, float(updates)))


def hot(counts: Ranks, total: float) -> HotSet:
    """Hot keys up to the trade-off point, where the keys that were not counted have updates, too."""
    ranked = UpdateCounts.of(np.arange(counts.size), counts)
    return HotSet.first(ranked, ranked.trade_off(STEP, GAIN * total / ranked.total))


def recirculations(
    load: Load, registers: int, batches: int, random: np.random.Generator
) -> dict[str, float]:
    """Recirculations of a packet (R-HOT-8), on average, and packets by the least number, for each
    way to place keys in registers and in packets.
    """
    places = random.integers(registers, size=HOT)
    found: dict[str, list[int]] = {way: [] for way in WAYS}
    least = 0
    for _ in range(batches):
        drawn = np.unique(load.draw(BATCH, random))
        keys = random.permutation(drawn[drawn < HOT])
        least += -(-keys.size // PACKET)
        in_order = [keys[start : start + PACKET] for start in range(0, keys.size, PACKET)]
        packed = _native.pack_keys(keys.tolist(), registers, PACKET)
        for way, packets, place in (
            (WAYS[0], [keys[positions] for positions in packed], np.arange(HOT) % registers),
            (WAYS[1], in_order, np.arange(HOT) % registers),
            (WAYS[2], in_order, places),
        ):
            found[way] += [int(np.bincount(place[packet]).max()) - 1 for packet in packets]
    means = {way: float(np.mean(times)) for way, times in found.items()}
    return means | {"packets": len(found[WAYS[0]]) / least}


def tables(result: Figures, lab: Laboratory) -> list[Table]:
    """A table for each of the three."""
    del lab
    shown = [
        _table("share of updates that the first keys have", NUMBERS, result, "coverage", "{:.1%}"),
        _table("precision of a sample", RATES, result, "precision", "{:.1%}"),
    ]
    times = Table(title=f"recirculations of a packet of {PACKET} keys")
    for heading in ("load", "registers", *WAYS, "packets by the least number"):
        times.add_column(heading, justify="left" if heading == "load" else "right")
    for title, found in result.items():
        for registers, means in found["recirculations"].items():
            cells = [f"{means[way]:.2f}" for way in WAYS]
            times.add_row(title, str(registers), *cells, f"{means['packets']:.3f}")
    return [*shown, times]


def _table(title: str, columns: tuple[float, ...], result: Figures, name: str, form: str) -> Table:
    table = Table(title=title)
    table.add_column("load")
    for column in columns:
        table.add_column(f"{column:.0%}" if column < 1 else f"{column:,}", justify="right")
    for load, found in result.items():
        table.add_row(load, *(form.format(found[name][column]) for column in columns))
    return table


def plot(result: Figures, lab: Laboratory, axes: list[Axes]) -> None:
    """Coverage, precision, and recirculations with 32 registers."""
    del lab
    numbers: npt.NDArray[np.int64] = np.unique(np.geomspace(1, 100_000, 200).astype(np.int64))
    for load in LOADS:
        axes[0].plot(numbers, load.share(numbers), label=load.title.partition(":")[0])
    axes[0].axvline(HOT, color="black", linestyle="--", linewidth=1)
    axes[0].set(xlabel="hot keys", ylabel="share of updates", ylim=(0, 1))
    axes[0].legend(fontsize=6)
    for title, found in result.items():
        rates = found["precision"]
        axes[1].plot(list(rates), list(rates.values()), "o-", label=title.partition(":")[0])
    axes[1].set(xlabel="size of the sample", ylabel="precision", ylim=(0, 1))
    width = 0.8 / len(result)
    for number, (title, found) in enumerate(result.items()):
        means = found["recirculations"][32]
        places = np.arange(len(WAYS)) + number * width
        axes[2].bar(places, [means[way] for way in WAYS], width, label=title.partition(":")[0])
    axes[2].set_xticks(np.arange(len(WAYS)) + width / 2, [way.replace(", ", ",\n") for way in WAYS])
    axes[2].tick_params(axis="x", labelsize=6)
    axes[2].set(ylabel="recirculations of a packet, 32 registers")
