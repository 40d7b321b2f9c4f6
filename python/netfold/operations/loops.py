"""Assignments to whole arrays, `left[:] = left + right`, as loops over their elements: numba would
make an array for the right side, and an operation has no memory for that.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np

_OPERATORS: dict[type[ast.AST], np.ufunc] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Div: np.true_divide,
    ast.FloorDiv: np.floor_divide,
    ast.Mod: np.remainder,
    ast.Pow: np.power,
    ast.LShift: np.left_shift,
    ast.RShift: np.right_shift,
    ast.BitAnd: np.bitwise_and,
    ast.BitOr: np.bitwise_or,
    ast.BitXor: np.bitwise_xor,
    ast.USub: np.negative,
    ast.UAdd: np.positive,
    ast.Invert: np.invert,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}
_AT = "_netfold_at"


def with_loops(function: Callable[..., Any], operands: int) -> Callable[..., Any]:
    """Return a function of whole messages with loops in place of assignments to all of an operand,
    which are its first parameters. Others, and functions without a source, stay as they are.
    """
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return function
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        return function
    names = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    loops = _Loops([*inspect.signature(function).parameters][:operands], names)
    if any(loops.is_operand(one, ast.Store) for one in ast.walk(definition)):
        return function
    definition.body = [loops.visit(line) for line in definition.body]
    if not loops.made:
        return function
    definition.decorator_list, definition.returns = [], None
    for one in ast.walk(definition.args):
        if isinstance(one, ast.arg):
            one.annotation = None
    names |= {_called(ufunc): ufunc for ufunc in _OPERATORS.values()}
    exec(compile(ast.fix_missing_locations(tree), inspect.getfile(function), "exec"), names)
    made: Callable[..., Any] = names[definition.name]
    return made


def _called(ufunc: np.ufunc) -> str:
    """Return the name that a function has in a loop."""
    return f"_netfold_{ufunc.__name__}"


class _NotOfElementsError(Exception):
    """A value for which an expression needs an array."""


class _Loops(ast.NodeTransformer):
    """Puts loops in place of assignments."""

    def __init__(self, operands: list[str], names: dict[str, Any]) -> None:
        self.made = False
        self._operands, self._names = operands, names

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        if len(node.targets) != 1 or (array := self._all_of(node.targets[0])) is None:
            return node
        return self._loop(node, array, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if (array := self._all_of(node.target)) is None:
            return node
        return self._loop(node, array, ast.BinOp(array, node.op, node.value))

    def _loop(self, node: ast.stmt, array: ast.expr, value: ast.expr) -> ast.stmt:
        try:
            made = self._of_element(value)
        except _NotOfElementsError:
            return node
        self.made = True
        loop = ast.parse(f"for {_AT} in range(len({ast.unparse(array)})): pass").body[0]
        assert isinstance(loop, ast.For)
        loop.body = [ast.Assign([self._element(array, ast.Store())], made)]
        return ast.copy_location(loop, node)

    def _of_element(self, node: ast.expr) -> ast.expr:
        """Return an expression of whole arrays as that of their elements at one place."""
        array = node if self.is_operand(node) else self._all_of(node)
        if array is not None:
            return self._element(array, ast.Load())
        if not any(self.is_operand(inner) for inner in ast.walk(node)):
            return node
        if isinstance(node, ast.BinOp):
            return self._called(node.op, node.left, node.right)
        if isinstance(node, ast.UnaryOp):
            return self._called(node.op, node.operand)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self._called(node.ops[0], node.left, node.comparators[0])
        if isinstance(node, ast.Call) and not node.keywords and self._is_of_numbers(node.func):
            return ast.Call(node.func, [self._of_element(one) for one in node.args], [])
        raise _NotOfElementsError

    def _called(self, operator: ast.AST, *operands: ast.expr) -> ast.expr:
        # NumPy's functions, so that results have the types that those of arrays have.
        if type(operator) not in _OPERATORS:
            raise _NotOfElementsError
        name = _called(_OPERATORS[type(operator)])
        elements = [self._of_element(one) for one in operands]
        return ast.Call(ast.Name(name, ast.Load()), elements, [])

    def _is_of_numbers(self, function: ast.expr) -> bool:
        """Return whether a function is one of NumPy's of single numbers, or a type."""
        match function:
            case ast.Name(name):
                found = self._names.get(name)
            case ast.Attribute(ast.Name(module), name):
                found = getattr(self._names.get(module), name, None)
            case _:
                return False
        if isinstance(found, np.ufunc):
            return found.signature is None
        return isinstance(found, type) and issubclass(found, np.number)

    def is_operand(self, node: ast.AST, context: type[ast.expr_context] = ast.Load) -> bool:
        """Return whether a node is the name of an operand."""
        match node:
            case ast.Name(name, found):
                return name in self._operands and isinstance(found, context)
        return False

    def _all_of(self, node: ast.AST) -> ast.expr | None:
        """Return the operand of `operand[:]`."""
        match node:
            case ast.Subscript(array, ast.Slice(None, None, None)) if self.is_operand(array):
                return array
        return None

    def _element(self, array: ast.expr, context: ast.expr_context) -> ast.expr:
        return ast.Subscript(array, ast.Name(_AT, ast.Load()), context)
