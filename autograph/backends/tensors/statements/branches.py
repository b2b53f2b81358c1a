"""Staging of branches: each arm is traced from the same state, and what both leave is joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from autograph.backends.tensors.arrays.arrays import frozen, note_array, related
from autograph.backends.tensors.arrays.numbered import indices_of_views, numbers_of_branches
from autograph.backends.tensors.containers.sharing import ids_within, note_copies
from autograph.backends.tensors.objects.choices import set_chooser
from autograph.backends.tensors.statements import numbers_that_meet
from autograph.backends.tensors.statements.joins import Joins
from autograph.backends.tensors.statements.kept_functions import require_outer_variables
from autograph.backends.tensors.statements.outer_objects import released
from autograph.backends.tensors.statements.outgrown import is_other_length, may_be_staged, model_of
from autograph.backends.tensors.statements.paths import (
    Changes,
    Watch,
    following,
    give,
    left_alone,
    restored_on_error,
)
from autograph.backends.tensors.statements.raising import outcome_or_raise
from autograph.backends.tensors.statements.retracing import GiveWay, Grows, Unsure
from autograph.backends.tensors.statements.turn_numbers import NUMBERS, TurnNumber
from autograph.backends.tensors.statements.turns import DIFFERS, GiveUp
from autograph.backends.tensors.strict import refuse_growth, require_branches
from autograph.staging import heap
from autograph.staging.backend import Body, Thunk
from autograph.staging.context import staging
from autograph.staging.places import Attribute, Contents, Item, Place
from autograph.staging.state import Missing, Role, State, Undefined
from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.structure import flatten, unflatten
from runtime.errors import StateDisagrees
from runtime.graph.build import builder_in_use, building, is_strict, is_symbolic, is_weak, kind_of, spec_of
from runtime.graph.location import Location, caller_location
from runtime.ops.control_flow import NO_OUTCOME, Branches

__all__ = ["stage_choice", "stage_if"]


def stage_if(test: Any, body: Body, orelse: Body, state: State, *, differs_by_turn: bool = False) -> None:
    """Both arms as the branches of a `StatelessIf`.

    Where the test is one of Python's that turns of a rolled loop decide otherwise, the arms have to leave
    what is the same for Python, or tensors of one kind.
    """
    state = following(state)
    with restored_on_error(state):
        watch = Watch(state, (body, orelse))
        for _ in range(_MOST_STARTS):
            if _is_staged(test, (body, orelse), state, watch, differs_by_turn=differs_by_turn):
                return
        raise StateDisagrees(
            "what this `if` changes does not settle",
            where=caller_location(),
            why="Each time its branches were traced, something else had changed: a list of the graph, say, "
            "to which code that is not converted appends.",
            way_out="Let what changes it be converted, or return what it adds and append that here.",
        )


def _is_staged(
    test: Any, arms: tuple[Body, Body], state: State, watch: Watch, *, differs_by_turn: bool
) -> bool:
    """Adds the branches to the graph; False when they have to be traced anew with what was learnt."""
    before = state.get()
    try:
        _branch(test, arms, state, before, watch, differs_by_turn=differs_by_turn)
    except Unsure:
        state.set(before)
        return False
    except Grows as growth:
        refuse_growth([owner for owner, _ in growth.models])
        state.set(before)
        growth.pass_on()
        watch.reconsider()
        watch.become_staged(growth.models)
        return False
    except GiveWay as found:
        state.set(before)
        watch.reconsider()
        watch.make_way(found.arrays)
        return False
    return True


def stage_choice(test: Any, body: Thunk, orelse: Thunk, *, differs_by_turn: bool = False) -> Any:
    """The value of one of two expressions, as `stage_if` with a variable for it.

    Where turns of a rolled loop decide otherwise, that may be one of two numbers of Python's of one class.
    """
    values: list[Any] = [Undefined("the value")]

    def set_state(state: tuple[Any, ...]) -> None:
        values[:] = state

    def evaluate(expression: Thunk) -> None:
        values[:] = [expression()]

    state = State(lambda: tuple(values), set_state, ("the value",), 1, (Role.HELPER,))
    stage_if(test, lambda: evaluate(body), lambda: evaluate(orelse), state, differs_by_turn=differs_by_turn)
    return values[0]


set_chooser(stage_choice)


@dataclass
class _Outcome:
    """What an arm leaves in the variables, and in the places that it changes."""

    values: tuple[Any, ...]
    changes: Changes
    ends: Mapping[int, Any]
    outdated: Mapping[int, Any]
    elements: Mapping[int, Any]

    def with_places(self, changed: Sequence[Place]) -> tuple[Any, ...]:
        """The variables, and these places: what the arm does not change is as it was before."""
        if not changed:
            return self.values
        own = {place.key: value for place, value in self.changes.values()}
        return (*self.values, *[own[each.key] if each.key in own else self._left(each) for each in changed])

    def _left(self, place: Place) -> Any:
        """What a place holds that the arm has not announced as a whole: some of its items it may have.

        Or the attribute of the class that an instance shows.
        """
        if isinstance(place, Attribute) and place.is_own() is False:
            own = {key: now for key, (_, now) in self.changes.items()}
            for kind in place.classes():
                changed = place.at(kind)
                now = own.get(changed.key, Undefined(place.name))
                if type(now) is not Undefined:
                    return now
                if changed.is_own() is not False:
                    break
        value = left_alone(place)
        if isinstance(place, Contents) and isinstance(value, dict):
            for each, now in self.changes.values():
                if isinstance(each, Item) and each.owner is place.owner:
                    value = value | {each.item: now}
            return {key: now for key, now in value.items() if type(now) is not Undefined}
        return value


def _branch(
    test: Any,
    arms: tuple[Body, Body],
    state: State,
    before: tuple[Any, ...],
    watch: Watch,
    *,
    differs_by_turn: bool,
) -> None:
    """Traces both arms, joins them, and sets what is left."""
    branches = Branches(test)

    def outcome(number: int) -> _Outcome:
        state.set(before)
        _, values, changes = watch.run(lambda: outcome_or_raise(arms[number]), number)
        return _Outcome(values[: state.nouts], changes, watch.ends, watch.outdated, watch.elements)

    with watch.tracing():
        outcomes = [branches.trace(lambda: outcome(0)), branches.trace(lambda: outcome(1))]
    state.set(before)  # what joins the arms must not see the variables of one of them
    places_left = [place for found in outcomes for place, _ in getattr(found, "changes", {}).values()]
    known = {place.key: place for place in places_left}
    changed = [place for place in known.values() if not place.is_part_of(known)]
    names = [*state.labels[: state.nouts], *[place.name for place in changed]]
    joins = Joins((branches.builders[0], branches.builders[1]), watch.outlives, watch.is_of_turn)
    joins.before = watch.begun
    joins.ends = getattr(outcomes[0], "ends", {}), getattr(outcomes[1], "ends", {})
    roles = [*state.roles[: state.nouts], *[place.role for place in changed]]
    left, right = _in_one_form(joins, outcomes, changed, names, roles, watch, branches.location)
    if differs_by_turn:
        _require_alike(left, right, chooses=state.roles[:1] == (Role.HELPER,))
    result = released(_joined(branches, joins, (left, right), outcomes, names))
    if differs_by_turn:
        numbers_that_meet.note_meeting(result)
    state.set((*result[: state.nouts], *before[state.nouts :]))
    rows = [() if found is NO_OUTCOME else found.with_places(changed) for found in outcomes]
    kept = ids_within([value for row in rows for value in row])
    give(changed, result[state.nouts :])
    require_outer_variables(result, builder_in_use(), branches.location)
    are_contents = [isinstance(place, Contents) for place in changed]
    for number, found in enumerate(outcomes):
        if found is not NO_OUTCOME:
            note_copies(
                rows[number],
                result,
                names,
                number,
                are_contents=are_contents,
                kept=kept,
                chosen=joins.chosen,
                elements=found.elements,
                outdated=found.outdated,
            )
            heap.outdate({**staging.outdated, **found.outdated})
    for found in outcomes:
        if found is not NO_OUTCOME:
            staging.copies = {**found.elements, **staging.copies}


def _require_alike(left: Any, right: Any, *, chooses: bool) -> None:
    """Sees to it that what the arms leave is for Python what either arm would have left alone.

    An expression that `chooses` may give a number of Python's.

    Raises
    ------
    GiveUp
        Where it is a number of Python's in some turns, and a tensor or another number in others.
    """
    if left is NO_OUTCOME or right is NO_OUTCOME:  # one raises, and leaves nothing
        return
    (lefts, structure), (rights, other) = flatten(left), flatten(right)
    if structure != other:
        raise GiveUp(DIFFERS)
    for one, another in zip(lefts, rights, strict=True):
        if one is another:
            continue
        are_tensors = is_symbolic(one) and is_symbolic(another)
        are_numbers = chooses and _kind(one) == _kind(another) is not None
        is_alike = are_tensors and spec_of(one) == spec_of(another) and is_weak(one) == is_weak(another)
        if not (is_alike or are_numbers or numbers_that_meet.are_one_number(one, another)):
            raise GiveUp(DIFFERS)


def _kind(leaf: Any) -> str | None:
    """The kind of a number of Python's, which may stand in the graph; None of all else."""
    if isinstance(leaf, TurnNumber):
        return kind_of(leaf.ag__kind())
    return kind_of(leaf) if type(leaf) in NUMBERS or (is_symbolic(leaf) and is_weak(leaf)) else None


