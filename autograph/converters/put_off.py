"""Reads that move into a function because their expression is put off: arms, later operands, and others.

Python says `UnboundLocalError` of a variable that a function reads before it has a value, and something else
of one that a function within it reads. So such a variable starts as `Undefined`, whose read says the right
thing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from autograph.analysis.activity import Activity
from autograph.analysis.definitions import Definitions
from autograph.analysis.manager import Analyses
from autograph.source.edit import COMPREHENSIONS, children_in_frame
from autograph.source.names import NodesByClass
from autograph.source.nodes import children

__all__ = ["bound_names", "names_read_after_handlers", "puts_off", "undefined_when_put_off"]


PUTTING_OFF = (ast.IfExp, ast.BoolOp, *COMPREHENSIONS)
"""Classes of expressions with parts that may be put off; comparisons of three and more are another.

So are what is added to an item, and where that is, messages of assertions, and whose attributes are set.
"""


def puts_off(nodes: NodesByClass) -> bool:
    """Whether something in a function has a part that may be put off, given its nodes by class."""
    return (
        any(map(nodes.get, PUTTING_OFF))
        or any(len(each.ops) > 1 for each in nodes.get(ast.Compare, ()))
        or any(isinstance(each.target, ast.Subscript) for each in nodes.get(ast.AugAssign, ()))
        or any(each.msg is not None for each in nodes.get(ast.Assert, ()))
        or any(each.ctx.__class__ is not ast.Load for each in nodes.get(ast.Attribute, ()))
    )


def undefined_when_put_off(function: ast.FunctionDef, analyses: Analyses, *, binds: bool) -> set[str]:
    """The variables of a function that an expression which is put off may read before they have a value.

    Beside them, those that such an expression binds, by `:=`.

    Parameters
    ----------
    function : ast.FunctionDef
        As the user wrote it.
    analyses : Analyses
        Of the tree that it belongs to.
    binds : bool
        Whether there is a `:=` in the tree at all.
    """
    activity = analyses.get(Activity)
    frame, bit = activity.inside(function), activity.names.bit
    unsure = frame.locals & ~(frame.params & ~frame.deleted)
    bound = {name for statement in function.body for name in _bound_when_put_off(statement)} if binds else ()
    found = {name for name in bound if bit(name) & frame.locals & ~frame.params}
    reads: list[ast.Name] = []
    for statement in function.body:
        reads += [name for name in _put_off(statement) if bit(name.id) & unsure]
        # What the statements of the body bind on every way has a value in those that follow.
        unsure &= ~activity.of(statement).surely_bound | frame.deleted
    if reads:
        definitions = analyses.get(Definitions)
        found |= {name.id for name in reads if definitions.is_unsure(name)}
    return found


def names_read_after_handlers(function: ast.AST) -> set[str]:
    """The names that are read where no handler around gives them to an exception, or an inner one takes them.

    Parameters
    ----------
    function : ast.AST
    """
    found: set[str] = set()
    pending: list[tuple[Any, frozenset[str]]] = [(function, frozenset())]
    while pending:
        node, bound = pending.pop()
        kind = node.__class__
        if kind is ast.Name:
            if node.id not in bound and node.ctx.__class__ is not ast.Store:
                found.add(node.id)
            continue
        if kind is ast.AugAssign and node.target.__class__ is ast.Name and node.target.id not in bound:
            found.add(node.target.id)
        if kind is ast.ExceptHandler and node.name is not None:
            if node.name in bound:
                found.add(node.name)
            bound |= {node.name}
        pending += [(child, bound) for child in children(node)]
    return found


def _put_off(statement: ast.AST) -> list[ast.Name]:
    """The names that are read in a statement, in what is put off."""
    found: list[ast.Name] = []
    pending: list[tuple[Any, bool]] = [(statement, False)]
    while pending:
        node, inside = pending.pop()
        kind = node.__class__
        if kind is ast.Name:
            if inside and node.ctx.__class__ is ast.Load:
                found.append(node)
            continue
        later: Sequence[ast.AST] = []
        if kind is ast.IfExp:
            later = [node.body, node.orelse]
        elif kind is ast.BoolOp:
            later = node.values
        elif kind is ast.Compare and len(node.comparators) > 1:
            later = node.comparators
        elif kind is ast.AugAssign and isinstance(node.target, ast.Subscript):
            later = [node.value, node.target]
        elif kind is ast.Assert and node.msg is not None:
            later = [node.msg]
        elif kind is ast.Attribute and node.ctx.__class__ is not ast.Load:
            later = [node.value]
        elif kind in COMPREHENSIONS:
            later = children(node)  # the elements; the first iterable is evaluated in its place
        pending += [(child, inside or child in later) for child in children_in_frame(node)]
    return found


def _bound_when_put_off(node: ast.AST) -> Iterator[str]:
    """The names that `:=` binds below a node in operands that Python may not evaluate."""
    if isinstance(node, COMPREHENSIONS):
        node = node.generators[0].iter  # the rest stays with Python
    if isinstance(node, ast.IfExp):
        yield from bound_names([node.body, node.orelse])
    elif isinstance(node, ast.BoolOp):
        yield from bound_names(node.values[1:])
    elif isinstance(node, ast.Compare) and len(node.comparators) > 1:
        yield from bound_names(node.comparators)
    for child in children_in_frame(node):
        yield from _bound_when_put_off(child)


def bound_names(parts: Iterable[ast.AST]) -> Iterator[str]:
    """The names that `:=` binds in expressions, those of lambdas aside."""
    for part in parts:
        if isinstance(part, ast.NamedExpr):
            yield part.target.id
        if not isinstance(part, ast.Lambda):
            yield from bound_names(children(part))
