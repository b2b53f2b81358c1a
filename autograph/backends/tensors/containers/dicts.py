"""`StagedDict`: a dict whose keys are values of the graph, with the interface of Python's."""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NoReturn

from autograph.backends.tensors.containers import counters, fields, owners, records
from autograph.backends.tensors.containers.becoming import STAND_INS, become_staged
from autograph.backends.tensors.containers.copied import (
    is_element,
    mark,
    may_change,
    note_copied,
    note_given,
    note_taken_out,
)
from autograph.backends.tensors.containers.elements import Elements
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
from autograph.backends.tensors.containers.lists import (
    COPIED,
    StagedList,
    StagedTuple,
    changes_in_place,
    contents_of,
)
from autograph.backends.tensors.containers.other_names import other_names
from autograph.backends.tensors.containers.views import Keys, Values, View, ViewItems
from autograph.backends.tensors.iteration.items import Items
from autograph.backends.tensors.objects.choices import OneOf, choose, selected
from autograph.backends.tensors.objects.objects import are_chosen, item_among
from autograph.backends.tensors.scalars.indices import refuse
from autograph.backends.tensors.statements.raising import constructed
from autograph.backends.tensors.statements.refused import refused
from autograph.staging.context import staging
from autograph.staging.heap import leads_on
from autograph.staging.meeting import note_made
from autograph.staging.notes import without_writing_back
from autograph.staging.spoken import called
from runtime import ops
from runtime.core.containers import Boxes, Finish, register
from runtime.core.rebuilding import rows_of
from runtime.core.structure import Structure, flatten, unflattening
from runtime.core.tensor import Tensor
from runtime.core.text import Apply, mark_text
from runtime.graph.build import as_tensor, bind, current_builder, is_symbolic
from runtime.ops.control_flow.tracing import is_tensor
from runtime.ops.tensor_list import TensorListFound

__all__ = ["StagedDict", "Table", "looked_up", "new_dict"]


class Table:
    """What a dict of the graph holds. It never changes: an edit gives another one.

    Attributes
    ----------
    keys : Elements
        In the order in which they came.
    values : Elements
        One for each key.
    """

    __slots__ = ("keys", "values")

    def __init__(self, keys: Elements, values: Elements) -> None:
        self.keys = keys
        self.values = values

    @classmethod
    def of(cls, items: Mapping[Any, Any], like: Table | None = None) -> Table:
        """The items of a dict of Python's; `like` says what they are, where there are none."""
        keys, values = (None, None) if like is None else (like.keys, like.values)
        return cls(Elements.of(python_keys(items), keys), Elements.of(list(items.values()), values))

    @classmethod
    def like(cls, make: Callable[[], Table]) -> Table:
        """No items, of the form of others, which are made aside, for nothing else."""
        return cls(Elements.like(lambda: make().keys), Elements.like(lambda: make().values))

    @property
    def is_unknown(self) -> bool:
        """Whether nothing was ever put in, so that the form of an item is not known yet."""
        return self.keys.is_unknown

    @property
    def pairs(self) -> Elements:
        """The keys and the values, in pairs."""
        form = Structure(tuple, (0, 1), (self.keys.form, self.values.form))
        return Elements(form, [*self.keys.handles, *self.values.handles])

    def emptied(self) -> Table:
        """No items, of the same form."""
        return Table(self.keys.emptied(), self.values.emptied())

    def put(self, place: Any, key: Any, value: Any) -> Table:
        """Another value at a place, or, where that is the end, one more item."""
        return Table(with_key(self.keys, place, key), self.values.written(place, value))

    def selected(self, places: Any) -> Table:
        """The items at some places."""
        return Table(self.keys.selected(places), self.values.selected(places))

    def without(self, place: Any) -> Table:
        """All items but one."""
        return Table(self.keys.without(place), self.values.without(place))


