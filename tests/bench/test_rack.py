"""The emulated rack: that it comes up, shapes, loses, and leaves nothing behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from bench.rack import BUFFER_BYTES, NETWORK, Link, LinkCounters, Rack, RackError, bits_per_second

ROOT = Path(__file__).resolve().parents[2]
NAMESPACES = Path("/run/netns")

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="an emulated rack needs root")

PAYLOAD = 1000
HEADERS = 8 + 20 + 14
"""UDP, IPv4, Ethernet."""

RECEIVER = """
import socket, sys, time
wanted = int(sys.argv[1])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
    # Room for everything: a receiver that waits for a core loses nothing.
    SO_RCVBUFFORCE = 33
    receiver.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
    receiver.bind(("", 9000))
    print("ready", flush=True)
    numbers = []
    while True:
        number = int.from_bytes(receiver.recv(65535)[:8])
        if number >= wanted:
            break
        numbers.append(number)
        last = time.monotonic()
print(last, *numbers)
"""

SENDER = """
import socket, sys, time
address = sys.argv[1]
count, batch, ends = map(int, sys.argv[2:])
UDP_SEGMENT = 103
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    # The kernel blocks a sender whose packets fill its buffer, so the queue of the link does not
    # overflow.
    sender.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 100_000)
    if batch > 1:
        sender.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, 1000)
    print(time.monotonic())
    for first in range(0, count, batch):
        numbered = range(first, first + batch)
        sender.sendto(b"".join(number.to_bytes(8).ljust(1000) for number in numbered), (address, 9000))
    sender.setsockopt(socket.IPPROTO_UDP, UDP_SEGMENT, 0)
    for _ in range(ends):
        sender.sendto(count.to_bytes(8).ljust(1000), (address, 9000))
"""

COALESCING_RECEIVER = """
import socket
UDP_GRO = 104
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
    receiver.setsockopt(socket.IPPROTO_UDP, UDP_GRO, 1)
    receiver.bind(("", 9000))
    print("ready", flush=True)
    print(len(receiver.recv(65535)))
"""

FLOOD = """
import socket, sys
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    # Room for everything, so that the sender does not wait for the link.
    SO_SNDBUFFORCE = 32
    sender.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 64 << 20)
    for _ in range(int(sys.argv[2])):
        sender.sendto(bytes(1000), (sys.argv[1], 9000))
