"""Containers of several lengths in a list of the graph: a list in an element becomes a list of the graph.

All elements of a growing list have one form. Lists in them may have several lengths, or none that is known
before the run: where such elements meet, each of these lists becomes a `StagedList`, those that are in the
growing list already in a loop of the graph. So do dicts whose keys differ; sets and deques always do.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from autograph.backends.tensors.catalogues import Catalogued, catalogued
from autograph.backends.tensors.choices import as_text
from autograph.backends.tensors.deques import StagedDeque
from autograph.backends.tensors.dicts import StagedDict, Table
from autograph.backends.tensors.elements import Elements, set_forms
from autograph.backends.tensors.keyed import OwnNumbers
from autograph.backends.tensors.lists import Staged, StagedList, contents_of
from autograph.backends.tensors.sets import StagedSet
from autograph.backends.tensors.strings import TEXT_FORM, Text, grounded
from autograph.staging.heap import may_be_one, was_held
from autograph.staging.special_methods import compares_itself, is_told_apart
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.spec import ListSpec
from runtime.core.structure import LEAF, Structure, flatten, level_of
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor
from runtime.ops.control_flow import while_loop

__all__ = ["common_form", "converted", "in_form"]


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


def _row(element: Structure) -> Structure:
    return Structure(StagedList, (), (element,))


class _Differ(Exception):  # a signal within this file
    """Two elements have no common form."""


def common_form(contents: Sequence[Elements], others: Sequence[Any] = ()) -> Structure | None:
    """The form that holds the elements of some lists, and other elements; None where there is none."""
    known = [_described(each.form, _inner(each.handles)) for each in contents if not each.is_unknown]
    try:
        return reduce(_united, [*known, *map(_form_of, others)])
    except _Differ:
        return None


# ── forms ──


def _described(form: Structure, specs: Iterator[Any]) -> Structure:
    """A form in which a list of the graph has the form of its elements below it, as far as that is known."""
    if form is LEAF or form.kind is None:
        next(specs)
        return LEAF
    kind = _KINDS.get(form.kind)
    if kind is not None:
        parts = []
        for part in kind.parts(form):
            inner = [getattr(next(specs), "element", None) for _ in range(part.leaf_count)]
            parts.append(None if part == LEAF and inner[0] is None else _described(part, iter(inner)))
        known = tuple([part for part in parts if part is not None])
        return Structure(form.kind, (), known if len(known) == kind.width else (), kind.rest(form))
    children = tuple([_described(child, specs) for child in form.children])
    return Structure(form.kind, form.keys, children, form.extra)


def _inner(handles: Sequence[Any]) -> Iterator[Any]:
    return iter([handle.spec.element for handle in handles])


def _form_of(element: Any) -> Structure:
    leaves, form = flatten(catalogued(element))
    specs = [getattr(leaf, "spec", None) for leaf in leaves]
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


def _united(one: Structure, other: Structure) -> Structure:
    """The form that holds elements of both."""
    if one == other:
        return one
    if _is_text(one) and _is_text(other):
        return TEXT_FORM
    if one.kind in _LISTS and other.kind in _LISTS:
        is_fixed = one.kind is list and other.kind is list and len(one.children) == len(other.children)
        if not is_fixed:
            inner = [*one.children, *other.children]
            return _row(reduce(_united, inner)) if inner else _of_any(StagedList)
    if one.kind in _DICTS and other.kind in _DICTS and (one.kind, one.keys) != (other.kind, other.keys):
        one, other = _keyed(one), _keyed(other)
    is_unknown = one.kind in _KINDS and not (one.children and other.children)
    if is_unknown and (one.kind, one.extra) == (other.kind, other.extra):
        return one if one.children else other
    if (one.kind, one.keys, one.extra) != (other.kind, other.keys, other.extra) or one.kind is None:
        raise _Differ
    pairs = zip(one.children, other.children, strict=True)
    return Structure(one.kind, one.keys, tuple([_united(*pair) for pair in pairs]), one.extra)


def _keyed(form: Structure) -> Structure:
    """The form of a dict with keys of the graph."""
    if form.kind is StagedDict:
        return form
    if not form.children:
        return _of_any(StagedDict, (dict, None))
    parts = reduce(_united, map(_form_of, form.keys)), reduce(_united, form.children)
    return Structure(StagedDict, (), parts, (dict, None))


def _is_text(form: Structure) -> bool:
    """Whether elements of a form are strings, held by number or by their characters."""
    return form.kind is Text or (form.kind is Catalogued and form.extra.kind is str)


# ── values ──


def in_form(value: Any, form: Structure) -> Any:
    """An element in a form that holds it."""
    if form == TEXT_FORM:
        return grounded(as_text(value))
    kind = _KINDS.get(form.kind)
    if kind is not None:
        parts = [_within(part, each) for part, each in zip(_parts(form), _contents(value, kind), strict=True)]
        return kind.build(parts, form.extra)
    level = level_of(value)
    if level is None or not form.children or level[0].kind is not form.kind:
        return value
    pairs = zip(level[1], form.children, strict=True)
    return level[0].build([in_form(child, inner) for child, inner in pairs])


def _parts(form: Structure) -> Sequence[Structure | None]:
    return form.children or [None] * _KINDS[form.kind].width


def _contents(value: Any, kind: _Kind) -> Sequence[Any]:
    """What a container holds: `Elements`, or items of Python's."""
    if isinstance(value, StagedDict):
        return [value.contents.keys, value.contents.values]
    if isinstance(value, Staged):
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
        return Elements(LEAF, [ops.list_from(())])
    return Elements(_real(form), [ops.list_from((), spec) for spec in _specs(form)])


def _real(form: Structure) -> Structure:
    """A form as `flatten` gives it."""
    kind = _KINDS.get(form.kind)
    if kind is not None:
        return kind.form([LEAF if part is None else _real(part) for part in _parts(form)], form.extra)
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
    if _described(contents.form, _inner(contents.handles)) == form:
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
    if is_told_apart(element) and not was_held(element):
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
    if _compares_itself(one) or _compares_itself(other):
        if is_told_apart(one):
            may_be_one(one, other)
        return as_tensor(one == other)
    if isinstance(one, _LISTS) and isinstance(other, _LISTS):
        return contents_of(one).same_as(contents_of(other))
    if type(one) in _BY_KEY and type(one) is type(other):
        return as_tensor(one == other)
    level, another = level_of(one), level_of(other)
    if level is None or another is None:
        return Elements.of([one]).same_as(Elements.of([other]))
    if level[0] != another[0]:
        return as_tensor(False)
    found = as_tensor(True)
    for pair in zip(level[1], another[1], strict=True):
        found = ops.logical_and(found, _alike(*pair))
    return found


def _compares_itself(value: Any) -> bool:
    """Whether an object's class says when two are equal; numbers and containers do not ask."""
    return level_of(value) is not None and compares_itself(type(value), "__eq__")


_BY_KEY = frozenset({StagedDict, StagedSet})
"""Containers that are equal whatever their order."""

set_forms(common_form, in_form, converted, (matches, same))
