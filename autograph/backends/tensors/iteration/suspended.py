"""Generators of Python's that wait inside of a `try` or a `with`, where a tensor leaves the loop over them.

Python throws a GeneratorExit into one that is left, which runs its `finally` and nothing else. While a graph
is built its items are all asked for, as the graph may want them: what it does between them would happen in
any case. So that has to be nothing that anybody sees.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import math
import textwrap
from collections.abc import Iterator, Mapping, Set
from types import CodeType, GeneratorType, ModuleType
from typing import Any

import numpy as np

from autograph.source.edit import SCOPES
from runtime.errors import StateDisagrees
from runtime.graph.location import caller_location

__all__ = ["require_nothing_between"]

_CATCHES_EXIT = {"GeneratorExit", "BaseException"}
_QUIET: tuple[Any, ...] = (
    *(abs, bool, chr, complex, divmod, enumerate, float, int, isinstance, len, list, max, min, ord, pow),
    *(range, repr, reversed, round, set, sorted, str, sum, tuple, zip),
    *(np.arange, np.array, np.asarray, np.empty, np.full, np.linspace, np.ones, np.zeros, np.zeros_like),
    *[each for each in vars(math).values() if callable(each)],
)
"""What only computes, of arguments that are no functions."""
_VISIBLE_KEYWORDS = frozenset({"key", "out"})
_PLAIN = (ast.If, ast.For, ast.While, ast.Break, ast.Continue, ast.Pass, ast.Return, ast.With, ast.Try)


def require_nothing_between(items: Iterator[Any]) -> None:
    """Refuses an iterator that is a generator of Python's, and does or raises something between its items.

    Raises
    ------
    StateDisagrees
        When that would happen although the loop was left before.
    """
    generator = getattr(items, "_python", items)
    if not isinstance(generator, GeneratorType) or generator.gi_code.co_name == "<genexpr>":
        return
    function, frame = _tree_of(generator.gi_code), generator.gi_frame
    if frame is None:  # it has come to its end
        return
    look = _Look({**vars(builtins), **frame.f_globals, **frame.f_locals}, _outer_in(function))
    seen = None if function is None else next(look.seen(function.body, has_begun=False), None)
    if function is not None and seen is None:
        return
    name, line = generator.gi_code.co_name, getattr(seen, "lineno", 1) + generator.gi_code.co_firstlineno - 1
    raise StateDisagrees(
        f"a tensor decides when a loop leaves the generator {name}(), which does more than to give items",
        where=caller_location(),
        details=[f"line {line} of the generator: {ast.unparse(seen)}"] if isinstance(seen, ast.AST) else (),
        why="It waits inside of a `try` or a `with`: Python runs it on while the graph is built, and nobody "
        "knows by then whether the loop was left.",
        way_out="Put the `try` around the loop, so that the generator yields outside of one, or let it give "
        "all items in a list.",
    )


def _tree_of(code: CodeType) -> ast.FunctionDef | None:
    """A generator function as it is written; None where nobody knows its text."""
    try:
        lines, _ = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, SyntaxError, IndexError):
        return None
    return tree if isinstance(tree, ast.FunctionDef) else None


def _outer_in(function: ast.FunctionDef | None) -> set[str]:
    """The names of a function that are variables of the module, or of a function around it."""
    statements = [] if function is None else ast.walk(function)
    return {name for each in statements if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}


class _Look:
    """Looks for what somebody may see of a generator.

    Parameters
    ----------
    names : dict of str to object
        What its names stand for.
    outer : set of str
        Those of them that it does not keep for itself.
    """

    def __init__(self, names: Mapping[str, Any], outer: Set[str]) -> None:
        self._names = names
        self._outer = outer

    def seen(self, statements: list[ast.stmt], *, has_begun: bool) -> Iterator[ast.AST]:
        """What somebody may see of statements, or of what is raised in them, but for items and `finally`.

        What is done before the first item has been done.
        """
        for statement in statements:
            if not has_begun and not any(
                isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(statement)
            ):
                continue
            before, has_begun = has_begun, True
            if self._binds_outer(statement):
                yield statement
                continue
            match statement:
                case ast.Expr(value=value) | ast.Return(value=value):
                    yield from self.calls(value)
                case ast.Assign(targets=targets) if all(
                    isinstance(each, ast.Name | ast.Tuple) for each in targets
                ):
                    yield from self.calls(statement.value)
                case ast.AugAssign(target=ast.Name()) | ast.AnnAssign(target=ast.Name()):
                    yield from self.calls(statement.value)
                case ast.Try(body=body, handlers=handlers, orelse=orelse, finalbody=final):
                    yield from [each for each in handlers if _catches_exit(each)]
                    yield from _raises(final)
                    yield from self.seen(body, has_begun=before)
                    yield from self.seen(
                        [*[each for one in handlers for each in one.body], *orelse], has_begun=True
                    )
                case ast.With(body=body):
                    yield from self.seen(body, has_begun=before)
                case _ if isinstance(statement, _PLAIN):
                    for test in (getattr(statement, name, None) for name in ("test", "iter")):
                        yield from self.calls(test)
                    for name in ("body", "orelse"):
                        yield from self.seen(getattr(statement, name, []), has_begun=True)
                case _:
                    yield statement

    def _binds_outer(self, statement: ast.stmt) -> bool:
        """Whether a statement binds a variable that others see, but in what is nested in it."""
        inside = ast.stmt | ast.ExceptHandler
        parts = [each for each in ast.iter_child_nodes(statement) if not isinstance(each, inside)]
        bound = [each for part in parts for each in ast.walk(part) if isinstance(each, ast.Name)]
        return any(each.id in self._outer and not isinstance(each.ctx, ast.Load) for each in bound)

    def calls(self, value: ast.AST | None) -> Iterator[ast.AST]:
        """The calls in an expression of which nobody knows that they only compute."""
        pending = [] if value is None else [value]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Call) and not self._only_computes(node):
                yield node
            if not isinstance(node, SCOPES):
                pending += ast.iter_child_nodes(node)

    def _only_computes(self, node: ast.Call) -> bool:
        match node.func:
            case ast.Name(name):
                found = self._names.get(name)
            case ast.Attribute(ast.Name(module), name) if isinstance(self._names.get(module), ModuleType):
                found = getattr(self._names[module], name, None)
            case _:
                return False
        if any(each.arg in _VISIBLE_KEYWORDS for each in node.keywords):
            return False
        if isinstance(found, np.ufunc):
            return len(node.args) <= found.nin
        return any(found is each for each in _QUIET)


def _catches_exit(handler: ast.ExceptHandler) -> bool:
    named = [] if handler.type is None else [*ast.walk(handler.type)]
    return not named or any(isinstance(each, ast.Name) and each.id in _CATCHES_EXIT for each in named)


def _raises(final: list[ast.stmt]) -> Iterator[ast.AST]:
    """What a `finally` surely or probably raises: Python ignores that where the generator was left."""
    for statement in final:
        for each in ast.walk(statement):
            if isinstance(each, ast.Raise | ast.Assert | ast.Yield | ast.YieldFrom) or (
                isinstance(each, ast.BinOp) and isinstance(each.op, ast.Div | ast.FloorDiv | ast.Mod)
            ):
                yield each
