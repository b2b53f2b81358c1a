"""Operations on chosen objects: reads are answered for each candidate, writes go to the chosen one.

Converted functions take such an object as it is. Everything else is called for each candidate, in a branch,
with the candidate itself.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

from autograph.backends.tensors.arrays import identity
from autograph.backends.tensors.containers import numbered_lists
from autograph.backends.tensors.containers.becoming import become_staged
from autograph.backends.tensors.containers.keyed import may_lack_hash
from autograph.backends.tensors.containers.linked import Linked
from autograph.backends.tensors.containers.lists import StagedTuple
from autograph.backends.tensors.containers.numbered_rows import NumberedRow
from autograph.backends.tensors.iteration.keywords import keywords
from autograph.backends.tensors.iteration.spread import Spread, spread, together
from autograph.backends.tensors.objects import tables
from autograph.backends.tensors.objects.choices import (
    OneOf,
    asked,
    candidates_of,
    each,
    is_constant,
    number_of,
    over,
)
from autograph.backends.tensors.objects.chosen_calls import ChosenCalls
from autograph.backends.tensors.objects.chosen_items import (
    holds_choice,
    is_to_choose,
    items_of,
    items_to_unpack,
)
from autograph.backends.tensors.objects.classes import class_of
from autograph.backends.tensors.statements import numbers_beside
from autograph.backends.tensors.statements.deciding import with_each
from autograph.backends.tensors.statements.maybe import MaybeNone
from autograph.backends.tensors.statements.raising import raise_in_graph
from autograph.backends.tensors.statements.undecided import Undecided
from autograph.staging.announcing import note_deleted, note_item, note_missing
from autograph.staging.backend import Clauses, ComprehensionKind
from autograph.staging.heap import may_be_one, moved_to, tell_apart
from autograph.staging.special_methods import is_told_apart
from runtime import ops
from runtime.core.dtypes import bool_
from runtime.core.spec import as_array_spec
from runtime.core.tensor import Operators, Tensor
from runtime.errors import StateDisagrees
from runtime.graph.build import is_strict, is_symbolic, is_weak, spec_of
from runtime.graph.location import caller_location
from runtime.ops.control_flow.tracing import may_be_either

__all__ = ["Choosing"]


def _index(target: Any, index: Any) -> Any:
    """An index of a sequence; the graph raises what Python does where it is None."""
    if not isinstance(index, MaybeNone):
        return index
    kind = class_of(target)
    empty = next((each for each in _EMPTY if issubclass(kind, type(each))), None)
    return index if empty is None else index.ag__operand(partial(operator.getitem, empty))


_EMPTY: tuple[Any, ...] = ([], (), "", range(0), deque())


def _has_optional_bound(index: Any) -> bool:
    """Whether an index is a slice, one of whose bounds may be None."""
    return type(index) is slice and any(
        isinstance(each, MaybeNone) for each in (index.start, index.stop, index.step)
    )


def _with_bounds(index: slice, use: Callable[[slice], Any]) -> Any:
    """What `use` gives for a slice whose bounds are what they are, None among it."""
    return with_each((index.start, index.stop, index.step), lambda bounds: use(slice(*bounds)))


class Choosing(ChosenCalls):
    """The part of the tensors' backend that is about objects which a tensor chooses."""

    def is_choice(self, value: Any) -> bool:
        """Whether a value stands for one of several objects: which one is known when the graph runs."""
        return type(value) in CHOSEN or type(value) in {Linked, NumberedRow}

    def converted(self, callee: Any, convert: Callable[[Any], Any]) -> Any:
        """A choice between the converted forms."""
        if isinstance(callee, OneOf):
            return OneOf(number_of(callee), tuple(map(convert, candidates_of(callee))))
        is_optional = isinstance(callee, MaybeNone)
        return convert(callee.ag__operand(lambda one: one()) if is_optional else callee)

    def raised(self, error: Any, *cause: Any) -> Any:
        """What a tensor chooses, or whose cause it does, is raised in a branch of the graph."""
        if any(isinstance(part, MaybeNone | OneOf) for part in (error, *cause)):
            _raise_each(error, *cause)
        return error

    # ── questions ──

    def is_none(self, a: Any) -> Any:
        """Whether a value is None, as a tensor where it may be."""
        if isinstance(a, Undecided):
            a.refuse()
        if isinstance(a, MaybeNone):
            return ops.stands_for_python(ops.logical_not(a.ag__valid))
        return a is None

    def is_instance(self, value: Any, kind: type) -> Any:
        """Whether a value is an instance of a class, as a pattern asks."""
        if isinstance(value, MaybeNone):
            return value.ag__either(lambda one: self.is_instance(one, kind))
        if isinstance(value, OneOf):
            return asked((value,), lambda one: self.is_instance(one, kind))
        return super().is_instance(value, kind)

    def identical(self, a: Any, b: Any) -> Any:
        """Whether two values are one object."""
        if b is None or a is None:
            return self.is_none(a if b is None else b)
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Undecided):
                one.refuse()
            if isinstance(one, MaybeNone):
                return one.ag__either(partial(self.identical, b=other))
        if any(isinstance(each, OneOf) and not isinstance(each, NumberedRow) for each in (a, b)):
            return asked((a, b), _are_identical)
        if NumberedRow in {type(moved_to(a)), type(moved_to(b))}:
            return _are_identical(a, b)
        for one, other in ((a, b), (b, a)):
            if isinstance(other, bool) and not isinstance(one, bool):
                return self.and_(self.is_instance(one, bool), partial(self.equal, one, other))
        return _are_identical(a, b)

    def equal(self, a: Any, b: Any) -> Any:
        """`a == b`; nothing but None is equal to None."""
        if isinstance(a, OneOf) or isinstance(b, OneOf):
            return over((a, b), self.equal)
        for one, other in ((a, b), (b, a)):
            if isinstance(one, MaybeNone) and other is None and not one.ag__has_axes:
                return self.is_none(one)
        if isinstance(a, MaybeNone):
            return a.ag__either(lambda one: self.equal(one, b))
        if isinstance(b, MaybeNone):
            return b.ag__either(lambda other: self.equal(a, other))
        if is_told_apart(a):
            may_be_one(a, b)
        _require_one_function(a, b)
        return super().equal(a, b)

    def not_equal(self, a: Any, b: Any) -> Any:
        """`a != b`; nothing but None is equal to None."""
        vague = a is None or b is None or any(isinstance(each, OneOf | MaybeNone) for each in (a, b))
        if not vague:
            return super().not_equal(a, b)
        found = self.equal(a, b)
        is_by_element = isinstance(found, Tensor) and found.static_shape != ()
        return ops.logical_not(found) if is_by_element else self.not_(found)

    def contains(self, container: Any, item: Any) -> Any:
        """`item in container`, where either is chosen."""
        if type(container) not in CHOSEN and type(item) not in CHOSEN:
            if is_constant(container) and is_constant(item):
                return item in container
            own = getattr(type(container), "__contains__", None)
            if isinstance(own, FunctionType) and not isinstance(container, Operators):
                return own(container, item)
            return super().contains(container, item)
        if isinstance(container, MaybeNone):
            return self.contains(container.ag__operand(lambda one: 0 in one), item)
        if isinstance(container, dict | set | frozenset) and is_constant(item):
            return asked((item,), lambda key: key in container)
        if isinstance(item, MaybeNone):
            return item.ag__either(lambda one: self.contains(container, one))
        if holds_choice(container, item):
            return super().contains(container, item)
        return over((container, item), self.contains)

    def hash_(self, value: Any) -> Any:
        """`hash(value)`, of each."""
        return with_each((value,), lambda given: super(Choosing, self).hash_(*given))

    def len_(self, target: Any) -> Any:
        """`len(target)` of what may be None."""
        return super().len_(target.ag__operand(len) if isinstance(target, MaybeNone) else target)

    # ── items ──

    def get_item(self, target: Any, index: Any) -> Any:
        """`target[index]`, where a tensor chooses either."""
        if isinstance(target, MaybeNone):
            return self._item(target.ag__operand(lambda one: one[0]), index)
        if _has_optional_bound(index):
            return _with_bounds(index, partial(self.get_item, target))
        if isinstance(target, Counter | defaultdict) and _is_to_hold(target, index):
            return self.get_item(become_staged(target), index)
        if isinstance(index, OneOf) and isinstance(target, dict) and is_constant(index):
            return asked((index,), lambda key: super(Choosing, self).get_item(target, key))
        if _is_chosen(target, index):
            found = tables.looked_up_in_rows(target, index)
            return over((target, index), self._item) if found is NotImplemented else found
        return super().get_item(target, _index(target, index))

    def _item(self, one: Any, key: Any) -> Any:
        """An item of what is chosen, which may be a dict that makes the one that is missing."""
        note_missing(one, key)
        return self.get_item(one, key)

    def set_item(self, target: Any, index: Any, value: Any) -> Any:
        """`target[index] = value`, where a tensor chooses either."""

        def assign(one: Any, key: Any) -> None:
            note_item(one, key)
            left = self.set_item(one, key, value)
            if left is not one and left is not moved_to(one):
                one[key] = value  # which says why that cannot be

        if isinstance(index, slice):
            value = items_of(value)
        if isinstance(target, dict) and _is_to_hold(target, index):
            return self.set_item(become_staged(target), index, value)
        if isinstance(target, NumberedRow):
            target.ag__change(lambda held: self.set_item(held, index, value))
        elif isinstance(target, MaybeNone):
            assign(target.ag__operand(lambda one: operator.setitem(one, 0, 0)), index)
        elif _has_optional_bound(index):
            _with_bounds(index, lambda bounds: assign(moved_to(target), bounds))
        elif _is_chosen(target, index):
            if tables.put_into_rows(target, index, value) is NotImplemented:
                over((target, index), assign)
        else:
            return super().set_item(target, _index(target, index), value)
        return target

    def delete_item(self, target: Any, index: Any) -> None:
        """`del target[index]`, where a tensor chooses either."""

        def delete(one: Any, key: Any) -> None:
            note_deleted(one, key)
            self.delete_item(one, key)

        if isinstance(target, NumberedRow):
            del target[index]
        elif isinstance(target, MaybeNone):
            delete(target.ag__operand(lambda one: operator.delitem(one, 0)), index)
        elif _has_optional_bound(index):
            _with_bounds(index, lambda bounds: delete(moved_to(target), bounds))
        elif _is_chosen(target, index):
            over((target, index), delete)
        else:
            super().delete_item(target, index)

    # ── comprehensions ──

    def list_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A list of what is made of the items of the chosen object."""
        return super().list_comp(items_of(items), clauses, kind)

    def set_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A set, likewise."""
        return _told_apart(super().set_comp(items_of(items), clauses, kind))

    def dict_comp(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A dict, likewise."""
        return _told_apart(super().dict_comp(items_of(items), clauses, kind))

    def list_(self, *items: Any) -> Any:
        """`list(items)`, and what has a star, of the chosen object."""
        return super().list_(*map(items_of, items))

    def mapping(self, value: Any) -> Any:
        """`{**value}`, of the chosen object."""
        if isinstance(value, MaybeNone):
            return self.mapping(value.ag__present("'NoneType' object is not a mapping"))
        return each(value, self.mapping) if isinstance(value, OneOf) else super().mapping(value)

    def generator(self, items: Any, clauses: Clauses, kind: ComprehensionKind) -> Any:
        """A generator, likewise."""
        return super().generator(items_of(items), clauses, kind)

    def unpack(self, value: Any, count: int) -> Any:
        """Something that Python unpacks into so many targets."""
        return super().unpack(items_to_unpack(value), count)

    def unpack_starred(self, value: Any, before: int, after: int) -> Any:
        """A value for each target, one of which is starred and takes a list."""
        return super().unpack_starred(items_to_unpack(value), before, after)

    # ── calls ──

    def starred(self, items: Any) -> Any:
        """`f(*items)`: what becomes arguments."""
        found = self.list_(items_of(items))
        return spread(found) if isinstance(found, StagedTuple) else found

    def keywords(self, items: Any) -> Any:
        """`f(**items)`: what is given by name."""
        return keywords(items)

    def spread(self, arguments: tuple[Any, ...]) -> Any:
        """What a function gets as its `*args`."""
        return StagedTuple(together(*arguments).contents) if isinstance(arguments[-1], Spread) else arguments

    def of_each(self, value: Any, use: Callable[[Any], Any]) -> Any:
        """What `use` gives for each that a value may be, and for None where it may be None."""
        if isinstance(value, MaybeNone):
            return value.ag__either(use)
        return each(value, use) if isinstance(value, OneOf) else NotImplemented


CHOSEN = frozenset({OneOf, MaybeNone})


def _is_chosen(target: Any, index: Any) -> bool:
    """Whether an item is reached in branches: of each object that is chosen, by each index that is."""
    return isinstance(target, OneOf) or (isinstance(index, OneOf) and not holds_choice(target, index))


def _is_to_hold(container: dict[Any, Any], key: Any) -> bool:
    """Whether a dict of Python's gets a key that a tensor chooses from some that are not all there."""
    if not is_to_choose(container, key):
        return False
    return may_lack_hash(key) or not all(each in container for each in candidates_of(key))


def _raise_each(*parts: Any) -> Any:
    """Raises the exception that is meant, from the cause that is: `parts` are one, or both."""
    for index, part in enumerate(parts):
        if isinstance(part, MaybeNone | OneOf):
            before, after = parts[:index], parts[index + 1 :]
            use = part.ag__either if isinstance(part, MaybeNone) else part.ag__each
            return use(lambda one: _raise_each(*before, one, *after))  # noqa: B023
    return raise_in_graph(*parts)


def _are_identical(a: Any, b: Any) -> Any:
    if isinstance(a, Linked) or isinstance(b, Linked):
        return a.ag__is(b) if isinstance(a, Linked) else False
    one, other = moved_to(a), moved_to(b)
    if not numbered_lists.NUMBERED_KINDS.isdisjoint((type(one), type(other))):
        return numbered_lists.are_one_list(one, other)
    if one is not other and any(map(is_symbolic, (one, other))) and all(map(_is_number, (one, other))):
        return _are_one_number(one, other)
    if numbers_beside.may_be_infinity(one, other) or numbers_beside.may_be_infinity(other, one):
        raise _not_told()  # a loop that starts with the infinity may have left it
    may_be_one(one, other)
    _require_one_function(one, other)
    return identity.are_one(one, other)


def _require_one_function(one: Any, other: Any) -> None:
    """Sees to it that nobody asks which of several functions a path has left that are made alike."""
    if may_be_either(one, other):
        raise StateDisagrees(
            "whether two functions are one shows only when the graph runs",
            where=caller_location(),
            why="One line has made them, and they read the same: what paths leave of them is one in a graph.",
            way_out="Give each a number or a name, and compare these.",
        )


def _is_number(value: Any) -> bool:
    """Whether a value is a number of Python's, and no member of an enumeration, or stands for one."""
    return type(value) in _NUMBERS or (is_symbolic(value) and is_weak(value) and not is_strict())


_NUMBERS = frozenset({bool, int, float, complex})


def _are_one_number(one: Any, other: Any) -> Any:
    """Whether two numbers of Python's are one object, where one is a value of the graph."""
    dtypes = {as_array_spec(spec_of(each)).dtype for each in (one, other)}
    if dtypes == {bool_}:
        return ops.equal(one, other)
    if len(dtypes) > 1:
        return False
    raise _not_told()


def _not_told() -> StateDisagrees:
    return StateDisagrees(
        "whether two numbers are one object is for Python to say, and a graph has no objects for them",
        where=caller_location(),
        why="Python keeps small ints, and makes others anew: equal numbers may be two objects.",
        way_out="Ask whether they are equal: `==`.",
    )


def _told_apart(keyed: Any) -> Any:
    """A set or a dict, none of whose keys is a copy of another one."""
    if type(keyed) in {set, dict}:
        tell_apart(keyed)
    return keyed
