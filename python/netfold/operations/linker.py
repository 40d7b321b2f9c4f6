"""LLVM's linker for WebAssembly: where it is, and what it makes of an object."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ..errors import OperationError

_STACK_BYTES = 16 * 1024
_NAMES = ["wasm-ld", *(f"wasm-ld-{version}" for version in range(22, 13, -1))]
_MISSING = (
    "wasm-ld is neither on the path nor part of a Rust that is installed; on Debian or Ubuntu: "
    "sudo apt-get install lld, or install Rust with rustup (https://rustup.rs)"
)
_SECTION = b"netfold.operation"


def linked(objects: Mapping[str, bytes]) -> bytes:
    """Link objects, each of which defines a function of its name, and return the module."""
    linker = _linker()
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "operation.wasm")
        sources = [Path(folder, f"{name}.o") for name in objects]
        for source, code in zip(sources, objects.values(), strict=True):
            source.write_bytes(code)
        exports = [f"--export={name}" for name in objects]
        options = ["--no-entry", *exports, "--strip-all", "-z", f"stack-size={_STACK_BYTES}"]
        command = [linker, *options, "-o", str(out), *map(str, sources)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            raise OperationError(_refusal(ended.stderr))
        return out.read_bytes()


def with_declaration(module: bytes, declaration: str) -> bytes:
    """Return the module with a declaration (R-OP-11): a custom section at its end."""
    content = _length(len(_SECTION)) + _SECTION + declaration.encode()
    return module + b"\0" + _length(len(content)) + content


def _length(value: int) -> bytes:
    """Write a number in LEB128."""
    digits = []
    while value > 0x7F:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, value])


def _linker() -> str:
    for name in _NAMES:
        if found := shutil.which(name):
            return found
    rustc = shutil.which("rustc")
    if rustc is not None:
        question = [rustc, "--print", "target-libdir"]
        answer = subprocess.run(question, capture_output=True, text=True, check=False)
        own = Path(answer.stdout.strip()).with_name("bin") / "gcc-ld/wasm-ld"
        if answer.returncode == 0 and own.is_file():
            return str(own)
    raise OperationError(_MISSING)


def _refusal(said: str) -> str:
    """Say what is missing, if something is."""
    lines = [line.partition("undefined symbol: ")[2] for line in said.splitlines()]
    missing = sorted({line for line in lines if line})
    if not missing:
        return f"wasm-ld failed:\n{said.strip()}"
    memory = any(name.startswith("NRT_") for name in missing)
    why = (
        "it makes arrays or other objects, and an operation has no memory to make them in: write "
        "into the left one, `np.add(left, right, left)` for `left[:] = left + right`, or loop over "
        "its elements"
        if memory
        else "these are functions of a library, and an operation has none: write them out, as a "
        "series or a table (examples/ops/log_sum_exp.c has exp and log1p)"
    )
    return f"the function needs {', '.join(missing)}: {why}"
