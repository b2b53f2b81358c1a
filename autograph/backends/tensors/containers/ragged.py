"""Elements of several lengths or kinds in a staged list: nested staged lists, and tagged unions of kinds.

All elements of a growing list have one form. Lists in them may have several lengths, or none that is known
before the run: where such elements meet, each of these lists becomes a `StagedList`, those that are in the
growing list already in a loop of the graph. So do dicts whose keys differ; sets and deques always do. Tuples
of a few lengths are one of several objects each; of many, or where one has grown, they are sequences, too.

Elements that are of one kind in no way become one of several objects each, with a part for each kind: what an
element is not holds zeros there, which nobody reads.

    [1, "a", 2]              a number for each element that says which it is, one for 1 and 2, one for "a"
    [0, math.inf, 3]         the same: one for 0 and 3, one for floats
    [node, None]             a bit for each element, and a node
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from typing import Any

import numpy as np

from autograph.backends.tensors.containers.becoming import is_number
from autograph.backends.tensors.containers.catalogues import Catalogued, catalogued
from autograph.backends.tensors.containers.deques import StagedDeque
from autograph.backends.tensors.containers.dicts import StagedDict, Table
from autograph.backends.tensors.containers.element_forms import never_changes
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.keyed import OwnNumbers
from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import Staged, StagedList, StagedTuple, contents_of
from autograph.backends.tensors.containers.numbered_lists import NUMBERED_KINDS, unite
from autograph.backends.tensors.containers.sets import StagedSet
from autograph.backends.tensors.containers.taken import has_own_number
from autograph.backends.tensors.objects.choices import (
    MOST_CANDIDATES,
    OneOf,
    as_text,
    candidates_of,
    choose,
    is_choice,
    is_numbered,
    number_of,
)
from autograph.backends.tensors.statements import numbers_beside
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.text.strings import TEXT_FORM, Text, grounded
from autograph.staging.heap import may_be_one, was_held
from autograph.staging.special_methods import compares_itself, is_told_apart
from autograph_base.dataclass import dataclass
from runtime import ops
from runtime.core.dtypes import bool_, int64, result_type
from runtime.core.shapes import smallest
from runtime.core.spec import ArraySpec, ListSpec
from runtime.core.structure import LEAF, Structure, flatten, level_of, unflatten
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor, builder_in_use
from runtime.graph.symbol import Symbol
from runtime.ops.control_flow import while_loop
from runtime.ops.control_flow.tracing import is_tensor

__all__ = ["CHOICES", "as_one", "common_form", "converted", "flattened", "in_form", "matches", "same"]

CHOICES = frozenset({OneOf, MaybeNone, Linked})
"""Classes of values that are one of several."""


@dataclass(frozen=True)
class _Kind:
    """A kind of container of the graph that may be in an element.

    Its form is described by what it holds: ``Structure(kind, (), parts, rest)``, with a part for each list of
    elements in it, and without parts as long as nothing was ever put in.

    Parameters
    ----------
    python : type
        The class of Python's that it stands for.
    parts : callable
        form → the forms of what it holds, as `flatten` gives them.
    rest : callable
        form → what containers of this kind have to have in common.
    form : callable
        parts, rest → its form, as `flatten` gives it.
    build : callable
        contents of each part, rest → the container.
    width : int
        How many parts it has.
    """

    python: type
    parts: Callable[[Structure], Sequence[Structure]]
    rest: Callable[[Structure], Any]
    form: Callable[[Sequence[Structure], Any], Structure]
    build: Callable[[Sequence[Elements], Any], Any]
    width: int = 1


def _columns(kind: type, inner: Structure, extra: Any) -> Structure:
    """The form of a container with a list of the graph for each leaf of its elements."""
    return Structure(kind, tuple(range(inner.leaf_count)), (LEAF,) * inner.leaf_count, extra)


def _of_elements(inner: Structure) -> Structure:
    return _columns(Elements, inner, inner)


def _numpys(keys: Structure) -> OwnNumbers:
    """Says of keys that none is a number of Python's own."""
    return OwnNumbers((False,) * keys.leaf_count)


