"""Staging of `try`: what the body may raise decides which handlers become part of the graph.

Python runs the handlers itself: the rest of the statement runs once for each way in which its body can end,
with an exception in hand that stands for the one that the graph catches.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

from autograph.backends.tensors.arrays.arrays import ArrayContents, one_on, related
from autograph.backends.tensors.containers import linked
from autograph.backends.tensors.containers.becoming import STAND_INS, note_elements
from autograph.backends.tensors.containers.dicts import StagedDict
from autograph.backends.tensors.containers.lists import Staged, StagedList
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.containers.records import StagedRecord
from autograph.backends.tensors.containers.sharing import ids_within, note_copies
from autograph.backends.tensors.statements.branches import stage_if
from autograph.backends.tensors.statements.caught import Passing, in_each_form, stand_in
from autograph.backends.tensors.statements.forms import (
    Form,
    Row,
    combined,
    in_forms,
    in_no_container,
    with_one,
)
from autograph.backends.tensors.statements.joins import Joins
from autograph.backends.tensors.statements.kept_functions import require_outer_variables
from autograph.backends.tensors.statements.late_numbers import LateNumbers, without_missing
from autograph.backends.tensors.statements.made_inside import NOT_YET, Column, LeftOpen, Unreadable, leads_to
from autograph.backends.tensors.statements.memory import remembering
from autograph.backends.tensors.statements.outer_objects import released
from autograph.backends.tensors.statements.outgrown import contents_like, may_hold, model_of
from autograph.backends.tensors.statements.paths import Watch, following, left_alone
from autograph.backends.tensors.statements.raising import Clauses, belongs_to_program, flat, outcome_or_raise
from autograph.backends.tensors.statements.retracing import GiveWay, Grows, Unsure
from autograph.backends.tensors.statements.slots import zeros_like
from autograph.backends.tensors.statements.trial import Trial
from autograph.staging import heap, notes
from autograph.staging.backend import Body, Rest
from autograph.staging.context import staging
from autograph.staging.heap import moved_to
from autograph.staging.journal import Journal, recording
from autograph.staging.places import Contents, Item, Moved, Place
from autograph.staging.state import State, Undefined, nothing
from runtime import ops
from runtime.core.exceptions import Parts, handled_before
from runtime.core.instances import set_own
from runtime.core.structure import flatten, map_leaves, unflatten
from runtime.errors import StateDisagrees, as_pythons, is_caught, only_in_graphs
from runtime.graph.build import current_defaults
from runtime.graph.graph import Value
from runtime.graph.location import caller_location
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import ABSENT, NoOutcome
from runtime.ops.control_flow.attempt import Attempt, is_seen, readable

__all__ = ["stage_try"]


def stage_try(body: Body, rest: Rest, clauses: Clauses, state: State, *, has_final: bool = False) -> None:
    """A `try` statement: its body moves into the graph of a `Try` where it may raise when the graph runs."""
    state = following(state)
    before = state.get()
    try:
        _stage(body, rest, clauses, state, has_final=has_final)
    except BaseException as error:
        if not belongs_to_program(error):  # whoever catches one of the program's sees what it has left
            state.set(before)
        raise


def _stage(body: Body, rest: Rest, clauses: Clauses, state: State, *, has_final: bool) -> None:
    """Traces the body, again where it changes more than variables, and the rest in each way it may go."""
    before = state.get()
    watch = Watch(state, (body, rest))
    for _ in range(_MOST_STARTS):
        if watch.memory.changes_places:
            trial, changed, end = _traced_with_places(body, state, watch, clauses)
            kinds = _kinds(trial, list(flat(clauses())), has_final)
            if kinds:
                _handle(trial, rest, kinds, state, watch, changed, end)
                return
            trial.forget()  # with what was learnt, it raises nothing
            state.set(before)
        with recording() as journal:
            try:
                with remembering(watch.memory):
                    trial = Trial(body, state, (), clauses)
            except BaseException:
                journal.undo()
                raise
        kinds = _kinds(trial, list(flat(clauses())), has_final)
        if not kinds:
            journal.pass_on()
            trial.attempt.keep()
            _go_on(trial, rest)
            return
        is_unlike = journal.changed() or _outliving(journal, watch) or trial.raising
        if not (is_unlike or _bound_anew(trial, before, trial.end)):
            _handle(trial, rest, kinds, state, watch, [], trial.end)
            return
        trial.forget()
        watch.memory.learn_places(_outliving(journal, watch))
        journal.undo()
        state.set(before)
        watch.memory.changes_places = True
        watch.has_run()
    raise _unsettled()


def _go_on(trial: Trial, rest: Rest) -> None:
    """The rest of the statement where the graph catches nothing."""
    if trial.error is not None:
        keeps = current_defaults().static_shapes or only_in_graphs(type(trial.error))
        met = trial.error if keeps else as_pythons(trial.error)
        try:
            rest(partial(_raise, met))
        except BaseException as error:
            if error is met and met is not trial.error:  # nobody has caught it: ours says more
                raise trial.error from None
            raise
    elif trial.ends:
        rest(nothing)
    else:
        raise NoOutcome


def _raise(error: BaseException) -> NoReturn:
    behind = error.__context__
    try:
        raise error
    finally:  # Python has put behind it what is being handled here
        set_own(error, "__context__", handled_before(error) if behind is None else behind)


def _traced_with_places(
    body: Body, state: State, watch: Watch, clauses: Clauses
) -> tuple[Trial, list[Place], tuple[Any, ...]]:
    """The body traced until it is known which places outside of variables it changes; and what it leaves."""
    before = state.get()
    changed: list[Place] = watch.memory.places()
    trials: list[Trial] = []

    def trace() -> None:
        trials.append(Trial(body, state, changed, clauses))

    for _ in range(_MOST_STARTS):
        try:
            with watch.tracing():
                _, _, changes = watch.run(trace)
        except BaseException as found:
            while trials:
                trials.pop().forget()
            if not isinstance(found, (Unsure, Grows, GiveWay)):
                raise
            state.set(before)
            if isinstance(found, Grows):
                watch.become_staged(found.models)
                changed = watch.memory.places()
            elif isinstance(found, GiveWay):
                watch.make_way(found.arrays)
            before = state.get()
            continue
        known = {place.key for place in changed}
        new = [place for key, (place, _) in changes.items() if key not in known]
        new += _new_among(trials[-1], {*known, *changes}, watch)
        end = trials[-1].end
        growing = [] if new else _growing(trials[0], changed, end)
        growing = growing or ([] if new else _bound_anew(trials[0], before, end))
        if not new and not growing:
            heap.outdate({**staging.outdated, **watch.outdated})
            return trials[0], changed, end
        trials.pop().forget()
        state.set(before)
        watch.memory.learn_places(new)
        if growing:
            watch.become_staged(growing)
            before = state.get()
        changed = [*changed, *new] if not growing else watch.memory.places()
    raise _unsettled()


def _unsettled() -> StateDisagrees:
    return StateDisagrees(
        "what this `try` changes does not settle",
        where=caller_location(),
        why="Each time its body was traced, it had changed another container, which was not there before.",
        way_out="Make the containers that it changes in front of the `try`.",
    )


_MOST_STARTS = 48
"""Attempts in which what the body changes must be found."""


def _outliving(journal: Journal, watch: Watch) -> list[Place]:
    """The places that change in what was there before the statement; containers may end as they were."""
    changed = journal.changed()
    noted = [place for place, _ in journal.before.values() if not isinstance(place, Moved)]
    found = [place for place in noted if place.key in changed or type(place) is Contents]
    return [place for place in found if journal.existed(place.owner) and not watch.is_variable(place)]


def _new_among(trial: Trial, known: Collection[Hashable], watch: Watch) -> list[Place]:
    """The places that paths change which raise, in what was there before: not those known, nor variables."""
    found = {place.key: place for place in trial.raising if place.key not in known}
    return [each for each in found.values() if _is_older(each, trial, watch) and not watch.is_variable(each)]


def _is_older(place: Place, trial: Trial, watch: Watch) -> bool:
    """Whether what a place is in was there before the statement."""
    if isinstance(place, ArrayContents):
        return trial.attempt.is_older(place.owner)
    return watch.has_met(place.owner)


def _growing(trial: Trial, changed: Sequence[Place], end: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The containers of Python's that hold more at some checkpoints than at others, with what is in them."""
    rows = [*trial.snapshots().values(), *([end] if trial.ends else [])]
    found = []
    for place, *contents in zip(reversed(changed), *map(reversed, rows), strict=False):
        if isinstance(place, Contents) and type(place.owner) in STAND_INS:
            longest = _seen_from(trial.attempt, max(contents, key=len))
            is_other = any(_differ(place.owner, contents[0], each) for each in contents)
            if is_other and may_hold(place.owner, longest):
                found.append((place.owner, model_of(place.owner, longest)))
    return found


