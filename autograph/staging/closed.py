"""Fast path of calls: a callee that cannot meet a value of a backend runs unconverted.

What the callee reaches is plain Python (`reach.py`). What it is called with is looked at on every call: plain
numbers, text, Python's own containers of them, and instances of closed classes. Such a call can only compute;
so it gives what its converted form would give, which asks at each statement what is known already.

What such a call changes (containers and instances that it is given, or that it names) is announced to the
journal, with what it was before, as converted code does. Where a call raises, or gives something that runs
later, such as a generator, all of that is taken back, and the converted form has the last word.

Most calls are given numbers and text, and take less than a microsecond themselves: so the question has to be
a short one, and what is rare comes last.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from operator import is_
from types import FunctionType, GenericAlias, MemberDescriptorType, MethodType
from typing import Any

from autograph.staging import changes as changes_
from autograph.staging import heap, places
from autograph.staging.attributes import dict_of, in_classes
from autograph.staging.context import staging
from autograph.staging.dispatch import Backends
from autograph.staging.fresh import forget_fresh_in
from autograph.staging.journal import Journal
from autograph.staging.made import note_new
from autograph.staging.reach import (
    CONTAINERS,
    FROZEN,
    MAPPINGS,
    OF_C,
    PLAIN_KINDS,
    RUNS_LATER,
    TRUSTED,
    WRAPPERS,
    Facts,
    LeadsOut,
    facts_of,
    looked_into,
    may_change,
    require_plain_builtin,
)
from autograph.staging.state import Undefined

__all__ = ["NOT_CLOSED", "closed_call", "flat"]

NOT_CLOSED = object()
"""What `closed_call` gives where the call is one for the converted form."""

_MOST_ITEMS = 20_000
"""Objects that are looked at in one call."""


def closed_call(
    backends: Backends, callee: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any] | None
) -> Any:
    """`callee(*args, **kwargs)` as the user wrote it, where that cannot meet a value of a backend.

    Parameters
    ----------
    backends : Backends
    callee : function or method
        Not converted.
    args, kwargs
        The arguments of the call.

    Returns
    -------
    object
        `NOT_CLOSED` where the call is one for the converted form; nothing has happened then.
    """
    function, given = callee, args
    if type(callee) is MethodType:
        function, given = callee.__func__, (callee.__self__, *args)
        if type(function) is not FunctionType:
            return NOT_CLOSED
    if kwargs:
        given = (*given, *kwargs.values())
    containers: list[Any] | None = []
    is_flat = True
    for value in given:
        kind = type(value)
        if kind not in _FLAT_KINDS:
            if kind in _COPIED or kind is tuple:
                is_flat = False  # the next question is what is in it
            elif backends.owned[kind]:
                return NOT_CLOSED
            else:
                is_flat, containers = False, None
    known = looked_into.get(id(function))
    facts = known if known is not None and known.hold() else _facts_of(function)
    if facts is None:
        return NOT_CLOSED
    if facts.wrappers and not staging.as_written:
        return _with_wrappers(backends, callee, args, kwargs, facts)
    if not facts.is_alone:
        return _with_instances(backends, callee, args, kwargs, given, facts)
    if not is_flat or facts.roots:
        containers = None if containers is None else flat((*given, *facts.roots))
        if containers is None:
            return _with_instances(backends, callee, args, kwargs, given, facts)
        if containers and facts.changes:
            effects = facts.effects or facts.effects_known()
            if effects is None or effects.changes_any:
                return _with_copies(backends, callee, args, kwargs, given, containers, facts, effects)
    try:
        result = callee(*args, **kwargs) if kwargs else callee(*args)
        if type(result) not in PLAIN_KINDS:
            effects = facts.effects or facts.effects_known()
            if effects is None or not effects.is_plain:
                _require_plain(backends, (result,))
    except Exception:  # noqa: BLE001  # the converted form raises it again, if it is the program's
        return NOT_CLOSED
    return result


def _facts_of(function: FunctionType) -> Facts | None:
    """What is known of a function that does not run later; nothing is remembered of one that does."""
    return None if function.__code__.co_flags & RUNS_LATER else facts_of(function)


def _with_wrappers(
    backends: Backends,
    callee: Any,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    facts: Facts,
) -> Any:
    """As `closed_call`, where callables are named that stand for functions: these run themselves."""
    with ExitStack() as stack:
        for kind in {type(each) for each, _ in facts.wrappers}:
            around = WRAPPERS[kind].runs_as_written()
            if around is None:
                return NOT_CLOSED
            stack.enter_context(around)
        staging.as_written = True
        try:
            return closed_call(backends, callee, args, kwargs)
        finally:
            staging.as_written = False


def _with_copies(
    backends: Backends,
    callee: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    given: tuple[Any, ...],
    containers: list[Any],
    facts: Facts,
    effects: changes_.Changes | None,
) -> Any:
    """As `closed_call`, where some of the containers that the callee reaches may change: it keeps copies."""
    changing, is_plain = containers, False
    if effects is not None:
        is_plain = effects.is_plain
        if not kwargs:
            changing = _changing(effects, given, facts.roots, containers)
    if (staging.groups or staging.copies) and any(map(_is_shared, changing)):
        return NOT_CLOSED
    before = [each.copy() for each in changing]
    forget_fresh_in(changing)
    try:
        result = callee(*args, **kwargs) if kwargs else callee(*args)
        changed = () if is_plain and staging.journal is None else _changed(changing, before)
        if not is_plain:
            _require_plain(backends, (result, *[each for each, _ in changed]))
    except Exception:  # noqa: BLE001  # as above
        for container, held in zip(changing, before, strict=True):
            _restore(container, held)
        return NOT_CLOSED
    if changed and staging.journal is not None:
        for container, held in changed:
            staging.journal.heard(places.Contents(container), held)
    return result


def _changed(containers: list[Any], before: list[Any]) -> list[tuple[Any, Any]]:
    """Those of some containers that do not hold what they held, each with that."""
    return [
        (container, held)
        for container, held in zip(containers, before, strict=True)
        if not _holds(container, held)
    ]


def _changing(
    effects: changes_.Changes, given: tuple[Any, ...], roots: list[Any], containers: list[Any]
) -> list[Any]:
    """Those of the containers that a call may change, by what is known of its function."""
    values: list[Any] = [*roots] if effects.outside else []
    are_all = len(values) == len(roots)
    for place, value in enumerate(given):
        if type(value) in PLAIN_KINDS:
            continue
        if place in effects.arguments:
            values.append(value)
        else:
            are_all = False
            if place in effects.items:
                values += (*value, *value.values()) if type(value) is dict else value
    found = containers if are_all else flat(values)
    return containers if found is None else found


def _with_instances(
    backends: Backends,
    callee: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None,
    given: tuple[Any, ...],
    facts: Facts,
) -> Any:
    """As `closed_call`, where instances of the user's classes are met, or such classes are named."""
    met = (*given, *facts.roots)
    containers = flat(met)
    instances: list[tuple[Any, list[str]]] = []
    reached, changes = [facts], facts.changes
    if containers is None:
        look = _Look(backends)
        try:
            look.into(met)
        except LeadsOut:
            return NOT_CLOSED
        containers, instances, reached = look.containers, look.instances, [facts, *look.facts]
        changes |= look.changes
    before = None
    if changes and (containers or instances or any(each.sets_attributes for each in reached)):
        if (staging.groups or staging.copies) and any(map(_is_shared, containers)):
            return NOT_CLOSED
        before = _Before(containers, instances)
        forget_fresh_in(containers)
    around, staging.stand_ins = staging.stand_ins, None  # what runs meets nothing that is to be converted
    new = _Look(backends, instances)
    try:
        result = callee(*args, **kwargs) if kwargs else callee(*args)
        new.into((result, *(() if before is None else before.put_in())))
        is_kept = before is None or all(each.hold_afterwards() for each in reached)
        is_kept &= staging.linked is None or not any(
            staging.linked.holds(type(each)) for each, _ in new.instances
        )
    except Exception:  # noqa: BLE001  # as above
        is_kept = False
    finally:
        staging.stand_ins = around
    if is_kept:
        if before is not None and staging.journal is not None:
            before.announce(staging.journal)
        if not any(each.keeps_results for each in reached):
            note_new(backends, [each for each, _ in new.instances])
        return result
    if before is not None:
        before.restore()
        for each in reached:
            each.restore()
    return NOT_CLOSED


