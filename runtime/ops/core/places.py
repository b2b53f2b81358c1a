"""Places: where the element of a result is found, as text in a field of an op.

They are sums of multiples of the indices ``i0``, ``i1``, …, one for each axis of the result, and of the
scalars ``s0``, ``s1``, … that an op has as inputs; a scalar may also be a factor: ``s0-2*i1``, ``s1+s2*i0``.
As objects they are dims, with the same arithmetic; while an op is being made, a scalar is the value of the
graph that it will be.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias
from weakref import WeakKeyDictionary

from runtime.core import dims
from runtime.core.dims import UNKNOWN, Dim, Name, SymbolicDim, named, names_in, substitute
from runtime.core.dims.sums import of_atom
from runtime.errors import GraphError
from runtime.graph.graph import Value

__all__ = [
    "Flat",
    "Place",
    "as_fields",
    "count_scalars",
    "flat",
    "of_value",
    "parse",
    "values_in",
    "with_scalars",
]

Place: TypeAlias = "int | str"
"""A place or a length as a field of an op: a number, or its text."""

Flat: TypeAlias = tuple[tuple[int, tuple[int, ...], "int | None"], ...]
"""A place as plain numbers: for each term its factor, which scalars, and which index, if any."""

_NAME = re.compile(r"[is]\d+")


@cache
def parse(field: Place) -> Dim:
    """The expression that a field stands for.

    >>> parse("s0 - i0 - 1") + parse("i0")
    s0-1

    Raises
    ------
    GraphError
        When the text is none.
    """
    if isinstance(field, int):
        return field
    try:
        found = dims.parse(field)
    except ValueError:
        return _refuse(field)
    if not isinstance(found, int) and not (found.terms and all(map(_NAME.fullmatch, _factors(found)))):
        return _refuse(field)
    return found


def _factors(place: SymbolicDim) -> list[str]:
    return [atom.text for product, _ in place.terms for atom in product]


def _refuse(text: str) -> Dim:
    raise GraphError(
        f"{text!r} is no affine expression",
        why="It is a sum of multiples of indices i0, i1, … and scalars s0, s1, …",
        way_out="Write it like `s0 - 2*i1`.",
    )


@cache
def flat(field: Place) -> Flat:
    """A place as plain numbers."""
    place = parse(field)
    if isinstance(place, int):
        return ((place, (), None),) if place else ()
    terms = []
    for product, factor in place.terms:
        scalars = tuple([int(atom.text[1:]) for atom in product if atom.text[0] == "s"])
        of_index = [int(atom.text[1:]) for atom in product if atom.text[0] == "i"]
        if len(of_index) > 1:
            raise GraphError(f"`{field}` is not affine", why="It is a product of indices.")
        terms.append((factor, scalars, of_index[0] if of_index else None))
    return tuple(terms)


def count_scalars(fields: Sequence[Place]) -> int:
    """How many scalars places have between them."""
    names: frozenset[str] = frozenset().union(*[names_in(parse(field)) for field in fields])
    return len([name for name in names if name.startswith("s")])


# ── while an op is being made ──


class _Scalar(Name):
    """A scalar of the graph. Its name says in which order such scalars were first met."""

    __slots__ = ("value",)

    def __init__(self, value: Value, number: int) -> None:
        super().__init__(f"v{number:012}")
        self.value = value


_numbers: WeakKeyDictionary[Value, int] = WeakKeyDictionary()
_next_number = itertools.count()


def _scalar(value: Value) -> _Scalar:
    number = _numbers.get(value)
    if number is None:
        number = _numbers[value] = next(_next_number)
    return _Scalar(value, number)


def of_value(value: Value) -> SymbolicDim:
    """The scalar that a value of the graph is."""
    return of_atom(_scalar(value))


def values_in(place: Dim) -> list[Value]:
    """The scalars of a place, as values of the graph."""
    if isinstance(place, int):
        return []
    atoms = [atom for product, _ in place.terms for atom in product]
    return list(dict.fromkeys([atom.value for atom in atoms if isinstance(atom, _Scalar)]))


def with_scalars(place: Dim, names: Mapping[Value, str]) -> Dim:
    """A place whose scalars have these names."""
    return substitute(place, {_scalar(value).text: named(name) for value, name in names.items()})


def as_fields(*groups: Sequence[Dim]) -> tuple[list[tuple[Place, ...]], list[Value]]:
    """Places as fields of an op, and the values of their scalars."""
    if any(place is UNKNOWN for group in groups for place in group):
        raise GraphError("a place is a sum of too many products to be written")
    scalars = list(dict.fromkeys(value for group in groups for place in group for value in values_in(place)))
    names = {value: f"s{number}" for number, value in enumerate(scalars)}
    named_groups = [[with_scalars(place, names) for place in group] for group in groups]
    return [
        tuple([place if isinstance(place, int) else str(place) for place in g]) for g in named_groups
    ], scalars
