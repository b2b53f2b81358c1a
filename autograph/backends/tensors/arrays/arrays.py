"""Aliasing of arrays in a graph: writes through any name or view, as places that statements join.

`runtime.graph.arrays` knows what each array of a graph holds. Here is what statements need of that: what an
array holds is a place, so that branches, loops and `try` join it as they join everything else that changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

import numpy as np

from autograph.staging import notes
from autograph.staging.places import Place
from autograph_base.named_tuple import NamedTuple
from runtime import ops
from runtime.core.spec import ArraySpec
from runtime.core.structure import flatten, unflatten
from runtime.core.tensor import EAGER, Array, Tensor, owner_of
from runtime.graph.arrays import Arrays, watch_writes
from runtime.graph.build import builder_in_use, building, current_builder, value_in
from runtime.graph.builder import Builder
from runtime.graph.graph import Value
from runtime.graph.symbol import Symbol
from runtime.graph.ties import Tie
from runtime.ops.control_flow import ABSENT
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["ArrayContents", "frozen", "one_on", "related", "root_of", "settled"]


def _arrays() -> Arrays:
    builder = builder_in_use()
    return builder.arrays


class ArrayContents(Place):
    """What an array of a graph holds: a value, or nobody knows what.

    Parameters
    ----------
    array : Value
        What it started as.
    """

    __slots__ = ()
    owner: Value

    def __init__(self, array: Value) -> None:
        self.key = "array", id(array)
        self.name = "an array"
        self.owner = array

    def at(self, owner: Any) -> Place:
        return ArrayContents(owner)

    def get(self) -> Any:
        return _arrays().contents.get(self.owner, self.owner)

    def set(self, value: Any) -> None:
        _arrays().hold(self.owner, value.value if isinstance(value, Symbol) else value)


def _announce(array: Value) -> None:
    if notes.listening():
        notes.note(ArrayContents(array))


watch_writes(_announce)

MayShow: TypeAlias = Callable[[Value, Any, tuple[Value, bool] | None], None]
ShownBy: TypeAlias = Callable[[Value], list[Any]]
ShowOne: TypeAlias = Callable[[Value, Value], bool]

_may_show: MayShow
_shown_by: ShownBy
_may_show_one: ShowOne


def set_may_show(may_show: MayShow, shown_by: ShownBy, may_show_one: ShowOne) -> None:
    """Sets the functions that know which arrays of the graph may be NumPy arrays, and replace these.

    Set once, at import: arrays give way to what is known here.
    """
    global _may_show, _shown_by, _may_show_one
    _may_show, _shown_by, _may_show_one = may_show, shown_by, may_show_one


def root_of(leaf: Any) -> Value | None:
    """The array that a leaf is, or is a view of; None where it is none."""
    return _arrays().root(leaf.value) if ops.is_array(leaf) else None


def is_numpys(value: Any) -> bool:
    """Whether a value is an array of NumPy's that somebody may write into."""
    return type(value) is np.ndarray and value.flags.writeable


def may_give_way(value: Any) -> bool:
    """Whether an array of the graph takes the place of a value that is written into: NumPy's, or a tensor's.

    A tensor never changes: the places outside that hold it get another one.
    """
    return is_numpys(value) or (type(value) in EAGER and value.ndim > 0)


def note_array(value: Any, *alike: Any) -> None:
    """Says what an array of the graph has in common with those that it may be.

    A number is an array without axes where one of them is. What may be a part of an array of NumPy's that an
    op took, as it was then, cannot be written to.
    """
    spec = value.spec if type(value) is Symbol else None
    if not isinstance(spec, ArraySpec):
        return
    if spec.shape == () and any(map(has_no_axes, alike)):
        note_cell(value.value, may_be_number=any(map(may_be_number, alike)))
    taken = _arrays().taken
    if taken and ops.is_array(value) and any(root_of(each) in taken for each in alike):
        taken.add(value.value)


def has_no_axes(leaf: Any) -> bool:
    """Whether a leaf is an array without axes."""
    return (is_numpys(leaf) and not leaf.ndim) or (ops.is_array(leaf) and leaf.static_shape == ())


