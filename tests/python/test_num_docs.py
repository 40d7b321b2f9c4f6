"""The examples of docs/num.md and docs/sparse.md: each prints what stands there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from netfold import num

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "num.md").read_text()


@pytest.mark.parametrize("name", ["num.md", "sparse.md"])
def test_examples_print_what_the_page_says(name, tmp_path, monkeypatch):
    page = (DOCS / name).read_text()
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, None, None)
    monkeypatch.chdir(tmp_path)
    ended = doctest.DocTestRunner().run(examples)
    assert ended.failed == 0
    assert ended.attempted == page.count(">>> ") > 0


def test_every_function_is_on_the_page():
    functions = [
        name
        for name, value in vars(num).items()
        if callable(value) and value.__module__ == num.__name__ and name.islower()
    ]
    public = [name for name in functions if not name.startswith("_")]
    assert {"fold", "sum_native"} <= set(public)
    assert [name for name in public if f"num.{name}(" not in PAGE] == []
