"""Reads that move into a function because their expression is put off: arms and later operands.

Python says `UnboundLocalError` of a variable that a function reads before it has a value, and something else
of one that a function within it reads. So such a variable starts as `Undefined`, whose read says the right
thing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import gast

from autograph.analysis.activity import Activity
from autograph.analysis.definitions import Definitions
from autograph.analysis.manager import Analyses
from autograph.source.edit import COMPREHENSIONS, children_in_frame
from autograph.source.names import QualName
from autograph.source.nodes import children

__all__ = ["PUTTING_OFF", "bound_names", "names_read_after_handlers", "undefined_when_put_off"]


NONE: frozenset[str] = frozenset()

PUTTING_OFF = (gast.IfExp, gast.BoolOp, gast.Compare, *COMPREHENSIONS)
"""Classes of expressions with parts that may be put off."""


def undefined_when_put_off(function: gast.FunctionDef, analyses: Analyses, *, binds: bool) -> set[str]:
    """The variables of a function that an expression which is put off may read before they have a value.

    Beside them, those that such an expression binds, by `:=`.

    Parameters
    ----------
    function : gast.FunctionDef
        As the user wrote it.
    analyses : Analyses
        Of the tree that it belongs to.
    binds : bool
        Whether there is a `:=` in the tree at all.
    """
    frame = analyses.get(Activity).inside(function)
    unsure = {name.name for name in frame.locals - (frame.params - frame.deleted)}
    bound = {name for statement in function.body for name in _bound_when_put_off(statement)} if binds else ()
    found = {name for name in bound if QualName(name) in frame.locals - frame.params}
    reads: list[gast.Name] = []
    activity = analyses.get(Activity)
    for statement in function.body:
        reads += [name for name in _put_off(statement, inside=False) if name.id in unsure]
        # What the statements of the body bind on every way has a value in those that follow.
        unsure -= {name.name for name in activity.of(statement).surely_bound - frame.deleted}
    if reads:
        definitions = analyses.get(Definitions)
        found |= {name.id for name in reads if None in definitions.of_read(name)}
    return found


def names_read_after_handlers(node: gast.AST, bound: frozenset[str] = NONE) -> Iterator[str]:
    """The names that are read where no handler around gives them to an exception, or an inner one takes them.

    Parameters
    ----------
    node : gast.AST
        The function.
    bound : frozenset of str
        What the handlers around the node bind.
    """
    if isinstance(node, gast.Name):
        if node.id not in bound and not isinstance(node.ctx, gast.Store):
            yield node.id
        return
    if (
        isinstance(node, gast.AugAssign)
        and isinstance(node.target, gast.Name)
        and node.target.id not in bound
    ):
        yield node.target.id
    if isinstance(node, gast.ExceptHandler) and node.name is not None:
        if node.name.id in bound:
            yield node.name.id
        bound |= {node.name.id}
    for child in children(node):
        yield from names_read_after_handlers(child, bound)


def _put_off(node: gast.AST, *, inside: bool) -> Iterator[gast.Name]:
    """The names that are read below a node, in what is put off."""
    if isinstance(node, gast.Name):
        if inside and isinstance(node.ctx, gast.Load):
            yield node
        return
    later: list[gast.AST] = []
    if isinstance(node, gast.IfExp):
        later = [node.body, node.orelse]
    elif isinstance(node, gast.BoolOp):
        later = node.values
    elif isinstance(node, gast.Compare) and len(node.comparators) > 1:
        later = node.comparators
    elif isinstance(node, COMPREHENSIONS):
        later = children(node)  # the elements; the first iterable is evaluated in its place
    for child in children_in_frame(node):
        yield from _put_off(child, inside=inside or child in later)


def _bound_when_put_off(node: gast.AST) -> Iterator[str]:
    """The names that `:=` binds below a node in operands that Python may not evaluate."""
    if isinstance(node, COMPREHENSIONS):
        node = node.generators[0].iter  # the rest stays with Python
    if isinstance(node, gast.IfExp):
        yield from bound_names([node.body, node.orelse])
    elif isinstance(node, gast.BoolOp):
        yield from bound_names(node.values[1:])
    elif isinstance(node, gast.Compare) and len(node.comparators) > 1:
        yield from bound_names(node.comparators)
    for child in children_in_frame(node):
        yield from _bound_when_put_off(child)


def bound_names(parts: Iterable[gast.AST]) -> Iterator[str]:
    """The names that `:=` binds in expressions, those of lambdas aside."""
    for part in parts:
        if isinstance(part, gast.NamedExpr):
            yield part.target.id
        if not isinstance(part, gast.Lambda):
            yield from bound_names(children(part))