def _table(keys: Structure, values: Structure) -> Structure:
    return Structure(Table, ("keys", "values"), (_of_elements(keys), _of_elements(values)))


_KINDS: dict[Any, _Kind] = {
    StagedList: _Kind(
        list,
        lambda form: [form.extra],
        lambda _: None,
        lambda parts, _: _columns(StagedList, parts[0], parts[0]),
        lambda contents, _: StagedList(contents[0]),
    ),
    StagedTuple: _Kind(
        tuple,
        lambda form: [form.extra],
        lambda _: None,
        lambda parts, _: _columns(StagedTuple, parts[0], parts[0]),
        lambda contents, _: StagedTuple(contents[0]),
    ),
    StagedDeque: _Kind(
        deque,
        lambda form: [form.extra[0]],
        lambda form: form.extra[1],
        lambda parts, most: _columns(StagedDeque, parts[0], (parts[0], most)),
        lambda contents, most: StagedDeque(contents[0], most),
    ),
    StagedSet: _Kind(
        set,
        lambda form: [form.children[0].extra],
        lambda _: None,
        lambda parts, _: Structure(StagedSet, ("contents",), (_of_elements(parts[0]),), _numpys(parts[0])),
        lambda contents, _: StagedSet(contents[0]),
    ),
    StagedDict: _Kind(
        dict,
        lambda form: [each.extra for each in form.children[0].children],
        lambda form: form.extra[:2],
        lambda parts, rest: Structure(
            StagedDict, ("contents",), (_table(*parts),), (*rest, _numpys(parts[0]))
        ),
        lambda contents, rest: StagedDict(Table(*contents), *rest),
        width=2,
    ),
}
"""Containers of the graph that may be in elements: those of Python's become some where they are put in."""

_LISTS = (list, StagedList)
_DICTS = (dict, StagedDict)


def _of_any(kind: type[Any], extra: Any = None) -> Structure:
    """A container of which nobody knows what it holds: nothing was ever put in."""
    return Structure(kind, (), (), extra)


def _row(kind: type[StagedTuple], elements: Sequence[Structure]) -> Structure:
    """A list or a tuple of a length that only the run knows, which holds all of these."""
    return Structure(kind, (), (_all_united(elements),)) if elements else _of_any(kind)


class _Differ(Exception):  # a signal within this file
    """Two elements have no common form."""


def _leaf(spec: Any) -> Structure:
    """A leaf of which is known what it is; where forms are compared, all leaves are alike."""
    return Structure(None, extra=spec)


def common_form(contents: Sequence[Elements], others: Sequence[Any] = ()) -> Structure | None:
    """The form that holds the elements of some lists, and other elements; None where there is none."""
    known = [_described(each.form, _inner(each.handles)) for each in contents if not each.is_unknown]
    try:
        return _all_united([*known, *map(_form_of, others)])
    except _Differ:
        return None


def _bare(form: Structure) -> Structure:
    """A form by which it is compared with others: leaves are leaves."""
    if form.kind is None:
        return LEAF
    return Structure(form.kind, form.keys, tuple(map(_bare, form.children)), form.extra)


# ── forms ──


def _described(form: Structure, specs: Iterator[Any]) -> Structure:
    """A form in which a list of the graph has the form of its elements below it, as far as that is known."""
    if form.kind is None:
        return _leaf(next(specs))
    kind = _KINDS.get(form.kind)
    if kind is not None:
        parts = []
        for part in kind.parts(form):
            inner = [getattr(next(specs), "element", None) for _ in range(part.leaf_count)]
            parts.append(None if part == LEAF and inner[0] is None else _described(part, iter(inner)))
        known = tuple([part for part in parts if part is not None])
        return Structure(form.kind, (), known if len(known) == kind.width else (), kind.rest(form))
    children = tuple([_described(child, specs) for child in form.children])
    if form.kind is OneOf:
        return _one_of(reduce(_with_alternative, children[1:], []))
    return Structure(form.kind, form.keys, children, form.extra)


