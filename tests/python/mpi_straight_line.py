"""Random straight-line programs of MPI, as C, and an interpreter that runs original and translated
text on several ranks.

The interpreter knows what each statement of such a program means, and what the calls of
netfold_mpi.h mean. It knows nothing of how the translator decides.
"""

from __future__ import annotations

import random
import re

RANKS = 3
NAMES = ("a", "b", "c", "d", "p[0]", "p[1]", "q[0]", "q[1]")
"""Places of a program: variables, and elements of two pointers that point to an array."""

HEAD = """
    int rank, size, a = n, b = 2 * n + 1, c = 3, d = n * n, memory[3];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    memory[0] = n + 5; memory[1] = 7 - n; memory[2] = 4;
    int *p = memory, *q = memory + 1;
"""


def program(seed: int, functions: int) -> str:
    """Return a C file of so many functions, each a program."""
    draw = random.Random(seed)
    body = "".join(
        f"void f{at}(int n, MPI_Comm comm) {{{HEAD}{_statements(draw)}}}\n"
        for at in range(functions)
    )
    return f"#include <mpi.h>\n{body}"


def _address(name: str) -> str:
    return f"&{name}"


def _statements(draw: random.Random) -> str:
    lines = []
    for _ in range(draw.randint(2, 6)):
        kind = draw.random()
        one, two, three = (draw.choice(NAMES) for _ in range(3))
        if kind < 0.35:
            lines.append(f"{one} = {two} + {draw.choice([three, '1', '2'])};")
        elif kind < 0.45:
            lines.append(f"if (rank == size - 1) {one} = {two};")
        elif cell(one) != cell(two):
            lines.append(_collective(draw, one, two))
    return "".join(f"    {line}\n" for line in lines)


def _collective(draw: random.Random, one: str, two: str) -> str:
    operation = draw.choice(["MPI_SUM", "MPI_MAX"])
    of = f"{_address(one)}, {_address(two)}, 1, MPI_INT, {operation}"
    kind = draw.random()
    if kind < 0.5:
        return f"MPI_Allreduce({of}, comm);"
    if kind < 0.7:
        return f"MPI_Scan({of}, comm);"
    if kind < 0.8:
        return f"MPI_Reduce({of}, 0, comm);"
    root = draw.choice(["0", "size - 1", "size - 1"])
    return f"MPI_Bcast({_address(draw.choice([one, two]))}, 1, MPI_INT, {root}, comm);"


def cell(name: str) -> str:
    """Return the memory that a place is."""
    return {"p[0]": "m0", "p[1]": "m1", "q[0]": "m1", "q[1]": "m2"}.get(name, name)


Memory = dict[str, int]


def run(text: str, chains: dict[str, str]) -> list[Memory]:
    """Run the statements of a function on all ranks; returns what their memories have at the end."""
    memories: list[Memory] = [
        {"a": n, "b": 2 * n + 1, "c": 3, "d": n * n, "m0": n + 5, "m1": 7 - n, "m2": 4}
        for n in (4, 9, 2)
    ]
    kept: dict[str, list[list[int | None]]] = {}
    for statement in re.split(r"[;{}]\s*\n|\{ /\* netfold \*/\n", text):
        line = statement.strip().strip("};").strip()
        if line and not line.startswith(("/*", "(void)0")):
            _step(line, memories, kept, chains)
    return memories


def _step(
    line: str,
    memories: list[Memory],
    kept: dict[str, list[list[int | None]]],
    chains: dict[str, str],
) -> None:
    name, _, rest = line.partition("(")
    given = [it.strip() for it in rest.rstrip(")").split(",")]
    if line.startswith("if (rank == size - 1) "):
        _assign(line.partition(") ")[2], memories[-1])
    elif name == "netfold_chain_run":
        handle = given[0].lstrip("&")
        buffers = re.findall(r"\{&([a-z\[\]0-9]+), 1\}", line)
        kept[handle] = _chain(chains[handle], [_values(memories, it) for it in buffers])
    elif name == "netfold_chain_take":
        values = kept[given[0].lstrip("&")][int(given[1])]
        _put(memories, given[2].lstrip("&"), values)
    elif name.startswith("MPI_"):
        _mpi(name, given, memories)
    else:
        for memory in memories:
            _assign(line, memory)


def _assign(line: str, memory: Memory) -> None:
    target, _, value = line.partition(" = ")
    total = 0
    for term in value.split(" + "):
        total += int(term) if term.isdigit() else memory[cell(term)]
    memory[cell(target)] = total


def _values(memories: list[Memory], name: str) -> list[int]:
    return [memory[cell(name)] for memory in memories]


def _put(memories: list[Memory], name: str, values: list[int | None]) -> None:
    for memory, value in zip(memories, values, strict=True):
        if value is not None:
            memory[cell(name)] = value


def _fold(operation: str, values: list[int]) -> int:
    return max(values) if operation.lower().endswith("max") else sum(values)


def _scan(operation: str, values: list[int]) -> list[int]:
    return [_fold(operation, values[: rank + 1]) for rank in range(RANKS)]


def _mpi(name: str, given: list[str], memories: list[Memory]) -> None:
    first = given[0].lstrip("&")
    values = _values(memories, first)
    if name == "MPI_Bcast":
        root = 0 if given[3] == "0" else RANKS - 1
        _put(memories, first, [values[root]] * RANKS)
        return
    operation, second = given[4], given[1].lstrip("&")
    if name == "MPI_Allreduce":
        _put(memories, second, [_fold(operation, values)] * RANKS)
    elif name == "MPI_Scan":
        _put(memories, second, list(_scan(operation, values)))
    elif name == "MPI_Reduce":
        _put(memories, second, [_fold(operation, values), None, None])


def _chain(stages: str, inputs: list[list[int]]) -> list[list[int | None]]:
    """Return the results of a chain, for all ranks."""
    groups = [group.strip() for group in stages.split(";")]
    results: list[list[int | None]] = []
    for group, values in zip(groups, inputs, strict=True):
        name, operation = group.split()[:2]
        whole: list[int | None] = [_fold(operation, values)] * RANKS
        if name == "scan+":
            results.append(list(_scan(operation, values)))
        results.append(whole)
    return results
