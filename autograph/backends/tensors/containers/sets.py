"""`StagedSet`: a set of values of the graph, with the interface of Python's, but for what order decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.catalogues import refuse_text_of_set
from autograph.backends.tensors.containers.elements import AsPutIn, Elements, Replayed, as_put_in, plain
from autograph.backends.tensors.containers.histories import (
    Step,
    history_of,
    made_of,
    place_of_popped,
    places_in_order,
    shown_in_order,
    then,
)
from autograph.backends.tensors.containers.keyed import (
    OwnNumbers,
    StagedKeyed,
    folded,
    keys_from,
    keys_in,
    python_keys,
    raise_always,
    refuses_keys,
    require_hash,
    with_key,
)
from autograph.backends.tensors.containers.lists import COPIED, StagedList, contents_of
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.containers.owners import slots_for
from autograph.backends.tensors.iteration.items import Items
from autograph.backends.tensors.objects.choices import choose
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.statements.refused import refused
from autograph.staging.fresh import order_of_adding
from autograph.staging.heap import leads_on
from autograph.staging.journal import recording
from autograph.staging.meeting import note_made
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import Boxes, Finish, register
from runtime.core.dtypes import (
    as_dtype,
)
from runtime.core.spec import (
    ArraySpec,
    as_shape,
)
from runtime.core.structure import Structure, flatten
from runtime.core.text import (
    Apply,
    Slot,
    mark_text,
)
from runtime.errors import NoConcreteValue
from runtime.graph.build import as_tensor, builder_in_use
from runtime.graph.location import Location, caller_location
from runtime.ops.host import Given, givens, recorded
from runtime.ops.raising import Nest

__all__ = ["OF_OTHER_ORDER", "StagedSet", "in_any_order", "new_set", "set_of_path", "unordered"]


@called("set")
@leads_on
class StagedSet(StagedKeyed):
    """A set of elements that only a run knows.

    Parameters
    ----------
    contents : Elements
    """

    changed = "Set changed size during iteration"
    built = set
    contents: Elements

    def __init__(self, contents: Elements) -> None:
        self.contents = contents
        note_made(self)

    __hash__ = None  # as Python's sets

    @property
    def keys_held(self) -> Elements:
        return self.contents

    @property
    def has_pythons_order(self) -> bool:
        """Whether the run can ask Python for the order: how the set came about is known, to the last step.

        Its elements were put in one after the other, on all paths, and none of them was ever taken out; or
        all that was done to it is among the values of the graph.
        """
        return isinstance(self.contents, AsPutIn | Replayed)

    def in_no_order(self) -> StagedSet:
        """The set itself, which was made of what had an order that only Python knows."""
        self.contents = plain(self.contents)
        return self

    @property
    def items(self) -> Items:
        if self.has_pythons_order:
            elements = self.contents
            if isinstance(elements, Replayed):
                places = places_in_order(elements)
            else:
                places = recorded(_places_in_set, (self, StagedList(plain(elements))), {}, _PLACES)
            return Items(elements.length, lambda index: elements.get(places[index]))
        other_names().replay_sets()
        raise NoConcreteValue(
            "a loop runs over a set whose elements only the run knows",
            where=caller_location(),
            why="The order of a set follows from how Python keeps it, and a graph keeps it otherwise.",
            way_out="Loop over `sorted(elements)`, or use a dict or a list.",
        )

    def add(self, element: Any) -> None:
        """Puts an element in."""
        place = self._place_for(element)
        found = with_key(plain(self.contents), place, element)
        is_put_in = isinstance(self.contents, AsPutIn)
        self._become(as_put_in(found) if is_put_in else self._after(found, Step.ADD, key=element))

    def _after(
        self, elements: Elements, step: Step, *, key: Any = None, other: Replayed | None = None
    ) -> Elements:
        """These elements, with what was done to the set so far, and one step more, where that is known.

        A step with another operand is known where that is.
        """
        history = history_of(self.contents)
        if history is None or (step not in _ALONE and other is None):
            return elements
        return then(history, step, elements, key=key, other=other)

    def remove(self, element: Any) -> None:
        """Takes an element out; a KeyError where it is not there."""
        found = plain(self.contents).without(self._place_of(element))
        self._become(self._after(found, Step.DISCARD, key=element))

    def discard(self, element: Any) -> None:
        """Takes an element out, where it is there."""
        held = plain(self.contents)
        if held.is_unknown:
            return
        place = self._place(element)
        if history_of(self.contents) is None:
            choose(place < held.length, partial(self._without, place), lambda: 0)
        else:
            found = choose(place < held.length, lambda: held.without(place), lambda: held)
            self._become(self._after(found, Step.DISCARD, key=element))

    def _without(self, place: Any) -> int:
        self._become(plain(self.contents).without(place))
        return 0

    def pop(self) -> Any:
        """An element, taken out: which one Python takes follows from how it keeps them."""
        held = plain(self.contents)
        if held.is_unknown:
            raise_always(KeyError(_EMPTY))
        other_names().replay_sets()
        refused(held.length == 0, KeyError(_EMPTY))
        history = history_of(self.contents)
        if history is None:
            refused(held.length > 1, _several(caller_location()))
        place = as_tensor(0) if history is None else place_of_popped(history)
        element = held.get(place)
        self._become(self._after(held.without(place), Step.POP))
        return element

    def tied(self, builtin: str) -> NoConcreteValue:
        """What the run says where several elements have the least or the greatest key."""
        return NoConcreteValue(
            f"several elements of a set have the key that {builtin}() looks for",
            where=caller_location(),
            why="Python takes the first of them. The order of a set follows from how Python keeps it, and a "
            "graph keeps it otherwise.",
            way_out=f"Say which of them comes first: `{builtin}(sorted(elements), key=…)`.",
        )

    def clear(self) -> None:
        """Takes everything out."""
        self._become(as_put_in(self.contents.emptied()))

    def copy(self) -> StagedSet:
        """Another set of the same elements, for which Python makes room ahead."""
        return StagedSet(self._after(plain(self.contents), Step.COPY))

    __copy__ = copy

    def update(self, *others: Any) -> None:
        """Puts the elements of others in."""
        for other in _without(self, others):
            elements = elements_of(other)
            if not (elements.is_unknown or refuses_keys(elements, elements.form)):
                found = folded(elements, plain(self.contents), _with_element)
                if isinstance(self.contents, AsPutIn) and not isinstance(other, OF_OTHER_ORDER):
                    self._become(as_put_in(found))
                else:
                    self._become(self._after(found, Step.UPDATE, other=_operand(other, elements)))

    def union(self, *others: Any) -> StagedSet:
        """The elements of all of them."""
        both = self.copy()
        both.update(*_without(self, others))
        return both

    def intersection(self, *others: Any) -> StagedSet:
        """The elements that all of them have."""
        return reduce(partial(_chosen, step=Step.AND), others, self) if others else self.copy()

    def difference(self, *others: Any) -> StagedSet:
        """The elements that none of the others has."""
        first, *rest = others or (None,)
        found = self.copy() if first is None else _chosen(self, first, step=Step.SUB)
        return reduce(partial(_chosen, step=Step.SUB_IN_PLACE), rest, found)

    def symmetric_difference(self, other: Any) -> StagedSet:
        """The elements that one of them has."""
        return StagedSet(self._with_one_of(other, Step.XOR))

    def _with_one_of(self, other: Any, step: Step) -> Elements:
        theirs = elements_of(other)
        operand = _operand(other, theirs)
        one, another = [StagedSet(plain(each)) for each in (self.contents, theirs)]
        both = one.difference(another).union(another.difference(one))
        return self._after(plain(both.contents), step, other=operand)

    def intersection_update(self, *others: Any) -> None:
        """Takes out what is not in all of the others."""
        found = self.intersection(*others[:-1]) if len(others) > 1 else self
        self._now(_chosen(found, others[-1], step=Step.AND_IN_PLACE) if others else self.copy())

    def difference_update(self, *others: Any) -> None:
        """Takes out what is in one of the others."""
        if any(other is self for other in others):
            self.clear()
        self._now(reduce(partial(_chosen, step=Step.SUB_IN_PLACE), others, self))

    def symmetric_difference_update(self, other: Any) -> None:
        """Takes out what is in the other one, too, and puts in what is in that alone."""
        if other is self:
            self.clear()
        else:
            self._become(self._with_one_of(other, Step.XOR_IN_PLACE))

    def issubset(self, other: Any) -> Any:
        """Whether the other one has all elements."""
        return self.difference(other).length == 0

    def issuperset(self, other: Any) -> Any:
        """Whether it has all elements of the other one."""
        return StagedSet(elements_of(other)).issubset(self)

    def isdisjoint(self, other: Any) -> Any:
        """Whether no element is in both."""
        return self.intersection(other).length == 0

    def __or__(self, other: Any) -> Any:
        return self.union(other) if _is_set(other) else NotImplemented

    def __and__(self, other: Any) -> Any:
        return self.intersection(other) if _is_set(other) else NotImplemented

    def __sub__(self, other: Any) -> Any:
        return self.difference(other) if _is_set(other) else NotImplemented

    def __xor__(self, other: Any) -> Any:
        return self.symmetric_difference(other) if _is_set(other) else NotImplemented

    def __ror__(self, other: Any) -> Any:
        """Of two that are equal it keeps the one on the left."""
        return _set_of(other).union(self) if _is_set(other) else NotImplemented

    def __rand__(self, other: Any) -> Any:
        return _set_of(other).intersection(self) if _is_set(other) else NotImplemented

    def __rxor__(self, other: Any) -> Any:
        return _set_of(other).symmetric_difference(self) if _is_set(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return _set_of(other).difference(self) if _is_set(other) else NotImplemented

    def __ior__(self, other: Any) -> Any:
        return self._changed(self.update, other)

    def __isub__(self, other: Any) -> Any:
        return self._changed(self.difference_update, other)

    def __iand__(self, other: Any) -> Any:
        return self._changed(self.intersection_update, other)

    def __ixor__(self, other: Any) -> Any:
        return self._changed(self.symmetric_difference_update, other)

    def _changed(self, change: Callable[[Any], None], other: Any) -> Any:
        """The set itself, when it was changed by another one."""
        if not _is_set(other):
            return NotImplemented
        change(other)
        return self

    def _now(self, other: StagedSet) -> StagedSet:
        """The set itself, with the elements of another one."""
        self._become(other.contents)
        return self

    def __le__(self, other: Any) -> Any:
        return self.issubset(other) if _has_order_of_sets(other) else NotImplemented

    def __ge__(self, other: Any) -> Any:
        return self.issuperset(other) if _has_order_of_sets(other) else NotImplemented

    def __lt__(self, other: Any) -> Any:
        """Whether the other one has all elements, and more."""
        if not _has_order_of_sets(other):
            return NotImplemented
        is_shorter = self.length < StagedSet(elements_of(other)).length
        return ops.stands_for_python(ops.logical_and(is_shorter, self.issubset(other)))

    def __gt__(self, other: Any) -> Any:
        return StagedSet(elements_of(other)) < self if _has_order_of_sets(other) else NotImplemented

    def __eq__(self, other: object) -> Any:
        if not _has_order_of_sets(other):
            return NotImplemented
        theirs = StagedSet(elements_of(other))
        is_as_long = self.length == theirs.length
        return ops.stands_for_python(ops.logical_and(is_as_long, self.issubset(theirs)))

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else ops.stands_for_python(ops.logical_not(equal))

    def __repr__(self) -> str:
        if mark_text(Slot(), self.contents.handles[:1]) is None:
            return "<a set of the graph>"
        if not self.has_pythons_order:
            other_names().replay_sets()
            refuse_text_of_set()
        slots_for(self.contents.handles)  # warns where they are Python's and NumPy's
        if isinstance(self.contents, Replayed):
            text = shown_in_order(self.contents)
        else:
            text = recorded(repr, (self,), {}, givens(str))
        return mark_text(Apply("str", (Slot(),)), [text]) or "<a set of the graph>"


def _chosen(elements: StagedSet, other: Any, *, step: Step) -> StagedSet:
    """Those that are in another set, or those that are not."""
    are_there = step is Step.AND or step is Step.AND_IN_PLACE
    if are_there and other is elements:
        copied: StagedSet = elements.copy()  # as Python does, which looks at no element then
        return copied
    held, theirs = plain(elements.contents), elements_of(other)
    operand = _operand(other, theirs, has_order=are_there)

    def kept(found: Elements, element: Any) -> Elements:
        is_there = theirs.place(element) < theirs.length
        wanted = is_there if are_there else ops.logical_not(is_there)
        return choose(wanted, lambda: found.appended(element), lambda: found)  # type: ignore[no-any-return]

    if held.is_unknown or theirs.is_unknown:
        found = held.emptied() if are_there else held
    else:
        found = folded(held, held.emptied(), kept)
    return StagedSet(elements._after(found, step, other=operand))  # noqa: SLF001  # one of ours


def _without(elements: StagedSet, others: Sequence[Any]) -> list[Any]:
    """The others, without the set itself: Python does nothing with that, and makes no room for it."""
    return [other for other in others if other is not elements]


def _operand(other: Any, elements: Elements, *, has_order: bool = True) -> Replayed | None:
    """How what a method of a set is given came about, if that is known; these are its elements.

    Where its order says nothing, any set of them will do.
    """
    if not other_names().replays_sets:
        return None
    if type(other) is dict or (isinstance(other, StagedKeyed) and other.built is dict):
        return made_of(Step.DICT, elements)
    if isinstance(other, StagedSet | set | frozenset):
        return history_of(_set_of(other).contents) if has_order else made_of(Step.SET, elements)
    return made_of(Step.LIST, elements)


def _set_of(other: Any) -> StagedSet:
    """A set of Python's as one of the graph: what is known of it is known of that."""
    if isinstance(other, StagedSet):
        return other
    return stand_in(other, None) if type(other) is set else StagedSet(elements_of(other))


