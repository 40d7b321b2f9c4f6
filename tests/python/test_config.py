"""Settings: every one of `spec/settings.toml` has an effect where it says so, and what cannot be is
named. The specification is read here anew, without the generated code.
"""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

import netfold
from netfold import _native
from netfold.config import Settings

SPEC = Path(__file__).parents[2] / "spec" / "settings.toml"
SETTINGS = {setting["key"]: setting for setting in tomllib.loads(SPEC.read_text())["setting"]}
UNITS = {"duration": "_s", "bytes": "_bytes"}

OURS = [key for key in SETTINGS if {"connect", "tables", "torch"} & set(SETTINGS[key]["read_by"])]
"""The settings that the package reads."""


def other(key, folder):
    """A value that is not the default, and that value as it is resolved."""
    if key == "token_file":
        secret = folder / "token"
        secret.write_text("of a file\n")
        return str(secret), str(secret)
    if key == "config":
        file = folder / "settings.toml"
        file.write_text("weight = 7\nswitch = 'named:1'\nservers = 'named:2'\n")
        return str(file), None
    match SETTINGS[key]["type"]:
        case "bool":
            return "1", True
        case "duration":
            return "2.5", 2.5
        case "bytes":
            return "3MiB", 3 << 20
        case "whole":
            return "64", 64
        case "choice":
            return (SETTINGS[key]["values"][-1],) * 2
        case "address" | "addresses":
            return ("[2001:db8::1]:7",) * 2
        case "cores":
            return "0,2-3", "0,2,3"
        case "secret":
            return ("other",) * 2
        case "text":
            return ("debug",) * 2
        case "path":
            return (str(folder),) * 2
    raise AssertionError(f"{key} has no value in this test")


def test_an_empty_environment_gives_the_defaults():
    assert Settings.from_environment({}) == Settings()
    assert Settings.from_environment({"NETFOLD_SWITCH": "", "NETFOLD_STRICT": " "}) == Settings()


@pytest.mark.parametrize("key", [key for key in OURS if key not in ("config", "token_file")])
def test_every_variable_sets_its_field_and_no_other(key, tmp_path):
    value, resolved = other(key, tmp_path)
    found = vars(Settings.from_environment({f"NETFOLD_{key.upper()}": value}))
    field = key + UNITS.get(SETTINGS[key]["type"], "")
    assert found == vars(Settings()) | {field: resolved}
    assert type(found[field]) is type(resolved)


class MadeError(Exception):
    """All that matters has been made."""


def of_connect(monkeypatch):
    """Settings that `netfold.connect` hands on."""

    def communicator(**handed_on):
        raise MadeError({**handed_on, "on_waiting": None})

    monkeypatch.setattr(_native, "Communicator", communicator)
    with pytest.raises(MadeError) as made:
        netfold.connect(job="job", rank=0, size=1)
    return made.value.args[0]


def of_torch(monkeypatch):
    """Settings that the backend of the default group hands on."""
    dist = pytest.importorskip("torch.distributed")
    from netfold.torch import membership
    from netfold.torch.place import Place

    handed_on = []

    class Part:
        address = "127.0.0.1:1"

        def __init__(self, *args, **kwargs):
            random = {"job", "on_waiting", "given_up"}
            handed_on.append(args)
            handed_on.append({name: kwargs[name] for name in kwargs if name not in random})

        def stats(self):
            return {"transport": "udp", "exchange_slots": 0}

        def close(self):
            pass

    def fallback(place, strict, announce):
        raise MadeError(strict)

    monkeypatch.setattr(_native, "Communicator", Part)
    monkeypatch.setattr(_native, "Switch", Part)
    # Calls past Python need a real communicator.
    monkeypatch.setattr(_native, "DirectCalls", Mock)
    monkeypatch.setattr(membership, "Fallback", fallback)
    with pytest.raises(MadeError) as made:
        membership.Membership(Place(dist.HashStore(), "0", 0, [0], timedelta(seconds=30)))
    return handed_on, made.value.args


def of_tables(_monkeypatch):
    """Settings that a table hands on."""
    sparse = pytest.importorskip("netfold.sparse")

    def table(*_args, **given):
        raise MadeError(given)

    hot = sparse.HotSet(np.array([3]), 0.5)
    with pytest.raises(MadeError) as made:
        sparse.HotColdEmbedding(9, 2, hot=hot, rank=0, workers=1, name="table", table_class=table)
    return {name: repr(value) for name, value in made.value.args[0].items()}


@pytest.mark.parametrize("key", SETTINGS)
@pytest.mark.parametrize(
    ("program", "of_program"),
    [("connect", of_connect), ("tables", of_tables), ("torch", of_torch)],
)
def test_a_variable_has_an_effect_where_the_specification_says_so(
    program, of_program, key, tmp_path, monkeypatch
):
    if program in ("connect", "tables"):
        monkeypatch.setenv("NETFOLD_SWITCH", "127.0.0.1:1")
    without = of_program(monkeypatch)
    monkeypatch.setenv(f"NETFOLD_{key.upper()}", other(key, tmp_path)[0])
    has_effect = of_program(monkeypatch) != without
    assert has_effect == (program in SETTINGS[key]["read_by"])


