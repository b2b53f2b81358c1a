"""Whether items are equal, as one truth: of arrays, only those of one element have it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import bool_
from runtime.core.spec import ArraySpec, Spec
from runtime.core.structure import Structure
from runtime.core.tensor import EAGER
from runtime.graph.build import is_symbolic
from runtime.ops.control_flow.tracing import ambiguous, predicate
from runtime.ops.refused_calls import blame

__all__ = ["one_truth", "require_one_truth", "set_branching"]

_choose: Callable[[Any, Callable[[], Any], Callable[[], Any]], Any]


def set_branching(choose: Callable[[Any, Callable[[], Any], Callable[[], Any]], Any]) -> None:
    """Says how the graph takes one of two ways."""
    global _choose  # noqa: PLW0603  # set once, at import: branches stand on lists
    _choose = choose


_COMPARED = "`==` of items"


def one_truth(same: Any) -> Any:
    """What `a == b` gives for two items, as the bool that Python takes of it.

    Raises
    ------
    ShapeError, ValueError
        Where it has more than one element, as NumPy does.
    """
    if isinstance(same, np.ndarray) or type(same) in EAGER:
        return bool(same)
    return predicate(same, "==") if is_symbolic(same) else same


def require_one_truth(
    form: Structure, left: Sequence[Spec], right: Sequence[Spec], are_compared: Callable[[], Any]
) -> None:
    """Refuses arrays as items of two lists that are compared, or of a list in which one is looked for.

    Parameters
    ----------
    form : Structure
        Of the items.
    left, right : sequences of specs
        Those of the leaves.
    are_compared : callable
        Says whether Python compares any: of an empty list it does not.

    Raises
    ------
    ShapeError
        As NumPy does, where their equality has more than one element; in the run, if that decides.
    """
    for is_item, one, other in zip(_are_items(form), left, right, strict=True):
        if not (is_item and isinstance(one, ArraySpec) and isinstance(other, ArraySpec)):
            continue
        if one.shape == other.shape == ():
            continue
        shape = shapes.broadcast(one.shape, other.shape)
        if shape is not None and shapes.size(shape) != 1:
            _choose(are_compared(), partial(_raise, shape), lambda: False)
            return


def _raise(shape: shapes.Shape) -> NoReturn:
    error = ambiguous(shape, _COMPARED)
    if shapes.size(shape) is not None:
        blame(error, bool, (ops.zeros(shape, dtype=bool_),))
    raise error


def _are_items(form: Structure) -> Iterator[bool]:
    """Of each leaf, whether it is an item, and not a part of a text or of an object."""
    if form.kind is None:
        yield True
    elif issubclass(form.kind, (list, tuple, dict)):
        for child in form.children:
            yield from _are_items(child)
    else:
        yield from [False] * form.leaf_count
