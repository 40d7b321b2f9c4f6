"""The examples of docs/num.md: each prints what stands there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from netfold import num

PAGE = (Path(__file__).parents[2] / "docs" / "num.md").read_text()


def test_examples_print_what_the_page_says():
    blocks = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "num.md", None, None)
    ended = doctest.DocTestRunner().run(examples)
    assert ended.failed == 0
    assert ended.attempted == PAGE.count(">>> ")


def test_every_function_is_on_the_page():
    functions = [
        name
        for name, value in vars(num).items()
        if callable(value) and value.__module__ == num.__name__ and name.islower()
    ]
    public = [name for name in functions if not name.startswith("_")]
    assert {"fold", "sum_native"} <= set(public)
    assert [name for name in public if f"num.{name}(" not in PAGE] == []