@called("dict")
@leads_on
class StagedDict(StagedKeyed):
    """A dict with keys that only a run knows.

    Parameters
    ----------
    contents : Table
    built : type
        The class of Python's that it stands for.
    factory : callable, optional
        Of a `defaultdict`.
    """

    changed = "dictionary changed size during iteration"

    def __init__(
        self, contents: Table, built: type[Any] = dict, factory: Callable[[], Any] | None = None
    ) -> None:
        self.contents = contents
        self.built = built
        self.default_factory = factory
        note_made(self)

    __hash__ = None  # as Python's dicts

    @property
    def keys_held(self) -> Elements:
        table: Table = self.contents
        return table.keys

    @property
    def items(self) -> Any:
        """The keys for a loop; called, the items."""
        return ViewItems(self)

    def keys(self) -> View:
        """The keys."""
        return Keys(self)

    def values(self) -> View:
        """The values."""
        return Values(self)

    def _value(self, place: Any) -> Any:
        return mark(self.contents.values.get(place), self, changes_in_place, lambda: place)

    def write_back(self, place: Any, element: Any) -> None:
        """Gives the value at a place what it holds by now."""
        held = self._contents
        self._contents = Table(held.keys, held.values.put(place, element))

    def __getitem__(self, key: Any) -> Any:
        if self.built is Counter:
            return self.get(key, 0)
        if self.default_factory is not None:
            value = self.setdefault(key, self.default_factory, is_called=True)
        else:
            value = self._value(self._place_of(key))
        if id(value) in staging.copies:
            staging.copies[id(value)].key = key
        return value

    def __setitem__(self, key: Any, value: Any) -> None:
        known = staging.copies.get(id(value))
        if known is not None and known.is_at(self, key):  # `groups[key] += [x]`
            return
        place = self._place_for(key)
        self._become(self.contents.put(place, key, value))
        mark(value, self, changes_in_place, lambda: place)

    def __add__(self, other: Any) -> Any:
        """Of a `Counter`: how often each key is there in both, where that is more than never."""
        return self._counted_with(other, Counter.update)

    def __sub__(self, other: Any) -> Any:
        return self._counted_with(other, Counter.subtract)

    def __iadd__(self, other: Any) -> Any:
        both = self + other
        return both if both is NotImplemented else self._now(both)

    def __isub__(self, other: Any) -> Any:
        rest = self - other
        return rest if rest is NotImplemented else self._now(rest)

    def __pos__(self) -> Any:
        """Of a `Counter`: the keys with counts above 0."""
        return self + Counter() if self.built is Counter else _refuse_sign("+", self.built)

    def __neg__(self) -> Any:
        """Of a `Counter`: the keys with counts below 0, and how far these are below."""
        if self.built is not Counter:
            _refuse_sign("-", self.built)
        opposite = new_dict(Counter, [self])
        opposite.subtract(self)
        return opposite - self

    def _counted_with(self, other: Any, combine: Callable[..., None]) -> Any:
        if self.built is not Counter or Counter not in {type(other), getattr(other, "built", None)}:
            return NotImplemented
        found = new_dict(Counter, [self])
        getattr(found, combine.__name__)(other)
        if found.contents.is_unknown:
            return found
        return StagedDict(
            found.contents.selected(ops.nonzero(found.contents.values.stacked() > 0)[0]), Counter
        )

    def __radd__(self, other: Any) -> Any:
        return new_dict(Counter, [other]) + self if isinstance(other, Counter) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return new_dict(Counter, [other]) - self if isinstance(other, Counter) else NotImplemented

    def __delitem__(self, key: Any) -> None:
        if self.built is Counter:  # which does not mind
            self.pop(key, None)
        else:
            self._reshape(self.contents.without(self._place_of(key)))

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default where there is none."""
        default = _staged(default)
        return self._get(key, lambda: default)

    def _get(self, key: Any, default: Callable[[], Any]) -> Any:
        if self.keys_held.is_unknown:
            return default()
        place = self._place(key)
        return choose(place < self.length, lambda: self._value(place), default)

    def setdefault(self, key: Any, default: Any = None, *, is_called: bool = False) -> Any:
        """The value of a key, which is put in where there is none."""
        default = default if is_called else _staged(default)

        def made() -> Any:
            value = _staged(default() if is_called else default)
            if changes_in_place(value) and is_element(value):
                staging.tangle()
            return value

        value, before = self._get(key, made), self.contents
        place = self._place(key)
        with without_writing_back():  # the value that is there is put where it is
            after = before.put(place, key, value)
        self._become(after, keeps_objects=True)
        marked = mark(value, self, changes_in_place, lambda: place, is_alone=True)
        # Of values of several kinds, the one that is put in is taken from where it is.
        return self._value(place) if isinstance(value, OneOf) else marked

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes the value of a key out."""
        if not default:
            place = self._place_of(key)
            value = self.contents.values.get(place)
            self._reshape(self.contents.without(place))
            return note_taken_out(value, self)
        if self.keys_held.is_unknown:
            return default[0]
        return choose(self._place(key) < self.length, lambda: self.pop(key), lambda: default[0])

    def popitem(self, last: Any = True) -> Any:
        """Takes the item out that came last."""
        before = "" if self.built is OrderedDict else "popitem(): "
        error = KeyError(f"{before}dictionary is empty")
        if self.keys_held.is_unknown:
            raise_always(error)
        refused(self.length == 0, error)
        place = self.length - 1 if last else as_tensor(0)
        pair = self.contents.pairs.get(place)
        self._reshape(self.contents.without(place))
        return note_taken_out(pair, self)

    def move_to_end(self, key: Any, last: Any = True) -> None:
        """Of an `OrderedDict`: puts an item behind all others, or before them."""
        if self.built is not OrderedDict:
            refuse(AttributeError(f"'{self.built.__name__}' object has no attribute 'move_to_end'"))
        place = self._place_of(key)
        value, rest = self.contents.values.get(place), self.contents.without(place)
        if last:
            self._reshape(rest.put(self.length - 1, key, value))
        else:
            self._reshape(Table(rest.keys.inserted(0, key), rest.values.inserted(0, value)))

    def clear(self) -> None:
        """Takes everything out."""
        self._reshape(self.contents.emptied())

    def copy(self) -> StagedDict:
        """Another dict of the same items."""
        made = StagedDict(self.contents, self.built, self.default_factory)
        return note_copied(made, self.contents.values, self)

    __copy__ = copy

    def update(self, /, *others: Any, **named: Any) -> None:
        """Puts the items of others in; a `Counter` counts."""
        if self.built is Counter:
            for other in (*others, *([named] if named else [])):
                self._count(other)
            return
        for other in others:
            pairs = _pairs_of(other, self)
            listed = _listed(other) if may_change(pairs.form) else None
            if listed is None:
                self._put_all(pairs)
            else:  # one by one, so that each value stays the object that it is
                for key, value in listed:
                    self[key] = value
        for key, value in named.items():
            self[key] = value

    def subtract(self, /, *others: Any, **named: Any) -> None:
        """Of a `Counter`: takes the counts of others off."""
        for other in (*others, *([named] if named else [])):
            self._count(other, -1)

    def _put_all(self, pairs: Elements) -> None:
        keys = pairs.form.children[0] if pairs.form.children else pairs.form
        if not (pairs.is_unknown or refuses_keys(pairs, keys)):
            self._become(folded(pairs, self.contents, lambda table, pair: _with_item(table, *pair)))

    def _count(self, other: Any, sign: int = 1) -> None:
        is_mapping = isinstance(other, StagedDict | Mapping)

        def counted(table: Table, pair: Any) -> Table:
            key, count = pair if is_mapping else (pair, 1)
            held = StagedDict(table, Counter)
            return _with_item(table, key, held.get(key, 0) + sign * count)

        elements = _pairs_of(other, self) if is_mapping else contents_of(other)
        keys = elements.form.children[0] if is_mapping and elements.form.children else elements.form
        if not (elements.is_unknown or refuses_keys(elements, keys)):
            self._become(folded(elements, self.contents, counted))

    def most_common(self, n: Any = None) -> Any:
        """Of a `Counter`: the items, those that count most first."""
        pairs = StagedList(self.contents.pairs)
        pairs.sort(key=lambda pair: pair[1], reverse=True)
        if n is None:
            return pairs
        return pairs[: ops.maximum(n, 0) if is_symbolic(n) else max(n, 0)]

    def elements(self) -> Any:
        """Of a `Counter`: each key as often as it counts."""
        return counters.counted_out(self)

    def total(self) -> Any:
        """Of a `Counter`: the sum of the counts."""
        return ops.sum(self.contents.values.stacked(), axis=0)

    def __and__(self, other: Any) -> Any:
        """Of a `Counter`: how often each key is there in both."""
        return counters.together("in_both", self, other)

    def __rand__(self, other: Any) -> Any:
        return counters.together("in_both", other, self)

    def __iand__(self, other: Any) -> Any:
        return self._now(self & other) if self.built is Counter else NotImplemented

    def __le__(self, other: Any) -> Any:
        return counters.together("is_within", self, other)

    def __ge__(self, other: Any) -> Any:
        return counters.together("is_within", other, self)

    def __lt__(self, other: Any) -> Any:
        return counters.together("is_less", self, other)

    def __gt__(self, other: Any) -> Any:
        return counters.together("is_less", other, self)

    def _now(self, other: StagedDict) -> StagedDict:
        self._reshape(other.contents)
        return self

    def __or__(self, other: Any) -> Any:
        if self.built is Counter:
            return counters.together("in_either", self, other)
        if not isinstance(other, StagedDict | dict):
            return NotImplemented
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other: Any) -> Any:
        if self.built is Counter:
            return counters.together("in_either", other, self)
        if not isinstance(other, dict):
            return NotImplemented
        both = StagedDict(Table.of(other), self.built, self.default_factory)
        both.update(self)
        return both

    def __ior__(self, other: Any) -> Any:
        if self.built is Counter:
            return self._now(self | other)
        self.update(other)
        return self

    def __eq__(self, other: object) -> Any:
        counted = counters.together("are_equal", self, other)
        if counted is not NotImplemented or not isinstance(other, StagedDict | dict):
            return counted
        other = other if isinstance(other, StagedDict) else StagedDict(Table.of(other))
        same = self.length == other.length
        if self.keys_held.is_unknown or other.keys_held.is_unknown:
            return same
        theirs = other

        def found(equal: Tensor, pair: Any) -> Tensor:
            key, value = pair
            place = theirs.keys_held.place(key)
            one = Elements.of([value])
            alike = choose(
                place < theirs.length,
                lambda: one.same_as(Elements.of([theirs.contents.values.get(place)], one)),
                lambda: False,
            )
            return ops.logical_and(equal, alike)

        return ops.stands_for_python(folded(self.contents.pairs, same, found))

    def __ne__(self, other: object) -> Any:
        equal = self.__eq__(other)
        return equal if equal is NotImplemented else ops.stands_for_python(ops.logical_not(equal))

    def __repr__(self) -> str:
        pairs = self.contents.pairs
        if pairs.handles:
            slots = owners.slots_for(pairs.handles)
            kind = "dict" if self.built is defaultdict else self.built.__name__
            marked = mark_text(Apply("sequence", (kind, pairs.shown_form, *slots)), pairs.handles)
            if marked is not None:
                return (
                    f"defaultdict({self.default_factory!r}, {marked})"
                    if self.built is defaultdict
                    else marked
                )
        return f"<a {self.built.__name__} of the graph>"