_ALONE = frozenset({Step.ADD, Step.DISCARD, Step.POP, Step.COPY})
"""Steps that need no other operand."""


def _is_set(value: Any) -> bool:
    return isinstance(value, StagedSet | set | frozenset)


def _has_order_of_sets(value: Any) -> bool:
    """Whether sets are compared with it: with views of dicts, too, which Python asks in their place."""
    return _is_set(value) or isinstance(value, _VIEWS)


_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))


def unordered(items: Any) -> Any:
    """A set of the graph as a list, for what does not depend on the order; anything else as it is."""
    if isinstance(items, MaybeNone) and isinstance(items.ag__value, StagedSet):
        return unordered(items.ag__operand(iter))
    return StagedList(plain(items.contents)) if isinstance(items, StagedSet) else items


def in_any_order(items: StagedSet, use: Callable[[Any], Any]) -> Any:
    """What `use` makes of the elements one by one, where nobody can tell in which order it had them.

    Raises
    ------
    NoConcreteValue
        Where it does something for each, beside computing: that would be done in another order.
    """
    builder = builder_in_use()
    begun = len(builder.nodes)
    with recording() as journal:
        found = use(unordered(items))
    has_effects = any(node.op.effects.counts for node in builder.nodes[begun:])
    owners = [getattr(place, "owner", None) for place, _ in journal.changed().values()]
    changed = [owner for owner in owners if owner is not found and journal.existed(owner) is not False]
    journal.pass_on()
    if has_effects or changed:
        items.items  # noqa: B018  # says what is wrong with their order
    return found