def test_arguments_come_before_the_environment_that_before_the_file_and_that_before_defaults(
    tmp_path, monkeypatch
):
    file = tmp_path / "settings.toml"
    file.write_text("switch = 'file:1'\nweight = 3\nslots = 8\ntimeout = 2.5\nstrict = true\n")
    monkeypatch.setenv("NETFOLD_CONFIG", str(file))
    monkeypatch.setenv("NETFOLD_WEIGHT", "4")
    monkeypatch.setenv("NETFOLD_SLOTS", "16")

    def communicator(**handed_on):
        raise MadeError(handed_on)

    monkeypatch.setattr(_native, "Communicator", communicator)
    with pytest.raises(MadeError) as made:
        netfold.connect(job="job", rank=0, size=1, weight=5)
    found = made.value.args[0]
    assert [found[name] for name in ("weight", "slots", "switch", "protocol", "timeout")] == [
        5,
        16,
        "file:1",
        "shadow",
        2.5,
    ]
    assert Settings.from_environment().strict


def test_a_token_may_stand_in_a_file(tmp_path):
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    settings = Settings.from_environment({"NETFOLD_TOKEN_FILE": str(file)})
    assert settings.token.strip() == "s3cret"
    assert "s3cret" not in repr(settings)
    with pytest.raises(netfold.ConfigurationError, match=r"token file .*missing cannot be read"):
        Settings.from_environment({"NETFOLD_TOKEN_FILE": str(tmp_path / "missing")})


def test_workers_with_a_token_file_are_let_in(tmp_path, monkeypatch):
    file = tmp_path / "token"
    file.write_text("s3cret\n")
    server = _native.Switch(token="s3cret")
    try:
        monkeypatch.setenv("NETFOLD_SWITCH", server.address)
        with pytest.raises(netfold.JoinError, match="token"):
            netfold.connect(job="guarded", rank=0, size=1)
        monkeypatch.setenv("NETFOLD_TOKEN_FILE", str(file))
        netfold.connect(job="guarded", rank=0, size=1).close()
    finally:
        server.close()


def test_an_empty_token_is_refused_as_a_missing_secret():
    with pytest.raises(netfold.ConfigurationError, match="the token is empty"):
        Settings.from_environment({"NETFOLD_TOKEN": ""})


def test_a_switch_may_have_standbys():
    settings = Settings.from_environment({"NETFOLD_SWITCH": "a:7000, [::1]:7001"})
    assert settings.switch == "a:7000,[::1]:7001"


@pytest.mark.parametrize(
    ("name", "value", "allowed"),
    [
        ("SWITCH", "no-port", "HOST:PORT"),
        ("SWITCH", ":80", "HOST:PORT"),
        ("SWITCH", "host:70000", "HOST:PORT"),
        ("SWITCH", "host:7000,", "HOST:PORT"),
        ("LISTEN", "127.0.0.1", "HOST:PORT"),
        ("TIMEOUT", "soon", "0.1 to 86400 seconds"),
        ("TIMEOUT", "0", "0.1 to 86400 seconds"),
        ("TIMEOUT", "nan", "0.1 to 86400 seconds"),
        ("PACKET_ELEMENTS", "-4", "a multiple of 8 from 8 to 8192"),
        ("SLOTS", "1.5", "a power of two from 1 to 32768"),
        ("STRICT", "maybe", "0 or 1"),
        ("WEIGHT", "0", "a whole number from 1 to 100"),
        ("ARITHMETIC", "blok", "one of block, native, fpisa, fpisa-a, logtable"),
        ("PIN", "first", "such as 0,2-5"),
        ("MEMORY", "lots", "64MiB"),
    ],
)
def test_a_bad_value_is_refused_by_name_with_what_is_allowed(name, value, allowed):
    with pytest.raises(
        netfold.ConfigurationError, match=rf'NETFOLD_{name}: "{value}": .*{allowed}'
    ):
        Settings.from_environment({f"NETFOLD_{name}": value})


def test_a_variable_that_is_no_text_is_refused_and_not_ignored():
    with pytest.raises(netfold.ConfigurationError, match=r"NETFOLD_TOKEN: .*UTF-8"):
        Settings.from_environment({"NETFOLD_TOKEN": "s\udcff"})


def test_connect_without_a_switch_says_how_to_name_one():
    with pytest.raises(netfold.ConfigurationError, match="NETFOLD_SWITCH"):
        netfold.connect(job="nowhere", rank=0, size=1)


def test_every_error_is_a_netfold_error():
    for name in netfold.__all__:
        thing = getattr(netfold, name)
        if isinstance(thing, type) and issubclass(thing, Exception):
            assert issubclass(thing, netfold.NetfoldError)
    assert issubclass(netfold.CallTimeoutError, TimeoutError)
    assert issubclass(netfold.UnsupportedError, ValueError)
