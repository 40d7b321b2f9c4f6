"""Tables as `state_dict`: portable to torch.nn and back, by ranges, refused where they do not fit."""

from __future__ import annotations

import threading

import pytest
import torch
from torch import nn

import netfold
from netfold.sparse import HotColdEmbedding, HotColdEmbeddingBag, state
from sparse_tables import DIM, ROWS, doubles
from team import in_threads, values


@pytest.fixture
def double():
    return doubles()


def test_a_state_goes_to_torch_and_back(double, monkeypatch):
    monkeypatch.setattr(state, "BYTES_AT_ONCE", 7 * 4 * DIM)  # ranges of 7 rows
    single = nn.Sequential(nn.EmbeddingBag(ROWS, DIM), nn.Linear(DIM, 1))
    bag = HotColdEmbeddingBag(ROWS, DIM, **double.of())
    model = nn.Sequential(bag, nn.Linear(DIM, 1))
    assert list(model.state_dict()) == list(single.state_dict())
    model.load_state_dict(single.state_dict())
    keys = torch.arange(ROWS).reshape(4, -1)
    torch.testing.assert_close(model(keys), single(keys), rtol=0, atol=0)
    bag(keys).sum().backward()
    bag.step()
    single.load_state_dict(model.state_dict())
    torch.testing.assert_close(model(keys), single(keys), rtol=0, atol=0)
    flushes = [entry for entry in double.cluster.tables[double.name].log if entry[0] == "flush"]
    assert len(flushes) == 3, "after writing, and before each reading"


def test_every_worker_writes_a_part_and_none_goes_on_before_all(double):
    weight = torch.arange(ROWS * DIM, dtype=torch.float64).reshape(ROWS, DIM)
    writing = threading.Barrier(3)

    def work(rank: int) -> tuple[torch.Tensor, int]:
        module = HotColdEmbedding(ROWS, DIM, **double.of(rank, 3))
        written = []
        table = double.cluster.made
        mine = next(made for made in table if made.rank == rank)
        before = mine.set
        mine.set = lambda keys, rows: (
            writing.wait(),
            written.append(len(keys)),
            before(keys, rows),
        )
        module.load_state_dict({"weight": weight})
        return module(torch.arange(ROWS)).detach(), sum(written)

    found = values(in_threads(3, work))
    for rows, _ in found:
        torch.testing.assert_close(rows, weight.float(), rtol=0, atol=0)
    assert [written for _, written in found] == [16, 16, 16]


def test_a_rank_that_does_not_load_is_named(double, monkeypatch):
    from netfold.sparse import embedding

    monkeypatch.setattr(embedding, "MEETING_S", 0.2)

    def work(rank: int) -> None:
        module = HotColdEmbedding(ROWS, DIM, **double.of(rank, 2))
        if rank == 0:
            module.load_state_dict({"weight": torch.zeros(ROWS, DIM)})

    loads, _ = in_threads(2, work)
    assert loads.error == "JoinError"
    assert "rank 1 has not called load_state_dict" in loads.message


@pytest.mark.parametrize("strict", [True, False])
def test_another_shape_and_other_keys_are_refused(double, strict):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    with pytest.raises(RuntimeError, match="size mismatch for weight"):
        module.load_state_dict({"weight": torch.zeros(ROWS, DIM + 1)}, strict=strict)
    if strict:
        for state_dict, what in ({}, "Missing"), ({"weight": torch.zeros(ROWS, DIM), "x": 1}, "x"):
            with pytest.raises(RuntimeError, match=what):
                module.load_state_dict(state_dict)
    else:
        assert module.load_state_dict({"x": 1}, strict=False).missing_keys == ["weight"]


def test_the_row_of_padding_is_zero(double):
    module = HotColdEmbedding(ROWS, DIM, padding_idx=5, **double.of())
    assert not module.state_dict()["weight"][5].any()
    assert module.state_dict()["weight"][6].any()
    with pytest.raises(RuntimeError, match="padding_idx=5 of weight is not zero"):
        module.load_state_dict({"weight": torch.ones(ROWS, DIM)})


def test_ranges_of_rows(double):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    module.write_rows(3, torch.full((2, DIM), 7.0))
    assert module.read_rows(2, 6).eq(7).all(1).tolist() == [False, True, True, False]
    assert module.read_rows(4, 4).shape == (0, DIM)
    for start, stop in (-1, 2), (3, 2), (0, ROWS + 1):
        with pytest.raises(netfold.ConfigurationError, match="range"):
            module.read_rows(start, stop)
    with pytest.raises(netfold.ConfigurationError, match=f"{DIM}"):
        module.write_rows(0, torch.zeros(2, DIM - 1))
    with pytest.raises(netfold.ConfigurationError, match="range"):
        module.write_rows(ROWS - 1, torch.zeros(2, DIM))


def test_a_table_that_does_not_fit_is_refused_before_it_is_read(double, monkeypatch):
    module = HotColdEmbedding(ROWS, DIM, **double.of())
    monkeypatch.setattr(state, "available_bytes", lambda: 4 * ROWS * DIM - 1)
    with pytest.raises(netfold.ConfigurationError, match="read_rows"):
        module.state_dict()
    assert double.cluster.tables[double.name].log == []
    monkeypatch.setattr(state, "available_bytes", lambda: 4 * ROWS * DIM)
    assert module.state_dict()["weight"].shape == (ROWS, DIM)


def test_the_memory_that_is_left_is_the_least_that_anyone_grants(monkeypatch):
    texts = {"/proc/meminfo": "MemTotal: 9 kB\nMemAvailable:    3 kB\n"}
    monkeypatch.setattr(state, "_text", lambda path: texts.get(path, ""))
    assert state.available_bytes() == 3072
    texts[state._LIMITS[0]], texts[state._USED[0]] = "5000\n", "3000\n"
    assert state.available_bytes() == 2000
    texts[state._LIMITS[0]] = "max\n"
    assert state.available_bytes() == 3072
    texts.clear()
    assert state.available_bytes() is None


def test_long_work_reports_how_far_it_is(monkeypatch, caplog):
    now = [0.0]
    monkeypatch.setattr(state.time, "monotonic", lambda: now[0])
    progress = state.Progress("reading the table 't'", 200)
    for done, second in (20, 1.0), (50, 6.0), (60, 7.0):
        now[0] = second
        progress.reached(done)
    assert [record.getMessage() for record in caplog.records] == [
        "reading the table 't': 25 % of 200 rows"
    ]