def _joined(
    branches: Branches,
    joins: Joins,
    forms: tuple[Any, Any],
    outcomes: Sequence[Any],
    names: Sequence[str],
) -> Any:
    """What both arms leave, once more as one nest; arrays in it that may be one are known as that."""
    sides = list(zip((1, 0), forms, branches.builders, strict=True))
    paths = {holds: flatten(form)[0] for holds, form, _ in sides if form is not NO_OUTCOME}
    builders = {holds: builder for holds, _, builder in sides}
    which = numbers_of_branches(paths, builders, joins.sees_outside)
    indices = indices_of_views(paths, builders, joins.sees_outside)
    left, right = [
        form
        if form is NO_OUTCOME
        else (
            *frozen(form, found.changes.values(), builder),
            *[number for each in which.values() for number in each.numbers[holds]],
            *[each.at(holds, builder) for each in indices],
        )
        for (holds, form, builder), found in zip(sides, outcomes, strict=True)
    ]
    counts = [len(next(iter(each.numbers.values()))) for each in which.values()]
    carried = [*["the number of an array"] * sum(counts), *["the index of a view"] * len(indices)]
    result = branches.join(left, right, [*names, *carried])
    count = len(result) - len(carried)
    rest = iter(result[count:])
    numbers = {index: list(islice(rest, own)) for index, own in zip(which, counts, strict=True)}
    known = dict(zip([each.value for each in indices], rest, strict=True))
    leaves, structure = flatten(result[:count])
    for leaf, *alike in zip(leaves, *paths.values(), strict=True):
        note_array(leaf, *alike)
    if not any(map(ops.is_array, leaves)):
        return unflatten(structure, leaves)
    ties = {index: partial(which[index].tie, number) for index, number in numbers.items()}
    return unflatten(structure, related(paths, leaves, joins.sees_outside, branches.test, ties, known))


