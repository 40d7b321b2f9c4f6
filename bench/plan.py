"""Plans: what is compared, where, and how often. TOML files, checked key by key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .rack import BUFFER_BYTES, MAX_HOSTS, bits_per_second
from .vectors import COLLECTIVES

FOLDER = Path(__file__).with_name("plans")
"""Folder of the plans that can be given by name."""

PEERS = ("gloo", "netfold", "openmpi-tcp", "openmpi-shm", "mpich", "mpi4py")
FRONTS = ("torch", "numpy", "numpy-stages", "native")
ARITHMETICS = ("block", "native", "fpisa", "fpisa-a", "logtable")
PROTOCOLS = ("shadow", "acked")
ELEMENT_BYTES = {"f32": 4, "f16": 2, "bf16": 2}
"""Bytes of an element, by element type."""
AUTO = "auto"
PRIORITIES = (AUTO, "urgent", "bulk")
TRANSPORTS = (AUTO, "udp", "shm")
TAILS = (5.0, 95.0)
MAX_BYTES = 1 << 30
MAX_ROUNDS = 10_000
MAX_APART = 1000
"""Calls of a round that are timed one by one: their times are one line of an answer."""
MAX_WEIGHT = 100
"""Largest weight of a netfold job."""
MAX_FLOWS = 16

_UNITS = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


class PlanError(ValueError):
    """A plan that cannot be run; the message names the file, the key, and what may stand there."""


@dataclass(frozen=True)
class Contender:
    """Something that makes collective calls."""

    name: str
    """Name in tables."""
    peer: str
    """One of PEERS."""
    front: str = "torch"
    """Caller of netfold: one of FRONTS. Gloo is always called through torch, and MPI from C but
    through mpi4py. `numpy-stages` makes a chain of collectives call by call.
    """
    arithmetic: str = "block"
    """Arithmetic of a netfold job: one of ARITHMETICS."""
    transport: str = AUTO
    """Transport of a netfold job: one of TRANSPORTS; `auto` leaves the choice to netfold."""
    protocol: str = "shadow"
    """Protocol of a netfold job: one of PROTOCOLS."""
    element_type: str = "f32"
    """One of ELEMENT_BYTES; only the front `native` has others than f32."""
    priority: str = AUTO
    """Priority of netfold's calls: one of PRIORITIES. `auto` leaves it to the length; only the
    front `native` has others. In shared memory, bulk calls take slots even if they are short.
    """
    environment: tuple[tuple[str, str], ...] = ()
    """Variables that its processes get, the switch's included."""
    collective: str = "all_reduce"
    """One of COLLECTIVES, the same for all contenders of a plan."""


@dataclass(frozen=True)
class Network:
    """Network between the contenders' processes."""

    rate: str | None = None
    """Rate of each link of an emulated rack, as tc writes it; None is the machine's own loopback
    interface.
    """
    losses: tuple[float, ...] = (0.0,)
    """Probabilities with which a link of the rack loses a packet, each measured in turn."""
    workers_per_host: int = 1
    """Workers that share a host of the rack, and its link: consecutive ranks."""

    @property
    def kind(self) -> str:
        """`loopback` or `rack`."""
        return "loopback" if self.rate is None else "rack"


@dataclass(frozen=True)
class Cores:
    """The question how many processor cores a worker needs to keep up with a link."""

    rate: str
    """Bits of vector that a worker gets reduced in a second, as tc writes it."""
    published: tuple[tuple[str, float], ...]
    """Published results of others, by name, shown beside it in the plot."""
    conversions: tuple[str, ...]
    """Element types of which the conversion is also measured alone."""


@dataclass(frozen=True)
class Comparison:
    """A comparison of contenders that make one collective call."""

    name: str
    title: str
    workers: tuple[int, ...]
    sizes: tuple[tuple[int, int], ...]
    """Bytes of the whole vector, and in how many rounds it is measured."""
    round_s: float
    """About how long a round takes: as many calls are made in it as fit, and at least one; 0 is
    one.
    """
    apart: int
    """Calls of a round that are timed one by one, each behind a barrier; 0 if a round is timed as a
    whole.
    """
    network: Network
    baselines: tuple[str, ...]
    """Contenders against which the others are set."""
    contenders: tuple[Contender, ...]
    tails: tuple[float, float] = TAILS
    """Percentiles of the rounds that are shown beside the median."""
    cores: Cores | None = None
    """Count of cores, with its rate; None if cores are not counted."""
    collective: str = "all_reduce"
    """One of COLLECTIVES."""


