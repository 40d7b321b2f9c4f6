"""Translated programs do what the originals do, whatever their statements are."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("clang.cindex")

import mpi_straight_line as straight
from netfold.mpi.translate import find, program, rewrite

FUNCTIONS = 120


def bodies(text: str) -> dict[str, str]:
    """Return the statements of each function behind those that all begin with."""
    found = re.findall(r"^void (f\d+)\(.*?memory \+ 1;\n(.*?)^\}$", text, re.MULTILINE | re.DOTALL)
    return dict(found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_straight_line_programs_agree(tmp_path, seed):
    path = tmp_path / "program.c"
    path.write_text(straight.program(seed, FUNCTIONS))
    parsed = program.load([path], [])
    said = find.find(parsed)
    chains = list(find.chains(said))
    [written] = rewrite.rewrite(parsed, chains)
    stages = dict(re.findall(r'(netfold_\d+) = netfold_chain_of\("(.*?)"\)', written.header))
    assert len(stages) == len(chains)
    before, after = bodies(written.before), bodies(written.after)
    assert len(before) == len(after) == FUNCTIONS
    for name, text in before.items():
        assert straight.run(text, {}) == straight.run(after[name], stages), (
            name,
            text,
            after[name],
        )
    # Enough of them are translated for this to mean something.
    changed = sum(text != after[name] for name, text in before.items())
    assert changed > FUNCTIONS / 12
    assert {chain.kind for chain in chains} >= {"at once"}
