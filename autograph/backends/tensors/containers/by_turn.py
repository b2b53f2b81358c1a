"""Lists at an index that each turn of a rolled loop has another one of.

best[i] = best[i - 1] + x[i]       best is a list of the graph, in the place of one of many numbers
table[i][j] = 1                    so are table and its rows

A list of the graph has numbers of one dtype, and Python's keeps each as it is. So the loop is unrolled where
a list has numbers of several.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.becoming import are_many_numbers
from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.objects.objects import are_many
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.statements.turn_numbers import NUMBERS, TurnNumber, with_tensors
from autograph.backends.tensors.statements.turns import GiveUp
from runtime.core.dtypes import DType, as_dtype, float64, int64
from runtime.core.spec import ListSpec
from runtime.core.structure import Structure, flatten
from runtime.core.tensor import Tensor
from runtime.graph.build import current_defaults
from runtime.graph.symbol import Symbol
from runtime.ops.tensor_list import TensorArray
from runtime.variables import Variable

__all__ = ["index_by_turn", "may_be_of_graph"]


def may_be_of_graph(target: Any) -> bool:
    """Whether a list of the graph takes the place of one of Python's, where a tensor is an index into it."""
    return are_many(target) or are_many_numbers(target)


def index_by_turn(target: Any, index: Any, *values: Any) -> Any:
    """An index with numbers of a rolled loop, as one of tensors; `values` are put there.

    Raises
    ------
    GiveUp
        Where no tensor may be an index, or numbers of several kinds would meet.
    """
    if isinstance(target, Tensor | np.ndarray | Variable | TensorArray):
        return with_tensors(index)
    if not (isinstance(target, StagedTuple) or may_be_of_graph(target)):
        raise GiveUp(f"a number of the loop is an index into a {type(target).__name__}")
    kinds = {dtype for each in (target, *values) for dtype in _dtypes(each)}
    if len(kinds) > 1 and not (kinds <= _APART and other_names().has_infinity()):
        raise GiveUp("numbers of several kinds are in a list")
    return with_tensors(index)


_APART = frozenset({int64, float64})
"""The dtypes of numbers that stay what they are in a list with an infinity among integers."""


def _dtypes(value: Any) -> Iterator[DType | None]:
    """The dtypes of the numbers in a value, or in a list; None for anything but None that is in it."""
    if isinstance(value, StagedTuple):
        yield from _kinds_of(value.contents.form, iter(value.contents.handles))
    elif type(value) is list:
        for item in value:
            yield from _dtypes(item)
    elif isinstance(value, MaybeNone):
        yield from _dtypes(value.ag__value)
    elif value is not None:
        yield from map(_dtype_of, flatten(value)[0])


def _kinds_of(form: Structure, handles: Iterator[Any]) -> Iterator[DType | None]:
    """The dtypes of the columns of a list, but of those that say whether an element is None."""
    if form.kind is None:
        yield _dtype_of(next(handles))
        return
    if form.kind is MaybeNone:
        next(handles)
    for child in form.children[form.kind is MaybeNone :]:
        yield from _kinds_of(child, handles)


def _dtype_of(leaf: Any) -> DType | None:
    if isinstance(leaf, TurnNumber):
        return current_defaults().of(leaf.ag__kind())
    if isinstance(leaf, Symbol):
        spec: Any = leaf.spec
        while isinstance(spec, ListSpec):
            spec = spec.element
        return getattr(spec, "dtype", None)
    if type(leaf) in NUMBERS:
        return current_defaults().of(leaf)
    return as_dtype(leaf.dtype) if isinstance(leaf, np.generic | np.ndarray) else None
