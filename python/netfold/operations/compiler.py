"""Python functions become WebAssembly: numba translates them for LLVM, and LLVM's compiler for
wasm32, which comes with numba, does the rest.

What comes out depends on the function and on the versions of numba and LLVM, and not on the
processor: numba's own optimiser knows the processor, and is left out. Functions that numba has
compiled before are taken as they are.
"""

from __future__ import annotations

import functools
import inspect
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..errors import OperationError
from .loops import with_loops

_TRIPLE = "wasm32-unknown-unknown"
_FEATURES = "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint,+mutable-globals"
"""Features of WebAssembly 2.0 (R-OP-12)."""

_LOCK = threading.Lock()
"""Numba's settings are the process's."""

_ONE_ELEMENT = """
loop:
  %at = phi i32 [0, %entry], [%next, %folded]
POINTERS
  %status = call i32 @"NAME"(ptr %nothing, ptr %raised, ELEMENTSMORE)
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
  %status = call i32 @"NAME"(ptr %nothing, ptr %raised, OPERANDS, i64 %elementsMORE)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %done, label %failed
"""
_FUNCTION = """
declare i32 @"NAME"(PARAMETERS)
declare void @llvm.trap()
; Arrays of operands are netfold's: nobody counts who refers to them.
define void @NRT_incref(ptr %object) { ret void }
define void @NRT_decref(ptr %object) { ret void }
define void @EXPORT(OPERANDS, i32 %countRANK) {
entry:
  %nothing = alloca ptr
  %raised = alloca ptr
ENTRY
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
"""The functions that a switch calls (R-OP-8, R-OP-28, R-OP-30, R-OP-32). An exception of the
function is a trap.
"""

_LIBRARY_FUNCTION = """
declare i32 @"NAME"(ptr, ptr, TYPES)
define RESULT @EXPORT(PARAMETERS) {
  %result = alloca RESULT
  %raised = alloca ptr
  %status = call i32 @"NAME"(ptr %result, ptr %raised, PARAMETERS)
  %value = load RESULT, ptr %result
  ret RESULT %value
}
"""
"""A function of C's library, as what calls it knows it."""

_STATE = "netfold_state"
"""Memory that the functions of a module share (R-OP-31): the linker keeps one of those of all
objects.
"""


@dataclass(frozen=True)
class Part:
    """A function of an operation, and what the module exports of it: `fold` (R-OP-8), `map`
    (R-OP-28), `decode` or `encode` (R-OP-30), or `answer` (R-OP-32).
    """

    export: str
    function: Callable[..., Any]
    operands: list[tuple[str, np.dtype[Any]]]
    """Names of operands, and types of their elements. The first one is changed."""
    whole_message: bool
    """The function gets arrays, not elements."""
    state: np.dtype[Any] | None = None
    """Type of the data that the function gets as an array behind all else (R-OP-31)."""

    @property
    def asks(self) -> bool:
        """It gets the rank of the worker that asks, behind the request."""
        return self.export == "answer"

    @property
    def name(self) -> str:
        """Name of the function."""
        return getattr(self.function, "__name__", repr(self.function))


def part(
    export: str,
    function: Callable[..., Any],
    dtypes: list[np.dtype[Any]],
    whole_message: bool = False,
    state: np.dtype[Any] | None = None,
) -> Part:
    """Return a function of an operation; one of NumPy's functions of numbers is written as one of
    the operands.
    """
    operands = list(zip(["left", "right"], dtypes, strict=False))
    function = getattr(function, "py_func", function)
    if isinstance(function, np.ufunc):
        _numba()
        from .ufuncs import of_ufunc

        given = operands if export == "fold" else operands[-1:]
        taken = [dtype for _, dtype in given]
        function = of_ufunc(
            function, taken, operands[0][1], [name for name, _ in given], whole_message
        )
    elif whole_message:
        function = with_loops(function, len(operands))
    return Part(export, function, operands, whole_message, state)


def compiled(part: Part) -> bytes:
    """Compile a function to an object that defines what the module exports."""
    numba = _numba()
    with _LOCK, _portable(numba):
        try:
            translated = _translated(numba, part)
        except (numba.core.errors.NumbaError, TypeError) as error:
            raise OperationError(f"numba cannot compile {part.name}: {error}") from error
        code, name = translated
        return _object(code, _exported(name, part), {part.export, _STATE})


@functools.cache
def library_function(symbol: str) -> bytes | None:
    """Compile a function of C's library to an object that defines it; None if there is no such
    function here.
    """
    numba = _numba()
    with _LOCK, _portable(numba):
        from .library import FUNCTIONS

        if symbol not in FUNCTIONS:
            return None
        types, function = FUNCTIONS[symbol]
        numbers = {"d": numba.float64, "f": numba.float32, "i": numba.int32}
        signature = numbers[types[0]](*(numbers[one] for one in types[1:]))
        options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
        text = ", ".join(f"x{at}" for at in range(len(types) - 1))
        names: dict[str, Any] = {"function": function}
        exec(f"def called({text}):\n    return function({text})", names)
        called = numba.njit(signature, boundscheck=False, **options)(names["called"])
        (result,) = called.overloads.values()
        code, name = result.library.get_llvm_str(), result.fndesc.llvm_func_name
        spellings = {"d": "double", "f": "float", "i": "i32"}
        inner = [spellings[one] for one in types]
        exported = _LIBRARY_FUNCTION.replace("TYPES", ", ".join(inner[1:]))
        parameters = ", ".join(f"{one} %x{at}" for at, one in enumerate(inner[1:]))
        exported = exported.replace("PARAMETERS", parameters).replace("RESULT", inner[0])
        exported = exported.replace("EXPORT", symbol).replace("NAME", name)
        return _object(code, exported, {symbol})


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


