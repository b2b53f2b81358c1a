"""Predicts what a loop will carry, from what loops at the same place have changed before.

A loop that is met again, in another call of its function or in another turn of a loop of Python's, changes
the items and attributes of what has the same names, as a rule: it carries these from its first trace on.
Where it turns out not to change one of them, it starts anew without, and nobody expects that again before it
has changed it twice more: a function that calls itself changes nothing as long as nobody knows what it does.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

from autograph.backends.tensors.arrays.arrays import is_numpys
from autograph.backends.tensors.arrays.turned import first_of
from autograph.backends.tensors.containers.lists import Staged
from autograph.backends.tensors.statements.paths import Changes, is_in_contents
from autograph.backends.tensors.statements.slots import Slot
from autograph.staging.attributes import own_attribute
from autograph.staging.context import staging
from autograph.staging.heap import as_moved, is_stand_in
from autograph.staging.places import CONTAINERS, Attribute, Cell, Contents, Place
from autograph_base.dataclass import dataclass
from runtime.core.spec import ArraySpec, ListSpec, Spec
from runtime.core.structure import Structure, flatten
from runtime.graph.build import as_tensor, is_weak
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["Foreseen", "forms_of_tensors", "not_carried"]


_OFTEN = 2
"""How often more a loop changes a place before that is expected again."""


@dataclass(slots=True)
class Expectation:
    """A place that a loop has changed, and how often more it has to change it before that is expected."""

    place: Place
    missing: int = 0


class Foreseen:
    """The places that a loop is expected to change.

    Parameters
    ----------
    loop : hashable
        Which loop of the program it is.
    named : mapping of str to object
        What its body can reach by name, before the loop.
    own : sequence of Place
        Places that it was made to change.
    names : sequence of str
        What its text says that it changes in place.
    """

    def __init__(
        self, loop: Hashable, named: Mapping[str, Any], own: Sequence[Place], names: Sequence[str]
    ) -> None:
        self._known = staging.changed_by_loops.setdefault(loop, {})
        self._named = {**named, **{name: _found(name, named) for name in names if name not in named}}
        self._names = names
        self._own = own
        self._given: set[Hashable] = set()
        self._wrong: set[Hashable] = set()
        self._guessed: set[Hashable] = set()

    def places(self, known: Collection[Hashable]) -> list[Place]:
        """Those that are not among places with these keys."""
        found = {place.key: place for place in (*self._own, *self._expected())}
        places = [place for key, place in found.items() if key not in known and key not in self._wrong]
        self._given = {place.key for place in places}
        self._guessed = self._given - {place.key for place in self._own}
        return places

    def arrays(self) -> list[Any]:
        """Arrays of NumPy's into which turns write, as their text says, each once."""
        found = [as_moved(self._named.get(name)) for name in self._names]
        return list({id(each): each for each in found if is_numpys(each)}.values())

    def takes_back(self) -> bool:
        """Whether some are expected that no turn has changed so far: they may be why one was refused.

        Nobody expects them again.
        """
        taken_back, self._guessed = self._guessed, set()
        self._wrong |= taken_back
        return bool(taken_back)

    def _expected(self) -> Iterator[Place]:
        for (name, *_), known in self._known.items():
            place, owner = known.place, as_moved(self._named.get(name))
            if known.missing:
                continue
            if type(place) is Cell:
                yield place
            elif type(owner) is type(place.owner):
                yield place.at(owner)
        for name in self._names:
            owner = as_moved(self._named.get(name))
            place = Contents(owner)
            known = self._known.get(_what(name, place))
            if isinstance(owner, (*CONTAINERS, Staged)) and (known is None or not known.missing):
                yield place

    def learn(self, places: Iterable[Place]) -> None:
        """Takes in what the loop changes, where that is in something with a name."""
        for place in places:
            for name in self._names_of(place):
                known = self._known.setdefault(_what(name, place), Expectation(place, 1))
                known.place, known.missing = place, max(0, known.missing - 1)

    def is_wrong(self, places: Iterable[Place], changes: Changes) -> bool:
        """Whether a turn leaves some of those as they are that it was expected to change."""
        wrong = [each for each in places if each.key in self._given and each.key not in changes]
        self._wrong |= {place.key for place in wrong}
        self._known |= {
            _what(name, place): Expectation(place, _OFTEN)
            for place in wrong
            for name in self._names_of(place)
        }
        self._guessed = set()
        return bool(wrong)

    def _names_of(self, place: Place) -> list[str]:
        """Under which names the loop finds a place again; none where that is hard to say."""
        if type(place) is Cell:
            return [place.name]
        if type(place) not in {Attribute, Contents}:
            return []
        return [name for name, value in self._named.items() if as_moved(value) is place.owner]


def _found(name: str, named: Mapping[str, Any]) -> Any:
    """What an object has of itself under a name as `self.items`; None where nobody knows."""
    first, *rest = name.split(".")
    found = as_moved(named.get(first))
    for attribute in rest:
        if is_stand_in(found):
            return None
        found = as_moved(own_attribute(found, attribute))
    return found


def _what(name: str, place: Place) -> tuple[Hashable, ...]:
    """A place in what has a name."""
    key: Any = place.key
    return name, key[0], *key[1 if type(place) is Cell else 2 :]


def not_carried(changes: Changes, carried: Set[Hashable], entered: Set[int]) -> list[Place]:
    """The places that a turn changes, and the loop does not carry, nor what it makes for the turn."""
    found = [
        place
        for key, (place, _) in changes.items()
        if key not in carried
        and not (isinstance(place, Contents) and id(place.owner) in entered)
        and not is_in_contents(place, changes)
    ]
    return first_of(found)


def forms_of_tensors(
    slots: Iterable[tuple[Hashable, Slot]],
) -> dict[Hashable, tuple[Structure, Sequence[tuple[Spec, bool]]]]:
    """By the keys of slots, the forms that hold tensors and numbers alone: see `Memory.forms`."""
    found: dict[Hashable, tuple[Structure, Sequence[tuple[Spec, bool]]]] = {}
    for key, slot in slots:
        leaves, structure = flatten(slot.form)
        known = [(as_tensor(leaf).spec, is_weak(leaf)) for leaf in leaves if is_tensor(leaf)]
        if len(known) == len(leaves) and all(isinstance(spec, ArraySpec | ListSpec) for spec, _ in known):
            found[key] = structure, known
    return found
