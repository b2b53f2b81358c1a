"""Rolls `while` loops that Python decides into one loop of the graph: `while width < n: …; width *= 2`.

It is done as with loops over a range (`rolling.py`), but that nobody knows how many turns there are. So the
numbers that turns change enter a trace as guesses, which say how they come about. Python computes them turn
by turn, and asks the test each time, until it fails: then there are so many turns. The trace after that says
whether this was right, and the test is asked once more.

Where that fails, and numbers decide in a turn (`if start >= 0: …`), those turns are tried as one loop in
which they decide as in the first of them; what is left is a loop of Python's like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph.backends.tensors.statements.paths import Changes
from autograph.backends.tensors.statements.rolled_loop import RolledLoop
from autograph.backends.tensors.statements.rolling import FEWEST_ALIKE, stage, tried
from autograph.backends.tensors.statements.turn_numbers import (
    MOST_TABLED,
    Guess,
    TurnNumber,
    begin_turn,
    number_at,
)
from autograph.backends.tensors.statements.turns import GiveUp, Turns
from autograph.staging.backend import Body, LoopOptions, LoopTest
from autograph.staging.dispatch import PLAIN
from autograph.staging.journal import recording
from autograph.staging.state import State
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.graph.build import builder_in_use, current_builder
from runtime.graph.location import caller_location

__all__ = ["roll_while"]


def roll_while(
    test: LoopTest,
    body: Body,
    state: State,
    options: LoopOptions,
    *,
    after: int,
    is_worth_it: Callable[[int], bool],
    rest: Callable[[], None],
) -> bool:
    """Adds the rest of a loop to the graph that is being built; whether it did.

    Where it did not, nothing has changed. Where it is tried `after` so many turns in vain, it is not tried so
    again in that trace. Before the first turn, it is tried where it has become one loop there before.

    Where a number of Python's decides otherwise from some turn on, it is a loop over those before, and `rest`
    does the others.
    """
    builder = current_builder()
    if builder is None or (not after and builder.context.loops.get(caller_location()) != ""):
        return False
    whole = _Attempt(test, body, state, options, is_worth_it, is_part=False)
    if tried(whole.stage, options, after):
        return True
    part = _Attempt(test, body, state, options, is_worth_it, is_part=True)
    if not (whole.has_decided and tried(part.stage, options, None)):
        return False
    builder.context.in_vain.discard((caller_location(), after))
    rest()
    return True


class _Attempt:
    """Tries to make one loop of turns: of all that there are, or of those in which numbers decide alike."""

    def __init__(
        self,
        test: LoopTest,
        body: Body,
        state: State,
        options: LoopOptions,
        is_worth_it: Callable[[int], bool],
        *,
        is_part: bool,
    ) -> None:
        self._test, self._body, self._state, self._options = test, body, state, options
        self._is_worth_it = is_worth_it
        self._is_part = is_part
        self._turns = Turns(range(MOST_TABLED))
        self.has_decided = False
        """Whether a number that changes has decided in a turn."""

    def stage(self) -> None:
        """Adds the loop to the graph.

        Raises
        ------
        GiveUp, NoOutcome, Exception
            When it cannot be one of the graph.
        """
        stage(self._turns, self._state, self._loop)

    def _loop(self, state: State) -> RolledLoop:
        asked = self._test, self._is_worth_it
        return _RolledWhile(
            state, self._options, self._turns, self._going, self._turn, *asked, is_part=self._is_part
        )

    def _turn(self, counter: Tensor) -> tuple[Tensor]:
        begin_turn(self._turns, counter)
        self._body()
        self.has_decided |= bool(self._turns.decided)
        return (counter + 1,)

    def _going(self, counter: Tensor) -> Any:
        return counter <= self._turns.items[-1]


_MOST_ALIKE = 1 << 13
"""Turns that are looked through for one in which a number decides otherwise: there may be none."""
_MOST_DECIDED = 1 << 17
"""Those for which numbers are computed as the arms of the first turn say that numbers have chosen."""
_LONGEST = 1 << 12
"""Bits of the integers that are computed for every turn."""


def _is_going(said: Any) -> bool:
    """What a test has said of numbers of one turn."""
    if type(said) not in PLAIN:
        raise GiveUp("its test asks the graph")
    return bool(said)


def _decide_so(decided: Sequence[tuple[Guess, bool]], turn: int, entering: Sequence[Any]) -> bool:
    """Whether numbers decide in a turn as they have done in the first, given what guesses enter it with."""
    return all(bool(number_at(number, turn, entering)) is said for number, said in decided)


class _RolledWhile(RolledLoop):
    """A loop whose turns are as many as its test says, of which each leaves what the next one expects."""

    def __init__(
        self,
        state: State,
        options: LoopOptions,
        turns: Turns,
        going: Callable[..., Any],
        turn: Callable[..., tuple[Tensor, ...]],
        test: LoopTest,
        is_worth_it: Callable[[int], bool],
        *,
        is_part: bool,
    ) -> None:
        super().__init__(state, options, turns, going, turn)
        self._ask = test
        self._is_worth_it = is_worth_it
        self._is_part = is_part

    def _conformed(self, following: Sequence[Any], after: Sequence[Any], changes: Changes) -> list[Any]:
        rows = super()._conformed(following, after, changes)
        if not self._has_computed:
            raise GiveUp("no number of Python's changes, so it would never end")
        if self._has_grown and not self._is_long:
            raise GiveUp("a list of Python's grows")
        places = [key for key in self._starts if key in self._entering]
        columns = [self._entering[key].ag__values for key in places]
        lasts = [self._last[id(self._entering[key])] for key in places]
        with self._asked(places) as says:
            if not all(_is_going(says(row)) for row in list(zip(*columns, strict=True))[1:]):
                raise GiveUp("it ends earlier than was thought")
            if not self._is_part and _is_going(says(lasts)):
                raise GiveUp("it goes on for longer than was thought")
        return rows

    def _simple(self, start: Any, left: Any) -> TurnNumber | None:
        """None: how many turns there are is what is looked for."""
        del start, left
        return None

    def _columns(self, lefts: Sequence[Any]) -> list[list[Any]]:
        columns, entering = [[start] for start in self._starts.values()], list(self._starts.values())
        with self._asked(list(self._starts)) as says:
            before, decided = self._turns.asked, [*self._turns.decided]
            said = says([self._entering[key] for key in self._starts])
            is_asked = isinstance(said, TurnNumber) or self._turns.asked != before
            if not (is_asked or (self._is_part and decided)):
                raise GiveUp("its test asks for no number that changes")
            for turn in range(self._most(decided)):
                entering = [number_at(left, turn, entering) for left in lefts]
                if any(type(each) is int and each.bit_length() > _LONGEST for each in entering):
                    raise GiveUp("an integer grows without end")
                if not _is_going(says(entering)):
                    if self._is_part:
                        raise GiveUp("its numbers decide alike in all turns")
                    break
                if self._is_part and not _decide_so(decided, turn + 1, entering):
                    break
                for column, number in zip(columns, entering, strict=True):
                    column.append(number)
            else:
                raise GiveUp("there are too many turns to compute a number for each")
        if not self._is_worth_it(turn + 1) or (self._is_part and turn + 1 < FEWEST_ALIKE):
            raise GiveUp("it has few turns")
        self._turns.items = range(turn + 1)
        return columns

    def _most(self, decided: Sequence[Any]) -> int:
        """For how many turns Python computes numbers: as the arms of the first one say, it may never end."""
        if self._is_part:
            return _MOST_ALIKE
        return _MOST_DECIDED if decided else MOST_TABLED

    @contextmanager
    def _asked(self, places: Sequence[tuple[Hashable, int]]) -> Iterator[Callable[[Sequence[Any]], Any]]:
        """What the test says between two turns, the next of which starts with some numbers.

        Raises
        ------
        GiveUp
            Where it does something beside.
        """
        slots = {self._key(index, slot): index for index, slot in enumerate(self._slots)}
        held = [self._slots[slots[key]].start for key, _ in places]
        if any(flatten(each)[0] != [each] for each in held):
            raise GiveUp("its numbers are in containers")
        entering, builder = list(self._row), builder_in_use()
        count = len(self._state.names)
        known, effects = len(builder.nodes), builder.effects.counts

        def says(numbers: Sequence[Any]) -> Any:
            for (key, _), number in zip(places, numbers, strict=True):
                entering[slots[key]] = number
            if len(entering) == count:
                self._state.set(tuple(entering))
            else:
                self._enter(entering)
            return self._ask()

        with recording() as journal:
            try:
                yield says
                changes = bool(journal.changed())
            finally:
                journal.undo()
                self._enter([slot.start for slot in self._slots])
        if changes or len(builder.nodes) != known or builder.effects.counts != effects:
            raise GiveUp("its test does something beside")
