"""Finds what a traced function reads and changes outside of itself, and makes that inputs and effects."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import partial
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, NoReturn, TypeVar

import numpy as np

from autograph.backends.tensors.arrays.arrays import ArrayContents
from autograph.backends.tensors.arrays.boxes import OutsideArray, with_arrays_outside
from autograph.backends.tensors.containers import copied, numbered_results, told_apart
from autograph.backends.tensors.containers.catalogues import cataloguing
from autograph.backends.tensors.containers.elements import numbers_lists
from autograph.backends.tensors.containers.linked import Kinds, columns, linking
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.containers.other_names import OtherNames, Shared, other_names
from autograph.backends.tensors.containers.sharing import containers_within, require_known, require_told_apart
from autograph.backends.tensors.effects.streams import recorded_streams
from autograph.backends.tensors.statements.maybe import left_in
from autograph.backends.tensors.statements.memory import Memory, going_on_from
from autograph.backends.tensors.statements.raising import belongs_to_program
from autograph.staging import announcing, heap, meeting, notes, places, stand_ins
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.journal import Journal, recording
from autograph.staging.places import Contents, Place
from autograph.staging.stand_ins import StandIns
from autograph.stepping import debuggers_are_taught
from autograph.tracing import any_length, own_containers, own_elements, surroundings
from autograph.tracing.changes import all_changes, changes_seen, give_back, undo
from autograph.tracing.guards import Reads
from autograph.tracing.snapshot import Snapshot, require_seen
from runtime.core.instances import set_own
from runtime.core.taken_apart import leave_whole
from runtime.core.tracing import tracing
from runtime.errors import Error, StateDisagrees
from runtime.functions.external_state import NO_RESULT, Change, GivenUp, Seen
from runtime.functions.meeting import require_itself
from runtime.functions.raising import shows
from runtime.functions.reads import functions_behind, names_of
from runtime.functions.recursion import innermost
from runtime.graph.arrays import Unknown
from runtime.graph.build import current_builder
from runtime.graph.builder import Builder
from runtime.graph.refusals import forget_since, heard, refusals
from runtime.ops.raising import record

__all__ = ["Outside"]

Result = TypeVar("Result")


class Outside:
    """Watches what a function does outside of itself.

    Parameters
    ----------
    backends : Backends, optional
        Those of converted code; None where nothing is converted.
    as_written : callable, optional
        The code of a function as the user wrote it.
    """

    def __init__(
        self,
        backends: Backends | None = None,
        as_written: Callable[[FunctionType], CodeType] = attrgetter("__code__"),
    ) -> None:
        self._backends = backends
        self._as_written = as_written

    def observe(
        self,
        run: Callable[[], Any],
        roots: Sequence[Any],
        reads: Reads | None,
        close: Callable[[Any, Seen], Result],
    ) -> Result:
        """Runs a function, and calls `close` with what it gives and changes, before that is undone."""
        is_outermost = not notes.listening()
        roots = _begin(roots, is_outermost=is_outermost)
        seen = _Observation(roots, reads, self._as_written, is_outermost=is_outermost)
        staging.unmet.append(partial(_reached, roots))
        unannounced = reads.unannounced_in(roots) if reads is not None else ()
        around, since = staging.unannounced, refusals()
        try:
            with (
                recording() as journal,
                recorded_streams() if is_outermost else nullcontext(),
                debuggers_are_taught(),
                with_arrays_outside(seen.snapshot.has_array),
                _cataloguing(reads, seen.snapshot.found, is_outermost=is_outermost) as are_known,
                linking(reads.linked if reads is not None else None, seen.snapshot.existed)
                if is_outermost
                else nullcontext(),
                self._stand_ins(seen.snapshot),
            ):
                seen.open(journal)
                try:
                    with _guessing(reads, is_outermost=is_outermost):
                        staging.unannounced = _without_arrays(unannounced)
                        told = partial(_telling, heard(run) if self._backends else run)
                        return seen.closed(told, are_known, close)
                except (GivenUp, Shared) as signal:
                    seen.give_up()
                    if not is_outermost or isinstance(signal, GivenUp):
                        raise
                    return close(
                        NO_RESULT, Seen((), seen.snapshot.existed, (), seen.are_stored, is_sure=False)
                    )
        finally:
            staging.unannounced = around
            forget_since(since)
            if is_outermost:
                _forget(seen.starts_anew)

    def _stand_ins(self, snapshot: Snapshot) -> AbstractContextManager[Any]:
        """While Python finds the converted forms of the special methods that it calls."""
        if self._backends is None:
            return nullcontext()
        shown = {type(each) for each in tracing.handed[-1][1].containers} if tracing.handed else set()
        is_outermost = staging.stand_ins is None
        entered = StandIns(self._backends, shown, _tell) if is_outermost else nullcontext()
        with ExitStack() as stack:
            stack.enter_context(entered)
            stand_ins.meet(snapshot.found())
            return stack.pop_all()
        raise AssertionError("unreachable")

    def reads(self, roots: Sequence[Any]) -> Reads:
        """What the function may read, as it is now: what was changed so far is, in the graph around."""
        notes.write_back()
        return Reads(roots)

    def of_any_length(self, container: Any, name: str) -> places.Place | None:
        """What a container holds, as an input that takes any length; None where it can be none."""
        return None if self._backends is None else any_length.AnyLength.of(container, name, takes_rows=True)


class _Observation:
    """One run of a function that is watched: what is there before it, and what has changed behind it.

    Parameters
    ----------
    roots : sequence
        What it can reach.
    reads : Reads, optional
    as_written : callable
        The code of a function as the user wrote it.
    is_outermost : bool
        Whether it is in no other.
    """

    def __init__(
        self,
        roots: Sequence[Any],
        reads: Reads | None,
        as_written: Callable[[FunctionType], CodeType],
        *,
        is_outermost: bool,
    ) -> None:
        self._reads, self._as_written, self._is_outermost = reads, as_written, is_outermost
        self._builder = current_builder()
        self.are_stored = self._builder is not None and self._builder.effects_run
        self.snapshot = Snapshot(roots)
        self.starts_anew = False
        self._outdated = staging.outdated
        self._own_on_paths = {**staging.own_on_paths}
        self._known_before = 0 if self._builder is None else len(self._builder.context.changed_where_raised)
        self._surroundings = None if is_outermost else surroundings.Surroundings(self.snapshot)
        self._former = _emptied(reads.only_added_to() if reads is not None else ())

    def open(self, journal: Journal) -> None:
        """The function is about to run, and this journal hears of what it changes."""
        self._journal = journal
        journal.home = self._builder
        self.snapshot.hear_of(journal.before)
        self._where_called = _where_called(self._builder if self.are_stored else None, self._changes)

    def _changes(self) -> list[Change]:
        return all_changes(self.snapshot, self._former, self._journal, self._builder)

    def closed(
        self, run: Callable[[], Any], are_known: Callable[[], bool], close: Callable[[Any, Seen], Result]
    ) -> Result:
        """What `close` gives for what the function gives and changes, which is then undone."""
        builder, snapshot = self._builder, self.snapshot
        at = {"is_outermost": self._is_outermost, "are_stored": self.are_stored}
        result = _result_of(run, snapshot, self._former, outdated=self._outdated, reads=self._reads, **at)
        changes = self._changes()
        try:
            _require_settled(builder, snapshot, **at)
            self._require_kinds()
            if self._is_outermost and numbers_lists():
                returns, given = result
                result = returns, numbered_results.given_out(given)
            is_sure = are_known() and not _learns(self._reads, self._journal, changes, builder)
            outside: Mapping[int, Any] = {}
            if self._is_outermost and heap.has_moved():
                snapshot.take_back()
                outside = snapshot.moved()
                result, changes = own_containers.with_own_containers(result, changes, outside)
            if self._is_outermost and self.are_stored:
                _hold_what_paths_own()
            added, called = {place.key for place, _ in self._former}, [*self._where_called.values()]
            facts = self.are_stored, is_sure, staging.compared, called
            lost = _lost(builder, self._known_before, self._journal, snapshot)
            arrays = snapshot.arrays_of_graph(), heap.current, _know_arrays
            around = self._surroundings
            if around is not None:
                around.writes_arrays = any(map(_is_of_array, (*[each.place for each in changes], *lost)))
            return close(
                result,
                Seen(
                    changes,
                    snapshot.existed,
                    added,
                    *facts,
                    lost,
                    self._as_written,
                    *arrays,
                    around,
                    snapshot.times_held,
                    _has_changed,
                    announcing.owner_of_attributes,
                    lambda value: outside.get(id(value), value),
                ),
            )
        finally:
            if self.are_stored:  # also what is refused here has not happened
                undo(changes, self._former)

    def _require_kinds(self) -> None:
        """Begins another trace, where numbers of several kinds have met that a dict may hold as they are."""
        builder, reads = self._builder, self._reads
        have_met = self._is_outermost and builder is not None and bool(builder.context.notices)
        if have_met and reads is not None and other_names().tells_kinds():
            reads.learnt = Memory()
            raise Shared

    def give_up(self) -> None:
        """Undoes all: the function is to be traced anew."""
        staging.unwritten = {}
        staging.own_on_paths = self._own_on_paths
        if self._is_outermost and heap.has_moved():
            self.snapshot.take_back()
        undo(self._changes(), self._former)
        self.starts_anew = self._is_outermost
        _forget_copies(self._reads)
        if self._is_outermost:
            _forget_forms(self._reads)


def _telling(run: Callable[[], Result]) -> Result:
    """What a function gives, while the program runs and may ask which object one is."""
    before, tracing.tells = tracing.tells, True
    try:
        return run()
    finally:
        tracing.tells = before


def _tell(value: Any) -> None:
    """Takes in that Python is about to tell the number of an object, where the program has asked for it."""
    if tracing.tells:
        require_itself(value)


def _begin(roots: Sequence[Any], *, is_outermost: bool) -> Sequence[Any]:
    """What a function can reach. Before a trace that is in no other nothing is known of objects."""
    if not is_outermost:
        return [*roots, *columns()]
    staging.kept.clear()
    staging.compared.clear()
    return roots


def _hold_what_paths_own() -> None:
    """Gives instances the attributes that only some paths have bound, as far as they are bound."""
    for attribute, is_own in [*staging.own_on_paths.values()]:
        attribute.hold(left_in(attribute, is_own))


def _know_arrays() -> None:
    """Begins another trace, where that may know arrays which this one took as they were."""
    if other_names().knows_too_few_arrays() or other_names().has_lost_arrays():
        raise Shared


def _lost(builder: Builder | None, known_before: int, journal: Journal, snapshot: Snapshot) -> list[Place]:
    """What a graph that raises has not stored, beside changes: of what was there, or is given to it.

    Paths that raise have changed it, or the function, which has taken that back by its end.
    """
    changed = [] if builder is None else builder.context.changed_where_raised[known_before:]
    arrays = {id(value): OutsideArray(array) for value, array in snapshot.arrays_of_graph().items()}
    found = [arrays.get(id(place.owner), place) for place in changed]
    announced = [place for place, _ in journal.before.values() if not journal.is_variable(place)]
    lost = {place.key: place for place in (*found, *announced)}
    return [place for place in lost.values() if isinstance(place, ArrayContents) or snapshot.had(place)]


def _require_settled(
    builder: Builder | None, snapshot: Snapshot, *, is_outermost: bool, are_stored: bool
) -> None:
    """Sees to it that the graph knows how far iterators are, and what arrays hold in the end.

    Another trace may know that. Of an argument it is seen in a call where that is an array of NumPy's; one
    from outside always is.
    """
    require_seen()
    arrays = snapshot.arrays_of_graph() if is_outermost and are_stored else {}
    if are_stored:
        snapshot.require_positions()
        snapshot.require_arrays()
    if not is_outermost or builder is None:
        return
    held = {each: builder.arrays.contents.get(each) for each in (*builder.inputs, *arrays)}
    lost = {each: unknown for each, unknown in held.items() if isinstance(unknown, Unknown)}
    if lost and other_names().has_lost_arrays():
        raise Shared
    for each, unknown in lost.items():
        if each in arrays:
            unknown.refuse_outside(each)


def _forget_copies(reads: Reads | None) -> None:
    """Lets another trace learn anew what is a copy of what."""
    if reads is not None:
        reads.learnt.forget_copies()


def _forget_forms(reads: Reads | None) -> None:
    """Lets another trace learn all anew, where it has other dicts or instances than this one."""
    if reads is not None and other_names().forgets:
        other_names().forgets = False
        reads.learnt = Memory()


def _emptied(lists: Iterable[Any]) -> list[tuple[Place, Any]]:
    """What lists held of which nobody sees what is in them: what they hold afterwards was added."""
    grown = [Contents(heap.moved_to(each)) for each in lists]
    former: list[tuple[Place, Any]] = [(place, place.get()) for place in grown]
    for place, held in former:
        place.set([] if isinstance(held, list) else held.emptied())
    return former


def _where_called(
    builder: Builder | None, changes: Callable[[], Sequence[Change]]
) -> Mapping[Hashable, Change]:
    """What a function has changed by the time when it calls itself, as it turns out while it is traced."""
    opened = innermost()
    if opened is None or opened.builder is not builder:
        return {}
    opened.changed_so_far = changes
    return opened.where_called


def _forget(starts_anew: bool) -> None:
    """Lets go of what was known of a trace that is over, but for what another one is to learn of it."""
    meeting.forget()
    leave_whole()
    if not starts_anew:
        staging.other_names = None


@contextmanager
def _guessing(reads: Reads | None, *, is_outermost: bool) -> Iterator[None]:
    """While a function is traced; the trace starts anew where another one may do what this one refuses."""
    if not is_outermost:
        yield
        return
    if reads is not None:
        staging.other_names = reads.other_names
    may_guess, tracing.has_guessed = tracing.may_guess, False
    names, kinds = other_names(), Kinds() if reads is None else reads.linked
    tracing.may_guess = names.guesses_what_functions_give
    begun = _begun(names.begin(), kinds, reads)
    try:
        yield
    except Exception as error:
        refused, met = error, dict(kinds.met)
        while _has_more(refused, names, kinds):
            names.refuse(begun, refused, met)
            begun = _begun(names.begin(), kinds, reads)
            known = names.refused(begun)
            if known is None:
                raise Shared from error
            refused, met = known
            kinds.met = dict(met)
        names.forget_refused()
        if refused is error:
            raise
        _raise_again(refused)
    finally:
        tracing.may_guess = may_guess


def _has_more(error: Exception, names: OtherNames, kinds: Kinds) -> bool:
    """Whether another trace may do what one refuses."""
    return (not belongs_to_program(error) and names.has_more(error)) or kinds.has_more(error)


def _begun(names: Hashable, kinds: Kinds, reads: Reads | None) -> Hashable:
    """What tells a trace from others of the same function: one that knows just this ends just so."""
    if reads is None:
        return names, kinds.known
    entered = tuple([each.place.key for each in reads.entered])
    return names, kinds.known, entered, len(reads.unannounced), _met_in(reads)


def _met_in(reads: Reads) -> Hashable:
    """How many objects are known that are held by number."""
    return tuple([(kind, len(each.objects)) for kind, each in reads.catalogues.items()])


def _raise_again(error: Exception) -> NoReturn:
    """Raises what an earlier trace was refused for, as it was raised then."""
    context = error.__context__
    try:
        raise error
    finally:
        set_own(error, "__context__", context)


@contextmanager
def _cataloguing(
    reads: Reads | None, found: Callable[[], Iterable[Any]], *, is_outermost: bool
) -> Iterator[Callable[[], bool]]:
    """While a function is traced; says whether all objects had numbers when one was taken by its number."""
    if not is_outermost:
        yield lambda: True
        return
    catalogues = reads.catalogues if reads is not None else {}
    with cataloguing(catalogues, found if reads is not None else None):

        def are_known() -> bool:
            if not any(each.is_behind for each in catalogues.values()):
                return True
            if reads is None:
                raise StateDisagrees(
                    "a container of the graph is read before everything was put in that may come out",
                    why="Objects are held by number, and effects that happen while tracing happen once.",
                    way_out="Use numbers, or let effects happen when the graph runs.",
                )
            return False

        yield are_known


def _without_arrays(unannounced: Sequence[Place]) -> Sequence[Place]:
    """The places that paths look at; arrays of NumPy's give way, and say themselves that they change."""
    for place in unannounced:
        heap.to_change(place.owner)
    return [place for place in unannounced if not isinstance(place.owner, np.ndarray)]


