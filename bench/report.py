"""Tables of results."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from . import machine
from .plan import Cores, size_text
from .rack import bits_per_second
from .results import Results, Row
from .stats import Spread

BUSY_CORES = 0.05
"""Share of a core above which a waiting contender disturbs the others."""


def show(results: Results, console: Console) -> None:
    """Print tables, one for each number of workers and loss, and notes on them."""
    plan = results.plan
    where = (
        "loopback" if plan.network.rate is None else f"emulated rack, links of {plan.network.rate}"
    )
    if plan.network.workers_per_host > 1:
        where += f", {plan.network.workers_per_host} workers on each host"
    console.print(Text(f"{plan.title} ({where})", style="bold"))
    console.print(Text(machine.summary(results.machine)))
    for name, told in results.hellos.items():
        settings = ", ".join(
            f"{key.replace('_', ' ')} {value}" for key, value in told.items() if key != "version"
        )
        console.print(
            Text(f"{name}: {told.get('version', '')}" + (f" ({settings})" if settings else ""))
        )
    for workers in plan.workers:
        for loss in plan.network.losses:
            console.print()
            console.print(_table(results, workers, loss))
    console.print(
        Text(
            "Time of the slowest worker, results checked. GB/s: bytes of the vector by the median. "
            "Ratios: how many times as fast, by the medians; in brackets 5 to 95 % of the rounds. "
            "CPU s/GB: processor time of all workers and the switch for 10^9 bytes of vector."
        )
    )
    if plan.cores is not None:
        console.print(
            Text(
                "Worker s/GB, switch s/GB: processor time of one worker (the mean of all) and of the switch's process "
                f"for 10^9 bytes of vector; cores: what a worker needs to have {plan.cores.rate} of vector reduced."
            )
        )
        _show_conversions(results, plan.cores, console)
    if plan.network.rate is not None:
        console.print(
            Text(
                "Machine s/GB: time in which the machine's processors were not idle; CPU s/GB leaves out what the "
                "kernel does in nobody's name, and has what links and receivers do in a sender's name. "
                "Of link: the vector's bytes, without headers, over what a link's rate is. "
                "Of limit: over what it can carry in netfold's packets, headers counted."
            )
        )
    for absence in results.absences:
        what = "failed" if absence.failed else "not available"
        lost = f", {100 * absence.loss:g} % lost" if absence.loss else ""
        console.print(
            Text(f"{absence.contender}, {absence.workers} workers{lost}: {what}: {absence.reason}")
        )
    for name, cores in results.idle_cores.items():
        if cores > BUSY_CORES:
            console.print(Text(f"{name} kept {cores:.2f} cores busy while others had their turn"))


def _table(results: Results, workers: int, loss: float) -> Table:
    plan = results.plan
    title = f"{workers} workers" + (
        f", each link loses {100 * loss:g} %" if loss or plan.network.losses != (0.0,) else ""
    )
    table = Table(title=title, title_justify="left")
    table.add_column("vector", justify="right")
    table.add_column("contender")
    tails = [f"{tail:g} %" for tail in plan.tails]
    for name in ("median", *tails, "GB/s", *(f"/ {name}" for name in plan.baselines), "CPU s/GB"):
        table.add_column(name, justify="right")
    if plan.cores is not None:
        for name in ("worker s/GB", "switch s/GB", "cores"):
            table.add_column(name, justify="right")
    if plan.network.rate is not None:
        table.add_column("machine s/GB", justify="right")
        table.add_column("of link", justify="right")
        table.add_column("of limit", justify="right")
    if loss:
        table.add_column("time / no loss", justify="right")
    for size, _ in plan.sizes:
        label = size_text(size)
        for contender in plan.contenders:
            row = results.row(workers, loss, size, contender.name)
            if row is None:
                continue  # the reason stands below the tables
            cells = _cells(results, row)
            table.add_row(label, contender.name, *cells)
            label = ""
        table.add_section()
    return table


def _show_conversions(results: Results, cores: Cores, console: Console) -> None:
    if not results.conversions:
        return
    title = f"Cores that conversion alone keeps busy at {cores.rate} of vector"
    table = Table(title=title, title_justify="left")
    for name in ("element", "way of an element into a packet and back", "level"):
        table.add_column(name)
    for name in ("in the cache", "in memory"):
        table.add_column(name, justify="right")
    for found in results.conversions:
        figures = (f"{value:.3f}" for value in (found.cache_cores, found.memory_cores))
        table.add_row(found.element_type, found.way, found.level, *figures)
    console.print()
    console.print(table)
    console.print(
        Text(
            "The kernels on one core, without packets. A worker's vector is in memory and its packet in the cache, so "
            "what it needs lies between the two."
        )
    )


def _cells(results: Results, row: Row) -> list[str]:
    times = [_seconds(value) for value in (row.time.median, *row.tails(results.plan.tails))]
    ratios = [
        _ratio(results.speedup(row, name), name == row.contender) for name in results.plan.baselines
    ]
    cells = [*times, f"{row.gb_per_s:.3g}", *ratios, f"{row.cpu_s_per_gb:.3g}"]
    rate, cores = results.plan.network.rate, results.plan.cores
    if cores is not None:
        cells += [f"{row.worker_cpu_s_per_gb:.3g}", f"{row.switch_cpu_s_per_gb:.3g}"]
        cells.append(f"{row.cores(bits_per_second(cores.rate)):.3g}")
    if rate is not None:
        cells += [
            f"{row.machine_cpu_s_per_gb:.3g}",
            f"{row.of_link(bits_per_second(rate)):.3f}",
            _share(results.of_limit(row)),
        ]
    if row.loss:
        cells.append(_share(results.inflation(row)))
    return cells


def _share(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _seconds(value: float) -> str:
    """A time as text, in the unit that suits it."""
    # What would be rounded to 1000 of a unit takes the next one.
    unit, factor = (
        ("s", 1.0) if value >= 0.9995 else ("ms", 1e3) if value >= 0.9995e-3 else ("µs", 1e6)
    )
    return f"{value * factor:.3g} {unit}"


def _ratio(ratio: Spread | None, own: bool) -> str:
    if ratio is None:
        return "-"
    return "1" if own else f"{_short(ratio.median)} [{_short(ratio.p5)}, {_short(ratio.p95)}]"


def _short(value: float) -> str:
    """A number with its significant digits."""
    if value >= 100:
        return f"{value:.0f}"
    return f"{value:#.3g}" if value >= 0.1 else f"{value:.2g}"
