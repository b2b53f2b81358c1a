"""The hot path of a call: which arguments are like those of a call before."""

from __future__ import annotations

import weakref
from array import array
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeAlias

import numpy as np

from runtime.core.containers import told_of_keys
from runtime.core.instances import TakenApart
from runtime.core.structure import is_record, level_of, split_record
from runtime.core.tensor import EAGER, Array, Tensor
from runtime.functions.signature import Arguments
from runtime.functions.stand_ins import GENERATORS, is_generator, told_of_generator

__all__ = ["FastKey", "are_taken_over", "sorted_out"]

FastKey: TypeAlias = tuple[object, ...]
"""What tells some arguments from others, the last one first: pairs inside pairs are the cheapest to make."""

_NO_NAMES: Mapping[str, Any] = MappingProxyType({})


def sorted_out(
    args: Collection[Any],
    kwargs: Mapping[str, Any] = _NO_NAMES,
    arrays: list[Array] | None = None,
    lent: int = 0,
    containers: set[int] | None = None,
    drawn: list[Any] | None = None,
    apart: TakenApart | None = None,
) -> tuple[FastKey | None, list[Array], int, set[int] | None, list[Any] | None]:
    """What tells these arguments from others, and what a graph takes of them.

    This is the hot path of a call.

    Parameters
    ----------
    args, kwargs
        Those of the call, or what is in one of them.
    arrays, lent, containers, drawn
        What was found in those before.
    apart : TakenApart, optional
        The objects that are told by what they hold.

    Returns
    -------
    key : FastKey or None
        Dtype and shape of a tensor or an array, or the class of an array without axes; a number or text with
        its class; the form of a list, a tuple, a dict or a record with what is in it; the kind of a generator
        of random numbers; and another object by a reference that does not keep it, where there is one. None
        where telling them apart takes more.
    arrays : list of array
        Those among them.
    lent : int
        A bit for each array that is the caller's.
    containers : set of int or None
        The ids of lists, tuples, dicts, records and generators of random numbers; each of them is there once.
    drawn : list or None
        These generators.
    """
    key: FastKey = ()
    if arrays is None:
        arrays = []
    if kwargs:
        key = tuple(kwargs)
        args = (*args, *kwargs.values())
    if len(args) > _MOST_SORTED:
        return None, arrays, lent, containers, drawn
    for value in args:
        kind: Any = type(value)
        if kind is Tensor or kind in EAGER:
            array = value._array
            arrays.append(array)
            key = key, array.dtype, array.shape
        elif kind is _ARRAY:
            lent |= 1 << len(arrays)
            arrays.append(value)
            key = key, value.dtype, value.shape or kind
        elif kind in _EXACT:
            key = key, kind, value
        elif kind is float:
            key = key, kind, value or str(value)  # 0.0 and -0.0 are equal, and are not the same
        elif kind in _NESTS or (record := _split(value, kind, apart)) is not None:
            if containers is None:
                containers = set()
            if id(value) in containers:
                return None, arrays, lent, containers, drawn
            containers.add(id(value))
            names: Any = None
            held: Collection[Any] = value
            if kind is dict:
                names, held = (tuple(value), told_of_keys(value)), value.values()
            elif kind not in _NESTS:
                assert record is not None, "it is one"
                names, held = record
            inside = _alike(held, containers) if len(held) >= _FEWEST_ALIKE else None
            if inside is None:
                inside, arrays, lent, containers, drawn = sorted_out(
                    held, _NO_NAMES, arrays, lent, containers, drawn, apart
                )
            if inside is None:
                return None, arrays, lent, containers, drawn
            key = key, kind, names, inside
        elif kind.__name__ in GENERATORS and (told := told_of_generator(value)) is not None:
            containers = set() if containers is None else containers
            if id(value) in containers:
                return None, arrays, lent, containers, drawn
            containers.add(id(value))
            drawn = [value] if drawn is None else [*drawn, value]
            key = key, told
        elif kind.__hash__ is object.__hash__ and not issubclass(kind, _NUMBERS):
            key = key, weakref.ref(value) if kind.__weakrefoffset__ else value
        elif isinstance(value, np.generic):
            arrays.append(np.asarray(value))
            key = key, value.dtype, ()
        else:
            return None, arrays, lent, containers, drawn
    return key, arrays, lent, containers, drawn