def note_cell(value: Value, *, may_be_number: bool) -> None:
    """Says that a value is an array without axes, and whether it is a number on some paths."""
    builder = builder_in_use()
    builder.context.weak.discard(value)
    builder.arrays.without_axes.add(value)
    if may_be_number:
        builder.arrays.may_be_numbers.add(value)


def may_be_number(leaf: Any) -> bool:
    """Whether a leaf is a number, or an array without axes that is one on some paths."""
    if ops.is_array(leaf):
        arrays = _arrays()
        return arrays.identity(leaf.value) in arrays.may_be_numbers
    return leaf is not ABSENT and is_tensor(leaf) and not is_numpys(leaf)


_listed: WeakKeyDictionary[Arrays, dict[int, Array]] = WeakKeyDictionary()
"""Arrays of NumPy's by id that were put into a list of the graph."""


def note_listed(leaves: Iterable[Any]) -> None:
    """Says that arrays are put into a list of the graph, which holds what they hold now."""
    for leaf in leaves:
        root = root_of(leaf)
        if root is not None:
            _arrays().listed.add(root)
        elif is_numpys(leaf) and current_builder() is not None:
            _listed.setdefault(_arrays(), {})[id(owner_of(leaf))] = owner_of(leaf)


def is_listed(owner: Array) -> bool:
    """Whether an array of NumPy's, or a view of it, was put into a list of the graph."""
    return bool(_listed) and current_builder() is not None and id(owner) in _listed.get(_arrays(), {})


@contextmanager
def nothing_listed() -> Iterator[None]:
    """While lists of the graph are made that nobody gets."""
    arrays = _arrays()
    of_graph, of_numpy = set(arrays.listed), dict(_listed.get(arrays, {}))
    try:
        yield
    finally:
        arrays.listed.intersection_update(of_graph)
        if arrays in _listed:
            _listed[arrays] = of_numpy


@contextmanager
def _held(changes: Iterable[tuple[Place, Any]]) -> Iterator[None]:
    """While arrays hold what a path has left in them."""
    before = [(place, place.get()) for place, _ in changes]
    try:
        for place, value in changes:
            place.set(value)
        yield
    finally:
        for place, value in before:
            place.set(value)


def frozen(nest: Any, changes: Iterable[tuple[Place, Any]], builder: Builder) -> Any:
    """A nest that a path leaves, with the values of the arrays in it as they are at the end of the path.

    Parameters
    ----------
    nest : nest
    changes : iterable of (Place, value)
        What the path has changed that was there before it.
    builder : Builder
        Of the graph of the path.
    """
    written = [(place, value) for place, value in changes if isinstance(place, ArrayContents)]
    if not written:
        return nest
    leaves, structure = flatten(nest)
    with building(builder), _held(written):
        roots = {place.owner for place, _ in written}
        return unflatten(
            structure, [value_in(builder, leaf) if root_of(leaf) in roots else leaf for leaf in leaves]
        )


def settled(nest: Any, is_inside: Callable[[Value], bool], origins: dict[Value, Symbol]) -> Any:
    """A nest with what its arrays hold now in the place of those that are inside of something, or seen there.

    Which array a value was in goes into `origins`.
    """
    builder = builder_in_use()
    contents = builder.arrays.contents
    if not contents:
        return nest

    def now(leaf: Any) -> Any:
        root = root_of(leaf)
        if root is None or root not in contents or not (is_inside(root) or is_inside(leaf.value)):
            return leaf
        held = value_in(builder, leaf)
        origins.setdefault(held, leaf)
        return held

    leaves, structure = flatten(nest)
    with builder.unwatched():  # a `try` asks while something is added to its body
        found = list(map(now, leaves))
    is_same = all(one is other for one, other in zip(leaves, found, strict=True))
    return nest if is_same else unflatten(structure, found)