@dataclass(frozen=True)
class Kernels:
    """A measurement of the arithmetic alone, beside memcpy."""

    name: str
    title: str


@dataclass(frozen=True)
class Case:
    """Set of jobs and TCP flows that share a link."""

    name: str
    weights: tuple[int, ...]
    """Weight of each job."""
    flows: int
    """TCP flows beside them."""
    marks: bool
    """True if packets are marked where queues are long."""


@dataclass(frozen=True)
class Sharing:
    """A measurement of the shares that jobs and TCP flows get of a link."""

    name: str
    title: str
    rate: str
    """Rate of each link of the rack, as tc writes it."""
    mark_bytes: int
    """Bytes in a queue above which packets are marked."""
    settle_s: float
    """Time at the start in which nothing is counted."""
    seconds: float
    """Time that is counted."""
    rounds: int
    """Number of repetitions of the whole measurement."""
    cases: tuple[Case, ...]


Plan = Comparison | Kernels | Sharing


def load(name: str) -> Plan:
    """The plan of this name under `bench/plans`, or in this file.

    Raises:
        PlanError: no plan has this name, or it cannot be run.
    """
    path = FOLDER / f"{name}.toml"
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        known = ", ".join(sorted(plan.stem for plan in FOLDER.glob("*.toml")))
        raise PlanError(f"there is no plan {name!r}; give the path of a file, or one of {known}")
    try:
        return parse(path.stem, tomllib.loads(path.read_text()), str(path))
    except tomllib.TOMLDecodeError as error:
        raise PlanError(f"{path}: {error}") from None


def parse(name: str, content: Mapping[str, Any], file: str) -> Plan:
    """The plan with this content; `file` is for messages.

    Raises:
        PlanError: as in :func:`load`.
    """
    table = _Table(file, "", content)
    measure = table.choice("measure", ("allreduce", "kernels", "sharing"), "allreduce")
    title = table.text("title", name)
    if measure == "kernels":
        table.end()
        return Kernels(name, title)
    if measure == "sharing":
        return _sharing(name, title, table)
    collective = table.choice("collective", COLLECTIVES, "all_reduce")
    contenders = tuple(_contender(each, collective) for each in table.tables("contender"))
    names = [contender.name for contender in contenders]
    for each in names:
        if names.count(each) > 1:
            raise table.wrong(
                "contender", f"{each!r} is the name of two contenders; give each its own"
            )
    network = _network(table.table("network"))
    plan = Comparison(
        name=name,
        title=title,
        collective=collective,
        workers=_workers(table),
        sizes=_sizes(table.table("sizes")),
        round_s=table.number("round_ms", 20.0, 0.0, 60_000.0) / 1e3,
        apart=table.count("calls_apart", 0, 0, MAX_APART),
        network=network,
        baselines=tuple(table.texts("baselines", names[:1])),
        contenders=contenders,
        tails=_tails(table),
        cores=_cores(table),
    )
    for baseline in plan.baselines:
        if baseline not in names:
            raise table.wrong(
                "baselines", f"{baseline!r} is not a contender; they are {', '.join(names)}"
            )
    for contender in contenders:
        if network.kind == "rack" and contender.peer in ("openmpi-shm", "mpich"):
            raise table.wrong(
                "contender",
                f"{contender.name!r} cannot leave one host, so it has no place in a rack",
            )
    for workers in plan.workers:
        if workers % network.workers_per_host:
            raise table.wrong(
                "workers",
                f"{workers} do not fill hosts of {network.workers_per_host} (workers_per_host)",
            )
    table.end()
    return plan


def _sharing(name: str, title: str, table: _Table) -> Sharing:
    plan = Sharing(
        name=name,
        title=title,
        rate=table.rate("rate", "200mbit"),
        mark_bytes=int(table.number("mark_bytes", 125_000, 1, BUFFER_BYTES - 1)),
        settle_s=table.number("settle_s", 4, 0, 600),
        seconds=table.number("seconds", 10, 0.1, 600),
        rounds=int(table.number("rounds", 3, 1, MAX_ROUNDS)),
        cases=tuple(_case(case) for case in table.tables("case")),
    )
    table.end()
    return plan


def _case(table: _Table) -> Case:
    weights = table.value("weights", list, "a list of weights, such as [1, 2]")
    if not all(type(weight) is int and 1 <= weight <= MAX_WEIGHT for weight in weights):
        raise table.wrong("weights", f"{weights!r} are not whole numbers from 1 to {MAX_WEIGHT}")
    flows = int(table.number("flows", 0, 0, MAX_FLOWS))
    case = Case(
        table.text("name"), tuple(weights), flows, table.value("marks", bool, "true or false", True)
    )
    if not weights and not flows:
        raise table.wrong("weights", "there are neither jobs nor flows; give at least one")
    table.end()
    return case


