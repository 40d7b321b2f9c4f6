"""The torch backend when something is wrong or missing, and at the start and the end of a process."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from datetime import timedelta

import numpy as np
import pytest
import torch.distributed as dist

import netfold
import torch_faults
from netfold import _native
from netfold.call import Call
from netfold.config import Settings
from netfold.torch import rendezvous
from netfold.torch.outstanding import Outstanding
from netfold.torch.work import Submission
from team import Processes, free_address, in_threads, ranks_in
from torch_world import rendezvous_file


def run(size, body, environment=None):
    return Processes(size, body, rendezvous_file(), environment=environment)


def test_the_timeout_of_the_group_holds(switch):
    outcomes = run(2, torch_faults.late_rank, {"NETFOLD_SWITCH": switch}).join()
    assert outcomes[0].error is None, outcomes[0].trace
    futures, waited, later = outcomes[0].value
    expected = (
        "all_reduce (sum) of 10 elements of float32 was not done within 2 s, the group's timeout"
    )
    for _, message, seconds in futures:
        assert expected in message
        assert seconds < 5
    for kind, message, _ in (waited, later):
        assert kind == "CallTimeoutError", "a group that has failed takes no more calls"
        assert expected in message


def test_a_wait_may_be_shorter_than_the_group(switch):
    outcomes = run(2, torch_faults.impatient_rank, {"NETFOLD_SWITCH": switch}).join()
    assert outcomes[0].error is None, outcomes[0].trace
    kind, message, seconds = outcomes[0].value
    assert kind == "CallTimeoutError"
    assert "within 0.2 s" in message
    assert ranks_in(message) == {"1"}, "the rank that did not come is named"
    assert seconds < 5


def test_different_calls_are_reported_to_every_rank(switch):
    for outcome in run(3, torch_faults.different_sizes, {"NETFOLD_SWITCH": switch}).join():
        assert outcome.error is None, outcome.trace
        kind, message, seconds = outcome.value
        assert kind == "MismatchError"
        assert "100" in message
        assert "101" in message
        assert seconds < 5


@pytest.mark.parametrize("transport", ["udp", "shm"])
def test_no_elements_at_one_rank_are_reported_to_both(switch, transport):
    """R-STREAM-7, R-CTRL-12; equal calls without elements are done before, in the same group."""
    environment = {"NETFOLD_SWITCH": switch, "NETFOLD_TRANSPORT": transport}
    for outcome in run(2, torch_faults.empty_at_one_rank, environment).join():
        assert outcome.error is None, outcome.trace
        assert len(outcome.value) == 5
        for name, (kind, message, seconds) in outcome.value.items():
            assert kind == "MismatchError", message
            assert ranks_in(message) == {"0", "1"}, message
            assert message.count(f"{name}(") == 2, message
            assert " 0 " in message, message
            assert seconds < 5


def test_calls_that_the_switch_does_not_do_are_compared_with_those_of_others(switch):
    """R-STREAM-11, R-CTRL-12."""
    environment = {"NETFOLD_SWITCH": switch, "NETFOLD_TIMEOUT": "60"}
    for outcome in run(2, torch_faults.other_calls_elsewhere, environment).join():
        assert outcome.error is None, outcome.trace
        outcomes, seconds_to_end = outcome.value
        assert seconds_to_end < 5, "Gloo waits for nobody"
        assert len(outcomes) == len(torch_faults.PAIRS_ELSEWHERE)
        for number, calls in enumerate(torch_faults.PAIRS_ELSEWHERE):
            _, message, seconds = outcomes[number]
            for rank, call in enumerate(calls):
                assert f"rank {rank} called {call}" in message, message
            assert seconds < 5, message


def test_a_killed_rank_ends_training_elsewhere(switch):
    team = run(2, torch_faults.train_for_ever, {"NETFOLD_SWITCH": switch})
    for rank in range(2):
        team.until_noted(rank, 3)
    team.kill(1)
    killed = team.elapsed()
    survivor = team.join()[0]
    assert survivor.error is None, survivor.trace
    _, message, _ = survivor.value
    assert ranks_in(message) == {"1"}, message
    assert survivor.seconds - killed < 10


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("dies", "WorkerLostError"),
        ("stays away", "CallTimeoutError"),
        ("breaks down", "PeerLeftError"),
    ],
)
def test_a_rank_that_is_lost_within_a_sparse_sum_ends_it_elsewhere(switch, end, told):
    """R-STREAM-12: its calls are those of another job, on which the group's fate depends."""
    body, environment = torch_faults.lost_within_a_sparse_sum, {"NETFOLD_SWITCH": switch}
    outcomes = Processes(3, body, rendezvous_file(), end, environment=environment).join()
    assert (outcomes[1].exit_code == 1) == (end == "dies")
    if end != "dies":
        assert outcomes[1].error is None, outcomes[1].trace
        assert outcomes[1].value[0][0] == "ZeroDivisionError"
    others = [outcomes[0], outcomes[2]]
    for outcome in others:
        assert outcome.error is None, outcome.trace
        (_, _, seconds), (_, later, _), seconds_to_end = outcome.value
        assert seconds < 5
        assert seconds_to_end < 5
        assert ranks_in(later), "a group that has failed takes no more calls, and says why"
    # The first that waits in vain leaves, and the other may hear of that before its own time-out.
    first = [outcome.value[0][1] for outcome in others if outcome.value[0][0] == told]
    assert first if end == "stays away" else len(first) == 2, [each.value for each in others]
    assert all(ranks_in(message) == {"1"} for message in first), first


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("transport", ["udp", "shm"])
@pytest.mark.parametrize("who", [[0], [1], [0, 1]])
def test_after_ctrl_c_a_group_ends_at_once(who, transport, asynchronous):
    """The switch is rank 0's, which waits for the others to leave where a group ends in order."""
    team = Processes(
        3,
        torch_faults.interrupted,
        rendezvous_file(),
        who,
        asynchronous,
        environment={"NETFOLD_TRANSPORT": transport},
    )
    for rank, outcome in enumerate(team.join()):
        assert outcome.error is None, outcome.trace
        kind, message, seconds = outcome.value
        assert seconds < 0.8, "the group's timeout is 20 s, and that of the job 10 s"
        if rank in who:
            assert kind == "KeyboardInterrupt"
        else:
            assert kind == "WorkerLostError"
            assert ranks_in(message) <= {str(rank) for rank in who}
            assert ranks_in(message)


