"""Options of tables: what is refused, by name, and what is taken from elsewhere."""

from __future__ import annotations

import logging

import pytest
import torch
import torch.distributed as dist
from torch import nn

import netfold
from netfold import _native
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag, optimizers
from sparse_tables import DIM, ROWS, Tables, doubles, hot_set
from team import in_threads, values


@pytest.fixture
def double():
    return doubles()


REFUSED = {
    "max_norm": ({"max_norm": 1.0}, "max_norm"),
    "scale_grad_by_freq": ({"scale_grad_by_freq": True}, "scale_grad_by_freq"),
    "dtype": ({"dtype": torch.bool}, "float32"),
    "unknown": ({"optimiser": "sgd"}, "'optimiser'; it has hot, optimizer"),
    "mode": ({"mode": "max2"}, "max2"),
    "padding": ({"padding_idx": ROWS}, "padding_idx"),
    "consistency": ({"consistency": "eventually"}, "eventually"),
    "bound and sync": ({"consistency": "sync", "staleness": 2}, "staleness=2"),
    "bound 0": ({"staleness": 0}, 'consistency="sync"'),
    "sync and resident": ({"consistency": "sync", "resident": True, "hot": 1}, "resident"),
    "resident without hot": ({"resident": True}, "hot set"),
    "hot out of range": ({"hot": hot_set(1, ROWS)}, f"hot key {ROWS}"),
    "arithmetic": ({"arithmetic": "posit"}, "native, block, fpisa"),
    "no scale": ({"arithmetic": "block"}, "give scale=s"),
    "scale out of range": ({"arithmetic": "block", "scale": 127}, "127"),
    "scale of floats": ({"scale": 3}, "native has none"),
    "initialiser": ({"initialiser": "xavier"}, "normal, uniform, constant"),
    "initialiser's option": ({"initialiser": {"name": "normal", "sd": 1}}, "mean, std"),
    "optimizer": ({"optimizer": "lamb"}, "rowwise_adagrad"),
    "optimizer's class": ({"optimizer": torch.optim.RMSprop}, "RMSprop"),
    "optimizer's option": ({"optimizer": {"name": "adam", "rho": 1}}, "rho=1; it has lr, betas"),
    "weight decay": ({"optimizer": {"name": "adam", "weight_decay": 0.1}}, "weight_decay=0.1"),
    "no name": ({"optimizer": {"lr": 1.0}}, "name"),
    "rate": ({"optimizer": {"name": "sgd", "lr": -1.0}}, "-1"),
    "betas": ({"optimizer": {"name": "adam", "betas": (0.9, 1.0)}}, "betas"),
    "nesterov": ({"optimizer": {"name": "sgd", "nesterov": True}}, "momentum"),
    "rate of sums": ({"optimizer": {"name": "sum", "lr": 0.5}}, "lr=0.5"),
    "tables of doubles": ({"dtype": torch.float64, "arithmetic": "logtable"}, "torch.float64"),
    "registers": ({"registers": 0}, "registers of a pipeline"),
    "rank alone": ({"workers": None}, "both rank and workers"),
    "rank out of range": ({"rank": 1}, "rank 1"),
}


@pytest.mark.parametrize(("options", "hint"), REFUSED.values(), ids=REFUSED)
def test_an_option_is_refused_by_name(double, options, hint):
    if options.get("hot") == 1:
        options = {**options, "hot": hot_set(1)}
    with pytest.raises(netfold.ConfigurationError) as refused:
        HotColdEmbeddingBag(ROWS, DIM, **{**double.of(), **options})
    assert hint in str(refused.value)
    assert double.cluster.made == []


@pytest.mark.parametrize(("rows", "width"), [(0, 4), (2**32 + 1, 4), (4, 0), (4, 2**16)])
def test_sizes_have_limits(double, rows, width):
    with pytest.raises(netfold.ConfigurationError, match="got"):
        HotColdEmbedding(rows, width, **double.of())


def test_rows_for_a_pipeline_fit_its_packets(double):
    """R-HOT-7: 192 bytes less 82 of headers and 4 of a rank."""
    HotColdEmbedding(ROWS, 26, registers=16, **double.of(name="fits"))
    for width, dtype in (27, torch.float32), (14, torch.float64):
        with pytest.raises(netfold.ConfigurationError, match=f"at most 106 bytes; got {width}"):
            HotColdEmbedding(ROWS, width, dtype=dtype, registers=16, **double.of())