def _with_element(elements: Elements, element: Any) -> Elements:
    require_hash(element)
    return with_key(elements, elements.place(element), element)


def elements_of(other: Any) -> Elements:
    """The elements of what a method of a set is given."""
    if isinstance(other, StagedKeyed):
        return other.keys_held
    if isinstance(other, list | tuple):
        require_hash(tuple(other))  # an array without axes is a number once it is an element
    return Elements.of(python_keys(other)) if isinstance(other, set | frozenset) else contents_of(other)


_EMPTY = "pop from an empty set"


def _several(where: Location) -> NoConcreteValue:
    return NoConcreteValue(
        "an element of a set is popped of which only the run knows the elements, and there are several",
        where=where,
        why="Which one it is follows from how Python keeps the set, and a graph keeps it otherwise.",
        way_out="Take `min(elements)` and remove it, or use a list.",
    )


def new_set(*items: Any) -> StagedSet:
    """A set of elements of the graph."""
    found = StagedSet(as_put_in(Elements.of(())))
    found.update(*items)
    return found


OF_OTHER_ORDER = (set, frozenset, dict, StagedKeyed)
"""Of these Python makes a set with room for all of them, and not one after the other."""


def _places_in_set(elements: set[Any], put_in: Sequence[Any]) -> Any:
    """Where the elements of a set are among those that were put in, in the order of the set."""
    places = {element: place for place, element in enumerate(put_in)}
    return np.array([places[element] for element in elements], np.int64)


