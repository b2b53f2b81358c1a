"""Arrays of which branches decide whether they are one: who writes into one writes into the others.

::

    picked = a if test else b
    picked[0] = 5.0         a holds where(test, picked, a) from now on, and b where(test, b, picked)
    b[1] = 7.0              picked holds where(test, picked, b)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from runtime import ops
from runtime.core.tensor import Tensor
from runtime.graph.arrays import Arrays, Condition, Kin, Unknown
from runtime.graph.build import as_tensor
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.tensor_list.nodes import TensorListGetItem

__all__ = ["any_of", "follow", "is_element", "kin_of"]


def is_element(array: Value) -> bool:
    """Whether an array is an element of a list of the graph, or a branch may have left one in its place."""
    op = array.node.op
    return isinstance(op, TensorListGetItem) or any(
        is_element(region.graph.outputs[region.results.index(array.index)])
        for region in op.regions
        if array.index in region.results
    )


def kin_of(builder: Builder, array: Value) -> Kin:
    """The arrays that may be one with an array that is about to be written to: all of them hear of it."""
    announced: set[Value] = set()
    while True:
        found = builder.arrays.alike(array, lambda each: builder.sees(each.node.graph))
        new = [each for each in (array, *found) if each not in announced]
        if not new:
            return found
        for each in new:  # arrays of NumPy's that it may be become arrays of the graph, and are found next
            builder.arrays.announce(each)
        announced.update(new)


def follow(builder: Builder, array: Value, kin: Kin, put: Callable[[Builder, Value, Tensor], None]) -> None:
    """Has arrays hold what an array holds that was written to where they are one with it.

    Parameters
    ----------
    builder : Builder
    array : Value
        Has been written to.
    kin : Kin
        What `kin_of` said before.
    put : callable
        Writes a value into an array or a view.
    """
    arrays = builder.arrays
    for other, conditions in kin.items():
        source, target = _sides(arrays, array, other)
        known = [each for each in conditions if each is not None]
        is_sure = len(known) == len(conditions) and (source is array or len(known) == 1)
        if is_sure and not any(isinstance(arrays.contents.get(each), Unknown) for each in (array, other)):
            new, old = as_tensor(Symbol(source)), as_tensor(Symbol(target))
            if new.spec == old.spec:
                put(builder, arrays.identity(target), ops.where(any_of(known), new, old))
                continue
        arrays.lose(other, caller_location())


def _sides(arrays: Arrays, array: Value, other: Value) -> tuple[Value, Value]:
    """What shows the elements of an array, and where they belong in another one: one is a view or neither."""
    tie = arrays.kin(array).get(other)
    if tie is None or not arrays.is_part(tie):
        return array, other
    return (array, tie.shown) if array is tie.chosen else (tie.shown, other)


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
