"""Plans: those that come with netfold can be read, and what is wrong with one is said by file and
key.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from bench.plan import (
    FOLDER,
    Comparison,
    Contender,
    Cores,
    Kernels,
    Network,
    PlanError,
    Sharing,
    load,
    parse,
    size_of,
    size_text,
)

GOOD: dict[str, Any] = {
    "title": "a comparison",
    "workers": [2, 4],
    "round_ms": 5,
    "tails": [1, 99],
    "sizes": {"8 B": 10, "25 MiB": 3},
    "network": {"kind": "rack", "rate": "1gbit", "losses": [0, 0.001]},
    "baselines": ["peer"],
    "contender": [
        {"name": "peer", "peer": "gloo"},
        {
            "name": "ours",
            "peer": "netfold",
            "front": "native",
            "transport": "udp",
            "protocol": "acked",
            "environment": {"NETFOLD_SLOTS": "8"},
            "element_type": "bf16",
            "priority": "bulk",
        },
    ],
    "cores": {"rate": "10gbit", "published": {"a paper": 4}, "conversions": ["f16"]},
}


def test_a_plan_says_what_it_says() -> None:
    assert parse("good", GOOD, "good.toml") == Comparison(
        name="good",
        title="a comparison",
        workers=(2, 4),
        sizes=((8, 10), (26_214_400, 3)),
        round_s=0.005,
        apart=0,
        network=Network("1gbit", (0.0, 0.001)),
        baselines=("peer",),
        contenders=(
            Contender("peer", "gloo"),
            Contender(
                "ours",
                "netfold",
                "native",
                "block",
                "udp",
                "acked",
                "bf16",
                "bulk",
                (("NETFOLD_SLOTS", "8"),),
            ),
        ),
        tails=(1.0, 99.0),
        cores=Cores("10gbit", (("a paper", 4.0),), ("f16",)),
    )


@pytest.mark.parametrize("name", sorted(path.stem for path in FOLDER.glob("*.toml")))
def test_plans_that_come_with_netfold_can_be_read(name: str) -> None:
    plan = load(name)
    assert plan.name == name
    assert isinstance(plan, Comparison | Kernels | Sharing)


@pytest.mark.parametrize(
    ("path", "value", "place", "what"),
    [
        (["workers"], [], "workers", "empty"),
        (["workers"], [2, 1], "workers", "1 is not a number of workers"),
        (["workers"], 2, "workers", "a list of numbers"),
        (["workers"], None, "workers", "missing"),
        (["round_ms"], -1, "round_ms", "0 to 60000"),
        (["round_ms"], True, "round_ms", "0 to 60000"),
        (["calls_apart"], 2.5, "calls_apart", "a whole number from 0 to 1000"),
        (["calls_apart"], True, "calls_apart", "a whole number from 0 to 1000"),
        (["calls_apart"], 1001, "calls_apart", "a whole number from 0 to 1000"),
        (["tails"], [60, 99], "tails", "the median between"),
        (["tails"], [1], "tails", "two percentiles"),
        (["sizes"], {}, "sizes", "empty"),
        (["sizes", "3 B"], 1, "sizes.3 B", "multiple of 4 B"),
        (["sizes", "3 MB"], 1, "sizes.3 MB", "KiB"),
        (["sizes", "8 B"], 0, "sizes.8 B", "number of rounds"),
        (["sizes", "8 B"], True, "sizes.8 B", "number of rounds"),
        (["network", "kind"], "rocket", "network.kind", "loopback, rack"),
        (["network", "rate"], "fast", "network.rate", "200mbit"),
        (["network", "losses"], [1.5], "network.losses", "1.5 is not a probability"),
        (
            ["network", "speed"],
            1,
            "network.speed",
            "unknown key; the keys here are kind, losses, rate",
        ),
        (["network"], {"kind": "loopback", "rate": "1gbit"}, "network.rate", "unknown key"),
        (
            ["baselines"],
            ["nobody"],
            "baselines",
            "'nobody' is not a contender; they are peer, ours",
        ),
        (["baselines"], [1], "baselines", "a list of texts"),
        (["contender"], [], "contender", "one or more"),
        (["contender", 0, "peer"], "nccl", "contender 1.peer", "gloo, netfold, openmpi-tcp"),
        (["contender", 0, "peer"], "mpich", "contender", "cannot leave one host"),
        (["contender", 0, "front"], "numpy", "contender 1.front", "unknown key"),
        (
            ["contender", 1, "front"],
            "java",
            "contender 2.front",
            "torch, numpy, numpy-stages, native",
        ),
        (["contender", 1, "element_type"], "f64", "contender 2.element_type", "f32, f16, bf16"),
        (["contender", 1, "front"], "torch", "contender 2.element_type", "unknown key"),
        (["contender", 1, "name"], "peer", "contender", "'peer' is the name of two"),
        (
            ["contender", 1, "environment", "NETFOLD_SLOTS"],
            8,
            "environment.NETFOLD_SLOTS",
            "8 is not a text",
        ),
        (["cores", "rate"], "fast", "cores.rate", "200mbit"),
        (["cores", "published", "a paper"], "four", "cores.published.a paper", "a number"),
        (
            ["cores", "conversions"],
            ["f64"],
            "cores.conversions",
            "'f64' is not one of f32, f16, bf16",
        ),
        (["cores", "clock"], 1, "cores.clock", "unknown key"),
        (["measure"], "weight", "measure", "allreduce, kernels"),
        (["worker"], 3, "worker", "unknown key"),
    ],
)
def test_what_is_wrong_is_said_by_file_and_key(
    path: list[Any], value: Any, place: str, what: str
) -> None:
    content = copy.deepcopy(GOOD)
    table: Any = content
    for key in path[:-1]:
        table = table[key]
    if value is None:
        del table[path[-1]]
    else:
        table[path[-1]] = value
    with pytest.raises(PlanError) as caught:
        parse("bad", content, "some/bad.toml")
    message = str(caught.value)
    assert message.startswith("some/bad.toml: ")
    assert place in message
    assert what in message


def test_a_plan_that_is_not_there_names_those_that_are(tmp_path: Any) -> None:
    with pytest.raises(PlanError, match="quick"):
        load("nowhere")
    file = tmp_path / "broken.toml"
    file.write_text("workers = [")
    with pytest.raises(PlanError, match=r"broken\.toml"):
        load(str(file))


@pytest.mark.parametrize("size", [1, 8, 1000, 1024, 1536, 25 << 20, 1 << 30, 1_000_000_007])
def test_sizes_are_read_as_they_are_written(size: int) -> None:
    assert size_of(size_text(size)) == size
    assert size_of("64KiB") == 65_536