def _bound_anew(trial: Trial, before: Sequence[Any], end: Sequence[Any]) -> list[tuple[Any, Any]]:
    """The lists for which variables get longer or shorter ones, with what graphs inside have made in them.

    No list of several lengths can be made of these where the statement is: it has to be one from the start.
    """
    rows = [*trial.snapshots().values(), *([end] if trial.ends else [])]
    found = []
    for owner, *bound in zip(before, *rows, strict=False):
        if type(owner) is not list or not all(type(each) is list for each in bound):
            continue
        is_inside = any(not _sees_all(trial.attempt, each) for each in bound)
        if not is_inside or len({*map(len, bound)}) == 1:
            continue
        longest = _seen_from(trial.attempt, max(bound, key=len))
        if may_hold(owner, longest):
            found.append((owner, model_of(owner, longest)))
    return found


def _sees_all(attempt: Attempt, items: Any) -> bool:
    return all(is_seen(leaf, attempt.builder) for leaf in flatten(items)[0])


def _differ(owner: Any, one: Any, other: Any) -> bool:
    """Whether a container that holds this, and then that, has got longer or shorter, or has other keys."""
    if isinstance(owner, dict):
        return [*one] != [*other]
    return set(one) != other if isinstance(owner, set) else len(one) != len(other)