@pytest.mark.parametrize(
    ("asynchronous", "dtype"),
    [
        (False, "float32"),
        (True, "float32"),
        (False, "int8"),
        (True, "int8"),
        (False, "long float64"),
        (False, "sparse float32"),
    ],
)
def test_a_program_may_go_on_after_ctrl_c(switch, asynchronous, dtype):
    """R-STREAM-1: an interrupted call is made all the same."""
    body, environment = torch_faults.interrupted_and_on, {"NETFOLD_SWITCH": switch}
    team = Processes(2, body, rendezvous_file(), asynchronous, dtype, environment=environment)
    for outcome in team.join():
        assert outcome.error is None, outcome.trace


class _Interrupted:
    """A communicator whose caller's Ctrl-C arrives at the end of `submit` and of `attempt`."""

    def __init__(self, native):
        self._native = native

    def submit(self, *arguments, **options):
        self.ticket = self._native.submit(*arguments, **options)
        raise KeyboardInterrupt

    def attempt(self, *arguments, **options):
        self._native.attempt(*arguments, **options)
        raise KeyboardInterrupt

    def __getattr__(self, name):
        return getattr(self._native, name)


def test_no_call_is_left_with_memory_that_nobody_keeps(switch):
    native = _Interrupted(
        _native.Communicator(switch=switch, job="interrupted submit", rank=0, size=1)
    )
    outstanding = Outstanding(native, _native.DirectCalls(), "interrupted")
    array = np.ones(4, np.float32)
    call = Call("all_reduce", "sum", "f32", 0, 4, array.ctypes.data, array.ctypes.data)
    submission = Submission(call, [], [], 5.0)
    with pytest.raises(KeyboardInterrupt):
        outstanding.add(submission, waits=True)
    assert native.test(native.ticket), "the call is over before its memory may be freed"
    with pytest.raises(netfold.NetfoldError, match=r"all_reduce \(sum\) was interrupted"):
        outstanding.add(submission, waits=True)
    outstanding.close("the test is over")


