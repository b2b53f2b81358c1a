"""`sorted`, `min` and `max` over tensors, and over lists whose items or keys are tensors."""

from __future__ import annotations

import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Sequence
from functools import partial
from types import BuiltinFunctionType, MethodType, NoneType
from typing import Any

from autograph.backends.tensors.containers.becoming import become_staged
from autograph.backends.tensors.containers.beside_arrays import leaves_to_arrays
from autograph.backends.tensors.containers.catalogues import Catalogued, catalogued
from autograph.backends.tensors.containers.copied import note_copied
from autograph.backends.tensors.containers.elements import Elements, of_values
from autograph.backends.tensors.containers.equality import one_truth
from autograph.backends.tensors.containers.lists import (
    StagedList,
    StagedTuple,
    contents_of,
    gathered,
    keys_of,
)
from autograph.backends.tensors.objects.choices import (
    OneOf,
    candidates_of,
    choose,
    is_constant,
    number_of,
    over,
    possible_values,
    selected,
)
from autograph.backends.tensors.objects.objects import are_many, holds_objects
from autograph.backends.tensors.scalars.indices import require_order
from autograph.backends.tensors.statements.maybe import MaybeNone, require_known_names
from autograph.backends.tensors.statements.refused import refused
from autograph.backends.tensors.text.strings import Text
from autograph.staging.dispatch import ATOMS
from autograph.staging.heap import current, may_be_one
from autograph.staging.special_methods import (
    compared_as,
    compares_as_library,
    compares_itself,
    is_told_apart,
)
from autograph.staging.stand_ins import is_left_alone
from autograph.staging.twins import converted_twin
from runtime import ops
from runtime.core.dtypes import DType, bool_, int64
from runtime.core.instances import is_ours
from runtime.core.rosters import Roster
from runtime.core.spec import ArraySpec, ListSpec
from runtime.core.structure import Structure, flatten
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, is_recorded, is_symbolic, is_weak, kind_of
from runtime.ops.control_flow import while_loop
from runtime.ops.examples import refuse_as_python

__all__ = [
    "are_nests",
    "best",
    "compared",
    "converted",
    "dtype_within",
    "equal",
    "in_order",
]


def in_order(
    items: Any, *, key: Callable[[Any], Any] | None = None, reverse: Any = False, of: Any = None
) -> Any:
    """`sorted(items, key=key, reverse=reverse)`; equal items keep their order, also in reverse.

    `of` is the list that is put in order, of which the items are a copy.

    Returns
    -------
    list or StagedList
        A list of Python's where the number of items is known.
    """
    found = gathered(items)
    if is_symbolic(reverse):
        require_order(reverse)
        ways = [partial(in_order, found, key=key, reverse=each) for each in (True, False)]
        return choose(ops.cast(reverse, bool_), *ways)
    if isinstance(found, list):
        keys = [item if key is None else key(item) for item in found]
        if not any(map(is_recorded, flatten(keys)[0])):
            by_number = sorted(range(len(found)), key=keys.__getitem__, reverse=reverse)
            return [found[number] for number in by_number]
        if not found:
            return []
        order = _in_order_of(keys, bool(reverse))
        if are_many(found):
            staged = become_staged(found if of is None else of)
            made = StagedList(staged.contents.selected(_column(order)))
            return note_copied(made, staged.contents, staged)
        if holds_objects(found):
            return [selected(order[place], found) for place in range(len(found))]
        contents = Elements.of(found)
        return [contents.get(order[place]) for place in range(len(found))]
    ordered = found.copy()
    ordered.sort(key=key, reverse=reverse)
    return ordered


def _in_order_of(keys: Any, reverse: bool) -> Any:
    """The places of keys in order."""
    if not _have_parts(keys):
        return converted("in_order")(keys, reverse)
    with of_values():
        elements = contents_of(keys)
    columns = elements.columns
    if any(column.dtype.is_floating for column in columns):
        return ops.python_order(*columns, descending=reverse)
    order = ops.arange(0, ops.shape(columns[0])[0])
    for column in reversed(columns):
        values = ops.take(column, order)
        order = ops.take(order, ops.argsort(values, descending=reverse))
    return order


def places_in_order(elements: Elements, reverse: bool) -> Tensor:
    """The places that elements have in order."""
    return _column(_in_order_of(StagedList(elements), reverse))