def _inner(handles: Sequence[Any]) -> Iterator[Any]:
    return iter([handle.spec.element for handle in handles])


def _form_of(element: Any) -> Structure:
    leaves, form = flatten(catalogued(element))
    specs = [as_tensor(leaf).spec if is_tensor(leaf) else None for leaf in leaves]
    return _with_rows(_described(form, iter(specs)))


def _with_rows(form: Structure) -> Structure:
    """A form whose empty lists and dicts are those of the graph: they are there to be filled."""
    if form.kind is list and not form.children:
        return _of_any(StagedList)
    if form.kind is dict and not form.children:
        return _of_any(StagedDict, (dict, None))
    if form.kind is None or not form.children:
        return form
    return Structure(form.kind, form.keys, tuple(map(_with_rows, form.children)), form.extra)


def _all_united(forms: Sequence[Structure]) -> Structure:
    """The form that holds elements of all: beside others numbers keep their kinds, in any order."""
    first = forms[0]
    if first.kind not in {None, OneOf, MaybeNone, *_KINDS} and len({*map(_outermost, forms)}) == 1:
        children = zip(*[form.children for form in forms], strict=True)
        return Structure(first.kind, first.keys, tuple(map(_all_united, children)), first.extra)
    found = reduce(_united, forms)
    inner = _without_none(found)
    if inner is None or inner.kind is not OneOf:
        return found
    kept = [each for each in map(_without_none, forms) if each is not None]
    alternatives = [each for form in kept for each in _alternatives(form)]
    chosen = _one_of(reduce(_with_alternative, alternatives, []))
    return chosen if inner is found else _maybe_none(chosen)


def _outermost(form: Structure) -> Any:
    return form.kind, form.keys, form.extra


def _united(one: Structure, other: Structure) -> Structure:
    """The form that holds elements of both."""
    if one == other:
        return one
    if one.kind is None and other.kind is None:
        if numbers_beside.stay_apart([[one.extra], [other.extra]]):
            return _one_of([one, other])
        return _leaf(_joined(one.extra, other.extra))
    if _is_none(one) or _is_none(other) or MaybeNone in {one.kind, other.kind}:
        return _or_none(one, other)
    if OneOf in {one.kind, other.kind}:
        return _one_of(reduce(_with_alternative, _alternatives(other), _alternatives(one)))
    for known, tuples in ((one, other), (other, one)):
        if known.kind is Catalogued and known.extra.kind is tuple and never_changes(tuples):
            return known
    if _is_text(one) and _is_text(other):
        return one if _bare(one) == _bare(other) else TEXT_FORM
    if one.kind in _LISTS and other.kind in _LISTS:
        is_fixed = one.kind is list and other.kind is list and len(one.children) == len(other.children)
        if not is_fixed:
            return _row(StagedList, [*one.children, *other.children])
    if {one.kind, other.kind} == {tuple, StagedTuple}:
        return _row(StagedTuple, [*one.children, *other.children])
    if one.kind in _DICTS and other.kind in _DICTS and (one.kind, one.keys) != (other.kind, other.keys):
        one, other = _keyed(one), _keyed(other)
    is_unknown = one.kind in _KINDS and not (one.children and other.children)
    if is_unknown and (one.kind, one.extra) == (other.kind, other.extra):
        return one if one.children else other
    if one.kind is other.kind and one.kind in NUMBERED_KINDS:
        unite(one.extra, other.extra)
    if (one.kind, one.keys, one.extra) != (other.kind, other.keys, other.extra):
        return _one_of([one, other])
    pairs = zip(one.children, other.children, strict=True)
    return Structure(one.kind, one.keys, tuple([_united(*pair) for pair in pairs]), one.extra)