class _Lent:
    """A loan whose result comes to its place."""

    def __init__(self):
        self.finished = threading.Event()

    def finish(self):
        self.finished.set()


@pytest.mark.parametrize("size", [1, 2])
def test_a_call_that_is_interrupted_at_once_ends_with_its_result(switch, size):
    """The call is done when Ctrl-C arrives with one rank, and has begun with two."""
    job = {"switch": switch, "job": f"interrupted attempt of {size}", "size": size}
    joined = in_threads(size, lambda rank: _native.Communicator(rank=rank, **job))
    native, *others = [outcome.value for outcome in joined]
    direct, loan = _native.DirectCalls(), _Lent()
    outstanding = Outstanding(_Interrupted(native), direct, "interrupted")

    def call(array):
        return Call("all_reduce", "sum", "f32", 0, 4, array.ctypes.data, array.ctypes.data)

    array = np.ones(4, np.float32)
    with pytest.raises(KeyboardInterrupt):
        outstanding.run(Submission(call(array), [loan], [], 20.0))
    assert loan.finished.is_set() == (size == 1)
    assert outstanding.failure is None, "the group goes on"
    for other in others:
        other.run(*call(np.ones(4, np.float32)), timeout=20.0)
    assert loan.finished.wait(20)
    assert array.tolist() == [size] * 4
    outstanding.close("the test is over")
    for other in others:
        other.close()


def test_strict_gathers_what_the_switch_does_not_fold(switch):
    for outcome in run(
        2, torch_faults.strict, {"NETFOLD_SWITCH": switch, "NETFOLD_STRICT": "1"}
    ).join():
        assert outcome.error is None, outcome.trace
        folded, (kind, message, _) = outcome.value
        assert folded == [{3}, {1.5}, {6}]
        assert kind == "UnsupportedError", "there are no bits of floats"
        assert "bor is an operation of integers" in message


def test_parts_that_differ_between_ranks_end_a_fold_at_the_workers(switch):
    for outcome in run(2, torch_faults.uneven_parts, {"NETFOLD_SWITCH": switch}).join():
        assert outcome.error is None, outcome.trace
        for _, message, seconds in outcome.value:
            assert ranks_in(message) == {"0", "1"}, message
            assert seconds < 5


def test_without_a_switch_rank_0_runs_one_and_says_so():
    outcomes = run(3, torch_faults.embedded).join()
    for rank, outcome in enumerate(outcomes):
        assert outcome.error is None, outcome.trace
        assert outcome.exit_code == 0
        value, lines = outcome.value
        assert value == 6, "three ranks, then twice that in the sub-group of rank 1"
        announced = [
            line for line in lines if "runs a switch inside its process, at 127.0.0.1:" in line
        ]
        assert len(announced) == (1 if rank == 0 else 0)


def test_groups_can_be_made_again():
    for outcome in run(2, torch_faults.again).join():
        assert outcome.error is None, outcome.trace
        assert outcome.value == "done"


def test_a_switch_that_is_not_there_is_named():
    address = free_address()
    for outcome in run(2, torch_faults.no_switch, {"NETFOLD_SWITCH": address}).join():
        assert outcome.error is None, outcome.trace
        kind, message, _ = outcome.value
        assert kind == "JoinError"
        assert address in message


SCRIPT = """
import pathlib, sys, torch, torch.distributed as dist
dist.init_process_group("netfold")
tensor = torch.ones(10)
dist.all_reduce(tensor)
assert torch.all(tensor == dist.get_world_size())
pathlib.Path(sys.argv[1], f"done-{dist.get_rank()}").touch()
dist.destroy_process_group()
"""


