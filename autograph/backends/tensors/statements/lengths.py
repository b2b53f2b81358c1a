"""Joins of two lists, tuples or deques of different lengths, and of records: a staged list, or a choice."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from autograph.backends.tensors.containers.deques import StagedDeque
from autograph.backends.tensors.containers.elements import Elements
from autograph.backends.tensors.containers.lists import StagedList, StagedTuple
from autograph.backends.tensors.objects.choices import OneOf, possible_values
from runtime.core.spec import ArraySpec
from runtime.core.structure import Structure, flatten
from runtime.graph.build import is_strict, kind_of, spec_of
from runtime.ops.control_flow import ABSENT
from runtime.ops.control_flow.tracing import has_no_value, is_tensor, operand

__all__ = [
    "are_one_tuple",
    "are_records",
    "are_tuples_of_lengths",
    "built_like",
    "has_no_form",
    "have_fields",
    "leaves_within",
    "lengths_differ",
    "without",
]


_MOST_FORMS = 3
"""Those that a loop may leave of a container with items of several kinds; one that grows has more."""


def leaves_within(value: Any) -> Iterator[Any]:
    """The leaves of a nest, and of the deques, sets and special dicts in it, which are leaves themselves."""
    for leaf in flatten(value)[0]:
        if isinstance(leaf, dict):
            yield from leaves_within([*leaf, *leaf.values()])
        elif isinstance(leaf, set | deque):
            yield from leaves_within([*leaf])
        else:
            yield leaf


def built_like(like: Any, contents: Elements) -> StagedTuple:
    """A list, a tuple or a deque of the graph, as another one is."""
    if isinstance(like, deque | StagedDeque):
        found = StagedDeque(contents)
        found.maxlen = like.maxlen
        return found
    return (StagedList if isinstance(like, list | StagedList) else StagedTuple)(contents)


def lengths_differ(left: Any, right: Any, *, in_loop: bool) -> bool:
    """Whether these are two lists or tuples whose length a tensor decides from here on.

    Tuples that branches leave are one of two objects. A loop would have one for every turn: where all of
    their items are of one kind, there is one for all lengths.
    """
    if StagedTuple in {type(left), type(right)}:
        return all(type(each) in {tuple, StagedTuple} for each in (left, right))
    if in_loop and type(left) is type(right) is tuple and not is_strict():
        items = (*left, *right)
        return len(left) != len(right) and len({flatten(item)[1] for item in items}) == 1 and _alike(items)
    if type(left) is StagedDeque or type(right) is StagedDeque:
        are_deques = all(isinstance(each, deque | StagedDeque) for each in (left, right))
        return are_deques and left.maxlen == right.maxlen
    lists = (list, StagedList)
    if not (isinstance(left, lists) and isinstance(right, lists)):
        return False
    return isinstance(left, StagedList) or isinstance(right, StagedList) or len(left) != len(right)


def are_tuples_of_lengths(left: Any, right: Any) -> bool:
    """Whether a loop leaves one of several tuples, of several lengths, whose items are all of one kind.

    A turn that makes a tuple longer on one of its paths leaves one more object to choose from.
    """
    if not (isinstance(left, OneOf) or isinstance(right, OneOf)):
        return False
    found = [one for value in (left, right) for one in possible_values(value)]
    if not all(type(one) in {tuple, StagedTuple} for one in found):
        return False
    known = [one for one in found if type(one) is tuple]
    if len(known) == len(found) and len(set(map(len, known))) == 1:
        return False
    are_few = len(known) == len(found) and len(set(map(len, found))) <= _MOST_FORMS
    if are_few and not _alike([item for one in known for item in one]):
        return False
    forms = {flatten(item)[1] for one in known for item in one}
    forms |= {one.contents.form for one in found if type(one) is StagedTuple}
    return len(forms) == 1


def _alike(items: Sequence[Any]) -> bool:
    """Whether items are of one kind, so that a container of the graph holds each as what it is."""
    return len({_kinds(item) for item in items}) <= 1


def _kinds(item: Any) -> tuple[Any, ...]:
    """Of each tensor in an item, which numbers it holds, and how many axes it has."""
    return tuple([_kind(leaf) for leaf in flatten(item)[0]])


def _kind(leaf: Any) -> Any:
    if not is_tensor(leaf) or leaf is ABSENT:
        return None
    value = operand(leaf)
    spec = spec_of(value)
    return (kind_of(value).replace("u", "i"), spec.rank) if isinstance(spec, ArraySpec) else None


def are_records(left: Any, right: Any) -> bool:
    """Whether a loop leaves one of two tuples, or dicts, that have other fields."""
    return not is_strict() and type(left) is type(right) and type(left) in {tuple, dict}


def have_fields(dicts: Sequence[Any]) -> bool:
    """Whether the values of dicts are of several kinds, as in a record: `{"cost": x, "found": True}`."""
    if not all(type(each) is dict and all(type(key) is str for key in each) for each in dicts):
        return False
    are_few = len({tuple(each) for each in dicts}) <= _MOST_FORMS
    return are_few and not _alike([value for each in dicts for value in each.values()])


def are_one_tuple(left: tuple[Any, ...], right: tuple[Any, ...]) -> bool:
    """Whether two tuples have the same objects in them, or numbers and arrays alone, of the same kinds.

    What is absent on a path is of any kind.
    """
    (leaves, structure), (others, other) = flatten(left), flatten(right)
    pairs = list(zip(leaves, others, strict=False))
    return structure == other and (
        all(one is two for one, two in pairs)
        or all(_has_absent(pair) or (all(map(is_tensor, pair)) and _alike(pair)) for pair in pairs)
    )


def _has_absent(leaves: Sequence[Any]) -> bool:
    return any(each is ABSENT for each in leaves)


def without(
    left: Elements | None, right: Elements | None, absent: Sequence[Any]
) -> tuple[StagedList, StagedList]:
    """Two lists of the graph of which one path has none; where neither has, `absent` say what is in them."""
    known = [each.form for each in (left, right) if each is not None]
    form = [*known, *[form for each in absent if (form := _form_within(each)) is not None]][0]
    missing = Elements(form, [ABSENT] * form.leaf_count)
    return StagedList(left or missing), StagedList(right or missing)


def _form_within(items: Any) -> Structure | None:
    """What an element is of a list; None of an empty one."""
    if isinstance(items, StagedTuple):
        return items.contents.form
    return flatten(items[0])[1] if items else None


def has_no_form(contents: Elements) -> bool:
    """Whether a list takes any form: nothing was ever put in, or a path has no such list at all."""
    return any(map(has_no_value, contents.handles)) or contents.is_unknown
