"""`set_loop_options(...)` in a loop says something about the loop and runs nothing.

>>> from autograph.converters.picture import show
>>> from autograph.converters.while_stmt import WhileStmt
>>> show('''
... while x > 0:
...     set_loop_options(maximum_iterations=n)
...     x = x - 1
... ''', Directive)
while x > 0:
    set_loop_options(maximum_iterations=n)
    x = x - 1

Nothing happens here, for in this picture the name means nothing. Where it means this module's function, the
call goes away and its arguments become the last argument of `ag__.while_stmt` or `ag__.for_stmt`:
``{'maximum_iterations': n}``.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from typing import Any, TypeAlias

from autograph.converters.base import Converter, Replacement
from autograph.source.nodes import walk
from autograph.source.template import literal

__all__ = ["Directive", "loop_options", "set_loop_options"]

Loop: TypeAlias = "ast.For | ast.While"

Options: TypeAlias = dict[str | None, ast.expr]
"""What directives say, by name; `None` is for `**options`, as in a call."""


def set_loop_options(
    parallel_iterations: int | None = None,
    swap_memory: bool | None = None,
    maximum_iterations: Any = None,
    shape_invariants: Sequence[tuple[Any, Any]] | None = None,
) -> None:
    """Says how a backend may run the loop whose body this call stands in.

    In a loop that runs as plain Python it says nothing.

    Parameters
    ----------
    parallel_iterations : int, optional
        How many turns may overlap; a hint.
    swap_memory : bool, optional
        Whether memory may be moved elsewhere; a hint.
    maximum_iterations : int or backend value, optional
        The loop stops after so many turns.
    shape_invariants : sequence of (value, shape), optional
        For loop variables whose shape changes: the variable, and the shape that holds for every turn.

    Examples
    --------
    >>> def countdown(n):
    ...     while n > 0:
    ...         set_loop_options(maximum_iterations=100)
    ...         n = n - 1
    ...     return n
    >>> countdown(3)
    0
    """
    del parallel_iterations, swap_memory, maximum_iterations, shape_invariants


PARAMETERS = tuple(inspect.signature(set_loop_options).parameters)


class Directive(Converter[Loop]):
    """Takes the directives out of a loop's body."""

    handles = (ast.For, ast.While)

    def convert(self, node: Loop) -> Replacement:
        """Only statements of the body itself count: a directive in a branch would be said too late."""
        body = []
        for statement in node.body:
            said = self._arguments(statement)
            if said is None:
                body.append(statement)
            else:
                self.context.loop_options.setdefault(node, {}).update(said)
                self.context.announced.update(walk(said.values()))
        node.body = body or [ast.Pass()]
        return node

    def _arguments(self, statement: ast.stmt) -> Options | None:
        """What a directive says; None where the statement is none."""
        match statement:
            case ast.Expr(value=ast.Call(func=name) as call):
                return _arguments(call) if self.context.resolve(name) is set_loop_options else None
        return None


def _arguments(call: ast.Call) -> Options:
    positional = dict(zip(PARAMETERS, call.args, strict=False))
    return positional | {keyword.arg: keyword.value for keyword in call.keywords}


def loop_options(said: Options) -> ast.Dict:
    """The dictionary that a loop's operator gets as its last argument."""
    return ast.Dict([None if name is None else literal(name) for name in said], list(said.values()))
