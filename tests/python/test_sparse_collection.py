"""Several embeddings in one model: collections, whose features share a table, beside dicts of
torch's modules; and tables of their own, side by side.
"""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import netfold
from netfold.sparse import (
    FollowDrift,
    HotColdEmbedding,
    HotColdEmbeddingBag,
    HotColdEmbeddingBagCollection,
    HotSet,
    combined_keys,
    count_updates,
)
from netfold.sparse.embedding import _close_all
from sparse_servers import ctl
from sparse_tables import DIM, hot_set, quantised
from team import in_threads, values

SIZES = {"user": 20, "item": 30, "day": 7}
RATE, STEPS, SAMPLES = 0.5, 5, 8


def drawn(step: int, rank: int = 0, workers: int = 1) -> tuple[dict[str, Tensor], Tensor]:
    """A worker's part of a step's batch: bags of each feature, and targets."""
    random = torch.Generator().manual_seed(step)
    part = slice(rank * SAMPLES // workers, (rank + 1) * SAMPLES // workers)
    # Some keys are in most bags, and the same numbers are keys of every feature.
    bags = {
        name: (torch.rand(SAMPLES, 3, generator=random) ** 3 * rows).long()[part]
        for name, rows in SIZES.items()
    }
    return bags, torch.randint(-2, 3, (SAMPLES, DIM), generator=random)[part] / 2


def dense() -> nn.ModuleDict:
    return nn.ModuleDict(
        {name: nn.EmbeddingBag(rows, DIM, mode="sum") for name, rows in SIZES.items()}
    )


def loss(outputs: dict[str, Tensor], targets: Tensor) -> Tensor:
    assert list(outputs) == list(SIZES)
    return sum(quantised(output, targets) for output in outputs.values())


@pytest.mark.parametrize("workers", [1, 2])
def test_the_rows_are_those_of_a_dict_of_torchs_modules(tables, workers):
    """R-SERVE-5, in synchronous steps; a state goes to torch and comes from there."""
    single = dense()
    optimizer = torch.optim.SGD(single.parameters(), lr=RATE)
    first = {key: value.clone() for key, value in single.state_dict().items()}

    def work(rank: int) -> dict[str, Tensor]:
        module = HotColdEmbeddingBagCollection(
            SIZES,
            DIM,
            mode="sum",
            hot=hot_set(0, 20, 50, 21),
            optimizer={"name": "sgd", "lr": RATE},
            consistency="sync",
            **tables.of(rank, workers),
        )
        assert list(module.state_dict()) == list(first)
        module.load_state_dict(first)
        for step in range(STEPS):
            bags, targets = drawn(step, rank, workers)
            module.prefetch(bags, ahead=0)
            loss(module(bags), targets).backward()
            module.step()
        state = module.state_dict()
        module.close()
        return state

    states = values(in_threads(workers, work))
    for step in range(STEPS):
        bags, targets = drawn(step)
        optimizer.zero_grad()
        loss({name: module(bags[name]) for name, module in single.items()}, targets).backward()
        optimizer.step()
    for state in states:
        single.load_state_dict(state)
        for key, expected in single.state_dict().items():
            torch.testing.assert_close(state[key], expected, rtol=0, atol=tables.tolerance)
            assert (state[key] - first[key]).abs().max() > 0.01, "the test trains"


def test_a_batch_is_pulled_at_once_and_pushed_at_once(double):
    module = HotColdEmbeddingBagCollection(SIZES, DIM, mode="sum", **double.of())
    keys = {"item": torch.tensor([[4, 0], [4, 4]]), "user": torch.tensor([[1, 1], [0, 19]])}
    found = module(keys)
    assert {name: output.shape for name, output in found.items()} == {
        "item": (2, DIM),
        "user": (2, DIM),
    }
    torch.testing.assert_close(found["user"][0], 2 * module.read_rows(1, 2)[0])
    (found["item"].sum() + found["user"].sum()).backward()
    pulls = [entry for entry in double.cluster.tables[double.name].log if entry[0] != "flush"]
    rows = [0, 1, 19, 20, 24]
    assert pulls == [("pull", 0, rows, None), ("pull", 0, [1], None), ("push", 0, rows)]
    assert module.ranges == {"user": range(20), "item": range(20, 50), "day": range(50, 57)}
    assert "features={'user': 20, 'item': 30, 'day': 7}" in repr(module)
    assert module({}) == {}
    empty = module({"day": (torch.empty(0, dtype=torch.int64), torch.zeros(2))})
    torch.testing.assert_close(empty["day"].detach(), torch.zeros(2, DIM))


@pytest.mark.parametrize("last", [False, True])
def test_bags_are_given_as_to_torch(double, last):
    """Offsets, and factors of rows, in a feature of its own."""
    module = HotColdEmbeddingBagCollection(
        SIZES, DIM, mode="sum", include_last_offset=last, **double.of()
    )
    single = nn.EmbeddingBag(30, DIM, mode="sum", include_last_offset=last)
    single.load_state_dict({"weight": module.state_dict()["item.weight"]})
    keys, offsets = torch.tensor([3, 3, 29, 0, 1]), torch.tensor([0, 2, 2] + [5] * last)
    factors = torch.tensor([0.5, 2.0, 1.0, -1.0, 0.25])
    for given in ((keys, offsets), (keys, offsets, factors), (keys.int(), offsets)):
        found = module({"day": (torch.tensor([6]), torch.tensor([0] + [1] * last)), "item": given})
        expected = single(
            keys, *given[1:2], **({} if len(given) < 3 else {"per_sample_weights": factors})
        )
        torch.testing.assert_close(found["item"], expected)


def test_hot_keys_are_counted_as_the_table_numbers_them(double):
    batches = [{"user": torch.tensor([[3, 3]]), "day": torch.tensor([[0]])} for _ in range(4)]
    batches += [{"item": torch.tensor([[0, 1]])}]
    counts = count_updates(batches, fraction=1.0, keys=lambda batch: combined_keys(SIZES, batch))
    assert dict(zip(counts.keys.tolist(), counts.counts.tolist(), strict=True)) == {
        3: 4,
        50: 4,
        20: 1,
        21: 1,
    }
    module = HotColdEmbeddingBagCollection(
        SIZES, DIM, hot=HotSet.choose(counts, share=0.6, dim=DIM), **double.of()
    )
    module(batches[0])["day"].sum().backward()
    # Row 3 has a gradient of zeros, as in nn.EmbeddingBag.
    assert module.stats()["hot_updates"] == 2


def test_what_a_collection_cannot_be_or_take_is_named(double):
    for sizes, hint in (
        ({}, "at least one feature"),
        ({"a.b": 3}, "no dot"),
        ({"": 3}, "not empty"),
        ({"a": 3, "b": 0}, "'b' has 0"),
    ):
        with pytest.raises(netfold.ConfigurationError, match=hint):
            HotColdEmbeddingBagCollection(sizes, DIM, **double.of())
    assert double.cluster.made == []
    module = HotColdEmbeddingBagCollection(SIZES, DIM, **double.of())
    with pytest.raises(netfold.ConfigurationError, match=r"no feature 'week'.*user, item, day"):
        module({"week": torch.tensor([[1]])})
    with pytest.raises(netfold.ConfigurationError, match=r"those of 'day' are torch\.float32"):
        module({"day": torch.tensor([[1.0]])})
    # The next feature's rows come after its own.
    for key in (-1, 20):
        with pytest.raises(
            netfold.KeyRangeError, match=f"key {key} .* 20 rows of the feature 'user'"
        ):
            module({"day": torch.tensor([[1]]), "user": torch.tensor([[3, key]])})
    wrong = {**module.state_dict(), "day.weight": torch.zeros(7, DIM + 1), "x.weight": 1}
    with pytest.raises(RuntimeError, match=r"size mismatch for day\.weight") as caught:
        module.load_state_dict(wrong)
    assert "x.weight" in str(caught.value)


def test_a_part_of_a_state_is_loaded(double):
    module = HotColdEmbeddingBagCollection(SIZES, DIM, **double.of())
    before = module.state_dict()
    missing = module.load_state_dict({"item.weight": torch.ones(30, DIM)}, strict=False)
    assert missing.missing_keys == ["user.weight", "day.weight"]
    after = module.state_dict()
    assert after["item.weight"].eq(1).all()
    for kept in missing.missing_keys:
        torch.testing.assert_close(after[kept], before[kept], rtol=0, atol=0)


def test_steps_end_in_the_order_in_which_tables_were_made(double):
    """Each may wait for all workers, so another order at one of them would be a deadlock."""
    many = 24
    modules = [
        HotColdEmbedding(9, DIM, **{**double.of(), "name": f"{number:02}"})
        for number in range(many)
    ]
    ended: list[str] = []
    for module in reversed(modules):
        name, table = module.name, module._lookup.table
        table.end_step = lambda step, name=name: ended.append(name)
        table.close = lambda name=name: ended.append(name)
        module(torch.tensor([1])).sum().backward()
    modules[0].optimizer.step()
    in_order = [f"{number:02}" for number in range(many)]
    assert ended == in_order
    ended.clear()
    _close_all()
    assert [name for name in ended if name in in_order] == in_order


def test_tables_of_a_process_that_follow_their_loads_do_not_wait_for_each_other(tables):
    """Two workers with two tables each, which change their hot sets at the same steps."""

    def work(rank: int) -> list[float]:
        both = [
            HotColdEmbedding(
                50,
                DIM,
                hot=hot_set(0, 1),
                follow=FollowDrift(every=2, memory=256),
                **{**tables.of(rank, 2), "name": f"{tables.name}-{number}"},
            )
            for number in range(2)
        ]
        for _ in range(4):
            for module in both if rank == 0 else reversed(both):
                module(torch.tensor([7, 8])).sum().backward()
            both[rank].optimizer.step()
        shares = [module.stats()["hot_share"] for module in both]
        for module in both:
            module.close()
        return shares

    # Neither key is hot in the first two steps, and both are in the others.
    assert values(in_threads(2, work)) == [[0.5, 0.5]] * 2


def test_tables_without_servers_share_one_in_the_process(switch):
    """It ends with the last of them, and a table's rows with the table."""
    modules = [HotColdEmbeddingBag(9, DIM + n, switch=switch, hot=hot_set(1)) for n in range(3)]
    ((address,),) = {tuple(module.stats()["servers"]) for module in modules}
    for module in modules:
        module(torch.tensor([[1, 2]])).sum().backward()
        module.step()
    modules[0].close()
    _, report = ctl("stats", NETFOLD_SERVERS=address)
    assert modules[0].name not in report
    assert all(module.name in report for module in modules[1:]), report
    for module in modules[1:]:
        np.testing.assert_array_equal(module.read_rows(0, 9).shape, (9, module.embedding_dim))
        module.close()
    status, report = ctl("stats", NETFOLD_SERVERS=address)
    assert status != 0, report


def test_tables_of_one_name_in_a_process_are_different_tables():
    modules = [
        HotColdEmbedding(9, width, name=name)
        for name, width in (("same", DIM), ("same", DIM + 1), ("another", DIM))
    ]
    ((one,), (other,), (shared,)) = (module.stats()["servers"] for module in modules)
    assert one != other
    assert shared == other
    for module in modules:
        module(torch.tensor([1]))
        module.close()
