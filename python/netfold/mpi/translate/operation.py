"""Operations of chains: C, compiled to WebAssembly by `netfold op build`."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_C = {"f32": "float", "f64": "double", "i32": "int", "i64": "long long", "u8": "unsigned char"}
_FOLDS = {
    "sum": "left[i] + right[i]",
    "product": "left[i] * right[i]",
    "min": "right[i] < left[i] ? right[i] : left[i]",
    "max": "right[i] > left[i] ? right[i] : left[i]",
}


class BuildError(RuntimeError):
    """An operation that cannot be compiled."""


@dataclass(frozen=True)
class Module:
    """An operation, as C with `NAME` for its name."""

    source: str

    @property
    def name(self) -> str:
        """Its name, which follows from the source."""
        return "chain-" + hashlib.sha256(self.source.encode()).hexdigest()[:16]

    @property
    def identifier(self) -> str:
        """Its name in C."""
        return self.name.replace("-", "_")

    def c(self, module: bytes) -> str:
        """Return the compiled module as an array of C, with its source above."""
        numbers = [f"{byte}" for byte in module]
        rows = [", ".join(numbers[at : at + 20]) for at in range(0, len(numbers), 20)]
        body = ",\n    ".join(rows)
        source = self.source.replace("NAME", self.name).strip()
        return (
            f"/*\n{source}\n*/\nstatic const unsigned char {self.identifier}[] = {{\n    {body}}};"
        )


def source(kind: str, operation: str, value: str | None = None) -> str:
    """Return the C of an operation that folds by one of netfold's, and maps `x` to `value`. It
    claims nothing, so that operands are folded in the order of ranks (R-TR-18).
    """
    name = _C[kind]
    body = (
        "#include <netfold_op.h>\n\n"
        f'OP_DECLARE("abi 1")\nOP_DECLARE("name NAME")\nOP_DECLARE("element {kind}")\n\n'
        f"OP_FOLD({name}, left, right, count) {{\n"
        f"    for (int i = 0; i < count; i++) left[i] = {_FOLDS[operation]};\n}}\n"
    )
    if value is not None:
        body += (
            f"\nOP_MAP({name}, result, count) {{\n    for (int i = 0; i < count; i++) {{\n"
            f"        {name} x = result[i];\n        result[i] = {value};\n    }}\n}}\n"
        )
    return body


def in_order(operation: str, kind: str) -> Module:
    """Return the operation that folds floats in the order of ranks."""
    return Module(source(kind, operation))


@cache
def build(module: Module) -> bytes:
    """Compile an operation.

    Raises:
        BuildError: the compiler is missing, or does not take it.
    """
    netfold = command()
    with tempfile.TemporaryDirectory(prefix="netfold-translate-") as folder:
        written, out = Path(folder, "operation.c"), Path(folder, "operation.wasm")
        written.write_text(module.source.replace("NAME", module.name))
        built = subprocess.run(
            [netfold, "op", "build", str(written), "--out", str(out)],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if built.returncode != 0:
            raise BuildError(built.stderr.strip() or built.stdout.strip())
        return out.read_bytes()


def command() -> str:
    """Return the path of the command `netfold`: beside the interpreter, or else on the path.

    Raises:
        BuildError: it is not installed.
    """
    beside = Path(sys.executable).with_name("netfold")
    found = str(beside) if beside.exists() else shutil.which("netfold")
    if found is None:
        raise BuildError("the command netfold is not installed, which compiles operations")
    return found
