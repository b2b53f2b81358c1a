"""Which objects among the arguments of a function are taken apart, so that one graph serves all like them.

::

    f(Particle(1.0, 2.0))    ⇒   a graph for that object
    f(Particle(3.0, 4.0))    ⇒   a graph for every `Particle` with such attributes
"""

from __future__ import annotations

import enum
import weakref
from collections.abc import Callable, Collection
from functools import lru_cache
from typing import Any

from runtime.core.containers import is_container
from runtime.core.instances import TakenApart, is_plain_class
from runtime.functions.decorated import Decorated
from runtime.functions.reachable import reads_itself

__all__ = ["PassedInstances", "is_taken_apart"]

_UNTIL_TAKEN_APART = 2
"""Objects of a class that live, each with a graph of its own, from which on another one is taken apart."""
_MOST_CLASSES = 512
"""Classes of which some objects are known."""


class PassedInstances:
    """What a function has found of the objects that it is passed, by their classes.

    An object has a graph of its own, as one that is passed again and again: a model, a game. Where another
    one comes and the former is gone, or the third one of a class, all of that class are taken apart. A class
    with whose objects the function cannot be traced so has a graph for each as before.

    Attributes
    ----------
    apart : TakenApart
        The objects that are taken apart, and what of them the function may read.
    """

    def __init__(self) -> None:
        self.apart = TakenApart(names=frozenset())
        self._as_they_are: weakref.WeakSet[type] = weakref.WeakSet()
        self._known: dict[int, tuple[Callable[[], Any], ...]] = {}

    @property
    def are_there(self) -> bool:
        """Whether objects of some classes are taken apart, or were."""
        return bool(self.apart.kinds) or len(self._as_they_are) > 0

    def meet(self, leaves: Collection[Any]) -> bool:
        """Takes in that no graph serves such arguments; whether more classes are taken apart from now on."""
        before = self.apart
        for leaf in leaves:
            kind = type(leaf)
            if kind not in self.apart.kinds and kind not in self._as_they_are and is_taken_apart(kind):
                self._meet(leaf, kind)
        return self.apart is not before

    def looked_at(self, leaves: Collection[Any]) -> TakenApart:
        """The classes of objects that may be taken apart in a later call, where that is not known yet."""
        kinds = {type(leaf) for leaf in leaves} - self.apart.kinds
        wanted = [kind for kind in kinds if kind not in self._as_they_are and is_taken_apart(kind)]
        return TakenApart(frozenset(wanted))

    def _meet(self, value: Any, kind: type) -> None:
        known = self._known.get(id(kind), ())
        others = [each() for each in known if each() is not value]
        if any(each is None for each in others) or len(others) >= _UNTIL_TAKEN_APART:
            self._known.pop(id(kind), None)
            self.apart = self.apart._replace(kinds=self.apart.kinds | {kind})
        elif len(others) == len(known):
            if len(self._known) >= _MOST_CLASSES:  # some of which may be gone
                self._known.clear()
            self._known[id(kind)] = (*known, _reference(value))

    def fail(self, kinds: Collection[type]) -> None:
        """Takes in that objects of some classes are to be passed as they are."""
        if kinds:
            self.apart = self.apart._replace(kinds=self.apart.kinds - {*kinds})
        for kind in kinds:
            self._as_they_are.add(kind)

    def name(self, attributes: frozenset[str] | None) -> None:
        """Takes in which attributes the function may name: more and more; None where it may read any."""
        known = self.apart.names
        if known is not None and (attributes is None or attributes):
            self.apart = self.apart._replace(names=None if attributes is None else known | attributes)


def _reference(value: Any) -> Callable[[], Any]:
    """What gives an object as long as it lives; where that cannot be known, it is said to be gone."""
    return weakref.ref(value) if type(value).__weakrefoffset__ else lambda: None


def is_taken_apart(kind: type) -> bool:
    """Whether objects of a class are their attributes, and nothing but the program knows of them."""
    known: Any = kind  # which is hashable
    return _is_taken_apart(known)


@lru_cache(maxsize=4096)
def _is_taken_apart(kind: Any) -> bool:
    if is_container(kind) or not is_plain_class(kind) or issubclass(kind, enum.Enum | Decorated | type):
        return False
    return not (reads_itself(kind) or _MINDS & {name for base in kind.__mro__[:-1] for name in vars(base)})


_MINDS = frozenset({"__del__", "__getattribute__"})
"""Methods of classes that mind whether there is another object for a time."""
