"""Rows of several lengths in a list of the graph: an element that is a list becomes a list of the graph.

All elements of a growing list have one form. Lists in them may have several lengths, or none that is known
before the run: where such elements meet, each of these lists becomes a `StagedList`, those that are in the
growing list already in a loop of the graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from typing import Any

from autograph.backends.tensors.catalogues import Catalogued, catalogued
from autograph.backends.tensors.choices import as_text
from autograph.backends.tensors.elements import Elements, set_forms
from autograph.backends.tensors.lists import StagedList, contents_of
from autograph.backends.tensors.strings import TEXT_FORM, Text, grounded
from runtime import ops
from runtime.core.spec import ListSpec
from runtime.core.structure import LEAF, Structure, flatten, level_of
from runtime.core.tensor import Tensor
from runtime.graph.build import as_tensor
from runtime.ops.control_flow import while_loop

__all__ = ["common_form", "converted", "in_form"]

_ANY = Structure(StagedList)
"""A list of which nobody knows what it holds: nothing was ever put in."""


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
    if form.kind is StagedList:
        own = [next(specs) for _ in form.children]
        inner = [spec.element if isinstance(spec, ListSpec) else None for spec in own]
        if form.extra == LEAF and inner[0] is None:
            return _ANY
        return _row(_described(form.extra, iter(inner)))
    children = tuple([_described(child, specs) for child in form.children])
    return Structure(form.kind, form.keys, children, form.extra)


def _inner(handles: Sequence[Any]) -> Iterator[Any]:
    return iter([handle.spec.element for handle in handles])


def _form_of(element: Any) -> Structure:
    leaves, form = flatten(catalogued(element))
    specs = [getattr(leaf, "spec", None) for leaf in leaves]
    return _with_rows(_described(form, iter(specs)))


def _with_rows(form: Structure) -> Structure:
    """A form whose empty lists are lists of the graph: they are there to be filled."""
    if form.kind is list and not form.children:
        return _ANY
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
            return _row(reduce(_united, inner)) if inner else _ANY
    if (one.kind, one.keys, one.extra) != (other.kind, other.keys, other.extra) or one.kind is None:
        raise _Differ
    pairs = zip(one.children, other.children, strict=True)
    return Structure(one.kind, one.keys, tuple([_united(*pair) for pair in pairs]), one.extra)


_LISTS = (list, StagedList)


def _is_text(form: Structure) -> bool:
    """Whether elements of a form are strings, held by number or by their characters."""
    return form.kind is Text or (form.kind is Catalogued and form.extra.kind is str)


# ── values ──


def in_form(value: Any, form: Structure) -> Any:
    """An element in a form that holds it."""
    if form == TEXT_FORM:
        return grounded(as_text(value))
    if form.kind is StagedList:
        inner = form.children[0] if form.children else None
        is_unknown = isinstance(value, StagedList) and value.contents.is_unknown
        if is_unknown or inner is None or (isinstance(value, list) and not value):
            return StagedList(_none_of(inner))
        if isinstance(value, StagedList):
            return StagedList(converted(value.contents, inner))
        return StagedList(Elements.of([in_form(item, inner) for item in value]))
    level = level_of(value)
    if level is None or not form.children or level[0].kind is not form.kind:
        return value
    pairs = zip(level[1], form.children, strict=True)
    return level[0].build([in_form(child, inner) for child, inner in pairs])


def _none_of(form: Structure | None) -> Elements:
    """No elements, of a form that is known as far as it is."""
    if form is None:
        return Elements(LEAF, [ops.list_from(())])
    return Elements(_real(form), [ops.list_from((), spec) for spec in _specs(form)])


def _real(form: Structure) -> Structure:
    """A form as `flatten` gives it."""
    if form.kind is StagedList:
        inner = _real(form.children[0]) if form.children else LEAF
        return Structure(StagedList, tuple(range(inner.leaf_count)), (LEAF,) * inner.leaf_count, inner)
    return Structure(form.kind, form.keys, tuple(map(_real, form.children)), form.extra)


def _specs(form: Structure) -> list[ListSpec | None]:
    """What is known of each part of an element of this form: that it is a list, if anything."""
    if form.kind is StagedList:
        return [ListSpec(spec) for spec in (_specs(form.children[0]) if form.children else [None])]
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
    if isinstance(one, _LISTS) and isinstance(other, _LISTS):
        return contents_of(one).same_as(contents_of(other))
    level, another = level_of(one), level_of(other)
    if level is None or another is None:
        return Elements.of([one]).same_as(Elements.of([other]))
    if level[0] != another[0]:
        return as_tensor(False)
    found = as_tensor(True)
    for pair in zip(level[1], another[1], strict=True):
        found = ops.logical_and(found, _alike(*pair))
    return found


set_forms(common_form, in_form, converted, (matches, same))
