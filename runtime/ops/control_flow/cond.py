"""`cond`, `case` and `switch`: one of several functions, chosen by a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.dtypes import bool_
from runtime.core.spec import Spec
from runtime.core.structure import flatten, unflatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import GraphError, StateDisagrees
from runtime.graph.build import as_tensor, building, current_graph
from runtime.graph.graph import Graph, Symbol
from runtime.graph.location import Location, caller_location
from runtime.ops.control_flow.nodes import If, StatelessIf
from runtime.ops.control_flow.tracing import (
    Traced,
    as_value,
    describe,
    first_difference,
    is_tensor,
    join,
    mark_weak,
    paths_of,
    predicate,
    share_captures,
    way_out,
)

__all__ = ["case", "cond", "switch"]


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    *,
    names: Sequence[str] | None = None,
    reconcile: Callable[[Any, Any], tuple[Any, Any]] | None = None,
) -> Any:
    """What `true_fn` returns where `pred` holds, and otherwise what `false_fn` returns.

    Parameters
    ----------
    pred : Tensor of one element, or bool
        Numbers count as true unless they are zero.
    true_fn, false_fn : callable
        Take nothing; return nests of tensors of one structure. In a graph both are traced and one runs.
    names : sequence of str, optional
        What error messages call the items of the returned tuples.
    reconcile : callable, optional
        Takes what both branches returned and gives what is joined; it may put `ABSENT` for a leaf that one
        branch has and the other lacks.

    Returns
    -------
    The nest. In a graph, dtypes that differ between the branches are promoted, and dims that differ are
    unknown.

    Raises
    ------
    StateDisagrees
        When the branches return different structures, or different objects that are no tensors.

    Notes
    -----
    GraphDef "StatelessIf", or "If" where a branch has effects. Semantics: TensorFlow `tf.cond`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.cond(rt.asarray(3) > 2, lambda: rt.asarray(1.0), lambda: rt.asarray(0.0))
    <Tensor: shape=(), dtype=float64, numpy=1.0>
    """
    parent = current_graph()
    if parent is None:
        return true_fn() if bool(predicate(pred, "if")) else false_fn()
    location = caller_location()
    test = as_value(parent, predicate(pred, "if"), Spec((), bool_))
    then, orelse = _trace_both(parent, true_fn, false_fn, reconcile)
    _require_same_structure(then, orelse, names, location)
    paths = paths_of(then.structure, names)
    result = list(then.leaves)
    staged = [
        index
        for index, path in enumerate(paths)
        if _differs(then.leaves[index], orelse.leaves[index], path, location)
    ]
    joined = [join(then.leaves[index], orelse.leaves[index]) for index in staged]
    specs = [spec for spec, _ in joined]
    for traced in (then, orelse):
        traced.close([traced.leaves[index] for index in staged], specs)
    captured = share_captures([then.graph, orelse.graph])
    stateless = StatelessIf(then.graph, orelse.graph)
    op = If(then.graph, orelse.graph) if stateless.effects else stateless
    node = parent.add(op, [test, *captured], location)
    mark_weak(node, [weak for _, weak in joined])
    for index, output in zip(staged, node.outputs, strict=True):
        result[index] = Symbol(output)
    return unflatten(then.structure, result)


def _trace_both(
    parent: Graph,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    reconcile: Callable[[Any, Any], tuple[Any, Any]] | None,
) -> tuple[Traced, Traced]:
    graphs = Graph("cond_true", parent), Graph("cond_false", parent)
    with building(graphs[0]):
        left = true_fn()
    with building(graphs[1]):
        right = false_fn()
    if reconcile is not None:
        left, right = reconcile(left, right)
    return Traced(graphs[0], *flatten(left)), Traced(graphs[1], *flatten(right))


def _differs(left: Any, right: Any, path: str, location: Location) -> bool:
    """Whether a leaf must be chosen at run time; raises when it cannot be."""
    if is_tensor(left) and is_tensor(right):
        return not (left is right and isinstance(left, Tensor) and not isinstance(left, Symbol))
    if left is right or (type(left) is type(right) and isinstance(left, (str, bytes)) and left == right):
        return False
    raise StateDisagrees(
        f"`{path}` is a different object after each branch of this `if`\n\n{location.describe()}\n"
        f"  if true:   {describe(left)}\n  if false:  {describe(right)}\n\n"
        "A tensor decides this `if`, so both branches become part of one graph, which can only choose "
        "between tensors and numbers.\nGive it the same value in both branches, or a tensor in each."
    )


def _require_same_structure(
    then: Traced, orelse: Traced, names: Sequence[str] | None, location: Location
) -> None:
    if then.structure == orelse.structure:
        return
    label, left, right = first_difference(then.structure, orelse.structure, names)
    raise StateDisagrees(
        f"{label} has a different structure after each branch of this `if`\n\n{location.describe()}\n"
        f"  if true:   {left}\n  if false:  {right}\n\n"
        "A tensor decides this `if`, so both branches become part of one graph and must give it one "
        "structure (`*` stands for a tensor).\n"
        + way_out(left, right, "Return the same nest of lists, tuples and dicts from both branches.")
    )


def case(pred_fn_pairs: Sequence[tuple[TensorLike, Callable[[], Any]]], default: Callable[[], Any]) -> Any:
    """What the function beside the first true predicate returns, or else what `default` returns.

    Parameters
    ----------
    pred_fn_pairs : sequence of (Tensor of one element, callable)
    default : callable

    Returns
    -------
    The nest that the chosen function returns; joined as in `cond`.

    Notes
    -----
    GraphDef "StatelessIf", one inside the other. Semantics: TensorFlow `tf.case`.

    Examples
    --------
    >>> import runtime as rt
    >>> x = rt.asarray(7)
    >>> rt.case([(x < 5, lambda: rt.asarray(0)), (x < 10, lambda: rt.asarray(1))], lambda: rt.asarray(2))
    <Tensor: shape=(), dtype=int64, numpy=1>
    """
    if not pred_fn_pairs:
        return default()
    (predicate, function), *rest = pred_fn_pairs
    return cond(predicate, function, lambda: case(rest, default))


def switch(
    index: TensorLike, branches: Sequence[Callable[[], Any]], default: Callable[[], Any] | None = None
) -> Any:
    """What the branch at `index` returns.

    Parameters
    ----------
    index : integer Tensor without axes
    branches : sequence of callable
    default : callable, optional
        Runs when `index` is outside ``0 <= index < len(branches)``; the last branch by default.

    Returns
    -------
    The nest that the chosen branch returns; joined as in `cond`.

    Notes
    -----
    GraphDef "StatelessIf", one inside the other. Semantics: TensorFlow `tf.switch_case`.

    Examples
    --------
    >>> import runtime as rt
    >>> rt.switch(rt.asarray(1), [lambda: rt.asarray(10), lambda: rt.asarray(20)])
    <Tensor: shape=(), dtype=int64, numpy=20>
    """
    if not branches:
        raise GraphError("switch needs at least one branch")
    chosen = as_tensor(index)
    if default is None:
        *branches, default = branches
    return case([(chosen == number, branch) for number, branch in enumerate(branches)], default)