def _translated(numba: Any, part: Part) -> tuple[str, str]:
    """Return LLVM's language for a function of pointers to the operands, and its name there."""
    user = numba.njit(error_model="numpy", boundscheck=False)(part.function)
    names = {"user": user, "array": numba.carray}
    elements = {name: numba.from_dtype(dtype) for name, dtype in part.operands}
    types = [numba.types.CPointer(element) for element in elements.values()]
    parameters = [*elements]
    if part.whole_message:
        parameters, types = [*parameters, "count"], [*types, numba.types.intp]
    # Behind the operands: values that the function gets, and their types.
    more: dict[str, Any] = {}
    if part.asks:
        parameters, types = [*parameters, "rank"], [*types, numba.types.intp]
        more["rank"] = numba.types.intp
    if part.state is not None:
        shape = part.state.shape or (1,)
        kind = numba.from_dtype(part.state.base)
        parameters, types = [*parameters, "state"], [*types, numba.types.CPointer(kind)]
        more[f"array(state, {shape})"] = numba.types.Array(kind, len(shape), "C")
    if part.whole_message:
        arrays = [f"array({operand}, count)" for operand in elements]
        lines = [f"user({', '.join([*arrays, *more])})"]
    else:
        lines = _of_element(numba, part, user, elements, more)
    text = f"def folded({', '.join(parameters)}):\n" + "\n".join(f"    {line}" for line in lines)
    exec(text, names)
    options = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, "error_model": "numpy"}
    folded = numba.njit(numba.types.void(*types), boundscheck=False, **options)(names["folded"])
    (result,) = folded.overloads.values()
    return result.library.get_llvm_str(), result.fndesc.llvm_func_name


def _of_element(
    numba: Any, part: Part, user: Any, elements: dict[str, Any], more: dict[str, Any]
) -> list[str]:
    """Write the lines that call the function for one element."""
    # A codec's function may do without what it makes, and return that.
    taken = len(inspect.signature(part.function).parameters) - len(more)
    alone = len(elements) == 2 and taken == 1
    given = [*elements][1 if alone else 0 :]
    user.compile((*(elements[operand] for operand in given), *more.values()))
    result = user.nopython_signatures[-1].return_type
    lines = [f"{operand[0]} = array({operand}, 1)[0]" for operand in elements]
    call = f"user({', '.join([*(operand[0] for operand in given), *more])})"
    return lines + _assignment(numba, result, part.operands[0][1], part.name, call)


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


def _object(code: str, exported: str, kept: set[str]) -> bytes:
    """Compile LLVM's language, and that of what calls it, to an object for wasm32 that defines the
    names that are kept.
    """
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
    module = llvm.parse_assembly(header + code)
    module.link_in(llvm.parse_assembly(header + exported))
    for one in [*module.functions, *module.global_variables]:
        if not one.is_declaration and one.name not in kept:
            one.linkage = "internal"
    options = llvm.create_pipeline_tuning_options(speed_level=3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(module, passes)
    module.verify()
    return bytes(machine.emit_object(module))


def _exported(name: str, part: Part) -> str:
    """Write LLVM's language for what a module exports, which calls the function of this name."""
    operands = [operand for operand, _ in part.operands]
    types = ["ptr"] * (2 + len(operands)) + ["i64"] * part.whole_message
    # Behind the operands: values that the function gets.
    more, entry, state = [], "", ""
    if part.asks:
        more.append("i64 %asking")
        entry = "  %asking = zext i32 %rank to i64"
    if part.state is not None:
        more.append(f"ptr @{_STATE}")
        size = part.state.itemsize
        state = f"@{_STATE} = weak global [{size} x i8] zeroinitializer, align 16\n"
    pointers = [
        f"  %{one}.at = getelementptr inbounds [{dtype.itemsize} x i8], ptr %{one}, i32 %at"
        for one, dtype in part.operands
    ]
    text = _FUNCTION.replace("LOOP", _WHOLE_MESSAGE if part.whole_message else _ONE_ELEMENT)
    text = text.replace("PARAMETERS", ", ".join([*types, *(one.split()[0] for one in more)]))
    text = text.replace("RANK", ", i32 %rank" if part.asks else "").replace("ENTRY", entry)
    text = text.replace("MORE", "".join(f", {one}" for one in more))
    text = text.replace("POINTERS", "\n".join(pointers))
    text = text.replace("ELEMENTS", ", ".join(f"ptr %{one}.at" for one in operands))
    # The definition has an attribute that a call does not have.
    definition = ", ".join(f"ptr noalias %{one}" for one in operands)
    text = text.replace("@EXPORT(OPERANDS", f"@{part.export}({definition}")
    text = text.replace("OPERANDS", ", ".join(f"ptr %{one}" for one in operands))
    return state + text.replace("NAME", name)
