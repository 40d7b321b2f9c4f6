"""The environment: every variable is read, and what does not parse is named."""

from __future__ import annotations

import pytest

import netfold
from netfold.config import Settings


def test_an_empty_environment_gives_the_defaults():
    assert Settings.from_environment({}) == Settings()
    assert Settings.from_environment({"NETFOLD_SWITCH": "", "NETFOLD_STRICT": " "}) == Settings()


def test_every_variable_is_read():
    settings = Settings.from_environment(
        {
            "NETFOLD_SWITCH": "[::1]:7000",
            "NETFOLD_LISTEN": "0.0.0.0:0",
            "NETFOLD_ARITHMETIC": "native",
            "NETFOLD_OVERFLOW": "native",
            "NETFOLD_BYTE_ORDER": "network",
            "NETFOLD_PROTOCOL": "acked",
            "NETFOLD_TOKEN": "secret",
            "NETFOLD_INTEGRITY": "token",
            "NETFOLD_TRANSPORT": "shm",
            "NETFOLD_PIN": "0,2-3",
            "NETFOLD_TIMEOUT": "2.5",
            "NETFOLD_PACKET_ELEMENTS": "256",
            "NETFOLD_SLOTS": "64",
            "NETFOLD_STRICT": "1",
            "NETFOLD_RESUMABLE": "1",
            "NETFOLD_WEIGHT": "3",
        }
    )
    assert settings == Settings(
        switch="[::1]:7000",
        listen="0.0.0.0:0",
        arithmetic="native",
        overflow="native",
        byte_order="network",
        protocol="acked",
        token="secret",
        integrity="token",
        transport="shm",
        pin="0,2-3",
        timeout_s=2.5,
        packet_elements=256,
        slots=64,
        weight=3,
        strict=True,
        resumable=True,
    )


def test_a_switch_may_have_standbys():
    settings = Settings.from_environment({"NETFOLD_SWITCH": "a:7000, [::1]:7001"})
    assert settings.switch == "a:7000,[::1]:7001"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SWITCH", "no-port"),
        ("SWITCH", ":80"),
        ("SWITCH", "host:70000"),
        ("SWITCH", "host:7000,"),
        ("LISTEN", "127.0.0.1"),
        ("TIMEOUT", "soon"),
        ("TIMEOUT", "0"),
        ("TIMEOUT", "nan"),
        ("PACKET_ELEMENTS", "-4"),
        ("SLOTS", "1.5"),
        ("STRICT", "maybe"),
        ("WEIGHT", "0"),
    ],
)
def test_a_bad_value_is_refused_by_name(name, value):
    with pytest.raises(
        netfold.ConfigurationError,
        match=rf"NETFOLD_{name}='{value}' is not .*; correct it or unset it",
    ):
        Settings.from_environment({f"NETFOLD_{name}": value})


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
