"""`cond`, `case` and `switch`: one of several functions, chosen by a tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.dtypes import bool_
from runtime.core.spec import ArraySpec
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import GraphError, StateDisagrees
from runtime.graph import strict
from runtime.graph.build import as_tensor, building, current_builder, promotion_operand, spec_of
from runtime.graph.builder import Builder, share_captures
from runtime.graph.graph import Node, Value
from runtime.graph.location import Location, caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.whose_numbers import Whose, chosen, note_whose, seen_from, whose
from runtime.ops.control_flow.nodes import If
from runtime.ops.control_flow.tracing import (
    ABSENT,
    NoOutcome,
    Traced,
    as_value,
    describe,
    first_difference,
    is_same_object,
    is_tensor,
    join,
    mark_weak,
    note_meeting,
    operand,
    paths_of,
    predicate,
    require_function,
    way_out,
    whose_of,
)

__all__ = ["NO_OUTCOME", "Branches", "case", "cond", "switch"]


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    *,
    names: Sequence[str] | None = None,
) -> Any:
    """What `true_fn` returns where `pred` holds, and otherwise what `false_fn` returns.

    Parameters
    ----------
    pred : Tensor of one element, or bool
        Numbers count as true unless they are zero.
    true_fn, false_fn : callable
        Take nothing; return nests of tensors of one structure. In a graph both are traced and one runs.
    names : sequence of str, optional
        What messages call the items of the returned tuples: variables of a program. Numbers of several
        kinds that meet in one are warned of.

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
    require_function(true_fn, "`true_fn` of `cond`", 0)
    require_function(false_fn, "`false_fn` of `cond`", 0)
    if current_builder() is None:
        return true_fn() if bool(predicate(pred, "if")) else false_fn()
    branches = Branches(pred)
    left, right = branches.trace(true_fn), branches.trace(false_fn)
    return branches.join(left, right, names)


NO_OUTCOME = object()
"""What a branch gives that always raises."""