def _require_plain(backends: Backends, results: Iterable[Any]) -> None:
    """Sees to it that results are none that lead out."""
    if flat(results) is None:
        _Look(backends).into(results)


def flat(values: Iterable[Any]) -> list[Any] | None:
    """Python's own containers among values, where they and those in them hold numbers and text; else None.

    A slice among them is none of these: what it reads of a list is another list.
    """
    if heap.busy and (staging.moves or staging.outdated):
        return None
    found: list[Any] = []
    pending, left = [values], _MOST_ITEMS
    for items in pending:  # which grows
        for value in items:
            kind = type(value)
            if kind in _FLAT_KINDS:
                continue
            if kind not in _COPIED and kind is not tuple:
                return None
            left -= len(value) + 1
            if left < 0:
                return None
            if kind is not tuple:
                found.append(value)
                if kind is dict and not _are_flat(map(type, value.values())):
                    pending.append(value.values())
            if not _are_flat(map(type, value)):
                pending.append(value)
    return found


_FLAT_KINDS = PLAIN_KINDS - {slice}
_are_flat = _FLAT_KINDS.issuperset
_COPIED = frozenset({dict, list, set})
"""Containers that are everywhere and change in place; `copy` gives what they hold."""


def _is_shared(container: Any) -> bool:
    """Whether a statement has made a copy of a container, which has to hear of a change."""
    return id(container) in staging.groups or id(container) in staging.copies