def _seen_from(attempt: Attempt, items: Any) -> Any:
    """Items as a model, with zeros for what a graph inside of a statement has made."""
    builder = attempt.builder
    return map_leaves(lambda leaf: leaf if is_seen(leaf, builder) else zeros_like(leaf, builder), items)


def _handle(
    trial: Trial,
    rest: Rest,
    kinds: Sequence[type[BaseException]],
    state: State,
    watch: Watch,
    changed: Sequence[Place],
    end: tuple[Any, ...],
) -> None:
    """Moves the body into a `Try`, and goes on in as many ways as it can end."""
    attempt, columns = trial.attempt, trial.columns()
    left_open = {id(column.place.owner): column.place.owner for column in columns if column.is_open}
    other_names().leave_open([column.where for column in columns if column.is_open])
    columns = [each for each in columns if not each.is_open or _is_left(each, trial)]
    snapshots = trial.snapshots()
    was_there = _open_owners(changed, snapshots.values(), left_open)
    for place in changed:
        left_alone(place)
    rows = _rows(trial, end, columns, left_open)
    changed = [*changed, *[column.place for column in columns]]
    owners = {id(column.place.owner) for column in columns} | left_open.keys()
    joins = _joins(trial, watch, changed, rows, owners)
    late = joins.late = LateNumbers()
    names = [*state.labels, *[place.name for place in changed]]
    forms = in_forms(joins, names, rows, attempt)
    named = dict(enumerate(map(attempt.may_have_names, kinds), 1))
    raised, of_kernels, may_chain = (
        attempt.raised(partial(_was_there, watch, attempt), trial.instead_of),
        attempt.failures_of_kernels(),
        attempt.may_chain(),
    )
    number, error, joined = attempt.catch(
        [BaseException if kind is Passing else kind for kind in kinds],
        *combined(forms),
        [*names * len(forms), "which of its forms"],
    )
    *values, which = joined
    kept = ids_within([value for row in (*rows.values(), readable(end, attempt.builder)) for value in row])
    staging.copies = {**watch.elements, **staging.copies}  # what the body took from lists is theirs behind it
    with attempt.builder.unwatched():  # the variables are not yet what the `Try` gives
        _join_forms(trial, late, forms, values, names, changed, kept)
    attempt.let_go()
    left = _Left(attempt, state, changed, forms, which)
    left.put_joined(changed[len(changed) - len(columns) :])
    require_outer_variables([form.joined for form in forms], attempt.builder, caller_location())
    ways: list[tuple[int, Body]] = [(0, partial(left.go_on_from_end, partial(rest, nothing)))]
    for index, kind in enumerate(kinds, 1):
        known = [parts for parts in raised if parts.kind is kind]
        alone = not (
            _may_be_of_kernels(kind, attempt) and any(issubclass(kind, other) for other in of_kernels)
        )
        passing = sorted(_passing(trial, kinds), key=_place)
        has_others = may_chain or any(parts.cause or parts.context for parts in known)
        options: dict[str, Any] = {"may_be": passing, "has_others": has_others, "has_names": named[index]}
        options["about"] = attempt.under_way.about
        handle_as = partial(_handled, rest, partial(stand_in, kind, error, **options))
        handle = partial(_handle_each, handle_as, error, known, state, has_others=not alone)
        if left_open:
            handle = partial(_with_open, handle, state, snapshots.values(), left_open, was_there=was_there)
        ways.append((index, partial(left.go_on_from_checkpoints, handle)))
    _choose(number, ways if trial.ends else ways[1:], state)