def _refuse_sign(sign: str, kind: type) -> NoReturn:
    refuse(TypeError(f"bad operand type for unary {sign}: '{kind.__name__}'"))


def _staged(value: Any) -> Any:
    """A set, a deque or a dict without fixed keys as one of the graph: it meets those that are values."""
    kind = type(value)
    if kind not in STAND_INS or kind is list or (kind is dict and value):
        return value
    return become_staged(value)


def _with_item(table: Table, key: Any, value: Any) -> Table:
    require_hash(key)
    return table.put(table.keys.place(key), key, value)


def _pairs_of(other: Any, taker: StagedDict) -> Elements:
    """The items of what `dict` and `update` take, which is one that puts them in."""
    if isinstance(other, StagedDict):
        table: Table = other.contents
        note_copied(taker, table.values, other)
        return table.pairs
    listed = _listed(other)
    require_hash(tuple([pair[0] for pair in listed or () if type(pair) is tuple and len(pair) == _PAIR]))
    pairs = contents_of(other if listed is None else listed)
    if pairs.form.kind in {StagedList, StagedTuple}:
        rows = pairs
        pairs = contents_of(Items(rows.length, lambda index: _pair(rows.get(index), index, taker)))
    elif pairs.form.kind in {list, tuple} and len(pairs.form.children) != _PAIR:
        _require_pair(ops.where(pairs.length > 0, len(pairs.form.children), _PAIR), 0, taker)
        pairs = Elements.of(())
    note_given(taker, pairs, other)
    return pairs