class _Look:
    """What values of a call hold, all the way down; nothing is asked of instances that are `known`.

    Attributes
    ----------
    containers : list
        Those that change in place.
    instances : list of (object, list of str)
        Objects of the user's classes, and the names of their slots.
    facts : list of Facts
        Of their classes, and of the functions among the values.
    changes : bool
        Whether any of them may change an object.
    """

    __slots__ = ("_left", "_owned", "_seen", "changes", "containers", "facts", "instances")

    def __init__(self, backends: Backends, known: Iterable[tuple[Any, list[str]]] = ()) -> None:
        self.containers: list[Any] = []
        self.instances: list[tuple[Any, list[str]]] = []
        self.facts: list[Facts] = []
        self.changes = False
        self._owned = backends.owned
        self._seen: dict[int, Any] = {id(each): each for each, _ in known}
        self._left = _MOST_ITEMS

    def into(self, values: Iterable[Any]) -> None:
        """Looks at some values.

        Raises
        ------
        LeadsOut
            When one of them may lead out of plain Python, or they are too many to look at.
        """
        pending = [*values]
        while pending:
            value = pending.pop()
            kind = type(value)
            if kind in PLAIN_KINDS or id(value) in self._seen:
                continue
            self._seen[id(value)] = value
            if kind in CONTAINERS:
                pending += self._items(value, kind)
            elif self._owned[kind]:
                raise LeadsOut
            elif kind is GenericAlias:
                pending.append(value.__origin__)
            elif kind is FunctionType or kind is MethodType or isinstance(value, (type, *OF_C)):
                self._require_closed(value.__func__ if kind is MethodType else value)
                pending += (value.__self__,) if kind is MethodType else ()
            else:
                pending += self._attributes(value, kind)

    def _items(self, container: Any, kind: type) -> Iterable[Any]:
        """What is to be looked at in a container: nothing, where it only holds numbers and text."""
        self._left -= len(container)
        if self._left < 0 or heap.current(container) is not container:
            raise LeadsOut
        if kind not in FROZEN:
            self.containers.append(container)
        items = [*container, *container.values()] if kind in MAPPINGS else container
        found = () if {*map(type, items)} <= PLAIN_KINDS else items
        return [*found, container.default_factory] if kind is collections.defaultdict else found

    def _attributes(self, value: Any, kind: type) -> list[Any]:
        if kind.__module__ in TRUSTED and kind.__module__ not in {"enum", "dataclasses"}:
            raise LeadsOut
        slots = self._facts(kind).slots_of(kind)
        self.instances.append((value, slots))
        held = [*dict_of(value, {}).values()]
        held += [getattr(value, name, None) for name in slots]
        return [*held, *value.args] if isinstance(value, BaseException) else held

    def _require_closed(self, thing: Any) -> None:
        if isinstance(thing, OF_C):
            require_plain_builtin(thing)
            self.changes |= may_change(thing)
        else:
            self._facts(thing)

    def _facts(self, thing: Any) -> Facts:
        facts = facts_of(thing)
        if facts is None:
            raise LeadsOut
        self.facts.append(facts)
        self.changes |= facts.changes
        if facts.roots:
            self.into(facts.roots)
        return facts