def _was_there(watch: Watch, attempt: Attempt, value: Any) -> bool:
    """Whether a container or an array was there before the statement."""
    return attempt.is_older(value.value) if ops.is_array(value) else watch.has_met(value)


def _rows(
    trial: Trial, end: tuple[Any, ...], columns: Sequence[Column], left_open: Mapping[int, Any]
) -> dict[int | None, Row]:
    """What variables, places and columns hold at each checkpoint, by its number; under None, at the end."""
    rows: dict[int | None, Row] = {
        number: (
            *[NOT_YET if left_open and leads_to(value, left_open) else value for value in row],
            *[NOT_YET if column.is_open else column.values[index] for column in columns],
        )
        for index, (number, row) in enumerate(trial.snapshots().items())
    }
    if trial.ends:
        rows[None] = readable((*end, *[column.values[-1] for column in columns]), trial.attempt.builder)
    return rows


def _joins(
    trial: Trial,
    watch: Watch,
    changed: Sequence[Place],
    rows: Mapping[int | None, Row],
    objects: Collection[int],
) -> Joins:
    """What joins these rows; `objects` are the ids of those that the body has made and changed."""
    builder = trial.attempt.builder
    joins = Joins(
        (builder, builder), lambda each: id(each) in objects or watch.outlives(each), watch.is_of_turn
    )
    joins.unites, joins.where, joins.sides = True, caller_location(), (0, 0)
    joins.contents = watch.contents(changed, *rows.values())
    joins.changed = {id(place.owner) for place in changed}
    return joins