_PAIR = 2
"""How many there are of what `dict` takes as an item."""

_FEW = ("0 values", "1 value")


def _pair(item: StagedTuple, index: Any, taker: StagedDict) -> Sequence[Any]:
    """An item that `dict` is given, whose length only the run knows."""
    _require_pair(item.contents.length, index, taker)
    return tuple([item.contents.get(as_tensor(at)) for at in range(_PAIR)])


def _require_pair(length: Tensor, index: Any, taker: StagedDict) -> None:
    """Has the graph say what Python does of an item that is no pair."""
    wrong = "dictionary update sequence element #{} has length {}; 2 is required"
    said = {wrong: ops.equal(length, _PAIR)}
    if taker.built is OrderedDict:
        few = {f"need more than {count} to unpack": length != at for at, count in enumerate(_FEW)}
        said = {"too many values to unpack (expected 2)": length <= _PAIR, **few}
    for message, is_right in said.items():
        bind(TensorListFound(message), ops.reshape(is_right, (1,)), index, length)


def _listed(other: Any) -> Sequence[Any] | None:
    """The items of a list or a mapping of Python's, whose number is known; None for all else."""
    if isinstance(other, Mapping):
        return [*other.items()]
    return other if isinstance(other, list | tuple) else None


def new_dict(
    kind: type,
    items: Sequence[Any] = (),
    named: Mapping[str, Any] = MappingProxyType({}),
    factory: Any = None,
) -> StagedDict:
    """A dict with keys of the graph.

    Parameters
    ----------
    kind : type
        The class that it stands for.
    items, named
        What Python's class takes.
    factory : callable, optional
        Of a `defaultdict`.
    """
    unknown = Elements.of(())
    found = StagedDict(Table(unknown, unknown), kind, factory)
    found.update(*items, **named)
    return found


