"""The truth value of what decides a statement, and choices resolved where one object is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from operator import itemgetter
from typing import Any

from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import Staged, StagedTuple
from autograph.backends.tensors.iteration.items import Range
from autograph.backends.tensors.objects.choices import OneOf, each, over
from autograph.backends.tensors.statements.branches import stage_choice
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.truths import OnlyTruth
from autograph.backends.tensors.statements.turn_numbers import Guess, TurnNumber, TurnTruth
from autograph.backends.tensors.statements.turns import DIFFERS, GiveUp
from autograph.backends.tensors.text.strings import Text
from autograph.staging.backend import Thunk
from autograph.staging.context import staging
from autograph.staging.special_methods import truth
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.tensor import Tensor
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor, current_builder, is_symbolic, is_weak
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow.tracing import is_tensor
from runtime.variables import Variable

__all__ = [
    "choosing_by",
    "decided",
    "decided_by_turn",
    "decided_of_loop",
    "deciding_operand",
    "of_turns",
    "truth_of",
    "turn_operand",
    "with_each",
]


def of_turns(value: Any) -> TurnTruth | None:
    """The truth of a value that differs between turns of a rolled loop; None for all other values."""
    if isinstance(value, TurnNumber):
        found = value.ag__truth()
        return None if type(found) is bool else TurnTruth(found, value.ag__change)
    return value if isinstance(value, TurnTruth) else None


@contextmanager
def choosing_by(test: TurnTruth) -> Iterator[None]:
    """While a test chooses between two arms: who gives up learns from which turn on the test differs."""
    if test.change is not None:
        turns, alike = test.change
        turns.changes.add(alike)
    try:
        yield
    except GiveUp as signal:
        if signal.reason == DIFFERS and signal.change is None:
            signal.change = test.change
        raise


def decided_by_turn(value: Any) -> Any:
    """As `decided`, for callers that also take a truth which differs between turns of a rolled loop."""
    turns = of_turns(value)
    return decided(value) if turns is None else turns.truth


def decided_of_loop(value: Any) -> Any:
    """As `decided_by_turn`, for the test of a loop: by a guess, it may end in another turn each time."""
    return value.__tensor__() if isinstance(value, Guess) else decided_by_turn(value)


def turn_operand(test: TurnTruth, right: Thunk, *, ends_on: bool) -> TurnTruth:
    """Whether `left or right()`, or `left and right()`, is true, where turns decide otherwise by `left`."""

    def known() -> Any:
        return ends_on

    def other() -> Any:
        found = right()
        turns = of_turns(found)
        if turns is None:
            return truth_of(found)
        changes.append(turns.change)
        return turns.truth

    first, second = (known, other) if ends_on else (other, known)
    changes = [test.change]
    with choosing_by(test):
        chosen = stage_choice(test.truth, first, second)
    known_changes = [each for each in changes if each is not None]
    loops = {turns for turns, _ in known_changes}
    change = min(known_changes, key=itemgetter(1)) if len(loops) == 1 else test.change
    return TurnTruth(chosen, change)


def deciding_operand(test: Any, left: Any, right: Thunk, *, ends_on: bool) -> Any:
    """The operand that decides `left or right()`, which ends on a true one, or `left and right()`.

    ``left and False`` is false whatever the run finds, if `left` is a truth value itself. It is Python's
    `False` if that is one of Python's; else it may be one of NumPy's, and what it decides is known anyway.
    """
    outcomes: list[Any] = []

    def other() -> Any:
        outcomes.append(right())
        return outcomes[-1]

    chosen = _chosen_or_truth(test, left, other, ends_on)
    is_known = bool(outcomes) and outcomes[-1] is ends_on
    if not is_known or not isinstance(left, Tensor) or left.dtype is not bool_:
        return chosen
    if is_weak(left):
        return ends_on
    builder = current_builder()
    if builder is not None and type(chosen) is Symbol:
        builder.context.truths[chosen.value] = ends_on
    return chosen


def _chosen_or_truth(test: Any, left: Any, right: Thunk, ends_on: bool) -> Any:
    """The operand that is chosen; its truth alone, where the operands have no common form."""

    def arms(first: Thunk, second: Thunk) -> Any:
        return stage_choice(test, first, second) if ends_on else stage_choice(test, second, first)

    try:
        return arms(lambda: left, right)
    except StateDisagrees as error:
        return OnlyTruth(arms(lambda: ends_on, lambda: truth_of(right())), error)


def decided(value: Any) -> Any:
    """What says whether a value is true: a tensor where that shows at run time, otherwise the value."""
    if isinstance(value, StagedTuple | Staged):
        return value.length > 0
    if isinstance(value, Text):
        return value.items.length > 0
    if isinstance(value, MaybeNone) and isinstance(value.ag__value, Linked):
        truth_there = decided(value.ag__value)
        return value.ag__valid if truth_there is True else ops.logical_and(value.ag__valid, truth_there)
    if isinstance(value, MaybeNone):
        is_number = is_tensor(value.ag__value) and not isinstance(value.ag__value, _WITH_OWN_TRUTH)
        return value.ag__truth() if is_number else value.ag__either(truth_of)
    if isinstance(value, Linked):
        return decided(value.ag__truth())
    if isinstance(value, OneOf):
        return over((value,), truth_of)
    if isinstance(value, TurnTruth):
        raise GiveUp(DIFFERS, value.change)
    if isinstance(value, OnlyTruth):
        return value.truth
    if isinstance(value, MaybeUndefined):
        return decided(value.ag__present())
    if isinstance(value, TurnNumber):
        return bool(value)
    if type(value) is Symbol:
        builder = current_builder()
        return value if builder is None else builder.context.truths.get(value.value, value)
    if isinstance(value, Range):
        return value.is_filled
    return as_tensor(value) if isinstance(value, Variable) else value


_WITH_OWN_TRUTH = (OneOf, StagedTuple, Staged, Text)
"""What has tensors in it, and is true for another reason than these."""


def truth_of(value: Any) -> Any:
    """Whether a candidate is true: a bool, or a tensor of the graph."""
    found = decided(value)
    return found if is_symbolic(found) else _own_truth(found)


def _own_truth(value: Any) -> Any:
    """What an object says itself, by a method of the user's."""
    stand_ins = staging.stand_ins
    found = value if stand_ins is None else truth(stand_ins.backends, value)
    return bool(found) if found is value else truth_of(found)


def with_each(values: tuple[Any, ...], use: Callable[[tuple[Any, ...]], Any]) -> Any:
    """What `use` gives for values of which each is one object: a choice is made before it is used."""
    for index, value in enumerate(values):
        if isinstance(value, MaybeNone | OneOf):
            before, after = values[:index], values[index + 1 :]

            def chosen(candidate: Any) -> Any:
                return with_each((*before, candidate, *after), use)  # noqa: B023  (called before the next turn)

            return value.ag__either(chosen) if isinstance(value, MaybeNone) else each(value, chosen)
    return use(values)