def _joined(one: Any, other: Any) -> Any:
    """What is known of two leaves in one place, as far as anything is."""
    if not (isinstance(one, ArraySpec) and isinstance(other, ArraySpec)):
        return one or other
    dtype = one.dtype if one.dtype == other.dtype else result_type(one.dtype, other.dtype)
    return ArraySpec(one.shape, dtype).join(ArraySpec(other.shape, dtype))


def _is_none(form: Structure) -> bool:
    """Whether elements of a form are None."""
    return form.kind is type(None) or (form.kind is Catalogued and form.extra.kind is type(None))


def _or_none(one: Structure, other: Structure) -> Structure:
    """The form of what may be None."""
    kept = [_without_none(form) for form in (one, other)]
    forms = [form for form in kept if form is not None]
    if not forms:
        return one
    return _maybe_none(reduce(_united, forms))


def _maybe_none(form: Structure) -> Structure:
    return Structure(MaybeNone, ("valid", "value"), (_leaf(ArraySpec((), bool_)), form))


def _without_none(form: Structure) -> Structure | None:
    return None if _is_none(form) else form.children[1] if form.kind is MaybeNone else form


def _alternatives(form: Structure) -> Sequence[Structure]:
    """What an element of a form is one of."""
    return form.children[1:] if form.kind is OneOf else [form]


def _with_alternative(found: Sequence[Structure], other: Structure) -> Sequence[Structure]:
    """Some alternatives, and one more, where none of them can hold it."""
    for place, one in enumerate(found):
        united = _united(one, other)
        if united.kind is not OneOf and not _are_other_numbers(one, other):
            return [*found[:place], united, *found[place + 1 :]]
    return [*found, other]


def _are_other_numbers(one: Structure, other: Structure) -> bool:
    """Whether numbers of two kinds are meant: what is one of several objects anyway keeps its kind."""
    specs = one.extra, other.extra
    are_leaves = one.kind is None and other.kind is None
    return (
        are_leaves and all(isinstance(each, ArraySpec) for each in specs) and specs[0].dtype != specs[1].dtype
    )


def _one_of(alternatives: Sequence[Structure]) -> Structure:
    """The form of elements that are one of several objects."""
    alternatives = _with_tuples_that_grow(alternatives)
    if [each.kind for each in alternatives] == [StagedTuple]:
        return alternatives[0]
    if len(alternatives) > MOST_CANDIDATES:
        raise _Differ
    alternatives = _with_numbers_in_order(alternatives)
    number = _leaf(ArraySpec((), int64))
    return Structure(OneOf, tuple(range(1 + len(alternatives))), (number, *alternatives))


def _with_numbers_in_order(alternatives: Sequence[Structure]) -> Sequence[Structure]:
    """Some alternatives, whose numbers are where they are in other forms with numbers of these kinds."""
    places = [place for place, each in enumerate(alternatives) if isinstance(each.extra, ArraySpec)]
    ordered = sorted([alternatives[place] for place in places], key=lambda each: each.extra.dtype.name)
    found = dict(zip(places, ordered, strict=True))
    return [found.get(place, each) for place, each in enumerate(alternatives)]


_MOST_LENGTHS = 4
"""How many lengths tuples may have that are one of several objects: more are tuples that grow."""


def _with_tuples_that_grow(alternatives: Sequence[Structure]) -> Sequence[Structure]:
    """Some alternatives, of which tuples of many lengths are one, where their elements are of one kind."""
    tuples = [each for each in alternatives if each.kind in {tuple, StagedTuple}]
    lengths = [each for each in tuples if each.kind is tuple]
    if not lengths or len(lengths) == len(tuples) <= _MOST_LENGTHS:
        return alternatives
    try:
        row = _row(StagedTuple, [element for each in tuples for element in each.children])
    except _Differ:
        return alternatives
    if row.children and _is_choice(row.children[0]):
        return alternatives
    return [row, *[each for each in alternatives if each not in tuples]]


def _keyed(form: Structure) -> Structure:
    """The form of a dict with keys of the graph."""
    if form.kind is StagedDict:
        return form
    if not form.children:
        return _of_any(StagedDict, (dict, None))
    parts = _all_united([*map(_form_of, form.keys)]), _all_united(form.children)
    return Structure(StagedDict, (), parts, (dict, None))


