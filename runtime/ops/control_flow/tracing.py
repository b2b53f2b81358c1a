"""Shared by branches, loops and calls: Python functions traced into sub-graphs, and leaves joined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime import ops
from runtime.core import shapes
from runtime.core.dtypes import DType, bool_, result_type
from runtime.core.spec import ArraySpec, ListSpec, Spec, as_array_spec
from runtime.core.structure import Structure, leaf_paths, map_leaves
from runtime.core.tensor import Tensor, TensorLike
from runtime.errors import DTypeError, ShapeError
from runtime.graph.build import (
    as_tensor,
    building,
    current_graph,
    is_strict,
    promotion_operand,
    spec_of,
    value_in,
)
from runtime.graph.graph import Graph, Node, Value
from runtime.graph.strict import refuse_test

__all__ = ["ABSENT", "NoOutcome"]


class _Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()
"""A leaf without a value on one path, which nobody reads there: zeros stand in for it in the graph."""


def absent(nest: Any) -> Any:
    """The same nest, with `ABSENT` for every leaf."""
    return map_leaves(lambda _: ABSENT, nest)


class NoOutcome(BaseException):  # a signal of control flow, which no handler of the user's is to catch
    """Ends the tracing of a branch or an iteration that leaves nothing behind: the graph raises there.

    Raised by whoever recorded the node that raises, and caught by the statement around: the other branch's
    values are the statement's. Where no branch is left it goes on to the next statement around.
    """


@dataclass
class Traced:
    """What a Python function left behind in a sub-graph."""

    graph: Graph
    leaves: list[Any]
    structure: Structure

    def close(self, leaves: Sequence[Any], specs: Sequence[Spec]) -> None:
        """Makes `leaves`, cast to the joined dtypes, the outputs of the graph."""
        with building(self.graph):
            self.graph.outputs = [
                as_value(self.graph, leaf, spec) for leaf, spec in zip(leaves, specs, strict=True)
            ]


def is_tensor(leaf: Any) -> bool:
    """Whether a leaf becomes a value of the graph; anything else must be the same object on every path."""
    return isinstance(
        leaf, (_Absent, Tensor, Value, bool, int, float, complex, np.ndarray, np.generic)
    ) or hasattr(type(leaf), "__tensor__")


def as_value(graph: Graph, leaf: Any, spec: Spec) -> Value:
    if leaf is ABSENT:
        return _zeros(graph, spec)
    if isinstance(spec, ListSpec):
        return value_in(graph, ops.list_widened(as_tensor(leaf), spec.element))
    return value_in(graph, _cast(leaf, spec.dtype) if isinstance(spec, ArraySpec) else leaf)


def _zeros(graph: Graph, spec: Spec) -> Value:
    """A value of this spec that nobody reads."""
    if isinstance(spec, ListSpec):
        return value_in(graph, ops.list_from((), spec.element))
    array = as_array_spec(spec)
    known = tuple(dim or 0 for dim in array.shape or ())
    return graph.constant(np.zeros(known, array.dtype.numpy))


def _cast(leaf: Any, dtype: DType) -> Tensor:
    if isinstance(leaf, (bool, int, float, complex)):
        return Tensor(np.asarray(leaf, dtype.numpy))
    tensor = as_tensor(leaf)
    return tensor if tensor.dtype is dtype else ops.astype(tensor, dtype)


def join(left: Any, right: Any) -> tuple[Spec, bool]:
    """The spec that holds both leaves, and whether it still stands for a Python number."""
    if left is ABSENT or right is ABSENT:
        left = right = left if right is ABSENT else right
    first, second = operand(left), operand(right)
    one, other = spec_of(first), spec_of(second)
    if not isinstance(one, ArraySpec) or not isinstance(other, ArraySpec):
        return one.join(other), False
    weights = promotion_operand(first), promotion_operand(second)
    dtype = result_type(*weights, defaults=_defaults())
    shape = shapes.join(one.shape, other.shape)
    return ArraySpec(shape, dtype), not any(isinstance(weight, DType) for weight in weights)


def _defaults() -> Any:
    graph = current_graph()
    assert graph is not None, "joining happens while a graph is built"
    return graph.defaults


def operand(leaf: Any) -> Any:
    return leaf if isinstance(leaf, (bool, int, float, complex, Value)) else as_tensor(leaf)


def share_captures(graphs: Sequence[Graph]) -> list[Value]:
    """Gives every graph the captures of all, in one order, and returns the captured values."""
    captured = list(dict.fromkeys(outer for graph in graphs for outer in graph.captures))
    for graph in graphs:
        own = [value for value in graph.inputs if value not in set(graph.captures.values())]
        for outer in captured:
            if outer not in graph.captures:
                graph.captures[outer] = graph.input(outer.spec, "capture", outer.node.location)
        graph.captures = {outer: graph.captures[outer] for outer in captured}
        graph.inputs = [*own, *graph.captures.values()]
    return captured


def predicate(test: TensorLike, statement: str) -> Tensor:
    """`test` as one bool, by Python's truth of a number."""
    tensor = as_tensor(test)
    if isinstance(tensor.spec, ListSpec):
        raise DTypeError(
            f"a list of tensors cannot decide a staged `{statement}`",
            why="A graph needs one truth value, and the list is a value of the graph.",
            way_out="Compare its length: `len(items) > 0`.",
        )
    if is_strict() and (tensor.dtype is not bool_ or tensor.static_shape not in {(), None}):
        refuse_test(tensor.spec, statement)
    if shapes.size(tensor.static_shape) == 1 and tensor.static_shape:
        tensor = ops.reshape(tensor, ())
    if tensor.static_shape not in {(), None}:
        raise ShapeError(
            f"the truth of a tensor of shape {shapes.text(tensor.static_shape)} is ambiguous in this "
            f"`{statement}`",
            why="It has more than one element, or may have, and some may be true and others not.",
            way_out="Say which you mean: `rt.any(x)` or `rt.all(x)`.",
        )
    return tensor if tensor.dtype is bool_ else ops.astype(tensor, bool_)


def describe(leaf: Any) -> str:
    return str(spec_of(operand(leaf))) if is_tensor(leaf) else f"{leaf!r} ({type(leaf).__name__})"


def first_difference(
    left: Structure, right: Structure, names: Sequence[str] | None
) -> tuple[str, Structure, Structure]:
    if names is not None:
        for name, one, other in zip(names, left.children, right.children, strict=False):
            if one != other:
                return f"`{name}`", one, other
    return "what is returned", left, right


def way_out(left: Structure, right: Structure, otherwise: str) -> str:
    """What to do about two structures that differ."""
    kinds = {left.kind, right.kind}
    if type(None) in kinds:
        return "None is no tensor: give a number or a tensor in its place, one that stands for nothing."
    if kinds == {list}:
        return "A list of a graph cannot grow: write to an `rt.TensorArray`."
    return otherwise


def paths_of(structure: Structure, names: Sequence[str] | None) -> list[str]:
    if names is None:
        return [path or "result" for path in leaf_paths(structure, "result")]
    return [
        path
        for name, child in zip(names, structure.children, strict=True)
        for path in leaf_paths(child, name)
    ]


def mark_weak(node: Node, weak: Sequence[bool]) -> None:
    node.graph.weak.update(output for output, is_weak in zip(node.outputs, weak, strict=True) if is_weak)
