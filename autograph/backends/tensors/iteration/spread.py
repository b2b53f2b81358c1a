"""`f(*items)` where the number of items is known only when the graph runs.

What a function takes one by one is taken from them, and the rest is its `*args`. A builtin gets a list.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from functools import partial
from itertools import chain
from types import FunctionType, MethodType
from typing import Any

from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.backends.tensors.iteration.items import Items
from autograph.backends.tensors.iteration.once import Once
from autograph.staging.context import staging
from autograph.staging.operators import holds_operators
from autograph.staging.stand_ins import written
from autograph.staging.twins import in_python
from runtime import ops
from runtime.errors import NoConcreteValue

__all__ = ["Columns", "Spread", "spread", "spread_call", "together"]

Call = Callable[[Any, tuple[Any, ...], dict[str, Any]], Any]


class Spread(StagedTuple):
    """Arguments that stand where one stands, as many as a tensor decides.

    Attributes
    ----------
    is_bound : bool
        Whether they are what a function takes as its `*args`.
    """

    is_bound = False


def spread(items: StagedTuple) -> tuple[Spread]:
    """What stands for the items among arguments."""
    staging.chosen = True  # calls ask whether there is such a one
    return (Spread(items.contents),)


def spread_call(callee: Any, args: tuple[Any, ...], kwargs: dict[str, Any], call: Call) -> Any:
    """The call with such arguments; `NotImplemented` where there are none.

    Parameters
    ----------
    callee : callable
    args : tuple
    kwargs : dict
    call : callable
        ``call(callee, args, kwargs)`` of what is known to be taken.
    """
    first = next((at for at, each in enumerate(args) if isinstance(each, Spread) and not each.is_bound), None)
    if first is None or isinstance(callee, partial):  # whose own arguments come before
        return NotImplemented
    before, parts = args[:first], args[first:]
    if callee is print:
        groups = tuple([StagedList(each.contents) if isinstance(each, Spread) else [each] for each in args])
        return _twin("printed")(groups, **kwargs)
    if callee is max or callee is min:
        return _twin("best_of")(callee, callee.__name__, together(*args), **kwargs)
    if (callee is math.gcd or callee is math.lcm) and not kwargs:
        return _twin("folded")(callee, callee(), together(*args))
    if callee is zip and not before:
        rows = together(*args)
        if rows.contents.is_unknown:  # no row was ever put in
            return zip(strict=False)
        is_strict = kwargs.get("strict", False) is not False  # then items come, and an error behind them
        width = _twin("shortest")(rows) if _have_lengths(rows) and not is_strict else _width(rows)
        if width is not None:
            return Columns(rows, width)
    if callee is chain:
        return call(chain.from_iterable, (together(*args),), {})
    rest = together(*parts)
    function, is_bound = _function(callee)
    if function is None:
        own = None if isinstance(callee, type) else type(callee).__call__
        if type(own) is not FunctionType:
            raise _refusal(callee)
        function, is_bound = written(own), True
        callee = MethodType(function, callee)
    return call(callee, (*before, *_taken(callee, function, is_bound, len(before), kwargs, rest)), kwargs)


def together(*parts: Any) -> Any:
    """A list of arguments, in their order."""
    found: Any = []
    for part in parts:
        found = found + (StagedList(part.contents) if isinstance(part, Spread) else [part])
    return found


class Columns(Once):
    """What `zip(*rows)` gives: as many tuples as a row has items, or none where there is no row.

    Parameters
    ----------
    rows : StagedList
    width : int or Tensor
        How many items each row has, at least.
    """

    def __init__(self, rows: StagedList, width: Any) -> None:
        self._rows, self._width = rows, width
        super().__init__(lambda: ops.where(rows.length > 0, width, 0), self._column, "a `zip`")

    def rest(self) -> Items:
        """What is left: all columns are made before a loop that runs over them."""
        columns = _twin("columns")(self._rows, self._width)
        place = self.place
        return Items(self.length - place, lambda index: columns[place + index])

    def one_by_one(self, count: int) -> Items:
        """The columns for so many targets, which may be of different kinds."""
        if not isinstance(self._width, int):
            return self.rest()
        found = [_twin("column")(self._rows, at) for at in range(min(count, self._width))]
        missing = found[-1:] * (count - len(found))  # of which there is an error in the run
        return Items(self.length, [*found, *missing].__getitem__)

    def _column(self, index: Any) -> Any:
        if isinstance(index, int):
            return _twin("column")(self._rows, index)
        return _twin("columns")(self._rows, self._width)[index]


def _have_lengths(rows: StagedList) -> bool:
    """Whether the rows of a list are lists, tuples or arrays of lengths that only the run knows."""
    form = rows.contents.form
    if form.kind is not None:
        return issubclass(form.kind, StagedTuple)
    element = rows.contents.handles[0].spec.element
    return element is not None and len(element.shape) > 0 and not isinstance(element.shape[0], int)


def _width(rows: StagedList) -> int | None:
    """How many items each row of a list has; None where they are no rows."""
    form = rows.contents.form
    if form.kind is not None:
        return len(form.keys) if issubclass(form.kind, list | tuple) else None
    element = rows.contents.handles[0].spec.element
    shape = () if element is None else element.shape
    return shape[0] if shape and isinstance(shape[0], int) else None


def _function(callee: Any) -> tuple[FunctionType | None, bool]:
    """The function of Python's that takes the arguments, and whether it has its first one already."""
    if isinstance(callee, type):
        kind: Any = callee
        maker = kind.__init__ if kind.__new__ is object.__new__ else None
        return (written(maker), True) if type(maker) is FunctionType else (None, True)
    if type(callee) is MethodType:
        return (callee.__func__, True) if type(callee.__func__) is FunctionType else (None, True)
    return (callee, False) if type(callee) is FunctionType else (None, False)