def _column(places: Any) -> Tensor:
    """Places that Python, or the graph, has found, as a vector."""
    if isinstance(places, Tensor):
        return places
    (column,) = contents_of(places).columns
    return column


def _place_among(builtin: Callable[..., Any], keys: Any) -> Any:
    """The place of the first of the greatest or least keys."""
    if not _have_parts(keys):
        return converted("greatest" if builtin is max else "least")(keys)
    columns = contents_of(keys).columns
    if len(columns) > 1:
        return ops.python_best(*columns, greatest=builtin is max)
    return _place_of_best(builtin, columns[0])


def _have_parts(keys: Any) -> bool:
    """Whether keys are ordered by the numbers and texts in them, one after the other.

    Whatever else a key is, its class says what comes before what.
    """
    if isinstance(keys, StagedTuple):
        return _has_parts(keys.contents.form) and not any(map(_is_own_complex, keys.contents.handles))
    (leaves, first), *others = [flatten(catalogued(key)) for key in keys]
    leaves = [*leaves, *[leaf for more, _ in others for leaf in more]]
    are_alike = all(form == first for _, form in others)
    return _has_parts(first) and are_alike and not any(map(_is_own_complex, leaves))


def _is_own_complex(number: Any) -> bool:
    """Whether a number, or all in a list, are complex ones of Python's, which have no order: NumPy's have."""
    if not is_symbolic(number):
        return type(number) is complex
    dtype = dtype_within(number)
    return dtype is not None and dtype.is_complex and is_weak(number)


def dtype_within(value: Tensor) -> DType | None:
    """The dtype of a value of the graph, or of the arrays in a list of it; None where there are none."""
    spec = value.spec.element if isinstance(value.spec, ListSpec) else value.spec
    return spec.dtype if isinstance(spec, ArraySpec) else None


def _has_parts(form: Structure) -> bool:
    kind = form.kind
    if kind is Catalogued:
        return not isinstance(form.extra, Roster) and form.extra.has_order
    if kind is None or kind is Text:
        return True
    if issubclass(kind, StagedTuple):
        return False
    is_known = compared_as(kind, "__lt__") or not (is_left_alone(kind) or compares_itself(kind, "__lt__"))
    return bool(is_known) and all(map(_has_parts, form.children))


def converted(name: str) -> Callable[..., Any]:
    """A function of `autograph.staging.comparing`, converted."""
    return converted_twin(name)


def _taken(items: Any, contents: Elements, place: Any) -> Any:
    """The element at a place, which the list records as taken from there."""
    return items.items.item(place) if isinstance(items, StagedTuple) else contents.get(place)


def best(
    builtin: Callable[..., Any],
    items: Any,
    *,
    key: Any = None,
    tied: BaseException | None = None,
    **default: Any,
) -> Any:
    """`min(items, key=key)` or `max(items, key=key)`: the first of equal items.

    Parameters
    ----------
    builtin : callable
        `min` or `max`.
    items : iterable of Python, or of the graph
    key : callable, optional
    tied : exception, optional
        What the run raises where several items are the best, and nobody knows which comes first.
    **default
        The value for no items, under the name `default`.
    """
    found = items if isinstance(items, StagedTuple) else gathered(items)
    if isinstance(found, list) and are_many(found):
        found = become_staged(found)
    if isinstance(found, list) and found and holds_objects(found):
        return selected(_place_among(builtin, [item if key is None else key(item) for item in found]), found)
    contents = contents_of(found)
    keyed = contents if key is None else keys_of(contents, key)

    def chosen() -> Any:
        place = _place_among(builtin, StagedList(keyed))
        if tied is not None:
            refused(ops.count_nonzero(keyed.matches(keyed.get(place))) > 1, tied)
        return _taken(found, contents, place)

    if "default" in default:
        return choose(contents.length > 0, chosen, lambda: default["default"])
    refused(contents.length == 0, _of_nothing(builtin))
    return chosen()


def _place_of_best(builtin: Callable[..., Any], column: Tensor) -> Any:
    """Where the first of the greatest or least numbers is; a NaN is that only as the very first item."""
    find = ops.argmax if builtin is max else ops.argmin
    if not column.dtype.is_floating:
        return find(column)
    last = -math.inf if builtin is max else math.inf
    is_nan = ops.isnan(column)
    return ops.where(is_nan[0], 0, find(ops.where(is_nan, last, column)))