def _is_text(form: Structure) -> bool:
    """Whether elements of a form are strings, held by number or by their characters."""
    return form.kind is Text or (form.kind is Catalogued and form.extra.kind is str)


# ── values ──


def in_form(value: Any, form: Structure) -> Any:
    """An element in a form that holds it."""
    if form == TEXT_FORM:
        return grounded(as_text(value))
    if form.kind is Catalogued:
        return catalogued(value)
    if form.kind is MaybeNone:
        return _in_form_or_none(value, form.children[1])
    if form.kind is OneOf:
        return _chosen_in_form(value, form.children[1:])
    kind = _KINDS.get(form.kind)
    if form.kind is StagedTuple and is_choice(value):
        return _selected(number_of(value), [*enumerate(candidates_of(value))], form)
    if kind is not None:
        parts = [_within(part, each) for part, each in zip(_parts(form), _contents(value, kind), strict=True)]
        return kind.build(parts, form.extra)
    level = level_of(value)
    if level is None or not form.children or level[0].kind is not form.kind:
        return value
    pairs = zip(level[1], form.children, strict=True)
    return level[0].build([in_form(child, inner) for child, inner in pairs])


def _in_form_or_none(value: Any, form: Structure) -> Any:
    """An element that may be None."""
    if isinstance(value, MaybeNone):
        return MaybeNone(value.ag__valid, in_form(value.ag__value, form))
    return MaybeNone(False, _blank(form)) if value is None else MaybeNone(True, in_form(value, form))


def _chosen_in_form(value: Any, alternatives: Sequence[Structure]) -> Any:
    """An element that is one of several objects, with one for each alternative."""
    candidates = candidates_of(value) if is_choice(value) else (value,)
    number = number_of(value) if is_choice(value) else as_tensor(0)
    places = [_place_among(alternatives, _form_of(each)) for each in candidates]
    found = []
    for place, form in enumerate(alternatives):
        own = [index for index, each in enumerate(places) if each == place]
        found.append(_selected(number, [(i, candidates[i]) for i in own], form) if own else _blank(form))
    return OneOf(ops.take(ops.asarray(places), number), tuple(found))


def as_one(number: Any, candidates: Sequence[Any]) -> Any:
    """The set or the dict that has a number among some, as one of the graph; None where none holds all."""
    form = common_form([], candidates)
    if form is None or form.kind not in _KINDS or _has_objects(form):
        return None
    return _selected(number, [*enumerate(candidates)], form)


def _has_objects(form: Structure) -> bool:
    """Whether something is in a form that is no value of the graph."""
    return (form.kind is None and form.extra is None) or any(map(_has_objects, form.children))


def _selected(number: Any, candidates: Sequence[tuple[int, Any]], form: Structure) -> Any:
    """The candidate that has a number, in a form that holds it: the last where no other one does."""
    (index, first), *rest = candidates
    found = in_form(first, form)
    if not rest:
        return found
    leaves, structure = flatten(catalogued(found))
    others, _ = flatten(catalogued(_selected(number, rest, form)))
    leaves, others = [[*map(_as_any_float, each)] for each in (leaves, others)]
    return unflatten(structure, choose(number == index, lambda: tuple(leaves), lambda: tuple(others)))


def _as_any_float(leaf: Any) -> Any:
    """A leaf, which is one float among others, also where it is an infinity that Python knows."""
    if not numbers_beside.is_infinity(leaf):
        return leaf
    return ops.stands_for_python(Symbol(builder_in_use().constant(np.array(leaf))))


def _place_among(alternatives: Sequence[Structure], form: Structure) -> int:
    """Which of some alternatives holds an element of a form."""
    return next(
        place
        for place, each in enumerate(alternatives)
        if _bare(_united(each, form)) == _bare(each) and not _are_other_numbers(each, form)
    )