def _in_one_form(
    joins: Joins,
    outcomes: Sequence[Any],
    changed: Sequence[Place],
    names: Sequence[str],
    roles: Sequence[Role],
    watch: Watch,
    where: Location,
) -> tuple[Any, Any]:
    """What two arms leave, as two tuples of one structure; an arm without an outcome stays so."""
    tuples: list[Any] = [found if found is NO_OUTCOME else found.with_places(changed) for found in outcomes]
    left, right = tuples
    if left is NO_OUTCOME or right is NO_OUTCOME:
        left, right = [
            found if found is NO_OUTCOME else joins.keep_all(found, path) for path, found in enumerate(tuples)
        ]
        return left, right
    joins.where = where
    joins.contents = watch.contents(changed, left, right)
    joins.unites = not is_strict()
    require_branches(names, roles, left, right, changed)
    _require_lengths(joins, tuples, changed)
    kinds = [Missing()] * (len(names) - len(changed)) + [place.absence for place in changed]
    pairs = joins.pairs(names, left, right, kinds)
    return tuple([one for one, _ in pairs]), tuple([other for _, other in pairs])


def _require_lengths(joins: Joins, tuples: Sequence[Any], changed: Sequence[Place]) -> None:
    """Sees to it that both arms leave every container of Python's equally long."""
    models = []
    for place, *contents in zip(reversed(changed), *map(reversed, tuples), strict=False):
        if isinstance(place, Contents) and any(is_other_length(place.owner, each) for each in contents):
            longer = len(contents[1]) > len(contents[0])
            if len(contents[0]) != len(contents[1]) or isinstance(place.owner, set | dict):
                with building(joins.builders[longer]):
                    models.append((place.owner, model_of(place.owner, contents[longer])))
        elif isinstance(place, Item) and may_be_staged(place):
            missing = [type(each) is Undefined for each in contents]
            if missing[0] != missing[1]:
                with building(joins.builders[missing[0]]):
                    end = joins.ends[missing[0]].get(id(place.owner), place.owner)
                    models.append((place.owner, model_of(place.owner, end)))
    if models:
        raise Grows(models)


_MOST_STARTS = 48
"""Attempts in which what the branches change must be found."""
