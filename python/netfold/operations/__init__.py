"""Operations that users bring along, as WebAssembly (R-OP in `spec/operations.md`).

:func:`op` makes one of a Python function, :func:`load_op` of a file. Either way the module is
admitted as a switch does with the limits that it has by default. `docs/operations.md` is the guide.

- `element.py`: element types, as declarations spell them and as NumPy has them.
- `compiler.py`: functions become modules, by numba and LLVM. Nothing else needs numba.
- `ufuncs.py`: NumPy's functions of numbers as functions of an operation.
- `loops.py`: assignments to whole arrays as loops.
- `library.py`: functions of C's library, for numba.
- `linker.py`: objects become modules.
"""

from __future__ import annotations

from .decorator import op
from .operation import Counterexample, Declaration, Operation, load_op

__all__ = ["Counterexample", "Declaration", "Operation", "load_op", "op"]
