"""Joins the values that two paths leave in a variable: brings both into one structure, dtype and shape.

Values that may be missing get a validity bit. Everything else has to agree: `runtime` joins dtypes and
shapes, and refuses structures that differ.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from enum import Enum
from functools import partial
from typing import Any

from autograph.backends.tensors.containers import fields, histories, numbered_lists, ragged
from autograph.backends.tensors.containers.catalogues import can_be_held
from autograph.backends.tensors.containers.elements import AsPutIn, Elements, Replayed, as_put_in, plain
from autograph.backends.tensors.containers.keyed import StagedKeyed
from autograph.backends.tensors.containers.lists import (
    COPIED,
    Staged,
    StagedList,
    StagedTuple,
    changes_in_place,
    contents_of,
)
from autograph.backends.tensors.containers.other_names import Spot, other_names
from autograph.backends.tensors.containers.sharing import is_copy, is_known_object
from autograph.backends.tensors.iteration.items import as_ranges
from autograph.backends.tensors.objects.choices import (
    OneOf,
    as_text,
    candidates_of,
    choose,
    is_numbered,
    number_of,
    over,
    possible_values,
    require_few,
)
from autograph.backends.tensors.statements import lengths, made_inside, numbers_beside
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.outer_objects import OuterObject, OuterObjects, stand_in
from autograph.backends.tensors.text import words
from autograph.backends.tensors.text.strings import Text, grounded
from autograph.staging.state import OF_VARIABLES, Missing, Undefined, UndefinedReturnValue
from runtime import ops
from runtime.core.structure import flatten, level_of, unflatten
from runtime.core.taken_apart import was_made
from runtime.errors import StateDisagrees
from runtime.graph.arrays import Unknown
from runtime.graph.build import as_tensor, building, is_strict
from runtime.graph.builder import Builder
from runtime.graph.location import Location
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import ABSENT
from runtime.ops.control_flow.tracing import EMPTY, absent, has_no_value, is_same_object, is_tensor

__all__ = ["Joins"]

Maybe = MaybeNone | MaybeUndefined


class Joins(OuterObjects):
    """The common forms of one statement's outcomes.

    Attributes
    ----------
    where : Location, or None
        The statement; containers that were there before are joined item by item, except for those of which it
        has shown that they have other names, too. None where all of them are objects.
    chosen : dict
        By the index of a variable, and where in it one of several objects is found:
        what either path has left, and the number among the objects that this has become.
    changed : set of int
        The ids of containers that hold something else by now than when the values were left.
    sides : pair of int
        Which paths of the statement these are; those that leave a `try` are one.
    unites : bool
        Whether values that have no common form become one of several objects.

    Parameters
    ----------
    builders, outlives, is_of_turn
        See `OuterObjects`.
    """

    def __init__(
        self,
        builders: tuple[Builder, Builder],
        outlives: Callable[[Any], bool],
        is_of_turn: Callable[[Any], bool],
    ) -> None:
        super().__init__(builders, outlives, is_of_turn)
        self.where: Location | None = None
        self.changed: Collection[int] = ()
        self.sides = 0, 1
        self.unites = False
        self.chosen: dict[tuple[int, Spot], tuple[Sequence[tuple[Any, int]], ...]] = {}
        self._lost: dict[tuple[int, Spot], OuterObject] = {}
        self._built: dict[int, Any] = {}

    def pairs(
        self,
        names: Sequence[str],
        lefts: Sequence[Any],
        rights: Sequence[Any],
        missing: Sequence[Missing],
        fixed: Sequence[Any] | None = None,
    ) -> list[tuple[Any, Any]]:
        """Both values of each variable in one form; `fixed` is that of what stays the same."""
        found = []
        for index, each in enumerate(zip(names, lefts, rights, missing, strict=True)):
            self._index = index
            form = None if fixed is None else fixed[index]
            found.append(self.pair(*each) if form is None else (form, form))
        return found

    def pair_of_row(self, index: int, name: str, left: Any, right: Any) -> tuple[Any, Any]:
        """Both values of the variable with this index in one form."""
        self._index = index
        return self.pair(name, left, right)

    def pair(self, name: str, left: Any, right: Any, missing: Missing = OF_VARIABLES) -> tuple[Any, Any]:
        """Both values of a variable in one form, with `ABSENT` for the leaves that only the other one has.

        Parameters
        ----------
        name : str
            The variable.
        left, right : nest
            Its value on either path; `Undefined` where it has none.
        missing : type of exception
            What Python raises where it has none.

        Returns
        -------
        pair of nests
            Of one structure where there is a form that holds both.
        """
        is_one_set = type(left) is set is type(right) and left == right and self._are_contents(left, right)
        if left is right or is_one_set or _is_same_array(left, right):
            kept = self.keep_array(left) or self.keep(left)
            return kept, kept
        if type(left) in _NUMBERS and type(right) in _NUMBERS:
            return self._objects(name, left, right) if self._are_of_two_kinds(left, right) else (left, right)
        if isinstance(left, Undefined) or isinstance(right, Undefined):
            return self._undefined(name, left, right, missing)
        returns = isinstance(left, UndefinedReturnValue), isinstance(right, UndefinedReturnValue)
        if any(returns):
            present = self.keep_all(left, 0) if returns[1] else self._alone(name, right)
            lone = present if all(returns) else absent(present)
            return (lone, present) if returns[0] else (present, lone)
        unknown = next((each for each in (left, right) if isinstance(each, Unknown)), None)
        if unknown is not None:  # what an array holds, on either path
            kept = self._lost.setdefault((self._index, self._spot), OuterObject(unknown))
            return kept, kept
        if left is None or right is None or isinstance(left, MaybeNone) or isinstance(right, MaybeNone):
            return self._none(name, left, right)
        return self._containers(name, self._of_graph(left, 0), self._of_graph(right, 1))

    def _are_contents(self, *values: Any) -> bool:
        """Whether these are copies of what a container holds."""
        return all(id(value) in self.contents for value in values)

    def _undefined(self, name: str, left: Any, right: Any, error: Missing) -> tuple[Any, Any]:
        """A variable that one path leaves without a value."""
        missing = (
            type(left) in {Undefined, made_inside.Unreadable},
            type(right) in {Undefined, made_inside.Unreadable},
        )
        if any(made_inside.is_unreadable(each) for each in (left, right)):
            error = Missing(StateDisagrees)
        if all(missing):
            one = right if isinstance(right, made_inside.Unreadable) else left
            return one, one
        if error.kind is KeyError and error is not fields.OF_RECORDS:
            raise StateDisagrees(
                f"`{name}` is in its dict on one path of this statement, and not on the other",
                why="A tensor decides between the paths, and a dict of a graph has the same keys on both.",
                way_out="Give the key a value before the statement.",
            )
        one, other = self._present(name, left, right, missing, MaybeUndefined)
        if error is fields.OF_RECORDS:
            name = "a key"  # which is part of the form, whatever the record is called
        return (
            MaybeUndefined(name, _validity(left, missing[0], MaybeUndefined), one, error),
            MaybeUndefined(name, _validity(right, missing[1], MaybeUndefined), other, error),
        )

    def _none(self, name: str, left: Any, right: Any) -> tuple[Any, Any]:
        """A variable that is None on one path."""
        missing = left is None, right is None
        one, other = self._present(name, left, right, missing, MaybeNone)
        return (
            MaybeNone(_validity(left, missing[0], MaybeNone), one),
            MaybeNone(_validity(right, missing[1], MaybeNone), other),
        )

    def _present(
        self, name: str, left: Any, right: Any, missing: tuple[bool, bool], kind: type[Maybe]
    ) -> tuple[Any, Any]:
        """What is behind the bits, in one form."""
        one = left.ag__value if isinstance(left, kind) else left
        other = right.ag__value if isinstance(right, kind) else right
        if missing[0]:
            present = self._alone(name, other)
            return absent(present), present
        if missing[1]:
            present = self.keep_all(one, 0)
            return present, absent(present)
        return self.pair(name, one, other)

    def _alone(self, name: str, value: Any) -> Any:
        """What only the second path has: of a turn, without candidates that nobody can tell from others."""
        kept = self.keep_all(value, 1)
        return kept if self.around is None else self._with_few(name, kept, value, self._spot)

    def _with_few(self, name: str, kept: Any, value: Any, spot: Spot) -> Any:
        level, before = level_of(kept), level_of(self.ends[1].get(id(value), value))
        if level is None or before is None or is_numbered(kept):
            return kept
        if isinstance(kept, OneOf):
            rows = zip(candidates_of(kept), candidates_of(value), strict=True)
            chosen = OneOf(number_of(kept), tuple([self._with_few(name, *row, spot) for row in rows]))
            few, places = self._merged(name, chosen)
            self.chosen[self._index, spot] = [], list(zip(candidates_of(value), places, strict=True))
            return few
        inner = zip(level[0].keys, level[1], before[1], strict=True)
        return level[0].build([self._with_few(name, one, own, (*spot, key)) for key, one, own in inner])

    def _containers(self, name: str, left: Any, right: Any) -> tuple[Any, Any]:
        """Two containers of one kind, item by item."""
        if isinstance(left, Elements) and isinstance(right, Elements):
            return self._of_one_form(left, right)
        if isinstance(left, fields.Fields) and isinstance(right, fields.Fields):
            return self._fields(name, left, right)
        if not numbered_lists.NUMBERED_KINDS.isdisjoint((type(left), type(right))):
            numbered_lists.require_numbers(left, right, may_start_anew=self.late is None)
            return left, right
        if not is_strict() and words.is_one_text(left, right, in_loop=self.around is not None):
            return self._texts(left, right)
        left, right = as_ranges(left, right)
        if self.around is not None and not is_strict() and lengths.are_tuples_of_lengths(left, right):
            left, right = [self._as_tuple(index, value) for index, value in enumerate((left, right))]
        left, right = self._of_turns(name, left, right)
        if self._are_objects(name, left, right):
            return self._objects(name, left, right)
        left, right = self.ends[0].get(id(left), left), self.ends[1].get(id(right), right)
        if lengths.lengths_differ(left, right, in_loop=self.around is not None):
            first, second = [self._listed(index, value) for index, value in enumerate((left, right))]
            if first is None or second is None:
                return lengths.without(first, second, (left, right))
            first, second = self._of_one_form(first, second)
            return lengths.built_like(left, first), lengths.built_like(left, second)
        one, other = level_of(left), level_of(right)
        if one is None or other is None:
            if _is_same_object(left, right):  # two strings of the same characters are one
                return left, left
            values = [is_tensor(each) and not isinstance(each, StagedList) for each in (left, right)]
            are_few = not any(values) or numbers_beside.are_text_and_number(self.builders, left, right)
            are_objects = self.around is not None and not is_strict() and are_few
            is_choice = are_objects or (self.unites and not all(values))
            is_choice = is_choice or self._are_of_two_kinds(left, right)
            return self._objects(name, left, right) if is_choice else (left, right)
        (form, lefts), (other_form, rights) = one, other
        if form != other_form:
            is_choice = self.unites or (
                self.around is not None
                and (lengths.are_records(left, right) or _are_of_two_classes(left, right))
            )
            return self._objects(name, left, right) if is_choice else (left, right)
        pairs, spot = [], self._spot
        for key, *children in zip(form.keys, lefts, rights, strict=True):
            self._spot = (*spot, key)
            pairs.append(self.pair(name, *children))
        self._spot = spot
        return form.build([first for first, _ in pairs]), form.build([second for _, second in pairs])

    def _fields(
        self, name: str, left: fields.Fields, right: fields.Fields
    ) -> tuple[fields.Fields, fields.Fields]:
        """What two records hold, key by key: one that a path has not put in is missing there."""
        ones: dict[str, tuple[Any, Any]] = {}
        others: dict[str, tuple[Any, Any]] = {}
        spot = self._spot
        for key in sorted({**left.held, **right.held}):
            self._spot = (*spot, ("held", key))
            one, other = [each.held.get(key, Undefined(key)) for each in (left, right)]
            one, other = self.pair(name, one, other, fields.OF_RECORDS)
            numbers = [each.since[key] for each in (left, right) if type(each.since.get(key)) is int]
            number = numbers[0] if numbers else 0  # of one that is not there, which may be any
            since = [each.since.get(key, number) for each in (left, right)]
            if any(type(each) is not int for each in since) or since[0] != since[1]:
                since = [*map(as_tensor, since)]
            ones[key], others[key] = (one, since[0]), (other, since[1])
        self._spot = spot
        return fields.Fields.of(ones), fields.Fields.of(others)

    def _of_turns(self, name: str, left: Any, right: Any) -> tuple[Any, Any]:
        """Two sets, or dicts with other keys, as those of the graph, where each turn makes another."""
        rows = [possible_values(each) for each in (left, right)]
        kinds = [{each.built if isinstance(each, Staged) else type(each) for each in row} for row in rows]
        if (
            self.around is None
            or self.late is not None
            or is_strict()
            or not all(each <= _KEYED and len(each) == 1 for each in kinds)
        ):
            return left, right
        if isinstance(left, dict) and isinstance(right, dict) and [*left] == [*right]:
            return left, right
        if all(self._is_outer(each) for row in rows for each in row):
            return left, right
        if lengths.have_fields(
            [self.ends[path].get(id(each), each) for path, row in enumerate(rows) for each in row]
        ):
            return left, right
        found = []
        for path, (value, row) in enumerate(zip((left, right), rows, strict=True)):
            held = [self.ends[path].get(id(each), each) for each in row]
            if not all(map(_has_keys_of_graph, held)) or any(
                self._is_object(name, each, path) for each in row
            ):
                return left, right
            with building(self.builders[path]):
                if isinstance(value, OneOf):
                    one = ragged.as_one(number_of(value), held)
                else:
                    one = value if isinstance(value, Staged) else stand_in(value, held[0])
            if one is None:
                return left, right
            found.append(one)
        return found[0], found[1]

    def _texts(self, left: Any, right: Any) -> tuple[Text, Text]:
        """Two strings, or texts of the run, by their characters."""
        with building(self.builders[0]):
            one = grounded(as_text(left))
        with building(self.builders[1]):
            return one, grounded(as_text(right))

    def _of_one_form(self, left: Elements, right: Elements) -> tuple[Elements, Elements]:
        """The contents of two lists, or sets; how a set came about is known where it is on both paths."""
        are_as_put_in = isinstance(left, AsPutIn) and isinstance(right, AsPutIn)
        one, other = self._agreed(plain(left), plain(right))
        if are_as_put_in:
            return as_put_in(one), as_put_in(other)
        with building(self.builders[0]):
            first = histories.history_of(left)
        with building(self.builders[1]):
            second = histories.history_of(right)
        if first is None or second is None or self.late is not None:
            return one, other
        steps, keys = self._agreed(first.steps, second.steps), self._agreed(first.keys, second.keys)
        return Replayed(one, steps[0], keys[0]), Replayed(other, steps[1], keys[1])

    def _agreed(self, left: Elements, right: Elements) -> tuple[Elements, Elements]:
        """The contents of two lists: one that was always empty takes the form of the other one."""
        if lengths.has_no_form(left) and left.form != right.form:
            return self._none_like(right, left, 0), right
        if lengths.has_no_form(right) and left.form != right.form:
            return left, self._none_like(left, right, 1)
        if self.late is not None:  # what is at a checkpoint of a `try` cannot be converted there
            return left, right
        are_alike = left.form == right.form and not left.stays_apart_from(right)
        form = None if are_alike else ragged.common_form([left, right])
        if form is None:
            return left, right
        with building(self.builders[0]):
            left = ragged.converted(left, form)
        with building(self.builders[1]):
            return left, ragged.converted(right, form)

    def _none_like(self, other: Elements, own: Elements, path: int) -> Elements:
        """No elements, in the form of another path's.

        Where a path has no such list at all, the other one's will do. At a checkpoint of a `try` none can be
        made.
        """
        if ABSENT in own.handles or (self.late is None and any(map(has_no_value, other.handles))):
            return Elements(other.form, [ABSENT] * len(other.handles))
        if self.late is not None:
            return Elements(other.form, [EMPTY] * len(other.handles))
        with building(self.builders[path]):
            return other.emptied()

    def _listed(self, path: int, value: Any) -> Elements | None:
        """What a list holds at the end of a path; None where the path has no such list."""
        if any(leaf is ABSENT for leaf in flatten(value)[0]):
            return None
        with building(self.builders[path]):
            return contents_of(_at_end(value, self.ends[path]))

    def _as_tuple(self, path: int, value: Any) -> Any:
        """One of several tuples as a tuple of the graph."""
        if not isinstance(value, OneOf) or is_numbered(value):
            return value
        with building(self.builders[path]), other_names().joining_values():
            return over((value,), lambda one: StagedTuple(contents_of(one)))

    def _are_objects(self, name: str, left: Any, right: Any) -> bool:
        """Whether these are different objects that a graph cannot hold, but can choose by number."""
        if isinstance(left, OneOf) or isinstance(right, OneOf):
            return True
        if not is_strict() and (
            self._is_object(name, left, 0) or self._is_object(name, right, 1) or self._are_outer(left, right)
        ):
            return True
        for value in (left, right):
            is_nest = level_of(value) is not None and not isinstance(value, Text)
            if (is_tensor(value) and not isinstance(value, Enum)) or (
                is_nest and not self._is_instance(value)
            ):
                return False
        return not _is_same_object(left, right)

    def _is_object(self, name: str, value: Any, side: int) -> bool:
        """Whether this is a container that something else may hold: it stays the object that it is."""
        is_copy_here = id(value) in self.contents or id(value) in self._built
        if not changes_in_place(value) or is_copy_here or not self._is_of_outside(value):
            return False
        if self.where is None or id(value) in self.changed:
            return True
        return is_known_object(self.where, name, self._spot, self.sides[side])

    def _are_outer(self, left: Any, right: Any) -> bool:
        """Whether both are known to have been there before, where something else holds them as a rule."""
        return all(
            changes_in_place(each) and id(each) not in self.contents and self._is_outer(each)
            for each in (left, right)
        )

    def _is_outer(self, value: Any) -> bool:
        if self._is_of_turn(value):
            return False
        return self._outlives(value) or other_names().guess(value, self.before)

    def _is_instance(self, value: Any) -> bool:
        """Whether this is an object with attributes that was there before the statement."""
        is_instance = changes_in_place(value) and type(value) not in COPIED
        return is_instance and not was_made(value) and self._is_of_outside(value)

    def _with_objects(self, name: str, chosen: OneOf, side: int, known: Collection[int]) -> OneOf:
        """The choice with every candidate as a leaf that is an object of its own."""
        candidates = [self._candidate(name, each, side, known) for each in candidates_of(chosen)]
        return OneOf(number_of(chosen), tuple(candidates))

    def _candidate(self, name: str, value: Any, side: int, known: Collection[int]) -> Any:
        """What stands for a candidate where two paths meet."""
        is_made = is_copy(value) or id(value) in self.contents
        is_outer = not is_made if id(value) in known else self._is_outer(value)
        is_outer = is_outer or (type(value) is partial and not was_made(value))
        is_object = is_outer or (self._is_object(name, value, side) and not self._is_of_turn(value))
        if changes_in_place(value) and not (is_object and self._is_of_outside(value)):
            ends = self.ends[side]
            level = level_of(ends.get(id(value), value))
            if level is None:
                return self._of_graph(value, side)
            return level[0].build([self._kept(child, self._spot, ends) for child in level[1]])
        return self.keep(value)

    def _is_one(self, left: Any, right: Any) -> bool:
        """Whether two candidates become one: nobody can tell lists of one form that nothing else holds."""
        if _is_same_object(left, right) or numbers_beside.are_one_number(self.builders, left, right):
            return True
        kind = type(left)
        if kind is tuple and type(right) is tuple and lengths.are_one_tuple(left, right):
            return True
        if kind is not type(right) or not (kind in COPIED or (was_made(left) and was_made(right))):
            return False
        if kind is list or kind is StagedList:
            return True
        level, other = level_of(left), level_of(right)
        return level is not None and other is not None and level[0] == other[0]

    def _are_of_two_kinds(self, left: Any, right: Any) -> bool:
        """Whether two numbers stay what they are: one of two objects."""
        one, other = [each.value if isinstance(each, OuterObject) else each for each in (left, right)]
        return numbers_beside.are_of_two_kinds(self.builders, one, other)

    def _objects(self, name: str, left: Any, right: Any) -> tuple[Any, Any]:
        """A choice between all the objects that either path may leave."""
        one = left if isinstance(left, OneOf) else OneOf(0, (left,))
        other = right if isinstance(right, OneOf) else OneOf(0, (right,))
        chosen = [
            each for value in (left, right) if isinstance(value, OneOf) for each in candidates_of(value)
        ]
        known = set(map(id, chosen))
        before = candidates_of(one), candidates_of(other)
        if self.around is not None:
            numbers_beside.require_no_cells(name, before[1])
        one, other = self._with_objects(name, one, 0, known), self._with_objects(name, other, 1, known)
        if self.around is not None:
            rows = zip(candidates_of(other), before[1], strict=True)
            few = tuple([self._with_few(name, *row, self._spot) for row in rows])
            other = OneOf(number_of(other), few)
        indices = list(range(len(before[1])))
        other, merged = self._merged(name, other) if self.late is None else (other, indices)
        places: list[int] = []
        lefts, rights = list(candidates_of(one)), [absent(each) for each in candidates_of(one)]
        for candidate in candidates_of(other):
            free = (i for i, each in enumerate(lefts) if i not in places and self._is_one(each, candidate))
            place = next(free, len(lefts))
            if place == len(lefts):
                lefts.append(absent(candidate))
                rights.append(candidate)
            else:
                lefts[place], rights[place] = self._copies(name, lefts[place], candidate)
            places.append(place)
        require_few([rights[i] if each is ABSENT else each for i, each in enumerate(lefts)], f"`{name}`")
        self.chosen[self._index, self._spot] = (
            list(zip(before[0], range(len(lefts)), strict=False)),
            list(zip(before[1], [places[each] for each in merged], strict=True)),
        )
        if self.late is not None:
            first = self.late.of(number_of(one), range(len(before[0])))
            second = self.late.of(number_of(other), places)
            return OneOf(first, tuple(lefts)), OneOf(second, tuple(rights))
        number = places[0] if len(places) == 1 else number_of(other)
        if len(places) > 1 and places != list(range(len(places))):
            number = self._renumbered(places, number)
        return OneOf(number_of(one), tuple(lefts)), OneOf(number, tuple(rights))

    def _copies(self, name: str, left: Any, right: Any) -> tuple[Any, Any]:
        """Two candidates in one form that are no objects, but copies; what is in them may be objects."""
        if numbers_beside.are_one_number(self.builders, left, right):  # one may be an infinity that is known
            return left, right
        self._built = {id(left): left, id(right): right}
        return self.pair(name, left, right)

    def _merged(self, name: str, chosen: OneOf) -> tuple[OneOf, list[int]]:
        """A choice of the second path, where candidates that nobody can tell from each other are one.

        And which of them each one has become.
        """
        within = Joins((self.builders[1], self.builders[1]), self._outlives, self._is_of_turn)
        within.where, within.unites, within.contents = self.where, self.unites, self.contents
        within.sides, within.changed, within.before = self.sides, self.changed, self.before
        merged: list[Any] = []
        places = []
        for index, candidate in enumerate(candidates_of(chosen)):
            place = next((i for i, each in enumerate(merged) if self._is_one(each, candidate)), len(merged))
            if place < len(merged):
                pair = within._copies(name, merged[place], candidate)
                with building(self.builders[1]):
                    is_it = number_of(chosen) is ABSENT or number_of(chosen) == index
                    found = _either(is_it, pair[1], pair[0])
                if found is None:
                    place = len(merged)
                else:
                    merged[place] = found
            if place == len(merged):
                merged.append(candidate)
            places.append(place)
        if len(merged) == len(places):
            return chosen, places
        return OneOf(self._renumbered(places, number_of(chosen)), tuple(merged)), places

    def _renumbered(self, places: Sequence[int], number: Any) -> Any:
        """What the number of one of several objects of the second path is, when they have other places."""
        if number is ABSENT:  # the path has none of them
            return number
        with building(self.builders[1]):
            return ops.take(ops.asarray(places), number)


def _are_of_two_classes(left: Any, right: Any) -> bool:
    """Whether these are two dicts or sets of the graph, as a dict and a `defaultdict`: one of two objects."""
    are_keyed = isinstance(left, StagedKeyed) and isinstance(right, StagedKeyed)
    return are_keyed and left.built is not right.built


_KEYED = frozenset({set, dict, Counter, defaultdict, OrderedDict})
"""Containers of which a graph holds the keys."""
_NUMBERS = frozenset({bool, int, float, complex, Symbol})
"""Classes of most values that two paths leave: those of a graph, and Python's numbers."""


