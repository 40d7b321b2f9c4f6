"""The programs of docs/operations.md: each is compiled, and does what stands there."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import netfold

PAGE = (Path(__file__).parents[2] / "docs/operations.md").read_text()
RULES = (Path(__file__).parents[2] / "spec/operations.md").read_text()


def block(language: str) -> str:
    """Return the only block of the page in a language."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return found


def netfold_op(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = ["netfold", "op", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_python(switch):
    pytest.importorskip("numba", reason="operations in Python are compiled by numba")
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    examples = doctest.DocTestParser().get_doctest(
        "\n".join(blocks), {"switch": switch}, "operations", None, None
    )
    ended = doctest.DocTestRunner().run(examples)
    assert ended.failed == 0
    assert ended.attempted == PAGE.count(">>> ") > 0


def test_c(tmp_path):
    if shutil.which("clang") is None:
        pytest.skip("operations in C are compiled by clang")
    source, module = tmp_path / "largest.c", tmp_path / "largest.wasm"
    source.write_text(block("c"))
    built = netfold_op("build", source)
    assert built.returncode == 0, built.stderr
    (said,) = re.findall(r"```\n\$ netfold op test largest.wasm\n(.*?)```", PAGE, re.DOTALL)
    assert netfold_op("test", module).stdout == said
    magnitudes = netfold.load_op(module).fold([3, -3, -(2**31)], [-4, 2, 2**31 - 1])
    assert magnitudes.tolist() == [-4, -3, -(2**31)]
    source.write_text(block("c").replace("commutative yes", "commutative no"))
    assert netfold_op("build", source).returncode == 0
    assert netfold_op("test", module).returncode == 0


def test_rust(tmp_path):
    source, module = tmp_path / "saturating.rs", tmp_path / "saturating.wasm"
    source.write_text(block("rust"))
    built = netfold_op("build", source)
    if "rustup target add" in built.stderr:
        pytest.skip("the Rust that is installed has no WebAssembly")
    assert built.returncode == 0, built.stderr
    operation = netfold.load_op(module)
    assert operation.test() == []
    left, right = np.random.default_rng(1).integers(0, 2**16, (2, 50_000), np.uint16)
    expected = np.minimum(left.astype(int) + right, 2**16 - 1)
    np.testing.assert_array_equal(operation.fold(left, right), expected)


def test_the_page_has_every_reason_of_the_rules():
    (rule,) = re.findall(r"\*\*R-OP-16\*\*.*?The names come in the order", RULES, re.DOTALL)
    reasons = set(re.findall(r"`([a-z-]+)`", rule))
    table = PAGE[PAGE.index("| refused as") : PAGE.index("A fold that traps later")]
    named = {name for row in table.splitlines() for name in re.findall(r"`([a-z-]+)`", row[:60])}
    assert reasons == named - {"memory", "fold"} | {"memory"}


def test_the_page_has_every_example():
    folder = Path(__file__).parents[2] / "examples/ops"
    examples = {path.name for path in folder.iterdir() if path.suffix in {".c", ".rs"}}
    assert examples == set(re.findall(r"^\| `(\w+\.(?:c|rs))`", PAGE, re.MULTILINE))
