"""Messages about a wrong value: they name the value, the values allowed, and the job."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading

import pytest

import netfold
from netfold import _native

BAD = [
    ("rank", -1, "from 0 to"),
    ("rank", 70_000, "from 0 to"),
    ("rank", 2, "2"),
    ("rank", "zero", "from 0 to"),
    ("size", 0, "0"),
    ("size", -3, "from 1 to"),
    ("size", 10**30, "from 1 to"),
    ("slots", 0, "a power of two"),
    ("slots", 3, "a power of two"),
    ("slots", -8, "a power of two"),
    ("slots", 10**9, "a power of two"),
    ("packet_elements", 100, "a multiple of 8"),
    ("weight", 0, "from 1 to 100"),
    ("weight", 101, "from 1 to 100"),
    ("timeout", -1.0, "time-out"),
    ("timeout", 0.001, "time-out"),
    ("timeout", 1e300, "time-out"),
    ("timeout", float("nan"), "time-out"),
    ("call_timeout", -1.0, "call_timeout"),
    ("call_timeout", float("inf"), "call_timeout"),
    ("arithmetic", "blok", "block"),
    ("transport", "upd", "udp"),
    ("protocol", "shadwo", "shadow"),
    ("byte_order", "big", "network"),
    ("integrity", "none", "checksum"),
    ("overflow", "wrap", "native"),
    ("job", "two\nlines", "job"),
]


@pytest.mark.parametrize(
    ("name", "value", "hint"), BAD, ids=[f"{name}={value!r}" for name, value, _ in BAD]
)
def test_a_bad_value_is_shown_with_what_it_may_be(switch, name, value, hint):
    settings = {"job": "bad", "rank": 0, "size": 2, name: value}
    with pytest.raises((netfold.ConfigurationError, netfold.JoinError)) as refused:
        netfold.connect(switch=switch, **settings)
    message = str(refused.value)
    shown = value if isinstance(value, str) and value.isprintable() else repr(value).strip("'")
    assert str(shown).lower().replace("e+", "e") in message.lower(), message
    assert hint in message
    assert message.isprintable(), "control characters are escaped"


def test_a_worker_says_for_whom_it_waits(switch, caplog):
    told = threading.Event()

    class Handler(logging.Handler):
        def emit(self, record):
            told.set()

    handler = Handler()
    logging.getLogger("netfold").addHandler(handler)
    connected = {}

    def connect(rank):
        connected[rank] = netfold.connect(switch=switch, job="patient", rank=rank, size=3)

    threads = [threading.Thread(target=connect, args=(rank,)) for rank in range(3)]
    try:
        with caplog.at_level(logging.WARNING, "netfold"):
            threads[1].start()
            assert told.wait(30)
    finally:
        for rank in (0, 2):
            threads[rank].start()
        for thread in threads:
            thread.join(60)
        logging.getLogger("netfold").removeHandler(handler)
    assert len(connected) == 3
    for communicator in connected.values():
        communicator.close()
    assert (
        "rank 1 of the job 'patient': 1 of 3 workers have joined; waiting for rank 0, 2"
        in caplog.text
    )


def run(*command, **environment):
    return subprocess.run(
        command, env=os.environ | environment, capture_output=True, text=True, timeout=60
    )


def test_a_misspelt_variable_is_told_with_the_nearest_one():
    program = (
        "import netfold.config as c; c.Settings.from_environment(); c.Settings.from_environment()"
    )
    python = run(sys.executable, "-c", program, NETFOLD_TRANSPROT="udp")
    command = run("netfold", "ctl", "jobs", "--switch", "127.0.0.1:1", NETFOLD_TRANSPROT="udp")
    for done in (python, command):
        warned = [line for line in done.stderr.splitlines() if "NETFOLD_TRANSPROT" in line]
        assert len(warned) == 1, done.stderr
        assert "did you mean NETFOLD_TRANSPORT?" in warned[0]


def test_the_module_becomes_the_command_with_its_exit_status():
    shown = run(sys.executable, "-m", "netfold", "--version")
    assert (shown.returncode, shown.stdout.split()[0]) == (0, "netfold")
    assert run(sys.executable, "-m", "netfold", "swich").returncode == 2


def test_a_command_that_is_missing_is_told_with_how_to_install_it(tmp_path):
    nowhere = tmp_path / "python"
    program = f"import sys; sys.executable = {str(nowhere)!r}; from netfold.__main__ import main; sys.exit(main())"
    refused = run(sys.executable, "-c", program, PATH=str(tmp_path))
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "cargo install --locked --path crates/cli" in refused.stderr


def test_a_switch_without_memory_is_refused():
    done = run("netfold", "switch", "--listen", "127.0.0.1:0", "--memory", "0")
    assert done.returncode != 0
    assert "0" in done.stderr
    assert "--memory" in done.stderr
    with pytest.raises(netfold.NetfoldError, match="memory"):
        _native.Switch(listen="127.0.0.1:0", memory="0")