def _learning(run: Callable[[], Any], reads: Reads | None) -> Any:
    """What a function gives, whose statements go on from what they learnt in a trace before."""
    if reads is None:
        return run()
    try:
        with going_on_from(reads.learnt):
            return run()
    except Shared:
        raise
    except BaseException:
        reads.learnt = Memory()  # the next trace may know less of what is outside
        raise


def _result_of(
    run: Callable[[], Any],
    snapshot: Snapshot,
    former: Sequence[tuple[Place, Any]],
    *,
    is_outermost: bool,
    are_stored: bool,
    outdated: Mapping[int, Any],
    reads: Reads | None,
) -> Any:
    """What a function gives; `NO_RESULT` where it raises after it has changed something outside."""
    try:
        result = _learning(run, reads)
        heap.look_again()
        result = heap.current(result)  # what a `finally` has changed, say
    except Shared:
        raise
    except BaseException as error:
        is_for_graph = is_outermost and are_stored
        if is_for_graph and belongs_to_program(error):  # what it has changed by then may have other names
            _require_known_or_undo(None, snapshot, former, outdated, is_outermost=True, are_stored=True)
        if is_outermost and heap.has_moved():
            snapshot.take_back()
        is_guess = reads is not None and any(each.is_guess for each in reads.entered)
        if not (is_for_graph and _stops(error, snapshot, former)):
            if is_guess or (is_for_graph and isinstance(error, Error)):
                undo(changes_seen(snapshot, former), former)  # what is refused, or guessed, has not happened
            else:
                give_back(snapshot, former)
            raise
        record(error)  # once the graph has raised it, Python runs, and leaves what it leaves
        return NO_RESULT
    _require_known_or_undo(
        result, snapshot, former, outdated, is_outermost=is_outermost, are_stored=are_stored
    )
    return result


