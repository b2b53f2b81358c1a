"""What was done to a set, as values of the graph: the run does it again, and asks Python for the order.

The order of a set follows from all that was ever put in and taken out. A set to which elements were only
added has these in the order in which they came, and nothing else is to be known of it (`AsPutIn`). Where a
program wants the order of another one, the trace starts anew, and then sets have two lists more: what was
done, as numbers, and with which elements.

    found = set(xs)                 [SET, n]                                  x0, x1, …
    found.discard(y)                [SET, n, DISCARD]                         x0, x1, …, y
    found & other                   [SET, n, DISCARD, SET, m, AND]            x0, x1, …, y, those of `other`

The numbers are steps of a machine with a stack, so what was done to two sets, one behind the other, is what
was done to what a method makes of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from itertools import islice
from typing import Any, NoReturn

import numpy as np

from autograph.backends.tensors.containers.elements import AsPutIn, Elements, Replayed, plain
from autograph.backends.tensors.containers.lists import StagedList
from autograph.backends.tensors.containers.other_names import other_names
from runtime.core.dtypes import as_dtype
from runtime.core.spec import ArraySpec, as_shape
from runtime.core.structure import LEAF, flatten
from runtime.errors import NoConcreteValue
from runtime.ops.control_flow import ABSENT
from runtime.ops.host import Given, givens, recorded
from runtime.ops.raising import Nest

__all__ = ["Step", "history_of", "made_of", "place_of_popped", "places_in_order", "shown_in_order", "then"]


class Step(IntEnum):
    """A step that makes a set, or does something to the one that is on top of the stack."""

    SET = 0
    """A set of the next elements, put in one after the other; how many there are is the next number."""
    DICT = 1
    """A dict with the next elements as keys."""
    LIST = 2
    """A list of the next elements."""
    ADD = 3
    DISCARD = 4
    POP = 5
    COPY = 6
    UPDATE = 7
    AND = 8
    SUB = 9
    XOR = 10
    AND_IN_PLACE = 11
    SUB_IN_PLACE = 12
    XOR_IN_PLACE = 13


def made_of(step: Step, elements: Elements) -> Replayed:
    """Elements that were put into a new set or list in this order."""
    elements = plain(elements)
    return Replayed(elements, Elements.of([int(step), elements.length]), elements)


def history_of(contents: Elements) -> Replayed | None:
    """What was done to a set, where that is known, and where this trace keeps it."""
    if isinstance(contents, Replayed):
        return contents
    if not (isinstance(contents, AsPutIn) and other_names().replays_sets):
        return None
    if ABSENT in contents.handles:
        absent = Elements(LEAF, [ABSENT])
        return Replayed(plain(contents), absent, Elements(contents.form, contents.handles))
    return made_of(Step.SET, contents)


def then(
    history: Replayed, step: Step, elements: Elements, *, key: Any = None, other: Replayed | None = None
) -> Replayed:
    """What a set is, with these elements, after one step more; with an element, or with another operand."""
    steps, keys = history.steps, history.keys
    if other is not None:
        steps, keys = steps.joined(other.steps), keys.joined(other.keys)
    if step is Step.ADD or step is Step.DISCARD:
        keys = keys.appended(key)
    return Replayed(plain(elements), steps.appended(int(step)), keys)


# ── in the run ──


def places_in_order(history: Replayed) -> Any:
    """Where the elements of a set are among those that the graph has, in the order of Python's set."""
    return recorded(_places_in_order, _lists_of(history), {}, _PLACES)


def place_of_popped(history: Replayed) -> Any:
    """The place of the element that Python takes out next."""
    return recorded(_place_of_popped, _lists_of(history), {}, givens(int))


def shown_in_order(history: Replayed) -> Any:
    """The text of a set."""
    return recorded(_shown, _lists_of(history), {}, givens(str))


def _lists_of(history: Replayed) -> tuple[StagedList, ...]:
    return tuple(StagedList(each) for each in (plain(history), history.steps, history.keys))


def _places_in_order(elements: Sequence[Any], steps: Iterable[int], keys: Iterable[Any]) -> Any:
    places = {element: place for place, element in enumerate(elements)}
    found = [places.get(element, -1) for element in _done_again(steps, keys)]
    if -1 in found or len(found) != len(elements):
        _refuse_nan()
    return np.array(found, np.int64)


def _place_of_popped(elements: Sequence[Any], steps: Iterable[int], keys: Iterable[Any]) -> int:
    popped = _done_again(steps, keys).pop()
    place = next((place for place, element in enumerate(elements) if element == popped), -1)
    if place == -1:
        _refuse_nan()
    return place


def _shown(elements: Sequence[Any], steps: Iterable[int], keys: Iterable[Any]) -> str:
    del elements
    return repr(_done_again(steps, keys))


def _done_again(steps: Iterable[int], keys: Iterable[Any]) -> set[Any]:
    """The set of Python's that comes of these steps."""
    numbers, rest = iter([int(step) for step in steps]), iter(keys)
    stack: list[Any] = []
    for step in numbers:
        if step in _MAKING:
            stack.append(_MAKING[step]([*islice(rest, next(numbers))]))
        elif step == Step.ADD:
            stack[-1].add(next(rest))
        elif step == Step.DISCARD:
            stack[-1].discard(next(rest))
        elif step == Step.POP:
            stack[-1].pop()
        elif step == Step.COPY:
            stack.append(stack.pop().copy())
        else:
            other = stack.pop()
            found = _OF_TWO[step](stack[-1], other)
            if found is not None:
                stack[-1] = found
    (found,) = stack
    return found  # type: ignore[no-any-return]  # a set is what a set is made of


_MAKING: dict[int, Callable[[list[Any]], Any]] = {
    Step.SET: set,
    Step.DICT: dict.fromkeys,
    Step.LIST: list,
}

_OF_TWO: dict[int, Callable[[set[Any], Any], set[Any] | None]] = {
    Step.UPDATE: set.update,
    Step.AND: set.intersection,
    Step.SUB: set.difference,
    Step.XOR: set.symmetric_difference,
    Step.AND_IN_PLACE: set.intersection_update,
    Step.SUB_IN_PLACE: set.difference_update,
    Step.XOR_IN_PLACE: set.symmetric_difference_update,
}

_PLACES = Nest(flatten(0)[1], (Given(ArraySpec(as_shape([None]), as_dtype(np.int64))),))


def _refuse_nan() -> NoReturn:
    raise NoConcreteValue(
        "a loop runs over a set in which a NaN is",
        why="Python tells one NaN from another one by which object it is, and a graph has numbers.",
        way_out="Leave such out of it: `{x for x in xs if x == x}`.",
    )