class _Before:
    """What containers and instances held before a call."""

    __slots__ = ("_attributes", "_contents")

    def __init__(self, containers: Iterable[Any], instances: Iterable[tuple[Any, list[str]]]) -> None:
        self._contents = [(each, _copy(each)) for each in containers]
        self._attributes = [(each, slots, _attributes(each, slots)) for each, slots in instances]

    def announce(self, journal: Journal) -> None:
        """Tells a journal which of them are not what they were."""
        for container, held in self._contents:
            if not _holds(container, held):
                journal.heard(places.Contents(container), held)
        for place, held in self._changed_attributes():
            journal.heard(place, held)

    def put_in(self) -> list[Any]:
        """What they hold that they did not."""
        changed = [container for container, held in self._contents if not _holds(container, held)]
        bound = [place.get() for place, _ in self._changed_attributes()]
        return [*changed, *[each for each in bound if type(each) is not Undefined]]

    def restore(self) -> None:
        """Gives all of them back what they held."""
        for place, held in self._changed_attributes():
            place.set(held)
        for container, held in self._contents:
            _restore(container, held)

    def _changed_attributes(self) -> list[tuple[places.Place, Any]]:
        """The attributes that hold another object, each with what it held."""
        changed: list[tuple[places.Place, Any]] = []
        for instance, slots, held in self._attributes:
            now = _attributes(instance, slots)
            for name in {**held, **now}:
                if name not in held:
                    place = places.Attribute(instance, name)
                    changed.append((place, Undefined(place.name)))
                elif name not in now or held[name] is not now[name]:
                    changed.append((places.Attribute(instance, name), held[name]))
        return changed


def _copy(container: Any) -> Any:
    return container.copy() if type(container) in _COPIED else places.Contents(container).get()


def _attributes(instance: Any, slots: Iterable[str]) -> dict[str, Any]:
    """The attributes that an instance keeps itself."""
    found = dict(dict_of(instance, ()))
    for name in slots:
        slot = in_classes(type(instance), name)
        if isinstance(slot, MemberDescriptorType):
            try:
                found[name] = slot.__get__(instance)
            except AttributeError:  # it has no value
                continue
    return found


def _restore(container: Any, before: Any) -> None:
    if not _holds(container, before):
        places.Contents(container).set(before)


def _holds(container: Any, before: Any) -> bool:
    """Whether a container holds the same objects in the same order."""
    if len(container) != len(before) or not all(map(is_, container, before)):
        return False
    return not isinstance(container, dict) or all(map(is_, container.values(), before.values()))
