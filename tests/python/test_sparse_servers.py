"""Tables that go on at other servers as training goes on (R-SERVE-18 to R-SERVE-23): the rows stay
those of a single process.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import netfold
from netfold.sparse import HotColdEmbeddingBag
from sparse_servers import ServerProcess
from sparse_tables import DIM, ROWS, Batches, Tables, doubles, hot_set
from team import kept_address
from test_sparse_planes import TOLERANCE, needs_tables, trains


@contextlib.contextmanager
def servers(folder: Path, count: int) -> Iterator[list[ServerProcess]]:
    with contextlib.ExitStack() as stack:
        started = [ServerProcess(folder / str(at)) for at in range(count)]
        yield [stack.enter_context(server) for server in started]


@needs_tables
def test_training_goes_on_at_other_servers(tmp_path, switch):
    """With real processes, one of which is killed and started again after a move."""
    with servers(tmp_path, 3) as at:
        addresses = [server.address for server in at]
        killed = threading.Semaphore(1)
        lists = {2: addresses[1:], 5: addresses[:1], 8: addresses}
        tables = Tables({"switch": switch, "servers": addresses[:2], "timeout": 20.0}, TOLERANCE)

        def between(module: HotColdEmbeddingBag, step: int) -> None:
            if (to := lists.get(step)) is None:
                return
            # Pulls on their way are for the former servers.
            module.prefetch(torch.tensor([[0, 1, 2]]))
            before = module.stats()
            module.set_servers(to)
            after = module.stats()
            assert after["at_switch"]
            assert after["updates"] == before["updates"]
            if step == 5 and killed.acquire(blocking=False):
                at[0].kill()
                at[0].start()

        trains(tables, Batches(steps=12), between)


@needs_tables
def test_rows_of_a_server_in_rank_0_go_to_servers_of_their_own(tmp_path, switch):
    with servers(tmp_path, 2) as at:
        addresses = [server.address for server in at]
        tables = Tables({"switch": switch, "servers": [], "timeout": 20.0}, TOLERANCE)

        def between(module: HotColdEmbeddingBag, step: int) -> None:
            if step == 3:
                module.set_servers(addresses)

        trains(tables, Batches(steps=6), between)


@needs_tables
def test_servers_that_cannot_be_set_change_nothing(tmp_path):
    with servers(tmp_path, 1) as (server,):
        tables = Tables({"servers": [server.address], "timeout": 1.0}, 0.0)
        module = HotColdEmbeddingBag(ROWS, DIM, consistency="sync", **tables.of())
        before = module.read_rows(0, ROWS)
        nowhere = kept_address()
        with pytest.raises(netfold.JoinError, match=nowhere):
            module.set_servers([nowhere])
        with pytest.raises(netfold.ConfigurationError, match="not distinct"):
            module.set_servers([server.address, server.address])
        with pytest.raises(netfold.ConfigurationError, match="1 to 64 servers"):
            module.set_servers([])
        with pytest.raises(netfold.ConfigurationError, match=r"a list of addresses; got 'a:1'"):
            module.set_servers("a:1")
        module(torch.tensor([[1, 2]])).sum().backward()
        with pytest.raises(netfold.ConfigurationError, match="end the step"):
            module.set_servers([nowhere])
        module.step()
        after = module.read_rows(0, ROWS)
        assert (after - before).abs().sum(1).nonzero().flatten().tolist() == [1, 2]
        module.close()


def test_prefetched_rows_are_pulled_again_from_other_servers():
    tables = doubles()
    module = HotColdEmbeddingBag(ROWS, DIM, hot=hot_set(0), **tables.of())
    keys = torch.tensor([[1, 2]])
    module.prefetch(keys)
    module.set_servers([" a:1", "b:2 "])
    module(keys)
    told = tables.cluster.tables[tables.name].log
    log = [entry[:2] + entry[2:3] for entry in told if entry[0] in ("pull", "servers")]
    assert log == [("pull", 0, [1, 2]), ("servers", 0, ["a:1", "b:2"]), ("pull", 0, [1, 2])]
