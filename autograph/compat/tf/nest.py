"""`tf.nest`: nested lists, tuples and dicts, in TensorFlow's order: dicts by key, and None is a leaf."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from runtime.core import structure as nests
from runtime.core.structure import LEAF, Structure
from runtime.errors import InvalidValue

__all__ = ["assert_same_structure", "flatten", "is_nested", "map_structure", "pack_sequence_as"]


def is_nested(seq: Any) -> bool:
    """`tf.nest.is_nested`."""
    return seq is not None and nests.flatten(seq)[1].kind is not None


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """`tf.nest.flatten`.

    >>> flatten({"b": 1, "a": (2, None)})
    [2, None, 1]
    """
    del expand_composites
    leaves, found = nests.flatten(structure)
    return list(_in_order(found, iter(leaves)))


def _in_order(structure: Structure, leaves: Iterator[Any]) -> Iterable[Any]:
    """The leaves as TensorFlow orders them; `leaves` come in the project's own order."""
    if structure.kind is None:
        return [next(leaves)]
    if structure.kind is type(None):
        return [None]
    parts = [list(_in_order(child, leaves)) for child in structure.children]
    return [leaf for index in _order(structure) for leaf in parts[index]]


def _order(structure: Structure) -> list[int]:
    """The children in TensorFlow's order: those of a dict by key."""
    numbers = range(len(structure.children))
    return sorted(numbers, key=structure.keys.__getitem__) if structure.kind is dict else list(numbers)


def pack_sequence_as(structure: Any, flat_sequence: Sequence[Any], expand_composites: bool = False) -> Any:
    """`tf.nest.pack_sequence_as`.

    >>> pack_sequence_as({"b": 0, "a": 0}, [1, 2])
    {'b': 2, 'a': 1}
    """
    del expand_composites
    count = len(flatten(structure))
    if count != len(flat_sequence):
        raise InvalidValue(
            f"the structure has {count} leaves, and {len(flat_sequence)} were given",
            why="Each leaf of the structure gets one item.",
            way_out="Give as many as `tf.nest.flatten(structure)` has.",
        )
    return _filled(nests.flatten(structure)[1], iter(flat_sequence))


def _filled(structure: Structure, leaves: Iterator[Any]) -> Any:
    if structure.kind is None or structure.kind is type(None):
        return next(leaves)
    children = {index: _filled(structure.children[index], leaves) for index in _order(structure)}
    level = replace(structure, children=(LEAF,) * len(children))
    return nests.unflatten(level, [children[index] for index in range(len(children))])


def map_structure(
    func: Callable[..., Any], *structure: Any, check_types: bool = True, expand_composites: bool = False
) -> Any:
    """`tf.nest.map_structure`.

    >>> map_structure(lambda x, y: x + y, {"a": 1, "b": [2]}, {"a": 10, "b": [20]})
    {'a': 11, 'b': [22]}
    """
    del expand_composites
    first, *rest = structure
    for other in rest:
        assert_same_structure(first, other, check_types)
    leaves = zip(*map(flatten, structure), strict=True)
    return pack_sequence_as(first, [func(*each) for each in leaves])


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """`tf.nest.assert_same_structure`.

    Raises
    ------
    ValueError
        When the structures differ, or only the classes of their containers do and `check_types` holds (a
        TypeError there).
    """
    del expand_composites
    left, right = _shape(nest1, check_types), _shape(nest2, check_types)
    if left != right:
        raise InvalidValue(
            "the two structures differ",
            details=[f"first:   {left}", f"second:  {right}"],
            why="Lists, tuples and dicts must be nested alike, and each `*` stands for a leaf.",
            way_out="Nest them alike, or give `check_types=False` where only the classes differ.",
        )


def _shape(nest: Any, check_types: bool) -> Structure:
    """The structure with dicts sorted and None as a leaf; all sequences alike unless types count."""

    def normal(structure: Structure) -> Structure:
        if structure.kind is None or structure.kind is type(None):
            return LEAF
        order = _order(structure)
        is_sequence = issubclass(structure.kind, (list, tuple))
        return Structure(
            structure.kind if check_types or not is_sequence else tuple,
            tuple([structure.keys[index] for index in order]) if check_types or not is_sequence else (),
            tuple([normal(structure.children[index]) for index in order]),
            structure.extra,
        )

    return normal(nests.flatten(nest)[1])