"""


def namespaces() -> set[str]:
    return {path.name for path in NAMESPACES.iterdir()} if NAMESPACES.is_dir() else set()


def receive(rack: Rack, place: Any, *program: str) -> subprocess.Popen[str]:
    receiver = rack.popen(
        place, [sys.executable, "-c", *program], stdout=subprocess.PIPE, text=True
    )
    assert receiver.stdout is not None
    assert receiver.stdout.readline() == "ready\n"
    return receiver


def transfer(
    rack: Rack, sender: Any, receiver: Any, count: int, batch: int = 1
) -> tuple[float, list[int]]:
    """Seconds from the start of sending to the arrival of the last packet, and the numbers of those that came."""
    target = rack.switch_address if receiver == "switch" else rack.address(receiver)
    receiving = receive(rack, receiver, RECEIVER, str(count))
    arguments = [target, *map(str, (count, batch, ends(rack)))]
    sending = rack.popen(
        sender, [sys.executable, "-c", SENDER, *arguments], stdout=subprocess.PIPE, text=True
    )
    start, _ = sending.communicate(timeout=60)
    end, *numbers = receiving.communicate(timeout=60)[0].split()
    return float(end) - float(start), [int(number) for number in numbers]


def ends(rack: Rack) -> int:
    """Return the number of times to send the end of a transfer, so that not every copy is lost."""
    return 1 if rack.link.loss == 0 else 100


@pytest.mark.parametrize(
    ("text", "rate"), [("200mbit", 200e6), ("1gbit", 1e9), ("2.5Gbit", 2.5e9), ("64kbit", 64e3)]
)
def test_a_rate_is_read_as_tc_writes_it(text: str, rate: float) -> None:
    assert bits_per_second(text) == rate


@pytest.mark.parametrize("text", ["", "fast", "200", "200mbps", "-1mbit", "0mbit"])
def test_what_is_no_rate_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="such as 200mbit"):
        bits_per_second(text)


@pytest.mark.parametrize(
    "arguments",
    [
        {"hosts": 0},
        {"hosts": 65},
        {"hosts": 2, "loss": 1.0},
        {"hosts": 2, "loss": -0.1},
        {"hosts": 2, "mtu": 9},
    ],
)
def test_arguments_out_of_range_are_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="got"):
        Rack(arguments.pop("hosts"), Link(**arguments))


def test_the_limit_counts_headers() -> None:
    # 100 Mbit/s are 12.5 MB/s, of which 1000 in 1250 bytes are payload.
    assert Rack(2, Link("100mbit")).goodput_limit(1000, 250) == pytest.approx(10e6, rel=1e-12)


def test_without_root_the_message_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    before = namespaces()
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(RackError, match="root"), Rack(2):
        pass
    assert namespaces() == before


@needs_root
@pytest.mark.parametrize(("sender", "receiver"), [(0, 1), (0, "switch"), ("switch", 1)])
@pytest.mark.parametrize("batch", [1, 50])
def test_every_direction_has_the_rate_of_one_link(sender: Any, receiver: Any, batch: int) -> None:
    count = 1000
    # Slow enough that a full bucket lasts for 29 ms: so long may a busy machine keep the kernel
    # from sending on.
    with Rack(2, Link("20mbit")) as rack:
        seconds, numbers = transfer(rack, sender, receiver, count, batch)
        # The bucket starts full, so the last packet may leave earlier than at the rate, by one
        # burst.
        wire_bytes = count * (PAYLOAD + HEADERS)
        assert seconds >= (wire_bytes - rack.link.burst_bytes) / (rack.link.rate_bps / 8)
        # Half the rate would take twice the time, less the burst.
        assert seconds < 1.8 * wire_bytes / (rack.link.rate_bps / 8)
        assert numbers == list(range(count)), "nothing is lost or overtakes"
        assert rack.dropped() == 0


@needs_root
def test_packets_cross_only_the_links_between_their_ends() -> None:
    count = 500
    with Rack(3, Link("1gbit")) as rack:
        transfer(rack, 0, 1, count)
        links = rack.links()
        sent = count + ends(rack)
        assert links["up0"] == LinkCounters(
            packets=sent, bytes=sent * (PAYLOAD + HEADERS), overflowed=0, lost=0
        )
        assert links["down1"] == links["up0"]
        assert [links[name].packets for name in ("up1", "down0", "up2", "down2")] == [0] * 4


@needs_root
def test_a_full_queue_is_counted_apart_from_loss() -> None:
    with Rack(2, Link("1mbit")) as rack:
        start = time.monotonic()
        assert rack.popen(0, [sys.executable, "-c", FLOOD, rack.address(1), "3000"]).wait(60) == 0
        seconds = time.monotonic() - start
        overflowed = rack.links()["up0"].overflowed
        # At the least what neither the queue nor the bucket took, nor the link meanwhile; at the
        # most what did not fit the queue.
        taken = BUFFER_BYTES + rack.link.burst_bytes + rack.link.rate_bps / 8 * seconds
        assert (
            0
            < 3000 - taken / (PAYLOAD + HEADERS)
            <= overflowed
            <= 3000 - BUFFER_BYTES / (PAYLOAD + HEADERS) + 1
        )
        assert rack.dropped() == 0


@needs_root
@pytest.mark.parametrize("batch", [1, 50])
def test_loss_has_its_probability_and_is_counted(batch: int) -> None:
    count, loss = 20_000, 0.05
    with Rack(2, Link("200mbit", loss=loss)) as rack:
        _, numbers = transfer(rack, 0, 1, count, batch)
        links = rack.links()
        missing = sorted(set(range(count)) - set(numbers))
        assert len(missing) <= rack.dropped() <= len(missing) + ends(rack)
        # Each of two links loses with the given probability: binomial, and six standard deviations
        # on either side.
        for link in (links["up0"], links["down1"]):
            deviation = (link.packets * loss * (1 - loss)) ** 0.5
            assert abs(link.lost - link.packets * loss) < 6 * deviation
        # Lost one by one, not in batches. With p = 1 - (1 - loss)^2 = 0.0975, a run of more than 10
        # lost packets has at most 20,000 p^11 = 1.5e-7 chances.
        run = longest = 1
        for before, after in pairwise(missing):
            run = run + 1 if after == before + 1 else 1
            longest = max(longest, run)
        assert longest <= 10


@needs_root
def test_packets_are_coalesced_behind_the_link() -> None:
    with Rack(2, Link("1gbit")) as rack:
        receiver = receive(rack, 1, COALESCING_RECEIVER)
        # The bucket is full, so these 50 packets leave one right after the other.
        assert (
            rack.popen(0, [sys.executable, "-c", SENDER, rack.address(1), "50", "50", "0"]).wait(60)
            == 0
        )
        output, _ = receiver.communicate(timeout=60)
        assert int(output) > PAYLOAD
        assert int(output) % PAYLOAD == 0


@needs_root
def test_the_seed_chooses_which_packets_are_lost() -> None:
    def received(seed: int) -> list[int]:
        with Rack(2, Link("1gbit", loss=0.1, seed=seed)) as rack:
            return transfer(rack, 0, 1, 2000)[1]

    first = received(1)
    assert received(1) == first
    assert received(2) != first


@needs_root
def test_two_racks_at_once_are_apart_and_leave_nothing() -> None:
    before = namespaces()
    with Rack(2, Link("1gbit")) as one, Rack(2, Link("1gbit")) as other:
        assert len(namespaces() - before) == 6
        transfer(one, 0, 1, 100)
        assert all(link.packets == 0 for link in other.links().values())
    assert namespaces() == before


@needs_root
def test_an_exception_leaves_nothing_and_no_process() -> None:
    before = namespaces()
    started = []

    def fail() -> None:
        with Rack(1) as rack:
            started.append(rack.popen(0, ["sleep", "600"]))
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    (sleeper,) = started
    assert namespaces() == before
    assert sleeper.returncode == -signal.SIGKILL


HOLDER = """
import sys
from bench.rack import Rack
with Rack(1) as rack:
    print(rack.popen(0, ["sleep", "600"]).pid, flush=True)
    sys.stdin.read()
