"""Rolls loops that Python would unroll into one loop of the graph: `for i in range(1000)`.

The first turns are traced one by one, as those of every loop of Python are. When many are left, one more turn
is traced for all of them, with a `TurnNumber` for each number that differs from turn to turn. The loop is
rolled where that turn shows that nobody can tell:

- a tensor that a turn leaves has the dtype and the shape that it started the turn with;
- what is no tensor of the graph is the same object after the turn, or a number that the next turn starts
  with: after the loop it is the number of Python's that it would have been;
- only code runs of which it is known that it computes, or whose effects are the graph's;
- what numbers become in the graph are the numbers that the turns would have had as constants.

In all other cases everything is as it was before that turn, and the loop is unrolled.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from operator import is_
from typing import Any

from autograph.backends.tensors.statements.paths import following, restored_on_error
from autograph.backends.tensors.statements.retracing import Grows
from autograph.backends.tensors.statements.rolled_loop import MadeWayInVain, RolledLoop
from autograph.backends.tensors.statements.savepoint import Savepoint
from autograph.backends.tensors.statements.turn_calls import TurnCalls
from autograph.backends.tensors.statements.turn_numbers import TurnNumber, applied, begin_turn, counted
from autograph.backends.tensors.statements.turns import DIFFERS, GiveUp, Turns
from autograph.staging.backend import LoopOptions, LoopTest
from autograph.staging.context import staging
from autograph.staging.heap import moved_to
from autograph.staging.state import State
from runtime.core.dtypes import int64
from runtime.core.tensor import Tensor
from runtime.errors import Error
from runtime.graph.build import builder_in_use, current_builder, is_symbolic
from runtime.graph.location import caller_location
from runtime.ops.control_flow import NoOutcome

__all__ = ["FEWEST_ALIKE", "roll", "stage", "tried"]


def roll(
    items: Sequence[Any],
    extra_test: LoopTest | None,
    body: Callable[[Any], None],
    state: State,
    options: LoopOptions,
    *,
    first: int = 0,
    after: int | None,
    rest: Callable[[Any], None],
) -> bool:
    """Adds a loop over these numbers to the graph that is being built; whether it did.

    Tuples of numbers, and numbers of a list, are looked up by where they are among the items.

    Where it did not, nothing has changed. What became of the loop is noted in the builder. Where it is tried
    `after` so many turns in vain, it is not tried so again in that trace.

    Where a number of Python's decides otherwise from some turn on, and nobody can choose between what the
    turns do (`now = x[i] if i < len(x) else 0`), it is a loop over those before, and `rest` has the others.
    Where these are few (`if i >= width: total -= x[i - width]`), they are done one by one.
    """
    if not isinstance(items, range):
        places, turn = range(first, len(items)), _LookingUp(items, first, body)
        behind = partial(_behind, items, rest)
        return roll(places, extra_test, turn, state, options, after=after, rest=behind)
    fewest, is_last = max(FEWEST_ALIKE, len(items) // _MOST_PARTS), after not in {0, 1}
    turns, period = Turns(items), 1
    while not tried(partial(_attempt, turns, extra_test, body, state, options), options, after):
        alike = turns.alike
        if turns.period > period and extra_test is None and len(items) >= turns.period * _FEWEST_PERIODS:
            period = turns.period
        elif alike is None or period > 1:
            return False
        elif alike < fewest:
            return is_last and extra_test is None and _peeled(items, alike, body, rest)
        builder_in_use().context.in_vain.discard((caller_location(), after))
        turns, after = Turns(items[:alike], period), None
    builder_in_use().context.peeled.pop(caller_location(), None)
    done = len(turns.items) * period
    if done < len(items):
        rest(items[done:])
    return True


def _peeled(items: range, alike: int, body: Callable[[Any], None], rest: Callable[[Any], None]) -> bool:
    """Does the turns in which a number decides alike one by one, and what is left as a loop; whether it did.

    It does not where that has not helped before: a loop of which each second turn does something else would
    be traced again and again.
    """
    peeled, where = builder_in_use().context.peeled, caller_location()
    if not 0 < alike <= len(items) - FEWEST_ALIKE or peeled.get(where, 0) >= _MOST_PEELED:
        return False
    peeled[where] = peeled.get(where, 0) + 1
    for item in items[:alike]:
        body(item)
    rest(items[alike:])
    return True


class _LookingUp:
    """Turns with the item at a place: a number that differs from turn to turn, or a tuple of such.

    Parameters
    ----------
    items : list or tuple
    first : int
        Where the first turn's item is.
    body : callable
    """

    def __init__(self, items: Sequence[Any], first: int, body: Callable[[Any], None]) -> None:
        self._items, self._before = items, list(items)
        self._first = first
        self._body = body

    def __call__(self, place: TurnNumber) -> None:
        rows = self._before[self._first :]
        if type(rows[0]) is tuple:
            self._body(tuple([self._at(place, column) for column in zip(*rows, strict=True)]))
        else:
            self._body(self._at(place, rows))
        is_other = moved_to(self._items) is not self._items or len(self._items) != len(self._before)
        if is_other or not all(map(is_, self._items, self._before)):
            raise GiveUp("a turn changes the list that the loop runs over")

    def _at(self, place: TurnNumber, column: Sequence[Any]) -> Any:
        return applied(lambda number: column[number - self._first], place)


def _behind(items: Sequence[Any], rest: Callable[[Any], None], left: range) -> None:
    """Runs over the items at some places, up to the end: over a list itself, which may change under it."""
    iterator: Any = iter(items)
    iterator.__setstate__(left.start)
    rest(iterator)


FEWEST_ALIKE = 16
"""Turns in which a number decides alike from which on these are a loop of their own."""
_FEWEST_PERIODS = 4
"""How often lists that turns exchange have to come back to where they were."""
_MOST_PEELED = 4
"""How often the first turns of a loop are done alone, in vain."""
_MOST_PARTS = 8
"""Loops that are made of one, as a rule: each has an eighth of what is left."""


def tried(attempt: Callable[[], None], options: LoopOptions, after: int | None) -> bool:
    """Whether a loop could be staged; where it could not, nothing has changed, and the reason is noted."""
    builder = current_builder()
    if builder is None or builder.strict or not builder.effects_run or not builder.rolls:
        return False
    where = caller_location()
    if after is not None and (where, after) in builder.context.in_vain:
        return False
    reason = ""
    if builder.watcher is not None:
        reason = "it is inside of a `try`"
    elif options.maximum_iterations is not None or options.shape_invariants:
        reason = "it has loop options"
    elif builder.defaults.of(0) is not int64:
        reason = "integers are not 64 bits wide"
    if not reason:
        before = Savepoint()
        try:
            attempt()
            before.require_heard()
        except GiveUp as signal:
            reason = signal.reason
        except NoOutcome:
            reason = "a turn always raises"
        except Grows:  # what a statement around has to know before it goes on
            before.go_back()
            raise
        except Exception as error:  # noqa: BLE001  # the turns say, one by one, whether they raise
            reason = _first_line(error)
        if reason:
            before.go_back()
    builder.context.loops[where] = reason
    if reason and after is not None:
        builder.context.in_vain.add((where, after))
    return not reason


def _first_line(error: Exception) -> str:
    text = str(error).partition("\n")[0]
    return text if isinstance(error, Error) else f"{type(error).__name__}: {text}"


def _attempt(
    turns: Turns,
    extra_test: LoopTest | None,
    body: Callable[[Any], None],
    state: State,
    options: LoopOptions,
) -> None:
    """Stages the loop.

    Raises
    ------
    GiveUp, NoOutcome, Exception
        When it cannot be staged.
    """
    items = turns.items
    last = items[-1]

    def test(counter: Tensor) -> Any:
        return counter <= last if items.step > 0 else counter >= last

    def turn(counter: Tensor) -> tuple[Tensor]:
        begin_turn(turns, counter)
        for number in range(turns.period):
            body(counted(turns) + number * turns.step)
        if extra_test is not None:
            going = extra_test()
            if isinstance(going, TurnNumber) or is_symbolic(going) or not going:
                raise GiveUp("a turn may end the loop", turns.first_change)
        return (counter + items.step,)

    try:
        stage(turns, state, lambda state: RolledLoop(state, options, turns, test, turn))
    except GiveUp as signal:
        if signal.change is None and signal.reason == DIFFERS:  # it came to light where the turn was over
            signal.change = turns.first_change
        if signal.change is not None and signal.change[0] is turns:
            turns.alike = signal.change[1]
        turns.period = max(turns.period, signal.period)
        raise


def stage(turns: Turns, state: State, make: Callable[[State], RolledLoop]) -> None:
    """Stages the loop that is made, with what it starts with.

    Raises
    ------
    GiveUp, NoOutcome, Exception
        When it cannot be staged.
    """
    state = following(state)
    try:
        _stage(turns, state, make)
    except MadeWayInVain as signal:
        signal.before.go_back()
        turns.expects_writes = False
        turns.changes.clear()
        _stage(turns, state, make)


def _stage(turns: Turns, state: State, make: Callable[[State], RolledLoop]) -> None:
    """As `stage`, where arrays may give way that turns are expected to write into.

    Raises
    ------
    MadeWayInVain
        Where one did, and there was no turn that has written into it.
    """
    with restored_on_error(state), _attempting(turns), warnings.catch_warnings(record=True) as given:
        loop = make(state)
        try:
            loop.settle()
        except (GiveUp, Exception) as error:
            loop.require_confirmed(error)
            raise
        if given:
            raise GiveUp("a turn gives a warning")


@contextmanager
def _attempting(turns: Turns) -> Iterator[None]:
    builder = builder_in_use()
    allowed, builder.allows_variables = builder.allows_variables, False
    attempt = TurnCalls()
    staging.attempts.append(attempt)
    try:
        yield
    finally:
        staging.attempts.pop()
        attempt.require_unchanged()
        builder.allows_variables = allowed
        turns.counter = None