def compared(compare: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """`left < right` and its likes; of two lists or tuples, by the first items that are not equal.

    Parameters
    ----------
    compare : callable
        `<`, `<=`, `>` or `>=`, of `operator`.
    left, right : object
        Values of the graph may be in them.
    """
    if isinstance(left, MaybeNone):
        left = left.ag__operand(compare, right)
    if isinstance(right, MaybeNone):
        right = right.ag__operand(lambda none, other: compare(other, none), left)
    if isinstance(right, OneOf) and (type(left) in ATOMS or _has_no_order(left, compare)):
        return over((left, right), compare)  # or Python would ask the chosen one, and for the other order
    if isinstance(left, OneOf) or isinstance(right, OneOf):
        return compare(left, right)
    if _are_of_graph(left, right):
        return _of_contents(compare, contents_of(left), contents_of(right))
    if _are_sequences(left, right, f"__{compare.__name__}__"):
        return _from_item(compare, left, right, 0)
    if is_weak(right) and (isinstance(left, list | tuple) or names_itself_last(left, right)):
        refuse_as_python(compare, left, right)  # the number would name itself first
    return compare(left, right)


def names_itself_last(left: Any, right: Any) -> bool:
    """Whether Python names an operand of its own before a number of its own, in what it says of the two.

    A tensor is asked second, the other way round, and would say that of itself.
    """
    if isinstance(left, Tensor):
        return False
    has_none = _has_no_order(left, operator.lt) and not is_ours(type(left))
    return has_none or type(left) in _WITHOUT_ORDER or (type(left) in _REAL and kind_of(right) == "c")


_WITHOUT_ORDER = frozenset(
    {bytes, complex, dict, frozenset, set, slice, str, BuiltinFunctionType, MethodType, NoneType}
)
"""Classes of Python's that have no order beside a number; that of None says so itself from Python 3.12 on."""
_REAL = frozenset({bool, int, float})


def _has_no_order(value: Any, compare: Callable[[Any, Any], Any]) -> bool:
    """Whether the class of a value says nothing of what is less than it, or greater."""
    name = f"__{compare.__name__}__"
    return getattr(type(value), name, None) is getattr(object, name)


def _are_of_graph(left: Any, right: Any) -> bool:
    """Whether two sequences of one class are to be compared of which one is of the graph."""
    kinds = [each.built if isinstance(each, StagedTuple) else type(each) for each in (left, right)]
    has_one = isinstance(left, StagedTuple) or isinstance(right, StagedTuple)
    return has_one and kinds[0] is kinds[1]


def _of_contents(compare: Callable[[Any, Any], Any], left: Elements, right: Elements) -> Any:
    """The order of two lists: that of the first elements that are not equal, or of the lengths."""
    if left.is_unknown or right.is_unknown:
        return compare(left.length, right.length)
    shortest = ops.minimum(left.length, right.length)

    def turn(place: Any, _: Any) -> tuple[Any, Any]:
        same = as_tensor(equal(left.get(place), right.get(place)))
        following = place + ops.cast(same, int64)
        return following, ops.logical_and(same, following < shortest)

    place, _ = while_loop(lambda _, going: going, turn, (as_tensor(0), shortest > 0))
    return choose(
        place < shortest,
        lambda: compared(compare, left.get(place), right.get(place)),
        lambda: compare(left.length, right.length),
    )


def _comparison(compare: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def method(self: Any, other: Any) -> Any:
        return compared(compare, self, other) if _are_of_graph(self, other) else NotImplemented

    return method


ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)

for _compare in ORDERS:
    leaves_to_arrays(StagedTuple, f"__{_compare.__name__}__", _compare, _comparison(_compare))


def _from_item(
    compare: Callable[[Any, Any], Any],
    left: Any,
    right: Any,
    place: int,
    rest: Callable[[], Any] | None = None,
) -> Any:
    """The order of two sequences that are equal before a place; of equal ones it is that of the `rest`."""
    if place in {len(left), len(right)}:
        return compare(len(left), len(right)) if rest is None else rest()
    same = one_truth(equal(left[place], right[place]))

    def here() -> Any:
        return compared(compare, left[place], right[place])

    def further() -> Any:
        return _from_item(compare, left, right, place + 1, rest)

    if not is_symbolic(same):
        return further() if same else here()
    return choose(same, further, here)


def equal(left: Any, right: Any) -> Any:
    """`left == right`, also of containers of Python's with values of the graph in them."""
    if not are_nests(left, right):
        if is_told_apart(left):
            may_be_one(left, right)
        if left is right:
            return True
        for each in (left, right):
            if compares_as_library(type(each)):
                require_known_names(each)
        return left == right
    pairs = _pairs(left, right)
    if pairs is None:
        return False
    found: Any = True
    for one, other in pairs:
        same = one_truth(equal(one, other))
        if is_symbolic(same):
            found = same if found is True else ops.logical_and(found, same)
        elif not same:
            return False
    return found


def _differ(left: Any, right: Any) -> Any:
    """`left != right`, likewise."""
    if not are_nests(left, right):
        return left != right
    same = equal(left, right)
    return ops.logical_not(same) if is_symbolic(same) else not same


def by_items(compare: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """How chosen sequences compare, by what these have in each place: no pair has a branch of its own.

    `NotImplemented` where they are something else, or not as long for `==` and `!=`, and where they hold what
    may be one object in both: Python does not compare that.
    """
    sides = [[current(each) for each in possible_values(side)] for side in (left, right)]
    kinds = {type(each) for side in sides for each in side}
    if kinds not in ({list}, {tuple}):
        return NotImplemented
    if not all(_holds_numbers(each) for side in sides for each in side):
        return NotImplemented
    lengths = {len(each) for side in sides for each in side}
    if min(lengths) == 0 or (len(lengths) > 1 and compare not in ORDERS):
        return NotImplemented
    one, other = [
        [_of_chosen(side, [each[place] for each in found]) for place in range(min(lengths))]
        for side, found in zip((left, right), sides, strict=True)
    ]
    if compare not in ORDERS:
        return equal(one, other) if compare is operator.eq else _differ(one, other)
    further = partial(over, (left, right), partial(_from_item, compare, place=min(lengths)))
    return _from_item(compare, one, other, 0, further if len(lengths) > 1 else None)


def _holds_numbers(value: Any) -> bool:
    """Whether a list or a tuple holds numbers and what never changes, however deep."""
    if type(value) in {list, tuple}:
        return all(map(_holds_numbers, value))
    if isinstance(value, OneOf):
        return all(map(_holds_numbers, candidates_of(value)))
    return not ops.is_array(value) if is_symbolic(value) else is_constant(value)


def _of_chosen(value: Any, items: Sequence[Any]) -> Any:
    """The item that belongs to the one that was chosen."""
    return selected(number_of(value), items) if isinstance(value, OneOf) else items[0]


BY_OPERATOR: dict[Callable[[Any, Any], Any], Callable[[Any, Any], Any]] = {
    operator.eq: equal,
    operator.ne: _differ,
    **{each: partial(compared, each) for each in ORDERS},
}
"""How two candidates are compared, by the operator, where tensors are in them."""


def are_nests(left: Any, right: Any) -> bool:
    """Whether two containers of Python's are equal where what is in them is."""
    kind, other = type(left), type(right)
    if _are_sequences(left, right, "__eq__") or (kind in MAPPINGS and other in MAPPINGS):
        return True
    return kind is other is deque


def _are_sequences(left: Any, right: Any, name: str) -> bool:
    """Whether two lists, or two tuples, also of classes of their own, are compared item by item."""
    kind = compared_as(type(left), name)
    return kind is not None and compared_as(type(right), name) is kind


def _pairs(left: Any, right: Any) -> list[tuple[Any, Any]] | None:
    """What has to be equal, so that two containers are; None where they cannot be."""
    if type(left) is type(right) is Counter:
        return [(left[key], right[key]) for key in [*left, *right]]
    if len(left) != len(right):
        return None
    if not isinstance(left, dict):
        return list(zip(left, right, strict=True))
    if type(left) is type(right) is OrderedDict and list(left) != list(right):
        return None
    return [(value, right[key]) for key, value in left.items()] if left.keys() == right.keys() else None


MAPPINGS = frozenset({Counter, OrderedDict, defaultdict, dict})
"""Classes of Python's that are equal where they have the same values under the same keys."""


def _of_nothing(builtin: Callable[..., Any]) -> ValueError:
    """What `min` or `max` raises for no items; the words differ between Pythons."""
    try:
        builtin(())
    except ValueError as error:
        return error
    raise AssertionError(builtin)