def _blank(form: Structure) -> Any:
    """What is in the place of an element of a form where there is none."""
    if form.kind is None:
        spec = form.extra
        return ops.stands_for_python(ops.zeros(smallest(spec.shape), dtype=spec.dtype))
    kind = _KINDS.get(form.kind)
    if kind is not None:
        return kind.build([_none_of(each) for each in _parts(form)], form.extra)
    if form.kind is Catalogued:
        return Catalogued(as_tensor(0), form.extra)
    return unflatten(
        Structure(form.kind, form.keys, (LEAF,) * len(form.children), form.extra),
        [_blank(each) for each in form.children],
    )


def _parts(form: Structure) -> Sequence[Structure | None]:
    return form.children or [None] * _KINDS[form.kind].width


def _contents(value: Any, kind: _Kind) -> Sequence[Any]:
    """What a container holds: `Elements`, or items of Python's."""
    if isinstance(value, StagedDict):
        return [value.contents.keys, value.contents.values]
    if isinstance(value, Staged | StagedTuple):
        return [value.contents]
    return [list(value), list(value.values())] if kind.python is dict else [value]


def _within(form: Structure | None, contents: Any) -> Elements:
    """What a container holds, with each element in a form that holds it."""
    is_unknown = isinstance(contents, Elements) and contents.is_unknown
    if form is None or is_unknown or not (isinstance(contents, Elements) or contents):
        return _none_of(form)
    if isinstance(contents, Elements):
        return converted(contents, form)
    return Elements.of([in_form(item, form) for item in contents])


def _none_of(form: Structure | None) -> Elements:
    """No elements, of a form that is known as far as it is."""
    if form is None:
        return Elements.of([])
    found = Elements(_real(form), [ops.list_from((), spec) for spec in _specs(form)])
    return found.emptied()  # which has no numbers of NumPy's in it


def _real(form: Structure) -> Structure:
    """A form as `flatten` gives it."""
    kind = _KINDS.get(form.kind)
    if kind is not None:
        return kind.form([LEAF if part is None else _real(part) for part in _parts(form)], form.extra)
    if form.kind is None:
        return LEAF
    return Structure(form.kind, form.keys, tuple(map(_real, form.children)), form.extra)


def _specs(form: Structure) -> list[ListSpec | None]:
    """What is known of each part of an element of this form: that it is a list, if anything."""
    if form.kind in _KINDS:
        parts = [[None] if part is None else _specs(part) for part in _parts(form)]
        return [ListSpec(spec) for part in parts for spec in part]
    return [spec for child in form.children for spec in _specs(child)] if form.kind is not None else [None]


def converted(contents: Elements, form: Structure) -> Elements:
    """The same elements in a form that holds them: in a loop of the graph, where it is another one."""
    if contents.is_unknown:
        return contents
    if _bare(_described(contents.form, _inner(contents.handles))) == _bare(form):
        return contents
    length = contents.length

    def turn(index: Any, found: Elements) -> tuple[Any, Elements]:
        return index + 1, found.appended(in_form(contents.get(index), form))

    start = Elements.like(lambda: Elements.of([in_form(contents.get(as_tensor(0)), form)]))
    _, found = while_loop(lambda index, _: index < length, turn, (0, start))
    elements: Elements = found
    return elements


# ── equality ──


def matches(contents: Elements, element: Any) -> Tensor:
    """For each element of a list, with rows in it, whether it equals a value."""
    length = contents.length
    is_new = not (was_held(element) or has_own_number(element))
    if level_of(element) is not None and is_told_apart(element) and is_new:
        return ops.zeros(ops.reshape(length, (1,)), dtype=bool_)

    def turn(index: Any, found: Elements) -> tuple[Any, Elements]:
        return index + 1, found.appended(_alike(contents.get(index), element))

    start = Elements.of([as_tensor(False)]).emptied()
    _, found = while_loop(lambda index, _: index < length, turn, (0, start))
    stacked: Tensor = found.stacked()
    return stacked


