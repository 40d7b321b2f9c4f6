"""FPISA's five queries while packets are lost, and executors and switches are killed:
`python -m bench.query.faults` counts answers that are not those without the switch.

Workers are processes on hosts of an emulated rack whose links lose packets; the programs are at the
rack's switch. Three faults:

| fault | what is done |
| --- | --- |
| loss | nothing but the losses of links, of each rate in turn |
| executor | an executor of Spark is killed (SIGKILL) while a query runs |
| switch | the switch is killed while a query runs; a standby is there, which has the next query, too |

A kill comes after a part of the query's usual time that a seed draws. It counts if the query has
not ended by then. The answers of `netfold query` must be those of `--plain` to the last bit. Spark
adds doubles in the order in which they come, so its sums may differ by the rounding of n additions.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from ..launch import UnavailableError
from ..machine import describe
from ..rack import Link, Rack, RackError
from . import spark
from .__main__ import PLAIN, ROWS, make_data
from .course import ENGINE, Course, Killer, Party, Switches, Tally, names, path_of, switches
from .datafusion import DataFusion
from .engine import Answer, Engine

FAULTS = ("loss", "executor", "switch")
OFFERED = ["--set", "netfold.small=0"]
"""Small results are offered, too."""
WAYS = dict(zip(ENGINE, [OFFERED, [*OFFERED, *ROWS]], strict=True))
SILENCE_S = 2
"""Silence of a switch after which a query goes on without it."""
SETTINGS = {
    "spark.netfold.timeout": f"{SILENCE_S}s",
    # Executors are killed more often than Spark takes for healthy.
    "spark.task.maxFailures": "1000",
    "spark.stage.maxConsecutiveAttempts": "1000",
    "spark.speculation": "true",
}


def netfold_meets(course: Course, engine: Engine, pair: Switches, settings: Any) -> None:
    """Have `netfold query` meet the faults that are asked for."""
    elsewhere = ["--switch", pair.addresses, "--timeout", str(SILENCE_S)]
    for name, way in WAYS.items():
        party = Party(name, engine, [*elsewhere, *way])
        if "loss" in settings.faults:
            course.losses(party, settings.rounds)
        # Only the way of all rows takes long enough for kills.
        if "switch" in settings.faults and name == ENGINE[-1]:
            meet_kills(course, party, of_switch(course, party, pair, settings.kills), settings)


def spark_meets(course: Course, engine: spark.Spark, pair: Switches, settings: Any) -> None:
    """Have Spark with netfold's jar meet the faults that are asked for."""
    party = Party("Spark, netfold", engine, ["true"])
    if "loss" in settings.faults:
        course.losses(party, settings.rounds)
    if "executor" in settings.faults:
        kill = partial(kill_executor, engine)
        killer = Killer("executor", settings.kills, kill, lambda _: engine.settle())
        meet_kills(course, party, killer, settings)
    if "switch" in settings.faults:
        meet_kills(course, party, of_switch(course, party, pair, settings.kills), settings)


def meet_kills(course: Course, party: Party, killer: Killer, settings: Any) -> None:
    """Kill in the rack that is meant for it."""
    if course.rack.link.loss == settings.kill_loss:
        course.kills(party, killer)


def kill_executor(engine: spark.Spark, dice: random.Random) -> bool:
    """Kill one of the executors that are there."""
    victims = engine.executors()
    if not victims:
        return False
    os.kill(dice.choice(victims), signal.SIGKILL)
    return True


def of_switch(course: Course, party: Party, pair: Switches, count: int) -> Killer:
    """Kills of the switch. After each the same query is asked while the standby alone is there."""

    def mend(tally: Tally) -> None:
        if pair.is_whole:
            return
        without, offered = tally.without, tally.offered
        course.answer(tally, party)
        tally.at_standby += tally.without == without and tally.offered > offered
        pair.revive()

    return Killer("switch", count, lambda _: pair.kill(), mend)


def without_switch(
    right: dict[str, dict[str, Answer]], name: str, engine: Engine, options: Sequence[str]
) -> None:
    """Ask an engine for its answers without the switch, unless they are known."""
    if name in right:
        return
    answers = {query: engine.ask(path_of(query), options) for query in names()}
    for other in right.values():
        for query, answer in answers.items():
            if not answer.answers(query, other[query]):
                sys.exit(f"bench.query.faults: {query}: engines have different answers")
    right[name] = answers