class _Left(NamedTuple):
    """An array that a path leaves."""

    result: Symbol
    """What became of it."""
    leaf: Any
    is_told: bool
    """Whether it is known what it shows of an array of outside."""

    def is_one_with(self, other: _Left) -> Value | None:
        """The other array where the two are one, and no more than views of one."""
        return other.result.value if _identity(self.leaf) == _identity(other.leaf) else None

    def is_told_of(self, other: _Left) -> bool:
        """Whether two arrays that show one memory are apart, or all is known of what they show of it."""
        if self.is_one_with(other) is not None:
            return False
        return (self.is_told and other.is_told) or _are_apart(self.leaf, other.leaf)


def related(
    outcomes: Mapping[int, Sequence[Any]],
    results: Sequence[Any],
    outlives: Callable[[Value], bool],
    test: Value | None = None,
    ties: Mapping[int, Callable[[Symbol], None]] = MappingProxyType({}),
    indices: Mapping[Value, Tensor] = MappingProxyType({}),
    one: Mapping[int, Mapping[int, Any]] = MappingProxyType({}),
) -> list[Any]:
    """The leaves that a statement leaves: what is one array on every path is one, and what may be is told.

    Parameters
    ----------
    outcomes : mapping of int to sequence of leaves
        Those of each path; of a branch, by what its test says there.
    results : sequence of leaves
        What became of them.
    outlives : callable
        Whether a value means something after the statement.
    test : Value, optional
        What decides between the paths of a branch; otherwise only the run knows.
    ties : mapping of int to callable
        By leaf, says of a result which arrays of outside it may be, where a number tells that.
    indices : mapping of Value to Tensor
        What paths have left of indices with which they have made views.
    one : mapping of int to mapping of int to leaf
        Of a path that what follows tells from others, what `one_on` says: which results are one there.
    """

    def tie(path: int, chosen: Value, shown: Value | None) -> Tie | None:
        return None if test is None or shown is None else Tie(test, bool(path), chosen, shown)

    builder, arrays = builder_in_use(), _arrays()
    seen = {index: value_in(builder, left) for index, left in indices.items()}
    kept = list(results)
    known: dict[tuple[int | None, ...], Any] = {}
    met: dict[tuple[int, int], list[_Left]] = {}
    around: dict[Value, list[tuple[Value, bool]]] = {}
    for index, leaves in enumerate(zip(*outcomes.values(), strict=True)):
        result = kept[index]
        note_array(result, *leaves)
        if not ops.is_array(result) or any(leaf is result for leaf in leaves):
            continue
        same = tuple(map(_identity, leaves))
        if None not in same and same in known:
            kept[index] = known[same]
            continue
        if len(set(same)) == 1 and isinstance(leaves[0], Symbol) and outlives(leaves[0].value):
            kept[index] = known[same] = leaves[0]
            continue
        known[same] = result
        arrays.chosen[result.value] = leaves
        if test is not None:
            arrays.decided[result.value] = test, dict(zip(map(bool, outcomes), leaves, strict=True))
        if index in ties:
            ties[index](result)
        for path, leaf in zip(outcomes, leaves, strict=True):
            memory = _memory_of(leaf)
            if memory is None:
                continue
            is_outer, when = isinstance(memory, Value) and outlives(memory), None
            # without a test nobody is told, and a view that is made again may not be there
            if is_outer and index not in ties and test is not None:
                when = tie(path, result.value, arrays.shown_again(builder, leaf.value, outlives, seen))
            left = _Left(result, leaf, is_outer and (when is not None or index in ties))
            for other in met.setdefault((path, id(memory)), []):
                if not (_is_told(one.get(path, {}), result, other.result) or left.is_told_of(other)):
                    whole = left.is_one_with(other)
                    arrays.may_be_same(result.value, other.result.value, tie(path, result.value, whole))
            met[path, id(memory)].append(left)
            for each in _alike_inside(path, memory, met, outlives, is_told=index in ties):
                if each is not result.value:
                    arrays.may_be_same(result.value, each)
            if index in ties:
                continue
            if not isinstance(memory, Value):
                _may_show(result.value, leaf, None if test is None else (test, bool(path)))
            elif not outlives(memory):
                _tie_to_what_may_be(result.value, memory, outlives, _left_by(path, met))
            else:
                if memory not in around:
                    around[memory] = [*arrays.kin(memory).items()]
                arrays.may_be_same(result.value, memory, when)
                for end, is_sure in around[memory]:
                    if when is None or not is_sure:
                        arrays.may_be_same(result.value, end)
    return kept


