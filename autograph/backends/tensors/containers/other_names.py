"""What the traces of a function have found out so far, by which the next one does more than the last.

A trace begins with what is cheap: containers are joined item by item, arrays are values, dicts are those of
the graph. Where something shows that another trace may do what one refuses, that starts anew: with objects
that statements choose between, with arrays that have numbers, with records in the places of dicts.

Arrays that a tensor takes out of a list of Python's, or out of an array of NumPy's, are values as long as
nobody writes into them, or asks which they are. Where a trace is refused that has taken some, it starts anew,
and these are the arrays themselves.

Of a list of a few objects a tensor chooses one: each is a branch wherever it is used. Where these become
many, as where a method of one takes another, the trace starts anew, and such lists are lists of the graph.

So Python runs the generator that `next` asks for an item, as long as no tensor decides what that does.
Otherwise the trace starts anew, and `next` is a loop that takes the first item and leaves the generator.

A container that the body of a `try` makes is Python's: what it holds at a handler is known where a graph can
choose between its forms. Where somebody reads one of which that is not so, the trace starts anew, and it is a
container of the graph.
"""

from __future__ import annotations

import weakref
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeAlias

from autograph.backends.tensors.statements.raising import Signal
from autograph.staging.context import staging
from autograph_base.dataclass import dataclass
from runtime.core.tracing import tracing
from runtime.errors import NoConcreteValue, StateDisagrees
from runtime.graph.location import Location, caller_location
from runtime.graph.refusals import is_of_arrays

__all__ = ["Copy", "OtherNames", "Shared", "Spot", "other_names"]

Spot: TypeAlias = tuple[Any, ...]
"""Where something is in a nest: the keys that lead to it."""


class Shared(Signal, BaseException):  # a signal of control flow, which no handler of the user's is to catch
    """Asks the trace that is furthest out to start anew, where some statements choose between objects."""


@dataclass(frozen=True)
class Copy:
    """A container that a statement copies.

    Parameters
    ----------
    where : Location
        The statement.
    name : str
        The variable or place.
    spot : tuple of keys
        Where it is in that.
    side : int
        Which of its paths leaves it; 0 is what a loop starts with, 1 what a turn leaves.
    """

    where: Location
    name: str = ""
    spot: Spot = ()
    side: int = 0


MOST_CHOSEN = 3
"""Objects of which one is chosen by branches, unless a trace is refused that does so."""

MOST_WAYS = 64
"""Branches that choices between objects may make in a trace, until lists of the graph hold these."""


MOST_WAYS_IN_ALL = 1_000
"""Such branches in all traces of a function, until one is refused that makes more: each takes a while."""


