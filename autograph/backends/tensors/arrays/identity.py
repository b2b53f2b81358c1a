"""`a is b` and `id(a)` for arrays: where a branch or an index has chosen one, the test of that answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.arrays.arrays import is_numpys
from autograph.backends.tensors.arrays.boxes import box, is_shown, shown_by
from autograph.backends.tensors.arrays.homes import is_made_here
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.objects.choices import OneOf
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.staging.context import staging
from autograph.staging.heap import current
from runtime import ops
from runtime.core.tensor import EAGER, Tensor, owner_of
from runtime.errors import StateDisagrees
from runtime.graph.build import builder_in_use, current_builder
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.refusals import of_arrays
from runtime.ops.ties import any_of, is_element

__all__ = ["Identity", "are_one", "are_surely_one", "refuse_comparison"]


class Identity:
    """What `id` gives of an object that a tensor may choose: two are equal where their objects are one.

    It is no number in a graph, which would say nothing of the object that the run has.

    Parameters
    ----------
    value : object
        It is kept alive, so that no other one gets its number.
    identical : callable
        Whether two objects are one, as a tensor where only the run knows.
    """

    __slots__ = ("_identical", "_value")

    def __init__(self, value: Any, identical: Callable[[Any, Any], Any]) -> None:
        self._value, self._identical = value, identical

    def __eq__(self, other: object) -> Any:
        if isinstance(other, Identity):
            return self._identical(self._value, other._value)
        if isinstance(other, int | Tensor):
            self._refuse()
        return NotImplemented

    def __ne__(self, other: object) -> Any:
        found = self == other
        return not found if isinstance(found, bool) else ops.logical_not(found)

    def __hash__(self) -> int:
        kind = np.ndarray if isinstance(self._value, Tensor) else type(self._value)
        if issubclass(kind, Staged | OneOf | MaybeNone):
            self._refuse()
        return hash(kind)  # the same for all that may be one: whether they are is asked of each

    def __index__(self) -> int:
        return id(self._value)

    def __format__(self, spec: str) -> str:
        return format(id(self._value), spec)

    def __repr__(self) -> str:
        return str(id(self._value))

    def _refuse(self) -> NoReturn:
        raise StateDisagrees(
            "which number `id` gives of an object shows only when the graph runs",
            where=caller_location(),
            why="A tensor may decide which object it is, so an `id` is compared as the objects are.",
            way_out="Compare the objects, `a is b`, or what decides which one it is.",
        )


def are_one(one: Any, other: Any) -> Any:
    """Whether two objects are one, as a tensor where the tests of branches say so.

    Raises
    ------
    StateDisagrees
        When these are arrays of which only the run knows.
    """
    if one is other or not (ops.is_array(one) or ops.is_array(other)):
        return one is other
    one, other = _of_graph(one), _of_graph(other)
    left, right = [each.value if ops.is_array(each) else None for each in (one, other)]
    builder = builder_in_use()
    arrays = builder.arrays
    taken_out = [each for each in (left, right) if each is not None and is_element(arrays.root(each))]
    if left is None or right is None:
        known, outside = (right, one) if left is None else (left, other)
        if known is not None and (is_numpys(outside) or type(outside) in EAGER):
            if taken_out:
                refuse_comparison()
            _note_compared(arrays.root(known))
        return False
    left, right = arrays.identity(left), arrays.identity(right)
    if left is right:
        return True
    if taken_out:
        refuse_comparison()
    roots = arrays.root(left), arrays.root(right)
    for root in roots:
        _note_compared(root)
    for array in [*shown_by(roots[0]), *shown_by(roots[1])]:
        box(array)
    conditions = arrays.alike(roots[0]).get(roots[1])
    if roots[0] is roots[1] or conditions is None:
        return False
    known = [each for each in conditions if each is not None and all(_sees(test) for test in each)]
    is_part = any(map(arrays.is_part, arrays.ties(*roots) or ()))
    if len(known) < len(conditions) or is_part or (left, right) != roots:
        refuse_comparison()
    return ops.stands_for_python(any_of(known))


def _note_compared(root: Value) -> None:
    """Says that the graph is one for arrays that are others than this one, and than those that it may be."""
    arrays = builder_in_use().arrays
    arrays.compared.update((root, *arrays.kin(root)))


def are_surely_one(one: Any, other: Any) -> bool:
    """Whether two objects are one in every run, or an array of NumPy's and the one in its place."""
    one, other = [
        ops.target(each) if is_numpys(each) and is_shown(each) else current(each) for each in (one, other)
    ]
    if one is other or not (ops.is_array(one) and ops.is_array(other)):
        return one is other
    builder = builder_in_use()
    return builder.arrays.identity(one.value) is builder.arrays.identity(other.value)


def _of_graph(array: Any) -> Any:
    """An array of the graph in the place of one of NumPy's that another one may be: turns may bind it."""
    if not is_numpys(array):
        return array
    may_be_bound = staging.turn_since is not None and not is_made_here(owner_of(array))
    return ops.target(array) if may_be_bound or is_shown(array) else array


def _sees(test: Value) -> bool:
    builder = current_builder()
    return builder is not None and builder.sees(test.node.graph)


def refuse_comparison() -> NoReturn:
    """Says that nobody knows whether two arrays are one."""
    raise of_arrays(
        StateDisagrees(
            "whether two arrays are one array shows only when the graph runs",
            where=caller_location(),
            why="A tensor decides which array one of them is.",
            way_out="Compare what decides it: `i == j` in the place of `rows[i] is rows[j]`.",
        )
    )