_PLACES = Nest(flatten(0)[1], (Given(ArraySpec(as_shape([None]), as_dtype(np.int64))),))


def _split_set(value: StagedSet) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("contents",), (value.contents,), OwnNumbers(value.contents.are_numbers)


def _build_set(kind: type, keys: Sequence[Any], children: Sequence[Any], numbers: Any) -> Any:
    del kind, keys
    (elements,) = children
    if not elements.are_there:
        return StagedSet(elements)
    return set(map(keys_from(elements.form, numbers), elements.rows()))


def stand_in(original: set[Any], model: Elements | None) -> StagedSet:
    order = order_of_adding(original)
    elements = Elements.of(python_keys(original if order is None else order), model)
    return StagedSet(elements if order is None else as_put_in(elements))


def set_of_path(value: set[Any], held: set[Any]) -> StagedSet:
    """A set of Python's as one of the graph, with what it holds at the end of a path."""
    is_same = {*map(id, value)} == {*map(id, held)}
    return stand_in(value if is_same else held, None)


COPIED.add(StagedSet)


def _finish_set(structure: Structure, boxes: Boxes) -> Callable[[Sequence[Any]], Any]:
    (elements,) = structure.children
    if elements.kind is Replayed:
        elements = elements.children[0]
    count = elements.leaf_count
    rows = keys_in(elements.extra, structure.extra, boxes)
    return lambda columns: set(rows(columns[:count]))


register(
    StagedSet, _split_set, _build_set, lambda _, __: "a set with elements of the graph", Finish(_finish_set)
)