def same(one: Elements, other: Elements) -> Tensor:
    """Whether two lists, with rows in them, are equal."""
    if one.is_unknown or other.is_unknown:
        return as_tensor(one.length == other.length)
    length = one.length
    _, alike = while_loop(
        lambda index, alike: ops.logical_and(alike, index < length),
        lambda index, _: (index + 1, _alike(one.get(index), other.get(index))),
        (0, length == other.length),
    )
    equal: Tensor = alike
    return equal


def _alike(one: Any, other: Any) -> Tensor:
    """Whether two elements are equal."""
    if MaybeNone in {type(one), type(other)} or one is None or other is None:
        return _alike_or_none(one, other)
    if isinstance(one, Linked) or isinstance(other, Linked):
        return as_tensor(one == other)
    for this, that in ((one, other), (other, one)):
        if is_choice(this):
            found = as_tensor(False)
            for index, candidate in enumerate(candidates_of(this)):
                is_it = ops.logical_and(number_of(this) == index, _alike(candidate, that))
                found = ops.logical_or(found, is_it)
            return found
    if _compares_itself(one) or _compares_itself(other):
        if is_told_apart(one):
            may_be_one(one, other)
        return as_tensor(one == other)
    is_tuple = StagedTuple in {type(one), type(other)}
    if all(isinstance(each, (tuple, StagedTuple) if is_tuple else _LISTS) for each in (one, other)):
        return contents_of(one).same_as(contents_of(other))
    if type(one) in _BY_KEY and type(one) is type(other):
        return as_tensor(one == other)
    level, another = level_of(one), level_of(other)
    if level is None or another is None:
        are_numbers = is_number(one) and is_number(other)
        if not are_numbers and _is_choice(_united(_form_of(one), _form_of(other))):
            return as_tensor(False)
        return Elements.of([one]).same_as(Elements.of([other]))
    if level[0] != another[0]:
        return as_tensor(False)
    found = as_tensor(True)
    for pair in zip(level[1], another[1], strict=True):
        found = ops.logical_and(found, _alike(*pair))
    return found


def _alike_or_none(one: Any, other: Any) -> Tensor:
    """Whether two elements are equal of which either may be None."""
    (valid, value), (is_other, another) = _with_bit(one), _with_bit(other)
    both_none = ops.logical_not(ops.logical_or(valid, is_other))
    if value is None or another is None:
        return both_none
    both = ops.logical_and(valid, is_other)
    return ops.logical_or(both_none, ops.logical_and(both, _alike(value, another)))


def _with_bit(value: Any) -> tuple[Any, Any]:
    """Whether something is not None, and what it is there."""
    return (value.ag__valid, value.ag__value) if isinstance(value, MaybeNone) else (value is not None, value)


def _is_choice(form: Structure) -> bool:
    return form.kind is OneOf or form.kind is MaybeNone


def _compares_itself(value: Any) -> bool:
    """Whether an object's class says when two are equal; numbers and containers do not ask."""
    is_object = level_of(value) is not None or has_own_number(value)
    return is_object and compares_itself(type(value), "__eq__")


_BY_KEY = frozenset({StagedDict, StagedSet})
"""Containers that are equal whatever their order."""


def flattened(value: Any) -> Any:
    """What a list has given, with one choice in the place of choices inside one another."""
    level = level_of(value)
    if level is None or is_numbered(value):
        return value
    form, children = level
    inner = [flattened(child) for child in children]
    if all(one is child for one, child in zip(inner, children, strict=True)):
        found = value
    else:
        found = form.build(inner)
    if not is_choice(found) or not any(is_choice(each) for each in candidates_of(found)):
        return found
    number, base, flat = number_of(found), 0, as_tensor(0)
    candidates: list[Any] = []
    for index, each in enumerate(candidates_of(found)):
        own = number_of(each) if is_choice(each) else 0
        flat = ops.where(number == index, base + own, flat)
        candidates += candidates_of(each) if is_choice(each) else [each]
        base = len(candidates)
    return OneOf(flat, tuple(candidates))
