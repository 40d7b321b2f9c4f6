"""Tables of several processes: what ends under training, and what is refused, by name."""

from __future__ import annotations

import itertools
import os
import re
import threading
import time
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

import netfold
from children import forked
from netfold import _native
from netfold.sparse import FollowDrift, HotColdEmbedding, HotColdEmbeddingBag
from sparse_servers import ServerProcess, ctl
from sparse_tables import DIM, ROWS, Batches, hot_set, trained
from team import LIMIT_S, Processes, ctrl_c_in, free_address, gates, running, values

STEPS, RATE = 30, 0.25

TOLERANCE = STEPS * 8 * 2.0**-20
"""Each step rounds a number of at most 8 in a few operations, whose order is the server's."""

pytestmark = pytest.mark.skipif(
    not hasattr(_native, "SparseTable"), reason="this build has no native tables"
)


@pytest.fixture
def server():
    with ServerProcess() as running_server:
        yield running_server


def opened(rank: int, size: int, server: str, **options: Any) -> HotColdEmbeddingBag:
    given = {
        "mode": "sum",
        "optimizer": {"name": "sgd", "lr": RATE},
        "consistency": "sync",
        "name": "table",
        **options,
    }
    return HotColdEmbeddingBag(ROWS, DIM, rank=rank, workers=size, servers=[server], **given)


def member(
    rank: int, note: Any, size: int, server: str, stops: dict[int, Any], options: dict[str, Any]
) -> dict:
    """A worker that trains."""
    module = opened(rank, size, server, **options)
    before = module.state_dict()["weight"].numpy().copy()
    steps = itertools.count(1)

    def step() -> None:
        module.step()
        gate = stops.get(next(steps))
        if gate is not None:
            note("stopped")
            assert gate.wait(LIMIT_S)

    trained(module, Batches(steps=STEPS), step, rank, size)
    after = module.state_dict()["weight"].numpy().copy()
    stats = module.stats()
    module.close()
    return {"before": before, "after": after, "at_switch": stats["at_switch"]}


def check(states: list[dict]) -> None:
    """The rows are those of a single process with all batches together."""
    single = nn.EmbeddingBag(ROWS, DIM, mode="sum")
    single.load_state_dict({"weight": torch.from_numpy(states[0]["before"])})
    alone = torch.optim.SGD(single.parameters(), lr=RATE)
    trained(single, Batches(steps=STEPS), lambda: (alone.step(), alone.zero_grad()))
    expected = single.weight.detach()
    for state in states:
        found = torch.from_numpy(state["after"])
        torch.testing.assert_close(found, expected, rtol=0, atol=TOLERANCE)
    assert np.abs(expected.numpy() - states[0]["before"]).max() > 0.1, "the test trains"


def test_a_server_that_is_killed_under_training_changes_no_number(tmp_path):
    """R-SERVE-2, R-SERVE-8: `kill -9`, and another process over the same folder, three times."""
    stops = gates(3, 10, 20)
    with ServerProcess(tmp_path) as server:
        team = Processes(2, member, 2, server.address, stops, {})
        for count, gate in enumerate(stops.values(), 1):
            for rank in range(2):
                team.until_noted(rank, count)
            gate.set()
            server.kill()
            server.start()
        states = values(team.join())
    check(states)


def test_a_switch_that_is_killed_leaves_the_servers_alone(server):
    """R-KEY-10: training goes on without it, with the same numbers, and the doctor says so."""
    with running() as (process, switch):
        options = {"switch": switch, "hot": hot_set(0, 1, 2, 5)}
        stops = gates(10)
        team = Processes(2, member, 2, server.address, stops, options)
        for rank in range(2):
            team.until_noted(rank)
        status, jobs = ctl("jobs", NETFOLD_SWITCH=switch)
        assert status == 0
        assert "drained" in jobs, jobs
        stops[10].set()
        process.kill()
        states = values(team.join())
    assert not any(state["at_switch"] for state in states)
    check(states)
    _, doctor = ctl("doctor", NETFOLD_SERVERS=server.address)
    assert "hot rows are at the servers alone" in doctor, doctor


def stops_after_a_step(rank: int, note: Any, size: int, server: str) -> None:
    """Three steps, of which rank 1 makes one."""
    module = opened(rank, size, server, timeout=6.0)
    keys, _ = Batches().of(0, rank, size)
    for _ in range(3):
        module(keys).sum().backward()
        module.step()
        note("step")
        if rank == 1:
            threading.Event().wait()


def test_a_worker_that_is_killed_is_named_and_ends_the_wait(server):
    """R-SERVE-5: a synchronous step waits for it, until the time-out."""
    team = Processes(2, stops_after_a_step, 2, server.address)
    team.until_noted(1, 1)
    team.until_noted(0, 2)
    team.kill(1)
    deadline = time.monotonic() + LIMIT_S
    doctor = ""
    while "have not ended" not in doctor:
        assert time.monotonic() < deadline, doctor
        _, doctor = ctl("doctor", NETFOLD_SERVERS=server.address)
    assert "step 1, which ranks 1 have not ended" in doctor, doctor
    assert "ranks 1 are not connected: start them again" in doctor, doctor
    outcome = team.join()[0]
    assert outcome.error == "CallTimeoutError", outcome.trace
    assert "waits for all workers to end earlier steps" in outcome.message