def _require_known_or_undo(
    result: Any,
    snapshot: Snapshot,
    former: Sequence[tuple[Place, Any]],
    outdated: Mapping[int, Any],
    *,
    is_outermost: bool,
    are_stored: bool,
) -> None:
    """As `_require_known`; what is refused has not happened."""
    try:
        _require_known(result, snapshot, former, outdated)
    except Error:
        other_names().is_over = is_outermost
        if is_outermost and heap.has_moved():
            snapshot.take_back()
        if is_outermost and are_stored:
            undo(changes_seen(snapshot, former), former)
        raise


def _require_known(
    result: Any,
    snapshot: Snapshot,
    former: Sequence[tuple[Place, Any]],
    known: Mapping[int, Any],
) -> None:
    """Sees to it that nothing that outlives the trace may be another object than the one that has changed."""
    if not (staging.groups or staging.outdated or staging.copies or staging.tangled):
        return
    require_known([result])
    outdated = staging.outdated
    there = snapshot.moved() if outdated.keys() - known.keys() else {}
    given = copied.given_contents(outdated, there) - known.keys()
    heap.outdate({key: each for key, each in outdated.items() if key not in given})
    try:
        left = [result, *[change.now for change in changes_seen(snapshot, former)]]
        require_known(left[1:])
    finally:
        heap.outdate(outdated)
    own_elements.hold_instances_in(left, snapshot.existed)
    require_told_apart(left, snapshot.existed)
    told_apart.require_told_apart(
        left, lambda value: [each for _, each in containers_within(value) if id(each) not in given]
    )
    for key in staging.outdated.keys() - known.keys() - given:
        value, known_by = staging.outdated[key]
        if not snapshot.is_whole or snapshot.existed(value):
            known_by.refuse()


