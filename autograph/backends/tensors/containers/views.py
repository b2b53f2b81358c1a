"""What `keys()`, `values()` and `items()` of a dict give: sequences that follow it, two of them sets."""

from __future__ import annotations

import operator
from collections import OrderedDict, abc
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from autograph.backends.tensors.containers import sets
from autograph.backends.tensors.containers.copied import mark
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.keyed import raise_always
from autograph.backends.tensors.containers.lists import Staged, StagedList, StagedTuple, changes_in_place
from autograph.backends.tensors.iteration.items import Items
from autograph.backends.tensors.objects.choices import OneOf, over
from autograph.staging.heap import current, leads_on
from autograph.staging.spoken import called
from runtime.core.containers import register

if TYPE_CHECKING:
    from autograph.backends.tensors.containers.dicts import StagedDict

__all__ = ["Keys", "Pairs", "SetView", "Values", "View", "ViewItems"]


@leads_on
class View(StagedTuple):
    """What a method of a dict gives: it follows the dict, and is equal to itself alone.

    Parameters
    ----------
    owner : StagedDict or OneOf
        The dict, or one of several.
    """

    part: ClassVar[str]
    """Which of the three."""

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    @property
    def holder(self) -> Any:
        return self._owner

    def _empty(self) -> Any:
        """One of Python's, which says what any would."""
        ordered = isinstance(self._owner, Staged) and self._owner.built is OrderedDict
        return getattr(OrderedDict() if ordered else {}, self.part)()

    @property
    def built(self) -> type[Any]:  # type: ignore[override]  # as the dict says
        return type(self._empty())

    def __getitem__(self, key: Any) -> NoReturn:
        try:
            self._empty()[key]
        except TypeError as error:
            raise_always(error.with_traceback(None))
        raise AssertionError("views have no items by index")

    def _not_put_together(self, _: object) -> Any:
        return NotImplemented

    __add__ = __radd__ = __mul__ = __rmul__ = _not_put_together

    @property
    def count(self) -> NoReturn:  # Python's have none
        raise _missing(self.built, "count")

    @property
    def index(self) -> NoReturn:
        raise _missing(self.built, "index")

    def _value_in(self, element: Any) -> Any:
        return element[1] if self.part == "items" else element

    def _item(self, index: Any) -> Any:
        element = self.contents.get(index)
        place = None if isinstance(self._owner, OneOf) or self.part == "keys" else lambda: index
        mark(self._value_in(element), self._owner, changes_in_place, place)
        if self.part == "items":
            mark(element[0], self._owner, changes_in_place)
        return element

    @property
    def contents(self) -> Elements:  # type: ignore[override]  # read as it is now
        part = "pairs" if self.part == "items" else self.part
        found: Elements = over((current(self._owner),), lambda owner: getattr(owner.contents, part))
        return found

    @property
    def items(self) -> Items:
        """For one loop, under which the dict must not change (`watching.py`)."""
        return Items(self.length, self._item)

    def __repr__(self) -> str:
        ordered = "o" if getattr(self._owner, "built", None) is OrderedDict else ""
        return f"{ordered}{type(self).__name__}({StagedList(self.contents)!r})"

    def __eq__(self, other: object) -> Any:
        return NotImplemented

    def __ne__(self, other: object) -> Any:
        return NotImplemented

    __hash__ = StagedTuple.__hash__


def _missing(kind: type, name: str) -> AttributeError:
    return AttributeError(f"'{kind.__name__}' object has no attribute '{name}'", name=name)


@called("dict_values")
class Values(View):
    """`values()`."""

    part = "values"


@called("dict_keys")
class SetView(View):
    """A view that is a set, too."""

    def _as_set(self) -> sets.StagedSet:
        return sets.StagedSet(self.contents)

    def _compared(self, other: object, compare: Callable[[Any, Any], Any]) -> Any:
        return compare(self._as_set(), _set_of(other)) if _is_set(other) else NotImplemented

    def __eq__(self, other: object) -> Any:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, operator.ne)

    __hash__ = None  # type: ignore[assignment]  # as Python's

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __and__(self, other: Any) -> Any:
        return self._as_set().intersection(_set_of(other))

    def __or__(self, other: Any) -> Any:
        return self._as_set().union(_set_of(other))

    def __sub__(self, other: Any) -> Any:
        return self._as_set().difference(_set_of(other))

    def __xor__(self, other: Any) -> Any:
        return self._as_set().symmetric_difference(_set_of(other))

    def __ror__(self, other: Any) -> Any:
        return sets.StagedSet(sets.elements_of(other)).union(self._as_set())

    def __rsub__(self, other: Any) -> Any:
        return sets.StagedSet(sets.elements_of(other)).difference(self._as_set())

    __rand__, __rxor__ = __and__, __xor__

    def isdisjoint(self, other: Any) -> Any:
        """Whether no element is in both."""
        return self._as_set().isdisjoint(_set_of(other))


@called("dict_keys")
class Keys(SetView):
    """`keys()`."""

    part = "keys"


@called("dict_items")
class Pairs(SetView):
    """`items()`."""

    part = "items"


def _is_set(value: Any) -> bool:
    return isinstance(value, sets.StagedSet | SetView | abc.Set)


def _set_of(value: Any) -> Any:
    """What a method of a set takes: a view is one of the items that it shows."""
    return value._as_set() if isinstance(value, SetView) else value  # noqa: SLF001  # of the same class


@called("iterator")
class ViewItems(Items):
    """The keys, for a loop over a dict; called, as `d.items()`, its items."""

    def __init__(self, owner: StagedDict) -> None:
        keys = owner.keys().items
        super().__init__(lambda: keys.length, keys.item)
        self._owner = owner

    def __call__(self) -> View:
        return Pairs(self._owner)


def _split_view(value: View) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("dict",), (value.holder,), value.part


def _build_view(kind: type, keys: Sequence[Any], children: Sequence[Any], part: str) -> Any:
    del kind, keys
    (owner,) = children
    return getattr(owner, part)() if isinstance(owner, dict) else VIEWS[part](owner)


VIEWS: dict[str, type[View]] = {each.part: each for each in (Keys, Pairs, Values)}

for _kind in VIEWS.values():
    register(_kind, _split_view, _build_view, lambda part, _: f"the {part} of a dict with keys of the graph")
