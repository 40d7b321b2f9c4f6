"""An emulated rack on one machine: hosts in network namespaces, links of a given rate and loss, a
switch in the middle.

    host 0  eth0 ====== port0 \\
    host 1  eth0 ====== port1  br0   the switch's namespace: a bridge, and netfold's switch at its
    address host 2  eth0 ====== port2 /

Every link is a veth pair with a token bucket on each end, so both directions have the full rate at
the same time. What a host sends crosses exactly its own link and that of the receiver; traffic to
netfold's switch crosses the sender's only, as traffic to a switch does. `docs/rack.md` has the
reasons for the parameters.

The machine's own network is not touched: all interfaces are made inside the namespaces. Needs root,
iproute2, ethtool and clang; missing Debian packages are installed.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Literal

MAX_HOSTS = 64
"""Most hosts of a rack, as many as a netfold job has workers."""

BUFFER_BYTES = 1 << 20
"""Queue in front of each link: what one port of a top-of-rack switch gets out of its shared packet
memory.
"""

SUPER_PACKET_BYTES = 72 << 10
"""Longest unit that the kernel hands to a token bucket: 64 KiB before segmentation, and the headers
of its segments.
"""

LATE_S = 0.004
"""Largest delay of a token bucket's timer on a busy core: one tick at 250 Hz."""

NETWORK = "198.18.0"
"""The hosts' addresses: the range that RFC 2544 sets apart for benchmarks."""

_INTERFACE = "eth0"
_SWITCH_NUMBER = 254
_NAMESPACES = Path("/run/netns")
_NAME = re.compile(r"netfold-rack-(\d+)-(\d+)-\d+-\w+")
_PACKAGES = {
    "ip": "iproute2",
    "bridge": "iproute2",
    "tc": "iproute2",
    "nsenter": "util-linux",
    "ethtool": "ethtool",
    "clang": "clang",
}
_MARKED_BATCH_BYTES = 16 << 10
_UNITS = {"bit": 1, "kbit": 10**3, "mbit": 10**6, "gbit": 10**9}
_LOSS_SECTION = "xdp.frags"
_MARK_SECTION = "tc"
_serial = count()

Host = int | Literal["switch"]
"""Host of a process: a host's number from 0, or the switch."""


class RackError(RuntimeError):
    """The rack cannot be made on this machine; the message says what is missing."""


@dataclass(frozen=True)
class LinkCounters:
    """Traffic of one direction of a link since the rack was made."""

    packets: int
    """Packets that left the token bucket."""
    bytes: int
    """Their bytes, Ethernet headers included, as the token bucket counts them."""
    overflowed: int
    """Packets dropped because the queue in front of the link was full."""
    lost: int
    """Packets dropped at random after the link."""


