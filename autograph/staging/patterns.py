"""The patterns of `match` as objects, matched against subjects that contain values of a backend.

Python itself matches everything else. A pattern gives its test, which may be a backend's value, and puts what
it captures into a dict; as the language allows, captures are made whether or not the pattern succeeds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import abc
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType
from typing import Any, TypeAlias

from autograph.staging.attributes import held_by, own_attribute
from autograph.staging.chosen import chosen
from autograph.staging.dispatch import Backends
from autograph.staging.state import Undefined
from autograph_base.dataclass import dataclass

__all__ = [
    "Capture",
    "Class",
    "Equal",
    "Mapping",
    "Or",
    "Pattern",
    "Sequence",
    "Singleton",
    "holds_backend_value",
]


Test: TypeAlias = Callable[[dict[str, Any]], Any]
"""Whether a part has a form; it puts what it captures into the dict."""


class Pattern(ABC):
    """One pattern."""

    @abstractmethod
    def match(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        """Whether the subject has this form; what is captured goes into `found`."""

    def runs_code(self, subject: Any) -> bool:
        """Whether it may run code of the program, so that it is asked only where all before it holds."""
        del subject
        return False

    def names(self) -> Iterator[str]:
        """The names that it captures."""
        pending = [*vars(self).values()]
        while pending:
            part = pending.pop()
            if isinstance(part, Pattern):
                yield from part.names()
            elif isinstance(part, tuple):
                pending.extend(part)


class Inside(Pattern):
    """A pattern that looks into the subject: where a backend chooses it, into each that it may be."""

    def match(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        """Whether the subject has this form."""
        names = tuple(self.names())

        def matched_by(candidate: Any) -> tuple[Any, ...]:
            inside: dict[str, Any] = {}
            return self.match(backends, candidate, inside), *captured(names, inside)

        matched = backends.of(subject).of_each(subject, matched_by)
        if matched is NotImplemented:
            return self.match_one(backends, subject, found)
        found |= zip(names, matched[1:], strict=True)
        return matched[0]

    @abstractmethod
    def match_one(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        """Whether a subject that is one object has this form."""


@dataclass(frozen=True)
class Equal(Pattern):
    """`1`, `"a"`, `Color.RED`: a value to be equal to."""

    value: Any

    def match(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        del found
        return backends.of(subject, self.value).equal(subject, self.value)

    def runs_code(self, subject: Any) -> bool:
        return isinstance(type(subject).__eq__, FunctionType)


@dataclass(frozen=True)
class Singleton(Pattern):
    """`None`, `True` or `False`: the subject has to be that object."""

    value: bool | None

    def match(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        del found
        return backends.of(subject).identical(subject, self.value)


@dataclass(frozen=True)
class Capture(Pattern):
    """`name`, `_` (no name) or `pattern as name`."""

    name: str | None = None
    pattern: Pattern | None = None

    def match(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        matched = True if self.pattern is None else self.pattern.match(backends, subject, found)
        if self.name is not None:
            found[self.name] = subject
        return matched

    def runs_code(self, subject: Any) -> bool:
        return self.pattern is not None and self.pattern.runs_code(subject)

    def names(self) -> Iterator[str]:
        """Its own, and those inside."""
        if self.name is not None:
            yield self.name
        yield from super().names()


@dataclass(frozen=True)
class Or(Pattern):
    """`a | b`: the first that matches."""

    alternatives: tuple[Pattern, ...]

    def match(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        first, *rest = self.alternatives
        matched = first.match(backends, subject, found)
        if not rest:
            return matched
        backend = backends.of(matched)
        if backend is backends.plain:
            return matched or Or(tuple(rest)).match(backends, subject, found)
        others = partial(Or(tuple(rest)).match, backends, subject)
        return _either(backends, matched, lambda _: True, others, found, self)

    def runs_code(self, subject: Any) -> bool:
        return any(each.runs_code(subject) for each in self.alternatives)


_TEXTS = (str, bytes, bytearray)
"""Sequences that no pattern takes for one."""


@dataclass(frozen=True)
class Sequence(Inside):
    """`[a, *rest, b]`.

    Parameters
    ----------
    before, after : tuple of Pattern
        What stands on either side of the star; without one, everything is `before`.
    star : Capture, optional
    """

    before: tuple[Pattern, ...]
    star: Capture | None = None
    after: tuple[Pattern, ...] = ()

    def match_one(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        backend = backends.of(subject)
        if not backend.is_instance(subject, abc.Sequence) or backend.is_instance(subject, _TEXTS) is True:
            return False
        length, fixed = backend.len_(subject), len(self.before) + len(self.after)
        matched = length == fixed if self.star is None else length >= fixed
        return _if_matched(backends, matched, partial(self._match_items, backends, subject), found, self)

    def _match_items(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        """Whether the items have the forms of the patterns: there are as many of them."""
        backend = backends.of(subject)
        items = [(index, pattern) for index, pattern in enumerate(self.before)]
        items += [(index - len(self.after), pattern) for index, pattern in enumerate(self.after)]
        tests = [(pattern, backend.get_item(subject, index)) for index, pattern in items]
        if self.star is not None:
            end = -len(self.after) or None
            items = (
                subject if isinstance(subject, list) else backend.list_(subject)
            )  # whatever it is, that is one
            self.star.match(backends, backend.get_item(items, slice(len(self.before), end)), found)
        return _all(backends, True, [_part(backends, *each) for each in tests], found, self)


@dataclass(frozen=True)
class Mapping(Inside):
    """`{"key": pattern, **rest}`."""

    keys: tuple[Any, ...]
    patterns: tuple[Pattern, ...]
    rest: str | None = None

    def names(self) -> Iterator[str]:
        """Those inside, and that of what is left."""
        yield from super().names()
        if self.rest is not None:
            yield self.rest

    def match_one(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        backend = backends.of(subject)
        if not backend.is_instance(subject, abc.Mapping):
            return False
        tests = [(partial(_is_there, backend, subject, key), False) for key in self.keys]
        matched = _all(backends, True, tests, found, self)
        return _if_matched(backends, matched, partial(self._match_values, backends, subject), found, self)

    def _match_values(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        """Whether the values have the forms of the patterns: the keys are there."""
        backend = backends.of(subject)
        if self.rest is not None:
            rest = backend.dict_(subject)
            for key in self.keys:
                backends.of(rest).delete_item(rest, key)
            found[self.rest] = rest
        pairs = zip(self.keys, self.patterns, strict=True)
        tests = [_part(backends, each, backend.get_item(subject, key)) for key, each in pairs]
        return _all(backends, True, tests, found, self)


@dataclass(frozen=True)
class Class(Inside):
    """`Point(x=0)`, `int(n)`."""

    kind: Any
    positional: tuple[Pattern, ...] = ()
    keywords: tuple[tuple[str, Pattern], ...] = ()

    def match_one(self, backends: Backends, subject: Any, found: dict[str, Any]) -> Any:
        if not isinstance(self.kind, type):
            raise TypeError("called match pattern must be a class")
        backend = backends.of(subject)
        if not backend.is_instance(subject, self.kind):
            return False
        if self.kind in THEMSELVES and len(self.positional) == 1 and not self.keywords:
            return self.positional[0].match(backends, subject, found)
        names = getattr(self.kind, "__match_args__", ())
        if len(self.positional) > len(names):
            given, allowed = len(self.positional), len(names)
            raise TypeError(
                f"{self.kind.__name__}() accepts {allowed} positional sub-pattern{'s' * (allowed != 1)}"
                f" ({given} given)"
            )
        parts = [*zip(names, self.positional, strict=False), *self.keywords]
        attributes = [(_attribute(backends, subject, name), pattern) for name, pattern in parts]
        if any(present is False for (present, _), _ in attributes):
            return False
        tests: list[tuple[Test, bool]] = []
        for (present, read), pattern in attributes:
            if present is True:
                tests.append(_part(backends, pattern, read()))
            else:
                tests.append((partial(_present, backends, present, read, pattern), True))
        return _all(backends, True, tests, found, self)


ABSENT = object()
"""What stands for an attribute that is not there."""

THEMSELVES = (bool, bytearray, bytes, dict, float, frozenset, int, list, set, str, tuple)
"""Classes whose one positional pattern is matched with the subject itself."""


def _same(value: Any) -> Any:
    return value


def _attribute(backends: Backends, subject: Any, name: str) -> tuple[Any, Callable[[], Any]]:
    """Whether an attribute is there, and what gives it: Python looks for all of them first, for each once."""
    if backends.owned[type(subject)]:
        backend = backends.of(subject)
        read = backend.asked_of(subject, getattr)
        return backend.asked_of(subject, hasattr)(subject, name), partial(read, subject, name)
    held = own_attribute(subject, name)
    if isinstance(held, Undefined) and type(held) is not Undefined:  # on some paths it is there
        return backends.staging_now().has_own(subject, name), held.read
    value = getattr(subject, name, ABSENT)
    return value is not ABSENT, partial(_same, value)


def _present(
    backends: Backends, present: Any, read: Callable[[], Any], pattern: Pattern, found: dict[str, Any]
) -> Any:
    """Whether an attribute that only some paths have set has a form."""

    def of_value(found: dict[str, Any]) -> Any:
        return pattern.match(backends, read(), found)

    return _if_matched(backends, present, of_value, found, pattern)


def _is_there(backend: Any, subject: Any, key: Any, found: dict[str, Any]) -> Any:
    """Whether a key is in a mapping."""
    del found
    return backend.contains(subject, key)


def _part(backends: Backends, pattern: Pattern, value: Any) -> tuple[Test, bool]:
    """Whether a part of a subject has the form of a pattern, and whether that runs code of the program."""
    return partial(pattern.match, backends, value), pattern.runs_code(value)


def _either(
    backends: Backends,
    test: Any,
    body: Callable[[dict[str, Any]], Any],
    orelse: Callable[[dict[str, Any]], Any],
    found: dict[str, Any],
    pattern: Pattern,
) -> Any:
    """One of two matches, as a test of a backend says: each puts what it captures into a dict."""
    names = tuple(dict.fromkeys(pattern.names()))
    inside = {name: found[name] for name in names if name in found}

    def bind(values: tuple[Any, ...]) -> None:
        inside.clear()
        pairs = zip(names, values, strict=True)
        inside.update({name: value for name, value in pairs if type(value) is not Undefined})

    def bound() -> tuple[Any, ...]:
        return captured(names, inside)

    matched = chosen(
        backends.of(test), test, lambda: body(inside), lambda: orelse(inside), bound, bind, names
    )
    found |= inside
    return matched


def _if_matched(
    backends: Backends,
    test: Any,
    body: Callable[[dict[str, Any]], Any],
    found: dict[str, Any],
    pattern: Pattern,
) -> Any:
    """What a match says of the parts of a subject, where a test of the whole has said that they are there."""
    if backends.of(test) is backends.plain:
        return bool(test) and body(found)
    return _either(backends, test, body, lambda _: False, found, pattern)


def _all(
    backends: Backends,
    matched: Any,
    tests: abc.Sequence[tuple[Test, bool]],
    found: dict[str, Any],
    pattern: Pattern,
) -> Any:
    """Whether all of the tests hold; those that run code of the program, only where those before them do."""
    for index, (test, runs_code) in enumerate(tests):
        backend = backends.of(matched)
        if backend is backends.plain:
            if not matched:
                return False
            matched = test(found)
        elif runs_code:
            rest = partial(_all, backends, True, tests[index:], pattern=pattern)
            return _either(backends, matched, rest, lambda _: False, found, pattern)
        else:
            matched = backend.and_(matched, partial(_same, test(found)))
    return matched


def holds_backend_value(backends: Backends, subject: Any) -> bool:
    """Whether a value of a backend is the subject, or an item or attribute of it that a pattern may see."""
    pending, seen = [subject], set()
    while pending:
        value = pending.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if backends.of(value) is not backends.plain:
            return True
        if isinstance(value, list | tuple):
            pending.extend(value)
        elif isinstance(value, dict):
            pending.extend(value.values())
        elif not isinstance(value, type):
            pending.extend(held_by(value))
    return False


def captured(names: tuple[str, ...], found: dict[str, Any]) -> tuple[Any, ...]:
    """What was captured, in the order of the names; `Undefined` where nothing was."""
    return tuple([found.get(name, Undefined(name)) for name in names])