def looked_up(container: dict[Any, Any], key: Any, missing: Callable[[], Any] | None = None) -> Any:
    """The value that a key of the graph has in a dict of Python's, which stays what it is.

    Parameters
    ----------
    container : dict
    key : nest of tensors
    missing : callable, optional
        Gives the value where the key is not there; by default that is a KeyError.
    """
    require_hash(key)
    named = {each: value for each, value in container.items() if each is not None}  # which the key is not
    if missing is None:
        error = constructed(KeyError, (key,), {})
        if not named:
            raise_always(error)
    elif not named:
        return missing()
    values = list(named.values())
    place = Elements.of(python_keys(named)).place_among_known(key)

    def value() -> Any:
        if any(map(changes_in_place, values)) or not all(map(is_tensor, flatten(values)[0])):
            # where there is none, the number of a value that nobody asks for is one of a value all the same
            return selected(place if missing is None else ops.minimum(place, len(values) - 1), values)
        return item_among(values, place) if are_chosen(values) else Elements.of(values).get(place)

    if missing is not None:
        return choose(place < len(values), value, missing)
    refused(place == len(values), error)
    return value()


def _split_table(table: Table) -> tuple[Sequence[Any], Sequence[Any], Any]:
    return ("keys", "values"), (table.keys, table.values), None


def _split_dict(value: StagedDict) -> tuple[Sequence[Any], Sequence[Any], Any]:
    numbers = OwnNumbers(value.contents.keys.are_numbers)
    return ("contents",), (value.contents,), (value.built, value.default_factory, numbers)


def _build_dict(kind: type, keys: Sequence[Any], children: Sequence[Any], extra: Any) -> Any:
    del kind, keys
    (table,), (built, factory, numbers) = children, extra
    if not (table.keys.are_there and table.values.are_there):
        return StagedDict(table, built, factory)
    found = defaultdict(factory) if built is defaultdict else built()
    key, value = keys_from(table.keys.form, numbers), unflattening(table.values.form)
    for parts, row in zip(table.keys.rows(), table.values.rows(), strict=True):
        found[key(parts)] = value(row)
    return found


def _stand_in(
    original: dict[Any, Any], model: Table | fields.Fields | None
) -> StagedDict | records.StagedRecord:
    if isinstance(model, fields.Fields):
        return records.StagedRecord(fields.Fields(original))
    is_traced = model is None and current_builder() is not None
    if is_traced and records.can_be_record(original) and other_names().keeps_objects():
        return records.StagedRecord(fields.Fields(original))
    return StagedDict(Table.of(original, model), type(original), getattr(original, "default_factory", None))


STAND_INS.update(dict.fromkeys((dict, defaultdict, Counter, OrderedDict), _stand_in))
COPIED.add(StagedDict)
register(Table, _split_table, lambda _, __, children, ___: Table(*children))


def _finish_dict(structure: Structure, boxes: Boxes) -> Callable[[Sequence[Any]], Any]:
    (table,), (built, factory, numbers) = structure.children, structure.extra
    of_keys, of_values = table.children
    keys, values = keys_in(of_keys.extra, numbers, boxes), rows_of(of_values.extra, boxes)
    count = of_keys.leaf_count

    def finish(columns: Sequence[Any]) -> Any:
        pairs = zip(keys(columns[:count]), values(columns[count:]), strict=True)
        if built is dict:
            return dict(pairs)
        found = defaultdict(factory) if built is defaultdict else built()
        (partial(dict.update, found) if built is Counter else found.update)(pairs)  # it would count them
        return found

    return finish


register(
    StagedDict, _split_dict, _build_dict, lambda _, __: "a dict with keys of the graph", Finish(_finish_dict)
)