@pytest.mark.parametrize("key", [-1, ROWS, 2**40])
def test_a_key_out_of_range_is_refused_by_name(double, key):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    for error in (IndexError, netfold.NetfoldError):
        with pytest.raises(error, match=f"key {key} .* {ROWS} rows"):
            module(torch.tensor([1, key, 2]))
    with pytest.raises(netfold.ConfigurationError, match="float32"):
        module(torch.ones(2))


def test_optimizers_may_be_named_as_in_torch():
    described = optimizers.described
    weights = [nn.Parameter(torch.ones(1))]
    fast = torch.optim.SGD(weights, lr=torch.tensor(0.5), momentum=0.9, foreach=False)
    assert described(fast)["lr"] == 0.5
    assert described(fast)["momentum"] == 0.9
    assert described(torch.optim.SparseAdam) == described("adam")
    assert described({"name": "sgd", "fused": True}) == described("sgd")
    for name, kind in ("sgd", torch.optim.SGD), ("adagrad", torch.optim.Adagrad):
        ours = described(name)
        theirs = kind(weights).defaults
        assert {key: theirs[key] for key in ours if key != "name"} == {
            key: value for key, value in ours.items() if key != "name"
        }


@pytest.mark.parametrize(
    "optimizer",
    [
        "adagrad",
        "rowwise_adagrad",
        "adam",
        "ftrl",
        {"name": "sgd", "momentum": 0.5},
        {"name": "sgd", "weight_decay": 0.5},
    ],
)
def test_resident_rows_are_for_plain_sgd_and_sums(double, optimizer):
    """R-KEY-12"""
    resident = {**double.of(), "hot": hot_set(1), "resident": True}
    with pytest.raises(netfold.ConfigurationError, match="only plain SGD and sums can use, not"):
        HotColdEmbedding(ROWS, DIM, optimizer=optimizer, **resident)
    HotColdEmbedding(ROWS, DIM, optimizer="sgd", **resident)
    HotColdEmbedding(ROWS, DIM, optimizer="sum", **{**resident, "name": "sums"})
    assert double.cluster.tables[double.name].given["mode"] == "resident"


@pytest.mark.parametrize(
    ("arithmetic", "tolerance"),
    [
        ({"arithmetic": "native"}, 0),
        # Rounded to a multiple of 2^-10, once a worker.
        ({"arithmetic": "block", "scale": 10}, 2 * 2.0**-11),
        # Both are exact for numbers of so few bits.
        ({"arithmetic": "fpisa"}, 0),
        ({"arithmetic": "fpisa-a"}, 0),
        # R-LOG-6, of a sum of two with one sign.
        ({"arithmetic": "logtable"}, 2 * (1 + 2.0**-12) * 7e-5),
    ],
    ids=lambda value: value.get("arithmetic") if isinstance(value, dict) else "",
)
def test_hot_rows_are_added_in_the_arithmetic_of_the_table(switch, arithmetic, tolerance):
    """R-KEY-1: two workers, whose gradients of 1 + 2^-12 the switch adds up."""
    tables = Tables({"switch": switch}, 0.0)
    pushed = 1 + 2.0**-12

    def work(rank: int) -> torch.Tensor:
        module = HotColdEmbedding(
            ROWS,
            DIM,
            hot=hot_set(3),
            optimizer={"name": "sgd", "lr": 1.0},
            initialiser="constant",
            average=False,
            consistency="sync",
            **arithmetic,
            **tables.of(rank, 2),
        )
        (pushed * module(torch.tensor([3, 5]))).sum().backward()
        module.step()
        rows = module(torch.tensor([3, 5])).detach()
        assert module.stats()["hot_updates"] == 1
        module.close()
        return rows

    for rows in values(in_threads(2, work)):
        torch.testing.assert_close(rows[0], torch.full((DIM,), -2 * pushed), rtol=0, atol=tolerance)
        torch.testing.assert_close(rows[1], torch.full((DIM,), -2 * pushed), rtol=0, atol=0)
        if arithmetic["arithmetic"] == "block":
            assert rows[0].eq(-2.0).all()


