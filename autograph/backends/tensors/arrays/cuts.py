"""How an array is cut out of one of outside, and cut out again where only its indices are known.

A view that a path has made is a value of the path. Behind it, or in the next turn of a loop, nobody has that
value any more, and neither the indices with which it was made. What is left is how it was made, which every
run has in common; and the indices go along as numbers.

::

    for i in range(n):
        row = grid[i]           a cut of `grid` with one index, which the loop carries beside `row`
    row[0] = 1.0                writes into `grid[i]` of that index
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.dims import UNKNOWN
from runtime.core.dtypes import int64
from runtime.core.shapes import compatible, is_known
from runtime.core.spec import ArraySpec, Spec
from runtime.core.tensor import Tensor
from runtime.errors import IndexOutOfRange
from runtime.graph.build import as_tensor, bind, builder_in_use, value_in
from runtime.graph.graph import Node, Value
from runtime.graph.op import Op
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Condition
from runtime.ops.gathering.by_number import ElementsAt
from runtime.ops.shaping.reshaping import DynamicReshape
from runtime.ops.slicing.cutting import DynamicStridedSlice
from runtime.ops.ties import any_of

__all__ = ["Cut", "Part", "Step", "is_seen", "numbers_of_rank", "parts_between", "parts_of", "takes_first"]


class Step(NamedTuple):
    """An op that gives a view of its first operand."""

    op: Op
    output: int
    """Which of its outputs that is."""
    indices: tuple[Spec, ...]
    """Its other operands."""


class Cut(NamedTuple):
    """What is cut out of an array of outside, whatever its indices are."""

    whole: Value
    """The array, or a view of it that is there outside, too."""
    steps: tuple[Step, ...] = ()

    @property
    def indices(self) -> list[Spec]:
        """The indices that have to be known to cut it out again."""
        return [spec for step in self.steps for spec in step.indices]

    @property
    def first(self) -> list[Tensor]:
        """Indices with which it can be cut out, whatever the run gives."""
        return [_first(spec) for spec in self.indices if isinstance(spec, ArraySpec)]

    @property
    def root(self) -> Value:
        """The array in which it lies."""
        return builder_in_use().arrays.root(self.whole)

    def again(self, indices: Iterable[Tensor]) -> Value:
        """The view, in the graph that is built."""
        builder, rest = builder_in_use(), iter(indices)
        found = self.whole
        for op, output, specs in self.steps:
            inputs = [builder.resolve(found), *[value_in(builder, next(rest)) for _ in specs]]
            found = builder.add(op, inputs).outputs[output]
        builder.context.asked.add(found)  # it was cut out before: it raises nothing
        return found

    def may_be(self, array: Value) -> bool:
        """Whether it may be an array, of all that is known of lengths, where nothing is cut out."""
        return bool(self.steps) or compatible(self.whole.array_spec.shape, array.array_spec.shape)

    def further(self, steps: Iterable[Step]) -> Cut:
        """What is cut out of this."""
        return Cut(self.whole, (*self.steps, *steps))


class Part(NamedTuple):
    """What an array may show of one of outside, and when."""

    cut: Cut
    indices: tuple[Value, ...]
    when: list[Condition]

    def index_of(self, number: int, otherwise: Tensor) -> Tensor:
        """One of its indices where it is what the array shows."""
        known = as_tensor(Symbol(self.indices[number]))
        if {} in self.when:
            return known
        test = any_of(self.when)
        if known.static_shape == ():
            return ops.where(test, known, otherwise)
        found: Tensor = ops.cond(test, lambda: known, lambda: otherwise)  # as many as the view has elements
        return found


def parts_of(
    leaf: Any,
    is_outer: Callable[[Value], bool],
    is_between: Callable[[Value], bool],
    is_made_inside: Callable[[Value], bool],
) -> list[Part] | None:
    """What an array may show of those of outside; None where only the run knows.

    Parameters
    ----------
    leaf : Symbol
        An array, or a view.
    is_outer : callable
        Whether a value is one of outside.
    is_between : callable
        Whether an array may lie on the way to one of outside.
    is_made_inside : callable
        Whether an array may be none of outside: no number tells what a view of it shows then.
    """
    arrays = builder_in_use().arrays
    view, root = arrays.identity(leaf.value), arrays.root(leaf.value)
    if is_outer(root):
        return _as_parts({view: [{}]}, is_outer, [], ())
    steps: list[Step] = []
    indices: tuple[Value, ...] = ()
    if view is not root:
        found = None if is_made_inside(root) else _steps_to(view, lambda each: each is root)
        if found is None:
            return None
        _, steps, indices = found
    parts: list[Part] = []
    for other in filter(is_outer, arrays.kin(root, is_seen)):
        between = parts_between(root, other, is_between)
        cut = None if between is None else _as_parts(between, is_outer, steps, indices)
        if cut is None:
            return None
        parts += cut
    return parts


def _as_parts(
    shown: dict[Value, list[Condition]],
    is_outer: Callable[[Value], bool],
    steps: Sequence[Step],
    indices: Sequence[Value],
) -> list[Part] | None:
    """What is shown of arrays of outside as cuts, and what further steps cut out of these."""
    parts = []
    for view, when in shown.items():
        found = _steps_to(view, is_outer)
        if found is None:
            return None
        whole, before, own = found
        if len(before) + len(steps) > _MOST_STEPS:
            return None
        parts.append(Part(Cut(whole, (*before, *steps)), (*own, *indices), when))
    return parts


def _steps_to(
    view: Value, is_end: Callable[[Value], bool]
) -> tuple[Value, list[Step], tuple[Value, ...]] | None:
    """Of what a view is cut out, how, and with which indices; None where it cannot be cut out anywhere."""
    arrays = builder_in_use().arrays
    steps: list[Step] = []
    indices: tuple[Value, ...] = ()
    view = arrays.identity(view)
    while not is_end(view):
        base, node = arrays.base(view), view.node
        own = node.inputs[1:]
        if base is None or not all(map(is_seen, own)) or not _is_cut_anywhere(node):
            return None
        op = node.op
        if isinstance(op, DynamicStridedSlice):
            op = DynamicStridedSlice(key=op.key)  # what is known of these indices is not of all
        steps.insert(0, Step(op, view.index, tuple([_of_any_run(each.spec) for each in own])))
        indices = (*own, *indices)
        view = arrays.identity(base)
    return view, steps, indices


def _is_cut_anywhere(node: Node) -> bool:
    """Whether a view can be cut out where nobody knows whether the program has made one."""
    if isinstance(node.op, ElementsAt):  # of none of its elements, if need be
        return True
    return _are_numbers(node.inputs[1:]) and (takes_first(node) or not node.op.raises(*_specs(node)))


def _are_numbers(indices: Sequence[Value]) -> bool:
    return all(isinstance(each.spec, ArraySpec) and each.spec.shape == () for each in indices)


def _first(index: ArraySpec) -> Tensor:
    """An index that is in range: 0, or no indices, in an array whose lengths the graph does not know."""
    if not index.shape:
        return ops.cast(0, index.dtype)
    lengths = ops.zeros([len(index.shape)], dtype=int64)
    return bind(DynamicReshape(index.shape), ops.zeros([0], dtype=index.dtype), lengths)


def numbers_of_rank(rank: int) -> ArraySpec:
    """The numbers of the elements of a view whose size only the run knows."""
    return ArraySpec((UNKNOWN,) * rank, int64)


def _of_any_run(index: Spec) -> Spec:
    """What all runs have in common of an index."""
    rank = len(index.shape or ()) if isinstance(index, ArraySpec) else 0
    return numbers_of_rank(rank) if rank else index


def takes_first(node: Node) -> bool:
    """Whether indices that are all 0 are in range, whatever the run gives."""
    if not _are_numbers(node.inputs[1:]):
        return False
    specs = _specs(node)
    shape: Any = specs[0].shape if len(specs) > 1 and isinstance(specs[0], ArraySpec) else None
    return is_known(shape) and 0 not in shape and node.op.raises(*specs) <= {IndexOutOfRange}


def _specs(node: Node) -> list[Spec]:
    return [each.spec for each in node.inputs]


def parts_between(
    array: Value, other: Value, is_between: Callable[[Value], bool]
) -> dict[Value, list[Condition]] | None:
    """What of another array an array is, all of it or a view, and when; None where only the run knows."""
    if array is other:
        return {other: [{}]}
    builder = builder_in_use()
    found: dict[Value, list[Condition]] = {}
    for way in builder.arrays.ways(array, lambda each: each is other or is_between(each)):
        if way.end is not other:
            continue
        if way.shown is None or not way.is_told(is_seen):
            return None
        found.setdefault(builder.arrays.identity(way.shown), []).append(way.condition)
    return found


def is_seen(array: Value) -> bool:
    """Whether the graph that is built, or one around it, has a value."""
    return builder_in_use().sees(array.node.graph)


_MOST_STEPS = 4
"""Views of views up to which they are cut out again: each turn may bind a name to a view of what it was."""