def test_torchrun_needs_no_import(tmp_path):
    """The wheel's entry point registers the backend, and torchrun's own store carries the rendezvous."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node=2",
        str(script),
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.glob("done-*")) == ["done-0", "done-1"]


# The rendezvous alone, without processes: rank 0's side of the store is written by hand.


def proposal(monkeypatch, plan, settings, host="here"):
    store = dist.HashStore()
    store.add(rendezvous._ARRIVED, 1)
    dist.PrefixStore("netfold/0/", store).set(rendezvous._PLAN, plan)
    monkeypatch.setattr(rendezvous.socket, "gethostname", lambda: host)
    return rendezvous.Rendezvous(store, 1, 2, timedelta(seconds=5), settings)


EMBEDDED = '{"job": "j", "embedded": "yes", "switch": "127.0.0.1:7", "host": "there", "listen": "127.0.0.1:0"}'


def test_another_host_is_told_how_to_reach_a_switch(monkeypatch):
    with pytest.raises(
        netfold.ConfigurationError,
        match=r"loopback interface of there, which here cannot reach.*NETFOLD_SWITCH.*NETFOLD_LISTEN",
    ):
        proposal(monkeypatch, EMBEDDED, Settings())


def test_another_host_uses_a_switch_that_listens_for_it(monkeypatch):
    plan = EMBEDDED.replace('"127.0.0.1:0"', '"0.0.0.0:0"').replace("127.0.0.1:7", "there:7")
    found = proposal(monkeypatch, plan, Settings())
    assert (found.job, found.switch) == ("j", "there:7")
    found.stop()


def test_a_switch_that_only_some_ranks_know_is_refused(monkeypatch):
    with pytest.raises(
        netfold.ConfigurationError, match="NETFOLD_SWITCH=far:1, but rank 0 has none"
    ):
        proposal(monkeypatch, EMBEDDED, Settings(switch="far:1"))


def test_a_rank_may_know_the_switch_by_its_own_name(monkeypatch):
    plan = '{"job": "j", "switch": "near:1"}'
    assert proposal(monkeypatch, plan, Settings(switch="far:1")).switch == "far:1"
    assert proposal(monkeypatch, plan, Settings()).switch == "near:1"


def test_the_trouble_of_rank_0_reaches_the_others(monkeypatch):
    with pytest.raises(
        netfold.JoinError, match="rank 0 could not start or choose a switch: no memory"
    ):
        proposal(monkeypatch, '{"error": "no memory"}', Settings())


def test_missing_ranks_are_counted_and_named():
    store = dist.HashStore()

    def come(rank: int) -> None:
        rendezvous.Rendezvous(store, rank, 4, timedelta(seconds=1), Settings())

    for rank, outcome in enumerate(in_threads(2, come)):
        assert outcome.error == "JoinError", outcome.trace
        # Whose time is over first goes first.
        assert re.search(r"[12] of 4 ranks came within 1 s", outcome.message), outcome.message
        assert ranks_in(outcome.message) - {str(1 - rank)} == {"2", "3"}


@pytest.mark.parametrize(("rank", "other", "says"), [(1, 2, True), (2, 1, False)])
def test_the_lowest_rank_says_once_for_whom_it_waits(monkeypatch, caplog, rank, other, says):
    monkeypatch.setattr(rendezvous, "_QUIET", timedelta(seconds=0.2))
    store = dist.HashStore()
    store.add(rendezvous._ARRIVED, 1)
    dist.PrefixStore("netfold/0/", store).add(f"{rendezvous._CAME}{other}", 1)
    with caplog.at_level("WARNING", logger="netfold"), pytest.raises(netfold.JoinError):
        rendezvous.Rendezvous(store, rank, 20, timedelta(seconds=0.5), Settings())
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == says
    for line in said:
        assert ranks_in(line) == {"0", *map(str, range(3, 18))}
        assert "and 2 more to come to the group" in line


def test_the_host_of_a_switch_waits_for_the_others_to_leave():
    store = dist.HashStore()
    store.add(rendezvous._ARRIVED, 1)
    host = rendezvous.Rendezvous(store, 0, 2, timedelta(seconds=5), Settings())
    leaving = threading.Thread(target=host.leave, args=(30.0,))
    leaving.start()
    with netfold.connect(switch=host.switch, job="still up", rank=0, size=1):
        assert leaving.is_alive()
        dist.PrefixStore("netfold/0/", store).set(rendezvous._ALL_LEFT, "")
    leaving.join(10)
    assert not leaving.is_alive()
    with pytest.raises(netfold.JoinError):
        netfold.connect(switch=host.switch, job="down", rank=0, size=1)
