"""The Python programs of the README: each runs as it stands there. Rust's is compiled by `netfold`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from team import LIMIT_S, in_threads, values

README = (Path(__file__).parents[2] / "README.md").read_text()


def snippet(word: str) -> str:
    """Return the only Python block of the README that has `word`."""
    blocks = [
        block for block in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if word in block
    ]
    assert len(blocks) == 1, blocks
    return blocks[0]


def test_the_blocks_are_those_that_run_here():
    assert len(re.findall("```python", README)) == 3


def test_numpy(switch, monkeypatch):
    monkeypatch.setenv("NETFOLD_SWITCH", switch)

    def work(rank: int) -> np.ndarray:
        names: dict[str, object] = {"rank": rank}
        exec(snippet("netfold.connect"), names)
        return names["total"]

    for total in values(in_threads(4, work)):
        np.testing.assert_array_equal(total, np.full(1_000_000, 4, np.float32))


def test_linear_models():
    random = np.random.default_rng(7)
    x = random.normal(size=(200, 4)).astype(np.float32)
    names = {"X": x, "y": (x[:, 0] > 0).astype(int)}
    exec(snippet("GLMClassifier"), names)
    assert names["accuracy"] > 0.9


def test_pytorch(tmp_path):
    pytest.importorskip("torch")
    script = tmp_path / "train.py"
    script.write_text(
        snippet("init_process_group")
        + """
rank = dist.get_rank()
model(torch.full((1, 8), float(rank))).sum().backward()
# The mean of the gradients 0 and 1.
torch.testing.assert_close(model.module.weight.grad, torch.full((2, 8), 0.5))
assert dist.get_backend() == "netfold"
dist.destroy_process_group()
"""
    )
    torchrun = [
        sys.executable,
        "-m",
        "torch.distributed.run",
        "--standalone",
        "--nproc-per-node",
        "2",
    ]
    ended = subprocess.run([*torchrun, script], capture_output=True, text=True, timeout=LIMIT_S)
    assert ended.returncode == 0, ended.stderr