def size_of(text: str) -> int:
    """Bytes of a size such as `25 MiB`.

    Raises:
        ValueError: it is no size.
    """
    match = re.fullmatch(r"(\d+) ?(B|KiB|MiB|GiB)", text)
    if match is None:
        raise ValueError(
            f"{text!r} is not a size; write a whole number and one of {', '.join(_UNITS)}, such as 64 KiB"
        )
    return int(match[1]) * _UNITS[match[2]]


def size_text(size: int) -> str:
    """The shortest text that :func:`size_of` reads as this."""
    for unit, factor in reversed(_UNITS.items()):
        if size % factor == 0 and size >= factor:
            return f"{size // factor} {unit}"
    return f"{size} B"


def _workers(table: _Table) -> tuple[int, ...]:
    values = table.value("workers", list, "a list of numbers")
    if not values:
        raise table.wrong("workers", "it is empty; give numbers of workers, such as [2, 4]")
    for value in values:
        if type(value) is not int or not 2 <= value <= MAX_HOSTS:
            raise table.wrong(
                "workers", f"{value!r} is not a number of workers, from 2 to {MAX_HOSTS}"
            )
    return tuple(values)


def _tails(table: _Table) -> tuple[float, float]:
    tails = table.value("tails", list, "two percentiles, such as [1, 99]", list(TAILS))
    numbers = [float(tail) for tail in tails if type(tail) in (int, float)]
    if len(tails) != 2 or len(numbers) != 2 or not 0 <= numbers[0] < 50 < numbers[1] <= 100:
        raise table.wrong(
            "tails", f"{tails!r} are not two percentiles with the median between, such as [1, 99]"
        )
    return numbers[0], numbers[1]


def _sizes(table: _Table) -> tuple[tuple[int, int], ...]:
    sizes = []
    for key in table.names():
        rounds = table.value(key, int, "a number of rounds")
        try:
            size = size_of(key)
        except ValueError as error:
            raise table.wrong(key, str(error)) from None
        widest = max(ELEMENT_BYTES.values())
        if size % widest or not 0 < size <= MAX_BYTES:
            raise table.wrong(
                key, f"a vector has a multiple of {widest} B, up to {size_text(MAX_BYTES)}"
            )
        if not 0 < rounds <= MAX_ROUNDS:
            raise table.wrong(key, f"{rounds} is not a number of rounds, from 1 to {MAX_ROUNDS}")
        sizes.append((size, rounds))
    if not sizes:
        raise table.wrong("", 'it is empty; give rounds by size, such as "1 MiB" = 20')
    return tuple(sizes)


def _network(table: _Table) -> Network:
    kind = table.choice("kind", ("loopback", "rack"), "loopback")
    if kind == "loopback":
        table.end()
        return Network()
    rate = table.rate("rate", "200mbit")
    per_host = table.value("workers_per_host", int, "a number of workers", 1)
    if per_host < 1:
        raise table.wrong("workers_per_host", f"{per_host} is not a number of workers, at least 1")
    losses = table.value("losses", list, "a list of probabilities", [0.0])
    for loss in losses:
        if not isinstance(loss, int | float) or not 0 <= loss < 1:
            raise table.wrong(
                "losses", f"{loss!r} is not a probability below 1, such as 0.001 for 0.1 %"
            )
    if not losses:
        raise table.wrong("losses", "it is empty; give probabilities, such as [0.0, 0.001]")
    table.end()
    return Network(rate, tuple(float(loss) for loss in losses), per_host)