def run(settings: Any, progress: Progress, keep: Callable[[Tally], None]) -> None:
    """Meet all faults."""
    right: dict[str, dict[str, Answer]] = {}
    # Both answers have n additions of positive numbers, each of which rounds by 2^-53.
    most = max(settings.rows, 6_100_000 * settings.scale)
    tolerance = 2 * most * 2**-53
    with tempfile.TemporaryDirectory(dir=settings.folder) as folder:
        places = make_data(Path(folder), settings.workers, settings.scale, settings.rows)
        losses = set(settings.losses if "loss" in settings.faults else [])
        if set(settings.faults) - {"loss"}:
            losses.add(settings.kill_loss)
        for loss in sorted(losses):
            link = Link(rate=settings.rate, loss=loss)
            with (
                Rack(settings.workers + 1, link) as rack,
                switches(rack) as pair,
                tempfile.TemporaryDirectory() as logs,
            ):
                course = Course(rack, right, tolerance, progress, keep)
                if "netfold" in settings.engines:
                    engine = DataFusion(rack, places)
                    without_switch(right, "netfold", engine, PLAIN)
                    netfold_meets(course, engine, pair, settings)
                if "Spark" in settings.engines:
                    further = SETTINGS | {"spark.netfold.switch": pair.addresses}
                    own = spark.Spark(rack, places, settings.memory, Path(logs), further)
                    without_switch(right, "Spark", own, ["false"])
                    spark_meets(course, own, pair, settings)


def table(tallies: Iterable[Tally]) -> Table:
    """The counts, summed over queries."""
    shown = Table("fault", "loss", "engine", title="FPISA's queries under faults")
    for column in ("answers", "wrong", "kills", "without", "at standby", "lost", "sent again"):
        shown.add_column(column, justify="right")
    rows: dict[tuple[str, float, str], list[Tally]] = {}
    for one in tallies:
        rows.setdefault((one.fault, one.loss, one.contender), []).append(one)
    for (fault, loss, contender), same in rows.items():
        own = contender in ENGINE
        counts = [
            sum(one.answers for one in same),
            sum(one.wrong for one in same),
            sum(one.killed for one in same),
            sum(one.without for one in same) if own else "",
            sum(one.at_standby for one in same),
            sum(one.lost_packets for one in same),
            sum(one.repeated_packets or 0 for one in same) if own else "",
        ]
        shown.add_row(fault, f"{loss:.1%}", contender, *map(str, counts))
    return shown


def parsed() -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.query.faults",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--faults", nargs="+", choices=FAULTS, default=list(FAULTS))
    engines = ["netfold", "Spark"]
    parser.add_argument("--engines", nargs="+", choices=engines, default=engines)
    parser.add_argument("--workers", type=int, default=2)
    losses = [0.0, 0.001, 0.01]
    parser.add_argument("--losses", type=float, nargs="+", default=losses, help="of each link")
    parser.add_argument("--kills", type=int, default=100, help="of each kind, for each engine")
    parser.add_argument("--kill-loss", type=float, default=0.001, help="of links while it kills")
    parser.add_argument("--rounds", type=int, default=10, help="runs of each query at each loss")
    parser.add_argument("--scale", type=float, default=0.1, help="the scale factor of TPC-H")
    parser.add_argument("--rows", type=int, default=300_000, help="rows of uservisits")
    parser.add_argument("--rate", default="200mbit", help="the rate of each link")
    parser.add_argument("--memory", type=int, default=1024, help="MiB of each executor of Spark")
    parser.add_argument("--folder", default="/dev/shm", help="the place of the tables; a RAM disk")
    parser.add_argument("--add", action="store_true", help="to the record that is there")
    parser.add_argument("--out", type=Path, default=Path("out/bench/query"))
    return parser.parse_args()


def main() -> None:
    """Count, print a table, and save the counts."""
    settings = parsed()
    console = Console(width=None if sys.stdout.isatty() else 120)
    if "Spark" in settings.engines and (reason := spark.missing()) is not None:
        console.print(f"without Spark: {reason}")
        settings.engines.remove("Spark")
    out: Path = settings.out
    out.mkdir(parents=True, exist_ok=True)
    told = {name: value for name, value in vars(settings).items() if name not in ("out", "add")}
    record, tallies = out / "faults.json", list[Tally]()
    runs = [{"machine": describe(), "settings": told}]
    if settings.add and record.exists():
        before = json.loads(record.read_text())
        tallies += [Tally(**row) for row in before["rows"]]
        runs = [*before["runs"], *runs]

    def keep(tally: Tally) -> None:
        tallies[:] = [one for one in tallies if one.key != tally.key] + [tally]
        document = {"runs": runs, "rows": [asdict(one) for one in tallies]}
        # What is counted is kept if a later query fails.
        record.write_text(json.dumps(document, indent=2) + "\n")

    began = time.monotonic()
    try:
        with Progress(console=console) as progress:
            run(settings, progress, keep)
    except (RackError, UnavailableError, ValueError) as error:
        sys.exit(f"bench.query.faults: {error}")
    finally:
        console.print(table(tallies))
    console.print(f"{time.monotonic() - began:.0f} s; written to {out}")
    if any(tally.wrong for tally in tallies):
        sys.exit("bench.query.faults: answers are wrong")


if __name__ == "__main__":
    main()
