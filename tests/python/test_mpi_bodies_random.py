"""Random functions of MPI_Op_create beside the bodies that are written for them (R-TR-23).

The machine's compiler runs the functions over whole vectors, so a value that stays from one element
to the next shows. The generator knows nothing of what is refused.
"""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import subprocess

import numpy as np
import pytest

pytest.importorskip("clang.cindex")

import netfold
from netfold.mpi.translate import header, operation, program, users
from netfold.mpi.translate.found import Body

FUNCTIONS = 24
HEAD = "#include <mpi.h>\nstruct e { double d; long l; int i; float f; unsigned u; short s; };\n"
FIELDS = {"d": "double", "l": "long", "i": "int", "f": "float", "u": "unsigned", "s": "short"}
DTYPE = np.dtype(
    [("d", "f8"), ("l", "i8"), ("i", "i4"), ("f", "f4"), ("u", "u4"), ("s", "i2")], align=True
)


class Generator:
    """A writer of random statements."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.locals = 0

    def function(self, name: str) -> str:
        """Return a function, one loop over the elements."""
        self.locals = 0
        count = self.draw.randint(2, 6)
        # Most functions give their variables a value in each round, and some forget one.
        given = ["c = a[n];", "q = b[n].d;", "t = a[n].u;"]
        rows = "".join(f"        {it}\n" for it in given if self.draw.random() < 0.8)
        rows += "".join(self.statement(2, 2) for _ in range(count))
        return (
            f"void {name}(void *in, void *inout, int *count, MPI_Datatype *type) {{\n"
            "    struct e *a = in, *b = inout, c;\n    double q; unsigned t; int j;\n"
            f"    for (int n = 0; n < *count; n++) {{\n{rows}    }}\n}}\n"
        )

    def statement(self, depth: int, nesting: int) -> str:
        indent, kind = "    " * depth, self.draw.random()
        if nesting and kind < 0.15:
            then, other = (self.statement(depth + 1, nesting - 1) for _ in range(2))
            rest = f" else {{\n{other}{indent}}}" if self.draw.random() < 0.5 else ""
            return f"{indent}if ({self.condition()}) {{\n{then}{indent}}}{rest}\n"
        if nesting and kind < 0.22:
            inner = self.statement(depth + 1, nesting - 1)
            return f"{indent}for (j = 0; j < 3; j++) {{\n{inner}{indent}}}\n"
        if kind < 0.32:
            return f"{indent}{self.draw.choice(['c = a[n];', 'c = b[n];', 'b[n] = a[n];', 'b[n] = c;'])}\n"
        if kind < 0.45:
            target, value = self.draw.choice([("q", self.real()), ("t", self.whole())])
            return f"{indent}{target} = {value};\n"
        if kind < 0.5:
            return f"{indent}{self.draw.choice(['t++', 't += 3', 'q += 1', 'b[n].u--'])};\n"
        owner = self.draw.choice(["b[n]", "b[n]", "b[n]", "c"])
        field = self.draw.choice(list(FIELDS))
        value = self.real() if field in "df" else f"({FIELDS[field]})({self.whole()})"
        return f"{indent}{owner}.{field} = {value};\n"

    def condition(self) -> str:
        sign = self.draw.choice(["<", ">", "<=", "=="])
        if self.draw.random() < 0.5:
            return f"{self.real()} {sign} {self.real()}"
        return f"{self.whole()} {sign} {self.whole()} && {self.whole()} % 3 != 1"

    def real(self) -> str:
        """Return a number that stays finite: sums, halves, and one of two."""
        places = [f"{owner}.{field}" for owner in ("a[n]", "b[n]", "c") for field in "df"]
        one, two = (
            self.draw.choice([*places, *places, "q", "1.5", "(double)a[n].s"]) for _ in "ab"
        )
        return self.draw.choice([
            one, f"({one} + {two})", f"({one} - 0.5 * {two})", f"({one} < {two} ? {one} : {two})",
            f"-{one}",
        ])  # fmt: skip

    def whole(self) -> str:
        """Return a number without a sign, which no operation overflows."""
        places = [f"{owner}.{field}" for owner in ("a[n]", "b[n]", "c") for field in "lius"]
        names = [*places, *places, "t", "7", "sizeof(struct e)"]
        one, two = (f"(unsigned long){self.draw.choice(names)}" for _ in "ab")
        return self.draw.choice([
            one, f"({one} + {two})", f"({one} * {two})", f"({one} ^ {two} >> 3)", f"({one} % 11)",
            f"({one} < {two} ? {one} : {two})", f"(unsigned)({one} - {two})", f"(~{one} & {two})",
        ])  # fmt: skip


def elements(draw: random.Random, count: int) -> np.ndarray:
    """Random elements, among them equal numbers."""
    found = np.zeros(count, DTYPE)
    for name in DTYPE.names:
        kind = DTYPE[name]
        if kind.kind == "f":
            found[name] = [draw.choice([0, 1, draw.uniform(-9, 9)]) for _ in range(count)]
        else:
            ends = np.iinfo(kind)
            numbers = [draw.choice([0, 1, draw.randint(ends.min, ends.max)]) for _ in range(count)]
            found[name] = numbers
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_random_bodies_do_what_the_functions_do(tmp_path, monkeypatch, seed):
    for name in ("clang", "cc", "netfold"):
        if shutil.which(name) is None:
            pytest.skip(f"there is no {name}")
    monkeypatch.setattr(operation, "command", lambda: shutil.which("netfold") or "netfold")
    generator = Generator(seed)
    names = [f"f{at}" for at in range(FUNCTIONS)]
    made = "".join(f"    MPI_Op_create({name}, 0, &op);\n" for name in names)
    source = tmp_path / "program.c"
    functions = "".join(map(generator.function, names))
    source.write_text(f"{HEAD}{functions}void make(void) {{\n    MPI_Op op;\n{made}}}\n")
    (tmp_path / "mpi.h").write_text(header.text())
    flags = ["-shared", "-fPIC", "-O1", "-w", "-Wl,--unresolved-symbols=ignore-all", "-Wl,-z,lazy"]
    library = tmp_path / "original.so"
    subprocess.run(["cc", f"-I{tmp_path}", source, *flags, "-o", library], check=True)
    originals = ctypes.CDLL(str(library), os.RTLD_LAZY)
    bodies = [it for it in users.find(program.load([source], [])) if isinstance(it, Body)]
    # Enough of them are taken, and enough refused, for this to mean something.
    assert FUNCTIONS / 4 < len(bodies) < FUNCTIONS
    for body in bodies:
        module = tmp_path / f"{body.function}.wasm"
        module.write_bytes(body.module)
        left, right = (elements(generator.draw, 50) for _ in range(2))
        given, want = left.copy(), right.copy()
        vectors = [ctypes.c_void_p(it.ctypes.data) for it in (given, want)]
        originals[body.function](*vectors, ctypes.byref(ctypes.c_int(50)), None)
        loaded = netfold.load_op(module)
        got = loaded.fold(left.view(loaded.dtype), right.view(loaded.dtype)).view(DTYPE)
        for field in DTYPE.names:
            assert got[field].tobytes() == want[field].tobytes(), (seed, field, body.source)
