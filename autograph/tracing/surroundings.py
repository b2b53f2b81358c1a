"""What a function found around it when it was traced inside of another one: whether it is still so.

A graph that captures values of the graphs around it holds what was read there: the symbols in attributes and
variables, what lists of the graph held, what had been written into arrays. It serves another place of the
program where all that the function reaches is as it was, but for what comes in as an input.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable
from typing import Any

from autograph.backends.tensors.arrays.arrays import ArrayContents
from autograph.backends.tensors.containers.deques import StagedDeque
from autograph.backends.tensors.containers.dicts import StagedDict, Table
from autograph.backends.tensors.containers.lists import Staged, StagedList
from autograph.backends.tensors.containers.sets import StagedSet
from autograph.backends.tensors.statements.recursion import Outlined
from autograph.staging import heap
from autograph.staging.context import staging
from autograph.staging.operators import Operators
from autograph.tracing.snapshot import Snapshot, position
from autograph_base.packages import is_ours
from runtime.core.structure import Structure
from runtime.functions.polymorphic import PolymorphicFunction
from runtime.graph.arrays import Arrays, Unknown
from runtime.graph.build import current_builder
from runtime.graph.graph import Value
from runtime.graph.op import Const

__all__ = ["Surroundings"]


class Surroundings:
    """What a function reaches, as it is before it is traced.

    Parameters
    ----------
    snapshot : Snapshot
        Of all that it reaches.

    Attributes
    ----------
    writes_arrays : bool
        Whether the function has written into arrays: others may be one with these elsewhere.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        builder = current_builder()
        self._snapshot = snapshot
        self.writes_arrays = False
        self._written = {} if builder is None else dict(builder.arrays.contents)
        self._ties = {} if builder is None else builder.arrays.all_ties()
        self._arrays = [(array, heap.moved_to(array)) for array in snapshot.arrays()]
        self._are_plain = snapshot.is_whole and self._can_be_told()

    def are_as_they_were(self, inputs: Collection[Hashable], read: Collection[Value]) -> bool:
        """Whether all of it is, but for the places whose keys are `inputs`.

        `read` are the values of the graphs around that the function has read: what an array held by then is
        one of them, or has not mattered.
        """
        builder = current_builder()
        if builder is None or (read and not (self._are_plain and self._can_be_told())):
            return False
        return (
            self._hold_what_was_read(builder.arrays, inputs, read)
            and (not self.writes_arrays or self._ties == builder.arrays.all_ties())
            and all(heap.moved_to(array) is now for array, now in self._arrays)
            and all(position(each) == before for each, before in self._snapshot.iterators())
            and all(change.place.key in inputs for change in self._snapshot.changes())
        )

    def _hold_what_was_read(
        self, arrays: Arrays, inputs: Collection[Hashable], read: Collection[Value]
    ) -> bool:
        """Whether arrays of the graphs around hold what they held, as far as the function has read that.

        A constant is not captured where it is read.
        """
        before, now = self._written, arrays.contents
        changed = {each for each in {**before, **now} if before.get(each) is not now.get(each)}
        known = {array for array in changed if _is_constant(before.get(array, array))}
        roots = set(map(arrays.root, read)) if changed else set()
        return all(ArrayContents(array).key in inputs for array in changed & (known | roots))

    def _can_be_told(self) -> bool:
        """Whether a look at it says all: there is nothing whose meaning is kept elsewhere.

        That are objects that a tensor has chosen, containers of objects, attributes that only some paths have
        bound, and what has copies that are written back.
        """
        if staging.own_on_paths or staging.unwritten or staging.tangled:
            return False
        kept_elsewhere = (*staging.copies, *staging.groups, *staging.outdated)
        if any(map(self._snapshot.has, kept_elsewhere)):
            return False
        moved = [now for one, now in heap.originals() if self._snapshot.existed(one)]
        containers = [each for each in moved if isinstance(each, Staged)]
        return all(map(_says_all, (*self._snapshot.found(), *containers)))


def _is_constant(held: Value | Unknown) -> bool:
    return isinstance(held, Value) and isinstance(held.op, Const)


def _says_all(value: Any) -> bool:
    """Whether an object is the program's, or a value of the graph, or a container of numbers of the graph."""
    kind = type(value)
    if kind in _CONTAINERS:
        held = value.contents
        columns = (held.keys, held.values) if isinstance(held, Table) else (held,)
        return all(_is_of_numbers(each.form) for each in columns)
    return kind in _OURS or not is_ours(kind.__module__)


_CONTAINERS = (StagedList, StagedDeque, StagedSet, StagedDict)
_OURS = (Operators, Outlined, PolymorphicFunction)
"""Classes of ours whose instances stand for functions of the program's, which lead to what these read; and
what generated code calls, which functions inside of others have in a cell."""


def _is_of_numbers(form: Structure) -> bool:
    """Whether an element is a value of the graph, or a tuple of some."""
    return form.kind in {None, tuple} and all(map(_is_of_numbers, form.children))
