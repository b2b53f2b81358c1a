"""Stores of what is new or of what is there already: `y[j] = min(y[j], x)`, in the vectors of a loop.

LLVM makes one store with a mask of a choice between a number and the element that was read where it is
stored. Processors of AMD's without AVX-512 take twenty cycles for such a store, and two for a choice and a
store. A number that is frozen is no element that was read, for all that LLVM knows, and costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from runtime.core.dtypes import DType
from runtime.executors.native.language.elements_read import ElementsRead
from runtime.executors.native.language.loops import (
    Apply,
    Expression,
    For,
    Function,
    If,
    Rows,
    Set,
    Statement,
    Store,
    Variable,
    While,
)
from runtime.executors.native.language.walking import changed_in, changes_of, inside, kinds_in, parts_of

__all__ = ["has_masks", "stores_of_choices"]

_CHOOSING = frozenset({"select", "maximum", "minimum", "fmax", "fmin"})


def has_masks(dtype: DType) -> bool:
    """Whether processors have stores with a mask for such elements."""
    return dtype.itemsize in {4, 8} and not dtype.is_complex


def stores_of_choices(function: Function) -> frozenset[int]:
    """The stores of inner loops, by their identities, that choose what was read there, or another number.

    Where all turns share the element it is in a register, and LLVM has to know how it comes about.
    """
    return frozenset(
        [
            id(store)
            for loop in inside(function.body)
            if isinstance(loop, For) and kinds_in(loop.body).isdisjoint({For, While, Rows})
            for store in _in_turn(loop)
        ]
    )


def _in_turn(loop: For) -> Iterator[Store]:
    if Store not in kinds_in(loop.body):
        return
    turn = ElementsRead(frozenset(changed_in(loop.body)))
    choices: set[str] = set()
    for each in loop.body:
        turn.look(each)
        if isinstance(each, Store) and has_masks(each.array.dtype) and _is_choice(each.value, choices):
            place = turn.known(each.place)
            if place is not None and (each.array.name, place) in turn.read and _moves(place, loop.index):
                yield each
        turn.hear(each)
        choices = _choices_after(each, choices)


def _choices_after(statement: Statement, choices: set[str]) -> set[str]:
    if isinstance(statement, If):
        return choices | changes_of(statement)
    if isinstance(statement, Set) and _is_choice(statement.value, choices):
        return choices | {statement.variable.name}
    return choices - changes_of(statement)


def _is_choice(value: Expression, choices: set[str]) -> bool:
    if isinstance(value, Variable):
        return value.name in choices
    return isinstance(value, Apply) and value.function in _CHOOSING


def _moves(place: Expression, index: Variable) -> bool:
    return index in parts_of(place)
