"""Python functions become WebAssembly: numba translates them for LLVM, and LLVM's compiler for
wasm32, which comes with numba, does the rest.

What comes out depends on the function and on the versions of numba and LLVM, and not on the
processor: numba's own optimiser knows the processor, and is left out. Functions that numba has
compiled before are taken as they are.
"""

from __future__ import annotations

import inspect
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
POINTERS
  %status = call i32 @"NAME"(ptr %nothing, ptr %raised, ELEMENTS)
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
  %status = call i32 @"NAME"(ptr %nothing, ptr %raised, OPERANDS, i64 %elements)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %done, label %failed
"""
_FUNCTION = """
declare i32 @"NAME"(PARAMETERS)
declare void @llvm.trap()
; Arrays of operands are netfold's: nobody counts who refers to them.
define void @NRT_incref(ptr %object) { ret void }
define void @NRT_decref(ptr %object) { ret void }
define void @EXPORT(OPERANDS, i32 %count) {
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
"""What a switch calls (R-OP-8, R-OP-28, R-OP-30). An exception of the function is a trap."""

_OPERANDS = {"fold": 2, "map": 1, "decode": 2, "encode": 2}
"""The number of operands of what a module exports. The first one is changed."""

Operands = list[tuple[str, np.dtype[Any]]]
"""Names of operands, and types of their elements."""


def compiled(
    function: Callable[..., Any],
    dtypes: list[np.dtype[Any]],
    whole_message: bool,
    export: str = "fold",
) -> bytes:
    """Compile a function to an object with a function `fold` (R-OP-8), `map` (R-OP-28), `decode` or
    `encode` (R-OP-30), whose operands have elements of these types.
    """
    numba = _numba()
    operands = list(zip(["left", "right"], dtypes, strict=False))[: _OPERANDS[export]]
    with _LOCK, _portable(numba):
        try:
            translated = _translated(numba, function, operands, whole_message)
        except (numba.core.errors.NumbaError, TypeError) as error:
            raise OperationError(f"numba cannot compile {_name(function)}: {error}") from error
        return _object(*translated, operands, whole_message, export)


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
    numba: Any,
    function: Callable[..., Any],
    operands: Operands,
    whole_message: bool,
) -> tuple[str, str]:
    """Return LLVM's language for a function of pointers to the operands, and its name there."""
    function = getattr(function, "py_func", function)
    user = numba.njit(error_model="numpy", boundscheck=False)(function)
    names = {"user": user, "array": numba.carray}
    elements = {name: numba.from_dtype(dtype) for name, dtype in operands}
    parameters = ", ".join(elements)
    types = [numba.types.CPointer(element) for element in elements.values()]
    if whole_message:
        arrays = ", ".join(f"array({operand}, count)" for operand in elements)
        parameters, types = f"{parameters}, count", [*types, numba.types.intp]
        lines = [f"user({arrays})"]
    else:
        # A codec's function may do without what it makes, and return that.
        alone = len(elements) == 2 and len(inspect.signature(function).parameters) == 1
        given = list(elements)[1 if alone else 0 :]
        user.compile(tuple(elements[operand] for operand in given))
        result = user.nopython_signatures[-1].return_type
        lines = [f"{operand[0]} = array({operand}, 1)[0]" for operand in elements]
        call = f"user({', '.join(operand[0] for operand in given)})"
        lines += _assignment(numba, result, operands[0][1], _name(function), call)
    exec(f"def folded({parameters}):\n" + "\n".join(f"    {line}" for line in lines), names)
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    folded = numba.njit(numba.types.void(*types), boundscheck=False, **options)(names["folded"])
    (result,) = folded.overloads.values()
    return result.library.get_llvm_str(), result.fndesc.llvm_func_name


def _assignment(
    numba: Any, result: Any, dtype: np.dtype[Any], function: str, call: str
) -> list[str]:
    """Write the lines that fold or map one element, by what the function returns."""
    types = numba.types
    if dtype.names is None:
        if isinstance(result, types.Number | types.Boolean):
            return [f"array(left, 1)[0] = {call}"]
        raise OperationError(f"{function} returns {result}, and an element is a number")
    if isinstance(result, types.NoneType):
        return [call]
    if isinstance(result, types.Record):
        return [f"array(left, 1)[0] = {call}"]
    if isinstance(result, types.BaseTuple) and len(result) == len(dtype.names):
        if any(dtype[name].shape for name in dtype.names):
            raise OperationError(
                f"{function} returns a tuple, and a field has several numbers: change the left "
                "element in place instead, and return nothing"
            )
        fields = [f"l[{name!r}] = folded[{at}]" for at, name in enumerate(dtype.names)]
        return [f"folded = {call}", *fields]
    raise OperationError(
        f"{function} returns {result}; return one of the elements, a tuple of "
        f"{len(dtype.names)} fields, or nothing if it changes the left element"
    )


def _object(code: str, name: str, operands: Operands, whole_message: bool, export: str) -> bytes:
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
    parameters = ", ".join(["ptr"] * (2 + len(operands)) + ["i64"] * whole_message)
    pointers = [
        f"  %{one}.at = getelementptr inbounds [{dtype.itemsize} x i8], ptr %{one}, i32 %at"
        for one, dtype in operands
    ]
    exported = _FUNCTION.replace("LOOP", loop).replace("PARAMETERS", parameters)
    exported = exported.replace("POINTERS", "\n".join(pointers))
    exported = exported.replace("ELEMENTS", ", ".join(f"ptr %{one}.at" for one, _ in operands))
    # The definition has an attribute that a call does not have.
    definition = ", ".join(f"ptr noalias %{one}" for one, _ in operands)
    exported = exported.replace("@EXPORT(OPERANDS", f"@{export}({definition}")
    exported = exported.replace("OPERANDS", ", ".join(f"ptr %{one}" for one, _ in operands))
    exported = exported.replace("NAME", name)
    module = llvm.parse_assembly(header + code)
    module.link_in(llvm.parse_assembly(header + exported))
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration and one.name != export:
            one.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    module.verify()
    return bytes(machine.emit_object(module))