def _kept(changes: Sequence[Change]) -> list[tuple[Any, Any]]:
    """The attributes and variables that some path leaves as they were before the function, and that value.

    What a container holds is looked at before each run anyway.
    """
    before = {change.place.key: change for change in changes if not isinstance(change.place, Contents)}
    found = [(before[key], value) for key, (_, value) in staging.kept.items() if key in before]
    return [(change.place, value) for change, value in found if change.before is value]


def _learns(
    reads: Reads | None, journal: Journal, changes: Sequence[Change], builder: Builder | None
) -> bool:
    """Whether places have changed that nobody has announced, and a path may have changed them.

    That is what a property does, `__add__`, or a library. The paths of another trace look at these places; an
    array of the graph says itself that it changes.
    """
    if reads is None:
        return False
    reads.kept = _kept(changes)
    if builder is None or not any(node.op.regions for node in builder.nodes):
        return False
    known = {*journal.before, *[place.key for place in reads.unannounced]}
    now = {change.place.key: change.now for change in changes}
    known |= {each.place.key for each in reads.entered if each.is_kept(now.get(each.place.key))}
    new: list[Any] = []
    for place in [change.place for change in changes if not isinstance(change.place, OutsideArray)]:
        contents = [(what, id(place.owner)) for what in ("contents", "moved")]
        if known.isdisjoint({place.key, *contents}):
            new.append(place)
    reads.unannounced += new
    return bool(new)


def _stops(error: BaseException, snapshot: Snapshot, former: Sequence[tuple[Place, Any]]) -> bool:
    """Whether a program stops by its own exception, and one sees what it has done by then."""
    builder = current_builder()
    if builder is None or not belongs_to_program(error):
        return False
    has_written = not builder.arrays.contents.keys().isdisjoint(builder.inputs)
    return has_written or shows(builder) or bool(changes_seen(snapshot, former))


def _has_changed(container: Any) -> bool:
    """Whether what has taken the place of a container has changed since."""
    found = heap.moved_to(container)
    return isinstance(found, Staged) and found.has_changed


def _is_of_array(place: Any) -> bool:
    """Whether a place is what an array holds."""
    return isinstance(place, ArrayContents | OutsideArray) or isinstance(place.owner, np.ndarray)


def _reached(roots: Sequence[Any]) -> Iterator[Any]:
    """What a function starts from, and what it reads by name: all that is there before it runs."""
    for root in roots:
        yield root
        for name in itertools.chain.from_iterable(map(names_of, functions_behind(root))):
            yield from (name.home, name.value())