def _join_forms(
    trial: Trial,
    late: LateNumbers,
    forms: Sequence[Form],
    values: list[Any],
    names: Sequence[str],
    changed: Sequence[Place],
    kept: Collection[int],
) -> None:
    """Gives each form its part of what the `Try` gives, as variables and places have it behind that."""
    are_contents = [isinstance(place, Contents) for place in changed]
    for form in forms:
        own = tuple(values[: len(names)])
        del values[: len(names)]
        form.joined = late.known(released(_as_arrays(trial, form, own)))
        for row, chosen in zip(form.rows.values(), form.became, strict=True):
            pairs = zip(row, form.joined, strict=True)
            known = [whole if each is NOT_YET else each for each, whole in pairs]
            note_copies(known, form.joined, names, 0, are_contents=are_contents, kept=kept, chosen=chosen)
        form.joined = without_missing(form.joined)


class _Left:
    """What a body has left, behind the `Try`.

    Parameters
    ----------
    attempt : Attempt
        The body.
    state : State
    changed : sequence of Place
        Those that it changes, besides variables.
    forms : sequence of Form
        In which it has left the variables and those places.
    which : Tensor or int
        The index of the form in which it has.
    """

    def __init__(
        self, attempt: Attempt, state: State, changed: Sequence[Place], forms: Sequence[Form], which: Any
    ) -> None:
        self._outlives, self._state, self._changed = attempt.outlives, state, changed
        self._places = frozenset([place.key for place in changed])
        self._forms, self._which = forms, which
        self._last = next((form for form in forms if None in form.rows), forms[0])
        held = {id(column) for column in linked.columns()}
        self._of_numbers = [place for place in changed if id(place.owner) in held]
        self._began = [place.get() for place in self._of_numbers]

    def put_joined(self, anew: Sequence[Place]) -> None:
        """Gives variables, and these places, what they are behind the `Try`, as what they were has moved.

        So too the columns of what is held by number: a list may get its number in front of the ways, and that
        is the length that the column has by then.
        """
        first = len(self._state.names)
        self._state.set(tuple(self._last.joined[:first]))
        values = dict(zip(self._changed, self._last.joined[first:], strict=True))
        for place in (*anew, *(self._of_numbers if len(self._forms) == 1 else ())):
            notes.note(place)
            _set(place, values[place], self._places)

    def _is_put(self, place: Place) -> bool:
        """Whether a place holds what it is behind the `Try`, and maybe more."""
        if place not in self._of_numbers:
            return False
        if len(self._forms) == 1:
            return True
        if place.get() is not self._began[self._of_numbers.index(place)]:
            raise StateDisagrees(
                "a list gets its number behind a `try` that may leave lists in several forms",
                where=caller_location(),
                why="Lists that others hold have numbers, and each form has other lists.",
                way_out="Make the lists in front of the `try`, or change them behind it.",
            )
        return False

    def go_on_from_end(self, run: Body) -> None:
        """Runs what follows where nothing was raised."""
        self._put(self._last, [self._last.rows[None]], was_raised=False)
        heap.look_again()
        run()

    def go_on_from_checkpoints(self, run: Body) -> None:
        """Runs what follows where something was."""
        forms = [(index, form) for index, form in enumerate(self._forms) if form.at_checkpoints]
        ways = [
            (index, partial(self._put, form, form.at_checkpoints, was_raised=True)) for index, form in forms
        ]
        other = partial(self._put, self._last, [], was_raised=True)
        _choose(self._which, ways or [(0, other)], self._state.whole)
        heap.look_again()
        run()

    def _put(self, form: Form, rows: Sequence[Row], *, was_raised: bool) -> None:
        """Gives variables and places what they have in common in these rows, or what the `Try` gives."""
        joined = [with_one(value, form.one_on.get(was_raised, {})) for value in form.joined]
        left = [
            each[0] if each and all(one is each[0] for one in each) and self._outlives(each[0]) else whole
            for *each, whole in zip(*rows, joined, strict=True)
        ]
        self._state.set(tuple(left[: len(self._state.names)]))
        values = zip(self._changed, left[len(self._state.names) :], strict=True)
        pairs = [pair for pair in values if not self._is_put(pair[0])]
        for place, _ in pairs:  # all before any: a dict and its items change together
            notes.note(place)
        for place, value in sorted(pairs, key=_arrays_first):
            _set(place, value, self._places)