def _taken(
    callee: Any, function: FunctionType, is_bound: bool, given: int, kwargs: Mapping[str, Any], rest: Any
) -> tuple[Any, ...]:
    """The arguments that a function takes of the rest: one by one, and what its `*args` get."""
    parameters = [*inspect.signature(function).parameters.values()]
    positional = [
        each for each in parameters if each.kind in {each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD}
    ]
    takes_more = any(each.kind is each.VAR_POSITIONAL for each in parameters)
    open_ones = positional[given + is_bound :]
    named = next((at for at, each in enumerate(open_ones) if each.name in kwargs), len(open_ones))
    wanted = open_ones[:named]
    says_how_many = not any(each.default is not each.empty for each in wanted)
    if not says_how_many or (takes_more and not _unpacks(function)):
        raise _refusal(callee)
    name = f"{function.__qualname__}()"
    missing = tuple([_missing(name, [each.name for each in wanted[count:]]) for count in range(len(wanted))])
    if wanted:
        _twin("at_least")(rest, missing)
    one_by_one = [rest[at] for at in range(len(wanted))]
    if takes_more:
        left = Spread(rest[len(wanted) :].contents)
        left.is_bound = True
        return (*one_by_one, left)
    count = len(positional)
    taken = f"{name} takes {count} positional argument{'' if count == 1 else 's'}"
    _twin("at_most")(rest, len(wanted), taken, given + is_bound)
    return tuple(one_by_one)


def _missing(name: str, names: list[str]) -> str:
    """What Python says where these were not given."""
    quoted = [f"'{each}'" for each in names]
    if len(quoted) == 1:
        return f"{name} missing 1 required positional argument: {quoted[0]}"
    last = f"{', '.join(quoted[:-1])}{',' if len(quoted) > 2 else ''} and {quoted[-1]}"
    return f"{name} missing {len(quoted)} required positional arguments: {last}"


def _unpacks(function: FunctionType) -> bool:
    """Whether the code of a function asks for what its `*args` stand for: a lambda has no place for that."""
    return function.__name__ != "<lambda>" and holds_operators(_converted(function))


def _twin(name: str) -> Callable[..., Any]:
    return _converted(in_python(name, "spreading"))


def _converted(function: FunctionType) -> Callable[..., Any]:
    stand_ins = staging.stand_ins
    found: Callable[..., Any] = function if stand_ins is None else stand_ins.backends.convert(function)
    return found


def _refusal(callee: Any) -> NoConcreteValue:
    name = getattr(callee, "__qualname__", type(callee).__name__)
    way_out = "Write a loop over the items, which calls it with two of them: `found = f(found, item)`."
    if isinstance(callee, FunctionType | MethodType):
        way_out = "Give it the items in one argument, as a list."
    elif callee is zip:
        way_out = "Take the columns by place: `[[row[k] for row in rows] for k in range(len(rows[0]))]`."
    return NoConcreteValue(
        f"{name}() is given as many arguments as a tensor decides",
        why="How a call fills the parameters depends on their number, and now the graph is traced.",
        way_out=way_out,
    )