def test_what_is_left_out_comes_from_settings(double, monkeypatch):
    monkeypatch.setenv("NETFOLD_SWITCH", "10.0.0.1:5555")
    monkeypatch.setenv("NETFOLD_TOKEN", "secret")
    monkeypatch.setenv("NETFOLD_TIMEOUT", "7")
    options = double.of(switch=None)
    HotColdEmbedding(ROWS, DIM, hot=hot_set(9, 4), **options)
    given = double.cluster.tables[double.name].given
    assert (given["switch"], given["token"], given["timeout"]) == ("10.0.0.1:5555", "secret", 7.0)
    assert given["hot_keys"].tolist() == [9, 4], "in the order of their ranks (R-HOT-5)"
    assert given["staleness"] is None
    cold = Tables(double.options, 0, double.cluster)
    HotColdEmbedding(ROWS, DIM, hot=hot_set(), **cold.of())
    given = double.cluster.tables[cold.name].given
    assert given["hot_keys"] is None, "servers alone"
    assert given["switch"] == "x:1", "keys may become hot later"


def test_hot_rows_need_a_switch(double):
    with pytest.raises(netfold.ConfigurationError, match="NETFOLD_SWITCH"):
        HotColdEmbedding(ROWS, DIM, hot=hot_set(1), **double.of(switch=None))


def test_a_program_of_torchrun_makes_its_group_first(double, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(netfold.ConfigurationError, match="init_process_group"):
        HotColdEmbedding(ROWS, DIM, **double.of(rank=None, workers=None))


def test_workers_agree_on_a_name(double):
    def work(rank: int) -> list[str]:
        modules = [HotColdEmbedding(ROWS, DIM, **double.of(rank, 3, name=None)) for _ in range(2)]
        return [module.name for module in modules]

    found = values(in_threads(3, work))
    assert found[0] == found[1] == found[2]
    assert len(set(found[0])) == 2


def test_without_servers_rank_0_runs_one_and_says_so(double, caplog):
    def work(rank: int) -> None:
        HotColdEmbedding(ROWS, DIM, **double.of(rank, 2, servers=[]))

    with caplog.at_level(logging.WARNING, "netfold"):
        values(in_threads(2, work))
    given = double.cluster.tables[double.name].given
    assert given["servers"] == []
    assert given["switch"] == "x:1", "workers meet there, though no row is hot"
    (told,) = [record.getMessage() for record in caplog.records]
    assert f"rank 0 runs one for the table '{double.name}' inside its process" in told
    alone = Tables(double.options, 0, double.cluster)
    HotColdEmbedding(ROWS, DIM, **alone.of(servers=[], switch=None))
    assert double.cluster.tables[alone.name].given["switch"] is None, "one worker meets nobody"
    with pytest.raises(netfold.ConfigurationError, match="netfold server"):
        HotColdEmbedding(ROWS, DIM, **double.of(0, 2, servers=[], switch=None))


def test_workers_without_a_store_are_told_to_give_a_name(double):
    with pytest.raises(netfold.ConfigurationError, match="cannot agree on a name"):
        HotColdEmbedding(ROWS, DIM, **double.of(0, 2, store=None, name=None))


def test_a_build_without_tables_says_so(double, monkeypatch):
    monkeypatch.delattr(_native, "SparseTable", raising=False)
    options = double.of()
    del options["table_class"]
    with pytest.raises(netfold.UnsupportedError, match="make build"):
        HotColdEmbedding(ROWS, DIM, **options)


def test_the_default_group_gives_rank_and_workers(double, tmp_path):
    dist.init_process_group("gloo", init_method=f"file://{tmp_path}/store", rank=0, world_size=1)
    try:
        options = double.of(rank=None, workers=None, store=None, name=None)
        module = HotColdEmbedding(ROWS, DIM, **options)
        assert module.name.startswith("table-")
        model = nn.Sequential(module, nn.Linear(DIM, 1))
        ddp = nn.parallel.DistributedDataParallel(model)
        optimizer = torch.optim.SGD(ddp.parameters(), lr=0.1)
        before = module.read_rows(3, 4)
        ddp(torch.tensor([3])).sum().backward()
        optimizer.step()
        assert not torch.equal(module.read_rows(3, 4), before)
        assert list(ddp.state_dict()) == ["module.0.weight", "module.1.weight", "module.1.bias"]
        module.close()
    finally:
        dist.destroy_process_group()
