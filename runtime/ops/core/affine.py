"""Affine expressions: how the place of an element is computed from the place where it shall stand.

They are sums of multiples of the indices ``i0``, ``i1``, …, one for each axis of a result, and of the scalars
``s0``, ``s1``, … that an op has as inputs; a scalar may also be a factor: ``s0 - 2*i1``, ``s1 + s2*i0``.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from functools import cache
from typing import TypeAlias

from runtime.errors import GraphError
from runtime.graph.graph import Value

__all__ = ["Affine", "Terms", "Variable", "count_scalars", "parse"]

Variable: TypeAlias = "str | Value"
"""An index or a scalar by name; while an op is being made, a scalar as the value that it will be."""

Terms: TypeAlias = "int | str"
"""An affine expression as a field of an op: a number, or its text."""


class Affine:
    """A sum of products of variables: ``{("i0",): 2, (): 5}`` is ``2*i0 + 5``."""

    __slots__ = ("terms",)

    def __init__(self, terms: Mapping[tuple[Variable, ...], int]) -> None:
        self.terms = {variables: factor for variables, factor in terms.items() if factor}

    @classmethod
    def of(cls, value: Affine | int) -> Affine:
        """A number as an affine expression, or one as it is."""
        return value if isinstance(value, Affine) else cls({(): value})

    def __add__(self, other: Affine | int) -> Affine:
        terms = dict(self.terms)
        for variables, factor in Affine.of(other).terms.items():
            terms[variables] = terms.get(variables, 0) + factor
        return Affine(terms)

    def __mul__(self, other: Affine | int) -> Affine:
        terms: dict[tuple[Variable, ...], int] = {}
        for left, factor in self.terms.items():
            for right, times in Affine.of(other).terms.items():
                key = tuple(sorted(left + right, key=str))
                terms[key] = terms.get(key, 0) + factor * times
        return Affine(terms)

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        return self + -Affine.of(other)

    def __rsub__(self, other: Affine | int) -> Affine:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Affine) and self.terms == other.terms

    def __hash__(self) -> int:
        return hash(frozenset(self.terms.items()))

    @property
    def variables(self) -> frozenset[Variable]:
        """The indices and scalars that occur."""
        return frozenset(name for variables in self.terms for name in variables)

    @property
    def values(self) -> list[Value]:
        """The scalars that are values of a graph still."""
        return [each for variables in self.terms for each in variables if isinstance(each, Value)]

    @property
    def number(self) -> int | None:
        """Its value, where it has no variables."""
        return None if self.variables else self.terms.get((), 0)

    @property
    def flat(self) -> tuple[tuple[int, tuple[int, ...], int | None], ...]:
        """Its terms as plain numbers: the factor, which scalars, and which index, if any."""
        terms = []
        for variables, factor in self.terms.items():
            names = [str(name) for name in variables]
            scalars = tuple([int(name[1:]) for name in names if name[0] == "s"])
            of_index = [int(name[1:]) for name in names if name[0] == "i"]
            if len(of_index) > 1:
                raise GraphError(f"`{self}` is not affine", why="It is a product of indices.")
            terms.append((factor, scalars, of_index[0] if of_index else None))
        return tuple(terms)

    def renamed(self, names: Mapping[Variable, str]) -> Affine:
        """The expression with other names for some variables."""
        return Affine(
            {
                tuple(sorted([names.get(name, name) for name in variables], key=str)): factor
                for variables, factor in self.terms.items()
            }
        )

    def as_field(self) -> Terms:
        """It as a field of an op: what is added first, a number last."""
        number = self.number
        if number is not None:
            return number
        ordered = sorted(self.terms.items(), key=lambda term: (not term[0], term[1] < 0, str(term[0])))
        text = ""
        for variables, factor in ordered:
            size = "*".join(
                [*([str(abs(factor))] if abs(factor) != 1 or not variables else []), *map(str, variables)]
            )
            sign = "-" if factor < 0 else "+"
            text += f" {sign} {size}" if text else ("-" if factor < 0 else "") + size
        return text

    def __repr__(self) -> str:
        return str(self.as_field())


@cache
def parse(field: Terms) -> Affine:
    """The expression that a field stands for.

    >>> parse("s0 - i0 - 1").terms[("i0",)]
    -1

    Raises
    ------
    GraphError
        When the text is none.
    """
    if isinstance(field, int):
        return Affine.of(field)
    try:
        return _read(ast.parse(field, mode="eval").body)
    except SyntaxError:
        return _refuse(field)


def _read(tree: ast.expr) -> Affine:
    match tree:
        case ast.Constant(int() as value):
            return Affine.of(value)
        case ast.Name(name) if name[:1] in {"i", "s"} and name[1:].isdecimal():
            return Affine({(name,): 1})
        case ast.UnaryOp(ast.USub(), one):
            return -_read(one)
        case ast.BinOp(left, ast.Add(), right):
            return _read(left) + _read(right)
        case ast.BinOp(left, ast.Sub(), right):
            return _read(left) - _read(right)
        case ast.BinOp(left, ast.Mult(), right):
            return _read(left) * _read(right)
    return _refuse(ast.unparse(tree))


def _refuse(text: str) -> Affine:
    raise GraphError(
        f"{text!r} is no affine expression",
        why="It is a sum of multiples of indices i0, i1, … and scalars s0, s1, …",
        way_out="Write it like `s0 - 2*i1`.",
    )


def count_scalars(fields: Sequence[Terms]) -> int:
    """How many scalars affine expressions have between them."""
    return len({name for field in fields for name in parse(field).variables if str(name).startswith("s")})
