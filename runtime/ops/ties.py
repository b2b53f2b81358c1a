"""Arrays that may be one, as branches decide: a write into one shows in the others.

::

    picked = a if test else b
    picked[0] = 5.0         a holds where(test, picked, a) from now on, and b where(test, b, picked)
    b[1] = 7.0              picked holds where(test, picked, b)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

from runtime import ops
from runtime.core import shapes
from runtime.core.dims import UNKNOWN
from runtime.core.tensor import Tensor
from runtime.graph.arrays import Arrays
from runtime.graph.build import as_tensor
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Condition, Tie, Way
from runtime.ops.tensor_list.nodes import TensorListGetItem

__all__ = ["any_of", "follow", "is_element", "ways_of"]


def is_element(array: Value) -> bool:
    """Whether an array is an element of a list of the graph, or a view of one, or paths may have left one."""
    pending, met = [array], {array}
    while pending:
        value = pending.pop()
        op, node = value.node.op, value.node
        if isinstance(op, TensorListGetItem):
            return True
        left = node.inputs[:1] if op.put_back is not None else ()
        for region in op.regions:
            if value.index in region.results:
                output = region.graph.outputs[region.results.index(value.index)]
                inputs = region.graph.inputs
                outer = node.inputs[region.operands[inputs.index(output)]] if output in inputs else None
                left = (*left, output if outer is None else outer)
        pending += [each for each in left if each not in met]
        met.update(left)
    return False


def ways_of(builder: Builder, array: Value) -> Sequence[Way]:
    """How an array that is about to be written to may be one with others: all of these hear of it."""
    announced: set[Value] = set()
    while True:
        found = builder.arrays.ways(array, lambda each: builder.sees(each.node.graph))
        new = [each for each in dict.fromkeys((array, *[way.end for way in found])) if each not in announced]
        if not new:
            return found
        for each in new:  # arrays of NumPy's that it may be become arrays of the graph, and are found next
            builder.arrays.announce(each)
        announced.update(new)


def follow(builder: Builder, ways: Sequence[Way], put: Callable[[Builder, Value, Tensor], None]) -> None:
    """Has arrays hold what an array holds that was written to where they are one with it.

    Each step of a way hands on what the array before holds by then: the shortest ways come first.

    Parameters
    ----------
    builder : Builder
    ways : sequence of Way
        What `ways_of` said of the array before.
    put : callable
        Writes a value into an array or a view.
    """
    arrays = builder.arrays
    unsure = {way.end for way in ways if not way.is_sure}
    for way in ways:
        other, before = way.end, way.path[-2]
        if way.tie is not None and other not in unsure and all(map(arrays.is_told, (before, other))):
            source, target = _sides(arrays, way.tie, before, other)
            new, old = as_tensor(Symbol(source)), as_tensor(Symbol(target))
            if shapes.compatible(new.static_shape, old.static_shape):
                put(builder, arrays.identity(target), _either(_all(way.condition), new, old))
                continue
        arrays.lose(other, caller_location())


def _sides(arrays: Arrays, tie: Tie, array: Value, other: Value) -> tuple[Value, Value]:
    """What shows the elements of an array, and where they belong in another one: one is a view or neither."""
    if not arrays.is_part(tie):
        return array, other
    return (array, tie.shown) if array is tie.chosen else (tie.shown, other)


def _either(test: Tensor, new: Tensor, old: Tensor) -> Tensor:
    """What an array holds that is one with another in some runs: their lengths may differ in the others."""
    if new.spec == old.spec and UNKNOWN not in (new.static_shape or (UNKNOWN,)):
        return ops.where(test, new, old)
    chosen: Tensor = ops.cond(test, lambda: ops.set_item(old, (Ellipsis,), new), lambda: old)
    return chosen


def any_of(conditions: Iterable[Condition]) -> Tensor:
    """Whether any of some conditions holds."""
    return reduce(ops.logical_or, map(_all, conditions))


def _all(condition: Condition) -> Tensor:
    """Whether all tests and numbers of a condition are what it says."""
    return reduce(ops.logical_and, [_is(test, holds) for test, holds in condition.items()])


def _is(test: Value, holds: bool | int) -> Tensor:
    if isinstance(holds, bool):
        return as_tensor(Symbol(test)) if holds else ops.logical_not(Symbol(test))
    return ops.equal(Symbol(test), holds)