def bits_per_second(rate: str) -> int:
    """The number behind a rate as tc writes it: `200mbit`, `1gbit`, `2.5gbit`."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([kmg]?bit)", rate.strip().lower())
    if match is None or float(match[1]) == 0:
        raise ValueError(
            f"a rate is a number and one of {', '.join(_UNITS)}, such as 200mbit; got {rate!r}"
        )
    return round(float(match[1]) * _UNITS[match[2]])


@dataclass(frozen=True, slots=True)
class Link:
    """A link between a host and the switch; all links of a rack are alike.

    Raises:
        ValueError: a field is out of its range.
    """

    rate: str = "200mbit"
    """Rate of each direction, as tc writes it."""
    loss: float = 0.0
    """Probability with which a packet is lost on each direction, the same for all packets."""
    seed: int = 1
    """Seed of the choice of these packets."""
    mtu: int = 1500
    """Bytes without the Ethernet header."""
    mark_bytes: int | None = None
    """Bytes in the queue in front of a link above which packets are marked (ECN); None marks none.
    TCP asks for marks then.
    """

    def __post_init__(self) -> None:
        bits_per_second(self.rate)
        if not 0 <= self.loss < 1:
            raise ValueError(
                f"loss is a probability below 1, such as 0.001 for 0.1 %; got {self.loss}"
            )
        if not 576 <= self.mtu <= 65535:
            raise ValueError(f"the MTU is 576 to 65535 bytes; got {self.mtu}")
        if self.mark_bytes is not None and not 0 < self.mark_bytes < BUFFER_BYTES:
            raise ValueError(
                f"packets are marked above 1 to {BUFFER_BYTES - 1} bytes; got {self.mark_bytes}"
            )

    @property
    def rate_bps(self) -> int:
        """Rate of each direction in bits per second."""
        return bits_per_second(self.rate)

    @property
    def burst_bytes(self) -> int:
        """Bytes that may pass at once: those of a super-packet, or of a late timer."""
        return max(SUPER_PACKET_BYTES, round(self.rate_bps / 8 * LATE_S))


DEFAULT_LINK = Link()


class Rack:
    """Hosts 0 to `hosts` - 1 and a switch; a context manager that removes everything at its end.

    Also SIGTERM ends the `with` block in the main thread (as `SystemExit`), so it leaves nothing
    behind. What a killed rack has left, processes included, is removed when the next one starts.
    Several racks can run at once.

    Args:
        hosts: number of hosts, 1 to 64.
        link: the link of each host to the switch.

    Raises:
        RackError: no root, a missing tool or a kernel without what is needed; the message names it.
        ValueError: an argument is out of its range.
    """

    interface = _INTERFACE
    """Name of the interface in each host, as Gloo's `GLOO_SOCKET_IFNAME` and Open MPI's
    `btl_tcp_if_include` want.
    """

    def __init__(self, hosts: int, link: Link = DEFAULT_LINK) -> None:
        if not 1 <= hosts <= MAX_HOSTS:
            raise ValueError(f"a rack has 1 to {MAX_HOSTS} hosts; got {hosts}")
        self.hosts = hosts
        self.link = link
        self._prefix = f"netfold-rack-{os.getpid()}-{_started(os.getpid())}-{next(_serial)}"
        self._processes: list[subprocess.Popen[Any]] = []
        self._previous_handler: Any = None
        self._closing = False

    @property
    def switch_address(self) -> str:
        """IPv4 address in the switch's namespace."""
        return f"{NETWORK}.{_SWITCH_NUMBER}"

    def address(self, host: int) -> str:
        """IPv4 address of a host."""
        if not 0 <= host < self.hosts:
            raise ValueError(f"hosts are 0 to {self.hosts - 1}; got {host}")
        return f"{NETWORK}.{host + 1}"

    def command(self, host: Host, argv: Sequence[str]) -> list[str]:
        """The command that runs `argv` at a place; it keeps its process id."""
        return ["nsenter", f"--net={_NAMESPACES / self._namespace(host)}", "--", *argv]

    def popen(
        self,
        host: Host,
        argv: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        **options: Any,
    ) -> subprocess.Popen[Any]:
        """Start a process at a place; it is killed at the end of the rack if it is still there.

        The environment (`env`, or this process's) is extended by `GLOO_SOCKET_IFNAME`, because Gloo
        would look up the machine's host name, which has no meaning inside.

        Args:
            host: a host's number, or `switch`.
            argv: program and arguments.
            env: the environment.
            options: further arguments of `subprocess.Popen`.
        """
        environment = {"GLOO_SOCKET_IFNAME": _INTERFACE, **(os.environ if env is None else env)}
        process = subprocess.Popen(self.command(host, argv), env=environment, **options)
        self._processes.append(process)
        return process

    def goodput_limit(self, payload: int, header_bytes: int) -> float:
        """Payload bytes per second that one direction of a link allows.

        Args:
            payload: bytes of payload in each packet.
            header_bytes: bytes of headers in each packet, from the Ethernet header on, which the
                token bucket counts.
        """
        return self.link.rate_bps / 8 * payload / (payload + header_bytes)

    def links(self) -> dict[str, LinkCounters]:
        """Counters of each direction of each link: `up0` from host 0 to the bridge, `down0` from
        the bridge to it.
        """
        at_switch = _buckets(self._namespace("switch"))
        result = {}
        for host in range(self.hosts):
            at_host = _buckets(self._namespace(host))
            port = f"port{host}"
            for name, bucket, receiver in (
                (f"up{host}", at_host[_INTERFACE], ("switch", port)),
                (f"down{host}", at_switch[port], (host, _INTERFACE)),
            ):
                result[name] = LinkCounters(
                    bucket["packets"], bucket["bytes"], bucket["drops"], self._lost(*receiver)
                )
        return result

    def queued(self, host: int) -> tuple[int, int]:
        """Bytes that wait for a host's link now: from the host, and to it."""
        up = _buckets(self._namespace(host))[_INTERFACE]
        down = _buckets(self._namespace("switch"))[f"port{host}"]
        return up["backlog"], down["backlog"]

    def dropped(self) -> int:
        """Packets lost at random on all links; full queues are counted apart, see :meth:`links`."""
        return sum(link.lost for link in self.links().values())

    def __enter__(self) -> Rack:
        _require_root()
        _require_tools()
        remove_stale()
        if threading.current_thread() is threading.main_thread():
            self._previous_handler = signal.signal(signal.SIGTERM, self._on_sigterm)
        try:
            self._make_namespaces()
            self._connect()
            self._shape()
            self._attach_loss()
            self._attach_marks()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes that are left and remove the namespaces. Closing twice is fine."""
        self._closing = True
        for process in self._processes:
            if process.poll() is None:
                process.kill()
        for process in self._processes:
            process.wait()
        self._processes.clear()
        for place in self._places():
            if (_NAMESPACES / self._namespace(place)).exists():
                _remove(self._namespace(place))
        if self._previous_handler is not None:
            signal.signal(signal.SIGTERM, self._previous_handler)
            self._previous_handler = None

    def _on_sigterm(self, number: int, frame: FrameType | None) -> None:
        del frame
        # Once it is closing, the removal must not be cut short.
        if not self._closing:
            sys.exit(128 + number)

    def _places(self) -> list[Host]:
        return ["switch", *range(self.hosts)]

    def _namespace(self, place: Host) -> str:
        if place != "switch":
            self.address(place)
        return f"{self._prefix}-{'switch' if place == 'switch' else f'h{place}'}"

    def _batch(self, tool: str, place: Host, lines: Iterable[str]) -> None:
        """Run several commands of one iproute2 tool in a namespace."""
        _run([tool, "-n", self._namespace(place), "-batch", "-"], "\n".join(lines))

    def _make_namespaces(self) -> None:
        _run(
            ["ip", "-batch", "-"],
            "\n".join(f"netns add {self._namespace(place)}" for place in self._places()),
        )
        for place in self._places():
            # Neighbour discovery and router solicitations of IPv6 would be stray packets on the
            # links.
            _run(self.command(place, ["tee", "/proc/sys/net/ipv6/conf/default/disable_ipv6"]), "1")
            self._batch("ip", place, ["link set lo up"])

    def _connect(self) -> None:
        """Make the links and the bridge.

        Neighbour and forwarding entries are permanent: a lost ARP packet would cost a second, which
        says nothing about whom it hits, and packets to a host that only receives would go to all
        ports.
        """
        lines = [
            f"link add br0 address {_mac(_SWITCH_NUMBER)} mtu {self.link.mtu} type bridge mcast_snooping 0"
        ]
        for host in range(self.hosts):
            # Interface numbers take part in the choice of the packets to lose, so they are fixed,
            # and all different.
            lines += [
                f"link add port{host} index {200 + host} mtu {self.link.mtu} type veth peer name {_INTERFACE} "
                f"index {100 + host} address {_mac(host + 1)} mtu {self.link.mtu} netns {self._namespace(host)}",
                f"link set port{host} master br0 up",
            ]
        self._batch("ip", "switch", lines)
        entries = [
            f"fdb replace {_mac(host + 1)} dev port{host} master static"
            for host in range(self.hosts)
        ]
        self._batch("bridge", "switch", entries)
        everyone = {self.switch_address: _mac(_SWITCH_NUMBER)}
        everyone |= {self.address(host): _mac(host + 1) for host in range(self.hosts)}
        for place in self._places():
            device = "br0" if place == "switch" else _INTERFACE
            own = self.switch_address if place == "switch" else self.address(place)
            lines = [f"address add {own}/24 dev {device}", f"link set {device} up"]
            lines += [
                f"neighbour replace {address} lladdr {mac} dev {device} nud permanent"
                for address, mac in everyone.items()
                if address != own
            ]
            self._batch("ip", place, lines)

    def _lost(self, place: Host, device: str) -> int:
        """Packets that the program at an interface has dropped."""
        statistics = _run(self.command(place, ["ethtool", "-S", device]))
        return sum(int(drops) for drops in re.findall(r"rx_queue_\d+_xdp_drops: (\d+)", statistics))

    def _devices(self) -> dict[Host, list[str]]:
        """The ends of all links."""
        devices: dict[Host, list[str]] = {host: [_INTERFACE] for host in range(self.hosts)}
        return {"switch": [f"port{host}" for host in range(self.hosts)], **devices}

    def _shape(self) -> None:
        bucket = (
            f"tbf rate {self.link.rate_bps}bit burst {self.link.burst_bytes} limit {BUFFER_BYTES}"
        )
        for place, devices in self._devices().items():
            self._batch(
                "tc", place, [f"qdisc add dev {device} root {bucket}" for device in devices]
            )

    def _attach_loss(self) -> None:
        """Attach the program that loses packets at the receiving end of every link, also if it
        loses none.

        With it the kernel cuts batches into packets at the sending end, and coalesces packets after
        the program, as it does with those of a network card.
        """
        chances = {
            "LOSS_THRESHOLD": round(self.link.loss * 2**32),
            "LOSS_SEED": self.link.seed % 2**64,
        }
        with _compiled("loss.bpf.c", chances) as program:
            for place, devices in self._devices().items():
                attached = f"xdpdrv object {program} section {_LOSS_SECTION}"
                self._batch(
                    "ip", place, [f"link set dev {device} {attached}" for device in devices]
                )
                for device in devices:
                    _run(self.command(place, ["ethtool", "-K", device, "gro", "on"]))

    def _attach_marks(self) -> None:
        """Attach the program that marks in front of every link, and have TCP ask for marks."""
        if self.link.mark_bytes is None:
            return
        # The bucket's queue grows only when its tokens are spent; the program's account has no
        # tokens.
        account_bytes = self.link.mark_bytes + self.link.burst_bytes
        figures = {
            "MARK_PS_PER_BYTE": round(8e12 / self.link.rate_bps),
            "MARK_ABOVE_NS": round(account_bytes * 8e9 / self.link.rate_bps),
        }
        with _compiled("mark.bpf.c", figures) as program:
            for place, devices in self._devices().items():
                _run(self.command(place, ["tee", "/proc/sys/net/ipv4/tcp_ecn"]), "1")
                attached = f"egress bpf direct-action object-file {program} section {_MARK_SECTION}"
                lines = [
                    f"qdisc add dev {device} clsact\nfilter add dev {device} {attached}"
                    for device in devices
                ]
                self._batch("tc", place, lines)
            # What is coalesced at the bridge is marked as one: it must be short beside the
            # threshold.
            short = f"gro_max_size {_MARKED_BATCH_BYTES}"
            self._batch(
                "ip",
                "switch",
                [f"link set dev {device} {short}" for device in self._devices()["switch"]],
            )


def remove_stale() -> None:
    """Remove the namespaces of racks whose process is gone, and end what still runs in them."""
    if not _NAMESPACES.is_dir():
        return
    for path in _NAMESPACES.iterdir():
        match = _NAME.fullmatch(path.name)
        if match and _started(int(match[1])) != int(match[2]):
            _remove(path.name)


@contextmanager
def _compiled(source: str, figures: Mapping[str, int]) -> Iterator[Path]:
    """A program for the kernel, compiled from a file beside this one with these 64-bit numbers
    defined.
    """
    with tempfile.TemporaryDirectory(prefix="netfold-rack-") as folder:
        program = Path(folder) / "program.o"
        compiler = [
            "clang",
            "-O2",
            "-target",
            "bpf",
            "-mcpu=v3",
            f"-I/usr/include/{platform.machine()}-linux-gnu",
        ]
        defined = [f"-D{name}={value}ULL" for name, value in figures.items()]
        _run([*compiler, *defined, "-c", str(Path(__file__).with_name(source)), "-o", str(program)])
        yield program


def _remove(namespace: str) -> None:
    """Remove a namespace and all processes in it. Somebody else may be removing it at the same
    time.
    """
    listed = subprocess.run(
        ["ip", "netns", "pids", namespace], capture_output=True, text=True, check=False
    )
    for pid in listed.stdout.split():
        try:
            os.kill(int(pid), signal.SIGKILL)
        except ProcessLookupError:
            continue
    subprocess.run(["ip", "netns", "delete", namespace], capture_output=True, check=False)


def _started(pid: int) -> int:
    """Return the start of a process in ticks since boot; 0 if there is no such process. The start
    tells it from a later process with the same id.
    """
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    # The command, in parentheses, may hold blanks. Field 22 of the line is the 20th after it.
    return int(stat.rpartition(")")[2].split()[19])


def _mac(number: int) -> str:
    """A locally administered address."""
    return f"02:00:00:00:00:{number:02x}"


def _buckets(namespace: str) -> dict[str, dict[str, int]]:
    """Statistics of the token buckets of a namespace, by interface."""
    shown = json.loads(_run(["tc", "-n", namespace, "-s", "-j", "qdisc", "show"]))
    return {qdisc["dev"]: qdisc for qdisc in shown if qdisc["kind"] == "tbf"}


def _require_root() -> None:
    if os.geteuid() != 0:
        raise RackError(
            "an emulated rack needs root, to make network namespaces and links; run it with sudo"
        )


def _require_tools() -> None:
    packages = sorted(
        {package for tool, package in _PACKAGES.items() if shutil.which(tool) is None}
    )
    if packages and shutil.which("apt-get") is not None:
        _run(["apt-get", "update", "-qq"])
        _run(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages])
    missing = [tool for tool in _PACKAGES if shutil.which(tool) is None]
    if missing:
        raise RackError(
            f"missing: {', '.join(missing)}; on Debian or Ubuntu: sudo apt-get install {' '.join(packages)}"
        )


def _run(argv: Sequence[str], text: str | None = None) -> str:
    """The standard output of a command that must succeed."""
    done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        message = done.stderr.strip() or "no message"
        raise RackError(f"`{' '.join(argv)}` failed with status {done.returncode}: {message}")
    return done.stdout