def follows_and_stops(rank: int, note: Any, size: int, server: str, switch: str) -> None:
    """Two steps, of which rank 1 makes one; then they look at the heat together."""
    module = opened(
        rank,
        size,
        server,
        consistency="async",
        hot=hot_set(0, 1),
        switch=switch,
        follow=FollowDrift(every=2, memory=1 << 10),
        timeout=3.0,
    )
    for _ in range(2):
        module(Batches().of(0, rank, size)[0]).sum().backward()
        if rank == 1:
            note("first")
            threading.Event().wait()
        module.step()
    raise AssertionError("rank 1 is not waited for")


def test_a_worker_that_is_killed_ends_the_look_at_the_heat(server, switch):
    """R-HOT-10: the loss is told with the rank, within the time-out."""
    team = Processes(2, follows_and_stops, 2, server.address, switch)
    team.until_noted(1, 1)
    killed = time.monotonic()
    team.kill(1)
    outcome = team.join()[0]
    # The time-out is three seconds, and processes end under load.
    assert time.monotonic() - killed < 15
    assert outcome.error == "WorkerLostError", outcome.trace
    assert re.search(r"\b(rank|worker) 1\b", outcome.message), outcome.message


def test_a_server_that_stays_away_is_named():
    """R-SERVE-2: a call raises after the time-out, and is made again when the server is back."""
    with ServerProcess() as server:
        # Longer than the pause between two attempts to connect, which is a second.
        module = opened(0, 1, server.address, timeout=2.0, name="away")
        module.flush()
        server.kill()
        with pytest.raises(netfold.ServerLostError, match="--data") as caught:
            module.flush()
        assert caught.value.address == server.address
        assert server.address in str(caught.value)
        # Its rows were in memory, and nothing of this worker's was stored.
        server.start()
        module.flush()
        module.close()


def test_a_server_that_has_lost_its_rows_is_named():
    """R-SERVE-2: what it had acknowledged is not there any more."""
    with ServerProcess() as server:
        module = opened(0, 1, server.address, name="lost")
        module(torch.tensor([[1, 2]])).sum().backward()
        module.step()
        module.flush()
        server.kill()
        server.start()
        with pytest.raises(netfold.ServerLostError, match="has lost rows") as caught:
            module.flush()
        assert caught.value.address == server.address


def test_a_server_that_is_not_there_is_named():
    address = free_address()
    with pytest.raises(netfold.JoinError, match=f"netfold server --listen {address}"):
        opened(0, 1, address, timeout=0.5)


def test_widths_that_differ_between_ranks_are_named(server):
    one = opened(0, 2, server.address)
    with pytest.raises(netfold.ConfigurationError, match=r"rank 1 has width 5, rank 0 has 4"):
        HotColdEmbedding(
            ROWS,
            DIM + 1,
            rank=1,
            workers=2,
            servers=[server.address],
            name="table",
            consistency="sync",
            optimizer={"name": "sgd", "lr": RATE},
        )
    one.close()


def test_a_hot_set_larger_than_the_switchs_memory_is_named(server):
    """R-KEY-1: the switch says how much is needed, and how much there is."""
    rows = 1 << 16
    with running("--memory", "1MiB") as (_, switch):
        hot = hot_set(*range(rows))
        with pytest.raises(netfold.JoinError, match=r"memory") as caught:
            HotColdEmbedding(
                rows, 16, rank=0, workers=1, hot=hot, switch=switch, servers=[server.address]
            )
    # Two copies of rows of 16 numbers are more than this.
    needed = [int(number) for number in re.findall(r"\d+", str(caught.value)) if len(number) > 5]
    assert max(needed) >= 2 * rows * 16 * 4, str(caught.value)


def test_a_key_out_of_range_and_an_optimizer_that_is_not_linear_are_named(server, switch):
    module = opened(0, 1, server.address, name="range")
    for key in (-1, ROWS):
        with pytest.raises(netfold.KeyRangeError, match=f"key {key} is not one of the {ROWS}"):
            module(torch.tensor([[key]]))
    module.close()
    with pytest.raises(
        netfold.ConfigurationError, match="only plain SGD and sums can use, not adam"
    ):
        opened(
            0,
            1,
            server.address,
            optimizer="adam",
            hot=hot_set(1),
            switch=switch,
            resident=True,
            consistency="async",
        )


def test_a_fork_is_refused_and_the_parent_goes_on(server):
    module = opened(0, 1, server.address, name="fork")
    keys = torch.tensor([[1, 2]])
    before = module(keys).detach()

    def child() -> None:
        with pytest.raises(netfold.ForkedError, match=str(os.getppid())):
            module(keys)
        module.close()

    assert forked(child) == 0
    module(keys).sum().backward()
    module.step()
    # A bag of two rows, each of which has lost the rate.
    torch.testing.assert_close(module(keys).detach(), before - 2 * RATE)
    module.close()


def test_ctrl_c_ends_a_wait_and_the_table_goes_on(server):
    """A pull that waits for another rank."""
    modules = [opened(rank, 2, server.address, name="interrupted") for rank in range(2)]
    keys = torch.tensor([[1, 2]])
    modules[0](keys).sum().backward()
    modules[0].step()
    with ctrl_c_in("_pulled") as pressed, pytest.raises(KeyboardInterrupt):
        modules[0](keys)
    # It looks every tenth of a second; the time-out is ten seconds.
    assert time.monotonic() - pressed[0] < 5
    modules[1].step()
    assert modules[0](keys).shape == (1, DIM)
    for module in modules:
        module.close()