"""


def holder() -> tuple[subprocess.Popen[str], int]:
    """A process that holds a rack, and the process that it has started inside."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER], cwd=ROOT, stdin=pipe, stdout=pipe, text=True
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def has_ended(pid: int) -> bool:
    """Also if its parent has not taken note of it."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


@needs_root
def test_sigterm_leaves_nothing() -> None:
    before = namespaces()
    process, sleeper = holder()
    assert namespaces() > before
    process.terminate()
    assert process.wait(30) == 128 + signal.SIGTERM
    assert namespaces() == before
    assert has_ended(sleeper)


@needs_root
def test_the_next_rack_removes_what_a_killed_one_has_left() -> None:
    before = namespaces()
    process, sleeper = holder()
    process.kill()
    process.wait()
    assert namespaces() > before, "it had no chance to remove anything"
    with Rack(1):
        assert len(namespaces() - before) == 2, "only those of the new rack"
    assert namespaces() == before
    deadline = time.monotonic() + 30
    while not has_ended(sleeper):
        assert time.monotonic() < deadline, "the process inside lives on"
        os.sched_yield()


@needs_root
def test_a_rack_of_a_living_process_is_left_alone() -> None:
    process, sleeper = holder()
    theirs = namespaces()
    with Rack(1):
        pass
    assert namespaces() >= theirs
    assert not has_ended(sleeper)
    process.communicate("", timeout=30)
    assert process.returncode == 0


def test_no_host_outside_is_addressed() -> None:
    rack = Rack(64)
    addresses = {rack.address(host) for host in range(64)} | {rack.switch_address}
    assert len(addresses) == 65
    # RFC 2544 reserves 198.18.0.0/15.
    assert all(address.startswith(f"{NETWORK}.") for address in addresses)
    assert NETWORK.startswith(("198.18.", "198.19."))
    with pytest.raises(ValueError, match="0 to 63"):
        rack.address(64)
