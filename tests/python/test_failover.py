"""Switches are killed and restarted, and jobs go on at others with the same results (R-RES)."""

from __future__ import annotations

import signal
import subprocess
import threading

import numpy as np
import pytest

import netfold
import torch_failover
from team import Processes, free_address, in_threads, kept_address, running, values
from torch_world import rendezvous_file

WORKERS = 3
CALLS = 120
ELEMENTS = 30_000


class Progress:
    """Calls that all workers together have made, for whoever waits for it."""

    def __init__(self) -> None:
        self._made = 0
        self._changed = threading.Condition()

    def step(self) -> None:
        """One call more."""
        with self._changed:
            self._made += 1
            self._changed.notify_all()

    def wait_for(self, share: float) -> None:
        """Wait until this share of all calls has been made."""
        with self._changed:
            assert self._changed.wait_for(lambda: self._made >= share * WORKERS * CALLS, 60)


@pytest.mark.parametrize("transport", ["udp", None])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_switches_are_restarted_one_after_the_other(
    transport: str | None, how: signal.Signals
) -> None:
    """The first switch goes and comes back, then the second goes. No call fails, and no sum is off
    by a bit.
    """
    rows = np.random.default_rng(5).integers(-1000, 1000, (WORKERS, ELEMENTS), dtype=np.int32)
    noise = np.random.default_rng(6).standard_normal((WORKERS, ELEMENTS), dtype=np.float32)
    progress, back, told = Progress(), threading.Event(), threading.Event()
    # However slowly a switch starts, there are calls to make when the second one goes.
    gates = {CALLS // 2: back, CALLS * 3 // 4: told}
    with running(listen=kept_address()) as (first, at_first), running() as (second, at_second):

        def work(rank: int) -> list[bytes]:
            switches = f"{at_first}, {at_second}"
            with netfold.connect(
                switch=switches,
                job="rolling",
                rank=rank,
                size=WORKERS,
                transport=transport,
                timeout=5,
            ) as comm:
                results = []
                for number in range(CALLS):
                    assert number not in gates or gates[number].wait(60)
                    np.testing.assert_array_equal(
                        comm.all_reduce(rows[rank] + number), rows.sum(axis=0) + WORKERS * number
                    )
                    results.append(comm.all_reduce(noise[rank] * (number + 1)).tobytes())
                    progress.step()
                return results

        def restart() -> None:
            progress.wait_for(0.25)
            first.send_signal(how)
            first.wait()
            with running(listen=at_first):
                back.set()
                progress.wait_for(0.6)
                second.send_signal(how)
                told.set()
                progress.wait_for(1)

        restarting = threading.Thread(target=restart)
        restarting.start()
        results = values(in_threads(WORKERS, work))
        restarting.join()
    assert results[1:] == results[:1] * (WORKERS - 1)


def test_a_training_does_not_notice() -> None:
    """DDP in block arithmetic, where sums do not depend on any order: the model is the same as
    without a loss.
    """

    def trained(switches: str, disturb: object) -> list[str]:
        team = Processes(
            2,
            torch_failover.train,
            rendezvous_file(),
            environment={"NETFOLD_SWITCH": switches, "NETFOLD_TIMEOUT": "5"},
        )
        disturb(team)
        return values(team.join())

    with running() as (first, at_first), running() as (_, at_second):

        def kill(team: Processes) -> None:
            team.until_noted(0, 10)
            first.kill()

        with_a_loss = trained(f"{at_first},{at_second}", kill)
        without = trained(at_second, lambda team: None)
    assert with_a_loss == without
    assert with_a_loss[0] == with_a_loss[1]


def call_for_ever(comm: netfold.Communicator) -> None:
    """Make calls until one fails."""
    while True:
        comm.barrier()


def test_without_a_standby_the_error_is_plain() -> None:
    """R-CTRL-7: it names the switch that is lost; and with standbys that are not there, them too
    (R-RES-7).
    """
    nowhere = free_address()
    for others in ([], [nowhere]):
        with running() as (process, address):

            def work(
                rank: int,
                switches: str = ",".join([address, *others]),
                process: subprocess.Popen[str] = process,
            ) -> str:
                with netfold.connect(
                    switch=switches, job="plain", rank=rank, size=1, timeout=1
                ) as comm:
                    comm.barrier()
                    process.kill()
                    with pytest.raises(netfold.SwitchLostError) as caught:
                        call_for_ever(comm)
                    return str(caught.value)

            message = values(in_threads(1, work))[0]
        assert address in message
        assert all(other in message or "could not go on elsewhere" in message for other in others)


def test_a_switch_that_comes_back_is_waited_for() -> None:
    """One switch alone, and a job that asks to wait for it."""
    progress = Progress()
    with running(listen=kept_address()) as (process, address):

        def work(rank: int) -> list[float]:
            with netfold.connect(
                switch=address, job="patient", rank=rank, size=WORKERS, timeout=5, resumable=True
            ) as comm:
                sums = []
                for number in range(CALLS):
                    sums.append(float(comm.all_reduce(np.full(1000, number, np.int32))[7]))
                    progress.step()
                return sums

        def restart() -> None:
            progress.wait_for(0.5)
            process.kill()
            process.wait()
            with running(listen=address):
                progress.wait_for(1)

        restarting = threading.Thread(target=restart)
        restarting.start()
        sums = values(in_threads(WORKERS, work))
        restarting.join()
    assert sums == [[WORKERS * number for number in range(CALLS)]] * WORKERS
