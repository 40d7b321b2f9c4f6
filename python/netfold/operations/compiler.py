"""Python functions become WebAssembly: numba translates them for LLVM, and LLVM's compiler for
wasm32, which comes with numba, does the rest.

What comes out depends on the function and on the versions of numba and LLVM, and not on the
processor: numba's own optimiser knows the processor, and is left out. Functions that numba has
compiled before are taken as they are.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..errors import OperationError

_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""What WebAssembly 2.0 has (R-OP-12)."""

_LOCK = threading.Lock()
"""Numba's settings are the process's."""

_ONE_ELEMENT = """
loop:
  %at = phi i32 [0, %entry], [%next, %folded]
  %l = getelementptr inbounds [SIZE x i8], ptr %left, i32 %at
  %r = getelementptr inbounds [SIZE x i8], ptr %right, i32 %at
  %status = call i32 @"NAME"(ptr %nothing, ptr %raised, ptr %l, ptr %r)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %folded, label %failed
folded:
  %next = add nuw i32 %at, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %loop, label %done, !llvm.loop !0
"""
_WHOLE_MESSAGE = """
loop:
  %elements = zext i32 %count to i64
  %status = call i32 @"NAME"(ptr %nothing, ptr %raised, ptr %left, ptr %right, i64 %elements)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %done, label %failed
"""
_FOLD = """
declare i32 @"NAME"(PARAMETERS)
declare void @llvm.trap()
; Arrays of operands are netfold's: nobody counts who refers to them.
define void @NRT_incref(ptr %object) { ret void }
define void @NRT_decref(ptr %object) { ret void }
define void @fold(ptr noalias %left, ptr noalias %right, i32 %count) {
entry:
  %nothing = alloca ptr
  %raised = alloca ptr
  br label %loop
LOOP
failed:
  call void @llvm.trap()
  unreachable
done:
  ret void
}
; Four vectors in each turn, as clang does for C: LLVM's own choice is one, and 15 % slower.
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.interleave.count", i32 4}
"""
"""What a switch calls (R-OP-8). An exception of the function is a trap."""


def compiled(function: Callable[..., Any], dtype: np.dtype[Any], whole_message: bool) -> bytes:
    """Compile a function to an object with a function `fold` (R-OP-8)."""
    numba = _numba()
    with _LOCK, _portable(numba):
        try:
            translated = _translated(numba, function, dtype, whole_message)
        except (numba.core.errors.NumbaError, TypeError) as error:
            raise OperationError(f"numba cannot compile {_name(function)}: {error}") from error
        return _object(*translated, dtype.itemsize, whole_message)


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__name__", repr(function))


def _numba() -> Any:
    try:
        import numba
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "netfold.op compiles functions with numba; install it with `pip install 'netfold[ops]'` or `pip install numba`",
            name=error.name,
        ) from error
    return numba


@contextmanager
def _portable(numba: Any) -> Iterator[None]:
    """Leave out numba's optimiser, which compiles for this machine's processor."""
    before = numba.config.OPT
    numba.config.OPT = type(before)(0)
    try:
        yield
    finally:
        numba.config.OPT = before


def _translated(
    numba: Any, function: Callable[..., Any], dtype: np.dtype[Any], whole_message: bool
) -> tuple[str, str]:
    """Return LLVM's language for a function of pointers to the operands, and its name there."""
    element = numba.from_dtype(dtype)
    function = getattr(function, "py_func", function)
    user = numba.njit(error_model="numpy", boundscheck=False)(function)
    names = {"user": user, "array": numba.carray}
    pointer = numba.types.CPointer(element)
    if whole_message:
        parameters, types = "left, right, count", [pointer, pointer, numba.types.intp]
        lines = ["user(array(left, count), array(right, count))"]
    else:
        user.compile((element, element))
        result = user.nopython_signatures[-1].return_type
        parameters, types = "left, right", [pointer, pointer]
        lines = ["l, r = array(left, 1)[0], array(right, 1)[0]"]
        lines += _assignment(numba, result, dtype, _name(function))
    exec(f"def folded({parameters}):\n" + "\n".join(f"    {line}" for line in lines), names)
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    folded = numba.njit(numba.types.void(*types), boundscheck=False, **options)(names["folded"])
    (result,) = folded.overloads.values()
    return result.library.get_llvm_str(), result.fndesc.llvm_func_name


def _assignment(numba: Any, result: Any, dtype: np.dtype[Any], function: str) -> list[str]:
    """Write the lines that fold one element, by what the function returns."""
    types = numba.types
    if dtype.names is None:
        if isinstance(result, types.Number | types.Boolean):
            return ["array(left, 1)[0] = user(l, r)"]
        raise OperationError(f"{function} returns {result}, and an element is a number")
    if isinstance(result, types.NoneType):
        return ["user(l, r)"]
    if isinstance(result, types.Record):
        return ["array(left, 1)[0] = user(l, r)"]
    if isinstance(result, types.BaseTuple) and len(result) == len(dtype.names):
        if any(dtype[name].shape for name in dtype.names):
            raise OperationError(
                f"{function} returns a tuple, and a field has several numbers: change the left "
                "element in place instead, and return nothing"
            )
        fields = [f"l[{name!r}] = folded[{at}]" for at, name in enumerate(dtype.names)]
        return ["folded = user(l, r)", *fields]
    raise OperationError(
        f"{function} returns {result}; return one of the elements, a tuple of "
        f"{len(dtype.names)} fields, or nothing if it changes the left element"
    )


def _object(code: str, name: str, size: int, whole_message: bool) -> bytes:
    """Compile LLVM's language to an object for wasm32."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(_TRIPLE)
    except RuntimeError as error:
        raise OperationError(
            "the llvmlite that is installed does not compile to WebAssembly; that of PyPI does: "
            "pip install --force-reinstall llvmlite"
        ) from error
    machine = target.create_target_machine(opt=3, features=_FEATURES)
    header = f'target triple = "{_TRIPLE}"\ntarget datalayout = "{machine.target_data}"\n'
    code = re.sub(r"^target (triple|datalayout) = .*$", "", code, flags=re.MULTILINE)
    loop = _WHOLE_MESSAGE if whole_message else _ONE_ELEMENT
    parameters = ", ".join(["ptr"] * 4 + ["i64"] * whole_message)
    fold = _FOLD.replace("LOOP", loop).replace("PARAMETERS", parameters)
    fold = fold.replace("NAME", name).replace("SIZE", str(size))
    module = llvm.parse_assembly(header + code)
    module.link_in(llvm.parse_assembly(header + fold))
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration and one.name != "fold":
            one.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    module.verify()
    return bytes(machine.emit_object(module))