def _contender(table: _Table, collective: str) -> Contender:
    name = table.text("name")
    peer = table.choice("peer", PEERS)
    settings: dict[str, str] = {}
    if peer == "netfold":
        settings = {
            "front": table.choice("front", FRONTS, "torch"),
            "arithmetic": table.choice("arithmetic", ARITHMETICS, "block"),
            "transport": table.choice("transport", TRANSPORTS, AUTO),
            "protocol": table.choice("protocol", PROTOCOLS, "shadow"),
        }
        if settings["front"] == "native":
            if collective != "all_reduce":
                raise table.wrong("front", f"native makes no {collective}; choose torch or numpy")
            settings["element_type"] = table.choice("element_type", tuple(ELEMENT_BYTES), "f32")
            settings["priority"] = table.choice("priority", PRIORITIES, AUTO)
    through_torch = "torch" in (settings.get("front"), peer.replace("gloo", "torch"))
    if collective in ("scan", "prefixes") and through_torch:
        raise table.wrong(
            "peer", f"torch.distributed makes no {collective}; choose netfold with numpy in front"
        )
    if settings.get("front") == "numpy-stages" and collective != "prefixes":
        raise table.wrong("front", f"{collective} is one call; choose numpy")
    if peer == "mpi4py" and collective not in ("all_gather", "prefixes"):
        raise table.wrong("peer", f"mpi4py makes no {collective} here; choose openmpi-tcp")
    environment = table.table("environment")
    variables = tuple((key, environment.text(key)) for key in environment.names())
    table.end()
    return Contender(name, peer, environment=variables, collective=collective, **settings)


def _cores(plan: _Table) -> Cores | None:
    if "cores" not in plan.names():
        return None
    table = plan.table("cores")
    rate = table.rate("rate", "100gbit")
    figures = table.table("published")
    published = tuple((name, figures.number(name, 0.0, 0.0, 1e6)) for name in figures.names())
    conversions = table.texts("conversions", [])
    for name in conversions:
        if name not in ELEMENT_BYTES:
            raise table.wrong("conversions", f"{name!r} is not one of {', '.join(ELEMENT_BYTES)}")
    table.end()
    return Cores(rate, published, tuple(conversions))


_NOTHING: Any = object()

V = TypeVar("V")


class _Table:
    """A TOML table that knows where it stands, and which of its keys have been read."""

    def __init__(self, file: str, place: str, content: Mapping[str, Any]) -> None:
        self._file = file
        self._place = place
        self._content = content
        self._read: set[str] = set()

    def wrong(self, key: str, why: str) -> PlanError:
        return PlanError(f"{self._file}: {'.'.join(filter(None, (self._place, key)))}: {why}")

    def names(self) -> list[str]:
        return list(self._content)

    def value(
        self, key: str, kind: type[V] | tuple[type[V], ...], expected: str, default: Any = _NOTHING
    ) -> V:
        self._read.add(key)
        value = self._content.get(key, default)
        if value is _NOTHING:
            raise self.wrong(key, f"it is missing; give {expected}")
        # A boolean is an int in Python, and not in TOML.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.wrong(key, f"{value!r} is not {expected}")
        return value

    def text(self, key: str, default: Any = _NOTHING) -> str:
        return self.value(key, str, "a text", default)

    def texts(self, key: str, default: list[str]) -> list[str]:
        values = self.value(key, list, "a list of texts", default)
        if not all(isinstance(value, str) for value in values):
            raise self.wrong(key, f"{values!r} is not a list of texts")
        return values

    def number(self, key: str, default: float, least: float, most: float) -> float:
        value = self.value(key, (int, float), f"a number from {least:g} to {most:g}", default)
        if isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, f"{value!r} is not a number from {least:g} to {most:g}")
        return float(value)

    def count(self, key: str, default: int, least: int, most: int) -> int:
        value = self.value(key, int, f"a whole number from {least} to {most}", default)
        if isinstance(value, bool) or not least <= value <= most:
            raise self.wrong(key, f"{value!r} is not a whole number from {least} to {most}")
        return value

    def choice(self, key: str, choices: tuple[str, ...], default: Any = _NOTHING) -> str:
        value = self.value(key, str, f"one of {', '.join(choices)}", default)
        if value not in choices:
            raise self.wrong(key, f"{value!r} is not one of {', '.join(choices)}")
        return value

    def rate(self, key: str, default: str) -> str:
        rate = self.text(key, default)
        try:
            bits_per_second(rate)
        except ValueError as error:
            raise self.wrong(key, str(error)) from None
        return rate

    def table(self, key: str) -> _Table:
        place = ".".join(filter(None, (self._place, key)))
        return _Table(self._file, place, self.value(key, dict, "a table", {}))

    def tables(self, key: str) -> list[_Table]:
        values = self.value(key, list, f"one or more [[{key}]]")
        if not values or not all(isinstance(value, dict) for value in values):
            raise self.wrong(key, f"it is not one or more [[{key}]]")
        return [
            _Table(self._file, f"{key} {number}", value) for number, value in enumerate(values, 1)
        ]

    def end(self) -> None:
        for key in self._content:
            if key not in self._read:
                raise self.wrong(
                    key, f"unknown key; the keys here are {', '.join(sorted(self._read))}"
                )