def _split(
    value: Any, kind: type, apart: TakenApart | None
) -> tuple[tuple[str, ...], Collection[Any]] | None:
    """What the attributes of a record, or of an instance that is taken apart, are called, and hold."""
    if apart is not None and kind in apart.kinds:
        held = apart.held(value)
        return tuple(held), held.values()
    return split_record(value)


def _alike(held: Collection[Any], containers: set[int]) -> FastKey | None:
    """What tells numbers or texts of one class, or lists of such, from others; None where that takes more.

    The ids of these lists are added to those of `containers`.
    """
    kinds = {*map(type, held)}
    if len(kinds) != 1 or len(held) > _MOST_ALIKE:
        return None
    kind = kinds.pop()
    if kind is float:
        return kind, array("d", held).tobytes()  # where 0.0 and -0.0 are not the same
    if kind in _EXACT:
        return kind, tuple(held)
    rows = {*map(id, held)}
    if kind is not list or len(rows) < len(held) or not rows.isdisjoint(containers):
        return None
    inside = tuple([_alike(row, containers) if row else () for row in held])
    if None in inside:
        return None
    containers |= rows
    return kind, inside


_FEWEST_ALIKE, _MOST_ALIKE = 8, 10_000
"""Values of one class that are told from others at once: fewer are not worth it, more take much memory."""
_ARRAY = np.ndarray
_MOST_SORTED = 100
"""Arguments from which on a key of pairs inside pairs would be too deep for a hash."""
_EXACT = frozenset((int, bool, str, bytes, type(None)))
"""Classes whose equal instances are the same argument."""
_NESTS = frozenset((list, tuple, dict))
_NUMBERS = (np.ndarray, np.generic)


def are_taken_over(arguments: Arguments, names: Sequence[str], given: int, named: Collection[str]) -> bool:
    """Whether the next arguments with this key need not be sorted out: they go into the graph as they are.

    Parameters
    ----------
    arguments : Arguments
    names : sequence of str
        What the parameters are called.
    given : int
        How many arguments were given by position.
    named : collection of str
        Those that were given by name.
    """
    args, kwargs = arguments.nest
    values = dict(zip(names, (*args, *kwargs.values()), strict=True))
    in_order = iter(names[given:])
    if not all(name in in_order for name in named):
        return False  # their arrays come in another order
    by_default = [value for name, value in values.items() if name not in {*names[:given], *named}]
    if any(
        isinstance(value, (Tensor, np.ndarray)) or id(value) in arguments.instances or _is_nest(value)
        for value in by_default
    ):
        return False  # which may have changed by then
    if not all(
        type(each) in _NESTS or is_record(type(each)) or id(each) in arguments.instances
        for each in arguments.containers
    ):
        return False
    lent = arguments.generators
    if any(is_generator(leaf) for at, leaf in enumerate(arguments.leaves) if at not in lent):
        return False  # it counts as an object of its own
    if arguments.structure.shares or len(arguments.leaves) != len(arguments.given):
        return False
    return all(map(_is_taken_over, arguments.leaves, arguments.given))


def _is_nest(value: Any) -> bool:
    return value is not None and level_of(value) is not None


def _is_taken_over(leaf: Any, given: Any) -> bool:
    """Whether a leaf of the arguments is what was given: itself, or the same elements as a tensor."""
    if leaf is given:
        return type(leaf) is not np.ndarray and not _is_nest(leaf)  # or it counts as an object of its own
    is_array = type(given) is np.ndarray or isinstance(given, np.generic)
    return is_array and type(leaf) in EAGER and leaf._array.dtype == given.dtype
