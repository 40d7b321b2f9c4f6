"""Shares of a link: plans, figures, marks in the emulated rack, and jobs and TCP there (R-ECN)."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bench.plan import Case, PlanError, Sharing, parse
from bench.rack import Link, Rack
from bench.sharing import Carried, Round, measure

PAYLOAD = 1000
ON_LINK = PAYLOAD + 8 + 20 + 14
"""Bytes of a packet with UDP, IPv4 and Ethernet headers."""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="an emulated rack needs root")
needs_netfold = pytest.mark.skipif(
    shutil.which("netfold") is None and not Path(sys.executable).with_name("netfold").exists(),
    reason="there is no netfold command; `make build` makes one",
)

RECEIVER = """
import socket, sys
count = int(sys.argv[1])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
    SO_RCVBUFFORCE = 33
    receiver.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, 64 << 20)
    receiver.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
    receiver.bind(("", 9000))
    print("ready", flush=True)
    for _ in range(count):
        _, control, _, _ = receiver.recvmsg(65535, 64)
        print(control[0][2][0] & 3, end=" ")
"""

SENDER = """
import socket, sys
address, count, tos = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
    SO_SNDBUFFORCE = 32
    sender.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 64 << 20)
    sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
    for _ in range(count):
        sender.sendto(bytes(1000), (address, 9000))
"""

GOOD: dict[str, Any] = {
    "measure": "sharing",
    "title": "who gets what",
    "rate": "1gbit",
    "mark_bytes": 50_000,
    "settle_s": 1,
    "seconds": 2,
    "rounds": 3,
    "case": [
        {"name": "both", "weights": [1, 2], "flows": 1},
        {"name": "none", "weights": [1], "marks": False},
    ],
}


def test_a_plan_says_what_it_says() -> None:
    cases = (Case("both", (1, 2), 1, True), Case("none", (1,), 0, False))
    assert parse("good", GOOD, "good.toml") == Sharing(
        "good", "who gets what", "1gbit", 50_000, 1, 2, 3, cases
    )


@pytest.mark.parametrize(
    ("key", "value", "what"),
    [
        ("weights", [0], "from 1 to 100"),
        ("weights", [101], "from 1 to 100"),
        ("weights", [True], "from 1 to 100"),
        ("weights", [], "neither jobs nor flows"),
        ("flows", 17, "from 0 to 16"),
        ("marks", 1, "true or false"),
        ("queue", 1, "unknown key"),
    ],
)
def test_what_is_wrong_with_a_case_is_said(key: str, value: Any, what: str) -> None:
    content = copy.deepcopy(GOOD)
    content["case"][1][key] = value
    with pytest.raises(PlanError, match=what) as error:
        parse("bad", content, "bad.toml")
    assert f"bad.toml: case 2.{key}" in str(error.value)


def test_what_is_carried_between_two_notes_is_carried_evenly() -> None:
    carried = Carried()
    for at, total in ((10, 0), (12, 400), (13, 400), (15, 1000)):
        carried.note(at, total)
    # 200 a second, nothing, 300 a second.
    assert carried.rate(11, 14) == pytest.approx((200 + 0 + 300) / 3)
    assert carried.rate(12, 13) == 0


def test_jain_counts_parts_by_weight() -> None:
    case = Case("both", (1, 2), 1, True)
    assert Round([0.25, 0.5, 0.25], []).jain(case) == pytest.approx(1)
    # Parts of 1, 0 and 0: a third.
    assert Round([1.0, 0.0, 0.0], []).jain(case) == pytest.approx(1 / 3)


@needs_root
@pytest.mark.parametrize(("tos", "heeds"), [(2, True), (1, True), (0, False)])
def test_packets_above_the_threshold_are_marked_if_their_sender_heeds_it(
    tos: int, heeds: bool
) -> None:
    count, mark_bytes = 400, 200_000
    with Rack(2, Link("1mbit", mark_bytes=mark_bytes)) as rack:
        receiver = rack.popen(
            1, [sys.executable, "-c", RECEIVER, str(count)], stdout=subprocess.PIPE, text=True
        )
        assert receiver.stdout is not None
        assert receiver.stdout.readline() == "ready\n"
        assert (
            rack.popen(
                0, [sys.executable, "-c", SENDER, rack.address(1), str(count), str(tos)]
            ).wait(60)
            == 0
        )
        marks = [int(mark) for mark in receiver.communicate(timeout=60)[0].split()]
    assert len(marks) == count, "nothing is dropped"
    # A packet that finds as much as the burst and the threshold before it is the last without a
    # mark; meanwhile the link takes what it can in the second that the sender may need at the most.
    first = (mark_bytes + rack.link.burst_bytes) // ON_LINK + 1
    taken = rack.link.rate_bps / 8 // ON_LINK + 1
    marked = [index for index, mark in enumerate(marks) if mark == 3]
    if not heeds:
        assert marks == [tos] * count
        return
    assert first <= marked[0] <= first + taken
    assert marked == list(range(marked[0], count)), "the queue only grows"
    assert set(marks[: marked[0]]) == {tos}


@needs_root
@needs_netfold
def test_two_jobs_and_tcp_share_a_link() -> None:
    """R-ECN-3, R-ECN-4, loosely: processes that wait for cores have longer round trips than TCP in
    the kernel.

    `conformance/tests/suite/sharing.rs` has the bounds. Here no job has less than a third of an
    equal share, and the jobs, which wait for cores alike, are nearer to each other: if one had
    twice as much, Jain's index would be 0.9.
    """
    case = Case("all", (1, 1), 1, True)
    plan = Sharing("test", "", "200mbit", 125_000, 3, 4, 1, (case,))
    [[row]] = measure(plan).rounds
    assert min(row.shares) > 1 / 9, row.shares
    assert max(row.shares[:2]) < 2 * min(row.shares[:2]), row.shares
    assert sum(row.shares) > 0.8, row.shares