class OtherNames:
    """What has shown to have other names, so that statements choose between objects and copy none of them."""

    def __init__(self) -> None:
        self._copies: set[Copy] = set()
        self._may_guess = True
        self._guesses = False
        self._has_guessed = False
        self._takes_arrays = False
        self._writes_to_arrays = False
        self._may_number_arrays = False
        self._numbers_arrays = False
        self._asks_generators = False
        self._takes_first_items = False
        self._ways = self._ways_before = 0
        self._has_few_objects = False
        self._may_list_few = True
        self._lists_few = False
        self._has_chosen_objects = False
        self._may_list_all = True
        self._lists_all = False
        self._shown: dict[int, weakref.ref[Any]] = {}
        self._may_keep_objects = False
        self._may_try_records = True
        self._keeps_objects = False
        self._has_met_infinity = False
        self._may_try_infinity = True
        self._keeps_infinity = False
        self.replays_sets = False
        """Whether sets know all that was done to them, so that the run can ask for their order."""
        self._may_replay_sets = True
        self.has_order = False
        """Whether lists of the graph know which of the elements of another list is where."""
        self.forgets = False
        """Whether the next trace has other dicts or instances: what was learnt is not about these."""
        self._joins_values = False
        self._has_rolled_freely = False
        self._rolls_strictly = False
        self._instead: set[Copy] | None = set()
        self._left_open: set[Copy] = set()
        self._open: frozenset[Copy] | None = frozenset()
        self.guesses_what_functions_give = True
        self.is_over = False
        """Whether the function has run to its end: another trace goes on from all that was learnt in it."""
        self._goes_on = False
        self._has_learnt = False
        self._refused: dict[Hashable, tuple[Exception, Any]] = {}

    def begin(self) -> Hashable:
        """Before a trace: all that tells it from others, as far as it is known here."""
        self._has_learnt = self.is_over = False
        self._ways_before += self._ways
        self._ways, self._has_few_objects, self._has_chosen_objects = 0, False, False
        self._left_open = set()
        return self._known()

    def _known(self) -> Hashable:
        told = self._writes_to_arrays, self._numbers_arrays, self._takes_first_items, self._keeps_objects
        guesses = self._guesses, self.guesses_what_functions_give, self._keeps_infinity, self.has_order
        lists = self._lists_few, self._lists_all, self.replays_sets
        return frozenset(self._copies), told, guesses, lists, self._goes_on, self._rolls_strictly, self._open

    def refuse(self, begun: Hashable, error: Exception, met: Any) -> None:
        """Keeps what a trace is refused for that knew just this when it began, and to its end.

        Parameters
        ----------
        begun : hashable
        error : Exception
        met : object
            What else it has met.
        """
        if not self._has_learnt:
            self._refused.setdefault(begun, (error, met))

    def refused(self, begun: Hashable) -> tuple[Exception, Any] | None:
        """What a trace would be refused for that knows just this, and meet; None where nobody knows."""
        return self._refused.get(begun)

    def forget_refused(self) -> None:
        """Lets go of what traces were refused for: no more of them come."""
        self._refused.clear()

    def takes_arrays(self) -> bool:
        """Notes that a tensor says which array is meant; whether somebody writes into such ones."""
        self._takes_arrays = True
        return self._writes_to_arrays

    def note_shown(self, array: Any) -> None:
        """Notes that a tensor has said which part of an array of NumPy's is shown: what it held by then."""
        if not self._writes_to_arrays:
            self._shown[id(array)] = weakref.ref(array)

    def is_shown_in_part(self, array: Any) -> bool:
        """Whether something shows a part of an array as it was, and would not show what is written to it."""
        known = self._shown.get(id(array))
        return known is not None and known() is array and not self._writes_to_arrays

    def numbers_arrays(self) -> bool:
        """Notes that only the run knows which array one is; whether numbers of arrays go along with them."""
        self._may_number_arrays = True
        return self._numbers_arrays

    def keeps_objects(self) -> bool:
        """Notes that a dict of known keys grows; whether it is a record, which holds the objects in it."""
        self._may_keep_objects = True
        return self._keeps_objects

    def lists_few(self, count: int) -> bool:
        """Notes that a tensor says which of some objects is meant; whether a graph's list holds them."""
        self._has_chosen_objects = True
        self._has_few_objects |= count > MOST_CHOSEN
        return self._lists_all or (self._lists_few and count > MOST_CHOSEN)

    def note_ways(self, count: int) -> None:
        """Notes objects for each of which a branch is made; of too many, the trace starts anew, or ends."""
        self._ways += count
        if self._ways > max(MOST_WAYS_IN_ALL - self._ways_before, MOST_WAYS):
            _refuse_ways()
        is_too_much = self._ways > MOST_WAYS and self._has_few_objects
        if is_too_much and self._may_list_few and not self._lists_few:
            self._lists_few = self.forgets = True
            raise Shared

    def _lists_fewer(self) -> bool:
        """Whether graphs' lists held a few objects, which may be why a trace fails; none does from now on."""
        is_reason, self._lists_few, self._lists_all = self._lists_few or self._lists_all, False, False
        self._may_list_few &= not is_reason
        self.forgets |= is_reason
        return is_reason

    def _lists_more(self, error: Exception) -> bool:
        """Whether a trace may do more in which graphs' lists hold objects of which a tensor chooses one.

        A list of the graph knows of its elements that they are others, also when they are in another order.
        """
        may_help = self._has_chosen_objects and isinstance(error, StateDisagrees)
        self._lists_all = may_help and self._may_list_all and not self._lists_few
        self._may_list_all &= not self._lists_all
        self.forgets |= self._lists_all
        return self._lists_all

    def asks_generator(self) -> bool:
        """Notes that `next` asks a generator; whether it takes the first item in a loop that it leaves."""
        self._asks_generators = True
        return self._takes_first_items

    def rolls_freely(self) -> bool:
        """Notes that a loop would be rolled behind which lists or numbers are the graph's; whether it may."""
        self._has_rolled_freely |= not self._rolls_strictly
        return not self._rolls_strictly

    def learn(self, copies: set[Copy]) -> bool:
        """Takes in copies of something with other names; whether that is news."""
        is_news = not copies <= self._copies
        self._has_learnt |= is_news or self._guesses != self._may_guess
        self._copies |= copies
        self._guesses = self._may_guess
        return is_news

    def choose_instead(self, copies: set[Copy]) -> None:
        """Starts the trace anew, where these are chosen between, if that is news and was never in vain."""
        if self._instead is None or not self.learn(copies):
            return
        self._instead |= copies
        raise Shared

    def _joins_again(self) -> bool:
        """Whether something was chosen instead, which may be why a trace fails; nothing is from now on."""
        chosen, self._instead = self._instead, None
        self._copies -= chosen or set()
        return bool(chosen)

    def leave_open(self, found: Iterable[Copy]) -> None:
        """Notes containers that a `try` makes, whose contents are not known where it is left."""
        self._left_open.update(found)

    def is_open(self, where: Copy) -> bool:
        """Whether a container that a `try` makes is one of the graph from where it is met first."""
        return self._open is not None and where in self._open

    def know_open(self) -> None:
        """Starts the trace anew, where what is left open is the graph's, if that was not in vain."""
        if self._open is not None and not self._left_open <= self._open:
            self._open |= self._left_open
            self.forgets = True
            raise Shared

    def _opens_again(self) -> bool:
        """Whether what was left open is the graph's, which may be why a trace fails; nothing is any more."""
        is_reason = bool(self._open)
        self._open = None if is_reason else self._open
        self.forgets |= is_reason
        return is_reason

    def has(self, copy: Copy) -> bool:
        """Whether a copy is one of these."""
        return copy in self._copies and not self._joins_values

    @contextmanager
    def joining_values(self) -> Iterator[None]:
        """While a list of the graph is wanted, and no choice between lists."""
        before, self._joins_values = self._joins_values, True
        try:
            yield
        finally:
            self._joins_values = before

    def reason(self, copy: Copy) -> Copy | None:
        """A copy that statements might do without; None where they have been told not to."""
        return None if self._joins_values else copy

    def guess(self, value: Any, before: int) -> bool:
        """Whether it is guessed of an object, which was there before this time, and before any loop."""
        if not self._guesses:
            return False
        known = staging.met.get(id(value))
        first = before if staging.turn_since is None else min(before, staging.turn_since)
        was_there = known is not None and known[0] is value and known[1] < first
        self._has_guessed |= was_there
        return was_there

    def has_more(self, error: Exception) -> bool:
        """Whether another trace may do what one refuses: it has to know of arrays, or to guess nothing."""
        if is_of_arrays(error) and (self.knows_too_few_arrays() or self.has_lost_arrays()):
            return True
        if self.is_over and not self._goes_on:
            self._goes_on = True
            return True
        if isinstance(error, NoConcreteValue) and self._asks_generators and not self._takes_first_items:
            self._takes_first_items = True
            return True
        if self._opens_again():
            return True
        has_more = self._may_do_more(error)
        if has_more and self._open is None:  # that one may know what is left open
            self._open = frozenset()
        return has_more

    def _may_do_more(self, error: Exception) -> bool:
        """Whether a trace that does something else may do what one refuses."""
        if self._lists_fewer() or self._lists_more(error) or self._replays_no_sets():
            return True
        if self._has_rolled_freely and not self._rolls_strictly:
            self._rolls_strictly = True
            return True
        if self._keeps_infinity:
            self._keeps_infinity, self.forgets = False, True
            return True
        return self._takes_back() or self._joins_again() or self._guesses_less() or self._tries_records(error)

    def knows_too_few_arrays(self) -> bool:
        """Whether another trace may know which part of an array something shows, where this one does not."""
        is_news = self._takes_arrays and not self._writes_to_arrays
        self._writes_to_arrays |= is_news
        return is_news

    def has_lost_arrays(self) -> bool:
        """Whether another trace may know which array is written to, where this one does not: by a number."""
        is_news = self._may_number_arrays and not self._numbers_arrays
        self._numbers_arrays |= is_news
        return is_news

    def _tries_records(self, error: Exception) -> bool:
        """Whether a trace in which dicts of known keys are records may do more; without, where it did not.

        So the error that is shown is that of a trace without.
        """
        if self._keeps_objects:
            self._keeps_objects = False
            self.forgets = True
            return True
        may_help = self._may_keep_objects and isinstance(error, StateDisagrees | NoConcreteValue)
        self._keeps_objects = may_help and self._may_try_records
        self._may_try_records &= not self._keeps_objects
        self.forgets |= self._keeps_objects
        return self._keeps_objects

    def keep_order(self) -> None:
        """Starts the trace anew, if that is news: elements of a list from outside change places."""
        if not self.has_order:
            self.has_order = self._has_learnt = True
            raise Shared

    def replay_sets(self) -> None:
        """Starts the trace anew, if that is news and was not in vain: the order of a set is asked for."""
        if self._may_replay_sets and not self.replays_sets:
            self.replays_sets = self._has_learnt = self.forgets = True
            raise Shared

    def _replays_no_sets(self) -> bool:
        """Whether sets knew what was done to them, which may be why a trace fails; none does from now on."""
        is_reason, self.replays_sets = self.replays_sets, False
        self._may_replay_sets &= not is_reason
        self.forgets |= is_reason
        return is_reason

    def keeps_infinity(self) -> bool:
        """Notes that an infinity meets an integer; whether it stays what it is, as a string would."""
        self._has_met_infinity = True
        return self._keeps_infinity

    def has_infinity(self) -> bool:
        """Whether an infinity stays what it is in this trace."""
        return self._keeps_infinity

    def tells_kinds(self) -> bool:
        """Whether another trace may tell numbers of several kinds apart, which are of one in this.

        With records in the places of dicts, or with an infinity as one of several objects.
        """
        self._keeps_objects = may_tell = self._may_keep_objects and self._may_try_records
        self._may_try_records &= not may_tell
        keeps = self._has_met_infinity and self._may_try_infinity
        self._keeps_infinity |= keeps
        self._may_try_infinity &= not keeps
        return may_tell or keeps

    def _takes_back(self) -> bool:
        """Whether something was guessed that may be the reason why a trace fails; nothing is from now on."""
        is_reason, self._may_guess = self._has_guessed, False
        self._guesses = self._has_guessed = False
        return is_reason

    def _guesses_less(self) -> bool:
        """Whether functions were traced from what they gave elsewhere; none is from now on."""
        is_reason = tracing.has_guessed and self.guesses_what_functions_give
        self.guesses_what_functions_give &= not is_reason
        return is_reason


def other_names() -> OtherNames:
    """What has shown to have other names in the traces of this function."""
    if staging.other_names is None:
        staging.other_names = OtherNames()
    found: OtherNames = staging.other_names
    return found


def _refuse_ways() -> NoReturn:
    """Says that tensors choose between objects so often that nobody would wait for the graph."""
    raise StateDisagrees(
        f"objects that a tensor chooses become more than {MOST_WAYS_IN_ALL} branches of a graph",
        where=caller_location(),
        why="Each becomes a branch wherever it is used, and what that gives may be one of several again.",
        way_out="Keep what they hold in arrays or in lists of numbers, and choose by index: `scores[i]`.",
    )