def _arrays_first(change: tuple[Place, Any]) -> bool:
    """The order in which places get what they hold: containers of the graph get what arrays hold by then."""
    return not isinstance(change[0], ArrayContents)


def _as_arrays(trial: Trial, form: Form, joined: Any) -> Any:
    """What the variables are after the body, told which arrays they are, or may be."""
    attempt, origins = trial.attempt, trial.origins
    leaves, structure = flatten(joined)
    paths = [
        [origins.get(leaf, leaf) if type(leaf) is Value else leaf for leaf in flatten(end)[0]]
        for end in form.nests.values()
    ]
    for index in range(len(leaves)):
        again = _shown_again(attempt, [path[index] for path in paths])
        if again is not None:
            leaves[index] = again
            for path in paths:
                path[index] = again
    by_way: dict[bool, list[int]] = {}
    for index, number in enumerate(form.nests):
        by_way.setdefault(number is not None, []).append(index)
    own = in_no_container(joined)
    form.one_on = {was: one_on([paths[index] for index in way], leaves, own) for was, way in by_way.items()}
    one = {index: form.one_on[was] for was, way in by_way.items() for index in way}
    return unflatten(structure, related(dict(enumerate(paths)), leaves, attempt.has_outside, one=one))


def _shown_again(attempt: Attempt, paths: Sequence[Any]) -> Symbol | None:
    """A view of an array from outside that a variable has wherever the body is left, made outside."""
    first = paths[0]
    if not isinstance(first, Symbol) or any(each is not first for each in paths):
        return None
    arrays = attempt.builder.arrays
    if attempt.has_outside(first.value) or not attempt.has_outside(arrays.root(first.value)):
        return None
    found = arrays.shown_again(attempt.builder, first.value, attempt.has_outside)
    return None if found is None else Symbol(found)


def _set(place: Place, value: Any, known: Collection[Hashable]) -> None:
    """Gives a place a value; a container that has become one of the graph since gets it there.

    `known` are the keys of all places that get one: contents are set with their items.
    """
    now = moved_to(place.owner)
    if value is NOT_YET or value is ABSENT:  # nothing leads to it there
        return
    if now is place.owner or not isinstance(now, Staged):
        place.set(value)
    elif isinstance(place, Contents) and type(now) is StagedList:
        now[:] = value
    elif isinstance(place, Contents) and isinstance(place.owner, Staged):
        raise StateDisagrees(
            "a list that a `try` has made gets its number behind it",
            where=caller_location(),
            why="Lists that others hold have numbers, and what it holds by then is known without one.",
            way_out="Make the list, and what holds it, in front of the `try`, or put it there behind it.",
        )
    elif isinstance(place, Contents):
        contents = Contents(now)
        notes.note(contents)
        contents.set(contents_like(place.owner, value))
        note_elements(now, value)
    elif not isinstance(place, Item):
        place.set(value)
    elif isinstance(now, StagedDict | StagedRecord) and not place.is_part_of(known):
        notes.note(Contents(now))
        if isinstance(value, Undefined):
            now.pop(place.item, None)
        else:
            now[place.item] = value


def _is_left(column: Column, trial: Trial) -> bool:
    """Whether what an object holds where nothing is raised is to be put into it: nothing has its place."""
    return trial.ends and moved_to(column.place.owner) is column.place.owner


def _handled(rest: Rest, caught: Callable[[Sequence[Parts]], BaseException], known: Sequence[Parts]) -> None:
    """Runs the rest of the statement with an exception of the graph in hand, which is one of those known."""
    rest(partial(_raise, caught(known)))


def _handle_each(
    handle: Callable[[Sequence[Parts]], None],
    error: Any,
    known: Sequence[Parts],
    state: State,
    *,
    has_others: bool,
) -> None:
    """Handles the exceptions that are known in each form that they have, and the others in one."""
    if len(known) + has_others > 1:
        number, ways = in_each_form(error, known, handle, has_others=has_others)
        _choose(number, ways, state)
    else:
        handle(known)