class Branches:
    """A staged `if` on its way: its branches are traced one after the other, and then joined.

    Parameters
    ----------
    pred : Tensor of one element

    Attributes
    ----------
    test : Value
        What decides.
    builders : list of Builder
        Those of the branches that were traced.
    """

    def __init__(self, pred: TensorLike) -> None:
        parent = current_builder()
        assert parent is not None, "branches are staged while a graph is built"
        self.parent = parent
        self.location = caller_location()
        self.test = as_value(parent, predicate(pred, "if"), ArraySpec((), bool_))
        self.builders: list[Builder] = []

    def trace(self, branch: Callable[[], Any]) -> Any:
        """What a branch returns, of a graph of its own; `NO_OUTCOME` where it always raises."""
        builder = Builder("cond_false" if self.builders else "cond_true", self.parent)
        self.builders.append(builder)
        with building(builder):
            try:
                return branch()
            except NoOutcome:
                return NO_OUTCOME

    def join(self, left: Any, right: Any, names: Sequence[str] | None = None) -> Any:
        """Adds the node, and gives the nest that both branches leave.

        Raises
        ------
        NoOutcome
            When neither branch leaves anything.
        """
        if left is NO_OUTCOME and right is NO_OUTCOME:
            self._add(([], []), [])
            raise NoOutcome
        if left is NO_OUTCOME:
            left = map_leaves(_absent, right)
        if right is NO_OUTCOME:
            right = map_leaves(_absent, left)
        then, orelse = Traced(self.builders[0], *flatten(left)), Traced(self.builders[1], *flatten(right))
        _require_same_structure(then, orelse, names, self.location)
        paths = paths_of(then.structure, names)
        result = list(then.leaves)
        staged = []
        for index, (one, other) in enumerate(zip(then.leaves, orelse.leaves, strict=True)):
            kept = self._same(one, other, paths[index])
            if kept is _CHOSEN:
                staged.append(index)
            else:
                result[index] = kept
        if self.parent.strict:
            for index in staged:
                self._require_same_dtype(then.leaves[index], orelse.leaves[index], paths[index])
        joined = [join(then.leaves[index], orelse.leaves[index]) for index in staged]
        specs = [spec for spec, _ in joined]
        outputs = [
            traced.outputs([traced.leaves[index] for index in staged], specs) for traced in (then, orelse)
        ]
        node = self._add(outputs, [weak for _, weak in joined])
        for index, value in zip(staged, node.outputs, strict=True) if names is not None else ():
            meeting = then.leaves[index], orelse.leaves[index]
            note_meeting(self.parent, paths[index], meeting, [value], self.location)
        for index, output, (_, weak) in zip(staged, node.outputs, joined, strict=True):
            result[index] = Symbol(output)
            if not weak:
                left, right = then.leaves[index], orelse.leaves[index]
                note_whose(output, self._whose(left, right))
        return unflatten(then.structure, result)

    def _require_same_dtype(self, left: Any, right: Any, path: str) -> None:
        if left is not ABSENT and right is not ABSENT:
            then, orelse = operand(left), operand(right)
            one, other = spec_of(then), spec_of(orelse)
            if not isinstance(one, ArraySpec) or not isinstance(other, ArraySpec):
                return
            if not strict.same_dtype(promotion_operand(then), promotion_operand(orelse)):
                strict.refuse_dtypes(path, one.dtype, other.dtype, self.location)

    def _whose(self, left: Any, right: Any) -> Whose:
        """Whose number it is that two branches leave, where both leave one."""
        if left is ABSENT or right is ABSENT:
            return seen_from(self.parent, whose_of([left, right]))
        return chosen(self.parent, self.test, whose(operand(left)), whose(operand(right)))

    def _add(self, outputs: Sequence[Sequence[Value]], weak: Sequence[bool]) -> Node:
        captured = share_captures(self.builders)
        branches = [builder.finish(values) for builder, values in zip(self.builders, outputs, strict=True)]
        node = self.parent.add(If(*branches), [self.test, *captured], self.location)
        mark_weak(self.parent, node.outputs, weak)
        return node

    def _same(self, left: Any, right: Any, path: str) -> Any:
        """What a leaf is after either branch, or `_CHOSEN` where that shows at run time.

        A branch that has no value for the leaf leaves the choice to the other one.
        """
        if left is ABSENT or right is ABSENT:
            present = right if left is ABSENT else left
            return present if self._outlives(present) else _CHOSEN
        if is_tensor(left) and is_tensor(right):
            known = left is right and isinstance(left, Tensor) and not isinstance(left, Symbol)
            return left if known else _CHOSEN
        if is_same_object(left, right):
            return left
        raise StateDisagrees(
            f"`{path}` is a different object after each branch of this `if`",
            where=self.location,
            details=[f"if true:   {describe(left)}", f"if false:  {describe(right)}"],
            why="A tensor decides this `if`, so both branches become part of one graph, which can only "
            "choose between tensors and numbers.",
            way_out="Give it the same value in both branches, or a tensor in each.",
        )

    def _outlives(self, leaf: Any) -> bool:
        """Whether a leaf of one branch means something outside of it."""
        value = leaf.value if isinstance(leaf, Symbol) else leaf
        return not isinstance(value, Value) or all(
            value.node.graph is not builder.graph for builder in self.builders
        )


_CHOSEN = object()


def _absent(leaf: Any) -> Any:
    del leaf
    return ABSENT


def _require_same_structure(
    then: Traced, orelse: Traced, names: Sequence[str] | None, location: Location
) -> None:
    if then.structure == orelse.structure:
        return
    label, left, right = first_difference(then.structure, orelse.structure, names)
    raise StateDisagrees(
        f"{label} has a different structure after each branch of this `if`",
        where=location,
        details=[f"if true:   {left}", f"if false:  {right}"],
        why="A tensor decides this `if`, so both branches become part of one graph and must give it one "
        "structure (`*` stands for a tensor).",
        way_out=way_out(left, right, "Build the same nest of lists, tuples and dicts in both branches."),
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
        raise GraphError(
            "`switch` was given no branch",
            why="One of its branches gives the result.",
            way_out="Give it one function at least.",
        )
    chosen = as_tensor(index)
    if default is None:
        *branches, default = branches
    return case([(chosen == number, branch) for number, branch in enumerate(branches)], default)
