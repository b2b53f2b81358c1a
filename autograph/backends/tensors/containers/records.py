"""`StagedRecord`: a dict whose keys are strings that Python knows, some of which only some paths put in.

    kept = KEPT if x > 1 else {"level": x}
    kept["grid"] = grid                      `KEPT` has a grid where it was chosen
    kept["grid"][0] = 2.0                    that is a write to the array `grid`

As a dict of the graph ([dicts.py](dicts.py)) it would hold values, all of one form: an array or a list in it
would be a copy. So a record keeps the objects themselves, each behind a bit that says whether its key is
there, as a variable that only some paths bind has one, and beside a number that says when it came. What asks
for more than one key at a time is refused.

A trace begins with dicts of the graph, which can do all that Python's can. Where it is refused, it starts
anew with records (`OtherNames.has_more`); so it does where numbers of several kinds have met, which may be
those of one dict (`OtherNames.tells_kinds`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, NoReturn

from autograph.backends.tensors.containers.fields import Fields
from autograph.backends.tensors.containers.keyed import raise_always
from autograph.backends.tensors.containers.lists import COPIED, Staged
from autograph.backends.tensors.iteration.items import Items
from autograph.backends.tensors.objects.choices import OneOf, choose, each
from autograph.backends.tensors.statements.maybe import MaybeNone, MaybeUndefined
from autograph.backends.tensors.statements.raising import constructed
from autograph.backends.tensors.statements.refused import refused
from autograph.staging.heap import current, leads_on
from autograph.staging.meeting import note_made
from autograph.staging.state import Undefined
from autograph.staging.twins import in_python
from runtime import ops
from runtime.core.containers import register
from runtime.core.tensor import Tensor
from runtime.errors import StateDisagrees
from runtime.graph.build import as_tensor, current_builder
from runtime.graph.location import caller_location

__all__ = ["StagedRecord", "can_be_record"]


def can_be_record(container: Any) -> bool:
    """Whether all keys of a dict are strings that Python knows."""
    return type(container) is dict and all(type(key) is str for key in container)


@leads_on
class StagedRecord(Staged):
    """A dict with string keys that are there on some paths only.

    Parameters
    ----------
    contents : Fields
    """

    built = dict
    holds_objects = True

    def __init__(self, contents: Fields) -> None:
        self.contents = contents
        note_made(self)

    __hash__ = None  # type: ignore[assignment]  # as Python's dicts

    @property
    def length(self) -> Tensor:
        """How many keys there are."""
        found = list(self._held.values())
        bits = [each.ag__valid for each in found if isinstance(each, MaybeUndefined)]
        known = len(found) - len(bits)
        counted = [ops.where(bit, 1, 0) for bit in bits]
        return ops.stands_for_python(ops.sum(ops.stack(counted)) + known) if bits else as_tensor(known)

    @property
    def _held(self) -> dict[str, Any]:
        fields: Fields = self.contents
        return fields.held

    def _valid(self, key: Any) -> Any:
        """Whether a key is there: a bool, or one of the graph."""
        if type(key) is not str:
            _refuse(f"whether {key!r} is a key of it")
        found = self._held.get(key, Undefined(""))
        return found.ag__valid if isinstance(found, MaybeUndefined) else type(found) is not Undefined

    def _value(self, key: str) -> Any:
        """The object of a key that is there."""
        found = self._held[key]
        return current(found.ag__value if isinstance(found, MaybeUndefined) else found)

    def _require(self, key: Any) -> None:
        valid = self._valid(key)
        if valid is False:
            raise_always(constructed(KeyError, (key,), {}))
        if valid is not True:
            refused(ops.logical_not(valid), constructed(KeyError, (key,), {}))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, MaybeNone):  # None is no key of it
            refused(ops.logical_not(key.ag__valid), constructed(KeyError, (None,), {}))
            key = key.ag__value
            return each(key, self.__getitem__) if isinstance(key, OneOf) else self[key]
        self._require(key)
        return self._value(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._become(self.contents.put(key, value, self._valid(key)), keeps_objects=True)

    def __delitem__(self, key: Any) -> None:
        self._require(key)
        self._become(self.contents.without(key))

    def __contains__(self, key: object) -> Any:
        return self._valid(key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default where there is none."""
        valid = self._valid(key)
        if isinstance(valid, bool):
            return self._value(key) if valid else default
        return choose(valid, lambda: self._value(key), lambda: default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """The value of a key, which is put in where there is none."""
        valid = self._valid(key)
        if valid is not True:
            self[key] = default if valid is False else self.get(key, default)
        return self._value(key)

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes the value of a key out."""
        if not default:
            self._require(key)
        found = self.get(key, *default) if default else self._value(key)
        if key in self._held:
            self._become(self.contents.without(key))
        return found

    def update(self, /, *others: Any, **named: Any) -> None:
        """Puts the items of others in."""
        for other in (*others, named):
            if type(other) is dict:
                for key, value in other.items():
                    self[key] = value
            elif isinstance(other, StagedRecord):
                self._put_all(other)
            else:
                _refuse("what it is after an update with something else than a dict of strings")

    def _put_all(self, other: StagedRecord) -> None:
        """Puts in what another one holds, as far as it does."""
        held, since = other._held, other.contents.since
        if not all(type(each) is int for each in since.values()):
            _refuse("what order its keys have after an update with such a one")
        for key in sorted(held, key=since.__getitem__):
            valid = other._valid(key)
            if valid is True:
                self[key] = other._value(key)
            elif valid is not False:
                _refuse("which keys it has after an update with such a one")

    def copy(self) -> StagedRecord:
        """Another dict of the same items."""
        return StagedRecord(self.contents)

    __copy__ = copy

    def clear(self) -> None:
        """Takes everything out."""
        self._become(Fields({}))

    @property
    def items(self) -> Any:
        """What programs call for all items."""
        return _Pairs(self)

    def keys(self) -> Any:
        """The keys."""
        return _view("keys")(self)

    ag__given = keys
    """What gives the items of a loop over it."""

    def values(self) -> Any:
        """The values."""
        return _view("values")(self)

    def in_order(self) -> list[str]:
        """The keys that it may have, in their order, where that is one on all paths."""
        since = self.contents.since
        if not all(type(each) is int for each in since.values()):
            _refuse("the order of the keys")
        return sorted(self._held, key=since.__getitem__)

    def require_keys(self, keys: Sequence[str]) -> None:
        """Sees to it that it has no other keys by now, which would have their turn, too."""
        if self.in_order() != keys:
            _refuse("all keys, in a loop that changes them,")

    def popitem(self) -> Any:
        """Takes the item out that came last."""
        _refuse("its last item")

    def __eq__(self, other: object) -> Any:
        if other is not self:
            _refuse("whether it is equal to another")
        return True

    def __ne__(self, other: object) -> Any:
        return not self == other

    def __or__(self, other: Any) -> Any:
        if not isinstance(other, dict | StagedRecord):
            return NotImplemented
        found = self.copy()
        found.update(other)
        return found

    def __ror__(self, other: Any) -> Any:
        if not isinstance(other, dict):
            return NotImplemented
        if other:
            _refuse("what is in it or in another")
        return self.copy()

    def __ior__(self, other: Any) -> StagedRecord:
        self.update(other)
        return self

    def __iter__(self) -> Any:
        _refuse("all its keys")

    __reversed__ = __iter__

    def __deepcopy__(self, memo: object) -> NoReturn:
        _refuse(f"a copy of all that it holds, beside {memo!r}")

    def __bool__(self) -> NoReturn:  # noqa: PLE0304  # nobody knows
        _refuse("whether it is empty")

    def __len__(self) -> NoReturn:  # noqa: PLE0303  # nobody knows
        _refuse("how long it is")

    def __repr__(self) -> str:
        _refuse("its text")


def _refuse(what: str) -> NoReturn:
    """Says that something is asked that all keys together decide."""
    raise StateDisagrees(
        f"Python asked {what} of a dict that holds objects, and of whose keys only some paths put some in",
        where=caller_location(),
        why="A tensor decides which keys are there.",
        way_out="Put the key in on every path, with None where there is nothing.",
    )


class _Pairs(Items):
    """`items` of a record: called, it gives all of them; nothing runs over them by their number."""

    def __init__(self, record: StagedRecord) -> None:
        super().__init__(
            lambda: _refuse("how many keys come first"), lambda _: _refuse("a key by its number")
        )
        self._record = record

    def __call__(self) -> Any:
        return _view("items")(self._record)


@cache
def _view(part: str) -> Any:
    """The class of what `keys()`, `values()` or `items()` gives; what a function returns is Python's own."""
    kind: Any = in_python(f"dict_{part}", "keys")

    def build(_: type, __: Sequence[Any], children: Sequence[Any], ___: None) -> Any:
        (held,) = children
        return getattr(held, part)() if isinstance(held, dict) else kind(held)

    register(
        kind,
        lambda view: (("dict",), (view.held,), None),
        build,
        lambda _, __: f"the {part} of a dict of which only some paths have some keys",
    )
    return kind


def _split(record: StagedRecord) -> tuple[Sequence[Hashable], Sequence[Any], Any]:
    return ("contents",), (record.contents,), None


def _build(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: Any) -> Any:
    del kind, keys, extra
    (fields,) = children
    held: dict[str, Any] = fields.held
    if current_builder() is not None or any(isinstance(each, MaybeUndefined) for each in held.values()):
        return StagedRecord(fields)
    keys = sorted(held, key=lambda key: int(fields.since[key]))
    return {key: held[key] for key in keys if type(held[key]) is not Undefined}


COPIED.add(StagedRecord)
register(StagedRecord, _split, _build, lambda _, __: "a dict of which only some paths have some keys")