def _open_owners(changed: Sequence[Place], rows: Iterable[Row], left_open: dict[int, Any]) -> bool:
    """Adds what was there before and leads to what is left open, and says whether there is any.

    What it holds at a handler is as unknown.
    """
    columns = list(zip(*[row[-len(changed) :] for row in rows], strict=True)) if changed else []
    pending = list(zip(changed, columns, strict=True)) if left_open else []
    first, before = len(left_open), -1
    while len(left_open) != before:
        before = len(left_open)
        for place, values in pending:
            if any(leads_to(value, left_open) for value in values):
                left_open[id(place.owner)] = place.owner
    return len(left_open) > first


def _with_open(
    handle: Body, state: State, rows: Iterable[Row], left_open: Mapping[int, Any], *, was_there: bool
) -> None:
    """Runs a handler that may read no object of which nobody knows what it holds there.

    Where one of them was there before the statement, somebody has it behind the handler.
    """
    values = list(state.get())
    for row in rows:
        for index, value in enumerate(row[: len(values)]):
            values[index] = value if leads_to(value, left_open) else values[index]
    state.set(tuple(values))
    left_open = {id(now): now for each in left_open.values() for now in (each, moved_to(each))}
    before = staging.outdated
    heap.outdate({**before, **{number: (each, LeftOpen()) for number, each in left_open.items()}})
    handle()
    left = zip(state.names, state.get(), strict=True)
    state.set(tuple([Unreadable(name) if leads_to(value, left_open) else value for name, value in left]))
    journal = notes.listener()
    changes = {} if journal is None else journal.changed()
    is_held = any(leads_to(now, left_open) for _, now in changes.values())
    if not is_held and not was_there:  # nobody has one of them here
        heap.outdate({key: mark for key, mark in staging.outdated.items() if key not in left_open})


def _choose(number: Any, ways: Sequence[tuple[int, Body]], state: State) -> None:
    """Goes the way that has this number; the last one, where it is none of the others."""
    (wanted, way), *others = ways
    if not others:
        outcome_or_raise(way)
        return
    stage_if(number == wanted, way, partial(_choose, number, others, state), state)


def _kinds(
    trial: Trial, clauses: Sequence[type[BaseException]], has_final: bool
) -> list[type[BaseException]]:
    """What the graph has to catch, in the order in which it looks.

    Of what a clause fits, each class that the body is known to raise is a way of its own: the handler then
    sees its name and its attributes.
    """
    failures = trial.failures
    if not failures:
        return []
    found: list[type[BaseException]] = []
    for clause in clauses:
        exact = sorted((kind for kind in failures if is_caught(kind, clause)), key=_place)
        is_below = any(issubclass(clause, kind) for kind in failures)
        is_wider = is_below and (
            _may_be_of_kernels(clause, trial.attempt) or trial.attempt.may_reraise(clause)
        )
        wider = [clause] if is_wider else []
        found = list(dict.fromkeys([*found, *exact, *wider]))
    if has_final and _passing(trial, clauses):
        found.append(Passing)
    return found


def _passing(trial: Trial, kinds: Sequence[type[BaseException]]) -> list[type[BaseException]]:
    """What the body is known to raise and none of these fits."""
    may_pass = [kind for kind in trial.failures if is_caught(kind, BaseException)]
    return [kind for kind in may_pass if not issubclass(kind, tuple(kinds))]


def _may_be_of_kernels(kind: type[BaseException], attempt: Attempt) -> bool:
    """Whether anything but a `raise` in it may raise a class: kernels know Python's and ours."""
    is_known = str(kind.__module__).partition(".")[0] in {"builtins", "numpy", "runtime"}
    return is_known or attempt.may_call(kind)


def _place(kind: type[BaseException]) -> tuple[int, str]:
    """The more special classes first."""
    return -len(kind.__mro__), kind.__qualname__
