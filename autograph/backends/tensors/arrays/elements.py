"""Views that turns make of what a variable was: which elements of an array outside these are, by number.

Each turn may cut another view out of the view that the turn before has left, so nobody can say beforehand how
the last one is cut out. But every view picks some elements, and puts them in an order. So their numbers go
along with the variable, and each turn cuts out of these what it cuts out of the variable.

::

    y = x                       the elements 0, 1, 2, 3 of `x`
    while len(y) > n:
        y = y[::-1][1:]         2, 1, 0, and then 1, 2
    y[0] = 5.0                  writes into `x`, where the first of the numbers says
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from autograph.backends.tensors.arrays.cuts import Cut, Part, Step, is_seen, numbers_of_rank, parts_of
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, builder_in_use, value_in
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Condition
from runtime.ops.examples import read_only
from runtime.ops.families import IndexMap
from runtime.ops.gathering.by_number import ElementsAt
from runtime.ops.ties import any_of

__all__ = ["Elements", "elements_of", "is_view_of"]


class Elements(NamedTuple):
    """Which elements of an array outside a view shows that a turn has made, and when."""

    cut: Cut
    of: Part
    """What that shows of which the turn has made a view."""
    views: Sequence[Value]
    """How the turn has cut it out, the first step first."""
    when: list[Condition]

    def index_of(self, number: int, otherwise: Tensor) -> Tensor:
        """The numbers of the elements where they are what the array shows: others may be fewer."""
        del number  # there is one index: the numbers
        if {} in self.when:
            return self._numbers()
        found: Tensor = ops.cond(any_of(self.when), self._numbers, lambda: otherwise)
        return found

    def _numbers(self) -> Tensor:
        builder = builder_in_use()
        found = self._numbers_before()
        for view in self.views:
            inputs = [builder.resolve(each) for each in (found, *view.node.inputs[1:])]
            found = builder.add(view.node.op, inputs, view.node.location).outputs[view.index]
        return as_tensor(Symbol(found))

    def _numbers_before(self) -> Value:
        cut, indices = self.of.cut, self.of.indices
        if cut == self.cut:
            return indices[0]
        whole = Symbol(cut.whole)
        every = ops.reshape(ops.arange(ops.size(whole)), ops.shape(whole))
        return Cut(value_in(builder_in_use(), every), cut.steps).again([Symbol(each) for each in indices])


def is_view_of(leaf: Any, arrays: Container[Value]) -> bool:
    """Whether an array is a view of one of some arrays."""
    known = builder_in_use().arrays
    root = known.root(leaf.value)
    return root in arrays and known.identity(leaf.value) is not root


def elements_of(
    leaf: Symbol, is_outer: Callable[[Value], bool], is_between: Callable[[Value], bool]
) -> list[Elements] | None:
    """Which elements of arrays of outside a view shows; None where only the run knows.

    Parameters
    ----------
    leaf : Symbol
        A view of an array that the turn starts with, and that no turn has made.
    is_outer : callable
        Whether a value is one of outside.
    is_between : callable
        Whether an array may lie on the way to one of outside.
    """
    arrays = builder_in_use().arrays
    view, root = arrays.identity(leaf.value), arrays.root(leaf.value)
    views: list[Value] = []
    while view is not root:
        base = arrays.base(view)
        if base is None or not _moves(view) or not all(map(is_seen, view.node.inputs)):
            return None
        views.insert(0, view)
        view = arrays.identity(base)
    parts = parts_of(Symbol(root), is_outer, is_between, lambda _: False)
    rank = _rank(arrays.identity(leaf.value))
    if parts is None or not rank or not all(_can_be_picked(part.cut.whole) for part in parts):
        return None
    step = Step(ElementsAt(), 0, (numbers_of_rank(rank),))
    return [Elements(Cut(part.cut.whole, (step,)), part, views, part.when) for part in parts]


def _moves(view: Value) -> bool:
    """Whether a view picks elements that may be written to, whatever the order in memory is."""
    op = view.node.op
    return isinstance(op, IndexMap) and type(op).put_back is not read_only and not op.asks_for_order


def _can_be_picked(array: Value) -> bool:
    """Whether elements of an array can be numbered, and written to."""
    arrays = builder_in_use().arrays
    view: Value | None = arrays.identity(array)
    while view is not None and (base := arrays.base(view)) is not None:
        if type(view.node.op).put_back is read_only:
            return False
        view = arrays.identity(base)
    return _rank(array) > 0


def _rank(value: Value) -> int:
    """How many axes an array has; 0 where nobody knows."""
    return len(value.array_spec.shape or ())
