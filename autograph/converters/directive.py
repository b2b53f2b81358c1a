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

import inspect
from collections.abc import Sequence
from typing import Any, TypeAlias

import gast

from autograph.converters.base import Converter, Replacement
from autograph.source.template import literal

__all__ = ["Directive", "loop_options", "set_loop_options"]

Loop: TypeAlias = "gast.For | gast.While"


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

    handles = (gast.For, gast.While)

    def convert(self, node: Loop) -> Replacement:
        """Only statements of the body itself count: a directive in a branch would be said too late."""
        body = []
        for statement in node.body:
            if self._is_directive(statement):
                self.context.loop_options.setdefault(node, {}).update(_arguments(statement.value))
            else:
                body.append(statement)
        node.body = body or [gast.Pass()]
        return node

    def _is_directive(self, statement: gast.stmt) -> bool:
        match statement:
            case gast.Expr(value=gast.Call(func=name)):
                return self.context.resolve(name) is set_loop_options
        return False


def _arguments(call: gast.Call) -> dict[str, gast.expr]:
    positional = dict(zip(PARAMETERS, call.args, strict=False))
    return positional | {keyword.arg: keyword.value for keyword in call.keywords}


def loop_options(said: dict[str, gast.expr]) -> gast.Dict:
    """The dictionary that a loop's operator gets as its last argument."""
    return gast.Dict([literal(name) for name in said], list(said.values()))