def _has_keys_of_graph(container: Any) -> bool:
    """Whether a graph can hold the keys of a container."""
    return isinstance(container, Staged) or all(key is not None and can_be_held(key) for key in container)


def _either(test: Any, value: Any, other: Any) -> Any:
    """One of two values, whose leaves are tensors where they differ; None where they are not of one form."""
    leaves, structure = flatten(value)
    others, other_structure = flatten(other)
    if structure != other_structure:
        return None
    leaves = [theirs if own is ABSENT else own for own, theirs in zip(leaves, others, strict=True)]
    others = [own if theirs is ABSENT else theirs for own, theirs in zip(leaves, others, strict=True)]
    unlike = [index for index, leaf in enumerate(leaves) if leaf is not others[index]]
    if not all(is_tensor(leaf) for index in unlike for leaf in (leaves[index], others[index])):
        return None
    chosen = choose(
        test, lambda: tuple([leaves[i] for i in unlike]), lambda: tuple([others[i] for i in unlike])
    )
    for index, leaf in zip(unlike, chosen, strict=True):
        leaves[index] = leaf
    return unflatten(structure, leaves)


def _at_end(value: Any, ends: Mapping[int, Any]) -> Any:
    """The value with every container in it as a path left it."""
    value = ends.get(id(value), value)
    level = level_of(value) if ends else None
    if level is None or (changes_in_place(value) and type(value) not in COPIED):
        return value
    form, children = level
    inner = [_at_end(child, ends) for child in children]
    same = all(one is other for one, other in zip(inner, children, strict=True))
    return value if same else form.build(inner)


def _is_same_object(left: Any, right: Any) -> bool:
    """Whether two candidates are one: the same object, the same string, or texts of one form."""
    if isinstance(left, OuterObject) and isinstance(right, OuterObject):
        return left.value is right.value
    if isinstance(left, Text) and isinstance(right, Text):
        return level_of(left)[0] == level_of(right)[0]  # type: ignore[index]  # texts are containers
    return is_same_object(left, right)


def _is_same_array(left: Any, right: Any) -> bool:
    """Whether two tensors of a graph are one array."""
    return ops.is_array(left) and ops.is_array(right) and left.value is right.value


def _validity(value: Any, missing: bool, kind: type[Maybe]) -> Any:
    """The bit of a value that may be missing."""
    return value.ag__valid if isinstance(value, kind) else not missing
