"""Objects that outlive a statement: what its paths leave has them as leaves, which are the objects still."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from enum import Enum
from typing import Any

from autograph.backends.tensors.containers import sets
from autograph.backends.tensors.containers.becoming import STAND_INS
from autograph.backends.tensors.containers.lists import SINGLE, Staged, changes_in_place
from autograph.backends.tensors.containers.other_names import Spot, other_names
from autograph.backends.tensors.statements import late_numbers, lengths, numbers_beside
from autograph.staging import meeting
from autograph.staging.announcing import owner_of_attributes
from autograph.staging.context import staging
from runtime import ops
from runtime.core.structure import level_of, map_leaves
from runtime.graph.build import building
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.op import Placeholder
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["OuterObject", "OuterObjects", "released", "stand_in"]


class OuterObject:
    """A leaf for an object that stays the same object: what it holds is joined as a place of its own."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    @property
    def ag__object(self) -> Any:
        """What messages show."""
        return self.value

    def __repr__(self) -> str:
        return repr(self.value)


class OuterObjects:
    """The objects in one statement's outcomes that were there before it, and are there behind it.

    Attributes
    ----------
    builders : pair of Builder
        Of the graphs that either path is recorded in.
    ends : pair of dict of int to container
        By their ids, the containers that either path changed, as it left them: they are as before by now.
    contents : set of int
        The ids of what the values have for the contents of containers: these are copies, and no objects.
    before : int
        When the statement was begun: objects that were met since are not guessed to have other names.
    around : Builder or None
        Of the graph that a loop is in, which is one of these.
    anew : set of (int, Spot)
        By the index of a variable, and where in it a container is that every turn of a loop makes anew.
    late : LateNumbers or None
        Of a `try`: which of several objects it is shows behind the statement.

    Parameters
    ----------
    outlives : callable
        Whether an object was there before the statement: then it stays the same object.
    is_of_turn : callable
        Whether an object is there for one turn of a loop.
    """

    def __init__(
        self,
        builders: tuple[Builder, Builder],
        outlives: Callable[[Any], bool],
        is_of_turn: Callable[[Any], bool],
    ) -> None:
        self.builders = builders
        self.ends: tuple[Mapping[int, Any], Mapping[int, Any]] = {}, {}
        self.contents: Collection[int] = ()
        self.before = 0
        self.around: Builder | None = None
        self.anew: set[tuple[int, Spot]] = set()
        self.late: late_numbers.LateNumbers | None = None
        self._outlives = outlives
        self._is_of_turn = is_of_turn
        self._outer: dict[int, OuterObject] = {}
        self._index = 0
        """Of the variable that is looked at."""
        self._spot: tuple[Any, ...] = ()
        """Where in it."""

    def keep(self, value: Any) -> Any:
        """The value with every container as a leaf that changes in place and outlives the statement."""
        return self._kept(value, self._spot, {})

    def _kept(self, value: Any, spot: Spot, ends: Mapping[int, Any]) -> Any:
        is_number = isinstance(value, Enum) and is_tensor(value)  # and an object of the program's
        is_kept = (
            numbers_beside.is_infinity(value) and other_names().keeps_infinity() and self.around is not None
        )
        if is_number or is_kept:
            return self._outer.setdefault(id(value), OuterObject(value))
        is_object = changes_in_place(value) and id(value) not in self.contents
        if is_object and owner_of_attributes(value) is not None and self._is_of_outside(value):
            staging.named_dicts.add(id(value))
            return self._outer.setdefault(id(value), OuterObject(value))
        if is_object and (
            self._was_there(value) or ((self._index, spot) not in self.anew and self._is_of_outside(value))
        ):
            return self._outer.setdefault(id(value), OuterObject(value))
        level = level_of(ends.get(id(value), value))
        if level is None:
            return value
        pairs = zip(level[0].keys, level[1], strict=True)
        return level[0].build([self._kept(child, (*spot, key), ends) for key, child in pairs])

    def keep_all(self, value: Any, path: int) -> Any:
        """The value of a path, with every container and array as a leaf that outlives the statement."""
        kept = self._kept(value, self._spot, self.ends[path])
        return map_leaves(lambda leaf: self.keep_array(leaf) or self._of_graph(leaf, path), kept)

    def _of_graph(self, value: Any, path: int) -> Any:
        """A deque, a set or a special dict that a path has made as one of the graph: none has a form."""
        kind = type(value)
        is_whole = kind in STAND_INS and kind not in {list, dict} and id(value) not in self.contents
        if not is_whole or self.late is not None or self._was_there(value) or self._is_of_outside(value):
            return value
        with building(self.builders[path]):
            return stand_in(value, self.ends[path].get(id(value), value))

    def _was_there(self, value: Any) -> bool:
        """Whether an object was there before the statement, and not only when a turn of it was begun."""
        return self._outlives(value) and not self._is_of_turn(value)

    def _is_of_outside(self, value: Any) -> bool:
        """Whether an object that changes in place means the same after the statement."""
        if self._was_there(value):
            return True
        if self.around is not None and meeting.is_made_since(value, self.before):
            return False  # every turn of the loop makes another one
        found = {leaf.value.node.graph for leaf in lengths.leaves_within(value) if isinstance(leaf, Symbol)}
        graphs = [builder.graph for builder in self.builders if builder is not self.around]
        are_seen = all(any(builder.sees(graph) for builder in self.builders) for graph in found)
        return are_seen and found.isdisjoint(graphs)

    def keep_array(self, value: Any) -> OuterObject | None:
        """An array that outlives the statement as a leaf: what it holds is a place of its own."""
        if not ops.is_array(value) or not self.sees_outside(value.value):
            return None
        return self._outer.setdefault(id(value.value), OuterObject(value))

    def sees_outside(self, value: Value) -> bool:
        """Whether a value is not of the graphs of the paths, nor made inside: a turn may start with one."""
        graph, root = value.node.graph, self.builders[0].arrays.root(value)
        is_start = self.around is not None and type(root.node.op) is Placeholder
        return all(graph is not each.graph and (each.sees(graph) or is_start) for each in self.builders)


def stand_in(value: Any, held: Any) -> Staged:
    """A container of Python's as one of the graph, with what it holds at the end of a path."""
    return sets.set_of_path(value, held) if type(value) is set else STAND_INS[type(value)](held, None)


def released(value: Any) -> Any:
    """The value with the kept objects themselves."""
    if type(value) is tuple and all(type(each) in SINGLE for each in value):
        return value
    return map_leaves(lambda leaf: leaf.value if isinstance(leaf, OuterObject) else leaf, value)
