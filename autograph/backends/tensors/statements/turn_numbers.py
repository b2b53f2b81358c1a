"""Python numbers that differ from turn to turn of a rolled loop (induction variables), computed exactly.

While the body of a rolled loop is traced, once for all turns, a number that each turn has another one of
stands for all of them. Python computes with it turn by turn, so what comes out is what Python computes: no
integer wraps around, and no float is rounded otherwise. Most of these numbers go up by the same step, and are
kept as `a * i + b`.

A value of the graph becomes of it where it meets a tensor. Whoever wants it for anything else, a key of a
dict or the length of a list, gets a `GiveUp`: the loop is unrolled then.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, NoReturn, TypeAlias

import numpy as np

from autograph.backends.tensors.statements.truths import OnlyTruth
from autograph.backends.tensors.statements.turn_tables import circle_of, steps_of
from autograph.backends.tensors.statements.turns import DIFFERS, Change, GiveUp, Turns
from autograph.staging.context import staging
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.structure import flatten
from runtime.core.tensor import Operators, Tensor
from runtime.errors import StateDisagrees
from runtime.graph.build import current_builder, outside_graphs, value_in
from runtime.graph.symbol import Symbol

__all__ = [
    "Guess",
    "TurnNumber",
    "TurnTruth",
    "applied",
    "are_integers",
    "begin_turn",
    "by_turn",
    "counted",
    "holds_number",
    "may_be_zero",
    "number_at",
    "same_number",
    "with_tensors",
]

Number: TypeAlias = bool | int | float | complex
NUMBERS = frozenset({bool, int, float, complex})
MOST_TABLED = 1 << 20
"""Turns for each of which Python computes a number."""
LARGEST = (1 << 62) - 1
"""Integers up to which neither they nor a sum of two of them wrap around in the graph."""


@called("int")
class TurnNumber(Operators):
    """A number of Python's that is another one in every turn.

    Parameters
    ----------
    terms : dict of Turns to int
        Of the sum of `a * item`, by the loop.
    base : int
        What is added to it.
    table : sequence of number
        The numbers by turn, of one class, in the place of the sum: of one loop.
    """

    __slots__ = ("ag__base", "ag__table", "ag__terms")
    __array_ufunc__ = None

    def __init__(self, terms: dict[Turns, int], base: int, table: Sequence[Number] | None = None) -> None:
        self.ag__terms = terms
        self.ag__base = base
        self.ag__table = table

    @property
    def ag__values(self) -> Sequence[Number]:
        """The number in each turn."""
        if self.ag__table is not None:
            return self.ag__table
        if len(self.ag__terms) != 1:
            raise GiveUp("numbers of two loops meet in other ways than in a sum")
        ((turns, factor),) = self.ag__terms.items()
        items = turns.items
        return range(
            factor * items.start + self.ag__base, factor * items.stop + self.ag__base, factor * items.step
        )[: len(items)]

    @property
    def ag__turns(self) -> set[Turns]:
        """The loops in whose turns it differs."""
        return set(self.ag__terms)

    @property
    def ag__kind(self) -> type:
        """The class of the number."""
        return int if self.ag__table is None else type(self.ag__table[0])

    @property
    def ag__bounds(self) -> tuple[Any, Any]:
        """The smallest and the largest of a sum."""
        ends = [
            sorted((factor * turns.items[0], factor * turns.items[-1]))
            for turns, factor in self.ag__terms.items()
        ]
        return self.ag__base + sum(low for low, _ in ends), self.ag__base + sum(high for _, high in ends)

    def ag__fits(self, low: int, high: int) -> bool:
        """Whether it is an integer from `low` to `high` in every turn."""
        if self.ag__table is None:
            least, most = self.ag__bounds
            return bool(low <= least and most <= high)
        return all(isinstance(each, int) and low <= each <= high for each in self.ag__table)

    def ag__follows(self, left: Any) -> bool:
        """Whether each turn starts with the number that the turn before has left."""
        if (
            not isinstance(left, TurnNumber)
            or self.ag__turns != left.ag__turns
            or self.ag__kind is not left.ag__kind
        ):
            return False
        if self.ag__table is None and left.ag__table is None:
            steps = sum(factor * turns.items.step for turns, factor in self.ag__terms.items())
            return self.ag__terms == left.ag__terms and self.ag__base + steps == left.ag__base
        starts, ends = self.ag__values[1:], left.ag__values[:-1]
        return all(same_number(one, other) for one, other in zip(starts, ends, strict=True))

    # ── in the graph ──

    def __tensor__(self) -> Tensor:
        """The number as a tensor that stands for a number of Python's."""
        builder = current_builder()
        if builder is None:
            raise GiveUp("a number of the loop is wanted outside of its graph")
        tensor: Any = self.ag__sum() if self.ag__table is None else self.ag__looked_up(self.ag__table)
        builder.context.weak.add(tensor.value)
        for turns in self.ag__terms:
            turns.shown[tensor.value] = self
        return tensor  # type: ignore[no-any-return]  # a symbol: a graph is being built

    def ag__sum(self) -> Any:
        if not self.ag__fits(-LARGEST, LARGEST):
            raise GiveUp("an integer is too large for a graph")
        total: Any = None
        for turns, factor in self.ag__terms.items():
            term: Any = Symbol(_counter(turns).value)
            term = term if factor == 1 else term * factor
            total = term if total is None else total + term
        return total if self.ag__base == 0 else total + self.ag__base

    def ag__looked_up(self, table: Sequence[Number]) -> Any:
        (turns,) = self.ag__terms
        if self.ag__kind is int and not self.ag__fits(-LARGEST, LARGEST):
            raise GiveUp("an integer is too large for a graph")
        items = turns.items
        place: Any = TurnNumber({turns: 1}, -items.start).__tensor__()
        if items.step != 1:
            place = place // items.step
        numbers = np.asarray(table)
        steps = steps_of(numbers)
        found: Any = int(numbers[0])
        if steps is None:
            circle = circle_of(numbers)
            if circle is None:
                return ops.take(numbers, place, axis=0)
            step, around = circle
            return (place * step + found) % around
        length, by_step, within = steps
        for divide, factor in ((operator.floordiv, by_step), (operator.mod, within)):
            if factor:
                part = divide(place, length)
                found = (part if factor == 1 else part * factor) + found
        return found

    # ── as Python computes ──

    def __bool__(self) -> bool:
        found = self.ag__truth()
        if type(found) is not bool:
            raise GiveUp(DIFFERS, self.ag__change)
        return found

    @property
    def ag__change(self) -> Change | None:
        """Where turns begin in which it is true and was not before, or the reverse, if that is known."""
        if isinstance(self, Guess) or len(self.ag__terms) != 1:
            return None
        (turns,) = self.ag__terms
        first = bool(self.ag__values[0])
        return next(((turns, turn) for turn, each in enumerate(self.ag__values) if bool(each) != first), None)

    def ag__truth(self) -> Any:
        """Whether it is true: a bool of Python's if it is so in all turns, else a tensor."""
        if self.ag__kind is bool:
            return self.__tensor__()
        found: Any = self != 0
        return found.__tensor__() if isinstance(found, TurnNumber) else found

    def __add__(self, other: Any) -> Any:
        return _summed(self, other, 1)

    def __radd__(self, other: Any) -> Any:
        return _summed(self, other, 1)

    def __sub__(self, other: Any) -> Any:
        return _summed(self, other, -1)

    def __rsub__(self, other: Any) -> Any:
        if type(other) not in NUMBERS:
            return _with_array(other, self)
        return applied(operator.sub, other, self) if _is_float(self, other) else _summed(-self, other, 1)

    def __mul__(self, other: Any) -> Any:
        if type(other) is int and self.ag__table is None:
            return _of_sum(
                {turns: factor * other for turns, factor in self.ag__terms.items()}, self.ag__base * other
            )
        return _binary(operator.mul, self, other)

    def __rmul__(self, other: Any) -> Any:
        return self * other if type(other) is int else _binary(operator.mul, other, self)

    def __neg__(self) -> Any:
        return self * -1 if self.ag__table is None else applied(operator.neg, self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return applied(abs, self)

    def __invert__(self) -> Any:
        return applied(operator.invert, self)

    def __round__(self, digits: Any = None) -> Any:
        return applied(round, self) if digits is None else applied(round, self, digits)

    def __divmod__(self, other: Any) -> Any:
        return self // other, self % other

    def __rdivmod__(self, other: Any) -> Any:
        return other // self, other % self

    def __hash__(self) -> int:
        raise GiveUp("a number of the loop is a key of a dict or an item of a set")

    def ag__wanted(self, *_: Any) -> NoReturn:
        raise GiveUp("a number of the loop is wanted as one number of Python's")

    __index__ = __int__ = __float__ = __complex__ = __array__ = ag__wanted
    __deepcopy__ = __copy__ = __reduce_ex__ = __reduce__ = ag__wanted
    __str__ = __repr__ = __format__ = ag__wanted

    def __getattribute__(self, name: str) -> Any:
        if name in _OF_NUMBERS:
            raise GiveUp(f"a number of the loop is asked for its `{name}`")
        return object.__getattribute__(self, name)


@called("int")
class Guess(TurnNumber):
    """A number that enters the turns of a loop as nobody knows yet: how it comes about is what is looked for.

    Parameters
    ----------
    turns : Turns
    sample : number
        What it is in the first of the turns.
    found : callable
        ``found(turn, entering)`` says what it is in a turn, given its number and what guesses it is entered
        with.
    """

    __slots__ = ("ag__found", "ag__latest")

    def __init__(self, turns: Turns, sample: Number, found: Callable[[int, Sequence[Any]], Any]) -> None:
        super().__init__({turns: 1}, 0, [sample])
        self.ag__found = found
        self.ag__latest: tuple[Any, Any] = None, None
        """What entered the turn that was asked for last, and what it is in that: others are made of it."""

    @property
    def ag__sample(self) -> Any:
        """What it is in the first of the turns."""
        return self.ag__table[0] if self.ag__table is not None else None

    def ag__tensor(self) -> Tensor:
        """A tensor of its kind: this trace is not kept."""
        builder = current_builder()
        if builder is None:
            raise GiveUp("a number of the loop is wanted outside of its graph")
        dtype = builder.defaults.of(self.ag__sample)
        with outside_graphs():
            number = Tensor(np.asarray(self.ag__sample, dtype.numpy))
        symbol = Symbol(value_in(builder, number))
        builder.context.weak.add(symbol.value)
        return symbol

    __tensor__ = ag__tensor

    def ag__truth(self) -> Any:
        """As the first of the turns says: this trace is not kept."""
        said = bool(self.ag__sample)
        for turns in self.ag__terms:
            turns.asked += 1
            turns.decided.append((self, said))
        return said


@called("bool")
class TurnTruth(OnlyTruth):
    """A truth that numbers of a rolled loop decide otherwise in some turns: all that it may do is choose.

    Parameters
    ----------
    truth : Tensor of one bool
    change : (Turns, int), optional
        Where turns begin that decide otherwise, if that is known.
    """

    __slots__ = ("change",)

    def __init__(self, truth: Any, change: Change | None = None) -> None:
        super().__init__(truth, StateDisagrees(DIFFERS))
        self.change = change

    def __tensor__(self) -> NoReturn:
        raise GiveUp(DIFFERS, self.change)

    __bool__ = __tensor__


class _Computed(TurnNumber):
    """What Python makes of other numbers in each turn: the graph may do the same, and look up nothing.

    Parameters
    ----------
    function : callable
        Python's operator.
    operands : tuple of number
    found : TurnNumber
        What it gives, turn by turn.
    """

    __slots__ = ("ag__function", "ag__operands")

    def __init__(self, function: Callable[..., Any], operands: tuple[Any, ...], found: TurnNumber) -> None:
        super().__init__(found.ag__terms, found.ag__base, found.ag__table)
        self.ag__function = function
        self.ag__operands = operands

    def ag__in_graph(self) -> Any:
        """What the graph makes of them."""
        return self.ag__function(*map(with_tensors, self.ag__operands))


class Compared(_Computed):
    """What a comparison of two numbers says in each turn: the graph compares integers."""

    __slots__ = ()

    def __tensor__(self) -> Tensor:
        if not are_integers(self.ag__operands):
            return super().__tensor__()
        tensor: Tensor = self.ag__in_graph()
        return tensor


class OfBits(_Computed):
    """What Python makes of the bits of integers in each turn: the graph does where it has room for them."""

    __slots__ = ()

    def ag__looked_up(self, table: Sequence[Number]) -> Any:
        if not all(_fits(each) for each in self.ag__operands):
            return super().ag__looked_up(table)
        return self.ag__in_graph()


def _fits(number: Any) -> bool:
    """Whether a graph has room for an integer in every turn."""
    return number.ag__fits(-LARGEST, LARGEST) if isinstance(number, TurnNumber) else abs(number) <= LARGEST


def are_integers(numbers: Iterable[Any]) -> bool:
    """Whether these are Python's integers, some of them perhaps others in every turn."""
    kinds = [each.ag__kind if isinstance(each, TurnNumber) else type(each) for each in numbers]
    return all(kind is int for kind in kinds)


def number_at(number: Any, turn: int, entering: Sequence[Any]) -> Any:
    """What a number is in a turn that guesses enter with these numbers: no other turn has the same object."""
    if isinstance(number, Guess):
        if number.ag__latest[0] is not entering:
            number.ag__latest = entering, number.ag__found(turn, entering)
        return number.ag__latest[1]
    return number.ag__values[turn] if isinstance(number, TurnNumber) else number


def _guessed(turns: Turns, function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """What Python computes of a guess: another guess."""

    def found(turn: int, entering: Sequence[Any]) -> Any:
        return function(*[number_at(each, turn, entering) for each in operands])

    samples = [each.ag__sample if isinstance(each, Guess) else number_at(each, 0, ()) for each in operands]
    try:
        sample = function(*samples)
    except Exception as error:
        raise GiveUp(f"a turn raises {type(error).__name__}") from error
    if type(sample) not in NUMBERS:
        raise GiveUp("the turns have objects of different kinds")
    return Guess(turns, sample, found)


def _binary(function: Callable[..., Any], left: Any, right: Any) -> Any:
    """What Python computes of two numbers; a tensor has operators of its own."""
    for one in (left, right):
        if type(one) not in NUMBERS and not isinstance(one, TurnNumber):
            return _with_array(left, right)
    return applied(function, left, right)


def _with_array(left: Any, right: Any) -> Any:
    if not isinstance(left, np.ndarray | np.generic) and not isinstance(right, np.ndarray | np.generic):
        return NotImplemented
    raise GiveUp("a number of the loop meets an array whose value is known")


def _operator(function: Callable[..., Any], *, reflected: bool = False) -> Callable[[Any, Any], Any]:
    def operate(self: TurnNumber, other: Any) -> Any:
        return _binary(function, other, self) if reflected else _binary(function, self, other)

    return operate


for _name in ("truediv", "floordiv", "mod", "pow", "lshift", "rshift"):
    setattr(TurnNumber, f"__{_name}__", _operator(getattr(operator, _name)))
    setattr(TurnNumber, f"__r{_name}__", _operator(getattr(operator, _name), reflected=True))
for _name in ("and_", "or_", "xor"):
    setattr(TurnNumber, f"__{_name.rstrip('_')}__", _operator(getattr(operator, _name)))
    setattr(TurnNumber, f"__r{_name.rstrip('_')}__", _operator(getattr(operator, _name), reflected=True))


def _comparison(function: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    def compare(self: TurnNumber, other: Any) -> Any:
        if type(other) is int and self.ag__table is None:
            low, high = self.ag__bounds
            if other < low or high < other:  # as all numbers compare with it
                return function(low, other)
        found = _binary(function, self, other)
        return Compared(function, (self, other), found) if type(found) is TurnNumber else found

    return compare


for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    setattr(TurnNumber, f"__{_name}__", _comparison(getattr(operator, _name)))


for _name in (
    "add",
    "sub",
    "mul",
    "truediv",
    "floordiv",
    "mod",
    "pow",
    "lshift",
    "rshift",
    "and",
    "or",
    "xor",
):
    setattr(TurnNumber, f"__i{_name}__", getattr(TurnNumber, f"__{_name}__"))
_OF_NUMBERS = frozenset(
    name for kind in (Operators, *NUMBERS) for name in dir(kind) if not hasattr(object, name)
) - frozenset(vars(TurnNumber))
"""What a number of Python's has, or a tensor, and this has not."""
for _name in _OF_NUMBERS & frozenset(dir(Operators)):  # Python looks for these in the class
    setattr(TurnNumber, _name, TurnNumber.ag__wanted)


def _is_float(one: Any, other: Any) -> bool:
    """Whether two numbers are not both integers that add up as sums."""
    kinds = [each.ag__kind if isinstance(each, TurnNumber) else type(each) for each in (one, other)]
    tables = any(isinstance(each, TurnNumber) and each.ag__table is not None for each in (one, other))
    return tables or kinds != [int, int]


def _summed(left: TurnNumber, right: Any, sign: int) -> Any:
    """`left + sign * right`."""
    if type(right) not in NUMBERS and not isinstance(right, TurnNumber):
        return _with_array(left, right)
    if _is_float(left, right):
        return applied(operator.add if sign == 1 else operator.sub, left, right)
    if not isinstance(right, TurnNumber):
        return TurnNumber(left.ag__terms, left.ag__base + sign * right)
    terms = dict(left.ag__terms)
    for turns, factor in right.ag__terms.items():
        terms[turns] = terms.get(turns, 0) + sign * factor
    return _of_sum(terms, left.ag__base + sign * right.ag__base)


def _of_sum(terms: dict[Turns, int], base: int) -> Any:
    """A sum, or the number that it is."""
    left = {turns: factor for turns, factor in terms.items() if factor}
    return TurnNumber(left, base) if left else base


def applied(function: Callable[..., Any], *operands: Any) -> Any:
    """What Python computes in each turn: one number where it is the same in all, otherwise one of these."""
    numbers = [each for each in operands if isinstance(each, TurnNumber)]
    loops = set[Turns]().union(*[each.ag__turns for each in numbers])
    if len(loops) != 1:
        return _of_two_loops(function, operands)
    (turns,) = loops
    if len(turns.items) > MOST_TABLED:
        raise GiveUp("there are too many turns to compute a number for each")
    if any(isinstance(each, Guess) for each in numbers):
        return _guessed(turns, function, operands)
    columns = [
        each.ag__values if isinstance(each, TurnNumber) else (each,) * len(turns.items) for each in operands
    ]
    try:
        found = by_turn(turns, [function(*row) for row in zip(*columns, strict=True)])
    except Exception as error:
        raise GiveUp(f"a turn raises {type(error).__name__}") from error
    is_table = type(found) is TurnNumber and found.ag__table is not None
    return OfBits(function, operands, found) if is_table and _are_bits(function, operands) else found


def _are_bits(function: Callable[..., Any], operands: Sequence[Any]) -> bool:
    return function in _OF_BITS and are_integers(operands)


def _of_two_loops(function: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """What the graph computes of numbers of several loops: as many numbers as pairs of turns are too many.

    An integer that leaves 64 bits raises there, and a turn that raises is an error of the run.
    """
    has_guess = any(isinstance(each, Guess) for each in operands)
    are_known = _meet_as_integers(function, operands) or _meet_as_floats(function, operands)
    if has_guess or not are_known:
        raise GiveUp("numbers of two loops meet in other ways than integers and floats do in the graph")
    found = function(*map(with_tensors, operands))
    return TurnTruth(found) if function in _COMPARISONS else found


def _meet_as_integers(function: Callable[..., Any], operands: Sequence[Any]) -> bool:
    return function in _OF_INTEGERS and are_integers(operands)


def _meet_as_floats(function: Callable[..., Any], operands: Sequence[Any]) -> bool:
    """Whether the graph computes of these what Python does with floats, bit by bit."""
    if function not in _OF_FLOATS or (function is not operator.truediv and are_integers(operands)):
        return False
    if not all(_is_exact_float(each) for each in operands):
        return False
    return function is not operator.truediv or not may_be_zero(operands[1])


def _is_exact_float(number: Any) -> bool:
    """Whether this is a float, or an integer that is one in float64."""
    if not isinstance(number, TurnNumber):
        return type(number) is float or (type(number) is int and abs(number) <= _EXACT)
    return number.ag__kind is float or number.ag__fits(-_EXACT, _EXACT)


def may_be_zero(number: Any) -> bool:
    """Whether a number is 0 in some turn, as far as is known."""
    if not isinstance(number, TurnNumber):
        return bool(number == 0)
    if number.ag__table is None and len(number.ag__terms) > 1:
        least, most = number.ag__bounds
        return bool(least <= 0 <= most)
    return 0 in number.ag__values


_EXACT = 1 << 53
"""Integers up to which float64 has each of them."""
_COMPARISONS = frozenset({operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne})
_OF_BITS = frozenset({operator.and_, operator.or_, operator.xor, operator.rshift})
"""What a graph makes of the bits of integers as Python does."""
_OF_INTEGERS = _COMPARISONS | frozenset(
    {operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, abs}
    | {operator.and_, operator.or_, operator.xor}
)
"""What a graph computes of two integers as Python does."""
_OF_FLOATS = _COMPARISONS | frozenset({operator.add, operator.sub, operator.mul, operator.truediv, abs})
"""What it computes of two floats as Python does, where an integer beside a float is one in float64."""


def by_turn(turns: Turns, values: Sequence[Any]) -> Any:
    """What has these values in the turns of a loop: the one object that all are, or a number."""
    first = values[0]
    if all(each is first for each in values):
        return first
    kind = type(first)
    if kind not in NUMBERS or any(type(each) is not kind for each in values):
        raise GiveUp("the turns have objects of different kinds")
    if all(same_number(each, first) for each in values):
        return first
    if kind is int:
        step = values[1] - first
        factor, rest = divmod(step, turns.items.step)
        if not rest and all(after - before == step for before, after in pairwise(values)):
            return TurnNumber({turns: factor}, first - factor * turns.items.start)
    return TurnNumber({turns: 1}, 0, values)


def same_number(one: Any, other: Any) -> bool:
    """Whether two numbers of Python's are the same in class and bits."""
    if type(one) is not type(other) or type(one) not in NUMBERS:
        return False
    if type(one) in {float, complex}:
        return np.asarray(one).tobytes() == np.asarray(other).tobytes()
    return bool(one == other)


def begin_turn(turns: Turns, counter: Any) -> None:
    """A turn is about to be traced, in which the loop counts with this tensor."""
    turns.counter = counter
    turns.decided = []
    turns.shown = {counter.value: counted(turns)}


def counted(turns: Turns) -> TurnNumber:
    """What a loop counts, as one number."""
    return TurnNumber({turns: 1}, 0)


def _counter(turns: Turns) -> Symbol:
    if turns.counter is None:
        raise GiveUp("a number of the loop is wanted outside of its graph")
    return turns.counter


def holds_number(*values: Any) -> bool:
    """Whether a number that differs from turn to turn is among values, or in containers of them."""
    return bool(staging.attempts) and any(isinstance(leaf, TurnNumber) for leaf in flatten(values)[0])


def with_tensors(value: Any) -> Any:
    """A number, an index, or the arguments of a call, with tensors for the numbers that differ by turn."""
    if not staging.attempts:
        return value
    if isinstance(value, TurnNumber):
        return value.__tensor__()
    if type(value) is tuple:
        return tuple([with_tensors(each) for each in value])
    if isinstance(value, slice):
        return slice(*[with_tensors(each) for each in (value.start, value.stop, value.step)])
    return value