def one_on(
    paths: Iterable[Sequence[Any]], results: Sequence[Any], may_give_way: Collection[int]
) -> dict[int, Any]:
    """By their ids, results that are one array on each of these paths: with the first of those that are.

    Others than that are among those that `may_give_way`, by their ids.
    """
    first: dict[tuple[int | None, ...], Any] = {}
    found = {}
    for result, *leaves in zip(results, *paths, strict=True):
        same = tuple(map(_identity, leaves))
        if ops.is_array(result) and None not in same:
            other = first.setdefault(same, result)
            if other is result or (other.dtype == result.dtype and id(result) in may_give_way):
                found[id(result)] = other
    return found


def _is_told(one: Mapping[int, Any], result: Any, other: Any) -> bool:
    """Whether what follows a path knows that two results are one array, given what `one_on` says."""
    return id(result) in one and one[id(result)] is one.get(id(other))


def _left_by(path: int, met: Mapping[tuple[int, int], Sequence[_Left]]) -> Iterator[_Left]:
    """The arrays that a path leaves, of those that were met."""
    return (left for key, several in met.items() if key[0] == path for left in several)


def _tie_to_what_may_be(
    result: Value, memory: Value, outlives: Callable[[Value], bool], others: Iterable[_Left]
) -> None:
    """Says that an array may be one with those of outside with which an array of a path may be one.

    And with `others` that the path leaves, where both may be one array of NumPy's: nobody knows of that by
    other means as long as it has not given way.
    """
    arrays = _arrays()
    for other in arrays.kin(memory):
        if outlives(other):
            arrays.may_be_same(result, other)
    shown = _shown_by(memory)
    for array in shown:
        _may_show(result, array, None)
    for left in others if shown else ():
        inside = _memory_of(left.leaf)
        if isinstance(inside, Value) and inside is not memory and _may_show_one(memory, inside):
            arrays.may_be_same(result, left.result.value)


def _alike_inside(
    path: int,
    memory: Any,
    met: Mapping[tuple[int, int], Sequence[_Left]],
    outlives: Callable[[Value], bool],
    *,
    is_told: bool,
) -> Iterator[Value]:
    """The results that may be the same in a path: of arrays that outlive it, all are told anyway.

    Where a number tells which of those one is, it is left to tell of what the path itself has made.
    """
    if not isinstance(memory, Value) or outlives(memory):
        return
    kin = _arrays().kin
    inside = [each for each in kin(memory) if not outlives(each)]
    if is_told:
        made = [each for each in (memory, *inside) if not _is_chosen(each)]
        around = [each for array in made for each in kin(array) if not outlives(each)]
        inside = [each for each in (*made, *around) if each is not memory]
    for each in dict.fromkeys(inside):
        yield from (left.result.value for left in met.get((path, id(each)), ()))


def _is_chosen(array: Value) -> bool:
    """Whether a branch, a loop, a `try` or a call has left one of several arrays."""
    op = array.node.op
    return bool(op.regions) or op.callee is not None


def _identity(leaf: Any) -> int | None:
    """What tells an array from all others at the end of a path; None where that is no array."""
    if isinstance(leaf, Symbol):
        return id(leaf.value)
    return id(leaf) if _memory_of(leaf) is not None else None


def _are_apart(one: Any, other: Any) -> bool:
    """Whether two arrays that show one memory are known to have no element in common."""
    if isinstance(one, Symbol) and isinstance(other, Symbol):
        return _arrays().are_apart(one.value, other.value)
    numpys = isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
    return numpys and not np.may_share_memory(one, other)


def _memory_of(leaf: Any) -> Value | Array | Tensor | None:
    """What holds the elements of an array, of the graph or of NumPy's, for all of its views."""
    if leaf is ABSENT:
        return None
    if type(leaf) in EAGER:
        return leaf if leaf.ndim else None
    return owner_of(leaf) if is_numpys(leaf) else root_of(leaf)
