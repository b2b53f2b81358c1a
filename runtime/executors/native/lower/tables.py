"""Where an element lies in a list: a few are looked through, many are found by a hash table beside the list.

A list whose elements are asked for so has memory for a table (`Building.indexed`). Its first word says how
many elements are in the table, the second how many places it has but one, and then each place has the number
of an element, counted from 1, or 0. Who asks for an element puts those in that are not; who takes one out of
the list, or another into its place, says that none is. The table has at least twice as many places as the
list has room, and an element whose place is taken gets the next one that is free (linear probing).
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.core.dtypes import DType, bool_, int64
from runtime.executors.native.language.loops import (
    Apply,
    Call,
    Cast,
    Expression,
    For,
    Function,
    If,
    Load,
    Named,
    Number,
    Set,
    Statement,
    Store,
    Variable,
    While,
    add,
    multiply,
)
from runtime.executors.native.lower.building import TABLE_HEAD
from runtime.executors.native.lower.lowering import Lowering, lowers
from runtime.executors.native.lower.values import Growing, Lowered, Scalar
from runtime.graph.graph import Node
from runtime.ops.tensor_list import TensorListPlace

_FEW = 8
"""Elements up to which a list is looked through."""
_MIXED = -7046029254386353131  # 2**64 over the golden ratio: Knuth's multiplicative hashing


@lowers(TensorListPlace)
def _placed(lowering: Lowering, node: Node) -> Sequence[Lowered]:
    assert isinstance(node.op, TensorListPlace), "it lowers these"
    count = node.op.columns
    columns = [lowering.values[value] for value in node.inputs[:count]]
    lists = [each for each in columns if isinstance(each, Growing)]
    parts = [lowering.name(lowering.scalar(value)) for value in node.inputs[count:]]
    dtypes = [part.dtype for part in parts]
    assert lists[0].index is not None, "its dtype is among those that are asked for"
    found = lowering.variable(int64, "place")
    arrays = [each.array for each in lists]
    arguments = (*arrays, lists[0].index, lists[0].length, *parts)
    lowering.emit(Call(_function(lowering, dtypes), arguments, (found,)))
    return [Scalar(found)]


def _function(lowering: Lowering, dtypes: Sequence[DType]) -> str:
    """The name of the function that looks for elements of such parts, which the program has once."""
    name = "place_of_" + "_".join(dtype.short for dtype in dtypes)
    program = lowering.shared.program
    if all(each.name != name for each in program.functions):
        program.functions.append(_Looking(lowering, dtypes).function(name))
    return name


class _Looking:
    """The function in the making."""

    def __init__(self, lowering: Lowering, dtypes: Sequence[DType]) -> None:
        self._lowering = lowering
        self._arrays = [lowering.array(dtype, "l") for dtype in dtypes]
        self._parts = [lowering.variable(dtype, "key") for dtype in dtypes]
        self._index, self._length = lowering.array(int64, "table"), self._variable("n")
        self._found, self._slot, self._mask = (self._variable(stem) for stem in ("place", "slot", "mask"))

    def function(self, name: str) -> Function:
        is_few = Apply("less_equal", (self._length, Number(_FEW, int64)), bool_)
        body: list[Statement] = [
            Set(self._found, self._length),
            If(is_few, self._by_turns(), self._by_table()),
        ]
        parameters: list[Named] = [*self._arrays, self._index, self._length, *self._parts]
        return Function(name, parameters, body, [self._found])

    def _by_turns(self) -> list[Statement]:
        place = self._variable("i")
        step = If(
            self._is_at(place),
            [Set(self._found, place), Set(place, self._length)],
            [Set(place, add(place, 1))],
        )
        going = Apply("less", (place, self._length), bool_)
        return [Set(place, Number(0, int64)), While([], going, [step])]

    def _by_table(self) -> list[Statement]:
        held, number, empty = self._variable("held"), self._variable("number"), self._variable("i")
        clear = [Store(self._index, add(empty, TABLE_HEAD), Number(0, int64))]
        none_held = Apply("equal", (held, Number(0, int64)), bool_)
        to_come = [
            *self._begin([Load(array, held) for array in self._arrays]),
            While([], _is_something(self._at_slot), self._next()),
            Set(held, add(held, 1)),
            Store(self._index, add(self._slot, TABLE_HEAD), held),
        ]
        is_it = [Set(self._found, add(number, -1)), Set(number, Number(0, int64))]
        is_other = [*self._next(), Set(number, self._at_slot)]
        return [
            Set(held, Load(self._index, Number(0, int64))),
            Set(self._mask, Load(self._index, Number(1, int64))),
            If(none_held, [For(empty, add(self._mask, 1), clear)], [], is_rare=True),
            While([], Apply("less", (held, self._length), bool_), to_come),
            Store(self._index, Number(0, int64), self._length),
            *self._begin(self._parts),
            Set(number, self._at_slot),
            While([], _is_something(number), [If(self._is_at(add(number, -1)), is_it, is_other)]),
        ]

    def _begin(self, parts: Sequence[Expression]) -> list[Statement]:
        """Goes to the place where an element of such parts is looked for first."""
        folded = Apply("bitwise_xor", (self._slot, _shifted(self._slot)), int64)
        found: list[Statement] = []
        before: Expression = Number(0, int64)
        for part in parts:  # by statements: one expression would be twice as large for each part
            found += [
                Set(self._slot, Apply("bitwise_xor", (before, _as_whole(part)), int64)),
                Set(self._slot, multiply(_MIXED, folded)),
            ]
            before = self._slot
        return [*found, Set(self._slot, self._masked(folded))]

    def _next(self) -> list[Statement]:
        return [Set(self._slot, self._masked(add(self._slot, 1)))]

    def _masked(self, place: Expression) -> Expression:
        return Apply("bitwise_and", (place, self._mask), int64)

    @property
    def _at_slot(self) -> Expression:
        return Load(self._index, add(self._slot, TABLE_HEAD))

    def _is_at(self, place: Expression) -> Expression:
        """Whether the element is at a place of the list."""
        holds = [
            Apply("equal", (Load(array, place), part), bool_)
            for array, part in zip(self._arrays, self._parts, strict=True)
        ]
        found = holds[0]
        for each in holds[1:]:
            found = Apply("logical_and", (found, each), bool_)
        return found

    def _variable(self, stem: str) -> Variable:
        return self._lowering.variable(int64, stem)


def _as_whole(part: Expression) -> Expression:
    """A whole number, the same for parts that are equal: -0.0 is 0.0."""
    if not part.dtype.is_floating:
        return Cast(part, int64)
    return Apply("bits", (Apply("add", (part, Number(0.0, part.dtype)), part.dtype),), int64)


def _shifted(number: Expression) -> Expression:
    return Apply("right_shift", (number, Number(32, int64)), int64)


def _is_something(number: Expression) -> Expression:
    return Apply("not_equal", (number, Number(0, int64)), bool_)
